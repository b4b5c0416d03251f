//! What the records say of the machine and of the program that ran on it. Whatever cannot be found out is
//! left out.

use crate::cli::values::cores;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use starsplit_games::fingerprint;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Machine {
    /// The operating system.
    pub os: String,
    /// The processor's architecture.
    pub arch: String,
    /// Threads that the system runs at once.
    pub cores: usize,
    /// The first processor's description.
    pub cpu: Option<Cpu>,
    /// The setting for huge pages: always, madvise or never.
    pub huge_pages: Option<String>,
}

/// A processor as the system describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Cpu {
    /// The name of the model.
    pub name: Option<String>,
    /// The maker's number of the family.
    pub family: Option<String>,
    /// The maker's number of the model.
    pub model: Option<String>,
    /// The instruction sets and features.
    pub flags: Vec<String>,
}

/// The program and its sources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Program {
    /// The command line, without the program's folder.
    pub command: Vec<String>,
    /// The compiler that built it.
    pub rustc: Option<String>,
    /// The executable's fingerprint, 64 bits, hexadecimal.
    pub build_fnv1a: Option<String>,
    /// The fingerprint of the sources that it was built from.
    pub sources_fnv1a: Option<String>,
    /// The revision in the working directory, which need not be what the program was built from.
    pub git: Option<Git>,
    /// The revision that it was built from; none where that was unknown, and before schema 6.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub built_from: Option<Git>,
}

/// A revision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Git {
    /// Its hash.
    pub revision: String,
    /// Whether tracked files differ from it; of what a program was built from, whether its sources did.
    pub dirty: bool,
}

/// Whether times are the machine's, so that those of two machines must not be mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// They are.
    Real,
    /// They are virtual, and the same on every machine.
    Virtual,
}

impl Machine {
    /// This machine.
    pub fn here() -> Self {
        Machine {
            os: env::consts::OS.to_owned(),
            arch: env::consts::ARCH.to_owned(),
            cores: cores(),
            cpu: fs::read_to_string("/proc/cpuinfo").ok().map(|text| Cpu::parse(&text)),
            huge_pages: fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled")
                .ok()
                .and_then(|text| selected(&text)),
        }
    }
}

impl Cpu {
    /// The first processor that `/proc/cpuinfo` describes.
    fn parse(text: &str) -> Self {
        let first = text.split("\n\n").next().unwrap_or_default();
        let fields: BTreeMap<_, _> = first
            .lines()
            .filter_map(|line| line.split_once(':'))
            .map(|(k, v)| (k.trim(), v.trim()))
            .collect();
        let field = |name| fields.get(name).map(|value| (*value).to_owned());
        let flags = fields.get("flags").or(fields.get("Features")).copied().unwrap_or_default();
        Cpu {
            name: field("model name"),
            family: field("cpu family"),
            model: field("model"),
            flags: flags.split_whitespace().map(str::to_owned).collect(),
        }
    }
}

/// The choice that the system marks with brackets: `madvise` of `always [madvise] never`.
fn selected(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('[')?;
    rest.split_once(']').map(|(choice, _)| choice.to_owned())
}

/// The fingerprint of a file of many megabytes: that of its blocks' checksums, which takes a tenth of the
/// time that its bytes' own would.
fn fingerprint_of_file(mut file: File) -> io::Result<String> {
    let (mut block, mut checksums) = (Vec::new(), Vec::new());
    while file.by_ref().take(1 << 16).read_to_end(&mut block)? > 0 {
        checksums.extend(crc32fast::hash(&block).to_le_bytes());
        block.clear();
    }
    Ok(fingerprint(&checksums))
}

impl Program {
    /// This program.
    pub fn here() -> Self {
        let rustc = env!("STARSPLIT_RUSTC");
        // The former is this very program even where its file was replaced meanwhile, but not every system
        // has it.
        let executable = File::open("/proc/self/exe").or_else(|_| File::open(env::current_exe()?));
        Program {
            command: command(),
            rustc: (!rustc.is_empty()).then(|| rustc.to_owned()),
            build_fnv1a: executable.and_then(fingerprint_of_file).ok(),
            sources_fnv1a: Some(env!("STARSPLIT_SOURCES").to_owned()),
            git: Git::here(),
            built_from: Git::built_from(),
        }
    }

    /// The revision that it was built from, or, in records that do not have it, that of the working
    /// directory.
    pub fn revision(&self) -> Option<&Git> {
        self.built_from.as_ref().or(self.git.as_ref())
    }

    /// Whether the program that wrote `theirs` into its `meta.json` is this very one; where times are
    /// virtual, it is enough that both were built from the same sources.
    pub(crate) fn is_build_of(&self, theirs: &Program, clock: Clock) -> bool {
        let is_this = self.build_fnv1a.is_some() && theirs.build_fnv1a == self.build_fnv1a;
        is_this || (clock == Clock::Virtual && theirs.sources_fnv1a == self.sources_fnv1a)
    }
}

/// The command line; of the program its name only, since where it lay says nothing to anybody else.
fn command() -> Vec<String> {
    let mut words = env::args_os();
    let program = words.next().map(PathBuf::from);
    let name = program.as_deref().and_then(Path::file_name).map(OsStr::to_owned);
    name.into_iter().chain(words).map(|word| word.to_string_lossy().into_owned()).collect()
}

impl Git {
    /// What this program was built from.
    fn built_from() -> Option<Self> {
        let revision = env!("STARSPLIT_REVISION");
        let dirty = env!("STARSPLIT_CHANGED") == "true";
        (!revision.is_empty()).then(|| Git { revision: revision.to_owned(), dirty })
    }

    fn here() -> Option<Self> {
        let revision = git(&["rev-parse", "HEAD"])?;
        // Files that git does not know, such as earlier results, do not change the program.
        let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
        Some(Git { revision, dirty: !changes.is_empty() })
    }
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_processor_is_described() {
        let text = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Some CPU @ \
            2.5GHz\nflags\t\t: fpu sse2\n\n\
                    processor\t: 1\nmodel\t\t: 99\n";
        let expected = Cpu {
            name: Some("Some CPU @ 2.5GHz".to_owned()),
            family: Some("6".to_owned()),
            model: Some("85".to_owned()),
            flags: vec!["fpu".to_owned(), "sse2".to_owned()],
        };
        assert_eq!(Cpu::parse(text), expected);
        assert_eq!(Cpu::parse(""), Cpu { name: None, family: None, model: None, flags: Vec::new() });
    }

    #[test]
    fn a_build_is_told_by_its_bytes_or_where_times_are_virtual_by_its_sources() {
        let own = Program::here();
        let other_print = || Some("0123456789abcdef".to_owned());
        assert!(own.build_fnv1a.is_some() && own.sources_fnv1a.as_ref().unwrap().len() == 16, "{own:?}");
        let rebuilt = Program { build_fnv1a: other_print(), ..own.clone() };
        let other = Program { sources_fnv1a: other_print(), ..rebuilt.clone() };
        let found = [&own.clone(), &rebuilt, &other, &Program::default()]
            .map(|theirs| (own.is_build_of(theirs, Clock::Real), own.is_build_of(theirs, Clock::Virtual)));
        assert_eq!(found, [(true, true), (false, true), (false, false), (false, false)]);
    }

    #[test]
    fn the_bracketed_choice_is_the_selected_one() {
        assert_eq!(selected("always [madvise] never\n"), Some("madvise".to_owned()));
        assert_eq!(selected("nothing"), None);
    }
}
