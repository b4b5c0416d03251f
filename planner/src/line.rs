//! Tasks and answers as lines of text.
//!
//! A line is ASCII, of words with one blank between each and the next. Each thing has its name before it, in
//! a fixed order, and the first name has the number of the form after it: whoever changes the form raises
//! that. Read is what is written and nothing else, so that a line is the same after a round trip.

use crate::error::LineError;
use crate::task::{Answer, Identities, Task, TaskKey};
use starsplit::score::{Bounds, Grid, MAX_LIMIT, Score, Window};
use starsplit::search::{MAX_DEPTH, MAX_PATH_LENGTH};
use starsplit::table::Reuse;
use std::fmt;
use std::str::{FromStr, Split};

// The texts below say so.
const _: () = assert!(MAX_PATH_LENGTH == 512 && MAX_DEPTH == 254 && MAX_LIMIT == 8_388_607);

/// How much of a faulty word an error shows, in characters, escaped.
const SHOWN: usize = 40;

impl fmt::Display for TaskKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("path ")?;
        if self.path.is_empty() {
            f.write_str("-")?;
        }
        for (index, ordinal) in self.path.iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            write!(f, "{dot}{ordinal}")?;
        }
        write!(f, " depth {}", self.depth)
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Task { key, window: Window { alpha, beta } } = self;
        write!(f, "task 1 {key} window {alpha} {beta}")
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer { key, bounds: Bounds { lower, upper }, nodes, contradictions, identities } = self;
        write!(
            f,
            "answer 2 {key} bounds {lower} {upper} nodes {nodes} contradictions {contradictions} {identities}"
        )
    }
}

impl fmt::Display for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Identities { game, evaluator, grid, reuse } = self;
        let (limit, (low, high)) = (grid.limit(), grid.range());
        // Numbers in Rust are written so that they are read back to the bit.
        write!(f, "game {game:x} evaluator {evaluator:x} grid {limit} {low:?} {high:?} reuse {reuse}")
    }
}

impl FromStr for Task {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, LineError> {
        let mut words = Words::of(line);
        words.form("task", "1", "1, the only one that this build knows")?;
        let key = words.key()?;
        words.name("window")?;
        let (alpha, beta) = (words.score("window's first end")?, words.score("window's second end")?);
        let window = Window::new(alpha, beta);
        if window.is_empty() {
            return Err(fault("window", &format!("{alpha} {beta}"), "its first end below its second"));
        }
        words.end()?;
        Ok(Task { key, window })
    }
}

impl FromStr for Answer {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, LineError> {
        let mut words = Words::of(line);
        words.form("answer", "2", "2, the only one that this build knows")?;
        let key = words.key()?;
        words.name("bounds")?;
        let (lower, upper) = (words.score("lower bound")?, words.score("upper bound")?);
        if lower > upper {
            return Err(fault("bounds", &format!("{lower} {upper}"), "the first no greater than the second"));
        }
        words.name("nodes")?;
        let nodes = words.number("nodes", "a whole number below 2^64")?;
        words.name("contradictions")?;
        let contradictions = words.number("contradictions", "a whole number below 2^64")?;
        let identities = words.identities()?;
        words.end()?;
        Ok(Answer { key, bounds: Bounds::new(lower, upper), nodes, contradictions, identities })
    }
}

/// The words of a line that are still to be read.
struct Words<'l>(Split<'l, char>);

impl<'l> Words<'l> {
    fn of(line: &'l str) -> Self {
        Words(line.split(' '))
    }

    fn next(&mut self, thing: &'static str, expected: &'static str) -> Result<&'l str, LineError> {
        self.0.next().ok_or_else(|| LineError { thing, found: "missing".to_owned(), expected })
    }

    /// What the line is, and the number of its form.
    fn form(
        &mut self,
        name: &'static str,
        number: &'static str,
        expected: &'static str,
    ) -> Result<(), LineError> {
        self.name(name)?;
        let found = self.next("form", expected)?;
        if found == number { Ok(()) } else { Err(fault("form", found, expected)) }
    }

    /// The name of what comes next.
    fn name(&mut self, name: &'static str) -> Result<(), LineError> {
        let found = self.next("word", name)?;
        if found == name { Ok(()) } else { Err(fault("word", found, name)) }
    }

    /// A number, as it is written: with no sign or zero before it that it can do without.
    fn number<N: FromStr + ToString>(
        &mut self,
        thing: &'static str,
        expected: &'static str,
    ) -> Result<N, LineError> {
        let found = self.next(thing, expected)?;
        number(found).ok_or_else(|| fault(thing, found, expected))
    }

    fn score(&mut self, thing: &'static str) -> Result<Score, LineError> {
        let expected = "a whole number from -8388607 to 8388607";
        let found = self.next(thing, expected)?;
        let score = number(found).filter(|score| (-MAX_LIMIT..=MAX_LIMIT).contains(score));
        score.ok_or_else(|| fault(thing, found, expected))
    }

    fn key(&mut self) -> Result<TaskKey, LineError> {
        self.name("path")?;
        let expected = "- or at most 512 ordinals below 2^32, with a dot between each and the next";
        let found = self.next("path", expected)?;
        let path = path(found).ok_or_else(|| fault("path", found, expected))?;
        self.name("depth")?;
        let expected = "a whole number from 0 to 254";
        let found = self.next("depth", expected)?;
        let depth = number(found).filter(|&depth: &u8| u32::from(depth) <= MAX_DEPTH);
        Ok(TaskKey { path, depth: depth.ok_or_else(|| fault("depth", found, expected))? })
    }

    fn identities(&mut self) -> Result<Identities, LineError> {
        self.name("game")?;
        let game = self.hexadecimal("game")?;
        self.name("evaluator")?;
        let evaluator = self.hexadecimal("evaluator")?;
        self.name("grid")?;
        let grid = self.grid()?;
        self.name("reuse")?;
        let expected = "exact or at-least";
        let found = self.next("reuse", expected)?;
        let reuse: Option<Reuse> = found.parse().ok();
        let reuse = reuse.ok_or_else(|| fault("reuse", found, expected))?;
        Ok(Identities { game, evaluator, grid, reuse })
    }

    fn hexadecimal(&mut self, thing: &'static str) -> Result<u64, LineError> {
        let expected = "a hexadecimal number of at most 16 digits, in small letters";
        let found = self.next(thing, expected)?;
        let number = u64::from_str_radix(found, 16).ok();
        let number = number.filter(|number| format!("{number:x}") == found);
        number.ok_or_else(|| fault(thing, found, expected))
    }

    fn grid(&mut self) -> Result<Grid, LineError> {
        let limit = self.score("grid's limit")?;
        let expected = "a number such as -1.0";
        let mut end = |thing| {
            let found = self.next(thing, expected)?;
            let number = found.parse().ok().filter(|number: &f64| format!("{number:?}") == found);
            number.map(|number| (number, found)).ok_or_else(|| fault(thing, found, expected))
        };
        let (low, low_text) = end("grid's least value")?;
        let (high, high_text) = end("grid's greatest value")?;
        let expected = "a limit of 1 or more, and two finite values, the first below the second";
        let found = || format!("{limit} {low_text} {high_text}");
        Grid::with_limit(low, high, limit).map_err(|_| fault("grid", &found(), expected))
    }

    /// Nothing more.
    fn end(mut self) -> Result<(), LineError> {
        self.0.next().map_or(Ok(()), |found| Err(fault("word", found, "the end of the line")))
    }
}

fn number<N: FromStr + ToString>(text: &str) -> Option<N> {
    // Nothing that is written is longer, and what is made of a number is compared with the text.
    let number: N = if text.len() <= 20 { text.parse().ok()? } else { return None };
    (number.to_string() == text).then_some(number)
}

fn path(text: &str) -> Option<Vec<u32>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let most = MAX_PATH_LENGTH as usize;
    let ordinals: Option<Vec<u32>> = text.split('.').take(most + 1).map(number).collect();
    ordinals.filter(|ordinals| ordinals.len() <= most)
}

#[cold]
fn fault(thing: &'static str, found: &str, expected: &'static str) -> LineError {
    let mut escaped = found.chars().flat_map(char::escape_default);
    let shown: String = escaped.by_ref().take(SHOWN).collect();
    let dots = if escaped.next().is_some() { "..." } else { "" };
    LineError { thing, found: format!("\"{shown}{dots}\""), expected }
}
