//! The outside world: state files, processes, links, ignore rules, and what this provider keeps.

pub(crate) mod connection;
mod directory;
mod files;
pub(crate) mod liveness;
pub(crate) mod paths;
pub(crate) mod rules;
pub(crate) mod sightings;
mod state;
pub(crate) mod worktree;

use std::{os::fd::OwnedFd, path::PathBuf};

use ctxhost_sdk::{Result, protocol::ide_context::State};
use serde_json::Value;

use crate::{
    error::{OffSpec, ReadProblem},
    settings::StateDirectory,
    source::{
        directory::OpenedDirectory,
        liveness::{Alive, Death, Processes},
        paths::Paths,
    },
};

/// The largest state file that is read: a state is a few hundred bytes and a selection.
const LARGEST_STATE: u64 = 1024 * 1024;

/// How many living editors' files are read. Nobody has so many; a hostile directory may.
const MOST_EDITORS: usize = 2_000;

/// Asks whether to go on: `false` when time is nearly up and the answer should be made of what is there, an error when
/// nobody wants the answer any more.
pub(crate) type GoOn<'a> = dyn Fn() -> Result<bool> + 'a;

/// One look at the state directory.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// Whether there is such a directory.
    pub(crate) directory_exists: bool,
    /// Why nothing was read from it.
    pub(crate) refused: Option<ReadProblem>,
    /// Every state file, by process id.
    pub(crate) files: Vec<StateFile>,
    /// Whether some were left out, for lack of time or because there are absurdly many.
    pub(crate) cut: bool,
}

/// One editor's state file.
#[derive(Debug)]
pub(crate) struct StateFile {
    pub(crate) pid: u32,
    pub(crate) path: PathBuf,
    pub(crate) standing: Standing,
}

/// How things stand with it.
#[derive(Debug)]
pub(crate) enum Standing {
    /// The editor that wrote it is not there any more.
    Dead(Death),
    /// It is not read.
    Unreadable(ReadProblem),
    /// It says nothing that the spec knows.
    OffSpec(OffSpec),
    /// The editor lives.
    Live(Box<Editor>),
}

/// A living editor.
#[derive(Clone, Debug)]
pub(crate) struct Editor {
    /// Its process id, from its file's name.
    pub(crate) pid: u32,
    /// When its process started.
    pub(crate) start: Option<u64>,
    /// What it wrote.
    pub(crate) state: State,
    /// The same as it stands in the file.
    pub(crate) document: Value,
    /// Where its paths lead.
    pub(crate) paths: Paths,
}

impl Look {
    /// Reads the states of all living editors, the last written first.
    pub(crate) fn at(place: &StateDirectory, go_on: &GoOn<'_>) -> Result<Self> {
        match directory::open_checked(place) {
            Ok(Some(opened)) => Self::inside(opened, place, go_on),
            Ok(None) => Ok(Self::default()),
            Err(problem) => Ok(Self { directory_exists: true, refused: Some(problem), ..Self::default() }),
        }
    }

    fn inside(opened: OpenedDirectory, place: &StateDirectory, go_on: &GoOn<'_>) -> Result<Self> {
        let OpenedDirectory { folder, names } = opened;
        let (pids, mut cut) = directory::process_ids(names, go_on)?;
        let processes = Processes::new();
        let mut look = Self { directory_exists: true, ..Self::default() };
        let mut note = |pid: u32, standing| {
            let path = place.path.join(directory::file_name(pid));
            look.files.push(StateFile { pid, path, standing });
        };
        let mut living = Vec::new();
        for (number, pid) in pids.into_iter().enumerate() {
            if number % 64 == 0 && !go_on()? {
                cut = true;
                break;
            }
            // Most files of a full directory are dead editors', and signal 0 tells so without touching them.
            if !Processes::exists(pid) {
                note(pid, Standing::Dead(Death::NoProcess));
                continue;
            }
            match files::written_at(&folder, &directory::file_name(pid)) {
                Ok(Some(written)) => living.push((written, pid)),
                Ok(None) => {}
                Err(problem) => note(pid, Standing::Unreadable(problem)),
            }
        }
        living
            .sort_by(|(written, pid), (other, other_pid)| other.total_cmp(written).then(pid.cmp(other_pid)));
        cut |= living.len() > MOST_EDITORS;
        for (written, pid) in living.into_iter().take(MOST_EDITORS) {
            if !go_on()? {
                cut = true;
                break;
            }
            let standing = match processes.check(pid, written) {
                Err(death) => Standing::Dead(death),
                Ok(alive) => match read_editor(&folder, pid, alive) {
                    Some(standing) => standing,
                    None => continue,
                },
            };
            note(pid, standing);
        }
        // Only when all are known, so that nobody's arguments cost another editor its place.
        for file in &mut look.files {
            let Standing::Live(editor) = &mut file.standing else { continue };
            let Editor { paths, state, .. } = &mut **editor;
            if !paths.find_arguments(state, go_on)? {
                cut = true;
                break;
            }
        }
        look.cut = cut;
        look.files.sort_by_key(|file| file.pid);
        Ok(look)
    }

    /// The living editors, by process id.
    pub(crate) fn editors(&self) -> impl Iterator<Item = &Editor> {
        self.files.iter().filter_map(|file| match &file.standing {
            Standing::Live(editor) => Some(&**editor),
            _ => None,
        })
    }
}

/// Reads one editor's file; `None` when it has gone meanwhile.
fn read_editor(folder: &OwnedFd, pid: u32, alive: Alive) -> Option<Standing> {
    let bytes = match files::read_own_file(folder, &directory::file_name(pid), LARGEST_STATE) {
        Ok(bytes) => bytes?,
        Err(problem) => return Some(Standing::Unreadable(problem)),
    };
    Some(match state::read(&bytes) {
        Err(off_spec) => Standing::OffSpec(off_spec),
        Ok(written) => Standing::Live(Box::new(Editor {
            pid,
            start: alive.start,
            paths: Paths::of(&written.state),
            state: written.state,
            document: written.document,
        })),
    })
}
