; Make. Targets, and what they are made of.

((rule (targets (word) @name) (recipe) @body) @definition.other (#not-match? @name "^\\.[A-Z]"))
((rule (targets (word) @name)) @definition.other (#not-match? @name "^\\.[A-Z]"))
(variable_assignment name: (word) @name) @definition.variable
(define_directive name: (word) @name value: (_) @body) @definition.macro

(comment) @comment

(include_directive filenames: (list (word) @import))

(prerequisites (word) @reference)
(variable_reference (word) @reference)
