//! Hands the target and the compiler to the note section; here, so that no provider needs a build script.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = env::var("TARGET").unwrap_or_default();
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version =
        Command::new(compiler).arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    println!("cargo::rustc-env=CTXHOST_SDK_TARGET={target}");
    println!("cargo::rustc-env=CTXHOST_SDK_RUSTC={}", String::from_utf8_lossy(&version).trim());
}
