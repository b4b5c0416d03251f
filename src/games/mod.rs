//! Games that come with the library. Nothing in the core imports them.
pub mod dice;
