//! What the checks find wrong, and where.

use starsplit::evaluator::EvaluationError;
use starsplit::game::PositionHash;
use starsplit::score::{Bounds, Score};
use starsplit::search::MAX_PATH_LENGTH;

/// A broken rule, and the play that shows it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "game {game}, ply {}, after {}: {fault}",
    .path.len(),
    .path.last().map_or("the start", String::as_str)
)]
pub struct Violation {
    /// Which of the plays, counted from 0.
    pub game: u32,
    /// The moves and outcomes from the start to the position at fault.
    pub path: Vec<String>,
    /// What is wrong there.
    pub fault: Fault,
}

/// A rule of [`Game`](starsplit::game::Game) or [`Evaluator`](starsplit::evaluator::Evaluator) that does
/// not hold.
///
/// Moves and outcomes are named by their text, as their types need not be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A decision node without moves.
    #[error("no moves: expected at least one at a decision node")]
    NoMoves,
    /// A chance node without outcomes.
    #[error("no outcomes: expected at least one at a chance node")]
    NoOutcomes,
    /// An outcome that cannot happen.
    #[error("outcome {outcome} has weight 0: expected at least 1")]
    ZeroWeight {
        /// The outcome.
        outcome: String,
    },
    /// Weights that 32 bits cannot sum.
    #[error("weights sum to {sum}: expected at most {}", u32::MAX)]
    WeightSum {
        /// The sum.
        sum: u64,
    },
    /// Two askings for the same thing, two answers.
    #[error("{what} were {first} and then {second}: expected the same each time")]
    Unsteady {
        /// What was asked for.
        what: &'static str,
        /// The first answer.
        first: String,
        /// The second answer.
        second: String,
    },
    /// One move or outcome, taken twice, led to two positions.
    #[error("{step} led to the hash {first:x?} and then to {second:x?}: expected the same each time")]
    UnsteadyStep {
        /// The move or outcome.
        step: String,
        /// The first hash.
        first: PositionHash,
        /// The second hash.
        second: PositionHash,
    },
    /// The carried hash has gone astray.
    #[error("the position carries the hash {carried:x?}: expected {computed:x?}, as computed from scratch")]
    HashNotKept {
        /// The carried hash.
        carried: PositionHash,
        /// The hash computed from scratch.
        computed: PositionHash,
    },
    /// Two positions have the same hash and are not the same.
    #[error("hash {hash:x?} stands for two positions: {what} {first} and {second}")]
    HashShared {
        /// The hash.
        hash: PositionHash,
        /// In what they differ.
        what: &'static str,
        /// What it was when the hash was first met.
        first: String,
        /// What it is here.
        second: String,
    },
    /// A terminal's score is off the grid.
    #[error("terminal score {score}: expected {} to {limit}", -limit)]
    TerminalScore {
        /// The score.
        score: Score,
        /// The grid's limit.
        limit: Score,
    },
    /// A reward that is more than the grid can tell.
    #[error(
        "reward {reward}: expected {} to {}, twice the limit of the grid",
        -2 * i64::from(*limit), 2 * i64::from(*limit)
    )]
    Reward {
        /// The reward.
        reward: Score,
        /// The grid's limit.
        limit: Score,
    },
    /// What is worth nothing that a number tells.
    #[error("{what} is not a number: expected one from the grid, or its nearest end where values saturate")]
    NotANumber {
        /// What.
        what: &'static str,
    },
    /// A reward that carries the value of what it leads to beyond the grid.
    #[error(
        "reward {reward} and what it leads to, {below}, are worth {} together: expected {} to {limit}",
        i64::from(*reward) + i64::from(*below), -limit
    )]
    Worth {
        /// The reward.
        reward: Score,
        /// The terminal score or the evaluation of what it leads to, as the same player sees it.
        below: Score,
        /// The grid's limit.
        limit: Score,
    },
    /// A reward where the game says that it has none.
    #[error("reward {reward}: expected 0, as the game does not say that it has rewards (Steps::rewards)")]
    RewardUnsaid {
        /// The reward.
        reward: Score,
    },
    /// Plies other than one where the game says that there are none such.
    #[error("{plies} plies: expected 1, as the game does not say that it has others (Steps::plies)")]
    PliesUnsaid {
        /// The plies.
        plies: u8,
    },
    /// Moves and outcomes that take no ply lead in a circle.
    #[error(
        "{edges} moves and outcomes in a row that take no ply lead back to a position: expected that no such \
         chain goes on for ever"
    )]
    PliesLoop {
        /// How many there are from the position back to it.
        edges: usize,
    },
    /// Too many moves and outcomes in a row take no ply.
    #[error("{edges} moves and outcomes in a row take no ply: expected at most {MAX_PATH_LENGTH}")]
    PliesChain {
        /// How many.
        edges: usize,
    },
    /// A move's slot does not exist.
    #[error("{mv} has slot {slot}: expected less than {slots}")]
    MoveSlot {
        /// The move.
        mv: String,
        /// Its slot.
        slot: usize,
        /// How many slots the game says there are.
        slots: usize,
    },
    /// A step does not bring the declared end of the game nearer.
    #[error("full depth {after:?} after full depth {before}: expected a number less than that")]
    FullDepth {
        /// Before the step.
        before: u32,
        /// After it.
        after: Option<u32>,
    },
    /// A declared full depth that is too little for a step.
    #[error(
        "full depth {before} before a step of {plies} plies to full depth {after:?}: expected at least both \
         together, and 1"
    )]
    FullDepthPlies {
        /// Before the step.
        before: u32,
        /// The plies of the step.
        plies: u8,
        /// After it.
        after: Option<u32>,
    },
    /// A terminal with something left to search.
    #[error("full depth {found} at a terminal: expected 0 or none declared")]
    FullDepthAtEnd {
        /// What the game declares.
        found: u32,
    },
    /// An outcome that ends the game, where the game promises that none does.
    #[error("the outcome ends the game: expected that play goes on, as the game promises")]
    OutcomeEnds,
    /// Bounds of more outcomes than there are.
    #[error("bounds of {found} outcomes: expected no more than there are, {outcomes}")]
    TooManyBounds {
        /// How many.
        found: usize,
        /// How many outcomes there are.
        outcomes: usize,
    },
    /// Bounds of an outcome that are off the grid or crossed.
    #[error(
        "at depth {depth} {outcome} is said to be worth {} to {}: expected two scores from {} to {limit}, \
         the lower first",
        offered.lower, offered.upper, -limit
    )]
    OutcomeBoundsForm {
        /// The outcome.
        outcome: String,
        /// The chance node's depth.
        depth: u8,
        /// What the game says.
        offered: Bounds,
        /// The grid's limit.
        limit: Score,
    },
    /// Bounds of an outcome that do not hold: those of a game whatever the evaluator says, those of an
    /// evaluator given what it says.
    #[error(
        "at depth {depth} {outcome} is said to be worth {} to {}: expected bounds that {} to {} lie within",
        offered.lower, offered.upper, possible.lower, possible.upper
    )]
    OutcomeBounds {
        /// The outcome.
        outcome: String,
        /// The chance node's depth.
        depth: u8,
        /// What the game says.
        offered: Bounds,
        /// What the position after the outcome can be worth, for the chance node's player.
        possible: Bounds,
    },
    /// An evaluator's bounds of a position that are off the grid or crossed.
    #[error(
        "to depth {depth} the evaluator says that the value is {} to {}: expected two scores from {} to \
         {limit}, the lower first",
        offered.lower, offered.upper, -limit
    )]
    BoundsForm {
        /// The position's depth.
        depth: u8,
        /// What the evaluator says.
        offered: Bounds,
        /// The grid's limit.
        limit: Score,
    },
    /// An evaluator's bounds of a position that do not hold.
    #[error(
        "to depth {depth} the evaluator says that the value is {} to {}: expected bounds of {value}, which a \
         search finds",
        offered.lower, offered.upper
    )]
    Bounds {
        /// The position's depth.
        depth: u8,
        /// What the evaluator says.
        offered: Bounds,
        /// What a search to this depth finds with the evaluator, for the position's player.
        value: Score,
    },
    /// A position evaluates otherwise from the state before the move that leads to it.
    #[error(
        "the position after the move evaluates to {at_once} from the state before it: expected {computed}"
    )]
    AfterMove {
        /// The evaluation from the state before the move.
        at_once: Score,
        /// The evaluation from a new state.
        computed: Score,
    },
    /// A call for several evaluations failed.
    #[error("a call for {size} evaluations failed: {error}")]
    NotEvaluated {
        /// How many positions the call was for.
        size: usize,
        /// What the evaluator said.
        error: EvaluationError,
    },
    /// An evaluation depends on those that are made in the same call.
    #[error(
        "place {place} of {size} evaluated together is {together}: expected {alone}, as when evaluated alone"
    )]
    Company {
        /// How many were evaluated in the call.
        size: usize,
        /// Where in the call the position stood.
        place: usize,
        /// The evaluation in the call.
        together: Score,
        /// The evaluation alone.
        alone: Score,
    },
    /// The evaluator's carried state has gone astray.
    #[error("the carried state evaluates to {carried}: expected {computed}, as with the state computed anew")]
    StateNotKept {
        /// The evaluation from the carried state.
        carried: Score,
        /// The evaluation from a new state.
        computed: Score,
    },
    /// An evaluation is off the grid.
    #[error("evaluation {score}: expected {} to {limit}", -limit)]
    Evaluation {
        /// The evaluation.
        score: Score,
        /// The grid's limit.
        limit: Score,
    },
    /// One position, two evaluations.
    #[error("evaluation {second} of the hash {hash:x?}: expected {first}, as when it was first met")]
    EvaluationChanged {
        /// The hash of the position.
        hash: PositionHash,
        /// The evaluation when it was first met.
        first: Score,
        /// The evaluation here.
        second: Score,
    },
    /// Moves or outcomes are visited that are not those listed, or with other positions.
    #[error("visiting {what} gives {visited}: expected {listed}, as listing and taking them does")]
    Visited {
        /// Moves or outcomes.
        what: &'static str,
        /// Those visited, with the hashes after them.
        visited: String,
        /// Those listed, with the hashes after them.
        listed: String,
    },
    /// A search with a table finds another value than one without. Two positions with one hash are worth
    /// different things, or the game says different things of one position.
    #[error(
        "{} to depth {depth}, the position with the hash {hash:x?} is worth {} to {} by a search with a \
         table: expected {plain}, as without one",
        searched_game(*width), searched.lower, searched.upper
    )]
    SearchedValue {
        /// The hash of the position searched.
        hash: PositionHash,
        /// The depth.
        depth: u32,
        /// How many moves and outcomes of each position were searched, where it was not all.
        width: Option<usize>,
        /// The value without a table.
        plain: Score,
        /// What the search with a table finds, positions searched before with it included.
        searched: Bounds,
    },
    /// The table was told what contradicts what it knew.
    #[error(
        "{} to depth {depth}, a search of the position with the hash {hash:x?} met {contradictions} \
         contradictions in its table: expected none",
        searched_game(*width)
    )]
    Contradictions {
        /// The hash of the position searched.
        hash: PositionHash,
        /// The depth.
        depth: u32,
        /// How many moves and outcomes of each position were searched, where it was not all.
        width: Option<usize>,
        /// How many.
        contradictions: u64,
    },
    /// A search ended with an error.
    #[error("a search failed: {error}")]
    NotSearched {
        /// The error.
        error: String,
    },
    /// A position and its mirror image differ in what they should share, or share what should differ.
    #[error("in the mirror image: {what} {found}, expected {expected}")]
    NotMirrored {
        /// What.
        what: &'static str,
        /// What it is there.
        found: String,
        /// What it should be there, by the position.
        expected: String,
    },
    /// An evaluator that declares to ignore outcomes, or those of this chance node, does not.
    #[error(
        "{outcome} changes the evaluation from {before} to {after}: expected no change, as outcomes \
         are ignored"
    )]
    OutcomeNotIgnored {
        /// The outcome.
        outcome: String,
        /// The evaluation of the chance node, for its player.
        before: Score,
        /// The evaluation after the outcome, for the same player.
        after: Score,
    },
}

/// What is searched, with so many moves and outcomes of each position.
fn searched_game(width: Option<usize>) -> String {
    width.map_or_else(
        || "searched".to_owned(),
        |width| format!("searched with {width} moves or outcomes each"),
    )
}
