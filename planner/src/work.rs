//! The worker's side: from a task's path to its position, and from the position to an answer.

use crate::error::{PathError, WorkError};
use crate::task::{Answer, Identities, Task};
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind};
use starsplit::search::{Limits, SearchDepth};
use starsplit::table::Table;
use starsplit::unstable::catch;

/// The position to which a path leads from `root`: for each step the move or the outcome with that ordinal.
///
/// # Errors
/// When there is no such move or outcome, or the game is over.
pub fn position_at<G: Game>(game: &G, root: &G::Position, path: &[u32]) -> Result<G::Position, PathError> {
    let mut position = root.clone();
    for (index, &ordinal) in path.iter().enumerate() {
        let after = match game.kind(&position) {
            NodeKind::Terminal => return Err(PathError::Over { step: index + 1 }),
            NodeKind::Decision => {
                nth(ordinal, |push| game.moves(&position, push)).map(|mv| game.play(&position, mv))
            }
            NodeKind::Chance => nth(ordinal, |push| game.outcomes(&position, |outcome, _| push(outcome)))
                .map(|outcome| game.resolve(&position, outcome)),
        };
        position = after.map_err(|count| PathError::Ordinal { step: index + 1, found: ordinal, count })?;
    }
    Ok(position)
}

/// The thing with this ordinal of those that `all` gives; or how many there are.
fn nth<T>(ordinal: u32, all: impl FnOnce(&mut dyn FnMut(T))) -> Result<T, u64> {
    let (mut count, mut found) = (0u64, None);
    all(&mut |thing| {
        if count == u64::from(ordinal) {
            found = Some(thing);
        }
        count += 1;
    });
    found.ok_or(count)
}

/// Does a task: finds its position from the plan's `root` and proves what it asks, within these limits.
///
/// A task whose window has become narrower since may be stopped
/// ([`Limits::stop`]) and begun anew: what the searcher's table remembers is not
/// lost. Whatever it has proven until it was stopped is worth sending.
///
/// # Errors
/// When the path does not lead to a position of the game, and as
/// [`SearchRequest::prove`](starsplit::SearchRequest::prove).
pub fn work<G: Game, E: Evaluator<G>, T: Table>(
    searcher: &Searcher<G, E, T>,
    root: &G::Position,
    task: &Task,
    limits: &Limits,
) -> Result<Answer, WorkError> {
    let Task { key, window } = task;
    let position = catch(|| position_at(searcher.game(), root, &key.path))??;
    let proof = searcher
        .request(&position)
        .limits(Limits { depth: SearchDepth::Plies(key.depth.into()), ..limits.clone() })
        .prove(*window)?;
    let identities = Identities::new(searcher.game(), searcher.evaluator(), searcher.options().reuse);
    let (nodes, contradictions) = (proof.stats.nodes.total(), proof.contradictions());
    Ok(Answer { key: key.clone(), bounds: proof.bounds, nodes, contradictions, identities })
}
