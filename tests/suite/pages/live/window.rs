//! A client of the event streams that browser windows open, to show changes while they happen.

use serde_json::Value;

use crate::support::{browser::Browser, wait::GUARD, *};

/// A simulated window, which reads its event stream event by event.
pub struct Window {
    response: reqwest::Response,
    /// Received bytes after the last part of the stream that was read. They are not text yet, because a chunk can end
    /// within a character.
    buffer: Vec<u8>,
}

/// An event of a stream. A field that the event does not have is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    pub id: String,
    pub name: String,
    pub data: String,
}

impl Window {
    /// Opens an event stream; `after` is the value of `Last-Event-ID`.
    pub async fn open(server: &Server, browser: &Browser, path: &str, after: Option<&str>) -> Self {
        Self::at(&server.base, browser, path, after).await
    }

    /// Opens an event stream as [`Window::open`] does, but at a given base URL.
    pub(super) async fn at(base: &str, browser: &Browser, path: &str, after: Option<&str>) -> Self {
        let mut call = reqwest::Client::new().get(format!("{base}{path}"));
        let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        call = call.header("cookie", cookies.join("; "));
        if let Some(after) = after {
            call = call.header("last-event-id", after);
        }
        let response = call.send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        let mut window = Self { response, buffer: Vec::new() };
        // the stream contains every change that is made after the server has sent this first part
        assert!(window.part().await.unwrap().starts_with("retry: "));
        window
    }

    /// Requests a stream, and returns the status of the response. The stream is not read.
    pub async fn status(server: &Server, browser: &Browser, path: &str) -> u16 {
        let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let call = reqwest::Client::new().get(format!("{}{path}", server.base));
        call.header("cookie", cookies.join("; ")).send().await.unwrap().status().as_u16()
    }

    /// Opens the stream of a conversation, starting at the present.
    pub async fn on(server: &Server, browser: &Browser, conversation: &str) -> Self {
        Self::open(server, browser, &format!("/c/{conversation}/live"), None).await
    }

    /// Returns the next part of the stream, up to an empty line; `None` at the end of the stream.
    async fn part(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|two| two == b"\n\n") {
                let rest = self.buffer.split_off(end + 2);
                let part = std::mem::replace(&mut self.buffer, rest);
                return Some(
                    String::from_utf8(part).expect("a stream is UTF-8").trim_end_matches('\n').to_owned(),
                );
            }
            let chunk =
                tokio::time::timeout(GUARD, self.response.chunk()).await.expect("a chunk arrives in time");
            let chunk = chunk.expect("the stream ends properly")?;
            self.buffer.extend_from_slice(&chunk);
        }
    }

    /// Returns the next event with this name, and skips other events. Panics after [`GUARD`], even if the stream still
    /// sends other events, such as `alive`.
    pub async fn next(&mut self, name: &str) -> Event {
        let looking = async {
            loop {
                let event = self.any().await.expect("the stream continues");
                if event.name == name {
                    return event;
                }
            }
        };
        tokio::time::timeout(GUARD, looking).await.unwrap_or_else(|_| panic!("no {name} event"))
    }

    /// Returns the next event; `None` at the end of the stream.
    pub async fn any(&mut self) -> Option<Event> {
        loop {
            let part = self.part().await?;
            let mut event = Event::default();
            for line in part.lines().filter(|line| !line.starts_with(':')) {
                let (field, value) = line.split_once(':').unwrap();
                let value = value.strip_prefix(' ').unwrap_or(value);
                match field {
                    "id" => value.clone_into(&mut event.id),
                    "event" => value.clone_into(&mut event.name),
                    "data" if event.data.is_empty() => value.clone_into(&mut event.data),
                    "data" => event.data = format!("{}\n{value}", event.data),
                    other => panic!("the field {other} is unknown"),
                }
            }
            if !event.name.is_empty() {
                return Some(event);
            }
        }
    }

    /// Waits for the end of the stream, and returns the `message`, `edited` and `deleted` events before the end.
    pub(super) async fn ended(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.any().await {
            if ["message", "edited", "deleted"].contains(&event.name.as_str()) {
                events.push(event);
            }
        }
        events
    }
}

/// Returns the conversation of an `unread` event, and the number of its unread messages.
pub(super) fn unread(event: &Event) -> (String, i64) {
    let data: Value = serde_json::from_str(&event.data).unwrap();
    (text(&data, "/conversation"), data["unread"].as_i64().unwrap())
}

/// Returns how often an operation of the store has run, according to the metrics of a process.
pub(super) async fn runs(process: &Process, operation: &str) -> u64 {
    let text = reqwest::get(process.metrics.as_ref().unwrap()).await.unwrap().text().await.unwrap();
    let label = format!("operation=\"{operation}\"");
    let counts = text.lines().filter(|line| line.starts_with("switchboard_store_seconds_count{"));
    let numbers = counts.filter(|line| line.contains(&label)).filter_map(|line| line.rsplit(' ').next());
    numbers.map(|number| number.parse::<u64>().unwrap()).sum()
}
