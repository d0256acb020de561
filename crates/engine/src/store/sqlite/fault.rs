//! What went wrong inside a transaction, and what that means to whoever called.
//!
//! Whatever says that the bytes are not what we wrote is `Corrupt`; whatever says that others are at it is `Busy`.

use std::path::Path;

use rusqlite::{Error, ErrorCode};

use super::super::StoreError;

/// Why a transaction was not made.
#[derive(Debug)]
pub(super) enum Fault {
    /// SQLite says so.
    Sql(Error),
    /// A row is not what we write.
    Row(String),
    /// It is an answer, and has nothing to do with the file.
    Told(StoreError),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sql(error) => error.fmt(out),
            Self::Row(problem) => out.write_str(problem),
            Self::Told(error) => error.fmt(out),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Told(error)
    }
}

impl Fault {
    /// Returns what is told about it.
    pub(super) fn at(self, path: &Path) -> StoreError {
        match self {
            Self::Sql(error) => of_sqlite(&error, path),
            Self::Row(problem) => corrupt(path, problem),
            Self::Told(error) => error,
        }
    }
}

fn of_sqlite(error: &Error, path: &Path) -> StoreError {
    match code(error) {
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::SchemaChanged,
        ) => StoreError::Busy {
            path: path.to_owned(),
        },
        // `Unknown` is SQLite's plain error: a statement of ours that does not fit the tables that are there.
        Some(
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::TypeMismatch
            | ErrorCode::ConstraintViolation
            | ErrorCode::Unknown,
        ) => corrupt(path, error.to_string()),
        Some(_) => StoreError::Io {
            path: path.to_owned(),
            problem: error.to_string(),
        },
        // Without a code it is about a column that has not the type we write.
        None => corrupt(path, error.to_string()),
    }
}

fn code(error: &Error) -> Option<ErrorCode> {
    match error {
        Error::SqliteFailure(error, _) | Error::SqlInputError { error, .. } => Some(error.code),
        _ => None,
    }
}

fn corrupt(path: &Path, problem: String) -> StoreError {
    StoreError::Corrupt {
        path: path.to_owned(),
        problem,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use rusqlite::ffi;

    use super::*;

    #[test]
    fn what_sqlite_says_is_told_by_what_to_do_about_it() {
        let check = |code: i32, want: &str| {
            let error = Error::SqliteFailure(ffi::Error::new(code), None);
            let told = Fault::from(error).at(&PathBuf::from("/srv/store.db"));
            let name = format!("{told:?}");
            assert!(name.starts_with(want), "{code}: {name}");
            assert!(name.contains("/srv/store.db"), "{name}");
        };
        check(ffi::SQLITE_BUSY, "Busy");
        check(ffi::SQLITE_BUSY_RECOVERY, "Busy");
        check(ffi::SQLITE_BUSY_SNAPSHOT, "Busy");
        check(ffi::SQLITE_LOCKED, "Busy");
        check(ffi::SQLITE_PROTOCOL, "Busy");
        check(ffi::SQLITE_CORRUPT, "Corrupt");
        check(ffi::SQLITE_CORRUPT_INDEX, "Corrupt");
        check(ffi::SQLITE_NOTADB, "Corrupt");
        check(ffi::SQLITE_ERROR, "Corrupt");
        check(ffi::SQLITE_CONSTRAINT_CHECK, "Corrupt");
        check(ffi::SQLITE_FULL, "Io");
        check(ffi::SQLITE_IOERR_WRITE, "Io");
        check(ffi::SQLITE_READONLY, "Io");
        check(ffi::SQLITE_CANTOPEN, "Io");
        check(ffi::SQLITE_PERM, "Io");
    }
}
