//! Redirect targets in the parameter `next`, such as the page to show after sign-in. Only paths of this site are
//! accepted, to prevent open redirects.

/// Maximum length in bytes of a path with its query and fragment.
const MAX_LEN: usize = 16 * 1024;

/// Path of the page with the sign-in form. The form is posted to the same path.
pub(super) const SIGN_IN_PATH: &str = "/signin";

/// Returns the path of the sign-in page with `next` as its parameter. After signing in, the page redirects to `next`.
pub(super) fn sign_in_path(next: &str) -> String {
    let encoded: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("{SIGN_IN_PATH}?next={encoded}")
}

/// Returns `next` if it is acceptable, otherwise `/`. An acceptable text begins with `/`, consists of visible ASCII
/// characters other than `\`, has no `//` in its path, and has at most `MAX_LEN` bytes. The paths of sign-in and
/// sign-out are not acceptable.
///
/// Every browser resolves an acceptable text to a page of this site. Browsers resolve `//host` and `/\host` to another
/// site, and also `/<tab>/host`, because they drop tabs and line breaks.
#[must_use]
pub fn same_site(next: &str) -> &str {
    if is_same_site(next) { next } else { "/" }
}

fn is_same_site(next: &str) -> bool {
    let path = next.split(['?', '#']).next().unwrap_or_default();
    next.len() <= MAX_LEN
        && path.starts_with('/')
        && !path.contains("//")
        && next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
        // sign-in must not redirect to itself; `/signout` accepts only POST, so a redirect to it would fail
        && !matches!(path, "/signin" | "/signout")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_site_are_accepted() {
        for next in
            ["/", "/settings/privacy", "/oauth/authorize?redirect_uri=https://a/cb&state=%2F%2F", "/a#b"]
        {
            assert_eq!(same_site(next), next);
        }
        for next in [
            "",
            "settings",
            "//evil.example",
            "//evil.example/settings",
            "///evil.example",
            "/\\evil.example",
            "\\/evil.example",
            "/\t/evil.example",
            "\t//evil.example",
            " /settings",
            "/a//b",
            "/a\r\nset-cookie: x=y",
            "/\u{ff0f}evil.example",
            "https://evil.example",
            "https:evil.example",
            "javascript:alert(1)",
            "/signin",
            "/signin?next=/signin",
            "/signout",
        ] {
            assert_eq!(same_site(next), "/", "{next}");
        }
        assert_eq!(same_site(&format!("/{}", "a".repeat(MAX_LEN))), "/");
    }
}
