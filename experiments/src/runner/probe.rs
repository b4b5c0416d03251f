//! A short serial search, the same every time, between the runs that are measured: how fast the machine is
//! now.

use crate::question::door::{AnySearcher, Entry};
use crate::question::doors;
use crate::question::tables;
use crate::runner::measure::measure;
use anyhow::ensure;
use starsplit::score::Score;
use starsplit::search::{Limits, Options, StopFlag};
use starsplit_tables::AnyTable;
use std::time::{Duration, Instant};

/// How deep the first position of Dice is searched: 446,000 nodes, some 40 ms.
const DEPTH: u32 = 11;

/// Another game's is searched as deep as the first probe comes in this time, and no deeper than Dice's.
const LONGEST: Duration = Duration::from_millis(500);

/// The size of its table in MiB.
const TABLE_MB: u64 = 1;

/// There are so many times as long as the last probe took between one probe and the next, at least, so that
/// short searches do not take less time than what is to watch over them.
const APART: u32 = 10;

/// The table of a probe.
///
/// # Errors
/// When the system does not grant it.
pub(crate) fn table() -> anyhow::Result<AnyTable> {
    Ok(tables::table(TABLE_MB)?)
}

/// The search, and what it took the last time.
#[derive(Debug)]
pub(crate) struct Probe<'t> {
    searcher: Box<dyn AnySearcher + 't>,
    position: Entry,
    /// How deep it is searched, once that is known.
    depth: Option<u32>,
    /// What it found, and its nodes.
    found: Option<(Option<Score>, u64)>,
    last: Option<Last>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    ended: Instant,
    wall_ns: u64,
}

impl<'t> Probe<'t> {
    /// A probe that nobody has made yet.
    ///
    /// # Errors
    /// When Dice's evaluator cannot be made.
    pub(crate) fn new(table: &'t AnyTable) -> anyhow::Result<Self> {
        let door = doors::games().open(doors::games().default_game(), None)?;
        let maker = door.evaluator(door.default_evaluator(), 0)?;
        let searcher = maker.searcher(table, Options::default(), None);
        Ok(Probe { searcher, position: door.initial(), depth: None, found: None, last: None })
    }

    /// How long the last probe took, in nanoseconds; where that is long ago, of one made now. None where
    /// `stop` was raised meanwhile.
    ///
    /// # Errors
    /// Whatever ends the search with an error, and when it finds anything else than the first one.
    pub(crate) fn look(&mut self, stop: &StopFlag) -> anyhow::Result<Option<u64>> {
        match self.last {
            Some(last) if !last.is_over(Instant::now()) => Ok(Some(last.wall_ns)),
            _ => self.make(stop),
        }
    }

    fn make(&mut self, stop: &StopFlag) -> anyhow::Result<Option<u64>> {
        let limits = |depth| Limits::depth(depth).with_stop(stop.clone());
        let search = |limits| measure(&*self.searcher, &self.position, &limits);
        let mut measured = match self.depth {
            Some(depth) => search(limits(depth))?,
            None => search(limits(DEPTH).with_time(LONGEST))?,
        };
        if measured.stopped && self.depth.is_none() {
            measured = search(limits(measured.completed_depth.max(1)))?;
        }
        if measured.stopped {
            return Ok(None);
        }
        self.depth = Some(measured.completed_depth);
        let found = (measured.score, measured.nodes);
        let first = *self.found.get_or_insert(found);
        ensure!(found == first, "a probe of the machine found {found:?}, expected {first:?}");
        self.last = Some(Last { ended: Instant::now(), wall_ns: measured.wall_ns });
        Ok(Some(measured.wall_ns))
    }
}

impl Last {
    fn is_over(self, now: Instant) -> bool {
        now.duration_since(self.ended) >= APART * Duration::from_nanos(self.wall_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_counts_until_it_is_over() {
        let table = table().unwrap();
        let mut probe = Probe { depth: Some(5), ..Probe::new(&table).unwrap() };
        let stop = StopFlag::new();
        let first = probe.look(&stop).unwrap().unwrap();
        assert!(first > 0);
        let last = probe.last.unwrap();
        let after = |times: u32| last.ended + times * Duration::from_nanos(last.wall_ns);
        assert_eq!([0, APART - 1, APART].map(|times| last.is_over(after(times))), [false, false, true]);
        probe.last = Some(Last { ended: Instant::now() + Duration::from_secs(1_000), ..last });
        assert_eq!(probe.look(&stop).unwrap(), Some(first), "no other was made");
        probe.last = None;
        stop.stop();
        assert_eq!(probe.look(&stop).unwrap(), None);
        probe.found = Some((Some(1), 1));
        let complaint = probe.look(&StopFlag::new()).unwrap_err().to_string();
        assert!(complaint.contains("expected (Some(1), 1)"), "{complaint}");
    }
}
