//! How the conformance kit checks the bounds that a game offers of outcomes, in games that go wrong further
//! down and in games too large to work everything out.

use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash};
use starsplit::score::{Bounds, Grid, Score};
use starsplit_testkit::{Fault, Plays, Report, Violation, check_game};

const LIMIT: Score = 100;

/// What there is two plies below the start.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Below {
    /// The end, a draw.
    End,
    NoMoves,
    NoOutcomes,
    ZeroWeight,
    /// Weights that 32 bits cannot sum, so many that 64 bits cannot sum them times a score.
    HeavyWeights,
}

/// A chance node with two outcomes, each with moves that lead to something.
struct Fork {
    /// How many moves the first outcome allows; the second allows one.
    moves: u32,
    below: Below,
    /// The bounds of both outcomes, by depth.
    offered: Vec<[Bounds; 2]>,
}

fn fork(moves: u32, below: Below, offered: impl Fn(u8) -> [Bounds; 2]) -> Fork {
    Fork { moves, below, offered: (0..=u8::MAX).map(offered).collect() }
}

/// The ply and a number.
type Place = (u8, u32);

impl Game for Fork {
    type Position = Place;
    type Move = u32;
    type Outcome = u32;

    fn identity(&self) -> u64 {
        0
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::with_limit(-1.0, 1.0, LIMIT).expect("a grid"))
    }

    fn kind(&self, &(ply, _): &Place) -> NodeKind {
        match (ply, self.below) {
            (0, _) | (2, Below::NoOutcomes | Below::ZeroWeight | Below::HeavyWeights) => NodeKind::Chance,
            (1, _) | (2, Below::NoMoves) => NodeKind::Decision,
            _ => NodeKind::Terminal,
        }
    }

    fn player(&self, _: &Place) -> Player {
        Player::Max
    }

    fn terminal_score(&self, _: &Place) -> Score {
        0
    }

    fn hash(&self, &(ply, number): &Place) -> PositionHash {
        PositionHash::from(u128::from(ply) << 64 | u128::from(number))
    }

    fn moves(&self, &(ply, number): &Place, push: impl FnMut(u32)) {
        let moves = match (ply, number) {
            (1, 0) => self.moves,
            (1, _) => 1,
            _ => 0,
        };
        (0..moves).for_each(push);
    }

    fn play(&self, &(ply, number): &Place, mv: u32) -> Place {
        (ply + 1, 100_000 * number + mv)
    }

    fn outcomes(&self, &(ply, _): &Place, mut push: impl FnMut(u32, u32)) {
        match (ply, self.below) {
            (0, _) => (0..2).for_each(|outcome| push(outcome, 1)),
            (_, Below::ZeroWeight) => push(0, 0),
            (_, Below::HeavyWeights) => (0..1 << 10).for_each(|outcome| push(outcome, u32::MAX)),
            _ => {}
        }
    }

    fn resolve(&self, &(ply, _): &Place, outcome: u32) -> Place {
        (ply + 1, outcome)
    }

    fn outcome_bounds(&self, &(ply, _): &Place, depth: u8, push: impl FnMut(Bounds)) {
        if ply == 0 {
            self.offered[usize::from(depth)].into_iter().for_each(push);
        }
    }
}

/// Checks the game with a few plays from the start.
fn check(game: &Fork) -> Result<Report, Violation> {
    check_game(game, &(0, 0), &Plays { games: 3, max_plies: 4, seed: 1 })
}

#[test]
fn a_fault_below_a_sound_chance_node_is_told_as_what_it_is() {
    let heavy = u64::from(u32::MAX) << 10;
    let faults = [
        (Below::NoMoves, Fault::NoMoves),
        (Below::NoOutcomes, Fault::NoOutcomes),
        (Below::ZeroWeight, Fault::ZeroWeight { outcome: "0".to_owned() }),
        (Below::HeavyWeights, Fault::WeightSum { sum: heavy }),
    ];
    for (below, expected) in faults {
        // From depth 3 on, the check looks two plies below the start.
        let lower = |depth| if depth > 2 { 1 - LIMIT } else { -LIMIT };
        let game = fork(1, below, |depth| [Bounds::new(lower(depth), LIMIT); 2]);
        let violation = check(&game).expect_err("the fault is found");
        assert_eq!((violation.path.len(), violation.fault), (2, expected), "{below:?}");
    }
}

/// So many moves are too many to try them all.
const MANY: u32 = 5_000;

#[test]
fn one_large_outcome_leaves_the_bounds_of_the_others_to_be_checked() {
    let with_second = |second| fork(MANY, Below::End, move |_| [Bounds::new(-LIMIT, 5), second]);
    let report = check(&with_second(Bounds::exactly(0))).expect("the bounds hold");
    // Depths 2 to 5, once, of either outcome.
    assert_eq!((report.bounds_checked, report.bounds_unchecked), (4, 4), "{report}");
    assert!(report.to_string().contains(" 4 bounds (4 more unchecked)\n"), "{report}");

    let violation = check(&with_second(Bounds::exactly(1))).expect_err("they do not");
    let (offered, possible) = (Bounds::exactly(1), Bounds::exactly(0));
    let expected = Fault::OutcomeBounds { outcome: "outcome 1".to_owned(), depth: 2, offered, possible };
    assert_eq!(violation.fault, expected);
}

#[test]
fn bounds_off_the_grid_or_crossed_are_caught_below_large_outcomes_and_at_great_depths() {
    let above = |depth: u8, least: u8| Bounds::new(-LIMIT, LIMIT + Score::from(depth >= least));
    let offers: [(&dyn Fn(u8) -> Bounds, u8); 6] = [
        (&|_| Bounds::exactly(LIMIT + 1), 2),
        (&|_| Bounds::new(-LIMIT - 1, LIMIT), 2),
        (&|_| Bounds::new(i32::MIN, i32::MAX), 2),
        (&|_| Bounds::new(1, 0), 2),
        (&|depth| above(depth, 6), 6),
        (&|depth| above(depth, 50), 100),
    ];
    for (offer, depth) in offers {
        let game = fork(MANY, Below::End, |depth| [offer(depth), Bounds::unknown(LIMIT)]);
        let violation = check(&game).expect_err("they are caught");
        let (outcome, offered) = ("outcome 0".to_owned(), offer(depth));
        let expected = Fault::OutcomeBoundsForm { outcome, depth, offered, limit: LIMIT };
        assert_eq!(violation.fault, expected);
    }
}
