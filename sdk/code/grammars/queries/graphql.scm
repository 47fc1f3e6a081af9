; GraphQL: schemas and operations.

(object_type_definition (name) @name (fields_definition) @body) @definition.struct
(object_type_definition (name) @name) @definition.struct
(object_type_extension (name) @name (fields_definition) @body) @definition.struct
(interface_type_definition (name) @name (fields_definition) @body) @definition.interface
(input_object_type_definition (name) @name (input_fields_definition) @body) @definition.struct
(enum_type_definition (name) @name (enum_values_definition) @body) @definition.enum
(enum_value_definition (enum_value (name) @name)) @definition.variant
(union_type_definition (name) @name) @definition.union
(scalar_type_definition (name) @name) @definition.type
(directive_definition (name) @name) @definition.macro
(field_definition (name) @name) @definition.field
(input_fields_definition (input_value_definition (name) @name) @definition.field)
(operation_definition (name) @name (selection_set) @body) @definition.function
(fragment_definition (fragment_name (name) @name) (selection_set) @body) @definition.function

(object_type_definition (description) @doc)
(interface_type_definition (description) @doc)
(input_object_type_definition (description) @doc)
(enum_type_definition (description) @doc)
(enum_value_definition (description) @doc)
(union_type_definition (description) @doc)
(scalar_type_definition (description) @doc)
(directive_definition (description) @doc)
(field_definition (description) @doc)
(input_fields_definition (input_value_definition (description) @doc))
(comment) @comment

(named_type (name) @reference)
(fragment_spread (fragment_name (name) @reference))
(directive (name) @reference)
(selection (field (name) @reference))
