//! `/docs`: the API reference. The JavaScript library Scalar renders it in the browser, from the OpenAPI documents at
//! `/openapi/*-3.1.json`.
//!
//! Scripts and styles are compiled into the binary (`assets/reference`). Their paths contain a hash of their content,
//! so browsers may cache them for a year without revalidation. The page's Content-Security-Policy allows scripts from
//! this server only, and requests to the origin of the page only. The policy allows inline styles, because Scalar sets
//! them.
//!
//! A reader can send API requests from the page. They go to the URL that the OpenAPI document names as the server. For
//! the bot API and the admin API, this is the base URL. If the page had another origin than the base URL, the policy
//! would block these requests. So a browser that opens the page under another name of this machine, such as `localhost`
//! instead of `127.0.0.1`, is redirected to the base URL.
//!
//! This module also serves the OpenAPI documents: with an `ETag`, compressed for clients whose `Accept-Encoding` allows
//! gzip, and under the same rate limit as Scalar's script.

use std::{
    io::Read as _,
    net::{IpAddr, SocketAddr},
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use flate2::{
    Compression,
    read::{GzDecoder, GzEncoder},
};
use poem::{
    Body, Endpoint, Request, Response, Route,
    endpoint::make_sync,
    get,
    http::{HeaderMap, HeaderValue, StatusCode, header, uri::Authority},
};

use crate::{
    api::{
        assets::{asset_caching, asset_path},
        caller_address,
    },
    contract::{ApiError, PublishedDocument, is_known, reply},
    domain::refusal::{Code, Refusal},
    platform::{
        limits::{REFERENCE, RateLimited},
        secrets::{hex, sha256},
    },
    service::World,
};

/// The script of Scalar, compressed with gzip.
const SCALAR: &[u8] = include_bytes!("../../assets/reference/scalar.js.gz");
const START: &str = include_str!("../../assets/reference/start.js");
const STYLE: &str = include_str!("../../assets/reference/style.css");

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const ASSET_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";

/// The bot token of the sandbox's demo app. As soon as it is set, browsers on this machine get the page with the token.
pub type SandboxToken = Arc<OnceLock<String>>;

/// Paths of the scripts and of the stylesheet.
struct Paths {
    scalar: String,
    start: String,
    style: String,
}

impl Paths {
    fn new() -> Self {
        Self {
            scalar: asset_path("/docs/scalar", "js", SCALAR),
            start: asset_path("/docs/start", "js", START.as_bytes()),
            style: asset_path("/docs/style", "css", STYLE.as_bytes()),
        }
    }

    /// Returns the page as HTML. `token` is the bot token to fill in.
    fn page(&self, token: Option<&str>) -> String {
        let Self { scalar, start, style } = self;
        // the token needs no escaping, because tokens consist of letters, digits and underscores
        let token = token.map(|token| format!(" data-bot-token=\"{token}\"")).unwrap_or_default();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"data:,\">\n<title>API reference</title>\n\
             <link rel=\"stylesheet\" href=\"{style}\">\n</head>\n<body>\n<div id=\"reference\"{token}></div>\n\
             <noscript><p>This page needs scripts. The same documents in OpenAPI 3.1: \
             <a href=\"/openapi/bot-3.1.json\">bot API</a>, \
             <a href=\"/openapi/assistant-3.1.json\">assistant connections</a>, \
             <a href=\"/openapi/admin-3.1.json\">admin API</a>; in OpenAPI 3.0: \
             <a href=\"/openapi/bot.json\">bot API</a>, <a href=\"/openapi/assistant.json\">assistant connections</a>, \
             <a href=\"/openapi/admin.json\">admin API</a>.</p></noscript>\n\
             <script src=\"{scalar}\"></script>\n<script src=\"{start}\"></script>\n</body>\n</html>\n"
        )
    }
}

/// Adds the routes of the reference.
pub(super) fn add(routes: Route, world: Arc<World>, token: SandboxToken) -> Route {
    let paths = Arc::new(Paths::new());
    let page_paths = Arc::clone(&paths);
    let base_url = world.settings.base_url.clone();
    let page = make_sync(move |request: Request| {
        if let Some(target) = redirect_target(&base_url, request.headers()) {
            return redirect(&target);
        }
        let peer = request.remote_addr().as_socket_addr().map(SocketAddr::ip);
        let token = token.get().filter(|_| is_local(peer, request.headers()));
        page(&page_paths, token.map(String::as_str), &request)
    });
    let asset =
        poem::endpoint::make(move |request: Request| std::future::ready(asset(&world, &paths, &request)));
    routes.at("/docs", get(page)).at("/docs/:file", get(asset))
}

/// Returns the URL of the page below the base URL, if the header `Host` has another name of this machine than the base
/// URL. Both must have a loopback name and the same port, and the base URL must begin with `http://`. Under the other
/// name, the page would have another origin. So its Content-Security-Policy would block its requests to the base URL.
fn redirect_target(base_url: &str, headers: &HeaderMap) -> Option<String> {
    let own = base_url.strip_prefix("http://")?.parse::<Authority>().ok()?;
    let requested = requested_host(headers)?;
    let is_other_name = own != requested
        && own.port_u16() == requested.port_u16()
        && is_loopback(own.host())
        && is_loopback(requested.host());
    is_other_name.then(|| format!("{base_url}/docs"))
}

fn redirect(target: &str) -> Response {
    let mut response =
        Response::builder().status(StatusCode::TEMPORARY_REDIRECT).header(header::LOCATION, target).finish();
    set_headers(&mut response, POLICY, "no-cache");
    response
}

/// Returns the page, or 304 if the browser has the current page. Browsers cache the page and revalidate it by its
/// `ETag`, which is the hash of its content.
fn page(paths: &Paths, token: Option<&str>, request: &Request) -> Response {
    let page = paths.page(token);
    let tag = format!("\"{}\"", hex(&sha256(&page)));
    let mut response = if is_known(request.headers().get_all(header::IF_NONE_MATCH), &tag) {
        Response::builder().status(StatusCode::NOT_MODIFIED).finish()
    } else {
        typed(page.into(), "text/html; charset=utf-8")
    };
    set_headers(&mut response, POLICY, "no-cache");
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// Returns a script or the stylesheet. During a rolling upgrade, the path can contain the hash of another version of
/// the file. In this case, returns this node's version.
fn asset(world: &World, paths: &Paths, request: &Request) -> poem::Result<Response> {
    let caching = |own: &str| asset_caching(request.uri().path(), own);
    let (mut response, caching) = if let Some(caching) = caching(&paths.scalar) {
        admit(world, request)?;
        (scalar(request.headers()), caching)
    } else if let Some(caching) = caching(&paths.start) {
        (typed(START.into(), SCRIPT_TYPE), caching)
    } else if let Some(caching) = caching(&paths.style) {
        (typed(STYLE.into(), "text/css; charset=utf-8"), caching)
    } else {
        return Err(ApiError::from(Code::NotFound).into());
    };
    set_headers(&mut response, ASSET_POLICY, caching);
    Ok(response)
}

/// An OpenAPI document, with and without compression. All responses share its bytes.
struct ServedDocument {
    plain: Representation,
    gzip: Representation,
}

/// The content of a response, and its `ETag`, which is the hash of the content.
struct Representation {
    content: Bytes,
    tag: String,
}

impl Representation {
    fn new(content: Vec<u8>) -> Self {
        let tag = format!("\"{}\"", hex(&sha256(&content)));
        Self { content: content.into_boxed_slice().into(), tag }
    }
}

impl ServedDocument {
    /// # Panics
    /// Never, because reading from memory does not fail.
    fn new(text: String) -> Self {
        let mut compressed = Vec::new();
        let mut encoder = GzEncoder::new(text.as_bytes(), Compression::best());
        encoder.read_to_end(&mut compressed).expect("reading from memory does not fail");
        Self { plain: Representation::new(text.into_bytes()), gzip: Representation::new(compressed) }
    }

    /// Returns the document, or 304 if the client has the current document. Only responses with the whole document
    /// count against the rate limit.
    fn response(&self, world: &World, request: &Request) -> poem::Result<Response> {
        let headers = request.headers();
        // without `Accept-Encoding` the document is not compressed, because clients such as curl do not decompress it
        let is_gzip = headers.contains_key(header::ACCEPT_ENCODING) && takes_gzip(headers);
        let Representation { content, tag } = if is_gzip { &self.gzip } else { &self.plain };
        let mut response = if is_known(headers.get_all(header::IF_NONE_MATCH), tag) {
            Response::builder().status(StatusCode::NOT_MODIFIED).finish()
        } else {
            admit(world, request)?;
            let mut response = typed(content.clone().into(), reply::JSON);
            if is_gzip {
                response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
            response
        };
        let headers = response.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if let Ok(tag) = HeaderValue::from_str(tag) {
            headers.insert(header::ETAG, tag);
        }
        Ok(response)
    }
}

/// Returns an endpoint that serves an OpenAPI document. `url` is the server's URL in the document. The document is
/// built at the first request.
pub(super) fn document(
    world: &Arc<World>,
    published: fn() -> PublishedDocument,
    url: &str,
) -> impl Endpoint<Output = Response> + use<> {
    let (world, document, url) = (Arc::clone(world), OnceLock::new(), url.to_owned());
    poem::endpoint::make(move |request: Request| {
        let document = document.get_or_init(|| ServedDocument::new(published().at(&url).text()));
        std::future::ready(document.response(&world, &request))
    })
}

/// Counts a download of Scalar's script or of a document against the rate limit of the client's address. The limit can
/// be low, because browsers cache the script and the documents.
fn admit(world: &World, request: &Request) -> poem::Result<()> {
    let takes = [REFERENCE.key_and_counter(caller_address(request))];
    let refuse = |wait: RateLimited| ApiError::from(Refusal::rate_limited(wait.retry_after())).into();
    world.limits.take_all(&takes, world.clock.now()).map(|_| ()).map_err(refuse)
}

/// Returns Scalar's script, compressed if the client accepts gzip.
fn scalar(headers: &HeaderMap) -> Response {
    let mut response = if takes_gzip(headers) {
        let mut response = typed(SCALAR.into(), SCRIPT_TYPE);
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        response
    } else {
        typed(decompressed().into(), SCRIPT_TYPE)
    };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// Returns Scalar's script without compression. All responses share one copy. If each response had its own copy,
/// every slow client would occupy 4 MB of memory.
///
/// # Panics
/// Never, because the script is compiled into the binary, and a test decompresses it.
fn decompressed() -> Bytes {
    static SCRIPT: OnceLock<Bytes> = OnceLock::new();
    let decompress = || {
        let mut script = Vec::new();
        GzDecoder::new(SCALAR).read_to_end(&mut script).expect("the script is compressed with gzip");
        // converted to a boxed slice, because the vector has up to twice the capacity that the script needs
        script.into_boxed_slice().into()
    };
    SCRIPT.get_or_init(decompress).clone()
}

/// Returns whether a client accepts gzip (RFC 9110 §12.5.3). A client without `Accept-Encoding` accepts gzip. A client
/// with this header accepts gzip if the header lists `gzip` or `x-gzip` with a weight above 0. If the header lists
/// neither of them, the weight of `*` decides.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let mut lists = headers.get_all(header::ACCEPT_ENCODING).iter().peekable();
    if lists.peek().is_none() {
        return true;
    }
    let codings = lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(','));
    let mut weights = [None, None];
    for coding in codings {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = match parameters.trim().split_once('=') {
            Some((name, weight)) if name.eq_ignore_ascii_case("q") => weight.parse::<f32>().unwrap_or(0.0),
            _ => 1.0,
        };
        match name.trim() {
            name if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => {
                weights[0] = Some(weight);
            }
            "*" => weights[1] = Some(weight),
            _ => {}
        }
    }
    weights[0].or(weights[1]).is_some_and(|weight| weight > 0.0)
}

/// Returns whether a request comes from a browser on this machine. Only such a browser may get the sandbox's bot token.
/// Three conditions must hold:
///
/// - The peer has a loopback address.
/// - `Host` is `localhost` or a loopback address. By DNS rebinding, a website can make the browser send requests for
///   the website's own name to the sandbox. The website can read the responses. In these requests, `Host` is the name
///   of the website.
/// - No header shows that a proxy or a tunnel forwarded the request. A tunnel makes a sandbox on a loopback address
///   reachable from other machines.
fn is_local(peer: Option<IpAddr>, headers: &HeaderMap) -> bool {
    let forwards =
        |name: &str| matches!(name, "forwarded" | "via" | "x-real-ip") || name.starts_with("x-forwarded-");
    peer.is_some_and(|peer| peer.to_canonical().is_loopback())
        && requested_host(headers).is_some_and(|host| is_loopback(host.host()))
        && !headers.keys().any(|name| forwards(name.as_str()))
}

/// Returns the host and port of the header `Host`; `None` if the header is missing or invalid.
fn requested_host(headers: &HeaderMap) -> Option<Authority> {
    headers.get(header::HOST)?.to_str().ok()?.parse().ok()
}

/// Returns whether a host is `localhost` or a loopback address. An IPv6 address may be in brackets.
fn is_loopback(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn typed(body: Body, media_type: &'static str) -> Response {
    let mut response = Response::from(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

fn set_headers(response: &mut Response, policy: &'static str, caching: &'static str) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, caching),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_the_hash_of_the_script() {
        let readme = include_str!("../../assets/reference/README.md");
        let hash = hex(&sha256(decompressed()));
        assert!(
            readme.contains(&format!("`{hash}`")),
            "assets/reference/README.md has the script's SHA-256, which is {hash}"
        );
    }

    #[test]
    fn gzip_is_sent_to_clients_that_accept_it() {
        let takes = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            }
            takes_gzip(&headers)
        };
        for values in [&[][..], &["gzip, deflate, br"], &["br;q=1, GZIP;q=0.5"], &["*"], &["br", "x-gzip"]] {
            assert!(takes(values), "{values:?}");
        }
        for values in [
            &[""][..],
            &["identity"],
            &["br"],
            &["gzip;q=0, *"],
            &["gzip; q=0.0"],
            &["gzip;Q=0"],
            &["*;q=0"],
            &["gzip;q=x"],
        ] {
            assert!(!takes(values), "{values:?}");
        }
    }

    #[test]
    fn requests_through_tunnels_and_under_other_names_are_not_local() {
        let is_local_from = |peer: Option<&str>, given: &[(&'static str, &'static str)]| {
            let given =
                given.iter().map(|&(name, value)| (name.try_into().unwrap(), value.try_into().unwrap()));
            is_local(peer.map(|peer| peer.parse().unwrap()), &given.collect::<HeaderMap>())
        };
        let is_local = |given: &[(&'static str, &'static str)]| is_local_from(Some("127.0.0.1"), given);
        for peer in ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"] {
            assert!(is_local_from(Some(peer), &[("host", "localhost:8080")]), "{peer}");
        }
        for peer in [Some("192.0.2.1"), Some("2001:db8::1"), Some("::ffff:192.0.2.1"), None] {
            assert!(!is_local_from(peer, &[("host", "localhost:8080")]), "{peer:?}");
        }
        for host in ["127.0.0.1:8080", "localhost:8080", "localhost", "[::1]:8080", "127.0.0.2"] {
            assert!(is_local(&[("host", host)]), "{host}");
            for name in
                ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]
            {
                assert!(!is_local(&[("host", host), (name, "203.0.113.7")]), "{name}");
            }
        }
        for host in ["sandbox.example", "localhost.example", "127.0.0.1.example:8080", "192.0.2.1", "", "a b"]
        {
            assert!(!is_local(&[("host", host)]), "{host}");
        }
        assert!(!is_local(&[]), "a request without `Host` is not local");
    }

    #[test]
    fn other_names_of_this_machine_are_redirected_to_the_base_url() {
        let target = |base_url: &str, host: &'static str| {
            let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))]);
            redirect_target(base_url, &headers)
        };
        let local = "http://127.0.0.1:8080";
        for host in ["localhost:8080", "[::1]:8080", "127.0.0.2:8080"] {
            assert_eq!(target(local, host).as_deref(), Some("http://127.0.0.1:8080/docs"), "{host}");
        }
        assert_eq!(target("http://localhost", "127.0.0.1").as_deref(), Some("http://localhost/docs"));
        // If the request came through a mapped port, or has the name of another machine, the base URL possibly does not
        // lead to this server.
        for host in ["127.0.0.1:8080", "localhost:9000", "localhost", "sandbox.example:8080", "a b"] {
            assert_eq!(target(local, host), None, "{host}");
        }
        for base_url in ["https://localhost:8080", "http://sandbox.example:8080"] {
            assert_eq!(target(base_url, "127.0.0.1:8080"), None, "{base_url}");
        }
        let without_host = redirect_target(local, &HeaderMap::new());
        assert_eq!(without_host, None, "a request without `Host` is not redirected");
    }

    #[test]
    fn the_page_contains_the_given_token() {
        let paths = Paths::new();
        assert!(!paths.page(None).contains("data-bot-token"));
        assert!(
            paths
                .page(Some("svc_bot_test_a"))
                .contains("<div id=\"reference\" data-bot-token=\"svc_bot_test_a\">")
        );
    }
}
