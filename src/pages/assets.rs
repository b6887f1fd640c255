//! The stylesheets, the script and the icon, which are part of the binary. Their names contain a hash, so that browsers
//! may cache them forever.

use poem::{
    Response,
    http::{HeaderValue, header},
};

use crate::api::assets::{asset_caching, asset_path};

const STYLE: &str = include_str!("../../assets/pages.css");
/// The stylesheet of the web client. It is loaded after the stylesheet of the pages, whose variables it uses.
const CLIENT_STYLE: &str = include_str!("../../assets/client.css");
/// The script of the web client, whose pages also work without scripts.
const CLIENT_SCRIPT: &str = include_str!("../../assets/client.js");
const ICON: &str = include_str!("../../assets/icon.svg");

const CSS: &str = "text/css; charset=utf-8";

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
        Self {
            style: asset_path("/assets/pages", "css", STYLE.as_bytes()),
            client_style: asset_path("/assets/client", "css", CLIENT_STYLE.as_bytes()),
            client_script: asset_path("/assets/client", "js", CLIENT_SCRIPT.as_bytes()),
            icon: asset_path("/assets/icon", "svg", ICON.as_bytes()),
        }
    }

    /// Returns the asset at a path. If the path has the hash of another version of the asset, returns this node's
    /// version.
    pub(super) fn find(&self, path: &str) -> Option<Response> {
        let assets = [
            (&self.style, CSS, STYLE),
            (&self.client_style, CSS, CLIENT_STYLE),
            (&self.client_script, "text/javascript; charset=utf-8", CLIENT_SCRIPT),
            (&self.icon, "image/svg+xml", ICON),
        ];
        let (caching, media_type, text) = assets
            .into_iter()
            .find_map(|(own, media_type, text)| Some((asset_caching(path, own)?, media_type, text)))?;
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
