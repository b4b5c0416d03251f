//! What parallel searches spent, kept by contender and position until a report takes their speedups apart.

use crate::crew::Quantiles;
use crate::measure::Measured;
use starsplit::search::WorkerStats;
use std::ops::{Add, Mul};

/// What a parallel search spent, summed over its workers; or the sum of several, or their mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Wall time; this and all times in seconds.
    pub wall: f64,
    /// Searching.
    pub busy: f64,
    /// Without work, between two looks for some.
    pub waiting: f64,
    /// Looking into the others' queues.
    pub stealing: f64,
    /// Asleep.
    pub parked: f64,
    /// Nodes.
    pub nodes: f64,
    /// Nodes of searches that were cut short.
    pub aborted_nodes: f64,
    /// Nodes below a node that another worker was found in, where these were counted.
    pub duplicate_nodes: f64,
}

impl Effort {
    /// That of a search by these workers, taken together.
    pub fn of(measured: &Measured, together: &WorkerStats) -> Self {
        let seconds = |ns: u64| ns as f64 / 1e9;
        let (times, split) = (together.times, together.stats.split);
        Effort {
            wall: measured.seconds(),
            busy: seconds(times.busy),
            waiting: seconds(times.idle),
            stealing: seconds(times.stealing),
            parked: seconds(times.parked),
            nodes: measured.nodes as f64,
            aborted_nodes: split.aborted_nodes as f64,
            duplicate_nodes: split.duplicate_nodes as f64,
        }
    }

    /// What all workers clocked.
    pub fn clocked(&self) -> f64 {
        self.busy + self.waiting + self.stealing + self.parked
    }

    /// The run in the middle by wall time, or the mean of the two in the middle, so that the parts are of the same run
    /// and add up; nothing for no runs.
    pub fn typical(runs: &[Effort]) -> Self {
        let mut sorted = runs.to_vec();
        sorted.sort_by(|one, other| one.wall.total_cmp(&other.wall));
        let upper = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
        let lower = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or_default();
        (lower + upper) * 0.5
    }

    /// The sum.
    pub fn sum(efforts: &[Effort]) -> Self {
        efforts.iter().fold(Effort::default(), |sum, &effort| sum + effort)
    }

    /// Each part made of the same part of both.
    fn with(self, other: Effort, join: fn(f64, f64) -> f64) -> Self {
        Effort {
            wall: join(self.wall, other.wall),
            busy: join(self.busy, other.busy),
            waiting: join(self.waiting, other.waiting),
            stealing: join(self.stealing, other.stealing),
            parked: join(self.parked, other.parked),
            nodes: join(self.nodes, other.nodes),
            aborted_nodes: join(self.aborted_nodes, other.aborted_nodes),
            duplicate_nodes: join(self.duplicate_nodes, other.duplicate_nodes),
        }
    }
}

impl Add for Effort {
    type Output = Effort;

    fn add(self, other: Effort) -> Effort {
        self.with(other, Add::add)
    }
}

impl Mul<f64> for Effort {
    type Output = Effort;

    fn mul(self, factor: f64) -> Effort {
        let Effort { wall, busy, waiting, stealing, parked, nodes, aborted_nodes, duplicate_nodes } = self;
        Effort {
            wall: wall * factor,
            busy: busy * factor,
            waiting: waiting * factor,
            stealing: stealing * factor,
            parked: parked * factor,
            nodes: nodes * factor,
            aborted_nodes: aborted_nodes * factor,
            duplicate_nodes: duplicate_nodes * factor,
        }
    }
}

/// The efforts of all parallel runs, by contender, position and repeat.
#[derive(Clone, Debug)]
pub struct Efforts {
    runs: Vec<Vec<Vec<Effort>>>,
    /// What each contender's workers did in all runs.
    together: Vec<WorkerStats>,
}

impl Efforts {
    /// No runs yet of so many contenders at so many positions.
    pub fn new(contenders: usize, positions: usize) -> Self {
        Efforts {
            runs: vec![vec![Vec::new(); positions]; contenders],
            together: vec![WorkerStats::default(); contenders],
        }
    }

    /// Adds a run, if it was parallel.
    pub fn add(&mut self, contender: usize, position: usize, measured: &Measured) {
        if let Some(crew) = &measured.workers {
            self.add_effort(contender, position, Effort::of(measured, &crew.together));
            self.together[contender].add(&crew.together);
        }
    }

    /// Adds a run of this effort.
    pub fn add_effort(&mut self, contender: usize, position: usize, effort: Effort) {
        self.runs[contender][position].push(effort);
    }

    /// The contender's typical run at each of `positions`.
    pub fn typical(&self, contender: usize, positions: &[usize]) -> Vec<Effort> {
        positions.iter().map(|&position| Effort::typical(&self.runs[contender][position])).collect()
    }

    /// How long the contender's workers took to leave what had become useless, over all of its runs; in nanoseconds.
    pub fn abort_latency(&self, contender: usize) -> Quantiles {
        Quantiles::of(&self.together[contender].abort_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effort(wall: f64, busy: f64) -> Effort {
        Effort { wall, busy, ..Effort::default() }
    }

    #[test]
    fn the_typical_run_is_the_one_in_the_middle_as_a_whole() {
        let runs = [effort(3.0, 1.0), effort(900.0, 2.0), effort(1.0, 50.0)];
        assert_eq!(Effort::typical(&runs), runs[0]);
        assert_eq!(Effort::typical(&runs[..2]), effort(451.5, 1.5));
        assert_eq!(Effort::typical(&[]), Effort::default());
    }

    #[test]
    fn all_that_is_clocked_is_added_up() {
        let whole =
            Effort { busy: 1.0, waiting: 2.0, stealing: 4.0, parked: 8.0, wall: 100.0, ..Effort::default() };
        assert_eq!(whole.clocked(), 15.0);
        assert_eq!(Effort::sum(&[whole, whole]).clocked(), 30.0);
    }

    #[test]
    fn efforts_are_kept_apart() {
        let mut efforts = Efforts::new(2, 2);
        efforts.add_effort(1, 0, effort(4.0, 1.0));
        efforts.add_effort(1, 1, effort(7.0, 2.0));
        assert_eq!(efforts.typical(1, &[1]), [effort(7.0, 2.0)]);
        assert_eq!(efforts.typical(0, &[0]), [Effort::default()]);
        assert_eq!(efforts.abort_latency(1), Quantiles::default());
    }
}
