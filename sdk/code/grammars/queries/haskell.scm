; Haskell. A signature and the equations below it are one function.

(data_type name: (name) @name constructors: (_) @body) @definition.struct
(data_type name: (name) @name) @definition.struct
(newtype name: (name) @name) @definition.struct
(type_synonym name: (name) @name) @definition.type
(class name: (name) @name declarations: (_) @body) @definition.trait
(class name: (name) @name) @definition.trait
(instance patterns: (type_patterns . (name) @name)) @definition.other @scope
(instance patterns: (type_patterns . (parens (apply . constructor: (name) @name)))) @definition.other @scope
(data_constructor (record name: (constructor) @name)) @definition.variant
(data_constructor (prefix name: (constructor) @name)) @definition.variant
(newtype_constructor name: (constructor) @name) @definition.variant
(gadt_constructor name: (constructor) @name) @definition.variant
(field name: (field_name (variable) @name)) @definition.field
(declarations (signature name: (variable) @name) @definition.function)
(declarations (function name: (variable) @name (match) @body) @definition.function)
(declarations (function name: (variable) @name) @definition.function)
(declarations (bind name: (variable) @name (match) @body) @definition.function)
(declarations (foreign_import (signature name: (variable) @name)) @definition.function)
(class_declarations (signature name: (variable) @name) @definition.method)
(class_declarations (function name: (variable) @name (match) @body) @definition.method)
(class_declarations (bind name: (variable) @name (match) @body) @definition.method)
(instance_declarations (function name: (variable) @name (match) @body) @definition.method)
(instance_declarations (bind name: (variable) @name (match) @body) @definition.method)

(export variable: (variable) @export.only)
(export type: (name) @export.only)
(comment) @comment
(haddock) @comment

(patterns (variable) @local)
(patterns (parens pattern: (infix left_operand: (variable) @local)))
(patterns (parens pattern: (infix right_operand: (variable) @local)))
(patterns (parens pattern: (apply argument: (variable) @local)))
(local_binds (function name: (variable) @local))
(local_binds (bind name: (variable) @local))
(local_binds (signature name: (variable) @local))
(alternative pattern: (variable) @local)
(alternative pattern: (apply argument: (variable) @local))
(type_params (variable) @local.type)
(module_id) @ignore

(import module: (module) @import)

(variable) @reference
(name) @reference
(constructor) @reference
