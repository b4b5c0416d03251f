//! The other end of the line protocol: a search of ours that answers somebody else's match. It hears requests
//! while it thinks.

use crate::cli::lines::each_line;
use crate::cli::{BadInput, in_words};
use crate::matches::answers::Answers;
use crate::matches::level::Level;
use crate::matches::player::{Chooser, Chosen, SearchPlayer};
use crate::matches::protocol::{Answer, Request};
use crate::matches::setting::SearchSetting;
use crate::matches::thinking::{Brake, think};
use crate::question::door::Entry;
use crate::question::doors;
use crate::question::given;
use crate::question::tables;
use anyhow::Context;
use starsplit::game::NodeKind;
use starsplit::search::StopFlag;
use starsplit_tables::AnyTable;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How many requests wait while a search is under way.
const MOST_WAITING: usize = 1_000;

/// How often a stop is looked for.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// How long answers may take to be read after a request to end.
const PATIENCE: Duration = Duration::from_secs(1);

/// Answers requests, one a line, until there are no more, one says to quit, or a stop comes. What cannot be
/// done is answered by an error and changes nothing. A search under way is stopped by a request to stop or to
/// quit, and where `is_heard`, asked after the last request, says that nobody reads answers any more; the end
/// of requests lets it come to its own.
///
/// # Errors
/// When the table's memory is refused, requests cannot be read, or answers not be written.
pub fn serve(
    setting: &SearchSetting,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    is_heard: &dyn Fn() -> bool,
    stop: &StopFlag,
) -> anyhow::Result<()> {
    let table = tables::table(setting.table_mb)?;
    let (sender, receiver) = sync_channel(1);
    let requests = sender.clone();
    thread::Builder::new().spawn(move || {
        each_line(input, |line| requests.send(Event::Line(line)).is_ok());
        let _ = requests.send(Event::End);
    })?;
    let (answers, written) = Answers::to(output)?;
    let events = Events { sender, receiver, is_heard, stop };
    let mut engine = Engine { setting, table: &table, stop, player: None, position: None };
    let mut hearing = Hearing::default();
    let done = engine.answer_all(&events, &mut hearing, &answers);
    // Whoever has said to quit may not read any more.
    let begun = Instant::now();
    let is_over = hearing.is_over || done.is_err();
    drop(answers);
    let written = written.wait(|| !stop.is_raised() && (!is_over || begun.elapsed() < PATIENCE));
    done?;
    Ok(written?)
}

/// What happens.
enum Event {
    Line(io::Result<String>),
    /// There are no more lines.
    End,
    /// The search has come to its end.
    Searched,
}

/// Tells that a search has come to its end, however that was.
struct TellEnd(SyncSender<Event>);

impl Drop for TellEnd {
    fn drop(&mut self) {
        // Whoever waits for it is there.
        let _ = self.0.send(Event::Searched);
    }
}

/// What happens, as it does.
struct Events<'e> {
    sender: SyncSender<Event>,
    receiver: Receiver<Event>,
    is_heard: &'e dyn Fn() -> bool,
    stop: &'e StopFlag,
}

impl Events<'_> {
    /// The next; none now and then meanwhile.
    fn next(&self) -> Option<Event> {
        // It is never disconnected: there is always the sender that is here.
        self.receiver.recv_timeout(BETWEEN_LOOKS).ok()
    }
}

/// What was heard.
#[derive(Debug, Default)]
struct Hearing {
    /// Requests that wait for the search under way.
    waiting: VecDeque<Request>,
    /// Whether there are no more lines.
    has_ended: bool,
    /// Whether nothing more is to be answered.
    is_over: bool,
}

impl Hearing {
    /// The next request; none where there are no more, or a stop comes. What is none is answered.
    fn next(&mut self, events: &Events<'_>, answers: &Answers) -> anyhow::Result<Option<Request>> {
        while !self.is_over && !events.stop.is_raised() {
            if let Some(request) = self.waiting.pop_front() {
                return Ok(Some(request));
            }
            if self.has_ended {
                break;
            }
            match events.next() {
                Some(Event::Line(line)) => match Request::read(&line?) {
                    Ok(Some(Request::Quit)) => self.is_over = true,
                    Ok(request) => self.waiting.extend(request),
                    Err(error) => answers.say(Answer::Error(error.to_string()))?,
                },
                Some(Event::End) => self.has_ended = true,
                Some(Event::Searched) | None => {}
            }
        }
        Ok(None)
    }

    /// Hears requests until the search under way has come to its end, which some of them have it do.
    fn until_searched(
        &mut self,
        events: &Events<'_>,
        brake: &Brake,
        answers: &Answers,
    ) -> anyhow::Result<()> {
        loop {
            match events.next() {
                Some(Event::Searched) => return Ok(()),
                Some(Event::Line(line)) => match Request::read(&line?) {
                    Ok(Some(Request::Stop)) => brake.ask(),
                    Ok(Some(Request::Quit)) => {
                        self.is_over = true;
                        brake.ask();
                    }
                    Ok(_) if self.waiting.len() >= MOST_WAITING => {
                        let words =
                            format!("expected at most {MOST_WAITING} requests while a search goes on");
                        answers.say(Answer::Error(words))?;
                    }
                    Ok(request) => self.waiting.extend(request),
                    Err(error) => answers.say(Answer::Error(error.to_string()))?,
                },
                Some(Event::End) => self.has_ended = true,
                None if events.stop.is_raised() || (self.has_ended && !(events.is_heard)()) => brake.pull(),
                None => {}
            }
        }
    }
}

struct Engine<'t> {
    setting: &'t SearchSetting,
    table: &'t AnyTable,
    stop: &'t StopFlag,
    player: Option<SearchPlayer<'t>>,
    position: Option<Entry>,
}

impl<'t> Engine<'t> {
    /// Answers requests in their order.
    fn answer_all(
        &mut self,
        events: &Events<'_>,
        hearing: &mut Hearing,
        answers: &Answers,
    ) -> anyhow::Result<()> {
        while let Some(request) = hearing.next(events, answers)? {
            let answer = match request {
                Request::Go(level) => match self.choice(level) {
                    Ok((position, moves)) => self.go((&position, &moves), events, hearing, answers)?,
                    Err(error) => Err(error),
                },
                // There is nothing to stop any more.
                Request::Stop => continue,
                request => self.order(&request).map(|()| Answer::Done),
            };
            answers.say(answer.unwrap_or_else(|error| Answer::Error(in_words(&error))))?;
        }
        Ok(())
    }

    /// Does what is answered by a word that it was done.
    fn order(&mut self, request: &Request) -> anyhow::Result<()> {
        match request {
            Request::Game { name, rules } => {
                let door = doors::games().open(doors::games().named(name)?, rules.as_deref())?;
                self.player = Some(self.setting.player(door, self.table, self.stop)?);
                self.position = None;
            }
            Request::New => self.player()?.new_game()?,
            Request::Position(text) => {
                self.position = Some(given::position(&*self.player()?.door, text)?);
            }
            Request::Go(_) | Request::Stop | Request::Quit => {}
        }
        Ok(())
    }

    /// The position and its moves, to choose one at that level.
    fn choice(&mut self, level: Level) -> anyhow::Result<(Entry, Vec<String>)> {
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
        let moves = play.moves(&position)?;
        Ok((position, moves))
    }

    /// Searches on a thread of its own, and hears requests meanwhile. What to answer; an error of the answer
    /// is one of the search.
    fn go(
        &mut self,
        choice: (&Entry, &[String]),
        events: &Events<'_>,
        hearing: &mut Hearing,
        answers: &Answers,
    ) -> anyhow::Result<anyhow::Result<Answer>> {
        let player = &*self.player()?;
        let brake = Brake::of(player);
        let end = TellEnd(events.sender.clone());
        let search = || {
            let _end = end;
            think(player, choice, &brake, answers)
        };
        thread::scope(|scope| {
            let thread = thread::Builder::new().spawn_scoped(scope, search)?;
            let heard = hearing.until_searched(events, &brake, answers);
            if heard.is_err() {
                brake.pull();
                while !matches!(events.next(), Some(Event::Searched)) {}
            }
            let chosen = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            heard?;
            Ok(chosen.map(|Chosen { text, .. }| Answer::Move(text)))
        })
    }

    fn player(&mut self) -> anyhow::Result<&mut SearchPlayer<'t>> {
        self.player.as_mut().context("expected the game first")
    }
}
