//! An evaluator of one's own in one file, on the game of Dice: checked by the test kit, then searched with.
//!
//! It likes checkers close to the middle of the board, and carries the balance along the moves instead of
//! counting the board at every leaf. What is carried is an integer, so it does not depend on the path by
//! which a position was reached. The die changes nothing that it looks at, which it promises
//! (`Abilities::ignores_outcome`).
//!
//! `cargo run --release --example evaluator`

use starsplit::Searcher;
use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Game, Player, Step, Texts};
use starsplit::score::Score;
use starsplit::search::{Algorithm, Limits, Options};
use starsplit::table::LocklessTable;
use starsplit_games::dice::{Dice, Move, Position, Rules};
use starsplit_testkit::{Plays, check_evaluator};

/// Who has more checkers close to the middle.
#[derive(Clone, Copy, Debug)]
struct Centre;

/// The balance of a full board of checkers in the middle, which no position reaches.
const WHOLE_SCALE: i32 = 1024;

/// What a checker on this cell is worth: more the closer it is to the middle, in either direction.
fn worth(dice: &Dice, cell: u8) -> i32 {
    let size = i32::from(dice.rules().size());
    let (row, column) = (i32::from(cell) / size, i32::from(cell) % size);
    let from_edge = |place: i32| place.min(size - 1 - place);
    1 + from_edge(row) + from_edge(column)
}

/// The same with the sign of the player it belongs to: above 0 for `Max`.
fn signed(player: Player, worth: i32) -> i32 {
    match player {
        Player::Max => worth,
        Player::Min => -worth,
    }
}

impl Evaluator<Dice> for Centre {
    /// The balance, as `Max` sees it.
    type State = i32;

    const ABILITIES: Abilities = Abilities::NONE.ignoring_outcomes();

    fn facts(&self, _: &Dice) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(0x6365_6e74_7265))
    }

    /// The balance before with what a move adds to it, or that of all stones.
    fn state(&self, dice: &Dice, position: &Position, before: Option<Before<'_, Dice, i32>>) -> i32 {
        if let Some(Before { position: before, state: balance, step }) = before {
            return match step {
                Step::Move(Move::Place(cell)) => balance + signed(before.to_act(), worth(dice, cell)),
                _ => *balance,
            };
        }
        let cells = 0..dice.rules().size().pow(2);
        let of = |player| {
            let stones = position.stones(player);
            let own = cells.clone().filter(|cell| stones >> cell & 1 == 1);
            signed(player, own.map(|cell| worth(dice, cell)).sum())
        };
        of(Player::Max) + of(Player::Min)
    }

    fn evaluate(&self, dice: &Dice, position: &Position, balance: &i32) -> Score {
        // Kept short of the ends, which only a finished game reaches.
        let own = signed(position.to_act(), *balance).clamp(1 - WHOLE_SCALE, WHOLE_SCALE - 1);
        own * (dice.facts().grid.limit() / WHOLE_SCALE)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dice = Dice::new(Rules::default());
    let plays = Plays { games: 200, max_plies: 60, seed: 1 };
    let report = check_evaluator(&dice, &Centre, &dice.initial(), &plays)?;
    println!("the test kit found no fault in {report}");

    let position = dice.parse("x.o../..x../.oo../.x..o/...x. x r3")?;
    let mut values = Vec::new();
    for (algorithm, threads) in [(Algorithm::Expectimax, 1), (Algorithm::Star2Tt, 1), (Algorithm::Star2Tt, 2)]
    {
        let options = Options { algorithm, threads, ..Options::default() };
        let searcher = Searcher::new(dice.clone(), Centre, LocklessTable::new(16)?).with_options(options);
        let result = searcher.request(&position).limits(Limits::depth(8)).search()?;
        println!(
            "{algorithm} on {threads} thread(s): value {:+.6}, best move {}, {} nodes in {:?}",
            result.value,
            result.best_move.map_or("none".to_owned(), |mv| dice.move_text(&position, mv)),
            result.stats.nodes.total(),
            result.elapsed,
        );
        values.push(result.value.to_bits());
    }
    if values.iter().any(|value| *value != values[0]) {
        return Err("the values differ".into());
    }
    Ok(())
}
