// @generated from openapi/bot.yaml by build.rs. Do not edit.

//!Server half of `openapi/bot.yaml`.
#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    missing_docs,
    dead_code,
    unused_imports
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
        Door, ErrorCode, Guard, Guarded, Header, HeaderDoc, LimitRow, Nullable,
        OperationInfo, OperationType, ParamRules, ParamValue, Parameter, Path, Pattern,
        Principal, Problem, Property, Query, RawBody, RawRequest, ReplyDoc, Schema,
        constant, describe_object, describe_schema, one_of, patched, reply,
    },
    domain::{refusal::Code, time::Timestamp},
};
/// The document, as JSON.
pub const DOCUMENT: &str = include_str!("bot.json");
/// The document's schemas, ready to check bodies.
pub static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::compile(DOCUMENT));
/// Every error code of the document with its status.
pub static CODES: &[(Code, u16)] = &[
    (Code::CannotDmUser, 403u16),
    (Code::ConversationArchived, 409u16),
    (Code::ConversationNotFound, 404u16),
    (Code::IdempotencyKeyReused, 422u16),
    (Code::InternalError, 500u16),
    (Code::InvalidAuth, 401u16),
    (Code::InvalidBlocks, 400u16),
    (Code::InvalidClient, 401u16),
    (Code::InvalidCursor, 400u16),
    (Code::InvalidGrant, 400u16),
    (Code::InvalidRequest, 400u16),
    (Code::MissingIdempotencyKey, 400u16),
    (Code::MissingScope, 403u16),
    (Code::NotAcceptable, 406u16),
    (Code::NotAuthed, 401u16),
    (Code::NotInConversation, 403u16),
    (Code::PayloadTooLarge, 413u16),
    (Code::RateLimited, 429u16),
    (Code::TokenInQuery, 400u16),
    (Code::TokenRevoked, 401u16),
    (Code::UnsupportedGrantType, 400u16),
    (Code::UnsupportedMediaType, 415u16),
    (Code::UserDeactivated, 409u16),
    (Code::UserNotFound, 404u16),
];
/// Every operation of the document.
pub static OPERATIONS: &[&OperationInfo] = &[
    CreateMessage::INFO,
    ListUsers::INFO,
    GetUser::INFO,
    ListConversationMessages::INFO,
    ExchangeToken::INFO,
];
/// The document's schemas.
pub mod types {
    use super::*;
    constant!(True = bool true; as "True", Some("Always true."));
    constant!(False = bool false; as "False", Some("Always false."));
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ErrorEnvelope {
        pub ok: False,
        pub error: ErrorDetail,
        /// Equal to the header `X-Request-Id`.
        pub request_id: String,
    }
    impl Described for ErrorEnvelope {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ErrorEnvelope".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ErrorEnvelope",
                None,
                |registry| {
                    vec![
                        Property::new:: < False > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < ErrorDetail > (registry, "error",
                        MetaSchema::ANY), Property::new:: < String > (registry,
                        "request_id", MetaSchema { description :
                        Some("Equal to the header `X-Request-Id`."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ErrorDetail {
        /// Stable. New codes may be added; treat an unknown one as a generic failure.
        pub code: String,
        /// Text for people. It may change.
        pub message: String,
    }
    impl Described for ErrorDetail {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ErrorDetail".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ErrorDetail",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "code", MetaSchema {
                        description :
                        Some("Stable. New codes may be added; treat an unknown one as a generic failure."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "message", MetaSchema { description :
                        Some("Text for people. It may change."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageCreate {
        pub to: Destination,
        /// What people see, and the push notification text.
        pub text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub blocks: Option<Vec<Block>>,
        /// Stored with the message, never displayed. At most 4 KB.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub metadata: Option<BTreeMap<String, serde_json::Value>>,
        /// Id of a message in the same destination.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub thread_id: MaybeUndefined<String>,
        /// Accepted and ignored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub unfurl_links: Option<bool>,
    }
    impl Described for MessageCreate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("MessageCreate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "MessageCreate",
                None,
                |registry| {
                    vec![
                        Property::new:: < Destination > (registry, "to",
                        MetaSchema::ANY), Property::new:: < String > (registry, "text",
                        MetaSchema { description :
                        Some("What people see, and the push notification text."),
                        min_length : Some(1), max_length : Some(4000), ..MetaSchema::ANY
                        }), Property::new:: < Option < Vec < Block > > > (registry,
                        "blocks", MetaSchema { max_items : Some(50), ..MetaSchema::ANY
                        }), Property::new:: < Option < BTreeMap < String,
                        serde_json::Value > > > (registry, "metadata", MetaSchema {
                        description :
                        Some("Stored with the message, never displayed. At most 4 KB."),
                        ..MetaSchema::ANY }), Property::new:: < MaybeUndefined < String >
                        > (registry, "thread_id", MetaSchema { description :
                        Some("Id of a message in the same destination."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "unfurl_links", MetaSchema { description :
                        Some("Accepted and ignored."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Destination {
        #[serde(rename = "type")]
        pub r#type: DestinationType,
        pub id: String,
    }
    impl Described for Destination {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Destination".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Destination",
                None,
                |registry| {
                    vec![
                        Property::new:: < DestinationType > (registry, "type",
                        MetaSchema::ANY), Property::new:: < String > (registry, "id",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum DestinationType {
        #[serde(rename = "user")]
        User,
        #[serde(rename = "conversation")]
        Conversation,
    }
    impl DestinationType {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::User, Self::Conversation];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::User => "user",
                Self::Conversation => "conversation",
            }
        }
    }
    impl Described for DestinationType {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("DestinationType".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "DestinationType",
                |_| MetaSchema {
                    description: None,
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for DestinationType {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    ///
    /// Held as it was sent: the check against the document has judged it.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct Block(pub serde_json::Value);
    impl Described for Block {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Block".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "Block",
                |registry| {
                    <HeaderBlock as Described>::register(registry);
                    <SectionBlock as Described>::register(registry);
                    <ContextBlock as Described>::register(registry);
                    <FieldsBlock as Described>::register(registry);
                    MetaSchema {
                        description: None,
                        one_of: vec![
                            < HeaderBlock as Described > ::schema(), < SectionBlock as
                            Described > ::schema(), < ContextBlock as Described >
                            ::schema(), < FieldsBlock as Described > ::schema()
                        ],
                        discriminator: Some(poem_openapi::registry::MetaDiscriminatorObject {
                            property_name: "type",
                            mapping: vec![
                                ("header".into(), "#/components/schemas/HeaderBlock"
                                .into()), ("section".into(),
                                "#/components/schemas/SectionBlock".into()), ("context"
                                .into(), "#/components/schemas/ContextBlock".into()),
                                ("fields".into(), "#/components/schemas/FieldsBlock".into())
                            ],
                        }),
                        ..MetaSchema::ANY
                    }
                },
            );
        }
    }
    constant!(HeaderBlockType = str "header");
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HeaderBlock {
        #[serde(rename = "type")]
        pub r#type: HeaderBlockType,
        pub text: String,
    }
    impl Described for HeaderBlock {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("HeaderBlock".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "HeaderBlock",
                None,
                |registry| {
                    vec![
                        Property::new:: < HeaderBlockType > (registry, "type",
                        MetaSchema::ANY), Property::new:: < String > (registry, "text",
                        MetaSchema { min_length : Some(1), max_length : Some(150),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    constant!(SectionBlockType = str "section");
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SectionBlock {
        #[serde(rename = "type")]
        pub r#type: SectionBlockType,
        pub text: String,
    }
    impl Described for SectionBlock {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("SectionBlock".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "SectionBlock",
                None,
                |registry| {
                    vec![
                        Property::new:: < SectionBlockType > (registry, "type",
                        MetaSchema::ANY), Property::new:: < String > (registry, "text",
                        MetaSchema { min_length : Some(1), max_length : Some(3000),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    constant!(ContextBlockType = str "context");
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ContextBlock {
        #[serde(rename = "type")]
        pub r#type: ContextBlockType,
        pub text: String,
    }
    impl Described for ContextBlock {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ContextBlock".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ContextBlock",
                None,
                |registry| {
                    vec![
                        Property::new:: < ContextBlockType > (registry, "type",
                        MetaSchema::ANY), Property::new:: < String > (registry, "text",
                        MetaSchema { min_length : Some(1), max_length : Some(3000),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    constant!(FieldsBlockType = str "fields");
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct FieldsBlock {
        #[serde(rename = "type")]
        pub r#type: FieldsBlockType,
        pub fields: Vec<BlockField>,
    }
    impl Described for FieldsBlock {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("FieldsBlock".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "FieldsBlock",
                None,
                |registry| {
                    vec![
                        Property::new:: < FieldsBlockType > (registry, "type",
                        MetaSchema::ANY), Property::new:: < Vec < BlockField > >
                        (registry, "fields", MetaSchema { min_items : Some(1), max_items
                        : Some(10), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct BlockField {
        pub label: String,
        pub value: String,
    }
    impl Described for BlockField {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("BlockField".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "BlockField",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "label", MetaSchema::ANY),
                        Property::new:: < String > (registry, "value", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageSent {
        pub ok: True,
        pub message: SentMessage,
    }
    impl Described for MessageSent {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("MessageSent".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "MessageSent",
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < SentMessage > (registry, "message",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SentMessage {
        /// `gmsg_` in a group or channel, `dmsg_` in a direct message.
        pub id: String,
        pub conversation_id: String,
        pub thread_id: Nullable<String>,
        pub created_at: Timestamp,
    }
    impl Described for SentMessage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("SentMessage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "SentMessage",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`gmsg_` in a group or channel, `dmsg_` in a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "conversation_id", MetaSchema::ANY), Property::new:: < Nullable <
                        String > > (registry, "thread_id", MetaSchema::ANY),
                        Property::new:: < Timestamp > (registry, "created_at",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct User {
        pub id: String,
        pub name: String,
        pub display_name: Nullable<String>,
        /// Absent (never null) unless the token may see it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub email: Option<String>,
        pub avatar_url: Nullable<String>,
        pub title: Nullable<String>,
        pub timezone: Nullable<String>,
        pub is_active: bool,
        pub is_bot: bool,
        pub is_admin: bool,
        pub is_external: bool,
    }
    impl Described for User {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("User".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "User",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema::ANY),
                        Property::new:: < String > (registry, "name", MetaSchema::ANY),
                        Property::new:: < Nullable < String > > (registry,
                        "display_name", MetaSchema::ANY), Property::new:: < Option <
                        String > > (registry, "email", MetaSchema { description :
                        Some("Absent (never null) unless the token may see it."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "avatar_url", MetaSchema::ANY), Property::new:: <
                        Nullable < String > > (registry, "title", MetaSchema::ANY),
                        Property::new:: < Nullable < String > > (registry, "timezone",
                        MetaSchema::ANY), Property::new:: < bool > (registry,
                        "is_active", MetaSchema::ANY), Property::new:: < bool >
                        (registry, "is_bot", MetaSchema::ANY), Property::new:: < bool >
                        (registry, "is_admin", MetaSchema::ANY), Property::new:: < bool >
                        (registry, "is_external", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserResult {
        pub ok: True,
        pub user: User,
    }
    impl Described for UserResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("UserResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "UserResult",
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < User > (registry, "user", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserPage {
        pub ok: True,
        pub users: Vec<User>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for UserPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("UserPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "UserPage",
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < User > > (registry, "users",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    impl MessageType {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[
            Self::Text,
            Self::Image,
            Self::File,
            Self::System,
            Self::Audio,
            Self::Video,
            Self::Location,
            Self::Contact,
            Self::Call,
            Self::Poll,
            Self::Survey,
        ];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Text => "text",
                Self::Image => "image",
                Self::File => "file",
                Self::System => "system",
                Self::Audio => "audio",
                Self::Video => "video",
                Self::Location => "location",
                Self::Contact => "contact",
                Self::Call => "call",
                Self::Poll => "poll",
                Self::Survey => "survey",
            }
        }
    }
    impl Described for MessageType {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("MessageType".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "MessageType",
                |_| MetaSchema {
                    description: None,
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for MessageType {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct FileRef {
        pub id: String,
    }
    impl Described for FileRef {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("FileRef".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "FileRef",
                None,
                |registry| {
                    vec![Property::new:: < String > (registry, "id", MetaSchema::ANY)]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HistoryMessage {
        pub id: String,
        pub conversation_id: String,
        pub thread_id: Nullable<String>,
        pub user_id: Nullable<String>,
        #[serde(rename = "type")]
        pub r#type: MessageType,
        pub text: Nullable<String>,
        pub files: Vec<FileRef>,
        pub created_at: Timestamp,
    }
    impl Described for HistoryMessage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("HistoryMessage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "HistoryMessage",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema::ANY),
                        Property::new:: < String > (registry, "conversation_id",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "thread_id", MetaSchema::ANY), Property::new:: <
                        Nullable < String > > (registry, "user_id", MetaSchema::ANY),
                        Property::new:: < MessageType > (registry, "type",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "text", MetaSchema::ANY), Property::new:: < Vec <
                        FileRef > > (registry, "files", MetaSchema::ANY), Property::new::
                        < Timestamp > (registry, "created_at", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HistoryPage {
        pub ok: True,
        pub messages: Vec<HistoryMessage>,
        pub next_cursor: Nullable<String>,
    }
    impl Described for HistoryPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("HistoryPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "HistoryPage",
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < HistoryMessage > > (registry, "messages",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct TokenRequest {
        /// Only `authorization_code`.
        pub grant_type: String,
        pub code: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub redirect_uri: Option<String>,
    }
    impl Described for TokenRequest {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("TokenRequest".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "TokenRequest",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "grant_type", MetaSchema {
                        description : Some("Only `authorization_code`."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "code", MetaSchema::ANY), Property::new:: < Option < String > >
                        (registry, "redirect_uri", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct TokenResult {
        pub ok: True,
        pub access_token: String,
        pub token_type: TokenType,
        pub scope: String,
        pub workspace: Workspace,
    }
    impl Described for TokenResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("TokenResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "TokenResult",
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < String > (registry, "access_token",
                        MetaSchema::ANY), Property::new:: < TokenType > (registry,
                        "token_type", MetaSchema::ANY), Property::new:: < String >
                        (registry, "scope", MetaSchema::ANY), Property::new:: < Workspace
                        > (registry, "workspace", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
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
                    description: None,
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
    pub struct Workspace {
        pub id: String,
        pub name: String,
        /// Present only in the response of the token check.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub domain: MaybeUndefined<String>,
    }
    impl Described for Workspace {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Workspace".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Workspace",
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema::ANY),
                        Property::new:: < String > (registry, "name", MetaSchema::ANY),
                        Property::new:: < MaybeUndefined < String > > (registry,
                        "domain", MetaSchema { description :
                        Some("Present only in the response of the token check."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    impl BodySchema for MessageCreate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("MessageCreate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for TokenRequest {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("TokenRequest")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
}
#[derive(Tags)]
enum Tag {
    /// Send, edit and delete messages.
    #[oai(rename = "messages")]
    Messages,
    /// Read the people of the workspace.
    #[oai(rename = "users")]
    Users,
    /// Read groups, channels and their history.
    #[oai(rename = "conversations")]
    Conversations,
    /// Exchange and revoke bot tokens.
    #[oai(rename = "oauth")]
    Oauth,
}
/// What a token may be allowed to do.
#[derive(OAuthScopes, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    ///Send, edit and delete messages
    #[oai(rename = "messages:write")]
    MessagesWrite,
    ///Read people
    #[oai(rename = "users:read")]
    UsersRead,
    ///Read e-mail addresses
    #[oai(rename = "users:read.email")]
    UsersReadEmail,
    ///Read conversations
    #[oai(rename = "conversations:read")]
    ConversationsRead,
    ///Read message history
    #[oai(rename = "conversations:history")]
    ConversationsHistory,
    ///Read files
    #[oai(rename = "files:read")]
    FilesRead,
}
impl Scope {
    /// Every scope of the document.
    pub const ALL: &'static [Self] = &[
        Self::MessagesWrite,
        Self::UsersRead,
        Self::UsersReadEmail,
        Self::ConversationsRead,
        Self::ConversationsHistory,
        Self::FilesRead,
    ];
    /// The scope as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MessagesWrite => "messages:write",
            Self::UsersRead => "users:read",
            Self::UsersReadEmail => "users:read.email",
            Self::ConversationsRead => "conversations:read",
            Self::ConversationsHistory => "conversations:history",
            Self::FilesRead => "files:read",
        }
    }
}
fn register_schemes(registry: &mut Registry) {
    registry
        .create_security_scheme(
            "botToken",
            MetaSecurityScheme {
                ty: "oauth2",
                description: Some(
                    "Bot token of one installation, sent as `Authorization Bearer`.",
                ),
                name: None,
                key_in: None,
                scheme: None,
                bearer_format: None,
                flows: Some(MetaOAuthFlows {
                    implicit: None,
                    password: None,
                    client_credentials: None,
                    authorization_code: Some(MetaOAuthFlow {
                        authorization_url: Some("https://app.example/oauth/authorize"),
                        token_url: Some("https://app.example/oauth/token"),
                        refresh_url: None,
                        scopes: vec![
                            MetaOAuthScope { name : "messages:write", description :
                            Some("Send, edit and delete messages") }, MetaOAuthScope {
                            name : "users:read", description : Some("Read people") },
                            MetaOAuthScope { name : "users:read.email", description :
                            Some("Read e-mail addresses") }, MetaOAuthScope { name :
                            "conversations:read", description :
                            Some("Read conversations") }, MetaOAuthScope { name :
                            "conversations:history", description :
                            Some("Read message history") }, MetaOAuthScope { name :
                            "files:read", description : Some("Read files") }
                        ],
                    }),
                }),
                openid_connect_url: None,
            },
        );
    registry
        .create_security_scheme(
            "clientBasic",
            MetaSecurityScheme {
                ty: "http",
                description: Some("Client id and client secret of the app."),
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
    /// Bot token of one installation, sent as `Authorization Bearer`.
    type BotToken: Principal<Self>;
    /// Client id and client secret of the app.
    type ClientBasic: Principal<Self>;
}
mod shared {
    use super::*;
    pub const BAD_PAGE_REQUEST: ReplyDoc = ReplyDoc {
        status: 400,
        description: "The request is not valid.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
    };
    pub const BAD_REQUEST: ReplyDoc = ReplyDoc {
        status: 400,
        description: "The request is not valid.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
    };
    pub const HEADER_REQUEST_ID: HeaderDoc = HeaderDoc {
        description: Some("Id of this request, equal to `request_id` in an error body."),
        required: true,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const INTERNAL_ERROR: ReplyDoc = ReplyDoc {
        status: 500,
        description: "Server fault.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
    };
    pub const MISSING_SCOPE: ReplyDoc = ReplyDoc {
        status: 403,
        description: "The token lacks a scope.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
    };
    pub const NOT_ACCEPTABLE: ReplyDoc = ReplyDoc {
        status: 406,
        description: "Accept excludes application/json.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
    };
    pub const PAYLOAD_TOO_LARGE: ReplyDoc = ReplyDoc {
        status: 413,
        description: "The body is too large.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
    };
    pub const RATE_LIMITED: ReplyDoc = ReplyDoc {
        status: 429,
        description: "Over a rate limit.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            (
                "Retry-After",
                HeaderDoc {
                    description: Some("Seconds to wait."),
                    required: true,
                    schema: || patched(
                        <i64 as Described>::schema(),
                        MetaSchema {
                            format: Some("int64"),
                            ..MetaSchema::ANY
                        },
                    ),
                },
            ),
        ],
    };
    pub const UNAUTHORIZED: ReplyDoc = ReplyDoc {
        status: 401,
        description: "No usable bot token.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
    };
    pub const UNSUPPORTED_MEDIA_TYPE: ReplyDoc = ReplyDoc {
        status: 415,
        description: "The body has another media type.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
    };
}
/// Send a message
pub struct CreateMessage;
impl OperationType for CreateMessage {
    const INFO: &'static OperationInfo = &OperationInfo {
        id: "createMessage",
        method: "POST",
        path: "/v1/messages",
        tag: "messages",
        schemes: &["botToken"],
        scopes: &["messages:write"],
        required_headers: &[("Idempotency-Key", Code::MissingIdempotencyKey)],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
        }),
        credentials: &[],
        limit: None,
        sandbox: false,
        raw: false,
        errors: &[
            Code::MissingIdempotencyKey,
            Code::InvalidBlocks,
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::TokenRevoked,
            Code::MissingScope,
            Code::CannotDmUser,
            Code::NotInConversation,
            Code::UserNotFound,
            Code::ConversationNotFound,
            Code::NotAcceptable,
            Code::ConversationArchived,
            Code::UserDeactivated,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::IdempotencyKeyReused,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for CreateMessage {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`Idempotency-Key` of `createMessage`.
pub struct CreateMessageIdempotencyKeyParam;
impl Parameter for CreateMessageIdempotencyKeyParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "Idempotency-Key",
            missing: Code::MissingIdempotencyKey,
            invalid: Code::InvalidRequest,
            min_length: Some(1),
            max_length: Some(255),
            minimum: None,
            maximum: None,
            pattern: Some(Pattern::new("^[\\x21-\\x7E]+$")),
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema {
            min_length: Some(1),
            max_length: Some(255),
            pattern: Some(String::from("^[\\x21-\\x7E]+$")),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        value.ok_or(())
    }
}
/// Send a message
#[derive(Debug)]
pub struct CreateMessageRequest {
    /// Unique per message and destination, kept 24 hours.
    pub idempotency_key: String,
    pub body: types::MessageCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `createMessage` succeeds.
#[derive(Debug)]
pub enum CreateMessageSuccess {
    /// The message was sent, or was sent before with this key and body.
    Status201 {
        body: types::MessageSent,
        /// Id of this request, equal to `request_id` in an error body.
        x_request_id: String,
    },
}
impl poem::IntoResponse for CreateMessageSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201 { body, x_request_id } => {
                let mut response = reply::json(201, &body);
                reply::set(&mut response, "x-request-id", x_request_id);
                response
            }
        }
    }
}
impl ApiResponse for CreateMessageSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 201,
                    description: "The message was sent, or was sent before with this key and body.",
                    schema: Some(<types::MessageSent as Described>::schema),
                    headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::MessageSent as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateMessageError {
    MissingIdempotencyKey,
    InvalidBlocks,
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    TokenRevoked,
    MissingScope,
    CannotDmUser,
    NotInConversation,
    UserNotFound,
    ConversationNotFound,
    NotAcceptable,
    ConversationArchived,
    UserDeactivated,
    PayloadTooLarge,
    UnsupportedMediaType,
    IdempotencyKeyReused,
    RateLimited,
    InternalError,
}
impl ErrorCode for CreateMessageError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "createMessage";
    const REPLIES: &'static [ReplyDoc] = &[
        ReplyDoc {
            status: 400,
            description: "The request is not valid.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
        },
        shared::UNAUTHORIZED,
        ReplyDoc {
            status: 403,
            description: "Not allowed.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
        },
        ReplyDoc {
            status: 404,
            description: "No such destination.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
        },
        shared::NOT_ACCEPTABLE,
        ReplyDoc {
            status: 409,
            description: "The destination takes no messages.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
        },
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        ReplyDoc {
            status: 422,
            description: "The key was used before with another body.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
        },
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::MissingIdempotencyKey => Code::MissingIdempotencyKey,
            Self::InvalidBlocks => Code::InvalidBlocks,
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::TokenRevoked => Code::TokenRevoked,
            Self::MissingScope => Code::MissingScope,
            Self::CannotDmUser => Code::CannotDmUser,
            Self::NotInConversation => Code::NotInConversation,
            Self::UserNotFound => Code::UserNotFound,
            Self::ConversationNotFound => Code::ConversationNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::ConversationArchived => Code::ConversationArchived,
            Self::UserDeactivated => Code::UserDeactivated,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
            Self::IdempotencyKeyReused => Code::IdempotencyKeyReused,
            Self::RateLimited => Code::RateLimited,
            Self::InternalError => Code::InternalError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::MissingIdempotencyKey => Some(Self::MissingIdempotencyKey),
            Code::InvalidBlocks => Some(Self::InvalidBlocks),
            Code::InvalidRequest => Some(Self::InvalidRequest),
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::TokenRevoked => Some(Self::TokenRevoked),
            Code::MissingScope => Some(Self::MissingScope),
            Code::CannotDmUser => Some(Self::CannotDmUser),
            Code::NotInConversation => Some(Self::NotInConversation),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::ConversationArchived => Some(Self::ConversationArchived),
            Code::UserDeactivated => Some(Self::UserDeactivated),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::IdempotencyKeyReused => Some(Self::IdempotencyKeyReused),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List people
pub struct ListUsers;
impl OperationType for ListUsers {
    const INFO: &'static OperationInfo = &OperationInfo {
        id: "listUsers",
        method: "GET",
        path: "/v1/users",
        tag: "users",
        schemes: &["botToken"],
        scopes: &["users:read"],
        required_headers: &[],
        body: None,
        credentials: &[],
        limit: None,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::TokenRevoked,
            Code::MissingScope,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListUsers {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`limit` of `listUsers`.
pub struct ListUsersLimitParam;
impl Parameter for ListUsersLimitParam {
    type Value = Clamped<1, 1000, 200>;
    type Output = u32;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "limit",
            missing: Code::InvalidRequest,
            invalid: Code::InvalidRequest,
            min_length: None,
            max_length: None,
            minimum: Some(1),
            maximum: None,
            pattern: None,
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema {
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listUsers`.
pub struct ListUsersCursorParam;
impl Parameter for ListUsersCursorParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "cursor",
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
        Ok(value)
    }
}
/// List people
#[derive(Debug)]
pub struct ListUsersRequest {
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listUsers` succeeds.
#[derive(Debug)]
pub enum ListUsersSuccess {
    /// One page of people.
    Status200 {
        body: types::UserPage,
        /// Id of this request, equal to `request_id` in an error body.
        x_request_id: String,
    },
}
impl poem::IntoResponse for ListUsersSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200 { body, x_request_id } => {
                let mut response = reply::json(200, &body);
                reply::set(&mut response, "x-request-id", x_request_id);
                response
            }
        }
    }
}
impl ApiResponse for ListUsersSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 200,
                    description: "One page of people.",
                    schema: Some(<types::UserPage as Described>::schema),
                    headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::UserPage as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListUsersError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    TokenRevoked,
    MissingScope,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListUsersError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listUsers";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::MISSING_SCOPE,
        shared::NOT_ACCEPTABLE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::InvalidCursor => Code::InvalidCursor,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::TokenRevoked => Code::TokenRevoked,
            Self::MissingScope => Code::MissingScope,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::RateLimited => Code::RateLimited,
            Self::InternalError => Code::InternalError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::InvalidRequest => Some(Self::InvalidRequest),
            Code::InvalidCursor => Some(Self::InvalidCursor),
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::TokenRevoked => Some(Self::TokenRevoked),
            Code::MissingScope => Some(Self::MissingScope),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Read one person
pub struct GetUser;
impl OperationType for GetUser {
    const INFO: &'static OperationInfo = &OperationInfo {
        id: "getUser",
        method: "GET",
        path: "/v1/users/{id}",
        tag: "users",
        schemes: &["botToken"],
        scopes: &["users:read"],
        required_headers: &[],
        body: None,
        credentials: &[],
        limit: None,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::TokenRevoked,
            Code::MissingScope,
            Code::UserNotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for GetUser {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`id` of `getUser`.
pub struct GetUserIdParam;
impl Parameter for GetUserIdParam {
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
/// Read one person
#[derive(Debug)]
pub struct GetUserRequest {
    /// Id of a person (`usr_`).
    pub id: String,
}
///How `getUser` succeeds.
#[derive(Debug)]
pub enum GetUserSuccess {
    /// The person.
    Status200 {
        body: types::UserResult,
        /// Id of this request, equal to `request_id` in an error body.
        x_request_id: String,
    },
}
impl poem::IntoResponse for GetUserSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200 { body, x_request_id } => {
                let mut response = reply::json(200, &body);
                reply::set(&mut response, "x-request-id", x_request_id);
                response
            }
        }
    }
}
impl ApiResponse for GetUserSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 200,
                    description: "The person.",
                    schema: Some(<types::UserResult as Described>::schema),
                    headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::UserResult as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetUserError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    TokenRevoked,
    MissingScope,
    UserNotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for GetUserError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "getUser";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::MISSING_SCOPE,
        ReplyDoc {
            status: 404,
            description: "No such person.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
        },
        shared::NOT_ACCEPTABLE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::TokenRevoked => Code::TokenRevoked,
            Self::MissingScope => Code::MissingScope,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::RateLimited => Code::RateLimited,
            Self::InternalError => Code::InternalError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::InvalidRequest => Some(Self::InvalidRequest),
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::TokenRevoked => Some(Self::TokenRevoked),
            Code::MissingScope => Some(Self::MissingScope),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Read the history of a group or channel
pub struct ListConversationMessages;
impl OperationType for ListConversationMessages {
    const INFO: &'static OperationInfo = &OperationInfo {
        id: "listConversationMessages",
        method: "GET",
        path: "/v1/conversations/{conversation_id}/messages",
        tag: "conversations",
        schemes: &["botToken"],
        scopes: &["conversations:history"],
        required_headers: &[],
        body: None,
        credentials: &[],
        limit: None,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::TokenRevoked,
            Code::MissingScope,
            Code::NotInConversation,
            Code::ConversationNotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListConversationMessages {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`conversation_id` of `listConversationMessages`.
pub struct ListConversationMessagesConversationIdParam;
impl Parameter for ListConversationMessagesConversationIdParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "conversation_id",
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
///`limit` of `listConversationMessages`.
pub struct ListConversationMessagesLimitParam;
impl Parameter for ListConversationMessagesLimitParam {
    type Value = Clamped<1, 1000, 200>;
    type Output = u32;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "limit",
            missing: Code::InvalidRequest,
            invalid: Code::InvalidRequest,
            min_length: None,
            max_length: None,
            minimum: Some(1),
            maximum: None,
            pattern: None,
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema {
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listConversationMessages`.
pub struct ListConversationMessagesCursorParam;
impl Parameter for ListConversationMessagesCursorParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "cursor",
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
        Ok(value)
    }
}
/// Read the history of a group or channel
#[derive(Debug)]
pub struct ListConversationMessagesRequest {
    /// Id of a group (`grp_`) or channel (`chn_`) the bot is in.
    pub conversation_id: String,
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listConversationMessages` succeeds.
#[derive(Debug)]
pub enum ListConversationMessagesSuccess {
    /// One page of messages.
    Status200 {
        body: types::HistoryPage,
        /// Id of this request, equal to `request_id` in an error body.
        x_request_id: String,
    },
}
impl poem::IntoResponse for ListConversationMessagesSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200 { body, x_request_id } => {
                let mut response = reply::json(200, &body);
                reply::set(&mut response, "x-request-id", x_request_id);
                response
            }
        }
    }
}
impl ApiResponse for ListConversationMessagesSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 200,
                    description: "One page of messages.",
                    schema: Some(<types::HistoryPage as Described>::schema),
                    headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::HistoryPage as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListConversationMessagesError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    TokenRevoked,
    MissingScope,
    NotInConversation,
    ConversationNotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListConversationMessagesError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listConversationMessages";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        ReplyDoc {
            status: 403,
            description: "Not allowed.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
        },
        ReplyDoc {
            status: 404,
            description: "No such conversation.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
        },
        shared::NOT_ACCEPTABLE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::InvalidCursor => Code::InvalidCursor,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::TokenRevoked => Code::TokenRevoked,
            Self::MissingScope => Code::MissingScope,
            Self::NotInConversation => Code::NotInConversation,
            Self::ConversationNotFound => Code::ConversationNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::RateLimited => Code::RateLimited,
            Self::InternalError => Code::InternalError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::InvalidRequest => Some(Self::InvalidRequest),
            Code::InvalidCursor => Some(Self::InvalidCursor),
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::TokenRevoked => Some(Self::TokenRevoked),
            Code::MissingScope => Some(Self::MissingScope),
            Code::NotInConversation => Some(Self::NotInConversation),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Exchange an authorization code for a bot token
pub struct ExchangeToken;
impl OperationType for ExchangeToken {
    const INFO: &'static OperationInfo = &OperationInfo {
        id: "exchangeToken",
        method: "POST",
        path: "/oauth/token",
        tag: "oauth",
        schemes: &["clientBasic"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/x-www-form-urlencoded", "application/json"],
            required: true,
            description: None,
        }),
        credentials: &[],
        limit: None,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidGrant,
            Code::UnsupportedGrantType,
            Code::InvalidClient,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ExchangeToken {
    type Principal = H::ClientBasic;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Exchange an authorization code for a bot token
#[derive(Debug)]
pub struct ExchangeTokenRequest {
    pub body: types::TokenRequest,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `exchangeToken` succeeds.
#[derive(Debug)]
pub enum ExchangeTokenSuccess {
    /// The bot token.
    Status200 {
        body: types::TokenResult,
        /// Id of this request, equal to `request_id` in an error body.
        x_request_id: String,
        /// Always `no-store`.
        cache_control: String,
    },
}
impl poem::IntoResponse for ExchangeTokenSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200 { body, x_request_id, cache_control } => {
                let mut response = reply::json(200, &body);
                reply::set(&mut response, "x-request-id", x_request_id);
                reply::set(&mut response, "cache-control", cache_control);
                response
            }
        }
    }
}
impl ApiResponse for ExchangeTokenSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: 200,
                    description: "The bot token.",
                    schema: Some(<types::TokenResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        (
                            "Cache-Control",
                            HeaderDoc {
                                description: Some("Always `no-store`."),
                                required: true,
                                schema: || patched(
                                    <String as Described>::schema(),
                                    MetaSchema::ANY,
                                ),
                            },
                        ),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::TokenResult as Described>::register(registry);
    }
}
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeTokenError {
    InvalidRequest,
    InvalidGrant,
    UnsupportedGrantType,
    InvalidClient,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for ExchangeTokenError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "exchangeToken";
    const REPLIES: &'static [ReplyDoc] = &[
        ReplyDoc {
            status: 400,
            description: "The grant is not valid.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
        },
        ReplyDoc {
            status: 401,
            description: "The app did not authenticate.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[("X-Request-Id", shared::HEADER_REQUEST_ID)],
        },
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::InvalidGrant => Code::InvalidGrant,
            Self::UnsupportedGrantType => Code::UnsupportedGrantType,
            Self::InvalidClient => Code::InvalidClient,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
            Self::RateLimited => Code::RateLimited,
            Self::InternalError => Code::InternalError,
        }
    }
    fn from_code(code: Code) -> Option<Self> {
        match code {
            Code::InvalidRequest => Some(Self::InvalidRequest),
            Code::InvalidGrant => Some(Self::InvalidGrant),
            Code::UnsupportedGrantType => Some(Self::UnsupportedGrantType),
            Code::InvalidClient => Some(Self::InvalidClient),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Send, edit and delete messages.
pub trait MessagesHandlers: Security {
    /// Send a message
    fn create_message(
        &self,
        caller: Self::BotToken,
        request: CreateMessageRequest,
    ) -> impl Future<
        Output = Result<CreateMessageSuccess, Problem<CreateMessageError>>,
    > + Send;
}
/// Read the people of the workspace.
pub trait UsersHandlers: Security {
    /// List people
    fn list_users(
        &self,
        caller: Self::BotToken,
        request: ListUsersRequest,
    ) -> impl Future<Output = Result<ListUsersSuccess, Problem<ListUsersError>>> + Send;
    /// Read one person
    fn get_user(
        &self,
        caller: Self::BotToken,
        request: GetUserRequest,
    ) -> impl Future<Output = Result<GetUserSuccess, Problem<GetUserError>>> + Send;
}
/// Read groups, channels and their history.
pub trait ConversationsHandlers: Security {
    /// Read the history of a group or channel
    fn list_conversation_messages(
        &self,
        caller: Self::BotToken,
        request: ListConversationMessagesRequest,
    ) -> impl Future<
        Output = Result<
            ListConversationMessagesSuccess,
            Problem<ListConversationMessagesError>,
        >,
    > + Send;
}
/// Exchange and revoke bot tokens.
pub trait OauthHandlers: Security {
    /// Exchange an authorization code for a bot token
    fn exchange_token(
        &self,
        caller: Self::ClientBasic,
        request: ExchangeTokenRequest,
    ) -> impl Future<
        Output = Result<ExchangeTokenSuccess, Problem<ExchangeTokenError>>,
    > + Send;
}
/// Everything a server of this document needs.
pub trait Handlers: MessagesHandlers + UsersHandlers + ConversationsHandlers + OauthHandlers {}
impl<
    T: MessagesHandlers + UsersHandlers + ConversationsHandlers + OauthHandlers,
> Handlers for T {}
/// The routes of the document over hand-written handlers.
pub struct Server<H>(pub Arc<H>);
#[OpenApi]
impl<H: Handlers> Server<H> {
    /**Send a message

Sends a direct message to a person or posts in a conversation the bot is in.*/
    #[oai(
        path = "/v1/messages",
        method = "post",
        operation_id = "createMessage",
        tag = "Tag::Messages"
    )]
    async fn create_message(
        &self,
        #[oai(scope = "Scope::MessagesWrite")]
        guard: Guard<H, CreateMessage>,
        ///Unique per message and destination, kept 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: Header<CreateMessageIdempotencyKeyParam>,
        body: Body<CreateMessage, types::MessageCreate>,
    ) -> Result<CreateMessageSuccess, Problem<CreateMessageError>> {
        self.0
            .create_message(
                guard.into_caller(),
                CreateMessageRequest {
                    idempotency_key: idempotency_key.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    ///List people
    #[oai(
        path = "/v1/users",
        method = "get",
        operation_id = "listUsers",
        tag = "Tag::Users"
    )]
    async fn list_users(
        &self,
        #[oai(scope = "Scope::UsersRead")]
        guard: Guard<H, ListUsers>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListUsersLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListUsersCursorParam>,
    ) -> Result<ListUsersSuccess, Problem<ListUsersError>> {
        self.0
            .list_users(
                guard.into_caller(),
                ListUsersRequest {
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    ///Read one person
    #[oai(
        path = "/v1/users/:id",
        method = "get",
        operation_id = "getUser",
        tag = "Tag::Users"
    )]
    async fn get_user(
        &self,
        #[oai(scope = "Scope::UsersRead")]
        guard: Guard<H, GetUser>,
        ///Id of a person (`usr_`).
        #[oai(name = "id")]
        id: Path<GetUserIdParam>,
    ) -> Result<GetUserSuccess, Problem<GetUserError>> {
        self.0.get_user(guard.into_caller(), GetUserRequest { id: id.0 }).await
    }
    /**Read the history of a group or channel

Newest first.*/
    #[oai(
        path = "/v1/conversations/:conversation_id/messages",
        method = "get",
        operation_id = "listConversationMessages",
        tag = "Tag::Conversations"
    )]
    async fn list_conversation_messages(
        &self,
        #[oai(scope = "Scope::ConversationsHistory")]
        guard: Guard<H, ListConversationMessages>,
        ///Id of a group (`grp_`) or channel (`chn_`) the bot is in.
        #[oai(name = "conversation_id")]
        conversation_id: Path<ListConversationMessagesConversationIdParam>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListConversationMessagesLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListConversationMessagesCursorParam>,
    ) -> Result<
        ListConversationMessagesSuccess,
        Problem<ListConversationMessagesError>,
    > {
        self.0
            .list_conversation_messages(
                guard.into_caller(),
                ListConversationMessagesRequest {
                    conversation_id: conversation_id.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    ///Exchange an authorization code for a bot token
    #[oai(
        path = "/oauth/token",
        method = "post",
        operation_id = "exchangeToken",
        tag = "Tag::Oauth"
    )]
    async fn exchange_token(
        &self,
        guard: Guard<H, ExchangeToken>,
        body: Body<ExchangeToken, types::TokenRequest>,
    ) -> Result<ExchangeTokenSuccess, Problem<ExchangeTokenError>> {
        self.0
            .exchange_token(
                guard.into_caller(),
                ExchangeTokenRequest {
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
}
/// The service as poem-openapi sees it. Its requests carry the handlers as data: see [`routes`].
pub fn service<H: Handlers>(handlers: Arc<H>) -> OpenApiService<Server<H>, ()> {
    OpenApiService::new(Server(handlers), "Bot Messaging API", "1.0.0")
}
/// Every route of the document, served by `handlers`.
pub fn routes<H: Handlers>(
    handlers: Arc<H>,
) -> impl poem::Endpoint<Output = Response> + 'static {
    use poem::{EndpointExt, IntoEndpoint};
    LazyLock::force(&CONTRACT);
    service(handlers.clone()).into_endpoint().data(handlers)
}
