//! Values beyond the range of a game: a plan ends with the errors of a search.

use crate::common::gamble::{Gamble, Pays, START};
use starsplit::Searcher;
use starsplit::evaluator::Constant;
use starsplit::game::Game;
use starsplit::score::Bounds;
use starsplit::search::{Limits, SearchError};
use starsplit::table::{LocklessTable, Reuse};
use starsplit_planner::{Answer, Identities, PlanError, Planner, PlannerOptions, work};

/// A plan joins values itself, so it looks itself.
#[test]
fn a_plan_ends_with_the_same_errors() {
    for (pays, given, win) in [
        (Pays::Terminals, "a terminal score for Max of", 10.0),
        (Pays::Rewards, "a reward of", 10.0),
        (Pays::Together, "a move or an outcome worth, with its reward,", 1.75),
    ] {
        let clamped = Gamble::<true> { saturates: true, ..Gamble::new(pays, win) };
        let planned = |game: Gamble<true>| {
            // The workers' game is sound: the plan must notice by itself.
            let evaluator = Constant::default();
            let identities =
                Identities { game: game.identity(), ..Identities::new(&clamped, &evaluator, Reuse::Exact) };
            let table = LocklessTable::with_buckets(64).expect("a small table");
            let searcher = Searcher::new(clamped, evaluator, table);
            let options = PlannerOptions { split_above: 0, ..PlannerOptions::default() };
            let mut planner = Planner::new(game, START, 2, identities, options)?;
            while let Some(task) = planner.hand_out(1).pop() {
                let answer = work(&searcher, &START, &task, &Limits::unbounded()).expect("a task");
                planner.answer(&Answer { identities, ..answer })?;
            }
            planner.plan().map(|plan| plan.bounds).ok_or(PlanError::Depth { found: 0 })
        };
        match planned(Gamble { saturates: false, ..clamped }) {
            Err(PlanError::Game(SearchError::OffGrid(off))) => {
                let text = off.to_string();
                assert!(text.starts_with(given), "{text}");
            }
            other => panic!("{pays:?}: {other:?}"),
        }
        assert_eq!(planned(clamped), Ok(Bounds::exactly(clamped.facts().grid.score(0.5))), "{pays:?}");
    }
}
