//! The readings of the paper that are searched, listed before the first of them was. Two families differ in
//! what decision nodes take from the table in all algorithms, its bounds (`cuts`) or its moves alone
//! (`hints`); the rest vary one thing of either, or a few.

use crate::readings::form::{BASE, Bounds, DecisionUse, Form, NodeCount, Replacement, Reuse};
use crate::readings::game::Die;
use starsplit_games::dice::FullLine;

/// One way to take what the paper says of its experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    /// What it is called.
    pub(super) name: &'static str,
    /// In what it differs from the family's first.
    pub(super) about: &'static str,
    /// Its Star2-TT; Star1 and Star2 are what is left without the parts that these do not have.
    pub(super) form: Form,
    /// What decision nodes take from the table in Star1 and Star2.
    pub(super) baseline: DecisionUse,
    /// What counts as a node.
    pub(super) nodes: NodeCount,
}

impl Reading {
    const fn new(name: &'static str, about: &'static str, form: Form) -> Reading {
        Reading { name, about, form, baseline: form.decision, nodes: NodeCount::All }
    }

    const fn counting(name: &'static str, about: &'static str, form: Form, nodes: NodeCount) -> Reading {
        Reading { nodes, ..Reading::new(name, about, form) }
    }

    /// Its Star1.
    pub(super) fn star1(&self) -> Form {
        Form { probing_factor: 0, ..self.star2() }.plain()
    }

    /// Its Star2.
    pub(super) fn star2(&self) -> Form {
        let form = Form { has_cutoffs: false, probes_successors: false, ..self.form };
        Form { decision: self.baseline, ..form }.plain()
    }

    /// Its Star2-TT.
    pub(super) fn star2_tt(&self) -> Form {
        self.form.plain()
    }

    /// Whether all its searches have to find the value of the tree of fixed depth.
    pub(super) fn is_sound(&self) -> bool {
        [self.star1(), self.star2(), self.star2_tt()].iter().all(Form::is_sound)
    }
}

const CUTS: Form = Form { has_cutoffs: true, probes_successors: true, ..BASE };
const HINTS: Form = Form { decision: DecisionUse::Hints, ..CUTS };

/// All of them, at most 60.
pub(super) const READINGS: &[Reading] = &[
    // What the table does at decision nodes, and which of the paper's two parts there is at chance nodes.
    Reading::new(
        "cuts",
        "its bounds end and narrow decision nodes in all algorithms, as in the library",
        CUTS,
    ),
    Reading::new("hints", "its moves order, its bounds count at chance nodes alone", HINTS),
    Reading {
        baseline: DecisionUse::Hints,
        ..Reading::new("hints-tt-cuts", "moves in Star1 and Star2, bounds too in Star2-TT", CUTS)
    },
    Reading {
        baseline: DecisionUse::Off,
        ..Reading::new("off-tt-cuts", "no table in Star1 and Star2", CUTS)
    },
    Reading::new("off", "no table at decision nodes", Form { decision: DecisionUse::Off, ..CUTS }),
    Reading::new("cuts-cutoffs", "no successor probing", Form { probes_successors: false, ..CUTS }),
    Reading::new("hints-cutoffs", "no successor probing", Form { probes_successors: false, ..HINTS }),
    Reading::new("cuts-probing", "successor probing alone", Form { has_cutoffs: false, ..CUTS }),
    Reading::new("hints-probing", "successor probing alone", Form { has_cutoffs: false, ..HINTS }),
    // "A simple way around this is to limit the probing enhancement to chance nodes with sufficient depth."
    Reading::new("hints-3", "chance nodes use the table from depth 3 on", from(HINTS, 0, 3)),
    Reading::new("hints-5", "the same from depth 5 on", from(HINTS, 0, 5)),
    Reading::new("hints-7", "the same from depth 7 on", from(HINTS, 0, 7)),
    Reading::new("hints-9", "the same from depth 9 on", from(HINTS, 0, 9)),
    Reading::new("cuts-3", "no bounds from the table below depth 3", from(CUTS, 3, 3)),
    Reading::new("cuts-5", "the same below depth 5", from(CUTS, 5, 5)),
    Reading::new("cuts-7", "the same below depth 7", from(CUTS, 7, 7)),
    Reading::new("cuts-9", "the same below depth 9", from(CUTS, 9, 9)),
    // "256Mb of memory were used for the transposition table."
    Reading::new("cuts-2^16", "2^16 entries", sized(CUTS, 16)),
    Reading::new("cuts-2^12", "2^12 entries", sized(CUTS, 12)),
    Reading::new("cuts-2^8", "2^8 entries", sized(CUTS, 8)),
    Reading::new("hints-2^16", "2^16 entries", sized(HINTS, 16)),
    Reading::new("hints-2^12", "2^12 entries", sized(HINTS, 12)),
    Reading::new("hints-2^8", "2^8 entries", sized(HINTS, 8)),
    Reading::new("cuts-2^12-deep", "2^12 entries, the deeper stays", deepest(sized(CUTS, 12))),
    Reading::new("hints-2^12-deep", "2^12 entries, the deeper stays", deepest(sized(HINTS, 12))),
    Reading::new("hints-2^16-deep", "2^16 entries, the deeper stays", deepest(sized(HINTS, 16))),
    // What an entry holds, and for how long.
    Reading::new("cuts-one", "one bound an entry", Form { bounds: Bounds::One, ..CUTS }),
    Reading::new("hints-one", "one bound an entry", Form { bounds: Bounds::One, ..HINTS }),
    Reading::new("cuts-cleared", "cleared between iterations", Form { is_cleared: true, ..CUTS }),
    Reading::new("hints-cleared", "cleared between iterations", Form { is_cleared: true, ..HINTS }),
    Reading::new("cuts-at-least", "deeper entries count", Form { reuse: Reuse::AtLeast, ..CUTS }),
    // "In conjunction with iterative deepening", by how much is not said.
    Reading::new("cuts-step-1", "a ply more each iteration", Form { step: 1, ..CUTS }),
    Reading::new("hints-step-1", "a ply more each iteration", Form { step: 1, ..HINTS }),
    // What counts as a node.
    Reading::counting("cuts-leaves", "leaves and ends are nodes", CUTS, NodeCount::Leaves),
    Reading::counting("cuts-interior", "decision and chance nodes are", CUTS, NodeCount::Interior),
    Reading::counting("cuts-unrolled", "positions before a roll are", CUTS, NodeCount::Unrolled),
    Reading::counting("cuts-unsettled", "all but what the table settles are", CUTS, NodeCount::Unsettled),
    Reading::counting("cuts-last", "those of the last iteration are", CUTS, NodeCount::Last),
    Reading::counting("hints-leaves", "leaves and ends are nodes", HINTS, NodeCount::Leaves),
    Reading::counting("hints-interior", "decision and chance nodes are", HINTS, NodeCount::Interior),
    Reading::counting("hints-unrolled", "positions before a roll are", HINTS, NodeCount::Unrolled),
    Reading::counting("hints-unsettled", "all but what the table settles are", HINTS, NodeCount::Unsettled),
    Reading::counting("hints-last", "those of the last iteration are", HINTS, NodeCount::Last),
    // The rules: "the row or column into which the checker must be placed".
    Reading::new("cuts-rows", "both players roll rows", Form { die: Die::Rows, ..CUTS }),
    Reading::new("hints-rows", "both players roll rows", Form { die: Die::Rows, ..HINTS }),
    Reading::new("cuts-pass", "a full line loses the turn", pass(CUTS)),
    Reading::new("hints-pass", "a full line loses the turn", pass(HINTS)),
    Reading::new("cuts-pass-at-least", "so, and deeper entries count", at_least(pass(CUTS))),
    Reading::new("hints-pass-at-least", "so, and deeper entries count", at_least(pass(HINTS))),
    // The figure, and what it leaves to negamax.
    Reading::new("cuts-printed", "one value for both bounds", Form { is_printed: true, ..CUTS }),
    Reading::new("hints-printed", "one value for both bounds", Form { is_printed: true, ..HINTS }),
    Reading::new("cuts-fail-hard", "values end at the window", Form { is_fail_hard: true, ..CUTS }),
    Reading::new("hints-fail-hard", "values end at the window", Form { is_fail_hard: true, ..HINTS }),
    Reading::new("cuts-skip", "known successors are not searched again", Form { skips_known: true, ..CUTS }),
    Reading::new("cuts-unordered", "no killers, no history", Form { has_heuristics: false, ..CUTS }),
    Reading::new("hints-unordered", "no killers, no history", Form { has_heuristics: false, ..HINTS }),
    Reading::new("cuts-leaves-twice", "Star2 probes leaves, too", Form { probes_leaves: true, ..CUTS }),
    Reading::new("hints-leaves-twice", "Star2 probes leaves, too", Form { probes_leaves: true, ..HINTS }),
    // Two things at once.
    Reading::new(
        "hints-7-step-1",
        "from depth 7 on, a ply more each iteration",
        Form { step: 1, ..from(HINTS, 0, 7) },
    ),
    Reading::counting(
        "hints-7-last",
        "the same by two plies, last iteration",
        from(HINTS, 0, 7),
        NodeCount::Last,
    ),
];

const fn from(form: Form, decision_from: u8, chance_from: u8) -> Form {
    Form { decision_from, chance_from, ..form }
}

const fn sized(form: Form, entries_log2: u32) -> Form {
    Form { entries_log2, ..form }
}

const fn deepest(form: Form) -> Form {
    Form { replacement: Replacement::Deepest, ..form }
}

const fn pass(form: Form) -> Form {
    Form { full_line: FullLine::Pass, ..form }
}

const fn at_least(form: Form) -> Form {
    Form { reuse: Reuse::AtLeast, ..form }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn at_most_sixty_are_listed_each_by_a_name_of_its_own() {
        assert!(READINGS.len() <= 60, "{}", READINGS.len());
        let names: BTreeSet<_> = READINGS.iter().map(|reading| reading.name).collect();
        assert_eq!(names.len(), READINGS.len());
        for (number, reading) in READINGS.iter().enumerate() {
            let same = |other: &&Reading| {
                (other.form, other.baseline, other.nodes) == (reading.form, reading.baseline, reading.nodes)
            };
            assert_eq!(READINGS[..number].iter().find(same), None, "{}", reading.name);
        }
    }

    #[test]
    fn the_unsound_ones_are_known() {
        let unsound: Vec<_> = READINGS.iter().filter(|reading| !reading.is_sound()).map(|r| r.name).collect();
        assert_eq!(unsound, ["cuts-pass-at-least", "hints-pass-at-least", "cuts-printed", "hints-printed"]);
    }
}
