//! What an author should look at, though it need not be a fault.

use starsplit::game::Player;

/// What the plays of a check never met, or met in a way that is seldom meant. A game may be right all the
/// same: each warning says when.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// Nothing was looked at.
    #[error("no play was made: nothing is known of the game (Plays::games)")]
    NoPlay,
    /// No play came to an end.
    #[error(
        "none of {games} plays came to an end: nothing is known of what ends are worth (raise \
         Plays::max_plies, or start closer to the end)"
    )]
    NoEnd {
        /// The plays.
        games: u64,
    },
    /// More than half of the plays were left before they had ended.
    #[error(
        "{unfinished} of {games} plays were left before their end: little is known of ends (raise \
         Plays::max_plies, or start closer to the end)"
    )]
    Unfinished {
        /// Those that were left.
        unfinished: u64,
        /// All plays.
        games: u64,
    },
    /// No decision was met.
    #[error("no decision was met: nothing is known of moves")]
    NoDecision,
    /// Only one player ever moved.
    #[error(
        "{player:?} moves at all {decisions} decisions: right in a game for one, who is Max; in a game for \
         two Game::player never changes"
    )]
    OnePlayer {
        /// Who.
        player: Player,
        /// All decisions.
        decisions: u64,
    },
    /// No chance node was met.
    #[error("no chance node was met: nothing is known of outcomes and weights (right in a game without)")]
    NoChance,
    /// There was never a choice.
    #[error("each of {decisions} decisions had one move: right only where nothing is to choose")]
    OneMove {
        /// All decisions.
        decisions: u64,
    },
    /// Nothing was ever left to chance.
    #[error("each of {chances} chance nodes had one outcome: right only where nothing is left to chance")]
    OneOutcome {
        /// All chance nodes.
        chances: u64,
    },
    /// All ends are worth the same, in a game without rewards.
    #[error("all {ends} ends are worth {score} to Max: right only where play cannot end otherwise")]
    SameEnds {
        /// The ends.
        ends: u64,
        /// What they are worth to `Max`, in steps of the grid.
        score: i64,
    },
    /// Who moved last has mostly lost.
    #[error(
        "the last to move has lost at {lost} ends and won at {won}: right where the last move loses; \
         otherwise Game::terminal_score has the wrong sign"
    )]
    LastLoses {
        /// The ends lost by the last to move.
        lost: u64,
        /// The ends won by the last to move.
        won: u64,
    },
    /// Outcomes lead where others of the same chance node lead.
    #[error(
        "{merging} outcomes lead where an earlier one of their chance node leads: searches take them, but \
         one outcome with the sum of the weights costs less"
    )]
    Merging {
        /// How many, visit by visit.
        merging: u64,
    },
    /// Moves or outcomes lead back to the position at which they are taken.
    #[error(
        "{steps} moves and outcomes lead back to their own position: right only where they change nothing, \
         not even the player"
    )]
    Back {
        /// How many, visit by visit.
        steps: u64,
    },
    /// No two ways led to one hash.
    #[error(
        "no two ways led to one hash: one that forgets a part of the position would not be seen (more \
         plays see more)"
    )]
    NothingCompared,
    /// Nothing was evaluated.
    #[error("no position was evaluated: nothing is known of the evaluator")]
    NoEvaluation,
    /// All evaluations are the same.
    #[error("all {evaluations} evaluations are {score} to Max: right only for a constant evaluator")]
    SameEvaluations {
        /// The evaluations.
        evaluations: u64,
        /// What they are, as `Max` sees it.
        score: i64,
    },
    /// The evaluation right before ends mostly had the wrong sign.
    #[error(
        "before {misjudged} ends the evaluation had the wrong sign, before {foreseen} the right one: it, or \
         Game::terminal_score, may be told for the wrong player"
    )]
    Misjudged {
        /// The ends misjudged.
        misjudged: u64,
        /// The ends foreseen.
        foreseen: u64,
    },
    /// Bounds were offered, and none could be checked.
    #[error(
        "none of {unchecked} bounds were compared with values: too many positions below (start closer to \
         the end, or check a smaller game)"
    )]
    BoundsUnchecked {
        /// The bounds.
        unchecked: u64,
    },
    /// No search was compared.
    #[error(
        "no search was compared with a plain one: too many successors (check a smaller game, or start \
         closer to the end)"
    )]
    NothingSearched,
}
