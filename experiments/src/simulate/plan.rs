//! Which searches there are to simulate, and in which order.

use crate::analysis::speedups::{Entrant, Role};
use crate::runner::race;
use crate::simulate::model::Model;
use crate::simulate::sample::Key;
use starsplit::search::Options;
use std::cmp::Reverse;

/// All the searches.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Serial and parallel searches; the first is serial, and one serial for each ordering of the parallel ones.
    pub(super) entrants: Vec<Entrant>,
    pub(super) models: Vec<Model>,
    pub(super) seeds: Vec<u64>,
    /// The positions, by their numbers from 0.
    pub(super) positions: Vec<usize>,
}

/// One search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Which of the positions, from 0.
    pub(super) position: usize,
    /// Which of the models.
    pub(super) model: usize,
    /// Which of the entrants.
    pub(super) place: usize,
    /// The seed of the schedule; none for a serial search.
    pub(super) seed: Option<u64>,
}

impl Plan {
    /// The serial searches of a position. What the first of them finds is what all others have to find.
    pub(super) fn serial(&self, position: usize) -> impl Iterator<Item = Run> {
        let models = 0..self.models.len();
        models.flat_map(move |model| {
            let places = self.places(|role| role == Role::Serial);
            places.map(move |place| Run { position, model, place, seed: None })
        })
    }

    /// The parallel searches of a position, those on many processors first: they take longest.
    pub(super) fn parallel(&self, position: usize) -> Vec<Run> {
        let mut runs = Vec::new();
        for model in 0..self.models.len() {
            for place in self.places(|role| role != Role::Serial) {
                let seeds = self.seeds.iter();
                runs.extend(seeds.map(|&seed| Run { position, model, place, seed: Some(seed) }));
            }
        }
        runs.sort_by_key(|run| Reverse(self.entrants[run.place].threads));
        runs
    }

    /// Every search.
    pub(super) fn runs(&self) -> impl Iterator<Item = Run> {
        let positions = self.positions.iter();
        positions.flat_map(|&position| self.serial(position).chain(self.parallel(position)))
    }

    /// The serial search that `run` is compared with: the same ordering under the same costs.
    pub(super) fn serial_of(&self, run: &Run) -> Run {
        let ordering = self.entrants[run.place].ordering;
        let own = |entrant: &Entrant| entrant.role == Role::Serial && entrant.ordering == ordering;
        let place = self.entrants.iter().position(own);
        Run { place: place.expect("every ordering is searched serially, too"), seed: None, ..*run }
    }

    /// What the records tell the search by.
    pub(super) fn key(&self, run: &Run) -> Key {
        let Entrant { role, ordering, threads } = self.entrants[run.place];
        Key {
            index: run.position + 1,
            costs: self.models[run.model].on(threads),
            method: role.name(),
            ordering: ordering.name(),
            processors: threads,
            seed: run.seed,
        }
    }

    /// The options of the search, where `base` says what all have in common.
    pub(super) fn options(&self, run: &Run, base: &Options) -> Options {
        race::options(&self.entrants[run.place], base)
    }

    fn places(&self, is_wanted: impl Fn(Role) -> bool) -> impl Iterator<Item = usize> {
        let entrants = self.entrants.iter().enumerate();
        entrants.filter(move |(_, entrant)| is_wanted(entrant.role)).map(|(place, _)| place)
    }
}
