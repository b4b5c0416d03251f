//! Whether nodes one and two plies above the leaves use the table, and whether evaluations are remembered.
//!
//! These nodes are nearly all nodes, and what a look-up of one saves is little: it pays where they recur often
//! enough, or cost enough, which differs from game to game and with the parity of the depth. So now and then,
//! for some thousand nodes, all of them are looked up: how many are settled by that, and what the others cost
//! to search, tells which go on doing so.

use crate::game::Kind;
use crate::search::request::{Options, TableUse};
use crate::search::setup::Setup;
use crate::search::tuning::{Plan, TABLE_NS};
use crate::search::worker::Worker;
use crate::search::{collapse, frontier};
use crate::table::Table;

/// Nodes up to this depth are tried.
const DEEPEST: u8 = frontier::DEPTH;

/// A trial lasts so many nodes, or this part of all visited before it where that is more.
const LEAST_TRIAL: u64 = 2048;
const TRIAL_PART: u64 = 32;

/// The next trial begins when the search has so many times as many nodes.
const UNTIL_NEXT: u64 = 4;

/// Of fewer look-ups nothing is concluded.
const LEAST_LOOK_UPS: u64 = 64;

/// What is looked up in a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Chance1,
    Chance2,
    Decision1,
    Decision2,
    Evaluation,
}

const CLASSES: usize = 5;

impl Class {
    /// The class of the nodes of this kind at this depth.
    #[inline]
    fn of(kind: Kind, depth: u8) -> Class {
        match (kind, depth) {
            (Kind::Decision, 1) => Class::Decision1,
            (Kind::Decision, _) => Class::Decision2,
            (_, 1) => Class::Chance1,
            _ => Class::Chance2,
        }
    }
}

/// What came of the look-ups of a class.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    settled: u64,
    /// Those that were not, and were searched to the end.
    searched: u64,
    /// What these searches cost.
    price: u64,
}

impl Tally {
    /// Whether it pays to look up; `None` where there were too few.
    fn pays(&self) -> Option<bool> {
        let looks = self.settled + self.searched;
        // What was settled would have cost as much as the others, by their mean.
        let saved = self.settled * self.price / self.searched.max(1);
        (looks >= LEAST_LOOK_UPS).then_some(saved > looks * TABLE_NS)
    }
}

/// A node that is looked up in a trial.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Tried {
    class: Class,
    /// The price of all that was done before.
    before: u64,
}

/// The trials, their results and when they are.
#[derive(Debug)]
pub(super) struct ShallowTable {
    /// Whether the options leave it to the search which nodes use the table, and whether evaluations are
    /// remembered.
    tries: [bool; 2],
    is_trying: bool,
    /// At so many nodes of this worker a trial begins, or the present one ends.
    next: u64,
    tallies: [Tally; CLASSES],
    /// What goes on when the trial ends.
    plan: Option<Plan>,
}

impl ShallowTable {
    pub(super) fn new<S: Setup>(options: &Options, evaluation_ns: u64) -> Self {
        let has_table = S::Table::IS_PRESENT && options.table_use != TableUse::None;
        let first = Plan::new::<S>(options, evaluation_ns);
        let may_pay = evaluation_ns > TABLE_NS && !first.looks_up_collapsed::<S>(options);
        ShallowTable {
            tries: [
                has_table && options.table_depth.is_none(),
                has_table && may_pay && options.remember_evaluations.is_none(),
            ],
            is_trying: false,
            next: 0,
            tallies: Default::default(),
            plan: None,
        }
    }
}

/// Begins a trial, or ends one, if it is time to.
pub(super) fn step<S: Setup>(worker: &mut Worker<'_, S>) {
    let total = worker.stats.nodes.total();
    let trials = &mut worker.tuner.shallow_table;
    if total < trials.next || trials.tries == [false; 2] {
        return;
    }
    if trials.is_trying {
        trials.is_trying = false;
        trials.next = total * UNTIL_NEXT;
        let plan = trials.plan.take().unwrap_or(worker.plan);
        let plan = trials.chosen(plan, collapse::depth::<S>(worker.options) == 1);
        worker.publish_plan(Plan { probed_depths: worker.plan.probed_depths, ..plan });
    } else {
        trials.is_trying = true;
        trials.next = total + LEAST_TRIAL.max(total / TRIAL_PART);
        trials.tallies = Default::default();
        trials.plan = Some(worker.plan);
        let plan = trials.all_looked_up(worker.plan, collapse::depth::<S>(worker.options) == 1);
        worker.follow_plan(plan);
    }
}

impl ShallowTable {
    /// The plan of a trial. Where chance nodes above the leaves collapse, they are an evaluation.
    fn all_looked_up(&self, plan: Plan, collapses: bool) -> Plan {
        let [nodes, evaluations] = self.tries;
        let least = |present: u8, least: u8| if nodes && present < u8::MAX { least } else { present };
        Plan {
            chance_table_depth: least(plan.chance_table_depth, if collapses { 2 } else { 1 }),
            decision_table_depth: least(plan.decision_table_depth, 1),
            remembers_evaluations: plan.remembers_evaluations || evaluations,
            ..plan
        }
    }

    /// The plan that follows from the trial that has ended.
    fn chosen(&self, plan: Plan, collapses: bool) -> Plan {
        let [nodes, evaluations] = self.tries;
        let pays = |class: Class| self.tallies[class as usize].pays();
        let depth = |present: u8, at_1: Option<bool>, at_2: Option<bool>| {
            if !nodes || present == u8::MAX {
                present
            } else if at_1.unwrap_or(present <= 1) {
                1
            } else if at_2.unwrap_or(present <= 2) {
                2
            } else {
                DEEPEST + 1
            }
        };
        let at_1 = if collapses { Some(false) } else { pays(Class::Chance1) };
        let remembers = plan.remembers_evaluations;
        Plan {
            chance_table_depth: depth(plan.chance_table_depth, at_1, pays(Class::Chance2)),
            decision_table_depth: depth(
                plan.decision_table_depth,
                pays(Class::Decision1),
                pays(Class::Decision2),
            ),
            remembers_evaluations: if evaluations {
                pays(Class::Evaluation).unwrap_or(remembers)
            } else {
                remembers
            },
            ..plan
        }
    }
}

impl<S: Setup> Worker<'_, S> {
    /// Notes that a node is looked up, if a trial wants to know.
    #[inline]
    pub(in crate::search) fn try_look_up(&self, kind: Kind, depth: u8) -> Option<Tried> {
        let is_tried = depth <= DEEPEST && self.tuner.shallow_table.is_trying;
        is_tried.then(|| Tried { class: Class::of(kind, depth), before: self.price() })
    }

    /// The look-up settled the node.
    #[inline]
    pub(in crate::search) fn note_settled(&mut self, tried: Option<Tried>) {
        if let Some(Tried { class, .. }) = tried {
            self.tuner.shallow_table.tallies[class as usize].settled += 1;
        }
    }

    /// It did not, and the node was searched.
    #[inline]
    pub(in crate::search) fn note_searched(&mut self, tried: Option<Tried>) {
        if let Some(Tried { class, before }) = tried
            && !self.halted
        {
            let price = self.price() - before;
            let tally = &mut self.tuner.shallow_table.tallies[class as usize];
            tally.searched += 1;
            tally.price += price;
        }
    }

    /// An evaluation was looked up, and found or made.
    #[inline]
    pub(in crate::search) fn note_remembered(&mut self, is_found: bool) {
        if self.tuner.shallow_table.is_trying {
            let price = self.tuner.evaluation_ns;
            let tally = &mut self.tuner.shallow_table.tallies[Class::Evaluation as usize];
            if is_found {
                tally.settled += 1;
            } else {
                tally.searched += 1;
                tally.price += price;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: Plan = Plan {
        chance_table_depth: 2,
        decision_table_depth: 3,
        remembers_evaluations: false,
        probed_depths: u16::MAX,
    };

    fn trials(tallies: [Tally; CLASSES]) -> ShallowTable {
        ShallowTable { tries: [true; 2], is_trying: false, next: 0, tallies, plan: None }
    }

    fn tally(settled: u64, searched: u64, each: u64) -> Tally {
        Tally { settled, searched, price: searched * each }
    }

    #[test]
    fn a_look_up_pays_where_what_it_saves_is_more_than_it_costs() {
        assert_eq!(tally(10, 10, 1_000_000).pays(), None, "too few");
        // One in ten settled: the others have to cost ten look-ups.
        assert_eq!(tally(100, 900, 9 * TABLE_NS).pays(), Some(false));
        assert_eq!(tally(100, 900, 11 * TABLE_NS).pays(), Some(true));
        assert_eq!(tally(0, 1000, 1_000_000).pays(), Some(false));
        assert_eq!(tally(1000, 0, 0).pays(), Some(false), "nothing is known of what it saves");
    }

    #[test]
    fn what_does_not_pay_is_left_and_what_is_not_known_stays() {
        let (good, bad, unknown) = (tally(500, 500, 1_000), tally(1, 999, 1_000), Tally::default());
        let of = |tallies, plan, collapses| trials(tallies).chosen(plan, collapses);
        assert_eq!(of([unknown; 5], PLAN, true), PLAN);
        let chosen = of([good; 5], PLAN, false);
        assert_eq!((chosen.chance_table_depth, chosen.decision_table_depth), (1, 1));
        assert!(chosen.remembers_evaluations);
        assert_eq!(of([good; 5], PLAN, true).chance_table_depth, 2, "those at 1 are evaluations");
        let chosen = of([bad, bad, bad, good, bad], PLAN, false);
        assert_eq!((chosen.chance_table_depth, chosen.decision_table_depth), (3, 2));
        let never = Plan { chance_table_depth: u8::MAX, ..PLAN };
        assert_eq!(of([good; 5], never, false).chance_table_depth, u8::MAX, "the options say so");
    }

    #[test]
    fn what_the_options_fix_is_not_tried() {
        let fixed = ShallowTable { tries: [false; 2], ..trials([tally(500, 500, 1_000); 5]) };
        assert_eq!((fixed.all_looked_up(PLAN, false), fixed.chosen(PLAN, false)), (PLAN, PLAN));
    }
}
