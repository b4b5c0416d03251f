//! Readers of texts, held against texts that are nearly right.

use crate::mutations::Random;

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
