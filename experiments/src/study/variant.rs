//! A variant: options by name.

use crate::cli::BadInput;
use crate::cli::values::whole_number;
use crate::question::algorithm::usual_options;
use crate::question::flags::MAX_TABLE_MB;
use crate::question::tables::TableFlags;
use crate::question::tuning::OptionFlags;
use crate::question::words;
use clap::Parser;
use starsplit::search::Options;

/// Options as a study's variant names them. Without any it is the library's default search.
#[derive(Clone, Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct VariantFlags {
    /// Begin with the paper's options for the algorithm, not with the library's.
    #[arg(long)]
    paper: bool,
    #[arg(long, value_parser = whole_number("table-mb", 1..=MAX_TABLE_MB))]
    table_mb: Option<u64>,
    #[command(flatten)]
    table: TableFlags,
    #[command(flatten)]
    options: OptionFlags<true>,
}

/// A variant of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// What sets it apart, as it was written.
    pub words: String,
    /// The options of its searches.
    pub options: Options,
    /// The size of its table in MiB, where it is not the study's.
    pub table_mb: Option<u64>,
    /// The kind of its table.
    pub table: TableFlags,
}

impl Variant {
    /// Reads `NAME` or `NAME:KEY=VALUE,KEY,...`.
    ///
    /// # Errors
    /// When it has no name, or a key is unknown or has no such value.
    pub fn read(text: &str) -> Result<Self, BadInput> {
        let (name, words) = text.split_once(':').unwrap_or((text, ""));
        let refuse = |complaint: &str| BadInput::new("variant", text, complaint);
        if name.trim().is_empty() {
            return Err(refuse("expected NAME or NAME:KEY=VALUE,..."));
        }
        let flags: VariantFlags = words::read("variant", text, words)?;
        Ok(Variant {
            name: name.trim().to_owned(),
            words: words.trim().to_owned(),
            options: flags.options(),
            table_mb: flags.table_mb,
            table: flags.table,
        })
    }
}

/// What a variant is, and the keys that it can have.
pub(super) fn help() -> String {
    let keys: Vec<_> = OptionFlags::<true>::declared().map(|declared| declared.flag).collect();
    format!(
        "A variant, such as k=2:probing-factor=2,table-mb=16; once for each\n\n\
         NAME alone is the library's default search. Keys: table-mb, table-scheme, entries, table-entries, \
         watch-table, chain-rows, chain-threshold, chain-length, {}, as search --help and the library \
         describe them; \"paper\" alone begins with the paper's options for the algorithm.",
        keys.join(", ")
    )
}

impl VariantFlags {
    fn options(&self) -> Options {
        let algorithm = self.options.applied_to(Options::default()).algorithm;
        let own = if self.paper { Options::paper(algorithm) } else { usual_options(algorithm) };
        self.options.applied_to(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit::search::Algorithm;
    use starsplit::table::Reuse;

    #[test]
    fn a_variant_changes_only_what_it_names() {
        let plain = Variant::read("default").unwrap();
        assert_eq!(
            (plain.name.as_str(), plain.options, plain.table_mb),
            ("default", Options::default(), None)
        );
        let found = Variant::read("small: table-mb=2, probing-factor=3,reuse=at-least").unwrap();
        let expected = Options { probing_factor: Some(3), reuse: Reuse::AtLeast, ..Options::default() };
        assert_eq!((found.options, found.table_mb), (expected, Some(2)));
    }

    #[test]
    fn the_papers_options_are_those_of_its_algorithm() {
        let found = Variant::read("s2:paper,algorithm=star2").unwrap();
        assert_eq!(found.options, Options::paper(Algorithm::Star2));
    }

    #[test]
    fn what_is_no_variant_is_named() {
        for (text, words) in [
            ("", "expected NAME"),
            (":threads=2", "expected NAME"),
            ("a:speed=9", "--speed"),
            ("a:history=frozen", "option history: retired, revision 21018ab5 had it last"),
            ("a:threads=0", "threads 0: expected"),
            ("a:ordering=best", "ordering \"best\": expected paper"),
        ] {
            let complaint = Variant::read(text).unwrap_err().to_string();
            assert!(complaint.starts_with("variant ") && complaint.contains(words), "{complaint}");
        }
    }
}
