//! The searches of a position: of the full game, and of all smaller ones.

use crate::question::door::{Answer, AnySearcher, Entry};
use crate::question::suite::Suite;
use crate::records::measured::Measured;
use crate::records::meta::SCHEMA;
use crate::records::others::{SmallerLine, SmallerSearch};
use crate::runner::verdict::{Verdicts, fault};
use crate::smaller::setting::SmallerSetting;
use starsplit::score::Score;
use starsplit::search::{Limits, Options, StopFlag};
use starsplit::table::Table;
use starsplit_tables::AnyTable;
use std::collections::BTreeMap;

/// What the searches of the full game are called.
const FULL: &str = "full";

/// How deep the search is that touches code before anything is measured.
const WARM_UP_DEPTH: u32 = 3;

/// Which searches there are.
pub(super) struct Asked<'a> {
    pub(super) settings: &'a [SmallerSetting],
    /// By how many seeds outcomes are drawn.
    pub(super) seeds: u64,
    /// The first of them, and of what the evaluator draws.
    pub(super) seed: u64,
    pub(super) evaluator: &'a str,
    pub(super) depth: u32,
}

/// A search of a game, full or smaller.
struct Contender<'t> {
    setting: String,
    seed: Option<u64>,
    /// Whether it has to find the full game's value.
    keeps_all: bool,
    searcher: Box<dyn AnySearcher + 't>,
}

/// What searches positions.
pub(super) struct Runner<'a> {
    suite: &'a Suite,
    depth: u32,
    /// The full game first.
    contenders: Vec<Contender<'a>>,
    /// Tells the value of every move of the full game.
    ranking: Contender<'a>,
    stop: &'a StopFlag,
}

/// What a search answered.
struct Found {
    answer: Answer,
    measured: Measured,
}

/// What the moves of a position are worth in the full game, by their texts.
type MoveScores = BTreeMap<String, Score>;

impl<'a> Runner<'a> {
    /// For searches with this table, which nobody else may use.
    pub(super) fn new(
        asked: &Asked<'_>,
        suite: &'a Suite,
        table: &'a AnyTable,
        stop: &'a StopFlag,
    ) -> anyhow::Result<Self> {
        let Asked { evaluator: name, seed, depth, .. } = *asked;
        let full = suite.door.evaluator(name, seed)?;
        let of_full = |setting: &str, rank_root_moves| {
            let options = Options { rank_root_moves, ..Options::default() };
            let searcher = full.searcher(table, options, None);
            Contender { setting: setting.to_owned(), seed: None, keeps_all: true, searcher }
        };
        let mut contenders = vec![of_full(FULL, false)];
        for setting in asked.settings {
            for draw in setting.seeds(seed, asked.seeds) {
                let kept = setting.kept.kept(draw.unwrap_or(seed));
                let maker = suite.door.evaluator_of_smaller(name, seed, kept)?;
                contenders.push(Contender {
                    setting: setting.words.clone(),
                    seed: draw,
                    keeps_all: setting.kept.keeps_all(),
                    searcher: maker.searcher(table, Options::default(), None),
                });
            }
        }
        Ok(Runner { suite, depth, contenders, ranking: of_full("all moves", true), stop })
    }

    /// Takes a short look at a position in every way.
    pub(super) fn warm_up(&self, position: &Entry) -> anyhow::Result<()> {
        let limits = Limits::depth(self.depth.min(WARM_UP_DEPTH)).with_stop(self.stop.clone());
        self.contenders.iter().try_for_each(|contender| contender.search(position, &limits).map(drop))
    }

    /// Searches what chance has made of the position of this place in the suite; none where somebody asks to
    /// stop before all of it is done.
    pub(super) fn run(
        &self,
        index: usize,
        position: &Entry,
        verdicts: &mut Verdicts,
    ) -> anyhow::Result<Option<SmallerLine>> {
        let limits = Limits::depth(self.depth).with_stop(self.stop.clone());
        let Some(all) = self.in_turn(index, position, &limits)? else { return Ok(None) };
        let mut faults = Vec::new();
        for (contender, found) in self.contenders.iter().zip(&all) {
            faults.extend(contender.fault(index, found, verdicts));
        }
        let Some(moves) = self.move_scores(position, &all, &limits, |ranked| {
            faults.extend(self.ranking.fault(index, ranked, verdicts));
        })?
        else {
            return Ok(None);
        };
        let told = self.contenders.iter().zip(&all).map(|(contender, found)| contender.line(found, &moves));
        let mut told = told.collect::<Vec<_>>().into_iter();
        Ok(told.next().map(|full| SmallerLine {
            schema: SCHEMA,
            game: self.suite.door.game().to_owned(),
            depth: self.depth,
            index: index + 1,
            position: position.text.clone(),
            full,
            searches: told.collect(),
            error: (!faults.is_empty()).then(|| faults.join("; ")),
        }))
    }

    /// What each of the contenders finds, in their order. They search to and fro, so that a machine that
    /// slows down favours nobody.
    fn in_turn(&self, index: usize, position: &Entry, limits: &Limits) -> anyhow::Result<Option<Vec<Found>>> {
        let is_back = index % 2 == 1;
        let mut contenders: Vec<_> = self.contenders.iter().collect();
        if is_back {
            contenders.reverse();
        }
        let mut all = Vec::new();
        for contender in contenders {
            let found = contender.search(position, limits)?;
            if found.measured.stopped {
                return Ok(None);
            }
            all.push(found);
        }
        if is_back {
            all.reverse();
        }
        Ok(Some(all))
    }

    /// What the moves that were chosen are worth in the full game. Where all chose as the search of the full
    /// game did, that is known; else all moves are searched, and `check` is told.
    fn move_scores(
        &self,
        position: &Entry,
        all: &[Found],
        limits: &Limits,
        check: impl FnOnce(&Found),
    ) -> anyhow::Result<Option<MoveScores>> {
        let chosen = |found: &Found| found.answer.best_move.clone();
        let best = all.first().and_then(chosen);
        if all.iter().all(|found| found.answer.best_move == best) {
            let score = all.first().and_then(|full| full.measured.score);
            return Ok(Some(best.into_iter().zip(score).collect()));
        }
        let ranked = self.ranking.search(position, limits)?;
        if ranked.measured.stopped {
            return Ok(None);
        }
        check(&ranked);
        let scores = ranked.answer.root_moves.iter().filter(|ranked| ranked.bounds.is_exact());
        // Of moves that are written alike the best, which comes first.
        Ok(Some(scores.rev().map(|ranked| (ranked.mv.clone(), ranked.bounds.lower)).collect()))
    }
}

impl Contender<'_> {
    fn search(&self, position: &Entry, limits: &Limits) -> anyhow::Result<Found> {
        let Contender { searcher, .. } = self;
        searcher.table().clear(1);
        let timed = searcher.search(position, limits, &mut |_| {})?;
        let measured = Measured::new(searcher.grid(), searcher.options(), &timed.answer, timed.wall());
        Ok(Found { answer: timed.answer, measured })
    }

    /// What is wrong with what it found, if anything.
    fn fault(&self, index: usize, found: &Found, verdicts: &mut Verdicts) -> Option<String> {
        let who = || self.setting.clone();
        let fault = if self.keeps_all {
            verdicts.check(index, who, &found.measured)
        } else {
            let fault = fault(&found.measured, None);
            fault.inspect(|fault| verdicts.fail(index, who, fault))
        };
        fault.map(|fault| format!("{}: {fault}", self.setting))
    }

    fn line(&self, found: &Found, moves: &MoveScores) -> SmallerSearch {
        let Found { answer, measured } = found;
        let move_score = answer.best_move.as_ref().and_then(|chosen| moves.get(chosen).copied());
        SmallerSearch {
            setting: self.setting.clone(),
            seed: self.seed,
            smaller_game: answer.smaller_game.clone(),
            wall_ns: measured.wall_ns,
            nodes: measured.nodes,
            evaluations: measured.evaluations,
            value: measured.value,
            score: measured.score,
            best_move: answer.best_move.clone(),
            move_value: move_score.map(|score| self.searcher.grid().value(score)),
            move_score,
        }
    }
}
