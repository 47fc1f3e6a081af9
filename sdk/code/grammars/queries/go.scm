; Go. A method's type stands in its receiver; `type`, `const` and `var` stand before what they belong to.

(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (pointer_type (type_identifier) @owner)
    (generic_type type: (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))
  ]))
  name: (field_identifier) @name) @definition.method
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(field_declaration name: (field_identifier) @name) @definition.field
(method_elem name: (field_identifier) @name) @definition.method
(const_spec name: (identifier) @name) @definition.constant
(var_spec name: (identifier) @name value: (expression_list . (func_literal body: (_) @body) .)) @definition.function
(var_spec name: (identifier) @name) @definition.variable

(type_declaration "type" @attribute)
(const_declaration "const" @attribute)
(var_declaration "var" @attribute)
(comment) @comment

(func_literal) @closed
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local.type)
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))
(label_name) @ignore
(package_clause (package_identifier) @ignore)

(import_spec path: (_) @import)

(identifier) @reference
(type_identifier) @reference
(field_identifier) @reference
(package_identifier) @reference
