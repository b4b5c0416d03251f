//! Searches of two folders, or of one, that are set beside each other, and what is left out.

use crate::analysis::figure::Figure;
use crate::report::curves::{Curve, Panel, Point, Serial};
use serde::Serialize;
use starsplit::search::{Method, MoveOrdering};
use starsplit_statistics::bootstrap::Intervals;
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
    /// Whether both are of the same positions.
    pub is_paired: bool,
    /// The first's speedups.
    pub a: Side,
    /// The second's.
    pub b: Side,
    /// Where both are of the same positions the median of the ratios, speedup over speedup, for serial
    /// searches the first's time over the second's; else the ratio of the medians.
    pub ratio: f64,
    /// Of that, by the percentile bootstrap with a confidence of 95%; none where the positions are others, or
    /// fewer than six.
    pub intervals: Intervals,
}

/// One side of a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Side {
    /// How many positions count.
    pub positions: usize,
    /// The median of the speedups there, each over the side's own serial search; of serial searches 1.
    pub median: f64,
    /// Of that median.
    pub intervals: Intervals,
}

impl Side {
    /// Of what is so many times as fast at each position, in every round.
    fn of(rounds: &[Vec<f64>]) -> Option<Self> {
        let medians: Vec<f64> = rounds.iter().filter_map(|own| median(own)).collect();
        let intervals = Intervals::of(rounds);
        Some(Side { positions: rounds.len(), median: median(&medians)?, intervals })
    }
}

/// Which curves are set beside which, where somebody wants others than those of the same method and
/// ordering.
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
        (self.methods.is_some() || one.method == other.method)
            && (self.orderings.is_some() || one.ordering == other.ordering)
    }

    /// The curves that a curve of A's is set beside: those of the same method and ordering; else the only one
    /// of that method, where it is A's only one, too; else B's only one, where it is A's only one.
    fn partner<'a>(&self, own: &Curve, one: &Panel, other: &'a Panel) -> Option<&'a Curve> {
        let asked = |curve: &&Curve, side: usize| self.asks_for(curve, side);
        if !asked(&own, 0) {
            return None;
        }
        let theirs = || other.curves.iter().filter(|curve| asked(curve, 1));
        let only = |is_like: &dyn Fn(&Curve) -> bool| {
            let is_alone = one.curves.iter().filter(|curve| asked(curve, 0) && is_like(curve)).count() == 1;
            let mut like = theirs().filter(|curve| is_like(curve));
            like.next().filter(|_| is_alone && like.next().is_none())
        };
        let exact = theirs().find(|curve| self.are_partners(own, curve));
        exact.or_else(|| only(&|curve| curve.method == own.method)).or_else(|| only(&|_| true))
    }
}

/// Two panels and the places of the positions that count in each.
pub(super) struct Shared<'a> {
    one: &'a Panel,
    other: &'a Panel,
    wanted: Wanted,
    /// Whether the positions are the same ones, in the same order.
    pub(super) is_paired: bool,
    /// Of A's and of B's.
    places: [Vec<usize>; 2],
    /// What of the positions is left out.
    positions: Vec<LeftOut>,
}

/// A search in both: A's curve and point, and B's.
type Pair<'a> = [(&'a Curve, &'a Point); 2];

impl<'a> Shared<'a> {
    /// Paired where `may_be_paired`, and a position is in both.
    pub(super) fn new(one: &'a Panel, other: &'a Panel, wanted: Wanted, may_be_paired: bool) -> Self {
        let places = if may_be_paired { in_both(one, other) } else { Vec::new() };
        if places.is_empty() {
            return Shared::apart(one, other, wanted);
        }
        Shared::paired(one, other, wanted, places)
    }

    /// Each side over its own positions: the large ones, all where none is large there.
    fn apart(one: &'a Panel, other: &'a Panel, wanted: Wanted) -> Self {
        let counting = |panel: &Panel| {
            let counts = |place: &usize| panel.large == 0 || panel.serial[*place].nodes >= panel.min_nodes;
            (0..panel.serial.len()).filter(counts).collect::<Vec<_>>()
        };
        let places = [counting(one), counting(other)];
        let left_out = [("A", one, &places[0]), ("B", other, &places[1])].map(|(name, panel, places)| {
            let number = panel.serial.len() - places.len();
            let why = format!("of fewer than {} nodes", panel.min_nodes);
            (number > 0).then(|| LeftOut { what: format!("{number} positions of {name}"), why })
        });
        let positions = left_out.into_iter().flatten().collect();
        Shared { one, other, wanted, is_paired: false, places, positions }
    }

    fn paired(one: &'a Panel, other: &'a Panel, wanted: Wanted, mut places: Vec<(usize, usize)>) -> Self {
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
        let (a, b) = places.into_iter().unzip();
        let positions = positions.into_iter().flatten().collect();
        Shared { one, other, wanted, is_paired: true, places: [a, b], positions }
    }

    /// Of paired positions.
    fn serial(&self) -> impl Iterator<Item = (&Serial, &Serial)> {
        let [one, other] = &self.places;
        one.iter().zip(other).map(|(&one, &other)| (&self.one.serial[one], &self.other.serial[other]))
    }

    /// At how many positions serial searches of one ordering differ.
    pub(super) fn unlike(&self) -> usize {
        let is_one = self.is_paired && self.one.baseline == self.other.baseline;
        self.serial().filter(|(one, other)| is_one && one.nodes != other.nodes).count()
    }

    /// The curves that are in both.
    fn curves(&self) -> impl Iterator<Item = (&'a Curve, &'a Curve)> {
        let partner = |one| self.wanted.partner(one, self.one, self.other);
        self.one.curves.iter().filter_map(move |one| Some((one, partner(one)?)))
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
        if self.is_paired && !std::ptr::eq(self.one, self.other) {
            rows.extend(self.serial_row());
        }
        rows.extend(self.pairs().filter_map(|pair| self.row(pair)));
        rows
    }

    /// The first's serial time over the second's.
    fn serial_row(&self) -> Option<Row> {
        let ratios: Vec<_> = self.serial().map(|(one, other)| vec![one.seconds / other.seconds]).collect();
        let Side { positions, median: ratio, intervals } = Side::of(&ratios)?;
        let side = Side { positions, median: 1.0, intervals: Intervals::default() };
        Some(Row {
            costs: self.one.costs_name().to_owned(),
            method: "serial".to_owned(),
            ordering: words(self.one.baseline, self.other.baseline),
            processors: 1,
            is_paired: true,
            a: side,
            b: side,
            ratio,
            intervals,
        })
    }

    fn row(&self, [(one, own), (other, theirs)]: Pair<'_>) -> Option<Row> {
        let (ones, others) = (self.rounds(own, 0), self.rounds(theirs, 1));
        let (a, b) = (Side::of(&ones)?, Side::of(&others)?);
        let (ratio, intervals) = if self.is_paired {
            self.ratio(&ones, &others)?
        } else {
            (b.median / a.median, Intervals::default())
        };
        Some(Row {
            costs: self.one.costs_name().to_owned(),
            method: words(one.method, other.method),
            ordering: words(one.ordering, other.ordering),
            processors: own.processors,
            is_paired: self.is_paired,
            a,
            b,
            ratio,
            intervals,
        })
    }

    /// The median over the positions of B's speedup over A's, and its intervals. Rounds of one record are of
    /// the same moment.
    fn ratio(&self, ones: &[Vec<f64>], others: &[Vec<f64>]) -> Option<(f64, Intervals)> {
        let both = ones.iter().zip(others);
        if std::ptr::eq(self.one, self.other) {
            let over = |(one, other): (&f64, &f64)| other / one;
            let within: Vec<Vec<f64>> =
                both.map(|(one, other)| one.iter().zip(other).map(over).collect()).collect();
            return Side::of(&within).map(|side| (side.median, side.intervals));
        }
        let ratios: Option<Vec<f64>> = both.map(|(one, other)| Some(median(other)? / median(one)?)).collect();
        Some((median(&ratios?)?, Intervals::of_ratio(ones, others)))
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

    /// The curves of both, which are paired, as those of one panel, over the positions in both, and what each
    /// is called.
    pub(super) fn drawn(&self, names: [&str; 2]) -> (Panel, Vec<String>) {
        let (mut curves, mut called) = (Vec::new(), Vec::new());
        for (one, other) in self.curves() {
            for (side, curve) in [one, other].into_iter().enumerate() {
                curves.push(self.over_places(curve, side));
                called.push(format!("{}: {}, {}", names[side], curve.method, curve.ordering));
            }
        }
        let serial: Vec<_> = self.places[0].iter().map(|&place| self.one.serial[place].clone()).collect();
        // They are all that is drawn, be they large or not.
        let panel = Panel { curves, positions: serial.len(), large: 0, serial, ..self.one.clone() };
        (panel, called)
    }

    /// The speedup in every round at each position of a side.
    fn rounds(&self, point: &Point, side: usize) -> Vec<Vec<f64>> {
        self.places[side].iter().map(|&place| point.rounds[place].clone()).collect()
    }

    fn over_places(&self, curve: &Curve, side: usize) -> Curve {
        let point = |point: &Point| {
            let each: Vec<_> = self.places[side].iter().map(|&place| point.each[place]).collect();
            let speedups: Vec<_> = each.iter().map(|at| at.speedup).collect();
            let none_is_large = vec![false; speedups.len()];
            let speedup = Figure::new(point.speedup.total, &speedups, &none_is_large);
            Point { each, rounds: self.rounds(point, side), speedup, bound: None, ..point.clone() }
        };
        Curve { points: curve.points.iter().map(point).collect(), ..curve.clone() }
    }
}

/// The places in each of the positions in both.
fn in_both(one: &Panel, other: &Panel) -> Vec<(usize, usize)> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (own, serial) in one.serial.iter().enumerate() {
        // A suite may have a position twice: each counts once.
        let is_free = |place: &usize| places.iter().all(|(_, taken)| taken != place);
        let mut theirs = other.serial.iter().enumerate().filter(|(_, s)| s.position == serial.position);
        if let Some((place, _)) = theirs.find(|(place, _)| is_free(place)) {
            places.push((own, place));
        }
    }
    places
}

/// A name in both, or the first's and the second's.
fn words(one: &str, other: &str) -> String {
    if one == other { one.to_owned() } else { format!("A {one}, B {other}") }
}
