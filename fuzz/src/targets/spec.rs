//! The specs of experiments, with the flags of all binaries that they call.

use crate::Target;
use crate::bytes::text;
use crate::refusals::check;
use crate::target::{seeds, words};
use starsplit_experiments::spec::{Spec, named};
use starsplit_options::DECLARED;

pub(super) const TARGET: Target = Target {
    name: "spec",
    about: "an experiment's spec in TOML",
    run,
    seeds: || {
        let specs = named().into_iter().map(|(name, _)| Spec::load(name).expect("a spec that has a name"));
        let seeds = specs.flat_map(|spec| seeds([(spec.name.as_str(), shortened(&spec.text))]));
        seeds.filter(|(_, bytes)| bytes.len() <= TARGET.longest).collect()
    },
    words: || {
        let flags = DECLARED.iter().flat_map(|declared| [declared.flag, declared.name]);
        let own = [
            "[[runs]]\n",
            "name = ",
            "experiment = ",
            "variants = ",
            "[sets]\n",
            "suite = ",
            "depth = ",
            "threads = [1, 2]\n",
            "costs = \"unit\"\n",
            "cost = [\"steal=100\"]\n",
            "seeds = [1]\n",
            "processors = [1, 64]\n",
            "one = \"depth=3\"\n",
            "two = \"random\"\n",
            "vary = [\"lanes=1,2\"]\n",
            "settings = [\"moves=4\"]\n",
            "paper = true",
            "{ ",
            " }",
            "[",
            "]",
            "\"",
            "\"\"\"",
            "'",
            " = ",
            "true",
            "-0.0",
            "inf",
            "nan",
            "1979-05-27",
            "\\u0000",
            "\\u001b",
            "\n",
            "compare",
            "scaling",
            "simulate",
            "paper_tables",
            "study",
            "tuning",
            "match",
        ];
        words(flags.chain(own))
    },
    mutations: 5_000,
    longest: 2_000,
};

fn run(bytes: &[u8]) {
    let text = text(bytes);
    match Spec::parse("fuzz", &text) {
        Err(error) => drop(check(&error)),
        Ok(spec) => {
            let names = spec.runs.iter().map(|run| run.name.as_str());
            assert!(names.clone().count() > 0, "a spec without runs");
            assert!(
                names
                    .clone()
                    .enumerate()
                    .all(|(place, name)| names.clone().position(|n| n == name) == Some(place))
            );
            assert_eq!(spec.text, text);
        }
    }
}

/// The text without comments, its head, and runs as long as there is room.
fn shortened(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let whole: String = lines.flat_map(|line| [line, "\n"]).collect();
    let parts: Vec<&str> = whole.split("[[runs]]").collect();
    let mut short = parts[0].to_owned();
    for part in &parts[1..] {
        if short.len() + part.len() > TARGET.longest && short.contains("[[runs]]") {
            break;
        }
        short = short + "[[runs]]" + part;
    }
    short
}
