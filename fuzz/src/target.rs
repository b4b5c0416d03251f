//! What a target is.

use std::io;
use std::path::Path;

/// A reader, or whatever else is given bytes that anybody may have made.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which its folder in the corpus has.
    pub name: &'static str,
    /// What its bytes are, in a sentence without a full stop.
    pub about: &'static str,
    /// Does with the bytes what there is to do with them. Panics where something is wrong.
    pub run: fn(&[u8]),
    /// Real inputs, by name: what the corpus began with.
    pub seeds: fn() -> Vec<(String, Vec<u8>)>,
    /// What mutations put in: words that its inputs are made of.
    pub words: fn() -> Vec<Vec<u8>>,
    /// How many mutations the test tries: as many as take about a second.
    pub mutations: u32,
    /// The most bytes of an input.
    pub longest: usize,
}

/// Words of a target, from texts.
pub(crate) fn words<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<Vec<u8>> {
    texts.into_iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Seeds of a target, from names and texts.
pub(crate) fn seeds<'t>(texts: impl IntoIterator<Item = (&'t str, String)>) -> Vec<(String, Vec<u8>)> {
    texts.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect()
}

/// What is read from a folder of the current records, to make a seed of it. Panics where that is gone, so
/// that a test tells.
pub(crate) fn recorded<R>(folder: &str, read: impl FnOnce(&Path) -> io::Result<R>) -> R {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/current").join(folder);
    read(&place).unwrap_or_else(|error| panic!("{folder}: {error}"))
}
