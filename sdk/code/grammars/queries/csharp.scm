; C#. Attributes and modifiers are part of the definition.

(namespace_declaration name: (_) @name) @definition.module
(file_scoped_namespace_declaration name: (_) @name) @definition.module
(class_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.struct
(record_declaration name: (identifier) @name) @definition.struct
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.field))
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.variant
(delegate_declaration name: (identifier) @name) @definition.type
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.constructor
(local_function_statement name: (identifier) @name) @definition.function
(property_declaration name: (identifier) @name accessors: (_) @body) @definition.field
(property_declaration name: (identifier) @name value: (arrow_expression_clause) @body) @definition.field
(event_declaration name: (identifier) @name) @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(field_declaration (modifier "const") (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field

(modifier "public") @public
(modifier "protected") @restricted
(modifier "internal") @restricted
(modifier "private") @private
(comment) @comment

(lambda_expression) @closed
(anonymous_method_expression) @closed
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(using_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(for_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(parameter name: (identifier) @local)
(implicit_parameter) @local
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(var_pattern name: (identifier) @local)
(from_clause name: (identifier) @local)
(type_parameter name: (identifier) @local.type)
(argument name: (identifier) @ignore)
(labeled_statement . (identifier) @ignore)
(using_directive name: (identifier) @ignore)

(using_directive !name (identifier) @import)
(using_directive !name (qualified_name) @import)
(using_directive name: (_) (qualified_name) @import)

(identifier) @reference
