//! A game with only the best-looking moves at each decision node.

use crate::smaller::{also, positions_are_the_full_games};
use crate::{GameWrapper, forward};
use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Step, Texts};
use starsplit::score::Score;
use starsplit::unstable::NOT_A_NUMBER;
use std::cmp::Reverse;

/// The moves that share a call, as a guess.
const MOVES_IN_A_CALL: u64 = 8;

/// A game with the best moves of each decision node by a static evaluation: at most a given number, each
/// within a given margin of the best. The move filters of backgammon programs are like this.
///
/// A move's rank is its reward plus, for the mover, the evaluation of the position after it, or the
/// position's score if the game ends there. Moves come best first, equal ones in the order of the full game.
/// At least one is left.
///
/// Generating moves costs an evaluation of each, in one call where the evaluator has
/// [batches](starsplit::evaluator::Abilities::batches). The game says so
/// ([`successor_ns`](GameFacts::successor_ns)) where it and the ranking declare their prices, and a search
/// looks positions up rather than generate twice.
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
        let mut successors = Vec::new();
        full.moves(position, |mv| successors.push((mv, full.play(position, mv))));
        let evaluations = self.evaluations(position, &successors);
        let mover = full.player(position);
        let ranked = successors.into_iter().zip(evaluations).map(|((mv, after), evaluation)| {
            let (score, saturates) = match evaluation {
                Some(evaluation) => (evaluation, ranking_saturates),
                None => (full.terminal_score(&after), saturates),
            };
            let reward = if G::STEPS.rewards { full.reward(position, Step::Move(mv), &after) } else { 0 };
            let sign = if full.player(&after) == mover { 1 } else { -1 };
            (i64::from(reward) + rank(grid.limit(), saturates, sign * score), mv)
        });
        ranked.collect()
    }

    /// The evaluations of the positions after a position's moves; `None` where the game ends.
    ///
    /// # Panics
    /// If a call for many fails: the game has no error to tell. A search ends with one.
    fn evaluations(
        &self,
        position: &G::Position,
        successors: &[(G::Move, G::Position)],
    ) -> Vec<Option<Score>> {
        let TopMoves { full, ranking, .. } = self;
        let state = ranking.state(full, position, None);
        let goes_on = |after: &G::Position| full.kind(after) != NodeKind::Terminal;
        if !E::ABILITIES.batches {
            let evaluate = |(mv, after): &(G::Move, G::Position)| {
                goes_on(after).then(|| ranking.evaluate_after_move(full, &state, position, *mv, after))
            };
            return successors.iter().map(evaluate).collect();
        }
        let with_state = |(place, (mv, after)): (usize, &(G::Move, G::Position))| {
            let before = Before { position, state: &state, step: Step::Move(*mv) };
            goes_on(after).then(|| (place, ranking.state(full, after, Some(before))))
        };
        let states: Vec<_> = successors.iter().enumerate().filter_map(with_state).collect();
        let nodes: Vec<_> = states.iter().map(|(place, state)| (&successors[*place].1, state)).collect();
        let (mut scores, mut evaluations) = (vec![0; nodes.len()], vec![None; successors.len()]);
        if !nodes.is_empty() {
            ranking.evaluate_many(full, &nodes, &mut scores).unwrap_or_else(|error| panic!("{error}"));
        }
        for ((place, _), score) in states.iter().zip(scores) {
            evaluations[*place] = Some(score);
        }
        evaluations
    }

    /// What a move costs to generate, in nanoseconds, beside what it costs in the full game.
    fn ranking_ns(&self) -> u64 {
        let EvaluatorFacts { cost, .. } = self.ranking.facts(&self.full);
        let calls = if E::ABILITIES.batches { MOVES_IN_A_CALL } else { 1 };
        u64::from(cost.each_ns) + u64::from(cost.fixed_ns) / calls
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
        // What is declared in part would be taken for the whole.
        let is_declared = full.successor_ns > 0 && self.ranking.facts(&self.full).cost.is_declared();
        let successor_ns = if is_declared { u64::from(full.successor_ns) + self.ranking_ns() } else { 0 };
        let full = full.with_successor_ns(successor_ns.try_into().unwrap_or(u32::MAX));
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
