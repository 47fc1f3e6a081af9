; R. A function is a value that is given a name.

(binary_operator lhs: (identifier) @name rhs: (function_definition body: (_) @body)) @definition.function
((binary_operator lhs: (identifier) @name rhs: (call function: (identifier) @_class)) @definition.class
  (#any-of? @_class "R6Class" "setRefClass"))
(program (binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"]) @definition.variable)
(program (binary_operator operator: ["->" "->>"] rhs: (identifier) @name) @definition.variable)
((call function: (identifier) @_class arguments: (arguments
  . argument: (argument value: (string content: (string_content) @name)))) @definition.class
  (#any-of? @_class "setClass" "setClassUnion" "setRefClass"))
((call function: (identifier) @_method arguments: (arguments
  . argument: (argument value: (string content: (string_content) @name)))) @definition.method
  (#any-of? @_method "setGeneric" "setMethod" "setValidity"))
((call function: (identifier) @_list arguments: (arguments
  (argument name: (identifier) @name value: (function_definition body: (_) @body)) @definition.method))
  (#eq? @_list "list"))

(comment) @comment

(function_definition) @closed
(parameter name: (identifier) @local.type)
(binary_operator lhs: (identifier) @local.type operator: ["<-" "="])
(for_statement variable: (identifier) @local.type)

((call function: (identifier) @_import arguments: (arguments . argument: (argument value: (_) @import)))
  (#any-of? @_import "library" "require" "requireNamespace" "source"))

(identifier) @reference
