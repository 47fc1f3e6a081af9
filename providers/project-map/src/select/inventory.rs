//! What is known of a project's files: all that maps are made of.

use serde::{Deserialize, Serialize};

/// SHA-256 of a file's bytes.
pub(crate) type Hash = [u8; 32];

/// The files of a project, by path; the artifacts themselves and what `ignorePatterns` names are not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inventory {
    pub(crate) files: Vec<FileFacts>,
}

/// What is known of one file. It depends on the file's path and bytes alone, so that it is made once for each state of a
/// file and kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileFacts {
    /// The path below the root, with `/`.
    pub(crate) path: String,
    pub(crate) hash: Hash,
    pub(crate) bytes: u64,
    pub(crate) lines: u32,
    /// The id of its language, such as `rust`; empty when it is none that is known.
    pub(crate) language: String,
    /// Whether its language is one that programs are written in.
    pub(crate) code: bool,
    pub(crate) test: bool,
    /// Generated, minified, vendored or binary: listed, never described.
    pub(crate) foreign: bool,
    /// Holds secrets, by its name: nothing of what it holds is here.
    pub(crate) secret: bool,
    /// The first sentence of what the file says of itself: its module comment, or a document's first paragraph; one line,
    /// at most 160 characters.
    pub(crate) purpose: String,
    /// What matters of its definitions, the most telling first: at most 12.
    pub(crate) symbols: Vec<Named>,
    /// How many definitions there are in all.
    pub(crate) definitions: u32,
    /// What it wants from elsewhere, as it names it; each once, at most 64.
    pub(crate) imports: Vec<String>,
    /// What a manifest, such as `Cargo.toml` or `package.json`, says.
    pub(crate) manifest: Option<Manifest>,
}

impl Inventory {
    /// What is known of a file.
    pub(crate) fn file(&self, path: &str) -> Option<&FileFacts> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        Some(&self.files[at])
    }

    /// Whether a file, or one below a directory of this name, is known.
    pub(crate) fn has(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let at = self.files.partition_point(|file| file.path < below);
        self.file(path).is_some() || self.files.get(at).is_some_and(|file| file.path.starts_with(&below))
    }
}

/// A definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Named {
    /// With its owner in front, such as `Registry.add`.
    pub(crate) name: String,
    /// What it is, in the words of the code index, such as `function`.
    pub(crate) kind: String,
    /// Whether everybody may use it.
    pub(crate) public: bool,
    /// The line that it begins in, counted from 1.
    pub(crate) line: u32,
}

/// What a file that describes a package or its tools says. Paths are from the root of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// What it is a manifest of, such as `cargo`, `npm`, `python`, `go`, `make`, `github-actions`.
    pub(crate) kind: String,
    /// The package's name.
    pub(crate) name: String,
    /// What the package is, in one line.
    pub(crate) description: String,
    /// What can be run by name: scripts, targets, jobs; in the order of the file, at most 40.
    pub(crate) scripts: Vec<Script>,
    /// Where it says that programs and libraries begin, such as `src/main.rs`.
    pub(crate) entries: Vec<String>,
    /// Directories that it names as its members.
    pub(crate) members: Vec<String>,
    /// Formatters, linters, test runners and the like that it configures, such as `rustfmt` or `eslint`.
    pub(crate) tools: Vec<String>,
}

/// Something that can be run by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Script {
    pub(crate) name: String,
    /// How a person runs it, such as `npm run lint` or `make test`.
    pub(crate) run: String,
}
