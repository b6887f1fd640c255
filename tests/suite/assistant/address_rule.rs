//! No metadata document makes this server talk to what only it can reach (A-057, D-220): by the host as written, and
//! by what a name leads to.

use std::sync::Arc;

use switchboard::{platform::outbound::Failure, workspace::assistants::clients::ClientProblem};

use crate::support::{names::Names, oauth::*, receiver::*, *};

/// Hosts of URLs, in every form that some reader takes for an address that is not public.
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

/// Addresses that a name may lead to, at both ends of the closed networks.
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

async fn server(names: &Names) -> Server {
    // else 127.0.0.1 would be refused as this server's own host
    let configure: server::Configure = Arc::new(|config| {
        config.base_url = switchboard::config::BaseUrl::parse("https://chat.example.com").unwrap();
    });
    let name_servers = vec![names.address];
    Server::with(Options { name_servers, configure: Some(configure), ..Options::default() }).await.unwrap()
}

/// Why a document was not fetched; none where the client id is no URL of one.
async fn refused(server: &Server, client_id: &str) -> Option<Failure> {
    let asked = server.running().world().client_for(client_id, CALLBACK).await.unwrap();
    match asked {
        Err(ClientProblem::Unreached(why)) => Some(why),
        Err(ClientProblem::Unknown(_)) => None,
        other => panic!("{client_id}: {other:?}"),
    }
}

const CLOSED: Option<Failure> = Some(Failure::ForbiddenAddress);

#[tokio::test]
async fn hosts_as_written() {
    let names = Names::start().await;
    let server = server(&names).await;
    // what would answer, were it asked
    let receiver = Receiver::with(Identity::Good, &["127.0.0.1", "localhost"]).await;
    let port = receiver.address.port();
    for host in HOSTS {
        let why = refused(&server, &format!("https://{host}:{port}/client.json")).await;
        assert_eq!(why, CLOSED, "A-057: {host}");
    }
    // forms that are no hosts at all
    for host in ["[fe80::1%25eth0]", "[::1", "127.0.0.1%00", "127。0。0。1", "①②⑦.0.0.1", "", "*"] {
        let why = refused(&server, &format!("https://{host}:{port}/client.json")).await;
        assert_eq!(why, None, "{host}");
    }
    assert_eq!(receiver.connections(), 0, "A-057");
    assert!(names.asked().is_empty(), "{:?}", names.asked());
}

#[tokio::test]
async fn what_names_lead_to() {
    let names = Names::start().await;
    let server = server(&names).await;
    let receiver = Receiver::with(Identity::Good, &["client.example"]).await;
    let port = receiver.address.port();
    for (n, address) in ADDRESSES.iter().enumerate() {
        let host = format!("client{n}.example");
        names.lead(&host, &[address]);
        let why = refused(&server, &format!("https://{host}:{port}/client.json")).await;
        assert_eq!(why, CLOSED, "A-057: {address}");
    }
    // one closed address among open ones is enough
    for (n, addresses) in
        [["8.8.8.8", "127.0.0.1"], ["10.0.0.1", "2606:4700::1111"], ["::1", "8.8.8.8"]].iter().enumerate()
    {
        let host = format!("mixed{n}.example");
        names.lead(&host, addresses);
        let why = refused(&server, &format!("https://{host}:{port}/client.json")).await;
        assert_eq!(why, CLOSED, "A-057: {addresses:?}");
    }
    let why = refused(&server, &format!("https://nowhere.example:{port}/client.json")).await;
    assert_eq!(why, Some(Failure::Dns));
    assert_eq!(receiver.connections(), 0, "A-057");
}
