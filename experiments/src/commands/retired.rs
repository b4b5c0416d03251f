//! Commands and flags of the lab that are no more, so that whoever still names one is told.

use crate::cli::BadInput;
use crate::spec::no_experiment;
use starsplit_doors::retired::complaint;
use std::ffi::OsString;

/// The last revision that had them.
const LAST_WITH_THEM: &str = "7a4c2bf0";

/// The commands.
const COMMANDS: [&str; 1] = ["records"];

/// The flags, each with the command that had it.
const FLAGS: [(&str, &str); 5] = [
    ("run", "--shard"),
    ("train", "--held-out"),
    ("train", "--judge-seed"),
    ("train", "--matches"),
    ("train", "--opponent"),
];

/// What to say of a command that there is not; `expected` are those that there are.
pub(super) fn no_command(name: &str, expected: &str) -> BadInput {
    let expected = format!("one of {expected}");
    let complaint = match COMMANDS.contains(&name) {
        true => complaint(LAST_WITH_THEM, &expected),
        false => no_experiment(name, &expected),
    };
    BadInput::new("command", name, complaint)
}

/// What to say of a retired flag of a command, where one is among its arguments.
pub(super) fn flag(command: &str, arguments: &[OsString]) -> Option<BadInput> {
    let names = arguments.iter().filter_map(|argument| argument.to_str()?.split('=').next());
    let is_retired = |name: &&str| FLAGS.contains(&(command, *name));
    let name = names.into_iter().find(is_retired)?;
    Some(BadInput::new("flag", name, complaint(LAST_WITH_THEM, "those that --help describes")))
}
