//! The values that options take, as numbers and texts.

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
    /// On and off.
    Switch,
    /// Whole numbers, or the search chooses.
    TunedNumber {
        /// The least.
        least: u64,
        /// The greatest.
        greatest: u64,
    },
    /// On and off, or the search chooses.
    TunedSwitch,
    /// Names.
    Choice {
        /// What the name chooses, as complaints say it.
        what: &'static str,
        /// All there are.
        names: &'static [&'static str],
        /// The same in words: `a, b or c`.
        expected: &'static str,
    },
}

/// A value of an option. Its text is the one that flags take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A number; of a time, the microseconds.
    Number(u64),
    /// On or off.
    Switch(bool),
    /// One of the names of a choice.
    Name(&'static str),
    /// What the search chooses.
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
    /// What a complaint expects.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Number { least, greatest } => write!(f, "a whole number from {least} to {greatest}"),
            OptionKind::Switch => f.write_str("on or off"),
            OptionKind::TunedNumber { least, greatest } => {
                write!(f, "a whole number from {least} to {greatest}, or {AUTO}")
            }
            OptionKind::TunedSwitch => write!(f, "on, off or {AUTO}"),
            OptionKind::Choice { expected, .. } => f.write_str(expected),
        }
    }
}

impl OptionKind {
    /// Fewer numbers. A build error where the kind has none.
    pub(super) const fn within(self, least: u64, greatest: u64) -> Self {
        match self {
            OptionKind::Number { .. } => OptionKind::Number { least, greatest },
            OptionKind::TunedNumber { .. } => OptionKind::TunedNumber { least, greatest },
            _ => panic!("a range of something that is not a number"),
        }
    }

    /// The same values, or the search chooses. A build error where it has a choice of its own for that.
    const fn tuned(self) -> Self {
        match self {
            OptionKind::Number { least, greatest } => OptionKind::TunedNumber { least, greatest },
            OptionKind::Switch => OptionKind::TunedSwitch,
            _ => panic!("names say themselves that the search chooses"),
        }
    }

    /// The kind of the values that are not left to the search.
    fn fixed(self) -> Self {
        match self {
            OptionKind::TunedNumber { least, greatest } => OptionKind::Number { least, greatest },
            OptionKind::TunedSwitch => OptionKind::Switch,
            kind => kind,
        }
    }

    fn is_tuned(self) -> bool {
        self.fixed() != self
    }

    /// What the value is called in help, unless its declaration says it.
    pub(super) const fn unit(self) -> &'static str {
        match self {
            OptionKind::Number { .. } => "N",
            OptionKind::Switch => "on|off",
            OptionKind::TunedNumber { .. } => "N|auto",
            OptionKind::TunedSwitch => "on|off|auto",
            OptionKind::Choice { .. } => "NAME",
        }
    }

    /// The value that `text` stands for.
    pub(super) fn value(&self, text: &str) -> Option<OptionValue> {
        if self.is_tuned() && text == AUTO {
            return Some(OptionValue::Auto);
        }
        match self.fixed() {
            OptionKind::Number { .. } => text.parse().ok().map(OptionValue::Number),
            OptionKind::Switch => match text {
                "on" => Some(OptionValue::Switch(true)),
                "off" => Some(OptionValue::Switch(false)),
                _ => None,
            },
            OptionKind::Choice { names, .. } => {
                names.iter().find(|name| **name == text).map(|name| OptionValue::Name(name))
            }
            OptionKind::TunedNumber { .. } | OptionKind::TunedSwitch => None,
        }
    }

    pub(super) fn has(self, value: OptionValue) -> bool {
        match (self.fixed(), value) {
            (_, OptionValue::Auto) => self.is_tuned(),
            (OptionKind::Number { least, greatest }, OptionValue::Number(number)) => {
                (least..=greatest).contains(&number)
            }
            (OptionKind::Switch, OptionValue::Switch(_)) => true,
            (OptionKind::Choice { names, .. }, OptionValue::Name(name)) => names.contains(&name),
            _ => false,
        }
    }
}

/// What the type of an option's field can do.
pub(in crate::search) trait OptionType: Sized {
    /// All that it takes.
    const KIND: OptionKind;

    fn value(&self) -> OptionValue;

    /// `None` when it is not of this type or too large for it.
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
                match value {
                    OptionValue::Number(number) => number.try_into().ok(),
                    _ => None,
                }
            }
        }
    )+};
}

numbers!(u8, u32, u64, usize);

impl OptionType for Duration {
    const KIND: OptionKind = u64::KIND;

    fn value(&self) -> OptionValue {
        OptionValue::Number(self.as_micros().try_into().unwrap_or(u64::MAX))
    }

    fn from_value(value: OptionValue) -> Option<Self> {
        u64::from_value(value).map(Duration::from_micros)
    }
}

impl OptionType for bool {
    const KIND: OptionKind = OptionKind::Switch;

    fn value(&self) -> OptionValue {
        OptionValue::Switch(*self)
    }

    fn from_value(value: OptionValue) -> Option<Self> {
        match value {
            OptionValue::Switch(is_on) => Some(is_on),
            _ => None,
        }
    }
}

impl<T: OptionType> OptionType for Option<T> {
    const KIND: OptionKind = T::KIND.tuned();

    /// Nothing is left to the search.
    fn value(&self) -> OptionValue {
        self.as_ref().map_or(OptionValue::Auto, T::value)
    }

    fn from_value(value: OptionValue) -> Option<Self> {
        if value == OptionValue::Auto { Some(None) } else { T::from_value(value).map(Some) }
    }
}
