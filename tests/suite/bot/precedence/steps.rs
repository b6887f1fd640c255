//! Requests with several errors, and the assertion that the response reports the error that is checked first.

use reqwest::Method;
use serde_json::Value;

use crate::support::{Api, Call};

/// A valid request, to which a test adds errors.
#[derive(Clone)]
pub struct Draft {
    pub method: Method,
    pub path: String,
    pub query: Vec<String>,
    pub authorization: Option<String>,
    pub accept: &'static str,
    pub media_type: &'static str,
    pub key: Option<String>,
    pub body: Value,
    /// Whether spaces after the body make it larger than the maximum size.
    pub large: bool,
}

impl Draft {
    pub fn new(method: Method, path: &str, authorization: String) -> Self {
        Self {
            method,
            path: path.to_owned(),
            query: Vec::new(),
            authorization: Some(authorization),
            accept: "application/json",
            media_type: "application/json",
            key: None,
            body: Value::Null,
            large: false,
        }
    }

    pub fn call(&self, api: &Api) -> Call {
        let query = if self.query.is_empty() { String::new() } else { format!("?{}", self.query.join("&")) };
        let mut call =
            api.call(self.method.clone(), &format!("{}{query}", self.path)).header("accept", self.accept);
        if let Some(authorization) = &self.authorization {
            call = call.header("authorization", authorization);
        }
        if let Some(key) = &self.key {
            call = call.header("idempotency-key", key);
        }
        if self.body.is_null() {
            return call;
        }
        let mut body = self.body.to_string();
        if self.large {
            body.push_str(&" ".repeat(1_048_577));
        }
        call.header("content-type", self.media_type).body(body)
    }
}

/// An error that a test adds to a request, and the status and code of the expected response.
pub struct Flaw<'a> {
    pub status: u16,
    pub code: &'static str,
    pub apply: Box<dyn Fn(&mut Draft) + 'a>,
}

pub fn flaw<'a>(status: u16, code: &'static str, apply: impl Fn(&mut Draft) + 'a) -> Flaw<'a> {
    Flaw { status, code, apply: Box::new(apply) }
}

/// Asserts that the errors are checked in the order of `steps`. For each error, sends a request with this error alone,
/// requests with one later error added, and a request with all later errors added. The response must always report the
/// first of the request's errors.
pub async fn assert_precedence(api: &Api, draft: &Draft, steps: &[Flaw<'_>]) {
    for (position, first) in steps.iter().enumerate() {
        let rest = &steps[position + 1..];
        let sets = rest.iter().map(|other| vec![other]).chain([Vec::new(), rest.iter().collect()]);
        for others in sets {
            let mut modified = draft.clone();
            // the first error is added last, so that no other error overwrites its part of the request
            for flaw in others.iter().rev() {
                (flaw.apply)(&mut modified);
            }
            (first.apply)(&mut modified);
            let answer = modified.call(api).send().await;
            let codes: Vec<_> = others.iter().map(|f| f.code).collect();
            let case = format!(
                "{} {}: {} before {codes:?}: {}",
                draft.method,
                draft.path,
                first.code,
                answer.text()
            );
            assert_eq!(answer.status, first.status, "{case}");
            if draft.method != Method::HEAD {
                assert_eq!(answer.json()["error"]["code"], first.code, "{case}");
            }
        }
    }
}
