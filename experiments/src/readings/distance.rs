//! How far a reading is from all that the paper prints of its experiment.

use crate::analysis::statistics::Summary;
use crate::paper_tables::published::{
    self, MEAN, NODES, Published, RATIOS, SECONDS, STATISTICS, rounded_from,
};
use serde::Serialize;

/// How far figures are from the paper's: root mean squares of natural logarithms of ours over the paper's, 0
/// where ours would be rounded to what it prints. Defined before the first search to depth 13.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distance {
    /// Of all 35 figures: `nodes`, `time` and `levels` together.
    pub all: f64,
    /// Of Table I: in each of its five rows Star1 over Expectimax, Star2 over Star1, Star2-TT over Star2.
    pub nodes: f64,
    /// Of Table II, the same. Ours is evaluations, which took almost all of the paper's time.
    pub time: f64,
    /// Of Expectimax's column of Table I, which tells of the positions and the rules.
    pub levels: f64,
    /// The largest absolute value of a logarithm among the four ratios of the means, as printed.
    pub headline: f64,
}

/// A table as the paper has it: statistics down, algorithms across.
type Rows = [[f64; 4]; 5];

/// One over another, of which the other four ratios follow.
const STEPS: [(usize, usize); 3] = [(1, 0), (2, 1), (3, 2)];

/// The distance of these nodes and evaluations, by algorithm and position. None without positions.
pub(super) fn distance(nodes: [&[u64]; 4], evaluations: [&[u64]; 4]) -> Option<Distance> {
    let (nodes, time) = (rows(nodes)?, rows(evaluations)?);
    let levels = nodes.iter().zip(NODES).map(|(row, printed)| {
        let (least, greatest) = rounded_from(printed[0]);
        beyond(row[0] / 1e6, least, greatest)
    });
    let (levels, of_nodes, of_time) =
        (levels.collect::<Vec<_>>(), steps(&nodes, &NODES), steps(&time, &SECONDS));
    let all = [levels.as_slice(), &of_nodes, &of_time].concat();
    let headline = RATIOS.map(|(one, other)| {
        let printed = published::ratio(&NODES[MEAN], (one, other));
        (nodes[MEAN][one] / nodes[MEAN][other] / printed).ln().abs()
    });
    Some(Distance {
        all: root_mean_square(&all),
        nodes: root_mean_square(&of_nodes),
        time: root_mean_square(&of_time),
        levels: root_mean_square(&levels),
        headline: headline.into_iter().fold(0.0, f64::max),
    })
}

/// The statistics of what each algorithm took. None without positions.
pub(super) fn rows(parts: [&[u64]; 4]) -> Option<Rows> {
    let mut rows = Rows::default();
    for (algorithm, part) in parts.into_iter().enumerate() {
        let summary = Summary::of(&part.iter().map(|&one| one as f64).collect::<Vec<_>>())?;
        for (row, (_, statistic)) in rows.iter_mut().zip(STATISTICS) {
            row[algorithm] = statistic(&summary);
        }
    }
    Some(rows)
}

/// The logarithms of the ratios of all rows.
fn steps(ours: &Rows, printed: &Published) -> Vec<f64> {
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
            distance([&[40_000_000, 80_000_000], &[16_000_000, 32_000_000], &[8, 16], &[4, 8]], [&[1, 2]; 4]);
        let found = found.unwrap();
        let worst = (16.0 / 40.0f64 / (14.76 / 37.78)).ln().abs();
        assert!(found.headline > worst && found.headline > 10.0, "{found:?}");
        let of_time: f64 = steps(&[[1.0; 4]; 5], &SECONDS).iter().map(|one| one * one).sum();
        assert!((found.time - (of_time / 15.0).sqrt()).abs() < 1e-12, "{found:?}");
        let parts = 15.0 * (found.nodes.powi(2) + found.time.powi(2)) + 5.0 * found.levels.powi(2);
        assert!((found.all - (parts / 35.0).sqrt()).abs() < 1e-12, "{found:?}");
        assert_eq!(distance([&[]; 4], [&[]; 4]), None);
    }
}
