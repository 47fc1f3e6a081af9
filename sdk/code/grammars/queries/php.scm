; PHP. Attributes and modifiers are part of the definition; a variable's name has no dollar sign.

(namespace_definition name: (namespace_name) @name) @definition.module
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(enum_case name: (name) @name) @definition.variant
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.method
(property_declaration (property_element name: (variable_name (name) @name))) @definition.field
(property_promotion_parameter name: (variable_name (name) @name)) @definition.field.instance
(const_declaration (const_element . (name) @name)) @definition.constant
(program (expression_statement (assignment_expression left: (variable_name (name) @name) right: (anonymous_function body: (_) @body)) @definition.function))
(program (expression_statement (assignment_expression left: (variable_name (name) @name)) @definition.variable))
((function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @name)))) @definition.constant
  (#eq? @_define "define"))

(visibility_modifier "public") @public
(visibility_modifier "protected") @restricted
(visibility_modifier "private") @private
(comment) @comment

(anonymous_function) @closed
(arrow_function) @closed
(variable_name (name) @ignore)
(argument name: (name) @ignore)

(namespace_use_clause . [(qualified_name) (name)] @import)
(namespace_use_clause alias: (name) @ignore)
(include_expression (string (string_content) @import))
(include_once_expression (string (string_content) @import))
(require_expression (string (string_content) @import))
(require_once_expression (string (string_content) @import))

(name) @reference
