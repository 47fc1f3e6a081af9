//! The directory that editors write their state to: whether it can be trusted, and whose files are in it.

use std::{
    io,
    os::{
        fd::OwnedFd,
        unix::fs::{MetadataExt, PermissionsExt},
    },
    path::Path,
};

use ctxhost_sdk::Result;
use rustix::{
    fs::{Dir, Mode, OFlags, open},
    io::Errno,
    process::geteuid,
};

use crate::{
    error::ReadProblem,
    settings::{Origin, StateDirectory},
    source::GoOn,
};

/// How many names are looked at: enough for any real directory, and little work for an absurd one.
const MOST_NAMES: usize = 100_000;

/// The state directory, opened and found to be the user's own.
pub(super) struct OpenedDirectory {
    pub(super) folder: OwnedFd,
    pub(super) names: Dir,
}

/// Opens the directory; `None` when there is none.
///
/// What is checked is what was opened, so nobody can swap it in between.
pub(super) fn open_checked(place: &StateDirectory) -> Result<Option<OpenedDirectory>, ReadProblem> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match open(&place.path, flags, Mode::empty()) {
        Ok(folder) => folder,
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP | Errno::NOTDIR) => return Err(not_a_folder(&place.path)),
        Err(error) => return Err(io::Error::from(error).into()),
    };
    let folder = std::fs::File::from(folder);
    let metadata = folder.metadata()?;
    if metadata.uid() != geteuid().as_raw() {
        return Err(ReadProblem::ForeignOwner);
    }
    let mode = metadata.permissions().mode() & 0o777;
    // Under /tmp anybody could have made it, and only a closed one is surely an editor's. Elsewhere the place itself is
    // the user's, and it is enough that nobody else can put a file in.
    let (forbidden, may) = match place.origin {
        Origin::Fallback => (0o077, "in"),
        Origin::Setting | Origin::Runtime => (0o022, "write"),
    };
    if mode & forbidden != 0 {
        return Err(ReadProblem::OpenToOthers { mode, may });
    }
    let folder = OwnedFd::from(folder);
    let names = Dir::read_from(&folder).map_err(io::Error::from)?;
    Ok(Some(OpenedDirectory { folder, names }))
}

fn not_a_folder(path: &Path) -> ReadProblem {
    match std::fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => ReadProblem::WrongKind("a symbolic link"),
        _ => ReadProblem::WrongKind("no folder"),
    }
}

/// The process ids that have a state file, and whether names were left out.
pub(super) fn process_ids(names: Dir, go_on: &GoOn<'_>) -> Result<(Vec<u32>, bool)> {
    let mut pids = Vec::new();
    let mut cut = false;
    for (number, entry) in names.enumerate() {
        // Asking about the time costs more than reading a name.
        if number >= MOST_NAMES || (number % 64 == 0 && !go_on()?) {
            cut = true;
            break;
        }
        let Ok(entry) = entry else { break };
        pids.extend(entry.file_name().to_str().ok().and_then(process_id));
    }
    Ok((pids, cut))
}

/// The process id in a file's name; `None` for any other name, also for a number that no process can have.
fn process_id(name: &str) -> Option<u32> {
    let digits = name.strip_suffix(".json")?;
    let pid: u32 = digits.parse().ok().filter(|pid| i32::try_from(*pid).is_ok_and(|pid| pid > 0))?;
    // `+7` and `007` are numbers as well, and the second would be the same editor twice.
    (file_name(pid) == name).then_some(pid)
}

/// The name of an editor's state file.
pub(super) fn file_name(pid: u32) -> String {
    format!("{pid}.json")
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::PathBuf};

    use super::*;

    #[test]
    fn only_plain_process_ids_name_a_state_file() {
        for (name, pid) in [
            ("12.json", Some(12)),
            ("12.json.tmp", None),
            ("0.json", None),
            ("-1.json", None),
            ("+1.json", None),
            ("007.json", None),
            (".json", None),
            ("12.JSON", None),
            ("4294967295.json", None),
            ("99999999999999999999.json", None),
            ("１.json", None),
        ] {
            assert_eq!(process_id(name), pid, "{name}");
        }
    }

    #[test]
    fn a_directory_that_others_could_have_filled_is_not_read() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = |name: &str, mode| {
            let path = place.path().join(name);
            fs::create_dir(&path).expect("a folder");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
            path
        };
        let closed = folder("closed", 0o700);
        let link = place.path().join("link");
        symlink(&closed, &link).expect("a link");
        let file = place.path().join("file");
        fs::write(&file, "").expect("a file");
        let check = |path: PathBuf, fallback: &str, runtime: &str| {
            for (origin, expected) in [(Origin::Fallback, fallback), (Origin::Runtime, runtime)] {
                let place = StateDirectory { path: path.clone(), origin };
                let told = match open_checked(&place) {
                    Ok(Some(_)) => "fine".to_owned(),
                    Ok(None) => "absent".to_owned(),
                    Err(problem) => problem.to_string(),
                };
                assert_eq!(told, expected, "{} {origin:?}", place.path.display());
            }
        };
        check(closed, "fine", "fine");
        check(place.path().join("none"), "absent", "absent");
        check(folder("readable", 0o755), "has the mode 755, which lets other users in", "fine");
        let writable = "has the mode 770, which lets other users";
        check(folder("writable", 0o770), &format!("{writable} in"), &format!("{writable} write"));
        check(link, "is a symbolic link", "is a symbolic link");
        check(file, "is no folder", "is no folder");
    }

    #[test]
    fn a_foreign_directory_is_not_read() {
        if !geteuid().is_root() {
            return; // Only root can give a directory away.
        }
        let place = tempfile::tempdir().expect("a folder");
        fs::set_permissions(place.path(), fs::Permissions::from_mode(0o700)).expect("a mode");
        std::os::unix::fs::chown(place.path(), Some(65534), Some(65534)).expect("a new owner");
        let place = StateDirectory { path: place.path().to_owned(), origin: Origin::Runtime };
        assert!(matches!(open_checked(&place), Err(ReadProblem::ForeignOwner)));
    }
}
