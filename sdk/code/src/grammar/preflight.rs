//! What is checked of a library's file before the system opens it.
//!
//! A truncated library kills the process inside `dlopen`, so each part that its headers name must lie inside the file.
//! What nobody can see this way is a whole file with wrong bytes in it; hence only files that others cannot write.

use std::{
    fs::{File, Metadata},
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use super::GrammarError;

/// A larger file is not a grammar library: 512 MiB, ten times what all grammars have together.
const FILE_CAP: u64 = 512 * 1024 * 1024;

/// Why a file is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejected {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// It is a folder, a pipe, a device.
    #[error("not a regular file")]
    NotAFile,
    /// It is larger than any grammar library.
    #[error("too large")]
    TooLarge,
    /// Anybody may change it, or the folder that it lies in.
    #[error("anybody may write it or its folder")]
    Writable,
    /// It is not a library, or a cut-off one.
    #[error("not a whole library file: {0}")]
    Damaged(&'static str),
    /// It is for another kind of machine.
    #[error("built for another kind of machine")]
    Machine,
    /// It is not text.
    #[error("not UTF-8")]
    NotText,
}

/// Checks that a library file is whole, for this machine, and written by nobody else.
pub(super) fn check(path: &Path) -> Result<(), GrammarError> {
    let inspect = || {
        let (mut file, length) = open(path)?;
        if cfg!(all(target_os = "linux", target_pointer_width = "64", target_endian = "little")) {
            elf::inspect(&mut file, length)?;
        }
        Ok(())
    };
    inspect().map_err(|reason| rejected(path, reason))
}

/// Reads a text file that lies beside a library.
pub(super) fn read_text(path: &Path, cap: u64) -> Result<String, GrammarError> {
    let read = || {
        let (file, length) = open(path)?;
        if length > cap {
            return Err(Rejected::TooLarge);
        }
        let mut bytes = Vec::new();
        file.take(cap).read_to_end(&mut bytes).map_err(unreadable)?;
        String::from_utf8(bytes).map_err(|_| Rejected::NotText)
    };
    read().map_err(|reason| rejected(path, reason))
}

fn rejected(path: &Path, reason: Rejected) -> GrammarError {
    GrammarError::Rejected { path: path.to_owned(), reason }
}

fn open(path: &Path) -> Result<(File, u64), Rejected> {
    // Asked before opening: opening a pipe would wait for somebody to write.
    let kind = std::fs::metadata(path).map_err(unreadable)?;
    if !kind.is_file() {
        return Err(Rejected::NotAFile);
    }
    let folder = path.parent().unwrap_or(Path::new("/"));
    let folder = std::fs::metadata(folder).map_err(unreadable)?;
    if writable_by_all(&kind) || writable_by_all(&folder) {
        return Err(Rejected::Writable);
    }
    if kind.len() > FILE_CAP {
        return Err(Rejected::TooLarge);
    }
    Ok((File::open(path).map_err(unreadable)?, kind.len()))
}

fn unreadable(error: std::io::Error) -> Rejected {
    Rejected::Unreadable(error.kind().to_string())
}

#[cfg(unix)]
fn writable_by_all(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.mode() & 0o002 != 0
}

#[cfg(not(unix))]
fn writable_by_all(_: &Metadata) -> bool {
    false
}

mod elf {
    use super::{File, Read, Rejected, Seek, SeekFrom, unreadable};

    const HEADER: usize = 64;
    const PROGRAM_HEADER: u64 = 56;
    const SECTION_HEADER: u64 = 64;
    /// The kind of a section that has no bytes in the file.
    const NO_BITS: u32 = 8;
    /// The kind of a dynamic library.
    const DYNAMIC: u16 = 3;
    /// The number of this program's kind of machine, from the format's register.
    const MACHINE: Option<u16> = if cfg!(target_arch = "x86_64") {
        Some(62)
    } else if cfg!(target_arch = "aarch64") {
        Some(183)
    } else if cfg!(target_arch = "riscv64") {
        Some(243)
    } else {
        None
    };

    pub(super) fn inspect(file: &mut File, length: u64) -> Result<(), Rejected> {
        let mut header = [0; HEADER];
        file.read_exact(&mut header).map_err(|_| Rejected::Damaged("too short"))?;
        if !header.starts_with(b"\x7fELF\x02\x01") {
            return Err(Rejected::Damaged("no header of a 64-bit library"));
        }
        if short(&header, 16) != DYNAMIC {
            return Err(Rejected::Damaged("not a dynamic library"));
        }
        if MACHINE.is_some_and(|machine| short(&header, 18) != machine) {
            return Err(Rejected::Machine);
        }
        let programs =
            table(file, length, long(&header, 32), short(&header, 56), PROGRAM_HEADER, short(&header, 54))?;
        let sections =
            table(file, length, long(&header, 40), short(&header, 60), SECTION_HEADER, short(&header, 58))?;
        let segment = |header: &[u8]| (long(header, 8), long(header, 32));
        let section = |header: &[u8]| {
            if int(header, 4) == NO_BITS { (0, 0) } else { (long(header, 24), long(header, 32)) }
        };
        let inside = |(start, size): (u64, u64)| start.checked_add(size).is_some_and(|end| end <= length);
        let whole = programs.chunks_exact(PROGRAM_HEADER as usize).map(segment).all(inside)
            && sections.chunks_exact(SECTION_HEADER as usize).map(section).all(inside);
        if whole { Ok(()) } else { Err(Rejected::Damaged("a part of it lies beyond its end")) }
    }

    /// Reads a table of headers, which must lie inside the file.
    fn table(
        file: &mut File,
        length: u64,
        start: u64,
        count: u16,
        size: u64,
        said: u16,
    ) -> Result<Vec<u8>, Rejected> {
        let bytes = u64::from(count) * size;
        let end = start.checked_add(bytes).filter(|end| *end <= length);
        if count > 0 && (u64::from(said) != size || end.is_none()) {
            return Err(Rejected::Damaged("its headers lie beyond its end"));
        }
        let mut table = vec![0; usize::try_from(bytes).unwrap_or(0)];
        file.seek(SeekFrom::Start(start)).map_err(unreadable)?;
        file.read_exact(&mut table).map_err(|_| Rejected::Damaged("its headers lie beyond its end"))?;
        Ok(table)
    }

    fn short(bytes: &[u8], at: usize) -> u16 {
        u16::from_le_bytes([bytes[at], bytes[at + 1]])
    }

    fn int(bytes: &[u8], at: usize) -> u32 {
        u32::from(short(bytes, at)) | u32::from(short(bytes, at + 2)) << 16
    }

    fn long(bytes: &[u8], at: usize) -> u64 {
        u64::from(int(bytes, at)) | u64::from(int(bytes, at + 4)) << 32
    }
}
