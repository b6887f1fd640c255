//! CPU time of the servers under measurement: of their processes, or of the server's threads in this process.

use std::{fs, sync::Mutex};

use super::process::Process;

/// The name of the load generator's thread.
pub const CLIENT_THREAD: &str = "load-client";

/// Duration of a tick of `/proc` in ns: 10 ms on all usual Linux machines.
const TICK: u64 = 10_000_000;

/// The counted processes. Only one works at a time, and idle processes use almost no CPU time, so they are counted together.
static SERVERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Starts to count the CPU time of a server in its own process, which must not end before the last window.
pub fn watch(server: &Process) {
    SERVERS.lock().unwrap().push(server.id());
}

/// Returns the CPU time in ns of the watched processes, including ended threads; if none is watched, of all threads of this
/// process but the load generator's.
pub fn server_nanos() -> u64 {
    let servers = SERVERS.lock().unwrap();
    if servers.is_empty() {
        return own_nanos();
    }
    servers.iter().map(|id| nanos_of(*id)).sum()
}

/// Returns the CPU time in ns of a process, including ended threads.
pub fn process_nanos(process: &Process) -> u64 {
    nanos_of(process.id())
}

fn nanos_of(id: u32) -> u64 {
    ticks(&fs::read_to_string(format!("/proc/{id}/stat")).unwrap()) * TICK
}

fn own_nanos() -> u64 {
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

/// Returns the sum of `utime` and `stime` of proc(5), the 14th and 15th value. The second value is the name of the process,
/// which may contain any characters.
fn ticks(stat: &str) -> u64 {
    let (_, rest) = stat.rsplit_once(')').unwrap();
    rest.split_whitespace().skip(11).take(2).map(|value| value.parse::<u64>().unwrap()).sum()
}
