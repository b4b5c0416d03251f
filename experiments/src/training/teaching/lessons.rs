//! Positions with the values that searches find.

use super::options::TeachingOptions;
use crate::question::door::{Entry, SearcherMaker};
use crate::question::doors;
use crate::training::play::{self, Greedy};
use anyhow::{Context, Result};
use rayon::prelude::*;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind};
use starsplit::search::{LaneOptions, Limits, Options, StopFlag};
use starsplit_games::KnownGame;
use starsplit_games::backgammon::network::Weights;
use starsplit_games::backgammon::{self, Backgammon, Position, Variant};
use starsplit_games::network::NetworkGame;
use starsplit_tables::AnyTable;

/// Games that are played and searched at a time.
const BLOCK: u64 = 128;

/// Games to a thread's turn.
const GAMES: usize = 4;

/// The size of a searcher's table.
const TABLE_MIB: u64 = 1;

/// Positions that wait for evaluations together, for teachers that are best in batches.
const LANES: usize = 16;

/// A position before a roll, and what a search of it found, as a share of the grid's limit, as its player
/// sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The position.
    pub position: Position,
    /// Its value.
    pub value: f32,
}

/// Who searches.
#[derive(Debug)]
pub struct Teacher<'a> {
    /// The game with the evaluator.
    pub maker: &'a dyn SearcherMaker,
    /// The depth of the searches.
    pub depth: u32,
}

impl Teacher<'_> {
    /// Searches each of these, in their order, by one thread.
    ///
    /// # Errors
    /// When a search fails, or the flag was raised.
    pub fn values(
        &self,
        game: &Backgammon,
        positions: Vec<Position>,
        stop: &StopFlag,
    ) -> Result<Vec<Lesson>> {
        let table = AnyTable::of_mib(TABLE_MIB)?;
        let lanes = LaneOptions { count: Some(LANES), ..LaneOptions::default() };
        let options = Options { lanes, ..Options::default() };
        let searcher = self.maker.searcher(&table, options, None);
        let limits = Limits::depth(self.depth).with_stop(stop.clone());
        let limit = game.facts().grid.limit() as f32;
        let lesson = |position: Position| {
            let entry = Entry::new(String::new(), position);
            let answer = searcher.search(&entry, &limits, &mut |_| {})?.answer;
            let score =
                answer.score().filter(|_| answer.depth == self.depth).context("a search was stopped")?;
            Ok(Lesson { position, value: score as f32 / limit })
        };
        positions.into_iter().map(lesson).collect()
    }
}

/// The positions that `options` ask for, searched; `None` when the flag was raised. `watch` is told how many
/// there are.
///
/// # Errors
/// When the game has no small network, a search fails, or many games have no positions.
pub fn collect(
    game: &Backgammon,
    options: &TeachingOptions,
    teacher: &Teacher<'_>,
    stop: &StopFlag,
    mut watch: impl FnMut(u64),
) -> Result<Option<Vec<Lesson>>> {
    let weights = game.trained().context("no small network plays under these rules")?;
    let weights = Weights::from_bytes(game.shape(), weights)?;
    let player = Greedy { evaluator: game.network(&weights)?, explore: options.explore };
    let wanted = options.positions as usize;
    let mut lessons = Vec::with_capacity(wanted);
    let mut first = 0;
    while lessons.len() < wanted {
        let games: Vec<u64> = (first..first + BLOCK).collect();
        let searched = games.par_chunks(GAMES).map(|games| {
            let positions = games.iter().flat_map(|&number| taken(game, &player, options, number)).collect();
            teacher.values(game, positions, stop)
        });
        let searched: Result<Vec<_>> = searched.collect();
        if stop.is_raised() {
            return Ok(None);
        }
        lessons.extend(searched?.into_iter().flatten());
        first += BLOCK;
        watch(lessons.len().min(wanted) as u64);
    }
    lessons.truncate(wanted);
    Ok(Some(lessons))
}

/// The positions that are taken of game `number`.
fn taken<E: Evaluator<Backgammon>>(
    game: &Backgammon,
    player: &Greedy<E>,
    options: &TeachingOptions,
    number: u64,
) -> Vec<Position> {
    let mut random = play::stream(options.seed, number);
    let mut positions = play::game(game, [player, player], &mut random);
    positions.retain(|position| {
        let is_open = game.kind(position) == NodeKind::Chance && !game.is_even(position);
        play::chance(&mut random, options.share) && is_open
    });
    positions
}

/// The searches of the game by the evaluator of that name.
///
/// # Errors
/// When there is none.
pub fn maker(game: &Backgammon, name: &str) -> Result<Box<dyn SearcherMaker>> {
    let info = match game.variant() {
        Variant::Backgammon => &backgammon::INFO,
        Variant::Hyper => &backgammon::HYPER_INFO,
    };
    Ok(doors::open(info, Some(&game.rules()))?.evaluator(name, 0)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit_games::backgammon::Scoring;

    fn options() -> TeachingOptions {
        TeachingOptions {
            rules: "scoring=points".to_owned(),
            positions: 40,
            seed: 5,
            explore: 0.2,
            share: 0.01,
            teacher: "pips".to_owned(),
            depth: 2,
            epochs: 1,
            batch: 1,
            rate: 0.001,
        }
    }

    #[test]
    fn lessons_do_not_depend_on_threads_and_are_the_values_of_searches() {
        let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
        let maker = maker(&game, "pips").unwrap();
        let teacher = Teacher { maker: &*maker, depth: 2 };
        let collected = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let asked = || collect(&game, &options(), &teacher, &StopFlag::new(), |_| ());
            pool.install(asked).unwrap().unwrap()
        };
        let lessons = collected(1);
        assert_eq!(lessons.len(), 40);
        assert_eq!(lessons, collected(3));
        let positions: Vec<_> = lessons.iter().map(|lesson| lesson.position).collect();
        assert_eq!(teacher.values(&game, positions, &StopFlag::new()).unwrap(), lessons);
    }

    #[test]
    fn a_raised_flag_ends_the_searches() {
        let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
        let maker = maker(&game, "pips").unwrap();
        let teacher = Teacher { maker: &*maker, depth: 2 };
        let stop = StopFlag::new();
        stop.stop();
        assert!(collect(&game, &options(), &teacher, &stop, |_| ()).unwrap().is_none());
    }
}
