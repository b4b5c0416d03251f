//! Gives the shared library the name under which programs look for it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        // The number is that of `starsplit_abi_version`.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libstarsplit_c.so.2");
    }
}
