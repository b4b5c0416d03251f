//! Under what conditions the turns of a folder were taken: how fast a serial probe of the machine was, when
//! it was slower than usual, and which turns were held up.

use crate::analysis::held_up::{HELD_UP, is_held_up};
use crate::analysis::order::Order;
use crate::records::line::{ContenderName, Line};
use serde::Serialize;
use starsplit_statistics::summary::{mean, median};
use std::collections::{BTreeMap, BTreeSet};

/// A round counts as disturbed where its probes take more than so many times as long as the run's median
/// probe.
pub const DISTURBED: f64 = 1.10;

/// Fewer probes have no median that one of them stands out from.
const FEWEST_PROBES: usize = 3;

/// A position and a round, both from 0.
type Place = (usize, usize);

/// The turns of a folder as far as conditions are concerned, noted line by line, in the order of the lines.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// How many threads the machine runs at once; 0 where nobody knows.
    cores: usize,
    contenders: Vec<ContenderName>,
    seen: BTreeSet<(usize, Place)>,
    /// Whether turns were held up, of those of which that is known.
    held_up: BTreeMap<(usize, Place), bool>,
    /// The contenders that had their turn at a place, in that order.
    turns: BTreeMap<Place, Vec<usize>>,
    /// The probes before these turns, in nanoseconds.
    probes: BTreeMap<Place, Vec<f64>>,
    /// One after the other, each once.
    made: Vec<u64>,
}

impl Conditions {
    /// Of no turn yet, on a machine that runs so many threads at once.
    pub(crate) fn on(cores: usize) -> Self {
        Conditions { cores, ..Conditions::default() }
    }

    /// These lines, of which those that can be read are taken into account as they pass.
    pub(crate) fn noting(
        &mut self,
        lines: impl Iterator<Item = Result<Line, String>>,
    ) -> impl Iterator<Item = Result<Line, String>> {
        lines.inspect(|line| line.iter().for_each(|line| self.note(line)))
    }

    /// Takes a line into account; of several that ran at once, the first, but for whether one was held up.
    pub(crate) fn note(&mut self, line: &Line) {
        let (Some(position), Some(round)) = (line.index.checked_sub(1), line.repeat.checked_sub(1)) else {
            return;
        };
        let (contender, place) = (self.contender(&line.contender), (position, round));
        if let Some(is_held_up) = is_held_up(line, self.cores) {
            *self.held_up.entry((contender, place)).or_default() |= is_held_up;
        }
        if !self.seen.insert((contender, place)) {
            return;
        }
        self.turns.entry(place).or_default().push(contender);
        if let Some(ns) = line.probe_ns {
            self.probes.entry(place).or_default().push(ns as f64);
            // The next is never as long to the nanosecond; if it were, it would count once.
            if self.made.last() != Some(&ns) {
                self.made.push(ns);
            }
        }
    }

    fn contender(&mut self, name: &ContenderName) -> usize {
        self.contenders.iter().position(|known| known == name).unwrap_or_else(|| {
            self.contenders.push(name.clone());
            self.contenders.len() - 1
        })
    }

    /// In which order the contenders came.
    pub fn order(&self) -> Order {
        let turns = self.turns.iter().map(|(&(position, _), turns)| (position, turns.as_slice()));
        Order::of(self.contenders.len(), turns)
    }

    /// When the machine was slower than usual, and turns were held up; none without probes.
    pub fn disturbance(&self) -> Option<Disturbance> {
        let made: Vec<f64> = self.made.iter().map(|&ns| ns as f64).collect();
        let usual = median(&made)?;
        let is_slow = |probes: &[f64]| mean(probes).is_some_and(|mean| mean > DISTURBED * usual);
        let mut rounds: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (&(_, round), probes) in &self.probes {
            rounds.entry(round).or_default().extend(probes);
        }
        let slow_rounds = rounds.iter().filter(|(_, probes)| is_slow(probes)).map(|(round, _)| round + 1);
        let slow_places = self.probes.values().filter(|probes| is_slow(probes)).count();
        // What has no probe of its own is told by that of another.
        let are_enough = |parts: usize| made.len() >= parts.max(FEWEST_PROBES);
        Some(Disturbance {
            probes: made.len(),
            median_ns: usual,
            slowest_ns: self.made.iter().copied().max().unwrap_or_default(),
            factor: DISTURBED,
            rounds: rounds.len(),
            disturbed_rounds: are_enough(rounds.len()).then(|| slow_rounds.collect()),
            places: self.probes.len(),
            disturbed_places: are_enough(self.probes.len()).then_some(slow_places),
            turns: self.held_up.len(),
            held_up_turns: self.held_up.values().filter(|&&is_held_up| is_held_up).count(),
        })
    }
}

/// When the machine was slower than usual, as the probes tell, and which turns were held up. A round is one
/// of all positions, a place a round of one position. What counts is the mean of the probes that were the
/// last before their turns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disturbance {
    /// How many probes were made.
    pub probes: usize,
    /// Their median, in nanoseconds.
    pub median_ns: f64,
    /// The slowest, in nanoseconds.
    pub slowest_ns: u64,
    /// From how many times the median on a round or a place is disturbed.
    pub factor: f64,
    /// How many rounds were begun.
    pub rounds: usize,
    /// The disturbed ones, from 1; none where there are too few probes to tell.
    pub disturbed_rounds: Option<Vec<usize>>,
    /// How many rounds of single positions were begun.
    pub places: usize,
    /// How many of them are disturbed; none where there are too few probes to tell.
    pub disturbed_places: Option<usize>,
    /// Of how many turns it is known whether they were held up; 0 in earlier records.
    pub turns: usize,
    /// How many of them were.
    pub held_up_turns: usize,
}

impl Disturbance {
    /// In words, for people.
    pub(crate) fn words(&self) -> String {
        let Disturbance { probes, turns, held_up_turns, .. } = self;
        let (median, slowest) = (self.median_ns / 1e6, self.slowest_ns as f64 / 1e6);
        let times = if *probes == 1 { "once".to_owned() } else { format!("{probes} times") };
        let mut text = format!(
            "A serial search between turns, made {times}, took {median:.1} ms in the median and {slowest:.1} \
             at most{}",
            self.rounds_text()
        );
        if *turns > 0 {
            text += &format!(
                ". {held_up_turns} of {turns} turns were held up: their threads, awake, lacked a processor \
                 for more than {:.0}% of the time, or a host took as much",
                100.0 * HELD_UP
            );
        }
        text
    }

    /// What a headline has to say: how many rounds were disturbed, and how many turns held up; nothing where
    /// none was.
    pub(crate) fn headline(&self) -> Option<String> {
        let disturbed = self.disturbed_rounds.as_ref().map_or(0, Vec::len);
        let parts = [
            (disturbed, format!("disturbed: {disturbed} of {} rounds", self.rounds)),
            (self.held_up_turns, format!("held up: {} of {} turns", self.held_up_turns, self.turns)),
        ];
        let told: Vec<_> =
            parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text).collect();
        (!told.is_empty()).then(|| told.join(", "))
    }

    /// What the probes tell of rounds.
    fn rounds_text(&self) -> String {
        let Disturbance { rounds, places, factor, .. } = self;
        let Some(disturbed) = &self.disturbed_rounds else {
            return format!(": too few to tell which of {rounds} rounds were disturbed");
        };
        let at_one = match self.disturbed_places {
            Some(disturbed) => format!(", and in {disturbed} of {places} at one position"),
            None => String::new(),
        };
        format!(
            ". Where it took {:.0}% more than the median the machine was disturbed: in {} of {rounds} rounds \
             over all positions{at_one}",
            100.0 * (factor - 1.0),
            disturbed.len(),
        )
    }
}

/// What stands in brackets behind a headline where the machine was disturbed; nothing where it was not.
pub(crate) fn in_headline(disturbance: Option<&Disturbance>) -> String {
    disturbance.and_then(Disturbance::headline).map_or_else(String::new, |told| format!(" ({told})"))
}

/// The conditions in sentences, for people.
pub(crate) fn words(order: &Order, disturbance: Option<&Disturbance>, pinned: Option<bool>) -> String {
    let mut text = format!("Order of turns: {}.", order.words());
    text.extend(disturbance.map(|found| format!(" {}.", found.words())));
    text.extend(
        pinned
            .map(|pinned| format!(" Threads were {}pinned to processors.", if pinned { "" } else { "not " })),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(method: &str, index: usize, repeat: usize, probe_ns: Option<u64>) -> Line {
        let contender = ContenderName { method: method.to_owned(), ..ContenderName::default() };
        Line { contender, index, repeat, probe_ns, ..Line::default() }
    }

    #[test]
    fn rounds_with_slow_probes_are_disturbed() {
        // Two positions, three rounds; the second round is slow at its first position, the third a little.
        let probes = [[100, 101], [102, 99], [200, 201], [98, 97], [105, 105], [105, 105]];
        let mut conditions = Conditions::default();
        for (number, probes) in probes.into_iter().enumerate() {
            for (method, ns) in ["serial", "both"].into_iter().zip(probes) {
                let line = line(method, number % 2 + 1, number / 2 + 1, Some(ns));
                conditions.note(&line);
                conditions.note(&Line { copy: Some(2), probe_ns: Some(999), ..line });
            }
        }
        let found = conditions.disturbance().unwrap();
        assert_eq!((found.probes, found.median_ns, found.slowest_ns), (9, 101.0, 201));
        assert_eq!((found.rounds, found.places), (3, 6));
        assert_eq!((found.disturbed_rounds.as_deref(), found.disturbed_places), (Some(&[2][..]), Some(1)));
        assert_eq!((found.turns, found.held_up_turns), (0, 0));
        assert_eq!(in_headline(Some(&found)), " (disturbed: 1 of 3 rounds)");
        let words = found.words();
        assert!(
            words.contains("in 1 of 3 rounds over all positions, and in 1 of 6 at one position"),
            "{words}"
        );
        assert!(!conditions.order().is_balanced(), "the same order three times");
    }

    /// What is said of so many probes before the turns of three rounds of two positions.
    fn told(probes: [u64; 6]) -> String {
        let mut conditions = Conditions::default();
        for (number, ns) in probes.into_iter().enumerate() {
            conditions.note(&line("serial", number % 2 + 1, number / 2 + 1, Some(ns)));
        }
        conditions.disturbance().unwrap().words()
    }

    #[test]
    fn probes_that_are_too_few_to_tell_are_said_to_be() {
        let few = ": too few to tell which of 3 rounds were disturbed";
        let once = told([100; 6]);
        assert!(once.contains("made once, took") && once.ends_with(few), "{once}");
        let twice = told([100, 100, 100, 900, 900, 900]);
        assert!(twice.contains("made 2 times, took") && twice.ends_with(few), "{twice}");
        let three = told([100, 100, 101, 101, 900, 900]);
        assert!(three.ends_with("disturbed: in 1 of 3 rounds over all positions"), "{three}");
        let all = told([100, 101, 102, 103, 104, 900]);
        assert!(all.ends_with("in 1 of 3 rounds over all positions, and in 1 of 6 at one position"), "{all}");
    }

    #[test]
    fn a_turn_is_held_up_where_one_of_its_searches_is() {
        let mut conditions = Conditions::on(2);
        for (method, round, cpu_ns) in
            [("serial", 1, [9, 9]), ("serial", 2, [9, 2]), ("both", 2, [2, 9]), ("both", 1, [9, 9])]
        {
            for (copy, cpu_ms) in (1..).zip(cpu_ns) {
                let mut line = line(method, 1, round, Some(1));
                (line.copy, line.contender.threads) = (Some(copy), 2);
                line.search.wall_ns = 9_000_000;
                line.search.cpu_ns = Some(cpu_ms * 1_000_000);
                conditions.note(&line);
            }
        }
        let found = conditions.disturbance().unwrap();
        assert_eq!((found.turns, found.held_up_turns, found.disturbed_rounds.as_ref()), (4, 2, None));
        assert_eq!(found.headline().as_deref(), Some("held up: 2 of 4 turns"));
        assert_eq!(in_headline(Some(&Disturbance { held_up_turns: 0, ..found.clone() })), "");
        assert!(found.words().contains("disturbed. 2 of 4 turns were held up: "), "{}", found.words());
    }

    #[test]
    fn lines_without_probes_tell_of_no_disturbance() {
        let lines = ["serial", "both"].map(|method| Ok(line(method, 1, 1, None)));
        let mut conditions = Conditions::default();
        let lines = lines.into_iter().chain([Err("no line".to_owned())]);
        assert_eq!(conditions.noting(lines).count(), 3);
        assert_eq!(conditions.disturbance(), None);
        assert_eq!(conditions.order().blocks, 1);
        let text = words(&conditions.order(), None, Some(false));
        assert!(
            text.starts_with("Order of turns: not balanced (2 contenders took turns 1 times")
                && text.ends_with(" Threads were not pinned to processors.")
        );
    }
}
