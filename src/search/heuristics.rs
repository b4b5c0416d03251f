//! Killer moves and the history heuristic: which moves cut elsewhere (Schaeffer 1989).

use crate::game::Player;

/// What one worker has learnt about moves during one search.
#[derive(Debug)]
pub(super) struct Heuristics<M> {
    killers: Vec<[Option<M>; 2]>,
    history: [Vec<u32>; 2],
}

impl<M: Copy + PartialEq> Heuristics<M> {
    /// Nothing learnt yet, for `plies` plies and `slots` history slots.
    pub(super) fn new(plies: usize, slots: usize) -> Self {
        Heuristics { killers: vec![[None; 2]; plies], history: [vec![0; slots], vec![0; slots]] }
    }

    /// Takes note that `mv` cut at `ply` with `depth` plies below it.
    #[inline]
    pub(super) fn record_cutoff(&mut self, player: Player, ply: u8, depth: u8, mv: M, slot: usize) {
        let killers = &mut self.killers[usize::from(ply)];
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
        if let Some(entry) = self.history[player as usize].get_mut(slot) {
            *entry = entry.saturating_add(u32::from(depth) * u32::from(depth));
        }
    }

    /// The move's rank among moves at this ply: killers first, the latest before the other, then by history.
    #[inline]
    pub(super) fn rank(&self, player: Player, ply: u8, mv: M, slot: usize) -> i64 {
        let killers = &self.killers[usize::from(ply)];
        if killers[0] == Some(mv) {
            i64::MAX
        } else if killers[1] == Some(mv) {
            i64::MAX - 1
        } else {
            self.history[player as usize].get(slot).map_or(0, |&entry| i64::from(entry))
        }
    }
}
