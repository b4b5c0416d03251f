//! The best moves of a position with their values, or each roll with its value and the reply to it.

use crate::question::door::{Answer, AnySearcher, Entry};
use crate::question::typed::as_deep_as;
use serde_json::{Value, json};
use starsplit::game::Step;
use starsplit::score::{Bounds, Grid};
use starsplit::search::{Limits, RootMove, RootOutcome};

/// The moves or the rolls of a root, for its player.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    grid: Grid,
    /// How many moves are told with their values.
    top: usize,
    of: Of,
}

#[derive(Clone, Debug)]
enum Of {
    Moves(Vec<RootMove<String>>),
    Rolls(Vec<RootOutcome<String, String>>),
}

impl Ranked {
    /// Those of a search. Rolls are searched for, to the depth that it reached, within its limits anew.
    ///
    /// # Errors
    /// When the search for rolls fails.
    pub(crate) fn new(
        searcher: &dyn AnySearcher,
        position: &Entry,
        (answer, limits): (&Answer, &Limits),
        top: u64,
    ) -> anyhow::Result<Self> {
        let of = if answer.best_move.is_some() {
            Of::Moves(answer.root_moves.clone())
        } else {
            Of::Rolls(searcher.outcomes(position, &as_deep_as(limits, answer.depth))?)
        };
        Ok(Ranked { grid: searcher.grid(), top: top.try_into().unwrap_or(usize::MAX), of })
    }

    /// The moves with their values, and those of which bounds are known alone.
    fn split<'r>(&self, moves: &'r [RootMove<String>]) -> (&'r [RootMove<String>], &'r [RootMove<String>]) {
        let exact = moves.iter().take(self.top).take_while(|ranked| ranked.bounds.is_exact()).count();
        moves.split_at(exact)
    }

    fn value(&self, bounds: Bounds) -> f64 {
        self.grid.value(bounds.lower)
    }

    /// The lines for people: a name and what it says.
    pub(crate) fn lines(&self) -> Vec<(String, String)> {
        match &self.of {
            Of::Moves(moves) => {
                let (best, others) = self.split(moves);
                let named = |(place, ranked): (usize, &RootMove<String>)| {
                    (format!("{}.", place + 1), format!("{:+.4}  {}", self.value(ranked.bounds), ranked.mv))
                };
                let most = others.iter().map(|ranked| ranked.bounds.upper).max();
                let rest = most.map(|most| {
                    let most = self.grid.value(most);
                    ("others".to_owned(), format!("{} moves, worth at most {most:+.4}", others.len()))
                });
                best.iter().enumerate().map(named).chain(rest).collect()
            }
            Of::Rolls(rolls) => {
                let weights: f64 = rolls.iter().map(|roll| f64::from(roll.weight)).sum();
                let named = |roll: &RootOutcome<String, String>| {
                    let share = 100.0 * f64::from(roll.weight) / weights;
                    let reply = reply(roll).map_or_else(String::new, |reply| format!("  {reply}"));
                    let value = if roll.depth == 0 {
                        "no value".to_owned()
                    } else {
                        format!("{:+.4}", self.value(roll.bounds))
                    };
                    (roll.outcome.clone(), format!("{value}  {share:.1}%{reply}"))
                };
                rolls.iter().map(named).collect()
            }
        }
    }

    /// The same as JSON.
    pub(crate) fn json(&self) -> Value {
        match &self.of {
            Of::Moves(moves) => {
                let told = |ranked: &RootMove<String>| {
                    let value = ranked.bounds.is_exact().then(|| self.value(ranked.bounds));
                    let Bounds { lower, upper } = ranked.bounds;
                    json!({ "move": ranked.mv, "value": value, "lower": lower, "upper": upper })
                };
                moves.iter().map(told).collect()
            }
            Of::Rolls(rolls) => rolls
                .iter()
                .map(|roll| {
                    let value = (roll.depth > 0).then(|| self.value(roll.bounds));
                    let Bounds { lower, upper } = roll.bounds;
                    json!({
                        "roll": roll.outcome, "weight": roll.weight, "value": value, "lower": lower,
                        "upper": upper, "reply": reply(roll),
                    })
                })
                .collect(),
        }
    }
}

/// The move that follows a roll.
fn reply(roll: &RootOutcome<String, String>) -> Option<&str> {
    match roll.pv.first()? {
        Step::Move(text) => Some(text),
        Step::Outcome(_) => None,
    }
}
