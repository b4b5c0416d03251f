//! The binary `paper-tables`: the JSON object, the text, the records.

use crate::common::{PAPER_TABLES, Scratch, json_in, run_in, samples};
use serde_json::Value;

#[test]
fn the_object_has_the_tables_and_the_figures_by_depth() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    let args = ["--json", "--depth", "5", "--table-mb", "1", "--ordering", "paper,hybrid", "--out"];
    let found = json_in(scratch.path(), PAPER_TABLES, &[&args[..], &[out.to_str().expect("text")]].concat());
    assert_eq!(
        (&found["depth"], &found["positions"], &found["values_equal"]),
        (&5.into(), &50.into(), &true.into())
    );
    for (ordering, name) in found["orderings"].as_array().expect("an array").iter().zip(["paper", "hybrid"]) {
        assert_eq!((&ordering["ordering"], &ordering["positions"]), (&name.into(), &50.into()));
        let algorithms = ordering["algorithms"].as_array().expect("an array");
        let names: Vec<_> =
            algorithms.iter().filter_map(|algorithm| algorithm["algorithm"].as_str()).collect();
        assert_eq!(names, ["expectimax", "star1", "star2", "star2-tt"]);
        for algorithm in algorithms {
            let nodes = |statistic: &str| algorithm["nodes"][statistic].as_f64().expect("a number");
            assert!(nodes("min") <= nodes("median") && nodes("median") <= nodes("max"), "{algorithm}");
            let depths = algorithm["by_depth"].as_array().expect("an array");
            let reached: Vec<_> = depths.iter().filter_map(|at| at["depth"].as_u64()).collect();
            assert_eq!(reached, [1, 3, 5]);
            let last = depths[2]["nodes"].as_f64().expect("a number");
            assert!(
                (last - nodes("mean")).abs() < 1e-6 * last,
                "the last depth is the whole search: {algorithm}"
            );
        }
        let mean = |place: usize| algorithms[place]["nodes"]["mean"].as_f64();
        assert!(mean(0) > mean(3), "star2-tt searches fewer nodes than expectimax");
    }
    assert_eq!(samples(&out).len(), 2 * 4 * 50);
}

#[test]
fn people_get_the_papers_layout() {
    let scratch = Scratch::new();
    let args = ["--depth", "3", "--table-mb", "1", "--algorithm", "star2,star2-tt"];
    let output = run_in(scratch.path(), PAPER_TABLES, &args);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{text}");
    for words in ["Table I.", "Table II.", "Figure 6.3", "Median", "Std", "star2-tt", "All values are equal."]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!text.contains("expectimax"), "{text}");
}

#[test]
fn the_paper_s_own_figures_stand_beside_ours_where_the_game_is_its_own() {
    let scratch = Scratch::new();
    let run = |args: &[&str], out: &str| {
        let args = [args, &["--depth", "3", "--table-mb", "1", "--out", out]].concat();
        let output = run_in(scratch.path(), PAPER_TABLES, &args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let text = run(&[], "dice");
    let row = |title: &str, name: &str| {
        let table = text.split(title).nth(1).unwrap_or_else(|| panic!("{title} in {text}"));
        table.lines().find(|line| line.contains(name)).expect("a row").to_owned()
    };
    assert!(row("Table I.", " Max ").contains("273.8"), "{text}");
    assert!(row("Table II.", " Median ").contains("62.25"), "{text}");
    let ratios = row("Ratios", "Mean, nodes");
    for ratio in ["0.39", "0.16", "0.41", "0.63"] {
        assert!(ratios.contains(ratio), "{ratio} in {ratios}");
    }
    assert!(row("Ratios", "Mean, time").contains("0.69"), "{text}");
    assert!(!run(&["--game", "pig"], "pig").contains("paper's to depth"), "another game");
}

#[test]
fn the_help_says_whose_values_apply() {
    let scratch = Scratch::new();
    let help = run_in(scratch.path(), PAPER_TABLES, &["--help"]);
    let text =
        String::from_utf8(help.stdout).expect("UTF-8").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("What no flag sets is the paper's and not the library's default"), "{text}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_gives_the_tables_of_what_is_done() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    // Every position three times over at depth 9, of which a few dozen searches are awaited.
    let args = ["--json", "--depth", "9", "--table-mb", "1", "--ordering", "paper,static,hybrid"];
    let mut child = crate::common::start(PAPER_TABLES, &args, &out);
    crate::common::await_samples(&mut child, &out, 40);
    let output = crate::common::interrupt(child);
    assert_eq!(output.status.code(), Some(130));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["stopped"], true);
    let complete = found["orderings"][0]["positions"].as_u64().expect("a count");
    assert!((3..=50).contains(&complete), "twelve searches a position, forty awaited: {found}");
    assert!(found["orderings"][0]["algorithms"][3]["nodes"]["mean"].as_f64() > Some(0.0), "{found}");
}
