//! One game of a match, from the start to its end.

use crate::matches::player::{Choice, Chooser};
use crate::matches::rolls::{self, Purpose};
use crate::question::door::{Door, Entry};
use crate::question::doors::played;
use crate::question::play::{AnyPlay, Turn};
use crate::records::meta::SCHEMA;
use crate::records::others::{MatchLine, MatchSide};
use anyhow::{Context, anyhow};
use starsplit::game::{NodeKind, Player};
use starsplit::search::StopFlag;
use std::time::Instant;

/// What all games of a match have in common.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The door to the game.
    pub door: &'a dyn Door,
    /// From which rolls are drawn.
    pub seed: u64,
    /// How many moves and outcomes a game may have.
    pub max_plies: u64,
    /// What ends the games under way.
    pub stop: &'a StopFlag,
}

/// How far a game has come.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) position: Entry,
    /// The rewards so far, in steps of the grid, as the first player sees them.
    total: i64,
    rolls: u64,
}

impl Course {
    pub(super) fn from(position: Entry) -> Self {
        Course { position, total: 0, rolls: 0 }
    }

    pub(super) fn take(&mut self, turn: Turn) {
        self.total += i64::from(turn.reward);
        self.position = turn.after;
    }

    /// The next outcome of the pair of games, as it is drawn from the seed.
    pub(super) fn roll(&mut self, play: &dyn AnyPlay, seed: u64, pair: u64) -> anyhow::Result<Turn> {
        let bits = rolls::bits(seed, Purpose::Rolls, pair, self.rolls);
        let place = rolls::outcome(bits, &play.outcomes(&self.position)?);
        let complaint = || format!("position {}: a roll without outcomes", self.position.text);
        self.rolls += 1;
        play.resolve(&self.position, place.with_context(complaint)?)
    }

    /// The rewards so far in the game's units.
    pub(super) fn rewards(&self, play: &dyn AnyPlay) -> f64 {
        in_units(play, self.total)
    }

    /// The same with what the end is worth, where it has come to that.
    pub(super) fn worth(&self, play: &dyn AnyPlay) -> anyhow::Result<f64> {
        let is_over = play.kind(&self.position)? == NodeKind::Terminal;
        let end = if is_over { play.terminal_score(&self.position)? } else { 0 };
        Ok(in_units(play, self.total + i64::from(end)))
    }
}

/// So many steps of the grid in the game's units. Those of whole games may be more than the grid has.
fn in_units(play: &dyn AnyPlay, steps: i64) -> f64 {
    let grid = play.grid();
    let (low, high) = grid.range();
    (low + high) / 2.0 + (high - low) / 2.0 * (steps as f64 / f64::from(grid.limit()))
}

/// Plays game `number` of a match, from 1; none where a stop came first.
///
/// # Errors
/// When a player cannot choose, or chooses what is no legal move.
pub fn play(
    rules: &Rules<'_>,
    number: u64,
    players: &mut [Box<dyn Chooser + '_>; 2],
) -> anyhow::Result<Option<MatchLine>> {
    let (play, course) = (played(rules.door)?, Course::from(rules.door.initial()));
    let mut game = Game { rules, play, number, course, plies: 0, sides: [MatchSide::default(); 2] };
    for player in players.iter_mut() {
        player.new_game()?;
    }
    while game.plies < rules.max_plies {
        let turn = match play.kind(&game.course.position)? {
            NodeKind::Terminal => break,
            NodeKind::Chance => Some(game.course.roll(play, rules.seed, (number - 1) / 2)?),
            NodeKind::Decision => game.choose(players)?,
        };
        match turn {
            Some(turn) if !rules.stop.is_raised() => game.course.take(turn),
            _ => return Ok(None),
        }
        game.plies += 1;
    }
    game.line().map(Some)
}

struct Game<'a> {
    rules: &'a Rules<'a>,
    play: &'a dyn AnyPlay,
    number: u64,
    course: Course,
    plies: u64,
    sides: [MatchSide; 2],
}

impl Game<'_> {
    fn choose(&mut self, players: &mut [Box<dyn Chooser + '_>; 2]) -> anyhow::Result<Option<Turn>> {
        let position = &self.course.position;
        let moves = self.play.moves(position)?;
        // The first setting has the first player's side in games of odd numbers.
        let is_one = (self.play.player(position)? == Player::Max) == (self.number % 2 == 1);
        let (side, player) = (&mut self.sides[usize::from(!is_one)], &mut players[usize::from(!is_one)]);
        side.moves += 1;
        if let [only] = moves.as_slice() {
            return self.play.move_by_text(position, only).map(Some);
        }
        let bits = rolls::bits(self.rules.seed, Purpose::Moves, self.number, self.plies);
        let begun = Instant::now();
        let Some(chosen) = player.choose(&Choice { position, moves: &moves, bits })? else { return Ok(None) };
        side.asked += 1;
        side.time_ns += u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        side.depths += chosen.info.depth;
        side.nodes += chosen.info.nodes;
        let made = self.play.move_by_text(position, &chosen.text);
        // Not the user's input, whoever has sent it.
        made.map(Some).map_err(|error| {
            anyhow!("{}, game {}, position {:?}: {error}", player.name(), self.number, position.text)
        })
    }

    fn line(self) -> anyhow::Result<MatchLine> {
        let value = self.course.worth(self.play)?;
        let position = self.course.position;
        let [one, two] = self.sides;
        Ok(MatchLine {
            schema: SCHEMA,
            game: self.rules.door.game().to_owned(),
            number: self.number,
            // Adding 0 makes of -0 a 0.
            points: if self.number % 2 == 1 { value } else { -value } + 0.0,
            finished: self.play.kind(&position)? == NodeKind::Terminal,
            plies: self.plies,
            result: self.play.result_text(&position)?,
            position: position.text,
            one,
            two,
        })
    }
}
