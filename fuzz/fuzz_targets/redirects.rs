//! Fuzzes redirect URIs of apps and of assistant clients, and the path to which sign-in redirects. Compares the results
//! of this server's parser with those of the `url` crate, which parses URLs as browsers do.
//!
//! The complete lines of an input are the redirect URIs of one client. The first line is also the redirect URI of an
//! app, and the path to which sign-in redirects. The text after the last line end is the value of a query parameter. An
//! input without a line end is used in place of the first line and as the value, but not as a URI of the client.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use switchboard::{
    domain::{
        assistant::{
            hosts::{canonical_host, normal_host},
            keys::{MAX_KEY_CHARS, registered_key},
            redirect::{Redirect, RedirectCombination, RedirectKind},
        },
        redirect::{WebUri, check_registration, is_same, with_parameters},
    },
    pages::next::same_site,
};
use url::{Host, Url};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(input) else { return Corpus::Reject };
    let mut lines: Vec<_> = text.split('\n').collect();
    let parameter = lines.pop().unwrap_or_default();
    let uri = lines.first().copied().unwrap_or(parameter);
    check_web_uri(uri, parameter.as_bytes());
    check_client_uris(&lines);
    check_next_path(uri);
    Corpus::Keep
});

fn check_web_uri(uri: &str, parameter: &[u8]) {
    let Ok(web) = WebUri::parse(uri) else {
        assert!(check_registration(uri).is_err());
        return;
    };
    let scheme = if web.is_https { "https" } else { "http" };
    let port = uri[scheme.len() + 3 + web.host.len()..].split(['/', '?']).next().unwrap_or_default();
    let query = web.query.map(|query| format!("?{query}")).unwrap_or_default();
    assert_eq!(
        format!("{}://{}{port}{}{query}", &uri[..scheme.len()], web.host, web.path),
        uri,
        "the parts of a URI make up the whole URI"
    );
    assert!(is_same(uri, uri));
    let is_allowed = check_registration(uri).is_ok();
    assert_eq!(is_allowed, web.is_https || web.is_loopback());
    let given = with_parameters(uri, &[("code", b"x&y"), ("state", parameter)]);
    assert!(given.starts_with(uri), "the registered URI is not changed");
    assert!(given.bytes().all(|byte| byte.is_ascii_graphic()), "{given}");
    // a browser does not open a URI that the url crate rejects
    let Ok(seen) = Url::parse(uri) else { return };
    assert_eq!(seen.scheme(), scheme);
    let host = seen.host_str().map(|host| host.trim_end_matches('.'));
    assert_eq!(host, canonical_host(web.host).as_deref(), "{uri}");
    assert_eq!(host, Some(&*normal_host(web.host)), "{uri}");
    assert_eq!(seen.port_or_known_default(), web.port.or(Some(if web.is_https { 443 } else { 80 })));
    assert!(seen.username().is_empty() && seen.password().is_none() && seen.fragment().is_none());
    if web.is_loopback() {
        let is_local = match seen.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        assert!(is_local, "a browser agrees that a loopback host is the user's own computer");
    }
    let after = Url::parse(&given).expect("a URL with parameters is a URL");
    assert_eq!(after.host(), seen.host());
    let pairs: Vec<_> = after.query_pairs().collect();
    let count = pairs.len();
    assert!(count >= 2 && pairs[count - 2] == ("code".into(), "x&y".into()), "{given}");
    assert_eq!(pairs[count - 1], ("state".into(), String::from_utf8_lossy(parameter)), "{given}");
}

fn check_client_uris(lines: &[&str]) {
    let editors = ["vscode".to_owned(), "cursor".to_owned()];
    let redirects: Vec<_> = lines.iter().filter_map(|uri| Redirect::parse(uri, &editors).ok()).collect();
    for redirect in &redirects {
        assert!(redirect.is_one_of(&[redirect.uri.to_owned()]), "a URI is equal to itself");
        match redirect.kind {
            RedirectKind::Https => assert!(WebUri::parse(redirect.uri).is_ok_and(|uri| uri.is_https)),
            RedirectKind::Loopback => check_loopback(redirect, &editors),
            RedirectKind::PrivateUse => {
                // a browser does not open a URI that the url crate rejects
                if let Ok(seen) = Url::parse(redirect.uri) {
                    assert_eq!(seen.scheme(), redirect.host, "{}", redirect.uri);
                }
            }
        }
        for other in redirects.iter().filter(|other| other.uri != redirect.uri) {
            let is_other_port = redirect.kind == RedirectKind::Loopback
                && other.kind == RedirectKind::Loopback
                && redirect.key == other.key;
            assert_eq!(
                redirect.is_one_of(&[other.uri.to_owned()]),
                is_other_port,
                "URIs are compared byte by byte, except the port of a loopback URI"
            );
        }
    }
    if let Some(combination) = RedirectCombination::of(&redirects) {
        let key = registered_key(&combination, "A Client");
        assert!(
            !key.is_empty() && key.chars().count() <= MAX_KEY_CHARS,
            "a client has a valid block key: {key}"
        );
    }
}

fn check_loopback(redirect: &Redirect<'_>, editors: &[String]) {
    let web = WebUri::parse(redirect.uri).expect("a loopback URI is a web URI");
    let scheme = &redirect.uri[..4];
    let query = web.query.map(|query| format!("?{query}")).unwrap_or_default();
    let moved = format!("{scheme}://{}:4711{}{query}", web.host, web.path);
    if let Ok(moved) = Redirect::parse(&moved, editors) {
        assert!(
            moved.is_one_of(&[redirect.uri.to_owned()]),
            "a loopback URI may have any port (RFC 8252 §7.3)"
        );
        assert_eq!(moved.key, redirect.key);
    }
}

/// Asserts that a browser stays on this site, whatever path the parameter of the sign-in page contains.
fn check_next_path(asked: &str) {
    let base = Url::parse("https://chat.example/signin").expect("a URL");
    let path = same_site(asked);
    let seen = base.join(path).expect("a path");
    assert_eq!(
        (seen.scheme(), seen.host_str(), seen.port()),
        ("https", Some("chat.example"), None),
        "{path}"
    );
    assert_eq!(same_site(path), path);
}
