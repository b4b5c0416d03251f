//! What the techniques beyond the paper save.

use crate::common::{STUDY, Scratch, json_in};
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
