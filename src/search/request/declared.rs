//! Declarations of options: what one says, and what is made of it.

use crate::search::request::error::{OptionsError, cut};
use crate::search::request::option_value::{OptionKind, OptionValue};
use crate::search::request::options::Options;

/// An option of the search as it is declared, once for all who set, record or compare it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DeclaredOption {
    /// Its name in records. The field's, but with the unit of a time.
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
    pub(super) get: fn(&Options) -> OptionValue,
    /// Whether the value was one for it.
    pub(super) set: fn(&mut Options, OptionValue) -> bool,
    pub(super) tried: usize,
    pub(super) try_nth: fn(&mut Options, usize),
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

impl DeclaredOption {
    /// The option's value among `options`.
    pub fn get(&self, options: &Options) -> OptionValue {
        (self.get)(options)
    }

    /// Gives the option a value among `options`.
    ///
    /// # Errors
    /// [`OptionsError`] when it takes no such value; `options` stay as they are.
    pub fn set(&self, options: &mut Options, value: OptionValue) -> Result<(), OptionsError> {
        // The field's type may take less than the declaration, where that is wrong.
        let is_set = self.kind.has(value) && (self.set)(options, value);
        if is_set { Ok(()) } else { Err(self.refusal(&value.to_string())) }
    }

    /// The value that a text stands for, as on a command line.
    ///
    /// # Errors
    /// [`OptionsError`] when the option takes no such value.
    pub fn read(&self, text: &str) -> Result<OptionValue, OptionsError> {
        let value = self.kind.value(text).filter(|value| self.kind.has(*value));
        value.ok_or_else(|| self.refusal(text))
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

    fn refusal(&self, found: &str) -> OptionsError {
        match self.kind {
            OptionKind::Choice { what, expected, .. } => {
                OptionsError::Name { what, found: cut(found), expected }
            }
            kind => {
                let found = cut(found).replace(char::is_control, " ");
                OptionsError::Value { what: self.flag, found, expected: kind.to_string() }
            }
        }
    }
}

/// The bytes of a name with dashes for its underscores.
pub(super) const fn dashed<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
    let mut bytes = [b'-'; LENGTH];
    let mut at = 0;
    while at < LENGTH {
        if name.as_bytes()[at] != b'_' {
            bytes[at] = name.as_bytes()[at];
        }
        at += 1;
    }
    bytes
}

/// Makes [`Options`] and [`Options::DECLARED`] of the declarations of options. One has, in this order:
///
/// * what is to be said of the field beyond `help`, then `field: type = default`;
/// * `help`, a line, and `more`, if there is more, for whoever sets it on a command line;
/// * `name`, where records call it otherwise than its field;
/// * `unit`, what help calls a number, and `range`, where not everything that the type holds makes sense on a
///   command line;
/// * `paper`, where [`Options::paper`] differs, or must not follow a new default;
/// * `role` and `recorded`, an [`OptionRole`] and a [`Recorded`];
/// * `tried`, the values that random trials choose from, one of which the tests take for each search they
///   make.
macro_rules! declare_options {
    ($(
        $(#[$doc:meta])*
        $field:ident: $type:ty = $default:expr => {
            help: $help:literal,
            $(more: $more:literal,)?
            $(name: $name:literal,)?
            $(unit: $unit:literal,)?
            $(range: $least:literal..=$greatest:expr,)?
            $(paper: $paper:expr,)?
            role: $role:ident, recorded: $recorded:ident,
            tried: $tried:expr,
        }
    )+) => {
        /// How to search. [`Options::DECLARED`] has for each field what values it takes and what it is called
        /// elsewhere.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            $(
                #[doc = concat!($help, ".")]
                #[doc = ""]
                $(#[$doc])*
                #[doc = ""]
                #[doc = concat!(
                    "Default: `", stringify!($default), "`"
                    $(, "; the paper's: `", stringify!($paper), "`")?,
                    "."
                )]
                pub $field: $type,
            )+
        }

        impl Default for Options {
            /// Star2-TT on one thread.
            fn default() -> Self {
                Options { $($field: $default),+ }
            }
        }

        impl Options {
            /// Every option, in the order of the fields.
            pub const DECLARED: &'static [DeclaredOption] = &[$({
                const NAME: &str = first!($($name,)? stringify!($field));
                const FLAG: [u8; NAME.len()] = dashed(NAME);
                const KIND: OptionKind = <$type as OptionType>::KIND$(.within($least, $greatest))?;
                const TRIED: &[$type] = $tried;
                const { assert!(!TRIED.is_empty(), "an option of which nothing is tried") };
                DeclaredOption {
                    name: NAME,
                    flag: match std::str::from_utf8(&FLAG) {
                        Ok(flag) => flag,
                        Err(_) => panic!("a name that is not plain"),
                    },
                    help: $help,
                    more: first!($($more,)? ""),
                    unit: first!($($unit,)? KIND.unit()),
                    kind: KIND,
                    role: OptionRole::$role,
                    recorded: Recorded::$recorded,
                    get: |options| options.$field.value(),
                    set: |options, value| {
                        let value = OptionType::from_value(value);
                        value.map(|value| options.$field = value).is_some()
                    },
                    tried: TRIED.len(),
                    try_nth: |options, n| options.$field = TRIED[n],
                }
            }),+];

            /// Nothing beyond the paper.
            fn of_the_paper() -> Self {
                Options { $($field: first!($($paper,)? $default)),+ }
            }
        }
    };
}

/// The first of its expressions.
macro_rules! first {
    ($first:expr $(, $others:expr)*) => {
        $first
    };
}

pub(super) use {declare_options, first};

#[cfg(test)]
mod tests {
    use super::*;

    /// Some values of the option: the default, and those that trials choose from.
    fn examples(declared: &DeclaredOption) -> Vec<Options> {
        let trial = |n| {
            let mut options = Options::default();
            declared.try_nth(&mut options, n);
            options
        };
        std::iter::once(Options::default()).chain((0..declared.trials()).map(trial)).collect()
    }

    #[test]
    fn what_is_read_and_set_is_what_was_there() {
        for declared in Options::DECLARED {
            let default = declared.get(&Options::default());
            assert_eq!(declared.read(&default.to_string()), Ok(default), "{}: its default", declared.name);
            for example in examples(declared) {
                let value = declared.get(&example);
                // Fields take more than flags.
                let Ok(read) = declared.read(&value.to_string()) else { continue };
                assert_eq!(read, value, "{}", declared.name);
                let mut options = Options::default();
                declared.set(&mut options, value).unwrap();
                assert_eq!(options, example, "{}: this option, and no other", declared.name);
            }
        }
    }

    /// Texts and values that the option does not take.
    fn refused(declared: &DeclaredOption) -> (Vec<String>, Vec<OptionValue>) {
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        match declared.kind {
            OptionKind::Number { least, greatest } | OptionKind::TunedNumber { least, greatest } => {
                let beyond: Vec<_> =
                    [least.checked_sub(1), greatest.checked_add(1)].into_iter().flatten().collect();
                let mut words = texts(&["-1", "1.5", "", "x", "AUTO", "18446744073709551616"]);
                words.extend(beyond.iter().map(u64::to_string));
                let values = beyond.into_iter().map(OptionValue::Number);
                (words, values.chain([OptionValue::Switch(true)]).collect())
            }
            OptionKind::Switch | OptionKind::TunedSwitch => {
                (texts(&["ON", "1", "", "Auto"]), vec![OptionValue::Number(1), OptionValue::Name("on")])
            }
            OptionKind::Choice { .. } => (
                texts(&["best", ""]),
                vec![OptionValue::Name("best"), OptionValue::Number(0), OptionValue::Auto],
            ),
        }
    }

    #[test]
    fn what_an_option_does_not_take_is_refused_by_name() {
        for declared in Options::DECLARED {
            let (texts, values) = refused(declared);
            let expected = format!(": expected {}", declared.kind);
            let is_named = |error: OptionsError| {
                let complaint = error.to_string();
                let begins = complaint.replace(' ', "-").starts_with(&format!("{}-", declared.flag));
                assert!(begins && complaint.ends_with(&expected), "{}: {complaint}", declared.name);
            };
            for text in texts {
                is_named(declared.read(&text).expect_err(&text));
            }
            for value in values {
                let mut options = Options::default();
                is_named(declared.set(&mut options, value).expect_err(declared.name));
                assert_eq!(options, Options::default(), "{}: untouched", declared.name);
            }
        }
    }

    #[test]
    fn whatever_text_is_refused_the_complaint_is_one_short_line() {
        for declared in Options::DECLARED {
            for text in ["\u{1b}[31m\n".to_owned(), "\u{1d11e}".repeat(1000), "\0".repeat(1000)] {
                let complaint = declared.read(&text).expect_err(declared.name).to_string();
                let is_line = !complaint.contains(char::is_control) && complaint.len() < 1000;
                assert!(is_line && complaint.contains(": expected "), "{complaint:?}");
            }
        }
    }

    #[test]
    fn names_are_plain_and_nobody_elses() {
        for (place, declared) in Options::DECLARED.iter().enumerate() {
            assert!(declared.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{}", declared.name);
            assert_eq!(declared.flag, declared.name.replace('_', "-"));
            assert!(!declared.help.is_empty() && !declared.help.ends_with('.'), "{}", declared.help);
            assert!(Options::DECLARED[..place].iter().all(|other| other.name != declared.name));
        }
    }

    #[test]
    fn trials_are_counted_round_and_round() {
        for declared in Options::DECLARED {
            let at = |n| {
                let mut options = Options::default();
                declared.try_nth(&mut options, n);
                options
            };
            assert_eq!(at(0), at(declared.trials()), "{}", declared.name);
        }
    }
}
