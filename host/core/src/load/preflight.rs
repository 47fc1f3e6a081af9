//! What can be known of a library file without running any of it.
//!
//! A truncated library kills the process inside `dlopen`, so the object file is parsed first and every part of it must
//! lie inside the file.

use std::{fs::File, io::BufReader, path::Path};

use ctxhost_abi::{ABI_MAJOR, note};
use ctxhost_protocol::envelope::Note;
use object::{Architecture, Object, ObjectKind, ObjectSection, ObjectSegment, ObjectSymbol, ReadCache};

use crate::files::{ReadError, open_regular};

/// A larger file is not a provider: 512 MiB, some five hundred times what one has.
const FILE_CAP: u64 = 512 * 1024 * 1024;

/// A larger note is not one: 64 KiB; ours have under 1 KB.
const NOTE_CAP: u64 = 64 * 1024;

/// More segments and sections than this are not a library's: 65,535 is what the format counts without tricks.
const PARTS_CAP: usize = 65_535;

/// Why a file is not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Rejected {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] ReadError),
    /// It is too large to be a library.
    #[error("larger than {} MiB, so it is not read", FILE_CAP / 1024 / 1024)]
    TooLarge,
    /// It is not an object file, or a damaged one.
    #[error("not a whole library file: {0}")]
    Damaged(String),
    /// It is an object file, and not a dynamic library.
    #[error("not a dynamic library")]
    NotALibrary,
    /// It is for another kind of machine.
    #[error("built for {found}, and this host runs on {expected}")]
    Architecture {
        /// What the file says.
        found: String,
        /// What this program is.
        expected: String,
    },
    /// It has no note.
    #[error("has no `{}` note, so it is not a provider", note::SECTION)]
    NoNote,
    /// Its note cannot be read.
    #[error("its note cannot be read: {0}")]
    BadNote(String),
    /// It speaks another ABI.
    #[error("speaks ABI {found}, and this host speaks ABI {ABI_MAJOR}")]
    Abi {
        /// What its note says.
        found: String,
    },
    /// It has a note, and no door.
    #[error("has a note but exports no `{}`", door())]
    NoDoor,
}

fn door() -> &'static str {
    ctxhost_abi::ENTRY_SYMBOL.trim_end_matches('\0')
}

impl Rejected {
    /// A short name for the kind of problem.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::TooLarge => "too-large",
            Self::Damaged(_) => "damaged",
            Self::NotALibrary => "kind",
            Self::Architecture { .. } => "architecture",
            Self::NoNote => "no-note",
            Self::BadNote(_) => "bad-note",
            Self::Abi { .. } => "abi",
            Self::NoDoor => "no-door",
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable(ReadError::Io { .. }) => "check the file's permissions, and where it links to",
            Self::Unreadable(_) | Self::TooLarge | Self::NotALibrary | Self::NoNote => {
                "remove the file from this folder"
            }
            Self::Damaged(_) => "copy the library here again; it is cut off or damaged",
            Self::Architecture { .. } => "install the build for this machine",
            Self::BadNote(_) | Self::NoDoor => {
                "build it again with `export_provider!`, or `CTXHOST_NOTE` and `ctxhost_entry_v1` in C"
            }
            Self::Abi { .. } => "install a build of the provider for this host, or another host",
        }
    }
}

/// Reads the note of a library file and checks whatever [`check`] does.
///
/// # Errors
/// The first reason not to take the file.
pub fn read_note(path: &Path) -> Result<Note, Rejected> {
    let file = open_regular(path)?;
    let length = file.metadata().map_err(|source| ReadError::Io { path: path.to_owned(), source })?.len();
    if length > FILE_CAP {
        return Err(Rejected::TooLarge);
    }
    let cache = ReadCache::new(BufReader::new(file));
    inspect(&cache, length)
}

/// Checks that a library file is whole, for this machine, and a provider with a door.
///
/// # Errors
/// The first reason not to open the file.
pub fn check(path: &Path) -> Result<(), Rejected> {
    read_note(path).map(|_| ())
}

fn inspect(data: &ReadCache<BufReader<File>>, length: u64) -> Result<Note, Rejected> {
    let damaged = |error: object::Error| Rejected::Damaged(error.to_string());
    let file = object::File::parse(data).map_err(damaged)?;
    if file.architecture() != HOST_ARCHITECTURE || file.is_64() != cfg!(target_pointer_width = "64") {
        let found = format!("{:?}", file.architecture());
        return Err(Rejected::Architecture { found, expected: format!("{HOST_ARCHITECTURE:?}") });
    }
    if file.kind() != ObjectKind::Dynamic {
        return Err(Rejected::NotALibrary);
    }
    let inside = |range: Option<(u64, u64)>| {
        range.is_none_or(|(offset, size)| offset.checked_add(size).is_some_and(|end| end <= length))
    };
    let segments = file.segments().take(PARTS_CAP).all(|segment| inside(Some(segment.file_range())));
    let sections = file.sections().take(PARTS_CAP).all(|section| inside(section.file_range()));
    if !segments || !sections {
        return Err(Rejected::Damaged("a part of it lies beyond its end".to_owned()));
    }
    let section = file
        .section_by_name(note::SECTION)
        .or_else(|| file.section_by_name(note::SECTION_MACHO))
        .ok_or(Rejected::NoNote)?;
    if section.size() > NOTE_CAP {
        return Err(Rejected::BadNote(format!("{} bytes long", section.size())));
    }
    let note = parse_note(section.data().map_err(damaged)?)?;
    let doors = [door(), ctxhost_abi::door1::HEADER_SYMBOL.trim_end_matches('\0')];
    let has_door = file.dynamic_symbols().any(|symbol| {
        symbol.is_definition()
            && symbol
                .name()
                .is_ok_and(|name| doors.contains(&name.trim_start_matches('_')) || doors.contains(&name))
    });
    if has_door { Ok(note) } else { Err(Rejected::NoDoor) }
}

fn parse_note(bytes: &[u8]) -> Result<Note, Rejected> {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let note: Note =
        serde_json::from_slice(&bytes[..end]).map_err(|error| Rejected::BadNote(error.to_string()))?;
    if !is_id(&note.id) {
        return Err(Rejected::BadNote("its id is not lower-case words joined by `-`".to_owned()));
    }
    let major = note.abi.split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major != Some(ABI_MAJOR) {
        return Err(Rejected::Abi { found: note.abi.chars().take(20).collect() });
    }
    Ok(note)
}

/// Whether a text can be a provider's id; such a text is safe in a path and in an attribute.
pub fn is_id(text: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.len() <= 64 && text.split('-').all(word)
}

#[cfg(target_arch = "x86_64")]
const HOST_ARCHITECTURE: Architecture = Architecture::X86_64;
#[cfg(target_arch = "aarch64")]
const HOST_ARCHITECTURE: Architecture = Architecture::Aarch64;
#[cfg(target_arch = "riscv64")]
const HOST_ARCHITECTURE: Architecture = Architecture::Riscv64;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
const HOST_ARCHITECTURE: Architecture = Architecture::Unknown;
