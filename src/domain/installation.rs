//! Installations of apps.

use super::conversation::coded;

coded! {
    /// Why an installation was disconnected. Each reason has the number that is stored and the name that APIs show.
    DisconnectReason {
        /// A company admin uninstalled the app.
        Admin = 0 "admin",
        /// The operator disabled the app.
        AppDisabled = 1 "app_disabled",
        /// The app revoked its own token.
        AppRevoked = 2 "app_revoked",
    }
}
