; Kotlin. Annotations and modifiers are part of the definition; an extension belongs to its receiver.

(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name (enum_class_body) @body) @definition.enum
(class_declaration "interface" name: (identifier) @name (class_body) @body) @definition.interface
(class_declaration "interface" name: (identifier) @name) @definition.interface
(class_declaration name: (identifier) @name (class_body) @body) @definition.class
(class_declaration name: (identifier) @name) @definition.class
(object_declaration name: (identifier) @name (class_body) @body) @definition.class
(object_declaration name: (identifier) @name) @definition.class
(enum_entry . (identifier) @name) @definition.variant
(type_alias type: (identifier) @name) @definition.type
(function_declaration (user_type . (identifier) @owner) name: (identifier) @name (function_body) @body) @definition.function
(function_declaration (user_type . (identifier) @owner) name: (identifier) @name) @definition.function
(function_declaration name: (identifier) @name (function_body) @body) @definition.function
(function_declaration name: (identifier) @name) @definition.function
(secondary_constructor "constructor" @name (block) @body) @definition.constructor
(secondary_constructor "constructor" @name) @definition.constructor

(class_parameter "val" (identifier) @name) @definition.field
(class_parameter "var" (identifier) @name) @definition.field
(class_parameter (identifier) @ignore)
(property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @definition.constant
(class_body (property_declaration (variable_declaration . (identifier) @name) (getter) @body) @definition.field)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.field)
(source_file (property_declaration (variable_declaration . (identifier) @name) (lambda_literal) @body) @definition.function)
(property_declaration (variable_declaration . (identifier) @name)) @definition.variable

(visibility_modifier "public") @public
(visibility_modifier "internal") @restricted
(visibility_modifier "protected") @restricted
(visibility_modifier "private") @private
(line_comment) @comment
(block_comment) @comment

(lambda_literal) @closed
(anonymous_function) @closed
(parameter . (identifier) @local)
(variable_declaration . (identifier) @local)
(catch_block . (identifier) @local)
(type_parameter . (identifier) @local.type)
(value_argument . (identifier) @ignore "=")
(label) @ignore
(package_header (qualified_identifier) @ignore)

(import (qualified_identifier) @import)
(import (identifier) @ignore)

(identifier) @reference
