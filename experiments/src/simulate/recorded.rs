//! The report of a folder of simulated searches, from its lines alone.

use crate::analysis::speedups::{ContenderKind, with_baselines};
use crate::records::line::Line;
use crate::records::simulated::EventCosts;
use crate::records::turns;
use crate::simulate::model::Model;
use crate::simulate::plan::Plan;
use crate::simulate::report::{SimulateFigures, SimulateFrame};
use crate::simulate::sample::{Kept, Key, Searches};
use starsplit::search::Algorithm;
use std::collections::{BTreeMap, BTreeSet};

/// The figures of all searches in the `lines` of a folder, by this algorithm to this depth in a suite of so
/// many `positions`, and at how many positions anything was searched. What was not done at every position by
/// all contenders, under every model with every seed, counts as far as it is paired.
///
/// # Errors
/// When a line is not one of a simulated search, or there is no serial search among them.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<Line, String>>,
    (algorithm, depth): (Algorithm, u32),
    positions: usize,
    min_nodes: u64,
) -> Result<(SimulateFigures, usize), String> {
    let kept = Searches::read(lines)?.0.all;
    let plan = plan(&kept)?;
    let mut texts = vec![String::new(); positions];
    for (key, kept) in &kept {
        let text = key.index.checked_sub(1).and_then(|index| texts.get_mut(index));
        let text =
            text.ok_or_else(|| format!("expected positions from 1 to {positions}, not {}", key.index))?;
        turns::name(text, &kept.position)?;
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let frame = SimulateFrame {
        algorithm: algorithm.name(),
        depth,
        min_nodes,
        explained: kept.values().any(|kept| kept.run.is_explained()),
        values_equal: kept.values().all(|kept| kept.fault().is_none()),
        stopped: false,
        positions: &texts,
    };
    Ok((SimulateFigures::new(&frame, &plan, &kept), plan.positions.len()))
}

/// What must have been planned for these searches.
fn plan(kept: &BTreeMap<Key, Kept>) -> Result<Plan, String> {
    let contender = |key: &Key| ContenderKind::named(key.method, key.ordering, key.processors);
    let contenders = with_baselines(kept.keys().map(contender).collect::<Result<Vec<_>, _>>()?.into_iter());
    if contenders.is_empty() {
        return Err("expected a serial search among its samples".to_owned());
    }
    let seeds: BTreeSet<u64> = kept.keys().filter_map(|key| key.seed).collect();
    let positions: BTreeSet<usize> = kept.keys().filter_map(|key| key.index.checked_sub(1)).collect();
    let (seeds, positions) = (seeds.into_iter().collect(), positions.into_iter().collect());
    Ok(Plan { contenders, models: models(kept)?, seeds, positions })
}

/// The models, by name: what events cost one processor, and what they cost several where that differs.
///
/// # Errors
/// When a name stands for several models, or for one without a search on one processor.
fn models(kept: &BTreeMap<Key, Kept>) -> Result<Vec<Model>, String> {
    let mut found: BTreeMap<&str, [BTreeSet<EventCosts>; 2]> = BTreeMap::new();
    for (key, kept) in kept {
        found.entry(&kept.model).or_default()[usize::from(key.processors > 1)].insert(key.costs);
    }
    let model = |(name, [alone, several]): (&str, [BTreeSet<EventCosts>; 2])| {
        let alone: Vec<_> = alone.into_iter().collect();
        let several: Vec<_> = several.into_iter().collect();
        let (&[costs], [] | [_]) = (alone.as_slice(), several.as_slice()) else {
            return Err(format!(
                "expected one set of costs under the name {name} on one processor, not {}, and one on \
                    several, not {}",
                alone.len(),
                several.len()
            ));
        };
        Ok(Model {
            name: name.to_owned(),
            costs,
            busy: several.first().copied().filter(|busy| *busy != costs),
        })
    };
    found.into_iter().map(model).collect()
}
