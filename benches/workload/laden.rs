//! The yardstick with a look-up's load: the same array, read as fast as a processor can that has as many more
//! instructions to go through for each line as a look-up which finds something has (some 70, by callgrind),
//! none of which waits for memory. What a burst of look-ups loses beside this is lost to the table; what this
//! loses beside the bare array is lost to the processor's window.

use super::Subject;
use super::raw::RawLines;
use starsplit::game::Hash;
use starsplit::table::NewEntry;
use std::hint::black_box;

pub(super) struct Laden(pub(super) RawLines);

/// Steps of two instructions on each of four registers.
const STEPS: u32 = 9;

#[inline]
fn load(key: Hash) {
    let mut registers = [key.low, key.high, !key.low, !key.high];
    for _ in 0..STEPS {
        registers = registers.map(|register| register.rotate_left(7) ^ 0x55);
    }
    // One word out of them, so that none is left out; the sum waits for no line.
    black_box(registers.into_iter().fold(0, |sum, register| sum ^ register));
}

impl Subject for Laden {
    #[inline]
    fn read(&self, key: Hash) -> u64 {
        load(key);
        self.0.read(key)
    }

    #[inline]
    fn write(&self, key: Hash, entry: NewEntry) -> u64 {
        load(key);
        self.0.write(key, entry)
    }

    #[inline]
    fn announce(&self, key: Hash) {
        self.0.announce(key);
    }
}
