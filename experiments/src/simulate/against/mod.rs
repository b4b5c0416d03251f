//! Virtual figures beside those of real runs of the same searches.

mod text;

use crate::analysis::costs::Cost;
use crate::analysis::decomposition::Factors;
use crate::analysis::figure::Figure;
use crate::analysis::ratios::Ratio;
use crate::analysis::reading::Reading;
use crate::analysis::speedups::{Analysis, ContenderKind, Ratios, Runs};
use crate::analysis::statistics::Spread;
use crate::cli::BadInput;
use crate::cli::files;
use crate::cli::outputs::{self, write_whole};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Its file.
const FILE: &str = "against.json";

/// Virtual beside real, at the positions in both and for the contenders in both, in the form of the JSON
/// object and of `against.json`. All speedups here are over the serial search under the same ordering: the
/// one that was the fastest in real time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// The folder of the real records.
    pub folder: String,
    /// The revision of the program that made them, where it is known.
    pub revision: Option<String>,
    /// How many threads that machine runs at once.
    pub cores: usize,
    /// The least and the greatest number of rounds that a position has; none without positions.
    pub rounds: Option<(usize, usize)>,
    /// The ordering of the serial search that speedups are over.
    pub baseline: &'static str,
    /// How many positions are in both.
    pub positions: usize,
    /// How many of them are large.
    pub large_positions: usize,
    /// At how many a serial search had other nodes in real time than in virtual time. At any of them, the
    /// search is not the same one: it was changed in between, or other parameters were set.
    pub unlike_positions: usize,
    /// Each cost model.
    pub models: Vec<AgainstModel>,
}

/// The comparison under one cost model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgainstModel {
    /// The model's name.
    pub model: String,
    /// The contenders.
    pub parallel: Vec<AgainstParallel>,
    /// Every position.
    pub by_position: Vec<AgainstPosition>,
}

/// A parallel method on one number of threads, and on as many virtual processors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgainstParallel {
    /// The method.
    pub method: &'static str,
    /// The ordering.
    pub ordering: &'static str,
    /// The number of threads.
    pub threads: usize,
    /// The real speedup, the median over the rounds.
    pub real_speedup: Figure,
    /// How that of the sums over all positions varies with the round.
    pub over_rounds: Option<Spread>,
    /// The virtual speedup, the median over the seeds.
    pub virtual_speedup: Figure,
    /// Virtual over real, less 1.
    pub residual: Figure,
    /// The share of the machine's ceiling times the number of threads: the speedup on a machine whose
    /// processors do not slow each other down. None where no ceiling was measured, or there are more threads
    /// than the machine runs at once.
    pub undisturbed_speedup: Option<Figure>,
    /// The virtual speedup over that one, less 1.
    pub undisturbed_residual: Option<Figure>,
    /// The real search overhead.
    pub real_overhead: Figure,
    /// The virtual search overhead.
    pub virtual_overhead: Figure,
    /// Virtual less real: 0.01 is a point.
    pub overhead_difference: Figure,
    /// Where the residual of the total comes from.
    pub explained: Explained,
}

/// A residual taken apart: for each factor of the speedups virtual over real, less 1. With 1 added they
/// multiply up to the ratio of the speedups, each of the round and of the seed in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Explained {
    /// The baseline's time over that of the serial search under the same ordering.
    pub ordering_ratio: f64,
    /// Nodes in a second of busy time over those of the serial search: what processors do to each other, and
    /// what the parallel code costs.
    pub node_rate_ratio: f64,
    /// The share of the workers' time in which they search; none, as the last one, where it is not clocked.
    pub busy: Option<f64>,
    /// Serial nodes over parallel nodes.
    pub search_overhead: f64,
    /// What the workers' clocks do not see, starting threads for instance.
    pub unclocked: Option<f64>,
}

/// One position; the lists are in the order of the model's contenders.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgainstPosition {
    /// Its place in the suite, from 1.
    pub index: usize,
    /// The real baseline's nodes.
    pub nodes: u64,
    /// The median over the rounds.
    pub real_speedups: Vec<f64>,
    /// The median over the seeds.
    pub virtual_speedups: Vec<f64>,
    /// Virtual over real, less 1.
    pub residuals: Vec<f64>,
    /// The virtual speedup over the share of the ceiling times the number of threads, less 1.
    pub undisturbed_residuals: Vec<Option<f64>>,
    /// Virtual less real.
    pub overhead_differences: Vec<f64>,
}

/// The virtual side under one model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Virtual<'a> {
    pub(super) model: &'a str,
    pub(super) contenders: &'a [ContenderKind],
    pub(super) runs: Runs<'a>,
}

/// Where both were searched, and what is asked of the figures there.
#[derive(Clone, Copy, Debug)]
struct Ground<'a> {
    /// The positions, by their numbers from 0.
    positions: &'a [usize],
    /// Which of them are large.
    large: &'a [bool],
    /// The real baseline's costs.
    baseline: &'a [Cost],
    /// How many threads the real machine runs at once.
    cores: usize,
}

/// A contender on both sides.
struct Pair {
    real: Ratios,
    simulated: Ratios,
}

impl Against {
    /// Sets what was simulated at `positions` beside what was read.
    pub(super) fn new(real: &Reading, models: &[Virtual<'_>], positions: &[usize], min_nodes: u64) -> Self {
        let positions = real.complete(positions);
        let measured = Analysis::new(&real.contenders, real.cores, real.runs(), &positions);
        let (best, baseline) = measured.baseline();
        let large: Vec<bool> = baseline.iter().map(|cost| cost.nodes >= min_nodes as f64).collect();
        let ground = Ground { positions: &positions, large: &large, baseline, cores: real.cores };
        let simulated: Vec<Analysis<'_>> = models
            .iter()
            .map(|model| Analysis::new(model.contenders, usize::MAX, model.runs, &positions))
            .map(|analysis| analysis.measured_against(best.ordering))
            .collect();
        let pairs = |simulated| pairs(&measured, simulated);
        Against {
            folder: real.path.display().to_string(),
            revision: real.meta.program.revision().map(|git| git.revision.clone()),
            cores: real.cores,
            rounds: real.rounds(&positions),
            baseline: best.ordering.name(),
            positions: positions.len(),
            large_positions: large.iter().filter(|large| **large).count(),
            unlike_positions: simulated.first().map_or(0, |simulated| unlike_positions(&measured, simulated)),
            models: models
                .iter()
                .zip(&simulated)
                .map(|(m, found)| ground.model(m.model, &pairs(found)))
                .collect(),
        }
    }

    /// Writes the object to `against.json` in `folder`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn record(&self, folder: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        write_whole(&folder.join(FILE), text.as_bytes())
    }

    /// Whether such a file can be written in `folder`, which need not be there yet.
    ///
    /// # Errors
    /// When one is there that is none of these.
    pub(super) fn check_place(folder: &Path) -> Result<(), BadInput> {
        /// What no other program's object has.
        #[derive(Deserialize)]
        #[expect(dead_code, reason = "that they are there is all")]
        struct Own {
            unlike_positions: usize,
            models: Vec<IgnoredAny>,
        }
        let is_own = |path: &Path| {
            let text = files::read_text(path, files::PAGE);
            text.is_ok_and(|text| serde_json::from_str::<Own>(&text).is_ok())
        };
        outputs::check_own("file", &folder.join(FILE), "simulate", is_own)
    }
}

/// At how many positions a serial search has other nodes on one side than on the other.
fn unlike_positions(real: &Analysis<'_>, simulated: &Analysis<'_>) -> usize {
    let mut unlike = vec![false; real.baseline().1.len()];
    for (contender, costs) in real.serial() {
        let own = simulated.serial().find(|(other, _)| *other == contender);
        for (unlike, (one, other)) in
            unlike.iter_mut().zip(costs.iter().zip(own.map_or(&[][..], |own| own.1)))
        {
            *unlike |= one.nodes != other.nodes;
        }
    }
    unlike.into_iter().filter(|unlike| *unlike).count()
}

/// The contenders in both, in the order of the simulated ones.
fn pairs(real: &Analysis<'_>, simulated: &Analysis<'_>) -> Vec<Pair> {
    let real: Vec<Ratios> = real.parallel().collect();
    let pair = |simulated: Ratios| {
        let real = real.iter().find(|real| real.contender == simulated.contender)?.clone();
        Some(Pair { real, simulated })
    };
    simulated.parallel().filter_map(pair).collect()
}

impl Ground<'_> {
    fn model(&self, model: &str, pairs: &[Pair]) -> AgainstModel {
        let position = |(place, index): (usize, &usize)| AgainstPosition {
            index: index + 1,
            nodes: self.baseline[place].nodes.round() as u64,
            real_speedups: pairs.iter().map(|pair| pair.real.speedup.at(place)).collect(),
            virtual_speedups: pairs.iter().map(|pair| pair.simulated.speedup.at(place)).collect(),
            residuals: pairs.iter().map(|pair| pair.residual(&pair.real.speedup).each[place]).collect(),
            undisturbed_residuals: pairs.iter().map(|pair| self.undisturbed_at(pair, place)).collect(),
            overhead_differences: pairs.iter().map(|pair| pair.overhead().each[place]).collect(),
        };
        AgainstModel {
            model: model.to_owned(),
            parallel: pairs.iter().map(|pair| self.parallel(pair)).collect(),
            by_position: self.positions.iter().enumerate().map(position).collect(),
        }
    }

    fn parallel(&self, pair: &Pair) -> AgainstParallel {
        let Pair { real, simulated } = pair;
        let figure = |ratio: &Ratio| Figure::of(ratio, self.large);
        let compared = |compared: &Compared| Figure::new(compared.total, &compared.each, self.large);
        let undisturbed = pair.undisturbed(self.cores);
        AgainstParallel {
            method: real.contender.role.name(),
            ordering: real.contender.ordering.name(),
            threads: real.contender.threads,
            real_speedup: figure(&real.speedup),
            over_rounds: Spread::of(&real.speedup.total),
            virtual_speedup: figure(&simulated.speedup),
            residual: compared(&pair.residual(&real.speedup)),
            undisturbed_residual: undisturbed.as_ref().map(|speedup| compared(&pair.residual(speedup))),
            undisturbed_speedup: undisturbed.as_ref().map(figure),
            real_overhead: figure(&real.search_overhead),
            virtual_overhead: figure(&simulated.search_overhead),
            overhead_difference: compared(&pair.overhead()),
            explained: Explained::new(&real.decomposition.total, &simulated.decomposition.total),
        }
    }

    fn undisturbed_at(&self, pair: &Pair, place: usize) -> Option<f64> {
        pair.undisturbed(self.cores).map(|speedup| pair.residual(&speedup).each[place])
    }
}

/// A comparison of medians: of the totals, and at each position.
struct Compared {
    total: f64,
    each: Vec<f64>,
}

impl Compared {
    /// Rounds and seeds have no pairs: what is compared is what each side says after all of them.
    fn new(simulated: &Ratio, real: &Ratio, compare: impl Fn(f64, f64) -> f64) -> Self {
        let places = simulated.by_position().into_iter().zip(real.by_position());
        Compared {
            total: compare(simulated.of_sums(), real.of_sums()),
            each: places.map(|(simulated, real)| compare(simulated, real)).collect(),
        }
    }
}

impl Pair {
    fn residual(&self, real: &Ratio) -> Compared {
        Compared::new(&self.simulated.speedup, real, |simulated, real| simulated / real - 1.0)
    }

    fn overhead(&self) -> Compared {
        let (simulated, real) = (&self.simulated.search_overhead, &self.real.search_overhead);
        Compared::new(simulated, real, |simulated, real| simulated - real)
    }

    /// The share of the ceiling times the number of threads, where a machine of so many `cores` runs them all
    /// at once.
    fn undisturbed(&self, cores: usize) -> Option<Ratio> {
        let threads = self.real.contender.threads;
        let share = self.real.ceiling_share.as_ref().filter(|_| threads <= cores)?;
        Some(share.with(share, |share, _| share * threads as f64))
    }
}

impl Explained {
    fn new(real: &Factors, simulated: &Factors) -> Self {
        let over = |part: fn(&Factors) -> f64| part(simulated) / part(real) - 1.0;
        let known = |part: fn(&Factors) -> Option<f64>| Some(part(simulated)? / part(real)? - 1.0);
        Explained {
            ordering_ratio: over(|factors| factors.ordering_ratio),
            node_rate_ratio: over(|factors| factors.node_rate_ratio),
            busy: known(|factors| factors.idle.map(|idle| 1.0 - idle)),
            search_overhead: over(|factors| 1.0 / (1.0 + factors.search_overhead)),
            unclocked: known(|factors| factors.residual.map(|residual| 1.0 / (1.0 + residual))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::costs::Costs;
    use crate::analysis::efforts::{Effort, Efforts};
    use crate::analysis::speedups::Role;
    use crate::records::meta::Meta;
    use serde_json::Value;
    use starsplit::search::{Method, MoveOrdering};
    use std::path::PathBuf;

    const SERIAL: ContenderKind =
        ContenderKind { role: Role::Serial, ordering: MoveOrdering::Hybrid, threads: 1 };
    const OTHER: ContenderKind = ContenderKind { ordering: MoveOrdering::Paper, ..SERIAL };
    const CEILING: ContenderKind = ContenderKind { role: Role::Ceiling, threads: 2, ..SERIAL };
    const SPLIT: ContenderKind = ContenderKind { role: Role::Parallel(Method::ChanceSplit), ..CEILING };
    const ALONE: ContenderKind = ContenderKind { threads: 1, ..SPLIT };

    /// The real side at two positions of the suite's three, in one round; the machine slows two threads down
    /// to three quarters of their rate.
    fn real() -> Reading {
        let contenders = vec![SERIAL, OTHER, CEILING, SPLIT];
        let (mut costs, mut efforts) = (Costs::new(4, 3), Efforts::new(4, 3));
        let figures = [(100.0, 6.0), (130.0, 7.0), (100.0, 8.0), (110.0, 4.0)];
        for position in [0, 2] {
            for (place, (nodes, seconds)) in figures.into_iter().enumerate() {
                costs.add(place, position, 0, Cost { nodes, seconds });
            }
            // The workers' clocks see all but a tenth of the time.
            let effort = Effort { wall: 4.0, busy: 6.6, waiting: 0.6, nodes: 110.0, ..Effort::default() };
            efforts.add_effort(3, position, 0, effort);
        }
        Reading {
            path: PathBuf::from("there"),
            meta: Meta::default(),
            cores: 2,
            texts: Vec::new(),
            values_equal: true,
            explained: false,
            chosen: Default::default(),
            contenders,
            costs,
            efforts,
        }
    }

    const SIMULATED: [ContenderKind; 4] = [OTHER, SERIAL, ALONE, SPLIT];

    /// The virtual side: at the last of the positions a serial search has other nodes.
    fn simulated() -> (Costs, Efforts) {
        let (mut costs, mut efforts) = (Costs::new(4, 3), Efforts::new(4, 3));
        let figures = [(130.0, 11.0), (100.0, 12.0), (100.0, 12.0), (105.0, 6.0)];
        for position in 0..3 {
            for (place, (nodes, seconds)) in figures.into_iter().enumerate() {
                let nodes = if (place, position) == (0, 2) { 131.0 } else { nodes };
                costs.add(place, position, 0, Cost { nodes, seconds });
            }
            let effort = Effort { wall: 6.0, busy: 11.4, waiting: 0.6, nodes: 105.0, ..Effort::default() };
            efforts.add_effort(3, position, 0, effort);
        }
        (costs, efforts)
    }

    fn against(real: &Reading, positions: &[usize]) -> Against {
        let (costs, efforts) = simulated();
        let runs = Runs { costs: &costs, efforts: &efforts, explained: false };
        Against::new(real, &[Virtual { model: "some", contenders: &SIMULATED, runs }], positions, 100)
    }

    fn close(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-12, "{one} {other}");
    }

    #[test]
    fn residuals_are_of_the_contenders_and_positions_in_both() {
        let found = against(&real(), &[0, 1, 2]);
        // In virtual time the other ordering is the faster one; all is over the real baseline.
        assert_eq!((found.baseline, found.positions, found.large_positions), ("hybrid", 2, 2));
        assert_eq!((found.rounds, found.unlike_positions), (Some((1, 1)), 1));
        let [row] = &found.models[0].parallel[..] else { panic!("one contender in {found:?}") };
        assert_eq!((row.method, row.ordering, row.threads), ("chance-split", "hybrid", 2));
        assert_eq!((row.real_speedup.total, row.virtual_speedup.total), (1.5, 2.0));
        close(row.residual.total, 2.0 / 1.5 - 1.0);
        close(row.residual.large.unwrap().median, 2.0 / 1.5 - 1.0);
        // 1.5 of a ceiling of 2 * 6 / 8, on two threads.
        close(row.undisturbed_speedup.unwrap().total, 2.0);
        close(row.undisturbed_residual.unwrap().all.unwrap().median, 0.0);
        close(row.real_overhead.total, 0.10);
        close(row.overhead_difference.total, -0.05);
        let positions = &found.models[0].by_position;
        assert_eq!(positions.iter().map(|p| (p.index, p.nodes)).collect::<Vec<_>>(), [(1, 100), (3, 100)]);
        close(positions[1].residuals[0], 2.0 / 1.5 - 1.0);
        close(positions[1].overhead_differences[0], -0.05);
        close(positions[1].undisturbed_residuals[0].unwrap(), 0.0);
        assert_eq!(against(&real(), &[0]).unlike_positions, 0);
    }

    #[test]
    fn the_factors_multiply_up_to_the_residual() {
        let found = against(&real(), &[0, 1, 2]);
        let row = &found.models[0].parallel[0];
        let Explained { ordering_ratio, node_rate_ratio, busy, search_overhead, unclocked } = row.explained;
        let factors = [ordering_ratio, node_rate_ratio, busy.unwrap(), search_overhead, unclocked.unwrap()];
        close(factors.iter().map(|factor| 1.0 + factor).product::<f64>() - 1.0, row.residual.total);
        close(ordering_ratio, 0.0);
        close(search_overhead, 1.10 / 1.05 - 1.0);
        close(busy.unwrap(), (11.4 / 12.0) / (6.6 / 7.2) - 1.0);
    }

    #[test]
    fn without_a_ceiling_or_with_more_threads_than_cores_nothing_is_undisturbed() {
        let row = |real: &Reading| against(real, &[0, 2]).models.remove(0).parallel.remove(0);
        let crowded = row(&Reading { cores: 1, ..real() });
        assert!(crowded.undisturbed_speedup.is_none() && crowded.undisturbed_residual.is_none());
        let mut bare = real();
        bare.contenders[2] = ContenderKind { threads: 8, ..CEILING };
        assert!(row(&bare).undisturbed_speedup.is_none());
        assert_eq!(row(&bare).real_speedup.total, 1.5);
    }

    #[test]
    fn without_positions_figures_are_null() {
        let found = serde_json::to_value(against(&real(), &[1])).unwrap();
        assert_eq!((&found["positions"], &found["rounds"]), (&0.into(), &Value::Null));
        let row = &found["models"][0]["parallel"][0];
        assert!(row["residual"]["total"].is_null() && row["residual"]["all"].is_null(), "{row}");
    }
}
