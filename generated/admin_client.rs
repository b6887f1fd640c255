// @generated from openapi/admin.yaml by codegen/. Do not edit.

#[allow(unused_imports)]
pub use progenitor_client::{ByteStream, ClientInfo, Error, ResponseValue};
#[allow(unused_imports)]
use progenitor_client::{encode_path, ClientHooks, OperationInfo, RequestBuilderExt};
/// Types used as operation parameters and responses.
#[allow(clippy::all)]
pub mod types {
    ///An app that companies can install.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct App {
        ///The URL to which events are sent; null for an app that gets no events.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub callback_url: ::std::option::Option<::std::string::String>,
        ///Begins with `svc_app_`.
        pub client_id: ::std::string::String,
        ///When it was created.
        pub created_at: ::std::string::String,
        ///Whether the operator has disabled the app.
        pub disabled: bool,
        ///`app_` id.
        pub id: ::std::string::String,
        ///Name of the app and of its bot users.
        pub name: ::std::string::String,
        ///The URIs to which the install page may send the install code. The `redirect_uri` of a request to install the app must be identical to one of them.
        pub redirect_uris: ::std::vec::Vec<::std::string::String>,
        ///The scopes that an installation may be granted.
        pub scopes: ::std::vec::Vec<ScopeValue>,
    }
    ///An app to register.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AppCreate {
        ///The URL to which events are sent: `https` with a public host. In development, the hosts in the setting `allow_private_hosts` may be private and use `http`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub callback_url: ::std::option::Option<AppCreateCallbackUrl>,
        ///Name of the app and of its bot users.
        pub name: AppCreateName,
        ///The URIs to which the install page may send the install code. The `redirect_uri` of a request to install the app must be identical to one of them.
        pub redirect_uris: ::std::vec::Vec<AppCreateRedirectUrisItem>,
        ///The scopes that an installation may be granted.
        pub scopes: ::std::vec::Vec<Scope>,
    }
    ///The URL to which events are sent: `https` with a public host. In development, the hosts in the setting `allow_private_hosts` may be private and use `http`.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct AppCreateCallbackUrl(::std::string::String);
    impl ::std::ops::Deref for AppCreateCallbackUrl {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<AppCreateCallbackUrl> for ::std::string::String {
        fn from(value: AppCreateCallbackUrl) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for AppCreateCallbackUrl {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 2048usize {
                return Err("longer than 2048 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^https?://[^\\s#]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^https?://[^\\s#]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for AppCreateCallbackUrl {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for AppCreateCallbackUrl {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for AppCreateCallbackUrl {
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
    ///Name of the app and of its bot users.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct AppCreateName(::std::string::String);
    impl ::std::ops::Deref for AppCreateName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<AppCreateName> for ::std::string::String {
        fn from(value: AppCreateName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for AppCreateName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for AppCreateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for AppCreateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for AppCreateName {
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
    ///`AppCreateRedirectUrisItem`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct AppCreateRedirectUrisItem(::std::string::String);
    impl ::std::ops::Deref for AppCreateRedirectUrisItem {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<AppCreateRedirectUrisItem> for ::std::string::String {
        fn from(value: AppCreateRedirectUrisItem) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for AppCreateRedirectUrisItem {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 2048usize {
                return Err("longer than 2048 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^https?://[^\\s#]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^https?://[^\\s#]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for AppCreateRedirectUrisItem {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for AppCreateRedirectUrisItem {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for AppCreateRedirectUrisItem {
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
    ///A new app and its secrets.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AppCreated {
        pub app: App,
        ///Begins with `svc_app_`.
        pub client_id: ::std::string::String,
        ///Begins with `svc_sec_`. No other operation returns it.
        pub client_secret: ::std::string::String,
        pub ok: True,
        ///Begins with `whsec_`. No other operation returns it.
        pub signing_secret: ::std::string::String,
    }
    ///One page of apps.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AppPage {
        ///The apps of the page, oldest first.
        pub apps: ::std::vec::Vec<App>,
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
    }
    ///One app.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AppResult {
        pub app: App,
        pub ok: True,
    }
    ///Changes to an app.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct AppUpdate {
        ///The URL to which events are sent, including retries of earlier events. Null if the app is to get no events.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub callback_url: ::std::option::Option<AppUpdateCallbackUrl>,
        ///True disables the app in every company and disconnects its installations.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub disabled: ::std::option::Option<bool>,
        ///Name of the app and of its bot users.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<AppUpdateName>,
        ///Replaces the list.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub redirect_uris: ::std::vec::Vec<AppUpdateRedirectUrisItem>,
        ///Replaces the list; installations keep what they were granted.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scopes: ::std::option::Option<::std::vec::Vec<Scope>>,
    }
    ///The URL to which events are sent, including retries of earlier events. Null if the app is to get no events.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct AppUpdateCallbackUrl(::std::string::String);
    impl ::std::ops::Deref for AppUpdateCallbackUrl {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<AppUpdateCallbackUrl> for ::std::string::String {
        fn from(value: AppUpdateCallbackUrl) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for AppUpdateCallbackUrl {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 2048usize {
                return Err("longer than 2048 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^https?://[^\\s#]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^https?://[^\\s#]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for AppUpdateCallbackUrl {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for AppUpdateCallbackUrl {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for AppUpdateCallbackUrl {
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
    ///Name of the app and of its bot users.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct AppUpdateName(::std::string::String);
    impl ::std::ops::Deref for AppUpdateName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<AppUpdateName> for ::std::string::String {
        fn from(value: AppUpdateName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for AppUpdateName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for AppUpdateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for AppUpdateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for AppUpdateName {
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
    ///`AppUpdateRedirectUrisItem`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct AppUpdateRedirectUrisItem(::std::string::String);
    impl ::std::ops::Deref for AppUpdateRedirectUrisItem {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<AppUpdateRedirectUrisItem> for ::std::string::String {
        fn from(value: AppUpdateRedirectUrisItem) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for AppUpdateRedirectUrisItem {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 2048usize {
                return Err("longer than 2048 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^https?://[^\\s#]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^https?://[^\\s#]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for AppUpdateRedirectUrisItem {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for AppUpdateRedirectUrisItem {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for AppUpdateRedirectUrisItem {
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
    ///An assistant's OAuth client, which is registered or has a metadata document.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AssistantClient {
        ///The block keys of the client. The redirect URI of a connection determines which key applies.
        pub block_keys: ::std::vec::Vec<::std::string::String>,
        ///Begins with `mcpc_`, or is the URL of the client's metadata document.
        pub client_id: ::std::string::String,
        ///When it was registered, or when its metadata document was first fetched.
        pub created_at: ::std::string::String,
        ///The client's name as people see it.
        pub display_name: ::std::string::String,
        pub kind: ClientKind,
        ///When a connection of the client was last created or refreshed; null if there was none.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub last_used_at: ::std::option::Option<::std::string::String>,
    }
    ///One page of assistant clients.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AssistantClientPage {
        ///The clients of the page.
        pub assistant_clients: ::std::vec::Vec<AssistantClient>,
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
    }
    ///Who sends the drafts of assistants: `direct`, the assistant itself by calling `send_draft`; `confirm`, the employee, who confirms each draft on the page /drafts.
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
    pub enum AssistantSends {
        #[serde(rename = "direct")]
        Direct,
        #[serde(rename = "confirm")]
        Confirm,
    }
    impl ::std::fmt::Display for AssistantSends {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Direct => f.write_str("direct"),
                Self::Confirm => f.write_str("confirm"),
            }
        }
    }
    impl ::std::str::FromStr for AssistantSends {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "direct" => Ok(Self::Direct),
                "confirm" => Ok(Self::Confirm),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for AssistantSends {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for AssistantSends {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The `AssistantSends` of a company. More values may be added.
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
    pub struct AssistantSendsValue(pub ::std::string::String);
    impl ::std::ops::Deref for AssistantSendsValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<AssistantSendsValue> for ::std::string::String {
        fn from(value: AssistantSendsValue) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for AssistantSendsValue {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for AssistantSendsValue {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for AssistantSendsValue {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///A block key that a company has blocked.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ClientBlock {
        ///When it was blocked.
        pub created_at: ::std::string::String,
        ///Name of the clients with this key: the fixed name of a well-known key, otherwise the name that was known when the key was blocked. Null if no name was known.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub display_name: ::std::option::Option<::std::string::String>,
        ///The block key.
        pub key: ::std::string::String,
    }
    ///One page of blocks.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ClientBlockPage {
        ///The blocks of the page.
        pub client_blocks: ::std::vec::Vec<ClientBlock>,
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
    }
    ///The result of a block.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ClientBlocked {
        pub ok: True,
        ///The number of connections that this request revoked.
        pub revoked: i64,
    }
    ///Whether the client is registered at this server or identified by a metadata document. More kinds may be added.
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
    pub struct ClientKind(pub ::std::string::String);
    impl ::std::ops::Deref for ClientKind {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ClientKind> for ::std::string::String {
        fn from(value: ClientKind) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for ClientKind {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for ClientKind {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for ClientKind {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///The clock of the sandbox.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ClockResult {
        ///The time in the sandbox.
        pub now: ::std::string::String,
        ///The seconds by which the clock is ahead of real time.
        pub offset_seconds: i64,
        pub ok: True,
    }
    ///A move of the clock: exactly one of the two members.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct ClockUpdate {
        ///Seconds to move ahead, in addition to earlier moves; at most ten years.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub advance_seconds: ::std::option::Option<::std::num::NonZeroU64>,
        ///Moves the clock back to real time.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub reset: ::std::option::Option<True>,
    }
    ///An assistant client that acts for one employee in one company.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Connection {
        ///The block key, by which a company can block the client.
        pub block_key: ::std::string::String,
        ///Begins with `mcpc_`, or is the URL of the client's metadata document.
        pub client_id: ::std::string::String,
        pub client_kind: ClientKind,
        ///When the client exchanged the authorization code, after the employee had approved the connection.
        pub created_at: ::std::string::String,
        ///The client's name as people see it.
        pub display_name: ::std::string::String,
        ///`con_` id.
        pub id: ::std::string::String,
        ///When the client last used the connection; null if it did not.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub last_used_at: ::std::option::Option<::std::string::String>,
        ///Why it is revoked; null while active.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub reason: ::std::option::Option<RevokeReason>,
        ///The URI to which the authorization code was sent.
        pub redirect_uri: ::std::string::String,
        ///When its tokens were last refreshed; null if they were not.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub refreshed_at: ::std::option::Option<::std::string::String>,
        ///The URL of the MCP endpoint for which the tokens of the connection are issued.
        pub resource: ::std::string::String,
        ///Scopes, separated by spaces.
        pub scope: ::std::string::String,
        pub state: ConnectionState,
        ///`usr_` id of the employee.
        pub user_id: ::std::string::String,
    }
    ///One page of connections.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ConnectionPage {
        ///The connections of the page.
        pub connections: ::std::vec::Vec<Connection>,
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
    }
    ///Whether the client may still act. A connection that has expired is `revoked`, too.
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
    pub enum ConnectionState {
        #[serde(rename = "active")]
        Active,
        #[serde(rename = "revoked")]
        Revoked,
    }
    impl ::std::fmt::Display for ConnectionState {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Active => f.write_str("active"),
                Self::Revoked => f.write_str("revoked"),
            }
        }
    }
    impl ::std::str::FromStr for ConnectionState {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "active" => Ok(Self::Active),
                "revoked" => Ok(Self::Revoked),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ConnectionState {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ConnectionState {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A group, a channel or a direct message.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Conversation {
        ///Whether only admins may post.
        pub announcement_only: bool,
        ///When it was created.
        pub created_at: ::std::string::String,
        ///`grp_` for a group, `chn_` for a channel, `dm_` for a direct message.
        pub id: ::std::string::String,
        ///Whether the conversation is archived. A channel is archived if its group is archived.
        pub is_archived: bool,
        ///Whether it was deleted.
        pub is_deleted: bool,
        pub kind: ConversationKind,
        ///The number of members who are people in the state `active`. Bots are not counted.
        pub member_count: i64,
        ///Name of the group or channel; null for a direct message.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Id of the group (`grp_`) of a channel; null for a group and for a direct message.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub parent_id: ::std::option::Option<::std::string::String>,
        ///Description of the group or channel.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub topic: ::std::option::Option<::std::string::String>,
        ///A channel has the type of its group. Null for a direct message.
        #[serde(
            rename = "type",
            deserialize_with = "::std::option::Option::deserialize"
        )]
        pub type_: ::std::option::Option<ConversationType>,
        ///`cmp_` id of the company.
        pub workspace_id: ::std::string::String,
    }
    ///A conversation to create.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ConversationCreate {
        ///Whether only admins may post. False when absent; refused for a direct message.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub announcement_only: ::std::option::Option<bool>,
        pub kind: ConversationKind,
        ///Ids of people and bots (`usr_`). For a direct message the operator names the two people, and any other caller names the other person.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub member_ids: ::std::vec::Vec<ConversationCreateMemberIdsItem>,
        ///Name of the group or channel, for which it is required. Refused for a direct message.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<ConversationCreateName>,
        ///Id of the group (`grp_`) of a channel; required for a channel, refused otherwise.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub parent_id: ::std::option::Option<ConversationCreateParentId>,
        ///Description of the group or channel. Refused for a direct message.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub topic: ::std::option::Option<ConversationCreateTopic>,
        ///Groups only. `channel` when absent.
        #[serde(rename = "type", skip_serializing_if = "::std::option::Option::is_none")]
        pub type_: ::std::option::Option<ConversationType>,
    }
    ///`ConversationCreateMemberIdsItem`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ConversationCreateMemberIdsItem(::std::string::String);
    impl ::std::ops::Deref for ConversationCreateMemberIdsItem {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ConversationCreateMemberIdsItem>
    for ::std::string::String {
        fn from(value: ConversationCreateMemberIdsItem) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ConversationCreateMemberIdsItem {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ConversationCreateMemberIdsItem {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String>
    for ConversationCreateMemberIdsItem {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ConversationCreateMemberIdsItem {
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
    ///Name of the group or channel, for which it is required. Refused for a direct message.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ConversationCreateName(::std::string::String);
    impl ::std::ops::Deref for ConversationCreateName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ConversationCreateName> for ::std::string::String {
        fn from(value: ConversationCreateName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ConversationCreateName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ConversationCreateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ConversationCreateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ConversationCreateName {
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
    ///Id of the group (`grp_`) of a channel; required for a channel, refused otherwise.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ConversationCreateParentId(::std::string::String);
    impl ::std::ops::Deref for ConversationCreateParentId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ConversationCreateParentId> for ::std::string::String {
        fn from(value: ConversationCreateParentId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ConversationCreateParentId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ConversationCreateParentId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ConversationCreateParentId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ConversationCreateParentId {
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
    ///Description of the group or channel. Refused for a direct message.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ConversationCreateTopic(::std::string::String);
    impl ::std::ops::Deref for ConversationCreateTopic {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ConversationCreateTopic> for ::std::string::String {
        fn from(value: ConversationCreateTopic) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ConversationCreateTopic {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 1000usize {
                return Err("longer than 1000 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ConversationCreateTopic {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ConversationCreateTopic {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ConversationCreateTopic {
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
    ///A conversation and its members.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ConversationDetail {
        ///Whether only admins may post.
        pub announcement_only: bool,
        ///When it was created.
        pub created_at: ::std::string::String,
        ///`grp_` for a group, `chn_` for a channel, `dm_` for a direct message.
        pub id: ::std::string::String,
        ///Whether the conversation is archived. A channel is archived if its group is archived.
        pub is_archived: bool,
        ///Whether it was deleted.
        pub is_deleted: bool,
        pub kind: ConversationKind,
        ///The number of members who are people in the state `active`. Bots are not counted.
        pub member_count: i64,
        ///The first 200 present and past members, in the order of their ids.
        pub members: ::std::vec::Vec<Member>,
        ///A cursor of the operation `listMembers`, which returns the remaining members. Null if all members were returned.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub members_cursor: ::std::option::Option<::std::string::String>,
        ///Name of the group or channel; null for a direct message.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Id of the group (`grp_`) of a channel; null for a group and for a direct message.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub parent_id: ::std::option::Option<::std::string::String>,
        ///Description of the group or channel.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub topic: ::std::option::Option<::std::string::String>,
        ///A channel has the type of its group. Null for a direct message.
        #[serde(
            rename = "type",
            deserialize_with = "::std::option::Option::deserialize"
        )]
        pub type_: ::std::option::Option<ConversationType>,
        ///`cmp_` id of the company.
        pub workspace_id: ::std::string::String,
    }
    ///One conversation and its members.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ConversationDetailResult {
        pub conversation: ConversationDetail,
        pub ok: True,
    }
    ///`group`, `channel` (a named channel of a group), or `dm` (a direct message).
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
    pub enum ConversationKind {
        #[serde(rename = "group")]
        Group,
        #[serde(rename = "channel")]
        Channel,
        #[serde(rename = "dm")]
        Dm,
    }
    impl ::std::fmt::Display for ConversationKind {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Group => f.write_str("group"),
                Self::Channel => f.write_str("channel"),
                Self::Dm => f.write_str("dm"),
            }
        }
    }
    impl ::std::str::FromStr for ConversationKind {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "group" => Ok(Self::Group),
                "channel" => Ok(Self::Channel),
                "dm" => Ok(Self::Dm),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ConversationKind {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ConversationKind {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///One page of conversations.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ConversationPage {
        ///The conversations of the page, oldest first.
        pub conversations: ::std::vec::Vec<Conversation>,
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
    }
    ///One conversation.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ConversationResult {
        pub conversation: Conversation,
        pub ok: True,
    }
    ///`channel` if every employee may join, `private_channel` if people have to be added. Not the kind of a conversation: a group has a type, too.
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
    pub enum ConversationType {
        #[serde(rename = "channel")]
        Channel,
        #[serde(rename = "private_channel")]
        PrivateChannel,
    }
    impl ::std::fmt::Display for ConversationType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Channel => f.write_str("channel"),
                Self::PrivateChannel => f.write_str("private_channel"),
            }
        }
    }
    impl ::std::str::FromStr for ConversationType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "channel" => Ok(Self::Channel),
                "private_channel" => Ok(Self::PrivateChannel),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ConversationType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ConversationType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///Changes to a conversation.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct ConversationUpdate {
        ///Whether only admins may post.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub announcement_only: ::std::option::Option<bool>,
        ///Groups only.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub is_archived: ::std::option::Option<bool>,
        ///Name of the group or channel.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<ConversationUpdateName>,
        ///Description of the group or channel; null when it has none.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub topic: ::std::option::Option<ConversationUpdateTopic>,
        ///Groups only.
        #[serde(rename = "type", skip_serializing_if = "::std::option::Option::is_none")]
        pub type_: ::std::option::Option<ConversationType>,
    }
    ///Name of the group or channel.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ConversationUpdateName(::std::string::String);
    impl ::std::ops::Deref for ConversationUpdateName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ConversationUpdateName> for ::std::string::String {
        fn from(value: ConversationUpdateName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ConversationUpdateName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ConversationUpdateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ConversationUpdateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ConversationUpdateName {
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
    ///Description of the group or channel; null when it has none.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ConversationUpdateTopic(::std::string::String);
    impl ::std::ops::Deref for ConversationUpdateTopic {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ConversationUpdateTopic> for ::std::string::String {
        fn from(value: ConversationUpdateTopic) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ConversationUpdateTopic {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 1000usize {
                return Err("longer than 1000 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ConversationUpdateTopic {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ConversationUpdateTopic {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ConversationUpdateTopic {
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
    ///`CreateInstallationXActingUser`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct CreateInstallationXActingUser(::std::string::String);
    impl ::std::ops::Deref for CreateInstallationXActingUser {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<CreateInstallationXActingUser> for ::std::string::String {
        fn from(value: CreateInstallationXActingUser) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for CreateInstallationXActingUser {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for CreateInstallationXActingUser {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String>
    for CreateInstallationXActingUser {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for CreateInstallationXActingUser {
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
    ///`CreateMessageXActingUser`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct CreateMessageXActingUser(::std::string::String);
    impl ::std::ops::Deref for CreateMessageXActingUser {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<CreateMessageXActingUser> for ::std::string::String {
        fn from(value: CreateMessageXActingUser) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for CreateMessageXActingUser {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for CreateMessageXActingUser {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for CreateMessageXActingUser {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for CreateMessageXActingUser {
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
    ///`DeleteClientBlockKey`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct DeleteClientBlockKey(::std::string::String);
    impl ::std::ops::Deref for DeleteClientBlockKey {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<DeleteClientBlockKey> for ::std::string::String {
        fn from(value: DeleteClientBlockKey) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for DeleteClientBlockKey {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 255usize {
                return Err("longer than 255 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for DeleteClientBlockKey {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for DeleteClientBlockKey {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for DeleteClientBlockKey {
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
    ///`DeleteInstallationXActingUser`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct DeleteInstallationXActingUser(::std::string::String);
    impl ::std::ops::Deref for DeleteInstallationXActingUser {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<DeleteInstallationXActingUser> for ::std::string::String {
        fn from(value: DeleteInstallationXActingUser) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for DeleteInstallationXActingUser {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for DeleteInstallationXActingUser {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String>
    for DeleteInstallationXActingUser {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for DeleteInstallationXActingUser {
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
    ///An entry of the delivery log: one attempt to deliver an event, the next attempt of a pending event, or a dropped event.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Delivery {
        ///The first 1,024 bytes of the response body; null without a response. If the sandbox console made the attempt fail and there is no response body, a text that says so.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub answer: ::std::option::Option<::std::string::String>,
        ///When the attempt began; null for a pending or dropped event.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub at: ::std::option::Option<::std::string::String>,
        ///Number of the attempt, counted from 1. For a pending or dropped event, the number of finished attempts plus one.
        pub attempt: i64,
        ///When the event was created.
        pub created_at: ::std::string::String,
        ///Why the attempt failed: `status` (a response other than 2xx), `timeout` (no response within 3 seconds), `dns`, `forbidden_address` (not on the public Internet), `connect`, `tls`, `closed` (the connection was closed without a response), `protocol` (the response is not HTTP) or `url` (the URL is not HTTPS). Why the event was dropped: `disconnected`, `no_callback_url` or `expired`. Null for all other entries.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub error: ::std::option::Option<::std::string::String>,
        ///Id of the event (`evt_`). Every attempt of an event has the same id.
        pub event_id: ::std::string::String,
        ///`ins_` id of the installation that gets the event.
        pub installation_id: ::std::string::String,
        ///Milliseconds until the head of the response or the failure; null for a pending or dropped event.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub latency_ms: ::std::option::Option<i64>,
        ///When a pending event is due, or when a failed attempt is retried. Null if no attempt follows.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_attempt_at: ::std::option::Option<::std::string::String>,
        pub state: DeliveryStateValue,
        ///HTTP status of the callback's response; null without a response.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub status: ::std::option::Option<i64>,
        #[serde(rename = "type")]
        pub type_: EventTypeValue,
        ///`cmp_` id of the company.
        pub workspace_id: ::std::string::String,
    }
    ///One page of the delivery log.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct DeliveryPage {
        ///The entries of the page.
        pub deliveries: ::std::vec::Vec<Delivery>,
        ///Null on the last page; never null with `order=ingested`.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
    }
    ///`pending`: the event waits for its next attempt. `delivered`: the attempt got a 2xx response. `failed`: the attempt got no 2xx response. `dropped`: the event is no longer attempted; `error` has the reason.
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
    pub enum DeliveryState {
        #[serde(rename = "pending")]
        Pending,
        #[serde(rename = "delivered")]
        Delivered,
        #[serde(rename = "failed")]
        Failed,
        #[serde(rename = "dropped")]
        Dropped,
    }
    impl ::std::fmt::Display for DeliveryState {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Pending => f.write_str("pending"),
                Self::Delivered => f.write_str("delivered"),
                Self::Failed => f.write_str("failed"),
                Self::Dropped => f.write_str("dropped"),
            }
        }
    }
    impl ::std::str::FromStr for DeliveryState {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "pending" => Ok(Self::Pending),
                "delivered" => Ok(Self::Delivered),
                "failed" => Ok(Self::Failed),
                "dropped" => Ok(Self::Dropped),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for DeliveryState {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for DeliveryState {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The `DeliveryState` of an entry of the delivery log. More states may be added.
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
    pub struct DeliveryStateValue(pub ::std::string::String);
    impl ::std::ops::Deref for DeliveryStateValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<DeliveryStateValue> for ::std::string::String {
        fn from(value: DeliveryStateValue) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for DeliveryStateValue {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for DeliveryStateValue {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for DeliveryStateValue {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///The kind of a test event of the type `directory.changed`; `user.updated` when absent.
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
    pub enum DirectoryKind {
        #[serde(rename = "user.created")]
        UserCreated,
        #[serde(rename = "user.updated")]
        UserUpdated,
        #[serde(rename = "user.deactivated")]
        UserDeactivated,
        #[serde(rename = "conversation.created")]
        ConversationCreated,
        #[serde(rename = "conversation.renamed")]
        ConversationRenamed,
        #[serde(rename = "conversation.archived")]
        ConversationArchived,
        #[serde(rename = "conversation.deleted")]
        ConversationDeleted,
        #[serde(rename = "app.removed_from_conversation")]
        AppRemovedFromConversation,
    }
    impl ::std::fmt::Display for DirectoryKind {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::UserCreated => f.write_str("user.created"),
                Self::UserUpdated => f.write_str("user.updated"),
                Self::UserDeactivated => f.write_str("user.deactivated"),
                Self::ConversationCreated => f.write_str("conversation.created"),
                Self::ConversationRenamed => f.write_str("conversation.renamed"),
                Self::ConversationArchived => f.write_str("conversation.archived"),
                Self::ConversationDeleted => f.write_str("conversation.deleted"),
                Self::AppRemovedFromConversation => {
                    f.write_str("app.removed_from_conversation")
                }
            }
        }
    }
    impl ::std::str::FromStr for DirectoryKind {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "user.created" => Ok(Self::UserCreated),
                "user.updated" => Ok(Self::UserUpdated),
                "user.deactivated" => Ok(Self::UserDeactivated),
                "conversation.created" => Ok(Self::ConversationCreated),
                "conversation.renamed" => Ok(Self::ConversationRenamed),
                "conversation.archived" => Ok(Self::ConversationArchived),
                "conversation.deleted" => Ok(Self::ConversationDeleted),
                "app.removed_from_conversation" => Ok(Self::AppRemovedFromConversation),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for DirectoryKind {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for DirectoryKind {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///Why an installation was disconnected: an admin uninstalled the app (`admin`), the operator disabled the app (`app_disabled`), or the app revoked its own token (`app_revoked`). More reasons may be added.
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
    pub struct DisconnectReason(pub ::std::string::String);
    impl ::std::ops::Deref for DisconnectReason {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<DisconnectReason> for ::std::string::String {
        fn from(value: DisconnectReason) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for DisconnectReason {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for DisconnectReason {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for DisconnectReason {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///Why the request failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ErrorDetail {
        ///The error code, which is stable. New codes may be added; treat an unknown code as a generic failure of its status.
        pub code: ::std::string::String,
        ///Text for people. It may change.
        pub message: ::std::string::String,
    }
    ///The response of every failure.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ErrorEnvelope {
        pub error: ErrorDetail,
        pub ok: False,
        ///Equal to the header `X-Request-Id`.
        pub request_id: ::std::string::String,
    }
    ///An event that is queued for delivery.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct EventQueued {
        ///`evt_` id.
        pub event_id: ::std::string::String,
        pub ok: True,
    }
    ///Type of an event.
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
    pub enum EventType {
        #[serde(rename = "app.uninstalled")]
        AppUninstalled,
        #[serde(rename = "directory.changed")]
        DirectoryChanged,
        #[serde(rename = "interaction")]
        Interaction,
    }
    impl ::std::fmt::Display for EventType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::AppUninstalled => f.write_str("app.uninstalled"),
                Self::DirectoryChanged => f.write_str("directory.changed"),
                Self::Interaction => f.write_str("interaction"),
            }
        }
    }
    impl ::std::str::FromStr for EventType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "app.uninstalled" => Ok(Self::AppUninstalled),
                "directory.changed" => Ok(Self::DirectoryChanged),
                "interaction" => Ok(Self::Interaction),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for EventType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for EventType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The `EventType` of an event. More types may be added.
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
    pub struct EventTypeValue(pub ::std::string::String);
    impl ::std::ops::Deref for EventTypeValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<EventTypeValue> for ::std::string::String {
        fn from(value: EventTypeValue) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for EventTypeValue {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for EventTypeValue {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for EventTypeValue {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///Always false.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[serde(transparent)]
    pub struct False(pub bool);
    impl ::std::ops::Deref for False {
        type Target = bool;
        fn deref(&self) -> &bool {
            &self.0
        }
    }
    impl ::std::convert::From<False> for bool {
        fn from(value: False) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<bool> for False {
        fn from(value: bool) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for False {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for False {
        type Err = <bool as ::std::str::FromStr>::Err;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.parse()?))
        }
    }
    impl ::std::convert::TryFrom<&str> for False {
        type Error = <bool as ::std::str::FromStr>::Err;
        fn try_from(value: &str) -> ::std::result::Result<Self, Self::Error> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<String> for False {
        type Error = <bool as ::std::str::FromStr>::Err;
        fn try_from(value: String) -> ::std::result::Result<Self, Self::Error> {
            value.parse()
        }
    }
    ///An uploaded file.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct File {
        ///When it was uploaded.
        pub created_at: ::std::string::String,
        ///`fil_` id.
        pub id: ::std::string::String,
        ///Media type as uploaded.
        pub mimetype: ::std::string::String,
        ///Name as uploaded.
        pub name: ::std::string::String,
        ///Bytes.
        pub size: i64,
        ///`cmp_` id of the company.
        pub workspace_id: ::std::string::String,
    }
    ///A file attached to a message.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct FileRef {
        ///`fil_` id.
        pub id: ::std::string::String,
    }
    ///One file.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct FileResult {
        pub file: File,
        pub ok: True,
    }
    ///The size of the stored files of the company or person; only in responses of `getWorkspace` and `adminGetUser`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct FileUsage {
        ///Size of the files in bytes. A deleted file counts until its content is removed.
        pub bytes: i64,
        ///The quota: the maximum size of the files in bytes; null for no limit.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub quota_bytes: ::std::option::Option<i64>,
    }
    ///An app in a company.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Installation {
        ///`app_` id of the app.
        pub app_id: ::std::string::String,
        ///`usr_` id of the app's bot user in this company.
        pub bot_user_id: ::std::string::String,
        ///When the app was installed.
        pub created_at: ::std::string::String,
        ///When it was disconnected; null while connected.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub disconnected_at: ::std::option::Option<::std::string::String>,
        ///`ins_` id.
        pub id: ::std::string::String,
        ///Id of the admin who approved the installation (`usr_`); null if the operator approved it and named no admin.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub installed_by: ::std::option::Option<::std::string::String>,
        ///Why it is disconnected; null while connected.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub reason: ::std::option::Option<DisconnectReason>,
        ///The scopes that the app was granted in the company.
        pub scopes: ::std::vec::Vec<ScopeValue>,
        pub state: InstallationState,
        ///`cmp_` id of the company.
        pub workspace_id: ::std::string::String,
    }
    ///An install code, which the app exchanges at `/oauth/token`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct InstallationCode {
        ///Begins with `svc_code_`. Valid for one exchange.
        pub code: ::std::string::String,
        ///Lifetime of the code in seconds, always 600.
        pub expires_in: i64,
        pub ok: True,
    }
    ///An app to install.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct InstallationCreate {
        ///`app_` id of the app.
        pub app_id: InstallationCreateAppId,
        ///PKCE challenge of the method `S256`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub code_challenge: ::std::option::Option<InstallationCreateCodeChallenge>,
        ///One of the app's redirect URIs.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub redirect_uri: ::std::option::Option<InstallationCreateRedirectUri>,
        ///The scopes to grant, among those of the app; all scopes of the app when absent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scopes: ::std::option::Option<::std::vec::Vec<Scope>>,
    }
    ///`app_` id of the app.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct InstallationCreateAppId(::std::string::String);
    impl ::std::ops::Deref for InstallationCreateAppId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<InstallationCreateAppId> for ::std::string::String {
        fn from(value: InstallationCreateAppId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for InstallationCreateAppId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for InstallationCreateAppId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for InstallationCreateAppId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for InstallationCreateAppId {
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
    ///PKCE challenge of the method `S256`.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct InstallationCreateCodeChallenge(::std::string::String);
    impl ::std::ops::Deref for InstallationCreateCodeChallenge {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<InstallationCreateCodeChallenge>
    for ::std::string::String {
        fn from(value: InstallationCreateCodeChallenge) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for InstallationCreateCodeChallenge {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^[A-Za-z0-9_-]{43}$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^[A-Za-z0-9_-]{43}$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for InstallationCreateCodeChallenge {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String>
    for InstallationCreateCodeChallenge {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for InstallationCreateCodeChallenge {
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
    ///One of the app's redirect URIs.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct InstallationCreateRedirectUri(::std::string::String);
    impl ::std::ops::Deref for InstallationCreateRedirectUri {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<InstallationCreateRedirectUri> for ::std::string::String {
        fn from(value: InstallationCreateRedirectUri) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for InstallationCreateRedirectUri {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 2048usize {
                return Err("longer than 2048 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^https?://[^\\s#]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^https?://[^\\s#]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for InstallationCreateRedirectUri {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String>
    for InstallationCreateRedirectUri {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for InstallationCreateRedirectUri {
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
    ///One page of installations.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct InstallationPage {
        ///The installations of the page.
        pub installations: ::std::vec::Vec<Installation>,
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
    }
    ///Whether the app can act in the company.
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
    pub enum InstallationState {
        #[serde(rename = "connected")]
        Connected,
        #[serde(rename = "disconnected")]
        Disconnected,
    }
    impl ::std::fmt::Display for InstallationState {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Connected => f.write_str("connected"),
                Self::Disconnected => f.write_str("disconnected"),
            }
        }
    }
    impl ::std::str::FromStr for InstallationState {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "connected" => Ok(Self::Connected),
                "disconnected" => Ok(Self::Disconnected),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for InstallationState {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for InstallationState {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A click on a button of a message.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct InteractionCreate {
        ///The `action_id` of the button.
        pub action_id: InteractionCreateActionId,
        ///Id of the person who clicks (`usr_`).
        pub user_id: InteractionCreateUserId,
        ///The value to send. If it is absent, the value of the message's button is sent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub value: ::std::option::Option<InteractionCreateValue>,
    }
    ///The `action_id` of the button.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct InteractionCreateActionId(::std::string::String);
    impl ::std::ops::Deref for InteractionCreateActionId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<InteractionCreateActionId> for ::std::string::String {
        fn from(value: InteractionCreateActionId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for InteractionCreateActionId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 255usize {
                return Err("longer than 255 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for InteractionCreateActionId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for InteractionCreateActionId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for InteractionCreateActionId {
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
    ///Id of the person who clicks (`usr_`).
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct InteractionCreateUserId(::std::string::String);
    impl ::std::ops::Deref for InteractionCreateUserId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<InteractionCreateUserId> for ::std::string::String {
        fn from(value: InteractionCreateUserId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for InteractionCreateUserId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for InteractionCreateUserId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for InteractionCreateUserId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for InteractionCreateUserId {
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
    ///The value to send. If it is absent, the value of the message's button is sent.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct InteractionCreateValue(::std::string::String);
    impl ::std::ops::Deref for InteractionCreateValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<InteractionCreateValue> for ::std::string::String {
        fn from(value: InteractionCreateValue) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for InteractionCreateValue {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 2000usize {
                return Err("longer than 2000 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for InteractionCreateValue {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for InteractionCreateValue {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for InteractionCreateValue {
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
    ///`ListAppsCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListAppsCursor(::std::string::String);
    impl ::std::ops::Deref for ListAppsCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListAppsCursor> for ::std::string::String {
        fn from(value: ListAppsCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListAppsCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListAppsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListAppsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListAppsCursor {
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
    ///`ListAssistantClientsCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListAssistantClientsCursor(::std::string::String);
    impl ::std::ops::Deref for ListAssistantClientsCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListAssistantClientsCursor> for ::std::string::String {
        fn from(value: ListAssistantClientsCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListAssistantClientsCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListAssistantClientsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListAssistantClientsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListAssistantClientsCursor {
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
    ///`ListClientBlocksCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListClientBlocksCursor(::std::string::String);
    impl ::std::ops::Deref for ListClientBlocksCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListClientBlocksCursor> for ::std::string::String {
        fn from(value: ListClientBlocksCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListClientBlocksCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListClientBlocksCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListClientBlocksCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListClientBlocksCursor {
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
    ///`ListConnectionsCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListConnectionsCursor(::std::string::String);
    impl ::std::ops::Deref for ListConnectionsCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListConnectionsCursor> for ::std::string::String {
        fn from(value: ListConnectionsCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListConnectionsCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListConnectionsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListConnectionsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListConnectionsCursor {
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
    ///`ListConnectionsUserId`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListConnectionsUserId(::std::string::String);
    impl ::std::ops::Deref for ListConnectionsUserId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListConnectionsUserId> for ::std::string::String {
        fn from(value: ListConnectionsUserId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListConnectionsUserId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListConnectionsUserId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListConnectionsUserId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListConnectionsUserId {
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
    ///`ListConversationsCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListConversationsCursor(::std::string::String);
    impl ::std::ops::Deref for ListConversationsCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListConversationsCursor> for ::std::string::String {
        fn from(value: ListConversationsCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListConversationsCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListConversationsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListConversationsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListConversationsCursor {
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
    ///`ListDeliveriesCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListDeliveriesCursor(::std::string::String);
    impl ::std::ops::Deref for ListDeliveriesCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListDeliveriesCursor> for ::std::string::String {
        fn from(value: ListDeliveriesCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListDeliveriesCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListDeliveriesCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListDeliveriesCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListDeliveriesCursor {
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
    ///`ListDeliveriesEventId`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListDeliveriesEventId(::std::string::String);
    impl ::std::ops::Deref for ListDeliveriesEventId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListDeliveriesEventId> for ::std::string::String {
        fn from(value: ListDeliveriesEventId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListDeliveriesEventId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListDeliveriesEventId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListDeliveriesEventId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListDeliveriesEventId {
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
    ///`ListDeliveriesInstallationId`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListDeliveriesInstallationId(::std::string::String);
    impl ::std::ops::Deref for ListDeliveriesInstallationId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListDeliveriesInstallationId> for ::std::string::String {
        fn from(value: ListDeliveriesInstallationId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListDeliveriesInstallationId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListDeliveriesInstallationId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String>
    for ListDeliveriesInstallationId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListDeliveriesInstallationId {
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
    ///`ListInstallationsCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListInstallationsCursor(::std::string::String);
    impl ::std::ops::Deref for ListInstallationsCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListInstallationsCursor> for ::std::string::String {
        fn from(value: ListInstallationsCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListInstallationsCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListInstallationsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListInstallationsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListInstallationsCursor {
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
    ///`ListMembersCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListMembersCursor(::std::string::String);
    impl ::std::ops::Deref for ListMembersCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListMembersCursor> for ::std::string::String {
        fn from(value: ListMembersCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListMembersCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListMembersCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListMembersCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListMembersCursor {
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
    ///`ListMessagesCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListMessagesCursor(::std::string::String);
    impl ::std::ops::Deref for ListMessagesCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListMessagesCursor> for ::std::string::String {
        fn from(value: ListMessagesCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListMessagesCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListMessagesCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListMessagesCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListMessagesCursor {
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
    ///`ListToolCallsClientId`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListToolCallsClientId(::std::string::String);
    impl ::std::ops::Deref for ListToolCallsClientId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListToolCallsClientId> for ::std::string::String {
        fn from(value: ListToolCallsClientId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListToolCallsClientId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 2048usize {
                return Err("longer than 2048 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListToolCallsClientId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListToolCallsClientId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListToolCallsClientId {
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
    ///`ListToolCallsConnectionId`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListToolCallsConnectionId(::std::string::String);
    impl ::std::ops::Deref for ListToolCallsConnectionId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListToolCallsConnectionId> for ::std::string::String {
        fn from(value: ListToolCallsConnectionId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListToolCallsConnectionId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListToolCallsConnectionId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListToolCallsConnectionId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListToolCallsConnectionId {
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
    ///`ListToolCallsCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListToolCallsCursor(::std::string::String);
    impl ::std::ops::Deref for ListToolCallsCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListToolCallsCursor> for ::std::string::String {
        fn from(value: ListToolCallsCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListToolCallsCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListToolCallsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListToolCallsCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListToolCallsCursor {
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
    ///`ListToolCallsTool`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListToolCallsTool(::std::string::String);
    impl ::std::ops::Deref for ListToolCallsTool {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListToolCallsTool> for ::std::string::String {
        fn from(value: ListToolCallsTool) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListToolCallsTool {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 64usize {
                return Err("longer than 64 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListToolCallsTool {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListToolCallsTool {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListToolCallsTool {
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
    ///`ListToolCallsUserId`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListToolCallsUserId(::std::string::String);
    impl ::std::ops::Deref for ListToolCallsUserId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListToolCallsUserId> for ::std::string::String {
        fn from(value: ListToolCallsUserId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListToolCallsUserId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListToolCallsUserId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListToolCallsUserId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListToolCallsUserId {
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
    ///`ListUsersCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListUsersCursor(::std::string::String);
    impl ::std::ops::Deref for ListUsersCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListUsersCursor> for ::std::string::String {
        fn from(value: ListUsersCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListUsersCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListUsersCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListUsersCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListUsersCursor {
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
    ///`ListUsersQuery`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListUsersQuery(::std::string::String);
    impl ::std::ops::Deref for ListUsersQuery {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListUsersQuery> for ::std::string::String {
        fn from(value: ListUsersQuery) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListUsersQuery {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListUsersQuery {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListUsersQuery {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListUsersQuery {
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
    ///`ListWorkspacesCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListWorkspacesCursor(::std::string::String);
    impl ::std::ops::Deref for ListWorkspacesCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListWorkspacesCursor> for ::std::string::String {
        fn from(value: ListWorkspacesCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListWorkspacesCursor {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ListWorkspacesCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ListWorkspacesCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListWorkspacesCursor {
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
    ///The order of the entries of the delivery log or of the audit; see the parameter `order`.
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
    pub enum LogOrder {
        #[serde(rename = "newest")]
        Newest,
        #[serde(rename = "ingested")]
        Ingested,
    }
    impl ::std::fmt::Display for LogOrder {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Newest => f.write_str("newest"),
                Self::Ingested => f.write_str("ingested"),
            }
        }
    }
    impl ::std::str::FromStr for LogOrder {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "newest" => Ok(Self::Newest),
                "ingested" => Ok(Self::Ingested),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for LogOrder {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for LogOrder {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A present or past member of a conversation.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Member {
        ///Whether the member is the bot user of an app.
        pub is_bot: bool,
        ///When the user joined. If the user joined several times, the last time.
        pub joined_at: ::std::string::String,
        ///When the user left. Null for a present member.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub left_at: ::std::option::Option<::std::string::String>,
        ///`usr_` id.
        pub user_id: ::std::string::String,
    }
    ///One page of members.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct MemberPage {
        ///The members of the page, in the order of their ids.
        pub members: ::std::vec::Vec<Member>,
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
    }
    ///The person as whom an account acts in one company.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Membership {
        ///Whether the session acts as an admin of this company.
        pub is_admin: bool,
        ///`usr_` id of the person as whom the account acts in this company.
        pub user_id: ::std::string::String,
        ///`cmp_` id of the company.
        pub workspace_id: ::std::string::String,
    }
    ///A message with all stored fields.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Message {
        ///Blocks of a bot's message; null if the message has none or is deleted.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub blocks: ::std::option::Option<
            ::std::vec::Vec<
                ::serde_json::Map<::std::string::String, ::serde_json::Value>,
            >,
        >,
        ///The idempotency key of the message: the `client_key` of a person's message, or the `Idempotency-Key` of a bot's message. Null if the message has none or is deleted.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub client_key: ::std::option::Option<::std::string::String>,
        ///`grp_`, `chn_` or `dm_` id.
        pub conversation_id: ::std::string::String,
        ///When it was sent.
        pub created_at: ::std::string::String,
        ///When it was deleted; null if it was not.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub deleted_at: ::std::option::Option<::std::string::String>,
        ///When it was last edited; null if it was not.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub edited_at: ::std::option::Option<::std::string::String>,
        ///Former versions of the message, oldest first, at most 100: the original version and the newest former versions. Empty if the message is deleted.
        pub edits: ::std::vec::Vec<MessageEdit>,
        ///Attached files; empty if there are none.
        pub files: ::std::vec::Vec<FileRef>,
        ///`gmsg_` in a group or channel, `dmsg_` in a direct message.
        pub id: ::std::string::String,
        ///Metadata of a bot's message; null if the message has none or is deleted.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub metadata: ::std::option::Option<
            ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        >,
        ///Null if the message is deleted, and for a system message without text.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub text: ::std::option::Option<::std::string::String>,
        ///Id of the message to which this message replies; null if this message is no reply or is deleted.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub thread_id: ::std::option::Option<::std::string::String>,
        #[serde(rename = "type")]
        pub type_: MessageTypeValue,
        ///Id of the sender (`usr_`), a person or a bot; null for a system message.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub user_id: ::std::option::Option<::std::string::String>,
        ///Name of the assistant through which the message was sent, as it was at that time; null for all other messages, and if the message is deleted.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub via_label: ::std::option::Option<::std::string::String>,
    }
    ///A message to store.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct MessageCreate {
        ///An idempotency key, unique in the conversation. The idempotency keys of bots' messages in the conversation count, too.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_key: ::std::option::Option<MessageCreateClientKey>,
        ///Ids of uploaded files of the company (`fil_`). A person may attach only files that the person owns.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub file_ids: ::std::vec::Vec<MessageCreateFileIdsItem>,
        ///For a message of the type `text` without files: the text, which is required and not empty. For all other messages: a caption, which may be empty or absent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub text: ::std::option::Option<MessageCreateText>,
        ///Id of the message to which the new message replies, in the same conversation. Any other value gets 400. Null is the same as left out.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub thread_id: ::std::option::Option<MessageCreateThreadId>,
        ///Must be `system` if and only if the message has no sender.
        #[serde(rename = "type")]
        pub type_: MessageType,
        ///Id of the sender (`usr_`). With a session it can only be the caller's id. Null for a system message of the operator.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_id: ::std::option::Option<MessageCreateUserId>,
    }
    ///An idempotency key, unique in the conversation. The idempotency keys of bots' messages in the conversation count, too.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct MessageCreateClientKey(::std::string::String);
    impl ::std::ops::Deref for MessageCreateClientKey {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<MessageCreateClientKey> for ::std::string::String {
        fn from(value: MessageCreateClientKey) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for MessageCreateClientKey {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 255usize {
                return Err("longer than 255 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^[\\x21-\\x7E]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^[\\x21-\\x7E]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for MessageCreateClientKey {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for MessageCreateClientKey {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for MessageCreateClientKey {
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
    ///`MessageCreateFileIdsItem`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct MessageCreateFileIdsItem(::std::string::String);
    impl ::std::ops::Deref for MessageCreateFileIdsItem {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<MessageCreateFileIdsItem> for ::std::string::String {
        fn from(value: MessageCreateFileIdsItem) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for MessageCreateFileIdsItem {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for MessageCreateFileIdsItem {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for MessageCreateFileIdsItem {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for MessageCreateFileIdsItem {
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
    ///For a message of the type `text` without files: the text, which is required and not empty. For all other messages: a caption, which may be empty or absent.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct MessageCreateText(::std::string::String);
    impl ::std::ops::Deref for MessageCreateText {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<MessageCreateText> for ::std::string::String {
        fn from(value: MessageCreateText) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for MessageCreateText {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 4000usize {
                return Err("longer than 4000 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for MessageCreateText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for MessageCreateText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for MessageCreateText {
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
    ///Id of the message to which the new message replies, in the same conversation. Any other value gets 400. Null is the same as left out.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct MessageCreateThreadId(::std::string::String);
    impl ::std::ops::Deref for MessageCreateThreadId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<MessageCreateThreadId> for ::std::string::String {
        fn from(value: MessageCreateThreadId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for MessageCreateThreadId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for MessageCreateThreadId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for MessageCreateThreadId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for MessageCreateThreadId {
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
    ///Id of the sender (`usr_`). With a session it can only be the caller's id. Null for a system message of the operator.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct MessageCreateUserId(::std::string::String);
    impl ::std::ops::Deref for MessageCreateUserId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<MessageCreateUserId> for ::std::string::String {
        fn from(value: MessageCreateUserId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for MessageCreateUserId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for MessageCreateUserId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for MessageCreateUserId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for MessageCreateUserId {
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
    ///A former version of a message.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct MessageEdit {
        ///The blocks as they were; null when there were none.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub blocks: ::std::option::Option<
            ::std::vec::Vec<
                ::serde_json::Map<::std::string::String, ::serde_json::Value>,
            >,
        >,
        ///When an edit replaced this version.
        pub edited_at: ::std::string::String,
        ///The text as it was.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub text: ::std::option::Option<::std::string::String>,
    }
    ///One page of messages.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct MessagePage {
        ///The messages of the page.
        pub messages: ::std::vec::Vec<Message>,
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
    }
    ///One message.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct MessageResult {
        pub message: Message,
        pub ok: True,
    }
    ///`system` is a notice without a sender, from the server (a person has joined) or from the operator.
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
    pub enum MessageType {
        #[serde(rename = "text")]
        Text,
        #[serde(rename = "image")]
        Image,
        #[serde(rename = "file")]
        File,
        #[serde(rename = "system")]
        System,
        #[serde(rename = "audio")]
        Audio,
        #[serde(rename = "video")]
        Video,
        #[serde(rename = "location")]
        Location,
        #[serde(rename = "contact")]
        Contact,
        #[serde(rename = "call")]
        Call,
        #[serde(rename = "poll")]
        Poll,
        #[serde(rename = "survey")]
        Survey,
    }
    impl ::std::fmt::Display for MessageType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Text => f.write_str("text"),
                Self::Image => f.write_str("image"),
                Self::File => f.write_str("file"),
                Self::System => f.write_str("system"),
                Self::Audio => f.write_str("audio"),
                Self::Video => f.write_str("video"),
                Self::Location => f.write_str("location"),
                Self::Contact => f.write_str("contact"),
                Self::Call => f.write_str("call"),
                Self::Poll => f.write_str("poll"),
                Self::Survey => f.write_str("survey"),
            }
        }
    }
    impl ::std::str::FromStr for MessageType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "text" => Ok(Self::Text),
                "image" => Ok(Self::Image),
                "file" => Ok(Self::File),
                "system" => Ok(Self::System),
                "audio" => Ok(Self::Audio),
                "video" => Ok(Self::Video),
                "location" => Ok(Self::Location),
                "contact" => Ok(Self::Contact),
                "call" => Ok(Self::Call),
                "poll" => Ok(Self::Poll),
                "survey" => Ok(Self::Survey),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for MessageType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for MessageType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The `AdminMessageType` of a message. More types may be added. Show a message of an unknown type by its text and files.
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
    pub struct MessageTypeValue(pub ::std::string::String);
    impl ::std::ops::Deref for MessageTypeValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<MessageTypeValue> for ::std::string::String {
        fn from(value: MessageTypeValue) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for MessageTypeValue {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for MessageTypeValue {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for MessageTypeValue {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///The new text of a message.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct MessageUpdate {
        ///Replaces the text.
        pub text: MessageUpdateText,
    }
    ///Replaces the text.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct MessageUpdateText(::std::string::String);
    impl ::std::ops::Deref for MessageUpdateText {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<MessageUpdateText> for ::std::string::String {
        fn from(value: MessageUpdateText) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for MessageUpdateText {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 4000usize {
                return Err("longer than 4000 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for MessageUpdateText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for MessageUpdateText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for MessageUpdateText {
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
    ///A success without further data.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct OkResult {
        pub ok: True,
    }
    ///`PutClientBlockKey`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct PutClientBlockKey(::std::string::String);
    impl ::std::ops::Deref for PutClientBlockKey {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<PutClientBlockKey> for ::std::string::String {
        fn from(value: PutClientBlockKey) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for PutClientBlockKey {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 255usize {
                return Err("longer than 255 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for PutClientBlockKey {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for PutClientBlockKey {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for PutClientBlockKey {
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
    ///Which events to deliver again.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct RedeliverRequest {
        ///Events created at this time or later.
        pub since: ::std::string::String,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub state: ::std::option::Option<RedeliverState>,
        #[serde(rename = "type", skip_serializing_if = "::std::option::Option::is_none")]
        pub type_: ::std::option::Option<EventType>,
        ///Events created before this time. If it is absent, the span has no end.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub until: ::std::option::Option<::std::string::String>,
    }
    ///`failed`, the default: events whose last scheduled attempt failed; `all`: also delivered and dropped events.
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
    pub enum RedeliverState {
        #[serde(rename = "failed")]
        Failed,
        #[serde(rename = "all")]
        All,
    }
    impl ::std::fmt::Display for RedeliverState {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Failed => f.write_str("failed"),
                Self::All => f.write_str("all"),
            }
        }
    }
    impl ::std::str::FromStr for RedeliverState {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "failed" => Ok(Self::Failed),
                "all" => Ok(Self::All),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for RedeliverState {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for RedeliverState {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The result of a redelivery.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Redelivered {
        pub ok: True,
        ///The number of events that are queued again.
        pub redelivered: i64,
    }
    ///Why a connection ended. `employee`: the employee disconnected it. `admin`: an admin or the operator revoked it. `client_blocked`: the company blocked the client. `assistants_off`: the company turned assistants off. `user_deactivated`, `user_removed`, `logged_out`: the employee was deactivated, removed or logged out. `not_employee`: the person is a guest or still onboarding. `replaced`: a newer connection replaced it. `refresh_expired`: it was not refreshed for 30 days. `session_expired`: the company's maximum lifetime was reached. `client`: the client revoked it. `code_reused`, `refresh_reused`: an authorization code or a refresh token was used again. More reasons may be added.
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
    pub struct RevokeReason(pub ::std::string::String);
    impl ::std::ops::Deref for RevokeReason {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<RevokeReason> for ::std::string::String {
        fn from(value: RevokeReason) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for RevokeReason {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for RevokeReason {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for RevokeReason {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///A right of a bot token.
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
    pub enum Scope {
        #[serde(rename = "messages:write")]
        MessagesWrite,
        #[serde(rename = "users:read")]
        UsersRead,
        #[serde(rename = "users:read.email")]
        UsersReadEmail,
        #[serde(rename = "conversations:read")]
        ConversationsRead,
        #[serde(rename = "conversations:history")]
        ConversationsHistory,
        #[serde(rename = "files:read")]
        FilesRead,
    }
    impl ::std::fmt::Display for Scope {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::MessagesWrite => f.write_str("messages:write"),
                Self::UsersRead => f.write_str("users:read"),
                Self::UsersReadEmail => f.write_str("users:read.email"),
                Self::ConversationsRead => f.write_str("conversations:read"),
                Self::ConversationsHistory => f.write_str("conversations:history"),
                Self::FilesRead => f.write_str("files:read"),
            }
        }
    }
    impl ::std::str::FromStr for Scope {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "messages:write" => Ok(Self::MessagesWrite),
                "users:read" => Ok(Self::UsersRead),
                "users:read.email" => Ok(Self::UsersReadEmail),
                "conversations:read" => Ok(Self::ConversationsRead),
                "conversations:history" => Ok(Self::ConversationsHistory),
                "files:read" => Ok(Self::FilesRead),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for Scope {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for Scope {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A `Scope` of an app or installation. More scopes may be added.
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
    pub struct ScopeValue(pub ::std::string::String);
    impl ::std::ops::Deref for ScopeValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ScopeValue> for ::std::string::String {
        fn from(value: ScopeValue) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for ScopeValue {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for ScopeValue {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for ScopeValue {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///`signing`: the secret that signs events; `client`: the secret with which the app authenticates at `/oauth/token` and `/oauth/revoke`.
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
    pub enum SecretKind {
        #[serde(rename = "signing")]
        Signing,
        #[serde(rename = "client")]
        Client,
    }
    impl ::std::fmt::Display for SecretKind {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Signing => f.write_str("signing"),
                Self::Client => f.write_str("client"),
            }
        }
    }
    impl ::std::str::FromStr for SecretKind {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "signing" => Ok(Self::Signing),
                "client" => Ok(Self::Client),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for SecretKind {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for SecretKind {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The secret to replace.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct SecretRotate {
        pub secret: SecretKind,
    }
    ///The new secret, in the member of the secret that was replaced. The other member is absent.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct SecretRotated {
        ///Begins with `svc_sec_`. No other operation returns it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_secret: ::std::option::Option<::std::string::String>,
        pub ok: True,
        ///Begins with `whsec_`. No other operation returns it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub signing_secret: ::std::option::Option<::std::string::String>,
    }
    ///The credentials of an account.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct SessionCreate {
        ///E-mail address of the account. Letter case does not matter.
        pub email: SessionCreateEmail,
        ///The password of the account.
        pub password: SessionCreatePassword,
    }
    ///E-mail address of the account. Letter case does not matter.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct SessionCreateEmail(::std::string::String);
    impl ::std::ops::Deref for SessionCreateEmail {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<SessionCreateEmail> for ::std::string::String {
        fn from(value: SessionCreateEmail) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for SessionCreateEmail {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 254usize {
                return Err("longer than 254 characters".into());
            }
            if value.chars().count() < 3usize {
                return Err("shorter than 3 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^[^@\\s]+@[^@\\s]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^[^@\\s]+@[^@\\s]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for SessionCreateEmail {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for SessionCreateEmail {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for SessionCreateEmail {
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
    ///The password of the account.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct SessionCreatePassword(::std::string::String);
    impl ::std::ops::Deref for SessionCreatePassword {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<SessionCreatePassword> for ::std::string::String {
        fn from(value: SessionCreatePassword) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for SessionCreatePassword {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 128usize {
                return Err("longer than 128 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for SessionCreatePassword {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for SessionCreatePassword {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for SessionCreatePassword {
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
    ///A session and the companies that it gives access to.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct SessionCreated {
        ///The companies that the password gives access to.
        pub memberships: ::std::vec::Vec<Membership>,
        pub ok: True,
        ///Begins with `svc_ses_`. No other operation returns it.
        pub session_token: ::std::string::String,
    }
    ///An event to send to the app.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct TestEventCreate {
        ///Id of a connected installation of the app (`ins_`). If it is absent, the event is for the newest connected installation.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub installation_id: ::std::option::Option<TestEventCreateInstallationId>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub kind: ::std::option::Option<DirectoryKind>,
        #[serde(rename = "type")]
        pub type_: EventType,
    }
    ///Id of a connected installation of the app (`ins_`). If it is absent, the event is for the newest connected installation.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct TestEventCreateInstallationId(::std::string::String);
    impl ::std::ops::Deref for TestEventCreateInstallationId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<TestEventCreateInstallationId> for ::std::string::String {
        fn from(value: TestEventCreateInstallationId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for TestEventCreateInstallationId {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for TestEventCreateInstallationId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String>
    for TestEventCreateInstallationId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for TestEventCreateInstallationId {
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
    ///One call of a tool by an assistant for an employee. `outcome` is the outcome of the tool. After a call of a read-only tool, the assistant can get an error although the outcome is `ok`: before the response was sent, the connection was revoked, or the employee left a conversation that the call had read.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ToolCall {
        ///When the call ended.
        pub at: ::std::string::String,
        ///Begins with `mcpc_`, or is the URL of the client's metadata document.
        pub client_id: ::std::string::String,
        ///`con_` id of the connection.
        pub connection_id: ::std::string::String,
        ///The client's name as people saw it at the time of the call.
        pub display_name: ::std::string::String,
        ///The error code of the call; null when the call is `ok`.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub error_code: ::std::option::Option<::std::string::String>,
        ///`tlc_` id.
        pub id: ::std::string::String,
        ///Duration in microseconds.
        pub latency_us: i64,
        ///The number of further objects, whose ids are not in `targets`.
        pub more_targets: i64,
        pub outcome: ToolOutcomeValue,
        ///Ids of the objects that the call read or changed, at most 20.
        pub targets: ::std::vec::Vec<::std::string::String>,
        ///The tool's name.
        pub tool: ::std::string::String,
        ///`usr_` id of the employee.
        pub user_id: ::std::string::String,
    }
    ///One page of tool calls.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ToolCallPage {
        ///Null on the last page; never null with `order=ingested`.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
        ///The calls of the page.
        pub tool_calls: ::std::vec::Vec<ToolCall>,
    }
    ///The outcome of a call: it succeeded (`ok`), it was rejected (`refused`), or it has no result (`failed`), because the server failed or the client disconnected.
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
    pub enum ToolOutcome {
        #[serde(rename = "ok")]
        Ok,
        #[serde(rename = "refused")]
        Refused,
        #[serde(rename = "failed")]
        Failed,
    }
    impl ::std::fmt::Display for ToolOutcome {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Ok => f.write_str("ok"),
                Self::Refused => f.write_str("refused"),
                Self::Failed => f.write_str("failed"),
            }
        }
    }
    impl ::std::str::FromStr for ToolOutcome {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "ok" => Ok(Self::Ok),
                "refused" => Ok(Self::Refused),
                "failed" => Ok(Self::Failed),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ToolOutcome {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ToolOutcome {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The `ToolOutcome` of a call. More outcomes may be added.
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
    pub struct ToolOutcomeValue(pub ::std::string::String);
    impl ::std::ops::Deref for ToolOutcomeValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ToolOutcomeValue> for ::std::string::String {
        fn from(value: ToolOutcomeValue) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for ToolOutcomeValue {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for ToolOutcomeValue {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for ToolOutcomeValue {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///Always true.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[serde(transparent)]
    pub struct True(pub bool);
    impl ::std::ops::Deref for True {
        type Target = bool;
        fn deref(&self) -> &bool {
            &self.0
        }
    }
    impl ::std::convert::From<True> for bool {
        fn from(value: True) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<bool> for True {
        fn from(value: bool) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for True {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for True {
        type Err = <bool as ::std::str::FromStr>::Err;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.parse()?))
        }
    }
    impl ::std::convert::TryFrom<&str> for True {
        type Error = <bool as ::std::str::FromStr>::Err;
        fn try_from(value: &str) -> ::std::result::Result<Self, Self::Error> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<String> for True {
        type Error = <bool as ::std::str::FromStr>::Err;
        fn try_from(value: String) -> ::std::result::Result<Self, Self::Error> {
            value.parse()
        }
    }
    ///`UploadFileName`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UploadFileName(::std::string::String);
    impl ::std::ops::Deref for UploadFileName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UploadFileName> for ::std::string::String {
        fn from(value: UploadFileName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UploadFileName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 255usize {
                return Err("longer than 255 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UploadFileName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UploadFileName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UploadFileName {
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
    ///`UploadFileXActingUser`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UploadFileXActingUser(::std::string::String);
    impl ::std::ops::Deref for UploadFileXActingUser {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UploadFileXActingUser> for ::std::string::String {
        fn from(value: UploadFileXActingUser) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UploadFileXActingUser {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UploadFileXActingUser {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UploadFileXActingUser {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UploadFileXActingUser {
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
    ///A person or a bot user, with everything stored about them.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct User {
        ///The app of a bot user; null for a person.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub app_id: ::std::option::Option<::std::string::String>,
        ///Address of a picture; null when there is none.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub avatar_url: ::std::option::Option<::std::string::String>,
        ///When the person or bot was added.
        pub created_at: ::std::string::String,
        ///First name.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub display_name: ::std::option::Option<::std::string::String>,
        ///E-mail address, even if colleagues do not see it. Null for a bot and for a removed person.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub email: ::std::option::Option<::std::string::String>,
        ///Whether colleagues, and apps with the scope `users:read.email`, see the e-mail address.
        pub email_visible: bool,
        ///Whether the company's members see this guest. Has no meaning for people who are not guests.
        pub guest_visible: bool,
        ///`usr_` id.
        pub id: ::std::string::String,
        ///True for active and onboarding people.
        pub is_active: bool,
        ///Admin of the company.
        pub is_admin: bool,
        ///True for the bot user of an app.
        pub is_bot: bool,
        ///Guest from outside the company.
        pub is_external: bool,
        ///Full name.
        pub name: ::std::string::String,
        pub state: UserState,
        ///IANA time zone name.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub timezone: ::std::option::Option<::std::string::String>,
        ///Job title.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub title: ::std::option::Option<::std::string::String>,
        ///`cmp_` id of the company.
        pub workspace_id: ::std::string::String,
    }
    ///A person to add.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct UserCreate {
        ///Address of a picture.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub avatar_url: ::std::option::Option<UserCreateAvatarUrl>,
        ///First name.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub display_name: ::std::option::Option<UserCreateDisplayName>,
        ///E-mail address, which is also the sign-in name. Unique in the company, whatever the letter case.
        pub email: UserCreateEmail,
        ///Whether colleagues, and apps with the scope `users:read.email`, see the e-mail address. True when absent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email_visible: ::std::option::Option<bool>,
        ///Whether the company's members see this guest. True when absent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub guest_visible: ::std::option::Option<bool>,
        ///Admin of the company. False when absent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub is_admin: ::std::option::Option<bool>,
        ///Guest from outside the company. False when absent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub is_external: ::std::option::Option<bool>,
        ///Full name.
        pub name: UserCreateName,
        ///Password of the account. A person whose account has no password cannot sign in yet.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub password: ::std::option::Option<UserCreatePassword>,
        ///Account state; `active` when absent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub state: ::std::option::Option<UserState>,
        ///IANA time zone name, such as `Europe/London`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub timezone: ::std::option::Option<UserCreateTimezone>,
        ///Job title.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub title: ::std::option::Option<UserCreateTitle>,
    }
    ///Address of a picture.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserCreateAvatarUrl(::std::string::String);
    impl ::std::ops::Deref for UserCreateAvatarUrl {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserCreateAvatarUrl> for ::std::string::String {
        fn from(value: UserCreateAvatarUrl) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserCreateAvatarUrl {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 2048usize {
                return Err("longer than 2048 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^https://[^\\s]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^https://[^\\s]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserCreateAvatarUrl {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserCreateAvatarUrl {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserCreateAvatarUrl {
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
    ///First name.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserCreateDisplayName(::std::string::String);
    impl ::std::ops::Deref for UserCreateDisplayName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserCreateDisplayName> for ::std::string::String {
        fn from(value: UserCreateDisplayName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserCreateDisplayName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserCreateDisplayName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserCreateDisplayName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserCreateDisplayName {
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
    ///E-mail address, which is also the sign-in name. Unique in the company, whatever the letter case.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserCreateEmail(::std::string::String);
    impl ::std::ops::Deref for UserCreateEmail {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserCreateEmail> for ::std::string::String {
        fn from(value: UserCreateEmail) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserCreateEmail {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 254usize {
                return Err("longer than 254 characters".into());
            }
            if value.chars().count() < 3usize {
                return Err("shorter than 3 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^[^@\\s]+@[^@\\s]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^[^@\\s]+@[^@\\s]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserCreateEmail {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserCreateEmail {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserCreateEmail {
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
    ///Full name.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserCreateName(::std::string::String);
    impl ::std::ops::Deref for UserCreateName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserCreateName> for ::std::string::String {
        fn from(value: UserCreateName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserCreateName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserCreateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserCreateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserCreateName {
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
    ///Password of the account. A person whose account has no password cannot sign in yet.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserCreatePassword(::std::string::String);
    impl ::std::ops::Deref for UserCreatePassword {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserCreatePassword> for ::std::string::String {
        fn from(value: UserCreatePassword) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserCreatePassword {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 128usize {
                return Err("longer than 128 characters".into());
            }
            if value.chars().count() < 8usize {
                return Err("shorter than 8 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserCreatePassword {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserCreatePassword {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserCreatePassword {
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
    ///IANA time zone name, such as `Europe/London`.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserCreateTimezone(::std::string::String);
    impl ::std::ops::Deref for UserCreateTimezone {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserCreateTimezone> for ::std::string::String {
        fn from(value: UserCreateTimezone) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserCreateTimezone {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 64usize {
                return Err("longer than 64 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserCreateTimezone {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserCreateTimezone {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserCreateTimezone {
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
    ///Job title.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserCreateTitle(::std::string::String);
    impl ::std::ops::Deref for UserCreateTitle {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserCreateTitle> for ::std::string::String {
        fn from(value: UserCreateTitle) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserCreateTitle {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserCreateTitle {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserCreateTitle {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserCreateTitle {
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
    ///One page of people and bot users.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct UserPage {
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
        ///The people and bots of the page, oldest first.
        pub users: ::std::vec::Vec<User>,
    }
    ///One person or bot user.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct UserResult {
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub file_usage: ::std::option::Option<FileUsage>,
        pub ok: True,
        pub user: User,
    }
    ///Account state of a person. `removed` is final.
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
    pub enum UserState {
        #[serde(rename = "active")]
        Active,
        #[serde(rename = "onboarding")]
        Onboarding,
        #[serde(rename = "deactivated")]
        Deactivated,
        #[serde(rename = "removed")]
        Removed,
    }
    impl ::std::fmt::Display for UserState {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Active => f.write_str("active"),
                Self::Onboarding => f.write_str("onboarding"),
                Self::Deactivated => f.write_str("deactivated"),
                Self::Removed => f.write_str("removed"),
            }
        }
    }
    impl ::std::str::FromStr for UserState {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "active" => Ok(Self::Active),
                "onboarding" => Ok(Self::Onboarding),
                "deactivated" => Ok(Self::Deactivated),
                "removed" => Ok(Self::Removed),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for UserState {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserState {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The state to give to a person.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct UserStateChange {
        pub state: UserState,
    }
    ///Changes to a person.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct UserUpdate {
        ///Address of a picture; null when there is none.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub avatar_url: ::std::option::Option<UserUpdateAvatarUrl>,
        ///The present password; required with `password` for the caller's own account.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub current_password: ::std::option::Option<UserUpdateCurrentPassword>,
        ///First name.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub display_name: ::std::option::Option<UserUpdateDisplayName>,
        ///E-mail address, which is also the sign-in name. Unique in the company, whatever the letter case.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email: ::std::option::Option<UserUpdateEmail>,
        ///Whether colleagues, and apps with the scope `users:read.email`, see the e-mail address.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email_visible: ::std::option::Option<bool>,
        ///Whether the company's members see this guest.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub guest_visible: ::std::option::Option<bool>,
        ///Admin of the company.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub is_admin: ::std::option::Option<bool>,
        ///Guest from outside the company.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub is_external: ::std::option::Option<bool>,
        ///Full name.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<UserUpdateName>,
        ///The new password. A change ends all sessions of the account except the session of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub password: ::std::option::Option<UserUpdatePassword>,
        ///IANA time zone name, such as `Europe/London`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub timezone: ::std::option::Option<UserUpdateTimezone>,
        ///Job title.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub title: ::std::option::Option<UserUpdateTitle>,
    }
    ///Address of a picture; null when there is none.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserUpdateAvatarUrl(::std::string::String);
    impl ::std::ops::Deref for UserUpdateAvatarUrl {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserUpdateAvatarUrl> for ::std::string::String {
        fn from(value: UserUpdateAvatarUrl) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserUpdateAvatarUrl {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 2048usize {
                return Err("longer than 2048 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^https://[^\\s]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^https://[^\\s]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserUpdateAvatarUrl {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserUpdateAvatarUrl {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserUpdateAvatarUrl {
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
    ///The present password; required with `password` for the caller's own account.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserUpdateCurrentPassword(::std::string::String);
    impl ::std::ops::Deref for UserUpdateCurrentPassword {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserUpdateCurrentPassword> for ::std::string::String {
        fn from(value: UserUpdateCurrentPassword) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserUpdateCurrentPassword {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 1024usize {
                return Err("longer than 1024 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserUpdateCurrentPassword {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserUpdateCurrentPassword {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserUpdateCurrentPassword {
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
    ///First name.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserUpdateDisplayName(::std::string::String);
    impl ::std::ops::Deref for UserUpdateDisplayName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserUpdateDisplayName> for ::std::string::String {
        fn from(value: UserUpdateDisplayName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserUpdateDisplayName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserUpdateDisplayName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserUpdateDisplayName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserUpdateDisplayName {
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
    ///E-mail address, which is also the sign-in name. Unique in the company, whatever the letter case.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserUpdateEmail(::std::string::String);
    impl ::std::ops::Deref for UserUpdateEmail {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserUpdateEmail> for ::std::string::String {
        fn from(value: UserUpdateEmail) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserUpdateEmail {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 254usize {
                return Err("longer than 254 characters".into());
            }
            if value.chars().count() < 3usize {
                return Err("shorter than 3 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^[^@\\s]+@[^@\\s]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^[^@\\s]+@[^@\\s]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserUpdateEmail {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserUpdateEmail {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserUpdateEmail {
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
    ///Full name.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserUpdateName(::std::string::String);
    impl ::std::ops::Deref for UserUpdateName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserUpdateName> for ::std::string::String {
        fn from(value: UserUpdateName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserUpdateName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserUpdateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserUpdateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserUpdateName {
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
    ///The new password. A change ends all sessions of the account except the session of the request.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserUpdatePassword(::std::string::String);
    impl ::std::ops::Deref for UserUpdatePassword {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserUpdatePassword> for ::std::string::String {
        fn from(value: UserUpdatePassword) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserUpdatePassword {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 128usize {
                return Err("longer than 128 characters".into());
            }
            if value.chars().count() < 8usize {
                return Err("shorter than 8 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserUpdatePassword {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserUpdatePassword {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserUpdatePassword {
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
    ///IANA time zone name, such as `Europe/London`.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserUpdateTimezone(::std::string::String);
    impl ::std::ops::Deref for UserUpdateTimezone {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserUpdateTimezone> for ::std::string::String {
        fn from(value: UserUpdateTimezone) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserUpdateTimezone {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 64usize {
                return Err("longer than 64 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserUpdateTimezone {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserUpdateTimezone {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserUpdateTimezone {
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
    ///Job title.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct UserUpdateTitle(::std::string::String);
    impl ::std::ops::Deref for UserUpdateTitle {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UserUpdateTitle> for ::std::string::String {
        fn from(value: UserUpdateTitle) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for UserUpdateTitle {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for UserUpdateTitle {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for UserUpdateTitle {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for UserUpdateTitle {
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
    ///A company.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Workspace {
        ///Whether employees may connect AI assistants.
        pub ai_assistants: bool,
        pub assistant_sends: AssistantSendsValue,
        ///When it was created.
        pub created_at: ::std::string::String,
        ///The company's e-mail domain.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub domain: ::std::option::Option<::std::string::String>,
        ///`cmp_` id.
        pub id: ::std::string::String,
        ///Hours after which an assistant connection ends, counted from its creation; null for no maximum.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub max_session_hours: ::std::option::Option<i64>,
        ///Name of the company.
        pub name: ::std::string::String,
    }
    ///A company to create.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct WorkspaceCreate {
        ///The company's e-mail domain.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub domain: ::std::option::Option<WorkspaceCreateDomain>,
        ///Name of the company.
        pub name: WorkspaceCreateName,
    }
    ///The company's e-mail domain.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct WorkspaceCreateDomain(::std::string::String);
    impl ::std::ops::Deref for WorkspaceCreateDomain {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<WorkspaceCreateDomain> for ::std::string::String {
        fn from(value: WorkspaceCreateDomain) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for WorkspaceCreateDomain {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 253usize {
                return Err("longer than 253 characters".into());
            }
            if value.chars().count() < 3usize {
                return Err("shorter than 3 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err(
                    "doesn't match pattern \"^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$\"".into(),
                );
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for WorkspaceCreateDomain {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for WorkspaceCreateDomain {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for WorkspaceCreateDomain {
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
    ///Name of the company.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct WorkspaceCreateName(::std::string::String);
    impl ::std::ops::Deref for WorkspaceCreateName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<WorkspaceCreateName> for ::std::string::String {
        fn from(value: WorkspaceCreateName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for WorkspaceCreateName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for WorkspaceCreateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for WorkspaceCreateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for WorkspaceCreateName {
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
    ///One page of companies.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct WorkspacePage {
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
        ///The companies of the page, oldest first.
        pub workspaces: ::std::vec::Vec<Workspace>,
    }
    ///One company.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct WorkspaceResult {
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub file_usage: ::std::option::Option<FileUsage>,
        pub ok: True,
        pub workspace: Workspace,
    }
    ///Changes to a company.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct WorkspaceUpdate {
        ///Whether employees may connect AI assistants.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub ai_assistants: ::std::option::Option<bool>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub assistant_sends: ::std::option::Option<AssistantSends>,
        ///The company's e-mail domain; null when it has none.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub domain: ::std::option::Option<WorkspaceUpdateDomain>,
        ///Hours after which an assistant connection ends, counted from its creation; null for no maximum.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub max_session_hours: ::std::option::Option<::std::num::NonZeroU64>,
        ///Name of the company.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<WorkspaceUpdateName>,
    }
    ///The company's e-mail domain; null when it has none.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct WorkspaceUpdateDomain(::std::string::String);
    impl ::std::ops::Deref for WorkspaceUpdateDomain {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<WorkspaceUpdateDomain> for ::std::string::String {
        fn from(value: WorkspaceUpdateDomain) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for WorkspaceUpdateDomain {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 253usize {
                return Err("longer than 253 characters".into());
            }
            if value.chars().count() < 3usize {
                return Err("shorter than 3 characters".into());
            }
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err(
                    "doesn't match pattern \"^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$\"".into(),
                );
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for WorkspaceUpdateDomain {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for WorkspaceUpdateDomain {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for WorkspaceUpdateDomain {
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
    ///Name of the company.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct WorkspaceUpdateName(::std::string::String);
    impl ::std::ops::Deref for WorkspaceUpdateName {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<WorkspaceUpdateName> for ::std::string::String {
        fn from(value: WorkspaceUpdateName) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for WorkspaceUpdateName {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 200usize {
                return Err("longer than 200 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for WorkspaceUpdateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for WorkspaceUpdateName {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for WorkspaceUpdateName {
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
/**Client for Switchboard admin API

This API manages companies, people, conversations, messages, files, apps, installations and assistant
connections. It is for the operator of the server, for the admins of a company, and for people who
manage their own data. The command line is a client of this API. The same server also has the bot API
and the assistant connection server, each with a document of its own.

# Credentials

A request has the header `Authorization: Bearer` (scheme `credentials`) with one of two credentials:

- the operator key `svc_op_…`, which is configured on the server and is valid for every company. If the
  operator acts for a person, the header `X-Acting-User` names the person;
- a session token `svc_ses_…` of a signed-in account, from `POST /admin/v1/sessions`.

A browser that has signed in on the sign-in page needs no `Authorization` header. The page has created
a session and stored its token in the cookie `__Host-session` (scheme `sessionCookie`), or in the
cookie `session` if the server's address begins with `http://`. The cookie authenticates every request
without an `Authorization` header. If such a request is not a `GET`, it must also have the header
`X-CSRF-Token` (scheme `csrfToken`).

Bot tokens, client secrets and assistant tokens are not accepted here.

**Roles.** The description of an operation, and its member `x-credentials`, list who may call it:

- `operator`: the operator key;
- `admin`: a session of an active admin of a company, for that company;
- `person`: a session of any person, for the person's own data and conversations only.

If an operation does not accept the caller's kind of credential, the response is 403 `forbidden`. The
response is also 403 if the caller has no right to a resource of the caller's company, unless the
operation's description names another response. For a resource of another company the response is 404,
as if the resource did not exist.

**Sandbox only.** Operations marked `x-sandbox` exist in the sandbox and in development. In production
their paths return 404 `not_found`.

# Requests and responses

The conventions are those of the bot API. Bodies are JSON. Every success has `ok: true`. Every failure
is the error envelope, whose `request_id` equals the header `X-Request-Id`. Times are RFC 3339 in UTC
with milliseconds. Ids are opaque. An id that cannot be parsed is treated like an unknown id. Unknown
members and parameters are ignored.

In a `PATCH`, an absent member leaves the stored value unchanged. Null clears the value, where null is
allowed. Lists have the parameters `limit` and `cursor`, and return `next_cursor`, which is null on the
last page.

The version is the path prefix `/admin/v1`. Within a version, operations, members and values may be
added, and none is renamed or removed.

# Events

Some operations send events to apps; the document of the bot API describes the events. Names such as
`user.created` and `conversation.renamed` are kinds of the event `directory.changed`. *Apps that may
read people* are the apps whose installation in the company is connected and has the scope
`users:read`. Only apps with a callback URL get events.

# Errors

```json
{
  "ok": false,
  "error": {"code": "user_not_found", "message": "no such user"},
  "request_id": "req_01k9v3tq7m5x8zc2r6hb4wny0p"
}
```

Use `code` for decisions. A code is stable, and every code except `client_error` and `server_error`
always has the same status. `message` is for people and may change. New codes may be added; treat an
unknown code as a generic failure of its status.

| Status | Code | Meaning |
|-|-|-|
| 400 | `invalid_request` | a parameter, header or body member is missing or malformed |
| 400 | `invalid_cursor` | a malformed cursor, or a cursor of another list |
| 400 | `token_in_query` | a token was sent as a query parameter |
| 401 | `not_authed` | no `Authorization` header and no session cookie |
| 401 | `invalid_auth` | the credential does not exist, the session has ended, or the password is wrong |
| 403 | `forbidden` | the caller may not do this |
| 403 | `not_in_conversation` | the person is no longer a member of the conversation |
| 403 | `not_allowed_in_conversation` | only admins post in this conversation |
| 404 | `user_not_found` | no such person or bot user, or none that the caller may see |
| 404 | `conversation_not_found` | no such conversation, or it was deleted |
| 404 | `message_not_found` | no such message, or it was deleted |
| 404 | `file_not_found` | no such file, or it was deleted |
| 404 | `not_found` | no such path or resource, or a resource of another company; in production, an operation of the sandbox |
| 406 | `not_acceptable` | `Accept` excludes `application/json` |
| 409 | `conflict` | the resource's state does not allow the operation; the operation's description says when |
| 409 | `conversation_archived` | the group, or the group of the channel, is archived |
| 409 | `user_deactivated` | the person is deactivated or removed |
| 413 | `payload_too_large` | the body, or a file, is too large |
| 415 | `unsupported_media_type` | the operation does not accept the media type, charset or content coding of the body |
| 429 | `rate_limited` | over a rate limit; `Retry-After` gives seconds |
| 500 | `internal_error` | an error of the server |
| 4xx | `client_error` | any other refusal, with its own status: 405 (with `Allow`), 408 (the whole body did not arrive within 10 seconds; `uploadFile` has other times), 414, 431 |
| 5xx | `server_error` | any other error of the server, with its own status, such as 503 |

Any operation may return `client_error` and `server_error`. These are its `default` response.

**Order of the checks.** A request is checked in this order, and the first failure is returned: path and
method, token in the query string, credential, `Accept`, media type, size, kind of the credential, rate
limit, parameters and body, existence of the resource and the caller's right to it, state of the resource.
Only the limits of `POST /admin/v1/sessions` for a network address and for an IPv6 /48 are checked
earlier: after path and method.

# Rate limits

| What | Limit | Counted for | Named in headers |
|-|-|-|-|
| `POST /admin/v1/sessions` | 60 per minute | network address | `sign_in_address` |
| `POST /admin/v1/sessions` from IPv6 addresses, in addition | 300 per minute | IPv6 /48 | `sign_in_network` |
| `POST /admin/v1/sessions` for one account, in addition | 10 per minute | e-mail address and network address | `sign_in_account` |
| all other operations together | 200 per second, bursts of 1000 | account, or the operator | `admin` |

All addresses of an IPv6 /64 count as one network address. A request over a limit gets 429
`rate_limited`. Wait the seconds of `Retry-After`, and repeat the request.

The limits of `POST /admin/v1/sessions` are exact: they have no tolerance for varying network delays. If
a client sends as fast as a limit allows, such delays can move requests closer together, so a request
can be rejected although it was sent in time. The limit of the other operations is a guaranteed minimum:
requests within the limit are never rejected, and slightly more may be accepted.

Attempts on the sign-in page count against the limits of `POST /admin/v1/sessions`, too. Wrong
passwords also delay further attempts; the description of `POST /admin/v1/sessions` has the times.

Responses of `POST /admin/v1/sessions` report the limits of this operation in the headers
`RateLimit-Policy` (`q` requests in `w` seconds) and `RateLimit` (`r` requests are left now; `r`
increases within `t` seconds). Responses of the other operations have these headers only if the request
was over the limit `admin`.

# Extensions of this document

| Member | Meaning |
|-|-|
| `x-credentials` | who may call the operation |
| `x-sandbox` | the operation does not exist in production |
| `x-limit` | the rate limit of the operation |
| `x-extensible-enum` | the current values; further values may be added, so accept any value |
| `x-clamp` | the maximum of a number; a higher number counts as the maximum |
| `x-invalid-code` | the error code of a malformed value, if the code is not `invalid_request` |
| `x-also-accepts` | other media types in which the same body is accepted |
| `x-raw` | the server stores the body and does not parse it |
| `x-ambient-headers` | headers that any response may have |
| `x-outside` | a security scheme of the pages, for which no code is generated from this document |
| `x-name-prefix` | a prefix that this document puts before a name which another document of the server also uses; so all names are unique, and the documents can be merged |

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
    /**List apps

All registered apps, including disabled ones, oldest first. For the operator.

Sends a `GET` request to `/admin/v1/apps`

Arguments:
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
*/
    pub async fn list_apps<'a>(
        &'a self,
        cursor: Option<&'a types::ListAppsCursor>,
        limit: Option<::std::num::NonZeroU64>,
    ) -> Result<ResponseValue<types::AppPage>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/admin/v1/apps", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_apps",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Register an app

Registers an app that companies may install. The response has its client secret and its signing secret, which no other operation returns. For the operator.

Sends a `POST` request to `/admin/v1/apps`

*/
    pub async fn create_app<'a>(
        &'a self,
        body: &'a types::AppCreate,
    ) -> Result<ResponseValue<types::AppCreated>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/admin/v1/apps", self.baseurl,);
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
            operation_id: "create_app",
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
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Read one app

The app without its secrets. For the operator.

Sends a `GET` request to `/admin/v1/apps/{app_id}`

Arguments:
- `app_id`: Id of an app (`app_`).
*/
    pub async fn get_app<'a>(
        &'a self,
        app_id: &'a str,
    ) -> Result<ResponseValue<types::AppResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/apps/{}", self.baseurl, encode_path(& app_id.to_string()),
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
            operation_id: "get_app",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Change an app

Changes the fields that the body contains. For the operator.

`disabled: true` disconnects every installation of the app. For each of them the app gets the event
`app.uninstalled` with the reason `app_disabled`. Install codes that were not exchanged yet become
invalid. `disabled: false` lets companies install the app again and restores no installation.

New scopes apply to later installations. An install code that was approved before the change grants
only those of its scopes that the app still has.

A new name also becomes the name of the app's bot users. The bot of a disconnected installation
gets the name when the app is installed again.

Sends a `PATCH` request to `/admin/v1/apps/{app_id}`

Arguments:
- `app_id`: Id of an app (`app_`).
- `body`
*/
    pub async fn update_app<'a>(
        &'a self,
        app_id: &'a str,
        body: &'a types::AppUpdate,
    ) -> Result<ResponseValue<types::AppResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/apps/{}", self.baseurl, encode_path(& app_id.to_string()),
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
            .patch(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "update_app",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**List event deliveries

The delivery log of the app, newest first. An entry is an attempt to deliver an event to the
callback URL, an event that waits for its next attempt (`pending`), or an event that was dropped
(`dropped`). Pending and dropped events are sorted by the time of their creation. Entries are kept
for 14 days after the last attempt of the event, or after the event was dropped. For the operator.

If few entries match the filters, a page may have fewer than `limit` entries, even none, although
it has a `next_cursor`.

With `order=ingested` a client can follow the log: the response has attempts and dropped events,
oldest first, in the order in which they were written.

Sends a `GET` request to `/admin/v1/apps/{app_id}/deliveries`

Arguments:
- `app_id`: Id of an app (`app_`).
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `event_id`: Only this event. An unknown id returns an empty page.
- `installation_id`: Only events of this installation. An unknown id returns an empty page.
- `limit`: Page size. Values above 1000 count as 1000.
- `order`: `newest`, the default: newest first. `ingested`: in the order in which entries were written, oldest first. `ingested` cannot be combined with filters (400). With `ingested`, `next_cursor` is never null. A page with fewer than `limit` entries ends at the present end of the log; its cursor later returns the entries that were written in the meantime. A client that continues with the cursor misses no entry, even if several nodes write.
- `since`: Only entries at this time or later. The time of an attempt is its beginning; the time of a pending or dropped event is its creation.
- `state`: Only entries in this state.
- `type_`: Only events of this type.
- `until`: Only entries before this time. The time of an attempt is its beginning; the time of a pending or dropped event is its creation.
*/
    pub async fn list_deliveries<'a>(
        &'a self,
        app_id: &'a str,
        cursor: Option<&'a types::ListDeliveriesCursor>,
        event_id: Option<&'a types::ListDeliveriesEventId>,
        installation_id: Option<&'a types::ListDeliveriesInstallationId>,
        limit: Option<::std::num::NonZeroU64>,
        order: Option<types::LogOrder>,
        since: Option<&'a str>,
        state: Option<types::DeliveryState>,
        type_: Option<types::EventType>,
        until: Option<&'a str>,
    ) -> Result<ResponseValue<types::DeliveryPage>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/apps/{}/deliveries", self.baseurl, encode_path(& app_id
            .to_string()),
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("event_id", &event_id))
            .query(
                &progenitor_client::QueryParam::new("installation_id", &installation_id),
            )
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("since", &since))
            .query(&progenitor_client::QueryParam::new("state", &state))
            .query(&progenitor_client::QueryParam::new("type", &type_))
            .query(&progenitor_client::QueryParam::new("until", &until))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_deliveries",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Deliver an event again

Delivers one event again: the event is due now, and its retry schedule begins again. The event
keeps its id and body, and the numbers of its attempts continue. For the operator.

The response is 409 if the event must not be sent any more:

- the app has no callback URL;
- the installation of the event is disconnected, unless the event is `app.uninstalled`;
- the message of the event was deleted, and its content was erased from the event.

Sends a `POST` request to `/admin/v1/apps/{app_id}/events/{event_id}/redeliver`

Arguments:
- `app_id`: Id of an app (`app_`).
- `event_id`: Id of an event (`evt_`).
*/
    pub async fn redeliver_event<'a>(
        &'a self,
        app_id: &'a str,
        event_id: &'a str,
    ) -> Result<ResponseValue<types::EventQueued>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/apps/{}/events/{}/redeliver", self.baseurl, encode_path(& app_id
            .to_string()), encode_path(& event_id.to_string()),
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
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "redeliver_event",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            202u16 => ResponseValue::from_response(response).await,
            400u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
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
    /**Deliver events again

Delivers again all events that were created in a span of time and whose last scheduled attempt failed. With `state: all`, all delivered and dropped events of this span are delivered again, too. Pending events are left out. So are events that must not be sent any more: `redeliverEvent` lists the reasons. If the app has no callback URL, the response is 409. For the operator.

Sends a `POST` request to `/admin/v1/apps/{app_id}/redeliver`

Arguments:
- `app_id`: Id of an app (`app_`).
- `body`
*/
    pub async fn redeliver_events<'a>(
        &'a self,
        app_id: &'a str,
        body: &'a types::RedeliverRequest,
    ) -> Result<ResponseValue<types::Redelivered>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/apps/{}/redeliver", self.baseurl, encode_path(& app_id
            .to_string()),
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
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "redeliver_events",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            202u16 => ResponseValue::from_response(response).await,
            400u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Replace a secret

Creates a new client secret or signing secret. No other operation returns it. A new client secret invalidates the old one immediately. For 24 hours after a signing secret is replaced, events are signed with the new and the old secret. For the operator.

Sends a `POST` request to `/admin/v1/apps/{app_id}/rotate`

Arguments:
- `app_id`: Id of an app (`app_`).
- `body`
*/
    pub async fn rotate_secret<'a>(
        &'a self,
        app_id: &'a str,
        body: &'a types::SecretRotate,
    ) -> Result<ResponseValue<types::SecretRotated>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/apps/{}/rotate", self.baseurl, encode_path(& app_id
            .to_string()),
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
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "rotate_secret",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Send a test event

Sends an event to the app as if a change had just happened, although nothing changes. An event of the type `directory.changed` or `interaction` is about an existing person, conversation or message of the installation's company that is visible to the bot. The response is 409 if there is no such object, if the app has no connected installation or no callback URL, or if an event about a person is for an installation without the scope `users:read`. For the operator; sandbox only.

Sends a `POST` request to `/admin/v1/apps/{app_id}/test_events`

Arguments:
- `app_id`: Id of an app (`app_`).
- `body`
*/
    pub async fn create_test_event<'a>(
        &'a self,
        app_id: &'a str,
        body: &'a types::TestEventCreate,
    ) -> Result<ResponseValue<types::EventQueued>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/apps/{}/test_events", self.baseurl, encode_path(& app_id
            .to_string()),
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
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "create_test_event",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            202u16 => ResponseValue::from_response(response).await,
            400u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**List assistant clients

Registered clients and clients with a metadata document, oldest first. For the operator.

Sends a `GET` request to `/admin/v1/assistant_clients`

Arguments:
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
*/
    pub async fn list_assistant_clients<'a>(
        &'a self,
        cursor: Option<&'a types::ListAssistantClientsCursor>,
        limit: Option<::std::num::NonZeroU64>,
    ) -> Result<ResponseValue<types::AssistantClientPage>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/admin/v1/assistant_clients", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_assistant_clients",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Read the clock

The time of the server's clock. For the operator; only in the sandbox, with the setting `test_clock`.

Sends a `GET` request to `/admin/v1/clock`

*/
    pub async fn get_clock<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::ClockResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/admin/v1/clock", self.baseurl,);
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
            operation_id: "get_clock",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Move the clock

Moves the server's time ahead by `advance_seconds`, or back to real time with `reset: true`. The
body must have exactly one of the two members; if it does not, the response is 400. Before the
response, the server does the work that has become due, such as retries, expiry and clean-up. For
the operator; only in the sandbox, with the setting `test_clock`.

Other nodes follow within seconds. Until a node has followed a reset, its clock is ahead. In this
time the node may attempt retries at once, and it stores their results with its own time.

After a reset:

- Retries of events, delays after wrong passwords and cached metadata documents keep their remaining
  time.
- The content of a deleted file is removed no later than if the file had been deleted at the reset.
- A file that is in no message is deleted no later than if it had been uploaded at the reset.
- Tokens and sessions that were created while the clock was ahead keep their times of expiry.

Sends a `POST` request to `/admin/v1/clock`

*/
    pub async fn update_clock<'a>(
        &'a self,
        body: &'a types::ClockUpdate,
    ) -> Result<ResponseValue<types::ClockResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/admin/v1/clock", self.baseurl,);
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
            operation_id: "update_clock",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Revoke an assistant connection

Revokes the connection and its tokens immediately. A connection that is already revoked is not changed. For the operator, the company's admins, and the employee whose connection it is.

Sends a `DELETE` request to `/admin/v1/connections/{connection_id}`

Arguments:
- `connection_id`: Id of an assistant connection (`con_`).
*/
    pub async fn delete_connection<'a>(
        &'a self,
        connection_id: &'a str,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/connections/{}", self.baseurl, encode_path(& connection_id
            .to_string()),
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
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "delete_connection",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Read one conversation

The conversation with its present and past members, even if it is archived or deleted. At most 200 members are returned. If there are more, `members_cursor` is a cursor of the operation `listMembers`, which returns the remaining members. For the operator and the company's admins.

Sends a `GET` request to `/admin/v1/conversations/{conversation_id}`

Arguments:
- `conversation_id`: Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
*/
    pub async fn get_conversation<'a>(
        &'a self,
        conversation_id: &'a str,
    ) -> Result<
        ResponseValue<types::ConversationDetailResult>,
        Error<types::ErrorEnvelope>,
    > {
        let url = format!(
            "{}/admin/v1/conversations/{}", self.baseurl, encode_path(& conversation_id
            .to_string()),
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
            operation_id: "get_conversation",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Delete a conversation

Deletes the conversation. If it is a group, its channels are deleted too. The apps of the bots in a deleted group or channel get `conversation.deleted`, except for announcement-only conversations. The operator and admins can still read a deleted conversation, which has `is_deleted: true`. If the conversation is already deleted, the response is 404. For the operator and the company's admins.

Sends a `DELETE` request to `/admin/v1/conversations/{conversation_id}`

Arguments:
- `conversation_id`: Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
*/
    pub async fn delete_conversation<'a>(
        &'a self,
        conversation_id: &'a str,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/conversations/{}", self.baseurl, encode_path(& conversation_id
            .to_string()),
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
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "delete_conversation",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Change a conversation

Changes the fields that the body contains. `type` and `is_archived` of a group apply to its channels too. The response is 400 for a field that this kind of conversation does not have: `type` and `is_archived` for a channel, all fields for a direct message. The apps of the bots in the conversation get `conversation.renamed` if the name changes, and `conversation.archived` if a group is archived, except for announcement-only conversations. For the operator and the company's admins.

Sends a `PATCH` request to `/admin/v1/conversations/{conversation_id}`

Arguments:
- `conversation_id`: Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
- `body`
*/
    pub async fn update_conversation<'a>(
        &'a self,
        conversation_id: &'a str,
        body: &'a types::ConversationUpdate,
    ) -> Result<ResponseValue<types::ConversationResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/conversations/{}", self.baseurl, encode_path(& conversation_id
            .to_string()),
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
            .patch(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "update_conversation",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**List the members of a conversation

The operator and admins get all present and past members in the order of their ids, also of archived and deleted conversations. A person who is not an admin gets the present members without hidden guests; a hidden guest also gets their own entry. If the person never was a member, or if the conversation is deleted, the response is 404 `conversation_not_found`. If the person is a former member, the response is 403 `not_in_conversation`. For the operator, the company's admins and persons.

Sends a `GET` request to `/admin/v1/conversations/{conversation_id}/members`

Arguments:
- `conversation_id`: Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
*/
    pub async fn list_members<'a>(
        &'a self,
        conversation_id: &'a str,
        cursor: Option<&'a types::ListMembersCursor>,
        limit: Option<::std::num::NonZeroU64>,
    ) -> Result<ResponseValue<types::MemberPage>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/conversations/{}/members", self.baseurl, encode_path(&
            conversation_id.to_string()),
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_members",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Add a member

Adds a person, or an app by its bot's user id. A user who joins a channel also joins its group. A system message reports the new member. The app of an added bot gets `conversation.created`, except for an announcement-only conversation. If the user is already a member, nothing changes. The response is 409 for a direct message, for an archived group and its channels, and for a deactivated or removed person. For the operator and the company's admins.

Sends a `PUT` request to `/admin/v1/conversations/{conversation_id}/members/{user_id}`

Arguments:
- `conversation_id`: Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
- `user_id`: Id of a person or a bot user (`usr_`).
*/
    pub async fn add_member<'a>(
        &'a self,
        conversation_id: &'a str,
        user_id: &'a str,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/conversations/{}/members/{}", self.baseurl, encode_path(&
            conversation_id.to_string()), encode_path(& user_id.to_string()),
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
            .put(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "add_member",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
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
    /**Remove a member

Removes a person or a bot. A user who is removed from a group is also removed from its channels; adding the user to the group again does not restore these memberships. The app of a removed bot gets `app.removed_from_conversation`, except for an announcement-only conversation. If the user is not a member, nothing changes. For a direct message the response is 409. For the operator and the company's admins.

Sends a `DELETE` request to `/admin/v1/conversations/{conversation_id}/members/{user_id}`

Arguments:
- `conversation_id`: Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
- `user_id`: Id of a person or a bot user (`usr_`).
*/
    pub async fn remove_member<'a>(
        &'a self,
        conversation_id: &'a str,
        user_id: &'a str,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/conversations/{}/members/{}", self.baseurl, encode_path(&
            conversation_id.to_string()), encode_path(& user_id.to_string()),
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
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "remove_member",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
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
    /**Read the messages of a conversation

All messages with all stored fields, newest first. A deleted message stays in the list without its content. Messages of direct, archived and deleted conversations are listed, too. If edit histories are long, a page may have fewer than `limit` messages although it has a `next_cursor`. For the operator and the company's admins.

Sends a `GET` request to `/admin/v1/conversations/{conversation_id}/messages`

Arguments:
- `conversation_id`: Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
*/
    pub async fn list_messages<'a>(
        &'a self,
        conversation_id: &'a str,
        cursor: Option<&'a types::ListMessagesCursor>,
        limit: Option<::std::num::NonZeroU64>,
    ) -> Result<ResponseValue<types::MessagePage>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/conversations/{}/messages", self.baseurl, encode_path(&
            conversation_id.to_string()),
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_messages",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Post a message

Posts a message of a person, or a system message. With a session the sender is the caller, and
`user_id` may name only the caller. The operator names the sender in `user_id` or in
`X-Acting-User`; if both are present and differ, the response is 400. If neither names a person,
the operator posts a system message. For the operator and persons.

A sender who never was a member of the conversation gets 404 `conversation_not_found`, and a former
member 403 `not_in_conversation`. In an announcement-only conversation only admins and the system
may post; all other senders get 403 `not_allowed_in_conversation`. The response is 409
`conversation_archived` if the group is archived, and 409 `user_deactivated` if the sender is
deactivated or removed.

If an earlier message of the conversation has the `client_key`, the request posts nothing. If sender
and content are also those of the earlier message, the response is that message. If not, the
response is 409 `conflict`.

Sends a `POST` request to `/admin/v1/conversations/{conversation_id}/messages`

Arguments:
- `conversation_id`: Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
- `x_acting_user`: The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
- `body`
*/
    pub async fn create_message<'a>(
        &'a self,
        conversation_id: &'a str,
        x_acting_user: Option<&'a types::CreateMessageXActingUser>,
        body: &'a types::MessageCreate,
    ) -> Result<ResponseValue<types::MessageResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/conversations/{}/messages", self.baseurl, encode_path(&
            conversation_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(2usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        if let Some(value) = x_acting_user {
            header_map.append("X-Acting-User", value.to_string().try_into()?);
        }
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
            operation_id: "create_message",
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
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Delete a file

Deletes the file. Messages still contain its id, and existing links to the file work until they expire. If the file is already deleted, the response is 404. For the operator, the company's admins, and the person who owns the file.

Sends a `DELETE` request to `/admin/v1/files/{file_id}`

Arguments:
- `file_id`: Id of a file (`fil_`).
*/
    pub async fn delete_file<'a>(
        &'a self,
        file_id: &'a str,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/files/{}", self.baseurl, encode_path(& file_id.to_string()),
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
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "delete_file",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Uninstall an app

Disconnects the installation: its tokens are revoked immediately, and the app's unused install codes
for the company become invalid. The app gets `app.uninstalled` with the reason `admin` and the
admin's id. `listInstallations` still returns the installation. If the installation is already
disconnected, nothing changes.

For the company's admins, and for the operator, who must name an active admin of the company in
`X-Acting-User`. Without the header the operator gets 400 `invalid_request`. If the header names a
person of the company who is not an active admin, the response is 403. For any other id the response
is 404 `user_not_found`.

Sends a `DELETE` request to `/admin/v1/installations/{installation_id}`

Arguments:
- `installation_id`: Id of an installation (`ins_`).
- `x_acting_user`: The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
*/
    pub async fn delete_installation<'a>(
        &'a self,
        installation_id: &'a str,
        x_acting_user: Option<&'a types::DeleteInstallationXActingUser>,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/installations/{}", self.baseurl, encode_path(& installation_id
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(2usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        if let Some(value) = x_acting_user {
            header_map.append("X-Acting-User", value.to_string().try_into()?);
        }
        #[allow(unused_mut)]
        let mut request = self
            .client
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "delete_installation",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Delete a message

Deletes a message of any sender, also in an archived, announcement-only or deleted conversation. The text, the blocks, the metadata and the edit history of the message are erased. Its files that are in no other message are deleted after 24 hours, unless configured otherwise. If the message is already deleted, the response is 404. For the operator, the company's admins, and the person who sent the message.

Sends a `DELETE` request to `/admin/v1/messages/{message_id}`

Arguments:
- `message_id`: Id of a message (`gmsg_` or `dmsg_`).
*/
    pub async fn delete_message<'a>(
        &'a self,
        message_id: &'a str,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/messages/{}", self.baseurl, encode_path(& message_id
            .to_string()),
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
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "delete_message",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Edit a person's message

Replaces the text of a person's message; the former text is kept in `edits`. A person may edit their own messages, and the operator may edit the messages of every person. For messages of bots and of the system the response is 403. The sender must still be allowed to post in the conversation. For the operator and persons.

Sends a `PATCH` request to `/admin/v1/messages/{message_id}`

Arguments:
- `message_id`: Id of a message (`gmsg_` or `dmsg_`).
- `body`
*/
    pub async fn update_message<'a>(
        &'a self,
        message_id: &'a str,
        body: &'a types::MessageUpdate,
    ) -> Result<ResponseValue<types::MessageResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/messages/{}", self.baseurl, encode_path(& message_id
            .to_string()),
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
            .patch(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "update_message",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Click a button of a bot's message

Sends the event `interaction` to the app whose bot sent the message, as if the person had clicked.
For the operator; sandbox only.

The response is 404 if no bot sent the message, or if the conversation was deleted. If the message
has buttons, but none with this `action_id`, the response is 400. A message without buttons accepts
every `action_id`.

The response is 409, and nothing is sent, in these cases:

- the person is deactivated or removed;
- the person is not a member of the conversation, or joined it after the message was sent;
- the conversation is archived;
- the app is disconnected or has no callback URL, or its bot has left the conversation.

Sends a `POST` request to `/admin/v1/messages/{message_id}/interactions`

Arguments:
- `message_id`: Id of a message (`gmsg_` or `dmsg_`).
- `body`
*/
    pub async fn create_interaction<'a>(
        &'a self,
        message_id: &'a str,
        body: &'a types::InteractionCreate,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/messages/{}/interactions", self.baseurl, encode_path(&
            message_id.to_string()),
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
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "create_interaction",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            202u16 => ResponseValue::from_response(response).await,
            400u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Reset the rate limits

Discards all counts, so that every limit is unused, and ends the delays after wrong passwords. For the operator; sandbox only.

Sends a `POST` request to `/admin/v1/rate_limits/reset`

*/
    pub async fn reset_rate_limits<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/admin/v1/rate_limits/reset", self.baseurl,);
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
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "reset_rate_limits",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Sign in

Starts a session for an account. The response lists the companies to which the password gives
access and in which the account's person is active or onboarding. A password that a company's admin
set gives access to that company only, until the operator sets another password. The operation
needs no credential. The body has at most 16 KiB.

An unknown e-mail address, a wrong password, and an account without a person who may sign in get
the same response: 401 `invalid_auth`.

Wrong passwords for an account are counted separately for each location. A location is a network
address or, on the sign-in page, a browser from which the account has signed in before. After ten
consecutive wrong passwords for the account from one location, further attempts for the account
from this location get 429 for a minute. Each further wrong password doubles this time, up to an
hour if the account has signed in from the location before, and up to a day if not.

All locations from which the account has not signed in before may together send 100 wrong passwords
for the account, and then one an hour. These wrong passwords never delay a location from which the
account has signed in before.

If too many passwords wait to be checked, the response is 503 `server_error` with `Retry-After`,
and the attempt is not counted as a wrong password.

Sends a `POST` request to `/admin/v1/sessions`

*/
    pub async fn create_session<'a>(
        &'a self,
        body: &'a types::SessionCreate,
    ) -> Result<ResponseValue<types::SessionCreated>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/admin/v1/sessions", self.baseurl,);
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
            operation_id: "create_session",
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
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Sign out

Ends the session whose token is sent. For admins and persons; an operator key has no session and gets 403.

Sends a `DELETE` request to `/admin/v1/sessions/current`

*/
    pub async fn delete_session<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/admin/v1/sessions/current", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "delete_session",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Read one person

A person or bot user with all fields. For the operator, the company's admins, and the person themselves.

Sends a `GET` request to `/admin/v1/users/{user_id}`

Arguments:
- `user_id`: Id of a person or a bot user (`usr_`).
*/
    pub async fn get_user<'a>(
        &'a self,
        user_id: &'a str,
    ) -> Result<ResponseValue<types::UserResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/users/{}", self.baseurl, encode_path(& user_id.to_string()),
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
            operation_id: "get_user",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Change a person

Changes the fields that the body contains. The operator and the company's admins may change all
fields. Persons may change their own `name`, `display_name`, `title`, `timezone`, `avatar_url`,
`email_visible` and `password`; for any other field the response is 403. The response is 409 for a
bot user, for a removed person, and for the e-mail address of another person of the company.

If the name or the title changes, apps that may read people get `user.updated`. If the e-mail
address changes, but neither name nor title, the event goes only to the apps that may also see the
old or the new address.

`is_external: true` makes an employee a guest. Guests may not have assistant connections: the next
request through any of the person's assistant connections revokes all of them.

**Password.** A password that the operator sets gives access to every company of the account. A
password that an admin sets gives access to the admin's company only. A new password that people
set for their own account gives access to the same companies as the old password. An admin who
sends a new `password` for somebody else's account gets 409 if the account also belongs to another
company, unless the present password gives access to the admin's company only.

**Own password.** A caller who changes the password of their own account must send the present
password as `current_password`, even if the caller is an admin. Without `current_password` the
response is 400, and with a wrong one 403 `forbidden`. After ten consecutive wrong passwords of one
session, further attempts of the session get 429 for a minute. Each further wrong password doubles
this time, up to a day.

**E-mail address.** If the person's account belongs to no other person, and no account has the new
address, the person keeps the account and its password. If an admin made this change, from then on
the password gives access to the admin's company only. In all other cases the person gets the
account of the new address, which is created without a password if it does not exist.

Sends a `PATCH` request to `/admin/v1/users/{user_id}`

Arguments:
- `user_id`: Id of a person or a bot user (`usr_`).
- `body`
*/
    pub async fn update_user<'a>(
        &'a self,
        user_id: &'a str,
        body: &'a types::UserUpdate,
    ) -> Result<ResponseValue<types::UserResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/users/{}", self.baseurl, encode_path(& user_id.to_string()),
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
            .patch(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "update_user",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Block an app

Blocks an app for the person: the app's bot can no longer send direct messages to the person. The block stays when the app is uninstalled. If the app is already blocked, nothing changes. For the operator and the person themselves.

Sends a `PUT` request to `/admin/v1/users/{user_id}/app_blocks/{app_id}`

Arguments:
- `user_id`: Id of a person or a bot user (`usr_`).
- `app_id`: Id of an app (`app_`).
*/
    pub async fn block_app<'a>(
        &'a self,
        user_id: &'a str,
        app_id: &'a str,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/users/{}/app_blocks/{}", self.baseurl, encode_path(& user_id
            .to_string()), encode_path(& app_id.to_string()),
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
            .put(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "block_app",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Unblock an app

Lets the app's bot send direct messages to the person again. If the app is not blocked, nothing changes. For the operator and the person themselves.

Sends a `DELETE` request to `/admin/v1/users/{user_id}/app_blocks/{app_id}`

Arguments:
- `user_id`: Id of a person or a bot user (`usr_`).
- `app_id`: Id of an app (`app_`).
*/
    pub async fn unblock_app<'a>(
        &'a self,
        user_id: &'a str,
        app_id: &'a str,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/users/{}/app_blocks/{}", self.baseurl, encode_path(& user_id
            .to_string()), encode_path(& app_id.to_string()),
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
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "unblock_app",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Force a person to sign in again

Signs a person out: no existing session of the account can act as this person any more, and all assistant connections of the person are revoked. For a bot user the response is 409. For the operator and the company's admins.

Sends a `POST` request to `/admin/v1/users/{user_id}/logout`

Arguments:
- `user_id`: Id of a person or a bot user (`usr_`).
*/
    pub async fn logout_user<'a>(
        &'a self,
        user_id: &'a str,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/users/{}/logout", self.baseurl, encode_path(& user_id
            .to_string()),
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
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "logout_user",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
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
    /**Change a person's state

Changes a person's account state: between active and deactivated, from onboarding to active, and
from any state to removed, which is final. If the person already has the state, nothing changes.
For every other change, and for a bot user, the response is 409.

If a person is deactivated or removed, no existing session of the account can act as this person
any more. The person's assistant connections are revoked, and apps that may read people get
`user.deactivated`. For the operator and the company's admins.

Sends a `POST` request to `/admin/v1/users/{user_id}/state`

Arguments:
- `user_id`: Id of a person or a bot user (`usr_`).
- `body`
*/
    pub async fn set_user_state<'a>(
        &'a self,
        user_id: &'a str,
        body: &'a types::UserStateChange,
    ) -> Result<ResponseValue<types::UserResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/users/{}/state", self.baseurl, encode_path(& user_id
            .to_string()),
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
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "set_user_state",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**List companies

Every company of the server, oldest first. For the operator.

Sends a `GET` request to `/admin/v1/workspaces`

Arguments:
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
*/
    pub async fn list_workspaces<'a>(
        &'a self,
        cursor: Option<&'a types::ListWorkspacesCursor>,
        limit: Option<::std::num::NonZeroU64>,
    ) -> Result<ResponseValue<types::WorkspacePage>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/admin/v1/workspaces", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_workspaces",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Create a company

Creates a company without people. For the operator.

Sends a `POST` request to `/admin/v1/workspaces`

*/
    pub async fn create_workspace<'a>(
        &'a self,
        body: &'a types::WorkspaceCreate,
    ) -> Result<ResponseValue<types::WorkspaceResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/admin/v1/workspaces", self.baseurl,);
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
            operation_id: "create_workspace",
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
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Read one company

The company with its settings. For the operator and the company's admins.

Sends a `GET` request to `/admin/v1/workspaces/{workspace_id}`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
*/
    pub async fn get_workspace<'a>(
        &'a self,
        workspace_id: &'a str,
    ) -> Result<ResponseValue<types::WorkspaceResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}", self.baseurl, encode_path(& workspace_id
            .to_string()),
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
            operation_id: "get_workspace",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Change a company

Changes the settings that the body contains. Turning `ai_assistants` off revokes every assistant connection of the company; turning it on again restores none. When the response to a change of `assistant_sends` to `confirm` is sent, no assistant can send a draft any more. For the operator and the company's admins.

Sends a `PATCH` request to `/admin/v1/workspaces/{workspace_id}`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `body`
*/
    pub async fn update_workspace<'a>(
        &'a self,
        workspace_id: &'a str,
        body: &'a types::WorkspaceUpdate,
    ) -> Result<ResponseValue<types::WorkspaceResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}", self.baseurl, encode_path(& workspace_id
            .to_string()),
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
            .patch(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "update_workspace",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**List blocked clients

The block keys that the company has blocked, oldest first. For the operator and the company's admins.

Sends a `GET` request to `/admin/v1/workspaces/{workspace_id}/client_blocks`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
*/
    pub async fn list_client_blocks<'a>(
        &'a self,
        workspace_id: &'a str,
        cursor: Option<&'a types::ListClientBlocksCursor>,
        limit: Option<::std::num::NonZeroU64>,
    ) -> Result<ResponseValue<types::ClientBlockPage>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/client_blocks", self.baseurl, encode_path(&
            workspace_id.to_string()),
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_client_blocks",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Block a client

Blocks all assistant clients with this block key in the company, and revokes their connections. The key does not have to belong to a known client. If the key is already blocked, nothing changes. For the operator and the company's admins.

Sends a `PUT` request to `/admin/v1/workspaces/{workspace_id}/client_blocks/{key}`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `key`: Block key of assistant clients, percent-encoded. `listConnections` and `listAssistantClients` return block keys. Letter case does not matter.
*/
    pub async fn put_client_block<'a>(
        &'a self,
        workspace_id: &'a str,
        key: &'a types::PutClientBlockKey,
    ) -> Result<ResponseValue<types::ClientBlocked>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/client_blocks/{}", self.baseurl, encode_path(&
            workspace_id.to_string()), encode_path(& key.to_string()),
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
            .put(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "put_client_block",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Unblock a client

Lets clients with this block key be connected again; revoked connections stay revoked. If the key is not blocked, nothing changes. For the operator and the company's admins.

Sends a `DELETE` request to `/admin/v1/workspaces/{workspace_id}/client_blocks/{key}`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `key`: Block key of assistant clients, percent-encoded. `listConnections` and `listAssistantClients` return block keys. Letter case does not matter.
*/
    pub async fn delete_client_block<'a>(
        &'a self,
        workspace_id: &'a str,
        key: &'a types::DeleteClientBlockKey,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/client_blocks/{}", self.baseurl, encode_path(&
            workspace_id.to_string()), encode_path(& key.to_string()),
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
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "delete_client_block",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**List assistant connections

The connections of assistants in the company, oldest first. Without the parameter `state`, revoked connections are included. A connection is deleted when the retention time of the audit (90 days unless configured otherwise) has passed since it was revoked. A person who is not an admin gets only their own connections; the `user_id` of anybody else gets 403. If few connections match the filters, a page may have fewer than `limit` connections although it has a `next_cursor`. For the operator, the company's admins, and persons.

Sends a `GET` request to `/admin/v1/workspaces/{workspace_id}/connections`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
- `state`: Only connections in this state.
- `user_id`: Only connections of this employee. An unknown id returns an empty page.
*/
    pub async fn list_connections<'a>(
        &'a self,
        workspace_id: &'a str,
        cursor: Option<&'a types::ListConnectionsCursor>,
        limit: Option<::std::num::NonZeroU64>,
        state: Option<types::ConnectionState>,
        user_id: Option<&'a types::ListConnectionsUserId>,
    ) -> Result<ResponseValue<types::ConnectionPage>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/connections", self.baseurl, encode_path(&
            workspace_id.to_string()),
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("state", &state))
            .query(&progenitor_client::QueryParam::new("user_id", &user_id))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_connections",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**List conversations

All groups, channels and direct messages of the company, oldest first, including archived and deleted ones. For the operator and the company's admins.

Sends a `GET` request to `/admin/v1/workspaces/{workspace_id}/conversations`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
*/
    pub async fn list_conversations<'a>(
        &'a self,
        workspace_id: &'a str,
        cursor: Option<&'a types::ListConversationsCursor>,
        limit: Option<::std::num::NonZeroU64>,
    ) -> Result<ResponseValue<types::ConversationPage>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/conversations", self.baseurl, encode_path(&
            workspace_id.to_string()),
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_conversations",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Create a conversation

Creates a group, a channel of a group, or a direct message. With a session the caller becomes a
member. A channel has the type of its group, and its members also join the group. The response is
409 if the group of the new channel is archived, or if one of the `member_ids` is of a deactivated
or removed person. For the operator, admins and persons.

A direct message has exactly two people; with a session, one of them is the caller. If the two
people already have a direct message, it is returned unchanged.

The user id of a bot in `member_ids` adds the bot's app to a group or channel. The app gets the
event `conversation.created`, except for an announcement-only conversation.

A person who is not an admin may create a channel only in a group of which they are a member or
which they may join. To the channel they may add members of the group. They may also add other
employees if the group is not private. If `member_ids` has anybody else, the response is 403.

To a conversation of any kind, a guest may add only users with whom the guest shares a
conversation. For all other ids the response is 404, as for an unknown id.

Sends a `POST` request to `/admin/v1/workspaces/{workspace_id}/conversations`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `body`
*/
    pub async fn create_conversation<'a>(
        &'a self,
        workspace_id: &'a str,
        body: &'a types::ConversationCreate,
    ) -> Result<ResponseValue<types::ConversationResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/conversations", self.baseurl, encode_path(&
            workspace_id.to_string()),
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
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "create_conversation",
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
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**Upload a file

Stores the body as a file of the company. The media type of the file is the request's
`Content-Type`, or `application/octet-stream` if there is none. A `Content-Encoding` is not
accepted. To attach the file to a message, name it in `file_ids` when posting the message. For the
operator and persons.

With a session the caller owns the file. If the operator uploads, the person whom `X-Acting-User`
names owns the file; without the header nobody owns it. If the named person is deactivated or
removed before the upload is complete, the response is 409 `user_deactivated`.

A person may have eight uploads open at the same time, unless configured otherwise; one more gets
429. The total number of open uploads on a server process is limited, too; beyond this limit the
response is 503 `server_error`. Both responses have `Retry-After`.

The content must arrive without long pauses: the response is 408 `client_error` if, in a period of
30 seconds, neither 16 KiB nor the end of the content arrives. It is also 408 if the whole upload
takes ten minutes.

The files of a person in one company may have 10 GiB together, and all files of a company 100 GiB,
unless configured otherwise. An upload that would exceed one of these quotas gets 409 `conflict`. A
file counts until its content is removed, at the earliest two hours after the file was deleted. A
file that is in no message is deleted after 24 hours, unless configured otherwise.

Sends a `POST` request to `/admin/v1/workspaces/{workspace_id}/files`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `name`: File name, as people will see it.
- `x_acting_user`: The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
- `body`: The content, of any media type. If the content is larger than 100 MiB, the response is 413.
*/
    pub async fn upload_file<'a, B: Into<reqwest::Body>>(
        &'a self,
        workspace_id: &'a str,
        name: &'a types::UploadFileName,
        x_acting_user: Option<&'a types::UploadFileXActingUser>,
        body: B,
    ) -> Result<ResponseValue<types::FileResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/files", self.baseurl, encode_path(& workspace_id
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(2usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        if let Some(value) = x_acting_user {
            header_map.append("X-Acting-User", value.to_string().try_into()?);
        }
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .header(
                ::reqwest::header::CONTENT_TYPE,
                ::reqwest::header::HeaderValue::from_static("application/octet-stream"),
            )
            .body(body)
            .query(&progenitor_client::QueryParam::new("name", &name))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "upload_file",
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
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**List installations

The installations of apps in the company, oldest first, including disconnected ones. For the operator and the company's admins.

Sends a `GET` request to `/admin/v1/workspaces/{workspace_id}/installations`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
*/
    pub async fn list_installations<'a>(
        &'a self,
        workspace_id: &'a str,
        cursor: Option<&'a types::ListInstallationsCursor>,
        limit: Option<::std::num::NonZeroU64>,
    ) -> Result<ResponseValue<types::InstallationPage>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/installations", self.baseurl, encode_path(&
            workspace_id.to_string()),
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_installations",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Approve an installation

Approves an app for the company, as the install page does. The response has the install code that
the app exchanges at `POST /oauth/token`. Without `scopes`, all scopes of the app are granted;
`scopes` may name only scopes of the app. For a disabled app the response is 409. For the operator,
who may name the approving admin in `X-Acting-User`, and for the company's admins.

`redirect_uri` must be a redirect URI of the app, and the exchange then needs the same
`redirect_uri`. Without `redirect_uri`, the exchange may have any redirect URI of the app, or none.
With a `code_challenge`, the exchange needs the `code_verifier`.

The code is valid for 10 minutes. It becomes invalid earlier if the app is uninstalled or disabled,
or if the approving admin is no longer an active admin of the company.

Sends a `POST` request to `/admin/v1/workspaces/{workspace_id}/installations`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `x_acting_user`: The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
- `body`
*/
    pub async fn create_installation<'a>(
        &'a self,
        workspace_id: &'a str,
        x_acting_user: Option<&'a types::CreateInstallationXActingUser>,
        body: &'a types::InstallationCreate,
    ) -> Result<ResponseValue<types::InstallationCode>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/installations", self.baseurl, encode_path(&
            workspace_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(2usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        if let Some(value) = x_acting_user {
            header_map.append("X-Acting-User", value.to_string().try_into()?);
        }
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
            operation_id: "create_installation",
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
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
    /**List tool calls of assistants

The audit of the tool calls that assistants made for employees of the company, newest first. An
entry has the employee, the client, the tool, the outcome and the ids of the objects that the call
was about, but no texts of messages. Calls of unknown tools, and calls that the rate limit rejects,
have no entry. Entries are kept for 90 days unless configured otherwise.

A person who is not an admin gets only their own calls; the `user_id` of anybody else gets 403.
With `order=ingested` the operator and admins can follow the audit: the response has the calls in
the order in which they were written, oldest first. For the operator, the company's admins, and
persons.

Sends a `GET` request to `/admin/v1/workspaces/{workspace_id}/tool_calls`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `client_id`: Only calls of this client. An unknown id returns an empty page.
- `connection_id`: Only calls through this connection. The id of an unknown or deleted connection returns an empty page.
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
- `order`: `newest`, the default: newest first. `ingested`: in the order in which entries were written, oldest first. `ingested` cannot be combined with filters (400). With `ingested`, `next_cursor` is never null. A page with fewer than `limit` entries ends at the present end of the log; its cursor later returns the entries that were written in the meantime. A client that continues with the cursor misses no entry, even if several nodes write.
- `outcome`: Only calls with this outcome.
- `since`: Only calls at this time or later.
- `tool`: Only calls of this tool. An unknown name returns an empty page.
- `until`: Only calls before this time.
- `user_id`: Only calls for this employee. An unknown id returns an empty page.
*/
    pub async fn list_tool_calls<'a>(
        &'a self,
        workspace_id: &'a str,
        client_id: Option<&'a types::ListToolCallsClientId>,
        connection_id: Option<&'a types::ListToolCallsConnectionId>,
        cursor: Option<&'a types::ListToolCallsCursor>,
        limit: Option<::std::num::NonZeroU64>,
        order: Option<types::LogOrder>,
        outcome: Option<types::ToolOutcome>,
        since: Option<&'a str>,
        tool: Option<&'a types::ListToolCallsTool>,
        until: Option<&'a str>,
        user_id: Option<&'a types::ListToolCallsUserId>,
    ) -> Result<ResponseValue<types::ToolCallPage>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/tool_calls", self.baseurl, encode_path(&
            workspace_id.to_string()),
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
            .query(&progenitor_client::QueryParam::new("client_id", &client_id))
            .query(&progenitor_client::QueryParam::new("connection_id", &connection_id))
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("outcome", &outcome))
            .query(&progenitor_client::QueryParam::new("since", &since))
            .query(&progenitor_client::QueryParam::new("tool", &tool))
            .query(&progenitor_client::QueryParam::new("until", &until))
            .query(&progenitor_client::QueryParam::new("user_id", &user_id))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_tool_calls",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**List people and bots

All people and bot users of the company with all fields, oldest first, in every state and including hidden guests. For the operator and the company's admins.

Sends a `GET` request to `/admin/v1/workspaces/{workspace_id}/users`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
- `query`: A search text: only people and bots who match each of its words. A user matches a word of the text if the user's e-mail address begins with this word. A user also matches if this word is the beginning of any word in the name, in the display name, or in the part of the e-mail address before the `@`. Case, accents and punctuation do not matter. If the text has more than four words, only the four longest count.
*/
    pub async fn list_users<'a>(
        &'a self,
        workspace_id: &'a str,
        cursor: Option<&'a types::ListUsersCursor>,
        limit: Option<::std::num::NonZeroU64>,
        query: Option<&'a types::ListUsersQuery>,
    ) -> Result<ResponseValue<types::UserPage>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/users", self.baseurl, encode_path(& workspace_id
            .to_string()),
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
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("query", &query))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_users",
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
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
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
    /**Add a person

Adds a person to the company, in any state. Apps that may read people get `user.created`, except
for a hidden guest. For the operator and the company's admins.

The e-mail address is also the sign-in name. If the address already has an account in another
company, the new person gets this account, which keeps its password unless the body contains a
`password`. A password that the operator sets gives access to every company of the account. A
password that an admin sets gives access to the admin's company only.

The response is 409 if another person of this company has the address. It is also 409 if an admin
sends a `password` for an address that has an account in another company, unless the account's
present password gives access to this company only.

Sends a `POST` request to `/admin/v1/workspaces/{workspace_id}/users`

Arguments:
- `workspace_id`: Id of a company (`cmp_`).
- `body`
*/
    pub async fn create_user<'a>(
        &'a self,
        workspace_id: &'a str,
        body: &'a types::UserCreate,
    ) -> Result<ResponseValue<types::UserResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/admin/v1/workspaces/{}/users", self.baseurl, encode_path(& workspace_id
            .to_string()),
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
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "create_user",
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
            401u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            403u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            404u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            406u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            409u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            413u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            415u16 => {
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
