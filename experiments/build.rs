//! Writes down for the records which compiler builds the experiments, and from which sources.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the experiments are built from, seen from their folder.
const SOURCES: [&str; 10] = [
    "src",
    "Cargo.toml",
    "../src",
    "../games/src",
    "../games/weights",
    "../games/Cargo.toml",
    "../doors/src",
    "../doors/Cargo.toml",
    "../Cargo.toml",
    "../Cargo.lock",
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let version = env::var_os("RUSTC")
        .and_then(|rustc| Command::new(rustc).arg("--version").output().ok())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_default();
    println!("cargo::rustc-env=STARSPLIT_RUSTC={}", version.trim());
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        add(Path::new(source), &mut files)?;
    }
    files.sort();
    println!("cargo::rustc-env=STARSPLIT_SOURCES={:016x}", fingerprint(&files)?);
    Ok(())
}

/// Adds the files at or below a path.
fn add(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    fs::read_dir(path)?.try_for_each(|entry| add(&entry?.path(), files))
}

/// FNV-1a with 64 bits over the files' names and contents.
fn fingerprint(files: &[PathBuf]) -> io::Result<u64> {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        let name = file.to_string_lossy().replace('\\', "/");
        for byte in [name.as_bytes(), &[0], &fs::read(file)?, &[0]].concat() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(hash)
}
