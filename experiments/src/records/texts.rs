//! The texts of the lines of samples, one at a time.

use crate::records::checksum;
use crate::records::samples::PLAIN;
use std::io::{self, BufRead};

/// Why there is no next line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TextError {
    /// It cannot be read.
    #[error("a readable {PLAIN} ({0})")]
    Unreadable(#[from] io::Error),
    /// It is no line.
    #[error("{what}")]
    Expected {
        /// What had to be there.
        what: String,
    },
}

/// Reads whole lines, each into the place of the one before. Half a line at the end, which a killed run may
/// have left, is not among them.
#[derive(Debug)]
pub(crate) struct Texts<R> {
    reader: R,
    buffer: Vec<u8>,
    whole: u64,
}

impl<R: BufRead> Texts<R> {
    /// The lines of what `reader` reads.
    pub(crate) fn new(reader: R) -> Self {
        Texts { reader, buffer: Vec::new(), whole: 0 }
    }

    /// The next line, without its end.
    ///
    /// # Errors
    /// When it cannot be read, is no text, ends otherwise than by a line feed alone, or its end was damaged.
    pub(crate) fn next_text(&mut self) -> Result<Option<&str>, TextError> {
        self.buffer.clear();
        self.reader.read_until(b'\n', &mut self.buffer)?;
        let Some(line) = self.buffer.strip_suffix(b"\n") else {
            return self.check_half().map(|()| None);
        };
        self.whole += self.buffer.len() as u64;
        let text =
            std::str::from_utf8(line).map_err(|error| expected(format!("text in {PLAIN} ({error})")))?;
        // Lengths are counted by lines, so that what an editor has made of their ends must not go unseen.
        if text.contains('\r') {
            let what = format!("lines in {PLAIN} that end in a line feed alone, without carriage returns");
            return Err(expected(what));
        }
        Ok(Some(text))
    }

    /// How many bytes the lines read so far were, with their ends.
    pub(crate) fn whole_bytes(&self) -> u64 {
        self.whole
    }

    /// Whether half a line stands after the last one, when there is no next line any more.
    pub(crate) fn has_half(&self) -> bool {
        !self.buffer.is_empty()
    }

    /// A killed run leaves a line's beginning, and never a whole line with something other than a line feed
    /// after it.
    fn check_half(&self) -> Result<(), TextError> {
        let line = self.buffer.split_last().and_then(|(_, line)| std::str::from_utf8(line).ok());
        let is_whole = line.is_some_and(|line| matches!(checksum::take(line), Ok(Some(_))));
        if is_whole { Err(expected(format!("a line feed after the last line of {PLAIN}"))) } else { Ok(()) }
    }
}

fn expected(what: String) -> TextError {
    TextError::Expected { what }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_line_at_the_end_is_none() {
        let mut texts = Texts::new(&b"{\"n\":1}\n{}\n{\"n\":\"\xc3"[..]);
        assert_eq!(texts.next_text().unwrap(), Some("{\"n\":1}"));
        assert_eq!(texts.next_text().unwrap(), Some("{}"));
        assert_eq!(texts.whole_bytes(), 11);
        assert_eq!(texts.next_text().unwrap(), None);
        assert!(texts.whole_bytes() == 11 && texts.has_half());
        let mut whole = Texts::new(&b"{}\n"[..]);
        assert!(whole.next_text().unwrap().is_some() && whole.next_text().unwrap().is_none());
        assert!(!whole.has_half());
    }

    #[test]
    fn what_is_no_line_of_text_is_refused() {
        for (bytes, words) in
            [(&b"{}\r\n"[..], "without carriage returns"), (b"\xff\n", "text in samples.jsonl")]
        {
            let complaint = Texts::new(bytes).next_text().unwrap_err().to_string();
            assert!(complaint.contains(words), "{complaint}");
        }
    }
}
