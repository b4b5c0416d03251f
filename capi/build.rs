//! Gives the shared library the name under which programs look for it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=include/starsplit.h");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        let header = std::fs::read_to_string("include/starsplit.h").expect("the header beside this file");
        let number = header.lines().find_map(|line| line.strip_prefix("#define STARSPLIT_ABI_VERSION "));
        let number = number.expect("the number of the interface in the header");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libstarsplit_c.so.{number}");
    }
}
