//! Searches the positions of a set with a network under one reading after another.

use crate::records::meta::SCHEMA;
use crate::records::others::{ReadingLine, ReadingSearches};
use rayon::ThreadPool;
use rayon::prelude::*;
use starsplit::search::{Algorithm, StopFlag};
use starsplit_games::Delay;
use starsplit_games::dice::Position;
use starsplit_readings::form::{Form, NodeCount};
use starsplit_readings::game::ReadDice;
use starsplit_readings::list::Reading;
use starsplit_readings::search::{Searched, search};
use starsplit_readings::sets::Named;
use starsplit_readings::table::Table;
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

thread_local! {
    /// The table of the searches on this thread: to make one takes longer than many a search.
    static TABLE: RefCell<Table> = RefCell::default();
}

/// A set of positions with a network, and what was searched of them already: readings share searches.
pub(super) struct Combination<'c> {
    /// How deep searches go, in plies.
    pub(super) depth: u8,
    /// How long an evaluation takes longer than it has to, in microseconds.
    pub(super) evaluation_us: u64,
    pub(super) seed: u64,
    pub(super) network: &'c Named,
    pub(super) positions: &'c [Position],
    pub(super) pool: &'c ThreadPool,
    pub(super) stop: &'c StopFlag,
    pub(super) searched: HashMap<Form, Vec<Searched>>,
}

impl Combination<'_> {
    /// The line of a reading; none where somebody asked to stop.
    pub(super) fn line(&mut self, reading: &Reading) -> anyhow::Result<Option<ReadingLine>> {
        let forms = reading.forms();
        for form in forms {
            if !self.searched.contains_key(&form) {
                let Some(found) = self.each(&form)? else { return Ok(None) };
                self.searched.insert(form, found);
            }
        }
        let searched = forms.map(|form| self.searched[&form].as_slice());
        let [expectimax, star1, star2, star2_tt] = searched.map(|one| took(reading.nodes, one, searched[0]));
        let others = [&star1, &star2, &star2_tt].map(|took| took.other_values);
        let error = (reading.is_sound() && others != [0; 3])
            .then(|| format!("other values than Expectimax's at {others:?} positions"));
        Ok(Some(ReadingLine {
            schema: SCHEMA,
            reading: reading.name.clone(),
            set: self.seed,
            network: self.network.0.to_owned(),
            depth: self.depth.into(),
            positions: self.positions.len() as u64,
            expectimax: ReadingSearches { wall_ns: 0, ..expectimax },
            star1,
            star2,
            star2_tt,
            evaluation_us: self.evaluation_us,
            scores: searched[0].iter().filter_map(|one| Some(one.iterations.last()?.score)).collect(),
            error,
        }))
    }

    /// What a search in this form makes of each position, several at once; none where somebody asked to stop.
    fn each(&self, form: &Form) -> anyhow::Result<Option<Vec<Searched>>> {
        let game = ReadDice::new(form.is_in_rows, form.passes)?;
        let us = if form.algorithm == Algorithm::Expectimax { 0 } else { self.evaluation_us };
        let delay = if us == 0 { Delay::NONE } else { Delay::of(Duration::from_micros(us)) };
        let (evaluator, depth) = ((&self.network.1, delay), self.depth);
        let one = |position| {
            let search = |table: &mut _| search(form, &game, evaluator, (position, depth), table, self.stop);
            TABLE.with_borrow_mut(search)
        };
        Ok(self.pool.install(|| self.positions.par_iter().map(one).collect()))
    }
}

/// What searches took, with nodes counted in this way, beside what Expectimax found.
fn took(count: NodeCount, searched: &[Searched], expected: &[Searched]) -> ReadingSearches {
    let nodes: Vec<_> = searched.iter().map(|one| one.nodes(count)).collect();
    let last = searched.iter().filter_map(|one| one.iterations.last());
    let sum = |part: fn(&Searched) -> u64| searched.iter().map(part).sum();
    let scores = |one: &Searched| one.iterations.iter().map(|one| one.score).collect::<Vec<_>>();
    let differs = |(one, expected): &(&Searched, &Searched)| scores(one) != scores(expected);
    let depths = nodes.first().map_or(0, Vec::len);
    ReadingSearches {
        nodes: nodes.iter().filter_map(|nodes| nodes.last().copied()).collect(),
        evaluations: last.map(|last| last.counts.leaves + last.counts.ordering).collect(),
        by_depth: (0..depths).map(|at| nodes.iter().map(|nodes| nodes[at]).sum()).collect(),
        wall_ns: sum(|one| one.wall_ns),
        look_ups: sum(|one| one.look_ups),
        stores: sum(|one| one.stores),
        other_values: searched.iter().zip(expected).filter(differs).count() as u64,
    }
}
