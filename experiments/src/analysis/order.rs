//! Whether the order in which contenders came favours any of them.

use serde::Serialize;
use std::collections::BTreeMap;

/// After how many rounds of [`in_turn`](crate::runner::turns::in_turn) the order of `count` contenders begins
/// anew, and is balanced: the count, or twice an odd count.
pub fn rounds_to_balance(count: usize) -> usize {
    if count % 2 == 1 && count > 1 { 2 * count } else { count }
}

/// How often contenders came right after each other. A block is a round of one position, in which each has
/// one turn.
///
/// The order is balanced if each comes right after each other one equally often, and in each place of a block
/// equally often: then what one leaves behind in caches, clock and heat falls to all alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Order {
    /// How many contenders there are.
    pub contenders: usize,
    /// How many blocks all of them have come to.
    pub blocks: usize,
    /// Whether it is balanced over all blocks.
    pub over_all: bool,
    /// Whether it is balanced over those of each position by itself.
    pub at_each: bool,
    /// How often the pair came that came least often, one right after the other.
    pub fewest: usize,
    /// How often the pair came that came most often.
    pub most: usize,
    /// How many rounds of a position balance the order there; they do if there are a multiple of it.
    pub rounds_to_balance: usize,
}

impl Order {
    /// Of blocks: the position of each, and who came in it, in that order. Those in which somebody is missing
    /// do not count.
    pub(crate) fn of<'t>(contenders: usize, blocks: impl Iterator<Item = (usize, &'t [usize])>) -> Self {
        let mut all = Tally::new(contenders);
        let mut positions: BTreeMap<usize, Tally> = BTreeMap::new();
        let mut count = 0;
        for (position, turns) in blocks.filter(|(_, turns)| turns.len() == contenders) {
            count += 1;
            all.add(turns);
            positions.entry(position).or_insert_with(|| Tally::new(contenders)).add(turns);
        }
        let (fewest, most) = all.pairs();
        Order {
            contenders,
            blocks: count,
            over_all: all.is_balanced(),
            at_each: positions.values().all(Tally::is_balanced),
            fewest,
            most,
            rounds_to_balance: rounds_to_balance(contenders),
        }
    }

    /// Whether it is balanced over all blocks.
    pub fn is_balanced(&self) -> bool {
        self.over_all
    }

    /// In words, beginning with yes or no.
    pub(crate) fn words(&self) -> String {
        let Order { contenders, blocks, fewest, most, rounds_to_balance, .. } = self;
        match (self.over_all, self.at_each) {
            _ if *contenders < 2 => "one contender alone".to_owned(),
            (true, true) => "balanced at every position".to_owned(),
            (true, false) => {
                format!("balanced over all positions (at each by itself after {rounds_to_balance} rounds)")
            }
            (false, _) => format!(
                "not balanced ({contenders} contenders took turns {blocks} times, and a multiple of \
                 {rounds_to_balance} would do: each came right after each other one {fewest} to {most} times)"
            ),
        }
    }
}

/// How often who came after whom, and in which place.
struct Tally {
    contenders: usize,
    follows: Vec<usize>,
    places: Vec<usize>,
}

impl Tally {
    fn new(contenders: usize) -> Self {
        let squares = vec![0; contenders * contenders];
        Tally { contenders, follows: squares.clone(), places: squares }
    }

    fn add(&mut self, turns: &[usize]) {
        for pair in turns.windows(2) {
            self.follows[pair[0] * self.contenders + pair[1]] += 1;
        }
        for (place, &contender) in turns.iter().enumerate() {
            self.places[place * self.contenders + contender] += 1;
        }
    }

    /// How often the rarest and the most frequent pair came; nobody comes after itself.
    fn pairs(&self) -> (usize, usize) {
        let is_pair = |&(number, _): &(usize, &usize)| number / self.contenders != number % self.contenders;
        let pairs = || self.follows.iter().enumerate().filter(is_pair).map(|(_, &times)| times);
        (pairs().min().unwrap_or_default(), pairs().max().unwrap_or_default())
    }

    fn is_balanced(&self) -> bool {
        let (fewest, most) = self.pairs();
        fewest == most && self.places.windows(2).all(|pair| pair[0] == pair[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::turns::in_turn;

    /// The order of a contest of so many contenders, positions and rounds.
    fn contest(contenders: usize, positions: usize, rounds: usize) -> Order {
        let places = (0..rounds).flat_map(|round| (0..positions).map(move |position| (position, round)));
        let blocks: Vec<(usize, Vec<usize>)> = places
            .map(|(position, round)| (position, in_turn(contenders, position * rounds + round).collect()))
            .collect();
        Order::of(contenders, blocks.iter().map(|(position, turns)| (*position, turns.as_slice())))
    }

    #[test]
    fn contests_are_balanced_where_their_rounds_suffice_and_nearly_where_they_do_not() {
        for contenders in 1..=8 {
            let cycle = rounds_to_balance(contenders);
            for (positions, rounds) in (1..=9).flat_map(|positions| (1..=20).map(move |r| (positions, r))) {
                let order = contest(contenders, positions, rounds);
                assert_eq!(order.blocks, positions * rounds);
                assert_eq!(order.over_all, positions * rounds % cycle == 0, "{order:?}");
                assert_eq!(order.at_each, rounds % cycle == 0, "{order:?}");
                assert!(order.most - order.fewest <= 2, "{order:?}");
            }
        }
    }

    #[test]
    fn one_order_again_and_again_is_not_balanced_and_parts_of_blocks_do_not_count() {
        let blocks = [(0, &[0, 1, 2][..]), (0, &[0, 1, 2]), (0, &[2, 1])];
        let order = Order::of(3, blocks.into_iter());
        assert_eq!((order.blocks, order.over_all, order.fewest, order.most), (2, false, 0, 2));
        assert!(order.words().starts_with("not balanced ("), "{}", order.words());
        // Each after each other one, but always the same in the middle.
        let places = [(0, &[0, 1, 2][..]), (0, &[2, 1, 0])];
        assert!(!Order::of(3, places.into_iter()).over_all);
        let order = contest(3, 2, 3);
        assert!(order.over_all && !order.at_each && order.words().contains("after 6 rounds"), "{order:?}");
        assert!(contest(1, 1, 1).words().starts_with("one contender"));
    }
}
