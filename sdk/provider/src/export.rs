//! The shim between the C table and the trait: the only place of this crate with unsafe code.
//!
//! Every entry catches panics, so that nothing unwinds across the boundary.
#![allow(
    unsafe_code,
    reason = "this module is the provider's side of the C table; every block says why it holds"
)]

use std::{
    any::Any,
    cell::RefCell,
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    ptr,
    sync::{Mutex, Once, PoisonError},
};

use ctxhost_abi::{
    ABI_MAJOR, ABI_MINOR, Bytes, CallV1, FLAG_THREAD_SAFE, HostV1, Instance, ProviderV1, Sink, Status,
};
pub use ctxhost_abi::{
    door1::{LibHeader, RootModuleResult, header, root},
    note::{Part as NotePart, concat as note, concat_len as note_len},
};
use ctxhost_protocol::envelope::{CommandRequest, Create, Level, Request, ToolRequest, ToolsReply};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    cx::{Cx, HostHandle, Setup, WeakHandle},
    error::{Error, Result},
    provider::Exported,
};

/// The boundary this SDK speaks, as the note states it.
#[doc(hidden)]
pub const ABI: &str = "1.0";
const _: () = assert!(ABI_MAJOR == 1 && ABI_MINOR == 0, "write the new number into ABI");

/// What a panic does in a crate built like this SDK: `unwind`, or `abort`, with which a host refuses it in-process.
pub const PANIC: &str = if cfg!(panic = "abort") { "abort" } else { "unwind" };

/// The target triple this SDK was built for.
#[doc(hidden)]
pub const TARGET: &str = env!("CTXHOST_SDK_TARGET");
/// The compiler that built this SDK.
#[doc(hidden)]
pub const RUSTC: &str = env!("CTXHOST_SDK_RUSTC");
/// This SDK's name and version.
#[doc(hidden)]
pub const SDK: &str = concat!("ctxhost-sdk ", env!("CARGO_PKG_VERSION"));

/// Exports a provider from a library: both doors, the note section and the guard that catches panics.
///
/// `id` is the provider's id (lower-case words joined by `-`), `title` a few words for a person, `spec` the spec its
/// replies satisfy (`envelope/v1` for one that only offers sections), `events` what it wants to be asked about.
/// The version is the exporting crate's.
///
/// Called once in a library; two libraries with it cannot be linked into one program, since their entries collide.
#[macro_export]
macro_rules! export_provider {
    ($provider:ty, id = $id:literal, title = $title:literal, spec = $spec:expr, events = [$($event:literal),* $(,)?] $(,)?) => {
        impl $crate::Exported for $provider {
            const HEAD: $crate::Head = $crate::Head {
                id: $id,
                version: env!("CARGO_PKG_VERSION"),
                title: $title,
                spec: $spec,
                events: &[$($event),*],
            };
        }

        const _: () = {
            /// Door 2.
            #[unsafe(no_mangle)]
            pub extern "C" fn ctxhost_entry_v1() -> *const $crate::abi::ProviderV1 {
                $crate::entry::<$provider>()
            }

            extern "C" fn provider() -> &'static $crate::abi::ProviderV1 {
                $crate::entry::<$provider>()
            }

            extern "C" fn root() -> $crate::RootModuleResult {
                $crate::root(provider)
            }

            /// Door 1.
            #[unsafe(no_mangle)]
            #[allow(non_upper_case_globals)]
            // SAFETY: `root` returns what `ctxhost_sdk::root` made.
            pub static _1as_0lib_1header_0root_bmodule_bloader: $crate::LibHeader = unsafe { $crate::header(root) };

            const PARTS: &[$crate::NotePart<'static>] = $crate::__note_parts!($provider);
            #[used]
            #[cfg_attr(any(target_os = "macos", target_os = "ios"), unsafe(link_section = "__DATA,__ctxhost"))]
            #[cfg_attr(not(any(target_os = "macos", target_os = "ios")), unsafe(link_section = ".ctxhost"))]
            static NOTE: [u8; $crate::note_len(PARTS)] = $crate::note(PARTS);
        };
    };
}

/// The parts of a note; expanded in the provider's crate, whose panic strategy is what counts.
#[doc(hidden)]
#[macro_export]
macro_rules! __note_parts {
    ($provider:ty) => {{
        const HEAD: $crate::Head = <$provider as $crate::Exported>::HEAD;
        &[
            $crate::NotePart::Raw("{\"id\":"),
            $crate::NotePart::Text(HEAD.id),
            $crate::NotePart::Raw(",\"version\":"),
            $crate::NotePart::Text(HEAD.version),
            $crate::NotePart::Raw(",\"title\":"),
            $crate::NotePart::Text(HEAD.title),
            $crate::NotePart::Raw(",\"abi\":"),
            $crate::NotePart::Text($crate::__ABI),
            $crate::NotePart::Raw(",\"spec\":"),
            $crate::NotePart::Text(HEAD.spec),
            $crate::NotePart::Raw(",\"events\":"),
            $crate::NotePart::Texts(HEAD.events),
            $crate::NotePart::Raw(",\"panic\":"),
            $crate::NotePart::Text(if cfg!(panic = "abort") { "abort" } else { "unwind" }),
            $crate::NotePart::Raw(",\"target\":"),
            $crate::NotePart::Text($crate::__TARGET),
            $crate::NotePart::Raw(",\"rustc\":"),
            $crate::NotePart::Text($crate::__RUSTC),
            $crate::NotePart::Raw(",\"sdk\":"),
            $crate::NotePart::Text($crate::__SDK),
            $crate::NotePart::Raw("}"),
        ]
    }};
}

/// The table of a provider: what both doors lead to, and what a test uses without a library.
pub fn table<P: Exported>() -> &'static ProviderV1 {
    &const {
        ProviderV1 {
            struct_size: size_of::<ProviderV1>(),
            abi_major: ABI_MAJOR,
            abi_minor: ABI_MINOR,
            flags: FLAG_THREAD_SAFE,
            manifest: Some(manifest::<P>),
            create: Some(create::<P>),
            invoke: Some(invoke::<P>),
            destroy: Some(destroy::<P>),
            get_extension: Some(get_extension),
            reserved: [0; 4],
        }
    }
}

/// What the doors of a library call: installs the panic hook in the library's own std, then gives the table.
#[doc(hidden)]
pub fn entry<P: Exported>() -> &'static ProviderV1 {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| set_hook(Box::new(|panic| remember_panic(&panic.to_string()))));
    table::<P>()
}

/// Installs a hook in a program that is not the provider's library, such as a test: a panic inside an entry is kept for
/// the guard, as in a library, and every other one goes on to the hook that was there.
#[doc(hidden)]
pub fn keep_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !kept(&panic.to_string()) {
                before(panic);
            }
        }));
    });
}

/// The host's table behind a [`HostHandle`].
#[derive(Clone, Copy)]
pub(crate) struct HostTable(*const HostV1);

// SAFETY: the host promises that its callbacks may be called from any thread.
unsafe impl Send for HostTable {}
// SAFETY: as above.
unsafe impl Sync for HostTable {}

impl HostTable {
    fn host(&self) -> &HostV1 {
        // SAFETY: the host keeps its table until `destroy` returns, and `HostHandle::close` runs before that.
        unsafe { &*self.0 }
    }

    pub(crate) fn log(&self, level: u32, text: &str) {
        if let Some(log) = self.host().log {
            // SAFETY: the host's own function, with its own table and bytes borrowed for the call.
            unsafe { log(self.0, level, Bytes::lend(text.as_bytes())) }
        }
    }

    pub(crate) fn notify(&self, json: &[u8]) {
        if let Some(notify) = self.host().notify {
            // SAFETY: as in `log`.
            unsafe { notify(self.0, Bytes::lend(json)) }
        }
    }

    pub(crate) fn now_ns(&self) -> u64 {
        // SAFETY: as in `log`.
        self.host().now_ns.map_or(0, |now| unsafe { now(self.0) })
    }

    pub(crate) fn cancelled(&self, call: u64) -> bool {
        // SAFETY: as in `log`.
        self.host().cancelled.is_some_and(|cancelled| unsafe { cancelled(self.0, call) } != 0)
    }
}

/// Closes a handle unless `create` comes to its end: threads of a provider that failed or panicked may still hold one.
struct CloseOnFailure<'a>(Option<&'a HostHandle>);

impl CloseOnFailure<'_> {
    fn succeeded(mut self) {
        self.0 = None;
    }
}

impl Drop for CloseOnFailure<'_> {
    fn drop(&mut self) {
        if let Some(handle) = self.0 {
            handle.close();
        }
    }
}

struct Live<P> {
    provider: P,
    host: HostHandle,
    #[cfg(feature = "async")]
    runtime: std::sync::OnceLock<tokio::runtime::Runtime>,
}

unsafe extern "C" fn manifest<P: Exported>(out: Sink) -> u32 {
    guard(None, || write_json(out, &P::full_manifest()))
}

unsafe extern "C" fn create<P: Exported>(
    host: *const HostV1,
    settings: Bytes,
    instance: *mut *mut Instance,
    err: Sink,
) -> u32 {
    guard(Some(err), || {
        if host.is_null() || instance.is_null() {
            return Err(Error::bad_input("the host gave no table, or no place for the instance"));
        }
        // SAFETY: the host lends these bytes for the duration of the call.
        let create: Create = read(unsafe { settings.as_slice() }, "the create document")?;
        let table = if create.settings.is_null() { serde_json::json!({}) } else { create.settings.clone() };
        if !table.is_object() {
            return Err(Error::bad_input("the settings are not a JSON object"));
        }
        let settings: P::Settings = serde_path_to_error::deserialize(table)
            .map_err(|error| Error::bad_input(format!("setting `{}`: {}", error.path(), error.inner())))?;
        let handle = HostHandle::new(HostTable(host));
        watch_for_panics(&handle);
        let closing = CloseOnFailure(Some(&handle));
        let provider = P::new(Setup { host: handle.clone(), create }, settings)?;
        closing.succeeded();
        let live = Box::new(Live {
            provider,
            host: handle,
            #[cfg(feature = "async")]
            runtime: std::sync::OnceLock::new(),
        });
        // SAFETY: checked for null above; the host gave a place to write one pointer.
        unsafe { *instance = Box::into_raw(live).cast() };
        Ok(())
    })
}

unsafe extern "C" fn invoke<P: Exported>(instance: *mut Instance, call: *const CallV1) -> u32 {
    if instance.is_null() || call.is_null() {
        return Status::BadInput.code();
    }
    // SAFETY: the host lends the call until this function returns.
    let call = unsafe { &*call };
    guard(Some(call.err), || {
        // SAFETY: `create` made it from a `Live<P>`, and the host calls `destroy` only after the last `invoke`.
        let live = unsafe { &*instance.cast::<Live<P>>() };
        let cx = Cx {
            host: &live.host,
            call: call.call,
            deadline_ns: call.deadline_ns,
            #[cfg(feature = "async")]
            runtime: &live.runtime,
        };
        // SAFETY: both are lent until this function returns.
        let (op, input) = unsafe { (call.op.as_slice(), call.input.as_slice()) };
        match op {
            b"event" => {
                let request: Request = read(input, "the request")?;
                let mut reply = live.provider.event(&cx, request)?;
                reply.v = ctxhost_protocol::envelope::VERSION;
                if reply.spec.is_empty() {
                    reply.spec = P::HEAD.spec.to_owned();
                }
                write_json(call.out, &reply)
            }
            b"tool" => {
                let request: ToolRequest = read(input, "the tool request")?;
                write_json(call.out, &live.provider.tool(&cx, request)?)
            }
            b"command" => {
                let request: CommandRequest = read(input, "the command request")?;
                write_json(call.out, &live.provider.command(&cx, request)?)
            }
            b"tools" => write_json(call.out, &ToolsReply { tools: live.provider.tools(&cx)? }),
            other => Err(Error::unknown("operation", &String::from_utf8_lossy(other))),
        }
    })
}

unsafe extern "C" fn destroy<P: Exported>(instance: *mut Instance) {
    if instance.is_null() {
        return;
    }
    guard(None, || {
        // SAFETY: `create` made it from a `Box<Live<P>>`, and this is the last call on it.
        let live = unsafe { Box::from_raw(instance.cast::<Live<P>>()) };
        let Live { provider, host, .. } = *live;
        // The provider may log while it ends; nothing may after that.
        let ended = catch_unwind(AssertUnwindSafe(|| drop(provider)));
        host.close();
        match ended {
            Ok(()) => Ok(()),
            Err(payload) => Err(Error::of(Status::Panic, panic_text(payload))),
        }
    });
}

unsafe extern "C" fn get_extension(_id: Bytes) -> *const c_void {
    ptr::null()
}

/// Runs one entry: turns a panic and an error into a status, and writes the sentence where it goes.
fn guard(err: Option<Sink>, entry: impl FnOnce() -> Result<()>) -> u32 {
    let error = match catch_unwind(AssertUnwindSafe(|| {
        LAST_PANIC.with_borrow_mut(|last| *last = Some(None));
        entry()
    })) {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error),
        Err(payload) => Some(Error::of(Status::Panic, panic_text(payload))),
    };
    LAST_PANIC.with_borrow_mut(|last| *last = None);
    let Some(error) = error else { return Status::Ok.code() };
    if let Some(err) = err {
        // A sentence that cannot be written changes nothing about the status.
        let _ = write(err, error.message().as_bytes());
    }
    error.status().code()
}

thread_local! {
    /// `Some` while this thread is inside an entry: there the guard reports a panic, elsewhere the log does.
    static LAST_PANIC: RefCell<Option<Option<String>>> = const { RefCell::new(None) };
}

/// The hosts of the living instances, for a panic on a thread of the provider's own.
static HOSTS: Mutex<Vec<WeakHandle>> = Mutex::new(Vec::new());

fn watch_for_panics(handle: &HostHandle) {
    let mut hosts = HOSTS.lock().unwrap_or_else(PoisonError::into_inner);
    hosts.retain(|host| host.upgrade().is_some());
    hosts.push(handle.downgrade());
}

/// Keeps the text of a panic for the guard, if this thread is inside an entry.
fn kept(text: &str) -> bool {
    let inside = LAST_PANIC.try_with(|last| {
        last.try_borrow_mut().is_ok_and(|mut last| match last.as_mut() {
            Some(place) => {
                *place = Some(text.replace('\n', " "));
                true
            }
            None => false,
        })
    });
    inside == Ok(true)
}

fn remember_panic(text: &str) {
    if !kept(text) {
        let hosts: Vec<_> = HOSTS
            .try_lock()
            .map(|hosts| hosts.iter().filter_map(WeakHandle::upgrade).collect())
            .unwrap_or_default();
        for host in hosts {
            host.log(Level::Error, &format!("a thread of the provider {}", text.replace('\n', " ")));
        }
    }
}

fn panic_text(payload: Box<dyn Any + Send>) -> String {
    let said = LAST_PANIC.with_borrow_mut(|last| last.as_mut().and_then(Option::take)).unwrap_or_else(|| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        format!("panicked: {}", text.unwrap_or_else(|| "without a message".to_owned()))
    });
    // A payload may panic again while it is dropped; its own payload is then let go without dropping.
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
    said
}

fn read<T: DeserializeOwned>(bytes: &[u8], what: &str) -> Result<T> {
    // A list would be taken for the fields of a struct, in their order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(Error::bad_input(format!("{what} is not a JSON object")));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| Error::bad_input(format!("{what} at {}: {}", error.path(), error.inner())))?;
    json.end().map_err(|error| Error::bad_input(format!("{what}: {error}")))?;
    Ok(value)
}

fn write_json(sink: Sink, value: &impl Serialize) -> Result<()> {
    write(sink, &serde_json::to_vec(value)?)
}

fn write(sink: Sink, bytes: &[u8]) -> Result<()> {
    let Some(write) = sink.write else { return Err(Error::bad_input("the host gave no sink")) };
    // SAFETY: the sink is the host's, valid for this call, and the bytes are lent for it.
    match unsafe { write(sink.user, Bytes::lend(bytes)) } {
        0 => Ok(()),
        code => Err(Error::of(
            Status::from_code(code).unwrap_or(Status::Failed),
            format!("the host did not take {} bytes", bytes.len()),
        )),
    }
}
