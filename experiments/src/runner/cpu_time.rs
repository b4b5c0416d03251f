//! How long processors ran searches, and how long the host of a virtual machine kept them for others: a turn
//! of which wall time passed without either was held up.

/// What is known before a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    clock: fn() -> Option<u64>,
    cpu_ns: Option<u64>,
}

impl Before {
    /// Of a search of whose threads the calling one is the only one.
    pub(super) fn on_this_thread() -> Self {
        Before::by(system::of_thread)
    }

    /// Of a search beside which nothing runs in this process.
    pub(super) fn in_this_process() -> Self {
        Before::by(system::of_process)
    }

    fn by(clock: fn() -> Option<u64>) -> Self {
        Before { clock, cpu_ns: clock() }
    }

    /// The processor time since then, in nanoseconds; none where the system does not tell.
    pub(super) fn passed(self) -> Option<u64> {
        (self.clock)()?.checked_sub(self.cpu_ns?)
    }
}

/// The time that the host of this machine has kept its processors for others, those that this process may
/// use, in nanoseconds; none where the system does not tell.
pub(super) fn stolen_ns() -> Option<u64> {
    system::stolen_ns()
}

/// The same since it was so much.
pub(super) fn stolen_since(before: Option<u64>) -> Option<u64> {
    stolen_ns()?.checked_sub(before?)
}

#[cfg(unix)]
mod system {
    use rustix::time::{ClockId, clock_gettime};

    pub(super) fn of_thread() -> Option<u64> {
        nanoseconds(ClockId::ThreadCPUTime)
    }

    pub(super) fn of_process() -> Option<u64> {
        nanoseconds(ClockId::ProcessCPUTime)
    }

    fn nanoseconds(clock: ClockId) -> Option<u64> {
        let time = clock_gettime(clock);
        let seconds = u64::try_from(time.tv_sec).ok()?;
        seconds.checked_mul(1_000_000_000)?.checked_add(u64::try_from(time.tv_nsec).ok()?)
    }

    #[cfg(target_os = "linux")]
    pub(super) fn stolen_ns() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/stat").ok()?;
        let processors = rustix::thread::sched_getaffinity(None).ok()?;
        let is_ours = |number: usize| number < rustix::thread::CpuSet::MAX_CPU && processors.is_set(number);
        let ticks = super::stolen_ticks(&text, is_ours)?;
        Some(ticks * 1_000_000_000 / rustix::param::clock_ticks_per_second().max(1))
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn stolen_ns() -> Option<u64> {
        None
    }
}

#[cfg(not(unix))]
mod system {
    pub(super) fn of_thread() -> Option<u64> {
        None
    }

    pub(super) fn of_process() -> Option<u64> {
        None
    }

    pub(super) fn stolen_ns() -> Option<u64> {
        None
    }
}

/// The ticks that `/proc/stat` says were stolen from these processors; none where it does not tell.
#[cfg(target_os = "linux")]
fn stolen_ticks(text: &str, is_ours: impl Fn(usize) -> bool) -> Option<u64> {
    /// In which place of a processor's numbers they are.
    const STOLEN: usize = 7;
    let of_line = |line: &str| -> Option<(usize, Option<u64>)> {
        let mut words = line.strip_prefix("cpu")?.split_ascii_whitespace();
        let number = words.next().filter(|_| !line.starts_with("cpu "))?.parse().ok()?;
        Some((number, words.nth(STOLEN).and_then(|ticks| ticks.parse().ok())))
    };
    let own = text.lines().filter_map(of_line).filter(|&(number, _)| is_ours(number));
    let own: Vec<Option<u64>> = own.map(|(_, ticks)| ticks).collect();
    if own.is_empty() { None } else { own.into_iter().sum() }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn what_is_stolen_from_the_processors_that_may_be_used_is_added_up() {
        let text = "cpu  9 9 9 9 9 9 9 99 9 9\ncpu0 1 2 3 4 5 6 7 10 0 0\ncpu1 1 2 3 4 5 6 7 20 0 0\n\
            cpu12 1 2 3 4 5 6 7 40 0 0\nintr 5 6\n";
        assert_eq!(stolen_ticks(text, |_| true), Some(70));
        assert_eq!(stolen_ticks(text, |number| number == 12), Some(40));
        assert_eq!(stolen_ticks(text, |number| number == 3), None, "nothing is known of it");
        assert_eq!(stolen_ticks("cpu  1 2 3\ncpu0 1 2 3 4\n", |_| true), None, "nobody tells");
        assert!(stolen_ns().is_some());
    }

    #[test]
    fn processor_time_passes_while_a_thread_runs_and_not_while_it_sleeps() {
        let (thread, process, begun) = (Before::on_this_thread(), Before::in_this_process(), Instant::now());
        std::thread::sleep(Duration::from_millis(20));
        let asleep = thread.passed().unwrap();
        assert!(u128::from(asleep) < begun.elapsed().as_nanos());
        while thread.passed().unwrap() < asleep + 1_000_000 {
            std::hint::spin_loop();
        }
        assert!(process.passed().unwrap() >= thread.passed().unwrap() - asleep);
    }
}
