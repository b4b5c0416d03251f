//! Progress on standard error: a bar on a terminal, a line every few seconds elsewhere.

use crate::cli::note;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often a line is written where there is no terminal; a run shorter than this writes none.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How often a bar on a terminal is drawn anew.
const TICK: Duration = Duration::from_millis(500);

/// What says what is going on at present.
pub type Tell = Box<dyn Fn() -> String + Send>;

/// Shows how far a run has come, until it is dropped.
#[derive(Debug)]
pub struct Progress {
    /// Not drawn where there is no terminal.
    bar: ProgressBar,
    /// How many items an earlier run has done.
    before: u64,
    /// Whether the run says itself what is going on.
    says: AtomicBool,
    /// What writes lines where there is no terminal; it ends when nobody can send to it any more.
    heartbeat: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Progress of the run `name` through `total` items.
    pub fn new(name: &str, total: u64) -> Self {
        Progress::from(name, 0, total)
    }

    /// Progress of the run `name` through `total` items, of which an earlier run has done the first.
    pub fn from(name: &str, done: u64, total: u64) -> Self {
        Progress::shown((name, done, Some(total)), io::stderr().is_terminal(), None)
    }

    /// Progress of a run that `tell` tells of whenever it is shown, through `total` items where there is
    /// something to count.
    pub fn told(name: &str, total: Option<u64>, tell: Tell) -> Self {
        Progress::shown((name, 0, total), io::stderr().is_terminal(), Some(tell))
    }

    fn shown((name, before, total): (&str, u64, Option<u64>), is_terminal: bool, tell: Option<Tell>) -> Self {
        let bar = if is_terminal { ProgressBar::no_length() } else { ProgressBar::hidden() };
        let bar = bar.with_prefix(name.to_owned()).with_position(before);
        let template = match total {
            Some(total) => {
                bar.set_length(total);
                "{prefix} {wide_bar} {pos}/{len} {elapsed} {msg}"
            }
            None => "{prefix} {spinner} {elapsed} {msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        if is_terminal {
            bar.enable_steady_tick(TICK);
        }
        let says = AtomicBool::new(tell.is_some());
        let heartbeat = match (is_terminal, tell) {
            (false, tell) => every(HEARTBEAT, bar.clone(), move |bar| {
                if let Some(tell) = &tell {
                    bar.set_message(tell());
                }
                note(line(bar));
            }),
            (true, Some(tell)) => every(TICK, bar.clone(), move |bar| bar.set_message(tell())),
            (true, None) => None,
        };
        Progress { bar, before, says, heartbeat }
    }

    /// One item more is done, of items that take about as long as one another, so that the time left can be
    /// told. Not for every node: for what takes a millisecond or more.
    pub fn advance(&self) {
        self.bar.inc(1);
        // Who says something knows better how long it will take than the number of items tells. Relaxed:
        // nothing else is told by it.
        if !self.says.load(Relaxed) {
            let (done, total) = (self.bar.position(), self.bar.length().unwrap_or_default());
            self.bar.set_message(time_left(
                done.saturating_sub(self.before),
                (done, total),
                self.bar.elapsed(),
            ));
        }
    }

    /// `done` items are done.
    pub fn reach(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// Says what is going on at present.
    pub fn say(&self, message: String) {
        self.says.store(true, Relaxed);
        self.bar.set_message(message);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        if let Some((sender, thread)) = self.heartbeat.take() {
            drop(sender);
            // The thread only prints; that it panicked would be no news for the run.
            let _ = thread.join();
        }
    }
}

/// Does something every so often until what is returned is dropped. A machine that has no thread to spare
/// runs without.
fn every(
    time: Duration,
    bar: ProgressBar,
    show: impl Fn(&ProgressBar) + Send + 'static,
) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (sender, receiver) = channel();
    let beat = move || {
        while receiver.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
            show(&bar);
        }
    };
    thread::Builder::new().spawn(beat).ok().map(|thread| (sender, thread))
}

fn line(bar: &ProgressBar) -> String {
    let (name, message) = (bar.prefix(), bar.message());
    let (done, seconds) = (bar.position(), bar.elapsed().as_secs_f64());
    let comma = if message.is_empty() { "" } else { ", " };
    match bar.length() {
        Some(total) => format!("{name}: {done} of {total} done after {seconds:.0} s{comma}{message}"),
        None => format!("{name}: {seconds:.0} s{comma}{message}"),
    }
}

/// How long the items that are not `done` will take, of which this run has done so many `now`; nothing where
/// that cannot be told.
fn time_left(now: u64, (done, total): (u64, u64), elapsed: Duration) -> String {
    if now == 0 || done >= total {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() / now as f64 * (total - done) as f64;
    format!("about {seconds:.0} s left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heartbeat_tells_how_far_the_run_is() {
        let elapsed = Duration::from_millis(12_300);
        let bar = ProgressBar::hidden().with_prefix("compare").with_position(3).with_elapsed(elapsed);
        bar.set_length(50);
        assert_eq!(line(&bar), "compare: 3 of 50 done after 12 s");
        bar.set_message("depth 7");
        assert_eq!(line(&bar), "compare: 3 of 50 done after 12 s, depth 7");
        assert_eq!(time_left(3, (3, 50), elapsed), "about 193 s left");
        let endless = ProgressBar::hidden().with_prefix("search").with_elapsed(elapsed);
        endless.unset_length();
        endless.set_message("5 nodes");
        assert_eq!(line(&endless), "search: 12 s, 5 nodes");
        // What an earlier run has done took none of this time.
        assert_eq!(time_left(1, (3, 50), elapsed), "about 578 s left");
        assert_eq!((time_left(0, (3, 50), elapsed), time_left(50, (50, 50), elapsed)), Default::default());
    }

    #[test]
    fn progress_ends_when_it_is_dropped() {
        let progress = Progress::shown(("test", 0, Some(2)), false, None);
        progress.advance();
        assert_eq!(progress.bar.position(), 1);
        assert!(line(&progress.bar).ends_with("s left"), "{}", line(&progress.bar));
        progress.say("depth 7".to_owned());
        progress.advance();
        assert!(line(&progress.bar).ends_with(", depth 7"), "who says something knows better");
        let bar = progress.bar.downgrade();
        drop(progress);
        assert!(bar.upgrade().is_none(), "the heartbeat thread has ended");
    }
}
