//! A provider that misbehaves as its settings say, written without the SDK: door 2, and bytes by hand.

#![allow(
    missing_docs,
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "a library for tests that breaks rules"
)]

use std::{
    ffi::c_void,
    ptr,
    sync::atomic::{AtomicU32, Ordering},
};

use ctxhost_abi::{ABI_MAJOR, ABI_MINOR, Bytes, CallV1, HostV1, Instance, ProviderV1, Sink};

#[used]
#[unsafe(link_section = ".ctxhost")]
static NOTE: [u8; 114] = *NOTE_TEXT;
const NOTE_TEXT: &[u8; 114] =
    b"{\"id\":\"raw-rogue\",\"version\":\"0.1.0\",\"title\":\"Raw\",\"abi\":\"1.0\",\"spec\":\"envelope/v1\",\"events\":[\"prompt\"],\"sdk\":null}";

static TABLE: ProviderV1 = ProviderV1 {
    struct_size: size_of::<ProviderV1>(),
    abi_major: ABI_MAJOR,
    abi_minor: ABI_MINOR,
    // Not thread-safe: the host must take turns.
    flags: 0,
    manifest: Some(manifest),
    create: Some(create),
    invoke: Some(invoke),
    destroy: Some(destroy),
    get_extension: None,
    reserved: [0; 4],
};

#[unsafe(no_mangle)]
pub extern "C" fn ctxhost_entry_v1() -> *const ProviderV1 {
    &raw const TABLE
}

struct Raw {
    behaviour: String,
    inside: AtomicU32,
    host: *const HostV1,
}

fn say(sink: Sink, text: &[u8]) -> u32 {
    sink.write.map_or(2, |write| unsafe { write(sink.user, Bytes::lend(text)) })
}

unsafe extern "C" fn manifest(out: Sink) -> u32 {
    // In pieces, as a C program would.
    let head = say(out, b"{\"id\":\"raw-rogue\",\"version\":\"0.1.0\",\"title\":\"Raw\",\"abi\":\"1.0\",");
    if head != 0 { head } else { say(out, b"\"spec\":\"envelope/v1\",\"events\":[\"prompt\"]}") }
}

unsafe extern "C" fn create(
    host: *const HostV1,
    settings: Bytes,
    instance: *mut *mut Instance,
    err: Sink,
) -> u32 {
    let settings = String::from_utf8_lossy(unsafe { settings.as_slice() }).into_owned();
    if !settings.starts_with('{') || !settings.ends_with('}') {
        say(err, b"settings are not an object");
        return 1;
    }
    let behaviour = settings
        .split("\"behaviour\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap_or_default()
        .to_owned();
    if behaviour == "no-instance" {
        return 0;
    }
    unsafe { *instance = Box::into_raw(Box::new(Raw { behaviour, inside: AtomicU32::new(0), host })).cast() };
    0
}

unsafe extern "C" fn invoke(instance: *mut Instance, call: *const CallV1) -> u32 {
    let (raw, call) = unsafe { (&*instance.cast::<Raw>(), &*call) };
    if unsafe { call.op.as_slice() } != b"event" {
        return 7;
    }
    let overlapping = raw.inside.fetch_add(1, Ordering::SeqCst) > 0;
    let status = unsafe { answer(raw, call, overlapping) };
    raw.inside.fetch_sub(1, Ordering::SeqCst);
    status
}

unsafe fn answer(raw: &Raw, call: &CallV1, overlapping: bool) -> u32 {
    if overlapping {
        say(call.err, b"two calls at once, though the flag says no");
        return 2;
    }
    let good = b"{\"v\":1,\"spec\":\"envelope/v1\",\"data\":null,\"sections\":[{\"key\":\"raw\",\"placement\":\"prompt\",\"trust\":\"tool\",\"variants\":[{\"body\":\"raw text\\n\"}]}]}";
    match raw.behaviour.as_str() {
        "non-json" => say(call.out, b"good morning"),
        "empty" => 0,
        "invalid-utf8" => say(call.out, b"{\"v\":1,\"spec\":\"\xff\xfe\"}"),
        "deep" => say(call.out, "[".repeat(500_000).as_bytes()),
        "nan" => say(call.out, b"{\"v\":NaN}"),
        "two-mib" => {
            // Goes on writing after it was refused.
            let piece = vec![b'x'; 64 * 1024];
            for _ in 0..32 {
                say(call.out, &piece);
            }
            0
        }
        "status-99" => 99,
        "status-without-text" => 2,
        "null-bytes" => call
            .out
            .write
            .map_or(2, |write| unsafe { write(call.out.user, Bytes { ptr: ptr::null(), len: 0 }) }),
        "notify-garbage" => {
            let host = unsafe { &*raw.host };
            for text in [&b"garbage"[..], b"{\"type\":\"no-such\"}", b"\xff", &vec![b'x'; 200_000]] {
                if let Some(notify) = host.notify {
                    unsafe { notify(raw.host, Bytes::lend(text)) };
                }
            }
            if let Some(extension) = host.get_extension {
                let none: *const c_void = unsafe { extension(raw.host, Bytes::lend(b"ctxhost.none/1")) };
                assert!(none.is_null());
            }
            say(call.out, good)
        }
        "slow" => {
            std::thread::sleep(std::time::Duration::from_millis(2));
            say(call.out, good)
        }
        _ => say(call.out, good),
    }
}

unsafe extern "C" fn destroy(instance: *mut Instance) {
    drop(unsafe { Box::from_raw(instance.cast::<Raw>()) });
}
