//! What is computed from rows: numbers, columns, `+ - * /`, `<` and `>`, brackets and a few functions.
//!
//! `rows.column` is what stands in a column, `rows.'a/b-c'` in one whose name is no plain word.
//!
//! A column of several rows is a list, and what is done to a list is done to each number of it, of two lists
//! to the pairs in their order. A comparison is 1 or 0. `sum`, `min`, `max`, `mean`, `geomean`, `median`,
//! `std` (with n - 1 below the line) and `count` make one number of a list, of all their arguments together;
//! `floor` and `ceil` round each.

use crate::analysis::statistics::{Summary, geometric_mean, mean};
use crate::report::quotes::source::Rows;
use std::collections::BTreeMap;

/// How deep brackets may lie within each other.
const DEEPEST: usize = 32;

/// The one number that an expression comes to.
///
/// # Errors
/// What is wrong with it, in a line: a name that is not there, a list where one number is asked for, and what
/// is no number at all.
pub(super) fn value(text: &str, rows: &BTreeMap<String, Rows>) -> Result<f64, String> {
    let mut reader = Reader { rest: text.trim(), rows, depth: 0 };
    let found = reader.comparison()?;
    if !reader.rest.is_empty() {
        return Err(format!("expected the end of the expression, not {:?}", reader.rest));
    }
    match found.as_slice() {
        [one] if one.is_finite() => Ok(*one),
        [_] => Err("expected a number that is finite".to_owned()),
        list => Err(format!("expected one number, not {}", list.len())),
    }
}

struct Reader<'a> {
    rest: &'a str,
    rows: &'a BTreeMap<String, Rows>,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn comparison(&mut self) -> Result<Vec<f64>, String> {
        let one = self.sum()?;
        match self.operator(&['<', '>']) {
            Some('<') => joined(&one, &self.sum()?, |a, b| f64::from(u8::from(a < b))),
            Some(_) => joined(&one, &self.sum()?, |a, b| f64::from(u8::from(a > b))),
            None => Ok(one),
        }
    }

    fn sum(&mut self) -> Result<Vec<f64>, String> {
        let mut one = self.product()?;
        while let Some(operator) = self.operator(&['+', '-']) {
            let other = self.product()?;
            one = joined(&one, &other, |a, b| if operator == '+' { a + b } else { a - b })?;
        }
        Ok(one)
    }

    fn product(&mut self) -> Result<Vec<f64>, String> {
        let mut one = self.single()?;
        while let Some(operator) = self.operator(&['*', '/']) {
            let other = self.single()?;
            one = joined(&one, &other, |a, b| if operator == '*' { a * b } else { a / b })?;
        }
        Ok(one)
    }

    fn single(&mut self) -> Result<Vec<f64>, String> {
        if self.operator(&['-']).is_some() {
            return Ok(self.deeper(Self::single)?.into_iter().map(|number| -number).collect());
        }
        if self.operator(&['(']).is_some() {
            let inner = self.deeper(Self::comparison)?;
            return self.close().map(|()| inner);
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let length = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        if let Some((name, quoted)) = word.strip_suffix('.').zip(rest.strip_prefix('\'')) {
            let (column, rest) = quoted.split_once('\'').ok_or("expected ' after the name of a column")?;
            self.rest = rest.trim_start();
            return self.column(name, column);
        }
        self.rest = rest.trim_start();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let number = word.parse().map_err(|_| format!("expected a number, not {word:?}"))?;
            return Ok(vec![number]);
        }
        if self.operator(&['(']).is_some() {
            return self.function(word);
        }
        match word.split_once('.') {
            Some((name, column)) => self.column(name, column),
            None => Err(format!("expected a number, ROWS.COLUMN or a function, not {word:?}")),
        }
    }

    fn column(&self, name: &str, column: &str) -> Result<Vec<f64>, String> {
        let known = || self.rows.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        let rows =
            self.rows.get(name).ok_or_else(|| format!("expected rows named {}, not {name}", known()))?;
        rows.numbers(column)
    }

    fn function(&mut self, name: &str) -> Result<Vec<f64>, String> {
        let mut list = self.deeper(Self::comparison)?;
        while self.operator(&[',']).is_some() {
            list.extend(self.deeper(Self::comparison)?);
        }
        self.close()?;
        let one = match name {
            "floor" => return Ok(list.into_iter().map(f64::floor).collect()),
            "ceil" => return Ok(list.into_iter().map(f64::ceil).collect()),
            "sum" => Some(list.iter().sum()),
            "count" => Some(list.len() as f64),
            "min" => list.iter().copied().reduce(f64::min),
            "max" => list.iter().copied().reduce(f64::max),
            "mean" => mean(&list),
            "geomean" => geometric_mean(&list),
            "median" => median(list),
            "std" => Summary::of(&list).map(|summary| summary.std),
            _ => return Err(format!("expected a function that there is, not {name}")),
        };
        one.map(|one| vec![one]).ok_or_else(|| format!("expected numbers for {name}"))
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        if self.depth == DEEPEST {
            return Err(format!("expected at most {DEEPEST} brackets within each other"));
        }
        self.depth += 1;
        let found = inner(self);
        self.depth -= 1;
        found
    }

    fn operator(&mut self, which: &[char]) -> Option<char> {
        let first = self.rest.chars().next().filter(|first| which.contains(first))?;
        self.rest = self.rest[first.len_utf8()..].trim_start();
        Some(first)
    }

    fn close(&mut self) -> Result<(), String> {
        self.operator(&[')']).map(drop).ok_or_else(|| format!("expected ) before {:?}", self.rest))
    }
}

/// Each number of one list with its own of the other, or with the only one that there is.
fn joined(one: &[f64], other: &[f64], join: impl Fn(f64, f64) -> f64) -> Result<Vec<f64>, String> {
    match (one, other) {
        (one, [b]) => Ok(one.iter().map(|&a| join(a, *b)).collect()),
        ([a], other) => Ok(other.iter().map(|&b| join(*a, b)).collect()),
        (one, other) if one.len() == other.len() => {
            Ok(one.iter().zip(other).map(|(&a, &b)| join(a, b)).collect())
        }
        _ => Err(format!("expected lists of one length, not {} and {}", one.len(), other.len())),
    }
}

/// The middle, or the mean of the two in the middle.
fn median(mut list: Vec<f64>) -> Option<f64> {
    list.sort_by(f64::total_cmp);
    let (lower, upper) = (list.get(list.len().checked_sub(1)? / 2)?, list.get(list.len() / 2)?);
    Some((lower + upper) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Result<f64, String> {
        let two = Rows::of(&["a", "b"], &[&["1", "8"], &["3", ""]]);
        let one = Rows::of(&["a", "t.x", "a/b-c"], &[&["5", "0.5", "7"]]);
        value(text, &BTreeMap::from([("two".to_owned(), two), ("one".to_owned(), one)]))
    }

    #[test]
    fn arithmetic_goes_by_the_usual_order() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("10 - 4 - 3", 3.0),
            ("12 / 3 / 2", 2.0),
            ("-2 * -(1 + 1)", 4.0),
            ("1e3", 1000.0),
            ("one.a / one.t.x", 10.0),
            ("one.'a/b-c' - 1", 6.0),
            ("3 > 2", 1.0),
            ("3 < 2", 0.0),
        ] {
            assert_eq!(found(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn lists_are_made_one_number_by_functions() {
        for (text, expected) in [
            ("sum(two.a)", 4.0),
            ("sum(two.a > 2)", 1.0),
            ("max(two.a / one.a)", 0.6),
            ("min(two.a, 0.5)", 0.5),
            ("count(two.a, 7)", 3.0),
            ("median(two.a)", 2.0),
            ("median(two.a, 9)", 3.0),
            ("mean(two.a)", 2.0),
            ("std(two.a, 5)", 2.0),
            ("sum(two.a * two.a)", 10.0),
            ("ceil(max(two.a) / 2)", 2.0),
            ("floor(1.5)", 1.0),
        ] {
            assert_eq!(found(text), Ok(expected), "{text}");
        }
        assert!((found("geomean(two.a)").unwrap() - 3f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_computed_is_said() {
        for (text, words) in [
            ("two.a", "one number, not 2"),
            ("two.b", "a number in column b"),
            ("two.c", "column"),
            ("three.a", "rows named one, two, not three"),
            ("nodes", "ROWS.COLUMN"),
            ("", "ROWS.COLUMN"),
            ("one.'a", "expected ' after"),
            ("1 2", "the end of the expression"),
            ("(1", "expected )"),
            ("1 / 0", "finite"),
            ("1.2.3", "expected a number"),
            ("first(1)", "a function that there is"),
            ("two.a + sum(two.a, 1) * (two.a > 1) > 3", "one number, not 2"),
            (&"(".repeat(99), "brackets"),
            (&"-".repeat(99), "brackets"),
        ] {
            let complaint = found(text).unwrap_err();
            assert!(complaint.contains(words), "{text}: {complaint}");
        }
    }
}
