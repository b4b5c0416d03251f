//! What is said of trained weights: strength in matches, and distance from exact values.

use super::learner::Trainer;
use super::options::Options;
use super::play::{Greedy, Uniform, evaluation, greedy_by_name};
use super::quality::{self, Agreement};
use super::strength::{Match, play_match};
use anyhow::Result;
use serde::Serialize;
use starsplit::game::Game;
use starsplit_games::dice::{self, Dice, RunCount};
use starsplit_games::network::NetworkGame;
use std::any::Any;

/// How much to measure.
#[derive(Clone, Copy, Debug)]
pub struct TrainingEffort {
    /// Games in each match; 0 for none.
    pub matches: u64,
    /// Held-out positions; 0 for none.
    pub held_out: usize,
    /// Chooses the games and the positions. Not the seed of training.
    pub seed: u64,
}

/// The evidence for one set of weights.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingReport {
    /// The options of the training run.
    pub options: Options,
    /// The mean squared difference between a position's value and the one that it was pulled towards, a step
    /// later, in each tenth of the training games; values run from -1 to 1.
    pub losses: Vec<f64>,
    /// The name of the evaluator that the network is compared with.
    pub opponent: String,
    /// The quantised network, playing greedily, against uniformly random moves.
    pub against_random: Option<Match>,
    /// The quantised network against the opponent, both playing greedily.
    pub against_opponent: Option<Match>,
    /// The opponent against random moves, for comparison.
    pub opponent_against_random: Option<Match>,
    /// Agreement with exact values on held-out late positions, for Dice; none where the rules allow no exact
    /// values.
    pub agreement: Option<Agreements>,
    /// For Dice, agreement of evaluations with searches to depth [`quality::DEEP`] that use the quantised
    /// network.
    pub deep: Option<DeepAgreements>,
}

/// Agreement with deep searches.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DeepAgreements {
    /// The quantised network.
    pub network: Agreement,
    /// The run-count heuristic.
    pub run_count: Agreement,
}

/// Agreement with exact values, for each stage.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Agreements {
    /// The starting weights.
    pub before: Agreement,
    /// The trained weights, in floats.
    pub after: Agreement,
    /// The trained weights, in integers: what a search uses.
    pub quantised: Agreement,
    /// The run-count heuristic.
    pub run_count: Agreement,
}

/// Measures the weights of `trainer`, against `opponent` (the game's own simple evaluator where none is
/// named) among others.
///
/// # Errors
/// When the weights cannot be used, or there is no such opponent.
pub fn measure<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    trainer: &Trainer<G, H, O>,
    opponent: Option<&str>,
    effort: TrainingEffort,
) -> Result<TrainingReport> {
    let game = trainer.game();
    let network = Greedy { evaluator: game.network(trainer.weights())?, explore: 0.0 };
    let opponent_name = opponent.unwrap_or(G::YARDSTICK);
    let opponent = greedy_by_name(game, opponent_name)?;
    let match_of = |player, opponent, number| {
        (effort.matches > 0)
            .then(|| play_match(game, player, opponent, effort.matches, effort.seed.wrapping_add(number)))
    };
    let dice = (trainer as &dyn Any).downcast_ref::<DiceTrainer>().filter(|_| effort.held_out > 0);
    Ok(TrainingReport {
        options: trainer.options().clone(),
        losses: trainer.losses(),
        opponent: opponent_name.to_owned(),
        against_random: match_of(&network, &Uniform, 0),
        against_opponent: match_of(&network, &*opponent, 1),
        opponent_against_random: match_of(&*opponent, &Uniform, 2),
        agreement: dice.map_or(Ok(None), |trainer| agreements(trainer, effort))?,
        deep: dice.map(|trainer| deep_agreements(trainer, effort)).transpose()?,
    })
}

/// What can be judged by exact values and deep searches as well.
type DiceTrainer = Trainer<Dice, { dice::network::HIDDEN }, 1>;

fn deep_agreements(trainer: &DiceTrainer, effort: TrainingEffort) -> Result<DeepAgreements> {
    let dice = trainer.game();
    let network = dice.network(trainer.weights())?;
    let searched = quality::searched(dice, &network, effort.seed, effort.held_out)?;
    Ok(DeepAgreements {
        network: quality::agreement(&searched, |position| evaluation(dice, &network, position)),
        run_count: quality::agreement(&searched, |position| evaluation(dice, &RunCount, position)),
    })
}

fn agreements(trainer: &DiceTrainer, effort: TrainingEffort) -> Result<Option<Agreements>> {
    let dice = trainer.game();
    if dice.full_depth(&dice.initial()).is_none() {
        return Ok(None);
    }
    let network = dice.network(trainer.weights())?;
    let exact = quality::held_out(dice, effort.seed, effort.held_out)?;
    let start = Trainer::new(dice.clone(), trainer.options().clone())?;
    let float = |trainer: &DiceTrainer| {
        quality::agreement(&exact, |position| f64::from(trainer.weights().value(dice, position)))
    };
    Ok(Some(Agreements {
        before: float(&start),
        after: float(trainer),
        quantised: quality::agreement(&exact, |position| evaluation(dice, &network, position)),
        run_count: quality::agreement(&exact, |position| evaluation(dice, &RunCount, position)),
    }))
}

impl TrainingReport {
    /// The report as tables in Markdown.
    pub fn table(&self) -> String {
        let mut text = self.match_table();
        if let Some(found) = &self.agreement {
            text.push_str(&agreement_table(
                "exact values",
                &[
                    ("before training", found.before),
                    ("after training", found.after),
                    ("after quantisation", found.quantised),
                    ("run count", found.run_count),
                ],
            ));
        }
        if let Some(found) = &self.deep {
            let searches = format!("searches to depth {}", quality::DEEP);
            text.push_str(&agreement_table(
                &searches,
                &[("network", found.network), ("run count", found.run_count)],
            ));
        }
        text.push_str("\nLoss in each tenth of the games:");
        for loss in &self.losses {
            text.push_str(&format!(" {loss:.5}"));
        }
        text.push('\n');
        text
    }

    fn match_table(&self) -> String {
        let mut text = String::from(
            "| match | score | 95% interval | points a game | won / drawn / lost |\n|---|---|---|---|---|\n",
        );
        let opponent = &self.opponent;
        let matches = [
            ("network - random".to_owned(), &self.against_random),
            (format!("network - {opponent}"), &self.against_opponent),
            (format!("{opponent} - random"), &self.opponent_against_random),
        ];
        for (name, result) in matches {
            if let Some(Match { wins, draws, losses, score, low, high, points, points_error }) = result {
                let [score, low, high] = [score, low, high].map(|share| 100.0 * share);
                text.push_str(&format!(
                    "| {name} | {score:.1}% | {low:.1} to {high:.1} | {points:+.3} +- {points_error:.3} \
                     | {wins} / {draws} / {losses} |\n"
                ));
            }
        }
        text
    }
}

fn agreement_table(with: &str, rows: &[(&str, Agreement)]) -> String {
    let mut text = format!("\n| against {with} | positions | RMSE | correlation |\n|---|---|---|---|\n");
    for (name, Agreement { positions, rmse, correlation }) in rows {
        text.push_str(&format!("| {name} | {positions} | {rmse:.4} | {correlation:.4} |\n"));
    }
    text
}
