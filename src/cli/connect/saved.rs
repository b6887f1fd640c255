//! The client and the tokens of a run of `switchboard connect`. They are saved for the next run, in a file that only
//! the user can read.

use std::{io::ErrorKind, path::Path};

use serde::{Deserialize, Serialize};

use super::{discovery::AuthorizationServer, registration::SavedClient, tokens::Tokens};
use crate::cli::{
    dev::folder::write_private,
    failure::{Failure, Result},
};

/// A client and its tokens. They contain secrets, so this type must not be printed.
#[derive(Clone, Deserialize, Serialize)]
pub struct SavedConnection {
    /// The MCP endpoint, which is also the resource of the tokens.
    pub mcp: String,
    pub server: AuthorizationServer,
    /// The requested scopes.
    #[serde(default)]
    pub scope: Option<String>,
    pub client: SavedClient,
    #[serde(default)]
    pub tokens: Option<Tokens>,
}

/// Reads the connection that an earlier run saved; `None` if there is no file.
///
/// # Errors
/// [`Failure::Local`] for a file that cannot be read or parsed.
pub fn read(file: &Path) -> Result<Option<SavedConnection>> {
    let text = match std::fs::read_to_string(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| Failure::file("read", file, &error))?,
    };
    // only the line number, because the text of the error can contain a secret
    serde_json::from_str(&text).map(Some).map_err(|error| {
        Failure::Local(format!(
            "{} is not a saved connection (line {}): start over with --fresh, or name another file",
            file.display(),
            error.line()
        ))
    })
}

/// Saves a connection atomically.
///
/// # Errors
/// [`Failure::Local`] if the file cannot be written.
pub fn write(file: &Path, connection: &SavedConnection) -> Result<()> {
    let text = serde_json::to_vec_pretty(connection)
        .map_err(|error| Failure::Local(format!("the connection cannot be written: {error}")))?;
    write_private(file, &text)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::cli::connect::registration::AuthMethod;

    #[test]
    fn a_saved_connection_is_restored_and_private() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("connection.json");
        assert!(read(&file).unwrap().is_none());
        let client = SavedClient {
            client_id: "mcpc_1".to_owned(),
            client_secret: Some("s".to_owned()),
            auth: AuthMethod::Basic,
            requested_auth: Some(AuthMethod::Post),
            redirect_host: "127.0.0.1".to_owned(),
            redirect_path: "/callback".to_owned(),
        };
        let server = AuthorizationServer::default();
        let connection =
            SavedConnection { mcp: "http://h/mcp".to_owned(), server, scope: None, client, tokens: None };
        write(&file, &connection).unwrap();
        write(&file, &connection).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let found = read(&file).unwrap().unwrap();
        assert_eq!(found.client.requested_auth, Some(AuthMethod::Post));
        assert_eq!((found.mcp.as_str(), found.client.auth), ("http://h/mcp", AuthMethod::Basic));
        std::fs::write(&file, r#"{"access_token": "verysecret"}"#).unwrap();
        let failure = read(&file).err().unwrap().to_string();
        assert!(failure.contains("--fresh") && !failure.contains("verysecret"), "{failure}");
    }
}
