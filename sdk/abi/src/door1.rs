//! Door 1: an abi_stable header whose root module has one field, a function that returns the table.
//!
//! abi_stable compares the layout of every struct and signature that this function reaches, so a provider built against
//! a changed table is refused instead of miscalled.
//! It is the checker and never the contract: a provider without this header comes in by door 2.

use std::ffi::c_void;

pub use abi_stable::library::{LibHeader, RootModuleResult};
use abi_stable::{
    StableAbi,
    library::{AbiHeaderRef, CheckTypeLayout, RootModule},
    package_version_strings,
    prefix_type::PrefixTypeTrait,
    sabi_types::VersionStrings,
};

use crate::ProviderV1;

/// The symbol of the header: the name that abi_stable 0.11 gives it, with the final NUL that `dlsym` wants.
pub const HEADER_SYMBOL: &str = "_1as_0lib_1header_0root_bmodule_bloader\0";

/// The root module of a provider library.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = RootRef)))]
pub struct Root {
    /// Returns the provider's table, which lives as long as the library.
    #[sabi(last_prefix_field)]
    pub provider: extern "C" fn() -> &'static ProviderV1,
}

impl RootModule for RootRef {
    abi_stable::declare_root_module_statics! {RootRef}
    const BASE_NAME: &'static str = "ctxhost_provider";
    const NAME: &'static str = "ctxhost provider";
    // Not this crate's version: a new release of it keeps old providers.
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");
}

/// The crate whose layout rules the header follows, for diagnosis.
pub const CHECKER: VersionStrings = package_version_strings!();

/// Builds the header that a provider exports under [`HEADER_SYMBOL`].
///
/// # Safety
/// `constructor` must return what [`root`] made.
pub const unsafe fn header(constructor: extern "C" fn() -> RootModuleResult) -> LibHeader {
    // SAFETY: the caller vouches that the constructor's module is a `RootRef`.
    unsafe { LibHeader::from_constructor::<RootRef>(constructor, CheckTypeLayout::Yes) }
}

/// Wraps a provider's table function for abi_stable; what the constructor given to [`header`] returns.
pub fn root(provider: extern "C" fn() -> &'static ProviderV1) -> RootModuleResult {
    let root = Root { provider }.leak_into_prefix();
    // SAFETY: the reference was just made from a `Root`, and erasing it is what the header's reader undoes.
    let erased = unsafe { abi_stable::prefix_type::PrefixRefTrait::to_prefix_ref(root).cast() };
    RootModuleResult::ROk(erased)
}

/// Why a header was not accepted.
#[derive(Debug)]
pub struct Refused {
    /// abi_stable's own account; long, for `--json` and logs.
    pub details: String,
    /// Whether the layouts could not be compared at all: another release of the checker wrote the header, or it has none.
    pub foreign: bool,
}

/// Checks a header found in a library and returns the provider's table.
///
/// # Safety
/// `header` must be the address of the symbol [`HEADER_SYMBOL`] in a library that stays loaded for good.
pub unsafe fn table(header: *const c_void) -> Result<&'static ProviderV1, Refused> {
    let refused =
        |error: &dyn std::fmt::Display, foreign: bool| Refused { details: error.to_string(), foreign };
    // SAFETY: the symbol is a static `LibHeader`, which begins with the `AbiHeader` that this reference points to.
    let header: AbiHeaderRef = unsafe { std::mem::transmute(header) };
    let header = header.upgrade().map_err(|error| refused(&error, true))?;
    if header.layout().is_none() {
        // Written by hand: the checker would let it pass unseen.
        return Err(refused(&"the header carries no layout to compare", true));
    }
    let root = header.init_root_module::<RootRef>().map_err(|error| refused(&error, false))?;
    Ok((root.provider())())
}
