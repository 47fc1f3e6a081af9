; CSS. Each selector of a rule, animations, and properties of one's own.

(rule_set (selectors (_) @name) (block) @body) @definition.other
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.other
((declaration (property_name) @name) @definition.variable (#match? @name "^--"))

(comment) @comment

(import_statement (string_value) @import)
(import_statement (call_expression (arguments (string_value) @import)))

((plain_value) @reference (#match? @reference "^--"))
