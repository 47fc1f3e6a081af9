//! The boundary through real processes: libraries written in C, libraries that are none, and what stands in between.

mod bad_files;
mod bad_tables;
mod c_provider;
mod check;
mod loading;
mod own_spec;
mod private_copy;

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::harness::{Place, root};

/// Compiles `rogue/c/<source>.c` into a library of this name, with every warning an error.
#[track_caller]
fn compile(place: &Place, source: &str, library: &str, defines: &[String]) -> PathBuf {
    let source = root().join("tests/rogue/c").join(format!("{source}.c"));
    let library = place.path(library);
    let mut compiler = Command::new("cc");
    compiler
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-pthread", "-I"])
        .arg(root().join("sdk/abi"))
        .args(defines)
        .arg("-o")
        .arg(&library)
        .arg(source);
    built(&mut compiler);
    library
}

#[track_caller]
fn built(compiler: &mut Command) {
    let made = compiler.output().expect("the C compiler starts");
    assert!(made.status.success(), "{compiler:?}: {}", String::from_utf8_lossy(&made.stderr));
}

/// A provider of `rogue/c/rogue.c` among a place's providers.
#[track_caller]
fn rogue(place: &Place, defines: &[String]) -> PathBuf {
    compile(place, "rogue", "providers/c-rogue.so", defines)
}

/// A switch of `rogue.c`.
fn is(name: &str, value: &str) -> String {
    format!("-D{name}={value}")
}

/// A switch of `rogue.c` whose value is a text in C.
fn text(name: &str, value: &str) -> String {
    format!("-D{name}=\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

const INJECT: [&str; 5] = ["inject", "--prompt", "good day to you", "--format", "json"];

/// Runs the program and ends it after a minute, so that one that waits for ever fails its test alone.
#[track_caller]
fn run_within_a_minute(mut command: Command) -> Output {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let stdout = read_in_thread(child.stdout.take().expect("a pipe"));
    let stderr = read_in_thread(child.stderr.take().expect("a pipe"));
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            break status;
        }
        if started.elapsed() > Duration::from_secs(60) {
            child.kill().expect("the program can be ended");
            panic!("{command:?} did not end within a minute");
        }
        thread::sleep(Duration::from_millis(2));
    };
    let read = |reader: JoinHandle<Vec<u8>>| reader.join().expect("the output is read");
    Output { status, stdout: read(stdout), stderr: read(stderr) }
}

fn read_in_thread(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe can be read");
        bytes
    })
}

/// The injection's document of a run that must end well and print nothing else.
#[track_caller]
fn injected(output: &Output) -> Value {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{:?}, printed {out:?}, and {err:?}", output.status);
    assert_eq!(err, "", "nothing is printed beside the injection");
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error} in {out:?}"))
}

/// The injection in a place.
#[track_caller]
fn inject(place: &Place) -> Value {
    injected(&run_within_a_minute(place.command(&INJECT)))
}

/// The bodies of an injection's sections, in order.
fn bodies(injection: &Value) -> Vec<&str> {
    let sections = injection["sections"].as_array().map(Vec::as_slice).unwrap_or_default();
    sections.iter().map(|section| section["body"].as_str().unwrap_or_default()).collect()
}

/// The one finding of an injection.
#[track_caller]
fn only_finding(injection: &Value) -> &Value {
    match injection["findings"].as_array().map(Vec::as_slice) {
        Some([finding]) => finding,
        other => panic!("one finding and not {other:#?}"),
    }
}

/// Copies a file to a place with its bytes changed; the original may be a hard link to what cargo built.
fn copy_with(from: &Path, to: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(from).expect("a file");
    change(&mut bytes);
    fs::write(to, bytes).expect("a file");
}

/// Replaces a text in a binary by one of the same length, wherever it stands.
#[track_caller]
fn replace(bytes: &mut [u8], old: &str, new: &str) {
    assert_eq!(old.len(), new.len());
    let mut found = 0;
    for at in 0..=bytes.len() - old.len() {
        if &bytes[at..at + old.len()] == old.as_bytes() {
            bytes[at..at + old.len()].copy_from_slice(new.as_bytes());
            found += 1;
        }
    }
    assert!(found > 0, "{old:?} does not occur");
}

/// Waits for something that another process does.
#[track_caller]
fn until(happened: impl Fn() -> bool) {
    let started = Instant::now();
    while !happened() {
        assert!(started.elapsed() < Duration::from_secs(60), "it did not happen");
        thread::sleep(Duration::from_millis(1));
    }
}
