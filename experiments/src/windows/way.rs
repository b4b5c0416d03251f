//! The ways to search that are set beside one another, as they are written.

use crate::cli::BadInput;
use serde::{Serialize, Serializer};
use starsplit::score::{Grid, Score};

/// Those that are asked for where none are named.
pub(super) const WAYS: [&str; 20] = [
    "library:aspiration=0.03",
    "library:aspiration=0.1",
    "library:aspiration=0.3",
    "library:mtdf=1",
    "library:mtdf=1000",
    "library:gallop=1000",
    "library:gallop=30000",
    "library:bisection",
    "own:aspiration=0.1",
    "own:gallop=30000",
    "own:null-moves",
    "own:slack-null=low",
    "own:slack-null=high",
    "own:slack-null=expected",
    "own:slack-narrow=low",
    "own:slack-narrow=low+slack-depth=5",
    "own:slack-narrow=expected",
    "own:gallop=30000+slack-null=expected",
    "own:last=0.03",
    "own:last=0.1",
];

/// A way to search: whose search, and how its windows are chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// As it was written.
    pub words: String,
    pub(super) engine: Engine,
    pub(super) root: RootWay,
    pub(super) inner: InnerWay,
}

impl Serialize for Way {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.words.serialize(serializer)
    }
}

/// Whose search it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    Library,
    Own,
}

impl Engine {
    /// As it is written.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Engine::Library => "library",
            Engine::Own => "own",
        }
    }
}

/// The windows of the root, iteration by iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RootWay {
    /// All values there are.
    Full,
    /// So far around the last iteration's value, in the game's units; what is left of the bounds where that
    /// fails.
    Aspiration(f64),
    /// MTD(f): null windows from the last iteration's value on, so many steps of the grid beyond the last
    /// bound.
    Mtdf(Score),
    /// The same by steps that double, and by the middle of the bounds once these are nearer than that.
    Gallop(Score),
    /// A null window at the last iteration's value, then ever one in the middle of the bounds.
    Bisection,
}

/// The windows below the root, values in the game's units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct InnerWay {
    pub(super) slack: Option<Slack>,
    last: Option<f64>,
    pub(super) has_null_moves: bool,
}

/// The same in steps of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Inner {
    /// Successors of chance nodes are asked for their shares of the slack first.
    pub(super) slack: Option<Slack>,
    /// They are searched so far around their bounds of the last iteration first.
    pub(super) last: Option<Score>,
    /// Moves after the first are searched in a null window first.
    pub(super) has_null_moves: bool,
}

/// How the slack of a chance node is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slack {
    pub(super) side: Side,
    /// Whether successors are asked in a null window, and not from their share to the other end of Star1's.
    pub(super) is_null: bool,
    /// The least depth of such nodes.
    pub(super) depth: u8,
}

/// What nodes are asked to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// That they are worth alpha or less, wherever the lower bounds allow it.
    Low,
    /// That they are worth beta or more, wherever the upper bounds allow it.
    High,
    /// What they were two plies less deep, where that was one of both.
    Expected,
}

/// The least depth of chance nodes whose slack is shared, where none is written.
const SLACK_DEPTH: u8 = 3;

const EXPECTED: &str = "expected library: or own:, then full, aspiration=VALUE, mtdf=STEPS, gallop=STEPS or \
                        bisection, and of own: also slack-null=SIDE, slack-narrow=SIDE, slack-depth=N, \
                        last=VALUE and null-moves, joined by \"+\"";

impl Way {
    /// Reads a way.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(text: &str) -> Result<Self, BadInput> {
        let words = text.trim();
        let refuse = || BadInput::new("way", words, EXPECTED);
        let (engine, parts) = words.split_once(':').ok_or_else(refuse)?;
        let engine = [Engine::Library, Engine::Own].into_iter().find(|known| known.name() == engine);
        let engine = engine.ok_or_else(refuse)?;
        let mut draft = Draft::default();
        for part in parts.split('+') {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            draft.read(name, value).ok_or_else(refuse)?;
        }
        let (root, inner) = draft.ready().ok_or_else(refuse)?;
        if engine == Engine::Library && inner != InnerWay::default() {
            return Err(refuse());
        }
        Ok(Way { words: words.to_owned(), engine, root: root.unwrap_or(RootWay::Full), inner })
    }
}

impl Way {
    /// Whether it is an engine's full windows and nothing else.
    pub(super) fn is_usual(&self) -> bool {
        self.root == RootWay::Full && self.inner == InnerWay::default()
    }
}

impl InnerWay {
    /// What it is on this grid.
    pub(super) fn on(self, grid: &Grid) -> Inner {
        let InnerWay { slack, last, has_null_moves } = self;
        Inner { slack, last: last.map(|value| grid.steps(value)), has_null_moves }
    }
}

/// What was read of a way so far.
#[derive(Default)]
struct Draft {
    root: Option<RootWay>,
    inner: InnerWay,
    slack_depth: Option<u8>,
}

impl Draft {
    /// Takes one part; `None` where it is none, or was there before.
    fn read(&mut self, name: &str, value: &str) -> Option<()> {
        let value_of = || value.parse::<f64>().ok().filter(|&value| value.is_finite() && value > 0.0);
        let steps = || value.parse::<Score>().ok().filter(|steps| (1..=1 << 24).contains(steps));
        let bare = || value.is_empty().then_some(());
        let root = match name {
            "full" => bare().map(|()| RootWay::Full)?,
            "aspiration" => RootWay::Aspiration(value_of()?),
            "mtdf" => RootWay::Mtdf(steps()?),
            "gallop" => RootWay::Gallop(steps()?),
            "bisection" => bare().map(|()| RootWay::Bisection)?,
            _ => return self.read_inner(name, value),
        };
        self.root.replace(root).is_none().then_some(())
    }

    fn read_inner(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "slack-null" | "slack-narrow" => {
                let side = [("low", Side::Low), ("high", Side::High), ("expected", Side::Expected)];
                let side = side.into_iter().find(|&(known, _)| known == value)?.1;
                let slack = Slack { side, is_null: name == "slack-null", depth: SLACK_DEPTH };
                self.inner.slack.replace(slack).is_none().then_some(())
            }
            "slack-depth" => {
                let depth = value.parse::<u8>().ok().filter(|&depth| depth >= 2)?;
                self.slack_depth.replace(depth).is_none().then_some(())
            }
            "last" => {
                let value = value.parse::<f64>().ok().filter(|&value| value.is_finite() && value >= 0.0)?;
                self.inner.last.replace(value).is_none().then_some(())
            }
            "null-moves" if value.is_empty() => {
                (!std::mem::replace(&mut self.inner.has_null_moves, true)).then_some(())
            }
            _ => None,
        }
    }

    /// The whole; `None` where a depth of slack is given and no slack.
    fn ready(self) -> Option<(Option<RootWay>, InnerWay)> {
        let Draft { root, mut inner, slack_depth } = self;
        match (&mut inner.slack, slack_depth) {
            (Some(slack), Some(depth)) => slack.depth = depth,
            (None, Some(_)) => return None,
            (_, None) => {}
        }
        Some((root, inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_read() {
        let way = Way::read(" library:aspiration=0.1 ").unwrap();
        assert_eq!((way.engine, way.root), (Engine::Library, RootWay::Aspiration(0.1)));
        assert_eq!(way.words, "library:aspiration=0.1");
        let way = Way::read("own:gallop=5+slack-null=high+slack-depth=4+last=0+null-moves").unwrap();
        assert_eq!((way.engine, way.root), (Engine::Own, RootWay::Gallop(5)));
        let inner = way.inner.on(&Grid::default());
        let slack = Some(Slack { side: Side::High, is_null: true, depth: 4 });
        assert_eq!(inner, Inner { slack, last: Some(0), has_null_moves: true });
    }

    #[test]
    fn what_is_no_way_is_named() {
        for text in [
            "",
            "full",
            "other:full",
            "library:",
            "library:full=1",
            "library:mtdf=0",
            "library:full+bisection",
            "library:aspiration=-1",
            "library:slack-null=low",
            "library:null-moves",
            "own:slack-null=both",
            "own:slack-depth=4",
            "own:slack-null=low+slack-depth=1",
            "own:last=nan",
            "own:null-moves+null-moves",
        ] {
            let complaint = Way::read(text).unwrap_err().to_string();
            assert!(complaint.starts_with("way ") && complaint.contains("expected library:"), "{complaint}");
            assert!(!complaint.contains('\n') && complaint.len() < 400, "{complaint}");
        }
    }

    #[test]
    fn the_usual_ways_are_some_each_once() {
        let read = WAYS.map(|text| Way::read(text).unwrap());
        assert!(read.iter().enumerate().all(|(number, way)| !read[..number].contains(way)));
    }
}
