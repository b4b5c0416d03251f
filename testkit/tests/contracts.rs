//! The conformance kit passes what is right, and catches each fault that it is there to catch.

use crate::promising::Promising;
use starsplit::evaluator::{
    Abilities, Before, Constant, EvaluationError, Evaluator, EvaluatorFacts, HashRandom,
};
use starsplit::game::{Game, NodeKind, Player, PositionHash, Step};
use starsplit::score::{Bounds, Score};
use starsplit_testkit::{
    Fault, GraphPosition, GraphShape, HashForm, OutcomeBlind, Plays, RandomGraph, Report, Violation, Weights,
    check_evaluator, check_game, check_hash,
};
use starsplit_wrappers::{GameWrapper, forward};
use std::sync::atomic::{AtomicU32, Ordering};

const PLAYS: Plays = Plays { games: 30, max_plies: 60, seed: 7 };

#[test]
fn shipped_evaluators_keep_the_rules() {
    let plays = Plays { games: 300, ..PLAYS };
    for cycles in [false, true] {
        let shape = GraphShape { positions: 200, cycles, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, 1).unwrap();
        let limit = graph.facts().grid.limit();
        let check = |report: Result<Report, Violation>| {
            let evaluations = report.unwrap().evaluations;
            assert!(evaluations > 1000, "{evaluations}");
        };
        check(check_evaluator(&graph, &Constant::new(17), &graph.start(), &plays));
        check(check_evaluator(&graph, &HashRandom::new(3, limit), &graph.start(), &plays));
    }
}

#[test]
fn random_graphs_keep_the_rules() {
    for seed in 0..40 {
        for (cycles, one_player, weights) in
            [(true, false, Weights::Mixed), (false, false, Weights::Ties), (true, true, Weights::OddSum)]
        {
            let shape =
                GraphShape { positions: 20, limit: 4, cycles, one_player, weights, ..GraphShape::default() };
            let graph = RandomGraph::new(&shape, seed).unwrap();
            let report = check_game(&graph, &graph.start(), &PLAYS).unwrap();
            assert_eq!(report.games, 30);
            assert!(report.visited_again >= 29, "{report}");
            check_evaluator(&graph, &HashRandom::new(seed, 4), &graph.start(), &PLAYS).unwrap();
            check_evaluator(&graph, &OutcomeBlind::new(&graph, seed, 4), &graph.start(), &PLAYS).unwrap();
        }
    }
}

#[test]
fn hashes_that_differ_in_one_half_only_keep_the_rules() {
    let shape = GraphShape { positions: 300, ..GraphShape::default() };
    for (seed, form) in (0..).zip(HashForm::ALL) {
        let graph = RandomGraph::new(&shape, seed).unwrap().with_hashes(form);
        let report = check_game(&graph, &graph.start(), &PLAYS).unwrap();
        assert!(report.compared > 100, "{form:?}: {report}");
        let evaluator = OutcomeBlind::new(&graph, seed, 1_000);
        check_evaluator(&graph, &evaluator, &graph.start(), &PLAYS).unwrap();
    }
}

#[test]
fn steps_that_lead_back_and_outcomes_that_meet_keep_the_rules() {
    let (mut merging, mut back) = (0, 0);
    for (seed, form) in (0..40).zip(HashForm::ALL.into_iter().cycle()) {
        let graph = RandomGraph::new(&GraphShape::default(), seed).unwrap().with_loops(30).with_hashes(form);
        let report = check_game(&graph, &graph.start(), &PLAYS).unwrap();
        (merging, back) = (merging + report.merging, back + report.back);
        let evaluator = OutcomeBlind::new(&graph, seed, 1_000);
        check_evaluator(&graph, &evaluator, &graph.start(), &PLAYS).unwrap();
    }
    assert!(merging > 500 && back > 500, "{merging} {back}");
}

#[test]
fn a_report_counts_what_was_met() {
    let plays = Plays { games: 3, max_plies: 2, seed: 1 };
    let report = check_game(&Turns, &0, &plays).unwrap();
    // Each play: the roll, the move, and the roll after it, where it is left.
    assert_eq!((report.games, report.unfinished), (3, 3));
    assert_eq!((report.chances, report.decisions, report.terminals), (6, 3, 0));
    // Two outcomes, three moves, two outcomes.
    assert_eq!(report.successors, 21);
    assert!(report.visited_again >= 2);
}

/// Two outcomes and three moves by turns, for ever; positions are numbered by turn and what was chosen in it.
struct Turns;

impl Game for Turns {
    type Position = u64;
    type Move = u64;
    type Outcome = u64;

    fn identity(&self) -> u64 {
        0
    }

    fn kind(&self, position: &u64) -> NodeKind {
        if (position / 4) % 2 == 0 { NodeKind::Chance } else { NodeKind::Decision }
    }

    fn player(&self, _: &u64) -> Player {
        Player::Max
    }

    fn terminal_score(&self, _: &u64) -> Score {
        0
    }

    fn hash(&self, position: &u64) -> PositionHash {
        PositionHash::from(*position)
    }

    fn moves(&self, _: &u64, push: impl FnMut(u64)) {
        (0..3).for_each(push);
    }

    fn play(&self, position: &u64, mv: u64) -> u64 {
        4 * (position / 4 + 1) + mv
    }

    fn outcomes(&self, _: &u64, mut push: impl FnMut(u64, u32)) {
        (0..2).for_each(|outcome| push(outcome, 1));
    }

    fn resolve(&self, position: &u64, outcome: u64) -> u64 {
        self.play(position, outcome)
    }
}

/// One way for a game to be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Break {
    Nothing,
    NoMoves,
    NoOutcomes,
    ZeroWeight,
    HeavyWeights,
    /// Every asking gives the moves in another order.
    MoveOrder,
    /// Every asking gives other weights.
    WeightsChange,
    /// Every second time a move leads somewhere else.
    PlayChanges,
    HashAstray,
    /// A move does not show in the hash.
    HashIgnoresMoves,
    /// An outcome does not show in the hash.
    HashIgnoresOutcomes,
    /// Positions of both players share a hash.
    HashIgnoresPlayer,
    /// Different kinds of positions share a hash.
    HashIgnoresKind,
    /// Terminals of different scores share a hash.
    HashIgnoresScore,
    /// Positions with different lists of moves share a hash.
    HashIgnoresMoveList,
    /// Positions at different distances from the end share a hash.
    HashIgnoresDepth,
    /// Positions with different successors share a hash.
    HashIgnoresSuccessors,
    ScoreOffGrid,
    SlotTooGreat,
    DepthStays,
    DepthUnknownBelow,
    DepthAtEnd,
    /// An outcome is said to be worth a little less than it can be.
    BoundTooLow,
    /// An outcome is said to be worth a little more than it need be.
    BoundTooHigh,
    /// Bounds say nothing, and too much of it.
    BoundsOffGrid,
    /// There are bounds of an outcome that does not exist.
    BoundsTooMany,
}

/// A random graph with one fault in it.
struct Broken {
    graph: RandomGraph,
    fault: Break,
    calls: AtomicU32,
}

impl Broken {
    fn new(fault: Break, shape: &GraphShape, seed: u64) -> Self {
        Broken { graph: RandomGraph::new(shape, seed).unwrap(), fault, calls: AtomicU32::new(0) }
    }

    fn is(&self, fault: Break) -> bool {
        self.fault == fault
    }

    /// 0 and 1 by turns.
    fn alternates(&self) -> u32 {
        self.calls.fetch_add(1, Ordering::Relaxed) % 2
    }

    /// The hash that is left when something is not looked at.
    fn blurred_hash(&self, position: &GraphPosition) -> Option<PositionHash> {
        let kind = self.graph.kind(position);
        let ends = kind == NodeKind::Terminal;
        match self.fault {
            Break::HashIgnoresPlayer if ends => Some(PositionHash::from(1u64)),
            Break::HashIgnoresKind => Some(PositionHash::from(u64::from(position.index / 4))),
            Break::HashIgnoresScore if ends => {
                Some(PositionHash::from(2 + self.graph.player(position) as u64))
            }
            Break::HashIgnoresMoveList | Break::HashIgnoresDepth if kind == NodeKind::Decision => Some(
                PositionHash::from(u64::from(position.index / 4) << 1 | self.graph.player(position) as u64),
            ),
            Break::HashIgnoresSuccessors if kind == NodeKind::Decision => {
                Some(PositionHash::from(self.width(position)))
            }
            _ => None,
        }
    }

    /// A number that decisions of the same player with as many moves share.
    fn width(&self, position: &GraphPosition) -> u64 {
        let mut moves = 0;
        self.graph.moves(position, |_| moves += 1);
        10 + 2 * moves + self.graph.player(position) as u64
    }
}

/// A position and, where its hash is to be wrong, that hash.
#[derive(Clone, Copy)]
struct Marked(GraphPosition, Option<PositionHash>);

impl GameWrapper for Broken {
    type Inner = RandomGraph;
    type Position = Marked;

    fn inner(&self) -> &RandomGraph {
        &self.graph
    }

    fn inner_position(position: &Marked) -> &GraphPosition {
        &position.0
    }

    fn wrap(&self, before: &Marked, step: Step<u32, u32>, after: GraphPosition) -> Marked {
        match (step, self.fault) {
            (Step::Move(_), Break::PlayChanges) if self.alternates() == 1 => {
                Marked(self.graph.play(&before.0, 0), None)
            }
            (Step::Move(_), Break::HashAstray) => Marked(after, Some(PositionHash::from(5u64))),
            (Step::Move(_), Break::HashIgnoresMoves) => Marked(after, Some(Game::hash(self, before))),
            (Step::Outcome(_), Break::HashIgnoresOutcomes) => {
                Marked(after, Some(PositionHash::from(u64::from(before.0.index))))
            }
            _ => Marked(after, None),
        }
    }

    fn identity(&self) -> u64 {
        self.graph.identity()
    }

    fn terminal_score(&self, position: &Marked) -> Score {
        let score = self.graph.terminal_score(&position.0);
        if self.is(Break::ScoreOffGrid) { self.graph.facts().grid.limit() + 1 } else { score }
    }

    fn hash(&self, position: &Marked) -> PositionHash {
        position.1.or_else(|| self.blurred_hash(&position.0)).unwrap_or_else(|| self.graph.hash(&position.0))
    }

    fn moves(&self, position: &Marked, mut push: impl FnMut(u32)) {
        let mut moves = Vec::new();
        self.graph.moves(&position.0, |mv| moves.push(mv));
        if self.is(Break::NoMoves) {
            moves.clear();
        }
        if self.is(Break::MoveOrder) && self.alternates() == 1 {
            moves.reverse();
        }
        moves.into_iter().for_each(&mut push);
    }

    fn outcomes(&self, position: &Marked, mut push: impl FnMut(u32, u32)) {
        let extra = if self.is(Break::WeightsChange) { self.alternates() } else { 0 };
        self.graph.outcomes(&position.0, |outcome, weight| match self.fault {
            Break::NoOutcomes => {}
            Break::ZeroWeight => push(outcome, 0),
            Break::HeavyWeights => push(outcome, u32::MAX),
            _ => push(outcome, weight + extra),
        });
    }

    fn outcome_bounds(&self, position: &Marked, depth: u8, mut push: impl FnMut(Bounds)) {
        let limit = self.graph.facts().grid.limit();
        self.graph.outcome_bounds(&position.0, depth, |Bounds { lower, upper }| match self.fault {
            Break::BoundTooLow if lower < upper => push(Bounds::new(lower, upper - 1)),
            Break::BoundTooHigh if lower < upper => push(Bounds::new(lower + 1, upper)),
            Break::BoundsOffGrid => push(Bounds::unknown(limit + 1)),
            _ => push(Bounds::new(lower, upper)),
        });
        if self.is(Break::BoundsTooMany) {
            push(Bounds::unknown(limit));
        }
    }

    fn move_slot(&self, mv: u32) -> usize {
        if self.is(Break::SlotTooGreat) { self.graph.facts().move_slots } else { mv as usize }
    }

    fn full_depth(&self, position: &Marked) -> Option<u32> {
        let depth = self.graph.full_depth(&position.0);
        match self.fault {
            Break::DepthStays => Some(if self.graph.kind(&position.0) == NodeKind::Terminal { 0 } else { 9 }),
            Break::DepthUnknownBelow if position.0 != self.graph.start() => None,
            Break::DepthAtEnd => depth.map(|depth| depth + 1),
            _ => depth,
        }
    }
}

forward! { impl Game for Broken }

/// Whether the fault found is the one that was put in.
fn is_expected(made: Break, found: &Fault) -> bool {
    use Fault::*;
    match made {
        Break::Nothing => false,
        Break::NoMoves => matches!(found, NoMoves),
        Break::NoOutcomes => matches!(found, NoOutcomes),
        Break::ZeroWeight => matches!(found, ZeroWeight { .. }),
        Break::HeavyWeights => matches!(found, WeightSum { .. }),
        Break::MoveOrder => matches!(found, Unsteady { what: "moves", .. }),
        Break::WeightsChange => matches!(found, Unsteady { what: "outcomes and weights", .. }),
        Break::PlayChanges => matches!(found, UnsteadyStep { .. }),
        Break::HashAstray => false, // by `check_hash`
        Break::HashIgnoresMoves | Break::HashIgnoresOutcomes => matches!(found, HashShared { .. }),
        Break::HashIgnoresPlayer => matches!(found, HashShared { what: "player", .. }),
        Break::HashIgnoresKind => matches!(found, HashShared { what: "kind", .. }),
        Break::HashIgnoresScore => matches!(found, HashShared { what: "terminal score", .. }),
        Break::HashIgnoresMoveList => matches!(found, HashShared { what: "moves or outcomes", .. }),
        Break::HashIgnoresDepth => matches!(found, HashShared { what: "full depth", .. }),
        Break::HashIgnoresSuccessors => matches!(found, HashShared { what: "successors' hashes", .. }),
        Break::ScoreOffGrid => matches!(found, TerminalScore { .. }),
        Break::SlotTooGreat => matches!(found, MoveSlot { .. }),
        Break::DepthStays | Break::DepthUnknownBelow => matches!(found, FullDepth { .. }),
        Break::DepthAtEnd => matches!(found, FullDepthAtEnd { .. }),
        Break::BoundTooLow | Break::BoundTooHigh => matches!(found, OutcomeBounds { .. }),
        Break::BoundsOffGrid => matches!(found, OutcomeBoundsForm { .. }),
        Break::BoundsTooMany => matches!(found, TooManyBounds { .. }),
    }
}

#[test]
fn each_way_for_a_game_to_be_wrong_is_caught() {
    use Break::*;
    let cyclic = GraphShape { successors: 2..=5, ..GraphShape::default() };
    let ending = GraphShape { cycles: false, ..cyclic.clone() };
    let decisions = GraphShape { chance_percent: 0, ..cyclic.clone() };
    let ending_decisions = GraphShape { cycles: false, ..decisions.clone() };
    let ends = GraphShape { terminal_percent: 50, chance_percent: 40, ..cyclic.clone() };
    let cases = [
        (NoMoves, &cyclic),
        (NoOutcomes, &cyclic),
        (ZeroWeight, &cyclic),
        (HeavyWeights, &cyclic),
        (MoveOrder, &cyclic),
        (WeightsChange, &cyclic),
        (PlayChanges, &decisions),
        (HashIgnoresMoves, &decisions),
        (HashIgnoresOutcomes, &cyclic),
        (HashIgnoresPlayer, &ends),
        (HashIgnoresKind, &cyclic),
        (HashIgnoresScore, &ends),
        (HashIgnoresMoveList, &decisions),
        (HashIgnoresDepth, &ending_decisions),
        (HashIgnoresSuccessors, &decisions),
        (ScoreOffGrid, &cyclic),
        (SlotTooGreat, &cyclic),
        (DepthStays, &cyclic),
        (DepthUnknownBelow, &ending),
        (DepthAtEnd, &ending),
        (BoundTooLow, &cyclic),
        (BoundTooHigh, &cyclic),
        (BoundsOffGrid, &cyclic),
        (BoundsTooMany, &cyclic),
    ];
    for (fault, shape) in cases {
        let recognised = (0..40).filter(|&seed| {
            let game = Broken::new(fault, shape, seed);
            let violation = check_game(&game, &Marked(game.graph.start(), None), &PLAYS);
            violation.is_err_and(|violation| is_expected(fault, &violation.fault))
        });
        // Some graphs are too small to show the fault, and where positions share a hash, something else that
        // they differ in may be seen first.
        let recognised = recognised.count();
        assert!(recognised >= 4, "{fault:?} was recognised in {recognised} of 40 games");
    }
}

#[test]
fn a_hash_that_is_not_kept_up_is_caught() {
    let endless = GraphShape { chance_percent: 0, terminal_percent: 0, ..GraphShape::default() };
    for seed in 0..10 {
        let check = |fault| {
            let game = Broken::new(fault, &endless, seed);
            let start = Marked(game.graph.start(), None);
            check_hash(&game, &start, &PLAYS, |position| game.graph.hash(&position.0))
        };
        let report = check(Break::Nothing).unwrap();
        assert!(report.successors >= 30 * 61, "{report}");
        let violation = check(Break::HashAstray).unwrap_err();
        assert!(matches!(violation.fault, Fault::HashNotKept { .. }), "{violation}");
        assert_eq!(violation.path.len(), 1, "it is the first successor's: {violation}");
    }
}

#[test]
fn a_false_promise_that_no_outcome_ends_the_game_is_caught() {
    let check = |terminal_percent, seed, promises| {
        let shape = GraphShape { terminal_percent, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).unwrap();
        let start = graph.start();
        check_game(&Promising::new(graph, promises), &start, &PLAYS)
    };
    for seed in 0..10 {
        check(0, seed, true).unwrap();
        check(30, seed, false).unwrap();
        let violation = check(30, seed, true).unwrap_err();
        assert_eq!(violation.fault, Fault::OutcomeEnds, "seed {seed}");
        assert!(violation.path.last().is_some_and(|step| step.starts_with("outcome")), "{violation}");
    }
}

#[test]
fn the_game_that_is_broken_in_no_way_passes() {
    for seed in 0..10 {
        let game = Broken::new(Break::Nothing, &GraphShape::default(), seed);
        check_game(&game, &Marked(game.graph.start(), None), &PLAYS).unwrap();
    }
}

#[test]
fn a_violation_says_where_and_what() {
    let violation = check_evaluator(&Turns, &TooGreat, &0, &PLAYS).unwrap_err();
    assert_eq!((violation.game, violation.path.len()), (0, 0));
    assert_eq!(
        violation.to_string(),
        "game 0, ply 0, after the start: evaluation 8388608: expected -8388607 to 8388607"
    );
}

/// An evaluator whose every evaluation is one step off the grid.
struct TooGreat;

impl<G: Game> Evaluator<G> for TooGreat {
    type State = ();

    fn facts(&self, _: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(0)
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn evaluate(&self, game: &G, _: &G::Position, _: &()) -> Score {
        game.facts().grid.limit() + 1
    }
}

/// An evaluator that carries the number of the position along, and may forget to.
#[derive(Clone, Copy, Default)]
struct Number<const IGNORES: bool> {
    forgets_moves: bool,
    forgets_outcomes: bool,
    /// Whether it is one off where it evaluates a position from the state before the move.
    looks_back: bool,
}

impl<const IGNORES: bool> Evaluator<Broken> for Number<IGNORES> {
    type State = Score;
    const ABILITIES: Abilities = if IGNORES { Abilities::NONE.ignoring_outcomes() } else { Abilities::NONE };

    fn facts(&self, _: &Broken) -> EvaluatorFacts {
        EvaluatorFacts::new(0)
    }

    fn state(&self, _: &Broken, position: &Marked, before: Option<Before<'_, Broken, Score>>) -> Score {
        match before {
            Some(Before { state, step: Step::Move(_), .. }) if self.forgets_moves => *state,
            Some(Before { state, step: Step::Outcome(_), .. }) if self.forgets_outcomes => *state,
            _ => position.0.index as Score,
        }
    }

    fn evaluate(&self, _: &Broken, _: &Marked, state: &Score) -> Score {
        *state
    }

    fn evaluate_after_move(&self, game: &Broken, _: &Score, _: &Marked, _: u32, after: &Marked) -> Score {
        self.state(game, after, None) + Score::from(self.looks_back)
    }
}

/// What is wrong with an evaluator on random graphs, if anything.
fn evaluator_fault<const IGNORES: bool>(
    game_fault: Break,
    evaluator: &Number<IGNORES>,
) -> Vec<Option<Fault>> {
    let check = |seed| {
        let game = Broken::new(game_fault, &GraphShape::default(), seed);
        check_evaluator(&game, evaluator, &Marked(game.graph.start(), None), &PLAYS)
            .err()
            .map(|found| found.fault)
    };
    (0..10).map(check).collect()
}

#[test]
fn a_state_that_goes_astray_is_caught() {
    let sound = Number::<false>::default();
    assert!(evaluator_fault(Break::Nothing, &sound).iter().all(Option::is_none));
    let one_off = evaluator_fault(Break::Nothing, &Number::<false> { looks_back: true, ..sound });
    let is_found = |fault: &Option<Fault>| match *fault {
        Some(Fault::AfterMove { at_once, computed }) => at_once == computed + 1,
        _ => false,
    };
    assert!(one_off.iter().all(is_found), "{one_off:?}");
    for (forgets_moves, forgets_outcomes) in [(true, false), (false, true)] {
        let forgetful = Number::<false> { forgets_moves, forgets_outcomes, looks_back: false };
        let faults = evaluator_fault(Break::Nothing, &forgetful);
        assert!(faults.iter().all(|fault| matches!(fault, Some(Fault::StateNotKept { .. }))), "{faults:?}");
    }
}

#[test]
fn one_hash_with_two_evaluations_is_caught() {
    let sound = Number::<false>::default();
    let faults = evaluator_fault(Break::HashIgnoresKind, &sound);
    assert!(faults.iter().all(|fault| matches!(fault, Some(Fault::EvaluationChanged { .. }))), "{faults:?}");
}

#[test]
fn a_false_promise_to_ignore_outcomes_is_caught() {
    let faults = evaluator_fault(Break::Nothing, &Number::<true>::default());
    assert!(faults.iter().all(|fault| matches!(fault, Some(Fault::OutcomeNotIgnored { .. }))), "{faults:?}");
}

/// On what an evaluation made together with others depends.
#[derive(Clone, Copy, Debug)]
enum Company {
    Nothing,
    Size,
    Place,
    First,
}

/// A random evaluation that is another one, in some company.
struct InCompany(HashRandom, Company);

impl<G: Game> Evaluator<G> for InCompany {
    type State = ();

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.0.facts(game)
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn evaluate(&self, game: &G, position: &G::Position, state: &()) -> Score {
        self.0.evaluate(game, position, state)
    }

    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let first = self.evaluate(game, nodes[0].0, &());
        for (place, ((position, state), score)) in nodes.iter().zip(scores).enumerate() {
            let is_off = match self.1 {
                Company::Nothing => false,
                Company::Size => nodes.len() == 64,
                Company::Place => place == 13,
                Company::First => place > 0 && first % 3 == 0,
            };
            *score = self.evaluate(game, position, state) + Score::from(is_off);
        }
        Ok(())
    }
}

#[test]
fn an_evaluation_that_depends_on_its_company_is_caught() {
    for company in [Company::Nothing, Company::Size, Company::Place, Company::First] {
        for seed in 0..10 {
            let game = RandomGraph::new(&GraphShape::default(), seed).unwrap();
            let evaluator = InCompany(HashRandom::new(seed, 1000), company);
            let found = check_evaluator(&game, &evaluator, &game.start(), &PLAYS);
            let fault = found.err().map(|found| found.fault);
            match (company, &fault) {
                (Company::Nothing, None) => {}
                (Company::Size, Some(Fault::Company { size: 64, place: 0, together, alone }))
                | (Company::Place, Some(Fault::Company { size: 16, place: 13, together, alone }))
                | (Company::First, Some(Fault::Company { size: 2.., place: 1.., together, alone })) => {
                    assert_eq!(*together, alone + 1);
                }
                _ => panic!("{company:?}: {fault:?}"),
            }
        }
    }
}
