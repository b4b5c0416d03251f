//! Perft: how many lines of play there are, which tells whether rules are as another program has them.

use starsplit::game::{Game, NodeKind};

/// How many lines of exactly `depth` plies begin at `position`, a move and an outcome being a ply each. A
/// line that ended earlier counts nothing.
///
/// Takes time in proportion to the lines of `depth - 1` plies. `None` when `goes_on`, which is asked at every
/// position more than one ply above the end, says no.
pub fn perft<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    goes_on: &mut impl FnMut() -> bool,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth == 1 {
        return Some(successors(game, position));
    }
    if !goes_on() {
        return None;
    }
    let mut lines = 0;
    match game.kind(position) {
        NodeKind::Terminal => {}
        NodeKind::Decision => {
            let mut moves = Vec::new();
            game.moves(position, |mv| moves.push(mv));
            for mv in moves {
                lines += perft(game, &game.play(position, mv), depth - 1, goes_on)?;
            }
        }
        NodeKind::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(position, |outcome, _| outcomes.push(outcome));
            for outcome in outcomes {
                lines += perft(game, &game.resolve(position, outcome), depth - 1, goes_on)?;
            }
        }
    }
    Some(lines)
}

/// How many moves or outcomes a position has.
fn successors<G: Game>(game: &G, position: &G::Position) -> u64 {
    let mut count = 0;
    match game.kind(position) {
        NodeKind::Terminal => {}
        NodeKind::Decision => game.moves(position, |_| count += 1),
        NodeKind::Chance => game.outcomes(position, |_, _| count += 1),
    }
    count
}
