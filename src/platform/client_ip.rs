//! The network address of a request's client (D-375).
//!
//! By default, the client address is the peer address of the socket. If the peer is a trusted proxy, `X-Forwarded-For`
//! is evaluated from right to left. Each trusted proxy appends the address from which it received the request. So the
//! right-most untrusted address is the address from which the outermost trusted proxy received the request. Entries to
//! the left of that address are unverified claims of the client.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::HeaderMap;
use ipnet::IpNet;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// Returns the client address of a request from `peer` with these headers.
#[must_use]
pub fn client_ip(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|net| net.contains(&address));
    let mut seen = peer.to_canonical();
    let lines = headers.get_all(FORWARDED_FOR).iter().rev();
    // a header line that is not ASCII counts as one invalid entry
    for entry in lines.flat_map(|line| line.to_str().unwrap_or("?").rsplit(',')) {
        if !is_trusted(seen) {
            break;
        }
        match parse_entry(entry.trim()) {
            Some(address) => seen = address,
            // the proxy did not know the address of its client, so the proxy's own address is the last verified one
            None => break,
        }
    }
    seen
}

/// Returns the network that limits count as one client: an IPv4 address, or the /64 of an IPv6 address, which is
/// usually one household.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(v4) => IpAddr::V4(v4),
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64))),
    }
}

/// Returns the /48 of an IPv6 address; `None` for an IPv4 address. An Internet provider's customer who has many /64
/// networks usually has them in one /48. So a limit for the /48 counts the requests of the whole customer.
#[must_use]
pub fn wide_network(address: IpAddr) -> Option<Ipv6Addr> {
    match network(address) {
        IpAddr::V4(_) => None,
        IpAddr::V6(v6) => Some(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 80))),
    }
}

/// Parses an address as proxies write it: plain, in brackets, or with a port.
fn parse_entry(entry: &str) -> Option<IpAddr> {
    let bare = entry.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(entry);
    let address = bare.parse().ok().or_else(|| entry.parse::<SocketAddr>().ok().map(|socket| socket.ip()))?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_of(peer: &str, lines: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, line.parse().unwrap());
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().unwrap()).collect();
        client_ip(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn the_header_is_ignored_unless_the_peer_is_a_trusted_proxy() {
        assert_eq!(client_of("203.0.113.9", &["198.51.100.1"], &[]), "203.0.113.9");
        assert_eq!(client_of("203.0.113.9", &["198.51.100.1"], &["10.0.0.0/8"]), "203.0.113.9");
    }

    #[test]
    fn the_right_most_untrusted_address_is_the_client() {
        let trusted = ["10.0.0.0/8", "fd00::/8"];
        assert_eq!(client_of("10.0.0.1", &["198.51.100.1"], &trusted), "198.51.100.1");
        assert_eq!(client_of("10.0.0.1", &["1.1.1.1, 198.51.100.1, 10.9.9.9"], &trusted), "198.51.100.1");
        assert_eq!(client_of("10.0.0.1", &["1.1.1.1", "198.51.100.1", "10.9.9.9"], &trusted), "198.51.100.1");
        assert_eq!(client_of("fd00::1", &["2001:db8::7"], &trusted), "2001:db8::7");
        assert_eq!(client_of("::ffff:10.0.0.1", &["::ffff:198.51.100.1"], &trusted), "198.51.100.1");
    }

    #[test]
    fn invalid_entries_end_the_evaluation_at_the_last_verified_address() {
        let trusted = ["10.0.0.0/8"];
        assert_eq!(client_of("10.0.0.1", &[], &trusted), "10.0.0.1");
        assert_eq!(client_of("10.0.0.1", &["198.51.100.1, unknown"], &trusted), "10.0.0.1");
        assert_eq!(client_of("10.0.0.1", &["198.51.100.1, , 10.0.0.2"], &trusted), "10.0.0.2");
        assert_eq!(client_of("10.0.0.1", &["10.0.0.3, 10.0.0.2"], &trusted), "10.0.0.3");
    }

    #[test]
    fn a_wide_network_is_the_48_bit_prefix_of_an_ipv6_address() {
        let wide = |text: &str| wide_network(text.parse().unwrap()).map(|network| network.to_string());
        assert_eq!(wide("2001:db8:1:2::3").as_deref(), Some("2001:db8:1::"));
        assert_eq!(wide("2001:db8:1:ffff::3").as_deref(), Some("2001:db8:1::"));
        assert_eq!(wide("192.0.2.1"), None);
        assert_eq!(wide("::ffff:192.0.2.1"), None);
    }

    #[test]
    fn ports_and_brackets_are_parsed() {
        let trusted = ["10.0.0.0/8"];
        assert_eq!(client_of("10.0.0.1", &["198.51.100.1:4711"], &trusted), "198.51.100.1");
        assert_eq!(client_of("10.0.0.1", &["[2001:db8::7]:443"], &trusted), "2001:db8::7");
        assert_eq!(client_of("10.0.0.1", &["[2001:db8::7]"], &trusted), "2001:db8::7");
    }
}
