//! Requests that are saved as files. `listen --save` writes the files, and `events verify` reads them.
//!
//! Each file is one JSON document. A body in UTF-8 is stored as text, because JSON preserves every byte of such a text.
//! Any other body is stored in base64.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

use super::receiver::{Incoming, Reception};
use crate::{
    cli::failure::{Failure, Result},
    domain::{ids::EventId, time::Timestamp},
};

/// A saved request.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Captured {
    /// The time at which the request had arrived completely (RFC 3339).
    pub received_at: String,
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Values by lower-case header name. The values of a repeated header are joined by `, `. Bytes that are not UTF-8
    /// are replaced.
    pub headers: BTreeMap<String, String>,
    #[serde(flatten)]
    pub body: SavedBody,
}

/// The raw body in a lossless form.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub enum SavedBody {
    #[serde(rename = "body")]
    Text(String),
    #[serde(rename = "body_base64")]
    Base64(String),
}

impl Captured {
    /// Creates the saved form of a request.
    #[must_use]
    pub fn of(incoming: &Incoming) -> Self {
        let mut headers = BTreeMap::<String, String>::new();
        for (name, value) in &incoming.headers {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            headers
                .entry(name.to_string())
                .and_modify(|before| *before = format!("{before}, {value}"))
                .or_insert(value);
        }
        Self {
            received_at: incoming.received_at.to_rfc3339(),
            method: incoming.method.to_string(),
            path: incoming.path.clone(),
            headers,
            body: match std::str::from_utf8(&incoming.body) {
                Ok(text) => SavedBody::Text(text.to_owned()),
                Err(_) => SavedBody::Base64(STANDARD.encode(&incoming.body)),
            },
        }
    }

    /// Reads a saved request from a file.
    ///
    /// # Errors
    /// [`Failure::Local`] if the file cannot be read or parsed.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
        serde_json::from_str(&text).map_err(|error| {
            Failure::Local(format!(
                "{} was not written by `switchboard listen --save`: {error}",
                path.display()
            ))
        })
    }

    /// Returns the value of a header by its lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Returns the raw body.
    ///
    /// # Errors
    /// [`Failure::Local`] if the stored body is not valid base64.
    pub fn raw_body(&self) -> Result<Vec<u8>> {
        match &self.body {
            SavedBody::Text(text) => Ok(text.clone().into_bytes()),
            SavedBody::Base64(text) => STANDARD
                .decode(text)
                .map_err(|error| Failure::Local(format!("body_base64 is not base64: {error}"))),
        }
    }

    /// Returns the time at which the request had arrived completely.
    ///
    /// # Errors
    /// [`Failure::Local`] if the stored time is not valid.
    pub fn time(&self) -> Result<Timestamp> {
        Timestamp::parse(&self.received_at)
            .ok_or_else(|| Failure::Local("received_at is not an RFC 3339 time".to_owned()))
    }
}

/// A folder of saved requests.
#[derive(Clone, Debug)]
pub struct CaptureFolder(PathBuf);

impl CaptureFolder {
    /// Creates the folder if it does not exist.
    ///
    /// # Errors
    /// [`Failure::Local`] if it cannot be created.
    pub fn open(path: &Path) -> Result<Self> {
        fs::create_dir_all(path).map_err(|error| Failure::file("create the folder", path, &error))?;
        Ok(Self(path.to_owned()))
    }

    /// Saves a request and returns the path of its file. The file name begins with the time, so that a run does not
    /// overwrite the files of earlier runs.
    ///
    /// # Errors
    /// [`Failure::Local`] if the file cannot be written.
    pub fn save(&self, reception: &Reception) -> Result<PathBuf> {
        let path = self.0.join(name(reception));
        let text = serde_json::to_vec_pretty(&Captured::of(&reception.incoming))
            .map_err(|error| Failure::Local(format!("the request cannot be written: {error}")))?;
        fs::write(&path, text).map_err(|error| Failure::file("write", &path, &error))?;
        Ok(path)
    }
}

/// Returns a file name such as `20261116T110244035Z-0001-evt_38f40r646007j.json`. Names sort in the order of arrival.
/// If the request was verified and its event id is well-formed, the name contains the id. Otherwise it contains the
/// outcome, because an unverified or malformed id could be any text, such as a path.
fn name(reception: &Reception) -> String {
    let time: String =
        reception.incoming.received_at.to_rfc3339().chars().filter(char::is_ascii_alphanumeric).collect();
    let id = reception.event.as_ref().and_then(|event| event["id"].as_str()).and_then(EventId::parse);
    let label = id.map_or_else(|| reception.outcome.name().to_owned(), EventId::encode);
    format!("{time}-{:04}-{label}.json", reception.number)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, HeaderValue, Method};
    use serde_json::json;

    use super::*;
    use crate::cli::listen::{misbehaviour::ReceiverReply, receiver::ReceiverOutcome};

    fn reception(body: &'static [u8], id: &str) -> Reception {
        let mut headers = HeaderMap::new();
        headers.append("x-service-timestamp", HeaderValue::from_static("1795196100"));
        headers.append("X-Other", HeaderValue::from_static("a"));
        headers.append("X-Other", HeaderValue::from_static("b"));
        Reception {
            number: 7,
            incoming: Incoming {
                received_at: Timestamp::from_millis(1_795_196_100_123),
                method: Method::POST,
                path: "/events?x=1".to_owned(),
                headers,
                body: Bytes::from_static(body),
            },
            verified: None,
            event: Some(json!({"id": id})),
            outcome: ReceiverOutcome::Handled,
            reply: ReceiverReply::of(200),
        }
    }

    #[test]
    fn every_byte_is_preserved() {
        let home = tempfile::tempdir().unwrap();
        let folder = CaptureFolder::open(&home.path().join("deep/events")).unwrap();
        for body in ["{\"a\": \"é\u{2028}\u{7f}\"}\r\n".as_bytes(), b"\xff\x00\xfe", b""] {
            let body: &'static [u8] = body.to_vec().leak();
            let saved = folder.save(&reception(body, "evt_38f40r646007j")).unwrap();
            let read = Captured::read(&saved).unwrap();
            assert_eq!(read.raw_body().unwrap(), body);
            assert_eq!(read.time().unwrap(), Timestamp::from_millis(1_795_196_100_123));
            assert_eq!(read.header("x-service-timestamp"), Some("1795196100"));
            assert_eq!(read.header("x-other"), Some("a, b"));
            assert_eq!(saved.file_name().unwrap(), "20261120T173500123Z-0007-evt_38f40r646007j.json");
        }
    }

    #[test]
    fn a_name_contains_no_malformed_event_id() {
        assert!(name(&reception(b"", "../../etc/passwd")).ends_with("Z-0007-handled.json"));
    }

    #[test]
    fn malformed_files_are_rejected() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("x.json");
        for text in ["", "{}", r#"{"received_at":"x","method":"POST","path":"/","headers":{}}"#] {
            fs::write(&file, text).unwrap();
            assert!(matches!(Captured::read(&file), Err(Failure::Local(_))), "{text}");
        }
    }
}
