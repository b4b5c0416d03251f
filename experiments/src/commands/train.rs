//! Trains the network of a game by self-play.

use crate::cli::files;
use crate::cli::outputs::{self, write_whole};
use crate::cli::progress::Progress;
use crate::cli::values::{cores, rate, share, threads, whole_number};
use crate::cli::{BadInput, Ending, in_words, note, print, print_json};
use anyhow::{Context, Result};
use clap::Parser;
use serde::Serialize;
use starsplit::search::StopFlag;
use starsplit_games::{Invalid, network};
use starsplit_training::{AnyTrainer, Options, Target, TrainingEnd};
use std::path::{Path, PathBuf};

/// Train the network of a game by self-play, by TD(lambda)
///
/// The same options give the same weights, byte for byte, however many threads play. How good they are is
/// told by match, between evaluators such as network:FILE. Where a default is not told, it is the game's own;
/// --json tells it.
#[derive(Debug, Parser)]
pub(super) struct TrainArgs {
    /// The game: dice, backgammon, hyper-backgammon or einstein
    #[arg(short, long, value_name = "NAME", default_value = "dice")]
    game: String,
    /// The rules of the game, such as size=5,run=4; what is left out has its default
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// How many games of self-play
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--games", 1..=u64::MAX))]
    games: Option<u64>,
    /// Seed of the starting weights and of every roll
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--seed", 0..=u64::MAX))]
    seed: u64,
    /// How much of a later surprise reaches each earlier position, 0 to 1
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = share("--lambda"))]
    lambda: Option<f32>,
    /// The length of the first game's steps for each weight; it falls with the square of the share of games
    /// left
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true, value_parser = rate)]
    rate: Option<f32>,
    /// The share of moves made at random, so that many kinds of positions are seen, 0 to 1
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = share("--explore"))]
    explore: Option<f32>,
    /// The share of moves that values take to be made at random, by both sides, 0 to 1; for --target mean
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = share("--slips"))]
    slips: Option<f32>,
    /// Games that are played with the same weights and learnt from at once; 0 to learn from every position as
    /// it is met
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--batch", 0..=1_000_000))]
    batch: Option<u64>,
    /// Towards what values are pulled: what came a step later, or the mean over all outcomes
    #[arg(long, value_name = "NAME")]
    target: Option<Target>,
    /// Threads that play; they make no difference to the weights [default: all cores]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    /// The file for the trained weights. One that is there is replaced only if it has weights for the same
    /// rules
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A file to save the run in now and then; an unfinished run found there goes on
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Games between two saves and reports of progress
    #[arg(long, value_name = "N", default_value_t = 50_000, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--every", 1..=u64::MAX))]
    every: u64,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// What is told of a run.
#[derive(Serialize)]
struct Printed<'a> {
    options: &'a Options,
    /// The mean squared difference between a position's value and the one that it was pulled towards, a step
    /// later, in each tenth of the training games; values run from -1 to 1.
    losses: Vec<f64>,
}

impl TrainArgs {
    fn options(&self, default_rules: &str) -> Options {
        let default = Options::default_for(&self.game, self.rules.as_deref().unwrap_or(default_rules));
        let target = self.target.unwrap_or(default.target);
        // What came is the one target that knows of no slips.
        let slips = if target == Target::Mean { default.slips } else { 0.0 };
        Options {
            games: self.games.unwrap_or(default.games),
            seed: self.seed,
            lambda: self.lambda.unwrap_or(default.lambda),
            rate: self.rate.unwrap_or(default.rate),
            explore: self.explore.unwrap_or(default.explore),
            slips: self.slips.unwrap_or(slips),
            batch: self.batch.unwrap_or(default.batch),
            target,
            ..default
        }
    }
}

/// Does what the command does. Whatever fails here fails because of an argument or a file that one names.
pub(super) fn run(args: &TrainArgs, stop: &StopFlag) -> Result<Ending> {
    train_named(args, stop).map_err(|error| BadInput::from_error(in_words(&error)).into())
}

fn train_named(args: &TrainArgs, stop: &StopFlag) -> Result<Ending> {
    let info = network::ALL.iter().find(|info| info.name == args.game);
    let rules = info.map_or("", |info| info.default_rules);
    let options = args.options(rules);
    let thing = if info.is_some() { "--rules" } else { "--game" };
    let named = |error: anyhow::Error| if error.is::<Invalid>() { error.context(thing) } else { error };
    if let Some(path) = &args.checkpoint {
        // What it must be is known where it is read.
        outputs::check("--checkpoint", path, "train", |_| true)?;
    }
    let mut trainer = match args.checkpoint.as_ref().filter(|path| path.exists()) {
        Some(path) => {
            let name = || format!("checkpoint {}", path.display());
            let bytes = files::read(path, files::WEIGHTS)
                .with_context(|| format!("{}: expected a file that can be read", name()))?;
            starsplit_training::trainer(options, Some(&bytes)).map_err(named).with_context(name)?
        }
        None => starsplit_training::trainer(options, None).map_err(named)?,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or_else(cores)).build()?;
    pool.install(|| train(args, &mut *trainer, stop))
}

fn train(args: &TrainArgs, trainer: &mut dyn AnyTrainer, stop: &StopFlag) -> Result<Ending> {
    // Before hours of training: whether what will be written after it can be, and has such weights now.
    if let Some(path) = &args.out {
        let are_weights = |bytes: Vec<u8>| trainer.are_weights(&bytes);
        let is_own = |path: &Path| files::read(path, files::WEIGHTS).is_ok_and(are_weights);
        outputs::check("--out", path, "train for these rules", is_own)?;
    }
    let games = trainer.options().games;
    if trainer.games_done() > 0 {
        note(format_args!("going on after {} of {games} games", trainer.games_done()));
    }
    let progress = Progress::new("train", games);
    let outcome = trainer.run(stop, args.every, &mut |trainer| {
        progress.reach(trainer.games_done());
        progress.say(format!("loss {:.5}", trainer.losses().pop().unwrap_or(0.0)));
        args.checkpoint.as_ref().map_or(Ok(()), |path| write_whole(path, &trainer.checkpoint()?))
    })?;
    drop(progress);
    if outcome == TrainingEnd::Stopped {
        note(format_args!("stopped after {} games", trainer.games_done()));
        return Ok(Ending::Stopped);
    }
    if let Some(path) = &args.out {
        write_whole(path, &trainer.weights()?)?;
    }
    let (options, losses) = (trainer.options(), trainer.losses());
    if args.json {
        print_json(&Printed { options, losses })?;
    } else {
        let losses: String = losses.iter().map(|loss| format!(" {loss:.5}")).collect();
        print(&format!("Loss in each tenth of the games:{losses}\n"))?;
    }
    Ok(Ending::Complete)
}
