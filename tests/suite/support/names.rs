//! A DNS server whose responses the test sets. Every response has a TTL of zero, so that changes take effect
//! immediately.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
};

use tokio::net::UdpSocket;

/// Names, in lower case and without the final dot, and their addresses.
type Table = HashMap<String, Vec<IpAddr>>;

#[derive(Clone)]
pub struct DnsServer {
    pub address: SocketAddr,
    table: Arc<Mutex<Table>>,
    queried: Arc<Mutex<Vec<String>>>,
    /// While a test holds this lock, the server does not respond.
    pub responding: Arc<tokio::sync::Mutex<()>>,
}

impl DnsServer {
    pub async fn start() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: socket.local_addr().unwrap(),
            table: Arc::default(),
            queried: Arc::default(),
            responding: Arc::default(),
        };
        let serving = server.clone();
        tokio::spawn(async move {
            let mut bytes = [0; 1500];
            loop {
                let Ok((length, from)) = socket.recv_from(&mut bytes).await else { continue };
                if let Some(answer) = serving.answer(&bytes[..length]) {
                    let _responding = serving.responding.lock().await;
                    let _ = socket.send_to(&answer, from).await;
                }
            }
        });
        server
    }

    /// Sets the addresses of a name.
    pub fn set_addresses(&self, name: &str, to: &[&str]) {
        let to = to.iter().map(|address| address.parse().unwrap()).collect();
        self.table.lock().unwrap().insert(name.to_owned(), to);
    }

    /// Returns every name that was queried, in the order of the queries. A name that was queried twice is returned
    /// twice.
    pub fn queried(&self) -> Vec<String> {
        self.queried.lock().unwrap().clone()
    }

    /// Returns the response in the format of RFC 1035 §4: the header, the question as received, and an A or AAAA record
    /// for each address of the queried type. For an unknown name the response is NXDOMAIN. Returns `None` for a
    /// malformed query.
    fn answer(&self, query: &[u8]) -> Option<Vec<u8>> {
        let mut at = 12;
        let mut labels = Vec::new();
        loop {
            let length = usize::from(*query.get(at)?);
            at += 1;
            if length == 0 {
                break;
            }
            labels.push(String::from_utf8_lossy(query.get(at..at + length)?).to_ascii_lowercase());
            at += length;
        }
        let kind = u16::from_be_bytes([*query.get(at)?, *query.get(at + 1)?]);
        let question = query.get(12..at + 4)?;
        let name = labels.join(".");
        self.queried.lock().unwrap().push(name.clone());
        let found = self.table.lock().unwrap().get(&name).cloned();
        let code: u8 = if found.is_some() { 0 } else { 3 };
        let records: Vec<Vec<u8>> = found
            .unwrap_or_default()
            .into_iter()
            .filter_map(|address| match (address, kind) {
                (IpAddr::V4(v4), 1) => Some(v4.octets().to_vec()),
                (IpAddr::V6(v6), 28) => Some(v6.octets().to_vec()),
                _ => None,
            })
            .collect();
        let mut answer = query.get(..2)?.to_vec();
        // flags: response, authoritative, recursion desired, recursion available; then the response code
        answer.extend([0x85, 0x80 | code, 0, 1, 0, records.len() as u8, 0, 0, 0, 0]);
        answer.extend(question);
        for data in records {
            answer.extend([0xc0, 12]);
            answer.extend(kind.to_be_bytes());
            answer.extend([0, 1, 0, 0, 0, 0, 0, data.len() as u8]);
            answer.extend(data);
        }
        Some(answer)
    }
}
