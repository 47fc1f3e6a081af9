; PowerShell. Variables carry their `$`.

(function_statement (function_name) @name "{" @body) @definition.function
(class_statement . (simple_name) @name "{" @body) @definition.class
(enum_statement . (simple_name) @name "{" @body) @definition.enum
(enum_member . (simple_name) @name) @definition.variant
(class_property_definition (variable) @name) @definition.field
(class_method_definition (simple_name) @name "{" @body) @definition.method
((program (statement_list (pipeline (assignment_expression (left_assignment_expression) @name)) @definition.variable))
  (#match? @name "^\\$[A-Za-z0-9_:]+$"))

((class_method_definition (class_attribute) @private) (#match? @private "^(?i:hidden)$"))
((class_property_definition (class_attribute) @private) (#match? @private "^(?i:hidden)$"))
(comment) @comment

(script_parameter (variable) @local.type)
(class_method_parameter (variable) @local.type)
(foreach_statement (variable) @local.type)
(script_block_body (statement_list (pipeline (assignment_expression (left_assignment_expression) @local.type))))

((command command_name: (command_name) @_import command_elements: (command_elements (generic_token) @import))
  (#match? @_import "^(?i:import-module)$"))
((command command_name: (command_name) @_using command_elements: (command_elements
  (generic_token) @_kind . (command_argument_sep) . (generic_token) @import))
  (#match? @_using "^(?i:using)$"))
((command (command_invokation_operator) @_dot command_name: (command_name_expr (command_name) @import))
  (#eq? @_dot "."))

(command_name) @reference
(type_identifier) @reference
(member_name (simple_name) @reference)
(variable) @reference
