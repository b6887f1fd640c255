//! The environment variable that a service manager such as systemd sets for its notifications.

use std::ffi::OsString;

/// Returns the address of the socket on which the service manager expects notifications: `NOTIFY_SOCKET` of
/// `sd_notify(3)`. An empty variable counts as unset.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the environment is read here")]
pub fn notify_socket() -> Option<OsString> {
    std::env::var_os("NOTIFY_SOCKET").filter(|value| !value.is_empty())
}
