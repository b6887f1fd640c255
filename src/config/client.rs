//! Environment variables of the command line, such as the URL of the server to call. Of these variables, the server
//! itself uses only `NO_COLOR`.

use super::load::{ConfigErrors, Sources};
use crate::platform::secrets::Secret;

const URL: &str = "SWITCHBOARD_URL";
const OPERATOR_KEY: &str = "SWITCHBOARD_OPERATOR_KEY";
const SESSION: &str = "SWITCHBOARD_SESSION";
const SIGNING_SECRET: &str = "SWITCHBOARD_SIGNING_SECRET";

/// The variables of the command line, which the server must not report as unknown.
pub const CLIENT_VARIABLES: &[&str] = &[URL, OPERATOR_KEY, SESSION, SIGNING_SECRET];

/// Returns whether colours are disabled: `NO_COLOR` is set and not empty (no-color.org).
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the environment is read here")]
pub fn wants_no_colour() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// The settings of the command line from the environment. An empty variable counts as unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientEnv {
    /// `SWITCHBOARD_URL`: the server's address.
    pub url: Option<String>,
    /// `SWITCHBOARD_OPERATOR_KEY`.
    pub operator_key: Option<Secret>,
    /// `SWITCHBOARD_SESSION`: a session token.
    pub session: Option<Secret>,
    /// `SWITCHBOARD_SIGNING_SECRET`: an app's signing secrets, comma-separated.
    pub signing_secrets: Vec<Secret>,
}

impl ClientEnv {
    /// Reads the environment of this process.
    ///
    /// # Errors
    /// If the value of a `SWITCHBOARD_…` variable is not UTF-8.
    pub fn from_process() -> Result<Self, ConfigErrors> {
        Ok(Self::of(&Sources::from_process(CLIENT_VARIABLES)?.env))
    }

    fn of(env: &[(String, String)]) -> Self {
        let find = |wanted: &str| {
            env.iter()
                .find(|(name, value)| name == wanted && !value.is_empty())
                .map(|(_, value)| value.clone())
        };
        Self {
            url: find(URL),
            operator_key: find(OPERATOR_KEY).map(Secret::new),
            session: find(SESSION).map(Secret::new),
            signing_secrets: find(SIGNING_SECRET).map(|text| list(&text)).unwrap_or_default(),
        }
    }
}

fn list(text: &str) -> Vec<Secret> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(Secret::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_variables_count_as_unset() {
        let env = [(URL, "http://x"), (OPERATOR_KEY, ""), ("SWITCHBOARD_LISTEN", "127.0.0.1:1")];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let expected = ClientEnv { url: Some("http://x".to_owned()), ..ClientEnv::default() };
        assert_eq!(ClientEnv::of(&env), expected);
    }

    #[test]
    fn signing_secrets_are_a_list() {
        let env = [(SIGNING_SECRET.to_owned(), "whsec_new, whsec_old,".to_owned())];
        let expected = ["whsec_new", "whsec_old"].map(Secret::new);
        assert_eq!(ClientEnv::of(&env).signing_secrets, expected);
    }
}
