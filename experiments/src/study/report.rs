//! From the records of a study to its figures.

use crate::analysis::conditions::{Conditions, Disturbance, words};
use crate::analysis::costs::{Cost, Costs};
use crate::analysis::growth::{branching, to_depth};
use crate::analysis::order::Order;
use crate::analysis::ratios::{Paired, Ratio};
use crate::analysis::tables::{fitted, interval, new_table, ratio};
use crate::records::line::Line;
use crate::records::recorded::RecordedSearch;
use crate::records::turns::Turns;
use comfy_table::Table;
use serde::Serialize;
use starsplit::score::Score;
use starsplit_statistics::bootstrap::{Interval, Intervals};
use starsplit_statistics::summary::{Summary, geometric_mean, median};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The figures of a study, in the form of the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyFigures {
    /// The depth of the searches.
    pub depth: u32,
    /// How many positions count: those that every variant has searched without error.
    pub positions: usize,
    /// Whether every search that had to found its position's value.
    pub values_equal: bool,
    /// The variants; ratios are to the first.
    pub variants: Vec<VariantFigures>,
    /// In which order the variants came.
    pub order: Order,
    /// When the machine was disturbed; none where nobody looked.
    pub disturbance: Option<Disturbance>,
    /// Whether Ctrl-C ended the study early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// A variant. Sums are over the positions that count, of the medians of each position's runs; ratios are
/// taken within each round, and their medians over the rounds count.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantFigures {
    /// Its name.
    pub name: String,
    /// What sets it apart.
    pub options: String,
    /// Nodes.
    pub nodes: AgainstFirst,
    /// Static evaluations.
    pub evaluations: AgainstFirst,
    /// Wall time, in seconds.
    pub seconds: AgainstFirst,
    /// How full its calls for evaluations were, the mean over the positions; in the object only where it made
    /// such calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill: Option<f64>,
    /// What its table did; in the object only where some variant has another than the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableFigures>,
    /// At how many positions it found another value than the first variant, or none that is exact.
    pub other_values: usize,
    /// What it took until each depth was complete.
    pub by_depth: Vec<VariantAtDepth>,
}

/// What a variant's table did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TableFigures {
    /// The share of look-ups that found bounds of a depth that counts, of all positions' look-ups.
    pub hits: Option<f64>,
    /// The share of look-ups of a position and depth that was stored before which found it, the mean over the
    /// positions; none where nobody counted.
    pub kept: Option<f64>,
    /// How many entries a look-up in chains passed, and the share of the entries that a new one met which it
    /// did not make give way: means over the positions; in the object only of chains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chain: Option<[f64; 2]>,
}

/// A cost, and how it compares with the first variant's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AgainstFirst {
    /// The sum over the positions.
    pub total: f64,
    /// How it is spread over the positions; none without any.
    pub spread: Option<Summary>,
    /// The sum over that of the first variant; not a number where no round has all positions.
    pub ratio: f64,
    /// The median over the positions of the ratios to the first variant there.
    pub median_ratio: f64,
    /// What the percentile bootstrap over the positions gives that median with a confidence of 95%; none of
    /// fewer than six positions.
    pub interval: Option<Interval>,
    /// The same where the rounds might have been others, too; none of fewer than three, and where the machine
    /// was not probed.
    pub two_stage: Option<Interval>,
}

/// What it took until a depth was complete, shallower iterations included: geometric means over the positions
/// that reached it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VariantAtDepth {
    /// The depth.
    pub depth: u32,
    /// How many positions reached it.
    pub positions: usize,
    /// Nodes; none of parallel searches, whose iterations count those of one thread only.
    pub nodes: Option<f64>,
    /// Time to depth, in seconds.
    pub seconds: f64,
    /// The effective branching factor, by nodes: how many times as many a ply costs, over the last two plies;
    /// the median over the positions that have one.
    pub branching: Option<f64>,
}

/// The searches of a variant, by position and round.
#[derive(Clone, Debug, Default)]
struct Searches<'a> {
    runs: BTreeMap<(usize, usize), &'a RecordedSearch>,
    /// Whether several threads searched.
    is_parallel: bool,
}

impl<'a> Searches<'a> {
    /// The runs at a position, in the order of their rounds.
    fn at(&self, position: usize) -> impl Iterator<Item = &'a RecordedSearch> {
        self.runs.range((position, 0)..=(position, usize::MAX)).map(|(_, &run)| run)
    }

    /// The score that the first of the runs at a position found.
    fn score(&self, position: usize) -> Option<Score> {
        self.at(position).next().and_then(|run| run.score)
    }
}

/// The searches of all variants.
struct All<'a> {
    variants: Vec<Searches<'a>>,
    /// When the machine was disturbed, where somebody looked.
    disturbance: Option<Disturbance>,
    /// In which rounds each position was searched by whom, and what it took.
    costs: Costs,
    /// The positions that count.
    positions: Vec<usize>,
}

/// The figures of the `lines` of a folder, of the `variants` named and described in its `meta.json`, in a
/// suite of so many `positions`, on a machine with so many processors.
///
/// # Errors
/// When a line is not one of a real search.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<Line, String>>,
    cores: usize,
    (depth, positions): (u32, usize),
    variants: &[(String, String)],
) -> Result<StudyFigures, String> {
    let mut conditions = Conditions::on(cores);
    let lines = conditions.noting(lines);
    let turns = Turns::of(lines, positions, |_| Ok(()))?;
    let mut values_equal = true;
    let mut searches = vec![Searches::default(); variants.len()];
    let mut costs = Costs::new(variants.len(), positions);
    for turn in &turns.list {
        values_equal &= turn.errors.is_empty();
        let (contender, key) = (turns.contender_of(turn), turn.key);
        let number = variants.iter().position(|(name, _)| contender.variant.as_ref() == Some(name));
        let number = number.filter(|_| turn.errors.is_empty());
        if let (Some(number), [search]) = (number, turn.searches.as_slice()) {
            searches[number].is_parallel = contender.threads > 1;
            searches[number].runs.insert((key.position, key.round), search);
            costs.add(number, key.position, key.round, Cost::of(&turn.searches));
        }
    }
    let disturbance = conditions.disturbance();
    let all = All { positions: costs.complete(), variants: searches, disturbance, costs };
    let named = variants.iter().enumerate();
    let variants =
        named.map(|(number, (name, words))| VariantFigures::new(name, words, &all, number)).collect();
    let (positions, order, disturbance) = (all.positions.len(), conditions.order(), all.disturbance);
    Ok(StudyFigures { depth, positions, values_equal, variants, order, disturbance, stopped: false })
}

impl VariantFigures {
    fn new(name: &str, words: &str, all: &All<'_>, number: usize) -> Self {
        let (own, first) = (&all.variants[number], &all.variants[0]);
        let is_other = |&&position: &&usize| {
            let score = own.score(position);
            score.is_none() || score != first.score(position)
        };
        VariantFigures {
            name: name.to_owned(),
            options: words.to_owned(),
            nodes: all.against(number, |run| run.nodes as f64),
            evaluations: all.against(number, |run| run.evaluations as f64),
            seconds: all.against(number, RecordedSearch::seconds),
            fill: all.fill(number),
            table: all.table(number),
            other_values: all.positions.iter().filter(is_other).count(),
            by_depth: by_depth(own, &all.positions),
        }
    }
}

impl All<'_> {
    /// What a variant's tables did, the means over the positions; none where all variants have the usual one.
    fn table(&self, number: usize) -> Option<TableFigures> {
        let first = |number: usize, &position: &usize| self.variants[number].at(position).next();
        let is_unusual =
            |number| self.positions.iter().filter_map(|at| first(number, at)).any(|run| run.kept.is_some());
        if !(0..self.variants.len()).any(is_unusual) {
            return None;
        }
        let runs = || self.positions.iter().filter_map(|at| first(number, at));
        let (probes, hits) =
            runs().filter_map(|run| run.looks).fold((0, 0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
        let kept: Vec<_> = runs().filter_map(|run| run.kept.as_ref()?.share()).collect();
        let kept = (!kept.is_empty()).then(|| kept.iter().sum::<f64>() / kept.len() as f64);
        let chains: Vec<_> = runs().filter_map(|run| run.kept.as_ref()?.chain()).collect();
        let of_chain = |part: usize| chains.iter().map(|one| one[part]).sum::<f64>() / chains.len() as f64;
        let chain = (!chains.is_empty()).then(|| [of_chain(0), of_chain(1)]);
        Some(TableFigures { hits: (probes > 0).then(|| hits as f64 / probes as f64), kept, chain })
    }

    /// How full a variant's calls were, the mean over the positions.
    fn fill(&self, number: usize) -> Option<f64> {
        let of_first_run = |&position: &usize| {
            let run = self.variants[number].at(position).next()?;
            run.calls.map(|calls| calls.fill())
        };
        let fills: Option<Vec<f64>> = self.positions.iter().map(of_first_run).collect();
        fills.filter(|fills| !fills.is_empty()).map(|fills| fills.iter().sum::<f64>() / fills.len() as f64)
    }

    /// What a part of the variant's costs is, beside the first variant's.
    fn against(&self, number: usize, part: fn(&RecordedSearch) -> f64) -> AgainstFirst {
        let own = self.rounds(number, part);
        let ratio = own.over(&self.rounds(0, part));
        let intervals = Intervals::of(&ratio.each);
        let costs = own.by_position();
        AgainstFirst {
            total: costs.iter().sum(),
            spread: Summary::of(&costs),
            ratio: ratio.of_sums(),
            median_ratio: median(&ratio.by_position()).unwrap_or(f64::NAN),
            interval: intervals.positions,
            two_stage: intervals.two_stage,
        }
    }

    /// A part of the variant's costs, round by round.
    fn rounds(&self, number: usize, part: fn(&RecordedSearch) -> f64) -> Ratio {
        let run = |position, round| part(self.variants[number].runs[&(position, round)]);
        Paired::of(&self.costs, &self.positions, run)
    }
}

impl AgainstFirst {
    fn cells(&self, show: fn(f64) -> String) -> [String; 3] {
        [
            show(self.total),
            ratio(self.ratio),
            match self.interval {
                Some(_) => format!("{} [{}]", ratio(self.median_ratio), interval(self.interval, ratio)),
                None => ratio(self.median_ratio),
            },
        ]
    }
}

fn by_depth(of: &Searches<'_>, positions: &[usize]) -> Vec<VariantAtDepth> {
    let mut depths: BTreeMap<u32, [Vec<f64>; 3]> = BTreeMap::new();
    for &position in positions {
        let steps = to_depth(of.at(position).map(|run| run.iterations.as_slice()));
        let factors = branching(&steps.iter().map(|(&depth, step)| (depth, step.nodes)).collect());
        for (depth, step) in steps {
            let [nodes, seconds, branching] = depths.entry(depth).or_default();
            nodes.push(step.nodes);
            seconds.push(step.seconds);
            branching.extend(factors.get(&depth));
        }
    }
    let is_serial = !of.is_parallel;
    let at = |(depth, [nodes, seconds, branching]): (u32, [Vec<f64>; 3])| VariantAtDepth {
        depth,
        positions: nodes.len(),
        nodes: geometric_mean(&nodes).filter(|_| is_serial),
        seconds: geometric_mean(&seconds).unwrap_or(f64::NAN),
        branching: median(&branching).filter(|_| is_serial),
    };
    depths.into_iter().map(at).collect()
}

impl StudyFigures {
    /// The variants for people: what each took, and over the first.
    pub(crate) fn table(&self) -> Table {
        let header = [
            "variant",
            "nodes",
            "over the first",
            "median [95%]",
            "evaluations over the first",
            "seconds",
            "over the first",
            "median [95%]",
            "other values",
        ];
        // Of searches that make no calls together there is nothing to say.
        let has_fill = self.variants.iter().any(|variant| variant.fill.is_some());
        // Nor of the usual table.
        let has = |is: fn(&TableFigures) -> bool| {
            self.variants.iter().any(|own| own.table.is_some_and(|own| is(&own)))
        };
        let of_tables = match (has(|_| true), has(|table| table.chain.is_some())) {
            (_, true) => &["hits", "kept", "passed", "retained"][..],
            (is_there, _) => &["hits", "kept"][..2 * usize::from(is_there)],
        };
        // Nor of a machine that nobody has looked at.
        let of_machine = self.disturbance.is_some().then_some("median's 95%, rounds too");
        let header = header.into_iter().chain(has_fill.then_some("calls filled"));
        let header = header.chain(of_tables.iter().copied()).chain(of_machine).collect::<Vec<_>>();
        let mut table = new_table(&header, header.len() - 1);
        for variant in &self.variants {
            let fill = variant.fill.map_or_else(|| "-".to_owned(), |fill| format!("{fill:.3}"));
            let [nodes, node_ratio, node_median] = variant.nodes.cells(|nodes| format!("{nodes:.0}"));
            let [seconds, time_ratio, time_median] = variant.seconds.cells(|seconds| format!("{seconds:.3}"));
            let cells = [
                variant.name.clone(),
                nodes,
                node_ratio,
                node_median,
                ratio(variant.evaluations.ratio),
                seconds,
                time_ratio,
                time_median,
                variant.other_values.to_string(),
            ];
            let share =
                |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"));
            let of_table = variant.table.iter().flat_map(|table| {
                let [passed, retained] = [0, 1].map(|part| table.chain.map(|chain| chain[part]));
                [table.hits, table.kept, passed, retained].into_iter().take(of_tables.len()).map(share)
            });
            let of_machine = of_machine.map(|_| interval(variant.seconds.two_stage, ratio));
            let cells = cells.into_iter().chain(has_fill.then_some(fill)).chain(of_table).chain(of_machine);
            table.add_row(cells);
        }
        table
    }

    /// What a position costs, for people, as in the paper's Table I.
    pub(crate) fn spread(&self) -> Table {
        let header = ["variant", "cost", "least", "median", "greatest", "mean", "standard deviation"];
        let mut table = new_table(&header, 5);
        for variant in &self.variants {
            type Shown = fn(f64) -> String;
            let costs: [(_, _, Shown); 3] = [
                ("nodes", variant.nodes, |nodes| format!("{nodes:.0}")),
                ("evaluations", variant.evaluations, |evaluations| format!("{evaluations:.0}")),
                ("seconds", variant.seconds, |seconds| format!("{seconds:.5}")),
            ];
            for (cost, against, show) in costs {
                let figures = against.spread.map(|s| [s.min, s.median, s.max, s.mean, s.std].map(show));
                let figures = figures.unwrap_or_else(|| std::array::from_fn(|_| "-".to_owned()));
                table.add_row([variant.name.clone(), cost.to_owned()].into_iter().chain(figures));
            }
        }
        table
    }

    /// How cost grows with depth, for people.
    pub(crate) fn growth(&self) -> Table {
        let header =
            ["variant", "depth", "positions", "nodes", "time to depth (ms)", "branching factor a ply"];
        let mut table = new_table(&header, 5);
        for (variant, at) in self.variants.iter().flat_map(|v| v.by_depth.iter().map(move |at| (v, at))) {
            table.add_row([
                variant.name.clone(),
                at.depth.to_string(),
                at.positions.to_string(),
                at.nodes.map_or_else(|| "-".to_owned(), |nodes| format!("{nodes:.0}")),
                format!("{:.3}", at.seconds * 1e3),
                at.branching.map_or_else(|| "-".to_owned(), |factor| format!("{factor:.2}")),
            ]);
        }
        table
    }

    /// Everything for people.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n\nA position:\n\n{}\n", fitted(&self.table()), fitted(&self.spread()));
        // Writing to a String does not fail.
        let _ = writeln!(
            text,
            "\nUntil each depth was complete, geometric means over the positions that reached it:\n\n{}",
            fitted(&self.growth())
        );
        text + &format!("\n{}\n", words(&self.order, self.disturbance.as_ref(), None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::line;
    use serde_json::{Value, json};

    fn line(variant: &str, index: usize, nodes: u64, score: i32) -> Value {
        json!({"schema": 4, "index": index, "position": format!("p{index}"), "variant": variant,
            "algorithm": "star2-tt",
            "method": "serial", "table_use": "all", "ordering": "hybrid", "history": "live", "threads": 1,
                "repeat": 1,
            "wall_ns": 10 * nodes, "nodes": nodes, "evaluations": 2 * nodes, "score": score, "busy_ns": null,
            "idle_ns": null, "stealing_ns": null, "parked_ns": null, "split": {"aborted_nodes": 0,
                "steals": 0},
            "iterations": [{"depth": 1, "nodes": nodes / 10, "evaluations": 1, "wall_ns": nodes},
                {"depth": 3, "nodes": nodes, "evaluations": 2, "wall_ns": 10 * nodes}], "error": null})
    }

    fn report(lines: &[Value]) -> StudyFigures {
        let lines = lines.iter().map(|line| line::read(&line.to_string()));
        let variants = ["a", "b"].map(|name| (name.to_owned(), String::new()));
        recorded(lines, 2, (3, 3), &variants).unwrap()
    }

    #[test]
    fn variants_are_set_beside_the_first_where_all_have_searched() {
        let found = report(&[
            line("a", 1, 100, 5),
            line("b", 1, 50, 5),
            line("a", 2, 300, 7),
            line("b", 2, 100, 8),
            line("a", 3, 1_000_000, 0),
            line("c", 3, 1, 0),
        ]);
        assert_eq!((found.positions, found.values_equal), (2, true));
        let [a, b] = found.variants.as_slice() else { panic!("two variants") };
        assert_eq!((a.nodes.total, a.nodes.ratio, a.nodes.median_ratio), (400.0, 1.0, 1.0));
        assert_eq!((b.nodes.total, b.nodes.ratio), (150.0, 150.0 / 400.0));
        assert!((b.nodes.median_ratio - (0.5 + 1.0 / 3.0) / 2.0).abs() < 1e-12);
        assert_eq!((a.other_values, b.other_values), (0, 1));
        assert_eq!(b.nodes.cells(ratio), ["150.00", "0.38", "0.42"]);
        let interval = Some(Interval { low: 0.25, high: 0.75 });
        let spread = b.nodes.spread.unwrap();
        assert_eq!((spread.min, spread.median, spread.max, spread.mean), (50.0, 75.0, 100.0, 75.0));
        assert!(found.spread().to_string().contains("35"), "the standard deviation");
        let many = AgainstFirst {
            total: 6.0,
            spread: None,
            ratio: 0.5,
            median_ratio: 0.5,
            interval,
            two_stage: None,
        };
        assert_eq!(many.cells(ratio), ["6.00", "0.50", "0.50 [0.25 .. 0.75]"]);
        let [one, three] = b.by_depth.as_slice() else { panic!("two depths") };
        assert_eq!((one.depth, one.branching), (1, None));
        assert_eq!((three.depth, three.positions, three.branching), (3, 2, Some(3.0)));
    }

    #[test]
    fn ratios_are_taken_within_rounds() {
        let timed = |variant: &str, repeat: u64, ms: u64| {
            let mut line = line(variant, 1, 100, 5);
            line["repeat"] = repeat.into();
            line["wall_ns"] = (ms * 1_000_000).into();
            line
        };
        // The machine is slow in the second round; the third has no pair.
        let lines = [("a", 1, 10), ("b", 1, 20), ("b", 2, 80), ("a", 2, 40), ("a", 3, 1)];
        let found = report(&lines.map(|(variant, repeat, ms)| timed(variant, repeat, ms)));
        let [a, b] = found.variants.as_slice() else { panic!("two variants") };
        assert_eq!((a.seconds.total, b.seconds.total), (0.025, 0.05));
        assert_eq!((b.seconds.ratio, b.seconds.median_ratio), (2.0, 2.0));
    }

    #[test]
    fn of_parallel_searches_only_the_time_to_depth_is_known() {
        let mut lines = [line("a", 1, 100, 5), line("b", 1, 60, 5)];
        lines[1]["threads"] = 2.into();
        let found = report(&lines);
        let last = |number: usize| found.variants[number].by_depth.last().copied().unwrap();
        assert_eq!((last(0).nodes.map(f64::round), last(0).branching.is_some()), (Some(100.0), true));
        assert_eq!((last(1).nodes, last(1).branching), (None, None));
        assert!(last(1).seconds > 0.0);
    }

    #[test]
    fn runs_with_errors_do_not_count() {
        let mut wrong = line("b", 1, 1, 4);
        wrong["error"] = "score 4, expected 5".into();
        let found = report(&[line("a", 1, 100, 5), wrong, line("a", 2, 10, 1), line("b", 2, 20, 1)]);
        assert_eq!((found.positions, found.values_equal), (1, false));
        assert_eq!(found.variants[1].nodes.ratio, 2.0);
    }
}
