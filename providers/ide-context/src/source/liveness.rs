//! Whether the process that wrote a state file is still there.

use std::fs;

use rustix::{
    io::Errno,
    param::clock_ticks_per_second,
    process::{Pid, test_kill_process},
};

/// How much later than its file a process may seem to start. The system tells its boot time in whole seconds and
/// corrects it with the clock, so a start can be off by one, and a file's time is rounded too.
const TOLERANCE_SECONDS: f64 = 2.0;

/// A living process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alive {
    /// When it started, in clock ticks since the system did; with the id it names the process for good.
    pub(crate) start: Option<u64>,
}

/// Why an editor is not there any more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Death {
    /// No process has this id.
    NoProcess,
    /// The process has ended, and its parent has not taken notice yet.
    Ended,
    /// Another process has the id now.
    Reused {
        /// Seconds from the file's last write to the start of that process.
        seconds_later: f64,
    },
}

/// The processes of this system.
pub(crate) struct Processes {
    /// Unix seconds of the system's start; `None` where that cannot be had.
    booted: Option<f64>,
    ticks_per_second: f64,
}

impl Processes {
    pub(crate) fn new() -> Self {
        let booted = fs::read_to_string("/proc/stat")
            .ok()
            .and_then(|text| text.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok()));
        Self { booted, ticks_per_second: clock_ticks_per_second() as f64 }
    }

    /// Whether a process has this id at all; a cheap first look.
    ///
    /// A process of another user counts, as the protocol has it.
    pub(crate) fn exists(pid: u32) -> bool {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
        pid.is_some_and(|pid| matches!(test_kill_process(pid), Ok(()) | Err(Errno::PERM)))
    }

    /// Whether the process with this id can be the one that wrote a file at that time.
    ///
    /// Where `/proc` does not tell, the id alone decides.
    pub(crate) fn check(&self, pid: u32, written: f64) -> Result<Alive, Death> {
        if !Self::exists(pid) {
            return Err(Death::NoProcess);
        }
        let Some((state, start)) =
            fs::read(format!("/proc/{pid}/stat")).ok().and_then(|stat| state_and_start(&stat))
        else {
            return Ok(Alive { start: None });
        };
        if matches!(state, b'Z' | b'X' | b'x') {
            return Err(Death::Ended);
        }
        if let Some(booted) = self.booted {
            let seconds_later = booted + start as f64 / self.ticks_per_second - written;
            if seconds_later > TOLERANCE_SECONDS {
                return Err(Death::Reused { seconds_later });
            }
        }
        Ok(Alive { start: Some(start) })
    }
}

/// The third and the twenty-second field of `/proc/<pid>/stat`.
fn state_and_start(stat: &[u8]) -> Option<(u8, u64)> {
    // The second is the program's name in parentheses, which may hold anything, parentheses too.
    let end_of_name = stat.iter().rposition(|&byte| byte == b')')?;
    let mut fields = std::str::from_utf8(stat.get(end_of_name + 1..)?).ok()?.split_ascii_whitespace();
    let state = *fields.next()?.as_bytes().first()?;
    Some((state, fields.nth(18)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn fields_are_counted_after_the_programs_name() {
        let stat = b"7 (a) R 1) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4242 20\n";
        assert_eq!(state_and_start(stat), Some((b'S', 4242)));
        assert_eq!(state_and_start(b"7 (x) S 1 2"), None);
        assert_eq!(state_and_start(b""), None);
    }

    #[test]
    fn a_file_older_than_its_process_belongs_to_a_dead_editor() {
        let processes = Processes::new();
        let me = std::process::id();
        assert!(processes.check(me, f64::MAX).is_ok_and(|alive| alive.start.is_some()));
        assert!(
            matches!(processes.check(me, 1.0), Err(Death::Reused { seconds_later }) if seconds_later > 1e9)
        );
        let started = processes.booted.expect("this system tells");
        let (_, ticks) = state_and_start(&fs::read("/proc/self/stat").expect("its own")).expect("its fields");
        let started = started + ticks as f64 / processes.ticks_per_second;
        assert!(processes.check(me, started - 1.9).is_ok());
        assert!(processes.check(me, started - 2.1).is_err());
    }

    #[test]
    fn a_killed_process_is_dead_even_before_its_parent_looks() {
        let mut child = Command::new("sleep").arg("60").stdout(Stdio::null()).spawn().expect("a process");
        let pid = child.id();
        assert!(Processes::new().check(pid, f64::MAX).is_ok());
        child.kill().expect("it is ours");
        // The kernel needs a moment to make it a zombie.
        while Processes::new().check(pid, f64::MAX).is_ok() {
            std::thread::yield_now();
        }
        assert_eq!(Processes::new().check(pid, f64::MAX), Err(Death::Ended));
        child.wait().expect("it is ours");
        assert_eq!(Processes::new().check(pid, f64::MAX), Err(Death::NoProcess));
    }

    #[test]
    fn ids_that_no_process_can_have_are_dead() {
        assert!(!Processes::exists(0));
        assert!(!Processes::exists(u32::MAX));
        assert!(Processes::exists(1));
    }
}
