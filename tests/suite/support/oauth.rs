//! Registration of assistants' clients at `/register`, and a web server for clients' metadata documents.

use serde_json::{Value, json};
use switchboard::store::Engine;

use super::{
    Options, Server,
    api::Api,
    receiver::{Receiver, Treatment},
};

/// A registered client.
#[derive(Clone, Debug)]
pub struct Registered {
    pub client_id: String,
    pub client_secret: Option<String>,
    pub answer: Value,
}

/// Returns the smallest valid registration of a public client with a loopback redirect URI, with these members added or
/// replaced; `null` removes a member.
pub fn metadata(members: Value) -> Value {
    let mut body = json!({
        "client_name": "Example Desktop",
        "redirect_uris": ["http://127.0.0.1/callback"],
        "token_endpoint_auth_method": "none",
    });
    for (name, value) in members.as_object().expect("members") {
        match value {
            Value::Null => drop(body.as_object_mut().expect("members").remove(name)),
            value => body[name] = value.clone(),
        }
    }
    body
}

/// Registers a client with [`metadata`] and these members; `null` removes a member.
pub async fn register(api: &Api, members: Value) -> Registered {
    let answer = api.anonymous().post("/register").json(&metadata(members)).ok(201).await;
    Registered {
        client_id: answer["client_id"]
            .as_str()
            .expect("a registration returns a client id (A-073)")
            .to_owned(),
        client_secret: answer.get("client_secret").map(|secret| secret.as_str().expect("a text").to_owned()),
        answer,
    }
}

/// Asserts that a registration with [`metadata`] and these members is rejected with this error.
pub async fn cannot_register(api: &Api, members: Value, error: &str) {
    api.anonymous().post("/register").json(&metadata(members)).denied(400, error).await;
}

impl Server {
    pub async fn register(&self, members: Value) -> Registered {
        register(&self.api(), members).await
    }
}

/// The HTTPS server of a client's metadata document, at a private address. The Switchboard server of
/// [`ClientHost::server`] may fetch documents from this address.
pub struct ClientHost {
    pub receiver: Receiver,
    /// The URL of the metadata document, which is the client id.
    pub client_id: String,
}

/// The first redirect URI in the documents of [`ClientHost::document`].
pub const CALLBACK: &str = "https://client.example/callback";

impl ClientHost {
    pub async fn start() -> Self {
        let receiver = Receiver::start().await;
        let client_id = format!("https://{}/client.json", receiver.address);
        let host = Self { receiver, client_id };
        host.publish(json!({}), &[]);
        host
    }

    /// Starts a Switchboard server that may fetch documents from this host.
    pub async fn server(&self, engine: Engine, limits: bool) -> Option<Server> {
        let exempt = vec![self.receiver.address.to_string()];
        Server::with(Options { engine, limits, exempt, ..Options::default() }).await
    }

    /// Returns the usual document, with these members added or replaced; `null` removes a member.
    pub fn document(&self, members: Value) -> Value {
        let mut document = json!({
            "client_id": self.client_id,
            "client_name": "Document Tool",
            "redirect_uris": [CALLBACK, "http://127.0.0.1/callback", "com.example.app:/callback"],
        });
        for (name, value) in members.as_object().expect("members") {
            match value {
                Value::Null => drop(document.as_object_mut().unwrap().remove(name)),
                value => document[name] = value.clone(),
            }
        }
        document
    }

    /// Publishes [`ClientHost::document`] with these members. The responses have these headers.
    pub fn publish(&self, members: Value, headers: &[(&str, &str)]) {
        self.receiver.always(answer(self.document(members).to_string().as_bytes(), headers));
    }

    /// Returns the number of requests for the document.
    pub fn request_count(&self) -> usize {
        self.receiver.hits().len()
    }
}

/// Returns a [`Treatment`] that sends a complete response with these headers and `Connection: close`. The receiver then
/// waits until the client closes the connection.
pub fn answer(body: &[u8], headers: &[(&str, &str)]) -> Treatment {
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n{more}\r\n", body.len());
    Treatment::Hang([head.as_bytes(), body].concat())
}
