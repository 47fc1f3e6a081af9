; Erlang. The clauses of a function are one definition.

(module_attribute name: (atom) @name) @definition.module
(record_decl name: (atom) @name) @definition.struct
(record_decl fields: (record_field name: (atom) @name) @definition.field)
(pp_define lhs: (macro_lhs name: (_) @name)) @definition.macro
(type_alias name: (type_name name: (atom) @name)) @definition.type
(opaque name: (type_name name: (atom) @name)) @definition.type
(callback fun: (atom) @name) @definition.method
(fun_decl clause: (function_clause name: (atom) @name body: (_) @body)) @definition.function

(export_attribute funs: (fa fun: (atom) @export.only))
(spec) @attribute
(comment) @comment

(pp_include file: (_) @import)
(pp_include_lib file: (_) @import)
(import_attribute module: (atom) @import)
(behaviour_attribute name: (atom) @import)

(call expr: (atom) @reference)
(remote_module module: (atom) @reference)
(record_name name: (atom) @reference)
(macro_call_expr name: (_) @reference)
