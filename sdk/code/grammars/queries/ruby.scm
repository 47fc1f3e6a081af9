; Ruby. `private` stands before what it hides, or alone before a whole section.

(module name: (constant) @name) @definition.module
(module name: (scope_resolution name: (constant) @name) @owner) @definition.module
(class name: (constant) @name) @definition.class
(class name: (scope_resolution name: (constant) @name) @owner) @definition.class
(program (method name: (_) @name) @definition.function)
(method name: (_) @name) @definition.method
(singleton_method object: (self) name: (_) @name) @definition.method
(singleton_method object: (constant) @owner name: (_) @name) @definition.method
(alias name: (_) @name) @definition.method
(assignment left: (constant) @name right: (call receiver: (constant) @_struct method: (identifier) @_new)
  (#any-of? @_struct "Struct" "Data" "Class") (#any-of? @_new "new" "define")) @definition.class
(assignment left: (constant) @name) @definition.constant
(assignment left: (instance_variable) @name) @definition.field.instance
(operator_assignment left: (instance_variable) @name) @definition.field.instance
(assignment left: (class_variable) @name) @definition.field
((call method: (identifier) @_accessor arguments: (argument_list (simple_symbol) @name)) @definition.field
  (#any-of? @_accessor "attr_reader" "attr_writer" "attr_accessor" "attribute"))
((call method: (identifier) @_scope arguments: (argument_list . (simple_symbol) @name)) @definition.method
  (#any-of? @_scope "scope" "define_method" "delegate"))

((body_statement (identifier) @section.private) (#eq? @section.private "private"))
((body_statement (identifier) @section.restricted) (#eq? @section.restricted "protected"))
((body_statement (identifier) @section.public) (#eq? @section.public "public"))
((call method: (identifier) @private @attribute arguments: (argument_list (method)))
  (#any-of? @private "private" "private_class_method"))
((call method: (identifier) @private @attribute arguments: (argument_list (singleton_method)))
  (#any-of? @private "private" "private_class_method"))
((call method: (identifier) @restricted @attribute arguments: (argument_list (method))) (#eq? @restricted "protected"))
(comment) @comment

(block) @closed
(do_block) @closed
(lambda) @closed
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(destructured_parameter (identifier) @local)
(assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(for pattern: (identifier) @local)
(exception_variable (identifier) @local)

((call method: (identifier) @_require arguments: (argument_list (string (string_content) @import)))
  (#any-of? @_require "require" "require_relative" "load"))
((call method: (identifier) @_autoload arguments: (argument_list (simple_symbol) (string (string_content) @import)))
  (#eq? @_autoload "autoload"))

(identifier) @reference
(constant) @reference
