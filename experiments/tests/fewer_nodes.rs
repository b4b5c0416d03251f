//! What the techniques beyond the paper save, and the binary `limit`.

use crate::common::{LIMIT, STUDY, Scratch, json_in, run_in};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn techniques_save_nodes_alone_and_among_the_others() {
    let scratch = Scratch::new();
    let variants = ["paper:paper", "with:paper,KEY=on", "default", "without:KEY=off"];
    for key in ["leaf-collapse", "static-bounds"] {
        let variants = variants.map(|variant| format!("--variant={}", variant.replace("KEY", key)));
        let mut args = vec!["--json", "--depth", "5", "--table-mb", "1"];
        args.extend(variants.iter().map(String::as_str));
        let found = json_in(scratch.path(), STUDY, &args);
        assert_eq!((&found["positions"], &found["values_equal"]), (&50.into(), &true.into()));
        let nodes = |place: usize| number(&found["variants"][place]["nodes"]["total"]);
        assert!(nodes(1) < nodes(0) && nodes(2) < nodes(3), "{key}: {found}");
        assert_eq!(number(&found["variants"][1]["nodes"]["ratio"]), nodes(1) / nodes(0));
    }
}

#[test]
fn searches_that_know_every_best_move_find_the_same_in_fewer_nodes() {
    let scratch = Scratch::new();
    let args = ["--json", "--depth", "7", "--table-mb", "4"];
    let found = json_in(scratch.path(), LIMIT, &args);
    assert_eq!(found["values_equal"], true);
    let positions = found["positions"].as_array().expect("an array");
    assert_eq!(positions.len(), 50);
    for what in ["nodes", "known_nodes", "evaluations", "known_evaluations"] {
        let sum: f64 = positions.iter().map(|line| number(&line[what])).sum();
        assert_eq!(number(&found["all"][what]), sum, "{what}");
    }
    let all = &found["all"];
    assert!(0.0 < number(&all["known_nodes"]) && number(&found["node_ratio"]) > 1.0, "{all}");
    assert!(number(&all["known_evaluations"]) < number(&all["evaluations"]), "{all}");
    assert!(number(&all["evaluating_seconds"]) > 0.0, "{all}");
}

#[test]
fn people_get_a_table() {
    let scratch = Scratch::new();
    let output = run_in(scratch.path(), LIMIT, &["--depth", "3", "--table-mb", "1"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success() && text.contains("with every best move known beforehand"), "{text}");
    assert!(text.contains("All values are equal."), "{text}");
}
