//! The other end of the line protocol: a search of ours that answers somebody else's match.

use crate::cli::BadInput;
use crate::matches::level::Level;
use crate::matches::player::{Chooser, Chosen, SearchPlayer};
use crate::matches::protocol::{Answer, Request};
use crate::matches::setting::SearchSetting;
use crate::question::door::Entry;
use crate::question::doors;
use crate::question::tables;
use anyhow::Context;
use starsplit::game::NodeKind;
use starsplit::search::StopFlag;
use starsplit_tables::AnyTable;
use std::io::{self, Write};

/// Answers requests until there are no more, one says to quit, or a stop comes. What cannot be done is
/// answered by an error and changes nothing.
///
/// # Errors
/// When the table's memory is refused, or answers cannot be written.
pub fn serve(
    setting: &SearchSetting,
    mut next: impl FnMut() -> io::Result<Option<String>>,
    output: &mut dyn Write,
    stop: &StopFlag,
) -> anyhow::Result<()> {
    let table = tables::table(setting.table_mb)?;
    let mut engine = Engine { setting, table: &table, stop, player: None, position: None };
    while let Some(line) = next()? {
        let answers = match Request::read(&line) {
            Ok(None) => continue,
            Ok(Some(Request::Quit)) => break,
            Ok(Some(request)) => engine.answers(&request),
            Err(error) => Err(error.into()),
        };
        let answers = answers.unwrap_or_else(|error| vec![Answer::Error(format!("{error:#}"))]);
        for answer in answers {
            writeln!(output, "{answer}")?;
        }
        output.flush()?;
    }
    Ok(())
}

struct Engine<'t> {
    setting: &'t SearchSetting,
    table: &'t AnyTable,
    stop: &'t StopFlag,
    player: Option<SearchPlayer<'t>>,
    position: Option<Entry>,
}

impl Engine<'_> {
    fn answers(&mut self, request: &Request) -> anyhow::Result<Vec<Answer>> {
        match request {
            Request::Game { name, rules } => {
                let door = doors::games().open(doors::games().named(name)?, rules.as_deref())?;
                self.player = Some(self.setting.player(door, self.table, self.stop)?);
                self.position = None;
            }
            Request::New => self.player()?.new_game()?,
            Request::Position(text) => self.position = Some(self.player()?.door.position(text)?),
            Request::Go(level) => return self.go(*level),
            Request::Quit => {}
        }
        Ok(vec![Answer::Done])
    }

    fn go(&mut self, level: Level) -> anyhow::Result<Vec<Answer>> {
        if level.is_unlimited() {
            return Err(BadInput::from_error("go: expected depth, ms or nodes").into());
        }
        let position = self.position.clone().context("go: expected a position first")?;
        let player = self.player()?;
        player.level = level;
        let play = doors::played(&*player.door)?;
        if play.kind(&position)? != NodeKind::Decision {
            let complaint = "expected one in which somebody is to move";
            return Err(BadInput::new("position", &position.text, complaint).into());
        }
        let found = player.best(&position, &play.moves(&position)?)?;
        let Chosen { text, info } = found.context("the search was stopped")?;
        Ok(vec![Answer::Info(info), Answer::Move(text)])
    }
}

impl<'t> Engine<'t> {
    fn player(&mut self) -> anyhow::Result<&mut SearchPlayer<'t>> {
        self.player.as_mut().context("expected the game first")
    }
}
