//! What the tests of every game do alike: they hold it against the test kit, against numbers of other
//! programs, and against text that nobody should write.

use crate::erased::Blind;
use crate::mutations::Random;
use serde_json::Value;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Player};
use starsplit::score::Score;
use starsplit::search::{Algorithm, Limits};
use starsplit_games::perft::perft;
use starsplit_games::{EvaluatorVisitor, GameInfo, Invalid, KnownGame};
use starsplit_testkit::{Plays, check_evaluator, check_game, check_hash};
use std::fmt::Debug;

/// Mutations of each kind of text.
const MUTATIONS: usize = 10_000;

/// Holds the game under these rules, and all its evaluators, against the test kit; tells how many plays
/// ended.
pub(crate) fn check_contracts<G: KnownGame>(
    info: &'static GameInfo,
    rules: &str,
    start: &str,
    plays: Plays,
) -> u64 {
    let game = G::open(info, rules).unwrap();
    let position = game.parse(start).unwrap();
    check_hash(&game, &position, &plays, |position| game.hash_from_scratch(position)).unwrap();
    let report = check_game(&game, &position, &plays).unwrap();
    for evaluator in game.evaluators() {
        let check = CheckEvaluator { game: &game, position: &position, plays };
        game.visit_evaluator(evaluator.name, 1, check).unwrap();
    }
    report.games - report.unfinished
}

struct CheckEvaluator<'a, G: Game> {
    game: &'a G,
    position: &'a G::Position,
    plays: Plays,
}

impl<G: KnownGame> EvaluatorVisitor<G> for CheckEvaluator<'_, G> {
    type Output = ();

    fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) {
        check_evaluator(self.game, &evaluator, self.position, &self.plays).unwrap();
    }
}

/// Evaluators by name, each with its identity: the same where, and only where, it is the other but for time.
pub(crate) fn identities<G: KnownGame>(info: &'static GameInfo) -> Vec<(&'static str, u64)> {
    let game = G::open(info, info.default_rules).unwrap();
    let identity = |name| game.visit_evaluator(name, 1, Identity(&game)).unwrap();
    game.evaluators().iter().map(|evaluator| (evaluator.name, identity(evaluator.name))).collect()
}

struct Identity<'a, G>(&'a G);

impl<G: KnownGame> EvaluatorVisitor<G> for Identity<'_, G> {
    type Output = u64;

    fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) -> u64 {
        evaluator.facts(self.0).identity
    }
}

/// The evaluators that declare that they saturate, by name.
pub(crate) fn saturating<G: KnownGame>(game: &G) -> Vec<&'static str> {
    let declares = |name| game.visit_evaluator(name, 1, Saturates(game)).unwrap();
    game.evaluators().iter().map(|evaluator| evaluator.name).filter(|name| declares(name)).collect()
}

struct Saturates<'a, G>(&'a G);

impl<G: KnownGame> EvaluatorVisitor<G> for Saturates<'_, G> {
    type Output = bool;

    fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) -> bool {
        evaluator.facts(self.0).saturates
    }
}

/// Compares perft counts, and values at fixed depths, with those of another program.
pub(crate) fn check_oracle<G: KnownGame>(info: &'static GameInfo, oracle: &str) {
    let oracle: Value = serde_json::from_str(oracle).unwrap();
    let counts = oracle["perft"].as_array().unwrap();
    let mut most = 0;
    for entry in counts {
        let (game, position, depth) = asked::<G>(info, entry);
        let lines = perft(&game, &position, depth, &mut || true);
        assert_eq!(lines, entry["lines"].as_u64(), "{entry}");
        most = most.max(lines.unwrap_or(0));
    }
    assert!(counts.len() >= 20 && most > 10_000_000, "{} counts up to {most}", counts.len());

    let values = oracle["values"].as_array().unwrap();
    for entry in values {
        let (game, position, depth) = asked::<G>(info, entry);
        let evaluator = entry["evaluator"].as_str().unwrap();
        let evaluator = Blind::named(&game, evaluator, 1).unwrap();
        for (how, found) in values_of(&game, &evaluator, &position, depth) {
            let expected = entry["value"].as_f64().unwrap();
            assert!((found - expected).abs() < 1e-6, "{how} finds {found}: {entry}");
        }
    }
    assert!(values.len() >= 20, "{} values", values.len());
}

/// Compares what searches find at a depth with what the definition says; gives the value by each evaluator
/// but `slow`, which is another that takes longer.
pub(crate) fn check_agreement<G: KnownGame>(game: &G, position: &G::Position, depth: u32) -> Vec<f64> {
    let evaluators = game.evaluators().into_iter().filter(|evaluator| evaluator.name != "slow");
    let agreed = evaluators.map(|evaluator| {
        let values = values_of(game, &Blind::named(game, evaluator.name, 1).unwrap(), position, depth);
        let agree = values.iter().all(|(_, value)| (value - values[0].1).abs() < 1e-6);
        assert!(agree, "{} at depth {depth}: {values:?}", evaluator.name);
        values[0].1
    });
    agreed.collect()
}

/// The game, position and depth that an entry of an oracle asks about.
pub(crate) fn asked<G: KnownGame>(info: &'static GameInfo, entry: &Value) -> (G, G::Position, u32) {
    let game = G::open(info, entry["rules"].as_str().unwrap()).unwrap();
    let position = game.parse(entry["position"].as_str().unwrap()).unwrap();
    (game, position, entry["depth"].as_u64().unwrap() as u32)
}

/// A searcher to this depth, of any evaluator.
pub(crate) fn searcher_by<G: KnownGame, E: Evaluator<G>>(
    game: &G,
    evaluator: E,
    depth: u32,
    algorithm: Algorithm,
) -> Searcher<G, E> {
    let builder = Searcher::builder(game.clone(), evaluator).table_mib(4);
    builder.algorithm(algorithm).limits(Limits::depth(depth)).build().unwrap()
}

/// What searches find, and the definition, each under its name.
fn values_of<G: KnownGame>(
    game: &G,
    evaluator: &Blind<G>,
    position: &G::Position,
    depth: u32,
) -> Vec<(String, f64)> {
    let mut values = vec![];
    for algorithm in [Algorithm::Star2Tt, Algorithm::Expectimax] {
        let searcher = searcher_by(game, evaluator.clone(), depth, algorithm);
        let result = searcher.search(position).unwrap();
        assert!(result.bounds.is_exact());
        values.push((format!("{algorithm:?}"), result.value));
        // The mean over the leaves of best play is the value, too.
        let write = |leaf: &G::Position, mean: &mut [f64]| mean[0] = value(game, evaluator, leaf, 0);
        let limits = Limits::depth(result.depth);
        let found = searcher.request(position).limits(limits.clone()).expectation(1, write).unwrap().unwrap();
        values.push((format!("best play by {algorithm:?}"), found.payload[0] + found.rewards));
    }
    values.push(("recursion".to_owned(), value(game, evaluator, position, depth)));
    values
}

/// The value for the first player by the definition, in floating point.
fn value<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, position: &G::Position, depth: u32) -> f64 {
    let for_max = |score: Score| {
        game.facts().grid.value(if game.player(position) == Player::Max { score } else { -score })
    };
    match game.kind(position) {
        NodeKind::Terminal => for_max(game.terminal_score(position)),
        _ if depth == 0 => {
            let limit = game.facts().grid.limit();
            let score = evaluator.evaluate(game, position, &evaluator.state(game, position, None));
            for_max(score.clamp(-limit, limit))
        }
        NodeKind::Decision => {
            let mut values = vec![];
            game.moves(position, |mv| {
                values.push(value(game, evaluator, &game.play(position, mv), depth - 1))
            });
            let best = if game.player(position) == Player::Max { f64::max } else { f64::min };
            values.into_iter().reduce(best).unwrap()
        }
        NodeKind::Chance => {
            let (mut sum, mut weights) = (0.0, 0.0);
            game.outcomes(position, |outcome, weight| {
                let after = game.resolve(position, outcome);
                sum += f64::from(weight) * value(game, evaluator, &after, depth - 1);
                weights += f64::from(weight);
            });
            sum / weights
        }
    }
}

/// Plays at random, and reads back every unfinished position that is written on the way; gives these texts.
pub(crate) fn check_round_trips<G: KnownGame>(game: &G, plays: usize) -> Vec<String> {
    let mut random = Random::new(7);
    let mut texts = vec![];
    for _ in 0..plays {
        let mut position = game.initial();
        for _ in 0..200 {
            let text = game.notation(&position);
            assert_one_line(&text);
            assert!(game.draw(&position).ends_with('\n'));
            if game.kind(&position) == NodeKind::Terminal {
                break;
            }
            let read = game.parse(&text).unwrap();
            assert_eq!(format!("{read:?}"), format!("{position:?}"), "{text}");
            position = step(game, &position, &mut random);
            texts.push(text);
        }
    }
    texts
}

/// The position after a random move or outcome, whose text is read back too.
fn step<G: KnownGame>(game: &G, position: &G::Position, random: &mut Random) -> G::Position {
    if game.kind(position) == NodeKind::Chance {
        let mut outcomes = vec![];
        game.outcomes(position, |outcome, _| outcomes.push(outcome));
        let outcome = outcomes[random.below(outcomes.len())];
        assert_one_line(&game.outcome_text(position, outcome));
        return game.resolve(position, outcome);
    }
    let moves = moves(game, position);
    for &mv in &moves {
        let text = game.move_text(position, mv);
        assert_one_line(&text);
        assert_eq!(game.parse_move(position, &format!(" {}", text.to_uppercase())), Ok(mv), "{text}");
    }
    game.play(position, moves[random.below(moves.len())])
}

/// Mutates texts of positions, rules and moves: each is read as something that can be written and searched,
/// or refused in a line.
pub(crate) fn check_mutated_texts<G: KnownGame>(game: &G, info: &'static GameInfo, positions: &[String]) {
    let mut random = Random::new(11);
    let (mut read, mut refused) = ([0; 3], [0; 3]);
    let mut count = |kind: usize, complaint: Option<Invalid>| match complaint {
        None => read[kind] += 1,
        Some(complaint) => {
            assert_one_line(&complaint.to_string());
            refused[kind] += 1;
        }
    };
    for _ in 0..MUTATIONS {
        let position = &positions[random.below(positions.len())];
        let text = random.mutated(position);
        let found = game.parse(&text);
        if let Ok(found) = &found {
            check_usable(game, found);
        }
        count(0, found.err());

        let rules = random.mutated(&game.rules());
        let opened = G::open(info, &rules);
        if let Ok(opened) = &opened {
            let again = G::open(info, &opened.rules()).unwrap();
            assert_eq!((again.rules(), again.identity()), (opened.rules(), opened.identity()));
        }
        count(1, opened.err());

        let position = game.parse(position).unwrap();
        let moves = moves(game, &position);
        let meant = moves.first().map_or_else(|| "pass".to_owned(), |mv| game.move_text(&position, *mv));
        let found = game.parse_move(&position, &random.mutated(&meant));
        assert!(found.as_ref().is_ok_and(|mv| moves.contains(mv)) || found.is_err());
        count(2, found.err());
    }
    assert!(read.iter().chain(&refused).all(|&texts| texts > 0), "{read:?} read, {refused:?} refused");
}

fn check_usable<G: KnownGame>(game: &G, position: &G::Position) {
    let text = game.notation(position);
    assert_one_line(&text);
    assert_eq!(game.notation(&game.parse(&text).unwrap()), text);
    assert!(!game.draw(position).is_empty());
    assert_eq!(game.hash(position), game.hash_from_scratch(position));
    let mut successors = 0;
    match game.kind(position) {
        NodeKind::Terminal => panic!("{text} is over"),
        NodeKind::Decision => {
            game.moves(position, |mv| successors += u32::from(goes_on(game, &game.play(position, mv))))
        }
        NodeKind::Chance => game.outcomes(position, |outcome, _| {
            successors += u32::from(goes_on(game, &game.resolve(position, outcome)));
        }),
    }
    assert!(successors > 0, "{text}");
}

/// Whether the position can be written; always so.
fn goes_on<G: KnownGame>(game: &G, position: &G::Position) -> bool {
    !game.notation(position).is_empty()
}

fn moves<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = vec![];
    if game.kind(position) == NodeKind::Decision {
        game.moves(position, |mv| moves.push(mv));
    }
    moves
}

fn assert_one_line(text: &str) {
    assert!(!text.is_empty() && !text.chars().any(char::is_control), "{text:?}");
}
