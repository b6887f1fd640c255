//! The subjects of limits. A *subject*, such as an installation, an address or the host of a URL, is what a limit
//! counts requests by: the requests of one subject are counted together.

use std::{
    marker::PhantomData,
    net::{IpAddr, Ipv6Addr},
};

use super::LimitKey;
use crate::{
    domain::ids::{AppId, ConversationId, InstallationId, UserId},
    platform::client_ip::network,
};

/// A kind of subject. Each limit of the table names one kind, so code that passes an id of the wrong type does not
/// compile.
pub trait LimitSubject {
    /// The value that identifies a subject.
    type Id<'a>;
    /// The name of this kind of subject in `docs/limits.md`.
    const WORDS: &'static str;

    /// Returns the key of a subject. `route` is the name of the operation, or a name that several operations share. The
    /// requests of a subject are counted separately for each route (D-191).
    fn key(route: &'static str, id: Self::Id<'_>) -> LimitKey;
}

macro_rules! subjects {
    ($($(#[$doc:meta])* $name:ident, $words:literal: |$route:ident, $id:ident: $of:ty| $key:expr;)+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl LimitSubject for $name {
            type Id<'a> = $of;
            const WORDS: &'static str = $words;

            fn key($route: &'static str, $id: Self::Id<'_>) -> LimitKey {
                $key
            }
        }
    )+ };
}

subjects! {
    /// An installation of an app.
    PerInstallation, "installation": |route, id: InstallationId| LimitKey::id(route, id.0);
    /// A bot in one of its conversations.
    PerDestination, "bot and conversation":
        |route, id: (UserId, ConversationId)| LimitKey::pair(route, id.0.0, id.1.0);
    /// An app, over all its installations.
    PerApp, "app": |route, id: AppId| LimitKey::id(route, id.0);
    /// A network address; an IPv6 address counts as its /64.
    PerAddress, "address": |route, id: IpAddr| LimitKey::address(route, id);
    /// The IPv6 /48 of an address; see [`crate::platform::client_ip::wide_network`].
    PerWideNetwork, "IPv6 /48": |route, id: Ipv6Addr| LimitKey::texts(route, &[&id.to_string()]);
    /// A client id over all addresses.
    PerClient, "client": |route, id: &'a str| LimitKey::texts(route, &[id]);
    /// A client id, of an app or an assistant, presented from an address.
    PerClientAtAddress, "client id and address":
        |route, id: (&'a str, IpAddr)| LimitKey::texts(route, &[id.0, &network(id.1).to_string()]);
    /// A normalised e-mail address, with or without an account, presented from a network address.
    PerEmailAtAddress, "e-mail address and network address":
        |route, id: (&'a str, IpAddr)| LimitKey::texts(route, &[id.0, &network(id.1).to_string()]);
    /// An employee, over all their assistants.
    PerEmployee, "employee": |route, id: UserId| LimitKey::id(route, id.0);
    /// An account, or the operator.
    PerAccount, "account, or the operator": |route, id: i64| LimitKey::id(route, id);
    /// The URL of a metadata document.
    PerUrl, "URL": |route, id: &'a str| LimitKey::texts(route, &[id]);
    /// The host and port of the URL of a metadata document.
    PerHost, "host": |route, id: &'a str| LimitKey::texts(route, &[id]);
    /// The host and port of the URL of a metadata document, and the address from which a request makes the server
    /// fetch the document.
    PerHostAtAddress, "host and address":
        |route, id: (&'a str, IpAddr)| LimitKey::texts(route, &[id.0, &network(id.1).to_string()]);
}

/// A limit: its numbers, and the kind of subject by which it counts requests.
#[derive(Debug)]
pub struct Limit<C, S> {
    /// The number of requests and the length of time.
    pub counter: C,
    route: &'static str,
    subject: PhantomData<fn() -> S>,
}

impl<C: Copy, S> Clone for Limit<C, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Copy, S> Copy for Limit<C, S> {}

impl<C: Copy, S: LimitSubject> Limit<C, S> {
    /// Creates a limit with the name `route`. The requests of all operations that use the limit are counted together.
    pub(super) const fn of_route(route: &'static str, counter: C) -> Self {
        Self { counter, route, subject: PhantomData }
    }

    /// Returns the key of a subject.
    #[must_use]
    pub fn key(&self, id: S::Id<'_>) -> LimitKey {
        S::key(self.route, id)
    }

    /// Returns the key of a subject and the counter, for [`Limits::take_all`](super::Limits::take_all).
    #[must_use]
    pub fn key_and_counter(&self, id: S::Id<'_>) -> (LimitKey, C) {
        (self.key(id), self.counter)
    }
}

/// A limit that counts each operation separately.
#[derive(Debug)]
pub struct EachOperation<C, S>(Limit<C, S>);

impl<C: Copy, S> Clone for EachOperation<C, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Copy, S> Copy for EachOperation<C, S> {}

impl<C: Copy, S: LimitSubject> EachOperation<C, S> {
    pub(super) const fn new(counter: C) -> Self {
        Self(Limit::of_route("", counter))
    }

    /// Returns the limit of one operation.
    #[must_use]
    pub const fn of(&self, operation: &'static str) -> Limit<C, S> {
        Limit { route: operation, ..self.0 }
    }

    /// Returns the numbers of the limit.
    #[must_use]
    pub const fn counter(&self) -> C {
        self.0.counter
    }
}
