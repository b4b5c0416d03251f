//! What the benches of the tables do: look-ups and stores at random places, of every table and of a plain
//! array of cache lines, with the same keys, in the same loop, in memory of the same kind.

mod raw;

use raw::RawLines;
use starsplit::game::PositionHash;
use starsplit::score::{Bounds, MAX_LIMIT, Score};
use starsplit::table::Reuse;
use starsplit::table::{LocklessTable, NewEntry, Table};
use starsplit_tables::{Atomic128Table, StripedTable};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Buckets of 64 bytes: 1 MiB, which a second-level cache holds, and 1 GiB, which no cache holds.
pub(crate) const SIZES: [(&str, u64); 2] = [("1-MiB", 1 << 14), ("1-GiB", 1 << 24)];

/// How many threads work at once.
pub(crate) const THREADS: [usize; 2] = [1, 2];

/// The depth of every entry and look-up: what is stored is what is looked for.
const DEPTH: u8 = 5;

/// How many keys ahead a prefetching pass asks for a line: enough to keep all of a core's requests to memory
/// on their way.
const AHEAD: usize = 16;

/// How many keys are prepared at once: few enough to stay out of the way in the second-level cache.
const CHUNK: u64 = 2048;

/// What a pass does, again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Looks up what is there, each key depending on what the look-up before it found.
    DependentHit,
    /// Looks up what is there and was prefetched, as the searches do it.
    PrefetchedHit,
    /// Looks up what is not there, prefetched.
    PrefetchedMiss,
    /// Looks up what is there, unannounced. How many of these the processor begins before the first has ended
    /// depends on how few instructions each takes and on how well its branches are foreseen.
    Hit,
    /// Looks up what is not there, unannounced.
    Miss,
    /// Stores what is not there, prefetched.
    PrefetchedStore,
    /// Stores what is not there, unannounced.
    Store,
}

impl Pattern {
    /// In the order in which they have to be measured: stores come last, for they drive out what the others
    /// look for.
    pub(crate) const ALL: [Pattern; 7] = [
        Pattern::DependentHit,
        Pattern::PrefetchedHit,
        Pattern::PrefetchedMiss,
        Pattern::Hit,
        Pattern::Miss,
        Pattern::PrefetchedStore,
        Pattern::Store,
    ];

    /// The name in tables and on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Pattern::DependentHit => "dependent-hit",
            Pattern::PrefetchedHit => "prefetched-hit",
            Pattern::PrefetchedMiss => "prefetched-miss",
            Pattern::Hit => "hit",
            Pattern::Miss => "miss",
            Pattern::PrefetchedStore => "prefetched-store",
            Pattern::Store => "store",
        }
    }
}

/// One that is measured: reads and writes at the place of a key.
trait Subject: Sync {
    /// Reads the line of a key. The result depends on what was read, and is 0 for what `fill` wrote.
    fn read(&self, key: PositionHash) -> u64;

    /// Changes the line of a key, in a way that depends on what was there.
    fn write(&self, key: PositionHash, entry: NewEntry) -> u64;

    /// Asks for the line of a key.
    fn announce(&self, key: PositionHash);
}

impl<T: Table> Subject for T {
    #[inline]
    fn read(&self, key: PositionHash) -> u64 {
        self.probe(key, DEPTH, Reuse::Exact).map_or(1, |found| found.bounds.lower as u64)
    }

    #[inline]
    fn write(&self, key: PositionHash, entry: NewEntry) -> u64 {
        u64::from(self.store(key, entry, Reuse::Exact).replaced)
    }

    #[inline]
    fn announce(&self, key: PositionHash) {
        self.prefetch(key);
    }
}

/// The keys of one size of table: four to a bucket, so that a full table holds every one of them and where in
/// its bucket a key lies cannot be guessed.
#[derive(Clone, Copy)]
struct Keys {
    /// There are `1 << bits` of them.
    bits: u32,
}

impl Keys {
    /// The keys one after another, four to a bucket.
    fn in_order(self, place: u64) -> PositionHash {
        PositionHash { high: place << (64 - self.bits), low: place.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    /// The keys in an order that jumps about: the steps are one-to-one on numbers of `bits` bits.
    fn shuffled(self, number: u64) -> PositionHash {
        let (mask, half) = ((1 << self.bits) - 1, self.bits / 2);
        let mixed = number & mask;
        let mixed = (mixed ^ mixed >> half).wrapping_mul(0xbf58_476d_1ce4_e5b9) & mask;
        let mixed = (mixed ^ mixed >> half).wrapping_mul(0x94d0_49bb_1331_11eb) & mask;
        self.in_order(mixed ^ mixed >> half)
    }

    /// The keys numbered from `first` on for `count` turns of `pattern`.
    fn prepared(self, pattern: Pattern, first: u64, count: u64) -> Vec<PositionHash> {
        let numbers = first..first + count + AHEAD as u64;
        match pattern {
            Pattern::DependentHit | Pattern::PrefetchedHit | Pattern::Hit => {
                numbers.map(|number| self.shuffled(number)).collect()
            }
            Pattern::PrefetchedMiss | Pattern::Miss | Pattern::PrefetchedStore | Pattern::Store => {
                numbers.map(|number| self.strange(number)).collect()
            }
        }
    }

    /// Keys of the same buckets that `in_order` and `shuffled` never give.
    fn strange(self, number: u64) -> PositionHash {
        let PositionHash { high, low } = self.shuffled(number);
        // The numbers beyond `bits` bits tell one round through the buckets from the next.
        PositionHash { high, low: !low ^ number >> self.bits << 16 }
    }
}

#[inline]
fn entry(score: Score) -> NewEntry {
    NewEntry { table_move: Some(7), ..NewEntry::new(DEPTH, Bounds::exactly(score), MAX_LIMIT) }
}

/// Look-ups or stores with prepared keys, so that the loop holds nothing else.
trait Pass: Sync {
    /// Goes through `keys`, but for the last [`AHEAD`] of them.
    fn pass(&self, pattern: Pattern, keys: &[PositionHash]) -> u64;
}

impl<S: Subject> Pass for S {
    #[inline(never)]
    fn pass(&self, pattern: Pattern, keys: &[PositionHash]) -> u64 {
        let now = &keys[..keys.len() - AHEAD];
        let announced = || now.iter().zip(&keys[AHEAD..]).map(|(&key, &later)| (self.announce(later), key).1);
        let read = |key| self.read(key);
        let write = |key: PositionHash| self.write(key, entry((key.low >> 20 & 0xff) as Score));
        match pattern {
            // What is read is 0, but the processor has to wait until it knows.
            Pattern::DependentHit => now.iter().fold(0, |sum, &PositionHash { high, low }| {
                sum | self.read(PositionHash { high: high ^ sum, low })
            }),
            Pattern::PrefetchedHit | Pattern::PrefetchedMiss => announced().map(read).sum(),
            Pattern::Hit | Pattern::Miss => now.iter().copied().map(read).sum(),
            Pattern::PrefetchedStore => announced().map(write).sum(),
            Pattern::Store => now.iter().copied().map(write).sum(),
        }
    }
}

/// The tables and the array, all of one number of lines.
pub(crate) struct Field {
    subjects: Vec<(&'static str, Box<dyn Pass>)>,
    keys: Keys,
    /// The number of the first key that no pass has used.
    next: u64,
}

/// The name of the array in a field.
pub(crate) const RAW: &str = "raw";

/// The names of the tables in a field.
pub(crate) const TABLES: [&str; 3] = ["lockless", "atomic128", "striped"];

impl Field {
    /// A field of `buckets` lines, filled. The number is a power of two.
    pub(crate) fn new(buckets: u64) -> Self {
        let lockless = LocklessTable::with_buckets(buckets).expect("memory for the lockless table");
        let atomic128 =
            Atomic128Table::with_buckets(buckets).expect("memory for the table of 128-bit atomics");
        let striped = StripedTable::with_buckets(buckets).expect("memory for the striped table");
        let raw = RawLines::new(buckets).expect("memory for the array");
        let keys = Keys { bits: buckets.ilog2() + 2 };
        fill(&lockless, keys);
        fill(&atomic128, keys);
        fill(&striped, keys);
        let tables: [Box<dyn Pass>; 3] = [Box::new(lockless), Box::new(atomic128), Box::new(striped)];
        let mut subjects: Vec<(_, Box<dyn Pass>)> = TABLES.into_iter().zip(tables).collect();
        subjects.push((RAW, Box::new(raw)));
        Field { subjects, keys, next: 0 }
    }

    /// The key to begin a block of `count` with, far from those that the last blocks used.
    pub(crate) fn advance(&mut self, count: u64) -> u64 {
        self.next += count;
        self.next - count
    }

    /// The time that `threads` threads need for `count` look-ups or stores, each taking its share and none
    /// waiting for the other at the end: the count divided by the sum of their rates.
    pub(crate) fn time(
        &self,
        subject: &str,
        pattern: Pattern,
        threads: usize,
        first: u64,
        count: u64,
    ) -> Duration {
        let found = self.subjects.iter().find(|(name, _)| *name == subject);
        let (_, subject) = found.expect("a name of this field");
        let share = count.div_ceil(threads as u64);
        let arrivals = AtomicUsize::new(0);
        let work = |thread: usize| {
            // Threads go through the keys from places far apart.
            let first = first + (thread as u64) * (1 << self.keys.bits) / threads as u64;
            let mut time = Duration::ZERO;
            for (chunk, done) in (0..share).step_by(CHUNK as usize).enumerate() {
                let keys = self.keys.prepared(pattern, first + done, CHUNK.min(share - done));
                await_all(&arrivals, (chunk + 1) * threads);
                let begin = Instant::now();
                black_box(subject.pass(pattern, black_box(&keys)));
                time += begin.elapsed();
            }
            share as f64 / time.as_secs_f64()
        };
        let rate = std::thread::scope(|scope| {
            let work = &work;
            let helpers: Vec<_> = (1..threads).map(|thread| scope.spawn(move || work(thread))).collect();
            let own = work(0);
            helpers.into_iter().map(|helper| helper.join().expect("a pass does not panic")).sum::<f64>() + own
        });
        Duration::from_secs_f64(count as f64 / rate)
    }
}

/// Waits, awake, until as many have arrived: threads that sleep do not begin at once.
fn await_all(arrivals: &AtomicUsize, all: usize) {
    // Relaxed: nothing is handed over here, only time is kept.
    arrivals.fetch_add(1, Relaxed);
    while arrivals.load(Relaxed) < all {
        std::hint::spin_loop();
    }
}

fn fill(table: &impl Table, keys: Keys) {
    for place in 0..1 << keys.bits {
        table.store(keys.in_order(place), entry(0), Reuse::Exact);
    }
}
