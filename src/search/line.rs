//! The principal line: how play may go on, as far as the table remembers it.

use crate::game::{Game, Kind};
use crate::search::answer::Step;
use crate::search::request::MAX_DEPTH;
use crate::search::setup::{MoveOf, NodeOf, OutcomeOf, PositionOf, Setup};
use crate::search::worker::Worker;
use crate::table::Table;

/// The line from the root: `best_move` at a decision root, the table's move at every other decision node, the
/// likeliest outcome at chance nodes. It ends where the depth does or the table knows no move.
///
/// These look-ups are not part of the search, and none of the counters counts them.
pub(super) fn principal_line<S: Setup>(
    worker: &Worker<'_, S>,
    root: NodeOf<'_, S>,
    best_move: Option<MoveOf<S>>,
) -> Vec<Step<MoveOf<S>, OutcomeOf<S>>> {
    let game = worker.game;
    let mut line = Vec::new();
    let mut position = root.position.clone();
    for depth in (1..=root.depth).rev() {
        match game.kind(&position) {
            Kind::Terminal => break,
            Kind::Decision => {
                // Only the root's move is given, and only a decision root has one.
                let given = best_move.filter(|_| depth == root.depth);
                let Some(mv) = given.or_else(|| table_move(worker, &position, depth)) else { break };
                position = game.play(&position, mv);
                line.push(Step::Move(mv));
            }
            Kind::Chance => {
                let Some(outcome) = likeliest_outcome(game, &position) else { break };
                position = game.resolve(&position, outcome);
                line.push(Step::Outcome(outcome));
            }
        }
    }
    // Outcomes that no move follows say nothing.
    let end = line.iter().rposition(|step| matches!(step, Step::Move(_))).map_or(0, |last| last + 1);
    line.truncate(end);
    line
}

/// The move that the table has for a position at this depth. Whatever the table says, it is a move of the
/// position.
fn table_move<S: Setup>(worker: &Worker<'_, S>, position: &PositionOf<S>, depth: u8) -> Option<MoveOf<S>> {
    if !worker.uses_table(Kind::Decision, depth) {
        return None;
    }
    let key = worker.keys.key(worker.game.hash(position), Kind::Decision);
    let hint = worker.table.probe(key, depth, worker.options.reuse)?.hint?;
    nth_move(worker.game, position, hint)
}

/// The move of this ordinal, where there are so many.
fn nth_move<G: Game>(game: &G, position: &G::Position, wanted: u16) -> Option<G::Move> {
    let (mut ordinal, mut found) = (0u32, None);
    game.moves(position, |mv| {
        if ordinal == u32::from(wanted) {
            found = Some(mv);
        }
        ordinal += 1;
    });
    found
}

/// The move that a search of a decision node would begin with, had it to begin without an evaluation: the
/// table's of an earlier search, at whatever depth it was, or the first that the game gives. `None` at other
/// nodes.
pub(super) fn first_move<S: Setup>(worker: &Worker<'_, S>, root: &PositionOf<S>) -> Option<MoveOf<S>> {
    if worker.game.kind(root) != Kind::Decision {
        return None;
    }
    table_move(worker, root, MAX_DEPTH as u8).or_else(|| nth_move(worker.game, root, 0))
}

/// The likeliest outcome, the first of equals; `None` where the game gives none.
fn likeliest_outcome<G: Game>(game: &G, position: &G::Position) -> Option<G::Outcome> {
    let mut likeliest: Option<(u32, G::Outcome)> = None;
    game.outcomes(position, |outcome, weight| {
        if likeliest.is_none_or(|(greatest, _)| weight > greatest) {
            likeliest = Some((weight, outcome));
        }
    });
    likeliest.map(|(_, outcome)| outcome)
}
