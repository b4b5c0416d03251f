//! The manifest of the records that are kept.

use crate::Target;
use crate::bytes::text;
use crate::refusals::check;
use crate::target::{seeds, words};
use starsplit_experiments::report::check_manifest;

pub(super) const TARGET: Target = Target {
    name: "manifest",
    about: "the text of a manifest.toml",
    run: |bytes| {
        if let Err(error) = check_manifest(&text(bytes)) {
            check(&error);
        }
    },
    seeds: || seeds([("kept", beginning(include_str!("../../../results/manifest.toml")))]),
    words: || {
        words([
            "[[question]]\n",
            "[[question.current]]\n",
            "[[superseded]]\n",
            "name = ",
            "spec = ",
            "asks = ",
            "answer = ",
            "folder = ",
            "shows = ",
            "command = ",
            "by = ",
            "was = ",
            "because = ",
            "is_aside = true\n",
            "about = ",
            "\"current/a/b\"",
            "\"archive/a\"",
            "|",
            "\\n",
            "\"",
            "\"\"\"",
            "'",
            "..",
            "/",
            "\\u001b",
            "\n",
        ])
    },
    mutations: 10_000,
    longest: 1_500,
};

/// A short head, the last question with its records, and the first record that was superseded.
fn beginning(text: &str) -> String {
    let (asked, superseded) = text.split_at(text.find("[[superseded]]").expect("something is superseded"));
    let question = &asked[asked.rfind("[[question]]").expect("something is asked")..];
    let end = superseded[1..].find("[[superseded]]").map_or(superseded.len(), |place| place + 1);
    let by = question.lines().find(|line| line.starts_with("folder = ")).expect("a record");
    let old = superseded[..end].lines().map(|line| {
        if line.starts_with("by = ") {
            line.replace(line, &by.replace("folder", "by"))
        } else {
            line.to_owned()
        }
    });
    format!("about = \"How to read.\"\n\n{question}{}\n", old.collect::<Vec<_>>().join("\n"))
}
