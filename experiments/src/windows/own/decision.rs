//! Decision nodes: fail-soft alpha-beta, with null windows after the first move where that is asked for.

use super::search::{Breadth, Edge, OwnSearch};
use super::table::NodeKey;
use starsplit::game::{Game, NodeKind, Player, Step};
use starsplit::score::{Bounds, Score, Window};
use std::cmp::Reverse;

/// The least depth of a node whose moves are ranked by static evaluation.
const STATIC_DEPTH: u8 = 4;

/// What was found of a node's moves so far.
struct Tried {
    greatest: Bounds,
    best: Option<u16>,
}

impl<G: Game> OwnSearch<'_, G> {
    /// Searches a decision node that the table has not settled: its bounds, and its best move's number.
    pub(super) fn decision(
        &mut self,
        position: &G::Position,
        (node, depth): (&NodeKey, u8),
        window: Window,
        breadth: Breadth,
    ) -> (Bounds, Option<u16>) {
        let mut moves = Vec::new();
        self.game.moves(position, |mv| moves.push((moves.len() as u16, mv)));
        let hint = self.proven.hint(node, depth).map(usize::from).filter(|&hint| hint < moves.len());
        if let Some(hint) = hint {
            moves[..=hint].rotate_right(1);
        }
        let mut tried = Tried { greatest: Bounds::exactly(-self.limit), best: None };
        for place in 0..moves.len() {
            if place == usize::from(hint.is_some()) {
                self.rank(position, depth, &mut moves[place..]);
            }
            let (ordinal, mv) = moves[place];
            let floor = window.alpha.max(tried.greatest.lower);
            let found = self.search_move(position, (depth, mv), Window::new(floor, window.beta), place > 0);
            if found.lower > tried.greatest.lower || tried.best.is_none() {
                tried.best = Some(ordinal);
            }
            let Bounds { lower, upper } = tried.greatest;
            tried.greatest = Bounds::new(lower.max(found.lower), upper.max(found.upper));
            let is_cut = tried.greatest.lower >= window.beta;
            if is_cut {
                self.note_cut(self.game.player(position), depth, mv);
            }
            let is_last = place + 1 == moves.len();
            if is_cut || breadth == Breadth::First || self.is_halted {
                if !is_last || self.is_halted {
                    tried.greatest.upper = self.limit; // what was not tried may be worth anything
                }
                break;
            }
        }
        (tried.greatest, tried.best)
    }

    /// Searches what a move leads to: what it is worth to the mover.
    fn search_move(
        &mut self,
        position: &G::Position,
        (depth, mv): (u8, G::Move),
        window: Window,
        is_later: bool,
    ) -> Bounds {
        let after = self.game.play(position, mv);
        let edge = self.edge_of(position, mv, &after);
        let (below, known) = ((&after, depth - 1), self.possible(edge));
        let null = Window::new(window.alpha, window.alpha + 1);
        if !self.inner.has_null_moves || !is_later || depth == 1 || null == window {
            return self.search_edge(edge, below, (window, known), Breadth::All);
        }
        self.counts.narrowed += 1;
        let found = self.search_edge(edge, below, (null, known), Breadth::All);
        if window.is_settled_by(found) || self.is_halted {
            return found;
        }
        self.counts.re_searches += 1;
        self.search_edge(edge, below, (window, found), Breadth::All)
    }

    fn edge_of(&self, position: &G::Position, mv: G::Move, after: &G::Position) -> Edge {
        let reward = if G::STEPS.rewards { self.game.reward(position, Step::Move(mv), after) } else { 0 };
        Edge { mover: self.game.player(position), reward: self.on_edge(reward) }
    }

    /// Brings the moves that look best to the front; of equal ones the first generated.
    fn rank(&mut self, position: &G::Position, depth: u8, moves: &mut [(u16, G::Move)]) {
        if moves.len() < 2 {
            return;
        }
        let mut ranked = Vec::with_capacity(moves.len());
        for &(ordinal, mv) in moves.iter() {
            let rank = match depth {
                STATIC_DEPTH.. => self.look_of(position, mv),
                _ => self.history_of(self.game.player(position), mv),
            };
            ranked.push((Reverse(rank), ordinal, mv));
        }
        ranked.sort_by_key(|&(rank, ordinal, _)| (rank, ordinal));
        for (place, (_, ordinal, mv)) in moves.iter_mut().zip(ranked) {
            *place = (ordinal, mv);
        }
    }

    /// What a move looks like: the end of the game in the mover's favour, or its reward and the evaluation.
    fn look_of(&mut self, position: &G::Position, mv: G::Move) -> i64 {
        let after = self.game.play(position, mv);
        let edge = self.edge_of(position, mv, &after);
        let is_over = self.game.kind(&after) == NodeKind::Terminal;
        let score: Score = if is_over { self.game.terminal_score(&after) } else { self.evaluate(&after) };
        let sign = if self.game.player(&after) == edge.mover { 1 } else { -1 };
        let seen = sign * i64::from(score);
        if is_over && seen > 0 { i64::MAX } else { i64::from(edge.reward) + seen }
    }

    fn history_of(&self, player: Player, mv: G::Move) -> i64 {
        let cuts = self.history[player as usize].get(self.game.move_slot(mv));
        cuts.map_or(0, |&cuts| i64::try_from(cuts).unwrap_or(i64::MAX))
    }

    fn note_cut(&mut self, player: Player, depth: u8, mv: G::Move) {
        if let Some(cuts) = self.history[player as usize].get_mut(self.game.move_slot(mv)) {
            *cuts += u64::from(depth) * u64::from(depth);
        }
    }
}
