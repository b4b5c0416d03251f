//! Bounds of what searches find with the evaluator `pips`: from what can be won and lost in the turns that
//! are left.
//!
//! The lead is how many pips the other player needs more than the one to act. A turn of the latter's adds the
//! gain of the move that is made (`turn.rs`), one of the other's takes its gain off. Where no player can bear
//! off all checkers within the depth, a search ends with leads, so its value lies between bounds that add up
//! the least and the most that turns gain when the best moves are made.
//!
//! * With the roll known, some move gains [`Gain::least`], and none more than [`Gain::most`].
//! * Of a turn before its roll, the mean over the rolls counts. It is at most that of the pips on the dice
//!   and of the blots that are hit: two, or four with a double, none of them on the point of another. It is
//!   at least nothing.
//! * Where no checker of one side has to pass one of the other's, nothing is hit and every step can be made.
//!   While more checkers are outside the home board than steps can bring there, no die is wasted on bearing
//!   off: each turn gains what the dice show.
//!
//! Means are of bounds in whole steps of the grid, and are rounded. A mean rounded up, or down, bounds the
//! rounded one. That of the dice, 294/36 of a pip, is never half a step off the grid, so it rounds the same
//! way whatever it is added to, and remains exact.
//!
//! An evaluation is kept short of the grid's ends and within what the rules still allow, so it is not the
//! lead where that is too great: the bounds are wider by as much as some line of play goes too far at most.

use super::checkers::Checkers;
use super::evaluators::PIPS_A_POINT;
use super::turn::Turn;
use super::{Backgammon, Position, Roll};
use starsplit::game::Player;
use starsplit::score::{Bounds, Score};

/// What all 36 rolls show together, in pips.
const SHOWN: Score = 294;

/// The most that two blots, and four, lose when they are hit.
const MOST_HIT: [Score; 2] = [24 + 23, 24 + 23 + 22 + 21];

/// How many turns a search to so many plies sees: of the player to act, and of the other.
fn turns(is_rolled: bool, depth: u8) -> (Score, Score) {
    let turns = if is_rolled { depth.div_ceil(2) } else { depth / 2 };
    (turns.div_ceil(2).into(), (turns / 2).into())
}

/// Whether the player to act, and the other one, may bear off all checkers within the depth.
pub(super) fn may_end(position: &Position, roll: Option<Roll>, depth: u8) -> (bool, bool) {
    let (own, other) = turns(roll.is_some(), depth);
    let first = roll.map_or(Dice::ANY, Dice::of);
    let of_own = if own == 0 { Dice::NONE } else { first.and(own - 1) };
    let (player, opponent) = (position.to_act, position.to_act.opponent());
    (of_own.may_end(position, player), Dice::NONE.and(other).may_end(position, opponent))
}

/// What there is to move with in some turns, at most.
#[derive(Clone, Copy, Debug)]
struct Dice {
    count: Score,
    pips: Score,
}

impl Dice {
    const NONE: Self = Dice { count: 0, pips: 0 };
    /// Those of a turn before its roll.
    const ANY: Self = Dice { count: 4, pips: 24 };

    fn of(roll: Roll) -> Self {
        let count = if roll.high == roll.low { 4 } else { 2 };
        Dice { count, pips: count / 2 * Score::from(roll.high + roll.low) }
    }

    /// Those of so many more turns, too.
    fn and(self, turns: Score) -> Self {
        Dice { count: self.count + turns * Self::ANY.count, pips: self.pips + turns * Self::ANY.pips }
    }

    /// Whether they may bear off all of a player's checkers. (A hit adds to what that takes.)
    fn may_end(self, position: &Position, player: Player) -> bool {
        Score::from(position.pips(player)) <= self.pips
            && position.checkers[player as usize].count() as Score <= self.count
    }
}

/// What turns gain, in steps of the grid.
#[derive(Clone, Copy, Debug)]
struct Gains {
    /// In the mean over rolls, when the best moves are made.
    least: Score,
    most: Score,
    /// At most, whatever is rolled; the least is nothing.
    highest: Score,
}

impl Gains {
    const NONE: Self = Gains { least: 0, most: 0, highest: 0 };

    /// Of a turn before its roll, which gains no more than so many 36ths of a pip in the mean, and so many
    /// pips at most.
    fn up_to(pip: Score, sum: Score, highest: Score) -> Self {
        Gains { least: 0, most: (sum * pip + 35) / 36, highest: highest * pip }
    }

    /// Of a turn before its roll that gains what the dice show.
    fn of_dice(pip: Score) -> Self {
        let mean = (2 * SHOWN * pip + 36) / 72;
        Gains { least: mean, most: mean, highest: Dice::ANY.pips * pip }
    }

    fn times(self, turns: Score) -> Self {
        Gains { least: turns * self.least, most: turns * self.most, highest: turns * self.highest }
    }
}

/// The bounds of a position, or of those after its rolls.
#[derive(Clone, Copy, Debug)]
pub(super) struct PipBounds<'a> {
    game: &'a Backgammon,
    position: &'a Position,
    /// Of the player to act and of the other one.
    turns: (Score, Score),
    depth: u8,
    turn: Turn,
    limit: Score,
    /// A point, and a pip, in steps of the grid.
    point: Score,
    pip: Score,
    is_race: bool,
    /// What each turn of the player's gains, and all others after the first one.
    own: Gains,
    own_later: Gains,
    others: Gains,
}

impl<'a> PipBounds<'a> {
    /// Of a position; with `is_rolled` of those after its rolls, to so many plies from there.
    pub(super) fn new(game: &'a Backgammon, position: &'a Position, is_rolled: bool, depth: u8) -> Self {
        let (own_turns, other_turns) = turns(is_rolled, depth);
        let [own, other] =
            [position.to_act, position.to_act.opponent()].map(|player| &position.checkers[player as usize]);
        let is_race = own.is_past(other);
        let pip = game.point / PIPS_A_POINT;
        let each = |side: &Checkers, turns: Score| match is_race {
            true if side.outside() as Score >= turns * Dice::ANY.count => Gains::of_dice(pip),
            true => Gains::up_to(pip, SHOWN, Dice::ANY.pips),
            false => {
                let [of_two, of_four] = MOST_HIT;
                Gains::up_to(pip, SHOWN + 30 * of_two + 6 * of_four, Dice::ANY.pips + of_four)
            }
        };
        let own = each(own, own_turns);
        PipBounds {
            game,
            position,
            turns: (own_turns, other_turns),
            depth,
            turn: Turn::new(position),
            limit: game.grid.limit(),
            point: game.point,
            pip,
            is_race,
            own,
            own_later: own.times((own_turns - 1).max(0)),
            others: each(other, other_turns).times(other_turns),
        }
    }

    /// With this roll, or before the roll.
    pub(super) fn with(&self, roll: Option<Roll>) -> Bounds {
        let (player, opponent) = (self.position.to_act, self.position.to_act.opponent());
        let lead = |player: Player| Score::from(self.position.pips(player));
        let lead = (lead(opponent) - lead(player)) * self.pip;
        let first = self.first_turn(roll);
        let lowest = lead - self.others.highest;
        let highest = lead + first.highest + self.own_later.highest;
        let least = lead + first.least + self.own_later.least - self.others.most;
        let most = lead + first.most + self.own_later.most - self.others.least;
        let (own_ends, other_ends) = may_end(self.position, roll, self.depth);
        let is_near = highest <= self.point && lowest >= -self.point && !own_ends && !other_ends;
        // What may be won and lost, as far as every evaluation is the lead, and at most.
        let end = (self.limit / self.pip - 1) * self.pip;
        let [won, lost] = if is_near { [(end, self.limit); 2] } else { self.allowed(end) };
        let bounds = match (own_ends, other_ends) {
            // One move makes the lead.
            (false, false) if roll.is_some() && self.depth <= 2 => {
                Bounds::new(least.clamp(-end, won.0), most.clamp(-lost.0, end))
            }
            (false, false) => Bounds::new(
                (least - (highest - won.0).max(0)).max(lowest.min(won.0)),
                (most + (-lost.0 - lowest).max(0)).min(highest.max(-lost.0)),
            ),
            (own, other) => Bounds::new(
                if other { -self.limit } else { lowest.clamp(-end, end).min(self.point) },
                if own { self.limit } else { highest.clamp(-end, end).max(-self.point) },
            ),
        };
        Bounds::new(bounds.lower.max(-lost.1), bounds.upper.min(won.1))
    }

    /// What the player to act may win and lose: as far as evaluations up to `end` are the lead whatever is
    /// played, and at most, which no play makes more. A gammon remains as long as the loser has all checkers
    /// and at least as many outside the home board as there are steps; a backgammon as long as more are back.
    fn allowed(&self, end: Score) -> [(Score, Score); 2] {
        let player = self.position.to_act;
        let (own_turns, other_turns) = self.turns;
        [(player.opponent(), other_turns), (player, own_turns)].map(|(loser, turns)| {
            let most = self.game.most_to_lose(self.position, loser);
            let (own, steps) = (&self.position.checkers[loser as usize], turns * Dice::ANY.count);
            let points = match most > self.point && own.outside() as Score >= steps {
                true if own.back() as Score > steps => 3,
                true => 2,
                false => 1,
            };
            ((points * self.point).min(end), most)
        })
    }

    /// What the turn of the player to act gains.
    fn first_turn(&self, roll: Option<Roll>) -> Gains {
        if let Some(roll) = roll {
            let gain = self.turn.gain(roll);
            let most = gain.most * self.pip;
            return Gains { least: gain.least * self.pip, most, highest: most };
        }
        if self.depth < 2 {
            return Gains::NONE;
        }
        if self.is_race {
            return self.own;
        }
        let [of_two, of_four] = [2, 4].map(|blots| self.turn.most_hit(blots));
        Gains::up_to(self.pip, SHOWN + 30 * of_two + 6 * of_four, Dice::ANY.pips + of_four)
    }
}
