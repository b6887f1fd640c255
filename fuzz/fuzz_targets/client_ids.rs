//! Fuzzes metadata documents, client names, client ids that are URLs, and the time for which metadata documents are
//! cached.
//!
//! The first three lines of an input are a client id, a client name, and the values of the headers `Cache-Control`. A
//! `|` separates these values. The rest of the input is the metadata document.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use switchboard::{
    contract::strict_json,
    domain::{
        address::{is_public, is_public_host},
        assistant::{
            client_id,
            document::{ClientMetadataDocument, cache_seconds},
            hosts::{canonical_host, normal_host},
            keys::{MAX_KEY_CHARS, WellKnown, document_key, normal_key, registered_key},
            names::{self, Reserved},
            redirect::{RedirectCombination, RedirectKind},
        },
        redirect::WebUri,
        visible,
    },
};
use switchboard_fuzz::first_line;
use url::{Host, Url};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((id, rest)) = first_line(input) else { return Corpus::Reject };
    let (name, rest) = first_line(rest).unwrap_or_default();
    let (cache_control, document) = first_line(rest).unwrap_or_default();
    check_id(id);
    check_name(name);
    let kept = cache_seconds(cache_control.split('|'));
    assert!((300..=86_400).contains(&kept), "a document is cached for 5 minutes to a day: {kept} s");
    if let Ok(document) = strict_json::read(document) {
        check_document(id, &document);
    }
    Corpus::Keep
});

fn check_id(id: &str) {
    let Ok(uri) = client_id::parse(id) else { return };
    let seen = Url::parse(id).expect("the url crate parses every valid client id");
    assert_eq!(seen.host_str(), Some(uri.host), "the URL parser does not change the host");
    assert_eq!(seen.path(), uri.path, "the URL parser does not change the path");
    assert_eq!(seen.port_or_known_default(), uri.port.or(Some(443)));
    assert!(seen.username().is_empty() && seen.fragment().is_none());
    assert_eq!(canonical_host(uri.host).as_deref(), Some(uri.host));
    assert_eq!(normal_host(uri.host), uri.host);
    match seen.host() {
        Some(Host::Ipv4(address)) => assert_eq!(is_public_host(uri.host), is_public(address.into()), "{id}"),
        Some(Host::Ipv6(address)) => assert_eq!(is_public_host(uri.host), is_public(address.into()), "{id}"),
        Some(Host::Domain(name)) => {
            assert!(
                name.parse::<std::net::Ipv4Addr>().is_err(),
                "a host that is an IPv4 address is not parsed as a domain: {id}"
            );
        }
        None => panic!("a client id has a host: {id}"),
    }
    assert_eq!(client_id::authority(&uri), client_id::authority(&WebUri::parse(id).expect("a web URI")));
    for kind in [RedirectKind::Https, RedirectKind::Loopback] {
        if let Some(key) = document_key(uri.host, kind) {
            assert_eq!(normal_key(&key), key, "a stored key is already normalized");
            assert!(key.chars().count() <= MAX_KEY_CHARS);
        }
    }
}

fn check_name(name: &str) {
    let reserved = Reserved::new("Switchboard", "Acme Works");
    let known = WellKnown::new([("client.example".to_owned(), "The Client".to_owned())]);
    assert!(names::shown(name).chars().count() <= 40 && names::shown_host(name).chars().count() <= 40);
    let key = normal_key(name);
    assert_eq!(normal_key(&key), key, "normalizing a key twice changes nothing");
    let Ok(kept) = names::check(name, &reserved) else { return };
    assert!((1..=names::MAX_CHARS).contains(&kept.chars().count()));
    assert!(visible::is_visible(&names::shown(&kept)), "an accepted name has visible characters: {kept:?}");
    assert_eq!(names::check(&kept, &reserved).as_ref(), Ok(&kept), "a stored name can be registered again");
    // Only names of plain characters are checked here. The check of reserved names reads a look-alike, such as a
    // Cyrillic `о`, as a Latin letter, but `bare` omits it. If a look-alike stands between the letters of the reserved
    // name, `bare` contains the reserved name, and the accepted name does not.
    let is_plain = kept.chars().all(|c| c.is_ascii_alphabetic() || " -_.'".contains(c));
    let bare: String = kept.chars().filter(char::is_ascii_alphabetic).collect();
    let has_name = is_plain && bare.to_ascii_lowercase().contains("switchboard");
    assert!(!has_name, "an accepted name does not contain the reserved service name: {kept:?}");
    for combination in [RedirectCombination::Loopback, RedirectCombination::LoopbackAndHttps] {
        let key = registered_key(&combination, &kept);
        assert_eq!(normal_key(&key), key, "a stored key is already normalized");
        assert!(key.chars().count() <= MAX_KEY_CHARS, "the key fits in a block list");
        assert_ne!(
            known.of_document("other.example", Some(&kept)),
            "The Client",
            "a well-known name is shown only for its own host"
        );
    }
}

fn check_document(url: &str, document: &serde_json::Value) {
    let reserved = Reserved::new("Switchboard", "Acme Works");
    let Ok(read) = ClientMetadataDocument::read(url, document, &reserved) else { return };
    assert_eq!(document["client_id"], url);
    assert_eq!(document["redirect_uris"].as_array().map(Vec::len), Some(read.redirect_uris.len()));
    assert!(!strict_json::has_nul(document));
    assert!(!read.is_public || document.get("client_secret").is_none());
    if let Some(name) = &read.client_name {
        assert_eq!(names::check(name, &reserved).as_ref(), Ok(name));
    }
}
