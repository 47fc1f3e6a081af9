; TypeScript and TSX. `export`, `const` and the like stand before what they belong to.

(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(function_signature name: (identifier) @name) @definition.function
(class_declaration name: (type_identifier) @name) @definition.class
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(enum_body name: (property_identifier) @name @definition.variant)
(enum_assignment name: (property_identifier) @name) @definition.variant
(internal_module name: (_) @name) @definition.module
(module name: (_) @name) @definition.module
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(property_signature name: (_) @name) @definition.field
(method_definition name: (_) @name) @definition.method
(public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @definition.method
(public_field_definition name: (_) @name value: (function_expression body: (_) @body)) @definition.method
(public_field_definition name: (_) @name) @definition.field

; A constructor's parameter with a modifier is a field.
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field.instance
(required_parameter (override_modifier) pattern: (identifier) @name) @definition.field.instance
(required_parameter "readonly" pattern: (identifier) @name) @definition.field.instance
(accessibility_modifier "public") @public
(accessibility_modifier "protected") @restricted
(accessibility_modifier "private") @private

; A function in a variable is a function.
(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @definition.function
(variable_declarator name: (identifier) @name value: (function_expression body: (_) @body)) @definition.function
(variable_declarator name: (identifier) @name value: (generator_function body: (_) @body)) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.constant)
(variable_declarator name: (identifier) @name) @definition.variable
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @local))
(variable_declarator name: (object_pattern (pair_pattern value: (identifier) @local)))
(variable_declarator name: (array_pattern (identifier) @local))

; Members of an object that is bound to a name.
(variable_declarator value: (object (pair
  key: (property_identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method))
(assignment_expression right: (object (pair
  key: (property_identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method))
(export_statement value: (object (pair
  key: (property_identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method))

; `exports.add = …`, `Registry.prototype.add = …`, `module.exports = …`
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body)]) @definition.function
(assignment_expression
  left: (member_expression object: (_) @owner)
  right: (function_expression name: (identifier) @name body: (_) @body)) @definition.function
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: (class !name body: (_) @body)) @definition.class
(assignment_expression
  left: (member_expression object: (_) @owner)
  right: (class name: (type_identifier) @name body: (_) @body)) @definition.class
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: [
    (identifier) @export.name
    (object (shorthand_property_identifier) @export.name)
    (object (pair value: (identifier) @export.name))
  ])
  (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)) @export
  (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression left: (member_expression object: (identifier) @_exports) right: (identifier) @export.name)
  (#eq? @_exports "exports"))
((assignment_expression
  left: (member_expression object: (member_expression property: (property_identifier) @_exports))
  right: (identifier) @export.name)
  (#eq? @_exports "exports"))
((assignment_expression left: (member_expression object: (identifier) @_exports)) @export
  (#eq? @_exports "exports"))
((assignment_expression left: (member_expression object: (member_expression property: (property_identifier) @_exports))) @export
  (#eq? @_exports "exports"))

(export_statement) @export
(export_statement "export" @attribute)
(export_statement "default" @attribute)
(ambient_declaration "declare" @attribute)
(export_specifier name: (identifier) @export.name)
(export_statement "default" value: (identifier) @export.name)
(export_statement "default" @name value: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body)]) @definition.function
(export_statement value: (function_expression name: (identifier) @name body: (_) @body)) @definition.function
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class
(export_statement value: (class name: (type_identifier) @name body: (_) @body)) @definition.class

(lexical_declaration kind: _ @attribute)
(variable_declaration "var" @attribute)
(decorator) @attribute
(comment) @comment

(arrow_function) @closed
(function_expression) @closed
(generator_function) @closed
(class_static_block) @closed
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(required_parameter pattern: (object_pattern (shorthand_property_identifier_pattern) @local))
(required_parameter pattern: (object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)))
(required_parameter pattern: (object_pattern (pair_pattern value: (identifier) @local)))
(required_parameter pattern: (array_pattern (identifier) @local))
(type_parameter name: (type_identifier) @local.type)
(rest_pattern (identifier) @local)
(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)

(import_statement source: (string) @import)
(import_require_clause source: (string) @import)
(export_statement source: (string) @import)
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import)) (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @import))

(identifier) @reference
(type_identifier) @reference
(property_identifier) @reference
(private_property_identifier) @reference
(shorthand_property_identifier) @reference
