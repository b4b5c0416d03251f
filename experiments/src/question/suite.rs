//! Suites of positions: named ones that come with the experiments, or files.

use crate::cli::BadInput;
use crate::cli::files;
use crate::cli::note;
use crate::cli::texts;
use crate::cli::values;
use crate::question::door::{Door, Entry};
use crate::question::doors;
use crate::question::tables;
use starsplit::search::{Limits, MAX_DEPTH, Options};
use starsplit::table::Table;
use starsplit_games::GameInfo;
use starsplit_games::fingerprint;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

/// The name of a suite that is made by self-play.
pub const SELF_PLAY: &str = "self-play";

/// How many positions such a suite has, and the seed of its games.
const POSITIONS: usize = 20;
const SEED: u64 = 1;

/// The nodes of a search to the depth of such a suite, at most.
const NODES: u64 = 500_000;

/// The table of that search, in MiB.
const TABLE_MB: u64 = 16;

/// Positions of a game under one set of rules.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The name or the file it was loaded from.
    pub name: String,
    /// The door to the game that its positions belong to.
    pub door: Arc<dyn Door>,
    /// The depth that its positions were chosen for, where the text names one.
    pub depth: Option<u32>,
    /// The positions, in the order of the text.
    pub positions: Vec<Entry>,
    /// A fingerprint of the text, for records: FNV-1a, 64 bits, hexadecimal.
    pub fingerprint: String,
}

/// The suites that can be named, with their texts.
fn named() -> impl Iterator<Item = (&'static str, &'static str)> {
    doors::games().infos().flat_map(|game| game.suites).copied()
}

fn names() -> String {
    named().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
}

/// Positions of a game as the text of a suite, without a comment.
pub(crate) fn text(door: &dyn Door, depth: Option<u32>, positions: &[Entry]) -> String {
    let depth = depth.map_or_else(String::new, |depth| format!("depth {depth}\n"));
    let positions: String = positions.iter().map(|position| format!("{}\n", position.text)).collect();
    format!("game {}\nrules {}\n{depth}{positions}", door.game(), door.rules())
}

/// The depth that the game's first suite names.
pub fn usual_depth(game: &GameInfo) -> Option<u32> {
    let (_, text) = game.suites.first()?;
    text.lines().find_map(|line| line.strip_prefix("depth "))?.trim().parse().ok()
}

impl Suite {
    /// The suite of that name, or the one in that file; under other rules than its own, where some are given.
    ///
    /// # Errors
    /// When there is neither, or the text is not a suite.
    pub fn load(name: &str, rules: Option<&str>) -> Result<Self, BadInput> {
        if let Some((_, text)) = named().find(|(known, _)| *known == name) {
            return Suite::parse(name, text, rules);
        }
        let text = texts::read(Path::new(name), files::TEXT).map_err(|error| {
            refuse(name, format_args!(": expected {}", texts::expected(&names(), &error)))
        })?;
        Suite::parse(name, &text, rules)
    }

    /// The suite that `text` describes, under other rules than its own where some are given.
    ///
    /// # Errors
    /// When a line is neither a comment, nor the game, nor the rules, nor the depth, nor a position; or there
    /// is no position.
    pub fn parse(name: &str, text: &str, rules: Option<&str>) -> Result<Self, BadInput> {
        let mut draft = Draft { other_rules: rules, ..Draft::default() };
        for (line, content) in (1..).zip(text.lines().map(str::trim)) {
            draft.read(content).map_err(|error| refuse(name, format_args!(", line {line}: {error}")))?;
            if let Some(unused) = draft.unused(content) {
                note(format_args!("suite {name:?}, line {line}: not used: {unused}"));
            }
        }
        match draft {
            Draft { door: Some(door), depth, positions, .. } if !positions.is_empty() => Ok(Suite {
                name: name.to_owned(),
                door,
                depth,
                positions,
                fingerprint: fingerprint(text.as_bytes()),
            }),
            _ => Err(refuse(name, ": expected at least one position")),
        }
    }

    /// A suite of positions from self-play, one move ahead, by the game's first evaluator: what a game
    /// without a suite of its own has. Its depth is the greatest at which the searches of all positions take
    /// at most `NODES` nodes each. All of it follows from the game.
    ///
    /// # Errors
    /// When the game has no such position, or breaks its contract.
    pub fn self_played(door: &Arc<dyn Door>) -> anyhow::Result<Self> {
        let evaluator = door.default_evaluator();
        let positions = door.self_play(evaluator, POSITIONS, SEED)?;
        if positions.is_empty() {
            let complaint = "expected one that is played for a move or more";
            return Err(BadInput::new("game", door.game(), complaint).into());
        }
        let table = tables::table(TABLE_MB)?;
        let searcher = door.evaluator(evaluator, SEED)?.searcher(&table, Options::default(), None);
        let mut depth = MAX_DEPTH;
        for position in &positions {
            table.clear(1);
            let limits = Limits::depth(depth).with_nodes(NODES);
            depth = searcher.search(position, &limits, &mut |_| {})?.answer.depth.max(1);
        }
        let text = text(&**door, Some(depth), &positions);
        Ok(Suite {
            name: SELF_PLAY.to_owned(),
            door: door.clone(),
            depth: Some(depth),
            positions,
            fingerprint: fingerprint(text.as_bytes()),
        })
    }

    /// Its first position, and every `step`-th after it.
    ///
    /// # Panics
    /// When `step` is 0.
    #[must_use]
    pub fn every(mut self, step: u64) -> Self {
        let step = usize::try_from(step).unwrap_or(usize::MAX);
        self.positions = self.positions.into_iter().step_by(step).collect();
        self
    }

    /// How deep to search: what was `asked` for, else the suite's own depth, else `default`.
    pub fn depth_or(&self, asked: Option<u32>, default: u32) -> u32 {
        asked.or(self.depth).unwrap_or(default)
    }
}

/// What is wrong with the suite of that name.
fn refuse(name: &str, complaint: impl Display) -> BadInput {
    BadInput::from_error(format_args!("suite {name:?}{complaint}"))
}

/// What the lines of a suite have said so far.
#[derive(Default)]
struct Draft<'r> {
    other_rules: Option<&'r str>,
    game: Option<&'static GameInfo>,
    door: Option<Arc<dyn Door>>,
    depth: Option<u32>,
    positions: Vec<Entry>,
}

impl Draft<'_> {
    /// What a line that has been read says beyond a position.
    fn unused(&self, content: &str) -> Option<String> {
        self.door.as_ref().filter(|_| !self.positions.is_empty())?.unused(content)
    }

    fn read(&mut self, content: &str) -> Result<(), BadInput> {
        let expected = |what: &str| Err(BadInput::from_error(format_args!("expected {what}")));
        if content.is_empty() || content.starts_with('#') {
            return Ok(());
        }
        if let Some(name) = content.strip_prefix("game ") {
            let earlier = self.game.replace(doors::games().named(name.trim())?);
            let fits = earlier.is_none() && self.door.is_none();
            return if fits { Ok(()) } else { expected("at most one line \"game NAME\", before the rules") };
        }
        let game = self.game.unwrap_or_else(|| doors::games().default_game());
        let rules_once =
            format!("one line \"rules {}\", or other rules, before the positions", game.default_rules);
        if let Some(rules) = content.strip_prefix("rules ") {
            let door = doors::games().open(game, Some(self.other_rules.unwrap_or(rules)))?;
            let fits = self.door.replace(door).is_none();
            return if fits { Ok(()) } else { expected(&rules_once) };
        }
        if let Some(depth) = content.strip_prefix("depth ") {
            let earlier = self.depth.replace(values::depth(depth.trim())?);
            let fits = earlier.is_none() && self.positions.is_empty();
            return if fits {
                Ok(())
            } else {
                expected("at most one line \"depth N\", before the positions")
            };
        }
        let Some(door) = &self.door else { return expected(&rules_once) };
        let mut entry = door.position(content)?;
        // As the suite writes it, which is what records name it by.
        content.clone_into(&mut entry.text);
        self.positions.push(entry);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit_training::self_play::paper_suite;

    fn complaint(text: &str) -> String {
        Suite::parse("s", text, None).unwrap_err().to_string()
    }

    fn initial() -> String {
        doors::games().open(doors::games().default_game(), None).unwrap().initial().text
    }

    #[test]
    fn comments_rules_and_positions_are_read() {
        let suite =
            Suite::parse("s", &format!("# a comment\n\nrules size=5\n{0}\n  {0}  \n", initial()), None)
                .unwrap();
        assert_eq!(suite.positions.len(), 2);
        assert_eq!(suite.positions[1].text, initial());
        assert_eq!(
            (suite.door.game(), suite.door.rules().as_str()),
            ("dice", doors::games().default_game().default_rules)
        );
        assert_eq!((suite.depth_or(None, 9), suite.depth_or(Some(3), 9)), (9, 3));
    }

    #[test]
    fn every_so_manieth_position_of_a_suite_is_kept() {
        let kept = |step| Suite::load("paper", None).unwrap().every(step).positions;
        let texts = |step: u64| kept(step).into_iter().map(|entry| entry.text).collect::<Vec<_>>();
        let all = texts(1);
        assert_eq!(texts(4), [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48].map(|at| all[at].clone()));
        assert_eq!(texts(50), all[..1]);
    }

    #[test]
    fn a_suite_may_name_its_depth_and_the_user_another() {
        for text in ["rules size=5\ndepth 17\n", "depth 17\nrules size=5\n"] {
            let suite = Suite::parse("s", &format!("{text}{}\n", initial()), None).unwrap();
            assert_eq!((suite.depth_or(None, 9), suite.depth_or(Some(3), 9)), (17, 3));
        }
    }

    #[test]
    fn a_suite_may_name_its_game() {
        let suite = Suite::parse("s", &format!("game dice\nrules size=5\n{}\n", initial()), None).unwrap();
        assert_eq!(suite.door.game(), "dice");
        assert!(complaint("game chess\nrules size=5\n").contains("line 1: game chess: expected dice"));
        for text in ["game dice\ngame dice\n", "rules size=5\ngame dice\n"] {
            assert!(complaint(text).contains("line 2: expected at most one line \"game NAME\""), "{text}");
        }
    }

    #[test]
    fn complaints_name_the_line() {
        assert!(complaint("# x\nrules size=99\n").contains("line 2: size \"99\""));
        assert!(complaint("rules size=5\n\n#\nnonsense\n").contains("line 4: "));
        assert!(complaint(&format!("{}\n", initial())).contains("line 1: expected one line \"rules"));
        assert!(complaint("rules size=5\nrules size=5\n").contains("line 2: expected one line \"rules"));
        assert!(complaint("rules size=5\ndepth 0\n").contains("line 2: depth 0: expected"));
        assert!(complaint("depth 3\ndepth 3\n").contains("line 2: expected at most one line \"depth"));
        let late = format!("rules size=5\n{}\ndepth 3\n", initial());
        assert!(complaint(&late).contains("line 3: expected at most one line \"depth"));
        assert!(complaint("rules size=5\n# nothing\n").contains("at least one position"));
    }

    #[test]
    fn a_suite_that_is_not_there_is_named_with_those_that_are() {
        let complaint = Suite::load("no/such/suite", None).unwrap_err().to_string();
        assert!(complaint.contains("no/such/suite") && complaint.contains("expected paper"), "{complaint}");
    }

    #[test]
    fn every_named_suite_is_one() {
        for (name, _) in named() {
            let suite = Suite::load(name, None).unwrap();
            assert!(suite.positions.len() >= 6, "{name}: enough for an interval");
        }
    }

    #[test]
    fn the_quick_suites_positions_are_the_papers() {
        let texts = |name| Suite::load(name, None).unwrap().positions.into_iter().map(|entry| entry.text);
        let paper: Vec<_> = texts("paper").collect();
        assert!(texts("quick").all(|text| paper.contains(&text)));
    }

    #[test]
    fn the_papers_suite_has_50_positions_of_the_papers_game() {
        let suite = Suite::load("paper", None).unwrap();
        assert_eq!(
            (suite.positions.len(), suite.door.rules().as_str()),
            (50, doors::games().default_game().default_rules)
        );
    }

    #[test]
    fn the_large_suites_positions_come_from_the_self_play_that_it_names() {
        let suite = Suite::load("large", None).unwrap();
        assert_eq!(
            (suite.depth, suite.door.rules().as_str()),
            (Some(19), doors::games().default_game().default_rules)
        );
        assert!((6..=8).contains(&suite.positions.len()));
        let origin = paper_suite(2).unwrap();
        let places = suite.positions.iter().map(|entry| {
            origin.lines().position(|line| line == entry.text).expect("a position of that self-play")
        });
        assert!(places.is_sorted_by(|a, b| a < b), "in their order, none twice");
    }
}
