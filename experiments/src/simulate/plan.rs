//! Which searches there are to simulate, and in which order.

use crate::analysis::speedups::{ContenderKind, Role, with_baselines};
use crate::simulate::model::Model;
use crate::simulate::sample::{Kept, Key, Searches};
use std::cmp::Reverse;
use std::collections::BTreeSet;

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
    /// What must have been planned for the searches of a folder.
    ///
    /// # Errors
    /// When there is no serial search among them, or a name stands for several models.
    pub(super) fn of(searches: &Searches) -> Result<Self, String> {
        let contenders = with_baselines(searches.all.values().map(|kept| kept.contender));
        if contenders.is_empty() {
            return Err("expected a serial search among its samples".to_owned());
        }
        let models = searches.models.iter().map(|(name, [alone, several])| {
            // One processor is charged alike under costs that are others on several alone: searched once.
            let of_base = || name.split_once('+').and_then(|(base, _)| searches.models.get(base));
            let alone = of_base().filter(|_| alone.is_empty()).map_or(alone, |[alone, _]| alone);
            Model::of(name, [alone, several])
        });
        let seeds: BTreeSet<u64> = searches.all.keys().filter_map(|key| key.seed).collect();
        Ok(Plan {
            contenders,
            models: models.collect::<Result<_, _>>()?,
            seeds: seeds.into_iter().collect(),
            positions: searches.positions.keys().map(|index| index - 1).collect(),
        })
    }

    /// The searches of a position: the serial ones first, then those on many processors, which take longest.
    pub(super) fn at(&self, position: usize) -> Vec<PlannedRun> {
        let mut runs = Vec::new();
        for model in 0..self.models.len() {
            for (place, contender) in self.contenders.iter().enumerate() {
                let run = |seed| PlannedRun { position, model, place, seed };
                match contender.role {
                    Role::Serial => runs.push(run(None)),
                    _ => runs.extend(self.seeds.iter().map(|&seed| run(Some(seed)))),
                }
            }
        }
        runs.sort_by_key(|run| (run.seed.is_some(), Reverse(self.contenders[run.place].threads)));
        runs
    }

    /// Every search.
    pub(super) fn runs(&self) -> impl Iterator<Item = PlannedRun> {
        self.positions.iter().flat_map(|&position| self.at(position))
    }

    /// The serial search that `run` is compared with: the same ordering under the same costs.
    pub(super) fn serial_of(&self, run: &PlannedRun) -> PlannedRun {
        let own = ContenderKind { role: Role::Serial, threads: 1, ..self.contenders[run.place] };
        let place = self.contenders.iter().position(|contender| *contender == own);
        PlannedRun { place: place.expect("every ordering is searched serially, too"), seed: None, ..*run }
    }

    /// What is kept of a search, if it was done.
    pub(super) fn find<'k>(&self, kept: &'k Searches, run: &PlannedRun) -> Option<&'k Kept> {
        kept.all.get(&self.key(run))
    }

    /// How many searches there are, and how many of them are `kept`. Models that charge one processor alike
    /// share its searches.
    pub(super) fn count(&self, kept: &Searches) -> (usize, usize) {
        let all: BTreeSet<Key> = self.runs().map(|run| self.key(&run)).collect();
        (all.len(), all.iter().filter(|key| kept.all.contains_key(key)).count())
    }

    /// What a search is known by, of all models that share it.
    pub(super) fn key(&self, run: &PlannedRun) -> Key {
        let contender = &self.contenders[run.place];
        Key {
            index: run.position + 1,
            costs: self.models[run.model].on(contender.threads),
            contender: contender.rank(),
            seed: run.seed,
        }
    }

    /// A cost model's name stands for the same costs in all lines of a folder.
    ///
    /// # Errors
    /// When one of this plan's stands for others in what is `kept`.
    pub(super) fn check_models(&self, kept: &Searches) -> Result<(), String> {
        for model in &self.models {
            let charged = kept.models.get(&model.name).into_iter().flatten();
            for (charged, (processors, words)) in charged.zip([(1, "one processor"), (2, "several")]) {
                let own = model.on(processors);
                if let Some(theirs) = charged.iter().find(|&&theirs| theirs != own) {
                    return Err(format!(
                        "expected records of the same costs to resume: its {} on {words} is {theirs}, not \
                         {own}",
                        model.name
                    ));
                }
            }
        }
        Ok(())
    }
}
