//! The line protocol between a match and a command: lines of text, one request and then its answer.

use crate::cli::BadInput;
use crate::matches::level::Level;
use std::fmt;
use std::str::FromStr;

/// What the words on a smaller game stand after, at the end of the information.
const SMALLER: &str = " smaller ";

/// What the principal variation stands after, before these.
const LINE: &str = " line ";

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
    /// To choose it now. No answer but that to the request before, and none where that has been given.
    Stop,
    /// To end.
    Quit,
}

/// What a command answers.
#[derive(Clone, Debug, PartialEq)]
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

/// What a search took, and came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// How deep it was; 0 where nobody says.
    pub depth: u64,
    /// How many nodes.
    pub nodes: u64,
    /// The value at this depth in the game's units, for whoever is to move; none where nobody says.
    pub value: Option<f64>,
    /// The principal variation in words; empty where nobody says.
    pub line: String,
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
            "stop" => Request::Stop,
            "quit" => Request::Quit,
            _ => {
                let complaint = "expected game, new, position, go, stop or quit";
                return Err(BadInput::new("request", word, complaint));
            }
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
            Request::Stop => f.write_str("stop"),
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
            "info" => Answer::Info(Info::read(rest)),
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
            Answer::Info(info) => write!(f, "info {}", info.to_string().replace('\n', " ")),
            Answer::Move(text) => write!(f, "move {text}"),
            Answer::Error(text) => write!(f, "error {}", text.replace('\n', " ")),
        }
    }
}

impl Info {
    /// What the words after `info` say, and nothing of what they do not say.
    fn read(words: &str) -> Self {
        let (words, smaller_game) = parted(words, SMALLER);
        let (words, line) = parted(words, LINE);
        Info {
            depth: named(words, "depth").unwrap_or_default(),
            nodes: named(words, "nodes").unwrap_or_default(),
            value: named(words, "value").filter(|value: &f64| value.is_finite()),
            line: line.unwrap_or_default().trim().to_owned(),
            smaller_game: smaller_game.map(str::to_owned),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Info { depth, nodes, value, line, smaller_game } = self;
        write!(f, "depth {depth} nodes {nodes}")?;
        value.iter().try_for_each(|value| write!(f, " value {value}"))?;
        if !line.is_empty() {
            write!(f, "{LINE}{line}")?;
        }
        smaller_game.iter().try_for_each(|words| write!(f, "{SMALLER}{words}"))
    }
}

/// What stands before a mark, and what after it, where it is there.
fn parted<'w>(words: &'w str, mark: &str) -> (&'w str, Option<&'w str>) {
    words.split_once(mark).map_or((words, None), |(before, after)| (before, Some(after)))
}

/// The first word, and the rest without the spaces around it.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// The number after a word; none where it does not stand there.
fn named<N: FromStr>(words: &str, name: &str) -> Option<N> {
    let mut words = words.split_whitespace().skip_while(|&word| word != name).skip(1);
    words.next()?.parse().ok()
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
            Request::Stop,
            Request::Quit,
        ] {
            assert_eq!(Request::read(&format!(" {request}\r\n")), Ok(Some(request)));
        }
        let smaller_game = Some("4 outcomes drawn at each chance node with seed 1".to_owned());
        let bare = Info { depth: 3, nodes: 99, ..Info::default() };
        let full = Info { value: Some(-0.25), line: "8/5 6/5, [21], depth 7".to_owned(), ..bare.clone() };
        let answers = [
            Answer::Done,
            Answer::Info(bare.clone()),
            Answer::Info(full.clone()),
            Answer::Info(Info { smaller_game: smaller_game.clone(), ..bare }),
            Answer::Info(Info { smaller_game, ..full }),
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
        let complaint = Request::read("ponder").unwrap_err().to_string();
        assert!(complaint.starts_with("request ponder: expected game"), "{complaint}");
        assert!(Answer::read("bestmove e4").unwrap_err().to_string().contains("expected ok, info, move"));
    }
}
