//! Validation of a client's metadata document, and how long it is cached.

use serde_json::Value;

use super::names::{self, Reserved};
use crate::domain::strict_json::has_nul;

/// The part of a valid metadata document that the server uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClientMetadataDocument {
    /// The client's name; `None` if it is missing, is not a string, or is a name that [`names::check`] rejects (D-218).
    pub client_name: Option<String>,
    /// The redirect URIs as the document lists them, of any kind. A URI of a forbidden kind is rejected only when an
    /// authorization request contains it (D-206).
    pub redirect_uris: Vec<String>,
    /// Whether `token_endpoint_auth_method` is absent or `none`, and the document has no `client_secret`.
    pub is_public: bool,
}

/// Why a document is invalid. `Display` returns a sentence for the error page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DocumentError {
    /// The document is not a JSON object.
    NoObject,
    /// A string or a member name contains U+0000 (D-025).
    Nul,
    /// `client_id` is missing or differs from the URL.
    ClientId,
    /// `redirect_uris` is not a list of strings.
    RedirectUris,
}

impl std::fmt::Display for DocumentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoObject => "The client's metadata document is not a JSON object.",
            Self::Nul => "The client's metadata document contains the character U+0000.",
            Self::ClientId => "The client id in the client's metadata document is not the document's URL.",
            Self::RedirectUris => "The client's metadata document has no list of redirect URIs.",
        })
    }
}

impl ClientMetadataDocument {
    /// Validates the document that was fetched from `url`.
    ///
    /// # Errors
    /// The first [`DocumentError`] found.
    pub fn read(url: &str, document: &Value, reserved: &Reserved) -> Result<Self, DocumentError> {
        let members = document.as_object().ok_or(DocumentError::NoObject)?;
        if has_nul(document) {
            return Err(DocumentError::Nul);
        }
        if members.get("client_id").and_then(Value::as_str) != Some(url) {
            return Err(DocumentError::ClientId);
        }
        let listed =
            members.get("redirect_uris").and_then(Value::as_array).ok_or(DocumentError::RedirectUris)?;
        let redirect_uris = listed.iter().map(|uri| uri.as_str().map(str::to_owned));
        let redirect_uris = redirect_uris.collect::<Option<_>>().ok_or(DocumentError::RedirectUris)?;
        let name = members.get("client_name").and_then(Value::as_str);
        let method = members.get("token_endpoint_auth_method");
        Ok(Self {
            client_name: name.and_then(|name| names::check(name, reserved).ok()),
            redirect_uris,
            is_public: method.is_none_or(|method| method == "none") && !members.contains_key("client_secret"),
        })
    }
}

/// Minimum and maximum number of seconds for which a valid document of a public client is cached.
const CACHE_SECONDS: (u64, u64) = (5 * 60, 24 * 60 * 60);

/// Returns for how many seconds the document of a public client is cached. The result is the last valid `max-age` of
/// the `Cache-Control` headers, but at least 5 minutes and at most 24 hours. If there is `no-store` or no valid
/// `max-age`, the result is 5 minutes (A-059 … A-063, D-212). The document of a client that is not public is rejected
/// and not cached.
#[must_use]
pub fn cache_seconds<'a>(cache_control: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut max_age = None;
    for directive in cache_control.into_iter().flat_map(|value| value.split(',')) {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        match name.trim().to_ascii_lowercase().as_str() {
            "no-store" => return CACHE_SECONDS.0,
            "max-age" => max_age = seconds(value.trim()).or(max_age),
            _ => {}
        }
    }
    max_age.map_or(CACHE_SECONDS.0, |seconds| seconds.clamp(CACHE_SECONDS.0, CACHE_SECONDS.1))
}

/// Parses a number of seconds, which may be quoted (RFC 9111 §5.2). A number that overflows becomes `u64::MAX`
/// (§1.2.2).
fn seconds(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const URL: &str = "https://client.example/a";

    fn read(document: Value) -> Result<ClientMetadataDocument, DocumentError> {
        ClientMetadataDocument::read(URL, &document, &Reserved::new("Switchboard", "Acme Works"))
    }

    #[test]
    fn invalid_documents_are_rejected_with_a_reason() {
        let good =
            read(json!({"client_id": URL, "redirect_uris": ["https://client.example/cb"], "x": 1})).unwrap();
        assert_eq!(
            good,
            ClientMetadataDocument {
                client_name: None,
                redirect_uris: vec!["https://client.example/cb".into()],
                is_public: true
            }
        );
        // the document must be a JSON object, and its `client_id` must be its URL
        for (document, error) in [
            (json!([]), DocumentError::NoObject),
            (json!("x"), DocumentError::NoObject),
            (json!({"redirect_uris": []}), DocumentError::ClientId),
            (json!({"client_id": 1, "redirect_uris": []}), DocumentError::ClientId),
            (json!({"client_id": "https://CLIENT.example/a", "redirect_uris": []}), DocumentError::ClientId),
            (
                json!({"client_id": "https://client.example:443/a", "redirect_uris": []}),
                DocumentError::ClientId,
            ),
            (json!({"client_id": "https://client.example/a/", "redirect_uris": []}), DocumentError::ClientId),
            (json!({"client_id": URL}), DocumentError::RedirectUris),
            (json!({"client_id": URL, "redirect_uris": URL}), DocumentError::RedirectUris),
            (json!({"client_id": URL, "redirect_uris": [1]}), DocumentError::RedirectUris),
            (json!({"client_id": URL, "redirect_uris": ["https://client.example/\0"]}), DocumentError::Nul),
            (json!({"client_id": URL, "redirect_uris": [], "client_name": "a\0"}), DocumentError::Nul),
        ] {
            assert_eq!(read(document.clone()).err(), Some(error), "{document}");
        }
    }

    /// Reads a valid document with one more member.
    fn with(name: &str, value: Value) -> ClientMetadataDocument {
        let mut document = json!({"client_id": URL, "redirect_uris": []});
        document[name] = value;
        read(document).unwrap()
    }

    #[test]
    fn a_document_with_an_authentication_method_or_a_secret_is_not_public() {
        // a client is public only if `token_endpoint_auth_method` is absent or `none`, and `client_secret` is absent
        // (A-048 … A-051)
        assert!(with("token_endpoint_auth_method", json!("none")).is_public);
        for method in
            [json!("client_secret_basic"), json!("private_key_jwt"), json!(5), json!(null), json!("")]
        {
            assert!(!with("token_endpoint_auth_method", method.clone()).is_public, "{method}");
        }
        assert!(!with("client_secret", json!("x")).is_public);
        assert!(!with("client_secret", json!(null)).is_public);
    }

    #[test]
    fn a_name_that_a_registration_would_reject_is_ignored() {
        // the document is valid without the name; the consent page shows the client's host in place of the name (D-218)
        assert_eq!(with("client_name", json!("Tool")).client_name.as_deref(), Some("Tool"));
        for name in [json!("Admin Tool"), json!("x".repeat(101)), json!("a\u{202e}b"), json!(""), json!(7)] {
            assert_eq!(with("client_name", name.clone()).client_name, None, "{name}");
        }
    }

    #[test]
    fn a_document_is_cached_for_5_minutes_to_24_hours() {
        for (headers, seconds) in [
            // A `max-age` counts as at least 5 minutes and at most 24 hours. With `no-store` or without `max-age`, the
            // document is cached for 5 minutes (A-059 … A-063).
            (&["max-age=300"][..], 300),
            (&["max-age=3600"], 3600),
            (&["max-age=86400"], 86_400),
            (&["max-age=10"], 300),
            (&["max-age=0"], 300),
            (&["max-age=604800"], 86_400),
            (&["max-age=99999999999999999999999"], 86_400),
            (&[], 300),
            (&["no-store"], 300),
            (&["no-store, max-age=3600"], 300),
            (&["max-age=3600", "no-store"], 300),
            // The last valid `max-age` counts. Other directives and invalid values have no effect (D-212).
            (&["public, MAX-AGE=3600"], 3600),
            (&["max-age=\"3600\""], 3600),
            (&["max-age=600, max-age=3600"], 3600),
            (&["max-age=600", "max-age=x"], 600),
            (&["s-maxage=3600"], 300),
            (&["no-cache"], 300),
            (&["max-age=-1"], 300),
            (&["max-age"], 300),
            (&["garbage ,,="], 300),
        ] {
            assert_eq!(cache_seconds(headers.iter().copied()), seconds, "{headers:?}");
        }
    }
}
