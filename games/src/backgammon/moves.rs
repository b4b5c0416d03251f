//! Whole moves, and how they are found without finding one twice.
//!
//! A legal move stays legal, and leads to the same position, when its steps are made in the order of the
//! points that they begin on, the farthest first: checkers enter before others move, come home before others
//! are borne off, and go off from the farthest point first. So moves are looked for in that order only.

use super::checkers::{Checkers, downwards, flipped, sources};
use super::{POINTS, Roll};

/// A whole move: up to four steps, none where the player must pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move([Step; 4]);

/// A step of one checker: in the five lower bits the point that it leaves, in the others the number on the
/// die; 0 is no step.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Step(u8);

impl Step {
    #[inline]
    fn new(from: u32, die: u8) -> Self {
        Step(from.trailing_zeros() as u8 | die << 5)
    }

    #[inline]
    pub(super) fn from(self) -> u8 {
        self.0 & 31
    }

    /// Where it ends; 0 is off the board.
    #[inline]
    pub(super) fn to(self) -> u8 {
        self.from().saturating_sub(self.0 >> 5)
    }
}

impl Move {
    /// No step at all.
    pub const PASS: Move = Move([Step(0); 4]);

    /// Its steps as points from and to, as the player who moves counts them: 25 is the bar, 0 is off. They
    /// are in an order in which they can be made.
    pub fn steps(self) -> impl Iterator<Item = (u8, u8)> {
        self.taken().map(|step| (step.from(), step.to()))
    }

    #[inline]
    pub(super) fn taken(self) -> impl Iterator<Item = Step> {
        self.0.into_iter().take_while(|&step| step != Step(0))
    }

    /// The first step as a number below 256, which only moves with that step share.
    #[inline]
    pub(super) fn first(self) -> usize {
        usize::from(self.0[0].0)
    }

    #[inline]
    fn one(step: Step) -> Self {
        Move([step, Step(0), Step(0), Step(0)])
    }

    #[inline]
    fn two(first: Step, second: Step) -> Self {
        Move([first, second, Step(0), Step(0)])
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.steps()).finish()
    }
}

/// Gives every move that leads to a position of its own to `push`, at least one.
#[inline]
pub(super) fn generate(own: &Checkers, other: &Checkers, roll: Roll, push: &mut impl FnMut(Move)) {
    let open = !flipped(other.several()) & POINTS;
    if roll.high() == roll.low() {
        generate_doubles(own, open, roll.high(), push);
    } else {
        let blots = flipped(other.single()) & POINTS;
        generate_pairs(own, open, blots, roll, push);
    }
}

/// Two different numbers: both, if that can be, else the higher, else the lower.
#[inline]
fn generate_pairs(own: &Checkers, open: u32, blots: u32, roll: Roll, push: &mut impl FnMut(Move)) {
    let (high, low) = (roll.high(), roll.low());
    let (occupied, single) = (own.occupied(), own.single());
    let after = |from: u32, die: u8| occupied & !(from & single) | from >> die & POINTS;
    let (by_high, by_low) = (sources(occupied, open, high), sources(occupied, open, low));
    let mut is_found = false;
    // Checkers that move by the higher number, and on by the lower.
    let mut go_on = 0;
    for from in downwards(by_high) {
        let seconds = sources(after(from, high), open, low) & (from | (from - 1));
        if seconds & from >> high != 0 {
            go_on |= from;
        }
        for second in downwards(seconds) {
            is_found = true;
            push(Move::two(Step::new(from, high), Step::new(second, low)));
        }
    }
    // The lower number first. Where it bears a checker off, a step by the higher one from a nearer point
    // bears off too, and either number could have gone first: those moves are found.
    for from in downwards(by_low & !((2 << low) - 1)) {
        let mut seconds = sources(after(from, low), open, high) & (from - 1);
        let between = (from >> high | from >> low) & blots;
        if go_on & from != 0 && between == 0 {
            seconds &= !(from >> low);
        }
        for second in downwards(seconds) {
            is_found = true;
            push(Move::two(Step::new(from, low), Step::new(second, high)));
        }
    }
    if !is_found {
        generate_singles(if by_high != 0 { (by_high, high) } else { (by_low, low) }, push);
    }
}

fn generate_singles((from, die): (u32, u8), push: &mut impl FnMut(Move)) {
    if from == 0 {
        push(Move::PASS);
    }
    for from in downwards(from) {
        push(Move::one(Step::new(from, die)));
    }
}

/// Four steps by the same number, or as many as there can be: the same count whichever are made, for none
/// takes another's way.
fn generate_doubles(own: &Checkers, open: u32, die: u8, push: &mut impl FnMut(Move)) {
    let (mut checkers, mut count) = (*own, 0);
    while count < 4 {
        let Some(from) = downwards(sources(checkers.occupied(), open, die)).next() else { break };
        checkers = checkers.after_step(from, die);
        count += 1;
    }
    if count == 0 {
        push(Move::PASS);
    } else {
        extend(own, open, die, !0, Move::PASS, (0, count), push);
    }
}

/// Adds steps to `begun`, which has the first of its two counts, until it has the second; no step begins
/// farther than the one before it, whose point and all nearer ones are `allowed`.
fn extend(
    own: &Checkers,
    open: u32,
    die: u8,
    allowed: u32,
    begun: Move,
    (made, count): (usize, usize),
    push: &mut impl FnMut(Move),
) {
    for from in downwards(sources(own.occupied(), open, die) & allowed) {
        let mut mv = begun;
        mv.0[made] = Step::new(from, die);
        if made + 1 == count {
            push(mv);
        } else {
            let next = own.after_step(from, die);
            extend(&next, open, die, from | (from - 1), mv, (made + 1, count), push);
        }
    }
}
