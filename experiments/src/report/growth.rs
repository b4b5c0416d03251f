//! Pictures of how cost grows with depth, such as the paper's Figure 6.3.

use crate::report::picture::{Look, SIZE, draw_axes, draw_line, name_curves, said};
use anyhow::anyhow;
use plotters::prelude::*;

/// The name of the picture's files.
pub(super) const NAME: &str = "growth";

/// The nodes until each depth was complete, by a variant or an algorithm.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Growth {
    pub(crate) label: String,
    /// Depths and nodes.
    pub(crate) points: Vec<(u32, f64)>,
}

/// The curves as SVG.
///
/// # Errors
/// When they cannot be drawn, which has no reason that is known.
pub(super) fn svg(title: &str, curves: &[Growth]) -> anyhow::Result<String> {
    let mut text = String::new();
    draw(title, curves, SVGBackend::with_string(&mut text, SIZE)).map_err(|error| anyhow!(error))?;
    Ok(text)
}

fn draw(title: &str, curves: &[Growth], backend: SVGBackend<'_>) -> Result<(), String> {
    let root = backend.into_drawing_area();
    root.fill(&WHITE).map_err(said)?;
    let (left, right, top) = corners(curves);
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 30))
        .margin(24)
        .x_label_area_size(70)
        .y_label_area_size(110)
        .build_cartesian_2d(left..right, 0.0..top)
        .map_err(said)?;
    draw_axes(
        &mut chart,
        ((right - left).ceil() as usize + 1, &whole, "depth in plies"),
        (top.ceil() as usize + 1, &power_of_ten, "nodes until the depth was complete"),
    )?;
    for (number, curve) in curves.iter().enumerate() {
        let places: Vec<_> =
            curve.points.iter().map(|&(depth, nodes)| (f64::from(depth), nodes.log10())).collect();
        draw_line(&mut chart, curve.label.clone(), Look::of(number), &places)?;
    }
    name_curves(&mut chart, SeriesLabelPosition::UpperLeft)?;
    root.present().map_err(said)
}

/// The left, right and upper ends of the axes; nodes as powers of ten, from one node on.
fn corners(curves: &[Growth]) -> (f64, f64, f64) {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let depths = points().map(|&(depth, _)| f64::from(depth));
    let (left, right) =
        depths.fold((f64::MAX, 1.0), |(low, high), depth| (f64::min(low, depth), f64::max(high, depth)));
    let top = points().map(|&(_, nodes)| nodes.log10()).fold(1.0, f64::max);
    // Nothing lies on the frame.
    (left.min(right) - 0.15, right + 0.15, top + 0.15)
}

/// The number at a place of an axis, if it is whole.
#[allow(clippy::trivially_copy_pass_by_ref)] // what the library calls
fn whole(place: &f64) -> String {
    if (place - place.round()).abs() < 1e-9 { format!("{}", place.round()) } else { String::new() }
}

/// The power of ten at a place of an axis, if its exponent is whole.
#[allow(clippy::trivially_copy_pass_by_ref)] // what the library calls
fn power_of_ten(place: &f64) -> String {
    let text = whole(place);
    if text.is_empty() { text } else { format!("1e{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(label: &str, points: &[(u32, f64)]) -> Growth {
        Growth { label: label.to_owned(), points: points.to_vec() }
    }

    #[test]
    fn every_curve_is_drawn_and_named() {
        let text = svg("Some growth", &[growth("one", &[(1, 1.0), (3, 100.0)]), growth("two", &[(1, 3.0)])])
            .unwrap();
        for words in ["Some growth", "one", "two", "1e2", "depth in plies"] {
            assert!(text.contains(words), "{words}");
        }
        assert_eq!(corners(&[growth("one", &[(1, 1.0), (3, 100.0)])]), (0.85, 3.15, 2.15));
    }
}
