//! Flags of the search's options, made of their declarations in the library.

use crate::cli::BadInput;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use starsplit::search::{Algorithm, Options};
use starsplit_options::{DECLARED, DeclaredOption, OptionKind, OptionRole, OptionValue};

/// What flags have set of the options for whoever runs an experiment: parameters of the algorithms that
/// change how much is searched, never the value. With `ALL`, of those too in which contenders differ.
#[derive(Clone, Debug, Default)]
pub struct OptionFlags<const ALL: bool>(Vec<(&'static DeclaredOption, OptionValue)>);

/// Flags of every binary that searches.
pub type TuningFlags = OptionFlags<false>;

impl<const ALL: bool> OptionFlags<ALL> {
    /// `options` with what these flags set.
    #[must_use]
    pub fn applied_to(&self, mut options: Options) -> Options {
        for (declared, value) in &self.0 {
            declared.set(&mut options, *value).expect("a value that the option's own reader has let through");
        }
        options
    }

    /// The options for which there are flags.
    pub(crate) fn declared() -> impl Iterator<Item = &'static DeclaredOption> {
        DECLARED.iter().filter(|declared| match declared.role {
            OptionRole::Tuning => true,
            OptionRole::Contender => ALL,
            OptionRole::Request => false,
        })
    }
}

impl<const ALL: bool> Args for OptionFlags<ALL> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::declared().map(flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const ALL: bool> FromArgMatches for OptionFlags<ALL> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let value = |declared: &DeclaredOption| matches.get_one(declared.name).copied();
        let set = Self::declared().filter_map(|declared| Some((declared, value(declared)?)));
        Ok(OptionFlags(set.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.extend(Self::from_arg_matches(matches)?.0);
        Ok(())
    }
}

fn flag(declared: &'static DeclaredOption) -> Arg {
    let help = help(declared);
    let more = [declared.more.to_owned(), papers_own(declared)].join(" ");
    let long = format!("{help}\n\n{}", more.trim());
    Arg::new(declared.name)
        .long(declared.flag)
        .value_name(declared.unit)
        .help(help)
        .long_help(long.trim_end().to_owned())
        .allow_negative_numbers(true)
        .value_parser(|text: &str| read(declared, text))
}

/// What it is, what there is to choose from, and the default.
fn help(declared: &DeclaredOption) -> String {
    let choice = match declared.kind {
        OptionKind::Number { .. } => String::new(),
        kind => format!(": {kind}"),
    };
    format!("{}{choice} [default: {}]", declared.help, declared.get(&Options::default()))
}

/// What `paper-tables` has for a default, where that is another.
fn papers_own(declared: &DeclaredOption) -> String {
    let own = declared.get(&Options::paper(Algorithm::Star2Tt));
    let differs = own != declared.get(&Options::default());
    if differs { format!("In paper-tables the default is the paper's, {own}.") } else { String::new() }
}

fn read(declared: &DeclaredOption, text: &str) -> Result<OptionValue, BadInput> {
    declared.read(text).map_err(|error| match declared.kind {
        OptionKind::Choice(_) => BadInput::from_error(error),
        kind => BadInput::new(declared.flag, text, format_args!("expected {kind}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    #[command(no_binary_name = true)]
    struct Tuned {
        #[command(flatten)]
        tuning: TuningFlags,
    }

    fn options(args: &[String]) -> Options {
        Tuned::try_parse_from(args).unwrap().tuning.applied_to(Options::default())
    }

    #[test]
    fn every_tuning_option_has_a_flag_that_changes_it_and_nothing_else() {
        assert_eq!(options(&[]), Options::default());
        let tuning = DECLARED.iter().filter(|declared| declared.role == OptionRole::Tuning);
        assert!(tuning.clone().count() >= 10, "the options that there are");
        for (declared, n) in tuning.flat_map(|declared| (0..declared.trials()).map(move |n| (declared, n))) {
            let mut expected = Options::default();
            declared.try_nth(&mut expected, n);
            let value = declared.get(&expected);
            // Fields take more than flags.
            if declared.read(&value.to_string()).is_ok() {
                assert_eq!(options(&[format!("--{}={value}", declared.flag)]), expected);
            }
        }
    }

    #[test]
    fn complaints_name_the_flag_and_help_says_the_default() {
        let complaint = |text: &str| crate::cli::clap_complaint(&Tuned::try_parse_from([text]).unwrap_err());
        assert_eq!(
            complaint("--split-depth=255"),
            "split-depth 255: expected a whole number from 1 to 254, or auto"
        );
        assert_eq!(complaint("--leaf-collapse=ON"), "leaf-collapse ON: expected on or off");
        let of = |name| help(DECLARED.iter().find(|declared| declared.name == name).unwrap());
        assert!(of("reuse").ends_with("count: exact or at-least [default: exact]"));
        assert!(of("helpers_after_us").ends_with("[default: 250]"));
    }

    #[test]
    fn contenders_have_flags_of_their_own() {
        assert!(Tuned::try_parse_from(["--ordering=paper"]).is_err());
        let all = OptionFlags::<true>::augment_args(Command::new("all"));
        let found = all.try_get_matches_from(["all", "--ordering=paper", "--reuse=at-least"]).unwrap();
        let found = OptionFlags::<true>::from_arg_matches(&found).unwrap().applied_to(Options::default());
        assert_eq!((found.ordering.name(), found.reuse.name()), ("paper", "at-least"));
    }
}
