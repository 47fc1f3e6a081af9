use std::collections::BTreeSet;

use super::{compiled::Compiled, *};

#[test]
fn every_row_can_be_used_and_no_language_is_in_two() {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in rows::all() {
        if let Err(error) = Compiled::new(row) {
            wrong.push(format!("{:?}: {error}", row.languages));
        }
        for id in row.languages {
            if Language::of_id(id).is_none() || !seen.insert(*id) {
                wrong.push((*id).to_owned());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen.len() >= 180, "{}", seen.len());
}

fn language(id: &str) -> Language {
    Language::of_id(id).expect(id)
}

fn found(id: &str, source: &str) -> Extracted {
    extract(language(id), source).expect("a family")
}

/// `expected` is `name first-last` of each symbol.
fn check(id: &str, source: &str, expected: &[&str]) {
    let line = |symbol: &crate::symbols::Symbol| {
        format!("{} {}-{}", symbol.qualified(), symbol.span.first_line, symbol.span.last_line)
    };
    let symbols: Vec<String> = found(id, source).symbols.iter().map(line).collect();
    assert_eq!(symbols, expected, "{id}");
}

#[test]
fn languages_whose_grammar_may_be_missing_have_a_family() {
    check("rust", "pub fn a() {\n}\nstruct B {\n}\n", &["a 1-2", "B 3-4"]);
    check(
        "go",
        "func (c *Cart) Total(x interface{}) int {\n\treturn 1\n}\ntype Item struct {\n}\n",
        &["Cart.Total 1-3", "Item 4-5"],
    );
    check(
        "zig",
        "const Item = struct {\n    pub fn total() u8 {\n    }\n};\n",
        &["Item 1-4", "Item.total 2-3"],
    );
    check(
        "python",
        "class A:\n    @x\n    def b(self):\n        pass\n\nLIMIT = 1\n",
        &["A 1-4", "A.b 2-4", "LIMIT 6-6"],
    );
    check(
        "javascript",
        "export function f({a, b}) {\n  g({});\n}\nclass C {\n  m(x) {\n  }\n}\n",
        &["f 1-3", "C 4-7", "C.m 5-6"],
    );
    check(
        "c",
        "#define A 1\nint add(int a,\n        int b)\n{\n  return f(a);\n}\nint g(void);\n",
        &["A 1-1", "add 2-6", "g 7-7"],
    );
    check(
        "cpp",
        "namespace n {\nclass A : B {\n  int x();\n};\nint A::x() {\n}\n}\n",
        &["n 1-7", "n.A 2-4", "n.A.x 3-3", "n.A.x 5-6"],
    );
    check(
        "java",
        "class A {\n  private int f(int x) {\n    if (x > 0) {\n    }\n    return g(x);\n  }\n}\n",
        &["A 1-7", "A.f 2-6"],
    );
    check(
        "ruby",
        "class A\n  def b?(x) = 1\n  def c\n    if x\n    end\n  end\nend\n",
        &["A 1-7", "A.b? 2-2", "A.c 3-6"],
    );
    check("lua", "local function f(x)\n  if x then\n  end\nend\nfunction M.g() end\n", &["f 1-4", "M.g 5-5"]);
    check(
        "elixir",
        "defmodule A do\n  def f(1), do: 1\n  def f(x) do\n    x\n  end\nend\n",
        &["A 1-6", "A.f 2-5"],
    );
    check(
        "erlang",
        "-module(a).\nf(1) -> 1;\nf(X) ->\n    g(X).\n\ng(X) -> X.\n",
        &["a 1-1", "f 2-4", "g 6-6"],
    );
    check(
        "haskell",
        "module A where\nf' :: Int -> Int\nf' 0 = 1\nf' x = y\n  where y = x\ndata T = T\n",
        &["A 1-1", "f' 2-5", "T 6-6"],
    );
    check("shell", "f() {\n  echo 'g() {'\n}\nfunction h {\n}\nA=1\n", &["f 1-3", "h 4-5", "A 6-6"]);
    check(
        "sql",
        "CREATE TABLE shop.items (\n  id int\n);\ncreate or replace view v as select 1;\n",
        &["shop.items 1-3", "v 4-4"],
    );
    check("hcl", "resource \"aws_instance\" \"web\" {\n  a = 1\n}\n", &["web 1-3"]);
    check(
        "protobuf",
        "message A {\n  string b = 1;\n}\nservice S {\n  rpc Get (A) returns (A);\n}\n",
        &["A 1-3", "S 4-6", "S.Get 5-5"],
    );
    check(
        "css",
        ".a > b {\n  --c: 1;\n}\n@media print {\n  .d { }\n}\n",
        &[".a > b 1-3", ".a > b.--c 2-2", "print 4-6", "print..d 5-5"],
    );
    check("markdown", "# A\ntext\n## B\n```sh\n# no\n```\nC\n===\n", &["A 1-6", "A.B 3-6", "C 7-8"]);
    check("makefile", "A := 1\nall: b c\n\tcc\n\nb:\n\techo\n", &["A 1-1", "all 2-3", "b 5-6"]);
    check("powershell", "function Get-It {\n}\nClass A {\n}\n", &["Get-It 1-2", "A 3-4"]);
    check("r", "f <- function(x) {\n  x\n}\nB <- 1\n", &["f 1-3", "B 4-4"]);
    check("solidity", "contract A {\n  function f() public {\n  }\n}\n", &["A 1-4", "A.f 2-3"]);
    check("julia", "function f(x)\n  x\nend\ng(x) = 1\nstruct P\nend\n", &["f 1-3", "g 4-4", "P 5-6"]);
    check(
        "ocaml",
        "let rec f x =\n  x\nmodule M = struct\n  let g = 1\nend\ntype t = int\n",
        &["f 1-2", "M 3-5", "M.g 4-4", "t 6-6"],
    );
    check("forth", ": square ( n -- n )\n  dup * ;\nvariable x\n", &["square 1-2", "x 3-3"]);
    check(
        "cmake",
        "function(add_it name)\n  set(A 1)\nendfunction()\nadd_library(core a.c)\n",
        &["add_it 1-3", "core 4-4"],
    );
    check("lean-4", "theorem t : 1 = 1 := by\n  rfl\n\ndef f := 1\n", &["t 1-2", "f 4-4"]);
    check("coq", "Lemma l : True.\nProof.\n  exact I.\nQed.\n\nDefinition d := 1.\n", &["l 1-4", "d 6-6"]);
}

#[test]
fn a_header_of_several_lines_does_not_end_its_body() {
    check("python", "def f(\n    a,\n) -> int:\n    return a\n\ng = f(\n    1,\n)\n", &["f 1-4", "g 6-6"]);
}

#[test]
fn words_of_one_language_are_names_in_another() {
    check("perl", "sub new { }\nsub delete { }\n", &["new 1-1", "delete 2-2"]);
    check("rust", "fn new() {\n}\nfn when() {\n}\n", &["new 1-2", "when 3-4"]);
    check("erlang", "new() -> ok.\n", &["new 1-1"]);
    check("c", "int main(void) {\n  if (x) {\n  }\n}\nwhile (x) {\n}\n", &["main 1-4"]);
}

#[test]
fn languages_without_a_family_give_nothing() {
    for id in ["json", "csv", "brainfuck"] {
        assert!(!covers(language(id)) && extract(language(id), "def a\n").is_none(), "{id}");
    }
}

#[test]
fn bytes_that_are_no_text_keep_every_place() {
    let source = b"# caf\xe9\nsub caf\xc3\xa9 {\n}\n";
    let text = text(source);
    assert_eq!(text.len(), source.len());
    let found = found("perl", &text);
    assert_eq!((found.symbols[0].name.as_str(), found.symbols[0].span.bytes.clone()), ("café", 7..20));
    assert_eq!(found.symbols[0].doc, Some(0..5));
}

#[test]
fn letters_of_several_bytes_shift_nothing() {
    let source = "# « größer » — ünïcode\nsub f { 'é' }\nsub g { }\n";
    let symbols = found("perl", source).symbols;
    let text = |place: usize| {
        &source[symbols[place].span.bytes.start as usize..symbols[place].span.bytes.end as usize]
    };
    assert_eq!((text(0), text(1)), ("sub f { 'é' }", "sub g { }"));
}

#[test]
fn larger_texts_are_left_alone() {
    let large = "sub a { }\n".repeat(BYTES_CAP / 10 + 1);
    let found = found("perl", &large);
    assert_eq!((found.symbols.len(), found.partial), (0, Some(Partial::TooLarge)));
}

/// What a quadratic step would never finish.
#[test]
fn hostile_texts_are_read_to_the_end() {
    let of = |text: &str| text.repeat(40_000 / text.len());
    let texts = [
        of("{"),
        of("}"),
        of("("),
        of("sub a {"),
        of("sub a {\n"),
        of("/*"),
        of("/**/"),
        of("/**/\n"),
        of("\""),
        of("'"),
        of("\\"),
        of("def a\n"),
        of("end\n"),
        of("  "),
        of(" \n"),
        of("=\n"),
        of("# a\n"),
        of("int a("),
        of("a::"),
        of("\n=pod\n"),
        of("```\n"),
        of("$$"),
        of("a(x) :- b.\n"),
        of("@a\n"),
        of("<a>\n"),
        of("\u{e9}"),
    ];
    for id in
        ["perl", "c", "javascript", "ruby", "python", "common-lisp", "prolog", "markdown", "fortran", "vbnet"]
    {
        for text in &texts {
            let found = found(id, text);
            assert!(found.symbols.len() <= crate::symbols::SYMBOLS_CAP);
        }
    }
}

proptest::proptest! {
    #[test]
    fn whatever_is_read_places_lie_in_the_text(
        row in 0..rows::all().count(),
        source in "(def |sub |fn |class |end|\\{|\\}|\\(|\\)|\"|'|`|#|//|/\\*|\\*/|--|;|=|:|\\.|\\\\|%|é|[a-z]{1,3}|[A-Z]| |\n|\n  |\t|=begin|```|# ){0,80}",
    ) {
        let row = rows::all().nth(row).expect("in range");
        let scrubbed = scrub::scrub(&row.lexis, &source);
        assert_eq!(scrubbed.text.len(), source.len());
        assert!(source.bytes().zip(scrubbed.text.bytes()).all(|(old, new)| (old == b'\n') == (new == b'\n')));
        let found = found(row.languages[0], &source);
        for symbol in &found.symbols {
            let bytes = symbol.span.bytes.start as usize..symbol.span.bytes.end as usize;
            assert!(source.get(bytes).is_some_and(|text| text.contains(&symbol.name)));
            assert!(symbol.span.bytes.contains(&symbol.signature_end) || symbol.span.bytes.end == symbol.signature_end);
            if let Some(doc) = &symbol.doc {
                assert!(source.get(doc.start as usize..doc.end as usize).is_some_and(|doc| !doc.is_empty()));
            }
        }
        assert!(found.symbols.is_sorted_by_key(|symbol| symbol.span.bytes.start));
        assert!(found.references.is_sorted_by(|a, b| (a.symbol, &a.name) < (b.symbol, &b.name)));
    }
}
