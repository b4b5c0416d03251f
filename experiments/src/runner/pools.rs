//! The threads of a contest's contenders, started before anything is measured.

use crate::runner::pinning::Pinning;
use starsplit::Pool;
use starsplit::search::{Method, SearchError};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Pools of threads by their size.
///
/// Contenders share one, the largest, so that none pays for threads of its own. Fork and join is the
/// exception: its jobs run on every thread that the pool has, so its pool has to be of the very size.
#[derive(Debug)]
pub struct Pools {
    largest: usize,
    /// And, where threads are pinned, by whether the one that leads only waits.
    by_size: BTreeMap<(usize, bool), Pool>,
    pinned: bool,
}

impl Pools {
    /// Pools for searches by these methods on so many threads, each of which is pinned if that is asked for.
    ///
    /// # Errors
    /// When the system starts no more threads.
    pub fn new(searches: &[(Method, usize)], pinning: &Pinning) -> Result<Self, SearchError> {
        let largest = searches.iter().map(|&(_, threads)| threads).max().unwrap_or(1);
        let mut by_size = BTreeMap::new();
        for &(method, threads) in searches {
            let size = size_for(method, threads, largest);
            if let Entry::Vacant(entry) = by_size.entry((size, leader_waits(method, pinning.is_on()))) {
                let leader_waits = leader_waits(method, true);
                let pinning = pinning.clone();
                entry.insert(Pool::starting_with(size, move |_| pinning.helper(size, leader_waits))?);
            }
        }
        Ok(Pools { largest, by_size, pinned: pinning.is_on() })
    }

    /// The pool for a search by this method on so many threads, if it is among those that the pools were made
    /// for.
    pub fn get(&self, method: Method, threads: usize) -> Option<&Pool> {
        self.by_size.get(&(size_for(method, threads, self.largest), leader_waits(method, self.pinned)))
    }
}

fn size_for(method: Method, threads: usize, largest: usize) -> usize {
    if method.uses_whole_pool() { threads } else { largest }
}

/// Whether the thread that leads has nothing to do meanwhile; where nothing is pinned that does not matter.
fn leader_waits(method: Method, pinned: bool) -> bool {
    pinned && method.uses_whole_pool()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_share_the_largest_pool_but_fork_and_join() {
        let searches = [(Method::ChanceSplit, 1), (Method::ChanceSplit, 3), (Method::ForkJoin, 2)];
        let pools = Pools::new(&searches, &Pinning::off()).unwrap();
        let sizes = searches.map(|(method, threads)| pools.get(method, threads).unwrap().threads());
        assert_eq!(sizes, [3, 3, 2]);
        assert_eq!(pools.by_size.len(), 2);
        assert!(pools.get(Method::ForkJoin, 1).is_none());
    }

    #[test]
    fn without_parallel_searches_no_threads_are_started() {
        assert!(Pools::new(&[], &Pinning::off()).unwrap().by_size.is_empty());
    }
}
