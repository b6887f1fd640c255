//! Tests of the operation `authorize`. It is a page, so the generated client has no function for it.

use super::*;
use crate::{
    contract::documents::Operation,
    support::{
        mcp::{Call, MODERN, Mcp},
        *,
    },
};

/// Returns a request to `/authorize` without a credential.
fn request(server: &Server, operation: &Operation, query: &str) -> Call {
    let visitor = Mcp { url: format!("{}{}", server.base, operation.path), ..server.mcp("", MODERN) };
    visitor.call(operation.method.parse().expect("a method")).without("authorization").query(query)
}

#[both_engines]
async fn authorize(server: Server) {
    let query = serde_urlencoded::to_string(server.client().await.authorization_query(&[])).expect("a query");
    answers!(302, [authorize], async |operation| request(&server, operation, &query));
    answers!(400, [authorize], async |operation| request(&server, operation, "client_id=unknown"));
}

#[both_engines]
async fn limits(server: Server) {
    let server = server.restarted_with(|config| config.limits.scale = 1).await;
    // uses up the limit of an address: 30 requests a minute
    for _ in 0..30 {
        server.known_browser().get("/authorize").await;
    }
    answers!(429, [authorize], async |operation| request(&server, operation, ""));
}
