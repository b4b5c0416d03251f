//! The fixed settings: every combination of what the default search chooses for itself.

use crate::cli::BadInput;
use crate::question::tuning::OptionFlags;
use crate::question::words;
use clap::Parser;
use starsplit::search::Options;
use std::collections::BTreeSet;

/// What a search chooses on any number of threads. An option that the search learns to choose is one line
/// more.
pub(super) const CHOICES: [&str; 6] = [
    "ordering=static|ordering=hybrid|ordering=paper",
    "table-depth=1|table-depth=2|table-depth=3",
    "probing-factor=0|probing-factor=1",
    "window-shares=off|window-shares=on",
    // Everywhere above the leaves, from where it pays in Dice, nowhere.
    "successor-probing-depth=2|successor-probing-depth=4|successor-probing-depth=254",
    "remember-evaluations=off|remember-evaluations=on",
];

/// What it chooses on several threads besides.
pub(super) const PARALLEL: [&str; 3] = [
    "method=chance-split|method=both",
    "split-depth=2|split-depth=4|split-depth=7",
    // A search of one dear evaluation, of some, of some hundred nodes.
    "split-size=1|split-size=40|split-size=400",
];

/// One choice: the options of each of its alternatives, as flags without their dashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice(pub(super) Vec<String>);

impl Choice {
    /// Reads alternatives parted by `|`, each of one or more `KEY=VALUE` joined by `+`.
    ///
    /// # Errors
    /// When a key is unknown or has no such value, or an alternative is there twice.
    pub fn read(text: &str) -> Result<Self, BadInput> {
        let refuse = |complaint: &str| BadInput::new("choice", text, complaint);
        let mut alternatives: Vec<String> = Vec::new();
        for words in text.split('|').map(|words| words.trim().replace('+', ",")) {
            if words.is_empty() || alternatives.contains(&words) {
                return Err(refuse("expected KEY=VALUE|KEY=VALUE|..., each alternative once"));
            }
            fixed(&words)?;
            alternatives.push(words);
        }
        Ok(Choice(alternatives))
    }
}

/// A setting's options, by their flags.
#[derive(Clone, Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct FixedFlags {
    #[command(flatten)]
    options: OptionFlags<true>,
}

/// What all settings share.
const SHARED: [&str; 3] = ["algorithm", "reuse", "threads"];

/// The options of the setting of these words, which are its name.
///
/// # Errors
/// When they are no options, an option is there twice, or one that all settings share.
pub(super) fn fixed(words: &str) -> Result<Options, BadInput> {
    let flags: FixedFlags = words::read("choice", words, words)?;
    match keys(words).find(|key| SHARED.contains(key)) {
        None => Ok(flags.options.applied_to(Options::default())),
        Some(key) => {
            Err(BadInput::new("choice", words, format!("expected no {key}, which all settings share")))
        }
    }
}

/// The options that the words set.
fn keys(words: &str) -> impl Iterator<Item = &str> {
    words.split(',').filter_map(|word| word.split('=').next()).map(str::trim)
}

/// Whether alternatives of the choices can be combined.
///
/// # Errors
/// When two choices are of the same option.
pub(super) fn check<'a>(choices: impl Iterator<Item = &'a Choice>) -> Result<(), BadInput> {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for Choice(alternatives) in choices {
        let own: BTreeSet<&str> = alternatives.iter().flat_map(|words| keys(words)).collect();
        if let Some(key) = known.intersection(&own).next() {
            return Err(BadInput::new(
                "choice",
                alternatives.join("|"),
                format!("expected {key} in one choice"),
            ));
        }
        known.extend(own);
    }
    Ok(())
}

/// Every combination of an alternative of each of the `choices`, each behind every one of `beginnings`.
pub(super) fn combinations(beginnings: &[String], choices: &[Choice]) -> Vec<String> {
    choices.iter().fold(beginnings.to_vec(), |all, Choice(alternatives)| {
        let longer = |beginning: &String| {
            let comma = if beginning.is_empty() { "" } else { "," };
            alternatives.iter().map(|words| format!("{beginning}{comma}{words}")).collect::<Vec<_>>()
        };
        all.iter().flat_map(longer).collect()
    })
}

/// A short name of the setting of these words: what it has chosen, without what that is.
pub(crate) fn short_name(words: &str) -> String {
    let values = words.split(',').map(|word| word.split_once('=').map_or(word, |(_, value)| value));
    values.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit_options::{DECLARED, OptionValue};

    fn read(texts: &[&str]) -> Vec<Choice> {
        texts.iter().map(|text| Choice::read(text).unwrap()).collect()
    }

    #[test]
    fn the_usual_choices_are_more_than_sixty_different_searches() {
        let words = combinations(&[String::new()], &read(&CHOICES));
        let all = combinations(&words, &read(&PARALLEL));
        let options = |list: &[String]| -> BTreeSet<String> {
            list.iter().map(|words| format!("{:?}", fixed(words).unwrap())).collect()
        };
        assert_eq!((words.len(), options(&words).len()), (216, 216));
        assert_eq!(options(&all[..540]).len(), 540);
    }

    #[test]
    fn the_usual_choices_fix_whatever_the_default_leaves_to_the_search() {
        let words = combinations(&combinations(&[String::new()], &read(&CHOICES)), &read(&PARALLEL));
        let options = fixed(&words[0]).unwrap();
        // How many lanes there are follows from an evaluator's cost and from nothing that a search learns.
        let is_tuned = |flag: &str| !["lanes", "batch"].contains(&flag);
        for declared in DECLARED.iter().filter(|declared| is_tuned(declared.flag)) {
            assert_ne!(declared.get(&options), OptionValue::Auto, "{} is left to the search", declared.flag);
        }
    }

    #[test]
    fn combinations_keep_their_beginnings() {
        let choices = read(&["table-depth=1|table-depth=2", "probing-factor=1+leaf-collapse=off"]);
        let found = combinations(&[String::new()], &choices);
        let ends = ["table-depth=1", "table-depth=2"]
            .map(|depth| format!("{depth},probing-factor=1,leaf-collapse=off"));
        assert_eq!(found, ends);
        assert_eq!(short_name(&found[1]), "2 1 off");
        let one = combinations(&["ordering=paper".to_owned()], &choices[..1]);
        assert_eq!(one, ["ordering=paper,table-depth=1", "ordering=paper,table-depth=2"]);
    }

    #[test]
    fn two_choices_of_one_option_are_refused() {
        assert!(check(read(&CHOICES).iter().chain(&read(&PARALLEL))).is_ok());
        let twice = read(&["table-depth=1|table-depth=2", "probing-factor=0|probing-factor=1+table-depth=3"]);
        let complaint = check(twice.iter()).unwrap_err().to_string();
        assert!(complaint.ends_with("expected table-depth in one choice"), "{complaint}");
    }

    #[test]
    fn what_is_no_choice_is_named() {
        for (text, words) in [
            ("", "expected KEY=VALUE|"),
            ("table-depth=1|", "expected KEY=VALUE|"),
            ("table-depth=1|table-depth=1", "each alternative once"),
            ("speed=9", "--speed"),
            ("table-depth=0", "table-depth 0: expected"),
            ("threads=2|threads=3", "expected no threads"),
            ("reuse=at-least", "expected no reuse"),
            ("table-depth=1+table-depth=2", "table-depth"),
            ("table-mb=1", "--table-mb"),
        ] {
            let complaint = Choice::read(text).unwrap_err().to_string();
            assert!(complaint.contains(words), "{words}: {complaint}");
        }
    }
}
