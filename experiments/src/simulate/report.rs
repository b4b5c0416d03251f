//! From the recorded searches to the figures of a simulation.

use crate::analysis::costs::{Cost, Costs};
use crate::analysis::decomposition::Factors;
use crate::analysis::efforts::{Effort, Efforts};
use crate::analysis::figure::Figure;
use crate::analysis::measures;
use crate::analysis::speedups::{Analysis, ContenderKind, Ratios, Runs};
use crate::records::simulated::EventCosts;
use crate::simulate::model::Model;
use crate::simulate::plan::Plan;
use crate::simulate::sample::{Kept, Searches};
use crate::simulate::span::{SpanFigures, WorkAndSpan};
use serde::Serialize;
use starsplit_statistics::summary::{Spread, median};
use std::collections::BTreeMap;

/// The figures, in the form of the JSON object. All times are virtual.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
    /// The speedups that follow from work and span; none where nothing is split.
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

impl SimulateFigures {
    /// The same with the figures of what is planned, as far as it is among what is `kept` without error;
    /// `texts` are the suite's positions in the game's notation.
    pub(super) fn of(self, plan: &Plan, kept: &Searches, texts: &[&str]) -> Self {
        let tally = |model| Tally::new(plan, kept, model, texts);
        let tallies: Vec<_> = (0..plan.models.len()).map(tally).collect();
        let is_complete =
            |position: &usize| tallies.iter().all(|tally| !tally.costs.rounds(*position).is_empty());
        let positions: Vec<_> = (0..texts.len()).filter(is_complete).collect();
        let models = tallies.iter().map(|tally| tally.report(&positions, self.min_nodes)).collect();
        SimulateFigures { positions: positions.len(), seeds: plan.seeds.clone(), models, ..self }
    }
}

/// The searches under one model, in the form that the analysis of real ones has: a seed is a round.
struct Tally<'a> {
    plan: &'a Plan,
    texts: &'a [&'a str],
    explained: bool,
    model: &'a Model,
    costs: Costs,
    efforts: Efforts,
    /// Of each contender at each position, under every seed.
    found: Vec<Vec<Vec<&'a Kept>>>,
}

impl<'a> Tally<'a> {
    fn new(plan: &'a Plan, kept: &'a Searches, model: usize, texts: &'a [&'a str]) -> Self {
        let (contenders, positions) = (plan.contenders.len(), texts.len());
        let mut costs = Costs::new(contenders, positions);
        let mut efforts = Efforts::new(contenders, positions);
        let explained = kept.all.values().any(|kept| kept.run.is_explained());
        let mut found = vec![vec![Vec::new(); positions]; contenders];
        for run in plan.runs().filter(|run| run.model == model) {
            let Some(kept) = plan.find(kept, &run).filter(|kept| kept.fault.is_none()) else { continue };
            found[run.place][run.position].push(kept);
            let effort = Effort::of(&kept.run);
            let cost = Cost { nodes: effort.nodes, seconds: effort.wall };
            let is_own = |seed: &u64| run.seed.is_none_or(|own| own == *seed);
            for (round, _) in plan.seeds.iter().enumerate().filter(|(_, seed)| is_own(seed)) {
                costs.add(run.place, run.position, round, cost);
                efforts.add_effort(run.place, run.position, round, effort);
            }
        }
        let model = &plan.models[model];
        Tally { plan, texts, explained, model, costs, efforts, found }
    }

    fn report(&self, positions: &[usize], min_nodes: u64) -> SimulateModel {
        let runs = Runs { costs: &self.costs, efforts: &self.efforts, explained: self.explained };
        // Every processor is there: no number of them is beyond the machine.
        let analysis = Analysis::new(&self.plan.contenders, usize::MAX, runs, positions);
        let (best, baseline) = analysis.baseline();
        let large: Vec<bool> = baseline.iter().map(|cost| cost.nodes >= min_nodes as f64).collect();
        let ratios: Vec<Ratios> = analysis.parallel().collect();
        let position = |(place, &index): (usize, &usize)| {
            let text = self.texts[index].to_owned();
            SimulatePosition::new(index, text, place, baseline[place], &ratios)
        };
        let parallel = |ratios| self.parallel(ratios, positions, (baseline, &large));
        SimulateModel {
            model: self.model.name.clone(),
            costs: self.model.costs,
            busy: self.model.busy,
            baseline: best.ordering.name(),
            large_positions: large.iter().filter(|large| **large).count(),
            serial: analysis.serial().map(SimulateSerial::new).collect(),
            parallel: ratios.iter().map(parallel).collect(),
            by_position: positions.iter().enumerate().map(position).collect(),
        }
    }

    fn parallel(
        &self,
        ratios: &Ratios,
        positions: &[usize],
        (baseline, large): (&[Cost], &[bool]),
    ) -> SimulateParallel {
        let ContenderKind { role, ordering, threads } = ratios.contender;
        let place = self.plan.contenders.iter().position(|contender| *contender == ratios.contender);
        let found = &self.found[place.expect("the contender is one of the plan")];
        let found: Vec<&[&Kept]> = positions.iter().map(|&position| &*found[position]).collect();
        let sum = |figure: fn(&Kept) -> u64| {
            let medians = found.iter().map(|kept| median_of(kept, |kept| figure(kept) as f64));
            medians.sum::<f64>().round() as u64
        };
        let serial: Vec<f64> = baseline.iter().map(|cost| cost.seconds).collect();
        let spans: Option<Vec<_>> = found.iter().map(|kept| work_and_span(kept)).collect();
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
            span: spans.map(|spans| SpanFigures::new(&spans, &serial, threads, large)),
            factors: ratios.decomposition.total,
        }
    }
}

/// The median over the seeds of a figure at a position.
fn median_of(kept: &[&Kept], figure: impl Fn(&Kept) -> f64) -> f64 {
    median(&kept.iter().map(|kept| figure(kept)).collect::<Vec<_>>()).unwrap_or_default()
}

/// The medians over the seeds at a position, in seconds; none where a search has no span.
fn work_and_span(kept: &[&Kept]) -> Option<WorkAndSpan> {
    let span = |kept: &Kept| kept.span_ns.unwrap_or_default() as f64 / 1e9;
    let has_span = kept.iter().all(|kept| kept.span_ns.is_some());
    has_span.then(|| (median_of(kept, |kept| Effort::of(&kept.run).busy), median_of(kept, span)))
}

fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

impl SimulateSerial {
    fn new((contender, costs): (ContenderKind, &[Cost])) -> Self {
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
