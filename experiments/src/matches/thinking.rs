//! A search that is under way while requests come: it tells what it finds, and can be stopped as soon as it
//! has a move.

use crate::matches::answers::Answers;
use crate::matches::player::{Chosen, SearchPlayer};
use crate::matches::protocol::Answer;
use crate::question::door::Entry;
use anyhow::Context;
use starsplit::search::StopFlag;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

/// What ends a search early.
#[derive(Debug)]
pub(super) struct Brake {
    /// Stops this search alone.
    flag: StopFlag,
    is_asked: AtomicBool,
    has_move: AtomicBool,
}

impl Brake {
    /// For the next search of a player.
    pub(super) fn of(player: &SearchPlayer<'_>) -> Self {
        let flag = player.searcher.stop_handle();
        flag.clear();
        Brake { flag, is_asked: AtomicBool::new(false), has_move: AtomicBool::new(false) }
    }

    /// Ends the search when its first iteration is complete: before, nothing is known of any move.
    pub(super) fn ask(&self) {
        // SeqCst, both here and below: of two that meet, one at least has to see the other.
        self.is_asked.store(true, SeqCst);
        if self.has_move.load(SeqCst) {
            self.flag.stop();
        }
    }

    /// Ends it now.
    pub(super) fn pull(&self) {
        self.flag.stop();
    }

    fn release(&self) {
        self.has_move.store(true, SeqCst);
        if self.is_asked.load(SeqCst) {
            self.flag.stop();
        }
    }
}

/// Searches for the best of these moves of a position, and says what each iteration comes to, and at last
/// the move.
///
/// # Errors
/// Whatever ends the search with an error; when somebody stops the player, or nobody can be told any more.
pub(super) fn think(
    player: &SearchPlayer<'_>,
    (position, moves): (&Entry, &[String]),
    brake: &Brake,
    answers: &Answers,
) -> anyhow::Result<Chosen> {
    let mut told = None;
    let found = player.best_while(position, moves, &mut |info| {
        brake.release();
        match answers.say_in_passing(Answer::Info(info.clone())) {
            Ok(is_told) => told = Some(info).filter(|_| is_told),
            Err(_) => brake.pull(),
        }
    })?;
    let chosen = found.context("the search was stopped")?;
    if told.as_ref() != Some(&chosen.info) {
        answers.say(Answer::Info(chosen.info.clone()))?;
    }
    Ok(chosen)
}
