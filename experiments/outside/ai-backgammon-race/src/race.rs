//! The searches of both at one position, held against each other and timed.

use crate::game::{Position, TheirEvaluation, Theirs};
use ai_backgammon::{DICE_OUTCOMES, Dice, DiceOutcome, Position as Board, SearchOptions, evaluate_position};
use anyhow::{Context, Result, ensure};
use starsplit::Searcher;
use starsplit::game::Game;
use starsplit::score::{Grid, Score};
use starsplit::search::Limits;
use starsplit::table::{LocklessTable, Table};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Who is timed: they, and we on one thread and on two.
pub const RACERS: usize = 3;

/// The entries of their table by default, and the bytes of each.
const THEIR_ENTRIES: usize = 1 << 15;
const THEIR_ENTRY: usize = 40;

/// The bytes of a bucket of our table.
const OUR_BUCKET: usize = 64;

/// The bytes of every table.
pub const TABLE: usize = THEIR_ENTRIES * THEIR_ENTRY;

/// The searchers of all racers.
pub struct Race {
    they: ai_backgammon::Searcher,
    we: [Searcher<Theirs, TheirEvaluation>; 2],
}

/// What comes of a race at one position.
pub struct Timed {
    /// The median times.
    pub times: [Duration; RACERS],
    /// How far their value and ours are apart, in points.
    pub difference: f64,
}

impl Race {
    /// Searchers with tables of as many bytes, and no limits.
    pub fn new() -> Result<Self> {
        let we = |threads| -> Result<_> {
            let table = LocklessTable::with_buckets((TABLE / OUR_BUCKET) as u64)?;
            Ok(Searcher::builder(Theirs::new(), TheirEvaluation).threads(threads).table(table).build()?)
        };
        let they = ai_backgammon::Searcher::with_table_entries(THEIR_ENTRIES);
        Ok(Race { they, we: [we(1)?, we(2)?] })
    }

    /// Times so many rounds, after a search by each racer in which the answers agree.
    pub fn run(&mut self, position: &Position, turns: u8, rounds: usize) -> Result<Timed> {
        let dice = position.dice.context("a position without a roll")?;
        let difference = self.compare(position, dice, turns)?;
        let mut times = [(); RACERS].map(|()| Vec::with_capacity(rounds));
        for round in 0..rounds {
            for racer in (0..RACERS).map(|place| (place + round) % RACERS) {
                let begun = Instant::now();
                match racer {
                    0 => _ = black_box(self.they.search(position.board, dice, unlimited(turns))),
                    _ => _ = black_box(search(&self.we[racer - 1], position, turns)?),
                }
                times[racer].push(begun.elapsed());
            }
        }
        Ok(Timed { times: times.map(median), difference })
    }

    /// How far the values are apart. Fails where that is too far, where what they say of our best move is, or
    /// where two threads find another value than one.
    fn compare(&mut self, position: &Position, dice: Dice, turns: u8) -> Result<f64> {
        let [one, two] = [0, 1].map(|racer| search(&self.we[racer], position, turns));
        let ((score, best), (on_two, best_on_two)) = (one?, two?);
        let grid = self.we[0].game().facts().grid;
        let (ours, most) = (grid.difference(score), tolerance(turns, &grid));
        let theirs = self.worth(position.board, dice, turns);
        let of_moves = [best, best_on_two].map(|after| -self.worth_before_roll(after, turns - 1));
        let agree = [theirs, of_moves[0], of_moves[1]].iter().all(|value| (value - ours).abs() <= most);
        ensure!(
            agree && score == on_two,
            "values differ at depth {turns}, roll {dice}, {:?}: theirs {theirs}, ours {ours}, on two \
             threads {}, our moves to them {of_moves:?}: expected {most:.1e} between theirs and ours at most",
            position.board,
            grid.difference(on_two)
        );
        Ok((theirs - ours).abs())
    }

    /// What their search finds a position with a roll to be worth, for the player to move.
    fn worth(&mut self, board: Board, dice: Dice, turns: u8) -> f64 {
        self.they.search(board, dice, unlimited(turns)).equity.expected_points().into()
    }

    /// What it finds a board to be worth before a roll, for the player whose turn it is: it has to be asked
    /// for each roll.
    fn worth_before_roll(&mut self, board: Board, turns: u8) -> f64 {
        if turns == 0 || board.game_outcome().is_some() {
            return evaluate_position(board).expected_points().into();
        }
        let of_roll = |&DiceOutcome { dice, weight }: &DiceOutcome| {
            f64::from(weight) / 36.0 * self.worth(board, dice, turns)
        };
        DICE_OUTCOMES.iter().map(of_roll).sum()
    }
}

/// How many plies their depth comes to: so many moves, and the rolls between them. What comes after the last
/// move is evaluated before a roll, by both.
pub fn plies(turns: u8) -> u32 {
    2 * u32::from(turns) - 1
}

/// Their depth alone.
fn unlimited(turns: u8) -> SearchOptions {
    SearchOptions { max_depth: turns, node_limit: u64::MAX, soft_time_ms: 0 }
}

/// Our score for the player to move, and our move, from an empty table. Their search empties its own; it has
/// no call without that. Ours is emptied by one thread, too: for so small a table another costs more.
fn search(
    searcher: &Searcher<Theirs, TheirEvaluation>,
    position: &Position,
    turns: u8,
) -> Result<(Score, Board)> {
    searcher.table().clear(1);
    let result = searcher.request(position).limits(Limits::depth(plies(turns))).search()?;
    ensure!(result.contradictions() == 0, "{} contradictions at {position:?}", result.contradictions());
    let found = result.score().zip(result.best_move);
    found.with_context(|| format!("no value of {position:?}"))
}

/// How far values may be apart, in points. They calculate with six probabilities in 24 bits. A turn rounds
/// 22 times in the mean over 21 rolls, and 14 times in the points of two moves of which it may choose the
/// lesser one for that; points that are told, and those of our leaves, are rounded 7 times. That is no more
/// than 40 times a turn, of 3 points at the most. We round a turn once, by half a step of the grid.
fn tolerance(turns: u8, grid: &Grid) -> f64 {
    let roundoff = f64::from(f32::EPSILON) / 2.0;
    f64::from(turns) * (40.0 * 3.0 * roundoff + grid.difference(1) / 2.0)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
