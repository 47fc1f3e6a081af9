; Scala. Annotations and modifiers are part of the definition.

(class_definition name: (identifier) @name) @definition.class
(object_definition name: (identifier) @name) @definition.class
(package_object name: (identifier) @name) @definition.module
(trait_definition name: (identifier) @name) @definition.trait
(enum_definition name: (identifier) @name) @definition.enum
(simple_enum_case name: (identifier) @name) @definition.variant
(full_enum_case name: (identifier) @name) @definition.variant
(function_definition name: (identifier) @name) @definition.function
(function_declaration name: (identifier) @name) @definition.function
(type_definition name: (type_identifier) @name) @definition.type
(given_definition name: (identifier) @name) @definition.constant
(class_parameter name: (identifier) @name) @definition.field
(template_body (val_definition pattern: (identifier) @name) @definition.field)
(template_body (var_definition pattern: (identifier) @name) @definition.field)
(template_body (val_declaration name: (identifier) @name) @definition.field)
(template_body (var_declaration name: (identifier) @name) @definition.field)
(val_definition pattern: (identifier) @name value: (lambda_expression)) @definition.function
(val_definition pattern: (identifier) @name) @definition.constant
(var_definition pattern: (identifier) @name) @definition.variable

((access_modifier) @private (#eq? @private "private"))
(access_modifier "protected") @restricted
(access_modifier (access_qualifier)) @restricted
(comment) @comment
(block_comment) @comment

(lambda_expression) @closed
(parameter name: (identifier) @local)
(enumerator . (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(binding name: (identifier) @local)
(case_clause pattern: (identifier) @local)
(tuple_pattern (identifier) @local)
(typed_pattern pattern: (identifier) @local)
(case_class_pattern pattern: (identifier) @local)
(capture_pattern name: (identifier) @local)
(val_definition pattern: (tuple_pattern (identifier) @local))
(type_parameters name: (identifier) @local.type)
(interpolated_string_expression interpolator: (identifier) @ignore)
(package_clause name: (package_identifier) @ignore)

(import_declaration) @import

(identifier) @reference
(type_identifier) @reference
