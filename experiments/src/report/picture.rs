//! Pictures of speedup curves.

use crate::report::curves::{Curve, Panel, Point};
use crate::simulate::GREEDY_GUARANTEE;
use anyhow::anyhow;
use indicatif::HumanCount;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use std::collections::BTreeMap;

/// In pixels.
pub(super) const SIZE: (u32, u32) = (1600, 1000);

/// Colours that people who see few of them can tell apart (Okabe and Ito, "Color universal design", 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// What is no method's.
const GREY: RGBColor = RGBColor(110, 110, 110);

pub(super) type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The panel's curves as SVG.
///
/// # Errors
/// When it cannot be drawn, which has no reason that is known.
pub(super) fn svg(panel: &Panel) -> anyhow::Result<String> {
    let names: Vec<_> = panel.curves.iter().map(|curve| panel.label(curve)).collect();
    svg_of(panel, &names)
}

/// The panel's curves under these names as SVG.
///
/// # Errors
/// As [`svg`].
pub(super) fn svg_of(panel: &Panel, names: &[String]) -> anyhow::Result<String> {
    let mut text = String::new();
    draw(panel, names, SVGBackend::with_string(&mut text, SIZE)).map_err(|error| anyhow!(error))?;
    Ok(text)
}

/// An error in its own words: the library's own errors borrow the picture.
pub(super) fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Draws the panel's curves under these names.
fn draw(panel: &Panel, names: &[String], backend: SVGBackend<'_>) -> Result<(), String> {
    let root = backend.into_drawing_area();
    root.fill(&WHITE).map_err(said)?;
    let (right, bottom, top) = corners(panel);
    let mut chart = ChartBuilder::on(&root)
        .caption(title(panel), ("sans-serif", 30))
        .margin(24)
        .x_label_area_size(70)
        .y_label_area_size(90)
        .build_cartesian_2d(0.0..right, bottom..top)
        .map_err(said)?;
    let across = if panel.model.is_some() { "virtual processors" } else { "threads" };
    draw_axes(
        &mut chart,
        (right.ceil() as usize + 1, &power_of_two, across),
        ((top - bottom).ceil() as usize + 1, &power_of_two, "speedup over the serial search"),
    )?;
    draw_linear(&mut chart, right.min(top))?;
    draw_ceilings(&mut chart, panel)?;
    for (number, (curve, name)) in panel.curves.iter().zip(names).enumerate() {
        draw_curve(&mut chart, panel, (curve, name), Look::of(number))?;
    }
    draw_guarantees(&mut chart, panel)?;
    name_curves(&mut chart, SeriesLabelPosition::UpperLeft)?;
    root.present().map_err(said)
}

/// An axis: how many numbers it has, how each is written, and what it is of.
pub(super) type Axis<'a> = (usize, &'a dyn Fn(&f64) -> String, &'a str);

/// Draws the axes.
pub(super) fn draw_axes<'a>(
    chart: &mut Chart<'a>,
    across: Axis<'_>,
    upwards: Axis<'_>,
) -> Result<(), String> {
    chart
        .configure_mesh()
        .x_labels(across.0)
        .y_labels(upwards.0)
        .x_label_formatter(across.1)
        .y_label_formatter(upwards.1)
        .x_desc(across.2)
        .y_desc(upwards.2)
        .label_style(("sans-serif", 24))
        .axis_desc_style(("sans-serif", 26))
        .max_light_lines(0)
        .draw()
        .map_err(said)
}

/// Draws the names of the curves in that corner.
pub(super) fn name_curves<'a>(chart: &mut Chart<'a>, corner: SeriesLabelPosition) -> Result<(), String> {
    chart
        .configure_series_labels()
        .position(corner)
        .label_font(("sans-serif", 24))
        .legend_area_size(44)
        .border_style(GREY)
        .background_style(WHITE.mix(0.9))
        .draw()
        .map_err(said)
}

fn title(panel: &Panel) -> String {
    let which = if panel.large > 0 {
        format!("median of {} positions of at least {} nodes", panel.large, HumanCount(panel.min_nodes))
    } else {
        format!("median of {} positions", panel.positions)
    };
    match &panel.model {
        Some(model) => format!("SIMULATED, costs {model}: {which}"),
        None => format!("Real threads: {which}"),
    }
}

/// The machine's ceilings that are drawn, by ordering: their places, from one search on one thread on.
fn ceilings(panel: &Panel) -> BTreeMap<&'static str, Vec<(f64, f64)>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for curve in &panel.curves {
        let places = found.entry(curve.ordering).or_default();
        let ceiling = |point: &Point| Some(place(point, panel.drawn(point.ceiling.as_ref()?)?.median));
        for ceiling in curve.points.iter().filter_map(ceiling) {
            if !places.contains(&ceiling) {
                places.push(ceiling);
            }
        }
    }
    found.retain(|_, places| !places.is_empty());
    for places in found.values_mut() {
        places.sort_by(|one, other| one.0.total_cmp(&other.0));
        places.insert(0, START);
    }
    found
}

/// One processor and a speedup of 1, which the serial search has by definition.
const START: (f64, f64) = (0.0, 0.0);

/// The right, lower and upper ends of the axes, as powers of two; they begin with one processor and a speedup
/// of one, or below where something is slower than the serial search.
fn corners(panel: &Panel) -> (f64, f64, f64) {
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let processors = points().map(|point| point.processors).max().unwrap_or(1);
    let right = (processors as f64).log2().max(1.0);
    let drawn = |point: &Point| {
        let bound = point.bound.as_ref().and_then(|bound| panel.drawn(bound)).map(|bound| bound.median);
        let own = panel.drawn(&point.speedup);
        own.map(|own| {
            let (low, high) = (own.lower_quartile, own.upper_quartile);
            bound.map_or((low, high), |bound| (low.min(bound), high.max(bound)))
        })
    };
    let ceilings = ceilings(panel).into_values().flatten().map(|(_, ceiling)| (ceiling, ceiling));
    let ends = points().filter_map(drawn).map(|(low, high)| (low.log2(), high.log2())).chain(ceilings);
    let (low, high) = ends.fold((0.0, right), |(low, high), end| (end.0.min(low), end.1.max(high)));
    // Nothing lies on the frame.
    (right + 0.15, if low < 0.0 { low - 0.15 } else { 0.0 }, high + 0.15)
}

/// The number at a place of an axis, if it is a whole power of two.
#[allow(clippy::trivially_copy_pass_by_ref)] // what the library calls
pub(super) fn power_of_two(place: &f64) -> String {
    if (place - place.round()).abs() < 1e-9 { format!("{}", place.round().exp2()) } else { String::new() }
}

/// As many times as fast as there are processors.
fn draw_linear<'a>(chart: &mut Chart<'a>, end: f64) -> Result<(), String> {
    let style = GREY.stroke_width(2);
    chart
        .draw_series(DashedLineSeries::new([(0.0, 0.0), (end, end)], 16, 14, style))
        .map_err(said)?
        .label("linear")
        .legend(move |(x, y)| DashedPathElement::new([(x, y), (x + 30, y)], 8, 5, style));
    Ok(())
}

/// What as many independent searches as there are threads gain on the machine.
fn draw_ceilings<'a>(chart: &mut Chart<'a>, panel: &Panel) -> Result<(), String> {
    let ceilings = ceilings(panel);
    let is_one = ceilings.len() == 1;
    for (ordering, places) in ceilings {
        let name = if is_one { "ceiling".to_owned() } else { format!("ceiling, {ordering}") };
        let style = GREY.stroke_width(2);
        let series = chart.draw_series(LineSeries::new(places.iter().copied(), style)).map_err(said)?;
        series.label(name).legend(move |place| {
            EmptyElement::at(place)
                + PathElement::new([(0, 0), (30, 0)], style)
                + Cross::new((15, 0), 8, style)
        });
        let marks = places.into_iter().skip(1);
        chart.draw_series(marks.map(|place| Cross::new(place, 8, style))).map_err(said)?;
    }
    Ok(())
}

/// What a curve is known by: its colour, and the form of its marks where there are more curves than colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    colour: RGBColor,
    form: usize,
}

impl Look {
    pub(super) fn of(number: usize) -> Self {
        Look { colour: COLOURS[number % COLOURS.len()], form: number / COLOURS.len() }
    }

    fn line(self) -> ShapeStyle {
        self.colour.stroke_width(3)
    }
}

/// Where a speedup is drawn.
fn place(point: &Point, speedup: f64) -> (f64, f64) {
    ((point.processors as f64).log2(), speedup.log2())
}

/// The medians, in the band of their quartiles and with a bar from one to the other.
fn draw_curve<'a>(
    chart: &mut Chart<'a>,
    panel: &Panel,
    (curve, name): (&Curve, &str),
    look: Look,
) -> Result<(), String> {
    let spread = |point: &Point| {
        let spread = panel.drawn(&point.speedup)?;
        Some(
            [spread.lower_quartile, spread.median, spread.upper_quartile]
                .map(|speedup| place(point, speedup)),
        )
    };
    let spreads: Vec<_> = curve.points.iter().filter_map(spread).collect();
    let medians: Vec<_> = spreads.iter().map(|[_, median, _]| *median).collect();
    let band: Vec<_> = spreads.iter().map(|s| s[0]).chain(spreads.iter().rev().map(|s| s[2])).collect();
    let bars =
        spreads.iter().map(|&[low, _, high]| PathElement::new([low, high], look.colour.stroke_width(1)));
    chart.draw_series([Polygon::new(band, look.colour.mix(0.15))]).map_err(said)?;
    chart.draw_series(bars).map_err(said)?;
    // Thin, for nothing was searched there.
    let first = medians.first().filter(|first| first.0 > START.0);
    let begin = first.map(|&first| PathElement::new([START, first], look.colour.stroke_width(1)));
    chart.draw_series(begin).map_err(said)?;
    draw_line(chart, name.to_owned(), look, &medians)
}

/// A line through the places, with a mark at each: a disc, then a triangle, then a cross.
pub(super) fn draw_line<'a>(
    chart: &mut Chart<'a>,
    label: String,
    look: Look,
    places: &[(f64, f64)],
) -> Result<(), String> {
    let (line, filled) = (look.line(), look.colour.filled());
    let sample = move |place| EmptyElement::at(place) + PathElement::new([(0, 0), (30, 0)], line);
    let series = chart.draw_series(LineSeries::new(places.iter().copied(), line)).map_err(said)?.label(label);
    // The legend's samples and the marks are of a type for each form.
    match look.form {
        0 => series.legend(move |place| sample(place) + Circle::new((15, 0), 6, filled)),
        1 => series.legend(move |place| sample(place) + TriangleMarker::new((15, 0), 10, filled)),
        _ => series.legend(move |place| sample(place) + Cross::new((15, 0), 8, line)),
    };
    let places = places.iter().copied();
    match look.form {
        0 => chart.draw_series(places.map(|place| Circle::new(place, 6, filled))),
        1 => chart.draw_series(places.map(|place| TriangleMarker::new(place, 10, filled))),
        _ => chart.draw_series(places.map(|place| Cross::new(place, 8, line))),
    }
    .map_err(said)?;
    Ok(())
}

/// The greedy guarantee, in each curve's colour.
fn draw_guarantees<'a>(chart: &mut Chart<'a>, panel: &Panel) -> Result<(), String> {
    let mut is_named = false;
    for (number, curve) in panel.curves.iter().enumerate() {
        let bound = |point: &Point| Some(place(point, panel.drawn(point.bound.as_ref()?)?.median));
        let bounds: Vec<_> = curve.points.iter().filter_map(bound).collect();
        if bounds.is_empty() {
            continue;
        }
        let style = Look::of(number).colour.stroke_width(2);
        let series = chart.draw_series(DashedLineSeries::new(bounds, 3, 11, style)).map_err(said)?;
        if !is_named {
            let grey = GREY.stroke_width(2);
            let sample = move |(x, y)| DashedPathElement::new([(x, y), (x + 30, y)], 2, 8, grey);
            series.label(GREEDY_GUARANTEE).legend(sample);
            is_named = true;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::curves::tests::panel;

    #[test]
    fn a_picture_has_a_curve_for_every_method_and_loads_nothing() {
        let panel = panel(&["chance-split", "both"], &[(1, 1.0), (2, 1.9), (1024, 700.0)]);
        let svg = svg(&panel).unwrap();
        for word in ["chance-split", "both", "linear", "SIMULATED", "1024", "512"] {
            assert!(svg.contains(word), "{word} in {svg}");
        }
        // Words in whatever the reader's browser sets such in, and no address but the one that says what SVG
        // is.
        assert!(svg.contains("font-family=\"sans-serif\""), "{svg}");
        let addresses: Vec<_> = svg.match_indices("://").collect();
        assert!(
            addresses.len() == 1 && svg.contains("xmlns=\"http://www.w3.org/2000/svg\""),
            "{addresses:?}"
        );
    }

    #[test]
    fn a_single_point_is_a_picture_too() {
        assert!(svg(&panel(&["both"], &[(1, 0.9)])).is_ok());
        assert!(svg(&panel(&[], &[])).is_ok());
    }

    #[test]
    fn what_is_slower_than_the_serial_search_is_drawn_below_it() {
        // Twice as much over the large positions, which count.
        let halves = |svg: String| svg.lines().any(|line| line.trim() == "0.5");
        assert!(halves(svg(&panel(&["both"], &[(1, 0.25), (2, 0.5)])).unwrap()));
        assert!(!halves(svg(&panel(&["both"], &[(1, 0.5), (2, 0.75)])).unwrap()));
    }

    #[test]
    fn no_two_curves_look_alike() {
        let looks: Vec<_> = (0..21).map(Look::of).collect();
        assert!(looks.iter().enumerate().all(|(number, look)| !looks[..number].contains(look)), "{looks:?}");
        let mut many = panel(&["both"], &[(2, 1.5)]);
        many.curves = vec![many.curves[0].clone(); 9];
        let one = svg(&panel(&["both"], &[(2, 1.5)])).unwrap();
        assert!(svg(&many).unwrap().matches("<polygon").count() > 9 * one.matches("<polygon").count());
    }

    #[test]
    fn every_curve_begins_at_one_processor() {
        let figures = |points: &[(usize, f64)]| svg(&panel(&["both"], points)).unwrap();
        let [begun, later] = [figures(&[(1, 1.0), (16, 14.0)]), figures(&[(16, 14.0)])];
        let thin = |svg: &str| svg.matches("stroke=\"#0072B2\" stroke-width=\"1\"").count();
        // Beside the bars of the quartiles: a line from where the serial search is to the first point.
        assert_eq!((thin(&begun), thin(&later)), (2, 2));
    }

    #[test]
    fn the_ceiling_is_in_the_picture_where_it_was_measured() {
        let mut panel = panel(&["chance-split", "both"], &[(1, 0.9), (2, 1.7)]);
        assert!(!svg(&panel).unwrap().contains("ceiling"));
        for curve in &mut panel.curves {
            curve.points[1].ceiling = Some(crate::report::curves::tests::figure(4.0));
        }
        // Of the large positions, as all that is drawn.
        assert_eq!(ceilings(&panel)["hybrid"], [START, (1.0, 3.0)]);
        assert!(corners(&panel).2 > 3.0);
        let drawn = svg(&panel).unwrap();
        let labels: Vec<_> = drawn.lines().filter(|line| line.contains("ceiling")).collect();
        assert_eq!(labels.len(), 1, "one for both curves: {labels:?}");
    }

    #[test]
    fn the_lower_curve_has_its_name() {
        let drawn = svg(&panel(&["both"], &[(16, 14.0)])).unwrap();
        assert!(drawn.contains("greedy guarantee") && !drawn.contains("bound"), "{drawn}");
    }

    #[test]
    fn a_guarantee_below_the_curve_is_in_the_picture() {
        let mut panel = panel(&["both"], &[(1, 0.5), (2, 0.75)]);
        let (_, without, _) = corners(&panel);
        panel.curves[0].points[0].bound = Some(crate::report::curves::tests::figure(0.2));
        let (_, with, _) = corners(&panel);
        assert!(with < without && with < 0.4_f64.log2(), "{with} {without}");
    }
}
