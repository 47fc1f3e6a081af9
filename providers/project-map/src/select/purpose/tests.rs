//! Files, and what they say of themselves.

use super::*;

fn check(path: &str, language: &str, text: &str, expected: &str) {
    let code = !matches!(language, "markdown" | "text" | "yaml" | "toml");
    assert_eq!(of(path, language, code, text, &[]), expected, "{text}");
}

#[test]
fn a_document_says_it_in_its_first_paragraph() {
    check("README.md", "markdown", "# Shop\n\nSells *many* [things](x). Fast.\n", "Sells many things.");
    let badges = "Title\n=====\n\n[![CI](a)](b) [![x](y)](z)\n\n<p align=\"center\">\n <em>A fast web framework</em>\n</p>\n";
    check("README.md", "markdown", badges, "A fast web framework");
    check(
        "a.md",
        "markdown",
        "---\ntitle: x y z\n---\n```sh\nrun this now\n```\nReal words here.",
        "Real words here.",
    );
    check("a.md", "markdown", "# Only a title\n", "");
    check("a.md", "markdown", "> [!NOTE]\n> Mind the gap.\n", "Mind the gap.");
    check("summary", "", "rg 0.3 seconds, ag 1.7 seconds", "");
    check("LICENSE.md", "markdown", "Permission is hereby granted to all.", "");
    check("a.md", "markdown", "use `read_file` <!-- hidden --> well", "use 'read_file' well");
    check("a.md", "markdown", "<b", "");
}

#[test]
fn code_says_it_in_its_module_comment() {
    check("a.rs", "rust", "// Copyright\n\n//! Reads files.\n//! More.\nuse x;", "Reads files.");
    check("a.rs", "rust", "/*!\nThe main module of it all.\n*/", "The main module of it all.");
    check("a.rs", "rust", "// not about the module\nfn a() {}", "");
    check(
        "a.py",
        "python",
        "#!/usr/bin/python\n# x\n\"\"\"Reads the files.\n\nMore\"\"\"\n",
        "Reads the files.",
    );
    check("a.py", "python", "import os\n\"\"\"No docstring here\"\"\"", "");
    let go = "// Copyright 2020 The Authors\n// All rights reserved.\n\n// Package shop sells things.\npackage shop\n";
    check("a.go", "go", go, "Package shop sells things.");
    check(
        "a.js",
        "javascript",
        "/** @import { X } from 'y' */\nimport a from 'b';\n// no module comment",
        "",
    );
    check(
        "a.js",
        "javascript",
        "/* eslint-disable */\n// Draws all charts.\n// More of it\nimport a",
        "Draws all charts.",
    );
    check("a.c", "c", "/*\n * Sorts numbers in place.\n */\n#include <x.h>\n", "Sorts numbers in place.");
    check("a.sh", "shell", "#!/bin/sh\n# Builds the release.\nset -e\n", "Builds the release.");
    check("Makefile", "makefile", &format!("# {}", "[".repeat(100_000)), "");
    check("a.md", "markdown", &"<b [x](".repeat(20_000), "");
    check("a.js", "javascript", "/* never closed, but said", "never closed, but said");
}

#[test]
fn what_is_no_sentence_about_the_file_is_left_out() {
    check(
        "FAQ.md",
        "markdown",
        "# FAQ\n\n* [Does it work with files?](#a)\n* [And why?](#b)\n\nYes, it does so.\n",
        "",
    );
    check("SKILL.md", "markdown", "1. Start from a branch you want to measure\n2. Measure it\n", "");
    check(
        "README.md",
        "markdown",
        "- [English here](a)\n- [Auf Deutsch](b)\n\nSells many things.\n",
        "Sells many things.",
    );
    check(
        "a.md",
        "markdown",
        "---\nname: x\ndescription: Finds what is slow.\n---\n1. Start from a branch\n",
        "Finds what is slow.",
    );
    check("a.md", "markdown", "> [!NOTE] See [the guide](x) before that.\n", "See the guide before that.");
    check("a.md", "markdown", "@include .generated/client-errors.md\n", "");
    check("a.md", "markdown", "> MODULE: svelte/store\n\nKeeps what changes.\n", "Keeps what changes.");
    check("a.md", "markdown", "A `<img>` needs an `alt` text.\n", "A '<img>' needs an 'alt' text.");
    check("a.js", "javascript", "// import thing from './thing';\nlet a = 1;\n", "");
    check("a.js", "javascript", "// const old = make(thing);\n\nlet a = 1;\n", "");
    check("a.py", "python", "\"\"\"\nfrom shop import things\n\"\"\"\n", "");
    check("a.js", "javascript", "/* ======== */\n// Licensed under the MIT terms of use\n", "");
    check(
        "a.ts",
        "typescript",
        "// Reads the config (see below).\nlet a;\n",
        "Reads the config (see below).",
    );
}

#[test]
fn a_path_of_this_machine_is_told_whatever_its_marks() {
    for path in [r"C:\Users\alice\work", r"C:\_alice\*work*", r"**C:\Users\alice**", "/home/_alice_/work"] {
        check("a.py", "python", &format!("\"\"\"See {path} for details.\"\"\"\n"), "");
        check("README.md", "markdown", &format!("# Shop\n\nSee {path} for details.\n"), "");
    }
    // What a link points to is not shown, and what is escaped is no path.
    check("a.md", "markdown", "See [the guide](/home/alice/x) first.\n", "See the guide first.");
    check(
        "a.md",
        "markdown",
        r"Multiplies a \* b and keeps \_all\_ of it, as in \d+ here.",
        r"Multiplies a * b and keeps _all_ of it, as in \d+ here.",
    );
}
