//! Where a move has to be chosen: suites have positions before a roll, which have no best move.

use crate::matches::rolls::{self, Purpose};
use crate::question::door::Entry;
use crate::question::play::AnyPlay;
use anyhow::Context;
use starsplit::game::NodeKind;

/// How often it is rolled anew where there is nothing to choose.
const ROLLS: u64 = 64;

/// The position itself where somebody has to choose between moves; else one to which chance leads from there,
/// drawn from the seed and the position's number, none where there is nothing to choose.
pub(super) fn with_a_choice(
    play: &dyn AnyPlay,
    entry: &Entry,
    (seed, number): (u64, u64),
) -> anyhow::Result<Option<Entry>> {
    let mut drawn = 0;
    for _ in 0..ROLLS {
        let mut position = entry.clone();
        while play.kind(&position)? == NodeKind::Chance {
            let outcomes = play.outcomes(&position)?;
            let bits = rolls::bits(seed, Purpose::Rolls, number, drawn);
            let place = rolls::outcome(bits, &outcomes);
            let place = place.with_context(|| format!("position {}: no outcomes", position.text))?;
            position = play.resolve(&position, place)?.after;
            drawn += 1;
        }
        if play.kind(&position)? == NodeKind::Decision && play.moves(&position)?.len() > 1 {
            return Ok(Some(position));
        }
        if drawn == 0 {
            break;
        }
    }
    Ok(None)
}
