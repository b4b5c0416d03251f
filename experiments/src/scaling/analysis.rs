//! Speedups, shares and overheads at each position, from the costs of single runs.

use super::decomposition::{Against, Factors};
use super::report::Figure;
use crate::costs::{Cost, Costs};
use crate::crew::{Quantiles, clocks_everything, splits};
use crate::efforts::{Effort, Efforts};
use crate::statistics::Spread;
use starsplit::search::{Method, MoveOrdering};

/// What a contender is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A serial search.
    Serial,
    /// As many independent serial searches at once as there are threads.
    Ceiling,
    /// A parallel search.
    Parallel(Method),
}

impl Role {
    /// The method as records name it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Role::Serial => "serial",
            Role::Ceiling => "ceiling",
            Role::Parallel(method) => method.name(),
        }
    }
}

/// A contender as the report sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entrant {
    pub(super) role: Role,
    pub(super) ordering: MoveOrdering,
    pub(super) threads: usize,
}

impl Entrant {
    /// How many independent searches it runs at once.
    pub(super) fn copies(&self) -> usize {
        if self.role == Role::Ceiling { self.threads } else { 1 }
    }

    /// The method and the threads of a parallel search.
    pub(super) fn parallel(&self) -> Option<(Method, usize)> {
        match self.role {
            Role::Parallel(method) => Some((method, self.threads)),
            Role::Serial | Role::Ceiling => None,
        }
    }
}

/// What was measured of the contenders.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runs<'a> {
    pub(super) costs: &'a Costs,
    pub(super) efforts: &'a Efforts,
    /// Whether duplicate nodes were counted.
    pub(super) explained: bool,
}

/// The ratio of one cost to another at each position, and of their sums.
#[derive(Clone, Debug)]
pub(super) struct Ratio {
    /// Of the sums over all positions.
    pub(super) total: f64,
    /// At each position.
    pub(super) each: Vec<f64>,
}

impl Ratio {
    /// `part` of two costs, at each position and of the sums.
    fn new(one: &[Cost], other: &[Cost], part: impl Fn(&Cost, &Cost) -> f64) -> Self {
        Ratio {
            total: part(&Cost::sum(one), &Cost::sum(other)),
            each: one.iter().zip(other).map(|(one, other)| part(one, other)).collect(),
        }
    }

    fn over(&self, other: &Ratio) -> Self {
        let each = self.each.iter().zip(&other.each).map(|(one, other)| one / other).collect();
        Ratio { total: self.total / other.total, each }
    }

    /// The ratio over all positions, and over the `large` ones.
    pub(super) fn figure(&self, large: &[bool]) -> Figure {
        let chosen: Vec<f64> =
            self.each.iter().zip(large).filter(|(_, large)| **large).map(|(ratio, _)| *ratio).collect();
        Figure { total: self.total, all: Spread::of(&self.each), large: Spread::of(&chosen) }
    }
}

/// A contender's costs at the positions that count.
type Row<'a> = (Entrant, &'a [Cost]);

/// The median runs of every contender at the positions that count, and what follows from them.
#[derive(Debug)]
pub(super) struct Analysis<'a> {
    entrants: &'a [Entrant],
    /// How many threads the machine runs at once.
    cores: usize,
    costs: Vec<Vec<Cost>>,
    /// The serial contender that is the baseline.
    baseline: usize,
    runs: Runs<'a>,
    positions: &'a [usize],
}

/// A parallel search's ratios.
#[derive(Clone, Debug)]
pub(super) struct Ratios {
    pub(super) entrant: Entrant,
    /// What all positions took.
    pub(super) sum: Cost,
    pub(super) speedup: Ratio,
    pub(super) ceiling_share: Option<Ratio>,
    pub(super) search_overhead: Ratio,
    pub(super) decomposition: Decomposition,
    /// In nanoseconds, over all runs.
    pub(super) abort_latency: Quantiles,
}

/// A parallel search's speedups, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Decomposition {
    /// Of the sums over all positions.
    pub(super) total: Factors,
    /// At each position.
    pub(super) each: Vec<Factors>,
}

impl Decomposition {
    /// Every factor with its name, where it is known, as a ratio over the positions.
    pub(super) fn ratios(&self) -> impl Iterator<Item = (&'static str, Option<Ratio>)> {
        self.total.named().into_iter().enumerate().map(|(number, (name, total))| {
            let each = self.each.iter().map(|factors| factors.named()[number].1).collect();
            (name, total.zip(each).map(|(total, each)| Ratio { total, each }))
        })
    }
}

impl<'a> Analysis<'a> {
    /// Of the `runs` at `positions`, which all of the `entrants` have searched; one of these is serial, and one serial for
    /// each ordering of the others.
    pub(super) fn new(entrants: &'a [Entrant], cores: usize, runs: Runs<'a>, positions: &'a [usize]) -> Self {
        let costs: Vec<_> = (0..entrants.len()).map(|place| runs.costs.medians(place, positions)).collect();
        let seconds = |place: &usize| Cost::sum(&costs[*place]).seconds;
        let serial = (0..entrants.len()).filter(|&place| entrants[place].role == Role::Serial);
        let baseline = serial.min_by(|one, other| seconds(one).total_cmp(&seconds(other)));
        let baseline = baseline.expect("the serial search is always measured");
        Analysis { entrants, cores, costs, baseline, runs, positions }
    }

    /// The serial search whose times sum to the least.
    pub(super) fn baseline(&self) -> Row<'_> {
        (self.entrants[self.baseline], &self.costs[self.baseline])
    }

    /// The serial searches.
    pub(super) fn serial(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows().filter(|(entrant, _)| entrant.role == Role::Serial)
    }

    /// The machine's ceilings.
    pub(super) fn ceilings(&self) -> impl Iterator<Item = (Entrant, Ratio)> {
        let measured = self.rows().filter(|(entrant, _)| entrant.role == Role::Ceiling);
        measured.map(|(entrant, costs)| {
            let copies = entrant.threads as f64;
            let alone = self.serial_under(entrant.ordering);
            (entrant, Ratio::new(alone, costs, |alone, copy| copies * alone.seconds / copy.seconds))
        })
    }

    /// The parallel searches.
    pub(super) fn parallel(&self) -> impl Iterator<Item = Ratios> {
        let searches = self.rows().enumerate();
        searches.filter_map(|(place, (entrant, costs))| {
            let (method, _) = entrant.parallel()?;
            let speedup = Ratio::new(self.baseline().1, costs, |one, many| one.seconds / many.seconds);
            let serial = self.serial_under(entrant.ordering);
            Some(Ratios {
                entrant,
                sum: Cost::sum(costs),
                ceiling_share: self.ceiling_for(&entrant).map(|ceiling| speedup.over(&ceiling)),
                search_overhead: Ratio::new(costs, serial, |many, one| many.nodes / one.nodes - 1.0),
                speedup,
                decomposition: self.decomposition(place, entrant, method),
                abort_latency: self.runs.efforts.abort_latency(place),
            })
        })
    }

    /// Takes the speedups of the contender at this place apart.
    fn decomposition(&self, place: usize, entrant: Entrant, method: Method) -> Decomposition {
        let efforts = self.runs.efforts.typical(place, self.positions);
        let (baseline, serial) = (self.baseline().1, self.serial_under(entrant.ordering));
        let factors = |baseline, serial, effort: &Effort| {
            let against = Against {
                baseline,
                serial,
                threads: entrant.threads,
                clocked: clocks_everything(method),
                splits: splits(method),
                explained: self.runs.explained,
            };
            Factors::new(&against, effort)
        };
        let each = baseline.iter().zip(serial).zip(&efforts);
        Decomposition {
            total: factors(Cost::sum(baseline), Cost::sum(serial), &Effort::sum(&efforts)),
            each: each.map(|((&baseline, &serial), effort)| factors(baseline, serial, effort)).collect(),
        }
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.entrants.iter().copied().zip(self.costs.iter().map(Vec::as_slice))
    }

    fn serial_under(&self, ordering: MoveOrdering) -> &[Cost] {
        let own = self.serial().find(|(entrant, _)| entrant.ordering == ordering);
        own.expect("every ordering is searched serially, too").1
    }

    /// The ceiling that a parallel search is measured against, where it is known.
    fn ceiling_for(&self, parallel: &Entrant) -> Option<Ratio> {
        let copies = parallel.threads.min(self.cores);
        if copies == 1 {
            return Some(Ratio { total: 1.0, each: vec![1.0; self.baseline().1.len()] });
        }
        let mut ceilings = self.ceilings();
        let own = ceilings.find(|(c, _)| (c.ordering, c.threads) == (parallel.ordering, copies));
        own.map(|(_, ratio)| ratio)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MoveOrdering::{Paper, Static};

    const SPLIT: Role = Role::Parallel(Method::ChanceSplit);

    fn entrant(role: Role, ordering: MoveOrdering, threads: usize) -> Entrant {
        Entrant { role, ordering, threads }
    }

    /// The costs of some contenders: for each, nodes and seconds at each position.
    fn costs(runs: &[&[(f64, f64)]]) -> Costs {
        let mut costs = Costs::new(runs.len(), runs[0].len());
        for (place, runs) in runs.iter().enumerate() {
            for (position, &(nodes, seconds)) in runs.iter().enumerate() {
                costs.add(place, position, Cost { nodes, seconds });
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
        let entrants = [(Role::Serial, Paper, 1), (Role::Serial, Static, 1), (SPLIT, Paper, 2)]
            .map(|(role, ordering, threads)| entrant(role, ordering, threads));
        // Paper's ordering is the faster one at the first position, static's in all.
        let costs = costs(&[
            &[(100.0, 1.0), (100.0, 9.0)],
            &[(50.0, 2.0), (50.0, 6.0)],
            &[(110.0, 1.0), (120.0, 5.0)],
        ]);
        let efforts = Efforts::new(3, 2);
        let analysis = Analysis::new(&entrants, 2, runs(&costs, &efforts), &[0, 1]);
        assert_eq!(analysis.baseline().0, entrants[1]);
        let ratios = analysis.parallel().next().unwrap();
        assert_eq!(ratios.speedup.each, [2.0, 1.2]);
        assert_eq!(ratios.speedup.total, 8.0 / 6.0);
        // The overhead is over the same ordering's nodes, not the baseline's.
        assert!((ratios.search_overhead.each[0] - 0.1).abs() < 1e-12, "{ratios:?}");
        assert!((ratios.search_overhead.total - 0.15).abs() < 1e-12, "{ratios:?}");
        assert!(ratios.ceiling_share.is_none(), "no ceiling was measured");
    }

    #[test]
    fn shares_are_of_the_ceiling_at_the_same_position() {
        let entrants = [
            entrant(Role::Serial, Paper, 1),
            entrant(Role::Ceiling, Paper, 2),
            entrant(SPLIT, Paper, 1),
            entrant(SPLIT, Paper, 2),
            entrant(SPLIT, Paper, 8),
        ];
        let costs = costs(&[
            &[(9.0, 8.0), (9.0, 8.0)],
            &[(9.0, 10.0), (9.0, 8.0)],
            &[(9.0, 8.0), (9.0, 16.0)],
            &[(9.0, 5.0), (9.0, 5.0)],
            &[(9.0, 10.0), (9.0, 10.0)],
        ]);
        let efforts = Efforts::new(5, 2);
        let analysis = Analysis::new(&entrants, 2, runs(&costs, &efforts), &[0, 1]);
        let ceilings: Vec<_> = analysis.ceilings().collect();
        assert_eq!(ceilings[0].0, entrants[1]);
        assert_eq!(ceilings[0].1.each, [1.6, 2.0]);
        let shares: Vec<_> = analysis.parallel().map(|r| r.ceiling_share.unwrap().each).collect();
        // One thread: against 1. Eight threads on two cores: against the ceiling of two.
        assert_eq!(shares, [[1.0, 0.5], [1.0, 0.8], [0.5, 0.4]]);
    }

    #[test]
    fn speedups_are_taken_apart_at_each_position_and_in_all() {
        let entrants = [entrant(Role::Serial, Paper, 1), entrant(SPLIT, Paper, 2)];
        let costs = costs(&[&[(100.0, 8.0), (300.0, 24.0)], &[(100.0, 5.0), (300.0, 15.0)]]);
        let mut efforts = Efforts::new(2, 2);
        for (position, wall, nodes) in [(0, 5.0, 110.0), (1, 15.0, 300.0)] {
            let busy = 1.6 * wall;
            let effort =
                Effort { wall, busy, waiting: 0.4 * wall, nodes, aborted_nodes: 5.0, ..Effort::default() };
            efforts.add_effort(1, position, effort);
        }
        let analysis = Analysis::new(&entrants, 2, runs(&costs, &efforts), &[0, 1]);
        let found = analysis.parallel().next().unwrap().decomposition;
        let of = |name| found.ratios().find(|(other, _)| *other == name).unwrap().1.unwrap();
        let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-12, "{one} {other}");
        close(of("idle").total, 0.2);
        close(of("search_overhead").each[0], 0.1);
        close(of("search_overhead").total, 0.025);
        close(of("aborted").total, 0.025);
        close(of("predicted").each[1], 1.6);
        close(of("residual").total, 0.0);
    }

    #[test]
    fn large_positions_have_a_figure_of_their_own() {
        let ratio = Ratio { total: 7.0, each: vec![1.0, 2.0, 4.0] };
        let figure = ratio.figure(&[false, true, true]);
        assert_eq!((figure.total, figure.all.unwrap().median, figure.large.unwrap().median), (7.0, 2.0, 3.0));
        assert_eq!(ratio.figure(&[false; 3]).large, None);
    }
}
