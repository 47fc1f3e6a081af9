//! Status codes, borrowed bytes, and notes put together at compile time.

use std::ptr;

use ctxhost_abi::{
    Bytes, Status,
    note::{Part, concat, concat_len},
};

#[test]
fn a_status_survives_the_boundary() {
    let all = [
        Status::Ok,
        Status::BadInput,
        Status::Failed,
        Status::Panic,
        Status::Deadline,
        Status::Cancelled,
        Status::TooLarge,
        Status::UnknownOp,
    ];
    for (number, status) in (0..).zip(all) {
        assert_eq!(status.code(), number);
        assert_eq!(Status::from_code(number), Some(status));
    }
    for unknown in [8, 99, u32::MAX] {
        assert_eq!(Status::from_code(unknown), None, "{unknown} is no status of ABI 1");
    }
}

#[test]
fn bytes_without_an_address_are_empty() {
    for bytes in [Bytes { ptr: ptr::null(), len: 0 }, Bytes { ptr: ptr::null(), len: 5 }, Bytes::lend(&[])] {
        // SAFETY: each is null or has no length, which is all that `as_slice` looks at then.
        assert_eq!(unsafe { bytes.as_slice() }, b"");
    }
    let dangling = Bytes { ptr: ptr::without_provenance(1), len: 0 };
    // SAFETY: no length, so the address is not followed.
    assert_eq!(unsafe { dangling.as_slice() }, b"");
}

#[test]
fn lent_bytes_are_read_where_they_are() {
    let text = b"a\0b";
    let bytes = Bytes::lend(text);
    // SAFETY: `text` outlives the slice.
    let read = unsafe { bytes.as_slice() };
    assert_eq!(read, text);
    assert_eq!(read.as_ptr(), text.as_ptr());
}

/// Puts parts together at compile time and holds the text.
macro_rules! check_note {
    ($parts:expr, $expected:expr) => {{
        const PARTS: &[Part<'static>] = $parts;
        const NOTE: [u8; concat_len(PARTS)] = concat(PARTS);
        assert_eq!(std::str::from_utf8(&NOTE), Ok($expected));
    }};
}

#[test]
fn a_note_escapes_what_json_cannot_hold_raw() {
    check_note!(&[], "");
    check_note!(&[Part::Raw("{\"é\":"), Part::Text(""), Part::Raw("}")], r#"{"é":""}"#);
    check_note!(&[Part::Text("\"\\/")], r#""\"\\/""#);
    check_note!(&[Part::Text("\0\t\n\r\u{1f}\u{7f}")], "\"\\u0000\\u0009\\u000a\\u000d\\u001f\u{7f}\"");
    check_note!(&[Part::Text("Ärger 日本 🦀 \u{202e}")], "\"Ärger 日本 🦀 \u{202e}\"");
    check_note!(&[Part::Texts(&[])], "[]");
    check_note!(&[Part::Texts(&["a", "ü\"", "\n"])], r#"["a","ü\"","\u000a"]"#);
}
