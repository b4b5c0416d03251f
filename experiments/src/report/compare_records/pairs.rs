//! Searches of two folders, or of one, that can be set beside each other, and what is left out.

use crate::analysis::figure::Figure;
use crate::report::curves::{Curve, Panel, Point, Serial};
use serde::Serialize;
use starsplit::search::{Method, MoveOrdering};
use starsplit_statistics::bootstrap::{Interval, median_interval};
use starsplit_statistics::summary::median;

/// What is not set beside anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Which searches, or positions.
    pub what: String,
    /// Why not.
    pub why: String,
}

/// A search in both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The cost model, or `real`.
    pub costs: String,
    /// The method, or `serial`; both, where they differ.
    pub method: String,
    /// The ordering; both, where they differ.
    pub ordering: String,
    /// The number of processors.
    pub processors: usize,
    /// How many positions count.
    pub positions: usize,
    /// The median of the first's speedups; of serial searches 1.
    pub a: f64,
    /// The median of the second's speedups; of serial searches 1.
    pub b: f64,
    /// The median of the ratios: speedup over speedup, for serial searches the first's time over the
    /// second's.
    pub ratio: f64,
    /// What the percentile bootstrap over the positions gives it with a confidence of 95%; none of fewer than
    /// six positions.
    pub interval: Option<Interval>,
}

/// Which curves are set beside which: those of the same method and ordering, but where somebody wants others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The method in A and the one in B.
    pub(super) methods: Option<[Method; 2]>,
    /// The ordering in A and the one in B.
    pub(super) orderings: Option<[MoveOrdering; 2]>,
}

impl Wanted {
    /// Whether it is one that somebody asked for, of A or, by its number, of B.
    fn asks_for(&self, curve: &Curve, side: usize) -> bool {
        self.methods.is_none_or(|methods| methods[side].name() == curve.method)
            && self.orderings.is_none_or(|orderings| orderings[side].name() == curve.ordering)
    }

    fn are_partners(&self, one: &Curve, other: &Curve) -> bool {
        self.asks_for(one, 0)
            && self.asks_for(other, 1)
            && (self.methods.is_some() || one.method == other.method)
            && (self.orderings.is_some() || one.ordering == other.ordering)
    }
}

/// Two panels and the places of the positions that count in both.
pub(super) struct Shared<'a> {
    one: &'a Panel,
    other: &'a Panel,
    wanted: Wanted,
    pub(super) places: Vec<(usize, usize)>,
    /// What of the positions is left out.
    positions: Vec<LeftOut>,
}

/// A search in both: A's curve and point, and B's.
type Pair<'a> = [(&'a Curve, &'a Point); 2];

impl<'a> Shared<'a> {
    /// Whether this is what A's panel has in common with B.
    pub(super) fn is_of(&self, panel: &Panel) -> bool {
        std::ptr::eq(self.one, panel)
    }

    pub(super) fn new(one: &'a Panel, other: &'a Panel, wanted: Wanted) -> Self {
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (own, serial) in one.serial.iter().enumerate() {
            // A suite may have a position twice: each counts once.
            let is_free = |place: &usize| places.iter().all(|(_, taken)| taken != place);
            let mut theirs = other.serial.iter().enumerate().filter(|(_, s)| s.position == serial.position);
            if let Some((place, _)) = theirs.find(|(place, _)| is_free(place)) {
                places.push((own, place));
            }
        }
        let both = places.len();
        let is_large = |&(a, b): &(usize, usize)| {
            one.serial[a].nodes >= one.min_nodes || other.serial[b].nodes >= other.min_nodes
        };
        if places.iter().any(is_large) {
            places.retain(is_large);
        }
        let of = |number: usize, why: &str| {
            (number > 0).then(|| LeftOut { what: format!("{number} positions"), why: why.to_owned() })
        };
        let positions = [
            of(one.serial.len() - both, "complete only in A"),
            of(other.serial.len() - both, "complete only in B"),
            of(both - places.len(), &format!("of fewer than {} nodes", one.min_nodes)),
        ];
        Shared { one, other, wanted, places, positions: positions.into_iter().flatten().collect() }
    }

    fn serial(&self) -> impl Iterator<Item = (&Serial, &Serial)> {
        self.places.iter().map(|&(one, other)| (&self.one.serial[one], &self.other.serial[other]))
    }

    /// At how many positions serial searches of one ordering differ.
    pub(super) fn unlike(&self) -> usize {
        let is_one = self.one.baseline == self.other.baseline;
        self.serial().filter(|(one, other)| is_one && one.nodes != other.nodes).count()
    }

    /// The curves that are in both.
    fn curves(&self) -> impl Iterator<Item = (&'a Curve, &'a Curve)> {
        self.one.curves.iter().filter_map(|one| {
            Some((one, self.other.curves.iter().find(|other| self.wanted.are_partners(one, other))?))
        })
    }

    /// The searches that are in both.
    fn pairs(&self) -> impl Iterator<Item = Pair<'a>> {
        self.curves().flat_map(|(one, other)| {
            one.points.iter().filter_map(move |own| {
                let theirs = other.points.iter().find(|theirs| theirs.processors == own.processors)?;
                Some([(one, own), (other, theirs)])
            })
        })
    }

    /// The serial searches, where they are of two records, then the parallel ones that are in both.
    pub(super) fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        if !std::ptr::eq(self.one, self.other) {
            let serial = self.serial().map(|(one, other)| (1.0, 1.0, one.seconds / other.seconds)).collect();
            let ordering = words(self.one.baseline, self.other.baseline);
            rows.extend(self.row("serial".to_owned(), ordering, 1, serial));
        }
        for [(one, own), (other, theirs)] in self.pairs() {
            let speedups = self.places.iter().map(|&(a, b)| (own.each[a].speedup, theirs.each[b].speedup));
            let found = speedups.map(|(one, other)| (one, other, other / one)).collect();
            let (method, ordering) = (words(one.method, other.method), words(one.ordering, other.ordering));
            rows.extend(self.row(method, ordering, own.processors, found));
        }
        rows
    }

    /// A row of figures at each position: the first's, the second's, and their ratio.
    fn row(
        &self,
        method: String,
        ordering: String,
        processors: usize,
        found: Vec<(f64, f64, f64)>,
    ) -> Option<Row> {
        let part = |of: fn(&(f64, f64, f64)) -> f64| found.iter().map(of).collect::<Vec<_>>();
        let ratios = part(|found| found.2);
        Some(Row {
            costs: self.one.costs_name().to_owned(),
            method,
            ordering,
            processors,
            positions: found.len(),
            a: median(&part(|found| found.0))?,
            b: median(&part(|found| found.1))?,
            ratio: median(&ratios)?,
            interval: median_interval(&ratios),
        })
    }

    /// What is in one of both alone, and why that is not set beside anything.
    pub(super) fn left_out(&self) -> Vec<LeftOut> {
        let sides = [(self.one, self.other, "A", "B"), (self.other, self.one, "B", "A")];
        let costs = self.one.model.as_ref().map_or_else(String::new, |model| format!(", costs {model}"));
        let mut found = self.positions.clone();
        for (side, (own, others, name, other_name)) in sides.into_iter().enumerate() {
            for curve in own.curves.iter().filter(|curve| self.wanted.asks_for(curve, side)) {
                let what = format!("{} with ordering {}{costs}", curve.method, curve.ordering);
                let is_pair = |pair: &(&Curve, &Curve)| std::ptr::eq([pair.0, pair.1][side], curve);
                let Some(pair) = self.curves().find(is_pair) else {
                    let elsewhere = others.curves.iter().filter(|other| other.method == curve.method);
                    let elsewhere: Vec<_> = elsewhere.map(|other| other.ordering).collect();
                    let why = match elsewhere.as_slice() {
                        [] => format!("only in {name}"),
                        orderings => {
                            format!("only in {name}; {other_name} has ordering {}", orderings.join(", "))
                        }
                    };
                    found.push(LeftOut { what, why });
                    continue;
                };
                let partner = [pair.1, pair.0][side];
                let is_alone =
                    |point: &&Point| partner.points.iter().all(|other| other.processors != point.processors);
                let alone = curve.points.iter().filter(is_alone).map(|point| point.processors.to_string());
                let alone: Vec<_> = alone.collect();
                if !alone.is_empty() {
                    let what = format!("{what}, on {} processors", alone.join(", "));
                    found.push(LeftOut { what, why: format!("only in {name}") });
                }
            }
        }
        found
    }

    /// The curves of both as those of one panel, over the positions in both, and what each is called.
    pub(super) fn drawn(&self, names: [&str; 2]) -> (Panel, Vec<String>) {
        let (mut curves, mut called) = (Vec::new(), Vec::new());
        for (one, other) in self.curves() {
            for (side, curve) in [one, other].into_iter().enumerate() {
                curves.push(self.over_places(curve, side));
                called.push(format!("{}: {}, {}", names[side], curve.method, curve.ordering));
            }
        }
        let serial: Vec<_> = self.places.iter().map(|&(place, _)| self.one.serial[place].clone()).collect();
        // They are all that is drawn, be they large or not.
        let panel = Panel { curves, positions: serial.len(), large: 0, serial, ..self.one.clone() };
        (panel, called)
    }

    fn over_places(&self, curve: &Curve, side: usize) -> Curve {
        let point = |point: &Point| {
            let each: Vec<_> = self.places.iter().map(|&(a, b)| point.each[[a, b][side]]).collect();
            let speedups: Vec<_> = each.iter().map(|at| at.speedup).collect();
            let none_is_large = vec![false; speedups.len()];
            let speedup = Figure::new(point.speedup.total, &speedups, &none_is_large);
            Point { each, speedup, bound: None, ..point.clone() }
        };
        Curve { points: curve.points.iter().map(point).collect(), ..curve.clone() }
    }
}

/// A name in both, or the first's and the second's.
fn words(one: &str, other: &str) -> String {
    if one == other { one.to_owned() } else { format!("A {one}, B {other}") }
}
