//! Files of what events cost, and changes to them: `--costs` and `--cost` of simulations.

use crate::Target;
use crate::bytes::{Bytes, text};
use crate::refusals::check;
use crate::target::{recorded, words};
use starsplit_experiments::simulate::Model;
use starsplit_experiments::spec::Spec;
use std::fs;
use tempfile::NamedTempFile;

pub(super) const TARGET: Target = Target {
    name: "costs",
    about: "a line with a change such as steal=100, and after it a file of costs",
    run,
    seeds,
    words: || {
        words([
            "node",
            "evaluation",
            "table",
            "poll",
            "split",
            "steal",
            "failed_steal",
            "failed-steal",
            "wake",
            "wake_latency",
            "wake-latency",
            "\"busy\":",
            "=",
            "=0",
            "=4294967295",
            "4294967296",
            "null",
            "{",
            "}",
            ",",
            ":",
            "\n",
            "1.5",
            "-1",
            "\"\\u0000\"",
        ])
    },
    mutations: 5_000,
    longest: 700,
};

fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let change = text(bytes.until(b'\n'));
    // Written as TOML takes it, which is as JSON does.
    let quoted = serde_json::to_string(&change).expect("a text");
    let run = "[[runs]]\nname = \"a\"\nexperiment = \"simulate\"";
    let spec = format!("question = \"Q?\"\nreading = \"R.\"\n{run}\ncost = [{quoted}]\n");
    if let Err(error) = Spec::parse("fuzz", &spec) {
        check(&error);
    }
    let file = NamedTempFile::new().expect("a temporary file");
    fs::write(&file, bytes.take(usize::MAX)).expect("a temporary file");
    match Model::one(&file.path().to_string_lossy(), "dice") {
        Err(error) => drop(check(&error)),
        Ok(model) => {
            for processors in [1, 2, 1024] {
                assert!(model.on(processors).node > 0, "a node that costs nothing: {model:?}");
            }
            fs::write(&file, serde_json::to_string(&model.costs).expect("costs")).expect("a temporary file");
            let again = Model::one(&file.path().to_string_lossy(), "dice").expect("its own costs");
            assert_eq!((again.costs, again.busy), (model.costs, None));
        }
    }
}

fn seeds() -> Vec<(String, Vec<u8>)> {
    let machines = ["epyc-m17-2", "epyc-m2-2"];
    let kept = machines.iter().map(|machine| {
        let folder = format!("calibrate/{machine}");
        let text = recorded(&folder, |place| fs::read_to_string(place.join("costs.json")));
        ((*machine).to_owned(), format!("steal=100\n{text}").into_bytes())
    });
    kept.collect()
}
