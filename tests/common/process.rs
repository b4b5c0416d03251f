//! What the system says of this process, where there is a `/proc`.

use std::fs;

/// Memory in use, in KiB; `None` where the system does not say.
pub(crate) fn resident_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

/// How many threads of pools there are; `None` where the system does not say.
pub(crate) fn threads_of_pools() -> Option<usize> {
    let tasks = fs::read_dir("/proc/self/task").ok()?;
    let names = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
    Some(names.filter(|name| name.starts_with("starsplit-")).count())
}
