//! The parallel methods that can be named: the one list to extend.

use crate::cli::BadInput;
use starsplit::search::Options;
use std::fmt;
use std::str::FromStr;

/// A way to search with several threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The successors of chance nodes are split among the threads.
    ChanceSplit,
}

impl Method {
    /// Every method.
    pub const ALL: &'static [Method] = &[Method::ChanceSplit];

    /// The name used on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Method::ChanceSplit => "chance-split",
        }
    }

    /// `options` for a search by this method on so many threads. One thread takes the parallel code too, so that its
    /// cost is seen.
    #[must_use]
    pub fn applied_to(self, options: Options, threads: usize) -> Options {
        match self {
            Method::ChanceSplit => Options { threads, split_alone: true, ..options },
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = BadInput;

    fn from_str(name: &str) -> Result<Self, BadInput> {
        Method::ALL.iter().copied().find(|method| method.name() == name).ok_or_else(|| {
            let names: Vec<_> = Method::ALL.iter().map(|method| method.name()).collect();
            BadInput::new("method", name, format_args!("expected {}", names.join(" or ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_read_as_they_are_written() {
        for &method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        let complaint = "all".parse::<Method>().unwrap_err().to_string();
        assert_eq!(complaint, "method all: expected chance-split");
    }
}
