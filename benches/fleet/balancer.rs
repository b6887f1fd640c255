//! A TCP load balancer. It distributes connections round-robin over the ready nodes. When a node is no longer ready,
//! the balancer closes the connections that were opened while the node was ready.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// The pause between two requests to a node's `/readyz`.
const EVERY: Duration = Duration::from_millis(250);
/// The timeout of a request to `/readyz`, and of connecting to a node.
const PATIENCE: Duration = Duration::from_secs(1);

pub struct Balancer {
    pub address: SocketAddr,
    listener: Option<TcpListener>,
}

struct Backend {
    front: SocketAddr,
    is_ready: watch::Sender<bool>,
}

struct Shared {
    backends: Vec<Backend>,
    turn: AtomicUsize,
}

impl Balancer {
    /// Binds a free port. The balancer accepts no connections before [`Balancer::forward_to`] is called.
    pub async fn bind() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self { address: listener.local_addr().unwrap(), listener: Some(listener) }
    }

    /// Starts to forward connections to the nodes with these addresses.
    pub fn forward_to(&mut self, fronts: &[SocketAddr]) {
        let backend = |front: &SocketAddr| Backend { front: *front, is_ready: watch::channel(true).0 };
        let shared =
            Arc::new(Shared { backends: fronts.iter().map(backend).collect(), turn: AtomicUsize::new(0) });
        for number in 0..fronts.len() {
            tokio::spawn(watch_readiness(Arc::clone(&shared), number));
        }
        let listener = self.listener.take().expect("forward_to is called once");
        tokio::spawn(async move {
            loop {
                let Ok((client, _)) = listener.accept().await else { continue };
                tokio::spawn(forward(Arc::clone(&shared), client));
            }
        });
    }
}

async fn forward(shared: Arc<Shared>, mut client: TcpStream) {
    let backend = shared.next();
    let mut ready = backend.is_ready.subscribe();
    let Ok(Ok(mut node)) = tokio::time::timeout(PATIENCE, TcpStream::connect(backend.front)).await else {
        return;
    };
    let _ = (client.set_nodelay(true), node.set_nodelay(true));
    let was_ready = *ready.borrow_and_update();
    let lost = async {
        // a connection that was opened while its node was not ready stays open when the node's readiness changes
        loop {
            let Ok(()) = ready.changed().await else { return };
            if was_ready && !*ready.borrow() {
                return;
            }
        }
    };
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut client, &mut node) => {}
        () = lost => {}
    }
}

impl Shared {
    /// Returns the next ready node in turn; if no node is ready, the next node.
    fn next(&self) -> &Backend {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        let all = self.backends.len();
        let in_turn = (0..all).map(|n| &self.backends[(turn + n) % all]);
        in_turn.clone().find(|backend| *backend.is_ready.borrow()).unwrap_or(&self.backends[turn % all])
    }
}

async fn watch_readiness(shared: Arc<Shared>, number: usize) {
    let backend = &shared.backends[number];
    let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).timeout(PATIENCE);
    let client = client.build().unwrap();
    loop {
        let asked = client.get(format!("http://{}/readyz", backend.front)).send().await;
        let is_ready = asked.is_ok_and(|answer| answer.status().as_u16() == 200);
        backend.is_ready.send_if_modified(|known| std::mem::replace(known, is_ready) != is_ready);
        tokio::time::sleep(EVERY).await;
    }
}
