//! Grammars whose own code is not safe with every text, each with one function of it replaced.
//!
//! tree-sitter hands a scanner 1,024 bytes to keep its state in. Each scanner of the library was read for what it writes
//! there and reads back. All stay inside, or write nothing when there is no room, but two; a third forgets memory. What
//! is replaced is a pointer in a copy of the grammar's struct; the scanner itself stays as it is published.

use std::{
    ffi::{c_uint, c_void},
    sync::OnceLock,
};

use tree_sitter_language::LanguageFn;

use crate::GrammarFn;

/// What a scanner's state may take: tree-sitter's `TREE_SITTER_SERIALIZATION_BUFFER_SIZE`.
const STATE_CAP: usize = 1024;

/// More than any of the scanners here writes: they look for room before each part, and are wrong by at most two bytes.
const SCRATCH: usize = 2 * STATE_CAP;

type Serialize = unsafe extern "C" fn(*mut c_void, *mut u8) -> c_uint;
type Deserialize = unsafe extern "C" fn(*mut c_void, *const u8, c_uint);

unsafe extern "C" {
    fn tree_sitter_python_external_scanner_serialize(scanner: *mut c_void, state: *mut u8) -> c_uint;
    fn tree_sitter_ruby_external_scanner_serialize(scanner: *mut c_void, state: *mut u8) -> c_uint;
    fn tree_sitter_sql_external_scanner_deserialize(scanner: *mut c_void, state: *const u8, length: c_uint);
    fn free(memory: *mut c_void);
}

/// A grammar's struct up to its scanner; the same in ABI 13 to 15.
#[repr(C)]
#[derive(Clone, Copy)]
struct Head {
    numbers: [u32; 9],
    longest_alias: u16,
    tables: [*const c_void; 15],
    keyword: u16,
    scanner: [*const c_void; 5],
    serialize: Serialize,
    deserialize: Deserialize,
}

/// A whole one: what follows the scanner has so many words, by ABI.
#[repr(C)]
#[derive(Clone, Copy)]
struct Whole<const WORDS: usize> {
    head: Head,
    tail: [usize; WORDS],
}

const ABI_14: (u32, usize) = (14, 1);
const ABI_15: (u32, usize) = (15, 8);

/// Python's scanner writes the second half of an indentation without looking for room: one byte too much, when some 500
/// blocks lie in each other and a text is open.
pub(crate) const PYTHON: GrammarFn = python;

/// Ruby's scanner looks for room for two bytes less than it writes of each heredoc, and keeps of the length of its name
/// one byte, so that a name of 256 bytes is read back as another number of names.
pub(crate) const RUBY: GrammarFn = ruby;

/// SQL's scanner forgets the name of a `$name$` text at each statement in it: a kilobyte of memory each, for good.
pub(crate) const SQL: GrammarFn = sql;

unsafe extern "C" fn python() -> *const c_void {
    static COPY: OnceLock<usize> = OnceLock::new();
    copy::<{ ABI_15.1 }>(&COPY, tree_sitter_python::LANGUAGE, ABI_15.0, |head| {
        head.serialize = python_serialize
    })
}

unsafe extern "C" fn ruby() -> *const c_void {
    static COPY: OnceLock<usize> = OnceLock::new();
    copy::<{ ABI_14.1 }>(&COPY, tree_sitter_ruby::LANGUAGE, ABI_14.0, |head| head.serialize = ruby_serialize)
}

unsafe extern "C" fn sql() -> *const c_void {
    static COPY: OnceLock<usize> = OnceLock::new();
    copy::<{ ABI_14.1 }>(&COPY, tree_sitter_sequel::LANGUAGE, ABI_14.0, |head| {
        head.deserialize = sql_deserialize
    })
}

/// Gives a copy of a grammar's struct, the same each time; null where the grammar has another ABI than was read.
fn copy<const WORDS: usize>(
    copy: &OnceLock<usize>,
    grammar: LanguageFn,
    abi: u32,
    change: impl FnOnce(&mut Head),
) -> *const c_void {
    let made = copy.get_or_init(|| {
        // SAFETY: the function of a grammar gives its struct, which begins with its ABI version.
        let found = unsafe { grammar.into_raw()().cast::<u32>() };
        // SAFETY: as above; a struct of this version is laid out like `Whole` and is a constant of the library.
        let mut whole = unsafe {
            if *found != abi {
                return 0;
            }
            *found.cast::<Whole<WORDS>>()
        };
        change(&mut whole.head);
        (&raw const *Box::leak(Box::new(whole))).expose_provenance()
    });
    std::ptr::with_exposed_provenance(*made)
}

/// Lets a scanner write its state where there is room enough, and hands on what may be.
///
/// # Safety
/// As tree-sitter calls a scanner: the scanner is its own, and `STATE_CAP` bytes may be written.
unsafe fn keep(
    serialize: Serialize,
    scanner: *mut c_void,
    state: *mut u8,
    may: impl FnOnce(&[u8]) -> usize,
) -> c_uint {
    let mut scratch = [0_u8; SCRATCH];
    // SAFETY: the scanner is the caller's, and writes less than the scratch holds.
    let length = unsafe { serialize(scanner, scratch.as_mut_ptr()) } as usize;
    let length = may(&scratch[..length.min(SCRATCH)]).min(STATE_CAP);
    // SAFETY: the caller gives room for so many bytes, none of them on this stack.
    unsafe { state.copy_from_nonoverlapping(scratch.as_ptr(), length) };
    c_uint::try_from(length).unwrap_or(0)
}

unsafe extern "C" fn python_serialize(scanner: *mut c_void, state: *mut u8) -> c_uint {
    // Half an indentation at the end is not read back.
    let may = |bytes: &[u8]| bytes.len();
    // SAFETY: tree-sitter's call, handed on.
    unsafe { keep(tree_sitter_python_external_scanner_serialize, scanner, state, may) }
}

unsafe extern "C" fn ruby_serialize(scanner: *mut c_void, state: *mut u8) -> c_uint {
    let may = |bytes: &[u8]| if bytes.len() <= STATE_CAP && is_ruby(bytes) { bytes.len() } else { 0 };
    // SAFETY: tree-sitter's call, handed on.
    unsafe { keep(tree_sitter_ruby_external_scanner_serialize, scanner, state, may) }
}

/// Whether the state is read back to its very end: so many literals of 5 bytes, so many heredocs of 4 bytes and a name.
fn is_ruby(state: &[u8]) -> bool {
    let Some((literals, rest)) = state.split_first() else { return true };
    let heredocs = rest.get(usize::from(*literals) * 5..).and_then(|rest| rest.split_first());
    let Some((heredocs, mut rest)) = heredocs else { return false };
    for _ in 0..*heredocs {
        let next = rest.get(3).and_then(|length| rest.get(4 + usize::from(*length)..));
        let Some(next) = next else { return false };
        rest = next;
    }
    rest.is_empty()
}

unsafe extern "C" fn sql_deserialize(scanner: *mut c_void, state: *const u8, length: c_uint) {
    // SAFETY: the scanner is a pointer to the name, from `malloc` or null, and is set anew by its own function.
    unsafe {
        let name = scanner.cast::<*mut c_void>();
        free(*name);
        *name = std::ptr::null_mut();
        tree_sitter_sql_external_scanner_deserialize(scanner, state, length);
    }
}

#[cfg(test)]
mod tests {
    use super::is_ruby;

    #[test]
    fn only_a_state_that_is_read_back_whole_is_one() {
        assert!(is_ruby(b""));
        assert!(is_ruby(b"\0\0"));
        assert!(is_ruby(b"\x01abcde\x02...\x03EOS...\0"));
        assert!(!is_ruby(b"\0"));
        assert!(!is_ruby(b"\x01abc\0"));
        assert!(!is_ruby(b"\0\x01...\x03EO"));
        assert!(!is_ruby(b"\0\x01...\x03EOSEOS"));
    }
}
