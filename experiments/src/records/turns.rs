//! The searches of a folder that were one turn of a contender, put together from their lines.

use crate::records::line::{ContenderName, Line};
use crate::records::recorded::{RecordedSearch, other_score};
use std::collections::BTreeMap;

/// The method of one of several independent searches at once.
pub(crate) const CEILING: &str = "ceiling";

/// The method of one of several that end with the first of them, on the threads and with the memory of a
/// parallel search.
pub(crate) const MATCHED_CEILING: &str = "matched-ceiling";

/// Whose turn, by the number of the contender; at which position from 0, in which round from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TurnKey {
    pub(crate) contender: usize,
    pub(crate) position: usize,
    pub(crate) round: usize,
}

/// The searches of one turn: one, or those that ran at once.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) key: TurnKey,
    /// By their copies' numbers, as they were recorded.
    pub(crate) searches: Vec<RecordedSearch>,
    /// What was wrong with them.
    pub(crate) errors: Vec<String>,
    copies: Vec<Option<usize>>,
}

/// The turns of a folder, be they complete or not.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    /// Who takes turns, in the order in which they first did.
    pub(crate) contenders: Vec<ContenderName>,
    /// The suite's positions in the game's notation, where they were searched.
    pub(crate) positions: Vec<String>,
    /// The turns in their order.
    pub(crate) list: Vec<Turn>,
    /// How many lines they are from.
    pub(crate) lines: usize,
}

impl Turns {
    /// The turns of the lines.
    ///
    /// # Errors
    /// When a line is not one of a real search in a suite of so many `positions`, or is there twice, or
    /// `check` complains of whose it is, or the lines disagree about a position's name.
    pub(crate) fn of(
        lines: impl IntoIterator<Item = Result<Line, String>>,
        positions: usize,
        check: impl Fn(&ContenderName) -> Result<(), String>,
    ) -> Result<Self, String> {
        let (contenders, list) = (Vec::new(), Vec::new());
        let mut turns = Turns { contenders, positions: vec![String::new(); positions], list, lines: 0 };
        let mut numbers = BTreeMap::new();
        for line in lines {
            turns.lines += 1;
            turns.add(line, &mut numbers, &check)?;
        }
        Ok(turns)
    }

    fn add(
        &mut self,
        line: Result<Line, String>,
        numbers: &mut BTreeMap<TurnKey, usize>,
        check: &impl Fn(&ContenderName) -> Result<(), String>,
    ) -> Result<(), String> {
        let number = self.lines;
        let complain = |error: String| format!("expected a real search in line {number} ({error})");
        let mut line = line.map_err(complain)?;
        check(&line.contender).map_err(complain)?;
        let key = self.key(&line).map_err(complain)?;
        let search = RecordedSearch::take(&mut line).map_err(complain)?;
        name(&mut self.positions[key.position], &line.position)?;
        let turn = *numbers.entry(key).or_insert_with(|| {
            self.list.push(Turn { key, searches: Vec::new(), errors: Vec::new(), copies: Vec::new() });
            self.list.len() - 1
        });
        let turn = &mut self.list[turn];
        if turn.copies.contains(&line.copy) {
            return Err(complain("the same run was there before".to_owned()));
        }
        turn.copies.push(line.copy);
        turn.errors.extend(fault(&line, &search));
        turn.searches.push(search);
        Ok(())
    }

    fn key(&mut self, line: &Line) -> Result<TurnKey, String> {
        if line.simulated.is_some() {
            return Err("it is simulated".to_owned());
        }
        let positions = self.positions.len();
        match (line.index.checked_sub(1), line.repeat.checked_sub(1)) {
            (Some(position), Some(round)) if position < positions => {
                Ok(TurnKey { contender: self.contender(&line.contender), position, round })
            }
            _ => Err(format!("index {} of {positions}, repeat {}", line.index, line.repeat)),
        }
    }

    /// The contender's number.
    fn contender(&mut self, name: &ContenderName) -> usize {
        self.contenders.iter().position(|known| known == name).unwrap_or_else(|| {
            self.contenders.push(name.clone());
            self.contenders.len() - 1
        })
    }

    /// Whose turn it was.
    pub(crate) fn contender_of(&self, turn: &Turn) -> &ContenderName {
        &self.contenders[turn.key.contender]
    }

    /// Whether every search of the turn is there.
    pub(crate) fn is_complete(&self, turn: &Turn) -> bool {
        let contender = self.contender_of(turn);
        let is_several = [CEILING, MATCHED_CEILING].contains(&contender.method.as_str());
        turn.searches.len() == if is_several { contender.threads } else { 1 }
    }
}

impl Turn {
    /// Whether duplicate nodes were counted.
    pub(crate) fn is_explained(&self) -> bool {
        self.searches.iter().any(RecordedSearch::is_explained)
    }
}

/// What is wrong with the search of a line. A study's variants may be free to find other values.
fn fault(line: &Line, search: &RecordedSearch) -> Option<String> {
    let score = search.score.filter(|_| line.contender.variant.is_none());
    line.error.clone().or_else(|| other_score(score?, line.expected?))
}

/// Records the name of a position, of which nothing or the same was known.
///
/// # Errors
/// When it had another name.
pub(crate) fn name(known: &mut String, name: &str) -> Result<(), String> {
    if known.is_empty() {
        name.clone_into(known);
    }
    if known == name {
        Ok(())
    } else {
        Err(format!("expected one position of each index, not {known} and {name}"))
    }
}
