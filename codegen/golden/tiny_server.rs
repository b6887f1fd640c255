// @generated from openapi/tiny.yaml by codegen/. Do not edit.

//!Server half of `openapi/tiny.yaml`.
#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::allow_attributes_without_reason,
    missing_docs
)]
use std::sync::{Arc, LazyLock};
use poem::Response;
use poem_openapi::{ApiResponse, OpenApi, OpenApiService, Tags};
use poem_openapi::registry::{
    MetaResponses, MetaSchema, MetaSchemaRef, MetaSecurityScheme, Registry,
};
use poem_openapi::types::MaybeUndefined;
use serde::{Deserialize, Serialize};
use crate::contract::{
    Body, BodyInfo, BodyReader, BodySchema, Contract, Described, Dialect, ErrorCode,
    Guard, Guarded, LimitName, OperationError, OperationInfo, OperationType, ParamRules,
    Parameter, Path, Principal, Property, PublishedDocument, ReplyDoc, RequestPolicy,
    Schema, describe_object, enumeration, error_codes, publish, published_schemas, reply,
};
use crate::domain::refusal::Code;
/// The document with null in place of everything that its routes publish.
pub(crate) const PRESENTATION: &str = include_str!("tiny.presentation.json");
/// Title and version of the document.
pub(crate) const HEAD: [&str; 2] = ["Tiny", "1"];
/// Returns the document that the routes publish.
pub fn document<H: Handlers>() -> PublishedDocument {
    publish::<Server<H>>(PRESENTATION, HEAD, types::register)
}
/// The published schemas, ready to check bodies.
pub static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::compile(
    &published_schemas(PRESENTATION, types::register),
));
/// The hand-written document, as JSON.
#[cfg(test)]
pub const SOURCE: &str = include_str!("tiny.json");
/// Every error code of the document with its status, except `client_error` and `server_error`, which may have
/// several statuses.
pub static CODES: &[(Code, u16)] = &[(Code::NotFound, 404u16)];
/// Every operation of the document.
pub static OPERATIONS: &[&OperationInfo] = &[UpdateThing::INFO];
/// The readers of request bodies: one per operation with a body, except those whose handler reads the body.
pub static BODIES: &[BodyReader] = &[BodyReader::of::<UpdateThing, types::Thing>()];
/// The document's schemas.
pub mod types {
    use super::*;
    enumeration! {
        Kind as "Kind", closed, "A kind."; Small = "small", Large = "large"
    }
    /// A thing.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Thing {
        pub kind: Kind,
        /// A note.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub note: MaybeUndefined<String>,
    }
    impl Described for Thing {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Thing".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Thing",
                Some("A thing."),
                |registry| {
                    vec![
                        Property::new:: < Kind > (registry, "kind", MetaSchema::ANY),
                        Property::new:: < MaybeUndefined < String > > (registry, "note",
                        MetaSchema { description : Some("A note."), max_length : Some(5),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// What is wrong.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Problem {
        /// The code.
        pub code: String,
    }
    impl Described for Problem {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Problem".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Problem",
                Some("What is wrong."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "code", MetaSchema {
                        description : Some("The code."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    impl BodySchema for Thing {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("Thing")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    /// Registers every schema of the document, also those that no route uses, such as events.
    pub fn register(registry: &mut Registry) {
        <Kind as Described>::register(registry);
        <Thing as Described>::register(registry);
        <Problem as Described>::register(registry);
    }
    /// Reads a value into the type of a schema and writes it again, for tests of examples.
    #[cfg(test)]
    pub fn round_trip(
        schema: &str,
        value: serde_json::Value,
    ) -> serde_json::Result<serde_json::Value> {
        match schema {
            "Kind" => serde_json::to_value(serde_json::from_value::<Kind>(value)?),
            "Thing" => serde_json::to_value(serde_json::from_value::<Thing>(value)?),
            "Problem" => serde_json::to_value(serde_json::from_value::<Problem>(value)?),
            _ => panic!("no schema {schema}"),
        }
    }
}
#[derive(Tags)]
enum Tag {
    /// Things.
    #[oai(rename = "things")]
    Things,
}
fn register_schemes(registry: &mut Registry) {
    registry
        .create_security_scheme(
            "token",
            MetaSecurityScheme {
                ty: "http",
                description: Some("A token."),
                name: None,
                key_in: None,
                scheme: Some("bearer"),
                bearer_format: None,
                flows: None,
                openid_connect_url: None,
            },
        );
}
/// The callers: one principal per security scheme, authenticated before parameters and body are parsed.
pub trait Security: RequestPolicy {
    /// A token.
    type Token: Principal<Self>;
}
mod shared {
    use super::*;
    pub const NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "There is no such thing.",
        schema: Some(<types::Problem as Described>::schema),
        headers: &[],
    };
}
///The parameter `id`.
pub struct IdParam;
impl Parameter for IdParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "id",
            missing: Code::InvalidRequest,
            invalid: Code::InvalidRequest,
            min_length: None,
            max_length: None,
            minimum: None,
            maximum: None,
            pattern: None,
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema::ANY
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        value.ok_or(())
    }
}
pub struct UpdateThing;
impl OperationType for UpdateThing {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "tiny",
        id: "updateThing",
        method: "PATCH",
        path: "/things/{id}",
        dialect: Dialect::Envelope,
        errors: UpdateThingError::CODES,
        schemes: &["token"],
        scopes: &["things:write"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        ..OperationInfo::plain(LimitName::Edit)
    };
}
impl<H: Security> Guarded<H> for UpdateThing {
    type Principal = H::Token;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct UpdateThingRequest {
    /// The id of the thing.
    pub id: String,
    pub body: types::Thing,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum UpdateThingSuccess {
    /// The thing.
    Status200(types::Thing),
}
impl From<types::Thing> for UpdateThingSuccess {
    fn from(body: types::Thing) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for UpdateThingSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for UpdateThingSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The thing.",
                    schema: Some(<types::Thing as Described>::schema),
                    headers: &[],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::Thing as Described>::register(registry);
    }
}
error_codes! {
    UpdateThingError of "updateThing" : types::Problem, [shared::NOT_FOUND]; NotFound
}
/// Things.
pub trait ThingsHandlers: Security {
    /// Change a thing
    fn update_thing(
        &self,
        caller: Self::Token,
        request: UpdateThingRequest,
    ) -> impl Future<
        Output = Result<UpdateThingSuccess, OperationError<UpdateThingError>>,
    > + Send;
}
/// All handler traits of the document.
pub trait Handlers: ThingsHandlers {}
impl<T: ThingsHandlers> Handlers for T {}
/// The routes of the document over hand-written handlers.
pub struct Server<H>(pub Arc<H>);
#[OpenApi]
impl<H: Handlers> Server<H> {
    ///Change a thing
    #[oai(
        path = "/things/:id",
        method = "patch",
        operation_id = "updateThing",
        tag = "Tag::Things"
    )]
    async fn update_thing(
        &self,
        guard: Guard<H, UpdateThing>,
        ///The id of the thing.
        #[oai(name = "id")]
        id: Path<IdParam>,
        body: Body<UpdateThing, types::Thing>,
    ) -> Result<UpdateThingSuccess, OperationError<UpdateThingError>> {
        self.0
            .update_thing(
                guard.into_caller(),
                UpdateThingRequest {
                    id: id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
}
/// Returns all routes of the document. `handlers` serves them and is attached to each request as poem data.
pub fn routes<H: Handlers>(
    handlers: Arc<H>,
) -> impl poem::Endpoint<Output = Response> + 'static {
    use poem::{EndpointExt, IntoEndpoint};
    let [title, version] = HEAD;
    LazyLock::force(&CONTRACT);
    OpenApiService::new(Server(handlers.clone()), title, version)
        .into_endpoint()
        .data(handlers)
}
