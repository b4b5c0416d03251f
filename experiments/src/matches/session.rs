//! A person plays at a terminal, or a script through a pipe: what is typed, and what is printed.

use crate::cli::lines::Next;
use crate::cli::{BadInput, is_bad_input};
use crate::matches::game::Course;
use crate::matches::player::SearchPlayer;
use crate::question::door::Entry;
use crate::question::doors::played;
use crate::question::play::{AnyPlay, Turn};
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
const HELP: &str = "Type a move, or: moves (those that are legal), hint (the best moves with their values), \
    undo (back to your move before), board, quit. Where you roll, type what came; rolls lists what may.\n";

/// How many moves a hint tells with their values.
const HINTED: u32 = 3;

/// A game between a person and the program.
#[derive(Debug)]
pub struct Session<'a> {
    player: &'a SearchPlayer<'a>,
    play: &'a dyn AnyPlay,
    /// Whose moves are typed.
    persons: Vec<Player>,
    dice: Dice,
    /// How far the game has come, and had before each move of a person's.
    now: Course,
    before: Vec<Course>,
}

/// What gives what is typed, line by line.
type Input<'i> = dyn FnMut() -> io::Result<Next> + 'i;

/// What is typed, or done in its stead.
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
        let (play, now) = (played(&*player.door)?, Course::from(position));
        Ok(Session { player, play, persons, dice, now, before: Vec::new() })
    }

    /// Plays until the game ends, `next` gives nothing more, or Ctrl-C comes.
    ///
    /// # Errors
    /// When something cannot be read or written, or a search ends with an error.
    pub fn run(&mut self, next: &mut Input<'_>, out: &mut dyn Write) -> anyhow::Result<SessionEnd> {
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
        let reward = turn.reward;
        self.now.take(turn);
        // Before a roll of the program's there is nothing to be decided by the board.
        let is_rolled = self.play.kind(&self.now.position)? == NodeKind::Chance && self.dice != Dice::Hand;
        if !is_rolled {
            write!(out, "{}", self.drawn()?)?;
        }
        if reward != 0 {
            writeln!(out, "score: {}", self.now.rewards(self.play))?;
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

    fn roll(&mut self, next: &mut Input<'_>, out: &mut dyn Write) -> anyhow::Result<Typed> {
        let typed = match self.dice {
            Dice::Seed(seed) => Typed::Turn(self.now.roll(self.play, seed, 0)?),
            Dice::Hand => {
                let outcomes = self.play.outcomes(&self.now.position)?;
                let texts: Vec<_> = outcomes.into_iter().map(|(text, _)| text).collect();
                self.typed("roll", &texts, |line| self.roll_by_text(line), next, out)?
            }
        };
        if let Typed::Turn(turn) = &typed {
            writeln!(out, "rolled: {}", turn.text)?;
        }
        Ok(typed)
    }

    fn roll_by_text(&self, line: &str) -> anyhow::Result<Turn> {
        let place = self.play.outcome_by_text(&self.now.position, line)?;
        self.play.resolve(&self.now.position, place)
    }

    fn choose(&self, next: &mut Input<'_>, out: &mut dyn Write) -> anyhow::Result<Typed> {
        let position = &self.now.position;
        let moves = self.play.moves(position)?;
        if self.is_persons_turn()? {
            return self.typed("move", &moves, |line| self.play.move_by_text(position, line), next, out);
        }
        let Some(found) = self.player.best(position, &moves)? else {
            return Ok(Typed::End(SessionEnd::Stopped));
        };
        writeln!(out, "the program plays {}", found.text)?;
        Ok(Typed::Turn(self.play.move_by_text(position, &found.text)?))
    }

    /// What a person types where a `what`, a move or a roll, is asked for, of which `texts` are those that
    /// there are; asked for until `read` knows it, or it is something else.
    fn typed(
        &self,
        what: &str,
        texts: &[String],
        read: impl Fn(&str) -> anyhow::Result<Turn>,
        next: &mut Input<'_>,
        out: &mut dyn Write,
    ) -> anyhow::Result<Typed> {
        loop {
            let line = match asked(what, next, out)? {
                Ok(line) => line,
                Err(end) => return Ok(Typed::End(end)),
            };
            match line.as_str() {
                "" => {}
                "undo" => return Ok(Typed::Undo),
                "quit" => return Ok(Typed::End(SessionEnd::Ended)),
                "help" => write!(out, "{HELP}")?,
                "board" => write!(out, "{}", self.drawn()?)?,
                list if list.strip_suffix('s') == Some(what) => writeln!(out, "{}", texts.join(", "))?,
                "hint" if what == "move" => {
                    if !self.hint(out)? {
                        return Ok(Typed::End(SessionEnd::Stopped));
                    }
                }
                _ => match read(&line) {
                    Ok(turn) => return Ok(Typed::Turn(turn)),
                    Err(error) if is_bad_input(&error) => writeln!(out, "{error}")?,
                    Err(error) => return Err(error),
                },
            }
        }
    }

    /// Tells the best moves with their values; false where a stop came first.
    fn hint(&self, out: &mut dyn Write) -> anyhow::Result<bool> {
        let Some((ranked, depth)) = self.player.ranked(&self.now.position, HINTED)? else { return Ok(false) };
        if depth == 0 {
            writeln!(out, "no value: no search to depth 1 was completed")?;
            return Ok(true);
        }
        writeln!(out, "to depth {depth}, for whoever moves:")?;
        for (name, value) in ranked.lines() {
            writeln!(out, "{name:<7} {value}")?;
        }
        Ok(true)
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
        let value = self.now.worth(self.play)?;
        let result = self.play.result_text(&self.now.position)?;
        let beside = if result.is_empty() { String::new() } else { format!("; {result}") };
        Ok(writeln!(out, "The game is over: it is worth {value} to the first player{beside}.")?)
    }
}

/// The next line, without spaces around it, where a `what` is asked for; or how the session ends where there
/// is none.
fn asked(
    what: &str,
    next: &mut Input<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<Result<String, SessionEnd>> {
    write!(out, "{what}> ")?;
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
