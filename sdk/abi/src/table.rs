//! The five structs that cross the boundary, and the status codes.
//!
//! `size_t` in the header is `usize` here; every function pointer may be absent in a table made by hand, so each is an
//! `Option` and the host checks before it calls.

use std::ffi::c_void;

use abi_stable::StableAbi;

/// Declares a struct of the boundary and writes its layout down as text, so that a test can hold a hash of it.
macro_rules! boundary_struct {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(StableAbi, Clone, Copy)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }

        impl $name {
            /// One line a field: offset, size, name and type as written in this file.
            pub fn layout() -> String {
                let mut text = format!("{} {}\n", stringify!($name), size_of::<$name>());
                $(text.push_str(&format!(
                    "  {} {} {}: {}\n",
                    std::mem::offset_of!($name, $field), size_of::<$type>(), stringify!($field),
                    stringify!($type).split_whitespace().collect::<Vec<_>>().join(" "),
                ));)*
                text
            }
        }
    };
}

/// A provider's state behind the boundary; only the provider knows what it is.
#[repr(C)]
#[derive(StableAbi)]
pub struct Instance {
    private: [u8; 0],
}

boundary_struct! {
    /// Bytes borrowed for the duration of a call; `ptr` may be null only when `len` is 0.
    Bytes {
        /// The first byte.
        ptr: *const u8,
        /// How many bytes there are.
        len: usize,
    }
}

boundary_struct! {
    /// Where the callee writes: the owner of the sink keeps the memory and enforces the size.
    Sink {
        /// Handed back to `write` unchanged.
        user: *mut c_void,
        /// Appends bytes; returns 0, or a status (6 when the output is too large), after which nothing more is kept.
        write: Option<unsafe extern "C" fn(*mut c_void, Bytes) -> u32>,
    }
}

boundary_struct! {
    /// One call to a provider; everything in it is borrowed until `invoke` returns.
    CallV1 {
        /// The number of this call, for `cancelled`.
        call: u64,
        /// When the answer must be there, in nanoseconds on the host's clock; [`NO_DEADLINE`] for none.
        deadline_ns: u64,
        /// What is asked: `event`, `tool`, `command` or `tools`, in UTF-8.
        op: Bytes,
        /// The request, JSON in UTF-8.
        input: Bytes,
        /// Where the reply goes, JSON in UTF-8.
        out: Sink,
        /// Where one sentence goes when the status is not 0.
        err: Sink,
    }
}

boundary_struct! {
    /// What the host offers to a provider.
    ///
    /// `log` and `notify` are valid from `create` until `destroy` returns, from any thread; `cancelled` is tied to a call.
    /// Each function takes the table itself first.
    HostV1 {
        /// The size of this struct in the host that made it.
        struct_size: usize,
        /// The host's [`ABI_MINOR`](crate::ABI_MINOR).
        abi_minor: u32,
        /// Writes a line to the host's log; level 1 error, 2 warning, 3 information, 4 debug.
        log: Option<unsafe extern "C" fn(*const HostV1, u32, Bytes)>,
        /// Tells whether a call is no longer wanted: 1 when it is cancelled, past its deadline or over, else 0.
        cancelled: Option<unsafe extern "C" fn(*const HostV1, u64) -> u32>,
        /// The host's clock, in nanoseconds; it only goes forward.
        now_ns: Option<unsafe extern "C" fn(*const HostV1) -> u64>,
        /// Tells the host something that is not an answer, as JSON (`notify.schema.json` of the envelope).
        notify: Option<unsafe extern "C" fn(*const HostV1, Bytes)>,
        /// An extension of the host by its id (`ctxhost.x/1`), or null.
        get_extension: Option<unsafe extern "C" fn(*const HostV1, Bytes) -> *const c_void>,
        /// All zero; a later minor may give these words a meaning.
        reserved: [usize; 4],
    }
}

boundary_struct! {
    /// What a provider offers to the host: the table that both doors lead to.
    ProviderV1 {
        /// The size of this struct in the provider that made it.
        struct_size: usize,
        /// [`ABI_MAJOR`](crate::ABI_MAJOR) of the provider.
        abi_major: u32,
        /// [`ABI_MINOR`](crate::ABI_MINOR) of the provider.
        abi_minor: u32,
        /// [`FLAG_THREAD_SAFE`] and [`FLAG_NEEDS_ISOLATION`].
        flags: u64,
        /// Writes the manifest, JSON in UTF-8; any thread, any time, no side effect.
        manifest: Option<unsafe extern "C" fn(Sink) -> u32>,
        /// Makes an instance from settings and paths (`create.schema.json`); never beside another call on that instance.
        create: Option<unsafe extern "C" fn(*const HostV1, Bytes, *mut *mut Instance, Sink) -> u32>,
        /// Answers one call; may run on several threads at once when [`FLAG_THREAD_SAFE`] is set.
        invoke: Option<unsafe extern "C" fn(*mut Instance, *const CallV1) -> u32>,
        /// Ends an instance; the last call on it.
        destroy: Option<unsafe extern "C" fn(*mut Instance)>,
        /// An extension of the provider by its id, or null; the function itself may be absent.
        get_extension: Option<unsafe extern "C" fn(Bytes) -> *const c_void>,
        /// All zero; a later minor may give these words a meaning.
        reserved: [usize; 4],
    }
}

/// Set when `invoke` may run on several threads at once; without it the host takes turns.
pub const FLAG_THREAD_SAFE: u64 = 1;

/// Set when the provider asks for a process of its own; a host that cannot give one refuses to load it.
pub const FLAG_NEEDS_ISOLATION: u64 = 2;

/// The deadline of a call that has none.
pub const NO_DEADLINE: u64 = u64::MAX;

/// What a call came to; the numbers are the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Status {
    /// The reply is in `out`.
    Ok = 0,
    /// The input was not what this operation takes.
    BadInput = 1,
    /// The provider could not do it; `err` says why.
    Failed = 2,
    /// The provider panicked; the guard stopped it at the boundary.
    Panic = 3,
    /// The provider stopped because its deadline had passed.
    Deadline = 4,
    /// The provider stopped because the host no longer wants the answer.
    Cancelled = 5,
    /// The reply was larger than the sink takes.
    TooLarge = 6,
    /// The provider does not know this operation.
    UnknownOp = 7,
}

impl Status {
    /// The status behind a number, or `None` for a number that ABI 1 does not have.
    pub const fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            0 => Self::Ok,
            1 => Self::BadInput,
            2 => Self::Failed,
            3 => Self::Panic,
            4 => Self::Deadline,
            5 => Self::Cancelled,
            6 => Self::TooLarge,
            7 => Self::UnknownOp,
            _ => return None,
        })
    }

    /// The number that crosses the boundary.
    pub const fn code(self) -> u32 {
        self as u32
    }
}

impl Bytes {
    /// Lends a slice to the other side for the duration of a call.
    pub const fn lend(slice: &[u8]) -> Self {
        Self { ptr: slice.as_ptr(), len: slice.len() }
    }

    /// The bytes that the other side lent; a null pointer is an empty slice.
    ///
    /// # Safety
    /// `ptr` must point to `len` bytes that nobody changes while `'a` lasts, or `len` must be 0.
    pub const unsafe fn as_slice<'a>(self) -> &'a [u8] {
        if self.ptr.is_null() || self.len == 0 {
            return &[];
        }
        // SAFETY: not null, and the caller vouches for length and lifetime.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
    }
}

/// The text of all five layouts, which a test holds a hash of.
pub fn layouts() -> String {
    [Bytes::layout(), Sink::layout(), CallV1::layout(), HostV1::layout(), ProviderV1::layout()].concat()
}
