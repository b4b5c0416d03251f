//! A command that plays: a process that is asked for moves over its standard input and answers on its
//! standard output.

use crate::cli::lines::{Lines, Next};
use crate::cli::{BadInput, shown};
use crate::matches::level::Level;
use crate::matches::player::{Choice, Chooser, Chosen};
use crate::matches::protocol::{Answer, Info, Request};
use anyhow::{Context, anyhow};
use starsplit::search::StopFlag;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a command may take to end after it was asked to.
const PATIENCE: Duration = Duration::from_millis(500);

/// A command that is running, and plays one game after another.
#[derive(Debug)]
pub struct CommandPlayer {
    /// As complaints name it.
    name: String,
    child: Child,
    /// Requests to be written to it; none where it is to read no more.
    requests: Option<Sender<String>>,
    answers: Lines,
    level: Level,
    timeout: Duration,
    stop: StopFlag,
}

impl CommandPlayer {
    /// Starts the program, the first of `words`, with the others as its arguments, and tells it the `game`
    /// and its rules. An answer may take as long as `timeout`, and that of a move as long as the level gives
    /// it in addition.
    ///
    /// # Errors
    /// [`BadInput`] when it cannot be started; else when it does not know the game.
    pub fn start(
        words: &[String],
        level: Level,
        timeout: Duration,
        (game, rules): (&str, String),
        stop: StopFlag,
    ) -> anyhow::Result<Self> {
        // So that it can be written again as it was split.
        let name = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
        let (program, arguments) = words.split_first().context("a command without words")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for the match, which ends the command itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            let split = words.iter().map(|word| shown(word)).collect::<Vec<_>>().join(", ");
            let complaint = format!(
                "expected a program that can be started ({error}), which is the first of its words: {split}; \
                 quotes keep spaces"
            );
            BadInput::new("command", &name, complaint)
        })?;
        let output = child.stdout.take().context("a pipe from the command")?;
        let requests = child.stdin.take().map(written_to).transpose()?;
        let answers = Lines::of(output)?;
        let mut started = CommandPlayer { name, child, requests, answers, level, timeout, stop };
        let rules = (!rules.is_empty()).then_some(rules);
        started.order(&Request::Game { name: game.to_owned(), rules })?;
        Ok(started)
    }

    /// Asks for what is answered by a word that it was done.
    fn order(&mut self, request: &Request) -> anyhow::Result<()> {
        match self.ask(request, Duration::ZERO)? {
            Some((Answer::Done, _)) | None => Ok(()),
            Some((answer, _)) => Err(self.wrong(request, &answer)),
        }
    }

    /// The answer, with what the lines of information before it said last; none where a stop came first.
    fn ask(&mut self, request: &Request, more: Duration) -> anyhow::Result<Option<(Answer, Info)>> {
        let deadline = Instant::now().checked_add(self.timeout.saturating_add(more));
        self.tell(request);
        let mut info = Info::default();
        loop {
            let next = self.answers.next(&self.stop, deadline);
            let next = next.with_context(|| format!("command {}, asked \"{request}\"", self.name))?;
            let line = match next {
                Next::Line(line) => line,
                Next::Stopped => return Ok(None),
                Next::End => return Err(self.ended(request)),
                Next::Late => {
                    let waited = self.timeout.saturating_add(more).as_millis();
                    return Err(anyhow!("command {}: no answer to \"{request}\" in {waited} ms", self.name));
                }
            };
            match Answer::read(&line).map_err(|error| anyhow!("command {}: {error}", self.name))? {
                Some(Answer::Info(found)) => info = found,
                Some(answer) => return Ok(Some((answer, info))),
                None => {}
            }
        }
    }

    /// One that reads no more may have said why; else its end is found where it is to answer.
    fn tell(&self, request: &Request) {
        if let Some(requests) = &self.requests {
            let _ = requests.send(format!("{request}\n"));
        }
    }

    fn ended(&mut self, request: &Request) -> anyhow::Error {
        let how =
            self.awaited_end().map_or_else(|| "closed its output".to_owned(), |how| format!("ended ({how})"));
        anyhow!("command {}: it {how} before it answered \"{request}\"", self.name)
    }

    fn wrong(&self, request: &Request, answer: &Answer) -> anyhow::Error {
        anyhow!("command {}: it answered \"{answer}\" to \"{request}\"", self.name)
    }

    /// How it ended, if it does soon.
    fn awaited_end(&mut self) -> Option<String> {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

/// Where requests go to be written to a program, by a thread that ends with them: one who reads none must not
/// be waited for without end.
fn written_to(mut input: ChildStdin) -> io::Result<Sender<String>> {
    let (sender, requests) = channel::<String>();
    let write_all = move || {
        for request in requests {
            if input.write_all(request.as_bytes()).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().spawn(write_all)?;
    Ok(sender)
}

impl Chooser for CommandPlayer {
    fn name(&self) -> String {
        format!("command {}", self.name)
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        self.order(&Request::New)
    }

    fn choose(&mut self, choice: &Choice<'_>) -> anyhow::Result<Option<Chosen>> {
        self.order(&Request::Position(choice.position.text.clone()))?;
        let request = Request::Go(self.level);
        match self.ask(&request, Duration::from_millis(self.level.ms.unwrap_or_default()))? {
            Some((Answer::Move(text), info)) => Ok(Some(Chosen { text, info })),
            Some((answer, _)) => Err(self.wrong(&request, &answer)),
            None => Ok(None),
        }
    }
}

impl Drop for CommandPlayer {
    fn drop(&mut self) {
        // It may have ended, or hang: then it is killed.
        self.tell(&Request::Quit);
        self.requests = None;
        if self.awaited_end().is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn player(script: &str, timeout: u64) -> anyhow::Result<CommandPlayer> {
        let words = ["sh", "-c", script].map(str::to_owned);
        let (level, game) = (Level::default(), ("dice", String::new()));
        CommandPlayer::start(&words, level, Duration::from_millis(timeout), game, StopFlag::new())
    }

    #[test]
    fn nobody_waits_for_a_command_to_read() {
        // More requests than a pipe holds.
        let mut deaf = player("exec yes ok", 60_000).unwrap();
        for _ in 0..30_000 {
            deaf.new_game().unwrap();
        }
    }

    #[test]
    fn a_command_that_cannot_be_started_is_told_as_it_was_split() {
        let words = ["no/such program", "--fast", "x y"].map(str::to_owned);
        let (level, game) = (Level::default(), ("dice", String::new()));
        let started = CommandPlayer::start(&words, level, Duration::ZERO, game, StopFlag::new());
        let complaint = started.unwrap_err().to_string();
        let split =
            "which is the first of its words: \"no/such program\", --fast, \"x y\"; quotes keep spaces";
        assert!(
            complaint.contains("'no/such program' --fast 'x y'") && complaint.contains(split),
            "{complaint}"
        );
    }
}
