//! Keys of rate limits. A key consists of the caller whose requests are counted, and the route.

use std::net::IpAddr;

use crate::platform::client_ip;
use crate::platform::secrets::sha256_16;

/// The key of a rate limit: a caller on a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LimitKey {
    /// The hash of the route's name, so that each route is counted separately (D-191). [`LimitKey::for_limit`] combines
    /// the hash with the tag of the limit.
    route: u64,
    subject: u128,
}

impl LimitKey {
    /// Creates a key for a caller that is a stored object (an installation, an app, a user). `route` is the
    /// operation's name, or a shared name if several operations share a count.
    #[must_use]
    pub const fn id(route: &'static str, id: i64) -> Self {
        Self { route: tag(route), subject: id.cast_unsigned() as u128 }
    }

    /// Creates a key for a pair of stored objects, such as a bot and a conversation.
    #[must_use]
    pub const fn pair(route: &'static str, one: i64, other: i64) -> Self {
        let subject = (one.cast_unsigned() as u128) << 64 | other.cast_unsigned() as u128;
        Self { route: tag(route), subject }
    }

    /// Creates a key for a network address. All addresses of an IPv6 /64 have the same key (D-375).
    #[must_use]
    pub fn address(route: &'static str, address: IpAddr) -> Self {
        let subject = match client_ip::network(address) {
            IpAddr::V4(v4) => v4.to_ipv6_mapped().to_bits(),
            IpAddr::V6(v6) => v6.to_bits(),
        };
        Self { route: tag(route), subject }
    }

    /// Creates a key for texts, such as a client id and an address. The key contains only a hash of the texts, so its
    /// size does not depend on their length.
    #[must_use]
    pub fn texts(route: &'static str, texts: &[&str]) -> Self {
        let mut joined = Vec::new();
        for text in texts {
            // length-prefixed, so that ("ab", "c") and ("a", "bc") differ
            joined.extend_from_slice(&text.len().to_le_bytes());
            joined.extend_from_slice(text.as_bytes());
        }
        Self { route: tag(route), subject: u128::from_le_bytes(sha256_16(joined)) }
    }

    /// Returns the bytes of the key that nodes exchange: first the route, then the caller, both in big-endian order.
    pub(super) fn to_bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.route.to_be_bytes());
        bytes[8..].copy_from_slice(&self.subject.to_be_bytes());
        bytes
    }

    /// Parses the bytes of [`LimitKey::to_bytes`]. Returns `None` if the number of bytes is wrong.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (route, subject) = bytes.split_at_checked(8)?;
        Some(Self {
            route: u64::from_be_bytes(route.try_into().ok()?),
            subject: u128::from_be_bytes(subject.try_into().ok()?),
        })
    }

    /// Returns the key of the same caller and route for the limit with this tag.
    pub(super) const fn for_limit(self, limit_tag: u64) -> Self {
        Self { route: self.route.rotate_left(1) ^ limit_tag, subject: self.subject }
    }
}

/// Computes the FNV-1a hash of a name. This hash can be computed at compile time. The names are constants of the
/// server, so the hash need not resist attacks.
pub(super) const fn tag(name: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_by_route_limit_and_caller() {
        assert_ne!(LimitKey::id("a", 1), LimitKey::id("b", 1));
        assert_ne!(LimitKey::id("a", 1), LimitKey::id("a", 2));
        assert_ne!(LimitKey::id("a", 1).for_limit(tag("x")), LimitKey::id("a", 1).for_limit(tag("y")));
        assert_ne!(LimitKey::texts("a", &["ab", "c"]), LimitKey::texts("a", &["a", "bc"]));
        assert_eq!(LimitKey::texts("a", &["ab", "c"]), LimitKey::texts("a", &["ab", "c"]));
    }

    #[test]
    fn a_key_is_read_back_from_its_bytes() {
        let key = LimitKey::pair("a", 1, -2);
        assert_eq!(LimitKey::from_bytes(&key.to_bytes()), Some(key));
        for bytes in [&[][..], &[0; 8], &[0; 23], &[0; 25]] {
            assert_eq!(LimitKey::from_bytes(bytes), None);
        }
    }

    #[test]
    fn addresses_of_one_ipv6_64_are_one_caller() {
        let key = |text: &str| LimitKey::address("a", text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_ne!(key("192.0.2.1"), key("192.0.2.2"));
        assert_eq!(key("192.0.2.1"), key("::ffff:192.0.2.1"));
    }
}
