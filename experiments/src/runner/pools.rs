//! The threads of a contest's contenders, started before anything is measured.

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
    by_size: BTreeMap<usize, Pool>,
}

impl Pools {
    /// Pools for searches by these methods on so many threads.
    ///
    /// # Errors
    /// When the system starts no more threads.
    pub fn new(searches: &[(Method, usize)]) -> Result<Self, SearchError> {
        let largest = searches.iter().map(|&(_, threads)| threads).max().unwrap_or(1);
        let mut by_size = BTreeMap::new();
        for &(method, threads) in searches {
            let size = size_for(method, threads, largest);
            if let Entry::Vacant(entry) = by_size.entry(size) {
                entry.insert(Pool::new(size)?);
            }
        }
        Ok(Pools { largest, by_size })
    }

    /// The pool for a search by this method on so many threads, if it is among those that the pools were made
    /// for.
    pub fn get(&self, method: Method, threads: usize) -> Option<&Pool> {
        self.by_size.get(&size_for(method, threads, self.largest))
    }
}

fn size_for(method: Method, threads: usize, largest: usize) -> usize {
    if method.properties().uses_whole_pool { threads } else { largest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_share_the_largest_pool_but_fork_and_join() {
        let searches = [(Method::ChanceSplit, 1), (Method::ChanceSplit, 3), (Method::ForkJoin, 2)];
        let pools = Pools::new(&searches).unwrap();
        let sizes = searches.map(|(method, threads)| pools.get(method, threads).unwrap().threads());
        assert_eq!(sizes, [3, 3, 2]);
        assert_eq!(pools.by_size.len(), 2);
        assert!(pools.get(Method::ForkJoin, 1).is_none());
    }

    #[test]
    fn without_parallel_searches_no_threads_are_started() {
        assert!(Pools::new(&[]).unwrap().by_size.is_empty());
    }
}
