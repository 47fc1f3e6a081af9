//! The bytes of a segment, in a file or in memory.
//!
//! Files are read at positions and not mapped: a mapped file that somebody truncates would end the process.

use super::IndexError;
use std::{borrow::Cow, fs::File, io, os::unix::fs::FileExt, path::Path, sync::Arc};

pub(super) enum Source {
    File { file: File, length: u64, name: String },
    Memory(Arc<[u8]>),
}

/// A smaller file is read whole: there are few of them, and what was edited is asked for again and again.
const SMALL: u64 = 128 << 10;

impl Source {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        if length <= SMALL {
            let mut bytes = vec![0; length as usize];
            file.read_exact_at(&mut bytes, 0)?;
            return Ok(Self::Memory(bytes.into()));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self::File { file, length, name })
    }

    pub(super) fn length(&self) -> u64 {
        match self {
            Self::File { length, .. } => *length,
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Reads a stretch; one that the source does not have is broken, whatever length is asked.
    pub(super) fn read(
        &self,
        offset: u64,
        length: u64,
        part: &'static str,
    ) -> Result<Cow<'_, [u8]>, IndexError> {
        let broken = || IndexError::Broken { part };
        let end = offset.checked_add(length).filter(|&end| end <= self.length()).ok_or_else(broken)?;
        match self {
            Self::Memory(bytes) => Ok(Cow::Borrowed(&bytes[offset as usize..end as usize])),
            Self::File { file, name, .. } => {
                let mut bytes = vec![0; usize::try_from(length).map_err(|_| broken())?];
                match file.read_exact_at(&mut bytes, offset) {
                    Ok(()) => Ok(Cow::Owned(bytes)),
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(broken()),
                    Err(source) => Err(IndexError::Read { file: name.clone(), source }),
                }
            }
        }
    }
}
