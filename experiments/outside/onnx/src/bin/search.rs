//! Writes backgammon's perceptron as a model in ONNX, has tract run it, and searches a position with it one
//! evaluation at a time, in batches without lanes and in lanes, beside `mlp` itself. Ends with an error where
//! the values differ.
//!
//! `cargo run --release --bin search [DEPTH] [FILE]`; the model goes to FILE if one is named.

use anyhow::{Context, Result, ensure};
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind};
use starsplit::search::{LaneOptions, Limits, Options, SearchResult};
use starsplit_games::KnownGame;
use starsplit_games::backgammon::mlp::{Mlp, Weights};
use starsplit_games::backgammon::{Backgammon, Move, Outcome, Position, Scoring, Variant};
use starsplit_onnx::company::Company;
use starsplit_onnx::evaluator::{OnnxMlp, TRAINED};
use starsplit_onnx::versions::{processor, told};
use starsplit_testkit::{Plays, check_evaluator};
use starsplit_wrappers::Padded;

/// A position of the suite that comes with the game, before a roll.
const POSITION: &str = "AgCX1wcHAK9HRA x -";

/// How the searches make their evaluations: one at a time, in batches without lanes, and in lanes.
const WAYS: [(&str, Way); 3] = [
    ("one at a time", Way { lanes: 1, batch: 1 }),
    ("siblings together", Way { lanes: 1, batch: BATCH }),
    ("8 lanes", Way { lanes: 8, batch: BATCH }),
];

/// How many lanes a search has, and how many evaluations a call at the most.
#[derive(Clone, Copy)]
struct Way {
    lanes: usize,
    batch: usize,
}

/// Plies that are searched where nothing is said.
const DEPTH: u32 = 5;

/// How many evaluations a call takes at the most.
const BATCH: usize = 64;

/// Rows whose bits are compared alone and in company.
const ROWS: usize = 256;

/// Each search is made so often; the shortest time counts.
const TIMES: usize = 3;

/// As many positions of games without much of a plan.
fn positions(game: &Backgammon, count: usize) -> Vec<Position> {
    let (mut found, mut position, mut number) = (Vec::new(), game.initial(), 0);
    while found.len() < count {
        number += 1;
        let (mut outcomes, mut moves) = (Vec::new(), Vec::new());
        position = match game.kind(&position) {
            NodeKind::Terminal => game.initial(),
            NodeKind::Chance => {
                game.outcomes(&position, |outcome, _| outcomes.push(outcome));
                game.resolve(&position, outcomes[number * 7 % outcomes.len()])
            }
            NodeKind::Decision => {
                game.moves(&position, |mv| moves.push(mv));
                game.play(&position, moves[number * 5 % moves.len()])
            }
        };
        if game.kind(&position) == NodeKind::Chance {
            found.push(position);
        }
    }
    found
}

/// A search from an empty table.
fn search<E: Evaluator<Backgammon>>(
    game: &Backgammon,
    evaluator: &E,
    way: Way,
    depth: u32,
) -> Result<SearchResult<Move, Outcome>> {
    let options = Options {
        lanes: LaneOptions { count: Some(way.lanes), batch: Some(way.batch), ..LaneOptions::default() },
        ..Options::default()
    };
    let searcher = Searcher::builder(game.clone(), evaluator).options(options).limits(Limits::depth(depth));
    Ok(searcher.build()?.search(&game.parse(POSITION)?)?)
}

/// Searches in each of these ways, prints what it took, and gives the value.
fn compare<E: Evaluator<Backgammon>>(
    game: &Backgammon,
    name: &str,
    evaluator: &E,
    depth: u32,
    ways: &[(&str, Way)],
) -> Result<f64> {
    let mut values = Vec::new();
    for &(called, way) in ways {
        let mut results = Vec::new();
        for _ in 0..TIMES {
            results.push(search(game, evaluator, way, depth)?);
        }
        let result = results.iter().min_by_key(|result| result.elapsed).context("no search")?;
        let evaluations = result.stats.nodes.evaluations;
        // What is in no batch is a call of its own.
        let calls = evaluations - result.stats.batches.evaluations + result.stats.batches.calls;
        let milliseconds = result.elapsed.as_secs_f64() * 1e3;
        let value = result.value;
        println!("| {name} | {called} | {value:+.12} | {evaluations} | {calls} | {milliseconds:.1} |");
        values.extend(results.iter().map(|result| result.value));
    }
    let value = *values.first().context("no way")?;
    let is_one = values.iter().all(|other| other.to_bits() == value.to_bits());
    ensure!(is_one, "{name}: the values differ: {values:?}");
    Ok(value)
}

/// How far two evaluators are apart, as shares of the grid's limit: in the mean, and at most.
fn apart<A: Evaluator<Backgammon>, B: Evaluator<Backgammon>>(
    game: &Backgammon,
    one: &A,
    other: &B,
    positions: &[Position],
) -> (f64, f64) {
    let differences = positions.iter().map(|position| {
        let one = one.evaluate(game, position, &one.state(game, position, None));
        let other = other.evaluate(game, position, &other.state(game, position, None));
        f64::from(one.abs_diff(other)) / f64::from(game.facts().grid.limit())
    });
    let (sum, most) = differences.fold((0.0, 0.0f64), |(sum, most), next| (sum + next, most.max(next)));
    (sum / positions.len() as f64, most)
}

/// Has the test kit look for faults.
fn check<E: Evaluator<Backgammon>>(game: &Backgammon, evaluator: &E) -> Result<()> {
    let plays = Plays { games: 2, max_plies: 60, seed: 1 };
    check_evaluator(game, evaluator, &game.initial(), &plays)?;
    Ok(())
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(DEPTH), |depth| depth.parse()).context("DEPTH")?;
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    let onnx = OnnxMlp::trained(&game)?;
    if let Some(file) = arguments.next() {
        std::fs::write(&file, onnx.bytes()).with_context(|| file.clone())?;
    }
    println!("{}; {}", told(&["tract-onnx"]), processor());
    println!("model: {} bytes, rows of {} inputs, any number of them", onnx.bytes().len(), onnx.width());

    let mlp = Mlp::new(&game, &Weights::from_bytes(&game, TRAINED)?)?;
    let positions = positions(&game, ROWS);
    let (mean, most) = apart(&game, &mlp, &onnx, &positions);
    // The first layer of `mlp` is rounded to integers. More than this is a fault of the model.
    ensure!(most < 0.02, "an evaluation is {most} off that of mlp");
    println!("{ROWS} evaluations beside those of mlp: {mean:.5} apart in the mean, {most:.5} at most");

    let rows: Vec<f32> = positions.iter().flat_map(|position| onnx.row(&game, position)).collect();
    let company = Company::of(&rows, onnx.width(), |rows| onnx.model().run(rows))?;
    println!("the same bits in calls of 1 to {ROWS} rows: {company}");
    println!("position {POSITION}, depth {depth}, calls of {BATCH} at the most\n");

    println!("| evaluator | calls are for | value | evaluations | calls | ms |\n|---|---|---|---|---|---|");
    compare(&game, "mlp", &mlp, depth, &WAYS)?;
    let padded = Padded::new(&onnx, BATCH);
    if company.is_any() {
        check(&game, &onnx)?;
        let value = compare(&game, "mlp in ONNX by tract", &onnx, depth, &WAYS)?;
        // Not needed here: this is what it costs where it is.
        let other = compare(&game, "the same, all calls of 64", &padded, depth, &WAYS[1..])?;
        ensure!(value.to_bits() == other.to_bits(), "the value depends on the size of the calls");
    } else {
        check(&game, &padded)?;
        compare(&game, "mlp in ONNX by tract, all calls of 64", &padded, depth, &WAYS)?;
    }
    println!("\neach evaluator: one value to the last bit, in whatever calls");
    Ok(())
}
