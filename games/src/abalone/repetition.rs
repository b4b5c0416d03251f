//! Positions that come again, where the rules say that this is a draw.
//!
//! A marble that is pushed off never comes back, so nothing before that comes again. How many plies lead back
//! at least follows from how many fields either player's marbles differ in, since a ply changes few of them:
//! one's own in two fields along a line and in four or six sideways, the other's in two by a push, which
//! moves one's own along a line.

use super::{Abalone, Move, Position};
use starsplit::game::{Player, PositionHash};
use starsplit_wrappers::repetition::Past;

/// What ends a game beside marbles and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    /// Nothing: positions may come again.
    None,
    /// A position that comes again is a draw.
    Draw,
}

impl Repetition {
    pub(super) const ALL: [(&str, Repetition); 2] = [("none", Repetition::None), ("draw", Repetition::Draw)];
}

/// What is kept of an earlier position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Earlier {
    marbles: [u128; 2],
    to_move: Player,
}

/// The fields that a move sideways changes at most of who makes it, and a push of either player.
const SIDEWAYS: u32 = 6;
const PUSHED: u32 = 2;

/// What has changed of one player's marbles.
#[derive(Clone, Copy)]
struct Change {
    /// Where they lay and lie no more, seen from now to then.
    left: u128,
    entered: u128,
}

impl Change {
    fn fields(self) -> u32 {
        (self.left | self.entered).count_ones()
    }
}

/// A number of plies that is no more than any play takes from `position` to an earlier one; 255 where none
/// leads there.
pub(super) fn plies_back(position: &Position, earlier: &Earlier) -> u8 {
    let change = |player: Player| {
        let (now, then) = (position.marbles[player as usize], earlier.marbles[player as usize]);
        let is_possible = now.count_ones() == then.count_ones();
        is_possible.then_some(Change { left: now & !then, entered: then & !now })
    };
    let mover = position.to_move;
    let (Some(own), Some(other)) = (change(mover), change(mover.opponent())) else { return u8::MAX };
    if mover != earlier.to_move && can_be_one_ply(own, other) {
        return 1;
    }
    let (own, other) = (own.fields(), other.fields());
    if mover == earlier.to_move && can_be_two_plies(own, other) {
        return 2;
    }
    let mut plies: u32 = if mover == earlier.to_move { 4 } else { 3 };
    while !can_change(own, plies.div_ceil(2), other, plies / 2) {
        plies += 2;
    }
    plies as u8
}

/// Whether a ply of one player can make these changes: its own marbles alone, or with a push, which puts one
/// where one of the other's was.
fn can_be_one_ply(own: Change, other: Change) -> bool {
    match (own.fields(), other.fields()) {
        (2..=SIDEWAYS, 0) => true,
        (PUSHED, PUSHED) => own.entered == other.left,
        _ => false,
    }
}

/// Whether a ply of either can change so many fields of either. Who pushes moves along a line, and who is not
/// pushed has but its own move.
fn can_be_two_plies(own: u32, other: u32) -> bool {
    let moves = |fields| (2..=SIDEWAYS).contains(&fields);
    moves(own) && moves(other)
        || own == PUSHED && other <= SIDEWAYS + PUSHED
        || other == PUSHED && own <= SIDEWAYS + PUSHED
        || own <= 2 * PUSHED && other <= 2 * PUSHED && own + other > 0
}

/// Whether so many plies of either player can change so many fields of either. Each is sideways, or a push.
fn can_change(own: u32, own_plies: u32, other: u32, other_plies: u32) -> bool {
    let within = |own_pushes, other_pushes| {
        let pushed = PUSHED * (own_pushes + other_pushes);
        own <= SIDEWAYS * (own_plies - own_pushes) + pushed
            && other <= SIDEWAYS * (other_plies - other_pushes) + pushed
    };
    (0..=own_plies).any(|own| (0..=other_plies).any(|other| within(own, other)))
}

impl Abalone {
    /// The position after a move, with its past.
    #[cold]
    #[inline(never)]
    pub(super) fn play_and_remember(&self, before: &Position, mv: Move) -> Position {
        let mut after = self.moved(before, mv);
        let count = |position: &Position| position.marbles.map(u128::count_ones);
        if count(before) == count(&after) {
            let Position { marbles, to_move, .. } = *before;
            after.past = before.past.with(before.hash, Earlier { marbles, to_move });
            after.is_drawn = !after.is_over && after.past.has(after.hash);
            after.is_over |= after.is_drawn;
        }
        after
    }

    /// What the hash of a position is salted with for a search to this depth: the earlier positions that it
    /// may come to.
    #[cold]
    #[inline(never)]
    pub(super) fn salt(position: &Position, depth: u8) -> PositionHash {
        if position.is_drawn {
            return PositionHash::from(0x64_7261_776e_u64); // kept by no search
        }
        position.past.salt(|earlier| plies_back(position, earlier) <= depth)
    }

    /// The past of a position with the players exchanged.
    pub(super) fn mirrored_past(&self, past: &Past<Earlier>) -> Past<Earlier> {
        let mut all: Vec<Earlier> = past.iter().map(|(_, earlier)| *earlier).collect();
        all.reverse();
        all.into_iter().fold(Past::none(), |mirrored, Earlier { marbles: [first, second], to_move }| {
            let earlier = Earlier { marbles: [second, first], to_move: to_move.opponent() };
            mirrored.with(self.hashes.of(earlier.marbles, earlier.to_move), earlier)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KnownGame;
    use crate::abalone::INFO;
    use starsplit::game::{Game, NodeKind};
    use std::collections::HashSet;

    /// Every position within three plies, by breadth first, from the starts and from the middle of the suite.
    #[test]
    fn nothing_comes_back_sooner_than_it_is_said_to() {
        let game = Abalone::open(&INFO, "").expect("the default rules");
        let suite = INFO.suites[0].1.lines().filter(|line| line.contains('/')).step_by(12);
        let starts = INFO.suites[1].1.lines().filter(|line| line.contains('/')).step_by(2);
        let (mut tight, mut later, mut met) = (0, 0, 0);
        for text in suite.chain(starts) {
            let from = game.parse(text).expect("a line of a suite");
            let mut seen = HashSet::from([from.hash]);
            let mut level = vec![from.clone()];
            for plies in 1..=3 {
                let mut next = Vec::new();
                for position in level.iter().filter(|position| game.kind(position) != NodeKind::Terminal) {
                    game.moves(position, |mv| next.push(game.play(position, mv)));
                }
                next.retain(|position| seen.insert(position.hash));
                for &Position { marbles, to_move, .. } in &next {
                    let told = plies_back(&from, &Earlier { marbles, to_move });
                    let is_back = from.marbles.map(u128::count_ones) == marbles.map(u128::count_ones);
                    assert!(told <= plies || !is_back && told == u8::MAX, "{told} of {plies}: {text}");
                    tight += u32::from(told == plies);
                    later += u32::from(told != 1);
                    met += 1;
                }
                level = next;
            }
        }
        assert!(met > 100_000 && tight > met / 4 && later > met / 4, "{tight} and {later} of {met}");
    }

    #[test]
    fn marbles_that_were_taken_never_come_back() {
        let game = Abalone::open(&INFO, "").expect("the default rules");
        let of = |text: &str| game.parse(text).expect("a position");
        let all = of("wwwww/wwwwww/..www../......../........./......../..bbb../bbbbbb/bbbbb b");
        let fewer = of(".wwww/wwwwww/..www../......../........./......../..bbb../bbbbbb/bbbbb b");
        let Position { marbles, to_move, .. } = all;
        assert_eq!(plies_back(&fewer, &Earlier { marbles, to_move }), u8::MAX);
        assert_eq!(plies_back(&all, &Earlier { marbles, to_move }), 4, "who was pushed cannot push back");
    }
}
