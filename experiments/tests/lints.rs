//! The lints of this package are the workspace's, but that it has no unsafe code at all. A package that takes the
//! workspace's lints over cannot change one of them, so they are written out, and compared here.

use std::fs;
use std::path::Path;
use toml::Table;

fn manifest(path: &Path) -> Table {
    fs::read_to_string(path).expect("a manifest").parse().expect("TOML")
}

#[test]
fn the_lints_are_those_of_the_workspace_and_unsafe_code_is_forbidden() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = manifest(&here.join("Cargo.toml"))["lints"].clone();
    let workspace = manifest(&here.join("../Cargo.toml"))["workspace"]["lints"].clone();
    assert_eq!(workspace["rust"]["unsafe_code"].as_str(), Some("deny"));
    let mut expected = workspace;
    expected["rust"]["unsafe_code"] = "forbid".into();
    assert_eq!(own, expected);
}
