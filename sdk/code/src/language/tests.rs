use std::collections::BTreeSet;

use super::{
    table::{Row, table},
    *,
};

fn check(path: &str, head: impl AsRef<[u8]>, expected: &str) {
    let found = detect(path, head.as_ref()).map_or("-", Language::id);
    assert_eq!(found, expected, "{path}: {:?}", String::from_utf8_lossy(head.as_ref()));
}

fn each_row() -> impl Iterator<Item = (Language, &'static Row)> {
    all().map(|language| (language, table().row(language)))
}

#[test]
fn ids_are_sorted_unique_and_plain() {
    let ids: Vec<&str> = all().map(Language::id).collect();
    assert!(ids.is_sorted_by(|a, b| a < b));
    assert!(
        ids.iter().all(|id| id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'))
    );
    for language in all() {
        assert_eq!(Language::of_id(language.id()), Some(language));
    }
    assert_eq!(Language::of_id("Rust"), None);
    assert_eq!(Language::of_id(""), None);
}

#[test]
fn fences_fit_a_fence() {
    for language in all() {
        let fence = language.fence();
        assert!(
            !fence.is_empty() && !fence.contains(|c: char| c.is_whitespace() || c == '`'),
            "{language:?}"
        );
    }
}

#[test]
fn more_than_six_hundred_languages_are_detected_by_a_path() {
    let mut detected = BTreeSet::new();
    for (language, row) in each_row() {
        let endings = row.extensions().filter(|each| table().with_extension(each).len() == 1);
        let paths = row.filenames().map(str::to_owned).chain(endings.map(|each| format!("some/file.{each}")));
        detected.extend(paths.filter(|path| detect(path, b"") == Some(language)).map(|_| language));
    }
    assert!(detected.len() > 650, "{}", detected.len());
    assert!(detected.iter().filter(|language| language.is_code()).count() > 350);
}

#[test]
fn every_extension_of_one_language_means_it() {
    for (language, row) in each_row() {
        for ending in row.extensions().filter(|each| table().with_extension(each).len() == 1) {
            check(&format!("a.{ending}"), "", language.id());
        }
    }
}

#[test]
fn every_interpreter_means_one_of_its_languages() {
    for (_, row) in each_row() {
        for name in row.interpreters() {
            let found = detect("bin/tool", format!("#!/usr/bin/env {name}\n").as_bytes()).expect(name);
            assert!(table().with_interpreter(name).contains(&found), "{name}");
        }
    }
}

#[test]
fn every_extension_of_several_languages_has_its_line_and_every_sign_is_heard() {
    let mut unheard = Vec::new();
    for extension in each_row().flat_map(|(_, row)| row.extensions()) {
        let owners = table().with_extension(extension);
        if owners.len() < 2 {
            continue;
        }
        assert!(ambiguous::knows(extension), "{extension}");
        for (language, text) in ambiguous::samples(extension) {
            assert!(owners.contains(&language), "{extension} {language:?}");
            let found = ambiguous::choose(extension, &text).expect("a line");
            if found != language {
                unheard.push((extension, text, found, language));
            }
        }
    }
    assert!(unheard.is_empty(), "{unheard:#?}");
}

#[test]
fn whole_names_go_first() {
    check("Makefile", "", "makefile");
    check("src/GNUmakefile", "", "makefile");
    check("Makefile.am", "", "makefile");
    check("Makefile.PL", "use strict;", "perl");
    check("Dockerfile", "FROM alpine", "docker");
    check("deploy/Dockerfile.dev", "", "docker");
    check("Containerfile", "", "docker");
    check("CMakeLists.txt", "", "cmake");
    check("Jenkinsfile", "pipeline {", "groovy");
    check("BUILD", "", "starlark");
    check("WORKSPACE.bazel", "", "starlark");
    check(".bashrc", "", "shell");
    check("home/.zshrc", "", "shell");
    check("Gemfile", "", "ruby");
    check("Rakefile", "", "ruby");
    check("Vagrantfile", "", "ruby");
    check("Cargo.lock", "", "toml");
    check("go.mod", "", "go-module");
    check("package.json", "{}", "json");
    check("tsconfig.json", "{}", "json-with-comments");
    check(".env.local", "", "dotenv");
    check(".gitignore", "", "ignore-list");
    check(".editorconfig", "", "editorconfig");
    check("Kconfig", "", "kconfig");
    check("justfile", "", "just");
    check("meson.build", "", "meson");
    check("PKGBUILD", "", "shell");
    check("poetry.lock", "", "toml");
}

#[test]
fn extensions_are_read_in_any_case_and_the_longest_first() {
    check("SRC/MAIN.PY", "", "python");
    check("Photo.JSON", "", "json");
    check("lib.RS", "", "rust");
    check("Parser.C", "", "cpp");
    check("PARSER.C", "", "c");
    check("types.d.ts", "", "typescript");
    check("a.test.tsx", "", "tsx");
    check("view.html.erb", "", "erb");
    check("x.blade.php", "", "blade");
    check("build.gradle.kts", "", "kotlin");
    check("build.gradle", "", "gradle");
    check("App.jsx", "", "jsx");
    check("a.mjs", "", "javascript");
    check("a.mts", "", "typescript");
    check("x.pyi", "", "python");
    check("config.yml", "", "yaml");
    check("main.tf", "", "hcl");
    check("api.proto", "", "protobuf");
    check("q.graphql", "", "graphql");
    check("App.svelte", "", "svelte");
    check("App.vue", "", "vue");
    check("x.ex", "", "elixir");
    check("x.kt", "", "kotlin");
    check("x.zig", "", "zig");
    check("a.scss", "", "scss");
    check("run.ps1", "", "powershell");
    check("run.bat", "", "batch");
    check("x.f90", "", "fortran-free-form");
    check("x.vhd", "", "vhdl");
    check("x.adb", "", "ada");
    check("x.cob", "", "cobol");
    check("nginx.conf", "", "nginx");
}

#[test]
fn copies_are_what_they_are_copies_of() {
    check("config.h.in", "", "c");
    check("settings.toml.example", "", "toml");
    check("main.py.orig", "", "python");
    check("setup.sh.in.bak", "", "shell");
}

#[test]
fn the_text_decides_where_an_extension_has_several_owners() {
    check("a.h", "int add(int, int);\n", "c");
    check("a.h", "#pragma once\n\n  namespace a { }\n", "cpp");
    check("a.h", "template <class T> struct A;\n", "cpp");
    check("a.h", "#import <UIKit/UIKit.h>\n@interface A : NSObject\n@end\n", "objective-c");
    check("a.m", "#import \"A.h\"\n@implementation A\n", "objective-c");
    check("a.m", "% adds\nfunction c = add(a, b)\n  c = a + b;\nend\n", "matlab");
    check("a.m", ":- module hello.\n:- interface.\n", "mercury");
    check("a.m", "(* ::Package:: *)\nBeginPackage[\"A`\"]\n", "wolfram-language");
    check("a.pl", "use strict;\nmy $x = 1;\n", "perl");
    check("a.pl", ":- use_module(library(lists)).\nparent(a, b).\n", "prolog");
    check("a.pl", "grand(X, Z) :- parent(X, Y), parent(Y, Z).\n", "prolog");
    check("a.pl", "use v6;\nsay 1;\n", "raku");
    check("a.r", "f <- function(x) x\n", "r");
    check("a.R", "", "r");
    check("a.r", "REBOL [Title: \"x\"]\n", "rebol");
    check("a.v", "module top(input clk);\nendmodule\n", "verilog");
    check("a.v", "Theorem plus_O_n : forall n, 0 + n = n.\nProof.\n", "coq");
    check("a.v", "fn main() {\n\tprintln('hi')\n}\n", "v");
    check("a.fs", "module A\nlet x = 1\n", "fsharp");
    check("a.fs", "#version 330 core\nout vec4 c;\n", "glsl");
    check("a.fs", ": square dup * ;\n", "forth");
    check("a.ts", "export const a = 1;\n", "typescript");
    check("de.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\">\n", "xml");
    check("a.cls", "public class A {}\n", "apex");
    check("a.cls", "\\NeedsTeXFormat{LaTeX2e}\n", "tex");
    check("a.cls", "VERSION 1.0 CLASS\nBEGIN\n", "vb6");
    check("a.d", "module a;\nvoid main() {}\n", "d");
    check("a.d", "target/a.o: src/a.c \\\n", "makefile");
    check("a.inc", "<?php\nreturn 1;\n", "php");
    check("a.inc", "X(one)\n#define X\n", "cpp");
    check("a.sql", "CREATE TABLE a (id int);\n", "sql");
    check("a.sql", "create function f() returns int as $$ begin end $$ language plpgsql;\n", "plpgsql");
    check("a.sql", "USE x\nGO\n", "tsql");
    check("a.md", "# Title\n", "markdown");
    check("a.rs", "fn main() {}\n", "rust");
    check("a.t", "use Test::More;\n", "perl");
    check("a.ex", "defmodule A do\n", "elixir");
    check("a.php", "<?hh\n", "hack");
    check("a.cgi", "#!/usr/bin/python3\n", "python");
    check("a.l", "%{\n%}\n", "lex");
    check("a.scm", "(define x 1)\n", "scheme");
    check("a.s", "\t.globl main\n", "unix-assembly");
    check("a.pro", "TEMPLATE = app\n", "qmake");
    check("a.cs", "namespace A;\n", "csharp");
    check("a.plist", "<?xml version=\"1.0\"?>\n", "xml-property-list");
}

#[test]
fn interpreters_are_found_behind_env_options_and_versions() {
    check("run", "#!/bin/sh\necho\n", "shell");
    check("run", "#! /usr/bin/env bash\n", "shell");
    check("run", "#!/usr/bin/env python3.11\n", "python");
    check("run", "#!/usr/bin/python2.7 -u\n", "python");
    check("run", "#!/usr/bin/env -S python3 -u\n", "python");
    check("run", "#!/usr/bin/env -Spython3 -u\n", "python");
    check("run", "#!/usr/bin/env -i -u HOME A=1 ruby3.2 -w\n", "ruby");
    check("run", "#!/usr/bin/env --split-string=node --no-warnings\n", "javascript");
    check("run", "#!/usr/bin/env -S deno run --allow-net\n", "javascript");
    check("tool.ts", "#!/usr/bin/env node\n", "typescript");
    check("run", "#!/usr/local/bin/lua5.4\n", "lua");
    check("run", "#!/usr/bin/perl -w\n", "perl");
    check("run", "#!/usr/bin/awk -f\n", "awk");
    check("run", "#!/usr/bin/env nix-shell\n#! nix-shell -i python3 -p python3\n", "python");
    check("run", "#!/bin/sh\n# \\\nexec tclsh \"$0\" \"$@\"\n", "tcl");
    check("run", "#!/usr/bin/env Rscript\r\n", "r");
    check("run", "#!\n", "-");
    check("run", "#!/usr/bin/env\n", "-");
    check("run", "#!/opt/thing/unknown9\n", "-");
}

#[test]
fn editors_are_told_by_the_text() {
    check("vector", "// -*- C++ -*-\n", "cpp");
    check("a.h", "/* -*- mode: objc; tab-width: 4 -*- */\n", "objective-c");
    check("a", ";; -*- emacs-lisp -*-\n", "emacs-lisp");
    check("a", "; -*- mode: clojure-mode -*-\n", "clojure");
    check("a.txt", "hi\n# vim: set ft=ruby sw=2:\n", "ruby");
    check("a", "hi\n// vi:syntax=javascript\n", "javascript");
    check("a", "#!/bin/sh\n# vim600: ft=perl.doxygen\n", "perl");
    check("a", "\n\n\n\n\n\n\n\n/* vim: ft=cpp */\n", "cpp");
    check("a.py", "# -*- coding: utf-8 -*-\n", "python");
    check("a.py", "# -*- mode: text -*-\n", "python");
    check("a.py", "# navim:ft=ruby\n", "python");
    let long = format!("{}\n/* vim: ft=cpp */\n", "x\n".repeat(HEAD));
    check("a", long, "-");
}

#[test]
fn beginnings_show_what_has_no_name() {
    check("index", "<?php echo 1;", "php");
    check("feed", "\n<?xml version='1.0'?><rss/>", "xml");
    check("logo", "<?xml version='1.0'?>\n<svg></svg>", "svg");
    check("page", "<!DOCTYPE HTML>\n", "html");
    check("_tool", "#compdef tool\n", "shell");
    check("plain", "Hello.\n", "-");
    check("empty", "", "-");
    check("", "", "-");
    check("a/", "", "-");
}

#[test]
fn what_is_not_utf8_is_read_as_far_as_it_goes() {
    check("run", b"\xef\xbb\xbf#!/usr/bin/env ruby\n", "ruby");
    check("run", b"#!/usr/bin/env ruby\n# \xff\xfe\xe9\n", "ruby");
    check("a.h", b"// caf\xe9\nnamespace a {}\n", "cpp");
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("#import <A.h>\n".bytes().flat_map(|byte| [byte, 0])).collect();
    check("a.h", utf16, "objective-c");
    check("blob", [0, 159, 146, 150].repeat(4096), "-");
    check(&".".repeat(255), "", "-");
    check(&"a.in.bak".repeat(30), "", "-");
}

#[test]
fn people_may_call_a_language_by_any_of_its_names() {
    let id = |name: &str| Language::named(name).map_or("-", Language::id);
    let names = [
        "C++",
        "c#",
        "js",
        "ts",
        "golang",
        "rs",
        "py",
        "sh",
        "objc",
        ".kt",
        "Dockerfile",
        "Rust",
        "jsx",
        "?",
    ];
    let expected = [
        "cpp",
        "csharp",
        "javascript",
        "typescript",
        "go",
        "rust",
        "python",
        "shell",
        "objective-c",
        "kotlin",
        "docker",
        "rust",
        "jsx",
        "-",
    ];
    assert_eq!(names.map(id), expected);
}

#[test]
fn fences_are_what_renderers_know() {
    let fence = |id: &str| Language::of_id(id).expect(id).fence();
    let pairs = [
        ("tsx", "tsx"),
        ("jsx", "jsx"),
        ("csharp", "cs"),
        ("objective-c", "objc"),
        ("shell", "sh"),
        ("cpp", "cpp"),
        ("c", "c"),
        ("fsharp", "fsharp"),
        ("docker", "dockerfile"),
        ("makefile", "makefile"),
        ("common-lisp", "lisp"),
        ("emacs-lisp", "elisp"),
        ("json-with-comments", "jsonc"),
        ("tex", "latex"),
        ("vim", "vim"),
        ("yaml", "yaml"),
        ("restructuredtext", "rst"),
        ("markdown", "markdown"),
        ("powershell", "powershell"),
        ("vbnet", "vb"),
        ("protobuf", "protobuf"),
        ("hcl", "hcl"),
        ("batch", "bat"),
        ("go-module", "go.mod"),
        ("kotlin", "kotlin"),
    ];
    for (id, expected) in pairs {
        assert_eq!(fence(id), expected);
    }
}

#[test]
fn code_is_told_from_data_markup_and_prose() {
    let code = |id: &str| Language::of_id(id).expect(id).is_code();
    for id in ["rust", "sql", "protobuf", "graphql", "vue", "svelte", "shell", "makefile", "jsx"] {
        assert!(code(id), "{id}");
    }
    for id in ["json", "yaml", "toml", "markdown", "html", "css", "text", "svg", "csv"] {
        assert!(!code(id), "{id}");
    }
}

proptest::proptest! {
    #[test]
    fn nothing_makes_detection_panic(path in "\\PC{0,40}(\\.[a-zA-Z0-9]{0,4}){0,3}", head: Vec<u8>) {
        detect(&path, &head);
    }

    #[test]
    fn no_first_lines_make_detection_panic(
        path in "[a-z]{0,2}\\.(h|m|pl|sql|inc|v|cls)",
        head in "(#!|vim:|-\\*-|exec |é|\\$0|env| |/|\n|=|ft|:|;|mode|[a-z]){0,60}",
    ) {
        detect(&path, head.as_bytes());
    }
}
