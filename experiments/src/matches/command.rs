//! A command that plays: a process that is asked for moves over its standard input and answers on its
//! standard output.

use crate::cli::BadInput;
use crate::cli::lines::{Lines, Next};
use crate::matches::level::Level;
use crate::matches::player::{Choice, Chooser, Chosen};
use crate::matches::protocol::{Answer, Info, Request};
use anyhow::{Context, anyhow};
use starsplit::search::StopFlag;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
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
    input: Option<ChildStdin>,
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
        let name = words.join(" ");
        let (program, arguments) = words.split_first().context("a command without words")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for the match, which ends the command itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            BadInput::new("command", &name, format_args!("expected a program that can be started ({error})"))
        })?;
        let (input, output) = (child.stdin.take(), child.stdout.take().context("a pipe from the command")?);
        let answers = Lines::of(output)?;
        let mut started = CommandPlayer { name, child, input, answers, level, timeout, stop };
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
        // One that reads no more may have said why; else its end is found below.
        let _ = self.tell(request);
        let mut info = Info::default();
        loop {
            let next = self.answers.next(&self.stop, deadline);
            let next = next.with_context(|| format!("command {}, asked {request:?}", self.name))?;
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

    fn tell(&mut self, request: &Request) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{request}\n").as_bytes())?;
        input.flush()
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
        let _ = self.tell(&Request::Quit);
        self.input = None;
        if self.awaited_end().is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
