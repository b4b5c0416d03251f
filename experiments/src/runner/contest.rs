//! A contest: contenders that search the same positions in turn, in real time, with verdicts and records.
//! What all experiments share whose times are the machine's.

use crate::cli::BadInput;
use crate::cli::progress::Progress;
use crate::question::suite::Suite;
use crate::records::earlier::Earlier;
use crate::records::flags::Opened;
use crate::records::line::{ContenderName, Line};
use crate::records::measured::Measured;
use crate::records::meta::SCHEMA;
use crate::records::turns::{Turn, Turns};
use crate::records::writer::Records;
use crate::runner::contender::Contender;
use crate::runner::pinning::Pinning;
use crate::runner::probe::{self, Probe};
use crate::runner::turns::in_turn;
use crate::runner::verdict::Verdicts;
use starsplit::score::Score;
use starsplit::search::{Limits, StopFlag};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What is searched, and how often.
#[derive(Clone, Debug)]
pub struct Contest<'a> {
    /// The experiment's name.
    pub experiment: &'static str,
    /// The positions.
    pub suite: &'a Suite,
    /// The places in the suite of those that are searched, from 0.
    pub places: Vec<usize>,
    /// The depth of every search.
    pub depth: u32,
    /// How often every contender searches every position.
    pub repeat: u64,
    /// The scores that the first positions have to have.
    pub expected: &'a [Score],
    /// Which processors threads are pinned to, if they are. Pools are pinned by who makes them.
    pub pinning: &'a Pinning,
    /// Ends the contest when it is raised.
    pub stop: &'a StopFlag,
}

/// What a contest ended with.
#[derive(Debug)]
pub struct ContestEnd {
    /// Whether all searches found the same value of each position.
    pub verdicts: Verdicts,
    /// Whether the contest was stopped before its end.
    pub stopped: bool,
    /// Where the records are.
    pub folder: PathBuf,
}

impl Contest<'_> {
    /// Lets the contenders search position after position, in turn, in an order that differs from position to
    /// position and from round to round ([`in_turn`]). Before that each takes a short look at the first
    /// position, which is not measured, and before turns now and then a probe is made, whose time the
    /// lines have. The score that the first of them finds at a position is the one expected of all, unless
    /// one is given. Turns that are in the records already count as they are there, and are not taken again.
    ///
    /// # Errors
    /// Whatever ends a search with an error; when a record cannot be written, or those that are there cannot
    /// be read.
    pub fn run(&self, contenders: &[Contender<'_>], opened: Opened) -> anyhow::Result<ContestEnd> {
        let verdicts = Verdicts::expecting(self.expected, self.suite.positions.len());
        let mut book = ContestBook { done: BTreeSet::new(), verdicts };
        let mut records = match opened {
            Opened::New(records) => records,
            Opened::Earlier(earlier) => book.go_on(self, contenders, earlier)?,
        };
        records.plan(Some(self.places.len()), book.left(self, contenders))?;
        let runs = (self.turns().count() * contenders.len()) as u64;
        let limits = Limits::depth(self.depth).with_stop(self.stop.clone());
        let progress = Progress::from(self.experiment, book.done_of(self), runs);
        let probed = probe::table()?;
        let probe = Probe::new(&probed)?;
        let mut runner = ContestRunner { contest: self, limits, records, progress, probe, book };
        let pinned = self.pinning.leader();
        let stopped = runner.run_all(contenders)?;
        drop(pinned);
        self.pinning.check()?;
        let ContestRunner { records, book, .. } = runner;
        Ok(ContestEnd { verdicts: book.verdicts, stopped, folder: records.path().to_owned() })
    }

    /// Every position and round, in their order, each with the number of its order of contenders: one order
    /// after another for the rounds of a position, and on with the next position, so that few rounds are
    /// balanced over the positions where they are not at each.
    fn turns(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let rounds = self.repeat as usize;
        let of_round = move |round| {
            let places = self.places.iter().enumerate();
            places.map(move |(number, &place)| (place, round, number * rounds + round))
        };
        (0..rounds).flat_map(of_round)
    }
}

/// Whose turn it is, by the numbers of contender, position and round.
type RunKey = (usize, usize, usize);

/// What is known so far.
struct ContestBook {
    /// The turns that were taken.
    done: BTreeSet<RunKey>,
    verdicts: Verdicts,
}

impl ContestBook {
    /// Takes over the turns of these contenders from `earlier` records, and opens those to add to them. A
    /// turn of which a killed run has left only a part is dropped.
    fn go_on(
        &mut self,
        contest: &Contest<'_>,
        contenders: &[Contender<'_>],
        earlier: Earlier,
    ) -> anyhow::Result<Records> {
        let path = earlier.path().to_owned();
        let refuse = |complaint: String| BadInput::new("results folder", path.to_string_lossy(), complaint);
        let turns = Turns::of(earlier.lines(), contest.suite.positions.len(), |_| Ok(()));
        let turns = turns.map_err(refuse)?;
        let is_part = |turn: &Turn| !turns.is_complete(turn);
        let (whole, part) =
            turns.list.split_at(turns.list.len() - usize::from(turns.list.last().is_some_and(is_part)));
        if whole.iter().any(is_part) {
            return Err(refuse("expected every search of every turn but the last".to_owned()).into());
        }
        let dropped: usize = part.iter().map(|turn| turn.searches.len()).sum();
        let kept = turns.lines - dropped;
        let names: Vec<(ContenderName, bool)> =
            contenders.iter().map(|one| (one.name(), one.must_agree())).collect();
        for turn in whole {
            self.take_over(contest, &names, &turns, turn);
        }
        if !earlier.is_mixed {
            self.check_neighbours(contenders.len()).map_err(refuse)?;
        }
        Ok(earlier.go_on(kept).map_err(BadInput::from_error)?)
    }

    /// How many lines are to be added: one for each search of each turn that was not taken.
    fn left(&self, contest: &Contest<'_>, contenders: &[Contender<'_>]) -> usize {
        let searches = |number: usize| 1 + contenders[number].beside.len();
        let is_left = |number: usize, (position, round, _)| !self.done.contains(&(number, position, round));
        let of = |number| searches(number) * contest.turns().filter(|&turn| is_left(number, turn)).count();
        (0..contenders.len()).map(of).sum()
    }

    /// How many turns of those that are to be taken are in the records already.
    fn done_of(&self, contest: &Contest<'_>) -> u64 {
        self.done.iter().filter(|(_, position, _)| contest.places.contains(position)).count() as u64
    }

    /// Takes over a turn of a contender whose name is among `names`, each with whether it has to find the
    /// others' value.
    fn take_over(
        &mut self,
        contest: &Contest<'_>,
        names: &[(ContenderName, bool)],
        turns: &Turns,
        turn: &Turn,
    ) {
        let (own, position, round) = (turns.contender_of(turn), turn.key.position, turn.key.round);
        let contender = names.iter().position(|(name, _)| name == own);
        let Some(contender) = contender.filter(|_| round < contest.repeat as usize) else { return };
        let name = || format!("{}, {} with {} threads", turns.positions[position], own.method, own.threads);
        for error in &turn.errors {
            self.verdicts.fail(position, name, error);
        }
        let scores = turn.searches.iter().filter_map(|search| search.score);
        let must_agree = turn.errors.is_empty() && names[contender].1;
        for score in scores.filter(|_| must_agree) {
            // What is recorded without a fault need not be what is expected now.
            self.verdicts.check_recorded(position, name, score);
        }
        self.done.insert((contender, position, round));
    }

    /// Ratios are of runs that lay next to each other in time: of some contenders only at most the position
    /// may have been searched at which a run was killed.
    ///
    /// # Errors
    /// When there are more.
    fn check_neighbours(&self, contenders: usize) -> Result<(), String> {
        let mut searched: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (_, position, round) in &self.done {
            *searched.entry((*round, *position)).or_default() += 1;
        }
        match searched.values().filter(|&&number| number < contenders).count() {
            0 | 1 => Ok(()),
            number => Err(format!(
                "expected records of the same contenders to resume: at {number} positions some are missing; \
                    --mix searches \
                 them now, at another time than those they are set beside"
            )),
        }
    }
}

struct ContestRunner<'a> {
    contest: &'a Contest<'a>,
    limits: Limits,
    records: Records,
    progress: Progress,
    probe: Probe<'a>,
    book: ContestBook,
}

impl ContestRunner<'_> {
    /// Runs everything that is not done; whether it was stopped before the end.
    fn run_all(&mut self, contenders: &[Contender<'_>]) -> anyhow::Result<bool> {
        let contest = self.contest;
        if let Some(&first) = contest.places.first() {
            let first = &contest.suite.positions[first];
            contenders.iter().try_for_each(|contender| contender.warm_up(first, &self.limits))?;
        }
        for (position, round, order) in contest.turns() {
            for number in in_turn(contenders.len(), order) {
                let place = (number, position, round);
                if !self.book.done.contains(&place) && !self.run_one(&contenders[number], place)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// One turn; whether it came to its end.
    fn run_one(&mut self, contender: &Contender<'_>, place: RunKey) -> anyhow::Result<bool> {
        let (_, position, _) = place;
        let Some(probe_ns) = self.probe.look(self.contest.stop)? else { return Ok(false) };
        let searches = contender.measure(&self.contest.suite.positions[position], &self.limits)?;
        if contender.was_stopped(&searches) {
            return Ok(false);
        }
        let errors: Vec<_> = searches.iter().map(|found| self.judge(contender, position, found)).collect();
        let found: Vec<_> = searches.into_iter().zip(errors).collect();
        self.record(contender, place, found, probe_ns)?;
        self.book.done.insert(place);
        self.progress.advance();
        Ok(true)
    }

    /// What is wrong with a search, if anything.
    fn judge(&mut self, contender: &Contender<'_>, position: usize, found: &Measured) -> Option<String> {
        // Whoever was stopped by the first to end has no value.
        if !contender.must_agree() || found.stopped {
            return None;
        }
        let text = &self.contest.suite.positions[position].text;
        let ContenderName { variant, method, threads, ordering, algorithm, .. } = contender.name();
        let variant = variant.map_or_else(String::new, |name| format!("{name}: "));
        let who =
            || format!("{text}, {variant}{algorithm}, {method} with {threads} threads, ordering {ordering}");
        self.book.verdicts.check(position, who, found)
    }

    /// Records the searches of a turn.
    fn record(
        &mut self,
        contender: &Contender<'_>,
        (_, position, round): RunKey,
        found: Vec<(Measured, Option<String>)>,
        probe_ns: u64,
    ) -> anyhow::Result<()> {
        let line = |(number, (search, error))| Line {
            schema: SCHEMA,
            game: self.contest.suite.door.game().to_owned(),
            index: position + 1,
            position: self.contest.suite.positions[position].text.clone(),
            contender: contender.name(),
            copy: (!contender.beside.is_empty()).then_some(number),
            repeat: round + 1,
            depth: self.contest.depth,
            probe_ns: Some(probe_ns),
            search,
            expected: self.book.verdicts.expected(position),
            error,
            simulated: None,
        };
        let lines: Vec<_> = (1..).zip(found).map(line).collect();
        self.records.append_all(&lines)?;
        Ok(())
    }
}
