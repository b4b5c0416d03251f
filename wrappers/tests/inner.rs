//! What a wrapper does not say is as in the game, or the evaluator, within it.

use crate::common::carried::Carried;
use crate::common::foresight::{Foreseeing, Telling};
use starsplit::evaluator::{Before, EvaluationCost, Evaluator, EvaluatorFacts};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, StepOf, Steps, Texts};
use starsplit::score::{Bounds, Score};
use starsplit_testkit::{
    EdgePlies, GraphGame, GraphPosition, GraphShape, PliedGraph, RandomGraph, RewardedGraph, Rewards,
};
use starsplit_wrappers::{EvaluatorWrapper, GameWrapper, OfInner, forward};
use std::ops::ControlFlow;

/// How many positions the graphs have.
const POSITIONS: u32 = 200;

fn graph() -> RandomGraph {
    let shape = GraphShape { positions: POSITIONS, cycles: false, ..GraphShape::default() };
    RandomGraph::new(&shape, 7).expect("the shape is within its limits")
}

fn plied_graph() -> PliedGraph<RewardedGraph> {
    let rewards = Rewards { move_percent: 50, outcome_percent: 50, most: 1000 };
    let rewarded = RewardedGraph::new(graph(), rewards).expect("the rewards are within their limits");
    let plies = EdgePlies { none_percent: 20, more_percent: 40, most: 3 };
    PliedGraph::new(rewarded, plies).expect("the plies are within their limits")
}

/// A wrapper with its own identity and, on request, its own hash.
#[derive(Clone)]
pub(crate) struct Same<G>(pub(crate) G, pub(crate) PositionHash);

impl<G: Game> GameWrapper for Same<G> {
    type Inner = G;
    type Position = G::Position;

    fn inner(&self) -> &G {
        &self.0
    }

    fn inner_position(position: &G::Position) -> &G::Position {
        position
    }

    fn wrap(&self, _: &G::Position, _: StepOf<G>, after: G::Position) -> G::Position {
        after
    }

    fn identity(&self) -> u64 {
        !self.0.identity()
    }

    fn hash(&self, position: &G::Position) -> PositionHash {
        self.0.hash(position) ^ self.1
    }
}

forward! { impl<G: Game> Game for Same<G> }
forward! { impl<G: Texts> Texts for Same<G> }

type Seen = (NodeKind, Player, PositionHash, Option<u32>, Vec<(u32, u32, GraphPosition, Score, u8, usize)>);

/// All that a game says about a position, except a terminal's score, and bounds.
fn seen<G>(game: &G, position: GraphPosition) -> Seen
where
    G: Game<Position = GraphPosition, Move = u32, Outcome = u32>,
{
    let (kind, mut steps) = (game.kind(&position), Vec::new());
    let told = |step, weight, after| {
        let (Step::Move(number) | Step::Outcome(number)) = step;
        let (reward, plies) = (game.reward(&position, step, &after), game.plies(&position, step, &after));
        (number, weight, after, reward, plies, game.move_slot(number))
    };
    match kind {
        NodeKind::Terminal => {}
        NodeKind::Decision => game.visit_moves(&position, |mv, after| {
            steps.push(told(Step::Move(mv), 1, after));
            ControlFlow::Continue(())
        }),
        NodeKind::Chance => game.visit_outcomes(&position, |outcome, weight, after| {
            steps.push(told(Step::Outcome(outcome), weight, after));
            ControlFlow::Continue(())
        }),
    }
    (kind, game.player(&position), game.hash(&position), game.full_depth(&position), steps)
}

fn of<G: Game>(game: &G) -> (Steps, GameFacts) {
    (G::STEPS, game.facts())
}

#[test]
fn what_a_wrapper_does_not_say_is_as_in_the_game_within() {
    let graph = plied_graph();
    let same = Same(graph.clone(), PositionHash::default());
    assert_eq!(of(&same), of(&graph));
    let mut steps = 0;
    for position in graph.graph().positions() {
        let expected = seen(&graph, position);
        steps += expected.4.len();
        assert_eq!(seen(&same, position), expected);
        if expected.0 == NodeKind::Terminal {
            assert_eq!(Game::terminal_score(&same, &position), Game::terminal_score(&graph, &position));
        }
        let mut bounds: Vec<Bounds> = Vec::new();
        Game::outcome_bounds(&same, &position, 2, |told| bounds.push(told));
        assert_eq!(bounds, [], "nothing is proven of another game's values");
    }
    assert!(steps > 400, "{steps} moves and outcomes");
}

/// A game with texts of its own.
struct Told(RandomGraph);

impl GameWrapper for Told {
    type Inner = RandomGraph;
    type Position = GraphPosition;

    fn inner(&self) -> &RandomGraph {
        &self.0
    }

    fn inner_position(position: &GraphPosition) -> &GraphPosition {
        position
    }

    fn wrap(&self, _: &GraphPosition, _: StepOf<RandomGraph>, after: GraphPosition) -> GraphPosition {
        after
    }

    fn identity(&self) -> u64 {
        self.0.identity()
    }

    /// As if values depended on the past.
    fn hash_to_depth(&self, position: &GraphPosition, depth: u8) -> PositionHash {
        self.0.hash(position) ^ PositionHash::from(u64::from(depth))
    }
}

forward! { impl Game for Told }

impl Texts for Told {
    fn move_text(&self, position: &GraphPosition, mv: u32) -> String {
        format!("from {} by {mv}", position.index)
    }

    fn outcome_text(&self, position: &GraphPosition, outcome: u32) -> String {
        format!("at {} comes {outcome}", position.index)
    }
}

#[test]
fn a_wrappers_texts_are_those_of_the_game_within() {
    let same = Same(Told(graph()), PositionHash::default());
    let position = GraphPosition { index: 3 };
    assert_eq!(same.move_text(&position, 2), "from 3 by 2");
    assert_eq!(same.outcome_text(&position, 5), "at 3 comes 5");
}

#[test]
fn a_wrappers_own_hash_keeps_what_the_game_within_adds_for_a_depth() {
    let own = PositionHash { high: 3, low: 5 };
    let wrapped = Same(Told(graph()), own);
    for position in graph().positions() {
        for depth in [1, 3, 200] {
            let within = Game::hash_to_depth(&wrapped.0, &position, depth);
            assert_ne!(within, Game::hash(&wrapped.0, &position));
            assert_eq!(Game::hash_to_depth(&wrapped, &position, depth), within ^ own);
        }
    }
}

/// An evaluator whose evaluations cost something else.
pub(crate) struct Priced<E>(pub(crate) E, pub(crate) u32);

impl<E: Send + Sync> EvaluatorWrapper for Priced<E> {
    type Inner = E;

    fn inner(&self) -> &E {
        &self.0
    }

    fn facts<G: Game>(&self, game: &G) -> EvaluatorFacts
    where
        E: Evaluator<G>,
    {
        self.0.facts(game).with_cost(EvaluationCost::each(self.1))
    }
}

forward! { impl<E: Send + Sync> Evaluator for Priced<E> }

/// What an evaluator says of the positions after each move of a position.
fn evaluated<G, E>(game: &G, evaluator: &E, position: GraphPosition) -> Vec<(E::State, [Score; 3])>
where
    G: Game<Position = GraphPosition, Move = u32, Outcome = u32>,
    E: Evaluator<G>,
{
    let (state, mut seen) = (evaluator.state(game, &position, None), Vec::new());
    game.moves(&position, |mv| {
        let after = game.play(&position, mv);
        let before = Before { position: &position, state: &state, step: Step::Move(mv) };
        let carried = evaluator.state(game, &after, Some(before));
        let mut many = [0];
        let made = evaluator.evaluate_many(game, &[(&after, &carried)], &mut many);
        made.expect("one that never fails");
        let alone = evaluator.evaluate(game, &after, &carried);
        let at_once = evaluator.evaluate_after_move(game, &state, &position, mv, &after);
        seen.push((carried, [alone, at_once, many[0]]));
    });
    seen
}

#[test]
fn an_evaluator_of_the_game_within_evaluates_the_wrapper() {
    let graph = graph();
    let same = Same(graph.clone(), PositionHash::default());
    let inner = Carried::new(3, 1000, false);
    let outer = OfInner(inner);
    assert_eq!(outer.facts(&same), inner.facts(&graph));
    for position in graph.positions().filter(|position| graph.kind(position) == NodeKind::Decision) {
        assert_eq!(evaluated(&same, &outer, position), evaluated(&graph, &inner, position));
    }
}

#[test]
fn what_an_evaluators_wrapper_does_not_say_is_as_in_the_evaluator_within() {
    let graph = graph();
    let carried = Carried::new(3, 1000, false);
    let inner = Foreseeing::new(&graph, POSITIONS, carried, 3, (Telling::Truth, 5));
    let outer = Priced(inner.clone(), 70);
    let (cost, facts) = (EvaluationCost::each(70), Evaluator::facts(&outer, &graph));
    assert_eq!(facts, inner.facts(&graph).with_cost(cost));
    let mut told = 0;
    for position in graph.positions().filter(|position| graph.kind(position) != NodeKind::Terminal) {
        assert_eq!(
            Evaluator::<RandomGraph>::bounds(&outer, &graph, &position, 2),
            inner.bounds(&graph, &position, 2)
        );
        if graph.kind(&position) == NodeKind::Decision {
            assert_eq!(evaluated(&graph, &outer, position), evaluated(&graph, &inner, position));
            continue;
        }
        let (mut ours, mut expected) = (Vec::new(), Vec::new());
        Evaluator::<RandomGraph>::outcome_bounds(&outer, &graph, &position, 2, |bounds| ours.push(bounds));
        inner.outcome_bounds(&graph, &position, 2, |bounds| expected.push(bounds));
        told += expected.len();
        assert_eq!(ours, expected);
    }
    assert!(told > 50, "{told} bounds of outcomes");
}
