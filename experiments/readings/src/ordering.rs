//! The order of moves: "a combination of transposition tables, the killer move heuristic and the history
//! heuristic" (section V).

use crate::form::Order;
use crate::game::PASS;
use std::cmp::Reverse;

/// Moves: the cells and the pass.
const MOVES: usize = PASS as usize + 1;

/// What was learnt from cutoffs.
#[derive(Debug)]
pub(crate) struct Heuristics {
    order: Order,
    /// Two a ply.
    killers: [[u8; 2]; 256],
    /// How often each move cut at a ply.
    cuts: Box<[[u32; MOVES]; 256]>,
    /// By player and cell.
    history: Box<[[u64; MOVES]; 2]>,
}

impl Heuristics {
    /// Nothing yet; and for good where moves have another order.
    pub(crate) fn new(order: Order) -> Self {
        let (cuts, history) = (Box::new([[0; MOVES]; 256]), Box::new([[0; MOVES]; 2]));
        Heuristics { order, killers: [[u8::MAX; 2]; 256], cuts, history }
    }

    /// Sorts moves: the table's, the ply's killers, then by history; among equals as they were.
    pub(crate) fn sort(&self, moves: &mut [u8], hint: u8, ply: u8, player: usize) {
        let [first, second] = self.killers[usize::from(ply)];
        let rank = |mv: u8| match mv {
            mv if mv == hint => u64::MAX,
            mv if mv == first => u64::MAX - 1,
            mv if mv == second => u64::MAX - 2,
            mv => self.history[player][usize::from(mv)],
        };
        moves.sort_by_key(|&mv| Reverse(rank(mv)));
    }

    /// The move has cut a node of this depth.
    pub(crate) fn cut(&mut self, mv: u8, ply: u8, player: usize, depth: u8) {
        let (at, history) = (usize::from(ply), &mut self.history[player][usize::from(mv)]);
        let killers = &mut self.killers[at];
        match self.order {
            Order::Generation | Order::Static => {}
            Order::Heuristics => {
                if killers[0] != mv {
                    *killers = [mv, killers[0]];
                }
                *history += u64::from(depth).pow(2);
            }
            Order::Counted => {
                let cuts = &mut self.cuts[at];
                cuts[usize::from(mv)] += 1;
                let often = |killer: u8| cuts.get(usize::from(killer)).copied().unwrap_or(0);
                let [first, second] = *killers;
                if often(mv) > often(first) && mv != first {
                    *killers = [mv, first];
                } else if often(mv) > often(second) && mv != first {
                    killers[1] = mv;
                }
                *history += 1 << depth;
            }
        }
    }

    /// The move is the best of a node of this depth that it has not cut.
    pub(crate) fn best(&mut self, mv: u8, player: usize, depth: u8) {
        if self.order == Order::Counted {
            self.history[player][usize::from(mv)] += 1 << depth;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_s_move_comes_first_then_killers_then_history() {
        let sorted = |heuristics: &Heuristics| {
            let mut moves = [1, 2, 3, 4, 5];
            heuristics.sort(&mut moves, 5, 2, 0);
            moves
        };
        let mut learnt = Heuristics::new(Order::Heuristics);
        learnt.cut(4, 8, 0, 3);
        learnt.cut(3, 2, 0, 1);
        assert_eq!(sorted(&learnt), [5, 3, 4, 1, 2]);
        learnt.cut(2, 2, 0, 1);
        assert_eq!(sorted(&learnt), [5, 2, 3, 4, 1], "the newest killer first");
        let mut nothing = Heuristics::new(Order::Generation);
        nothing.cut(4, 2, 0, 3);
        assert_eq!(sorted(&nothing), [5, 1, 2, 3, 4]);
        let mut counted = Heuristics::new(Order::Counted);
        for mv in [3, 3, 4] {
            counted.cut(mv, 2, 0, 1);
        }
        assert_eq!(sorted(&counted), [5, 3, 4, 1, 2], "the killer that cut most often first");
        counted.cut(4, 2, 0, 1);
        assert_eq!(sorted(&counted), [5, 3, 4, 1, 2], "as often does not replace");
        counted.best(2, 0, 5);
        assert_eq!(sorted(&counted), [5, 3, 4, 2, 1], "the best of a node has history");
    }
}
