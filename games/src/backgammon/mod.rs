//! Backgammon and hyper-backgammon, played for money without the doubling cube.
//!
//! A turn is a roll, which is a chance node, and a whole move, which is one move however many steps it has. A
//! game begins with the roll that decides who begins and with what: two different numbers, 30 outcomes. The
//! first player is x, [`Player::Max`]; both count the points from their own side, towards which they move.
//!
//! A chance node, and the end of the game, is told for the player who is about to roll.

mod checkers;
mod counts;
mod evaluators;
mod known;
mod matches;
pub mod mlp;
mod moves;
pub mod network;
mod notation;
mod pip_bounds;
mod rules;
mod turn;

use checkers::{BAR, Checkers, POINTS};
pub use known::{HYPER_INFO, INFO};
pub use mlp::Mlp;
pub use moves::Move;
pub use network::Network;
pub use rules::{Scoring, Variant};
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Texts};
use starsplit::score::{Grid, Score};

/// The grid's limit: the values of one, two and three points, and a 64th of a point, are on the grid.
const LIMIT: Score = 3 * 64 * 43_690;

/// Backgammon or hyper-backgammon, with the keys of its hash.
#[derive(Clone, Debug)]
pub struct Backgammon {
    variant: Variant,
    scoring: Scoring,
    grid: Grid,
    /// Either side's checkers as a game begins.
    start: Checkers,
    /// A point's worth in steps of the grid.
    point: Score,
    /// By player, and by point as that player counts: the hash of checkers is the sum of their keys, which
    /// tells how many there are on a point. Off the board the key is 0.
    keys: [[u128; 26]; 2],
    roll_keys: [u128; 36],
    second_player_key: u128,
    opening_key: u128,
}

/// A position: before a roll, or with one to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    checkers: [Checkers; 2],
    hash: u128,
    /// Derived from `checkers`; kept because moves change it by what is at hand.
    pips: [u16; 2],
    to_act: Player,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Before the roll that decides who begins.
    Opening,
    Rolling,
    Moving(Roll),
}

/// What two dice show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    high: u8,
    low: u8,
}

impl Roll {
    /// The roll of these two numbers, in either order; `None` unless both are 1 to 6.
    pub fn new(one: u8, other: u8) -> Option<Self> {
        let is_roll = (1..=6).contains(&one) && (1..=6).contains(&other);
        is_roll.then(|| Roll { high: one.max(other), low: one.min(other) })
    }

    /// The higher number, or either of a double.
    #[inline]
    pub fn high(self) -> u8 {
        self.high
    }

    /// The lower number, or either of a double.
    #[inline]
    pub fn low(self) -> u8 {
        self.low
    }

    /// All 21, the lowest first.
    #[inline]
    fn all() -> impl Iterator<Item = Roll> {
        (1..=6).flat_map(|high| (1..=high).map(move |low| Roll { high, low }))
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.high - 1) * 6 + usize::from(self.low - 1)
    }
}

/// The outcome of a chance node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Whose roll it is: after the first roll of the game, the player who was to roll.
    pub player: Player,
    /// What was rolled.
    pub roll: Roll,
}

impl Position {
    /// How many checkers `player` has on a point, numbered 1 to 24 as that player counts; 25 is the bar. None
    /// elsewhere.
    pub fn checkers(&self, player: Player, point: u8) -> u8 {
        if (1..=25).contains(&point) { self.checkers[player as usize].on(point) } else { 0 }
    }

    /// How many pips `player` needs to bear off all checkers.
    #[inline]
    pub fn pips(&self, player: Player) -> u16 {
        self.pips[player as usize]
    }

    /// Who rolls or moves next; the first player before the roll that decides it.
    #[inline]
    pub fn to_act(&self) -> Player {
        self.to_act
    }

    /// The roll to be played, if there is one.
    #[inline]
    pub fn roll(&self) -> Option<Roll> {
        match self.phase {
            Phase::Moving(roll) => Some(roll),
            Phase::Opening | Phase::Rolling => None,
        }
    }

    /// Whether the next roll decides who begins.
    #[inline]
    pub fn is_opening(&self) -> bool {
        self.phase == Phase::Opening
    }
}

impl Backgammon {
    /// The game of that name, with wins worth so much.
    pub fn new(variant: Variant, scoring: Scoring) -> Self {
        let most = f64::from(scoring.most());
        // Not refused: the range is not empty, and the limit is no more than the finest one.
        let grid = Grid::with_limit(-most, most, LIMIT).unwrap_or_default();
        let key = |what: u64| u128::from(mix64(2 * what + 1)) << 64 | u128::from(mix64(mix64(2 * what + 2)));
        let point_key = |player, point| if point == 0 { 0 } else { key(32 * player as u64 + point as u64) };
        let mut start = Checkers::default();
        for &(point, count) in variant.start() {
            (0..count).for_each(|_| start.add(1 << point));
        }
        Backgammon {
            variant,
            scoring,
            grid,
            start,
            point: LIMIT / scoring.most(),
            keys: std::array::from_fn(|player| std::array::from_fn(|point| point_key(player, point))),
            roll_keys: std::array::from_fn(|roll| key(64 + roll as u64)),
            second_player_key: key(100),
            opening_key: key(101),
        }
    }

    /// Which of the two games it is.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// What wins are worth.
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// The position before the roll that decides who begins.
    pub fn initial(&self) -> Position {
        self.position([self.start; 2], Player::Max, Phase::Opening)
    }

    /// The position with these checkers, all else derived.
    fn position(&self, checkers: [Checkers; 2], to_act: Player, phase: Phase) -> Position {
        let pips = checkers.map(|side| side.pips());
        let mut position = Position { checkers, hash: 0, pips, to_act, phase };
        position.hash = self.sum_of_keys(&position);
        position
    }

    fn sum_of_keys(&self, position: &Position) -> u128 {
        let mut sum = match position.phase {
            Phase::Opening => self.opening_key,
            Phase::Rolling => 0,
            Phase::Moving(roll) => self.roll_keys[roll.index()],
        };
        if position.to_act == Player::Min {
            sum = sum.wrapping_add(self.second_player_key);
        }
        for (side, keys) in position.checkers.iter().zip(&self.keys) {
            for (point, key) in (0..).zip(keys) {
                sum = sum.wrapping_add(key.wrapping_mul(side.on(point).into()));
            }
        }
        sum
    }

    /// Whether the player who moved last, the opponent of the one to act, has borne off all checkers.
    #[inline]
    fn is_over(&self, position: &Position) -> bool {
        position.checkers[position.to_act.opponent() as usize].occupied() == 0
    }

    /// How many points the player to act has lost.
    fn lost_points(&self, position: &Position) -> Score {
        let loser = &position.checkers[position.to_act as usize];
        if self.scoring == Scoring::WinLoss || loser.count() < u32::from(self.variant.checkers()) {
            return 1;
        }
        if loser.back() == 0 { 2 } else { 3 }
    }
}

impl Backgammon {
    /// How much a player may still lose by the rules, in steps of the grid. A gammon takes that no checker
    /// is borne off; a backgammon also that one is in the winner's home board or on the bar, or can be hit.
    fn most_to_lose(&self, position: &Position, loser: Player) -> Score {
        let [own, winner] = [loser, loser.opponent()].map(|player| &position.checkers[player as usize]);
        if self.scoring == Scoring::WinLoss || own.count() < u32::from(self.variant.checkers()) {
            return self.point;
        }
        let can_be_back = own.back() > 0 || !own.is_past(winner);
        self.point * if can_be_back { 3 } else { 2 }
    }

    /// An evaluation as `player` sees it, or the nearest one that the rules still allow. A point may always
    /// be won and lost, so that few evaluations take more than two comparisons.
    #[inline]
    fn within_rules(&self, position: &Position, player: Player, score: Score) -> Score {
        if score > self.point {
            score.min(self.most_to_lose(position, player.opponent()))
        } else if score < -self.point {
            score.max(-self.most_to_lose(position, player))
        } else {
            score
        }
    }
}

impl Game for Backgammon {
    type Position = Position;
    type Move = Move;
    type Outcome = Outcome;

    fn identity(&self) -> u64 {
        let rules = u64::from(self.variant.checkers()) << 8 | self.scoring.most() as u64;
        mix64(0x6261_636b_6761_6d6d ^ mix64(rules))
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(self.grid)
            .with_outcomes_never_end(true)
            .with_depth_step(2)
            .with_move_slots(256)
            .with_successor_ns(33)
    }

    #[inline]
    fn kind(&self, position: &Position) -> NodeKind {
        match position.phase {
            Phase::Moving(_) => NodeKind::Decision,
            Phase::Rolling if self.is_over(position) => NodeKind::Terminal,
            Phase::Opening | Phase::Rolling => NodeKind::Chance,
        }
    }

    #[inline]
    fn player(&self, position: &Position) -> Player {
        position.to_act
    }

    #[inline]
    fn terminal_score(&self, position: &Position) -> Score {
        -self.point * self.lost_points(position)
    }

    #[inline]
    fn hash(&self, position: &Position) -> PositionHash {
        position.hash.into()
    }

    #[inline]
    fn moves(&self, position: &Position, mut push: impl FnMut(Move)) {
        if let Phase::Moving(roll) = position.phase {
            let own = &position.checkers[position.to_act as usize];
            let other = &position.checkers[position.to_act.opponent() as usize];
            moves::generate(own, other, roll, &mut push);
        }
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Position {
        let mut after = *position;
        let (own, other) = (position.to_act as usize, position.to_act.opponent() as usize);
        let (own_keys, other_keys) = (&self.keys[own], &self.keys[other]);
        let mut hash = after.hash;
        for step in mv.taken() {
            let (from, to) = (step.from(), step.to());
            after.checkers[own].remove(1 << from);
            after.checkers[own].add(1 << to & POINTS);
            after.pips[own] -= u16::from(from - to);
            hash = hash.wrapping_sub(own_keys[usize::from(from)]).wrapping_add(own_keys[usize::from(to)]);
            let met = 25 - to;
            if after.checkers[other].occupied() & 1 << met & POINTS != 0 {
                after.checkers[other].remove(1 << met);
                after.checkers[other].add(BAR);
                after.pips[other] += u16::from(to);
                hash = hash.wrapping_sub(other_keys[usize::from(met)]).wrapping_add(other_keys[25]);
            }
        }
        if let Phase::Moving(roll) = position.phase {
            hash = hash.wrapping_sub(self.roll_keys[roll.index()]);
        }
        after.hash = match position.to_act {
            Player::Max => hash.wrapping_add(self.second_player_key),
            Player::Min => hash.wrapping_sub(self.second_player_key),
        };
        after.to_act = position.to_act.opponent();
        after.phase = Phase::Rolling;
        after
    }

    /// The opening's 30 outcomes are equally likely; later a double is half as likely as another roll.
    #[inline]
    fn outcomes(&self, position: &Position, mut push: impl FnMut(Outcome, u32)) {
        if position.phase == Phase::Opening {
            for roll in Roll::all().filter(|roll| roll.high != roll.low) {
                push(Outcome { player: Player::Max, roll }, 1);
                push(Outcome { player: Player::Min, roll }, 1);
            }
            return;
        }
        for roll in Roll::all() {
            push(Outcome { player: position.to_act, roll }, if roll.high == roll.low { 1 } else { 2 });
        }
    }

    #[inline]
    fn resolve(&self, position: &Position, outcome: Outcome) -> Position {
        let mut after = *position;
        if position.phase == Phase::Opening {
            after.hash = after.hash.wrapping_sub(self.opening_key);
            if outcome.player == Player::Min {
                after.hash = after.hash.wrapping_add(self.second_player_key);
            }
            after.to_act = outcome.player;
        }
        after.phase = Phase::Moving(outcome.roll);
        after.hash = after.hash.wrapping_add(self.roll_keys[outcome.roll.index()]);
        after
    }

    #[inline]
    fn move_slot(&self, mv: Move) -> usize {
        mv.first()
    }

    /// Of a race: a turn takes two pips at least, or ends the game. Before that, checkers may be hit for ever.
    fn full_depth(&self, position: &Position) -> Option<u32> {
        let [own, other] = [position.to_act, position.to_act.opponent()].map(|player| player as usize);
        let turns = |player: usize| u32::from(position.pips[player].div_ceil(2));
        let is_race = self.is_over(position) || position.checkers[own].is_past(&position.checkers[other]);
        let turns_left = (2 * turns(own)).saturating_sub(1).min(2 * turns(other));
        is_race.then_some(2 * turns_left - u32::from(self.kind(position) == NodeKind::Decision))
    }
}

impl Texts for Backgammon {
    fn move_text(&self, position: &Position, mv: Move) -> String {
        notation::move_text(position, mv)
    }

    fn outcome_text(&self, position: &Position, outcome: Outcome) -> String {
        let roll = format!("{}{}", outcome.roll.high(), outcome.roll.low());
        if position.is_opening() {
            format!("{} begins, {roll}", notation::sign(outcome.player))
        } else {
            roll
        }
    }
}
