//! Languages whose definitions end with a sign.

use super::super::family::{C_TEXT, End, Family, HASH_TEXT, Lexis, Visible, import, item, leaf};
use crate::symbols::Kind::*;

pub(super) const FAMILIES: &[Family] = &[
    Family {
        languages: &["answer-set-programming", "eclipse", "logtalk", "mercury", "prolog"],
        lexis: Lexis { line: &["%"], quotes: b"\"'", long_quotes: b"'", letters: false, ..C_TEXT },
        patterns: &[&[
            leaf(Module, r"^:-\s*(?:module|object|protocol|category)\(\s*(?<name>[\w:]+)"),
            leaf(Module, r"^:-\s*module\s+(?<name>[\w.]+)"),
            leaf(Function, r"^:-\s*(?:func|pred)\s+(?<name>\w+)"),
            leaf(TypeAlias, r"^:-\s*type\s+(?<name>\w+)"),
            import(
                r"^:-\s*(?:use_module|ensure_loaded|consult|include)\(\s*(?:library\(\s*)?(?<from>[\w/.]+)",
            ),
            import(r"^:-\s*import_module\s+(?<from>[\w.]+)"),
            item(Function, r"^(?<name>[a-z]\w*|'[^']*')\s*(?:\([^)].*)?(?::-|-->|\.\s*$)").bare(),
            item(Function, r"^(?<name>[a-z]\w*)\([^.]*$").bare(),
        ]],
        end: End::Terminator("."),
        clauses: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["erlang"],
        lexis: Lexis {
            line: &["%"],
            block: &[],
            quotes: b"\"'",
            long_quotes: b"\"",
            letters: false,
            ..C_TEXT
        },
        patterns: &[&[
            leaf(Module, r"^-module\(\s*(?<name>\w+)"),
            item(Struct, r"^-record\(\s*(?<name>\w+)"),
            item(Macro, r"^-define\(\s*(?<name>\w+)"),
            item(TypeAlias, r"^-(?:type|opaque)\s+(?<name>\w+)"),
            import(r#"^-(?:include|include_lib)\(\s*"(?<from>[^"]*)""#),
            import(r"^-(?:import|behaviou?r)\(\s*(?<from>\w+)"),
            item(Function, r"^(?<name>[a-z]\w*|'[^']*')\s*\("),
        ]],
        end: End::Terminator("."),
        attributes: &["-spec", "-doc"],
        clauses: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["hiveql", "plpgsql", "plsql", "sql", "sqlpl", "surrealql", "tsql"],
        lexis: Lexis {
            line: &["--"],
            opaque: &[("$$", "$$")],
            quotes: b"'",
            backslash: false,
            long_quotes: b"'",
            ..C_TEXT
        },
        patterns: &[&[
            item(
                Struct,
                r#"create\s+(?:\w+\s+)*?table\s+(?:if\s+not\s+exists\s+)?(?:(?<owner>[\w"`\[\]]+)\.)?["`\[]?(?<name>\w+)"#,
            ),
            item(
                Other,
                r#"create\s+(?:or\s+\w+\s+)?(?:\w+\s+)*?view\s+(?:if\s+not\s+exists\s+)?(?:(?<owner>[\w"`\[\]]+)\.)?["`\[]?(?<name>\w+)"#,
            ),
            item(
                Function,
                r#"(?:create|alter)\s+(?:or\s+\w+\s+)?(?:\w+\s+)*?(?:function|procedure|proc|trigger)\s+(?:if\s+not\s+exists\s+)?(?:(?<owner>[\w"`\[\]]+)\.)?["`\[]?(?<name>\w+)"#,
            ),
            item(
                Module,
                r#"create\s+(?:or\s+\w+\s+)?(?:package\s+body|package|schema|database)\s+(?:if\s+not\s+exists\s+)?["`\[]?(?<name>[\w.]+)"#,
            ),
            item(
                TypeAlias,
                r#"create\s+(?:or\s+\w+\s+)?(?:type|domain)\s+(?:(?<owner>[\w"]+)\.)?"?(?<name>\w+)"#,
            ),
            item(
                Other,
                r#"create\s+(?:\w+\s+)*?(?:index|sequence|policy|role|extension)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?["`\[]?(?<name>\w+)"#,
            ),
        ]],
        end: End::Terminator(";"),
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["factor", "forth"],
        lexis: Lexis {
            line: &["\\ ", "! "],
            block: &[("( ", ")")],
            quotes: b"",
            letters: false,
            backslash: false,
            ..C_TEXT
        },
        patterns: &[&[
            item(Function, r":{1,2}\s+(?<name>\S+)"),
            leaf(Variable, r"(?i:variable|value|create|2variable|symbol:)\s+(?<name>\S+)"),
            leaf(Constant, r"(?:\S+\s+)?(?i:constant|constant:)\s+(?<name>\S+)"),
            item(Struct, r"(?:TUPLE|UNION):\s+(?<name>\S+)"),
            leaf(Module, r"IN:\s+(?<name>\S+)"),
            import(r"(?i:require|include|needs|use:|using:)\s+(?<from>\S+)"),
        ]],
        end: End::Terminator(";"),
        closed: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["antlr", "ebnf", "jq", "peg-js"],
        lexis: Lexis { line: &["//", "#"], quotes: b"\"'", letters: false, ..C_TEXT },
        patterns: &[&[
            leaf(Module, r"(?:lexer\s+|parser\s+)?grammar\s+(?<name>\w+)"),
            item(Function, r"def\s+(?<name>\w+)"),
            item(Other, r"^(?:fragment\s+)?(?<name>[A-Za-z_]\w*)\s*(?::|=|$)"),
            import(r#"(?:import|include)\s+"?(?<from>[\w./]+)"#),
        ]],
        end: End::Terminator(";"),
        visible: Visible::Plain,
        ..Family::PLAIN
    },
    Family {
        languages: &["coq"],
        lexis: Lexis { line: &[], block: &[("(*", "*)")], quotes: b"\"", ..HASH_TEXT },
        patterns: &[&[
            item(
                Function,
                r"(?:(?:Local|Global|Program|Polymorphic|#\[[^\]]*\])\s+)*(?:Theorem|Lemma|Corollary|Proposition|Fact|Remark|Example|Definition|Fixpoint|CoFixpoint|Instance|Function|Equations)\s+(?<name>[\w']+)",
            ),
            item(Struct, r"(?:Inductive|CoInductive|Record|Structure|Variant)\s+(?<name>[\w']+)"),
            item(Trait, r"Class\s+(?<name>[\w']+)"),
            item(Macro, r"(?:Ltac2?|Notation|Tactic\s+Notation)\s+(?<name>[\w']+)"),
            item(Constant, r"(?:Axiom|Parameter|Variable|Hypothesis|Context)s?\s+(?<name>[\w']+)"),
            leaf(Module, r"(?:Module|Section)\s+(?:Type\s+|Import\s+|Export\s+)?(?<name>[\w']+)"),
            import(r"(?:From\s+\S+\s+)?Require\s+(?:Import\s+|Export\s+)?(?<from>[\w.]+)"),
        ]],
        // A proof goes on until something else is stated.
        end: End::Next,
        ..Family::PLAIN
    },
];
