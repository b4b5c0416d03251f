//! Searches of a game that counts its pieces, which tell a table of chains how many are left. With other
//! tables they are as those of any game.

use crate::door::{AnySearcher, Entry, SearcherMaker};
use crate::plans::AnyPlan;
use crate::typed::Typed;
use starsplit::Pool;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, Texts};
use starsplit::search::Options;
use starsplit::table::Reuse;
use starsplit_planner::PlannerOptions;
use starsplit_saved::{TableIdentity, TableNames};
use starsplit_tables::{AnyTable, Counting, Left};
use starsplit_wrappers::OfInner;
use std::any::Any;
use std::fmt::{self, Debug};
use std::sync::Arc;

/// Makes searchers of a game with what counts its pieces.
pub(crate) struct CountingMaker<G: Game, E> {
    pub(crate) typed: Typed<G, E>,
    pub(crate) left: fn(&G::Position) -> Left,
}

impl<G: Game + Debug, E: Debug> Debug for CountingMaker<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CountingMaker").field(&self.typed).finish()
    }
}

impl<G, E> SearcherMaker for CountingMaker<G, E>
where
    G: Texts<Position: Any> + Clone + Debug + 'static,
    E: Evaluator<G> + Clone + Debug + 'static,
{
    fn searcher<'t>(
        &self,
        table: &'t AnyTable,
        options: Options,
        pool: Option<&Pool>,
    ) -> Box<dyn AnySearcher + 't> {
        let Some(pieces) = table.pieces_left() else { return self.typed.searcher(table, options, pool) };
        let Typed { game, evaluator, caller_stack } = self.typed.clone();
        let game = Counting::new(game, self.left, Arc::clone(pieces));
        Typed::<_, _> { game, evaluator: OfInner(evaluator), caller_stack }.searcher(table, options, pool)
    }

    fn plan(
        &self,
        position: &Entry,
        depth: u32,
        options: PlannerOptions,
    ) -> anyhow::Result<Box<dyn AnyPlan>> {
        self.typed.plan(position, depth, options)
    }

    fn table_identity(&self, names: TableNames, reuse: Reuse) -> TableIdentity {
        self.typed.table_identity(names, reuse)
    }
}
