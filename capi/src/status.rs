//! How functions fail: a status, and an error that says more.

use crate::pointers::write_sized;
use std::any::Any;
use std::ffi::c_char;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum starsplit_status {
    /// As asked.
    STARSPLIT_OK = 0,
    /// An argument is not what it should be: the message names it, its value and what was expected.
    STARSPLIT_ERROR_ARGUMENT = 1,
    /// The search could not be done: memory, threads, or a game that breaks its contract.
    STARSPLIT_ERROR_SEARCH = 2,
    /// A function of the caller's failed; `callback_code` is what it gave.
    STARSPLIT_ERROR_CALLBACK = 3,
    /// A fault of the library's own.
    STARSPLIT_ERROR_PANIC = 4,
}
use starsplit_status::{
    STARSPLIT_ERROR_ARGUMENT, STARSPLIT_ERROR_CALLBACK, STARSPLIT_ERROR_PANIC, STARSPLIT_ERROR_SEARCH,
    STARSPLIT_OK,
};

/// How many bytes a message has, its closing zero among them.
pub const STARSPLIT_MESSAGE_SIZE: usize = 480;

/// What went wrong. Set `size` to `sizeof(starsplit_error)` before a call; the rest is written where it
/// fails.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct starsplit_error {
    /// `sizeof(starsplit_error)`.
    pub size: usize,
    /// What the call gave.
    pub status: starsplit_status,
    /// What the caller's function gave, for `STARSPLIT_ERROR_CALLBACK`; 0 for others.
    pub callback_code: i32,
    /// One line that says more, cut where it is longer.
    pub message: [c_char; STARSPLIT_MESSAGE_SIZE],
}

impl fmt::Debug for starsplit_error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("starsplit_error").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    status: starsplit_status,
    callback_code: i32,
    message: String,
}

impl Failure {
    /// Of an argument, for this reason.
    pub fn argument(reason: impl fmt::Display) -> Self {
        Failure { status: STARSPLIT_ERROR_ARGUMENT, callback_code: 0, message: reason.to_string() }
    }

    /// A place beyond the last of so many.
    pub(crate) fn beyond(place: usize, count: usize) -> Self {
        Failure::argument(format_args!("place {place}: expected less than {count}"))
    }

    /// Of a search, for this reason.
    pub fn search(reason: impl fmt::Display) -> Self {
        Failure { status: STARSPLIT_ERROR_SEARCH, callback_code: 0, message: reason.to_string() }
    }

    /// Of a function of the caller's, which gave this number.
    pub fn callback(name: &str, code: i32) -> Self {
        let message = format!("function {name}: it gave {code}, expected no failure");
        Failure { status: STARSPLIT_ERROR_CALLBACK, callback_code: code, message }
    }

    /// Of a function of the caller's, which gave what cannot be.
    pub fn callback_gave(name: &str, what: impl fmt::Display) -> Self {
        let message = format!("function {name}: {what}");
        Failure { status: STARSPLIT_ERROR_CALLBACK, callback_code: 0, message }
    }

    /// How the messages begin that carry a failure of the caller's functions through a search.
    const CARRIED: &str = "starsplit-capi ";

    /// The failure of a function of the caller's as the message of what ends a search.
    pub(crate) fn carried(&self) -> String {
        format!("{}{} {}", Self::CARRIED, self.callback_code, self.message)
    }

    /// The failure that such a message carries, if it is one.
    pub(crate) fn carried_by(message: &str) -> Option<Self> {
        let (code, message) = message.strip_prefix(Self::CARRIED)?.split_once(' ')?;
        let (callback_code, message) = (code.parse().ok()?, message.to_owned());
        Some(Failure { status: STARSPLIT_ERROR_CALLBACK, callback_code, message })
    }

    /// Of what came as a panic. Texts are dropped; what else it may carry could panic once more, and is not.
    fn panic(payload: Box<dyn Any + Send>) -> Self {
        let text = match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(payload) => {
                let text = payload.downcast_ref::<&str>().map_or("without a message", |text| text).to_owned();
                std::mem::forget(payload);
                text
            }
        };
        Self::carried_by(&text).unwrap_or_else(|| {
            let message = format!("a fault of the library's: {text}");
            Failure { status: STARSPLIT_ERROR_PANIC, callback_code: 0, message }
        })
    }

    fn error(&self) -> starsplit_error {
        let mut message = [0; STARSPLIT_MESSAGE_SIZE];
        // A line, whatever somebody's text has in it, and cut between letters.
        let line = self.message.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
        let mut end = 0;
        for letter in line {
            let mut bytes = [0; 4];
            let bytes = letter.encode_utf8(&mut bytes).as_bytes();
            if end + bytes.len() >= STARSPLIT_MESSAGE_SIZE {
                break;
            }
            bytes.iter().for_each(|&byte| {
                message[end] = byte as c_char;
                end += 1;
            });
        }
        let (status, callback_code) = (self.status, self.callback_code);
        starsplit_error { size: size_of::<starsplit_error>(), status, callback_code, message }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Ends whatever calls a function of the caller's that has failed, by the way that panics go, which searches
/// know to end by: only that the failure itself is what it carries, and that nothing is printed.
pub(crate) fn or_end<T>(done: Result<T, Failure>) -> T {
    done.unwrap_or_else(|failure| std::panic::resume_unwind(Box::new(failure.carried())))
}

/// Does what a function of the interface does, and tells how it went. Panics end here.
///
/// # Safety
/// `error` is null, or leads to an error whose `size` says how many bytes of it may be written.
#[allow(unsafe_code, reason = "the caller's error is a pointer")]
pub unsafe fn guard(
    error: *mut starsplit_error,
    body: impl FnOnce() -> Result<(), Failure>,
) -> starsplit_status {
    let done = catch_unwind(AssertUnwindSafe(body));
    let failure = match done {
        Ok(Ok(())) => return STARSPLIT_OK,
        Ok(Err(failure)) => failure,
        Err(payload) => Failure::panic(payload),
    };
    // SAFETY: the caller's promise.
    unsafe { write_sized(error, failure.error()) };
    failure.status
}
