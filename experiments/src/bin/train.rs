//! Trains the Dice network by self-play and reports how good it is.

use anyhow::Result;
use clap::Parser;
use starsplit::search::StopFlag;
use starsplit_experiments::cli::files;
use starsplit_experiments::cli::outputs::{self, write_whole};
use starsplit_experiments::cli::progress::Progress;
use starsplit_experiments::cli::values::{share, whole_number};
use starsplit_experiments::cli::{self, BadInput, Ending, note, print, print_json};
use starsplit_experiments::training::report::{TrainingEffort, measure};
use starsplit_experiments::training::{Options, Trainer, TrainingEnd, checkpoint};
use starsplit_games::dice::{Dice, Network, Rules};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The most games and positions that a judgement is made of: their results are kept in memory.
const MOST_JUDGED: u64 = 1_000_000_000;

/// Trains the Dice network by TD(lambda) self-play. The same options give the same weights, byte for byte.
#[derive(Debug, Parser)]
struct Args {
    /// The rules of Dice.
    #[arg(long, default_value = "size=5,run=4")]
    rules: String,
    /// Games of self-play.
    #[arg(long, default_value_t = 2_000_000, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--games", 1..=u64::MAX))]
    games: u64,
    /// Chooses the starting weights and every roll.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--seed", 0..=u64::MAX))]
    seed: u64,
    /// How much of a later surprise reaches each earlier position, 0 to 1.
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true, value_parser = share("--lambda"))]
    lambda: f32,
    /// The length of the first game's steps for each weight; it falls with the square of the share of games
    /// left.
    #[arg(long, default_value_t = 0.001, allow_negative_numbers = true, value_parser = rate)]
    rate: f32,
    /// The share of moves made at random, so that many kinds of positions are seen, 0 to 1.
    #[arg(long, default_value_t = 0.7, allow_negative_numbers = true, value_parser = share("--explore"))]
    explore: f32,
    /// The share of moves that values take to be made at random, by both sides, 0 to 1.
    #[arg(long, default_value_t = 0.6, allow_negative_numbers = true, value_parser = share("--slips"))]
    slips: f32,
    /// The file for the trained weights. One that is there is replaced only if it has weights for the same
    /// board.
    #[arg(long)]
    out: Option<PathBuf>,
    /// A file to save the run in now and then; an unfinished run found there goes on.
    #[arg(long)]
    checkpoint: Option<PathBuf>,
    /// Games between two saves and reports of progress.
    #[arg(long, default_value_t = 50_000, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--every", 1..=u64::MAX))]
    every: u64,
    /// Games in each match that measures strength; 0 for none.
    #[arg(long, default_value_t = 10_000, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--matches", 0..=MOST_JUDGED))]
    matches: u64,
    /// Held-out positions to compare with exact values; 0 for none.
    #[arg(long, default_value_t = 300, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--held-out", 0..=MOST_JUDGED))]
    held_out: u64,
    /// Chooses the games of the matches and the held-out positions.
    #[arg(long, default_value_t = 1_000_003, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--judge-seed", 0..=u64::MAX))]
    judge_seed: u64,
    /// Writes one JSON object to standard output instead of tables.
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> Options {
        Options {
            rules: self.rules.clone(),
            games: self.games,
            seed: self.seed,
            lambda: self.lambda,
            rate: self.rate,
            explore: self.explore,
            slips: self.slips,
        }
    }

    /// Refuses, before hours of training, files that could not be written after it.
    fn check_files(&self) -> Result<(), BadInput> {
        if let Some(path) = &self.out {
            outputs::check("--out", path, "train for this board", |path| self.is_own(path))?;
        }
        // What a checkpoint must be is known where it is read, before anything is trained.
        let checkpoint = |path: &PathBuf| outputs::check("--checkpoint", path, "train", |_| true);
        self.checkpoint.as_ref().map_or(Ok(()), checkpoint)
    }

    /// Whether a file has weights as they will be written to it.
    fn is_own(&self, path: &Path) -> bool {
        let weights = files::read(path, files::WEIGHTS).ok();
        let rules = self.rules.parse::<Rules>().ok();
        weights
            .zip(rules)
            .is_some_and(|(weights, rules)| Network::from_bytes(&Dice::new(rules), &weights).is_ok())
    }

    /// The run saved at the checkpoint, or a new one.
    fn trainer(&self) -> Result<Trainer> {
        match &self.checkpoint {
            Some(path) if path.exists() => checkpoint::load(path, &self.options()),
            _ => Trainer::new(self.options()),
        }
    }
}

fn rate(text: &str) -> Result<f32, BadInput> {
    let number = text.parse().ok().filter(|&rate: &f32| rate > 0.0 && rate <= 1.0);
    number.ok_or_else(|| BadInput::new("--rate", text, "expected a number above 0, at most 1"))
}

fn main() -> ExitCode {
    // Whatever fails here fails because of an argument or a file that one names.
    cli::main_with(|args: Args, stop| {
        run(&args, stop).map_err(|error| BadInput::from_error(format!("{error:#}")).into())
    })
}

fn run(args: &Args, stop: &StopFlag) -> Result<Ending> {
    args.check_files()?;
    let mut trainer = args.trainer()?;
    if trainer.games_done() > 0 {
        note(format_args!("going on after {} of {} games", trainer.games_done(), args.games));
    }
    let progress = Progress::new("train", args.games);
    let outcome = trainer.run(stop, args.every, |trainer| {
        progress.reach(trainer.games_done());
        progress.say(format!("loss {:.5}", trainer.losses().pop().unwrap_or(0.0)));
        args.checkpoint.as_ref().map_or(Ok(()), |path| checkpoint::save(trainer, path))
    })?;
    drop(progress);
    if outcome == TrainingEnd::Stopped {
        note(format_args!("stopped after {} games", trainer.games_done()));
        return Ok(Ending::Stopped);
    }
    if let Some(path) = &args.out {
        write_whole(path, &trainer.weights().to_bytes()?)?;
    }
    let effort =
        TrainingEffort { matches: args.matches, held_out: args.held_out as usize, seed: args.judge_seed };
    let report = measure(&trainer, effort)?;
    if args.json {
        print_json(&report)?;
    } else {
        print(&report.table())?;
    }
    Ok(Ending::Complete)
}
