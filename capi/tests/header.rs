//! The header that is committed is what the sources say.

use std::fs;
use std::path::Path;

#[test]
fn the_header_is_made_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("a configuration");
    let sources =
        ["status", "own", "game", "position", "result", "searcher", "question", "expectation", "lib"];
    let mut builder = cbindgen::Builder::new().with_config(config);
    for name in sources {
        builder = builder.with_src(root.join(format!("src/{name}.rs")));
    }
    let mut made = Vec::new();
    builder.generate().expect("a header").write(&mut made);
    let made = String::from_utf8(made).expect("UTF-8");
    let path = root.join("include/starsplit.h");
    if std::env::var_os("STARSPLIT_WRITE_HEADER").is_some() {
        fs::write(&path, &made).expect("a file that can be written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        made == committed,
        "include/starsplit.h is not what the sources say: \
         STARSPLIT_WRITE_HEADER=1 cargo test -p starsplit-capi --test header"
    );
}
