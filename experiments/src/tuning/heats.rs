//! Heats: settings that search a position in turn, in real time.

use crate::question::door::{AnySearcher, SearcherMaker};
use crate::question::suite::Suite;
use crate::records::measured::Measured;
use crate::records::meta::SCHEMA;
use crate::records::others::{TuningLine, TuningPhase, TuningSearch};
use crate::runner::measure::measure;
use crate::runner::verdict::Verdicts;
use crate::tuning::choices::fixed;
use crate::tuning::course::{DEFAULT, Heat};
use starsplit::Pool;
use starsplit::search::{Limits, Options, StopFlag};
use starsplit_tables::AnyTable;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::{Duration, Instant};

/// So many times as long as the default a search may take while the best is searched for.
const PATIENCE: u32 = 3;

/// So much longer it may take in any case, so that no hiccup of the machine ends one.
const GRACE: Duration = Duration::from_millis(5);

/// How deep the search is that wakes threads and touches code before anything is measured.
const WARM_UP_DEPTH: u32 = 5;

/// What searches need.
pub(super) struct Runner<'a> {
    pub(super) suite: &'a Suite,
    pub(super) depth: u32,
    pub(super) maker: &'a dyn SearcherMaker,
    pub(super) table: &'a AnyTable,
    /// By the number of threads, where something was searched on so many; none for one.
    pub(super) pools: BTreeMap<usize, Option<Pool>>,
    pub(super) stop: &'a StopFlag,
}

impl Runner<'_> {
    /// Lets the settings search the position; none where somebody asks to stop before all have.
    pub(super) fn run(&mut self, heat: &Heat, verdicts: &mut Verdicts) -> anyhow::Result<Option<TuningLine>> {
        self.warm_up(heat)?;
        let begun = Instant::now();
        let entry = &self.suite.positions[heat.position];
        let mut searches: Vec<TuningSearch> = Vec::new();
        for words in &heat.settings {
            let limits = self.limits(heat, searches.first());
            let found = measure(&*self.searcher(words, heat.threads)?, entry, &limits)?;
            if self.stop.is_raised() && found.stopped {
                return Ok(None);
            }
            let who = || format!("{}, {words} with {} threads", entry.text, heat.threads);
            let error = if found.stopped { None } else { verdicts.check(heat.position, who, &found) };
            searches.push(recorded(words, &found, error));
        }
        Ok(Some(TuningLine {
            schema: SCHEMA,
            game: self.suite.door.game().to_owned(),
            depth: self.depth,
            threads: heat.threads,
            phase: heat.phase,
            rung: heat.rung + 1,
            index: heat.position + 1,
            position: entry.text.clone(),
            repeat: heat.round + 1,
            expected: verdicts.expected(heat.position),
            spent_ns: u64::try_from(begun.elapsed().as_nanos())?,
            searches,
        }))
    }

    /// Where nothing was searched on so many threads yet, takes a short look at the position.
    fn warm_up(&mut self, heat: &Heat) -> anyhow::Result<()> {
        if let Entry::Vacant(place) = self.pools.entry(heat.threads) {
            place.insert((heat.threads > 1).then(|| Pool::new(heat.threads)).transpose()?);
            let limits = Limits::depth(self.depth.min(WARM_UP_DEPTH)).with_stop(self.stop.clone());
            let searcher = self.searcher(DEFAULT, heat.threads)?;
            searcher.search(&self.suite.positions[heat.position], &limits, &mut |_| {})?;
        }
        Ok(())
    }

    /// A search that takes much longer than the default did is not the best.
    fn limits(&self, heat: &Heat, default: Option<&TuningSearch>) -> Limits {
        let limits = Limits::depth(self.depth).with_stop(self.stop.clone());
        match default {
            Some(default) if heat.phase == TuningPhase::Search => {
                let taken = Duration::from_nanos(default.wall_ns);
                limits.with_time((PATIENCE * taken).max(taken + GRACE))
            }
            _ => limits,
        }
    }

    /// The searcher of a setting.
    fn searcher(&self, words: &str, threads: usize) -> anyhow::Result<Box<dyn AnySearcher + '_>> {
        let options = if words == DEFAULT { Options::default() } else { fixed(words)? };
        let pool = self.pools.get(&threads).and_then(Option::as_ref);
        Ok(self.maker.searcher(self.table, Options { threads, ..options }, pool))
    }
}

fn recorded(words: &str, found: &Measured, error: Option<String>) -> TuningSearch {
    TuningSearch {
        setting: words.to_owned(),
        wall_ns: found.wall_ns,
        nodes: found.nodes,
        evaluations: found.evaluations,
        value: found.value,
        score: found.score,
        stopped: found.stopped,
        error,
    }
}

/// Holds what is recorded against what is known.
pub(super) fn take_over(line: &TuningLine, verdicts: &mut Verdicts) {
    let position = line.index - 1;
    for TuningSearch { setting, score, stopped, error, .. } in &line.searches {
        let who = || format!("{}, {setting} with {} threads", line.position, line.threads);
        match (error, score) {
            (Some(error), _) => verdicts.fail(position, who, error),
            (None, Some(score)) if !stopped => {
                // What is recorded without a fault need not be what is expected now.
                verdicts.check_recorded(position, who, *score);
            }
            _ => {}
        }
    }
}

/// What is going on.
pub(super) fn in_words(heat: &Heat) -> String {
    let Heat { threads, rung, position, round, settings, .. } = heat;
    let position = position + 1;
    match heat.phase {
        TuningPhase::Search => {
            let fixed = settings.len() - 1;
            format!("{threads} threads, rung {}, position {position}: {fixed} settings", rung + 1)
        }
        TuningPhase::Comparison => format!("{threads} threads, round {}, position {position}", round + 1),
    }
}
