; Dart. Who may use what is told by the name.

(class_declaration name: (identifier) @name) @definition.class
(mixin_declaration name: (identifier) @name) @definition.class
(extension_declaration name: (identifier) @name) @definition.class
(enum_declaration name: (identifier) @name) @definition.enum
(enum_entry name: (identifier) @name) @definition.variant
(type_alias . (type_identifier) @name) @definition.type
(function_declaration signature: (function_signature name: (identifier) @name)) @definition.function
(local_function_declaration (function_signature name: (identifier) @name) (function_body) @body) @definition.function
(method_declaration signature: (method_signature (function_signature name: (identifier) @name))) @definition.method
(method_declaration signature: (method_signature (getter_signature name: (identifier) @name))) @definition.method
(method_declaration signature: (method_signature (setter_signature name: (identifier) @name))) @definition.method
(method_declaration signature: (method_signature (operator_signature operator: (_) @name))) @definition.method
(method_declaration signature: (method_signature
  (factory_constructor_signature . name: (identifier) name: (identifier) @name))) @definition.constructor
(method_declaration signature: (method_signature
  (factory_constructor_signature . name: (identifier) @name . parameters: (_)))) @definition.constructor
(method_declaration signature: (method_signature
  (constructor_signature . name: (identifier) name: (identifier) @name))) @definition.constructor
(method_declaration signature: (method_signature
  (constructor_signature . name: (identifier) @name . parameters: (_)))) @definition.constructor
(declaration (constructor_signature . name: (identifier) name: (identifier) @name)) @definition.constructor
(declaration (constructor_signature . name: (identifier) @name . parameters: (_))) @definition.constructor
(declaration (function_signature name: (identifier) @name)) @definition.method
(declaration (getter_signature name: (identifier) @name)) @definition.method
(declaration (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @definition.constant
(declaration (initialized_identifier_list (initialized_identifier name: (identifier) @name))) @definition.field
(top_level_variable_declaration
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @definition.constant
(top_level_variable_declaration
  (initialized_identifier_list (initialized_identifier name: (identifier) @name))) @definition.variable

(comment) @comment
(documentation_comment) @comment
(annotation) @attribute

(function_expression) @closed
(formal_parameter name: (identifier) @local)
(formal_parameter (identifier) @local)
(type_parameter name: (type_identifier) @local.type)

(import_specification uri: (_) @import)
(library_export uri: (_) @import)

(identifier) @reference
(type_identifier) @reference
