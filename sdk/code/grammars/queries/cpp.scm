; C++. The name of a function stands inside its declarator; `A::b` belongs to `A`.

; Functions, in a class and outside, with and without a body.
(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))) @definition.function
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))) @definition.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)))) @definition.function
(declaration declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)) @definition.function
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))) @definition.function
(declaration declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))) @definition.function
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)))) @definition.function
(field_declaration declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)) @definition.function
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))) @definition.function
(field_declaration declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))) @definition.function
(field_declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)))) @definition.function
(function_definition declarator: (function_declarator declarator: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name) @owner)) @definition.method
(function_definition declarator: (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)) @owner)) @definition.method
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name) @owner))) @definition.method
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)) @owner))) @definition.method
(function_definition declarator: (reference_declarator (function_declarator declarator: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name) @owner))) @definition.method
(function_definition declarator: (reference_declarator (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)) @owner))) @definition.method
(declaration declarator: (init_declarator declarator: (qualified_identifier name: (identifier) @name) @owner)) @definition.field
(declaration declarator: (init_declarator declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @name)) @owner)) @definition.field
(declaration declarator: (qualified_identifier name: (identifier) @name) @owner) @definition.field
(declaration declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @name)) @owner) @definition.field
(declaration declarator: (array_declarator declarator: (qualified_identifier name: (identifier) @name) @owner)) @definition.field
(declaration declarator: (pointer_declarator declarator: (qualified_identifier name: (identifier) @name) @owner)) @definition.field
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (qualified_identifier name: (identifier) @name) @owner))) @definition.field
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (qualified_identifier name: (identifier) @name) @owner))) @definition.field
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (qualified_identifier name: (identifier) @name) @owner)))) @definition.field
(declaration declarator: (init_declarator declarator: (reference_declarator (qualified_identifier name: (identifier) @name) @owner))) @definition.field
(function_definition declarator: (operator_cast type: (_) @name)) @definition.method
(declaration declarator: (operator_cast type: (_) @name)) @definition.method
(field_declaration declarator: (operator_cast type: (_) @name)) @definition.method

(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.class
(class_specifier name: (qualified_identifier name: (type_identifier) @name) @owner body: (_)) @definition.class
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.struct
(struct_specifier name: (qualified_identifier name: (type_identifier) @name) @owner body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.union
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.variant
(concept_definition name: (identifier) @name) @definition.trait
(namespace_definition name: (_) @name) @definition.module
(namespace_alias_definition name: (_) @name) @definition.module
(alias_declaration name: (type_identifier) @name) @definition.type
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @definition.type

(field_declaration declarator: (field_identifier) @name) @definition.field
(field_declaration declarator: (pointer_declarator declarator: (field_identifier) @name)) @definition.field
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field
(field_declaration declarator: (array_declarator declarator: (field_identifier) @name)) @definition.field
(field_declaration declarator: (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))) @definition.field
(field_declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))) @definition.field
(field_declaration declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))) @definition.field

(declaration (type_qualifier "const") declarator: (init_declarator declarator: (identifier) @name)) @definition.constant
(declaration (type_qualifier "constexpr") declarator: (init_declarator declarator: (identifier) @name)) @definition.constant
(declaration declarator: (identifier) @name) @definition.variable
(declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable
(declaration declarator: (pointer_declarator declarator: (identifier) @name)) @definition.variable
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @definition.variable
(declaration declarator: (reference_declarator (identifier) @name)) @definition.variable
(declaration declarator: (init_declarator declarator: (reference_declarator (identifier) @name))) @definition.variable
(declaration declarator: (array_declarator declarator: (identifier) @name)) @definition.variable
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @definition.variable
(declaration declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))) @definition.variable
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))) @definition.variable

(preproc_def name: (identifier) @name value: (_)) @definition.macro
(preproc_function_def name: (identifier) @name value: (_) @body) @definition.macro
(preproc_def name: (identifier) @ignore)
(preproc_params (identifier) @ignore)

(template_declaration "template" @attribute)
(template_declaration parameters: (_) @attribute)
(template_declaration (requires_clause) @attribute)
(comment) @comment

; A static function of a file or a namespace is its file's; one of a class is not.
(translation_unit (function_definition (storage_class_specifier "static") @private))
(translation_unit (declaration (storage_class_specifier "static") @private))
(declaration_list (function_definition (storage_class_specifier "static") @private))
(declaration_list (declaration (storage_class_specifier "static") @private))
(field_declaration_list (access_specifier "public") @section.public)
(field_declaration_list (access_specifier "protected") @section.restricted)
(field_declaration_list (access_specifier "private") @section.private)

(lambda_expression) @closed
(parameter_declaration declarator: (identifier) @local)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @local))
(parameter_declaration declarator: (reference_declarator (identifier) @local))
(parameter_declaration declarator: (array_declarator declarator: (identifier) @local))
(optional_parameter_declaration declarator: (identifier) @local)
(optional_parameter_declaration declarator: (pointer_declarator declarator: (identifier) @local))
(optional_parameter_declaration declarator: (reference_declarator (identifier) @local))
(optional_parameter_declaration declarator: (array_declarator declarator: (identifier) @local))
(for_range_loop declarator: (identifier) @local)
(for_range_loop declarator: (reference_declarator (identifier) @local))
(structured_binding_declarator (identifier) @local)
(type_parameter_declaration (type_identifier) @local.type)
(optional_type_parameter_declaration name: (type_identifier) @local.type)
(variadic_type_parameter_declaration (type_identifier) @local.type)
(template_parameter_list (parameter_declaration declarator: (identifier) @local.type))
(template_parameter_list (optional_parameter_declaration declarator: (identifier) @local.type))
(labeled_statement label: (_) @ignore)
(destructor_name (identifier) @ignore)

(preproc_include path: (string_literal) @import)
(preproc_include path: (system_lib_string) @import)

(identifier) @reference
(type_identifier) @reference
(field_identifier) @reference
(namespace_identifier) @reference
