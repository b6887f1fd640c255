//! The authorization request of `switchboard connect` and its response: PKCE (RFC 7636), `resource` (RFC 8707),
//! `state`, `iss` (RFC 9207).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use url::Url;

use super::{discovery::AuthorizationServer, errors::violation, registration::SavedClient};
use crate::{
    cli::failure::{Failure, Result},
    platform::{
        rng::Rng,
        secrets::{constant_time_eq, sha256},
    },
};

/// Length of a PKCE verifier in characters. A verifier has about 381 random bits. RFC 7636 §4.1 allows 43 to 128
/// characters.
const VERIFIER_LEN: usize = 64;
/// Length of `state` in characters. A `state` has about 190 random bits.
const STATE_LEN: usize = 32;

/// A response with an authorization code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApprovedResponse {
    pub code: String,
    /// The issuer in the response, which equals the issuer of the server. `None` if the response has no issuer.
    pub iss: Option<String>,
}

/// An authorization request that waits for its response.
pub struct PendingAuthorization {
    /// URL to open in a browser.
    pub url: String,
    /// The PKCE verifier, for the exchange of the code.
    pub verifier: String,
    pub redirect_uri: String,
    state: String,
}

impl PendingAuthorization {
    /// Creates a request for a token for `resource`, with a random verifier and `state`.
    ///
    /// # Errors
    /// [`Failure::Local`] if the authorization endpoint is not a URL.
    pub fn new(
        server: &AuthorizationServer,
        client: &SavedClient,
        redirect_uri: &str,
        resource: &str,
        scope: Option<&str>,
        rng: &Rng,
    ) -> Result<Self> {
        let (verifier, state) = (rng.base62(VERIFIER_LEN), rng.base62(STATE_LEN));
        let endpoint = &server.authorization_endpoint;
        let mut url = Url::parse(endpoint).map_err(|_| violation(format!("{endpoint:?} is not a URL")))?;
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &client.client_id)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("code_challenge", &URL_SAFE_NO_PAD.encode(sha256(&verifier)))
            .append_pair("code_challenge_method", "S256")
            .append_pair("state", &state)
            .append_pair("resource", resource)
            .extend_pairs(scope.map(|scope| ("scope", scope)));
        Ok(Self { url: url.into(), verifier, redirect_uri: redirect_uri.to_owned(), state })
    }

    /// Returns whether a response has exactly one `state`, with the value of this request.
    #[must_use]
    pub fn is_of(&self, answer: &[(String, String)]) -> bool {
        let mut states = answer.iter().filter(|(name, _)| name == "state").map(|(_, value)| value);
        let state =
            states.next().is_some_and(|state| constant_time_eq(state.as_bytes(), self.state.as_bytes()));
        state && states.next().is_none()
    }

    /// Returns the code of a response. First checks that the response belongs to this request (by `state`), and that
    /// `server` sent the response (by `iss`). If the server's metadata does not announce `iss`, `iss` may be missing.
    ///
    /// # Errors
    /// - [`Failure::Local`] if the response fails one of the checks, has neither a code nor an error, or repeats a
    ///   parameter that is read.
    /// - [`Failure::Refused`] if the response is an error of the server.
    pub fn code(
        &self,
        answer: &[(String, String)],
        server: &AuthorizationServer,
    ) -> Result<ApprovedResponse> {
        let one = |name: &str| -> Result<Option<&str>> {
            let mut values =
                answer.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str());
            let value = values.next();
            if values.next().is_some() {
                return Err(violation(format!("the response has {name} twice")));
            }
            Ok(value)
        };
        let state = one("state")?.unwrap_or_default();
        if !constant_time_eq(state.as_bytes(), self.state.as_bytes()) {
            return Err(violation(
                "the response has no state, or another state than the request: it may belong to another \
                 authorization request (RFC 6749 §10.12)",
            ));
        }
        let iss = one("iss")?;
        match iss {
            Some(iss) if iss == server.issuer => {}
            Some(iss) => {
                return Err(violation(format!(
                    "the response is from the issuer {iss:?}, but the request went to {:?} (RFC 9207 §2.4)",
                    server.issuer
                )));
            }
            None if server.authorization_response_iss_parameter_supported => {
                return Err(violation(
                    "the response has no iss, which the server's metadata announces (RFC 9207 §2.4)",
                ));
            }
            None => {}
        }
        if let Some(error) = one("error")? {
            let message = one("error_description")?.unwrap_or(match error {
                "access_denied" => "the employee did not approve",
                _ => "the authorization server gave no description",
            });
            return Err(Failure::Refused {
                code: error.to_owned(),
                message: message.to_owned(),
                request_id: String::new(),
            });
        }
        match one("code")? {
            Some(code) if !code.is_empty() => {
                Ok(ApprovedResponse { code: code.to_owned(), iss: iss.map(str::to_owned) })
            }
            _ => Err(violation("the response has neither a code nor an error")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cli::connect::registration::AuthMethod, domain::pkce};

    fn request(announces_iss: bool) -> (PendingAuthorization, AuthorizationServer) {
        let server = AuthorizationServer {
            issuer: "https://h".to_owned(),
            authorization_endpoint: "https://h/authorize?tenant=1".to_owned(),
            authorization_response_iss_parameter_supported: announces_iss,
            ..AuthorizationServer::default()
        };
        let client = SavedClient {
            client_id: "mcpc_1".to_owned(),
            client_secret: None,
            auth: AuthMethod::None,
            requested_auth: None,
            redirect_host: "127.0.0.1".to_owned(),
            redirect_path: "/callback".to_owned(),
        };
        let (uri, rng) = ("http://127.0.0.1:1/callback", Rng::seeded(1));
        let request =
            PendingAuthorization::new(&server, &client, uri, "https://h/mcp", Some("a b"), &rng).unwrap();
        (request, server)
    }

    fn answer(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_request_keeps_the_query_of_the_endpoint_and_adds_parameters() {
        let (request, _) = request(true);
        let url = Url::parse(&request.url).unwrap();
        let find = |wanted: &str| url.query_pairs().find(|(name, _)| name == wanted).unwrap().1.into_owned();
        assert!(pkce::matches(&find("code_challenge"), &request.verifier));
        assert_eq!(
            (find("tenant"), find("scope"), find("resource")),
            ("1".into(), "a b".into(), "https://h/mcp".into())
        );
    }

    #[test]
    fn only_a_matching_response_is_accepted() {
        let (request, server) = request(true);
        let state = request.state.clone();
        let good = [("code", "c"), ("state", state.as_str()), ("iss", "https://h")];
        let approved = ApprovedResponse { code: "c".to_owned(), iss: Some("https://h".to_owned()) };
        assert_eq!(request.code(&answer(&good), &server).unwrap(), approved);
        for (pairs, why) in [
            (vec![("code", "c"), ("state", "other"), ("iss", "https://h")], "state"),
            (vec![("code", "c"), ("iss", "https://h")], "state"),
            (vec![("code", "c"), ("state", &state), ("iss", "https://evil")], "RFC 9207"),
            (vec![("code", "c"), ("state", &state)], "no iss"),
            (vec![("state", &state), ("iss", "https://h")], "neither"),
            (vec![("code", "c"), ("code", "d"), ("state", &state), ("iss", "https://h")], "twice"),
        ] {
            let failure = request.code(&answer(&pairs), &server).unwrap_err().to_string();
            assert!(failure.contains(why), "{failure}");
            assert_eq!(request.is_of(&answer(&pairs)), why != "state", "{pairs:?}");
        }
        assert!(request.is_of(&answer(&good)));
        assert!(!request.is_of(&answer(&[("state", &state), ("state", &state)])));
        let denied = [("error", "access_denied"), ("state", &state), ("iss", "https://h")];
        assert!(request.code(&answer(&denied), &server).unwrap_err().is_refused_with("access_denied"));
    }

    #[test]
    fn iss_is_optional_unless_the_metadata_announces_it() {
        let (request, server) = request(false);
        let pairs = [("code", "c"), ("state", request.state.as_str())];
        let approved = ApprovedResponse { code: "c".to_owned(), iss: None };
        assert_eq!(request.code(&answer(&pairs), &server).unwrap(), approved);
    }
}
