//! `ctxhost.h` states the same as the Rust structs: names, sizes, places, signatures and numbers.
//!
//! A C program is written from what Rust says and compiled against the header; it prints what C says.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use ctxhost_abi::{
    ABI_MAJOR, ABI_MINOR, Bytes, CallV1, FLAG_NEEDS_ISOLATION, FLAG_THREAD_SAFE, HostV1, NO_DEADLINE,
    ProviderV1, Sink, Status,
};

const HEADER: &str = include_str!("../ctxhost.h");

/// A struct of the boundary: its name in C, and what Rust says of it.
struct Struct {
    name: &'static str,
    layout: String,
}

fn structs() -> [Struct; 5] {
    [
        Struct { name: "ctxhost_bytes", layout: Bytes::layout() },
        Struct { name: "ctxhost_sink", layout: Sink::layout() },
        Struct { name: "ctxhost_call_v1", layout: CallV1::layout() },
        Struct { name: "ctxhost_host_v1", layout: HostV1::layout() },
        Struct { name: "ctxhost_provider_v1", layout: ProviderV1::layout() },
    ]
}

impl Struct {
    fn size(&self) -> &str {
        self.layout.lines().next().and_then(|line| line.split(' ').nth(1)).expect("`Name size`")
    }

    /// Offset, size, name and type of each field.
    fn fields(&self) -> Vec<[&str; 4]> {
        self.layout
            .lines()
            .skip(1)
            .map(|line| {
                let (place, kind) = line.split_once(": ").expect("`offset size name: type`");
                let mut words = place.split_whitespace();
                let mut word = || words.next().expect("`offset size name`");
                [word(), word(), word(), kind]
            })
            .collect()
    }
}

/// The numbers of the boundary by their names in C.
fn numbers() -> Vec<(&'static str, u64)> {
    let status = |status: Status| u64::from(status.code());
    vec![
        ("CTXHOST_ABI_MAJOR", ABI_MAJOR.into()),
        ("CTXHOST_ABI_MINOR", ABI_MINOR.into()),
        ("CTXHOST_FLAG_THREAD_SAFE", FLAG_THREAD_SAFE),
        ("CTXHOST_FLAG_NEEDS_ISOLATION", FLAG_NEEDS_ISOLATION),
        ("CTXHOST_NO_DEADLINE", NO_DEADLINE),
        ("CTXHOST_OK", status(Status::Ok)),
        ("CTXHOST_BAD_INPUT", status(Status::BadInput)),
        ("CTXHOST_FAILED", status(Status::Failed)),
        ("CTXHOST_PANIC", status(Status::Panic)),
        ("CTXHOST_DEADLINE", status(Status::Deadline)),
        ("CTXHOST_CANCELLED", status(Status::Cancelled)),
        ("CTXHOST_TOO_LARGE", status(Status::TooLarge)),
        ("CTXHOST_UNKNOWN_OP", status(Status::UnknownOp)),
        // What `HostV1::log` documents.
        ("CTXHOST_LEVEL_ERROR", 1),
        ("CTXHOST_LEVEL_WARNING", 2),
        ("CTXHOST_LEVEL_INFO", 3),
        ("CTXHOST_LEVEL_DEBUG", 4),
    ]
}

#[test]
fn c_and_rust_agree_on_every_field_and_number() {
    let mut program =
        String::from("#include <ctxhost.h>\n#include <inttypes.h>\n#include <stdio.h>\nint main(void) {\n");
    let mut expected = String::new();
    for it in structs() {
        let name = it.name;
        program.push_str(&format!(
            "    {name} *s_{name} = 0;\n    printf(\"{name} %zu\\n\", sizeof *s_{name});\n"
        ));
        expected.push_str(&format!("{name} {}\n", it.size()));
        for [offset, size, field, kind] in it.fields() {
            // A pointer to the field has no other type than the one Rust states, or the compiler refuses it.
            let pointer = declaration(kind, &format!("*f_{name}_{field}"));
            program.push_str(&format!("    {pointer} = &s_{name}->{field}; (void)f_{name}_{field};\n"));
            program.push_str(&format!(
                "    printf(\"{field} %zu %zu\\n\", offsetof({name}, {field}), sizeof s_{name}->{field});\n"
            ));
            expected.push_str(&format!("{field} {offset} {size}\n"));
        }
    }
    for (name, value) in numbers() {
        program.push_str(&format!("    printf(\"{name} %\" PRIu64 \"\\n\", (uint64_t){name});\n"));
        expected.push_str(&format!("{name} {value}\n"));
    }
    program.push_str("    return 0;\n}\n");

    let place = tempfile::tempdir().expect("a folder");
    let (source, binary) = (place.path().join("layout.c"), place.path().join("layout"));
    fs::write(&source, &program).expect("a file");
    compile("c", "c99", &source, &["-o", &binary.to_string_lossy()]);
    let ran = Command::new(&binary).output().expect("the program starts");
    assert_eq!(
        String::from_utf8_lossy(&ran.stdout),
        expected,
        "C says the first, Rust the second\n{program}"
    );
}

#[test]
fn the_header_has_no_field_that_rust_has_not() {
    let mut in_header = fields_of_header();
    for it in structs() {
        let fields: Vec<_> = it.fields().iter().map(|[_, _, name, _]| (*name).to_owned()).collect();
        assert_eq!(
            in_header.remove(it.name),
            Some(fields),
            "the header says the first, Rust the second, of {}",
            it.name
        );
    }
    assert!(in_header.is_empty(), "the header has structs that Rust has not: {in_header:?}");
}

#[test]
fn the_header_has_no_number_that_rust_has_not() {
    let known: Vec<_> = numbers().into_iter().map(|(name, _)| name).collect();
    let mut stated: Vec<String> = Vec::new();
    for line in without_comments().lines().map(str::trim) {
        let defined = line.strip_prefix("#define ").and_then(|rest| rest.split_once(' '));
        if let Some((name, _)) = defined.filter(|(_, value)| value.starts_with("UINT")) {
            stated.push(name.to_owned());
        }
        if let Some((name, _)) = line.split_once(" = ").filter(|_| line.starts_with("CTXHOST_")) {
            stated.push(name.to_owned());
        }
    }
    stated.sort();
    let mut known: Vec<_> = known.into_iter().map(str::to_owned).collect();
    known.sort();
    assert_eq!(stated, known);
}

#[test]
fn the_header_stands_alone_in_c_and_in_cpp() {
    let place = tempfile::tempdir().expect("a folder");
    let source = place.path().join("alone.inc");
    let object = place.path().join("alone.so");
    // Included twice, with the one thing an author repeats and the one he defines.
    let text = "#include <ctxhost.h>\n#include <ctxhost.h>\n\
                CTXHOST_NOTE(\"{\\\"id\\\":\\\"alone\\\"}\");\n\
                const ctxhost_provider_v1 *ctxhost_entry_v1(void) { return 0; }\n";
    fs::write(&source, text).expect("a file");
    let link = ["-shared", "-fPIC", "-o", &object.to_string_lossy()].map(str::to_owned);
    let link: Vec<&str> = link.iter().map(String::as_str).collect();
    for (language, standard) in [("c", "c99"), ("c", "c11"), ("c++", "c++11"), ("c++", "c++17")] {
        // Hidden by default, optimized, collected and stripped: the entry and the note are still there.
        let more = [
            "-O2",
            "-fvisibility=hidden",
            "-fdata-sections",
            "-ffunction-sections",
            "-Wl,--gc-sections",
            "-s",
        ];
        let flags: Vec<&str> =
            if cfg!(target_os = "linux") { [&link[..], &more[..]].concat() } else { link.clone() };
        compile(language, standard, &source, &flags);
        let library = fs::read(&object).expect("a library");
        for wanted in ["{\"id\":\"alone\"}", "ctxhost_entry_v1\0"] {
            let found = library.windows(wanted.len()).any(|window| window == wanted.as_bytes());
            assert!(found, "{wanted:?} is not in the library made from {language} {standard}");
        }
    }
}

#[test]
fn the_frame_in_the_readme_compiles() {
    let readme = include_str!("../README.md");
    let frame =
        readme.split_once("```c\n").and_then(|(_, rest)| rest.split_once("```")).expect("an example in C").0;
    let place = tempfile::tempdir().expect("a folder");
    let source = place.path().join("frame.c");
    fs::write(&source, frame).expect("a file");
    let library = place.path().join("frame.so").to_string_lossy().into_owned();
    compile("c", "c99", &source, &["-shared", "-fPIC", "-o", &library]);
}

/// Compiles a file against the header, with every warning an error.
#[track_caller]
fn compile(language: &str, standard: &str, source: &Path, flags: &[&str]) {
    let compiler = if language == "c" { "cc" } else { "c++" };
    let made = Command::new(compiler)
        .args([
            &format!("-std={standard}"),
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "-I",
            env!("CARGO_MANIFEST_DIR"),
        ])
        .args(["-x", language])
        .arg(source)
        .args(flags)
        .output()
        .expect("the compiler starts");
    assert!(made.status.success(), "{language} {standard}: {}", String::from_utf8_lossy(&made.stderr));
}

/// A declaration in C of something that has a Rust type.
fn declaration(kind: &str, name: &str) -> String {
    if let Some(function) =
        kind.strip_prefix("Option<unsafe extern \"C\" fn(").and_then(|rest| rest.strip_suffix('>'))
    {
        let (parameters, result) = match function.split_once(") -> ") {
            Some((parameters, result)) => (parameters, declaration(result, "")),
            None => (function.trim_end_matches(')'), "void ".to_owned()),
        };
        let parameters: Vec<_> = parameters.split(", ").map(|kind| declaration(kind, "")).collect();
        return format!("{}(*{name})({})", result.trim_end(), parameters.join(", "));
    }
    if let Some((element, count)) =
        kind.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')?.split_once("; "))
    {
        return declaration(element, &format!("({name})[{count}]"));
    }
    if let Some(target) = kind.strip_prefix("*mut ") {
        return declaration(target, &format!("*{name}"));
    }
    if let Some(target) = kind.strip_prefix("*const ") {
        return format!("const {}", declaration(target, &format!("*{name}")));
    }
    let plain = match kind {
        "u8" => "uint8_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "usize" => "size_t",
        "c_void" => "void",
        "Bytes" => "ctxhost_bytes",
        "Sink" => "ctxhost_sink",
        "CallV1" => "ctxhost_call_v1",
        "HostV1" => "ctxhost_host_v1",
        "Instance" => "ctxhost_instance",
        other => panic!("what is {other} in C?"),
    };
    format!("{plain} {name}")
}

/// The fields of every struct that the header defines, by the struct's name.
fn fields_of_header() -> BTreeMap<String, Vec<String>> {
    let text = without_comments();
    let mut found = BTreeMap::new();
    for piece in text.split("struct ").skip(1) {
        let Some((name, rest)) = piece.split_once('{') else { continue };
        let name = name.trim();
        // `struct x;` and `struct x y;` define nothing.
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            continue;
        }
        let body = rest.split_once('}').expect("a struct ends").0;
        let fields =
            body.split(';').map(str::trim).filter(|field| !field.is_empty()).map(field_name).collect();
        found.insert(name.to_owned(), fields);
    }
    found
}

/// The name in `type name`, `type name[4]` or `type (*name)(...)`.
fn field_name(declaration: &str) -> String {
    let part =
        declaration.split_once("(*").map_or(declaration, |(_, rest)| rest.split(')').next().unwrap_or(rest));
    let part = part.split('[').next().unwrap_or(part);
    part.rsplit([' ', '*', '\n']).next().unwrap_or(part).to_owned()
}

fn without_comments() -> String {
    let mut text = String::new();
    let mut rest = HEADER;
    while let Some((before, comment)) = rest.split_once("/*") {
        text.push_str(before);
        rest = comment.split_once("*/").expect("a comment ends").1;
    }
    text + rest
}

#[test]
fn a_rust_type_is_written_in_c() {
    let cases = [
        ("u64", "uint64_t x"),
        ("*mut c_void", "void *x"),
        ("*const u8", "const uint8_t *x"),
        ("[usize; 4]", "size_t (x)[4]"),
        ("Option<unsafe extern \"C\" fn(*mut c_void, Bytes) -> u32>", "uint32_t(*x)(void *, ctxhost_bytes )"),
        ("Option<unsafe extern \"C\" fn(*mut Instance)>", "void(*x)(ctxhost_instance *)"),
        ("Option<unsafe extern \"C\" fn(Bytes) -> *const c_void>", "const void *(*x)(ctxhost_bytes )"),
    ];
    for (rust, c) in cases {
        assert_eq!(declaration(rust, "x"), c);
    }
}
