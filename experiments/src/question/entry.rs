//! Positions of whatever game.

use std::any::Any;
use std::sync::Arc;

/// A position and how it is written.
#[derive(Clone, Debug)]
pub struct Entry {
    /// In the game's notation.
    pub text: String,
    /// Of the type that the game has for positions.
    position: Arc<dyn Any + Send + Sync>,
}

impl Entry {
    /// A position of any game.
    pub fn new<P: Any + Send + Sync>(text: String, position: P) -> Self {
        Entry { text, position: Arc::new(position) }
    }

    /// The position, if it is of this type.
    pub fn position<P: Any>(&self) -> Option<&P> {
        self.position.downcast_ref()
    }
}
