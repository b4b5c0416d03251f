//! What the games of a match come to.

use crate::analysis::tables::{fitted, new_table};
use crate::records::others::{MatchLine, MatchSide};
use comfy_table::Table;
use serde::Serialize;
use starsplit_statistics::student::Estimate;
use starsplit_statistics::summary::{Summary, mean};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The figures of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchReport {
    /// The game.
    pub game: String,
    /// Its rules.
    pub rules: String,
    /// The seed of the rolls.
    pub seed: u64,
    /// 1 where only the first player ever moved, else 2.
    pub players: u32,
    /// How many games were played.
    pub games: u64,
    /// How many pairs of them are whole: the points are theirs.
    pub pairs: u64,
    /// How many games were left after the greatest number of plies.
    pub unfinished: u64,
    /// The mean number of moves and outcomes of a game.
    pub plies: Option<f64>,
    /// What a game was worth to the first setting, in the game's units; where one player plays, by how much
    /// the first setting's score was higher than the second's. With the 95% interval by Student's t over the
    /// pairs, which are independent of one another.
    pub points: Option<Estimate>,
    /// Of the whole pairs' games those that the first setting won, drew and lost, where all were worth 1, 0
    /// or -1 to it.
    pub wins: Option<[u64; 3]>,
    /// The share of points, a draw counting half, where all games were worth 1, 0 or -1.
    pub win_rate: Option<Estimate>,
    /// By how many plies a move the first setting searched deeper, by whole pairs, where both say how deep.
    pub deeper: Option<Estimate>,
    /// The first setting.
    pub one: SideReport,
    /// The second setting.
    pub two: SideReport,
    /// What games say of the position in which they were left, and how many of each there are.
    pub results: Vec<ResultCount>,
}

/// What one setting did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideReport {
    /// The setting as it was written.
    pub setting: String,
    /// Moves that it made.
    pub moves: u64,
    /// Moves for which it was asked, being more than one that it could make.
    pub asked: u64,
    /// The mean depth to which it searched those, 0 where it does not say.
    pub mean_depth: Option<f64>,
    /// The mean number of nodes, 0 where it does not say.
    pub nodes_a_move: Option<f64>,
    /// The mean time in milliseconds.
    pub ms_a_move: Option<f64>,
    /// Its scores, where one player plays.
    pub scores: Option<Summary>,
}

/// How many games had a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultCount {
    /// What the game says of it.
    pub text: String,
    /// Games in which the first setting had the first player's side: where one player plays, its games.
    pub one: u64,
    /// Games in which the second setting had it.
    pub two: u64,
}

impl MatchReport {
    /// That of these games, in whatever order, by the game's name and rules, the seed of the rolls and the
    /// settings as they were written.
    pub fn new(
        (game, rules): (&str, &str),
        seed: u64,
        settings: [String; 2],
        mut lines: Vec<MatchLine>,
    ) -> Self {
        lines.sort_by_key(|line| line.number);
        let second = |line: &MatchLine| if has_one_first(line) { line.two } else { line.one };
        let is_for_one = !lines.is_empty() && lines.iter().all(|line| second(line).moves == 0);
        let pairs = whole_pairs(&lines);
        // Where one player plays, the second of a pair is worth what the other setting has not.
        let games_a_pair = if is_for_one { 1.0 } else { 2.0 };
        let samples: Vec<_> = pairs.iter().map(|[a, b]| (a.points + b.points) / games_a_pair).collect();
        let points = Estimate::of(&samples);
        let wins = (!is_for_one).then(|| wins(&pairs)).flatten();
        let [one, two] = settings;
        MatchReport {
            players: if is_for_one { 1 } else { 2 },
            games: lines.len() as u64,
            pairs: pairs.len() as u64,
            unfinished: lines.iter().filter(|line| !line.finished).count() as u64,
            plies: mean(&lines.iter().map(|line| line.plies as f64).collect::<Vec<_>>()),
            win_rate: wins.and(points).map(|points| points.map(|mean| ((mean + 1.0) / 2.0).clamp(0.0, 1.0))),
            points,
            wins,
            deeper: deeper(&pairs),
            one: SideReport::new(one, &lines, |line| line.one, is_for_one.then_some(true)),
            two: SideReport::new(two, &lines, |line| line.two, is_for_one.then_some(false)),
            results: results(&lines),
            game: game.to_owned(),
            rules: rules.to_owned(),
            seed,
        }
    }

    /// The same in words.
    pub fn text(&self) -> String {
        let mut text = format!("{}, {}: {} games, seed {}\n", self.game, self.rules, self.games, self.seed);
        let mut add = |part: String| {
            // Writing to a String does not fail.
            let _ = writeln!(text, "{part}");
        };
        for (who, side) in self.sides() {
            add(format!("{who}: {}", side.setting));
        }
        let notes = self.notes().map(|notes| format!("{notes}\n"));
        add(notes.unwrap_or_default());
        add(format!("{}\n", self.moves_table()));
        self.scores_table().map(|table| format!("{}\n", fitted(&table))).into_iter().for_each(&mut add);
        self.points_lines().into_iter().for_each(&mut add);
        if let Some((words, table)) = self.results_table() {
            add(format!("\nHow the games ended ({words}):\n\n{}", fitted(&table)));
        }
        text.truncate(text.trim_end().len());
        text + "\n"
    }

    /// The settings, with the names that tables have for them.
    pub(crate) fn sides(&self) -> [(&'static str, &SideReport); 2] {
        [("one", &self.one), ("two", &self.two)]
    }

    /// What is to be known of games that were left, if any were.
    pub(crate) fn notes(&self) -> Option<String> {
        let unfinished = self.unfinished;
        (unfinished > 0).then(|| format!("{unfinished} games were left unfinished; they count as they stood"))
    }

    /// What the settings did.
    pub(crate) fn moves_table(&self) -> Table {
        let mut table = new_table(&["who", "moves", "mean depth", "nodes a move", "ms a move"], 1);
        for (who, side) in self.sides() {
            table.add_row([
                who.to_owned(),
                side.moves.to_string(),
                known(side.mean_depth, 2),
                known(side.nodes_a_move, 0),
                known(side.ms_a_move, 3),
            ]);
        }
        table
    }

    /// The settings' scores, where one player plays.
    pub(crate) fn scores_table(&self) -> Option<Table> {
        let mut table = new_table(&["who", "mean score", "median", "least", "greatest"], 1);
        for (who, side) in self.sides() {
            let Summary { min, median, max, mean, .. } = side.scores?;
            let [median, min, max] = [median, min, max].map(|score| score.to_string());
            table.add_row([who.to_owned(), format!("{mean:.2}"), median, min, max]);
        }
        Some(table)
    }

    /// Who is ahead, and by how much.
    pub(crate) fn points_lines(&self) -> Vec<String> {
        let Some(points) = &self.points else { return Vec::new() };
        let rate = self.wins.zip(self.win_rate).map(|([wins, draws, losses], rate)| {
            let rate = interval(&rate.map(|share| 100.0 * share), 2);
            format!("one won {wins}, drew {draws} and lost {losses} games: {rate}, in percent")
        });
        let what = if self.players == 1 { "one's score is higher by" } else { "points a game for one:" };
        let points = format!("{what} {}, over {} pairs of games", interval(points, 4), self.pairs);
        let deeper =
            self.deeper.map(|plies| format!("one searched deeper by {} plies a move", interval(&plies, 3)));
        rate.into_iter().chain([points]).chain(deeper).collect()
    }

    /// How the games ended, where there is more to say than what they were worth; with what is counted.
    pub(crate) fn results_table(&self) -> Option<(&'static str, Table)> {
        if self.results.iter().all(|result| result.text.is_empty()) {
            return None;
        }
        let words = if self.players == 1 {
            "games of each setting"
        } else {
            "games in which each was the first player"
        };
        let mut table = new_table(&["how", "one", "two"], 1);
        for ResultCount { text, one, two } in &self.results {
            table.add_row([text.clone(), one.to_string(), two.to_string()]);
        }
        Some((words, table))
    }
}

/// A figure with so many digits, if there is one.
fn known(figure: Option<f64>, digits: usize) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.digits$}"))
}

fn interval(estimate: &Estimate, digits: usize) -> String {
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => {
            format!("{:.digits$} (95%: {low:.digits$} to {high:.digits$})", estimate.mean)
        }
        _ => format!("{:.digits$} (no interval)", estimate.mean),
    }
}

impl SideReport {
    /// `plays` is where one player plays: whether it does so in games of odd numbers.
    fn new(
        setting: String,
        lines: &[MatchLine],
        side: impl Fn(&MatchLine) -> MatchSide,
        plays: Option<bool>,
    ) -> Self {
        let sum = |figure: fn(&MatchSide) -> u64| lines.iter().map(|line| figure(&side(line))).sum::<u64>();
        let asked = sum(|side| side.asked);
        let a_move = |total: u64| (asked > 0).then(|| total as f64 / asked as f64);
        let scores = plays.map(|is_one| {
            let own = lines.iter().filter(|line| has_one_first(line) == is_one);
            own.map(|line| if is_one { line.points } else { -line.points + 0.0 }).collect::<Vec<_>>()
        });
        SideReport {
            setting,
            moves: sum(|side| side.moves),
            asked,
            mean_depth: a_move(sum(|side| side.depths)),
            nodes_a_move: a_move(sum(|side| side.nodes)),
            ms_a_move: a_move(sum(|side| side.time_ns)).map(|ns| ns / 1e6),
            scores: scores.and_then(|scores| Summary::of(&scores)),
        }
    }
}

fn has_one_first(line: &MatchLine) -> bool {
    line.number % 2 == 1
}

/// The pairs of which both games are there. Sorted by their numbers, the two stand beside one another.
fn whole_pairs(lines: &[MatchLine]) -> Vec<[&MatchLine; 2]> {
    let is_pair = |pair: &&[MatchLine]| has_one_first(&pair[0]) && pair[1].number == pair[0].number + 1;
    lines.windows(2).filter(is_pair).map(|pair| [&pair[0], &pair[1]]).collect()
}

/// By how many plies a move the first setting searched deeper, by pairs; none where one of both never says.
fn deeper(pairs: &[[&MatchLine; 2]]) -> Option<Estimate> {
    let depth = |pair: &[&MatchLine; 2], side: fn(&MatchLine) -> MatchSide| {
        let [first, second] = pair.map(side);
        let asked = first.asked + second.asked;
        (asked > 0).then(|| (first.depths + second.depths) as f64 / asked as f64)
    };
    let of_both =
        |pair: &[&MatchLine; 2]| Some([depth(pair, |line| line.one)?, depth(pair, |line| line.two)?]);
    let depths: Vec<_> = pairs.iter().filter_map(of_both).collect();
    let is_told = (0..2).all(|side| depths.iter().any(|pair| pair[side] > 0.0));
    let apart = depths.iter().map(|[one, two]| one - two).collect::<Vec<_>>();
    is_told.then(|| Estimate::of(&apart)).flatten()
}

/// Games won, drawn and lost, where there were no other results.
fn wins(pairs: &[[&MatchLine; 2]]) -> Option<[u64; 3]> {
    let mut counts = [0; 3];
    for line in pairs.iter().flatten() {
        let place = [1.0, 0.0, -1.0].iter().position(|&points| points == line.points)?;
        counts[place] += 1;
    }
    Some(counts)
}

/// The results, numbers by their size and before other texts.
fn results(lines: &[MatchLine]) -> Vec<ResultCount> {
    let mut counts: BTreeMap<(u64, &str), [u64; 2]> = BTreeMap::new();
    for line in lines {
        let place = line.result.parse().unwrap_or(u64::MAX);
        counts.entry((place, &line.result)).or_default()[usize::from(!has_one_first(line))] += 1;
    }
    let count =
        |((_, text), [one, two]): ((u64, &str), [u64; 2])| ResultCount { text: text.to_owned(), one, two };
    counts.into_iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(lines: Vec<MatchLine>) -> MatchReport {
        MatchReport::new(("g", "r"), 1, ["a", "b"].map(str::to_owned), lines)
    }

    fn line(number: u64, points: f64, moves: [u64; 2], result: &str) -> MatchLine {
        let [one, two] = moves.map(|moves| MatchSide {
            moves,
            asked: moves,
            depths: 3 * moves,
            nodes: 10 * moves,
            time_ns: 2_000_000 * moves,
        });
        let result = result.to_owned();
        MatchLine { number, points, finished: true, plies: 8, result, one, two, ..MatchLine::default() }
    }

    #[test]
    fn points_are_those_of_whole_pairs_with_their_interval() {
        let points = [1.0, 1.0, 1.0, -1.0, 0.0, 1.0, -1.0, -1.0, 1.0];
        let lines = (1..).zip(points).map(|(number, points)| line(number, points, [2, 3], "")).collect();
        let found = report(lines);
        assert_eq!((found.players, found.games, found.pairs), (2, 9, 4));
        assert_eq!(found.wins, Some([4, 1, 3]));
        // The pairs are 1, 0, 1/2, -1: mean 1/8; squares 49/64, 1/64, 9/64, 81/64 sum to 140/64.
        let half = 3.182_446_305 * (140.0_f64 / 64.0 / 3.0 / 4.0).sqrt();
        let Estimate { mean, low, high } = found.points.unwrap();
        assert_eq!(mean, 0.125);
        assert!(
            (low.unwrap() - (0.125 - half)).abs() < 1e-8 && (high.unwrap() - (0.125 + half)).abs() < 1e-8
        );
        let rate = found.win_rate.unwrap();
        assert_eq!((rate.mean, rate.low, rate.high), (0.5625, Some(0.0), Some(1.0)), "no less and no more");
        assert_eq!((found.one.moves, found.two.moves, found.one.scores), (18, 27, None));
        assert_eq!(
            (found.two.mean_depth, found.two.nodes_a_move, found.two.ms_a_move),
            (Some(3.0), Some(10.0), Some(2.0))
        );
        assert!(
            found.text().contains("one won 4, drew 1 and lost 3 games: 56.25 (95%: "),
            "{}",
            found.text()
        );
    }

    #[test]
    fn the_share_of_the_points_has_the_same_interval() {
        // Of six pairs five are won and one is drawn: mean 5/6; squares sum to 5/6; deviation sqrt(1/6).
        let lines = (1..=12).map(|number| line(number, f64::from(number <= 10), [1, 1], "")).collect();
        let found = report(lines);
        let half = 2.570_581_836 / 6.0;
        let (points, rate) = (found.points.unwrap(), found.win_rate.unwrap());
        assert!((points.low.unwrap() - (5.0 / 6.0 - half)).abs() < 1e-8, "{points:?}");
        assert!((rate.low.unwrap() - (11.0 / 6.0 - half) / 2.0).abs() < 1e-8, "{rate:?}");
        assert_eq!((found.wins, rate.high), (Some([10, 2, 0]), Some(1.0)));
    }

    #[test]
    fn how_much_deeper_is_told_by_pairs_where_both_say_how_deep() {
        let depths = |number, depths: [u64; 2]| {
            let mut line = line(number, 0.0, [2, 4], "");
            [line.one.depths, line.two.depths] = depths;
            line
        };
        // One looks 5 and 6 plies deep, two 4 and 3: the pairs are 1 and 3, their deviation is the root of 2.
        let found =
            report(vec![depths(1, [8, 16]), depths(2, [12, 16]), depths(3, [12, 12]), depths(4, [12, 12])]);
        let Estimate { mean, low, .. } = found.deeper.unwrap();
        assert_eq!(mean, 2.0);
        assert!((low.unwrap() - (2.0 - 12.706_204_736)).abs() < 1e-6, "{low:?}");
        assert!(found.text().contains("one searched deeper by 2.000 (95%: -10.706 to 14.706) plies a move"));
        assert_eq!(report(vec![depths(1, [8, 0]), depths(2, [9, 0])]).deeper, None);
    }

    #[test]
    fn other_values_than_a_win_have_no_win_rate() {
        let found = report(vec![line(1, 2.0, [1, 1], ""), line(2, -1.0, [1, 1], "")]);
        assert_eq!((found.wins, found.win_rate), (None, None));
        assert_eq!(found.points, Some(Estimate { mean: 0.5, low: None, high: None }));
    }

    #[test]
    fn a_game_for_one_player_compares_scores_on_the_same_rolls() {
        let scores = [(1, 30.0, "64"), (2, -10.0, "128"), (3, 20.0, "64"), (4, -20.0, "8")];
        let lines = scores.map(|(number, points, result)| {
            line(number, points, if number % 2 == 1 { [4, 0] } else { [0, 4] }, result)
        });
        let found = report(lines.to_vec());
        assert_eq!((found.players, found.pairs, found.wins), (1, 2, None));
        assert_eq!(found.points.unwrap().mean, 10.0);
        let [one, two] = [&found.one, &found.two].map(|side| side.scores.unwrap());
        assert_eq!((one.mean, one.median, two.mean, two.min), (25.0, 25.0, 15.0, 10.0));
        let results = found.results.iter().map(|result| (result.text.as_str(), result.one, result.two));
        assert_eq!(results.collect::<Vec<_>>(), [("8", 0, 1), ("64", 2, 0), ("128", 0, 1)]);
        assert!(found.text().contains("one's score is higher by 10.0000 (95%: -"), "{}", found.text());
    }

    #[test]
    fn no_games_have_no_points() {
        let found = report(Vec::new());
        assert_eq!(
            (found.points, found.wins, found.one.ms_a_move, found.plies),
            (None, Some([0; 3]), None, None)
        );
    }
}
