//! What a search may do otherwise than another, where the paper leaves it open.

use starsplit::search::Algorithm;

/// What decision nodes take from the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum DecisionUse {
    /// They have none.
    Off,
    /// The move to begin with. Bounds are stored, and nothing but a chance node looks at them.
    Hints,
    /// Bounds, too: they settle the node or narrow its window.
    #[default]
    Cuts,
}

/// In which order moves are searched, the table's first where there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Order {
    /// As they are generated.
    Generation,
    /// Two killers a ply, the newest first, then history: `depth^2` for a cutoff.
    #[default]
    Heuristics,
    /// The killers that cut most often at the ply, then history as of 1989: `2^depth` for a cutoff or the
    /// best move of a node.
    Counted,
    /// By the evaluation of what they lead to, at nodes whose successors are not leaves.
    Static,
}

/// One way to search: an algorithm with everything that a reading decides. The default is Star2-TT whose
/// bounds count everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Form {
    /// Which algorithm.
    pub algorithm: Algorithm,
    /// Whether the die names a row for either player; else a column for the second, as in the library.
    pub is_in_rows: bool,
    /// Whether a full line loses the turn; else the die is rolled again.
    pub passes: bool,
    /// Whether a search begins with the move after a roll, which the position's key names, rather than with
    /// the roll: then decision nodes stand at odd depths.
    pub(crate) is_rolled: bool,
    /// Whether each iteration goes one ply beyond the last; else two.
    pub(crate) goes_by_plies: bool,
    /// What decision nodes take from the table.
    pub(crate) decision: DecisionUse,
    /// Whether those of Star2-TT take bounds whatever the others do.
    pub star2_tt_cuts: bool,
    /// Whether Expectimax looks up and stores its decision nodes, too.
    pub(crate) has_expectimax_table: bool,
    /// The least depth of decision nodes that take bounds.
    pub(crate) decision_from: u8,
    /// Whether chance nodes do not take their own bounds (section III A).
    pub(crate) lacks_cutoffs: bool,
    /// Whether they do not look up their successors first (section III B).
    pub(crate) lacks_probing: bool,
    /// The least depth of chance nodes that do either.
    pub(crate) chance_from: u8,
    /// Whether an entry holds one bound, or a value that is both, as in usual tables; else it holds both,
    /// each with its depth (section III A), and a chance node's are written over, as printed.
    pub(crate) holds_one_bound: bool,
    /// Whether the deeper entry stays, of two that belong in the same place; else the newer.
    pub(crate) keeps_deeper: bool,
    /// Whether entries of greater depths count, too, as printed. Unsound where positions recur at several
    /// depths.
    pub(crate) takes_deeper: bool,
    /// The binary logarithm of the number of entries, where there is not room for all.
    pub entries_log2: Option<u32>,
    /// Whether the table is cleared before each iteration.
    pub(crate) is_cleared: bool,
    /// In which order moves are searched.
    pub(crate) order: Order,
    /// In which order those of a probe are, where it is another: as generated, the table's move not before
    /// the others, or by the evaluation of what they lead to.
    pub(crate) probe_order: Option<Order>,
    /// Whether a value outside the window is cut to its end.
    pub(crate) is_fail_hard: bool,
    /// Whether the Star1 phase takes what came back for both bounds of a successor before it asks which it
    /// is, as printed. Unsound where chance nodes are stored.
    pub(crate) is_printed: bool,
    /// Whether successors that are known are not searched again, and known bounds narrow their windows.
    pub(crate) skips_known: bool,
    /// Whether Star2 probes leaves, too, as printed, and so evaluates them twice.
    pub(crate) probes_leaves: bool,
    /// Whether the Star1 phase takes over the exact value of a move that was probed rather than search it
    /// again.
    pub(crate) keeps_probed: bool,
}

impl Form {
    /// Whether it finds the value of the tree of fixed depth whatever its table held: not where deeper
    /// entries count and positions recur at several depths, and not where false bounds are stored.
    pub(crate) fn is_sound(&self) -> bool {
        let has_table_at_chance = self.algorithm == Algorithm::Star2Tt;
        let takes_bounds = self.decision == DecisionUse::Cuts || has_table_at_chance;
        let mixes_depths = self.passes && self.takes_deeper && takes_bounds;
        !(mixes_depths || self.is_printed && has_table_at_chance)
    }

    /// What `algorithm` does under the same reading, with everything at its default that makes no difference
    /// to it, so that searches which are the same are made once.
    #[must_use]
    pub fn of(self, algorithm: Algorithm) -> Form {
        let Form { is_in_rows, passes, is_rolled, goes_by_plies, has_expectimax_table, .. } = self;
        let rules = Form { algorithm, is_in_rows, passes, is_rolled, goes_by_plies, ..Form::default() };
        if algorithm == Algorithm::Expectimax {
            // It remembers what it finds elsewhere than in the table of the others.
            let decision_from = if has_expectimax_table { self.decision_from } else { 0 };
            return Form { has_expectimax_table, decision_from, entries_log2: Some(0), ..rules };
        }
        let mut form = Form { algorithm, star2_tt_cuts: false, has_expectimax_table: false, ..self };
        if algorithm == Algorithm::Star2Tt {
            form.decision = if self.star2_tt_cuts { DecisionUse::Cuts } else { self.decision };
            return form;
        }
        form = Form { lacks_cutoffs: false, lacks_probing: false, is_printed: false, chance_from: 0, ..form };
        if algorithm == Algorithm::Star1 {
            (form.skips_known, form.keeps_probed, form.probes_leaves) = (false, false, false);
            form.probe_order = None;
        }
        form
    }

    /// The depths of the iterations that end at `depth`.
    pub(crate) fn iterations(&self, depth: u8) -> impl Iterator<Item = u8> + use<> {
        let step = if self.goes_by_plies { 1 } else { 2 };
        ((depth - 1) % step + 1..=depth).step_by(usize::from(step))
    }
}

/// What a search went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Entries into decision nodes, to be probed or searched.
    pub(crate) decisions: u64,
    /// Entries into chance nodes.
    pub(crate) chances: u64,
    /// Evaluations: entries at depth 0 where the game goes on.
    pub leaves: u64,
    /// Entries where it is over.
    pub(crate) terminals: u64,
    /// Of the decision and chance nodes, those that the table settled at once.
    pub(crate) settled: u64,
    /// Evaluations that only order moves; no nodes.
    pub ordering: u64,
}

impl Counts {
    /// Each part joined with that of `other`.
    #[must_use]
    pub(crate) fn joined(self, other: Counts, join: fn(u64, u64) -> u64) -> Counts {
        Counts {
            decisions: join(self.decisions, other.decisions),
            chances: join(self.chances, other.chances),
            leaves: join(self.leaves, other.leaves),
            terminals: join(self.terminals, other.terminals),
            settled: join(self.settled, other.settled),
            ordering: join(self.ordering, other.ordering),
        }
    }
}

/// What counts as a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeCount {
    /// Every entry into a node.
    #[default]
    All,
    /// Entries at which the search ends: leaves and finished games.
    Leaves,
    /// Entries into decision and chance nodes.
    Interior,
    /// Positions before a roll: chance nodes and finished games.
    Unrolled,
    /// Every entry but those that the table settles at once.
    Unsettled,
    /// Every entry, of the last iteration alone.
    Last,
}

impl NodeCount {
    /// The nodes of a search that counted `all`, and before its last iteration `earlier`.
    pub fn of(self, all: Counts, earlier: Counts) -> u64 {
        let entries = |counts: Counts| counts.decisions + counts.chances + counts.leaves + counts.terminals;
        match self {
            NodeCount::All => entries(all),
            NodeCount::Leaves => all.leaves + all.terminals,
            NodeCount::Interior => all.decisions + all.chances,
            NodeCount::Unrolled => all.chances + all.terminals,
            NodeCount::Unsettled => entries(all) - all.settled,
            NodeCount::Last => entries(all) - entries(earlier),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_that_are_the_same_are_one() {
        let hints = Form { decision: DecisionUse::Hints, ..Form::default() };
        let other = Form { lacks_cutoffs: true, chance_from: 5, is_printed: true, ..hints };
        assert_eq!(other.of(Algorithm::Star2), hints.of(Algorithm::Star2));
        let cuts = Form { holds_one_bound: true, algorithm: Algorithm::Star2, ..Form::default() };
        assert_eq!(cuts.of(Algorithm::Star2), cuts);
        let at_chance = Form { lacks_probing: true, chance_from: 5, ..hints };
        assert_eq!(at_chance.of(Algorithm::Star2Tt), at_chance);
    }

    #[test]
    fn what_is_unsound_is_said() {
        let at_least = Form { takes_deeper: true, ..Form::default() };
        assert!(at_least.is_sound(), "a position has one depth where every ply places a checker");
        assert!(!Form { passes: true, ..at_least }.is_sound());
        let printed = Form { is_printed: true, ..Form::default() };
        assert!(printed.of(Algorithm::Star2).is_sound(), "nothing false is stored");
        assert!(!printed.is_sound());
    }

    #[test]
    fn nodes_are_counted_in_six_ways() {
        let all = Counts { decisions: 10, chances: 20, leaves: 40, terminals: 2, settled: 3, ordering: 7 };
        let earlier = Counts { decisions: 1, chances: 2, leaves: 4, terminals: 0, settled: 0, ordering: 0 };
        let ways = [
            NodeCount::All,
            NodeCount::Leaves,
            NodeCount::Interior,
            NodeCount::Unrolled,
            NodeCount::Unsettled,
            NodeCount::Last,
        ];
        assert_eq!(ways.map(|way| way.of(all, earlier)), [72, 42, 30, 22, 69, 65]);
    }
}
