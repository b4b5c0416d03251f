//! How much memory this process has.

use std::fs;

/// Memory in use, in KiB; `None` where the system does not tell through `/proc`.
pub fn resident_kib() -> Option<u64> {
    resident_in(&fs::read_to_string("/proc/self/status").ok()?)
}

fn resident_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_resident_size_is_found_among_the_others() {
        assert_eq!(resident_in("VmPeak:\t  100 kB\nVmRSS:\t   42 kB\nRssAnon:\t  7 kB\n"), Some(42));
        assert_eq!(resident_in("VmPeak:\t  100 kB\n"), None);
    }
}
