//! Adjusts requests in two ways that the generated client does not support:
//!
//! - In the body of a `PATCH`, null removes a value, and an absent member leaves it unchanged. The client omits every
//!   member without a value, so [`with_nulls`] adds members with the value null.
//! - The client sends every upload as `application/octet-stream`, so [`with_content_type`] sets another media type.
//!
//! Each function runs a call, and a pre-request hook of the client adjusts only the request of this call.

use progenitor_client::{ClientHooks, Error, OperationInfo};
use reqwest::{
    Request,
    header::{CONTENT_TYPE, HeaderValue},
};
use serde_json::{Map, Value};

use super::Client;

#[derive(Clone, Debug)]
enum Adjust {
    Nulls(Vec<&'static str>),
    ContentType(String),
}

tokio::task_local! {
    static ADJUST: Adjust;
}

/// Runs the call. In its request body, each member in `members` whose `bool` is true is set to null.
pub async fn with_nulls<T>(members: &[(&'static str, bool)], call: impl Future<Output = T>) -> T {
    let set = members.iter().filter(|(_, null)| *null).map(|(member, _)| *member).collect();
    ADJUST.scope(Adjust::Nulls(set), call).await
}

/// Runs the call. Its request gets this `Content-Type`.
pub async fn with_content_type<T>(media_type: String, call: impl Future<Output = T>) -> T {
    ADJUST.scope(Adjust::ContentType(media_type), call).await
}

/// The generated client implements empty default hooks on `&Client`. This implementation is on `Client` itself, so
/// method resolution finds it first.
impl ClientHooks<()> for Client {
    async fn pre<E>(&self, request: &mut Request, _: &OperationInfo) -> Result<(), Error<E>> {
        let adjusted = ADJUST.try_with(|adjust| adjust.apply(request));
        // a call without an adjustment is sent as it is
        adjusted.unwrap_or(Ok(())).map_err(Error::InvalidRequest)
    }
}

impl Adjust {
    fn apply(&self, request: &mut Request) -> Result<(), String> {
        match self {
            Self::Nulls(members) if members.is_empty() => {}
            Self::Nulls(members) => {
                let sent = request.body().and_then(reqwest::Body::as_bytes).unwrap_or(b"{}");
                let mut object: Map<String, Value> =
                    serde_json::from_slice(sent).map_err(|e| e.to_string())?;
                object.extend(members.iter().map(|member| ((*member).to_owned(), Value::Null)));
                *request.body_mut() = Some(serde_json::to_vec(&object).map_err(|e| e.to_string())?.into());
            }
            Self::ContentType(media_type) => {
                let value =
                    HeaderValue::from_str(media_type).map_err(|_| "the media type is invalid".to_owned())?;
                request.headers_mut().insert(CONTENT_TYPE, value);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(body: &'static str) -> Request {
        let mut request = Request::new(reqwest::Method::PATCH, "http://127.0.0.1/".parse().unwrap());
        *request.body_mut() = Some(body.into());
        request
    }

    fn body(request: &Request) -> &str {
        std::str::from_utf8(request.body().unwrap().as_bytes().unwrap()).unwrap()
    }

    #[test]
    fn nulls_are_added_to_the_body() {
        let mut sent = request(r#"{"name":"x"}"#);
        Adjust::Nulls(vec!["topic"]).apply(&mut sent).unwrap();
        assert_eq!(body(&sent), r#"{"name":"x","topic":null}"#);
        let mut same = request(r#"{"name":"x"}"#);
        Adjust::Nulls(Vec::new()).apply(&mut same).unwrap();
        assert_eq!(body(&same), r#"{"name":"x"}"#);
    }

    #[test]
    fn the_media_type_replaces_the_default() {
        let mut sent = request("x");
        sent.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
        Adjust::ContentType("text/plain".to_owned()).apply(&mut sent).unwrap();
        assert_eq!(sent.headers().get_all(CONTENT_TYPE).iter().collect::<Vec<_>>(), ["text/plain"]);
        assert!(Adjust::ContentType("a\nb".to_owned()).apply(&mut sent).is_err());
    }
}
