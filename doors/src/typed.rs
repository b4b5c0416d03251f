//! What is behind every door: searchers of one type of game and evaluator, with their answers put into words.

use crate::door::{Answer, AnySearcher, Asked, Entry, LeafPayload, SearcherMaker, SimulatedAnswer, Timed};
use crate::plans::{AnyPlan, plan};
use anyhow::{Context, bail};
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Step, Texts};
use starsplit::score::{Grid, Window};
use starsplit::search::{
    Expectation, Iteration, Limits, Options, PrincipalVariation, Proof, RootOutcome, SearchDepth,
    SearchResult, StopFlag,
};
use starsplit::simulate::Simulation;
use starsplit::table::Reuse;
use starsplit::unstable::{in_other_words, note};
use starsplit::{Pool, Searcher};
use starsplit_games::Invalid;
use starsplit_planner::{Identities, PlannerOptions, work};
use starsplit_saved::{TableIdentity, TableNames};
use starsplit_tables::AnyTable;
use std::any::Any;
use std::fmt;
use std::time::Instant;

/// A game and an evaluator of it, by their types. Whoever makes one has all of its searches compiled, those
/// on virtual processors where it `SIMULATES`.
#[derive(Clone, Debug)]
pub struct Typed<G, E, const SIMULATES: bool = { cfg!(feature = "simulate") }> {
    /// The game under its rules.
    pub game: G,
    /// The evaluator; every searcher has a copy.
    pub evaluator: E,
    /// How much stack calling threads have for a search, where it is not as usual.
    pub caller_stack: Option<usize>,
}

impl<G, E, const SIMULATES: bool> SearcherMaker for Typed<G, E, SIMULATES>
where
    G: Texts<Position: Any> + Clone + fmt::Debug + 'static,
    E: Evaluator<G> + Clone + fmt::Debug + 'static,
{
    fn searcher<'t>(
        &self,
        table: &'t AnyTable,
        options: Options,
        pool: Option<&Pool>,
    ) -> Box<dyn AnySearcher + 't> {
        let searcher = Searcher::new(self.game.clone(), self.evaluator.clone(), table).with_options(options);
        let searcher = match self.caller_stack {
            Some(bytes) => searcher.with_caller_stack(bytes),
            None => searcher,
        };
        Box::new(TypedSearcher::<_, _, SIMULATES>(match pool {
            Some(pool) => searcher.with_pool(pool.clone()),
            None => searcher,
        }))
    }

    fn plan(
        &self,
        position: &Entry,
        depth: u32,
        options: PlannerOptions,
    ) -> anyhow::Result<Box<dyn AnyPlan>> {
        let identities = Identities::new(&self.game, &self.evaluator, Reuse::Exact);
        plan(&self.game, position, depth, identities, options)
    }

    fn table_identity(&self, names: TableNames, reuse: Reuse) -> TableIdentity {
        TableIdentity::new(&self.game, &self.evaluator, reuse, names)
    }
}

struct TypedSearcher<'t, G: Texts, E, const SIMULATES: bool>(Searcher<G, E, &'t AnyTable>);

impl<G: Texts, E: Evaluator<G>, const SIMULATES: bool> fmt::Debug for TypedSearcher<'_, G, E, SIMULATES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypedSearcher").field(self.0.options()).finish()
    }
}

impl<G, E, const SIMULATES: bool> AnySearcher for TypedSearcher<'_, G, E, SIMULATES>
where
    G: Texts<Position: Any>,
    E: Evaluator<G>,
{
    fn options(&self) -> &Options {
        self.0.options()
    }

    fn table(&self) -> &AnyTable {
        self.0.table()
    }

    fn grid(&self) -> Grid {
        self.0.game().facts().grid
    }

    fn stop_handle(&self) -> StopFlag {
        self.0.stop_handle()
    }

    fn search(&self, position: &Entry, limits: &Limits, watch: &mut dyn FnMut(u32)) -> anyhow::Result<Timed> {
        let (asked, root) = (limits.into(), typed(position)?);
        self.timed(root, asked, &mut |iteration| watch(iteration.depth))
    }

    fn search_with(
        &self,
        position: &Entry,
        asked: Asked<'_>,
        watch: &mut dyn FnMut(&Iteration<String, String>),
    ) -> anyhow::Result<Timed> {
        let root = typed(position)?;
        let words = Words { game: self.0.game(), root };
        self.timed(root, asked, &mut |iteration| {
            let iteration = words.iteration(iteration);
            if let Some(handle) = asked.handle {
                note(handle, iteration.clone());
            }
            watch(&iteration);
        })
    }

    fn outcomes(
        &self,
        position: &Entry,
        limits: &Limits,
    ) -> anyhow::Result<Vec<RootOutcome<String, String>>> {
        let position = typed(position)?;
        let words = Words { game: self.0.game(), root: position };
        let found = self.0.request(position).limits(limits.clone()).outcomes()?;
        Ok(found.into_iter().map(|outcome| words.outcome(outcome)).collect())
    }

    fn expectation(
        &self,
        position: &Entry,
        limits: &Limits,
        (size, payload): (usize, &mut LeafPayload<'_>),
    ) -> anyhow::Result<(Answer, Option<Expectation>)> {
        let root = typed(position)?;
        let found = self.0.request(root).limits(limits.clone()).search()?;
        let write = |leaf: &G::Position, numbers: &mut [f64]| {
            payload(Entry::new(String::new(), leaf.clone()), numbers);
        };
        let request = self.0.request(root).limits(as_deep_as(limits, found.depth));
        let means = if found.depth > 0 { request.expectation(size, write)? } else { None };
        Ok((in_words(self.0.game(), root, found), means))
    }

    fn work(&self, root: &Entry, task: &str, limits: &Limits) -> anyhow::Result<String> {
        Ok(work(&self.0, typed(root)?, &task.parse()?, limits)?.to_string())
    }

    fn prove(&self, position: &Entry, depth: u32, window: Window, limits: &Limits) -> anyhow::Result<Proof> {
        Ok(self
            .0
            .request(typed(position)?)
            .limits(Limits { depth: SearchDepth::Plies(depth), ..limits.clone() })
            .prove(window)?)
    }

    fn pv(
        &self,
        position: &Entry,
        answer: &Answer,
        limits: &Limits,
    ) -> anyhow::Result<PrincipalVariation<String, String>> {
        let position = typed(position)?;
        let words = Words { game: self.0.game(), root: position };
        let best_move = answer.best_move.as_deref().and_then(|text| words.the_only_move(text));
        let request = self.0.request(position).limits(as_deep_as(limits, answer.depth));
        let request = match best_move {
            Some(best_move) => request.root_moves([best_move]),
            None => request,
        };
        Ok(request.pv()?.map(|steps| words.line(&steps)))
    }

    fn simulate(
        &self,
        position: &Entry,
        limits: &Limits,
        simulation: &Simulation,
    ) -> anyhow::Result<SimulatedAnswer> {
        let position = typed(position)?;
        if !SIMULATES {
            let is_built = cfg!(feature = "simulate");
            let smaller = "a search of the whole game, not of a smaller one";
            let built = "a program built with virtual processors, such as `starsplit`";
            bail!("simulate: expected {}", if is_built { smaller } else { built });
        }
        let simulated = self.0.request(position).limits(limits.clone()).simulate(simulation)?;
        Ok(simulated.map(|result| in_words(self.0.game(), position, result)))
    }
}

/// What is told of an iteration as it is.
type Watch<'a, G> = dyn FnMut(&Iteration<<G as Game>::Move, <G as Game>::Outcome>) + 'a;

impl<G: Texts, E: Evaluator<G>, const SIMULATES: bool> TypedSearcher<'_, G, E, SIMULATES> {
    /// A search, timed.
    fn timed(&self, root: &G::Position, asked: Asked<'_>, watch: &mut Watch<'_, G>) -> anyhow::Result<Timed> {
        let Asked { limits, root_moves, handle, root_ranking } = asked;
        let words = Words { game: self.0.game(), root };
        let moves =
            root_moves.iter().map(|text| words.named_move(text)).collect::<anyhow::Result<Vec<_>>>()?;
        let mut request = self.0.request(root).limits(limits.clone()).on_iteration(watch);
        if !moves.is_empty() {
            request = request.root_moves(moves);
        }
        if let Some(root_ranking) = root_ranking {
            request = request.options(Options { root_ranking, ..self.0.options().clone() });
        }
        if let Some(handle) = handle {
            request = request.handle(&in_other_words(handle));
        }
        let begun = Instant::now();
        let result = request.search()?;
        let ended = Instant::now();
        Ok(Timed { begun, ended, answer: in_words(self.0.game(), root, result) })
    }
}

/// The limits with the depth that was reached; to the end of the game there is but one.
pub fn as_deep_as(limits: &Limits, reached: u32) -> Limits {
    match limits.depth {
        SearchDepth::Plies(_) => Limits { depth: reached.into(), ..limits.clone() },
        SearchDepth::ToTheEnd => limits.clone(),
    }
}

/// The position of an entry, which has to be one of this type.
pub(super) fn typed<P: Any>(entry: &Entry) -> anyhow::Result<&P> {
    let complain = || format!("position {:?} is of another game than the searcher", entry.text);
    entry.position().with_context(complain)
}

/// What a search of `root` answered, in words.
pub fn in_words<G: Texts>(game: &G, root: &G::Position, result: SearchResult<G::Move, G::Outcome>) -> Answer {
    Words { game, root }.answer(result)
}

struct Words<'a, G: Texts> {
    game: &'a G,
    root: &'a G::Position,
}

impl<G: Texts> Words<'_, G> {
    fn answer(&self, result: SearchResult<G::Move, G::Outcome>) -> Answer {
        result.map(|mv| self.of_move(mv), |steps| self.line(&steps))
    }

    fn iteration(&self, iteration: &Iteration<G::Move, G::Outcome>) -> Iteration<String, String> {
        iteration.clone().map(|mv| self.of_move(mv), |steps| self.line(&steps))
    }

    fn of_move(&self, mv: G::Move) -> String {
        self.game.move_text(self.root, mv)
    }

    /// The root's move that is so written.
    ///
    /// # Errors
    /// When there is none, or more than one.
    fn named_move(&self, text: &str) -> anyhow::Result<G::Move> {
        let error = || Invalid::new("root move", text, "a move of the position");
        Ok(self.the_only_move(text).ok_or_else(error)?)
    }

    /// The same with its outcome and line in words.
    fn outcome(&self, found: RootOutcome<G::Move, G::Outcome>) -> RootOutcome<String, String> {
        let after = self.game.resolve(self.root, found.outcome);
        let after = Words { game: self.game, root: &after };
        found.map(|outcome| self.game.outcome_text(self.root, outcome), |steps| after.line(&steps))
    }

    /// The root's move that is so written, where one alone is.
    fn the_only_move(&self, text: &str) -> Option<G::Move> {
        let mut so_written = Vec::new();
        if self.game.kind(self.root) != NodeKind::Decision {
            return None;
        }
        self.game.moves(self.root, |mv| {
            if self.of_move(mv) == text {
                so_written.push(mv);
            }
        });
        if let [mv] = so_written[..] { Some(mv) } else { None }
    }

    fn line(&self, steps: &[Step<G::Move, G::Outcome>]) -> Vec<Step<String, String>> {
        let mut position = self.root.clone();
        let mut step = |&step: &Step<G::Move, G::Outcome>| match step {
            Step::Move(mv) => {
                let text = self.game.move_text(&position, mv);
                position = self.game.play(&position, mv);
                Step::Move(text)
            }
            Step::Outcome(outcome) => {
                let text = self.game.outcome_text(&position, outcome);
                position = self.game.resolve(&position, outcome);
                Step::Outcome(text)
            }
        };
        steps.iter().map(&mut step).collect()
    }
}
