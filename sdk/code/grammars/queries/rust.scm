; Rust. Attributes and doc comments stand beside what they belong to.

(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
; The fields of a tuple are part of its signature.
(struct_item name: (type_identifier) @name body: (ordered_field_declaration_list) ";" @body) @definition.struct
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.union
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.variant
(field_declaration name: (field_identifier) @name) @definition.field
(trait_item name: (type_identifier) @name) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(mod_item name: (identifier) @name) @definition.module
(macro_definition name: (identifier) @name "(" @body) @definition.macro
(macro_definition name: (identifier) @name "{" @body) @definition.macro

; What stands in an `impl` belongs to its type; the block itself is where something new is added.
(impl_item type: (type_identifier) @name) @definition.other @scope
(impl_item type: (generic_type type: (type_identifier) @name)) @definition.other @scope
(impl_item type: (generic_type type: (scoped_type_identifier name: (type_identifier) @name))) @definition.other @scope
(impl_item type: (scoped_type_identifier name: (type_identifier) @name)) @definition.other @scope
(impl_item type: (reference_type type: (type_identifier) @name)) @definition.other @scope
; The functions of a trait's implementation can be used wherever the trait can.
(impl_item trait: (_) @public)

(closure_expression) @closed

(attribute_item) @attribute
(attribute_item (attribute (identifier) @public (#eq? @public "macro_export")))
(line_comment) @comment
(block_comment) @comment

(visibility_modifier) @public
(visibility_modifier [(crate) (super) (scoped_identifier) (identifier)]) @restricted
(visibility_modifier (self)) @private

(let_declaration pattern: (identifier) @local)
(let_condition pattern: (identifier) @local)
(parameter pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(for_expression pattern: (identifier) @local)
(mut_pattern (identifier) @local)
(ref_pattern (identifier) @local)
(reference_pattern (identifier) @local)
(tuple_pattern (identifier) @local)
(slice_pattern (identifier) @local)
(captured_pattern . (identifier) @local)
(tuple_struct_pattern (identifier) @local)
(field_pattern pattern: (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(match_pattern (identifier) @local)
(const_parameter name: (identifier) @local)
(type_parameter name: (type_identifier) @local.type)

(use_declaration argument: (_) @import)
(extern_crate_declaration name: (identifier) @import)

(lifetime (identifier) @ignore)

(identifier) @reference
(type_identifier) @reference
(field_identifier) @reference
