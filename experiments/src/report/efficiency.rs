//! The picture of efficiency: what each of many virtual processors gains, under every cost model of a folder.

use crate::analysis::measures::efficiency;
use crate::report::curves::{Curve, Panel, Point};
use crate::report::picture::{Look, SIZE, draw_axes, draw_line, name_curves, power_of_two, said};
use anyhow::anyhow;
use plotters::prelude::*;

/// The name of the picture's files.
pub(super) const NAME: &str = "efficiency";

/// The curves of all simulated panels as SVG; none where there are none.
///
/// # Errors
/// When they cannot be drawn, which has no reason that is known.
pub(super) fn svg(panels: &[Panel]) -> anyhow::Result<Option<String>> {
    let curves: Vec<_> = panels.iter().flat_map(curves).collect();
    if curves.is_empty() {
        return Ok(None);
    }
    let mut text = String::new();
    draw(&curves, SVGBackend::with_string(&mut text, SIZE)).map_err(|error| anyhow!(error))?;
    Ok(Some(text))
}

/// A curve's name, and its places.
type Named = (String, Vec<(f64, f64)>);

/// The curves of a panel; none where times are real.
fn curves(panel: &Panel) -> Vec<Named> {
    let Some(model) = &panel.model else { return Vec::new() };
    let places = |curve: &Curve| {
        let place = |point: &Point| {
            let median = panel.drawn(&point.speedup)?.median;
            Some(((point.processors as f64).log2(), efficiency(median, point.processors)))
        };
        curve.points.iter().filter_map(place).collect()
    };
    let named = |curve: &Curve| (format!("{}, costs {model}", panel.label(curve)), places(curve));
    panel.curves.iter().map(named).collect()
}

fn draw(curves: &[Named], backend: SVGBackend<'_>) -> Result<(), String> {
    let root = backend.into_drawing_area();
    root.fill(&WHITE).map_err(said)?;
    let places = || curves.iter().flat_map(|(_, places)| places);
    let right = places().map(|place| place.0).fold(1.0, f64::max);
    let top = places().map(|place| place.1).fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .caption("SIMULATED: medians of the speedups, over processors", ("sans-serif", 30))
        .margin(24)
        .x_label_area_size(70)
        .y_label_area_size(90)
        // Nothing lies on the frame.
        .build_cartesian_2d(0.0..right + 0.15, 0.0..top + 0.05)
        .map_err(said)?;
    draw_axes(
        &mut chart,
        (right.ceil() as usize + 1, &power_of_two, "virtual processors"),
        (11, &|share| format!("{share:.1}"), "efficiency: speedup / processors"),
    )?;
    for (number, (name, places)) in curves.iter().enumerate() {
        draw_line(&mut chart, name.clone(), Look::of(number), places)?;
    }
    name_curves(&mut chart, SeriesLabelPosition::LowerLeft)?;
    root.present().map_err(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::curves::tests::panel;

    #[test]
    fn simulated_curves_are_drawn_by_what_each_processor_gains() {
        let simulated = panel(&["both"], &[(4, 1.0), (16, 2.0)]);
        // The figure's median at the large position is twice the one over all.
        assert_eq!(curves(&simulated)[0].1, [(2.0, 0.5), (4.0, 0.25)]);
        let real = Panel { model: None, ..simulated.clone() };
        assert_eq!(svg(std::slice::from_ref(&real)).unwrap(), None);
        let text = svg(&[real, simulated]).unwrap().unwrap();
        for words in ["both", "costs unit", "efficiency", "SIMULATED"] {
            assert!(text.contains(words), "{words}");
        }
    }
}
