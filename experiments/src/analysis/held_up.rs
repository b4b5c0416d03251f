//! Which searches were held up: their threads could have run, and did not. One whose evaluator waits for a
//! device or for another program is, too.

use crate::records::line::Line;

/// A search was held up where its threads lacked a processor for more than this share of the time that they
/// were awake, or the host of a virtual machine took as much.
pub(crate) const HELD_UP: f64 = 0.10;

/// What is less is what systems do beside every program: 1 ms.
const LEAST_NS: f64 = 1e6;

/// The longest tick of usual systems: 10 ms. Stolen time is told in ticks, the first of which may be of
/// before, and of the processor time of other threads than the calling one the last tick may be missing.
const TICK_NS: f64 = 1e7;

/// Whether the search of a line was held up, on a machine that runs so many threads at once, 0 where nobody
/// knows; none where it does not tell its processor time.
pub(crate) fn is_held_up(line: &Line, cores: usize) -> Option<bool> {
    let wanted = wanted_ns(line, cores);
    let missing = wanted - line.search.cpu_ns? as f64 - untold_ns(line, cores);
    let stolen = line.search.stolen_ns.map_or(0.0, |ns| ns as f64 - TICK_NS);
    Some(missing.max(stolen) > LEAST_NS.max(HELD_UP * wanted))
}

/// The least processor time that its threads take where nothing holds them up, in nanoseconds.
///
/// Of a parallel search one thread at least runs at any time. That all run which are awake is known where
/// they clock what they do; of lanes, which share a thread, the clocks are not those of threads. More threads
/// than the machine runs at once get their share.
fn wanted_ns(line: &Line, cores: usize) -> f64 {
    let (search, threads) = (&line.search, line.contender.threads.max(1));
    let share = (cores as f64 / threads as f64).min(1.0);
    let wall = search.wall_ns as f64;
    if line.copy.is_some() {
        return share * wall;
    }
    let clocked = [search.busy_ns, search.idle_ns, search.stealing_ns].into_iter().flatten().sum::<u64>();
    let awake = if search.calls.is_none() { (clocked as f64).min(wall * threads as f64) } else { 0.0 };
    wall.max(share * awake)
}

/// How much processor time may be missing of what is told: of all threads of a parallel search that run at
/// once. The calling one may only wait.
fn untold_ns(line: &Line, cores: usize) -> f64 {
    let is_parallel = line.copy.is_none() && line.search.busy_ns.is_some();
    let at_once = line.contender.threads.min(if cores > 0 { cores } else { usize::MAX });
    if is_parallel { TICK_NS * at_once as f64 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::line::ContenderName;
    use crate::records::measured::{Calls, Measured};

    /// Of so many milliseconds.
    fn search(wall: u64, cpu: u64) -> Measured {
        Measured { wall_ns: wall * 1_000_000, cpu_ns: Some(cpu * 1_000_000), ..Measured::default() }
    }

    fn line(threads: usize, search: Measured) -> Line {
        let contender = ContenderName { threads, ..ContenderName::default() };
        Line { contender, search, ..Line::default() }
    }

    #[test]
    fn a_serial_search_runs_all_the_time() {
        let of = |wall, cpu| is_held_up(&line(1, search(wall, cpu)), 2);
        assert_eq!(
            [(100, 100), (100, 91), (100, 89), (3_100, 100)].map(|(w, c)| of(w, c).unwrap()),
            [false, false, true, true]
        );
        assert_eq!(of(3, 2), Some(false), "a millisecond is nothing");
        assert_eq!(is_held_up(&line(1, Measured { cpu_ns: None, ..search(9, 1) }), 2), None);
    }

    #[test]
    fn threads_of_a_parallel_search_may_sleep_but_not_stop_while_awake() {
        let clocked = |busy, idle, parked| {
            let ns = |ms: u64| Some(1_000_000 * ms);
            Measured {
                busy_ns: ns(busy),
                idle_ns: ns(idle),
                stealing_ns: ns(2),
                parked_ns: ns(parked),
                ..search(100, 150)
            }
        };
        let of = |cores, search: Measured| is_held_up(&line(2, search), cores).unwrap();
        assert!(!of(2, clocked(130, 18, 50)), "one has slept for half of the time");
        assert!(!of(2, clocked(150, 35, 13)), "of each the last tick may be missing");
        assert!(of(2, clocked(180, 18, 0)), "both were awake");
        assert!(!of(1, clocked(180, 18, 0)), "on one processor they take turns");
        assert!(!of(0, clocked(180, 18, 0)), "nobody knows on how many");
        let lanes = Calls { lanes: 4, cap: 4, calls: 1, evaluations: 4 };
        assert!(!of(2, Measured { calls: Some(lanes), ..clocked(700, 18, 0) }));
        // One at least runs, whatever is clocked.
        let alone = |cpu: u64| Measured { cpu_ns: Some(1_000_000 * cpu), busy_ns: Some(1), ..search(100, 0) };
        assert_eq!([75, 65].map(|cpu| of(2, alone(cpu))), [false, true]);
    }

    #[test]
    fn copies_have_a_thread_each_and_their_share_of_the_machine() {
        let of = |threads, cores, cpu| {
            let copy = Line { copy: Some(1), ..line(threads, search(100, cpu)) };
            is_held_up(&copy, cores).unwrap()
        };
        assert_eq!((of(2, 2, 95), of(2, 2, 80)), (false, true));
        assert_eq!((of(4, 2, 50), of(4, 2, 40)), (false, true));
    }

    #[test]
    fn what_was_stolen_holds_up_though_processor_time_has_it() {
        let of = |ms: u64| {
            let search = Measured { stolen_ns: Some(1_000_000 * ms), ..search(100, 100) };
            is_held_up(&line(1, search), 2).unwrap()
        };
        assert_eq!([0, 10, 20, 30].map(of), [false, false, false, true]);
    }
}
