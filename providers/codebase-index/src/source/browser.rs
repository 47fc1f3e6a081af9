//! Opening an address in the person's browser, without a shell.

use std::{
    process::{Command, Stdio},
    thread,
};

/// What opens an address on this system.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// Opens an address; false when no program could be begun. `named` is what `BROWSER` says.
pub(crate) fn open(url: &str, named: Option<&str>) -> bool {
    let named = named.map(str::trim).filter(|program| is_one_program(program));
    named.into_iter().chain([OPENER]).any(|program| begin(program, url))
}

/// `BROWSER` may be a list or a pattern, which only a shell could make sense of.
fn is_one_program(program: &str) -> bool {
    !program.is_empty()
        && !program.contains(|letter: char| letter.is_whitespace() || ":%$`\"'".contains(letter))
}

fn begin(program: &str, url: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    // It would stay as a zombie until somebody has seen its end.
    let _ = thread::Builder::new().name("codebase-browser".to_owned()).spawn(move || child.wait());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_patterns_are_no_program() {
        for (named, is_one) in [
            ("firefox", true),
            ("/usr/bin/firefox", true),
            ("", false),
            ("a:b", false),
            ("a %s", false),
            ("a;b", true),
        ] {
            assert_eq!(is_one_program(named), is_one, "{named}");
        }
    }
}
