; Solidity. A function says who may call it behind its name.

(contract_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(library_declaration name: (identifier) @name) @definition.module
(struct_declaration name: (identifier) @name) @definition.struct
(struct_member name: (identifier) @name) @definition.field
(enum_declaration name: (identifier) @name) @definition.enum
(enum_body (enum_value) @name @definition.variant)
(event_definition name: (identifier) @name) @definition.other
(error_declaration name: (identifier) @name) @definition.other
(modifier_definition name: (identifier) @name) @definition.method
(constructor_definition "constructor" @name) @definition.constructor
(function_definition name: (identifier) @name) @definition.function
(state_variable_declaration name: (identifier) @name) @definition.field
(constant_variable_declaration name: (identifier) @name) @definition.constant

((state_variable_declaration (visibility) @private) (#eq? @private "private"))
((state_variable_declaration (visibility) @restricted) (#eq? @restricted "internal"))
(comment) @comment

(parameter name: (identifier) @local)
(event_parameter name: (identifier) @local)
(variable_declaration name: (identifier) @local)

(import_directive source: (_) @import)

(identifier) @reference
