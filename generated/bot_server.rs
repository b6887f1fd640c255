// @generated from openapi/bot.yaml by codegen/. Do not edit.

//!Server half of `openapi/bot.yaml`.
#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::allow_attributes_without_reason,
    missing_docs
)]
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use poem::Response;
use poem_openapi::{ApiResponse, OpenApi, OpenApiService, Tags};
use poem_openapi::registry::{
    MetaResponses, MetaSchema, MetaSchemaRef, MetaSecurityScheme, Registry,
};
use poem_openapi::types::MaybeUndefined;
use serde::{Deserialize, Serialize};
use crate::contract::{
    Body, BodyInfo, BodyReader, BodySchema, Clamped, Contract, Described, Dialect,
    ErrorCode, Guard, Guarded, HeaderParameter, HeaderDoc, LimitName, Nullable,
    OperationError, OperationInfo, OperationType, ParamRules, Parameter, Path, Pattern,
    Principal, Property, PublishedDocument, QueryParameter, ReplyDoc, RequestPolicy,
    Schema, constant, describe_object, describe_schema, enumeration, error_codes,
    patched, publish, published_schemas, reply,
};
use crate::domain::refusal::Code;
use crate::domain::time::Timestamp;
/// The document with null in place of everything that its routes publish.
pub(crate) const PRESENTATION: &str = include_str!("bot.presentation.json");
/// Title and version of the document.
pub(crate) const HEAD: [&str; 2] = ["Switchboard bot API", "1.0.0"];
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
pub const SOURCE: &str = include_str!("bot.json");
/// Every error code of the document with its status, except `client_error` and `server_error`, which may have
/// several statuses.
pub static CODES: &[(Code, u16)] = &[
    (Code::CannotDmUser, 403u16),
    (Code::ConversationArchived, 409u16),
    (Code::ConversationNotFound, 404u16),
    (Code::FileNotFound, 404u16),
    (Code::IdempotencyKeyReused, 422u16),
    (Code::InternalError, 500u16),
    (Code::InvalidAuth, 401u16),
    (Code::InvalidBlocks, 400u16),
    (Code::InvalidClient, 401u16),
    (Code::InvalidCursor, 400u16),
    (Code::InvalidGrant, 400u16),
    (Code::InvalidRequest, 400u16),
    (Code::MessageNotFound, 404u16),
    (Code::MissingIdempotencyKey, 400u16),
    (Code::MissingScope, 403u16),
    (Code::NotAcceptable, 406u16),
    (Code::NotAllowedInConversation, 403u16),
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
    DeleteMessage::INFO,
    UpdateMessage::INFO,
    ListConversations::INFO,
    GetConversation::INFO,
    ListConversationMessages::INFO,
    GetConversationFile::INFO,
    ListUsers::INFO,
    LookupUser::INFO,
    GetUser::INFO,
    TestAuth::INFO,
    ExchangeToken::INFO,
    RevokeToken::INFO,
];
/// The readers of request bodies: one per operation with a body, except those whose handler reads the body.
pub static BODIES: &[BodyReader] = &[
    BodyReader::of::<CreateMessage, types::MessageCreate>(),
    BodyReader::of::<UpdateMessage, types::MessageUpdate>(),
    BodyReader::of::<ExchangeToken, types::TokenRequest>(),
    BodyReader::of::<RevokeToken, types::RevokeRequest>(),
];
/// The document's schemas.
pub mod types {
    use super::*;
    constant!(True = bool true; as "True", Some("Always true."));
    constant!(False = bool false; as "False", Some("Always false."));
    /// The response of every failure.
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
                Some("The response of every failure."),
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
    /// Why the request failed.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ErrorDetail {
        /// The error code, which is stable. New codes may be added; treat an unknown code as a generic failure of its status.
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
                Some("Why the request failed."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "code", MetaSchema {
                        description :
                        Some("The error code, which is stable. New codes may be added; treat an unknown code as a generic failure of its status."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "message", MetaSchema { description :
                        Some("Text for people. It may change."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A success without further data.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct OkResult {
        pub ok: True,
    }
    impl Described for OkResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("OkResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "OkResult",
                Some("A success without further data."),
                |registry| {
                    vec![Property::new:: < True > (registry, "ok", MetaSchema::ANY)]
                },
            );
        }
    }
    /// A message to send.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageCreate {
        pub to: Destination,
        /// The text that people see, also as the push notification. Stored as given: nothing is trimmed or normalized.
        pub text: String,
        /// Id of the message to which this message replies, in the same destination. The web client quotes that message above the reply. If the destination has no such message, or the message was deleted, the response is 400 `invalid_request`. Null is the same as left out.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub thread_id: MaybeUndefined<String>,
        /// Accepted and ignored; links in app messages never get a preview.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub unfurl_links: Option<bool>,
        /// Any members, at most 4 KB in total. Stored with the message and never shown. Do not store secrets here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub metadata: Option<BTreeMap<String, serde_json::Value>>,
        /// At most 50 blocks and 16 KB in total. The web client displays them below `text`; assistants and notifications get `text` only. More than 16 KB get 400 `invalid_request`. More than 50 blocks, or a block that is not as described, get 400 `invalid_blocks`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub blocks: Option<Vec<Block>>,
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
                Some("A message to send."),
                |registry| {
                    vec![
                        Property::new:: < Destination > (registry, "to",
                        MetaSchema::ANY), Property::new:: < String > (registry, "text",
                        MetaSchema { description :
                        Some("The text that people see, also as the push notification. Stored as given: nothing is trimmed or normalized."),
                        min_length : Some(1), max_length : Some(4000), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "thread_id", MetaSchema { description :
                        Some("Id of the message to which this message replies, in the same destination. The web client quotes that message above the reply. If the destination has no such message, or the message was deleted, the response is 400 `invalid_request`. Null is the same as left out."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "unfurl_links", MetaSchema { description :
                        Some("Accepted and ignored; links in app messages never get a preview."),
                        ..MetaSchema::ANY }), Property::new:: < Option < BTreeMap <
                        String, serde_json::Value > > > (registry, "metadata", MetaSchema
                        { description :
                        Some("Any members, at most 4 KB in total. Stored with the message and never shown. Do not store secrets here."),
                        ..MetaSchema::ANY }), Property::new:: < Option < Vec < Block > >
                        > (registry, "blocks", MetaSchema { description :
                        Some("At most 50 blocks and 16 KB in total. The web client displays them below `text`; assistants and notifications get `text` only. More than 16 KB get 400 `invalid_request`. More than 50 blocks, or a block that is not as described, get 400 `invalid_blocks`."),
                        max_items : Some(50), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The new content of a message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageUpdate {
        /// Replaces the text.
        pub text: String,
        /// Merged into the stored metadata, at the top level: a member given here replaces the stored member of this name, null removes the stored member, and all other members stay. Neither the given nor the merged metadata may have more than 4 KB.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub metadata: Option<BTreeMap<String, serde_json::Value>>,
        /// Replaces the blocks, with the limits of a send. If left out, the message loses its blocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub blocks: Option<Vec<Block>>,
    }
    impl Described for MessageUpdate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("MessageUpdate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "MessageUpdate",
                Some("The new content of a message."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "text", MetaSchema {
                        description : Some("Replaces the text."), min_length : Some(1),
                        max_length : Some(4000), ..MetaSchema::ANY }), Property::new:: <
                        Option < BTreeMap < String, serde_json::Value > > > (registry,
                        "metadata", MetaSchema { description :
                        Some("Merged into the stored metadata, at the top level: a member given here replaces the stored member of this name, null removes the stored member, and all other members stay. Neither the given nor the merged metadata may have more than 4 KB."),
                        ..MetaSchema::ANY }), Property::new:: < Option < Vec < Block > >
                        > (registry, "blocks", MetaSchema { description :
                        Some("Replaces the blocks, with the limits of a send. If left out, the message loses its blocks."),
                        max_items : Some(50), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The destination of a message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Destination {
        #[serde(rename = "type")]
        pub r#type: DestinationType,
        /// `usr_` id of a person, or `grp_` or `chn_` id of a conversation from `GET /v1/conversations`.
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
                Some("The destination of a message."),
                |registry| {
                    vec![
                        Property::new:: < DestinationType > (registry, "type",
                        MetaSchema::ANY), Property::new:: < String > (registry, "id",
                        MetaSchema { description :
                        Some("`usr_` id of a person, or `grp_` or `chn_` id of a conversation from `GET /v1/conversations`."),
                        min_length : Some(1), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        DestinationType as "DestinationType", closed,
        "`user` sends a direct message, `conversation` posts in a group or channel.";
        User = "user", Conversation = "conversation"
    }
    /// A part of a message's layout. Members that are not described here are stored, except in `actions`, where they are dropped. A type that is not described here gets 400 `invalid_blocks`.
    ///
    /// The value as it was sent, after it was validated against the document's schema.
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
                    <ActionsBlock as Described>::register(registry);
                    MetaSchema {
                        description: Some(
                            "A part of a message's layout. Members that are not described here are stored, except in `actions`, where they are dropped. A type that is not described here gets 400 `invalid_blocks`.",
                        ),
                        one_of: vec![
                            < HeaderBlock as Described > ::schema(), < SectionBlock as
                            Described > ::schema(), < ContextBlock as Described >
                            ::schema(), < FieldsBlock as Described > ::schema(), <
                            ActionsBlock as Described > ::schema()
                        ],
                        discriminator: Some(poem_openapi::registry::MetaDiscriminatorObject {
                            property_name: "type",
                            mapping: vec![
                                ("header".into(), "#/components/schemas/HeaderBlock"
                                .into()), ("section".into(),
                                "#/components/schemas/SectionBlock".into()), ("context"
                                .into(), "#/components/schemas/ContextBlock".into()),
                                ("fields".into(), "#/components/schemas/FieldsBlock"
                                .into()), ("actions".into(),
                                "#/components/schemas/ActionsBlock".into())
                            ],
                        }),
                        ..MetaSchema::ANY
                    }
                },
            );
        }
    }
    constant!(HeaderBlockType = str "header");
    /// A heading.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HeaderBlock {
        /// Always `header`.
        #[serde(rename = "type")]
        pub r#type: HeaderBlockType,
        /// The heading.
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
                Some("A heading."),
                |registry| {
                    vec![
                        Property::new:: < HeaderBlockType > (registry, "type", MetaSchema
                        { description : Some("Always `header`."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "text", MetaSchema {
                        description : Some("The heading."), min_length : Some(1),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    constant!(SectionBlockType = str "section");
    /// A paragraph.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SectionBlock {
        /// Always `section`.
        #[serde(rename = "type")]
        pub r#type: SectionBlockType,
        /// The paragraph.
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
                Some("A paragraph."),
                |registry| {
                    vec![
                        Property::new:: < SectionBlockType > (registry, "type",
                        MetaSchema { description : Some("Always `section`."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "text", MetaSchema { description : Some("The paragraph."),
                        min_length : Some(1), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    constant!(ContextBlockType = str "context");
    /// A side note.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ContextBlock {
        /// Always `context`.
        #[serde(rename = "type")]
        pub r#type: ContextBlockType,
        /// The note.
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
                Some("A side note."),
                |registry| {
                    vec![
                        Property::new:: < ContextBlockType > (registry, "type",
                        MetaSchema { description : Some("Always `context`."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "text", MetaSchema { description : Some("The note."), min_length
                        : Some(1), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    constant!(FieldsBlockType = str "fields");
    /// Labelled values.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct FieldsBlock {
        /// Always `fields`.
        #[serde(rename = "type")]
        pub r#type: FieldsBlockType,
        /// The values, 1 to 25. The member may be called `items` instead; a block must not have both.
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
                Some("Labelled values."),
                |registry| {
                    vec![
                        Property::new:: < FieldsBlockType > (registry, "type", MetaSchema
                        { description : Some("Always `fields`."), ..MetaSchema::ANY }),
                        Property::new:: < Vec < BlockField > > (registry, "fields",
                        MetaSchema { description :
                        Some("The values, 1 to 25. The member may be called `items` instead; a block must not have both."),
                        min_items : Some(1), max_items : Some(25), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One labelled value.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct BlockField {
        /// The label of the value.
        pub label: String,
        /// The value.
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
                Some("One labelled value."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "label", MetaSchema {
                        description : Some("The label of the value."), min_length :
                        Some(1), ..MetaSchema::ANY }), Property::new:: < String >
                        (registry, "value", MetaSchema { description :
                        Some("The value."), min_length : Some(1), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    constant!(ActionsBlockType = str "actions");
    /// Buttons. A click sends the event `interaction` to the app; the message stays as it is until the bot edits it.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ActionsBlock {
        /// Always `actions`.
        #[serde(rename = "type")]
        pub r#type: ActionsBlockType,
        /// The buttons, 1 to 5.
        pub items: Vec<ActionButton>,
    }
    impl Described for ActionsBlock {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ActionsBlock".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ActionsBlock",
                Some(
                    "Buttons. A click sends the event `interaction` to the app; the message stays as it is until the bot edits it.",
                ),
                |registry| {
                    vec![
                        Property::new:: < ActionsBlockType > (registry, "type",
                        MetaSchema { description : Some("Always `actions`."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < ActionButton > >
                        (registry, "items", MetaSchema { description :
                        Some("The buttons, 1 to 5."), min_items : Some(1), max_items :
                        Some(5), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A button.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ActionButton {
        /// Names the button in the event: 1 to 64 visible ASCII characters, unique in the message, over all its `actions` blocks.
        pub action_id: String,
        /// What the button says, 1 to 40 characters.
        pub text: String,
        /// A value that the event contains, at most 2,000 characters. If left out, the value in the event is null.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub value: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub style: Option<ActionStyle>,
    }
    impl Described for ActionButton {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ActionButton".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ActionButton",
                Some("A button."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "action_id", MetaSchema {
                        description :
                        Some("Names the button in the event: 1 to 64 visible ASCII characters, unique in the message, over all its `actions` blocks."),
                        min_length : Some(1), max_length : Some(64), pattern :
                        Some(String::from("^[\\x21-\\x7E]+$")), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "text", MetaSchema {
                        description : Some("What the button says, 1 to 40 characters."),
                        min_length : Some(1), max_length : Some(40), ..MetaSchema::ANY
                        }), Property::new:: < Option < String > > (registry, "value",
                        MetaSchema { description :
                        Some("A value that the event contains, at most 2,000 characters. If left out, the value in the event is null."),
                        max_length : Some(2000), ..MetaSchema::ANY }), Property::new:: <
                        Option < ActionStyle > > (registry, "style", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    enumeration! {
        ActionStyle as "ActionStyle", closed,
        "`primary` for the recommended choice, `danger` for one with serious consequences; plain if left out.";
        Primary = "primary", Danger = "danger"
    }
    /// The message that was sent or edited.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageResult {
        pub ok: True,
        pub message: SentMessage,
    }
    impl Described for MessageResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("MessageResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "MessageResult",
                Some("The message that was sent or edited."),
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
    /// A message the bot sent.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SentMessage {
        /// `gmsg_` in a group or channel, `dmsg_` in a direct message.
        pub id: String,
        /// `grp_` or `chn_` for a group or channel; `dm_` for a direct message. All messages between the bot and one person have the same `dm_` id.
        pub conversation_id: String,
        /// Id of the message to which this message replies; null if this message is no reply.
        pub thread_id: Nullable<String>,
        /// When the message was sent; an edit does not change this time.
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
                Some("A message the bot sent."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`gmsg_` in a group or channel, `dmsg_` in a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "conversation_id", MetaSchema { description :
                        Some("`grp_` or `chn_` for a group or channel; `dm_` for a direct message. All messages between the bot and one person have the same `dm_` id."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "thread_id", MetaSchema { description :
                        Some("Id of the message to which this message replies; null if this message is no reply."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When the message was sent; an edit does not change this time."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        ConversationType as "ConversationType", closed,
        "`channel` if every employee may join, `private_channel` if not. A named channel has the type of its group.";
        Channel = "channel", PrivateChannel = "private_channel"
    }
    /// A group, or a named channel of a group.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Conversation {
        /// `grp_` for a group, `chn_` for a named channel.
        pub id: String,
        /// Name of the group or channel.
        pub name: String,
        #[serde(rename = "type")]
        pub r#type: ConversationType,
        /// Id of the group (`grp_`) of a channel; null for a group.
        pub parent_id: Nullable<String>,
        /// True exactly when `type` is `private_channel`.
        pub is_private: bool,
        /// Whether the conversation is archived. The bot can read an archived conversation, but not post in it. A named channel is archived if its group is archived.
        pub is_archived: bool,
        /// Always true; only conversations the bot belongs to are returned.
        pub is_member: bool,
        /// Number of members with an active account, guests included. Bots and onboarding people are not counted.
        pub member_count: i64,
        /// Description of the group or channel.
        pub topic: Nullable<String>,
    }
    impl Described for Conversation {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Conversation".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Conversation",
                Some("A group, or a named channel of a group."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`grp_` for a group, `chn_` for a named channel."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "name", MetaSchema { description :
                        Some("Name of the group or channel."), ..MetaSchema::ANY }),
                        Property::new:: < ConversationType > (registry, "type",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "parent_id", MetaSchema { description :
                        Some("Id of the group (`grp_`) of a channel; null for a group."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_private", MetaSchema { description :
                        Some("True exactly when `type` is `private_channel`."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_archived", MetaSchema { description :
                        Some("Whether the conversation is archived. The bot can read an archived conversation, but not post in it. A named channel is archived if its group is archived."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_member", MetaSchema { description :
                        Some("Always true; only conversations the bot belongs to are returned."),
                        ..MetaSchema::ANY }), Property::new:: < i64 > (registry,
                        "member_count", MetaSchema { description :
                        Some("Number of members with an active account, guests included. Bots and onboarding people are not counted."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < String > > (registry, "topic", MetaSchema {
                        description : Some("Description of the group or channel."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One conversation.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConversationResult {
        pub ok: True,
        pub conversation: Conversation,
    }
    impl Described for ConversationResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ConversationResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ConversationResult",
                Some("One conversation."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Conversation > (registry, "conversation",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// One page of conversations.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConversationPage {
        pub ok: True,
        /// The conversations of the page, oldest first.
        pub conversations: Vec<Conversation>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for ConversationPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ConversationPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ConversationPage",
                Some("One page of conversations."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Conversation > > (registry,
                        "conversations", MetaSchema { description :
                        Some("The conversations of the page, oldest first."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        MessageType as "MessageType", extensible,
        "Type of a message. `system` is a notice, for example that someone joined. Messages of bots are `text`. More types may be added; show a message of an unknown type by its text and files.";
        Text = "text", Image = "image", File = "file", System = "system", Audio =
        "audio", Video = "video", Location = "location", Contact = "contact", Call =
        "call", Poll = "poll", Survey = "survey"
    }
    /// A file attached to a message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct FileRef {
        /// `fil_` id. `GET /v1/conversations/{conversation_id}/files/{id}` reads the file.
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
                Some("A file attached to a message."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`fil_` id. `GET /v1/conversations/{conversation_id}/files/{id}` reads the file."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A message of a group or channel.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HistoryMessage {
        /// `gmsg_` id.
        pub id: String,
        /// `grp_` or `chn_` id.
        pub conversation_id: String,
        /// Id of the message to which this message replies. Null if this message is no reply, or if the bot cannot read the message to which it replies.
        pub thread_id: Nullable<String>,
        /// Id of the sender (`usr_`); null for a system message, and if the sender is a guest the bot may not see. The sender may be a bot, for which `GET /v1/users/{id}` responds 404.
        pub user_id: Nullable<String>,
        #[serde(rename = "type")]
        pub r#type: MessageType,
        /// Null for a system message; empty for a message without text, such as one with only a file.
        pub text: Nullable<String>,
        /// Attached files; often none.
        pub files: Vec<FileRef>,
        /// When the message was sent; an edit does not change this time.
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
                Some("A message of a group or channel."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`gmsg_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "conversation_id",
                        MetaSchema { description : Some("`grp_` or `chn_` id."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "thread_id", MetaSchema { description :
                        Some("Id of the message to which this message replies. Null if this message is no reply, or if the bot cannot read the message to which it replies."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "user_id", MetaSchema { description :
                        Some("Id of the sender (`usr_`); null for a system message, and if the sender is a guest the bot may not see. The sender may be a bot, for which `GET /v1/users/{id}` responds 404."),
                        ..MetaSchema::ANY }), Property::new:: < MessageType > (registry,
                        "type", MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "text", MetaSchema { description :
                        Some("Null for a system message; empty for a message without text, such as one with only a file."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < FileRef > >
                        (registry, "files", MetaSchema { description :
                        Some("Attached files; often none."), ..MetaSchema::ANY }),
                        Property::new:: < Timestamp > (registry, "created_at", MetaSchema
                        { description :
                        Some("When the message was sent; an edit does not change this time."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One page of the history of a conversation.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct HistoryPage {
        pub ok: True,
        /// The messages of the page, newest first.
        pub messages: Vec<HistoryMessage>,
        /// Null on the last page.
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
                Some("One page of the history of a conversation."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < HistoryMessage > > (registry, "messages",
                        MetaSchema { description :
                        Some("The messages of the page, newest first."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A file and a link to its content.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct File {
        /// `fil_` id.
        pub id: String,
        /// File name as uploaded.
        pub name: String,
        /// Media type as uploaded.
        pub mimetype: String,
        /// Size in bytes.
        pub size: i64,
        /// Signed link that needs no token and can be opened for 15 minutes, any number of times. The link redirects to a download URL, which works for up to one further hour. Treat both URLs as secrets.
        pub url: String,
    }
    impl Described for File {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("File".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "File",
                Some("A file and a link to its content."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`fil_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "name", MetaSchema {
                        description : Some("File name as uploaded."), ..MetaSchema::ANY
                        }), Property::new:: < String > (registry, "mimetype", MetaSchema
                        { description : Some("Media type as uploaded."),
                        ..MetaSchema::ANY }), Property::new:: < i64 > (registry, "size",
                        MetaSchema { description : Some("Size in bytes."), format :
                        Some("int64"), ..MetaSchema::ANY }), Property::new:: < String >
                        (registry, "url", MetaSchema { description :
                        Some("Signed link that needs no token and can be opened for 15 minutes, any number of times. The link redirects to a download URL, which works for up to one further hour. Treat both URLs as secrets."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One file.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct FileResult {
        pub ok: True,
        pub file: File,
    }
    impl Described for FileResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("FileResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "FileResult",
                Some("One file."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < File > (registry, "file", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// A person of the workspace.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct User {
        /// `usr_` id.
        pub id: String,
        /// Full name.
        pub name: String,
        /// First name.
        pub display_name: Nullable<String>,
        /// E-mail address. Present only if the token has `users:read.email` and the person lets colleagues see the address. Otherwise absent, never null. A removed person never has an address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub email: Option<String>,
        /// Address of a picture of the person; null when there is none.
        pub avatar_url: Nullable<String>,
        /// Job title.
        pub title: Nullable<String>,
        /// IANA time zone name.
        pub timezone: Nullable<String>,
        /// False for deactivated and removed people.
        pub is_active: bool,
        /// Always false; bots are never returned.
        pub is_bot: bool,
        /// Whether the person is an admin of the company.
        pub is_admin: bool,
        /// Whether the person is a guest from outside the company.
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
                Some("A person of the workspace."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`usr_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "name", MetaSchema {
                        description : Some("Full name."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry,
                        "display_name", MetaSchema { description : Some("First name."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "email", MetaSchema { description :
                        Some("E-mail address. Present only if the token has `users:read.email` and the person lets colleagues see the address. Otherwise absent, never null. A removed person never has an address."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "avatar_url", MetaSchema { description :
                        Some("Address of a picture of the person; null when there is none."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "title", MetaSchema { description :
                        Some("Job title."), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < String > > (registry, "timezone", MetaSchema {
                        description : Some("IANA time zone name."), ..MetaSchema::ANY }),
                        Property::new:: < bool > (registry, "is_active", MetaSchema {
                        description : Some("False for deactivated and removed people."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_bot", MetaSchema { description :
                        Some("Always false; bots are never returned."), ..MetaSchema::ANY
                        }), Property::new:: < bool > (registry, "is_admin", MetaSchema {
                        description :
                        Some("Whether the person is an admin of the company."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_external", MetaSchema { description :
                        Some("Whether the person is a guest from outside the company."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One person.
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
                Some("One person."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < User > (registry, "user", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// One page of people.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserPage {
        pub ok: True,
        /// The people of the page, in the order in which they were added.
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
                Some("One page of people."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < User > > (registry, "users", MetaSchema {
                        description :
                        Some("The people of the page, in the order in which they were added."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A company's workspace.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Workspace {
        /// `cmp_` id.
        pub id: String,
        /// Name of the company.
        pub name: String,
        /// The company's e-mail domain; null when it has none.
        pub domain: Nullable<String>,
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
                Some("A company's workspace."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`cmp_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "name", MetaSchema {
                        description : Some("Name of the company."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry, "domain",
                        MetaSchema { description :
                        Some("The company's e-mail domain; null when it has none."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The app's bot user in the workspace.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Bot {
        /// `usr_` id: the sender of the bot's messages.
        pub id: String,
        /// Name of the bot user, which is the name of the app.
        pub name: String,
    }
    impl Described for Bot {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Bot".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Bot",
                Some("The app's bot user in the workspace."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`usr_` id: the sender of the bot's messages."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "name", MetaSchema { description :
                        Some("Name of the bot user, which is the name of the app."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The workspace, the bot user, the app and the scopes of a token.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AuthTestResult {
        pub ok: True,
        pub workspace: Workspace,
        pub bot: Bot,
        /// `app_` id.
        pub app_id: String,
        /// The scopes of this token.
        pub scopes: Vec<String>,
    }
    impl Described for AuthTestResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AuthTestResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AuthTestResult",
                Some("The workspace, the bot user, the app and the scopes of a token."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Workspace > (registry, "workspace",
                        MetaSchema::ANY), Property::new:: < Bot > (registry, "bot",
                        MetaSchema::ANY), Property::new:: < String > (registry, "app_id",
                        MetaSchema { description : Some("`app_` id."), ..MetaSchema::ANY
                        }), Property::new:: < Vec < String > > (registry, "scopes",
                        MetaSchema { description : Some("The scopes of this token."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// An authorization code to exchange.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct TokenRequest {
        /// `authorization_code`. Any other grant type gets 400 `unsupported_grant_type`.
        pub grant_type: String,
        /// The code from the redirect. Required; a request without it gets 400 `invalid_request`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub code: Option<String>,
        /// If the authorization request had a `redirect_uri`, the same value is required here. If the authorization request had none, this member may be left out, or be one of the app's redirect URIs. Any other value gets 400 `invalid_grant`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub redirect_uri: Option<String>,
        /// Required if the authorization request had a `code_challenge` (PKCE, S256), and not allowed if it had none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub code_verifier: Option<String>,
        /// Client id of the app, unless it is sent by HTTP Basic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_id: Option<String>,
        /// Client secret of the app, unless it is sent by HTTP Basic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_secret: Option<String>,
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
                Some("An authorization code to exchange."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "grant_type", MetaSchema {
                        description :
                        Some("`authorization_code`. Any other grant type gets 400 `unsupported_grant_type`."),
                        min_length : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        Option < String > > (registry, "code", MetaSchema { description :
                        Some("The code from the redirect. Required; a request without it gets 400 `invalid_request`."),
                        min_length : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        Option < String > > (registry, "redirect_uri", MetaSchema {
                        description :
                        Some("If the authorization request had a `redirect_uri`, the same value is required here. If the authorization request had none, this member may be left out, or be one of the app's redirect URIs. Any other value gets 400 `invalid_grant`."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "code_verifier", MetaSchema { description :
                        Some("Required if the authorization request had a `code_challenge` (PKCE, S256), and not allowed if it had none."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "client_id", MetaSchema { description :
                        Some("Client id of the app, unless it is sent by HTTP Basic."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "client_secret", MetaSchema { description :
                        Some("Client secret of the app, unless it is sent by HTTP Basic."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        TokenType as "TokenType", closed,
        "How the token is sent: in the header `Authorization`."; Bearer = "Bearer"
    }
    /// A bot token and its owner. The bot token does not expire and has no refresh token.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct TokenResult {
        pub ok: True,
        /// The bot token.
        pub access_token: String,
        pub token_type: TokenType,
        /// The granted scopes, separated by spaces.
        pub scope: String,
        /// `app_` id.
        pub app_id: String,
        pub bot: BotRef,
        pub workspace: WorkspaceRef,
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
                Some(
                    "A bot token and its owner. The bot token does not expire and has no refresh token.",
                ),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < String > (registry, "access_token", MetaSchema
                        { description : Some("The bot token."), ..MetaSchema::ANY }),
                        Property::new:: < TokenType > (registry, "token_type",
                        MetaSchema::ANY), Property::new:: < String > (registry, "scope",
                        MetaSchema { description :
                        Some("The granted scopes, separated by spaces."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "app_id", MetaSchema { description : Some("`app_` id."),
                        ..MetaSchema::ANY }), Property::new:: < BotRef > (registry,
                        "bot", MetaSchema::ANY), Property::new:: < WorkspaceRef >
                        (registry, "workspace", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// The app's bot user in the workspace.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct BotRef {
        /// `usr_` id.
        pub id: String,
    }
    impl Described for BotRef {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("BotRef".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "BotRef",
                Some("The app's bot user in the workspace."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`usr_` id."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The workspace the app was installed in.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct WorkspaceRef {
        /// `cmp_` id.
        pub id: String,
        /// Name of the company.
        pub name: String,
    }
    impl Described for WorkspaceRef {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("WorkspaceRef".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "WorkspaceRef",
                Some("The workspace the app was installed in."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`cmp_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "name", MetaSchema {
                        description : Some("Name of the company."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A bot token to revoke.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct RevokeRequest {
        /// The bot token.
        pub token: String,
        /// Client id of the app, unless it is sent by HTTP Basic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_id: Option<String>,
        /// Client secret of the app, unless it is sent by HTTP Basic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_secret: Option<String>,
    }
    impl Described for RevokeRequest {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("RevokeRequest".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "RevokeRequest",
                Some("A bot token to revoke."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "token", MetaSchema {
                        description : Some("The bot token."), min_length : Some(1),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "client_id", MetaSchema { description :
                        Some("Client id of the app, unless it is sent by HTTP Basic."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "client_secret", MetaSchema { description :
                        Some("Client secret of the app, unless it is sent by HTTP Basic."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    constant!(AppUninstalledEventType = str "app.uninstalled");
    /// Body of the event `app.uninstalled`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppUninstalledEvent {
        /// `evt_` id, the same for every attempt. Ignore an event whose id you have handled.
        pub id: String,
        /// Always `app.uninstalled`.
        #[serde(rename = "type")]
        pub r#type: AppUninstalledEventType,
        /// `cmp_` id of the company.
        pub workspace_id: String,
        /// When the app was uninstalled or disabled.
        pub created_at: Timestamp,
        pub data: AppUninstalledData,
    }
    impl Described for AppUninstalledEvent {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AppUninstalledEvent".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AppUninstalledEvent",
                Some("Body of the event `app.uninstalled`."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`evt_` id, the same for every attempt. Ignore an event whose id you have handled."),
                        ..MetaSchema::ANY }), Property::new:: < AppUninstalledEventType >
                        (registry, "type", MetaSchema { description :
                        Some("Always `app.uninstalled`."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "workspace_id", MetaSchema
                        { description : Some("`cmp_` id of the company."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When the app was uninstalled or disabled."),
                        ..MetaSchema::ANY }), Property::new:: < AppUninstalledData >
                        (registry, "data", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// Who uninstalled the app, and the reason.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppUninstalledData {
        /// The admin who uninstalled the app; null when the operator disabled it.
        pub removed_by: Nullable<UserRef>,
        pub reason: UninstallReason,
    }
    impl Described for AppUninstalledData {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AppUninstalledData".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AppUninstalledData",
                Some("Who uninstalled the app, and the reason."),
                |registry| {
                    vec![
                        Property::new:: < Nullable < UserRef > > (registry, "removed_by",
                        MetaSchema { description :
                        Some("The admin who uninstalled the app; null when the operator disabled it."),
                        ..MetaSchema::ANY }), Property::new:: < UninstallReason >
                        (registry, "reason", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    enumeration! {
        UninstallReason as "UninstallReason", extensible,
        "`admin`: a company admin uninstalled the app; `app_disabled`: the operator disabled it. More reasons may be added.";
        Admin = "admin", AppDisabled = "app_disabled"
    }
    /// A person.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserRef {
        /// `usr_` id.
        pub id: String,
    }
    impl Described for UserRef {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("UserRef".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "UserRef",
                Some("A person."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`usr_` id."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    constant!(DirectoryChangedEventType = str "directory.changed");
    /// Body of the event `directory.changed`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct DirectoryChangedEvent {
        /// `evt_` id, the same for every attempt. Ignore an event whose id you have handled.
        pub id: String,
        /// Always `directory.changed`.
        #[serde(rename = "type")]
        pub r#type: DirectoryChangedEventType,
        /// `cmp_` id of the company.
        pub workspace_id: String,
        /// When the change happened.
        pub created_at: Timestamp,
        pub data: DirectoryChangedData,
    }
    impl Described for DirectoryChangedEvent {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("DirectoryChangedEvent".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "DirectoryChangedEvent",
                Some("Body of the event `directory.changed`."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`evt_` id, the same for every attempt. Ignore an event whose id you have handled."),
                        ..MetaSchema::ANY }), Property::new:: < DirectoryChangedEventType
                        > (registry, "type", MetaSchema { description :
                        Some("Always `directory.changed`."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "workspace_id", MetaSchema
                        { description : Some("`cmp_` id of the company."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When the change happened."), ..MetaSchema::ANY }),
                        Property::new:: < DirectoryChangedData > (registry, "data",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// What kind of change happened, and to which object.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct DirectoryChangedData {
        pub kind: DirectoryChangeKind,
        /// Id of the person (`usr_`) or conversation (`grp_`, `chn_`) that changed. Read the object again to get its new state.
        pub id: String,
    }
    impl Described for DirectoryChangedData {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("DirectoryChangedData".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "DirectoryChangedData",
                Some("What kind of change happened, and to which object."),
                |registry| {
                    vec![
                        Property::new:: < DirectoryChangeKind > (registry, "kind",
                        MetaSchema::ANY), Property::new:: < String > (registry, "id",
                        MetaSchema { description :
                        Some("Id of the person (`usr_`) or conversation (`grp_`, `chn_`) that changed. Read the object again to get its new state."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        DirectoryChangeKind as "DirectoryChangeKind", extensible,
        "The kind of the change. More kinds may be added; ignore kinds that you do not know.";
        UserCreated = "user.created", UserUpdated = "user.updated", UserDeactivated =
        "user.deactivated", ConversationCreated = "conversation.created",
        ConversationRenamed = "conversation.renamed", ConversationArchived =
        "conversation.archived", ConversationDeleted = "conversation.deleted",
        AppRemovedFromConversation = "app.removed_from_conversation"
    }
    constant!(InteractionEventType = str "interaction");
    /// Body of the event `interaction`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InteractionEvent {
        /// `evt_` id, the same for every attempt. Ignore an event whose id you have handled.
        pub id: String,
        /// Always `interaction`.
        #[serde(rename = "type")]
        pub r#type: InteractionEventType,
        /// `cmp_` id of the company.
        pub workspace_id: String,
        /// When the person clicked the button.
        pub created_at: Timestamp,
        pub data: InteractionData,
    }
    impl Described for InteractionEvent {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("InteractionEvent".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "InteractionEvent",
                Some("Body of the event `interaction`."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`evt_` id, the same for every attempt. Ignore an event whose id you have handled."),
                        ..MetaSchema::ANY }), Property::new:: < InteractionEventType >
                        (registry, "type", MetaSchema { description :
                        Some("Always `interaction`."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "workspace_id", MetaSchema
                        { description : Some("`cmp_` id of the company."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When the person clicked the button."), ..MetaSchema::ANY
                        }), Property::new:: < InteractionData > (registry, "data",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// The click: the button, the person and the message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InteractionData {
        /// The `action_id` of the button.
        pub action_id: String,
        /// The button's value; null when it has none.
        pub value: Nullable<String>,
        pub user: InteractionUser,
        pub message: InteractionMessage,
    }
    impl Described for InteractionData {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("InteractionData".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "InteractionData",
                Some("The click: the button, the person and the message."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "action_id", MetaSchema {
                        description : Some("The `action_id` of the button."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "value", MetaSchema { description :
                        Some("The button's value; null when it has none."),
                        ..MetaSchema::ANY }), Property::new:: < InteractionUser >
                        (registry, "user", MetaSchema::ANY), Property::new:: <
                        InteractionMessage > (registry, "message", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// The person who clicked.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InteractionUser {
        /// `usr_` id.
        pub id: String,
        /// E-mail address; present under the same conditions as a user's `email`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub email: Option<String>,
    }
    impl Described for InteractionUser {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("InteractionUser".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "InteractionUser",
                Some("The person who clicked."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`usr_` id."), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "email",
                        MetaSchema { description :
                        Some("E-mail address; present under the same conditions as a user's `email`."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The message with the button.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InteractionMessage {
        /// `gmsg_` or `dmsg_` id.
        pub id: String,
        /// `grp_`, `chn_` or `dm_` id.
        pub conversation_id: String,
        /// The stored metadata of the message; null when it has none.
        pub metadata: Nullable<BTreeMap<String, serde_json::Value>>,
    }
    impl Described for InteractionMessage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("InteractionMessage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "InteractionMessage",
                Some("The message with the button."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`gmsg_` or `dmsg_` id."), ..MetaSchema::ANY
                        }), Property::new:: < String > (registry, "conversation_id",
                        MetaSchema { description : Some("`grp_`, `chn_` or `dm_` id."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < BTreeMap <
                        String, serde_json::Value > > > (registry, "metadata", MetaSchema
                        { description :
                        Some("The stored metadata of the message; null when it has none."),
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
    impl BodySchema for MessageUpdate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("MessageUpdate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for RevokeRequest {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("RevokeRequest")
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
    /// Registers every schema of the document, also those that no route uses, such as events.
    pub fn register(registry: &mut Registry) {
        <True as Described>::register(registry);
        <False as Described>::register(registry);
        <ErrorEnvelope as Described>::register(registry);
        <ErrorDetail as Described>::register(registry);
        <OkResult as Described>::register(registry);
        <MessageCreate as Described>::register(registry);
        <MessageUpdate as Described>::register(registry);
        <Destination as Described>::register(registry);
        <DestinationType as Described>::register(registry);
        <Block as Described>::register(registry);
        <HeaderBlock as Described>::register(registry);
        <SectionBlock as Described>::register(registry);
        <ContextBlock as Described>::register(registry);
        <FieldsBlock as Described>::register(registry);
        <BlockField as Described>::register(registry);
        <ActionsBlock as Described>::register(registry);
        <ActionButton as Described>::register(registry);
        <ActionStyle as Described>::register(registry);
        <MessageResult as Described>::register(registry);
        <SentMessage as Described>::register(registry);
        <ConversationType as Described>::register(registry);
        <Conversation as Described>::register(registry);
        <ConversationResult as Described>::register(registry);
        <ConversationPage as Described>::register(registry);
        <MessageType as Described>::register(registry);
        <FileRef as Described>::register(registry);
        <HistoryMessage as Described>::register(registry);
        <HistoryPage as Described>::register(registry);
        <File as Described>::register(registry);
        <FileResult as Described>::register(registry);
        <User as Described>::register(registry);
        <UserResult as Described>::register(registry);
        <UserPage as Described>::register(registry);
        <Workspace as Described>::register(registry);
        <Bot as Described>::register(registry);
        <AuthTestResult as Described>::register(registry);
        <TokenRequest as Described>::register(registry);
        <TokenType as Described>::register(registry);
        <TokenResult as Described>::register(registry);
        <BotRef as Described>::register(registry);
        <WorkspaceRef as Described>::register(registry);
        <RevokeRequest as Described>::register(registry);
        <AppUninstalledEvent as Described>::register(registry);
        <AppUninstalledData as Described>::register(registry);
        <UninstallReason as Described>::register(registry);
        <UserRef as Described>::register(registry);
        <DirectoryChangedEvent as Described>::register(registry);
        <DirectoryChangedData as Described>::register(registry);
        <DirectoryChangeKind as Described>::register(registry);
        <InteractionEvent as Described>::register(registry);
        <InteractionData as Described>::register(registry);
        <InteractionUser as Described>::register(registry);
        <InteractionMessage as Described>::register(registry);
    }
    /// Reads a value into the type of a schema and writes it again, for tests of examples.
    #[cfg(test)]
    pub fn round_trip(
        schema: &str,
        value: serde_json::Value,
    ) -> serde_json::Result<serde_json::Value> {
        match schema {
            "True" => serde_json::to_value(serde_json::from_value::<True>(value)?),
            "False" => serde_json::to_value(serde_json::from_value::<False>(value)?),
            "ErrorEnvelope" => {
                serde_json::to_value(serde_json::from_value::<ErrorEnvelope>(value)?)
            }
            "ErrorDetail" => {
                serde_json::to_value(serde_json::from_value::<ErrorDetail>(value)?)
            }
            "OkResult" => {
                serde_json::to_value(serde_json::from_value::<OkResult>(value)?)
            }
            "MessageCreate" => {
                serde_json::to_value(serde_json::from_value::<MessageCreate>(value)?)
            }
            "MessageUpdate" => {
                serde_json::to_value(serde_json::from_value::<MessageUpdate>(value)?)
            }
            "Destination" => {
                serde_json::to_value(serde_json::from_value::<Destination>(value)?)
            }
            "DestinationType" => {
                serde_json::to_value(serde_json::from_value::<DestinationType>(value)?)
            }
            "Block" => serde_json::to_value(serde_json::from_value::<Block>(value)?),
            "HeaderBlock" => {
                serde_json::to_value(serde_json::from_value::<HeaderBlock>(value)?)
            }
            "SectionBlock" => {
                serde_json::to_value(serde_json::from_value::<SectionBlock>(value)?)
            }
            "ContextBlock" => {
                serde_json::to_value(serde_json::from_value::<ContextBlock>(value)?)
            }
            "FieldsBlock" => {
                serde_json::to_value(serde_json::from_value::<FieldsBlock>(value)?)
            }
            "BlockField" => {
                serde_json::to_value(serde_json::from_value::<BlockField>(value)?)
            }
            "ActionsBlock" => {
                serde_json::to_value(serde_json::from_value::<ActionsBlock>(value)?)
            }
            "ActionButton" => {
                serde_json::to_value(serde_json::from_value::<ActionButton>(value)?)
            }
            "ActionStyle" => {
                serde_json::to_value(serde_json::from_value::<ActionStyle>(value)?)
            }
            "MessageResult" => {
                serde_json::to_value(serde_json::from_value::<MessageResult>(value)?)
            }
            "SentMessage" => {
                serde_json::to_value(serde_json::from_value::<SentMessage>(value)?)
            }
            "ConversationType" => {
                serde_json::to_value(serde_json::from_value::<ConversationType>(value)?)
            }
            "Conversation" => {
                serde_json::to_value(serde_json::from_value::<Conversation>(value)?)
            }
            "ConversationResult" => {
                serde_json::to_value(
                    serde_json::from_value::<ConversationResult>(value)?,
                )
            }
            "ConversationPage" => {
                serde_json::to_value(serde_json::from_value::<ConversationPage>(value)?)
            }
            "MessageType" => {
                serde_json::to_value(serde_json::from_value::<MessageType>(value)?)
            }
            "FileRef" => serde_json::to_value(serde_json::from_value::<FileRef>(value)?),
            "HistoryMessage" => {
                serde_json::to_value(serde_json::from_value::<HistoryMessage>(value)?)
            }
            "HistoryPage" => {
                serde_json::to_value(serde_json::from_value::<HistoryPage>(value)?)
            }
            "File" => serde_json::to_value(serde_json::from_value::<File>(value)?),
            "FileResult" => {
                serde_json::to_value(serde_json::from_value::<FileResult>(value)?)
            }
            "User" => serde_json::to_value(serde_json::from_value::<User>(value)?),
            "UserResult" => {
                serde_json::to_value(serde_json::from_value::<UserResult>(value)?)
            }
            "UserPage" => {
                serde_json::to_value(serde_json::from_value::<UserPage>(value)?)
            }
            "Workspace" => {
                serde_json::to_value(serde_json::from_value::<Workspace>(value)?)
            }
            "Bot" => serde_json::to_value(serde_json::from_value::<Bot>(value)?),
            "AuthTestResult" => {
                serde_json::to_value(serde_json::from_value::<AuthTestResult>(value)?)
            }
            "TokenRequest" => {
                serde_json::to_value(serde_json::from_value::<TokenRequest>(value)?)
            }
            "TokenType" => {
                serde_json::to_value(serde_json::from_value::<TokenType>(value)?)
            }
            "TokenResult" => {
                serde_json::to_value(serde_json::from_value::<TokenResult>(value)?)
            }
            "BotRef" => serde_json::to_value(serde_json::from_value::<BotRef>(value)?),
            "WorkspaceRef" => {
                serde_json::to_value(serde_json::from_value::<WorkspaceRef>(value)?)
            }
            "RevokeRequest" => {
                serde_json::to_value(serde_json::from_value::<RevokeRequest>(value)?)
            }
            "AppUninstalledEvent" => {
                serde_json::to_value(
                    serde_json::from_value::<AppUninstalledEvent>(value)?,
                )
            }
            "AppUninstalledData" => {
                serde_json::to_value(
                    serde_json::from_value::<AppUninstalledData>(value)?,
                )
            }
            "UninstallReason" => {
                serde_json::to_value(serde_json::from_value::<UninstallReason>(value)?)
            }
            "UserRef" => serde_json::to_value(serde_json::from_value::<UserRef>(value)?),
            "DirectoryChangedEvent" => {
                serde_json::to_value(
                    serde_json::from_value::<DirectoryChangedEvent>(value)?,
                )
            }
            "DirectoryChangedData" => {
                serde_json::to_value(
                    serde_json::from_value::<DirectoryChangedData>(value)?,
                )
            }
            "DirectoryChangeKind" => {
                serde_json::to_value(
                    serde_json::from_value::<DirectoryChangeKind>(value)?,
                )
            }
            "InteractionEvent" => {
                serde_json::to_value(serde_json::from_value::<InteractionEvent>(value)?)
            }
            "InteractionData" => {
                serde_json::to_value(serde_json::from_value::<InteractionData>(value)?)
            }
            "InteractionUser" => {
                serde_json::to_value(serde_json::from_value::<InteractionUser>(value)?)
            }
            "InteractionMessage" => {
                serde_json::to_value(
                    serde_json::from_value::<InteractionMessage>(value)?,
                )
            }
            _ => panic!("no schema {schema}"),
        }
    }
}
#[derive(Tags)]
enum Tag {
    /// Send messages to people, groups and channels; edit and delete what the bot sent.
    #[oai(rename = "messages")]
    Messages,
    /// The groups and named channels the bot is a member of, and their history. A named channel belongs to a group, and has the group's type and archived state. Bots can send direct messages, but not read them.
    #[oai(rename = "conversations")]
    Conversations,
    /// Files attached to messages the bot can read.
    #[oai(rename = "files")]
    Files,
    /// The people of the workspace: its members, and the guests that members can see. Bots are not included.
    #[oai(rename = "users")]
    Users,
    /// The owner and the scopes of a token.
    #[oai(rename = "auth")]
    Auth,
    /// Issue and revoke bot tokens. The app authenticates here with its client id and secret.
    #[oai(rename = "oauth")]
    Oauth,
}
/// What a token may be allowed to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    ///Read the history of groups and channels
    ConversationsHistory,
    ///List and read groups and channels
    ConversationsRead,
    ///Read files
    FilesRead,
    ///Send messages, and edit and delete the bot's own
    MessagesWrite,
    ///List and read people
    UsersRead,
    ///Find people by e-mail address and see addresses
    UsersReadEmail,
}
impl Scope {
    /// Every scope of the document.
    pub const ALL: &'static [Self] = &[
        Self::ConversationsHistory,
        Self::ConversationsRead,
        Self::FilesRead,
        Self::MessagesWrite,
        Self::UsersRead,
        Self::UsersReadEmail,
    ];
    /// The scope as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConversationsHistory => "conversations:history",
            Self::ConversationsRead => "conversations:read",
            Self::FilesRead => "files:read",
            Self::MessagesWrite => "messages:write",
            Self::UsersRead => "users:read",
            Self::UsersReadEmail => "users:read.email",
        }
    }
}
fn register_schemes(registry: &mut Registry) {
    registry
        .create_security_scheme(
            "botToken",
            MetaSecurityScheme {
                ty: "http",
                description: Some(
                    "Bot token of one installation, sent as `Authorization: Bearer svc_bot_live_…` (or `svc_bot_test_…`). It does not expire. The section Authentication describes how an app gets a token.",
                ),
                name: None,
                key_in: None,
                scheme: Some("bearer"),
                bearer_format: None,
                flows: None,
                openid_connect_url: None,
            },
        );
    registry
        .create_security_scheme(
            "clientCredentials",
            MetaSecurityScheme {
                ty: "http",
                description: Some(
                    "Client id and client secret of the app, as user name and password of HTTP Basic. The body members `client_id` and `client_secret` may be sent instead of the header. If a request has both, only the header is used.",
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
    /// Bot token of one installation, sent as `Authorization: Bearer svc_bot_live_…` (or `svc_bot_test_…`). It does not expire. The section Authentication describes how an app gets a token.
    type BotToken: Principal<Self>;
    /// Client id and client secret of the app, as user name and password of HTTP Basic. The body members `client_id` and `client_secret` may be sent instead of the header. If a request has both, only the header is used.
    type ClientCredentials: Principal<Self>;
}
mod shared {
    use super::*;
    pub const BAD_PAGE_REQUEST: ReplyDoc = ReplyDoc {
        status: Some(400),
        description: "The request is not valid.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const BAD_REQUEST: ReplyDoc = ReplyDoc {
        status: Some(400),
        description: "The request is not valid.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const CONVERSATION_FORBIDDEN: ReplyDoc = ReplyDoc {
        status: Some(403),
        description: "The token lacks the scope, or the bot was removed from the conversation.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const CONVERSATION_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "No such conversation for this bot.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const HEADER_CACHE_CONTROL: HeaderDoc = HeaderDoc {
        description: Some("Always `no-store`."),
        required: true,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_RATE_LIMIT: HeaderDoc = HeaderDoc {
        description: Some(
            "For each limit: `r` requests are left now, and `r` increases within `t` seconds.",
        ),
        required: false,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_RATE_LIMIT_POLICY: HeaderDoc = HeaderDoc {
        description: Some(
            "The limits of the operation, each with its name: `q` requests in `w` seconds.",
        ),
        required: false,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_REQUEST_ID: HeaderDoc = HeaderDoc {
        description: Some("Id of this request, equal to `request_id` in an error body."),
        required: true,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_RETRY_AFTER: HeaderDoc = HeaderDoc {
        description: Some("Whole seconds to wait, at least 1."),
        required: true,
        schema: || patched(
            <i64 as Described>::schema(),
            MetaSchema {
                format: Some("int64"),
                ..MetaSchema::ANY
            },
        ),
    };
    pub const HEADER_WWW_AUTHENTICATE: HeaderDoc = HeaderDoc {
        description: Some(
            "The scheme to authenticate with: `Basic` on `/oauth`, `Bearer` on all other paths.",
        ),
        required: true,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const INTERNAL_ERROR: ReplyDoc = ReplyDoc {
        status: Some(500),
        description: "An error of the server.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const INVALID_CLIENT: ReplyDoc = ReplyDoc {
        status: Some(401),
        description: "The app did not authenticate.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
            ("WWW-Authenticate", HEADER_WWW_AUTHENTICATE),
        ],
    };
    pub const MESSAGE_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "No such message, already deleted, or not sent by the bot.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const MISSING_SCOPE: ReplyDoc = ReplyDoc {
        status: Some(403),
        description: "The token lacks the scope.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const NOT_ACCEPTABLE: ReplyDoc = ReplyDoc {
        status: Some(406),
        description: "`Accept` excludes `application/json`.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const OTHER_ERROR: ReplyDoc = ReplyDoc {
        status: None,
        description: "Any other failure, in the same envelope: 405, 408 (the whole body did not arrive within 10 seconds), 414 and 431 as `client_error`, 503 as `server_error`.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const PAYLOAD_TOO_LARGE: ReplyDoc = ReplyDoc {
        status: Some(413),
        description: "The body is over 1 MiB.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const RATE_LIMITED: ReplyDoc = ReplyDoc {
        status: Some(429),
        description: "Over a rate limit.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
            ("Retry-After", HEADER_RETRY_AFTER),
            ("RateLimit-Policy", HEADER_RATE_LIMIT_POLICY),
            ("RateLimit", HEADER_RATE_LIMIT),
        ],
    };
    pub const UNAUTHORIZED: ReplyDoc = ReplyDoc {
        status: Some(401),
        description: "No valid bot token.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
            ("WWW-Authenticate", HEADER_WWW_AUTHENTICATE),
        ],
    };
    pub const UNSUPPORTED_MEDIA_TYPE: ReplyDoc = ReplyDoc {
        status: Some(415),
        description: "The body has another media type, another charset than UTF-8, or a content coding.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const USER_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "No such person, or the bot may not see the person or the e-mail address.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
}
///The parameter `Idempotency-Key`.
pub struct IdempotencyKeyParam;
impl Parameter for IdempotencyKeyParam {
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
///The parameter `types`.
pub struct TypesParam;
impl Parameter for TypesParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "types",
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
///The parameter `include_archived`.
pub struct IncludeArchivedParam;
impl Parameter for IncludeArchivedParam {
    type Value = bool;
    type Output = Option<bool>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "include_archived",
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
        MetaSchema {
            default: serde_json::from_str("false").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value)
    }
}
///The parameter `limit`.
pub struct LimitParam;
impl Parameter for LimitParam {
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
///The parameter `cursor`.
pub struct CursorParam;
impl Parameter for CursorParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "cursor",
            missing: Code::InvalidRequest,
            invalid: Code::InvalidCursor,
            min_length: Some(1),
            max_length: None,
            minimum: None,
            maximum: None,
            pattern: None,
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema {
            min_length: Some(1),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value)
    }
}
///The parameter `conversation_id`.
pub struct ConversationIdParam;
impl Parameter for ConversationIdParam {
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
///The parameter `email`.
pub struct EmailParam;
impl Parameter for EmailParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "email",
            missing: Code::InvalidRequest,
            invalid: Code::InvalidRequest,
            min_length: Some(1),
            max_length: None,
            minimum: None,
            maximum: None,
            pattern: None,
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema {
            min_length: Some(1),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        value.ok_or(())
    }
}
pub struct CreateMessage;
impl OperationType for CreateMessage {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "createMessage",
        method: "POST",
        path: "/v1/messages",
        dialect: Dialect::Envelope,
        errors: CreateMessageError::CODES,
        schemes: &["botToken"],
        scopes: &["messages:write"],
        required_headers: &[("Idempotency-Key", Code::MissingIdempotencyKey)],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &["blocks"],
        }),
        ..OperationInfo::plain(LimitName::Send)
    };
}
impl<H: Security> Guarded<H> for CreateMessage {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct CreateMessageRequest {
    /// Your key for this message: 1 to 255 visible ASCII characters, unique per message and destination. A request without the header gets 400 `missing_idempotency_key`; a malformed or repeated header gets 400 `invalid_request`.
    pub idempotency_key: String,
    pub body: types::MessageCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum CreateMessageSuccess {
    /// The message was sent by this request, or by an earlier request with the same key and body.
    Status201 {
        body: types::MessageResult,
        /// `true` if this is the response to an earlier request and nothing was posted; absent otherwise.
        idempotent_replayed: Option<String>,
    },
}
impl poem::IntoResponse for CreateMessageSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201 { body, idempotent_replayed } => {
                let mut response = reply::json(201, &body);
                reply::set(&mut response, "idempotent-replayed", idempotent_replayed);
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
                    status: Some(201),
                    description: "The message was sent by this request, or by an earlier request with the same key and body.",
                    schema: Some(<types::MessageResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                        (
                            "Idempotent-Replayed",
                            HeaderDoc {
                                description: Some(
                                    "`true` if this is the response to an earlier request and nothing was posted; absent otherwise.",
                                ),
                                required: false,
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
        <types::MessageResult as Described>::register(registry);
    }
}
error_codes! {
    CreateMessageError of "createMessage" : types::ErrorEnvelope, [ReplyDoc { status :
    Some(400), description :
    "The request is not valid, or `thread_id` is not the id of a message in the destination.",
    schema : Some(< types::ErrorEnvelope as Described > ::schema), headers : &
    [("X-Request-Id", shared::HEADER_REQUEST_ID), ("Cache-Control",
    shared::HEADER_CACHE_CONTROL)] }, shared::UNAUTHORIZED, ReplyDoc { status :
    Some(403), description :
    "The token lacks the scope, or the destination does not accept messages of the bot.",
    schema : Some(< types::ErrorEnvelope as Described > ::schema), headers : &
    [("X-Request-Id", shared::HEADER_REQUEST_ID), ("Cache-Control",
    shared::HEADER_CACHE_CONTROL)] }, ReplyDoc { status : Some(404), description :
    "No such destination for this bot.", schema : Some(< types::ErrorEnvelope as
    Described > ::schema), headers : & [("X-Request-Id", shared::HEADER_REQUEST_ID),
    ("Cache-Control", shared::HEADER_CACHE_CONTROL)] }, shared::NOT_ACCEPTABLE, ReplyDoc
    { status : Some(409), description :
    "The destination does not accept messages any more.", schema : Some(<
    types::ErrorEnvelope as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_CACHE_CONTROL)] },
    shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE, ReplyDoc { status :
    Some(422), description :
    "The key was used with another body, the message of the key was edited or deleted, or the key belongs to a message of another sender in the destination.",
    schema : Some(< types::ErrorEnvelope as Described > ::schema), headers : &
    [("X-Request-Id", shared::HEADER_REQUEST_ID), ("Cache-Control",
    shared::HEADER_CACHE_CONTROL)] }, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; MissingIdempotencyKey, InvalidRequest, InvalidBlocks,
    TokenInQuery, NotAuthed, InvalidAuth, TokenRevoked, MissingScope, CannotDmUser,
    NotInConversation, NotAllowedInConversation, UserNotFound, ConversationNotFound,
    NotAcceptable, ConversationArchived, UserDeactivated, PayloadTooLarge,
    UnsupportedMediaType, IdempotencyKeyReused, RateLimited, InternalError
}
pub struct DeleteMessage;
impl OperationType for DeleteMessage {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "deleteMessage",
        method: "DELETE",
        path: "/v1/messages/{id}",
        dialect: Dialect::Envelope,
        errors: DeleteMessageError::CODES,
        schemes: &["botToken"],
        scopes: &["messages:write"],
        ..OperationInfo::plain(LimitName::Edit)
    };
}
impl<H: Security> Guarded<H> for DeleteMessage {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct DeleteMessageRequest {
    /// Id of a message the bot sent (`gmsg_` or `dmsg_`), from the response to the send.
    pub id: String,
}
#[derive(Debug)]
pub enum DeleteMessageSuccess {
    /// The message is deleted.
    Status200(types::OkResult),
}
impl From<types::OkResult> for DeleteMessageSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for DeleteMessageSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for DeleteMessageSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The message is deleted.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::OkResult as Described>::register(registry);
    }
}
error_codes! {
    DeleteMessageError of "deleteMessage" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::MISSING_SCOPE, shared::MESSAGE_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, TokenRevoked, MissingScope, MessageNotFound, NotAcceptable,
    PayloadTooLarge, RateLimited, InternalError
}
pub struct UpdateMessage;
impl OperationType for UpdateMessage {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "updateMessage",
        method: "PATCH",
        path: "/v1/messages/{id}",
        dialect: Dialect::Envelope,
        errors: UpdateMessageError::CODES,
        schemes: &["botToken"],
        scopes: &["messages:write"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &["blocks"],
        }),
        ..OperationInfo::plain(LimitName::Edit)
    };
}
impl<H: Security> Guarded<H> for UpdateMessage {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct UpdateMessageRequest {
    /// Id of a message the bot sent (`gmsg_` or `dmsg_`), from the response to the send.
    pub id: String,
    pub body: types::MessageUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum UpdateMessageSuccess {
    /// The message was edited.
    Status200(types::MessageResult),
}
impl From<types::MessageResult> for UpdateMessageSuccess {
    fn from(body: types::MessageResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for UpdateMessageSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for UpdateMessageSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The message was edited.",
                    schema: Some(<types::MessageResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::MessageResult as Described>::register(registry);
    }
}
error_codes! {
    UpdateMessageError of "updateMessage" : types::ErrorEnvelope, [ReplyDoc { status :
    Some(400), description :
    "The request is not valid, or the merged metadata would be over 4 KB.", schema :
    Some(< types::ErrorEnvelope as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_CACHE_CONTROL)] },
    shared::UNAUTHORIZED, ReplyDoc { status : Some(403), description :
    "The token lacks the scope, or the bot may not write in the conversation any more.",
    schema : Some(< types::ErrorEnvelope as Described > ::schema), headers : &
    [("X-Request-Id", shared::HEADER_REQUEST_ID), ("Cache-Control",
    shared::HEADER_CACHE_CONTROL)] }, shared::MESSAGE_NOT_FOUND, shared::NOT_ACCEPTABLE,
    ReplyDoc { status : Some(409), description : "The group is archived.", schema :
    Some(< types::ErrorEnvelope as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_CACHE_CONTROL)] },
    shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidBlocks,
    TokenInQuery, NotAuthed, InvalidAuth, TokenRevoked, MissingScope, NotInConversation,
    NotAllowedInConversation, MessageNotFound, NotAcceptable, ConversationArchived,
    PayloadTooLarge, UnsupportedMediaType, RateLimited, InternalError
}
pub struct ListConversations;
impl OperationType for ListConversations {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "listConversations",
        method: "GET",
        path: "/v1/conversations",
        dialect: Dialect::Envelope,
        errors: ListConversationsError::CODES,
        schemes: &["botToken"],
        scopes: &["conversations:read"],
        ..OperationInfo::plain(LimitName::List)
    };
}
impl<H: Security> Guarded<H> for ListConversations {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListConversationsRequest {
    /// Comma-separated types to list: `channel`, `private_channel`. Unknown types are ignored. Without a known type, conversations of both types are listed.
    pub types: Option<String>,
    /// Whether to list archived groups and their channels, too. `1` and `0` are accepted as well.
    pub include_archived: Option<bool>,
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListConversationsSuccess {
    /// One page of conversations.
    Status200(types::ConversationPage),
}
impl From<types::ConversationPage> for ListConversationsSuccess {
    fn from(body: types::ConversationPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListConversationsSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListConversationsSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of conversations.",
                    schema: Some(<types::ConversationPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ConversationPage as Described>::register(registry);
    }
}
error_codes! {
    ListConversationsError of "listConversations" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::MISSING_SCOPE,
    shared::NOT_ACCEPTABLE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, InvalidCursor, TokenInQuery, NotAuthed,
    InvalidAuth, TokenRevoked, MissingScope, NotAcceptable, RateLimited, InternalError
}
pub struct GetConversation;
impl OperationType for GetConversation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "getConversation",
        method: "GET",
        path: "/v1/conversations/{id}",
        dialect: Dialect::Envelope,
        errors: GetConversationError::CODES,
        schemes: &["botToken"],
        scopes: &["conversations:read"],
        ..OperationInfo::plain(LimitName::Single)
    };
}
impl<H: Security> Guarded<H> for GetConversation {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetConversationRequest {
    /// Id of a group (`grp_`) or named channel (`chn_`).
    pub id: String,
}
#[derive(Debug)]
pub enum GetConversationSuccess {
    /// The conversation.
    Status200(types::ConversationResult),
}
impl From<types::ConversationResult> for GetConversationSuccess {
    fn from(body: types::ConversationResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for GetConversationSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for GetConversationSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The conversation.",
                    schema: Some(<types::ConversationResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ConversationResult as Described>::register(registry);
    }
}
error_codes! {
    GetConversationError of "getConversation" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::CONVERSATION_FORBIDDEN,
    shared::CONVERSATION_NOT_FOUND, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, TokenRevoked, MissingScope, NotInConversation,
    ConversationNotFound, NotAcceptable, RateLimited, InternalError
}
pub struct ListConversationMessages;
impl OperationType for ListConversationMessages {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "listConversationMessages",
        method: "GET",
        path: "/v1/conversations/{conversation_id}/messages",
        dialect: Dialect::Envelope,
        errors: ListConversationMessagesError::CODES,
        schemes: &["botToken"],
        scopes: &["conversations:history"],
        ..OperationInfo::plain(LimitName::List)
    };
}
impl<H: Security> Guarded<H> for ListConversationMessages {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListConversationMessagesRequest {
    /// Id of a group (`grp_`) or named channel (`chn_`) the bot is a member of.
    pub conversation_id: String,
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListConversationMessagesSuccess {
    /// One page of messages.
    Status200(types::HistoryPage),
}
impl From<types::HistoryPage> for ListConversationMessagesSuccess {
    fn from(body: types::HistoryPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListConversationMessagesSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListConversationMessagesSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of messages.",
                    schema: Some(<types::HistoryPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::HistoryPage as Described>::register(registry);
    }
}
error_codes! {
    ListConversationMessagesError of "listConversationMessages" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::CONVERSATION_FORBIDDEN,
    shared::CONVERSATION_NOT_FOUND, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidCursor,
    TokenInQuery, NotAuthed, InvalidAuth, TokenRevoked, MissingScope, NotInConversation,
    ConversationNotFound, NotAcceptable, RateLimited, InternalError
}
pub struct GetConversationFile;
impl OperationType for GetConversationFile {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "getConversationFile",
        method: "GET",
        path: "/v1/conversations/{conversation_id}/files/{id}",
        dialect: Dialect::Envelope,
        errors: GetConversationFileError::CODES,
        schemes: &["botToken"],
        scopes: &["files:read"],
        ..OperationInfo::plain(LimitName::Single)
    };
}
impl<H: Security> Guarded<H> for GetConversationFile {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetConversationFileRequest {
    /// Id of a group (`grp_`) or named channel (`chn_`) the bot is a member of.
    pub conversation_id: String,
    /// Id of a file (`fil_`), from the `files` of a message.
    pub id: String,
}
#[derive(Debug)]
pub enum GetConversationFileSuccess {
    /// The file.
    Status200(types::FileResult),
}
impl From<types::FileResult> for GetConversationFileSuccess {
    fn from(body: types::FileResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for GetConversationFileSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for GetConversationFileSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The file.",
                    schema: Some(<types::FileResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::FileResult as Described>::register(registry);
    }
}
error_codes! {
    GetConversationFileError of "getConversationFile" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::CONVERSATION_FORBIDDEN, ReplyDoc
    { status : Some(404), description :
    "No such conversation for this bot, or no such file in it.", schema : Some(<
    types::ErrorEnvelope as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_CACHE_CONTROL)] },
    shared::NOT_ACCEPTABLE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    TokenRevoked, MissingScope, NotInConversation, ConversationNotFound, FileNotFound,
    NotAcceptable, RateLimited, InternalError
}
pub struct ListUsers;
impl OperationType for ListUsers {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "listUsers",
        method: "GET",
        path: "/v1/users",
        dialect: Dialect::Envelope,
        errors: ListUsersError::CODES,
        schemes: &["botToken"],
        scopes: &["users:read"],
        ..OperationInfo::plain(LimitName::List)
    };
}
impl<H: Security> Guarded<H> for ListUsers {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListUsersRequest {
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListUsersSuccess {
    /// One page of people.
    Status200(types::UserPage),
}
impl From<types::UserPage> for ListUsersSuccess {
    fn from(body: types::UserPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListUsersSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListUsersSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of people.",
                    schema: Some(<types::UserPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::UserPage as Described>::register(registry);
    }
}
error_codes! {
    ListUsersError of "listUsers" : types::ErrorEnvelope, [shared::BAD_PAGE_REQUEST,
    shared::UNAUTHORIZED, shared::MISSING_SCOPE, shared::NOT_ACCEPTABLE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    InvalidCursor, TokenInQuery, NotAuthed, InvalidAuth, TokenRevoked, MissingScope,
    NotAcceptable, RateLimited, InternalError
}
pub struct LookupUser;
impl OperationType for LookupUser {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "lookupUser",
        method: "GET",
        path: "/v1/users/lookup",
        dialect: Dialect::Envelope,
        errors: LookupUserError::CODES,
        schemes: &["botToken"],
        scopes: &["users:read.email"],
        ..OperationInfo::plain(LimitName::Single)
    };
}
impl<H: Security> Guarded<H> for LookupUser {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct LookupUserRequest {
    /// The address, percent-encoded: write `+` as `%2B`. Text that is not an address gets 404 `user_not_found`; no address, or more than one, gets 400 `invalid_request`.
    pub email: String,
}
#[derive(Debug)]
pub enum LookupUserSuccess {
    /// The person.
    Status200(types::UserResult),
}
impl From<types::UserResult> for LookupUserSuccess {
    fn from(body: types::UserResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for LookupUserSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for LookupUserSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The person.",
                    schema: Some(<types::UserResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::UserResult as Described>::register(registry);
    }
}
error_codes! {
    LookupUserError of "lookupUser" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::MISSING_SCOPE, shared::USER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    TokenRevoked, MissingScope, UserNotFound, NotAcceptable, RateLimited, InternalError
}
pub struct GetUser;
impl OperationType for GetUser {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "getUser",
        method: "GET",
        path: "/v1/users/{id}",
        dialect: Dialect::Envelope,
        errors: GetUserError::CODES,
        schemes: &["botToken"],
        scopes: &["users:read"],
        ..OperationInfo::plain(LimitName::Single)
    };
}
impl<H: Security> Guarded<H> for GetUser {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetUserRequest {
    /// Id of a person (`usr_`).
    pub id: String,
}
#[derive(Debug)]
pub enum GetUserSuccess {
    /// The person.
    Status200(types::UserResult),
}
impl From<types::UserResult> for GetUserSuccess {
    fn from(body: types::UserResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for GetUserSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for GetUserSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The person.",
                    schema: Some(<types::UserResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::UserResult as Described>::register(registry);
    }
}
error_codes! {
    GetUserError of "getUser" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::MISSING_SCOPE, shared::USER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    TokenRevoked, MissingScope, UserNotFound, NotAcceptable, RateLimited, InternalError
}
pub struct TestAuth;
impl OperationType for TestAuth {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "testAuth",
        method: "GET",
        path: "/v1/auth/test",
        dialect: Dialect::Envelope,
        errors: TestAuthError::CODES,
        schemes: &["botToken"],
        ..OperationInfo::plain(LimitName::Single)
    };
}
impl<H: Security> Guarded<H> for TestAuth {
    type Principal = H::BotToken;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct TestAuthRequest {}
#[derive(Debug)]
pub enum TestAuthSuccess {
    /// The token is valid.
    Status200(types::AuthTestResult),
}
impl From<types::AuthTestResult> for TestAuthSuccess {
    fn from(body: types::AuthTestResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for TestAuthSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for TestAuthSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The token is valid.",
                    schema: Some(<types::AuthTestResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::AuthTestResult as Described>::register(registry);
    }
}
error_codes! {
    TestAuthError of "testAuth" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, TokenRevoked, NotAcceptable, RateLimited, InternalError
}
pub struct ExchangeToken;
impl OperationType for ExchangeToken {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "exchangeToken",
        method: "POST",
        path: "/oauth/token",
        dialect: Dialect::Envelope,
        errors: ExchangeTokenError::CODES,
        schemes: &["clientCredentials"],
        optional: true,
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &["application/x-www-form-urlencoded"],
            required: true,
            description: None,
            lists: &[],
        }),
        ..OperationInfo::plain(LimitName::Oauth)
    };
}
impl<H: Security> Guarded<H> for ExchangeToken {
    type Principal = H::ClientCredentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ExchangeTokenRequest {
    pub body: types::TokenRequest,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum ExchangeTokenSuccess {
    /// The bot token. No other operation returns it.
    Status200(types::TokenResult),
}
impl From<types::TokenResult> for ExchangeTokenSuccess {
    fn from(body: types::TokenResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ExchangeTokenSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ExchangeTokenSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The bot token. No other operation returns it.",
                    schema: Some(<types::TokenResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::TokenResult as Described>::register(registry);
    }
}
error_codes! {
    ExchangeTokenError of "exchangeToken" : types::ErrorEnvelope, [ReplyDoc { status :
    Some(400), description : "The request or the grant is not valid.", schema : Some(<
    types::ErrorEnvelope as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_CACHE_CONTROL)] },
    shared::INVALID_CLIENT, shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, UnsupportedGrantType, InvalidGrant,
    TokenInQuery, InvalidClient, NotAcceptable, PayloadTooLarge, UnsupportedMediaType,
    RateLimited, InternalError
}
pub struct RevokeToken;
impl OperationType for RevokeToken {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "bot",
        id: "revokeToken",
        method: "POST",
        path: "/oauth/revoke",
        dialect: Dialect::Envelope,
        errors: RevokeTokenError::CODES,
        schemes: &["clientCredentials"],
        optional: true,
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &["application/x-www-form-urlencoded"],
            required: true,
            description: None,
            lists: &[],
        }),
        ..OperationInfo::plain(LimitName::Oauth)
    };
}
impl<H: Security> Guarded<H> for RevokeToken {
    type Principal = H::ClientCredentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct RevokeTokenRequest {
    pub body: types::RevokeRequest,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum RevokeTokenSuccess {
    /// The token is revoked, or it was not a valid token of this app.
    Status200(types::OkResult),
}
impl From<types::OkResult> for RevokeTokenSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for RevokeTokenSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for RevokeTokenSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The token is revoked, or it was not a valid token of this app.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::OkResult as Described>::register(registry);
    }
}
error_codes! {
    RevokeTokenError of "revokeToken" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::INVALID_CLIENT, shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, InvalidClient, NotAcceptable,
    PayloadTooLarge, UnsupportedMediaType, RateLimited, InternalError
}
/// Send messages to people, groups and channels; edit and delete what the bot sent.
pub trait MessagesHandlers: Security {
    /// Send a message
    fn create_message(
        &self,
        caller: Self::BotToken,
        request: CreateMessageRequest,
    ) -> impl Future<
        Output = Result<CreateMessageSuccess, OperationError<CreateMessageError>>,
    > + Send;
    /// Delete a message
    fn delete_message(
        &self,
        caller: Self::BotToken,
        request: DeleteMessageRequest,
    ) -> impl Future<
        Output = Result<DeleteMessageSuccess, OperationError<DeleteMessageError>>,
    > + Send;
    /// Edit a message
    fn update_message(
        &self,
        caller: Self::BotToken,
        request: UpdateMessageRequest,
    ) -> impl Future<
        Output = Result<UpdateMessageSuccess, OperationError<UpdateMessageError>>,
    > + Send;
}
/// The groups and named channels the bot is a member of, and their history. A named channel belongs to a group, and has the group's type and archived state. Bots can send direct messages, but not read them.
pub trait ConversationsHandlers: Security {
    /// List conversations
    fn list_conversations(
        &self,
        caller: Self::BotToken,
        request: ListConversationsRequest,
    ) -> impl Future<
        Output = Result<ListConversationsSuccess, OperationError<ListConversationsError>>,
    > + Send;
    /// Read one conversation
    fn get_conversation(
        &self,
        caller: Self::BotToken,
        request: GetConversationRequest,
    ) -> impl Future<
        Output = Result<GetConversationSuccess, OperationError<GetConversationError>>,
    > + Send;
    /// Read the history of a conversation
    fn list_conversation_messages(
        &self,
        caller: Self::BotToken,
        request: ListConversationMessagesRequest,
    ) -> impl Future<
        Output = Result<
            ListConversationMessagesSuccess,
            OperationError<ListConversationMessagesError>,
        >,
    > + Send;
}
/// Files attached to messages the bot can read.
pub trait FilesHandlers: Security {
    /// Read one file
    fn get_conversation_file(
        &self,
        caller: Self::BotToken,
        request: GetConversationFileRequest,
    ) -> impl Future<
        Output = Result<
            GetConversationFileSuccess,
            OperationError<GetConversationFileError>,
        >,
    > + Send;
}
/// The people of the workspace: its members, and the guests that members can see. Bots are not included.
pub trait UsersHandlers: Security {
    /// List people
    fn list_users(
        &self,
        caller: Self::BotToken,
        request: ListUsersRequest,
    ) -> impl Future<
        Output = Result<ListUsersSuccess, OperationError<ListUsersError>>,
    > + Send;
    /// Find a person by e-mail address
    fn lookup_user(
        &self,
        caller: Self::BotToken,
        request: LookupUserRequest,
    ) -> impl Future<
        Output = Result<LookupUserSuccess, OperationError<LookupUserError>>,
    > + Send;
    /// Read one person
    fn get_user(
        &self,
        caller: Self::BotToken,
        request: GetUserRequest,
    ) -> impl Future<
        Output = Result<GetUserSuccess, OperationError<GetUserError>>,
    > + Send;
}
/// The owner and the scopes of a token.
pub trait AuthHandlers: Security {
    /// Check a token
    fn test_auth(
        &self,
        caller: Self::BotToken,
        request: TestAuthRequest,
    ) -> impl Future<
        Output = Result<TestAuthSuccess, OperationError<TestAuthError>>,
    > + Send;
}
/// Issue and revoke bot tokens. The app authenticates here with its client id and secret.
pub trait OauthHandlers: Security {
    /// Exchange an authorization code for a bot token
    fn exchange_token(
        &self,
        caller: Self::ClientCredentials,
        request: ExchangeTokenRequest,
    ) -> impl Future<
        Output = Result<ExchangeTokenSuccess, OperationError<ExchangeTokenError>>,
    > + Send;
    /// Revoke a bot token
    fn revoke_token(
        &self,
        caller: Self::ClientCredentials,
        request: RevokeTokenRequest,
    ) -> impl Future<
        Output = Result<RevokeTokenSuccess, OperationError<RevokeTokenError>>,
    > + Send;
}
/// All handler traits of the document.
pub trait Handlers: MessagesHandlers + ConversationsHandlers + FilesHandlers + UsersHandlers + AuthHandlers + OauthHandlers {}
impl<
    T: MessagesHandlers + ConversationsHandlers + FilesHandlers + UsersHandlers
        + AuthHandlers + OauthHandlers,
> Handlers for T {}
/// The routes of the document over hand-written handlers.
pub struct Server<H>(pub Arc<H>);
#[OpenApi]
impl<H: Handlers> Server<H> {
    /**Send a message

Sends a direct message to a person, or posts in a group or channel the bot is a member of.
A repeated request with the same `Idempotency-Key` posts nothing and gets the original response.

People see `text`, also as the push notification. The web client shows `blocks` below `text`.
`metadata` is stored with the message and never displayed. Links in app messages never get a preview.

The destination is checked in this order:

| To a person | To a conversation |
|-|-|
| unknown, a bot, of another company, or a guest whom members cannot see: 404 `user_not_found` | unknown, or the bot never was a member: 404 `conversation_not_found` |
| a guest: 403 `cannot_dm_user` | the bot was removed: 403 `not_in_conversation` |
| deactivated or removed: 409 `user_deactivated` | for announcements only: 403 `not_allowed_in_conversation` |
| has blocked the app: 403 `cannot_dm_user` | the group is archived: 409 `conversation_archived` |

People who are still onboarding can be written to.*/
    #[oai(
        path = "/v1/messages",
        method = "post",
        operation_id = "createMessage",
        tag = "Tag::Messages"
    )]
    async fn create_message(
        &self,
        guard: Guard<H, CreateMessage>,
        ///Your key for this message: 1 to 255 visible ASCII characters, unique per message and destination. A request without the header gets 400 `missing_idempotency_key`; a malformed or repeated header gets 400 `invalid_request`.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: HeaderParameter<IdempotencyKeyParam>,
        body: Body<CreateMessage, types::MessageCreate>,
    ) -> Result<CreateMessageSuccess, OperationError<CreateMessageError>> {
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
    /**Delete a message

Deletes a message the bot sent and erases its text, blocks, metadata and edit history. The state of
the conversation does not matter: the bot can delete its messages also in an archived group, in an
announcement-only conversation, and in a conversation that the bot was removed from. Replies to the
message lose their `thread_id`. The request has no body.

If the message is already deleted, the response is 404 `message_not_found`; treat it as success.*/
    #[oai(
        path = "/v1/messages/:id",
        method = "delete",
        operation_id = "deleteMessage",
        tag = "Tag::Messages"
    )]
    async fn delete_message(
        &self,
        guard: Guard<H, DeleteMessage>,
        ///Id of a message the bot sent (`gmsg_` or `dmsg_`), from the response to the send.
        #[oai(name = "id")]
        id: Path<IdParam>,
    ) -> Result<DeleteMessageSuccess, OperationError<DeleteMessageError>> {
        self.0
            .delete_message(guard.into_caller(), DeleteMessageRequest { id: id.0 })
            .await
    }
    /**Edit a message

Replaces the text and blocks of a message the bot sent. Without `blocks` in the request, the
message loses its blocks. With `metadata`, the given members are merged into the stored metadata.
The members `to`, `thread_id` and `unfurl_links` are ignored, whatever they hold, and no
`Idempotency-Key` is needed.

Id, thread and time of the message do not change. After an edit, even one that changes nothing, a
repeated send with the key of the message gets 422 `idempotency_key_reused`.

The order of the errors: 404 if the message is unknown, deleted, not the bot's, or in a deleted
conversation; 403 `not_in_conversation` if the bot was removed; 403
`not_allowed_in_conversation` if the conversation is for announcements only; 409 if the group is
archived. A direct message can be edited even if the person is deactivated or removed, or has
blocked the app.*/
    #[oai(
        path = "/v1/messages/:id",
        method = "patch",
        operation_id = "updateMessage",
        tag = "Tag::Messages"
    )]
    async fn update_message(
        &self,
        guard: Guard<H, UpdateMessage>,
        ///Id of a message the bot sent (`gmsg_` or `dmsg_`), from the response to the send.
        #[oai(name = "id")]
        id: Path<IdParam>,
        body: Body<UpdateMessage, types::MessageUpdate>,
    ) -> Result<UpdateMessageSuccess, OperationError<UpdateMessageError>> {
        self.0
            .update_message(
                guard.into_caller(),
                UpdateMessageRequest {
                    id: id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**List conversations

The groups and named channels the bot is a member of, oldest first. Direct messages, announcement-only conversations and conversations the bot was removed from are not listed. Archived groups and their channels are listed only with `include_archived`.*/
    #[oai(
        path = "/v1/conversations",
        method = "get",
        operation_id = "listConversations",
        tag = "Tag::Conversations"
    )]
    async fn list_conversations(
        &self,
        guard: Guard<H, ListConversations>,
        ///Comma-separated types to list: `channel`, `private_channel`. Unknown types are ignored. Without a known type, conversations of both types are listed.
        #[oai(name = "types")]
        types: QueryParameter<TypesParam>,
        ///Whether to list archived groups and their channels, too. `1` and `0` are accepted as well.
        #[oai(name = "include_archived")]
        include_archived: QueryParameter<IncludeArchivedParam>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListConversationsSuccess, OperationError<ListConversationsError>> {
        self.0
            .list_conversations(
                guard.into_caller(),
                ListConversationsRequest {
                    types: types.0,
                    include_archived: include_archived.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    /**Read one conversation

A group or named channel the bot is a member of, also if it is archived. The response is 404 `conversation_not_found` if the conversation is unknown, deleted, direct, for announcements only, or of another company, or if the bot never was a member. The response is 403 `not_in_conversation` if the bot was removed from the conversation.*/
    #[oai(
        path = "/v1/conversations/:id",
        method = "get",
        operation_id = "getConversation",
        tag = "Tag::Conversations"
    )]
    async fn get_conversation(
        &self,
        guard: Guard<H, GetConversation>,
        ///Id of a group (`grp_`) or named channel (`chn_`).
        #[oai(name = "id")]
        id: Path<IdParam>,
    ) -> Result<GetConversationSuccess, OperationError<GetConversationError>> {
        self.0
            .get_conversation(guard.into_caller(), GetConversationRequest { id: id.0 })
            .await
    }
    /**Read the history of a conversation

The messages of a group or named channel, newest first, including replies. The bot sees the same
messages as a person who joined at the same time: no message from before its latest join, and no
deleted message. An edited message has its new text at its original position. Archived
conversations can be read; direct messages and announcement-only conversations cannot.

Blocks and metadata are not part of the history.*/
    #[oai(
        path = "/v1/conversations/:conversation_id/messages",
        method = "get",
        operation_id = "listConversationMessages",
        tag = "Tag::Conversations"
    )]
    async fn list_conversation_messages(
        &self,
        guard: Guard<H, ListConversationMessages>,
        ///Id of a group (`grp_`) or named channel (`chn_`) the bot is a member of.
        #[oai(name = "conversation_id")]
        conversation_id: Path<ConversationIdParam>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<
        ListConversationMessagesSuccess,
        OperationError<ListConversationMessagesError>,
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
    /**Read one file

A file attached to a message the bot can read in the conversation, with a link to the file's content.
If the file is attached to no such message, or was deleted, the response is 404 `file_not_found`.
Errors of the conversation take precedence.

Access is checked when the link is issued. The link then works for 15 minutes without a token,
even if the message is deleted or the bot is removed in this time. Every call returns a new link.*/
    #[oai(
        path = "/v1/conversations/:conversation_id/files/:id",
        method = "get",
        operation_id = "getConversationFile",
        tag = "Tag::Files"
    )]
    async fn get_conversation_file(
        &self,
        guard: Guard<H, GetConversationFile>,
        ///Id of a group (`grp_`) or named channel (`chn_`) the bot is a member of.
        #[oai(name = "conversation_id")]
        conversation_id: Path<ConversationIdParam>,
        ///Id of a file (`fil_`), from the `files` of a message.
        #[oai(name = "id")]
        id: Path<IdParam>,
    ) -> Result<GetConversationFileSuccess, OperationError<GetConversationFileError>> {
        self.0
            .get_conversation_file(
                guard.into_caller(),
                GetConversationFileRequest {
                    conversation_id: conversation_id.0,
                    id: id.0,
                },
            )
            .await
    }
    /**List people

The members of the workspace and the guests that members can see, in the order in which they were added. Deactivated and removed people stay listed with `is_active: false`. Bots are never listed.*/
    #[oai(
        path = "/v1/users",
        method = "get",
        operation_id = "listUsers",
        tag = "Tag::Users"
    )]
    async fn list_users(
        &self,
        guard: Guard<H, ListUsers>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListUsersSuccess, OperationError<ListUsersError>> {
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
    /**Find a person by e-mail address

The person with the given e-mail address. Deactivated people are found, too. Letter case does not matter. The response is the same 404 for an unknown address, for an address that its owner hides from colleagues, and for the address of a removed person or of a guest that members cannot see.*/
    #[oai(
        path = "/v1/users/lookup",
        method = "get",
        operation_id = "lookupUser",
        tag = "Tag::Users"
    )]
    async fn lookup_user(
        &self,
        guard: Guard<H, LookupUser>,
        ///The address, percent-encoded: write `+` as `%2B`. Text that is not an address gets 404 `user_not_found`; no address, or more than one, gets 400 `invalid_request`.
        #[oai(name = "email")]
        email: QueryParameter<EmailParam>,
    ) -> Result<LookupUserSuccess, OperationError<LookupUserError>> {
        self.0
            .lookup_user(
                guard.into_caller(),
                LookupUserRequest {
                    email: email.0,
                },
            )
            .await
    }
    /**Read one person

A member of the workspace or a guest that members can see, deactivated and removed people included. The response is 404 `user_not_found` if the id is that of a bot, of a person of another company, or of a guest that members cannot see.*/
    #[oai(
        path = "/v1/users/:id",
        method = "get",
        operation_id = "getUser",
        tag = "Tag::Users"
    )]
    async fn get_user(
        &self,
        guard: Guard<H, GetUser>,
        ///Id of a person (`usr_`).
        #[oai(name = "id")]
        id: Path<IdParam>,
    ) -> Result<GetUserSuccess, OperationError<GetUserError>> {
        self.0.get_user(guard.into_caller(), GetUserRequest { id: id.0 }).await
    }
    /**Check a token

Returns the workspace, the bot user, the app, and the scopes of the token. Needs no scope. A token of a disconnected installation gets 401 `token_revoked`, so an app that polls this operation detects a disconnect without events.*/
    #[oai(
        path = "/v1/auth/test",
        method = "get",
        operation_id = "testAuth",
        tag = "Tag::Auth"
    )]
    async fn test_auth(
        &self,
        guard: Guard<H, TestAuth>,
    ) -> Result<TestAuthSuccess, OperationError<TestAuthError>> {
        self.0.test_auth(guard.into_caller(), TestAuthRequest {}).await
    }
    /**Exchange an authorization code for a bot token

Exchanges the code that was created when a company admin approved the app. A code works once, for 10
minutes, and only for the app to which it was issued. The token is valid immediately. If the app is
already installed in the company, the exchange of another code issues another token, and the earlier
tokens stay valid.

Codes that were not exchanged yet become invalid if a company admin uninstalls the app (the codes of
this company), or if the operator disables the app (the codes of all companies). `POST /oauth/revoke`
invalidates no code. A code is also invalid if the admin who approved the app is no longer an active
admin of the company. An invalid code gets `invalid_grant`, like an unknown code. The token gets the
approved scopes that the app still has. If the app has none of them any more, the response is
`invalid_grant`, too.

The app authenticates by HTTP Basic with its client id and client secret, or by the body
members `client_id` and `client_secret`. If a request has both, only Basic is used. Credentials are
checked before the grant. Failures have the error envelope of this API, not the error format of RFC
6749.*/
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
    ) -> Result<ExchangeTokenSuccess, OperationError<ExchangeTokenError>> {
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
    /**Revoke a bot token

Disconnects the installation of the token: all tokens of the installation are revoked immediately,
and no event is sent. Codes that were not exchanged yet can still be exchanged. If the token is
unknown, already revoked or another app's, nothing changes, and the response is the same.
`token_type_hint` is ignored.

The app authenticates by HTTP Basic with its client id and client secret, or by the body
members `client_id` and `client_secret`. If a request has both, only Basic is used.*/
    #[oai(
        path = "/oauth/revoke",
        method = "post",
        operation_id = "revokeToken",
        tag = "Tag::Oauth"
    )]
    async fn revoke_token(
        &self,
        guard: Guard<H, RevokeToken>,
        body: Body<RevokeToken, types::RevokeRequest>,
    ) -> Result<RevokeTokenSuccess, OperationError<RevokeTokenError>> {
        self.0
            .revoke_token(
                guard.into_caller(),
                RevokeTokenRequest {
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
