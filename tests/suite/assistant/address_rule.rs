//! Fetches of metadata documents never connect to private or reserved addresses (A-057, D-220). A URL is refused if its
//! host is such an address, and also if its host is a name that resolves to one. In this file, *private* includes
//! reserved.

use std::sync::Arc;

use switchboard::platform::outbound::OutboundFailure;

use super::asking::{NO_DOCUMENT, authorize_as, cause, invalid_client_message};
use crate::support::{names::DnsServer, oauth::*, receiver::*, *};

/// Private addresses, each in a spelling that at least one URL parser accepts, and names of the local host.
const HOSTS: [&str; 44] = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "0x7f.1",
    "0x7f000001",
    "0X7F.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "2130706433",
    "0",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "012.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "255.255.255.255",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
];

/// The entries of [`HOSTS`] that differ from their canonical form.
const OTHER_SPELLINGS: [&str; 18] = [
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "0x7f.1",
    "0x7f000001",
    "0X7F.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "2130706433",
    "0",
    "012.0.0.1",
    "2852039166",
    "0xa9fea9fe",
    "LOCALHOST",
    "localhost.",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
];

/// Addresses of each private network. Most of them are the first or the last address of their network.
const ADDRESSES: [&str; 46] = [
    "0.0.0.0",
    "0.255.255.255",
    "10.0.0.0",
    "10.255.255.255",
    "100.64.0.0",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.0.0",
    "169.254.169.254",
    "172.16.0.0",
    "172.31.255.255",
    "192.0.0.0",
    "192.0.0.255",
    "192.0.2.0",
    "192.88.99.255",
    "192.168.0.0",
    "192.168.255.255",
    "198.18.0.0",
    "198.19.255.255",
    "198.51.100.0",
    "203.0.113.255",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::2",
    "::ffff:10.0.0.1",
    "::ffff:127.0.0.1",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:1ff:ffff::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "3fff::1",
    "fc00::1",
    "fdff::1",
    "fe80::1",
    "febf::1",
    "fec0::1",
    "ff02::1",
];

async fn server(names: &DnsServer) -> Server {
    // the tests' usual base URL has the host 127.0.0.1, so the server would reject 127.0.0.1 as its own host
    let configure: server::Configure = Arc::new(|config| {
        config.base_url = switchboard::config::BaseUrl::parse("https://chat.example.com").unwrap();
    });
    let name_servers = vec![names.address];
    Server::with(Options { name_servers, configure: Some(configure), ..Options::default() }).await.unwrap()
}

/// Asserts that the browser sees an error page. Returns why the document could not be fetched. Returns `None` if the
/// client id is not a valid URL of a document, because then nothing is fetched.
async fn refused(server: &Server, client_id: &str) -> Option<OutboundFailure> {
    let message = invalid_client_message(authorize_as(server, client_id, CALLBACK).await);
    let why = cause(server, client_id, CALLBACK).await;
    assert_eq!(
        message == NO_DOCUMENT,
        why.is_some(),
        "the message is about the document if and only if its fetch failed: {client_id}: {message}"
    );
    why
}

const FORBIDDEN: Option<OutboundFailure> = Some(OutboundFailure::ForbiddenAddress);

#[tokio::test]
async fn hosts_that_are_private_addresses_are_refused() {
    let names = DnsServer::start().await;
    let server = server(&names).await;
    // this receiver would accept a connection
    let receiver = Receiver::with(Identity::Good, &["127.0.0.1", "localhost"]).await;
    let port = receiver.address.port();
    for host in HOSTS {
        let why = refused(&server, &format!("https://{host}:{port}/client.json")).await;
        // a client id is invalid if its host is not in canonical form
        let expected = if OTHER_SPELLINGS.contains(&host) { None } else { FORBIDDEN };
        assert_eq!(why, expected, "a host that is a private address is refused (A-057): {host}");
    }
    // a client id with one of these hosts is invalid
    for host in ["[fe80::1%25eth0]", "[::1", "127.0.0.1%00", "127。0。0。1", "①②⑦.0.0.1", "", "*"] {
        let why = refused(&server, &format!("https://{host}:{port}/client.json")).await;
        assert_eq!(why, None, "{host}");
    }
    assert_eq!(receiver.connections(), 0, "the server connects to no private address (A-057)");
    assert!(names.queried().is_empty(), "{:?}", names.queried());
}

#[tokio::test]
async fn names_that_resolve_to_private_addresses_are_refused() {
    let names = DnsServer::start().await;
    let server = server(&names).await;
    let receiver = Receiver::with(Identity::Good, &["client.example"]).await;
    let port = receiver.address.port();
    for (n, address) in ADDRESSES.iter().enumerate() {
        let host = format!("client{n}.example");
        names.set_addresses(&host, &[address]);
        let why = refused(&server, &format!("https://{host}:{port}/client.json")).await;
        assert_eq!(why, FORBIDDEN, "a name that resolves to a private address is refused (A-057): {address}");
    }
    // one private address is enough to refuse the host, even if its other address is public
    for (n, addresses) in
        [["8.8.8.8", "127.0.0.1"], ["10.0.0.1", "2606:4700::1111"], ["::1", "8.8.8.8"]].iter().enumerate()
    {
        let host = format!("mixed{n}.example");
        names.set_addresses(&host, addresses);
        let why = refused(&server, &format!("https://{host}:{port}/client.json")).await;
        assert_eq!(
            why, FORBIDDEN,
            "one private address among several is enough to refuse (A-057): {addresses:?}"
        );
    }
    let why = refused(&server, &format!("https://nowhere.example:{port}/client.json")).await;
    assert_eq!(why, Some(OutboundFailure::Dns));
    assert_eq!(receiver.connections(), 0, "the server connects to no private address (A-057)");
}
