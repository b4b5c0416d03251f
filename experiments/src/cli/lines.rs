//! Lines of text that come from somebody who may never send any: read beside the program, so that Ctrl-C and
//! deadlines are heeded while it waits.

use crate::cli::texts::BYTE_ORDER_MARK;
use starsplit::search::StopFlag;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes of a line.
const LONGEST: u64 = 1 << 20;

/// How many lines are read before somebody asks for them.
const AHEAD: usize = 16;

/// How often a stop is looked for.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Lines as they come, each with when it was read.
#[derive(Debug)]
pub struct Lines(Receiver<(Instant, io::Result<String>)>);

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A line, without its end.
    Line(String),
    /// There are no more.
    End,
    /// The flag was raised before one came.
    Stopped,
    /// None came in time.
    Late,
}

impl Lines {
    /// The lines of a reader. They are read by a thread that ends with them, or with the process.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub fn of(reader: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(AHEAD);
        let read = move || each_line(reader, |line| sender.send((Instant::now(), line)).is_ok());
        thread::Builder::new().spawn(read)?;
        Ok(Lines(receiver))
    }

    /// The next line, waited for until the deadline, if there is one, or until `stop` is raised. One that was
    /// read after the deadline is late, however many there are.
    ///
    /// # Errors
    /// When it cannot be read, or is longer than a megabyte.
    pub fn next(&self, stop: &StopFlag, deadline: Option<Instant>) -> io::Result<Next> {
        loop {
            if stop.is_raised() {
                return Ok(Next::Stopped);
            }
            match self.0.recv_timeout(BETWEEN_LOOKS) {
                Ok((read, _)) if deadline.is_some_and(|end| read > end) => return Ok(Next::Late),
                Ok((_, line)) => return line.map(Next::Line),
                Err(RecvTimeoutError::Disconnected) => return Ok(Next::End),
                Err(RecvTimeoutError::Timeout) if deadline.is_some_and(|end| Instant::now() >= end) => {
                    return Ok(Next::Late);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Reads lines and gives each to `take`, which says whether it takes more, until there are none or one cannot
/// be read.
pub(crate) fn each_line(reader: impl Read, mut take: impl FnMut(io::Result<String>) -> bool) {
    let mut reader = BufReader::new(reader);
    let mut is_first = true;
    while let Some(line) = next_line(&mut reader).transpose() {
        let line = line.map(|line| if is_first { without_mark(line) } else { line });
        is_first = false;
        let is_last = line.is_err();
        if !take(line) || is_last {
            return;
        }
    }
}

/// The text without the mark that some systems put before everything that they write.
fn without_mark(text: String) -> String {
    text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text)
}

fn next_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let length = reader.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)?;
    if length as u64 == LONGEST && !bytes.ends_with(b"\n") {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a line of more than a megabyte"));
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok((length > 0).then(|| text.trim_end_matches(['\r', '\n']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_their_order_and_end() {
        let lines = Lines::of("one\r\n\ntwo".as_bytes()).unwrap();
        let stop = StopFlag::new();
        let next = || lines.next(&stop, None).unwrap();
        let line = |text: &str| Next::Line(text.to_owned());
        assert_eq!([next(), next(), next(), next()], [line("one"), line(""), line("two"), Next::End]);
        stop.stop();
        assert_eq!(lines.next(&stop, None).unwrap(), Next::Stopped);
    }

    #[test]
    fn nobody_is_waited_for_longer_than_asked() {
        let (reader, _writer) = io::pipe().unwrap();
        let lines = Lines::of(reader).unwrap();
        assert_eq!(lines.next(&StopFlag::new(), Some(Instant::now())).unwrap(), Next::Late);
    }

    #[test]
    fn lines_without_end_are_late_after_the_deadline() {
        let lines = Lines::of(io::repeat(b'\n')).unwrap();
        let (stop, deadline) = (StopFlag::new(), Instant::now() + Duration::from_millis(30));
        let mut found = std::iter::repeat_with(|| lines.next(&stop, Some(deadline)).unwrap());
        assert_eq!(found.find(|next| *next != Next::Line(String::new())), Some(Next::Late));
    }

    #[test]
    fn what_was_read_in_time_is_not_late_whoever_looks_at_it_late() {
        let (sender, receiver) = sync_channel(2);
        let deadline = Instant::now();
        let (before, after) = (deadline - Duration::from_millis(1), deadline + Duration::from_nanos(1));
        for (read, line) in [(before, "one"), (after, "two")] {
            sender.send((read, Ok(line.to_owned()))).unwrap();
        }
        let lines = Lines(receiver);
        let next = || lines.next(&StopFlag::new(), Some(deadline)).unwrap();
        assert_eq!([next(), next()], [Next::Line("one".to_owned()), Next::Late]);
    }

    #[test]
    fn a_mark_before_the_first_line_is_none_of_it() {
        let lines = Lines::of("\u{feff}one\n\u{feff}two".as_bytes()).unwrap();
        let next = || lines.next(&StopFlag::new(), None).unwrap();
        assert_eq!([next(), next()], ["one", "\u{feff}two"].map(|text| Next::Line(text.to_owned())));
    }

    #[test]
    fn a_line_without_end_is_an_error() {
        let lines = Lines::of(io::repeat(b'x')).unwrap();
        assert!(lines.next(&StopFlag::new(), None).unwrap_err().to_string().contains("megabyte"));
    }
}
