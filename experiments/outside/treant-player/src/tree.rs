//! EinStein and what its positions are worth, as treant wants them.

use anyhow::Result;
use starsplit::evaluator::{Evaluator, mix64};
use starsplit::game::{Game, NodeKind, Player};
use starsplit_games::einstein::network::Network;
use starsplit_games::einstein::{Einstein, Move, Outcome, Position};
use std::sync::Arc;
use treant::tree_policy::UCTPolicy;
use treant::{GameState, MCTS, MCTSManager, SearchHandle};

/// A tree that grows from a position.
pub type Tree = MCTSManager<Search>;

/// How many nodes a tree has at most, some gigabytes: it is grown no more then.
const MOST_NODES: usize = 10_000_000;

/// A tree of the root alone.
pub fn rooted(game: &Arc<Einstein>, position: Position, leaves: Leaves, exploration: f64) -> Tree {
    let policy = UCTPolicy::new(exploration * f64::from(game.facts().grid.limit()));
    MCTSManager::new(State { game: Arc::clone(game), position }, Search, leaves, policy, ())
}

/// The move that was tried most often.
pub fn best_move(tree: &Tree) -> Option<Move> {
    match tree.best_move()? {
        Step::Move(mv) => Some(mv),
        Step::Outcome(_) => None,
    }
}

/// How trees are grown: without treant's solver, to which a roll that wins and one that loses make a draw.
pub struct Search;

impl MCTS for Search {
    type State = State;
    type Eval = Leaves;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = Bits;

    fn node_limit(&self) -> usize {
        MOST_NODES
    }

    fn rng_seed(&self) -> Option<u64> {
        Some(1)
    }

    /// A node for each roll, since moves depend on it.
    fn closed_loop_chance(&self) -> bool {
        true
    }
}

/// What leads from a position to the next.
#[derive(Clone, Copy)]
pub enum Step {
    Move(Move),
    Outcome(Outcome),
}

/// A position with its game.
#[derive(Clone)]
pub struct State {
    game: Arc<Einstein>,
    position: Position,
}

impl GameState for State {
    type Move = Step;
    type Player = Player;
    type MoveList = Vec<Step>;

    fn current_player(&self) -> Player {
        self.game.player(&self.position)
    }

    fn available_moves(&self) -> Vec<Step> {
        moves(&self.game, &self.position).into_iter().map(Step::Move).collect()
    }

    fn make_move(&mut self, step: &Step) {
        self.position = match *step {
            Step::Move(mv) => self.game.play(&self.position, mv),
            Step::Outcome(outcome) => self.game.resolve(&self.position, outcome),
        };
    }

    fn chance_outcomes(&self) -> Option<Vec<(Step, f64)>> {
        if self.game.kind(&self.position) != NodeKind::Chance {
            return None;
        }
        let outcomes = outcomes(&self.game, &self.position);
        let all: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
        let share = |(outcome, weight)| (Step::Outcome(outcome), f64::from(weight) / f64::from(all));
        Some(outcomes.into_iter().map(share).collect())
    }
}

fn moves(game: &Einstein, position: &Position) -> Vec<Move> {
    let mut moves = Vec::with_capacity(6);
    game.moves(position, |mv| moves.push(mv));
    moves
}

fn outcomes(game: &Einstein, position: &Position) -> Vec<(Outcome, u32)> {
    let mut outcomes = Vec::with_capacity(6);
    game.outcomes(position, |outcome, weight| outcomes.push((outcome, weight)));
    outcomes
}

/// Random bits, one after another.
#[derive(Default)]
pub struct Bits(u64);

impl Bits {
    fn below(&mut self, bound: usize) -> usize {
        self.0 += 1;
        ((u128::from(mix64(self.0)) * bound as u128) >> 64) as usize
    }
}

/// What a leaf is worth.
#[derive(Clone)]
pub enum Leaves {
    /// What the network says of it; where there are moves, of the best of them.
    Network(Arc<Network>),
    /// What a game comes to in which all moves are drawn.
    Rollouts,
}

impl Leaves {
    /// The one of that name.
    pub fn named(name: &str, game: &Einstein) -> Result<Self> {
        if name == "rollouts" {
            return Ok(Leaves::Rollouts);
        }
        Ok(Leaves::Network(Arc::new(starsplit_games::network::named(game, name)?)))
    }

    /// For the player of the position, in steps of the grid.
    fn worth(&self, game: &Einstein, position: &Position, bits: &mut Bits) -> i64 {
        let score = match (game.kind(position), self) {
            (NodeKind::Terminal, _) => game.terminal_score(position),
            (_, Leaves::Rollouts) => rollout(game, *position, bits),
            (NodeKind::Chance, Leaves::Network(network)) => {
                network.evaluate(game, position, &network.state(game, position, None))
            }
            (NodeKind::Decision, Leaves::Network(network)) => best_after(game, position, network),
        };
        i64::from(score)
    }
}

/// What the network says of the best move.
fn best_after(game: &Einstein, position: &Position, network: &Network) -> i32 {
    let state = network.state(game, position, None);
    let after_move = |mv| {
        let after = game.play(position, mv);
        -match game.kind(&after) {
            NodeKind::Terminal => game.terminal_score(&after),
            _ => network.evaluate_after_move(game, &state, position, mv, &after),
        }
    };
    moves(game, position).into_iter().map(after_move).max().unwrap_or_default()
}

/// What a game at random comes to.
fn rollout(game: &Einstein, position: Position, bits: &mut Bits) -> i32 {
    let mut now = position;
    loop {
        now = match game.kind(&now) {
            NodeKind::Terminal => break,
            NodeKind::Chance => {
                // All are equally likely.
                let outcomes = outcomes(game, &now);
                game.resolve(&now, outcomes[bits.below(outcomes.len())].0)
            }
            NodeKind::Decision => {
                let moves = moves(game, &now);
                game.play(&now, moves[bits.below(moves.len())])
            }
        };
    }
    let score = game.terminal_score(&now);
    if game.player(&now) == game.player(&position) { score } else { -score }
}

impl treant::Evaluator<Search> for Leaves {
    /// For the first player, in steps of the grid.
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        State { game, position }: &State,
        moves: &Vec<Step>,
        mut handle: Option<SearchHandle<'_, Search>>,
    ) -> (Vec<()>, i64) {
        // The root has no bits of its own, nor does its worth count.
        let mut none = Bits::default();
        let bits = handle.as_mut().map_or(&mut none, |handle| &mut handle.thread_data().extra_data);
        let worth = self.worth(game, position, bits);
        let player = game.player(position);
        (vec![(); moves.len()], self.interpret_evaluation_for_player(&worth, &player))
    }

    /// Only ended games are met again as leaves.
    fn evaluate_existing_state(&self, _: &State, worth: &i64, _: SearchHandle<'_, Search>) -> i64 {
        *worth
    }

    fn interpret_evaluation_for_player(&self, worth: &i64, player: &Player) -> i64 {
        if *player == Player::Max { *worth } else { -worth }
    }
}
