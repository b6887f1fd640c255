//! Whose limit it is.

use std::net::IpAddr;

use crate::platform::client_ip;
use crate::platform::secrets::sha256_16;

/// One caller on one route. Small and of fixed size, whatever it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The hash of the route's name, so that each route has its own count (D-191).
    route: u64,
    who: u128,
}

impl Key {
    /// A row of the store (an installation, an app, a conversation). `route` is the operation's name, or a
    /// word for what is counted when several operations share a count.
    #[must_use]
    pub const fn id(route: &'static str, id: i64) -> Self {
        Self { route: tag(route), who: id.cast_unsigned() as u128 }
    }

    /// What two ids together do on a route: a bot in a conversation.
    #[must_use]
    pub const fn pair(route: &'static str, one: i64, other: i64) -> Self {
        let who = (one.cast_unsigned() as u128) << 64 | other.cast_unsigned() as u128;
        Self { route: tag(route), who }
    }

    /// A network address; an IPv6 address stands for its /64 (D-375).
    #[must_use]
    pub fn address(route: &'static str, address: IpAddr) -> Self {
        let who = match client_ip::network(address) {
            IpAddr::V4(v4) => v4.to_ipv6_mapped().to_bits(),
            IpAddr::V6(v6) => v6.to_bits(),
        };
        Self { route: tag(route), who }
    }

    /// Texts the caller sent, such as a client id together with an address. Only their hash is kept.
    #[must_use]
    pub fn texts(route: &'static str, texts: &[&str]) -> Self {
        let mut joined = Vec::new();
        for text in texts {
            // lengths in front, so that ("ab", "c") and ("a", "bc") differ
            joined.extend_from_slice(&text.len().to_le_bytes());
            joined.extend_from_slice(text.as_bytes());
        }
        Self { route: tag(route), who: u128::from_le_bytes(sha256_16(joined)) }
    }

    /// As nodes share it.
    pub(super) fn to_bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.route.to_be_bytes());
        bytes[8..].copy_from_slice(&self.who.to_be_bytes());
        bytes
    }

    /// What [`Key::to_bytes`] made, if it did.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (route, who) = bytes.split_at_checked(8)?;
        Some(Self {
            route: u64::from_be_bytes(route.try_into().ok()?),
            who: u128::from_be_bytes(who.try_into().ok()?),
        })
    }

    /// The same caller and route under another row of limits.
    pub(super) const fn under(self, row: u64) -> Self {
        Self { route: self.route.rotate_left(1) ^ row, who: self.who }
    }
}

/// FNV-1a: our own short names need no stronger hash, and it works in constants.
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
    fn keys_differ_by_route_row_and_caller() {
        assert_ne!(Key::id("a", 1), Key::id("b", 1));
        assert_ne!(Key::id("a", 1), Key::id("a", 2));
        assert_ne!(Key::id("a", 1).under(tag("x")), Key::id("a", 1).under(tag("y")));
        assert_ne!(Key::texts("a", &["ab", "c"]), Key::texts("a", &["a", "bc"]));
        assert_eq!(Key::texts("a", &["ab", "c"]), Key::texts("a", &["ab", "c"]));
    }

    #[test]
    fn a_key_is_read_back_from_its_bytes() {
        let key = Key::pair("a", 1, -2);
        assert_eq!(Key::from_bytes(&key.to_bytes()), Some(key));
        for bytes in [&[][..], &[0; 8], &[0; 23], &[0; 25]] {
            assert_eq!(Key::from_bytes(bytes), None);
        }
    }

    #[test]
    fn one_household_is_one_caller() {
        let key = |text: &str| Key::address("a", text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_ne!(key("192.0.2.1"), key("192.0.2.2"));
        assert_eq!(key("192.0.2.1"), key("::ffff:192.0.2.1"));
    }
}
