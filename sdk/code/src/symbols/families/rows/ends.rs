//! Languages whose bodies end with a word.

use super::super::family::{C_TEXT, End, Family, HASH_TEXT, Lexis, Visible, import, item, leaf};
use crate::symbols::Kind::*;

const QUOTED_TWICE: Lexis = Lexis { backslash: false, quotes: b"\"'", letters: false, ..C_TEXT };

pub(super) const FAMILIES: &[Family] = &[
    Family {
        languages: &["crystal", "mirah", "ruby"],
        lexis: Lexis { block: &[("\n=begin", "\n=end")], long_quotes: b"\"", ..HASH_TEXT },
        patterns: &[&[
            leaf(Function, r"abstract\s+def\s+(?<name>\w+[?!=]?)"),
            item(
                Function,
                r"(?:(?<private>private|protected)\s+)?def\s+(?:self\.|(?<owner>[\w:]+)\.)?(?<name>\w+[?!=]?|[^\w\s(]+)",
            ),
            item(Macro, r"(?:private\s+)?macro\s+(?<name>\w+[?!]?)"),
            item(Class, r"(?:(?<private>private)\s+)?(?:abstract\s+)?class\s+(?<name>[A-Z][\w:]*)"),
            item(Struct, r"(?:(?<private>private)\s+)?(?:abstract\s+)?struct\s+(?<name>[A-Z][\w:]*)"),
            item(Enum, r"(?:private\s+)?enum\s+(?<name>[A-Z]\w*)"),
            item(Module, r"(?:private\s+)?(?:module|lib|annotation)\s+(?<name>[A-Z][\w:]*)"),
            leaf(TypeAlias, r"alias\s+(?<name>[A-Z]\w*)"),
            leaf(Function, r"fun\s+(?<name>\w+)"),
            leaf(Field, r"(?:class_)?(?:property|getter|setter|attr_\w+)[?!]?\s+:?(?<name>\w+)"),
            leaf(Constant, r"(?<name>[A-Z]\w*)\s*=[^=~]"),
            import(r#"(?:require|require_relative|load)\s*\(?["'](?<from>[^"']*)["']"#),
        ]],
        end: End::Keyword(r"end\b"),
        attributes: &["@["],
        ..Family::PLAIN
    },
    Family {
        languages: &["elixir"],
        lexis: Lexis { triple: true, ..HASH_TEXT },
        patterns: &[&[
            item(Module, r"(?:defmodule|defprotocol|defimpl)\s+(?<name>[\w.]+)"),
            leaf(Function, r"(?:def|(?<private>defp))\s+(?<name>\w+[?!]?).*,\s*do:"),
            item(Function, r"(?:def|(?<private>defp))\s+(?<name>\w+[?!]?)"),
            item(Macro, r"(?:defmacro|defguard|(?<private>defmacrop|defguardp))\s+(?<name>\w+[?!]?)"),
            import(r"(?:alias|import|use|require)\s+(?<from>[\w.]+)"),
        ]],
        end: End::Keyword(r"end\b"),
        clauses: true,
        attributes: &["@spec", "@impl"],
        ..Family::PLAIN
    },
    Family {
        languages: &["lua", "luau", "teal", "terra"],
        lexis: Lexis { line: &["--"], block: &[("--[[", "]]"), ("--[=[", "]=]")], ..HASH_TEXT },
        patterns: &[&[
            item(
                Function,
                r"(?<private>local\s+)?(?:function|terra)\s+(?:(?<owner>[\w.]+)[.:])?(?<name>\w+)",
            ),
            item(Function, r"(?<private>local\s+)?(?:(?<owner>[\w.]+)[.:])?(?<name>\w+)\s*=\s*function\b"),
            leaf(TypeAlias, r"(?<public>export\s+)?type\s+(?<name>\w+)"),
            import(r#"(?:local\s+\w+\s*=\s*)?require\s*\(?\s*["'](?<from>[^"']*)["']"#),
            leaf(Variable, r"^(?<private>local\s+)?(?<name>\w+)\s*="),
        ]],
        end: End::Keyword(r"end\b"),
        closed: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["julia"],
        lexis: Lexis { block: &[("#=", "=#")], triple: true, quotes: b"\"", letters: true, ..HASH_TEXT },
        patterns: &[&[
            item(Function, r"(?:@\w+\s+)*function\s+(?:[\w.]+\.)?(?<name>\w+!?)"),
            item(Macro, r"macro\s+(?<name>\w+)"),
            item(Struct, r"(?:@\w+\s+)*(?:mutable\s+)?struct\s+(?<name>\w+)"),
            item(Module, r"(?:bare)?module\s+(?<name>\w+)"),
            leaf(TypeAlias, r"abstract\s+type\s+(?<name>\w+)"),
            leaf(Constant, r"const\s+(?<name>\w+)"),
            leaf(Function, r"^(?<name>\w+!?)\([^=]*\)(?:::\S+)?(?:\s+where\s[^=]*)?\s*=[^=]"),
            import(r"(?:using|import)\s+(?<from>[\w.]+)"),
        ]],
        end: End::Keyword(r"end\b"),
        visible: Visible::Plain,
        ..Family::PLAIN
    },
    Family {
        languages: &["matlab", "scilab"],
        lexis: Lexis {
            line: &["%", "//"],
            block: &[("%{", "%}")],
            backslash: false,
            quotes: b"\"",
            ..C_TEXT
        },
        patterns: &[&[
            item(Function, r"function\s+(?:[^=(]*=\s*)?(?<name>[\w.]+)"),
            item(Class, r"classdef\s*(?:\([^)]*\)\s*)?(?<name>\w+)"),
        ]],
        end: End::Keyword(r"end(?:function)?\b"),
        ..Family::PLAIN
    },
    Family {
        languages: &["fortran", "fortran-free-form"],
        lexis: Lexis { line: &["!"], line_at: &[(0, "C "), (0, "c "), (0, "*")], block: &[], ..QUOTED_TWICE },
        patterns: &[&[
            item(Module, r"(?:module|submodule\s*\([^)]*\))\s+(?<name>\w+)\s*$"),
            item(Module, r"program\s+(?<name>\w+)\s*$"),
            item(Function, r"(?:(?:pure|elemental|recursive|impure|module)\s+)*subroutine\s+(?<name>\w+)"),
            item(Function, r"(?:[\w*=(), ]+\s)?function\s+(?<name>\w+)\s*\("),
            item(Struct, r"type\s*(?:,[^:]*)?(?:::)?\s*(?<name>\w+)\s*$"),
            item(Interface, r"(?:abstract\s+)?interface\s+(?<name>\w+)\s*$"),
            leaf(Constant, r"[\w*=() ]+,\s*parameter\b[^:]*::\s*(?<name>\w+)"),
            leaf(Method, r"procedure\b[^:]*::\s*(?<name>\w+)"),
            import(r"use\b\s*(?:,[^:]*::)?\s*(?<from>\w+)"),
            import(r#"include\s+["'](?<from>[^"']*)["']"#),
        ]],
        end: End::Keyword(
            r"end\s*(?:(?:function|subroutine|module|submodule|program|type|interface|procedure)\b|$)",
        ),
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["ada"],
        lexis: Lexis { line: &["--"], block: &[], quotes: b"\"", letters: true, ..QUOTED_TWICE },
        patterns: &[&[
            leaf(Module, r"package\s+(?<name>[\w.]+)\s+is\s+new\b"),
            item(Module, r"(?:(?<private>private)\s+)?package\s+(?:body\s+)?(?<name>[\w.]+)"),
            leaf(
                Function,
                r#"(?:not\s+)?(?:overriding\s+)?(?:procedure|function)\s+(?<name>\w+|"[^"]*")[^;]*(?:\([^)]*\))?[^;]*;\s*$"#,
            ),
            item(
                Function,
                r#"(?:not\s+)?(?:overriding\s+)?(?:procedure|function|entry)\s+(?<name>\w+|"[^"]*")"#,
            ),
            item(Class, r"(?:task|protected)\s+(?:type\s+|body\s+)?(?<name>\w+)"),
            leaf(TypeAlias, r"(?:sub)?type\s+(?<name>\w+)[^;]*;"),
            item(Struct, r"type\s+(?<name>\w+)[^;]*\brecord\b"),
            item(TypeAlias, r"type\s+(?<name>\w+)"),
            leaf(Constant, r"(?<name>\w+)\s*:\s*constant\b"),
            import(r"(?:limited\s+)?(?:private\s+)?with\s+(?<from>[\w.]+)"),
        ]],
        end: End::Keyword(r"end\b"),
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["pascal"],
        lexis: Lexis { block: &[("{", "}"), ("(*", "*)")], quotes: b"'", ..QUOTED_TWICE },
        patterns: &[&[
            leaf(Module, r"(?:unit|program|library|package)\s+(?<name>[\w.]+)\s*;"),
            item(Constructor, r"(?:constructor|destructor)\s+(?:(?<owner>[\w.]+)\.)?(?<name>\w+)"),
            item(
                Function,
                r"(?:class\s+)?(?:procedure|function|operator)\s+(?:(?<owner>[\w.]+)\.)?(?<name>\w+)",
            ),
            leaf(Class, r"(?<name>\w+)(?:<[^>]*>)?\s*=\s*class\s*(?:\([^)]*\))?\s*;"),
            leaf(
                TypeAlias,
                r"(?<name>\w+)\s*=\s*(?:class\s+of\b|\(|\^|set\s+of|array\b|procedure\b|function\b|type\b)",
            ),
            item(Class, r"(?<name>\w+)(?:<[^>]*>)?\s*=\s*(?:class|object)\b"),
            item(Struct, r"(?<name>\w+)(?:<[^>]*>)?\s*=\s*(?:packed\s+)?record\b"),
            item(Interface, r"(?<name>\w+)(?:<[^>]*>)?\s*=\s*(?:disp)?interface\b"),
            leaf(Field, r"property\s+(?<name>\w+)"),
            import(r"uses\s+(?<from>[\w.]+(?:\s*,\s*[\w.]+)*)"),
        ]],
        end: End::Keyword(r"end\b"),
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["component-pascal", "modula-2", "modula-3", "oberon"],
        lexis: Lexis { line: &[], block: &[("(*", "*)")], ..QUOTED_TWICE },
        patterns: &[&[
            item(Module, r"(?:(?:IMPLEMENTATION|DEFINITION|UNSAFE)\s+)*(?:MODULE|INTERFACE)\s+(?<name>\w+)"),
            item(Function, r"PROCEDURE\s*(?:\([^)]*\)\s*)?\^?(?<name>\w+)(?<public>\*)?"),
            item(
                Struct,
                r"(?<name>\w+)\*?\s*=\s*(?:POINTER\s+TO\s+)?(?:ABSTRACT\s+|EXTENSIBLE\s+|LIMITED\s+)?(?:RECORD|OBJECT)\b",
            ),
            import(r"(?:FROM|IMPORT)\s+(?<from>\w+)"),
        ]],
        end: End::Keyword(r"END\b"),
        ..Family::PLAIN
    },
    Family {
        languages: &["vhdl"],
        lexis: Lexis { line: &["--"], quotes: b"\"", letters: true, ..QUOTED_TWICE },
        patterns: &[&[
            item(Module, r"(?:entity|configuration|context)\s+(?<name>\w+)\s"),
            item(Module, r"package\s+(?:body\s+)?(?<name>\w+)"),
            item(Other, r"architecture\s+(?<name>\w+)\s+of\s+(?<owner>\w+)"),
            item(Interface, r"component\s+(?<name>\w+)"),
            leaf(Function, r"(?:pure\s+|impure\s+)?(?:function|procedure)\s+(?<name>\w+).*;\s*$"),
            item(Function, r"(?:pure\s+|impure\s+)?(?:function|procedure)\s+(?<name>\w+)"),
            item(Other, r"(?<name>\w+)\s*:\s*(?:postponed\s+)?process\b"),
            item(Struct, r"type\s+(?<name>\w+)\s+is\s+record\b"),
            leaf(TypeAlias, r"(?:sub)?type\s+(?<name>\w+)"),
            leaf(Constant, r"constant\s+(?<name>\w+)"),
            leaf(Variable, r"(?:signal|shared\s+variable)\s+(?<name>\w+)"),
            import(r"use\s+(?<from>[\w.]+)"),
        ]],
        end: End::Keyword(r"end\b"),
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["systemverilog", "verilog"],
        lexis: Lexis { letters: false, ..C_TEXT },
        patterns: &[&[
            leaf(Macro, r"`define\s+(?<name>\w+)"),
            item(
                Module,
                r"(?:module|macromodule|package|program|primitive)\s+(?:static\s+|automatic\s+)?(?<name>\w+)",
            ),
            item(Interface, r"interface\s+(?:class\s+)?(?<name>\w+)"),
            item(Class, r"(?:virtual\s+)?class\s+(?<name>\w+)"),
            leaf(
                Function,
                r"(?:extern|pure|import)\s+(?:\w+\s+)*(?:function|task)\s+(?:[\w:\[\]$]+\s+)*(?<name>\w+)",
            ),
            item(Constructor, r"(?:\w+\s+)*function\s+(?:(?<owner>\w+)::)?(?<name>new)\b"),
            item(
                Function,
                r"(?:(?<private>local|protected)\s+)?(?:(?:virtual|static)\s+)*(?:function|task)\s+(?:automatic\s+|static\s+)?(?:[\w:\[\]$]+\s+)*?(?:(?<owner>\w+)::)?(?<name>\w+)\s*[;(]",
            ),
            leaf(TypeAlias, r"typedef\s.*\b(?<name>\w+)\s*;"),
            leaf(Constant, r"(?:localparam|parameter)\s+(?:[\w\[\]: ]+\s)?(?<name>\w+)\s*="),
            import(r#"`include\s+"(?<from>[^"]*)""#),
            import(r"import\s+(?<from>[\w:*]+)"),
        ]],
        end: End::Keyword(r"end(?:module|function|task|class|interface|package|program|primitive)\b"),
        ..Family::PLAIN
    },
    Family {
        languages: &["vb6", "vba", "vbnet", "vbscript", "xojo", "realbasic"],
        lexis: Lexis { line: &["'"], block: &[], quotes: b"\"", ..QUOTED_TWICE },
        patterns: &[&[
            leaf(
                Function,
                r"(?:(?<private>private)\s+|public\s+)?declare\s+(?:\w+\s+)*?(?:sub|function)\s+(?<name>\w+)",
            ),
            item(Constructor, r"(?:(?<private>private|protected|friend)\s+|\w+\s+)*sub\s+(?<name>new)\b"),
            item(Function, r"(?:(?<private>private)\s+|\w+\s+)*?(?:sub|function|operator)\s+(?<name>\w+)"),
            item(
                Field,
                r"(?:(?<private>private)\s+|\w+\s+)*?property\s+(?:get\s+|let\s+|set\s+)(?<name>\w+)",
            ),
            leaf(Field, r"(?:(?<private>private)\s+|\w+\s+)*?property\s+(?<name>\w+)"),
            item(Class, r"(?:(?<private>private)\s+|\w+\s+)*?class\s+(?<name>\w+)"),
            item(Module, r"(?:\w+\s+)*?(?:module|namespace)\s+(?<name>[\w.]+)"),
            item(Struct, r"(?:(?<private>private)\s+|\w+\s+)*?(?:structure|type)\s+(?<name>\w+)"),
            item(Enum, r"(?:(?<private>private)\s+|\w+\s+)*?enum\s+(?<name>\w+)"),
            item(Interface, r"(?:\w+\s+)*?interface\s+(?<name>\w+)"),
            leaf(Constant, r"(?:(?<private>private)\s+|public\s+)?const\s+(?<name>\w+)"),
            import(r"imports\s+(?<from>[\w.]+)"),
        ]],
        end: End::Keyword(
            r"end\s+(?:sub|function|class|module|property|structure|enum|interface|namespace|type|operator)\b",
        ),
        any_case: true,
        attributes: &["<"],
        ..Family::PLAIN
    },
    Family {
        languages: &[
            "autoit",
            "b4x",
            "basic",
            "blitzbasic",
            "blitzmax",
            "brightscript",
            "brighterscript",
            "freebasic",
            "monkey",
            "purebasic",
            "quickbasic",
        ],
        lexis: Lexis { line: &["'", ";", "//"], block: &[("/'", "'/")], quotes: b"\"", ..QUOTED_TWICE },
        patterns: &[&[
            leaf(Function, r"declare\s+(?:sub|function)\s+(?<name>\w+)"),
            item(
                Function,
                r"(?:(?<private>private)\s+|public\s+|static\s+)*(?:sub|func|function|procedure|macro|method)(?:\.\w+)?\s+(?<name>\w+)",
            ),
            item(Class, r"(?:class|interface|namespace)\s+(?<name>\w+)"),
            item(Struct, r"(?:type|structure)\s+(?<name>\w+)"),
            item(Enum, r"enum\s+(?<name>\w+)"),
            leaf(Constant, r"(?:global\s+)?const\s+(?:as\s+\w+\s+)?\$?(?<name>\w+)"),
            leaf(Macro, r"#define\s+(?<name>\w+)"),
            import(r#"#?include\s+(?:once\s+)?["<](?<from>[^">]*)[">]"#),
        ]],
        end: End::Keyword(
            r"end\s?(?:sub|func|function|procedure|macro|method|class|interface|namespace|type|structure|enum)\b",
        ),
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["cmake"],
        lexis: Lexis { block: &[("#[[", "]]")], quotes: b"\"", long_quotes: b"\"", ..HASH_TEXT },
        patterns: &[&[
            item(Function, r"function\s*\(\s*(?<name>[\w.-]+)"),
            item(Macro, r"macro\s*\(\s*(?<name>[\w.-]+)"),
            leaf(
                Other,
                r"(?:add_library|add_executable|add_custom_target|add_test|project)\s*\(\s*(?:NAME\s+)?(?<name>[\w.:${}-]+)",
            ),
            leaf(Variable, r"(?:set|option)\s*\(\s*(?<name>\w+)"),
            import(r#"(?:include|add_subdirectory|find_package)\s*\(\s*"?(?<from>[^\s)"]+)"#),
        ]],
        end: End::Keyword(r"end(?:function|macro)\b"),
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["vim"],
        lexis: Lexis { line: &[], line_at: &[(0, "\"")], block: &[], quotes: b"'", ..QUOTED_TWICE },
        patterns: &[&[
            item(
                Function,
                r"(?:export\s+)?fu(?:n|nction)?!?\s+(?:(?<private>s:)|[gbwt]:)?(?<name>[\w#.<>:]+)\s*\(",
            ),
            item(Function, r"(?:(?<public>export)\s+)?def!?\s+(?<name>[\w#.]+)\s*\("),
            leaf(Other, r"com(?:mand)?!?\s+(?:-\S+\s+)*(?<name>\w+)"),
            leaf(Other, r"aug(?:roup)?\s+(?<name>\w+)"),
            leaf(Variable, r"^let\s+(?:(?<private>s:)|[gbwt]:)(?<name>[\w#]+)\s*="),
            import(r"(?:source|runtime!?)\s+(?<from>\S+)"),
        ]],
        end: End::Keyword(r"(?:endf(?:u|un|unction)?|enddef)\b"),
        ..Family::PLAIN
    },
    Family {
        languages: &["fish"],
        lexis: Lexis { long_quotes: b"\"", ..HASH_TEXT },
        patterns: &[&[
            item(Function, r"function\s+(?<name>[\w.-]+)"),
            leaf(Other, r"(?:alias|abbr)\s+(?:-\S+\s+)*(?<name>[\w.-]+)"),
            import(r"source\s+(?<from>\S+)"),
        ]],
        end: End::Keyword(r"end\b"),
        ..Family::PLAIN
    },
    Family {
        languages: &["nsis", "pov-ray-sdl", "sas", "inno-setup"],
        lexis: Lexis { line: &[";", "//"], quotes: b"\"", ..QUOTED_TWICE },
        patterns: &[&[
            item(Function, r"(?:!macro|function|#macro|%macro)\s+(?<name>[\w.]+)"),
            item(Other, r#"section\s+(?:/o\s+)?"?(?<name>[\w .-]+)"#),
            leaf(Macro, r"(?:!define|#declare|#local|%let)\s+(?:/\w+\s+)?(?<name>\w+)"),
            import(r#"(?:!|#|%)include\s+"?(?<from>[^";\s]+)"#),
        ]],
        end: End::Keyword(r"(?:!macroend|functionend|sectionend|#end|%mend)\b"),
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["applescript"],
        lexis: Lexis { line: &["--", "#"], block: &[("(*", "*)")], quotes: b"\"", ..C_TEXT },
        patterns: &[&[
            item(Function, r"(?:on|to)\s+(?<name>\w+)\s*(?:\(|of\b|$)"),
            item(Class, r"script\s+(?<name>\w+)"),
            leaf(Variable, r"property\s+(?<name>\w+)"),
        ]],
        end: End::Keyword(r"end\b"),
        ..Family::PLAIN
    },
];
