//! Sends raw bytes to a server: invalid requests, and requests whose responses are not read.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

/// Returns one of 200 loopback addresses from which to connect. The server trusts only the proxy 127.0.0.1, so for the
/// server each of these addresses is a separate client.
pub fn from(number: usize) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 2, 1 + (number % 200) as u8)
}

/// Connects, sends bytes, and reads until the server closes the connection. After `span`, closes the connection even if
/// the response is incomplete.
pub async fn hold(server: SocketAddr, from: Ipv4Addr, bytes: &[u8], span: Duration) {
    // errors are ignored, because the server may close the connection of an invalid request at any time
    let _ = timeout(span, read_to_end(server, from, bytes)).await;
}

async fn read_to_end(server: SocketAddr, from: Ipv4Addr, bytes: &[u8]) -> std::io::Result<()> {
    let mut socket = open(server, from).await?;
    socket.write_all(bytes).await?;
    let mut chunk = [0; 4096];
    while socket.read(&mut chunk).await? > 0 {}
    Ok(())
}

/// Sends bytes, reads nothing, and closes the connection with a reset.
pub async fn send_and_reset(server: SocketAddr, from: Ipv4Addr, bytes: &[u8]) {
    if let Ok(mut socket) = open(server, from).await {
        let _ = socket2::SockRef::from(&socket).set_linger(Some(Duration::ZERO));
        let _ = socket.write_all(bytes).await;
    }
}

/// Sends bytes, waits for `span`, reads nothing, and resets the connection.
pub async fn send_without_reading(server: SocketAddr, from: Ipv4Addr, bytes: &[u8], span: Duration) {
    if let Ok(mut socket) = open(server, from).await {
        let _ = socket2::SockRef::from(&socket).set_linger(Some(Duration::ZERO));
        let _ = socket.write_all(bytes).await;
        tokio::time::sleep(span).await;
    }
}

async fn open(server: SocketAddr, from: Ipv4Addr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    socket.connect(server).await
}
