//! Null and narrow windows at chance nodes: what is left of a node's window, its slack, is shared out among
//! the successors by probability, and each is asked to prove that it stays within its share.
//!
//! To show that the node is worth alpha or less, the weighted sum of the upper bounds has to come down to a
//! threshold. The slack is that threshold less the sum of the lower bounds; each successor may lie above
//! its lower bound by the slack over the sum of the weights that are left. What one leaves of its share,
//! the others get. A successor that does not stay within its share is searched again in Star1's window. The
//! same is done upside down for beta.

use super::chance::{End, OpenChance};
use super::search::{Breadth, OwnSearch};
use super::table::NodeKey;
use crate::windows::way::{Side, Slack};
use starsplit::game::Game;
use starsplit::score::{Score, Window};

impl<G: Game> OwnSearch<'_, G> {
    /// Asks the successors for their shares, where that is wanted and the node's window leaves any.
    pub(super) fn share_slack(&mut self, node: &NodeKey, open: &mut OpenChance<G::Position>) {
        let Some(slack) = self.inner.slack else { return };
        if open.depth < slack.depth || open.sums.is_cut() {
            return;
        }
        if let Some(end) = self.end_to_prove(slack.side, node, open) {
            self.ask_for_shares(end, slack, open);
        }
    }

    /// Which end is tried: not one that is the grid's, which no value goes beyond.
    fn end_to_prove(&mut self, side: Side, node: &NodeKey, open: &OpenChance<G::Position>) -> Option<End> {
        let Window { alpha, beta } = open.window;
        let end = match side {
            Side::Low => Some(End::Alpha),
            Side::High => Some(End::Beta),
            Side::Expected => {
                let last = open.depth.checked_sub(2).map(|depth| self.look_up(node, depth))?;
                match () {
                    () if last.upper <= alpha => Some(End::Alpha),
                    () if last.lower >= beta => Some(End::Beta),
                    () => None,
                }
            }
        };
        end.filter(|&end| self.is_in_reach(end, open.window))
    }

    fn ask_for_shares(&mut self, end: End, slack: Slack, open: &mut OpenChance<G::Position>) {
        let is_open =
            |open: &OpenChance<G::Position>, index: usize| !open.successors[index].bounds.is_exact();
        let asked: Vec<usize> = (0..open.successors.len()).filter(|&index| is_open(open, index)).collect();
        let mut left: i64 = asked.iter().map(|&index| i64::from(open.successors[index].weight)).sum();
        // By how much those asked before may still lie above their lower bounds.
        let mut spent = 0;
        for index in asked {
            let room = match end {
                End::Alpha => open.sums.within - open.sums.lower,
                End::Beta => open.sums.upper - open.sums.reach,
            } - spent;
            if room < 0 || self.is_halted {
                return;
            }
            let weight = i64::from(open.successors[index].weight);
            self.ask_for_share(end, slack.is_null, open, index, room / left);
            if open.sums.is_cut() {
                return;
            }
            let known = open.successors[index].bounds;
            spent += weight * i64::from(known.upper - known.lower);
            left -= weight;
        }
    }

    /// Asks a successor to stay within `share` of its lower bound, and searches it again where it does not.
    fn ask_for_share(
        &mut self,
        end: End,
        is_null: bool,
        open: &mut OpenChance<G::Position>,
        index: usize,
        share: i64,
    ) {
        let (known, full) = (end.bounds(open.successors[index].bounds), open.window_for(index));
        let usual = end.window(full);
        let most = i64::from(known.lower) + share;
        if most >= i64::from(known.upper) {
            return; // it does so as it is
        }
        let most = (most as Score).max(usual.alpha);
        if most >= usual.beta {
            return; // Star1's window asks for less
        }
        let narrow = Window::new(most, if is_null { most + 1 } else { usual.beta });
        if narrow == usual {
            return;
        }
        self.search_narrowed(open, index, (end.window(narrow), full));
        let found = open.successors[index].bounds;
        if end.bounds(found).lower > most && open.successors[index].was_narrowed && !open.sums.is_cut() {
            self.counts.re_searches += 1;
            open.successors[index].was_narrowed = false;
            self.search_successor(open, index, open.window_for(index), Breadth::All);
        }
    }
}
