//! Opening a library file, and leaving a process that has some open.
#![allow(unsafe_code, reason = "opening a library runs its code; every block says why it holds")]

use std::{
    ffi::c_void,
    os::unix::process::{CommandExt as _, ExitStatusExt as _},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use ctxhost_abi::{ABI_MAJOR, ENTRY_SYMBOL, EntryV1, ProviderV1, door1};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW, Symbol};

/// How long a library's initializers may take when it is tried out: far more than any needs.
const TRIAL: Duration = Duration::from_secs(5);

/// The way a table was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Through abi_stable's header, with the layout checked.
    One,
    /// Through the entry symbol.
    Two,
}

/// A library that is open for good.
pub(super) struct Opened {
    pub(super) table: &'static ProviderV1,
    pub(super) door: Door,
    pub(super) warning: Option<String>,
}

/// Why a library was not opened.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpenError {
    #[error("cannot be opened: {0}")]
    Dlopen(String),
    #[error("opening it crashes its process, with signal {signal}")]
    Crashes { signal: i32 },
    #[error("opening it does not come to an end within {} s", TRIAL.as_secs())]
    Hangs,
    #[error("its table is laid out differently from this host's, though both say ABI {ABI_MAJOR}")]
    Layout { details: String },
    #[error("its entry returned no table")]
    NoTable,
    #[error("its table says ABI {major}, and this host speaks ABI {ABI_MAJOR}")]
    Abi { major: u32 },
    #[error("its table is smaller than ABI {ABI_MAJOR}'s: {size} bytes")]
    Size { size: usize },
    #[error("its table has no function `{0}`")]
    Missing(&'static str),
    #[error("it asks for a process of its own, which this host cannot give yet")]
    Isolation,
}

impl OpenError {
    pub(super) fn hint(&self) -> String {
        match self {
            Self::Dlopen(_) => "install what the library needs, or build it for this system".to_owned(),
            Self::Layout { details } => {
                format!("build it with the SDK of this host ({})", complaint(details))
            }
            Self::Crashes { .. } | Self::Hangs => {
                "leave it out, or build it without such initializers".to_owned()
            }
            Self::Isolation => "leave it out".to_owned(),
            _ => "build it again with this host's SDK or `ctxhost.h`".to_owned(),
        }
    }
}

/// Runs the initializers of a library that is new here in a process of its own.
///
/// One that crashes takes its process along.
/// One that does not come back holds the lock of the system's loader for good, and without it neither another library
/// is opened nor a thread started (std registers a destructor there), so that no deadline would be kept.
///
/// The process is `true` with the library preloaded: nothing of the host's own has to be found and started.
/// Where that cannot be done nothing is learnt, and nothing is refused.
pub(super) fn try_out(library: &Path) -> Result<(), OpenError> {
    let (Some(folder), Some(name)) = (library.parent(), library.file_name()) else { return Ok(()) };
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let mut carrier = Command::new("true");
    carrier
        .current_dir(folder)
        // From its folder, since the variable's value ends at a space or a colon.
        .env("LD_PRELOAD", Path::new(".").join(name))
        .env("LD_BIND_NOW", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // SAFETY: between fork and exec this makes one system call and touches nothing else.
    unsafe { carrier.pre_exec(end_with_parent) };
    let Ok(mut child) = carrier.spawn() else { return Ok(()) };
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                return status.signal().map_or(Ok(()), |signal| Err(OpenError::Crashes { signal }));
            }
            Ok(None) if started.elapsed() < TRIAL => thread::sleep(Duration::from_millis(1)),
            Ok(None) => {
                // It may have ended in this very moment; it took too long all the same.
                let _ = child.kill().and_then(|()| child.wait());
                return Err(OpenError::Hangs);
            }
            Err(_) => return Ok(()),
        }
    }
}

/// Whoever asked may leave before the trial is over, and the process would hang for ever.
#[cfg(target_os = "linux")]
fn end_with_parent() -> std::io::Result<()> {
    Ok(rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?)
}

#[cfg(not(target_os = "linux"))]
fn end_with_parent() -> std::io::Result<()> {
    Ok(())
}

/// The first thing that the checker complains about; its whole account has some ten thousand characters.
fn complaint(details: &str) -> String {
    let lines = || details.lines().map(str::trim).filter(|line| !line.is_empty());
    let named = lines().skip_while(|line| !line.starts_with("Error:")).take(5);
    let text: Vec<_> =
        if named.clone().next().is_some() { named.collect() } else { lines().take(2).collect() };
    text.join(" ").trim_start_matches("Error:").chars().take(160).collect()
}

/// Opens a library that passed preflight and returns its table; the library stays open for good.
pub(super) fn open(path: &Path) -> Result<Opened, OpenError> {
    // SAFETY: preflight found the file whole, for this machine and a provider. That its initializers do no harm is what
    // the user vouches for by installing it: loading native code is full trust.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
        .map_err(|error| OpenError::Dlopen(reason(&error)))?;
    // SAFETY: the symbols' types are the ABI's; nothing is called before `usable` has looked at the numbers.
    let (header, entry) = unsafe {
        (
            library.get::<*const c_void>(door1::HEADER_SYMBOL.as_bytes()).ok(),
            library.get::<EntryV1>(ENTRY_SYMBOL.as_bytes()).ok(),
        )
    };
    let opened = enter(header, entry);
    // Never closed: threads, thread-locals and tables of the provider may be in use until the process ends.
    std::mem::forget(library);
    opened
}

fn enter(header: Option<Symbol<*const c_void>>, entry: Option<Symbol<EntryV1>>) -> Result<Opened, OpenError> {
    let mut refused = None;
    if let Some(header) = header {
        // SAFETY: it is the address of that symbol, in a library that is never closed.
        match unsafe { door1::table(header.into_raw().cast_const()) } {
            Ok(table) => {
                usable(table)?;
                return Ok(Opened { table, door: Door::One, warning: None });
            }
            Err(error) => refused = Some(error),
        }
    }
    // A refused layout is not retried by the unchecked door when the checker is the one this host was built with: the
    // structs really differ. A header that another release of the checker wrote says nothing about them.
    if let Some(door1::Refused { details, foreign: false }) = refused {
        return Err(OpenError::Layout { details });
    }
    let entry = entry.ok_or(OpenError::NoTable)?;
    // SAFETY: `ctxhost_entry_v1` takes nothing, returns a pointer, and has no other duty; the note says ABI 1.
    let table = unsafe { entry() };
    if table.is_null() {
        return Err(OpenError::NoTable);
    }
    // SAFETY: not null; ABI 1 says that it points to a table which lives as long as the library. The first fields are
    // checked before any other is believed.
    let table: &'static ProviderV1 = unsafe { &*table };
    usable(table)?;
    let warning = refused
        .map(|_| "its layout could not be checked, since another release of the checker wrote it".to_owned());
    Ok(Opened { table, door: Door::Two, warning })
}

/// Looks at the numbers and functions of a table.
fn usable(table: &ProviderV1) -> Result<(), OpenError> {
    if table.abi_major != ABI_MAJOR {
        return Err(OpenError::Abi { major: table.abi_major });
    }
    if table.struct_size < size_of::<ProviderV1>() {
        return Err(OpenError::Size { size: table.struct_size });
    }
    let functions = [
        ("manifest", table.manifest.is_some()),
        ("create", table.create.is_some()),
        ("invoke", table.invoke.is_some()),
        ("destroy", table.destroy.is_some()),
    ];
    if let Some((name, _)) = functions.into_iter().find(|(_, there)| !there) {
        return Err(OpenError::Missing(name));
    }
    if table.flags & ctxhost_abi::FLAG_NEEDS_ISOLATION != 0 {
        return Err(OpenError::Isolation);
    }
    Ok(())
}

/// libloading's own message hides the cause, which is what a person needs.
fn reason(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

/// Ends the process at once, without running the exit handlers of the libraries that are open.
///
/// A provider's thread may still run, and a handler that takes its state away would crash it.
/// Whoever calls this has flushed what it wrote.
pub fn leave_process(code: i32) -> ! {
    // SAFETY: `_exit` takes any code and never returns.
    unsafe { exit_now(code) }
}

unsafe extern "C" {
    #[link_name = "_exit"]
    fn exit_now(code: i32) -> !;
}
