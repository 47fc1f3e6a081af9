; Julia. A function is written in two ways; a text above documents.

(module_definition name: (identifier) @name . (_) @body) @definition.module
(function_definition (signature (call_expression . (identifier) @name)) . (_) @body) @definition.function
(function_definition (signature (call_expression . (identifier) @name))) @definition.function
(function_definition
  (signature (typed_expression . (call_expression . (identifier) @name))) . (_) @body) @definition.function
(function_definition
  (signature (where_expression . (call_expression . (identifier) @name))) . (_) @body) @definition.function
(function_definition (signature (typed_expression . (call_expression . (identifier) @name)))) @definition.function
(function_definition (signature (where_expression . (call_expression . (identifier) @name)))) @definition.function
(function_definition (signature
  (call_expression . (field_expression value: (_) @owner (identifier) @name)))) @definition.function
(assignment . (call_expression . (identifier) @name) (operator) @body) @definition.function
(assignment . (where_expression . (call_expression . (identifier) @name)) (operator) @body) @definition.function
(assignment
  . (call_expression . (field_expression value: (_) @owner (identifier) @name)) (operator) @body) @definition.function
(macro_definition (signature (call_expression . (identifier) @name)) . (_) @body) @definition.macro
(struct_definition (type_head (identifier) @name) . (_) @body) @definition.struct
(struct_definition (type_head (identifier) @name)) @definition.struct
(struct_definition (type_head (binary_expression . (identifier) @name)) . (_) @body) @definition.struct
(struct_definition (type_head (binary_expression . (identifier) @name))) @definition.struct
(struct_definition (type_head (parametrized_type_expression . (identifier) @name))) @definition.struct
(struct_definition
  (type_head (binary_expression . (parametrized_type_expression . (identifier) @name))) . (_) @body) @definition.struct
(struct_definition
  (type_head (binary_expression . (parametrized_type_expression . (identifier) @name)))) @definition.struct
(struct_definition (typed_expression . (identifier) @name) @definition.field)
(struct_definition (identifier) @name @definition.field)
(abstract_definition (type_head (identifier) @name)) @definition.interface
(abstract_definition (type_head (binary_expression . (identifier) @name))) @definition.interface
(primitive_definition (type_head (identifier) @name)) @definition.type
(const_statement (assignment . (identifier) @name)) @definition.constant
((macrocall_expression (macro_identifier (identifier) @_enum) (macro_argument_list . (identifier) @name))
  @definition.enum (#eq? @_enum "enum"))
(source_file (assignment . (identifier) @name) @definition.variable)
(module_definition (assignment . (identifier) @name) @definition.variable)

(export_statement (identifier) @export.name)
(source_file (string_literal) @comment)
(module_definition (string_literal) @comment)
(line_comment) @comment
(block_comment) @comment

(arrow_function_expression) @closed
(argument_list (typed_expression . (identifier) @local))
(signature (call_expression (argument_list (identifier) @local)))
(signature (call_expression (argument_list (named_argument . (identifier) @local))))
(signature (call_expression (argument_list (named_argument . (typed_expression . (identifier) @local)))))
(for_binding . (identifier) @local)
(assignment . (identifier) @local)

(using_statement (identifier) @import)
(using_statement (scoped_identifier) @import)
(import_statement (identifier) @import)
(selected_import . (_) @import)
((call_expression . (identifier) @_include (argument_list (string_literal (content) @import))) (#eq? @_include "include"))

(identifier) @reference
