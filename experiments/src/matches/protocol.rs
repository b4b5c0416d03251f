//! The line protocol between a match and a command: lines of text, one request and then its answer.

use crate::cli::BadInput;
use crate::matches::level::Level;
use std::fmt;

/// What the words on a smaller game stand after, at the end of the information.
const SMALLER: &str = " smaller ";

/// What a command is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Which game is played from now on, and its rules.
    Game {
        /// Its name.
        name: String,
        /// The rules; the default ones where there are none.
        rules: Option<String>,
    },
    /// A new game begins.
    New,
    /// The position, in the game's notation.
    Position(String),
    /// To choose a move.
    Go(Level),
    /// To end.
    Quit,
}

/// What a command answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was done.
    Done,
    /// What a search took; before the move, as often as one likes.
    Info(Info),
    /// The move.
    Move(String),
    /// It was not done.
    Error(String),
}

/// What a search took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// How deep it was; 0 where nobody says.
    pub depth: u64,
    /// How many nodes.
    pub nodes: u64,
    /// What was searched in place of the game, where it was a smaller one.
    pub smaller_game: Option<String>,
}

impl Request {
    /// Reads a line; none where it is empty.
    ///
    /// # Errors
    /// When it is no request.
    pub fn read(line: &str) -> Result<Option<Self>, BadInput> {
        let (word, rest) = split(line);
        Ok(Some(match word {
            "" => return Ok(None),
            "game" => {
                let (name, rules) = split(rest);
                let rules = (!rules.is_empty()).then(|| rules.to_owned());
                Request::Game { name: name.to_owned(), rules }
            }
            "new" => Request::New,
            "position" => Request::Position(rest.to_owned()),
            "go" => Request::Go(Level::read(rest)?),
            "quit" => Request::Quit,
            _ => return Err(BadInput::new("request", word, "expected game, new, position, go or quit")),
        }))
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Game { name, rules } => {
                f.write_str(format!("game {name} {}", rules.as_deref().unwrap_or_default()).trim_end())
            }
            Request::New => f.write_str("new"),
            Request::Position(text) => write!(f, "position {text}"),
            Request::Go(level) => f.write_str(format!("go {level}").trim_end()),
            Request::Quit => f.write_str("quit"),
        }
    }
}

impl Answer {
    /// Reads a line; none where it is empty.
    ///
    /// # Errors
    /// When it is no answer.
    pub fn read(line: &str) -> Result<Option<Self>, BadInput> {
        let (word, rest) = split(line);
        Ok(Some(match word {
            "" => return Ok(None),
            "ok" => Answer::Done,
            "info" => Answer::Info(Info {
                depth: named(rest, "depth"),
                nodes: named(rest, "nodes"),
                smaller_game: rest.split_once(SMALLER).map(|(_, words)| words.to_owned()),
            }),
            "move" => Answer::Move(rest.to_owned()),
            "error" => Answer::Error(rest.to_owned()),
            _ => return Err(BadInput::new("answer", line, "expected ok, info, move or error")),
        }))
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Done => f.write_str("ok"),
            Answer::Info(Info { depth, nodes, smaller_game }) => {
                write!(f, "info depth {depth} nodes {nodes}")?;
                smaller_game.iter().try_for_each(|words| write!(f, "{SMALLER}{words}"))
            }
            Answer::Move(text) => write!(f, "move {text}"),
            Answer::Error(text) => write!(f, "error {}", text.replace(['\n', '\r'], " ")),
        }
    }
}

/// The first word, and the rest without the spaces around it.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// The number after a word; 0 where it does not stand there.
fn named(words: &str, name: &str) -> u64 {
    let mut words = words.split_whitespace().skip_while(|&word| word != name).skip(1);
    words.next().and_then(|number| number.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_answers_are_read_as_they_are_written() {
        let rules = Some("size=5,run=4".to_owned());
        let level = Level { depth: Some(3), ..Level::default() };
        for request in [
            Request::Game { name: "dice".to_owned(), rules },
            Request::Game { name: "pig".to_owned(), rules: None },
            Request::New,
            Request::Position("...../..... x -".to_owned()),
            Request::Go(level),
            Request::Go(Level::default()),
            Request::Quit,
        ] {
            assert_eq!(Request::read(&format!(" {request}\r\n")), Ok(Some(request)));
        }
        let info = |smaller_game: Option<&str>| {
            Answer::Info(Info { depth: 3, nodes: 99, smaller_game: smaller_game.map(str::to_owned) })
        };
        let answers = [
            Answer::Done,
            info(None),
            info(Some("4 outcomes drawn at each chance node with seed 1")),
            Answer::Move("8/5 6/5".to_owned()),
        ];
        for answer in answers.into_iter().chain([Answer::Error("no such game".to_owned())]) {
            assert_eq!(Answer::read(&answer.to_string()), Ok(Some(answer)));
        }
        assert_eq!((Request::read(" "), Answer::read("")), (Ok(None), Ok(None)));
        assert_eq!(Answer::read("info score 7"), Ok(Some(Answer::Info(Info::default()))));
    }

    #[test]
    fn what_is_neither_is_named() {
        assert!(Request::read("stop").unwrap_err().to_string().starts_with("request stop: expected game"));
        assert!(Answer::read("bestmove e4").unwrap_err().to_string().contains("expected ok, info, move"));
    }
}
