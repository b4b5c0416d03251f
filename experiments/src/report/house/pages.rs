//! The texts that are made from the manifest.

use crate::report::house::manifest::{Manifest, Question, Superseded};
use crate::report::output::MARK;
use std::fmt::Write;

/// The line before the table of answers.
pub(super) const BEGIN: &str = "<!-- answers: made by `report` from results/manifest.toml -->";

/// The line after it.
pub(super) const END: &str = "<!-- /answers -->";

/// The text with the table of answers between its two lines made anew; none where it has not both.
pub(super) fn with_answers(text: &str, manifest: &Manifest) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{}{END}{after}", answers(manifest)))
}

/// The answers to the questions that `run` asks, but for those that are set aside.
fn answers(manifest: &Manifest) -> String {
    let asked = manifest.questions.iter().filter(|asked| !asked.is_aside);
    let asked = asked.filter_map(|asked| Some((asked.spec.as_ref()?, asked)));
    let row = |(spec, asked): (&String, &Question)| {
        format!("| `{spec}`{} | {} | {} |\n", retired(asked), asked.asks, asked.answer)
    };
    format!("| `run` | question | answer here |\n|---|---|---|\n{}", asked.map(row).collect::<String>())
}

/// Which revision had the code of a retired question last; nothing where it can be asked today.
fn retired(asked: &Question) -> String {
    let last = asked.retired.as_ref();
    last.map_or_else(String::new, |revision| format!(" (retired; `{revision}` had it last)"))
}

/// The page over all records.
pub(super) fn over_all(manifest: &Manifest) -> String {
    let mut text = format!("# Results\n\n{}\n", manifest.about.trim());
    text += "\n## Answers\n\n| question | asked | answer |\n|---|---|---|\n";
    for asked in &manifest.questions {
        let Question { name, asks, answer, .. } = asked;
        // Writing to a String does not fail.
        let _ = writeln!(text, "| `{name}`{} | {asks} | {} |", retired(asked), from_house(answer));
    }
    text += "\n## Current records\n\n| folder | what it shows | command |\n|---|---|---|\n";
    for (_, record) in manifest.current() {
        let shows = from_house(&record.shows);
        let _ = writeln!(text, "| {} | {shows} | `{}` |", link(&record.folder), record.command);
    }
    if !manifest.superseded.is_empty() {
        text += "\n## Superseded\n\n| folder | what it was | superseded by | command |\n|---|---|---|---|\n";
    }
    for record in &manifest.superseded {
        let Superseded { folder, by, because, was, command } = record;
        let because = because.as_ref().map_or_else(String::new, |because| format!(": {because}"));
        let (link, was) = (link(folder), from_house(was));
        let _ = writeln!(text, "| {link} | {was} | `{by}`{because} | `{command}` |");
    }
    let _ = write!(text, "\n{MARK}` from `manifest.toml`.\n");
    text
}

fn link(folder: &str) -> String {
    format!("[`{folder}`]({folder}/)")
}

/// The text with its links as seen from the house, not from the folder above it.
fn from_house(text: &str) -> String {
    let mut parts = text.split("](");
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        made += "](";
        match part.strip_prefix("results/") {
            Some(inside) => made += inside,
            None if part.starts_with('#') || part.contains("://") => made += part,
            None => {
                made += "../";
                made += part;
            }
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::house::manifest::tests::manifest;

    #[test]
    fn the_table_of_answers_replaces_what_was_between_its_lines() {
        let text = format!("# One\n\n{BEGIN}\nold\n{END}\n\nmore\n");
        let made = with_answers(&text, &manifest()).expect("a text");
        let row = "| `scaling` | How fast? | fast ([report](results/current/scaling/some-2/README.md), \
            [notes](notes.md#one)) |";
        let table = format!("| `run` | question | answer here |\n|---|---|---|\n{row}\n");
        assert_eq!(made, format!("# One\n\n{BEGIN}\n{table}{END}\n\nmore\n"));
        assert_eq!(with_answers(&made, &manifest()), Some(made.clone()));
        for bad in ["", BEGIN, END, &format!("{END}\n{BEGIN}")] {
            assert_eq!(with_answers(bad, &manifest()), None, "{bad}");
        }
    }

    #[test]
    fn an_answer_that_is_set_aside_stands_on_the_page_alone() {
        let mut manifest = manifest();
        manifest.questions[0].is_aside = true;
        let answers = with_answers(&format!("{BEGIN}{END}"), &manifest).expect("a text");
        assert!(!answers.contains("How fast?") && over_all(&manifest).contains("How fast?"));
    }

    #[test]
    fn a_retired_question_is_named_with_the_revision_that_had_it_last() {
        let mut manifest = manifest();
        manifest.questions[0].retired = Some("0123".to_owned());
        let answers = with_answers(&format!("{BEGIN}{END}"), &manifest).expect("a text");
        let named = "| `scaling` (retired; `0123` had it last) | How fast? |";
        assert!(answers.contains(named) && over_all(&manifest).contains(named), "{answers}");
    }

    #[test]
    fn the_page_has_every_record_and_links_that_lead_on() {
        let text = over_all(&manifest());
        for line in [
            "How to read.",
            "| `scaling` | How fast? | fast ([report](current/scaling/some-2/README.md), \
                [notes](../notes.md#one)) |",
            "| [`current/scaling/some-2`](current/scaling/some-2/) | two threads | `run scaling` |",
            "| [`archive/2026-01-01-scaling`](archive/2026-01-01-scaling/) | one thread | \
                `current/scaling/some-2` | `scaling` |",
            "Made by `report` from `manifest.toml`.",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
        assert_eq!(from_house("[a](#b) [c](https://d.e)"), "[a](#b) [c](https://d.e)");
    }
}
