; Python. A decorated definition begins at its first decorator.

(decorated_definition definition: (function_definition name: (identifier) @name body: (_) @body)) @definition.function
(decorated_definition definition: (class_definition name: (identifier) @name body: (_) @body)) @definition.class
(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class
(type_alias_statement left: (type (identifier) @name)) @definition.type
(type_alias_statement left: (type (generic_type (identifier) @name))) @definition.type

(assignment left: (identifier) @name right: (lambda body: (_) @body)) @definition.function

; Names that a module or a class binds; those of a function are its locals. Capitals make a constant.
((assignment left: (identifier) @name) @definition.constant (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @definition.field)))
(module (expression_statement (assignment left: (identifier) @name) @definition.variable))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @definition.variable))
(module (_ (block (expression_statement (assignment left: (identifier) @name) @definition.variable))))
(assignment left: (identifier) @local)
(assignment left: (pattern_list (identifier) @local))
(assignment left: (tuple_pattern (identifier) @local))

; What a constructor sets on the instance.
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)) @definition.field.instance
  (#eq? @_self "self"))

(function_definition body: (block . (expression_statement (string (string_content) @doc))))
(class_definition body: (block . (expression_statement (string (string_content) @doc))))
(comment) @comment

(lambda) @closed
(list_comprehension) @closed
(set_comprehension) @closed
(dictionary_comprehension) @closed
(generator_expression) @closed
(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_parameter . (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(for_statement left: (identifier) @local)
(for_statement left: (pattern_list (identifier) @local))
(for_in_clause left: (identifier) @local)
(for_in_clause left: (pattern_list (identifier) @local))
(as_pattern_target (identifier) @local)
(as_pattern_target (tuple (identifier) @local))
(named_expression name: (identifier) @local)
(keyword_argument name: (identifier) @ignore)

; The names that the module offers.
(module (expression_statement (assignment left: (identifier) @_all right: (list (string (string_content) @export.only)))
  (#eq? @_all "__all__")))
(module (expression_statement (assignment left: (identifier) @_all right: (tuple (string (string_content) @export.only)))
  (#eq? @_all "__all__")))
(module (expression_statement (augmented_assignment left: (identifier) @_all right: (list (string (string_content) @export.only)))
  (#eq? @_all "__all__")))

(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: (_) @import)
(future_import_statement "__future__" @import)

(identifier) @reference
