//! A setting: what is kept of the game.

use crate::cli::BadInput;
use crate::question::smaller::SmallerFlags;
use crate::question::words;
use clap::Parser;

/// What stands for the whole game, searched as the smaller ones are.
const ALL: &str = "all";

/// Those that are measured where none are named: gnubg's filters of moves are the last two.
pub(super) const SETTINGS: [&str; 13] = [
    ALL,
    "sampled=1",
    "sampled=2",
    "sampled=4",
    "sampled=8",
    "sampled=16",
    "top-moves=1",
    "top-moves=2",
    "top-moves=4",
    "top-moves=8",
    "top-moves=16",
    "top-moves=8+within=0.16",
    "top-moves=16+within=0.32",
];

/// What is kept of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct SmallerSetting {
    /// As it was written.
    pub words: String,
    /// What is kept.
    pub kept: SmallerFlags,
}

#[derive(Clone, Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    kept: SmallerFlags,
}

impl SmallerSetting {
    /// Reads `all`, or one or more of `sampled=K`, `top-moves=K` and `within=VALUE` joined by "+".
    ///
    /// # Errors
    /// When it is neither.
    pub fn read(text: &str) -> Result<Self, BadInput> {
        let words = text.trim().to_owned();
        if words == ALL {
            return Ok(SmallerSetting { words, kept: SmallerFlags::default() });
        }
        let Words { kept } = words::read("setting", &words, &words.replace('+', ","))?;
        if kept.keeps_all() {
            let complaint = "expected all, or sampled=K, top-moves=K or within=VALUE";
            return Err(BadInput::new("setting", words, complaint));
        }
        Ok(SmallerSetting { words, kept })
    }

    /// The seeds that tell its searches apart, of so many from `first` on; none where nothing is drawn.
    pub(super) fn seeds(&self, first: u64, count: u64) -> Vec<Option<u64>> {
        match self.kept.sampled {
            Some(_) => (0..count).map(|number| Some(first.wrapping_add(number))).collect(),
            None => vec![None],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let kept = |text| SmallerSetting::read(text).unwrap().kept;
        assert!(kept(" all ").keeps_all());
        let filter = SmallerFlags { top_moves: Some(8), within: Some(0.16), sampled: None };
        assert_eq!(kept("top-moves=8+within=0.16"), filter);
        let both = SmallerSetting::read("sampled=4+top-moves=2").unwrap();
        assert_eq!((both.kept.sampled, both.seeds(7, 2)), (Some(4), vec![Some(7), Some(8)]));
        assert_eq!(SmallerSetting::read("top-moves=2").unwrap().seeds(7, 2), [None]);
    }

    #[test]
    fn what_is_no_setting_is_named() {
        for (text, words) in [
            ("", "expected all, or sampled=K"),
            ("all+sampled=2", "--all"),
            ("sampled=0", "sampled 0: expected a whole number from 1"),
            ("top-moves=x", "top-moves x: expected"),
            ("top-moves=2+within=-1", "within -1: expected a number of 0 or more"),
            ("sampled=1+sampled=2", "--sampled"),
            ("depth=3", "--depth"),
        ] {
            let complaint = SmallerSetting::read(text).unwrap_err().to_string();
            assert!(complaint.starts_with("setting "), "{complaint}");
            assert!(complaint.contains(words) && !complaint.contains('\n'), "{words}: {complaint}");
        }
    }

    #[test]
    fn the_usual_settings_are_some_each_once() {
        let read = SETTINGS.map(|text| SmallerSetting::read(text).unwrap());
        assert!(read.iter().enumerate().all(|(number, setting)| !read[..number].contains(setting)));
    }
}
