; Objective-C. A class stands twice: what it offers and what it does.

(class_interface . (identifier) @name [(method_declaration) (property_declaration)] @body) @definition.class
(class_interface . (identifier) @name) @definition.class
(class_implementation . (identifier) @name [(implementation_definition) (instance_variables)] @body) @definition.class
(class_implementation . (identifier) @name) @definition.class
(protocol_declaration . (identifier) @name [(method_declaration) (property_declaration)] @body) @definition.interface
(protocol_declaration . (identifier) @name) @definition.interface
(method_declaration (method_type) . (identifier) @name) @definition.method
(method_declaration . (identifier) @name) @definition.method
(method_definition (method_type) . (identifier) @name (compound_statement) @body) @definition.method
(method_definition . (identifier) @name (compound_statement) @body) @definition.method
(property_declaration (struct_declaration (struct_declarator (identifier) @name))) @definition.field
(property_declaration (struct_declaration
  (struct_declarator (pointer_declarator declarator: (identifier) @name)))) @definition.field
(instance_variable (struct_declaration (struct_declarator (identifier) @name) @private)) @definition.field
(instance_variable (struct_declaration
  (struct_declarator (pointer_declarator declarator: (identifier) @name)) @private)) @definition.field
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.union
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.variant
(field_declaration declarator: (field_identifier) @name) @definition.field
(type_definition declarator: (type_identifier) @name) @definition.type
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
(translation_unit (declaration declarator: (init_declarator
  declarator: (pointer_declarator declarator: (identifier) @name))) @definition.variable)

((function_definition (storage_class_specifier) @private) (#eq? @private "static"))
((declaration (storage_class_specifier) @private) (#eq? @private "static"))
(comment) @comment

(method_declaration (identifier) @ignore)
(method_definition (identifier) @ignore)
(method_parameter (identifier) @local)
(parameter_declaration declarator: (identifier) @local)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @local))
(init_declarator declarator: (identifier) @local)
(init_declarator declarator: (pointer_declarator declarator: (identifier) @local))

(preproc_include path: (_) @import)
(module_import path: (_) @import)

(identifier) @reference
(type_identifier) @reference
(field_identifier) @reference
