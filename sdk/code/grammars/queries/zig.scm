; Zig. Types are values of constants.

(variable_declaration . (identifier) @name (struct_declaration "{" @body)) @definition.struct
(variable_declaration . (identifier) @name (enum_declaration "{" @body)) @definition.enum
(variable_declaration . (identifier) @name (union_declaration "{" @body)) @definition.union
(variable_declaration . (identifier) @name (error_set_declaration)) @definition.enum
((variable_declaration "const" . (identifier) @name) @definition.constant (#not-match? @definition.constant "@import"))
(variable_declaration "var" . (identifier) @name) @definition.variable
(function_declaration name: (identifier) @name) @definition.function
(enum_declaration (container_field name: (identifier) @name) @definition.variant)
(container_field name: (identifier) @name) @definition.field
(error_set_declaration (identifier) @name @definition.variant)
(test_declaration (string (string_content) @name) (block) @body) @definition.other

(variable_declaration "pub" @public)
(function_declaration "pub" @public)
(function_declaration "export" @public)
(comment) @comment

(parameter name: (identifier) @local)
(payload (identifier) @local)

((builtin_function (builtin_identifier) @_import (arguments (string (string_content) @import)))
  (#eq? @_import "@import"))

(identifier) @reference
