//! Fault 3: kinds of definitions that the original did not see.

use ctxhost_code::symbols::Kind;

use super::check;

#[test]
fn rust_types_values_macros_and_trait_signatures_are_found() {
    check("rust", "type Key = u8;", &[("Key", Kind::TypeAlias)]);
    check(
        "rust",
        "const LIMIT: u8 = 1; static COUNT: u8 = 0; static mut MANY: u8 = 0;",
        &[("LIMIT", Kind::Constant), ("COUNT", Kind::Variable), ("MANY", Kind::Variable)],
    );
    check("rust", "macro_rules! cart { () => {} }", &[("cart", Kind::Macro)]);
    check("rust", "union Bits { whole: u32 }", &[("Bits", Kind::Union), ("Bits.whole", Kind::Field)]);
    check("rust", "struct P { x: u8 }", &[("P", Kind::Struct), ("P.x", Kind::Field)]);
    check(
        "rust",
        "trait Shape { const SIDES: u8; type Out; fn area(&self) -> f64; fn twice(&self) -> f64 { 2.0 } }",
        &[
            ("Shape", Kind::Trait),
            ("Shape.SIDES", Kind::Constant),
            ("Shape.Out", Kind::TypeAlias),
            ("Shape.area", Kind::Method),
            ("Shape.twice", Kind::Method),
        ],
    );
    check(
        "rust",
        "extern \"C\" { fn ext(); static S: u8; }",
        &[("ext", Kind::Function), ("S", Kind::Variable)],
    );
}

#[test]
fn c_types_values_fields_and_macros_are_found() {
    check("c", "typedef unsigned long size;", &[("size", Kind::TypeAlias)]);
    check("c", "typedef int (*handler)(int);", &[("handler", Kind::TypeAlias)]);
    check("c", "#define MAX 10\n#define SQ(x) ((x) * (x))\n", &[("MAX", Kind::Macro), ("SQ", Kind::Macro)]);
    check("c", "union value { int whole; };", &[("value", Kind::Union), ("value.whole", Kind::Field)]);
    check("c", "enum e { A, B };", &[("e", Kind::Enum), ("e.A", Kind::Variant), ("e.B", Kind::Variant)]);
    check(
        "c",
        "static int hidden = 1;\nextern int shared;\nint table[3];\nchar *name;\nint (*callback)(int);\n",
        &[
            ("hidden", Kind::Variable),
            ("shared", Kind::Variable),
            ("table", Kind::Variable),
            ("name", Kind::Variable),
            ("callback", Kind::Variable),
        ],
    );
    check("c", "const int limit = 2;", &[("limit", Kind::Constant)]);
}

#[test]
fn go_types_and_values_are_found() {
    check(
        "go",
        "package a\ntype Cart struct { items, more int }\n",
        &[("Cart", Kind::Struct), ("Cart.items", Kind::Field), ("Cart.more", Kind::Field)],
    );
    check(
        "go",
        "package a\ntype Item interface { Price() int }\n",
        &[("Item", Kind::Interface), ("Item.Price", Kind::Method)],
    );
    check(
        "go",
        "package a\ntype (\n\tOne int\n\tTwo = string\n\tThree func(int) int\n)\n",
        &[("One", Kind::TypeAlias), ("Two", Kind::TypeAlias), ("Three", Kind::TypeAlias)],
    );
    check(
        "go",
        "package a\nconst (\n\tX = iota\n\tY\n)\nvar V, W = 1, 2\nvar f = func() {}\n",
        &[
            ("X", Kind::Constant),
            ("Y", Kind::Constant),
            ("V", Kind::Variable),
            ("W", Kind::Variable),
            ("f", Kind::Function),
        ],
    );
    check(
        "go",
        "package a\ntype G[T any] struct{}\nfunc (g *G[T]) Get() {}\n",
        &[("G", Kind::Struct), ("G.Get", Kind::Method)],
    );
}

#[test]
fn java_constructors_records_and_fields_are_found() {
    check("java", "class A { A(int b) {} }", &[("A", Kind::Class), ("A.A", Kind::Constructor)]);
    check(
        "java",
        "record P(int x) { P {} static int made; }",
        &[("P", Kind::Struct), ("P.x", Kind::Field), ("P.P", Kind::Constructor), ("P.made", Kind::Field)],
    );
    check(
        "java",
        "class A { int plain; private final String name = \"\"; static long[] one, two; static final int LIMIT = 1; }",
        &[
            ("A", Kind::Class),
            ("A.plain", Kind::Field),
            ("A.name", Kind::Field),
            ("A.one", Kind::Field),
            ("A.two", Kind::Field),
            ("A.LIMIT", Kind::Constant),
        ],
    );
    check("java", "interface I { int X = 1; }", &[("I", Kind::Interface), ("I.X", Kind::Constant)]);
}

#[test]
fn functions_in_variables_are_found() {
    check("javascript", "const f = () => 1;", &[("f", Kind::Function)]);
    check("javascript", "let g = async function () {};", &[("g", Kind::Function)]);
    check("javascript", "module.exports = function () {};", &[("exports", Kind::Function)]);
    check("javascript", "module.exports.add = function () {};", &[("add", Kind::Function)]);
    check("javascript", "exports.add = () => 1;", &[("add", Kind::Function)]);
    check("typescript", "let g = function (a: number) { return a; };", &[("g", Kind::Function)]);
    check("typescript", "export const h = async (x: number) => x;", &[("h", Kind::Function)]);
    check("python", "f = lambda x: x\n", &[("f", Kind::Function)]);
}

#[test]
fn typescript_and_python_types_and_values_are_found() {
    check("typescript", "type Key = string;", &[("Key", Kind::TypeAlias)]);
    check(
        "typescript",
        "class A { static count = 0; private name: string; handler = () => 1; constructor(public x: number) {} }",
        &[
            ("A", Kind::Class),
            ("A.count", Kind::Field),
            ("A.name", Kind::Field),
            ("A.handler", Kind::Method),
            ("A.constructor", Kind::Constructor),
            ("A.x", Kind::Field),
        ],
    );
    check("typescript", "const LIMIT = 1; let v = 2;", &[("LIMIT", Kind::Constant), ("v", Kind::Variable)]);
    check(
        "python",
        "LIMIT = 3\ncount: int = 0\ntype Key = str\nclass A:\n    field: int = 1\n",
        &[
            ("LIMIT", Kind::Constant),
            ("count", Kind::Variable),
            ("Key", Kind::TypeAlias),
            ("A", Kind::Class),
            ("A.field", Kind::Field),
        ],
    );
}

#[test]
fn cpp_files_with_classes_and_namespaces_are_found() {
    let source = "namespace n { class A { public: void m(); }; }\nvoid n::A::m() {}\n";
    let expected =
        [("n", Kind::Module), ("n.A", Kind::Class), ("n.A.m", Kind::Method), ("n.A.m", Kind::Method)];
    check("cpp", source, &expected);
    check("cpp", "namespace a::b { void f() {} }", &[("a.b", Kind::Module), ("a.b.f", Kind::Function)]);
    check("cpp", "A::A() {}\nA::~A() {}\n", &[("A.A", Kind::Constructor), ("A.~A", Kind::Method)]);
}

#[test]
fn cpp_static_members_are_found() {
    check(
        "cpp",
        "class A { static int count; static const int LIMIT = 3; inline static int made = 0; static A make(); };",
        &[
            ("A", Kind::Class),
            ("A.count", Kind::Field),
            ("A.LIMIT", Kind::Field),
            ("A.made", Kind::Field),
            ("A.make", Kind::Method),
        ],
    );
    for definition in [
        "int A::count = 0;",
        "int A::count;",
        "int A::count{1};",
        "std::string A::count(\"x\");",
        "int *A::count = nullptr;",
        "const char *A::count;",
        "const char *A::count[] = {};",
        "int A::count[3] = {1};",
        "int A::count[3];",
        "int &A::count = one;",
    ] {
        check("cpp", definition, &[("A.count", Kind::Field)]);
    }
    check("cpp", "int n::A::count;", &[("n.A.count", Kind::Field)]);
}

#[test]
fn cpp_types_values_and_macros_are_found() {
    check("cpp", "using Key = int; typedef int Old;", &[("Key", Kind::TypeAlias), ("Old", Kind::TypeAlias)]);
    check("cpp", "union U { int i; };", &[("U", Kind::Union), ("U.i", Kind::Field)]);
    check(
        "cpp",
        "static int hidden = 1;\nconst char *const names[] = {};\nconstexpr int limit = 1;\n#define MAX 10\n",
        &[
            ("hidden", Kind::Variable),
            ("names", Kind::Variable),
            ("limit", Kind::Constant),
            ("MAX", Kind::Macro),
        ],
    );
}
