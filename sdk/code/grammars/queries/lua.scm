; Lua. A function of a table belongs to the table.

(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (dot_index_expression field: (identifier) @name) @owner) @definition.function
(function_declaration name: (method_index_expression method: (identifier) @name) @owner) @definition.method
(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition body: (_) @body) .)) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression field: (identifier) @name) @owner .)
  (expression_list . value: (function_definition body: (_) @body) .)) @definition.function
(assignment_statement
  (variable_list . name: (identifier) @name .) (expression_list . value: (function_definition) .)) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression field: (identifier) @name) @owner .)
  (expression_list . value: (function_definition) .)) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression field: (identifier) @name) @owner .)) @definition.field
(assignment_statement (variable_list name: (identifier) @name)) @definition.variable
(variable_declaration (variable_list name: (identifier) @name)) @definition.variable
(field name: (identifier) @name value: (function_definition body: (_) @body)) @definition.function

(function_declaration "local" @private)
(variable_declaration "local" @private @attribute)
(comment) @comment

(function_definition) @closed
(parameters name: (identifier) @local)
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)
(goto_statement (identifier) @ignore)
(label_statement (identifier) @ignore)

((function_call name: (identifier) @_require arguments: (arguments (string content: (_) @import))) (#eq? @_require "require"))

(identifier) @reference
