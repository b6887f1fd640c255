//! The stylesheets, the script and the icon of the pages. They are compiled into the binary. Each path contains a hash
//! of the asset's content, so browsers may cache the asset for a year ([`asset_caching`]).

mod script;

use bytes::Bytes;
use poem::{
    Response,
    http::{HeaderValue, header},
};

use crate::api::assets::{asset_caching, asset_path};

const STYLE: &str = include_str!("../../../assets/pages.css");
/// The stylesheet of the web client. It is loaded after the stylesheet of the pages, whose variables it uses.
const CLIENT_STYLE: &str = include_str!("../../../assets/client.css");
const ICON: &str = include_str!("../../../assets/icon.svg");

const CSS: &str = "text/css; charset=utf-8";

/// The assets of the pages.
pub(super) struct Assets {
    /// Path of the stylesheet.
    pub(super) style: String,
    /// Path of the stylesheet of the web client.
    pub(super) client_style: String,
    /// Path of the script of the web client. The web client also works without the script.
    pub(super) client_script: String,
    script: Bytes,
    /// Path of the icon.
    pub(super) icon: String,
}

impl Assets {
    pub(super) fn new() -> Self {
        let script = Bytes::from(script::client_script());
        Self {
            style: asset_path("/assets/pages", "css", STYLE.as_bytes()),
            client_style: asset_path("/assets/client", "css", CLIENT_STYLE.as_bytes()),
            client_script: asset_path("/assets/client", "js", &script),
            script,
            icon: asset_path("/assets/icon", "svg", ICON.as_bytes()),
        }
    }

    /// Returns the response with the asset at a path; `None` if no asset has this path. For a path with the hash of
    /// another version of the asset, returns the asset as this node has it, because during a rolling upgrade nodes of
    /// two server versions serve requests.
    pub(super) fn find(&self, path: &str) -> Option<Response> {
        let assets = [
            (&self.style, CSS, Bytes::from_static(STYLE.as_bytes())),
            (&self.client_style, CSS, Bytes::from_static(CLIENT_STYLE.as_bytes())),
            (&self.client_script, "text/javascript; charset=utf-8", self.script.clone()),
            (&self.icon, "image/svg+xml", Bytes::from_static(ICON.as_bytes())),
        ];
        respond(path, assets)
    }
}

/// Returns the response with the one of `assets` that `path` names; `None` if it names none of them. Each asset is a
/// tuple of its path in this version, its media type and its content. `path` may have the hash of another version.
pub(super) fn respond<'a>(
    path: &str,
    assets: impl IntoIterator<Item = (&'a String, &'static str, Bytes)>,
) -> Option<Response> {
    let (caching, media_type, content) = assets
        .into_iter()
        .find_map(|(own, media_type, content)| Some((asset_caching(path, own)?, media_type, content)))?;
    let mut response = Response::from(poem::Body::from(content));
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
