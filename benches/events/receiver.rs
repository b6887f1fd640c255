//! A minimal receiver of events. It listens with HTTPS on many ports and answers every request with 200.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, ServerConfig,
        pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

#[derive(Clone)]
pub struct Receiver {
    pub ports: Vec<u16>,
    /// The certificate of the authority that signed the receiver's certificate, as PEM.
    pub authority: String,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    count: AtomicU64,
    news: Notify,
}

impl Receiver {
    pub async fn start(ports: usize) -> Self {
        let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &authority).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![CertificateDer::from(certificate.der().to_vec())],
                PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())),
            )
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let shared = Arc::<Shared>::default();
        let mut found = Vec::new();
        for _ in 0..ports {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            found.push(listener.local_addr().unwrap().port());
            let (acceptor, shared) = (acceptor.clone(), Arc::clone(&shared));
            tokio::spawn(async move {
                loop {
                    let Ok((socket, _)) = listener.accept().await else { continue };
                    tokio::spawn(serve(socket, acceptor.clone(), Arc::clone(&shared)));
                }
            });
        }
        Self { ports: found, authority: authority.pem(), shared }
    }

    /// Returns the number of requests that have been received.
    pub fn count(&self) -> u64 {
        self.shared.count.load(Ordering::Acquire)
    }

    /// Waits until `count` requests have been received in total.
    pub async fn wait(&self, count: u64) {
        loop {
            let news = self.shared.news.notified();
            if self.count() >= count {
                return;
            }
            news.await;
        }
    }
}

async fn serve(socket: TcpStream, acceptor: TlsAcceptor, shared: Arc<Shared>) {
    let _ = socket.set_nodelay(true);
    let Ok(mut stream) = acceptor.accept(socket).await else { return };
    let mut bytes = Vec::with_capacity(4096);
    loop {
        while let Some(length) = whole_request(&bytes) {
            bytes.drain(..length);
            shared.count.fetch_add(1, Ordering::Release);
            shared.news.notify_waiters();
            if stream.write_all(ANSWER).await.is_err() || stream.flush().await.is_err() {
                return;
            }
        }
        match stream.read_buf(&mut bytes).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// Returns the length of the first request if the buffer contains all of it.
fn whole_request(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let whole = end + length.unwrap_or(0usize);
    (bytes.len() >= whole).then_some(whole)
}
