//! Threads pinned to processors, so that the system does not move them while they are measured.
//!
//! Parallel searches are led by the calling thread, which is pinned to the first processor that the process
//! may use. Which of a pool's threads help it differs from search to search, so that all of them may use the
//! processors after the first, as many as there are helpers: on two threads each has one of its own. Copies
//! of a search have a processor each.

use crate::cli::BadInput;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Which processors threads are pinned to, if they are.
#[derive(Clone, Debug, Default)]
pub struct Pinning(Option<Arc<Pinned>>);

#[derive(Debug)]
struct Pinned {
    /// The processors that the process may use, by the system's numbers.
    processors: Vec<usize>,
    /// Whether the system has refused to pin some thread.
    is_refused: AtomicBool,
}

/// The calling thread, pinned until this goes out of scope.
#[derive(Debug)]
pub(crate) struct PinnedLeader<'p>(&'p Pinning);

impl Pinning {
    /// Threads run where the system likes.
    pub fn off() -> Self {
        Pinning(None)
    }

    /// Pinned threads, if that `is_asked` for.
    ///
    /// # Errors
    /// [`BadInput`] where the system does not pin threads, or lets the process use fewer than two processors.
    pub fn new(is_asked: bool) -> Result<Self, BadInput> {
        if !is_asked {
            return Ok(Pinning::off());
        }
        let refuse = |complaint: String| BadInput::new("pin", "true", complaint);
        let expected = |error: io::Error| refuse(format!("expected a system that pins threads ({error})"));
        let processors = system::allowed().map_err(expected)?;
        if processors.len() < 2 {
            return Err(refuse("expected two processors or more for the process to use".to_owned()));
        }
        // What is refused now would be refused later, where nobody could be told.
        system::pin(&processors[..1]).and_then(|()| system::pin(&processors)).map_err(expected)?;
        Ok(Pinning(Some(Arc::new(Pinned { processors, is_refused: AtomicBool::new(false) }))))
    }

    /// Whether threads are pinned.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Pins the calling thread as the one that leads searches, until what is returned goes out of scope.
    pub(crate) fn leader(&self) -> PinnedLeader<'_> {
        self.to(|processors| &processors[..1]);
        PinnedLeader(self)
    }

    /// Pins the calling thread, one of a pool's so many `threads`, as a helper of the one that leads; where
    /// that one only waits, to as many processors as the pool has threads.
    pub(crate) fn helper(&self, threads: usize, leader_waits: bool) {
        self.to(|processors| {
            let end = threads.clamp(2, processors.len());
            &processors[usize::from(!leader_waits)..end]
        });
    }

    /// Pins the calling thread, which runs the copy with this `number`, from 0.
    pub(crate) fn copy(&self, number: usize) {
        self.to(|processors| {
            let place = number % processors.len();
            &processors[place..=place]
        });
    }

    /// Whether all threads were pinned that should be.
    ///
    /// # Errors
    /// When the system has refused one.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        // Relaxed: a wrong record is not worth an order of its own; the searches' joins order it.
        match &self.0 {
            Some(pinned) if pinned.is_refused.load(Relaxed) => {
                anyhow::bail!("the system has refused to pin a thread to its processors")
            }
            _ => Ok(()),
        }
    }

    fn to(&self, of: impl FnOnce(&[usize]) -> &[usize]) {
        if let Some(pinned) = &self.0
            && system::pin(of(&pinned.processors)).is_err()
        {
            pinned.is_refused.store(true, Relaxed); // Relaxed: as in `check`.
        }
    }
}

impl Drop for PinnedLeader<'_> {
    fn drop(&mut self) {
        self.0.to(|processors| processors);
    }
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::io;

    /// The processors that the calling thread may use.
    pub(super) fn allowed() -> io::Result<Vec<usize>> {
        let set = sched_getaffinity(None)?;
        Ok((0..CpuSet::MAX_CPU).filter(|&number| set.is_set(number)).collect())
    }

    /// Lets the calling thread use these processors only.
    pub(super) fn pin(processors: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        processors.iter().for_each(|&number| set.set(number));
        Ok(sched_setaffinity(None, &set)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub(super) fn allowed() -> io::Result<Vec<usize>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn pin(_: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::thread;

    /// What the calling thread may use after `pin`, on a thread of its own, for the other tests' sake.
    fn after(pin: impl FnOnce() + Send) -> Vec<usize> {
        thread::scope(|scope| {
            let found = scope.spawn(|| {
                pin();
                system::allowed().unwrap()
            });
            found.join().unwrap()
        })
    }

    #[test]
    fn leader_helpers_and_copies_have_processors_of_their_own() {
        let all = after(|| {});
        assert_eq!(after(|| Pinning::off().copy(0)), all);
        assert!(!Pinning::new(false).unwrap().is_on());
        let Ok(pinning) = Pinning::new(true) else {
            assert!(all.len() < 2, "the system pins threads to {all:?}");
            return;
        };
        assert_eq!(after(|| std::mem::forget(pinning.leader())), all[..1]);
        assert_eq!(after(|| drop(pinning.leader())), all, "afterwards it is as it was");
        assert_eq!(after(|| pinning.helper(2, false)), all[1..2]);
        assert_eq!(after(|| pinning.helper(2, true)), all[..2]);
        assert_eq!(after(|| pinning.helper(1, false)), all[1..2]);
        assert_eq!(after(|| pinning.helper(1_000, false)), all[1..]);
        assert_eq!(after(|| pinning.copy(1)), all[1..2]);
        assert_eq!(after(|| pinning.copy(all.len())), all[..1]);
        pinning.check().unwrap();
    }
}
