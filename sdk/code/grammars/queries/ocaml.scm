; OCaml. `let` and `type` stand before what they bind, and `and` binds more.

(module_definition (module_binding (module_name) @name body: (_) @body)) @definition.module
(module_type_definition (module_type_name) @name body: (_) @body) @definition.interface
(type_binding name: (type_constructor) @name body: (record_declaration) @body) @definition.struct
(type_binding name: (type_constructor) @name body: (variant_declaration) @body) @definition.enum
(type_binding name: (type_constructor) @name) @definition.type
(constructor_declaration (constructor_name) @name) @definition.variant
(field_declaration (field_name) @name) @definition.field
(let_binding pattern: (value_name) @name (parameter) body: (_) @body) @definition.function
(let_binding pattern: (value_name) @name body: (fun_expression) @body) @definition.function
(let_binding pattern: (value_name) @name body: (function_expression) @body) @definition.function
(let_binding pattern: (value_name) @name) @definition.variable
(value_specification (value_name) @name) @definition.function
(external (value_name) @name) @definition.function
(class_binding (class_name) @name body: (_) @body) @definition.class
(method_definition (method_name) @name body: (_) @body) @definition.method
(instance_variable_definition (instance_variable_name) @name) @definition.field

(value_definition "let" @attribute)
(value_definition "and" @attribute)
(type_definition "type" @attribute)
(method_definition "private" @private)
(comment) @comment

(value_pattern) @local

(open_module module: (_) @import)
(include_module module: (_) @import)

(value_path (value_name) @reference)
(field_path (field_name) @reference)
(constructor_path (constructor_name) @reference)
(type_constructor_path (type_constructor) @reference)
(module_path (module_name) @reference)
(method_invocation (method_name) @reference)
