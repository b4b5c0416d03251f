//! From the recorded searches to the figures of a simulation.

use crate::analysis::costs::{Cost, Costs};
use crate::analysis::decomposition::Factors;
use crate::analysis::efforts::{Effort, Efforts};
use crate::analysis::figure::Figure;
use crate::analysis::measures;
use crate::analysis::speedups::{Analysis, ContenderKind, Ratios, Runs};
use crate::analysis::statistics::{Spread, median};
use crate::records::simulated::EventCosts;
use crate::simulate::plan::{Plan, PlannedRun};
use crate::simulate::sample::{Kept, Key};
use crate::simulate::span::{SpanFigures, WorkAndSpan};
use serde::Serialize;
use std::collections::BTreeMap;

/// The figures, in the form of the JSON object. All times are virtual.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulateFigures {
    /// The algorithm of the searches.
    pub algorithm: &'static str,
    /// The depth of the searches.
    pub depth: u32,
    /// How many positions count: those that every contender has searched without error, under every model.
    pub positions: usize,
    /// Nodes of the baseline from which on a position counts as large.
    pub min_nodes: u64,
    /// The seeds of the schedules.
    pub seeds: Vec<u64>,
    /// Whether every search found its position's value, and every one on one processor the serial search's
    /// nodes.
    pub values_equal: bool,
    /// Each cost model.
    pub models: Vec<SimulateModel>,
    /// Whether Ctrl-C ended the simulation early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// The searches under one cost model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulateModel {
    /// The model's name.
    pub model: String,
    /// What events cost on one processor.
    pub costs: EventCosts,
    /// What they cost on several, where that differs.
    pub busy: Option<EventCosts>,
    /// The ordering of the serial search whose times sum to the least: what speedups are measured against.
    pub baseline: &'static str,
    /// How many positions are large.
    pub large_positions: usize,
    /// The serial searches.
    pub serial: Vec<SimulateSerial>,
    /// The parallel searches.
    pub parallel: Vec<SimulateParallel>,
    /// Every position.
    pub by_position: Vec<SimulatePosition>,
}

/// The serial search under one ordering, summed over the positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SimulateSerial {
    /// The ordering.
    pub ordering: &'static str,
    /// Nodes.
    pub nodes: u64,
    /// Virtual time: the work T1.
    pub virtual_ns: u64,
}

/// A parallel method on one number of processors. Sums are of the medians over the seeds at each position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulateParallel {
    /// The method.
    pub method: &'static str,
    /// The ordering.
    pub ordering: &'static str,
    /// The number of virtual processors.
    pub processors: usize,
    /// Nodes, summed.
    pub nodes: u64,
    /// Virtual time, summed.
    pub virtual_ns: u64,
    /// Tickets stolen, summed.
    pub steals: u64,
    /// Events charged, summed.
    pub events: u64,
    /// The baseline's time over that of this search.
    pub speedup: Figure,
    /// The speedup over the number of processors.
    pub efficiency: Figure,
    /// Nodes over those of the serial search under the same ordering, less 1.
    pub search_overhead: Figure,
    /// The speedup taken apart: every one of [`Factors`] by name; none where it is not known.
    pub decomposition: BTreeMap<&'static str, Option<Figure>>,
    /// How the speedup varies with the seed.
    pub over_seeds: OverSeeds,
    /// The bounds that work and span set to the speedup; none where nothing is split.
    pub span: Option<SpanFigures>,
    /// The totals of the decomposition, for people.
    #[serde(skip)]
    pub(super) factors: Factors,
}

/// How speedups vary with the seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OverSeeds {
    /// Of the sums over all positions.
    pub total: Option<Spread>,
    /// At each position the greatest less the least, over the median.
    pub width: Option<Spread>,
}

/// One position; the lists are in the order of the model's parallel searches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulatePosition {
    /// Its place in the suite, from 1.
    pub index: usize,
    /// The position in the game's notation.
    pub position: String,
    /// The baseline's nodes.
    pub nodes: u64,
    /// The baseline's virtual time.
    pub virtual_ns: u64,
    /// The median over the seeds.
    pub speedups: Vec<f64>,
    /// How the speedup varies with the seed.
    pub over_seeds: Vec<Option<Spread>>,
    /// The median over the seeds.
    pub search_overheads: Vec<f64>,
    /// Of the seed whose speedup is in the middle.
    pub decompositions: Vec<Factors>,
}

/// What the figures are of, beside the searches.
#[derive(Clone, Debug)]
pub(super) struct SimulateFrame<'a> {
    pub(super) algorithm: &'static str,
    pub(super) depth: u32,
    pub(super) min_nodes: u64,
    pub(super) explained: bool,
    pub(super) values_equal: bool,
    pub(super) stopped: bool,
    /// The suite's positions in the game's notation.
    pub(super) positions: &'a [&'a str],
}

impl SimulateFigures {
    /// The figures of what is planned, as far as it is among what is `kept` without error.
    pub(super) fn new(frame: &SimulateFrame<'_>, plan: &Plan, kept: &BTreeMap<Key, Kept>) -> Self {
        let tallies: Vec<_> =
            (0..plan.models.len()).map(|model| Tally::new(frame, plan, kept, model)).collect();
        let complete = |position: &usize| tallies.iter().all(|tally| tally.is_complete(*position));
        let mut positions: Vec<_> = plan.positions.iter().copied().filter(complete).collect();
        positions.sort_unstable();
        SimulateFigures {
            algorithm: frame.algorithm,
            depth: frame.depth,
            positions: positions.len(),
            min_nodes: frame.min_nodes,
            seeds: plan.seeds.clone(),
            values_equal: frame.values_equal,
            models: tallies.iter().map(|tally| tally.report(&positions)).collect(),
            stopped: frame.stopped,
        }
    }
}

/// The searches under one model, in the form that the analysis of real ones has: a seed is a round.
struct Tally<'a> {
    frame: &'a SimulateFrame<'a>,
    plan: &'a Plan,
    kept: &'a BTreeMap<Key, Kept>,
    model: usize,
    costs: Costs,
    efforts: Efforts,
}

impl<'a> Tally<'a> {
    fn new(
        frame: &'a SimulateFrame<'a>,
        plan: &'a Plan,
        kept: &'a BTreeMap<Key, Kept>,
        model: usize,
    ) -> Self {
        let (contenders, positions) = (plan.contenders.len(), frame.positions.len());
        let (costs, efforts) = (Costs::new(contenders, positions), Efforts::new(contenders, positions));
        let mut tally = Tally { frame, plan, kept, model, costs, efforts };
        for run in plan.runs().filter(|run| run.model == model) {
            let Some(found) = tally.found(&run) else { continue };
            for (round, _) in
                plan.seeds.iter().enumerate().filter(|(_, seed)| run.seed.is_none_or(|s| s == **seed))
            {
                let effort = Effort::of(&found.run);
                let cost = Cost { nodes: effort.nodes, seconds: effort.wall };
                tally.costs.add(run.place, run.position, round, cost);
                tally.efforts.add_effort(run.place, run.position, round, effort);
            }
        }
        tally
    }

    /// The search, if it was done and nothing was wrong with it.
    fn found(&self, run: &PlannedRun) -> Option<&'a Kept> {
        self.kept.get(&self.plan.key(run)).filter(|kept| kept.fault().is_none())
    }

    fn is_complete(&self, position: usize) -> bool {
        !self.costs.rounds(position).is_empty()
    }

    fn runs(&self) -> Runs<'_> {
        Runs { costs: &self.costs, efforts: &self.efforts, explained: self.frame.explained }
    }

    fn report(&self, positions: &[usize]) -> SimulateModel {
        // Every processor is there: no number of them is beyond the machine.
        let analysis = Analysis::new(&self.plan.contenders, usize::MAX, self.runs(), positions);
        let (best, baseline) = analysis.baseline();
        let large: Vec<bool> =
            baseline.iter().map(|cost| cost.nodes >= self.frame.min_nodes as f64).collect();
        let ratios: Vec<Ratios> = analysis.parallel().collect();
        let model = &self.plan.models[self.model];
        let position = |(place, &index): (usize, &usize)| {
            let text = self.frame.positions[index].to_owned();
            SimulatePosition::new(index, text, place, baseline[place], &ratios)
        };
        SimulateModel {
            model: model.name.clone(),
            costs: model.costs,
            busy: model.busy,
            baseline: best.ordering.name(),
            large_positions: large.iter().filter(|large| **large).count(),
            serial: analysis
                .serial()
                .map(|(contender, costs)| SimulateSerial::new(contender, costs))
                .collect(),
            parallel: ratios
                .iter()
                .map(|ratios| self.parallel(ratios, baseline, positions, &large))
                .collect(),
            by_position: positions.iter().enumerate().map(position).collect(),
        }
    }

    fn parallel(
        &self,
        ratios: &Ratios,
        baseline: &[Cost],
        positions: &[usize],
        large: &[bool],
    ) -> SimulateParallel {
        let ContenderKind { role, ordering, threads } = ratios.contender;
        let sum = |figure: fn(&Kept) -> u64| self.sum(&ratios.contender, positions, figure);
        let efficiency =
            ratios.speedup.with(&ratios.speedup, |&speedup, _| measures::efficiency(speedup, threads));
        SimulateParallel {
            method: role.name(),
            ordering: ordering.name(),
            processors: threads,
            nodes: ratios.sum.nodes.round() as u64,
            virtual_ns: nanoseconds(ratios.sum.seconds),
            steals: sum(|kept| kept.run.steals),
            events: sum(|kept| kept.events),
            speedup: Figure::of(&ratios.speedup, large),
            efficiency: Figure::of(&efficiency, large),
            search_overhead: Figure::of(&ratios.search_overhead, large),
            decomposition: ratios.decomposition.figures(large).collect(),
            over_seeds: OverSeeds::new(ratios),
            span: self.span(&ratios.contender, baseline, positions, large),
            factors: ratios.decomposition.total,
        }
    }

    /// The sum over the positions of a figure's medians over the seeds.
    fn sum(&self, contender: &ContenderKind, positions: &[usize], figure: fn(&Kept) -> u64) -> u64 {
        let at = |&position: &usize| self.median(contender, position, |kept| figure(kept) as f64);
        positions.iter().map(at).sum::<f64>().round() as u64
    }

    /// The median over the seeds of a figure at a position.
    fn median(&self, contender: &ContenderKind, position: usize, figure: impl Fn(&Kept) -> f64) -> f64 {
        let figures: Vec<f64> = self.seeds(contender, position).map(figure).collect();
        median(&figures).unwrap_or_default()
    }

    /// The searches of a position under every seed.
    fn seeds(&self, contender: &ContenderKind, position: usize) -> impl Iterator<Item = &'a Kept> {
        let place = self.plan.contenders.iter().position(|other| other == contender);
        let run =
            move |&seed| PlannedRun { position, model: self.model, place: place?, seed: Some(seed) }.into();
        let runs = self.plan.seeds.iter().filter_map(run);
        runs.filter_map(|run: PlannedRun| self.found(&run))
    }

    fn span(
        &self,
        contender: &ContenderKind,
        baseline: &[Cost],
        positions: &[usize],
        large: &[bool],
    ) -> Option<SpanFigures> {
        let has_span = |&position: &usize| {
            let mut seeds = self.seeds(contender, position);
            seeds.all(|kept| kept.work_and_span().is_some())
        };
        let found = |&position: &usize| {
            let of = |part: fn(WorkAndSpan) -> f64| {
                self.median(contender, position, |kept| kept.work_and_span().map(part).unwrap_or_default())
            };
            WorkAndSpan { work: of(|found| found.work), span: of(|found| found.span) }
        };
        let serial: Vec<f64> = baseline.iter().map(|cost| cost.seconds).collect();
        let found: Vec<_> = positions.iter().map(found).collect();
        let all = positions.iter().all(has_span);
        all.then(|| SpanFigures::new(&found, &serial, contender.threads, large))
    }
}

fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

impl SimulateSerial {
    fn new(contender: ContenderKind, costs: &[Cost]) -> Self {
        let Cost { nodes, seconds } = costs.iter().copied().sum();
        let ordering = contender.ordering.name();
        SimulateSerial { ordering, nodes: nodes.round() as u64, virtual_ns: nanoseconds(seconds) }
    }
}

impl OverSeeds {
    fn new(ratios: &Ratios) -> Self {
        let spreads = ratios.speedup.each.iter().filter_map(|seeds| Spread::of(seeds));
        let widths: Vec<f64> = spreads.map(|spread| (spread.max - spread.min) / spread.median).collect();
        OverSeeds { total: Spread::of(&ratios.speedup.total), width: Spread::of(&widths) }
    }
}

impl SimulatePosition {
    /// Position `index` of the suite, which has the given `place` among those that count.
    fn new(index: usize, position: String, place: usize, baseline: Cost, parallel: &[Ratios]) -> Self {
        SimulatePosition {
            index: index + 1,
            position,
            nodes: baseline.nodes.round() as u64,
            virtual_ns: nanoseconds(baseline.seconds),
            speedups: parallel.iter().map(|ratios| ratios.speedup.at(place)).collect(),
            over_seeds: parallel.iter().map(|ratios| Spread::of(&ratios.speedup.each[place])).collect(),
            search_overheads: parallel.iter().map(|ratios| ratios.search_overhead.at(place)).collect(),
            decompositions: parallel.iter().map(|ratios| ratios.decomposition.each[place]).collect(),
        }
    }
}
