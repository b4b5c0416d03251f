//! A line of play in words.

use starsplit::game::Step;

/// Moves, and outcomes in brackets, with commas between them; nothing of an empty line.
pub(crate) fn words_of(line: &[Step<String, String>]) -> String {
    let in_words = |step: &Step<String, String>| match step {
        Step::Move(text) => text.clone(),
        Step::Outcome(text) => format!("[{text}]"),
    };
    line.iter().map(in_words).collect::<Vec<_>>().join(", ")
}
