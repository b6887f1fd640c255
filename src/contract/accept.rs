//! Media types of requests: what the client takes (406) and what it sends (415).

use poem::http::{HeaderMap, header};

use super::OperationInfo;

/// Whether `Accept` takes JSON, by RFC 9110 §12.5.1: the most specific range decides, and `q=0` excludes.
///
/// A missing, empty or unparsable header takes anything (D-011).
pub(super) fn takes_json(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges = values.flat_map(|value| value.split(',')).filter_map(range);
    let mut known = false;
    // the weight of the most specific range that matches
    let mut best: Option<(u8, bool)> = None;
    for (media, wanted) in ranges {
        known = true;
        let specific = match media.to_ascii_lowercase().as_str() {
            "application/json" => 3,
            "application/*" => 2,
            "*/*" => 1,
            _ => continue,
        };
        match best {
            Some((found, _)) if found > specific => {}
            // the same range twice: any of them will do
            Some((found, taken)) if found == specific => best = Some((found, taken || wanted)),
            _ => best = Some((specific, wanted)),
        }
    }
    !known || best.is_some_and(|(_, wanted)| wanted)
}

/// A media range and whether its weight is above zero.
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

/// `0`…`1` with up to three decimals.
fn is_positive(weight: &str) -> Option<bool> {
    let (whole, decimals) = weight.split_once('.').unwrap_or((weight, ""));
    let fits =
        matches!(whole, "0" | "1") && decimals.len() <= 3 && decimals.bytes().all(|b| b.is_ascii_digit());
    let number = weight.parse::<f32>().ok().filter(|n| fits && *n <= 1.0)?;
    Some(number > 0.0)
}

/// What a request's body claims to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// One of the operation's media types.
    Known(&'static str),
    /// Another media type, another charset than UTF-8, or a coding.
    Other,
    /// No Content-Type.
    Unsaid,
}

/// Judges Content-Type and Content-Encoding (D-008…D-010).
pub(super) fn sent(headers: &HeaderMap, operation: &OperationInfo) -> Sent {
    let codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let plain = codings.map(|value| value.to_str().unwrap_or("?")).flat_map(|value| value.split(','));
    if !plain.map(str::trim).all(|coding| coding.is_empty() || coding.eq_ignore_ascii_case("identity")) {
        return Sent::Other;
    }
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let known = operation.body.as_ref().map_or(&[] as &[_], |body| body.media_types);
    match (types.next(), types.next()) {
        (None, _) => Sent::Unsaid,
        (Some(_), Some(_)) => Sent::Other,
        (Some(value), None) => {
            let Some(found) = value.to_str().ok().and_then(media_type) else { return Sent::Other };
            // the interfaces are UTF-8; a file is whatever it is
            if let Some(any) = known.iter().find(|media| **media == "*/*") {
                return Sent::Known(any);
            }
            let utf8 = found.get_param(mime::CHARSET).is_none_or(|charset| charset == mime::UTF_8);
            let media = known.iter().find(|media| found.essence_str().eq_ignore_ascii_case(media));
            media.filter(|_| utf8).map_or(Sent::Other, |media| Sent::Known(media))
        }
    }
}

/// Reads a media type. RFC 9110 §5.6.6 allows white space on both sides of `;` and parameters that are empty, which
/// the parser does not.
fn media_type(text: &str) -> Option<mime::Mime> {
    if let Ok(media) = text.parse() {
        return Some(media);
    }
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next()?.to_owned();
    let tidy = parts.filter(|part| !part.is_empty()).fold(essence, |text, part| text + ";" + part);
    tidy.parse().ok()
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;

    use super::*;
    use crate::contract::{BodyInfo, Dialect};

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
            id: "x",
            method: "POST",
            path: "/",
            tag: "x",
            dialect: Dialect::Envelope,
            schemes: &[],
            scopes: &[],
            required_headers: &[],
            body: Some(BodyInfo { media_types, required: true, description: None, lists: &[] }),
            credentials: &[],
            limit: None,
            sandbox: false,
            raw: false,
            errors: &[],
        }
    }

    #[test]
    fn content_type_is_exact() {
        let judge = |operation: &OperationInfo, list: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in list {
                headers.append(*name, HeaderValue::from_static(value));
            }
            sent(&headers, operation)
        };
        let known = Sent::Known("application/json");
        for text in [
            "application/json",
            "Application/JSON",
            "application/json; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/json ; charset=utf-8",
            "application/json;",
        ] {
            assert_eq!(judge(&JSON, &[("content-type", text)]), known, "{text}");
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
            assert_eq!(judge(&JSON, &[("content-type", text)]), Sent::Other, "{text}");
        }
        let json = ("content-type", "application/json");
        assert_eq!(judge(&JSON, &[json, ("content-encoding", "identity")]), known);
        assert_eq!(judge(&JSON, &[json, ("content-encoding", "gzip")]), Sent::Other);
        assert_eq!(judge(&JSON, &[json, ("content-encoding", "identity, br")]), Sent::Other);
        assert_eq!(judge(&JSON, &[json, json]), Sent::Other);
        assert_eq!(judge(&JSON, &[]), Sent::Unsaid);
        assert_eq!(judge(&ANY, &[("content-type", "image/png")]), Sent::Known("*/*"));
    }
}
