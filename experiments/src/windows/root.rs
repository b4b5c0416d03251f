//! Windows of the root: iteration after iteration, each of them searched in one window after another until
//! the bounds proven meet.

use crate::windows::prover::{Counts, Proof, Prover};
use crate::windows::way::RootWay;
use starsplit::score::{Bounds, Grid, Score, Window};

/// After so many searches of an iteration what is left of the bounds is searched in one window.
const MOST_PASSES: u64 = 200;

/// What the iterations of a search found and took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The value of every iteration.
    pub(super) scores: Vec<Score>,
    pub(super) counts: Counts,
    /// How many searches of the root there were.
    pub(super) passes: u64,
}

/// Searches iterations to these depths; `None` where the search was stopped, an error in words where it
/// proves what cannot be.
///
/// # Errors
/// Whatever ends the search with an error.
pub(super) fn iterate(
    prover: &mut dyn Prover,
    way: RootWay,
    depths: &[u32],
    grid: &Grid,
) -> anyhow::Result<Option<Result<Found, String>>> {
    let mut found = Found::default();
    for &depth in depths {
        let guess = found.scores.last().copied();
        let mut iteration = Iteration::new(way, guess, grid);
        while !iteration.bounds.is_exact() {
            let window = iteration.window();
            let Proof { bounds, counts, is_stopped } = prover.prove(depth, window)?;
            found.counts = found.counts.plus(counts);
            if is_stopped {
                return Ok(None);
            }
            if let Err(fault) = iteration.learn(window, bounds) {
                return Ok(Some(Err(format!("depth {depth}: {fault}"))));
            }
        }
        found.passes += iteration.passes;
        found.scores.push(iteration.bounds.lower);
    }
    if found.counts.contradictions > 0 {
        return Ok(Some(Err(format!("{} proofs contradict others", found.counts.contradictions))));
    }
    Ok(Some(Ok(found)))
}

/// An iteration whose bounds do not meet yet.
struct Iteration {
    way: RootWay,
    guess: Option<Score>,
    grid: Grid,
    bounds: Bounds,
    passes: u64,
    /// Whether the last window has shown that the value is beta or more.
    has_risen: bool,
    /// How far beyond the last bound the next null window lies.
    step: Score,
}

impl Iteration {
    fn new(way: RootWay, guess: Option<Score>, grid: &Grid) -> Self {
        let step = match way {
            RootWay::Mtdf(step) | RootWay::Gallop(step) => step,
            RootWay::Full | RootWay::Aspiration(_) | RootWay::Bisection => 1,
        };
        let bounds = Bounds::unknown(grid.limit());
        Iteration { way, guess, grid: *grid, bounds, passes: 0, has_risen: false, step }
    }

    /// The next window, never empty.
    fn window(&self) -> Window {
        let Bounds { lower, upper } = self.bounds;
        let all = Window::new(lower, upper);
        // A null window asks whether the value is beta or more.
        let null = |beta: Score| {
            let beta = beta.clamp(lower + 1, upper);
            Window::new(beta - 1, beta)
        };
        match (self.way, self.guess) {
            (RootWay::Full, _) | (_, None) => all,
            (RootWay::Aspiration(width), Some(guess)) if self.passes == 0 => {
                let width = self.grid.steps(width).max(1);
                Window::new((guess - width).clamp(lower, upper - 1), (guess + width).clamp(lower + 1, upper))
            }
            (RootWay::Aspiration(_), _) => all,
            (_, Some(guess)) if self.passes == 0 => null(guess),
            _ if self.passes >= MOST_PASSES => all,
            (RootWay::Bisection, _) => null(middle(self.bounds)),
            (RootWay::Gallop(_), _) if self.step > (upper - lower) / 2 => null(middle(self.bounds)),
            _ if self.has_risen => null(lower + self.step),
            _ => null(upper - (self.step - 1)),
        }
    }

    /// Takes in what a search in this window has proven.
    fn learn(&mut self, window: Window, found: Bounds) -> Result<(), String> {
        if !window.is_settled_by(found) {
            return Err(format!("{found:?} does not settle {window:?}"));
        }
        let Some(met) = self.bounds.meet(found) else {
            return Err(format!("{found:?} contradicts {:?}", self.bounds));
        };
        if self.passes > 0 && matches!(self.way, RootWay::Gallop(_)) {
            self.step = self.step.saturating_mul(2).min(2 * self.grid.limit());
        }
        (self.bounds, self.has_risen) = (met, found.lower >= window.beta);
        self.passes += 1;
        Ok(())
    }
}

/// The middle of bounds that do not meet, rounded up.
fn middle(bounds: Bounds) -> Score {
    bounds.lower + (bounds.upper - bounds.lower + 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root that is worth so much at each depth, of which searches tell no more than they have to.
    struct Told(Vec<Score>, Vec<Window>);

    impl Prover for Told {
        fn prove(&mut self, depth: u32, window: Window) -> anyhow::Result<Proof> {
            let value = self.0[depth as usize];
            self.1.push(window);
            let bounds = if value >= window.beta {
                Bounds::new(window.beta, 1000)
            } else if value <= window.alpha {
                Bounds::new(-1000, window.alpha)
            } else {
                Bounds::exactly(value)
            };
            Ok(Proof { bounds, counts: Counts { nodes: 1, ..Counts::default() }, is_stopped: false })
        }
    }

    fn found(way: RootWay, scores: &[Score]) -> (Found, Vec<Window>) {
        let grid = Grid::with_limit(-1.0, 1.0, 1000).unwrap();
        let depths: Vec<u32> = (0..scores.len() as u32).collect();
        let mut told = Told(scores.to_vec(), Vec::new());
        let found = iterate(&mut told, way, &depths, &grid).unwrap().unwrap().unwrap();
        (found, told.1)
    }

    #[test]
    fn every_way_ends_at_the_value() {
        let ways = [
            RootWay::Full,
            RootWay::Aspiration(0.05),
            RootWay::Mtdf(1),
            RootWay::Mtdf(7),
            RootWay::Gallop(3),
            RootWay::Bisection,
        ];
        for way in ways {
            for scores in [[0, 0, 1], [-1000, 1000, -1000], [999, 3, 40], [-7, -90, -1000], [500, 1000, 999]]
            {
                let (found, windows) = found(way, &scores);
                assert_eq!(found.scores, scores, "{way:?}");
                assert_eq!((found.passes, found.counts.nodes), (windows.len() as u64, found.passes));
                assert!(windows.iter().all(|window| window.alpha < window.beta), "{way:?} {windows:?}");
                assert!(windows.iter().all(|window| window.alpha >= -1000 && window.beta <= 1000));
            }
        }
    }

    #[test]
    fn each_way_asks_as_it_says() {
        let of = |way, scores: &[Score]| found(way, scores).1[1..].to_vec();
        let window = Window::new;
        assert_eq!(of(RootWay::Aspiration(0.05), &[10, 20]), [window(-40, 60)]);
        assert_eq!(of(RootWay::Aspiration(0.05), &[10, 90]), [window(-40, 60), window(60, 1000)]);
        assert_eq!(of(RootWay::Mtdf(1), &[10, 12])[..3], [window(9, 10), window(10, 11), window(11, 12)]);
        let down = of(RootWay::Gallop(4), &[10, -8]);
        assert_eq!(down[..3], [window(9, 10), window(5, 6), window(-3, -2)]);
        assert_eq!(
            of(RootWay::Bisection, &[0, 600])[..3],
            [window(-1, 0), window(499, 500), window(749, 750)]
        );
    }

    #[test]
    fn a_grid_that_is_too_fine_for_the_steps_ends_all_the_same() {
        let (found, windows) = found(RootWay::Mtdf(1), &[-900, 900]);
        assert_eq!((found.scores, found.passes), (vec![-900, 900], 1 + MOST_PASSES + 1));
        assert_eq!(windows.last().unwrap().beta, 1000);
    }

    #[test]
    fn what_settles_nothing_is_a_fault() {
        struct Silent;
        impl Prover for Silent {
            fn prove(&mut self, _: u32, _: Window) -> anyhow::Result<Proof> {
                Ok(Proof { bounds: Bounds::unknown(1000), counts: Counts::default(), is_stopped: false })
            }
        }
        let grid = Grid::with_limit(-1.0, 1.0, 1000).unwrap();
        let fault = iterate(&mut Silent, RootWay::Full, &[1], &grid).unwrap().unwrap().unwrap_err();
        assert!(fault.contains("depth 1") && fault.contains("does not settle"), "{fault}");
    }
}
