//! A browser without scripts, which keeps cookies and submits forms.

use std::collections::BTreeMap;

use regex::Regex;
use reqwest::Method;

use super::http::{Http, Reply, new_request};

#[derive(Default)]
pub struct Browser {
    cookies: BTreeMap<String, String>,
}

impl Browser {
    /// Opens a page.
    pub async fn get(&mut self, http: &Http, path: &str) -> Reply {
        let request = new_request("pages", Method::GET, path).header("accept", "text/html");
        let reply = http.send(request.header("cookie", self.cookie())).await;
        self.keep(&reply);
        reply
    }

    /// Submits the page's first form whose `action` begins with `path`. Sends the form's hidden fields and the fields
    /// of `more`. Returns `None` if the page has no such form.
    pub async fn submit(
        &mut self,
        http: &Http,
        page: &Reply,
        path: &str,
        more: &[(&str, &str)],
    ) -> Option<Reply> {
        let forms = Regex::new(r"(?s)<form ([^>]*)>(.*?)</form>").unwrap();
        let inputs = Regex::new(r"<input [^>]*>").unwrap();
        let found =
            forms.captures_iter(&page.text).find(|form| attribute(&form[1], "action").starts_with(path));
        let form = found?;
        let action = attribute(&form[1], "action");
        let hidden = inputs.find_iter(&form[2]).map(|input| input.as_str());
        let hidden = hidden.filter(|input| attribute(input, "type") == "hidden");
        let mut fields: Vec<_> =
            hidden.map(|input| (attribute(input, "name"), attribute(input, "value"))).collect();
        fields.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let request = new_request("pages", Method::POST, action).form(&fields).header("accept", "text/html");
        let request = request.header("cookie", self.cookie()).header("origin", http.base.clone());
        let reply = http.send(request.header("sec-fetch-site", "same-origin")).await;
        self.keep(&reply);
        Some(reply)
    }

    fn cookie(&self) -> String {
        let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    fn keep(&mut self, reply: &Reply) {
        for cookie in reply.headers.get_all("set-cookie") {
            let text = cookie.to_str().unwrap_or_default();
            let pair = text.split(';').next().unwrap_or_default();
            if let Some((name, value)) = pair.split_once('=') {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

/// Returns the value of an attribute, or an empty text if the element does not have the attribute. Decodes the
/// character references that the pages use.
fn attribute(element: &str, name: &str) -> String {
    let pattern = Regex::new(&format!(r#"\b{name}="([^"]*)""#)).unwrap();
    let value = pattern.captures(element).map_or(String::new(), |found| found[1].to_owned());
    let numbers = Regex::new(r"&#(\d+);").unwrap();
    let plain = numbers.replace_all(&value, |code: &regex::Captures<'_>| {
        code[1].parse().ok().and_then(char::from_u32).map_or(String::new(), String::from)
    });
    plain.replace("&amp;", "&")
}
