//! Recording a search as a tree: what a worker notes where it enters and leaves a node. Where nothing is
//! recorded no node pays for it, or a test of one word.

use crate::game::NodeKind;
use crate::processor::Processor;
use crate::score::{Bounds, Window};
use crate::search::answer::TreeEnd;
use crate::search::chance_node::Phase;
use crate::search::plies::Depth;
use crate::search::setup::{NodeOf, Setup};
use crate::search::tree_log::{LoggedNode, LoggedPlace};
use crate::search::worker::Worker;

/// The record of the tree, if there is one, is of this iteration from now on.
pub(super) fn begin_iteration<S: Setup>(worker: &mut Worker<'_, S>, depth: Depth) {
    if let Some(recorder) = &mut worker.recorder {
        recorder.begin_iteration(depth);
    }
}

/// The successors of the node that the worker is in are searched in this phase from now on.
pub(super) fn begin_phase<S: Setup>(worker: &mut Worker<'_, S>, phase: Phase) {
    if let Some(recorder) = &mut worker.recorder {
        recorder.begin_phase(phase);
    }
}

/// Records the entry into a node, where the worker records. `probed`: by one of Star2's probes.
#[cold]
pub(super) fn enter<S: Setup>(
    worker: &mut Worker<'_, S>,
    kind: NodeKind,
    node: NodeOf<'_, S>,
    window: Window,
    probed: bool,
) {
    let (began, hits) = (worker.processor.now(), worker.stats.table.hits);
    let bounds = Bounds::unknown(worker.limit);
    let Some(recorder) = &mut worker.recorder else { return };
    recorder.enter(hits, |number, above| {
        // Star1's is the phase of chance nodes that say nothing else.
        let usual = above.and_then(|above| above.phase).or(node.place.map(|_| Phase::Star1));
        LoggedNode {
            number,
            parent: above.map(|above| above.id),
            position: node.position.clone(),
            kind,
            depth: node.depth,
            ply: node.ply,
            place: node.place,
            window,
            bounds,
            phase: if probed { Some(Phase::Probing) } else { usual },
            end: TreeEnd::Halted,
            began,
            ended: began,
            narrowed: Vec::new(),
        }
    });
}

/// Records the exit from the node that was entered last, with what was proven of it.
#[cold]
pub(super) fn leave<S: Setup>(worker: &mut Worker<'_, S>, found: Bounds) {
    let (ended, hits, is_halted) = (worker.processor.now(), worker.stats.table.hits, worker.is_halted());
    let limit = worker.limit;
    let Some(recorder) = &mut worker.recorder else { return };
    recorder.leave(ended, found, |open, window| match open.has_children {
        _ if is_halted => TreeEnd::Halted,
        false if hits > open.hits => TreeEnd::Table,
        false => TreeEnd::StaticBounds,
        // The grid's ends are no bounds of others': a value there is as exact as any.
        true if found.lower >= window.beta && window.beta < limit => TreeEnd::Beta,
        true if found.upper <= window.alpha && window.alpha > -limit => TreeEnd::Alpha,
        true if found.is_exact() => TreeEnd::Exact,
        true if found.lower >= window.beta => TreeEnd::Beta,
        true if found.upper <= window.alpha => TreeEnd::Alpha,
        true => TreeEnd::Open,
    });
}

/// Records a node that has no successors in the search.
#[cold]
pub(super) fn note_leaf<S: Setup>(
    worker: &mut Worker<'_, S>,
    kind: NodeKind,
    node: NodeOf<'_, S>,
    window: Window,
    (found, end): (Bounds, TreeEnd),
) {
    enter(worker, kind, node, window, false);
    let now = worker.processor.now();
    if let Some(recorder) = &mut worker.recorder {
        recorder.leave(now, found, |_, _| end);
    }
}

/// Goes below the node of a split point, whose successors are searched in this phase, if it is recorded.
pub(crate) fn enter_split<S: Setup>(
    worker: &mut Worker<'_, S>,
    place: Option<LoggedPlace>,
    phase: Option<Phase>,
) {
    if let (Some(recorder), Some(place)) = (&mut worker.recorder, place) {
        recorder.enter_split(place, phase);
    }
}

/// Comes back from there.
pub(crate) fn leave_split<S: Setup>(worker: &mut Worker<'_, S>, place: Option<LoggedPlace>) {
    if let (Some(recorder), Some(_)) = (&mut worker.recorder, place) {
        recorder.leave_split();
    }
}

/// Records the window of the node that the worker is in, where it has become another.
pub(crate) fn narrow<S: Setup>(worker: &mut Worker<'_, S>, window: Window) {
    if let Some(recorder) = &mut worker.recorder {
        recorder.narrow(worker.processor.now(), window);
    }
}
