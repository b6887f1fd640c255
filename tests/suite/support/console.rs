//! A browser for the sandbox console.

use super::{
    Server,
    browser::{Browser, Page},
};

/// Returns the operator key of every in-process test server ([`Server`]).
pub fn operator_key() -> String {
    use switchboard::domain::token::{TokenKind, mint};
    mint(TokenKind::Operator, &[7; 32])
}

impl Server {
    /// Signs a browser in to the console, and returns the browser.
    pub async fn console(&self) -> Browser {
        let mut browser = self.browser();
        let page = browser.submit("/console/signin", &[("key", &operator_key())]).await;
        assert_eq!(page.to(), "/console", "{}", page.text);
        browser
    }
}

impl Browser {
    /// Requests the live part of a console page, as the script does. `tag` is the entity tag of the live part that the
    /// page already shows.
    pub async fn live(&mut self, path: &str, tag: &str) -> Page {
        let headers = ["x-console-live: 1".to_owned(), format!("if-none-match: {tag}")];
        self.send("GET", path, &headers, b"").await
    }
}
