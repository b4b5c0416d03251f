//! The training binary: same seed, same bytes; killed and resumed, same bytes; bad input, one line.

use starsplit::search::StopFlag;
use starsplit_experiments::training::{Options, Trainer, checkpoint};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn train(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_train")).args(args).output().unwrap()
}

fn small(more: &[&str]) -> Output {
    let mut args = vec!["--rules", "size=4,run=3", "--games", "300", "--matches", "50", "--held-out", "5"];
    args.extend(more);
    train(&args)
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let folder = folder("same-seed");
    let weights = |name: &str, seed: &str| {
        let path = folder.join(name);
        assert!(small(&["--seed", seed, "--out", path.to_str().unwrap()]).status.success());
        fs::read(path).unwrap()
    };
    let first = weights("first", "1");
    assert_eq!(first, weights("second", "1"));
    assert_ne!(first, weights("third", "2"));
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let folder = folder("resumed");
    let [whole, resumed, saved] =
        ["whole", "resumed", "saved"].map(|name| folder.join(name).display().to_string());
    let whole_output = small(&["--out", &whole]);
    assert!(whole_output.status.success());
    // What is left of a run that was killed after its save at 130 games.
    let options = Options {
        rules: "size=4,run=3".into(),
        games: 300,
        seed: 1,
        lambda: 0.5,
        rate: 0.001,
        explore: 0.7,
        slips: 0.6,
    };
    let mut trainer = Trainer::new(options).unwrap();
    let stop = StopFlag::new();
    let halt = |trainer: &mut Trainer| {
        if trainer.games_done() == 130 {
            stop.stop();
        }
        Ok(())
    };
    trainer.run(&stop, 10, halt).unwrap();
    checkpoint::save(&trainer, saved.as_ref()).unwrap();
    let output = small(&["--out", &resumed, "--checkpoint", &saved, "--every", "100"]);
    assert!(output.status.success());
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("going on after 130 of 300 games"), "games were played again: {notes}");
    assert_eq!(fs::read(whole).unwrap(), fs::read(resumed).unwrap());
    assert_eq!(whole_output.stdout, output.stdout, "the reports differ");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "a part of a file was left");
}

#[test]
fn json_is_one_object_and_nothing_else() {
    let output = small(&["--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["options"]["games"], 300);
    let losses = report["losses"].as_array().unwrap();
    assert!(losses.len() == 10 && losses.iter().all(|loss| loss.as_f64().unwrap() > 0.0), "{losses:?}");
    for number in [
        &report["against_random"]["low"],
        &report["agreement"]["quantised"]["rmse"],
        &report["deep"]["network"]["rmse"],
    ] {
        assert!((0.0..=2.0).contains(&number.as_f64().unwrap()));
    }
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    let folder = folder("bad");
    let damaged = folder.join("damaged").display().to_string();
    fs::write(&damaged, "{\"version\":1").unwrap();
    let other = folder.join("other").display().to_string();
    assert!(small(&["--checkpoint", &other, "--seed", "7"]).status.success());
    let cases: [(&[&str], &str); 11] = [
        (&["--rules", "size=99"], "--rules"),
        (&["--games", "0"], "--games 0"),
        (&["--games", "many"], "many"),
        (&["--lambda", "1.5"], "--lambda 1.5"),
        (&["--rate", "NaN"], "--rate NaN"),
        (&["--explore=-1"], "--explore -1"),
        (&["--slips", "2"], "--slips 2"),
        (&["--every", "0"], "--every 0"),
        (&["--unheard-of"], "--unheard-of"),
        (&["--checkpoint", &damaged], "damaged"),
        (&["--rules", "size=4,run=3", "--games", "300", "--checkpoint", &other], "other"),
    ];
    for (args, named) in cases {
        let output = train(args);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.starts_with("error: ") && message.lines().count() == 1, "{args:?}: {message}");
        assert!(message.contains(named), "{args:?}: {message}");
        assert!(output.stdout.is_empty());
    }
}
