//! Constructors of the generated clients. A client sends the credentials of a caller to the address of a server.

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::support::{Api, Server};

pub use switchboard_clients::{admin, assistant, bot};

/// A generated client.
pub trait Typed: Sized {
    /// The name of the OpenAPI document from which the client is generated.
    const DOCUMENT: &'static str;
    /// The type of the client's error bodies.
    type Error: Coded;

    fn over(base: &str, http: reqwest::Client) -> Self;

    /// Returns a client with the caller's credentials.
    fn of(caller: &Api) -> Self {
        Self::with_headers(caller, &[])
    }

    /// Returns a client with the caller's credentials. The client also sends `headers` with each request.
    fn with_headers(caller: &Api, headers: &[(&'static str, &str)]) -> Self {
        let mut all = HeaderMap::new();
        if let Some(value) = &caller.authorization {
            all.insert(AUTHORIZATION, HeaderValue::from_str(value).expect("a header value"));
        }
        for (name, value) in headers {
            all.insert(*name, HeaderValue::from_str(value).expect("a header value"));
        }
        let http = reqwest::Client::builder().no_proxy().default_headers(all).build().expect("a client");
        Self::over(&caller.base, http)
    }
}

impl Typed for bot::Client {
    const DOCUMENT: &'static str = "bot";
    type Error = bot::types::ErrorEnvelope;

    fn over(base: &str, http: reqwest::Client) -> Self {
        Self::new_with_client(base, http)
    }
}

impl Typed for assistant::Client {
    const DOCUMENT: &'static str = "assistant";
    type Error = assistant::types::OAuthError;

    fn over(base: &str, http: reqwest::Client) -> Self {
        Self::new_with_client(base, http)
    }
}

impl Typed for admin::Client {
    const DOCUMENT: &'static str = "admin";
    type Error = admin::types::ErrorEnvelope;

    fn over(base: &str, http: reqwest::Client) -> Self {
        Self::new_with_client(base, http)
    }
}

/// An error body with an error code.
pub trait Coded: std::fmt::Debug {
    fn code(&self) -> &str;
}

impl Coded for bot::types::ErrorEnvelope {
    fn code(&self) -> &str {
        &self.error.code
    }
}

impl Coded for admin::types::ErrorEnvelope {
    fn code(&self) -> &str {
        &self.error.code
    }
}

impl Coded for assistant::types::OAuthError {
    fn code(&self) -> &str {
        &self.error
    }
}

/// Converts JSON to the type of a request body or a parameter of a generated client.
///
/// # Panics
/// If the type rejects the JSON.
#[track_caller]
pub fn typed<T: DeserializeOwned>(value: impl Into<Value>) -> T {
    let value = value.into();
    serde_json::from_value(value.clone()).unwrap_or_else(|e| panic!("the type does not allow {value}: {e}"))
}

impl Server {
    /// Returns a client that sends no credentials.
    pub fn typed<C: Typed>(&self) -> C {
        C::of(&self.api())
    }
}
