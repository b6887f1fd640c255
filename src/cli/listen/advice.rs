//! Start-up text of `switchboard listen`. It shows the settings that a server needs to send events to this receiver.

use std::{fmt::Write as _, net::SocketAddr, path::Path};

use serde_json::{Value, json};

use super::misbehaviour::Misbehaviour;
use crate::cli::{
    dev::{CALLBACK_HOSTS, reachable},
    sandbox::SandboxApp,
};

/// Path of the suggested callback URL. The receiver accepts every path.
const PATH: &str = "/events";

/// The inputs of the start-up text.
#[derive(Clone, Copy, Debug)]
pub struct StartupText<'a> {
    /// Listen address.
    pub address: SocketAddr,
    /// Whether the receiver uses plain HTTP.
    pub plain: bool,
    /// Whether the certificate was generated at the start, so that a server must be configured to trust its authority.
    pub made_certificate: bool,
    /// File with the certificate of the authority that signed the generated certificate (`--cert-out`).
    pub authority: Option<&'a Path>,
    /// The app of the sandbox in the current folder, if the receiver listens at the callback URL of this app.
    pub sandbox: Option<&'a SandboxApp>,
    /// Number of signing secrets.
    pub secrets: usize,
    /// How the receiver responds.
    pub misbehaviour: &'a Misbehaviour,
}

impl StartupText<'_> {
    fn base(&self) -> String {
        let scheme = if self.plain { "http" } else { "https" };
        let mut address = self.address;
        if address.ip().is_unspecified() {
            // 0.0.0.0 and [::] are no addresses to which a server can send events
            address = reachable(address);
        }
        format!("{scheme}://{address}")
    }

    fn callback(&self) -> String {
        self.sandbox.map_or_else(|| self.base() + PATH, |app| app.callback_url.clone())
    }

    /// Returns the settings that a server needs to send events to this receiver, as environment variables.
    fn settings(&self) -> Vec<(&'static str, String)> {
        let host = self.base();
        let host = host.split_once("://").map_or(host.as_str(), |(_, host)| host).to_owned();
        let mut settings =
            vec![("SWITCHBOARD_ENVIRONMENT", "dev".to_owned()), ("SWITCHBOARD_ALLOW_PRIVATE_HOSTS", host)];
        if self.made_certificate {
            let file = self.authority.map(|path| std::path::absolute(path).unwrap_or(path.to_owned()));
            let file = file.map_or("/path/of/ca.pem".to_owned(), |path| path.display().to_string());
            settings.push(("SWITCHBOARD_EXTRA_CA_FILE", file));
        }
        settings
    }

    /// Returns the start-up text for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("Listening for events on {}\n", self.base());
        let how_many = if self.secrets == 1 { "1 signing secret" } else { "any of the signing secrets" };
        // writing to a String cannot fail
        let _ = writeln!(text, "Verifying signatures with {how_many}.");
        if !self.misbehaviour.is_good() {
            let _ = writeln!(text, "{}", self.misbehaviour.describe());
        }
        match self.sandbox {
            Some(app) => {
                let _ = write!(
                    text,
                    "\nThe sandbox in this folder sends events here: the callback URL of {} is {}, unless it was \
                     changed.\n\
                     Send an event, in another terminal:\n\n    switchboard events send\n",
                    app.id, app.callback_url
                );
            }
            None => self.write_settings(&mut text),
        }
        text.push_str("\nStop: Ctrl-C\n\n");
        text
    }

    fn write_settings(&self, text: &mut String) {
        let settings = self.settings();
        let already_set = if settings.iter().any(|(_, value)| CALLBACK_HOSTS.contains(&value.as_str())) {
            "the first two"
        } else {
            "the first"
        };
        let _ = write!(
            text,
            "\nThe server needs these settings; `switchboard dev` already sets {already_set}:\n\n"
        );
        for (name, value) in settings {
            let _ = writeln!(text, "    {name}={value}");
        }
        let callback = self.callback();
        let _ = write!(
            text,
            "\nThe app needs this callback URL:\n\n    switchboard app set app_... --callback-url {callback}\n"
        );
        if self.made_certificate && self.authority.is_none() {
            text.push_str(
                "\nThe certificate is new, so no server trusts it yet. Start again with --cert-out FILE to write the \
                 certificate authority\nthat the server must trust, or with --http to use no TLS.\n",
            );
        }
    }

    /// Returns the address, the callback URL and the settings as a JSON object, for programs.
    #[must_use]
    pub fn document(&self) -> Value {
        let settings: serde_json::Map<_, _> =
            self.settings().into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        json!({"listening": self.base(), "callback_url": self.callback(), "settings": settings})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::secrets::Secret;

    fn advice<'a>(
        misbehaviour: &'a Misbehaviour,
        plain: bool,
        authority: Option<&'a Path>,
    ) -> StartupText<'a> {
        StartupText {
            address: "127.0.0.1:8443".parse().unwrap(),
            plain,
            made_certificate: !plain,
            authority,
            sandbox: None,
            secrets: 1,
            misbehaviour,
        }
    }

    #[test]
    fn the_settings_are_complete() {
        let good = Misbehaviour::default();
        let text = advice(&good, false, Some(Path::new("/tmp/ca.pem"))).text();
        for line in [
            "`switchboard dev` already sets the first two:\n",
            "    SWITCHBOARD_ALLOW_PRIVATE_HOSTS=127.0.0.1:8443\n",
            "    SWITCHBOARD_EXTRA_CA_FILE=/tmp/ca.pem\n",
            "    switchboard app set app_... --callback-url https://127.0.0.1:8443/events\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert!(!text.contains("--cert-out") && !text.contains("Misbehaves"), "{text}");
        assert!(advice(&good, false, None).text().contains("--cert-out FILE"));
        let plain = advice(&good, true, None);
        assert!(!plain.text().contains("EXTRA_CA"));
        assert_eq!(plain.document()["callback_url"], "http://127.0.0.1:8443/events");
        let everywhere = StartupText { address: "0.0.0.0:81".parse().unwrap(), ..plain };
        assert!(everywhere.text().contains("already sets the first:\n"));
        assert_eq!(everywhere.document()["listening"], "http://127.0.0.1:81");
    }

    #[test]
    fn the_text_for_the_app_of_a_sandbox_has_no_settings() {
        let app = SandboxApp {
            sandbox: "http://127.0.0.1:8080".to_owned(),
            id: "app_1".to_owned(),
            callback_url: "http://127.0.0.1:8081/events".to_owned(),
            signing_secret: Secret::new("whsec_x"),
        };
        let bad = Misbehaviour { fail: Some(1), ..Misbehaviour::default() };
        let text = StartupText { sandbox: Some(&app), ..advice(&bad, true, None) }.text();
        assert!(text.contains("callback URL of app_1 is http://127.0.0.1:8081/events"), "{text}");
        assert!(text.contains("Misbehaves") && !text.contains("SWITCHBOARD_"), "{text}");
        assert!(!text.contains("whsec_"));
    }
}
