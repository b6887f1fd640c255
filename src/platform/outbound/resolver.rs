//! Names to addresses, and which of them a connection may be made to.
//!
//! The client connects to exactly what is given out here, so a name that leads somewhere else the next time it is
//! asked for (DNS rebinding) is judged by what it leads to now.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hickory_resolver::config::{ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::{ResolverBuilder, TokioResolver};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;

use crate::domain::address::is_public;

/// How long one question to a name server may take, so that a second fits into the time of a request.
const QUESTION: Duration = Duration::from_secs(1);
/// The longest that a name is remembered to have no address.
const MEMORY_OF_NOTHING: Duration = Duration::from_secs(10);

/// Where connections may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// To the public Internet.
    Public,
    /// Anywhere.
    Any,
}

/// An address that may not be connected to.
#[derive(Debug, Error)]
#[error("an address of the host is not on the public Internet")]
pub(super) struct Forbidden;

/// A name without addresses.
#[derive(Debug, Error)]
#[error("the host has no address")]
pub(super) struct NotFound;

/// The resolver of the process.
#[derive(Clone)]
pub(super) struct Names(Option<Arc<TokioResolver>>);

/// The same, under a rule.
pub(super) struct Resolver {
    names: Names,
    rule: Rule,
}

impl Names {
    /// Asks these servers; the system's when there are none.
    pub(super) fn new(servers: &[SocketAddr]) -> Self {
        let builder = if servers.is_empty() {
            TokioResolver::builder_tokio().unwrap_or_else(|error| {
                // as the C library does without a configuration
                tracing::warn!(%error, "the system names no name servers: this machine is asked");
                asking(&[(Ipv4Addr::LOCALHOST, 53).into()])
            })
        } else {
            asking(servers)
        };
        match tuned(builder).build() {
            Ok(resolver) => Self(Some(Arc::new(resolver))),
            Err(error) => {
                tracing::error!(%error, "names of others' servers cannot be resolved");
                Self(None)
            }
        }
    }

    pub(super) fn under(&self, rule: Rule) -> Resolver {
        Resolver { names: self.clone(), rule }
    }
}

fn asking(servers: &[SocketAddr]) -> ResolverBuilder<TokioRuntimeProvider> {
    let server = |address: &SocketAddr| {
        let mut connections = vec![ConnectionConfig::udp(), ConnectionConfig::tcp()];
        for connection in &mut connections {
            connection.port = address.port();
        }
        NameServerConfig::new(address.ip(), true, connections)
    };
    let config = ResolverConfig::from_parts(None, Vec::new(), servers.iter().map(server).collect());
    TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
}

fn tuned(mut builder: ResolverBuilder<TokioRuntimeProvider>) -> ResolverBuilder<TokioRuntimeProvider> {
    let options = builder.options_mut();
    options.timeout = QUESTION;
    options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    options.negative_max_ttl = Some(MEMORY_OF_NOTHING);
    builder
}

/// Why a name gives no address to connect to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unresolved {
    NotFound,
    Forbidden,
}

impl Resolver {
    /// The addresses of a name, all of which may be connected to.
    pub(super) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, Unresolved> {
        let resolver = self.names.0.as_ref().ok_or(Unresolved::NotFound)?;
        let found = resolver.lookup_ip(name).await.map_err(|error| {
            tracing::debug!(%error, "a name was not resolved");
            Unresolved::NotFound
        })?;
        let addresses: Vec<IpAddr> = found.iter().collect();
        if addresses.is_empty() {
            return Err(Unresolved::NotFound);
        }
        // one closed address is enough: which of them would be connected to is not ours to say
        if self.rule == Rule::Public && !addresses.iter().copied().all(is_public) {
            return Err(Unresolved::Forbidden);
        }
        Ok(addresses)
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = Self { names: self.names.clone(), rule: self.rule };
        Box::pin(async move {
            match resolver.addresses(name.as_str()).await {
                Ok(found) => {
                    Ok(Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
                }
                Err(Unresolved::NotFound) => Err(NotFound.into()),
                Err(Unresolved::Forbidden) => Err(Forbidden.into()),
            }
        })
    }
}
