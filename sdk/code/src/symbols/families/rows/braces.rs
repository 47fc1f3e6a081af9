//! Languages whose bodies stand in braces.

use super::{
    super::family::{C_TEXT, Family, HASH_TEXT, Lexis, Pattern, Visible, import, item, leaf},
    modifiers,
};
use crate::symbols::Kind::*;

pub(super) const FAMILIES: &[Family] = &[
    Family {
        languages: &[
            "actionscript",
            "ballerina",
            "cangjie",
            "ceylon",
            "chapel",
            "circom",
            "dafny",
            "fantom",
            "gosu",
            "hack",
            "haxe",
            "javascript",
            "jolie",
            "jsx",
            "kotlin",
            "koka",
            "moonbit",
            "motoko",
            "nemerle",
            "openscad",
            "phtml",
            "php",
            "pkl",
            "qml",
            "qsharp",
            "qt-script",
            "redscript",
            "rhai",
            "scala",
            "solidity",
            "squirrel",
            "swift",
            "tsx",
            "typescript",
            "uno",
            "wgsl",
            "wren",
            "xtend",
            "yul",
            "zenscript",
            "zephir",
        ],
        lexis: Lexis { quotes: b"\"'`", long_quotes: b"`", triple: true, letters: false, ..C_TEXT },
        patterns: &[WORDED, IMPORTING],
        attributes: &["@", "#["],
        ..Family::PLAIN
    },
    Family {
        languages: &["astro", "svelte", "vue"],
        lexis: Lexis {
            block: &[("/*", "*/"), ("<!--", "-->")],
            quotes: b"\"'`",
            long_quotes: b"`",
            letters: false,
            ..C_TEXT
        },
        patterns: &[WORDED, IMPORTING],
        ..Family::PLAIN
    },
    Family {
        languages: &[
            "aiken", "c3", "cairo", "carbon", "gleam", "hare", "leo", "move", "noir", "rust", "sway", "v",
            "zig",
        ],
        patterns: &[ZIG, WORDED, IMPORTING],
        visible: Visible::Nobody,
        attributes: &["@", "#["],
        ..Family::PLAIN
    },
    Family {
        languages: &["go", "odin"],
        lexis: Lexis { quotes: b"\"`", long_quotes: b"`", ..C_TEXT },
        patterns: &[
            &[
                item(Method, r"func\s+\(\s*(?:\w+\s+)?\*?(?<owner>\w+)[^)]*\)\s*(?<name>\w+)"),
                item(Struct, r"(?:type\s+)?(?<name>\w+)(?:\[[^\]]*\])?\s*(?:::\s*)?struct\b"),
                item(Interface, r"type\s+(?<name>\w+)(?:\[[^\]]*\])?\s+interface\b"),
                item(Enum, r"(?<name>\w+)\s*::\s*enum\b"),
                item(Function, r"(?<name>\w+)\s*::\s*(?:#\w+\s+)?proc\b"),
                leaf(TypeAlias, r"type\s+(?<name>\w+)"),
                leaf(Constant, r"const\s+(?<name>\w+)"),
                leaf(Variable, r"var\s+(?<name>\w+)"),
                import(r#"import\s+(?:\w+\s+)?"(?<from>[^"]*)""#),
            ],
            WORDED,
        ],
        visible: Visible::Capital,
        ..Family::PLAIN
    },
    Family {
        languages: &[
            "ags-script",
            "aidl",
            "angelscript",
            "apex",
            "aspectj",
            "beef",
            "c",
            "cpp",
            "csharp",
            "cuda",
            "cycript",
            "d",
            "dart",
            "ec",
            "filterscript",
            "glsl",
            "gradle",
            "groovy",
            "hip",
            "hlsl",
            "holyc",
            "idl",
            "ispc",
            "java",
            "logos",
            "lsl",
            "metal",
            "monkey-c",
            "mql4",
            "mql5",
            "nesc",
            "nextflow",
            "nwscript",
            "ooc",
            "opencl",
            "pawn",
            "pike",
            "processing",
            "renderscript",
            "shaderlab",
            "slang",
            "smpl",
            "sourcepawn",
            "stan",
            "swig",
            "unified-parallel-c",
            "unrealscript",
            "vala",
            "x10",
            "xc",
        ],
        patterns: &[TYPED],
        attributes: &["@", "[", "#["],
        ..Family::PLAIN
    },
    Family {
        languages: &["objective-c", "objective-cpp", "objective-j"],
        patterns: &[OBJECTIVE, TYPED],
        ..Family::PLAIN
    },
    Family {
        languages: &[
            "avro-idl",
            "capn-proto",
            "flatbuffers",
            "graphql",
            "protobuf",
            "slice",
            "smithy",
            "thrift",
            "webassembly-interface-type",
            "webidl",
        ],
        lexis: Lexis { line: &["//", "#"], triple: true, ..C_TEXT },
        patterns: &[&[
            item(
                Struct,
                r"(?:extend\s+)?(?:message|struct|exception|type|input|table|record|structure|dictionary)\s+(?<name>\w+)",
            ),
            item(Enum, r"enum\s+(?<name>\w+)"),
            item(Interface, r"(?:service|interface|protocol|world)\s+(?<name>\w+)"),
            item(Union, r"(?:union|oneof)\s+(?<name>\w+)"),
            item(Module, r"(?:module|namespace)\s+(?<name>\w+)\s*\{"),
            item(Method, r"(?:rpc|operation)\s+(?<name>\w+)"),
            leaf(TypeAlias, r"(?:scalar|typedef|using)\s+(?<name>\w+)"),
            leaf(Constant, r"const\s+\w+\s+(?<name>\w+)"),
            import(r#"(?:import|include)\s+(?:public\s+)?"(?<from>[^"]*)""#),
        ]],
        ..Family::PLAIN
    },
    Family {
        languages: &["perl"],
        lexis: Lexis {
            block: &[("\n=", "\n=cut")],
            opaque: &[("\n__END__", "\n__never__")],
            long_quotes: b"\"'",
            ..HASH_TEXT
        },
        patterns: &[&[
            item(Function, r"(?:sub|method|fun)\s+(?:(?<owner>[\w:']+)::)?(?<name>\w+)"),
            item(Class, r"class\s+(?<name>[\w:]+)"),
            item(Module, r"package\s+(?<name>[\w:]+)(?:\s+[\d.]+)?\s*\{"),
            leaf(Module, r"package\s+(?<name>[\w:]+)"),
            leaf(Constant, r"use\s+constant\s+(?<name>\w+)"),
            leaf(Variable, r"our\s+\(?[$@%](?<name>\w+)"),
            leaf(Field, r"has\s+'?(?<name>\w+)'?\s*=>"),
            import(r"(?:use|require)\s+(?<from>[A-Z][\w:]*)"),
        ]],
        visible: Visible::Plain,
        ..Family::PLAIN
    },
    Family {
        languages: &["tcl"],
        lexis: Lexis { quotes: b"", ..HASH_TEXT },
        patterns: &[&[
            item(Function, r"proc\s+(?:::)?(?:(?<owner>[\w:]+)::)?(?<name>[\w?!.*-]+)"),
            item(Method, r"method\s+(?<name>[\w?!.-]+)"),
            item(Constructor, r"(?<name>constructor)\s"),
            item(Class, r"(?:oo::class\s+create|itcl::class|class)\s+(?:::)?(?<name>[\w:]+)"),
            item(Module, r"namespace\s+eval\s+(?:::)?(?<name>[\w:]+)"),
            leaf(Variable, r"variable\s+(?<name>\w+)"),
            import(r"package\s+require\s+(?:-exact\s+)?(?<from>[\w:]+)"),
            import(r"source\s+(?<from>\S+)"),
        ]],
        ..Family::PLAIN
    },
    Family {
        languages: &["awk", "shell", "openrc-runscript", "alpine-abuild", "gentoo-ebuild", "gentoo-eclass"],
        lexis: HASH_TEXT,
        patterns: &[&[
            item(Function, r"(?:function|func)\s+(?<name>[\w.:-]+)"),
            item(Function, r"(?<name>[\w.:-]+)\s*\(\s*\)").bare(),
            leaf(
                Variable,
                r"^(?:(?:export|readonly|declare(?:\s+-\w+)*|typeset(?:\s+-\w+)*)\s+)?(?<name>[A-Za-z_]\w*)=",
            ),
            leaf(Other, r"alias\s+(?<name>[\w.-]+)="),
            import(r"(?:source|\.)\s+(?<from>[^\s;]+)"),
        ]],
        ..Family::PLAIN
    },
    Family {
        languages: &["powershell"],
        lexis: Lexis { block: &[("<#", "#>")], backslash: false, long_quotes: b"\"", ..HASH_TEXT },
        patterns: &[&[
            item(Function, r"(?:function|filter|workflow)\s+(?:\w+:)?(?<name>[\w-]+)"),
            item(Class, r"class\s+(?<name>\w+)"),
            item(Enum, r"enum\s+(?<name>\w+)"),
            item(Method, r"(?:static\s+|hidden\s+)*\[[\w.\[\]]+\]\s*(?<name>\w+)\s*\("),
            leaf(Variable, r"^\$(?:(?:global|script):)?(?<name>\w+)\s*="),
            import(r"(?:import-module|using\s+module|\.)\s+(?<from>\S+)"),
        ]],
        joined: "-",
        any_case: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["bicep", "hcl", "nginx", "open-policy-agent", "puppet", "terraform-template"],
        lexis: Lexis { line: &["#", "//"], ..C_TEXT },
        patterns: &[&[
            item(
                Other,
                r#"(?:resource|data|module|variable|output|provider|job|group|task|source|build)\s+(?:"[^"]*"\s+)?"(?<name>[^"]*)""#,
            ),
            item(Other, r"(?:resource|module|param|output|var)\s+(?<name>\w+)"),
            item(Class, r"(?:class|define|node|plan)\s+(?<name>[\w:.]+)"),
            item(Other, r"(?:location|upstream)\s+(?<name>[^{]+?)\s*\{"),
            item(Other, r"(?<name>locals|server|terraform)\s*\{"),
            item(Function, r"function\s+(?<name>[\w:]+)"),
            import(r"(?:include|import)\s+(?<from>[^\s;]+)"),
        ]],
        ..Family::PLAIN
    },
    Family {
        languages: &["css", "less", "postcss", "scss"],
        lexis: Lexis { quotes: b"\"'", letters: false, ..C_TEXT },
        patterns: &[&[
            item(Function, r"@(?:mixin|function)\s+(?<name>[\w-]+)"),
            item(
                Other,
                r"@(?:media|keyframes|layer|font-face|supports|container|property)\s+(?<name>[^{;]+?)\s*\{",
            ),
            leaf(Variable, r"(?<name>(?:--|\$|@)[\w-]+)\s*:"),
            item(Other, r"(?<name>[.#&:\[*\w][^{};]*?)\s*\{"),
            import(r#"@(?:import|use|forward)\s+"(?<from>[^"]*)""#),
        ]],
        joined: "-",
        ..Family::PLAIN
    },
    Family {
        languages: &["r"],
        lexis: Lexis { long_quotes: b"\"", ..HASH_TEXT },
        patterns: &[&[
            item(Function, r"(?<name>[\w.]+)\s*(?:<<?-|=)\s*function\b"),
            item(Function, r"(?<name>[\w.]+)\s*(?:<<?-|=)\s*\\\("),
            item(Class, r#"(?:\w+\s*<-\s*)?(?:setClass|setRefClass|R6Class)\(\s*"(?<name>[^"]*)""#),
            item(Function, r#"(?:setGeneric|setMethod)\(\s*"(?<name>[^"]*)""#),
            leaf(Variable, r"^(?<name>[\w.]+)\s*<-"),
            import(r#"(?:library|require|source)\(\s*"?(?<from>[^")]+)"#),
        ]],
        ..Family::PLAIN
    },
];

/// A word says what it is: `fn`, `class`, …
const WORDED: &[Pattern] = &[
    item(
        Function,
        concat!(
            modifiers!(),
            r"(?:fn|fun|func|function|def|proc|macro|task|lemma|predicate|operation|template)\b\*?\s+(?:<[^>]*>\s*)?(?:\w+\.)?(?<name>[\w$]+)"
        ),
    ),
    item(Method, concat!(modifiers!(), r"method\s+(?<name>[\w$]+)")),
    item(
        Class,
        concat!(modifiers!(), r"(?:class|object|actor|contract|library|abstract|mixin)\s+(?<name>\w+)"),
    ),
    item(Struct, concat!(modifiers!(), r"(?:struct|record)\s+(?<name>\w+)")),
    item(Union, concat!(modifiers!(), r"union\s+(?<name>\w+)")),
    item(Enum, concat!(modifiers!(), r"enum\s+(?:class\s+)?(?<name>\w+)")),
    item(Interface, concat!(modifiers!(), r"(?:interface|protocol)\s+(?<name>\w+)")),
    item(Trait, concat!(modifiers!(), r"trait\s+(?<name>\w+)")),
    item(Module, concat!(modifiers!(), r"(?:module|mod|namespace)\s+(?<name>[\w.\\]+)\s*\{")),
    leaf(TypeAlias, concat!(modifiers!(), r"(?:type|typealias|typedef)\s+(?<name>\w+)")),
    leaf(Constant, concat!(modifiers!(), r"const\s+(?:val\s+)?(?<name>[\w$]+)")),
    leaf(Variable, concat!(modifiers!(), r"(?:let|var|val)\s+(?:mut\s+)?(?<name>[\w$]+)")),
    item(Method, concat!(modifiers!(), r"(?<name>[\w$]+)\s*\([^;{}]*\)\s*(?::\s*[\w<>\[\]|., ]+)?\{")).bare(),
];

const IMPORTING: &[Pattern] = &[
    import(r#"(?:import|export)\b[^"';]*["'](?<from>[^"']*)["']"#),
    import(r"(?:import|use|open|using)\s+(?<from>[\w.:\\*/]+)"),
];

/// Zig writes what a name is behind it.
const ZIG: &[Pattern] = &[
    item(Struct, r"(?<public>pub\s+)?const\s+(?<name>\w+)\s*=\s*(?:packed\s+|extern\s+)?struct\b"),
    item(Enum, r"(?<public>pub\s+)?const\s+(?<name>\w+)\s*=\s*enum\b"),
    item(Union, r"(?<public>pub\s+)?const\s+(?<name>\w+)\s*=\s*(?:packed\s+|extern\s+)?union\b"),
    import(r#"(?:pub\s+)?const\s+\w+\s*=\s*@import\("(?<from>[^"]*)"\)"#),
    item(Other, r#"test\s+"(?<name>[^"]*)""#),
];

/// A type stands before a function's name.
const TYPED: &[Pattern] = &[
    leaf(Macro, r"#\s*define\s+(?<name>\w+)"),
    import(r#"#\s*(?:include|import)\s*[<"](?<from>[^>"]+)"#),
    import(r"(?:static\s+)?(?:public\s+)?import\s+(?:static\s+)?(?<from>[\w.*]+)"),
    import(r"using\s+(?:static\s+)?(?<from>[\w.]+)\s*;"),
    leaf(TypeAlias, r"typedef\s[^{]*\b(?<name>\w+)\s*;"),
    leaf(TypeAlias, r"(?:using|alias)\s+(?<name>\w+)\s*="),
    leaf(Constant, r"enum\s+(?:\w+\s+)?(?<name>\w+)\s*="),
    item(Constructor, r"(?<name>this)\s*\("),
    item(
        Class,
        concat!(
            modifiers!(),
            r"(?:class|mixin|extension)\s+(?:class\s+)?(?<name>\w+)\s*(?:final\s*)?(?:(?:[:<({]|extends\b|implements\b|with\b|on\b).*)?$"
        ),
    ),
    item(Struct, concat!(modifiers!(), r"(?:struct|record)\s+(?<name>\w+)\s*(?:[:<({].*)?$")),
    item(Union, concat!(modifiers!(), r"union\s+(?<name>\w+)\s*(?:\{.*)?$")),
    item(Enum, concat!(modifiers!(), r"enum\s+(?:class\s+|struct\s+)?(?<name>\w+)\s*(?:[:{].*)?$")),
    item(Interface, concat!(modifiers!(), r"@?interface\s+(?<name>\w+)\s*(?:(?:[:<{]|extends\b).*)?$")),
    item(Module, r"(?:inline\s+)?namespace\s+(?<name>[\w.:]+)"),
    leaf(Module, r"module\s+(?<name>[\w.]+)\s*;"),
    item(
        Function,
        concat!(modifiers!(), r"(?:def|function|event|state)\s+(?:[\w<>\[\]]+\s+)?(?<name>\w+)\s*\("),
    ),
    item(
        Function,
        r"(?:(?<private>static\s|private\s)|(?<public>public\s))?\s*(?:[\w:<>,*&\[\]?.@]+\s+)+[*&]*(?:(?<owner>[\w:]+)::)?(?<name>~?\w+)\s*\([^;{]*(?:\{.*)?$",
    )
    .bare(),
    item(Function, r"(?<owner>[\w:]+)::(?<name>~?\w+)\s*\([^;{]*(?:\{.*)?$"),
    leaf(
        Function,
        r"(?:(?<private>private\s)|(?<public>public\s))?\s*(?:[\w:<>,*&\[\]?.@]+\s+)+[*&]*(?<name>~?\w+)\s*\([^;{]*\)[^;{=]*;$",
    )
    .bare(),
    item(
        Constructor,
        r"(?:(?<private>private)|(?<public>public)|protected)\s+(?<name>\w+)\s*\([^;{]*(?:\{.*)?$",
    )
    .bare(),
    item(Function, r"(?<name>[A-Za-z_]\w*)\s*\([^;{}]*\)\s*(?::[^{;]*)?\{").bare(),
];

/// What Objective-C adds: types that end with a word.
const OBJECTIVE: &[Pattern] = &[
    import(r"@import\s+(?<from>[\w.]+)"),
    item(Class, r"@(?:interface|implementation)\s+(?<name>\w+)").until("@end"),
    leaf(Interface, r"@protocol\s+(?<name>\w+)\s*;"),
    item(Interface, r"@protocol\s+(?<name>\w+)").until("@end"),
    leaf(Field, r"@property\b.*?(?<name>\w+)\s*;"),
    item(Method, r"[-+]\s*\([^)]*\)\s*(?<name>\w+)"),
];
