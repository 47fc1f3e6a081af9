; Swift. Attributes and modifiers are part of the definition; an extension lends its type's name.

(class_declaration declaration_kind: "class" name: (type_identifier) @name) @definition.class
(class_declaration declaration_kind: "actor" name: (type_identifier) @name) @definition.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @definition.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @definition.enum
(class_declaration declaration_kind: "extension" name: (user_type . (type_identifier) @name .)) @definition.other @scope
(protocol_declaration name: (type_identifier) @name) @definition.interface
(enum_entry name: (simple_identifier) @name) @definition.variant
(function_declaration name: (simple_identifier) @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(init_declaration name: "init" @name) @definition.constructor
(subscript_declaration "subscript" @name (computed_property) @body) @definition.method
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(macro_declaration (simple_identifier) @name) @definition.macro

(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @definition.field)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @definition.field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field
(property_declaration (value_binding_pattern mutability: "let") name: (pattern bound_identifier: (simple_identifier) @name)) @definition.constant
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable

; `private(set)` is about setting only.
((visibility_modifier) @public (#any-of? @public "public" "open"))
((visibility_modifier) @restricted (#any-of? @restricted "internal" "package"))
((visibility_modifier) @private (#any-of? @private "private" "fileprivate"))
(comment) @comment
(multiline_comment) @comment

(lambda_literal) @closed
(parameter name: (simple_identifier) @local)
(parameter external_name: (simple_identifier) @ignore)
(lambda_parameter name: (simple_identifier) @local)
(pattern bound_identifier: (simple_identifier) @local)
(if_statement bound_identifier: (simple_identifier) @local)
(guard_statement bound_identifier: (simple_identifier) @local)
(while_statement bound_identifier: (simple_identifier) @local)
(value_argument_label (simple_identifier) @ignore)
(enum_type_parameters (simple_identifier) @ignore)
(type_parameter (type_identifier) @local.type)

(import_declaration (identifier) @import)

(simple_identifier) @reference
(type_identifier) @reference
