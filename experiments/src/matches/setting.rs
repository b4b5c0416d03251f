//! Who plays, and how: what is written of a player on a command line.

use crate::cli::values::whole_number;
use crate::cli::{BadInput, files};
use crate::matches::command::CommandPlayer;
use crate::matches::level::Level;
use crate::matches::player::{Chooser, RandomPlayer, SearchPlayer};
use crate::question::algorithm::usual_options;
use crate::question::door::{Door, SearcherMaker, weights_file};
use crate::question::flags::MAX_TABLE_MB;
use crate::question::smaller::SmallerFlags;
use crate::question::tables;
use crate::question::tuning::OptionFlags;
use crate::question::words;
use clap::{Args, Parser};
use serde_json::{Map, Value, json};
use starsplit::search::{Options, StopFlag};
use starsplit_games::fingerprint;
use starsplit_options::{DECLARED, OptionRole};
use starsplit_tables::AnyTable;
use std::sync::Arc;
use std::time::Duration;

/// The size of a search's table in MiB where none is named.
const TABLE_MB: u64 = 16;

/// A player of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// As it was written.
    pub text: String,
    /// Who it is.
    pub player: PlayerKind,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerKind {
    /// Any move, all equally likely.
    Random,
    /// A search of ours.
    Search(Box<SearchSetting>, Level),
    /// A command that speaks the line protocol.
    Command {
        /// The program and its arguments.
        words: Vec<String>,
        /// What it is told with every position.
        level: Level,
    },
}

/// How a search of ours is made.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct SearchSetting {
    /// The evaluator; the game's first where there is none.
    #[arg(long)]
    pub evaluator: Option<String>,
    /// The seed of what the evaluator draws at random.
    #[arg(long, default_value_t = 1, value_parser = whole_number("seed", 0..=u64::MAX))]
    pub seed: u64,
    /// The size of its table in MiB.
    #[arg(long, default_value_t = TABLE_MB, value_parser = whole_number("table-mb", 1..=MAX_TABLE_MB))]
    pub table_mb: u64,
    /// What it keeps of the game that it searches; outcomes are drawn by the same seed.
    #[command(flatten)]
    pub smaller: SmallerFlags,
    /// Its options.
    #[arg(skip)]
    pub options: Options,
}

#[derive(Clone, Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct SettingFlags {
    /// The first moves' evaluations alone: depth 1.
    #[arg(long, conflicts_with = "depth")]
    greedy: bool,
    /// Begin with the paper's options for the algorithm, not with the library's.
    #[arg(long)]
    paper: bool,
    #[command(flatten)]
    level: Level,
    #[command(flatten)]
    search: SearchSetting,
    #[command(flatten)]
    options: OptionFlags<true>,
}

impl SettingFlags {
    fn read(thing: &str, text: &str) -> Result<(SearchSetting, Level), BadInput> {
        let SettingFlags { greedy, paper, mut level, mut search, options } = words::read(thing, text, text)?;
        if greedy {
            level.depth = Some(1);
        }
        let algorithm = options.applied_to(Options::default()).algorithm;
        let usual = if paper { Options::paper(algorithm) } else { usual_options(algorithm) };
        search.options = options.applied_to(usual);
        Ok((search, level))
    }
}

/// What ends the keys of a setting, with the rest of the text.
const COMMAND: &str = "command=";

impl Setting {
    /// Reads `random`, `KEY=VALUE,KEY,...` or `KEY=VALUE,...,command=PROGRAM ARGUMENTS`.
    ///
    /// # Errors
    /// When a key is unknown or has no such value, or a search would never end.
    pub fn read(text: &str) -> Result<Self, BadInput> {
        let refuse = |complaint: &str| Err(BadInput::new("setting", text, complaint));
        let player = match split_command(text) {
            _ if text.trim() == "random" => PlayerKind::Random,
            Some((keys, words)) => {
                let level = Level::read(&keys.replace([',', '='], " "))?;
                match shlex::split(words) {
                    None => return refuse("expected every quote closed, and something after each backslash"),
                    Some(words) if words.is_empty() => return refuse("expected command=PROGRAM ARGUMENTS"),
                    Some(words) => PlayerKind::Command { words, level },
                }
            }
            None => {
                let (search, level) = SettingFlags::read("setting", text)?;
                if level.is_unlimited() {
                    return refuse("expected random, greedy, or one of depth, time-ms and nodes at least");
                }
                PlayerKind::Search(Box::new(search), level)
            }
        };
        Ok(Setting { text: text.trim().to_owned(), player })
    }

    /// Refuses what is wrong with it in this game, before anything is played.
    ///
    /// # Errors
    /// When there is no such evaluator, or the options do not fit together.
    pub fn check(&self, door: &dyn Door) -> Result<(), BadInput> {
        match &self.player {
            PlayerKind::Search(search, _) => search.check(door),
            PlayerKind::Random | PlayerKind::Command { .. } => Ok(()),
        }
    }

    /// A table for one player; the smallest that there is where it does not search.
    ///
    /// # Errors
    /// When the machine cannot give so much.
    pub fn table(&self) -> Result<AnyTable, BadInput> {
        match &self.player {
            PlayerKind::Search(search, _) => tables::table(search.table_mb),
            PlayerKind::Random | PlayerKind::Command { .. } => tables::smallest(),
        }
    }

    /// A player, with a table that nobody else may use. A command may take as long as `timeout` to answer,
    /// beyond what its level gives it; `stop` ends what the player does.
    ///
    /// # Errors
    /// When it cannot be made, or a command not be started.
    pub fn player<'t>(
        &self,
        door: &Arc<dyn Door>,
        table: &'t AnyTable,
        timeout: Duration,
        stop: &StopFlag,
    ) -> anyhow::Result<Box<dyn Chooser + 't>> {
        Ok(match &self.player {
            PlayerKind::Random => Box::new(RandomPlayer),
            PlayerKind::Search(search, level) => {
                let player = search.player(Arc::clone(door), table, stop)?;
                Box::new(SearchPlayer { level: *level, ..player })
            }
            PlayerKind::Command { words, level } => {
                let game = (door.game(), door.rules());
                Box::new(CommandPlayer::start(words, *level, timeout, game, stop.clone())?)
            }
        })
    }

    /// What records say of it.
    pub fn recorded(&self, door: &dyn Door) -> Value {
        match &self.player {
            PlayerKind::Random => json!({ "player": "random" }),
            PlayerKind::Search(search, level) => {
                json!({ "player": "search", "level": level, "search": search.recorded(door) })
            }
            PlayerKind::Command { words, level } => {
                json!({ "player": "command", "level": level, "command": words })
            }
        }
    }
}

/// The keys before a command, and the command.
fn split_command(text: &str) -> Option<(&str, &str)> {
    let start = text.find(COMMAND)?;
    let keys = text[..start].trim_end();
    (keys.is_empty() || keys.ends_with(',')).then(|| (keys, &text[start + COMMAND.len()..]))
}

impl SearchSetting {
    /// Reads `KEY=VALUE,KEY,...`, without a limit.
    ///
    /// # Errors
    /// When a key is unknown or has no such value, or is a limit.
    pub fn read(text: &str) -> Result<Self, BadInput> {
        match SettingFlags::read("settings", text)? {
            (search, level) if level.is_unlimited() => Ok(search),
            _ => Err(BadInput::new("settings", text, "expected no greedy, depth, time-ms or nodes")),
        }
    }

    /// The evaluator's name in this game.
    pub fn evaluator<'s>(&'s self, door: &dyn Door) -> &'s str {
        self.evaluator.as_deref().unwrap_or_else(|| door.default_evaluator())
    }

    /// Refuses what is wrong with it in this game.
    ///
    /// # Errors
    /// When there is no such evaluator, or the options do not fit together.
    pub fn check(&self, door: &dyn Door) -> Result<(), BadInput> {
        self.options.check().map_err(BadInput::from_error)?;
        self.maker(door)?;
        Ok(())
    }

    /// A player that searches so, without limits yet, with a table that nobody else may use.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn player<'t>(
        &self,
        door: Arc<dyn Door>,
        table: &'t AnyTable,
        stop: &StopFlag,
    ) -> Result<SearchPlayer<'t>, BadInput> {
        self.check(&*door)?;
        let searcher = self.maker(&*door)?.searcher(table, self.options.clone(), None);
        Ok(SearchPlayer { door, searcher, level: Level::default(), stop: stop.clone() })
    }

    /// What makes its searchers.
    fn maker(&self, door: &dyn Door) -> Result<Box<dyn SearcherMaker>, BadInput> {
        Ok(self.smaller.evaluator(door, self.evaluator(door), self.seed)?)
    }

    fn recorded(&self, door: &dyn Door) -> Value {
        let evaluator = self.evaluator(door);
        let weights = weights_file(evaluator).and_then(|file| files::read(&file, files::WEIGHTS).ok());
        let asked = DECLARED.iter().filter(|declared| declared.role != OptionRole::Request);
        let options: Map<_, _> = asked
            .map(|declared| (declared.name.to_owned(), declared.get(&self.options).to_string().into()))
            .collect();
        let mut recorded = json!({
            "evaluator": evaluator,
            "weights_fnv1a": weights.map(|bytes| fingerprint(&bytes)),
            "seed": self.seed,
            "table_mb": self.table_mb,
            "options": options,
        });
        // Records of searches of the whole game are as before there was a choice.
        if !self.smaller.keeps_all() {
            recorded["smaller_game"] = json!(self.smaller);
        }
        recorded
    }
}

/// What a setting can say.
pub fn help() -> String {
    let keys: Vec<_> = OptionFlags::<true>::declared().map(|declared| declared.flag).collect();
    format!(
        "random; or keys of a search, such as depth=5,evaluator=network,threads=2; or a command, such as \
         time-ms=50,command=PROGRAM ARGUMENTS\n\n\
         A search needs one of depth, time-ms (milliseconds a move) and nodes at least; \"greedy\" is \
         depth=1. Other keys: evaluator, seed (of what an evaluator draws at random, 1), table-mb \
         ({TABLE_MB}), sampled, keep-moves and within (a smaller game is searched, outcomes drawn by the \
         seed), {}, as search --help and the library describe them; \"paper\" begins with the paper's \
         options for the algorithm. A command is started once for each of the jobs, without a shell, and \
         speaks the protocol of docs/experiments.md; depth, time-ms and nodes are told it with every \
         position. Its words are parted by spaces, which quotes and backslashes keep as in a shell.",
        keys.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::door::Kept;
    use crate::question::doors;
    use starsplit::search::Algorithm;

    fn kind(text: &str) -> PlayerKind {
        Setting::read(text).unwrap().player
    }

    #[test]
    fn settings_are_read() {
        assert_eq!(kind(" random "), PlayerKind::Random);
        let PlayerKind::Search(search, level) = kind("evaluator=constant,ms=50,algorithm=star1,table-mb=2")
        else {
            panic!("a search");
        };
        assert_eq!((search.evaluator.as_deref(), search.table_mb), (Some("constant"), 2));
        assert_eq!(search.options, usual_options(Algorithm::Star1));
        assert_eq!(level, Level { ms: Some(50), ..Level::default() });
        let PlayerKind::Search(search, level) = kind("greedy") else { panic!("a search") };
        assert_eq!((search.options, level.depth), (Options::default(), Some(1)));
        assert!(search.smaller.keeps_all());
        let PlayerKind::Search(search, _) = kind("ms=9,sampled=4,keep-moves=8,within=0.16,seed=7") else {
            panic!("a search")
        };
        let kept = Kept { draws: Some((4, 7)), moves: Some(8), margin: Some(0.16) };
        assert_eq!(search.smaller.kept(search.seed), kept);
        let words = ["x/engine", "--a=command=b", "c,d"].map(str::to_owned).to_vec();
        let level = Level { depth: Some(3), ms: Some(9), ..Level::default() };
        let text = "depth=3, ms=9,command=x/engine  --a=command=b c,d";
        assert_eq!(kind(text), PlayerKind::Command { words, level });
        let words = ["a b/c", "d\"e", "f", ""].map(str::to_owned).to_vec();
        for text in [r#"command="a b/c" 'd"e' f ''"#, r#"command=a\ b/c d\"e "f" """#] {
            assert_eq!(kind(text), PlayerKind::Command { words: words.clone(), level: Level::default() });
        }
    }

    #[test]
    fn what_is_no_setting_is_named() {
        for (text, words) in [
            ("", "expected random"),
            ("evaluator=network", "expected random, greedy, or one of depth"),
            ("depth=0", "depth 0: expected"),
            ("depth=3,greedy", "setting"),
            ("speed=9", "--speed"),
            ("depth=3,table-work=20", "option table-work: retired, revision 21018ab5 had it last"),
            ("depth=3,depth=4", "--depth"),
            ("depth=3,sampled=0", "sampled 0: expected a whole number from 1"),
            ("depth=3,within=-1", "within -1: expected a number of 0 or more"),
            ("command=", "expected command=PROGRAM"),
            ("command=\"a b", "expected every quote closed"),
            ("command=a\\", "something after each backslash"),
            ("evaluator=x,command=y", "limit evaluator"),
        ] {
            let complaint = Setting::read(text).unwrap_err().to_string();
            assert!(complaint.contains(words) && !complaint.contains('\n'), "{complaint}");
        }
        assert!(SearchSetting::read("depth=3").unwrap_err().to_string().contains("expected no greedy"));
        let door = doors::games().open(doors::games().default_game(), None).unwrap();
        let complaint = Setting::read("depth=1,evaluator=oracle").unwrap().check(&*door).unwrap_err();
        assert!(complaint.to_string().contains("oracle"), "{complaint}");
    }

    #[test]
    fn records_tell_settings_apart_however_they_are_written() {
        let door = doors::games().open(doors::games().default_game(), None).unwrap();
        let recorded = |text| Setting::read(text).unwrap().recorded(&*door);
        assert_eq!(recorded("depth=1"), recorded("greedy,table-mb=16"));
        assert!(recorded("greedy")["search"].get("smaller_game").is_none());
        let kept = &recorded("greedy,sampled=4")["search"]["smaller_game"];
        assert_eq!(*kept, json!({"sampled": 4, "top_moves": null, "within": null}));
        assert_ne!(recorded("greedy,keep-moves=4"), recorded("greedy,keep-moves=5"));
        for other in [
            "depth=2",
            "greedy,sampled=4",
            "greedy,within=0",
            "greedy,seed=2",
            "greedy,threads=2",
            "greedy,evaluator=constant",
            "random",
        ] {
            assert_ne!(recorded(other), recorded("greedy"), "{other}");
        }
    }
}
