//! Plans behind doors: a search shared among machines, its tasks and answers as lines.

use crate::Entry;
use crate::typed::typed;
use starsplit::game::Texts;
use starsplit::score::Bounds;
use starsplit_planner::{Answer, Identities, Planner, PlannerOptions, TaskKey};
use std::any::Any;
use std::fmt;

/// A plan of a game behind a door. See [`Planner`].
pub trait AnyPlan: fmt::Debug + Send {
    /// The first `limit` of the tasks that nobody has, as lines; they count as handed out.
    fn hand_out(&mut self, limit: usize) -> Vec<String>;

    /// The task of this name is lost: it is handed out again where it is still open.
    fn lost(&mut self, name: &str);

    /// Takes an answer, a line.
    ///
    /// # Errors
    /// When it is none, is of other identities, or contradicts what is known.
    fn answer(&mut self, line: &str) -> anyhow::Result<Moved>;

    /// What is proven of the root's value in the iteration under way, as its player sees it, and its depth.
    fn bounds(&self) -> (u32, Bounds);

    /// What it has found, once it has ended.
    fn found(&self) -> Option<Found>;
}

/// What an answer has changed: tasks by name.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    /// Those that matter no more.
    pub closed: Vec<String>,
    /// Those whose windows are narrower now, with the tasks as they are.
    pub narrowed: Vec<(String, String)>,
    /// Whether the plan has ended.
    pub has_ended: bool,
}

/// What a plan has found: a [`Plan`](starsplit_planner::Plan) in words.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // said there
pub struct Found {
    pub depth: u32,
    pub bounds: Bounds,
    pub best_move: Option<String>,
    pub answers: u64,
    pub nodes: u64,
    pub contradictions: u64,
}

/// A plan of one type of game.
struct TypedPlan<G: Texts> {
    planner: Planner<G>,
    game: G,
    root: G::Position,
}

impl<G: Texts> fmt::Debug for TypedPlan<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedPlan").finish_non_exhaustive()
    }
}

/// A plan of `position` to `depth`, with answers of these identities.
///
/// # Errors
/// When the position is of another game, the depth is out of range, or the game breaks its contract.
pub(crate) fn plan<G: Texts<Position: Any> + Clone + 'static>(
    game: &G,
    position: &Entry,
    depth: u32,
    identities: Identities,
    options: PlannerOptions,
) -> anyhow::Result<Box<dyn AnyPlan>> {
    let root = typed::<G::Position>(position)?.clone();
    let planner = Planner::new(game.clone(), root.clone(), depth, identities, options)?;
    Ok(Box::new(TypedPlan { planner, game: game.clone(), root }))
}

impl<G: Texts<Position: Any> + 'static> AnyPlan for TypedPlan<G> {
    fn hand_out(&mut self, limit: usize) -> Vec<String> {
        self.planner.hand_out(limit).iter().map(ToString::to_string).collect()
    }

    fn lost(&mut self, name: &str) {
        let of_name = self.planner.tasks(usize::MAX).into_iter().find(|task| task.key.to_string() == name);
        if let Some(task) = of_name {
            self.planner.lost(&task.key);
        }
    }

    fn answer(&mut self, line: &str) -> anyhow::Result<Moved> {
        let progress = self.planner.answer(&line.parse::<Answer>()?)?;
        let narrowed = progress.narrowed.iter().map(|task| (task.key.to_string(), task.to_string()));
        Ok(Moved {
            closed: progress.closed.iter().map(TaskKey::to_string).collect(),
            narrowed: narrowed.collect(),
            has_ended: progress.has_ended,
        })
    }

    fn bounds(&self) -> (u32, Bounds) {
        (self.planner.depth(), self.planner.bounds())
    }

    fn found(&self) -> Option<Found> {
        self.planner.plan().map(|plan| Found {
            depth: plan.depth,
            bounds: plan.bounds,
            best_move: plan.best_move.map(|mv| self.game.move_text(&self.root, mv)),
            answers: plan.answers,
            nodes: plan.nodes,
            contradictions: plan.contradictions,
        })
    }
}
