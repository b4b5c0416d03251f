//! A worker's link to its team: the other workers of its search.

use crate::search::live::Link;
use crate::search::plies::{Depth, NO_DEPTH};

/// The peers, the helpers not yet called, and the depths from which on they matter.
pub(crate) struct TeamLink<'a, P, R: ?Sized> {
    /// The connection to the other workers, if there are any.
    pub(crate) peers: Option<P>,
    /// The helpers that may be called later.
    pub(super) reserve: Option<&'a mut R>,
    /// The links from the worker's task, or from the root, to the current node; see `live.rs`.
    pub(crate) links: Vec<Link>,
    /// The first link below the worker's task.
    pub(crate) first_link: usize,
    /// The version of the windows above from which a window was last derived; see `live.rs`.
    pub(crate) seen_version: u64,
    /// The least depth of nodes whose entries and exits are recorded, to find those that two workers search
    /// at once.
    pub(super) recorded_depth: Depth,
    /// The depths from which on other workers matter.
    pub(crate) depths: SharingDepths,
}

/// The least depths of nodes at which other workers matter; above every depth where they never do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharingDepths {
    /// Of nodes that may be shared with other workers, in any way.
    pub(crate) shared: Depth,
    /// Of nodes whose windows follow the split points above them.
    pub(crate) following: Depth,
    /// Of nodes that are marked while a worker searches them, so that others defer them.
    pub(crate) marking: Depth,
}

impl<P, R: ?Sized> TeamLink<'_, P, R> {
    /// TeamLink to `peers`, if any, with no depths set.
    pub(super) fn new(peers: Option<P>, links: Vec<Link>) -> Self {
        TeamLink {
            peers,
            reserve: None,
            links,
            first_link: 0,
            seen_version: 0,
            recorded_depth: NO_DEPTH,
            depths: SharingDepths { shared: NO_DEPTH, following: NO_DEPTH, marking: NO_DEPTH },
        }
    }

    /// The least depth of nodes to which other workers matter.
    #[inline]
    pub(super) fn least_depth(&self) -> Depth {
        self.depths.shared.min(self.depths.following)
    }

    /// Whether the window of a node at this depth follows the split points above it.
    #[inline]
    pub(super) fn follows(&self, depth: Depth) -> bool {
        depth >= self.depths.following
    }

    /// The worker's context in its team. Only parallel code calls this, and only workers of a team run it.
    #[inline]
    pub(crate) fn context(&self) -> &P {
        self.peers.as_ref().expect("a worker of a team has a context")
    }

    /// The same, mutable.
    #[inline]
    pub(crate) fn context_mut(&mut self) -> &mut P {
        self.peers.as_mut().expect("a worker of a team has a context")
    }
}
