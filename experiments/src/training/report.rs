//! What is said of trained weights: strength in matches, and distance from exact values.

use super::learner::Trainer;
use super::options::Options;
use super::play::{Greedy, Uniform, evaluation};
use super::quality::{self, Agreement};
use super::strength::{Match, play_match};
use anyhow::Result;
use serde::Serialize;
use starsplit::game::Game;
use starsplit_games::dice::{Dice, Network, RunCount};

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
    /// The mean squared difference between a position's value and the mean of the values one roll and move
    /// later, in each tenth of the training games.
    pub losses: Vec<f64>,
    /// The quantised network, playing greedily, against uniformly random moves.
    pub against_random: Option<Match>,
    /// The quantised network against the run-count heuristic, both playing greedily.
    pub against_run_count: Option<Match>,
    /// The run-count heuristic against random moves, for comparison.
    pub run_count_against_random: Option<Match>,
    /// Agreement with exact values on held-out late positions; none where the rules allow no exact values.
    pub agreement: Option<Agreements>,
    /// Agreement of evaluations with searches to depth [`quality::DEEP`] that use the quantised network.
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

/// Measures the weights of `trainer`.
///
/// # Errors
/// When the weights cannot be used.
pub fn measure(trainer: &Trainer, effort: TrainingEffort) -> Result<TrainingReport> {
    let dice = trainer.dice();
    let network = Greedy { evaluator: Network::new(dice, trainer.weights())?, explore: 0.0 };
    let run_count = Greedy { evaluator: RunCount, explore: 0.0 };
    let match_of = |player, opponent, number| {
        (effort.matches > 0)
            .then(|| play_match(dice, player, opponent, effort.matches, effort.seed.wrapping_add(number)))
    };
    let has_exact = dice.full_depth(&dice.initial()).is_some() && effort.held_out > 0;
    Ok(TrainingReport {
        options: trainer.options().clone(),
        losses: trainer.losses(),
        against_random: match_of(&network, &Uniform, 0),
        against_run_count: match_of(&network, &run_count, 1),
        run_count_against_random: match_of(&run_count, &Uniform, 2),
        agreement: if has_exact { Some(agreements(trainer, &network.evaluator, effort)?) } else { None },
        deep: if effort.held_out > 0 {
            Some(deep_agreements(dice, &network.evaluator, effort)?)
        } else {
            None
        },
    })
}

fn deep_agreements(dice: &Dice, network: &Network, effort: TrainingEffort) -> Result<DeepAgreements> {
    let searched = quality::searched(dice, network, effort.seed, effort.held_out)?;
    Ok(DeepAgreements {
        network: quality::agreement(&searched, |position| evaluation(dice, network, position)),
        run_count: quality::agreement(&searched, |position| evaluation(dice, &RunCount, position)),
    })
}

fn agreements(trainer: &Trainer, network: &Network, effort: TrainingEffort) -> Result<Agreements> {
    let dice = trainer.dice();
    let exact = quality::held_out(dice, effort.seed, effort.held_out)?;
    let start = Trainer::new(trainer.options().clone())?;
    let float = |trainer: &Trainer| {
        quality::agreement(&exact, |position| f64::from(trainer.weights().forward(dice, position).value))
    };
    Ok(Agreements {
        before: float(&start),
        after: float(trainer),
        quantised: quality::agreement(&exact, |position| evaluation(dice, network, position)),
        run_count: quality::agreement(&exact, |position| evaluation(dice, &RunCount, position)),
    })
}

impl TrainingReport {
    /// The report as a table in Markdown.
    pub fn table(&self) -> String {
        let mut text =
            String::from("| match | score | 95% interval | won / drawn / lost |\n|---|---|---|---|\n");
        let matches = [
            ("network - random", &self.against_random),
            ("network - run count", &self.against_run_count),
            ("run count - random", &self.run_count_against_random),
        ];
        for (name, result) in matches {
            if let Some(Match { wins, draws, losses, score, low, high }) = result {
                let [score, low, high] = [score, low, high].map(|share| 100.0 * share);
                let line = format!(
                    "| {name} | {score:.1}% | {low:.1} to {high:.1} | {wins} / {draws} / {losses} |\n"
                );
                text.push_str(&line);
            }
        }
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
}

fn agreement_table(with: &str, rows: &[(&str, Agreement)]) -> String {
    let mut text = format!("\n| against {with} | positions | RMSE | correlation |\n|---|---|---|---|\n");
    for (name, Agreement { positions, rmse, correlation }) in rows {
        text.push_str(&format!("| {name} | {positions} | {rmse:.4} | {correlation:.4} |\n"));
    }
    text
}
