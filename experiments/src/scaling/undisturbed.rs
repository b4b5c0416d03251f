//! The figures of a measurement without the rounds in which the machine was disturbed. The headlines are of
//! all.

use crate::analysis::conditions::Disturbance;
use crate::analysis::figure::Figure;
use crate::analysis::ratios::Ratio;
use crate::analysis::speedups::{Analysis, ContenderKind, Ratios, Role, Runs};
use serde::Serialize;

/// When the machine was disturbed, and what the figures are without that.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Probed {
    /// When it was.
    #[serde(flatten)]
    pub disturbance: Disturbance,
    /// How many positions have a round that is not disturbed.
    pub undisturbed_positions: usize,
    /// The ceilings, first those to their ends, then those like for like.
    pub undisturbed_ceilings: Vec<UndisturbedCeiling>,
    /// The parallel searches.
    pub undisturbed: Vec<Undisturbed>,
}

/// A ceiling without disturbed rounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UndisturbedCeiling {
    /// `ceiling` or `matched-ceiling`.
    pub method: &'static str,
    /// The ordering.
    pub ordering: &'static str,
    /// How many searches there are at once.
    pub threads: usize,
    /// The sum of their rates.
    pub ceiling: Figure,
}

/// A parallel search without disturbed rounds: totals without disturbed rounds of all positions, medians over
/// the positions without disturbed rounds of theirs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Undisturbed {
    /// The method.
    pub method: &'static str,
    /// The ordering.
    pub ordering: &'static str,
    /// The number of threads.
    pub threads: usize,
    /// The baseline's seconds over those of this search.
    pub speedup: Figure,
    /// The speedup over the ceiling.
    pub ceiling_share: Option<Figure>,
    /// The speedup over the ceiling like for like.
    pub matched_share: Option<Figure>,
}

impl Probed {
    /// The figures of the `runs` of these contenders on a machine with so many `cores`; a position is large
    /// from so many nodes of the baseline on.
    pub(super) fn new(
        disturbance: Disturbance,
        (cores, min_nodes): (usize, u64),
        contenders: &[ContenderKind],
        runs: &Runs<'_>,
    ) -> Self {
        let rounds = runs.costs.without(|_, round| disturbance.is_round_disturbed(round));
        let places = runs.costs.without(|position, round| disturbance.is_place_disturbed(position, round));
        let positions = [rounds.complete(), places.complete()];
        let [whole, single] = [(&rounds, &positions[0]), (&places, &positions[1])]
            .map(|(costs, positions)| Analysis::new(contenders, cores, Runs { costs, ..*runs }, positions));
        let large: Vec<bool> =
            single.baseline().1.iter().map(|cost| cost.nodes >= min_nodes as f64).collect();
        let figure =
            |whole: &Ratio, single: &Ratio| Figure::new(whole.of_sums(), &single.by_position(), &large);
        let ceilings = [Role::Ceiling, Role::MatchedCeiling].into_iter().flat_map(|role| {
            let both = whole.ceilings(role).zip(single.ceilings(role));
            both.map(|((kind, whole), (_, single))| UndisturbedCeiling::new(kind, figure(&whole, &single)))
                .collect::<Vec<_>>()
        });
        let parallel = whole.parallel().zip(single.parallel());
        Probed {
            undisturbed_positions: positions[1].len(),
            undisturbed_ceilings: ceilings.collect(),
            undisturbed: parallel.map(|(whole, single)| Undisturbed::new(&whole, &single, figure)).collect(),
            disturbance,
        }
    }
}

impl UndisturbedCeiling {
    fn new(kind: ContenderKind, ceiling: Figure) -> Self {
        let (method, ordering) = (kind.role.name(), kind.ordering.name());
        UndisturbedCeiling { method, ordering, threads: kind.threads, ceiling }
    }
}

impl Undisturbed {
    fn new(whole: &Ratios, single: &Ratios, figure: impl Fn(&Ratio, &Ratio) -> Figure) -> Self {
        let share = |of: fn(&Ratios) -> Option<&Ratio>| Some(figure(of(whole)?, of(single)?));
        Undisturbed {
            method: whole.contender.role.name(),
            ordering: whole.contender.ordering.name(),
            threads: whole.contender.threads,
            speedup: figure(&whole.speedup, &single.speedup),
            ceiling_share: share(|ratios| ratios.ceiling_share.as_ref()),
            matched_share: share(|ratios| ratios.matched_share.as_ref()),
        }
    }
}
