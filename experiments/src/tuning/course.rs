//! The course of an experiment: which settings search which position next. It follows from what was found,
//! so that records can be gone on with.

use crate::records::others::{TuningLine, TuningPhase};
use crate::runner::turns::in_turn;
use crate::tuning::choices::{Choice, combinations};
use crate::tuning::halving::{Halving, Step, Taken};

/// What the setting that chooses for itself is called.
pub(crate) const DEFAULT: &str = "default";

/// So many of the settings that were best on one thread are searched for the best on several.
const KEPT: usize = 12;

/// What is asked for.
#[derive(Clone, Debug)]
pub(super) struct Asked<'a> {
    /// On how many threads.
    pub(super) threads: &'a [usize],
    /// What settings choose on any number of threads.
    pub(super) choices: &'a [Choice],
    /// What they choose on several besides.
    pub(super) parallel: &'a [Choice],
    /// How much time there is for the search for the best on each number of threads.
    pub(super) budget_ns: u64,
    /// How many positions there are, at least two.
    pub(super) positions: usize,
    /// How often both settings search every position of the comparison.
    pub(super) repeat: usize,
}

impl Asked<'_> {
    /// The settings to choose from on so many threads: all combinations; or of those that were best on one
    /// thread, where that is known, each with all that several threads choose besides.
    fn settings(&self, threads: usize, serial: Option<&Cell>) -> Vec<String> {
        let all = || combinations(&[String::new()], self.choices);
        match serial {
            _ if threads == 1 => all(),
            None => combinations(&all(), self.parallel),
            Some(cell) => {
                let best = cell.halving.ranking().into_iter().take(KEPT);
                let best: Vec<_> = best.map(|number| cell.settings[number].clone()).collect();
                combinations(&best, self.parallel)
            }
        }
    }

    /// How many positions are for the search for the best: every other one.
    fn searched(&self) -> usize {
        self.positions.div_ceil(2)
    }

    /// How many are for the comparison: the others.
    fn compared(&self) -> usize {
        self.positions / 2
    }
}

/// The searches on one number of threads.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) threads: usize,
    /// The fixed settings.
    pub(super) settings: Vec<String>,
    halving: Halving,
}

impl Cell {
    /// The best of the fixed settings, as far as is known.
    fn best(&self) -> &str {
        &self.settings[self.halving.ranking()[0]]
    }
}

/// What settings search next, in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heat {
    pub(super) threads: usize,
    pub(super) phase: TuningPhase,
    /// From 0.
    pub(super) rung: usize,
    /// From 0, among all positions.
    pub(super) position: usize,
    /// From 0.
    pub(super) round: usize,
    /// In the order in which they run.
    pub(super) settings: Vec<String>,
}

impl Heat {
    /// Whether a line is of these searches.
    pub(super) fn is_of(&self, line: &TuningLine) -> bool {
        let numbers = (line.threads, line.phase, line.rung, line.index, line.repeat);
        let own = (self.threads, self.phase, self.rung + 1, self.position + 1, self.round + 1);
        numbers == own && line.searches.iter().map(|search| &search.setting).eq(&self.settings)
    }
}

/// How far the experiment has come.
#[derive(Clone, Debug)]
pub(super) struct Course<'a> {
    asked: Asked<'a>,
    /// Those whose search for the best has begun.
    cells: Vec<Cell>,
    /// How many heats of the comparison are done.
    compared: usize,
}

impl<'a> Course<'a> {
    pub(super) fn new(asked: Asked<'a>) -> Self {
        let mut course = Course { asked, cells: Vec::new(), compared: 0 };
        course.begin_cells();
        course
    }

    /// Begins searches for the best until there is something to search.
    fn begin_cells(&mut self) {
        while self.step().is_none() && self.cells.len() < self.asked.threads.len() {
            let threads = self.asked.threads[self.cells.len()];
            let serial = self.cells.iter().find(|cell| cell.threads == 1);
            let settings = self.asked.settings(threads, serial);
            let halving = Halving::new(settings.len(), self.asked.searched(), self.asked.budget_ns);
            self.cells.push(Cell { threads, settings, halving });
        }
    }

    fn step(&self) -> Option<Step> {
        self.cells.last().and_then(|cell| cell.halving.next())
    }

    /// What comes next; none at the end.
    pub(super) fn next(&self) -> Option<Heat> {
        match (self.step(), self.cells.last()) {
            (Some(step), Some(cell)) => Some(self.search(cell, step)),
            _ => self.comparison(),
        }
    }

    /// Of the search for the best. The default comes first: what it takes is the measure for the others.
    fn search(&self, cell: &Cell, step: Step) -> Heat {
        let fixed = step.order.iter().map(|&number| cell.settings[number].clone());
        Heat {
            threads: cell.threads,
            phase: TuningPhase::Search,
            rung: step.rung,
            position: 2 * spread(step.place, self.asked.searched()),
            round: step.round,
            settings: std::iter::once(DEFAULT.to_owned()).chain(fixed).collect(),
        }
    }

    /// Of the comparison, round by round.
    fn comparison(&self) -> Option<Heat> {
        let places = self.asked.compared();
        let (round, rest) =
            (self.compared / (places * self.cells.len()), self.compared % (places * self.cells.len()));
        let cell = &self.cells[rest / places];
        let both = [DEFAULT, cell.best()];
        (round < self.asked.repeat).then(|| Heat {
            threads: cell.threads,
            phase: TuningPhase::Comparison,
            rung: 0,
            position: 2 * (rest % places) + 1,
            round,
            settings: in_turn(2, round).map(|place| both[place].to_owned()).collect(),
        })
    }

    /// Goes on from what came next, which the line tells of.
    pub(super) fn settle(&mut self, line: &TuningLine) {
        match (line.phase, self.cells.last_mut()) {
            (TuningPhase::Search, Some(cell)) => {
                let taken = line.searches.iter().filter_map(|search| {
                    let setting = cell.settings.iter().position(|words| *words == search.setting)?;
                    let is_off = search.stopped || search.error.is_some();
                    Some(Taken { setting, wall_ns: search.wall_ns, is_off })
                });
                cell.halving.settle(&taken.collect::<Vec<_>>(), line.spent_ns);
            }
            _ => self.compared += 1,
        }
        self.begin_cells();
    }

    /// How many stages of how many are done: the search on each number of threads, and each round of the
    /// comparison.
    pub(super) fn stages(&self) -> (u64, u64) {
        let (all, places) = (self.asked.threads.len(), self.asked.compared());
        let is_searching = usize::from(self.step().is_some());
        let done = self.cells.len() - is_searching + self.compared / (places * self.cells.len().max(1));
        (done as u64, (all + self.asked.repeat) as u64)
    }
}

/// Where the position of that place in the search lies among its `count`: every few from one end to the other
/// again and again, beginning in the middle, so that the first few are from all parts of a suite.
fn spread(place: usize, count: usize) -> usize {
    let golden = (count as f64 * 0.618).round() as usize;
    let is_coprime = |step: &usize| greatest_divisor(*step, count) == 1;
    let step = (golden..=count).find(is_coprime).unwrap_or(1);
    (count / 2 + place * step) % count
}

fn greatest_divisor(one: usize, other: usize) -> usize {
    if other == 0 { one } else { greatest_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::others::TuningSearch;
    use std::collections::BTreeSet;

    /// A line of the heat in which every setting takes what `cost` says.
    fn line(heat: &Heat, cost: impl Fn(&str) -> u64) -> TuningLine {
        let search = |setting: &String| TuningSearch {
            setting: setting.clone(),
            wall_ns: cost(setting),
            ..TuningSearch::default()
        };
        let searches: Vec<_> = heat.settings.iter().map(search).collect();
        TuningLine {
            schema: 5,
            game: String::new(),
            depth: 1,
            threads: heat.threads,
            phase: heat.phase,
            rung: heat.rung + 1,
            index: heat.position + 1,
            position: String::new(),
            repeat: heat.round + 1,
            expected: None,
            spent_ns: searches.iter().map(|search| search.wall_ns).sum(),
            searches,
        }
    }

    fn heats(asked: Asked<'_>, cost: impl Fn(&str) -> u64) -> Vec<Heat> {
        let mut course = Course::new(asked);
        let mut heats = Vec::new();
        while let Some(heat) = course.next() {
            let line = line(&heat, &cost);
            assert!(heat.is_of(&line));
            course.settle(&line);
            heats.push(heat);
        }
        let (done, all) = course.stages();
        assert_eq!(done, all);
        heats
    }

    fn choices(texts: &[&str]) -> Vec<Choice> {
        texts.iter().map(|text| Choice::read(text).unwrap()).collect()
    }

    #[test]
    fn the_best_of_each_number_of_threads_is_compared_on_other_positions() {
        let serial =
            choices(&["table-depth=1|table-depth=2|table-depth=3", "probing-factor=0|probing-factor=1"]);
        let parallel = choices(&["split-depth=2|split-depth=4"]);
        let asked = Asked {
            threads: &[1, 2],
            choices: &serial,
            parallel: &parallel,
            budget_ns: 1,
            positions: 5,
            repeat: 3,
        };
        let best = "table-depth=2,probing-factor=1";
        let dear = |setting: &str| {
            u64::from(!setting.contains(best)) * 4 + u64::from(setting.contains("split-depth=2")) + 1
        };
        let found = heats(asked.clone(), dear);
        let of =
            |phase, threads| found.iter().filter(move |heat| (heat.phase, heat.threads) == (phase, threads));
        let sizes =
            |threads| of(TuningPhase::Search, threads).map(|heat| heat.settings.len()).collect::<Vec<_>>();
        // With the default six settings, then two; and twelve, four, two.
        assert_eq!((sizes(1), sizes(2)), (vec![7, 3], vec![13, 5, 3]));
        for (threads, best) in [(1, best.to_owned()), (2, format!("{best},split-depth=4"))] {
            let rounds: Vec<_> =
                of(TuningPhase::Comparison, threads).map(|heat| (heat.round, heat.position)).collect();
            assert_eq!(rounds, [(0, 1), (0, 3), (1, 1), (1, 3), (2, 1), (2, 3)]);
            for heat in of(TuningPhase::Comparison, threads) {
                let mut both = [DEFAULT.to_owned(), best.clone()];
                if heat.round % 2 == 1 {
                    both.reverse();
                }
                assert_eq!(heat.settings, both);
            }
        }
        assert!(of(TuningPhase::Search, 1).all(|heat| heat.position % 2 == 0 && heat.settings[0] == DEFAULT));
        let alone = heats(Asked { threads: &[2], ..asked }, dear);
        assert_eq!(alone[0].settings.len(), 13, "without serial searches all combinations");
    }

    #[test]
    fn the_first_positions_are_from_all_parts() {
        for count in 1..60 {
            let places: BTreeSet<_> = (0..count).map(|place| spread(place, count)).collect();
            assert_eq!(places.len(), count, "each of {count} once");
        }
        assert_eq!((0..5).map(|place| spread(place, 25)).collect::<Vec<_>>(), [12, 3, 19, 10, 1]);
    }
}
