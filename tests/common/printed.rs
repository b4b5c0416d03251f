//! Star2-TT as the paper prints it (Veness and Blair, Figure 4.1), to show in what it differs from ours. Each
//! of the first four points of `paper-notes.md` can be changed by itself, which shows that it is the cause of
//! what is different. Points 1 and 2 are faults, 3 loses knowledge, 4 is common practice.
//!
//! The figure leaves `negamax` and `negamax-probe` to the reader. Here they are fail-soft alpha-beta with the
//! table, and sound: what they store and return is proven as long as what the figure's part returns is.

use super::alternating::{Alternating, WIN};
use std::collections::HashMap;

/// The greatest and the least value.
const U: f64 = 1.0;
const L: f64 = -1.0;

/// The widest window: what a search in it returns ought to be exact.
pub(crate) const WIDEST: (f64, f64) = (L, U);

/// How many moves of each successor are probed.
const PROBING_FACTOR: usize = 1;

/// Which of the points are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repairs {
    /// Fault 1: after a search of a successor, only the bound that it proved is set.
    pub(crate) proven_bound_only: bool,
    /// Fault 2: the chance event is undone before successor probing returns (and before it stores).
    pub(crate) event_undone: bool,
    /// Point 3: what was proven is joined with the entry that narrowed the window.
    pub(crate) joined_with_entry: bool,
    /// Point 4: entries count at equal depth only.
    pub(crate) equal_depth: bool,
}

impl Repairs {
    pub(crate) const NONE: Repairs = Repairs {
        proven_bound_only: false,
        event_undone: false,
        joined_with_entry: false,
        equal_depth: false,
    };
    pub(crate) const ALL: Repairs =
        Repairs { proven_bound_only: true, event_undone: true, joined_with_entry: true, equal_depth: true };
}

/// A table entry: two bounds, each with the depth of the search that proved it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PrintedEntry {
    pub(crate) lbound: f64,
    pub(crate) ubound: f64,
    pub(crate) ldepth: u32,
    pub(crate) udepth: u32,
}

/// What was stored, for the judge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintedStore {
    pub(crate) position: u32,
    pub(crate) depth: u32,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

/// A chance event and what is known of the position after it.
#[derive(Clone, Copy, Debug)]
struct EventInfo {
    probability: f64,
    lower: f64,
    upper: f64,
}

/// A board on which moves and chance events are made and unmade.
#[derive(Clone, Debug)]
pub(crate) struct Board<'g> {
    game: &'g Alternating,
    pub(crate) position: u32,
    before: Vec<u32>,
}

impl<'g> Board<'g> {
    pub(crate) fn new(game: &'g Alternating, position: u32) -> Self {
        Board { game, position, before: Vec::new() }
    }

    /// Makes a move or a chance event. On a board left in the wrong place by fault 2 the number may be beyond
    /// what there is; then another is taken, or none.
    fn make(&mut self, number: usize) {
        self.before.push(self.position);
        let edges = &self.game.node(self.position).edges;
        if !edges.is_empty() {
            self.position = edges[number % edges.len()].0;
        }
    }

    fn unmake(&mut self) {
        self.position = self.before.pop().expect("something was made");
    }

    fn is_over(&self) -> bool {
        self.game.node(self.position).edges.is_empty()
    }

    /// A terminal's score or an evaluation.
    fn score(&self) -> f64 {
        f64::from(self.game.node(self.position).score) / f64::from(WIN)
    }
}

/// The printed search with its table, which is kept from one search to the next.
#[derive(Debug)]
pub(crate) struct Printed<'g> {
    pub(crate) board: Board<'g>,
    repairs: Repairs,
    table: HashMap<u32, PrintedEntry>,
    pub(crate) stores: Vec<PrintedStore>,
}

impl<'g> Printed<'g> {
    pub(crate) fn new(game: &'g Alternating, repairs: Repairs) -> Self {
        Printed { board: Board::new(game, 0), repairs, table: HashMap::new(), stores: Vec::new() }
    }

    /// Searches a chance node with the window from `alpha` to `beta`.
    pub(crate) fn search(&mut self, position: u32, depth: u32, (alpha, beta): (f64, f64)) -> f64 {
        self.board = Board::new(self.board.game, position);
        self.star2_tt(alpha, beta, depth)
    }

    /// What the table holds of a position.
    pub(crate) fn entry(&self, position: u32) -> Option<PrintedEntry> {
        self.table.get(&position).copied()
    }

    /// Puts an entry into the table.
    pub(crate) fn put(&mut self, position: u32, entry: PrintedEntry) {
        self.table.insert(position, entry);
    }

    fn retrieve(&self) -> Option<PrintedEntry> {
        self.table.get(&self.board.position).copied()
    }

    fn store(&mut self, depth: u32, lower: f64, upper: f64) {
        let position = self.board.position;
        self.table
            .insert(position, PrintedEntry { lbound: lower, ubound: upper, ldepth: depth, udepth: depth });
        self.stores.push(PrintedStore { position, depth, lower, upper });
    }

    /// Whether a bound proven at a depth serves a search to `depth`: as printed where it is at least as deep.
    fn serves(&self, stored: u32, depth: u32) -> bool {
        if self.repairs.equal_depth { stored == depth } else { stored >= depth }
    }

    /// Stores what the figure stores; with point 3 changed, joined with the node's entry. Gives both bounds.
    fn conclude(&mut self, depth: u32, cinfo: &[EventInfo], known: (f64, f64)) -> (f64, f64) {
        let (mut lower, mut upper) = (lb(cinfo), ub(cinfo));
        if self.repairs.joined_with_entry {
            (lower, upper) = (lower.max(known.0), upper.min(known.1));
        }
        self.store(depth, lower, upper);
        (lower, upper)
    }

    /// The figure.
    pub(crate) fn star2_tt(&mut self, mut alpha: f64, mut beta: f64, depth: u32) -> f64 {
        if self.board.is_over() || depth == 0 {
            return self.board.score();
        }
        let mut cinfo = self.chance_events();

        // Transposition cutoffs.
        let mut known = (L, U);
        if let Some(entry) = self.retrieve() {
            let (lower_serves, upper_serves) =
                (self.serves(entry.ldepth, depth), self.serves(entry.udepth, depth));
            if entry.ubound == entry.lbound && entry.udepth == entry.ldepth && upper_serves {
                return entry.ubound;
            }
            if lower_serves {
                if entry.lbound >= beta {
                    return entry.lbound;
                }
                alpha = alpha.max(entry.lbound);
                known.0 = entry.lbound;
            }
            if upper_serves {
                if entry.ubound <= alpha {
                    return entry.ubound;
                }
                beta = beta.min(entry.ubound);
                known.1 = entry.ubound;
            }
        }

        if let Some(value) = self.probe_successors_in_table(alpha, beta, depth, &mut cinfo, known) {
            return value;
        }
        if let Some(value) = self.star2_probing_phase(beta, depth, &mut cinfo, known) {
            return value;
        }
        self.star1_phase(alpha, beta, depth, &mut cinfo, known)
    }

    fn chance_events(&self) -> Vec<EventInfo> {
        let edges = &self.board.game.node(self.board.position).edges;
        let total: u32 = edges.iter().map(|(_, weight)| weight).sum();
        let event = |&(_, weight): &(u32, u32)| EventInfo {
            probability: f64::from(weight) / f64::from(total),
            lower: L,
            upper: U,
        };
        edges.iter().map(event).collect()
    }

    fn probe_successors_in_table(
        &mut self,
        alpha: f64,
        beta: f64,
        depth: u32,
        cinfo: &mut [EventInfo],
        known: (f64, f64),
    ) -> Option<f64> {
        for i in 0..cinfo.len() {
            self.board.make(i);
            if let Some(entry) = self.retrieve() {
                if self.serves(entry.ldepth, depth - 1) {
                    cinfo[i].lower = entry.lbound;
                    if lb(cinfo) >= beta {
                        self.leave_successor_probing();
                        return Some(self.conclude(depth, cinfo, known).0);
                    }
                }
                if self.serves(entry.udepth, depth - 1) {
                    cinfo[i].upper = entry.ubound;
                    if ub(cinfo) <= alpha {
                        self.leave_successor_probing();
                        return Some(self.conclude(depth, cinfo, known).1);
                    }
                }
            }
            self.board.unmake();
        }
        None
    }

    /// What the figure forgets.
    fn leave_successor_probing(&mut self) {
        if self.repairs.event_undone {
            self.board.unmake();
        }
    }

    fn star2_probing_phase(
        &mut self,
        beta: f64,
        depth: u32,
        cinfo: &mut [EventInfo],
        known: (f64, f64),
    ) -> Option<f64> {
        for i in 0..cinfo.len() {
            let cmax = child_max(cinfo, beta, i);
            let bx = U.min(cmax);
            self.board.make(i);
            let search_val = self.negamax(cinfo[i].lower, bx, depth - 1, PROBING_FACTOR);
            self.board.unmake();
            cinfo[i].lower = cinfo[i].lower.max(search_val);
            if search_val >= cmax {
                return Some(self.conclude(depth, cinfo, known).0);
            }
        }
        None
    }

    fn star1_phase(
        &mut self,
        alpha: f64,
        beta: f64,
        depth: u32,
        cinfo: &mut [EventInfo],
        known: (f64, f64),
    ) -> f64 {
        for i in 0..cinfo.len() {
            let cmin = child_min(cinfo, alpha, i);
            let cmax = child_max(cinfo, beta, i);
            let (ax, bx) = (L.max(cmin), U.min(cmax));
            self.board.make(i);
            let search_val = self.negamax(ax, bx, depth - 1, usize::MAX);
            self.board.unmake();
            if !self.repairs.proven_bound_only || search_val < cmax {
                cinfo[i].upper = search_val;
            }
            if !self.repairs.proven_bound_only || search_val > cmin {
                cinfo[i].lower = search_val;
            }
            if search_val >= cmax {
                return self.conclude(depth, cinfo, known).0;
            }
            if search_val <= cmin {
                return self.conclude(depth, cinfo, known).1;
            }
        }
        self.conclude(depth, cinfo, known).0
    }

    /// A decision node: the first `breadth` moves of it. With fewer than all, a value above `alpha` is a
    /// lower bound and any other says nothing.
    fn negamax(&mut self, alpha: f64, beta: f64, depth: u32, breadth: usize) -> f64 {
        if self.board.is_over() || depth == 0 {
            return self.board.score();
        }
        let mut known = (L, U);
        if let Some(entry) = self.retrieve() {
            if self.serves(entry.ldepth, depth) {
                known.0 = entry.lbound;
            }
            if self.serves(entry.udepth, depth) {
                known.1 = entry.ubound;
            }
        }
        if known.0 >= beta || known.0 == known.1 {
            return known.0;
        }
        if known.1 <= alpha {
            return known.1;
        }
        let (alpha, beta) = (alpha.max(known.0), beta.min(known.1));
        let moves = self.board.game.node(self.board.position).edges.len();
        let mut best = f64::NEG_INFINITY;
        for mv in 0..moves.min(breadth) {
            self.board.make(mv);
            best = best.max(-self.star2_tt(-beta, -alpha.max(best), depth - 1));
            self.board.unmake();
            if best >= beta {
                break;
            }
        }
        let lower = if best > alpha { best } else { known.0 };
        let upper = if best < beta && moves <= breadth { best } else { known.1 };
        self.store(depth, lower, upper);
        best
    }
}

fn lb(cinfo: &[EventInfo]) -> f64 {
    cinfo.iter().map(|event| event.probability * event.lower).sum()
}

fn ub(cinfo: &[EventInfo]) -> f64 {
    cinfo.iter().map(|event| event.probability * event.upper).sum()
}

fn child_min(cinfo: &[EventInfo], alpha: f64, i: usize) -> f64 {
    let EventInfo { probability, upper, .. } = cinfo[i];
    (alpha - ub(cinfo) + probability * upper) / probability
}

fn child_max(cinfo: &[EventInfo], beta: f64, i: usize) -> f64 {
    let EventInfo { probability, lower, .. } = cinfo[i];
    (beta - lb(cinfo) + probability * lower) / probability
}
