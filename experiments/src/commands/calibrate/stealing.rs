//! What it costs to find work, and to look for it in vain, from the timelines of searches on two threads.

use starsplit::search::{Activity, WorkerStats};
use starsplit_statistics::summary::median;

/// Stretches of time in which a worker without work looked for some.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks {
    /// For each that ended with a steal: how long it took in nanoseconds, and how often the worker looked.
    stolen: Vec<(f64, f64)>,
    /// How long a look took on average, in each of those with more than one.
    each: Vec<f64>,
}

/// What was found out about stealing, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stealing {
    /// From the look that finds a ticket to the moment the thief is at work.
    pub(super) steal: f64,
    /// A look in vain with the pause behind it.
    pub(super) failed_steal: f64,
    /// How many steals that is told from.
    pub(super) steals: usize,
}

impl Looks {
    /// Records what the workers of a search did.
    pub(super) fn add(&mut self, workers: &[WorkerStats]) {
        for span in workers.iter().flat_map(|worker| &worker.timeline.activities) {
            let Activity::Stealing { looks, victim, .. } = span.activity else { continue };
            let (time, looks) = ((span.end - span.begin) as f64, looks as f64);
            if victim.is_some() {
                self.stolen.push((time, looks));
            }
            if looks > 1.0 {
                self.each.push(time / looks);
            }
        }
    }

    /// The median steal: what is left of the time until work was found when the looks in vain before it are
    /// taken off. `None` where nothing was stolen.
    pub(super) fn stealing(&self) -> Option<Stealing> {
        // The median: now and then a look takes milliseconds, because the system has given the processor to
        // somebody else.
        let failed_steal = median(&self.each).unwrap_or_default();
        let at_once: Vec<f64> = self.stolen.iter().filter(|(_, looks)| *looks <= 1.0).map(|s| s.0).collect();
        let cleared = |&(time, looks): &(f64, f64)| (time - failed_steal * (looks - 1.0)).max(0.0);
        let all: Vec<f64> = self.stolen.iter().map(cleared).collect();
        // Ten that found work at once tell more than many of which most is waiting.
        let samples = if at_once.len() >= 10 { &at_once } else { &all };
        Some(Stealing { steal: median(samples)?, failed_steal, steals: samples.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_in_vain_are_taken_off() {
        let stolen = vec![(350.0, 2.0), (1_250.0, 11.0), (250.0, 1.0)];
        let looks = Looks { stolen, each: vec![90.0, 100.0, 7e6] };
        assert_eq!(looks.stealing(), Some(Stealing { steal: 250.0, failed_steal: 100.0, steals: 3 }));
        assert_eq!(Looks::default().stealing(), None);
    }

    #[test]
    fn steals_at_once_count_where_there_are_enough() {
        let mut stolen = vec![(300.0, 1.0); 10];
        stolen.extend([(90_000.0, 2.0); 30]);
        let looks = Looks { stolen, each: Vec::new() };
        assert_eq!(looks.stealing().map(|s| (s.steal, s.steals)), Some((300.0, 10)));
    }
}
