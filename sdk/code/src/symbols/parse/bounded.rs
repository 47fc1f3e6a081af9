//! Parsing within a number of bytes that no text can get around: the safe side of `bounded.c`, which says how.
#![expect(unsafe_code, reason = "a parse that is left from inside tree-sitter can only be called in C")]

use std::{
    ffi::{c_char, c_int, c_void},
    mem::ManuallyDrop,
    ptr::NonNull,
};

use tree_sitter::{Language, Node, Tree, ffi::TSTree};

/// What a parse may take.
#[repr(C)]
pub(super) struct Limits {
    /// The most bytes that it may hold at once.
    pub(super) bytes: usize,
    /// How often the parser may report.
    pub(super) reports: usize,
    /// How often it may ask for text.
    pub(super) reads: usize,
    /// How much text it gets each time.
    pub(super) piece: usize,
    /// How many milliseconds it may work, by the clock of its thread.
    pub(super) millis: usize,
}

/// What was too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exceeded {
    /// Reports, reads or time.
    Steps,
    Bytes,
}

const PARSED: c_int = 0;
const STOPPED: c_int = 1;

unsafe extern "C" {
    fn ctxhost_bounded_grammar(language: *const c_void) -> *const c_void;
    fn ctxhost_bounded_parse(
        grammar: *const c_void,
        text: *const c_char,
        length: u32,
        limits: *const Limits,
        session: *mut *mut c_void,
    ) -> c_int;
    fn ctxhost_bounded_tree(session: *const c_void) -> *mut TSTree;
    #[cfg(test)]
    fn ctxhost_bounded_most(session: *const c_void) -> usize;
    fn ctxhost_bounded_end(session: *mut c_void);
}

/// A grammar that texts can be parsed by within limits.
pub(crate) struct Bounded(NonNull<c_void>);

// SAFETY: it points to a constant that is there for good.
unsafe impl Send for Bounded {}
// SAFETY: as above.
unsafe impl Sync for Bounded {}

impl Bounded {
    /// Takes a grammar, whose ABI is 13 to 15.
    ///
    /// The copy stays for good, like the grammar itself, since each tree points to it.
    pub(crate) fn of(language: &Language) -> Bounded {
        let raw = language.clone().into_raw().cast::<c_void>();
        // SAFETY: a language of tree-sitter points to a grammar's struct, whose layout its ABI version tells.
        let copy = unsafe { ctxhost_bounded_grammar(raw) };
        Bounded(NonNull::new(copy.cast_mut()).expect("the copy of a grammar, some 400 bytes"))
    }

    /// Parses a text of less than 4 GiB.
    pub(super) fn parse(&self, source: &[u8], limits: &Limits) -> Result<Parsed, Exceeded> {
        let length = u32::try_from(source.len()).map_err(|_| Exceeded::Bytes)?;
        let mut session = std::ptr::null_mut();
        // SAFETY: the grammar is one, and text and limits are there until the call returns. The parse calls nothing of
        // ours that is written in Rust, so that no frame of Rust is jumped over.
        let outcome = unsafe {
            ctxhost_bounded_parse(self.0.as_ptr(), source.as_ptr().cast(), length, limits, &raw mut session)
        };
        let session = Session(NonNull::new(session).ok_or(Exceeded::Bytes)?);
        match outcome {
            PARSED => Ok(Parsed::new(session)),
            STOPPED => Err(Exceeded::Steps),
            _ => Err(Exceeded::Bytes),
        }
    }
}

/// All that a parse made.
struct Session(NonNull<c_void>);

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: it has one owner, and what points into it borrows from that.
        unsafe { ctxhost_bounded_end(self.0.as_ptr()) }
    }
}

/// A tree with the session that its memory belongs to. Nobody gets the tree itself, which could be cloned and outlive
/// the session.
pub(crate) struct Parsed {
    tree: ManuallyDrop<Tree>,
    #[cfg_attr(not(test), expect(dead_code, reason = "it is there to be dropped"))]
    session: Session,
}

impl Parsed {
    fn new(session: Session) -> Parsed {
        // SAFETY: the session has a tree, since the text was parsed. It is freed with the session and in no other way.
        let tree = unsafe { Tree::from_raw(ctxhost_bounded_tree(session.0.as_ptr())) };
        Parsed { tree: ManuallyDrop::new(tree), session }
    }

    /// Gives the tree's root.
    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// Gives the most bytes that parser and tree held at once.
    #[cfg(test)]
    pub(super) fn most(&self) -> usize {
        // SAFETY: the session is there as long as this is.
        unsafe { ctxhost_bounded_most(self.session.0.as_ptr()) }
    }
}
