// @generated from openapi/assistant.yaml by build.rs. Do not edit.

//!Server half of `openapi/assistant.yaml`.
#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::allow_attributes_without_reason,
    missing_docs,
    dead_code,
    unused_imports,
    unused_qualifications,
    unused_variables
)]
use std::{collections::BTreeMap, sync::{Arc, LazyLock}};
use poem::Response;
use poem_openapi::{
    ApiResponse, OAuthScopes, OpenApi, OpenApiService, Tags,
    registry::{
        MetaOAuthFlow, MetaOAuthFlows, MetaOAuthScope, MetaResponses, MetaSchema,
        MetaSchemaRef, MetaSecurityScheme, Registry,
    },
    types::MaybeUndefined,
};
use serde::{Deserialize, Serialize};
use crate::{
    contract::{
        Anyone, Body, BodyInfo, BodySchema, Clamped, Contract, Credential, Described,
        Dialect, Door, ErrorCode, Guard, Guarded, Header, HeaderDoc, LimitRow, Nullable,
        OperationInfo, OperationType, ParamRules, ParamValue, Parameter, Path, Pattern,
        Principal, Problem, Property, Query, RawBody, RawRequest, ReplyDoc, Schema,
        constant, describe_object, describe_schema, one_of, patched, reply,
    },
    domain::{refusal::Code, time::Timestamp},
};
/// The document, as JSON.
pub const DOCUMENT: &str = include_str!("assistant.json");
/// The document's schemas, ready to check bodies.
pub static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::compile(DOCUMENT));
/// Every error code of the document with its status.
pub static CODES: &[(Code, u16)] = &[
    (Code::InvalidClient, 401u16),
    (Code::InvalidClientMetadata, 400u16),
    (Code::InvalidGrant, 400u16),
    (Code::InvalidRedirectUri, 400u16),
    (Code::InvalidRequest, 400u16),
    (Code::InvalidScope, 400u16),
    (Code::InvalidTarget, 400u16),
    (Code::RequestTooLarge, 413u16),
    (Code::SlowDown, 429u16),
    (Code::UnsupportedGrantType, 400u16),
];
/// Every operation of the document.
pub static OPERATIONS: &[&OperationInfo] = &[
    GetProtectedResource::INFO,
    GetMcpResource::INFO,
    GetReadonlyResource::INFO,
    GetAuthorizationServer::INFO,
    RegisterClient::INFO,
    ExchangeGrant::INFO,
    RevokeConnection::INFO,
];
/// The document's schemas.
pub mod types {
    use super::*;
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct OAuthError {
        /// The error code. Treat an unknown one by its status.
        pub error: String,
        /// What was wrong, for people, in ASCII.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub error_description: Option<String>,
    }
    impl Described for OAuthError {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("OAuthError".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "OAuthError",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "error", MetaSchema {
                        description :
                        Some("The error code. Treat an unknown one by its status."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "error_description", MetaSchema { description :
                        Some("What was wrong, for people, in ASCII."), ..MetaSchema::ANY
                        })
                    ]
                },
            );
        }
    }
    /// No members.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Nothing {}
    impl Described for Nothing {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Nothing".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(registry, "Nothing", Some("No members."), |registry| vec![]);
        }
    }
    /// How a client authenticates.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum AuthMethod {
        #[serde(rename = "none")]
        None,
        #[serde(rename = "client_secret_basic")]
        ClientSecretBasic,
        #[serde(rename = "client_secret_post")]
        ClientSecretPost,
    }
    impl AuthMethod {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[
            Self::None,
            Self::ClientSecretBasic,
            Self::ClientSecretPost,
        ];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::None => "none",
                Self::ClientSecretBasic => "client_secret_basic",
                Self::ClientSecretPost => "client_secret_post",
            }
        }
    }
    impl Described for AuthMethod {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AuthMethod".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "AuthMethod",
                |_| MetaSchema {
                    description: Some("How a client authenticates."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for AuthMethod {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// A way to get tokens.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum GrantType {
        #[serde(rename = "authorization_code")]
        AuthorizationCode,
        #[serde(rename = "refresh_token")]
        RefreshToken,
    }
    impl GrantType {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::AuthorizationCode, Self::RefreshToken];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::AuthorizationCode => "authorization_code",
                Self::RefreshToken => "refresh_token",
            }
        }
    }
    impl Described for GrantType {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("GrantType".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "GrantType",
                |_| MetaSchema {
                    description: Some("A way to get tokens."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for GrantType {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// What an authorization gives.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum ResponseType {
        #[serde(rename = "code")]
        Code,
    }
    impl ResponseType {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Code];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Code => "code",
            }
        }
    }
    impl Described for ResponseType {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ResponseType".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "ResponseType",
                |_| MetaSchema {
                    description: Some("What an authorization gives."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for ResponseType {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// A way to derive a PKCE challenge.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum ChallengeMethod {
        #[serde(rename = "S256")]
        S256,
    }
    impl ChallengeMethod {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::S256];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::S256 => "S256",
            }
        }
    }
    impl Described for ChallengeMethod {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ChallengeMethod".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "ChallengeMethod",
                |_| MetaSchema {
                    description: Some("A way to derive a PKCE challenge."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for ChallengeMethod {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// A way to send a token.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum BearerMethod {
        #[serde(rename = "header")]
        Header,
    }
    impl BearerMethod {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Header];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Header => "header",
            }
        }
    }
    impl Described for BearerMethod {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("BearerMethod".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "BearerMethod",
                |_| MetaSchema {
                    description: Some("A way to send a token."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for BearerMethod {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// A right of a connection.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum AssistantScope {
        #[serde(rename = "service:read")]
        ServiceRead,
        #[serde(rename = "service:write")]
        ServiceWrite,
    }
    impl AssistantScope {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::ServiceRead, Self::ServiceWrite];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::ServiceRead => "service:read",
                Self::ServiceWrite => "service:write",
            }
        }
    }
    impl Described for AssistantScope {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AssistantScope".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "AssistantScope",
                |_| MetaSchema {
                    description: Some("A right of a connection."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for AssistantScope {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    constant!(True = bool true; as "True", Some("Always true."));
    /// RFC 9728.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ProtectedResource {
        /// The resource's own URL.
        pub resource: String,
        /// The issuer, alone.
        pub authorization_servers: Vec<String>,
        pub scopes_supported: Vec<AssistantScope>,
        pub bearer_methods_supported: Vec<BearerMethod>,
        /// The service's name.
        pub resource_name: String,
        /// A page for developers.
        pub resource_documentation: String,
    }
    impl Described for ProtectedResource {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ProtectedResource".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ProtectedResource",
                Some("RFC 9728."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "resource", MetaSchema {
                        description : Some("The resource's own URL."), ..MetaSchema::ANY
                        }), Property::new:: < Vec < String > > (registry,
                        "authorization_servers", MetaSchema { description :
                        Some("The issuer, alone."), ..MetaSchema::ANY }), Property::new::
                        < Vec < AssistantScope > > (registry, "scopes_supported",
                        MetaSchema::ANY), Property::new:: < Vec < BearerMethod > >
                        (registry, "bearer_methods_supported", MetaSchema::ANY),
                        Property::new:: < String > (registry, "resource_name", MetaSchema
                        { description : Some("The service's name."), ..MetaSchema::ANY
                        }), Property::new:: < String > (registry,
                        "resource_documentation", MetaSchema { description :
                        Some("A page for developers."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// RFC 8414.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AuthorizationServer {
        /// Compare it with `iss`, as a text.
        pub issuer: String,
        pub authorization_endpoint: String,
        pub token_endpoint: String,
        pub registration_endpoint: String,
        pub revocation_endpoint: String,
        pub response_types_supported: Vec<ResponseType>,
        pub grant_types_supported: Vec<GrantType>,
        pub code_challenge_methods_supported: Vec<ChallengeMethod>,
        pub token_endpoint_auth_methods_supported: Vec<AuthMethod>,
        pub revocation_endpoint_auth_methods_supported: Vec<AuthMethod>,
        pub scopes_supported: Vec<AssistantScope>,
        pub client_id_metadata_document_supported: True,
        pub authorization_response_iss_parameter_supported: True,
        /// A page for developers.
        pub service_documentation: String,
    }
    impl Described for AuthorizationServer {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AuthorizationServer".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AuthorizationServer",
                Some("RFC 8414."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "issuer", MetaSchema {
                        description : Some("Compare it with `iss`, as a text."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "authorization_endpoint", MetaSchema::ANY), Property::new:: <
                        String > (registry, "token_endpoint", MetaSchema::ANY),
                        Property::new:: < String > (registry, "registration_endpoint",
                        MetaSchema::ANY), Property::new:: < String > (registry,
                        "revocation_endpoint", MetaSchema::ANY), Property::new:: < Vec <
                        ResponseType > > (registry, "response_types_supported",
                        MetaSchema::ANY), Property::new:: < Vec < GrantType > >
                        (registry, "grant_types_supported", MetaSchema::ANY),
                        Property::new:: < Vec < ChallengeMethod > > (registry,
                        "code_challenge_methods_supported", MetaSchema::ANY),
                        Property::new:: < Vec < AuthMethod > > (registry,
                        "token_endpoint_auth_methods_supported", MetaSchema::ANY),
                        Property::new:: < Vec < AuthMethod > > (registry,
                        "revocation_endpoint_auth_methods_supported", MetaSchema::ANY),
                        Property::new:: < Vec < AssistantScope > > (registry,
                        "scopes_supported", MetaSchema::ANY), Property::new:: < True >
                        (registry, "client_id_metadata_document_supported",
                        MetaSchema::ANY), Property::new:: < True > (registry,
                        "authorization_response_iss_parameter_supported",
                        MetaSchema::ANY), Property::new:: < String > (registry,
                        "service_documentation", MetaSchema { description :
                        Some("A page for developers."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// What a client says of itself. Unknown members are ignored. The eight from `logo_uri` on have together at most 4096 bytes as compact JSON; they are kept, and neither fetched nor shown.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClientMetadata {
        /// Printable characters, without a space at either end. It must not contain the service's name, its maker's name, or the words admin, system and support, nor what looks like them.
        pub client_name: String,
        /// Where codes may go.
        pub redirect_uris: Vec<String>,
        /// Both when absent. `authorization_code` must be among them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub grant_types: Option<Vec<GrantType>>,
        /// Always `["code"]`, also when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub response_types: Option<Vec<ResponseType>>,
        /// `client_secret_basic` when absent. The two secret methods give a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub token_endpoint_auth_method: Option<AuthMethod>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub logo_uri: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_uri: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tos_uri: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub policy_uri: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub contacts: Option<Vec<String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scope: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub software_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub software_version: Option<String>,
    }
    impl Described for ClientMetadata {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ClientMetadata".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ClientMetadata",
                Some(
                    "What a client says of itself. Unknown members are ignored. The eight from `logo_uri` on have together at most 4096 bytes as compact JSON; they are kept, and neither fetched nor shown.",
                ),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "client_name", MetaSchema {
                        description :
                        Some("Printable characters, without a space at either end. It must not contain the service's name, its maker's name, or the words admin, system and support, nor what looks like them."),
                        min_length : Some(1), max_length : Some(100), ..MetaSchema::ANY
                        }), Property::new:: < Vec < String > > (registry,
                        "redirect_uris", MetaSchema { description :
                        Some("Where codes may go."), min_items : Some(1), max_items :
                        Some(5), ..MetaSchema::ANY }), Property::new:: < Option < Vec <
                        GrantType > > > (registry, "grant_types", MetaSchema {
                        description :
                        Some("Both when absent. `authorization_code` must be among them."),
                        min_items : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        Option < Vec < ResponseType > > > (registry, "response_types",
                        MetaSchema { description :
                        Some("Always `[\"code\"]`, also when absent."), min_items :
                        Some(1), max_items : Some(1), ..MetaSchema::ANY }),
                        Property::new:: < Option < AuthMethod > > (registry,
                        "token_endpoint_auth_method", MetaSchema { description :
                        Some("`client_secret_basic` when absent. The two secret methods give a secret."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "logo_uri", MetaSchema::ANY), Property::new:: < Option
                        < String > > (registry, "client_uri", MetaSchema::ANY),
                        Property::new:: < Option < String > > (registry, "tos_uri",
                        MetaSchema::ANY), Property::new:: < Option < String > >
                        (registry, "policy_uri", MetaSchema::ANY), Property::new:: <
                        Option < Vec < String > > > (registry, "contacts",
                        MetaSchema::ANY), Property::new:: < Option < String > >
                        (registry, "scope", MetaSchema::ANY), Property::new:: < Option <
                        String > > (registry, "software_id", MetaSchema::ANY),
                        Property::new:: < Option < String > > (registry,
                        "software_version", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClientRegistration {
        /// Begins with `mcpc_`.
        pub client_id: String,
        /// Seconds since 1970.
        pub client_id_issued_at: i64,
        /// Shown this once; absent for a public client.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_secret: Option<String>,
        /// 0, which means never; there with a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_secret_expires_at: Option<i64>,
        /// In Unicode normal form C.
        pub client_name: String,
        pub redirect_uris: Vec<String>,
        pub grant_types: Vec<GrantType>,
        pub response_types: Vec<ResponseType>,
        pub token_endpoint_auth_method: AuthMethod,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub logo_uri: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_uri: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tos_uri: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub policy_uri: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub contacts: Option<Vec<String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scope: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub software_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub software_version: Option<String>,
    }
    impl Described for ClientRegistration {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ClientRegistration".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ClientRegistration",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "client_id", MetaSchema {
                        description : Some("Begins with `mcpc_`."), ..MetaSchema::ANY }),
                        Property::new:: < i64 > (registry, "client_id_issued_at",
                        MetaSchema { description : Some("Seconds since 1970."), format :
                        Some("int64"), ..MetaSchema::ANY }), Property::new:: < Option <
                        String > > (registry, "client_secret", MetaSchema { description :
                        Some("Shown this once; absent for a public client."),
                        ..MetaSchema::ANY }), Property::new:: < Option < i64 > >
                        (registry, "client_secret_expires_at", MetaSchema { description :
                        Some("0, which means never; there with a secret."), format :
                        Some("int64"), ..MetaSchema::ANY }), Property::new:: < String >
                        (registry, "client_name", MetaSchema { description :
                        Some("In Unicode normal form C."), ..MetaSchema::ANY }),
                        Property::new:: < Vec < String > > (registry, "redirect_uris",
                        MetaSchema::ANY), Property::new:: < Vec < GrantType > >
                        (registry, "grant_types", MetaSchema::ANY), Property::new:: < Vec
                        < ResponseType > > (registry, "response_types", MetaSchema::ANY),
                        Property::new:: < AuthMethod > (registry,
                        "token_endpoint_auth_method", MetaSchema::ANY), Property::new:: <
                        Option < String > > (registry, "logo_uri", MetaSchema::ANY),
                        Property::new:: < Option < String > > (registry, "client_uri",
                        MetaSchema::ANY), Property::new:: < Option < String > >
                        (registry, "tos_uri", MetaSchema::ANY), Property::new:: < Option
                        < String > > (registry, "policy_uri", MetaSchema::ANY),
                        Property::new:: < Option < Vec < String > > > (registry,
                        "contacts", MetaSchema::ANY), Property::new:: < Option < String >
                        > (registry, "scope", MetaSchema::ANY), Property::new:: < Option
                        < String > > (registry, "software_id", MetaSchema::ANY),
                        Property::new:: < Option < String > > (registry,
                        "software_version", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct GrantRequest {
        /// `authorization_code` or `refresh_token`.
        pub grant_type: String,
        /// With `authorization_code`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub code: Option<String>,
        /// With `authorization_code`; 43 to 128 characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub code_verifier: Option<String>,
        /// With `authorization_code`; the same as at `/authorize`, port included.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub redirect_uri: Option<String>,
        /// With `refresh_token`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub refresh_token: Option<String>,
        /// With `refresh_token`; scopes parted by spaces, all of the grant's when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scope: Option<String>,
        /// The grant's resource.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub resource: Option<String>,
        /// Of a client that does not use HTTP Basic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_id: Option<String>,
        /// Of a client with a secret that does not use HTTP Basic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_secret: Option<String>,
    }
    impl Described for GrantRequest {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("GrantRequest".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "GrantRequest",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "grant_type", MetaSchema {
                        description : Some("`authorization_code` or `refresh_token`."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "code", MetaSchema { description :
                        Some("With `authorization_code`."), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "code_verifier",
                        MetaSchema { description :
                        Some("With `authorization_code`; 43 to 128 characters."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "redirect_uri", MetaSchema { description :
                        Some("With `authorization_code`; the same as at `/authorize`, port included."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "refresh_token", MetaSchema { description :
                        Some("With `refresh_token`."), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "scope",
                        MetaSchema { description :
                        Some("With `refresh_token`; scopes parted by spaces, all of the grant's when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "resource", MetaSchema { description :
                        Some("The grant's resource."), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "client_id",
                        MetaSchema { description :
                        Some("Of a client that does not use HTTP Basic."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "client_secret", MetaSchema { description :
                        Some("Of a client with a secret that does not use HTTP Basic."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct RevocationRequest {
        /// An access or refresh token.
        pub token: String,
        /// Ignored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub token_type_hint: Option<String>,
        /// Of a client that does not use HTTP Basic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_id: Option<String>,
        /// Of a client with a secret that does not use HTTP Basic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_secret: Option<String>,
    }
    impl Described for RevocationRequest {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("RevocationRequest".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "RevocationRequest",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "token", MetaSchema {
                        description : Some("An access or refresh token."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "token_type_hint", MetaSchema { description :
                        Some("Ignored."), ..MetaSchema::ANY }), Property::new:: < Option
                        < String > > (registry, "client_id", MetaSchema { description :
                        Some("Of a client that does not use HTTP Basic."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "client_secret", MetaSchema { description :
                        Some("Of a client with a secret that does not use HTTP Basic."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// How the token is sent.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum TokenType {
        #[serde(rename = "Bearer")]
        Bearer,
    }
    impl TokenType {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Bearer];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Bearer => "Bearer",
            }
        }
    }
    impl Described for TokenType {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("TokenType".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "TokenType",
                |_| MetaSchema {
                    description: Some("How the token is sent."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for TokenType {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Tokens {
        /// `svc_mcp_at_live_…`, or `svc_mcp_at_test_…` outside production.
        pub access_token: String,
        pub token_type: TokenType,
        /// Seconds, 3600.
        pub expires_in: i64,
        /// `svc_mcp_rt_live_…`, or `svc_mcp_rt_test_…` outside production.
        pub refresh_token: String,
        /// Scopes of the access token, parted by spaces.
        pub scope: String,
    }
    impl Described for Tokens {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Tokens".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Tokens",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "access_token", MetaSchema
                        { description :
                        Some("`svc_mcp_at_live_…`, or `svc_mcp_at_test_…` outside production."),
                        ..MetaSchema::ANY }), Property::new:: < TokenType > (registry,
                        "token_type", MetaSchema::ANY), Property::new:: < i64 >
                        (registry, "expires_in", MetaSchema { description :
                        Some("Seconds, 3600."), format : Some("int64"), ..MetaSchema::ANY
                        }), Property::new:: < String > (registry, "refresh_token",
                        MetaSchema { description :
                        Some("`svc_mcp_rt_live_…`, or `svc_mcp_rt_test_…` outside production."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "scope", MetaSchema { description :
                        Some("Scopes of the access token, parted by spaces."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    impl BodySchema for ClientMetadata {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("ClientMetadata")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for GrantRequest {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("GrantRequest")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for RevocationRequest {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("RevocationRequest")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    /// Registers every schema of the document, also those that no route uses, such as events.
    pub fn register(registry: &mut Registry) {
        <OAuthError as Described>::register(registry);
        <Nothing as Described>::register(registry);
        <AuthMethod as Described>::register(registry);
        <GrantType as Described>::register(registry);
        <ResponseType as Described>::register(registry);
        <ChallengeMethod as Described>::register(registry);
        <BearerMethod as Described>::register(registry);
        <AssistantScope as Described>::register(registry);
        <True as Described>::register(registry);
        <ProtectedResource as Described>::register(registry);
        <AuthorizationServer as Described>::register(registry);
        <ClientMetadata as Described>::register(registry);
        <ClientRegistration as Described>::register(registry);
        <GrantRequest as Described>::register(registry);
        <RevocationRequest as Described>::register(registry);
        <TokenType as Described>::register(registry);
        <Tokens as Described>::register(registry);
    }
    /// Reads a value into the type of a schema and writes it again, for tests of examples.
    #[cfg(test)]
    pub fn round_trip(
        schema: &str,
        value: serde_json::Value,
    ) -> serde_json::Result<serde_json::Value> {
        match schema {
            "OAuthError" => {
                serde_json::to_value(serde_json::from_value::<OAuthError>(value)?)
            }
            "Nothing" => serde_json::to_value(serde_json::from_value::<Nothing>(value)?),
            "AuthMethod" => {
                serde_json::to_value(serde_json::from_value::<AuthMethod>(value)?)
            }
            "GrantType" => {
                serde_json::to_value(serde_json::from_value::<GrantType>(value)?)
            }
            "ResponseType" => {
                serde_json::to_value(serde_json::from_value::<ResponseType>(value)?)
            }
            "ChallengeMethod" => {
                serde_json::to_value(serde_json::from_value::<ChallengeMethod>(value)?)
            }
            "BearerMethod" => {
                serde_json::to_value(serde_json::from_value::<BearerMethod>(value)?)
            }
            "AssistantScope" => {
                serde_json::to_value(serde_json::from_value::<AssistantScope>(value)?)
            }
            "True" => serde_json::to_value(serde_json::from_value::<True>(value)?),
            "ProtectedResource" => {
                serde_json::to_value(serde_json::from_value::<ProtectedResource>(value)?)
            }
            "AuthorizationServer" => {
                serde_json::to_value(
                    serde_json::from_value::<AuthorizationServer>(value)?,
                )
            }
            "ClientMetadata" => {
                serde_json::to_value(serde_json::from_value::<ClientMetadata>(value)?)
            }
            "ClientRegistration" => {
                serde_json::to_value(
                    serde_json::from_value::<ClientRegistration>(value)?,
                )
            }
            "GrantRequest" => {
                serde_json::to_value(serde_json::from_value::<GrantRequest>(value)?)
            }
            "RevocationRequest" => {
                serde_json::to_value(serde_json::from_value::<RevocationRequest>(value)?)
            }
            "TokenType" => {
                serde_json::to_value(serde_json::from_value::<TokenType>(value)?)
            }
            "Tokens" => serde_json::to_value(serde_json::from_value::<Tokens>(value)?),
            _ => panic!("no schema {schema}"),
        }
    }
}
#[derive(Tags)]
enum Tag {
    /// What there is and where, for clients that know only the host.
    #[oai(rename = "metadata")]
    Metadata,
    /// Dynamic registration of clients.
    #[oai(rename = "clients")]
    Clients,
    /// Where the employee decides, in a browser.
    #[oai(rename = "authorization")]
    Authorization,
    /// Get, refresh and give up tokens.
    #[oai(rename = "tokens")]
    Tokens,
    /// What the tokens are for.
    #[oai(rename = "mcp")]
    Mcp,
}
fn register_schemes(registry: &mut Registry) {
    registry
        .create_security_scheme(
            "client",
            MetaSecurityScheme {
                ty: "http",
                description: Some(
                    "Client id and client secret, form-encoded, as user name and password of HTTP Basic. The body members `client_id` and `client_secret` do in place of the header; when both are sent, the header counts. A public client sends `client_id` in the body and nothing else.",
                ),
                name: None,
                key_in: None,
                scheme: Some("basic"),
                bearer_format: None,
                flows: None,
                openid_connect_url: None,
            },
        );
}
/// Who may call: one principal per security scheme, read from a request before anything of it is parsed.
pub trait Security: Door {
    /// Client id and client secret, form-encoded, as user name and password of HTTP Basic. The body members `client_id` and `client_secret` do in place of the header; when both are sent, the header counts. A public client sends `client_id` in the body and nothing else.
    type Client: Principal<Self>;
}
mod shared {
    use super::*;
    pub const HEADER_ANY_ORIGIN: HeaderDoc = HeaderDoc {
        description: Some("Always `*`."),
        required: true,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_BASIC_CHALLENGE: HeaderDoc = HeaderDoc {
        description: Some("The way to authenticate."),
        required: true,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_METADATA_CACHE_CONTROL: HeaderDoc = HeaderDoc {
        description: Some("Always `public, max-age=300`."),
        required: true,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_NO_STORE: HeaderDoc = HeaderDoc {
        description: Some("Always `no-store`."),
        required: true,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_REQUEST_ID: HeaderDoc = HeaderDoc {
        description: Some("Id of this request."),
        required: true,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_RETRY_AFTER: HeaderDoc = HeaderDoc {
        description: Some("Seconds to wait."),
        required: true,
        schema: || patched(<i64 as Described>::schema(), MetaSchema::ANY),
    };
    pub const INVALID_CLIENT: ReplyDoc = ReplyDoc {
        status: 401,
        description: "The client is unknown, or its secret is wrong, missing, or one it does not have.",
        schema: Some(<types::OAuthError as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_NO_STORE),
            ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
            ("WWW-Authenticate", shared::HEADER_BASIC_CHALLENGE),
        ],
    };
    pub const PROTECTED_RESOURCE: ReplyDoc = ReplyDoc {
        status: 200,
        description: "The metadata.",
        schema: Some(<types::ProtectedResource as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_METADATA_CACHE_CONTROL),
            ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
        ],
    };
    pub const REQUEST_TOO_LARGE: ReplyDoc = ReplyDoc {
        status: 413,
        description: "The body is over 1 048 576 bytes.",
        schema: Some(<types::OAuthError as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_NO_STORE),
            ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
        ],
    };
    pub const SERVER_ERROR: ReplyDoc = ReplyDoc {
        status: 500,
        description: "A fault of the server.",
        schema: Some(<types::OAuthError as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_NO_STORE),
            ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
        ],
    };
    pub const SLOW_DOWN: ReplyDoc = ReplyDoc {
        status: 429,
        description: "Over a limit.",
        schema: Some(<types::OAuthError as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_NO_STORE),
            ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
            ("Retry-After", shared::HEADER_RETRY_AFTER),
        ],
    };
}
/// Protected resource metadata of the host
pub struct GetProtectedResource;
impl OperationType for GetProtectedResource {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "getProtectedResource",
        method: "GET",
        path: "/.well-known/oauth-protected-resource",
        tag: "metadata",
        dialect: Dialect::Oauth,
        schemes: &[],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[],
        limit: LimitRow::Unlimited,
        sandbox: false,
        raw: false,
        errors: &[Code::ServerError],
    };
}
impl<H: Security> Guarded<H> for GetProtectedResource {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Protected resource metadata of the host
#[derive(Debug)]
pub struct GetProtectedResourceRequest {}
///How `getProtectedResource` succeeds.
#[derive(Debug)]
pub enum GetProtectedResourceSuccess {
    /// The metadata.
    Status200(types::ProtectedResource),
}
impl From<types::ProtectedResource> for GetProtectedResourceSuccess {
    fn from(body: types::ProtectedResource) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for GetProtectedResourceSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for GetProtectedResourceSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 200,
                    description: "The metadata.",
                    schema: Some(<types::ProtectedResource as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_METADATA_CACHE_CONTROL),
                        ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ProtectedResource as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetProtectedResourceError {
    ServerError,
}
impl ErrorCode for GetProtectedResourceError {
    type Schema = types::OAuthError;
    const OPERATION: &'static str = "getProtectedResource";
    const REPLIES: &'static [ReplyDoc] = &[shared::SERVER_ERROR];
    fn code(self) -> Code {
        match self {
            Self::ServerError => Code::ServerError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::ServerError => Some(Self::ServerError),
            _ => None,
        }
    }
}
/// Protected resource metadata of /mcp
pub struct GetMcpResource;
impl OperationType for GetMcpResource {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "getMcpResource",
        method: "GET",
        path: "/.well-known/oauth-protected-resource/mcp",
        tag: "metadata",
        dialect: Dialect::Oauth,
        schemes: &[],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[],
        limit: LimitRow::Unlimited,
        sandbox: false,
        raw: false,
        errors: &[Code::ServerError],
    };
}
impl<H: Security> Guarded<H> for GetMcpResource {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Protected resource metadata of /mcp
#[derive(Debug)]
pub struct GetMcpResourceRequest {}
///How `getMcpResource` succeeds.
#[derive(Debug)]
pub enum GetMcpResourceSuccess {
    /// The metadata.
    Status200(types::ProtectedResource),
}
impl From<types::ProtectedResource> for GetMcpResourceSuccess {
    fn from(body: types::ProtectedResource) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for GetMcpResourceSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for GetMcpResourceSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 200,
                    description: "The metadata.",
                    schema: Some(<types::ProtectedResource as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_METADATA_CACHE_CONTROL),
                        ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ProtectedResource as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetMcpResourceError {
    ServerError,
}
impl ErrorCode for GetMcpResourceError {
    type Schema = types::OAuthError;
    const OPERATION: &'static str = "getMcpResource";
    const REPLIES: &'static [ReplyDoc] = &[shared::SERVER_ERROR];
    fn code(self) -> Code {
        match self {
            Self::ServerError => Code::ServerError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::ServerError => Some(Self::ServerError),
            _ => None,
        }
    }
}
/// Protected resource metadata of /mcp/readonly
pub struct GetReadonlyResource;
impl OperationType for GetReadonlyResource {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "getReadonlyResource",
        method: "GET",
        path: "/.well-known/oauth-protected-resource/mcp/readonly",
        tag: "metadata",
        dialect: Dialect::Oauth,
        schemes: &[],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[],
        limit: LimitRow::Unlimited,
        sandbox: false,
        raw: false,
        errors: &[Code::ServerError],
    };
}
impl<H: Security> Guarded<H> for GetReadonlyResource {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Protected resource metadata of /mcp/readonly
#[derive(Debug)]
pub struct GetReadonlyResourceRequest {}
///How `getReadonlyResource` succeeds.
#[derive(Debug)]
pub enum GetReadonlyResourceSuccess {
    /// The metadata.
    Status200(types::ProtectedResource),
}
impl From<types::ProtectedResource> for GetReadonlyResourceSuccess {
    fn from(body: types::ProtectedResource) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for GetReadonlyResourceSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for GetReadonlyResourceSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 200,
                    description: "The metadata.",
                    schema: Some(<types::ProtectedResource as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_METADATA_CACHE_CONTROL),
                        ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ProtectedResource as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetReadonlyResourceError {
    ServerError,
}
impl ErrorCode for GetReadonlyResourceError {
    type Schema = types::OAuthError;
    const OPERATION: &'static str = "getReadonlyResource";
    const REPLIES: &'static [ReplyDoc] = &[shared::SERVER_ERROR];
    fn code(self) -> Code {
        match self {
            Self::ServerError => Code::ServerError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::ServerError => Some(Self::ServerError),
            _ => None,
        }
    }
}
/// Authorization server metadata
pub struct GetAuthorizationServer;
impl OperationType for GetAuthorizationServer {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "getAuthorizationServer",
        method: "GET",
        path: "/.well-known/oauth-authorization-server",
        tag: "metadata",
        dialect: Dialect::Oauth,
        schemes: &[],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[],
        limit: LimitRow::Unlimited,
        sandbox: false,
        raw: false,
        errors: &[Code::ServerError],
    };
}
impl<H: Security> Guarded<H> for GetAuthorizationServer {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Authorization server metadata
#[derive(Debug)]
pub struct GetAuthorizationServerRequest {}
///How `getAuthorizationServer` succeeds.
#[derive(Debug)]
pub enum GetAuthorizationServerSuccess {
    /// The metadata.
    Status200(types::AuthorizationServer),
}
impl From<types::AuthorizationServer> for GetAuthorizationServerSuccess {
    fn from(body: types::AuthorizationServer) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for GetAuthorizationServerSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for GetAuthorizationServerSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 200,
                    description: "The metadata.",
                    schema: Some(<types::AuthorizationServer as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_METADATA_CACHE_CONTROL),
                        ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::AuthorizationServer as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetAuthorizationServerError {
    ServerError,
}
impl ErrorCode for GetAuthorizationServerError {
    type Schema = types::OAuthError;
    const OPERATION: &'static str = "getAuthorizationServer";
    const REPLIES: &'static [ReplyDoc] = &[shared::SERVER_ERROR];
    fn code(self) -> Code {
        match self {
            Self::ServerError => Code::ServerError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::ServerError => Some(Self::ServerError),
            _ => None,
        }
    }
}
/// Register a client
pub struct RegisterClient;
impl OperationType for RegisterClient {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "registerClient",
        method: "POST",
        path: "/register",
        tag: "clients",
        dialect: Dialect::Oauth,
        schemes: &[],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json", "application/x-www-form-urlencoded"],
            required: true,
            description: None,
            lists: &["redirect_uris", "grant_types", "response_types", "contacts"],
        }),
        credentials: &[],
        limit: LimitRow::Register,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidRedirectUri,
            Code::InvalidClientMetadata,
            Code::RequestTooLarge,
            Code::SlowDown,
            Code::ServerError,
        ],
    };
}
impl<H: Security> Guarded<H> for RegisterClient {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Register a client
#[derive(Debug)]
pub struct RegisterClientRequest {
    pub body: types::ClientMetadata,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `registerClient` succeeds.
#[derive(Debug)]
pub enum RegisterClientSuccess {
    /// The client as it was registered. Its secret is shown this once.
    Status201(types::ClientRegistration),
}
impl From<types::ClientRegistration> for RegisterClientSuccess {
    fn from(body: types::ClientRegistration) -> Self {
        Self::Status201(body)
    }
}
impl poem::IntoResponse for RegisterClientSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201(body) => reply::json(201, &body),
        }
    }
}
impl ApiResponse for RegisterClientSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 201,
                    description: "The client as it was registered. Its secret is shown this once.",
                    schema: Some(<types::ClientRegistration as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_NO_STORE),
                        ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ClientRegistration as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterClientError {
    InvalidRequest,
    InvalidRedirectUri,
    InvalidClientMetadata,
    RequestTooLarge,
    SlowDown,
    ServerError,
}
impl ErrorCode for RegisterClientError {
    type Schema = types::OAuthError;
    const OPERATION: &'static str = "registerClient";
    const REPLIES: &'static [ReplyDoc] = &[
        ReplyDoc {
            status: 400,
            description: "The registration is refused.",
            schema: Some(<types::OAuthError as Described>::schema),
            headers: &[
                ("X-Request-Id", shared::HEADER_REQUEST_ID),
                ("Cache-Control", shared::HEADER_NO_STORE),
                ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
            ],
        },
        shared::REQUEST_TOO_LARGE,
        shared::SLOW_DOWN,
        shared::SERVER_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::InvalidRedirectUri => Code::InvalidRedirectUri,
            Self::InvalidClientMetadata => Code::InvalidClientMetadata,
            Self::RequestTooLarge => Code::RequestTooLarge,
            Self::SlowDown => Code::SlowDown,
            Self::ServerError => Code::ServerError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::InvalidRequest => Some(Self::InvalidRequest),
            Code::InvalidRedirectUri => Some(Self::InvalidRedirectUri),
            Code::InvalidClientMetadata => Some(Self::InvalidClientMetadata),
            Code::RequestTooLarge => Some(Self::RequestTooLarge),
            Code::SlowDown => Some(Self::SlowDown),
            Code::ServerError => Some(Self::ServerError),
            _ => None,
        }
    }
}
/// Exchange a code or a refresh token
pub struct ExchangeGrant;
impl OperationType for ExchangeGrant {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "exchangeGrant",
        method: "POST",
        path: "/token",
        tag: "tokens",
        dialect: Dialect::Oauth,
        schemes: &["client"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/x-www-form-urlencoded", "application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[],
        limit: LimitRow::Token,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidGrant,
            Code::InvalidScope,
            Code::InvalidTarget,
            Code::UnsupportedGrantType,
            Code::InvalidClient,
            Code::RequestTooLarge,
            Code::SlowDown,
            Code::ServerError,
        ],
    };
}
impl<H: Security> Guarded<H> for ExchangeGrant {
    type Principal = H::Client;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Exchange a code or a refresh token
#[derive(Debug)]
pub struct ExchangeGrantRequest {
    pub body: types::GrantRequest,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `exchangeGrant` succeeds.
#[derive(Debug)]
pub enum ExchangeGrantSuccess {
    /// A new pair of tokens.
    Status200(types::Tokens),
}
impl From<types::Tokens> for ExchangeGrantSuccess {
    fn from(body: types::Tokens) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ExchangeGrantSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ExchangeGrantSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 200,
                    description: "A new pair of tokens.",
                    schema: Some(<types::Tokens as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_NO_STORE),
                        ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::Tokens as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeGrantError {
    InvalidRequest,
    InvalidGrant,
    InvalidScope,
    InvalidTarget,
    UnsupportedGrantType,
    InvalidClient,
    RequestTooLarge,
    SlowDown,
    ServerError,
}
impl ErrorCode for ExchangeGrantError {
    type Schema = types::OAuthError;
    const OPERATION: &'static str = "exchangeGrant";
    const REPLIES: &'static [ReplyDoc] = &[
        ReplyDoc {
            status: 400,
            description: "The request or the grant is not valid.",
            schema: Some(<types::OAuthError as Described>::schema),
            headers: &[
                ("X-Request-Id", shared::HEADER_REQUEST_ID),
                ("Cache-Control", shared::HEADER_NO_STORE),
                ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
            ],
        },
        shared::INVALID_CLIENT,
        shared::REQUEST_TOO_LARGE,
        shared::SLOW_DOWN,
        shared::SERVER_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::InvalidGrant => Code::InvalidGrant,
            Self::InvalidScope => Code::InvalidScope,
            Self::InvalidTarget => Code::InvalidTarget,
            Self::UnsupportedGrantType => Code::UnsupportedGrantType,
            Self::InvalidClient => Code::InvalidClient,
            Self::RequestTooLarge => Code::RequestTooLarge,
            Self::SlowDown => Code::SlowDown,
            Self::ServerError => Code::ServerError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::InvalidRequest => Some(Self::InvalidRequest),
            Code::InvalidGrant => Some(Self::InvalidGrant),
            Code::InvalidScope => Some(Self::InvalidScope),
            Code::InvalidTarget => Some(Self::InvalidTarget),
            Code::UnsupportedGrantType => Some(Self::UnsupportedGrantType),
            Code::InvalidClient => Some(Self::InvalidClient),
            Code::RequestTooLarge => Some(Self::RequestTooLarge),
            Code::SlowDown => Some(Self::SlowDown),
            Code::ServerError => Some(Self::ServerError),
            _ => None,
        }
    }
}
/// Give a connection up
pub struct RevokeConnection;
impl OperationType for RevokeConnection {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "revokeConnection",
        method: "POST",
        path: "/revoke",
        tag: "tokens",
        dialect: Dialect::Oauth,
        schemes: &["client"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/x-www-form-urlencoded", "application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[],
        limit: LimitRow::Revoke,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidClient,
            Code::RequestTooLarge,
            Code::SlowDown,
            Code::ServerError,
        ],
    };
}
impl<H: Security> Guarded<H> for RevokeConnection {
    type Principal = H::Client;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Give a connection up
#[derive(Debug)]
pub struct RevokeConnectionRequest {
    pub body: types::RevocationRequest,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `revokeConnection` succeeds.
#[derive(Debug)]
pub enum RevokeConnectionSuccess {
    /// The token does not work, or never did.
    Status200(types::Nothing),
}
impl From<types::Nothing> for RevokeConnectionSuccess {
    fn from(body: types::Nothing) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for RevokeConnectionSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for RevokeConnectionSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 200,
                    description: "The token does not work, or never did.",
                    schema: Some(<types::Nothing as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_NO_STORE),
                        ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::Nothing as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevokeConnectionError {
    InvalidRequest,
    InvalidClient,
    RequestTooLarge,
    SlowDown,
    ServerError,
}
impl ErrorCode for RevokeConnectionError {
    type Schema = types::OAuthError;
    const OPERATION: &'static str = "revokeConnection";
    const REPLIES: &'static [ReplyDoc] = &[
        ReplyDoc {
            status: 400,
            description: "The request is not valid.",
            schema: Some(<types::OAuthError as Described>::schema),
            headers: &[
                ("X-Request-Id", shared::HEADER_REQUEST_ID),
                ("Cache-Control", shared::HEADER_NO_STORE),
                ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN),
            ],
        },
        shared::INVALID_CLIENT,
        shared::REQUEST_TOO_LARGE,
        shared::SLOW_DOWN,
        shared::SERVER_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::InvalidClient => Code::InvalidClient,
            Self::RequestTooLarge => Code::RequestTooLarge,
            Self::SlowDown => Code::SlowDown,
            Self::ServerError => Code::ServerError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::InvalidRequest => Some(Self::InvalidRequest),
            Code::InvalidClient => Some(Self::InvalidClient),
            Code::RequestTooLarge => Some(Self::RequestTooLarge),
            Code::SlowDown => Some(Self::SlowDown),
            Code::ServerError => Some(Self::ServerError),
            _ => None,
        }
    }
}
/// What there is and where, for clients that know only the host.
pub trait MetadataHandlers: Security {
    /// Protected resource metadata of the host
    fn get_protected_resource(
        &self,
        request: GetProtectedResourceRequest,
    ) -> impl Future<
        Output = Result<GetProtectedResourceSuccess, Problem<GetProtectedResourceError>>,
    > + Send;
    /// Protected resource metadata of /mcp
    fn get_mcp_resource(
        &self,
        request: GetMcpResourceRequest,
    ) -> impl Future<
        Output = Result<GetMcpResourceSuccess, Problem<GetMcpResourceError>>,
    > + Send;
    /// Protected resource metadata of /mcp/readonly
    fn get_readonly_resource(
        &self,
        request: GetReadonlyResourceRequest,
    ) -> impl Future<
        Output = Result<GetReadonlyResourceSuccess, Problem<GetReadonlyResourceError>>,
    > + Send;
    /// Authorization server metadata
    fn get_authorization_server(
        &self,
        request: GetAuthorizationServerRequest,
    ) -> impl Future<
        Output = Result<
            GetAuthorizationServerSuccess,
            Problem<GetAuthorizationServerError>,
        >,
    > + Send;
}
/// Dynamic registration of clients.
pub trait ClientsHandlers: Security {
    /// Register a client
    fn register_client(
        &self,
        request: RegisterClientRequest,
    ) -> impl Future<
        Output = Result<RegisterClientSuccess, Problem<RegisterClientError>>,
    > + Send;
}
/// Get, refresh and give up tokens.
pub trait TokensHandlers: Security {
    /// Exchange a code or a refresh token
    fn exchange_grant(
        &self,
        caller: Self::Client,
        request: ExchangeGrantRequest,
    ) -> impl Future<
        Output = Result<ExchangeGrantSuccess, Problem<ExchangeGrantError>>,
    > + Send;
    /// Give a connection up
    fn revoke_connection(
        &self,
        caller: Self::Client,
        request: RevokeConnectionRequest,
    ) -> impl Future<
        Output = Result<RevokeConnectionSuccess, Problem<RevokeConnectionError>>,
    > + Send;
}
/// Everything a server of this document needs.
pub trait Handlers: MetadataHandlers + ClientsHandlers + TokensHandlers {}
impl<T: MetadataHandlers + ClientsHandlers + TokensHandlers> Handlers for T {}
/// Handlers that answer nothing: for the document of the routes alone.
#[cfg(test)]
pub struct Blank;
#[cfg(test)]
const _: () = {
    impl Door for Blank {}
    impl Security for Blank {
        type Client = Anyone;
    }
    impl MetadataHandlers for Blank {
        async fn get_protected_resource(
            &self,
            _: GetProtectedResourceRequest,
        ) -> Result<GetProtectedResourceSuccess, Problem<GetProtectedResourceError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn get_mcp_resource(
            &self,
            _: GetMcpResourceRequest,
        ) -> Result<GetMcpResourceSuccess, Problem<GetMcpResourceError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn get_readonly_resource(
            &self,
            _: GetReadonlyResourceRequest,
        ) -> Result<GetReadonlyResourceSuccess, Problem<GetReadonlyResourceError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn get_authorization_server(
            &self,
            _: GetAuthorizationServerRequest,
        ) -> Result<
            GetAuthorizationServerSuccess,
            Problem<GetAuthorizationServerError>,
        > {
            Err(Problem::internal("no handlers"))
        }
    }
    impl ClientsHandlers for Blank {
        async fn register_client(
            &self,
            _: RegisterClientRequest,
        ) -> Result<RegisterClientSuccess, Problem<RegisterClientError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl TokensHandlers for Blank {
        async fn exchange_grant(
            &self,
            _: Anyone,
            _: ExchangeGrantRequest,
        ) -> Result<ExchangeGrantSuccess, Problem<ExchangeGrantError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn revoke_connection(
            &self,
            _: Anyone,
            _: RevokeConnectionRequest,
        ) -> Result<RevokeConnectionSuccess, Problem<RevokeConnectionError>> {
            Err(Problem::internal("no handlers"))
        }
    }
};
/// The routes of the document over hand-written handlers.
pub struct Server<H>(pub Arc<H>);
#[OpenApi]
impl<H: Handlers> Server<H> {
    /**Protected resource metadata of the host

The same document as for `/mcp`, for clients that look at the root only. RFC 9728.*/
    #[oai(
        path = "/.well-known/oauth-protected-resource",
        method = "get",
        operation_id = "getProtectedResource",
        tag = "Tag::Metadata"
    )]
    async fn get_protected_resource(
        &self,
        _guard: Guard<H, GetProtectedResource>,
    ) -> Result<GetProtectedResourceSuccess, Problem<GetProtectedResourceError>> {
        self.0.get_protected_resource(GetProtectedResourceRequest {}).await
    }
    /**Protected resource metadata of /mcp

What `/mcp` is, and which server gives tokens for it. RFC 9728.*/
    #[oai(
        path = "/.well-known/oauth-protected-resource/mcp",
        method = "get",
        operation_id = "getMcpResource",
        tag = "Tag::Metadata"
    )]
    async fn get_mcp_resource(
        &self,
        _guard: Guard<H, GetMcpResource>,
    ) -> Result<GetMcpResourceSuccess, Problem<GetMcpResourceError>> {
        self.0.get_mcp_resource(GetMcpResourceRequest {}).await
    }
    /**Protected resource metadata of /mcp/readonly

What `/mcp/readonly` is, and which server gives tokens for it. RFC 9728.*/
    #[oai(
        path = "/.well-known/oauth-protected-resource/mcp/readonly",
        method = "get",
        operation_id = "getReadonlyResource",
        tag = "Tag::Metadata"
    )]
    async fn get_readonly_resource(
        &self,
        _guard: Guard<H, GetReadonlyResource>,
    ) -> Result<GetReadonlyResourceSuccess, Problem<GetReadonlyResourceError>> {
        self.0.get_readonly_resource(GetReadonlyResourceRequest {}).await
    }
    /**Authorization server metadata

The endpoints and what they can do. RFC 8414.*/
    #[oai(
        path = "/.well-known/oauth-authorization-server",
        method = "get",
        operation_id = "getAuthorizationServer",
        tag = "Tag::Metadata"
    )]
    async fn get_authorization_server(
        &self,
        _guard: Guard<H, GetAuthorizationServer>,
    ) -> Result<GetAuthorizationServerSuccess, Problem<GetAuthorizationServerError>> {
        self.0.get_authorization_server(GetAuthorizationServerRequest {}).await
    }
    /**Register a client

Anybody may register; each request makes a new client. RFC 7591.

The redirect URIs of one registration are all `https` on one host, or all of one private-use scheme, or
loopback URIs with or without `https` URIs on any hosts.

In a form body arrays are repeated keys: `redirect_uris=…&redirect_uris=…`.*/
    #[oai(
        path = "/register",
        method = "post",
        operation_id = "registerClient",
        tag = "Tag::Clients"
    )]
    async fn register_client(
        &self,
        _guard: Guard<H, RegisterClient>,
        body: Body<RegisterClient, types::ClientMetadata>,
    ) -> Result<RegisterClientSuccess, Problem<RegisterClientError>> {
        self.0
            .register_client(RegisterClientRequest {
                body: body.value,
                sent: body.sent,
            })
            .await
    }
    /**Exchange a code or a refresh token

With `grant_type=authorization_code`: `code`, `code_verifier`, `redirect_uri` as at `/authorize`, and
`client_id`. With `grant_type=refresh_token`: `refresh_token`, and optionally `scope`, no wider than the grant.
`resource`, when sent, must be the grant's.

A client with a secret authenticates by HTTP Basic, or by `client_id` and `client_secret` in the body; with
both, Basic counts. A public client sends its `client_id` only. Unknown parameters are ignored, an empty one
counts as absent, none may be sent twice, and none is read from the query.

`invalid_grant` means an unknown, expired or used code or refresh token, one of another client, a wrong
verifier or redirect URI, or an employee or company that no longer allows the connection. A code that was used
before and a refresh token that is spent revoke their connection. A narrower `scope` holds for the new access
token only.*/
    #[oai(
        path = "/token",
        method = "post",
        operation_id = "exchangeGrant",
        tag = "Tag::Tokens"
    )]
    async fn exchange_grant(
        &self,
        guard: Guard<H, ExchangeGrant>,
        body: Body<ExchangeGrant, types::GrantRequest>,
    ) -> Result<ExchangeGrantSuccess, Problem<ExchangeGrantError>> {
        self.0
            .exchange_grant(
                guard.into_caller(),
                ExchangeGrantRequest {
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Give a connection up

Revokes the connection of an access or refresh token, spent and expired ones included. RFC 7009. A token that
is unknown, already revoked or another client's is left alone, with the same answer. `token_type_hint` is
ignored. The client authenticates as at `/token`.*/
    #[oai(
        path = "/revoke",
        method = "post",
        operation_id = "revokeConnection",
        tag = "Tag::Tokens"
    )]
    async fn revoke_connection(
        &self,
        guard: Guard<H, RevokeConnection>,
        body: Body<RevokeConnection, types::RevocationRequest>,
    ) -> Result<RevokeConnectionSuccess, Problem<RevokeConnectionError>> {
        self.0
            .revoke_connection(
                guard.into_caller(),
                RevokeConnectionRequest {
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
}
/// The service as poem-openapi sees it. Its requests carry the handlers as data: see [`routes`].
pub fn service<H: Handlers>(handlers: Arc<H>) -> OpenApiService<Server<H>, ()> {
    OpenApiService::new(Server(handlers), "Switchboard assistant connection server", "1")
}
/// Every route of the document, served by `handlers`.
pub fn routes<H: Handlers>(
    handlers: Arc<H>,
) -> impl poem::Endpoint<Output = Response> + 'static {
    use poem::{EndpointExt, IntoEndpoint};
    LazyLock::force(&CONTRACT);
    service(handlers.clone()).into_endpoint().data(handlers)
}
