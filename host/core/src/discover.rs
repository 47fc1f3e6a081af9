//! Step 1: finds library files with a note in them, without running any of their code.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use ctxhost_protocol::envelope::Note;

use crate::{
    finding::{Finding, FindingExt, Step},
    load::preflight::{self, Rejected},
    settings::Settings,
    surroundings::Surroundings,
};

/// More files than this in one folder are not providers: a folder of plugins holds tens.
const FILES_PER_PLACE: usize = 1_000;

/// Whose library it is, which decides how it is opened and what it may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Of the program's own install or build folder.
    Bundled,
    /// Of anybody else.
    ThirdParty,
}

/// A library file that says it is a provider.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The file.
    pub path: PathBuf,
    /// What it says of itself.
    pub note: Note,
    /// Whose it is.
    pub origin: Origin,
    /// Whether it will be used.
    pub state: State,
}

/// Whether a candidate will be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It will be asked.
    Ready,
    /// A file found earlier has the same id.
    Shadowed {
        /// That file.
        by: PathBuf,
    },
    /// The settings switch it off.
    Disabled,
}

/// A folder that is looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The folder.
    pub path: PathBuf,
    /// Whether every library in it should be a provider; not so in a build folder.
    pub only_providers: bool,
    /// Whether it belongs to the program.
    pub own: bool,
}

/// Where providers are looked for, the first place first.
pub fn places(surroundings: &Surroundings) -> Vec<Place> {
    let own_folders = own_folders(surroundings);
    if let Some(list) = surroundings.var("CTXHOST_PROVIDER_PATH") {
        return std::env::split_paths(list)
            .filter(|path| !path.as_os_str().is_empty())
            .map(|path| {
                let real = path.canonicalize().unwrap_or_else(|_| path.clone());
                let own = own_folders.iter().find(|own| own.path == real);
                Place { own: own.is_some(), only_providers: own.is_none_or(|own| own.only_providers), path }
            })
            .collect();
    }
    let user = surroundings.data_dir().map(|dir| Place {
        path: dir.join("providers"),
        only_providers: true,
        own: false,
    });
    user.into_iter().chain(own_folders).collect()
}

/// The library of grammars that providers share; it lies beside them and is none itself.
const GRAMMARS: &str = "libctxhost_grammars";

/// Where grammars lie: beside the program's own providers, beside other ones, and in a folder of the user's.
pub(crate) fn grammar_folders(surroundings: &Surroundings) -> Vec<PathBuf> {
    let beside = own_folders(surroundings).into_iter().chain(places(surroundings)).map(|place| place.path);
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in beside.chain(surroundings.data_dir().map(|dir| dir.join("grammars"))) {
        if folder.is_absolute() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// The folders of the program's own install and build.
fn own_folders(surroundings: &Surroundings) -> Vec<Place> {
    let Some(exe) = surroundings.exe.as_deref() else { return Vec::new() };
    let exe = exe.canonicalize().unwrap_or_else(|_| exe.to_owned());
    let Some(folder) = exe.parent() else { return Vec::new() };
    let mut places = Vec::new();
    if let Some(prefix) = folder.parent() {
        let path = prefix.join("lib/ctxhost/providers");
        places.push(Place { path: path.canonicalize().unwrap_or(path), only_providers: true, own: true });
    }
    if is_build_folder(folder) {
        places.push(Place { path: folder.to_owned(), only_providers: false, own: true });
    }
    places
}

/// Whether cargo lays what it builds into this folder.
fn is_build_folder(folder: &Path) -> bool {
    folder.join(".fingerprint").is_dir()
}

/// Looks into every place; the first file of an id wins.
pub fn discover(surroundings: &Surroundings, settings: &Settings) -> (Vec<Candidate>, Vec<Finding>) {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut findings = Vec::new();
    let mut first: BTreeMap<String, PathBuf> = BTreeMap::new();
    let named = surroundings.var("CTXHOST_PROVIDER_PATH").is_some();
    for place in places(surroundings) {
        for path in libraries(&place, named, &mut findings) {
            let note = match preflight::read_note(&path) {
                Ok(note) => note,
                Err(Rejected::NoNote) if !place.only_providers => continue,
                Err(rejected) => {
                    findings.push(rejection(&path, &rejected));
                    continue;
                }
            };
            let state = match first.get(&note.id) {
                Some(by) => State::Shadowed { by: by.clone() },
                None if settings.is_enabled(&note.id) => State::Ready,
                None => State::Disabled,
            };
            first.entry(note.id.clone()).or_insert_with(|| path.clone());
            let origin = if place.own { Origin::Bundled } else { Origin::ThirdParty };
            candidates.push(Candidate { path, note, origin, state });
        }
    }
    // A folder that is not looked into explains itself.
    if candidates.is_empty() && !findings.iter().any(|finding| finding.code == "folder-unusable") {
        findings.push(nothing_found(surroundings));
    }
    (candidates, findings)
}

/// One finding about a file that is not taken.
pub(crate) fn rejection(path: &Path, rejected: &Rejected) -> Finding {
    let (file, why) = (path.display().to_string(), rejected.to_string());
    let message = if why.contains(&file) { why } else { format!("{file}: {why}") };
    Step::Discover.error(&format!("library-{}", rejected.code()), message).at(file).hint(rejected.hint())
}

/// The library files of a folder, by name.
fn libraries(place: &Place, named: bool, findings: &mut Vec<Finding>) -> Vec<PathBuf> {
    let folder = &place.path;
    let unusable = |why: String| {
        Step::Discover
            .error("folder-unusable", format!("{}: {why}", folder.display()))
            .at(folder.display().to_string())
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let absent = error.kind() == std::io::ErrorKind::NotFound;
            if !absent || (named && !place.own) {
                findings.push(
                    unusable(format!("cannot be looked into: {error}"))
                        .hint("correct CTXHOST_PROVIDER_PATH, or make the folder"),
                );
            }
            return Vec::new();
        }
    };
    if is_world_writable(folder) {
        findings.push(
            unusable("anybody may write into this folder, so no library is taken from it".to_owned())
                .hint(format!("run `chmod o-w {}`", folder.display())),
        );
        return Vec::new();
    }
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == std::env::consts::DLL_EXTENSION))
        .filter(|path| path.file_stem().is_none_or(|stem| stem != GRAMMARS))
        .take(FILES_PER_PLACE + 1)
        .collect();
    files.sort();
    if files.len() > FILES_PER_PLACE {
        findings.push(
            unusable(format!("more than {FILES_PER_PLACE} libraries; the rest is left out"))
                .hint("keep providers in a folder of their own"),
        );
        files.truncate(FILES_PER_PLACE);
    }
    files.retain(|file| {
        // A build folder's libraries are somebody's own work in progress; what is not a file is nobody's.
        let writable = is_world_writable(file);
        if writable {
            findings.push(
                Step::Discover
                    .error(
                        "library-writable",
                        format!("{}: anybody may write to this library, so it is not taken", file.display()),
                    )
                    .at(file.display().to_string())
                    .hint(format!("run `chmod o-w {}`", file.display())),
            );
        }
        !writable
    });
    files
}

fn is_world_writable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.mode() & 0o002 != 0)
}

fn nothing_found(surroundings: &Surroundings) -> Finding {
    let looked: Vec<String> =
        places(surroundings).iter().map(|place| place.path.display().to_string()).collect();
    let in_build = places(surroundings).iter().any(|place| place.own && is_build_folder(&place.path));
    let hint = if in_build {
        "run `cargo build`, which lays the providers beside the program"
    } else {
        "install a provider into one of them"
    };
    Step::Discover
        .warning("no-providers", format!("no provider was found in {}", looked.join(", ")))
        .hint(hint)
}
