//! The order of moves: "a combination of transposition tables, the killer move heuristic and the history
//! heuristic" (section V).

use crate::readings::game::PASS;

/// What was learnt from cutoffs.
#[derive(Debug)]
pub(super) struct Heuristics {
    is_used: bool,
    /// Two a ply.
    killers: [[u8; 2]; 256],
    /// By player and cell.
    history: Box<[[u64; PASS as usize + 1]; 2]>,
}

impl Heuristics {
    /// Nothing yet; and for good unless they are used.
    pub(super) fn new(is_used: bool) -> Self {
        Heuristics { is_used, killers: [[u8::MAX; 2]; 256], history: Box::new([[0; PASS as usize + 1]; 2]) }
    }

    /// Sorts moves: the table's, the ply's killers, then by history; among equals as they were.
    pub(super) fn sort(&self, moves: &mut [u8], hint: u8, ply: u8, player: usize) {
        let [first, second] = self.killers[usize::from(ply)];
        let rank = |mv: u8| match mv {
            mv if mv == hint => u64::MAX,
            mv if mv == first => u64::MAX - 1,
            mv if mv == second => u64::MAX - 2,
            mv => self.history[player][usize::from(mv)],
        };
        // By insertion: there are a handful.
        for end in 1..moves.len() {
            let mut at = end;
            while at > 0 && rank(moves[at]) > rank(moves[at - 1]) {
                moves.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    /// The move has cut a node of this depth.
    pub(super) fn cut(&mut self, mv: u8, ply: u8, player: usize, depth: u8) {
        if !self.is_used {
            return;
        }
        let killers = &mut self.killers[usize::from(ply)];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        self.history[player][usize::from(mv)] += u64::from(depth).pow(2);
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
        let mut learnt = Heuristics::new(true);
        learnt.cut(4, 8, 0, 3);
        learnt.cut(3, 2, 0, 1);
        assert_eq!(sorted(&learnt), [5, 3, 4, 1, 2]);
        learnt.cut(2, 2, 0, 1);
        assert_eq!(sorted(&learnt), [5, 2, 3, 4, 1], "the newest killer first");
        let mut nothing = Heuristics::new(false);
        nothing.cut(4, 2, 0, 3);
        assert_eq!(sorted(&nothing), [5, 1, 2, 3, 4]);
    }
}
