//! Which algorithm is searched with, and its parameters.

use crate::cli::values;
use crate::question::flags::TuningFlags;
use clap::Args;
use starsplit::search::{Algorithm, Options};

/// Flags of the binaries whose searches are all of one algorithm.
#[derive(Clone, Debug, Args)]
pub struct AlgorithmFlags {
    /// Which algorithm searches.
    #[arg(long, value_name = "NAME", default_value_t, value_parser = values::named::<Algorithm>)]
    #[arg(help = help(), long_help = long_help())]
    pub algorithm: Algorithm,

    /// What a search is tuned by.
    #[command(flatten)]
    pub tuning: TuningFlags,
}

impl AlgorithmFlags {
    /// The options that these flags make of the library's defaults.
    pub fn options(&self) -> Options {
        self.tuning.applied_to(usual_options(self.algorithm))
    }
}

fn help() -> String {
    format!("One of {}", values::names(Algorithm::ALL))
}

fn long_help() -> String {
    format!("{}\n\nNodes use the table as in the paper's comparison: {}.", help(), values::paper_table_uses())
}

/// The library's default options with this algorithm, and with the use of the table that the paper gives it:
/// not every algorithm can do with the default one.
pub fn usual_options(algorithm: Algorithm) -> Options {
    Options { algorithm, table_use: Options::paper(algorithm).table_use, ..Options::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_algorithm_the_options_are_the_librarys() {
        assert_eq!(usual_options(Algorithm::default()), Options::default());
    }

    #[test]
    fn every_algorithm_has_options_that_it_can_do_with() {
        for &algorithm in Algorithm::ALL {
            let options = usual_options(algorithm);
            assert_eq!((options.algorithm, options.check()), (algorithm, Ok(())));
        }
    }
}
