//! Whether an evaluation depends on those that are made in the same call.

use super::violation::Fault;
use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::score::Score;

/// How many positions are evaluated in one call: alone, few, an odd number, and as many as a batch has.
const SIZES: [usize; 6] = [1, 2, 3, 7, 16, 64];

/// Evaluates these positions, which have this evaluation each where they are evaluated alone, in calls of
/// several sizes: each with others before and after it, and with itself where there are too few.
///
/// # Errors
/// The first evaluation that is another one in company.
pub(crate) fn check_company<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    positions: &[(G::Position, E::State, Score)],
) -> Result<(), Fault> {
    for (turn, size) in SIZES.into_iter().enumerate() {
        // From another one on each time, so that each comes to stand in other places.
        let company: Vec<_> = positions.iter().cycle().skip(turn).take(size).collect();
        if company.is_empty() {
            return Ok(());
        }
        let nodes: Vec<_> = company.iter().map(|(position, state, _)| (position, state)).collect();
        let mut scores = vec![0; size];
        evaluator
            .evaluate_many(game, &nodes, &mut scores)
            .map_err(|error| Fault::NotEvaluated { size, error })?;
        let wrong = company.iter().zip(scores).enumerate().find(|(_, ((_, _, alone), score))| alone != score);
        if let Some((place, (&&(_, _, alone), together))) = wrong {
            return Err(Fault::Company { size, place, together, alone });
        }
    }
    Ok(())
}
