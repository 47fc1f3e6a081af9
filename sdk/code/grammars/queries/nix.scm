; Nix. What an attribute set binds.

(binding attrpath: (attrpath) @name expression: (function_expression body: (_) @body)) @definition.function
(binding attrpath: (attrpath) @name expression: [
  (attrset_expression) (rec_attrset_expression) (let_attrset_expression)
] @body) @definition.module
(binding attrpath: (attrpath) @name) @definition.field

(comment) @comment

(formal name: (identifier) @local)
(function_expression universal: (identifier) @local)

(path_expression) @import
(spath_expression) @import

(variable_expression name: (identifier) @reference)
(select_expression attrpath: (attrpath attr: (identifier) @reference))
(inherited_attrs attr: (identifier) @reference)
