//! The deployment: a PostgreSQL primary and its synchronous standby, two nodes, the balancer, and proxies. There is a
//! proxy in front of each node, and a proxy between each node and each PostgreSQL server.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use switchboard::{
    domain::token::{self, TokenKind},
    platform::secrets::hex,
};
use tempfile::TempDir;

use super::{
    balancer::Balancer,
    clock,
    cpu::Processes,
    node::Node,
    options::Options,
    support::{
        in_process,
        postgres::{Durability, Server},
        tcp_proxy::Upstream,
    },
};

pub const DATABASE: &str = "fleet";

pub struct Cluster {
    folder: Option<TempDir>,
    /// The PostgreSQL servers, in the order of their proxies in the nodes' database URLs.
    servers: [Server; 2],
    /// The index of the primary in `servers`.
    primary: usize,
    pub nodes: Vec<Node>,
    pub balancer: Balancer,
    pub operator_key: String,
    processes: Processes,
}

impl Cluster {
    pub async fn start(options: &Options, receiver: SocketAddr) -> Self {
        let folder = in_process::folder(options.dir.as_ref());
        let processes = Processes::default();
        let servers = tokio::task::spawn_blocking(|| {
            let primary = Server::start_with(Durability::Full, &in_process::shared_buffers())
                .expect("PostgreSQL is installed");
            let standby = primary.standby();
            [primary, standby]
        });
        let servers = servers.await.unwrap();
        servers[0].create(DATABASE, None).await;
        set_waits_for_standby(&servers[0], true).await;
        for server in &servers {
            register_processes(server, &processes);
        }
        let mut balancer = Balancer::bind().await;
        let operator_key = token::mint(TokenKind::Operator, &[9; 32]);
        let mut settings = settings(folder.path(), &operator_key, &balancer, receiver);
        if options.chaos {
            settings.push(("LD_PRELOAD", clock::library(folder.path()).display().to_string()));
        }
        let sockets = [servers[0].folder(), servers[1].folder()];
        let mut nodes = Vec::new();
        for name in ["a", "b"] {
            let mut node = Node::new(name, folder.path(), sockets, &settings, processes.clone()).await;
            node.start().await;
            nodes.push(node);
        }
        balancer.forward_to(&nodes.iter().map(|node| node.front.address).collect::<Vec<_>>());
        Self { folder: Some(folder), servers, primary: 0, nodes, balancer, operator_key, processes }
    }

    pub fn processes(&self) -> Processes {
        self.processes.clone()
    }

    /// Returns the addresses of the proxies in front of the nodes. Requests to them bypass the balancer.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.front.address).collect()
    }

    pub fn primary(&self) -> &Server {
        &self.servers[self.primary]
    }

    pub fn standby(&self) -> &Server {
        &self.servers[1 - self.primary]
    }

    /// Registers the process ids of both database servers again, so that the CPU time of a restarted server is counted.
    pub fn recount(&self) {
        for server in &self.servers {
            register_processes(server, &self.processes);
        }
    }

    /// Stops the primary permanently and promotes the standby. Until [`Cluster::rebuild_standby`] is called, commits of
    /// the new primary wait for no standby.
    pub async fn fail_over(&mut self) {
        let (primary, standby) = (self.primary().clone(), self.standby().clone());
        tokio::task::spawn_blocking(move || {
            // the old primary must be unable to respond before the standby becomes the primary
            primary.stop();
            standby.promote();
        })
        .await
        .unwrap();
        set_waits_for_standby(self.standby(), false).await;
        self.primary = 1 - self.primary;
    }

    /// Starts a new standby in place of the former primary. Afterwards every commit waits for the new standby.
    pub async fn rebuild_standby(&mut self) {
        let primary = self.primary().clone();
        let standby = tokio::task::spawn_blocking(move || primary.standby()).await.unwrap();
        let index = 1 - self.primary;
        for node in &self.nodes {
            node.databases[index].set_upstream(Upstream::Unix(standby.folder().join(".s.PGSQL.5432")));
        }
        self.servers[index] = standby;
        register_processes(&self.servers[index], &self.processes);
        set_waits_for_standby(self.primary(), true).await;
    }

    /// Keeps the folder after the run and returns its path.
    pub fn keep(&mut self) -> PathBuf {
        self.folder.take().expect("keep is called once").keep()
    }
}

/// Sets whether the commits of a server wait for a standby.
async fn set_waits_for_standby(server: &Server, waits: bool) {
    let names = if waits { "*" } else { "" };
    server.run(format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'")).await;
    server.run("SELECT pg_reload_conf()".to_owned()).await;
}

fn register_processes(server: &Server, processes: &Processes) {
    let file = std::fs::read_to_string(server.folder().join("data/postmaster.pid")).unwrap_or_default();
    if let Some(id) = file.lines().next().and_then(|line| line.trim().parse().ok()) {
        processes.add_database(id);
    }
}

fn settings(
    folder: &Path,
    operator_key: &str,
    balancer: &Balancer,
    receiver: SocketAddr,
) -> Vec<(&'static str, String)> {
    vec![
        ("SWITCHBOARD_ENVIRONMENT", "dev".to_owned()),
        ("SWITCHBOARD_LISTEN", "127.0.0.1:0".to_owned()),
        ("SWITCHBOARD_BASE_URL", format!("http://{}", balancer.address)),
        ("SWITCHBOARD_FILES_DIR", folder.join("files").display().to_string()),
        ("SWITCHBOARD_OPERATOR_KEY_SHA256", hex(&token::hash(operator_key))),
        ("SWITCHBOARD_ALLOW_PRIVATE_HOSTS", receiver.to_string()),
        ("SWITCHBOARD_LOG_FORMAT", "json".to_owned()),
    ]
}
