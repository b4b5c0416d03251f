//! Progress on standard error: a bar on a terminal, a line every few seconds elsewhere.

use crate::cli::note;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a line is written where there is no terminal; a run shorter than this writes none.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Shows how far a run has come, until it is dropped.
#[derive(Debug)]
pub struct Progress(Shown);

#[derive(Debug)]
enum Shown {
    /// And whether the run says itself what is going on.
    Bar(ProgressBar, AtomicBool),
    Lines {
        state: Arc<Watched>,
        thread: Option<JoinHandle<()>>,
    },
}

impl Progress {
    /// Progress of the run `name` through `total` items.
    pub fn new(name: &str, total: u64) -> Self {
        Progress::from(name, 0, total)
    }

    /// Progress of the run `name` through `total` items, of which an earlier run has done the first.
    pub fn from(name: &str, done: u64, total: u64) -> Self {
        Progress(if io::stderr().is_terminal() {
            Shown::Bar(bar(name, done, total), AtomicBool::new(false))
        } else {
            lines(name, done, total)
        })
    }

    /// One item more is done, of items that take about as long as one another, so that the time left can be
    /// told. Not for every node: for what takes a millisecond or more.
    pub fn advance(&self) {
        match &self.0 {
            Shown::Bar(bar, says) => {
                bar.inc(1);
                // Relaxed: nothing else is told by it.
                if !says.load(Relaxed) {
                    bar.set_message(format!("about {} left", HumanDuration(bar.eta())));
                }
            }
            Shown::Lines { state, .. } => {
                let mut state = state.lock();
                state.done += 1;
                state.is_even = true;
            }
        }
    }

    /// `done` items are done.
    pub fn reach(&self, done: u64) {
        match &self.0 {
            Shown::Bar(bar, _) => bar.set_position(done),
            Shown::Lines { state, .. } => state.lock().done = done,
        }
    }

    /// Says what is going on at present.
    pub fn say(&self, message: String) {
        match &self.0 {
            Shown::Bar(bar, says) => {
                says.store(true, Relaxed);
                bar.set_message(message);
            }
            Shown::Lines { state, .. } => state.lock().message = message,
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        match &mut self.0 {
            Shown::Bar(bar, _) => bar.finish_and_clear(),
            Shown::Lines { state, thread } => {
                state.lock().ended = true;
                state.changed.notify_all();
                // The thread only prints; that it panicked would be no news for the run.
                let _ = thread.take().map(JoinHandle::join);
            }
        }
    }
}

fn bar(name: &str, done: u64, total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total).with_prefix(name.to_owned()).with_position(done);
    // What was done before says nothing about how fast it goes on.
    bar.reset_eta();
    if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// What the heartbeat thread looks at.
#[derive(Debug, Default)]
struct Watched {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    done: u64,
    /// How many of them an earlier run has done.
    before: u64,
    /// Whether items take about as long as one another.
    is_even: bool,
    message: String,
    ended: bool,
}

impl Watched {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lines(name: &str, done: u64, total: u64) -> Shown {
    let begun = State { done, before: done, ..State::default() };
    let state = Arc::new(Watched { state: Mutex::new(begun), changed: Condvar::new() });
    let (watched, name) = (Arc::clone(&state), name.to_owned());
    // A machine that has no thread to spare runs without heartbeats.
    let thread = thread::Builder::new().spawn(move || beat(&watched, &name, total)).ok();
    Shown::Lines { state, thread }
}

fn beat(watched: &Watched, name: &str, total: u64) {
    let start = Instant::now();
    let mut state = watched.lock();
    while !state.ended {
        let waited = watched.changed.wait_timeout_while(state, HEARTBEAT, |state| !state.ended);
        state = waited.unwrap_or_else(PoisonError::into_inner).0;
        if !state.ended {
            note(line(name, &state, total, start.elapsed()));
        }
    }
}

fn line(name: &str, state: &State, total: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    // Who says something knows better how long it will take than the number of items tells.
    let message = match state.done.checked_sub(state.before) {
        _ if !state.message.is_empty() => format!(", {}", state.message),
        Some(now) if state.is_even && now > 0 && state.done < total => {
            format!(", about {:.0} s left", seconds / now as f64 * (total - state.done) as f64)
        }
        _ => String::new(),
    };
    format!("{name}: {} of {total} done after {seconds:.0} s{message}", state.done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heartbeat_tells_how_far_the_run_is() {
        let elapsed = Duration::from_millis(12_300);
        let mut state = State { done: 3, message: "depth 7".to_owned(), is_even: true, ..State::default() };
        assert_eq!(line("compare", &state, 50, elapsed), "compare: 3 of 50 done after 12 s, depth 7");
        state.message.clear();
        assert_eq!(
            line("compare", &state, 50, elapsed),
            "compare: 3 of 50 done after 12 s, about 193 s left"
        );
        // What an earlier run has done took none of this time.
        state.before = 2;
        assert_eq!(
            line("compare", &state, 50, elapsed),
            "compare: 3 of 50 done after 12 s, about 578 s left"
        );
        state.before = 3;
        assert_eq!(line("compare", &state, 50, elapsed), "compare: 3 of 50 done after 12 s");
    }

    #[test]
    fn progress_ends_when_it_is_dropped() {
        let progress = Progress(lines("test", 0, 2));
        progress.advance();
        let Shown::Lines { state, .. } = &progress.0 else { unreachable!("made by lines") };
        let state = Arc::clone(state);
        assert_eq!(state.lock().done, 1);
        assert!(!state.lock().ended);
        drop(progress);
        assert!(state.lock().ended);
        assert_eq!(Arc::strong_count(&state), 1, "the heartbeat thread has ended");
    }
}
