//! What the hashes of a random graph look like.

use starsplit::evaluator::mix64;
use starsplit::game::{NodeKind, Player, PositionHash};

/// The form of a [`RandomGraph`](crate::RandomGraph)'s hashes: different ones for all positions in every
/// form, as all 128 bits tell positions apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HashForm {
    /// Both halves look random.
    #[default]
    Mixed,
    /// The position's number in the high half, its kind and player in the low one.
    Packed,
    /// The position's number in base 8: the last digit in the low half, the others in the high one. Neither
    /// half tells positions apart alone.
    Divided,
    /// Random bits in the high half, 0 in the low one.
    HighOnly,
    /// Random bits in the low half, 0 in the high one.
    LowOnly,
    /// The position's number in the low half, 0 in the high one.
    Counter,
    /// The position's number in both halves.
    SameHalves,
}

/// How many positions share a high half of [`HashForm::Divided`].
const DIVISOR: u64 = 8;

impl HashForm {
    /// Every form.
    pub const ALL: [HashForm; 7] = [
        HashForm::Mixed,
        HashForm::Packed,
        HashForm::Divided,
        HashForm::HighOnly,
        HashForm::LowOnly,
        HashForm::Counter,
        HashForm::SameHalves,
    ];

    /// The form that `seed` stands for, each as likely. What else is drawn by the seed does not depend on it.
    pub fn drawn_by(seed: u64) -> Self {
        let drawn = mix64(mix64(0x666f_726d ^ seed)) % HashForm::ALL.len() as u64;
        HashForm::ALL[drawn as usize]
    }

    /// What this form adds to the identity of a graph: two games that share a table need different ones,
    /// since one may have the other's hashes.
    pub(crate) fn salt(self) -> u64 {
        if self == HashForm::Mixed { 0 } else { mix64(0x7361_6c74 ^ self as u64) }
    }

    /// The hash of the position with this number, of a graph made from `seed`.
    #[inline]
    pub(crate) fn hash(self, seed: u64, index: u32, kind: NodeKind, player: Player) -> PositionHash {
        let index = u64::from(index);
        let bits = || mix64(seed ^ mix64(index + 1));
        match self {
            HashForm::Mixed => PositionHash { high: bits(), low: mix64(bits() ^ 0x6c6f_7720_6861_6c66) },
            HashForm::Packed => PositionHash { high: index, low: (kind as u64) << 1 | player as u64 },
            HashForm::Divided => PositionHash { high: index / DIVISOR, low: index % DIVISOR },
            HashForm::HighOnly => PositionHash { high: bits(), low: 0 },
            HashForm::LowOnly => PositionHash { high: 0, low: bits() },
            HashForm::Counter => PositionHash { high: 0, low: index },
            HashForm::SameHalves => PositionHash::from(index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        EdgePlies, GraphGame, GraphPosition, GraphShape, PliedGraph, RandomGraph, RewardedGraph, Rewards,
    };
    use starsplit::game::{Game, Step};
    use std::collections::HashSet;

    const POSITIONS: u32 = 2_000;

    fn graph(form: HashForm) -> RandomGraph {
        let shape = GraphShape { positions: POSITIONS, ..GraphShape::default() };
        RandomGraph::new(&shape, 3).expect("the shape is within its limits").with_hashes(form)
    }

    /// How many different high halves, low halves and whole hashes there are.
    fn different(form: HashForm) -> [usize; 3] {
        let graph = graph(form);
        let hashes: Vec<PositionHash> = graph.positions().map(|position| graph.hash(&position)).collect();
        let halves = |half: fn(&PositionHash) -> u64| hashes.iter().map(half).collect::<HashSet<_>>().len();
        [halves(|hash| hash.high), halves(|hash| hash.low), hashes.iter().collect::<HashSet<_>>().len()]
    }

    #[test]
    fn each_form_has_as_many_different_halves_as_it_says() {
        let all = POSITIONS as usize;
        let divisor = DIVISOR as usize;
        for (form, high, low) in [
            (HashForm::Mixed, all, all),
            (HashForm::Packed, all, 6),
            (HashForm::Divided, all / divisor, divisor),
            (HashForm::HighOnly, all, 1),
            (HashForm::LowOnly, 1, all),
            (HashForm::Counter, 1, all),
            (HashForm::SameHalves, all, all),
        ] {
            assert_eq!(different(form), [high, low, all], "{form:?}");
        }
    }

    #[test]
    fn hashes_hold_what_their_form_says() {
        for position in graph(HashForm::Mixed).positions().take(20) {
            let hash = |form| graph(form).hash(&position);
            let number = u64::from(position.index);
            assert_eq!(hash(HashForm::Packed).high, number);
            assert_eq!(hash(HashForm::Divided), PositionHash { high: number / 8, low: number % 8 });
            assert_eq!(hash(HashForm::HighOnly).low, 0);
            assert_eq!(hash(HashForm::LowOnly).high, 0);
            assert_eq!(hash(HashForm::HighOnly).high, hash(HashForm::LowOnly).low);
            assert_eq!(hash(HashForm::Counter), PositionHash { high: 0, low: number });
            assert_eq!(hash(HashForm::SameHalves), PositionHash { high: number, low: number });
        }
    }

    /// Everything drawn at a position: its kind, and where its moves or outcomes lead, with what weights,
    /// rewards and plies.
    fn drawn<G: GraphGame>(game: &G, position: &GraphPosition) -> String {
        let mut edges = Vec::new();
        match game.kind(position) {
            NodeKind::Terminal => {}
            NodeKind::Decision => game.moves(position, |mv| edges.push((Step::Move(mv), 1))),
            NodeKind::Chance => game.outcomes(position, |o, weight| edges.push((Step::Outcome(o), weight))),
        }
        let edges = edges.into_iter().map(|(step, weight)| {
            let after = step.take(game, position);
            (after, weight, game.reward(position, step, &after), game.plies(position, step, &after))
        });
        format!("{:?} {:?}", game.kind(position), edges.collect::<Vec<_>>())
    }

    #[test]
    fn a_form_changes_hashes_and_identities_and_nothing_else() {
        let rewards = Rewards { move_percent: 50, outcome_percent: 50, most: 8 };
        let plies = EdgePlies { none_percent: 40, more_percent: 40, most: 6 };
        let games = HashForm::ALL.map(|form| {
            let rewarded = RewardedGraph::new(graph(form), rewards).expect("rewards within their limits");
            PliedGraph::new(rewarded, plies).expect("plies within their limits")
        });
        let [plain, ..] = &games;
        for game in &games {
            for position in plain.graph().positions() {
                assert_eq!(drawn(game, &position), drawn(plain, &position));
            }
        }
        let identities: HashSet<u64> =
            games.iter().flat_map(|game| [game.identity(), game.graph().identity()]).collect();
        assert_eq!(identities.len(), 2 * games.len());
    }

    #[test]
    fn every_form_is_drawn() {
        let mut counts = HashForm::ALL.map(|form| (form, 0));
        for seed in 0..7_000 {
            let drawn = HashForm::drawn_by(seed);
            counts.iter_mut().filter(|(form, _)| *form == drawn).for_each(|(_, count)| *count += 1);
        }
        assert!(counts.iter().all(|(_, count)| (900..1_100).contains(count)), "{counts:?}");
    }
}
