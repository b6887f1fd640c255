//! The OpenAPI documents that the routes publish: `/openapi/*.json`.
//!
//! poem-openapi's registry describes the routes: paths, parameters, bodies, statuses, headers, security and schemas. It
//! cannot express the rest of a document: examples, links, extensions (`x-…`), components other than schemas, and the
//! order of members. The rest is in the presentation (`generated/*.presentation.json`): a copy of the document with
//! null in place of everything that the registry describes. [`publish`] replaces each null by the description in the
//! registry.
//!
//! Where the routes differ from the presentation, the routes take precedence. If an operation returns a shared response
//! in a different form than the first operation that refers to the response, the response is inlined in the later
//! operation. Members that only the routes have are added. A test compares the result byte by byte with
//! `generated/*.json`, which are the hand-written documents as JSON.

use std::{
    collections::{BTreeMap, HashMap},
    marker::PhantomData,
};

use poem::{endpoint::BoxEndpoint, http::Method};
use poem_openapi::{
    OpenApi, OpenApiService,
    registry::{MetaApi, Registry},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{convert::to_3_1, ordered::Ordered};

/// A published document.
#[derive(Debug, PartialEq)]
pub struct PublishedDocument(Ordered);

impl PublishedDocument {
    /// Returns the document as JSON.
    ///
    /// # Panics
    /// Never: writing JSON to memory cannot fail.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(&self.0).expect("JSON has text keys") + "\n"
    }

    /// Returns the document as a JSON value.
    #[must_use]
    pub fn value(&self) -> Value {
        self.0.to_value()
    }

    /// Returns the document converted to OpenAPI 3.1.
    #[must_use]
    pub fn to_3_1(&self) -> Self {
        Self(to_3_1(&self.0))
    }

    /// Sets `servers` to the address of this server, which is known only at run time.
    #[must_use]
    pub fn at(mut self, address: &str) -> Self {
        let server = json!({"url": address, "description": "This server."});
        // `url` before `description`, as in the documents
        let member = |name: &str| (name.to_owned(), Ordered::from(&server[name]));
        let server = Ordered::Object(vec![member("url"), member("description")]);
        self.0.set("servers", Ordered::List(vec![server]));
        self
    }
}

/// Returns the published document of an API. `types` registers all schemas of the API, including schemas that no route
/// uses, such as the schemas of events.
///
/// # Panics
/// If the presentation is not JSON. This cannot happen, because the code generator writes the presentation as JSON.
#[must_use]
pub fn publish<A: OpenApi>(
    presentation: &str,
    [title, version]: [&str; 2],
    types: fn(&mut Registry),
) -> PublishedDocument {
    let presentation: Ordered = serde_json::from_str(presentation).expect("the generator wrote it as JSON");
    let routes = routes_document::<A>([title, version], types);
    PublishedDocument(Filler::new(&presentation).document(&routes))
}

/// Returns poem-openapi's document of an API's routes, with all schemas that `types` registers.
pub(super) fn routes_document<A: OpenApi>([title, version]: [&str; 2], types: fn(&mut Registry)) -> Value {
    let text = OpenApiService::new(Unserved::<A>(PhantomData), title, version).spec();
    let mut document: Value = serde_json::from_str(&text).expect("poem-openapi writes JSON");
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        for (name, schema) in registered(types) {
            schemas.entry(name).or_insert(schema);
        }
    }
    document
}

/// Returns only the published schemas, for [`Contract`](super::Contract).
///
/// # Panics
/// If the presentation is not JSON. This cannot happen, because the code generator writes the presentation as JSON.
#[must_use]
pub fn published_schemas(presentation: &str, types: fn(&mut Registry)) -> Map<String, Value> {
    /// The part of the presentation that is needed here. The whole presentation would take megabytes of memory.
    #[derive(Deserialize)]
    struct Presentation {
        components: Components,
    }
    #[derive(Deserialize)]
    struct Components {
        schemas: Ordered,
    }
    let Presentation { components: Components { schemas } } =
        serde_json::from_str(presentation).expect("the generator wrote it as JSON");
    match Filler::new(&Ordered::Null).parts(&schemas, &Value::Object(registered(types))).to_value() {
        Value::Object(schemas) => schemas,
        _ => Map::new(),
    }
}

fn registered(types: fn(&mut Registry)) -> Map<String, Value> {
    let mut registry = Registry::new();
    types(&mut registry);
    let schemas = registry.schemas.into_iter();
    schemas.map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default())).collect()
}

/// An API whose routes are described but not served, so that it needs no handlers.
struct Unserved<A>(PhantomData<fn() -> A>);

impl<A: OpenApi> OpenApi for Unserved<A> {
    fn meta() -> Vec<MetaApi> {
        A::meta()
    }
    fn register(registry: &mut Registry) {
        A::register(registry);
    }
    fn add_routes(self, _: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {}
}

/// Fills a presentation: replaces its nulls by the registry's descriptions of the routes (`routes`).
pub(super) struct Filler<'a> {
    presentation: &'a Ordered,
    /// The filled components to which references were found, except schemas. The key is the reference to the component,
    /// such as `#/components/responses/NotFound`.
    pub(super) shared: BTreeMap<String, Ordered>,
}

impl<'a> Filler<'a> {
    pub(super) fn new(presentation: &'a Ordered) -> Self {
        Self { presentation, shared: BTreeMap::new() }
    }

    pub(super) fn document(&mut self, routes: &Value) -> Ordered {
        let mut out = self.presentation.clone();
        for (name, part) in self.presentation.members() {
            match name.as_str() {
                "info" => out.set(name, head(part, &routes["info"])),
                "paths" => out.set(name, self.paths(part, &routes["paths"])),
                _ => {}
            }
        }
        // components come last, because an operation that refers to a shared component fills it
        if let Some(components) = self.presentation.get("components") {
            out.set("components", self.components(components, &routes["components"]));
        }
        out
    }

    fn paths(&mut self, paths: &Ordered, routes: &Value) -> Ordered {
        let items = both(paths, routes).map(|(path, item, routes)| {
            let operations = both(item, routes).filter_map(|(method, operation, routes)| {
                let operation = match routes {
                    _ if is_outside(operation) => operation.clone(),
                    Value::Null => return None,
                    routes => self.operation(operation, routes),
                };
                Some((method.to_owned(), operation))
            });
            (path.to_owned(), Ordered::Object(operations.collect()))
        });
        Ordered::Object(items.collect())
    }

    /// Fills an operation. If the operation has no `security` in the presentation, the `security` of the whole document
    /// applies. If the `security` that applies differs from that of the routes, the routes take precedence. The routes
    /// have no security schemes with `x-outside`, so the comparison leaves out alternatives that contain such a scheme.
    pub(super) fn operation(&mut self, operation: &Ordered, routes: &Value) -> Ordered {
        let mut routes = routes.clone();
        let security = routes.as_object_mut().and_then(|members| members.remove("security"));
        let security = security.unwrap_or_else(|| json!([]));
        let mut out = self.fill(operation, &routes, "");
        let declared = operation.get("security").or_else(|| self.presentation.get("security"));
        if declared.is_none_or(|declared| self.without_outside(declared) != security) {
            out.set("security", Ordered::from(&security));
        }
        out
    }

    /// Returns the alternatives of `security`, except those that contain a scheme with `x-outside`.
    fn without_outside(&self, security: &Ordered) -> Value {
        let schemes = self.presentation.get("components").and_then(|parts| parts.get("securitySchemes"));
        let is_served =
            |name: &str| schemes.and_then(|parts| parts.get(name)).is_none_or(|it| !is_outside(it));
        let Ordered::List(alternatives) = security else { return Value::Null };
        let served = alternatives.iter().filter(|it| it.members().iter().all(|(name, _)| is_served(name)));
        served.map(Ordered::to_value).collect()
    }

    fn components(&mut self, components: &Ordered, routes: &Value) -> Ordered {
        let kinds = both(components, routes).map(|(kind, parts, routes)| {
            let parts = match kind {
                "schemas" | "securitySchemes" => self.parts(parts, routes),
                _ => {
                    let reference = |name: &str| format!("#/components/{kind}/{name}");
                    let filled = |(name, part): &(String, Ordered)| {
                        // if no route refers to a component, the component has no nulls and is published unchanged
                        let part = self.shared.get(&reference(name)).unwrap_or(part).clone();
                        (name.clone(), part)
                    };
                    Ordered::Object(parts.members().iter().map(filled).collect())
                }
            };
            (kind.to_owned(), parts)
        });
        Ordered::Object(kinds.collect())
    }

    /// Fills the components of one kind, such as the schemas.
    fn parts(&mut self, parts: &Ordered, routes: &Value) -> Ordered {
        let filled = both(parts, routes).filter_map(|(name, part, routes)| {
            let part = match routes {
                _ if is_outside(part) => part.clone(),
                Value::Null => return None,
                routes => self.fill(part, routes, ""),
            };
            Some((name.to_owned(), part))
        });
        Ordered::Object(filled.collect())
    }

    /// Fills a part of a document. `parent` is the name of the member that contains the part. `parent` is empty for an
    /// item of a list and for the outermost part.
    pub(super) fn fill(&mut self, part: &Ordered, routes: &Value, parent: &str) -> Ordered {
        if let Some(reference) = shared_reference(part) {
            return self.refer(reference, part, routes);
        }
        match (part, routes) {
            (Ordered::Object(members), Value::Object(published)) => {
                let mut out = Vec::new();
                for (name, member) in members {
                    if is_kept(name) && !holds_names(parent) {
                        out.push((name.clone(), member.clone()));
                    } else if let Some(published) = published.get(name) {
                        out.push((name.clone(), self.fill(member, published, name)));
                    }
                }
                let extra = published.iter().filter(|(name, value)| {
                    let is_omitted = is_default(name, value) && !holds_names(parent);
                    !is_omitted && part.get(name).is_none()
                });
                out.extend(extra.map(|(name, value)| (name.clone(), value.into())));
                Ordered::Object(out)
            }
            (Ordered::List(items), Value::Array(published)) if items.len() == published.len() => {
                let pairs = items.iter().zip(published);
                Ordered::List(pairs.map(|(item, published)| self.fill(item, published, "")).collect())
            }
            _ => routes.into(),
        }
    }

    /// Fills the component that a reference names, and returns the reference. If the component was filled differently
    /// for an earlier reference, returns the filled component in place of the reference.
    fn refer(&mut self, reference: &str, part: &Ordered, routes: &Value) -> Ordered {
        let mut path = reference.split('/').skip(1);
        let target = path.try_fold(self.presentation, |node, name| node.get(name));
        let filled = self.fill(target.unwrap_or(&Ordered::Null), routes, "");
        let first = self.shared.entry(reference.to_owned()).or_insert_with(|| filled.clone());
        if *first == filled { part.clone() } else { filled }
    }
}

/// Returns the members of both objects by name. The members of the presentation come first, in its order. Then come the
/// members that only the routes have. If one of the objects lacks a member, null is returned in place of its value.
fn both<'a>(
    presented: &'a Ordered,
    published: &'a Value,
) -> impl Iterator<Item = (&'a str, &'a Ordered, &'a Value)> {
    let presented_members = presented.members().iter();
    let extra = published.as_object().into_iter().flatten();
    let extra = extra.filter(|(name, _)| presented.get(name).is_none());
    presented_members
        .map(|(name, part)| (name.as_str(), part, &published[name.as_str()]))
        .chain(extra.map(|(name, value)| (name.as_str(), &Ordered::Null, value)))
}

/// Fills `info`: members that are null in the presentation get their values from the routes.
fn head(info: &Ordered, routes: &Value) -> Ordered {
    let filled = |(name, member): &(String, Ordered)| match member {
        Ordered::Null => (name.clone(), Ordered::from(&routes[name])),
        member => (name.clone(), member.clone()),
    };
    Ordered::Object(info.members().iter().map(filled).collect())
}

/// Returns whether a part has `x-outside: true`. Operations that generated code does not serve have this member, and so
/// do the components that only these operations use.
fn is_outside(part: &Ordered) -> bool {
    part.get("x-outside") == Some(&Ordered::Bool(true))
}

/// Returns the target of a reference to a component other than a schema; `None` for any other part.
fn shared_reference(part: &Ordered) -> Option<&str> {
    part.get("$ref")?.as_str().filter(|target| !target.starts_with("#/components/schemas/"))
}

/// Returns whether [`Filler::fill`] takes a member from the presentation. The routes do not describe these members,
/// with the exception of `security`, which [`Filler::operation`] compares with the routes.
fn is_kept(member: &str) -> bool {
    matches!(member, "example" | "examples" | "externalDocs" | "links" | "security")
        || member.starts_with("x-")
}

/// Returns whether the value of this member is an object whose member names are chosen by the document and are not
/// keywords of OpenAPI. For instance, `properties` can contain a property with the name `example`.
fn holds_names(member: &str) -> bool {
    matches!(member, "properties" | "schemas" | "headers" | "responses" | "paths" | "mapping" | "scopes")
}

/// Returns whether this member has its default value. poem-openapi writes such members explicitly.
fn is_default(member: &str, value: &Value) -> bool {
    match member {
        "deprecated" | "required" => *value == json!(false),
        "explode" => *value == json!(true),
        _ => false,
    }
}

/// Returns a document in which every reference is inlined, except references to schemas. Of the components, only
/// `schemas` and `securitySchemes` remain.
///
/// # Panics
/// If a reference has no target. Every reference of the three documents has one, which the tests check.
#[must_use]
pub fn resolve(document: &Value) -> Value {
    let mut out = follow(document, document);
    if let Some(components) = out["components"].as_object_mut() {
        components.retain(|name, _| matches!(name.as_str(), "schemas" | "securitySchemes"));
    }
    out
}

fn follow(node: &Value, root: &Value) -> Value {
    match node {
        Value::Object(members) => match members.get("$ref").and_then(Value::as_str) {
            Some(target) if !target.starts_with("#/components/schemas/") => {
                let target = root.pointer(&target[1..]).expect("a reference has a target");
                follow(target, root)
            }
            _ => Value::Object(members.iter().map(|(k, v)| (k.clone(), follow(v, root))).collect()),
        },
        Value::Array(items) => items.iter().map(|v| follow(v, root)).collect(),
        other => other.clone(),
    }
}
