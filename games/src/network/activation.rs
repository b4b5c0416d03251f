//! The activation in integers, written so that the compiler can treat all lanes at once.

/// Bits after the binary point of the sums that [`hidden`] takes, once they are inside (-1, 1).
pub(crate) const SUM_BITS: u32 = 15;

/// Bits after the binary point of what [`hidden`] returns.
pub(crate) const HIDDEN_BITS: u32 = 14;

/// The activation of sums inside (-1, 1) with [`SUM_BITS`] bits after the binary point.
#[inline(always)]
pub(crate) fn hidden<const N: usize>(sums: &[i16; N]) -> [i16; N] {
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
fn high_products<const N: usize>(a: &[i16; N], b: &[i16; N]) -> [i16; N] {
    let mut high = [0; N];
    for ((high, &a), &b) in high.iter_mut().zip(a).zip(b) {
        *high = ((i32::from(a) * i32::from(b)) >> 16) as i16;
    }
    high
}

/// The scalar product.
#[inline(always)]
pub(crate) fn dot<const N: usize>(a: &[i16; N], b: &[i16; N]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

/// Bits after the binary point of the sum that [`output`] takes, and of what [`active_output`] returns.
pub(crate) const OUTPUT_BITS: u32 = 30;

/// `scale` times the activation of a sum in [-1, 1] with [`OUTPUT_BITS`] bits after the binary point, rounded
/// down.
#[inline(always)]
pub(crate) fn output(sum: i64, scale: i32) -> i32 {
    // The scale's 23 bits fit beside the 30.
    ((active_output(sum) * i64::from(scale)) >> OUTPUT_BITS) as i32
}

/// The activation of a sum in [-1, 1], both with [`OUTPUT_BITS`] bits after the binary point, rounded down.
#[inline(always)]
pub(crate) fn active_output(sum: i64) -> i64 {
    let square = (sum * sum) >> OUTPUT_BITS;
    // Twice the activation with 60 bits, so the activation with 61; then with 30.
    (sum * ((3 << OUTPUT_BITS) - square)) >> 31
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
            let [active, others @ ..] = hidden(&[sum; 16]);
            assert!((f64::from(active) - exact).abs() <= 3.0, "{sum}");
            assert!(others.iter().all(|&other| other == active));
        }
        assert_eq!(hidden(&[0; 16]), [0; 16]);
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
