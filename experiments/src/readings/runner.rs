//! Searches the positions of a set with a network under one reading after another.

use crate::readings::brute::expectimax;
use crate::readings::form::{Counts, Form, NodeCount};
use crate::readings::game::{Die, ReadDice};
use crate::readings::list::Reading;
use crate::readings::search::{Iteration, Memory, Searched, search};
use crate::readings::sets::{Named, under};
use crate::records::meta::SCHEMA;
use crate::records::others::{ReadingLine, ReadingSearches};
use starsplit::search::StopFlag;
use starsplit_games::dice::{FullLine, Position};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A set of positions with a network, and what was searched of them already: readings share searches.
pub(super) struct Combination<'c> {
    seed: u64,
    network: &'c Named,
    positions: &'c [Position],
    searched: HashMap<Form, Vec<Searched>>,
    brute: HashMap<(Die, FullLine, u8), Vec<Searched>>,
}

impl<'c> Combination<'c> {
    /// Nothing was searched yet.
    pub(super) fn new(seed: u64, network: &'c Named, positions: &'c [Position]) -> Self {
        Combination { seed, network, positions, searched: HashMap::new(), brute: HashMap::new() }
    }
}

/// What searches.
pub(super) struct Runner<'r> {
    memories: Vec<Mutex<Memory>>,
    depth: u8,
    stop: &'r StopFlag,
}

impl<'r> Runner<'r> {
    /// So many positions at once, to this depth.
    pub(super) fn new(jobs: usize, depth: u8, stop: &'r StopFlag) -> Self {
        let memories = (0..jobs).map(|_| Mutex::new(Memory::default())).collect();
        Runner { memories, depth, stop }
    }

    /// The line of a reading; none where somebody asked to stop.
    pub(super) fn line(
        &mut self,
        reading: &Reading,
        combination: &mut Combination<'_>,
    ) -> anyhow::Result<Option<ReadingLine>> {
        let form = reading.form;
        let game = ReadDice::new(form.die, form.full_line)?;
        let forms = [reading.star1(), reading.star2(), reading.star2_tt()];
        if !self.search(&game, &forms, combination)? {
            return Ok(None);
        }
        let brute = &combination.brute[&(form.die, form.full_line, form.step)];
        let found = forms.map(|form| &combination.searched[&form]);
        let sums = |searched: &[Searched]| self.sums(reading.nodes, searched, brute);
        let beyond = |one: &[Searched], other: &[Searched]| {
            let more = |(one, other): &(&Searched, &Searched)| {
                self.nodes(reading.nodes, one, 0) > self.nodes(reading.nodes, other, 0)
            };
            one.iter().zip(other).filter(more).count() as u64
        };
        let [star1, star2, star2_tt] = found.map(|searched| sums(searched));
        let others = [star1, star2, star2_tt].map(|sums| sums.other_values);
        let error = (reading.is_sound() && others != [0; 3])
            .then(|| format!("other values than Expectimax's at {others:?} positions"));
        Ok(Some(ReadingLine {
            schema: SCHEMA,
            reading: reading.name.to_owned(),
            set: combination.seed,
            network: combination.network.0.to_owned(),
            depth: u32::from(self.depth),
            positions: combination.positions.len() as u64,
            expectimax: sums(brute),
            star1,
            star2,
            star2_tt,
            star2_beyond_star1: beyond(found[1], found[0]),
            star2_tt_beyond_star1: beyond(found[2], found[0]),
            scores: brute.iter().filter_map(|one| Some(one.iterations.last()?.score)).collect(),
            error,
        }))
    }

    /// Searches what was not searched yet; false where somebody asked to stop.
    fn search(
        &mut self,
        game: &ReadDice,
        forms: &[Form; 3],
        combination: &mut Combination<'_>,
    ) -> anyhow::Result<bool> {
        let full_line = forms[0].full_line;
        let network = &combination.network.1;
        let positions: Result<Vec<_>, _> =
            combination.positions.iter().map(|position| under(full_line, position)).collect();
        let positions = positions?;
        let rules = (forms[0].die, full_line, forms[0].step);
        if let Entry::Vacant(place) = combination.brute.entry(rules) {
            let found = self.each(&positions, |position, _| {
                let iterations = expectimax(game, network, position, (self.depth, rules.2), self.stop)?;
                Some(Searched { iterations, look_ups: 0, stores: 0 })
            });
            let Some(found) = found else { return Ok(false) };
            place.insert(found);
        }
        for form in forms {
            if let Entry::Vacant(place) = combination.searched.entry(*form) {
                let found = self.each(&positions, |position, memory| {
                    search(form, game, network, (position, self.depth), memory, self.stop)
                });
                let Some(found) = found else { return Ok(false) };
                place.insert(found);
            }
        }
        Ok(true)
    }

    /// What `search` makes of each position, several at once; none where somebody asked to stop.
    fn each(
        &self,
        positions: &[Position],
        search: impl Fn(&Position, &mut Memory) -> Option<Searched> + Sync,
    ) -> Option<Vec<Searched>> {
        let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = |memory: &Mutex<Memory>| {
            let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            // Relaxed: only who takes which position is told by it.
            while let number = next.fetch_add(1, Relaxed)
                && let Some(position) = positions.get(number)
            {
                let Some(searched) = search(position, &mut memory) else { break };
                found.lock().unwrap_or_else(PoisonError::into_inner).push((number, searched));
            }
        };
        std::thread::scope(|scope| {
            for memory in &self.memories {
                scope.spawn(|| work(memory));
            }
        });
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(number, _)| *number);
        (found.len() == positions.len()).then(|| found.into_iter().map(|(_, searched)| searched).collect())
    }

    /// The nodes of a search to the depth that is less by so many.
    fn nodes(&self, count: NodeCount, searched: &Searched, less: u8) -> u64 {
        let place = searched.iterations.iter().position(|iteration| iteration.depth + less == self.depth);
        let Some(place) = place else { return 0 };
        let counts = |iteration: &Iteration| iteration.counts;
        let earlier =
            place.checked_sub(1).map_or_else(Counts::default, |before| counts(&searched.iterations[before]));
        count.of(counts(&searched.iterations[place]), earlier)
    }

    fn sums(&self, count: NodeCount, searched: &[Searched], brute: &[Searched]) -> ReadingSearches {
        let mut sums = ReadingSearches::default();
        for (one, expected) in searched.iter().zip(brute) {
            sums.nodes += self.nodes(count, one, 0);
            sums.nodes_before += self.nodes(count, one, 2);
            sums.evaluations += one.iterations.last().map_or(0, |last| last.counts.leaves);
            sums.look_ups += one.look_ups;
            sums.stores += one.stores;
            let scores = |searched: &Searched| {
                searched.iterations.iter().map(|iteration| iteration.score).collect::<Vec<_>>()
            };
            sums.other_values += u64::from(scores(one) != scores(expected));
        }
        sums
    }
}
