//! Figures for people.

use crate::analysis::tables::new_table;
use crate::windows::figures::{Ratio, WayFigures, WindowsFigures};
use comfy_table::Table;

impl WindowsFigures {
    /// What was searched.
    pub(crate) fn heading(&self) -> String {
        let WindowsFigures { game, evaluator, depth, positions, iterations, ways, .. } = self;
        let nodes = ways.first().map_or(0, |usual| usual.nodes);
        format!(
            "{game}, {evaluator}, to depth {depth} at {positions} positions in {iterations} iterations; the \
             library's search takes {nodes} nodes at all of them"
        )
    }

    /// What every way takes, one a line.
    pub(crate) fn table(&self) -> Table {
        let header = [
            "way",
            "nodes",
            "of the sums",
            "median [95%]",
            "evaluations, of the sums",
            "median [95%]",
            "look-ups, of the sums",
            "median [95%]",
            "passes an iteration",
            "narrowed",
            "re-searched",
            "nodes over library:search",
        ];
        let mut table = new_table(&header, 1);
        for way in &self.ways {
            let ratios = [way.nodes_ratio, way.evaluations_ratio, way.look_ups_ratio];
            let mut row = vec![way.way.clone(), way.nodes.to_string()];
            row.extend(ratios.into_iter().flat_map(|ratio| [share(ratio.of_sums), spread(ratio)]));
            row.extend(self.counted(way));
            table.add_row(row);
        }
        table
    }

    fn counted(&self, way: &WayFigures) -> [String; 4] {
        let passes = way.passes as f64 / self.iterations as f64;
        let counts = [way.narrowed, way.re_searches].map(|count| count.to_string());
        let [narrowed, re_searches] = counts;
        [format!("{passes:.2}"), narrowed, re_searches, share(way.nodes_over_search)]
    }
}

fn share(ratio: f64) -> String {
    if ratio.is_finite() { format!("{ratio:.4}") } else { String::new() }
}

fn spread(ratio: Ratio) -> String {
    match ratio.interval {
        Some(interval) => format!("{:.4} [{:.4} .. {:.4}]", ratio.median, interval.low, interval.high),
        None => share(ratio.median),
    }
}
