//! The lines of `samples.jsonl`, of every kind.

use crate::Target;
use crate::bytes::text;
use crate::target::{recorded, words};
use starsplit_experiments::records::checksum;
use starsplit_experiments::records::line::{self, Line, RecordLine};
use starsplit_experiments::records::others::{CalibrationLine, MatchLine, StressLine, TuningLine};
use starsplit_experiments::records::samples;
use std::fmt::Debug;
use std::io::BufRead;

pub(super) const TARGET: Target = Target {
    name: "record_line",
    about: "a line of samples, without its end and without its checksum, which is added where there is none",
    run,
    seeds,
    words: || {
        words([
            "\"schema\":5",
            "\"schema\":6",
            "\"schema\":1",
            "\"simulated\":",
            "\"workers\":",
            "\"chosen\":",
            "\"samples\":[]",
            "\"orderings\":[]",
            "null",
            "true",
            "{}",
            "[]",
            "{\"a\":1}",
            "[1,2]",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "1e308",
            "1e-400",
            "-0.0",
            "0.1",
            "18446744073709551615",
            "-9223372036854775809",
            ",\"crc32\":\"00000000\"}",
            ",",
            ":",
            "\\n",
            "\u{e9}",
            "\"copy\":1",
            "\"variant\":\"a\"",
        ])
    },
    mutations: 12_000,
    longest: 9_000,
};

fn run(bytes: &[u8]) {
    let text = text(bytes);
    // As it stands, and as one that was changed and sealed anew, of which a checksum says nothing.
    check_all(&text);
    if matches!(checksum::take(&text), Ok(None)) && text.ends_with('}') {
        let whole = checksum::add(text.clone());
        assert_eq!(checksum::take(&whole), Ok(Some(text)));
        check_all(&whole);
    }
}

fn check_all(text: &str) {
    check::<Line>(text);
    check::<CalibrationLine>(text);
    check::<MatchLine>(text);
    check::<StressLine>(text);
    check::<TuningLine>(text);
}

/// What is read is written, and what is written is read as the same; no bit of it can change unseen.
fn check<L: RecordLine + Debug>(text: &str) {
    let Ok(read) = line::read::<L>(text) else { return };
    let written = line::write(&read, 1).expect("what was read can be written");
    let again: L = line::read(&written).unwrap_or_else(|error| panic!("{error} in {written}"));
    let twice = line::write(&again, 1).expect("it can be written again");
    assert_eq!(twice, written);
    let mut flipped = written.clone().into_bytes();
    let place = text.len() % flipped.len();
    flipped[place] ^= 1;
    // Older lines may do without a checksum.
    if let (5.., Ok(flipped)) = (read.schema(), String::from_utf8(flipped)) {
        assert!(line::read::<L>(&flipped).is_err(), "byte {place} changed unseen in {written}");
    }
}

/// A line of each kind of record that is kept, and one more of some.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let folders = [
        ("search", "scaling/epyc-m17-2/paper"),
        ("simulated", "simulate/epyc-m2-2/paper"),
        ("study", "ablation/epyc-m2-2/techniques"),
        ("older", "table-size/epyc-m2-2/sizes"),
        ("calibration", "calibrate/epyc-m17-2"),
        ("match", "play/epyc-m17-2/einstein-3-1"),
        ("stress", "soak/epyc-m2-2"),
        ("match-2048", "play/epyc-m17-2/2048-3-1"),
    ];
    let first = |(name, folder): &(&str, &str)| {
        let text = recorded(folder, samples::open).lines().next()?.ok()?;
        let own = checksum::take(&text).ok()?.unwrap_or(text);
        Some(((*name).to_owned(), own.into_bytes()))
    };
    folders.iter().filter_map(first).filter(|(_, bytes)| bytes.len() <= TARGET.longest).collect()
}
