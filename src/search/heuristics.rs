//! Killer moves and the history heuristic (Schaeffer 1989).
//!
//! In a parallel search each worker learns from its own cutoffs only, so its heuristics depend on the
//! schedule.

use crate::game::Player;
use crate::search::answer::SearchError;
use crate::search::chance_node::Place;
use crate::search::plies::Depth;
use crate::search::request::MAX_MOVE_SLOTS;

/// A worker's killers and history.
#[derive(Debug)]
pub(super) struct Heuristics<M> {
    killers: Vec<[Option<M>; 2]>,
    /// The latest good move after each outcome, by its place, at each ply; as far as there are any.
    replies: Vec<Vec<Option<M>>>,
    history: [Vec<u32>; 2],
}

/// Of a chance node's outcomes so many have replies of their own.
const MOST_REPLIES: usize = 256;

impl<M: Copy + PartialEq> Heuristics<M> {
    /// Empty heuristics for this many plies and history slots. If there are too many slots, an error and no
    /// slots.
    pub(super) fn new(plies: usize, slots: usize) -> (Self, Result<(), SearchError>) {
        let (history, made) = match empty_histories(slots) {
            Ok(history) => (history, Ok(())),
            Err(error) => (Default::default(), Err(error)),
        };
        (Heuristics { killers: vec![[None; 2]; plies], replies: Vec::new(), history }, made)
    }

    /// Records that `mv` is good at this ply after the outcome at `place`. At nodes that other moves of the
    /// same decision lead to, the same outcome often has the same reply, where killers of other outcomes are
    /// not even possible.
    #[inline]
    pub(super) fn record_reply(&mut self, ply: u16, place: Place, mv: M) {
        let (ply, place) = (usize::from(ply), place as usize);
        if place >= MOST_REPLIES {
            return;
        }
        if self.replies.len() <= ply {
            self.replies.resize(ply + 1, Vec::new());
        }
        let replies = &mut self.replies[ply];
        if replies.len() <= place {
            replies.resize(place + 1, None);
        }
        replies[place] = Some(mv);
    }

    /// The latest good move at this ply after the outcome at `place`.
    #[inline]
    pub(super) fn reply(&self, ply: u16, place: Place) -> Option<M> {
        *self.replies.get(usize::from(ply))?.get(place as usize)?
    }

    /// Records that `mv` caused a cutoff at `ply`, with `depth` left.
    #[inline]
    pub(super) fn record_cutoff(&mut self, player: Player, ply: u16, depth: Depth, mv: M, slot: usize) {
        let killers = &mut self.killers[usize::from(ply)];
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
        credit(&mut self.history[player as usize], slot, depth);
    }

    /// Ranks the moves of `player` at this ply.
    #[inline]
    pub(super) fn ranking(&self, player: Player, ply: u16) -> Ranking<'_, M> {
        Ranking { killers: self.killers[usize::from(ply)], history: &self.history[player as usize] }
    }
}

/// A history for each player.
fn empty_histories(slots: usize) -> Result<[Vec<u32>; 2], SearchError> {
    check_move_slots(slots)?;
    let refused = |()| SearchError::Refused {
        what: format!("move_slots {slots}"),
        message: "the memory for them".to_owned(),
    };
    let history = || bytemuck::allocation::try_zeroed_vec(slots).map_err(refused);
    Ok([history()?, history()?])
}

/// Checks a game's number of move slots.
pub(crate) fn check_move_slots(slots: usize) -> Result<(), SearchError> {
    if slots <= MAX_MOVE_SLOTS { Ok(()) } else { Err(SearchError::MoveSlots { found: slots }) }
}

#[inline]
fn credit(history: &mut [u32], slot: usize, depth: Depth) {
    if let Some(entry) = history.get_mut(slot) {
        *entry = entry.saturating_add(u32::from(depth) * u32::from(depth));
    }
}

/// The killers of one ply and the history of one player.
#[derive(Debug)]
pub(super) struct Ranking<'h, M> {
    killers: [Option<M>; 2],
    history: &'h [u32],
}

impl<M: Copy + PartialEq> Ranking<'_, M> {
    /// A move's rank: the latest killer, the other killer, then by history.
    #[inline]
    pub(super) fn rank(&self, mv: M, slot: usize) -> i64 {
        if self.killers[0] == Some(mv) {
            i64::MAX
        } else if self.killers[1] == Some(mv) {
            i64::MAX - 1
        } else {
            self.history.get(slot).map_or(0, |&entry| i64::from(entry))
        }
    }
}
