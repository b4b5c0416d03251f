//! Table probes and stores.

use crate::game::{Game, NodeKind, PositionHash};
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Score, Window};
use crate::search::plies::{self, Depth};
use crate::search::setup::{PositionOf, Setup};
use crate::search::tuning::Sampled;
use crate::search::worker::Worker;
use crate::table::{NewEntry, Table};

/// The depth of stored evaluations: the least, so that they are replaced first.
const EVALUATION_DEPTH: u8 = 1;

/// A position's static evaluation for its player, from the table or by `evaluate`.
#[inline(never)] // most searches do not use it
pub(super) fn evaluation<'s, S: Setup>(
    worker: &mut Worker<'s, S>,
    position: &PositionOf<S>,
    evaluate: impl FnOnce(&mut Worker<'s, S>) -> Score,
) -> Score {
    let key = worker.keys.evaluation_key(worker.game.hash(position));
    let is_sampled = worker.tuner.samples_evaluation(key);
    if !is_sampled && !worker.tuner.plan.remembers_evaluations {
        return evaluate(worker);
    }
    let score = recall(worker, key);
    if is_sampled {
        worker.tuner.note_remembered(score.is_some());
    }
    if let Some(score) = score {
        return score;
    }
    let score = evaluate(worker);
    remember(worker, key, score);
    score
}

/// The static evaluation that the table holds under a key, if any.
#[inline]
pub(super) fn recall<S: Setup>(worker: &mut Worker<'_, S>, key: PositionHash) -> Option<Score> {
    worker.stats.table.probes += 1;
    worker.processor.charge(Event::Table);
    let found = worker.table.probe(key, EVALUATION_DEPTH, worker.options.reuse);
    // A bound at the grid's end is not stored, so an evaluation there has one bound.
    let bounds = found.and_then(|found| found.bounds.meet(Bounds::unknown(worker.limit)));
    let score = bounds.filter(|bounds| bounds.is_exact()).map(|bounds| bounds.lower);
    worker.stats.table.hits += u64::from(score.is_some());
    score
}

/// Stores a static evaluation.
#[inline]
pub(super) fn remember<S: Setup>(worker: &mut Worker<'_, S>, key: PositionHash, score: Score) {
    keep(worker, key, NewEntry::new(EVALUATION_DEPTH, Bounds::exactly(score), worker.limit));
}

/// The table's knowledge of a node, and the node's key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The node's key; `None` when the node does not use the table.
    key: Option<PositionHash>,
    pub(super) bounds: Bounds,
    pub(super) table_move: Option<u16>,
    /// The sample that the node is, while the tuner measures whether probes pay.
    sampled: Option<Sampled>,
}

impl Known {
    /// Whether the table settles a decision node. Never at the root, which must name a move. (A chance root
    /// may be settled by an exact entry; searching it would need an empty window.)
    #[inline]
    pub(super) fn settles(&self, window: Window, ply: u16) -> bool {
        ply > 0 && window.is_settled_by(self.bounds)
    }
}

/// The key of a position as a node of this kind and depth.
#[inline]
pub(crate) fn node_key<S: Setup>(
    worker: &Worker<'_, S>,
    position: &PositionOf<S>,
    kind: NodeKind,
    depth: Depth,
) -> PositionHash {
    worker.keys.key(worker.game.hash_to_depth(position, plies::entry_depth(depth)), kind)
}

/// The depth of an entry. A value to the end is a function of the position alone: one depth serves all.
/// It is one that lasts beside entries of other searches.
#[inline]
pub(crate) fn entry_depth<S: Setup>(worker: &Worker<'_, S>, depth: Depth) -> u8 {
    if worker.near_leaves.to_the_end { 32 } else { plies::entry_depth(depth) }
}

/// Whether a node of this kind at this depth uses the table.
#[inline]
pub(super) fn uses_table<S: Setup>(worker: &Worker<'_, S>, kind: NodeKind, depth: Depth) -> bool {
    S::Table::IS_PRESENT && depth >= worker.tuner.plan.table_depth(kind)
}

/// Whether a node of this kind at this depth is in the tuner's sample of probes.
#[inline]
pub(super) fn samples<S: Setup>(
    worker: &Worker<'_, S>,
    position: &PositionOf<S>,
    kind: NodeKind,
    depth: Depth,
) -> bool {
    depth <= worker.tuner.sampled_depth
        && worker.tuner.samples(kind, depth, node_key(worker, position, kind, depth))
}

/// Probes the table for a node.
#[inline(always)] // a call costs 0.5 % of all instructions
pub(super) fn look_up<S: Setup>(
    worker: &mut Worker<'_, S>,
    position: &PositionOf<S>,
    kind: NodeKind,
    depth: Depth,
) -> Known {
    let bounds = Bounds::unknown(worker.limit);
    let mut known = Known { key: None, bounds, table_move: None, sampled: None };
    let is_used = uses_table(worker, kind, depth);
    if !is_used && depth > worker.tuner.sampled_depth {
        return known;
    }
    let key = node_key(worker, position, kind, depth);
    if !is_used && !worker.tuner.samples(kind, depth, key) {
        return known;
    }
    known.key = Some(key);
    worker.stats.table.probes += 1;
    worker.processor.charge(Event::Table);
    let Some(found) = worker.table.probe(key, entry_depth(worker, depth), worker.options.reuse) else {
        return known;
    };
    known.table_move = found.table_move;
    worker.stats.table.hits += u64::from(found.has_bounds());
    known.bounds = meet(worker, known.bounds, found.bounds);
    known
}

/// Probes the table for a node about to be searched.
#[inline]
pub(super) fn look_up_node<S: Setup>(
    worker: &mut Worker<'_, S>,
    position: &PositionOf<S>,
    kind: NodeKind,
    depth: Depth,
) -> Known {
    let mut known = look_up(worker, position, kind, depth);
    if depth <= worker.tuner.sampled_depth {
        known.sampled = worker.tuner.begin_sample(kind, depth, known.key, &worker.stats.nodes);
    }
    known
}

/// Ends a node that the table has settled.
#[inline]
pub(super) fn settle<S: Setup>(worker: &mut Worker<'_, S>, known: &Known) -> Bounds {
    if let Some(sampled) = known.sampled {
        worker.tuner.note_settled(sampled);
    }
    known.bounds
}

/// Intersects a node's proven bounds with those of the table, stores the result and returns it.
#[inline]
pub(super) fn conclude<S: Setup>(
    worker: &mut Worker<'_, S>,
    known: &Known,
    proven: Bounds,
    depth: Depth,
    table_move: Option<u16>,
) -> Bounds {
    if let Some(sampled) = known.sampled.filter(|_| !worker.polling.halted) {
        worker.tuner.note_searched(sampled, &worker.stats.nodes);
    }
    let bounds = meet(worker, proven, known.bounds);
    let is_news = bounds != known.bounds || (table_move.is_some() && table_move != known.table_move);
    if let Some(key) = known.key.filter(|_| is_news) {
        keep(
            worker,
            key,
            NewEntry { depth: entry_depth(worker, depth), bounds, limit: worker.limit, table_move },
        );
    }
    bounds
}

/// Stores an entry.
#[inline]
fn keep<S: Setup>(worker: &mut Worker<'_, S>, key: PositionHash, entry: NewEntry) {
    if worker.polling.is_void {
        return;
    }
    worker.processor.charge(Event::Table);
    let stored = worker.table.store(key, entry, worker.options.reuse);
    worker.stats.table.stores += u64::from(stored.written);
    worker.stats.table.replacements += u64::from(stored.replaced);
    worker.stats.table.contradictions += u64::from(stored.contradicted);
}

/// The intersection of both bounds. On a contradiction, which is counted, `bounds`.
#[inline]
pub(crate) fn meet<S: Setup>(worker: &mut Worker<'_, S>, bounds: Bounds, other: Bounds) -> Bounds {
    bounds.meet(other).unwrap_or_else(|| {
        worker.stats.table.contradictions += 1;
        bounds
    })
}

/// Prefetches the entry of a node to be probed soon.
#[inline]
pub(super) fn prefetch<S: Setup>(worker: &Worker<'_, S>, position: &PositionOf<S>, depth: Depth) {
    if !S::Table::IS_PRESENT || depth == 0 {
        return;
    }
    let kind = worker.game.kind(position);
    if kind != NodeKind::Terminal && uses_table(worker, kind, depth) {
        worker.table.prefetch(node_key(worker, position, kind, depth));
    }
}
