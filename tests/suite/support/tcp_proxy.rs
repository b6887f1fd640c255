//! A proxy between a client and a server on TCP or a Unix socket that can swallow, cut and delay what it forwards.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

use super::wait::hold_up;

/// Where a proxy sends connections.
#[derive(Clone, Debug)]
pub enum Upstream {
    Tcp(SocketAddr),
    /// The socket itself, such as `/tmp/x/.s.PGSQL.5432`.
    Unix(PathBuf),
}

/// What happens to the connections that are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Forward,
    /// Everything is read and nothing is passed on: neither side learns of it.
    Swallow,
    Cut,
}

/// A running proxy. Ends with its runtime.
pub struct TcpProxy {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    upstream: Mutex<Upstream>,
    /// Of the connections that were open at a turn and, last, of those that are open now.
    fates: Mutex<Vec<watch::Sender<Fate>>>,
    /// Milliseconds by which each part is late.
    delay: AtomicU64,
    /// Cut every connection on which the client sends this.
    trap: Mutex<Option<Vec<u8>>>,
    sprung: AtomicUsize,
    /// New connections are accepted and never answered.
    hangs: Mutex<bool>,
}

impl TcpProxy {
    pub async fn start(upstream: Upstream) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            upstream: Mutex::new(upstream),
            fates: Mutex::new(vec![watch::channel(Fate::Forward).0]),
            delay: AtomicU64::new(0),
            trap: Mutex::default(),
            sprung: AtomicUsize::new(0),
            hangs: Mutex::new(false),
        });
        let accepting = Arc::clone(&shared);
        tokio::spawn(async move {
            let mut held = Vec::new();
            loop {
                let Ok((client, _)) = listener.accept().await else { continue };
                if *accepting.hangs.lock().unwrap() {
                    held.push(client);
                } else {
                    tokio::spawn(Arc::clone(&accepting).serve(client));
                }
            }
        });
        Self { address, shared }
    }

    /// Of PostgreSQL's socket in a folder.
    pub async fn of_socket(folder: &Path) -> Self {
        Self::start(Upstream::Unix(folder.join(".s.PGSQL.5432"))).await
    }

    /// Swallows everything on the connections that are open, in both directions; new ones work.
    pub fn swallow_open(&self) {
        self.turn(Fate::Swallow);
    }

    /// Cuts the connections that are open; new ones work.
    pub fn cut_open(&self) {
        self.turn(Fate::Cut);
    }

    fn turn(&self, fate: Fate) {
        let mut fates = self.shared.fates.lock().unwrap();
        fates.last().unwrap().send_replace(fate);
        fates.push(watch::channel(Fate::Forward).0);
    }

    /// New connections are accepted and never answered, or work again.
    pub fn hang_new(&self, hangs: bool) {
        *self.shared.hangs.lock().unwrap() = hangs;
    }

    /// New connections go to another server.
    pub fn lead_to(&self, upstream: Upstream) {
        *self.shared.upstream.lock().unwrap() = upstream;
    }

    /// Everything comes so much later from now on.
    pub fn delay(&self, by: Duration) {
        self.shared.delay.store(by.as_millis() as u64, Ordering::Relaxed);
    }

    /// Cuts a connection right after the client has sent this, which still reaches the server. `None`: no more.
    pub fn cut_after(&self, sent: Option<&[u8]>) {
        *self.shared.trap.lock().unwrap() = sent.map(<[u8]>::to_vec);
    }

    /// How many connections were cut for what they sent.
    pub fn sprung(&self) -> usize {
        self.shared.sprung.load(Ordering::Relaxed)
    }
}

impl Shared {
    async fn serve(self: Arc<Self>, client: TcpStream) {
        // with the fate of the moment it was accepted
        let fate = self.fates.lock().unwrap().last().unwrap().subscribe();
        let upstream = self.upstream.lock().unwrap().clone();
        let (from_client, to_client) = client.into_split();
        match upstream {
            Upstream::Tcp(address) => {
                let Ok(server) = TcpStream::connect(address).await else { return };
                let (from_server, to_server) = server.into_split();
                self.forward(fate, from_client, to_client, from_server, to_server).await;
            }
            Upstream::Unix(path) => {
                let Ok(server) = UnixStream::connect(path).await else { return };
                let (from_server, to_server) = server.into_split();
                self.forward(fate, from_client, to_client, from_server, to_server).await;
            }
        }
    }

    async fn forward(
        &self,
        mut fate: watch::Receiver<Fate>,
        from_client: impl AsyncRead + Unpin,
        to_client: impl AsyncWrite + Unpin,
        from_server: impl AsyncRead + Unpin,
        to_server: impl AsyncWrite + Unpin,
    ) {
        let watching = fate.clone();
        tokio::select! {
            () = self.pump(from_client, to_server, watching.clone(), true) => {}
            () = self.pump(from_server, to_client, watching, false) => {}
            _ = fate.wait_for(|fate| *fate == Fate::Cut) => {}
        }
    }

    async fn pump(
        &self,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
        fate: watch::Receiver<Fate>,
        of_client: bool,
    ) {
        let mut part = vec![0; 16 * 1024];
        loop {
            let Ok(length @ 1..) = from.read(&mut part).await else {
                // a side that hangs up is not passed on either
                if *fate.borrow() == Fate::Swallow {
                    std::future::pending::<()>().await;
                }
                return;
            };
            let delay = self.delay.load(Ordering::Relaxed);
            if delay > 0 {
                hold_up(Duration::from_millis(delay)).await;
            }
            if *fate.borrow() == Fate::Swallow {
                continue;
            }
            if to.write_all(&part[..length]).await.is_err() {
                return;
            }
            let trap = self.trap.lock().unwrap().clone();
            let found = |trap: Vec<u8>| part[..length].windows(trap.len()).any(|window| window == trap);
            if of_client && trap.is_some_and(found) {
                self.sprung.fetch_add(1, Ordering::Relaxed);
                return;
            }
        }
    }
}
