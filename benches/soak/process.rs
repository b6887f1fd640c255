//! The resources of a process, as proc(5) reports them, and the server's own metrics.

use std::{
    collections::BTreeMap,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use super::support::process;

/// Returns the private memory and the mapped files of a process in bytes, and the numbers of its threads and file
/// descriptors.
pub fn of(process: u32) -> BTreeMap<&'static str, f64> {
    let id = process.to_string();
    let descriptors = std::fs::read_dir(format!("/proc/{process}/fd")).unwrap().count();
    BTreeMap::from([
        ("private memory", process::memory(&id, "RssAnon:")),
        ("mapped files", process::memory(&id, "RssFile:")),
        ("threads", process::status(&id, "Threads:")),
        ("descriptors", descriptors as f64),
    ])
}

/// Returns two numbers from the server's metrics: the number of time series, and the number of rate limit keys in
/// memory.
pub fn metrics(address: SocketAddr) -> std::io::Result<BTreeMap<&'static str, f64>> {
    let mut socket = TcpStream::connect(address)?;
    socket.set_read_timeout(Some(Duration::from_secs(10)))?;
    socket.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")?;
    let mut text = String::new();
    socket.read_to_string(&mut text)?;
    let series = text.lines().filter(|line| line.starts_with("switchboard_")).count();
    let keys = text.lines().find_map(|line| line.strip_prefix("switchboard_rate_limit_keys "));
    let keys = keys.and_then(|keys| keys.trim().parse().ok()).expect("the metrics have the rate limit keys");
    Ok(BTreeMap::from([("metric series", series as f64), ("rate limit keys", keys)]))
}
