//! The searches of a position: the library's own, and every way beside it.

use crate::question::door::{AnySearcher, Entry};
use crate::question::suite::Suite;
use crate::records::meta::SCHEMA;
use crate::records::others::{WindowsLine, WindowsSearch};
use crate::runner::verdict::Verdicts;
use crate::windows::own::{self, OwnMaker};
use crate::windows::prover::{Counts, LibraryProver, Prover};
use crate::windows::root::{self, Found};
use crate::windows::way::{Engine, Way};
use starsplit::score::Score;
use starsplit::search::{Limits, Options, StopFlag};
use starsplit::table::Table;
use starsplit_tables::AnyTable;

/// What the library's own search is called.
pub(super) const SEARCH: &str = "library:search";

/// Which searches there are.
pub(super) struct Asked<'a> {
    pub(super) ways: &'a [Way],
    pub(super) seed: u64,
    pub(super) evaluator: &'a str,
    pub(super) depth: u32,
}

/// What searches positions.
pub(super) struct Runner<'a> {
    suite: &'a Suite,
    depth: u32,
    ways: &'a [Way],
    /// As the library searches by default.
    usual: Box<dyn AnySearcher + 'a>,
    /// The same without shallower iterations: the ways make their own.
    single: Box<dyn AnySearcher + 'a>,
    own: Box<dyn OwnMaker>,
    stop: &'a StopFlag,
}

impl<'a> Runner<'a> {
    /// For searches with this table, which nobody else may use.
    pub(super) fn new(
        asked: &Asked<'a>,
        suite: &'a Suite,
        table: &'a AnyTable,
        stop: &'a StopFlag,
    ) -> anyhow::Result<Self> {
        let Asked { ways, seed, evaluator, depth } = *asked;
        let maker = suite.door.evaluator(evaluator, seed)?;
        let usual = maker.searcher(table, Options::default(), None);
        let single = maker.searcher(table, Options { deepening: false, ..Options::default() }, None);
        let own = own::maker(&*suite.door, evaluator, seed)?;
        Ok(Runner { suite, depth, ways, usual, single, own, stop })
    }

    /// Searches the position of this place in the suite in every way; none where somebody asks to stop before
    /// all of it is done.
    pub(super) fn run(
        &self,
        (index, root): (usize, &Entry),
        verdicts: &mut Verdicts,
    ) -> anyhow::Result<Option<WindowsLine>> {
        let Some((depths, usual)) = self.usual(root)? else { return Ok(None) };
        let (mut searches, mut faults) = (vec![line(SEARCH, &usual)], Vec::new());
        for way in self.ways {
            let Some(found) = self.search(way, root, &depths)? else { return Ok(None) };
            match found.and_then(|found| agreeing(found, &depths, &usual.scores)) {
                Ok(found) => searches.push(line(&way.words, &found)),
                Err(fault) => {
                    verdicts.fail(index, || way.words.clone(), &fault);
                    faults.push(format!("{}: {fault}", way.words));
                }
            }
        }
        Ok(Some(WindowsLine {
            schema: SCHEMA,
            game: self.suite.door.game().to_owned(),
            depth: self.depth,
            index: index + 1,
            position: root.text.clone(),
            depths,
            scores: usual.scores,
            searches,
            error: (!faults.is_empty()).then(|| faults.join("; ")),
        }))
    }

    /// The library's search as it is: the depths of its iterations, and what it found and took.
    fn usual(&self, root: &Entry) -> anyhow::Result<Option<(Vec<u32>, Found)>> {
        self.usual.table().clear(1);
        let limits = Limits::depth(self.depth).with_stop(self.stop.clone());
        let answer = self.usual.search(root, &limits, &mut |_| {})?.answer;
        if answer.was_stopped() {
            return Ok(None);
        }
        let depths: Vec<u32> = answer.iterations.iter().map(|iteration| iteration.depth).collect();
        let exact = answer.iterations.iter().filter(|iteration| iteration.bounds.is_exact());
        let scores: Vec<Score> = exact.map(|iteration| iteration.bounds.lower).collect();
        anyhow::ensure!(scores.len() == depths.len(), "an iteration of {SEARCH} is not exact");
        let passes = depths.len() as u64;
        Ok(Some((depths, Found { scores, counts: Counts::of(&answer.stats), passes })))
    }

    /// Searches the root in this way; none where it is stopped.
    fn search(
        &self,
        way: &Way,
        root: &Entry,
        depths: &[u32],
    ) -> anyhow::Result<Option<Result<Found, String>>> {
        let grid = self.usual.grid();
        let mut prover: Box<dyn Prover + '_> = match way.engine {
            Engine::Library => {
                self.single.table().clear(1);
                Box::new(LibraryProver { searcher: &*self.single, root, stop: self.stop })
            }
            Engine::Own => self.own.prover(root, way.inner.on(&grid), self.stop)?,
        };
        root::iterate(&mut *prover, way.root, depths, &grid)
    }
}

/// What was found, if it is what the library's search has found at every depth.
fn agreeing(found: Found, depths: &[u32], expected: &[Score]) -> Result<Found, String> {
    let differing = (0..depths.len()).find(|&place| found.scores.get(place) != Some(&expected[place]));
    match differing {
        None => Ok(found),
        Some(place) => {
            let score = found.scores.get(place);
            Err(format!("depth {}: score {score:?}, expected {}", depths[place], expected[place]))
        }
    }
}

fn line(way: &str, found: &Found) -> WindowsSearch {
    let Counts { nodes, evaluations, look_ups, narrowed, re_searches, .. } = found.counts;
    let (way, passes) = (way.to_owned(), found.passes);
    let score = found.scores.last().copied().unwrap_or_default();
    WindowsSearch { way, score, nodes, evaluations, look_ups, passes, narrowed, re_searches }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_value_at_any_depth_is_a_fault() {
        let found = Found { scores: vec![3, 4], ..Found::default() };
        assert_eq!(agreeing(found.clone(), &[1, 3], &[3, 4]), Ok(found.clone()));
        let fault = agreeing(found, &[1, 3], &[3, 5]).unwrap_err();
        assert_eq!(fault, "depth 3: score Some(4), expected 5");
    }
}
