//! An axum server that returns "hello", on axum's own accept loop. It contains no code of Switchboard, so the results
//! of other products can be compared with the same baseline.

use axum::{Router, routing::get};

/// Starts the server and returns its address. The server runs until the runtime ends.
pub async fn start() -> std::net::SocketAddr {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().route("/", get(|| async { "hello" }));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    address
}
