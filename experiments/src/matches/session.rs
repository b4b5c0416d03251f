//! A person plays at a terminal, or a script through a pipe: what is typed, and what is printed.

use crate::cli::lines::Next;
use crate::cli::{BadInput, is_bad_input};
use crate::matches::game::in_units;
use crate::matches::player::SearchPlayer;
use crate::matches::rolls::{self, Purpose};
use crate::question::door::Entry;
use crate::question::doors::played;
use crate::question::play::{AnyPlay, Turn};
use anyhow::Context;
use starsplit::game::{NodeKind, Player};
use std::io::{self, Write};

/// Who rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dice {
    /// The program, from a seed.
    Seed(u64),
    /// The person, who types what was rolled.
    Hand,
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The game came to its end, or the person had enough.
    Ended,
    /// Ctrl-C came.
    Stopped,
}

/// What can be typed instead of a move or a roll.
const HELP: &str = "Type a move, or: moves (those that are legal), hint (what the program would play), undo \
    (back to your move before), board, quit. Where you roll, type what came; rolls lists what may.\n";

/// A game between a person and the program.
#[derive(Debug)]
pub struct Session<'a> {
    player: &'a SearchPlayer<'a>,
    play: &'a dyn AnyPlay,
    /// Whose moves are typed.
    persons: Vec<Player>,
    dice: Dice,
    /// The position, and those before it that a person may go back to.
    now: Moment,
    before: Vec<Moment>,
}

/// How far a game has come.
#[derive(Clone, Debug)]
struct Moment {
    position: Entry,
    /// The rewards so far, in steps of the grid, as the first player sees them.
    total: i64,
    rolls: u64,
}

/// What a typed line comes to.
enum Typed {
    Turn(Turn),
    Undo,
    End(SessionEnd),
}

impl<'a> Session<'a> {
    /// A session that begins at a position. What the program plays, or advises, the `player` finds.
    ///
    /// # Errors
    /// When the game cannot be played.
    pub fn new(
        player: &'a SearchPlayer<'a>,
        persons: Vec<Player>,
        dice: Dice,
        position: Entry,
    ) -> Result<Self, BadInput> {
        let now = Moment { position, total: 0, rolls: 0 };
        Ok(Session { player, play: played(&*player.door)?, persons, dice, now, before: Vec::new() })
    }

    /// Plays until the game ends, nothing more is typed, or Ctrl-C comes. `next` gives what is typed, line by
    /// line.
    ///
    /// # Errors
    /// When something cannot be read or written, or a search ends with an error.
    pub fn run(
        &mut self,
        next: &mut dyn FnMut() -> io::Result<Next>,
        out: &mut dyn Write,
    ) -> anyhow::Result<SessionEnd> {
        write!(out, "{HELP}\n{}", self.drawn()?)?;
        loop {
            let typed = match self.play.kind(&self.now.position)? {
                NodeKind::Terminal => {
                    self.write_end(out)?;
                    return Ok(SessionEnd::Ended);
                }
                NodeKind::Chance => self.roll(next, out)?,
                NodeKind::Decision => self.choose(next, out)?,
            };
            match typed {
                Typed::Turn(turn) => self.take(turn, out)?,
                Typed::Undo => self.undo(out)?,
                Typed::End(end) => {
                    writeln!(out, "The game was not finished.")?;
                    return Ok(end);
                }
            }
        }
    }

    fn take(&mut self, turn: Turn, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.is_persons_turn()? {
            self.before.push(self.now.clone());
        }
        self.now.total += i64::from(turn.reward);
        self.now.position = turn.after;
        // Before a roll of the program's there is nothing to be decided by the board.
        let is_rolled = self.play.kind(&self.now.position)? == NodeKind::Chance && self.dice != Dice::Hand;
        if !is_rolled {
            write!(out, "{}", self.drawn()?)?;
        }
        if turn.reward != 0 {
            writeln!(out, "score: {}", in_units(self.play, self.now.total))?;
        }
        Ok(())
    }

    /// Back to where a person chose last; the same rolls come again.
    fn undo(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self.before.pop() {
            Some(before) => {
                self.now = before;
                write!(out, "{}", self.drawn()?)?;
            }
            None => writeln!(out, "undo: expected a move of yours before")?,
        }
        Ok(())
    }

    fn roll(
        &mut self,
        next: &mut dyn FnMut() -> io::Result<Next>,
        out: &mut dyn Write,
    ) -> anyhow::Result<Typed> {
        let outcomes = self.play.outcomes(&self.now.position)?;
        let place = match self.dice {
            Dice::Seed(seed) => {
                let bits = rolls::bits(seed, Purpose::Rolls, 0, self.now.rolls);
                let complain = || format!("position {}: a roll without outcomes", self.now.position.text);
                rolls::outcome(bits, &outcomes).with_context(complain)?
            }
            Dice::Hand => match self.typed_roll(&outcomes, next, out)? {
                Ok(place) => place,
                Err(other) => return Ok(other),
            },
        };
        self.now.rolls += 1;
        let turn = self.play.resolve(&self.now.position, place)?;
        writeln!(out, "rolled: {}", turn.text)?;
        Ok(Typed::Turn(turn))
    }

    /// The place of the outcome that is typed, asked for until there is one; or what else is typed.
    fn typed_roll(
        &self,
        outcomes: &[(String, u32)],
        next: &mut dyn FnMut() -> io::Result<Next>,
        out: &mut dyn Write,
    ) -> anyhow::Result<Result<usize, Typed>> {
        loop {
            let line = match asked("roll> ", next, out)? {
                Ok(line) => line,
                Err(end) => return Ok(Err(Typed::End(end))),
            };
            let is_meant = |(text, _): &(String, u32)| text.eq_ignore_ascii_case(&line);
            match (line.as_str(), outcomes.iter().position(is_meant)) {
                (_, Some(place)) => return Ok(Ok(place)),
                ("", None) => {}
                ("undo", None) => return Ok(Err(Typed::Undo)),
                ("quit", None) => return Ok(Err(Typed::End(SessionEnd::Ended))),
                ("help", None) => write!(out, "{HELP}")?,
                ("board", None) => write!(out, "{}", self.drawn()?)?,
                ("rolls", None) => {
                    let texts: Vec<_> = outcomes.iter().map(|(text, _)| text.as_str()).collect();
                    writeln!(out, "{}", texts.join(", "))?;
                }
                _ => {
                    let first = outcomes.first().map_or("", |(text, _)| text.as_str());
                    let expected = format_args!("expected one of {} rolls, such as {first}", outcomes.len());
                    writeln!(out, "{}", BadInput::new("roll", &line, expected))?;
                }
            }
        }
    }

    fn choose(
        &mut self,
        next: &mut dyn FnMut() -> io::Result<Next>,
        out: &mut dyn Write,
    ) -> anyhow::Result<Typed> {
        let moves = self.play.moves(&self.now.position)?;
        if !self.is_persons_turn()? {
            let Some(found) = self.player.best(&self.now.position, &moves)? else {
                return Ok(Typed::End(SessionEnd::Stopped));
            };
            writeln!(out, "the program plays {}", found.text)?;
            return Ok(Typed::Turn(self.play.move_by_text(&self.now.position, &found.text)?));
        }
        loop {
            let line = match asked("move> ", next, out)? {
                Ok(line) => line,
                Err(end) => return Ok(Typed::End(end)),
            };
            match line.as_str() {
                "" => {}
                "undo" => return Ok(Typed::Undo),
                "quit" => return Ok(Typed::End(SessionEnd::Ended)),
                "help" => write!(out, "{HELP}")?,
                "board" => write!(out, "{}", self.drawn()?)?,
                "moves" => writeln!(out, "{}", moves.join(", "))?,
                "hint" => match self.player.best(&self.now.position, &moves)? {
                    Some(found) => writeln!(out, "{}, to depth {}", found.text, found.depth)?,
                    None => return Ok(Typed::End(SessionEnd::Stopped)),
                },
                _ => match self.play.move_by_text(&self.now.position, &line) {
                    Ok(turn) => return Ok(Typed::Turn(turn)),
                    Err(error) if is_bad_input(&error) => writeln!(out, "{error}")?,
                    Err(error) => return Err(error),
                },
            }
        }
    }

    /// Whether what comes next is a move that a person types.
    fn is_persons_turn(&self) -> anyhow::Result<bool> {
        let position = &self.now.position;
        let is_decision = self.play.kind(position)? == NodeKind::Decision;
        Ok(is_decision && self.persons.contains(&self.play.player(position)?))
    }

    fn drawn(&self) -> anyhow::Result<String> {
        Ok(format!("\n{}\n", self.play.draw(&self.now.position)?.trim_end()))
    }

    fn write_end(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let position = &self.now.position;
        let end = self.play.terminal_score(position)?;
        let value = in_units(self.play, self.now.total + i64::from(end));
        let result = self.play.result_text(position)?;
        let beside = if result.is_empty() { String::new() } else { format!("; {result}") };
        Ok(writeln!(out, "The game is over: it is worth {value} to the first player{beside}.")?)
    }
}

/// The next line, without spaces around it and asked for by a prompt; or how the session ends where there is
/// none.
fn asked(
    prompt: &str,
    next: &mut dyn FnMut() -> io::Result<Next>,
    out: &mut dyn Write,
) -> anyhow::Result<Result<String, SessionEnd>> {
    write!(out, "{prompt}")?;
    out.flush()?;
    let next = next()?;
    if !matches!(next, Next::Line(_)) {
        // What follows the prompt begins on a line of its own.
        writeln!(out)?;
    }
    Ok(match next {
        Next::Line(line) => Ok(line.trim().to_owned()),
        Next::End | Next::Late => Err(SessionEnd::Ended),
        Next::Stopped => Err(SessionEnd::Stopped),
    })
}
