//! From the records of smaller games to what they cost and lose.

use crate::analysis::statistics::mean;
use crate::analysis::student::Estimate;
use crate::records::meta::Meta;
use crate::records::others::{SmallerLine, SmallerSearch};
use crate::runner::by_position::positions;
use serde::Serialize;

/// The figures, in the form of the JSON object. Values are in the game's units, as whoever is to move sees
/// them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SmallerFigures {
    /// The game.
    pub game: String,
    /// The evaluator of the leaves.
    pub evaluator: String,
    /// The depth of the searches.
    pub depth: u32,
    /// How many positions count: those that were searched without error.
    pub positions: usize,
    /// Whether every search that had to found the full game's value.
    pub values_equal: bool,
    /// What the search of the full game took, summed over the positions.
    pub full: SmallerCosts,
    /// What became of the smaller games, in the order in which they were asked for.
    pub settings: Vec<SettingFigures>,
    /// Whether Ctrl-C ended the experiment early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// What searches took, or how many times as much as those of the full game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SmallerCosts {
    /// Nodes.
    pub nodes: f64,
    /// Static evaluations of the search; those by which a smaller game ranks its moves are not counted.
    pub evaluations: f64,
    /// Wall time, in seconds.
    pub seconds: f64,
}

/// A smaller game beside the full one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingFigures {
    /// What is kept, as it was written.
    pub setting: String,
    /// What is kept in words, of the first seed; none where it is all.
    pub smaller_game: Option<String>,
    /// How many searches of it count.
    pub searches: usize,
    /// The smaller game's value less the full one's.
    pub error: ErrorFigures,
    /// The share of the searches that chose another move than that of the full game.
    pub other_moves: f64,
    /// The share of those that chose a move that is worth less in the full game.
    pub worse_moves: f64,
    /// By how much the move that was chosen is worth less in the full game than its best one. The interval is
    /// of the positions.
    pub regret: Estimate,
    /// The largest regret.
    pub largest_regret: f64,
    /// What its searches took, summed over the positions, of the means over the seeds.
    pub costs: SmallerCosts,
    /// The same over those of the full game.
    pub ratios: SmallerCosts,
}

/// How far values are from those of the full game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorFigures {
    /// The mean, with the interval that the positions give it.
    pub mean: Estimate,
    /// The root of the mean square.
    pub rms: f64,
    /// The largest, without its sign.
    pub largest: f64,
}

/// The figures of the `lines` of a folder, which `meta` describes.
///
/// # Errors
/// When a line is none of `smaller`, or of a position that was there before, in words.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<SmallerLine, String>>,
    meta: &Meta,
) -> Result<SmallerFigures, String> {
    let mut figures = SmallerFigures::of(&positions(lines)?)?;
    figures.game.clone_from(&meta.game);
    figures.evaluator = meta.settings.evaluator();
    figures.depth = meta.settings.depth().unwrap_or(0);
    Ok(figures)
}

impl SmallerFigures {
    fn of(lines: &[SmallerLine]) -> Result<Self, String> {
        let sound: Vec<_> = lines.iter().filter(|line| line.error.is_none()).collect();
        let full =
            sound.iter().map(|line| SmallerCosts::of([&line.full])).fold(SmallerCosts::default(), plus);
        let mut names: Vec<&str> = Vec::new();
        for search in sound.iter().flat_map(|line| &line.searches) {
            if !names.contains(&search.setting.as_str()) {
                names.push(&search.setting);
            }
        }
        let settings = names.iter().map(|name| SettingFigures::of(name, &sound, full));
        Ok(SmallerFigures {
            positions: sound.len(),
            values_equal: sound.len() == lines.len(),
            full,
            settings: settings.collect::<Result<_, _>>()?,
            ..SmallerFigures::default()
        })
    }
}

impl SmallerCosts {
    /// The means of what these took.
    fn of<'a>(searches: impl IntoIterator<Item = &'a SmallerSearch> + Clone) -> Self {
        let part = |part: fn(&SmallerSearch) -> u64| {
            let parts: Vec<_> = searches.clone().into_iter().map(|search| part(search) as f64).collect();
            mean(&parts).unwrap_or(f64::NAN)
        };
        SmallerCosts {
            nodes: part(|search| search.nodes),
            evaluations: part(|search| search.evaluations),
            seconds: part(|search| search.wall_ns) / 1e9,
        }
    }

    fn over(self, other: SmallerCosts) -> Self {
        SmallerCosts {
            nodes: self.nodes / other.nodes,
            evaluations: self.evaluations / other.evaluations,
            seconds: self.seconds / other.seconds,
        }
    }
}

fn plus(one: SmallerCosts, other: SmallerCosts) -> SmallerCosts {
    SmallerCosts {
        nodes: one.nodes + other.nodes,
        evaluations: one.evaluations + other.evaluations,
        seconds: one.seconds + other.seconds,
    }
}

/// A search beside that of the full game.
struct Beside {
    error: f64,
    regret: f64,
    is_other: bool,
}

impl Beside {
    fn of(line: &SmallerLine, search: &SmallerSearch) -> Result<Self, String> {
        let complain = || format!("expected values and moves of {} at index {}", search.setting, line.index);
        let known = |value: Option<f64>| value.ok_or_else(complain);
        let full = known(line.full.value)?;
        Ok(Beside {
            error: known(search.value)? - full,
            regret: full - known(search.move_value)?,
            is_other: search.best_move != line.full.best_move,
        })
    }
}

impl SettingFigures {
    fn of(name: &str, lines: &[&SmallerLine], full: SmallerCosts) -> Result<Self, String> {
        let (mut costs, mut all, mut smaller_game) = (SmallerCosts::default(), Vec::new(), None);
        // By position, the means over the seeds.
        let (mut errors, mut regrets) = (Vec::new(), Vec::new());
        for line in lines {
            let own: Vec<_> = line.searches.iter().filter(|search| search.setting == name).collect();
            let beside = own.iter().map(|search| Beside::of(line, search)).collect::<Result<Vec<_>, _>>()?;
            errors.extend(mean(&beside.iter().map(|one| one.error).collect::<Vec<_>>()));
            regrets.extend(mean(&beside.iter().map(|one| one.regret).collect::<Vec<_>>()));
            costs = plus(costs, SmallerCosts::of(own.iter().copied()));
            smaller_game = smaller_game.or_else(|| own.first()?.smaller_game.clone());
            all.extend(beside);
        }
        let none = || format!("expected a search of {name} at every position");
        let share = |is_meant: fn(&Beside) -> bool| {
            all.iter().filter(|one| is_meant(one)).count() as f64 / all.len() as f64
        };
        let squares: Vec<_> = all.iter().map(|one| one.error.powi(2)).collect();
        Ok(SettingFigures {
            setting: name.to_owned(),
            smaller_game,
            searches: all.len(),
            error: ErrorFigures {
                mean: Estimate::of(&errors).ok_or_else(none)?,
                rms: mean(&squares).ok_or_else(none)?.sqrt(),
                largest: all.iter().map(|one| one.error.abs()).fold(0.0, f64::max),
            },
            other_moves: share(|one| one.is_other),
            worse_moves: share(|one| one.regret > 0.0),
            regret: Estimate::of(&regrets).ok_or_else(none)?,
            largest_regret: all.iter().map(|one| one.regret).fold(0.0, f64::max),
            costs,
            ratios: costs.over(full),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(setting: &str, value: f64, (best_move, move_value): (&str, f64), cost: u64) -> SmallerSearch {
        SmallerSearch {
            setting: setting.to_owned(),
            value: Some(value),
            best_move: Some(best_move.to_owned()),
            move_value: Some(move_value),
            nodes: cost,
            evaluations: 10 * cost,
            wall_ns: 1000 * cost,
            ..SmallerSearch::default()
        }
    }

    /// In the full game of the first position a is worth 0.5 and b 0.25, in that of the second b is the best,
    /// worth -0.5, and c is as good.
    fn lines() -> Vec<SmallerLine> {
        let full = search("full", 0.5, ("a", 0.5), 100);
        let searches = vec![
            search("few", 0.75, ("b", 0.25), 40),
            search("few", 0.5, ("a", 0.5), 60),
            search("all", 0.5, ("a", 0.5), 200),
        ];
        let first = SmallerLine { index: 1, full, searches, ..SmallerLine::default() };
        let full = search("full", -0.5, ("b", -0.5), 300);
        let searches = vec![
            search("few", -1.0, ("c", -0.5), 30),
            search("few", -0.5, ("b", -0.5), 70),
            search("all", -0.5, ("b", -0.5), 600),
        ];
        vec![first, SmallerLine { index: 3, full, searches, ..SmallerLine::default() }]
    }

    fn figures(lines: &[SmallerLine]) -> SmallerFigures {
        SmallerFigures::of(lines).unwrap()
    }

    #[test]
    fn a_chosen_move_loses_what_the_full_game_says() {
        let found = figures(&lines());
        assert_eq!((found.positions, found.values_equal, found.full.nodes), (2, true, 400.0));
        let [few, all] = found.settings.as_slice() else { panic!("two settings") };
        // Errors 0.25 and 0, then -0.5 and 0: by position 0.125 and -0.25.
        assert_eq!((few.error.mean.mean, few.error.largest), (-0.0625, 0.5));
        assert_eq!(few.error.rms, (0.3125_f64 / 4.0).sqrt());
        // b for a loses 0.25 in one of two searches; c is another move than b and loses nothing.
        assert_eq!((few.searches, few.other_moves, few.worse_moves), (4, 0.5, 0.25));
        assert_eq!((few.regret.mean, few.largest_regret), (0.0625, 0.25));
        assert_eq!((few.costs.nodes, few.ratios.nodes), (100.0, 0.25));
        assert!((few.ratios.seconds - 0.25).abs() < 1e-12, "{few:?}");
        assert_eq!((all.error.rms, all.other_moves, all.regret.mean), (0.0, 0.0, 0.0));
        assert_eq!((all.ratios.nodes, all.ratios.evaluations), (2.0, 2.0));
    }

    #[test]
    fn positions_with_errors_do_not_count() {
        let mut lines = lines();
        lines[0].error = Some("all: score 4, expected 5".to_owned());
        let found = figures(&lines);
        assert_eq!((found.positions, found.values_equal, found.full.nodes), (1, false, 300.0));
        assert_eq!(found.settings[0].regret.mean, 0.0);
        assert_eq!(figures(&[]).settings, []);
    }

    #[test]
    fn lines_that_are_not_of_it_are_named() {
        let complaint = |lines: Vec<Result<SmallerLine, String>>| positions(lines.into_iter()).unwrap_err();
        let twice = complaint(vec![Ok(lines().remove(0)), Ok(lines().remove(0))]);
        assert_eq!(twice, "expected a position in line 2 (index 1 was there before)");
        assert!(complaint(vec![Err("no JSON".to_owned())]).contains("line 1 (no JSON)"));
        let mut lines = lines();
        lines[1].searches[0].move_value = None;
        let complaint = SmallerFigures::of(&lines).unwrap_err();
        assert_eq!(complaint, "expected values and moves of few at index 3");
    }
}
