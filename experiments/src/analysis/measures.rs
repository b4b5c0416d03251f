//! What one run is beside another: the measures that every report gives.

use crate::analysis::costs::Cost;

/// How many times as fast the parallel search was.
pub fn speedup(serial: &Cost, parallel: &Cost) -> f64 {
    serial.seconds / parallel.seconds
}

/// How many times as many nodes a second the other visited as the one.
pub fn rate_ratio(one: &Cost, other: &Cost) -> f64 {
    (other.nodes / other.seconds) / (one.nodes / one.seconds)
}

/// The share of the processors' time that the speedup amounts to: 1 where none of it was lost.
pub fn efficiency(speedup: f64, processors: usize) -> f64 {
    speedup / processors as f64
}

/// The nodes that only the parallel search visited, as a share of the serial search's; below 0 where it was
/// lucky.
pub fn search_overhead(serial: &Cost, parallel: &Cost) -> f64 {
    parallel.nodes / serial.nodes - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cost() -> impl Strategy<Value = Cost> {
        (1.0..1e9_f64, 1e-6..1e4_f64).prop_map(|(nodes, seconds)| Cost { nodes, seconds })
    }

    fn is_close(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0)
    }

    /// Of the same nodes the ratio of rates is that of times; what is left of it in general.
    fn measures_of_rates(one: &Cost, other: &Cost) -> f64 {
        rate_ratio(one, other) / speedup(one, other) / (1.0 + search_overhead(one, other))
    }

    proptest! {
        #[test]
        fn nothing_is_faster_than_itself_or_visits_more(run in cost()) {
            prop_assert_eq!((speedup(&run, &run), search_overhead(&run, &run)), (1.0, 0.0));
        }

        #[test]
        fn one_over_the_other_is_the_inverse_of_the_other_over_the_one(one in cost(), other in cost()) {
            prop_assert!(is_close(speedup(&one, &other) * speedup(&other, &one), 1.0));
            let more = (1.0 + search_overhead(&one, &other)) * (1.0 + search_overhead(&other, &one));
            prop_assert!(is_close(more, 1.0));
        }

        #[test]
        fn the_unit_of_time_and_the_size_of_a_node_do_not_matter(
            one in cost(), other in cost(), time in 1e-3..1e3_f64, size in 1e-3..1e3_f64,
        ) {
            let faster = measures_of_rates(&one, &other);
            prop_assert!(is_close(faster, 1.0));
            let scaled = |run: &Cost| Cost { nodes: size * run.nodes, seconds: time * run.seconds };
            let [faster, more] = [speedup, search_overhead].map(|measure| {
                (measure(&one, &other), measure(&scaled(&one), &scaled(&other)))
            });
            prop_assert!(is_close(faster.0, faster.1) && is_close(1.0 + more.0, 1.0 + more.1));
        }

        #[test]
        fn work_shared_without_loss_has_an_efficiency_of_one(run in cost(), processors in 1..=1024_usize) {
            let shared = Cost { seconds: run.seconds / processors as f64, ..run };
            prop_assert!(is_close(efficiency(speedup(&run, &shared), processors), 1.0));
        }
    }
}
