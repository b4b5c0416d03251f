//! Searches of a game that counts its pieces, which tell a table of chains how many are left. With other
//! tables they are as those of any game.

use crate::door::{AnySearcher, Entry, SearcherMaker};
use crate::plans::AnyPlan;
use crate::typed::Typed;
use starsplit::Pool;
use starsplit::evaluator::Evaluator;
use starsplit::search::Options;
use starsplit::table::Reuse;
use starsplit_games::KnownGame;
use starsplit_planner::PlannerOptions;
use starsplit_saved::{TableIdentity, TableNames};
use starsplit_tables::{AnyTable, Counting};
use starsplit_wrappers::OfInner;
use std::fmt::Debug;
use std::sync::Arc;

/// Makes searchers of a game that counts its pieces.
#[derive(Debug)]
pub(crate) struct CountingMaker<G, E>(pub(crate) Typed<G, E>);

impl<G: KnownGame, E: Evaluator<G> + Clone + Debug + 'static> SearcherMaker for CountingMaker<G, E> {
    fn searcher<'t>(
        &self,
        table: &'t AnyTable,
        options: Options,
        pool: Option<&Pool>,
    ) -> Box<dyn AnySearcher + 't> {
        let (Some(pieces), Some(left)) = (table.pieces_left(), G::PIECES_LEFT) else {
            return self.0.searcher(table, options, pool);
        };
        let Typed { game, evaluator, caller_stack } = self.0.clone();
        let game = Counting::new(game, left, Arc::clone(pieces));
        Typed::<_, _> { game, evaluator: OfInner(evaluator), caller_stack }.searcher(table, options, pool)
    }

    fn plan(
        &self,
        position: &Entry,
        depth: u32,
        options: PlannerOptions,
    ) -> anyhow::Result<Box<dyn AnyPlan>> {
        self.0.plan(position, depth, options)
    }

    fn table_identity(&self, names: TableNames, reuse: Reuse) -> TableIdentity {
        self.0.table_identity(names, reuse)
    }
}
