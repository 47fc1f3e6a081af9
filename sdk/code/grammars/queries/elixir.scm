; Elixir. Everything is a call: `defmodule`, `def` and the like say what is defined.

((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @definition.module
  (#eq? @_def "defmodule"))
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @definition.interface
  (#eq? @_def "defprotocol"))
((call target: (identifier) @_def (arguments (keywords (pair value: (alias) @name)))) @definition.other @scope (#eq? @_def "defimpl"))
((call target: (identifier) @_def (arguments . (call target: (identifier) @name)) (do_block) @body)
  @definition.function (#any-of? @_def "def" "defp"))
((call target: (identifier) @_def (arguments . (call target: (identifier) @name))) @definition.function
  (#any-of? @_def "def" "defp" "defdelegate"))
((call target: (identifier) @_def
  (arguments . (binary_operator left: (call target: (identifier) @name))) (do_block) @body)
  @definition.function (#any-of? @_def "def" "defp"))
((call target: (identifier) @_def (arguments . (binary_operator left: (call target: (identifier) @name))))
  @definition.function (#any-of? @_def "def" "defp"))
((call target: (identifier) @_def (arguments . (identifier) @name)) @definition.function (#any-of? @_def "def" "defp"))
((call target: (identifier) @_def (arguments . (call target: (identifier) @name)) (do_block) @body)
  @definition.macro (#any-of? @_def "defmacro" "defmacrop"))
((call target: (identifier) @_def (arguments . (call target: (identifier) @name)))
  @definition.macro (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp"))
((call target: (identifier) @_def (arguments . (binary_operator left: (call target: (identifier) @name))))
  @definition.macro (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp"))
((unary_operator operand: (call target: (identifier) @_type (arguments (binary_operator left: (identifier) @name))))
  @definition.type (#any-of? @_type "type" "typep" "opaque"))
((unary_operator operand: (call
  target: (identifier) @_type
  (arguments (binary_operator left: (call target: (identifier) @name)))))
  @definition.type (#any-of? @_type "type" "typep" "opaque"))
((unary_operator operand: (call
  target: (identifier) @_type
  (arguments (binary_operator left: (call target: (identifier) @name)))))
  @definition.method (#any-of? @_type "callback" "macrocallback"))
((do_block (unary_operator operand: (call target: (identifier) @name (arguments))) @definition.constant)
  (#not-any-of? @name "after_compile" "before_compile" "behaviour" "callback" "compile" "deprecated" "derive"
    "dialyzer" "doc" "enforce_keys" "external_resource" "impl" "macrocallback" "moduledoc" "moduletag" "on_load"
    "opaque" "optional_callbacks" "spec" "tag" "type" "typedoc" "typep"))

((call target: (identifier) @private) (#any-of? @private "defp" "defmacrop" "defguardp"))
((unary_operator operand: (call target: (identifier) @private)) (#eq? @private "typep"))

((unary_operator operand: (call target: (identifier) @_doc)) @comment (#any-of? @_doc "doc" "typedoc"))
((unary_operator operand: (call target: (identifier) @_spec)) @attribute
  (#any-of? @_spec "deprecated" "impl" "spec" "tag"))
((do_block (unary_operator operand: (call target: (identifier) @_doc (arguments (string (quoted_content) @doc)))))
  (#eq? @_doc "moduledoc"))
(comment) @comment

(anonymous_function) @closed
(arguments (call target: (identifier) (arguments (identifier) @local)))
(binary_operator left: (identifier) @local operator: "=")

((call target: (identifier) @_import (arguments . [(alias) (dot)] @import))
  (#any-of? @_import "alias" "import" "require" "use"))

(identifier) @reference
(alias) @reference
