//! What it costs to wake a thread of a pool that sleeps.

use anyhow::Result;
use rayon::{ThreadPool, ThreadPoolBuilder};
use starsplit_statistics::summary::median;
use std::hint::spin_loop;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// After so long without work a thread of a pool sleeps.
const ASLEEP_AFTER: Duration = Duration::from_millis(2);

/// How often a thread is woken at a time.
const TIMES: usize = 5;

/// A pool, and how long it took to wake its thread.
#[derive(Debug)]
pub(super) struct WakeUps {
    pool: ThreadPool,
    /// In nanoseconds: until the call returned, and from then until the thread ran.
    times: Vec<(f64, f64)>,
}

/// What was found out about waking, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Waking {
    /// What it takes the caller.
    pub(super) wake: f64,
    /// From then until the thread runs.
    pub(super) latency: f64,
}

impl WakeUps {
    /// # Errors
    /// When the system refuses the thread.
    pub(super) fn new() -> Result<Self> {
        Ok(WakeUps { pool: ThreadPoolBuilder::new().num_threads(1).build()?, times: Vec::new() })
    }

    /// Lets the thread fall asleep and wakes it, some times. The caller stays awake, as a search does.
    pub(super) fn time_some(&mut self) {
        for _ in 0..TIMES {
            let asleep = Instant::now() + ASLEEP_AFTER;
            while Instant::now() < asleep {
                spin_loop();
            }
            let (tell, told) = mpsc::channel();
            let called = Instant::now();
            self.pool.spawn(move || tell.send(Instant::now()).unwrap_or_default());
            let returned = Instant::now();
            if let Ok(awake) = told.recv() {
                let nanoseconds = |time: Duration| time.as_nanos() as f64;
                let latency = awake.saturating_duration_since(returned);
                self.times.push((nanoseconds(returned - called), nanoseconds(latency)));
            }
        }
    }

    /// The medians.
    pub(super) fn waking(&self) -> Waking {
        let (calls, latencies): (Vec<f64>, Vec<f64>) = self.times.iter().copied().unzip();
        Waking { wake: median(&calls).unwrap_or_default(), latency: median(&latencies).unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waking_takes_the_caller_time_and_the_thread_comes_later() {
        let mut wake_ups = WakeUps::new().unwrap();
        wake_ups.time_some();
        assert_eq!(wake_ups.times.len(), TIMES);
        assert!(wake_ups.waking().wake > 0.0, "{wake_ups:?}");
        wake_ups.times = vec![(3.0, 30.0), (5.0, 20.0), (4.0, 90.0)];
        assert_eq!(wake_ups.waking(), Waking { wake: 4.0, latency: 30.0 });
    }
}
