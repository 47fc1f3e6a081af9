//! Languages of parentheses.

use super::super::family::{End, Family, HASH_TEXT, Lexis, import, item};
use crate::symbols::Kind::*;

const LISP_TEXT: Lexis =
    Lexis { line: &[";"], block: &[("#|", "|#")], quotes: b"\"", long_quotes: b"\"", ..HASH_TEXT };

/// What a name may hold besides letters.
const JOINED: &str = "-?!*+/<>=";

pub(super) const FAMILIES: &[Family] = &[
    Family {
        languages: &["clojure", "fennel", "hy", "janet"],
        lexis: Lexis { line: &[";", "#!"], block: &[], ..LISP_TEXT },
        patterns: &[&[
            item(
                Function,
                r"\((?:defn|defmulti|fn|lambda|defn/a|λ|(?<private>defn-))\s+(?:\^\S+\s+)*(?<name>[^\s()\[\]{}]+)",
            ),
            item(Method, r"\(defmethod\s+(?<name>[^\s()\[\]{}]+)"),
            item(Macro, r"\((?:defmacro|macro|macros|defmacro-)\s+(?:\^\S+\s+)*(?<name>[^\s()\[\]{}]+)"),
            item(Struct, r"\((?:defrecord|deftype|defstruct)\s+(?:\^\S+\s+)*(?<name>[^\s()\[\]{}]+)"),
            item(Class, r"\(defclass\s+(?:\[[^\]]*\]\s*)?(?<name>[^\s()\[\]{}]+)"),
            item(Interface, r"\((?:defprotocol|definterface)\s+(?:\^\S+\s+)*(?<name>[^\s()\[\]{}]+)"),
            item(Module, r"\((?:ns|in-ns)\s+(?:\^\S+\s+)*'?(?<name>[^\s()\[\]{}]+)"),
            item(Other, r"\(deftest\s+(?<name>[^\s()\[\]{}]+)"),
            item(
                Variable,
                r"\((?:def|defonce|local|var|global|setv)\s+(?:(?<private>\^:private)\s+|\^\S+\s+)*(?<name>[^\s()\[\]{}]+)",
            ),
            import(r"\((?:require|use|import)\s+'?\[?(?<from>[\w.-]+)"),
            import(r"\(:(?:require|use|import)\s+\[?(?<from>[\w.-]+)"),
        ]],
        end: End::Parentheses,
        joined: JOINED,
        docstring: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["common-lisp", "emacs-lisp", "lfe", "newlisp", "picolisp", "wisp", "zil"],
        lexis: LISP_TEXT,
        patterns: &[&[
            item(
                Function,
                r"\((?:cl-)?(?:defun\*?|defgeneric|defsubst|define-inline|defalias|de|routine|defadvice|define-minor-mode|define-derived-mode|define-compiler-macro)\s+'?(?:\(setf\s+)?(?<name>[^\s()\[\]]+)",
            ),
            item(Method, r"\((?:cl-)?defmethod\s+(?:\(setf\s+)?(?<name>[^\s()]+)"),
            item(
                Macro,
                r"\((?:cl-)?(?:defmacro|define-macro|define-setf-expander|define-modify-macro)\*?\s+(?<name>[^\s()]+)",
            ),
            item(Class, r"\((?:defclass|define-condition|class)\s+(?<name>[^\s()]+)"),
            item(Struct, r"\((?:cl-)?(?:defstruct|defrecord)\s+\(?(?<name>[^\s()]+)"),
            item(TypeAlias, r"\((?:cl-)?deftype\s+(?<name>[^\s()]+)"),
            item(
                Module,
                r"\((?:defpackage|uiop:define-package|defsystem|asdf:defsystem|defmodule|context)\s+(?:#?:|')?(?<name>[^\s()]+)",
            ),
            item(Constant, r"\(defconst(?:ant)?\s+(?<name>[^\s()]+)"),
            item(
                Variable,
                r"\((?:defvar|defparameter|defcustom|defface|defgroup|defvar-local|define)\s+\(?(?<name>[^\s()]+)",
            ),
            import(r"\((?:require|use-package|ql:quickload|load)\s+(?:'|#?:|:)?(?<from>[\w./-]+)"),
        ]],
        end: End::Parentheses,
        joined: JOINED,
        docstring: true,
        ..Family::PLAIN
    },
    Family {
        languages: &["racket", "scheme"],
        lexis: Lexis { line: &[";", "#lang"], ..LISP_TEXT },
        patterns: &[&[
            item(
                Macro,
                r"\(define-(?:syntax-rules?|syntax-parser|syntax-parse-rule|syntax|macro)\s+\(?(?<name>[^\s()\[\]]+)",
            ),
            item(
                Struct,
                r"\((?:define-record-type|define-struct|struct|define-structure)\s+\(?(?<name>[^\s()\[\]]+)",
            ),
            item(Class, r"\((?:define-class|define)\s+(?<name>[^\s()\[\]]+%)"),
            item(
                Module,
                r"\((?:define-library|library|module|module\*|define-module)\s+\(?(?<name>[^()]+?)\s*\)?$",
            ),
            item(
                Function,
                r"\((?:define|define/contract|define/public|define/private|define/override|define\*|define-public|define-values|define-generic|defn)\s+\(+(?<name>[^\s()\[\]]+)",
            ),
            item(Function, r"\(define\s+(?<name>[^\s()\[\]]+)\s+\((?:lambda|λ|case-lambda|named-lambda)\b"),
            item(Variable, r"\(define(?:-\w+)?\s+(?<name>[^\s()\[\]]+)"),
            import(r#"\((?:require|import|load|use-modules)\s+\(?"?(?<from>[^\s()"]+)"#),
        ]],
        end: End::Parentheses,
        joined: JOINED,
        docstring: true,
        ..Family::PLAIN
    },
];
