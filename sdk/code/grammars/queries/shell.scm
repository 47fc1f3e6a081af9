; Shell. What a file sets at its top is a variable; what a function sets is its own only with `local`.

(function_definition name: (word) @name) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name) @definition.variable))
(program (if_statement (variable_assignment name: (variable_name) @name) @definition.variable))

(program (declaration_command ["declare" "export" "readonly" "typeset"] @attribute))
(comment) @comment

(function_definition body: (compound_statement
  (declaration_command (variable_assignment name: (variable_name) @local))))
(function_definition body: (compound_statement (declaration_command (variable_name) @local)))
(for_statement variable: (variable_name) @local)

((command name: (command_name (word) @_source) argument: (_) @import) (#any-of? @_source "source" "."))

((command_name (word) @reference) (#match? @reference "^[A-Za-z_]"))
((variable_name) @reference (#match? @reference "^[A-Za-z_]"))
