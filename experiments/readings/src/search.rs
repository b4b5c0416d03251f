//! Star1, Star2 and Star2-TT as the paper prints them (Figure 4.1), with a fail-soft negamax, written for the
//! readings alone: every search returns one value, which is a bound where it lies outside its window. Beside
//! them Expectimax, which is counted rather than searched where nothing depends on what came before.

use crate::form::{Counts, DecisionUse, Form, NodeCount, Order};
use crate::game::{FACES, Face, ReadDice, library_move, moves_of};
use crate::ordering::Heuristics;
use crate::sums::{Successors, rounded};
use crate::table::{Bounds, NO_MOVE, Table};
use starsplit::evaluator::{Before, Evaluator};
use starsplit::game::{Game, NodeKind, Step};
use starsplit::score::Score;
use starsplit::search::{Algorithm, StopFlag};
use starsplit_games::Delay;
use starsplit_games::dice::{Dice, Network, Position};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Instant;

/// An iteration that was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The root's value.
    pub score: Score,
    /// Everything since the search began.
    pub counts: Counts,
}

/// What a search did.
#[derive(Debug)]
pub struct Searched {
    /// Iteration by iteration.
    pub iterations: Vec<Iteration>,
    /// Look-ups in the table.
    pub look_ups: u64,
    /// Stores into it.
    pub stores: u64,
    /// Wall time in nanoseconds.
    pub wall_ns: u64,
}

impl Searched {
    /// The nodes until each iteration was complete.
    pub fn nodes(&self, count: NodeCount) -> Vec<u64> {
        let counts = self.iterations.iter().map(|iteration| iteration.counts);
        let earlier = std::iter::once(Counts::default()).chain(counts.clone());
        counts.zip(earlier).map(|(all, earlier)| count.of(all, earlier)).collect()
    }
}

/// Searches `position` to `depth` in this form, from its roll or from the move after one, by iterative
/// deepening with an empty table; none where `stop` was raised before its end. Every evaluation takes `delay`
/// longer than it has to.
pub fn search(
    form: &Form,
    game: &ReadDice,
    (network, delay): (&Network, Delay),
    root: (&Position, u8),
    table: &mut Table,
    stop: &StopFlag,
) -> Option<Searched> {
    search_with(form, game, (network, delay), root, table, stop)
}

/// As [`search`], with any evaluator.
pub(crate) fn search_with<E: Evaluator<Dice>>(
    form: &Form,
    game: &ReadDice,
    (evaluator, delay): (&E, Delay),
    (position, depth): (&Position, u8),
    table: &mut Table,
    stop: &StopFlag,
) -> Option<Searched> {
    let begun = Instant::now();
    table.begin(form);
    let (limit, counts, found) = (game.dice.facts().grid.limit(), Counts::default(), HashMap::new());
    let (heuristics, root_depth) = (Heuristics::new(form.order), 0);
    let mut search =
        Search { form, game, evaluator, delay, limit, table, found, heuristics, counts, root_depth, stop };
    let root = search.board(*position, None);
    let iterations = form.iterations(depth).map(|depth| search.iteration(&root, depth)).collect();
    let Table { look_ups, stores, .. } = *search.table;
    let wall_ns = begun.elapsed().as_nanos() as u64;
    (!stop.is_raised()).then_some(Searched { iterations, look_ups, stores, wall_ns })
}

/// What Expectimax knows a node by, and its depth.
type Key = (u64, u8);

/// A position before a roll, with what the evaluator carries along.
struct Board<S> {
    position: Position,
    state: S,
    /// Its evaluation, once it was made: it does not look at the roll, so that one serves all faces. Each use
    /// counts as one.
    evaluation: Cell<Option<Score>>,
}

/// A chance node: the board, what may be rolled, what is asked of it, and what is known of its successors.
struct ChanceNode<'b, S> {
    board: &'b Board<S>,
    faces: Vec<Face>,
    asked: Asked,
    known: Successors,
    /// The exact values of moves that were probed, where they are kept.
    probed: [Option<(Score, u8)>; FACES],
}

/// Which moves of a decision node are searched.
#[derive(Clone, Copy, PartialEq)]
enum Moves {
    /// The first in their order: a probe.
    First,
    /// All of them.
    All,
    /// All but the one that was probed, whose exact value this is.
    Beside(Score, u8),
}

/// What is asked of a node: its value in a window, to a depth.
#[derive(Clone, Copy)]
struct Asked {
    alpha: Score,
    beta: Score,
    depth: u8,
}

impl Asked {
    /// What a value that was returned has proven: itself within the window, else a bound.
    fn proof(self, value: Score) -> Bounds {
        let is_upper = value <= self.alpha || value < self.beta;
        ((value > self.alpha).then_some(value), is_upper.then_some(value))
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
    table: &'s mut Table,
    /// What Expectimax has found, and what it would visit to find it once more, by key and depth.
    found: HashMap<Key, (Score, Counts)>,
    heuristics: Heuristics,
    counts: Counts,
    root_depth: u8,
    /// Once it is raised nothing is entered, and whatever comes back is thrown away.
    stop: &'s StopFlag,
}

impl<E: Evaluator<Dice>> Search<'_, E> {
    fn iteration(&mut self, root: &Board<E::State>, depth: u8) -> Iteration {
        if self.form.is_cleared {
            self.table.clear();
        }
        self.root_depth = depth;
        let asked = Asked { alpha: -self.limit, beta: self.limit, depth };
        let score = if self.form.is_rolled {
            self.rolled(root, self.game.first_roll(&root.position), asked, Moves::All).0
        } else {
            self.unrolled(root, asked)
        };
        Iteration { score, counts: self.counts }
    }

    /// Enters a position before a roll.
    fn unrolled(&mut self, board: &Board<E::State>, asked: Asked) -> Score {
        if self.game.dice.kind(&board.position) == NodeKind::Terminal {
            self.counts.terminals += 1;
            return self.game.dice.terminal_score(&board.position);
        }
        if asked.depth == 0 {
            self.counts.leaves += 1;
            return self.evaluation(board);
        }
        self.counts.chances += 1;
        match self.form.algorithm {
            _ if self.stop.is_raised() => 0,
            Algorithm::Expectimax => self.mean(board, asked),
            _ => self.chance(board, asked),
        }
    }

    fn evaluation(&self, board: &Board<E::State>) -> Score {
        self.delay.pass();
        let evaluate = || self.evaluator.evaluate(&self.game.dice, &board.position, &board.state);
        let score = board.evaluation.get().unwrap_or_else(evaluate);
        board.evaluation.set(Some(score));
        score
    }

    /// The value of a chance node by Expectimax.
    fn mean(&mut self, board: &Board<E::State>, asked: Asked) -> Score {
        // What is below a node that may be in the table depends on what was searched before.
        let is_counted = !self.form.has_expectimax_table || asked.depth <= self.form.decision_from;
        let key = (self.game.key(&board.position), asked.depth);
        self.remembered(is_counted.then_some(key), |search| {
            let before = search.counts;
            let faces = search.game.faces(&board.position);
            let below = Asked { depth: asked.depth - 1, ..asked };
            let value = |&face: &Face| search.rolled(board, face, below, Moves::All).0;
            let sum = faces.iter().map(value).map(i64::from).sum();
            (rounded(sum, faces.len()), search.counts.joined(before, |after, before| after - before))
        })
    }

    /// The value of a decision node by Expectimax. With a table it returns at once from a node that it finds.
    fn greatest(&mut self, board: &Board<E::State>, (face, cells): Face, asked: Asked) -> Score {
        let has_table = self.form.has_expectimax_table && asked.depth >= self.form.decision_from;
        let key = (self.game.rolled_key(&board.position, face), asked.depth);
        self.remembered(has_table.then_some(key), |search| {
            let below = Asked { depth: asked.depth - 1, ..asked };
            let value = |mv| -search.unrolled(&search.after(board, mv), below);
            let best = moves_of(cells).into_iter().map(value).max().unwrap_or_default();
            (best, Counts { settled: 1, ..Counts::default() })
        })
    }

    /// What Expectimax found here before, or finds now with what is to be counted when it comes here again.
    fn remembered(&mut self, key: Option<Key>, search: impl FnOnce(&mut Self) -> (Score, Counts)) -> Score {
        if let Some(&(score, counts)) = key.and_then(|key| self.found.get(&key)) {
            self.counts = self.counts.joined(counts, |one, two| one + two);
            return score;
        }
        let found = search(self);
        self.found.extend(key.map(|key| (key, found)));
        found.0
    }

    /// The paper's `star2-TT`, and what is left of it without its parts.
    fn chance(&mut self, board: &Board<E::State>, mut asked: Asked) -> Score {
        let (form, key, depth) = (self.form, self.game.key(&board.position), asked.depth);
        let has_table = form.algorithm == Algorithm::Star2Tt && depth >= form.chance_from;
        if has_table
            && !form.lacks_cutoffs
            && let Some(value) = self.look_up(key, &mut asked).0
        {
            return value;
        }
        let faces = self.game.faces(&board.position);
        let known = Successors::unknown(faces.len(), self.limit);
        let mut node = ChanceNode { board, faces, asked, known, probed: [None; FACES] };
        let mut settled = None;
        if has_table && !form.lacks_probing && depth > 1 {
            settled = self.probe_successors(&mut node);
        }
        if settled.is_none() && form.algorithm != Algorithm::Star1 && (depth > 1 || form.probes_leaves) {
            settled = self.probing_phase(&mut node);
        }
        let value = settled.unwrap_or_else(|| self.star1_phase(&mut node));
        if has_table {
            let both = (Some(node.known.lower()), Some(node.known.upper()));
            let proof = if form.holds_one_bound { asked.proof(value) } else { both };
            self.table.store(key, depth, proof, NO_MOVE);
        }
        self.returned(value, asked)
    }

    /// A value as a node of which this is asked returns it.
    fn returned(&self, value: Score, asked: Asked) -> Score {
        if self.form.is_fail_hard { value.clamp(asked.alpha, asked.beta) } else { value }
    }

    /// What the table says of a node, by the paper's transposition cutoffs: its value where that settles it,
    /// else the window narrowed; and a move.
    fn look_up(&mut self, key: u64, asked: &mut Asked) -> (Option<Score>, u8) {
        let entry = self.table.look_up(key);
        let (lower, upper) = entry.bounds(asked.depth, self.form.takes_deeper);
        let Asked { alpha, beta, .. } = *asked;
        asked.alpha = alpha.max(lower.unwrap_or(alpha));
        asked.beta = beta.min(upper.unwrap_or(beta));
        let is_settled = lower.is_some_and(|lower| lower >= beta || upper == Some(lower));
        let value = if is_settled { lower } else { upper.filter(|&upper| upper <= asked.alpha) };
        self.counts.settled += u64::from(value.is_some());
        (value, entry.hint)
    }

    /// Successor probing (section III B).
    fn probe_successors(&mut self, node: &mut ChanceNode<'_, E::State>) -> Option<Score> {
        for (i, &(face, _)) in node.faces.iter().enumerate() {
            let entry = self.table.look_up(self.game.rolled_key(&node.board.position, face));
            let (lower, upper) = entry.bounds(node.asked.depth - 1, self.form.takes_deeper);
            let known = &mut node.known;
            known.lower[i] = lower.unwrap_or(known.lower[i]);
            if lower.is_some() && known.lower() >= node.asked.beta {
                return Some(known.lower());
            }
            known.upper[i] = upper.unwrap_or(known.upper[i]);
            if upper.is_some() && known.upper() <= node.asked.alpha {
                return Some(known.upper());
            }
        }
        None
    }

    /// ChildMin and ChildMax of a successor, and what is asked of it: its value between those, on the grid,
    /// and where known bounds narrow windows between them.
    fn asked_of(&self, node: &ChanceNode<'_, E::State>, i: usize) -> (i64, i64, Asked) {
        let (known, limit) = (&node.known, i64::from(self.limit));
        let least = known.child_min(i, node.asked.alpha);
        let most = known.child_max(i, node.asked.beta);
        let (mut alpha, mut beta) = (least.max(-limit), most.min(limit));
        if self.form.skips_known {
            (alpha, beta) = (alpha.max(i64::from(known.lower[i])), beta.min(i64::from(known.upper[i])));
        }
        let asked = Asked { alpha: alpha as Score, beta: beta as Score, depth: node.asked.depth - 1 };
        (least, most, asked)
    }

    /// The Star2 probing phase. A window that is empty, as where a successor is known to be won, is not
    /// searched.
    fn probing_phase(&mut self, node: &mut ChanceNode<'_, E::State>) -> Option<Score> {
        for i in 0..node.faces.len() {
            let (_, most, asked) = self.asked_of(node, i);
            let asked = Asked { alpha: node.known.lower[i], ..asked };
            if asked.alpha >= asked.beta {
                continue;
            }
            let (value, mv) = self.rolled(node.board, node.faces[i], asked, Moves::First);
            if self.form.keeps_probed && mv != NO_MOVE {
                node.probed[i] = Some((value, mv));
            }
            node.known.lower[i] = asked.alpha.max(value);
            if i64::from(value) >= most {
                return Some(node.known.lower());
            }
        }
        None
    }

    /// The Star1 phase: the successors one after another. What is left at its end is exact.
    fn star1_phase(&mut self, node: &mut ChanceNode<'_, E::State>) -> Score {
        for i in 0..node.faces.len() {
            if self.form.skips_known && node.known.lower[i] == node.known.upper[i] {
                continue;
            }
            let (least, most, asked) = self.asked_of(node, i);
            let moves = node.probed[i].map_or(Moves::All, |(value, mv)| Moves::Beside(value, mv));
            let (value, _) = self.rolled(node.board, node.faces[i], asked, moves);
            let exact = (Some(value), Some(value));
            node.known.note(i, if self.form.is_printed { exact } else { asked.proof(value) });
            if i64::from(value) >= most {
                return node.known.lower();
            }
            if i64::from(value) <= least {
                return node.known.upper();
            }
        }
        node.known.lower()
    }

    /// Enters a decision node, or a leaf: the paper's `negamax`, or `negamax-probe`. Gives the value, and the
    /// best move where that is the exact value of it.
    fn rolled(&mut self, board: &Board<E::State>, face: Face, mut asked: Asked, moves: Moves) -> (Score, u8) {
        let (form, depth) = (self.form, asked.depth);
        if depth == 0 {
            return (self.unrolled(board, asked), NO_MOVE);
        }
        self.counts.decisions += 1;
        if form.algorithm == Algorithm::Expectimax {
            return (self.greatest(board, face, asked), NO_MOVE);
        }
        let key = self.game.rolled_key(&board.position, face.0);
        let (settled, hint) = match form.decision {
            DecisionUse::Off => (None, NO_MOVE),
            DecisionUse::Cuts if depth >= form.decision_from => self.look_up(key, &mut asked),
            DecisionUse::Hints | DecisionUse::Cuts => (None, self.table.look_up(key).hint),
        };
        if let Some(value) = settled {
            return (value, NO_MOVE);
        }
        let mut order = moves_of(face.1);
        self.sort(&mut order, board, (hint, depth), moves == Moves::First);
        let (value, mv) = self.best_of(board, &order, asked, moves);
        if form.decision != DecisionUse::Off {
            // "The score returned and stored by negamax-probe is only a lower bound."
            let is_whole = moves != Moves::First || order.len() == 1 || value >= asked.beta;
            let proof = if is_whole { asked.proof(value) } else { (Some(value), None) };
            self.table.store(key, depth, proof, mv);
        }
        let is_exact = matches!(asked.proof(value), (Some(_), Some(_)));
        (self.returned(value, asked), if is_exact { mv } else { NO_MOVE })
    }

    /// The best of the moves to be searched, and which that is.
    fn best_of(&mut self, board: &Board<E::State>, order: &[u8], asked: Asked, moves: Moves) -> (Score, u8) {
        let (mut best, mut best_move) = match moves {
            Moves::Beside(value, mv) => (value, mv),
            Moves::First | Moves::All => (-self.limit - 1, NO_MOVE),
        };
        let (player, ply) = (board.position.to_act() as usize, self.root_depth - asked.depth);
        let searched = if moves == Moves::First { &order[..1] } else { order };
        if best >= asked.beta {
            return (best, best_move);
        }
        let known = best_move;
        for &mv in searched.iter().filter(|&&mv| mv != known) {
            let narrowed = Asked { alpha: -asked.beta, beta: -asked.alpha.max(best), depth: asked.depth - 1 };
            let value = -self.unrolled(&self.after(board, mv), narrowed);
            if value > best {
                (best, best_move) = (value, mv);
            }
            if best >= asked.beta {
                self.heuristics.cut(mv, ply, player, asked.depth);
                return (best, best_move);
            }
        }
        // Of moves that are all at most alpha none is known to be the best.
        if best > asked.alpha && best_move != NO_MOVE {
            self.heuristics.best(best_move, player, asked.depth);
        }
        (best, best_move)
    }

    /// Sorts the moves of a node, or of a probe: the table's first, and then, where evaluations order them,
    /// by that of what they lead to. Leaves are not evaluated for the sake of their order.
    fn sort(&mut self, moves: &mut [u8], board: &Board<E::State>, (hint, depth): (u8, u8), is_probe: bool) {
        let probe_order = self.form.probe_order.filter(|_| is_probe);
        match probe_order.unwrap_or(self.form.order) {
            Order::Generation if probe_order.is_some() => {}
            Order::Static => {
                let mut value = |mv| if depth > 1 { -self.static_value(&self.after(board, mv)) } else { 0 };
                let values: Vec<_> = moves.iter().map(|&mv| (mv, (mv == hint, value(mv)))).collect();
                let rank = |mv: u8| values.iter().find(|&&(of, _)| of == mv).map(|&(_, rank)| rank);
                moves.sort_by_key(|&mv| Reverse(rank(mv)));
            }
            Order::Generation | Order::Heuristics | Order::Counted => {
                let (ply, player) = (self.root_depth - depth, board.position.to_act() as usize);
                self.heuristics.sort(moves, hint, ply, player);
            }
        }
    }

    fn static_value(&mut self, board: &Board<E::State>) -> Score {
        let dice = &self.game.dice;
        if dice.kind(&board.position) == NodeKind::Terminal {
            return dice.terminal_score(&board.position);
        }
        self.counts.ordering += 1;
        self.evaluation(board)
    }

    fn after(&self, board: &Board<E::State>, mv: u8) -> Board<E::State> {
        let (position, state, mv) = (&board.position, &board.state, library_move(mv));
        let before = Before { position, state, step: Step::Move(mv) };
        self.board(self.game.dice.play(position, mv), Some(before))
    }

    fn board(&self, position: Position, before: Option<Before<'_, Dice, E::State>>) -> Board<E::State> {
        let state = self.evaluator.state(&self.game.dice, &position, before);
        Board { position, state, evaluation: Cell::new(None) }
    }
}
