//! How large the sums at the hidden units can become on unfinished boards.

use super::weights::{HIDDEN, RUN_INPUTS, Weights};
use crate::dice::Rules;

/// The greatest and least sum of integer or float weights over all unfinished positions.
///
/// A cell holds one checker at most, so it adds the own or the opponent's weight or nothing; a run count adds
/// up to its greatest value. Not every combination exists, so the true extremes may lie further in.
pub(super) struct Reach {
    run_limits: [f64; RUN_INPUTS],
}

impl Reach {
    pub(super) fn new(size: u8, run: u8) -> Self {
        let [short, long] = [2, 1].map(|missing| greatest_count(size, run, missing));
        Reach { run_limits: [short, long, short, long] }
    }

    /// The least and the greatest sum at hidden unit `unit`. The arithmetic is exact for integers up to 2^40.
    pub(super) fn interval(&self, columns: &[[f64; HIDDEN]], bias: f64, unit: usize) -> (f64, f64) {
        let (checkers, runs) = columns.split_at(columns.len() - RUN_INPUTS);
        let (own, opponent) = checkers.split_at(checkers.len() / 2);
        let (mut low, mut high) = (bias, bias);
        for (own, opponent) in own.iter().zip(opponent) {
            low += own[unit].min(opponent[unit]).min(0.0);
            high += own[unit].max(opponent[unit]).max(0.0);
        }
        for (weights, limit) in runs.iter().zip(self.run_limits) {
            low += (weights[unit] * limit).min(0.0);
            high += (weights[unit] * limit).max(0.0);
        }
        (low, high)
    }
}

/// The greatest absolute sum at a hidden unit that [`confine`] leaves.
const CONFINED: f64 = 100.0;

/// The greatest absolute output weight and bias that [`confine`] leaves.
const CONFINED_OUTPUT: f32 = 16.0;

/// Makes the weights small enough for integers: scales down whatever [`Network::new`](super::Network::new)
/// would refuse as too large.
pub(super) fn confine(rules: &Rules, weights: &mut Weights) {
    let reach = Reach::new(rules.size(), rules.run());
    let columns: Vec<_> = weights.columns.iter().map(|column| column.map(f64::from)).collect();
    for unit in 0..HIDDEN {
        let (low, high) = reach.interval(&columns, f64::from(weights.hidden_bias[unit]), unit);
        let furthest = high.max(-low);
        if furthest > CONFINED {
            let factor = (CONFINED / furthest) as f32;
            weights.columns.iter_mut().for_each(|column| column[unit] *= factor);
            weights.hidden_bias[unit] *= factor;
        }
    }
    for weight in weights.output.as_flattened_mut().iter_mut().chain(&mut weights.output_bias) {
        *weight = weight.clamp(-CONFINED_OUTPUT, CONFINED_OUTPUT);
    }
}

/// How many runs of length `run - missing` a player can have at most without a winning run, counted as
/// [`Position::runs`](super::super::Position::runs) counts.
fn greatest_count(size: u8, run: u8, missing: u8) -> f64 {
    let cells = u32::from(size) * u32::from(size);
    let count = match run - missing {
        0 => 0,
        // Single checkers are counted once, not once for each direction.
        1 => cells,
        length => {
            let in_line = |cells| greatest_in_line(cells, run, length);
            let diagonals = 2 * (1..size).map(in_line).sum::<u32>() + in_line(size);
            2 * u32::from(size) * in_line(size) + 2 * diagonals
        }
    };
    f64::from(count)
}

/// The same for one line of `cells` cells: the best split into blocks shorter than `run` with a gap after
/// each.
fn greatest_in_line(cells: u8, run: u8, length: u8) -> u32 {
    let mut best = vec![0; usize::from(cells) + 2];
    for n in 1..=usize::from(cells) + 1 {
        // The last block and its gap take `block + 1` of the n cells; the gap of the last block may lie off
        // the board.
        let blocks = 0..usize::from(run).min(n);
        best[n] = blocks.map(|block| best[n - block - 1] + runs_in(block, length)).max().unwrap_or(0);
    }
    best[usize::from(cells) + 1]
}

fn runs_in(block: usize, length: u8) -> u32 {
    (block + 1).saturating_sub(usize::from(length)) as u32
}

#[cfg(test)]
mod tests {
    use super::{greatest_count, greatest_in_line};

    #[test]
    fn greatest_counts_are_those_of_all_boards() {
        // Every way to fill one line, tried out.
        for cells in 1..=8u8 {
            for run in 3..=8u8 {
                for length in 2..run {
                    let runs = |stones: u32, length| {
                        let starts = (0..length).fold(u32::MAX, |starts, shift| starts & (stones >> shift));
                        (starts & ((1 << cells) - 1)).count_ones()
                    };
                    let tried = (0..1u32 << cells).filter(|&stones| runs(stones, run) == 0);
                    let expected = tried.map(|stones| runs(stones, length)).max();
                    assert_eq!(
                        Some(greatest_in_line(cells, run, length)),
                        expected,
                        "{cells} {run} {length}"
                    );
                }
            }
        }
        assert_eq!(greatest_count(5, 4, 2), 44.0);
        assert_eq!(greatest_count(5, 4, 1), 20.0);
        assert_eq!(
            (greatest_count(3, 3, 1), greatest_count(2, 2, 2), greatest_count(2, 2, 1)),
            (12.0, 0.0, 4.0)
        );
    }
}
