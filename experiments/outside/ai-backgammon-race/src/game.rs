//! The backgammon of ai-backgammon, and what it says of positions, as starsplit wants them.

use ai_backgammon::{DICE_OUTCOMES, Dice, DiceOutcome, Position as Board, evaluate_position};
use starsplit::evaluator::{Abilities, Before, EvaluationCost, Evaluator, EvaluatorFacts};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash};
use starsplit::score::{Grid, Score};

/// The grid's limit: one, two and three points are on the grid.
const LIMIT: Score = 3 * 2_796_202;

/// Their rules, by their generator.
#[derive(Clone, Copy, Debug)]
pub struct Theirs {
    grid: Grid,
}

/// A board of theirs, before a roll or with one to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The checkers, and whose turn it is.
    pub board: Board,
    /// The roll to be played, if there is one.
    pub dice: Option<Dice>,
}

impl Theirs {
    /// Backgammon for points.
    pub fn new() -> Self {
        // Not refused: the range is not empty, and the limit is no more than the finest one.
        Theirs { grid: Grid::with_limit(-3.0, 3.0, LIMIT).unwrap_or_default() }
    }

    /// What they say of a board, for the player whose turn it is.
    fn worth(&self, board: Board) -> Score {
        self.grid.score(f64::from(evaluate_position(board).expected_points()))
    }
}

impl Game for Theirs {
    type Position = Position;
    /// The board that it leads to. Plays that lead to the same one are one move, as they are to their search.
    type Move = Board;
    type Outcome = Dice;

    fn identity(&self) -> u64 {
        1
    }

    /// The price is measured: 8 microseconds a move, nearly all of it for generating, and 10 ns a roll.
    fn facts(&self) -> GameFacts {
        GameFacts::new(self.grid).with_outcomes_never_end(true).with_depth_step(2).with_successor_ns(3500)
    }

    #[inline]
    fn kind(&self, position: &Position) -> NodeKind {
        match position.dice {
            Some(_) => NodeKind::Decision,
            None if position.board.game_outcome().is_some() => NodeKind::Terminal,
            None => NodeKind::Chance,
        }
    }

    #[inline]
    fn player(&self, position: &Position) -> Player {
        match position.board.side_to_move() {
            ai_backgammon::Player::White => Player::Max,
            ai_backgammon::Player::Black => Player::Min,
        }
    }

    fn terminal_score(&self, position: &Position) -> Score {
        self.worth(position.board)
    }

    /// Theirs, which is of all checkers and of whose turn it is, and the roll beside it.
    #[inline]
    fn hash(&self, position: &Position) -> PositionHash {
        let roll = position.dice.map_or(0, |dice| 8 * dice.high() + dice.low());
        PositionHash { high: position.board.hash(), low: roll.into() }
    }

    fn moves(&self, position: &Position, push: impl FnMut(Board)) {
        let Some(dice) = position.dice else { return };
        position.board.legal_outcomes(dice).iter().map(|outcome| outcome.position()).for_each(push);
    }

    #[inline]
    fn play(&self, _: &Position, after: Board) -> Position {
        Position { board: after, dice: None }
    }

    /// The likeliest first. That leaves the doubles for last, whose moves take longest to generate.
    #[inline]
    fn outcomes(&self, _: &Position, mut push: impl FnMut(Dice, u32)) {
        for weight in [2, 1] {
            let of_weight = DICE_OUTCOMES.iter().filter(|outcome| outcome.weight == weight);
            of_weight.for_each(|&DiceOutcome { dice, weight }| push(dice, weight.into()));
        }
    }

    #[inline]
    fn resolve(&self, position: &Position, dice: Dice) -> Position {
        Position { dice: Some(dice), ..*position }
    }
}

/// Their evaluation, in points. It does not look at the roll.
#[derive(Clone, Copy, Debug)]
pub struct TheirEvaluation;

impl Evaluator<Theirs> for TheirEvaluation {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.ignoring_outcomes();

    /// The price is measured, too.
    fn facts(&self, _: &Theirs) -> EvaluatorFacts {
        EvaluatorFacts::new(1).with_cost(EvaluationCost::each(300))
    }

    fn state(&self, _: &Theirs, _: &Position, _: Option<Before<'_, Theirs, ()>>) {}

    #[inline]
    fn evaluate(&self, game: &Theirs, position: &Position, (): &()) -> Score {
        game.worth(position.board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit_testkit::{Plays, check, check_cost};

    const START: Position = Position { board: Board::new(), dice: None };

    /// Among them: their hash tells all that matters.
    #[test]
    fn game_and_evaluation_keep_the_contracts() {
        let plays = Plays { games: 4, ..Plays::default() };
        let report =
            check(&Theirs::new(), &TheirEvaluation, &START, &plays).unwrap_or_else(|it| panic!("{it}"));
        println!("{report}");
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "prices are those of an optimised build")]
    fn prices_are_those_declared() {
        let costs = check_cost(&Theirs::new(), &TheirEvaluation, &START, &Plays::default());
        costs.unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}
