; HCL: Terraform and its like. A block is called by its labels.

(config_file (body (block
  . (identifier)
  . (string_lit (template_literal) @owner)
  . (string_lit (template_literal) @name)
  . (block_start) @body) @definition.other))
((config_file (body (block
  . (identifier) @_module
  . (string_lit (template_literal) @name)
  . (block_start) @body) @definition.module))
  (#eq? @_module "module"))
((config_file (body (block
  . (identifier) @_variable
  . (string_lit (template_literal) @name)
  . (block_start) @body) @definition.variable))
  (#any-of? @_variable "variable" "output"))
(config_file (body (block . (identifier) . (string_lit (template_literal) @name) . (block_start) @body)
  @definition.other))
((config_file (body (block . (identifier) @_locals (body (attribute (identifier) @name) @definition.constant))))
  (#eq? @_locals "locals"))
(config_file (body (attribute (identifier) @name) @definition.variable))

(comment) @comment

((attribute (identifier) @_source (expression (literal_value (string_lit (template_literal) @import))))
  (#eq? @_source "source"))

(variable_expr (identifier) @reference)
(get_attr (identifier) @reference)
(function_call (identifier) @reference)
