// @generated from openapi/assistant.yaml by codegen/. Do not edit.

#[allow(unused_imports)]
pub use progenitor_client::{ByteStream, ClientInfo, Error, ResponseValue};
#[allow(unused_imports)]
use progenitor_client::{encode_path, ClientHooks, OperationInfo, RequestBuilderExt};
/// Types used as operation parameters and responses.
#[allow(clippy::all)]
pub mod types {
    ///How the token is sent.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Copy,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    pub enum AccessTokenType {
        Bearer,
    }
    impl ::std::fmt::Display for AccessTokenType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Bearer => f.write_str("Bearer"),
            }
        }
    }
    impl ::std::str::FromStr for AccessTokenType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "Bearer" => Ok(Self::Bearer),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for AccessTokenType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for AccessTokenType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A right of a connection. More rights may be added.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    #[serde(transparent)]
    pub struct AssistantScope(pub ::std::string::String);
    impl ::std::ops::Deref for AssistantScope {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<AssistantScope> for ::std::string::String {
        fn from(value: AssistantScope) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for AssistantScope {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for AssistantScope {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for AssistantScope {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///How a client authenticates.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Copy,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    pub enum AuthMethod {
        #[serde(rename = "none")]
        None,
        #[serde(rename = "client_secret_basic")]
        ClientSecretBasic,
        #[serde(rename = "client_secret_post")]
        ClientSecretPost,
    }
    impl ::std::fmt::Display for AuthMethod {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::None => f.write_str("none"),
                Self::ClientSecretBasic => f.write_str("client_secret_basic"),
                Self::ClientSecretPost => f.write_str("client_secret_post"),
            }
        }
    }
    impl ::std::str::FromStr for AuthMethod {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "none" => Ok(Self::None),
                "client_secret_basic" => Ok(Self::ClientSecretBasic),
                "client_secret_post" => Ok(Self::ClientSecretPost),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for AuthMethod {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for AuthMethod {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///An `AuthMethod` of the server or of a client. More methods may be added.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    #[serde(transparent)]
    pub struct AuthMethodValue(pub ::std::string::String);
    impl ::std::ops::Deref for AuthMethodValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<AuthMethodValue> for ::std::string::String {
        fn from(value: AuthMethodValue) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for AuthMethodValue {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for AuthMethodValue {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for AuthMethodValue {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///Metadata of the authorization server (RFC 8414).
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AuthorizationServer {
        ///The URL that the client opens in a browser.
        pub authorization_endpoint: ::std::string::String,
        pub authorization_response_iss_parameter_supported: Supported,
        pub client_id_metadata_document_supported: Supported,
        ///Methods of PKCE.
        pub code_challenge_methods_supported: ::std::vec::Vec<ChallengeMethod>,
        ///Supported grant types.
        pub grant_types_supported: ::std::vec::Vec<GrantTypeValue>,
        ///The issuer. Compare `iss` with this value, as strings.
        pub issuer: ::std::string::String,
        ///The URL to register clients.
        pub registration_endpoint: ::std::string::String,
        ///Supported response types.
        pub response_types_supported: ::std::vec::Vec<ResponseTypeValue>,
        ///The URL to revoke connections.
        pub revocation_endpoint: ::std::string::String,
        ///How a client authenticates at the revocation endpoint.
        pub revocation_endpoint_auth_methods_supported: ::std::vec::Vec<AuthMethodValue>,
        ///Scopes of all resources.
        pub scopes_supported: ::std::vec::Vec<AssistantScope>,
        ///A page for developers.
        pub service_documentation: ::std::string::String,
        ///The URL to exchange codes and refresh tokens.
        pub token_endpoint: ::std::string::String,
        ///How a client authenticates at the token endpoint.
        pub token_endpoint_auth_methods_supported: ::std::vec::Vec<AuthMethodValue>,
    }
    ///A method to send a token. More methods may be added.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    #[serde(transparent)]
    pub struct BearerMethod(pub ::std::string::String);
    impl ::std::ops::Deref for BearerMethod {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<BearerMethod> for ::std::string::String {
        fn from(value: BearerMethod) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for BearerMethod {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for BearerMethod {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for BearerMethod {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///A method to derive a PKCE challenge. More methods may be added.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    #[serde(transparent)]
    pub struct ChallengeMethod(pub ::std::string::String);
    impl ::std::ops::Deref for ChallengeMethod {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ChallengeMethod> for ::std::string::String {
        fn from(value: ChallengeMethod) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for ChallengeMethod {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for ChallengeMethod {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for ChallengeMethod {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///The metadata of a client. Unknown members are ignored. The eight members from `logo_uri` on have together at most 4096 bytes as compact JSON; they are stored, and neither fetched nor shown.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ClientMetadata {
        ///1 to 100 printable characters, counted in Unicode normalization form C, without a space at either end. `maxLength` is higher, because another form of the same text can be longer. The name must not contain the service's name, its maker's name, one of the words admin, system and support, or text that looks like these.
        pub client_name: ClientMetadataClientName,
        ///Address of the client's page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_uri: ::std::option::Option<::std::string::String>,
        ///Contact addresses of the client's developers.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub contacts: ::std::vec::Vec<::std::string::String>,
        ///Both grant types if absent. A list must contain `authorization_code`. Repeated values count once.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub grant_types: ::std::vec::Vec<GrantType>,
        ///Address of a logo.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub logo_uri: ::std::option::Option<::std::string::String>,
        ///Address of the privacy policy.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub policy_uri: ::std::option::Option<::std::string::String>,
        ///The URIs to which codes may be sent.
        pub redirect_uris: ::std::vec::Vec<::std::string::String>,
        ///Only `["code"]` is accepted, which is also the value if the member is absent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub response_types: ::std::option::Option<[ResponseType; 1usize]>,
        ///Scopes that the client intends to request, separated by spaces.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scope: ::std::option::Option<::std::string::String>,
        ///Id of the software, the same for all of its installations.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub software_id: ::std::option::Option<::std::string::String>,
        ///Version of the software.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub software_version: ::std::option::Option<::std::string::String>,
        ///`client_secret_basic` when absent. Clients with one of the two secret methods get a secret.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub token_endpoint_auth_method: ::std::option::Option<AuthMethod>,
        ///Address of the terms of service.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub tos_uri: ::std::option::Option<::std::string::String>,
    }
    ///1 to 100 printable characters, counted in Unicode normalization form C, without a space at either end. `maxLength` is higher, because another form of the same text can be longer. The name must not contain the service's name, its maker's name, one of the words admin, system and support, or text that looks like these.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ClientMetadataClientName(::std::string::String);
    impl ::std::ops::Deref for ClientMetadataClientName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ClientMetadataClientName> for ::std::string::String {
        fn from(value: ClientMetadataClientName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ClientMetadataClientName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 400usize {
                return Err("longer than 400 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ClientMetadataClientName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ClientMetadataClientName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ClientMetadataClientName {
        fn deserialize<D>(deserializer: D) -> ::std::result::Result<Self, D::Error>
        where
            D: ::serde::Deserializer<'de>,
        {
            ::std::string::String::deserialize(deserializer)?
                .parse()
                .map_err(|e: self::error::ConversionError| {
                    <D::Error as ::serde::de::Error>::custom(e.to_string())
                })
        }
    }
    ///The client as it was registered.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ClientRegistration {
        ///Begins with `mcpc_`.
        pub client_id: ::std::string::String,
        ///When the client was registered, in seconds since 1970.
        pub client_id_issued_at: i64,
        ///The client's name in Unicode normalization form C.
        pub client_name: ::std::string::String,
        ///Returned only here; absent for a public client.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_secret: ::std::option::Option<::std::string::String>,
        ///0: the secret does not expire. Absent for a public client.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_secret_expires_at: ::std::option::Option<i64>,
        ///Address of the client's page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_uri: ::std::option::Option<::std::string::String>,
        ///Contact addresses of the client's developers.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub contacts: ::std::vec::Vec<::std::string::String>,
        ///The grant types that the client may use.
        pub grant_types: ::std::vec::Vec<GrantTypeValue>,
        ///Address of a logo.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub logo_uri: ::std::option::Option<::std::string::String>,
        ///Address of the privacy policy.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub policy_uri: ::std::option::Option<::std::string::String>,
        ///The URIs to which codes may be sent.
        pub redirect_uris: ::std::vec::Vec<::std::string::String>,
        ///Always `["code"]`.
        pub response_types: ::std::vec::Vec<ResponseTypeValue>,
        ///Scopes that the client intends to request, separated by spaces.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scope: ::std::option::Option<::std::string::String>,
        ///Id of the software, the same for all of its installations.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub software_id: ::std::option::Option<::std::string::String>,
        ///Version of the software.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub software_version: ::std::option::Option<::std::string::String>,
        pub token_endpoint_auth_method: AuthMethodValue,
        ///Address of the terms of service.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub tos_uri: ::std::option::Option<::std::string::String>,
    }
    ///A code or a refresh token to exchange.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct GrantRequest {
        ///The client id, if the client does not use HTTP Basic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_id: ::std::option::Option<::std::string::String>,
        ///The client secret, if the client has a secret and does not use HTTP Basic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_secret: ::std::option::Option<::std::string::String>,
        ///The authorization code. Required with `authorization_code`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub code: ::std::option::Option<::std::string::String>,
        ///The PKCE verifier, 43 to 128 characters. Required with `authorization_code`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub code_verifier: ::std::option::Option<::std::string::String>,
        ///`authorization_code` or `refresh_token`.
        pub grant_type: ::std::string::String,
        ///The same URI as at `/authorize`, port included. Required with `authorization_code`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub redirect_uri: ::std::option::Option<::std::string::String>,
        ///The refresh token. Required with `refresh_token`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub refresh_token: ::std::option::Option<::std::string::String>,
        ///The resource of the grant. It may be left out.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub resource: ::std::option::Option<::std::string::String>,
        ///With `refresh_token`, scopes separated by spaces; all scopes of the grant when absent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scope: ::std::option::Option<::std::string::String>,
    }
    ///A way to get tokens.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Copy,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    pub enum GrantType {
        #[serde(rename = "authorization_code")]
        AuthorizationCode,
        #[serde(rename = "refresh_token")]
        RefreshToken,
    }
    impl ::std::fmt::Display for GrantType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::AuthorizationCode => f.write_str("authorization_code"),
                Self::RefreshToken => f.write_str("refresh_token"),
            }
        }
    }
    impl ::std::str::FromStr for GrantType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "authorization_code" => Ok(Self::AuthorizationCode),
                "refresh_token" => Ok(Self::RefreshToken),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for GrantType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for GrantType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A `GrantType` of the server or of a client. More grant types may be added.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    #[serde(transparent)]
    pub struct GrantTypeValue(pub ::std::string::String);
    impl ::std::ops::Deref for GrantTypeValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<GrantTypeValue> for ::std::string::String {
        fn from(value: GrantTypeValue) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for GrantTypeValue {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for GrantTypeValue {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for GrantTypeValue {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///No members.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[serde(transparent)]
    pub struct Nothing(
        pub ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    );
    impl ::std::ops::Deref for Nothing {
        type Target = ::serde_json::Map<::std::string::String, ::serde_json::Value>;
        fn deref(
            &self,
        ) -> &::serde_json::Map<::std::string::String, ::serde_json::Value> {
            &self.0
        }
    }
    impl ::std::convert::From<Nothing>
    for ::serde_json::Map<::std::string::String, ::serde_json::Value> {
        fn from(value: Nothing) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    > for Nothing {
        fn from(
            value: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        ) -> Self {
            Self(value)
        }
    }
    ///Why the request failed (RFC 6749).
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct OAuthError {
        ///The error code. Treat an unknown code as a generic failure of its status.
        pub error: ::std::string::String,
        ///A description of the error for people, in ASCII.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub error_description: ::std::option::Option<::std::string::String>,
    }
    ///Metadata of a protected resource (RFC 9728).
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ProtectedResource {
        ///Only the issuer.
        pub authorization_servers: ::std::vec::Vec<::std::string::String>,
        ///How a token is sent: in the header `Authorization`.
        pub bearer_methods_supported: ::std::vec::Vec<BearerMethod>,
        ///The resource's own URL.
        pub resource: ::std::string::String,
        ///A page for developers.
        pub resource_documentation: ::std::string::String,
        ///The service's name.
        pub resource_name: ::std::string::String,
        ///Scopes of the resource.
        pub scopes_supported: ::std::vec::Vec<AssistantScope>,
    }
    ///The result of an authorization.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Copy,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    pub enum ResponseType {
        #[serde(rename = "code")]
        Code,
    }
    impl ::std::fmt::Display for ResponseType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Code => f.write_str("code"),
            }
        }
    }
    impl ::std::str::FromStr for ResponseType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "code" => Ok(Self::Code),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ResponseType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ResponseType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A `ResponseType` of the server or of a client. More response types may be added.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    #[serde(transparent)]
    pub struct ResponseTypeValue(pub ::std::string::String);
    impl ::std::ops::Deref for ResponseTypeValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ResponseTypeValue> for ::std::string::String {
        fn from(value: ResponseTypeValue) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for ResponseTypeValue {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for ResponseTypeValue {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for ResponseTypeValue {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///The token whose connection is revoked.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct RevocationRequest {
        ///The client id, if the client does not use HTTP Basic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_id: ::std::option::Option<::std::string::String>,
        ///The client secret, if the client has a secret and does not use HTTP Basic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_secret: ::std::option::Option<::std::string::String>,
        ///An access or refresh token.
        pub token: ::std::string::String,
        ///Ignored.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub token_type_hint: ::std::option::Option<::std::string::String>,
    }
    ///Always true.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[serde(transparent)]
    pub struct Supported(pub bool);
    impl ::std::ops::Deref for Supported {
        type Target = bool;
        fn deref(&self) -> &bool {
            &self.0
        }
    }
    impl ::std::convert::From<Supported> for bool {
        fn from(value: Supported) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<bool> for Supported {
        fn from(value: bool) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for Supported {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for Supported {
        type Err = <bool as ::std::str::FromStr>::Err;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.parse()?))
        }
    }
    impl ::std::convert::TryFrom<&str> for Supported {
        type Error = <bool as ::std::str::FromStr>::Err;
        fn try_from(value: &str) -> ::std::result::Result<Self, Self::Error> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<String> for Supported {
        type Error = <bool as ::std::str::FromStr>::Err;
        fn try_from(value: String) -> ::std::result::Result<Self, Self::Error> {
            value.parse()
        }
    }
    ///A pair of tokens.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Tokens {
        ///`svc_mcp_at_live_…`, or `svc_mcp_at_test_…` outside production.
        pub access_token: ::std::string::String,
        ///Lifetime of the access token in seconds, 3600.
        pub expires_in: i64,
        ///`svc_mcp_rt_live_…`, or `svc_mcp_rt_test_…` outside production.
        pub refresh_token: ::std::string::String,
        ///Scopes of the access token, separated by spaces.
        pub scope: ::std::string::String,
        pub token_type: AccessTokenType,
    }
    /// Error types.
    pub mod error {
        /// Error from a `TryFrom` or `FromStr` implementation.
        pub struct ConversionError(::std::borrow::Cow<'static, str>);
        impl ::std::error::Error for ConversionError {}
        impl ::std::fmt::Display for ConversionError {
            fn fmt(
                &self,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> Result<(), ::std::fmt::Error> {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
        impl ::std::fmt::Debug for ConversionError {
            fn fmt(
                &self,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> Result<(), ::std::fmt::Error> {
                ::std::fmt::Debug::fmt(&self.0, f)
            }
        }
        impl From<&'static str> for ConversionError {
            fn from(value: &'static str) -> Self {
                Self(value.into())
            }
        }
        impl From<String> for ConversionError {
            fn from(value: String) -> Self {
                Self(value.into())
            }
        }
    }
}
#[derive(Clone, Debug)]
/**Client for Switchboard assistant API

An MCP client connects here and then acts for one employee in one company. The client connects by OAuth 2.1 with
PKCE: the employee signs in, picks one company and approves on a consent page, and the client gets an access token
and a refresh token.

One host, written `{mcp_url}`, is the OAuth issuer, the authorization server and the resource server. Its tokens
are not those of the bot API: an assistant's token is refused below `/v1`, and a bot token is refused here.

# Resources and scopes

| Resource | Scopes |
|-|-|
| `{mcp_url}/mcp` | `service:read`, `service:write` |
| `{mcp_url}/mcp/readonly` | `service:read` |

`service:read` allows every read tool, `service:write` every write tool. There is no scope for offline access: every
connection gets a refresh token. A token for `/mcp` also works on `/mcp/readonly`, which lists only the read tools.
A token for `/mcp/readonly` works only there.

# Connecting

1. Read the metadata: a client that knows only the resource finds the issuer in
   `/.well-known/oauth-protected-resource/mcp`, and the endpoints in `/.well-known/oauth-authorization-server`.
2. Identify the client: publish a metadata document and use its URL as `client_id`, or register at `/register`.
3. Open `/authorize` in the employee's browser, with a PKCE challenge.
4. Compare `iss` in the redirect from `/authorize` with the issuer, then exchange the code at `/token`.
5. Refresh at `/token` within 30 days of the exchange or the last refresh.
6. To end the connection, revoke it at `/revoke`.

# Clients

**By metadata document** (preferred). `client_id` is an `https://` URL with a path, at most 2048 bytes, without
fragment, user name, dot segments, backslash, control and non-ASCII characters. The document at this URL is a JSON
object. Its `client_id` is the URL, and its `redirect_uris` contain the requested redirect URI. Its
`token_endpoint_auth_method` is absent or `none`, and it has no `client_secret`. With any other method, or with a
secret, `/authorize` returns `invalid_client`.

The document is fetched over HTTPS from a public address. The response must have status 200 and no content coding,
must not be a redirect, must arrive within 3 seconds, and may have at most 10 240 bytes. A valid document is cached
for the `max-age` of its `Cache-Control`, but at least 5 minutes and at most 24 hours; without `max-age`, or with
`no-store`, it is cached for 5 minutes. A failure is not cached. One URL is fetched at most 5 times in 10 minutes.
If a document changes, existing connections do not change.

**By registration**, at `/register`. The client id begins with `mcpc_`. A registered client that has never completed
a connection is deleted 30 days after its registration.

A redirect URI is one of these:

- an `https` URI on any host;
- a loopback URI: `http` on `127.0.0.1`, `localhost` or `[::1]`, with any port;
- a URI of a private-use scheme. The scheme contains a period, as in `com.example.app:/callback`, or is that of a
  known code editor, such as `vscode`.

A redirect URI has no fragment and no user name. At `/authorize` it must equal one of the client's redirect URIs
byte by byte, except that a loopback URI may have another port.

# Names and blocks

Every client has a block key, by which a company's admins block it:

| Client | Block key |
|-|-|
| metadata document, https redirect | host of the `client_id` URL |
| metadata document, loopback or private-use redirect | `local:` and the host of the `client_id` URL |
| registered, https redirects | host of the redirect URIs |
| registered, loopback redirects | `local:` and the lower-case `client_name` |
| registered, loopback and https redirects | `local:`, the lower-case `client_name`, and `@web` |
| registered, private-use scheme | the scheme |

The consent page and the messages sent through a client show the client's display name. Clients of well-known hosts
have fixed display names. The display name of any other client is its `client_name`, cut to 40 characters. If the
name in a metadata document is missing, is not allowed at `/register`, or contains the fixed name of another host,
the host of the `client_id` URL is shown instead. The consent page marks registered clients as unverified.

# Tokens

| Item | Form | Lifetime |
|-|-|-|
| authorization request | | 10 minutes |
| authorization code | single use | 10 minutes from the approval |
| access token | `svc_mcp_at_live_…` | 1 hour |
| refresh token | `svc_mcp_rt_live_…`, single use | 30 days from issue |

Outside production tokens contain `_test_` instead of `_live_`. Tokens are opaque. A refresh returns a new pair of
tokens and invalidates the old pair immediately. The refresh token of an old pair is called *spent*. If a client
sends a spent refresh token of any age, or a used code, the whole connection is revoked. So a client that loses the
response to a refresh has to connect again. The operator may allow an exception for at most 60 seconds after a
refresh: if the client repeats the refresh in this time, the response has the same new tokens again.

# Calling

With its access token a client uses the Model Context Protocol at `/mcp` or `/mcp/readonly`, by Streamable HTTP, in
one of the versions `2026-07-28`, `2025-11-25` and `2025-06-18`. In `2026-07-28` each request is independent. In the
other two versions `initialize` begins a session. The response to `initialize` and every later request have the
session's id in `Mcp-Session-Id`. A session belongs to its connection. It ends by `DELETE`, after 10 idle minutes,
or when its connection ends, for example because a newer connection has replaced the connection.

For every request the server checks the token, the connection, the employee, whether the company allows assistants,
and whether the company blocks the client.

# Errors

Failures are JSON in the format of RFC 6749, `{"error": "…", "error_description": "…"}`. The description is for
people and optional. Any request may also get 405 (with `Allow`), 408 (the whole body did not arrive within 10
seconds), 414 and 431 as `invalid_request`, and 503 as `server_error` with `Retry-After`. An unknown path gets 404
`not_found`. The MCP endpoints also return JSON-RPC errors.

# Limits

| Requests | Limit |
|-|-|
| `/register` | 20 per hour and address |
| `/authorize` | 30 per minute and address |
| `/token`, `/revoke` | each 60 per minute and address, and 20 per minute and `client_id` |
| `/mcp`, `/mcp/readonly` | together 120 per minute and employee by default |

The 20 requests of a `client_id` are counted in two ways. All requests that name the client are counted separately
for each address. Requests that are proved to be the client's (by its secret, or for a public client by its own code
or token) are also counted over all addresses together. All addresses of an IPv6 /64 count as one address. A request
over a limit gets 429 `slow_down`, at the MCP endpoints 429 `rate_limited`; wait the seconds of `Retry-After`. A
request body has at most 1 048 576 bytes. Bodies over 16 KiB to `/register`, `/token` and `/revoke` together are
limited to one per second and address, in bursts of 20.

# Browsers

Scripts of any origin may use the metadata, `/token`, `/register` and `/revoke`, without cookies. Scripts of `https`
origins and of loopback `http` origins may use the MCP endpoints, which refuse any other `Origin` with 403.

# Extensions of this document

| Member | Meaning |
|-|-|
| `x-limit` | the rate limit of the operation |
| `x-extensible-enum` | the current values; further values may be added, so accept any value |
| `x-invalid-code` | the error code of a missing or malformed value, if the code is not `invalid_request` |
| `x-unknown-member-code` | the error code if a member that is not described here contains U+0000 |
| `x-ambient-headers` | headers that any response may have |
| `x-also-accepts` | other media types in which the same body is accepted |
| `x-dialect` | the format of failures: that of RFC 6749 |
| `x-outside` | an operation or schema of the MCP implementation or of a page, for which no code is generated from this document |

Version: 1.0.0*/
pub struct Client {
    pub(crate) baseurl: String,
    pub(crate) client: reqwest::Client,
}
impl Client {
    /// Create a new client.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub fn new(baseurl: &str) -> Self {
        #[cfg(not(target_arch = "wasm32"))]
        let client = {
            let dur = ::std::time::Duration::from_secs(15u64);
            reqwest::ClientBuilder::new().connect_timeout(dur).timeout(dur)
        };
        #[cfg(target_arch = "wasm32")]
        let client = reqwest::ClientBuilder::new();
        Self::new_with_client(baseurl, client.build().unwrap())
    }
    /// Construct a new client with an existing `reqwest::Client`,
    /// allowing more control over its configuration.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub fn new_with_client(baseurl: &str, client: reqwest::Client) -> Self {
        Self {
            baseurl: baseurl.to_string(),
            client,
        }
    }
}
impl ClientInfo<()> for Client {
    fn api_version() -> &'static str {
        "1.0.0"
    }
    fn baseurl(&self) -> &str {
        self.baseurl.as_str()
    }
    fn client(&self) -> &reqwest::Client {
        &self.client
    }
    fn inner(&self) -> &() {
        &()
    }
}
impl ClientHooks<()> for &Client {}
#[allow(clippy::all)]
impl Client {
    /**Authorization server metadata

The endpoints and the supported features. RFC 8414.

Sends a `GET` request to `/.well-known/oauth-authorization-server`

*/
    pub async fn get_authorization_server<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::AuthorizationServer>, Error<()>> {
        let url = format!("{}/.well-known/oauth-authorization-server", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_authorization_server",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Protected resource metadata of the host

The same document as for `/mcp`, for clients that look at the root only. RFC 9728.

Sends a `GET` request to `/.well-known/oauth-protected-resource`

*/
    pub async fn get_protected_resource<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::ProtectedResource>, Error<()>> {
        let url = format!("{}/.well-known/oauth-protected-resource", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_protected_resource",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Protected resource metadata of /mcp

The resource `/mcp`, and the server that issues tokens for it. RFC 9728.

Sends a `GET` request to `/.well-known/oauth-protected-resource/mcp`

*/
    pub async fn get_mcp_resource<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::ProtectedResource>, Error<()>> {
        let url = format!("{}/.well-known/oauth-protected-resource/mcp", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_mcp_resource",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Protected resource metadata of /mcp/readonly

The resource `/mcp/readonly`, and the server that issues tokens for it. RFC 9728.

Sends a `GET` request to `/.well-known/oauth-protected-resource/mcp/readonly`

*/
    pub async fn get_readonly_resource<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::ProtectedResource>, Error<()>> {
        let url = format!(
            "{}/.well-known/oauth-protected-resource/mcp/readonly", self.baseurl,
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_readonly_resource",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Register a client

No authentication is needed; each request creates a new client. RFC 7591.

The redirect URIs of one registration are all `https` on one host; or all of one private-use scheme; or
loopback URIs, with or without additional `https` URIs on any hosts.

In a form body arrays are repeated keys: `redirect_uris=…&redirect_uris=…`.

Sends a `POST` request to `/register`

*/
    pub async fn register_client<'a>(
        &'a self,
        body: &'a types::ClientMetadata,
    ) -> Result<ResponseValue<types::ClientRegistration>, Error<types::OAuthError>> {
        let url = format!("{}/register", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "register_client",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            201u16 => ResponseValue::from_response(response).await,
            400u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            429u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Revoke a connection

Revokes the connection of an access or refresh token, even if the token is spent or expired. RFC 7009. If the
token is unknown, already revoked or another client's, nothing changes, and the response is the same.
`token_type_hint` is ignored. The client authenticates as at `/token`; a public client sends only its
`client_id`.

Sends a `POST` request to `/revoke`

*/
    pub async fn revoke_connection<'a>(
        &'a self,
        body: &'a types::RevocationRequest,
    ) -> Result<ResponseValue<types::Nothing>, Error<types::OAuthError>> {
        let url = format!("{}/revoke", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "revoke_connection",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            429u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
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
token.

Sends a `POST` request to `/token`

*/
    pub async fn exchange_grant<'a>(
        &'a self,
        body: &'a types::GrantRequest,
    ) -> Result<ResponseValue<types::Tokens>, Error<types::OAuthError>> {
        let url = format!("{}/token", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "exchange_grant",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            429u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Revoke a connection

Revokes the connection of an access or refresh token, even if the token is spent or expired. RFC 7009. If the
token is unknown, already revoked or another client's, nothing changes, and the response is the same.
`token_type_hint` is ignored. The client authenticates as at `/token`; a public client sends only its
`client_id`.

Sends a `POST` request to `/revoke#Form`

*/
    pub async fn revoke_connection_form<'a>(
        &'a self,
        body: &'a types::RevocationRequest,
    ) -> Result<ResponseValue<types::Nothing>, Error<types::OAuthError>> {
        let url = format!("{}/revoke#Form", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .form_urlencoded(&body)?
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "revoke_connection_form",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            429u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
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
token.

Sends a `POST` request to `/token#Form`

*/
    pub async fn exchange_grant_form<'a>(
        &'a self,
        body: &'a types::GrantRequest,
    ) -> Result<ResponseValue<types::Tokens>, Error<types::OAuthError>> {
        let url = format!("{}/token#Form", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .form_urlencoded(&body)?
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "exchange_grant_form",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            429u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
}
/// Items consumers will typically use such as the Client.
pub mod prelude {
    #[allow(unused_imports)]
    pub use super::Client;
}
