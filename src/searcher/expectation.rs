//! Expectations: means over the leaves of the tree of best play.

use super::{SearchRequest, WorkerOf};
use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Player, PositionHash, Step};
use crate::search::catch;
use crate::search::transposition;
use crate::search::{
    Depth, Expectation, MAX_DEPTH, Options, OptionsError, RootRanking, SearchError, choose_for_all,
    entry_depth, first_best_move, longest_path, root_depth,
};
use crate::sharing::{Successor, successor, successors};
use crate::table::{Reuse, Table};
use std::collections::HashMap;
use std::rc::Rc;

impl<G: Game, E: Evaluator<G>, T: Table, W> SearchRequest<'_, G, E, T, W> {
    /// The means of a payload over the leaves of the tree of best play: what a game comes to, beside its
    /// value. In backgammon it may be the shares of wins, gammons and backgammons. `None` where a limit or a
    /// stop ended it.
    ///
    /// The tree has all outcomes of its chance nodes, and at each decision node the first move, in the game's
    /// order, of those that are worth the node's value. Its leaves are the ends of the game, and the
    /// positions at depth 0. The depth is that of the limits: give it the depth of a result. `payload` writes
    /// the `size` numbers of a leaf, which are zero before. Leaves of one kind with the same
    /// [hash](Game::hash) are one: a payload may depend on nothing else. So a distribution of points needs
    /// the points in the position and in its hash; their mean is [`Expectation::rewards`].
    ///
    /// Where the payload is the evaluation, or the score of a terminal, for `Max`, its mean with the rewards
    /// is the value, up to half a step of the grid for each chance node on a line and for the leaf's
    /// evaluation. Where the evaluator saturates, clamp it. The tree, and the means to the last bit, are the
    /// same for every algorithm, table, number of threads and schedule.
    ///
    /// The calling thread finds the moves: it searches each decision node of the tree again, with the table.
    /// After a search of the position itself to this depth, while the table has its entries, it takes a small
    /// part of its nodes.
    ///
    /// # Errors
    /// As [`search`](SearchRequest::search); where the options reuse bounds of greater depths
    /// ([`Reuse::AtLeast`]), which makes a move the best that need not be; and where the game saturates, so
    /// that its value need not be a mean.
    ///
    /// # Examples
    /// ```
    /// # #[path = "../../examples/pig.rs"]
    /// # mod pig;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use starsplit::Searcher;
    /// # use starsplit::evaluator::Constant;
    /// # use starsplit::game::{Game, NodeKind, Player};
    /// # use starsplit::search::Limits;
    /// # use pig::under_way;
    /// # let (game, position) = under_way();
    /// let searcher = Searcher::builder(game.clone(), Constant::default()).limits(Limits::depth(8)).build()?;
    /// let result = searcher.search(&position)?;
    /// // How often has each player won after eight plies? A score is for the position's player.
    /// let request = searcher.request(&position).limits(Limits::depth(result.depth));
    /// let ended = request.expectation(2, |leaf, shares| {
    ///     if game.kind(leaf) == NodeKind::Terminal {
    ///         let max_wins = (game.terminal_score(leaf) > 0) == (game.player(leaf) == Player::Max);
    ///         shares[usize::from(!max_wins)] = 1.0;
    ///     }
    /// })?;
    /// let shares = ended.expect("no limit ended it").payload;
    /// assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn expectation(
        self,
        size: usize,
        mut payload: impl FnMut(&G::Position, &mut [f64]),
    ) -> Result<Option<Expectation>, SearchError> {
        catch(move || {
            let mut of_leaf = |leaf: &G::Position| {
                let mut numbers = zeros(size)?;
                payload(leaf, &mut numbers);
                Ok(numbers)
            };
            self.mean_of(size, &mut of_leaf)
        })?
    }

    /// The means of what a leaf has, `size` numbers.
    fn mean_of(
        self,
        size: usize,
        of_leaf: &mut NumbersOf<'_, G>,
    ) -> Result<Option<Expectation>, SearchError> {
        let (searcher, position) = (self.searcher, self.position);
        let facts = searcher.game.facts();
        self.check()?;
        self.check_means(facts.saturates)?;
        // Ranked, the best move of a search is the first of those of equal worth.
        let root_ranking = RootRanking::Best(1);
        let options = Options { root_ranking, ..self.options.for_game(&facts).into_owned() };
        let control = self.begin()?;
        let (depth, moves) = (root_depth(&searcher.game, position, &self.limits)?, self.asked_moves());
        searcher.by_one_worker((&control, &options, depth), moves, of_leaf, |worker, of_leaf| {
            choose_for_all(worker);
            let mut walk = Walk { worker, size, of_leaf, known: HashMap::new(), is_at_root: true };
            let root = walk.means(position, depth, longest_path::<G>(control.is_to_the_end()))?;
            let (positions, stats) = (walk.known.len() as u64, walk.worker.stats);
            Ok(root.map(|root| {
                let rewards = facts.grid.difference(1) * root.rewards;
                Expectation { payload: root.payload.clone(), rewards, positions, stats }
            }))
        })
    }

    /// Checks the options of a search for means.
    fn check_means(&self, saturates: bool) -> Result<(), SearchError> {
        let (what, found, expected) = match self.options.reuse {
            Reuse::AtLeast => ("reuse", Reuse::AtLeast.name(), Reuse::Exact.name()),
            Reuse::Exact if saturates => ("game", "that saturates", "values on the grid"),
            Reuse::Exact => return Ok(()),
        };
        let complaint = format!("expected {expected} for an expectation");
        Err(OptionsError::new(what, found, complaint).into())
    }
}

/// Gives the payload of a leaf.
type NumbersOf<'a, G> = dyn FnMut(&<G as Game>::Position) -> Result<Vec<f64>, SearchError> + 'a;

/// The means below a node.
struct Means {
    /// Of the sums of rewards, in steps of the grid, for `Max`.
    rewards: f64,
    payload: Vec<f64>,
}

impl Means {
    /// Adds the means after a step with this reward, which has this share of the whole.
    fn add(&mut self, share: f64, reward: f64, below: &Means) {
        self.rewards += share * (reward + below.rewards);
        for (own, other) in self.payload.iter_mut().zip(&below.payload) {
            *own += share * other;
        }
    }
}

/// As many zeros.
fn zeros(size: usize) -> Result<Vec<f64>, SearchError> {
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(size).map_err(|error| SearchError::Refused {
        what: format!("payload of {size} numbers"),
        message: format!("memory ({error})"),
    })?;
    numbers.resize(size, 0.0);
    Ok(numbers)
}

/// A walk through the tree of best play.
struct Walk<'w, 'a, G: Game, E: Evaluator<G>, T: Table> {
    worker: &'w mut WorkerOf<'a, G, E, T>,
    size: usize,
    of_leaf: &'w mut NumbersOf<'w, G>,
    /// The means of the positions met so far, by kind and the depth of an entry.
    known: HashMap<(PositionHash, NodeKind, u8), Rc<Means>>,
    /// Before the first step.
    is_at_root: bool,
}

impl<G: Game, E: Evaluator<G>, T: Table> Walk<'_, '_, G, E, T> {
    /// The means below a position at this depth; `None` where the search is halted. A path has at most `left`
    /// more steps.
    fn means(
        &mut self,
        position: &G::Position,
        depth: Depth,
        left: u32,
    ) -> Result<Option<Rc<Means>>, SearchError> {
        let game = self.worker.game;
        let kind = game.kind(position);
        let is_leaf = depth == 0 || kind == NodeKind::Terminal;
        // Above leaves, values may depend on the positions before, down to this depth.
        let hash =
            if is_leaf { game.hash(position) } else { game.hash_to_depth(position, entry_depth(depth)) };
        let key = (hash, kind, transposition::entry_depth(self.worker, depth));
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(Rc::clone(known)));
        }
        self.worker.report_nodes();
        if self.worker.is_halted() {
            return Ok(None);
        }
        let means = if is_leaf {
            if kind != NodeKind::Terminal && self.worker.near_leaves.to_the_end {
                return Err(SearchError::NotTheEnd);
            }
            self.worker.stats.nodes.leaf += 1;
            Means { rewards: 0.0, payload: (self.of_leaf)(position)? }
        } else {
            let mut means = Means { rewards: 0.0, payload: zeros(self.size)? };
            let nearer = depth.min(MAX_DEPTH as Depth);
            let Some(steps) = self.steps(position, (kind, depth, entry_depth(nearer)))? else {
                return Ok(None);
            };
            let left = left.checked_sub(1).ok_or(SearchError::PathLength)?;
            let total: f64 = steps.iter().map(|step| f64::from(step.edge.weight())).sum();
            let sign = if game.player(position) == Player::Max { 1.0 } else { -1.0 };
            for Successor { position, depth: after, edge } in &steps {
                let after = depth - nearer + Depth::from(*after);
                let Some(below) = self.means(position, after, left)? else { return Ok(None) };
                means.add(f64::from(edge.weight()) / total, sign * f64::from(edge.reward()), &below);
            }
            means
        };
        let means = Rc::new(means);
        self.known.insert(key, Rc::clone(&means));
        Ok(Some(means))
    }

    /// The successors of a node in the tree of best play: all of a chance node, one of a decision node.
    fn steps(
        &mut self,
        position: &G::Position,
        (kind, depth, told): (NodeKind, Depth, u8),
    ) -> Result<Option<Vec<Successor<G::Position>>>, SearchError> {
        let game = self.worker.game;
        let is_root = std::mem::take(&mut self.is_at_root);
        if kind == NodeKind::Chance {
            self.worker.stats.nodes.chance += 1;
            return successors(game, position, told).map(Some);
        }
        let best = first_best_move(self.worker, position, depth, is_root);
        best.map(|mv| successor(game, position, told, (Step::Move(mv), 1)).map(|one| vec![one])).transpose()
    }
}
