//! A provider's instance behind the C table, made safe: calls, sinks, and the host's own callbacks.
#![allow(
    unsafe_code,
    reason = "this module is the host's side of the C table; every block says why it holds"
)]

use std::{
    collections::HashMap,
    ffi::c_void,
    mem::ManuallyDrop,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use ctxhost_abi::{ABI_MINOR, Bytes, CallV1, FLAG_THREAD_SAFE, HostV1, ProviderV1, Sink, Status};
use ctxhost_protocol::envelope::{Level, Notify};

use super::Ground;
use crate::surroundings::Clock;

/// The longest sentence that is taken from a provider, in bytes.
const ERROR_CAP: usize = 4 * 1024;

/// The longest log line, in bytes.
const LOG_CAP: usize = 4 * 1024;

/// The largest notification, in bytes.
const NOTIFY_CAP: usize = 64 * 1024;

/// Hears what providers say unasked; called from any thread, and never for long.
pub trait HostListener: Send + Sync {
    /// A line for the log.
    fn log(&self, provider: &str, level: Level, text: &str);
    /// A notification.
    fn notify(&self, provider: &str, message: Notify);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilentListener;

impl HostListener for SilentListener {
    fn log(&self, _provider: &str, _level: Level, _text: &str) {}
    fn notify(&self, _provider: &str, _message: Notify) {}
}

/// Why a call has no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The provider returned a status other than 0.
    #[error("{}{}", describe(*.status), detail(.message))]
    Status {
        /// The status.
        status: Status,
        /// The provider's own sentence; may be empty.
        message: String,
    },
    /// The provider returned a number that ABI 1 does not have.
    #[error("returned the status {0}, which this ABI does not have")]
    UnknownStatus(u32),
    /// `create` returned 0 and no instance.
    #[error("made no instance")]
    NoInstance,
    /// An earlier call never returned.
    #[error("an earlier call never returned")]
    Stuck,
    /// A function is missing from the table.
    #[error("its table has no function `{0}`")]
    Missing(&'static str),
}

fn describe(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::BadInput => "did not take its input",
        Status::Failed => "failed",
        Status::Panic => "crashed inside (the crash was caught)",
        Status::Deadline => "stopped at its deadline",
        Status::Cancelled => "was cancelled",
        Status::TooLarge => "answered more than it may",
        Status::UnknownOp => "does not know what was asked",
    }
}

fn detail(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

/// One call: how long it may take, and whether it is still wanted.
#[derive(Debug)]
pub struct Call {
    deadline_ns: AtomicU64,
    cancelled: AtomicBool,
}

impl Call {
    /// A call with a deadline on the host's clock, in nanoseconds; [`ctxhost_abi::NO_DEADLINE`] for none.
    pub fn until(deadline_ns: u64) -> Self {
        Self { deadline_ns: AtomicU64::new(deadline_ns), cancelled: AtomicBool::new(false) }
    }

    /// When the answer must be there, on the host's clock.
    pub fn deadline(&self) -> u64 {
        self.deadline_ns.load(Ordering::Relaxed)
    }

    /// Moves the deadline, once the manifest is known that asks for another.
    pub fn set_deadline(&self, deadline_ns: u64) {
        self.deadline_ns.store(deadline_ns, Ordering::Relaxed);
    }

    /// Tells the provider that its answer is no longer wanted.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// The host's table as one provider sees it, with what is behind it.
///
/// The table is the first field, so that the pointer the provider hands back leads to the rest.
#[repr(C)]
struct HostSide {
    table: HostV1,
    provider: String,
    ground: Ground,
    calls: Mutex<HashMap<u64, Arc<Call>>>,
}

/// A provider's instance.
///
/// It is destroyed when the last owner lets go, unless a call never returned: then it is left alone for good.
pub struct Instance {
    table: &'static ProviderV1,
    instance: *mut ctxhost_abi::Instance,
    // The provider keeps the pointer until `destroy` returns; it is let go only after that, and for a stuck instance never.
    host: ManuallyDrop<Box<HostSide>>,
    /// Held while a call runs, where the provider does not say that its calls may overlap.
    turn: Option<Mutex<()>>,
    stuck: AtomicBool,
    next_call: AtomicU64,
}

// SAFETY: the ABI says that `invoke` may run on several threads when the flag says so, and `turn` takes turns otherwise;
// `destroy` runs when no other owner is left.
unsafe impl Send for Instance {}
// SAFETY: as above.
unsafe impl Sync for Instance {}

impl Instance {
    /// Calls `create`.
    ///
    /// # Errors
    /// The provider refused, or gave no instance.
    pub fn create(
        provider: &str,
        table: &'static ProviderV1,
        create: &[u8],
        ground: &Ground,
    ) -> Result<Self, CallError> {
        let host = ManuallyDrop::new(Box::new(HostSide {
            table: HostV1 {
                struct_size: size_of::<HostV1>(),
                abi_minor: ABI_MINOR,
                log: Some(host_log),
                cancelled: Some(host_cancelled),
                now_ns: Some(host_now_ns),
                notify: Some(host_notify),
                get_extension: Some(host_get_extension),
                reserved: [0; 4],
            },
            provider: provider.to_owned(),
            ground: ground.clone(),
            calls: Mutex::default(),
        }));
        let entry = table.create.ok_or(CallError::Missing("create"))?;
        let mut instance = ptr::null_mut();
        let mut err = Bounded::sentence();
        // SAFETY: the table passed its checks; the host side is boxed and outlives the instance; the bytes, the place
        // for the instance and the sink live until the call returns.
        let code =
            unsafe { entry((&raw const **host).cast(), Bytes::lend(create), &raw mut instance, err.sink()) };
        // On failure the host side stays: a thread the provider started may still hold the pointer.
        outcome(code, &err)?;
        if instance.is_null() {
            return Err(CallError::NoInstance);
        }
        let turn = (table.flags & FLAG_THREAD_SAFE == 0).then(Mutex::default);
        Ok(Self { table, instance, host, turn, stuck: AtomicBool::new(false), next_call: AtomicU64::new(1) })
    }

    /// Tries to make a second instance of the same provider, which is destroyed at once; for the conformance suite.
    ///
    /// # Errors
    /// The provider refused, or gave no instance.
    pub fn create_beside(&self, create: &[u8]) -> Result<(), CallError> {
        Self::create(&self.host.provider, self.table, create, &self.host.ground).map(drop)
    }

    /// Calls `invoke` and waits for as long as it takes; whoever must not wait calls it on a thread of its own.
    ///
    /// The reply is at most `cap` bytes.
    ///
    /// # Errors
    /// The provider returned another status than 0.
    pub fn call(&self, op: &str, input: &[u8], call: Arc<Call>, cap: usize) -> Result<Vec<u8>, CallError> {
        let entry = self.table.invoke.ok_or(CallError::Missing("invoke"))?;
        let _turn = self.turn.as_ref().map(lock);
        if self.is_stuck() {
            return Err(CallError::Stuck);
        }
        let number = self.next_call.fetch_add(1, Ordering::Relaxed);
        let deadline_ns = call.deadline();
        lock(&self.host.calls).insert(number, call);
        let (mut out, mut err) = (Bounded::new(cap), Bounded::sentence());
        let question = CallV1 {
            call: number,
            deadline_ns,
            op: Bytes::lend(op.as_bytes()),
            input: Bytes::lend(input),
            out: out.sink(),
            err: err.sink(),
        };
        // SAFETY: the instance is alive because `self` is, and everything in the call lives until it returns.
        let code = unsafe { entry(self.instance, &raw const question) };
        lock(&self.host.calls).remove(&number);
        if out.overflowed {
            return Err(CallError::Status {
                status: Status::TooLarge,
                message: format!("more than {cap} bytes"),
            });
        }
        outcome(code, &err)?;
        Ok(out.bytes)
    }

    /// Gives the instance up because a call never returned: no further call, and no `destroy`.
    pub fn give_up(&self) {
        self.stuck.store(true, Ordering::Relaxed);
    }

    /// Whether a call never returned.
    pub fn is_stuck(&self) -> bool {
        self.stuck.load(Ordering::Relaxed)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.is_stuck() {
            return;
        }
        if let Some(destroy) = self.table.destroy {
            // SAFETY: made by `create` of the same table, and no call is running: a running one owns the instance too.
            unsafe { destroy(self.instance) };
        }
        // SAFETY: taken once, here; after `destroy` the provider may not call back.
        unsafe { ManuallyDrop::drop(&mut self.host) };
    }
}

/// Writes the manifest of a table into at most `cap` bytes.
pub(super) fn manifest(table: &ProviderV1, cap: usize) -> Result<Vec<u8>, CallError> {
    let entry = table.manifest.ok_or(CallError::Missing("manifest"))?;
    let mut out = Bounded::new(cap);
    // SAFETY: the table passed its checks, and the sink lives until the call returns.
    let code = unsafe { entry(out.sink()) };
    if out.overflowed {
        return Err(CallError::Status {
            status: Status::TooLarge,
            message: format!("more than {cap} bytes of manifest"),
        });
    }
    outcome(code, &Bounded::new(0))?;
    Ok(out.bytes)
}

fn outcome(code: u32, err: &Bounded) -> Result<(), CallError> {
    match Status::from_code(code) {
        Some(Status::Ok) => Ok(()),
        Some(status) => {
            let message =
                String::from_utf8_lossy(&err.bytes).replace(char::is_control, " ").trim().to_owned();
            Err(CallError::Status { status, message })
        }
        None => Err(CallError::UnknownStatus(code)),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Memory of the host's that a provider writes into, up to a cap.
struct Bounded {
    bytes: Vec<u8>,
    cap: usize,
    overflowed: bool,
    /// Whether what does not fit is cut off, as from a sentence, or refused, as from a document.
    cuts: bool,
}

impl Bounded {
    fn new(cap: usize) -> Self {
        Self { bytes: Vec::new(), cap, overflowed: false, cuts: false }
    }

    fn sentence() -> Self {
        Self { cuts: true, ..Self::new(ERROR_CAP) }
    }

    fn sink(&mut self) -> Sink {
        Sink { user: ptr::from_mut(self).cast(), write: Some(bounded_write) }
    }
}

unsafe extern "C" fn bounded_write(user: *mut c_void, bytes: Bytes) -> u32 {
    // SAFETY: `user` is the `Bounded` that made this sink; the provider uses it on one thread, inside the call.
    let bounded = unsafe { &mut *user.cast::<Bounded>() };
    let room = bounded.cap - bounded.bytes.len();
    if bounded.cuts {
        // SAFETY: the provider lends the bytes for this call.
        let bytes = unsafe { bytes.as_slice() };
        bounded.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        return Status::Ok.code();
    }
    if bounded.overflowed || bytes.len > room {
        bounded.overflowed = true;
        return Status::TooLarge.code();
    }
    // SAFETY: the provider lends the bytes for this call.
    bounded.bytes.extend_from_slice(unsafe { bytes.as_slice() });
    Status::Ok.code()
}

/// The rest of the host behind the table that a provider hands back.
///
/// # Safety
/// `host` must be the pointer that `create` was given, of an instance that is not destroyed.
unsafe fn side<'a>(host: *const HostV1) -> Option<&'a HostSide> {
    // SAFETY: the table is the first field of a `HostSide`, and the caller vouches for the rest.
    unsafe { host.cast::<HostSide>().as_ref() }
}

unsafe extern "C" fn host_log(host: *const HostV1, level: u32, text: Bytes) {
    // SAFETY: the ABI lets a provider call this from `create` until `destroy` returns; the bytes are lent for it.
    let (Some(side), text) = (unsafe { side(host) }, unsafe { text.as_slice() }) else { return };
    let text = String::from_utf8_lossy(&text[..text.len().min(LOG_CAP)]).into_owned();
    let level = match level {
        0 | 1 => Level::Error,
        2 => Level::Warning,
        _ => Level::Info,
    };
    // A listener that panics must not unwind into the provider.
    let _ = catch_unwind(AssertUnwindSafe(|| side.ground.listener.log(&side.provider, level, &text)));
}

unsafe extern "C" fn host_notify(host: *const HostV1, json: Bytes) {
    // SAFETY: as in `host_log`.
    let (Some(side), json) = (unsafe { side(host) }, unsafe { json.as_slice() }) else { return };
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let refused = |why: String| {
            side.ground.listener.log(
                &side.provider,
                Level::Warning,
                &format!("a notification was left out: {why}"),
            )
        };
        if json.len() > NOTIFY_CAP {
            return refused(format!("it has {} bytes, {NOTIFY_CAP} are allowed", json.len()));
        }
        match serde_json::from_slice(json) {
            Ok(message) => side.ground.listener.notify(&side.provider, message),
            Err(error) => refused(error.to_string()),
        }
    }));
}

unsafe extern "C" fn host_cancelled(host: *const HostV1, call: u64) -> u32 {
    // SAFETY: as in `host_log`.
    let Some(side) = (unsafe { side(host) }) else { return 1 };
    let Some(call) = lock(&side.calls).get(&call).cloned() else { return 1 };
    let over = call.cancelled.load(Ordering::Relaxed) || now(&side.ground.clock) >= call.deadline();
    u32::from(over)
}

unsafe extern "C" fn host_now_ns(host: *const HostV1) -> u64 {
    // SAFETY: as in `host_log`.
    unsafe { side(host) }.map_or(0, |side| now(&side.ground.clock))
}

unsafe extern "C" fn host_get_extension(_host: *const HostV1, _id: Bytes) -> *const c_void {
    ptr::null()
}

fn now(clock: &Arc<dyn Clock>) -> u64 {
    catch_unwind(AssertUnwindSafe(|| clock.now_ns())).unwrap_or(0)
}
