//! Resolves names, and checks to which addresses a connection may be made.
//!
//! For a URL with a host name, the HTTP client connects only to addresses that this module returns. With
//! [`Rule::Public`] this module checks the addresses. So the client connects only to checked addresses, even if the
//! next query for the name has another result (DNS rebinding). `Outbound::rule` checks IP addresses in URLs.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hickory_resolver::config::{ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::{ResolverBuilder, TokioResolver};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;

use crate::domain::address::is_public;

/// Timeout of one query to a name server. It is short enough for a second query within the timeout of a request.
const QUERY_TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum time for which the resolver caches that a name has no address.
const MAX_NEGATIVE_TTL: Duration = Duration::from_secs(10);

/// Which addresses are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Public addresses only.
    Public,
    /// Any address.
    Any,
}

/// The error for a host with an address to which no connection may be made.
#[derive(Debug, Error)]
#[error("an address of the host is not on the public Internet")]
pub(super) struct Forbidden;

/// The error for a name that has no address or cannot be resolved.
#[derive(Debug, Error)]
#[error("the host has no address")]
pub(super) struct NotFound;

/// A resolver of names. `None` if the setup of the resolver failed; no name can then be resolved.
#[derive(Clone)]
pub(super) struct Names(Option<Arc<TokioResolver>>);

/// A resolver that returns only addresses that a rule allows.
pub(super) struct Resolver {
    names: Names,
    rule: Rule,
}

impl Names {
    /// Creates the resolver with the name servers `servers`, or with the system's name servers if the list is empty.
    pub(super) fn new(servers: &[SocketAddr]) -> Self {
        let builder = if servers.is_empty() {
            TokioResolver::builder_tokio().unwrap_or_else(|error| {
                // like the C library, which queries localhost if no name servers are configured
                tracing::warn!(%error, "failed to read the system's name servers; using localhost");
                builder_for(&[(Ipv4Addr::LOCALHOST, 53).into()])
            })
        } else {
            builder_for(servers)
        };
        match tuned(builder).build() {
            Ok(resolver) => Self(Some(Arc::new(resolver))),
            Err(error) => {
                tracing::error!(%error, "failed to set up name resolution; outbound requests to names will fail");
                Self(None)
            }
        }
    }

    pub(super) fn with_rule(&self, rule: Rule) -> Resolver {
        Resolver { names: self.clone(), rule }
    }
}

fn builder_for(servers: &[SocketAddr]) -> ResolverBuilder<TokioRuntimeProvider> {
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
    options.timeout = QUERY_TIMEOUT;
    options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    options.negative_max_ttl = Some(MAX_NEGATIVE_TTL);
    builder
}

/// Why a name has no usable address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unresolved {
    NotFound,
    Forbidden,
}

impl Resolver {
    /// Returns the addresses of a name.
    ///
    /// # Errors
    /// [`Unresolved::NotFound`] if the name has no address or cannot be resolved;
    /// [`Unresolved::Forbidden`] if the rule forbids one of its addresses.
    pub(super) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, Unresolved> {
        let resolver = self.names.0.as_ref().ok_or(Unresolved::NotFound)?;
        let found = resolver.lookup_ip(name).await.map_err(|error| {
            tracing::debug!(%error, "failed to resolve a name");
            Unresolved::NotFound
        })?;
        let addresses: Vec<IpAddr> = found.iter().collect();
        if addresses.is_empty() {
            return Err(Unresolved::NotFound);
        }
        // one forbidden address suffices to reject the name, because the HTTP client connects to any of the addresses
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
