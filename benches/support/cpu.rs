//! CPU time of the servers under measurement. A server is a process of its own, or runs on threads of this process.

use std::{fs, path::Path, sync::Mutex};

use super::{postgres::Server, process::Process};

/// The name of the load generator's thread.
pub const CLIENT_THREAD: &str = "load-client";

/// Duration of a tick of `/proc` in ns: 10 ms on all usual Linux machines.
const TICK: u64 = 10_000_000;

/// The process ids of the postmasters of the watched PostgreSQL servers. The CPU time of a postmaster's child processes
/// is counted, but not that of the postmaster.
static DATABASES: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// The ids of the watched processes. Their CPU times are added up. Only one of these processes works at a time, and an
/// idle process uses almost no CPU time. So the increase of the sum is the CPU time of the working process.
static SERVERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Starts to count the CPU time of a server in a process of its own. The process must not end before the last call of
/// [`server_nanos`].
pub fn watch(server: &Process) {
    SERVERS.lock().unwrap().push(server.id());
}

/// Returns the CPU time in ns of the watched processes, including threads that have ended. If no process is watched,
/// returns the CPU time of this process, without the load generator's thread and without threads that have ended.
pub fn server_nanos() -> u64 {
    let servers = SERVERS.lock().unwrap();
    if servers.is_empty() {
        return own_nanos();
    }
    servers.iter().map(|id| nanos_of(*id)).sum()
}

/// Starts to count the CPU time of a PostgreSQL server that this program has started.
pub fn watch_database(server: &Server) {
    let file = fs::read_to_string(server.folder().join("data/postmaster.pid")).unwrap();
    DATABASES.lock().unwrap().push(file.lines().next().unwrap().trim().parse().unwrap());
}

/// Returns the CPU time in ns of each watched PostgreSQL server, in the order of the calls of [`watch_database`]. The
/// time of connections that have ended is missing.
pub fn database_nanos() -> Vec<u64> {
    let databases = DATABASES.lock().unwrap();
    let mut used = vec![0; databases.len()];
    if databases.is_empty() {
        return used;
    }
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    for process in processes {
        let Ok(stat) = fs::read_to_string(process.join("stat")) else { continue };
        let parent =
            stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
        let Some(index) = databases.iter().position(|id| Some(*id) == parent) else { continue };
        used[index] += nanos_on_cpu(&process).unwrap_or(0);
    }
    used
}

/// Returns the CPU time in ns of a process, including threads that have ended.
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
            nanos_on_cpu(&task)
        })
        .sum()
}

/// Returns the CPU time in ns of a thread, or of a process with one thread. `folder` is its folder in `/proc`.
fn nanos_on_cpu(folder: &Path) -> Option<u64> {
    let times = fs::read_to_string(folder.join("schedstat")).ok()?;
    times.split(' ').next()?.parse().ok()
}

/// Returns the sum of `utime` and `stime` in ticks: the 14th and 15th value of `/proc/…/stat`, see proc(5). The second
/// value is the name of the process in parentheses, which may contain any characters. So this function counts the
/// values behind the last parenthesis.
fn ticks(stat: &str) -> u64 {
    let (_, rest) = stat.rsplit_once(')').unwrap();
    rest.split_whitespace().skip(11).take(2).map(|value| value.parse::<u64>().unwrap()).sum()
}
