//! What `meta.json` says: of what the lines beside it are, where and by what they were made. Written and read
//! by all.

use crate::records::checksum;
use crate::records::json;
use crate::records::machine::{Machine, Program};
use crate::records::tuning::Tuning;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of what is written, of lines and of `meta.json`; it grows with every change that a reader has
/// to know about.
///
/// 4, the oldest that is read: `split` has `duplicate_nodes` only where they were counted. A line with
/// `simulated` is of a search on virtual processors: all its times are virtual, `threads` is their
/// number, and how the workers differ is in `simulated.workers`, not in `workers`. A line with `variant`
/// is one search of a study, under the options that `settings.variants` gives it.
///
/// 5: every line ends with a checksum, `crc32`: the CRC-32 of the bytes before that key and its comma, eight
/// hexadecimal digits. Lines of searches and `meta.json` name the game (`game`), Dice until then, and
/// `meta.json` has the revision at its top (`revision`). `workers.abort_counts` has every time to leave what
/// was cut, so that those of several searches can be put together.
///
/// 6: every line has its number, `line`, before its checksum, from 1 on without a gap, so that one that is
/// missing is seen. `meta.json` says what the run is to leave (`planned`), and what the program was built
/// from (`program.built_from`), which `revision` repeats.
pub const SCHEMA: u32 = 6;

/// The file.
pub const META: &str = "meta.json";

/// The game of the suites, and of records that do not name one.
pub const DICE: &str = "dice";

/// What the records call the games that `graphs` and `stress` make: positions with successors at random.
pub const RANDOM_GRAPH: &str = "random-graph";

/// What stands for the game where random graphs and every game take turns.
pub const EVERY_GAME: &str = "every-game";

pub(crate) fn older_game() -> String {
    DICE.to_owned()
}

/// What `meta.json` says. What is missing in it is taken for unknown: whoever needs something asks for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Meta {
    /// The version of what is written (`SCHEMA`).
    pub schema: u32,
    /// Which experiment wrote it.
    pub experiment: String,
    /// The game that was searched.
    #[serde(default = "older_game")]
    pub game: String,
    /// The revision that the program was built from, before schema 6 that in the directory in which it was
    /// run; null where that is unknown.
    pub revision: Option<String>,
    /// When it began.
    pub started: String,
    /// The program.
    pub program: Program,
    /// The machine.
    pub machine: Machine,
    /// What was asked for.
    pub settings: RunSettings,
    /// What the run is to leave; there only where that was known when it began, and not before schema 6.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned: Option<Planned>,
    /// What asked for the run, where it was not the user; there only then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<Asked>,
    /// Who has gone on with the records; there only then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resumed: Vec<Resumption>,
    /// In the file alone: the CRC-32 of all other keys and their values, as JSON without spaces and with keys
    /// in alphabetical order, eight hexadecimal digits. Files of earlier versions have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) crc32: Option<String>,
}

/// The key of the checksum.
const CHECKSUM: &str = "crc32";

/// The schema from which on every `meta.json` has one.
const CHECKSUM_SINCE: u64 = 6;

impl Meta {
    /// The text of `meta.json`, with its checksum.
    ///
    /// # Errors
    /// When it has no form in JSON.
    pub fn text(&self) -> serde_json::Result<String> {
        let own = Meta { crc32: None, ..self.clone() };
        let crc32 = Some(checksum_of(&serde_json::to_value(&own)?));
        Ok(serde_json::to_string_pretty(&Meta { crc32, ..own })? + "\n")
    }

    /// What the text of `meta.json` says.
    ///
    /// # Errors
    /// In words, when it is none, or was changed after it was written.
    pub fn read(text: &str) -> Result<Self, String> {
        Meta::deserialize(read_value(text)?).map_err(|error| error.to_string())
    }
}

/// The object that the text of `meta.json` is, without its checksum.
///
/// # Errors
/// As [`Meta::read`].
pub fn read_value(text: &str) -> Result<Value, String> {
    json::check(text)?;
    let mut value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let found = value.as_object_mut().and_then(|object| object.remove(CHECKSUM));
    let sum = checksum_of(&value);
    match found {
        None if value["schema"].as_u64() < Some(CHECKSUM_SINCE) => Ok(value),
        None => Err(format!("expected its checksum, {CHECKSUM}")),
        Some(found) if found == sum => Ok(value),
        Some(found) => {
            Err(format!("its checksum is {found}, not \"{sum}\": it was changed after it was written"))
        }
    }
}

/// The checksum of an object as `meta.json` has it, which it must not have itself.
pub fn checksum_of(value: &Value) -> String {
    // Keys of a `Value` are in alphabetical order, whatever their order in the text.
    checksum::sum(&value.to_string())
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RunSettings {
    /// Searches of a suite's positions.
    Searches(Box<Settings>),
    /// Something else.
    Other(Map<String, Value>),
}

impl Default for RunSettings {
    fn default() -> Self {
        RunSettings::Other(Map::new())
    }
}

impl From<&Settings> for RunSettings {
    fn from(settings: &Settings) -> Self {
        RunSettings::Searches(Box::new(settings.clone()))
    }
}

impl RunSettings {
    /// Those of an experiment that does not search a suite.
    ///
    /// # Errors
    /// When they have no form in JSON.
    pub fn other(settings: &impl Serialize) -> serde_json::Result<Self> {
        Ok(match serde_json::to_value(settings)? {
            Value::Object(map) => RunSettings::Other(map),
            _ => RunSettings::default(),
        })
    }

    /// A setting by its name, null where it is not known.
    pub fn get(&self, name: &str) -> Value {
        let all = match self {
            RunSettings::Other(map) => return map.get(name).cloned().unwrap_or_default(),
            RunSettings::Searches(settings) => serde_json::to_value(settings),
        };
        all.map_or(Value::Null, |mut all| all[name].take())
    }

    /// The depth of the searches, where there is one for all.
    pub fn depth(&self) -> Option<u32> {
        u32::try_from(self.get("depth").as_u64()?).ok()
    }

    /// The evaluator of the leaves, nothing where it is not known.
    pub fn evaluator(&self) -> String {
        self.get("evaluator").as_str().unwrap_or_default().to_owned()
    }
}

/// Everything but the runs themselves that a line of the samples depends on. Which contenders take part is
/// not among it: every line says its own, so that a folder can be gone on with by others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// The suite's name or file.
    pub suite: String,
    /// The suite's fingerprint.
    pub suite_fnv1a: String,
    /// The rules of the game.
    pub rules: String,
    /// How many positions it has.
    pub positions: usize,
    /// The depth of the searches.
    pub depth: u32,
    /// The evaluator of the leaves.
    pub evaluator: String,
    /// The fingerprint of the evaluator's weights, where they come from a file.
    pub weights_fnv1a: Option<String>,
    /// The size of the table in MiB.
    pub table_mb: u64,
    /// The seed of what is random.
    pub seed: u64,
    /// The parameters of the search by their names, whether the user has set them or the library.
    #[schemars(with = "Option<Map<String, Value>>")]
    pub tuning: Option<Tuning>,
    /// Whether duplicate nodes are counted.
    pub explain: Option<bool>,
    /// What else an experiment is of.
    #[serde(flatten)]
    pub own: Map<String, Value>,
}

/// What a run is to leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Planned {
    /// Of how many positions there are to be lines; there only where they are of a suite's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<usize>,
    /// How many lines there are to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
}

/// What a spec says of the run that it asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Asked {
    /// The spec's name.
    pub name: String,
    /// The run's name in it.
    pub run: String,
    /// What the experiment is to find out.
    pub question: String,
    /// How the answer is to be read.
    pub reading: String,
}

/// Who has gone on with records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Resumption {
    /// When that began.
    pub started: String,
    /// The program.
    pub program: Program,
    /// The machine.
    pub machine: Machine,
}

impl Meta {
    /// What this program, now and here, writes of an experiment.
    pub fn here(
        (experiment, game): (&str, &str),
        started: String,
        settings: RunSettings,
        spec: Option<&Asked>,
    ) -> Self {
        let program = Program::here();
        Meta {
            schema: SCHEMA,
            experiment: experiment.to_owned(),
            game: game.to_owned(),
            revision: program.revision().map(|git| git.revision.clone()),
            started,
            program,
            machine: Machine::here(),
            settings,
            planned: None,
            spec: spec.cloned(),
            resumed: Vec::new(),
            crc32: None,
        }
    }
}

impl Resumption {
    /// This program, from now on.
    pub fn here(started: String) -> Self {
        Resumption { started, program: Program::here(), machine: Machine::here() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_read_back() {
        let settings = RunSettings::other(&json!({"minutes": 0.5, "positions": [1, 2]})).unwrap();
        let meta = Meta::here(("test", DICE), "now".to_owned(), settings, Some(&Asked::default()));
        let text = serde_json::to_string(&meta).unwrap();
        assert_eq!(serde_json::from_str::<Meta>(&text).unwrap(), meta);
        assert_eq!(
            (meta.settings.get("positions"), meta.settings.get("depth")),
            (json!([1, 2]), Value::Null)
        );
    }

    #[test]
    fn settings_of_searches_are_known_by_their_names() {
        let searches = json!({"suite": "paper", "suite_fnv1a": "0", "rules": "r", "positions": 50,
            "depth": 9, "evaluator": "e", "table_mb": 1, "seed": 7, "variants": [1]});
        let meta: Meta = serde_json::from_value(json!({"schema": 3, "settings": searches})).unwrap();
        assert!(matches!(&meta.settings, RunSettings::Searches(settings) if settings.depth == 9));
        assert_eq!((meta.settings.get("variants"), meta.settings.get("seed")), (json!([1]), json!(7)));
        assert_eq!((meta.game.as_str(), meta.revision), ("dice", None));
    }

    #[test]
    fn what_was_changed_after_it_was_written_is_not_believed() {
        let meta = Meta { schema: SCHEMA, experiment: "test".to_owned(), ..Meta::default() };
        let text = meta.text().unwrap();
        assert_eq!(Meta::read(&text).as_ref(), Ok(&meta));
        assert_eq!(
            Meta::read(&meta.text().unwrap().replace('\n', "")).as_ref(),
            Ok(&meta),
            "spaces may differ"
        );
        let changed = Meta::read(&text.replace("\"test\"", "\"rest\""));
        assert!(changed.clone().is_err_and(|words| words.contains("changed after")), "{changed:?}");
        let bare = serde_json::to_string(&meta).unwrap();
        assert!(Meta::read(&bare).unwrap_err().contains("expected its checksum"), "{bare}");
        let older = Meta { schema: 5, ..meta };
        let bare = serde_json::to_string(&older).unwrap();
        assert!(!bare.contains(CHECKSUM) && Meta::read(&bare).as_ref() == Ok(&older));
        let twice = text.replacen('{', "{\"experiment\": \"rest\",", 1);
        assert!(Meta::read(&twice).unwrap_err().contains("every key once"), "{twice}");
        assert!(Meta::read("{").is_err() && Meta::read("3").is_err());
    }
}
