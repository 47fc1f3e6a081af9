//! Files that are alike, such as samples of tests, snapshots, translations: one line says what many files are.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{inventory::FileFacts, names, pair::Role, tree::Tree};

/// So many directories of one shape are a family: of samples, and of anything else.
const COUSINS: usize = 8;
const OTHER_COUSINS: usize = 24;
/// So many files of one shape in one directory are a family: samples and data, numbered files, tests, what machines
/// wrote, documents.
const SAMPLES: usize = 8;
const NUMBERED: usize = 8;
const TESTS: usize = 12;
const FOREIGN: usize = 4;
const DOCUMENTS: usize = 40;
/// A directory with more files than this, or with so many directories, is no sample but a collection of them.
const SAMPLE_FILES: u32 = 40;
/// So many languages are translations.
const TRANSLATIONS: usize = 4;

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

/// Those of them that tests alone read.
const TEST_DIRS: &[&str] = &[
    "samples",
    "fixtures",
    "fixture",
    "__fixtures__",
    "snapshots",
    "__snapshots__",
    "testdata",
    "test-data",
    "test_data",
    "cases",
    "corpus",
    "golden",
    "goldens",
    "expected",
    "_expected",
    "inputs",
    "outputs",
    "crashes",
];

/// Languages that are translated into; a handful of these names beside each other is no accident.
const LANGUAGES: &[&str] = &[
    "ar", "az", "be", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he",
    "hi", "hr", "hu", "hy", "id", "it", "ja", "ka", "ko", "lt", "lv", "nb", "nl", "pl", "pt", "ro", "ru",
    "sk", "sl", "sq", "sr", "sv", "ta", "th", "tr", "uk", "ur", "uz", "vi", "yo", "zh", "em",
];

/// A family of like files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    /// The directory that it is listed in.
    pub(crate) dir: u32,
    /// Where its files are, such as `tests/fixtures/*.svelte`.
    pub(crate) pattern: String,
    pub(crate) count: u32,
    pub(crate) role: Role,
    /// What is in each, in a few words; empty when the pattern says it.
    pub(crate) text: String,
}

/// Which files are in a family.
pub(crate) struct Families {
    pub(crate) list: Vec<Family>,
    /// For each file whether it is.
    pub(crate) has: Vec<bool>,
    /// For each directory whether all of it is in one.
    pub(crate) swallowed: Vec<bool>,
}

impl Families {
    pub(crate) fn find(tree: &Tree<'_>, roles: &[Role]) -> Self {
        let mut families = Self {
            list: Vec::new(),
            has: vec![false; tree.files.len()],
            swallowed: vec![false; tree.dirs.len()],
        };
        for dir in 0..tree.dirs.len() as u32 {
            let above = tree.at(dir).above as usize;
            if dir > 0 && families.swallowed[above] {
                families.swallowed[dir as usize] = true;
            }
            if !families.swallowed[dir as usize] {
                families.siblings(tree, roles, dir);
                families.samples(tree, roles, dir);
                families.translations(tree, roles, dir);
                families.cousins(tree, roles, dir);
            }
        }
        families
    }

    /// Files of one shape in one directory.
    fn siblings(&mut self, tree: &Tree<'_>, roles: &[Role], dir: u32) {
        let at = tree.at(dir);
        if at.files.len() < FOREIGN {
            return;
        }
        let samples = is_of_samples(at.path);
        let mut groups: FxHashMap<Shape, Vec<u32>> = FxHashMap::default();
        for file in &at.files {
            if let Some(shape) = Shape::of(tree.file(*file), roles[*file as usize], samples) {
                groups.entry(shape).or_default().push(*file);
            }
        }
        let mut groups: Vec<_> =
            groups.into_iter().filter(|(shape, files)| files.len() >= shape.least()).collect();
        groups.sort_by_key(|(_, files)| files[0]);
        for (_, files) in groups {
            let pattern = names::join(at.path, &pattern(tree, &files));
            self.add(dir, pattern, &files, roles, String::new());
        }
    }

    /// All that lies in a directory of samples for tests.
    fn samples(&mut self, tree: &Tree<'_>, roles: &[Role], dir: u32) {
        let at = tree.at(dir);
        if !TEST_DIRS.contains(&names::name(at.path)) || at.dirs.is_empty() {
            return;
        }
        let children = at.dirs.clone();
        let files: u32 = children.iter().map(|child| tree.at(*child).all).sum();
        if files as usize >= SAMPLES && tree.below(dir).iter().all(|file| tree.file(*file).test) {
            let text = format!(
                "samples for tests, in {} {}",
                children.len(),
                if children.len() == 1 { "directory" } else { "directories" }
            );
            let text = common(tree, &children).map_or(text.clone(), |common| text + &common);
            self.swallow(tree, roles, dir, &children, text);
        }
    }

    /// Directories by language: all but the one that is translated from.
    fn translations(&mut self, tree: &Tree<'_>, roles: &[Role], dir: u32) {
        let at = tree.at(dir);
        let mut by_language: Vec<u32> =
            at.dirs.iter().copied().filter(|child| is_language(names::name(tree.at(*child).path))).collect();
        if by_language.len() < TRANSLATIONS {
            return;
        }
        let is_english = |child: &u32| names::name(tree.at(*child).path).starts_with("en");
        let first = by_language.iter().position(is_english);
        let largest = (0..by_language.len()).rev().max_by_key(|at| tree.at(by_language[*at]).all);
        by_language.remove(first.or(largest).unwrap_or(0));
        let languages: Vec<&str> =
            by_language.iter().map(|child| names::name(tree.at(*child).path)).collect();
        let text = format!("translations: {}", languages.join(", "));
        self.swallow(tree, roles, dir, &by_language, text);
    }

    /// Directories whose files are called alike.
    fn cousins(&mut self, tree: &Tree<'_>, roles: &[Role], dir: u32) {
        let at = tree.at(dir);
        if at.dirs.len() < COUSINS {
            return;
        }
        let small = |child: &u32| tree.at(*child).all <= SAMPLE_FILES && tree.at(*child).dirs.len() < COUSINS;
        let free =
            |child: &u32| !self.swallowed[*child as usize] && small(child) && !has_package(tree, *child);
        let children: Vec<u32> = at.dirs.iter().copied().filter(free).collect();
        let counts = counted(tree, &children);
        let common = commonest(&counts, children.len());
        let alike = |child: &u32| shapes(tree, *child).any(|shape| common.contains(shape.as_str()));
        let members: Vec<u32> = children.iter().copied().filter(alike).collect();
        let tests =
            tree.below(members.first().copied().unwrap_or(dir)).iter().all(|file| tree.file(*file).test);
        let samples = tests || is_of_samples(at.path);
        let least = if samples { COUSINS } else { OTHER_COUSINS };
        if members.len() < least || members.len() * 10 < at.dirs.len() * 6 {
            return;
        }
        let files: u32 = members.iter().map(|child| tree.at(*child).all).sum();
        if !samples && files as usize > members.len() * 12 {
            return;
        }
        let text = format!("{} directories alike{}", members.len(), shown(&counts, &common));
        self.swallow(tree, roles, dir, &members, text);
    }

    fn swallow(&mut self, tree: &Tree<'_>, roles: &[Role], dir: u32, members: &[u32], text: String) {
        let mut files = Vec::new();
        for child in members {
            self.swallowed[*child as usize] = true;
            files.extend(tree.below(*child));
        }
        let pattern = names::join(tree.at(dir).path, "*/");
        self.add(dir, pattern, &files, roles, text);
    }

    fn add(&mut self, dir: u32, pattern: String, files: &[u32], roles: &[Role], text: String) {
        files.iter().for_each(|file| self.has[*file as usize] = true);
        let role = most_common(files.iter().map(|file| roles[*file as usize]));
        self.list.push(Family { dir, pattern, count: files.len() as u32, role, text });
    }
}

/// What makes files of one directory alike.
#[derive(PartialEq, Eq, Hash)]
enum Shape {
    Foreign(String),
    Sample(String),
    Document(String),
    Test(String),
    Numbered(String),
}

impl Shape {
    fn of(file: &FileFacts, role: Role, samples: bool) -> Option<Self> {
        let name = names::name(&file.path);
        let end = || name.find('.').filter(|at| *at > 0).map_or(String::new(), |at| name[at..].to_owned());
        let lower = name.to_ascii_lowercase();
        let named = ["readme", "index.", "license", "mod.", "lib.", "__init__", "main."];
        if named.iter().any(|start| lower.starts_with(start)) || file.manifest.is_some() || file.secret {
            return None;
        }
        match role {
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

    fn least(&self) -> usize {
        match self {
            Self::Foreign(_) => FOREIGN,
            Self::Sample(_) => SAMPLES,
            Self::Document(_) => DOCUMENTS,
            Self::Test(_) => TESTS,
            Self::Numbered(_) => NUMBERED,
        }
    }
}

fn is_of_samples(path: &str) -> bool {
    path.split('/').rev().take(2).any(|step| SAMPLE_DIRS.contains(&step.to_ascii_lowercase().as_str()))
}

fn is_language(name: &str) -> bool {
    let (language, rest) = name.split_once(['-', '_']).unwrap_or((name, ""));
    LANGUAGES.contains(&language)
        && rest.len() <= 4
        && rest.chars().all(|letter| letter.is_ascii_alphabetic())
}

/// Whether a directory is a package of its own, which is worth its own line.
fn has_package(tree: &Tree<'_>, dir: u32) -> bool {
    tree.at(dir).files.iter().any(|file| tree.file(*file).manifest.is_some())
}

/// The shapes of a directory's own files, but of those that every directory has.
fn shapes<'a>(tree: &'a Tree<'_>, dir: u32) -> impl Iterator<Item = String> + 'a {
    const EVERYWHERE: [&str; 8] =
        ["__init__.py", "mod.rs", "README.md", "package-info.java", "index", "index.md", "doc.go", "BUILD"];
    let files = tree.at(dir).files.iter().map(|file| names::name(&tree.file(*file).path));
    files
        .filter(|name| !EVERYWHERE.contains(name) && !EVERYWHERE.contains(&names::stem(name)))
        .map(names::shape)
}

/// In how many of some directories there is a file of each shape.
fn counted(tree: &Tree<'_>, dirs: &[u32]) -> FxHashMap<String, usize> {
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    for dir in dirs {
        let shapes: FxHashSet<String> = shapes(tree, *dir).collect();
        shapes.into_iter().for_each(|shape| *counts.entry(shape).or_default() += 1);
    }
    counts
}

/// The shapes that a third of the directories have.
fn commonest(counts: &FxHashMap<String, usize>, dirs: usize) -> FxHashSet<&str> {
    counts
        .iter()
        .filter(|(_, count)| **count * 3 >= dirs && **count > 1)
        .map(|(shape, _)| shape.as_str())
        .collect()
}

/// What most of some directories have, in a few words.
fn common(tree: &Tree<'_>, dirs: &[u32]) -> Option<String> {
    let counts = counted(tree, dirs);
    let common = commonest(&counts, dirs.len());
    (!common.is_empty()).then(|| shown(&counts, &common))
}

/// The commonest names, as far as they are said in a few words.
fn shown(counts: &FxHashMap<String, usize>, common: &FxHashSet<&str>) -> String {
    let mut names: Vec<(&str, usize)> = common.iter().map(|name| (*name, counts[*name])).collect();
    names.sort_by(|a, b| (b.1, a.0).cmp(&(a.1, b.0)));
    let names: Vec<String> = names.iter().take(3).map(|(name, _)| name.replace('#', "*")).collect();
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

/// What the names of some files have in common, with a star for the rest.
fn pattern(tree: &Tree<'_>, files: &[u32]) -> String {
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

fn most_common(roles: impl Iterator<Item = Role>) -> Role {
    let mut counts = [0; Role::ALL.len()];
    roles.for_each(|role| counts[role as usize] += 1);
    let best = (0..counts.len()).rev().max_by_key(|at| counts[*at]).unwrap_or_default();
    Role::ALL[best]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::roles;

    fn check(paths: &[String], expected: &[&str]) {
        let file = |path: &String| {
            let language = ctxhost_code::language::detect(path, b"");
            super::super::facts::bare(path, [0; 32], 1, language, ctxhost_code::walk::is_test(path))
        };
        let files: Vec<FileFacts> = paths.iter().map(file).collect();
        let tree = Tree::new(&files);
        let roles: Vec<Role> = tree.files.iter().map(|file| roles::role(file, false)).collect();
        let families = Families::find(&tree, &roles);
        let mut shown: Vec<String> = families
            .list
            .iter()
            .map(|family| {
                format!("{} {} {} {}", family.pattern, family.count, family.role.text(), family.text)
                    .trim()
                    .to_owned()
            })
            .collect();
        shown.sort();
        assert_eq!(shown, expected);
    }

    fn many(count: usize, path: impl Fn(usize) -> String) -> Vec<String> {
        (0..count).map(path).collect()
    }

    fn letter(at: usize) -> String {
        format!(
            "{}{}",
            ["red", "blue", "green", "dark", "light", "pale"][at % 6],
            ["fox", "owl", "cat", "elk"][at / 6 % 4]
        )
    }

    #[test]
    fn samples_tests_and_numbered_files_are_families() {
        check(
            &many(8, |at| format!("tests/fixtures/{}.svelte", letter(at))),
            &["tests/fixtures/*.svelte 8 test"],
        );
        check(&many(7, |at| format!("tests/fixtures/{}.svelte", letter(at))), &[]);
        check(&many(12, |at| format!("tests/test_{}.py", letter(at))), &["tests/test_*.py 12 test"]);
        check(&many(9, |at| format!("docs_src/tutorial{at:03}_py310.py")), &["docs_src/*_py310.py 9 source"]);
        check(&many(24, |at| format!("src/{}.rs", letter(at))), &[]);
        check(
            &many(20, |at| format!("db/migrations/{at:04}_{}.sql", letter(at))),
            &["db/migrations/*.sql 20 source"],
        );
    }

    #[test]
    fn directories_of_one_shape_are_a_family() {
        let samples: Vec<String> = ["main.svelte", "_config.js"]
            .iter()
            .flat_map(|name| many(10, move |at| format!("tests/runtime/samples/{}/{name}", letter(at))))
            .collect();
        check(
            &samples,
            &[
                "tests/runtime/samples/*/ 20 test samples for tests, in 10 directories (_config.js, main.svelte)",
            ],
        );
        // Packages are not, though each has the same files.
        check(&many(24, |at| format!("crates/{}/src/lib.rs", letter(at))), &[]);
        check(&many(12, |at| format!("src/{}/view.py", letter(at))), &[]);
        check(
            &many(24, |at| format!("docs_src/{}/tutorial{at:03}.py", letter(at))),
            &["docs_src/*/ 24 source 24 directories alike (tutorial*.py)"],
        );
    }

    #[test]
    fn translations_are_a_family_but_for_the_original() {
        let docs: Vec<String> =
            ["en", "de", "fr", "zh-hant", "ja"].iter().map(|of| format!("docs/{of}/index.md")).collect();
        check(&docs, &["docs/*/ 4 doc translations: de, fr, ja, zh-hant"]);
        check(&["a/go/x.md".to_owned(), "a/rs/x.md".to_owned()], &[]);
    }
}
