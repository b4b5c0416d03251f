//! What ties a worker to the others of its search.

use crate::search::live::Link;

/// A worker's tie to others, those who may yet come, and from which depth on they matter.
pub(crate) struct Ties<'a, P, R: ?Sized> {
    /// The tie to the other workers when there are some.
    pub(crate) peers: Option<P>,
    /// Those who may yet come.
    pub(super) reserve: Option<&'a mut R>,
    /// The links from the split point that this worker is under, or from the root, to the present node; see
    /// `live.rs`.
    pub(crate) links: Vec<Link>,
    /// The first of them that lies below that split point.
    pub(crate) first_link: usize,
    /// The version of the windows above from which a window was derived last; see `live.rs`.
    pub(crate) seen_version: u64,
    /// The least depth of nodes whose entries and exits are noted, to find those that two workers search at
    /// once.
    pub(super) watched_depth: u8,
    /// From which depths on the others matter.
    pub(crate) depths: SharingDepths,
}

/// The least depths of nodes at which other workers matter; above every depth where they never do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharingDepths {
    /// Of nodes that may be shared with other workers, in whatever way.
    pub(crate) shared: u8,
    /// Of nodes whose windows follow the split points above them.
    pub(crate) following: u8,
    /// Of nodes that are marked while a worker searches them, so that others put them off.
    pub(crate) marking: u8,
}

impl<P, R: ?Sized> Ties<'_, P, R> {
    /// To nobody, or to `peers`, from no depth on.
    pub(super) fn new(peers: Option<P>, links: Vec<Link>) -> Self {
        Ties {
            peers,
            reserve: None,
            links,
            first_link: 0,
            seen_version: 0,
            watched_depth: u8::MAX,
            depths: SharingDepths { shared: u8::MAX, following: u8::MAX, marking: u8::MAX },
        }
    }

    /// The least depth of nodes to which the others matter.
    #[inline]
    pub(super) fn least_depth(&self) -> u8 {
        self.depths.shared.min(self.depths.following)
    }

    /// Whether a node at this depth follows the split points above it.
    #[inline]
    pub(super) fn follows(&self, depth: u8) -> bool {
        depth >= self.depths.following
    }

    /// This worker's place in its team. Only parallel steps ask for it, and they are taken by workers of a
    /// team alone.
    #[inline]
    pub(crate) fn context(&self) -> &P {
        self.peers.as_ref().expect("a worker of a team has a context")
    }

    /// The same, to be changed.
    #[inline]
    pub(crate) fn context_mut(&mut self) -> &mut P {
        self.peers.as_mut().expect("a worker of a team has a context")
    }
}
