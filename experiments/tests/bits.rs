//! One bit of a file is flipped: records and saved tables say so, or what is read of them is the very same.

use crate::common::{EXPORT, SCALING, SEARCH, Scratch, json_in, run_in};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use starsplit_experiments::records::sealing::seal;
use std::fs;
use std::path::Path;

/// How many bits are flipped in each kind of file.
const FLIPS: u64 = 50;

/// What flips came to.
#[derive(Debug, Default, PartialEq)]
struct Flips {
    told: u64,
    same: u64,
}

/// Flips bits of the file one after another; `read` answers with what it read, none where it complained.
fn flip(file: &Path, seed: u64, read: impl Fn() -> Option<String>) -> Flips {
    let whole = fs::read(file).expect("a file");
    let expected = read().expect("the file as it was written");
    let mut random = Pcg64::seed_from_u64(seed);
    let mut flips = Flips::default();
    for _ in 0..FLIPS {
        let bit = random.next_u64() as usize % (8 * whole.len());
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(file, &flipped).expect("a file");
        match read() {
            None => flips.told += 1,
            Some(found) if found == expected => flips.same += 1,
            Some(found) => panic!("bit {bit} of {} is silent: {found}", file.display()),
        }
    }
    fs::write(file, &whole).expect("a file");
    flips
}

#[test]
fn no_flipped_bit_in_records_changes_what_is_read_of_them() {
    let scratch = Scratch::new();
    let args = ["--depth", "2", "--threads", "2", "--repeat", "1", "--table-mb", "1"];
    json_in(scratch.path(), SCALING, &[&args[..], &["--json", "--out", "out"]].concat());
    let out = scratch.path().join("out");
    let export = || {
        let output = run_in(scratch.path(), EXPORT, &["out"]);
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        let is_told =
            output.status.code() == Some(2) && said.lines().count() == 1 && said.contains("expected");
        assert!(is_told || output.status.success(), "{said}");
        output.status.success().then(|| String::from_utf8(output.stdout).expect("UTF-8"))
    };
    let plain = flip(&out.join("samples.jsonl"), 1, export);
    assert_eq!(plain, Flips { told: FLIPS, same: 0 }, "every line has a checksum");
    let meta = flip(&out.join("meta.json"), 2, export);
    // A space that became another character of the same meaning is none.
    assert!(meta.told > FLIPS / 2, "{meta:?}");
    seal(&out).expect("sealed");
    let sealed = flip(&out.join("records.tar.xz"), 3, export);
    assert_eq!(sealed, Flips { told: FLIPS, same: 0 }, "an archive has one for all");
}

#[test]
fn no_flipped_bit_in_a_saved_table_changes_a_value() {
    let scratch = Scratch::new();
    let usual = ["--game", "einstein", "--depth", "5", "--table-mb", "1", "--json"];
    let search = |more: &[&str]| run_in(scratch.path(), SEARCH, &[&usual[..], more].concat());
    assert!(search(&["--save-table", "table"]).status.success());
    let expected = json_in(scratch.path(), SEARCH, &usual)["score"].clone();
    let load = || {
        let output = search(&["--load-table", "table"]);
        if !output.status.success() {
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            return None;
        }
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(found["score"], expected);
        let loaded = &found["table_file"]["loaded"];
        (loaded["damaged"] == 0 && loaded["checked"] == true).then(|| loaded.to_string())
    };
    let table = flip(&scratch.path().join("table"), 4, load);
    assert!(table.told > FLIPS / 2, "{table:?}");
}
