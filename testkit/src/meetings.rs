//! Plays that are led together.
//!
//! Random plays hardly ever come to a position by two ways, but a search does at once: that is what its table
//! is for. Here plays keep to a few moves and outcomes that they favour. So they make the same moves in other
//! orders and with other outcomes in between, and meet.

use super::plays::{Plays, Random, steps, text, written};
use super::violation::{Fault, Violation};
use starsplit::evaluator::mix64;
use starsplit::game::{Game, PositionHash, StepOf};
use std::collections::HashMap;

/// Positions that are looked at around a position of a play.
const PLACES: usize = 300;

/// So many pairs of them are compared, and so many of those along the play itself.
const PAIRS: u32 = 40;
const PAIRS_OF_PLAY: u32 = 10;

/// So many positions with one hash are compared with the first one.
const PAIRS_OF_HASH: u32 = 4;

/// From a pair, so many lines of so many plies are followed.
const LINES: u32 = 3;
const PLIES: u32 = 12;

/// Where values depend on the past, positions are taken for the same to some depth, from 1 to this, play
/// after play: they may go apart later.
const DEEPEST_PAST: u32 = 8;

/// Positions of so many plays are remembered at a time.
const REMEMBERED: u32 = 100;

/// Holds positions with the same hash, to which different steps lead, against one another by `alike`, and
/// what the same steps lead to from both.
pub(crate) struct Meetings<'a, G: Game, A> {
    game: &'a G,
    start: &'a G::Position,
    max_plies: u32,
    random: Random,
    places: Vec<Place<G>>,
    met: HashMap<(u32, PositionHash), Met>,
    /// What two positions that share a hash are held against, the one met first before the other.
    alike: A,
    /// How many pairs were compared.
    pub(crate) compared: u64,
    /// How many may still be, of a play.
    left: u32,
    /// The depth to which positions are taken for the same; 0 where values do not depend on the past.
    depth: u32,
}

/// A position, and the step that led to it from an earlier place.
struct Place<G: Game> {
    position: G::Position,
    from: Option<(usize, StepOf<G>)>,
}

/// Where a hash was met first, and how many others that have it were compared with that.
struct Met {
    first: usize,
    compared: u32,
}

/// A fault with the way to it.
type Wrong = (Vec<String>, Fault);

impl<'a, G: Game, A: FnMut(&G::Position, &G::Position) -> Result<(), Fault>> Meetings<'a, G, A> {
    /// From `start`, beside these plays.
    pub(crate) fn new(game: &'a G, start: &'a G::Position, plays: &Plays, alike: A) -> Self {
        let (random, max_plies) = (Random::new(mix64(plays.seed)), plays.max_plies);
        let (places, met) = (Vec::new(), HashMap::new());
        Meetings { game, start, max_plies, random, places, met, alike, compared: 0, left: 0, depth: 0 }
    }

    /// Makes the play of this number and looks around in it.
    pub(crate) fn go_on(&mut self, number: u32) -> Result<(), Violation> {
        if number % REMEMBERED == 0 {
            self.places.clear();
            self.met.clear();
        }
        self.depth = if self.game.facts().depends_on_past { 1 + number % DEEPEST_PAST } else { 0 };
        let explored = self.play().and_then(|base| self.explore(base));
        explored.map_err(|(path, fault)| Violation { game: number, path, fault })
    }

    /// Makes a play and chooses a place of it.
    fn play(&mut self) -> Result<usize, Wrong> {
        self.left = PAIRS_OF_PLAY;
        let mut line = vec![self.add(self.start.clone(), None)?.0];
        for _ in 0..self.max_plies {
            let place = line[line.len() - 1];
            let Some(step) = self.random.one_of(steps(self.game, &self.places[place].position)) else {
                break;
            };
            line.push(self.follow(place, step)?.0);
        }
        Ok(line[self.random.below(line.len() as u32) as usize])
    }

    /// Looks at what a few favoured moves and outcomes lead to from a place, in all orders.
    fn explore(&mut self, base: usize) -> Result<(), Wrong> {
        self.left = PAIRS;
        let (salt, width) = (self.random.any(), 2 + self.random.below(3) as usize);
        let (most, mut queue, mut next) = (self.places.len() + PLACES, vec![base], 0);
        while next < queue.len() && self.places.len() < most {
            let place = queue[next];
            next += 1;
            for step in favoured(self.game, &self.places[place].position, salt).into_iter().take(width) {
                let (place, is_new) = self.follow(place, step)?;
                // What seems to be known is followed now and then: it may be something else.
                if is_new || self.random.below(4) == 0 {
                    queue.push(place);
                }
            }
        }
        Ok(())
    }

    /// Takes a step from a place: the new place, and whether its hash is new, too.
    fn follow(&mut self, place: usize, step: StepOf<G>) -> Result<(usize, bool), Wrong> {
        let after = step.take(self.game, &self.places[place].position);
        self.add(after, Some((place, step)))
    }

    fn add(
        &mut self,
        position: G::Position,
        from: Option<(usize, StepOf<G>)>,
    ) -> Result<(usize, bool), Wrong> {
        let hash = (self.depth, self.hash(&position, 0));
        let place = self.places.len();
        self.places.push(Place { position, from });
        let Some(met) = self.met.get_mut(&hash) else {
            self.met.insert(hash, Met { first: place, compared: 0 });
            return Ok((place, true));
        };
        if self.left > 0 && met.compared < PAIRS_OF_HASH {
            let first = met.first;
            if !self.is_same_way(first, place) {
                self.met.entry(hash).and_modify(|met| met.compared += 1);
                self.left -= 1;
                self.compare(first, place)?;
            }
        }
        Ok((place, false))
    }

    /// Whether the same step leads to two places, from positions that share a hash: then these were compared,
    /// or need not be, as the start with itself.
    fn is_same_way(&self, first: usize, second: usize) -> bool {
        match (&self.places[first].from, &self.places[second].from) {
            (Some((first, step)), Some((second, other))) => {
                let [first, second] =
                    [first, second].map(|&place| self.hash(&self.places[place].position, 0));
                first == second && written(step) == written(other)
            }
            (first, second) => first.is_none() && second.is_none(),
        }
    }

    /// Compares two places, and what the same steps lead to from both.
    fn compare(&mut self, first: usize, second: usize) -> Result<(), Wrong> {
        self.compared += 1;
        let plies = if self.depth > 0 { self.depth - 1 } else { PLIES };
        for line in 0..LINES {
            let favours = (line > 0).then(|| self.random.any());
            let [mut one, mut other] = [first, second].map(|place| self.places[place].position.clone());
            let mut path = Vec::new();
            for ply in 0..=plies {
                if let Err(fault) = if ply == 0 && line > 0 { Ok(()) } else { (self.alike)(&one, &other) } {
                    return Err(([self.path(second), path].concat(), fault));
                }
                let Some([step, same]) = self.same_step(&one, &other, favours) else { break };
                path.push(text(&step));
                (one, other) = (step.take(self.game, &one), same.take(self.game, &other));
                if self.hash(&one, ply + 1) != self.hash(&other, ply + 1) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// A step of either position that is the same as far as its place in the list tells.
    fn same_step(
        &mut self,
        one: &G::Position,
        other: &G::Position,
        favours: Option<u64>,
    ) -> Option<[StepOf<G>; 2]> {
        let list = |position| match favours {
            Some(salt) => favoured(self.game, position, salt),
            None => steps(self.game, position),
        };
        let (mut ones, mut others) = (list(one), list(other));
        if ones.len() != others.len() || ones.is_empty() {
            return None;
        }
        let width = if favours.is_some() { ones.len().min(2) } else { ones.len() };
        let chosen = self.random.below(width as u32) as usize;
        Some([ones.swap_remove(chosen), others.swap_remove(chosen)])
    }

    /// The hash by which positions are told apart, so many plies after those that were taken for the same.
    fn hash(&self, position: &G::Position, plies: u32) -> PositionHash {
        let depth = if self.depth > 0 { self.depth.saturating_sub(plies).max(1) as u8 } else { u8::MAX };
        self.game.hash_to_depth(position, depth)
    }

    /// The moves and outcomes that lead to a place.
    fn path(&self, mut place: usize) -> Vec<String> {
        let mut path = Vec::new();
        while let Some((before, step)) = &self.places[place].from {
            path.push(text(step));
            place = *before;
        }
        path.reverse();
        path
    }
}

/// The moves or outcomes of a position in an order of `salt`'s making: what comes before another one at one
/// position does so wherever there are both. They are told apart as their types write them.
fn favoured<G: Game>(game: &G, position: &G::Position, salt: u64) -> Vec<StepOf<G>> {
    let mut steps = steps(game, position);
    steps.sort_by_cached_key(|step| rank(&written(step), salt));
    steps
}

/// The place in the order of `salt`'s making of a move or an outcome that is written so.
pub(crate) fn rank(written: &str, salt: u64) -> u64 {
    written.bytes().fold(salt, |sum, byte| mix64(sum ^ u64::from(byte)))
}
