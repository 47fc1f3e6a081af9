; Protocol Buffers.

(message (message_name (identifier) @name) (message_body) @body) @definition.struct
(enum (enum_name (identifier) @name) (enum_body) @body) @definition.enum
(enum_field . (identifier) @name) @definition.variant
(service (service_name (identifier) @name) "{" @body) @definition.interface
(rpc (rpc_name (identifier) @name)) @definition.method
(field (type) . (identifier) @name) @definition.field
(oneof_field (type) . (identifier) @name) @definition.field
(map_field (type) . (identifier) @name) @definition.field
(oneof . (identifier) @name "{" @body) @definition.union

(comment) @comment

(import path: (_) @import)

(message_or_enum_type (identifier) @reference)
