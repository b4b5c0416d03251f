//! A worker's link to its team: the other workers of its search.

use crate::search::live::Link;
use crate::search::plies::{Depth, NO_DEPTH};
use crate::search::sharing_policy::SharingPolicy;

/// The peers, the helpers not yet called, and what is shared with them.
pub(crate) struct TeamLink<P, R: ?Sized> {
    /// The connection to the other workers, if there are any.
    pub(crate) peers: Option<P>,
    /// The helpers that may be called later.
    pub(super) reserve: Option<Box<R>>,
    /// The links from the worker's task, or from the root, to the current node; see `live.rs`.
    pub(crate) links: Vec<Link>,
    /// The first link below the worker's task.
    pub(crate) first_link: usize,
    /// The version of the windows above from which a window was last derived; see `live.rs`.
    pub(crate) seen_version: u64,
    /// The least depth of nodes of whose entries and exits the peers are told, to find those that two workers
    /// search at once.
    pub(super) told_depth: Depth,
    /// The least depth of nodes whose entries and exits are noted at all: for the peers, or, at depth 0, for
    /// the record of the tree.
    pub(super) recorded_depth: Depth,
    /// What the worker shares, and when.
    pub(crate) policy: SharingPolicy,
}

impl<P, R: ?Sized> TeamLink<P, R> {
    /// A link to `peers`, if any.
    pub(super) fn new(peers: Option<P>, policy: SharingPolicy, links: Vec<Link>) -> Self {
        let (first_link, seen_version) = (0, 0);
        let (told_depth, recorded_depth) = (NO_DEPTH, NO_DEPTH);
        TeamLink { peers, reserve: None, links, first_link, seen_version, told_depth, recorded_depth, policy }
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
