//! Whether searches that must agree do agree.

use crate::cli::{self, Ending, note};
use crate::records::measured::Measured;
use crate::records::recorded::other_score;
use serde::Serialize;
use serde_json::value::RawValue;
use starsplit::score::Score;
use starsplit::search::TableCounts;
use std::path::{Path, PathBuf};

/// The score of each position of a suite as the first search of it found it, and every search that found
/// another.
#[derive(Clone, Debug)]
pub struct Verdicts {
    expected: Vec<Option<Score>>,
    differences: Vec<String>,
    /// How many proofs contradicted others, in all searches that were checked.
    contradictions: u64,
}

impl Verdicts {
    /// Nothing known yet of any of the `positions`.
    pub fn new(positions: usize) -> Self {
        Verdicts::expecting(&[], positions)
    }

    /// Positions of which the first have to have the `scores`, as somebody has told beforehand.
    pub fn expecting(scores: &[Score], positions: usize) -> Self {
        let told = |index| scores.get(index).copied();
        Verdicts { expected: (0..positions).map(told).collect(), differences: Vec::new(), contradictions: 0 }
    }

    /// What is wrong with a completed search of position `index` (from 0), if anything; `who` names the
    /// search. The first exact score of a position is the one that all later searches of it have to find.
    pub fn check(
        &mut self,
        index: usize,
        who: impl FnOnce() -> String,
        measured: &Measured,
    ) -> Option<String> {
        self.contradictions += measured.contradictions();
        if let Some(score) = measured.score {
            self.expected[index].get_or_insert(score);
        }
        let fault = fault(measured, self.expected[index])?;
        self.fail(index, who, &fault);
        Some(fault)
    }

    /// The same of a search that is recorded, as one without a fault, with this score.
    pub fn check_recorded(
        &mut self,
        index: usize,
        who: impl FnOnce() -> String,
        score: Score,
    ) -> Option<String> {
        let expected = *self.expected[index].get_or_insert(score);
        let fault = other_score(score, expected)?;
        self.fail(index, who, &fault);
        Some(fault)
    }

    /// Notes what is wrong with a search of position `index` (from 0); `who` names the search.
    pub fn fail(&mut self, index: usize, who: impl FnOnce() -> String, fault: &str) {
        self.differences.push(format!("position {}, {}: {fault}", index + 1, who()));
    }

    /// The score that position `index` has to have, where it is known.
    pub fn expected(&self, index: usize) -> Option<Score> {
        self.expected[index]
    }

    /// How many proofs contradicted others, which says what values are worth.
    pub fn contradictions(&self) -> u64 {
        self.contradictions
    }

    /// The same in words.
    pub fn contradictions_text(&self) -> String {
        let mut counts = TableCounts::default();
        counts.contradictions = self.contradictions;
        counts.contradictions_text()
    }

    /// What the values are worth, for people.
    fn in_words(&self) -> String {
        let values = if self.all_equal() { "All values are equal." } else { "Values DIFFER." };
        format!("{values} {}.", self.contradictions_text())
    }

    /// Every search that went wrong, in words.
    pub fn differences(&self) -> &[String] {
        &self.differences
    }

    /// Whether no search went wrong.
    pub fn all_equal(&self) -> bool {
        self.differences.is_empty()
    }

    /// How a run ends that came to this and was or was not stopped by Ctrl-C. A difference outweighs a stop.
    pub fn ending(&self, stopped: bool) -> Ending {
        match (self.all_equal(), stopped) {
            (false, _) => Ending::ValuesDiffer,
            (true, true) => Ending::Stopped,
            (true, false) => Ending::Complete,
        }
    }
}

/// What is wrong with the score of a completed search that has to find the `expected` one, where that is
/// known.
pub fn fault(measured: &Measured, expected: Option<Score>) -> Option<String> {
    match (measured.score, expected) {
        (None, _) => {
            Some(format!("score between {} and {}, expected an exact one", measured.lower, measured.upper))
        }
        (Some(score), Some(expected)) => other_score(score, expected),
        (Some(_), None) => None,
    }
}

/// A report with how many proofs contradicted others in its searches.
#[derive(Serialize)]
struct WithContradictions<'r, R> {
    contradictions: u64,
    #[serde(flatten)]
    report: &'r R,
}

/// What an experiment ends with.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Whether it came to its end, and all searches agreed.
    pub ending: Ending,
    /// Its report as a JSON object.
    pub json: Box<RawValue>,
    /// Its report for people.
    pub text: String,
    /// Where the records are, if any are kept.
    pub folder: Option<PathBuf>,
}

impl Finished {
    /// The end of an experiment: names the values that differ and says whether Ctrl-C ended it early. `text`
    /// makes its report for people, with a sentence on the values in it. `who` has searched every position
    /// that counts.
    ///
    /// # Errors
    /// When the report has no form in JSON.
    pub fn new(
        verdicts: &Verdicts,
        (report, stopped): (&impl Serialize, bool),
        who: &str,
        folder: Option<&Path>,
        text: impl FnOnce(&str) -> String,
    ) -> anyhow::Result<Self> {
        for difference in verdicts.differences() {
            note(difference);
        }
        if stopped {
            note(format_args!(
                "stopped by Ctrl-C: the figures are of the positions that every {who} had searched"
            ));
        }
        let report = WithContradictions { contradictions: verdicts.contradictions(), report };
        Finished::without_values(verdicts.ending(stopped), &report, folder, text(&verdicts.in_words()))
    }

    /// The end of an experiment that has no values that must be equal, with its report for people.
    ///
    /// # Errors
    /// When the report has no form in JSON.
    pub fn without_values(
        ending: Ending,
        report: &impl Serialize,
        folder: Option<&Path>,
        mut text: String,
    ) -> anyhow::Result<Self> {
        if let Some(folder) = folder {
            text += &format!("Records: {}\n", folder.display());
        }
        let json = serde_json::value::to_raw_value(report)?;
        Ok(Finished { ending, json, text, folder: folder.map(Path::to_owned) })
    }

    /// Prints the report, as JSON or for people.
    ///
    /// # Errors
    /// When standard output cannot be written to.
    pub fn print(&self, json: bool) -> anyhow::Result<Ending> {
        if json {
            cli::print_json(&self.json)?;
        } else {
            cli::print(&self.text)?;
        }
        Ok(self.ending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(score: Score) -> Measured {
        Measured { score: Some(score), lower: score, upper: score, ..Measured::default() }
    }

    #[test]
    fn equal_scores_are_no_difference() {
        let mut verdicts = Verdicts::new(2);
        for (index, score) in [(0, 5), (1, -7), (0, 5)] {
            assert_eq!(verdicts.check(index, || unreachable!("nothing to name"), &found(score)), None);
        }
        assert!(verdicts.all_equal());
        assert_eq!((verdicts.expected(0), verdicts.expected(1)), (Some(5), Some(-7)));
        assert_eq!((verdicts.ending(false), verdicts.ending(true)), (Ending::Complete, Ending::Stopped));
    }

    #[test]
    fn contradictions_stand_beside_the_values() {
        let mut verdicts = Verdicts::new(2);
        verdicts.check(0, String::new, &found(5));
        let finished = |verdicts: &Verdicts| {
            let report = serde_json::json!({ "values_equal": verdicts.all_equal() });
            let finished = Finished::new(verdicts, (&report, false), "search", None, str::to_owned);
            let Finished { json, text, .. } = finished.expect("a report");
            (json.to_string(), text)
        };
        let expected = (
            r#"{"contradictions":0,"values_equal":true}"#.to_owned(),
            "All values are equal. 0 contradictions.".to_owned(),
        );
        assert_eq!(finished(&verdicts), expected);
        for count in [2, 5] {
            let table = [("contradictions".to_owned(), count)].into();
            verdicts.check(1, String::new, &Measured { table, ..found(5) });
        }
        let (json, text) = finished(&verdicts);
        assert_eq!(json, r#"{"contradictions":7,"values_equal":true}"#);
        assert!(
            text.starts_with("All values are equal. 7 contradictions: unless depths are mixed"),
            "{text}"
        );
    }

    #[test]
    fn another_score_is_named_with_its_position_and_fails_the_run() {
        let mut verdicts = Verdicts::new(3);
        verdicts.check(2, String::new, &found(5));
        let fault = verdicts.check(2, || "2 threads".to_owned(), &found(6));
        assert_eq!(fault.as_deref(), Some("score 6, expected 5"));
        assert_eq!(verdicts.differences(), ["position 3, 2 threads: score 6, expected 5"]);
        assert_eq!(verdicts.expected(2), Some(5));
        assert_eq!(
            (verdicts.ending(false), verdicts.ending(true)),
            (Ending::ValuesDiffer, Ending::ValuesDiffer)
        );
    }

    #[test]
    fn what_is_recorded_is_held_against_what_is_known() {
        let mut verdicts = Verdicts::expecting(&[5], 2);
        let found =
            |verdicts: &mut Verdicts, index, score| verdicts.check_recorded(index, String::new, score);
        assert_eq!((found(&mut verdicts, 0, 5), found(&mut verdicts, 1, 7)), (None, None));
        assert_eq!(found(&mut verdicts, 0, 7).as_deref(), Some("score 7, expected 5"));
        assert_eq!(found(&mut verdicts, 1, 6).as_deref(), Some("score 6, expected 7"));
        assert_eq!(verdicts.differences().len(), 2);
    }

    #[test]
    fn an_inexact_root_is_a_fault_and_sets_no_expectation() {
        let mut verdicts = Verdicts::new(1);
        let inexact = Measured { lower: -1, upper: 4, ..Measured::default() };
        assert_eq!(
            verdicts.check(0, String::new, &inexact).as_deref(),
            Some("score between -1 and 4, expected an exact one")
        );
        assert_eq!((verdicts.expected(0), verdicts.ending(false).exit_code()), (None, 1));
    }
}
