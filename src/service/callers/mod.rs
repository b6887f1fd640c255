//! The callers of the admin API and the pages. Each kind of caller has a type, and the methods of the type are the
//! operations that the caller may request. A value of the type is constructed only after the caller's right was
//! checked, so no use case can forget the check:
//!
//! | Type | Who | From |
//! |-|-|-|
//! | [`Caller`] | the operator or a signed-in account | [`World::session`](super::World::session), [`World::operator_by_key`](super::World::operator_by_key), [`World::operator_by_console_session`](super::World::operator_by_console_session), [`World::operator_by_console_link`](super::World::operator_by_console_link) |
//! | [`Operator`] | the operator, by the operator key or by the sandbox console | `caller.operator()?` |
//! | [`CompanyAdmin`] | the operator or an admin, in one company | `caller.admin_of(company)?` |
//! | [`CompanyCaller`] | the operator or any person, in one company | `caller.in_company(company)?` |
//! | [`Person`] | a person, in one company | `caller.person_in(company)?` |
//! | [`SignedIn`] | a signed-in account | `caller.signed_in()?` |
//!
//! Some requests name a resource by its id, without its company. Methods of [`Caller`] handle these requests. These
//! methods learn the company only when they read the resource's row, so they check the caller's right in the same
//! transaction ([`principal`]).
//!
//! The callers of the other APIs are a [`Bot`](super::bot::access::Bot), an
//! [`Assistant`](super::employee::Assistant), and an app that presented its client credentials
//! ([`AuthenticatedApp`](super::apps::installs::AuthenticatedApp)).
//!
//! Other submodules:
//!
//! - [`console`]: sessions of the sandbox console, and its one-time link
//! - `session`: the persons as whom a session can act
//! - [`employee`]: the person for whom the web client or an assistant reads and writes
//! - `shown_conversation`: the conversations whose messages a response shows
//!
//! Callers other than the operator can lose their rights while a request is in progress. So their rights are checked
//! again in the transaction of each write ([`confirm`]). They are also checked before a response is sent, unless the
//! response reports a write ([`request`]).

pub mod caller;
pub mod confirm;
pub mod console;
pub mod employee;
pub mod principal;
pub mod request;
pub mod rights;
pub(in crate::service) mod session;
mod shown_conversation;

pub use self::{
    caller::Caller,
    principal::CallerKind,
    rights::{CompanyAdmin, CompanyCaller, Operator, Person, SignedIn},
    shown_conversation::ShownConversation,
};
