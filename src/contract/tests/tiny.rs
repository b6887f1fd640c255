//! A small API for the tests of the pipeline and the outer middleware: five operations and their handlers, in the form
//! of generated code.

use std::{
    sync::{Arc, LazyLock, Mutex},
    time::Duration,
};

use poem::{
    EndpointExt, IntoEndpoint,
    http::{HeaderName, HeaderValue},
    test::TestClient,
};
use poem_openapi::{
    ApiResponse, OpenApi, OpenApiService,
    registry::{MetaResponses, MetaSchema, MetaSchemaRef, Registry},
};
use serde::{Deserialize, Serialize};

use crate::{
    contract::*,
    domain::refusal::{Code, Refusal},
};

const SCHEMAS: &str = r##"{"Thing":{"type":"object","required":["text"],"properties":{"text":{"type":"string","maxLength":5},"more":{"type":"string"}}}}"##;
static CONTRACT: LazyLock<Contract> =
    LazyLock::new(|| Contract::compile(&serde_json::from_str(SCHEMAS).expect("JSON")));

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Thing {
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
}

impl Described for Thing {
    fn schema() -> MetaSchemaRef {
        MetaSchemaRef::Reference("Thing".into())
    }
    fn register(registry: &mut Registry) {
        describe_object::<Self>(registry, "Thing", None, |r| {
            vec![Property::new::<String>(r, "text", MetaSchema::ANY)]
        });
    }
}

impl BodySchema for Thing {
    fn rules() -> &'static Schema {
        CONTRACT.schema("Thing")
    }
    fn contract() -> &'static Contract {
        &CONTRACT
    }
}

/// The response of every operation of this API.
#[derive(Debug)]
pub struct Done(Thing);

impl poem::IntoResponse for Done {
    fn into_response(self) -> poem::Response {
        reply::json(200, &self.0)
    }
}

impl ApiResponse for Done {
    fn meta() -> MetaResponses {
        reply::meta(&[ReplyDoc {
            status: Some(200),
            description: "Done.",
            schema: Some(Thing::schema),
            headers: &[],
        }])
    }
    fn register(registry: &mut Registry) {
        Thing::register(registry);
    }
}

error_codes!(Refused of "tiny": Thing, []; UserNotFound);

macro_rules! operation {
    ($name:ident: $principal:ty, $($field:ident = $value:expr),*) => {
        pub struct $name;
        impl OperationType for $name {
            const INFO: &'static OperationInfo = &OperationInfo {
                $($field: $value,)*
                ..PLAIN
            };
        }
        impl Guarded<TestHandlers> for $name {
            type Principal = $principal;
            fn register(_: &mut Registry) {}
        }
    };
}

const PLAIN: OperationInfo =
    OperationInfo { api: "tiny", method: "GET", ..OperationInfo::plain(LimitName::Unlimited) };
const JSON: Option<BodyInfo> = Some(BodyInfo {
    media_types: &["application/json"],
    also: &[],
    required: true,
    description: None,
    lists: &[],
});
const BOTH: Option<BodyInfo> = Some(BodyInfo {
    media_types: &["application/x-www-form-urlencoded"],
    also: &["application/json"],
    required: true,
    description: None,
    lists: &[],
});

operation!(Send: Token, id = "send", method = "POST", path = "/v1/things", schemes = &["token"], scopes = &["write"],
    required_headers = &[("Idempotency-Key", Code::MissingIdempotencyKey)], body = JSON);
operation!(Get: Token, id = "get", path = "/v1/things/{id}", schemes = &["token"]);
operation!(Exchange: App, id = "exchange", method = "POST", path = "/oauth/things", schemes = &["app"], body = BOTH);
operation!(Open: Anyone, id = "open", method = "POST", path = "/open", body = JSON);
operation!(Hidden: Token, id = "hidden", path = "/hidden", schemes = &["token"], sandbox = true);

pub const OPERATIONS: &[&OperationInfo] = &[Send::INFO, Get::INFO, Exchange::INFO, Open::INFO];

macro_rules! parameter {
    ($name:ident: $value:ty => $output:ty, $wire:literal, required $required:literal, $pattern:expr, |$got:ident| $finish:expr) => {
        pub struct $name;
        impl Parameter for $name {
            type Value = $value;
            type Output = $output;
            const REQUIRED: bool = $required;
            fn rules() -> &'static ParamRules {
                static RULES: ParamRules = ParamRules {
                    name: $wire,
                    missing: Code::InvalidRequest,
                    invalid: Code::InvalidRequest,
                    min_length: None,
                    max_length: Some(20),
                    minimum: None,
                    maximum: None,
                    pattern: $pattern,
                };
                &RULES
            }
            fn patch() -> MetaSchema {
                MetaSchema::ANY
            }
            fn finish($got: Option<$value>) -> Result<$output, ()> {
                $finish
            }
        }
    };
}

parameter!(Key: String => String, "Idempotency-Key", required true, Some(Pattern::new("^[!-~]+$")), |v| v.ok_or(()));
parameter!(Id: String => String, "id", required true, None, |v| v.ok_or(()));
parameter!(Limit: Clamped<1, 1000, 200> => u32, "limit", required false, None, |v| Ok(v.unwrap_or_default().get()));
parameter!(Flag: bool => Option<bool>, "flag", required false, None, |v| Ok(v));

/// The type `H` of [`Principal`] and [`Guard`]. It implements the request policy. Unlike the type `H` of a real API, it
/// has no handlers; they are methods of [`Server`]. Headers and the body of a request determine the results of the
/// checks: for example, a request with the header `x-limited` exceeds the rate limit.
#[derive(Default)]
pub struct TestHandlers;

impl RequestPolicy for TestHandlers {
    fn available(&self, operation: &'static OperationInfo) -> bool {
        !operation.sandbox
    }
    async fn before(&self, context: &RequestContext<'_>) -> Result<(), ApiError> {
        match context.request.headers().contains_key("x-before") {
            true => Err(Code::Forbidden.into()),
            false => Ok(()),
        }
    }
    fn body_limits(&self, _: &'static OperationInfo) -> BodyLimits {
        BodyLimits { bytes: 100, time: Duration::from_millis(50) }
    }
    async fn throttle_unauthenticated(&self, context: &RequestContext<'_>) -> Result<(), ApiError> {
        limited(context)
    }
}

fn limited(context: &RequestContext<'_>) -> Result<(), ApiError> {
    answer::header(HeaderName::from_static("ratelimit"), HeaderValue::from_static("\"list\";r=3"));
    match context.request.headers().contains_key("x-limited") {
        true => Err(Refusal::rate_limited(7).into()),
        false => Ok(()),
    }
}

pub struct Token(String);

impl Principal<TestHandlers> for Token {
    async fn authenticate(_: &TestHandlers, context: &RequestContext<'_>) -> Result<Self, ApiError> {
        assert!(context.body.is_none());
        match context.request.header("authorization") {
            None => Err(Code::NotAuthed.into()),
            Some(token) if token == "all" || token == "none" => Ok(Self(token.into())),
            Some(_) => Err(Code::InvalidAuth.into()),
        }
    }
    fn authorize(&self, _: &TestHandlers, context: &RequestContext<'_>) -> Result<(), ApiError> {
        match self.0 == "all" || context.operation.scopes.is_empty() {
            true => Ok(()),
            false => Err(Code::MissingScope.into()),
        }
    }
    async fn throttle(&self, _: &TestHandlers, context: &RequestContext<'_>) -> Result<(), ApiError> {
        limited(context)
    }
}

pub struct App;

impl Principal<TestHandlers> for App {
    const IN_BODY: bool = true;
    async fn authenticate(_: &TestHandlers, context: &RequestContext<'_>) -> Result<Self, ApiError> {
        match context.body_member("client_id") {
            Some("app") => Ok(Self),
            _ => Err(Code::InvalidClient.into()),
        }
    }
}

struct Server;

#[OpenApi]
impl Server {
    #[oai(path = "/v1/things", method = "post")]
    async fn send(
        &self,
        guard: Guard<TestHandlers, Send>,
        _key: HeaderParameter<Key>,
        body: Body<Send, Thing>,
    ) -> Result<Done, OperationError<Refused>> {
        assert_eq!(guard.into_caller().0, "all");
        let more = body.sent.get("unknown").map(ToString::to_string);
        Ok(Done(Thing { more, ..body.value }))
    }
    #[oai(path = "/v1/things/:id", method = "get")]
    async fn get(
        &self,
        _guard: Guard<TestHandlers, Get>,
        id: Path<Id>,
        #[oai(name = "limit")] limit: QueryParameter<Limit>,
        flag: QueryParameter<Flag>,
    ) -> Result<Done, OperationError<Refused>> {
        match id.0.as_str() {
            "panic" => panic!("a handler bug"),
            "none" => Err(Code::UserNotFound.into()),
            "undocumented" => Err(Code::FileNotFound.into()),
            "fault" => Err(OperationError::internal("secret detail")),
            "outage" => Err(OperationError::unavailable("secret detail")),
            "long" => Err(OperationError::because(Refused::UserNotFound, "é".repeat(500))),
            _ => Ok(Done(Thing { text: format!("{} {} {:?}", id.0, limit.0, flag.0), more: None })),
        }
    }
    #[oai(path = "/oauth/things", method = "post")]
    async fn exchange(
        &self,
        _guard: Guard<TestHandlers, Exchange>,
        body: Body<Exchange, Thing>,
    ) -> Result<Done, OperationError<Refused>> {
        Ok(Done(body.value))
    }
    #[oai(path = "/open", method = "post")]
    async fn open(
        &self,
        _guard: Guard<TestHandlers, Open>,
        body: Body<Open, Thing>,
    ) -> Result<Done, OperationError<Refused>> {
        Ok(Done(body.value))
    }
    #[oai(path = "/hidden", method = "get")]
    async fn hidden(&self, _guard: Guard<TestHandlers, Hidden>) -> Result<Done, OperationError<Refused>> {
        Ok(Done(Thing { text: "seen".into(), more: None }))
    }
}

/// The operationId, the status and the error code that the observer recorded for a request.
pub type Recorded = (Option<&'static str>, u16, Option<&'static str>);

#[derive(Default)]
pub struct Notes(pub Mutex<Vec<Recorded>>);

impl Observer for Notes {
    type Seen = ();
    fn random(&self) -> u128 {
        0xABC_DEF0_1234
    }
    fn seen(&self, _: &mut poem::Request) {}
    fn done(&self, answered: &Answered<'_>, (): (), _: &mut poem::Response) {
        let recorded = (answered.operation.map(|operation| operation.id), answered.status, answered.code);
        self.0.lock().expect("no test panics while it holds the lock").push(recorded);
    }
}

pub fn client(notes: Arc<Notes>) -> TestClient<impl poem::Endpoint> {
    let routes = OpenApiService::new(Server, "tiny", "1").into_endpoint().data(Arc::new(TestHandlers));
    TestClient::new(Envelope::new(notes, OPERATIONS.iter().copied()).around(routes))
}
