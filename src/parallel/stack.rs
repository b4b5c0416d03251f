//! Stacks: how much of one a search takes, and threads with stacks of their own.

use crate::game::Game;
use crate::search::{Control, Depth, PositionOf, SearchError, Setup, StateOf, catch, longest_path};
use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc;

/// A worker's stack on a pool thread, in a lane or on a virtual processor, unless its search needs more. It
/// is reserved, not used.
pub(crate) const STACK: usize = 16 << 20;

/// What a worker soon needs besides its stack: thread-local storage, and its stacks of moves and outcomes.
#[cfg(unix)]
const BESIDE_STACK: usize = 256 << 10;

/// The greatest need of a search that stays on its caller's stack.
pub(crate) const OF_CALLER: usize = 1 << 20;

/// What a ply takes at the most, in bytes, and how many positions and states beside. Measured, on a game of
/// two moves and two outcomes whose every node is split: 2 KiB and 3 positions, without optimisation five
/// times as much.
const EACH_PLY: usize = if cfg!(debug_assertions) { 12 << 10 } else { 5 << 9 };
const COPIES: usize = if cfg!(debug_assertions) { 16 } else { 4 };

/// What the methods of the game and the evaluator may take.
const OF_CALLS: usize = 256 << 10;

/// The stack that a search from this depth needs at the most, in bytes.
pub(crate) fn stack_for<S: Setup>(control: &Control, depth: Depth) -> usize {
    let longest = longest_path::<S::Game>(control.is_to_the_end()) as usize;
    // Steps without a ply make the path longer than the depth.
    let plies = if S::Game::STEPS.plies { longest } else { longest.min(depth.into()) };
    OF_CALLS + plies * (EACH_PLY + COPIES * (size_of::<PositionOf<S>>() + size_of::<StateOf<S>>()))
}

/// Checks that the system has memory for this many workers with stacks of so many bytes. If there is barely
/// enough for their stacks, the first thread that asks for a little more is refused, which ends the process.
#[cfg(unix)]
pub(crate) fn check_room(workers: usize, stack: usize) -> io::Result<()> {
    let bytes = workers.saturating_mul(stack.saturating_add(BESIDE_STACK));
    memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon().map(drop)
}

/// On other systems mapping memory would also commit it.
#[cfg(not(unix))]
pub(crate) fn check_room(_workers: usize, _stack: usize) -> io::Result<()> {
    Ok(())
}

/// Asks the calling thread, which holds what need not be [`Send`].
pub(crate) type Ask<'a, A, B> = dyn FnMut(&A) -> B + 'a;

/// Runs `search` on the calling thread if the stack that it needs is no more than is `given` there, and
/// otherwise [`on_own_thread`].
///
/// # Errors
/// As [`on_own_thread`].
pub(crate) fn on_stack<A: Clone + Send, B: Send, R: Send>(
    (needed, given): (usize, usize),
    control: &Control,
    answer: &mut Ask<'_, A, B>,
    search: impl FnOnce(&mut Ask<'_, A, B>) -> R + Send,
) -> Result<R, SearchError> {
    if needed <= given { Ok(search(answer)) } else { on_own_thread(needed, control, answer, search) }
}

/// Runs `search` on a thread of its own with this stack. The calling thread waits and does nothing else but
/// `answer` what the search asks: it runs no jobs of a pool whose thread it is.
///
/// # Errors
/// If the system refuses the thread, or on a panic in `answer` or in `search`.
pub(crate) fn on_own_thread<A: Clone + Send, B: Send, R: Send>(
    stack: usize,
    control: &Control,
    answer: &mut Ask<'_, A, B>,
    search: impl FnOnce(&mut Ask<'_, A, B>) -> R + Send,
) -> Result<R, SearchError> {
    std::thread::scope(|scope| {
        let ((ask, asked), (reply, replies)) = (mpsc::channel::<A>(), mpsc::channel());
        let run = move || {
            catch(|| {
                search(&mut |question| {
                    let replied = ask.send(question.clone()).ok().and_then(|()| replies.recv().ok());
                    // The search's error is known already.
                    replied.unwrap_or_else(|| resume_unwind(Box::new("the calling thread gave no answer")))
                })
            })
        };
        let named = std::thread::Builder::new().name("starsplit-leader".to_owned());
        let thread =
            named.stack_size(stack).spawn_scoped(scope, run).map_err(|error| SearchError::Refused {
                what: "a thread for a search".to_owned(),
                message: format!("to start it: with a stack of {} MiB: {error}", stack >> 20),
            })?;
        for question in asked {
            match catch(|| answer(&question)) {
                Ok(answer) => reply.send(answer).unwrap_or_default(), // where nobody waits for it any more
                Err(error) => {
                    control.fail(error.clone());
                    return Err(error); // Hangs up, which the search notices.
                }
            }
        }
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
