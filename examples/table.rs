//! A table of one's own in one file: hash maps behind locks, set beside the library's table.
//!
//! It keeps one entry a position, the one stored last, and forgets a whole shard where that is full. Both are
//! allowed: a table is advice, and which advice it gives changes how many nodes a search visits, never its
//! value. The library's own table answers without a lock, from one cache line; this one shows what the trait
//! asks for.
//!
//! The game is Pig, from `examples/pig.rs`: `cargo run --release --example table`

#[allow(dead_code, reason = "it has a main of its own")]
mod pig;

use pig::{Move, under_way};
use starsplit::Searcher;
use starsplit::evaluator::Constant;
use starsplit::game::PositionHash;
use starsplit::score::{Bounds, MAX_LIMIT};
use starsplit::search::{Limits, Options, SearchResult};
use starsplit::table::{Found, LocklessTable, NewEntry, Reuse, Stored, Table};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

type Anyhow<T> = Result<T, Box<dyn std::error::Error>>;
type Answer = SearchResult<Move, u32>;

/// What is kept of a position.
#[derive(Clone, Copy)]
struct Known {
    depth: u8,
    bounds: Bounds,
    table_move: Option<u16>,
    generation: u32,
}

type Shard = HashMap<PositionHash, Known>;

/// A table of hash maps, each behind its lock.
struct MapTable {
    shards: Vec<Mutex<Shard>>,
    /// How many positions a shard keeps at most.
    room: usize,
    generation: AtomicU32,
}

impl MapTable {
    fn new(shards: usize, room: usize) -> Self {
        let shards = (0..shards.max(1)).map(|_| Mutex::default()).collect();
        MapTable { shards, room, generation: AtomicU32::new(0) }
    }

    /// The shard of a key. A search that panicked leaves a shard whole, so a poisoned lock is as good as
    /// another.
    fn shard(&self, key: PositionHash) -> MutexGuard<'_, Shard> {
        let index = (key.high >> 32) as usize % self.shards.len(); // the upper bits are mixed best
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether bounds of this depth count for a search to `depth`.
fn counts(stored: u8, depth: u8, reuse: Reuse) -> bool {
    match reuse {
        Reuse::Exact => stored == depth,
        Reuse::AtLeast => stored >= depth,
    }
}

impl Table for MapTable {
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        let known = *self.shard(key).get(&key)?;
        let is_deep_enough = counts(known.depth, depth, reuse);
        // A bound of another depth says nothing here; the move to try first is worth having all the same.
        let bounds = if is_deep_enough { known.bounds } else { Bounds::unknown(MAX_LIMIT) };
        (is_deep_enough || known.table_move.is_some())
            .then_some(Found { bounds, table_move: known.table_move })
    }

    fn store(&self, key: PositionHash, entry: NewEntry, _reuse: Reuse) -> Stored {
        let NewEntry { depth, bounds, limit, table_move, .. } = entry;
        if bounds == Bounds::unknown(limit) {
            return Stored::default(); // nothing was proven
        }
        let generation = self.generation.load(Relaxed); // Relaxed: it only says how full the table is.
        let mut new = Known { depth, bounds, table_move, generation };
        let mut stored = Stored { written: true, ..Stored::default() };
        let mut shard = self.shard(key);
        match shard.get(&key) {
            Some(old) => {
                new.table_move = table_move.or(old.table_move);
                if old.depth == depth {
                    // Both are proven, so both hold. Where they contradict each other the newer one stands.
                    let met = old.bounds.meet(bounds);
                    (new.bounds, stored.contradicted) = (met.unwrap_or(bounds), met.is_none());
                } else {
                    stored.replaced = true;
                }
            }
            None if shard.len() >= self.room => {
                shard.clear();
                stored.replaced = true;
            }
            None => {}
        }
        shard.insert(key, new);
        stored
    }

    fn new_generation(&self) {
        self.generation.fetch_add(1, Relaxed); // Relaxed: as in `store`.
    }

    fn clear(&self, _threads: usize) {
        for shard in &self.shards {
            shard.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed); // Relaxed: as in `store`.
        let shard = self.shards[0].lock().unwrap_or_else(PoisonError::into_inner);
        let present = shard.values().filter(|known| known.generation == generation).count();
        (1000 * present / self.room.max(1)) as u32
    }
}

/// Searches with `table` and prints what it took.
fn search<T: Table>(name: &str, table: T, threads: usize) -> Anyhow<Answer> {
    let (game, position) = under_way();
    table.clear(threads); // also has the system hand over its memory before the clock runs
    let options = Options { threads, ..Options::default() };
    let searcher = Searcher::new(game, Constant::default(), table).with_options(options);
    let result = searcher.request(&position).limits(Limits::depth(14)).search()?;
    println!(
        "{name:>8} on {threads} thread(s): value {:+.6}, {} nodes in {:?}, {} thousandths full",
        result.value,
        result.stats.nodes.total(),
        result.elapsed,
        searcher.table().hashfull(),
    );
    Ok(result)
}

fn main() -> Anyhow<()> {
    let built_in = search("built in", LocklessTable::new(16)?, 1)?;
    // The second one is so small that it forgets all the time.
    for (name, room) in [("own", 1 << 14), ("tiny", 16)] {
        for threads in [1, 2] {
            let own = search(name, MapTable::new(16, room), threads)?;
            if own.value.to_bits() != built_in.value.to_bits() {
                return Err(format!("{name}: value {}, expected {}", own.value, built_in.value).into());
            }
            if own.stats.table.contradictions > 0 {
                return Err(format!("{name}: two proofs contradict each other").into());
            }
        }
    }
    println!("all values are equal, to the last bit");
    Ok(())
}
