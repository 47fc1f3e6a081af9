//! Languages whose bodies stand further in.

use super::super::family::{C_TEXT, End, Family, HASH_TEXT, Lexis, Visible, import, item, leaf};
use crate::symbols::Kind::*;

const ML_TEXT: Lexis = Lexis { line: &[], block: &[("(*", "*)")], ..C_TEXT };
const HASKELL_TEXT: Lexis = Lexis { line: &["--"], block: &[("{-", "-}")], ..C_TEXT };

pub(super) const FAMILIES: &[Family] = &[
    Family {
        languages: &[
            "boo",
            "cython",
            "gdscript",
            "genie",
            "jac",
            "mojo",
            "python",
            "renpy",
            "sage",
            "snakemake",
            "starlark",
            "vyper",
            "xonsh",
        ],
        lexis: Lexis { triple: true, ..HASH_TEXT },
        patterns: &[&[
            item(
                Function,
                r"(?:async\s+|static\s+|export\s+|remote\s+)*(?:def|fn|func|cpdef|cdef|can|macro)\s+(?:[\w*\[\], ]+\s[*]*)?(?<name>\w+)\s*[\[(]",
            ),
            item(Class, r"(?:cdef\s+|public\s+)*(?:class|obj|node|walker)\s+(?<name>\w+)"),
            item(Struct, r"(?:cdef\s+)?(?:struct|trait)\s+(?<name>\w+)"),
            item(Enum, r"enum\s+(?<name>\w+)"),
            leaf(Class, r"^class_name\s+(?<name>\w+)"),
            item(Other, r"(?:rule|checkpoint|label|screen)\s+(?<name>\w+)"),
            leaf(Other, r"signal\s+(?<name>\w+)"),
            import(r"from\s+(?<from>[\w.]+)"),
            import(r"c?import\s+(?<from>[\w.]+(?:\s*,\s*[\w.]+)*)"),
            import(r#"load\(\s*"(?<from>[^"]*)""#),
            leaf(Constant, r"^(?:const\s+)?(?<name>[A-Z][A-Z0-9_]*)\s*(?::[^=]*)?=[^=]").bare(),
            leaf(Variable, r"^(?:(?:@\w+(?:\([^)]*\))?\s+)*var\s+)?(?<name>\w+)\s*(?::[^=]*)?=[^=]").bare(),
        ]],
        end: End::Indentation,
        visible: Visible::Plain,
        attributes: &["@"],
        docstring: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["nim"],
        lexis: Lexis { block: &[("#[", "]#")], triple: true, quotes: b"\"", letters: true, ..HASH_TEXT },
        patterns: &[&[
            item(
                Function,
                r"(?:proc|func|iterator|converter)\s+`?(?<name>[\w=+*/<>\[\]$&-]+?)`?(?<public>\*)?\s*(?:[\[({:=]|$)",
            ),
            item(Method, r"method\s+`?(?<name>\w+)`?(?<public>\*)?"),
            item(Macro, r"(?:macro|template)\s+`?(?<name>\w+)`?(?<public>\*)?"),
            item(Enum, r"(?:type\s+)?(?<name>\w+)(?<public>\*)?(?:\s*\{\.[^}]*\})?\s*=\s*enum\b"),
            item(
                Struct,
                r"(?:type\s+)?(?<name>\w+)(?<public>\*)?(?:\[[^\]]*\])?(?:\s*\{\.[^}]*\})?\s*=\s*(?:ref\s+|ptr\s+)?(?:object|tuple)\b",
            ),
            leaf(
                TypeAlias,
                r"(?:type\s+)?(?<name>[A-Z]\w*)(?<public>\*)?\s*=\s*(?:distinct|concept|ref|ptr|seq|array|set|proc)\b",
            ),
            leaf(Constant, r"const\s+(?<name>\w+)(?<public>\*)?"),
            leaf(Variable, r"(?:var|let)\s+(?<name>\w+)(?<public>\*)?"),
            import(r"from\s+(?<from>[\w./]+)"),
            import(r"(?:import|include)\s+(?<from>[\w./]+(?:\s*,\s*[\w./]+)*)"),
        ]],
        end: End::Indentation,
        visible: Visible::Nobody,
        docstring: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["coffeescript", "literate-coffeescript", "livescript", "moonscript", "pogoscript"],
        lexis: Lexis {
            line: &["#", "--"],
            block: &[("###", "###")],
            triple: true,
            long_quotes: b"\"",
            ..C_TEXT
        },
        patterns: &[&[
            item(Class, r"(?:export\s+)?(?:default\s+)?class\s+(?:@)?(?<name>[\w.]+)"),
            item(
                Function,
                r"(?:(?:export\s|exports\.|module\.exports\.|window\.)\s*)?(?:(?<owner>[\w.]+)(?:::|\.))?@?(?<name>[\w$]+)\s*[=:]\s*(?:\([^)]*\)\s*)?[-~!]?[-=]>",
            ),
            import(r#"(?:\w+\s*=\s*)?require\s*\(?\s*["'](?<from>[^"']*)["']"#),
            leaf(Constant, r"^(?<name>[A-Z][A-Z0-9_]*)\s*=[^=]"),
        ]],
        end: End::Indentation,
        closed: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["fsharp", "fstar"],
        lexis: Lexis { line: &["//"], triple: true, ..ML_TEXT },
        patterns: &[&[
            item(
                Module,
                r"module\s+(?:rec\s+|(?<private>private)\s+|internal\s+|public\s+)*(?<name>[\w.`]+)\s*=",
            ),
            leaf(
                Module,
                r"(?:module|namespace)\s+(?:rec\s+|internal\s+|public\s+|global)*\s*(?<name>[\w.]+)",
            ),
            item(
                Function,
                r"let\s+(?:rec\s+|inline\s+|mutable\s+|(?<private>private)\s+|internal\s+|public\s+)*(?<name>\w+|``[^`]+``)\s+(?:[\w(_\[{'&~]|\(\))",
            ).bare(),
            item(
                Variable,
                r"let\s+(?:rec\s+|inline\s+|mutable\s+|(?<private>private)\s+|internal\s+)*(?<name>\w+|``[^`]+``)\s*(?::[^=]*)?=",
            ).bare(),
            item(
                TypeAlias,
                r"(?:type|and)\s+(?:(?<private>private)\s+|internal\s+|public\s+)*(?<name>\w+)\b[^=]*=\s*\w[\w.<>, ]*$",
            ),
            item(Class, r"(?:type|and)\s+(?:(?<private>private)\s+|internal\s+|public\s+)*(?<name>\w+)"),
            item(
                Method,
                r"(?:static\s+)?(?:abstract\s+)?(?:member|override|default|abstract)\s+(?:(?<private>private)\s+|internal\s+|inline\s+|val\s+)*(?:[\w_]+\.)?(?<name>\w+)",
            ),
            leaf(Variant, r"\|\s*(?<name>[A-Z]\w*)\s*(?:of\b[^>]*)?$"),
            import(r"open\s+(?<from>[\w.]+)"),
        ]],
        end: End::Indentation,
        attributes: &["[<"],
        closed: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["cameligo", "ligolang", "ocaml", "reasonligo", "standard-ml", "urweb"],
        lexis: ML_TEXT,
        patterns: &[&[
            item(Interface, r"module\s+type\s+(?<name>\w+)"),
            item(Module, r"(?:module|structure|functor)\s+(?:rec\s+)?(?<name>\w+)"),
            leaf(Field, r"val\s+mutable\s+(?<name>[\w']+)"),
            item(Struct, r"(?:type|and)\s+(?:\([^)]*\)\s*|[+-]?'\w+\s+)*(?<name>[\w']+)\s*=\s*(?:private\s+)?\{"),
            item(Enum, r"(?:type|and)\s+(?:\([^)]*\)\s*|[+-]?'\w+\s+)*(?<name>[\w']+)\s*=\s*(?:\||[A-Z]\w*\s*(?:of\b|\||$))"),
            item(Interface, r"signature\s+(?<name>\w+)"),
            item(Function, r"(?:let|and)\s+(?:rec\s+|inline\s+)*(?<name>[\w']+)\s+[\w(~?_{\[]").bare(),
            item(Variable, r"(?:let|and)\s+(?:rec\s+)?(?<name>[\w']+)\s*(?::[^=]*)?=").bare(),
            item(Function, r"(?:fun|method|and)\s+(?:!\s*|(?<private>private)\s+|virtual\s+)*(?<name>[\w']+)"),
            leaf(Function, r"(?:val|external)\s+(?:mutable\s+)?(?<name>[\w']+)"),
            item(
                TypeAlias,
                r"(?:type|datatype|eqtype|nonrec)\s+(?:nonrec\s+)?(?:\([^)]*\)\s*|[+-]?'\w+\s+)*(?<name>[\w']+)",
            ),
            item(Class, r"class\s+(?:virtual\s+|type\s+)*(?:\[[^\]]*\]\s*)?(?<name>\w+)"),
            leaf(Variant, r"exception\s+(?<name>\w+)"),
            import(r"(?:open|include)!?\s+(?<from>[\w.]+)"),
        ]],
        end: End::Indentation,
        closed: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["agda", "curry", "elm", "frege", "haskell", "idris", "literate-haskell", "purescript"],
        lexis: HASKELL_TEXT,
        patterns: &[&[
            leaf(Module, r"(?:port\s+)?module\s+(?<name>[\w.]+)"),
            item(Struct, r"(?:newtype|data|record|type\s+data)\s+(?:\([^)]*\)\s*=>\s*)?(?<name>[A-Z]\w*)"),
            item(Trait, r"(?:class|interface)\s+(?:[^=]*=>\s*)?(?<name>[A-Z]\w*)"),
            item(Other, r"instance\s+(?:[^=]*=>\s*)?(?<name>[A-Z][^=]*?)\s+where"),
            item(TypeAlias, r"type\s+(?:alias\s+|family\s+|instance\s+)?(?<name>[A-Z]\w*)"),
            item(Function, r"(?:port\s+|foreign\s+import\s+)?(?<name>[a-z_][\w']*)\s*::?\s"),
            item(Function, r"^(?<name>[a-z_][\w']*)(?:\s+[^=|:]*)?\s*(?:=|\|)(?:[^=>]|$)").bare(),
            import(r"(?:open\s+)?import\s+(?:qualified\s+)?(?<from>[\w.]+)"),
        ]],
        end: End::Indentation,
        closed: true,
        clauses: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["lean", "lean-4"],
        lexis: Lexis { line: &["--"], block: &[("/-", "-/")], quotes: b"\"", ..C_TEXT },
        patterns: &[&[
            item(
                Function,
                r"(?:@\[[^\]]*\]\s*)?(?:(?<private>private)\s+|protected\s+|noncomputable\s+|partial\s+|unsafe\s+|scoped\s+)*(?:def|theorem|lemma|abbrev|opaque|axiom|instance)\s+(?<name>[\w.'«»]+)",
            ),
            item(Struct, r"(?:(?<private>private)\s+)?(?:structure|inductive)\s+(?<name>[\w.']+)"),
            item(Trait, r"class\s+(?:inductive\s+)?(?<name>[\w.']+)"),
            leaf(Module, r"namespace\s+(?<name>[\w.']+)"),
            item(Macro, r"(?:syntax|macro|notation|elab)\s+(?<name>\w+)"),
            import(r"(?:import|open)\s+(?<from>[\w.]+)"),
        ]],
        end: End::Indentation,
        attributes: &["@["],
        ..Family::PLAIN
    },
    Family {
        languages: &["pony"],
        lexis: Lexis { triple: true, ..C_TEXT },
        patterns: &[&[
            item(Class, r"(?:class|actor|struct)\s+(?:iso\s+|val\s+|ref\s+)?(?<name>\w+)"),
            item(Interface, r"(?:interface|trait)\s+(?:\w+\s+)?(?<name>[A-Z_]\w*)"),
            item(Module, r"primitive\s+(?<name>\w+)"),
            leaf(TypeAlias, r"type\s+(?<name>\w+)"),
            item(Constructor, r"new\s+(?:\w+\s+)?(?<name>\w+)\s*\("),
            item(Function, r"(?:fun|be)\s+(?:\w+\s+)?(?<name>\w+)\s*\("),
            leaf(Field, r"(?:let|var|embed)\s+(?<name>\w+)\s*:"),
            import(r#"use\s+(?:\w+\s*=\s*)?"(?<from>[^"]*)""#),
        ]],
        end: End::Indentation,
        visible: Visible::Plain,
        docstring: true,
        ..Family::PLAIN
    },
    // A grammar's state for deep indentation would be larger than the parser has room for, so YAML has none.
    Family {
        languages: &["yaml"],
        lexis: Lexis { backslash: false, quotes: b"", ..HASH_TEXT },
        patterns: &[&[item(Field, r#"(?<name>"[^"]*"|'[^']*'|[\w./$][^\s:#]*(?: [^\s:#]+)*)\s*:(?:\s|$)"#)]],
        end: End::Indentation,
        levels: 2,
        ..Family::PLAIN
    },
    Family {
        languages: &["gherkin"],
        lexis: HASH_TEXT,
        patterns: &[&[
            item(Other, r"Feature:\s*(?<name>.+)"),
            item(Other, r"(?:Scenario(?: Outline| Template)?|Background|Rule|Example):\s*(?<name>.+)"),
        ]],
        end: End::Indentation,
        attributes: &["@"],
        ..Family::PLAIN
    },
    Family {
        languages: &["just", "makefile"],
        lexis: Lexis { quotes: b"", ..HASH_TEXT },
        patterns: &[&[
            item(Macro, r"^define\s+(?<name>[\w.-]+)"),
            import(r"^-?s?include\s+(?<from>\S+)"),
            leaf(Variable, r"^(?:export\s+|override\s+)*(?<name>[\w.-]+)\s*(?::{0,3}|[?+!])="),
            item(Other, r"^@?(?<name>[\w./%$(){}-]+)(?:\s+[\w./%$(){}*=' -]*)?\s*::?(?:[^=]|$)"),
        ]],
        end: End::Indentation,
        ..Family::PLAIN
    },
];
