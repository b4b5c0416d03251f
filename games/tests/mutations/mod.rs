//! Texts that are nearly right, to find out what a reader does with them.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// A source of chance for tests.
pub(crate) struct Random(Pcg64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(Pcg64::seed_from_u64(seed))
    }

    /// One of the numbers below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    /// `text` with one to four signs changed, left out, put in or doubled.
    pub(crate) fn mutated(&mut self, text: &str) -> String {
        const SIGNS: &str = "0123456789abcdefghi xwb./,=-+NTé\u{1b}\n\t\u{1f3b2}";
        let signs: Vec<_> = SIGNS.chars().collect();
        let mut mutated: Vec<_> = text.chars().collect();
        for _ in 0..=self.below(4) {
            let (at, sign) = (self.below(mutated.len() + 1), signs[self.below(signs.len())]);
            match self.below(4) {
                0 => mutated.insert(at, sign),
                1 if at < mutated.len() => mutated[at] = sign,
                2 if at < mutated.len() => drop(mutated.remove(at)),
                3 => mutated.extend_from_within(at..),
                _ => {}
            }
        }
        mutated.into_iter().collect()
    }
}

/// Gives `read` 10,000 mutations of `texts` and holds what it says of those that it refuses to one short
/// line. `read` answers with the text that it understood, which it must understand again.
pub(crate) fn check_reader<E: ToString>(texts: &[String], read: impl Fn(&str) -> Result<String, E>) {
    let mut random = Random::new(7);
    let mut refused = 0;
    for number in 0..10_000 {
        let text = random.mutated(&texts[number % texts.len()]);
        match read(&text) {
            Ok(understood) => {
                let again = read(&understood).map_err(|error| error.to_string());
                assert_eq!(again, Ok(understood), "{text:?}");
            }
            Err(error) => {
                let line = error.to_string();
                assert!(!line.chars().any(char::is_control), "{line:?}");
                assert!(line.contains("expected") && line.chars().count() < 400, "{line}");
                refused += 1;
            }
        }
    }
    assert!(refused > 5_000, "only {refused} refused");
}
