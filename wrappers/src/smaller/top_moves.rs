//! A game with only the best-looking moves at each decision node.

use crate::smaller::{also, positions_are_the_full_games};
use crate::{GameWrapper, forward};
use starsplit::evaluator::{Evaluator, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Step, Texts};
use starsplit::score::{NOT_A_NUMBER, Score};
use std::cmp::Reverse;

/// A game with the best moves of each decision node by a static evaluation: at most a given number, each
/// within a given margin of the best. The move filters of backgammon programs are like this.
///
/// A move's rank is its reward plus, for the mover, the evaluation of the position after it, or the
/// position's score if the game ends there. Moves come best first, equal ones in the order of the full game.
/// At least one is left.
///
/// Generating moves costs an evaluation of each.
#[derive(Clone, Copy, Debug)]
pub struct TopMoves<G, E> {
    full: G,
    ranking: E,
    most: Option<u32>,
    margin: Option<Score>,
}

impl<G: Game, E: Evaluator<G>> TopMoves<G, E> {
    /// `full` with the `most` best moves by `ranking`, at least one. A margin, in steps of the grid, keeps
    /// only those no further behind the best. With neither, the game is `full` and nothing is ranked.
    pub fn new(full: G, ranking: E, most: Option<u32>, margin: Option<Score>) -> Self {
        let (most, margin) = (most.map(|most| most.max(1)), margin.map(|margin| margin.max(0)));
        TopMoves { full, ranking, most, margin }
    }

    fn keeps_all(&self) -> bool {
        self.most.is_none() && self.margin.is_none()
    }

    /// All moves with their ranks.
    fn ranked(&self, position: &G::Position) -> Vec<(i64, G::Move)> {
        let TopMoves { full, ranking, .. } = self;
        let GameFacts { grid, saturates, .. } = full.facts();
        let ranking_saturates = saturates || ranking.facts(full).saturates;
        let (mover, state) = (full.player(position), ranking.state(full, position, None));
        let mut ranked = Vec::new();
        full.moves(position, |mv| {
            let after = full.play(position, mv);
            let (score, saturates) = match full.kind(&after) {
                NodeKind::Terminal => (full.terminal_score(&after), saturates),
                NodeKind::Decision | NodeKind::Chance => {
                    (ranking.evaluate_after_move(full, &state, position, mv, &after), ranking_saturates)
                }
            };
            let reward = if G::STEPS.rewards { full.reward(position, Step::Move(mv), &after) } else { 0 };
            let sign = if full.player(&after) == mover { 1 } else { -1 };
            ranked.push((i64::from(reward) + rank(grid.limit(), saturates, sign * score), mv));
        });
        ranked
    }

    /// The moves that are kept, best first. Compiled once, whatever takes them.
    fn best_moves(&self, position: &G::Position) -> Vec<G::Move> {
        let mut ranked = self.ranked(position);
        ranked.sort_by_key(|&(rank, _)| Reverse(rank)); // stable: equals stay in the full game's order
        let best = ranked.first().map_or(0, |&(best, _)| best);
        let most = self.most.map_or(usize::MAX, |most| most as usize);
        let least = self.margin.map_or(i64::MIN, |margin| best - i64::from(margin));
        ranked.into_iter().take(most).filter(|&(rank, _)| rank >= least).map(|(_, mv)| mv).collect()
    }
}

/// The rank of a score for the mover. A score that breaks the contract ranks first, so that a search without
/// pruning also finds it.
fn rank(limit: Score, saturates: bool, score: Score) -> i64 {
    let is_number = score.unsigned_abs() != NOT_A_NUMBER.unsigned_abs();
    let is_first = !is_number || !saturates && !(-limit..=limit).contains(&score);
    i64::from(if is_first { NOT_A_NUMBER } else { score.clamp(-limit, limit) })
}

impl<G: Game, E: Evaluator<G>> GameWrapper for TopMoves<G, E> {
    positions_are_the_full_games!();

    fn identity(&self) -> u64 {
        if self.keeps_all() {
            return self.full.identity();
        }
        let margin = self.margin.map_or(u64::MAX, |margin| margin as u64);
        let own =
            mix64(self.ranking.facts(&self.full).identity ^ mix64(margin)) ^ self.most.map_or(0, u64::from);
        mix64(mix64(self.full.identity() ^ 0x746f_706d_6f76_6573) ^ own)
    }

    fn facts(&self) -> GameFacts {
        let full = self.full.facts();
        if self.keeps_all() {
            return full;
        }
        let within = match self.margin {
            Some(margin) => {
                format!(" within {:.4} of the best", full.grid.value(margin) - full.grid.value(0))
            }
            None => String::new(),
        };
        let best = self.most.map_or_else(|| "moves".to_owned(), |most| format!("the {most} best moves"));
        also(full, format!("{best} by evaluation{within}"))
    }

    fn moves(&self, position: &G::Position, push: impl FnMut(G::Move)) {
        if self.keeps_all() {
            self.full.moves(position, push);
        } else {
            self.best_moves(position).into_iter().for_each(push);
        }
    }
}

forward! { impl<G: Game, E: Evaluator<G>> Game for TopMoves<G, E> }
forward! { impl<G: Texts, E: Evaluator<G>> Texts for TopMoves<G, E> }
