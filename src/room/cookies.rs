//! The two cookies of people's browsers: the session, and the browser itself before anybody signed in with it.
//!
//! Over `https` their names begin with `__Host-`: a browser takes such a cookie only from this very host, over TLS
//! and for every path, so that no neighbour can plant one (RFC 6265bis §4.1.3). Plain `http`, in development, has no
//! such cookies; there the names are bare (D-386).

use std::time::Duration;

use poem::http::{HeaderMap, HeaderValue, header};

/// How cookies are named and given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cookies {
    secure: bool,
}

impl Cookies {
    /// Those of a server with this public address.
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

    /// The session's token, as the browser sent it.
    #[must_use]
    pub fn session(self, headers: &HeaderMap) -> Option<&str> {
        single(headers, self.session_name())
    }

    /// The text that names the browser.
    #[must_use]
    pub fn browser(self, headers: &HeaderMap) -> Option<&str> {
        single(headers, self.browser_name())
    }

    /// Gives a session to the browser, to keep as long as it lives.
    #[must_use]
    pub fn give_session(self, token: &str, life: Duration) -> Option<HeaderValue> {
        self.give(self.session_name(), token, Some(life))
    }

    /// Takes the session back.
    #[must_use]
    pub fn take_session(self) -> Option<HeaderValue> {
        self.give(self.session_name(), "", Some(Duration::ZERO))
    }

    /// Names the browser until it is closed.
    #[must_use]
    pub fn give_browser(self, text: &str) -> Option<HeaderValue> {
        self.give(self.browser_name(), text, None)
    }

    /// `Lax`: not sent with what other sites post, sent when somebody follows an assistant's link to `/authorize`.
    fn give(self, name: &str, value: &str, life: Option<Duration>) -> Option<HeaderValue> {
        let secure = if self.secure { "; Secure" } else { "" };
        let life = life.map_or_else(String::new, |life| format!("; Max-Age={}", life.as_secs()));
        HeaderValue::from_str(&format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{life}")).ok()
    }
}

/// The value of a cookie. One sent twice is none: somebody may have planted the second, and which one a reader
/// takes is a matter of taste.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(found, _)| *found == name).map(|(_, value)| value);
    let value = values.next().filter(|value| !value.is_empty());
    if values.next().is_some() { None } else { value }
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
    fn one_cookie_of_a_name_is_read() {
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
    fn attributes() {
        let text = |value: Option<HeaderValue>| value.unwrap().to_str().unwrap().to_owned();
        assert_eq!(
            text(Cookies::of("https://chat.example").give_session("x", Duration::from_secs(60))),
            "__Host-session=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60"
        );
        assert_eq!(
            text(SECURE.give_browser("y")),
            "__Host-browser=y; Path=/; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(
            text(Cookies::of("http://localhost:1").take_session()),
            "session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
        );
    }
}
