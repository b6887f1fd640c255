// @generated from openapi/assistant.yaml by codegen/. Do not edit.

//!Server half of `openapi/assistant.yaml`.
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
use serde::{Deserialize, Serialize};
use crate::contract::{
    Anyone, Body, BodyInfo, BodyReader, BodySchema, Contract, Described, Dialect,
    ErrorCode, Guard, Guarded, HeaderDoc, LimitName, OperationError, OperationInfo,
    OperationType, Principal, Property, PublishedDocument, ReplyDoc, RequestPolicy,
    Schema, constant, describe_object, enumeration, error_codes, patched, publish,
    published_schemas, reply,
};
use crate::domain::refusal::Code;
/// The document with null in place of everything that its routes publish.
pub(crate) const PRESENTATION: &str = include_str!("assistant.presentation.json");
/// Title and version of the document.
pub(crate) const HEAD: [&str; 2] = ["Switchboard assistant API", "1.0.0"];
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
pub const SOURCE: &str = include_str!("assistant.json");
/// Every error code of the document with its status, except `client_error` and `server_error`, which may have
/// several statuses.
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
/// The readers of request bodies: one per operation with a body, except those whose handler reads the body.
pub static BODIES: &[BodyReader] = &[
    BodyReader::of::<RegisterClient, types::ClientMetadata>(),
    BodyReader::of::<ExchangeGrant, types::GrantRequest>(),
    BodyReader::of::<RevokeConnection, types::RevocationRequest>(),
];
/// The document's schemas.
pub mod types {
    use super::*;
    /// Why the request failed (RFC 6749).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct OAuthError {
        /// The error code. Treat an unknown code as a generic failure of its status.
        pub error: String,
        /// A description of the error for people, in ASCII.
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
                Some("Why the request failed (RFC 6749)."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "error", MetaSchema {
                        description :
                        Some("The error code. Treat an unknown code as a generic failure of its status."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "error_description", MetaSchema { description :
                        Some("A description of the error for people, in ASCII."),
                        ..MetaSchema::ANY })
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
            >(registry, "Nothing", Some("No members."), |_| vec![]);
        }
    }
    enumeration! {
        AuthMethod as "AuthMethod", closed, "How a client authenticates."; None = "none",
        ClientSecretBasic = "client_secret_basic", ClientSecretPost =
        "client_secret_post"
    }
    enumeration! {
        AuthMethodValue as "AuthMethodValue", extensible,
        "An `AuthMethod` of the server or of a client. More methods may be added."; None
        = "none", ClientSecretBasic = "client_secret_basic", ClientSecretPost =
        "client_secret_post"
    }
    enumeration! {
        GrantType as "GrantType", closed, "A way to get tokens."; AuthorizationCode =
        "authorization_code", RefreshToken = "refresh_token"
    }
    enumeration! {
        GrantTypeValue as "GrantTypeValue", extensible,
        "A `GrantType` of the server or of a client. More grant types may be added.";
        AuthorizationCode = "authorization_code", RefreshToken = "refresh_token"
    }
    enumeration! {
        ResponseType as "ResponseType", closed, "The result of an authorization."; Code =
        "code"
    }
    enumeration! {
        ResponseTypeValue as "ResponseTypeValue", extensible,
        "A `ResponseType` of the server or of a client. More response types may be added.";
        Code = "code"
    }
    enumeration! {
        ChallengeMethod as "ChallengeMethod", extensible,
        "A method to derive a PKCE challenge. More methods may be added."; S256 = "S256"
    }
    enumeration! {
        BearerMethod as "BearerMethod", extensible,
        "A method to send a token. More methods may be added."; Header = "header"
    }
    enumeration! {
        AssistantScope as "AssistantScope", extensible,
        "A right of a connection. More rights may be added."; ServiceRead =
        "service:read", ServiceWrite = "service:write"
    }
    constant!(Supported = bool true; as "Supported", Some("Always true."));
    /// Metadata of a protected resource (RFC 9728).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ProtectedResource {
        /// The resource's own URL.
        pub resource: String,
        /// Only the issuer.
        pub authorization_servers: Vec<String>,
        /// Scopes of the resource.
        pub scopes_supported: Vec<AssistantScope>,
        /// How a token is sent: in the header `Authorization`.
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
                Some("Metadata of a protected resource (RFC 9728)."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "resource", MetaSchema {
                        description : Some("The resource's own URL."), ..MetaSchema::ANY
                        }), Property::new:: < Vec < String > > (registry,
                        "authorization_servers", MetaSchema { description :
                        Some("Only the issuer."), ..MetaSchema::ANY }), Property::new:: <
                        Vec < AssistantScope > > (registry, "scopes_supported",
                        MetaSchema { description : Some("Scopes of the resource."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < BearerMethod > >
                        (registry, "bearer_methods_supported", MetaSchema { description :
                        Some("How a token is sent: in the header `Authorization`."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "resource_name", MetaSchema { description :
                        Some("The service's name."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "resource_documentation",
                        MetaSchema { description : Some("A page for developers."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// Metadata of the authorization server (RFC 8414).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AuthorizationServer {
        /// The issuer. Compare `iss` with this value, as strings.
        pub issuer: String,
        /// The URL that the client opens in a browser.
        pub authorization_endpoint: String,
        /// The URL to exchange codes and refresh tokens.
        pub token_endpoint: String,
        /// The URL to register clients.
        pub registration_endpoint: String,
        /// The URL to revoke connections.
        pub revocation_endpoint: String,
        /// Supported response types.
        pub response_types_supported: Vec<ResponseTypeValue>,
        /// Supported grant types.
        pub grant_types_supported: Vec<GrantTypeValue>,
        /// Methods of PKCE.
        pub code_challenge_methods_supported: Vec<ChallengeMethod>,
        /// How a client authenticates at the token endpoint.
        pub token_endpoint_auth_methods_supported: Vec<AuthMethodValue>,
        /// How a client authenticates at the revocation endpoint.
        pub revocation_endpoint_auth_methods_supported: Vec<AuthMethodValue>,
        /// Scopes of all resources.
        pub scopes_supported: Vec<AssistantScope>,
        pub client_id_metadata_document_supported: Supported,
        pub authorization_response_iss_parameter_supported: Supported,
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
                Some("Metadata of the authorization server (RFC 8414)."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "issuer", MetaSchema {
                        description :
                        Some("The issuer. Compare `iss` with this value, as strings."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "authorization_endpoint", MetaSchema { description :
                        Some("The URL that the client opens in a browser."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "token_endpoint", MetaSchema { description :
                        Some("The URL to exchange codes and refresh tokens."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "registration_endpoint", MetaSchema { description :
                        Some("The URL to register clients."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "revocation_endpoint",
                        MetaSchema { description :
                        Some("The URL to revoke connections."), ..MetaSchema::ANY }),
                        Property::new:: < Vec < ResponseTypeValue > > (registry,
                        "response_types_supported", MetaSchema { description :
                        Some("Supported response types."), ..MetaSchema::ANY }),
                        Property::new:: < Vec < GrantTypeValue > > (registry,
                        "grant_types_supported", MetaSchema { description :
                        Some("Supported grant types."), ..MetaSchema::ANY }),
                        Property::new:: < Vec < ChallengeMethod > > (registry,
                        "code_challenge_methods_supported", MetaSchema { description :
                        Some("Methods of PKCE."), ..MetaSchema::ANY }), Property::new:: <
                        Vec < AuthMethodValue > > (registry,
                        "token_endpoint_auth_methods_supported", MetaSchema { description
                        : Some("How a client authenticates at the token endpoint."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < AuthMethodValue > >
                        (registry, "revocation_endpoint_auth_methods_supported",
                        MetaSchema { description :
                        Some("How a client authenticates at the revocation endpoint."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < AssistantScope > >
                        (registry, "scopes_supported", MetaSchema { description :
                        Some("Scopes of all resources."), ..MetaSchema::ANY }),
                        Property::new:: < Supported > (registry,
                        "client_id_metadata_document_supported", MetaSchema::ANY),
                        Property::new:: < Supported > (registry,
                        "authorization_response_iss_parameter_supported",
                        MetaSchema::ANY), Property::new:: < String > (registry,
                        "service_documentation", MetaSchema { description :
                        Some("A page for developers."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The metadata of a client. Unknown members are ignored. The eight members from `logo_uri` on have together at most 4096 bytes as compact JSON; they are stored, and neither fetched nor shown.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClientMetadata {
        /// 1 to 100 printable characters, counted in Unicode normalization form C, without a space at either end. `maxLength` is higher, because another form of the same text can be longer. The name must not contain the service's name, its maker's name, one of the words admin, system and support, or text that looks like these.
        pub client_name: String,
        /// The URIs to which codes may be sent.
        pub redirect_uris: Vec<String>,
        /// Both grant types if absent. A list must contain `authorization_code`. Repeated values count once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub grant_types: Option<Vec<GrantType>>,
        /// Only `["code"]` is accepted, which is also the value if the member is absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub response_types: Option<Vec<ResponseType>>,
        /// `client_secret_basic` when absent. Clients with one of the two secret methods get a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub token_endpoint_auth_method: Option<AuthMethod>,
        /// Address of a logo.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub logo_uri: Option<String>,
        /// Address of the client's page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_uri: Option<String>,
        /// Address of the terms of service.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tos_uri: Option<String>,
        /// Address of the privacy policy.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub policy_uri: Option<String>,
        /// Contact addresses of the client's developers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub contacts: Option<Vec<String>>,
        /// Scopes that the client intends to request, separated by spaces.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scope: Option<String>,
        /// Id of the software, the same for all of its installations.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub software_id: Option<String>,
        /// Version of the software.
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
                    "The metadata of a client. Unknown members are ignored. The eight members from `logo_uri` on have together at most 4096 bytes as compact JSON; they are stored, and neither fetched nor shown.",
                ),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "client_name", MetaSchema {
                        description :
                        Some("1 to 100 printable characters, counted in Unicode normalization form C, without a space at either end. `maxLength` is higher, because another form of the same text can be longer. The name must not contain the service's name, its maker's name, one of the words admin, system and support, or text that looks like these."),
                        min_length : Some(1), max_length : Some(400), ..MetaSchema::ANY
                        }), Property::new:: < Vec < String > > (registry,
                        "redirect_uris", MetaSchema { description :
                        Some("The URIs to which codes may be sent."), min_items :
                        Some(1), max_items : Some(5), ..MetaSchema::ANY }),
                        Property::new:: < Option < Vec < GrantType > > > (registry,
                        "grant_types", MetaSchema { description :
                        Some("Both grant types if absent. A list must contain `authorization_code`. Repeated values count once."),
                        min_items : Some(1), max_items : Some(10), ..MetaSchema::ANY }),
                        Property::new:: < Option < Vec < ResponseType > > > (registry,
                        "response_types", MetaSchema { description :
                        Some("Only `[\"code\"]` is accepted, which is also the value if the member is absent."),
                        min_items : Some(1), max_items : Some(1), ..MetaSchema::ANY }),
                        Property::new:: < Option < AuthMethod > > (registry,
                        "token_endpoint_auth_method", MetaSchema { description :
                        Some("`client_secret_basic` when absent. Clients with one of the two secret methods get a secret."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "logo_uri", MetaSchema { description :
                        Some("Address of a logo."), ..MetaSchema::ANY }), Property::new::
                        < Option < String > > (registry, "client_uri", MetaSchema {
                        description : Some("Address of the client's page."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "tos_uri", MetaSchema { description :
                        Some("Address of the terms of service."), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "policy_uri",
                        MetaSchema { description :
                        Some("Address of the privacy policy."), ..MetaSchema::ANY }),
                        Property::new:: < Option < Vec < String > > > (registry,
                        "contacts", MetaSchema { description :
                        Some("Contact addresses of the client's developers."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "scope", MetaSchema { description :
                        Some("Scopes that the client intends to request, separated by spaces."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "software_id", MetaSchema { description :
                        Some("Id of the software, the same for all of its installations."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "software_version", MetaSchema { description :
                        Some("Version of the software."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The client as it was registered.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClientRegistration {
        /// Begins with `mcpc_`.
        pub client_id: String,
        /// When the client was registered, in seconds since 1970.
        pub client_id_issued_at: i64,
        /// Returned only here; absent for a public client.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_secret: Option<String>,
        /// 0: the secret does not expire. Absent for a public client.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_secret_expires_at: Option<i64>,
        /// The client's name in Unicode normalization form C.
        pub client_name: String,
        /// The URIs to which codes may be sent.
        pub redirect_uris: Vec<String>,
        /// The grant types that the client may use.
        pub grant_types: Vec<GrantTypeValue>,
        /// Always `["code"]`.
        pub response_types: Vec<ResponseTypeValue>,
        pub token_endpoint_auth_method: AuthMethodValue,
        /// Address of a logo.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub logo_uri: Option<String>,
        /// Address of the client's page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_uri: Option<String>,
        /// Address of the terms of service.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tos_uri: Option<String>,
        /// Address of the privacy policy.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub policy_uri: Option<String>,
        /// Contact addresses of the client's developers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub contacts: Option<Vec<String>>,
        /// Scopes that the client intends to request, separated by spaces.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scope: Option<String>,
        /// Id of the software, the same for all of its installations.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub software_id: Option<String>,
        /// Version of the software.
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
                Some("The client as it was registered."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "client_id", MetaSchema {
                        description : Some("Begins with `mcpc_`."), ..MetaSchema::ANY }),
                        Property::new:: < i64 > (registry, "client_id_issued_at",
                        MetaSchema { description :
                        Some("When the client was registered, in seconds since 1970."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Option < String > > (registry, "client_secret", MetaSchema {
                        description :
                        Some("Returned only here; absent for a public client."),
                        ..MetaSchema::ANY }), Property::new:: < Option < i64 > >
                        (registry, "client_secret_expires_at", MetaSchema { description :
                        Some("0: the secret does not expire. Absent for a public client."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        String > (registry, "client_name", MetaSchema { description :
                        Some("The client's name in Unicode normalization form C."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < String > >
                        (registry, "redirect_uris", MetaSchema { description :
                        Some("The URIs to which codes may be sent."), ..MetaSchema::ANY
                        }), Property::new:: < Vec < GrantTypeValue > > (registry,
                        "grant_types", MetaSchema { description :
                        Some("The grant types that the client may use."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < ResponseTypeValue >
                        > (registry, "response_types", MetaSchema { description :
                        Some("Always `[\"code\"]`."), ..MetaSchema::ANY }),
                        Property::new:: < AuthMethodValue > (registry,
                        "token_endpoint_auth_method", MetaSchema::ANY), Property::new:: <
                        Option < String > > (registry, "logo_uri", MetaSchema {
                        description : Some("Address of a logo."), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "client_uri",
                        MetaSchema { description : Some("Address of the client's page."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "tos_uri", MetaSchema { description :
                        Some("Address of the terms of service."), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "policy_uri",
                        MetaSchema { description :
                        Some("Address of the privacy policy."), ..MetaSchema::ANY }),
                        Property::new:: < Option < Vec < String > > > (registry,
                        "contacts", MetaSchema { description :
                        Some("Contact addresses of the client's developers."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "scope", MetaSchema { description :
                        Some("Scopes that the client intends to request, separated by spaces."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "software_id", MetaSchema { description :
                        Some("Id of the software, the same for all of its installations."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "software_version", MetaSchema { description :
                        Some("Version of the software."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A code or a refresh token to exchange.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct GrantRequest {
        /// `authorization_code` or `refresh_token`.
        pub grant_type: String,
        /// The authorization code. Required with `authorization_code`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub code: Option<String>,
        /// The PKCE verifier, 43 to 128 characters. Required with `authorization_code`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub code_verifier: Option<String>,
        /// The same URI as at `/authorize`, port included. Required with `authorization_code`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub redirect_uri: Option<String>,
        /// The refresh token. Required with `refresh_token`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub refresh_token: Option<String>,
        /// With `refresh_token`, scopes separated by spaces; all scopes of the grant when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scope: Option<String>,
        /// The resource of the grant. It may be left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub resource: Option<String>,
        /// The client id, if the client does not use HTTP Basic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_id: Option<String>,
        /// The client secret, if the client has a secret and does not use HTTP Basic.
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
                Some("A code or a refresh token to exchange."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "grant_type", MetaSchema {
                        description : Some("`authorization_code` or `refresh_token`."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "code", MetaSchema { description :
                        Some("The authorization code. Required with `authorization_code`."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "code_verifier", MetaSchema { description :
                        Some("The PKCE verifier, 43 to 128 characters. Required with `authorization_code`."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "redirect_uri", MetaSchema { description :
                        Some("The same URI as at `/authorize`, port included. Required with `authorization_code`."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "refresh_token", MetaSchema { description :
                        Some("The refresh token. Required with `refresh_token`."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "scope", MetaSchema { description :
                        Some("With `refresh_token`, scopes separated by spaces; all scopes of the grant when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "resource", MetaSchema { description :
                        Some("The resource of the grant. It may be left out."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "client_id", MetaSchema { description :
                        Some("The client id, if the client does not use HTTP Basic."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "client_secret", MetaSchema { description :
                        Some("The client secret, if the client has a secret and does not use HTTP Basic."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The token whose connection is revoked.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct RevocationRequest {
        /// An access or refresh token.
        pub token: String,
        /// Ignored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub token_type_hint: Option<String>,
        /// The client id, if the client does not use HTTP Basic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_id: Option<String>,
        /// The client secret, if the client has a secret and does not use HTTP Basic.
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
                Some("The token whose connection is revoked."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "token", MetaSchema {
                        description : Some("An access or refresh token."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "token_type_hint", MetaSchema { description :
                        Some("Ignored."), ..MetaSchema::ANY }), Property::new:: < Option
                        < String > > (registry, "client_id", MetaSchema { description :
                        Some("The client id, if the client does not use HTTP Basic."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "client_secret", MetaSchema { description :
                        Some("The client secret, if the client has a secret and does not use HTTP Basic."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        AccessTokenType as "AccessTokenType", closed, "How the token is sent."; Bearer =
        "Bearer"
    }
    /// A pair of tokens.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Tokens {
        /// `svc_mcp_at_live_…`, or `svc_mcp_at_test_…` outside production.
        pub access_token: String,
        pub token_type: AccessTokenType,
        /// Lifetime of the access token in seconds, 3600.
        pub expires_in: i64,
        /// `svc_mcp_rt_live_…`, or `svc_mcp_rt_test_…` outside production.
        pub refresh_token: String,
        /// Scopes of the access token, separated by spaces.
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
                Some("A pair of tokens."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "access_token", MetaSchema
                        { description :
                        Some("`svc_mcp_at_live_…`, or `svc_mcp_at_test_…` outside production."),
                        ..MetaSchema::ANY }), Property::new:: < AccessTokenType >
                        (registry, "token_type", MetaSchema::ANY), Property::new:: < i64
                        > (registry, "expires_in", MetaSchema { description :
                        Some("Lifetime of the access token in seconds, 3600."), format :
                        Some("int64"), ..MetaSchema::ANY }), Property::new:: < String >
                        (registry, "refresh_token", MetaSchema { description :
                        Some("`svc_mcp_rt_live_…`, or `svc_mcp_rt_test_…` outside production."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "scope", MetaSchema { description :
                        Some("Scopes of the access token, separated by spaces."),
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
        <AuthMethodValue as Described>::register(registry);
        <GrantType as Described>::register(registry);
        <GrantTypeValue as Described>::register(registry);
        <ResponseType as Described>::register(registry);
        <ResponseTypeValue as Described>::register(registry);
        <ChallengeMethod as Described>::register(registry);
        <BearerMethod as Described>::register(registry);
        <AssistantScope as Described>::register(registry);
        <Supported as Described>::register(registry);
        <ProtectedResource as Described>::register(registry);
        <AuthorizationServer as Described>::register(registry);
        <ClientMetadata as Described>::register(registry);
        <ClientRegistration as Described>::register(registry);
        <GrantRequest as Described>::register(registry);
        <RevocationRequest as Described>::register(registry);
        <AccessTokenType as Described>::register(registry);
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
            "AuthMethodValue" => {
                serde_json::to_value(serde_json::from_value::<AuthMethodValue>(value)?)
            }
            "GrantType" => {
                serde_json::to_value(serde_json::from_value::<GrantType>(value)?)
            }
            "GrantTypeValue" => {
                serde_json::to_value(serde_json::from_value::<GrantTypeValue>(value)?)
            }
            "ResponseType" => {
                serde_json::to_value(serde_json::from_value::<ResponseType>(value)?)
            }
            "ResponseTypeValue" => {
                serde_json::to_value(serde_json::from_value::<ResponseTypeValue>(value)?)
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
            "Supported" => {
                serde_json::to_value(serde_json::from_value::<Supported>(value)?)
            }
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
            "AccessTokenType" => {
                serde_json::to_value(serde_json::from_value::<AccessTokenType>(value)?)
            }
            "Tokens" => serde_json::to_value(serde_json::from_value::<Tokens>(value)?),
            _ => panic!("no schema {schema}"),
        }
    }
}
#[derive(Tags)]
enum Tag {
    /// Metadata for clients that know only the host.
    #[oai(rename = "metadata")]
    Metadata,
    /// Dynamic registration of clients.
    #[oai(rename = "clients")]
    Clients,
    /// Issue, refresh and revoke tokens.
    #[oai(rename = "tokens")]
    Tokens,
}
fn register_schemes(registry: &mut Registry) {
    registry
        .create_security_scheme(
            "client",
            MetaSecurityScheme {
                ty: "http",
                description: Some(
                    "Client id and client secret, form-encoded, as user name and password of HTTP Basic. The body members `client_id` and `client_secret` may be sent instead of the header. If a request has both, only the header is used. A public client sends `client_id` in the body and no header.",
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
/// The callers: one principal per security scheme, authenticated before parameters and body are parsed.
pub trait Security: RequestPolicy {
    /// Client id and client secret, form-encoded, as user name and password of HTTP Basic. The body members `client_id` and `client_secret` may be sent instead of the header. If a request has both, only the header is used. A public client sends `client_id` in the body and no header.
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
        description: Some("The scheme to authenticate with."),
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
        status: Some(401),
        description: "The client is unknown, its secret is wrong or missing, or a public client sent a secret.",
        schema: Some(<types::OAuthError as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_NO_STORE),
            ("Access-Control-Allow-Origin", HEADER_ANY_ORIGIN),
            ("WWW-Authenticate", HEADER_BASIC_CHALLENGE),
        ],
    };
    pub const OTHER_ERROR: ReplyDoc = ReplyDoc {
        status: None,
        description: "Any other failure, in the same format: 405, 408 (the whole body did not arrive within 10 seconds), 414 and 431 as `invalid_request`, 503 as `server_error`.",
        schema: Some(<types::OAuthError as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_NO_STORE),
        ],
    };
    pub const OTHER_ERROR_OF_METADATA: ReplyDoc = ReplyDoc {
        status: None,
        description: "Any other failure, in the same format: 405, 408 (the whole body did not arrive within 10 seconds), 414 and 431 as `invalid_request`, 500 and 503 as `server_error`.",
        schema: Some(<types::OAuthError as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_NO_STORE),
        ],
    };
    pub const REQUEST_TOO_LARGE: ReplyDoc = ReplyDoc {
        status: Some(413),
        description: "The body is over 1 048 576 bytes.",
        schema: Some(<types::OAuthError as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_NO_STORE),
            ("Access-Control-Allow-Origin", HEADER_ANY_ORIGIN),
        ],
    };
    pub const SERVER_ERROR: ReplyDoc = ReplyDoc {
        status: Some(500),
        description: "An error of the server.",
        schema: Some(<types::OAuthError as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_NO_STORE),
            ("Access-Control-Allow-Origin", HEADER_ANY_ORIGIN),
        ],
    };
    pub const SLOW_DOWN: ReplyDoc = ReplyDoc {
        status: Some(429),
        description: "Over a limit.",
        schema: Some(<types::OAuthError as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_NO_STORE),
            ("Access-Control-Allow-Origin", HEADER_ANY_ORIGIN),
            ("Retry-After", HEADER_RETRY_AFTER),
        ],
    };
}
pub struct GetProtectedResource;
impl OperationType for GetProtectedResource {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "getProtectedResource",
        method: "GET",
        path: "/.well-known/oauth-protected-resource",
        dialect: Dialect::Oauth,
        errors: GetProtectedResourceError::CODES,
        ..OperationInfo::plain(LimitName::Unlimited)
    };
}
impl<H: Security> Guarded<H> for GetProtectedResource {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetProtectedResourceRequest {}
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
                    status: Some(200),
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
error_codes! {
    GetProtectedResourceError of "getProtectedResource" : types::OAuthError,
    [shared::OTHER_ERROR_OF_METADATA];
}
pub struct GetMcpResource;
impl OperationType for GetMcpResource {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "getMcpResource",
        method: "GET",
        path: "/.well-known/oauth-protected-resource/mcp",
        dialect: Dialect::Oauth,
        errors: GetMcpResourceError::CODES,
        ..OperationInfo::plain(LimitName::Unlimited)
    };
}
impl<H: Security> Guarded<H> for GetMcpResource {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetMcpResourceRequest {}
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
                    status: Some(200),
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
error_codes! {
    GetMcpResourceError of "getMcpResource" : types::OAuthError,
    [shared::OTHER_ERROR_OF_METADATA];
}
pub struct GetReadonlyResource;
impl OperationType for GetReadonlyResource {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "getReadonlyResource",
        method: "GET",
        path: "/.well-known/oauth-protected-resource/mcp/readonly",
        dialect: Dialect::Oauth,
        errors: GetReadonlyResourceError::CODES,
        ..OperationInfo::plain(LimitName::Unlimited)
    };
}
impl<H: Security> Guarded<H> for GetReadonlyResource {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetReadonlyResourceRequest {}
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
                    status: Some(200),
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
error_codes! {
    GetReadonlyResourceError of "getReadonlyResource" : types::OAuthError,
    [shared::OTHER_ERROR_OF_METADATA];
}
pub struct GetAuthorizationServer;
impl OperationType for GetAuthorizationServer {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "getAuthorizationServer",
        method: "GET",
        path: "/.well-known/oauth-authorization-server",
        dialect: Dialect::Oauth,
        errors: GetAuthorizationServerError::CODES,
        ..OperationInfo::plain(LimitName::Unlimited)
    };
}
impl<H: Security> Guarded<H> for GetAuthorizationServer {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetAuthorizationServerRequest {}
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
                    status: Some(200),
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
error_codes! {
    GetAuthorizationServerError of "getAuthorizationServer" : types::OAuthError,
    [shared::OTHER_ERROR_OF_METADATA];
}
pub struct RegisterClient;
impl OperationType for RegisterClient {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "registerClient",
        method: "POST",
        path: "/register",
        dialect: Dialect::Oauth,
        errors: RegisterClientError::CODES,
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &["application/x-www-form-urlencoded"],
            required: true,
            description: None,
            lists: &["redirect_uris", "grant_types", "response_types", "contacts"],
        }),
        ..OperationInfo::plain(LimitName::Register)
    };
}
impl<H: Security> Guarded<H> for RegisterClient {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct RegisterClientRequest {
    pub body: types::ClientMetadata,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum RegisterClientSuccess {
    /// The client as it was registered. Its secret is returned only here.
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
                    status: Some(201),
                    description: "The client as it was registered. Its secret is returned only here.",
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
error_codes! {
    RegisterClientError of "registerClient" : types::OAuthError, [ReplyDoc { status :
    Some(400), description : "The registration is refused.", schema : Some(<
    types::OAuthError as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_NO_STORE),
    ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN)] },
    shared::REQUEST_TOO_LARGE, shared::SLOW_DOWN, shared::SERVER_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, InvalidRedirectUri, InvalidClientMetadata,
    RequestTooLarge, SlowDown, ServerError
}
pub struct ExchangeGrant;
impl OperationType for ExchangeGrant {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "exchangeGrant",
        method: "POST",
        path: "/token",
        dialect: Dialect::Oauth,
        errors: ExchangeGrantError::CODES,
        schemes: &["client"],
        optional: true,
        body: Some(BodyInfo {
            media_types: &["application/x-www-form-urlencoded"],
            also: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        ..OperationInfo::plain(LimitName::Token)
    };
}
impl<H: Security> Guarded<H> for ExchangeGrant {
    type Principal = H::Client;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ExchangeGrantRequest {
    pub body: types::GrantRequest,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
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
                    status: Some(200),
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
error_codes! {
    ExchangeGrantError of "exchangeGrant" : types::OAuthError, [ReplyDoc { status :
    Some(400), description : "The request or the grant is not valid.", schema : Some(<
    types::OAuthError as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_NO_STORE),
    ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN)] },
    shared::INVALID_CLIENT, shared::REQUEST_TOO_LARGE, shared::SLOW_DOWN,
    shared::SERVER_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidGrant,
    InvalidScope, InvalidTarget, UnsupportedGrantType, InvalidClient, RequestTooLarge,
    SlowDown, ServerError
}
pub struct RevokeConnection;
impl OperationType for RevokeConnection {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "assistant",
        id: "revokeConnection",
        method: "POST",
        path: "/revoke",
        dialect: Dialect::Oauth,
        errors: RevokeConnectionError::CODES,
        schemes: &["client"],
        optional: true,
        body: Some(BodyInfo {
            media_types: &["application/x-www-form-urlencoded"],
            also: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        ..OperationInfo::plain(LimitName::Revoke)
    };
}
impl<H: Security> Guarded<H> for RevokeConnection {
    type Principal = H::Client;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct RevokeConnectionRequest {
    pub body: types::RevocationRequest,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum RevokeConnectionSuccess {
    /// The connection of the token is revoked, or the token is not one of this client.
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
                    status: Some(200),
                    description: "The connection of the token is revoked, or the token is not one of this client.",
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
error_codes! {
    RevokeConnectionError of "revokeConnection" : types::OAuthError, [ReplyDoc { status :
    Some(400), description : "The request is not valid.", schema : Some(<
    types::OAuthError as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_NO_STORE),
    ("Access-Control-Allow-Origin", shared::HEADER_ANY_ORIGIN)] },
    shared::INVALID_CLIENT, shared::REQUEST_TOO_LARGE, shared::SLOW_DOWN,
    shared::SERVER_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidClient,
    RequestTooLarge, SlowDown, ServerError
}
/// Metadata for clients that know only the host.
pub trait MetadataHandlers: Security {
    /// Protected resource metadata of the host
    fn get_protected_resource(
        &self,
        request: GetProtectedResourceRequest,
    ) -> impl Future<
        Output = Result<
            GetProtectedResourceSuccess,
            OperationError<GetProtectedResourceError>,
        >,
    > + Send;
    /// Protected resource metadata of /mcp
    fn get_mcp_resource(
        &self,
        request: GetMcpResourceRequest,
    ) -> impl Future<
        Output = Result<GetMcpResourceSuccess, OperationError<GetMcpResourceError>>,
    > + Send;
    /// Protected resource metadata of /mcp/readonly
    fn get_readonly_resource(
        &self,
        request: GetReadonlyResourceRequest,
    ) -> impl Future<
        Output = Result<
            GetReadonlyResourceSuccess,
            OperationError<GetReadonlyResourceError>,
        >,
    > + Send;
    /// Authorization server metadata
    fn get_authorization_server(
        &self,
        request: GetAuthorizationServerRequest,
    ) -> impl Future<
        Output = Result<
            GetAuthorizationServerSuccess,
            OperationError<GetAuthorizationServerError>,
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
        Output = Result<RegisterClientSuccess, OperationError<RegisterClientError>>,
    > + Send;
}
/// Issue, refresh and revoke tokens.
pub trait TokensHandlers: Security {
    /// Exchange a code or a refresh token
    fn exchange_grant(
        &self,
        caller: Self::Client,
        request: ExchangeGrantRequest,
    ) -> impl Future<
        Output = Result<ExchangeGrantSuccess, OperationError<ExchangeGrantError>>,
    > + Send;
    /// Revoke a connection
    fn revoke_connection(
        &self,
        caller: Self::Client,
        request: RevokeConnectionRequest,
    ) -> impl Future<
        Output = Result<RevokeConnectionSuccess, OperationError<RevokeConnectionError>>,
    > + Send;
}
/// All handler traits of the document.
pub trait Handlers: MetadataHandlers + ClientsHandlers + TokensHandlers {}
impl<T: MetadataHandlers + ClientsHandlers + TokensHandlers> Handlers for T {}
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
    ) -> Result<GetProtectedResourceSuccess, OperationError<GetProtectedResourceError>> {
        self.0.get_protected_resource(GetProtectedResourceRequest {}).await
    }
    /**Protected resource metadata of /mcp

The resource `/mcp`, and the server that issues tokens for it. RFC 9728.*/
    #[oai(
        path = "/.well-known/oauth-protected-resource/mcp",
        method = "get",
        operation_id = "getMcpResource",
        tag = "Tag::Metadata"
    )]
    async fn get_mcp_resource(
        &self,
        _guard: Guard<H, GetMcpResource>,
    ) -> Result<GetMcpResourceSuccess, OperationError<GetMcpResourceError>> {
        self.0.get_mcp_resource(GetMcpResourceRequest {}).await
    }
    /**Protected resource metadata of /mcp/readonly

The resource `/mcp/readonly`, and the server that issues tokens for it. RFC 9728.*/
    #[oai(
        path = "/.well-known/oauth-protected-resource/mcp/readonly",
        method = "get",
        operation_id = "getReadonlyResource",
        tag = "Tag::Metadata"
    )]
    async fn get_readonly_resource(
        &self,
        _guard: Guard<H, GetReadonlyResource>,
    ) -> Result<GetReadonlyResourceSuccess, OperationError<GetReadonlyResourceError>> {
        self.0.get_readonly_resource(GetReadonlyResourceRequest {}).await
    }
    /**Authorization server metadata

The endpoints and the supported features. RFC 8414.*/
    #[oai(
        path = "/.well-known/oauth-authorization-server",
        method = "get",
        operation_id = "getAuthorizationServer",
        tag = "Tag::Metadata"
    )]
    async fn get_authorization_server(
        &self,
        _guard: Guard<H, GetAuthorizationServer>,
    ) -> Result<
        GetAuthorizationServerSuccess,
        OperationError<GetAuthorizationServerError>,
    > {
        self.0.get_authorization_server(GetAuthorizationServerRequest {}).await
    }
    /**Register a client

No authentication is needed; each request creates a new client. RFC 7591.

The redirect URIs of one registration are all `https` on one host; or all of one private-use scheme; or
loopback URIs, with or without additional `https` URIs on any hosts.

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
    ) -> Result<RegisterClientSuccess, OperationError<RegisterClientError>> {
        self.0
            .register_client(RegisterClientRequest {
                body: body.value,
                sent: body.sent,
            })
            .await
    }
    /**Exchange a code or a refresh token

With `grant_type=authorization_code` the parameters are `code`, `code_verifier`, and `redirect_uri` as at
`/authorize`. With `grant_type=refresh_token` they are `refresh_token` and optionally `scope`, which must not be
wider than the grant. With either grant type `resource`, if sent, must be the resource of the grant.

A client with a secret authenticates by HTTP Basic, or by `client_id` and `client_secret` in the body. If a
request has both, only Basic is used. A public client sends only its `client_id`, without Basic. A request
without a body gets `invalid_request`. Unknown parameters are ignored, an empty parameter counts as absent, no
parameter may be sent twice, and the query is not read.

The response is `invalid_grant` if the code or refresh token is unknown, expired, used or of another client; if
the verifier or the redirect URI is wrong; if the connection was revoked; if the person is no longer an active
employee; or if the company no longer allows the connection. If the client sends a used code or a spent refresh
token, the connection is revoked. If a refresh requests a narrower `scope`, it applies only to the new access
token.*/
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
    ) -> Result<ExchangeGrantSuccess, OperationError<ExchangeGrantError>> {
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
    /**Revoke a connection

Revokes the connection of an access or refresh token, even if the token is spent or expired. RFC 7009. If the
token is unknown, already revoked or another client's, nothing changes, and the response is the same.
`token_type_hint` is ignored. The client authenticates as at `/token`; a public client sends only its
`client_id`.*/
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
    ) -> Result<RevokeConnectionSuccess, OperationError<RevokeConnectionError>> {
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
