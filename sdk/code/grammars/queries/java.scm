; Java. Modifiers and annotations are part of the definition.

(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.struct
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.field))
(enum_declaration name: (identifier) @name) @definition.enum
(enum_constant name: (identifier) @name) @definition.variant
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.constructor
(compact_constructor_declaration name: (identifier) @name) @definition.constructor
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field

(modifiers "public" @public)
(modifiers "protected" @restricted)
(modifiers "private" @private)
(line_comment) @comment
(block_comment) @comment

(lambda_expression) @closed
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(formal_parameter name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(catch_formal_parameter name: (identifier) @local)
(enhanced_for_statement name: (identifier) @local)
(resource name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(type_pattern (identifier) @local)
(instanceof_expression name: (identifier) @local)
(type_parameter (type_identifier) @local.type)
(element_value_pair key: (identifier) @ignore)
(package_declaration (_) @ignore)
(labeled_statement . (identifier) @ignore)

(import_declaration (scoped_identifier) @import)
(import_declaration (identifier) @import)

(identifier) @reference
(type_identifier) @reference
