//! Teaches backgammon's perceptron what searches find, and reports how good it is.

use anyhow::{Context, Result};
use clap::Parser;
use starsplit::search::StopFlag;
use starsplit_experiments::cli::files;
use starsplit_experiments::cli::outputs::{self, write_whole};
use starsplit_experiments::cli::progress::Progress;
use starsplit_experiments::cli::values::{cores, depth, rate, share, threads, whole_number};
use starsplit_experiments::cli::{self, BadInput, Ending, note, print, print_json};
use starsplit_experiments::training::teaching::{
    JudgementEffort, Lesson, Pupil, Teacher, TeachingOptions, collect, judge, maker,
};
use starsplit_experiments::training::{TrainingEnd, play};
use starsplit_games::KnownGame;
use starsplit_games::backgammon::mlp::Weights;
use starsplit_games::backgammon::{self, Backgammon};
use std::path::PathBuf;
use std::process::ExitCode;

/// The most positions that are learnt: all are kept in memory.
const MOST: u64 = 50_000_000;

/// Teaches backgammon's perceptron, the evaluator mlp, what searches with another evaluator find. On one
/// machine the same options give the same weights, byte for byte, however many threads there are.
#[derive(Debug, Parser)]
struct Args {
    /// The game: backgammon or hyper-backgammon.
    #[arg(long, default_value = "backgammon")]
    game: String,
    /// The rules of the game, such as scoring=points.
    #[arg(long)]
    rules: Option<String>,
    /// Positions to learn, from games of the small network against itself.
    #[arg(long, default_value_t = 1_000_000, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--positions", 1..=MOST))]
    positions: u64,
    /// Chooses the games, the starting weights and the order of the positions.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--seed", 0..=u64::MAX))]
    seed: u64,
    /// The share of the games' moves that are made at random, 0 to 1.
    #[arg(long, default_value_t = 0.2, allow_negative_numbers = true, value_parser = share("--explore"))]
    explore: f32,
    /// The share of a game's positions that are taken, 0 to 1.
    #[arg(long, default_value_t = 0.3, allow_negative_numbers = true, value_parser = share("--share"))]
    share: f32,
    /// The evaluator of the searches that teach.
    #[arg(long, value_name = "EVALUATOR", default_value = "network")]
    teacher: String,
    /// The depth of the searches that teach.
    #[arg(long, default_value_t = 2, allow_negative_numbers = true, value_parser = depth)]
    depth: u32,
    /// How often each position is learnt.
    #[arg(long, default_value_t = 8, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--epochs", 1..=100_000))]
    epochs: u64,
    /// Positions to a step.
    #[arg(long, default_value_t = 256, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--batch", 1..=1_000_000))]
    batch: u64,
    /// The length of the first step for each weight; it falls with the square of the share of steps left.
    #[arg(long, default_value_t = 0.001, allow_negative_numbers = true, value_parser = rate)]
    rate: f32,
    /// A file of weights to begin with, instead of random ones.
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Threads; they make no difference to the weights [default: all cores].
    #[arg(long, allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    /// The file for the weights. One that is there is replaced only if it has weights for the same rules.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Games of the match that measures strength; 0 for none.
    #[arg(long, default_value_t = 10_000, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--matches", 0..=MOST))]
    matches: u64,
    /// The evaluator that the perceptron is compared with.
    #[arg(long, value_name = "EVALUATOR", default_value = "network")]
    opponent: String,
    /// Held-out positions to compare with deeper searches by the opponent; 0 for none.
    #[arg(long, default_value_t = 1000, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--held-out", 0..=MOST))]
    held_out: u64,
    /// The depth of these searches.
    #[arg(long, default_value_t = 4, allow_negative_numbers = true, value_parser = depth)]
    judge_depth: u32,
    /// Chooses the games of the match and the held-out positions.
    #[arg(long, default_value_t = 1_000_003, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--judge-seed", 0..=u64::MAX))]
    judge_seed: u64,
    /// Writes one JSON object to standard output instead of a table.
    #[arg(long)]
    json: bool,
}

impl Args {
    fn game(&self) -> Result<Backgammon, BadInput> {
        let infos = [&backgammon::INFO, &backgammon::HYPER_INFO];
        let info = infos
            .into_iter()
            .find(|info| info.name == self.game)
            .ok_or_else(|| BadInput::new("--game", &self.game, "expected backgammon or hyper-backgammon"))?;
        Ok(Backgammon::open(info, self.rules.as_deref().unwrap_or(info.default_rules))?)
    }

    fn options(&self, game: &Backgammon) -> TeachingOptions {
        TeachingOptions {
            rules: game.rules(),
            positions: self.positions,
            seed: self.seed,
            explore: self.explore,
            share: self.share,
            teacher: self.teacher.clone(),
            depth: self.depth,
            epochs: self.epochs as u32,
            batch: self.batch as u32,
            rate: self.rate,
        }
    }

    fn effort(&self) -> JudgementEffort {
        JudgementEffort {
            opponent: self.opponent.clone(),
            matches: self.matches,
            held_out: self.held_out,
            depth: self.judge_depth,
            seed: self.judge_seed,
        }
    }

    /// The weights to begin with.
    fn start(&self, game: &Backgammon) -> Result<Weights> {
        let Some(path) = &self.start else { return Ok(Weights::random(game, self.seed)) };
        let name = || format!("--start {}", path.display());
        let bytes = files::read(path, files::WEIGHTS)
            .with_context(|| format!("{}: expected a file that can be read", name()))?;
        Weights::from_bytes(game, &bytes).with_context(name)
    }

    /// Refuses, before anything is learnt, what could not be done after it.
    fn check(&self, game: &Backgammon) -> Result<()> {
        if self.share == 0.0 {
            return Err(BadInput::new("--share", "0", "expected a number above 0, at most 1").into());
        }
        play::greedy_by_name(game, &self.opponent)?;
        let is_own = |path: &std::path::Path| {
            let weights = files::read(path, files::WEIGHTS).ok();
            weights.is_some_and(|weights| Weights::from_bytes(game, &weights).is_ok())
        };
        if let Some(path) = &self.out {
            outputs::check("--out", path, "teach for these rules", is_own)?;
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    // Whatever fails here fails because of an argument or a file that one names.
    cli::main_with(|args: Args, stop| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or_else(cores)).build()?;
        let ending = pool.install(|| run(&args, stop));
        ending.map_err(|error| BadInput::from_error(format!("{error:#}")).into())
    })
}

fn run(args: &Args, stop: &StopFlag) -> Result<Ending> {
    let game = args.game()?;
    args.check(&game)?;
    let options = args.options(&game);
    let mut pupil = Pupil::new(game.clone(), args.start(&game)?);
    let Some(lessons) = lessons(&game, &options, stop)? else { return Ok(stopped("the searches")) };
    let progress = Progress::new("teach", options.positions * u64::from(options.epochs));
    let end = pupil.learn(&lessons, &options, stop, |done, loss| {
        progress.reach(done);
        progress.say(loss.map_or_else(String::new, |loss| format!("loss {loss:.6}")));
    });
    drop(progress);
    if end == TrainingEnd::Stopped {
        return Ok(stopped("learning"));
    }
    if let Some(path) = &args.out {
        write_whole(path, &pupil.weights().to_bytes(&game)?)?;
    }
    let judged = judge(&game, pupil.weights(), (&options, pupil.losses()), &args.effort(), stop)?;
    let Some(judgement) = judged else { return Ok(stopped("judging")) };
    if args.json {
        print_json(&judgement)?;
    } else {
        print(&judgement.table())?;
    }
    Ok(Ending::Complete)
}

fn lessons(game: &Backgammon, options: &TeachingOptions, stop: &StopFlag) -> Result<Option<Vec<Lesson>>> {
    let maker = maker(game, &options.teacher).context("--teacher")?;
    let teacher = Teacher { maker: &*maker, depth: options.depth };
    let progress = Progress::new("search", options.positions);
    collect(game, options, &teacher, stop, |done| progress.reach(done))
}

fn stopped(during: &str) -> Ending {
    note(format_args!("stopped during {during}"));
    Ending::Stopped
}
