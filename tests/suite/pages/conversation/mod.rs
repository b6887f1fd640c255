//! `/c/{conversation}`: conversations in the web client.

mod files;
mod marks;
mod paging;
mod reading;
mod rights;
mod writing;

use serde_json::json;

use super::colleague;
use crate::support::{
    browser::{Browser, Page, unescape},
    *,
};

/// A company with two people who are signed in and share a group.
pub struct Team {
    pub company: Company,
    pub ann: String,
    /// Ann's browser.
    pub anns: Browser,
    pub bob: String,
    /// Bob's browser.
    pub bobs: Browser,
    pub group: String,
}

impl Team {
    pub async fn new(server: &Server) -> Self {
        let company = server.company().await;
        let (ann, anns) = colleague(server, &company, json!({"name": "Ann Author"})).await;
        let (bob, bobs) = colleague(server, &company, json!({"name": "Bob Reader"})).await;
        let group = company.group(&[&ann, &bob]).await;
        Self { company, ann, anns, bob, bobs, group }
    }

    /// Returns the path of the group's page.
    pub fn path(&self) -> String {
        format!("/c/{}", self.group)
    }

    /// Posts one message of Ann to the group for each number. Returns the ids of the messages, oldest first.
    pub async fn post_many(&self, numbers: std::ops::Range<usize>) -> Vec<String> {
        let mut ids = Vec::new();
        for number in numbers {
            ids.push(self.company.post(&self.group, &self.ann, &format!("number {number}")).await);
        }
        ids
    }
}

/// Returns the ids of the messages of a page, in the order of the page.
#[track_caller]
pub fn ids(page: &Page) -> Vec<String> {
    page.shows("role=\"log\"");
    page.text.split("<article ").skip(1).map(|part| value(part, "id")).collect()
}

/// Returns the HTML of a message.
#[track_caller]
pub fn article(page: &Page, id: &str) -> String {
    let found = page.text.split("<article ").skip(1).find(|part| value(part, "id") == id);
    let found = found.unwrap_or_else(|| panic!("{id} is not in {}", page.text));
    found.split("</article>").next().unwrap().to_owned()
}

/// Returns the target of the link with this text; `None` if the page has no such link.
pub fn link(page: &Page, text: &str) -> Option<String> {
    let end = page.text.find(&format!(">{text}</a>"))?;
    let start = page.text[..end].rfind("<a ")?;
    Some(value(&page.text[start..end], "href"))
}

/// Returns the unescaped value of an attribute; an empty text if the element does not have the attribute.
pub fn value(element: &str, name: &str) -> String {
    let rest = element.split_once(&format!("{name}=\"")).map_or("", |(_, rest)| rest);
    unescape(rest.split('"').next().unwrap_or_default())
}

/// A file of a form: its name as browsers escape it, its media type and its content.
pub type FilePart<'a> = (&'a str, &'a str, &'a [u8]);

/// Returns the `multipart/form-data` body of a form with files, with the boundary `edge`.
pub fn multipart(fields: &[(&str, &str)], files: &[FilePart<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        let part = format!("--edge\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend_from_slice(part.as_bytes());
    }
    for (name, mimetype, content) in files {
        let head = format!(
            "--edge\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\ncontent-type: {mimetype}\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--edge--\r\n");
    body
}

/// Posts a `multipart/form-data` body with the boundary `edge` (see [`multipart`]).
pub async fn post_multipart(browser: &mut Browser, path: &str, body: &[u8]) -> Page {
    let headers = ["content-type: multipart/form-data; boundary=edge".to_owned()];
    browser.send("POST", path, &headers, body).await
}

/// Fills the composer of a page (the form that sends a message) with a text and files, and submits it.
pub async fn send_files(browser: &mut Browser, page: &Page, text: &str, files: &[FilePart<'_>]) -> Page {
    let form = page.forms().into_iter().find(|form| form.action.ends_with("/messages")).expect("a composer");
    let mut fields: Vec<(&str, &str)> = form.hidden.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    fields.push(("text", text));
    post_multipart(browser, &form.action, &multipart(&fields, files)).await
}

/// Returns the value of a hidden field of the composer.
#[track_caller]
pub fn hidden(page: &Page, name: &str) -> Option<String> {
    let form = page.forms().into_iter().find(|form| form.action.ends_with("/messages")).expect("a composer");
    form.hidden.into_iter().find(|(found, _)| found == name).map(|(_, value)| value)
}

/// Returns the text in the composer of a page.
#[track_caller]
pub fn typed(page: &Page) -> String {
    let (_, rest) = page.text.split_once("aria-label=\"Message\"").expect("a composer");
    let (_, rest) = rest.split_once(">\n").expect("a text");
    unescape(rest.split("</textarea>").next().unwrap())
}
