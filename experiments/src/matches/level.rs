//! How long a move may be thought about.

use crate::cli::BadInput;
use crate::cli::values::{self, whole_number};
use clap::Args;
use serde::Serialize;
use starsplit::search::{Limits, MAX_DEPTH, StopFlag};
use std::fmt;
use std::time::Duration;

/// How far a move is searched; a search ends where the first of these is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Args)]
pub struct Level {
    /// How deep a move is searched
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// For how many milliseconds
    #[arg(long = "time-ms", alias = "ms", value_name = "MS", allow_negative_numbers = true,
          value_parser = positive("time-ms"))]
    pub ms: Option<u64>,

    /// For how many nodes, about
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive("nodes"))]
    pub nodes: Option<u64>,
}

fn positive(thing: &'static str) -> impl Fn(&str) -> Result<u64, BadInput> + Clone + Send + Sync + 'static {
    whole_number(thing, 1..=u64::MAX)
}

impl Level {
    /// Whether nothing ends a search.
    pub fn is_unlimited(&self) -> bool {
        *self == Level::default()
    }

    /// The limits of a search of a position below which there are so many plies, where that is known: deeper
    /// there is nothing to see.
    pub fn limits(&self, rest: Option<u32>, stop: &StopFlag) -> Limits {
        let depth = self.depth.unwrap_or(MAX_DEPTH).min(rest.unwrap_or(MAX_DEPTH)).clamp(1, MAX_DEPTH);
        let time = self.ms.map(Duration::from_millis);
        Limits { nodes: self.nodes, time, ..Limits::depth(depth).with_stop(stop.clone()) }
    }

    /// Reads what [`Display`](fmt::Display) writes, such as `depth 3 ms 50`; nothing is no limit.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn read(text: &str) -> Result<Self, BadInput> {
        let mut level = Level::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let value = words.next().unwrap_or_default();
            match word {
                "depth" => level.depth = Some(values::depth(value)?),
                "time-ms" | "ms" => level.ms = Some(positive("time-ms")(value)?),
                "nodes" => level.nodes = Some(positive("nodes")(value)?),
                _ => {
                    return Err(BadInput::new(
                        "limit",
                        word,
                        "expected depth, time-ms or nodes with a number",
                    ));
                }
            }
        }
        Ok(level)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [("depth", self.depth.map(u64::from)), ("ms", self.ms), ("nodes", self.nodes)];
        let parts = parts.iter().filter_map(|(name, value)| Some(format!("{name} {}", (*value)?)));
        f.write_str(&parts.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_read_as_it_is_written() {
        let all = Level { depth: Some(3), ms: Some(50), nodes: Some(7) };
        for level in [Level::default(), all, Level { depth: None, ..all }] {
            assert_eq!(Level::read(&level.to_string()), Ok(level));
        }
        for (text, words) in [
            ("depth", "depth \"\": expected"),
            ("ms 0", "time-ms 0:"),
            ("time-ms 0", "time-ms 0:"),
            ("fast", "limit fast:"),
        ] {
            assert!(Level::read(text).unwrap_err().to_string().starts_with(words), "{text}");
        }
    }

    #[test]
    fn no_search_is_deeper_than_the_game() {
        let limits = |depth, rest| Level { depth, ..Level::default() }.limits(rest, &StopFlag::new()).depth;
        assert_eq!(
            (limits(Some(5), Some(3)), limits(None, Some(3)), limits(Some(5), None)),
            (3.into(), 3.into(), 5.into())
        );
        assert_eq!(
            (limits(None, None), limits(Some(2), Some(0)), limits(None, Some(999))),
            (254.into(), 1.into(), 254.into())
        );
    }
}
