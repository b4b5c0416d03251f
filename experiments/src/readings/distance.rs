//! How far a reading is from all that the paper prints of its experiment.

use crate::paper_tables::published::{
    self, MEAN, NODES, Published, RATIOS, SECONDS, STATISTICS, rounded_from,
};
use serde::Serialize;
use starsplit_statistics::summary::Summary;

/// How far figures are from the paper's: root mean squares of natural logarithms of ours over the paper's, 0
/// where ours would be rounded to what it prints. Defined before the first search to depth 13.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distance<T = f64> {
    /// Of all 35 figures: `nodes`, `time` and `levels` together.
    pub all: T,
    /// Of Table I: in each of its five rows Star1 over Expectimax, Star2 over Star1, Star2-TT over Star2.
    pub nodes: T,
    /// Of Table II, the same. Ours is evaluations, which took almost all of the paper's time.
    pub time: T,
    /// Of Expectimax's column of Table I, which tells of the positions and the rules.
    pub levels: T,
    /// The largest absolute value of a logarithm among the four ratios of the means, as printed.
    pub headline: T,
}

impl<T: Copy> Distance<T> {
    /// The parts, in their order.
    pub(crate) fn parts(&self) -> [T; 5] {
        [self.all, self.nodes, self.time, self.levels, self.headline]
    }
}

/// One over another, of which the other four ratios follow.
const STEPS: [(usize, usize); 3] = [(1, 0), (2, 1), (3, 2)];

/// The distance of these nodes and evaluations, by algorithm and position. None without positions.
pub(super) fn distance<P: AsRef<[u64]>>(nodes: [P; 4], evaluations: [P; 4]) -> Option<Distance> {
    let (nodes, time) = (rows(nodes)?, rows(evaluations)?);
    let levels = nodes.iter().zip(NODES).map(|(row, printed)| {
        let (least, greatest) = rounded_from(printed[0]);
        beyond(row[0] / 1e6, least, greatest)
    });
    let headline = RATIOS.map(|(one, other)| {
        let printed = published::ratio(&NODES[MEAN], (one, other));
        (nodes[MEAN][one] / nodes[MEAN][other] / printed).ln().abs()
    });
    let headline = headline.into_iter().fold(0.0, f64::max);
    let parts = [levels.collect(), steps(&nodes, &NODES), steps(&time, &SECONDS)];
    let all = root_mean_square(&parts.concat());
    let [levels, nodes, time] = parts.map(|part| root_mean_square(&part));
    Some(Distance { all, nodes, time, levels, headline })
}

/// The statistics of what each algorithm took. None without positions.
pub(super) fn rows<P: AsRef<[u64]>>(parts: [P; 4]) -> Option<[[f64; 4]; 5]> {
    let figures = |part: P| part.as_ref().iter().map(|&one| one as f64).collect::<Vec<_>>();
    let [one, two, three, four] = parts.map(|part| Summary::of(&figures(part)));
    let summaries = [one?, two?, three?, four?];
    Some(STATISTICS.map(|(_, statistic)| summaries.map(|summary| statistic(&summary))))
}

/// The logarithms of the ratios of all rows.
fn steps(ours: &[[f64; 4]; 5], printed: &Published) -> Vec<f64> {
    let row = |(ours, printed): (&[f64; 4], &[&str; 4])| {
        STEPS.map(|(one, other)| {
            let (one_range, other_range) = (rounded_from(printed[one]), rounded_from(printed[other]));
            beyond(ours[one] / ours[other], one_range.0 / other_range.1, one_range.1 / other_range.0)
        })
    };
    ours.iter().zip(printed).flat_map(row).collect()
}

/// The logarithm of a figure over the nearer end of what it should be within; 0 there.
fn beyond(figure: f64, least: f64, greatest: f64) -> f64 {
    (figure / figure.clamp(least, greatest)).ln()
}

fn root_mean_square(logarithms: &[f64]) -> f64 {
    (logarithms.iter().map(|one| one * one).sum::<f64>() / logarithms.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_rounded_to_the_paper_s_figure_is_at_no_distance() {
        assert_eq!(beyond(210.6, 210.5, 211.5), 0.0);
        assert!((beyond(423.0, 210.5, 211.5) - 2f64.ln()).abs() < 1e-12);
        assert!((beyond(105.25, 210.5, 211.5) + 2f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn distances_are_of_the_ratios_and_of_the_levels() {
        // One position: all statistics but the deviation, which is 0, are its own figures.
        let found =
            distance([[40_000_000, 80_000_000], [16_000_000, 32_000_000], [8, 16], [4, 8]], [[1, 2]; 4]);
        let found = found.unwrap();
        let worst = (16.0 / 40.0f64 / (14.76 / 37.78)).ln().abs();
        assert!(found.headline > worst && found.headline > 10.0, "{found:?}");
        let of_time: f64 = steps(&[[1.0; 4]; 5], &SECONDS).iter().map(|one| one * one).sum();
        assert!((found.time - (of_time / 15.0).sqrt()).abs() < 1e-12, "{found:?}");
        let parts = 15.0 * (found.nodes.powi(2) + found.time.powi(2)) + 5.0 * found.levels.powi(2);
        assert!((found.all - (parts / 35.0).sqrt()).abs() < 1e-12, "{found:?}");
        assert_eq!(distance([[0; 0]; 4], [[0; 0]; 4]), None);
    }
}
