//! Values of options, as data and as text.

use starsplit::search::{Algorithm, Method, MoveOrdering, RootRanking, SiblingBatch, TableUse};
use starsplit::table::Reuse;
use std::fmt;
use std::time::Duration;

/// The values that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Whole numbers.
    Number {
        /// The least.
        least: u64,
        /// The greatest.
        greatest: u64,
    },
    /// How many: numbers of 32 bits, or on for the greatest, that is all, and off for 0.
    Count,
    /// On and off.
    Switch,
    /// Whole numbers, or off.
    Threshold {
        /// The least.
        least: u64,
        /// The greatest.
        greatest: u64,
    },
    /// Whole numbers, or chosen by the search.
    TunedNumber {
        /// The least.
        least: u64,
        /// The greatest.
        greatest: u64,
    },
    /// On and off, or chosen by the search.
    TunedSwitch,
    /// One of these names.
    Choice(&'static [&'static str]),
}

/// A value of an option. Its text is what flags take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A number; microseconds for a time.
    Number(u64),
    /// On or off.
    Switch(bool),
    /// A name of a choice.
    Name(&'static str),
    /// Chosen by the search.
    Auto,
}

/// The text of [`OptionValue::Auto`].
const AUTO: &str = "auto";

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            OptionValue::Number(number) => number.fmt(f),
            OptionValue::Switch(is_on) => f.write_str(if is_on { "on" } else { "off" }),
            OptionValue::Name(name) => f.write_str(name),
            OptionValue::Auto => f.write_str(AUTO),
        }
    }
}

impl fmt::Display for OptionKind {
    /// What an error says was expected.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Number { least, greatest } => write!(f, "a whole number from {least} to {greatest}"),
            OptionKind::Count => write!(f, "a whole number from 0 to {}, on or off", u32::MAX),
            OptionKind::Switch => f.write_str("on or off"),
            OptionKind::Threshold { least, greatest } => {
                write!(f, "a whole number from {least} to {greatest}, or off")
            }
            OptionKind::TunedNumber { least, greatest } => {
                write!(f, "a whole number from {least} to {greatest}, or {AUTO}")
            }
            OptionKind::TunedSwitch => write!(f, "on, off or {AUTO}"),
            OptionKind::Choice([others @ .., last]) => write!(f, "{} or {last}", others.join(", ")),
            OptionKind::Choice([]) => f.write_str("nothing"),
        }
    }
}

impl OptionKind {
    /// Restricts the range. A build error if the kind has no numbers.
    pub(crate) const fn within(self, least: u64, greatest: u64) -> Self {
        match self {
            OptionKind::Number { .. } => OptionKind::Number { least, greatest },
            OptionKind::Threshold { .. } => OptionKind::Threshold { least, greatest },
            OptionKind::TunedNumber { .. } => OptionKind::TunedNumber { least, greatest },
            _ => panic!("a range of something that is not a number"),
        }
    }

    /// The same values, or chosen by the search. A build error for names, which say this themselves.
    const fn tuned(self) -> Self {
        match self {
            OptionKind::Number { least, greatest } => OptionKind::TunedNumber { least, greatest },
            OptionKind::Switch => OptionKind::TunedSwitch,
            _ => panic!("names say themselves that the search chooses"),
        }
    }

    /// The name of the value in help, unless the declaration gives one.
    pub(crate) const fn unit(self) -> &'static str {
        match self {
            OptionKind::Number { .. } => "N",
            OptionKind::Count => "N|on|off",
            OptionKind::Switch => "on|off",
            OptionKind::Threshold { .. } => "N|off",
            OptionKind::TunedNumber { .. } => "N|auto",
            OptionKind::TunedSwitch => "on|off|auto",
            OptionKind::Choice(_) => "NAME",
        }
    }

    /// Reads a value from text; `None` if the option does not take it.
    pub(crate) fn value(self, text: &str) -> Option<OptionValue> {
        let read = match (self, text) {
            (OptionKind::TunedNumber { .. } | OptionKind::TunedSwitch, AUTO) => Some(OptionValue::Auto),
            (OptionKind::Switch | OptionKind::TunedSwitch, "on") => Some(OptionValue::Switch(true)),
            (OptionKind::Switch | OptionKind::TunedSwitch | OptionKind::Threshold { .. }, "off") => {
                Some(OptionValue::Switch(false))
            }
            (OptionKind::Count, "on") => Some(OptionValue::Number(u32::MAX.into())),
            (OptionKind::Count, "off") => Some(OptionValue::Number(0)),
            (OptionKind::Choice(names), _) => {
                names.iter().find(|name| **name == text).map(|name| OptionValue::Name(name))
            }
            _ => text.parse().ok().map(OptionValue::Number),
        };
        read.filter(|value| self.has(*value))
    }

    pub(crate) fn has(self, value: OptionValue) -> bool {
        match (self, value) {
            (
                OptionKind::Number { least, greatest }
                | OptionKind::Threshold { least, greatest }
                | OptionKind::TunedNumber { least, greatest },
                OptionValue::Number(number),
            ) => (least..=greatest).contains(&number),
            (OptionKind::Count, OptionValue::Number(number)) => u32::try_from(number).is_ok(),
            (OptionKind::Switch | OptionKind::TunedSwitch, OptionValue::Switch(_)) => true,
            (OptionKind::Threshold { .. }, OptionValue::Switch(is_on)) => !is_on,
            (OptionKind::Choice(names), OptionValue::Name(name)) => names.contains(&name),
            (OptionKind::TunedNumber { .. } | OptionKind::TunedSwitch, OptionValue::Auto) => true,
            _ => false,
        }
    }
}

/// The type of an option's field.
pub(crate) trait OptionType: Sized {
    /// The values that it takes.
    const KIND: OptionKind;

    fn value(&self) -> OptionValue;

    /// `None` if the value is of another type or too large.
    fn from_value(value: OptionValue) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl OptionType for $type {
            const KIND: OptionKind = OptionKind::Number { least: 0, greatest: <$type>::MAX as u64 };

            fn value(&self) -> OptionValue {
                OptionValue::Number(*self as u64)
            }

            fn from_value(value: OptionValue) -> Option<Self> {
                let OptionValue::Number(number) = value else { return None };
                number.try_into().ok()
            }
        }
    )+};
}

numbers!(u8, u32, u64, usize);

macro_rules! choices {
    ($($type:ty),+) => {$(
        impl OptionType for $type {
            const KIND: OptionKind = {
                const NAMES: [&str; <$type>::ALL.len()] = {
                    let mut names = [""; <$type>::ALL.len()];
                    let mut n = 0;
                    while n < names.len() {
                        names[n] = <$type>::ALL[n].name();
                        n += 1;
                    }
                    names
                };
                OptionKind::Choice(&NAMES)
            };

            fn value(&self) -> OptionValue {
                OptionValue::Name(self.name())
            }

            fn from_value(value: OptionValue) -> Option<Self> {
                let OptionValue::Name(name) = value else { return None };
                name.parse().ok()
            }
        }
    )+};
}

choices!(Algorithm, TableUse, MoveOrdering, SiblingBatch, Method, Reuse);

impl OptionType for Duration {
    const KIND: OptionKind = u64::KIND;

    fn value(&self) -> OptionValue {
        OptionValue::Number(self.as_micros().try_into().unwrap_or(u64::MAX))
    }

    fn from_value(value: OptionValue) -> Option<Self> {
        u64::from_value(value).map(Duration::from_micros)
    }
}

/// A least depth, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrOff(Option<u8>);

impl From<Option<u8>> for OrOff {
    fn from(number: Option<u8>) -> Self {
        OrOff(number)
    }
}

impl From<OrOff> for Option<u8> {
    fn from(OrOff(number): OrOff) -> Self {
        number
    }
}

impl OptionType for OrOff {
    const KIND: OptionKind = OptionKind::Threshold { least: 0, greatest: u8::MAX as u64 };

    fn value(&self) -> OptionValue {
        self.0.as_ref().map_or(OptionValue::Switch(false), u8::value)
    }

    fn from_value(value: OptionValue) -> Option<Self> {
        match value {
            OptionValue::Switch(false) => Some(OrOff(None)),
            number => u8::from_value(number).map(|number| OrOff(Some(number))),
        }
    }
}

impl OptionType for RootRanking {
    const KIND: OptionKind = OptionKind::Count;

    fn value(&self) -> OptionValue {
        OptionValue::Number(match *self {
            RootRanking::None => 0,
            RootRanking::Best(count) => count.into(),
            RootRanking::All => u32::MAX.into(),
        })
    }

    fn from_value(value: OptionValue) -> Option<Self> {
        u32::from_value(value).map(|count| match count {
            0 => RootRanking::None,
            u32::MAX => RootRanking::All,
            count => RootRanking::Best(count),
        })
    }
}

impl OptionType for bool {
    const KIND: OptionKind = OptionKind::Switch;

    fn value(&self) -> OptionValue {
        OptionValue::Switch(*self)
    }

    fn from_value(value: OptionValue) -> Option<Self> {
        let OptionValue::Switch(is_on) = value else { return None };
        Some(is_on)
    }
}

impl<T: OptionType> OptionType for Option<T> {
    const KIND: OptionKind = T::KIND.tuned();

    /// `None` is left to the search.
    fn value(&self) -> OptionValue {
        self.as_ref().map_or(OptionValue::Auto, T::value)
    }

    fn from_value(value: OptionValue) -> Option<Self> {
        if value == OptionValue::Auto { Some(None) } else { T::from_value(value).map(Some) }
    }
}
