//! Fuzzes the parsers of request headers: `Accept`, `Content-Type`, `Range`, `Authorization`, `Cookie`,
//! `Idempotency-Key`, `Origin` and `X-Forwarded-For`; and the detection of tokens in a query.
//!
//! An input consists of header lines, an empty line, and the request's query.

#![no_main]

use std::net::{IpAddr, Ipv4Addr};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderValue, header};
use libfuzzer_sys::fuzz_target;
use switchboard::{
    api::{basic, bearer, cookies::Cookies},
    assistant::mcp::origin,
    contract::{DeclaredType, has_token, sends_json, sent, takes},
    domain::{
        message::check_key,
        range::{RequestedPart, part},
        token::{TokenKind, mint},
    },
    generated::{admin, assistant, bot},
    platform::client_ip::{client_ip, network, wide_network},
};
use switchboard_fuzz::head;

fuzz_target!(|input: &[u8]| {
    let (headers, query) = head(input);
    accept(&headers);
    content(&headers);
    ranges(&headers);
    credentials(&headers);
    caller(&headers);
    let _ = origin::of(&headers, true);
    for key in headers.get_all("idempotency-key") {
        let is_key = check_key(key.as_bytes());
        assert!(is_key.is_err() || is_key == Ok(key.to_str().unwrap_or_default()));
    }
    tokens(query);
});

fn accept(headers: &HeaderMap) {
    let lines: Vec<_> =
        headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok()).collect();
    let is_accepted = |lines: &[String], wanted: &str| {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::ACCEPT, HeaderValue::from_str(line).expect("a part of a header value"));
        }
        takes(&headers, wanted)
    };
    let items: Vec<_> = lines.iter().flat_map(|line| line.split(',')).collect();
    for wanted in ["application/json", "text/event-stream", "text/html"] {
        let is_taken = takes(headers, wanted);
        let reversed: Vec<_> = items.iter().rev().copied().collect();
        assert_eq!(
            is_accepted(&[reversed.join(",")], wanted),
            is_taken,
            "the order of media ranges does not matter: {lines:?}"
        );
        let apart: Vec<_> = items.iter().map(|item| (*item).to_owned()).collect();
        assert_eq!(
            is_accepted(&apart, wanted),
            is_taken,
            "several header lines are read as one list: {lines:?}"
        );
        assert_eq!(
            is_accepted(&[lines.join(",").to_ascii_uppercase()], wanted),
            is_taken,
            "Accept is case-insensitive: {lines:?}"
        );
        let mut extended = apart.clone();
        extended.push(format!("{wanted};q=1"));
        assert!(is_accepted(&extended, wanted), "an exact media range is accepted: {lines:?}");
    }
}

fn content(headers: &HeaderMap) {
    let all = [bot::OPERATIONS, assistant::OPERATIONS, admin::OPERATIONS];
    for operation in all.into_iter().flatten().filter(|operation| operation.body.is_some()) {
        let is_json = matches!(sent(headers, operation), DeclaredType::Known("application/json"));
        assert!(
            !is_json || sends_json(headers),
            "if `sent` returns the type JSON, `sends_json` returns true: {headers:?}"
        );
    }
}

fn ranges(headers: &HeaderMap) {
    for value in headers.get_all(header::RANGE).iter().filter_map(|value| value.to_str().ok()) {
        for size in [0, 1, 10, 1_000, u64::MAX] {
            match part(value, size) {
                RequestedPart::Bytes(range) => {
                    let is_within = range.start < range.end && range.end <= size;
                    assert!(is_within, "the range is a part of the content: {value} of {size}")
                }
                RequestedPart::Unsatisfiable => {
                    let of_empty = part(value, 0);
                    assert_eq!(
                        of_empty,
                        RequestedPart::Unsatisfiable,
                        "no valid range fits an empty content: {value}"
                    )
                }
                RequestedPart::Whole => {
                    let of_largest = part(value, u64::MAX);
                    assert_eq!(
                        of_largest,
                        RequestedPart::Whole,
                        "an invalid or unsupported range is ignored for every size: {value}"
                    )
                }
            }
        }
    }
}

fn credentials(headers: &HeaderMap) {
    if let Ok(token) = bearer(headers) {
        let mut again = HeaderMap::new();
        again.insert(
            header::AUTHORIZATION,
            HeaderValue::from_str(&format!("Bearer {token}")).expect("a token is a part of a header value"),
        );
        assert_eq!(bearer(&again), Ok(token), "a token is returned unchanged");
        assert_eq!(basic(headers), None, "a header with Bearer credentials has no Basic credentials");
    }
    if let Some((id, secret)) = basic(headers) {
        let form = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let text = STANDARD.encode(format!("{}:{}", form(&id), form(&secret)));
        let mut again = HeaderMap::new();
        again.insert(header::AUTHORIZATION, HeaderValue::from_str(&format!("Basic {text}")).expect("base64"));
        assert_eq!(basic(&again), Some((id, secret)), "encoding and parsing does not change credentials");
    }
    for base in ["https://chat.example", "http://localhost:1"] {
        let cookies = Cookies::of(base);
        for value in [cookies.session(headers), cookies.browser(headers)].into_iter().flatten() {
            assert!(!value.is_empty() && !value.contains(';'));
        }
    }
}

fn caller(headers: &HeaderMap) {
    let peer = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
    let trusted = ["10.0.0.0/8", "fd00::/8"].map(|net| net.parse().expect("a network"));
    assert_eq!(client_ip(peer, headers, &[]), peer, "without trusted proxies the header is ignored");
    let seen = client_ip(peer, headers, &trusted);
    assert_eq!(seen.to_canonical(), seen);
    assert_eq!(network(network(seen)), network(seen));
    assert_eq!(wide_network(seen).is_some(), seen.is_ipv6());
}

/// Asserts that a token at the end of a query is found, whatever precedes it, and even if some of its characters are
/// percent-encoded.
fn tokens(query: &[u8]) {
    let Ok(query) = std::str::from_utf8(query) else { return };
    let has_one = has_token(query);
    for kind in [TokenKind::BotTest, TokenKind::AccessLive, TokenKind::RefreshTest] {
        let token = mint(kind, &[5; 32]);
        let shift = query.len();
        let encoded: String = token
            .bytes()
            .enumerate()
            .map(|(at, byte)| match (at + shift) % 3 {
                0 => format!("%{byte:02x}"),
                1 => format!("%{byte:02X}"),
                _ => char::from(byte).to_string(),
            })
            .collect();
        assert!(has_token(&format!("{query}{encoded}")), "{query}{encoded}");
        assert!(has_token(&format!("{query}&x={token}")), "{query}");
    }
    assert!(!has_one || has_token(&format!("{query}&a=b")), "a parameter after a token does not hide it");
}
