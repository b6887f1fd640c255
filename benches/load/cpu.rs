//! CPU time by thread, so that what the server spends is told apart from what the load generator spends.

use std::fs;

/// The thread of the load generator.
pub const CLIENT_THREAD: &str = "load-client";

/// Nanoseconds of CPU that every other thread of this process has used.
pub fn server_nanos() -> u64 {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten().map(|task| task.path());
    tasks
        .filter_map(|task| {
            let name = fs::read_to_string(task.join("comm")).ok()?;
            if name.trim() == CLIENT_THREAD {
                return None;
            }
            let times = fs::read_to_string(task.join("schedstat")).ok()?;
            times.split(' ').next()?.parse::<u64>().ok()
        })
        .sum()
}
