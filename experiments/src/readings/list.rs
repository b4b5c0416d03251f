//! The readings of the paper that are searched, each listed before it was. Families differ in what
//! decision nodes take from the table in all algorithms, its bounds (`cuts`), its moves alone (`hints`) or
//! nothing (`off`); the rest vary one thing of one, or a few. In `d5c3` bounds count at decision nodes from
//! depth 5 on and at chance nodes from depth 3 on.
//!
//! How they are judged was laid down with the first 120: all to depth 13 on the first set with the library's
//! network, by [`Distance`](crate::readings::distance::Distance). The five nearest are then searched on the
//! other sets and with the other networks, which did not choose them.

use crate::readings::form::{
    BASE, Bounds, DecisionUse, Form, NodeCount, Order, ProbeOrder, Replacement, Reuse, Root,
};
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
    /// From which depth on Expectimax has a table at its decision nodes.
    pub(super) expectimax_table_from: Option<u8>,
}

impl Reading {
    const fn new(name: &'static str, about: &'static str, form: Form) -> Reading {
        let (baseline, nodes) = (form.decision, NodeCount::All);
        Reading { name, about, form, baseline, nodes, expectimax_table_from: None }
    }

    const fn counting(name: &'static str, about: &'static str, form: Form, nodes: NodeCount) -> Reading {
        Reading { nodes, ..Reading::new(name, about, form) }
    }

    const fn tabled(name: &'static str, about: &'static str, form: Form, from: u8) -> Reading {
        Reading { expectimax_table_from: Some(from), ..Reading::new(name, about, form) }
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
const OFF: Form = Form { decision: DecisionUse::Off, ..CUTS };
const D7C5: Form = from(CUTS, 7, 5);
const ROLLED: Form = Form { root: Root::Decision, ..CUTS };
const ROLLED_D5C4: Form = from(ROLLED, 5, 4);

/// All of them.
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
    Reading::new("off", "no table at decision nodes", OFF),
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
    Reading::new("cuts-unordered", "no killers, no history", Form { order: Order::Generation, ..CUTS }),
    Reading::new("hints-unordered", "no killers, no history", Form { order: Order::Generation, ..HINTS }),
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
    // Decision nodes and chance nodes from depths of their own.
    Reading::new("d3c0", "decision nodes from depth 3 on, chance nodes from 0", from(CUTS, 3, 0)),
    Reading::new("d3c5", "so, from 3 and 5", from(CUTS, 3, 5)),
    Reading::new("d3c7", "so, from 3 and 7", from(CUTS, 3, 7)),
    Reading::new("d5c0", "so, from 5 and 0", from(CUTS, 5, 0)),
    Reading::new("d5c3", "so, from 5 and 3", from(CUTS, 5, 3)),
    Reading::new("d5c7", "so, from 5 and 7", from(CUTS, 5, 7)),
    Reading::new("d7c0", "so, from 7 and 0", from(CUTS, 7, 0)),
    Reading::new("d7c3", "so, from 7 and 3", from(CUTS, 7, 3)),
    Reading::new("d7c5", "so, from 7 and 5", D7C5),
    Reading::new("d9c3", "so, from 9 and 3", from(CUTS, 9, 3)),
    Reading::new("d9c5", "so, from 9 and 5", from(CUTS, 9, 5)),
    Reading::new("d9c7", "so, from 9 and 7", from(CUTS, 9, 7)),
    Reading::new("off-3", "no table at decision nodes, chance nodes from depth 3 on", from(OFF, 0, 3)),
    Reading::new("off-5", "the same from depth 5 on", from(OFF, 0, 5)),
    Reading::new("off-7", "the same from depth 7 on", from(OFF, 0, 7)),
    // The root: "before each move, a die is rolled".
    Reading::new("rolled-cuts", "searches begin with a move, after a roll", ROLLED),
    Reading::new(
        "rolled-hints",
        "the same, the table's moves order, its bounds count at chance nodes alone",
        Form { root: Root::Decision, ..HINTS },
    ),
    Reading::new("rolled-off", "the same, no table at decision nodes", Form { root: Root::Decision, ..OFF }),
    Reading::new(
        "rolled-off-4",
        "the same, chance nodes from depth 4 on",
        Form { root: Root::Decision, ..from(OFF, 0, 4) },
    ),
    Reading::new("rolled-d3c0", "decision nodes from depth 3 on, chance nodes from 0", from(ROLLED, 3, 0)),
    Reading::new("rolled-d3c4", "so, from 3 and 4", from(ROLLED, 3, 4)),
    Reading::new("rolled-d5c0", "so, from 5 and 0", from(ROLLED, 5, 0)),
    Reading::new("rolled-d5c4", "so, from 5 and 4", ROLLED_D5C4),
    Reading::new("rolled-d5c6", "so, from 5 and 6", from(ROLLED, 5, 6)),
    Reading::new("rolled-d7c0", "so, from 7 and 0", from(ROLLED, 7, 0)),
    Reading::new("rolled-d7c4", "so, from 7 and 4", from(ROLLED, 7, 4)),
    Reading::new("rolled-d7c6", "so, from 7 and 6", from(ROLLED, 7, 6)),
    Reading::new("rolled-d9c6", "so, from 9 and 6", from(ROLLED, 9, 6)),
    Reading::counting("rolled-leaves", "leaves and ends are nodes", ROLLED, NodeCount::Leaves),
    Reading::counting("rolled-d5c4-leaves", "leaves and ends are nodes", ROLLED_D5C4, NodeCount::Leaves),
    // Killers and history as of 1989, and orders that the paper does not name.
    Reading::new("cuts-counted", "killers by how often they cut, history by 2^depth", counted(CUTS)),
    Reading::new("d7c5-counted", "so", counted(D7C5)),
    Reading::new("rolled-d5c4-counted", "so", counted(ROLLED_D5C4)),
    Reading::new("off-counted", "so", counted(OFF)),
    Reading::new("cuts-static", "moves by their evaluations", Form { order: Order::Static, ..CUTS }),
    Reading::new("d7c5-static", "moves by their evaluations", Form { order: Order::Static, ..D7C5 }),
    Reading::new("off-static", "moves by their evaluations", Form { order: Order::Static, ..OFF }),
    Reading::new(
        "rolled-d5c4-static",
        "moves by their evaluations",
        Form { order: Order::Static, ..ROLLED_D5C4 },
    ),
    Reading::new("cuts-probe-static", "a probe's moves by their evaluations", probing(CUTS, STATIC)),
    Reading::new("d7c5-probe-static", "a probe's moves by their evaluations", probing(D7C5, STATIC)),
    Reading::new("off-probe-static", "a probe's moves by their evaluations", probing(OFF, STATIC)),
    Reading::new(
        "rolled-d5c4-probe-static",
        "a probe's moves by their evaluations",
        probing(ROLLED_D5C4, STATIC),
    ),
    Reading::new("cuts-probe-first", "a probe's moves as generated", probing(CUTS, GENERATION)),
    Reading::new("d7c5-probe-first", "a probe's moves as generated", probing(D7C5, GENERATION)),
    Reading::new("off-probe-first", "a probe's moves as generated", probing(OFF, GENERATION)),
    Reading::new("d7c5-unordered", "no killers, no history", Form { order: Order::Generation, ..D7C5 }),
    // Expectimax looks up its decision nodes, too.
    Reading::tabled("cuts-expectimax", "Expectimax has the table at decision nodes", CUTS, 0),
    Reading::tabled("d7c5-expectimax", "so, from depth 7 on", D7C5, 7),
    Reading::tabled("rolled-d5c4-expectimax", "so, from depth 5 on", ROLLED_D5C4, 5),
    // The table of the nearest of the shorter list.
    Reading::new("d7c5-one", "one bound an entry", Form { bounds: Bounds::One, ..D7C5 }),
    Reading::new("d7c5-2^16", "2^16 entries", sized(D7C5, 16)),
    Reading::new("d7c5-2^12-deep", "2^12 entries, the deeper stays", deepest(sized(D7C5, 12))),
    Reading::new("d7c5-step-1", "a ply more each iteration", Form { step: 1, ..D7C5 }),
    Reading::new("d7c5-cleared", "cleared between iterations", Form { is_cleared: true, ..D7C5 }),
    Reading::counting("d7c5-leaves", "leaves and ends are nodes", D7C5, NodeCount::Leaves),
    Reading::counting("d7c5-last", "the last iteration's are nodes", D7C5, NodeCount::Last),
    Reading::new("d7c5-rows", "both players roll rows", Form { die: Die::Rows, ..D7C5 }),
    Reading::new("d7c5-pass", "a full line loses the turn", pass(D7C5)),
    Reading::new("d7c5-skip", "known successors are not searched again", Form { skips_known: true, ..D7C5 }),
    Reading::new("d7c5-cutoffs", "no successor probing", Form { probes_successors: false, ..D7C5 }),
    // Listed after the first 120 were judged: Star1 comes out from depth 7 on and Star2 does not, which
    // searches every move that it probed again.
    Reading::new("hints-keep", "moves that were probed are not searched again", keeping(HINTS)),
    Reading::new("hints-5-keep", "so, chance nodes from depth 5 on", keeping(from(HINTS, 0, 5))),
    Reading::new("hints-7-keep", "so, from 7", keeping(from(HINTS, 0, 7))),
    Reading::new("hints-9-keep", "so, from 9", keeping(from(HINTS, 0, 9))),
    Reading::new("off-7-keep", "so, from 7, no table at decision nodes", keeping(from(OFF, 0, 7))),
    Reading::new("off-9-keep", "so, from 9, no table at decision nodes", keeping(from(OFF, 0, 9))),
    Reading::new("d7c5-keep", "so, from 5, decision nodes from 7", keeping(D7C5)),
    Reading::new("cuts-7-keep", "so, both from 7", keeping(from(CUTS, 7, 7))),
    Reading::new("d9c5-keep", "so, from 5, decision nodes from 9", keeping(from(CUTS, 9, 5))),
    Reading::new("d9c7-keep", "so, from 7, decision nodes from 9", keeping(from(CUTS, 9, 7))),
    Reading::new("cuts-9-keep", "so, both from 9", keeping(from(CUTS, 9, 9))),
    Reading::new(
        "hints-7-keep-probe-static",
        "so, from 7, a probe's moves by their evaluations",
        probing(keeping(from(HINTS, 0, 7)), STATIC),
    ),
    Reading::new("hints-9-keep-probe-static", "so, from 9", probing(keeping(from(HINTS, 0, 9)), STATIC)),
    Reading::new("pass-cuts-7", "a full line loses the turn, both from depth 7 on", pass(from(CUTS, 7, 7))),
    Reading::new("pass-d9c7", "so, decision nodes from 9, chance nodes from 7", pass(from(CUTS, 9, 7))),
    Reading::new("pass-hints-9", "so, the table's moves order, chance nodes from 9", pass(from(HINTS, 0, 9))),
    Reading::new("pass-d7c5-keep", "as d7c5-keep, a full line loses the turn", pass(keeping(D7C5))),
    Reading::new("pass-cuts-7-keep", "as cuts-7-keep", pass(keeping(from(CUTS, 7, 7)))),
    Reading::new("pass-d9c7-keep", "as d9c7-keep", pass(keeping(from(CUTS, 9, 7)))),
    Reading::new("pass-hints-7-keep", "as hints-7-keep", pass(keeping(from(HINTS, 0, 7)))),
    Reading::new("pass-hints-9-keep", "as hints-9-keep", pass(keeping(from(HINTS, 0, 9)))),
    Reading::new("cuts-2^14-deep", "2^14 entries, the deeper stays", deepest(sized(CUTS, 14))),
    Reading::new("pass-2^12-deep", "2^12 entries, the deeper stays", pass(deepest(sized(CUTS, 12)))),
    // Listed after the first four of these: what was probed at least narrows the window of the search after
    // it.
    Reading::new("hints-skip", "known bounds narrow the windows of successors", narrowing(HINTS)),
    Reading::new("hints-5-skip", "so, chance nodes from depth 5 on", narrowing(from(HINTS, 0, 5))),
    Reading::new("hints-7-skip", "so, from 7", narrowing(from(HINTS, 0, 7))),
    Reading::new("hints-9-skip", "so, from 9", narrowing(from(HINTS, 0, 9))),
    Reading::new("off-5-skip", "so, from 5, no table at decision nodes", narrowing(from(OFF, 0, 5))),
    Reading::new("off-7-skip", "so, from 7, no table at decision nodes", narrowing(from(OFF, 0, 7))),
    Reading::new("off-5-keep", "as off-7-keep, from 5", keeping(from(OFF, 0, 5))),
    Reading::new("d9c5-skip", "decision nodes from 9, chance nodes from 5", narrowing(from(CUTS, 9, 5))),
    Reading::new("d9c7-skip", "so, from 9 and 7", narrowing(from(CUTS, 9, 7))),
    Reading::new("cuts-7-skip", "so, both from 7", narrowing(from(CUTS, 7, 7))),
    Reading::new("pass-hints-5-keep", "as hints-5-keep, a full line loses the turn", pass_keeping(5)),
    Reading::new("pass-hints-5-skip", "as hints-5-skip, a full line loses the turn", pass_narrowing(5)),
    Reading::new("pass-hints-7-skip", "as hints-7-skip, a full line loses the turn", pass_narrowing(7)),
    // Listed after d7c5-step-1: a ply more each iteration.
    Reading::new("cuts-7-step-1", "cuts-7, a ply more each iteration", by_plies(from(CUTS, 7, 7))),
    Reading::new("hints-5-keep-step-1", "hints-5-keep, so", by_plies(keeping(from(HINTS, 0, 5)))),
    Reading::new("hints-5-skip-step-1", "hints-5-skip, so", by_plies(narrowing(from(HINTS, 0, 5)))),
    Reading::new("pass-d7c5-step-1", "d7c5-pass, so", by_plies(pass(D7C5))),
    Reading::new("pass-d7c6-step-1", "so, chance nodes from depth 6 on", by_plies(pass(from(CUTS, 7, 6)))),
    Reading::new("pass-cuts-7-step-1", "pass-cuts-7, so", by_plies(pass(from(CUTS, 7, 7)))),
    Reading::new("pass-hints-5-keep-step-1", "pass-hints-5-keep, so", by_plies(pass_keeping(5))),
    Reading::new("pass-hints-5-skip-step-1", "pass-hints-5-skip, so", by_plies(pass_narrowing(5))),
];

const STATIC: ProbeOrder = ProbeOrder::Static;
const GENERATION: ProbeOrder = ProbeOrder::Generation;

const fn from(form: Form, decision_from: u8, chance_from: u8) -> Form {
    Form { decision_from, chance_from, ..form }
}

const fn counted(form: Form) -> Form {
    Form { order: Order::Counted, ..form }
}

const fn by_plies(form: Form) -> Form {
    Form { step: 1, ..form }
}

const fn narrowing(form: Form) -> Form {
    Form { skips_known: true, ..form }
}

const fn pass_keeping(chance_from: u8) -> Form {
    pass(keeping(from(HINTS, 0, chance_from)))
}

const fn pass_narrowing(chance_from: u8) -> Form {
    pass(narrowing(from(HINTS, 0, chance_from)))
}

const fn keeping(form: Form) -> Form {
    Form { keeps_probed: true, ..form }
}

const fn probing(form: Form, probe_order: ProbeOrder) -> Form {
    Form { probe_order, ..form }
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
    fn each_is_listed_once_by_a_name_of_its_own() {
        let names: BTreeSet<_> = READINGS.iter().map(|reading| reading.name).collect();
        assert_eq!(names.len(), READINGS.len());
        for (number, reading) in READINGS.iter().enumerate() {
            let own = Reading { name: "", about: "", ..*reading };
            let same = |other: &&Reading| Reading { name: "", about: "", ..**other } == own;
            assert_eq!(READINGS[..number].iter().find(same), None, "{}", reading.name);
        }
    }

    #[test]
    fn the_unsound_ones_are_known() {
        let unsound: Vec<_> = READINGS.iter().filter(|reading| !reading.is_sound()).map(|r| r.name).collect();
        assert_eq!(unsound, ["cuts-pass-at-least", "hints-pass-at-least", "cuts-printed", "hints-printed"]);
    }
}
