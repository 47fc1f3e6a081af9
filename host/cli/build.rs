//! Lists the files of the Pi extension, which the program carries and `ctxhost install pi` writes out.

use std::{fmt::Write as _, fs, io, path::Path};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/pi");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names = Vec::new();
    for name in ["package.json", "README.md"] {
        if folder.join(name).is_file() {
            names.push(name.to_owned());
        }
    }
    if folder.join("src").is_dir() {
        for entry in fs::read_dir(folder.join("src"))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.ends_with(".ts") {
                names.push(format!("src/{name}"));
            }
        }
    }
    names.sort();
    let mut list = String::from("&[\n");
    for name in names {
        let file = folder.join(&name);
        // Writing into a text cannot fail.
        let _ = writeln!(list, "    ({name:?}, include_str!({:?})),", file.display().to_string());
    }
    list.push_str("]\n");
    let out = std::env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&out).join("pi_files.rs"), list)
}
