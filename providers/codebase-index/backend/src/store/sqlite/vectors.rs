//! Vectors in SQLite: the only place where C code is registered with it.
#![allow(unsafe_code)]

use std::{
    ffi::{c_char, c_int},
    ptr,
};

use rusqlite::{Connection, ffi};

use crate::store::StoreError;

/// What `sqlite3_vec_init` is in C; its Rust declaration leaves the arguments out.
type Init =
    unsafe extern "C" fn(*mut ffi::sqlite3, *mut *mut c_char, *const ffi::sqlite3_api_routines) -> c_int;

/// Gives a connection `vec_distance_cosine`.
pub(super) fn register(connection: &Connection) -> Result<(), StoreError> {
    // SAFETY: sqlite-vec 0.1.9 defines the function as `int (sqlite3 *, char **, const sqlite3_api_routines *)`, which
    // is the type above; the version is pinned in the workspace.
    let init = unsafe { std::mem::transmute::<unsafe extern "C" fn(), Init>(sqlite_vec::sqlite3_vec_init) };
    // SAFETY: the handle is that of an open connection which nothing else uses during the call. The extension is
    // built into the program (SQLITE_CORE), so that it looks at neither of the other two arguments but to name an
    // error, and SQLite allows both to be null.
    let code = unsafe { init(connection.handle(), ptr::null_mut(), ptr::null()) };
    match code {
        ffi::SQLITE_OK => Ok(()),
        code => Err(StoreError::Engine(format!("sqlite-vec cannot be registered (code {code})"))),
    }
}

/// A vector as sqlite-vec reads it.
pub(super) fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}
