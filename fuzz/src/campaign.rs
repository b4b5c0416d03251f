//! The loop of the test: the whole corpus of a target, and then mutations of it.

use crate::mutate::Mutator;
use crate::{Target, corpus};
use std::any::Any;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// An input at which a target has panicked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The input.
    pub bytes: Vec<u8>,
    /// What the panic said.
    pub message: String,
}

/// Runs the target on the bytes.
///
/// # Errors
/// When it panics.
pub fn try_one(target: &Target, bytes: &[u8]) -> Result<(), Failure> {
    catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)))
        .map_err(|payload| Failure { bytes: bytes.to_vec(), message: said(&*payload) })
}

/// Runs the target on every input, and then on its mutations of them, the same for the same seed.
///
/// # Errors
/// When it panics: with the first input at which it does.
pub fn run(target: &Target, inputs: &[Vec<u8>], seed: u64) -> Result<(), Failure> {
    inputs.iter().try_for_each(|bytes| try_one(target, bytes))?;
    let words = (target.words)();
    let mut mutator = Mutator::new(seed, &words, target.longest);
    (0..target.mutations).try_for_each(|_| {
        let chosen = inputs.get(mutator.below(inputs.len())).map_or(&[][..], Vec::as_slice);
        let bytes = mutator.mutated(chosen, inputs);
        try_one(target, &bytes)
    })
}

/// As [`run`], on the corpus of the target. What fails is left in a file of `folder`, and told with the way
/// to see it again.
///
/// # Panics
/// When something fails, or the corpus cannot be read.
pub fn check(target: &Target, seed: u64, folder: &Path) {
    let found = corpus::read(&corpus::folder(target)).expect("a corpus");
    assert!(!found.is_empty(), "{}: a corpus without inputs", target.name);
    let inputs: Vec<_> = found.into_iter().map(|(_, bytes)| bytes).collect();
    if let Err(failure) = run(target, &inputs, seed) {
        let told = leave(target, &failure, folder);
        panic!("{told}");
    }
}

/// Leaves what has failed in a file of `folder`; what to tell of it.
pub fn leave(target: &Target, Failure { bytes, message }: &Failure, folder: &Path) -> String {
    let file = folder.join(format!("{}-{:08x}", target.name, crc32fast::hash(bytes)));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, bytes));
    let place = match written {
        Ok(()) => file.display().to_string(),
        Err(error) => format!("which cannot be written ({error}): {:?}", String::from_utf8_lossy(bytes)),
    };
    format!(
        "{} fails: {message}\nThe input, of {} bytes, is in {place}\nTo see it again: cargo run \
         --profile test -p starsplit-fuzz -- replay {} {place}",
        target.name,
        bytes.len(),
        target.name
    )
}

fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without words").to_owned()
}
