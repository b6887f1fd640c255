//! Paths of the assets that are part of the binary. The path of an asset contains a hash of its content. A path stands
//! for one content, so browsers may cache the content for a year.
//!
//! During a rolling upgrade, nodes of two versions serve requests. A page can come from a node of one version, and the
//! request for its asset can reach a node of the other version. This node does not have the content of the requested
//! path. So it responds with its own version of the asset, which browsers must not cache.

use crate::platform::secrets::{hex, sha256};

/// Length of the hash in the name of an asset, in hexadecimal digits.
const HASH_DIGITS: usize = 16;

/// Returns the path of an asset, with the hash of its content between the name and the extension.
#[must_use]
pub fn asset_path(name: &str, extension: &str, content: &[u8]) -> String {
    format!("{name}-{}.{extension}", hex(&sha256(content)[..HASH_DIGITS / 2]))
}

/// Returns the `Cache-Control` for a request with the path `requested`. `own` is the path of an asset in this version.
/// `requested` may have another hash than `own`. If the paths differ in more than the hash, returns `None`.
#[must_use]
pub fn asset_caching(requested: &str, own: &str) -> Option<&'static str> {
    if requested == own {
        return Some("public, max-age=31536000, immutable");
    }
    let named = name_and_extension(requested)?;
    (name_and_extension(own) == Some(named)).then_some("no-store")
}

/// Splits the path of an asset into the parts before and after the hash; `None` for a path without a hash.
fn name_and_extension(path: &str) -> Option<(&str, &str)> {
    let (name, rest) = path.rsplit_once('-')?;
    let (hash, extension) = rest.split_once('.')?;
    let is_hash = hash.len() == HASH_DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some((name, extension))
}
