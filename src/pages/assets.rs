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
        let hash = |text: &str| hex(&sha256(text)[..8]);
        Self {
            style: format!("/assets/pages-{}.css", hash(STYLE)),
            client_style: format!("/assets/client-{}.css", hash(CLIENT_STYLE)),
            client_script: format!("/assets/client-{}.js", hash(CLIENT_SCRIPT)),
            icon: format!("/assets/icon-{}.svg", hash(ICON)),
        }
    }

    /// Returns the asset at a path.
    pub(super) fn find(&self, path: &str) -> Option<Response> {
        let (media_type, text) = match path {
            _ if path == self.style => ("text/css; charset=utf-8", STYLE),
            _ if path == self.client_style => ("text/css; charset=utf-8", CLIENT_STYLE),
            _ if path == self.client_script => ("text/javascript; charset=utf-8", CLIENT_SCRIPT),
            _ if path == self.icon => ("image/svg+xml", ICON),
            _ => return None,
        };
        let mut response = Response::from(poem::Body::from(text));
        for (name, value) in [
            (header::CONTENT_TYPE, media_type),
            (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        ] {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        Some(response)
    }
}
