//! The layouts are frozen: a hash of them stands in `layout.golden`.

use ctxhost_abi::{ABI_MAJOR, ABI_MINOR, table};
use sha2::{Digest, Sha256};

/// `<abi> <sha256 of the rest>`, then the text of the layouts.
const GOLDEN: &str = include_str!("layout.golden");

#[cfg(target_pointer_width = "64")]
#[test]
fn layouts_are_those_that_were_frozen() {
    let layouts = table::layouts();
    let number = format!("{ABI_MAJOR}.{ABI_MINOR}");
    let now = format!("{number} {}\n{layouts}", sum(&layouts));
    assert_eq!(
        GOLDEN, now,
        "the layout of the boundary is not the one that ABI {number} was frozen with: every provider that is already \
         built would be miscalled.\nTake the change back, or give it a new ABI number and an entry symbol beside \
         `ctxhost_entry_v1`; JSON fields, ops and extensions need neither (see the crate's documentation)."
    );
}

#[test]
fn the_golden_text_belongs_to_its_hash() {
    let (first, text) = GOLDEN.split_once('\n').expect("a first line");
    let (_, hash) = first.split_once(' ').expect("a number and a hash");
    assert_eq!(hash, sum(text), "layout.golden was edited by hand");
}

#[test]
fn a_new_release_of_this_crate_keeps_old_providers() {
    // abi_stable holds the crate's version against the provider's by cargo's rules: the same major, and not 0.
    let version = env!("CARGO_PKG_VERSION");
    assert_ne!(ABI_MAJOR, 0);
    assert!(
        version.starts_with(&format!("{ABI_MAJOR}.")),
        "version {version} of ctxhost-abi would make door 1 refuse every provider built with {ABI_MAJOR}.x"
    );
}

fn sum(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
