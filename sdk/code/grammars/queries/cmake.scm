; CMake. Functions, targets and variables; commands are written in any case.

(function_def
  (function_command (argument_list . (argument (unquoted_argument) @name)))
  (body) @body) @definition.function
(macro_def (macro_command (argument_list . (argument (unquoted_argument) @name))) (body) @body) @definition.macro
((normal_command (identifier) @_target (argument_list . (argument (unquoted_argument) @name))) @definition.other
  (#match? @_target "^(?i:add_library|add_executable|add_custom_target)$") (#not-match? @name "\\$"))
((normal_command
  (identifier) @_test
  (argument_list . (argument (unquoted_argument) @_name) . (argument (unquoted_argument) @name))) @definition.other
  (#match? @_test "^(?i:add_test)$") (#eq? @_name "NAME"))
((normal_command (identifier) @_project (argument_list . (argument (unquoted_argument) @name))) @definition.module
  (#match? @_project "^(?i:project)$"))
((normal_command (identifier) @_set (argument_list . (argument (unquoted_argument) @name))) @definition.variable
  (#match? @_set "^(?i:set|option)$") (#not-match? @name "\\$"))

(line_comment) @comment
(bracket_comment) @comment

(function_command (argument_list (argument (unquoted_argument) @local)))
(macro_command (argument_list (argument (unquoted_argument) @local)))

((normal_command (identifier) @_import (argument_list . (argument (_) @import)))
  (#match? @_import "^(?i:include|add_subdirectory|find_package)$"))

(normal_command (identifier) @reference)
(variable) @reference
((unquoted_argument) @reference (#match? @reference "^[a-z_][A-Za-z0-9_]*$"))
