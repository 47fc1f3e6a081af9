//! A provider without the SDK that answers with a reply prepared when it was made: what a benchmark asks, so that all
//! the time measured is the host's.

#![allow(missing_docs, unsafe_code, clippy::undocumented_unsafe_blocks, reason = "a library for benchmarks")]

use ctxhost_abi::{
    ABI_MAJOR, ABI_MINOR, Bytes, CallV1, FLAG_THREAD_SAFE, HostV1, Instance, ProviderV1, Sink,
};

#[used]
#[unsafe(link_section = ".ctxhost")]
static NOTE: [u8; MANIFEST.len()] = *MANIFEST;
// The note and the manifest may be the same text.
const MANIFEST: &[u8; 107] =
    b"{\"id\":\"prepared\",\"version\":\"0.1.0\",\"title\":\"Prepared\",\"abi\":\"1.0\",\"spec\":\"envelope/v1\",\"events\":[\"prompt\"]}";

static TABLE: ProviderV1 = ProviderV1 {
    struct_size: size_of::<ProviderV1>(),
    abi_major: ABI_MAJOR,
    abi_minor: ABI_MINOR,
    flags: FLAG_THREAD_SAFE,
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

unsafe extern "C" fn manifest(out: Sink) -> u32 {
    out.write.map_or(2, |write| unsafe { write(out.user, Bytes::lend(MANIFEST)) })
}

/// `settings` holds `"bytes":N`, the size of the section's text.
unsafe extern "C" fn create(_: *const HostV1, settings: Bytes, instance: *mut *mut Instance, _: Sink) -> u32 {
    let settings = String::from_utf8_lossy(unsafe { settings.as_slice() }).into_owned();
    let digits: String =
        settings.split("\"bytes\":").nth(1).unwrap_or("0").chars().take_while(char::is_ascii_digit).collect();
    let line =
        "let total = items.iter().map(|item| item.price * item.count).sum::<u64>(); // as on the invoice\\n";
    let lines = digits.parse::<usize>().unwrap_or(0) / line.len();
    let reply = format!(
        "{{\"v\":1,\"spec\":\"envelope/v1\",\"data\":{{}},\"sections\":[{{\"key\":\"code\",\"placement\":\"prompt\",\
         \"trust\":\"workspace\",\"priority\":50,\"variants\":[{{\"tokens\":1,\"body\":\"{}end\\n\"}}]}}]}}",
        line.repeat(lines)
    );
    unsafe { *instance = Box::into_raw(Box::new(reply)).cast() };
    0
}

unsafe extern "C" fn invoke(instance: *mut Instance, call: *const CallV1) -> u32 {
    let (reply, call) = unsafe { (&*instance.cast::<String>(), &*call) };
    call.out.write.map_or(2, |write| unsafe { write(call.out.user, Bytes::lend(reply.as_bytes())) })
}

unsafe extern "C" fn destroy(instance: *mut Instance) {
    drop(unsafe { Box::from_raw(instance.cast::<String>()) });
}
