//! `meta.json`, which stands beside the lines of a record.

use crate::Target;
use crate::bytes::text;
use crate::target::{recorded, words};
use starsplit_experiments::records::archive;
use starsplit_experiments::records::meta::{Meta, RunSettings};

pub(super) const TARGET: Target = Target {
    name: "meta",
    about: "the text of meta.json",
    run,
    seeds,
    words: || {
        words([
            "\"schema\": ",
            "\"settings\": ",
            "\"machine\": ",
            "\"program\": ",
            "\"spec\": ",
            "\"resumed\": ",
            "\"game\": ",
            "\"tuning\": ",
            "\"suite\": ",
            "null",
            "{}",
            "[]",
            "[{}]",
            "true",
            "1e308",
            "-0.0",
            "0.1",
            "18446744073709551615",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\u{e9}",
            ", ",
            ": ",
        ])
    },
    mutations: 12_000,
    longest: 3_500,
};

fn run(bytes: &[u8]) {
    let Ok(read) = serde_json::from_str::<Meta>(&text(bytes)) else { return };
    let written = serde_json::to_string_pretty(&read).expect("what was read can be written");
    let again: Meta = serde_json::from_str(&written).unwrap_or_else(|error| panic!("{error} in {written}"));
    // Settings with a key that is there twice are read as any others, and as those of a suite's searches once
    // they were written.
    let is_of_searches = |meta: &Meta| matches!(meta.settings, RunSettings::Searches(_));
    if is_of_searches(&again) == is_of_searches(&read) {
        assert_eq!(again, read, "{written}");
    }
    let twice = serde_json::to_string(&again).expect("it can be written again");
    let third: Meta = serde_json::from_str(&twice).unwrap_or_else(|error| panic!("{error} in {twice}"));
    assert_eq!(third, again, "{written}");
    for name in ["depth", "suite", "variants", "no-such"] {
        assert_eq!(again.settings.get(name), read.settings.get(name));
    }
}

/// What some records say, without most flags of the processor, which are the longest part of it, and places.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let folders = [
        "simulate/epyc-m2-2",
        "scaling/epyc-m17-2",
        "tuning/epyc-m2-2/2048-constant-8",
        "play/epyc-m17-2/einstein-3-1",
        "clusters/epyc-m2-2",
        "calibrate/epyc-m17-2",
        "one-value/epyc-m17-2",
        "soak/epyc-m2-2",
    ];
    fn name(folder: &str) -> &str {
        folder.split('/').next().unwrap_or_default()
    }
    let short = |folder: &&str| {
        let text = recorded(folder, |place| archive::read_text(&place.join("meta.json"), 1 << 20));
        let mut meta: serde_json::Value = serde_json::from_str(&text).ok()?;
        if let Some(flags) = meta["machine"]["cpu"]["flags"].as_array_mut() {
            flags.truncate(2);
        }
        meta["program"]["command"] = serde_json::json!(["run", name(folder)]);
        let text = serde_json::to_string(&meta).ok()?;
        (text.len() <= TARGET.longest).then(|| (name(folder).to_owned(), text.into_bytes()))
    };
    folders.iter().filter_map(short).collect()
}
