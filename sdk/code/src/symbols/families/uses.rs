//! The names that are used.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::family::Family;
use crate::symbols::{NAME_CAP, REFERENCES_CAP, Reference, Symbol};

/// Words that mean something to many languages and are no name in most.
const WORDS: &str = "\
    abstract add alignof and architecture array as assert async await begin body bool boolean break by \
    byte case catch char class const constant constructor contains continue copy data declare def \
    default defclass defer defgeneric define defmacro defmethod defmodule defmulti defn defn- \
    defparameter defprotocol defrecord defstruct defun defvar delete destructor dim display division do \
    double downto echo elif else elseif elsif end endclass endfunction endif endmodule endtask entity \
    enum except exit export extends extern false final finally float fn for foreach from fun func \
    function goto if implementation implements implicit import imports in include inherits inline int \
    integer interface is lambda let local long loop match me member mod module move mut mutable my \
    namespace new next nil none not null of open or our out override package pass perform port private \
    proc procedure program property protected pub public raise range real rec record ref require rescue \
    return returns section self set short signal sizeof static string struct sub subroutine super \
    switch task template then this throw throws to true try type typedef typeof undef union unit unless \
    unsigned until use uses using val var virtual void when where while with xor yield";

/// Words that steer the flow of a program in many languages, so that nothing is called so.
const STEERING: &str = "\
    alignof assert await case catch const default defer delete do elif else elseif elsif end finally \
    for foreach goto if in lazy loop match mutable new not of or rec return sizeof static switch then \
    throw try typeof unless until using var when while with yield";

pub(super) fn is_steering(word: &str) -> bool {
    static SET: LazyLock<FxHashSet<&str>> = LazyLock::new(|| STEERING.split(' ').collect());
    SET.contains(word)
}

/// Counts the names that a text uses, by the innermost symbol around them.
///
/// `names` are the places where symbols are named, in order, which are no uses.
pub(super) fn count(family: &Family, text: &str, symbols: &[Symbol], names: &[usize]) -> Vec<Reference> {
    let mut counts: FxHashMap<(Option<u32>, &str), u32> = FxHashMap::default();
    let mut around: Vec<u32> = Vec::new();
    let mut next = 0;
    for (at, word) in words(text, family.joined) {
        while symbols.get(next).is_some_and(|symbol| symbol.span.bytes.start as usize <= at) {
            around.push(next as u32);
            next += 1;
        }
        while around.pop_if(|place| symbols[*place as usize].span.bytes.end as usize <= at).is_some() {}
        if is_name(family, word) && names.binary_search(&at).is_err() && counts.len() < REFERENCES_CAP {
            *counts.entry((around.last().copied(), word)).or_default() += 1;
        }
    }
    let mut counted: Vec<_> = counts.into_iter().collect();
    counted.sort_unstable();
    let reference = |((symbol, name), count): ((Option<u32>, &str), u32)| Reference {
        name: name.to_owned(),
        symbol,
        count,
    };
    counted.into_iter().map(reference).collect()
}

fn is_name(family: &Family, word: &str) -> bool {
    static SET: LazyLock<FxHashSet<&str>> = LazyLock::new(|| WORDS.split(' ').collect());
    let known = |word: &str| SET.contains(word);
    let is_word = if family.any_case { known(&word.to_lowercase()) } else { known(word) };
    (2..=NAME_CAP).contains(&word.len()) && !is_word && !word.bytes().all(|byte| byte == b'_')
}

/// Every word that may be a name, with its place.
fn words<'a>(text: &'a str, joined: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let joins = move |c: char| c.is_alphanumeric() || c == '_' || joined.contains(c);
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let start = at + rest.find(joins)?;
            let length = text[start..].find(|c| !joins(c)).unwrap_or(text.len() - start);
            at = start + length;
            let word = &text[start..at];
            if !word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic) {
                return Some((start, word));
            }
        }
    })
}
