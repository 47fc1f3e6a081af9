//! What SQLite's errors mean to who can act on them.

use rusqlite::{Error, ErrorCode, ffi};

use crate::store::StoreError;

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match &error {
            Error::SqliteFailure(failure, _) => of_code(failure.code, failure.extended_code, text),
            // The columns have types (STRICT), so another type than asked for was never written by us.
            Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::InvalidColumnType(..) => Self::Damaged(text),
            _ => Self::Engine(text),
        }
    }
}

fn of_code(code: ErrorCode, extended: i32, text: String) -> StoreError {
    match code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy,
        ErrorCode::DiskFull => StoreError::Full(text),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreError::Damaged(text),
        ErrorCode::SystemIoFailure => match extended {
            // The file beside the log could not grow.
            ffi::SQLITE_IOERR_SHMSIZE => StoreError::Full(text),
            ffi::SQLITE_IOERR_SHORT_READ | ffi::SQLITE_IOERR_CORRUPTFS | ffi::SQLITE_IOERR_DATA => {
                StoreError::Damaged(text)
            }
            _ => StoreError::Engine(text),
        },
        _ => StoreError::Engine(text),
    }
}
