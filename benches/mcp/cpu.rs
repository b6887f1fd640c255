//! CPU time of the servers. In the place of `load`'s, whose server is in its own process.

use std::fs;
use std::sync::Mutex;

use super::child::Process;

/// Nanoseconds of a tick of `/proc`: Linux tells 100 a second on every machine we know.
const TICK: u64 = 10_000_000;

/// One of them works at a time, and idle ones use next to nothing, so they are counted together.
static SERVERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Counts a server from now on; it must not end before the last window.
pub fn watch(server: &Process) {
    SERVERS.lock().unwrap().push(server.id());
}

/// Nanoseconds of CPU that all servers have used, also in threads that have ended.
pub fn server_nanos() -> u64 {
    let servers = SERVERS.lock().unwrap();
    servers.iter().map(|id| ticks(&fs::read_to_string(format!("/proc/{id}/stat")).unwrap()) * TICK).sum()
}

/// `utime` and `stime` of proc(5), the 14th and 15th value; the second is a name that may hold anything.
fn ticks(stat: &str) -> u64 {
    let (_, rest) = stat.rsplit_once(')').unwrap();
    rest.split_whitespace().skip(11).take(2).map(|value| value.parse::<u64>().unwrap()).sum()
}
