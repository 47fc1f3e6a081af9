//! What makes files of one directory alike.

use crate::select::{inventory::FileFacts, names, pair::Role, tree::Tree};

/// So many files of one shape in one directory are a family: samples and data, numbered files, tests, what machines
/// wrote, documents.
pub(super) const SAMPLES: usize = 8;
const NUMBERED: usize = 8;
const TESTS: usize = 12;
pub(super) const FOREIGN: usize = 4;
const DOCUMENTS: usize = 40;

/// Directories in which each file is one more of the same.
const SAMPLE_DIRS: &[&str] = &[
    "samples",
    "sample",
    "fixtures",
    "fixture",
    "__fixtures__",
    "snapshots",
    "__snapshots__",
    "snaps",
    "testdata",
    "test-data",
    "test_data",
    "cases",
    "corpus",
    "corpora",
    "golden",
    "goldens",
    "expected",
    "inputs",
    "outputs",
    "migrations",
    "migrate",
    "locales",
    "locale",
    "i18n",
    "l10n",
    "translations",
    "lang",
    "langs",
    "icons",
    "images",
    "img",
    "assets",
    "fonts",
    "static",
    "baselines",
    "seeds",
    "crashes",
    "resources",
    "_expected",
    "changesets",
    ".changeset",
];

/// What makes files of one directory alike.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Foreign(String),
    Sample(String),
    Document(String),
    Test(String),
    Numbered(String),
}

impl Shape {
    pub(super) fn of(file: &FileFacts, role: Role, samples: bool) -> Option<Self> {
        let name = names::name(&file.path);
        let end = || name.find('.').filter(|at| *at > 0).map_or(String::new(), |at| name[at..].to_owned());
        let lower = name.to_ascii_lowercase();
        let named = ["readme", "index.", "license", "mod.", "lib.", "__init__", "main."];
        // What tests share is read before any of them.
        let shared = ["conftest", "util", "helper", "common", "setup", "support", "harness", "fixture"];
        let begins = |starts: &[&str]| starts.iter().any(|start| lower.starts_with(start));
        let apart = begins(&named) || role == Role::Test && file.code && begins(&shared);
        if apart || file.manifest.is_some() || file.secret {
            return None;
        }
        match role {
            Role::Data | Role::Doc if file.foreign => Some(Self::Foreign(end())),
            Role::Generated => Some(Self::Foreign(end())),
            Role::Entry | Role::Config => None,
            Role::Data => Some(Self::Sample(names::extension(name).to_owned())),
            _ if samples => Some(Self::Sample(end())),
            Role::Doc => Some(Self::Document(names::extension(name).to_owned())),
            Role::Test => {
                let begin = if lower.starts_with("test_") { "test_" } else { "" };
                let stem = names::stem(name);
                let tail = ["_test", "_spec", "-test", "Test", "Tests", "Spec"]
                    .iter()
                    .find(|tail| stem.ends_with(**tail));
                Some(Self::Test(format!("{begin}*{}{}", tail.copied().unwrap_or_default(), end())))
            }
            Role::Source => {
                let shape = names::shape(name);
                shape.contains('#').then_some(Self::Numbered(shape))
            }
        }
    }

    pub(super) fn is_numbered(&self) -> bool {
        matches!(self, Self::Numbered(_))
    }

    pub(super) fn least(&self) -> usize {
        match self {
            Self::Foreign(_) => FOREIGN,
            Self::Sample(_) => SAMPLES,
            Self::Document(_) => DOCUMENTS,
            Self::Test(_) => TESTS,
            Self::Numbered(_) => NUMBERED,
        }
    }
}

pub(super) fn is_of_samples(path: &str) -> bool {
    path.split('/').rev().take(2).any(|step| SAMPLE_DIRS.contains(&step.to_ascii_lowercase().as_str()))
}

/// What the names of some files have in common, with a star for the rest.
pub(super) fn pattern(tree: &Tree<'_>, files: &[u32]) -> String {
    let names: Vec<&str> = files.iter().map(|file| names::name(&tree.file(*file).path)).collect();
    let first = names[0];
    let mut begin = first.len();
    let mut end = first.len();
    for name in &names {
        let alike = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
            a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum::<usize>()
        };
        begin = begin.min(alike(&mut first.chars(), &mut name.chars()));
        end = end.min(alike(&mut first.chars().rev(), &mut name.chars().rev()));
    }
    let shortest = names.iter().map(|name| name.len()).min().unwrap_or_default();
    // A beginning that ends within a word is an accident of the names.
    let begin = first[..begin].rfind(['_', '-', '.', ' ']).map_or(0, |at| at + 1);
    let end = end.min(shortest - begin.min(shortest));
    let tail = &first[first.len() - end..];
    let tail = tail.find(['_', '-', '.']).map_or("", |at| &tail[at..]);
    format!("{}*{tail}", &first[..begin])
}
