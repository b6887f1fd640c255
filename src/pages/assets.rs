//! The stylesheets, the script and the icon, which are part of the binary. Their names contain a hash, so that browsers
//! may cache them forever.

use poem::{
    Response,
    http::{HeaderValue, header},
};

use crate::platform::secrets::{hex, sha256};

const STYLE: &str = include_str!("../../assets/pages.css");
/// The stylesheet of the web client. It is loaded after the stylesheet of the pages, whose variables it uses.
const CLIENT_STYLE: &str = include_str!("../../assets/client.css");
/// The script of the web client, whose pages also work without scripts.
const CLIENT_SCRIPT: &str = include_str!("../../assets/client.js");
const ICON: &str = include_str!("../../assets/icon.svg");

const CSS: &str = "text/css; charset=utf-8";
/// Length of the hash in the name of an asset, in hexadecimal digits.
const HASH_DIGITS: usize = 16;

/// The assets of the pages.
pub(super) struct Assets {
    /// Path of the stylesheet.
    pub(super) style: String,
    /// Path of the stylesheet of the web client.
    pub(super) client_style: String,
    /// Path of the script of the web client.
    pub(super) client_script: String,
    /// Path of the icon.
    pub(super) icon: String,
}

impl Assets {
    pub(super) fn new() -> Self {
        let hash = |text: &str| hex(&sha256(text)[..HASH_DIGITS / 2]);
        Self {
            style: format!("/assets/pages-{}.css", hash(STYLE)),
            client_style: format!("/assets/client-{}.css", hash(CLIENT_STYLE)),
            client_script: format!("/assets/client-{}.js", hash(CLIENT_SCRIPT)),
            icon: format!("/assets/icon-{}.svg", hash(ICON)),
        }
    }

    /// Returns the asset at a path. The path may have the hash of another version of the asset: during a rolling
    /// upgrade, nodes of two versions serve, and the request for an asset may reach another node than the request for
    /// its page. Then returns the version of this node, which browsers must not cache under the path of the other
    /// version.
    pub(super) fn find(&self, path: &str) -> Option<Response> {
        let named = name_and_extension(path)?;
        let assets = [
            (&self.style, CSS, STYLE),
            (&self.client_style, CSS, CLIENT_STYLE),
            (&self.client_script, "text/javascript; charset=utf-8", CLIENT_SCRIPT),
            (&self.icon, "image/svg+xml", ICON),
        ];
        let (own, media_type, text) =
            assets.into_iter().find(|(own, ..)| name_and_extension(own) == Some(named))?;
        let caching = if path == own { "public, max-age=31536000, immutable" } else { "no-store" };
        let mut response = Response::from(poem::Body::from(text));
        for (name, value) in [
            (header::CONTENT_TYPE, media_type),
            (header::CACHE_CONTROL, caching),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        ] {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        Some(response)
    }
}

/// Splits the path of an asset into the parts before and after the hash; `None` for a path without a hash.
fn name_and_extension(path: &str) -> Option<(&str, &str)> {
    let (name, rest) = path.rsplit_once('-')?;
    let (hash, extension) = rest.split_once('.')?;
    let is_hash = hash.len() == HASH_DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some((name, extension))
}
