//! Speedups, shares and overheads at each position, from the costs of single runs, each ratio within a round.

use crate::analysis::costs::{Cost, Costs};
use crate::analysis::decomposition::{AgainstBaseline, Factors};
use crate::analysis::efforts::{Effort, Efforts};
use crate::analysis::figure::Figure;
use crate::analysis::measures;
use crate::analysis::ratios::{Paired, Ratio};
use crate::records::turns::{CEILING, MATCHED_CEILING};
use crate::records::workers::Quantiles;
use starsplit::search::{MAX_THREADS, Method, MoveOrdering};

/// What a contender is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A serial search.
    Serial,
    /// As many independent serial searches at once as there are threads, each with a whole table, to their
    /// ends.
    Ceiling,
    /// The same on a parallel search's threads, which share its memory evenly, until the first ends.
    MatchedCeiling,
    /// A parallel search.
    Parallel(Method),
}

impl Role {
    /// The method as records name it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Serial => "serial",
            Role::Ceiling => CEILING,
            Role::MatchedCeiling => MATCHED_CEILING,
            Role::Parallel(method) => method.name(),
        }
    }
}

/// A contender as the report sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ContenderKind {
    pub(crate) role: Role,
    pub(crate) ordering: MoveOrdering,
    pub(crate) threads: usize,
}

impl ContenderKind {
    /// The contender of which records say this.
    ///
    /// # Errors
    /// When there is no such method or ordering, or it has no such number of threads.
    pub(crate) fn named(method: &str, ordering: &str, threads: usize) -> Result<Self, String> {
        let role = match method {
            "serial" => Role::Serial,
            CEILING => Role::Ceiling,
            MATCHED_CEILING => Role::MatchedCeiling,
            method => Role::Parallel(method.parse::<Method>().map_err(|error| error.to_string())?),
        };
        let ordering = ordering.parse::<MoveOrdering>().map_err(|error| error.to_string())?;
        let most = if role == Role::Serial { 1 } else { MAX_THREADS };
        if !(1..=most).contains(&threads) {
            return Err(format!("{method} on {threads} threads"));
        }
        Ok(ContenderKind { role, ordering, threads })
    }

    /// Where it stands among others: serial searches, ceilings, matched ones, parallel methods in the
    /// library's order.
    pub(crate) fn rank(&self) -> (usize, usize, usize) {
        let role = match self.role {
            Role::Serial => 0,
            Role::Ceiling => 1,
            Role::MatchedCeiling => 2,
            Role::Parallel(method) => 3 + place(Method::ALL, &method),
        };
        (role, place(MoveOrdering::ALL, &self.ordering), self.threads)
    }

    /// How many independent searches it runs at once.
    pub(crate) fn copies(&self) -> usize {
        if matches!(self.role, Role::Ceiling | Role::MatchedCeiling) { self.threads } else { 1 }
    }

    /// The method and the threads of a parallel search.
    pub(crate) fn parallel(&self) -> Option<(Method, usize)> {
        match self.role {
            Role::Parallel(method) => Some((method, self.threads)),
            Role::Serial | Role::Ceiling | Role::MatchedCeiling => None,
        }
    }
}

/// Those of the contenders whose ordering was searched serially, too, each once and in the order of their
/// ranks.
pub(crate) fn with_baselines(contenders: impl Iterator<Item = ContenderKind>) -> Vec<ContenderKind> {
    let mut chosen: Vec<ContenderKind> = contenders.collect();
    chosen.sort_by_key(ContenderKind::rank);
    chosen.dedup();
    let serial: Vec<_> =
        chosen.iter().filter(|e| e.role == Role::Serial).map(|contender| contender.ordering).collect();
    chosen.retain(|contender| serial.contains(&contender.ordering));
    chosen
}

fn place<T: PartialEq>(all: &[T], one: &T) -> usize {
    all.iter().position(|other| other == one).unwrap_or(all.len())
}

/// The contenders in their order: serial searches under each of the `baselines` and whichever of the
/// `orderings` is not among them, ceilings of so many `copies`, both of each, and each of the `methods` under
/// each of the `orderings` on each number of `threads`.
pub(crate) fn contenders(
    baselines: &[MoveOrdering],
    copies: &[usize],
    methods: &[Method],
    orderings: &[MoveOrdering],
    threads: &[usize],
) -> Vec<ContenderKind> {
    let others = orderings.iter().filter(|&ordering| !baselines.contains(ordering));
    let serial = |&ordering| ContenderKind { role: Role::Serial, ordering, threads: 1 };
    let mut contenders: Vec<_> = baselines.iter().chain(others).map(serial).collect();
    let mut add = |role, numbers: &[usize]| {
        for &ordering in orderings {
            contenders.extend(numbers.iter().map(|&threads| ContenderKind { role, ordering, threads }));
        }
    };
    add(Role::Ceiling, copies);
    add(Role::MatchedCeiling, copies);
    methods.iter().for_each(|&method| add(Role::Parallel(method), threads));
    contenders
}

/// What was measured of the contenders.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs<'a> {
    pub(crate) costs: &'a Costs,
    pub(crate) efforts: &'a Efforts,
    /// Whether duplicate nodes were counted.
    pub(crate) explained: bool,
}

/// A contender's median costs at the positions that count.
type Row<'a> = (ContenderKind, &'a [Cost]);

/// The costs of every contender at the positions that count, and what follows from them.
#[derive(Debug)]
pub(crate) struct Analysis<'a> {
    contenders: &'a [ContenderKind],
    /// How many threads the machine runs at once.
    cores: usize,
    medians: Vec<Vec<Cost>>,
    /// Round by round.
    costs: Vec<Paired<Cost>>,
    /// The serial contender that is the baseline.
    baseline: usize,
    runs: Runs<'a>,
    positions: &'a [usize],
}

/// A parallel search's ratios.
#[derive(Clone, Debug)]
pub(crate) struct Ratios {
    pub(crate) contender: ContenderKind,
    /// The sum of the medians at each position.
    pub(crate) sum: Cost,
    pub(crate) speedup: Ratio,
    pub(crate) ceiling_share: Option<Ratio>,
    pub(crate) matched_share: Option<Ratio>,
    pub(crate) search_overhead: Ratio,
    pub(crate) decomposition: Decomposition,
    /// In nanoseconds, over all runs.
    pub(crate) abort_latency: Quantiles,
}

/// A parallel search's speedups, taken apart: each of the round with the speedup in the middle.
#[derive(Clone, Debug)]
pub(crate) struct Decomposition {
    /// Of the sums over all positions.
    pub(crate) total: Factors,
    /// At each position.
    pub(crate) each: Vec<Factors>,
}

impl Decomposition {
    /// Every factor with its name, where it is known: in all, over all positions and over the `large` ones.
    pub(crate) fn figures(&self, large: &[bool]) -> impl Iterator<Item = (&'static str, Option<Figure>)> {
        self.total.named().into_iter().enumerate().map(|(number, (name, total))| {
            let each: Option<Vec<f64>> = self.each.iter().map(|factors| factors.named()[number].1).collect();
            (name, total.zip(each).map(|(total, each)| Figure::new(total, &each, large)))
        })
    }
}

impl<'a> Analysis<'a> {
    /// Of the `runs` at `positions`, which all of the `contenders` have searched; one of these is serial, and
    /// one serial for each ordering of the others.
    pub(crate) fn new(
        contenders: &'a [ContenderKind],
        cores: usize,
        runs: Runs<'a>,
        positions: &'a [usize],
    ) -> Self {
        let places = 0..contenders.len();
        let medians: Vec<_> = places.clone().map(|place| runs.costs.medians(place, positions)).collect();
        let costs = places.map(|place| Paired::costs(runs.costs, place, positions)).collect();
        let seconds = |place: &usize| medians[*place].iter().copied().sum::<Cost>().seconds;
        let serial = (0..contenders.len()).filter(|&place| contenders[place].role == Role::Serial);
        let baseline = serial.min_by(|one, other| seconds(one).total_cmp(&seconds(other)));
        let baseline = baseline.expect("the serial search is always measured");
        Analysis { contenders, cores, medians, costs, baseline, runs, positions }
    }

    /// The baseline: the serial search whose median times sum to the least.
    pub(crate) fn baseline(&self) -> Row<'_> {
        (self.contenders[self.baseline], &self.medians[self.baseline])
    }

    /// The serial searches.
    pub(crate) fn serial(&self) -> impl Iterator<Item = Row<'_>> {
        let rows = self.contenders.iter().copied().zip(self.medians.iter().map(Vec::as_slice));
        rows.filter(|(contender, _)| contender.role == Role::Serial)
    }

    /// The machine's ceilings of that role, [`Role::Ceiling`] or [`Role::MatchedCeiling`].
    pub(crate) fn ceilings(&self, role: Role) -> impl Iterator<Item = (ContenderKind, Ratio)> {
        let measured = self.contenders.iter().zip(&self.costs).filter(move |(e, _)| e.role == role);
        measured.map(move |(&contender, costs)| {
            let copies = contender.threads as f64;
            let ceiling = |alone: &Cost, many: &Cost| match role {
                Role::MatchedCeiling => measures::rate_ratio(alone, many),
                _ => copies * measures::speedup(alone, many),
            };
            (contender, self.serial_under(contender.ordering).with(costs, ceiling))
        })
    }

    /// The parallel searches.
    pub(crate) fn parallel(&self) -> impl Iterator<Item = Ratios> {
        // Records of before there was such a ceiling have no share of it, not even on one thread.
        let is_matched = self.contenders.iter().any(|other| other.role == Role::MatchedCeiling);
        let searches = self.contenders.iter().zip(&self.costs).enumerate();
        searches.filter_map(move |(place, (&contender, costs))| {
            let (method, _) = contender.parallel()?;
            let speedup = self.costs[self.baseline].with(costs, measures::speedup);
            let serial = self.serial_under(contender.ordering);
            let share = |ceiling: Option<Ratio>| ceiling.map(|ceiling| speedup.over(&ceiling));
            Some(Ratios {
                contender,
                sum: self.medians[place].iter().copied().sum(),
                ceiling_share: share(self.ceiling_for(&contender, Role::Ceiling)),
                matched_share: share(
                    self.ceiling_for(&contender, Role::MatchedCeiling).filter(|_| is_matched),
                ),
                search_overhead: serial.with(costs, measures::search_overhead),
                speedup,
                decomposition: self.decomposition(place, contender, method),
                abort_latency: self.runs.efforts.abort_latency(place),
            })
        })
    }

    /// Takes the speedups of the contender at this place apart.
    fn decomposition(&self, place: usize, contender: ContenderKind, method: Method) -> Decomposition {
        let efforts = Paired::efforts(self.runs.costs, self.runs.efforts, place, self.positions);
        let (baseline, serial) = (&self.costs[self.baseline], self.serial_under(contender.ordering));
        let factors = |&(baseline, serial): &(Cost, Cost), effort: &Effort| {
            let against = AgainstBaseline {
                baseline,
                serial,
                threads: contender.threads,
                clocked: !method.uses_whole_pool(),
                splits: method.splits(),
                explained: self.runs.explained,
            };
            Factors::new(&against, effort)
        };
        let rounds = baseline.with(serial, |&one, &other| (one, other)).with(&efforts, factors);
        // Of nothing no factor is a number.
        let middle = |rounds: &[Factors]| {
            Factors::middle(rounds).unwrap_or_else(|| factors(&Default::default(), &Effort::default()))
        };
        Decomposition {
            total: middle(&rounds.total),
            each: rounds.each.iter().map(|rounds| middle(rounds)).collect(),
        }
    }

    fn serial_under(&self, ordering: MoveOrdering) -> &Paired<Cost> {
        let own =
            |contender: &ContenderKind| contender.role == Role::Serial && contender.ordering == ordering;
        let place = self.contenders.iter().position(own);
        &self.costs[place.expect("every ordering is searched serially, too")]
    }

    /// The ceiling of that role that a parallel search is measured against, where it is known.
    fn ceiling_for(&self, parallel: &ContenderKind, role: Role) -> Option<Ratio> {
        let copies = parallel.threads.min(self.cores);
        if copies == 1 {
            let baseline = &self.costs[self.baseline];
            return Some(baseline.with(baseline, |_, _| 1.0));
        }
        let mut ceilings = self.ceilings(role);
        let own = ceilings.find(|(c, _)| (c.ordering, c.threads) == (parallel.ordering, copies));
        own.map(|(_, ratio)| ratio)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MoveOrdering::{Paper, Static};

    const SPLIT: Role = Role::Parallel(Method::ChanceSplit);

    fn contender(role: Role, ordering: MoveOrdering, threads: usize) -> ContenderKind {
        ContenderKind { role, ordering, threads }
    }

    /// The costs of some contenders: for each, nodes and seconds at each position.
    fn costs(runs: &[&[(f64, f64)]]) -> Costs {
        let mut costs = Costs::new(runs.len(), runs[0].len());
        for (place, runs) in runs.iter().enumerate() {
            for (position, &(nodes, seconds)) in runs.iter().enumerate() {
                costs.add(place, position, 0, Cost { nodes, seconds });
            }
        }
        costs
    }

    /// The figures of contenders with these costs, whose workers did what `efforts` says.
    fn runs<'a>(costs: &'a Costs, efforts: &'a Efforts) -> Runs<'a> {
        Runs { costs, efforts, explained: true }
    }

    #[test]
    fn the_baseline_is_the_serial_search_with_the_least_sum_of_times() {
        let contenders = [(Role::Serial, Paper, 1), (Role::Serial, Static, 1), (SPLIT, Paper, 2)]
            .map(|(role, ordering, threads)| contender(role, ordering, threads));
        // Paper's ordering is the faster one at the first position, static's in all.
        let costs = costs(&[
            &[(100.0, 1.0), (100.0, 9.0)],
            &[(50.0, 2.0), (50.0, 6.0)],
            &[(110.0, 1.0), (120.0, 5.0)],
        ]);
        let efforts = Efforts::new(3, 2);
        let analysis = Analysis::new(&contenders, 2, runs(&costs, &efforts), &[0, 1]);
        assert_eq!(analysis.baseline().0, contenders[1]);
        let ratios = analysis.parallel().next().unwrap();
        assert_eq!(ratios.speedup.by_position(), [2.0, 1.2]);
        assert_eq!(ratios.speedup.of_sums(), 8.0 / 6.0);
        // The overhead is over the same ordering's nodes, not the baseline's.
        assert!((ratios.search_overhead.by_position()[0] - 0.1).abs() < 1e-12, "{ratios:?}");
        assert!((ratios.search_overhead.of_sums() - 0.15).abs() < 1e-12, "{ratios:?}");
        assert!(ratios.ceiling_share.is_none(), "no ceiling was measured");
    }

    #[test]
    fn shares_are_of_the_ceiling_at_the_same_position() {
        let contenders = [
            contender(Role::Serial, Paper, 1),
            contender(Role::Ceiling, Paper, 2),
            contender(SPLIT, Paper, 1),
            contender(SPLIT, Paper, 2),
            contender(SPLIT, Paper, 8),
        ];
        let costs = costs(&[
            &[(9.0, 8.0), (9.0, 8.0)],
            &[(9.0, 10.0), (9.0, 8.0)],
            &[(9.0, 8.0), (9.0, 16.0)],
            &[(9.0, 5.0), (9.0, 5.0)],
            &[(9.0, 10.0), (9.0, 10.0)],
        ]);
        let efforts = Efforts::new(5, 2);
        let analysis = Analysis::new(&contenders, 2, runs(&costs, &efforts), &[0, 1]);
        let ceilings: Vec<_> = analysis.ceilings(Role::Ceiling).collect();
        assert_eq!(ceilings[0].0, contenders[1]);
        assert_eq!(ceilings[0].1.by_position(), [1.6, 2.0]);
        let shares: Vec<_> = analysis.parallel().map(|r| r.ceiling_share.unwrap().by_position()).collect();
        // One thread: against 1. Eight threads on two cores: against the ceiling of two.
        assert_eq!(shares, [[1.0, 0.5], [1.0, 0.8], [0.5, 0.4]]);
    }

    #[test]
    fn speedups_are_taken_apart_at_each_position_and_in_all() {
        let contenders = [contender(Role::Serial, Paper, 1), contender(SPLIT, Paper, 2)];
        let costs = costs(&[&[(100.0, 8.0), (300.0, 24.0)], &[(100.0, 5.0), (300.0, 15.0)]]);
        let mut efforts = Efforts::new(2, 2);
        for (position, wall, nodes) in [(0, 5.0, 110.0), (1, 15.0, 300.0)] {
            let busy = 1.6 * wall;
            let effort =
                Effort { wall, busy, waiting: 0.4 * wall, nodes, aborted_nodes: 5.0, ..Effort::default() };
            efforts.add_effort(1, position, 0, effort);
        }
        let analysis = Analysis::new(&contenders, 2, runs(&costs, &efforts), &[0, 1]);
        let found = analysis.parallel().next().unwrap().decomposition;
        let of = |name| found.figures(&[true, false]).find(|(other, _)| *other == name).unwrap().1.unwrap();
        let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-12, "{one} {other}");
        close(of("idle").total, 0.2);
        close(of("search_overhead").large.unwrap().median, 0.1);
        close(of("search_overhead").total, 0.025);
        close(of("aborted").total, 0.025);
        close(found.each[1].predicted.unwrap(), 1.6);
        close(of("residual").total, 0.0);
    }

    /// A serial search, its ceiling and the search on two threads at one position: in each round the seconds
    /// of each on a steady machine, and the machine's speed.
    fn rounds(rounds: &[([f64; 3], f64)]) -> (Costs, Efforts) {
        let (mut costs, mut efforts) = (Costs::new(3, 1), Efforts::new(3, 1));
        for (round, &(steady, speed)) in rounds.iter().enumerate() {
            for (place, seconds) in steady.map(|seconds| seconds / speed).into_iter().enumerate() {
                costs.add(place, 0, round, Cost { nodes: 100.0, seconds });
                let (busy, waiting) = (1.5 * seconds, 0.5 * seconds);
                let effort = Effort { wall: seconds, busy, waiting, nodes: 100.0, ..Effort::default() };
                efforts.add_effort(place, 0, round, effort);
            }
        }
        (costs, efforts)
    }

    #[derive(Debug, PartialEq)]
    struct Found {
        ceiling: Ratio,
        speedup: Ratio,
        share: Ratio,
        factors: Factors,
    }

    /// What follows from those rounds.
    fn figures((costs, efforts): &(Costs, Efforts)) -> Found {
        let contenders = [(Role::Serial, 1), (Role::Ceiling, 2), (SPLIT, 2)]
            .map(|(role, threads)| contender(role, Paper, threads));
        let analysis = Analysis::new(&contenders, 2, runs(costs, efforts), &[0]);
        let ceiling = analysis.ceilings(Role::Ceiling).next().unwrap().1;
        let Ratios { speedup, ceiling_share, decomposition, .. } = analysis.parallel().next().unwrap();
        Found { ceiling, speedup, share: ceiling_share.unwrap(), factors: decomposition.total }
    }

    #[test]
    fn a_machine_that_slows_down_between_rounds_changes_no_figure() {
        let steady = [[8.0, 10.0, 5.0], [8.0, 9.0, 4.0], [8.0, 8.0, 6.0]];
        let at = |speeds: [f64; 3]| [0, 1, 2].map(|round| (steady[round], speeds[round]));
        let expected = figures(&rounds(&at([1.0, 1.0, 1.0])));
        for speeds in [[1.0, 0.5, 0.5], [0.5, 1.0, 1.0], [1.0, 0.5, 0.25]] {
            assert_eq!(figures(&rounds(&at(speeds))), expected, "{speeds:?}");
        }
        assert_eq!((expected.ceiling.of_sums(), expected.speedup.of_sums()), (16.0 / 9.0, 1.6));
    }

    #[test]
    fn a_share_is_of_the_ceiling_in_the_same_round() {
        let found =
            figures(&rounds(&[([8.0, 8.0, 4.0], 1.0), ([8.0, 16.0, 8.0], 1.0), ([8.0, 10.0, 4.0], 1.0)]));
        let Found { ceiling, speedup, share, .. } = found;
        assert_eq!((&ceiling.total, &speedup.total), (&vec![2.0, 1.0, 1.6], &vec![2.0, 1.0, 2.0]));
        assert_eq!((ceiling.of_sums(), speedup.of_sums()), (1.6, 2.0));
        assert_eq!((share.of_sums(), share.by_position()), (1.0, vec![1.0]), "not 2 / 1.6");
    }

    #[test]
    fn the_factors_are_those_of_one_round() {
        // Speedups of 2, 1 and 1.6 on a machine that is at its fastest in the first round.
        let found =
            figures(&rounds(&[([8.0, 8.0, 4.0], 4.0), ([8.0, 8.0, 8.0], 1.0), ([8.0, 8.0, 5.0], 1.0)]));
        let factors = found.factors;
        assert_eq!((factors.measured, factors.idle), (1.6, Some(0.25)));
        assert!((factors.predicted.unwrap() - 1.6).abs() < 1e-12, "{factors:?}");
        assert!((factors.node_rate_ratio - 8.0 / 7.5).abs() < 1e-12, "{factors:?}");
    }
}
