//! A TCP proxy in front of a server that listens on TCP or on a Unix socket. The proxy can delay or discard what the
//! client and the server send, and cut connections.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

use super::wait;

/// The server behind a proxy.
#[derive(Clone, Debug)]
pub enum Upstream {
    #[allow(dead_code, reason = "for a benchmark, which includes this file")]
    Tcp(SocketAddr),
    /// The path of the socket, such as `/tmp/x/.s.PGSQL.5432`.
    Unix(PathBuf),
}

/// What the proxy does with connections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ConnectionMode {
    Forward,
    /// The proxy reads everything and forwards nothing. The connection stays open.
    Discard,
    /// The proxy closes the connection on both sides.
    Cut,
}

/// Bytes that make the proxy cut the connection of the client that sends them.
#[derive(Clone, Debug)]
struct CutOnBytes {
    sent: Vec<u8>,
    /// Whether the server receives these bytes.
    is_forwarded: bool,
}

/// A running proxy. It stops when its runtime is dropped.
pub struct TcpProxy {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    upstream: Mutex<Upstream>,
    /// A new connection follows the last mode of this list. [`TcpProxy::discard_open`] and [`TcpProxy::cut_open`]
    /// change the last mode, and then add a mode for the connections that are accepted later.
    modes: Mutex<Vec<watch::Sender<ConnectionMode>>>,
    /// Delay of each chunk, in milliseconds.
    delay: AtomicU64,
    /// The bytes that make the proxy cut a connection, if any.
    cut_on: Mutex<Option<CutOnBytes>>,
    cut_connections: AtomicUsize,
    /// Whether the proxy accepts new connections and never responds on them.
    hangs: Mutex<bool>,
    /// The round trips since the last [`TcpProxy::record`]. `None` before the first call.
    recorded: Mutex<Option<Vec<Vec<u8>>>>,
}

impl TcpProxy {
    pub async fn start(upstream: Upstream) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            upstream: Mutex::new(upstream),
            modes: Mutex::new(vec![watch::channel(ConnectionMode::Forward).0]),
            delay: AtomicU64::new(0),
            cut_on: Mutex::default(),
            cut_connections: AtomicUsize::new(0),
            hangs: Mutex::new(false),
            recorded: Mutex::default(),
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

    /// Starts a proxy in front of PostgreSQL's Unix socket in a folder.
    pub async fn of_socket(folder: &Path) -> Self {
        Self::start(Upstream::Unix(folder.join(".s.PGSQL.5432"))).await
    }

    /// Discards everything on the connections that are open now, in both directions. Connections that are opened later
    /// work.
    pub fn discard_open(&self) {
        self.set_mode_of_open(ConnectionMode::Discard);
    }

    /// Cuts the connections that are open now, except those that [`TcpProxy::discard_open`] affects already.
    /// Connections that are opened later work.
    pub fn cut_open(&self) {
        self.set_mode_of_open(ConnectionMode::Cut);
    }

    fn set_mode_of_open(&self, mode: ConnectionMode) {
        let mut modes = self.shared.modes.lock().unwrap();
        modes.last().unwrap().send_replace(mode);
        modes.push(watch::channel(ConnectionMode::Forward).0);
    }

    /// Sets whether the proxy accepts new connections and never responds on them.
    pub fn hang_new(&self, hangs: bool) {
        *self.shared.hangs.lock().unwrap() = hangs;
    }

    /// Forwards new connections to another server.
    #[allow(dead_code, reason = "for a benchmark, which includes this file")]
    pub fn set_upstream(&self, upstream: Upstream) {
        *self.shared.upstream.lock().unwrap() = upstream;
    }

    /// Delays every chunk by this time from now on, in both directions.
    pub fn delay(&self, by: Duration) {
        self.shared.delay.store(by.as_millis() as u64, Ordering::Relaxed);
    }

    /// Cuts each connection on which the client sends these bytes in one chunk. The proxy forwards the bytes before it
    /// cuts the connection. After a call with `None`, no further connection is cut.
    pub fn cut_after(&self, sent: Option<&[u8]>) {
        self.set_cut_on(sent, true);
    }

    /// Cuts each connection on which the client sends these bytes in one chunk. The server never receives the bytes.
    /// After a call with `None`, no further connection is cut.
    pub fn cut_before(&self, sent: Option<&[u8]>) {
        self.set_cut_on(sent, false);
    }

    /// Starts recording round trips, and discards the round trips that were recorded before.
    pub fn record(&self) {
        *self.shared.recorded.lock().unwrap() = Some(Vec::new());
    }

    /// Returns the recorded round trips, each as the first chunk that a client sent after a response or on a new
    /// connection.
    pub fn recorded(&self) -> Vec<Vec<u8>> {
        self.shared.recorded.lock().unwrap().clone().unwrap_or_default()
    }

    fn set_cut_on(&self, sent: Option<&[u8]>, is_forwarded: bool) {
        *self.shared.cut_on.lock().unwrap() =
            sent.map(|sent| CutOnBytes { sent: sent.to_vec(), is_forwarded });
    }

    /// Returns the number of connections that [`TcpProxy::cut_after`] and [`TcpProxy::cut_before`] cut.
    pub fn cut_connections(&self) -> usize {
        self.shared.cut_connections.load(Ordering::Relaxed)
    }
}

impl Shared {
    async fn serve(self: Arc<Self>, client: TcpStream) {
        let mode = self.modes.lock().unwrap().last().unwrap().subscribe();
        let upstream = self.upstream.lock().unwrap().clone();
        let (from_client, to_client) = client.into_split();
        match upstream {
            Upstream::Tcp(address) => {
                let Ok(server) = TcpStream::connect(address).await else { return };
                let (from_server, to_server) = server.into_split();
                self.forward(mode, from_client, to_client, from_server, to_server).await;
            }
            Upstream::Unix(path) => {
                let Ok(server) = UnixStream::connect(path).await else { return };
                let (from_server, to_server) = server.into_split();
                self.forward(mode, from_client, to_client, from_server, to_server).await;
            }
        }
    }

    async fn forward(
        &self,
        mut mode: watch::Receiver<ConnectionMode>,
        from_client: impl AsyncRead + Unpin,
        to_client: impl AsyncWrite + Unpin,
        from_server: impl AsyncRead + Unpin,
        to_server: impl AsyncWrite + Unpin,
    ) {
        let watching = mode.clone();
        let waits = AtomicBool::new(false);
        tokio::select! {
            () = self.pump(from_client, to_server, watching.clone(), true, &waits) => {}
            () = self.pump(from_server, to_client, watching, false, &waits) => {}
            _ = mode.wait_for(|mode| *mode == ConnectionMode::Cut) => {}
        }
    }

    /// Forwards one direction of a connection: from the client if `of_client` is true, otherwise to the client. `waits`
    /// is true while the client waits for a response.
    async fn pump(
        &self,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
        mode: watch::Receiver<ConnectionMode>,
        of_client: bool,
        waits: &AtomicBool,
    ) {
        let mut part = vec![0; 16 * 1024];
        loop {
            let Ok(length @ 1..) = from.read(&mut part).await else {
                // in the mode `Discard`, the proxy does not forward that one side has closed its connection
                if *mode.borrow() == ConnectionMode::Discard {
                    std::future::pending::<()>().await;
                }
                return;
            };
            if !waits.swap(of_client, Ordering::Relaxed)
                && of_client
                && let Some(recorded) = &mut *self.recorded.lock().unwrap()
            {
                recorded.push(part[..length].to_vec());
            }
            let delay = self.delay.load(Ordering::Relaxed);
            if delay > 0 {
                wait::delay(Duration::from_millis(delay)).await;
            }
            if *mode.borrow() == ConnectionMode::Discard {
                continue;
            }
            let cut_on = self.cut_on.lock().unwrap().clone().filter(|_| of_client);
            let is_in = |cut_on: &CutOnBytes| {
                part[..length].windows(cut_on.sent.len()).any(|window| window == cut_on.sent)
            };
            let matched = cut_on.filter(is_in);
            if matched.as_ref().is_none_or(|cut_on| cut_on.is_forwarded)
                && to.write_all(&part[..length]).await.is_err()
            {
                return;
            }
            if matched.is_some() {
                self.cut_connections.fetch_add(1, Ordering::Relaxed);
                return;
            }
        }
    }
}
