; SQL. What `create` makes; columns belong to their table.

(create_table
  (object_reference schema: (identifier) @owner name: (_) @name)
  (column_definitions) @body) @definition.struct
(create_table (object_reference name: (_) @name) (column_definitions) @body) @definition.struct
(create_table (object_reference name: (_) @name)) @definition.struct
(create_table (column_definitions (column_definition name: (_) @name) @definition.field))
(create_view
  (object_reference schema: (identifier) @owner name: (_) @name)
  (create_query) @body) @definition.other
(create_view (object_reference name: (_) @name) (create_query) @body) @definition.other
(create_materialized_view
  (object_reference schema: (identifier) @owner name: (_) @name)
  (create_query) @body) @definition.other
(create_materialized_view (object_reference name: (_) @name) (create_query) @body) @definition.other
(create_function
  (object_reference schema: (identifier) @owner name: (identifier) @name)
  (function_body) @body) @definition.function
(create_function (object_reference name: (identifier) @name) (function_body) @body) @definition.function
(create_trigger (keyword_trigger) . (object_reference name: (identifier) @name)) @definition.function
(create_type (object_reference schema: (identifier) @owner name: (identifier) @name)) @definition.type
(create_type (object_reference name: (identifier) @name)) @definition.type
(create_index column: (identifier) @name) @definition.other
(create_sequence (object_reference name: (identifier) @name)) @definition.other
(create_schema (identifier) @name) @definition.module
(create_database (identifier) @name) @definition.module

(comment) @comment
(marginalia) @comment

(function_argument (identifier) @local.type)
(relation alias: (identifier) @local.type)

(object_reference name: (identifier) @reference)
(field name: (identifier) @reference)
(index_fields (field column: (identifier) @reference))
