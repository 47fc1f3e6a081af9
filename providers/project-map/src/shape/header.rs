//! An artifact's first line: what it is, of which files it was made, and what its text was when it was written.

use sha2::{Digest, Sha256};

use super::plain;
use crate::select::{inventory::Hash, pair::Kind};

/// The rules by which pages are made; an artifact of other rules is made anew.
pub(crate) const GENERATION: u32 = 1;

const BEGIN: &str = "<!-- pi-map v1 ";
const END: &str = " -->";

/// The first line of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    /// The directory that it is about; empty for the root.
    pub(crate) dir: String,
    pub(crate) generation: u32,
    /// How many files the pair covers.
    pub(crate) files: u32,
    /// Whether definitions were found by patterns, because grammars lacked.
    pub(crate) patterns: bool,
    /// The hash over paths and contents of these files.
    pub(crate) inputs: Hash,
    /// The hash over the artifact's own text, without this line and without the notes.
    pub(crate) own: Hash,
}

impl Header {
    /// The line, without its end.
    pub(crate) fn write(&self) -> String {
        let kind = kind_name(self.kind);
        let Self { generation, files, .. } = self;
        let (dir, inputs, own) = (written(&self.dir), hex(&self.inputs), hex(&self.own));
        let read = if self.patterns { " read=patterns" } else { "" };
        format!(
            "{BEGIN}kind={kind} dir={dir} gen={generation} files={files}{read} hash=sha256:{inputs} self=sha256:{own}{END}"
        )
    }

    /// Reads the line; `None` when it is no header of this version. Fields that nobody knows are left out.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let fields = line.trim_end().strip_prefix(BEGIN)?.strip_suffix(END)?;
        let field = |name: &str| {
            let mut found = fields.split(' ').filter_map(|field| field.strip_prefix(name)?.strip_prefix('='));
            found.next().filter(|_| found.next().is_none())
        };
        let hash = |name: &str| unhex(field(name)?.strip_prefix("sha256:")?);
        let dir = field("dir")?;
        let header = Self {
            kind: Kind::BOTH.into_iter().find(|kind| Some(kind_name(*kind)) == field("kind"))?,
            dir: if dir == "." { String::new() } else { plain::decoded(dir) },
            generation: field("gen")?.parse().ok()?,
            files: field("files")?.parse().ok()?,
            patterns: field("read") == Some("patterns"),
            inputs: hash("hash")?,
            own: hash("self")?,
        };
        (written(&header.dir) == dir).then_some(header)
    }
}

/// The hash over an artifact's own text; blank lines at its end do not count.
pub(crate) fn own_hash(text: &str) -> Hash {
    Sha256::digest(text.trim_end().as_bytes()).into()
}

/// What the artifact is called in its header.
pub(crate) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Index => "index",
        Kind::Map => "map",
    }
}

/// A directory as one word that nothing in it can end.
pub(crate) fn written(dir: &str) -> String {
    if dir.is_empty() {
        return ".".to_owned();
    }
    let mut out = String::new();
    for byte in dir.bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-+@~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            plain::percent(&mut out, &[byte]);
        }
    }
    out
}

fn hex(hash: &Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Hash> {
    let mut hash = Hash::default();
    if text.len() != 2 * hash.len()
        || !text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    {
        return None;
    }
    for (byte, at) in hash.iter_mut().zip((0..text.len()).step_by(2)) {
        *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn header(dir: &str) -> Header {
        let (inputs, own) = ([0xAB; 32], own_hash("x"));
        Header {
            kind: Kind::Index,
            dir: dir.to_owned(),
            generation: 1,
            files: 14,
            patterns: dir.len() % 2 == 1,
            inputs,
            own,
        }
    }

    proptest! {
        #[test]
        fn a_header_is_read_as_it_was_written(dir in any::<String>()) {
            prop_assume!(dir != ".");
            let line = header(&dir).write();
            prop_assert!(line.is_ascii() && !line.contains('\n') && line.matches("-->").count() == 1);
            prop_assert_eq!(Header::read(&line), Some(header(&dir)));
        }
    }

    #[test]
    fn a_directory_of_any_name_is_one_word() {
        let line = header("src/a b-->\"é").write();
        assert!(line.starts_with(
            "<!-- pi-map v1 kind=index dir=src/a%20b--%3E%22%C3%A9 gen=1 files=14 read=patterns hash=sha256:abab"
        ));
        assert!(header("").write().contains(" dir=. gen="));
    }

    #[test]
    fn what_is_no_header_is_none() {
        let good = header("src").write();
        for (from, to) in [
            ("v1", "v2"),
            ("pi-map", "pi-maps"),
            ("kind=index", "kind=both"),
            ("kind=index ", ""),
            ("gen=1", "gen=x"),
            ("files=14", "files=-1"),
            ("hash=sha256:abab", "hash=sha256:ab"),
            ("hash=sha256:abab", "hash=sha256:ABAB"),
            ("dir=src", "dir=src dir=lib"),
            ("dir=src", "dir=s%72c"),
            (" -->", ""),
        ] {
            assert_eq!(Header::read(&good.replace(from, to)), None, "{from} as {to}");
        }
        assert_eq!(Header::read(&good.replace("gen=1", "gen=1 new=x")), Some(header("src")));
        assert_eq!(Header::read(&(good + "\r")), Some(header("src")));
    }
}
