//! The notification protocol of service managers (`sd_notify(3)`): systemd starts dependent units when the server is
//! ready, and shows the server's state in `systemctl status`.

use std::{ffi::OsStr, io, os::unix::net::UnixDatagram, path::Path, time::Duration};

/// Timeout of a notification. A service manager that does not read its socket must not delay the server.
const WRITE_TIMEOUT: Duration = Duration::from_secs(1);

/// Sends notifications to the service manager that started this process; without a service manager, sends nothing.
#[derive(Debug, Default)]
pub struct ServiceManager(Option<UnixDatagram>);

impl ServiceManager {
    /// Connects to `socket`, the value of `NOTIFY_SOCKET`: an absolute path, or `@` and the name of an abstract socket.
    /// `socket` is `None` if there is no service manager.
    ///
    /// # Errors
    /// - [`io::ErrorKind::Unsupported`] for any other address, such as `vsock:2:1234`.
    /// - Errors of the operating system, for example if the socket does not exist.
    pub fn connect(socket: Option<&OsStr>) -> io::Result<Self> {
        let Some(name) = socket else { return Ok(Self(None)) };
        let socket = UnixDatagram::unbound()?;
        match name.as_encoded_bytes() {
            [b'/', ..] => socket.connect(Path::new(name))?,
            [b'@', name @ ..] => connect_abstract(&socket, name)?,
            _ => {
                return Err(io::Error::new(
                    io::ErrorKind::Unsupported,
                    "neither an absolute path nor an abstract socket",
                ));
            }
        }
        socket.set_write_timeout(Some(WRITE_TIMEOUT))?;
        Ok(Self(Some(socket)))
    }

    /// Reports that the server is ready. `status` is one line for people.
    ///
    /// # Errors
    /// If the notification cannot be sent within a second.
    pub fn ready(&self, status: &str) -> io::Result<()> {
        self.send(&format!("READY=1\nSTATUS={status}\n"))
    }

    /// Reports that the server has begun to shut down. `status` is one line for people.
    ///
    /// # Errors
    /// If the notification cannot be sent within a second.
    pub fn stopping(&self, status: &str) -> io::Result<()> {
        self.send(&format!("STOPPING=1\nSTATUS={status}\n"))
    }

    fn send(&self, notification: &str) -> io::Result<()> {
        let Some(socket) = &self.0 else { return Ok(()) };
        socket.send(notification.as_bytes()).map(|_| ())
    }
}

#[cfg(target_os = "linux")]
fn connect_abstract(socket: &UnixDatagram, name: &[u8]) -> io::Result<()> {
    use std::os::{linux::net::SocketAddrExt as _, unix::net::SocketAddr};

    socket.connect_addr(&SocketAddr::from_abstract_name(name)?)
}

#[cfg(not(target_os = "linux"))]
fn connect_abstract(_: &UnixDatagram, _: &[u8]) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "abstract sockets exist on Linux only"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(socket: &UnixDatagram) -> String {
        let mut notification = [0; 256];
        socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let length = socket.recv(&mut notification).unwrap();
        String::from_utf8(notification[..length].to_vec()).unwrap()
    }

    #[test]
    fn notifications_reach_a_socket_in_the_file_system() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let listener = UnixDatagram::bind(&path).unwrap();
        let manager = ServiceManager::connect(Some(path.as_os_str())).unwrap();
        manager.ready("serving on 127.0.0.1:8080").unwrap();
        assert_eq!(received(&listener), "READY=1\nSTATUS=serving on 127.0.0.1:8080\n");
        manager.stopping("finishing open requests").unwrap();
        assert_eq!(received(&listener), "STOPPING=1\nSTATUS=finishing open requests\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn notifications_reach_an_abstract_socket() {
        use std::os::{linux::net::SocketAddrExt as _, unix::net::SocketAddr};

        // unique to this process, because all processes of the network namespace share the abstract names
        let name = format!("switchboard-test-notify-{}", std::process::id());
        let listener = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        let manager = ServiceManager::connect(Some(OsStr::new(&format!("@{name}")))).unwrap();
        manager.ready("x").unwrap();
        assert_eq!(received(&listener), "READY=1\nSTATUS=x\n");
    }

    #[test]
    fn without_a_service_manager_notifications_are_no_errors() {
        let manager = ServiceManager::connect(None).unwrap();
        manager.ready("x").unwrap();
        manager.stopping("x").unwrap();
    }

    #[test]
    fn unusable_addresses_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        assert!(ServiceManager::connect(Some(missing.as_os_str())).is_err());
        for address in ["", "relative", "vsock:2:1234"] {
            let error = ServiceManager::connect(Some(OsStr::new(address))).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::Unsupported, "{address}");
        }
    }
}
