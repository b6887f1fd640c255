// @generated from openapi/admin.yaml by codegen/. Do not edit.

//!Server half of `openapi/admin.yaml`.
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
    Anyone, Body, BodyInfo, BodyReader, BodySchema, Clamped, Contract, Credential,
    Described, Dialect, ErrorCode, Guard, Guarded, HeaderParameter, HeaderDoc, LimitName,
    Nullable, OperationError, OperationInfo, OperationType, ParamRules, Parameter, Path,
    Principal, Property, PublishedDocument, QueryParameter, RawBody, RawRequest,
    ReplyDoc, RequestPolicy, Schema, constant, describe_object, enumeration, error_codes,
    patched, publish, published_schemas, reply,
};
use crate::domain::refusal::Code;
use crate::domain::time::Timestamp;
/// The document with null in place of everything that its routes publish.
pub(crate) const PRESENTATION: &str = include_str!("admin.presentation.json");
/// Title and version of the document.
pub(crate) const HEAD: [&str; 2] = ["Switchboard admin API", "1.0.0"];
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
pub const SOURCE: &str = include_str!("admin.json");
/// Every error code of the document with its status, except `client_error` and `server_error`, which may have
/// several statuses.
pub static CODES: &[(Code, u16)] = &[
    (Code::Conflict, 409u16),
    (Code::ConversationArchived, 409u16),
    (Code::ConversationNotFound, 404u16),
    (Code::FileNotFound, 404u16),
    (Code::Forbidden, 403u16),
    (Code::InternalError, 500u16),
    (Code::InvalidAuth, 401u16),
    (Code::InvalidCursor, 400u16),
    (Code::InvalidRequest, 400u16),
    (Code::MessageNotFound, 404u16),
    (Code::NotAcceptable, 406u16),
    (Code::NotAllowedInConversation, 403u16),
    (Code::NotAuthed, 401u16),
    (Code::NotFound, 404u16),
    (Code::NotInConversation, 403u16),
    (Code::PayloadTooLarge, 413u16),
    (Code::RateLimited, 429u16),
    (Code::TokenInQuery, 400u16),
    (Code::UnsupportedMediaType, 415u16),
    (Code::UserDeactivated, 409u16),
    (Code::UserNotFound, 404u16),
];
/// Every operation of the document.
pub static OPERATIONS: &[&OperationInfo] = &[
    CreateSession::INFO,
    DeleteSession::INFO,
    ListWorkspaces::INFO,
    CreateWorkspace::INFO,
    GetWorkspace::INFO,
    UpdateWorkspace::INFO,
    ListUsers::INFO,
    CreateUser::INFO,
    GetUser::INFO,
    UpdateUser::INFO,
    SetUserState::INFO,
    LogoutUser::INFO,
    BlockApp::INFO,
    UnblockApp::INFO,
    ListConversations::INFO,
    CreateConversation::INFO,
    GetConversation::INFO,
    DeleteConversation::INFO,
    UpdateConversation::INFO,
    ListMembers::INFO,
    AddMember::INFO,
    RemoveMember::INFO,
    ListMessages::INFO,
    CreateMessage::INFO,
    DeleteMessage::INFO,
    UpdateMessage::INFO,
    CreateInteraction::INFO,
    UploadFile::INFO,
    DeleteFile::INFO,
    ListApps::INFO,
    CreateApp::INFO,
    GetApp::INFO,
    UpdateApp::INFO,
    RotateSecret::INFO,
    ListDeliveries::INFO,
    RedeliverEvent::INFO,
    RedeliverEvents::INFO,
    CreateTestEvent::INFO,
    ListInstallations::INFO,
    CreateInstallation::INFO,
    DeleteInstallation::INFO,
    ListConnections::INFO,
    DeleteConnection::INFO,
    ListClientBlocks::INFO,
    PutClientBlock::INFO,
    DeleteClientBlock::INFO,
    ListAssistantClients::INFO,
    ListToolCalls::INFO,
    GetClock::INFO,
    UpdateClock::INFO,
    ResetRateLimits::INFO,
];
/// The readers of request bodies: one per operation with a body, except those whose handler reads the body.
pub static BODIES: &[BodyReader] = &[
    BodyReader::of::<CreateSession, types::SessionCreate>(),
    BodyReader::of::<CreateWorkspace, types::WorkspaceCreate>(),
    BodyReader::of::<UpdateWorkspace, types::WorkspaceUpdate>(),
    BodyReader::of::<CreateUser, types::UserCreate>(),
    BodyReader::of::<UpdateUser, types::UserUpdate>(),
    BodyReader::of::<SetUserState, types::UserStateChange>(),
    BodyReader::of::<CreateConversation, types::ConversationCreate>(),
    BodyReader::of::<UpdateConversation, types::ConversationUpdate>(),
    BodyReader::of::<CreateMessage, types::MessageCreate>(),
    BodyReader::of::<UpdateMessage, types::MessageUpdate>(),
    BodyReader::of::<CreateInteraction, types::InteractionCreate>(),
    BodyReader::of::<CreateApp, types::AppCreate>(),
    BodyReader::of::<UpdateApp, types::AppUpdate>(),
    BodyReader::of::<RotateSecret, types::SecretRotate>(),
    BodyReader::of::<RedeliverEvents, types::RedeliverRequest>(),
    BodyReader::of::<CreateTestEvent, types::TestEventCreate>(),
    BodyReader::of::<CreateInstallation, types::InstallationCreate>(),
    BodyReader::of::<UpdateClock, types::ClockUpdate>(),
];
/// The document's schemas.
pub mod types {
    use super::*;
    constant!(True = bool true; as "AdminTrue", Some("Always true."));
    constant!(False = bool false; as "AdminFalse", Some("Always false."));
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
            MetaSchemaRef::Reference("AdminErrorEnvelope".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminErrorEnvelope",
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
            MetaSchemaRef::Reference("AdminErrorDetail".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminErrorDetail",
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
            MetaSchemaRef::Reference("AdminOkResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminOkResult",
                Some("A success without further data."),
                |registry| {
                    vec![Property::new:: < True > (registry, "ok", MetaSchema::ANY)]
                },
            );
        }
    }
    /// The credentials of an account.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SessionCreate {
        /// E-mail address of the account. Letter case does not matter.
        pub email: String,
        /// The password of the account.
        pub password: String,
    }
    impl Described for SessionCreate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("SessionCreate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "SessionCreate",
                Some("The credentials of an account."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "email", MetaSchema {
                        description :
                        Some("E-mail address of the account. Letter case does not matter."),
                        min_length : Some(3), max_length : Some(254), pattern :
                        Some(String::from("^[^@\\s]+@[^@\\s]+$")), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "password", MetaSchema {
                        description : Some("The password of the account."), min_length :
                        Some(1), max_length : Some(128), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A session and the companies that it gives access to.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SessionCreated {
        pub ok: True,
        /// Begins with `svc_ses_`. No other operation returns it.
        pub session_token: String,
        /// The companies that the password gives access to.
        pub memberships: Vec<Membership>,
    }
    impl Described for SessionCreated {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("SessionCreated".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "SessionCreated",
                Some("A session and the companies that it gives access to."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < String > (registry, "session_token", MetaSchema
                        { description :
                        Some("Begins with `svc_ses_`. No other operation returns it."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < Membership > >
                        (registry, "memberships", MetaSchema { description :
                        Some("The companies that the password gives access to."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The person as whom an account acts in one company.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Membership {
        /// `cmp_` id of the company.
        pub workspace_id: String,
        /// `usr_` id of the person as whom the account acts in this company.
        pub user_id: String,
        /// Whether the session acts as an admin of this company.
        pub is_admin: bool,
    }
    impl Described for Membership {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Membership".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Membership",
                Some("The person as whom an account acts in one company."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "workspace_id", MetaSchema
                        { description : Some("`cmp_` id of the company."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "user_id", MetaSchema { description :
                        Some("`usr_` id of the person as whom the account acts in this company."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_admin", MetaSchema { description :
                        Some("Whether the session acts as an admin of this company."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A company.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Workspace {
        /// `cmp_` id.
        pub id: String,
        /// Name of the company.
        pub name: String,
        /// The company's e-mail domain.
        pub domain: Nullable<String>,
        /// Whether employees may connect AI assistants.
        pub ai_assistants: bool,
        /// Hours after which an assistant connection ends, counted from its creation; null for no maximum.
        pub max_session_hours: Nullable<i64>,
        pub assistant_sends: AssistantSendsValue,
        /// When it was created.
        pub created_at: Timestamp,
    }
    impl Described for Workspace {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AdminWorkspace".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminWorkspace",
                Some("A company."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`cmp_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "name", MetaSchema {
                        description : Some("Name of the company."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry, "domain",
                        MetaSchema { description : Some("The company's e-mail domain."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "ai_assistants", MetaSchema { description :
                        Some("Whether employees may connect AI assistants."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < i64 > >
                        (registry, "max_session_hours", MetaSchema { description :
                        Some("Hours after which an assistant connection ends, counted from its creation; null for no maximum."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        AssistantSendsValue > (registry, "assistant_sends",
                        MetaSchema::ANY), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When it was created."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        AssistantSends as "AssistantSends", closed,
        "Who sends the drafts of assistants: `direct`, the assistant itself by calling `send_draft`; `confirm`, the employee, who confirms each draft on the page /drafts.";
        Direct = "direct", Confirm = "confirm"
    }
    enumeration! {
        AssistantSendsValue as "AssistantSendsValue", extensible,
        "The `AssistantSends` of a company. More values may be added."; Direct =
        "direct", Confirm = "confirm"
    }
    /// A company to create.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct WorkspaceCreate {
        /// Name of the company.
        pub name: String,
        /// The company's e-mail domain.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub domain: MaybeUndefined<String>,
    }
    impl Described for WorkspaceCreate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("WorkspaceCreate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "WorkspaceCreate",
                Some("A company to create."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "name", MetaSchema {
                        description : Some("Name of the company."), min_length : Some(1),
                        max_length : Some(200), ..MetaSchema::ANY }), Property::new:: <
                        MaybeUndefined < String > > (registry, "domain", MetaSchema {
                        description : Some("The company's e-mail domain."), min_length :
                        Some(3), max_length : Some(253), pattern :
                        Some(String::from("^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$")),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// Changes to a company.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct WorkspaceUpdate {
        /// Name of the company.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// The company's e-mail domain; null when it has none.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub domain: MaybeUndefined<String>,
        /// Whether employees may connect AI assistants.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub ai_assistants: Option<bool>,
        /// Hours after which an assistant connection ends, counted from its creation; null for no maximum.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub max_session_hours: MaybeUndefined<i64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub assistant_sends: Option<AssistantSends>,
    }
    impl Described for WorkspaceUpdate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("WorkspaceUpdate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "WorkspaceUpdate",
                Some("Changes to a company."),
                |registry| {
                    vec![
                        Property::new:: < Option < String > > (registry, "name",
                        MetaSchema { description : Some("Name of the company."),
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "domain", MetaSchema { description :
                        Some("The company's e-mail domain; null when it has none."),
                        min_length : Some(3), max_length : Some(253), pattern :
                        Some(String::from("^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$")),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "ai_assistants", MetaSchema { description :
                        Some("Whether employees may connect AI assistants."),
                        ..MetaSchema::ANY }), Property::new:: < MaybeUndefined < i64 > >
                        (registry, "max_session_hours", MetaSchema { description :
                        Some("Hours after which an assistant connection ends, counted from its creation; null for no maximum."),
                        format : Some("int64"), minimum : Some(1.0), maximum :
                        Some(8760.0), ..MetaSchema::ANY }), Property::new:: < Option <
                        AssistantSends > > (registry, "assistant_sends", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// One company.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct WorkspaceResult {
        pub ok: True,
        pub workspace: Workspace,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub file_usage: Option<FileUsage>,
    }
    impl Described for WorkspaceResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("WorkspaceResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "WorkspaceResult",
                Some("One company."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Workspace > (registry, "workspace",
                        MetaSchema::ANY), Property::new:: < Option < FileUsage > >
                        (registry, "file_usage", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// The size of the stored files of the company or person; only in responses of `getWorkspace` and `adminGetUser`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct FileUsage {
        /// Size of the files in bytes. A deleted file counts until its content is removed.
        pub bytes: i64,
        /// The quota: the maximum size of the files in bytes; null for no limit.
        pub quota_bytes: Nullable<i64>,
    }
    impl Described for FileUsage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("FileUsage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "FileUsage",
                Some(
                    "The size of the stored files of the company or person; only in responses of `getWorkspace` and `adminGetUser`.",
                ),
                |registry| {
                    vec![
                        Property::new:: < i64 > (registry, "bytes", MetaSchema {
                        description :
                        Some("Size of the files in bytes. A deleted file counts until its content is removed."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < i64 > > (registry, "quota_bytes", MetaSchema {
                        description :
                        Some("The quota: the maximum size of the files in bytes; null for no limit."),
                        format : Some("int64"), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One page of companies.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct WorkspacePage {
        pub ok: True,
        /// The companies of the page, oldest first.
        pub workspaces: Vec<Workspace>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for WorkspacePage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("WorkspacePage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "WorkspacePage",
                Some("One page of companies."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Workspace > > (registry, "workspaces",
                        MetaSchema { description :
                        Some("The companies of the page, oldest first."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        UserState as "UserState", closed,
        "Account state of a person. `removed` is final."; Active = "active", Onboarding =
        "onboarding", Deactivated = "deactivated", Removed = "removed"
    }
    /// A person or a bot user, with everything stored about them.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct User {
        /// `usr_` id.
        pub id: String,
        /// `cmp_` id of the company.
        pub workspace_id: String,
        /// Full name.
        pub name: String,
        /// First name.
        pub display_name: Nullable<String>,
        /// E-mail address, even if colleagues do not see it. Null for a bot and for a removed person.
        pub email: Nullable<String>,
        /// Address of a picture; null when there is none.
        pub avatar_url: Nullable<String>,
        /// Job title.
        pub title: Nullable<String>,
        /// IANA time zone name.
        pub timezone: Nullable<String>,
        pub state: UserState,
        /// True for active and onboarding people.
        pub is_active: bool,
        /// True for the bot user of an app.
        pub is_bot: bool,
        /// Admin of the company.
        pub is_admin: bool,
        /// Guest from outside the company.
        pub is_external: bool,
        /// Whether colleagues, and apps with the scope `users:read.email`, see the e-mail address.
        pub email_visible: bool,
        /// Whether the company's members see this guest. Has no meaning for people who are not guests.
        pub guest_visible: bool,
        /// The app of a bot user; null for a person.
        pub app_id: Nullable<String>,
        /// When the person or bot was added.
        pub created_at: Timestamp,
    }
    impl Described for User {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AdminUser".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminUser",
                Some("A person or a bot user, with everything stored about them."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`usr_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "workspace_id", MetaSchema
                        { description : Some("`cmp_` id of the company."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "name", MetaSchema { description : Some("Full name."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "display_name", MetaSchema { description :
                        Some("First name."), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < String > > (registry, "email", MetaSchema {
                        description :
                        Some("E-mail address, even if colleagues do not see it. Null for a bot and for a removed person."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "avatar_url", MetaSchema { description :
                        Some("Address of a picture; null when there is none."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "title", MetaSchema { description :
                        Some("Job title."), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < String > > (registry, "timezone", MetaSchema {
                        description : Some("IANA time zone name."), ..MetaSchema::ANY }),
                        Property::new:: < UserState > (registry, "state",
                        MetaSchema::ANY), Property::new:: < bool > (registry,
                        "is_active", MetaSchema { description :
                        Some("True for active and onboarding people."), ..MetaSchema::ANY
                        }), Property::new:: < bool > (registry, "is_bot", MetaSchema {
                        description : Some("True for the bot user of an app."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_admin", MetaSchema { description :
                        Some("Admin of the company."), ..MetaSchema::ANY }),
                        Property::new:: < bool > (registry, "is_external", MetaSchema {
                        description : Some("Guest from outside the company."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "email_visible", MetaSchema { description :
                        Some("Whether colleagues, and apps with the scope `users:read.email`, see the e-mail address."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "guest_visible", MetaSchema { description :
                        Some("Whether the company's members see this guest. Has no meaning for people who are not guests."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "app_id", MetaSchema { description :
                        Some("The app of a bot user; null for a person."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When the person or bot was added."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A person to add.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserCreate {
        /// Full name.
        pub name: String,
        /// E-mail address, which is also the sign-in name. Unique in the company, whatever the letter case.
        pub email: String,
        /// First name.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub display_name: MaybeUndefined<String>,
        /// Job title.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub title: MaybeUndefined<String>,
        /// IANA time zone name, such as `Europe/London`.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub timezone: MaybeUndefined<String>,
        /// Address of a picture.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub avatar_url: MaybeUndefined<String>,
        /// Admin of the company. False when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub is_admin: Option<bool>,
        /// Guest from outside the company. False when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub is_external: Option<bool>,
        /// Whether colleagues, and apps with the scope `users:read.email`, see the e-mail address. True when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub email_visible: Option<bool>,
        /// Whether the company's members see this guest. True when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub guest_visible: Option<bool>,
        /// Account state; `active` when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub state: Option<UserState>,
        /// Password of the account. A person whose account has no password cannot sign in yet.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub password: Option<String>,
    }
    impl Described for UserCreate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("UserCreate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "UserCreate",
                Some("A person to add."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "name", MetaSchema {
                        description : Some("Full name."), min_length : Some(1),
                        max_length : Some(200), ..MetaSchema::ANY }), Property::new:: <
                        String > (registry, "email", MetaSchema { description :
                        Some("E-mail address, which is also the sign-in name. Unique in the company, whatever the letter case."),
                        min_length : Some(3), max_length : Some(254), pattern :
                        Some(String::from("^[^@\\s]+@[^@\\s]+$")), ..MetaSchema::ANY }),
                        Property::new:: < MaybeUndefined < String > > (registry,
                        "display_name", MetaSchema { description : Some("First name."),
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "title", MetaSchema { description : Some("Job title."),
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "timezone", MetaSchema { description :
                        Some("IANA time zone name, such as `Europe/London`."), min_length
                        : Some(1), max_length : Some(64), ..MetaSchema::ANY }),
                        Property::new:: < MaybeUndefined < String > > (registry,
                        "avatar_url", MetaSchema { description :
                        Some("Address of a picture."), max_length : Some(2048), pattern :
                        Some(String::from("^https://[^\\s]+$")), ..MetaSchema::ANY }),
                        Property::new:: < Option < bool > > (registry, "is_admin",
                        MetaSchema { description :
                        Some("Admin of the company. False when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "is_external", MetaSchema { description :
                        Some("Guest from outside the company. False when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "email_visible", MetaSchema { description :
                        Some("Whether colleagues, and apps with the scope `users:read.email`, see the e-mail address. True when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "guest_visible", MetaSchema { description :
                        Some("Whether the company's members see this guest. True when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < UserState > >
                        (registry, "state", MetaSchema { description :
                        Some("Account state; `active` when absent."), ..MetaSchema::ANY
                        }), Property::new:: < Option < String > > (registry, "password",
                        MetaSchema { description :
                        Some("Password of the account. A person whose account has no password cannot sign in yet."),
                        min_length : Some(8), max_length : Some(128), ..MetaSchema::ANY
                        })
                    ]
                },
            );
        }
    }
    /// Changes to a person.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserUpdate {
        /// Full name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// E-mail address, which is also the sign-in name. Unique in the company, whatever the letter case.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub email: Option<String>,
        /// First name.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub display_name: MaybeUndefined<String>,
        /// Job title.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub title: MaybeUndefined<String>,
        /// IANA time zone name, such as `Europe/London`.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub timezone: MaybeUndefined<String>,
        /// Address of a picture; null when there is none.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub avatar_url: MaybeUndefined<String>,
        /// Admin of the company.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub is_admin: Option<bool>,
        /// Guest from outside the company.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub is_external: Option<bool>,
        /// Whether colleagues, and apps with the scope `users:read.email`, see the e-mail address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub email_visible: Option<bool>,
        /// Whether the company's members see this guest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub guest_visible: Option<bool>,
        /// The new password. A change ends all sessions of the account except the session of the request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub password: Option<String>,
        /// The present password; required with `password` for the caller's own account.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub current_password: Option<String>,
    }
    impl Described for UserUpdate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("UserUpdate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "UserUpdate",
                Some("Changes to a person."),
                |registry| {
                    vec![
                        Property::new:: < Option < String > > (registry, "name",
                        MetaSchema { description : Some("Full name."), min_length :
                        Some(1), max_length : Some(200), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "email",
                        MetaSchema { description :
                        Some("E-mail address, which is also the sign-in name. Unique in the company, whatever the letter case."),
                        min_length : Some(3), max_length : Some(254), pattern :
                        Some(String::from("^[^@\\s]+@[^@\\s]+$")), ..MetaSchema::ANY }),
                        Property::new:: < MaybeUndefined < String > > (registry,
                        "display_name", MetaSchema { description : Some("First name."),
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "title", MetaSchema { description : Some("Job title."),
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "timezone", MetaSchema { description :
                        Some("IANA time zone name, such as `Europe/London`."), min_length
                        : Some(1), max_length : Some(64), ..MetaSchema::ANY }),
                        Property::new:: < MaybeUndefined < String > > (registry,
                        "avatar_url", MetaSchema { description :
                        Some("Address of a picture; null when there is none."),
                        max_length : Some(2048), pattern :
                        Some(String::from("^https://[^\\s]+$")), ..MetaSchema::ANY }),
                        Property::new:: < Option < bool > > (registry, "is_admin",
                        MetaSchema { description : Some("Admin of the company."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "is_external", MetaSchema { description :
                        Some("Guest from outside the company."), ..MetaSchema::ANY }),
                        Property::new:: < Option < bool > > (registry, "email_visible",
                        MetaSchema { description :
                        Some("Whether colleagues, and apps with the scope `users:read.email`, see the e-mail address."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "guest_visible", MetaSchema { description :
                        Some("Whether the company's members see this guest."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "password", MetaSchema { description :
                        Some("The new password. A change ends all sessions of the account except the session of the request."),
                        min_length : Some(8), max_length : Some(128), ..MetaSchema::ANY
                        }), Property::new:: < Option < String > > (registry,
                        "current_password", MetaSchema { description :
                        Some("The present password; required with `password` for the caller's own account."),
                        min_length : Some(1), max_length : Some(1024), ..MetaSchema::ANY
                        })
                    ]
                },
            );
        }
    }
    /// The state to give to a person.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserStateChange {
        pub state: UserState,
    }
    impl Described for UserStateChange {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("UserStateChange".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "UserStateChange",
                Some("The state to give to a person."),
                |registry| {
                    vec![
                        Property::new:: < UserState > (registry, "state",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// One person or bot user.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserResult {
        pub ok: True,
        pub user: User,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub file_usage: Option<FileUsage>,
    }
    impl Described for UserResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AdminUserResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminUserResult",
                Some("One person or bot user."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < User > (registry, "user", MetaSchema::ANY),
                        Property::new:: < Option < FileUsage > > (registry, "file_usage",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// One page of people and bot users.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserPage {
        pub ok: True,
        /// The people and bots of the page, oldest first.
        pub users: Vec<User>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for UserPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AdminUserPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminUserPage",
                Some("One page of people and bot users."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < User > > (registry, "users", MetaSchema {
                        description :
                        Some("The people and bots of the page, oldest first."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        ConversationKind as "ConversationKind", closed,
        "`group`, `channel` (a named channel of a group), or `dm` (a direct message).";
        Group = "group", Channel = "channel", Dm = "dm"
    }
    enumeration! {
        ConversationType as "AdminConversationType", closed,
        "`channel` if every employee may join, `private_channel` if people have to be added. Not the kind of a conversation: a group has a type, too.";
        Channel = "channel", PrivateChannel = "private_channel"
    }
    /// A group, a channel or a direct message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Conversation {
        /// `grp_` for a group, `chn_` for a channel, `dm_` for a direct message.
        pub id: String,
        pub kind: ConversationKind,
        /// `cmp_` id of the company.
        pub workspace_id: String,
        /// Id of the group (`grp_`) of a channel; null for a group and for a direct message.
        pub parent_id: Nullable<String>,
        /// Name of the group or channel; null for a direct message.
        pub name: Nullable<String>,
        /// A channel has the type of its group. Null for a direct message.
        #[serde(rename = "type")]
        pub r#type: Nullable<ConversationType>,
        /// Description of the group or channel.
        pub topic: Nullable<String>,
        /// Whether only admins may post.
        pub announcement_only: bool,
        /// Whether the conversation is archived. A channel is archived if its group is archived.
        pub is_archived: bool,
        /// Whether it was deleted.
        pub is_deleted: bool,
        /// The number of members who are people in the state `active`. Bots are not counted.
        pub member_count: i64,
        /// When it was created.
        pub created_at: Timestamp,
    }
    impl Described for Conversation {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AdminConversation".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminConversation",
                Some("A group, a channel or a direct message."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`grp_` for a group, `chn_` for a channel, `dm_` for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < ConversationKind >
                        (registry, "kind", MetaSchema::ANY), Property::new:: < String >
                        (registry, "workspace_id", MetaSchema { description :
                        Some("`cmp_` id of the company."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry, "parent_id",
                        MetaSchema { description :
                        Some("Id of the group (`grp_`) of a channel; null for a group and for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "name", MetaSchema { description :
                        Some("Name of the group or channel; null for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable <
                        ConversationType > > (registry, "type", MetaSchema { description
                        :
                        Some("A channel has the type of its group. Null for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "topic", MetaSchema { description :
                        Some("Description of the group or channel."), ..MetaSchema::ANY
                        }), Property::new:: < bool > (registry, "announcement_only",
                        MetaSchema { description : Some("Whether only admins may post."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_archived", MetaSchema { description :
                        Some("Whether the conversation is archived. A channel is archived if its group is archived."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_deleted", MetaSchema { description :
                        Some("Whether it was deleted."), ..MetaSchema::ANY }),
                        Property::new:: < i64 > (registry, "member_count", MetaSchema {
                        description :
                        Some("The number of members who are people in the state `active`. Bots are not counted."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Timestamp > (registry, "created_at", MetaSchema { description :
                        Some("When it was created."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A conversation and its members.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConversationDetail {
        /// `grp_` for a group, `chn_` for a channel, `dm_` for a direct message.
        pub id: String,
        pub kind: ConversationKind,
        /// `cmp_` id of the company.
        pub workspace_id: String,
        /// Id of the group (`grp_`) of a channel; null for a group and for a direct message.
        pub parent_id: Nullable<String>,
        /// Name of the group or channel; null for a direct message.
        pub name: Nullable<String>,
        /// A channel has the type of its group. Null for a direct message.
        #[serde(rename = "type")]
        pub r#type: Nullable<ConversationType>,
        /// Description of the group or channel.
        pub topic: Nullable<String>,
        /// Whether only admins may post.
        pub announcement_only: bool,
        /// Whether the conversation is archived. A channel is archived if its group is archived.
        pub is_archived: bool,
        /// Whether it was deleted.
        pub is_deleted: bool,
        /// The number of members who are people in the state `active`. Bots are not counted.
        pub member_count: i64,
        /// When it was created.
        pub created_at: Timestamp,
        /// The first 200 present and past members, in the order of their ids.
        pub members: Vec<Member>,
        /// A cursor of the operation `listMembers`, which returns the remaining members. Null if all members were returned.
        pub members_cursor: Nullable<String>,
    }
    impl Described for ConversationDetail {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ConversationDetail".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ConversationDetail",
                Some("A conversation and its members."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`grp_` for a group, `chn_` for a channel, `dm_` for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < ConversationKind >
                        (registry, "kind", MetaSchema::ANY), Property::new:: < String >
                        (registry, "workspace_id", MetaSchema { description :
                        Some("`cmp_` id of the company."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry, "parent_id",
                        MetaSchema { description :
                        Some("Id of the group (`grp_`) of a channel; null for a group and for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "name", MetaSchema { description :
                        Some("Name of the group or channel; null for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable <
                        ConversationType > > (registry, "type", MetaSchema { description
                        :
                        Some("A channel has the type of its group. Null for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "topic", MetaSchema { description :
                        Some("Description of the group or channel."), ..MetaSchema::ANY
                        }), Property::new:: < bool > (registry, "announcement_only",
                        MetaSchema { description : Some("Whether only admins may post."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_archived", MetaSchema { description :
                        Some("Whether the conversation is archived. A channel is archived if its group is archived."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_deleted", MetaSchema { description :
                        Some("Whether it was deleted."), ..MetaSchema::ANY }),
                        Property::new:: < i64 > (registry, "member_count", MetaSchema {
                        description :
                        Some("The number of members who are people in the state `active`. Bots are not counted."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Timestamp > (registry, "created_at", MetaSchema { description :
                        Some("When it was created."), ..MetaSchema::ANY }),
                        Property::new:: < Vec < Member > > (registry, "members",
                        MetaSchema { description :
                        Some("The first 200 present and past members, in the order of their ids."),
                        max_items : Some(200), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < String > > (registry, "members_cursor", MetaSchema {
                        description :
                        Some("A cursor of the operation `listMembers`, which returns the remaining members. Null if all members were returned."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A present or past member of a conversation.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Member {
        /// `usr_` id.
        pub user_id: String,
        /// When the user joined. If the user joined several times, the last time.
        pub joined_at: Timestamp,
        /// When the user left. Null for a present member.
        pub left_at: Nullable<Timestamp>,
        /// Whether the member is the bot user of an app.
        pub is_bot: bool,
    }
    impl Described for Member {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Member".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Member",
                Some("A present or past member of a conversation."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "user_id", MetaSchema {
                        description : Some("`usr_` id."), ..MetaSchema::ANY }),
                        Property::new:: < Timestamp > (registry, "joined_at", MetaSchema
                        { description :
                        Some("When the user joined. If the user joined several times, the last time."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Timestamp > >
                        (registry, "left_at", MetaSchema { description :
                        Some("When the user left. Null for a present member."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_bot", MetaSchema { description :
                        Some("Whether the member is the bot user of an app."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A conversation to create.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConversationCreate {
        pub kind: ConversationKind,
        /// Id of the group (`grp_`) of a channel; required for a channel, refused otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub parent_id: Option<String>,
        /// Name of the group or channel, for which it is required. Refused for a direct message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Description of the group or channel. Refused for a direct message.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub topic: MaybeUndefined<String>,
        /// Groups only. `channel` when absent.
        #[serde(rename = "type")]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub r#type: Option<ConversationType>,
        /// Whether only admins may post. False when absent; refused for a direct message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub announcement_only: Option<bool>,
        /// Ids of people and bots (`usr_`). For a direct message the operator names the two people, and any other caller names the other person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub member_ids: Option<Vec<String>>,
    }
    impl Described for ConversationCreate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ConversationCreate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ConversationCreate",
                Some("A conversation to create."),
                |registry| {
                    vec![
                        Property::new:: < ConversationKind > (registry, "kind",
                        MetaSchema::ANY), Property::new:: < Option < String > >
                        (registry, "parent_id", MetaSchema { description :
                        Some("Id of the group (`grp_`) of a channel; required for a channel, refused otherwise."),
                        min_length : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        Option < String > > (registry, "name", MetaSchema { description :
                        Some("Name of the group or channel, for which it is required. Refused for a direct message."),
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "topic", MetaSchema { description :
                        Some("Description of the group or channel. Refused for a direct message."),
                        max_length : Some(1000), ..MetaSchema::ANY }), Property::new:: <
                        Option < ConversationType > > (registry, "type", MetaSchema {
                        description : Some("Groups only. `channel` when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "announcement_only", MetaSchema { description :
                        Some("Whether only admins may post. False when absent; refused for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < Option < Vec < String > >
                        > (registry, "member_ids", MetaSchema { description :
                        Some("Ids of people and bots (`usr_`). For a direct message the operator names the two people, and any other caller names the other person."),
                        max_items : Some(1000), items :
                        Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema {
                        min_length : Some(1), ..MetaSchema::ANY })))), ..MetaSchema::ANY
                        })
                    ]
                },
            );
        }
    }
    /// Changes to a conversation.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConversationUpdate {
        /// Name of the group or channel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Description of the group or channel; null when it has none.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub topic: MaybeUndefined<String>,
        /// Groups only.
        #[serde(rename = "type")]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub r#type: Option<ConversationType>,
        /// Whether only admins may post.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub announcement_only: Option<bool>,
        /// Groups only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub is_archived: Option<bool>,
    }
    impl Described for ConversationUpdate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ConversationUpdate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ConversationUpdate",
                Some("Changes to a conversation."),
                |registry| {
                    vec![
                        Property::new:: < Option < String > > (registry, "name",
                        MetaSchema { description : Some("Name of the group or channel."),
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "topic", MetaSchema { description :
                        Some("Description of the group or channel; null when it has none."),
                        max_length : Some(1000), ..MetaSchema::ANY }), Property::new:: <
                        Option < ConversationType > > (registry, "type", MetaSchema {
                        description : Some("Groups only."), ..MetaSchema::ANY }),
                        Property::new:: < Option < bool > > (registry,
                        "announcement_only", MetaSchema { description :
                        Some("Whether only admins may post."), ..MetaSchema::ANY }),
                        Property::new:: < Option < bool > > (registry, "is_archived",
                        MetaSchema { description : Some("Groups only."),
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
            MetaSchemaRef::Reference("AdminConversationResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminConversationResult",
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
    /// One conversation and its members.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConversationDetailResult {
        pub ok: True,
        pub conversation: ConversationDetail,
    }
    impl Described for ConversationDetailResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ConversationDetailResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ConversationDetailResult",
                Some("One conversation and its members."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < ConversationDetail > (registry, "conversation",
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
            MetaSchemaRef::Reference("AdminConversationPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminConversationPage",
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
    /// One page of members.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MemberPage {
        pub ok: True,
        /// The members of the page, in the order of their ids.
        pub members: Vec<Member>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for MemberPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("MemberPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "MemberPage",
                Some("One page of members."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Member > > (registry, "members",
                        MetaSchema { description :
                        Some("The members of the page, in the order of their ids."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        MessageType as "AdminMessageType", closed,
        "`system` is a notice without a sender, from the server (a person has joined) or from the operator.";
        Text = "text", Image = "image", File = "file", System = "system", Audio =
        "audio", Video = "video", Location = "location", Contact = "contact", Call =
        "call", Poll = "poll", Survey = "survey"
    }
    enumeration! {
        MessageTypeValue as "AdminMessageTypeValue", extensible,
        "The `AdminMessageType` of a message. More types may be added. Show a message of an unknown type by its text and files.";
        Text = "text", Image = "image", File = "file", System = "system", Audio =
        "audio", Video = "video", Location = "location", Contact = "contact", Call =
        "call", Poll = "poll", Survey = "survey"
    }
    /// A message with all stored fields.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Message {
        /// `gmsg_` in a group or channel, `dmsg_` in a direct message.
        pub id: String,
        /// `grp_`, `chn_` or `dm_` id.
        pub conversation_id: String,
        /// Id of the sender (`usr_`), a person or a bot; null for a system message.
        pub user_id: Nullable<String>,
        #[serde(rename = "type")]
        pub r#type: MessageTypeValue,
        /// Null if the message is deleted, and for a system message without text.
        pub text: Nullable<String>,
        /// Blocks of a bot's message; null if the message has none or is deleted.
        pub blocks: Nullable<Vec<BTreeMap<String, serde_json::Value>>>,
        /// Metadata of a bot's message; null if the message has none or is deleted.
        pub metadata: Nullable<BTreeMap<String, serde_json::Value>>,
        /// Id of the message to which this message replies; null if this message is no reply or is deleted.
        pub thread_id: Nullable<String>,
        /// Attached files; empty if there are none.
        pub files: Vec<FileRef>,
        /// The idempotency key of the message: the `client_key` of a person's message, or the `Idempotency-Key` of a bot's message. Null if the message has none or is deleted.
        pub client_key: Nullable<String>,
        /// Name of the assistant through which the message was sent, as it was at that time; null for all other messages, and if the message is deleted.
        pub via_label: Nullable<String>,
        /// Former versions of the message, oldest first, at most 100: the original version and the newest former versions. Empty if the message is deleted.
        pub edits: Vec<MessageEdit>,
        /// When it was sent.
        pub created_at: Timestamp,
        /// When it was last edited; null if it was not.
        pub edited_at: Nullable<Timestamp>,
        /// When it was deleted; null if it was not.
        pub deleted_at: Nullable<Timestamp>,
    }
    impl Described for Message {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Message".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Message",
                Some("A message with all stored fields."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`gmsg_` in a group or channel, `dmsg_` in a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "conversation_id", MetaSchema { description :
                        Some("`grp_`, `chn_` or `dm_` id."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry, "user_id",
                        MetaSchema { description :
                        Some("Id of the sender (`usr_`), a person or a bot; null for a system message."),
                        ..MetaSchema::ANY }), Property::new:: < MessageTypeValue >
                        (registry, "type", MetaSchema::ANY), Property::new:: < Nullable <
                        String > > (registry, "text", MetaSchema { description :
                        Some("Null if the message is deleted, and for a system message without text."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Vec < BTreeMap
                        < String, serde_json::Value > > > > (registry, "blocks",
                        MetaSchema { description :
                        Some("Blocks of a bot's message; null if the message has none or is deleted."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < BTreeMap <
                        String, serde_json::Value > > > (registry, "metadata", MetaSchema
                        { description :
                        Some("Metadata of a bot's message; null if the message has none or is deleted."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "thread_id", MetaSchema { description :
                        Some("Id of the message to which this message replies; null if this message is no reply or is deleted."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < FileRef > >
                        (registry, "files", MetaSchema { description :
                        Some("Attached files; empty if there are none."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "client_key", MetaSchema { description :
                        Some("The idempotency key of the message: the `client_key` of a person's message, or the `Idempotency-Key` of a bot's message. Null if the message has none or is deleted."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "via_label", MetaSchema { description :
                        Some("Name of the assistant through which the message was sent, as it was at that time; null for all other messages, and if the message is deleted."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < MessageEdit > >
                        (registry, "edits", MetaSchema { description :
                        Some("Former versions of the message, oldest first, at most 100: the original version and the newest former versions. Empty if the message is deleted."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When it was sent."), ..MetaSchema::ANY }), Property::new::
                        < Nullable < Timestamp > > (registry, "edited_at", MetaSchema {
                        description :
                        Some("When it was last edited; null if it was not."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Timestamp > >
                        (registry, "deleted_at", MetaSchema { description :
                        Some("When it was deleted; null if it was not."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A former version of a message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageEdit {
        /// The text as it was.
        pub text: Nullable<String>,
        /// The blocks as they were; null when there were none.
        pub blocks: Nullable<Vec<BTreeMap<String, serde_json::Value>>>,
        /// When an edit replaced this version.
        pub edited_at: Timestamp,
    }
    impl Described for MessageEdit {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("MessageEdit".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "MessageEdit",
                Some("A former version of a message."),
                |registry| {
                    vec![
                        Property::new:: < Nullable < String > > (registry, "text",
                        MetaSchema { description : Some("The text as it was."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Vec < BTreeMap
                        < String, serde_json::Value > > > > (registry, "blocks",
                        MetaSchema { description :
                        Some("The blocks as they were; null when there were none."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "edited_at", MetaSchema { description :
                        Some("When an edit replaced this version."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A file attached to a message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct FileRef {
        /// `fil_` id.
        pub id: String,
    }
    impl Described for FileRef {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AdminFileRef".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminFileRef",
                Some("A file attached to a message."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`fil_` id."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A message to store.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageCreate {
        /// Id of the sender (`usr_`). With a session it can only be the caller's id. Null for a system message of the operator.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub user_id: MaybeUndefined<String>,
        /// Must be `system` if and only if the message has no sender.
        #[serde(rename = "type")]
        pub r#type: MessageType,
        /// For a message of the type `text` without files: the text, which is required and not empty. For all other messages: a caption, which may be empty or absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub text: Option<String>,
        /// Ids of uploaded files of the company (`fil_`). A person may attach only files that the person owns.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub file_ids: Option<Vec<String>>,
        /// Id of the message to which the new message replies, in the same conversation. Any other value gets 400. Null is the same as left out.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub thread_id: MaybeUndefined<String>,
        /// An idempotency key, unique in the conversation. The idempotency keys of bots' messages in the conversation count, too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_key: Option<String>,
    }
    impl Described for MessageCreate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AdminMessageCreate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminMessageCreate",
                Some("A message to store."),
                |registry| {
                    vec![
                        Property::new:: < MaybeUndefined < String > > (registry,
                        "user_id", MetaSchema { description :
                        Some("Id of the sender (`usr_`). With a session it can only be the caller's id. Null for a system message of the operator."),
                        min_length : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        MessageType > (registry, "type", MetaSchema { description :
                        Some("Must be `system` if and only if the message has no sender."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "text", MetaSchema { description :
                        Some("For a message of the type `text` without files: the text, which is required and not empty. For all other messages: a caption, which may be empty or absent."),
                        max_length : Some(4000), ..MetaSchema::ANY }), Property::new:: <
                        Option < Vec < String > > > (registry, "file_ids", MetaSchema {
                        description :
                        Some("Ids of uploaded files of the company (`fil_`). A person may attach only files that the person owns."),
                        max_items : Some(20), items :
                        Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema {
                        min_length : Some(1), ..MetaSchema::ANY })))), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "thread_id", MetaSchema { description :
                        Some("Id of the message to which the new message replies, in the same conversation. Any other value gets 400. Null is the same as left out."),
                        min_length : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        Option < String > > (registry, "client_key", MetaSchema {
                        description :
                        Some("An idempotency key, unique in the conversation. The idempotency keys of bots' messages in the conversation count, too."),
                        min_length : Some(1), max_length : Some(255), pattern :
                        Some(String::from("^[\\x21-\\x7E]+$")), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The new text of a message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageUpdate {
        /// Replaces the text.
        pub text: String,
    }
    impl Described for MessageUpdate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AdminMessageUpdate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminMessageUpdate",
                Some("The new text of a message."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "text", MetaSchema {
                        description : Some("Replaces the text."), min_length : Some(1),
                        max_length : Some(4000), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageResult {
        pub ok: True,
        pub message: Message,
    }
    impl Described for MessageResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AdminMessageResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminMessageResult",
                Some("One message."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Message > (registry, "message",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// One page of messages.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessagePage {
        pub ok: True,
        /// The messages of the page.
        pub messages: Vec<Message>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for MessagePage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("MessagePage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "MessagePage",
                Some("One page of messages."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Message > > (registry, "messages",
                        MetaSchema { description : Some("The messages of the page."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A click on a button of a message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InteractionCreate {
        /// Id of the person who clicks (`usr_`).
        pub user_id: String,
        /// The `action_id` of the button.
        pub action_id: String,
        /// The value to send. If it is absent, the value of the message's button is sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub value: Option<String>,
    }
    impl Described for InteractionCreate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("InteractionCreate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "InteractionCreate",
                Some("A click on a button of a message."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "user_id", MetaSchema {
                        description : Some("Id of the person who clicks (`usr_`)."),
                        min_length : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        String > (registry, "action_id", MetaSchema { description :
                        Some("The `action_id` of the button."), min_length : Some(1),
                        max_length : Some(255), ..MetaSchema::ANY }), Property::new:: <
                        Option < String > > (registry, "value", MetaSchema { description
                        :
                        Some("The value to send. If it is absent, the value of the message's button is sent."),
                        max_length : Some(2000), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// An uploaded file.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct File {
        /// `fil_` id.
        pub id: String,
        /// `cmp_` id of the company.
        pub workspace_id: String,
        /// Name as uploaded.
        pub name: String,
        /// Media type as uploaded.
        pub mimetype: String,
        /// Bytes.
        pub size: i64,
        /// When it was uploaded.
        pub created_at: Timestamp,
    }
    impl Described for File {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AdminFile".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminFile",
                Some("An uploaded file."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`fil_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "workspace_id", MetaSchema
                        { description : Some("`cmp_` id of the company."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "name", MetaSchema { description : Some("Name as uploaded."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "mimetype", MetaSchema { description :
                        Some("Media type as uploaded."), ..MetaSchema::ANY }),
                        Property::new:: < i64 > (registry, "size", MetaSchema {
                        description : Some("Bytes."), format : Some("int64"),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When it was uploaded."), ..MetaSchema::ANY })
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
            MetaSchemaRef::Reference("AdminFileResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AdminFileResult",
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
    enumeration! {
        Scope as "Scope", closed, "A right of a bot token."; MessagesWrite =
        "messages:write", UsersRead = "users:read", UsersReadEmail = "users:read.email",
        ConversationsRead = "conversations:read", ConversationsHistory =
        "conversations:history", FilesRead = "files:read"
    }
    enumeration! {
        ScopeValue as "ScopeValue", extensible,
        "A `Scope` of an app or installation. More scopes may be added."; MessagesWrite =
        "messages:write", UsersRead = "users:read", UsersReadEmail = "users:read.email",
        ConversationsRead = "conversations:read", ConversationsHistory =
        "conversations:history", FilesRead = "files:read"
    }
    /// An app that companies can install.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct App {
        /// `app_` id.
        pub id: String,
        /// Name of the app and of its bot users.
        pub name: String,
        /// Begins with `svc_app_`.
        pub client_id: String,
        /// The URIs to which the install page may send the install code. The `redirect_uri` of a request to install the app must be identical to one of them.
        pub redirect_uris: Vec<String>,
        /// The URL to which events are sent; null for an app that gets no events.
        pub callback_url: Nullable<String>,
        /// The scopes that an installation may be granted.
        pub scopes: Vec<ScopeValue>,
        /// Whether the operator has disabled the app.
        pub disabled: bool,
        /// When it was created.
        pub created_at: Timestamp,
    }
    impl Described for App {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("App".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "App",
                Some("An app that companies can install."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`app_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "name", MetaSchema {
                        description : Some("Name of the app and of its bot users."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "client_id", MetaSchema { description :
                        Some("Begins with `svc_app_`."), ..MetaSchema::ANY }),
                        Property::new:: < Vec < String > > (registry, "redirect_uris",
                        MetaSchema { description :
                        Some("The URIs to which the install page may send the install code. The `redirect_uri` of a request to install the app must be identical to one of them."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "callback_url", MetaSchema { description :
                        Some("The URL to which events are sent; null for an app that gets no events."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < ScopeValue > >
                        (registry, "scopes", MetaSchema { description :
                        Some("The scopes that an installation may be granted."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "disabled", MetaSchema { description :
                        Some("Whether the operator has disabled the app."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When it was created."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// An app to register.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppCreate {
        /// Name of the app and of its bot users.
        pub name: String,
        /// The URIs to which the install page may send the install code. The `redirect_uri` of a request to install the app must be identical to one of them.
        pub redirect_uris: Vec<String>,
        /// The URL to which events are sent: `https` with a public host. In development, the hosts in the setting `allow_private_hosts` may be private and use `http`.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub callback_url: MaybeUndefined<String>,
        /// The scopes that an installation may be granted.
        pub scopes: Vec<Scope>,
    }
    impl Described for AppCreate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AppCreate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AppCreate",
                Some("An app to register."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "name", MetaSchema {
                        description : Some("Name of the app and of its bot users."),
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < Vec < String > > (registry,
                        "redirect_uris", MetaSchema { description :
                        Some("The URIs to which the install page may send the install code. The `redirect_uri` of a request to install the app must be identical to one of them."),
                        min_items : Some(1), max_items : Some(20), items :
                        Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema {
                        max_length : Some(2048), pattern :
                        Some(String::from("^https?://[^\\s#]+$")), ..MetaSchema::ANY
                        })))), ..MetaSchema::ANY }), Property::new:: < MaybeUndefined <
                        String > > (registry, "callback_url", MetaSchema { description :
                        Some("The URL to which events are sent: `https` with a public host. In development, the hosts in the setting `allow_private_hosts` may be private and use `http`."),
                        max_length : Some(2048), pattern :
                        Some(String::from("^https?://[^\\s#]+$")), ..MetaSchema::ANY }),
                        Property::new:: < Vec < Scope > > (registry, "scopes", MetaSchema
                        { description :
                        Some("The scopes that an installation may be granted."),
                        unique_items : Some(true), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// Changes to an app.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppUpdate {
        /// Name of the app and of its bot users.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Replaces the list.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub redirect_uris: Option<Vec<String>>,
        /// The URL to which events are sent, including retries of earlier events. Null if the app is to get no events.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub callback_url: MaybeUndefined<String>,
        /// Replaces the list; installations keep what they were granted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scopes: Option<Vec<Scope>>,
        /// True disables the app in every company and disconnects its installations.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub disabled: Option<bool>,
    }
    impl Described for AppUpdate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AppUpdate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AppUpdate",
                Some("Changes to an app."),
                |registry| {
                    vec![
                        Property::new:: < Option < String > > (registry, "name",
                        MetaSchema { description :
                        Some("Name of the app and of its bot users."), min_length :
                        Some(1), max_length : Some(200), ..MetaSchema::ANY }),
                        Property::new:: < Option < Vec < String > > > (registry,
                        "redirect_uris", MetaSchema { description :
                        Some("Replaces the list."), min_items : Some(1), max_items :
                        Some(20), items :
                        Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema {
                        max_length : Some(2048), pattern :
                        Some(String::from("^https?://[^\\s#]+$")), ..MetaSchema::ANY
                        })))), ..MetaSchema::ANY }), Property::new:: < MaybeUndefined <
                        String > > (registry, "callback_url", MetaSchema { description :
                        Some("The URL to which events are sent, including retries of earlier events. Null if the app is to get no events."),
                        max_length : Some(2048), pattern :
                        Some(String::from("^https?://[^\\s#]+$")), ..MetaSchema::ANY }),
                        Property::new:: < Option < Vec < Scope > > > (registry, "scopes",
                        MetaSchema { description :
                        Some("Replaces the list; installations keep what they were granted."),
                        unique_items : Some(true), ..MetaSchema::ANY }), Property::new::
                        < Option < bool > > (registry, "disabled", MetaSchema {
                        description :
                        Some("True disables the app in every company and disconnects its installations."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One app.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppResult {
        pub ok: True,
        pub app: App,
    }
    impl Described for AppResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AppResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AppResult",
                Some("One app."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < App > (registry, "app", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// A new app and its secrets.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppCreated {
        pub ok: True,
        pub app: App,
        /// Begins with `svc_app_`.
        pub client_id: String,
        /// Begins with `svc_sec_`. No other operation returns it.
        pub client_secret: String,
        /// Begins with `whsec_`. No other operation returns it.
        pub signing_secret: String,
    }
    impl Described for AppCreated {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AppCreated".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AppCreated",
                Some("A new app and its secrets."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < App > (registry, "app", MetaSchema::ANY),
                        Property::new:: < String > (registry, "client_id", MetaSchema {
                        description : Some("Begins with `svc_app_`."), ..MetaSchema::ANY
                        }), Property::new:: < String > (registry, "client_secret",
                        MetaSchema { description :
                        Some("Begins with `svc_sec_`. No other operation returns it."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "signing_secret", MetaSchema { description :
                        Some("Begins with `whsec_`. No other operation returns it."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One page of apps.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppPage {
        pub ok: True,
        /// The apps of the page, oldest first.
        pub apps: Vec<App>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for AppPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AppPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AppPage",
                Some("One page of apps."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < App > > (registry, "apps", MetaSchema {
                        description : Some("The apps of the page, oldest first."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        SecretKind as "SecretKind", closed,
        "`signing`: the secret that signs events; `client`: the secret with which the app authenticates at `/oauth/token` and `/oauth/revoke`.";
        Signing = "signing", Client = "client"
    }
    /// The secret to replace.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SecretRotate {
        pub secret: SecretKind,
    }
    impl Described for SecretRotate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("SecretRotate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "SecretRotate",
                Some("The secret to replace."),
                |registry| {
                    vec![
                        Property::new:: < SecretKind > (registry, "secret",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// The new secret, in the member of the secret that was replaced. The other member is absent.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SecretRotated {
        pub ok: True,
        /// Begins with `whsec_`. No other operation returns it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub signing_secret: Option<String>,
        /// Begins with `svc_sec_`. No other operation returns it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_secret: Option<String>,
    }
    impl Described for SecretRotated {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("SecretRotated".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "SecretRotated",
                Some(
                    "The new secret, in the member of the secret that was replaced. The other member is absent.",
                ),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Option < String > > (registry,
                        "signing_secret", MetaSchema { description :
                        Some("Begins with `whsec_`. No other operation returns it."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "client_secret", MetaSchema { description :
                        Some("Begins with `svc_sec_`. No other operation returns it."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        EventType as "EventType", closed, "Type of an event."; AppUninstalled =
        "app.uninstalled", DirectoryChanged = "directory.changed", Interaction =
        "interaction"
    }
    enumeration! {
        EventTypeValue as "EventTypeValue", extensible,
        "The `EventType` of an event. More types may be added."; AppUninstalled =
        "app.uninstalled", DirectoryChanged = "directory.changed", Interaction =
        "interaction"
    }
    enumeration! {
        DirectoryKind as "DirectoryKind", closed,
        "The kind of a test event of the type `directory.changed`; `user.updated` when absent.";
        UserCreated = "user.created", UserUpdated = "user.updated", UserDeactivated =
        "user.deactivated", ConversationCreated = "conversation.created",
        ConversationRenamed = "conversation.renamed", ConversationArchived =
        "conversation.archived", ConversationDeleted = "conversation.deleted",
        AppRemovedFromConversation = "app.removed_from_conversation"
    }
    enumeration! {
        LogOrder as "LogOrder", closed,
        "The order of the entries of the delivery log or of the audit; see the parameter `order`.";
        Newest = "newest", Ingested = "ingested"
    }
    enumeration! {
        DeliveryState as "DeliveryState", closed,
        "`pending`: the event waits for its next attempt. `delivered`: the attempt got a 2xx response. `failed`: the attempt got no 2xx response. `dropped`: the event is no longer attempted; `error` has the reason.";
        Pending = "pending", Delivered = "delivered", Failed = "failed", Dropped =
        "dropped"
    }
    enumeration! {
        DeliveryStateValue as "DeliveryStateValue", extensible,
        "The `DeliveryState` of an entry of the delivery log. More states may be added.";
        Pending = "pending", Delivered = "delivered", Failed = "failed", Dropped =
        "dropped"
    }
    /// An entry of the delivery log: one attempt to deliver an event, the next attempt of a pending event, or a dropped event.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Delivery {
        /// Id of the event (`evt_`). Every attempt of an event has the same id.
        pub event_id: String,
        #[serde(rename = "type")]
        pub r#type: EventTypeValue,
        /// `cmp_` id of the company.
        pub workspace_id: String,
        /// `ins_` id of the installation that gets the event.
        pub installation_id: String,
        /// Number of the attempt, counted from 1. For a pending or dropped event, the number of finished attempts plus one.
        pub attempt: i64,
        pub state: DeliveryStateValue,
        /// HTTP status of the callback's response; null without a response.
        pub status: Nullable<i64>,
        /// Why the attempt failed: `status` (a response other than 2xx), `timeout` (no response within 3 seconds), `dns`, `forbidden_address` (not on the public Internet), `connect`, `tls`, `closed` (the connection was closed without a response), `protocol` (the response is not HTTP) or `url` (the URL is not HTTPS). Why the event was dropped: `disconnected`, `no_callback_url` or `expired`. Null for all other entries.
        pub error: Nullable<String>,
        /// Milliseconds until the head of the response or the failure; null for a pending or dropped event.
        pub latency_ms: Nullable<i64>,
        /// The first 1,024 bytes of the response body; null without a response. If the sandbox console made the attempt fail and there is no response body, a text that says so.
        pub answer: Nullable<String>,
        /// When the attempt began; null for a pending or dropped event.
        pub at: Nullable<Timestamp>,
        /// When a pending event is due, or when a failed attempt is retried. Null if no attempt follows.
        pub next_attempt_at: Nullable<Timestamp>,
        /// When the event was created.
        pub created_at: Timestamp,
    }
    impl Described for Delivery {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Delivery".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Delivery",
                Some(
                    "An entry of the delivery log: one attempt to deliver an event, the next attempt of a pending event, or a dropped event.",
                ),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "event_id", MetaSchema {
                        description :
                        Some("Id of the event (`evt_`). Every attempt of an event has the same id."),
                        ..MetaSchema::ANY }), Property::new:: < EventTypeValue >
                        (registry, "type", MetaSchema::ANY), Property::new:: < String >
                        (registry, "workspace_id", MetaSchema { description :
                        Some("`cmp_` id of the company."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "installation_id",
                        MetaSchema { description :
                        Some("`ins_` id of the installation that gets the event."),
                        ..MetaSchema::ANY }), Property::new:: < i64 > (registry,
                        "attempt", MetaSchema { description :
                        Some("Number of the attempt, counted from 1. For a pending or dropped event, the number of finished attempts plus one."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        DeliveryStateValue > (registry, "state", MetaSchema::ANY),
                        Property::new:: < Nullable < i64 > > (registry, "status",
                        MetaSchema { description :
                        Some("HTTP status of the callback's response; null without a response."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < String > > (registry, "error", MetaSchema {
                        description :
                        Some("Why the attempt failed: `status` (a response other than 2xx), `timeout` (no response within 3 seconds), `dns`, `forbidden_address` (not on the public Internet), `connect`, `tls`, `closed` (the connection was closed without a response), `protocol` (the response is not HTTP) or `url` (the URL is not HTTPS). Why the event was dropped: `disconnected`, `no_callback_url` or `expired`. Null for all other entries."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < i64 > >
                        (registry, "latency_ms", MetaSchema { description :
                        Some("Milliseconds until the head of the response or the failure; null for a pending or dropped event."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < String > > (registry, "answer", MetaSchema {
                        description :
                        Some("The first 1,024 bytes of the response body; null without a response. If the sandbox console made the attempt fail and there is no response body, a text that says so."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Timestamp > >
                        (registry, "at", MetaSchema { description :
                        Some("When the attempt began; null for a pending or dropped event."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Timestamp > >
                        (registry, "next_attempt_at", MetaSchema { description :
                        Some("When a pending event is due, or when a failed attempt is retried. Null if no attempt follows."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When the event was created."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        RedeliverState as "RedeliverState", closed,
        "`failed`, the default: events whose last scheduled attempt failed; `all`: also delivered and dropped events.";
        Failed = "failed", All = "all"
    }
    /// Which events to deliver again.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct RedeliverRequest {
        /// Events created at this time or later.
        pub since: Timestamp,
        /// Events created before this time. If it is absent, the span has no end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub until: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub state: Option<RedeliverState>,
        #[serde(rename = "type")]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub r#type: Option<EventType>,
    }
    impl Described for RedeliverRequest {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("RedeliverRequest".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "RedeliverRequest",
                Some("Which events to deliver again."),
                |registry| {
                    vec![
                        Property::new:: < Timestamp > (registry, "since", MetaSchema {
                        description : Some("Events created at this time or later."),
                        ..MetaSchema::ANY }), Property::new:: < Option < Timestamp > >
                        (registry, "until", MetaSchema { description :
                        Some("Events created before this time. If it is absent, the span has no end."),
                        ..MetaSchema::ANY }), Property::new:: < Option < RedeliverState >
                        > (registry, "state", MetaSchema::ANY), Property::new:: < Option
                        < EventType > > (registry, "type", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// The result of a redelivery.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Redelivered {
        pub ok: True,
        /// The number of events that are queued again.
        pub redelivered: i64,
    }
    impl Described for Redelivered {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Redelivered".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Redelivered",
                Some("The result of a redelivery."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < i64 > (registry, "redelivered", MetaSchema {
                        description :
                        Some("The number of events that are queued again."), format :
                        Some("int64"), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// An event to send to the app.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct TestEventCreate {
        #[serde(rename = "type")]
        pub r#type: EventType,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub kind: Option<DirectoryKind>,
        /// Id of a connected installation of the app (`ins_`). If it is absent, the event is for the newest connected installation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub installation_id: Option<String>,
    }
    impl Described for TestEventCreate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("TestEventCreate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "TestEventCreate",
                Some("An event to send to the app."),
                |registry| {
                    vec![
                        Property::new:: < EventType > (registry, "type",
                        MetaSchema::ANY), Property::new:: < Option < DirectoryKind > >
                        (registry, "kind", MetaSchema::ANY), Property::new:: < Option <
                        String > > (registry, "installation_id", MetaSchema { description
                        :
                        Some("Id of a connected installation of the app (`ins_`). If it is absent, the event is for the newest connected installation."),
                        min_length : Some(1), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// An event that is queued for delivery.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct EventQueued {
        pub ok: True,
        /// `evt_` id.
        pub event_id: String,
    }
    impl Described for EventQueued {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("EventQueued".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "EventQueued",
                Some("An event that is queued for delivery."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < String > (registry, "event_id", MetaSchema {
                        description : Some("`evt_` id."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One page of the delivery log.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct DeliveryPage {
        pub ok: True,
        /// The entries of the page.
        pub deliveries: Vec<Delivery>,
        /// Null on the last page; never null with `order=ingested`.
        pub next_cursor: Nullable<String>,
    }
    impl Described for DeliveryPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("DeliveryPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "DeliveryPage",
                Some("One page of the delivery log."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Delivery > > (registry, "deliveries",
                        MetaSchema { description : Some("The entries of the page."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page; never null with `order=ingested`."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// An app to install.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InstallationCreate {
        /// `app_` id of the app.
        pub app_id: String,
        /// The scopes to grant, among those of the app; all scopes of the app when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scopes: Option<Vec<Scope>>,
        /// One of the app's redirect URIs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub redirect_uri: Option<String>,
        /// PKCE challenge of the method `S256`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub code_challenge: Option<String>,
    }
    impl Described for InstallationCreate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("InstallationCreate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "InstallationCreate",
                Some("An app to install."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "app_id", MetaSchema {
                        description : Some("`app_` id of the app."), min_length :
                        Some(1), ..MetaSchema::ANY }), Property::new:: < Option < Vec <
                        Scope > > > (registry, "scopes", MetaSchema { description :
                        Some("The scopes to grant, among those of the app; all scopes of the app when absent."),
                        unique_items : Some(true), ..MetaSchema::ANY }), Property::new::
                        < Option < String > > (registry, "redirect_uri", MetaSchema {
                        description : Some("One of the app's redirect URIs."), max_length
                        : Some(2048), pattern :
                        Some(String::from("^https?://[^\\s#]+$")), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry,
                        "code_challenge", MetaSchema { description :
                        Some("PKCE challenge of the method `S256`."), pattern :
                        Some(String::from("^[A-Za-z0-9_-]{43}$")), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// An install code, which the app exchanges at `/oauth/token`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InstallationCode {
        pub ok: True,
        /// Begins with `svc_code_`. Valid for one exchange.
        pub code: String,
        /// Lifetime of the code in seconds, always 600.
        pub expires_in: i64,
    }
    impl Described for InstallationCode {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("InstallationCode".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "InstallationCode",
                Some("An install code, which the app exchanges at `/oauth/token`."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < String > (registry, "code", MetaSchema {
                        description :
                        Some("Begins with `svc_code_`. Valid for one exchange."),
                        ..MetaSchema::ANY }), Property::new:: < i64 > (registry,
                        "expires_in", MetaSchema { description :
                        Some("Lifetime of the code in seconds, always 600."), format :
                        Some("int64"), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        InstallationState as "InstallationState", closed,
        "Whether the app can act in the company."; Connected = "connected", Disconnected
        = "disconnected"
    }
    enumeration! {
        DisconnectReason as "DisconnectReason", extensible,
        "Why an installation was disconnected: an admin uninstalled the app (`admin`), the operator disabled the app (`app_disabled`), or the app revoked its own token (`app_revoked`). More reasons may be added.";
        Admin = "admin", AppDisabled = "app_disabled", AppRevoked = "app_revoked"
    }
    /// An app in a company.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Installation {
        /// `ins_` id.
        pub id: String,
        /// `app_` id of the app.
        pub app_id: String,
        /// `cmp_` id of the company.
        pub workspace_id: String,
        /// `usr_` id of the app's bot user in this company.
        pub bot_user_id: String,
        /// The scopes that the app was granted in the company.
        pub scopes: Vec<ScopeValue>,
        pub state: InstallationState,
        /// Why it is disconnected; null while connected.
        pub reason: Nullable<DisconnectReason>,
        /// Id of the admin who approved the installation (`usr_`); null if the operator approved it and named no admin.
        pub installed_by: Nullable<String>,
        /// When the app was installed.
        pub created_at: Timestamp,
        /// When it was disconnected; null while connected.
        pub disconnected_at: Nullable<Timestamp>,
    }
    impl Described for Installation {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Installation".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Installation",
                Some("An app in a company."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`ins_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "app_id", MetaSchema {
                        description : Some("`app_` id of the app."), ..MetaSchema::ANY
                        }), Property::new:: < String > (registry, "workspace_id",
                        MetaSchema { description : Some("`cmp_` id of the company."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "bot_user_id", MetaSchema { description :
                        Some("`usr_` id of the app's bot user in this company."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < ScopeValue > >
                        (registry, "scopes", MetaSchema { description :
                        Some("The scopes that the app was granted in the company."),
                        ..MetaSchema::ANY }), Property::new:: < InstallationState >
                        (registry, "state", MetaSchema::ANY), Property::new:: < Nullable
                        < DisconnectReason > > (registry, "reason", MetaSchema {
                        description :
                        Some("Why it is disconnected; null while connected."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "installed_by", MetaSchema { description :
                        Some("Id of the admin who approved the installation (`usr_`); null if the operator approved it and named no admin."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When the app was installed."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < Timestamp > > (registry,
                        "disconnected_at", MetaSchema { description :
                        Some("When it was disconnected; null while connected."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One page of installations.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InstallationPage {
        pub ok: True,
        /// The installations of the page.
        pub installations: Vec<Installation>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for InstallationPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("InstallationPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "InstallationPage",
                Some("One page of installations."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Installation > > (registry,
                        "installations", MetaSchema { description :
                        Some("The installations of the page."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry, "next_cursor",
                        MetaSchema { description : Some("Null on the last page."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        ClientKind as "ClientKind", extensible,
        "Whether the client is registered at this server or identified by a metadata document. More kinds may be added.";
        Registered = "registered", MetadataDocument = "metadata_document"
    }
    enumeration! {
        ConnectionState as "ConnectionState", closed,
        "Whether the client may still act. A connection that has expired is `revoked`, too.";
        Active = "active", Revoked = "revoked"
    }
    enumeration! {
        RevokeReason as "RevokeReason", extensible,
        "Why a connection ended. `employee`: the employee disconnected it. `admin`: an admin or the operator revoked it. `client_blocked`: the company blocked the client. `assistants_off`: the company turned assistants off. `user_deactivated`, `user_removed`, `logged_out`: the employee was deactivated, removed or logged out. `not_employee`: the person is a guest or still onboarding. `replaced`: a newer connection replaced it. `refresh_expired`: it was not refreshed for 30 days. `session_expired`: the company's maximum lifetime was reached. `client`: the client revoked it. `code_reused`, `refresh_reused`: an authorization code or a refresh token was used again. More reasons may be added.";
        Employee = "employee", Admin = "admin", ClientBlocked = "client_blocked",
        AssistantsOff = "assistants_off", UserDeactivated = "user_deactivated",
        UserRemoved = "user_removed", LoggedOut = "logged_out", NotEmployee =
        "not_employee", Replaced = "replaced", RefreshExpired = "refresh_expired",
        SessionExpired = "session_expired", Client = "client", CodeReused =
        "code_reused", RefreshReused = "refresh_reused"
    }
    /// An assistant client that acts for one employee in one company.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Connection {
        /// `con_` id.
        pub id: String,
        /// `usr_` id of the employee.
        pub user_id: String,
        /// Begins with `mcpc_`, or is the URL of the client's metadata document.
        pub client_id: String,
        pub client_kind: ClientKind,
        /// The client's name as people see it.
        pub display_name: String,
        /// The block key, by which a company can block the client.
        pub block_key: String,
        /// The URI to which the authorization code was sent.
        pub redirect_uri: String,
        /// The URL of the MCP endpoint for which the tokens of the connection are issued.
        pub resource: String,
        /// Scopes, separated by spaces.
        pub scope: String,
        /// When the client exchanged the authorization code, after the employee had approved the connection.
        pub created_at: Timestamp,
        /// When its tokens were last refreshed; null if they were not.
        pub refreshed_at: Nullable<Timestamp>,
        /// When the client last used the connection; null if it did not.
        pub last_used_at: Nullable<Timestamp>,
        pub state: ConnectionState,
        /// Why it is revoked; null while active.
        pub reason: Nullable<RevokeReason>,
    }
    impl Described for Connection {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Connection".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "Connection",
                Some("An assistant client that acts for one employee in one company."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`con_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "user_id", MetaSchema {
                        description : Some("`usr_` id of the employee."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "client_id", MetaSchema { description :
                        Some("Begins with `mcpc_`, or is the URL of the client's metadata document."),
                        ..MetaSchema::ANY }), Property::new:: < ClientKind > (registry,
                        "client_kind", MetaSchema::ANY), Property::new:: < String >
                        (registry, "display_name", MetaSchema { description :
                        Some("The client's name as people see it."), ..MetaSchema::ANY
                        }), Property::new:: < String > (registry, "block_key", MetaSchema
                        { description :
                        Some("The block key, by which a company can block the client."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "redirect_uri", MetaSchema { description :
                        Some("The URI to which the authorization code was sent."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "resource", MetaSchema { description :
                        Some("The URL of the MCP endpoint for which the tokens of the connection are issued."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "scope", MetaSchema { description :
                        Some("Scopes, separated by spaces."), ..MetaSchema::ANY }),
                        Property::new:: < Timestamp > (registry, "created_at", MetaSchema
                        { description :
                        Some("When the client exchanged the authorization code, after the employee had approved the connection."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Timestamp > >
                        (registry, "refreshed_at", MetaSchema { description :
                        Some("When its tokens were last refreshed; null if they were not."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Timestamp > >
                        (registry, "last_used_at", MetaSchema { description :
                        Some("When the client last used the connection; null if it did not."),
                        ..MetaSchema::ANY }), Property::new:: < ConnectionState >
                        (registry, "state", MetaSchema::ANY), Property::new:: < Nullable
                        < RevokeReason > > (registry, "reason", MetaSchema { description
                        : Some("Why it is revoked; null while active."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One page of connections.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConnectionPage {
        pub ok: True,
        /// The connections of the page.
        pub connections: Vec<Connection>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for ConnectionPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ConnectionPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ConnectionPage",
                Some("One page of connections."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Connection > > (registry, "connections",
                        MetaSchema { description : Some("The connections of the page."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A block key that a company has blocked.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClientBlock {
        /// The block key.
        pub key: String,
        /// Name of the clients with this key: the fixed name of a well-known key, otherwise the name that was known when the key was blocked. Null if no name was known.
        pub display_name: Nullable<String>,
        /// When it was blocked.
        pub created_at: Timestamp,
    }
    impl Described for ClientBlock {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ClientBlock".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ClientBlock",
                Some("A block key that a company has blocked."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "key", MetaSchema {
                        description : Some("The block key."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry,
                        "display_name", MetaSchema { description :
                        Some("Name of the clients with this key: the fixed name of a well-known key, otherwise the name that was known when the key was blocked. Null if no name was known."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When it was blocked."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One page of blocks.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClientBlockPage {
        pub ok: True,
        /// The blocks of the page.
        pub client_blocks: Vec<ClientBlock>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for ClientBlockPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ClientBlockPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ClientBlockPage",
                Some("One page of blocks."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < ClientBlock > > (registry,
                        "client_blocks", MetaSchema { description :
                        Some("The blocks of the page."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry, "next_cursor",
                        MetaSchema { description : Some("Null on the last page."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The result of a block.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClientBlocked {
        pub ok: True,
        /// The number of connections that this request revoked.
        pub revoked: i64,
    }
    impl Described for ClientBlocked {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ClientBlocked".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ClientBlocked",
                Some("The result of a block."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < i64 > (registry, "revoked", MetaSchema {
                        description :
                        Some("The number of connections that this request revoked."),
                        format : Some("int64"), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// An assistant's OAuth client, which is registered or has a metadata document.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AssistantClient {
        /// Begins with `mcpc_`, or is the URL of the client's metadata document.
        pub client_id: String,
        pub kind: ClientKind,
        /// The client's name as people see it.
        pub display_name: String,
        /// The block keys of the client. The redirect URI of a connection determines which key applies.
        pub block_keys: Vec<String>,
        /// When it was registered, or when its metadata document was first fetched.
        pub created_at: Timestamp,
        /// When a connection of the client was last created or refreshed; null if there was none.
        pub last_used_at: Nullable<Timestamp>,
    }
    impl Described for AssistantClient {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AssistantClient".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AssistantClient",
                Some(
                    "An assistant's OAuth client, which is registered or has a metadata document.",
                ),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "client_id", MetaSchema {
                        description :
                        Some("Begins with `mcpc_`, or is the URL of the client's metadata document."),
                        ..MetaSchema::ANY }), Property::new:: < ClientKind > (registry,
                        "kind", MetaSchema::ANY), Property::new:: < String > (registry,
                        "display_name", MetaSchema { description :
                        Some("The client's name as people see it."), ..MetaSchema::ANY
                        }), Property::new:: < Vec < String > > (registry, "block_keys",
                        MetaSchema { description :
                        Some("The block keys of the client. The redirect URI of a connection determines which key applies."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When it was registered, or when its metadata document was first fetched."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Timestamp > >
                        (registry, "last_used_at", MetaSchema { description :
                        Some("When a connection of the client was last created or refreshed; null if there was none."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One page of assistant clients.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AssistantClientPage {
        pub ok: True,
        /// The clients of the page.
        pub assistant_clients: Vec<AssistantClient>,
        /// Null on the last page.
        pub next_cursor: Nullable<String>,
    }
    impl Described for AssistantClientPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("AssistantClientPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "AssistantClientPage",
                Some("One page of assistant clients."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < AssistantClient > > (registry,
                        "assistant_clients", MetaSchema { description :
                        Some("The clients of the page."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry, "next_cursor",
                        MetaSchema { description : Some("Null on the last page."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    enumeration! {
        ToolOutcome as "ToolOutcome", closed,
        "The outcome of a call: it succeeded (`ok`), it was rejected (`refused`), or it has no result (`failed`), because the server failed or the client disconnected.";
        Ok = "ok", Refused = "refused", Failed = "failed"
    }
    enumeration! {
        ToolOutcomeValue as "ToolOutcomeValue", extensible,
        "The `ToolOutcome` of a call. More outcomes may be added."; Ok = "ok", Refused =
        "refused", Failed = "failed"
    }
    /// One call of a tool by an assistant for an employee. `outcome` is the outcome of the tool. After a call of a read-only tool, the assistant can get an error although the outcome is `ok`: before the response was sent, the connection was revoked, or the employee left a conversation that the call had read.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ToolCall {
        /// `tlc_` id.
        pub id: String,
        /// `usr_` id of the employee.
        pub user_id: String,
        /// `con_` id of the connection.
        pub connection_id: String,
        /// Begins with `mcpc_`, or is the URL of the client's metadata document.
        pub client_id: String,
        /// The client's name as people saw it at the time of the call.
        pub display_name: String,
        /// The tool's name.
        pub tool: String,
        pub outcome: ToolOutcomeValue,
        /// The error code of the call; null when the call is `ok`.
        pub error_code: Nullable<String>,
        /// Ids of the objects that the call read or changed, at most 20.
        pub targets: Vec<String>,
        /// The number of further objects, whose ids are not in `targets`.
        pub more_targets: i64,
        /// Duration in microseconds.
        pub latency_us: i64,
        /// When the call ended.
        pub at: Timestamp,
    }
    impl Described for ToolCall {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ToolCall".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ToolCall",
                Some(
                    "One call of a tool by an assistant for an employee. `outcome` is the outcome of the tool. After a call of a read-only tool, the assistant can get an error although the outcome is `ok`: before the response was sent, the connection was revoked, or the employee left a conversation that the call had read.",
                ),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description : Some("`tlc_` id."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "user_id", MetaSchema {
                        description : Some("`usr_` id of the employee."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "connection_id", MetaSchema { description :
                        Some("`con_` id of the connection."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "client_id", MetaSchema {
                        description :
                        Some("Begins with `mcpc_`, or is the URL of the client's metadata document."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "display_name", MetaSchema { description :
                        Some("The client's name as people saw it at the time of the call."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "tool", MetaSchema { description : Some("The tool's name."),
                        ..MetaSchema::ANY }), Property::new:: < ToolOutcomeValue >
                        (registry, "outcome", MetaSchema::ANY), Property::new:: <
                        Nullable < String > > (registry, "error_code", MetaSchema {
                        description :
                        Some("The error code of the call; null when the call is `ok`."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < String > >
                        (registry, "targets", MetaSchema { description :
                        Some("Ids of the objects that the call read or changed, at most 20."),
                        ..MetaSchema::ANY }), Property::new:: < i64 > (registry,
                        "more_targets", MetaSchema { description :
                        Some("The number of further objects, whose ids are not in `targets`."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        i64 > (registry, "latency_us", MetaSchema { description :
                        Some("Duration in microseconds."), format : Some("int64"),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "at", MetaSchema { description : Some("When the call ended."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// One page of tool calls.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ToolCallPage {
        pub ok: True,
        /// The calls of the page.
        pub tool_calls: Vec<ToolCall>,
        /// Null on the last page; never null with `order=ingested`.
        pub next_cursor: Nullable<String>,
    }
    impl Described for ToolCallPage {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ToolCallPage".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ToolCallPage",
                Some("One page of tool calls."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < ToolCall > > (registry, "tool_calls",
                        MetaSchema { description : Some("The calls of the page."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page; never null with `order=ingested`."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// A move of the clock: exactly one of the two members.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClockUpdate {
        /// Seconds to move ahead, in addition to earlier moves; at most ten years.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub advance_seconds: Option<i64>,
        /// Moves the clock back to real time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub reset: Option<True>,
    }
    impl Described for ClockUpdate {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ClockUpdate".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ClockUpdate",
                Some("A move of the clock: exactly one of the two members."),
                |registry| {
                    vec![
                        Property::new:: < Option < i64 > > (registry, "advance_seconds",
                        MetaSchema { description :
                        Some("Seconds to move ahead, in addition to earlier moves; at most ten years."),
                        format : Some("int64"), minimum : Some(1.0), maximum :
                        Some(315360000.0), ..MetaSchema::ANY }), Property::new:: < Option
                        < True > > (registry, "reset", MetaSchema { description :
                        Some("Moves the clock back to real time."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// The clock of the sandbox.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClockResult {
        pub ok: True,
        /// The time in the sandbox.
        pub now: Timestamp,
        /// The seconds by which the clock is ahead of real time.
        pub offset_seconds: i64,
    }
    impl Described for ClockResult {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ClockResult".into())
        }
        fn register(registry: &mut Registry) {
            describe_object::<
                Self,
            >(
                registry,
                "ClockResult",
                Some("The clock of the sandbox."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Timestamp > (registry, "now", MetaSchema {
                        description : Some("The time in the sandbox."), ..MetaSchema::ANY
                        }), Property::new:: < i64 > (registry, "offset_seconds",
                        MetaSchema { description :
                        Some("The seconds by which the clock is ahead of real time."),
                        format : Some("int64"), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    impl BodySchema for AppCreate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("AppCreate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for AppUpdate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("AppUpdate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for ClockUpdate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("ClockUpdate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for ConversationCreate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("ConversationCreate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for ConversationUpdate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("ConversationUpdate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for InstallationCreate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("InstallationCreate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for InteractionCreate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("InteractionCreate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for MessageCreate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("AdminMessageCreate")
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
                CONTRACT.schema("AdminMessageUpdate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for RedeliverRequest {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("RedeliverRequest")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for SecretRotate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("SecretRotate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for SessionCreate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("SessionCreate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for TestEventCreate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("TestEventCreate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for UserCreate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("UserCreate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for UserStateChange {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("UserStateChange")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for UserUpdate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("UserUpdate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for WorkspaceCreate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("WorkspaceCreate")
            });
            &SCHEMA
        }
        fn contract() -> &'static Contract {
            &CONTRACT
        }
    }
    impl BodySchema for WorkspaceUpdate {
        fn rules() -> &'static Schema {
            static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| {
                CONTRACT.schema("WorkspaceUpdate")
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
        <SessionCreate as Described>::register(registry);
        <SessionCreated as Described>::register(registry);
        <Membership as Described>::register(registry);
        <Workspace as Described>::register(registry);
        <AssistantSends as Described>::register(registry);
        <AssistantSendsValue as Described>::register(registry);
        <WorkspaceCreate as Described>::register(registry);
        <WorkspaceUpdate as Described>::register(registry);
        <WorkspaceResult as Described>::register(registry);
        <FileUsage as Described>::register(registry);
        <WorkspacePage as Described>::register(registry);
        <UserState as Described>::register(registry);
        <User as Described>::register(registry);
        <UserCreate as Described>::register(registry);
        <UserUpdate as Described>::register(registry);
        <UserStateChange as Described>::register(registry);
        <UserResult as Described>::register(registry);
        <UserPage as Described>::register(registry);
        <ConversationKind as Described>::register(registry);
        <ConversationType as Described>::register(registry);
        <Conversation as Described>::register(registry);
        <ConversationDetail as Described>::register(registry);
        <Member as Described>::register(registry);
        <ConversationCreate as Described>::register(registry);
        <ConversationUpdate as Described>::register(registry);
        <ConversationResult as Described>::register(registry);
        <ConversationDetailResult as Described>::register(registry);
        <ConversationPage as Described>::register(registry);
        <MemberPage as Described>::register(registry);
        <MessageType as Described>::register(registry);
        <MessageTypeValue as Described>::register(registry);
        <Message as Described>::register(registry);
        <MessageEdit as Described>::register(registry);
        <FileRef as Described>::register(registry);
        <MessageCreate as Described>::register(registry);
        <MessageUpdate as Described>::register(registry);
        <MessageResult as Described>::register(registry);
        <MessagePage as Described>::register(registry);
        <InteractionCreate as Described>::register(registry);
        <File as Described>::register(registry);
        <FileResult as Described>::register(registry);
        <Scope as Described>::register(registry);
        <ScopeValue as Described>::register(registry);
        <App as Described>::register(registry);
        <AppCreate as Described>::register(registry);
        <AppUpdate as Described>::register(registry);
        <AppResult as Described>::register(registry);
        <AppCreated as Described>::register(registry);
        <AppPage as Described>::register(registry);
        <SecretKind as Described>::register(registry);
        <SecretRotate as Described>::register(registry);
        <SecretRotated as Described>::register(registry);
        <EventType as Described>::register(registry);
        <EventTypeValue as Described>::register(registry);
        <DirectoryKind as Described>::register(registry);
        <LogOrder as Described>::register(registry);
        <DeliveryState as Described>::register(registry);
        <DeliveryStateValue as Described>::register(registry);
        <Delivery as Described>::register(registry);
        <RedeliverState as Described>::register(registry);
        <RedeliverRequest as Described>::register(registry);
        <Redelivered as Described>::register(registry);
        <TestEventCreate as Described>::register(registry);
        <EventQueued as Described>::register(registry);
        <DeliveryPage as Described>::register(registry);
        <InstallationCreate as Described>::register(registry);
        <InstallationCode as Described>::register(registry);
        <InstallationState as Described>::register(registry);
        <DisconnectReason as Described>::register(registry);
        <Installation as Described>::register(registry);
        <InstallationPage as Described>::register(registry);
        <ClientKind as Described>::register(registry);
        <ConnectionState as Described>::register(registry);
        <RevokeReason as Described>::register(registry);
        <Connection as Described>::register(registry);
        <ConnectionPage as Described>::register(registry);
        <ClientBlock as Described>::register(registry);
        <ClientBlockPage as Described>::register(registry);
        <ClientBlocked as Described>::register(registry);
        <AssistantClient as Described>::register(registry);
        <AssistantClientPage as Described>::register(registry);
        <ToolOutcome as Described>::register(registry);
        <ToolOutcomeValue as Described>::register(registry);
        <ToolCall as Described>::register(registry);
        <ToolCallPage as Described>::register(registry);
        <ClockUpdate as Described>::register(registry);
        <ClockResult as Described>::register(registry);
    }
    /// Reads a value into the type of a schema and writes it again, for tests of examples.
    #[cfg(test)]
    pub fn round_trip(
        schema: &str,
        value: serde_json::Value,
    ) -> serde_json::Result<serde_json::Value> {
        match schema {
            "AdminTrue" => serde_json::to_value(serde_json::from_value::<True>(value)?),
            "AdminFalse" => serde_json::to_value(serde_json::from_value::<False>(value)?),
            "AdminErrorEnvelope" => {
                serde_json::to_value(serde_json::from_value::<ErrorEnvelope>(value)?)
            }
            "AdminErrorDetail" => {
                serde_json::to_value(serde_json::from_value::<ErrorDetail>(value)?)
            }
            "AdminOkResult" => {
                serde_json::to_value(serde_json::from_value::<OkResult>(value)?)
            }
            "SessionCreate" => {
                serde_json::to_value(serde_json::from_value::<SessionCreate>(value)?)
            }
            "SessionCreated" => {
                serde_json::to_value(serde_json::from_value::<SessionCreated>(value)?)
            }
            "Membership" => {
                serde_json::to_value(serde_json::from_value::<Membership>(value)?)
            }
            "AdminWorkspace" => {
                serde_json::to_value(serde_json::from_value::<Workspace>(value)?)
            }
            "AssistantSends" => {
                serde_json::to_value(serde_json::from_value::<AssistantSends>(value)?)
            }
            "AssistantSendsValue" => {
                serde_json::to_value(
                    serde_json::from_value::<AssistantSendsValue>(value)?,
                )
            }
            "WorkspaceCreate" => {
                serde_json::to_value(serde_json::from_value::<WorkspaceCreate>(value)?)
            }
            "WorkspaceUpdate" => {
                serde_json::to_value(serde_json::from_value::<WorkspaceUpdate>(value)?)
            }
            "WorkspaceResult" => {
                serde_json::to_value(serde_json::from_value::<WorkspaceResult>(value)?)
            }
            "FileUsage" => {
                serde_json::to_value(serde_json::from_value::<FileUsage>(value)?)
            }
            "WorkspacePage" => {
                serde_json::to_value(serde_json::from_value::<WorkspacePage>(value)?)
            }
            "UserState" => {
                serde_json::to_value(serde_json::from_value::<UserState>(value)?)
            }
            "AdminUser" => serde_json::to_value(serde_json::from_value::<User>(value)?),
            "UserCreate" => {
                serde_json::to_value(serde_json::from_value::<UserCreate>(value)?)
            }
            "UserUpdate" => {
                serde_json::to_value(serde_json::from_value::<UserUpdate>(value)?)
            }
            "UserStateChange" => {
                serde_json::to_value(serde_json::from_value::<UserStateChange>(value)?)
            }
            "AdminUserResult" => {
                serde_json::to_value(serde_json::from_value::<UserResult>(value)?)
            }
            "AdminUserPage" => {
                serde_json::to_value(serde_json::from_value::<UserPage>(value)?)
            }
            "ConversationKind" => {
                serde_json::to_value(serde_json::from_value::<ConversationKind>(value)?)
            }
            "AdminConversationType" => {
                serde_json::to_value(serde_json::from_value::<ConversationType>(value)?)
            }
            "AdminConversation" => {
                serde_json::to_value(serde_json::from_value::<Conversation>(value)?)
            }
            "ConversationDetail" => {
                serde_json::to_value(
                    serde_json::from_value::<ConversationDetail>(value)?,
                )
            }
            "Member" => serde_json::to_value(serde_json::from_value::<Member>(value)?),
            "ConversationCreate" => {
                serde_json::to_value(
                    serde_json::from_value::<ConversationCreate>(value)?,
                )
            }
            "ConversationUpdate" => {
                serde_json::to_value(
                    serde_json::from_value::<ConversationUpdate>(value)?,
                )
            }
            "AdminConversationResult" => {
                serde_json::to_value(
                    serde_json::from_value::<ConversationResult>(value)?,
                )
            }
            "ConversationDetailResult" => {
                serde_json::to_value(
                    serde_json::from_value::<ConversationDetailResult>(value)?,
                )
            }
            "AdminConversationPage" => {
                serde_json::to_value(serde_json::from_value::<ConversationPage>(value)?)
            }
            "MemberPage" => {
                serde_json::to_value(serde_json::from_value::<MemberPage>(value)?)
            }
            "AdminMessageType" => {
                serde_json::to_value(serde_json::from_value::<MessageType>(value)?)
            }
            "AdminMessageTypeValue" => {
                serde_json::to_value(serde_json::from_value::<MessageTypeValue>(value)?)
            }
            "Message" => serde_json::to_value(serde_json::from_value::<Message>(value)?),
            "MessageEdit" => {
                serde_json::to_value(serde_json::from_value::<MessageEdit>(value)?)
            }
            "AdminFileRef" => {
                serde_json::to_value(serde_json::from_value::<FileRef>(value)?)
            }
            "AdminMessageCreate" => {
                serde_json::to_value(serde_json::from_value::<MessageCreate>(value)?)
            }
            "AdminMessageUpdate" => {
                serde_json::to_value(serde_json::from_value::<MessageUpdate>(value)?)
            }
            "AdminMessageResult" => {
                serde_json::to_value(serde_json::from_value::<MessageResult>(value)?)
            }
            "MessagePage" => {
                serde_json::to_value(serde_json::from_value::<MessagePage>(value)?)
            }
            "InteractionCreate" => {
                serde_json::to_value(serde_json::from_value::<InteractionCreate>(value)?)
            }
            "AdminFile" => serde_json::to_value(serde_json::from_value::<File>(value)?),
            "AdminFileResult" => {
                serde_json::to_value(serde_json::from_value::<FileResult>(value)?)
            }
            "Scope" => serde_json::to_value(serde_json::from_value::<Scope>(value)?),
            "ScopeValue" => {
                serde_json::to_value(serde_json::from_value::<ScopeValue>(value)?)
            }
            "App" => serde_json::to_value(serde_json::from_value::<App>(value)?),
            "AppCreate" => {
                serde_json::to_value(serde_json::from_value::<AppCreate>(value)?)
            }
            "AppUpdate" => {
                serde_json::to_value(serde_json::from_value::<AppUpdate>(value)?)
            }
            "AppResult" => {
                serde_json::to_value(serde_json::from_value::<AppResult>(value)?)
            }
            "AppCreated" => {
                serde_json::to_value(serde_json::from_value::<AppCreated>(value)?)
            }
            "AppPage" => serde_json::to_value(serde_json::from_value::<AppPage>(value)?),
            "SecretKind" => {
                serde_json::to_value(serde_json::from_value::<SecretKind>(value)?)
            }
            "SecretRotate" => {
                serde_json::to_value(serde_json::from_value::<SecretRotate>(value)?)
            }
            "SecretRotated" => {
                serde_json::to_value(serde_json::from_value::<SecretRotated>(value)?)
            }
            "EventType" => {
                serde_json::to_value(serde_json::from_value::<EventType>(value)?)
            }
            "EventTypeValue" => {
                serde_json::to_value(serde_json::from_value::<EventTypeValue>(value)?)
            }
            "DirectoryKind" => {
                serde_json::to_value(serde_json::from_value::<DirectoryKind>(value)?)
            }
            "LogOrder" => {
                serde_json::to_value(serde_json::from_value::<LogOrder>(value)?)
            }
            "DeliveryState" => {
                serde_json::to_value(serde_json::from_value::<DeliveryState>(value)?)
            }
            "DeliveryStateValue" => {
                serde_json::to_value(
                    serde_json::from_value::<DeliveryStateValue>(value)?,
                )
            }
            "Delivery" => {
                serde_json::to_value(serde_json::from_value::<Delivery>(value)?)
            }
            "RedeliverState" => {
                serde_json::to_value(serde_json::from_value::<RedeliverState>(value)?)
            }
            "RedeliverRequest" => {
                serde_json::to_value(serde_json::from_value::<RedeliverRequest>(value)?)
            }
            "Redelivered" => {
                serde_json::to_value(serde_json::from_value::<Redelivered>(value)?)
            }
            "TestEventCreate" => {
                serde_json::to_value(serde_json::from_value::<TestEventCreate>(value)?)
            }
            "EventQueued" => {
                serde_json::to_value(serde_json::from_value::<EventQueued>(value)?)
            }
            "DeliveryPage" => {
                serde_json::to_value(serde_json::from_value::<DeliveryPage>(value)?)
            }
            "InstallationCreate" => {
                serde_json::to_value(
                    serde_json::from_value::<InstallationCreate>(value)?,
                )
            }
            "InstallationCode" => {
                serde_json::to_value(serde_json::from_value::<InstallationCode>(value)?)
            }
            "InstallationState" => {
                serde_json::to_value(serde_json::from_value::<InstallationState>(value)?)
            }
            "DisconnectReason" => {
                serde_json::to_value(serde_json::from_value::<DisconnectReason>(value)?)
            }
            "Installation" => {
                serde_json::to_value(serde_json::from_value::<Installation>(value)?)
            }
            "InstallationPage" => {
                serde_json::to_value(serde_json::from_value::<InstallationPage>(value)?)
            }
            "ClientKind" => {
                serde_json::to_value(serde_json::from_value::<ClientKind>(value)?)
            }
            "ConnectionState" => {
                serde_json::to_value(serde_json::from_value::<ConnectionState>(value)?)
            }
            "RevokeReason" => {
                serde_json::to_value(serde_json::from_value::<RevokeReason>(value)?)
            }
            "Connection" => {
                serde_json::to_value(serde_json::from_value::<Connection>(value)?)
            }
            "ConnectionPage" => {
                serde_json::to_value(serde_json::from_value::<ConnectionPage>(value)?)
            }
            "ClientBlock" => {
                serde_json::to_value(serde_json::from_value::<ClientBlock>(value)?)
            }
            "ClientBlockPage" => {
                serde_json::to_value(serde_json::from_value::<ClientBlockPage>(value)?)
            }
            "ClientBlocked" => {
                serde_json::to_value(serde_json::from_value::<ClientBlocked>(value)?)
            }
            "AssistantClient" => {
                serde_json::to_value(serde_json::from_value::<AssistantClient>(value)?)
            }
            "AssistantClientPage" => {
                serde_json::to_value(
                    serde_json::from_value::<AssistantClientPage>(value)?,
                )
            }
            "ToolOutcome" => {
                serde_json::to_value(serde_json::from_value::<ToolOutcome>(value)?)
            }
            "ToolOutcomeValue" => {
                serde_json::to_value(serde_json::from_value::<ToolOutcomeValue>(value)?)
            }
            "ToolCall" => {
                serde_json::to_value(serde_json::from_value::<ToolCall>(value)?)
            }
            "ToolCallPage" => {
                serde_json::to_value(serde_json::from_value::<ToolCallPage>(value)?)
            }
            "ClockUpdate" => {
                serde_json::to_value(serde_json::from_value::<ClockUpdate>(value)?)
            }
            "ClockResult" => {
                serde_json::to_value(serde_json::from_value::<ClockResult>(value)?)
            }
            _ => panic!("no schema {schema}"),
        }
    }
}
#[derive(Tags)]
enum Tag {
    /// Sign in and out.
    #[oai(rename = "sessions")]
    Sessions,
    /// Companies and their settings.
    #[oai(rename = "workspaces")]
    Workspaces,
    /// People and bot users, their state, and the apps they block.
    #[oai(rename = "users")]
    Users,
    /// Groups, channels, direct messages and their members.
    #[oai(rename = "conversations")]
    Conversations,
    /// Messages of people, of bots and of the system, with all stored fields.
    #[oai(rename = "messages")]
    Messages,
    /// Uploaded files.
    #[oai(rename = "files")]
    Files,
    /// Registered apps and their secrets.
    #[oai(rename = "apps")]
    Apps,
    /// Deliveries of events to the callback URLs of apps.
    #[oai(rename = "events")]
    Events,
    /// Apps installed in a company.
    #[oai(rename = "installations")]
    Installations,
    /// Assistants that employees have connected.
    #[oai(rename = "connections")]
    Connections,
    /// Assistant clients, and the ones a company blocks.
    #[oai(rename = "assistants")]
    Assistants,
    /// The audit log of assistants' tool calls.
    #[oai(rename = "audit")]
    Audit,
    /// The test clock and the rate limits; absent in production.
    #[oai(rename = "sandbox")]
    Sandbox,
}
fn register_schemes(registry: &mut Registry) {
    registry
        .create_security_scheme(
            "credentials",
            MetaSecurityScheme {
                ty: "http",
                description: Some(
                    "Operator key `svc_op_…` or session token `svc_ses_…`.",
                ),
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
    /// Operator key `svc_op_…` or session token `svc_ses_…`.
    type Credentials: Principal<Self>;
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
    pub const CONFLICT: ReplyDoc = ReplyDoc {
        status: Some(409),
        description: "The resource's state does not allow this operation.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const CONVERSATION_ARCHIVED: ReplyDoc = ReplyDoc {
        status: Some(409),
        description: "The group is archived.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const CONVERSATION_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "No such conversation.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const CONVERSATION_OR_USER_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "No such conversation or person.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const FILE_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "No such file.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const FORBIDDEN: ReplyDoc = ReplyDoc {
        status: Some(403),
        description: "The credential may not do this.",
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
            "For each limit, the requests that are left (`r`) and the seconds until this number increases (`t`).",
        ),
        required: false,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_RATE_LIMIT_POLICY: HeaderDoc = HeaderDoc {
        description: Some(
            "For each limit of the operation, the number of requests (`q`) and the window in seconds (`w`).",
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
        description: Some("Seconds to wait, at least 1."),
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
        description: Some("Always `Bearer`."),
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
    pub const MEMBERS_FORBIDDEN: ReplyDoc = ReplyDoc {
        status: Some(403),
        description: "The credential may not do this, or the person left the conversation.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const MESSAGE_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "No such message.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const NOT_ACCEPTABLE: ReplyDoc = ReplyDoc {
        status: Some(406),
        description: "Accept excludes application/json.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "No such resource, or one of another company.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const OTHER_ERROR: ReplyDoc = ReplyDoc {
        status: None,
        description: "Any other failure, in the same envelope: 405, 408, 414 and 431 as `client_error`, 503 as `server_error`. 408: the whole body did not arrive within 10 seconds; `uploadFile` has other times.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const PAYLOAD_TOO_LARGE: ReplyDoc = ReplyDoc {
        status: Some(413),
        description: "The body is too large.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const POSTING_FORBIDDEN: ReplyDoc = ReplyDoc {
        status: Some(403),
        description: "The caller may not do this, or the sender may not post in the conversation.",
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
        ],
    };
    pub const SANDBOX_ONLY: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "The server is not a sandbox, or the operation is about the clock and `test_clock` is not set.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const SIGN_IN_REFUSED: ReplyDoc = ReplyDoc {
        status: Some(401),
        description: "E-mail address or password is wrong.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
            ("WWW-Authenticate", HEADER_WWW_AUTHENTICATE),
        ],
    };
    pub const UNAUTHORIZED: ReplyDoc = ReplyDoc {
        status: Some(401),
        description: "No valid operator key or session token.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
            ("WWW-Authenticate", HEADER_WWW_AUTHENTICATE),
        ],
    };
    pub const UNSUPPORTED_MEDIA_TYPE: ReplyDoc = ReplyDoc {
        status: Some(415),
        description: "The operation does not accept the media type, charset or content coding of the body.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const USER_DEACTIVATED_OR_CONFLICT: ReplyDoc = ReplyDoc {
        status: Some(409),
        description: "The person is deactivated or removed, or a quota is reached.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const USER_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "No such person.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
    pub const USER_OR_OTHER_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: Some(404),
        description: "No such person, company, app or installation.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", HEADER_REQUEST_ID),
            ("Cache-Control", HEADER_CACHE_CONTROL),
        ],
    };
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
///The parameter `workspace_id`.
pub struct WorkspaceIdParam;
impl Parameter for WorkspaceIdParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "workspace_id",
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
///The parameter `query`.
pub struct QueryParam;
impl Parameter for QueryParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "query",
            missing: Code::InvalidRequest,
            invalid: Code::InvalidRequest,
            min_length: Some(1),
            max_length: Some(200),
            minimum: None,
            maximum: None,
            pattern: None,
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema {
            min_length: Some(1),
            max_length: Some(200),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value)
    }
}
///The parameter `user_id`.
pub struct UserIdParam;
impl Parameter for UserIdParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "user_id",
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
///The parameter `app_id`.
pub struct AppIdParam;
impl Parameter for AppIdParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "app_id",
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
///The parameter `X-Acting-User`.
pub struct XActingUserParam;
impl Parameter for XActingUserParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "X-Acting-User",
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
        Ok(value)
    }
}
///The parameter `message_id`.
pub struct MessageIdParam;
impl Parameter for MessageIdParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "message_id",
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
///The parameter `name`.
pub struct NameParam;
impl Parameter for NameParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "name",
            missing: Code::InvalidRequest,
            invalid: Code::InvalidRequest,
            min_length: Some(1),
            max_length: Some(255),
            minimum: None,
            maximum: None,
            pattern: None,
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema {
            min_length: Some(1),
            max_length: Some(255),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        value.ok_or(())
    }
}
///The parameter `file_id`.
pub struct FileIdParam;
impl Parameter for FileIdParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "file_id",
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
///The parameter `state`.
pub struct StateParam;
impl Parameter for StateParam {
    type Value = types::DeliveryState;
    type Output = Option<types::DeliveryState>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "state",
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
///The parameter `type`.
pub struct TypeParam;
impl Parameter for TypeParam {
    type Value = types::EventType;
    type Output = Option<types::EventType>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "type",
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
///The parameter `installation_id`.
pub struct InstallationIdParam;
impl Parameter for InstallationIdParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "installation_id",
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
        Ok(value)
    }
}
///The parameter `event_id`.
pub struct EventIdParam;
impl Parameter for EventIdParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "event_id",
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
        Ok(value)
    }
}
///The parameter `since`.
pub struct SinceParam;
impl Parameter for SinceParam {
    type Value = Timestamp;
    type Output = Option<Timestamp>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "since",
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
///The parameter `until`.
pub struct UntilParam;
impl Parameter for UntilParam {
    type Value = Timestamp;
    type Output = Option<Timestamp>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "until",
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
///The parameter `order`.
pub struct OrderParam;
impl Parameter for OrderParam {
    type Value = types::LogOrder;
    type Output = Option<types::LogOrder>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "order",
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
///The parameter `event_id`.
pub struct RedeliverEventEventIdParam;
impl Parameter for RedeliverEventEventIdParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "event_id",
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
///The parameter `installation_id`.
pub struct DeleteInstallationInstallationIdParam;
impl Parameter for DeleteInstallationInstallationIdParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "installation_id",
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
///The parameter `user_id`.
pub struct ListConnectionsUserIdParam;
impl Parameter for ListConnectionsUserIdParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "user_id",
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
        Ok(value)
    }
}
///The parameter `state`.
pub struct ListConnectionsStateParam;
impl Parameter for ListConnectionsStateParam {
    type Value = types::ConnectionState;
    type Output = Option<types::ConnectionState>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "state",
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
///The parameter `connection_id`.
pub struct ConnectionIdParam;
impl Parameter for ConnectionIdParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "connection_id",
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
///The parameter `key`.
pub struct KeyParam;
impl Parameter for KeyParam {
    type Value = String;
    type Output = String;
    const REQUIRED: bool = true;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "key",
            missing: Code::InvalidRequest,
            invalid: Code::InvalidRequest,
            min_length: Some(1),
            max_length: Some(255),
            minimum: None,
            maximum: None,
            pattern: None,
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema {
            min_length: Some(1),
            max_length: Some(255),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        value.ok_or(())
    }
}
///The parameter `user_id`.
pub struct ListToolCallsUserIdParam;
impl Parameter for ListToolCallsUserIdParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "user_id",
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
        Ok(value)
    }
}
///The parameter `client_id`.
pub struct ClientIdParam;
impl Parameter for ClientIdParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "client_id",
            missing: Code::InvalidRequest,
            invalid: Code::InvalidRequest,
            min_length: Some(1),
            max_length: Some(2048),
            minimum: None,
            maximum: None,
            pattern: None,
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema {
            min_length: Some(1),
            max_length: Some(2048),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value)
    }
}
///The parameter `connection_id`.
pub struct ListToolCallsConnectionIdParam;
impl Parameter for ListToolCallsConnectionIdParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "connection_id",
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
        Ok(value)
    }
}
///The parameter `tool`.
pub struct ToolParam;
impl Parameter for ToolParam {
    type Value = String;
    type Output = Option<String>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "tool",
            missing: Code::InvalidRequest,
            invalid: Code::InvalidRequest,
            min_length: Some(1),
            max_length: Some(64),
            minimum: None,
            maximum: None,
            pattern: None,
        };
        &RULES
    }
    fn patch() -> MetaSchema {
        MetaSchema {
            min_length: Some(1),
            max_length: Some(64),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value)
    }
}
///The parameter `outcome`.
pub struct OutcomeParam;
impl Parameter for OutcomeParam {
    type Value = types::ToolOutcome;
    type Output = Option<types::ToolOutcome>;
    const REQUIRED: bool = false;
    fn rules() -> &'static ParamRules {
        static RULES: ParamRules = ParamRules {
            name: "outcome",
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
pub struct CreateSession;
impl OperationType for CreateSession {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createSession",
        method: "POST",
        path: "/admin/v1/sessions",
        dialect: Dialect::Envelope,
        errors: CreateSessionError::CODES,
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        ..OperationInfo::plain(LimitName::SignIn)
    };
}
impl<H: Security> Guarded<H> for CreateSession {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct CreateSessionRequest {
    pub body: types::SessionCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum CreateSessionSuccess {
    /// The session. No other operation returns its token.
    Status201(types::SessionCreated),
}
impl From<types::SessionCreated> for CreateSessionSuccess {
    fn from(body: types::SessionCreated) -> Self {
        Self::Status201(body)
    }
}
impl poem::IntoResponse for CreateSessionSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201(body) => reply::json(201, &body),
        }
    }
}
impl ApiResponse for CreateSessionSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(201),
                    description: "The session. No other operation returns its token.",
                    schema: Some(<types::SessionCreated as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                        ("RateLimit", shared::HEADER_RATE_LIMIT),
                        ("RateLimit-Policy", shared::HEADER_RATE_LIMIT_POLICY),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::SessionCreated as Described>::register(registry);
    }
}
error_codes! {
    CreateSessionError of "createSession" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::SIGN_IN_REFUSED, shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, InvalidAuth, NotAcceptable,
    PayloadTooLarge, UnsupportedMediaType, RateLimited, InternalError
}
pub struct DeleteSession;
impl OperationType for DeleteSession {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteSession",
        method: "DELETE",
        path: "/admin/v1/sessions/current",
        dialect: Dialect::Envelope,
        errors: DeleteSessionError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Admin, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for DeleteSession {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct DeleteSessionRequest {}
#[derive(Debug)]
pub enum DeleteSessionSuccess {
    /// The session has ended.
    Status200(types::OkResult),
}
impl From<types::OkResult> for DeleteSessionSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for DeleteSessionSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for DeleteSessionSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The session has ended.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    DeleteSessionError of "deleteSession" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_ACCEPTABLE,
    shared::PAYLOAD_TOO_LARGE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, NotAcceptable, PayloadTooLarge, RateLimited, InternalError
}
pub struct ListWorkspaces;
impl OperationType for ListWorkspaces {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listWorkspaces",
        method: "GET",
        path: "/admin/v1/workspaces",
        dialect: Dialect::Envelope,
        errors: ListWorkspacesError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListWorkspaces {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListWorkspacesRequest {
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListWorkspacesSuccess {
    /// One page of companies.
    Status200(types::WorkspacePage),
}
impl From<types::WorkspacePage> for ListWorkspacesSuccess {
    fn from(body: types::WorkspacePage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListWorkspacesSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListWorkspacesSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of companies.",
                    schema: Some(<types::WorkspacePage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::WorkspacePage as Described>::register(registry);
    }
}
error_codes! {
    ListWorkspacesError of "listWorkspaces" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::NOT_ACCEPTABLE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, InvalidCursor, TokenInQuery, NotAuthed,
    InvalidAuth, Forbidden, NotAcceptable, RateLimited, InternalError
}
pub struct CreateWorkspace;
impl OperationType for CreateWorkspace {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createWorkspace",
        method: "POST",
        path: "/admin/v1/workspaces",
        dialect: Dialect::Envelope,
        errors: CreateWorkspaceError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for CreateWorkspace {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct CreateWorkspaceRequest {
    pub body: types::WorkspaceCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum CreateWorkspaceSuccess {
    /// The company.
    Status201(types::WorkspaceResult),
}
impl From<types::WorkspaceResult> for CreateWorkspaceSuccess {
    fn from(body: types::WorkspaceResult) -> Self {
        Self::Status201(body)
    }
}
impl poem::IntoResponse for CreateWorkspaceSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201(body) => reply::json(201, &body),
        }
    }
}
impl ApiResponse for CreateWorkspaceSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(201),
                    description: "The company.",
                    schema: Some(<types::WorkspaceResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::WorkspaceResult as Described>::register(registry);
    }
}
error_codes! {
    CreateWorkspaceError of "createWorkspace" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotAcceptable, PayloadTooLarge,
    UnsupportedMediaType, RateLimited, InternalError
}
pub struct GetWorkspace;
impl OperationType for GetWorkspace {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "getWorkspace",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}",
        dialect: Dialect::Envelope,
        errors: GetWorkspaceError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for GetWorkspace {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetWorkspaceRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
}
#[derive(Debug)]
pub enum GetWorkspaceSuccess {
    /// The company.
    Status200(types::WorkspaceResult),
}
impl From<types::WorkspaceResult> for GetWorkspaceSuccess {
    fn from(body: types::WorkspaceResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for GetWorkspaceSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for GetWorkspaceSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The company.",
                    schema: Some(<types::WorkspaceResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::WorkspaceResult as Described>::register(registry);
    }
}
error_codes! {
    GetWorkspaceError of "getWorkspace" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND, shared::NOT_ACCEPTABLE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable,
    RateLimited, InternalError
}
pub struct UpdateWorkspace;
impl OperationType for UpdateWorkspace {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateWorkspace",
        method: "PATCH",
        path: "/admin/v1/workspaces/{workspace_id}",
        dialect: Dialect::Envelope,
        errors: UpdateWorkspaceError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for UpdateWorkspace {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct UpdateWorkspaceRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    pub body: types::WorkspaceUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum UpdateWorkspaceSuccess {
    /// The company after the change.
    Status200(types::WorkspaceResult),
}
impl From<types::WorkspaceResult> for UpdateWorkspaceSuccess {
    fn from(body: types::WorkspaceResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for UpdateWorkspaceSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for UpdateWorkspaceSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The company after the change.",
                    schema: Some(<types::WorkspaceResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::WorkspaceResult as Described>::register(registry);
    }
}
error_codes! {
    UpdateWorkspaceError of "updateWorkspace" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable,
    PayloadTooLarge, UnsupportedMediaType, RateLimited, InternalError
}
pub struct ListUsers;
impl OperationType for ListUsers {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "adminListUsers",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/users",
        dialect: Dialect::Envelope,
        errors: ListUsersError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListUsers {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListUsersRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// A search text: only people and bots who match each of its words. A user matches a word of the text if the user's e-mail address begins with this word. A user also matches if this word is the beginning of any word in the name, in the display name, or in the part of the e-mail address before the `@`. Case, accents and punctuation do not matter. If the text has more than four words, only the four longest count.
    pub query: Option<String>,
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
    ListUsersError of "adminListUsers" : types::ErrorEnvelope, [shared::BAD_PAGE_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND, shared::NOT_ACCEPTABLE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    InvalidCursor, TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound,
    NotAcceptable, RateLimited, InternalError
}
pub struct CreateUser;
impl OperationType for CreateUser {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createUser",
        method: "POST",
        path: "/admin/v1/workspaces/{workspace_id}/users",
        dialect: Dialect::Envelope,
        errors: CreateUserError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for CreateUser {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct CreateUserRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    pub body: types::UserCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum CreateUserSuccess {
    /// The person.
    Status201(types::UserResult),
}
impl From<types::UserResult> for CreateUserSuccess {
    fn from(body: types::UserResult) -> Self {
        Self::Status201(body)
    }
}
impl poem::IntoResponse for CreateUserSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201(body) => reply::json(201, &body),
        }
    }
}
impl ApiResponse for CreateUserSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(201),
                    description: "The person.",
                    schema: Some(<types::UserResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    CreateUserError of "createUser" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND, shared::NOT_ACCEPTABLE,
    shared::CONFLICT, shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable, Conflict,
    PayloadTooLarge, UnsupportedMediaType, RateLimited, InternalError
}
pub struct GetUser;
impl OperationType for GetUser {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "adminGetUser",
        method: "GET",
        path: "/admin/v1/users/{user_id}",
        dialect: Dialect::Envelope,
        errors: GetUserError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for GetUser {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetUserRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
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
    GetUserError of "adminGetUser" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::USER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, UserNotFound, NotAcceptable, RateLimited, InternalError
}
pub struct UpdateUser;
impl OperationType for UpdateUser {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateUser",
        method: "PATCH",
        path: "/admin/v1/users/{user_id}",
        dialect: Dialect::Envelope,
        errors: UpdateUserError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for UpdateUser {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct UpdateUserRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
    pub body: types::UserUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum UpdateUserSuccess {
    /// The person after the change.
    Status200(types::UserResult),
}
impl From<types::UserResult> for UpdateUserSuccess {
    fn from(body: types::UserResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for UpdateUserSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for UpdateUserSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The person after the change.",
                    schema: Some(<types::UserResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    UpdateUserError of "updateUser" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::USER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::CONFLICT, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, UserNotFound, NotAcceptable, Conflict, PayloadTooLarge,
    UnsupportedMediaType, RateLimited, InternalError
}
pub struct SetUserState;
impl OperationType for SetUserState {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "setUserState",
        method: "POST",
        path: "/admin/v1/users/{user_id}/state",
        dialect: Dialect::Envelope,
        errors: SetUserStateError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for SetUserState {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct SetUserStateRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
    pub body: types::UserStateChange,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum SetUserStateSuccess {
    /// The person in the new state.
    Status200(types::UserResult),
}
impl From<types::UserResult> for SetUserStateSuccess {
    fn from(body: types::UserResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for SetUserStateSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for SetUserStateSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The person in the new state.",
                    schema: Some(<types::UserResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    SetUserStateError of "setUserState" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::USER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::CONFLICT, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, UserNotFound, NotAcceptable, Conflict, PayloadTooLarge,
    UnsupportedMediaType, RateLimited, InternalError
}
pub struct LogoutUser;
impl OperationType for LogoutUser {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "logoutUser",
        method: "POST",
        path: "/admin/v1/users/{user_id}/logout",
        dialect: Dialect::Envelope,
        errors: LogoutUserError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for LogoutUser {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct LogoutUserRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
}
#[derive(Debug)]
pub enum LogoutUserSuccess {
    /// No existing session is valid for the person, and no assistant connection is active.
    Status200(types::OkResult),
}
impl From<types::OkResult> for LogoutUserSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for LogoutUserSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for LogoutUserSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "No existing session is valid for the person, and no assistant connection is active.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    LogoutUserError of "logoutUser" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::USER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::CONFLICT, shared::PAYLOAD_TOO_LARGE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, UserNotFound, NotAcceptable,
    Conflict, PayloadTooLarge, RateLimited, InternalError
}
pub struct BlockApp;
impl OperationType for BlockApp {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "blockApp",
        method: "PUT",
        path: "/admin/v1/users/{user_id}/app_blocks/{app_id}",
        dialect: Dialect::Envelope,
        errors: BlockAppError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for BlockApp {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct BlockAppRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
    /// Id of an app (`app_`).
    pub app_id: String,
}
#[derive(Debug)]
pub enum BlockAppSuccess {
    /// The app is blocked.
    Status200(types::OkResult),
}
impl From<types::OkResult> for BlockAppSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for BlockAppSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for BlockAppSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The app is blocked.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    BlockAppError of "blockApp" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::USER_OR_OTHER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, UserNotFound, NotFound, NotAcceptable,
    PayloadTooLarge, RateLimited, InternalError
}
pub struct UnblockApp;
impl OperationType for UnblockApp {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "unblockApp",
        method: "DELETE",
        path: "/admin/v1/users/{user_id}/app_blocks/{app_id}",
        dialect: Dialect::Envelope,
        errors: UnblockAppError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for UnblockApp {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct UnblockAppRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
    /// Id of an app (`app_`).
    pub app_id: String,
}
#[derive(Debug)]
pub enum UnblockAppSuccess {
    /// The app is not blocked.
    Status200(types::OkResult),
}
impl From<types::OkResult> for UnblockAppSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for UnblockAppSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for UnblockAppSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The app is not blocked.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    UnblockAppError of "unblockApp" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::USER_OR_OTHER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, UserNotFound, NotFound, NotAcceptable,
    PayloadTooLarge, RateLimited, InternalError
}
pub struct ListConversations;
impl OperationType for ListConversations {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "adminListConversations",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/conversations",
        dialect: Dialect::Envelope,
        errors: ListConversationsError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListConversations {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListConversationsRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
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
    ListConversationsError of "adminListConversations" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::NOT_FOUND, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidCursor,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable,
    RateLimited, InternalError
}
pub struct CreateConversation;
impl OperationType for CreateConversation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createConversation",
        method: "POST",
        path: "/admin/v1/workspaces/{workspace_id}/conversations",
        dialect: Dialect::Envelope,
        errors: CreateConversationError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &["member_ids"],
        }),
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for CreateConversation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct CreateConversationRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    pub body: types::ConversationCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum CreateConversationSuccess {
    /// The conversation.
    Status201(types::ConversationResult),
}
impl From<types::ConversationResult> for CreateConversationSuccess {
    fn from(body: types::ConversationResult) -> Self {
        Self::Status201(body)
    }
}
impl poem::IntoResponse for CreateConversationSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201(body) => reply::json(201, &body),
        }
    }
}
impl ApiResponse for CreateConversationSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(201),
                    description: "The conversation.",
                    schema: Some(<types::ConversationResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    CreateConversationError of "createConversation" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN, ReplyDoc { status :
    Some(404), description : "No such company, group or person.", schema : Some(<
    types::ErrorEnvelope as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_CACHE_CONTROL)] },
    shared::NOT_ACCEPTABLE, shared::CONFLICT, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, ConversationNotFound, UserNotFound, NotFound, NotAcceptable, Conflict,
    PayloadTooLarge, UnsupportedMediaType, RateLimited, InternalError
}
pub struct GetConversation;
impl OperationType for GetConversation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "adminGetConversation",
        method: "GET",
        path: "/admin/v1/conversations/{conversation_id}",
        dialect: Dialect::Envelope,
        errors: GetConversationError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for GetConversation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetConversationRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
}
#[derive(Debug)]
pub enum GetConversationSuccess {
    /// The conversation and its members.
    Status200(types::ConversationDetailResult),
}
impl From<types::ConversationDetailResult> for GetConversationSuccess {
    fn from(body: types::ConversationDetailResult) -> Self {
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
                    description: "The conversation and its members.",
                    schema: Some(<types::ConversationDetailResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ConversationDetailResult as Described>::register(registry);
    }
}
error_codes! {
    GetConversationError of "adminGetConversation" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::CONVERSATION_NOT_FOUND, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, ConversationNotFound, NotAcceptable, RateLimited,
    InternalError
}
pub struct DeleteConversation;
impl OperationType for DeleteConversation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteConversation",
        method: "DELETE",
        path: "/admin/v1/conversations/{conversation_id}",
        dialect: Dialect::Envelope,
        errors: DeleteConversationError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for DeleteConversation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct DeleteConversationRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
}
#[derive(Debug)]
pub enum DeleteConversationSuccess {
    /// The conversation is deleted.
    Status200(types::OkResult),
}
impl From<types::OkResult> for DeleteConversationSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for DeleteConversationSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for DeleteConversationSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The conversation is deleted.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    DeleteConversationError of "deleteConversation" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::CONVERSATION_NOT_FOUND, shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, ConversationNotFound, NotAcceptable,
    PayloadTooLarge, RateLimited, InternalError
}
pub struct UpdateConversation;
impl OperationType for UpdateConversation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateConversation",
        method: "PATCH",
        path: "/admin/v1/conversations/{conversation_id}",
        dialect: Dialect::Envelope,
        errors: UpdateConversationError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for UpdateConversation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct UpdateConversationRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    pub body: types::ConversationUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum UpdateConversationSuccess {
    /// The conversation after the change.
    Status200(types::ConversationResult),
}
impl From<types::ConversationResult> for UpdateConversationSuccess {
    fn from(body: types::ConversationResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for UpdateConversationSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for UpdateConversationSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The conversation after the change.",
                    schema: Some(<types::ConversationResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    UpdateConversationError of "updateConversation" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::CONVERSATION_NOT_FOUND, shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, ConversationNotFound, NotAcceptable, PayloadTooLarge,
    UnsupportedMediaType, RateLimited, InternalError
}
pub struct ListMembers;
impl OperationType for ListMembers {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listMembers",
        method: "GET",
        path: "/admin/v1/conversations/{conversation_id}/members",
        dialect: Dialect::Envelope,
        errors: ListMembersError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListMembers {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListMembersRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListMembersSuccess {
    /// One page of members.
    Status200(types::MemberPage),
}
impl From<types::MemberPage> for ListMembersSuccess {
    fn from(body: types::MemberPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListMembersSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListMembersSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of members.",
                    schema: Some(<types::MemberPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::MemberPage as Described>::register(registry);
    }
}
error_codes! {
    ListMembersError of "listMembers" : types::ErrorEnvelope, [shared::BAD_PAGE_REQUEST,
    shared::UNAUTHORIZED, shared::MEMBERS_FORBIDDEN, shared::CONVERSATION_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, InvalidCursor, TokenInQuery, NotAuthed,
    InvalidAuth, Forbidden, NotInConversation, ConversationNotFound, NotAcceptable,
    RateLimited, InternalError
}
pub struct AddMember;
impl OperationType for AddMember {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "addMember",
        method: "PUT",
        path: "/admin/v1/conversations/{conversation_id}/members/{user_id}",
        dialect: Dialect::Envelope,
        errors: AddMemberError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for AddMember {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct AddMemberRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
}
#[derive(Debug)]
pub enum AddMemberSuccess {
    /// The person or bot is a member.
    Status200(types::OkResult),
}
impl From<types::OkResult> for AddMemberSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for AddMemberSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for AddMemberSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The person or bot is a member.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    AddMemberError of "addMember" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::CONVERSATION_OR_USER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::CONFLICT, shared::PAYLOAD_TOO_LARGE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, ConversationNotFound, UserNotFound,
    NotAcceptable, Conflict, PayloadTooLarge, RateLimited, InternalError
}
pub struct RemoveMember;
impl OperationType for RemoveMember {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "removeMember",
        method: "DELETE",
        path: "/admin/v1/conversations/{conversation_id}/members/{user_id}",
        dialect: Dialect::Envelope,
        errors: RemoveMemberError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for RemoveMember {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct RemoveMemberRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
}
#[derive(Debug)]
pub enum RemoveMemberSuccess {
    /// The person or bot is not a member.
    Status200(types::OkResult),
}
impl From<types::OkResult> for RemoveMemberSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for RemoveMemberSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for RemoveMemberSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The person or bot is not a member.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    RemoveMemberError of "removeMember" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::CONVERSATION_OR_USER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::CONFLICT, shared::PAYLOAD_TOO_LARGE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, ConversationNotFound, UserNotFound,
    NotAcceptable, Conflict, PayloadTooLarge, RateLimited, InternalError
}
pub struct ListMessages;
impl OperationType for ListMessages {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listMessages",
        method: "GET",
        path: "/admin/v1/conversations/{conversation_id}/messages",
        dialect: Dialect::Envelope,
        errors: ListMessagesError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListMessages {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListMessagesRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListMessagesSuccess {
    /// One page of messages.
    Status200(types::MessagePage),
}
impl From<types::MessagePage> for ListMessagesSuccess {
    fn from(body: types::MessagePage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListMessagesSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListMessagesSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of messages.",
                    schema: Some(<types::MessagePage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::MessagePage as Described>::register(registry);
    }
}
error_codes! {
    ListMessagesError of "listMessages" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::CONVERSATION_NOT_FOUND, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidCursor,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, ConversationNotFound, NotAcceptable,
    RateLimited, InternalError
}
pub struct CreateMessage;
impl OperationType for CreateMessage {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "adminCreateMessage",
        method: "POST",
        path: "/admin/v1/conversations/{conversation_id}/messages",
        dialect: Dialect::Envelope,
        errors: CreateMessageError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &["file_ids"],
        }),
        credentials: &[Credential::Operator, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for CreateMessage {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct CreateMessageRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    /// The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
    pub x_acting_user: Option<String>,
    pub body: types::MessageCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum CreateMessageSuccess {
    /// The message.
    Status201(types::MessageResult),
}
impl From<types::MessageResult> for CreateMessageSuccess {
    fn from(body: types::MessageResult) -> Self {
        Self::Status201(body)
    }
}
impl poem::IntoResponse for CreateMessageSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201(body) => reply::json(201, &body),
        }
    }
}
impl ApiResponse for CreateMessageSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(201),
                    description: "The message.",
                    schema: Some(<types::MessageResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    CreateMessageError of "adminCreateMessage" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::POSTING_FORBIDDEN, ReplyDoc {
    status : Some(404), description : "No such conversation, person or file.", schema :
    Some(< types::ErrorEnvelope as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_CACHE_CONTROL)] },
    shared::NOT_ACCEPTABLE, ReplyDoc { status : Some(409), description :
    "The group is archived, the sender is deactivated or removed, or another message has the `client_key`.",
    schema : Some(< types::ErrorEnvelope as Described > ::schema), headers : &
    [("X-Request-Id", shared::HEADER_REQUEST_ID), ("Cache-Control",
    shared::HEADER_CACHE_CONTROL)] }, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, NotInConversation, NotAllowedInConversation, ConversationNotFound,
    UserNotFound, FileNotFound, NotAcceptable, ConversationArchived, UserDeactivated,
    Conflict, PayloadTooLarge, UnsupportedMediaType, RateLimited, InternalError
}
pub struct DeleteMessage;
impl OperationType for DeleteMessage {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "adminDeleteMessage",
        method: "DELETE",
        path: "/admin/v1/messages/{message_id}",
        dialect: Dialect::Envelope,
        errors: DeleteMessageError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for DeleteMessage {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct DeleteMessageRequest {
    /// Id of a message (`gmsg_` or `dmsg_`).
    pub message_id: String,
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
    DeleteMessageError of "adminDeleteMessage" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::MESSAGE_NOT_FOUND, shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, MessageNotFound, NotAcceptable,
    PayloadTooLarge, RateLimited, InternalError
}
pub struct UpdateMessage;
impl OperationType for UpdateMessage {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "adminUpdateMessage",
        method: "PATCH",
        path: "/admin/v1/messages/{message_id}",
        dialect: Dialect::Envelope,
        errors: UpdateMessageError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for UpdateMessage {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct UpdateMessageRequest {
    /// Id of a message (`gmsg_` or `dmsg_`).
    pub message_id: String,
    pub body: types::MessageUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum UpdateMessageSuccess {
    /// The message after the edit.
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
                    description: "The message after the edit.",
                    schema: Some(<types::MessageResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    UpdateMessageError of "adminUpdateMessage" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::POSTING_FORBIDDEN,
    shared::MESSAGE_NOT_FOUND, shared::NOT_ACCEPTABLE, shared::CONVERSATION_ARCHIVED,
    shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, NotInConversation, NotAllowedInConversation,
    MessageNotFound, NotAcceptable, ConversationArchived, PayloadTooLarge,
    UnsupportedMediaType, RateLimited, InternalError
}
pub struct CreateInteraction;
impl OperationType for CreateInteraction {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createInteraction",
        method: "POST",
        path: "/admin/v1/messages/{message_id}/interactions",
        dialect: Dialect::Envelope,
        errors: CreateInteractionError::CODES,
        schemes: &["credentials"],
        sandbox: true,
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for CreateInteraction {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct CreateInteractionRequest {
    /// Id of a message (`gmsg_` or `dmsg_`).
    pub message_id: String,
    pub body: types::InteractionCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum CreateInteractionSuccess {
    /// The event is queued for delivery.
    Status202(types::OkResult),
}
impl From<types::OkResult> for CreateInteractionSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status202(body)
    }
}
impl poem::IntoResponse for CreateInteractionSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status202(body) => reply::json(202, &body),
        }
    }
}
impl ApiResponse for CreateInteractionSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(202),
                    description: "The event is queued for delivery.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    CreateInteractionError of "createInteraction" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN, ReplyDoc { status :
    Some(404), description :
    "No such message or person, or the server is not a sandbox.", schema : Some(<
    types::ErrorEnvelope as Described > ::schema), headers : & [("X-Request-Id",
    shared::HEADER_REQUEST_ID), ("Cache-Control", shared::HEADER_CACHE_CONTROL)] },
    shared::NOT_ACCEPTABLE, shared::CONFLICT, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, MessageNotFound, UserNotFound, NotFound, NotAcceptable, Conflict,
    PayloadTooLarge, UnsupportedMediaType, RateLimited, InternalError
}
pub struct UploadFile;
impl OperationType for UploadFile {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "uploadFile",
        method: "POST",
        path: "/admin/v1/workspaces/{workspace_id}/files",
        dialect: Dialect::Envelope,
        errors: UploadFileError::CODES,
        schemes: &["credentials"],
        raw: true,
        body: Some(BodyInfo {
            media_types: &["application/octet-stream"],
            also: &["*/*"],
            required: true,
            description: Some(
                "The content, of any media type. If the content is larger than 100 MiB, the response is 413.",
            ),
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for UploadFile {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct UploadFileRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// File name, as people will see it.
    pub name: String,
    /// The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
    pub x_acting_user: Option<String>,
    /// The request itself; its body is not read yet.
    pub raw: RawRequest,
}
#[derive(Debug)]
pub enum UploadFileSuccess {
    /// The file.
    Status201(types::FileResult),
}
impl From<types::FileResult> for UploadFileSuccess {
    fn from(body: types::FileResult) -> Self {
        Self::Status201(body)
    }
}
impl poem::IntoResponse for UploadFileSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201(body) => reply::json(201, &body),
        }
    }
}
impl ApiResponse for UploadFileSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(201),
                    description: "The file.",
                    schema: Some(<types::FileResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    UploadFileError of "uploadFile" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::USER_OR_OTHER_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::USER_DEACTIVATED_OR_CONFLICT,
    shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, UserNotFound, NotFound, NotAcceptable,
    UserDeactivated, Conflict, PayloadTooLarge, UnsupportedMediaType, RateLimited,
    InternalError
}
pub struct DeleteFile;
impl OperationType for DeleteFile {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteFile",
        method: "DELETE",
        path: "/admin/v1/files/{file_id}",
        dialect: Dialect::Envelope,
        errors: DeleteFileError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for DeleteFile {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct DeleteFileRequest {
    /// Id of a file (`fil_`).
    pub file_id: String,
}
#[derive(Debug)]
pub enum DeleteFileSuccess {
    /// The file is deleted.
    Status200(types::OkResult),
}
impl From<types::OkResult> for DeleteFileSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for DeleteFileSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for DeleteFileSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The file is deleted.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    DeleteFileError of "deleteFile" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::FILE_NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, FileNotFound, NotAcceptable, PayloadTooLarge,
    RateLimited, InternalError
}
pub struct ListApps;
impl OperationType for ListApps {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listApps",
        method: "GET",
        path: "/admin/v1/apps",
        dialect: Dialect::Envelope,
        errors: ListAppsError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListApps {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListAppsRequest {
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListAppsSuccess {
    /// One page of apps.
    Status200(types::AppPage),
}
impl From<types::AppPage> for ListAppsSuccess {
    fn from(body: types::AppPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListAppsSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListAppsSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of apps.",
                    schema: Some(<types::AppPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::AppPage as Described>::register(registry);
    }
}
error_codes! {
    ListAppsError of "listApps" : types::ErrorEnvelope, [shared::BAD_PAGE_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_ACCEPTABLE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    InvalidCursor, TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotAcceptable,
    RateLimited, InternalError
}
pub struct CreateApp;
impl OperationType for CreateApp {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createApp",
        method: "POST",
        path: "/admin/v1/apps",
        dialect: Dialect::Envelope,
        errors: CreateAppError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &["redirect_uris", "scopes"],
        }),
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for CreateApp {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct CreateAppRequest {
    pub body: types::AppCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum CreateAppSuccess {
    /// The app and its secrets.
    Status201(types::AppCreated),
}
impl From<types::AppCreated> for CreateAppSuccess {
    fn from(body: types::AppCreated) -> Self {
        Self::Status201(body)
    }
}
impl poem::IntoResponse for CreateAppSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201(body) => reply::json(201, &body),
        }
    }
}
impl ApiResponse for CreateAppSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(201),
                    description: "The app and its secrets.",
                    schema: Some(<types::AppCreated as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::AppCreated as Described>::register(registry);
    }
}
error_codes! {
    CreateAppError of "createApp" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_ACCEPTABLE,
    shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, NotAcceptable, PayloadTooLarge,
    UnsupportedMediaType, RateLimited, InternalError
}
pub struct GetApp;
impl OperationType for GetApp {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "getApp",
        method: "GET",
        path: "/admin/v1/apps/{app_id}",
        dialect: Dialect::Envelope,
        errors: GetAppError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for GetApp {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetAppRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
}
#[derive(Debug)]
pub enum GetAppSuccess {
    /// The app.
    Status200(types::AppResult),
}
impl From<types::AppResult> for GetAppSuccess {
    fn from(body: types::AppResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for GetAppSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for GetAppSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The app.",
                    schema: Some(<types::AppResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::AppResult as Described>::register(registry);
    }
}
error_codes! {
    GetAppError of "getApp" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND, shared::NOT_ACCEPTABLE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable,
    RateLimited, InternalError
}
pub struct UpdateApp;
impl OperationType for UpdateApp {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateApp",
        method: "PATCH",
        path: "/admin/v1/apps/{app_id}",
        dialect: Dialect::Envelope,
        errors: UpdateAppError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &["redirect_uris", "scopes"],
        }),
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for UpdateApp {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct UpdateAppRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    pub body: types::AppUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum UpdateAppSuccess {
    /// The app after the change.
    Status200(types::AppResult),
}
impl From<types::AppResult> for UpdateAppSuccess {
    fn from(body: types::AppResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for UpdateAppSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for UpdateAppSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The app after the change.",
                    schema: Some(<types::AppResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::AppResult as Described>::register(registry);
    }
}
error_codes! {
    UpdateAppError of "updateApp" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND, shared::NOT_ACCEPTABLE,
    shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable, PayloadTooLarge,
    UnsupportedMediaType, RateLimited, InternalError
}
pub struct RotateSecret;
impl OperationType for RotateSecret {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "rotateSecret",
        method: "POST",
        path: "/admin/v1/apps/{app_id}/rotate",
        dialect: Dialect::Envelope,
        errors: RotateSecretError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for RotateSecret {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct RotateSecretRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    pub body: types::SecretRotate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum RotateSecretSuccess {
    /// The new secret.
    Status200(types::SecretRotated),
}
impl From<types::SecretRotated> for RotateSecretSuccess {
    fn from(body: types::SecretRotated) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for RotateSecretSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for RotateSecretSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The new secret.",
                    schema: Some(<types::SecretRotated as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::SecretRotated as Described>::register(registry);
    }
}
error_codes! {
    RotateSecretError of "rotateSecret" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND, shared::NOT_ACCEPTABLE,
    shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable, PayloadTooLarge,
    UnsupportedMediaType, RateLimited, InternalError
}
pub struct ListDeliveries;
impl OperationType for ListDeliveries {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listDeliveries",
        method: "GET",
        path: "/admin/v1/apps/{app_id}/deliveries",
        dialect: Dialect::Envelope,
        errors: ListDeliveriesError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListDeliveries {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListDeliveriesRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    /// Only entries in this state.
    pub state: Option<types::DeliveryState>,
    /// Only events of this type.
    pub r#type: Option<types::EventType>,
    /// Only events of this installation. An unknown id returns an empty page.
    pub installation_id: Option<String>,
    /// Only this event. An unknown id returns an empty page.
    pub event_id: Option<String>,
    /// Only entries at this time or later. The time of an attempt is its beginning; the time of a pending or dropped event is its creation.
    pub since: Option<Timestamp>,
    /// Only entries before this time. The time of an attempt is its beginning; the time of a pending or dropped event is its creation.
    pub until: Option<Timestamp>,
    /// `newest`, the default: newest first. `ingested`: in the order in which entries were written, oldest first. `ingested` cannot be combined with filters (400). With `ingested`, `next_cursor` is never null. A page with fewer than `limit` entries ends at the present end of the log; its cursor later returns the entries that were written in the meantime. A client that continues with the cursor misses no entry, even if several nodes write.
    pub order: Option<types::LogOrder>,
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListDeliveriesSuccess {
    /// One page of the delivery log.
    Status200(types::DeliveryPage),
}
impl From<types::DeliveryPage> for ListDeliveriesSuccess {
    fn from(body: types::DeliveryPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListDeliveriesSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListDeliveriesSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of the delivery log.",
                    schema: Some(<types::DeliveryPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::DeliveryPage as Described>::register(registry);
    }
}
error_codes! {
    ListDeliveriesError of "listDeliveries" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::NOT_FOUND, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidCursor,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable,
    RateLimited, InternalError
}
pub struct RedeliverEvent;
impl OperationType for RedeliverEvent {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "redeliverEvent",
        method: "POST",
        path: "/admin/v1/apps/{app_id}/events/{event_id}/redeliver",
        dialect: Dialect::Envelope,
        errors: RedeliverEventError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for RedeliverEvent {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct RedeliverEventRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    /// Id of an event (`evt_`).
    pub event_id: String,
}
#[derive(Debug)]
pub enum RedeliverEventSuccess {
    /// The event is queued for delivery.
    Status202(types::EventQueued),
}
impl From<types::EventQueued> for RedeliverEventSuccess {
    fn from(body: types::EventQueued) -> Self {
        Self::Status202(body)
    }
}
impl poem::IntoResponse for RedeliverEventSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status202(body) => reply::json(202, &body),
        }
    }
}
impl ApiResponse for RedeliverEventSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(202),
                    description: "The event is queued for delivery.",
                    schema: Some(<types::EventQueued as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::EventQueued as Described>::register(registry);
    }
}
error_codes! {
    RedeliverEventError of "redeliverEvent" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND, shared::NOT_ACCEPTABLE,
    shared::CONFLICT, shared::PAYLOAD_TOO_LARGE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable, Conflict,
    PayloadTooLarge, RateLimited, InternalError
}
pub struct RedeliverEvents;
impl OperationType for RedeliverEvents {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "redeliverEvents",
        method: "POST",
        path: "/admin/v1/apps/{app_id}/redeliver",
        dialect: Dialect::Envelope,
        errors: RedeliverEventsError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for RedeliverEvents {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct RedeliverEventsRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    pub body: types::RedeliverRequest,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum RedeliverEventsSuccess {
    /// The events are queued for delivery.
    Status202(types::Redelivered),
}
impl From<types::Redelivered> for RedeliverEventsSuccess {
    fn from(body: types::Redelivered) -> Self {
        Self::Status202(body)
    }
}
impl poem::IntoResponse for RedeliverEventsSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status202(body) => reply::json(202, &body),
        }
    }
}
impl ApiResponse for RedeliverEventsSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(202),
                    description: "The events are queued for delivery.",
                    schema: Some(<types::Redelivered as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::Redelivered as Described>::register(registry);
    }
}
error_codes! {
    RedeliverEventsError of "redeliverEvents" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::CONFLICT, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, NotFound, NotAcceptable, Conflict, PayloadTooLarge, UnsupportedMediaType,
    RateLimited, InternalError
}
pub struct CreateTestEvent;
impl OperationType for CreateTestEvent {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createTestEvent",
        method: "POST",
        path: "/admin/v1/apps/{app_id}/test_events",
        dialect: Dialect::Envelope,
        errors: CreateTestEventError::CODES,
        schemes: &["credentials"],
        sandbox: true,
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for CreateTestEvent {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct CreateTestEventRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    pub body: types::TestEventCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum CreateTestEventSuccess {
    /// The event is queued for delivery.
    Status202(types::EventQueued),
}
impl From<types::EventQueued> for CreateTestEventSuccess {
    fn from(body: types::EventQueued) -> Self {
        Self::Status202(body)
    }
}
impl poem::IntoResponse for CreateTestEventSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status202(body) => reply::json(202, &body),
        }
    }
}
impl ApiResponse for CreateTestEventSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(202),
                    description: "The event is queued for delivery.",
                    schema: Some(<types::EventQueued as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::EventQueued as Described>::register(registry);
    }
}
error_codes! {
    CreateTestEventError of "createTestEvent" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::CONFLICT, shared::PAYLOAD_TOO_LARGE,
    shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, NotFound, NotAcceptable, Conflict, PayloadTooLarge, UnsupportedMediaType,
    RateLimited, InternalError
}
pub struct ListInstallations;
impl OperationType for ListInstallations {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listInstallations",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/installations",
        dialect: Dialect::Envelope,
        errors: ListInstallationsError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListInstallations {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListInstallationsRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListInstallationsSuccess {
    /// One page of installations.
    Status200(types::InstallationPage),
}
impl From<types::InstallationPage> for ListInstallationsSuccess {
    fn from(body: types::InstallationPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListInstallationsSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListInstallationsSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of installations.",
                    schema: Some(<types::InstallationPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::InstallationPage as Described>::register(registry);
    }
}
error_codes! {
    ListInstallationsError of "listInstallations" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::NOT_FOUND, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidCursor,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable,
    RateLimited, InternalError
}
pub struct CreateInstallation;
impl OperationType for CreateInstallation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createInstallation",
        method: "POST",
        path: "/admin/v1/workspaces/{workspace_id}/installations",
        dialect: Dialect::Envelope,
        errors: CreateInstallationError::CODES,
        schemes: &["credentials"],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &["scopes"],
        }),
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for CreateInstallation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct CreateInstallationRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
    pub x_acting_user: Option<String>,
    pub body: types::InstallationCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum CreateInstallationSuccess {
    /// The install code, valid for one exchange.
    Status201(types::InstallationCode),
}
impl From<types::InstallationCode> for CreateInstallationSuccess {
    fn from(body: types::InstallationCode) -> Self {
        Self::Status201(body)
    }
}
impl poem::IntoResponse for CreateInstallationSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status201(body) => reply::json(201, &body),
        }
    }
}
impl ApiResponse for CreateInstallationSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(201),
                    description: "The install code, valid for one exchange.",
                    schema: Some(<types::InstallationCode as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::InstallationCode as Described>::register(registry);
    }
}
error_codes! {
    CreateInstallationError of "createInstallation" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::USER_OR_OTHER_NOT_FOUND, shared::NOT_ACCEPTABLE, shared::CONFLICT,
    shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, UserNotFound, NotFound, NotAcceptable, Conflict,
    PayloadTooLarge, UnsupportedMediaType, RateLimited, InternalError
}
pub struct DeleteInstallation;
impl OperationType for DeleteInstallation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteInstallation",
        method: "DELETE",
        path: "/admin/v1/installations/{installation_id}",
        dialect: Dialect::Envelope,
        errors: DeleteInstallationError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for DeleteInstallation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct DeleteInstallationRequest {
    /// Id of an installation (`ins_`).
    pub installation_id: String,
    /// The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
    pub x_acting_user: Option<String>,
}
#[derive(Debug)]
pub enum DeleteInstallationSuccess {
    /// The installation is disconnected.
    Status200(types::OkResult),
}
impl From<types::OkResult> for DeleteInstallationSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for DeleteInstallationSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for DeleteInstallationSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The installation is disconnected.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    DeleteInstallationError of "deleteInstallation" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::USER_OR_OTHER_NOT_FOUND, shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, UserNotFound, NotFound,
    NotAcceptable, PayloadTooLarge, RateLimited, InternalError
}
pub struct ListConnections;
impl OperationType for ListConnections {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listConnections",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/connections",
        dialect: Dialect::Envelope,
        errors: ListConnectionsError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListConnections {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListConnectionsRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Only connections of this employee. An unknown id returns an empty page.
    pub user_id: Option<String>,
    /// Only connections in this state.
    pub state: Option<types::ConnectionState>,
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListConnectionsSuccess {
    /// One page of connections.
    Status200(types::ConnectionPage),
}
impl From<types::ConnectionPage> for ListConnectionsSuccess {
    fn from(body: types::ConnectionPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListConnectionsSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListConnectionsSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of connections.",
                    schema: Some(<types::ConnectionPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ConnectionPage as Described>::register(registry);
    }
}
error_codes! {
    ListConnectionsError of "listConnections" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::NOT_FOUND, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidCursor,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable,
    RateLimited, InternalError
}
pub struct DeleteConnection;
impl OperationType for DeleteConnection {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteConnection",
        method: "DELETE",
        path: "/admin/v1/connections/{connection_id}",
        dialect: Dialect::Envelope,
        errors: DeleteConnectionError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for DeleteConnection {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct DeleteConnectionRequest {
    /// Id of an assistant connection (`con_`).
    pub connection_id: String,
}
#[derive(Debug)]
pub enum DeleteConnectionSuccess {
    /// The connection is revoked.
    Status200(types::OkResult),
}
impl From<types::OkResult> for DeleteConnectionSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for DeleteConnectionSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for DeleteConnectionSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The connection is revoked.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    DeleteConnectionError of "deleteConnection" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable, PayloadTooLarge,
    RateLimited, InternalError
}
pub struct ListClientBlocks;
impl OperationType for ListClientBlocks {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listClientBlocks",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/client_blocks",
        dialect: Dialect::Envelope,
        errors: ListClientBlocksError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListClientBlocks {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListClientBlocksRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListClientBlocksSuccess {
    /// One page of block keys that the company has blocked.
    Status200(types::ClientBlockPage),
}
impl From<types::ClientBlockPage> for ListClientBlocksSuccess {
    fn from(body: types::ClientBlockPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListClientBlocksSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListClientBlocksSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of block keys that the company has blocked.",
                    schema: Some(<types::ClientBlockPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ClientBlockPage as Described>::register(registry);
    }
}
error_codes! {
    ListClientBlocksError of "listClientBlocks" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::NOT_FOUND, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidCursor,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable,
    RateLimited, InternalError
}
pub struct PutClientBlock;
impl OperationType for PutClientBlock {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "putClientBlock",
        method: "PUT",
        path: "/admin/v1/workspaces/{workspace_id}/client_blocks/{key}",
        dialect: Dialect::Envelope,
        errors: PutClientBlockError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for PutClientBlock {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct PutClientBlockRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Block key of assistant clients, percent-encoded. `listConnections` and `listAssistantClients` return block keys. Letter case does not matter.
    pub key: String,
}
#[derive(Debug)]
pub enum PutClientBlockSuccess {
    /// The key is blocked.
    Status200(types::ClientBlocked),
}
impl From<types::ClientBlocked> for PutClientBlockSuccess {
    fn from(body: types::ClientBlocked) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for PutClientBlockSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for PutClientBlockSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The key is blocked.",
                    schema: Some(<types::ClientBlocked as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ClientBlocked as Described>::register(registry);
    }
}
error_codes! {
    PutClientBlockError of "putClientBlock" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND, shared::NOT_ACCEPTABLE,
    shared::PAYLOAD_TOO_LARGE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, NotFound, NotAcceptable, PayloadTooLarge, RateLimited, InternalError
}
pub struct DeleteClientBlock;
impl OperationType for DeleteClientBlock {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteClientBlock",
        method: "DELETE",
        path: "/admin/v1/workspaces/{workspace_id}/client_blocks/{key}",
        dialect: Dialect::Envelope,
        errors: DeleteClientBlockError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for DeleteClientBlock {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct DeleteClientBlockRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Block key of assistant clients, percent-encoded. `listConnections` and `listAssistantClients` return block keys. Letter case does not matter.
    pub key: String,
}
#[derive(Debug)]
pub enum DeleteClientBlockSuccess {
    /// The key is not blocked.
    Status200(types::OkResult),
}
impl From<types::OkResult> for DeleteClientBlockSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for DeleteClientBlockSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for DeleteClientBlockSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The key is not blocked.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    DeleteClientBlockError of "deleteClientBlock" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN, shared::NOT_FOUND,
    shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable, PayloadTooLarge,
    RateLimited, InternalError
}
pub struct ListAssistantClients;
impl OperationType for ListAssistantClients {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listAssistantClients",
        method: "GET",
        path: "/admin/v1/assistant_clients",
        dialect: Dialect::Envelope,
        errors: ListAssistantClientsError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListAssistantClients {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListAssistantClientsRequest {
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListAssistantClientsSuccess {
    /// One page of clients.
    Status200(types::AssistantClientPage),
}
impl From<types::AssistantClientPage> for ListAssistantClientsSuccess {
    fn from(body: types::AssistantClientPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListAssistantClientsSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListAssistantClientsSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of clients.",
                    schema: Some(<types::AssistantClientPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::AssistantClientPage as Described>::register(registry);
    }
}
error_codes! {
    ListAssistantClientsError of "listAssistantClients" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::NOT_ACCEPTABLE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, InvalidCursor, TokenInQuery, NotAuthed,
    InvalidAuth, Forbidden, NotAcceptable, RateLimited, InternalError
}
pub struct ListToolCalls;
impl OperationType for ListToolCalls {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listToolCalls",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/tool_calls",
        dialect: Dialect::Envelope,
        errors: ListToolCallsError::CODES,
        schemes: &["credentials"],
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ListToolCalls {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ListToolCallsRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Only calls for this employee. An unknown id returns an empty page.
    pub user_id: Option<String>,
    /// Only calls of this client. An unknown id returns an empty page.
    pub client_id: Option<String>,
    /// Only calls through this connection. The id of an unknown or deleted connection returns an empty page.
    pub connection_id: Option<String>,
    /// Only calls of this tool. An unknown name returns an empty page.
    pub tool: Option<String>,
    /// Only calls with this outcome.
    pub outcome: Option<types::ToolOutcome>,
    /// Only calls at this time or later.
    pub since: Option<Timestamp>,
    /// Only calls before this time.
    pub until: Option<Timestamp>,
    /// `newest`, the default: newest first. `ingested`: in the order in which entries were written, oldest first. `ingested` cannot be combined with filters (400). With `ingested`, `next_cursor` is never null. A page with fewer than `limit` entries ends at the present end of the log; its cursor later returns the entries that were written in the meantime. A client that continues with the cursor misses no entry, even if several nodes write.
    pub order: Option<types::LogOrder>,
    /// Page size. Values above 1000 count as 1000.
    pub limit: u32,
    /// The previous page's `next_cursor`; left out for the first page.
    pub cursor: Option<String>,
}
#[derive(Debug)]
pub enum ListToolCallsSuccess {
    /// One page of calls.
    Status200(types::ToolCallPage),
}
impl From<types::ToolCallPage> for ListToolCallsSuccess {
    fn from(body: types::ToolCallPage) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ListToolCallsSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ListToolCallsSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "One page of calls.",
                    schema: Some(<types::ToolCallPage as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ToolCallPage as Described>::register(registry);
    }
}
error_codes! {
    ListToolCallsError of "listToolCalls" : types::ErrorEnvelope,
    [shared::BAD_PAGE_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN,
    shared::NOT_FOUND, shared::NOT_ACCEPTABLE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, InvalidCursor,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable,
    RateLimited, InternalError
}
pub struct GetClock;
impl OperationType for GetClock {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "getClock",
        method: "GET",
        path: "/admin/v1/clock",
        dialect: Dialect::Envelope,
        errors: GetClockError::CODES,
        schemes: &["credentials"],
        sandbox: true,
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for GetClock {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct GetClockRequest {}
#[derive(Debug)]
pub enum GetClockSuccess {
    /// The time.
    Status200(types::ClockResult),
}
impl From<types::ClockResult> for GetClockSuccess {
    fn from(body: types::ClockResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for GetClockSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for GetClockSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The time.",
                    schema: Some(<types::ClockResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ClockResult as Described>::register(registry);
    }
}
error_codes! {
    GetClockError of "getClock" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::SANDBOX_ONLY,
    shared::NOT_ACCEPTABLE, shared::RATE_LIMITED, shared::INTERNAL_ERROR,
    shared::OTHER_ERROR]; InvalidRequest, TokenInQuery, NotAuthed, InvalidAuth,
    Forbidden, NotFound, NotAcceptable, RateLimited, InternalError
}
pub struct UpdateClock;
impl OperationType for UpdateClock {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateClock",
        method: "POST",
        path: "/admin/v1/clock",
        dialect: Dialect::Envelope,
        errors: UpdateClockError::CODES,
        schemes: &["credentials"],
        sandbox: true,
        body: Some(BodyInfo {
            media_types: &["application/json"],
            also: &[],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for UpdateClock {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct UpdateClockRequest {
    pub body: types::ClockUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
#[derive(Debug)]
pub enum UpdateClockSuccess {
    /// The new time.
    Status200(types::ClockResult),
}
impl From<types::ClockResult> for UpdateClockSuccess {
    fn from(body: types::ClockResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for UpdateClockSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for UpdateClockSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "The new time.",
                    schema: Some(<types::ClockResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
                    ],
                },
            ],
        )
    }
    fn register(registry: &mut Registry) {
        <types::ClockResult as Described>::register(registry);
    }
}
error_codes! {
    UpdateClockError of "updateClock" : types::ErrorEnvelope, [shared::BAD_REQUEST,
    shared::UNAUTHORIZED, shared::FORBIDDEN, shared::SANDBOX_ONLY,
    shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE, shared::UNSUPPORTED_MEDIA_TYPE,
    shared::RATE_LIMITED, shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest,
    TokenInQuery, NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable,
    PayloadTooLarge, UnsupportedMediaType, RateLimited, InternalError
}
pub struct ResetRateLimits;
impl OperationType for ResetRateLimits {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "resetRateLimits",
        method: "POST",
        path: "/admin/v1/rate_limits/reset",
        dialect: Dialect::Envelope,
        errors: ResetRateLimitsError::CODES,
        schemes: &["credentials"],
        sandbox: true,
        credentials: &[Credential::Operator],
        ..OperationInfo::plain(LimitName::Admin)
    };
}
impl<H: Security> Guarded<H> for ResetRateLimits {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
#[derive(Debug)]
pub struct ResetRateLimitsRequest {}
#[derive(Debug)]
pub enum ResetRateLimitsSuccess {
    /// Every limit is unused.
    Status200(types::OkResult),
}
impl From<types::OkResult> for ResetRateLimitsSuccess {
    fn from(body: types::OkResult) -> Self {
        Self::Status200(body)
    }
}
impl poem::IntoResponse for ResetRateLimitsSuccess {
    fn into_response(self) -> Response {
        match self {
            Self::Status200(body) => reply::json(200, &body),
        }
    }
}
impl ApiResponse for ResetRateLimitsSuccess {
    fn meta() -> MetaResponses {
        reply::meta(
            &[
                ReplyDoc {
                    status: Some(200),
                    description: "Every limit is unused.",
                    schema: Some(<types::OkResult as Described>::schema),
                    headers: &[
                        ("X-Request-Id", shared::HEADER_REQUEST_ID),
                        ("Cache-Control", shared::HEADER_CACHE_CONTROL),
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
    ResetRateLimitsError of "resetRateLimits" : types::ErrorEnvelope,
    [shared::BAD_REQUEST, shared::UNAUTHORIZED, shared::FORBIDDEN, shared::SANDBOX_ONLY,
    shared::NOT_ACCEPTABLE, shared::PAYLOAD_TOO_LARGE, shared::RATE_LIMITED,
    shared::INTERNAL_ERROR, shared::OTHER_ERROR]; InvalidRequest, TokenInQuery,
    NotAuthed, InvalidAuth, Forbidden, NotFound, NotAcceptable, PayloadTooLarge,
    RateLimited, InternalError
}
/// Sign in and out.
pub trait SessionsHandlers: Security {
    /// Sign in
    fn create_session(
        &self,
        request: CreateSessionRequest,
    ) -> impl Future<
        Output = Result<CreateSessionSuccess, OperationError<CreateSessionError>>,
    > + Send;
    /// Sign out
    fn delete_session(
        &self,
        caller: Self::Credentials,
        request: DeleteSessionRequest,
    ) -> impl Future<
        Output = Result<DeleteSessionSuccess, OperationError<DeleteSessionError>>,
    > + Send;
}
/// Companies and their settings.
pub trait WorkspacesHandlers: Security {
    /// List companies
    fn list_workspaces(
        &self,
        caller: Self::Credentials,
        request: ListWorkspacesRequest,
    ) -> impl Future<
        Output = Result<ListWorkspacesSuccess, OperationError<ListWorkspacesError>>,
    > + Send;
    /// Create a company
    fn create_workspace(
        &self,
        caller: Self::Credentials,
        request: CreateWorkspaceRequest,
    ) -> impl Future<
        Output = Result<CreateWorkspaceSuccess, OperationError<CreateWorkspaceError>>,
    > + Send;
    /// Read one company
    fn get_workspace(
        &self,
        caller: Self::Credentials,
        request: GetWorkspaceRequest,
    ) -> impl Future<
        Output = Result<GetWorkspaceSuccess, OperationError<GetWorkspaceError>>,
    > + Send;
    /// Change a company
    fn update_workspace(
        &self,
        caller: Self::Credentials,
        request: UpdateWorkspaceRequest,
    ) -> impl Future<
        Output = Result<UpdateWorkspaceSuccess, OperationError<UpdateWorkspaceError>>,
    > + Send;
}
/// People and bot users, their state, and the apps they block.
pub trait UsersHandlers: Security {
    /// List people and bots
    fn list_users(
        &self,
        caller: Self::Credentials,
        request: ListUsersRequest,
    ) -> impl Future<
        Output = Result<ListUsersSuccess, OperationError<ListUsersError>>,
    > + Send;
    /// Add a person
    fn create_user(
        &self,
        caller: Self::Credentials,
        request: CreateUserRequest,
    ) -> impl Future<
        Output = Result<CreateUserSuccess, OperationError<CreateUserError>>,
    > + Send;
    /// Read one person
    fn get_user(
        &self,
        caller: Self::Credentials,
        request: GetUserRequest,
    ) -> impl Future<
        Output = Result<GetUserSuccess, OperationError<GetUserError>>,
    > + Send;
    /// Change a person
    fn update_user(
        &self,
        caller: Self::Credentials,
        request: UpdateUserRequest,
    ) -> impl Future<
        Output = Result<UpdateUserSuccess, OperationError<UpdateUserError>>,
    > + Send;
    /// Change a person's state
    fn set_user_state(
        &self,
        caller: Self::Credentials,
        request: SetUserStateRequest,
    ) -> impl Future<
        Output = Result<SetUserStateSuccess, OperationError<SetUserStateError>>,
    > + Send;
    /// Force a person to sign in again
    fn logout_user(
        &self,
        caller: Self::Credentials,
        request: LogoutUserRequest,
    ) -> impl Future<
        Output = Result<LogoutUserSuccess, OperationError<LogoutUserError>>,
    > + Send;
    /// Block an app
    fn block_app(
        &self,
        caller: Self::Credentials,
        request: BlockAppRequest,
    ) -> impl Future<
        Output = Result<BlockAppSuccess, OperationError<BlockAppError>>,
    > + Send;
    /// Unblock an app
    fn unblock_app(
        &self,
        caller: Self::Credentials,
        request: UnblockAppRequest,
    ) -> impl Future<
        Output = Result<UnblockAppSuccess, OperationError<UnblockAppError>>,
    > + Send;
}
/// Groups, channels, direct messages and their members.
pub trait ConversationsHandlers: Security {
    /// List conversations
    fn list_conversations(
        &self,
        caller: Self::Credentials,
        request: ListConversationsRequest,
    ) -> impl Future<
        Output = Result<ListConversationsSuccess, OperationError<ListConversationsError>>,
    > + Send;
    /// Create a conversation
    fn create_conversation(
        &self,
        caller: Self::Credentials,
        request: CreateConversationRequest,
    ) -> impl Future<
        Output = Result<
            CreateConversationSuccess,
            OperationError<CreateConversationError>,
        >,
    > + Send;
    /// Read one conversation
    fn get_conversation(
        &self,
        caller: Self::Credentials,
        request: GetConversationRequest,
    ) -> impl Future<
        Output = Result<GetConversationSuccess, OperationError<GetConversationError>>,
    > + Send;
    /// Delete a conversation
    fn delete_conversation(
        &self,
        caller: Self::Credentials,
        request: DeleteConversationRequest,
    ) -> impl Future<
        Output = Result<
            DeleteConversationSuccess,
            OperationError<DeleteConversationError>,
        >,
    > + Send;
    /// Change a conversation
    fn update_conversation(
        &self,
        caller: Self::Credentials,
        request: UpdateConversationRequest,
    ) -> impl Future<
        Output = Result<
            UpdateConversationSuccess,
            OperationError<UpdateConversationError>,
        >,
    > + Send;
    /// List the members of a conversation
    fn list_members(
        &self,
        caller: Self::Credentials,
        request: ListMembersRequest,
    ) -> impl Future<
        Output = Result<ListMembersSuccess, OperationError<ListMembersError>>,
    > + Send;
    /// Add a member
    fn add_member(
        &self,
        caller: Self::Credentials,
        request: AddMemberRequest,
    ) -> impl Future<
        Output = Result<AddMemberSuccess, OperationError<AddMemberError>>,
    > + Send;
    /// Remove a member
    fn remove_member(
        &self,
        caller: Self::Credentials,
        request: RemoveMemberRequest,
    ) -> impl Future<
        Output = Result<RemoveMemberSuccess, OperationError<RemoveMemberError>>,
    > + Send;
}
/// Messages of people, of bots and of the system, with all stored fields.
pub trait MessagesHandlers: Security {
    /// Read the messages of a conversation
    fn list_messages(
        &self,
        caller: Self::Credentials,
        request: ListMessagesRequest,
    ) -> impl Future<
        Output = Result<ListMessagesSuccess, OperationError<ListMessagesError>>,
    > + Send;
    /// Post a message
    fn create_message(
        &self,
        caller: Self::Credentials,
        request: CreateMessageRequest,
    ) -> impl Future<
        Output = Result<CreateMessageSuccess, OperationError<CreateMessageError>>,
    > + Send;
    /// Delete a message
    fn delete_message(
        &self,
        caller: Self::Credentials,
        request: DeleteMessageRequest,
    ) -> impl Future<
        Output = Result<DeleteMessageSuccess, OperationError<DeleteMessageError>>,
    > + Send;
    /// Edit a person's message
    fn update_message(
        &self,
        caller: Self::Credentials,
        request: UpdateMessageRequest,
    ) -> impl Future<
        Output = Result<UpdateMessageSuccess, OperationError<UpdateMessageError>>,
    > + Send;
    /// Click a button of a bot's message
    fn create_interaction(
        &self,
        caller: Self::Credentials,
        request: CreateInteractionRequest,
    ) -> impl Future<
        Output = Result<CreateInteractionSuccess, OperationError<CreateInteractionError>>,
    > + Send;
}
/// Uploaded files.
pub trait FilesHandlers: Security {
    /// Upload a file
    fn upload_file(
        &self,
        caller: Self::Credentials,
        request: UploadFileRequest,
    ) -> impl Future<
        Output = Result<UploadFileSuccess, OperationError<UploadFileError>>,
    > + Send;
    /// Delete a file
    fn delete_file(
        &self,
        caller: Self::Credentials,
        request: DeleteFileRequest,
    ) -> impl Future<
        Output = Result<DeleteFileSuccess, OperationError<DeleteFileError>>,
    > + Send;
}
/// Registered apps and their secrets.
pub trait AppsHandlers: Security {
    /// List apps
    fn list_apps(
        &self,
        caller: Self::Credentials,
        request: ListAppsRequest,
    ) -> impl Future<
        Output = Result<ListAppsSuccess, OperationError<ListAppsError>>,
    > + Send;
    /// Register an app
    fn create_app(
        &self,
        caller: Self::Credentials,
        request: CreateAppRequest,
    ) -> impl Future<
        Output = Result<CreateAppSuccess, OperationError<CreateAppError>>,
    > + Send;
    /// Read one app
    fn get_app(
        &self,
        caller: Self::Credentials,
        request: GetAppRequest,
    ) -> impl Future<Output = Result<GetAppSuccess, OperationError<GetAppError>>> + Send;
    /// Change an app
    fn update_app(
        &self,
        caller: Self::Credentials,
        request: UpdateAppRequest,
    ) -> impl Future<
        Output = Result<UpdateAppSuccess, OperationError<UpdateAppError>>,
    > + Send;
    /// Replace a secret
    fn rotate_secret(
        &self,
        caller: Self::Credentials,
        request: RotateSecretRequest,
    ) -> impl Future<
        Output = Result<RotateSecretSuccess, OperationError<RotateSecretError>>,
    > + Send;
}
/// Deliveries of events to the callback URLs of apps.
pub trait EventsHandlers: Security {
    /// List event deliveries
    fn list_deliveries(
        &self,
        caller: Self::Credentials,
        request: ListDeliveriesRequest,
    ) -> impl Future<
        Output = Result<ListDeliveriesSuccess, OperationError<ListDeliveriesError>>,
    > + Send;
    /// Deliver an event again
    fn redeliver_event(
        &self,
        caller: Self::Credentials,
        request: RedeliverEventRequest,
    ) -> impl Future<
        Output = Result<RedeliverEventSuccess, OperationError<RedeliverEventError>>,
    > + Send;
    /// Deliver events again
    fn redeliver_events(
        &self,
        caller: Self::Credentials,
        request: RedeliverEventsRequest,
    ) -> impl Future<
        Output = Result<RedeliverEventsSuccess, OperationError<RedeliverEventsError>>,
    > + Send;
    /// Send a test event
    fn create_test_event(
        &self,
        caller: Self::Credentials,
        request: CreateTestEventRequest,
    ) -> impl Future<
        Output = Result<CreateTestEventSuccess, OperationError<CreateTestEventError>>,
    > + Send;
}
/// Apps installed in a company.
pub trait InstallationsHandlers: Security {
    /// List installations
    fn list_installations(
        &self,
        caller: Self::Credentials,
        request: ListInstallationsRequest,
    ) -> impl Future<
        Output = Result<ListInstallationsSuccess, OperationError<ListInstallationsError>>,
    > + Send;
    /// Approve an installation
    fn create_installation(
        &self,
        caller: Self::Credentials,
        request: CreateInstallationRequest,
    ) -> impl Future<
        Output = Result<
            CreateInstallationSuccess,
            OperationError<CreateInstallationError>,
        >,
    > + Send;
    /// Uninstall an app
    fn delete_installation(
        &self,
        caller: Self::Credentials,
        request: DeleteInstallationRequest,
    ) -> impl Future<
        Output = Result<
            DeleteInstallationSuccess,
            OperationError<DeleteInstallationError>,
        >,
    > + Send;
}
/// Assistants that employees have connected.
pub trait ConnectionsHandlers: Security {
    /// List assistant connections
    fn list_connections(
        &self,
        caller: Self::Credentials,
        request: ListConnectionsRequest,
    ) -> impl Future<
        Output = Result<ListConnectionsSuccess, OperationError<ListConnectionsError>>,
    > + Send;
    /// Revoke an assistant connection
    fn delete_connection(
        &self,
        caller: Self::Credentials,
        request: DeleteConnectionRequest,
    ) -> impl Future<
        Output = Result<DeleteConnectionSuccess, OperationError<DeleteConnectionError>>,
    > + Send;
}
/// Assistant clients, and the ones a company blocks.
pub trait AssistantsHandlers: Security {
    /// List blocked clients
    fn list_client_blocks(
        &self,
        caller: Self::Credentials,
        request: ListClientBlocksRequest,
    ) -> impl Future<
        Output = Result<ListClientBlocksSuccess, OperationError<ListClientBlocksError>>,
    > + Send;
    /// Block a client
    fn put_client_block(
        &self,
        caller: Self::Credentials,
        request: PutClientBlockRequest,
    ) -> impl Future<
        Output = Result<PutClientBlockSuccess, OperationError<PutClientBlockError>>,
    > + Send;
    /// Unblock a client
    fn delete_client_block(
        &self,
        caller: Self::Credentials,
        request: DeleteClientBlockRequest,
    ) -> impl Future<
        Output = Result<DeleteClientBlockSuccess, OperationError<DeleteClientBlockError>>,
    > + Send;
    /// List assistant clients
    fn list_assistant_clients(
        &self,
        caller: Self::Credentials,
        request: ListAssistantClientsRequest,
    ) -> impl Future<
        Output = Result<
            ListAssistantClientsSuccess,
            OperationError<ListAssistantClientsError>,
        >,
    > + Send;
}
/// The audit log of assistants' tool calls.
pub trait AuditHandlers: Security {
    /// List tool calls of assistants
    fn list_tool_calls(
        &self,
        caller: Self::Credentials,
        request: ListToolCallsRequest,
    ) -> impl Future<
        Output = Result<ListToolCallsSuccess, OperationError<ListToolCallsError>>,
    > + Send;
}
/// The test clock and the rate limits; absent in production.
pub trait SandboxHandlers: Security {
    /// Read the clock
    fn get_clock(
        &self,
        caller: Self::Credentials,
        request: GetClockRequest,
    ) -> impl Future<
        Output = Result<GetClockSuccess, OperationError<GetClockError>>,
    > + Send;
    /// Move the clock
    fn update_clock(
        &self,
        caller: Self::Credentials,
        request: UpdateClockRequest,
    ) -> impl Future<
        Output = Result<UpdateClockSuccess, OperationError<UpdateClockError>>,
    > + Send;
    /// Reset the rate limits
    fn reset_rate_limits(
        &self,
        caller: Self::Credentials,
        request: ResetRateLimitsRequest,
    ) -> impl Future<
        Output = Result<ResetRateLimitsSuccess, OperationError<ResetRateLimitsError>>,
    > + Send;
}
/// All handler traits of the document.
pub trait Handlers: SessionsHandlers + WorkspacesHandlers + UsersHandlers + ConversationsHandlers + MessagesHandlers + FilesHandlers + AppsHandlers + EventsHandlers + InstallationsHandlers + ConnectionsHandlers + AssistantsHandlers + AuditHandlers + SandboxHandlers {}
impl<
    T: SessionsHandlers + WorkspacesHandlers + UsersHandlers + ConversationsHandlers
        + MessagesHandlers + FilesHandlers + AppsHandlers + EventsHandlers
        + InstallationsHandlers + ConnectionsHandlers + AssistantsHandlers
        + AuditHandlers + SandboxHandlers,
> Handlers for T {}
/// The routes of the document over hand-written handlers.
pub struct Server<H>(pub Arc<H>);
#[OpenApi]
impl<H: Handlers> Server<H> {
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
and the attempt is not counted as a wrong password.*/
    #[oai(
        path = "/admin/v1/sessions",
        method = "post",
        operation_id = "createSession",
        tag = "Tag::Sessions"
    )]
    async fn create_session(
        &self,
        _guard: Guard<H, CreateSession>,
        body: Body<CreateSession, types::SessionCreate>,
    ) -> Result<CreateSessionSuccess, OperationError<CreateSessionError>> {
        self.0
            .create_session(CreateSessionRequest {
                body: body.value,
                sent: body.sent,
            })
            .await
    }
    /**Sign out

Ends the session whose token is sent. For admins and persons; an operator key has no session and gets 403.*/
    #[oai(
        path = "/admin/v1/sessions/current",
        method = "delete",
        operation_id = "deleteSession",
        tag = "Tag::Sessions"
    )]
    async fn delete_session(
        &self,
        guard: Guard<H, DeleteSession>,
    ) -> Result<DeleteSessionSuccess, OperationError<DeleteSessionError>> {
        self.0.delete_session(guard.into_caller(), DeleteSessionRequest {}).await
    }
    /**List companies

Every company of the server, oldest first. For the operator.*/
    #[oai(
        path = "/admin/v1/workspaces",
        method = "get",
        operation_id = "listWorkspaces",
        tag = "Tag::Workspaces"
    )]
    async fn list_workspaces(
        &self,
        guard: Guard<H, ListWorkspaces>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListWorkspacesSuccess, OperationError<ListWorkspacesError>> {
        self.0
            .list_workspaces(
                guard.into_caller(),
                ListWorkspacesRequest {
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    /**Create a company

Creates a company without people. For the operator.*/
    #[oai(
        path = "/admin/v1/workspaces",
        method = "post",
        operation_id = "createWorkspace",
        tag = "Tag::Workspaces"
    )]
    async fn create_workspace(
        &self,
        guard: Guard<H, CreateWorkspace>,
        body: Body<CreateWorkspace, types::WorkspaceCreate>,
    ) -> Result<CreateWorkspaceSuccess, OperationError<CreateWorkspaceError>> {
        self.0
            .create_workspace(
                guard.into_caller(),
                CreateWorkspaceRequest {
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Read one company

The company with its settings. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id",
        method = "get",
        operation_id = "getWorkspace",
        tag = "Tag::Workspaces"
    )]
    async fn get_workspace(
        &self,
        guard: Guard<H, GetWorkspace>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
    ) -> Result<GetWorkspaceSuccess, OperationError<GetWorkspaceError>> {
        self.0
            .get_workspace(
                guard.into_caller(),
                GetWorkspaceRequest {
                    workspace_id: workspace_id.0,
                },
            )
            .await
    }
    /**Change a company

Changes the settings that the body contains. Turning `ai_assistants` off revokes every assistant connection of the company; turning it on again restores none. When the response to a change of `assistant_sends` to `confirm` is sent, no assistant can send a draft any more. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id",
        method = "patch",
        operation_id = "updateWorkspace",
        tag = "Tag::Workspaces"
    )]
    async fn update_workspace(
        &self,
        guard: Guard<H, UpdateWorkspace>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        body: Body<UpdateWorkspace, types::WorkspaceUpdate>,
    ) -> Result<UpdateWorkspaceSuccess, OperationError<UpdateWorkspaceError>> {
        self.0
            .update_workspace(
                guard.into_caller(),
                UpdateWorkspaceRequest {
                    workspace_id: workspace_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**List people and bots

All people and bot users of the company with all fields, oldest first, in every state and including hidden guests. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/users",
        method = "get",
        operation_id = "adminListUsers",
        tag = "Tag::Users"
    )]
    async fn list_users(
        &self,
        guard: Guard<H, ListUsers>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        ///A search text: only people and bots who match each of its words. A user matches a word of the text if the user's e-mail address begins with this word. A user also matches if this word is the beginning of any word in the name, in the display name, or in the part of the e-mail address before the `@`. Case, accents and punctuation do not matter. If the text has more than four words, only the four longest count.
        #[oai(name = "query")]
        query: QueryParameter<QueryParam>,
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
                    workspace_id: workspace_id.0,
                    query: query.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
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
present password gives access to this company only.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/users",
        method = "post",
        operation_id = "createUser",
        tag = "Tag::Users"
    )]
    async fn create_user(
        &self,
        guard: Guard<H, CreateUser>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        body: Body<CreateUser, types::UserCreate>,
    ) -> Result<CreateUserSuccess, OperationError<CreateUserError>> {
        self.0
            .create_user(
                guard.into_caller(),
                CreateUserRequest {
                    workspace_id: workspace_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Read one person

A person or bot user with all fields. For the operator, the company's admins, and the person themselves.*/
    #[oai(
        path = "/admin/v1/users/:user_id",
        method = "get",
        operation_id = "adminGetUser",
        tag = "Tag::Users"
    )]
    async fn get_user(
        &self,
        guard: Guard<H, GetUser>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<UserIdParam>,
    ) -> Result<GetUserSuccess, OperationError<GetUserError>> {
        self.0
            .get_user(
                guard.into_caller(),
                GetUserRequest {
                    user_id: user_id.0,
                },
            )
            .await
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
account of the new address, which is created without a password if it does not exist.*/
    #[oai(
        path = "/admin/v1/users/:user_id",
        method = "patch",
        operation_id = "updateUser",
        tag = "Tag::Users"
    )]
    async fn update_user(
        &self,
        guard: Guard<H, UpdateUser>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<UserIdParam>,
        body: Body<UpdateUser, types::UserUpdate>,
    ) -> Result<UpdateUserSuccess, OperationError<UpdateUserError>> {
        self.0
            .update_user(
                guard.into_caller(),
                UpdateUserRequest {
                    user_id: user_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Change a person's state

Changes a person's account state: between active and deactivated, from onboarding to active, and
from any state to removed, which is final. If the person already has the state, nothing changes.
For every other change, and for a bot user, the response is 409.

If a person is deactivated or removed, no existing session of the account can act as this person
any more. The person's assistant connections are revoked, and apps that may read people get
`user.deactivated`. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/users/:user_id/state",
        method = "post",
        operation_id = "setUserState",
        tag = "Tag::Users"
    )]
    async fn set_user_state(
        &self,
        guard: Guard<H, SetUserState>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<UserIdParam>,
        body: Body<SetUserState, types::UserStateChange>,
    ) -> Result<SetUserStateSuccess, OperationError<SetUserStateError>> {
        self.0
            .set_user_state(
                guard.into_caller(),
                SetUserStateRequest {
                    user_id: user_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Force a person to sign in again

Signs a person out: no existing session of the account can act as this person any more, and all assistant connections of the person are revoked. For a bot user the response is 409. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/users/:user_id/logout",
        method = "post",
        operation_id = "logoutUser",
        tag = "Tag::Users"
    )]
    async fn logout_user(
        &self,
        guard: Guard<H, LogoutUser>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<UserIdParam>,
    ) -> Result<LogoutUserSuccess, OperationError<LogoutUserError>> {
        self.0
            .logout_user(
                guard.into_caller(),
                LogoutUserRequest {
                    user_id: user_id.0,
                },
            )
            .await
    }
    /**Block an app

Blocks an app for the person: the app's bot can no longer send direct messages to the person. The block stays when the app is uninstalled. If the app is already blocked, nothing changes. For the operator and the person themselves.*/
    #[oai(
        path = "/admin/v1/users/:user_id/app_blocks/:app_id",
        method = "put",
        operation_id = "blockApp",
        tag = "Tag::Users"
    )]
    async fn block_app(
        &self,
        guard: Guard<H, BlockApp>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<UserIdParam>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<AppIdParam>,
    ) -> Result<BlockAppSuccess, OperationError<BlockAppError>> {
        self.0
            .block_app(
                guard.into_caller(),
                BlockAppRequest {
                    user_id: user_id.0,
                    app_id: app_id.0,
                },
            )
            .await
    }
    /**Unblock an app

Lets the app's bot send direct messages to the person again. If the app is not blocked, nothing changes. For the operator and the person themselves.*/
    #[oai(
        path = "/admin/v1/users/:user_id/app_blocks/:app_id",
        method = "delete",
        operation_id = "unblockApp",
        tag = "Tag::Users"
    )]
    async fn unblock_app(
        &self,
        guard: Guard<H, UnblockApp>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<UserIdParam>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<AppIdParam>,
    ) -> Result<UnblockAppSuccess, OperationError<UnblockAppError>> {
        self.0
            .unblock_app(
                guard.into_caller(),
                UnblockAppRequest {
                    user_id: user_id.0,
                    app_id: app_id.0,
                },
            )
            .await
    }
    /**List conversations

All groups, channels and direct messages of the company, oldest first, including archived and deleted ones. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/conversations",
        method = "get",
        operation_id = "adminListConversations",
        tag = "Tag::Conversations"
    )]
    async fn list_conversations(
        &self,
        guard: Guard<H, ListConversations>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
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
                    workspace_id: workspace_id.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
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
conversation. For all other ids the response is 404, as for an unknown id.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/conversations",
        method = "post",
        operation_id = "createConversation",
        tag = "Tag::Conversations"
    )]
    async fn create_conversation(
        &self,
        guard: Guard<H, CreateConversation>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        body: Body<CreateConversation, types::ConversationCreate>,
    ) -> Result<CreateConversationSuccess, OperationError<CreateConversationError>> {
        self.0
            .create_conversation(
                guard.into_caller(),
                CreateConversationRequest {
                    workspace_id: workspace_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Read one conversation

The conversation with its present and past members, even if it is archived or deleted. At most 200 members are returned. If there are more, `members_cursor` is a cursor of the operation `listMembers`, which returns the remaining members. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/conversations/:conversation_id",
        method = "get",
        operation_id = "adminGetConversation",
        tag = "Tag::Conversations"
    )]
    async fn get_conversation(
        &self,
        guard: Guard<H, GetConversation>,
        ///Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
        #[oai(name = "conversation_id")]
        conversation_id: Path<ConversationIdParam>,
    ) -> Result<GetConversationSuccess, OperationError<GetConversationError>> {
        self.0
            .get_conversation(
                guard.into_caller(),
                GetConversationRequest {
                    conversation_id: conversation_id.0,
                },
            )
            .await
    }
    /**Delete a conversation

Deletes the conversation. If it is a group, its channels are deleted too. The apps of the bots in a deleted group or channel get `conversation.deleted`, except for announcement-only conversations. The operator and admins can still read a deleted conversation, which has `is_deleted: true`. If the conversation is already deleted, the response is 404. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/conversations/:conversation_id",
        method = "delete",
        operation_id = "deleteConversation",
        tag = "Tag::Conversations"
    )]
    async fn delete_conversation(
        &self,
        guard: Guard<H, DeleteConversation>,
        ///Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
        #[oai(name = "conversation_id")]
        conversation_id: Path<ConversationIdParam>,
    ) -> Result<DeleteConversationSuccess, OperationError<DeleteConversationError>> {
        self.0
            .delete_conversation(
                guard.into_caller(),
                DeleteConversationRequest {
                    conversation_id: conversation_id.0,
                },
            )
            .await
    }
    /**Change a conversation

Changes the fields that the body contains. `type` and `is_archived` of a group apply to its channels too. The response is 400 for a field that this kind of conversation does not have: `type` and `is_archived` for a channel, all fields for a direct message. The apps of the bots in the conversation get `conversation.renamed` if the name changes, and `conversation.archived` if a group is archived, except for announcement-only conversations. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/conversations/:conversation_id",
        method = "patch",
        operation_id = "updateConversation",
        tag = "Tag::Conversations"
    )]
    async fn update_conversation(
        &self,
        guard: Guard<H, UpdateConversation>,
        ///Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
        #[oai(name = "conversation_id")]
        conversation_id: Path<ConversationIdParam>,
        body: Body<UpdateConversation, types::ConversationUpdate>,
    ) -> Result<UpdateConversationSuccess, OperationError<UpdateConversationError>> {
        self.0
            .update_conversation(
                guard.into_caller(),
                UpdateConversationRequest {
                    conversation_id: conversation_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**List the members of a conversation

The operator and admins get all present and past members in the order of their ids, also of archived and deleted conversations. A person who is not an admin gets the present members without hidden guests; a hidden guest also gets their own entry. If the person never was a member, or if the conversation is deleted, the response is 404 `conversation_not_found`. If the person is a former member, the response is 403 `not_in_conversation`. For the operator, the company's admins and persons.*/
    #[oai(
        path = "/admin/v1/conversations/:conversation_id/members",
        method = "get",
        operation_id = "listMembers",
        tag = "Tag::Conversations"
    )]
    async fn list_members(
        &self,
        guard: Guard<H, ListMembers>,
        ///Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
        #[oai(name = "conversation_id")]
        conversation_id: Path<ConversationIdParam>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListMembersSuccess, OperationError<ListMembersError>> {
        self.0
            .list_members(
                guard.into_caller(),
                ListMembersRequest {
                    conversation_id: conversation_id.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    /**Add a member

Adds a person, or an app by its bot's user id. A user who joins a channel also joins its group. A system message reports the new member. The app of an added bot gets `conversation.created`, except for an announcement-only conversation. If the user is already a member, nothing changes. The response is 409 for a direct message, for an archived group and its channels, and for a deactivated or removed person. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/conversations/:conversation_id/members/:user_id",
        method = "put",
        operation_id = "addMember",
        tag = "Tag::Conversations"
    )]
    async fn add_member(
        &self,
        guard: Guard<H, AddMember>,
        ///Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
        #[oai(name = "conversation_id")]
        conversation_id: Path<ConversationIdParam>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<UserIdParam>,
    ) -> Result<AddMemberSuccess, OperationError<AddMemberError>> {
        self.0
            .add_member(
                guard.into_caller(),
                AddMemberRequest {
                    conversation_id: conversation_id.0,
                    user_id: user_id.0,
                },
            )
            .await
    }
    /**Remove a member

Removes a person or a bot. A user who is removed from a group is also removed from its channels; adding the user to the group again does not restore these memberships. The app of a removed bot gets `app.removed_from_conversation`, except for an announcement-only conversation. If the user is not a member, nothing changes. For a direct message the response is 409. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/conversations/:conversation_id/members/:user_id",
        method = "delete",
        operation_id = "removeMember",
        tag = "Tag::Conversations"
    )]
    async fn remove_member(
        &self,
        guard: Guard<H, RemoveMember>,
        ///Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
        #[oai(name = "conversation_id")]
        conversation_id: Path<ConversationIdParam>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<UserIdParam>,
    ) -> Result<RemoveMemberSuccess, OperationError<RemoveMemberError>> {
        self.0
            .remove_member(
                guard.into_caller(),
                RemoveMemberRequest {
                    conversation_id: conversation_id.0,
                    user_id: user_id.0,
                },
            )
            .await
    }
    /**Read the messages of a conversation

All messages with all stored fields, newest first. A deleted message stays in the list without its content. Messages of direct, archived and deleted conversations are listed, too. If edit histories are long, a page may have fewer than `limit` messages although it has a `next_cursor`. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/conversations/:conversation_id/messages",
        method = "get",
        operation_id = "listMessages",
        tag = "Tag::Messages"
    )]
    async fn list_messages(
        &self,
        guard: Guard<H, ListMessages>,
        ///Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
        #[oai(name = "conversation_id")]
        conversation_id: Path<ConversationIdParam>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListMessagesSuccess, OperationError<ListMessagesError>> {
        self.0
            .list_messages(
                guard.into_caller(),
                ListMessagesRequest {
                    conversation_id: conversation_id.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
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
response is 409 `conflict`.*/
    #[oai(
        path = "/admin/v1/conversations/:conversation_id/messages",
        method = "post",
        operation_id = "adminCreateMessage",
        tag = "Tag::Messages"
    )]
    async fn create_message(
        &self,
        guard: Guard<H, CreateMessage>,
        ///Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
        #[oai(name = "conversation_id")]
        conversation_id: Path<ConversationIdParam>,
        ///The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
        #[oai(name = "X-Acting-User")]
        x_acting_user: HeaderParameter<XActingUserParam>,
        body: Body<CreateMessage, types::MessageCreate>,
    ) -> Result<CreateMessageSuccess, OperationError<CreateMessageError>> {
        self.0
            .create_message(
                guard.into_caller(),
                CreateMessageRequest {
                    conversation_id: conversation_id.0,
                    x_acting_user: x_acting_user.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Delete a message

Deletes a message of any sender, also in an archived, announcement-only or deleted conversation. The text, the blocks, the metadata and the edit history of the message are erased. Its files that are in no other message are deleted after 24 hours, unless configured otherwise. If the message is already deleted, the response is 404. For the operator, the company's admins, and the person who sent the message.*/
    #[oai(
        path = "/admin/v1/messages/:message_id",
        method = "delete",
        operation_id = "adminDeleteMessage",
        tag = "Tag::Messages"
    )]
    async fn delete_message(
        &self,
        guard: Guard<H, DeleteMessage>,
        ///Id of a message (`gmsg_` or `dmsg_`).
        #[oai(name = "message_id")]
        message_id: Path<MessageIdParam>,
    ) -> Result<DeleteMessageSuccess, OperationError<DeleteMessageError>> {
        self.0
            .delete_message(
                guard.into_caller(),
                DeleteMessageRequest {
                    message_id: message_id.0,
                },
            )
            .await
    }
    /**Edit a person's message

Replaces the text of a person's message; the former text is kept in `edits`. A person may edit their own messages, and the operator may edit the messages of every person. For messages of bots and of the system the response is 403. The sender must still be allowed to post in the conversation. For the operator and persons.*/
    #[oai(
        path = "/admin/v1/messages/:message_id",
        method = "patch",
        operation_id = "adminUpdateMessage",
        tag = "Tag::Messages"
    )]
    async fn update_message(
        &self,
        guard: Guard<H, UpdateMessage>,
        ///Id of a message (`gmsg_` or `dmsg_`).
        #[oai(name = "message_id")]
        message_id: Path<MessageIdParam>,
        body: Body<UpdateMessage, types::MessageUpdate>,
    ) -> Result<UpdateMessageSuccess, OperationError<UpdateMessageError>> {
        self.0
            .update_message(
                guard.into_caller(),
                UpdateMessageRequest {
                    message_id: message_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
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
- the app is disconnected or has no callback URL, or its bot has left the conversation.*/
    #[oai(
        path = "/admin/v1/messages/:message_id/interactions",
        method = "post",
        operation_id = "createInteraction",
        tag = "Tag::Messages"
    )]
    async fn create_interaction(
        &self,
        guard: Guard<H, CreateInteraction>,
        ///Id of a message (`gmsg_` or `dmsg_`).
        #[oai(name = "message_id")]
        message_id: Path<MessageIdParam>,
        body: Body<CreateInteraction, types::InteractionCreate>,
    ) -> Result<CreateInteractionSuccess, OperationError<CreateInteractionError>> {
        self.0
            .create_interaction(
                guard.into_caller(),
                CreateInteractionRequest {
                    message_id: message_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
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
file that is in no message is deleted after 24 hours, unless configured otherwise.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/files",
        method = "post",
        operation_id = "uploadFile",
        tag = "Tag::Files"
    )]
    async fn upload_file(
        &self,
        guard: Guard<H, UploadFile>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        ///File name, as people will see it.
        #[oai(name = "name")]
        name: QueryParameter<NameParam>,
        ///The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
        #[oai(name = "X-Acting-User")]
        x_acting_user: HeaderParameter<XActingUserParam>,
        raw: RawBody<UploadFile>,
    ) -> Result<UploadFileSuccess, OperationError<UploadFileError>> {
        self.0
            .upload_file(
                guard.into_caller(),
                UploadFileRequest {
                    workspace_id: workspace_id.0,
                    name: name.0,
                    x_acting_user: x_acting_user.0,
                    raw: raw.0,
                },
            )
            .await
    }
    /**Delete a file

Deletes the file. Messages still contain its id, and existing links to the file work until they expire. If the file is already deleted, the response is 404. For the operator, the company's admins, and the person who owns the file.*/
    #[oai(
        path = "/admin/v1/files/:file_id",
        method = "delete",
        operation_id = "deleteFile",
        tag = "Tag::Files"
    )]
    async fn delete_file(
        &self,
        guard: Guard<H, DeleteFile>,
        ///Id of a file (`fil_`).
        #[oai(name = "file_id")]
        file_id: Path<FileIdParam>,
    ) -> Result<DeleteFileSuccess, OperationError<DeleteFileError>> {
        self.0
            .delete_file(
                guard.into_caller(),
                DeleteFileRequest {
                    file_id: file_id.0,
                },
            )
            .await
    }
    /**List apps

All registered apps, including disabled ones, oldest first. For the operator.*/
    #[oai(
        path = "/admin/v1/apps",
        method = "get",
        operation_id = "listApps",
        tag = "Tag::Apps"
    )]
    async fn list_apps(
        &self,
        guard: Guard<H, ListApps>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListAppsSuccess, OperationError<ListAppsError>> {
        self.0
            .list_apps(
                guard.into_caller(),
                ListAppsRequest {
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    /**Register an app

Registers an app that companies may install. The response has its client secret and its signing secret, which no other operation returns. For the operator.*/
    #[oai(
        path = "/admin/v1/apps",
        method = "post",
        operation_id = "createApp",
        tag = "Tag::Apps"
    )]
    async fn create_app(
        &self,
        guard: Guard<H, CreateApp>,
        body: Body<CreateApp, types::AppCreate>,
    ) -> Result<CreateAppSuccess, OperationError<CreateAppError>> {
        self.0
            .create_app(
                guard.into_caller(),
                CreateAppRequest {
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Read one app

The app without its secrets. For the operator.*/
    #[oai(
        path = "/admin/v1/apps/:app_id",
        method = "get",
        operation_id = "getApp",
        tag = "Tag::Apps"
    )]
    async fn get_app(
        &self,
        guard: Guard<H, GetApp>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<AppIdParam>,
    ) -> Result<GetAppSuccess, OperationError<GetAppError>> {
        self.0.get_app(guard.into_caller(), GetAppRequest { app_id: app_id.0 }).await
    }
    /**Change an app

Changes the fields that the body contains. For the operator.

`disabled: true` disconnects every installation of the app. For each of them the app gets the event
`app.uninstalled` with the reason `app_disabled`. Install codes that were not exchanged yet become
invalid. `disabled: false` lets companies install the app again and restores no installation.

New scopes apply to later installations. An install code that was approved before the change grants
only those of its scopes that the app still has.

A new name also becomes the name of the app's bot users. The bot of a disconnected installation
gets the name when the app is installed again.*/
    #[oai(
        path = "/admin/v1/apps/:app_id",
        method = "patch",
        operation_id = "updateApp",
        tag = "Tag::Apps"
    )]
    async fn update_app(
        &self,
        guard: Guard<H, UpdateApp>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<AppIdParam>,
        body: Body<UpdateApp, types::AppUpdate>,
    ) -> Result<UpdateAppSuccess, OperationError<UpdateAppError>> {
        self.0
            .update_app(
                guard.into_caller(),
                UpdateAppRequest {
                    app_id: app_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Replace a secret

Creates a new client secret or signing secret. No other operation returns it. A new client secret invalidates the old one immediately. For 24 hours after a signing secret is replaced, events are signed with the new and the old secret. For the operator.*/
    #[oai(
        path = "/admin/v1/apps/:app_id/rotate",
        method = "post",
        operation_id = "rotateSecret",
        tag = "Tag::Apps"
    )]
    async fn rotate_secret(
        &self,
        guard: Guard<H, RotateSecret>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<AppIdParam>,
        body: Body<RotateSecret, types::SecretRotate>,
    ) -> Result<RotateSecretSuccess, OperationError<RotateSecretError>> {
        self.0
            .rotate_secret(
                guard.into_caller(),
                RotateSecretRequest {
                    app_id: app_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**List event deliveries

The delivery log of the app, newest first. An entry is an attempt to deliver an event to the
callback URL, an event that waits for its next attempt (`pending`), or an event that was dropped
(`dropped`). Pending and dropped events are sorted by the time of their creation. Entries are kept
for 14 days after the last attempt of the event, or after the event was dropped. For the operator.

If few entries match the filters, a page may have fewer than `limit` entries, even none, although
it has a `next_cursor`.

With `order=ingested` a client can follow the log: the response has attempts and dropped events,
oldest first, in the order in which they were written.*/
    #[oai(
        path = "/admin/v1/apps/:app_id/deliveries",
        method = "get",
        operation_id = "listDeliveries",
        tag = "Tag::Events"
    )]
    async fn list_deliveries(
        &self,
        guard: Guard<H, ListDeliveries>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<AppIdParam>,
        ///Only entries in this state.
        #[oai(name = "state")]
        state: QueryParameter<StateParam>,
        ///Only events of this type.
        #[oai(name = "type")]
        r#type: QueryParameter<TypeParam>,
        ///Only events of this installation. An unknown id returns an empty page.
        #[oai(name = "installation_id")]
        installation_id: QueryParameter<InstallationIdParam>,
        ///Only this event. An unknown id returns an empty page.
        #[oai(name = "event_id")]
        event_id: QueryParameter<EventIdParam>,
        ///Only entries at this time or later. The time of an attempt is its beginning; the time of a pending or dropped event is its creation.
        #[oai(name = "since")]
        since: QueryParameter<SinceParam>,
        ///Only entries before this time. The time of an attempt is its beginning; the time of a pending or dropped event is its creation.
        #[oai(name = "until")]
        until: QueryParameter<UntilParam>,
        ///`newest`, the default: newest first. `ingested`: in the order in which entries were written, oldest first. `ingested` cannot be combined with filters (400). With `ingested`, `next_cursor` is never null. A page with fewer than `limit` entries ends at the present end of the log; its cursor later returns the entries that were written in the meantime. A client that continues with the cursor misses no entry, even if several nodes write.
        #[oai(name = "order")]
        order: QueryParameter<OrderParam>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListDeliveriesSuccess, OperationError<ListDeliveriesError>> {
        self.0
            .list_deliveries(
                guard.into_caller(),
                ListDeliveriesRequest {
                    app_id: app_id.0,
                    state: state.0,
                    r#type: r#type.0,
                    installation_id: installation_id.0,
                    event_id: event_id.0,
                    since: since.0,
                    until: until.0,
                    order: order.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    /**Deliver an event again

Delivers one event again: the event is due now, and its retry schedule begins again. The event
keeps its id and body, and the numbers of its attempts continue. For the operator.

The response is 409 if the event must not be sent any more:

- the app has no callback URL;
- the installation of the event is disconnected, unless the event is `app.uninstalled`;
- the message of the event was deleted, and its content was erased from the event.*/
    #[oai(
        path = "/admin/v1/apps/:app_id/events/:event_id/redeliver",
        method = "post",
        operation_id = "redeliverEvent",
        tag = "Tag::Events"
    )]
    async fn redeliver_event(
        &self,
        guard: Guard<H, RedeliverEvent>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<AppIdParam>,
        ///Id of an event (`evt_`).
        #[oai(name = "event_id")]
        event_id: Path<RedeliverEventEventIdParam>,
    ) -> Result<RedeliverEventSuccess, OperationError<RedeliverEventError>> {
        self.0
            .redeliver_event(
                guard.into_caller(),
                RedeliverEventRequest {
                    app_id: app_id.0,
                    event_id: event_id.0,
                },
            )
            .await
    }
    /**Deliver events again

Delivers again all events that were created in a span of time and whose last scheduled attempt failed. With `state: all`, all delivered and dropped events of this span are delivered again, too. Pending events are left out. So are events that must not be sent any more: `redeliverEvent` lists the reasons. If the app has no callback URL, the response is 409. For the operator.*/
    #[oai(
        path = "/admin/v1/apps/:app_id/redeliver",
        method = "post",
        operation_id = "redeliverEvents",
        tag = "Tag::Events"
    )]
    async fn redeliver_events(
        &self,
        guard: Guard<H, RedeliverEvents>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<AppIdParam>,
        body: Body<RedeliverEvents, types::RedeliverRequest>,
    ) -> Result<RedeliverEventsSuccess, OperationError<RedeliverEventsError>> {
        self.0
            .redeliver_events(
                guard.into_caller(),
                RedeliverEventsRequest {
                    app_id: app_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Send a test event

Sends an event to the app as if a change had just happened, although nothing changes. An event of the type `directory.changed` or `interaction` is about an existing person, conversation or message of the installation's company that is visible to the bot. The response is 409 if there is no such object, if the app has no connected installation or no callback URL, or if an event about a person is for an installation without the scope `users:read`. For the operator; sandbox only.*/
    #[oai(
        path = "/admin/v1/apps/:app_id/test_events",
        method = "post",
        operation_id = "createTestEvent",
        tag = "Tag::Events"
    )]
    async fn create_test_event(
        &self,
        guard: Guard<H, CreateTestEvent>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<AppIdParam>,
        body: Body<CreateTestEvent, types::TestEventCreate>,
    ) -> Result<CreateTestEventSuccess, OperationError<CreateTestEventError>> {
        self.0
            .create_test_event(
                guard.into_caller(),
                CreateTestEventRequest {
                    app_id: app_id.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**List installations

The installations of apps in the company, oldest first, including disconnected ones. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/installations",
        method = "get",
        operation_id = "listInstallations",
        tag = "Tag::Installations"
    )]
    async fn list_installations(
        &self,
        guard: Guard<H, ListInstallations>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListInstallationsSuccess, OperationError<ListInstallationsError>> {
        self.0
            .list_installations(
                guard.into_caller(),
                ListInstallationsRequest {
                    workspace_id: workspace_id.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
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
or if the approving admin is no longer an active admin of the company.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/installations",
        method = "post",
        operation_id = "createInstallation",
        tag = "Tag::Installations"
    )]
    async fn create_installation(
        &self,
        guard: Guard<H, CreateInstallation>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        ///The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
        #[oai(name = "X-Acting-User")]
        x_acting_user: HeaderParameter<XActingUserParam>,
        body: Body<CreateInstallation, types::InstallationCreate>,
    ) -> Result<CreateInstallationSuccess, OperationError<CreateInstallationError>> {
        self.0
            .create_installation(
                guard.into_caller(),
                CreateInstallationRequest {
                    workspace_id: workspace_id.0,
                    x_acting_user: x_acting_user.0,
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Uninstall an app

Disconnects the installation: its tokens are revoked immediately, and the app's unused install codes
for the company become invalid. The app gets `app.uninstalled` with the reason `admin` and the
admin's id. `listInstallations` still returns the installation. If the installation is already
disconnected, nothing changes.

For the company's admins, and for the operator, who must name an active admin of the company in
`X-Acting-User`. Without the header the operator gets 400 `invalid_request`. If the header names a
person of the company who is not an active admin, the response is 403. For any other id the response
is 404 `user_not_found`.*/
    #[oai(
        path = "/admin/v1/installations/:installation_id",
        method = "delete",
        operation_id = "deleteInstallation",
        tag = "Tag::Installations"
    )]
    async fn delete_installation(
        &self,
        guard: Guard<H, DeleteInstallation>,
        ///Id of an installation (`ins_`).
        #[oai(name = "installation_id")]
        installation_id: Path<DeleteInstallationInstallationIdParam>,
        ///The person for whom the operator acts. If the company of the request has no such person, the response is 404 `user_not_found`. Ignored with a session.
        #[oai(name = "X-Acting-User")]
        x_acting_user: HeaderParameter<XActingUserParam>,
    ) -> Result<DeleteInstallationSuccess, OperationError<DeleteInstallationError>> {
        self.0
            .delete_installation(
                guard.into_caller(),
                DeleteInstallationRequest {
                    installation_id: installation_id.0,
                    x_acting_user: x_acting_user.0,
                },
            )
            .await
    }
    /**List assistant connections

The connections of assistants in the company, oldest first. Without the parameter `state`, revoked connections are included. A connection is deleted when the retention time of the audit (90 days unless configured otherwise) has passed since it was revoked. A person who is not an admin gets only their own connections; the `user_id` of anybody else gets 403. If few connections match the filters, a page may have fewer than `limit` connections although it has a `next_cursor`. For the operator, the company's admins, and persons.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/connections",
        method = "get",
        operation_id = "listConnections",
        tag = "Tag::Connections"
    )]
    async fn list_connections(
        &self,
        guard: Guard<H, ListConnections>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        ///Only connections of this employee. An unknown id returns an empty page.
        #[oai(name = "user_id")]
        user_id: QueryParameter<ListConnectionsUserIdParam>,
        ///Only connections in this state.
        #[oai(name = "state")]
        state: QueryParameter<ListConnectionsStateParam>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListConnectionsSuccess, OperationError<ListConnectionsError>> {
        self.0
            .list_connections(
                guard.into_caller(),
                ListConnectionsRequest {
                    workspace_id: workspace_id.0,
                    user_id: user_id.0,
                    state: state.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    /**Revoke an assistant connection

Revokes the connection and its tokens immediately. A connection that is already revoked is not changed. For the operator, the company's admins, and the employee whose connection it is.*/
    #[oai(
        path = "/admin/v1/connections/:connection_id",
        method = "delete",
        operation_id = "deleteConnection",
        tag = "Tag::Connections"
    )]
    async fn delete_connection(
        &self,
        guard: Guard<H, DeleteConnection>,
        ///Id of an assistant connection (`con_`).
        #[oai(name = "connection_id")]
        connection_id: Path<ConnectionIdParam>,
    ) -> Result<DeleteConnectionSuccess, OperationError<DeleteConnectionError>> {
        self.0
            .delete_connection(
                guard.into_caller(),
                DeleteConnectionRequest {
                    connection_id: connection_id.0,
                },
            )
            .await
    }
    /**List blocked clients

The block keys that the company has blocked, oldest first. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/client_blocks",
        method = "get",
        operation_id = "listClientBlocks",
        tag = "Tag::Assistants"
    )]
    async fn list_client_blocks(
        &self,
        guard: Guard<H, ListClientBlocks>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListClientBlocksSuccess, OperationError<ListClientBlocksError>> {
        self.0
            .list_client_blocks(
                guard.into_caller(),
                ListClientBlocksRequest {
                    workspace_id: workspace_id.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    /**Block a client

Blocks all assistant clients with this block key in the company, and revokes their connections. The key does not have to belong to a known client. If the key is already blocked, nothing changes. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/client_blocks/:key",
        method = "put",
        operation_id = "putClientBlock",
        tag = "Tag::Assistants"
    )]
    async fn put_client_block(
        &self,
        guard: Guard<H, PutClientBlock>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        ///Block key of assistant clients, percent-encoded. `listConnections` and `listAssistantClients` return block keys. Letter case does not matter.
        #[oai(name = "key")]
        key: Path<KeyParam>,
    ) -> Result<PutClientBlockSuccess, OperationError<PutClientBlockError>> {
        self.0
            .put_client_block(
                guard.into_caller(),
                PutClientBlockRequest {
                    workspace_id: workspace_id.0,
                    key: key.0,
                },
            )
            .await
    }
    /**Unblock a client

Lets clients with this block key be connected again; revoked connections stay revoked. If the key is not blocked, nothing changes. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/client_blocks/:key",
        method = "delete",
        operation_id = "deleteClientBlock",
        tag = "Tag::Assistants"
    )]
    async fn delete_client_block(
        &self,
        guard: Guard<H, DeleteClientBlock>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        ///Block key of assistant clients, percent-encoded. `listConnections` and `listAssistantClients` return block keys. Letter case does not matter.
        #[oai(name = "key")]
        key: Path<KeyParam>,
    ) -> Result<DeleteClientBlockSuccess, OperationError<DeleteClientBlockError>> {
        self.0
            .delete_client_block(
                guard.into_caller(),
                DeleteClientBlockRequest {
                    workspace_id: workspace_id.0,
                    key: key.0,
                },
            )
            .await
    }
    /**List assistant clients

Registered clients and clients with a metadata document, oldest first. For the operator.*/
    #[oai(
        path = "/admin/v1/assistant_clients",
        method = "get",
        operation_id = "listAssistantClients",
        tag = "Tag::Assistants"
    )]
    async fn list_assistant_clients(
        &self,
        guard: Guard<H, ListAssistantClients>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListAssistantClientsSuccess, OperationError<ListAssistantClientsError>> {
        self.0
            .list_assistant_clients(
                guard.into_caller(),
                ListAssistantClientsRequest {
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    /**List tool calls of assistants

The audit of the tool calls that assistants made for employees of the company, newest first. An
entry has the employee, the client, the tool, the outcome and the ids of the objects that the call
was about, but no texts of messages. Calls of unknown tools, and calls that the rate limit rejects,
have no entry. Entries are kept for 90 days unless configured otherwise.

A person who is not an admin gets only their own calls; the `user_id` of anybody else gets 403.
With `order=ingested` the operator and admins can follow the audit: the response has the calls in
the order in which they were written, oldest first. For the operator, the company's admins, and
persons.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/tool_calls",
        method = "get",
        operation_id = "listToolCalls",
        tag = "Tag::Audit"
    )]
    async fn list_tool_calls(
        &self,
        guard: Guard<H, ListToolCalls>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<WorkspaceIdParam>,
        ///Only calls for this employee. An unknown id returns an empty page.
        #[oai(name = "user_id")]
        user_id: QueryParameter<ListToolCallsUserIdParam>,
        ///Only calls of this client. An unknown id returns an empty page.
        #[oai(name = "client_id")]
        client_id: QueryParameter<ClientIdParam>,
        ///Only calls through this connection. The id of an unknown or deleted connection returns an empty page.
        #[oai(name = "connection_id")]
        connection_id: QueryParameter<ListToolCallsConnectionIdParam>,
        ///Only calls of this tool. An unknown name returns an empty page.
        #[oai(name = "tool")]
        tool: QueryParameter<ToolParam>,
        ///Only calls with this outcome.
        #[oai(name = "outcome")]
        outcome: QueryParameter<OutcomeParam>,
        ///Only calls at this time or later.
        #[oai(name = "since")]
        since: QueryParameter<SinceParam>,
        ///Only calls before this time.
        #[oai(name = "until")]
        until: QueryParameter<UntilParam>,
        ///`newest`, the default: newest first. `ingested`: in the order in which entries were written, oldest first. `ingested` cannot be combined with filters (400). With `ingested`, `next_cursor` is never null. A page with fewer than `limit` entries ends at the present end of the log; its cursor later returns the entries that were written in the meantime. A client that continues with the cursor misses no entry, even if several nodes write.
        #[oai(name = "order")]
        order: QueryParameter<OrderParam>,
        ///Page size. Values above 1000 count as 1000.
        #[oai(name = "limit")]
        limit: QueryParameter<LimitParam>,
        ///The previous page's `next_cursor`; left out for the first page.
        #[oai(name = "cursor")]
        cursor: QueryParameter<CursorParam>,
    ) -> Result<ListToolCallsSuccess, OperationError<ListToolCallsError>> {
        self.0
            .list_tool_calls(
                guard.into_caller(),
                ListToolCallsRequest {
                    workspace_id: workspace_id.0,
                    user_id: user_id.0,
                    client_id: client_id.0,
                    connection_id: connection_id.0,
                    tool: tool.0,
                    outcome: outcome.0,
                    since: since.0,
                    until: until.0,
                    order: order.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    /**Read the clock

The time of the server's clock. For the operator; only in the sandbox, with the setting `test_clock`.*/
    #[oai(
        path = "/admin/v1/clock",
        method = "get",
        operation_id = "getClock",
        tag = "Tag::Sandbox"
    )]
    async fn get_clock(
        &self,
        guard: Guard<H, GetClock>,
    ) -> Result<GetClockSuccess, OperationError<GetClockError>> {
        self.0.get_clock(guard.into_caller(), GetClockRequest {}).await
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
- Tokens and sessions that were created while the clock was ahead keep their times of expiry.*/
    #[oai(
        path = "/admin/v1/clock",
        method = "post",
        operation_id = "updateClock",
        tag = "Tag::Sandbox"
    )]
    async fn update_clock(
        &self,
        guard: Guard<H, UpdateClock>,
        body: Body<UpdateClock, types::ClockUpdate>,
    ) -> Result<UpdateClockSuccess, OperationError<UpdateClockError>> {
        self.0
            .update_clock(
                guard.into_caller(),
                UpdateClockRequest {
                    body: body.value,
                    sent: body.sent,
                },
            )
            .await
    }
    /**Reset the rate limits

Discards all counts, so that every limit is unused, and ends the delays after wrong passwords. For the operator; sandbox only.*/
    #[oai(
        path = "/admin/v1/rate_limits/reset",
        method = "post",
        operation_id = "resetRateLimits",
        tag = "Tag::Sandbox"
    )]
    async fn reset_rate_limits(
        &self,
        guard: Guard<H, ResetRateLimits>,
    ) -> Result<ResetRateLimitsSuccess, OperationError<ResetRateLimitsError>> {
        self.0.reset_rate_limits(guard.into_caller(), ResetRateLimitsRequest {}).await
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
