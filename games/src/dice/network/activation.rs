//! The activation in integers, written so that the compiler can treat all lanes at once.

/// Hidden units, padded to whole vector registers with units that are always 0.
pub(super) const LANES: usize = 16;

/// One number for each hidden unit, and zeros up to [`LANES`].
pub(super) type Lanes = [i16; LANES];

/// Bits after the binary point of the sums that [`hidden`] takes, once they are inside (-1, 1).
pub(super) const SUM_BITS: u32 = 15;

/// Bits after the binary point of what [`hidden`] returns.
pub(super) const HIDDEN_BITS: u32 = 14;

/// The activation of sums inside (-1, 1) with [`SUM_BITS`] bits after the binary point.
#[inline(always)]
pub(super) fn hidden(sums: &Lanes) -> Lanes {
    // As 3/2 x - 1/2 x x^2, in which no step leaves 16 bits. `!x` is -x less one step, so the squares are
    // negative; said as squares of x, the compiler would widen them.
    let squares = high_products(sums, &sums.map(|sum| !sum));
    // The product's 13 fractional bits are read as 14: that halves it.
    let mut active = high_products(sums, &squares);
    for (active, sum) in active.iter_mut().zip(sums) {
        let half = sum >> 1;
        *active += half + (half >> 1);
    }
    active
}

/// The high halves of the products: their fractional bits are the sum of the factors' less 16. One
/// instruction for a register of lanes, where working lane by lane would be widened to 32 bits.
#[inline(always)]
fn high_products(a: &Lanes, b: &Lanes) -> Lanes {
    let mut high = [0; LANES];
    for ((high, &a), &b) in high.iter_mut().zip(a).zip(b) {
        *high = ((i32::from(a) * i32::from(b)) >> 16) as i16;
    }
    high
}

/// The scalar product.
#[inline(always)]
pub(super) fn dot(a: &Lanes, b: &Lanes) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

/// Bits after the binary point of the sum that [`output`] takes.
pub(super) const OUTPUT_BITS: u32 = 30;

/// `scale` times the activation of a sum in [-1, 1] with [`OUTPUT_BITS`] bits after the binary point, rounded
/// down.
#[inline(always)]
pub(super) fn output(sum: i64, scale: i32) -> i32 {
    let square = (sum * sum) >> OUTPUT_BITS;
    // Twice the activation with 60 bits, so the activation with 61; then with 30, so that the scale's 23 fit
    // too.
    let active = (sum * ((3 << OUTPUT_BITS) - square)) >> 31;
    ((active * i64::from(scale)) >> OUTPUT_BITS) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_is_the_cubic_to_three_units_in_every_lane() {
        let one = f64::from(1 << SUM_BITS);
        for sum in -i16::MAX..=i16::MAX {
            let x = f64::from(sum) / one;
            let exact = x * (3.0 - x * x) / 2.0 * f64::from(1 << HIDDEN_BITS);
            let [active, others @ ..] = hidden(&[sum; LANES]);
            assert!((f64::from(active) - exact).abs() <= 3.0, "{sum}");
            assert!(others.iter().all(|&other| other == active));
        }
        assert_eq!(hidden(&[0; LANES]), [0; LANES]);
    }

    #[test]
    fn output_spans_the_scale_and_rises() {
        let one = 1i64 << OUTPUT_BITS;
        let scale = (1 << 23) - 1;
        assert_eq!((output(one, scale), output(-one, scale), output(0, scale)), (scale, -scale, 0));
        let steps = (-1000..=1000).map(|step| output(step * one / 1000, scale));
        assert!(steps.is_sorted());
        for step in -100i64..=100 {
            let x = step as f64 / 100.0;
            let exact = x * (3.0 - x * x) / 2.0 * f64::from(scale);
            assert!((f64::from(output(step * one / 100, scale)) - exact).abs() < 2.0, "{step}");
        }
    }
}
