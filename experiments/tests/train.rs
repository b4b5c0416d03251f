//! The training binary: same seed, same bytes; killed and resumed, same bytes; bad input, one line.

use crate::common::TRAIN;
use starsplit::search::StopFlag;
use starsplit_training::{AnyTrainer, Options, trainer};
use std::fs;
use std::path::PathBuf;
use std::process::Output;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn train(args: &[&str]) -> Output {
    TRAIN.command().args(args).output().unwrap()
}

fn small(more: &[&str]) -> Output {
    let mut args = vec!["--rules", "size=4,run=3", "--games", "300"];
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

/// What is saved of a run that is stopped when so many games are done, and looked at after every `every`.
fn left_at(games: u64, options: &Options, every: u64) -> Vec<u8> {
    let mut trainer = trainer(options.clone(), None).unwrap();
    let stop = StopFlag::new();
    let mut halt = |trainer: &dyn AnyTrainer| {
        if trainer.games_done() >= games {
            stop.stop();
        }
        Ok(())
    };
    trainer.run(&stop, every, &mut halt).unwrap();
    trainer.checkpoint().unwrap()
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let folder = folder("resumed");
    let [whole, resumed, saved] =
        ["whole", "resumed", "saved"].map(|name| folder.join(name).display().to_string());
    let whole_output = small(&["--out", &whole]);
    assert!(whole_output.status.success());
    // What is left of a run that was killed after its save at 130 games.
    let options = Options { games: 300, ..Options::default_for("dice", "size=4,run=3") };
    fs::write(&saved, left_at(130, &options, 10)).unwrap();
    let output = small(&["--out", &resumed, "--checkpoint", &saved, "--every", "100"]);
    assert!(output.status.success());
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("going on after 130 of 300 games"), "games were played again: {notes}");
    assert_eq!(fs::read(whole).unwrap(), fs::read(resumed).unwrap());
    assert_eq!(whole_output.stdout, output.stdout, "the reports differ");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "a part of a file was left");
}

#[test]
fn games_of_a_batch_are_the_same_whoever_plays_them() {
    let folder = folder("batches");
    for (game, games) in
        [("backgammon", "20"), ("hyper-backgammon", "60"), ("einstein", "200"), ("dice", "200")]
    {
        let weights = |name: &str, more: &[&str]| {
            let path = folder.join(format!("{game}-{name}"));
            let mut args = vec!["--game", game, "--games", games];
            let options = ["--batch", "8", "--target", "sampled", "--out"];
            args.extend(options.iter().chain(&[path.to_str().unwrap()]).chain(more));
            let output = train(&args);
            assert!(output.status.success(), "{output:?}");
            fs::read(path).unwrap()
        };
        let one = weights("one", &["--threads", "1"]);
        assert_eq!(one, weights("three", &["--threads", "3"]));
        assert_ne!(one, weights("other", &["--lambda", "0.1"]));
    }
}

#[test]
fn a_run_of_batches_goes_on_from_its_checkpoint_to_the_same_bytes() {
    let options = Options { games: 120, ..Options::default_for("einstein", "size=4,stones=3") };
    // The weights after a run that is left at some game and goes on.
    let weights = |halt_at| {
        let saved = left_at(halt_at, &options, 16);
        let mut trainer = trainer(options.clone(), Some(&saved)).unwrap();
        trainer.run(&StopFlag::new(), 16, &mut |_| Ok(())).unwrap();
        trainer.weights().unwrap()
    };
    let whole = weights(120);
    assert_eq!(whole, weights(48));
    assert_eq!(whole, weights(1));
}

#[test]
fn json_is_one_object_and_nothing_else() {
    let output = small(&["--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["options"]["games"], 300);
    let losses = report["losses"].as_array().unwrap();
    assert!(losses.len() == 10 && losses.iter().all(|loss| loss.as_f64().unwrap() > 0.0), "{losses:?}");
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    let folder = folder("bad");
    let damaged = folder.join("damaged").display().to_string();
    fs::write(&damaged, "{\"version\":1").unwrap();
    let other = folder.join("other").display().to_string();
    assert!(small(&["--checkpoint", &other, "--seed", "7"]).status.success());
    let cases: [(&[&str], &str); 17] = [
        (&["--rules", "size=99"], "--rules"),
        (&["--games", "0"], "--games 0"),
        (&["--games", "many"], "many"),
        (&["--lambda", "1.5"], "--lambda 1.5"),
        (&["--rate", "NaN"], "--rate NaN"),
        (&["--explore=-1"], "--explore -1"),
        (&["--slips", "2"], "--slips 2"),
        (&["--every", "0"], "--every 0"),
        (&["--game", "chess"], "game chess"),
        (&["--game", "backgammon", "--rules", "size=5"], "rule size=5"),
        (&["--game", "einstein", "--slips", "0.5"], "--slips 0.5"),
        (&["--batch", "0", "--target", "sampled"], "--target sampled"),
        (&["--opponent", "runs"], "--opponent: retired, revision 7a4c2bf0 had it last"),
        (&["--matches=5"], "--matches: retired, revision 7a4c2bf0"),
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
