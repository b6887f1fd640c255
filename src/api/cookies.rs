//! The cookies of the pages. There are three: the session, the browser id, and the conversation opened last. The
//! browser id is set before sign-in. The sandbox console also has a session cookie of its own (`pages/console`).
//!
//! Over `https` the names of the cookies begin with `__Host-`. Browsers accept a cookie with this prefix only over TLS,
//! with `Path=/` and without `Domain`. So no other subdomain can plant such a cookie (RFC 6265bis §4.1.3). Over plain
//! `http`, as in a sandbox on the developer's machine, browsers reject cookies with the prefix, so the server omits the
//! prefix (D-386).

use std::time::Duration;

use poem::http::{HeaderMap, HeaderValue, header};

/// Names and attributes of the cookies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cookies {
    secure: bool,
}

impl Cookies {
    /// Returns the names and attributes for a server with this public URL.
    #[must_use]
    pub fn of(base_url: &str) -> Self {
        Self { secure: base_url.starts_with("https://") }
    }

    const fn session_name(self) -> &'static str {
        if self.secure { "__Host-session" } else { "session" }
    }

    const fn browser_name(self) -> &'static str {
        if self.secure { "__Host-browser" } else { "browser" }
    }

    const fn last_conversation_name(self) -> &'static str {
        if self.secure { "__Host-opened" } else { "opened" }
    }

    /// Returns the session token that the browser sent; `None` if the cookie is absent, empty, not UTF-8 or repeated.
    #[must_use]
    pub fn session(self, headers: &HeaderMap) -> Option<&str> {
        single(headers, self.session_name())
    }

    /// Returns the browser id that the browser sent; `None` if the cookie is absent, empty, not UTF-8 or repeated.
    #[must_use]
    pub fn browser(self, headers: &HeaderMap) -> Option<&str> {
        single(headers, self.browser_name())
    }

    /// Returns the conversation that [`Self::set_last_conversation`] stored; `None` if the cookie is absent, empty, not
    /// UTF-8 or repeated.
    #[must_use]
    pub fn last_conversation(self, headers: &HeaderMap) -> Option<&str> {
        single(headers, self.last_conversation_name())
    }

    /// Returns the `Set-Cookie` value that sets the session cookie for the time `life`.
    #[must_use]
    pub fn set_session(self, token: &str, life: Duration) -> Option<HeaderValue> {
        self.set(self.session_name(), token, Some(life))
    }

    /// Returns the `Set-Cookie` value that deletes the session cookie.
    #[must_use]
    pub fn clear_session(self) -> Option<HeaderValue> {
        self.set(self.session_name(), "", Some(Duration::ZERO))
    }

    /// Returns the `Set-Cookie` value that sets the browser id until the browser is closed.
    #[must_use]
    pub fn set_browser(self, text: &str) -> Option<HeaderValue> {
        self.set(self.browser_name(), text, None)
    }

    /// Returns the `Set-Cookie` value that keeps the browser id for the time `life`, so that the browser is known at
    /// later sign-ins.
    #[must_use]
    pub fn keep_browser(self, text: &str, life: Duration) -> Option<HeaderValue> {
        self.set(self.browser_name(), text, Some(life))
    }

    /// Returns the `Set-Cookie` value that stores the conversation opened last. The cookie lasts for the time `life`.
    #[must_use]
    pub fn set_last_conversation(self, text: &str, life: Duration) -> Option<HeaderValue> {
        self.set(self.last_conversation_name(), text, Some(life))
    }

    /// Returns the `Set-Cookie` value that deletes the cookie of the conversation opened last.
    #[must_use]
    pub fn clear_last_conversation(self) -> Option<HeaderValue> {
        self.set(self.last_conversation_name(), "", Some(Duration::ZERO))
    }

    /// Returns the `Set-Cookie` value of a cookie; `None` if `value` contains a character that a header cannot have.
    ///
    /// `SameSite=Lax`: browsers do not send the cookie with a form that another site submits by POST. They send it when
    /// the user follows an assistant's link to `/authorize`.
    fn set(self, name: &str, value: &str, life: Option<Duration>) -> Option<HeaderValue> {
        let secure = if self.secure { "; Secure" } else { "" };
        let life = life.map_or_else(String::new, |life| format!("; Max-Age={}", life.as_secs()));
        HeaderValue::from_str(&format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{life}")).ok()
    }
}

/// Returns the value of a cookie; `None` if the cookie is absent, empty, not UTF-8 or repeated. A repeated cookie is
/// rejected, because an attacker could have planted one of the copies, and parsers differ in the copy that they use.
///
/// The header line is read as bytes. A browser sends all cookies of the host and its parent domain in one line (RFC
/// 6265 §5.4). The line can contain cookies of other applications, and these can contain any bytes.
#[must_use]
pub fn single<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().map(HeaderValue::as_bytes);
    let pairs = lines.flat_map(|line| line.split(|byte| *byte == b';')).map(<[u8]>::trim_ascii);
    let mut values = pairs.filter_map(|pair| pair.strip_prefix(name.as_bytes())?.strip_prefix(b"="));
    let value = values.next().filter(|value| !value.is_empty());
    if values.next().is_some() { None } else { std::str::from_utf8(value?).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECURE: Cookies = Cookies { secure: true };

    fn headers(lines: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::COOKIE, HeaderValue::from_str(line).unwrap());
        }
        headers
    }

    #[test]
    fn a_cookie_is_read_unless_repeated() {
        for lines in [&["a=1; __Host-session=x;b=2"][..], &["a=1", "__Host-session=x"]] {
            assert_eq!(SECURE.session(&headers(lines)), Some("x"), "{lines:?}");
        }
        for lines in [
            &[][..],
            &["session=x"],
            &["__Host-session="],
            &["__Host-session"],
            &["__host-session=x"],
            &["__Host-session=x; __Host-session=x"],
            &["__Host-session=x", "__Host-session=y"],
        ] {
            assert_eq!(SECURE.session(&headers(lines)), None, "{lines:?}");
        }
        assert_eq!(Cookies::of("http://127.0.0.1").session(&headers(&["session=x"])), Some("x"));
    }

    #[test]
    fn other_cookies_may_have_any_bytes() {
        let read = |line: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.append(header::COOKIE, HeaderValue::from_bytes(line).unwrap());
            SECURE.session(&headers).map(str::to_owned)
        };
        let expected = Some("x".to_owned());
        assert_eq!(read("name=J\u{fc}rgen; __Host-session=x".as_bytes()), expected);
        assert_eq!(read(b"__Host-session=x; name=\xff; \xfe"), expected);
        assert_eq!(read(b"__Host-session=\xff"), None);
        assert_eq!(read(b"__Host-session=\xff; __Host-session=x"), None, "a repeated cookie is not read");
    }

    #[test]
    fn cookies_have_protective_attributes() {
        let text = |value: Option<HeaderValue>| value.unwrap().to_str().unwrap().to_owned();
        assert_eq!(
            text(Cookies::of("https://chat.example").set_session("x", Duration::from_secs(60))),
            "__Host-session=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60"
        );
        assert_eq!(text(SECURE.set_browser("y")), "__Host-browser=y; Path=/; HttpOnly; SameSite=Lax; Secure");
        assert_eq!(
            text(Cookies::of("http://localhost:1").clear_session()),
            "session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
        );
    }
}
