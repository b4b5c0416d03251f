//! The readings of the paper that are searched, each listed before it was. Families differ in what
//! decision nodes take from the table in all algorithms, its bounds (`cuts`, unless said), its moves alone
//! (`hints`) or nothing (`off`); the rest vary one thing of one, or a few. In `d5c3` bounds count at decision
//! nodes from depth 5 on and at chance nodes from depth 3 on.
//!
//! How they are judged was laid down with the first 120: all to depth 13 on the first set with the library's
//! network, by `Distance` of the command `readings`. The five nearest are then searched on the
//! other sets and with the other networks, which did not choose them.

use crate::form::{DecisionUse, Form, NodeCount, Order};
use starsplit::search::Algorithm;

/// Their names, in three lists. The second was made after the first was judged: Star1 comes out from depth 7
/// on and Star2 does not, which searches every move that it probed again. The third was made after the first
/// four of the second: what was probed at least narrows the window of the search after it.
const NAMES: &str = include_str!("list.txt");

/// A part of a name, what it says of a reading, and what it makes of it.
type Part = (&'static str, &'static str, fn(&mut Reading));

/// What names are made of, beside depths and sizes. Where one begins as another, the longer is first.
const PARTS: [Part; 30] = [
    // What the table does at decision nodes, and which of the paper's two parts there is at chance nodes.
    ("cuts", "the table's bounds end and narrow decision nodes", |_| {}),
    ("hints", "at decision nodes the table's moves alone count", |r| r.form.decision = DecisionUse::Hints),
    ("off", "no table at decision nodes", |r| r.form.decision = DecisionUse::Off),
    ("tt-cuts", "bounds at those of Star2-TT", |r| r.form.star2_tt_cuts = true),
    ("cutoffs", "no successor probing", |r| r.form.lacks_probing = true),
    ("probing", "successor probing alone at chance nodes", |r| r.form.lacks_cutoffs = true),
    // What an entry holds, which stays, and for how long: "256Mb of memory were used".
    ("one", "one bound an entry", |r| r.form.holds_one_bound = true),
    ("deep", "the deeper entry stays", |r| r.form.keeps_deeper = true),
    ("cleared", "the table is cleared between iterations", |r| r.form.is_cleared = true),
    ("at-least", "deeper entries count", |r| r.form.takes_deeper = true),
    ("expectimax", "Expectimax has the table at decision nodes", |r| r.form.has_expectimax_table = true),
    // "In conjunction with iterative deepening", by how much is not said.
    ("step-1", "a ply more each iteration", |r| r.form.goes_by_plies = true),
    // What the figure leaves to negamax, and what it has as printed.
    ("leaves-twice", "Star2 probes leaves, too", |r| r.form.probes_leaves = true),
    ("printed", "one value for both bounds", |r| r.form.is_printed = true),
    ("fail-hard", "values end at the window", |r| r.form.is_fail_hard = true),
    ("skip", "known bounds narrow the windows of successors", |r| r.form.skips_known = true),
    ("keep", "moves that were probed are not searched again", |r| r.form.keeps_probed = true),
    // What counts as a node.
    ("leaves", "leaves and ends are nodes", |r| r.nodes = NodeCount::Leaves),
    ("interior", "decision and chance nodes are nodes", |r| r.nodes = NodeCount::Interior),
    ("unrolled", "positions before a roll are nodes", |r| r.nodes = NodeCount::Unrolled),
    ("unsettled", "all but what the table settles are nodes", |r| r.nodes = NodeCount::Unsettled),
    ("last", "those of the last iteration are nodes", |r| r.nodes = NodeCount::Last),
    // The rules: "the row or column into which the checker must be placed"; "before each move, a die".
    ("rows", "both players roll rows", |r| r.form.is_in_rows = true),
    ("pass", "a full line loses the turn", |r| r.form.passes = true),
    ("rolled", "searches begin with a move, after a roll", |r| r.form.is_rolled = true),
    // Killers and history as of 1989, and orders that the paper does not name.
    ("unordered", "no killers, no history", |r| r.form.order = Order::Generation),
    ("counted", "killers by how often they cut, history by 2^depth", |r| r.form.order = Order::Counted),
    ("static", "moves by their evaluations", |r| r.form.order = Order::Static),
    ("probe-static", "a probe's moves by their evaluations", |r| r.form.probe_order = Some(Order::Static)),
    ("probe-first", "a probe's moves as generated", |r| r.form.probe_order = Some(Order::Generation)),
];

/// One way to take what the paper says of its experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// What it is called.
    pub name: String,
    /// What it is, part by part of its name.
    pub about: String,
    /// Its Star2-TT, of which the other algorithms are what is left without its parts.
    pub form: Form,
    /// What counts as a node.
    pub nodes: NodeCount,
}

/// All of them.
pub fn readings() -> Vec<Reading> {
    NAMES.split_whitespace().filter_map(Reading::named).collect()
}

impl Reading {
    /// The reading that a name stands for; none where some part of it is unknown.
    pub fn named(name: &str) -> Option<Reading> {
        let mut reading = Reading { name: name.to_owned(), ..Reading::default() };
        let (mut rest, mut about) = (Some(name), Vec::new());
        while let Some(parts) = rest {
            let known = PARTS.iter().find_map(|&(part, says, make)| {
                let left = parts.strip_prefix(part)?;
                (left.is_empty() || left.starts_with('-')).then_some((says, make, left))
            });
            let left = if let Some((says, make, left)) = known {
                make(&mut reading);
                about.push(says.to_owned());
                left
            } else {
                let part = parts.split('-').next()?;
                about.push(reading.set_numbers(part)?);
                &parts[part.len()..]
            };
            rest = left.strip_prefix('-');
        }
        Some(Reading { about: about.join("; "), ..reading })
    }

    /// Takes a size of the table or depths from which on it is used, and tells what that says.
    fn set_numbers(&mut self, part: &str) -> Option<String> {
        let form = &mut self.form;
        if let Some(log2) = part.strip_prefix("2^") {
            form.entries_log2 = Some(log2.parse().ok()?);
            return Some(format!("{part} entries"));
        }
        if form.decision != DecisionUse::Cuts {
            form.chance_from = part.parse().ok()?;
            return Some(format!("chance nodes use the table from depth {part} on"));
        }
        // "A simple way around this is to limit the probing enhancement to chance nodes with sufficient
        // depth."
        let two = part.strip_prefix('d').and_then(|depths| depths.split_once('c'));
        let (decision, chance) = two.unwrap_or((part, part));
        (form.decision_from, form.chance_from) = (decision.parse().ok()?, chance.parse().ok()?);
        Some(format!(
            "bounds count at decision nodes from depth {decision} on, at chance nodes from {chance}"
        ))
    }

    /// What Expectimax, Star1, Star2 and Star2-TT do.
    pub fn forms(&self) -> [Form; 4] {
        use Algorithm::{Expectimax, Star1, Star2, Star2Tt};
        [Expectimax, Star1, Star2, Star2Tt].map(|algorithm| self.form.of(algorithm))
    }

    /// Whether all its searches have to find the value of the tree of fixed depth.
    pub fn is_sound(&self) -> bool {
        self.forms().iter().all(Form::is_sound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_is_listed_once_by_a_name_of_its_own() {
        let readings = readings();
        assert_eq!(readings.len(), NAMES.split_whitespace().count());
        let names: BTreeSet<_> = readings.iter().map(|reading| &reading.name).collect();
        assert_eq!(names.len(), readings.len());
        for (number, reading) in readings.iter().enumerate() {
            let is_same = |other: &&Reading| (other.form, other.nodes) == (reading.form, reading.nodes);
            assert_eq!(readings[..number].iter().find(is_same), None, "{}", reading.name);
        }
    }

    #[test]
    fn names_say_what_is_searched() {
        let found = Reading::named("pass-d7c6-step-1").unwrap();
        let form =
            Form { passes: true, decision_from: 7, chance_from: 6, goes_by_plies: true, ..Form::default() };
        assert_eq!((found.form, found.nodes), (form, NodeCount::All));
        let says = "a full line loses the turn; bounds count at decision nodes from depth 7 on, at chance \
                    nodes from 6; a ply more each iteration";
        assert_eq!(found.about, says);
        let found = Reading::named("off-tt-cuts").unwrap();
        assert_eq!(
            found.forms().map(|form| form.decision)[1..],
            [DecisionUse::Off, DecisionUse::Off, DecisionUse::Cuts]
        );
        let found = Reading::named("hints-7-last").unwrap();
        let form = Form { decision: DecisionUse::Hints, chance_from: 7, ..Form::default() };
        assert_eq!((found.form, found.nodes), (form, NodeCount::Last));
        for unknown in ["", "none", "cuts-", "cutsx", "d7", "2^x"] {
            assert_eq!(Reading::named(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn the_unsound_ones_are_known() {
        let unsound: Vec<_> =
            readings().into_iter().filter(|reading| !reading.is_sound()).map(|r| r.name).collect();
        assert_eq!(unsound, ["cuts-pass-at-least", "hints-pass-at-least", "cuts-printed", "hints-printed"]);
    }
}
