//! Names of choices, on command lines and in records.

/// Gives an enum of choices its names; `what` is what it chooses.
macro_rules! named {
    ($type:ident, $what:literal, $($variant:ident = $name:literal),+) => {
        impl $type {
            /// Every choice.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// The name on command lines and in records.
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
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
                let found = Self::ALL.iter().copied().find(|choice| choice.name() == name);
                found.ok_or_else(|| $crate::search::OptionsError::no_name($what, name, &[$($name),+]))
            }
        }
    };
}
pub(super) use named;
