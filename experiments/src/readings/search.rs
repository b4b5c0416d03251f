//! Star1, Star2 and Star2-TT as the paper prints them (Figure 4.1), with a fail-soft negamax, written for the
//! readings alone: every search returns one value, which is a bound where it lies outside its window.

use crate::readings::form::{self, Counts, DecisionUse, Form, Order, ProbeOrder, Root};
use crate::readings::game::{FACES, PASS, ReadDice, Rolls, library_move, moves_of};
use crate::readings::ordering::{Heuristics, sort_by_rank};
use crate::readings::sums::Successors;
use crate::readings::table::{Entry, NO_MOVE, Proof, Table};
use starsplit::evaluator::{Before, Evaluator};
use starsplit::game::{Game, NodeKind, Step};
use starsplit::score::Score;
use starsplit::search::StopFlag;
use starsplit_games::Delay;
use starsplit_games::dice::{Dice, Position};
use std::cell::Cell;
use std::time::Instant;

/// An iteration that was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Iteration {
    /// To this depth.
    pub(super) depth: u8,
    /// The root's value.
    pub(super) score: Score,
    /// Everything since the search began.
    pub(super) counts: Counts,
}

/// The memory of a table, to be used by one search after another.
#[derive(Debug, Default)]
pub(super) struct Memory {
    entries: Vec<Entry>,
    age: u32,
}

/// What a search did.
#[derive(Debug)]
pub(super) struct Searched {
    /// Iteration by iteration.
    pub(super) iterations: Vec<Iteration>,
    /// Look-ups in the table.
    pub(super) look_ups: u64,
    /// Stores into it.
    pub(super) stores: u64,
    /// Wall time in nanoseconds.
    pub(super) wall_ns: u64,
}

/// How many chance nodes are entered between two looks at whether to stop.
const PATIENCE: u64 = 4096;

/// Searches `position` to `depth` in this form, from its roll or from the move after one, by iterative
/// deepening with an empty table; none where `stop` was raised before its end.
pub(super) fn search<E: Evaluator<Dice>>(
    form: &Form,
    game: &ReadDice,
    (evaluator, delay): (&E, Delay),
    (position, depth): (&Position, u8),
    memory: &mut Memory,
    stop: &StopFlag,
) -> Option<Searched> {
    let begun = Instant::now();
    let table = Table::of(form, std::mem::take(&mut memory.entries), memory.age + 1);
    let limit = game.dice.facts().grid.limit();
    let heuristics = Heuristics::new(form.order);
    let counts = Counts::default();
    let mut search = Search {
        form,
        game,
        evaluator,
        delay,
        limit,
        table,
        heuristics,
        counts,
        root_depth: 0,
        stop,
        is_stopped: false,
    };
    let state = evaluator.state(&game.dice, position, None);
    let root = Board { position: *position, state, evaluation: Cell::new(None) };
    let mut iterations = Vec::new();
    for depth in form::iterations(depth, form.step) {
        if form.is_cleared {
            search.table.clear();
        }
        search.root_depth = depth;
        let window = Window { alpha: -limit, beta: limit };
        let score = match form.root {
            Root::Chance => search.unrolled(&root, window, depth),
            Root::Decision => search.rolled(&search.first_roll(&root), window, depth, Moves::All).0,
        };
        iterations.push(Iteration { depth, score, counts: search.counts });
    }
    let is_stopped = search.is_stopped;
    let Table { look_ups, stores, .. } = search.table;
    (memory.entries, memory.age) = search.table.into_parts();
    let wall_ns = begun.elapsed().as_nanos() as u64;
    (!is_stopped).then_some(Searched { iterations, look_ups, stores, wall_ns })
}

/// A position before a roll, with what the evaluator carries along.
struct Board<S> {
    position: Position,
    state: S,
    /// Its evaluation, once it was made: it does not look at the roll, so that one serves all faces. Each use
    /// counts as one.
    evaluation: Cell<Option<Score>>,
}

/// A board whose die has named a face.
struct Rolled<'b, S> {
    board: &'b Board<S>,
    cells: u64,
    key: u64,
}

/// A chance node: the board, what may be rolled, and how deep it is searched.
struct ChanceNode<'b, S> {
    board: &'b Board<S>,
    rolls: Rolls,
    depth: u8,
}

/// Which moves of a decision node are searched.
#[derive(Clone, Copy)]
enum Moves {
    /// So many, in their order.
    First(u8),
    /// All of them.
    All,
    /// All but the one that was probed, whose exact value this is.
    Beside(Score, u8),
}

#[derive(Clone, Copy)]
struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    /// What a value that was returned has proven.
    fn proof(self, value: Score) -> Proof {
        match value {
            value if value <= self.alpha => Proof::Upper(value),
            value if value >= self.beta => Proof::Lower(value),
            value => Proof::Exact(value),
        }
    }
}

struct Search<'s, E> {
    form: &'s Form,
    game: &'s ReadDice,
    evaluator: &'s E,
    /// What every evaluation takes beyond what it needs.
    delay: Delay,
    /// U; L is its negative.
    limit: Score,
    table: Table,
    heuristics: Heuristics,
    counts: Counts,
    root_depth: u8,
    stop: &'s StopFlag,
    /// From then on nothing is entered, and whatever comes back is thrown away.
    is_stopped: bool,
}

impl<E: Evaluator<Dice>> Search<'_, E> {
    /// Enters a position before a roll.
    fn unrolled(&mut self, board: &Board<E::State>, window: Window, depth: u8) -> Score {
        if self.game.dice.kind(&board.position) == NodeKind::Terminal {
            self.counts.terminals += 1;
            return self.game.dice.terminal_score(&board.position);
        }
        if depth == 0 {
            return self.leaf(board);
        }
        self.counts.chances += 1;
        if self.counts.chances.is_multiple_of(PATIENCE) {
            self.is_stopped = self.stop.is_raised();
        }
        if self.is_stopped { 0 } else { self.chance(board, window, depth) }
    }

    fn leaf(&mut self, board: &Board<E::State>) -> Score {
        self.counts.leaves += 1;
        self.delay.pass();
        let evaluate = || self.evaluator.evaluate(&self.game.dice, &board.position, &board.state);
        let score = board.evaluation.get().unwrap_or_else(evaluate);
        board.evaluation.set(Some(score));
        score
    }

    /// The paper's `star2-TT`, and what is left of it without its parts.
    fn chance(&mut self, board: &Board<E::State>, mut window: Window, depth: u8) -> Score {
        let key = self.game.key(&board.position);
        let has_table = self.form.has_table_at_chance() && depth >= self.form.chance_from;
        if has_table
            && self.form.has_cutoffs
            && let Some(value) = self.look_up(key, &mut window, depth).0
        {
            return value;
        }
        let node = ChanceNode { board, rolls: self.game.rolls(&board.position), depth };
        let mut known = Successors::unknown(node.rolls.faces().len(), self.limit);
        let proof = self.proof_of(&node, window, has_table, &mut known);
        let (lower, upper) = (known.lower(), known.upper());
        if has_table {
            self.table.store_chance(key, depth, (lower, upper), proof);
        }
        let (Proof::Lower(value) | Proof::Upper(value) | Proof::Exact(value)) = proof;
        self.returned(value, window)
    }

    /// What the phases prove of a node, one after another until one has settled it.
    fn proof_of(
        &mut self,
        node: &ChanceNode<'_, E::State>,
        window: Window,
        has_table: bool,
        known: &mut Successors,
    ) -> Proof {
        if has_table
            && self.form.probes_successors
            && node.depth > 1
            && let Some(proof) = self.probe_successors(node, window, known)
        {
            return proof;
        }
        let mut probed = [None; FACES];
        if self.form.probing_factor > 0
            && (node.depth > 1 || self.form.probes_leaves)
            && let Some(proof) = self.probing_phase(node, window.beta, known, &mut probed)
        {
            return proof;
        }
        self.star1_phase(node, window, known, &probed)
    }

    /// The root with its roll.
    fn first_roll<'b>(&self, root: &'b Board<E::State>) -> Rolled<'b, E::State> {
        let (face, cells) = self.game.first_roll(&root.position);
        Rolled { board: root, cells, key: self.game.rolled_key(&root.position, face) }
    }

    fn successor<'b>(&self, node: &ChanceNode<'b, E::State>, i: usize) -> Rolled<'b, E::State> {
        let (face, cells) = node.rolls.faces()[i];
        Rolled { board: node.board, cells, key: self.game.rolled_key(&node.board.position, face) }
    }

    /// A value as a node with this window returns it.
    fn returned(&self, value: Score, window: Window) -> Score {
        if self.form.is_fail_hard { value.clamp(window.alpha, window.beta) } else { value }
    }

    /// What the table says of a node: its value where that settles it, else the window narrowed; and a move.
    fn look_up(&mut self, key: u64, window: &mut Window, depth: u8) -> (Option<Score>, u8) {
        let Some(entry) = self.table.look_up(key) else { return (None, NO_MOVE) };
        let value = self.settled_by(&entry, window, depth);
        self.counts.settled += u64::from(value.is_some());
        (value, entry.hint)
    }

    /// The paper's transposition cutoffs.
    fn settled_by(&self, entry: &Entry, window: &mut Window, depth: u8) -> Option<Score> {
        let (lower, upper) = entry.bounds(self.form.reuse, depth);
        if lower.is_some() && lower == upper {
            return lower;
        }
        if let Some(lower) = lower {
            if lower >= window.beta {
                return Some(lower);
            }
            window.alpha = window.alpha.max(lower);
        }
        if let Some(upper) = upper {
            if upper <= window.alpha {
                return Some(upper);
            }
            window.beta = window.beta.min(upper);
        }
        None
    }

    /// Successor probing (section III B).
    fn probe_successors(
        &mut self,
        node: &ChanceNode<'_, E::State>,
        window: Window,
        known: &mut Successors,
    ) -> Option<Proof> {
        for i in 0..node.rolls.faces().len() {
            let key = self.successor(node, i).key;
            let Some(entry) = self.table.look_up(key) else { continue };
            let (lower, upper) = entry.bounds(self.form.reuse, node.depth - 1);
            if let Some(lower) = lower {
                known.set_lower(i, lower);
                if known.lower() >= window.beta {
                    return Some(Proof::Lower(known.lower()));
                }
            }
            if let Some(upper) = upper {
                known.set_upper(i, upper);
                if known.upper() <= window.alpha {
                    return Some(Proof::Upper(known.upper()));
                }
            }
        }
        None
    }

    /// The Star2 probing phase. A window that is empty, as where a successor is known to be won, is not
    /// searched.
    fn probing_phase(
        &mut self,
        node: &ChanceNode<'_, E::State>,
        beta: Score,
        known: &mut Successors,
        probed: &mut [Option<(Score, u8)>; FACES],
    ) -> Option<Proof> {
        for (i, probed) in probed.iter_mut().enumerate().take(node.rolls.faces().len()) {
            let most = known.child_max(i, beta);
            let mut end = most.min(i64::from(self.limit)) as Score;
            if self.form.skips_known {
                end = end.min(known.upper[i]);
            }
            if known.lower[i] >= end {
                continue;
            }
            let window = Window { alpha: known.lower[i], beta: end };
            let moves = Moves::First(self.form.probing_factor);
            let (value, mv) = self.rolled(&self.successor(node, i), window, node.depth - 1, moves);
            let is_kept = self.form.keeps_probed && self.form.probing_factor == 1 && mv != NO_MOVE;
            *probed = is_kept.then_some((value, mv));
            known.set_lower(i, known.lower[i].max(value));
            if i64::from(value) >= most {
                return Some(Proof::Lower(known.lower()));
            }
        }
        None
    }

    /// The Star1 phase: the successors one after another. What is left at its end is exact.
    fn star1_phase(
        &mut self,
        node: &ChanceNode<'_, E::State>,
        alpha_beta: Window,
        known: &mut Successors,
        probed: &[Option<(Score, u8)>; FACES],
    ) -> Proof {
        for (i, probed) in probed.iter().enumerate().take(node.rolls.faces().len()) {
            let (lower, upper) = (known.lower[i], known.upper[i]);
            if self.form.skips_known && lower == upper {
                continue;
            }
            let least = known.child_min(i, alpha_beta.alpha);
            let most = known.child_max(i, alpha_beta.beta);
            let (mut alpha, mut beta) = (i64::from(-self.limit).max(least), i64::from(self.limit).min(most));
            if self.form.skips_known {
                (alpha, beta) = (alpha.max(i64::from(lower)), beta.min(i64::from(upper)));
            }
            let window = Window { alpha: alpha as Score, beta: beta as Score };
            let moves = probed.map_or(Moves::All, |(value, mv)| Moves::Beside(value, mv));
            let (value, _) = self.rolled(&self.successor(node, i), window, node.depth - 1, moves);
            let proof = if self.form.is_printed { Proof::Exact(value) } else { window.proof(value) };
            known.note(i, proof);
            if i64::from(value) >= most {
                return Proof::Lower(known.lower());
            }
            if i64::from(value) <= least {
                return Proof::Upper(known.upper());
            }
        }
        alpha_beta.proof(known.lower())
    }

    /// Enters a decision node, or a leaf: the paper's `negamax`, or `negamax-probe` with the most moves that
    /// it searches. Gives the value, and the best move where that is the exact value of it.
    fn rolled(
        &mut self,
        rolled: &Rolled<'_, E::State>,
        mut window: Window,
        depth: u8,
        searched: Moves,
    ) -> (Score, u8) {
        if depth == 0 {
            return (self.leaf(rolled.board), NO_MOVE);
        }
        self.counts.decisions += 1;
        let has_table = self.form.decision != DecisionUse::Off;
        let mut hint = NO_MOVE;
        if self.form.decision == DecisionUse::Cuts && depth >= self.form.decision_from {
            let (value, found) = self.look_up(rolled.key, &mut window, depth);
            if let Some(value) = value {
                return (value, NO_MOVE);
            }
            hint = found;
        } else if has_table {
            hint = self.table.look_up(rolled.key).map_or(NO_MOVE, |entry| entry.hint);
        }
        let (value, mv, is_whole) = self.best_of(rolled, window, depth, (searched, hint));
        if has_table {
            // "The score returned and stored by negamax-probe is only a lower bound."
            let proof = if is_whole { window.proof(value) } else { Proof::Lower(value) };
            self.table.store_decision(rolled.key, depth, proof, mv);
        }
        let is_exact = matches!(window.proof(value), Proof::Exact(_));
        (self.returned(value, window), if is_exact { mv } else { NO_MOVE })
    }

    /// The best of the moves to be searched, the table's own before them, which that is, and whether those
    /// were all or enough.
    fn best_of(
        &mut self,
        rolled: &Rolled<'_, E::State>,
        window: Window,
        depth: u8,
        (searched, hint): (Moves, u8),
    ) -> (Score, u8, bool) {
        let board = rolled.board;
        let (player, ply) = (board.position.to_act() as usize, self.root_depth - depth);
        let (mut moves, count) = moves_of(rolled.cells);
        let (most_moves, is_probe) = match searched {
            Moves::First(most) => (usize::from(most), true),
            Moves::All | Moves::Beside(..) => (count, false),
        };
        self.sort(&mut moves[..count], board, (hint, ply, depth), is_probe);
        let (mut best, mut best_move) = match searched {
            Moves::Beside(value, mv) => (value, mv),
            Moves::First(_) | Moves::All => (-self.limit - 1, NO_MOVE),
        };
        if best >= window.beta {
            return (best, best_move, true);
        }
        let known = best_move;
        for &mv in moves[..count].iter().take(most_moves).filter(|&&mv| mv != known) {
            let next = self.after(board, mv);
            let narrowed = Window { alpha: -window.beta, beta: -window.alpha.max(best) };
            let value = -self.unrolled(&next, narrowed, depth - 1);
            if value > best {
                (best, best_move) = (value, mv);
            }
            if best >= window.beta {
                self.heuristics.cut(mv, ply, player, depth);
                return (best, best_move, true);
            }
        }
        if best > window.alpha && best_move != NO_MOVE {
            self.heuristics.best(best_move, player, depth);
        }
        // Of moves that are all at most alpha none is known to be the best.
        (best, best_move, count <= most_moves)
    }

    /// Sorts the moves of a node, or of a probe.
    fn sort(
        &mut self,
        moves: &mut [u8],
        board: &Board<E::State>,
        (hint, ply, depth): (u8, u8, u8),
        is_probe: bool,
    ) {
        let probe_order = if is_probe { self.form.probe_order } else { ProbeOrder::Same };
        match (probe_order, self.form.order) {
            (ProbeOrder::Generation, _) => {}
            (ProbeOrder::Static, _) | (ProbeOrder::Same, Order::Static) => {
                self.sort_statically(moves, board, hint, depth);
            }
            (ProbeOrder::Same, _) => {
                self.heuristics.sort(moves, hint, ply, board.position.to_act() as usize);
            }
        }
    }

    /// Sorts moves by the evaluation of what they lead to, the table's first. Leaves are not evaluated for
    /// the sake of their order.
    fn sort_statically(&mut self, moves: &mut [u8], board: &Board<E::State>, hint: u8, depth: u8) {
        let mut values = [Score::MIN; PASS as usize + 1];
        if depth > 1 {
            for &mv in moves.iter() {
                values[usize::from(mv)] = -self.static_value(&self.after(board, mv));
            }
        }
        sort_by_rank(moves, |mv| if mv == hint { Score::MAX } else { values[usize::from(mv)] });
    }

    fn static_value(&mut self, board: &Board<E::State>) -> Score {
        let dice = &self.game.dice;
        if dice.kind(&board.position) == NodeKind::Terminal {
            return dice.terminal_score(&board.position);
        }
        self.counts.ordering += 1;
        self.delay.pass();
        self.evaluator.evaluate(dice, &board.position, &board.state)
    }

    fn after(&self, board: &Board<E::State>, mv: u8) -> Board<E::State> {
        let (dice, library_move) = (&self.game.dice, library_move(mv));
        let position = dice.play(&board.position, library_move);
        let before =
            Before { position: &board.position, state: &board.state, step: Step::Move(library_move) };
        let state = self.evaluator.state(dice, &position, Some(before));
        Board { position, state, evaluation: Cell::new(None) }
    }
}
