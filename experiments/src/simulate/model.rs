//! Cost models by name or from files, and the changes to them that the command line asks for.

use crate::cli::BadInput;
use crate::cli::files;
use crate::cli::texts;
use crate::cli::values::{List, whole_number};
use crate::records::simulated::EventCosts;
use serde::Deserialize;
use starsplit::simulate::CostModel;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A cost that is to be another than the model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    key: &'static str,
    to: Amount,
}

/// What a cost becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    /// So much.
    Cost(u32),
    /// So many times what it is, on several processors alone: the serial search has nobody beside it.
    Times(u32),
}

/// Reads `KEY=N` or `KEY=xN`.
///
/// # Errors
/// When there is no such key, or the number is none that a cost can be.
pub(super) fn change(text: &str) -> Result<Change, BadInput> {
    let expected = |what: &str| BadInput::new("cost", text, format_args!("expected {what}"));
    let (key, number) =
        text.split_once('=').ok_or_else(|| expected("KEY=N, such as steal=100, or KEY=xN"))?;
    let keys = EventCosts::from(CostModel::FREE).named().map(|(key, _)| key);
    let known = keys.into_iter().find(|known| *known == key.trim());
    let key = known.ok_or_else(|| expected(&format!("one of the keys {}", keys.join(", "))))?;
    let number = number.trim();
    let to = match number.strip_prefix('x') {
        Some(times) => Amount::Times(whole_number(key, 1..=MOST_TIMES)(times)? as u32),
        None => {
            let least = u64::from(key == "node");
            Amount::Cost(whole_number(key, least..=u64::from(u32::MAX))(number)? as u32)
        }
    };
    Ok(Change { key, to }) // the readers keep it within its range
}

/// The most times that a cost can become.
const MOST_TIMES: u64 = 1_000_000;

/// Costs with the name under which they are reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// "unit", "free" or the file, and what was changed.
    pub name: String,
    /// The costs on one processor.
    pub costs: EventCosts,
    /// The costs on several, where they differ: processors that share caches and memory are slower together.
    pub busy: Option<EventCosts>,
}

impl Model {
    /// The models called `names` in this game, all with the same `changes`.
    ///
    /// # Errors
    /// When one is neither known nor a file with costs, a cost is changed twice, or two models are the same.
    pub fn load(names: &List<String>, game: &str, changes: &[Change]) -> Result<Vec<Self>, BadInput> {
        check_once(changes)?;
        let mut models: Vec<Model> = Vec::new();
        for name in &names.0 {
            let mut model = Model::one(name, game)?;
            changes.iter().for_each(|change| model.change(change));
            if let Some(other) = models.iter().find(|other| other.charges() == model.charges()) {
                let complaint = format!("expected other costs than those of {}", other.name);
                return Err(BadInput::new("costs", &model.name, complaint));
            }
            models.push(model);
        }
        Ok(models)
    }

    fn change(&mut self, Change { key, to }: &Change) {
        let own = |costs: &mut EventCosts, set: &dyn Fn(u32) -> u32| {
            let own = costs.named().into_iter().filter(|(named, _)| named == key);
            own.for_each(|(_, cost)| *cost = set(*cost));
        };
        self.name += &match *to {
            Amount::Cost(amount) => {
                let all = std::iter::once(&mut self.costs).chain(&mut self.busy);
                all.for_each(|costs| own(costs, &|_| amount));
                format!("+{key}={amount}")
            }
            Amount::Times(times) => {
                own(self.busy.get_or_insert(self.costs), &|cost| cost.saturating_mul(times));
                format!("+{key}=x{times}")
            }
        };
    }

    /// What it charges one processor, and what several.
    fn charges(&self) -> [EventCosts; 2] {
        [1, 2].map(|processors| self.on(processors))
    }

    /// The model called `name` in this game, with the changes that follow it.
    ///
    /// # Errors
    /// When it is neither known nor a file with costs, or a change is none.
    pub fn one(name: &str, game: &str) -> Result<Self, BadInput> {
        let Some((name, changes)) = name.split_once('+') else { return Model::unchanged(name, game) };
        let mut model = Model::unchanged(name, game)?;
        let changes: Vec<_> = changes.split('+').map(change).collect::<Result<_, _>>()?;
        check_once(&changes)?;
        changes.iter().for_each(|change| model.change(change));
        Ok(model)
    }

    fn unchanged(name: &str, game: &str) -> Result<Self, BadInput> {
        let preset = |costs: CostModel| CostsFile { costs: costs.into(), busy: None };
        let (name, CostsFile { costs, busy }) = match name {
            "unit" => (name.to_owned(), preset(CostModel::UNIT)),
            "free" => (name.to_owned(), preset(CostModel::FREE)),
            MEASURED => measured(game),
            file => (file.to_owned(), read(file)?),
        };
        Ok(Model { name, costs, busy })
    }

    /// The model of which records say what it has `charged` one processor, and what several.
    ///
    /// # Errors
    /// When the name stands for several models, or for one without a search on one processor.
    pub(super) fn of(name: &str, [alone, several]: [&BTreeSet<EventCosts>; 2]) -> Result<Self, String> {
        let (Some(&costs), 1, 0..=1) = (alone.first(), alone.len(), several.len()) else {
            return Err(format!(
                "expected one set of costs under the name {name} on one processor, not {}, and one on \
                 several, not {}",
                alone.len(),
                several.len()
            ));
        };
        let busy = several.first().copied().filter(|busy| *busy != costs);
        Ok(Model { name: name.to_owned(), costs, busy })
    }

    /// The costs on so many processors.
    pub fn on(&self, processors: usize) -> EventCosts {
        if processors > 1 { self.busy.unwrap_or(self.costs) } else { self.costs }
    }
}

/// # Errors
/// When a cost is changed twice.
fn check_once(changes: &[Change]) -> Result<(), BadInput> {
    let is_again = |&(place, change): &(usize, &Change)| changes[..place].iter().any(|c| c.key == change.key);
    let again = changes.iter().enumerate().find(is_again);
    again.map_or(Ok(()), |(_, change)| Err(BadInput::new("cost", change.key, "expected every key once")))
}

/// The name of the costs that were measured in each game.
pub(super) const MEASURED: &str = "measured";

/// The game whose costs stand for those of games that were not measured.
const STAND_IN: &str = "dice";

/// What events cost in this game on the machine of `measured.json`, and the name of these costs. They are
/// of one Xeon with two processors, made by `calibrate`; of what game, the name says where it is another.
fn measured(game: &str) -> (String, CostsFile) {
    let mut all: BTreeMap<String, CostsFile> =
        serde_json::from_str(include_str!("measured.json")).expect("a test reads it");
    match all.remove(game) {
        Some(costs) => (MEASURED.to_owned(), costs),
        None => (format!("{MEASURED}-{STAND_IN}"), all.remove(STAND_IN).expect("a test reads it")),
    }
}

/// What a file with costs holds.
#[derive(Deserialize)]
struct CostsFile {
    #[serde(flatten)]
    costs: EventCosts,
    busy: Option<EventCosts>,
}

/// What that file holds.
fn read(file: &str) -> Result<CostsFile, BadInput> {
    let refuse = |complaint: String| BadInput::new("costs", file, complaint);
    let text = texts::read(Path::new(file), files::TEXT)
        .map_err(|error| refuse(format!("expected {}", texts::expected("measured, unit, free", &error))))?;
    let found: CostsFile = serde_json::from_str(&text).map_err(|error| {
        refuse(format!("expected a JSON object with a whole number for each kind of event ({error})"))
    })?;
    if std::iter::once(&found.costs).chain(&found.busy).any(|costs| costs.node == 0) {
        return Err(refuse("expected a node to cost at least 1".to_owned()));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(names: &str, changes: &[&str]) -> Result<Vec<Model>, BadInput> {
        load_in("dice", names, changes)
    }

    fn load_in(game: &str, names: &str, changes: &[&str]) -> Result<Vec<Model>, BadInput> {
        let names = List(names.split(',').map(str::to_owned).collect());
        let changes: Vec<_> = changes.iter().map(|text| change(text)).collect::<Result<_, _>>()?;
        Model::load(&names, game, &changes)
    }

    #[test]
    fn presets_are_the_librarys() {
        let models = load("unit,free", &[]).unwrap();
        assert_eq!(models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), ["unit", "free"]);
        assert_eq!(costs(&models), [CostModel::UNIT, CostModel::FREE]);
    }

    #[test]
    fn what_was_measured_is_of_the_game_or_says_of_which() {
        let of = |game| load_in(game, "measured", &[]).unwrap().remove(0);
        for game in ["dice", "pig", "einstein", "backgammon", "hyper-backgammon", "2048", "abalone"] {
            let model = of(game);
            assert_eq!(model.name, "measured");
            assert!(model.costs.wake > 0 && model.busy.is_some_and(|busy| busy.node >= model.costs.node));
        }
        let other = of("nim");
        assert_eq!((other.name.as_str(), other.charges()), ("measured-dice", of("dice").charges()));
        assert_ne!(of("dice").charges(), of("backgammon").charges());
        assert_eq!(load("measured+wake=x2", &[]).unwrap()[0].name, "measured+wake=x2");
    }

    fn costs(models: &[Model]) -> Vec<CostModel> {
        models.iter().map(|model| model.costs.into()).collect()
    }

    #[test]
    fn changes_are_made_to_every_model_and_named() {
        let models = load("unit,free", &["steal=100", "failed-steal=7"]).unwrap();
        assert_eq!(models[1].name, "free+steal=100+failed-steal=7");
        let expected = [CostModel::UNIT, CostModel::FREE].map(|model| CostModel {
            steal: 100,
            failed_steal: 7,
            ..model
        });
        assert_eq!(costs(&models), expected);
    }

    #[test]
    fn each_key_changes_its_own_cost() {
        let zero = EventCosts { node: 0, ..CostModel::FREE.into() };
        let mut names = zero;
        for (name, _) in names.named() {
            let mut model = Model { name: String::new(), costs: zero, busy: None };
            model.change(&change(&format!("{name}=9")).unwrap());
            let object = serde_json::to_value(model.costs).unwrap();
            let changed: Vec<_> =
                object.as_object().unwrap().iter().filter(|(_, cost)| **cost == 9).collect();
            assert_eq!(changed.len(), 1);
            assert_eq!(changed[0].0.replace('_', "-"), name);
        }
    }

    #[test]
    fn several_processors_may_be_slower_than_one() {
        let file = |node| EventCosts { node, ..CostModel::UNIT.into() };
        let model = Model { name: "file".to_owned(), costs: file(20), busy: Some(file(23)) };
        assert_eq!([1, 2, 1024].map(|processors| model.on(processors).node), [20, 23, 23]);
        let model = Model { busy: None, ..model };
        assert_eq!(model.on(2).node, 20);
    }

    #[test]
    fn a_cost_may_be_so_many_times_what_it_is_where_several_processors_are_busy() {
        let [model, other] = &load("unit+steal=x4+node=x2,free+split=3", &[]).unwrap()[..] else { panic!() };
        assert_eq!(model.costs, CostModel::UNIT.into());
        assert_eq!(model.on(2), CostModel { node: 2, steal: 80, ..CostModel::UNIT }.into());
        assert_eq!((model.name.as_str(), other.costs.split), ("unit+steal=x4+node=x2", 3));
        let error = load("unit,unit+table=x8", &[]).unwrap_err().to_string();
        assert_eq!(error, "costs unit+table=x8: expected other costs than those of unit");
        assert!(load("unit+", &[]).is_err() && load("unit+steal=x2+steal=1", &[]).is_err());
    }

    #[test]
    fn what_is_no_change_is_refused() {
        for bad in ["", "steal", "steal=", "steal=-1", "steal=1.5", "stea=1", "steal=4294967296", "node=0"] {
            assert!(change(bad).unwrap_err().to_string().contains("expected"), "{bad}");
        }
        for bad in ["steal=x", "steal=x0", "steal=x-1", "steal=xx2", "steal=x1000001"] {
            assert!(change(bad).unwrap_err().to_string().contains("expected"), "{bad}");
        }
        assert_eq!(change(" table = 0 ").unwrap(), Change { key: "table", to: Amount::Cost(0) });
        assert!(load("unit", &["steal=1", "steal=2"]).unwrap_err().to_string().contains("once"));
        let error = load("unit", &["node=2"]).and_then(|_| load("free,free", &[])).unwrap_err().to_string();
        assert_eq!(error, "costs free: expected other costs than those of free");
    }
}
