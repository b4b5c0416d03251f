//! What a search may do otherwise than another, where the paper leaves it open.

use crate::readings::game::Die;
use starsplit_games::dice::FullLine;

/// What decision nodes take from the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DecisionUse {
    /// They have none.
    Off,
    /// The move to begin with. Bounds are stored, and nothing but a chance node looks at them.
    Hints,
    /// Bounds, too: they settle the node or narrow its window.
    Cuts,
}

/// What an entry holds of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bounds {
    /// One, or a value that is both, as in usual tables.
    One,
    /// Both, each with its depth (section III A). A chance node's are written over, as printed.
    Two,
}

/// Which entry stays, of two that belong in the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Replacement {
    /// The newer one.
    Always,
    /// The one of the greater depth, of two equal ones the newer.
    Deepest,
}

/// Entries of which depths count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Reuse {
    /// Of the very depth.
    Equal,
    /// Of greater depths, too, as printed. Unsound where positions recur at several depths.
    AtLeast,
}

/// In which order moves are searched, the table's first where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Order {
    /// As they are generated.
    Generation,
    /// Two killers a ply, the newest first, then history: `depth^2` for a cutoff.
    Heuristics,
    /// The killers that cut most often at the ply, then history as of 1989: `2^depth` for a cutoff or the
    /// best move of a node.
    Counted,
    /// By the evaluation of what they lead to, at nodes whose successors are not leaves.
    Static,
}

/// In which order the moves of a probe are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ProbeOrder {
    /// As all moves.
    Same,
    /// As they are generated, the table's move not before the others.
    Generation,
    /// By the evaluation of what they lead to.
    Static,
}

/// What a search begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Root {
    /// The roll: chance nodes stand at odd depths.
    Chance,
    /// The move after a roll, which the position's key names: decision nodes stand at odd depths.
    Decision,
}

/// One way to search: Star1, Star2 or Star2-TT with everything that a reading decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// Which lines the die names.
    pub(super) die: Die,
    /// What happens when it names a full one.
    pub(super) full_line: FullLine,
    /// What decision nodes take from the table.
    pub(super) decision: DecisionUse,
    /// The least depth of decision nodes that take bounds.
    pub(super) decision_from: u8,
    /// Whether chance nodes take their own bounds (section III A).
    pub(super) has_cutoffs: bool,
    /// Whether they look up their successors first (section III B).
    pub(super) probes_successors: bool,
    /// The least depth of chance nodes that do either.
    pub(super) chance_from: u8,
    /// What an entry holds.
    pub(super) bounds: Bounds,
    /// Which entry stays.
    pub(super) replacement: Replacement,
    /// Which entries count.
    pub(super) reuse: Reuse,
    /// The binary logarithm of the number of entries.
    pub(super) entries_log2: u32,
    /// Whether the table is cleared before each iteration.
    pub(super) is_cleared: bool,
    /// How many plies each iteration goes beyond the last.
    pub(super) step: u8,
    /// What the search begins with.
    pub(super) root: Root,
    /// In which order moves are searched.
    pub(super) order: Order,
    /// In which order those of a probe are.
    pub(super) probe_order: ProbeOrder,
    /// Whether a value outside the window is cut to its end.
    pub(super) is_fail_hard: bool,
    /// Whether the Star1 phase takes what came back for both bounds of a successor before it asks which it
    /// is, as printed. Unsound where chance nodes are stored.
    pub(super) is_printed: bool,
    /// Whether successors that are known are not searched again, and known bounds narrow their windows.
    pub(super) skips_known: bool,
    /// Moves that Star2 probes of each successor; 0 makes it Star1.
    pub(super) probing_factor: u8,
    /// Whether Star2 probes leaves, too, as printed, and so evaluates them twice.
    pub(super) probes_leaves: bool,
    /// Whether the Star1 phase takes over the exact value of a move that was probed rather than search it
    /// again.
    pub(super) keeps_probed: bool,
}

/// The entries of a table with room for all that these searches store.
pub(super) const ROOM: u32 = 22;

/// Star2 as the others differ from it: a table with room at decision nodes, whose bounds count.
pub(super) const BASE: Form = Form {
    die: Die::Own,
    full_line: FullLine::Reroll,
    decision: DecisionUse::Cuts,
    decision_from: 0,
    has_cutoffs: false,
    probes_successors: false,
    chance_from: 0,
    bounds: Bounds::Two,
    replacement: Replacement::Always,
    reuse: Reuse::Equal,
    entries_log2: ROOM,
    is_cleared: false,
    step: 2,
    root: Root::Chance,
    order: Order::Heuristics,
    probe_order: ProbeOrder::Same,
    is_fail_hard: false,
    is_printed: false,
    skips_known: false,
    probing_factor: 1,
    probes_leaves: false,
    keeps_probed: false,
};

impl Form {
    /// Whether chance nodes use the table.
    pub(super) fn has_table_at_chance(&self) -> bool {
        self.has_cutoffs || self.probes_successors
    }

    /// Whether it finds the value of the tree of fixed depth whatever its table held: not where deeper
    /// entries count and positions recur at several depths, and not where false bounds are stored.
    pub(super) fn is_sound(&self) -> bool {
        let recurs = self.full_line == FullLine::Pass;
        let takes_bounds = self.decision == DecisionUse::Cuts || self.has_table_at_chance();
        let stores_false_bounds = self.is_printed && self.has_table_at_chance();
        let mixes_depths = recurs && takes_bounds && self.reuse == Reuse::AtLeast;
        !stores_false_bounds && !mixes_depths
    }

    /// The same search with everything at its base that makes no difference to it, so that searches which are
    /// the same are made once.
    #[must_use]
    pub(super) fn plain(mut self) -> Form {
        if !self.has_table_at_chance() {
            (self.chance_from, self.is_printed) = (0, false);
            if self.decision != DecisionUse::Cuts {
                (self.bounds, self.reuse, self.decision_from) = (BASE.bounds, BASE.reuse, 0);
            }
            if self.decision == DecisionUse::Off {
                (self.replacement, self.entries_log2) = (BASE.replacement, BASE.entries_log2);
                self.is_cleared = false;
            }
            if self.probing_factor == 0 {
                self.skips_known = false;
            }
        }
        if self.probing_factor == 0 {
            (self.probes_leaves, self.keeps_probed) = (false, false);
            self.probe_order = ProbeOrder::Same;
        }
        self
    }
}

/// The depths of the iterations that end at `depth` and go on by `step` plies.
pub(super) fn iterations(depth: u8, step: u8) -> impl Iterator<Item = u8> {
    let first = (depth - 1) % step + 1;
    (first..=depth).step_by(usize::from(step))
}

/// What a search went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Entries into decision nodes, to be probed or searched.
    pub(super) decisions: u64,
    /// Entries into chance nodes.
    pub(super) chances: u64,
    /// Evaluations: entries at depth 0 where the game goes on.
    pub(super) leaves: u64,
    /// Entries where it is over.
    pub(super) terminals: u64,
    /// Of the decision and chance nodes, those that the table settled at once.
    pub(super) settled: u64,
    /// Evaluations that only order moves; no nodes.
    pub(super) ordering: u64,
}

impl Counts {
    /// Each part by itself.
    fn joined(self, other: Counts, join: impl Fn(u64, u64) -> u64) -> Counts {
        Counts {
            decisions: join(self.decisions, other.decisions),
            chances: join(self.chances, other.chances),
            leaves: join(self.leaves, other.leaves),
            terminals: join(self.terminals, other.terminals),
            settled: join(self.settled, other.settled),
            ordering: join(self.ordering, other.ordering),
        }
    }

    /// Both together.
    #[must_use]
    pub(super) fn plus(self, other: Counts) -> Counts {
        self.joined(other, |one, two| one + two)
    }

    /// What was beyond `earlier`.
    #[must_use]
    pub(super) fn since(self, earlier: Counts) -> Counts {
        self.joined(earlier, |one, two| one - two)
    }
}

/// What counts as a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeCount {
    /// Every entry into a node.
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
    pub(super) fn of(self, all: Counts, earlier: Counts) -> u64 {
        let entries = |counts: Counts| counts.decisions + counts.chances + counts.leaves + counts.terminals;
        match self {
            NodeCount::All => entries(all),
            NodeCount::Leaves => all.leaves + all.terminals,
            NodeCount::Interior => all.decisions + all.chances,
            NodeCount::Unrolled => all.chances + all.terminals,
            NodeCount::Unsettled => entries(all) - all.settled,
            NodeCount::Last => entries(all.since(earlier)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_that_are_the_same_are_one() {
        let hints = Form { decision: DecisionUse::Hints, ..BASE };
        assert_eq!(Form { bounds: Bounds::One, chance_from: 5, is_printed: true, ..hints }.plain(), hints);
        let cuts = Form { bounds: Bounds::One, ..BASE };
        assert_eq!(cuts.plain(), cuts);
        let at_chance = Form { has_cutoffs: true, chance_from: 5, ..hints };
        assert_eq!(at_chance.plain(), at_chance);
    }

    #[test]
    fn what_is_unsound_is_said() {
        let at_least = Form { reuse: Reuse::AtLeast, ..BASE };
        assert!(at_least.is_sound(), "a position has one depth where every ply places a checker");
        assert!(!Form { full_line: FullLine::Pass, ..at_least }.is_sound());
        assert!(Form { is_printed: true, ..BASE }.is_sound(), "nothing false is stored");
        assert!(!Form { is_printed: true, has_cutoffs: true, ..BASE }.is_sound());
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
