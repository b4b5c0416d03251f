//! Answers on their way to whoever reads them. A thread of their own writes them, so that nobody who thinks,
//! or hears requests, waits for a slow reader.

use crate::matches::protocol::Answer;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// How many answers wait for a slow reader before others are waited with.
const AHEAD: usize = 1_024;

/// How often it is looked whether to wait on.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Where answers go.
#[derive(Debug)]
pub(super) struct Answers {
    queue: SyncSender<Answer>,
    failure: Arc<Failure>,
}

/// The end of the answers.
#[derive(Debug)]
pub(super) struct Written {
    failure: Arc<Failure>,
    /// Disconnected when all is written, or nothing can be.
    done: Receiver<()>,
}

/// Why nothing can be written any more.
#[derive(Debug, Default)]
struct Failure(OnceLock<(io::ErrorKind, String)>);

impl Failure {
    fn get(&self) -> Option<io::Error> {
        self.0.get().map(|(kind, words)| io::Error::new(*kind, words.as_str()))
    }
}

impl Answers {
    /// To be written to `output`, each at once.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub(super) fn to(output: impl Write + Send + 'static) -> io::Result<(Self, Written)> {
        let (queue, answers) = sync_channel(AHEAD);
        let (writing, done) = channel();
        let failure = Arc::new(Failure::default());
        let told = Arc::clone(&failure);
        thread::Builder::new().spawn(move || {
            if let Err(error) = write_all(&answers, output) {
                let _ = told.0.set((error.kind(), error.to_string()));
            }
            // Both are disconnected when it is known why.
            drop((answers, writing));
        })?;
        Ok((Answers { queue, failure: Arc::clone(&failure) }, Written { failure, done }))
    }

    /// Has an answer written.
    ///
    /// # Errors
    /// When no answer can be written any more.
    pub(super) fn say(&self, answer: Answer) -> io::Result<()> {
        self.queue.send(answer).map_err(|_| self.failure())
    }

    /// Has one written that may be left out where others wait. Whether it was not.
    ///
    /// # Errors
    /// As [`say`](Self::say).
    pub(super) fn say_in_passing(&self, answer: Answer) -> io::Result<bool> {
        match self.queue.try_send(answer) {
            Ok(()) => Ok(true),
            Err(TrySendError::Full(_)) => Ok(false),
            Err(TrySendError::Disconnected(_)) => Err(self.failure()),
        }
    }

    fn failure(&self) -> io::Error {
        self.failure.get().unwrap_or_else(|| io::ErrorKind::BrokenPipe.into())
    }
}

impl Written {
    /// Waits until all is written, where nobody has any more to say, as long as `goes_on` says so; it is
    /// asked now and then.
    ///
    /// # Errors
    /// When something could not be written.
    pub(super) fn wait(self, mut goes_on: impl FnMut() -> bool) -> io::Result<()> {
        while self.done.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) && goes_on() {}
        self.failure.get().map_or(Ok(()), Err)
    }
}

fn write_all(answers: &Receiver<Answer>, mut output: impl Write) -> io::Result<()> {
    while let Ok(first) = answers.recv() {
        writeln!(output, "{first}")?;
        for more in answers.try_iter() {
            writeln!(output, "{more}")?;
        }
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn all_is_written_in_its_order() {
        let (mut reader, writer) = io::pipe().unwrap();
        let (answers, written) = Answers::to(writer).unwrap();
        answers.say(Answer::Done).unwrap();
        assert!(answers.say_in_passing(Answer::Move("a1".to_owned())).unwrap());
        drop(answers);
        written.wait(|| true).unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "ok\nmove a1\n");
    }

    #[test]
    fn a_slow_reader_misses_what_may_be_left_out_and_nothing_else() {
        let (reader, writer) = io::pipe().unwrap();
        let (answers, written) = Answers::to(writer).unwrap();
        while answers.say_in_passing(Answer::Error("x".repeat(1_000))).unwrap() {}
        let reading = thread::spawn(move || io::read_to_string(reader).unwrap());
        answers.say(Answer::Done).unwrap();
        drop(answers);
        written.wait(|| true).unwrap();
        let text = reading.join().unwrap();
        assert!(text.ends_with("x\nok\n") && text.lines().count() > AHEAD, "{}", text.lines().count());
    }

    #[test]
    fn one_who_does_not_read_is_not_waited_for_without_end_and_one_who_is_gone_not_at_all() {
        let (reader, writer) = io::pipe().unwrap();
        let (answers, written) = Answers::to(writer).unwrap();
        while answers.say_in_passing(Answer::Error("x".repeat(1_000))).unwrap() {}
        drop(answers);
        let mut looks = 0;
        let mut goes_on = || {
            looks += 1;
            looks < 3
        };
        written.wait(&mut goes_on).unwrap();
        assert_eq!(looks, 3);
        drop(reader);
        let (reader, writer) = io::pipe().unwrap();
        let (answers, written) = Answers::to(writer).unwrap();
        drop(reader);
        let error = std::iter::repeat_with(|| answers.say(Answer::Done)).find_map(Result::err).unwrap();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(written.wait(|| true).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
