//! Loops compiled for wide registers, where the processor has them: x86-64 with AVX2 and FMA. Other
//! processors have registers of one width, which what is compiled for them uses.

#[cfg(target_arch = "x86_64")]
use pulp::x86::V3;

/// Whether the processor has wide registers, looked up once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    is_fused: bool,
    #[cfg(target_arch = "x86_64")]
    found: Option<V3>,
}

impl Wide {
    /// Looks.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        let found = V3::try_new();
        #[cfg(target_arch = "x86_64")]
        let is_fused = found.is_some();
        // Those whose every processor has the instruction.
        #[cfg(not(target_arch = "x86_64"))]
        let is_fused = cfg!(any(target_arch = "aarch64", target_arch = "s390x"));
        Wide {
            is_fused,
            #[cfg(target_arch = "x86_64")]
            found,
        }
    }

    /// As if the processor had none.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        Wide {
            is_fused: false,
            #[cfg(target_arch = "x86_64")]
            found: None,
        }
    }

    /// Whether a fused multiplication and addition is one instruction in what [`run`](Self::run) runs. Where
    /// it is none, it is a call of a library that takes a hundred times as long.
    pub(super) fn is_fused(self) -> bool {
        self.is_fused
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
