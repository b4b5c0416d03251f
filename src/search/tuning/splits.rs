//! From which depth on, and from which size on, searches are split among threads.
//!
//! A split is worth its while where what is split takes some twenty microseconds. How deep that is, the last
//! iteration tells: its tree grew by about the same factor with each ply. How many nodes it is follows from
//! what a node has cost.

use crate::search::peers::Peers;
use crate::search::request::Options;
use crate::search::setup::Setup;
use crate::search::worker::Worker;

/// What a search must cost to be split, in nanoseconds.
const LEAST_NS: f64 = 20e3;

/// Iterations of fewer nodes tell nothing.
const LEAST_NODES: u64 = 64;

/// What is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Granularity {
    /// The least depth of a node whose successors are; see [`Options::split_depth`].
    pub(crate) depth: u8,
    /// The least size of a search that is, in nodes; see [`Options::split_size`].
    pub(crate) size: u64,
}

impl Granularity {
    /// What the options say, and what is usual before anything is known.
    pub(crate) fn new(options: &Options) -> Self {
        Granularity {
            depth: options.split_depth.unwrap_or(7).max(2),
            size: options.split_size.unwrap_or(400),
        }
    }

    /// What follows, where the options leave it to the search, from an iteration to `depth` that took so many
    /// nodes of such a price each.
    fn after(options: &Options, depth: u8, nodes: u64, price_each: f64) -> Self {
        let usual = Granularity::new(options);
        if nodes < LEAST_NODES {
            return usual;
        }
        let size = (LEAST_NS / price_each.max(1.0)).max(1.0);
        // nodes = growth ^ depth, and size = growth ^ least.
        let least = (f64::from(depth) * size.ln() / (nodes as f64).ln()).ceil();
        Granularity {
            depth: if options.split_depth.is_some() { usual.depth } else { least.clamp(2.0, 254.0) as u8 },
            size: options.split_size.unwrap_or(size as u64),
        }
    }

    /// As one word, which is never 0.
    pub(in crate::search) fn pack(self) -> u64 {
        self.size.min(u64::MAX >> 8) << 8 | u64::from(self.depth)
    }

    /// What [`pack`](Self::pack) made the word of; nothing of 0.
    pub(in crate::search) fn unpack(word: u64) -> Option<Self> {
        (word != 0).then_some(Granularity { depth: word as u8, size: word >> 8 })
    }
}

impl<S: Setup> Worker<'_, S> {
    /// An iteration to this depth has ended, before which all workers had reported so many nodes: chooses
    /// what is split in the next.
    pub(in crate::search) fn choose_splits(&mut self, depth: u8, before: u64) {
        if self.options.splits() {
            self.report_nodes();
            let nodes = self.control.nodes().saturating_sub(before);
            let price_each = self.price() as f64 / self.stats.nodes.total().max(1) as f64;
            let chosen = Granularity::after(self.options, depth, nodes, price_each);
            self.control.publish_granularity(chosen);
        }
    }

    /// Splits as was chosen last. To be called where this worker is above all split points and links, for
    /// what is noted on the way down depends on it.
    pub(crate) fn adopt_granularity(&mut self) {
        if let Some(granularity) = self.control.granularity()
            && let Some(peers) = &mut self.peers
            && peers.granularity() != granularity
        {
            peers.set_granularity(granularity);
            self.mind_others();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_split_takes_as_long_in_every_game() {
        let options = Options::default();
        let after = |depth, nodes, each| Granularity::after(&options, depth, nodes, each);
        // Dice, backgammon, and an evaluation of five microseconds in either.
        assert_eq!(after(9, 15_000, 55.0), Granularity { depth: 6, size: 363 });
        assert_eq!(after(3, 1_400, 45.0), Granularity { depth: 3, size: 444 });
        assert_eq!(after(9, 15_000, 5_000.0).depth, 2);
        assert_eq!(after(3, 1_400, 5_000.0), Granularity { depth: 2, size: 4 });
        assert_eq!(after(3, 10, 55.0), Granularity::new(&options), "too little to tell");
    }

    #[test]
    fn what_the_options_say_stays() {
        let options = Options { split_depth: Some(5), split_size: Some(0), ..Options::default() };
        assert_eq!(Granularity::after(&options, 9, 15_000, 55.0), Granularity { depth: 5, size: 0 });
        let options = Options { split_depth: Some(0), ..Options::default() };
        assert_eq!(Granularity::after(&options, 9, 15_000, 55.0).depth, 2);
    }

    #[test]
    fn a_granularity_goes_through_a_word() {
        assert_eq!(Granularity::unpack(0), None);
        for granularity in [Granularity { depth: 2, size: 0 }, Granularity { depth: 254, size: 1 << 40 }] {
            assert_eq!(Granularity::unpack(granularity.pack()), Some(granularity));
        }
    }
}
