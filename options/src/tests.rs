//! Tests of every option.

use crate::{DECLARED, DeclaredOption, OptionKind, OptionValue, Refusal};
use starsplit::search::Options;

/// Some values of the option: the default and those for trials.
fn examples(declared: &DeclaredOption) -> Vec<Options> {
    let trial = |n| {
        let mut options = Options::default();
        declared.try_nth(&mut options, n);
        options
    };
    std::iter::once(Options::default()).chain((0..declared.trials()).map(trial)).collect()
}

#[test]
fn what_is_read_and_set_is_what_was_there() {
    for declared in DECLARED {
        let default = declared.get(&Options::default());
        assert_eq!(declared.read(&default.to_string()), Ok(default), "{}: its default", declared.name);
        for example in examples(declared) {
            let value = declared.get(&example);
            // Fields take more values than flags.
            let Ok(read) = declared.read(&value.to_string()) else { continue };
            assert_eq!(read, value, "{}", declared.name);
            let mut options = Options::default();
            declared.set(&mut options, value).unwrap();
            assert_eq!(options, example, "{}: this option, and no other", declared.name);
        }
    }
}

/// Texts and values that the option does not take.
fn refused(declared: &DeclaredOption) -> (Vec<String>, Vec<OptionValue>) {
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    match declared.kind {
        OptionKind::Number { least, greatest }
        | OptionKind::Threshold { least, greatest }
        | OptionKind::TunedNumber { least, greatest } => {
            let beyond: Vec<_> =
                [least.checked_sub(1), greatest.checked_add(1)].into_iter().flatten().collect();
            let mut words = texts(&["-1", "1.5", "", "x", "AUTO", "18446744073709551616"]);
            words.extend(beyond.iter().map(u64::to_string));
            let values = beyond.into_iter().map(OptionValue::Number);
            (words, values.chain([OptionValue::Switch(true)]).collect())
        }
        OptionKind::Count => {
            let values = [OptionValue::Number(1 << 32), OptionValue::Switch(true), OptionValue::Auto];
            (texts(&["ON", "-1", "all", "", "4294967296"]), values.into())
        }
        OptionKind::Switch | OptionKind::TunedSwitch => {
            (texts(&["ON", "1", "", "Auto"]), vec![OptionValue::Number(1), OptionValue::Name("on")])
        }
        OptionKind::Choice { .. } => {
            (texts(&["best", ""]), vec![OptionValue::Name("best"), OptionValue::Number(0), OptionValue::Auto])
        }
    }
}

#[test]
fn what_an_option_does_not_take_is_refused_by_name() {
    for declared in DECLARED {
        let (texts, values) = refused(declared);
        let expected = format!(": expected {}", declared.kind);
        let is_named = |error: Refusal| {
            let complaint = error.to_string();
            let begins = complaint.replace(' ', "-").starts_with(&format!("{}-", declared.flag));
            assert!(begins && complaint.ends_with(&expected), "{}: {complaint}", declared.name);
        };
        for text in texts {
            is_named(declared.read(&text).expect_err(&text));
        }
        for value in values {
            let mut options = Options::default();
            is_named(declared.set(&mut options, value).expect_err(declared.name));
            assert_eq!(options, Options::default(), "{}: untouched", declared.name);
        }
    }
}

#[test]
fn whatever_text_is_refused_the_complaint_is_one_short_line() {
    for declared in DECLARED {
        for text in ["\u{1b}[31m\n".to_owned(), "\u{1d11e}".repeat(1000), "\0".repeat(1000)] {
            let complaint = declared.read(&text).expect_err(declared.name).to_string();
            let is_line = !complaint.contains(char::is_control) && complaint.len() < 1000;
            assert!(is_line && complaint.contains(": expected "), "{complaint:?}");
        }
    }
}

#[test]
fn names_are_plain_and_nobody_elses() {
    for (place, declared) in DECLARED.iter().enumerate() {
        assert!(declared.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{}", declared.name);
        assert_eq!(declared.flag, declared.name.replace('_', "-"));
        assert!(!declared.help.is_empty() && !declared.help.ends_with('.'), "{}", declared.help);
        assert!(DECLARED[..place].iter().all(|other| other.name != declared.name));
    }
}

#[test]
fn trials_are_counted_round_and_round() {
    for declared in DECLARED {
        let at = |n| {
            let mut options = Options::default();
            declared.try_nth(&mut options, n);
            options
        };
        assert_eq!(at(0), at(declared.trials()), "{}", declared.name);
    }
}

/// All fields of the options, also those of groups, with their values.
fn fields(options: &Options) -> Vec<String> {
    format!("{options:?}").split(", ").map(str::to_owned).collect()
}

#[test]
fn every_field_is_declared_once() {
    let default = Options::default();
    let mut declared_fields: Vec<_> = DECLARED
        .iter()
        .map(|declared| {
            let values = match declared.kind {
                OptionKind::Number { least, .. }
                | OptionKind::Threshold { least, .. }
                | OptionKind::TunedNumber { least, .. } => {
                    vec![OptionValue::Number(least), OptionValue::Number(least + 1)]
                }
                OptionKind::Count => [0, 3].map(OptionValue::Number).into(),
                OptionKind::Switch | OptionKind::TunedSwitch => [true, false].map(OptionValue::Switch).into(),
                OptionKind::Choice(names) => names.iter().map(|name| OptionValue::Name(name)).collect(),
            };
            let other = values.into_iter().find(|value| *value != declared.get(&default)).unwrap();
            let mut options = default.clone();
            declared.set(&mut options, other).unwrap();
            let pairs = fields(&options).into_iter().zip(fields(&default)).enumerate();
            let changed: Vec<_> = pairs.filter(|(_, (now, then))| now != then).map(|(n, _)| n).collect();
            assert_eq!(changed.len(), 1, "{}: one field", declared.name);
            changed[0]
        })
        .collect();
    declared_fields.sort_unstable();
    assert_eq!(declared_fields, (0..fields(&default).len()).collect::<Vec<_>>());
}
