//! Values, numbers of nodes, hashes and identities, which are the same on every machine: serial searches of
//! every game, compared with `values.txt`. It needs no threads and no files, so that it runs where there are
//! none.
//!
//! `values` compares, and exits with 1 where a line differs; `values --print` writes the lines. `mlp` may have
//! another identity, which says that its values may be others; with `values --mlp-too` it may not.

use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, PositionHash};
use starsplit::search::{Limits, Options};
use starsplit_games::{EvaluatorVisitor, GameInfo, Invalid, KnownGame};
use starsplit_games::{abalone, backgammon, dice, einstein, pig, twenty48};
use std::fmt::Debug;
use std::process::ExitCode;

const RECORDED: &str = include_str!("values.txt");

/// One search, whatever the evaluator.
struct Search<'a, G: KnownGame> {
    game: &'a G,
    text: &'a str,
    depth: u32,
}

impl<G: KnownGame> EvaluatorVisitor<G> for Search<'_, G> {
    type Output = Result<String, Box<dyn std::error::Error>>;

    fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) -> Self::Output {
        let position = self.game.parse(self.text)?;
        let identity = evaluator.facts(self.game).identity;
        let searcher = Searcher::builder(self.game.clone(), evaluator)
            .options(Options { threads: 1, ..Options::default() })
            .table_mib(16)
            .limits(Limits::depth(self.depth))
            .build()?;
        let found = searcher.search(&position)?;
        let PositionHash { high, low } = Game::hash(self.game, &position);
        let (value, nodes) = (found.value, found.stats.nodes.total());
        let (text, depth) = (self.text, self.depth);
        Ok(format!("{text} | depth {depth}: {value}, {nodes} nodes, {high:016x}{low:016x}, {identity:016x}"))
    }
}

/// A line for each of the first positions of the game's first suite.
fn lines<G: KnownGame>(
    info: &GameInfo,
    (evaluator, depth): (&str, u32),
    lines: &mut Vec<String>,
) -> Result<(), Box<dyn std::error::Error>> {
    let game = G::open(info, info.default_rules)?;
    let (_, suite) = info.suites.first().ok_or_else(|| Invalid::new("game", info.name, "a suite"))?;
    let positions = suite.lines().filter(|line| game.parse(line).is_ok());
    for text in positions.take(3) {
        let line = game.visit_evaluator(evaluator, 1, Search { game: &game, text, depth })??;
        lines.push(format!("{} {evaluator} {line}", info.name));
    }
    Ok(())
}

fn all() -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut all = Vec::new();
    let dice = dice::Dice::open(&dice::INFO, dice::INFO.default_rules)?;
    let search = Search { game: &dice, text: "x.o../..x../.oo../.x..o/...x. x r3", depth: 10 };
    all.push(format!("dice network {}", dice.visit_evaluator("network", 1, search)??));
    lines::<dice::Dice>(&dice::INFO, ("network", 7), &mut all)?;
    lines::<pig::Pig>(&pig::INFO, ("constant", 9), &mut all)?;
    lines::<einstein::Einstein>(&einstein::INFO, ("network", 5), &mut all)?;
    lines::<backgammon::Backgammon>(&backgammon::INFO, ("network", 3), &mut all)?;
    lines::<backgammon::Backgammon>(&backgammon::INFO, ("mlp", 1), &mut all)?;
    lines::<backgammon::Backgammon>(&backgammon::HYPER_INFO, ("network", 5), &mut all)?;
    let evaluator = twenty48::INFO.evaluators[0].name;
    lines::<twenty48::Twenty48>(&twenty48::INFO, (evaluator, 5), &mut all)?;
    let evaluator = abalone::INFO.evaluators[0].name;
    lines::<abalone::Abalone>(&abalone::INFO, (evaluator, 3), &mut all)?;
    Ok(all)
}

/// Whether both lines end in the same identity.
fn same_identity((found, recorded): &(&String, &&str)) -> bool {
    found.rsplit(", ").next() == recorded.rsplit(", ").next()
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let found = all()?;
    let flag = std::env::args().nth(1);
    if flag.as_deref() == Some("--print") {
        found.iter().for_each(|line| println!("{line}"));
        return Ok(ExitCode::SUCCESS);
    }
    let recorded: Vec<_> = RECORDED.lines().collect();
    let mlp_too = flag.as_deref() == Some("--mlp-too");
    let is_another = |pair: &(&String, &&str)| !mlp_too && pair.0.contains(" mlp ") && !same_identity(pair);
    let differ = |pair: &(&String, &&str)| pair.0 != pair.1 && !is_another(pair);
    let wrong = found.iter().zip(&recorded).filter(differ);
    let differing =
        wrong.inspect(|(found, recorded)| println!("recorded {recorded}\nfound    {found}")).count();
    println!("{} lines, {differing} differ, {} recorded", found.len(), recorded.len());
    Ok(ExitCode::from(u8::from(differing > 0 || found.len() != recorded.len())))
}
