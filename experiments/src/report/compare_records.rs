//! The binary `compare-records`: two folders of records side by side, of two machines, two commits or
//! somebody else's.

use crate::analysis::bootstrap::{Interval, median_interval};
use crate::analysis::statistics::median;
use crate::analysis::tables::{interval, new_table, ratio};
use crate::cli::values::whole_number;
use crate::cli::{self, BadInput, Ending};
use crate::report::curves::{Curve, Panel, Point, Serial};
use crate::report::folder::Folder;
use clap::Parser;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Set two folders of records side by side: two machines, two commits, or somebody else's and your own
///
/// What differs in machine, build and settings is named first. Then every method on every number of
/// processors that both have, in real time or under the same cost model: the medians of the speedups at the
/// positions in both, and the ratio B / A of the speedups at each position, its median with a 95% interval:
/// the percentile bootstrap over the positions, which tells how far it depends on which positions these are;
/// none of fewer than six. The line "serial" is how many times as fast as A's baseline B's is. Nothing is
/// merged and nothing is written.
///
/// Positions count as in the reports: the large ones, all where none is large in either.
///
/// Values of positions that both have searched to the same depth under the same evaluator and rules must be
/// equal: the exit code is 1 if any differs.
#[derive(Debug, Parser)]
#[command(name = "compare-records", version)]
pub struct CompareRecordsArgs {
    /// A folder that scaling, compare or simulate has written
    #[arg(value_name = "A")]
    pub one: PathBuf,

    /// Another
    #[arg(value_name = "B")]
    pub other: PathBuf,

    /// Nodes of the serial search from which on a position counts as large
    #[arg(long, value_name = "N", default_value = "1000000", allow_negative_numbers = true,
          value_parser = whole_number("min-nodes", 0..=u64::MAX))]
    pub min_nodes: u64,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    pub json: bool,
}

/// What `meta.json` says of machine, build and settings.
const FACTS: [&str; 6] = ["/experiment", "/game", "/schema", "/settings", "/program", "/machine"];

/// The settings on which a position's value depends.
const ASKED: [&str; 5] = ["depth", "rules", "evaluator", "weights_fnv1a", "seed"];

/// What says nothing about the searches: where the suite's file lay. Its fingerprint does.
const NO_FACTS: [&str; 1] = ["/settings/suite"];

/// Both folders side by side, in the form of the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The first folder's name.
    pub a: String,
    /// The second folder's name.
    pub b: String,
    /// What differs in machine, build and settings: what the first and the second say, by its place in
    /// `meta.json`.
    pub differences: BTreeMap<String, [Value; 2]>,
    /// Whether both builds were of changed sources, so that one revision may stand for two builds.
    pub changed_builds: bool,
    /// At how many positions of both the serial searches of the same ordering took different numbers of
    /// nodes.
    pub unlike_positions: usize,
    /// How many positions were searched in both to the same depth under the same evaluator and rules, and at
    /// how many of them the values differ.
    pub values: Values,
    /// The other builds and machines that have gone on with the first and with the second.
    pub mixed: [Vec<String>; 2],
    /// Whether nothing was wrong with any search of the first and of the second. What was is left out.
    pub values_equal: [bool; 2],
    /// The serial searches, then the parallel ones that both have.
    pub rows: Vec<Row>,
}

/// Values that have to be equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Values {
    /// How many positions have one in both.
    pub compared: usize,
    /// At how many they differ.
    pub differ: usize,
}

/// A search in both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The cost model, or `real`.
    pub costs: String,
    /// The method, or `serial`.
    pub method: &'static str,
    /// The ordering; of the serial searches both, where they differ.
    pub ordering: String,
    /// The number of processors.
    pub processors: usize,
    /// How many positions count.
    pub positions: usize,
    /// The median of the first's speedups; of serial searches 1.
    pub a: f64,
    /// The median of the second's speedups; of serial searches 1.
    pub b: f64,
    /// The median of the ratios: speedup over speedup, for serial searches the first's time over the
    /// second's.
    pub ratio: f64,
    /// What the percentile bootstrap over the positions gives it with a confidence of 95%; none of fewer than
    /// six positions.
    pub interval: Option<Interval>,
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`] when a folder has no records that can be read, or the two have nothing in common.
pub fn main(args: &CompareRecordsArgs) -> anyhow::Result<Ending> {
    let [one, other] = [&args.one, &args.other].map(|path| read(path, args.min_nodes));
    let (one, other) = (one?, other?);
    check_game(&one, &other)
        .map_err(|complaint| BadInput::new("folder", args.other.to_string_lossy(), complaint))?;
    let comparison = Comparison::new(&one, &other);
    if comparison.rows.is_empty() {
        let complaint = format!("expected a cost model and positions that {} has, too", one.name);
        return Err(BadInput::new("folder", args.other.to_string_lossy(), complaint).into());
    }
    if args.json {
        cli::print_json(&comparison)?;
    } else {
        cli::print(&comparison.text())?;
    }
    Ok(if comparison.values.differ == 0 { Ending::Complete } else { Ending::ValuesDiffer })
}

/// Nothing of two games is comparable.
fn check_game(one: &Folder, other: &Folder) -> Result<(), String> {
    let [own, theirs] = [one, other].map(|folder| &folder.meta.game);
    if own == theirs {
        return Ok(());
    }
    Err(format!("expected records of the game {own}, as those of {}, not of {theirs}", one.name))
}

fn read(path: &Path, min_nodes: u64) -> Result<Folder, BadInput> {
    let drawn = Folder::read(path, min_nodes, true)?.filter(|folder| !folder.panels.is_empty());
    let expected = "expected records with speedups, of scaling, compare or simulate";
    drawn.ok_or_else(|| BadInput::new("folder", path.to_string_lossy(), expected))
}

impl Comparison {
    fn new(one: &Folder, other: &Folder) -> Self {
        let shared: Vec<_> = one
            .panels
            .iter()
            .filter_map(|panel| {
                // Names of models are names of files, which may lie elsewhere.
                let like = |other: &&Panel| {
                    other.costs == panel.costs && other.model.is_some() == panel.model.is_some()
                };
                Some(Shared::new(panel, other.panels.iter().find(like)?))
            })
            .filter(|shared| !shared.places.is_empty())
            .collect();
        let is_sound = |folder: &Folder| folder.panels.iter().all(|panel| panel.values_equal);
        let is_changed = |folder: &Folder| folder.meta.program.git.as_ref().is_some_and(|git| git.dirty);
        Comparison {
            a: one.name.clone(),
            b: other.name.clone(),
            differences: differences(&value(one), &value(other)),
            changed_builds: is_changed(one) && is_changed(other),
            unlike_positions: shared.iter().map(Shared::unlike).max().unwrap_or_default(),
            values: Values::of(one, other),
            mixed: [one.others(), other.others()],
            values_equal: [is_sound(one), is_sound(other)],
            rows: shared.iter().flat_map(Shared::rows).collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("A: {}\nB: {}\n\n", self.a, self.b);
        for (place, [one, other]) in &self.differences {
            let name = place.trim_start_matches('/').replace('/', ".");
            let _ = writeln!(text, "{name}: A {}, B {}", words(one), words(other));
        }
        if self.differences.is_empty() {
            text += "Machine, build and settings are the same, as far as both say.\n";
        }
        if self.changed_builds {
            text += "Both builds were of CHANGED sources: their revisions do not tell them apart.\n";
        }
        for (name, others) in ["A", "B"].into_iter().zip(&self.mixed).filter(|(_, others)| !others.is_empty())
        {
            let _ = writeln!(text, "{name} is MIXED: {}", others.join("; "));
        }
        for (name, is_sound) in ["A", "B"].into_iter().zip(self.values_equal) {
            if !is_sound {
                let _ = writeln!(text, "{name} has searches with WRONG values, which are left out.");
            }
        }
        if self.unlike_positions > 0 {
            let _ = writeln!(
                text,
                "Serial searches of the same ordering visit DIFFERENT nodes at {} positions.",
                self.unlike_positions
            );
        }
        let _ = match self.values {
            Values { compared: 0, .. } => Ok(()),
            Values { compared, differ: 0 } => writeln!(text, "All {compared} values in both are equal."),
            Values { compared, differ } => {
                writeln!(text, "Values DIFFER at {differ} of {compared} positions searched alike in both.")
            }
        };
        let header = [
            "costs",
            "method",
            "ordering",
            "processors",
            "positions",
            "A",
            "B",
            "B / A",
            "95% bootstrap interval",
        ];
        let mut table = new_table(&header, 3);
        for row in &self.rows {
            let numbers = [row.processors, row.positions].map(|number| number.to_string());
            let ratios = [row.a, row.b, row.ratio].map(ratio);
            let interval = interval(row.interval, ratio);
            let words = [row.costs.clone(), row.method.to_owned(), row.ordering.clone()];
            table.add_row(words.into_iter().chain(numbers).chain(ratios).chain([interval]));
        }
        format!("{text}\n{table}\n")
    }
}

impl Values {
    /// None are comparable where they are of something else.
    fn of(one: &Folder, other: &Folder) -> Self {
        let fact = |folder: &Folder, name: &str| folder.meta.settings.get(name);
        let is_same = |name: &str| fact(one, name) == fact(other, name);
        if !ASKED.iter().all(|name| is_same(name)) {
            return Values::default();
        }
        let both =
            one.scores.iter().filter_map(|(position, score)| Some((score, other.scores.get(position)?)));
        both.fold(Values::default(), |Values { compared, differ }, (own, theirs)| Values {
            compared: compared + 1,
            differ: differ + usize::from(own != theirs),
        })
    }
}

/// What the `meta.json` of a folder says.
fn value(folder: &Folder) -> Value {
    serde_json::to_value(&folder.meta).unwrap_or_default()
}

/// What two files say differently, by its place in them.
fn differences(one: &Value, other: &Value) -> BTreeMap<String, [Value; 2]> {
    let mut found = BTreeMap::new();
    for place in FACTS {
        let fact = |meta: &Value| meta.pointer(place).cloned().unwrap_or_default();
        collect(place, fact(one), fact(other), &mut found);
    }
    found.retain(|place, _| !NO_FACTS.contains(&place.as_str()));
    found
}

/// Adds where `one` and `other`, which lie at `place`, are different, as deep in them as it goes.
fn collect(place: &str, one: Value, other: Value, found: &mut BTreeMap<String, [Value; 2]>) {
    match (one, other) {
        (one, other) if one == other => {}
        (Value::Object(one), Value::Object(mut other)) => {
            let both: Vec<_> =
                one.into_iter().map(|(name, value)| (other.remove(&name), name, value)).collect();
            let rest =
                other.into_iter().map(|(name, theirs)| (name, Value::Null, theirs)).collect::<Vec<_>>();
            let both = both.into_iter().map(|(theirs, name, own)| (name, own, theirs.unwrap_or_default()));
            for (name, own, theirs) in both.chain(rest) {
                collect(&format!("{place}/{name}"), own, theirs, found);
            }
        }
        (one, other) => {
            found.insert(place.to_owned(), [one, other]);
        }
    }
}

/// A value for people: the words of a list, the value otherwise.
fn words(value: &Value) -> String {
    match value {
        Value::Array(list) => list.iter().map(words).collect::<Vec<_>>().join(" "),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Two panels and the places of the positions that count in both.
struct Shared<'a> {
    one: &'a Panel,
    other: &'a Panel,
    places: Vec<(usize, usize)>,
}

impl<'a> Shared<'a> {
    fn new(one: &'a Panel, other: &'a Panel) -> Self {
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (own, serial) in one.serial.iter().enumerate() {
            // A suite may have a position twice: each counts once.
            let is_free = |place: &usize| places.iter().all(|(_, taken)| taken != place);
            let mut theirs = other.serial.iter().enumerate().filter(|(_, s)| s.position == serial.position);
            if let Some((place, _)) = theirs.find(|(place, _)| is_free(place)) {
                places.push((own, place));
            }
        }
        let is_large = |&(a, b): &(usize, usize)| {
            one.serial[a].nodes >= one.min_nodes || other.serial[b].nodes >= other.min_nodes
        };
        if places.iter().any(is_large) {
            places.retain(is_large);
        }
        Shared { one, other, places }
    }

    fn pairs(&self) -> impl Iterator<Item = (&Serial, &Serial)> {
        self.places.iter().map(|&(one, other)| (&self.one.serial[one], &self.other.serial[other]))
    }

    /// At how many positions serial searches of one ordering differ.
    fn unlike(&self) -> usize {
        let is_one = self.one.baseline == self.other.baseline;
        self.pairs().filter(|(one, other)| is_one && one.nodes != other.nodes).count()
    }

    fn rows(&self) -> Vec<Row> {
        let serial = self.pairs().map(|(one, other)| (1.0, 1.0, one.seconds / other.seconds)).collect();
        let [one, other] = [self.one.baseline, self.other.baseline];
        let ordering = if one == other { one.to_owned() } else { format!("A {one}, B {other}") };
        let mut rows: Vec<_> = self.row("serial", &ordering, 1, serial).into_iter().collect();
        for curve in &self.one.curves {
            let like = |other: &&Curve| (other.method, other.ordering) == (curve.method, curve.ordering);
            let Some(other) = self.other.curves.iter().find(like) else { continue };
            for point in &curve.points {
                let like = |other: &&Point| other.processors == point.processors;
                let Some(other) = other.points.iter().find(like) else { continue };
                let speedups =
                    self.places.iter().map(|&(a, b)| (point.each[a].speedup, other.each[b].speedup));
                let found = speedups.map(|(one, other)| (one, other, other / one)).collect();
                rows.extend(self.row(curve.method, curve.ordering, point.processors, found));
            }
        }
        rows
    }

    /// A row of figures at each position: the first's, the second's, and their ratio.
    fn row(
        &self,
        method: &'static str,
        ordering: &str,
        processors: usize,
        found: Vec<(f64, f64, f64)>,
    ) -> Option<Row> {
        let part = |of: fn(&(f64, f64, f64)) -> f64| found.iter().map(of).collect::<Vec<_>>();
        let ratios = part(|found| found.2);
        Some(Row {
            costs: self.one.costs_name().to_owned(),
            method,
            ordering: ordering.to_owned(),
            processors,
            positions: found.len(),
            a: median(&part(|found| found.0))?,
            b: median(&part(|found| found.1))?,
            ratio: median(&ratios)?,
            interval: median_interval(&ratios),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::curves::tests::panel;
    use crate::report::folder::tests::with_panels;
    use serde_json::json;

    /// A folder of large positions.
    fn folder(cores: u32, mut panel: Panel) -> Folder {
        panel.serial.iter_mut().for_each(|serial| serial.nodes = serial.nodes.max(panel.min_nodes));
        let meta = json!({"experiment": "simulate", "machine": {"cores": cores}});
        Folder { name: format!("on-{cores}"), depth: Some(5), ..with_panels(meta, vec![panel]) }
    }

    #[test]
    fn searches_in_both_are_set_beside_each_other_at_the_positions_in_both() {
        let one = panel(&["both", "abdada"], &[(2, 1.5), (4, 3.0)]);
        let mut other = panel(&["abdada", "chance-split"], &[(4, 3.3), (8, 6.0)]);
        // The third position is another, and the machine twice as fast.
        other.serial[2].position = "elsewhere".to_owned();
        other.serial.iter_mut().for_each(|serial| serial.seconds = 1.0);
        other.serial[1].nodes += 1;
        let found = Comparison::new(&folder(2, one), &folder(16, other));
        assert_eq!(found.differences.keys().map(String::as_str).collect::<Vec<_>>(), ["/machine/cores"]);
        assert_eq!(found.unlike_positions, 1);
        let row = |row: &Row| (row.method, row.processors, row.positions, (row.ratio * 100.0).round());
        assert_eq!(
            found.rows.iter().map(row).collect::<Vec<_>>(),
            [("serial", 1, 2, 200.0), ("abdada", 4, 2, 110.0)]
        );
        let text = found.text();
        for words in ["machine.cores: A 2, B 16", "DIFFERENT nodes at 1 positions", "abdada"] {
            assert!(text.contains(words), "{words} in {text}");
        }
    }

    #[test]
    fn values_of_the_same_question_are_compared() {
        let found = |settings: Value, scores: [(&str, i32); 3]| {
            let scores = scores.map(|(position, score)| (position.to_owned(), score)).into();
            Folder { scores, ..with_panels(json!({"settings": settings}), Vec::new()) }
        };
        let one = found(json!({"depth": 5, "table_mb": 1}), [("a", 1), ("b", 2), ("c", 3)]);
        let other = found(json!({"depth": 5, "table_mb": 2}), [("a", 1), ("b", -2), ("d", 4)]);
        assert_eq!(Values::of(&one, &other), Values { compared: 2, differ: 1 });
        let deeper = found(json!({"depth": 7}), [("a", 1), ("b", -2), ("d", 4)]);
        assert_eq!(Values::of(&one, &deeper), Values::default());
    }

    #[test]
    fn folders_of_two_games_are_not_compared() {
        let of =
            |game: &str| Folder { name: "a".to_owned(), ..with_panels(json!({"game": game}), Vec::new()) };
        assert_eq!(check_game(&of("dice"), &of("dice")), Ok(()));
        let complaint = check_game(&of("dice"), &of("other")).unwrap_err();
        assert_eq!(complaint, "expected records of the game dice, as those of a, not of other");
        let found = differences(&value(&of("dice")), &value(&of("other")));
        assert_eq!(found["/game"], [json!("dice"), json!("other")]);
    }

    #[test]
    fn other_costs_or_other_positions_have_nothing_in_common() {
        let one = folder(2, panel(&["both"], &[(2, 1.5)]));
        let mut other = panel(&["both"], &[(2, 1.5)]);
        other.costs = Some("node 2".to_owned());
        assert_eq!(Comparison::new(&one, &folder(2, other)).rows, []);
        let mut other = panel(&["both"], &[(2, 1.5)]);
        other.serial.iter_mut().for_each(|serial| serial.position += "!");
        assert_eq!(Comparison::new(&one, &folder(2, other)).rows, []);
    }

    #[test]
    fn the_same_costs_of_another_file_and_other_baselines_compare() {
        let one = folder(2, panel(&["both"], &[(2, 1.5)]));
        let mut other = panel(&["both"], &[(2, 1.5)]);
        other.model = Some("elsewhere/costs.json".to_owned());
        other.baseline = "paper";
        other.values_equal = false;
        other.serial.iter_mut().for_each(|serial| serial.nodes += 1);
        let found = Comparison::new(&one, &folder(2, other));
        assert_eq!((found.rows.len(), found.unlike_positions, found.values_equal), (2, 0, [true, false]));
        assert_eq!(found.rows[0].ordering, "A hybrid, B paper");
        assert!(found.text().contains("B has searches with WRONG values"), "{}", found.text());
    }

    #[test]
    fn whatever_files_say_differently_is_found() {
        let one = json!({"settings": {"suite": "a", "depth": 5, "tuning": {"history": "live"}},
            "program": {"command": ["x", "--y"], "git": null}, "machine": {"cores": 2}, "started": "now"});
        let mut other = one.clone();
        other["settings"]["suite"] = "b".into();
        other["started"] = "then".into();
        assert!(differences(&one, &other).is_empty());
        other["settings"]["tuning"]["history"] = "none".into();
        other["program"]["git"] = json!({"dirty": true});
        other["machine"]["cpu"] = "new".into();
        let found = differences(&one, &other);
        let places: Vec<_> = found.keys().map(String::as_str).collect();
        assert_eq!(places, ["/machine/cpu", "/program/git", "/settings/tuning/history"]);
        assert_eq!(words(&one["program"]["command"]), "x --y");
    }
}
