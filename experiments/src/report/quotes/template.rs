//! A template: text in which what stands in braces is computed.

use crate::report::quotes::expression;
use crate::report::quotes::source::Rows;
use std::collections::BTreeMap;

/// The text with its figures. Each stands as `{EXPRESSION:FORMAT}`; the format is any of `+` (a sign before
/// what is not below zero), `,` (thousands apart) and `.N` (so many decimals, none by default). `{{` and `}}`
/// are braces.
///
/// # Errors
/// What is wrong with it, in a line.
pub(super) fn fill(text: &str, rows: &BTreeMap<String, Rows>) -> Result<String, String> {
    let mut made = String::new();
    let mut rest = text;
    while let Some(place) = rest.find(['{', '}']) {
        made += &rest[..place];
        let brace = &rest[place..=place];
        rest = &rest[place + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            made += brace;
            rest = after;
            continue;
        }
        let inner = rest.split_once('}').filter(|_| brace == "{");
        let (inner, after) = inner.ok_or_else(|| format!("expected {{ and }} in pairs in {text:?}"))?;
        made += &figure(inner, rows).map_err(|complaint| format!("{complaint} in {{{inner}}}"))?;
        rest = after;
    }
    Ok(made + rest)
}

fn figure(inner: &str, rows: &BTreeMap<String, Rows>) -> Result<String, String> {
    let (expression, format) = inner.split_once(':').unwrap_or((inner, ""));
    shown(expression::value(expression, rows)?, format)
}

/// The number as the format says.
fn shown(number: f64, format: &str) -> Result<String, String> {
    let (has_sign, rest) = format.strip_prefix('+').map_or((false, format), |rest| (true, rest));
    let (has_groups, rest) = rest.strip_prefix(',').map_or((false, rest), |rest| (true, rest));
    let decimals = match rest.strip_prefix('.') {
        None if rest.is_empty() => Some(0),
        None => None,
        Some(digits) => digits.parse::<usize>().ok().filter(|&decimals| decimals <= 9),
    };
    let decimals = decimals.ok_or_else(|| format!("expected a format such as +,.2, not {format:?}"))?;
    let digits = format!("{:.decimals$}", number.abs());
    let is_below = number < 0.0 && digits.contains(|c: char| ('1'..='9').contains(&c));
    let sign = if is_below {
        "-"
    } else if has_sign {
        "+"
    } else {
        ""
    };
    Ok(format!("{sign}{}", if has_groups { grouped(&digits) } else { digits }))
}

/// With a comma before every third digit from the point on.
fn grouped(digits: &str) -> String {
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut made = String::new();
    for (place, digit) in whole.char_indices() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            made.push(',');
        }
        made.push(digit);
    }
    made + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_shown_as_the_format_says() {
        for (number, format, expected) in [
            (1.855, "", "2"),
            (1.854, ".2", "1.85"),
            (-0.96, "+.1", "-1.0"),
            (0.04, "+.1", "+0.0"),
            (-0.04, ".1", "0.0"),
            (1_234_567.8, ",", "1,234,568"),
            (999.0, ",.1", "999.0"),
            (1000.25, "+,.1", "+1,000.2"),
        ] {
            assert_eq!(shown(number, format).unwrap(), expected, "{number}:{format}");
        }
        for bad in ["x", ".", ".x", ".10", ",+", "2"] {
            assert!(shown(1.0, bad).unwrap_err().contains("expected a format"), "{bad}");
        }
    }

    #[test]
    fn text_stays_and_braces_are_computed() {
        let none = BTreeMap::new();
        assert_eq!(fill("a {1 / 4:.2} of {{b}} {3}", &none).unwrap(), "a 0.25 of {b} 3");
        for (bad, words) in [("{1", "in pairs"), ("1}", "in pairs"), ("{}", "in {}"), ("{x.a}", "in {x.a}")] {
            assert!(fill(bad, &none).unwrap_err().contains(words), "{bad}");
        }
    }
}
