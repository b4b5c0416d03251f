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
    /// What ends the game under way.
    pub stop: &'a StopFlag,
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
    let play = played(rules.door)?;
    let position = rules.door.initial();
    let mut game = Game {
        rules,
        play,
        number,
        position,
        total: 0,
        plies: 0,
        rolls: 0,
        sides: [MatchSide::default(); 2],
    };
    for player in players.iter_mut() {
        player.new_game()?;
    }
    while game.plies < rules.max_plies {
        let turn = match play.kind(&game.position)? {
            NodeKind::Terminal => break,
            NodeKind::Chance => Some(game.roll()?),
            NodeKind::Decision => game.choose(players)?,
        };
        match turn {
            Some(turn) if !rules.stop.is_raised() => game.take(turn),
            _ => return Ok(None),
        }
    }
    game.line().map(Some)
}

struct Game<'a> {
    rules: &'a Rules<'a>,
    play: &'a dyn AnyPlay,
    number: u64,
    position: Entry,
    /// The rewards so far, in steps of the grid, as the first player sees them.
    total: i64,
    plies: u64,
    rolls: u64,
    sides: [MatchSide; 2],
}

impl Game<'_> {
    fn take(&mut self, turn: Turn) {
        self.total += i64::from(turn.reward);
        self.position = turn.after;
        self.plies += 1;
    }

    fn roll(&mut self) -> anyhow::Result<Turn> {
        let outcomes = self.play.outcomes(&self.position)?;
        let pair = (self.number - 1) / 2;
        let bits = rolls::bits(self.rules.seed, Purpose::Rolls, pair, self.rolls);
        self.rolls += 1;
        let place = rolls::outcome(bits, &outcomes);
        let place =
            place.with_context(|| format!("position {}: a roll without outcomes", self.position.text))?;
        self.play.resolve(&self.position, place)
    }

    fn choose(&mut self, players: &mut [Box<dyn Chooser + '_>; 2]) -> anyhow::Result<Option<Turn>> {
        let moves = self.play.moves(&self.position)?;
        let setting = self.mover()?;
        let side = &mut self.sides[setting];
        side.moves += 1;
        if let [only] = moves.as_slice() {
            return self.play.move_by_text(&self.position, only).map(Some);
        }
        let bits = rolls::bits(self.rules.seed, Purpose::Moves, self.number, self.plies);
        let begun = Instant::now();
        let choice = Choice { position: &self.position, moves: &moves, bits };
        let Some(chosen) = players[setting].choose(&choice)? else { return Ok(None) };
        side.asked += 1;
        side.time_ns += u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        side.depths += chosen.depth;
        side.nodes += chosen.nodes;
        let made = self.play.move_by_text(&self.position, &chosen.text);
        // Not the user's input, whoever has sent it.
        made.map(Some).map_err(|error| {
            let (number, position) = (self.number, &self.position.text);
            let who = players[setting].name();
            anyhow!("{who}, game {number}, position {position:?}: {error}")
        })
    }

    /// Which setting is to move: the first has the first player's side in games of odd numbers.
    fn mover(&self) -> anyhow::Result<usize> {
        let is_max = self.play.player(&self.position)? == Player::Max;
        Ok(usize::from(is_max != self.one_is_max()))
    }

    fn one_is_max(&self) -> bool {
        self.number % 2 == 1
    }

    fn line(self) -> anyhow::Result<MatchLine> {
        let finished = self.play.kind(&self.position)? == NodeKind::Terminal;
        let end = if finished { self.play.terminal_score(&self.position)? } else { 0 };
        let value = in_units(self.play, self.total + i64::from(end));
        let [one, two] = self.sides;
        Ok(MatchLine {
            schema: SCHEMA,
            game: self.rules.door.game().to_owned(),
            number: self.number,
            // Adding 0 makes of -0 a 0.
            points: if self.one_is_max() { value } else { -value } + 0.0,
            finished,
            plies: self.plies,
            result: self.play.result_text(&self.position)?,
            position: self.position.text,
            one,
            two,
        })
    }
}

/// So many steps of the grid in the game's units. Those of whole games may be more than the grid has.
pub fn in_units(play: &dyn AnyPlay, steps: i64) -> f64 {
    let grid = play.grid();
    let (low, high) = grid.range();
    (low + high) / 2.0 + (high - low) / 2.0 * (steps as f64 / f64::from(grid.limit()))
}
