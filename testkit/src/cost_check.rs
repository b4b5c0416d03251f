//! What successors and evaluations take, and whether it is what is declared.

use super::costs::{BATCH, Costs, Prices, StepCost, WrongCosts, evaluation_cost, whole};
use super::plays::{Check, Found, Plays, Random, steps, walk};
use super::report::Report;
use super::violation::Violation;
use starsplit::evaluator::{Before, EvaluationCost, Evaluator};
use starsplit::game::{Game, NodeKind, Step, StepOf};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The least of so many measurements counts, each of which takes so long at least.
const ROUNDS: u32 = 5;
const LEAST_TIME: Duration = Duration::from_millis(2);

/// Where one pass over the positions is over before this, so many of them are passed between two looks at the
/// clock.
const BRIEF: Duration = Duration::from_micros(20);
const MANY: usize = 100;

/// No measurement does more than this, however little time it takes.
const MOST_DONE: usize = 1 << 20;

/// Where one pass over the positions takes longer than this, the rest of them is left out.
const PASS: Duration = Duration::from_millis(20);

/// Positions of so many plays are looked at, and so many of them at most.
const PLAYS: u32 = 20;
const MOST_POSITIONS: usize = 500;

/// Measures what successors and evaluations take, and compares it with the prices that are declared.
///
/// # Errors
/// When a price is four times as much as is declared, or a quarter of it, and not below 20 ns both; when
/// nothing is declared of successors, or of evaluations that do not take about the 30 ns that searches then
/// go by. The error has the lines to write. See [`measure_costs`] for what is measured, and how.
pub fn check_cost<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    start: &G::Position,
    plays: &Plays,
) -> Result<Costs, WrongCosts> {
    let costs = measure_costs(game, evaluator, start, plays);
    let wrong = costs.wrong();
    if wrong.is_empty() { Ok(costs) } else { Err(WrongCosts(wrong)) }
}

/// Measures what the moves and outcomes of a position take, what the positions after them take, and what an
/// evaluation takes with its state, at the positions of random plays.
///
/// It is a measurement: build with optimisations, and leave the machine alone. It takes some hundredths of a
/// second, and up to about a second where one evaluation takes milliseconds. Searches never measure: they
/// choose by declared prices.
pub fn measure_costs<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    start: &G::Position,
    plays: &Plays,
) -> Costs {
    let begun = Instant::now();
    measure(game, evaluator, &samples(game, evaluator, start, plays), &|| begun.elapsed())
}

fn measure<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    samples: &[Sample<G, E>],
    now: Now<'_>,
) -> Costs {
    let of_kind = |kind| samples.iter().filter(|sample| game.kind(&sample.position) == kind).collect();
    let [moves, outcomes] = [of_kind(NodeKind::Decision), of_kind(NodeKind::Chance)]
        .map(|samples: Vec<_>| measure_steps(game, &samples, now));
    let evaluated: Vec<_> =
        samples.iter().filter_map(|sample| sample.after.as_ref().map(|after| (sample, after))).collect();
    let declared = Prices::declared(game, evaluator);
    let Some(successor_ns) = successor_ns([moves, outcomes]) else { return Costs::unmeasured(declared) };
    let evaluation = measure_evaluation(game, evaluator, &evaluated, now).unwrap_or(declared.evaluation);
    let measured = Some(Prices { successor_ns: whole(successor_ns), evaluation });
    let evaluations = evaluated.len() as u64;
    Costs { moves: moves.told(), outcomes: outcomes.told(), evaluations, declared, measured }
}

/// A position that is no terminal, with its steps, and one that a step leads to unless it is a terminal.
struct Sample<G: Game, E: Evaluator<G>> {
    position: G::Position,
    state: E::State,
    steps: Vec<StepOf<G>>,
    after: Option<After<G, E>>,
}

/// A position to evaluate, its state, and the step that led to it.
struct After<G: Game, E: Evaluator<G>> {
    step: StepOf<G>,
    position: G::Position,
    state: E::State,
}

/// A position to evaluate, with the one before it.
type Evaluated<'a, G, E> = (&'a Sample<G, E>, &'a After<G, E>);

/// Positions of random plays in random order.
fn samples<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    start: &G::Position,
    plays: &Plays,
) -> Vec<Sample<G, E>> {
    let mut met = Met { game, positions: Vec::new(), report: Report::default() };
    let few = Plays { games: plays.games.min(PLAYS), ..*plays };
    // Nothing is checked on the way, so there is no violation.
    let (Ok(_) | Err(_)) = walk(game, start, &few, &mut met) as Result<Report, Violation>;
    let (mut random, mut samples) = (Random::new(plays.seed), Vec::new());
    while samples.len() < MOST_POSITIONS && !met.positions.is_empty() {
        let drawn = random.below(met.positions.len() as u32) as usize;
        let position = met.positions.swap_remove(drawn);
        let steps = steps(game, &position);
        let state = |position: &G::Position| evaluator.state(game, position, None);
        let after = random.one_of(steps.clone()).map(|step| {
            let position = step.take(game, &position);
            (game.kind(&position) != NodeKind::Terminal).then(|| After {
                state: state(&position),
                step,
                position,
            })
        });
        // A position without steps is a fault of its own, which another check tells.
        samples.extend(after.map(|after| Sample { state: state(&position), position, steps, after }));
    }
    samples
}

/// The positions met that are no terminals.
struct Met<'a, G: Game> {
    game: &'a G,
    positions: Vec<G::Position>,
    report: Report,
}

impl<G: Game> Check<G> for Met<'_, G> {
    type Carried = ();

    fn begin(&self, _: &G::Position) {}

    fn carry(&self, (): &(), _: &G::Position, _: &StepOf<G>, _: &G::Position) {}

    fn visit(&mut self, position: &G::Position, (): &()) -> Result<(), Found> {
        if self.game.kind(position) != NodeKind::Terminal {
            self.positions.push(position.clone());
        }
        Ok(())
    }

    fn report(&mut self) -> &mut Report {
        &mut self.report
    }
}

/// What the steps of some positions take, in nanoseconds each.
#[derive(Clone, Copy, Default)]
struct Measured {
    steps: u64,
    listing_ns: f64,
    taking_ns: f64,
}

impl Measured {
    fn told(self) -> StepCost {
        let Measured { steps, listing_ns, taking_ns } = self;
        StepCost { steps, listing_ns: whole(listing_ns), taking_ns: whole(taking_ns) }
    }
}

/// The mean over all steps; `None` where there are none.
fn successor_ns(measured: [Measured; 2]) -> Option<f64> {
    let steps: u64 = measured.iter().map(|one| one.steps).sum();
    let all: f64 = measured.iter().map(|one| one.steps as f64 * (one.listing_ns + one.taking_ns)).sum();
    (steps > 0).then(|| all / steps as f64)
}

fn measure_steps<G: Game, E: Evaluator<G>>(game: &G, samples: &[&Sample<G, E>], now: Now<'_>) -> Measured {
    let list = |sample: &&Sample<G, E>| match sample.steps[0] {
        Step::Move(_) => game.moves(&sample.position, |mv| {
            black_box(mv);
        }),
        Step::Outcome(_) => game.outcomes(&sample.position, |outcome, _| {
            black_box(outcome);
        }),
    };
    let take = |sample: &&Sample<G, E>| {
        for step in &sample.steps {
            black_box(step.take(game, black_box(&sample.position)));
        }
    };
    let steps: usize = samples.iter().map(|sample| sample.steps.len()).sum();
    if steps == 0 {
        return Measured::default();
    }
    // Both are of a position: of a step, they are so many parts of it.
    let each = steps as f64 / samples.len() as f64;
    let [listing_ns, taking_ns] = [time(now, samples, list) / each, time(now, samples, take) / each];
    Measured { steps: steps as u64, listing_ns, taking_ns }
}

/// What an evaluation takes with its state; `None` where there is nothing to evaluate.
fn measure_evaluation<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    afters: &[Evaluated<'_, G, E>],
    now: Now<'_>,
) -> Option<EvaluationCost> {
    if afters.is_empty() {
        return None;
    }
    let state_ns = time(now, afters, |(sample, after)| {
        let &After { step, ref position, .. } = *after;
        // A search carries no state over such an outcome.
        if matches!(step, Step::Move(_)) || !E::ABILITIES.ignores_outcome {
            let before = Before { position: &sample.position, state: &sample.state, step };
            black_box(evaluator.state(game, black_box(position), Some(before)));
        }
    });
    let [call_ns, each_ns] = if E::ABILITIES.batches {
        measure_calls(game, evaluator, afters, now)
    } else {
        let alone = time(now, afters, |(_, after)| {
            black_box(evaluator.evaluate(game, black_box(&after.position), &after.state));
        });
        [0.0, alone]
    };
    Some(evaluation_cost(call_ns, state_ns + each_ns))
}

/// What a call takes beside its positions, and what each of them takes.
fn measure_calls<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    afters: &[Evaluated<'_, G, E>],
    now: Now<'_>,
) -> [f64; 2] {
    let [one_ns, many_ns] = [1, BATCH as usize].map(|size| {
        let whole_calls = afters.len().next_multiple_of(size);
        let nodes = afters.iter().map(|(_, after)| (&after.position, &after.state));
        let nodes: Vec<_> = nodes.cycle().take(whole_calls).collect();
        let calls: Vec<_> = nodes.chunks_exact(size).collect();
        let mut scores = vec![0; size];
        time(now, &calls, |call| {
            // Whether it fails, another check tells.
            let (Ok(()) | Err(_)) = evaluator.evaluate_many(game, black_box(call), &mut scores);
        })
    });
    let each_ns = ((many_ns - one_ns) / f64::from(BATCH - 1)).max(0.0);
    [(one_ns - each_ns).max(0.0), each_ns]
}

/// What the time is, as far as measurements are concerned.
type Now<'a> = &'a dyn Fn() -> Duration;

/// What `work` takes for one of these, in nanoseconds, on average.
fn time<T>(now: Now<'_>, items: &[T], mut work: impl FnMut(&T)) -> f64 {
    let (begun, mut count) = (now(), 0);
    while count < items.len() && (count == 0 || now() - begun < PASS) {
        work(&items[count]);
        count += 1;
    }
    // To look at the clock takes a time, too.
    let passes = if now() - begun < BRIEF { MANY.div_ceil(count) } else { 1 };
    let mut round = || {
        let (begun, mut done) = (now(), 0);
        while done == 0 || (now() - begun < LEAST_TIME && done < MOST_DONE) {
            (0..passes).for_each(|_| items[..count].iter().for_each(&mut work));
            done += passes * count;
        }
        (now() - begun).as_nanos() as f64 / done as f64
    };
    (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GraphPosition, GraphShape, RandomGraph, WrongCost};
    use starsplit::evaluator::{Abilities, EvaluationError, EvaluatorFacts};
    use starsplit::score::Score;
    use starsplit_wrappers::{GameWrapper, forward};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// A clock that goes on by what the game and the evaluator say that they take, and by nothing else.
    #[derive(Clone, Default)]
    struct Clock(Arc<AtomicU64>);

    impl Clock {
        fn wait(&self, ns: u64) {
            self.0.fetch_add(ns, Relaxed);
        }

        fn now(&self) -> Duration {
            Duration::from_nanos(self.0.load(Relaxed))
        }
    }

    /// A random graph whose lists and successors take so long, in nanoseconds.
    #[derive(Clone)]
    struct Slow {
        graph: RandomGraph,
        clock: Clock,
        listing_ns: u64,
        taking_ns: u64,
    }

    impl GameWrapper for Slow {
        type Inner = RandomGraph;
        type Position = GraphPosition;

        fn inner(&self) -> &RandomGraph {
            &self.graph
        }

        fn inner_position(position: &GraphPosition) -> &GraphPosition {
            position
        }

        fn wrap(&self, _: &GraphPosition, _: Step<u32, u32>, after: GraphPosition) -> GraphPosition {
            self.clock.wait(self.taking_ns);
            after
        }

        fn identity(&self) -> u64 {
            self.graph.identity()
        }

        fn moves(&self, position: &GraphPosition, push: impl FnMut(u32)) {
            self.clock.wait(self.listing_ns);
            self.graph.moves(position, push);
        }

        fn outcomes(&self, position: &GraphPosition, push: impl FnMut(u32, u32)) {
            self.clock.wait(2 * self.listing_ns);
            self.graph.outcomes(position, push);
        }
    }

    forward! { impl Game for Slow }

    /// An evaluator whose states, calls and evaluations take so long, in nanoseconds.
    struct Takes<const BATCHES: bool> {
        state_ns: u64,
        call_ns: u64,
        each_ns: u64,
    }

    impl<const BATCHES: bool> Evaluator<Slow> for Takes<BATCHES> {
        type State = ();
        const ABILITIES: Abilities = Abilities::NONE.with_batches(BATCHES);

        fn facts(&self, _: &Slow) -> EvaluatorFacts {
            EvaluatorFacts::new(0).with_cost(EvaluationCost::each(30))
        }

        fn state(&self, game: &Slow, _: &GraphPosition, _: Option<Before<'_, Slow, ()>>) {
            game.clock.wait(self.state_ns);
        }

        fn evaluate(&self, game: &Slow, _: &GraphPosition, _: &()) -> Score {
            game.clock.wait(self.each_ns);
            0
        }

        fn evaluate_many(
            &self,
            game: &Slow,
            nodes: &[(&GraphPosition, &())],
            scores: &mut [Score],
        ) -> Result<(), EvaluationError> {
            game.clock.wait(self.call_ns + self.each_ns * nodes.len() as u64);
            scores.fill(0);
            Ok(())
        }
    }

    /// A game of four moves or outcomes each.
    fn slow(listing_ns: u64, taking_ns: u64) -> Slow {
        let shape = GraphShape { successors: 4..=4, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, 1).expect("a sound shape").with_successor_ns(7);
        Slow { graph, clock: Clock::default(), listing_ns, taking_ns }
    }

    fn measured<const BATCHES: bool>(game: &Slow, evaluator: &Takes<BATCHES>) -> Costs {
        let plays = Plays { games: 3, max_plies: 30, seed: 1 };
        let samples = samples(game, evaluator, &game.graph.start(), &plays);
        measure(game, evaluator, &samples, &|| game.clock.now())
    }

    const FREE: Takes<false> = Takes { state_ns: 0, call_ns: 0, each_ns: 0 };

    #[test]
    fn lists_and_successors_are_measured_apart() {
        let costs = measured(&slow(400, 30), &FREE);
        let of = |StepCost { listing_ns, taking_ns, .. }| (listing_ns, taking_ns);
        assert_eq!((of(costs.moves), of(costs.outcomes)), ((100, 30), (200, 30)));
        let [moves, outcomes] = [costs.moves, costs.outcomes].map(|cost| cost.steps);
        assert!(moves.is_multiple_of(4) && moves > 0 && outcomes > 0, "{costs:?}");
        let mean = (130 * moves + 230 * outcomes) as f64 / (moves + outcomes) as f64;
        assert_eq!((costs.measured.unwrap().successor_ns, costs.declared.successor_ns), (whole(mean), 7));
    }

    #[test]
    fn an_evaluation_is_measured_with_its_state() {
        let costs = measured(&slow(0, 0), &Takes::<false> { state_ns: 20, call_ns: 1_000, each_ns: 35 });
        assert_eq!(costs.measured.unwrap().evaluation, EvaluationCost::each(55));
        assert_eq!(costs.declared.evaluation, EvaluationCost::each(30));
        assert!(costs.evaluations > 0);
    }

    #[test]
    fn a_call_and_its_positions_are_measured_apart() {
        let costs = measured(&slow(0, 0), &Takes::<true> { state_ns: 20, call_ns: 6_000, each_ns: 35 });
        assert_eq!(costs.measured.unwrap().evaluation, EvaluationCost { fixed_ns: 6_000, each_ns: 55 });
    }

    /// A pass ends early, and a round is one of what it got through.
    #[test]
    fn dear_evaluations_are_few() {
        let (game, each_ns) = (slow(0, 0), 3_000_000);
        let costs = measured(&game, &Takes::<false> { each_ns, ..FREE });
        assert_eq!(costs.measured.unwrap().evaluation, EvaluationCost::each(3_000_000));
        let evaluations = game.clock.now().as_nanos() as u64 / each_ns;
        assert_eq!(evaluations, 7 * (1 + u64::from(ROUNDS)));
    }

    #[test]
    fn where_no_position_is_met_nothing_is_measured() {
        let shape = GraphShape { positions: 1, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, 1).expect("a sound shape");
        let costs = measured(&Slow { graph, ..slow(0, 0) }, &FREE);
        assert_eq!((costs.measured, costs.evaluations), (None, 0));
        assert_eq!(costs.wrong(), []);
    }

    /// By the real clock, of which nothing is expected but that no successor takes a second.
    #[test]
    fn a_false_declaration_is_found() {
        let second = 1_000_000_000;
        let game = slow(0, 0);
        let game = Slow { graph: game.graph.clone().with_successor_ns(second), ..game };
        let found = check_cost(&game, &FREE, &game.graph.start(), &Plays::default());
        let WrongCosts(wrong) = found.expect_err("a false price");
        assert!(matches!(wrong[0], WrongCost::Successor { declared_ns, .. } if declared_ns == second));
    }
}
