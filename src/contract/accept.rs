//! Content negotiation. Reads from the headers of a request which media types the client accepts (406), which type the
//! body has (415), and whether the client already has the current content (304).

use poem::http::{HeaderMap, HeaderValue, header};

use super::{OperationInfo, reply};

/// Returns whether `Accept` allows JSON; see [`takes`].
pub(super) fn takes_json(headers: &HeaderMap) -> bool {
    takes(headers, reply::JSON)
}

/// Returns whether the client already has the current content: the values of `If-None-Match` contain the entity tag
/// `tag` or `*` (RFC 9110 §13.1.2). `tag` includes the quotation marks.
pub fn is_known<'a>(values: impl IntoIterator<Item = &'a HeaderValue>, tag: &str) -> bool {
    let known = values.into_iter().filter_map(|value| value.to_str().ok());
    // weak and strong tags are equal here, because a proxy that compresses the content makes the tag weak
    let is_ours = |known: &str| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag;
    known.flat_map(|value| value.split(',')).map(str::trim).any(is_ours)
}

/// Returns whether `Accept` allows a media type. By RFC 9110 §12.5.1, the most specific range that matches decides, and
/// a range with `q=0` excludes the type.
///
/// If the header is missing or has no valid media range, everything is allowed (D-011).
#[must_use]
pub fn takes(headers: &HeaderMap, media_type: &str) -> bool {
    let kind = media_type.split('/').next().unwrap_or_default();
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges = values.flat_map(|value| value.split(',')).filter_map(range);
    let mut has_range = false;
    // the specificity of the most specific matching range, and whether its weight is above zero
    let mut best: Option<(u8, bool)> = None;
    for (media, is_allowed) in ranges {
        has_range = true;
        let specificity = if media.eq_ignore_ascii_case(media_type) {
            3
        } else if media == "*/*" {
            1
        } else if media.strip_suffix("/*").is_some_and(|whole| whole.eq_ignore_ascii_case(kind)) {
            2
        } else {
            continue;
        };
        match best {
            Some((found, _)) if found > specificity => {}
            // a repeated range allows the type if one of its weights is above zero
            Some((found, taken)) if found == specificity => best = Some((found, taken || is_allowed)),
            _ => best = Some((specificity, is_allowed)),
        }
    }
    !has_range || best.is_some_and(|(_, is_allowed)| is_allowed)
}

/// Parses a media range. Returns its media type and whether its weight is above zero; `None` if it is invalid.
fn range(text: &str) -> Option<(&str, bool)> {
    let mut parts = text.split(';').map(str::trim);
    let media = parts.next()?;
    let (kind, sub) = media.split_once('/')?;
    if !(is_token(kind) && is_token(sub)) || (kind == "*" && sub != "*") {
        return None;
    }
    let weight =
        parts.filter_map(|part| part.split_once('=')).find(|(name, _)| name.eq_ignore_ascii_case("q"));
    match weight {
        None => Some((media, true)),
        Some((_, weight)) => Some((media, is_positive(weight)?)),
    }
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// Returns whether a weight is above zero; `None` for an invalid weight. A valid weight is a number from 0 to 1 with at
/// most three decimals.
fn is_positive(weight: &str) -> Option<bool> {
    let (whole, decimals) = weight.split_once('.').unwrap_or((weight, ""));
    let fits =
        matches!(whole, "0" | "1") && decimals.len() <= 3 && decimals.bytes().all(|b| b.is_ascii_digit());
    let number = weight.parse::<f32>().ok().filter(|n| fits && *n <= 1.0)?;
    Some(number > 0.0)
}

/// The declared type of a request's body.
#[derive(Debug, PartialEq, Eq)]
pub enum DeclaredType {
    /// One of the operation's media types.
    Known(&'static str),
    /// Another media type, an invalid or repeated Content-Type, or a content coding. Also a charset other than UTF-8,
    /// unless the operation accepts every media type (`*/*`).
    Other,
    /// The request has no Content-Type.
    Missing,
}

/// Returns the declared type of a request's body, by its Content-Type and Content-Encoding (D-008…D-010).
#[must_use]
pub fn sent(headers: &HeaderMap, operation: &OperationInfo) -> DeclaredType {
    if !is_plain(headers) {
        return DeclaredType::Other;
    }
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let body = operation.body.as_ref();
    let mut known = body.into_iter().flat_map(|body| body.media_types.iter().chain(body.also));
    match (types.next(), types.next()) {
        (None, _) => DeclaredType::Missing,
        (Some(_), Some(_)) => DeclaredType::Other,
        (Some(value), None) => {
            let Some(found) = value.to_str().ok().and_then(media_type) else { return DeclaredType::Other };
            // a file (`*/*`) may have any charset, but JSON and forms must be UTF-8
            if let Some(any) = known.clone().find(|media| **media == "*/*") {
                return DeclaredType::Known(any);
            }
            let utf8 = is_utf8(&found);
            let media = known.find(|media| found.essence_str().eq_ignore_ascii_case(media));
            media.filter(|_| utf8).map_or(DeclaredType::Other, |media| DeclaredType::Known(media))
        }
    }
}

/// Returns whether a request declares a JSON body in UTF-8 without a content coding.
#[must_use]
pub fn sends_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(value), None) = (types.next(), types.next()) else { return false };
    let is_json =
        |found: mime::Mime| found.essence_str().eq_ignore_ascii_case(reply::JSON) && is_utf8(&found);
    let is_known = value == reply::JSON || value.to_str().ok().and_then(media_type).is_some_and(is_json);
    is_known && is_plain(headers)
}

fn is_utf8(media: &mime::Mime) -> bool {
    media.get_param(mime::CHARSET).is_none_or(|charset| charset == mime::UTF_8)
}

/// Returns whether the body has no content coding.
fn is_plain(headers: &HeaderMap) -> bool {
    let codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let mut names = codings.map(|value| value.to_str().unwrap_or("?")).flat_map(|value| value.split(','));
    names.all(|coding| coding.trim().is_empty() || coding.trim().eq_ignore_ascii_case("identity"))
}

/// Parses a media type. Accepts white space on both sides of `;`, and empty parameters (RFC 9110 §5.6.6). The parser of
/// the `mime` crate rejects some of these forms, such as white space before `;`.
#[must_use]
pub fn media_type(text: &str) -> Option<mime::Mime> {
    if let Ok(media) = text.parse() {
        return Some(media);
    }
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next()?.to_owned();
    let normalized = parts.filter(|part| !part.is_empty()).fold(essence, |text, part| text + ";" + part);
    normalized.parse().ok()
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;

    use super::*;
    use crate::contract::{BodyInfo, LimitName};

    #[test]
    fn accept_follows_rfc_9110() {
        for (accept, takes) in [
            (None, true),
            (Some(""), true),
            (Some("garbage"), true),
            (Some("*/*"), true),
            (Some("application/*"), true),
            (Some("Application/JSON"), true),
            (Some("application/json; charset=utf-8"), true),
            (Some("text/html, */*;q=0.1"), true),
            (Some("text/html;q=0.9, application/json;q=0.001"), true),
            (Some("application/json, */*;q=0"), true),
            (Some("garbage, application/json"), true),
            (Some("application/json;q=2"), true),
            (Some("text/html"), false),
            (Some("image/*"), false),
            (Some("application/xml"), false),
            (Some("application/json;q=0"), false),
            (Some("application/json;q=0, */*"), false),
            (Some("application/json; Q=0.000"), false),
            (Some("application/*;q=0, */*;q=1"), false),
            (Some("application/problem+json"), false),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            }
            assert_eq!(takes_json(&headers), takes, "{accept:?}");
        }
    }

    #[test]
    fn several_accept_headers_are_one_list() {
        let mut headers = HeaderMap::new();
        headers.append(header::ACCEPT, HeaderValue::from_static("text/html"));
        headers.append(header::ACCEPT, HeaderValue::from_static("application/json"));
        assert!(takes_json(&headers));
    }

    const JSON: OperationInfo = operation(&["application/json"]);
    const ANY: OperationInfo = operation(&["*/*"]);

    const fn operation(media_types: &'static [&'static str]) -> OperationInfo {
        OperationInfo {
            api: "x",
            id: "x",
            method: "POST",
            path: "/",
            body: Some(BodyInfo { media_types, also: &[], required: true, description: None, lists: &[] }),
            ..OperationInfo::plain(LimitName::Unlimited)
        }
    }

    #[test]
    fn the_rules_of_accept_apply_to_event_streams() {
        for (accept, is_taken) in [
            ("text/event-stream", true),
            ("Text/*", true),
            ("*/*", true),
            ("application/json, text/event-stream", true),
            ("application/*", false),
            ("text/event-stream;q=0, */*", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            assert_eq!(takes(&headers, "text/event-stream"), is_taken, "{accept}");
        }
    }

    #[test]
    fn json_bodies_are_recognized() {
        for (name, value, is_json) in [
            ("content-type", "application/json", true),
            ("content-type", "Application/JSON; charset=utf-8", true),
            ("content-type", "application/json; charset=utf-16", false),
            ("content-type", "application/x-www-form-urlencoded", false),
            ("accept", "application/json", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            assert_eq!(sends_json(&headers), is_json, "{name}: {value}");
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            assert!(!sends_json(&headers));
        }
    }

    #[test]
    fn content_types_charsets_and_codings_are_checked() {
        let type_of = |operation: &OperationInfo, list: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in list {
                headers.append(*name, HeaderValue::from_static(value));
            }
            sent(&headers, operation)
        };
        let known = DeclaredType::Known("application/json");
        for text in [
            "application/json",
            "Application/JSON",
            "application/json; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/json ; charset=utf-8",
            "application/json;",
        ] {
            assert_eq!(type_of(&JSON, &[("content-type", text)]), known, "{text}");
        }
        for text in [
            "text/json",
            "application/json; charset=utf-16",
            "application/x+json",
            "application/merge-patch+json",
            "json",
            ";application/json",
            "",
        ] {
            assert_eq!(type_of(&JSON, &[("content-type", text)]), DeclaredType::Other, "{text}");
        }
        let json = ("content-type", "application/json");
        assert_eq!(type_of(&JSON, &[json, ("content-encoding", "identity")]), known);
        assert_eq!(type_of(&JSON, &[json, ("content-encoding", "gzip")]), DeclaredType::Other);
        assert_eq!(type_of(&JSON, &[json, ("content-encoding", "identity, br")]), DeclaredType::Other);
        assert_eq!(type_of(&JSON, &[json, json]), DeclaredType::Other);
        assert_eq!(type_of(&JSON, &[]), DeclaredType::Missing);
        assert_eq!(type_of(&ANY, &[("content-type", "image/png")]), DeclaredType::Known("*/*"));
    }
}
