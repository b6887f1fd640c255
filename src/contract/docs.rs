//! The reference page: Swagger UI with our documents, in one file that asks nobody else for anything.
//!
//! Of the pages that poem-openapi embeds, Scalar and RapiDoc fetch fonts, Redoc has no try-it; Swagger UI's style
//! and script hold all they need once its validator badge is off. The page's policy makes the browser refuse any
//! other host. Events, which Swagger UI would leave out, get a document of their own ([`webhooks`]).

mod webhooks;

use std::collections::HashMap;

use poem::{
    Response,
    endpoint::BoxEndpoint,
    http::{HeaderValue, Method, header},
};
use poem_openapi::{OpenApi, OpenApiService, registry::MetaApi, registry::Registry};

use self::webhooks::webhooks_document;

/// Nothing from elsewhere; try-it calls this host only. Swagger UI sets styles from its script.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
    img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const BODY: &str = r##"<body>
<style>
  body { margin: 0; }
  nav { display: flex; gap: 1rem; padding: .75rem 1.25rem; font: 600 1rem system-ui, sans-serif; background: #1b1b1b; }
  nav a { color: #ddd; text-decoration: none; }
  nav a[aria-current] { color: #fff; border-bottom: 2px solid #fff; }
  /* a document of events alone has no operations, and need not say so */
  .events section.block > h3 { display: none; }
</style>
<nav aria-label="Interfaces"></nav>
<main id="ui"></main>
<script type="application/json" id="documents">{documents}</script>
<script>
  const documents = JSON.parse(document.getElementById('documents').textContent);
  const nav = document.querySelector('nav');
  const show = () => {
    const name = new URLSearchParams(location.search).get('api');
    const chosen = documents.find(d => d.name === name) || documents[0];
    for (const d of documents) {
      const link = document.createElement('a');
      link.href = '?api=' + encodeURIComponent(d.name);
      link.textContent = d.document.info.title;
      if (d === chosen) link.setAttribute('aria-current', 'page');
      nav.append(link);
    }
    // a token is pasted here; Swagger UI would send whoever reads through the whole OAuth flow
    const schemes = chosen.document.components.securitySchemes || {};
    for (const name of Object.keys(schemes).filter(name => schemes[name].type === 'oauth2')) {
      schemes[name] = { type: 'http', scheme: 'bearer', description: schemes[name].description };
      for (const item of Object.values(chosen.document.paths)) {
        for (const operation of Object.values(item)) {
          const scopes = (operation.security || []).flatMap(needed => needed[name] || []);
          if (scopes.length === 0) continue;
          operation.description = (operation.description || '') + '\n\nScope: `' + scopes.join('`, `') + '`';
        }
      }
    }
    // try-it calls the server that shows the page; events go the other way, so they have none
    const events = 'webhooks' in chosen.document;
    if (!events) chosen.document.servers = [{ url: location.origin }];
    document.getElementById('ui').classList.toggle('events', events);
    document.title = chosen.document.info.title;
    SwaggerUIBundle({
      dom_id: '#ui',
      spec: chosen.document,
      deepLinking: true,
      validatorUrl: null,
      persistAuthorization: false,
      tryItOutEnabled: !events,
      supportedSubmitMethods: events ? [] : ['get', 'put', 'post', 'delete', 'head', 'patch'],
      defaultModelsExpandDepth: 0,
    });
  };
  show();
</script>
</body>
</html>
"##;

/// The page, of documents by name (`bot`, `admin`), each as JSON. Make it once; it is 1.6 MB.
///
/// # Panics
/// When a document is not JSON: they are parts of the program.
#[must_use]
pub fn docs_page(documents: &[(&str, &str)]) -> String {
    let mut list = Vec::new();
    for (name, document) in documents {
        list.push(format!(r#"{{"name":{name:?},"document":{document}}}"#));
        let parsed = serde_json::from_str(document).expect("build.rs wrote it as JSON");
        if let Some(events) = webhooks_document(&parsed) {
            list.push(format!(r#"{{"name":{:?},"document":{events}}}"#, format!("{name} events")));
        }
    }
    // inside a script element only `</` and `<!--` could end the text early
    let list = format!("[{}]", list.join(",")).replace('<', "\\u003c");
    let shell = OpenApiService::new(Nothing, "Reference", "1").swagger_ui_html();
    // the script speaks of `</head>` too: the last one is the page's
    let assets = shell.find("<style").zip(shell.rfind("</head>")).map_or("", |(from, to)| &shell[from..to]);
    let head = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <link rel=\"icon\" href=\"data:,\">\n<title>API reference</title>\n";
    format!("{head}{assets}</head>\n{}", BODY.replacen("{documents}", &list, 1))
}

/// The page as an answer.
#[must_use]
pub fn docs_response(page: bytes::Bytes) -> Response {
    let mut response = Response::from(poem::Body::from(page));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A service without routes, for the assets of its page.
struct Nothing;

impl OpenApi for Nothing {
    fn meta() -> Vec<MetaApi> {
        vec![]
    }
    fn register(_: &mut Registry) {}
    fn add_routes(self, _: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::{admin, bot};

    #[test]
    fn the_page_holds_every_document_and_the_events() {
        let page = docs_page(&[("Bot API", bot::DOCUMENT), ("Admin API", admin::DOCUMENT)]);
        let (_, rest) = page.split_once(r#"id="documents">"#).unwrap();
        let (list, _) = rest.split_once("</script>").unwrap();
        let list: serde_json::Value = serde_json::from_str(list).unwrap();
        let names: Vec<_> = list.as_array().unwrap().iter().map(|document| &document["name"]).collect();
        assert_eq!(names, ["Bot API", "Bot API events", "Admin API"]);
        assert!(list[1]["document"]["webhooks"]["directory.changed"]["post"]["description"].is_string());
    }
}
