//! starsplit for C and C++. What is here is what `include/starsplit.h` declares, which is made of it;
//! `README.md` beside it says how to use it.
//!
//! | module | subject |
//! |---|---|
//! | [`status`] | how functions fail |
//! | [`pointers`] | what comes as a pointer: checked, read, written |
//! | [`own`] | a game that is a table of functions in C |
//! | [`game`] | games: built in, or one's own |
//! | [`position`] | positions, and playing them |
//! | [`result`] | what a search answers |
//! | [`searcher`] | searches |
//! | [`question`] | searches with options and root moves of their own, and seen while they run |
//!
//! A panic ends in [`status::guard`] and never in the caller. Nothing is printed, and there are no globals.
#![allow(unsafe_code, reason = "what C calls has names that are not mangled")]
#![allow(non_camel_case_types, reason = "the names are those of the header")]

pub mod expectation;
pub mod game;
pub mod own;
pub mod pointers;
pub mod position;
pub mod question;
pub mod result;
pub mod searcher;
pub mod status;

use std::ffi::{CStr, c_char};

/// The number of this interface. It changes where a program that was built for an earlier one would go wrong;
/// what is merely added leaves it as it is.
///
/// 2: a value beyond the range is an error where the game does not say that it saturates. 1 clamped it.
pub const STARSPLIT_ABI_VERSION: u32 = 2;

/// The number of the interface that the library has, to be compared with `STARSPLIT_ABI_VERSION` of the
/// header.
#[unsafe(no_mangle)]
pub extern "C" fn starsplit_abi_version() -> u32 {
    STARSPLIT_ABI_VERSION
}

/// The version of the library, such as "0.1.0". It lives for ever.
#[unsafe(no_mangle)]
pub extern "C" fn starsplit_version() -> *const c_char {
    const BYTES: &[u8] = concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes();
    const VERSION: &CStr = match CStr::from_bytes_with_nul(BYTES) {
        Ok(text) => text,
        Err(_) => panic!("a version without zeros"),
    };
    VERSION.as_ptr()
}
