//! What every binary does the same way: reading arguments, printing, complaining, and the exit code.
//!
//! Bad input of any kind gives one line on standard error, `error: <thing> <value>: expected ...`, nothing on
//! standard output, and exit code 2. Help and results go to standard output; a reader who closes it early is
//! no error.

pub mod interrupt;
pub mod lines;
pub mod outputs;
pub mod progress;
#[cfg(feature = "threads")]
pub(crate) mod ranges;
pub mod texts;
pub mod values;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Parser};
use starsplit::search::StopFlag;
#[cfg(feature = "threads")]
use starsplit_doors::retired::{complaint, refused};
use starsplit_games::Invalid;
pub use starsplit_games::{files, shown};
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// What `--version` says: the version, the commit that the program was built from, and whether its sources
/// were changed.
pub const VERSION: &str = env!("STARSPLIT_VERSION");

/// How many columns the terminal on standard output has; none where it is no terminal.
pub fn terminal_width() -> Option<u16> {
    let out = console::Term::stdout();
    out.is_term().then(|| out.size_checked()).flatten().map(|(_, columns)| columns)
}

/// How a run ended that was not given bad input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything was done: exit code 0.
    Complete,
    /// Searches that must agree did not: exit code 1.
    ValuesDiffer,
    /// A figure is above what it may be: exit code 1.
    TooHigh,
    /// Ctrl-C ended it: exit code 130.
    Stopped,
}

impl Ending {
    /// The exit code that says so.
    pub fn exit_code(self) -> u8 {
        match self {
            Ending::Complete => 0,
            Ending::ValuesDiffer | Ending::TooHigh => 1,
            Ending::Stopped => interrupt::EXIT_CODE,
        }
    }
}

/// Input that the user has to correct; anything else that goes wrong is a failure of the program or the
/// machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(String);

impl BadInput {
    /// "`thing` `value`: `complaint`", where the complaint says what was expected.
    pub fn new(thing: impl Display, value: impl AsRef<str>, complaint: impl Display) -> Self {
        BadInput::from_error(format_args!("{thing} {}: {complaint}", shown(value.as_ref())))
    }

    /// A complaint that may name the thing and its value already.
    pub fn named(thing: &str, value: &str, error: impl Display) -> Self {
        let complaint = error.to_string();
        if complaint.starts_with(&format!("{thing} {}", shown(value))) {
            BadInput::from_error(complaint)
        } else {
            BadInput::new(thing, value, complaint)
        }
    }

    /// A complaint that already names the thing and its value.
    pub fn from_error(error: impl Display) -> Self {
        // A complaint may show what somebody else's reader says of the input, with the input in it as it is.
        BadInput(starsplit_games::one_line(&error.to_string()))
    }
}

/// What an error says, and then what it came of, as far as that is not said: the words of many an error have
/// those of its cause in them.
pub fn in_words(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text += &format!(": {cause}");
        }
    }
    text
}

/// Whether an error is the user's to correct.
pub fn is_bad_input(error: &anyhow::Error) -> bool {
    error.is::<BadInput>() || error.is::<Invalid>()
}

/// The error as bad input.
///
/// # Errors
/// The error itself where it is something else.
pub fn as_bad_input(error: anyhow::Error) -> anyhow::Result<BadInput> {
    error.downcast::<BadInput>().or_else(|error| error.downcast::<Invalid>().map(BadInput::from))
}

impl From<Invalid> for BadInput {
    fn from(invalid: Invalid) -> Self {
        BadInput(invalid.to_string())
    }
}

/// Reads the arguments, runs, and turns the ending into an exit code. `run` gets a flag that Ctrl-C raises.
pub fn main_with<A: Parser>(run: impl FnOnce(A, &StopFlag) -> anyhow::Result<Ending>) -> ExitCode {
    ended(A::try_parse(), run)
}

/// As [`main_with`], with arguments that were read.
pub fn main_of<A: Parser>(
    matches: &ArgMatches,
    run: impl FnOnce(A, &StopFlag) -> anyhow::Result<Ending>,
) -> ExitCode {
    ended(A::from_arg_matches(matches), run)
}

fn ended<A>(
    args: clap::error::Result<A>,
    run: impl FnOnce(A, &StopFlag) -> anyhow::Result<Ending>,
) -> ExitCode {
    let args = match args {
        Ok(args) => args,
        Err(error) => return answer_clap(&error),
    };
    let stop = interrupt::install().unwrap_or_else(|error| {
        note(format_args!("Ctrl-C will end this run without a summary: {error}"));
        StopFlag::new()
    });
    match run(args, &stop) {
        Ok(ending) => ending.exit_code().into(),
        Err(error) => {
            complain(&in_words(&error));
            if is_bad_input(&error) { 2.into() } else { ExitCode::FAILURE }
        }
    }
}

/// Prints what was asked for, such as help.
pub fn answer(text: &str) -> ExitCode {
    if print(text).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Complains of bad input.
pub fn refuse(error: &BadInput) -> ExitCode {
    complain(&error.to_string());
    2.into()
}

/// Writes `text` to standard output. That nobody reads it any more is no error: the exit code still tells.
///
/// # Errors
/// When it cannot be written for another reason, a full disk for instance.
pub fn print(text: &str) -> io::Result<()> {
    print_with(|out| out.write_all(text.as_bytes()))
}

/// As [`print()`], with what `write` writes piece by piece.
///
/// # Errors
/// As [`print()`].
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// What came of work that writes to standard output as it goes: none where nobody reads it any more, which
/// ends the work and is no error.
///
/// # Errors
/// All others.
pub fn until_closed<T>(written: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
    let is_closed = |error: &anyhow::Error| {
        error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    match written {
        Err(error) if is_closed(&error) => Ok(None),
        written => written.map(Some),
    }
}

/// Writes one JSON object and a line end to standard output.
///
/// # Errors
/// As [`print()`].
pub fn print_json(object: &impl serde::Serialize) -> anyhow::Result<()> {
    Ok(print(&(serde_json::to_string(object)? + "\n"))?)
}

/// Writes a line to standard error: one, whatever it is made of, and a short one. There is nobody left to
/// tell when that fails.
pub fn note(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", short_line(&line.to_string()));
}

fn complain(message: &str) {
    note(format_args!("error: {message}"));
}

/// The longest line, in bytes.
const LONGEST_LINE: usize = 390;

/// Text on one line, with what would not be seen escaped, and its middle left out where it is too long: the
/// beginning has the thing, and the end what was expected.
fn short_line(text: &str) -> String {
    let is_hidden = |letter: char| letter.is_control() || letter.escape_debug().count() > 2;
    let mut line = String::new();
    for letter in one_line(text).chars() {
        if is_hidden(letter) { line.extend(letter.escape_debug()) } else { line.push(letter) }
    }
    if line.len() <= LONGEST_LINE {
        return line;
    }
    const BETWEEN: &str = " ... ";
    let half = (LONGEST_LINE - BETWEEN.len()) / 2;
    let tail = line.ceil_char_boundary(line.len() - half);
    [&line[..line.floor_char_boundary(half)], &line[tail..]].join(BETWEEN)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Help and version go to standard output, every other answer of the argument parser is a complaint of one
/// line.
pub(crate) fn answer_clap(error: &clap::Error) -> ExitCode {
    if is_answer(error.kind()) {
        return answer(&error.render().to_string());
    }
    complain(&clap_complaint(error));
    2.into()
}

fn is_answer(kind: ErrorKind) -> bool {
    let without_words = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion, without_words].contains(&kind)
}

/// What the argument parser complains of, in one line.
pub(crate) fn clap_complaint(error: &clap::Error) -> String {
    if let (ErrorKind::ValueValidation, Some(own_words)) = (error.kind(), error.source()) {
        return own_words.to_string();
    }
    #[cfg(feature = "threads")]
    if let Some(refused) = retired(error) {
        return refused.to_string();
    }
    let text = error.to_string();
    // The parser's message is the first paragraph; usage and tips follow it.
    let message = text.split("\n\n").next().unwrap_or(&text);
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let expected = similar(error).map_or("what --help describes".to_owned(), |similar| {
        format!("such as {similar}, or what --help describes")
    });
    format!("command line: {}; expected {expected}", one_line(message))
}

/// The nearest command, flag or value that there is.
pub(crate) fn similar(error: &clap::Error) -> Option<String> {
    let kinds = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(one) => Some(one.clone()),
        // The best comes last.
        ContextValue::Strings(some) => some.last().cloned(),
        _ => None,
    })
}

/// Flags of the lab's own that are no more, below the last revision that had them.
#[cfg(feature = "threads")]
const RETIRED: [(&str, &[&str]); 2] = [
    ("7a4c2bf0", &["against", "held-out", "judge-seed", "matches", "opponent", "shard"]),
    ("83c4913b", &["as", "by-position"]),
];

/// What to say of an option that is no more, where that is what the argument parser complains of.
#[cfg(feature = "threads")]
pub(crate) fn retired(error: &clap::Error) -> Option<Invalid> {
    match (error.kind(), error.get(ContextKind::InvalidArg)?) {
        (ErrorKind::UnknownArgument, ContextValue::String(arg)) => {
            let flag = arg.strip_prefix("--")?;
            let own = RETIRED.iter().find(|(_, flags)| flags.contains(&flag));
            let own = own.map(|(last, _)| complaint(last, "what --help describes"));
            own.map_or_else(|| refused(flag), |own| Some(Invalid::from_error(format_args!("{arg}: {own}"))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Parser)]
    struct Sample {
        #[arg(long)]
        needed: String,
        #[arg(long, value_parser = |text: &str| Err::<u8, _>(BadInput::new("odd", text, "expected even")))]
        odd: Option<u8>,
    }

    fn complaint(args: &[&str]) -> String {
        clap_complaint(&Sample::try_parse_from(args).unwrap_err())
    }

    #[test]
    fn complaints_of_the_argument_parser_are_one_line() {
        for args in [&["x"][..], &["x", "--needed"], &["x", "--unheard-of"], &["x", "--needed", "a", "b"]] {
            let text = complaint(args);
            assert!(text.starts_with("command line: ") && !text.contains('\n'), "{text}");
        }
        assert!(complaint(&["x", "--unheard-of"]).contains("--unheard-of"));
        assert!(complaint(&["x"]).contains("--needed"));
        let text = complaint(&["x", "--neded", "a"]);
        assert!(text.contains("expected such as --needed") && !text.contains('\n'), "{text}");
    }

    #[test]
    #[cfg(feature = "threads")]
    fn options_that_are_no_more_are_told() {
        for args in [&["x", "--history=frozen"][..], &["x", "--history", "frozen"]] {
            assert_eq!(
                complaint(args),
                "option history: retired, revision 21018ab5 had it last; expected one that the library has, \
                 such as threads"
            );
        }
        assert!(complaint(&["x", "--probe-hints=cuts"]).starts_with("option probe-hints: retired"));
    }

    #[test]
    fn a_cause_is_told_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("table x: expected a file that can be written ({0})")]
        struct Told(#[source] io::Error);
        let full = || anyhow::Error::from(Told(io::Error::other("disk full")));
        assert_eq!(in_words(&full()), "table x: expected a file that can be written (disk full)");
        let outer = full().context("run a");
        assert_eq!(in_words(&outer), "run a: table x: expected a file that can be written (disk full)");
        let plain = anyhow::Error::from(io::Error::other("disk full")).context("cannot write x");
        assert_eq!(in_words(&plain), "cannot write x: disk full");
    }

    #[test]
    fn a_value_parser_speaks_for_itself() {
        assert_eq!(complaint(&["x", "--needed", "a", "--odd", "3"]), "odd 3: expected even");
    }

    #[test]
    fn whatever_is_said_takes_one_short_line() {
        assert_eq!(short_line("a\n  b\tc"), "a b c");
        assert_eq!(short_line("a\u{1b}[1m \u{202e}\u{0} \u{e9} '\\"), "a\\u{1b}[1m \\u{202e}\\0 \u{e9} '\\");
        let long = short_line(&format!("thing {}: expected less", "\u{1b}\u{1d11e}x".repeat(50_000)));
        assert!(long.starts_with("thing \\u{1b}") && long.ends_with(": expected less"), "{long}");
        assert!((LONGEST_LINE - 10..=LONGEST_LINE).contains(&long.len()), "{}", long.len());
    }

    #[test]
    fn whatever_a_complaint_shows_it_is_one_line() {
        let complaints = ["a\nb", "a\u{1b}[31mb", "a\0\u{85}b"].map(BadInput::from_error);
        assert!(complaints.iter().all(|complaint| !complaint.to_string().contains(char::is_control)));
        assert_eq!(complaints[1].to_string(), "a\\u{1b}[31mb");
    }

    #[test]
    fn values_are_shown_on_one_line_and_not_in_full_length() {
        assert_eq!(shown("-1"), "-1");
        assert_eq!(shown(""), "\"\"");
        assert_eq!(shown("a\nb"), r#""a\nb""#);
        assert!(shown(&"x".repeat(10_000)).len() < 100);
    }
}
