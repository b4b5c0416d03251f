//! The players of a match as they play: a search of ours, or anyone at random.

use crate::matches::level::Level;
use crate::matches::protocol::Info;
use crate::matches::rolls::below;
use crate::question::door::{Answer as DoorAnswer, AnySearcher, Asked, Door, Entry};
use crate::question::line::words_of;
use crate::question::ranked::Ranked;
use starsplit::game::Step;
use starsplit::score::Bounds;
use starsplit::search::{Iteration, Limits, RootRanking, Stats, StopFlag};
use starsplit::table::Table;
use std::fmt;
use std::sync::Arc;

/// A choice that a player has.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The position, a decision node.
    pub position: &'a Entry,
    /// Its moves, two at least.
    pub moves: &'a [String],
    /// Bits for whoever plays at random.
    pub bits: u64,
}

/// What a player has chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// The move, in the game's or a person's words.
    pub text: String,
    /// What that took.
    pub info: Info,
}

/// Somebody who plays.
pub trait Chooser: Send {
    /// What complaints call it.
    fn name(&self) -> String;

    /// Forgets the game before.
    ///
    /// # Errors
    /// When it cannot play another.
    fn new_game(&mut self) -> anyhow::Result<()>;

    /// Chooses a move; none where a stop came first.
    ///
    /// # Errors
    /// When it cannot.
    fn choose(&mut self, choice: &Choice<'_>) -> anyhow::Result<Option<Chosen>>;
}

/// Any move, all equally likely.
#[derive(Clone, Copy, Debug)]
pub struct RandomPlayer;

impl Chooser for RandomPlayer {
    fn name(&self) -> String {
        "the random player".to_owned()
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    fn choose(&mut self, choice: &Choice<'_>) -> anyhow::Result<Option<Chosen>> {
        let place = below(choice.bits, choice.moves.len() as u64) as usize;
        Ok(Some(Chosen { text: choice.moves[place].clone(), ..Chosen::default() }))
    }
}

/// A search of ours.
pub struct SearchPlayer<'t> {
    /// The door to the game.
    pub door: Arc<dyn Door>,
    /// What searches, with a table that nobody else uses.
    pub searcher: Box<dyn AnySearcher + 't>,
    /// How far.
    pub level: Level,
    /// What stops it.
    pub stop: StopFlag,
}

impl fmt::Debug for SearchPlayer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SearchPlayer").field(&self.searcher).field(&self.level).finish()
    }
}

impl SearchPlayer<'_> {
    /// The best move of a position, if it has moves; none where a stop came first.
    ///
    /// # Errors
    /// Whatever ends the search with an error.
    pub fn best(&self, position: &Entry, moves: &[String]) -> anyhow::Result<Option<Chosen>> {
        let timed = self.searcher.search(position, &self.limits(position)?, &mut |_| {})?;
        Ok(self.chosen(&timed.answer, moves))
    }

    /// The same; `watch` is told what every iteration comes to, with the nodes of the first thread.
    ///
    /// # Errors
    /// As [`best`](Self::best).
    pub(super) fn best_while(
        &self,
        position: &Entry,
        moves: &[String],
        watch: &mut dyn FnMut(Info),
    ) -> anyhow::Result<Option<Chosen>> {
        let mut tell = |found: &Iteration<String, String>| {
            watch(self.info(found.depth, found.stats, found.bounds, &found.pv));
        };
        let limits = self.limits(position)?;
        let timed = self.searcher.search_with(position, Asked::from(&limits), &mut tell)?;
        Ok(self.chosen(&timed.answer, moves))
    }

    /// The `top` best moves of a position with their values, and to what depth; none where a stop came first.
    ///
    /// # Errors
    /// As [`best`](Self::best).
    pub(super) fn ranked(&self, position: &Entry, top: u32) -> anyhow::Result<Option<(Ranked, u32)>> {
        let limits = self.limits(position)?;
        let asked = Asked { root_ranking: Some(RootRanking::Best(top)), ..Asked::from(&limits) };
        let answer = self.searcher.search_with(position, asked, &mut |_| {})?.answer;
        if self.stop.is_raised() {
            return Ok(None);
        }
        let ranked = Ranked::new(&*self.searcher, position, (&answer, &limits), top.into())?;
        Ok(Some((ranked, answer.depth)))
    }

    fn limits(&self, position: &Entry) -> anyhow::Result<Limits> {
        Ok(self.level.limits(self.door.full_depth(position)?, &self.stop))
    }

    /// What a search chose that answered so; none where a stop came first.
    fn chosen(&self, answer: &DoorAnswer, moves: &[String]) -> Option<Chosen> {
        if self.stop.is_raised() {
            return None;
        }
        // Where there was no time for a single iteration, any move has to do.
        let text = answer.best_move.as_ref().or(moves.first())?.clone();
        let info = self.info(answer.depth, answer.stats, answer.bounds, &answer.pv);
        Some(Chosen { text, info: Info { smaller_game: answer.smaller_game.clone(), ..info } })
    }

    fn info(&self, depth: u32, stats: Stats, bounds: Bounds, line: &[Step<String, String>]) -> Info {
        let is_known = depth > 0 && bounds.is_exact();
        Info {
            depth: depth.into(),
            nodes: stats.nodes.total(),
            value: is_known.then(|| self.searcher.grid().value(bounds.lower)),
            line: words_of(line),
            smaller_game: None,
        }
    }
}

impl Chooser for SearchPlayer<'_> {
    fn name(&self) -> String {
        "the search".to_owned()
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        self.searcher.table().clear(self.searcher.options().threads);
        Ok(())
    }

    fn choose(&mut self, choice: &Choice<'_>) -> anyhow::Result<Option<Chosen>> {
        self.best(choice.position, choice.moves)
    }
}
