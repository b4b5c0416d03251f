//! The command `compare-records`: two folders of records side by side, of two machines, commits, games,
//! algorithms or settings, or two methods of one.

mod pairs;

use crate::analysis::tables::{fitted, interval, new_table, ratio};
use crate::cli::values::{self, List, whole_number};
use crate::cli::{self, BadInput, Ending, files, outputs};
use crate::records::settings;
use crate::report::curves::Panel;
use crate::report::folder::Folder;
use crate::report::picture;
use clap::Parser;
use comfy_table::Table;
pub use pairs::{LeftOut, Row, Side};
use pairs::{Shared, Wanted};
use serde::Serialize;
use serde_json::Value;
use starsplit::search::{Method, MoveOrdering};
use starsplit_statistics::bootstrap::Intervals;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Set two folders of records side by side: two machines, commits, games, algorithms or settings; or two
/// methods, or two orderings, of one folder
///
/// What differs in machine, build and settings is named first. Then every method on every number of
/// processors that both have, in real time or under the same cost model. A method or an ordering that is the
/// only one in A is set beside the only one in B. Each speedup is over the serial search of its own record.
///
/// Paired, where game and rules are the same and positions are in both: the medians of the speedups there,
/// and the ratio B / A of the speedups at each position, its median. The line "serial" is how many times as
/// fast as A's baseline B's is. Else not paired, which is said: the medians of each, over its own positions,
/// and their ratio, which has no interval.
///
/// Intervals are of 95%, by the percentile bootstrap: over rounds and positions where there are three rounds,
/// else over positions alone; none of fewer than six. What is left out is named, and why. Nothing is merged,
/// and nothing is written but what --picture names.
///
/// Positions count as in the reports: the large ones, all where none is large in either.
///
/// Values of positions that both have searched must be equal: the exit code is 1 if any differs.
#[derive(Debug, Parser)]
#[command(name = "compare-records", version = crate::cli::VERSION)]
pub struct CompareRecordsArgs {
    /// A folder that scaling, compare or simulate has written
    #[arg(value_name = "A")]
    pub one: PathBuf,

    /// Another; without it A's own, with two of --methods or of --orderings
    #[arg(value_name = "B")]
    pub other: Option<PathBuf>,

    /// The method in A and the one in B that is set beside it, such as both,chance-split; one name for both
    #[arg(long, value_name = "A,B", value_parser = values::method_list)]
    pub methods: Option<List<Method>>,

    /// The ordering in A and the one in B that is set beside it, such as hybrid,auto; one name for both
    #[arg(long, value_name = "A,B",
          value_parser = |text: &str| values::name_list::<MoveOrdering>("orderings", text))]
    pub orderings: Option<List<MoveOrdering>>,

    /// The one cost model of simulated searches, or real, that is looked at [default: all that both have]
    #[arg(long, value_name = "NAME")]
    pub costs: Option<String>,

    /// Draw the curves of both, over the positions in both, in one picture, as SVG
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,

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

/// The settings that make other searches, and what people call them.
const ASKED_IN_WORDS: [(&str, &str); 6] = [
    ("depth", "depth"),
    ("rules", "rules"),
    ("suite_fnv1a", "suite"),
    ("algorithm", "algorithm"),
    ("evaluator", "evaluator"),
    ("weights_fnv1a", "weights"),
];

/// What an SVG ends with, by which it is known for one of these.
const MARK: &str = "<!-- made by starsplit's compare-records -->\n";

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
    /// What makes the second's searches others than the first's, such as the depth.
    pub differ_in: Vec<&'static str>,
    /// Whether both builds were of changed sources, so that one revision may stand for two builds.
    pub changed_builds: bool,
    /// At how many positions of both the serial searches of the same ordering took different numbers of
    /// nodes; 0 where the searches are others.
    pub unlike_positions: usize,
    /// How many positions were searched in both to the same depth under the same evaluator and rules, and at
    /// how many of them the values differ.
    pub values: Values,
    /// The other builds and machines that have gone on with the first and with the second.
    pub mixed: [Vec<String>; 2],
    /// What of the planned searches the first and the second lack, such as `5 of 50 positions`.
    pub lacks: [Option<String>; 2],
    /// Whether nothing was wrong with any search of the first and of the second. What was is left out.
    pub values_equal: [bool; 2],
    /// The serial searches, where there are two folders, then the parallel ones that both have.
    pub rows: Vec<Row>,
    /// What is in one alone.
    pub left_out: Vec<LeftOut>,
}

/// Values that have to be equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Values {
    /// How many positions have one in both.
    pub compared: usize,
    /// At how many they differ.
    pub differ: usize,
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`] when a folder has no records of speedups that can be read, or the two have nothing in common.
pub fn main(args: &CompareRecordsArgs) -> anyhow::Result<Ending> {
    let wanted = Wanted {
        methods: two("methods", args.methods.as_ref())?,
        orderings: two("orderings", args.orderings.as_ref())?,
    };
    if let Some(picture) = &args.picture {
        check_svg(picture)?;
        outputs::check("picture", picture, "compare-records", is_own)?;
    }
    let read = |path| read(path, args);
    let one = read(&args.one)?;
    let other = args.other.as_deref().map(read).transpose()?;
    let path = args.other.as_ref().unwrap_or(&args.one);
    let refuse = |complaint| BadInput::new("folder", path.to_string_lossy(), complaint);
    if other.is_none() && wanted == Wanted::default() {
        return Err(refuse("expected another, or two of its methods or orderings".to_owned()).into());
    }
    let other = other.as_ref().unwrap_or(&one);
    let shared = shared(&one, other, wanted);
    let comparison = Comparison::new(&one, other, &shared);
    if comparison.rows.is_empty() {
        let wanted =
            if wanted == Wanted::default() { "" } else { " and the methods and orderings asked for" };
        return Err(refuse(format!(
            "expected a cost model, a method and a number of processors that {} has, too{wanted}",
            one.name
        ))
        .into());
    }
    if let Some(picture) = &args.picture {
        draw(picture, &shared, [&one, other])?;
    }
    if args.json {
        cli::print_json(&comparison)?;
    } else {
        cli::print(&comparison.text())?;
    }
    Ok(if comparison.values.differ == 0 { Ending::Complete } else { Ending::ValuesDiffer })
}

/// The one for A and the one for B; one for both where one is named.
fn two<T: Copy>(thing: &str, names: Option<&List<T>>) -> Result<Option<[T; 2]>, BadInput> {
    match names.map(|list| list.0.as_slice()) {
        None => Ok(None),
        Some(&[both]) => Ok(Some([both, both])),
        Some(&[one, other]) => Ok(Some([one, other])),
        Some(more) => {
            Err(BadInput::from_error(format_args!("{thing}: expected one or two, not {}", more.len())))
        }
    }
}

/// What makes the searches of `other` others than those of `one`; their values may be the same.
fn others(one: &Folder, other: &Folder) -> Vec<&'static str> {
    let fact = |folder: &Folder, name: &str| match (name, folder.meta.settings.get(name)) {
        ("algorithm", found) => settings::algorithm(&found).into(),
        (_, found) => found,
    };
    let is_other = |(name, _): &&(&str, &str)| fact(one, name) != fact(other, name);
    let settings = ASKED_IN_WORDS.iter().filter(is_other).map(|(_, called)| *called);
    (one.meta.game != other.meta.game).then_some("game").into_iter().chain(settings).collect()
}

fn read(path: &Path, args: &CompareRecordsArgs) -> Result<Folder, BadInput> {
    let refuse = |expected: String| BadInput::new("folder", path.to_string_lossy(), expected);
    let drawn = Folder::read(path, args.min_nodes, true)?.filter(|folder| !folder.panels.is_empty());
    let expected = "expected records with speedups, of scaling, compare or simulate";
    let mut folder = drawn.ok_or_else(|| refuse(expected.to_owned()))?;
    if let Some(costs) = &args.costs {
        let names: Vec<_> = folder.panels.iter().map(|panel| panel.costs_name().to_owned()).collect();
        folder.panels.retain(|panel| panel.costs_name() == costs);
        if folder.panels.is_empty() {
            return Err(refuse(format!("expected the costs {costs:?}, not {}", names.join(", "))));
        }
    }
    Ok(folder)
}

/// Panels in both whose times compare. Names of models are names of files, which may lie elsewhere.
fn are_like(one: &Panel, other: &Panel) -> bool {
    one.costs == other.costs && one.model.is_some() == other.model.is_some()
}

/// The panels in both. Positions of two games, or of other rules, are others, though they be written alike.
fn shared<'a>(one: &'a Folder, other: &'a Folder, wanted: Wanted) -> Vec<Shared<'a>> {
    let are_of_one_game = !others(one, other).iter().any(|called| ["game", "rules"].contains(called));
    let both = one.panels.iter().filter_map(|panel| {
        let other = other.panels.iter().find(|other| are_like(panel, other))?;
        Some(Shared::new(panel, other, wanted, are_of_one_game))
    });
    both.collect()
}

/// Whether a file is a picture that was made here.
fn is_own(path: &Path) -> bool {
    files::read_text(path, files::TEXT).is_ok_and(|text| text.ends_with(MARK))
}

/// Whoever asks for another format must not be given this one under its name.
fn check_svg(path: &Path) -> Result<(), BadInput> {
    match path.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("svg") => Ok(()),
        _ => Err(BadInput::new("picture", path.to_string_lossy(), "expected a name that ends with .svg")),
    }
}

/// Draws what is in both.
fn draw(file: &Path, shared: &[Shared<'_>], [one, other]: [&Folder; 2]) -> anyhow::Result<()> {
    let [shared] = shared else {
        let complaint = format!("expected one cost model; --costs names one of the {} in both", shared.len());
        return Err(BadInput::new("picture", file.to_string_lossy(), complaint).into());
    };
    if !shared.is_paired {
        let complaint = "expected records with positions in both";
        return Err(BadInput::new("picture", file.to_string_lossy(), complaint).into());
    }
    let names = if std::ptr::eq(one, other) { ["A", "B"] } else { [one.name.as_str(), other.name.as_str()] };
    let (panel, called) = shared.drawn(names);
    outputs::write_whole(file, (picture::svg_of(&panel, &called)? + MARK).as_bytes())
}

impl Comparison {
    fn new(one: &Folder, other: &Folder, shared: &[Shared<'_>]) -> Self {
        let alone = |own: &Folder, others: &Folder, name: &str| {
            let panels =
                own.panels.iter().filter(|panel| others.panels.iter().all(|other| !are_like(panel, other)));
            let alone = |panel: &Panel| LeftOut {
                what: format!("costs {}", panel.costs_name()),
                why: format!("only in {name}"),
            };
            panels.map(alone).collect::<Vec<_>>()
        };
        let mut left_out: Vec<_> = shared.iter().flat_map(Shared::left_out).collect();
        left_out.extend(alone(one, other, "A"));
        left_out.extend(alone(other, one, "B"));
        let others = others(one, other);
        let unlike = shared.iter().map(Shared::unlike).max().filter(|_| others.is_empty());
        let is_sound = |folder: &Folder| folder.panels.iter().all(|panel| panel.values_equal);
        let is_changed = |folder: &Folder| folder.meta.program.revision().is_some_and(|git| git.dirty);
        Comparison {
            a: one.name.clone(),
            b: other.name.clone(),
            differences: differences(&value(one), &value(other)),
            changed_builds: is_changed(one) && is_changed(other),
            unlike_positions: unlike.unwrap_or_default(),
            differ_in: others,
            values: Values::of(one, other),
            mixed: [one.others(), other.others()],
            lacks: [one.lacks.clone(), other.lacks.clone()],
            values_equal: [is_sound(one), is_sound(other)],
            rows: shared.iter().flat_map(Shared::rows).collect(),
            left_out,
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
        if !self.differ_in.is_empty() {
            let other = self.differ_in.join(", ");
            let _ =
                writeln!(text, "Other {other}: each speedup is over the serial search of its own record.");
        }
        if self.rows.iter().any(|row| !row.is_paired) {
            text += "NOT PAIRED: the positions of A and B are others. Each median is over its own, and B / A \
                     has no interval.\n";
        }
        if self.changed_builds {
            text += "Both builds were of CHANGED sources: their revisions do not tell them apart.\n";
        }
        for (name, others) in ["A", "B"].into_iter().zip(&self.mixed).filter(|(_, others)| !others.is_empty())
        {
            let _ = writeln!(text, "{name} is MIXED: {}", others.join("; "));
        }
        for (name, lacks) in ["A", "B"].into_iter().zip(&self.lacks) {
            if let Some(lacks) = lacks {
                let _ = writeln!(text, "{name} is INCOMPLETE: {lacks}");
            }
        }
        for LeftOut { what, why } in &self.left_out {
            let _ = writeln!(text, "Left out: {what}: {why}.");
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
        format!("{text}\n{}\n", fitted(&self.table()))
    }

    fn table(&self) -> Table {
        let header =
            ["costs", "method", "ordering", "processors", "positions", "A [95%]", "B [95%]", "B / A [95%]"];
        let mut table = new_table(&header, 3);
        let cell = |figure: f64, intervals: &Intervals| match intervals.widest() {
            None => ratio(figure),
            found => format!("{} [{}]", ratio(figure), interval(found, ratio)),
        };
        for row in &self.rows {
            let Row { a, b, .. } = row;
            let positions = match row.is_paired {
                true => a.positions.to_string(),
                false => format!("A {}, B {}", a.positions, b.positions),
            };
            let words = [row.costs.clone(), row.method.clone(), row.ordering.clone()];
            let sides = [a, b].map(|side| cell(side.median, &side.intervals));
            let both = cell(row.ratio, &row.intervals);
            let numbers = [row.processors.to_string(), positions];
            table.add_row(words.into_iter().chain(numbers).chain(sides).chain([both]));
        }
        table
    }
}

impl Values {
    /// None are comparable where they are of something else.
    fn of(one: &Folder, other: &Folder) -> Self {
        let fact = |folder: &Folder, name: &str| folder.meta.settings.get(name);
        let is_same = |name: &str| fact(one, name) == fact(other, name);
        if one.meta.game != other.meta.game || !ASKED.iter().all(|name| is_same(name)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::curves::tests::panel;
    use crate::report::curves::{Curve, Serial};
    use crate::report::folder::tests::with_panels;
    use serde_json::json;
    use starsplit_statistics::bootstrap::Interval;

    /// A folder of large positions.
    fn folder(cores: u32, mut panel: Panel) -> Folder {
        panel.serial.iter_mut().for_each(|serial| serial.nodes = serial.nodes.max(panel.min_nodes));
        let meta = json!({"experiment": "simulate", "machine": {"cores": cores}});
        Folder { name: format!("on-{cores}"), depth: Some(5), ..with_panels(meta, vec![panel]) }
    }

    fn compared(one: &Folder, other: &Folder) -> Comparison {
        Comparison::new(one, other, &shared(one, other, Wanted::default()))
    }

    /// What is left out, in words.
    fn left_out(found: &Comparison) -> Vec<String> {
        found.left_out.iter().map(|LeftOut { what, why }| format!("{what}: {why}")).collect()
    }

    #[test]
    fn searches_in_both_are_set_beside_each_other_at_the_positions_in_both() {
        let one = panel(&["both", "abdada"], &[(2, 1.5), (4, 3.0)]);
        let mut other = panel(&["abdada", "chance-split"], &[(4, 3.3), (8, 6.0)]);
        // The third position is another, and the machine twice as fast.
        other.serial[2].position = "elsewhere".to_owned();
        other.serial.iter_mut().for_each(|serial| serial.seconds = 1.0);
        other.serial[1].nodes += 1;
        let found = compared(&folder(2, one), &folder(16, other));
        assert_eq!(found.differences.keys().map(String::as_str).collect::<Vec<_>>(), ["/machine/cores"]);
        assert_eq!(found.unlike_positions, 1);
        let row =
            |row: &Row| (row.method.clone(), row.processors, row.a.positions, (row.ratio * 100.0).round());
        assert_eq!(
            found.rows.iter().map(row).collect::<Vec<_>>(),
            [("serial".to_owned(), 1, 2, 200.0), ("abdada".to_owned(), 4, 2, 110.0)]
        );
        assert_eq!(
            left_out(&found),
            [
                "1 positions: complete only in A",
                "1 positions: complete only in B",
                "both with ordering hybrid, costs unit: only in A",
                "abdada with ordering hybrid, costs unit, on 2 processors: only in A",
                "abdada with ordering hybrid, costs unit, on 8 processors: only in B",
                "chance-split with ordering hybrid, costs unit: only in B"
            ]
        );
        let text = found.text();
        for words in [
            "Left out: 1 positions: complete only in A.",
            "machine.cores: A 2, B 16",
            "DIFFERENT nodes at 1 positions",
            "abdada",
        ] {
            assert!(text.contains(words), "{words} in {text}");
        }
    }

    #[test]
    fn curves_of_another_ordering_are_left_out_unless_somebody_wants_them_beside_each_other() {
        let one = panel(&["both"], &[(2, 1.5)]);
        let mut other = panel(&["both"], &[(2, 3.0)]);
        other.curves[0].ordering = "auto";
        let [only, theirs] = [&one, &other].map(|own| folder(2, own.clone()));
        let row = compared(&only, &theirs).rows.remove(1);
        assert_eq!((row.ordering.as_str(), row.ratio), ("A hybrid, B auto", 2.0), "the only ones");
        // Of two in one of both nobody knows which is meant.
        let more = Curve { ordering: "paper", ..one.curves[0].clone() };
        let one = folder(2, Panel { curves: vec![one.curves[0].clone(), more], ..one });
        let other = folder(2, other);
        let found = compared(&one, &other);
        assert_eq!(found.rows.len(), 1, "the serial searches");
        assert_eq!(
            left_out(&found),
            [
                "both with ordering hybrid, costs unit: only in A; B has ordering auto",
                "both with ordering paper, costs unit: only in A; B has ordering auto",
                "both with ordering auto, costs unit: only in B; A has ordering hybrid, paper"
            ]
        );
        let wanted = Wanted { orderings: Some([MoveOrdering::Hybrid, MoveOrdering::Chosen]), methods: None };
        let found = Comparison::new(&one, &other, &shared(&one, &other, wanted));
        let row = &found.rows[1];
        assert_eq!((row.ordering.as_str(), row.ratio), ("A hybrid, B auto", 2.0));
        assert!(found.left_out.is_empty(), "{:?}", found.left_out);
    }

    #[test]
    fn two_methods_of_one_record_are_compared_and_drawn_together() {
        let mut panel = panel(&["both", "chance-split", "abdada"], &[(1, 0.5), (2, 1.5)]);
        panel.curves[1].points[1].each.iter_mut().for_each(|at| at.speedup *= 1.25);
        panel.curves[1].points[1].rounds.iter_mut().for_each(|rounds| rounds[0] *= 1.25);
        let one = folder(2, panel);
        let wanted = Wanted { methods: Some([Method::Both, Method::ChanceSplit]), orderings: None };
        let shared = shared(&one, &one, wanted);
        let found = Comparison::new(&one, &one, &shared);
        let rows: Vec<_> =
            found.rows.iter().map(|row| (row.method.as_str(), row.processors, row.ratio)).collect();
        assert_eq!(rows, [("A both, B chance-split", 1, 1.0), ("A both, B chance-split", 2, 1.25)]);
        assert!(found.left_out.is_empty(), "what nobody asked for is not left out: {:?}", found.left_out);
        let (panel, called) = shared[0].drawn(["A", "B"]);
        assert_eq!(called, ["A: both, hybrid", "B: chance-split, hybrid"]);
        let svg = picture::svg_of(&panel, &called).unwrap();
        assert!(called.iter().all(|name| svg.contains(name)) && !svg.contains("abdada"), "{svg}");
        let median = |curve: usize| panel.curves[curve].points[1].speedup.all.unwrap().median;
        assert_eq!((median(0), median(1)), (1.5, 1.875));
    }

    #[test]
    fn what_makes_other_searches_is_named() {
        let of = |settings: Value| with_panels(json!({"settings": settings}), Vec::new());
        let own = json!({"depth": 17, "rules": "size=5", "suite_fnv1a": "12", "evaluator": "runs"});
        assert!(others(&of(own.clone()), &of(own.clone())).is_empty());
        let mut named = own.clone();
        named["algorithm"] = "star2-tt".into();
        assert!(others(&of(own.clone()), &of(named)).is_empty(), "before there was a choice");
        for (name, value, called) in [
            ("depth", json!(19), "depth"),
            ("rules", json!("size=4"), "rules"),
            ("suite_fnv1a", json!("34"), "suite"),
            ("algorithm", json!("star1"), "algorithm"),
            ("evaluator", json!("network"), "evaluator"),
            ("weights_fnv1a", json!("56"), "weights"),
        ] {
            let mut other = own.clone();
            other[name] = value;
            assert_eq!(others(&of(own.clone()), &of(other)), [called]);
        }
    }

    #[test]
    fn another_algorithm_is_set_beside_the_first_position_by_position() {
        let one = folder(2, panel(&["both"], &[(2, 1.5)]));
        let mut other = panel(&["chance-split"], &[(2, 3.0)]);
        other.serial.iter_mut().for_each(|serial| serial.nodes += 1);
        let mut other = folder(2, other);
        other.meta.settings = serde_json::from_value(json!({"algorithm": "star1"})).unwrap();
        let found = compared(&one, &other);
        assert_eq!((found.differ_in.as_slice(), found.unlike_positions), (&["algorithm"][..], 0));
        let row = &found.rows[1];
        assert_eq!((row.method.as_str(), row.is_paired, row.ratio), ("A both, B chance-split", true, 2.0));
        let text = found.text();
        let words = "Other algorithm: each speedup is over the serial search of its own record.";
        assert!(text.contains(words) && !text.contains("NOT PAIRED"), "{text}");
    }

    #[test]
    fn what_a_record_lacks_is_told() {
        let one = folder(2, panel(&["both"], &[(2, 1.5)]));
        let other = Folder { lacks: Some("5 of 50 positions".to_owned()), ..one.clone() };
        let found = compared(&one, &other);
        assert_eq!(found.lacks, [None, Some("5 of 50 positions".to_owned())]);
        assert!(found.text().contains("B is INCOMPLETE: 5 of 50 positions\n"), "{}", found.text());
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
    fn games_are_set_beside_each_other_without_pairs() {
        let mut one = folder(2, panel(&["both"], &[(2, 1.5)]));
        let mut other = panel(&["both"], &[(2, 2.0)]);
        other.serial.pop();
        let mut other = folder(2, other);
        (one.meta.game, other.meta.game) = ("dice".to_owned(), "pig".to_owned());
        let same = [("one".to_owned(), 5)];
        (one.scores, other.scores) = (same.clone().into(), same.map(|(name, _)| (name, 6)).into());
        let found = compared(&one, &other);
        assert_eq!(found.differences["/game"], [json!("dice"), json!("pig")]);
        assert_eq!((found.differ_in.as_slice(), found.values), (&["game"][..], Values::default()));
        let [row] = found.rows.as_slice() else { panic!("no serial searches, {:?}", found.rows) };
        assert_eq!((row.a.positions, row.b.positions, row.is_paired), (3, 2, false));
        // 1.5, 3 and 0.75; 2 and 4.
        assert_eq!((row.a.median, row.b.median, row.ratio), (1.5, 3.0, 2.0));
        assert_eq!(row.intervals, Intervals::default());
        let text = found.text();
        assert!(text.contains("NOT PAIRED: ") && text.contains("A 3, B 2"), "{text}");
        let refused = draw(Path::new("x.svg"), &shared(&one, &other, Wanted::default()), [&one, &other]);
        let complaint = refused.unwrap_err().to_string();
        assert!(complaint.contains("expected records with positions in both"), "{complaint}");
    }

    #[test]
    fn rounds_count_where_there_are_three() {
        let mut real = panel(&["both"], &[(2, 1.5)]);
        let point = &mut real.curves[0].points[0];
        point.each = vec![point.each[0]; 6];
        point.rounds = vec![vec![1.0, 1.5, 2.0]; 6];
        real.serial =
            (0..6).map(|n| Serial { position: format!("p{n}"), ..real.serial[1].clone() }).collect();
        let (one, other) = (folder(2, real.clone()), folder(2, real));
        let row = compared(&one, &other).rows.remove(1);
        assert_eq!(row.a.intervals.positions, Some(Interval { low: 1.5, high: 1.5 }));
        assert_eq!(row.a.intervals.two_stage, Some(Interval { low: 1.0, high: 2.0 }));
        assert_eq!(row.intervals.positions, Some(Interval { low: 1.0, high: 1.0 }));
        assert_eq!(row.intervals.two_stage, Some(Interval { low: 0.5, high: 2.0 }));
        // Rounds of one record are of the same moment.
        let wanted = Wanted { methods: Some([Method::Both, Method::Both]), orderings: None };
        let row = Comparison::new(&one, &one, &shared(&one, &one, wanted)).rows.remove(0);
        assert_eq!(row.intervals.two_stage, Some(Interval { low: 1.0, high: 1.0 }));
    }

    #[test]
    fn other_costs_have_nothing_in_common_and_other_positions_are_not_paired() {
        let one = folder(2, panel(&["both"], &[(2, 1.5)]));
        let mut other = panel(&["both"], &[(2, 1.5)]);
        other.costs = Some("node 2".to_owned());
        assert_eq!(compared(&one, &folder(2, other)).rows, []);
        let mut other = panel(&["both"], &[(2, 1.5)]);
        other.serial.iter_mut().for_each(|serial| serial.position += "!");
        let found = compared(&one, &folder(2, other));
        assert_eq!(found.rows.iter().map(|row| row.is_paired).collect::<Vec<_>>(), [false]);
    }

    #[test]
    fn the_same_costs_of_another_file_and_other_baselines_compare() {
        let one = folder(2, panel(&["both"], &[(2, 1.5)]));
        let mut other = panel(&["both"], &[(2, 1.5)]);
        other.model = Some("elsewhere/costs.json".to_owned());
        other.baseline = "paper";
        other.values_equal = false;
        other.serial.iter_mut().for_each(|serial| serial.nodes += 1);
        let found = compared(&one, &folder(2, other));
        assert_eq!((found.rows.len(), found.unlike_positions, found.values_equal), (2, 0, [true, false]));
        assert_eq!(found.rows[0].ordering, "A hybrid, B paper");
        assert!(found.text().contains("B has searches with WRONG values"), "{}", found.text());
    }

    #[test]
    fn whatever_files_say_differently_is_found() {
        let one = json!({"settings": {"suite": "a", "depth": 5, "tuning": {"table_depth": 2}},
            "program": {"command": ["x", "--y"], "git": null}, "machine": {"cores": 2}, "started": "now"});
        let mut other = one.clone();
        other["settings"]["suite"] = "b".into();
        other["started"] = "then".into();
        assert!(differences(&one, &other).is_empty());
        other["settings"]["tuning"]["table_depth"] = 3.into();
        other["program"]["git"] = json!({"dirty": true});
        other["machine"]["cpu"] = "new".into();
        let found = differences(&one, &other);
        let places: Vec<_> = found.keys().map(String::as_str).collect();
        assert_eq!(places, ["/machine/cpu", "/program/git", "/settings/tuning/table_depth"]);
        assert_eq!(words(&one["program"]["command"]), "x --y");
    }
}
