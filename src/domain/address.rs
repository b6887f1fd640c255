//! Checks whether the server may send requests to a host. Hosts on its own machine or network are not allowed (D-188).
//! If they were allowed, whoever chooses a URL could make the server contact a host that only the server can reach
//! (server-side request forgery).
//!
//! [`is_public_host`] checks the host of a callback URL at its registration, and the host of a URL before each request.
//! [`is_public`] checks the resolved addresses at each connection.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are not public: multicast (224.0.0.0/4), and those networks of the IANA special-purpose registry
/// (RFC 6890) that the registry does not mark as globally reachable.
const NON_PUBLIC_V4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// Non-public IPv6 networks inside `2000::/3`, the only range from which IANA allocates public unicast addresses.
const NON_PUBLIC_V6: [(Ipv6Addr, u32); 4] = [
    // protocol assignments, including Teredo, which embeds an IPv4 address
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    // documentation
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // 6to4, which embeds an IPv4 address
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    // documentation
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Returns whether an address is public. Multicast addresses are not public, nor are addresses in special-purpose
/// networks that IANA does not mark as globally reachable (D-220). An IPv6 address that embeds an IPv4 address in a
/// well-known form (IPv4-mapped, the NAT64 prefix `64:ff9b::/96`, Teredo, 6to4) is not public either, even if the
/// embedded address is public. The server cannot know which gateway translates such an address, and to which address.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !NON_PUBLIC_V4.iter().any(|&network| contains_v4(network, address)),
        IpAddr::V6(address) => {
            address.segments()[0] & 0xe000 == 0x2000
                && !NON_PUBLIC_V6.iter().any(|&network| contains_v6(network, address))
        }
    }
}

fn contains_v4((network, length): (Ipv4Addr, u32), address: Ipv4Addr) -> bool {
    let unused = 32 - length;
    address.to_bits() >> unused == network.to_bits() >> unused
}

fn contains_v6((network, length): (Ipv6Addr, u32), address: Ipv6Addr) -> bool {
    let unused = 128 - length;
    address.to_bits() >> unused == network.to_bits() >> unused
}

/// Returns whether requests may be sent to a host as written in a URL (an IPv6 address in brackets). Public addresses
/// are allowed. Names are allowed, except `localhost`, names below `localhost`, and names that some resolvers parse as
/// an IPv4 address.
#[must_use]
pub fn is_public_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok_and(|address| is_public(address.into()));
    }
    let name = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    if name.is_empty() || name == "localhost" || name.ends_with(".localhost") {
        return false;
    }
    // many resolvers parse `127.1`, `0x7f.1` and `2130706433` as addresses, so a host whose last label is a number must
    // be an address in dotted decimal
    let last = name.rsplit('.').next().unwrap_or_default();
    if last.starts_with("0x") || last.bytes().all(|byte| byte.is_ascii_digit()) {
        return name.parse::<Ipv4Addr>().is_ok_and(|address| is_public(address.into()));
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn public_hosts_are_accepted() {
        for host in [
            "example.com",
            "EXAMPLE.com.",
            "my-host_1",
            "localhost.example.com",
            "notlocalhost",
            "1.example",
            "8.8.8.8",
            "100.63.255.255",
            "172.32.0.1",
            "[2606:4700::1111]",
        ] {
            assert!(is_public_host(host), "{host}");
        }
    }

    #[test]
    fn non_public_hosts_are_rejected() {
        for host in [
            "",
            ".",
            "[::ffff:8.8.8.8]",
            "[64:ff9b::808:808]",
            "localhost",
            "LocalHost.",
            "a.localhost",
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.0.0.1.",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "198.19.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "2130706433",
            "0x7f000001",
            "0x7F.1",
            "127.1",
            "8.8.8.010",
            "1.2.3.4.5",
            "[::]",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::127.0.0.1]",
            "[64:ff9b::a00:1]",
            "[64:ff9b:1::1]",
            "[fc00::1]",
            "[fe80::1]",
            "[ff02::1]",
            "[2001::1]",
            "[2001:db8::1]",
            "[2002:7f00:1::]",
            "[8.8.8.8]",
            "[x]",
        ] {
            assert!(!is_public_host(host), "{host}");
        }
    }

    proptest! {
        #[test]
        fn a_written_address_is_checked_like_the_parsed_address(v4: u32, v6: u128) {
            let v4 = Ipv4Addr::from_bits(v4);
            prop_assert_eq!(is_public_host(&v4.to_string()), is_public(v4.into()));
            prop_assert!(!is_public(v4.to_ipv6_mapped().into()));
            let v6 = Ipv6Addr::from_bits(v6);
            prop_assert_eq!(is_public_host(&format!("[{v6}]")), is_public(v6.into()));
        }
    }
}
