//! Real records read back into the costs and efforts of their runs, as they were when the runs were measured.

use crate::analysis::costs::{Cost, Costs};
use crate::analysis::efforts::{Effort, Efforts};
use crate::analysis::speedups::{ContenderKind, Runs, with_baselines};
use crate::records::chosen::Chosen;
use crate::records::line::{ContenderName, Line};
use crate::records::meta::Meta;
use crate::records::turns::{Turn, Turns};
use std::collections::{BTreeMap, BTreeSet};

/// The oldest schema whose lines have all that is read here.
pub(crate) const OLDEST: u32 = 4;

/// The runs of some contenders in a folder that `scaling` has written.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// What its `meta.json` says.
    pub(crate) meta: Meta,
    /// How many threads the machine ran at once.
    pub(crate) cores: usize,
    /// The contenders, each parallel one and each ceiling with the serial search under its ordering.
    pub(crate) contenders: Vec<ContenderKind>,
    /// What their runs cost, by the numbers of the contenders and of the suite's positions.
    pub(crate) costs: Costs,
    /// What they spent.
    pub(crate) efforts: Efforts,
    /// The suite's positions in the game's notation, where they were searched.
    pub(crate) texts: Vec<String>,
    /// Whether nothing was wrong with any run, also of those left out.
    pub(crate) values_equal: bool,
    /// Whether duplicate nodes were counted.
    pub(crate) explained: bool,
    /// What searches chose for themselves, by the numbers of contender, position and round.
    pub(crate) chosen: BTreeMap<(usize, usize, usize), Chosen>,
}

/// A turn and whose it was.
type KnownTurn<'a> = (ContenderKind, &'a Turn);

impl Reading {
    /// Reads these contenders, or all of them where none is named, of the lines of a folder that `scaling`
    /// has written on a machine with so many processors, in a suite of so many `positions`. What is faulty or
    /// was cut short is left out.
    ///
    /// # Errors
    /// When a line is not one of a real search, or there is no serial search among them.
    pub(crate) fn new(
        meta: Meta,
        lines: impl Iterator<Item = Result<Line, String>>,
        (cores, positions): (usize, usize),
        contenders: Option<&[ContenderKind]>,
    ) -> Result<Self, String> {
        let turns = turns(lines, positions)?;
        let known = known(&turns)?;
        let all = || with_baselines(whole(&known).map(|(contender, _)| *contender));
        let contenders = contenders.map_or_else(all, <[_]>::to_vec);
        if contenders.is_empty() {
            return Err("expected a serial search among its samples".to_owned());
        }
        let mut costs = Costs::new(contenders.len(), positions);
        let mut efforts = Efforts::new(contenders.len(), positions);
        let mut texts = vec![String::new(); positions];
        let mut chosen = BTreeMap::new();
        for (contender, turn) in whole(&known) {
            let (position, round) = (turn.key.position, turn.key.round);
            texts[position].clone_from(&turns.positions[position]);
            if let Some(place) = contenders.iter().position(|other| other == contender) {
                costs.add(place, position, round, Cost::of_turn(contender.role.name(), &turn.searches));
                if let [search] = turn.searches.as_slice() {
                    efforts.add_effort(place, position, round, Effort::of(search));
                    efforts.add_aborts(place, &search.aborts);
                    chosen.extend(search.chosen.clone().map(|chosen| ((place, position, round), chosen)));
                }
            }
        }
        let explained = turns.list.iter().any(Turn::is_explained);
        let values_equal = turns.list.iter().all(|turn| turn.errors.is_empty());
        Ok(Reading { meta, cores, contenders, costs, efforts, texts, values_equal, explained, chosen })
    }

    /// What a contender chose for itself when it searched the last position the last time.
    pub(crate) fn last_chosen(&self, contender: usize) -> Option<Chosen> {
        let last = self.chosen.range((contender, 0, 0)..(contender + 1, 0, 0)).next_back();
        last.map(|(_, chosen)| chosen.clone())
    }

    /// The runs, by the numbers of the contenders and of the suite's positions.
    pub(crate) fn runs(&self) -> Runs<'_> {
        Runs { costs: &self.costs, efforts: &self.efforts, explained: self.explained }
    }
}

/// The turns, be they whole or not. Of iterations no curve is made.
fn turns(lines: impl Iterator<Item = Result<Line, String>>, positions: usize) -> Result<Turns, String> {
    let lines = lines.map(|line| {
        line.map(|mut line| {
            (line.search.iterations, line.search.workers) = (Vec::new(), None);
            line
        })
    });
    Turns::of(lines, positions, |contender| kind_of(contender).map(drop))
}

fn kind_of(contender: &ContenderName) -> Result<ContenderKind, String> {
    ContenderKind::named(&contender.method, &contender.ordering, contender.threads)
}

/// The turns, each with whose it was.
///
/// # Errors
/// When one contender has searched in several ways.
fn known(turns: &Turns) -> Result<Vec<KnownTurn<'_>>, String> {
    let contenders = turns.contenders.iter().map(kind_of).collect::<Result<Vec<_>, _>>()?;
    let mut seen = BTreeSet::new();
    let mut is_new = |contender: &ContenderKind, turn: &Turn| {
        seen.insert((contender.rank(), turn.key.position, turn.key.round))
    };
    let known: Vec<_> = turns.list.iter().map(|turn| (contenders[turn.key.contender], turn)).collect();
    if known.iter().all(|(contender, turn)| is_new(contender, turn)) {
        return Ok(known);
    }
    Err("expected one kind of search of each method under each ordering, not several".to_owned())
}

/// Those of which every line is there and none has an error.
fn whole<'k, 'a>(known: &'k [KnownTurn<'a>]) -> impl Iterator<Item = &'k KnownTurn<'a>> {
    known.iter().filter(|(contender, turn)| is_whole(contender, turn))
}

/// Whether every search of the turn is there, and nothing was wrong with any.
fn is_whole(contender: &ContenderKind, turn: &Turn) -> bool {
    turn.errors.is_empty() && turn.searches.len() == contender.copies()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::speedups::Role;
    use crate::records::line;
    use serde_json::{Value, json};
    use starsplit::search::{Method, MoveOrdering};

    const SERIAL: ContenderKind =
        ContenderKind { role: Role::Serial, ordering: MoveOrdering::Hybrid, threads: 1 };
    const CEILING: ContenderKind = ContenderKind { role: Role::Ceiling, threads: 2, ..SERIAL };
    const SPLIT: ContenderKind = ContenderKind { role: Role::Parallel(Method::ChanceSplit), ..CEILING };

    fn line(method: &str, threads: usize, index: usize, repeat: usize) -> Value {
        json!({"schema": 4, "index": index, "position": "x", "method": method, "ordering": "hybrid",
            "threads": threads,
            "repeat": repeat, "wall_ns": 3_000_000_000_u64, "nodes": 70, "busy_ns": null, "idle_ns": null,
            "stealing_ns": null, "parked_ns": null, "split": {"aborted_nodes": 5, "steals": 0},
                "error": null})
    }

    fn changed(mut line: Value, changes: &Value) -> Value {
        let own = line.as_object_mut().unwrap();
        own.extend(changes.as_object().unwrap().clone());
        line
    }

    /// Whose turn, at which position from 0, in which round from 0.
    type WhoseTurn = (ContenderKind, usize, usize);

    fn read(lines: &[Value]) -> Result<Vec<(WhoseTurn, Turn)>, String> {
        let turns = turns(lines.iter().map(|line| line::read(&line.to_string())), 3)?;
        let known = known(&turns)?;
        let place = |(contender, turn): &KnownTurn<'_>| {
            ((*contender, turn.key.position, turn.key.round), (*turn).clone())
        };
        Ok(whole(&known).map(place).collect())
    }

    #[test]
    fn copies_that_ran_at_once_are_one_turn() {
        let copy =
            |copy, wall_ns| changed(line("ceiling", 2, 2, 4), &json!({"copy": copy, "wall_ns": wall_ns}));
        let times = json!({"busy_ns": 5_000_000_000_u64, "idle_ns": 1_000_000_000_u64, "copy": null});
        let split = changed(line("chance-split", 2, 2, 4), &times);
        let found =
            read(&[copy(1, 2_000_000_000_u64), line("serial", 1, 2, 4), split, copy(2, 6_000_000_000)])
                .unwrap();
        let places: Vec<_> = found.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [(CEILING, 1, 3), (SERIAL, 1, 3), (SPLIT, 1, 3)]);
        let cost = Cost::of(&found[0].1.searches);
        // Rates of 1/2 and 1/6: on average 1/3.
        assert!(cost.nodes == 70.0 && (cost.seconds - 3.0).abs() < 1e-12, "{cost:?}");
        let Effort { wall, busy, waiting, aborted_nodes, .. } = Effort::of(&found[2].1.searches[0]);
        assert_eq!((wall, busy, waiting, aborted_nodes), (3.0, 5.0, 1.0, 5.0));
    }

    #[test]
    fn who_was_stopped_by_the_first_to_end_has_no_value_that_could_be_wrong() {
        let copy = |copy, stopped, score, nodes: u64| {
            let own =
                json!({"copy": copy, "stopped": stopped, "score": score, "expected": 5, "nodes": nodes});
            changed(line("matched-ceiling", 2, 1, 1), &own)
        };
        let found = read(&[copy(1, false, 5, 70), copy(2, true, 4, 35)]).unwrap();
        let [((kind, ..), turn)] = found.as_slice() else { panic!("one whole turn") };
        assert_eq!((kind.role, turn.errors.len()), (Role::MatchedCeiling, 0));
        let cost = Cost::of_turn(kind.role.name(), &turn.searches);
        assert_eq!((cost.nodes, cost.seconds), (105.0, 3.0));
        assert!(read(&[copy(1, false, 4, 70), copy(2, true, 4, 35)]).unwrap().is_empty(), "a wrong value");
    }

    #[test]
    fn turns_with_an_error_or_cut_short_do_not_count() {
        let wrong = changed(line("serial", 1, 1, 2), &json!({"error": "score 1, expected 2"}));
        let alone = changed(line("ceiling", 2, 1, 1), &json!({"copy": 1}));
        let found = read(&[line("serial", 1, 1, 1), wrong, alone]).unwrap();
        assert_eq!(found.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [(SERIAL, 0, 0)]);
    }

    #[test]
    fn lines_that_are_no_real_searches_are_named() {
        let cases = [
            (line("luck", 2, 1, 1), "luck"),
            (line("serial", 1, 4, 1), "index 4 of 3"),
            (line("serial", 1, 1, 0), "repeat 0"),
            (
                changed(
                    line("serial", 1, 1, 1),
                    &json!({"simulated": {"model": "unit", "events": 1,
                "costs": {"node": 1, "evaluation": 2, "table": 0, "poll": 0, "split": 2, "steal": 20,
                    "failed_steal": 10}}}),
                ),
                "it is simulated",
            ),
            (changed(line("serial", 1, 1, 1), &json!({"ordering": "best"})), "best"),
            (json!({"n": 1}), "index"),
            (line("serial", 1, 1, 1), "the same run"),
            (line("serial", 4, 1, 2), "serial on 4 threads"),
            (line("both", 1_025, 1, 2), "1025 threads"),
            (changed(line("both", 1, 1, 1), &json!({"wall_ns": 0})), "in 0 ns"),
        ];
        for (bad, named) in cases {
            let complaint = read(&[line("serial", 1, 1, 1), bad]).unwrap_err();
            let begin = "expected a real search in line 2 (";
            assert!(complaint.starts_with(begin) && complaint.contains(named), "{complaint}");
        }
    }
}
