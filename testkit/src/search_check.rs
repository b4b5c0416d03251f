//! Whether searches with a table find what searches without one do.

use super::bounds_check::plain_value;
use super::narrowed::Narrowed;
use super::plays::{Plays, Random, steps, text};
use super::report::Report;
use super::unmet;
use super::violation::{Fault, Violation};
use starsplit::Searcher;
use starsplit::evaluator::{Evaluator, mix64};
use starsplit::game::{Game, NodeKind};
use starsplit::score::{Bounds, Score};
use starsplit::search::Limits;
use starsplit::table::LocklessTable;
use starsplit_wrappers::OfInner;

/// How many moves and outcomes of each position are searched, play after play.
const WIDTHS: [Option<usize>; 4] = [Some(2), Some(3), Some(2), None];

/// The size of their table.
const TABLE_MIB: u64 = 1;

/// Positions, of a play and after it, that are searched with one table.
const ROOTS: u32 = 3;

/// The greatest depth, and so many positions that a plain search takes, at most.
const DEEPEST: u8 = 10;
const MOST: u32 = 1_500;

/// Searches positions of random plays from `start` with a table, as play does, and by plain recursion
/// without, to the same depths.
///
/// Each play has a position chosen, and some positions after it, which are searched with one table that is
/// kept. In one play of four they are searched as they are. In the others the game is narrowed: each position
/// keeps the same two or three of its moves and outcomes, so that searches come to depth 10, and the lines of
/// play meet. Plain searches take up to some thousand positions; what they cannot reach is not searched.
///
/// What is checked: both find the same value, and the table meets no contradiction. So a hash that forgets
/// something is found where it changes values, and so is a game whose other ways to say the same thing
/// ([`visit_moves`](Game::visit_moves), [`outcome_bounds`](Game::outcome_bounds)) say something else. The
/// fault names the hash that was searched, the depth and both values. The report counts
/// [`searches`](Report::searches).
///
/// # Errors
/// The first fault found, and the play that shows it.
pub fn check_searches<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    start: &G::Position,
    plays: &Plays,
) -> Result<Report, Violation> {
    let mut random = Random::new(mix64(!plays.seed));
    let mut report = Report::default();
    for (number, &width) in (0..plays.games).zip(WIDTHS.iter().cycle()) {
        let (path, base) = place_of_play(game, start, plays.max_plies, &mut random);
        let narrowed = Narrowed { full: game, salt: random.any(), width };
        check_around(narrowed, evaluator, path, &base, &mut random, &mut report)
            .map_err(|(path, fault)| Violation { game: number, path, fault })?;
        report.games += 1;
    }
    report.warn(unmet::of_searches(&report));
    Ok(report)
}

/// A position of a random play, each as likely, and the way to it.
fn place_of_play<G: Game>(
    game: &G,
    start: &G::Position,
    max_plies: u32,
    random: &mut Random,
) -> (Vec<String>, G::Position) {
    let (mut path, mut line) = (Vec::new(), vec![start.clone()]);
    for _ in 0..max_plies {
        let position = &line[line.len() - 1];
        let Some(step) = random.one_of(steps(game, position)) else { break };
        path.push(text(&step));
        line.push(step.take(game, position));
    }
    let chosen = random.below(line.len() as u32) as usize;
    path.truncate(chosen);
    (path, line.swap_remove(chosen))
}

/// Searches a position and some after it with one table.
fn check_around<G: Game, E: Evaluator<G>>(
    game: Narrowed<'_, G>,
    evaluator: &E,
    path: Vec<String>,
    base: &G::Position,
    random: &mut Random,
    report: &mut Report,
) -> Result<(), (Vec<String>, Fault)> {
    let table = match LocklessTable::new(TABLE_MIB) {
        Ok(table) => table,
        Err(error) => return Err((path, Fault::NotSearched { error: error.to_string() })),
    };
    let searcher = Searcher::new(game, OfInner(evaluator), table);
    for turn in 0..ROOTS {
        let (mut path, mut root) = (path.clone(), base.clone());
        for _ in 0..turn * (1 + random.below(3)) {
            let Some(step) = random.one_of(steps(&game, &root)) else { break };
            path.push(text(&step));
            root = step.take(&game, &root);
        }
        if game.kind(&root) != NodeKind::Terminal {
            check_search(&searcher, &root, report).map_err(|fault| (path, fault))?;
        }
    }
    Ok(())
}

/// Searches a position with the searcher's table, and without one.
fn check_search<G: Game, E: Evaluator<G>>(
    searcher: &Searcher<Narrowed<'_, G>, OfInner<&E>>,
    root: &G::Position,
    report: &mut Report,
) -> Result<(), Fault> {
    let (game, evaluator) = (searcher.game(), searcher.evaluator());
    let plain = |depth| plain_value(game, evaluator, root, depth, &mut { MOST });
    let values: Vec<Score> = (1..=DEEPEST).map_while(plain).collect();
    if values.is_empty() {
        return Ok(());
    }
    let mut wrong = None;
    let searched = searcher
        .request(root)
        .limits(Limits::depth(values.len() as u32))
        .on_iteration(|iteration| {
            let (depth, searched) = (iteration.depth, iteration.bounds);
            let plain = values[depth as usize - 1];
            if wrong.is_none() && searched != Bounds::exactly(plain) {
                wrong = Some((depth, plain, searched));
            }
        })
        .search();
    let contradictions = match searched {
        Ok(result) => result.stats.table.contradictions,
        Err(error) => return Err(Fault::NotSearched { error: error.to_string() }),
    };
    report.searches += 1;
    let (hash, width) = (game.hash(root), game.width);
    if let Some((depth, plain, searched)) = wrong {
        return Err(Fault::SearchedValue { hash, depth, width, plain, searched });
    }
    if contradictions > 0 {
        return Err(Fault::Contradictions { hash, depth: values.len() as u32, width, contradictions });
    }
    Ok(())
}
