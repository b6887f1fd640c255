//! The stylesheet, part of the binary. Its name holds its hash, so that browsers may keep it for good and a new one is
//! a new name.

use poem::{
    Response,
    http::{HeaderValue, header},
};

use crate::platform::secrets::{hex, sha256};

const STYLE: &str = include_str!("../../assets/pages.css");
const ICON: &str = include_str!("../../assets/icon.svg");

/// What the pages are made with besides themselves.
pub(super) struct Assets {
    /// Path of the stylesheet.
    pub(super) style: String,
    /// Path of the icon.
    pub(super) icon: String,
}

impl Assets {
    pub(super) fn new() -> Self {
        let hash = |text: &str| hex(&sha256(text)[..8]);
        Self {
            style: format!("/assets/pages-{}.css", hash(STYLE)),
            icon: format!("/assets/icon-{}.svg", hash(ICON)),
        }
    }

    /// What stands under a path.
    pub(super) fn find(&self, path: &str) -> Option<Response> {
        let (media_type, text) = match path {
            _ if path == self.style => ("text/css; charset=utf-8", STYLE),
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
