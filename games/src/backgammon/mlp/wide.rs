//! Loops compiled for wide registers, where the processor has them: x86-64 with AVX2 and FMA.

#[cfg(target_arch = "x86_64")]
use pulp::x86::V3;

/// Whether the processor has wide registers, looked up once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    #[cfg(target_arch = "x86_64")]
    found: Option<V3>,
}

impl Wide {
    /// Looks.
    pub(super) fn detect() -> Self {
        Wide {
            #[cfg(target_arch = "x86_64")]
            found: V3::try_new(),
        }
    }

    /// As if the processor had none.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        Wide {
            #[cfg(target_arch = "x86_64")]
            found: None,
        }
    }

    /// Whether there are any; then a fused multiplication and addition is one instruction in what
    /// [`run`](Self::run) runs, and a call of a library outside it.
    pub(super) fn is_there(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.found.is_some();
        #[cfg(not(target_arch = "x86_64"))]
        return false;
    }

    /// Runs `work`, compiled for wide registers where there are some. What it calls is compiled so if it is
    /// inlined. The results are the same: numbers are added and multiplied as the source says.
    #[inline(always)]
    pub(super) fn run<T>(self, work: impl FnOnce() -> T) -> T {
        #[cfg(target_arch = "x86_64")]
        if let Some(found) = self.found {
            return found.vectorize(work);
        }
        work()
    }
}
