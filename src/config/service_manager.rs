//! What a service manager passes to the process in its environment.

use std::ffi::OsString;

/// The socket on which the service manager expects notifications: `NOTIFY_SOCKET` of `sd_notify(3)`. Empty counts as unset.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the environment is read here")]
pub fn notify_socket() -> Option<OsString> {
    std::env::var_os("NOTIFY_SOCKET").filter(|value| !value.is_empty())
}
