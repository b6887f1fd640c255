//! The yardstick that other servers can be measured with, too: axum answering "hello" on its own accept loop.

use axum::{Router, routing::get};

/// Serves until the runtime ends; where.
pub async fn start() -> std::net::SocketAddr {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().route("/", get(|| async { "hello" }));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    address
}
