//! The authorization request and the answer to it: PKCE (RFC 7636), `resource` (RFC 8707), `state`, `iss` (RFC 9207).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use url::Url;

use super::{
    discovery::{AuthorizationServer, broken},
    registration::Client,
};
use crate::{
    cli::failure::{Failure, Result},
    platform::{
        rng::Rng,
        secrets::{same, sha256},
    },
};

/// Characters of a verifier: 380 random bits, within the 43 to 128 that are allowed.
const VERIFIER: usize = 64;
const STATE: usize = 32;

/// A request that waits for its answer.
pub struct Request {
    /// What to open in a browser.
    pub url: String,
    /// The secret half of PKCE, for the exchange.
    pub verifier: String,
    pub redirect_uri: String,
    state: String,
}

impl Request {
    /// Asks for access to `resource`.
    ///
    /// # Errors
    /// When the endpoint is no address.
    pub fn new(
        server: &AuthorizationServer,
        client: &Client,
        redirect_uri: &str,
        resource: &str,
        scope: Option<&str>,
        rng: &Rng,
    ) -> Result<Self> {
        let (verifier, state) = (rng.base62(VERIFIER), rng.base62(STATE));
        let endpoint = &server.authorization_endpoint;
        let mut url = Url::parse(endpoint).map_err(|_| broken(format!("{endpoint:?} is no address")))?;
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

    /// The code of an answer that is one to this request, from the server it was sent to.
    ///
    /// # Errors
    /// What the server refused; or why the answer must not be believed.
    pub fn code(&self, answer: &[(String, String)], server: &AuthorizationServer) -> Result<String> {
        let one = |name: &str| -> Result<Option<&str>> {
            let mut values =
                answer.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str());
            let value = values.next();
            if values.next().is_some() {
                return Err(broken(format!("the answer has {name} twice")));
            }
            Ok(value)
        };
        let state = one("state")?.unwrap_or_default();
        if !same(state.as_bytes(), self.state.as_bytes()) {
            return Err(broken(
                "the answer's state is not the request's: it may be somebody else's (RFC 6749 §10.12)",
            ));
        }
        match one("iss")? {
            Some(iss) if iss == server.issuer => {}
            Some(iss) => {
                return Err(broken(format!(
                    "the answer is from the issuer {iss:?}, the request went to {:?} (RFC 9207 §2.4)",
                    server.issuer
                )));
            }
            None if server.authorization_response_iss_parameter_supported => {
                return Err(broken("the answer has no iss, which the server promises (RFC 9207 §2.4)"));
            }
            None => {}
        }
        if let Some(error) = one("error")? {
            let message = one("error_description")?.unwrap_or(match error {
                "access_denied" => "the employee did not agree",
                _ => "the authorization server says no more",
            });
            return Err(Failure::Refused {
                code: error.to_owned(),
                message: message.to_owned(),
                request_id: String::new(),
            });
        }
        match one("code")? {
            Some(code) if !code.is_empty() => Ok(code.to_owned()),
            _ => Err(broken("the answer has neither a code nor an error")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cli::connect::registration::AuthMethod, domain::pkce};

    fn request(promises: bool) -> (Request, AuthorizationServer) {
        let server = AuthorizationServer {
            issuer: "https://h".to_owned(),
            authorization_endpoint: "https://h/authorize?tenant=1".to_owned(),
            authorization_response_iss_parameter_supported: promises,
            ..AuthorizationServer::default()
        };
        let client = Client {
            client_id: "mcpc_1".to_owned(),
            client_secret: None,
            auth: AuthMethod::None,
            redirect_host: "127.0.0.1".to_owned(),
            redirect_path: "/callback".to_owned(),
        };
        let (uri, rng) = ("http://127.0.0.1:1/callback", Rng::seeded(1));
        let request = Request::new(&server, &client, uri, "https://h/mcp", Some("a b"), &rng).unwrap();
        (request, server)
    }

    fn answer(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn what_is_asked() {
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
    fn only_its_own_answer_is_believed() {
        let (request, server) = request(true);
        let state = request.state.clone();
        let good = [("code", "c"), ("state", state.as_str()), ("iss", "https://h")];
        assert_eq!(request.code(&answer(&good), &server).unwrap(), "c");
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
        }
        let denied = [("error", "access_denied"), ("state", &state), ("iss", "https://h")];
        assert!(request.code(&answer(&denied), &server).unwrap_err().is_refused_with("access_denied"));
    }

    #[test]
    fn a_server_may_promise_no_iss() {
        let (request, server) = request(false);
        let pairs = [("code", "c"), ("state", request.state.as_str())];
        assert_eq!(request.code(&answer(&pairs), &server).unwrap(), "c");
    }
}
