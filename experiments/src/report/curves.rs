//! Speedup curves, from the reports of real and of simulated searches.

use crate::analysis::conditions::Disturbance;
use crate::analysis::figure::Figure;
use crate::analysis::order::Order;
use crate::scaling;
use crate::simulate;
use starsplit_statistics::bootstrap::Interval;
use starsplit_statistics::summary::Spread;
use std::collections::BTreeMap;
use std::path::Path;

/// The curves of searches whose times compare: those in real time, or those under one cost model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Panel {
    /// The cost model; none in real time.
    pub(crate) model: Option<String>,
    /// What the model charges, for people.
    pub(crate) costs: Option<String>,
    /// The name of the picture's files.
    pub(crate) picture: String,
    /// The ordering of the baseline.
    pub(crate) baseline: &'static str,
    /// Among how many orderings it was the fastest.
    pub(crate) baselines: usize,
    /// The baseline's nodes.
    pub(crate) nodes: u64,
    /// How many positions count.
    pub(crate) positions: usize,
    /// At how many anything was searched.
    pub(crate) recorded: usize,
    /// How many of those that count are large.
    pub(crate) large: usize,
    /// From how many nodes of the baseline on.
    pub(crate) min_nodes: u64,
    /// Whether nothing was wrong with any search.
    pub(crate) values_equal: bool,
    /// The baseline at each position.
    pub(crate) serial: Vec<Serial>,
    pub(crate) curves: Vec<Curve>,
    /// How the machine was watched; none where times are virtual, or nobody did.
    pub(crate) watched: Option<Watched>,
}

/// How the machine was watched while it was measured, and its ceilings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Watched {
    pub(crate) order: Order,
    pub(crate) disturbance: Disturbance,
    /// Those to the ends of their searches.
    pub(crate) ceilings: Vec<scaling::ScalingCeiling>,
    /// Those like for like.
    pub(crate) matched: Vec<scaling::ScalingCeiling>,
}

/// The baseline at one position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Serial {
    /// The position's place in the suite, from 1.
    pub(crate) index: usize,
    /// The position in the game's notation.
    pub(crate) position: String,
    pub(crate) nodes: u64,
    /// Virtual ones under a cost model.
    pub(crate) seconds: f64,
}

/// A method under one ordering.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    pub(crate) method: &'static str,
    pub(crate) ordering: &'static str,
    /// By the number of processors.
    pub(crate) points: Vec<Point>,
}

/// A method on one number of processors.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    /// Processors, or threads.
    pub(crate) processors: usize,
    pub(crate) speedup: Figure,
    /// What it is at each position, in the order of the panel's.
    pub(crate) each: Vec<At>,
    /// The speedup at each position in every round; the one there is where times are virtual.
    pub(crate) rounds: Vec<Vec<f64>>,
    /// The machine's ceiling for as many threads, where that was measured.
    pub(crate) ceiling: Option<Figure>,
    /// The speedup over the machine's ceiling, where that was measured.
    pub(crate) ceiling_share: Option<Figure>,
    /// The same of the ceiling like for like.
    pub(crate) matched_share: Option<Figure>,
    /// Of the median that is drawn, over rounds and positions; none of fewer than three rounds.
    pub(crate) two_stage: Option<Interval>,
    /// The same of the share of the ceiling.
    pub(crate) share_two_stage: Option<Interval>,
    pub(crate) search_overhead: Figure,
    /// The factors of the speedup, by their names, as far as they are known.
    pub(crate) factors: BTreeMap<&'static str, Option<Figure>>,
    /// The greedy guarantee, where there is a span.
    pub(crate) bound: Option<Figure>,
}

/// A method on one number of processors at one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct At {
    pub(crate) speedup: f64,
    pub(crate) search_overhead: f64,
    /// None where the workers do not clock what they do without work.
    pub(crate) idle: Option<f64>,
    /// The greedy guarantee, where there is a span.
    pub(crate) bound: Option<f64>,
}

impl Serial {
    fn real(position: &scaling::ScalingPosition) -> Self {
        let scaling::ScalingPosition { index, position, nodes, seconds, .. } = position;
        Serial { index: *index, position: position.clone(), nodes: *nodes, seconds: *seconds }
    }

    fn simulated(position: &simulate::SimulatePosition) -> Self {
        let simulate::SimulatePosition { index, position, nodes, virtual_ns, .. } = position;
        Serial { index: *index, position: position.clone(), nodes: *nodes, seconds: *virtual_ns as f64 / 1e9 }
    }
}

impl Point {
    /// At how many positions it was slower than the baseline.
    pub(crate) fn slower(&self) -> usize {
        self.each.iter().filter(|at| at.speedup < 1.0).count()
    }

    /// A factor of the speedup, where it is known.
    pub(crate) fn factor(&self, name: &str) -> Option<Figure> {
        self.factors.get(name).copied().flatten()
    }
}

impl Panel {
    /// What is drawn of a figure: over the large positions, or over all where none is large.
    pub(crate) fn drawn(&self, figure: &Figure) -> Option<Spread> {
        if self.large > 0 { figure.large } else { figure.all }
    }

    /// The speedups that are drawn: those at the large positions, or at all where none is large.
    pub(crate) fn samples(&self, point: &Point) -> Vec<f64> {
        let counts = |serial: &Serial| serial.nodes >= self.min_nodes || self.large == 0;
        let both = self.serial.iter().zip(&point.each);
        both.filter(|(serial, _)| counts(serial)).map(|(_, at)| at.speedup).collect()
    }

    /// What tables call the costs: the model's name, or `real`.
    pub(crate) fn costs_name(&self) -> &str {
        self.model.as_deref().unwrap_or("real")
    }

    /// Whether any point has something.
    pub(crate) fn has(&self, something: impl FnMut(&Point) -> bool) -> bool {
        self.curves.iter().flat_map(|curve| &curve.points).any(something)
    }

    /// How the curves are named: by their methods, and by their orderings where these differ.
    pub(crate) fn label(&self, curve: &Curve) -> String {
        let is_one = self.curves.iter().all(|other| other.ordering == curve.ordering);
        if is_one { curve.method.to_owned() } else { format!("{}, {}", curve.method, curve.ordering) }
    }

    fn add(&mut self, method: &'static str, ordering: &'static str, point: Point) {
        let own = |curve: &&mut Curve| (curve.method, curve.ordering) == (method, ordering);
        match self.curves.iter_mut().find(own) {
            Some(curve) => curve.points.push(point),
            None => self.curves.push(Curve { method, ordering, points: vec![point] }),
        }
    }

    fn sorted(mut self) -> Self {
        self.curves.iter_mut().for_each(|curve| curve.points.sort_by_key(|point| point.processors));
        self
    }
}

/// The curves of real searches; of so many positions there are records.
pub(crate) fn real(report: &scaling::ScalingFigures, recorded: usize) -> Panel {
    let nodes = report.serial.iter().find(|serial| serial.ordering == report.baseline);
    let mut panel = Panel {
        model: None,
        costs: None,
        picture: "speedup".to_owned(),
        baseline: report.baseline,
        baselines: report.serial.len(),
        recorded,
        nodes: nodes.map_or(0, |serial| serial.nodes),
        positions: report.positions,
        large: report.large_positions,
        min_nodes: report.min_nodes,
        values_equal: report.values_equal,
        serial: report.by_position.iter().map(Serial::real).collect(),
        curves: Vec::new(),
        watched: report.probed.clone().map(|disturbance| Watched {
            order: report.order.clone(),
            disturbance,
            ceilings: report.ceilings.clone(),
            matched: report.matched_ceilings.clone(),
        }),
    };
    for (place, parallel) in report.parallel.iter().enumerate() {
        let at = |position: &scaling::ScalingPosition| At {
            speedup: position.speedups[place],
            search_overhead: position.search_overheads[place],
            idle: position.decompositions[place].idle,
            bound: None,
        };
        let is_own = |own: &&scaling::ScalingCeiling| {
            (own.ordering, own.threads) == (parallel.ordering, parallel.threads)
        };
        let ceiling = report.ceilings.iter().find(is_own);
        let point = Point {
            processors: parallel.threads,
            speedup: parallel.speedup,
            each: report.by_position.iter().map(at).collect(),
            rounds: parallel.rounds.clone(),
            ceiling: ceiling.map(|own| own.ceiling),
            ceiling_share: parallel.ceiling_share,
            matched_share: parallel.matched_share,
            two_stage: parallel.speedup_intervals.two_stage,
            share_two_stage: parallel.ceiling_share_intervals.and_then(|own| own.two_stage),
            search_overhead: parallel.search_overhead,
            factors: parallel.decomposition.clone(),
            bound: None,
        };
        panel.add(parallel.method, parallel.ordering, point);
    }
    panel.sorted()
}

/// The curves of simulated searches, those under each cost model; of so many positions there are records.
pub(crate) fn simulated(report: &simulate::SimulateFigures, recorded: usize) -> Vec<Panel> {
    let mut panels: Vec<Panel> = Vec::new();
    for model in &report.models {
        let mut panel = Panel {
            model: Some(model.model.clone()),
            costs: Some(model.charges()),
            picture: picture_name(&model.model, &panels),
            baseline: model.baseline,
            baselines: model.serial.len(),
            recorded,
            nodes: model.serial.iter().find(|s| s.ordering == model.baseline).map_or(0, |s| s.nodes),
            positions: report.positions,
            large: model.large_positions,
            min_nodes: report.min_nodes,
            values_equal: report.values_equal,
            serial: model.by_position.iter().map(Serial::simulated).collect(),
            curves: Vec::new(),
            watched: None,
        };
        for (place, parallel) in model.parallel.iter().enumerate() {
            let at = |(number, position): (usize, &simulate::SimulatePosition)| At {
                speedup: position.speedups[place],
                search_overhead: position.search_overheads[place],
                idle: position.decompositions[place].idle,
                bound: parallel.span.as_ref().map(|span| span.bounds[number]),
            };
            let point = Point {
                processors: parallel.processors,
                speedup: parallel.speedup,
                each: model.by_position.iter().enumerate().map(at).collect(),
                rounds: model.by_position.iter().map(|own| vec![own.speedups[place]]).collect(),
                ceiling: None,
                ceiling_share: None,
                matched_share: None,
                two_stage: None,
                share_two_stage: None,
                search_overhead: parallel.search_overhead,
                factors: parallel.decomposition.clone(),
                bound: parallel.span.as_ref().map(|span| span.bound),
            };
            panel.add(parallel.method, parallel.ordering, point);
        }
        panels.push(panel.sorted());
    }
    panels
}

/// A name of a picture that none of the `others` has.
fn picture_name(model: &str, others: &[Panel]) -> String {
    let stem = Path::new(model).file_stem().map_or_else(|| model.into(), |stem| stem.to_string_lossy());
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-=".contains(c) { c } else { '-' };
    let name: String = format!("speedup-{stem}").chars().map(plain).collect();
    let is_free = |name: &String| others.iter().all(|panel| panel.picture != *name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A figure whose median is `median` over all positions and twice that over the large ones.
    pub(crate) fn figure(median: f64) -> Figure {
        Figure::new(median, &[median, 2.0 * median, 0.5 * median], &[false, true, false])
    }

    /// A panel with curves of these methods through the same points.
    pub(crate) fn panel(methods: &[&'static str], points: &[(usize, f64)]) -> Panel {
        let at =
            |speedup| At { speedup, search_overhead: 0.01, idle: Some(0.02), bound: Some(1.1 * speedup) };
        let point = |&(processors, speedup): &(usize, f64)| Point {
            processors,
            speedup: figure(speedup),
            each: [1.0, 2.0, 0.5].map(|factor| at(factor * speedup)).to_vec(),
            rounds: [1.0, 2.0, 0.5].map(|factor| vec![factor * speedup]).to_vec(),
            ceiling: None,
            ceiling_share: None,
            matched_share: None,
            two_stage: None,
            share_two_stage: None,
            search_overhead: figure(0.01),
            factors: [("idle", Some(figure(0.02))), ("duplicate", None)].into(),
            bound: Some(figure(1.1 * speedup)),
        };
        let curve =
            |&method| Curve { method, ordering: "hybrid", points: points.iter().map(point).collect() };
        Panel {
            model: Some("unit".to_owned()),
            costs: Some("node 1".to_owned()),
            picture: "speedup-unit".to_owned(),
            baseline: "hybrid",
            baselines: 2,
            recorded: 4,
            nodes: 123_456_789,
            positions: 3,
            large: 1,
            min_nodes: 1_000_000,
            values_equal: true,
            serial: [(1, "one", 500_000), (3, "two", 1_000_000), (4, "three", 500_000)]
                .map(|(index, position, nodes)| Serial {
                    index,
                    position: position.to_owned(),
                    nodes,
                    seconds: 2.0,
                })
                .to_vec(),
            curves: methods.iter().map(curve).collect(),
            watched: None,
        }
    }

    #[test]
    fn large_positions_are_drawn_or_all_where_none_is_large() {
        let mut panel = panel(&["both"], &[(2, 1.5)]);
        assert_eq!(panel.drawn(&figure(1.0)).unwrap().median, 2.0);
        assert_eq!(panel.samples(&panel.curves[0].points[0]), [3.0]);
        panel.large = 0;
        assert_eq!(panel.drawn(&figure(1.0)).unwrap().median, 1.0);
        assert_eq!(panel.samples(&panel.curves[0].points[0]), [1.5, 3.0, 0.75]);
    }

    #[test]
    fn curves_are_told_apart_by_what_differs() {
        let mut panel = panel(&["both", "abdada"], &[(2, 1.5)]);
        assert_eq!(panel.label(&panel.curves[1]), "abdada");
        panel.curves[0].ordering = "paper";
        assert_eq!(panel.label(&panel.curves[0]), "both, paper");
    }

    #[test]
    fn points_of_a_method_make_one_curve_in_order() {
        let mut made = panel(&[], &[]);
        let points = panel(&["both"], &[(4, 3.0), (1, 1.0), (2, 2.0)]).curves[0].points.clone();
        points.into_iter().for_each(|point| made.add("both", "hybrid", point));
        let made = made.sorted();
        assert_eq!(made.curves.len(), 1);
        let processors: Vec<_> = made.curves[0].points.iter().map(|point| point.processors).collect();
        assert_eq!(processors, [1, 2, 4]);
    }

    #[test]
    fn pictures_of_models_have_plain_names_of_their_own() {
        let mut panels = Vec::new();
        for (model, name) in [
            ("unit", "speedup-unit"),
            ("a/b c/costs.json", "speedup-costs"),
            ("x/costs.json", "speedup-costs-2"),
            ("unit+steal=5", "speedup-unit-steal=5"),
        ] {
            assert_eq!(picture_name(model, &panels), name);
            panels.push(Panel { picture: name.to_owned(), ..panel(&[], &[]) });
        }
    }
}
