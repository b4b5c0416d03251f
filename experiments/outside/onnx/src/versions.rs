//! Which versions of the libraries this was built with.

/// What was built, as Cargo wrote it down.
const LOCK: &str = include_str!("../Cargo.lock");

/// The versions of a library.
pub fn version(library: &str) -> String {
    let name = format!("name = \"{library}\"");
    let lines: Vec<&str> = LOCK.lines().collect();
    let pairs = lines.windows(2).filter(|pair| pair[0] == name);
    let versions = pairs.filter_map(|pair| pair[1].strip_prefix("version = "));
    versions.map(|version| version.trim_matches('"')).collect::<Vec<_>>().join(" and ")
}

/// The versions of these, in one line.
pub fn told(libraries: &[&str]) -> String {
    let told = libraries.iter().map(|library| format!("{library} {}", version(library)));
    told.collect::<Vec<_>>().join(", ")
}

/// What of the processor libraries look at.
pub fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    let features = [
        ("AVX2", std::arch::is_x86_feature_detected!("avx2")),
        ("FMA", std::arch::is_x86_feature_detected!("fma")),
        ("AVX-512", std::arch::is_x86_feature_detected!("avx512f")),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let features: [(&str, bool); 0] = [];
    let has = features
        .iter()
        .map(|(name, is_there)| format!("{} {name}", if *is_there { "with" } else { "without" }));
    [std::env::consts::ARCH.to_owned()].into_iter().chain(has).collect::<Vec<_>>().join(", ")
}
