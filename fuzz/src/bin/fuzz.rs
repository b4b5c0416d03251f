//! What is to be done by hand: see an input again, begin a corpus, tell what there is.

use starsplit_fuzz::{TARGETS, Target, campaign, corpus, named};
use std::io::Write as _;
use std::process::ExitCode;
use std::str::FromStr;
use std::{env, fs, io};

const USAGE: &str = "expected one of
  list                    the targets, a line each
  words TARGET            its words, as a dictionary of libFuzzer's
  longest TARGET          the most bytes of its inputs
  seeds [TARGET...]       writes the real inputs that a corpus begins with
  replay TARGET FILE...   runs the target on files
  mutate TARGET N SEED    runs it on the corpus and so many mutations of it";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match done(&words) {
        Ok(text) => match io::stdout().write_all(text.as_bytes()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
            _ => ExitCode::SUCCESS,
        },
        Err(complaint) => {
            eprintln!("error: {complaint}");
            ExitCode::from(2)
        }
    }
}

fn done(words: &[&str]) -> Result<String, String> {
    match words {
        ["list"] => Ok(TARGETS.iter().map(|target| format!("{}: {}\n", target.name, target.about)).collect()),
        ["words", name] => Ok(dictionary(&(target(name)?.words)())),
        ["longest", name] => Ok(format!("{}\n", target(name)?.longest)),
        ["seeds", names @ ..] => {
            let chosen = names.iter().map(|name| target(name)).collect::<Result<Vec<_>, _>>()?;
            let chosen = if chosen.is_empty() { TARGETS.iter().collect() } else { chosen };
            chosen.into_iter().map(seed).collect()
        }
        ["replay", name, files @ ..] if !files.is_empty() => {
            let target = target(name)?;
            for file in files {
                let bytes = fs::read(file).map_err(|error| format!("file {file}: {error}"))?;
                (target.run)(&bytes);
            }
            Ok(format!("{}: nothing is wrong with {}\n", target.name, files.join(", ")))
        }
        ["mutate", name, number, seed] => {
            let (target, mutations) = (target(name)?, read("N", number)?);
            let folder = env::temp_dir().join("starsplit-fuzz-failures");
            campaign::check(&Target { mutations, ..*target }, read("SEED", seed)?, &folder);
            Ok(format!("{}: nothing is wrong with {mutations} mutations\n", target.name))
        }
        _ => Err(USAGE.to_owned()),
    }
}

fn read<T: FromStr>(what: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{what} {text:?}: expected a whole number"))
}

fn target(name: &str) -> Result<&'static Target, String> {
    let known = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
    named(name).ok_or_else(|| format!("target {name}: expected one of {}", known()))
}

/// Writes the first inputs of a target's corpus.
fn seed(target: &Target) -> Result<String, String> {
    let folder = corpus::folder(target);
    let failed = |error: std::io::Error| format!("folder {}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    let seeds = (target.seeds)();
    for (name, bytes) in &seeds {
        fs::write(folder.join(name), bytes).map_err(failed)?;
    }
    Ok(format!("{}: {} inputs\n", target.name, seeds.len()))
}

fn dictionary(words: &[Vec<u8>]) -> String {
    // libFuzzer's dictionaries have words of at most 64 bytes.
    let words = words.iter().filter(|word| !word.is_empty() && word.len() <= 64);
    let written = |word: &Vec<u8>| word.iter().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
    words.map(|word| format!("\"{}\"\n", written(word))).collect()
}
