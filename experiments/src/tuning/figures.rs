//! From the records of an experiment to its figures.

use crate::analysis::costs::{Cost, Costs};
use crate::analysis::ratios::{Paired, Ratio};
use crate::records::meta::Meta;
use crate::records::others::{TuningLine, TuningPhase, TuningSearch};
use crate::records::turns::name;
use crate::tuning::course::DEFAULT;
use serde::Serialize;
use starsplit_statistics::bootstrap::{Interval, sums_interval};
use starsplit_statistics::summary::median;
use std::collections::BTreeMap;

/// The setting of `meta.json` that says on how many threads.
pub(super) const THREADS: &str = "threads";

/// The figures of an experiment, in the form of the JSON object.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TuningFigures {
    /// Whether every search found its position's value.
    pub values_equal: bool,
    /// What was asked for, on each number of threads.
    pub cells: Vec<CellFigures>,
    /// Whether Ctrl-C ended it early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// A game with an evaluator, searched to one depth on one number of threads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellFigures {
    /// The game.
    pub game: String,
    /// The evaluator.
    pub evaluator: String,
    /// The depth.
    pub depth: u32,
    /// The threads.
    pub threads: usize,
    /// How many fixed settings the best was searched for among.
    pub settings: usize,
    /// How many searches that took.
    pub searches: usize,
    /// The default beside the best; none before a round of it is recorded.
    pub compared: Option<Compared>,
}

/// The default beside the best of the fixed settings. Ratios are the default's over the best's: above 1 the
/// default is worse. Each is of the sums over the positions, taken within a round; their median over the
/// rounds counts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The options of the best setting.
    pub best: String,
    /// How many positions both have searched without error.
    pub positions: usize,
    /// In how many rounds all of them.
    pub rounds: usize,
    /// What the default takes at a position, in milliseconds: the median over the positions, at each of which
    /// it is that over the rounds.
    pub default_ms: f64,
    /// The same of the best setting.
    pub best_ms: f64,
    /// Wall time.
    pub time: Beside,
    /// Nodes.
    pub nodes: Beside,
    /// Static evaluations; not a number where the best setting needs none.
    pub evaluations: Beside,
}

/// One cost of the default over the best setting's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Beside {
    /// The ratio of the sums; not a number where no round has all positions.
    pub ratio: f64,
    /// What the percentile bootstrap over the positions gives it with a confidence of 95%; none of fewer than
    /// six positions.
    pub interval: Option<Interval>,
}

/// The figures of the `lines` of a folder, which `meta` describes.
///
/// # Errors
/// When a line is not of these searches, in words.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<TuningLine, String>>,
    meta: &Meta,
) -> Result<TuningFigures, String> {
    let setting = |name: &str| meta.settings.get(name);
    let number = |name: &str| {
        let found = setting(name).as_u64().and_then(|number| usize::try_from(number).ok());
        found.ok_or_else(|| format!("expected settings.{name} in its meta.json, a whole number"))
    };
    let (depth, positions) = (number("depth")? as u32, number("positions")?);
    let threads: Vec<usize> = serde_json::from_value(setting(THREADS))
        .map_err(|error| format!("expected settings.{THREADS} in its meta.json ({error})"))?;
    let evaluator = setting("evaluator").as_str().unwrap_or_default().to_owned();
    let mut folder =
        Lines { depth, names: vec![String::new(); positions], values_equal: true, ..Lines::default() };
    for (number, line) in (1..).zip(lines) {
        let line = line.and_then(|line| folder.add(line));
        line.map_err(|error| format!("expected searches of settings in line {number} ({error})"))?;
    }
    let figures = |threads: usize| {
        let searches = folder.cells.remove(&threads).unwrap_or_default();
        Ok(CellFigures {
            game: meta.game.clone(),
            evaluator: evaluator.clone(),
            depth,
            threads,
            settings: searches.settings,
            searches: searches.searches,
            compared: searches.compared(positions)?,
        })
    };
    let cells = threads.into_iter().map(figures).collect::<Result<_, String>>()?;
    Ok(TuningFigures { values_equal: folder.values_equal, cells, stopped: false })
}

/// What the lines of a folder have said so far.
#[derive(Default)]
struct Lines {
    depth: u32,
    /// The names of the positions.
    names: Vec<String>,
    values_equal: bool,
    /// By the number of threads.
    cells: BTreeMap<usize, CellLines>,
}

/// The same on one number of threads.
#[derive(Default)]
struct CellLines {
    settings: usize,
    searches: usize,
    /// Of the comparison, by position and round.
    heats: BTreeMap<(usize, usize), Vec<TuningSearch>>,
}

impl Lines {
    fn add(&mut self, line: TuningLine) -> Result<(), String> {
        let places = line.index.checked_sub(1).zip(line.repeat.checked_sub(1));
        let places = places.filter(|(position, _)| *position < self.names.len() && line.depth == self.depth);
        let Some((position, round)) = places else {
            return Err(format!("index {}, repeat {}, depth {}", line.index, line.repeat, line.depth));
        };
        name(&mut self.names[position], &line.position)?;
        self.values_equal &= line.searches.iter().all(|search| search.error.is_none());
        let cell = self.cells.entry(line.threads).or_default();
        match line.phase {
            TuningPhase::Search => {
                cell.settings = cell.settings.max(line.searches.len().saturating_sub(1));
                cell.searches += line.searches.len();
            }
            TuningPhase::Comparison => {
                if cell.heats.insert((position, round), line.searches).is_some() {
                    return Err("the same searches were there before".to_owned());
                }
            }
        }
        Ok(())
    }
}

impl CellLines {
    /// The default beside the other setting, at the positions that both have searched in the same round
    /// without error.
    fn compared(&self, positions: usize) -> Result<Option<Compared>, String> {
        let fixed = self.heats.values().flatten().filter(|search| search.setting != DEFAULT);
        let mut names: Vec<&str> = fixed.map(|search| search.setting.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let best = match names.as_slice() {
            [] => return Ok(None),
            [best] => (*best).to_owned(),
            _ => return Err("expected the default beside one setting, not several".to_owned()),
        };
        let mut both = Both { costs: Costs::new(2, positions), runs: BTreeMap::new() };
        for (&(position, round), searches) in &self.heats {
            searches.iter().for_each(|search| both.add(position, round, search));
        }
        Ok(both.figures(best))
    }
}

/// The searches of the default and of the best setting.
struct Both<'a> {
    /// What they took; the default is number 0, the best 1.
    costs: Costs,
    /// By setting, position and round.
    runs: BTreeMap<(usize, usize, usize), &'a TuningSearch>,
}

/// A cost of a search.
type Part = fn(&TuningSearch) -> f64;

impl<'a> Both<'a> {
    fn add(&mut self, position: usize, round: usize, search: &'a TuningSearch) {
        if search.error.is_none() && !search.stopped {
            let number = usize::from(search.setting != DEFAULT);
            let cost = Cost { nodes: search.nodes as f64, seconds: search.wall_ns as f64 / 1e9 };
            self.costs.add(number, position, round, cost);
            self.runs.insert((number, position, round), search);
        }
    }

    /// None where they have no round in common.
    fn figures(&self, best: String) -> Option<Compared> {
        let positions = self.costs.complete();
        let of = |part: Part| [0, 1].map(|number| self.rounds(number, &positions, part));
        let milliseconds = of(|search| search.wall_ns as f64 / 1e6);
        let [default_ms, best_ms] = milliseconds.each_ref().map(|rounds| median(&rounds.by_position()));
        let beside = |part: Part| self.beside(&positions, part);
        Some(Compared {
            best,
            positions: positions.len(),
            rounds: milliseconds[0].total.len(),
            default_ms: default_ms?,
            best_ms: best_ms?,
            time: beside(|search| search.wall_ns as f64),
            nodes: beside(|search| search.nodes as f64),
            evaluations: beside(|search| search.evaluations as f64),
        })
    }

    fn rounds(&self, number: usize, positions: &[usize], part: Part) -> Ratio {
        Paired::of(&self.costs, positions, |position, round| part(self.runs[&(number, position, round)]))
    }

    fn beside(&self, positions: &[usize], part: Part) -> Beside {
        let [default, best] = [0, 1].map(|number| self.rounds(number, positions, part));
        let pair = |position, round| [0, 1].map(|number| part(self.runs[&(number, position, round)])).into();
        let shared = self.costs.shared_rounds(positions);
        let pairs = |&position: &usize| shared.iter().map(|&round| pair(position, round)).collect();
        let pairs: Vec<Vec<_>> = positions.iter().map(pairs).collect();
        Beside { ratio: default.over(&best).of_sums(), interval: sums_interval(&pairs) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use serde_json::json;

    fn search(setting: &str, wall_ns: u64, nodes: u64) -> TuningSearch {
        TuningSearch { setting: setting.to_owned(), wall_ns, nodes, ..TuningSearch::default() }
    }

    fn line(phase: TuningPhase, (index, repeat): (usize, usize), searches: Vec<TuningSearch>) -> TuningLine {
        TuningLine {
            schema: 5,
            game: "pig".to_owned(),
            depth: 7,
            threads: 1,
            phase,
            rung: 1,
            index,
            position: format!("p{index}"),
            repeat,
            expected: None,
            spent_ns: 1,
            searches,
        }
    }

    fn read(lines: Vec<TuningLine>) -> Result<TuningFigures, String> {
        let settings = json!({"depth": 7, "positions": 16, "threads": [1, 2], "evaluator": "banked"});
        let meta: Meta = serde_json::from_value(json!({"game": "pig", "settings": settings})).unwrap();
        recorded(lines.into_iter().map(Ok), &meta)
    }

    /// Two rounds at eight positions, in which the default takes 3 where the best takes 2.
    fn compared() -> Vec<TuningLine> {
        let places = (0..2).flat_map(|round| (1..=8).map(move |place| (2 * place, round + 1)));
        let heat = |(index, repeat): (usize, usize)| {
            // The machine is slow in the second round.
            let unit = (index * repeat * repeat * 1_000_000) as u64;
            let both = vec![search("table-depth=1", 2 * unit, 40), search(DEFAULT, 3 * unit, 10)];
            line(TuningPhase::Comparison, (index, repeat), both)
        };
        places.map(heat).collect()
    }

    #[test]
    fn the_default_is_set_beside_the_best_round_by_round() {
        let settings =
            vec![search(DEFAULT, 1, 1), search("table-depth=1", 1, 1), search("table-depth=2", 9, 9)];
        let mut lines = vec![line(TuningPhase::Search, (1, 1), settings)];
        lines.extend(compared());
        let found = read(lines).unwrap();
        assert!(found.values_equal && !found.stopped);
        let [one, two] = found.cells.as_slice() else { panic!("two cells") };
        assert_eq!(
            (one.game.as_str(), one.evaluator.as_str(), one.depth, one.threads),
            ("pig", "banked", 7, 1)
        );
        assert_eq!((one.settings, one.searches, two.settings, &two.compared), (2, 3, 0, &None));
        let cell = one.compared.as_ref().unwrap();
        assert_eq!((cell.best.as_str(), cell.positions, cell.rounds), ("table-depth=1", 8, 2));
        assert_eq!(cell.time, Beside { ratio: 1.5, interval: Some(Interval { low: 1.5, high: 1.5 }) });
        // At the positions 2 to 16 the units of the rounds are 1 and 4 times the number: in the middle 22.5.
        assert_eq!((cell.nodes.ratio, cell.default_ms, cell.best_ms), (0.25, 67.5, 45.0));
        assert!(cell.evaluations.ratio.is_nan(), "none was needed");
        let text = found.text();
        for words in
            ["1.50 [1.50 .. 1.50]", "1.500 in the median (aim: at most 1.10, MISSED)", "1 more cells"]
        {
            assert!(text.contains(words), "{words} in {text}");
        }
    }

    #[test]
    fn searches_with_errors_do_not_count() {
        let mut lines = compared();
        lines[0].searches[0].error = Some("score 4, expected 5".to_owned());
        let found = read(lines).unwrap();
        let cell = found.cells[0].compared.as_ref().unwrap();
        // The first position has its second round only, and so has the sum.
        assert_eq!((found.values_equal, cell.positions, cell.rounds, cell.time.ratio), (false, 8, 1, 1.5));
    }

    #[test]
    fn other_lines_are_refused() {
        let refused = |change: fn(&mut TuningLine), words: &str| {
            let mut lines = compared();
            change(&mut lines[3]);
            let complaint = read(lines).unwrap_err();
            assert!(complaint.contains(words), "{words}: {complaint}");
        };
        refused(|line| line.index = 17, "in line 4 (index 17");
        refused(|line| line.repeat = 0, "repeat 0");
        refused(|line| line.depth = 8, "depth 8");
        refused(|line| line.position = "other".to_owned(), "one position of each index");
        refused(|line| line.searches[0].setting = "table-depth=3".to_owned(), "beside one setting");
        let twice = [compared(), compared()].concat();
        assert!(read(twice).unwrap_err().contains("in line 17 (the same searches were there before"));
    }

    /// A cell that was compared, the default taking `ratio` times as long with an interval from `low`.
    pub(crate) fn cell(evaluator: &str, ratio: f64, low: Option<f64>) -> CellFigures {
        let interval = low.map(|low| Interval { low, high: 2.0 * ratio });
        let mut cell = read(compared()).unwrap().cells.remove(0);
        cell.evaluator = evaluator.to_owned();
        cell.compared.iter_mut().for_each(|found| found.time = Beside { ratio, interval });
        cell
    }
}
