//! Door 1 lets the same layout in and nothing else.

use std::{ffi::c_void, mem::MaybeUninit};

use abi_stable::{
    StableAbi,
    library::{CheckTypeLayout, RootModule},
    prefix_type::{PrefixRefTrait, PrefixTypeTrait},
    sabi_types::VersionStrings,
};
use ctxhost_abi::{
    ProviderV1,
    door1::{self, LibHeader, Refused, RootModuleResult, RootRef},
};

/// A table that nobody calls.
static TABLE: ProviderV1 = {
    // SAFETY: numbers and absent functions, which all-zero bytes are.
    unsafe { MaybeUninit::zeroed().assume_init() }
};

extern "C" fn provider() -> &'static ProviderV1 {
    &TABLE
}

extern "C" fn root() -> RootModuleResult {
    door1::root(provider)
}

// SAFETY: `root` returns what `door1::root` made.
static HEADER: LibHeader = unsafe { door1::header(root) };

/// Opens a header as the host does.
fn open(header: *const LibHeader) -> Result<*const ProviderV1, Refused> {
    // SAFETY: every header of these tests is a static.
    unsafe { door1::table(header.cast()) }.map(|table| table as *const _)
}

#[test]
fn a_header_of_the_same_layout_leads_to_the_table() {
    for _ in 0..2 {
        assert_eq!(open(&HEADER).expect("it is accepted"), &raw const TABLE);
    }
}

/// Another crate's boundary: the structs of ABI 1 written anew, each with more fields, and `invoke` with another result.
macro_rules! boundary {
    ($name:ident, $bytes:tt $sink:tt $call:tt $host:tt $provider:tt -> $status:ty) => {
        mod $name {
            #![allow(dead_code, reason = "only the layout is looked at")]

            use super::*;

            #[repr(C)]
            #[derive(StableAbi)]
            pub(super) struct Instance {
                private: [u8; 0],
            }

            boundary!(@struct Bytes { ptr: *const u8, len: usize, } $bytes);
            boundary!(@struct Sink {
                user: *mut c_void,
                write: Option<unsafe extern "C" fn(*mut c_void, Bytes) -> u32>,
            } $sink);
            boundary!(@struct CallV1 {
                call: u64, deadline_ns: u64, op: Bytes, input: Bytes, out: Sink, err: Sink,
            } $call);
            boundary!(@struct HostV1 {
                struct_size: usize,
                abi_minor: u32,
                log: Option<unsafe extern "C" fn(*const HostV1, u32, Bytes)>,
                cancelled: Option<unsafe extern "C" fn(*const HostV1, u64) -> u32>,
                now_ns: Option<unsafe extern "C" fn(*const HostV1) -> u64>,
                notify: Option<unsafe extern "C" fn(*const HostV1, Bytes)>,
                get_extension: Option<unsafe extern "C" fn(*const HostV1, Bytes) -> *const c_void>,
                reserved: [usize; 4],
            } $host);
            boundary!(@struct ProviderV1 {
                struct_size: usize,
                abi_major: u32,
                abi_minor: u32,
                flags: u64,
                manifest: Option<unsafe extern "C" fn(Sink) -> u32>,
                create: Option<unsafe extern "C" fn(*const HostV1, Bytes, *mut *mut Instance, Sink) -> u32>,
                invoke: Option<unsafe extern "C" fn(*mut Instance, *const CallV1) -> $status>,
                destroy: Option<unsafe extern "C" fn(*mut Instance)>,
                get_extension: Option<unsafe extern "C" fn(Bytes) -> *const c_void>,
                reserved: [usize; 4],
            } $provider);

            #[repr(C)]
            #[derive(StableAbi)]
            #[sabi(kind(Prefix(prefix_ref = RootRef)))]
            pub(super) struct Root {
                #[sabi(last_prefix_field)]
                pub(super) provider: extern "C" fn() -> &'static ProviderV1,
            }

            impl RootModule for RootRef {
                abi_stable::declare_root_module_statics! {RootRef}
                const BASE_NAME: &'static str = "ctxhost_provider";
                const NAME: &'static str = "ctxhost provider";
                const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");
            }

            static TABLE: ProviderV1 = {
                // SAFETY: numbers and absent functions, which all-zero bytes are.
                unsafe { MaybeUninit::zeroed().assume_init() }
            };

            extern "C" fn provider() -> &'static ProviderV1 {
                &TABLE
            }

            extern "C" fn root() -> RootModuleResult {
                let root = Root { provider }.leak_into_prefix().to_prefix_ref();
                // SAFETY: erasing the type is what the header's reader undoes.
                RootModuleResult::ROk(unsafe { root.cast() })
            }

            pub(super) static HEADER: LibHeader = {
                // SAFETY: `root` returns a `RootRef` of this module.
                unsafe { LibHeader::from_constructor::<RootRef>(root, CheckTypeLayout::Yes) }
            };

            pub(super) fn table() -> *const super::ProviderV1 {
                (&raw const TABLE).cast()
            }
        }
    };
    (@struct $name:ident { $($field:ident: $type:ty,)* } { $($more:ident: $more_type:ty,)* }) => {
        #[repr(C)]
        #[derive(StableAbi, Clone, Copy)]
        pub(super) struct $name {
            $($more: $more_type,)*
            $($field: $type,)*
        }
    };
}

boundary!(same, {} {} {} {} {} -> u32);
boundary!(provider_grew, {} {} {} {} { inserted: usize, } -> u32);
boundary!(host_grew, {} {} {} { inserted: usize, } {} -> u32);
boundary!(call_grew, {} {} { inserted: u64, } {} {} -> u32);
boundary!(sink_grew, {} { inserted: usize, } {} {} {} -> u32);
boundary!(bytes_grew, { inserted: usize, } {} {} {} {} -> u32);
boundary!(status_widened, {} {} {} {} {} -> u64);

#[test]
fn structs_written_anew_with_the_same_layout_are_the_same() {
    // So that what is refused below is refused for the inserted field.
    assert_eq!(open(&same::HEADER).expect("it is accepted"), same::table());
}

#[track_caller]
fn refused(header: *const LibHeader, foreign: bool, says: &str) {
    let refused = open(header).expect_err("it is refused");
    assert_eq!(refused.foreign, foreign, "{}", refused.details);
    assert!(refused.details.contains(says), "{says:?} is not in {}", refused.details);
}

#[test]
fn a_changed_layout_is_refused_however_deep_it_lies() {
    refused(&provider_grew::HEADER, false, "inserted");
    refused(&host_grew::HEADER, false, "inserted");
    refused(&call_grew::HEADER, false, "inserted");
    refused(&sink_grew::HEADER, false, "inserted");
    refused(&bytes_grew::HEADER, false, "inserted");
    refused(&status_widened::HEADER, false, "u64");
}

/// Bytes under the header's symbol that are no header.
#[repr(C, align(64))]
struct Bytes4096([u8; 4096]);

#[test]
fn what_no_known_checker_wrote_is_foreign() {
    static ZERO: Bytes4096 = Bytes4096([0; 4096]);
    static NOISE: Bytes4096 = Bytes4096([0xa5; 4096]);
    for garbage in [&ZERO, &NOISE] {
        refused((&raw const *garbage).cast(), true, "");
    }
}

#[test]
fn a_header_of_another_release_of_the_checker_is_foreign() {
    // It begins with 32 bytes of magic, the checker's major and its minor number.
    let mut bytes = Box::new(Bytes4096([0; 4096]));
    // SAFETY: the header has at least these 40 bytes, which are plain numbers.
    let head = unsafe { std::slice::from_raw_parts((&raw const HEADER).cast::<u8>(), 40) };
    bytes.0[..40].copy_from_slice(head);
    bytes.0[36] ^= 1;
    refused((&raw const *Box::leak(bytes)).cast(), true, "");
}

#[test]
fn a_header_without_a_layout_says_nothing() {
    // SAFETY: `root` returns what `door1::root` made.
    static UNCHECKED: LibHeader =
        unsafe { LibHeader::from_constructor::<RootRef>(root, CheckTypeLayout::No) };
    refused(&UNCHECKED, true, "layout");
}
