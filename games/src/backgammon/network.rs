//! The network for backgammon: its inputs, and what its outputs mean.
//!
//! A position where the players can still meet and a race have inputs of their own, so that what a checker on
//! a point means for the one does not stand in the way of the other. Besides the checkers on each point there
//! are a few numbers that players count: pips, shots at blots, rolls with which the rearmost checker gets
//! away.

use super::checkers::{Checkers, downwards};
use super::counts;
use super::evaluators::EDITION;
use super::{Backgammon, Move, Position, Scoring, Variant};
use crate::network::{self, CarriedInputs, Group, NetworkError, NetworkGame, Shape};
use starsplit::game::Player;
use starsplit::score::Score;

/// How many hidden units the network has.
pub const HIDDEN: usize = 96;

/// How many outputs: whether the player wins, wins a gammon or a backgammon, loses a gammon or a backgammon;
/// a backgammon is a gammon as well.
pub const OUTPUTS: usize = 5;

/// The evaluator.
pub type Network = network::Network<HIDDEN, OUTPUTS>;

/// Its weights in floats.
pub type Weights = network::Weights<HIDDEN, OUTPUTS>;

/// Inputs for each point: one checker; two or more; three or more; how many more.
const LEVELS: usize = 4;

/// The points 1 to 24 and the bar.
const PLACES: usize = 25;

/// Inputs for the checkers of both players, while they can meet or in a race.
const CHECKERS: usize = 2 * PLACES * LEVELS;

/// Numbers that are counted anew: see [`Backgammon::meeting`] and [`Backgammon::racing`].
const MEETING: usize = 17;
const RACING: usize = 8;

/// Where the inputs of a race begin.
const RACE: usize = CHECKERS + MEETING;

/// The weights that come with the library.
const TRAINED: &[u8] = include_bytes!("../../weights/backgammon.safetensors");
const TRAINED_HYPER: &[u8] = include_bytes!("../../weights/hyper-backgammon.safetensors");

impl NetworkGame<HIDDEN, OUTPUTS> for Backgammon {
    type Network = Network;
    const START: f32 = 0.05;
    const EDITION: u64 = EDITION;

    /// The scoring is no part of the shape: a network trained for points tells wins apart too.
    fn shape(&self) -> Shape {
        let variant = match self.variant() {
            Variant::Backgammon => "backgammon",
            Variant::Hyper => "hyper-backgammon",
        };
        let group = |name, shape| Group { name, shape };
        Shape {
            game: "backgammon",
            rules: format!("variant={variant}"),
            groups: vec![
                group("meeting_checkers", vec![2, PLACES, LEVELS]),
                group("meeting_counts", vec![MEETING]),
                group("racing_checkers", vec![2, PLACES, LEVELS]),
                group("racing_counts", vec![RACING]),
            ],
        }
    }

    fn trained(&self) -> Option<&'static [u8]> {
        Some(match self.variant() {
            Variant::Backgammon => TRAINED,
            Variant::Hyper => TRAINED_HYPER,
        })
    }

    #[inline]
    fn inputs(&self, position: &Position, player: Player, mut push: impl FnMut(usize, i16)) {
        self.carried(position, player, &mut push);
        self.fresh(position, player, push);
    }

    /// Where both have their checkers as a game begins, which is before and after the roll that decides who
    /// plays first, and at no other time.
    #[inline]
    fn is_even(&self, position: &Position) -> bool {
        let [one, other] = &position.checkers;
        one == other && *one == self.start
    }

    fn worth(&self) -> [i32; OUTPUTS] {
        let (win, more) = match self.scoring() {
            Scoring::Points => (self.point, self.point / 2),
            Scoring::WinLoss => (self.point, 0),
        };
        [win, more, more, -more, -more]
    }

    #[inline]
    fn within_rules(&self, position: &Position, player: Player, score: Score) -> Score {
        Backgammon::within_rules(self, position, player, score)
    }

    /// As the loser sees it, for whom finished games are told. How the game is scored makes no difference.
    fn result(&self, position: &Position) -> [f32; OUTPUTS] {
        let loser = &position.checkers[position.to_act as usize];
        let says = |is_so| if is_so { 1.0 } else { -1.0 };
        let is_gammon = loser.count() == u32::from(self.variant().checkers());
        let is_backgammon = is_gammon && loser.occupied() >> 19 != 0;
        [-1.0, -1.0, -1.0, says(is_gammon), says(is_backgammon)]
    }

    fn flipped([win, gammon, backgammon, lost_gammon, lost_backgammon]: [f32; OUTPUTS]) -> [f32; OUTPUTS] {
        [-win, lost_gammon, lost_backgammon, gammon, backgammon]
    }

    fn network(&self, weights: &Weights) -> Result<Network, NetworkError> {
        Network::new(self, weights)
    }

    fn confine(&self, weights: &mut Weights) {
        Network::confine(self, weights);
    }
}

impl CarriedInputs<HIDDEN, OUTPUTS> for Backgammon {
    #[inline]
    fn carried(&self, position: &Position, player: Player, mut push: impl FnMut(usize, i16)) {
        let first = first_input(position);
        for (side, owner) in [player, player.opponent()].into_iter().enumerate() {
            let checkers = &position.checkers[owner as usize];
            for point in downwards(checkers.occupied()) {
                let point = point.trailing_zeros() as u8;
                let place = place(first, side, point);
                levels(checkers.on(point), |level, count| push(place + level, count));
            }
        }
    }

    #[inline]
    fn changes(
        &self,
        before: &Position,
        _mv: Move,
        after: &Position,
        mut push: impl FnMut(Player, usize, i16),
    ) {
        let first = first_input(before);
        if first != first_input(after) {
            for player in [Player::Max, Player::Min] {
                self.carried(before, player, |input, count| push(player, input, -count));
                self.carried(after, player, |input, count| push(player, input, count));
            }
            return;
        }
        for owner in [Player::Max, Player::Min] {
            let [old, new] = [before, after].map(|position| &position.checkers[owner as usize]);
            for point in downwards(old.differing(new)) {
                let point = point.trailing_zeros() as u8;
                let (own, opponent) = (place(first, 0, point), place(first, 1, point));
                let (old, new) = (level_counts(old.on(point)), level_counts(new.on(point)));
                for (level, (old, new)) in old.into_iter().zip(new).enumerate() {
                    if old != new {
                        push(owner, own + level, new - old);
                        push(owner.opponent(), opponent + level, new - old);
                    }
                }
            }
        }
    }

    #[inline]
    fn fresh(&self, position: &Position, player: Player, mut push: impl FnMut(usize, i16)) {
        let first = first_input(position) + CHECKERS;
        let mut put = |input: usize, count: i16| {
            if count != 0 {
                push(first + input, count);
            }
        };
        if first == CHECKERS {
            self.meeting(position, player, &mut put);
        } else {
            self.racing(position, player, &mut put);
        }
    }

    fn extremes(&self, weight: impl Fn(usize) -> f64) -> (f64, f64) {
        let checkers = usize::from(self.variant().checkers());
        let of_phase = |first: usize, ranges: &[(i16, i16)]| {
            let (mut low, mut high) = (0.0, 0.0);
            for side in 0..2 {
                let levels = |point: usize, level: usize| weight(place(first, side, point as u8) + level);
                high += greatest(checkers, levels);
                low -= greatest(checkers, |point, level| -levels(point, level));
            }
            for (k, &(least, most)) in ranges.iter().enumerate() {
                let ends = [least, most].map(|count| weight(first + CHECKERS + k) * f64::from(count));
                low += ends[0].min(ends[1]);
                high += ends[0].max(ends[1]);
            }
            (low, high)
        };
        let (meeting, racing) = (of_phase(0, &MEETING_RANGES), of_phase(RACE, &RACING_RANGES));
        (meeting.0.min(racing.0), meeting.1.max(racing.1))
    }
}

/// Where the inputs of the position's kind begin.
#[inline]
fn first_input(position: &Position) -> usize {
    let [one, other] = position.checkers.each_ref().map(Checkers::highest);
    // Each player's rearmost checker has passed the other's where they are 25 points apart or less.
    if one + other > 25 { 0 } else { RACE }
}

/// The first input of a point.
#[inline]
fn place(first: usize, side: usize, point: u8) -> usize {
    first + (side * PLACES + usize::from(point) - 1) * LEVELS
}

/// The inputs of a point with so many checkers that are not 0.
#[inline]
fn levels(count: u8, mut push: impl FnMut(usize, i16)) {
    for (level, count) in level_counts(count).into_iter().enumerate() {
        if count != 0 {
            push(level, count);
        }
    }
}

#[inline]
fn level_counts(count: u8) -> [i16; LEVELS] {
    let says: fn(bool) -> i16 = i16::from;
    [says(count == 1), says(count >= 2), says(count >= 3), i16::from(count.saturating_sub(3))]
}

/// The greatest sum of `levels`, by point and level, that `checkers` can make, or more than that: the most
/// rewarding way to put up to three on each point, and all others where a further one is worth most.
fn greatest(checkers: usize, levels: impl Fn(usize, usize) -> f64) -> f64 {
    let mut best = [0.0f64; 16];
    let mut further = 0.0f64;
    for point in 1..=PLACES {
        let [one, two, three] = [levels(point, 0), levels(point, 1), levels(point, 1) + levels(point, 2)];
        further = further.max(levels(point, 3));
        for used in (1..=checkers).rev() {
            let with = |count: usize, sum: f64| if used >= count { best[used - count] + sum } else { 0.0 };
            best[used] = best[used].max(with(1, one)).max(with(2, two)).max(with(3, three));
        }
    }
    (0..=checkers).map(|used| best[used] + (checkers - used) as f64 * further).fold(0.0, f64::max)
}

/// The least and the greatest of the numbers that [`Backgammon::meeting`] counts: for either side, then one
/// for both.
const MEETING_RANGES: [(i16, i16); MEETING] = {
    let side = [(0, 15), (0, 1), (0, 47), (0, 9), (0, 1), (0, 9), (0, 9), (0, 6)];
    let mut ranges = [(-24, 24); MEETING];
    let mut k = 0;
    while k < 16 {
        ranges[k] = side[k % 8];
        k += 1;
    }
    ranges
};

/// The same for [`Backgammon::racing`].
const RACING_RANGES: [(i16, i16); RACING] =
    [(0, 15), (0, 1), (0, 47), (0, 15), (0, 1), (0, 47), (-40, 40), (-24, 24)];

impl Backgammon {
    /// How many of `side`'s checkers are off the board.
    #[inline]
    fn off(&self, side: &Checkers) -> i16 {
        i16::from(self.variant().checkers()) - side.count() as i16
    }

    /// For the player and the opponent: checkers off, and whether any; pips, in eights; the rolls of 36 that
    /// hit a blot of the other's, in fours, and whether any does; those with which the rearmost checker moves
    /// both numbers, and those with which it leaves the other's home board behind, in fours; the longest row
    /// of points held in front of the other's rearmost checker. Then the lead in pips, in fours.
    #[inline]
    fn meeting(&self, position: &Position, player: Player, put: &mut impl FnMut(usize, i16)) {
        for (first, owner) in [(0, player), (8, player.opponent())] {
            let own = &position.checkers[owner as usize];
            let other = &position.checkers[owner.opponent() as usize];
            let off = self.off(own);
            put(first, off);
            put(first + 1, i16::from(off > 0));
            put(first + 2, (position.pips(owner) / 8) as i16);
            let shots = counts::shots(own, other) as i16;
            put(first + 3, (shots + 2) / 4);
            put(first + 4, i16::from(shots > 0));
            let (moves, escapes) = counts::freedom(own, other);
            put(first + 5, i16::from(moves) / 4);
            put(first + 6, i16::from(escapes) / 4);
            put(first + 7, counts::longest_prime(own, other) as i16);
        }
        put(16, (lead(position, player) / 4).clamp(-24, 24));
    }

    /// For the player and the opponent: checkers off, whether any, pips in eights. Then the lead in pips for
    /// the length of the race, and as such.
    #[inline]
    fn racing(&self, position: &Position, player: Player, put: &mut impl FnMut(usize, i16)) {
        for (first, owner) in [(0, player), (3, player.opponent())] {
            let off = self.off(&position.checkers[owner as usize]);
            put(first, off);
            put(first + 1, i16::from(off > 0));
            put(first + 2, (position.pips(owner) / 8) as i16);
        }
        // Luck grows with the root of the length. The player is to roll, which is worth about four pips.
        let both = Score::from(position.pips(player)) + Score::from(position.pips(player.opponent()));
        let lead = Score::from(lead(position, player));
        put(6, (8 * (lead + 4) / (both + 4).isqrt()).clamp(-40, 40) as i16);
        put(7, (lead / 2).clamp(-24, 24) as i16);
    }
}

/// By how many pips `player` is ahead.
#[inline]
fn lead(position: &Position, player: Player) -> i16 {
    position.pips(player.opponent()) as i16 - position.pips(player) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KnownGame;
    use crate::backgammon::{HYPER_INFO, INFO, Phase};
    use starsplit::game::{Game, NodeKind};

    fn inputs(game: &Backgammon, position: &Position, player: Player) -> Vec<(usize, i16)> {
        let mut found = Vec::new();
        game.inputs(position, player, |input, count| found.push((input, count)));
        found.sort_unstable();
        found
    }

    /// The positions before the rolls of games that always play the first move or the last.
    fn positions(game: &Backgammon) -> Vec<Position> {
        let mut positions = Vec::new();
        for number in 0..20 {
            let mut position = game.initial();
            for ply in 0..100 {
                let (mut outcomes, mut moves) = (Vec::new(), Vec::new());
                match game.kind(&position) {
                    NodeKind::Terminal => break,
                    NodeKind::Chance => {
                        positions.push(position);
                        game.outcomes(&position, |outcome, _| outcomes.push(outcome));
                        position = game.resolve(&position, outcomes[(7 * ply + 5 * number) % outcomes.len()]);
                    }
                    NodeKind::Decision => {
                        game.moves(&position, |mv| moves.push(mv));
                        let last = if (ply + number) % 3 == 0 { 0 } else { moves.len() - 1 };
                        position = game.play(&position, moves[last]);
                    }
                }
            }
        }
        positions
    }

    #[test]
    fn both_players_see_themselves_as_the_first() {
        for info in [&INFO, &HYPER_INFO] {
            let game = Backgammon::open(info, "").unwrap();
            for position in positions(&game) {
                let [first, second] = position.checkers;
                let mirrored = game.position([second, first], position.to_act.opponent(), Phase::Rolling);
                for player in [Player::Max, Player::Min] {
                    let seen = inputs(&game, &position, player);
                    assert_eq!(seen, inputs(&game, &mirrored, player.opponent()));
                    assert!(seen.iter().all(|&(input, _)| input < game.shape().inputs()));
                }
            }
        }
    }

    #[test]
    fn no_position_goes_beyond_the_extremes() {
        for info in [&INFO, &HYPER_INFO] {
            let game = Backgammon::open(info, "").unwrap();
            for seed in 0..8 {
                let weight = |input: usize| f64::from(((input * (2 * seed + 3) + seed) % 17) as u32) - 8.0;
                let (low, high) = game.extremes(weight);
                for position in positions(&game) {
                    let seen = inputs(&game, &position, position.to_act);
                    let sum: f64 = seen.iter().map(|&(input, count)| weight(input) * f64::from(count)).sum();
                    assert!(low <= sum && sum <= high, "{low} {sum} {high}");
                }
            }
        }
    }

    #[test]
    fn the_greatest_sum_is_that_of_the_best_stacks() {
        // One checker is worth 1 anywhere, and two take 1 away; on point 3 three are worth 9 in all, and
        // each further one 2.
        let levels = |point: usize, level: usize| match (point, level) {
            (_, 0) => 1.0,
            (3, 2) => 10.0,
            (_, 1) => -1.0,
            (3, 3) => 2.0,
            _ => 0.0,
        };
        assert_eq!(greatest(15, levels), 9.0 + 12.0 * 2.0);
        assert_eq!(greatest(2, |point, level| if level == 3 { 0.0 } else { levels(point, level) }), 2.0);
        assert_eq!(greatest(15, |_, _| -1.0), 0.0);
    }

    #[test]
    fn a_race_is_told_from_a_meeting() {
        let game = Backgammon::open(&INFO, "").unwrap();
        let side = |points: &[u32]| {
            let mut side = Checkers::default();
            points.iter().for_each(|point| side.add(1 << point));
            side
        };
        let first = |one: &[u32], other: &[u32]| {
            first_input(&game.position([side(one), side(other)], Player::Max, Phase::Rolling))
        };
        assert_eq!((first(&[13, 1], &[12, 2]), first(&[13], &[13]), first(&[25], &[1])), (RACE, 0, 0));
        let mut seen = positions(&game);
        seen.retain(|position| first_input(position) == RACE);
        assert!(!seen.is_empty(), "no game came to a race");
    }
}
