//! Languages whose definitions go on until the next one.

use super::super::family::{C_TEXT, End, Family, HASH_TEXT, Lexis, Pattern, What, heading, import, leaf};
use crate::symbols::Kind::{self, *};

const NO_TEXT: Lexis =
    Lexis { line: &[], block: &[], quotes: b"", letters: false, backslash: false, ..C_TEXT };

/// A leaf that stands below every heading.
const fn below(kind: Kind, regex: &'static str) -> Pattern {
    Pattern { level: 99, ..leaf(kind, regex) }
}

/// Something else than a heading that goes on until the next one.
const fn part(kind: Kind, level: usize, regex: &'static str) -> Pattern {
    Pattern { what: What::Definition(kind), ..heading(level, regex) }
}

const UNDERLINED: Pattern = Pattern { what: What::Underlined, ..heading(0, r"(?<name>\S.*)") };

pub(super) const FAMILIES: &[Family] = &[
    Family {
        languages: &["assembly", "motorola-68k-assembly", "nasl", "parrot-assembly", "unix-assembly"],
        lexis: Lexis { line: &[";", "//", "#"], quotes: b"\"", ..C_TEXT },
        patterns: &[&[
            below(Macro, r"(?:%|\.)macro\s+(?<name>[\w.$]+)"),
            below(Constant, r"(?:%define|#define|\.equ|\.set)\s+(?<name>[\w.$]+)"),
            below(Constant, r"(?<name>[A-Za-z_]\w*)\s+(?i:equ)\s"),
            import(r#"(?:%|\.|#)include\s+["<](?<from>[^">]*)[">]"#),
            part(Function, 0, r"(?<name>[A-Za-z_?@$][\w.$@?]*)\s*::?(?:\s|$)"),
            part(Function, 0, r"(?<name>[A-Za-z_?@$]\w*)\s+(?i:proc|macro)\b"),
        ]],
        end: End::Next,
        ..Family::PLAIN
    },
    Family {
        languages: &["cobol"],
        lexis: Lexis { line: &["*>"], line_at: &[(6, "*"), (6, "/")], quotes: b"\"'", ..NO_TEXT },
        patterns: &[&[
            below(Module, r"(?:\d{6})?\s*(?:program-id|class-id|function-id)\s*\.\s*(?<name>[\w-]+)"),
            part(Other, 1, r"^(?:.{6} | {0,11})\s{0,4}(?<name>[\w-]+)\s+section\s*\."),
            below(Variable, r"(?:\d{6}\s)?\s*(?:01|77|88|78)\s+(?<name>[\w-]*[a-z][\w-]*)"),
            import(r"(?:\d{6}\s)?\s*copy\s+(?<from>[\w-]+(?:[./]\w+)*)"),
            part(Function, 2, r"^(?:\d{6} | {7}| {0,3})\s{0,3}(?<name>[a-z0-9][\w-]*[\w])\s*\.\s*$"),
        ]],
        end: End::Next,
        any_case: true,
        joined: "-",
        ..Family::PLAIN
    },
    Family {
        languages: &["tex"],
        lexis: Lexis {
            line: &["%"],
            opaque: &[("\\begin{verbatim}", "\\end{verbatim}")],
            backslash: false,
            ..NO_TEXT
        },
        patterns: &[&[
            heading(0, r"\\part\*?(?:\[[^\]]*\])?\{(?<name>[^}]*)\}"),
            heading(1, r"\\chapter\*?(?:\[[^\]]*\])?\{(?<name>[^}]*)\}"),
            heading(2, r"\\section\*?(?:\[[^\]]*\])?\{(?<name>[^}]*)\}"),
            heading(3, r"\\subsection\*?(?:\[[^\]]*\])?\{(?<name>[^}]*)\}"),
            heading(4, r"\\subsubsection\*?(?:\[[^\]]*\])?\{(?<name>[^}]*)\}"),
            heading(5, r"\\(?:sub)?paragraph\*?(?:\[[^\]]*\])?\{(?<name>[^}]*)\}"),
            below(Macro, r"\\(?:re)?newcommand\*?\{?\\(?<name>\w+)"),
            below(
                Macro,
                r"\\(?:DeclareMathOperator|NewDocumentCommand|DeclareRobustCommand|providecommand)\*?\{?\\(?<name>\w+)",
            ),
            below(Macro, r"\\(?:re)?newenvironment\*?\{(?<name>[\w*]+)\}"),
            below(Macro, r"\\[egx]?def\\(?<name>\w+)"),
            below(Other, r"\\label\{(?<name>[^}]*)\}"),
            import(r"\\(?:usepackage|RequirePackage|documentclass)(?:\[[^\]]*\])?\{(?<from>[^}]*)\}"),
            import(r"\\(?:input|include|bibliography|addbibresource)\{(?<from>[^}]*)\}"),
        ]],
        end: End::Next,
        ..Family::PLAIN
    },
    Family {
        languages: &["asciidoc", "creole", "wikitext", "typst"],
        lexis: Lexis {
            line: &["//"],
            opaque: &[("\n----", "\n----"), ("\n```", "\n```"), ("\n....", "\n....")],
            ..NO_TEXT
        },
        patterns: &[&[
            heading(0, r"^(?<level>=+)\s*(?<name>[^=\s].*?)\s*=*$"),
            below(Function, r"^#let\s+(?<name>[\w-]+)"),
            below(Other, r"^\[\[(?<name>[^\],]+)"),
            import(r#"^(?:include::|#import\s+"|#include\s+")(?<from>[^\["]+)"#),
        ]],
        end: End::Next,
        ..Family::PLAIN
    },
    Family {
        languages: &["markdown", "mdx", "mdsvex", "rmarkdown"],
        lexis: Lexis {
            block: &[("<!--", "-->")],
            opaque: &[("\n```", "\n```"), ("\n~~~", "\n~~~")],
            ..NO_TEXT
        },
        patterns: &[&[heading(0, r"^ {0,3}(?<level>#{1,6})\s+(?<name>.+?)(?:\s+#+)?$"), UNDERLINED]],
        end: End::Next,
        ..Family::PLAIN
    },
    Family {
        languages: &["org"],
        lexis: Lexis {
            line: &["# "],
            opaque: &[("\n#+BEGIN", "\n#+END"), ("\n#+begin", "\n#+end")],
            ..NO_TEXT
        },
        patterns: &[&[heading(0, r"^(?<level>\*+)\s+(?:(?:TODO|DONE)\s+)?(?<name>.+?)(?:\s+:[\w:]+:)?$")]],
        end: End::Next,
        ..Family::PLAIN
    },
    Family {
        languages: &["restructuredtext", "text"],
        lexis: NO_TEXT,
        patterns: &[&[
            below(Other, r"^\.\.\s+_(?<name>[^:]+):"),
            below(
                Function,
                r"^\s*\.\.\s+(?:[\w]+:)?(?:function|method|class|attribute|data|exception|module)::\s*(?<name>[\w.]+)",
            ),
            import(r"^\s*\.\.\s+include::\s*(?<from>\S+)"),
            UNDERLINED,
        ]],
        end: End::Next,
        ..Family::PLAIN
    },
    Family {
        languages: &["pod", "pod-6"],
        lexis: NO_TEXT,
        patterns: &[&[
            heading(1, r"^=head1\s+(?<name>.+)"),
            heading(2, r"^=head2\s+(?<name>.+)"),
            heading(3, r"^=head[34]\s+(?<name>.+)"),
        ]],
        end: End::Next,
        ..Family::PLAIN
    },
    Family {
        languages: &[
            "desktop",
            "editorconfig",
            "git-config",
            "godot-resource",
            "ini",
            "java-properties",
            "npm-config",
            "pip-requirements",
            "textmate-properties",
            "toml",
            "windows-registry-entries",
        ],
        lexis: Lexis { line: &["#", ";"], ..NO_TEXT },
        patterns: &[&[
            part(Module, 0, r#"^\s*\[+\s*(?<name>[^\[\]"]+?(?:"[^"\]]*")?)\s*\]+"#),
            below(Field, r"^(?<name>[\w./-]+)\s*[=:]"),
            below(Field, r"^\s+(?<name>[\w.-]+)\s*="),
        ]],
        end: End::Next,
        ..Family::PLAIN
    },
    Family {
        languages: &["ant-build-system", "maven-pom", "svg", "xml", "xml-property-list", "xslt"],
        lexis: Lexis { block: &[("<!--", "-->")], ..NO_TEXT },
        patterns: &[&[
            below(Constant, r"<!ENTITY\s+(?<name>[\w.-]+)"),
            below(Other, r#"<[\w:.-]+\s(?:[^>]*\s)?(?:id|name)\s*=\s*"(?<name>[^"]+)""#),
            below(Other, r#"<[\w:.-]+\s(?:[^>]*\s)?(?:id|name)\s*=\s*'(?<name>[^']+)'"#),
        ]],
        end: End::Next,
        ..Family::PLAIN
    },
    Family {
        languages: &["dotenv"],
        lexis: Lexis { quotes: b"", ..HASH_TEXT },
        patterns: &[&[below(Variable, r"(?:export\s+)?(?<name>[A-Za-z_][\w.]*)\s*=")]],
        end: End::Next,
        ..Family::PLAIN
    },
    Family {
        languages: &["batch"],
        lexis: Lexis {
            line: &["::"],
            line_at: &[(0, "rem "), (0, "REM "), (0, "@rem "), (0, "@REM ")],
            ..NO_TEXT
        },
        patterns: &[&[
            part(Function, 0, r"^:(?<name>\w[\w.-]*)"),
            below(Variable, r#"@?set\s+(?:/[ap]\s+)?"?(?<name>\w+)="#),
            import(r#"@?call\s+"?(?<from>[\w%~\\/.-]+\.(?:bat|cmd))"#),
        ]],
        end: End::Next,
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["docker"],
        lexis: Lexis { quotes: b"", ..HASH_TEXT },
        patterns: &[&[
            part(Other, 0, r"from\s+(?:--\S+\s+)*\S+\s+as\s+(?<name>\S+)"),
            part(Other, 0, r"from\s+(?:--\S+\s+)*(?<name>\S+)"),
            below(Variable, r"(?:arg|env)\s+(?<name>\w+)"),
        ]],
        end: End::Next,
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["bibtex"],
        lexis: Lexis { line: &["%"], ..NO_TEXT },
        patterns: &[&[part(Other, 0, r"@\w+\s*[{(]\s*(?<name>[^\s,{}=]+)\s*[,=]")]],
        end: End::Next,
        ..Family::PLAIN
    },
];
