//! Parsing of the forms of pages, and of the queries of their addresses.

use std::borrow::Cow;

use poem::http::{HeaderMap, StatusCode, header};
use serde_json::{Map, Value};

use super::{
    FILE_FORM,
    error_page::{PageError, RepeatedForm, TRY_AGAIN},
};
use crate::{
    contract::{BodyLimits, FormFields, SMALL_BODY, declared_fits, form_fields, read_limited},
    domain::message::MAX_TEXT_CHARS,
};

/// Limits of most forms. The longest of these forms, a new conversation with 1,000 members, fits.
const LIMITS: BodyLimits = BodyLimits { bytes: 64 * 1024, time: std::time::Duration::from_secs(10) };
/// Limits of a form with a message. The size is much larger than the longest message. So if the text is too long, the
/// server can still read it, and the page can show it again.
const MESSAGE_LIMITS: BodyLimits = BodyLimits { bytes: 1 << 20, ..LIMITS };
/// Limits of the sign-in form, and of the other forms in [`PUBLIC`] if the visitor is not signed in.
const STRANGER_LIMITS: BodyLimits = BodyLimits { bytes: SMALL_BODY, ..LIMITS };
/// Limits of a rejected form. The server reads such a form in order to show the typed text again. The form is rejected
/// because the visitor is not signed in, or because the account sends too many forms with files at once.
pub(super) const TYPED_TEXT_LIMITS: BodyLimits = BodyLimits { bytes: 64 * 1024, ..LIMITS };
// a character takes up to 12 bytes in URL encoding
const _: () = assert!(
    TYPED_TEXT_LIMITS.bytes >= 12 * MAX_TEXT_CHARS + SMALL_BODY,
    "a form with the longest text and the other fields fits"
);
/// Maximum number of fields of most forms. These forms, and install requests, have only a fraction of this number.
const MAX_FIELDS: usize = 64;
/// Maximum number of fields of the form of a new conversation. This form has a check box for each of up to 1,000 chosen
/// people, and for each person whom it offers.
const MAX_FIELDS_WITH_PEOPLE: usize = 1_100;
/// The route of the form that edits a message.
const EDIT: &str = "/c/{conversation}/{message}/edit";
/// The route of the form that sends or discards a draft.
const DRAFT: &str = "/drafts/{draft}";
const FORM: &str = "application/x-www-form-urlencoded";

/// Paths of the forms that people may send without being signed in.
const PUBLIC: [&str; 4] = ["/signin", "/signout", "/oauth/authorize", "/authorize/consent"];

/// Returns whether the form of a route has a typed text. If such a form is rejected before its handler runs, or if the
/// server fails, the error page shows the form again with the text.
pub(super) fn has_text(route: &str) -> bool {
    [FILE_FORM, EDIT, DRAFT].contains(&route)
}

/// Returns the submitted form of a route with its typed text and without its files, so that it can be sent again.
/// Returns `None` if the text is empty, or if the form of the route has no typed text. `parts` are the parameters of
/// the path.
pub(super) fn typed_form(
    route: &str,
    parts: &[String],
    form: &Form,
    is_signed_in: bool,
) -> Option<RepeatedForm> {
    let text = text_of(form);
    if text.is_empty() {
        return None;
    }
    let part = |at: usize| parts.get(at).map_or("", String::as_str);
    let (path, fields): (_, &[&'static str]) = match route {
        FILE_FORM => (format!("/c/{}/messages", part(0)), &["client_key", "thread_id"]),
        EDIT => (format!("/c/{}/{}/edit", part(0), part(1)), &[]),
        DRAFT => (format!("/drafts/{}", part(0)), &["version", "decision"]),
        _ => return None,
    };
    let value = |name: &&'static str| Some((*name, form.filled(name)?.to_owned()));
    // If the visitor is not authenticated, the error page has no new CSRF token, so the form keeps the submitted token.
    // The submitted token is still valid if the authentication failed only because the store failed.
    let token = (!is_signed_in).then_some(&"csrf");
    Some(RepeatedForm {
        path,
        fields: fields.iter().chain(token).filter_map(value).collect(),
        text: Some(text),
        takes_files: route == FILE_FORM,
        button: TRY_AGAIN,
    })
}

/// Returns the text of a form. Browsers send line breaks as CRLF; in the returned text they are LF, as typed.
pub(super) fn text_of(form: &Form) -> String {
    form.get("text").unwrap_or_default().replace("\r\n", "\n")
}

/// Returns whether somebody who is not signed in may send the form of a path.
pub(super) fn is_public(path: &str) -> bool {
    PUBLIC.contains(&path)
}

/// Returns path and query of the page that contains the form with this path, to show the page after signing in or after
/// a rejection. Most forms have the path of their page. The path of a form of a conversation is the path of its page
/// with one more segment.
pub(super) fn page_of(path_and_query: &str) -> &str {
    let (path, _) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
    match path {
        "/dm" => "/people",
        "/company" | "/signout" => "/",
        // somebody who joins a conversation is not a member yet, and cannot see the page of the conversation
        _ if path.starts_with("/c/") && path.ends_with("/join") => "/conversations",
        _ if path.starts_with("/c/") => path.rsplit_once('/').map_or(path, |(page, _)| page),
        _ => path_and_query,
    }
}

/// Limits and field rules of a form.
pub(super) struct FormRules {
    limits: BodyLimits,
    max_fields: usize,
    /// Names of fields that may contain any bytes and may be repeated. Only [`Form::all`] and [`Form::pairs`] return
    /// these fields.
    opaque: &'static [&'static str],
}

impl FormRules {
    /// Returns the rules of the form of a path.
    pub(super) fn of(path: &str, is_signed_in: bool) -> Self {
        let (max_fields, opaque): (_, &[_]) = match path {
            // the form may contain the parameters of the install request; the server returns any bytes in `state`
            // unchanged
            "/oauth/authorize" => (MAX_FIELDS, &["state"]),
            // a form with a check box for each person
            "/conversations/new" => (MAX_FIELDS_WITH_PEOPLE, &["member_ids"]),
            _ => (MAX_FIELDS, &[]),
        };
        let limits = match path {
            _ if !is_signed_in => STRANGER_LIMITS,
            _ if path.starts_with("/c/") || path.starts_with("/drafts/") => MESSAGE_LIMITS,
            "/signin" => STRANGER_LIMITS,
            _ => LIMITS,
        };
        Self { limits, max_fields, opaque }
    }

    /// Returns the rules for reading a rejected form in order to show its typed text again.
    pub(super) fn of_typed_text() -> Self {
        Self { limits: TYPED_TEXT_LIMITS, max_fields: MAX_FIELDS, opaque: &[] }
    }
}

/// The fields of a form. Only opaque fields can be repeated.
#[derive(Debug, Default)]
pub(super) struct Form(FormFields);

impl Form {
    /// Parses a body.
    ///
    /// # Errors
    /// - 415 if the media type is not that of HTML forms, `application/x-www-form-urlencoded`.
    /// - 413 for a body that is too large, and 408 for a body that arrives too slowly.
    /// - 400 for a malformed body, and for too many fields.
    pub(super) async fn read(
        headers: &HeaderMap,
        body: poem::Body,
        rules: FormRules,
    ) -> Result<Self, PageError> {
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = media_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case(FORM) {
            return Err(PageError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "This is not a form",
                "This page accepts only submissions of its own form.",
            ));
        }
        declared_fits(headers, rules.limits)?;
        let bytes = read_limited(body, rules.limits).await?;
        Ok(Self(form_fields(&bytes, rules.opaque, rules.max_fields)?))
    }

    /// Returns a form with these fields.
    pub(super) fn of(fields: Map<String, Value>) -> Self {
        Self(FormFields { texts: fields, opaque: Vec::new() })
    }

    /// Returns a field that is not opaque, even if it is empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.texts.get(name).and_then(Value::as_str)
    }

    /// Returns a field that is not opaque; `None` if it is absent or empty.
    pub(super) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// Returns a boolean field; `None` if it is absent or not boolean.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            "true" | "on" | "1" | "yes" => Some(true),
            "false" | "off" | "0" | "no" | "" => Some(false),
            _ => None,
        }
    }

    /// Returns every value of an opaque field. Invalid UTF-8 becomes replacement characters, which no valid value
    /// contains.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Cow<'a, str>> {
        self.0
            .opaque
            .iter()
            .filter(move |(found, _)| found == name)
            .map(|(_, value)| String::from_utf8_lossy(value))
    }

    /// Returns the names and values of all fields, with values as bytes.
    pub(super) fn pairs(&self) -> Vec<(String, Vec<u8>)> {
        let bytes = |value: &Value| value.as_str().unwrap_or_default().as_bytes().to_vec();
        let texts = self.0.texts.iter().map(|(name, value)| (name.clone(), bytes(value)));
        texts.chain(self.0.opaque.iter().cloned()).collect()
    }
}

/// Parses the parameters of a query in order, including repeated parameters. Invalid UTF-8 becomes replacement
/// characters, which no valid value contains.
pub(super) fn query(text: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

#[cfg(test)]
mod tests {
    use super::page_of;

    #[test]
    fn the_page_of_a_form_is_found_by_its_path() {
        for (form, page) in [
            ("/c/grp_1/messages", "/c/grp_1"),
            ("/c/grp_1/messages?x=/a/b", "/c/grp_1"),
            ("/c/grp_1/read", "/c/grp_1"),
            ("/c/grp_1/join", "/conversations"),
            ("/c/grp_1/gmsg_1/edit", "/c/grp_1/gmsg_1"),
            ("/dm", "/people"),
            ("/company", "/"),
            ("/signout", "/"),
            ("/drafts/drf_1", "/drafts/drf_1"),
            ("/admin/people?query=/c/", "/admin/people?query=/c/"),
        ] {
            assert_eq!(page_of(form), page);
        }
    }
}
