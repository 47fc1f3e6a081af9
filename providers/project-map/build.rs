//! Gives the library a number that is another one when its sources are. Pairs are kept between runs and are as good as
//! the code that made them; nobody would think of counting up a number with each change of it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// What pairs depend on besides the files: the code here, and the code that finds words and languages.
const SOURCES: [&str; 2] = ["src", "../../sdk/code/src"];

fn main() -> io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in SOURCES {
        println!("cargo::rerun-if-changed={}", here.join(folder).display());
        list(&here.join(folder), Path::new(folder), &mut files)?;
    }
    files.sort();
    let mut sum = 0xcbf2_9ce4_8422_2325;
    for file in files {
        // Names below the crate: where it lies is nobody's business.
        sum = added(sum, file.as_os_str().as_encoded_bytes());
        sum = added(sum, &fs::read(here.join(&file))?);
    }
    println!("cargo::rustc-env=PROJECT_MAP_SOURCES={sum:016x}");
    Ok(())
}

fn list(folder: &Path, name: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = name.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &name, files)?;
        } else {
            files.push(name);
        }
    }
    Ok(())
}

/// FNV-1a: it has to be the same in every build, which the hashes of the standard library are not.
fn added(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
