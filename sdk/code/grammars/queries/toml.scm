; TOML. Tables and their keys.

(table . (_) @name . (pair) @body) @definition.module
(table . (_) @name) @definition.module
(table_array_element . (_) @name . (pair) @body) @definition.module
(table_array_element . (_) @name) @definition.module
(document (pair . (_) @name) @definition.field)
(table (pair . (_) @name) @definition.field)
(table_array_element (pair . (_) @name) @definition.field)

(comment) @comment
