//! Costs that explain measured times best: least squares without negative costs.

/// How many kinds of event a time is made of.
pub(super) const KINDS: usize = 6;

/// The place of evaluations among them.
pub(super) const EVALUATION: usize = 1;

/// A measured time and how many events of each kind it is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observation {
    pub(super) counts: [f64; KINDS],
    pub(super) time: f64,
}

/// The costs found, and how well they explain the times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) costs: [f64; KINDS],
    /// The root of the mean square of (predicted / measured - 1).
    pub(super) residual: f64,
}

/// The costs, none of them negative, with the least sum of squares of (predicted / measured - 1); those that
/// are `known` stay what they are. `None` where there is nothing to explain.
///
/// With so few kinds every set of them that could be the ones above zero is tried, which needs no iteration
/// and misses nothing. O(2^k (k^3 + n k)) for k kinds and n observations.
pub(super) fn fit(observations: &[Observation], known: [Option<f64>; KINDS]) -> Option<Fit> {
    let rows: Vec<[f64; KINDS]> =
        observations.iter().filter(|o| o.time > 0.0).map(|o| o.counts.map(|count| count / o.time)).collect();
    let known_set = (0..KINDS).filter(|&kind| known[kind].is_some()).fold(0, |set, kind| set | 1 << kind);
    let known = known.map(Option::unwrap_or_default);
    let fits = (1_u32..1 << KINDS).filter(|set| set & known_set == 0).filter_map(|set| {
        let kinds: Vec<usize> = (0..KINDS).filter(|kind| set & 1 << kind != 0).collect();
        let solution = solve(&rows, &kinds, &known)?;
        let mut costs = known;
        kinds.iter().zip(&solution).for_each(|(&kind, &cost)| costs[kind] = cost);
        let is_sound = solution.iter().all(|&cost| cost >= 0.0);
        is_sound.then(|| Fit { costs, residual: residual(&rows, &costs) })
    });
    fits.min_by(|one, other| one.residual.total_cmp(&other.residual))
}

fn residual(rows: &[[f64; KINDS]], costs: &[f64; KINDS]) -> f64 {
    let error = |row: &[f64; KINDS]| row.iter().zip(costs).map(|(x, cost)| x * cost).sum::<f64>() - 1.0;
    (rows.iter().map(|row| error(row).powi(2)).sum::<f64>() / rows.len() as f64).sqrt()
}

/// The costs of these kinds, beside those that are `known`, for which every row times the costs is as near 1
/// as can be: the normal equations, by Gaussian elimination with pivots. `None` where the rows do not tell
/// the kinds apart.
fn solve(rows: &[[f64; KINDS]], kinds: &[usize], known: &[f64; KINDS]) -> Option<Vec<f64>> {
    let n = kinds.len();
    let left = |row: &[f64; KINDS]| 1.0 - row.iter().zip(known).map(|(x, cost)| x * cost).sum::<f64>();
    let dot = |a: usize, b: usize| rows.iter().map(|row| row[kinds[a]] * row[kinds[b]]).sum::<f64>();
    let mut system: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let target = rows.iter().map(|row| row[kinds[i]] * left(row)).sum();
            (0..n).map(|j| dot(i, j)).chain(std::iter::once(target)).collect()
        })
        .collect();
    let scale: Vec<f64> = (0..n).map(|i| system[i][i]).collect();
    for column in 0..n {
        let pivot =
            (column..n).max_by(|&a, &b| system[a][column].abs().total_cmp(&system[b][column].abs()))?;
        system.swap(column, pivot);
        // Rows that are all but multiples of each other leave nothing but rounding here.
        if system[column][column].abs() <= 1e-12 * scale[column] {
            return None;
        }
        let head = system[column].clone();
        for (row, line) in system.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let factor = line[column] / head[column];
            debug_assert!(row < n);
            line.iter_mut().zip(&head).for_each(|(x, y)| *x -= factor * y);
        }
    }
    Some((0..n).map(|i| system[i][n] / system[i][i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNKNOWN: [Option<f64>; KINDS] = [None; KINDS];

    /// Times made of known costs, each off by up to `noise`.
    fn observations(costs: [f64; KINDS], noise: f64) -> Vec<Observation> {
        let draw = |seed: u64| (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f64 / f64::from(1 << 24);
        (0..40)
            .map(|case: u64| {
                let counts = std::array::from_fn(|kind| 1e6 * draw(7 * case + kind as u64 + 1));
                let sum: f64 = counts.iter().zip(costs).map(|(n, cost)| n * cost).sum();
                Observation { counts, time: sum * (1.0 + noise * (draw(1000 + case) - 0.5)) }
            })
            .collect()
    }

    #[test]
    fn costs_are_found_again() {
        let costs = [20.0, 35.0, 12.0, 1.5, 800.0, 30.0];
        let found = fit(&observations(costs, 0.0), UNKNOWN).unwrap();
        for (found, cost) in found.costs.iter().zip(costs) {
            assert!((found / cost - 1.0).abs() < 1e-6, "{found} for {cost}");
        }
        assert!(found.residual < 1e-9);
        let noisy = fit(&observations(costs, 0.04), UNKNOWN).unwrap();
        assert!((noisy.costs[4] / costs[4] - 1.0).abs() < 0.05, "{noisy:?}");
        assert!((0.005..0.03).contains(&noisy.residual), "{noisy:?}");
    }

    #[test]
    fn what_is_known_stays() {
        let costs = [20.0, 35.0, 12.0, 1.5, 800.0, 30.0];
        let known = |cost| std::array::from_fn(|kind| (kind == 1).then_some(cost));
        let right = fit(&observations(costs, 0.0), known(35.0)).unwrap();
        assert!((right.costs[0] - 20.0).abs() < 1e-6 && right.residual < 1e-9, "{right:?}");
        let wrong = fit(&observations(costs, 0.0), known(10.0)).unwrap();
        assert!(wrong.costs[1] == 10.0 && wrong.residual > 0.001, "{wrong:?}");
    }

    #[test]
    fn no_cost_is_negative() {
        // A kind that seems to give time back gets nothing.
        let found = fit(&observations([20.0, 30.0, 10.0, -1.0, 500.0, 40.0], 0.0), UNKNOWN).unwrap();
        assert_eq!(found.costs[3], 0.0);
        assert!(found.costs.iter().all(|&cost| cost >= 0.0) && found.residual > 0.0, "{found:?}");
    }

    #[test]
    fn kinds_that_never_occur_cost_nothing() {
        let mut observations = observations([20.0, 30.0, 10.0, 1.0, 500.0, 40.0], 0.0);
        for observation in &mut observations {
            observation.time -= 500.0 * observation.counts[4];
            observation.counts[4] = 0.0;
        }
        let found = fit(&observations, UNKNOWN).unwrap();
        assert_eq!(found.costs[4], 0.0);
        assert!((found.costs[0] - 20.0).abs() < 1e-6, "{found:?}");
        assert!(fit(&[], UNKNOWN).is_none_or(|fit| fit.residual.is_nan()));
    }
}
