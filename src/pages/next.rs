//! Where to go after signing in or out: a path of this very site and nothing else.

/// Longest path that is gone to; the request line is bounded too.
const MAX_LEN: usize = 16 * 1024;

/// The path, when it leads to a page of ours in the eyes of every browser; else the start page.
///
/// A browser takes `//host`, `/\host` and, once it has dropped tabs and line ends, `/<tab>/host` for another site.
pub(super) fn same_site(next: &str) -> &str {
    if is_same_site(next) { next } else { "/" }
}

fn is_same_site(next: &str) -> bool {
    let path = next.split(['?', '#']).next().unwrap_or_default();
    next.len() <= MAX_LEN
        && path.starts_with('/')
        && !path.contains("//")
        && next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
        // signing in would lead to signing in, and nothing but a button signs out
        && !matches!(path, "/signin" | "/signout")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_ours() {
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
