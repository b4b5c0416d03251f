//! How good the taught perceptron is, beside another evaluator.

use super::lessons::{Teacher, collect, maker};
use super::options::TeachingOptions;
use crate::training::play::{Greedy, evaluation, greedy_by_name};
use crate::training::quality::{Agreement, agreement};
use crate::training::strength::{Match, play_match};
use anyhow::Result;
use serde::Serialize;
use starsplit::evaluator::Evaluator;
use starsplit::search::StopFlag;
use starsplit_games::backgammon::mlp::{Mlp, Weights};
use starsplit_games::backgammon::{Backgammon, Position};
use starsplit_games::{EvaluatorVisitor, KnownGame};

/// How much to measure.
#[derive(Clone, Debug)]
pub struct JudgementEffort {
    /// The evaluator to compare with.
    pub opponent: String,
    /// Games of the match; 0 for none.
    pub matches: u64,
    /// Held-out positions; 0 for none.
    pub held_out: u64,
    /// The depth to which the opponent searches them.
    pub depth: u32,
    /// Chooses the games and the positions. Not the seed of teaching.
    pub seed: u64,
}

/// The evidence for one set of weights.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// What the weights came of.
    pub options: TeachingOptions,
    /// The mean squared error of each epoch.
    pub losses: Vec<f64>,
    /// The evaluator compared with.
    pub opponent: String,
    /// The perceptron against it, both playing greedily.
    pub against_opponent: Option<Match>,
    /// The depth of the searches by the opponent that evaluations are compared with, on held-out positions.
    pub depth: u32,
    /// How the perceptron's evaluations agree with them.
    pub mlp: Option<Agreement>,
    /// How the opponent's own do.
    pub opponents: Option<Agreement>,
}

/// Measures these weights, as the evaluator that searches use. `None` when the flag was raised.
///
/// # Errors
/// When the weights cannot be used, there is no such opponent, or a search fails.
pub fn judge(
    game: &Backgammon,
    weights: &Weights,
    (options, losses): (&TeachingOptions, &[f64]),
    effort: &JudgementEffort,
    stop: &StopFlag,
) -> Result<Option<Judgement>> {
    let mlp = Mlp::new(game, weights)?;
    let asked = TeachingOptions { positions: effort.held_out, seed: effort.seed, ..options.clone() };
    let maker = maker(game, &effort.opponent)?;
    let teacher = Teacher { maker: &*maker, depth: effort.depth };
    let Some(lessons) = collect(game, &asked, &teacher, stop, |_| {})? else { return Ok(None) };
    let judged: Vec<_> =
        lessons.into_iter().map(|lesson| (lesson.position, f64::from(lesson.value))).collect();
    let of_opponent = game.visit_evaluator(&effort.opponent, 0, Agreeing { game, judged: &judged })?;
    let player = Greedy { evaluator: mlp.clone(), explore: 0.0 };
    let opponent = greedy_by_name(game, &effort.opponent)?;
    let is_asked = !judged.is_empty();
    Ok(Some(Judgement {
        options: options.clone(),
        losses: losses.to_vec(),
        opponent: effort.opponent.clone(),
        against_opponent: (effort.matches > 0)
            .then(|| play_match(game, &player, &*opponent, effort.matches, effort.seed)),
        depth: effort.depth,
        mlp: is_asked.then(|| agreement(&judged, |position| evaluation(game, &mlp, position))),
        opponents: is_asked.then_some(of_opponent),
    }))
}

/// Compares an evaluator with values found.
struct Agreeing<'a> {
    game: &'a Backgammon,
    judged: &'a [(Position, f64)],
}

impl EvaluatorVisitor<Backgammon> for Agreeing<'_> {
    type Output = Agreement;

    fn visit<E: Evaluator<Backgammon>>(self, evaluator: E) -> Agreement {
        agreement(self.judged, |position| evaluation(self.game, &evaluator, position))
    }
}

impl Judgement {
    /// The same as a table.
    pub fn table(&self) -> String {
        let mut lines = vec!["| mlp | |".to_owned(), "|---|---|".to_owned()];
        if let Some(played) = &self.against_opponent {
            let Match { points, points_error, score, low, high, .. } = played;
            let games = played.wins + played.draws + played.losses;
            lines.push(format!(
                "| points a game against {}, {games} games | {points:+.3} +- {points_error:.3} |",
                self.opponent
            ));
            let percent = [score, low, high].map(|share| 100.0 * share);
            lines
                .push(format!("| games won | {:.1}% ({:.1} to {:.1}) |", percent[0], percent[1], percent[2]));
        }
        for (name, found) in [("mlp", &self.mlp), (&*self.opponent, &self.opponents)] {
            if let Some(Agreement { positions, rmse, correlation }) = found {
                let searches = format!("searches of {positions} positions to depth {}", self.depth);
                lines.push(format!(
                    "| {name} against {searches} | RMSE {rmse:.4}, correlation {correlation:.4} |"
                ));
            }
        }
        let losses: Vec<_> = self.losses.iter().map(|loss| format!("{loss:.6}")).collect();
        lines.push(format!("| mean squared error by epoch | {} |", losses.join(", ")));
        lines.join("\n") + "\n"
    }
}
