//! What a search sees of a position, one step on: positions that share a hash have to agree in all of it.

use super::plays::steps;
use super::violation::Fault;
use starsplit::game::{Game, NodeKind, Player, PositionHash};
use starsplit::score::Score;

/// What a position says of itself.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Outline {
    kind: NodeKind,
    player: Player,
    pub(crate) terminal_score: Option<Score>,
    pub(crate) full_depth: Option<u32>,
}

impl Outline {
    pub(crate) fn of<G: Game>(game: &G, position: &G::Position) -> Self {
        let kind = game.kind(position);
        Outline {
            kind,
            player: game.player(position),
            terminal_score: (kind == NodeKind::Terminal).then(|| game.terminal_score(position)),
            full_depth: game.full_depth(position),
        }
    }

    /// The fault that two positions with this hash have these outlines, where they differ.
    pub(crate) fn compare(&self, second: &Outline, hash: PositionHash) -> Result<(), Fault> {
        let shared = |what, first, second| Err(Fault::HashShared { hash, what, first, second });
        if self == second {
            Ok(())
        } else if self.kind != second.kind {
            shared("kind", format!("{:?}", self.kind), format!("{:?}", second.kind))
        } else if self.player != second.player {
            shared("player", format!("{:?}", self.player), format!("{:?}", second.player))
        } else if self.terminal_score != second.terminal_score {
            let text = |score: Option<Score>| score.map_or_else(String::new, |score| score.to_string());
            shared("terminal score", text(self.terminal_score), text(second.terminal_score))
        } else {
            shared("full depth", format!("{:?}", self.full_depth), format!("{:?}", second.full_depth))
        }
    }
}

/// A position's moves or outcomes, with their weights, where they lead, their rewards and their plies.
#[derive(Clone)]
pub(crate) struct Listing {
    pub(crate) texts: Vec<String>,
    pub(crate) hashes: Vec<PositionHash>,
    pub(crate) rewards: Vec<Score>,
    pub(crate) plies: Vec<u8>,
}

impl Listing {
    /// The listing of a position of which nothing is checked.
    pub(crate) fn of<G: Game>(game: &G, position: &G::Position) -> Self {
        let (steps, texts) = (steps(game, position), texts(game, position));
        let mut listing = Listing { texts, hashes: Vec::new(), rewards: Vec::new(), plies: Vec::new() };
        for step in &steps {
            let after = step.take(game, position);
            listing.hashes.push(game.hash(&after));
            if G::STEPS.rewards {
                listing.rewards.push(game.reward(position, *step, &after));
            }
            if G::STEPS.plies {
                listing.plies.push(game.plies(position, *step, &after));
            }
        }
        listing
    }

    /// The fault that two positions with this hash have these listings, where they differ.
    pub(crate) fn compare(&self, second: &Listing, hash: PositionHash) -> Result<(), Fault> {
        let shared = |what, first, second| Err(Fault::HashShared { hash, what, first, second });
        if self.texts != second.texts {
            shared("moves or outcomes", format!("{:?}", self.texts), format!("{:?}", second.texts))
        } else if self.hashes != second.hashes {
            shared("successors' hashes", format!("{:x?}", self.hashes), format!("{:x?}", second.hashes))
        } else if self.rewards != second.rewards {
            shared("rewards", format!("{:?}", self.rewards), format!("{:?}", second.rewards))
        } else if self.plies != second.plies {
            shared("plies", format!("{:?}", self.plies), format!("{:?}", second.plies))
        } else {
            Ok(())
        }
    }
}

/// A position's moves as their types write them, or its outcomes with their weights.
fn texts<G: Game>(game: &G, position: &G::Position) -> Vec<String> {
    let mut texts = Vec::new();
    match game.kind(position) {
        NodeKind::Terminal => {}
        NodeKind::Decision => game.moves(position, |mv| texts.push(format!("{mv:?}"))),
        NodeKind::Chance => {
            game.outcomes(position, |outcome, weight| texts.push(format!("{outcome:?} (weight {weight})")))
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions are one where all bits of their hashes are equal, whichever half the others are in.
    #[test]
    fn successors_whose_hashes_differ_in_either_half_are_not_the_same() {
        let leads_to = |hash| Listing {
            texts: vec!["0".to_owned()],
            hashes: vec![PositionHash { high: 1, low: 1 }, hash],
            rewards: Vec::new(),
            plies: Vec::new(),
        };
        let own = PositionHash { high: 5, low: 6 };
        let is_same = |hash| leads_to(own).compare(&leads_to(hash), own).is_ok();
        assert!(is_same(own));
        assert!(!is_same(PositionHash { low: 7, ..own }) && !is_same(PositionHash { high: 7, ..own }));
    }
}
