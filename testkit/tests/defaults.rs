//! What a game and an evaluator do where they implement no more than they must: every default of [`Game`] and
//! [`Evaluator`] beside what its page says, on random graphs with rewards, and with plies from 0 to 6.

use crate::oracle::Oracle;
use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps};
use starsplit::score::{Bounds, Score};
use starsplit_testkit::{
    EdgePlies, GraphGame, GraphPosition, GraphShape, HashForm, Plays, PliedGraph, RandomGraph, RewardedGraph,
    Rewards, check_evaluator, check_game,
};
use std::ops::ControlFlow;

const GRAPHS: u64 = 60;

/// The greatest depth at which bounds are asked for.
const DEEPEST: u8 = 9;

/// The most plies of a step.
const MOST_PLIES: u8 = 6;

/// A game that implements what it must, and rewards and plies where it has them.
#[derive(Clone)]
struct Bare<G>(G);

impl<G: GraphGame> Game for Bare<G> {
    type Position = GraphPosition;
    type Move = u32;
    type Outcome = u32;
    const STEPS: Steps = G::STEPS;

    fn identity(&self) -> u64 {
        self.0.identity()
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(self.0.facts().grid).saturating(self.0.facts().saturates)
    }

    fn kind(&self, position: &GraphPosition) -> NodeKind {
        self.0.kind(position)
    }

    fn player(&self, position: &GraphPosition) -> Player {
        self.0.player(position)
    }

    fn terminal_score(&self, position: &GraphPosition) -> Score {
        self.0.terminal_score(position)
    }

    fn hash(&self, position: &GraphPosition) -> PositionHash {
        self.0.hash(position)
    }

    fn moves(&self, position: &GraphPosition, push: impl FnMut(u32)) {
        self.0.moves(position, push);
    }

    fn play(&self, position: &GraphPosition, mv: u32) -> GraphPosition {
        self.0.play(position, mv)
    }

    fn reward(&self, before: &GraphPosition, step: Step<u32, u32>, after: &GraphPosition) -> Score {
        self.0.reward(before, step, after)
    }

    fn plies(&self, before: &GraphPosition, step: Step<u32, u32>, after: &GraphPosition) -> u8 {
        self.0.plies(before, step, after)
    }

    fn outcomes(&self, position: &GraphPosition, push: impl FnMut(u32, u32)) {
        self.0.outcomes(position, push);
    }

    fn resolve(&self, position: &GraphPosition, outcome: u32) -> GraphPosition {
        self.0.resolve(position, outcome)
    }
}

/// A game that has neither rewards nor plies, and implements what it must.
struct Least(RandomGraph);

impl Game for Least {
    type Position = GraphPosition;
    type Move = u32;
    type Outcome = u32;

    fn identity(&self) -> u64 {
        self.0.identity()
    }

    fn kind(&self, position: &GraphPosition) -> NodeKind {
        self.0.kind(position)
    }

    fn player(&self, position: &GraphPosition) -> Player {
        self.0.player(position)
    }

    fn terminal_score(&self, position: &GraphPosition) -> Score {
        self.0.terminal_score(position)
    }

    fn hash(&self, position: &GraphPosition) -> PositionHash {
        self.0.hash(position)
    }

    fn moves(&self, position: &GraphPosition, push: impl FnMut(u32)) {
        self.0.moves(position, push);
    }

    fn play(&self, position: &GraphPosition, mv: u32) -> GraphPosition {
        self.0.play(position, mv)
    }

    fn outcomes(&self, position: &GraphPosition, push: impl FnMut(u32, u32)) {
        self.0.outcomes(position, push);
    }

    fn resolve(&self, position: &GraphPosition, outcome: u32) -> GraphPosition {
        self.0.resolve(position, outcome)
    }
}

/// Random evaluations from a state that is carried by differences. It implements what it must.
#[derive(Clone, Copy)]
struct Carries<const IGNORES: bool> {
    limit: Score,
}

impl<G: Game<Position = GraphPosition>, const IGNORES: bool> Evaluator<G> for Carries<IGNORES> {
    /// The position's number.
    type State = u32;
    const ABILITIES: Abilities = if IGNORES { Abilities::NONE.ignoring_outcomes() } else { Abilities::NONE };

    fn facts(&self, _: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(0)
    }

    fn state(&self, _: &G, position: &GraphPosition, before: Option<Before<'_, G, u32>>) -> u32 {
        before.map_or(position.index, |before| before.state + position.index - before.position.index)
    }

    fn evaluate(&self, _: &G, _: &GraphPosition, state: &u32) -> Score {
        (mix64(u64::from(*state)) % (2 * self.limit as u64 + 1)) as Score - self.limit
    }
}

/// The same with bounds of positions, and none of outcomes.
struct Bounded {
    carries: Carries<false>,
    /// By position, for depths from 1.
    bounds: Vec<Vec<Bounds>>,
}

impl Bounded {
    /// Bounds of what a plain search finds, exact or some way off.
    fn new<G: GraphGame>(game: &Bare<G>) -> Self {
        let limit = game.facts().grid.limit();
        let carries = Carries { limit };
        let mut oracle = Oracle::new(game, &carries);
        let bounds_of = |position: GraphPosition| {
            let told = (1..=DEEPEST).map(|depth| {
                let value = oracle.value(&position, depth.into()) as Score;
                let bits = mix64(u64::from(position.index) << 8 | u64::from(depth));
                let [less, more] = [bits, bits >> 32].map(|bits| (bits % 3) as Score);
                Bounds::new((value - less).max(-limit), (value + more).min(limit))
            });
            told.collect()
        };
        let bounds = game.0.graph().positions().map(bounds_of).collect();
        Bounded { carries, bounds }
    }
}

impl<G: Game<Position = GraphPosition>> Evaluator<G> for Bounded {
    type State = u32;
    const ABILITIES: Abilities = Abilities::NONE.with_bounds(true);

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.carries.facts(game)
    }

    fn state(&self, game: &G, position: &GraphPosition, before: Option<Before<'_, G, u32>>) -> u32 {
        self.carries.state(game, position, before)
    }

    fn evaluate(&self, game: &G, position: &GraphPosition, state: &u32) -> Score {
        self.carries.evaluate(game, position, state)
    }

    fn bounds(&self, game: &G, position: &GraphPosition, depth: u8) -> Bounds {
        assert!(depth > 0, "a position is evaluated at depth 0, and has no bounds");
        assert!(game.kind(position) != NodeKind::Terminal, "a terminal has a score, and no bounds");
        let told = self.bounds[position.index as usize].get(usize::from(depth) - 1);
        told.copied().unwrap_or(Bounds::unknown(game.facts().grid.limit()))
    }
}

/// What is tried on every game.
trait Trial {
    fn on<G: GraphGame>(&mut self, game: &Bare<G>);
}

/// Random graphs with plies, with rewards, with both and with neither.
fn on_random_games(trial: &mut impl Trial) {
    for seed in 0..GRAPHS {
        let limit = [1, 4, 1 << 20][seed as usize % 3];
        let (positions, cycles) = (8 + seed as u32 % 30, seed % 4 > 0);
        let shape = GraphShape { positions, limit, cycles, successors: 1..=4, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let graph = graph.with_hashes(HashForm::drawn_by(seed));
        let rewards = Rewards { move_percent: 60, outcome_percent: 60, most: 2 * limit };
        let plies = EdgePlies { none_percent: 40, more_percent: 50, most: MOST_PLIES };
        let rewarded = RewardedGraph::new(graph.clone(), rewards).expect("they are within their limits");
        trial.on(&Bare(PliedGraph::new(graph.clone(), plies).expect("they are within their limits")));
        trial.on(&Bare(PliedGraph::new(rewarded.clone(), plies).expect("they are within their limits")));
        trial.on(&Bare(rewarded));
        trial.on(&Bare(graph));
    }
}

fn of_kind<G: GraphGame>(game: &Bare<G>, kind: NodeKind) -> Vec<GraphPosition> {
    game.0.graph().positions().filter(|position| game.kind(position) == kind).collect()
}

/// The moves or outcomes of a position with their weights, one for moves, and what they lead to.
type Listed = Vec<(u32, u32, GraphPosition)>;

fn listed<G: Game<Position = GraphPosition, Move = u32, Outcome = u32>>(
    game: &G,
    position: &GraphPosition,
) -> Listed {
    let mut listed = Vec::new();
    match game.kind(position) {
        NodeKind::Terminal => {}
        NodeKind::Decision => game.moves(position, |mv| listed.push((mv, 1, game.play(position, mv)))),
        NodeKind::Chance => game.outcomes(position, |outcome, weight| {
            listed.push((outcome, weight, game.resolve(position, outcome)));
        }),
    }
    listed
}

/// The bounds of outcomes by the default of [`Evaluator::outcome_bounds`].
#[derive(Default)]
struct OutcomeBounds {
    /// By the plies of the outcome, for outcomes that end nothing.
    compared: [u32; MOST_PLIES as usize + 1],
    ends: u32,
    evaluated: u32,
}

impl OutcomeBounds {
    /// What the default should say of the position after an outcome, to its player.
    fn expected<G: GraphGame>(
        &mut self,
        game: &Bare<G>,
        evaluator: &Bounded,
        after: &GraphPosition,
        depth: u8,
        plies: u8,
    ) -> Bounds {
        if game.kind(after) == NodeKind::Terminal {
            self.ends += 1;
            return Bounds::exactly(game.terminal_score(after));
        }
        self.compared[usize::from(plies)] += 1;
        match depth.saturating_sub(plies) {
            0 => {
                self.evaluated += 1;
                Bounds::unknown(game.facts().grid.limit())
            }
            left => evaluator.bounds(game, after, left),
        }
    }
}

impl Trial for OutcomeBounds {
    fn on<G: GraphGame>(&mut self, game: &Bare<G>) {
        let evaluator = Bounded::new(game);
        let mut oracle = Oracle::new(game, &evaluator.carries);
        for position in of_kind(game, NodeKind::Chance) {
            for depth in 2..=DEEPEST {
                let mut offered = Vec::new();
                evaluator.outcome_bounds(game, &position, depth, |bounds| offered.push(bounds));
                let outcomes = listed(game, &position);
                assert_eq!(offered.len(), outcomes.len());
                for ((outcome, _, after), offered) in outcomes.into_iter().zip(offered) {
                    let plies = game.plies(&position, Step::Outcome(outcome), &after);
                    let is_viewers = game.player(&after) == game.player(&position);
                    let expected = self.expected(game, &evaluator, &after, depth, plies);
                    let seen = if is_viewers { offered } else { offered.flipped() };
                    assert_eq!(seen, expected, "depth {depth}, an outcome of {plies} plies");
                    let value = oracle.value(&after, depth.saturating_sub(plies).into()) as Score;
                    assert!(seen.lower <= value && value <= seen.upper, "{value} in {seen:?}");
                }
            }
        }
    }
}

#[test]
fn bounds_of_outcomes_are_those_at_the_depth_that_the_outcome_leaves() {
    let mut trial = OutcomeBounds::default();
    on_random_games(&mut trial);
    assert!(trial.compared.iter().all(|&compared| compared > 500), "{:?}", trial.compared);
    assert!(trial.ends > 500 && trial.evaluated > 500, "{} {}", trial.ends, trial.evaluated);
}

/// Whether the kit passes games and evaluators that leave everything to the defaults.
struct Kit(u64);

impl Trial for Kit {
    fn on<G: GraphGame>(&mut self, game: &Bare<G>) {
        let (start, plays) = (game.0.graph().start(), Plays { games: 5, max_plies: 30, seed: 1 });
        check_game(game, &start, &plays).unwrap();
        let report = check_evaluator(game, &Bounded::new(game), &start, &plays);
        self.0 += report.unwrap_or_else(|violation| panic!("{violation}")).bounds_checked;
    }
}

#[test]
fn the_kit_finds_no_fault_in_defaults() {
    let mut trial = Kit(0);
    on_random_games(&mut trial);
    assert!(trial.0 > 5_000, "{} bounds", trial.0);
}

/// All other defaults of a game, and of an evaluator.
#[derive(Default)]
struct Others {
    visited: u32,
    evaluated: u32,
}

impl Others {
    /// Visits so many of a position's steps at most.
    fn visit<G: GraphGame>(game: &Bare<G>, position: &GraphPosition, most: usize) -> Listed {
        let mut visited = Vec::new();
        let mut visit = |step, weight, after| {
            visited.push((step, weight, after));
            if visited.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        match game.kind(position) {
            NodeKind::Terminal => {}
            NodeKind::Decision => game.visit_moves(position, |mv, after| visit(mv, 1, after)),
            NodeKind::Chance => game.visit_outcomes(position, visit),
        }
        visited
    }

    fn check_game<G: GraphGame>(&mut self, game: &Bare<G>, position: &GraphPosition) {
        let listed = listed(game, position);
        for most in 1..=listed.len() {
            assert_eq!(Others::visit(game, position, most), listed[..most]);
            self.visited += 1;
        }
        for depth in 1..=u8::MAX {
            assert_eq!(game.hash_to_depth(position, depth), game.hash(position));
        }
        assert_eq!(game.full_depth(position), None);
        game.outcome_bounds(position, 5, |bounds| panic!("{bounds:?} of an outcome"));
        assert!(listed.iter().all(|&(mv, ..)| game.move_slot(mv) == 0));
    }

    fn check_evaluator<G: GraphGame, const IGNORES: bool>(
        &mut self,
        game: &Bare<G>,
        position: &GraphPosition,
    ) {
        let limit = game.facts().grid.limit();
        let evaluator = Carries::<IGNORES> { limit };
        assert_eq!(evaluator.ignores_outcome(game, position), IGNORES);
        assert_eq!(evaluator.bounds(game, position, 3), Bounds::unknown(limit));
        let state = evaluator.state(game, position, None);
        let afters: Vec<_> =
            listed(game, position).into_iter().map(|(step, _, after)| (step, after)).collect();
        // By the definition: the state is the position's number.
        let expected: Vec<Score> = afters
            .iter()
            .map(|(_, after)| (mix64(u64::from(after.index)) % (2 * limit as u64 + 1)) as Score - limit)
            .collect();
        if game.kind(position) == NodeKind::Decision {
            for (&(mv, after), &expected) in afters.iter().zip(&expected) {
                let found = evaluator.evaluate_after_move(game, &state, position, mv, &after);
                assert_eq!(found, expected);
            }
        }
        let states: Vec<u32> = afters.iter().map(|(_, after)| evaluator.state(game, after, None)).collect();
        let nodes: Vec<_> = afters.iter().zip(&states).map(|((_, after), state)| (after, state)).collect();
        let mut scores = vec![Score::MIN; nodes.len()];
        evaluator.evaluate_many(game, &nodes, &mut scores).expect("it never fails");
        assert_eq!(scores, expected);
        self.evaluated += scores.len() as u32;
    }
}

impl Trial for Others {
    fn on<G: GraphGame>(&mut self, game: &Bare<G>) {
        for position in game.0.graph().positions() {
            self.check_game(game, &position);
            if game.kind(&position) != NodeKind::Terminal {
                self.check_evaluator::<_, false>(game, &position);
                self.check_evaluator::<_, true>(game, &position);
            }
        }
    }
}

#[test]
fn other_defaults_are_what_their_pages_say() {
    let mut trial = Others::default();
    on_random_games(&mut trial);
    assert!(trial.visited > 5_000 && trial.evaluated > 5_000, "{} {}", trial.visited, trial.evaluated);
}

#[test]
fn a_game_without_facts_rewards_and_plies_has_the_default_ones() {
    let graph = RandomGraph::new(&GraphShape::default(), 1).expect("the shape is within its limits");
    let least = Least(graph.clone());
    assert_eq!((least.facts(), Least::STEPS), (GameFacts::default(), Steps::PLAIN));
    for position in graph.positions() {
        let is_decision = least.kind(&position) == NodeKind::Decision;
        for (ordinal, _, after) in listed(&least, &position) {
            let step = if is_decision { Step::Move(ordinal) } else { Step::Outcome(ordinal) };
            assert_eq!((least.reward(&position, step, &after), least.plies(&position, step, &after)), (0, 1));
        }
    }
}
