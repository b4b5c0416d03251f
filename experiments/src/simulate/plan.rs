//! Which searches there are to simulate, and in which order.

use crate::analysis::speedups::{ContenderKind, Role};
use crate::runner::race;
use crate::simulate::model::Model;
use crate::simulate::sample::Key;
use starsplit::search::Options;
use std::cmp::Reverse;

/// All the searches.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Serial and parallel searches; the first is serial, and one serial for each ordering of the parallel
    /// ones.
    pub(super) contenders: Vec<ContenderKind>,
    pub(super) models: Vec<Model>,
    pub(super) seeds: Vec<u64>,
    /// The positions, by their numbers from 0.
    pub(super) positions: Vec<usize>,
}

/// One search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlannedRun {
    /// Which of the positions, from 0.
    pub(super) position: usize,
    /// Which of the models.
    pub(super) model: usize,
    /// Which of the contenders.
    pub(super) place: usize,
    /// The seed of the schedule; none for a serial search.
    pub(super) seed: Option<u64>,
}

impl Plan {
    /// The serial searches of a position. What the first of them finds is what all others have to find.
    pub(super) fn serial(&self, position: usize) -> impl Iterator<Item = PlannedRun> {
        let models = 0..self.models.len();
        models.flat_map(move |model| {
            let places = self.places(|role| role == Role::Serial);
            places.map(move |place| PlannedRun { position, model, place, seed: None })
        })
    }

    /// The parallel searches of a position, those on many processors first: they take longest.
    pub(super) fn parallel(&self, position: usize) -> Vec<PlannedRun> {
        let mut runs = Vec::new();
        for model in 0..self.models.len() {
            for place in self.places(|role| role != Role::Serial) {
                let seeds = self.seeds.iter();
                runs.extend(seeds.map(|&seed| PlannedRun { position, model, place, seed: Some(seed) }));
            }
        }
        runs.sort_by_key(|run| Reverse(self.contenders[run.place].threads));
        runs
    }

    /// Every search.
    pub(super) fn runs(&self) -> impl Iterator<Item = PlannedRun> {
        let positions = self.positions.iter();
        positions.flat_map(|&position| self.serial(position).chain(self.parallel(position)))
    }

    /// The serial search that `run` is compared with: the same ordering under the same costs.
    pub(super) fn serial_of(&self, run: &PlannedRun) -> PlannedRun {
        let ordering = self.contenders[run.place].ordering;
        let own =
            |contender: &ContenderKind| contender.role == Role::Serial && contender.ordering == ordering;
        let place = self.contenders.iter().position(own);
        PlannedRun { place: place.expect("every ordering is searched serially, too"), seed: None, ..*run }
    }

    /// What the records tell the search by.
    pub(super) fn key(&self, run: &PlannedRun) -> Key {
        let ContenderKind { role, ordering, threads } = self.contenders[run.place];
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
    pub(super) fn options(&self, run: &PlannedRun, base: &Options) -> Options {
        race::options(&self.contenders[run.place], base)
    }

    fn places(&self, is_wanted: impl Fn(Role) -> bool) -> impl Iterator<Item = usize> {
        let contenders = self.contenders.iter().enumerate();
        contenders.filter(move |(_, contender)| is_wanted(contender.role)).map(|(place, _)| place)
    }
}
