//! `meta.json`, which stands beside the lines of a record.

use crate::Target;
use crate::bytes::text;
use crate::target::words;
use starsplit_experiments::records::meta::Meta;
use std::fs;
use std::path::Path;

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
    mutations: 5_000,
    longest: 3_500,
};

fn run(bytes: &[u8]) {
    let Ok(read) = serde_json::from_str::<Meta>(&text(bytes)) else { return };
    let written = serde_json::to_string_pretty(&read).expect("what was read can be written");
    let again: Meta = serde_json::from_str(&written).unwrap_or_else(|error| panic!("{error} in {written}"));
    assert_eq!(again, read, "{written}");
    assert_eq!(serde_json::to_string_pretty(&again).expect("it can be written again"), written);
    for name in ["depth", "suite", "tuning", "variants", "no-such"] {
        assert_eq!(again.settings.get(name), read.settings.get(name));
    }
}

/// What some records say, without the flags of the processor, which are the longest part of it.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let folders = [
        "simulate/xeon-m207-2",
        "scaling/epyc-m17-2",
        "tuning/epyc-m49-2/2048-constant-8",
        "play/epyc-m17-2/einstein-3-1",
        "clusters/epyc-m2-2",
        "calibrate/epyc-m17-2",
        "one-value/epyc-m17-2",
        "stress/xeon-m207-2",
    ];
    let current = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/current");
    let short = |folder: &&str| {
        let text = fs::read_to_string(current.join(folder).join("meta.json")).ok()?;
        let mut meta: serde_json::Value = serde_json::from_str(&text).ok()?;
        if let Some(flags) = meta["machine"]["cpu"]["flags"].as_array_mut() {
            flags.truncate(2);
        }
        let text = serde_json::to_string(&meta).ok()?;
        let name = folder.split('/').next().unwrap_or_default().to_owned();
        (text.len() <= TARGET.longest).then(|| (name, text.into_bytes()))
    };
    folders.iter().filter_map(short).collect()
}
