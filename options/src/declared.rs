//! Declarations of options.

use crate::value::{OptionKind, OptionValue};
use starsplit::search::Options;

/// The declaration of an option, for all code that sets, records or compares it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DeclaredOption {
    /// Its name in records.
    pub name: &'static str,
    /// Its name on a command line, without the two dashes: `name` with dashes instead of underscores.
    pub flag: &'static str,
    /// What it does, in one line without a full stop.
    pub help: &'static str,
    /// More about it, for a command line's help; may be empty.
    pub more: &'static str,
    /// The name of its value in help: `DEPTH`, `NAME`.
    pub unit: &'static str,
    /// The values that it takes.
    pub kind: OptionKind,
    /// Who sets it.
    pub role: OptionRole,
    /// Whether the parameters of recorded searches contain it.
    pub recorded: Recorded,
    pub(crate) get: fn(&Options) -> OptionValue,
    /// Sets the field. Returns whether its type takes the value.
    pub(crate) set: fn(&mut Options, OptionValue) -> bool,
    pub(crate) tried: usize,
    pub(crate) try_nth: fn(&mut Options, usize),
}

/// Who sets an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionRole {
    /// Whoever runs an experiment, for all its searches: a flag of every program that searches.
    Tuning,
    /// The experiment: its contenders differ in it. A program has its own flags for it, or none.
    Contender,
    /// Whoever calls the library, to be told more than a value, or to measure.
    Request,
}

/// Whether the parameters of recorded searches contain an option. An experiment does not go on with records
/// whose parameters differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// Always.
    Always,
    /// Only if it is not the default: for an option younger than records that are still to be gone on with.
    Changed,
    /// Never. It is recorded elsewhere, such as in each line, or changes nothing recorded.
    Elsewhere,
}

/// An option does not take a value: one line that names both and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(String);

impl DeclaredOption {
    /// The option's value among `options`.
    pub fn get(&self, options: &Options) -> OptionValue {
        (self.get)(options)
    }

    /// Whether the parameters of recorded searches under these options contain it.
    pub fn is_recorded(&self, options: &Options) -> bool {
        match self.recorded {
            Recorded::Always => true,
            Recorded::Changed => self.get(options) != self.get(&Options::default()),
            Recorded::Elsewhere => false,
        }
    }

    /// Sets the option's value among `options`.
    ///
    /// # Errors
    /// If it does not take the value; `options` then stay unchanged.
    pub fn set(&self, options: &mut Options, value: OptionValue) -> Result<(), Refusal> {
        // With a wrong declaration, the field's type may take less than the declaration says.
        let is_set = self.kind.has(value) && (self.set)(options, value);
        if is_set { Ok(()) } else { Err(self.refusal(&value.to_string())) }
    }

    /// Reads a value from text, as on a command line.
    ///
    /// # Errors
    /// If the option does not take the value.
    pub fn read(&self, text: &str) -> Result<OptionValue, Refusal> {
        self.kind.value(text).ok_or_else(|| self.refusal(text))
    }

    /// The number of values that [`try_nth`](Self::try_nth) knows; at least one.
    pub fn trials(&self) -> usize {
        self.tried
    }

    /// Sets the option to the `n`th value for random trials, counted round and round. These values matter in
    /// small trees; usual ones occur more than once. Some are beyond what flags take, but not beyond fields.
    pub fn try_nth(&self, options: &mut Options, n: usize) {
        (self.try_nth)(options, n % self.tried);
    }

    /// Cuts `found` to 80 characters.
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
