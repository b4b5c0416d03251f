//! Searches the positions of a set with a network under one reading after another.

use crate::readings::brute::{expectimax, with_table};
use crate::readings::form::{Counts, Form, NodeCount, Root};
use crate::readings::game::{Die, ReadDice};
use crate::readings::list::Reading;
use crate::readings::search::{Iteration, Memory, Searched, search};
use crate::readings::sets::{Named, under};
use crate::records::meta::SCHEMA;
use crate::records::others::{ReadingLine, ReadingSearches};
use starsplit::search::StopFlag;
use starsplit_games::Delay;
use starsplit_games::dice::{FullLine, Position};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A set of positions with a network, and what was searched of them already: readings share searches.
pub(super) struct Combination<'c> {
    seed: u64,
    network: &'c Named,
    positions: &'c [Position],
    searched: HashMap<Form, Vec<Searched>>,
    brute: HashMap<Rules, Vec<Searched>>,
}

/// What Expectimax depends on: the rules, how its iterations go on and from where, and whether it has a
/// table.
type Rules = (Die, FullLine, u8, Root, Option<u8>);

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
    delay_us: u64,
    stop: &'r StopFlag,
}

impl<'r> Runner<'r> {
    /// So many positions at once, to this depth, with evaluations that take so many microseconds more than
    /// they need.
    pub(super) fn new(jobs: usize, depth: u8, delay_us: u64, stop: &'r StopFlag) -> Self {
        let memories = (0..jobs).map(|_| Mutex::new(Memory::default())).collect();
        Runner { memories, depth, delay_us, stop }
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
        let rules = (form.die, form.full_line, form.step, form.root, reading.expectimax_table_from);
        if !self.count(&game, rules, combination)? || !self.search(&game, &forms, combination)? {
            return Ok(None);
        }
        let brute = &combination.brute[&rules];
        let [star1, star2, star2_tt] =
            forms.map(|form| self.took(reading.nodes, &combination.searched[&form], brute));
        let others = [&star1, &star2, &star2_tt].map(|took| took.other_values);
        let error = (reading.is_sound() && others != [0; 3])
            .then(|| format!("other values than Expectimax's at {others:?} positions"));
        Ok(Some(ReadingLine {
            schema: SCHEMA,
            reading: reading.name.to_owned(),
            set: combination.seed,
            network: combination.network.0.to_owned(),
            depth: u32::from(self.depth),
            positions: combination.positions.len() as u64,
            expectimax: self.took(reading.nodes, brute, brute),
            star1,
            star2,
            star2_tt,
            evaluation_us: self.delay_us,
            scores: brute.iter().filter_map(|one| Some(one.iterations.last()?.score)).collect(),
            error,
        }))
    }

    /// Counts what Expectimax visits, where that was not done yet; false where somebody asked to stop.
    fn count(
        &self,
        game: &ReadDice,
        rules: Rules,
        combination: &mut Combination<'_>,
    ) -> anyhow::Result<bool> {
        let (die, full_line, step, root, table_from) = rules;
        if combination.brute.contains_key(&rules) {
            return Ok(true);
        }
        let positions = positions_under(full_line, combination.positions)?;
        let network = &combination.network.1;
        let found = if let Some(from) = table_from {
            let without = (die, full_line, step, root, None);
            if !self.count(game, without, combination)? {
                return Ok(false);
            }
            let counted = self.each(&positions, |position, _| {
                with_table(game, position, (self.depth, step, root), from, self.stop)
            });
            let brute = &combination.brute[&without];
            let with = |counted: Vec<Vec<Counts>>| {
                brute.iter().zip(&counted).map(|(one, counts)| with_counts(one, counts)).collect()
            };
            counted.map(with)
        } else {
            self.each(&positions, |position, _| {
                let iterations = expectimax(game, network, position, (self.depth, step, root), self.stop)?;
                Some(Searched { iterations, look_ups: 0, stores: 0, wall_ns: 0 })
            })
        };
        let Some(found) = found else { return Ok(false) };
        combination.brute.insert(rules, found);
        Ok(true)
    }

    /// Searches what was not searched yet; false where somebody asked to stop.
    fn search(
        &self,
        game: &ReadDice,
        forms: &[Form; 3],
        combination: &mut Combination<'_>,
    ) -> anyhow::Result<bool> {
        let positions = positions_under(forms[0].full_line, combination.positions)?;
        let network = &combination.network.1;
        let delay = match self.delay_us {
            0 => Delay::NONE,
            us => Delay::of(Duration::from_micros(us)),
        };
        for form in forms {
            if let Entry::Vacant(place) = combination.searched.entry(*form) {
                let found = self.each(&positions, |position, memory| {
                    search(form, game, (network, delay), (position, self.depth), memory, self.stop)
                });
                let Some(found) = found else { return Ok(false) };
                place.insert(found);
            }
        }
        Ok(true)
    }

    /// What `search` makes of each position, several at once; none where somebody asked to stop.
    fn each<T: Send>(
        &self,
        positions: &[Position],
        search: impl Fn(&Position, &mut Memory) -> Option<T> + Sync,
    ) -> Option<Vec<T>> {
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

    /// What searches took, with nodes counted in this way.
    fn took(&self, count: NodeCount, searched: &[Searched], brute: &[Searched]) -> ReadingSearches {
        let mut took = ReadingSearches::default();
        for (one, expected) in searched.iter().zip(brute) {
            let last = one.iterations.last().map_or_else(Counts::default, |last| last.counts);
            let nodes = nodes_by_depth(count, one);
            took.nodes.push(nodes.last().copied().unwrap_or(0));
            took.evaluations.push(last.leaves + last.ordering);
            took.by_depth.resize(nodes.len(), 0);
            took.by_depth.iter_mut().zip(nodes).for_each(|(sum, nodes)| *sum += nodes);
            took.wall_ns += one.wall_ns;
            took.look_ups += one.look_ups;
            took.stores += one.stores;
            let scores = |searched: &Searched| {
                searched.iterations.iter().map(|iteration| iteration.score).collect::<Vec<_>>()
            };
            took.other_values += u64::from(scores(one) != scores(expected));
        }
        took
    }
}

/// The nodes until each depth was complete.
fn nodes_by_depth(count: NodeCount, searched: &Searched) -> Vec<u64> {
    let mut earlier = Counts::default();
    let nodes = |iteration: &Iteration| {
        let nodes = count.of(iteration.counts, earlier);
        earlier = iteration.counts;
        nodes
    };
    searched.iterations.iter().map(nodes).collect()
}

/// The same values, with other counts.
fn with_counts(brute: &Searched, counts: &[Counts]) -> Searched {
    let iterations = brute.iterations.iter().zip(counts);
    let iterations = iterations.map(|(&iteration, &counts)| Iteration { counts, ..iteration }).collect();
    Searched { iterations, look_ups: 0, stores: 0, wall_ns: 0 }
}

/// The positions where a full line may mean something else.
fn positions_under(full_line: FullLine, positions: &[Position]) -> anyhow::Result<Vec<Position>> {
    positions.iter().map(|position| under(full_line, position)).collect()
}
