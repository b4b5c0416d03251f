//! Writes down for the records which compiler builds the experiments, from which sources and which commit.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the experiments are built from, seen from their folder.
const SOURCES: [&str; 12] = [
    "src",
    "Cargo.toml",
    "../src",
    "../games/src",
    "../games/weights",
    "../games/Cargo.toml",
    "statistics",
    "training",
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
    tell_revision();
    Ok(())
}

/// Writes down the commit, and whether the sources are what it has.
///
/// Of unchanged sources a later commit that leaves them alone is no reason to build anew: what is written
/// down stays true. Of changed ones it may be the commit of these very changes, so that commits are watched.
fn tell_revision() {
    let revision = git(&["rev-parse", "--show-prefix"])
        // Sources that lie unpacked in somebody else's repository are not of its commits.
        .filter(|prefix| prefix == "experiments/")
        .and_then(|_| git(&["rev-parse", "HEAD"]));
    let status: Vec<&str> = ["status", "--porcelain", "--"].into_iter().chain(SOURCES).collect();
    let changes = revision.as_ref().and_then(|_| git(&status));
    let (revision, is_changed) = match (revision, changes) {
        (Some(revision), Some(changes)) => (revision, !changes.is_empty()),
        _ => (String::new(), false),
    };
    let words = match (revision.as_str(), is_changed) {
        ("", _) => "revision unknown".to_owned(),
        (revision, false) => revision.to_owned(),
        (revision, true) => format!("{revision}, changed"),
    };
    println!("cargo::rustc-env=STARSPLIT_REVISION={revision}");
    println!("cargo::rustc-env=STARSPLIT_CHANGED={is_changed}");
    println!("cargo::rustc-env=STARSPLIT_VERSION={} ({words})", env!("CARGO_PKG_VERSION"));
    if is_changed {
        let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
        for file in ["HEAD", "logs/HEAD"].into_iter().chain(branch.as_deref()) {
            let path = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists());
            path.iter().for_each(|path| println!("cargo::rerun-if-changed={path}"));
        }
    }
}

/// What git says, without the end of its last line; none where it fails or is not there.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
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
