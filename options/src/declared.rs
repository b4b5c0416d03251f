//! Declarations of options: what one says, and what is made of it.

use crate::value::{OptionKind, OptionValue};
use starsplit::search::Options;

/// An option of the search as it is declared, once for all who set, record or compare it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DeclaredOption {
    /// Its name in records.
    pub name: &'static str,
    /// Its name on a command line, without the two dashes: `name` with dashes.
    pub flag: &'static str,
    /// What it is, in a line without a full stop.
    pub help: &'static str,
    /// What else there is to say to whoever sets it on a command line; may be empty.
    pub more: &'static str,
    /// What its value is called in help: `DEPTH`, `NAME`.
    pub unit: &'static str,
    /// The values that it takes.
    pub kind: OptionKind,
    /// Who sets it.
    pub role: OptionRole,
    /// Whether the parameters of recorded searches name it.
    pub recorded: Recorded,
    pub(crate) get: fn(&Options) -> OptionValue,
    /// Whether the value was one for it.
    pub(crate) set: fn(&mut Options, OptionValue) -> bool,
    pub(crate) tried: usize,
    pub(crate) try_nth: fn(&mut Options, usize),
}

/// Who sets an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionRole {
    /// Whoever runs an experiment, for all searches of it: a flag of every program that searches.
    Tuning,
    /// The experiment: its contenders differ in it, each program has flags of its own for it, or none.
    Contender,
    /// Whoever calls the library, to be told more than a value, or to measure.
    Request,
}

/// Whether the parameters of recorded searches name an option. Records whose parameters differ are not gone
/// on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// They do.
    Always,
    /// Where it is not the default: for an option that is younger than records which are to be gone on with.
    Changed,
    /// They do not. It is said elsewhere, such as in each line, or changes nothing that is recorded.
    Elsewhere,
}

/// That an option does not take a value: one line, which names both and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(String);

impl DeclaredOption {
    /// The option's value among `options`.
    pub fn get(&self, options: &Options) -> OptionValue {
        (self.get)(options)
    }

    /// Gives the option a value among `options`.
    ///
    /// # Errors
    /// When it takes no such value; `options` stay as they are.
    pub fn set(&self, options: &mut Options, value: OptionValue) -> Result<(), Refusal> {
        // The field's type may take less than the declaration, where that is wrong.
        let is_set = self.kind.has(value) && (self.set)(options, value);
        if is_set { Ok(()) } else { Err(self.refusal(&value.to_string())) }
    }

    /// The value that a text stands for, as on a command line.
    ///
    /// # Errors
    /// When the option takes no such value.
    pub fn read(&self, text: &str) -> Result<OptionValue, Refusal> {
        self.kind.value(text).ok_or_else(|| self.refusal(text))
    }

    /// How many values [`try_nth`](Self::try_nth) knows; at least one.
    pub fn trials(&self) -> usize {
        self.tried
    }

    /// Gives the option the `n`th of the values that random trials of it choose from, counted round and
    /// round: those that matter in small trees, the usual ones more than once. Some are beyond what flags
    /// take, but fields do take.
    pub fn try_nth(&self, options: &mut Options, n: usize) {
        (self.try_nth)(options, n % self.tried);
    }

    /// Whoever gives a long text knows the end of it.
    fn refusal(&self, found: &str) -> Refusal {
        const LONGEST: usize = 80;
        let end = found.char_indices().nth(LONGEST).map(|(end, _)| end);
        let found = end.map_or_else(|| found.to_owned(), |end| format!("{}...", &found[..end]));
        let (kind, flag) = (self.kind, self.flag);
        Refusal(match kind {
            OptionKind::Choice(_) => format!("{} {found:?}: expected {kind}", flag.replace('-', " ")),
            _ => format!("{flag} {}: expected {kind}", found.replace(char::is_control, " ")),
        })
    }
}
