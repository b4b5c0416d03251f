//! Answers on their way to whoever reads them. A thread of their own writes them, so that nobody who thinks,
//! or hears requests, waits for a slow reader: who asks much before reading anything would wait, too.

use crate::matches::protocol::Answer;
use std::io::{self, Write};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// How many answers wait for a slow reader before what may be left out is.
const AHEAD: usize = 1_000;

/// How many wait at most.
const MOST: usize = 1_000_000;

/// How often it is looked whether to wait on.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Where answers go.
#[derive(Debug)]
pub(super) struct Answers {
    queue: Sender<Answer>,
    /// How many are in it.
    waiting: Arc<AtomicUsize>,
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
        let (queue, answers) = channel();
        let (writing, done) = channel();
        let (waiting, failure) = (Arc::new(AtomicUsize::new(0)), Arc::new(Failure::default()));
        let (taken, told) = (Arc::clone(&waiting), Arc::clone(&failure));
        thread::Builder::new().spawn(move || {
            if let Err(error) = write_all(&answers, &taken, output) {
                let _ = told.0.set((error.kind(), error.to_string()));
            }
            // Both are disconnected when it is known why.
            drop((answers, writing));
        })?;
        Ok((Answers { queue, waiting, failure: Arc::clone(&failure) }, Written { failure, done }))
    }

    /// Has an answer written.
    ///
    /// # Errors
    /// When no answer can be written any more, or a million wait.
    pub(super) fn say(&self, answer: Answer) -> io::Result<()> {
        // Relaxed, both here and below: only a number is told by it.
        if self.waiting.fetch_add(1, Relaxed) >= MOST {
            return Err(io::Error::other(format!("expected somebody to read answers: {MOST} wait")));
        }
        let gone = |_| self.failure.get().unwrap_or_else(|| io::ErrorKind::BrokenPipe.into());
        self.queue.send(answer).map_err(gone)
    }

    /// Has one written that may be left out where many wait. Whether it was not.
    ///
    /// # Errors
    /// As [`say`](Self::say).
    pub(super) fn say_in_passing(&self, answer: Answer) -> io::Result<bool> {
        if self.waiting.load(Relaxed) >= AHEAD { Ok(false) } else { self.say(answer).map(|()| true) }
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

/// Writes answers, and counts down how many wait.
fn write_all(answers: &Receiver<Answer>, waiting: &AtomicUsize, mut output: impl Write) -> io::Result<()> {
    while let Ok(first) = answers.recv() {
        for answer in std::iter::once(first).chain(answers.try_iter()) {
            waiting.fetch_sub(1, Relaxed);
            writeln!(output, "{answer}")?;
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
        // Nobody reads yet, and nobody is waited for.
        answers.say(Answer::Done).unwrap();
        let reading = thread::spawn(move || io::read_to_string(reader).unwrap());
        drop(answers);
        written.wait(|| true).unwrap();
        let text = reading.join().unwrap();
        assert!(text.ends_with("x\nok\n") && text.lines().count() > AHEAD, "{}", text.lines().count());
    }

    #[test]
    fn not_more_wait_than_there_is_room_for() {
        let (reader, writer) = io::pipe().unwrap();
        let (answers, _written) = Answers::to(writer).unwrap();
        let error = std::iter::repeat_with(|| answers.say(Answer::Done)).find_map(Result::err).unwrap();
        assert!(error.to_string().contains("expected somebody to read answers"), "{error}");
        drop(reader);
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
