//! Names of choices, on the command line and in records.

/// Gives an enum of choices its names.
macro_rules! named {
    ($type:ident, $what:literal, $($variant:ident = $name:literal),+) => {
        impl $type {
            /// Every choice.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// The name used on the command line and in records.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
            }
        }

        impl $crate::search::request::option_value::OptionType for $type {
            const KIND: $crate::search::request::option_value::OptionKind =
                $crate::search::request::option_value::OptionKind::Choice {
                what: $what,
                names: &[$($name),+],
                expected: $crate::search::request::named::one_of!($($name),+),
            };

            fn value(&self) -> $crate::search::request::option_value::OptionValue {
                $crate::search::request::option_value::OptionValue::Name(self.name())
            }

            fn from_value(value: $crate::search::request::option_value::OptionValue) -> Option<Self> {
                match value {
                    $crate::search::request::option_value::OptionValue::Name(name) => {
                        $type::ALL.iter().copied().find(|choice| choice.name() == name)
                    }
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

/// The names in a row, as complaints have them: "a, b or c".
macro_rules! one_of {
    ($last:literal) => { $last };
    ($left:literal, $last:literal) => { concat!($left, " or ", $last) };
    ($first:literal, $($rest:literal),+) => {
        concat!($first, ", ", $crate::search::request::named::one_of!($($rest),+))
    };
}

pub(in crate::search) use {named, one_of};
