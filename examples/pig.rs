//! A game and its evaluator in one file: Pig, searched serially and on two threads.
//!
//! The players take turns at a die. While the turn lasts the player may roll again, which adds the pips to
//! the turn's total, or hold, which banks the total. A one ends the turn and loses its total. First to the
//! target wins.
//!
//! `cargo run --release --example pig`

use starsplit::Searcher;
use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Game, NodeKind, Player, PositionHash, Step};
use starsplit::score::Score;
use starsplit::search::Limits;

/// The rules: whoever banks this many points wins.
#[derive(Clone)]
pub(crate) struct Pig {
    target: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Move {
    Roll,
    Hold,
}

#[derive(Clone, Debug)]
pub(crate) struct Position {
    banked: [u32; 2],
    turn_total: u32,
    to_act: Player,
    rolling: bool,
}

impl Game for Pig {
    type Position = Position;
    type Move = Move;
    type Outcome = u32;

    fn identity(&self) -> u64 {
        mix64(u64::from(self.target))
    }

    fn kind(&self, position: &Position) -> NodeKind {
        if position.banked.iter().any(|&points| points >= self.target) {
            NodeKind::Terminal
        } else if position.rolling {
            NodeKind::Chance
        } else {
            NodeKind::Decision
        }
    }

    fn player(&self, position: &Position) -> Player {
        position.to_act
    }

    fn terminal_score(&self, position: &Position) -> Score {
        let won = position.banked[position.to_act as usize] >= self.target;
        let limit = self.facts().grid.limit();
        if won { limit } else { -limit }
    }

    fn hash(&self, position: &Position) -> PositionHash {
        let Position { banked, turn_total, to_act, rolling } = position;
        let parts = [banked[0], banked[1], *turn_total, *to_act as u32, u32::from(*rolling)];
        let fold =
            |seed| parts.iter().fold(seed, |hash, &part| mix64(hash ^ u64::from(part)).wrapping_add(1));
        PositionHash { high: fold(1), low: fold(2) }
    }

    fn moves(&self, position: &Position, mut push: impl FnMut(Move)) {
        push(Move::Roll);
        if position.turn_total > 0 {
            push(Move::Hold);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        let mut after = position.clone();
        match mv {
            Move::Roll => after.rolling = true,
            Move::Hold => {
                after.banked[position.to_act as usize] += position.turn_total;
                after.turn_total = 0;
                after.to_act = position.to_act.opponent();
            }
        }
        after
    }

    fn outcomes(&self, _position: &Position, mut push: impl FnMut(u32, u32)) {
        (1..=6).for_each(|pips| push(pips, 1));
    }

    fn resolve(&self, position: &Position, pips: u32) -> Position {
        let mut after = position.clone();
        after.rolling = false;
        if pips == 1 {
            after.turn_total = 0;
            after.to_act = position.to_act.opponent();
        } else {
            after.turn_total += pips;
        }
        after
    }
}

impl Pig {
    fn move_text(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Roll => "roll".to_owned(),
            Move::Hold => "hold".to_owned(),
        }
    }

    fn outcome_text(&self, _position: &Position, pips: u32) -> String {
        format!("a {pips}")
    }
}

/// Who is ahead, by what is banked and half of what the turn has so far.
struct Lead;

impl Evaluator<Pig> for Lead {
    type State = (); // what is carried from position to position: nothing

    fn facts(&self, _game: &Pig) -> EvaluatorFacts {
        EvaluatorFacts::new(1) // another number for other evaluations
    }

    fn state(&self, _game: &Pig, _position: &Position, _before: Option<Before<'_, Pig, ()>>) {}

    fn evaluate(&self, game: &Pig, position: &Position, _state: &()) -> Score {
        let own = position.banked[position.to_act as usize];
        let other = position.banked[position.to_act.opponent() as usize];
        let lead = f64::from(own) + f64::from(position.turn_total) / 2.0 - f64::from(other);
        game.facts().grid.score(lead / f64::from(2 * game.target))
    }
}

/// How play goes on by these steps, in words.
fn in_words(game: &Pig, position: &Position, steps: &[Step<Move, u32>]) -> String {
    let mut position = position.clone();
    let words = steps.iter().map(|&step| match step {
        Step::Move(mv) => {
            let text = game.move_text(&position, mv);
            position = game.play(&position, mv);
            text
        }
        Step::Outcome(pips) => {
            let text = game.outcome_text(&position, pips);
            position = game.resolve(&position, pips);
            text
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A game under way, which `Max` has to go on with.
pub(crate) fn under_way() -> (Pig, Position) {
    let position = Position { banked: [13, 16], turn_total: 4, to_act: Player::Max, rolling: false };
    (Pig { target: 50 }, position)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for threads in [1, 2] {
        let (game, position) = under_way();
        let searcher = Searcher::builder(game, Lead).threads(threads).table_mib(16).build()?;
        let result = searcher.request(&position).limits(Limits::depth(20)).search()?;
        println!(
            "{threads} thread(s): value {:+.6}, best move {:?}, {} nodes in {:?}",
            result.value,
            result.best_move,
            result.stats.nodes.total(),
            result.elapsed,
        );
        let line = searcher.request(&position).limits(Limits::depth(result.depth)).pv()?;
        println!("    {}", in_words(searcher.game(), &position, &line.steps));
    }
    Ok(())
}
