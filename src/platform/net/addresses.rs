//! Limits the number of open connections per network address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ipnet::IpNet;
use parking_lot::Mutex;

use crate::platform::client_ip::network;
use crate::platform::clock::Clock;
use crate::platform::metrics::HTTP_CONNECTIONS_REFUSED;

/// Minimum interval between log messages about rejected connections.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// The number of open connections of each address; an IPv6 address counts as its /64.
pub(super) struct Addresses {
    /// Maximum number of connections of one address.
    most: usize,
    /// The networks of proxies. Their connections are not counted, because one proxy connects for many clients.
    exempt: Vec<IpNet>,
    open: Mutex<HashMap<IpAddr, usize>>,
    reported: Mutex<Option<Instant>>,
}

/// A connection that counts for its address until this value is dropped.
pub(super) struct CountedConnection {
    /// `None` for an exempt address.
    entry: Option<(Arc<Addresses>, IpAddr)>,
}

impl Addresses {
    pub(super) fn new(most: usize, exempt: Vec<IpNet>) -> Arc<Self> {
        Arc::new(Self { most, exempt, open: Mutex::default(), reported: Mutex::default() })
    }

    /// Counts a connection of `peer`. Returns `None`, without counting the connection, if the address has reached the
    /// limit.
    pub(super) fn enter(self: &Arc<Self>, peer: IpAddr) -> Option<CountedConnection> {
        let peer = peer.to_canonical();
        if self.exempt.iter().any(|exempt| exempt.contains(&peer)) {
            return Some(CountedConnection { entry: None });
        }
        let address = network(peer);
        let mut open = self.open.lock();
        let count = open.entry(address).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(CountedConnection { entry: Some((Arc::clone(self), address)) })
    }

    /// Counts a rejected connection in the metrics, and logs a warning at most once per [`REPORT_EVERY`].
    pub(super) fn report_rejected(&self, peer: IpAddr, clock: &Clock) {
        metrics::counter!(HTTP_CONNECTIONS_REFUSED).increment(1);
        let mut reported = self.reported.lock();
        if reported.is_none_or(|at| at.elapsed() >= REPORT_EVERY) {
            *reported = Some(clock.instant());
            tracing::warn!(
                address = %network(peer),
                most = self.most,
                "rejecting connections: the address has reached max_connections_per_address; if the address is a \
                 proxy, add it to trusted_proxies"
            );
        }
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let Some((addresses, address)) = self.entry.take() else { return };
        let mut open = addresses.open.lock();
        match open.get_mut(&address) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = open.remove(&address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn connections_are_limited_per_address_and_released() {
        let addresses = Addresses::new(2, Vec::new());
        let first = addresses.enter(ip("192.0.2.1"));
        let second = addresses.enter(ip("::ffff:192.0.2.1"));
        assert!(first.is_some() && second.is_some());
        assert!(addresses.enter(ip("192.0.2.1")).is_none());
        assert!(addresses.enter(ip("192.0.2.2")).is_some(), "another address has its own limit");
        drop(first);
        let third = addresses.enter(ip("192.0.2.1"));
        assert!(third.is_some());
        drop((second, third));
        assert!(addresses.open.lock().is_empty(), "addresses without connections have no entry");
    }

    #[test]
    fn ipv6_connections_are_counted_per_64_bit_prefix() {
        let addresses = Addresses::new(1, Vec::new());
        let _first = addresses.enter(ip("2001:db8:1:2::1")).unwrap();
        assert!(addresses.enter(ip("2001:db8:1:2:ffff::9")).is_none());
        assert!(addresses.enter(ip("2001:db8:1:3::1")).is_some());
    }

    #[test]
    fn proxies_are_not_counted() {
        let addresses = Addresses::new(1, vec!["10.0.0.0/8".parse().unwrap()]);
        let many: Vec<_> = (0..10).map(|_| addresses.enter(ip("10.1.2.3"))).collect();
        assert!(many.iter().all(Option::is_some));
        let _mapped = addresses.enter(ip("::ffff:10.1.2.3")).unwrap();
        assert!(addresses.open.lock().is_empty());
    }
}
