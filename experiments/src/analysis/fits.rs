//! Laws of scaling, fitted to speedup curves.

use serde::Serialize;

/// The share of a search that only one processor can do, if all else scales without loss (Amdahl, "Validity
/// of the single processor approach to achieving large scale computing capabilities", AFIPS 1967).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Amdahl {
    /// 1 / speedup = serial + (1 - serial) / P. Below 0 where speedups are above P.
    pub serial: f64,
}

/// Time as work shared by all processors, and a part that none of them shortens: T(P) / T1 = work / P + span.
/// Unlike Amdahl's law it has room for work that only parallel searches do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WorkSpan {
    /// The work of the parallel search over that of the serial one.
    pub work: f64,
    /// The span over the work of the serial search.
    pub span: f64,
}

/// The law that comes closest to the points (processors, speedup): least squares of relative time. `None`
/// where no point has more than one processor.
pub fn amdahl(points: &[(f64, f64)]) -> Option<Amdahl> {
    // With t = 1 / speedup: t - 1 / P = serial * (1 - 1 / P), each divided by t.
    let (mut products, mut squares) = (0.0, 0.0);
    for (processors, speedup) in points {
        let weight = speedup * speedup;
        let (lost, could) = (1.0 / speedup - 1.0 / processors, 1.0 - 1.0 / processors);
        products += weight * lost * could;
        squares += weight * could * could;
    }
    (squares > 0.0).then(|| Amdahl { serial: products / squares })
}

/// The law that comes closest to the points (processors, speedup): least squares of relative time. `None`
/// where there are fewer than three numbers of processors, through two of which it would always go.
pub fn work_span(points: &[(f64, f64)]) -> Option<WorkSpan> {
    let mut numbers: Vec<f64> = points.iter().map(|(processors, _)| *processors).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    if numbers.len() < 3 {
        return None;
    }
    // Each equation work * x + span * y = 1 is that of a point, divided by its time.
    let (mut xx, mut xy, mut yy, mut x1, mut y1) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (processors, speedup) in points {
        let (x, y) = (speedup / processors, speedup);
        xx += x * x;
        xy += x * y;
        yy += y * y;
        x1 += x;
        y1 += y;
    }
    let determinant = xx * yy - xy * xy;
    let law = WorkSpan { work: (x1 * yy - y1 * xy) / determinant, span: (y1 * xx - x1 * xy) / determinant };
    (law.work.is_finite() && law.span.is_finite()).then_some(law)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PROCESSORS: [f64; 5] = [1.0, 2.0, 8.0, 64.0, 1024.0];

    proptest! {
        #[test]
        fn curves_that_follow_a_law_are_recognised(serial in 0.0..0.5f64, work in 1.0..2.0f64, span in 1e-6..0.5f64) {
            let curve = |time: &dyn Fn(f64) -> f64| PROCESSORS.map(|p| (p, 1.0 / time(p)));
            let found = amdahl(&curve(&|p| serial + (1.0 - serial) / p)).unwrap();
            prop_assert!((found.serial - serial).abs() < 1e-9, "{found:?}");
            let found = work_span(&curve(&|p| work / p + span)).unwrap();
            prop_assert!((found.work - work).abs() < 1e-6 && (found.span - span).abs() < 1e-6, "{found:?}");
        }

        #[test]
        fn what_only_parallel_searches_do_is_no_serial_part(work in 1.0..1.5f64) {
            let points = PROCESSORS.map(|p| (p, p / work));
            let found = work_span(&points).unwrap();
            prop_assert!((found.work - work).abs() < 1e-6 && found.span.abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn too_few_points_have_no_law() {
        assert_eq!((amdahl(&[]), amdahl(&[(1.0, 0.9)])), (None, None));
        assert_eq!(work_span(&[(1.0, 1.0), (2.0, 1.9), (2.0, 1.8)]), None);
        assert_eq!(amdahl(&[(2.0, 2.0)]), Some(Amdahl { serial: 0.0 }));
    }
}
