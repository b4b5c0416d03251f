//! Names of choices, on the command line and in records.

/// Gives an enum of choices, those of the option `$field`, its names.
macro_rules! named {
    ($type:ident, $field:ident, $what:literal, $($variant:ident = $name:literal),+) => {
        impl $type {
            /// Every choice.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// The name used on the command line and in records.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
            }
        }

        impl Default for $type {
            /// The one that searches take unless another is asked for.
            fn default() -> Self {
                $crate::search::Options::default().$field
            }
        }

        impl $crate::search::request::option_value::OptionType for $type {
            const KIND: $crate::search::OptionKind = $crate::search::OptionKind::Choice {
                what: $what,
                names: &[$($name),+],
                expected: $crate::search::request::one_of!($($name),+),
            };

            fn value(&self) -> $crate::search::OptionValue {
                $crate::search::OptionValue::Name(self.name())
            }

            fn from_value(value: $crate::search::OptionValue) -> Option<Self> {
                match value {
                    $crate::search::OptionValue::Name(name) => name.parse().ok(),
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::search::OptionsError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $type::ALL.iter().copied().find(|choice| choice.name() == name).ok_or_else(|| {
                    $crate::search::OptionsError::Name {
                        what: $what,
                        found: $crate::search::request::cut(name),
                        expected: $crate::search::request::one_of!($($name),+),
                    }
                })
            }
        }
    };
}

/// The names in a row, as complaints have them: "a, b or c".
macro_rules! one_of {
    ($last:literal) => { $last };
    ($left:literal, $last:literal) => { concat!($left, " or ", $last) };
    ($first:literal, $($rest:literal),+) => {
        concat!($first, ", ", $crate::search::request::one_of!($($rest),+))
    };
}

pub(in crate::search) use {named, one_of};
