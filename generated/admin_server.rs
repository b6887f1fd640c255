// @generated from openapi/admin.yaml by build.rs. Do not edit.

//!Server half of `openapi/admin.yaml`.
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
pub const DOCUMENT: &str = include_str!("admin.json");
/// The document's schemas, ready to check bodies.
pub static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::compile(DOCUMENT));
/// Every error code of the document with its status.
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
    /// It was done; there is nothing more to say.
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
                Some("It was done; there is nothing more to say."),
                |registry| {
                    vec![Property::new:: < True > (registry, "ok", MetaSchema::ANY)]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SessionCreate {
        /// Letter case does not matter.
        pub email: String,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "email", MetaSchema {
                        description : Some("Letter case does not matter."), min_length :
                        Some(3), max_length : Some(254), pattern :
                        Some(String::from("^[^@\\s]+@[^@\\s]+$")), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "password", MetaSchema {
                        min_length : Some(1), max_length : Some(128), ..MetaSchema::ANY
                        })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SessionCreated {
        pub ok: True,
        /// Begins `svc_ses_`. Shown once.
        pub session_token: String,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < String > (registry, "session_token", MetaSchema
                        { description : Some("Begins `svc_ses_`. Shown once."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < Membership > >
                        (registry, "memberships", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// The person an account is in one company.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Membership {
        pub workspace_id: String,
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
                Some("The person an account is in one company."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "workspace_id",
                        MetaSchema::ANY), Property::new:: < String > (registry,
                        "user_id", MetaSchema::ANY), Property::new:: < bool > (registry,
                        "is_admin", MetaSchema { description :
                        Some("Whether the session acts as an admin of this company."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Workspace {
        pub id: String,
        pub name: String,
        /// The company's e-mail domain.
        pub domain: Nullable<String>,
        /// Whether employees may connect AI assistants.
        pub ai_assistants: bool,
        /// Hours after which an assistant connection ends, counted from its creation; null for no maximum.
        pub max_session_hours: Nullable<i64>,
        pub created_at: Timestamp,
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
                        Property::new:: < Nullable < String > > (registry, "domain",
                        MetaSchema { description : Some("The company's e-mail domain."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "ai_assistants", MetaSchema { description :
                        Some("Whether employees may connect AI assistants."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < i64 > >
                        (registry, "max_session_hours", MetaSchema { description :
                        Some("Hours after which an assistant connection ends, counted from its creation; null for no maximum."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Timestamp > (registry, "created_at", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct WorkspaceCreate {
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "name", MetaSchema {
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "domain", MetaSchema { description :
                        Some("The company's e-mail domain."), min_length : Some(3),
                        max_length : Some(253), pattern :
                        Some(String::from("^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$")),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct WorkspaceUpdate {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// The company's e-mail domain; null when it has none.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub domain: MaybeUndefined<String>,
        /// Whether employees may connect AI assistants.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub ai_assistants: Option<bool>,
        /// Hours after which an assistant connection ends; null for no maximum.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub max_session_hours: MaybeUndefined<i64>,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < Option < String > > (registry, "name",
                        MetaSchema { min_length : Some(1), max_length : Some(200),
                        ..MetaSchema::ANY }), Property::new:: < MaybeUndefined < String >
                        > (registry, "domain", MetaSchema { description :
                        Some("The company's e-mail domain; null when it has none."),
                        min_length : Some(3), max_length : Some(253), pattern :
                        Some(String::from("^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$")),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "ai_assistants", MetaSchema { description :
                        Some("Whether employees may connect AI assistants."),
                        ..MetaSchema::ANY }), Property::new:: < MaybeUndefined < i64 > >
                        (registry, "max_session_hours", MetaSchema { description :
                        Some("Hours after which an assistant connection ends; null for no maximum."),
                        format : Some("int64"), minimum : Some(1.0), maximum :
                        Some(8760.0), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct WorkspaceResult {
        pub ok: True,
        pub workspace: Workspace,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Workspace > (registry, "workspace",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct WorkspacePage {
        pub ok: True,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Workspace > > (registry, "workspaces",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// Account state of a person. `removed` is final.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    impl UserState {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[
            Self::Active,
            Self::Onboarding,
            Self::Deactivated,
            Self::Removed,
        ];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Active => "active",
                Self::Onboarding => "onboarding",
                Self::Deactivated => "deactivated",
                Self::Removed => "removed",
            }
        }
    }
    impl Described for UserState {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("UserState".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "UserState",
                |_| MetaSchema {
                    description: Some("Account state of a person. `removed` is final."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for UserState {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// A person or a bot user, with everything stored about them.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct User {
        pub id: String,
        pub workspace_id: String,
        /// Full name.
        pub name: String,
        /// First name.
        pub display_name: Nullable<String>,
        /// Shown here whether or not colleagues see it; null for a bot and for a removed person.
        pub email: Nullable<String>,
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
        /// Whether colleagues, and apps with the scope for it, see the e-mail address.
        pub email_visible: bool,
        /// Whether members see this guest; without meaning for others.
        pub guest_visible: bool,
        /// The app of a bot user; null for a person.
        pub app_id: Nullable<String>,
        pub created_at: Timestamp,
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
                Some("A person or a bot user, with everything stored about them."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema::ANY),
                        Property::new:: < String > (registry, "workspace_id",
                        MetaSchema::ANY), Property::new:: < String > (registry, "name",
                        MetaSchema { description : Some("Full name."), ..MetaSchema::ANY
                        }), Property::new:: < Nullable < String > > (registry,
                        "display_name", MetaSchema { description : Some("First name."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "email", MetaSchema { description :
                        Some("Shown here whether or not colleagues see it; null for a bot and for a removed person."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "avatar_url", MetaSchema::ANY), Property::new:: <
                        Nullable < String > > (registry, "title", MetaSchema {
                        description : Some("Job title."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < String > > (registry, "timezone",
                        MetaSchema { description : Some("IANA time zone name."),
                        ..MetaSchema::ANY }), Property::new:: < UserState > (registry,
                        "state", MetaSchema::ANY), Property::new:: < bool > (registry,
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
                        Some("Whether colleagues, and apps with the scope for it, see the e-mail address."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "guest_visible", MetaSchema { description :
                        Some("Whether members see this guest; without meaning for others."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "app_id", MetaSchema { description :
                        Some("The app of a bot user; null for a person."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserCreate {
        /// Full name.
        pub name: String,
        /// Also the sign-in name; unique in the company, whatever the letter case.
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
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub avatar_url: MaybeUndefined<String>,
        /// False when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub is_admin: Option<bool>,
        /// Guest from outside the company. False when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub is_external: Option<bool>,
        /// True when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub email_visible: Option<bool>,
        /// Whether members see this guest. True when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub guest_visible: Option<bool>,
        /// Active when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub state: Option<UserState>,
        /// Without one the person cannot sign in yet.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "name", MetaSchema {
                        description : Some("Full name."), min_length : Some(1),
                        max_length : Some(200), ..MetaSchema::ANY }), Property::new:: <
                        String > (registry, "email", MetaSchema { description :
                        Some("Also the sign-in name; unique in the company, whatever the letter case."),
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
                        "avatar_url", MetaSchema { max_length : Some(2048), pattern :
                        Some(String::from("^https://[^\\s]+$")), ..MetaSchema::ANY }),
                        Property::new:: < Option < bool > > (registry, "is_admin",
                        MetaSchema { description : Some("False when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "is_external", MetaSchema { description :
                        Some("Guest from outside the company. False when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "email_visible", MetaSchema { description :
                        Some("True when absent."), ..MetaSchema::ANY }), Property::new::
                        < Option < bool > > (registry, "guest_visible", MetaSchema {
                        description :
                        Some("Whether members see this guest. True when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < UserState > >
                        (registry, "state", MetaSchema { description :
                        Some("Active when absent."), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "password",
                        MetaSchema { description :
                        Some("Without one the person cannot sign in yet."), min_length :
                        Some(8), max_length : Some(128), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct UserUpdate {
        /// Full name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Also the sign-in name; unique in the company, whatever the letter case.
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
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub avatar_url: MaybeUndefined<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub is_admin: Option<bool>,
        /// Guest from outside the company.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub is_external: Option<bool>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub email_visible: Option<bool>,
        /// Whether members see this guest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub guest_visible: Option<bool>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub password: Option<String>,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < Option < String > > (registry, "name",
                        MetaSchema { description : Some("Full name."), min_length :
                        Some(1), max_length : Some(200), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "email",
                        MetaSchema { description :
                        Some("Also the sign-in name; unique in the company, whatever the letter case."),
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
                        "avatar_url", MetaSchema { max_length : Some(2048), pattern :
                        Some(String::from("^https://[^\\s]+$")), ..MetaSchema::ANY }),
                        Property::new:: < Option < bool > > (registry, "is_admin",
                        MetaSchema::ANY), Property::new:: < Option < bool > > (registry,
                        "is_external", MetaSchema { description :
                        Some("Guest from outside the company."), ..MetaSchema::ANY }),
                        Property::new:: < Option < bool > > (registry, "email_visible",
                        MetaSchema::ANY), Property::new:: < Option < bool > > (registry,
                        "guest_visible", MetaSchema { description :
                        Some("Whether members see this guest."), ..MetaSchema::ANY }),
                        Property::new:: < Option < String > > (registry, "password",
                        MetaSchema { min_length : Some(8), max_length : Some(128),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
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
                None,
                |registry| {
                    vec![
                        Property::new:: < UserState > (registry, "state",
                        MetaSchema::ANY)
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
    /// A `channel` is a named channel of a group.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum ConversationKind {
        #[serde(rename = "group")]
        Group,
        #[serde(rename = "channel")]
        Channel,
        #[serde(rename = "dm")]
        Dm,
    }
    impl ConversationKind {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Group, Self::Channel, Self::Dm];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Group => "group",
                Self::Channel => "channel",
                Self::Dm => "dm",
            }
        }
    }
    impl Described for ConversationKind {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ConversationKind".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "ConversationKind",
                |_| MetaSchema {
                    description: Some("A `channel` is a named channel of a group."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for ConversationKind {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// `channel` when the whole company may join, otherwise `private_channel`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum ConversationType {
        #[serde(rename = "channel")]
        Channel,
        #[serde(rename = "private_channel")]
        PrivateChannel,
    }
    impl ConversationType {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Channel, Self::PrivateChannel];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Channel => "channel",
                Self::PrivateChannel => "private_channel",
            }
        }
    }
    impl Described for ConversationType {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ConversationType".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "ConversationType",
                |_| MetaSchema {
                    description: Some(
                        "`channel` when the whole company may join, otherwise `private_channel`.",
                    ),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for ConversationType {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Conversation {
        /// `grp_` for a group, `chn_` for a channel, `dm_` for a direct message.
        pub id: String,
        pub kind: ConversationKind,
        pub workspace_id: String,
        /// The group of a channel; null otherwise.
        pub parent_id: Nullable<String>,
        /// Null for a direct message.
        pub name: Nullable<String>,
        /// A channel has its group's; null for a direct message.
        #[serde(rename = "type")]
        pub r#type: Nullable<ConversationType>,
        /// Description of the group or channel.
        pub topic: Nullable<String>,
        /// Whether only admins may post.
        pub announcement_only: bool,
        /// A channel has its group's.
        pub is_archived: bool,
        pub is_deleted: bool,
        /// People in it with an active account; bots are not counted.
        pub member_count: i64,
        pub created_at: Timestamp,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`grp_` for a group, `chn_` for a channel, `dm_` for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < ConversationKind >
                        (registry, "kind", MetaSchema::ANY), Property::new:: < String >
                        (registry, "workspace_id", MetaSchema::ANY), Property::new:: <
                        Nullable < String > > (registry, "parent_id", MetaSchema {
                        description : Some("The group of a channel; null otherwise."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "name", MetaSchema { description :
                        Some("Null for a direct message."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < ConversationType > > (registry,
                        "type", MetaSchema { description :
                        Some("A channel has its group's; null for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "topic", MetaSchema { description :
                        Some("Description of the group or channel."), ..MetaSchema::ANY
                        }), Property::new:: < bool > (registry, "announcement_only",
                        MetaSchema { description : Some("Whether only admins may post."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_archived", MetaSchema { description :
                        Some("A channel has its group's."), ..MetaSchema::ANY }),
                        Property::new:: < bool > (registry, "is_deleted",
                        MetaSchema::ANY), Property::new:: < i64 > (registry,
                        "member_count", MetaSchema { description :
                        Some("People in it with an active account; bots are not counted."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Timestamp > (registry, "created_at", MetaSchema::ANY)
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
        pub workspace_id: String,
        /// The group of a channel; null otherwise.
        pub parent_id: Nullable<String>,
        /// Null for a direct message.
        pub name: Nullable<String>,
        /// A channel has its group's; null for a direct message.
        #[serde(rename = "type")]
        pub r#type: Nullable<ConversationType>,
        /// Description of the group or channel.
        pub topic: Nullable<String>,
        /// Whether only admins may post.
        pub announcement_only: bool,
        /// A channel has its group's.
        pub is_archived: bool,
        pub is_deleted: bool,
        /// People in it with an active account; bots are not counted.
        pub member_count: i64,
        pub created_at: Timestamp,
        /// Everybody who is or was a member, by id; at most 200 of them.
        pub members: Vec<Member>,
        /// A cursor of the list of members, which goes on behind those that are shown. Null when they are all.
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
                        (registry, "workspace_id", MetaSchema::ANY), Property::new:: <
                        Nullable < String > > (registry, "parent_id", MetaSchema {
                        description : Some("The group of a channel; null otherwise."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "name", MetaSchema { description :
                        Some("Null for a direct message."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < ConversationType > > (registry,
                        "type", MetaSchema { description :
                        Some("A channel has its group's; null for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "topic", MetaSchema { description :
                        Some("Description of the group or channel."), ..MetaSchema::ANY
                        }), Property::new:: < bool > (registry, "announcement_only",
                        MetaSchema { description : Some("Whether only admins may post."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_archived", MetaSchema { description :
                        Some("A channel has its group's."), ..MetaSchema::ANY }),
                        Property::new:: < bool > (registry, "is_deleted",
                        MetaSchema::ANY), Property::new:: < i64 > (registry,
                        "member_count", MetaSchema { description :
                        Some("People in it with an active account; bots are not counted."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Timestamp > (registry, "created_at", MetaSchema::ANY),
                        Property::new:: < Vec < Member > > (registry, "members",
                        MetaSchema { description :
                        Some("Everybody who is or was a member, by id; at most 200 of them."),
                        max_items : Some(200), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < String > > (registry, "members_cursor", MetaSchema {
                        description :
                        Some("A cursor of the list of members, which goes on behind those that are shown. Null when they are all."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Member {
        pub user_id: String,
        /// The latest time they joined.
        pub joined_at: Timestamp,
        /// Null while they are a member.
        pub left_at: Nullable<Timestamp>,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "user_id",
                        MetaSchema::ANY), Property::new:: < Timestamp > (registry,
                        "joined_at", MetaSchema { description :
                        Some("The latest time they joined."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < Timestamp > > (registry, "left_at",
                        MetaSchema { description : Some("Null while they are a member."),
                        ..MetaSchema::ANY }), Property::new:: < bool > (registry,
                        "is_bot", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConversationCreate {
        pub kind: ConversationKind,
        /// The group of a channel; required for a channel, refused otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub parent_id: Option<String>,
        /// Required for a group and a channel, refused for a direct message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Refused for a direct message.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub topic: MaybeUndefined<String>,
        /// Groups only. `channel` when absent.
        #[serde(rename = "type")]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub r#type: Option<ConversationType>,
        /// Whether only admins may post. False when absent; refused for a direct message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub announcement_only: Option<bool>,
        /// People and bots (`usr_`). For a direct message the operator gives two of them, everybody else the other one.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < ConversationKind > (registry, "kind",
                        MetaSchema::ANY), Property::new:: < Option < String > >
                        (registry, "parent_id", MetaSchema { description :
                        Some("The group of a channel; required for a channel, refused otherwise."),
                        min_length : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        Option < String > > (registry, "name", MetaSchema { description :
                        Some("Required for a group and a channel, refused for a direct message."),
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "topic", MetaSchema { description :
                        Some("Refused for a direct message."), max_length : Some(1000),
                        ..MetaSchema::ANY }), Property::new:: < Option < ConversationType
                        > > (registry, "type", MetaSchema { description :
                        Some("Groups only. `channel` when absent."), ..MetaSchema::ANY
                        }), Property::new:: < Option < bool > > (registry,
                        "announcement_only", MetaSchema { description :
                        Some("Whether only admins may post. False when absent; refused for a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < Option < Vec < String > >
                        > (registry, "member_ids", MetaSchema { description :
                        Some("People and bots (`usr_`). For a direct message the operator gives two of them, everybody else the other one."),
                        max_items : Some(1000), items :
                        Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema {
                        min_length : Some(1), ..MetaSchema::ANY })))), ..MetaSchema::ANY
                        })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConversationUpdate {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < Option < String > > (registry, "name",
                        MetaSchema { min_length : Some(1), max_length : Some(200),
                        ..MetaSchema::ANY }), Property::new:: < MaybeUndefined < String >
                        > (registry, "topic", MetaSchema { max_length : Some(1000),
                        ..MetaSchema::ANY }), Property::new:: < Option < ConversationType
                        > > (registry, "type", MetaSchema { description :
                        Some("Groups only."), ..MetaSchema::ANY }), Property::new:: <
                        Option < bool > > (registry, "announcement_only", MetaSchema {
                        description : Some("Whether only admins may post."),
                        ..MetaSchema::ANY }), Property::new:: < Option < bool > >
                        (registry, "is_archived", MetaSchema { description :
                        Some("Groups only."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
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
                None,
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
                None,
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
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConversationPage {
        pub ok: True,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Conversation > > (registry,
                        "conversations", MetaSchema::ANY), Property::new:: < Nullable <
                        String > > (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MemberPage {
        pub ok: True,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Member > > (registry, "members",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// `system` is a notice such as somebody joining.
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
                    description: Some("`system` is a notice such as somebody joining."),
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
    /// A message with everything stored about it.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Message {
        /// `gmsg_` in a group or channel, `dmsg_` in a direct message.
        pub id: String,
        pub conversation_id: String,
        /// Sender, a person or a bot; null for a system message.
        pub user_id: Nullable<String>,
        #[serde(rename = "type")]
        pub r#type: MessageType,
        /// Null when deleted, and for a system message without text.
        pub text: Nullable<String>,
        /// Blocks of a bot's message; null when it has none or is deleted.
        pub blocks: Nullable<Vec<BTreeMap<String, serde_json::Value>>>,
        /// Metadata of a bot's message; null when it has none or is deleted.
        pub metadata: Nullable<BTreeMap<String, serde_json::Value>>,
        /// The message this one replies to.
        pub thread_id: Nullable<String>,
        pub files: Vec<FileRef>,
        /// The sender's own key: of a person's message as given, of a bot's its `Idempotency-Key`. Null when there is none or the message is deleted.
        pub client_key: Nullable<String>,
        /// Name of the assistant it was sent through, as it was then.
        pub via_label: Nullable<String>,
        /// Former versions, oldest first, at most 100: the first one and the newest. Empty when deleted.
        pub edits: Vec<MessageEdit>,
        pub created_at: Timestamp,
        /// Latest edit.
        pub edited_at: Nullable<Timestamp>,
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
                Some("A message with everything stored about it."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema {
                        description :
                        Some("`gmsg_` in a group or channel, `dmsg_` in a direct message."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "conversation_id", MetaSchema::ANY), Property::new:: < Nullable <
                        String > > (registry, "user_id", MetaSchema { description :
                        Some("Sender, a person or a bot; null for a system message."),
                        ..MetaSchema::ANY }), Property::new:: < MessageType > (registry,
                        "type", MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "text", MetaSchema { description :
                        Some("Null when deleted, and for a system message without text."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Vec < BTreeMap
                        < String, serde_json::Value > > > > (registry, "blocks",
                        MetaSchema { description :
                        Some("Blocks of a bot's message; null when it has none or is deleted."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < BTreeMap <
                        String, serde_json::Value > > > (registry, "metadata", MetaSchema
                        { description :
                        Some("Metadata of a bot's message; null when it has none or is deleted."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "thread_id", MetaSchema { description :
                        Some("The message this one replies to."), ..MetaSchema::ANY }),
                        Property::new:: < Vec < FileRef > > (registry, "files",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "client_key", MetaSchema { description :
                        Some("The sender's own key: of a person's message as given, of a bot's its `Idempotency-Key`. Null when there is none or the message is deleted."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "via_label", MetaSchema { description :
                        Some("Name of the assistant it was sent through, as it was then."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < MessageEdit > >
                        (registry, "edits", MetaSchema { description :
                        Some("Former versions, oldest first, at most 100: the first one and the newest. Empty when deleted."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema::ANY), Property::new:: < Nullable <
                        Timestamp > > (registry, "edited_at", MetaSchema { description :
                        Some("Latest edit."), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < Timestamp > > (registry, "deleted_at",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// A former version of a message.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageEdit {
        pub text: Nullable<String>,
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
                        MetaSchema::ANY), Property::new:: < Nullable < Vec < BTreeMap <
                        String, serde_json::Value > > > > (registry, "blocks",
                        MetaSchema::ANY), Property::new:: < Timestamp > (registry,
                        "edited_at", MetaSchema { description :
                        Some("When an edit replaced this version."), ..MetaSchema::ANY })
                    ]
                },
            );
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
    pub struct MessageCreate {
        /// Sender, for the operator to name; null for a system message.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub user_id: MaybeUndefined<String>,
        /// `system` exactly when there is no sender.
        #[serde(rename = "type")]
        pub r#type: MessageType,
        /// Required for `text`; the caption of other types.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub text: Option<String>,
        /// Uploaded files of the company (`fil_`); a person attaches their own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub file_ids: Option<Vec<String>>,
        /// A message of the same conversation that this one replies to; anything else is 400.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub thread_id: MaybeUndefined<String>,
        /// The sender's own key, unique in the conversation; bots' idempotency keys count too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_key: Option<String>,
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
                        Property::new:: < MaybeUndefined < String > > (registry,
                        "user_id", MetaSchema { description :
                        Some("Sender, for the operator to name; null for a system message."),
                        min_length : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        MessageType > (registry, "type", MetaSchema { description :
                        Some("`system` exactly when there is no sender."),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "text", MetaSchema { description :
                        Some("Required for `text`; the caption of other types."),
                        min_length : Some(1), max_length : Some(4000), ..MetaSchema::ANY
                        }), Property::new:: < Option < Vec < String > > > (registry,
                        "file_ids", MetaSchema { description :
                        Some("Uploaded files of the company (`fil_`); a person attaches their own."),
                        max_items : Some(20), items :
                        Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema {
                        min_length : Some(1), ..MetaSchema::ANY })))), ..MetaSchema::ANY
                        }), Property::new:: < MaybeUndefined < String > > (registry,
                        "thread_id", MetaSchema { description :
                        Some("A message of the same conversation that this one replies to; anything else is 400."),
                        min_length : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        Option < String > > (registry, "client_key", MetaSchema {
                        description :
                        Some("The sender's own key, unique in the conversation; bots' idempotency keys count too."),
                        min_length : Some(1), max_length : Some(255), pattern :
                        Some(String::from("^[\\x21-\\x7E]+$")), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageUpdate {
        pub text: String,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "text", MetaSchema {
                        min_length : Some(1), max_length : Some(4000), ..MetaSchema::ANY
                        })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessageResult {
        pub ok: True,
        pub message: Message,
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
                None,
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
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MessagePage {
        pub ok: True,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Message > > (registry, "messages",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InteractionCreate {
        /// The person who clicks.
        pub user_id: String,
        /// The button.
        pub action_id: String,
        /// The button's value.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "user_id", MetaSchema {
                        description : Some("The person who clicks."), min_length :
                        Some(1), ..MetaSchema::ANY }), Property::new:: < String >
                        (registry, "action_id", MetaSchema { description :
                        Some("The button."), min_length : Some(1), max_length :
                        Some(255), ..MetaSchema::ANY }), Property::new:: < Option <
                        String > > (registry, "value", MetaSchema { description :
                        Some("The button's value."), max_length : Some(2000),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct File {
        pub id: String,
        pub workspace_id: String,
        /// Name as uploaded.
        pub name: String,
        pub mimetype: String,
        /// Bytes.
        pub size: i64,
        pub created_at: Timestamp,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema::ANY),
                        Property::new:: < String > (registry, "workspace_id",
                        MetaSchema::ANY), Property::new:: < String > (registry, "name",
                        MetaSchema { description : Some("Name as uploaded."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "mimetype", MetaSchema::ANY), Property::new:: < i64 > (registry,
                        "size", MetaSchema { description : Some("Bytes."), format :
                        Some("int64"), ..MetaSchema::ANY }), Property::new:: < Timestamp
                        > (registry, "created_at", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < File > (registry, "file", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// What a bot token may do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    impl Scope {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[
            Self::MessagesWrite,
            Self::UsersRead,
            Self::UsersReadEmail,
            Self::ConversationsRead,
            Self::ConversationsHistory,
            Self::FilesRead,
        ];
        /// The value as it is written.
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
    impl Described for Scope {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("Scope".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "Scope",
                |_| MetaSchema {
                    description: Some("What a bot token may do."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for Scope {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct App {
        pub id: String,
        pub name: String,
        /// Begins `svc_app_`.
        pub client_id: String,
        pub redirect_uris: Vec<String>,
        /// Where events are sent; null for an app that takes none.
        pub callback_url: Nullable<String>,
        /// What an installation may be granted.
        pub scopes: Vec<Scope>,
        /// Switched off by the operator.
        pub disabled: bool,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema::ANY),
                        Property::new:: < String > (registry, "name", MetaSchema::ANY),
                        Property::new:: < String > (registry, "client_id", MetaSchema {
                        description : Some("Begins `svc_app_`."), ..MetaSchema::ANY }),
                        Property::new:: < Vec < String > > (registry, "redirect_uris",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "callback_url", MetaSchema { description :
                        Some("Where events are sent; null for an app that takes none."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < Scope > >
                        (registry, "scopes", MetaSchema { description :
                        Some("What an installation may be granted."), ..MetaSchema::ANY
                        }), Property::new:: < bool > (registry, "disabled", MetaSchema {
                        description : Some("Switched off by the operator."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppCreate {
        pub name: String,
        /// Where the install page may send the code; compared exactly.
        pub redirect_uris: Vec<String>,
        /// Where events are sent. HTTPS on a public address; in development also `http` on the hosts configured for it.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub callback_url: MaybeUndefined<String>,
        /// What an installation may be granted.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "name", MetaSchema {
                        min_length : Some(1), max_length : Some(200), ..MetaSchema::ANY
                        }), Property::new:: < Vec < String > > (registry,
                        "redirect_uris", MetaSchema { description :
                        Some("Where the install page may send the code; compared exactly."),
                        min_items : Some(1), max_items : Some(20), items :
                        Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema {
                        max_length : Some(2048), pattern :
                        Some(String::from("^https?://[^\\s#]+$")), ..MetaSchema::ANY
                        })))), ..MetaSchema::ANY }), Property::new:: < MaybeUndefined <
                        String > > (registry, "callback_url", MetaSchema { description :
                        Some("Where events are sent. HTTPS on a public address; in development also `http` on the hosts configured for it."),
                        max_length : Some(2048), pattern :
                        Some(String::from("^https?://[^\\s#]+$")), ..MetaSchema::ANY }),
                        Property::new:: < Vec < Scope > > (registry, "scopes", MetaSchema
                        { description : Some("What an installation may be granted."),
                        unique_items : Some(true), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppUpdate {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Replaces the list.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub redirect_uris: Option<Vec<String>>,
        /// Where events are sent, retries included; null for none.
        #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
        pub callback_url: MaybeUndefined<String>,
        /// Replaces the list; installations keep what they were granted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scopes: Option<Vec<Scope>>,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < Option < String > > (registry, "name",
                        MetaSchema { min_length : Some(1), max_length : Some(200),
                        ..MetaSchema::ANY }), Property::new:: < Option < Vec < String > >
                        > (registry, "redirect_uris", MetaSchema { description :
                        Some("Replaces the list."), min_items : Some(1), max_items :
                        Some(20), items :
                        Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema {
                        max_length : Some(2048), pattern :
                        Some(String::from("^https?://[^\\s#]+$")), ..MetaSchema::ANY
                        })))), ..MetaSchema::ANY }), Property::new:: < MaybeUndefined <
                        String > > (registry, "callback_url", MetaSchema { description :
                        Some("Where events are sent, retries included; null for none."),
                        max_length : Some(2048), pattern :
                        Some(String::from("^https?://[^\\s#]+$")), ..MetaSchema::ANY }),
                        Property::new:: < Option < Vec < Scope > > > (registry, "scopes",
                        MetaSchema { description :
                        Some("Replaces the list; installations keep what they were granted."),
                        unique_items : Some(true), ..MetaSchema::ANY }), Property::new::
                        < Option < bool > > (registry, "disabled", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < App > (registry, "app", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// A new app and its secrets, shown once.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppCreated {
        pub ok: True,
        pub app: App,
        /// Begins `svc_app_`.
        pub client_id: String,
        /// Begins `svc_sec_`. Shown once.
        pub client_secret: String,
        /// Begins `whsec_`. Shown once.
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
                Some("A new app and its secrets, shown once."),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < App > (registry, "app", MetaSchema::ANY),
                        Property::new:: < String > (registry, "client_id", MetaSchema {
                        description : Some("Begins `svc_app_`."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "client_secret", MetaSchema
                        { description : Some("Begins `svc_sec_`. Shown once."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "signing_secret", MetaSchema { description :
                        Some("Begins `whsec_`. Shown once."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AppPage {
        pub ok: True,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < App > > (registry, "apps",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum SecretKind {
        #[serde(rename = "signing")]
        Signing,
        #[serde(rename = "client")]
        Client,
    }
    impl SecretKind {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Signing, Self::Client];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Signing => "signing",
                Self::Client => "client",
            }
        }
    }
    impl Described for SecretKind {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("SecretKind".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "SecretKind",
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
    impl ParamValue for SecretKind {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
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
                None,
                |registry| {
                    vec![
                        Property::new:: < SecretKind > (registry, "secret",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    /// The new secret, shown once; only the one that was asked for is present.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SecretRotated {
        pub ok: True,
        /// Begins `whsec_`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub signing_secret: Option<String>,
        /// Begins `svc_sec_`.
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
                    "The new secret, shown once; only the one that was asked for is present.",
                ),
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Option < String > > (registry,
                        "signing_secret", MetaSchema { description :
                        Some("Begins `whsec_`."), ..MetaSchema::ANY }), Property::new:: <
                        Option < String > > (registry, "client_secret", MetaSchema {
                        description : Some("Begins `svc_sec_`."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum EventType {
        #[serde(rename = "app.uninstalled")]
        AppUninstalled,
        #[serde(rename = "directory.changed")]
        DirectoryChanged,
        #[serde(rename = "interaction")]
        Interaction,
    }
    impl EventType {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[
            Self::AppUninstalled,
            Self::DirectoryChanged,
            Self::Interaction,
        ];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::AppUninstalled => "app.uninstalled",
                Self::DirectoryChanged => "directory.changed",
                Self::Interaction => "interaction",
            }
        }
    }
    impl Described for EventType {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("EventType".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "EventType",
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
    impl ParamValue for EventType {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    impl DirectoryKind {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[
            Self::UserCreated,
            Self::UserUpdated,
            Self::UserDeactivated,
            Self::ConversationCreated,
            Self::ConversationRenamed,
            Self::ConversationArchived,
            Self::ConversationDeleted,
            Self::AppRemovedFromConversation,
        ];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::UserCreated => "user.created",
                Self::UserUpdated => "user.updated",
                Self::UserDeactivated => "user.deactivated",
                Self::ConversationCreated => "conversation.created",
                Self::ConversationRenamed => "conversation.renamed",
                Self::ConversationArchived => "conversation.archived",
                Self::ConversationDeleted => "conversation.deleted",
                Self::AppRemovedFromConversation => "app.removed_from_conversation",
            }
        }
    }
    impl Described for DirectoryKind {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("DirectoryKind".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "DirectoryKind",
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
    impl ParamValue for DirectoryKind {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// The order of a log that can be followed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum LogOrder {
        #[serde(rename = "newest")]
        Newest,
        #[serde(rename = "ingested")]
        Ingested,
    }
    impl LogOrder {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Newest, Self::Ingested];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Newest => "newest",
                Self::Ingested => "ingested",
            }
        }
    }
    impl Described for LogOrder {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("LogOrder".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "LogOrder",
                |_| MetaSchema {
                    description: Some("The order of a log that can be followed."),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for LogOrder {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// `pending` waits for its time, `delivered` was answered with a 2xx, `failed` was not, `dropped` was given up because it must not or cannot be sent any more.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    impl DeliveryState {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[
            Self::Pending,
            Self::Delivered,
            Self::Failed,
            Self::Dropped,
        ];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Pending => "pending",
                Self::Delivered => "delivered",
                Self::Failed => "failed",
                Self::Dropped => "dropped",
            }
        }
    }
    impl Described for DeliveryState {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("DeliveryState".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "DeliveryState",
                |_| MetaSchema {
                    description: Some(
                        "`pending` waits for its time, `delivered` was answered with a 2xx, `failed` was not, `dropped` was given up because it must not or cannot be sent any more.",
                    ),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for DeliveryState {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// One attempt to deliver an event, or the next one of an event that is `pending` or was `dropped`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Delivery {
        /// The same for every attempt.
        pub event_id: String,
        #[serde(rename = "type")]
        pub r#type: EventType,
        pub workspace_id: String,
        pub installation_id: String,
        /// Counts from 1.
        pub attempt: i64,
        pub state: DeliveryState,
        /// HTTP status of the callback's answer; null when there was none.
        pub status: Nullable<i64>,
        /// Why it failed: `status` (an answer other than 2xx), `timeout` (none within 3 seconds), `dns`, `forbidden_address` (not on the public Internet), `connect`, `tls`, `closed` (without an answer), `protocol` (not HTTP) or `url` (not HTTPS). Why it was dropped: `disconnected`, `no_callback_url` or `expired`. Otherwise null.
        pub error: Nullable<String>,
        /// Milliseconds until the head of the answer or the failure; null before.
        pub latency_ms: Nullable<i64>,
        /// The first kilobyte of the answer's body; null when there was no answer.
        pub answer: Nullable<String>,
        /// When it was begun; null before.
        pub at: Nullable<Timestamp>,
        /// When it is due, or when a failed one is tried again; null when nothing follows.
        pub next_attempt_at: Nullable<Timestamp>,
        /// When the event came to be.
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
                    "One attempt to deliver an event, or the next one of an event that is `pending` or was `dropped`.",
                ),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "event_id", MetaSchema {
                        description : Some("The same for every attempt."),
                        ..MetaSchema::ANY }), Property::new:: < EventType > (registry,
                        "type", MetaSchema::ANY), Property::new:: < String > (registry,
                        "workspace_id", MetaSchema::ANY), Property::new:: < String >
                        (registry, "installation_id", MetaSchema::ANY), Property::new:: <
                        i64 > (registry, "attempt", MetaSchema { description :
                        Some("Counts from 1."), format : Some("int64"), ..MetaSchema::ANY
                        }), Property::new:: < DeliveryState > (registry, "state",
                        MetaSchema::ANY), Property::new:: < Nullable < i64 > > (registry,
                        "status", MetaSchema { description :
                        Some("HTTP status of the callback's answer; null when there was none."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < String > > (registry, "error", MetaSchema {
                        description :
                        Some("Why it failed: `status` (an answer other than 2xx), `timeout` (none within 3 seconds), `dns`, `forbidden_address` (not on the public Internet), `connect`, `tls`, `closed` (without an answer), `protocol` (not HTTP) or `url` (not HTTPS). Why it was dropped: `disconnected`, `no_callback_url` or `expired`. Otherwise null."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < i64 > >
                        (registry, "latency_ms", MetaSchema { description :
                        Some("Milliseconds until the head of the answer or the failure; null before."),
                        format : Some("int64"), ..MetaSchema::ANY }), Property::new:: <
                        Nullable < String > > (registry, "answer", MetaSchema {
                        description :
                        Some("The first kilobyte of the answer's body; null when there was no answer."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Timestamp > >
                        (registry, "at", MetaSchema { description :
                        Some("When it was begun; null before."), ..MetaSchema::ANY }),
                        Property::new:: < Nullable < Timestamp > > (registry,
                        "next_attempt_at", MetaSchema { description :
                        Some("When it is due, or when a failed one is tried again; null when nothing follows."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When the event came to be."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum RedeliverState {
        #[serde(rename = "failed")]
        Failed,
        #[serde(rename = "all")]
        All,
    }
    impl RedeliverState {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Failed, Self::All];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Failed => "failed",
                Self::All => "all",
            }
        }
    }
    impl Described for RedeliverState {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("RedeliverState".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "RedeliverState",
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
    impl ParamValue for RedeliverState {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct RedeliverRequest {
        /// Events created at this time or later.
        pub since: Timestamp,
        /// Events created before this time; all of them when absent.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < Timestamp > (registry, "since", MetaSchema {
                        description : Some("Events created at this time or later."),
                        ..MetaSchema::ANY }), Property::new:: < Option < Timestamp > >
                        (registry, "until", MetaSchema { description :
                        Some("Events created before this time; all of them when absent."),
                        ..MetaSchema::ANY }), Property::new:: < Option < RedeliverState >
                        > (registry, "state", MetaSchema::ANY), Property::new:: < Option
                        < EventType > > (registry, "type", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Redelivered {
        pub ok: True,
        /// How many events are on their way again.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < i64 > (registry, "redelivered", MetaSchema {
                        description : Some("How many events are on their way again."),
                        format : Some("int64"), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct TestEventCreate {
        #[serde(rename = "type")]
        pub r#type: EventType,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub kind: Option<DirectoryKind>,
        /// A connected installation of the app; its newest one when absent.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < EventType > (registry, "type",
                        MetaSchema::ANY), Property::new:: < Option < DirectoryKind > >
                        (registry, "kind", MetaSchema::ANY), Property::new:: < Option <
                        String > > (registry, "installation_id", MetaSchema { description
                        :
                        Some("A connected installation of the app; its newest one when absent."),
                        min_length : Some(1), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct EventQueued {
        pub ok: True,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < String > (registry, "event_id",
                        MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct DeliveryPage {
        pub ok: True,
        pub deliveries: Vec<Delivery>,
        /// Null on the last page.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Delivery > > (registry, "deliveries",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InstallationCreate {
        pub app_id: String,
        /// What to grant, among the app's scopes; all of them when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scopes: Option<Vec<Scope>>,
        /// One of the app's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub redirect_uri: Option<String>,
        /// PKCE challenge by the method S256.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "app_id", MetaSchema {
                        min_length : Some(1), ..MetaSchema::ANY }), Property::new:: <
                        Option < Vec < Scope > > > (registry, "scopes", MetaSchema {
                        description :
                        Some("What to grant, among the app's scopes; all of them when absent."),
                        unique_items : Some(true), ..MetaSchema::ANY }), Property::new::
                        < Option < String > > (registry, "redirect_uri", MetaSchema {
                        description : Some("One of the app's."), max_length : Some(2048),
                        pattern : Some(String::from("^https?://[^\\s#]+$")),
                        ..MetaSchema::ANY }), Property::new:: < Option < String > >
                        (registry, "code_challenge", MetaSchema { description :
                        Some("PKCE challenge by the method S256."), pattern :
                        Some(String::from("^[A-Za-z0-9_-]{43}$")), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InstallationCode {
        pub ok: True,
        pub code: String,
        /// Seconds, always 600.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < String > (registry, "code", MetaSchema::ANY),
                        Property::new:: < i64 > (registry, "expires_in", MetaSchema {
                        description : Some("Seconds, always 600."), format :
                        Some("int64"), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum InstallationState {
        #[serde(rename = "connected")]
        Connected,
        #[serde(rename = "disconnected")]
        Disconnected,
    }
    impl InstallationState {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Connected, Self::Disconnected];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Connected => "connected",
                Self::Disconnected => "disconnected",
            }
        }
    }
    impl Described for InstallationState {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("InstallationState".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "InstallationState",
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
    impl ParamValue for InstallationState {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// `admin` uninstalled it, the operator disabled the app (`app_disabled`), or the app revoked its own token (`app_revoked`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum DisconnectReason {
        #[serde(rename = "admin")]
        Admin,
        #[serde(rename = "app_disabled")]
        AppDisabled,
        #[serde(rename = "app_revoked")]
        AppRevoked,
    }
    impl DisconnectReason {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[
            Self::Admin,
            Self::AppDisabled,
            Self::AppRevoked,
        ];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Admin => "admin",
                Self::AppDisabled => "app_disabled",
                Self::AppRevoked => "app_revoked",
            }
        }
    }
    impl Described for DisconnectReason {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("DisconnectReason".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "DisconnectReason",
                |_| MetaSchema {
                    description: Some(
                        "`admin` uninstalled it, the operator disabled the app (`app_disabled`), or the app revoked its own token (`app_revoked`).",
                    ),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for DisconnectReason {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Installation {
        pub id: String,
        pub app_id: String,
        pub workspace_id: String,
        /// The app's user in this company.
        pub bot_user_id: String,
        pub scopes: Vec<Scope>,
        pub state: InstallationState,
        /// Why it is disconnected; null while connected.
        pub reason: Nullable<DisconnectReason>,
        /// The admin who approved it; null when the operator named nobody.
        pub installed_by: Nullable<String>,
        pub created_at: Timestamp,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema::ANY),
                        Property::new:: < String > (registry, "app_id", MetaSchema::ANY),
                        Property::new:: < String > (registry, "workspace_id",
                        MetaSchema::ANY), Property::new:: < String > (registry,
                        "bot_user_id", MetaSchema { description :
                        Some("The app's user in this company."), ..MetaSchema::ANY }),
                        Property::new:: < Vec < Scope > > (registry, "scopes",
                        MetaSchema::ANY), Property::new:: < InstallationState >
                        (registry, "state", MetaSchema::ANY), Property::new:: < Nullable
                        < DisconnectReason > > (registry, "reason", MetaSchema {
                        description :
                        Some("Why it is disconnected; null while connected."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < String > >
                        (registry, "installed_by", MetaSchema { description :
                        Some("The admin who approved it; null when the operator named nobody."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema::ANY), Property::new:: < Nullable <
                        Timestamp > > (registry, "disconnected_at", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct InstallationPage {
        pub ok: True,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Installation > > (registry,
                        "installations", MetaSchema::ANY), Property::new:: < Nullable <
                        String > > (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// Registered here, or known by the metadata document its id points to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum ClientKind {
        #[serde(rename = "registered")]
        Registered,
        #[serde(rename = "metadata_document")]
        MetadataDocument,
    }
    impl ClientKind {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Registered, Self::MetadataDocument];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Registered => "registered",
                Self::MetadataDocument => "metadata_document",
            }
        }
    }
    impl Described for ClientKind {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ClientKind".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "ClientKind",
                |_| MetaSchema {
                    description: Some(
                        "Registered here, or known by the metadata document its id points to.",
                    ),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for ClientKind {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum ConnectionState {
        #[serde(rename = "active")]
        Active,
        #[serde(rename = "revoked")]
        Revoked,
    }
    impl ConnectionState {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Active, Self::Revoked];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Active => "active",
                Self::Revoked => "revoked",
            }
        }
    }
    impl Described for ConnectionState {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ConnectionState".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "ConnectionState",
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
    impl ParamValue for ConnectionState {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// Why a connection ended: the employee disconnected it (`employee`), an admin or the operator revoked it (`admin`), its client was blocked (`client_blocked`), the company turned assistants off (`assistants_off`), the employee was deactivated, removed, logged out or is none any more (`user_deactivated`, `user_removed`, `logged_out`, `not_employee`), a newer one took its place (`replaced`), 30 days without a refresh or the company's maximum passed (`refresh_expired`, `session_expired`), the client revoked it (`client`), or a spent code or refresh token was used again (`code_reused`, `refresh_reused`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum RevokeReason {
        #[serde(rename = "employee")]
        Employee,
        #[serde(rename = "admin")]
        Admin,
        #[serde(rename = "client_blocked")]
        ClientBlocked,
        #[serde(rename = "assistants_off")]
        AssistantsOff,
        #[serde(rename = "user_deactivated")]
        UserDeactivated,
        #[serde(rename = "user_removed")]
        UserRemoved,
        #[serde(rename = "logged_out")]
        LoggedOut,
        #[serde(rename = "not_employee")]
        NotEmployee,
        #[serde(rename = "replaced")]
        Replaced,
        #[serde(rename = "refresh_expired")]
        RefreshExpired,
        #[serde(rename = "session_expired")]
        SessionExpired,
        #[serde(rename = "client")]
        Client,
        #[serde(rename = "code_reused")]
        CodeReused,
        #[serde(rename = "refresh_reused")]
        RefreshReused,
    }
    impl RevokeReason {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[
            Self::Employee,
            Self::Admin,
            Self::ClientBlocked,
            Self::AssistantsOff,
            Self::UserDeactivated,
            Self::UserRemoved,
            Self::LoggedOut,
            Self::NotEmployee,
            Self::Replaced,
            Self::RefreshExpired,
            Self::SessionExpired,
            Self::Client,
            Self::CodeReused,
            Self::RefreshReused,
        ];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Employee => "employee",
                Self::Admin => "admin",
                Self::ClientBlocked => "client_blocked",
                Self::AssistantsOff => "assistants_off",
                Self::UserDeactivated => "user_deactivated",
                Self::UserRemoved => "user_removed",
                Self::LoggedOut => "logged_out",
                Self::NotEmployee => "not_employee",
                Self::Replaced => "replaced",
                Self::RefreshExpired => "refresh_expired",
                Self::SessionExpired => "session_expired",
                Self::Client => "client",
                Self::CodeReused => "code_reused",
                Self::RefreshReused => "refresh_reused",
            }
        }
    }
    impl Described for RevokeReason {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("RevokeReason".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "RevokeReason",
                |_| MetaSchema {
                    description: Some(
                        "Why a connection ended: the employee disconnected it (`employee`), an admin or the operator revoked it (`admin`), its client was blocked (`client_blocked`), the company turned assistants off (`assistants_off`), the employee was deactivated, removed, logged out or is none any more (`user_deactivated`, `user_removed`, `logged_out`, `not_employee`), a newer one took its place (`replaced`), 30 days without a refresh or the company's maximum passed (`refresh_expired`, `session_expired`), the client revoked it (`client`), or a spent code or refresh token was used again (`code_reused`, `refresh_reused`).",
                    ),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for RevokeReason {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// An assistant client that acts for one employee in one company.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Connection {
        pub id: String,
        /// The employee.
        pub user_id: String,
        /// Begins `mcpc_`, or is the URL of the client's metadata document.
        pub client_id: String,
        pub client_kind: ClientKind,
        /// The client's name as people see it.
        pub display_name: String,
        /// What a company blocks to keep clients like this out.
        pub block_key: String,
        pub redirect_uri: String,
        /// The assistant address it may use.
        pub resource: String,
        /// Scopes, separated by spaces.
        pub scope: String,
        pub created_at: Timestamp,
        /// Latest refresh of its tokens; null when there was none.
        pub refreshed_at: Nullable<Timestamp>,
        /// Latest request; null when there was none.
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
                        Property::new:: < String > (registry, "id", MetaSchema::ANY),
                        Property::new:: < String > (registry, "user_id", MetaSchema {
                        description : Some("The employee."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "client_id", MetaSchema {
                        description :
                        Some("Begins `mcpc_`, or is the URL of the client's metadata document."),
                        ..MetaSchema::ANY }), Property::new:: < ClientKind > (registry,
                        "client_kind", MetaSchema::ANY), Property::new:: < String >
                        (registry, "display_name", MetaSchema { description :
                        Some("The client's name as people see it."), ..MetaSchema::ANY
                        }), Property::new:: < String > (registry, "block_key", MetaSchema
                        { description :
                        Some("What a company blocks to keep clients like this out."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "redirect_uri", MetaSchema::ANY), Property::new:: < String >
                        (registry, "resource", MetaSchema { description :
                        Some("The assistant address it may use."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "scope", MetaSchema {
                        description : Some("Scopes, separated by spaces."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema::ANY), Property::new:: < Nullable <
                        Timestamp > > (registry, "refreshed_at", MetaSchema { description
                        :
                        Some("Latest refresh of its tokens; null when there was none."),
                        ..MetaSchema::ANY }), Property::new:: < Nullable < Timestamp > >
                        (registry, "last_used_at", MetaSchema { description :
                        Some("Latest request; null when there was none."),
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
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ConnectionPage {
        pub ok: True,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < Connection > > (registry, "connections",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClientBlock {
        pub key: String,
        /// Name of the clients with this key, as it was when the key was blocked; null when none was known.
        pub display_name: Nullable<String>,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "key", MetaSchema::ANY),
                        Property::new:: < Nullable < String > > (registry,
                        "display_name", MetaSchema { description :
                        Some("Name of the clients with this key, as it was when the key was blocked; null when none was known."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClientBlockPage {
        pub ok: True,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < ClientBlock > > (registry,
                        "client_blocks", MetaSchema::ANY), Property::new:: < Nullable <
                        String > > (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClientBlocked {
        pub ok: True,
        /// How many connections were revoked by it.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < i64 > (registry, "revoked", MetaSchema {
                        description : Some("How many connections were revoked by it."),
                        format : Some("int64"), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AssistantClient {
        /// Begins `mcpc_`, or is the URL of the client's metadata document.
        pub client_id: String,
        pub kind: ClientKind,
        /// The client's name as people see it.
        pub display_name: String,
        /// The keys it has; which one counts depends on the redirect URI used.
        pub block_keys: Vec<String>,
        /// When it was registered, or first seen.
        pub created_at: Timestamp,
        /// Latest use by anybody; null when there was none.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "client_id", MetaSchema {
                        description :
                        Some("Begins `mcpc_`, or is the URL of the client's metadata document."),
                        ..MetaSchema::ANY }), Property::new:: < ClientKind > (registry,
                        "kind", MetaSchema::ANY), Property::new:: < String > (registry,
                        "display_name", MetaSchema { description :
                        Some("The client's name as people see it."), ..MetaSchema::ANY
                        }), Property::new:: < Vec < String > > (registry, "block_keys",
                        MetaSchema { description :
                        Some("The keys it has; which one counts depends on the redirect URI used."),
                        ..MetaSchema::ANY }), Property::new:: < Timestamp > (registry,
                        "created_at", MetaSchema { description :
                        Some("When it was registered, or first seen."), ..MetaSchema::ANY
                        }), Property::new:: < Nullable < Timestamp > > (registry,
                        "last_used_at", MetaSchema { description :
                        Some("Latest use by anybody; null when there was none."),
                        ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct AssistantClientPage {
        pub ok: True,
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < AssistantClient > > (registry,
                        "assistant_clients", MetaSchema::ANY), Property::new:: < Nullable
                        < String > > (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// How a call ended: it did what it was asked to (`ok`), the rules said no (`refused`), or the server could not (`failed`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum ToolOutcome {
        #[serde(rename = "ok")]
        Ok,
        #[serde(rename = "refused")]
        Refused,
        #[serde(rename = "failed")]
        Failed,
    }
    impl ToolOutcome {
        /// Every value, in the document's order.
        pub const ALL: &'static [Self] = &[Self::Ok, Self::Refused, Self::Failed];
        /// The value as it is written.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Ok => "ok",
                Self::Refused => "refused",
                Self::Failed => "failed",
            }
        }
    }
    impl Described for ToolOutcome {
        fn schema() -> MetaSchemaRef {
            MetaSchemaRef::Reference("ToolOutcome".into())
        }
        fn register(registry: &mut Registry) {
            describe_schema::<
                Self,
            >(
                registry,
                "ToolOutcome",
                |_| MetaSchema {
                    description: Some(
                        "How a call ended: it did what it was asked to (`ok`), the rules said no (`refused`), or the server could not (`failed`).",
                    ),
                    enum_items: Self::ALL
                        .iter()
                        .map(|value| value.as_str().into())
                        .collect(),
                    ..MetaSchema::new("string")
                },
            );
        }
    }
    impl ParamValue for ToolOutcome {
        fn read(text: &str) -> Result<Self, String> {
            let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
            found.ok_or_else(|| one_of(Self::ALL.iter().map(|value| value.as_str())))
        }
    }
    /// One call of a tool by an assistant for an employee.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ToolCall {
        pub id: String,
        /// The employee.
        pub user_id: String,
        pub connection_id: String,
        /// Begins `mcpc_`, or is the URL of the client's metadata document.
        pub client_id: String,
        /// The client's name as people saw it at the time.
        pub display_name: String,
        /// The tool's name; `unknown` when what the client asked for cannot be one.
        pub tool: String,
        pub outcome: ToolOutcome,
        /// What the assistant was told; null when it is `ok`.
        pub error_code: Nullable<String>,
        /// Ids of what it was about, 20 at most.
        pub targets: Vec<String>,
        /// How many ids are not among them.
        pub more_targets: i64,
        /// How long it took, in microseconds.
        pub latency_us: i64,
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
                Some("One call of a tool by an assistant for an employee."),
                |registry| {
                    vec![
                        Property::new:: < String > (registry, "id", MetaSchema::ANY),
                        Property::new:: < String > (registry, "user_id", MetaSchema {
                        description : Some("The employee."), ..MetaSchema::ANY }),
                        Property::new:: < String > (registry, "connection_id",
                        MetaSchema::ANY), Property::new:: < String > (registry,
                        "client_id", MetaSchema { description :
                        Some("Begins `mcpc_`, or is the URL of the client's metadata document."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "display_name", MetaSchema { description :
                        Some("The client's name as people saw it at the time."),
                        ..MetaSchema::ANY }), Property::new:: < String > (registry,
                        "tool", MetaSchema { description :
                        Some("The tool's name; `unknown` when what the client asked for cannot be one."),
                        ..MetaSchema::ANY }), Property::new:: < ToolOutcome > (registry,
                        "outcome", MetaSchema::ANY), Property::new:: < Nullable < String
                        > > (registry, "error_code", MetaSchema { description :
                        Some("What the assistant was told; null when it is `ok`."),
                        ..MetaSchema::ANY }), Property::new:: < Vec < String > >
                        (registry, "targets", MetaSchema { description :
                        Some("Ids of what it was about, 20 at most."), ..MetaSchema::ANY
                        }), Property::new:: < i64 > (registry, "more_targets", MetaSchema
                        { description : Some("How many ids are not among them."), format
                        : Some("int64"), ..MetaSchema::ANY }), Property::new:: < i64 >
                        (registry, "latency_us", MetaSchema { description :
                        Some("How long it took, in microseconds."), format :
                        Some("int64"), ..MetaSchema::ANY }), Property::new:: < Timestamp
                        > (registry, "at", MetaSchema::ANY)
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ToolCallPage {
        pub ok: True,
        pub tool_calls: Vec<ToolCall>,
        /// Null on the last page.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Vec < ToolCall > > (registry, "tool_calls",
                        MetaSchema::ANY), Property::new:: < Nullable < String > >
                        (registry, "next_cursor", MetaSchema { description :
                        Some("Null on the last page."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    /// Exactly one of the two.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClockUpdate {
        /// Seconds to move ahead, on top of what was moved before; at most ten years.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub advance_seconds: Option<i64>,
        /// Back to real time.
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
                Some("Exactly one of the two."),
                |registry| {
                    vec![
                        Property::new:: < Option < i64 > > (registry, "advance_seconds",
                        MetaSchema { description :
                        Some("Seconds to move ahead, on top of what was moved before; at most ten years."),
                        format : Some("int64"), minimum : Some(1.0), maximum :
                        Some(315360000.0), ..MetaSchema::ANY }), Property::new:: < Option
                        < True > > (registry, "reset", MetaSchema { description :
                        Some("Back to real time."), ..MetaSchema::ANY })
                    ]
                },
            );
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ClockResult {
        pub ok: True,
        pub now: Timestamp,
        /// How far ahead of real time.
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
                None,
                |registry| {
                    vec![
                        Property::new:: < True > (registry, "ok", MetaSchema::ANY),
                        Property::new:: < Timestamp > (registry, "now", MetaSchema::ANY),
                        Property::new:: < i64 > (registry, "offset_seconds", MetaSchema {
                        description : Some("How far ahead of real time."), format :
                        Some("int64"), ..MetaSchema::ANY })
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
        <WorkspaceCreate as Described>::register(registry);
        <WorkspaceUpdate as Described>::register(registry);
        <WorkspaceResult as Described>::register(registry);
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
        <DirectoryKind as Described>::register(registry);
        <LogOrder as Described>::register(registry);
        <DeliveryState as Described>::register(registry);
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
            "SessionCreate" => {
                serde_json::to_value(serde_json::from_value::<SessionCreate>(value)?)
            }
            "SessionCreated" => {
                serde_json::to_value(serde_json::from_value::<SessionCreated>(value)?)
            }
            "Membership" => {
                serde_json::to_value(serde_json::from_value::<Membership>(value)?)
            }
            "Workspace" => {
                serde_json::to_value(serde_json::from_value::<Workspace>(value)?)
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
            "WorkspacePage" => {
                serde_json::to_value(serde_json::from_value::<WorkspacePage>(value)?)
            }
            "UserState" => {
                serde_json::to_value(serde_json::from_value::<UserState>(value)?)
            }
            "User" => serde_json::to_value(serde_json::from_value::<User>(value)?),
            "UserCreate" => {
                serde_json::to_value(serde_json::from_value::<UserCreate>(value)?)
            }
            "UserUpdate" => {
                serde_json::to_value(serde_json::from_value::<UserUpdate>(value)?)
            }
            "UserStateChange" => {
                serde_json::to_value(serde_json::from_value::<UserStateChange>(value)?)
            }
            "UserResult" => {
                serde_json::to_value(serde_json::from_value::<UserResult>(value)?)
            }
            "UserPage" => {
                serde_json::to_value(serde_json::from_value::<UserPage>(value)?)
            }
            "ConversationKind" => {
                serde_json::to_value(serde_json::from_value::<ConversationKind>(value)?)
            }
            "ConversationType" => {
                serde_json::to_value(serde_json::from_value::<ConversationType>(value)?)
            }
            "Conversation" => {
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
            "ConversationResult" => {
                serde_json::to_value(
                    serde_json::from_value::<ConversationResult>(value)?,
                )
            }
            "ConversationDetailResult" => {
                serde_json::to_value(
                    serde_json::from_value::<ConversationDetailResult>(value)?,
                )
            }
            "ConversationPage" => {
                serde_json::to_value(serde_json::from_value::<ConversationPage>(value)?)
            }
            "MemberPage" => {
                serde_json::to_value(serde_json::from_value::<MemberPage>(value)?)
            }
            "MessageType" => {
                serde_json::to_value(serde_json::from_value::<MessageType>(value)?)
            }
            "Message" => serde_json::to_value(serde_json::from_value::<Message>(value)?),
            "MessageEdit" => {
                serde_json::to_value(serde_json::from_value::<MessageEdit>(value)?)
            }
            "FileRef" => serde_json::to_value(serde_json::from_value::<FileRef>(value)?),
            "MessageCreate" => {
                serde_json::to_value(serde_json::from_value::<MessageCreate>(value)?)
            }
            "MessageUpdate" => {
                serde_json::to_value(serde_json::from_value::<MessageUpdate>(value)?)
            }
            "MessageResult" => {
                serde_json::to_value(serde_json::from_value::<MessageResult>(value)?)
            }
            "MessagePage" => {
                serde_json::to_value(serde_json::from_value::<MessagePage>(value)?)
            }
            "InteractionCreate" => {
                serde_json::to_value(serde_json::from_value::<InteractionCreate>(value)?)
            }
            "File" => serde_json::to_value(serde_json::from_value::<File>(value)?),
            "FileResult" => {
                serde_json::to_value(serde_json::from_value::<FileResult>(value)?)
            }
            "Scope" => serde_json::to_value(serde_json::from_value::<Scope>(value)?),
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
            "DirectoryKind" => {
                serde_json::to_value(serde_json::from_value::<DirectoryKind>(value)?)
            }
            "LogOrder" => {
                serde_json::to_value(serde_json::from_value::<LogOrder>(value)?)
            }
            "DeliveryState" => {
                serde_json::to_value(serde_json::from_value::<DeliveryState>(value)?)
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
    /// Messages of people and of the system, and the full view of every message.
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
    /// What assistants did for employees.
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
/// Who may call: one principal per security scheme, read from a request before anything of it is parsed.
pub trait Security: Door {
    /// Operator key `svc_op_…` or session token `svc_ses_…`.
    type Credentials: Principal<Self>;
}
mod shared {
    use super::*;
    pub const BAD_PAGE_REQUEST: ReplyDoc = ReplyDoc {
        status: 400,
        description: "The request is not valid.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const BAD_REQUEST: ReplyDoc = ReplyDoc {
        status: 400,
        description: "The request is not valid.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const CONFLICT: ReplyDoc = ReplyDoc {
        status: 409,
        description: "The state of things does not allow this.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const CONVERSATION_ARCHIVED: ReplyDoc = ReplyDoc {
        status: 409,
        description: "The group is archived.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const CONVERSATION_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: 404,
        description: "No such conversation.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const CONVERSATION_OR_USER_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: 404,
        description: "No such conversation or person.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const FILE_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: 404,
        description: "No such file.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const FORBIDDEN: ReplyDoc = ReplyDoc {
        status: 403,
        description: "The credential may not do this.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const HEADER_CACHE_CONTROL: HeaderDoc = HeaderDoc {
        description: Some("Always `no-store`."),
        required: true,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_RATE_LIMIT: HeaderDoc = HeaderDoc {
        description: Some("What is left of the limit that applies."),
        required: false,
        schema: || patched(<String as Described>::schema(), MetaSchema::ANY),
    };
    pub const HEADER_RATE_LIMIT_POLICY: HeaderDoc = HeaderDoc {
        description: Some("The limits of the operation."),
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
        status: 500,
        description: "Server fault.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const MEMBERS_FORBIDDEN: ReplyDoc = ReplyDoc {
        status: 403,
        description: "The credential may not do this, or the person left the conversation.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const MESSAGE_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: 404,
        description: "No such message.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const NOT_ACCEPTABLE: ReplyDoc = ReplyDoc {
        status: 406,
        description: "Accept excludes application/json.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const NOT_FOUND: ReplyDoc = ReplyDoc {
        status: 404,
        description: "No such thing, or one of another company.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const PAYLOAD_TOO_LARGE: ReplyDoc = ReplyDoc {
        status: 413,
        description: "The body is too large.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const POSTING_FORBIDDEN: ReplyDoc = ReplyDoc {
        status: 403,
        description: "The caller or the sender may not do this here.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const RATE_LIMITED: ReplyDoc = ReplyDoc {
        status: 429,
        description: "Over a rate limit.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
            ("Retry-After", shared::HEADER_RETRY_AFTER),
        ],
    };
    pub const SANDBOX_ONLY: ReplyDoc = ReplyDoc {
        status: 404,
        description: "Not a sandbox.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const SIGN_IN_REFUSED: ReplyDoc = ReplyDoc {
        status: 401,
        description: "E-mail address and password do not sign in.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
            ("WWW-Authenticate", shared::HEADER_WWW_AUTHENTICATE),
        ],
    };
    pub const UNAUTHORIZED: ReplyDoc = ReplyDoc {
        status: 401,
        description: "No usable operator key or session token.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
            ("WWW-Authenticate", shared::HEADER_WWW_AUTHENTICATE),
        ],
    };
    pub const UNSUPPORTED_MEDIA_TYPE: ReplyDoc = ReplyDoc {
        status: 415,
        description: "The body has another media type or a content encoding.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const USER_DEACTIVATED: ReplyDoc = ReplyDoc {
        status: 409,
        description: "The person is deactivated or removed.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const USER_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: 404,
        description: "No such person.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
    pub const USER_OR_OTHER_NOT_FOUND: ReplyDoc = ReplyDoc {
        status: 404,
        description: "No such person, company, app or installation.",
        schema: Some(<types::ErrorEnvelope as Described>::schema),
        headers: &[
            ("X-Request-Id", shared::HEADER_REQUEST_ID),
            ("Cache-Control", shared::HEADER_CACHE_CONTROL),
        ],
    };
}
/// Sign in
pub struct CreateSession;
impl OperationType for CreateSession {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createSession",
        method: "POST",
        path: "/admin/v1/sessions",
        tag: "sessions",
        dialect: Dialect::Envelope,
        schemes: &[],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[],
        limit: LimitRow::SignIn,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::InvalidAuth,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for CreateSession {
    type Principal = Anyone;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Sign in
#[derive(Debug)]
pub struct CreateSessionRequest {
    pub body: types::SessionCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `createSession` succeeds.
#[derive(Debug)]
pub enum CreateSessionSuccess {
    /// The session; its token is shown once.
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
                    status: 201,
                    description: "The session; its token is shown once.",
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateSessionError {
    InvalidRequest,
    TokenInQuery,
    InvalidAuth,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for CreateSessionError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "createSession";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::SIGN_IN_REFUSED,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::InvalidAuth => Code::InvalidAuth,
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
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Sign out
pub struct DeleteSession;
impl OperationType for DeleteSession {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteSession",
        method: "DELETE",
        path: "/admin/v1/sessions/current",
        tag: "sessions",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Admin, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for DeleteSession {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Sign out
#[derive(Debug)]
pub struct DeleteSessionRequest {}
///How `deleteSession` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteSessionError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for DeleteSessionError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "deleteSession";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List companies
pub struct ListWorkspaces;
impl OperationType for ListWorkspaces {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listWorkspaces",
        method: "GET",
        path: "/admin/v1/workspaces",
        tag: "workspaces",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListWorkspaces {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`limit` of `listWorkspaces`.
pub struct ListWorkspacesLimitParam;
impl Parameter for ListWorkspacesLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listWorkspaces`.
pub struct ListWorkspacesCursorParam;
impl Parameter for ListWorkspacesCursorParam {
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
/// List companies
#[derive(Debug)]
pub struct ListWorkspacesRequest {
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listWorkspaces` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListWorkspacesError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListWorkspacesError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listWorkspaces";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
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
            Self::Forbidden => Code::Forbidden,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Create a company
pub struct CreateWorkspace;
impl OperationType for CreateWorkspace {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createWorkspace",
        method: "POST",
        path: "/admin/v1/workspaces",
        tag: "workspaces",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for CreateWorkspace {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Create a company
#[derive(Debug)]
pub struct CreateWorkspaceRequest {
    pub body: types::WorkspaceCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `createWorkspace` succeeds.
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
                    status: 201,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateWorkspaceError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for CreateWorkspaceError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "createWorkspace";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
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
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Read one company
pub struct GetWorkspace;
impl OperationType for GetWorkspace {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "getWorkspace",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}",
        tag: "workspaces",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for GetWorkspace {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `getWorkspace`.
pub struct GetWorkspaceWorkspaceIdParam;
impl Parameter for GetWorkspaceWorkspaceIdParam {
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
/// Read one company
#[derive(Debug)]
pub struct GetWorkspaceRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
}
///How `getWorkspace` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetWorkspaceError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for GetWorkspaceError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "getWorkspace";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Change a company
pub struct UpdateWorkspace;
impl OperationType for UpdateWorkspace {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateWorkspace",
        method: "PATCH",
        path: "/admin/v1/workspaces/{workspace_id}",
        tag: "workspaces",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for UpdateWorkspace {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `updateWorkspace`.
pub struct UpdateWorkspaceWorkspaceIdParam;
impl Parameter for UpdateWorkspaceWorkspaceIdParam {
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
/// Change a company
#[derive(Debug)]
pub struct UpdateWorkspaceRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    pub body: types::WorkspaceUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `updateWorkspace` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateWorkspaceError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for UpdateWorkspaceError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "updateWorkspace";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List people and bots
pub struct ListUsers;
impl OperationType for ListUsers {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listUsers",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/users",
        tag: "users",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListUsers {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `listUsers`.
pub struct ListUsersWorkspaceIdParam;
impl Parameter for ListUsersWorkspaceIdParam {
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
///`query` of `listUsers`.
pub struct ListUsersQueryParam;
impl Parameter for ListUsersQueryParam {
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
            format: Some("int64"),
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
/// List people and bots
#[derive(Debug)]
pub struct ListUsersRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Only those in whom each word of this begins a word: of the name, of the display name, of the part of the e-mail address before the `@`, or the whole address. Case, accents and punctuation do not matter; of more than four words the four longest count.
    pub query: Option<String>,
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listUsers` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListUsersError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
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
        shared::FORBIDDEN,
        shared::NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Add a person
pub struct CreateUser;
impl OperationType for CreateUser {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createUser",
        method: "POST",
        path: "/admin/v1/workspaces/{workspace_id}/users",
        tag: "users",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for CreateUser {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `createUser`.
pub struct CreateUserWorkspaceIdParam;
impl Parameter for CreateUserWorkspaceIdParam {
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
/// Add a person
#[derive(Debug)]
pub struct CreateUserRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    pub body: types::UserCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `createUser` succeeds.
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
                    status: 201,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateUserError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for CreateUserError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "createUser";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
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
        api: "admin",
        id: "getUser",
        method: "GET",
        path: "/admin/v1/users/{user_id}",
        tag: "users",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::UserNotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for GetUser {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`user_id` of `getUser`.
pub struct GetUserUserIdParam;
impl Parameter for GetUserUserIdParam {
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
/// Read one person
#[derive(Debug)]
pub struct GetUserRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
}
///How `getUser` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetUserError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
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
        shared::FORBIDDEN,
        shared::USER_NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Change a person
pub struct UpdateUser;
impl OperationType for UpdateUser {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateUser",
        method: "PATCH",
        path: "/admin/v1/users/{user_id}",
        tag: "users",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::UserNotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for UpdateUser {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`user_id` of `updateUser`.
pub struct UpdateUserUserIdParam;
impl Parameter for UpdateUserUserIdParam {
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
/// Change a person
#[derive(Debug)]
pub struct UpdateUserRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
    pub body: types::UserUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `updateUser` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateUserError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    UserNotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for UpdateUserError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "updateUser";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::USER_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Change a person's state
pub struct SetUserState;
impl OperationType for SetUserState {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "setUserState",
        method: "POST",
        path: "/admin/v1/users/{user_id}/state",
        tag: "users",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::UserNotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for SetUserState {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`user_id` of `setUserState`.
pub struct SetUserStateUserIdParam;
impl Parameter for SetUserStateUserIdParam {
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
/// Change a person's state
#[derive(Debug)]
pub struct SetUserStateRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
    pub body: types::UserStateChange,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `setUserState` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetUserStateError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    UserNotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for SetUserStateError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "setUserState";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::USER_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Force a person to sign in again
pub struct LogoutUser;
impl OperationType for LogoutUser {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "logoutUser",
        method: "POST",
        path: "/admin/v1/users/{user_id}/logout",
        tag: "users",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::UserNotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for LogoutUser {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`user_id` of `logoutUser`.
pub struct LogoutUserUserIdParam;
impl Parameter for LogoutUserUserIdParam {
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
/// Force a person to sign in again
#[derive(Debug)]
pub struct LogoutUserRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
}
///How `logoutUser` succeeds.
#[derive(Debug)]
pub enum LogoutUserSuccess {
    /// Everything has ended.
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
                    status: 200,
                    description: "Everything has ended.",
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogoutUserError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    UserNotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for LogoutUserError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "logoutUser";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::USER_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Block an app
pub struct BlockApp;
impl OperationType for BlockApp {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "blockApp",
        method: "PUT",
        path: "/admin/v1/users/{user_id}/app_blocks/{app_id}",
        tag: "users",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::UserNotFound,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for BlockApp {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`user_id` of `blockApp`.
pub struct BlockAppUserIdParam;
impl Parameter for BlockAppUserIdParam {
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
///`app_id` of `blockApp`.
pub struct BlockAppAppIdParam;
impl Parameter for BlockAppAppIdParam {
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
/// Block an app
#[derive(Debug)]
pub struct BlockAppRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
    /// Id of an app (`app_`).
    pub app_id: String,
}
///How `blockApp` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockAppError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    UserNotFound,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for BlockAppError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "blockApp";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::USER_OR_OTHER_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Unblock an app
pub struct UnblockApp;
impl OperationType for UnblockApp {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "unblockApp",
        method: "DELETE",
        path: "/admin/v1/users/{user_id}/app_blocks/{app_id}",
        tag: "users",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::UserNotFound,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for UnblockApp {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`user_id` of `unblockApp`.
pub struct UnblockAppUserIdParam;
impl Parameter for UnblockAppUserIdParam {
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
///`app_id` of `unblockApp`.
pub struct UnblockAppAppIdParam;
impl Parameter for UnblockAppAppIdParam {
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
/// Unblock an app
#[derive(Debug)]
pub struct UnblockAppRequest {
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
    /// Id of an app (`app_`).
    pub app_id: String,
}
///How `unblockApp` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnblockAppError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    UserNotFound,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for UnblockAppError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "unblockApp";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::USER_OR_OTHER_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List conversations
pub struct ListConversations;
impl OperationType for ListConversations {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listConversations",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/conversations",
        tag: "conversations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListConversations {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `listConversations`.
pub struct ListConversationsWorkspaceIdParam;
impl Parameter for ListConversationsWorkspaceIdParam {
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
///`limit` of `listConversations`.
pub struct ListConversationsLimitParam;
impl Parameter for ListConversationsLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listConversations`.
pub struct ListConversationsCursorParam;
impl Parameter for ListConversationsCursorParam {
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
/// List conversations
#[derive(Debug)]
pub struct ListConversationsRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listConversations` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListConversationsError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListConversationsError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listConversations";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Create a conversation
pub struct CreateConversation;
impl OperationType for CreateConversation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createConversation",
        method: "POST",
        path: "/admin/v1/workspaces/{workspace_id}/conversations",
        tag: "conversations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &["member_ids"],
        }),
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::ConversationNotFound,
            Code::UserNotFound,
            Code::NotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for CreateConversation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `createConversation`.
pub struct CreateConversationWorkspaceIdParam;
impl Parameter for CreateConversationWorkspaceIdParam {
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
/// Create a conversation
#[derive(Debug)]
pub struct CreateConversationRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    pub body: types::ConversationCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `createConversation` succeeds.
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
                    status: 201,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateConversationError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    ConversationNotFound,
    UserNotFound,
    NotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for CreateConversationError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "createConversation";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        ReplyDoc {
            status: 404,
            description: "No such company, group or person.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[
                ("X-Request-Id", shared::HEADER_REQUEST_ID),
                ("Cache-Control", shared::HEADER_CACHE_CONTROL),
            ],
        },
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::ConversationNotFound => Code::ConversationNotFound,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Read one conversation
pub struct GetConversation;
impl OperationType for GetConversation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "getConversation",
        method: "GET",
        path: "/admin/v1/conversations/{conversation_id}",
        tag: "conversations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::ConversationNotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for GetConversation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`conversation_id` of `getConversation`.
pub struct GetConversationConversationIdParam;
impl Parameter for GetConversationConversationIdParam {
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
/// Read one conversation
#[derive(Debug)]
pub struct GetConversationRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
}
///How `getConversation` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetConversationError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    ConversationNotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for GetConversationError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "getConversation";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::CONVERSATION_NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
            Self::ConversationNotFound => Code::ConversationNotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Delete a conversation
pub struct DeleteConversation;
impl OperationType for DeleteConversation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteConversation",
        method: "DELETE",
        path: "/admin/v1/conversations/{conversation_id}",
        tag: "conversations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::ConversationNotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for DeleteConversation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`conversation_id` of `deleteConversation`.
pub struct DeleteConversationConversationIdParam;
impl Parameter for DeleteConversationConversationIdParam {
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
/// Delete a conversation
#[derive(Debug)]
pub struct DeleteConversationRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
}
///How `deleteConversation` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteConversationError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    ConversationNotFound,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for DeleteConversationError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "deleteConversation";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::CONVERSATION_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::ConversationNotFound => Code::ConversationNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Change a conversation
pub struct UpdateConversation;
impl OperationType for UpdateConversation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateConversation",
        method: "PATCH",
        path: "/admin/v1/conversations/{conversation_id}",
        tag: "conversations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::ConversationNotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for UpdateConversation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`conversation_id` of `updateConversation`.
pub struct UpdateConversationConversationIdParam;
impl Parameter for UpdateConversationConversationIdParam {
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
/// Change a conversation
#[derive(Debug)]
pub struct UpdateConversationRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    pub body: types::ConversationUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `updateConversation` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateConversationError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    ConversationNotFound,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for UpdateConversationError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "updateConversation";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::CONVERSATION_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::ConversationNotFound => Code::ConversationNotFound,
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
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::Forbidden => Some(Self::Forbidden),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List the members of a conversation
pub struct ListMembers;
impl OperationType for ListMembers {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listMembers",
        method: "GET",
        path: "/admin/v1/conversations/{conversation_id}/members",
        tag: "conversations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotInConversation,
            Code::ConversationNotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListMembers {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`conversation_id` of `listMembers`.
pub struct ListMembersConversationIdParam;
impl Parameter for ListMembersConversationIdParam {
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
///`limit` of `listMembers`.
pub struct ListMembersLimitParam;
impl Parameter for ListMembersLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listMembers`.
pub struct ListMembersCursorParam;
impl Parameter for ListMembersCursorParam {
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
/// List the members of a conversation
#[derive(Debug)]
pub struct ListMembersRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listMembers` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListMembersError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotInConversation,
    ConversationNotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListMembersError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listMembers";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::MEMBERS_FORBIDDEN,
        shared::CONVERSATION_NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotInConversation => Some(Self::NotInConversation),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Add a member
pub struct AddMember;
impl OperationType for AddMember {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "addMember",
        method: "PUT",
        path: "/admin/v1/conversations/{conversation_id}/members/{user_id}",
        tag: "conversations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::ConversationNotFound,
            Code::UserNotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for AddMember {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`conversation_id` of `addMember`.
pub struct AddMemberConversationIdParam;
impl Parameter for AddMemberConversationIdParam {
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
///`user_id` of `addMember`.
pub struct AddMemberUserIdParam;
impl Parameter for AddMemberUserIdParam {
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
/// Add a member
#[derive(Debug)]
pub struct AddMemberRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
}
///How `addMember` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddMemberError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    ConversationNotFound,
    UserNotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for AddMemberError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "addMember";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::CONVERSATION_OR_USER_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::ConversationNotFound => Code::ConversationNotFound,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Remove a member
pub struct RemoveMember;
impl OperationType for RemoveMember {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "removeMember",
        method: "DELETE",
        path: "/admin/v1/conversations/{conversation_id}/members/{user_id}",
        tag: "conversations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::ConversationNotFound,
            Code::UserNotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for RemoveMember {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`conversation_id` of `removeMember`.
pub struct RemoveMemberConversationIdParam;
impl Parameter for RemoveMemberConversationIdParam {
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
///`user_id` of `removeMember`.
pub struct RemoveMemberUserIdParam;
impl Parameter for RemoveMemberUserIdParam {
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
/// Remove a member
#[derive(Debug)]
pub struct RemoveMemberRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    /// Id of a person or a bot user (`usr_`).
    pub user_id: String,
}
///How `removeMember` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoveMemberError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    ConversationNotFound,
    UserNotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for RemoveMemberError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "removeMember";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::CONVERSATION_OR_USER_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::ConversationNotFound => Code::ConversationNotFound,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Read the messages of a conversation
pub struct ListMessages;
impl OperationType for ListMessages {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listMessages",
        method: "GET",
        path: "/admin/v1/conversations/{conversation_id}/messages",
        tag: "messages",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::ConversationNotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListMessages {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`conversation_id` of `listMessages`.
pub struct ListMessagesConversationIdParam;
impl Parameter for ListMessagesConversationIdParam {
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
///`limit` of `listMessages`.
pub struct ListMessagesLimitParam;
impl Parameter for ListMessagesLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listMessages`.
pub struct ListMessagesCursorParam;
impl Parameter for ListMessagesCursorParam {
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
/// Read the messages of a conversation
#[derive(Debug)]
pub struct ListMessagesRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listMessages` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListMessagesError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    ConversationNotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListMessagesError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listMessages";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::CONVERSATION_NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Post a message
pub struct CreateMessage;
impl OperationType for CreateMessage {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createMessage",
        method: "POST",
        path: "/admin/v1/conversations/{conversation_id}/messages",
        tag: "messages",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &["file_ids"],
        }),
        credentials: &[Credential::Operator, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotInConversation,
            Code::NotAllowedInConversation,
            Code::ConversationNotFound,
            Code::UserNotFound,
            Code::FileNotFound,
            Code::NotAcceptable,
            Code::ConversationArchived,
            Code::UserDeactivated,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for CreateMessage {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`conversation_id` of `createMessage`.
pub struct CreateMessageConversationIdParam;
impl Parameter for CreateMessageConversationIdParam {
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
///`X-Acting-User` of `createMessage`.
pub struct CreateMessageXActingUserParam;
impl Parameter for CreateMessageXActingUserParam {
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
/// Post a message
#[derive(Debug)]
pub struct CreateMessageRequest {
    /// Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
    pub conversation_id: String,
    /// The person an operator key acts for, of the company concerned (otherwise 404 `user_not_found`). Ignored with a session.
    pub x_acting_user: Option<String>,
    pub body: types::MessageCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `createMessage` succeeds.
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
                    status: 201,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateMessageError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotInConversation,
    NotAllowedInConversation,
    ConversationNotFound,
    UserNotFound,
    FileNotFound,
    NotAcceptable,
    ConversationArchived,
    UserDeactivated,
    Conflict,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for CreateMessageError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "createMessage";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::POSTING_FORBIDDEN,
        ReplyDoc {
            status: 404,
            description: "No such conversation, person or file.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[
                ("X-Request-Id", shared::HEADER_REQUEST_ID),
                ("Cache-Control", shared::HEADER_CACHE_CONTROL),
            ],
        },
        shared::NOT_ACCEPTABLE,
        ReplyDoc {
            status: 409,
            description: "The conversation, the sender or the client key does not allow it.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[
                ("X-Request-Id", shared::HEADER_REQUEST_ID),
                ("Cache-Control", shared::HEADER_CACHE_CONTROL),
            ],
        },
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotInConversation => Code::NotInConversation,
            Self::NotAllowedInConversation => Code::NotAllowedInConversation,
            Self::ConversationNotFound => Code::ConversationNotFound,
            Self::UserNotFound => Code::UserNotFound,
            Self::FileNotFound => Code::FileNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::ConversationArchived => Code::ConversationArchived,
            Self::UserDeactivated => Code::UserDeactivated,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotInConversation => Some(Self::NotInConversation),
            Code::NotAllowedInConversation => Some(Self::NotAllowedInConversation),
            Code::ConversationNotFound => Some(Self::ConversationNotFound),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::FileNotFound => Some(Self::FileNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::ConversationArchived => Some(Self::ConversationArchived),
            Code::UserDeactivated => Some(Self::UserDeactivated),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Delete a message
pub struct DeleteMessage;
impl OperationType for DeleteMessage {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteMessage",
        method: "DELETE",
        path: "/admin/v1/messages/{message_id}",
        tag: "messages",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::MessageNotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for DeleteMessage {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`message_id` of `deleteMessage`.
pub struct DeleteMessageMessageIdParam;
impl Parameter for DeleteMessageMessageIdParam {
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
/// Delete a message
#[derive(Debug)]
pub struct DeleteMessageRequest {
    /// Id of a message (`gmsg_` or `dmsg_`).
    pub message_id: String,
}
///How `deleteMessage` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteMessageError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    MessageNotFound,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for DeleteMessageError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "deleteMessage";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::MESSAGE_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::MessageNotFound => Code::MessageNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::MessageNotFound => Some(Self::MessageNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Edit a person's message
pub struct UpdateMessage;
impl OperationType for UpdateMessage {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateMessage",
        method: "PATCH",
        path: "/admin/v1/messages/{message_id}",
        tag: "messages",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotInConversation,
            Code::NotAllowedInConversation,
            Code::MessageNotFound,
            Code::NotAcceptable,
            Code::ConversationArchived,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for UpdateMessage {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`message_id` of `updateMessage`.
pub struct UpdateMessageMessageIdParam;
impl Parameter for UpdateMessageMessageIdParam {
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
/// Edit a person's message
#[derive(Debug)]
pub struct UpdateMessageRequest {
    /// Id of a message (`gmsg_` or `dmsg_`).
    pub message_id: String,
    pub body: types::MessageUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `updateMessage` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateMessageError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotInConversation,
    NotAllowedInConversation,
    MessageNotFound,
    NotAcceptable,
    ConversationArchived,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for UpdateMessageError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "updateMessage";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::POSTING_FORBIDDEN,
        shared::MESSAGE_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONVERSATION_ARCHIVED,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotInConversation => Code::NotInConversation,
            Self::NotAllowedInConversation => Code::NotAllowedInConversation,
            Self::MessageNotFound => Code::MessageNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::ConversationArchived => Code::ConversationArchived,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotInConversation => Some(Self::NotInConversation),
            Code::NotAllowedInConversation => Some(Self::NotAllowedInConversation),
            Code::MessageNotFound => Some(Self::MessageNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::ConversationArchived => Some(Self::ConversationArchived),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Click a button of a bot's message
pub struct CreateInteraction;
impl OperationType for CreateInteraction {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createInteraction",
        method: "POST",
        path: "/admin/v1/messages/{message_id}/interactions",
        tag: "messages",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: true,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::MessageNotFound,
            Code::UserNotFound,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for CreateInteraction {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`message_id` of `createInteraction`.
pub struct CreateInteractionMessageIdParam;
impl Parameter for CreateInteractionMessageIdParam {
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
/// Click a button of a bot's message
#[derive(Debug)]
pub struct CreateInteractionRequest {
    /// Id of a message (`gmsg_` or `dmsg_`).
    pub message_id: String,
    pub body: types::InteractionCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `createInteraction` succeeds.
#[derive(Debug)]
pub enum CreateInteractionSuccess {
    /// The event is on its way.
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
                    status: 202,
                    description: "The event is on its way.",
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateInteractionError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    MessageNotFound,
    UserNotFound,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for CreateInteractionError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "createInteraction";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        ReplyDoc {
            status: 404,
            description: "No such message or person, or not a sandbox.",
            schema: Some(<types::ErrorEnvelope as Described>::schema),
            headers: &[
                ("X-Request-Id", shared::HEADER_REQUEST_ID),
                ("Cache-Control", shared::HEADER_CACHE_CONTROL),
            ],
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
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::MessageNotFound => Code::MessageNotFound,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotFound => Code::NotFound,
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
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::Forbidden => Some(Self::Forbidden),
            Code::MessageNotFound => Some(Self::MessageNotFound),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Upload a file
pub struct UploadFile;
impl OperationType for UploadFile {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "uploadFile",
        method: "POST",
        path: "/admin/v1/workspaces/{workspace_id}/files",
        tag: "files",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["*/*"],
            required: true,
            description: Some(
                "The content, of any media type. A body over the server's file limit is 413.",
            ),
            lists: &[],
        }),
        credentials: &[Credential::Operator, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: true,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::UserNotFound,
            Code::NotFound,
            Code::NotAcceptable,
            Code::UserDeactivated,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for UploadFile {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `uploadFile`.
pub struct UploadFileWorkspaceIdParam;
impl Parameter for UploadFileWorkspaceIdParam {
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
///`name` of `uploadFile`.
pub struct UploadFileNameParam;
impl Parameter for UploadFileNameParam {
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
///`X-Acting-User` of `uploadFile`.
pub struct UploadFileXActingUserParam;
impl Parameter for UploadFileXActingUserParam {
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
/// Upload a file
#[derive(Debug)]
pub struct UploadFileRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// File name, as people will see it.
    pub name: String,
    /// The person an operator key acts for, of the company concerned (otherwise 404 `user_not_found`). Ignored with a session.
    pub x_acting_user: Option<String>,
    /// The request itself; its body is not read yet.
    pub raw: RawRequest,
}
///How `uploadFile` succeeds.
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
                    status: 201,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadFileError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    UserNotFound,
    NotFound,
    NotAcceptable,
    UserDeactivated,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for UploadFileError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "uploadFile";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::USER_OR_OTHER_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::USER_DEACTIVATED,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::UserDeactivated => Code::UserDeactivated,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::UserDeactivated => Some(Self::UserDeactivated),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Delete a file
pub struct DeleteFile;
impl OperationType for DeleteFile {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteFile",
        method: "DELETE",
        path: "/admin/v1/files/{file_id}",
        tag: "files",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::FileNotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for DeleteFile {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`file_id` of `deleteFile`.
pub struct DeleteFileFileIdParam;
impl Parameter for DeleteFileFileIdParam {
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
/// Delete a file
#[derive(Debug)]
pub struct DeleteFileRequest {
    /// Id of a file (`fil_`).
    pub file_id: String,
}
///How `deleteFile` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteFileError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    FileNotFound,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for DeleteFileError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "deleteFile";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::FILE_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::FileNotFound => Code::FileNotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::FileNotFound => Some(Self::FileNotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List apps
pub struct ListApps;
impl OperationType for ListApps {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listApps",
        method: "GET",
        path: "/admin/v1/apps",
        tag: "apps",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListApps {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`limit` of `listApps`.
pub struct ListAppsLimitParam;
impl Parameter for ListAppsLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listApps`.
pub struct ListAppsCursorParam;
impl Parameter for ListAppsCursorParam {
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
/// List apps
#[derive(Debug)]
pub struct ListAppsRequest {
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listApps` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListAppsError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListAppsError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listApps";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
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
            Self::Forbidden => Code::Forbidden,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Register an app
pub struct CreateApp;
impl OperationType for CreateApp {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createApp",
        method: "POST",
        path: "/admin/v1/apps",
        tag: "apps",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &["redirect_uris", "scopes"],
        }),
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for CreateApp {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Register an app
#[derive(Debug)]
pub struct CreateAppRequest {
    pub body: types::AppCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `createApp` succeeds.
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
                    status: 201,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateAppError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for CreateAppError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "createApp";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
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
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Read one app
pub struct GetApp;
impl OperationType for GetApp {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "getApp",
        method: "GET",
        path: "/admin/v1/apps/{app_id}",
        tag: "apps",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for GetApp {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`app_id` of `getApp`.
pub struct GetAppAppIdParam;
impl Parameter for GetAppAppIdParam {
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
/// Read one app
#[derive(Debug)]
pub struct GetAppRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
}
///How `getApp` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetAppError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for GetAppError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "getApp";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Change an app
pub struct UpdateApp;
impl OperationType for UpdateApp {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateApp",
        method: "PATCH",
        path: "/admin/v1/apps/{app_id}",
        tag: "apps",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &["redirect_uris", "scopes"],
        }),
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for UpdateApp {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`app_id` of `updateApp`.
pub struct UpdateAppAppIdParam;
impl Parameter for UpdateAppAppIdParam {
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
/// Change an app
#[derive(Debug)]
pub struct UpdateAppRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    pub body: types::AppUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `updateApp` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateAppError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for UpdateAppError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "updateApp";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Replace a secret
pub struct RotateSecret;
impl OperationType for RotateSecret {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "rotateSecret",
        method: "POST",
        path: "/admin/v1/apps/{app_id}/rotate",
        tag: "apps",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for RotateSecret {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`app_id` of `rotateSecret`.
pub struct RotateSecretAppIdParam;
impl Parameter for RotateSecretAppIdParam {
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
/// Replace a secret
#[derive(Debug)]
pub struct RotateSecretRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    pub body: types::SecretRotate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `rotateSecret` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotateSecretError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for RotateSecretError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "rotateSecret";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List event deliveries
pub struct ListDeliveries;
impl OperationType for ListDeliveries {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listDeliveries",
        method: "GET",
        path: "/admin/v1/apps/{app_id}/deliveries",
        tag: "events",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListDeliveries {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`app_id` of `listDeliveries`.
pub struct ListDeliveriesAppIdParam;
impl Parameter for ListDeliveriesAppIdParam {
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
///`state` of `listDeliveries`.
pub struct ListDeliveriesStateParam;
impl Parameter for ListDeliveriesStateParam {
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
///`type` of `listDeliveries`.
pub struct ListDeliveriesTypeParam;
impl Parameter for ListDeliveriesTypeParam {
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
///`installation_id` of `listDeliveries`.
pub struct ListDeliveriesInstallationIdParam;
impl Parameter for ListDeliveriesInstallationIdParam {
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
///`event_id` of `listDeliveries`.
pub struct ListDeliveriesEventIdParam;
impl Parameter for ListDeliveriesEventIdParam {
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
///`since` of `listDeliveries`.
pub struct ListDeliveriesSinceParam;
impl Parameter for ListDeliveriesSinceParam {
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
///`until` of `listDeliveries`.
pub struct ListDeliveriesUntilParam;
impl Parameter for ListDeliveriesUntilParam {
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
///`order` of `listDeliveries`.
pub struct ListDeliveriesOrderParam;
impl Parameter for ListDeliveriesOrderParam {
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
///`limit` of `listDeliveries`.
pub struct ListDeliveriesLimitParam;
impl Parameter for ListDeliveriesLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listDeliveries`.
pub struct ListDeliveriesCursorParam;
impl Parameter for ListDeliveriesCursorParam {
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
/// List event deliveries
#[derive(Debug)]
pub struct ListDeliveriesRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    /// Only entries in this state.
    pub state: Option<types::DeliveryState>,
    /// Only events of this type.
    pub r#type: Option<types::EventType>,
    /// Only events of this installation. An unknown id gives an empty page.
    pub installation_id: Option<String>,
    /// Only this event. An unknown id gives an empty page.
    pub event_id: Option<String>,
    /// Only attempts begun, or events created, at this time or later.
    pub since: Option<Timestamp>,
    /// Only attempts begun, or events created, before this time.
    pub until: Option<Timestamp>,
    /// `newest`, the default: newest first. `ingested`: in the order in which entries were written, oldest first, and without other filters (400 otherwise). Then `next_cursor` is never null: a page that is not full ends where the log ends now, and its cursor goes on from there later. Whoever goes on with it misses no entry, also where several nodes write.
    pub order: Option<types::LogOrder>,
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listDeliveries` succeeds.
#[derive(Debug)]
pub enum ListDeliveriesSuccess {
    /// One page of attempts.
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
                    status: 200,
                    description: "One page of attempts.",
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListDeliveriesError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListDeliveriesError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listDeliveries";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Deliver an event again
pub struct RedeliverEvent;
impl OperationType for RedeliverEvent {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "redeliverEvent",
        method: "POST",
        path: "/admin/v1/apps/{app_id}/events/{event_id}/redeliver",
        tag: "events",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for RedeliverEvent {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`app_id` of `redeliverEvent`.
pub struct RedeliverEventAppIdParam;
impl Parameter for RedeliverEventAppIdParam {
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
///`event_id` of `redeliverEvent`.
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
/// Deliver an event again
#[derive(Debug)]
pub struct RedeliverEventRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    /// Id of an event (`evt_`).
    pub event_id: String,
}
///How `redeliverEvent` succeeds.
#[derive(Debug)]
pub enum RedeliverEventSuccess {
    /// The event is on its way.
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
                    status: 202,
                    description: "The event is on its way.",
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedeliverEventError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for RedeliverEventError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "redeliverEvent";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Deliver events again
pub struct RedeliverEvents;
impl OperationType for RedeliverEvents {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "redeliverEvents",
        method: "POST",
        path: "/admin/v1/apps/{app_id}/redeliver",
        tag: "events",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for RedeliverEvents {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`app_id` of `redeliverEvents`.
pub struct RedeliverEventsAppIdParam;
impl Parameter for RedeliverEventsAppIdParam {
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
/// Deliver events again
#[derive(Debug)]
pub struct RedeliverEventsRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    pub body: types::RedeliverRequest,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `redeliverEvents` succeeds.
#[derive(Debug)]
pub enum RedeliverEventsSuccess {
    /// The events are on their way.
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
                    status: 202,
                    description: "The events are on their way.",
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedeliverEventsError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for RedeliverEventsError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "redeliverEvents";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Send a test event
pub struct CreateTestEvent;
impl OperationType for CreateTestEvent {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createTestEvent",
        method: "POST",
        path: "/admin/v1/apps/{app_id}/test_events",
        tag: "events",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: true,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for CreateTestEvent {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`app_id` of `createTestEvent`.
pub struct CreateTestEventAppIdParam;
impl Parameter for CreateTestEventAppIdParam {
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
/// Send a test event
#[derive(Debug)]
pub struct CreateTestEventRequest {
    /// Id of an app (`app_`).
    pub app_id: String,
    pub body: types::TestEventCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `createTestEvent` succeeds.
#[derive(Debug)]
pub enum CreateTestEventSuccess {
    /// The event is on its way.
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
                    status: 202,
                    description: "The event is on its way.",
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateTestEventError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for CreateTestEventError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "createTestEvent";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List installations
pub struct ListInstallations;
impl OperationType for ListInstallations {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listInstallations",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/installations",
        tag: "installations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListInstallations {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `listInstallations`.
pub struct ListInstallationsWorkspaceIdParam;
impl Parameter for ListInstallationsWorkspaceIdParam {
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
///`limit` of `listInstallations`.
pub struct ListInstallationsLimitParam;
impl Parameter for ListInstallationsLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listInstallations`.
pub struct ListInstallationsCursorParam;
impl Parameter for ListInstallationsCursorParam {
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
/// List installations
#[derive(Debug)]
pub struct ListInstallationsRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listInstallations` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListInstallationsError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListInstallationsError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listInstallations";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Approve an installation
pub struct CreateInstallation;
impl OperationType for CreateInstallation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "createInstallation",
        method: "POST",
        path: "/admin/v1/workspaces/{workspace_id}/installations",
        tag: "installations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &["scopes"],
        }),
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::UserNotFound,
            Code::NotFound,
            Code::NotAcceptable,
            Code::Conflict,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for CreateInstallation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `createInstallation`.
pub struct CreateInstallationWorkspaceIdParam;
impl Parameter for CreateInstallationWorkspaceIdParam {
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
///`X-Acting-User` of `createInstallation`.
pub struct CreateInstallationXActingUserParam;
impl Parameter for CreateInstallationXActingUserParam {
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
/// Approve an installation
#[derive(Debug)]
pub struct CreateInstallationRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// The person an operator key acts for, of the company concerned (otherwise 404 `user_not_found`). Ignored with a session.
    pub x_acting_user: Option<String>,
    pub body: types::InstallationCreate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `createInstallation` succeeds.
#[derive(Debug)]
pub enum CreateInstallationSuccess {
    /// The authorization code, good for one exchange.
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
                    status: 201,
                    description: "The authorization code, good for one exchange.",
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateInstallationError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    UserNotFound,
    NotFound,
    NotAcceptable,
    Conflict,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for CreateInstallationError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "createInstallation";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::USER_OR_OTHER_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::CONFLICT,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::Conflict => Code::Conflict,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
            Self::UnsupportedMediaType => Code::UnsupportedMediaType,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::Conflict => Some(Self::Conflict),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Uninstall an app
pub struct DeleteInstallation;
impl OperationType for DeleteInstallation {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteInstallation",
        method: "DELETE",
        path: "/admin/v1/installations/{installation_id}",
        tag: "installations",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::UserNotFound,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for DeleteInstallation {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`installation_id` of `deleteInstallation`.
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
///`X-Acting-User` of `deleteInstallation`.
pub struct DeleteInstallationXActingUserParam;
impl Parameter for DeleteInstallationXActingUserParam {
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
/// Uninstall an app
#[derive(Debug)]
pub struct DeleteInstallationRequest {
    /// Id of an installation (`ins_`).
    pub installation_id: String,
    /// The person an operator key acts for, of the company concerned (otherwise 404 `user_not_found`). Ignored with a session.
    pub x_acting_user: Option<String>,
}
///How `deleteInstallation` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteInstallationError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    UserNotFound,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for DeleteInstallationError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "deleteInstallation";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::USER_OR_OTHER_NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::UserNotFound => Code::UserNotFound,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::UserNotFound => Some(Self::UserNotFound),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List assistant connections
pub struct ListConnections;
impl OperationType for ListConnections {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listConnections",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/connections",
        tag: "connections",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListConnections {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `listConnections`.
pub struct ListConnectionsWorkspaceIdParam;
impl Parameter for ListConnectionsWorkspaceIdParam {
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
///`user_id` of `listConnections`.
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
///`state` of `listConnections`.
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
///`limit` of `listConnections`.
pub struct ListConnectionsLimitParam;
impl Parameter for ListConnectionsLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listConnections`.
pub struct ListConnectionsCursorParam;
impl Parameter for ListConnectionsCursorParam {
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
/// List assistant connections
#[derive(Debug)]
pub struct ListConnectionsRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Only connections of this employee. An unknown id gives an empty page.
    pub user_id: Option<String>,
    /// Only connections in this state.
    pub state: Option<types::ConnectionState>,
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listConnections` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListConnectionsError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListConnectionsError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listConnections";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Revoke an assistant connection
pub struct DeleteConnection;
impl OperationType for DeleteConnection {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteConnection",
        method: "DELETE",
        path: "/admin/v1/connections/{connection_id}",
        tag: "connections",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for DeleteConnection {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`connection_id` of `deleteConnection`.
pub struct DeleteConnectionConnectionIdParam;
impl Parameter for DeleteConnectionConnectionIdParam {
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
/// Revoke an assistant connection
#[derive(Debug)]
pub struct DeleteConnectionRequest {
    /// Id of an assistant connection (`con_`).
    pub connection_id: String,
}
///How `deleteConnection` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteConnectionError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for DeleteConnectionError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "deleteConnection";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List blocked clients
pub struct ListClientBlocks;
impl OperationType for ListClientBlocks {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listClientBlocks",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/client_blocks",
        tag: "assistants",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListClientBlocks {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `listClientBlocks`.
pub struct ListClientBlocksWorkspaceIdParam;
impl Parameter for ListClientBlocksWorkspaceIdParam {
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
///`limit` of `listClientBlocks`.
pub struct ListClientBlocksLimitParam;
impl Parameter for ListClientBlocksLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listClientBlocks`.
pub struct ListClientBlocksCursorParam;
impl Parameter for ListClientBlocksCursorParam {
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
/// List blocked clients
#[derive(Debug)]
pub struct ListClientBlocksRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listClientBlocks` succeeds.
#[derive(Debug)]
pub enum ListClientBlocksSuccess {
    /// One page of blocked keys.
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
                    status: 200,
                    description: "One page of blocked keys.",
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListClientBlocksError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListClientBlocksError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listClientBlocks";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Block a client
pub struct PutClientBlock;
impl OperationType for PutClientBlock {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "putClientBlock",
        method: "PUT",
        path: "/admin/v1/workspaces/{workspace_id}/client_blocks/{key}",
        tag: "assistants",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for PutClientBlock {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `putClientBlock`.
pub struct PutClientBlockWorkspaceIdParam;
impl Parameter for PutClientBlockWorkspaceIdParam {
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
///`key` of `putClientBlock`.
pub struct PutClientBlockKeyParam;
impl Parameter for PutClientBlockKeyParam {
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
/// Block a client
#[derive(Debug)]
pub struct PutClientBlockRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Block key of assistant clients, percent-encoded. Capitals do not matter.
    pub key: String,
}
///How `putClientBlock` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutClientBlockError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for PutClientBlockError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "putClientBlock";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Unblock a client
pub struct DeleteClientBlock;
impl OperationType for DeleteClientBlock {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "deleteClientBlock",
        method: "DELETE",
        path: "/admin/v1/workspaces/{workspace_id}/client_blocks/{key}",
        tag: "assistants",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for DeleteClientBlock {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `deleteClientBlock`.
pub struct DeleteClientBlockWorkspaceIdParam;
impl Parameter for DeleteClientBlockWorkspaceIdParam {
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
///`key` of `deleteClientBlock`.
pub struct DeleteClientBlockKeyParam;
impl Parameter for DeleteClientBlockKeyParam {
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
/// Unblock a client
#[derive(Debug)]
pub struct DeleteClientBlockRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Block key of assistant clients, percent-encoded. Capitals do not matter.
    pub key: String,
}
///How `deleteClientBlock` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteClientBlockError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for DeleteClientBlockError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "deleteClientBlock";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List assistant clients
pub struct ListAssistantClients;
impl OperationType for ListAssistantClients {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listAssistantClients",
        method: "GET",
        path: "/admin/v1/assistant_clients",
        tag: "assistants",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListAssistantClients {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`limit` of `listAssistantClients`.
pub struct ListAssistantClientsLimitParam;
impl Parameter for ListAssistantClientsLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listAssistantClients`.
pub struct ListAssistantClientsCursorParam;
impl Parameter for ListAssistantClientsCursorParam {
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
/// List assistant clients
#[derive(Debug)]
pub struct ListAssistantClientsRequest {
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listAssistantClients` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListAssistantClientsError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListAssistantClientsError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listAssistantClients";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
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
            Self::Forbidden => Code::Forbidden,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// List tool calls of assistants
pub struct ListToolCalls;
impl OperationType for ListToolCalls {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "listToolCalls",
        method: "GET",
        path: "/admin/v1/workspaces/{workspace_id}/tool_calls",
        tag: "audit",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator, Credential::Admin, Credential::Person],
        limit: LimitRow::Admin,
        sandbox: false,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::InvalidCursor,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ListToolCalls {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
///`workspace_id` of `listToolCalls`.
pub struct ListToolCallsWorkspaceIdParam;
impl Parameter for ListToolCallsWorkspaceIdParam {
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
///`user_id` of `listToolCalls`.
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
///`client_id` of `listToolCalls`.
pub struct ListToolCallsClientIdParam;
impl Parameter for ListToolCallsClientIdParam {
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
///`connection_id` of `listToolCalls`.
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
///`tool` of `listToolCalls`.
pub struct ListToolCallsToolParam;
impl Parameter for ListToolCallsToolParam {
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
///`outcome` of `listToolCalls`.
pub struct ListToolCallsOutcomeParam;
impl Parameter for ListToolCallsOutcomeParam {
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
///`since` of `listToolCalls`.
pub struct ListToolCallsSinceParam;
impl Parameter for ListToolCallsSinceParam {
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
///`until` of `listToolCalls`.
pub struct ListToolCallsUntilParam;
impl Parameter for ListToolCallsUntilParam {
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
///`order` of `listToolCalls`.
pub struct ListToolCallsOrderParam;
impl Parameter for ListToolCallsOrderParam {
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
///`limit` of `listToolCalls`.
pub struct ListToolCallsLimitParam;
impl Parameter for ListToolCallsLimitParam {
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
            format: Some("int64"),
            minimum: Some(1.0),
            default: serde_json::from_str("200").ok(),
            ..MetaSchema::ANY
        }
    }
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> {
        Ok(value.unwrap_or_default().get())
    }
}
///`cursor` of `listToolCalls`.
pub struct ListToolCallsCursorParam;
impl Parameter for ListToolCallsCursorParam {
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
/// List tool calls of assistants
#[derive(Debug)]
pub struct ListToolCallsRequest {
    /// Id of a company (`cmp_`).
    pub workspace_id: String,
    /// Only calls for this employee. An unknown id gives an empty page.
    pub user_id: Option<String>,
    /// Only calls of this client. An unknown id gives an empty page.
    pub client_id: Option<String>,
    /// Only calls through this connection. An unknown or forgotten id gives an empty page.
    pub connection_id: Option<String>,
    /// Only calls of this tool. An unknown name gives an empty page.
    pub tool: Option<String>,
    /// Only calls that ended so.
    pub outcome: Option<types::ToolOutcome>,
    /// Only calls at this time or later.
    pub since: Option<Timestamp>,
    /// Only calls before this time.
    pub until: Option<Timestamp>,
    /// `newest`, the default: newest first. `ingested`: in the order in which entries were written, oldest first, and without other filters (400 otherwise). Then `next_cursor` is never null: a page that is not full ends where the log ends now, and its cursor goes on from there later. Whoever goes on with it misses no entry, also where several nodes write.
    pub order: Option<types::LogOrder>,
    /// Page size. Values above 1000 are clamped to 1000, not rejected.
    pub limit: u32,
    /// The previous page's `next_cursor`; omit it for the first page.
    pub cursor: Option<String>,
}
///How `listToolCalls` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListToolCallsError {
    InvalidRequest,
    InvalidCursor,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for ListToolCallsError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "listToolCalls";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_PAGE_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::NOT_FOUND,
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
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Read the clock
pub struct GetClock;
impl OperationType for GetClock {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "getClock",
        method: "GET",
        path: "/admin/v1/clock",
        tag: "sandbox",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: true,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for GetClock {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Read the clock
#[derive(Debug)]
pub struct GetClockRequest {}
///How `getClock` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetClockError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    RateLimited,
    InternalError,
}
impl ErrorCode for GetClockError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "getClock";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::SANDBOX_ONLY,
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
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Move the clock
pub struct UpdateClock;
impl OperationType for UpdateClock {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "updateClock",
        method: "POST",
        path: "/admin/v1/clock",
        tag: "sandbox",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: Some(BodyInfo {
            media_types: &["application/json"],
            required: true,
            description: None,
            lists: &[],
        }),
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: true,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for UpdateClock {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Move the clock
#[derive(Debug)]
pub struct UpdateClockRequest {
    pub body: types::ClockUpdate,
    /// The body as it was sent, with the members the document does not know.
    pub sent: serde_json::Value,
}
///How `updateClock` succeeds.
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
                    status: 200,
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateClockError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    InternalError,
}
impl ErrorCode for UpdateClockError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "updateClock";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::SANDBOX_ONLY,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::UNSUPPORTED_MEDIA_TYPE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
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
            Code::TokenInQuery => Some(Self::TokenInQuery),
            Code::NotAuthed => Some(Self::NotAuthed),
            Code::InvalidAuth => Some(Self::InvalidAuth),
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::UnsupportedMediaType => Some(Self::UnsupportedMediaType),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Reset the rate limits
pub struct ResetRateLimits;
impl OperationType for ResetRateLimits {
    const INFO: &'static OperationInfo = &OperationInfo {
        api: "admin",
        id: "resetRateLimits",
        method: "POST",
        path: "/admin/v1/rate_limits/reset",
        tag: "sandbox",
        dialect: Dialect::Envelope,
        schemes: &["credentials"],
        scopes: &[],
        required_headers: &[],
        body: None,
        credentials: &[Credential::Operator],
        limit: LimitRow::Admin,
        sandbox: true,
        raw: false,
        errors: &[
            Code::InvalidRequest,
            Code::TokenInQuery,
            Code::NotAuthed,
            Code::InvalidAuth,
            Code::Forbidden,
            Code::NotFound,
            Code::NotAcceptable,
            Code::PayloadTooLarge,
            Code::RateLimited,
            Code::InternalError,
        ],
    };
}
impl<H: Security> Guarded<H> for ResetRateLimits {
    type Principal = H::Credentials;
    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }
}
/// Reset the rate limits
#[derive(Debug)]
pub struct ResetRateLimitsRequest {}
///How `resetRateLimits` succeeds.
#[derive(Debug)]
pub enum ResetRateLimitsSuccess {
    /// Every limit starts afresh.
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
                    status: 200,
                    description: "Every limit starts afresh.",
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
/// The error codes that this operation documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetRateLimitsError {
    InvalidRequest,
    TokenInQuery,
    NotAuthed,
    InvalidAuth,
    Forbidden,
    NotFound,
    NotAcceptable,
    PayloadTooLarge,
    RateLimited,
    InternalError,
}
impl ErrorCode for ResetRateLimitsError {
    type Schema = types::ErrorEnvelope;
    const OPERATION: &'static str = "resetRateLimits";
    const REPLIES: &'static [ReplyDoc] = &[
        shared::BAD_REQUEST,
        shared::UNAUTHORIZED,
        shared::FORBIDDEN,
        shared::SANDBOX_ONLY,
        shared::NOT_ACCEPTABLE,
        shared::PAYLOAD_TOO_LARGE,
        shared::RATE_LIMITED,
        shared::INTERNAL_ERROR,
    ];
    fn code(self) -> Code {
        match self {
            Self::InvalidRequest => Code::InvalidRequest,
            Self::TokenInQuery => Code::TokenInQuery,
            Self::NotAuthed => Code::NotAuthed,
            Self::InvalidAuth => Code::InvalidAuth,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound => Code::NotFound,
            Self::NotAcceptable => Code::NotAcceptable,
            Self::PayloadTooLarge => Code::PayloadTooLarge,
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
            Code::Forbidden => Some(Self::Forbidden),
            Code::NotFound => Some(Self::NotFound),
            Code::NotAcceptable => Some(Self::NotAcceptable),
            Code::PayloadTooLarge => Some(Self::PayloadTooLarge),
            Code::RateLimited => Some(Self::RateLimited),
            Code::InternalError => Some(Self::InternalError),
            _ => None,
        }
    }
}
/// Sign in and out.
pub trait SessionsHandlers: Security {
    /// Sign in
    fn create_session(
        &self,
        request: CreateSessionRequest,
    ) -> impl Future<
        Output = Result<CreateSessionSuccess, Problem<CreateSessionError>>,
    > + Send;
    /// Sign out
    fn delete_session(
        &self,
        caller: Self::Credentials,
        request: DeleteSessionRequest,
    ) -> impl Future<
        Output = Result<DeleteSessionSuccess, Problem<DeleteSessionError>>,
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
        Output = Result<ListWorkspacesSuccess, Problem<ListWorkspacesError>>,
    > + Send;
    /// Create a company
    fn create_workspace(
        &self,
        caller: Self::Credentials,
        request: CreateWorkspaceRequest,
    ) -> impl Future<
        Output = Result<CreateWorkspaceSuccess, Problem<CreateWorkspaceError>>,
    > + Send;
    /// Read one company
    fn get_workspace(
        &self,
        caller: Self::Credentials,
        request: GetWorkspaceRequest,
    ) -> impl Future<
        Output = Result<GetWorkspaceSuccess, Problem<GetWorkspaceError>>,
    > + Send;
    /// Change a company
    fn update_workspace(
        &self,
        caller: Self::Credentials,
        request: UpdateWorkspaceRequest,
    ) -> impl Future<
        Output = Result<UpdateWorkspaceSuccess, Problem<UpdateWorkspaceError>>,
    > + Send;
}
/// People and bot users, their state, and the apps they block.
pub trait UsersHandlers: Security {
    /// List people and bots
    fn list_users(
        &self,
        caller: Self::Credentials,
        request: ListUsersRequest,
    ) -> impl Future<Output = Result<ListUsersSuccess, Problem<ListUsersError>>> + Send;
    /// Add a person
    fn create_user(
        &self,
        caller: Self::Credentials,
        request: CreateUserRequest,
    ) -> impl Future<
        Output = Result<CreateUserSuccess, Problem<CreateUserError>>,
    > + Send;
    /// Read one person
    fn get_user(
        &self,
        caller: Self::Credentials,
        request: GetUserRequest,
    ) -> impl Future<Output = Result<GetUserSuccess, Problem<GetUserError>>> + Send;
    /// Change a person
    fn update_user(
        &self,
        caller: Self::Credentials,
        request: UpdateUserRequest,
    ) -> impl Future<
        Output = Result<UpdateUserSuccess, Problem<UpdateUserError>>,
    > + Send;
    /// Change a person's state
    fn set_user_state(
        &self,
        caller: Self::Credentials,
        request: SetUserStateRequest,
    ) -> impl Future<
        Output = Result<SetUserStateSuccess, Problem<SetUserStateError>>,
    > + Send;
    /// Force a person to sign in again
    fn logout_user(
        &self,
        caller: Self::Credentials,
        request: LogoutUserRequest,
    ) -> impl Future<
        Output = Result<LogoutUserSuccess, Problem<LogoutUserError>>,
    > + Send;
    /// Block an app
    fn block_app(
        &self,
        caller: Self::Credentials,
        request: BlockAppRequest,
    ) -> impl Future<Output = Result<BlockAppSuccess, Problem<BlockAppError>>> + Send;
    /// Unblock an app
    fn unblock_app(
        &self,
        caller: Self::Credentials,
        request: UnblockAppRequest,
    ) -> impl Future<
        Output = Result<UnblockAppSuccess, Problem<UnblockAppError>>,
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
        Output = Result<ListConversationsSuccess, Problem<ListConversationsError>>,
    > + Send;
    /// Create a conversation
    fn create_conversation(
        &self,
        caller: Self::Credentials,
        request: CreateConversationRequest,
    ) -> impl Future<
        Output = Result<CreateConversationSuccess, Problem<CreateConversationError>>,
    > + Send;
    /// Read one conversation
    fn get_conversation(
        &self,
        caller: Self::Credentials,
        request: GetConversationRequest,
    ) -> impl Future<
        Output = Result<GetConversationSuccess, Problem<GetConversationError>>,
    > + Send;
    /// Delete a conversation
    fn delete_conversation(
        &self,
        caller: Self::Credentials,
        request: DeleteConversationRequest,
    ) -> impl Future<
        Output = Result<DeleteConversationSuccess, Problem<DeleteConversationError>>,
    > + Send;
    /// Change a conversation
    fn update_conversation(
        &self,
        caller: Self::Credentials,
        request: UpdateConversationRequest,
    ) -> impl Future<
        Output = Result<UpdateConversationSuccess, Problem<UpdateConversationError>>,
    > + Send;
    /// List the members of a conversation
    fn list_members(
        &self,
        caller: Self::Credentials,
        request: ListMembersRequest,
    ) -> impl Future<
        Output = Result<ListMembersSuccess, Problem<ListMembersError>>,
    > + Send;
    /// Add a member
    fn add_member(
        &self,
        caller: Self::Credentials,
        request: AddMemberRequest,
    ) -> impl Future<Output = Result<AddMemberSuccess, Problem<AddMemberError>>> + Send;
    /// Remove a member
    fn remove_member(
        &self,
        caller: Self::Credentials,
        request: RemoveMemberRequest,
    ) -> impl Future<
        Output = Result<RemoveMemberSuccess, Problem<RemoveMemberError>>,
    > + Send;
}
/// Messages of people and of the system, and the full view of every message.
pub trait MessagesHandlers: Security {
    /// Read the messages of a conversation
    fn list_messages(
        &self,
        caller: Self::Credentials,
        request: ListMessagesRequest,
    ) -> impl Future<
        Output = Result<ListMessagesSuccess, Problem<ListMessagesError>>,
    > + Send;
    /// Post a message
    fn create_message(
        &self,
        caller: Self::Credentials,
        request: CreateMessageRequest,
    ) -> impl Future<
        Output = Result<CreateMessageSuccess, Problem<CreateMessageError>>,
    > + Send;
    /// Delete a message
    fn delete_message(
        &self,
        caller: Self::Credentials,
        request: DeleteMessageRequest,
    ) -> impl Future<
        Output = Result<DeleteMessageSuccess, Problem<DeleteMessageError>>,
    > + Send;
    /// Edit a person's message
    fn update_message(
        &self,
        caller: Self::Credentials,
        request: UpdateMessageRequest,
    ) -> impl Future<
        Output = Result<UpdateMessageSuccess, Problem<UpdateMessageError>>,
    > + Send;
    /// Click a button of a bot's message
    fn create_interaction(
        &self,
        caller: Self::Credentials,
        request: CreateInteractionRequest,
    ) -> impl Future<
        Output = Result<CreateInteractionSuccess, Problem<CreateInteractionError>>,
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
        Output = Result<UploadFileSuccess, Problem<UploadFileError>>,
    > + Send;
    /// Delete a file
    fn delete_file(
        &self,
        caller: Self::Credentials,
        request: DeleteFileRequest,
    ) -> impl Future<
        Output = Result<DeleteFileSuccess, Problem<DeleteFileError>>,
    > + Send;
}
/// Registered apps and their secrets.
pub trait AppsHandlers: Security {
    /// List apps
    fn list_apps(
        &self,
        caller: Self::Credentials,
        request: ListAppsRequest,
    ) -> impl Future<Output = Result<ListAppsSuccess, Problem<ListAppsError>>> + Send;
    /// Register an app
    fn create_app(
        &self,
        caller: Self::Credentials,
        request: CreateAppRequest,
    ) -> impl Future<Output = Result<CreateAppSuccess, Problem<CreateAppError>>> + Send;
    /// Read one app
    fn get_app(
        &self,
        caller: Self::Credentials,
        request: GetAppRequest,
    ) -> impl Future<Output = Result<GetAppSuccess, Problem<GetAppError>>> + Send;
    /// Change an app
    fn update_app(
        &self,
        caller: Self::Credentials,
        request: UpdateAppRequest,
    ) -> impl Future<Output = Result<UpdateAppSuccess, Problem<UpdateAppError>>> + Send;
    /// Replace a secret
    fn rotate_secret(
        &self,
        caller: Self::Credentials,
        request: RotateSecretRequest,
    ) -> impl Future<
        Output = Result<RotateSecretSuccess, Problem<RotateSecretError>>,
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
        Output = Result<ListDeliveriesSuccess, Problem<ListDeliveriesError>>,
    > + Send;
    /// Deliver an event again
    fn redeliver_event(
        &self,
        caller: Self::Credentials,
        request: RedeliverEventRequest,
    ) -> impl Future<
        Output = Result<RedeliverEventSuccess, Problem<RedeliverEventError>>,
    > + Send;
    /// Deliver events again
    fn redeliver_events(
        &self,
        caller: Self::Credentials,
        request: RedeliverEventsRequest,
    ) -> impl Future<
        Output = Result<RedeliverEventsSuccess, Problem<RedeliverEventsError>>,
    > + Send;
    /// Send a test event
    fn create_test_event(
        &self,
        caller: Self::Credentials,
        request: CreateTestEventRequest,
    ) -> impl Future<
        Output = Result<CreateTestEventSuccess, Problem<CreateTestEventError>>,
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
        Output = Result<ListInstallationsSuccess, Problem<ListInstallationsError>>,
    > + Send;
    /// Approve an installation
    fn create_installation(
        &self,
        caller: Self::Credentials,
        request: CreateInstallationRequest,
    ) -> impl Future<
        Output = Result<CreateInstallationSuccess, Problem<CreateInstallationError>>,
    > + Send;
    /// Uninstall an app
    fn delete_installation(
        &self,
        caller: Self::Credentials,
        request: DeleteInstallationRequest,
    ) -> impl Future<
        Output = Result<DeleteInstallationSuccess, Problem<DeleteInstallationError>>,
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
        Output = Result<ListConnectionsSuccess, Problem<ListConnectionsError>>,
    > + Send;
    /// Revoke an assistant connection
    fn delete_connection(
        &self,
        caller: Self::Credentials,
        request: DeleteConnectionRequest,
    ) -> impl Future<
        Output = Result<DeleteConnectionSuccess, Problem<DeleteConnectionError>>,
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
        Output = Result<ListClientBlocksSuccess, Problem<ListClientBlocksError>>,
    > + Send;
    /// Block a client
    fn put_client_block(
        &self,
        caller: Self::Credentials,
        request: PutClientBlockRequest,
    ) -> impl Future<
        Output = Result<PutClientBlockSuccess, Problem<PutClientBlockError>>,
    > + Send;
    /// Unblock a client
    fn delete_client_block(
        &self,
        caller: Self::Credentials,
        request: DeleteClientBlockRequest,
    ) -> impl Future<
        Output = Result<DeleteClientBlockSuccess, Problem<DeleteClientBlockError>>,
    > + Send;
    /// List assistant clients
    fn list_assistant_clients(
        &self,
        caller: Self::Credentials,
        request: ListAssistantClientsRequest,
    ) -> impl Future<
        Output = Result<ListAssistantClientsSuccess, Problem<ListAssistantClientsError>>,
    > + Send;
}
/// What assistants did for employees.
pub trait AuditHandlers: Security {
    /// List tool calls of assistants
    fn list_tool_calls(
        &self,
        caller: Self::Credentials,
        request: ListToolCallsRequest,
    ) -> impl Future<
        Output = Result<ListToolCallsSuccess, Problem<ListToolCallsError>>,
    > + Send;
}
/// The test clock and the rate limits; absent in production.
pub trait SandboxHandlers: Security {
    /// Read the clock
    fn get_clock(
        &self,
        caller: Self::Credentials,
        request: GetClockRequest,
    ) -> impl Future<Output = Result<GetClockSuccess, Problem<GetClockError>>> + Send;
    /// Move the clock
    fn update_clock(
        &self,
        caller: Self::Credentials,
        request: UpdateClockRequest,
    ) -> impl Future<
        Output = Result<UpdateClockSuccess, Problem<UpdateClockError>>,
    > + Send;
    /// Reset the rate limits
    fn reset_rate_limits(
        &self,
        caller: Self::Credentials,
        request: ResetRateLimitsRequest,
    ) -> impl Future<
        Output = Result<ResetRateLimitsSuccess, Problem<ResetRateLimitsError>>,
    > + Send;
}
/// Everything a server of this document needs.
pub trait Handlers: SessionsHandlers + WorkspacesHandlers + UsersHandlers + ConversationsHandlers + MessagesHandlers + FilesHandlers + AppsHandlers + EventsHandlers + InstallationsHandlers + ConnectionsHandlers + AssistantsHandlers + AuditHandlers + SandboxHandlers {}
impl<
    T: SessionsHandlers + WorkspacesHandlers + UsersHandlers + ConversationsHandlers
        + MessagesHandlers + FilesHandlers + AppsHandlers + EventsHandlers
        + InstallationsHandlers + ConnectionsHandlers + AssistantsHandlers
        + AuditHandlers + SandboxHandlers,
> Handlers for T {}
/// Handlers that answer nothing: for the document of the routes alone.
#[cfg(test)]
pub struct Blank;
#[cfg(test)]
const _: () = {
    impl Door for Blank {}
    impl Security for Blank {
        type Credentials = Anyone;
    }
    impl SessionsHandlers for Blank {
        async fn create_session(
            &self,
            _: CreateSessionRequest,
        ) -> Result<CreateSessionSuccess, Problem<CreateSessionError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn delete_session(
            &self,
            _: Anyone,
            _: DeleteSessionRequest,
        ) -> Result<DeleteSessionSuccess, Problem<DeleteSessionError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl WorkspacesHandlers for Blank {
        async fn list_workspaces(
            &self,
            _: Anyone,
            _: ListWorkspacesRequest,
        ) -> Result<ListWorkspacesSuccess, Problem<ListWorkspacesError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn create_workspace(
            &self,
            _: Anyone,
            _: CreateWorkspaceRequest,
        ) -> Result<CreateWorkspaceSuccess, Problem<CreateWorkspaceError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn get_workspace(
            &self,
            _: Anyone,
            _: GetWorkspaceRequest,
        ) -> Result<GetWorkspaceSuccess, Problem<GetWorkspaceError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn update_workspace(
            &self,
            _: Anyone,
            _: UpdateWorkspaceRequest,
        ) -> Result<UpdateWorkspaceSuccess, Problem<UpdateWorkspaceError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl UsersHandlers for Blank {
        async fn list_users(
            &self,
            _: Anyone,
            _: ListUsersRequest,
        ) -> Result<ListUsersSuccess, Problem<ListUsersError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn create_user(
            &self,
            _: Anyone,
            _: CreateUserRequest,
        ) -> Result<CreateUserSuccess, Problem<CreateUserError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn get_user(
            &self,
            _: Anyone,
            _: GetUserRequest,
        ) -> Result<GetUserSuccess, Problem<GetUserError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn update_user(
            &self,
            _: Anyone,
            _: UpdateUserRequest,
        ) -> Result<UpdateUserSuccess, Problem<UpdateUserError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn set_user_state(
            &self,
            _: Anyone,
            _: SetUserStateRequest,
        ) -> Result<SetUserStateSuccess, Problem<SetUserStateError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn logout_user(
            &self,
            _: Anyone,
            _: LogoutUserRequest,
        ) -> Result<LogoutUserSuccess, Problem<LogoutUserError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn block_app(
            &self,
            _: Anyone,
            _: BlockAppRequest,
        ) -> Result<BlockAppSuccess, Problem<BlockAppError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn unblock_app(
            &self,
            _: Anyone,
            _: UnblockAppRequest,
        ) -> Result<UnblockAppSuccess, Problem<UnblockAppError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl ConversationsHandlers for Blank {
        async fn list_conversations(
            &self,
            _: Anyone,
            _: ListConversationsRequest,
        ) -> Result<ListConversationsSuccess, Problem<ListConversationsError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn create_conversation(
            &self,
            _: Anyone,
            _: CreateConversationRequest,
        ) -> Result<CreateConversationSuccess, Problem<CreateConversationError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn get_conversation(
            &self,
            _: Anyone,
            _: GetConversationRequest,
        ) -> Result<GetConversationSuccess, Problem<GetConversationError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn delete_conversation(
            &self,
            _: Anyone,
            _: DeleteConversationRequest,
        ) -> Result<DeleteConversationSuccess, Problem<DeleteConversationError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn update_conversation(
            &self,
            _: Anyone,
            _: UpdateConversationRequest,
        ) -> Result<UpdateConversationSuccess, Problem<UpdateConversationError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn list_members(
            &self,
            _: Anyone,
            _: ListMembersRequest,
        ) -> Result<ListMembersSuccess, Problem<ListMembersError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn add_member(
            &self,
            _: Anyone,
            _: AddMemberRequest,
        ) -> Result<AddMemberSuccess, Problem<AddMemberError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn remove_member(
            &self,
            _: Anyone,
            _: RemoveMemberRequest,
        ) -> Result<RemoveMemberSuccess, Problem<RemoveMemberError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl MessagesHandlers for Blank {
        async fn list_messages(
            &self,
            _: Anyone,
            _: ListMessagesRequest,
        ) -> Result<ListMessagesSuccess, Problem<ListMessagesError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn create_message(
            &self,
            _: Anyone,
            _: CreateMessageRequest,
        ) -> Result<CreateMessageSuccess, Problem<CreateMessageError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn delete_message(
            &self,
            _: Anyone,
            _: DeleteMessageRequest,
        ) -> Result<DeleteMessageSuccess, Problem<DeleteMessageError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn update_message(
            &self,
            _: Anyone,
            _: UpdateMessageRequest,
        ) -> Result<UpdateMessageSuccess, Problem<UpdateMessageError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn create_interaction(
            &self,
            _: Anyone,
            _: CreateInteractionRequest,
        ) -> Result<CreateInteractionSuccess, Problem<CreateInteractionError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl FilesHandlers for Blank {
        async fn upload_file(
            &self,
            _: Anyone,
            _: UploadFileRequest,
        ) -> Result<UploadFileSuccess, Problem<UploadFileError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn delete_file(
            &self,
            _: Anyone,
            _: DeleteFileRequest,
        ) -> Result<DeleteFileSuccess, Problem<DeleteFileError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl AppsHandlers for Blank {
        async fn list_apps(
            &self,
            _: Anyone,
            _: ListAppsRequest,
        ) -> Result<ListAppsSuccess, Problem<ListAppsError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn create_app(
            &self,
            _: Anyone,
            _: CreateAppRequest,
        ) -> Result<CreateAppSuccess, Problem<CreateAppError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn get_app(
            &self,
            _: Anyone,
            _: GetAppRequest,
        ) -> Result<GetAppSuccess, Problem<GetAppError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn update_app(
            &self,
            _: Anyone,
            _: UpdateAppRequest,
        ) -> Result<UpdateAppSuccess, Problem<UpdateAppError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn rotate_secret(
            &self,
            _: Anyone,
            _: RotateSecretRequest,
        ) -> Result<RotateSecretSuccess, Problem<RotateSecretError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl EventsHandlers for Blank {
        async fn list_deliveries(
            &self,
            _: Anyone,
            _: ListDeliveriesRequest,
        ) -> Result<ListDeliveriesSuccess, Problem<ListDeliveriesError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn redeliver_event(
            &self,
            _: Anyone,
            _: RedeliverEventRequest,
        ) -> Result<RedeliverEventSuccess, Problem<RedeliverEventError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn redeliver_events(
            &self,
            _: Anyone,
            _: RedeliverEventsRequest,
        ) -> Result<RedeliverEventsSuccess, Problem<RedeliverEventsError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn create_test_event(
            &self,
            _: Anyone,
            _: CreateTestEventRequest,
        ) -> Result<CreateTestEventSuccess, Problem<CreateTestEventError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl InstallationsHandlers for Blank {
        async fn list_installations(
            &self,
            _: Anyone,
            _: ListInstallationsRequest,
        ) -> Result<ListInstallationsSuccess, Problem<ListInstallationsError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn create_installation(
            &self,
            _: Anyone,
            _: CreateInstallationRequest,
        ) -> Result<CreateInstallationSuccess, Problem<CreateInstallationError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn delete_installation(
            &self,
            _: Anyone,
            _: DeleteInstallationRequest,
        ) -> Result<DeleteInstallationSuccess, Problem<DeleteInstallationError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl ConnectionsHandlers for Blank {
        async fn list_connections(
            &self,
            _: Anyone,
            _: ListConnectionsRequest,
        ) -> Result<ListConnectionsSuccess, Problem<ListConnectionsError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn delete_connection(
            &self,
            _: Anyone,
            _: DeleteConnectionRequest,
        ) -> Result<DeleteConnectionSuccess, Problem<DeleteConnectionError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl AssistantsHandlers for Blank {
        async fn list_client_blocks(
            &self,
            _: Anyone,
            _: ListClientBlocksRequest,
        ) -> Result<ListClientBlocksSuccess, Problem<ListClientBlocksError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn put_client_block(
            &self,
            _: Anyone,
            _: PutClientBlockRequest,
        ) -> Result<PutClientBlockSuccess, Problem<PutClientBlockError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn delete_client_block(
            &self,
            _: Anyone,
            _: DeleteClientBlockRequest,
        ) -> Result<DeleteClientBlockSuccess, Problem<DeleteClientBlockError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn list_assistant_clients(
            &self,
            _: Anyone,
            _: ListAssistantClientsRequest,
        ) -> Result<ListAssistantClientsSuccess, Problem<ListAssistantClientsError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl AuditHandlers for Blank {
        async fn list_tool_calls(
            &self,
            _: Anyone,
            _: ListToolCallsRequest,
        ) -> Result<ListToolCallsSuccess, Problem<ListToolCallsError>> {
            Err(Problem::internal("no handlers"))
        }
    }
    impl SandboxHandlers for Blank {
        async fn get_clock(
            &self,
            _: Anyone,
            _: GetClockRequest,
        ) -> Result<GetClockSuccess, Problem<GetClockError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn update_clock(
            &self,
            _: Anyone,
            _: UpdateClockRequest,
        ) -> Result<UpdateClockSuccess, Problem<UpdateClockError>> {
            Err(Problem::internal("no handlers"))
        }
        async fn reset_rate_limits(
            &self,
            _: Anyone,
            _: ResetRateLimitsRequest,
        ) -> Result<ResetRateLimitsSuccess, Problem<ResetRateLimitsError>> {
            Err(Problem::internal("no handlers"))
        }
    }
};
/// The routes of the document over hand-written handlers.
pub struct Server<H>(pub Arc<H>);
#[OpenApi]
impl<H: Handlers> Server<H> {
    /**Sign in

Starts a session for an account and lists the companies it speaks in: those that the password opens. A password that a company's admin set opens that company only, until the operator sets one. A wrong e-mail address, a wrong password and an account without a person who may sign in get the same answer. Only active and onboarding people are listed. Needs no credential; attempts are limited.*/
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
    ) -> Result<CreateSessionSuccess, Problem<CreateSessionError>> {
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
    ) -> Result<DeleteSessionSuccess, Problem<DeleteSessionError>> {
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
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListWorkspacesLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListWorkspacesCursorParam>,
    ) -> Result<ListWorkspacesSuccess, Problem<ListWorkspacesError>> {
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
    ) -> Result<CreateWorkspaceSuccess, Problem<CreateWorkspaceError>> {
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

The company with its settings. For the operator and its admins.*/
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
        workspace_id: Path<GetWorkspaceWorkspaceIdParam>,
    ) -> Result<GetWorkspaceSuccess, Problem<GetWorkspaceError>> {
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

Changes the given members. Turning `ai_assistants` off revokes every assistant connection of the company; turning it on again brings none back. For the operator and its admins.*/
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
        workspace_id: Path<UpdateWorkspaceWorkspaceIdParam>,
        body: Body<UpdateWorkspace, types::WorkspaceUpdate>,
    ) -> Result<UpdateWorkspaceSuccess, Problem<UpdateWorkspaceError>> {
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

Everybody of the company with all fields, oldest first: every state, guests nobody sees, and bot users. For the operator and its admins.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/users",
        method = "get",
        operation_id = "listUsers",
        tag = "Tag::Users"
    )]
    async fn list_users(
        &self,
        guard: Guard<H, ListUsers>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<ListUsersWorkspaceIdParam>,
        ///Only those in whom each word of this begins a word: of the name, of the display name, of the part of the e-mail address before the `@`, or the whole address. Case, accents and punctuation do not matter; of more than four words the four longest count.
        #[oai(name = "query")]
        query: Query<ListUsersQueryParam>,
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
                    workspace_id: workspace_id.0,
                    query: query.0,
                    limit: limit.0,
                    cursor: cursor.0,
                },
            )
            .await
    }
    /**Add a person

Adds a person to the company, in any state; apps that may read people get `user.created`. The e-mail address is also the sign-in name: an address that already has an account in another company gets one more membership and keeps its password. A password the operator sets opens every company of the account, one that an admin sets opens the admin's company only; an admin's `password` for an address that has an account in another company is 409, as is an address another person of this company has. For the operator and its admins.*/
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
        workspace_id: Path<CreateUserWorkspaceIdParam>,
        body: Body<CreateUser, types::UserCreate>,
    ) -> Result<CreateUserSuccess, Problem<CreateUserError>> {
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
        operation_id = "getUser",
        tag = "Tag::Users"
    )]
    async fn get_user(
        &self,
        guard: Guard<H, GetUser>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<GetUserUserIdParam>,
    ) -> Result<GetUserSuccess, Problem<GetUserError>> {
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

Changes the given members. The operator and the company's admins may change all of them; persons may change their own `name`, `display_name`, `title`, `timezone`, `avatar_url`, `email_visible` and `password`, anything else is 403. A changed name, e-mail address or title is told to apps as `user.updated`. `is_external: true` makes an employee a guest, whose assistant connections end at their next request. An address another person of the company has is 409, as are a change to a bot user and an admin's new `password` for an account that also belongs to another company. A password the operator sets opens every company of the account, an admin's the admin's company only; a person's own new password opens what the old one did. An address that an admin changes takes the password along, which then opens the admin's company only.*/
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
        user_id: Path<UpdateUserUserIdParam>,
        body: Body<UpdateUser, types::UserUpdate>,
    ) -> Result<UpdateUserSuccess, Problem<UpdateUserError>> {
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

Moves a person between account states: active and deactivated both ways, onboarding to active, any to removed, which is final. The state a person already has is accepted and changes nothing; any other move is 409, as is a bot user. Leaving active or onboarding ends the person's sessions and assistant connections and is told to apps as `user.deactivated`. For the operator and the company's admins.*/
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
        user_id: Path<SetUserStateUserIdParam>,
        body: Body<SetUserState, types::UserStateChange>,
    ) -> Result<SetUserStateSuccess, Problem<SetUserStateError>> {
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

Ends every session and every assistant connection of the person in this company. A bot user is 409. For the operator and the company's admins.*/
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
        user_id: Path<LogoutUserUserIdParam>,
    ) -> Result<LogoutUserSuccess, Problem<LogoutUserError>> {
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

The app's bot can no longer send direct messages to the person. The block outlives uninstalling the app. Repeating it changes nothing. For the operator and the person themselves.*/
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
        user_id: Path<BlockAppUserIdParam>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<BlockAppAppIdParam>,
    ) -> Result<BlockAppSuccess, Problem<BlockAppError>> {
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

The app's bot may send direct messages to the person again. Without a block nothing changes. For the operator and the person themselves.*/
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
        user_id: Path<UnblockAppUserIdParam>,
        ///Id of an app (`app_`).
        #[oai(name = "app_id")]
        app_id: Path<UnblockAppAppIdParam>,
    ) -> Result<UnblockAppSuccess, Problem<UnblockAppError>> {
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

Groups, channels and direct messages of the company, oldest first, archived and deleted ones too. For the operator and its admins.*/
    #[oai(
        path = "/admin/v1/workspaces/:workspace_id/conversations",
        method = "get",
        operation_id = "listConversations",
        tag = "Tag::Conversations"
    )]
    async fn list_conversations(
        &self,
        guard: Guard<H, ListConversations>,
        ///Id of a company (`cmp_`).
        #[oai(name = "workspace_id")]
        workspace_id: Path<ListConversationsWorkspaceIdParam>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListConversationsLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListConversationsCursorParam>,
    ) -> Result<ListConversationsSuccess, Problem<ListConversationsError>> {
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

Creates a group, a channel of a group, or a direct message. With a session the caller becomes a member. A channel has its group's type and archived state, and its members join the group too. A direct message has exactly two people, the caller included; one that exists already is answered as it is. A bot's user id in `member_ids` adds its app and is told to it as `conversation.created`. An archived group, and a deactivated or removed member, are 409. For the operator, admins and persons.*/
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
        workspace_id: Path<CreateConversationWorkspaceIdParam>,
        body: Body<CreateConversation, types::ConversationCreate>,
    ) -> Result<CreateConversationSuccess, Problem<CreateConversationError>> {
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

The conversation with its members, past ones included; archived and deleted conversations too. Of more than 200 members the first are shown, and `members_cursor` goes on in the list of members. For the operator and the company's admins.*/
    #[oai(
        path = "/admin/v1/conversations/:conversation_id",
        method = "get",
        operation_id = "getConversation",
        tag = "Tag::Conversations"
    )]
    async fn get_conversation(
        &self,
        guard: Guard<H, GetConversation>,
        ///Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
        #[oai(name = "conversation_id")]
        conversation_id: Path<GetConversationConversationIdParam>,
    ) -> Result<GetConversationSuccess, Problem<GetConversationError>> {
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

Deletes the conversation; a group takes its channels with it. Bots in them get `conversation.deleted`. It stays readable here with `is_deleted: true`. Deleting it again is 404. For the operator and the company's admins.*/
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
        conversation_id: Path<DeleteConversationConversationIdParam>,
    ) -> Result<DeleteConversationSuccess, Problem<DeleteConversationError>> {
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

Changes the given members. `type` and `is_archived` are a group's and hold for its channels; a direct message takes no change. A member the kind does not have is 400. Bots in the conversation get `conversation.renamed` for a new name and `conversation.archived` for an archived group. For the operator and the company's admins.*/
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
        conversation_id: Path<UpdateConversationConversationIdParam>,
        body: Body<UpdateConversation, types::ConversationUpdate>,
    ) -> Result<UpdateConversationSuccess, Problem<UpdateConversationError>> {
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

Everybody who is or was a member, by id; of archived and deleted conversations too. A person sees only conversations they are in, and there the members of today without guests whom members do not see. Somebody who never was in it gets 404, somebody who left 403 `not_in_conversation`. For the operator, the company's admins and persons.*/
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
        conversation_id: Path<ListMembersConversationIdParam>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListMembersLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListMembersCursorParam>,
    ) -> Result<ListMembersSuccess, Problem<ListMembersError>> {
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

Adds a person, or an app by its bot's user id. Adding to a channel adds to its group as well. Leaves a system message; a bot gets `conversation.created`. A member already in changes nothing. A direct message, an archived group, and a deactivated or removed person are 409. For the operator and the company's admins.*/
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
        conversation_id: Path<AddMemberConversationIdParam>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<AddMemberUserIdParam>,
    ) -> Result<AddMemberSuccess, Problem<AddMemberError>> {
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

Removes a person or a bot. Leaving a group leaves its channels; adding to the group again does not bring them back. A bot gets `app.removed_from_conversation`. Somebody who is not a member changes nothing. A direct message is 409. For the operator and the company's admins.*/
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
        conversation_id: Path<RemoveMemberConversationIdParam>,
        ///Id of a person or a bot user (`usr_`).
        #[oai(name = "user_id")]
        user_id: Path<RemoveMemberUserIdParam>,
    ) -> Result<RemoveMemberSuccess, Problem<RemoveMemberError>> {
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

Every message with everything stored about it, newest first. A deleted message stays in the list without its content. Works for direct messages and for archived and deleted conversations. Behind long histories of edits a page ends early, with a `next_cursor`. For the operator and the company's admins.*/
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
        conversation_id: Path<ListMessagesConversationIdParam>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListMessagesLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListMessagesCursorParam>,
    ) -> Result<ListMessagesSuccess, Problem<ListMessagesError>> {
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

Posts as a person, or a system message. With a session the sender is the caller; `user_id` may then only name the caller. The operator names the sender in `user_id` or in `X-Acting-User` (400 when they differ); `user_id: null`, or neither, posts a system message. The sender must be a member: somebody who never was gets 404, somebody who left 403 `not_in_conversation`. In an announcement-only conversation only admins may post (403 `not_allowed_in_conversation`), and the system. An archived group is 409 `conversation_archived`, a deactivated or removed sender 409 `user_deactivated`, a `client_key` that another message of the conversation holds 409 `conflict`. For the operator and persons.*/
    #[oai(
        path = "/admin/v1/conversations/:conversation_id/messages",
        method = "post",
        operation_id = "createMessage",
        tag = "Tag::Messages"
    )]
    async fn create_message(
        &self,
        guard: Guard<H, CreateMessage>,
        ///Id of a group (`grp_`), a channel (`chn_`) or a direct message (`dm_`).
        #[oai(name = "conversation_id")]
        conversation_id: Path<CreateMessageConversationIdParam>,
        ///The person an operator key acts for, of the company concerned (otherwise 404 `user_not_found`). Ignored with a session.
        #[oai(name = "X-Acting-User")]
        x_acting_user: Header<CreateMessageXActingUserParam>,
        body: Body<CreateMessage, types::MessageCreate>,
    ) -> Result<CreateMessageSuccess, Problem<CreateMessageError>> {
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

Erases text, blocks, metadata, files and edit history of any message, also in an archived, announcement-only or deleted conversation. Deleting it again is 404. For the operator, the company's admins, and the person who sent it.*/
    #[oai(
        path = "/admin/v1/messages/:message_id",
        method = "delete",
        operation_id = "deleteMessage",
        tag = "Tag::Messages"
    )]
    async fn delete_message(
        &self,
        guard: Guard<H, DeleteMessage>,
        ///Id of a message (`gmsg_` or `dmsg_`).
        #[oai(name = "message_id")]
        message_id: Path<DeleteMessageMessageIdParam>,
    ) -> Result<DeleteMessageSuccess, Problem<DeleteMessageError>> {
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

Replaces the text of a message of a person; the former text is kept in `edits`. A person may edit their own messages, the operator those of every person. Messages of bots and of the system are 403. The rules of posting to the conversation hold for the sender. For the operator and persons.*/
    #[oai(
        path = "/admin/v1/messages/:message_id",
        method = "patch",
        operation_id = "updateMessage",
        tag = "Tag::Messages"
    )]
    async fn update_message(
        &self,
        guard: Guard<H, UpdateMessage>,
        ///Id of a message (`gmsg_` or `dmsg_`).
        #[oai(name = "message_id")]
        message_id: Path<UpdateMessageMessageIdParam>,
        body: Body<UpdateMessage, types::MessageUpdate>,
    ) -> Result<UpdateMessageSuccess, Problem<UpdateMessageError>> {
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

Sends the event `interaction` to the app whose bot sent the message, as if the person had clicked. A message that no bot sent is 404. For the operator; sandbox only.*/
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
        message_id: Path<CreateInteractionMessageIdParam>,
        body: Body<CreateInteraction, types::InteractionCreate>,
    ) -> Result<CreateInteractionSuccess, Problem<CreateInteractionError>> {
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

Stores the body as a file of the company. Its media type is the request's `Content-Type`, `application/octet-stream` when there is none; a `Content-Encoding` is not accepted. The file is owned by the person who uploads it, or by the one `X-Acting-User` names; a deactivated or removed one is 409 `user_deactivated`. Attach it with `file_ids` when posting a message. For the operator and persons.*/
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
        workspace_id: Path<UploadFileWorkspaceIdParam>,
        ///File name, as people will see it.
        #[oai(name = "name")]
        name: Query<UploadFileNameParam>,
        ///The person an operator key acts for, of the company concerned (otherwise 404 `user_not_found`). Ignored with a session.
        #[oai(name = "X-Acting-User")]
        x_acting_user: Header<UploadFileXActingUserParam>,
        raw: RawBody<UploadFile>,
    ) -> Result<UploadFileSuccess, Problem<UploadFileError>> {
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

Deletes the file; messages keep naming it, and links issued earlier work until they expire. Deleting it again is 404. For the operator, the company's admins, and the person who owns it.*/
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
        file_id: Path<DeleteFileFileIdParam>,
    ) -> Result<DeleteFileSuccess, Problem<DeleteFileError>> {
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

Every registered app, oldest first, disabled ones too. For the operator.*/
    #[oai(
        path = "/admin/v1/apps",
        method = "get",
        operation_id = "listApps",
        tag = "Tag::Apps"
    )]
    async fn list_apps(
        &self,
        guard: Guard<H, ListApps>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListAppsLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListAppsCursorParam>,
    ) -> Result<ListAppsSuccess, Problem<ListAppsError>> {
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

Registers an app that companies may install. Its client secret and its signing secret are in this answer only. For the operator.*/
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
    ) -> Result<CreateAppSuccess, Problem<CreateAppError>> {
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
        app_id: Path<GetAppAppIdParam>,
    ) -> Result<GetAppSuccess, Problem<GetAppError>> {
        self.0.get_app(guard.into_caller(), GetAppRequest { app_id: app_id.0 }).await
    }
    /**Change an app

Changes the given members. `disabled: true` disconnects every installation, which the app is told by `app.uninstalled` with the reason `app_disabled`, and ends codes that were not exchanged yet; `disabled: false` lets companies install it again and brings none back. New scopes hold for later installations. For the operator.*/
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
        app_id: Path<UpdateAppAppIdParam>,
        body: Body<UpdateApp, types::AppUpdate>,
    ) -> Result<UpdateAppSuccess, Problem<UpdateAppError>> {
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

Makes a new client secret or signing secret and shows it in this answer only. A client secret replaces the old one at once. For 24 hours after a signing secret is replaced, events are signed with both. For the operator.*/
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
        app_id: Path<RotateSecretAppIdParam>,
        body: Body<RotateSecret, types::SecretRotate>,
    ) -> Result<RotateSecretSuccess, Problem<RotateSecretError>> {
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

The attempts to deliver events to the app's callback URL, newest first, and beside them, at the time of their creation, the events whose next attempt is still to come (`pending`) or was given up (`dropped`). Kept for 14 days after an event was delivered or given up. Where few entries pass the filters, a page may have fewer than `limit`, even none, and a `next_cursor` with which to go on. With `order=ingested` the log can be followed: attempts and dropped events, oldest first, in the order in which they were written. For the operator.*/
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
        app_id: Path<ListDeliveriesAppIdParam>,
        ///Only entries in this state.
        #[oai(name = "state")]
        state: Query<ListDeliveriesStateParam>,
        ///Only events of this type.
        #[oai(name = "type")]
        r#type: Query<ListDeliveriesTypeParam>,
        ///Only events of this installation. An unknown id gives an empty page.
        #[oai(name = "installation_id")]
        installation_id: Query<ListDeliveriesInstallationIdParam>,
        ///Only this event. An unknown id gives an empty page.
        #[oai(name = "event_id")]
        event_id: Query<ListDeliveriesEventIdParam>,
        ///Only attempts begun, or events created, at this time or later.
        #[oai(name = "since")]
        since: Query<ListDeliveriesSinceParam>,
        ///Only attempts begun, or events created, before this time.
        #[oai(name = "until")]
        until: Query<ListDeliveriesUntilParam>,
        ///`newest`, the default: newest first. `ingested`: in the order in which entries were written, oldest first, and without other filters (400 otherwise). Then `next_cursor` is never null: a page that is not full ends where the log ends now, and its cursor goes on from there later. Whoever goes on with it misses no entry, also where several nodes write.
        #[oai(name = "order")]
        order: Query<ListDeliveriesOrderParam>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListDeliveriesLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListDeliveriesCursorParam>,
    ) -> Result<ListDeliveriesSuccess, Problem<ListDeliveriesError>> {
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

Delivers one event again, now and with the whole schedule of retries: the same id and body, attempts numbered on. An event that must not be sent any more, because its installation has ended or the app has no callback URL, is 409. For the operator.*/
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
        app_id: Path<RedeliverEventAppIdParam>,
        ///Id of an event (`evt_`).
        #[oai(name = "event_id")]
        event_id: Path<RedeliverEventEventIdParam>,
    ) -> Result<RedeliverEventSuccess, Problem<RedeliverEventError>> {
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

Delivers every event of a span of time again, as by delivering each of them again: those that failed, or with `state: all` those that were delivered as well. Events that are still being tried or must not be sent any more are left out. An app without a callback URL is 409. For the operator.*/
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
        app_id: Path<RedeliverEventsAppIdParam>,
        body: Body<RedeliverEvents, types::RedeliverRequest>,
    ) -> Result<RedeliverEventsSuccess, Problem<RedeliverEventsError>> {
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

Sends an event to the app as if what it tells had just happened in the company of an installation, about a person, a conversation or a message there that the bot may know. Nothing else changes. Where there is nothing to tell of, or the app has no callback URL, it is 409. For the operator; sandbox only.*/
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
        app_id: Path<CreateTestEventAppIdParam>,
        body: Body<CreateTestEvent, types::TestEventCreate>,
    ) -> Result<CreateTestEventSuccess, Problem<CreateTestEventError>> {
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

The apps installed in the company, oldest first, disconnected ones too. For the operator and its admins.*/
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
        workspace_id: Path<ListInstallationsWorkspaceIdParam>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListInstallationsLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListInstallationsCursorParam>,
    ) -> Result<ListInstallationsSuccess, Problem<ListInstallationsError>> {
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

Approves an app for the company, as the install page does, and answers the authorization code that the app exchanges at `POST /oauth/token`. Without `scopes` all of the app's are granted; given ones must be among them. A `redirect_uri` must be one of the app's and is then needed for the exchange too, as is the verifier of a `code_challenge`. The code is good for 10 minutes and ends earlier when the app is uninstalled or disabled, and when the approving admin is no active admin of the company any more. A disabled app is 409. For the operator, who may name the approving admin in `X-Acting-User`, and the company's admins.*/
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
        workspace_id: Path<CreateInstallationWorkspaceIdParam>,
        ///The person an operator key acts for, of the company concerned (otherwise 404 `user_not_found`). Ignored with a session.
        #[oai(name = "X-Acting-User")]
        x_acting_user: Header<CreateInstallationXActingUserParam>,
        body: Body<CreateInstallation, types::InstallationCreate>,
    ) -> Result<CreateInstallationSuccess, Problem<CreateInstallationError>> {
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

Disconnects the installation: its tokens stop at once, codes for the company that the app has not exchanged yet end, and the app gets `app.uninstalled` with the reason `admin` and the admin's id. The record stays; uninstalling it again changes nothing. For the company's admins, and the operator, who must name an active admin of the company in `X-Acting-User`: without it 400 `invalid_request`, with somebody of the company who is none 403, with anybody else 404 `user_not_found`.*/
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
        ///The person an operator key acts for, of the company concerned (otherwise 404 `user_not_found`). Ignored with a session.
        #[oai(name = "X-Acting-User")]
        x_acting_user: Header<DeleteInstallationXActingUserParam>,
    ) -> Result<DeleteInstallationSuccess, Problem<DeleteInstallationError>> {
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

The assistants connected in the company, oldest first, revoked ones too unless filtered. One that is revoked stays in the list as long as calls are kept in the audit, 90 days unless configured otherwise; then it is forgotten, and its id with it. With a person's session only their own; another `user_id` is then 403. For the operator, its admins, and persons.*/
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
        workspace_id: Path<ListConnectionsWorkspaceIdParam>,
        ///Only connections of this employee. An unknown id gives an empty page.
        #[oai(name = "user_id")]
        user_id: Query<ListConnectionsUserIdParam>,
        ///Only connections in this state.
        #[oai(name = "state")]
        state: Query<ListConnectionsStateParam>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListConnectionsLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListConnectionsCursorParam>,
    ) -> Result<ListConnectionsSuccess, Problem<ListConnectionsError>> {
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

Revokes the connection at once: its tokens stop working. One that is revoked already stays as it is. For the operator, the company's admins, and the employee whose connection it is.*/
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
        connection_id: Path<DeleteConnectionConnectionIdParam>,
    ) -> Result<DeleteConnectionSuccess, Problem<DeleteConnectionError>> {
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

The block keys the company has blocked, oldest first. For the operator and its admins.*/
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
        workspace_id: Path<ListClientBlocksWorkspaceIdParam>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListClientBlocksLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListClientBlocksCursorParam>,
    ) -> Result<ListClientBlocksSuccess, Problem<ListClientBlocksError>> {
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

Blocks every assistant client with this key in the company and revokes their connections. The key may be one that no client has yet. Repeating it changes nothing. For the operator and its admins.*/
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
        workspace_id: Path<PutClientBlockWorkspaceIdParam>,
        ///Block key of assistant clients, percent-encoded. Capitals do not matter.
        #[oai(name = "key")]
        key: Path<PutClientBlockKeyParam>,
    ) -> Result<PutClientBlockSuccess, Problem<PutClientBlockError>> {
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

Lets clients with this key be connected again; revoked connections stay revoked. A key that is not blocked changes nothing. For the operator and its admins.*/
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
        workspace_id: Path<DeleteClientBlockWorkspaceIdParam>,
        ///Block key of assistant clients, percent-encoded. Capitals do not matter.
        #[oai(name = "key")]
        key: Path<DeleteClientBlockKeyParam>,
    ) -> Result<DeleteClientBlockSuccess, Problem<DeleteClientBlockError>> {
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

Registered clients and clients known by their metadata document, oldest first. For the operator.*/
    #[oai(
        path = "/admin/v1/assistant_clients",
        method = "get",
        operation_id = "listAssistantClients",
        tag = "Tag::Assistants"
    )]
    async fn list_assistant_clients(
        &self,
        guard: Guard<H, ListAssistantClients>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListAssistantClientsLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListAssistantClientsCursorParam>,
    ) -> Result<ListAssistantClientsSuccess, Problem<ListAssistantClientsError>> {
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

The audit: what assistants did for employees of the company, one entry for each call of a tool, newest first. It names who, with what client, which tool, on what, and how it ended; never a message's text. Kept for 90 days unless configured otherwise. With a person's session only their own; another `user_id` is then 403. With `order=ingested` the audit can be followed: oldest first, in the order in which calls were written, for the operator and admins. For the operator, its admins, and persons.*/
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
        workspace_id: Path<ListToolCallsWorkspaceIdParam>,
        ///Only calls for this employee. An unknown id gives an empty page.
        #[oai(name = "user_id")]
        user_id: Query<ListToolCallsUserIdParam>,
        ///Only calls of this client. An unknown id gives an empty page.
        #[oai(name = "client_id")]
        client_id: Query<ListToolCallsClientIdParam>,
        ///Only calls through this connection. An unknown or forgotten id gives an empty page.
        #[oai(name = "connection_id")]
        connection_id: Query<ListToolCallsConnectionIdParam>,
        ///Only calls of this tool. An unknown name gives an empty page.
        #[oai(name = "tool")]
        tool: Query<ListToolCallsToolParam>,
        ///Only calls that ended so.
        #[oai(name = "outcome")]
        outcome: Query<ListToolCallsOutcomeParam>,
        ///Only calls at this time or later.
        #[oai(name = "since")]
        since: Query<ListToolCallsSinceParam>,
        ///Only calls before this time.
        #[oai(name = "until")]
        until: Query<ListToolCallsUntilParam>,
        ///`newest`, the default: newest first. `ingested`: in the order in which entries were written, oldest first, and without other filters (400 otherwise). Then `next_cursor` is never null: a page that is not full ends where the log ends now, and its cursor goes on from there later. Whoever goes on with it misses no entry, also where several nodes write.
        #[oai(name = "order")]
        order: Query<ListToolCallsOrderParam>,
        ///Page size. Values above 1000 are clamped to 1000, not rejected.
        #[oai(name = "limit")]
        limit: Query<ListToolCallsLimitParam>,
        ///The previous page's `next_cursor`; omit it for the first page.
        #[oai(name = "cursor")]
        cursor: Query<ListToolCallsCursorParam>,
    ) -> Result<ListToolCallsSuccess, Problem<ListToolCallsError>> {
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

The time the server goes by. For the operator; sandbox only.*/
    #[oai(
        path = "/admin/v1/clock",
        method = "get",
        operation_id = "getClock",
        tag = "Tag::Sandbox"
    )]
    async fn get_clock(
        &self,
        guard: Guard<H, GetClock>,
    ) -> Result<GetClockSuccess, Problem<GetClockError>> {
        self.0.get_clock(guard.into_caller(), GetClockRequest {}).await
    }
    /**Move the clock

Moves the server's time ahead by `advance_seconds`, or back to real time with `reset: true`; exactly one of them, otherwise 400. Other nodes follow within seconds. Work that has become due, such as retries, expiry and clean-up, is done before the answer. For the operator; sandbox only.*/
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
    ) -> Result<UpdateClockSuccess, Problem<UpdateClockError>> {
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

Forgets all past traffic, so that every limit starts afresh. For the operator; sandbox only.*/
    #[oai(
        path = "/admin/v1/rate_limits/reset",
        method = "post",
        operation_id = "resetRateLimits",
        tag = "Tag::Sandbox"
    )]
    async fn reset_rate_limits(
        &self,
        guard: Guard<H, ResetRateLimits>,
    ) -> Result<ResetRateLimitsSuccess, Problem<ResetRateLimitsError>> {
        self.0.reset_rate_limits(guard.into_caller(), ResetRateLimitsRequest {}).await
    }
}
/// The service as poem-openapi sees it. Its requests carry the handlers as data: see [`routes`].
pub fn service<H: Handlers>(handlers: Arc<H>) -> OpenApiService<Server<H>, ()> {
    OpenApiService::new(Server(handlers), "Admin API", "1.0.0")
}
/// Every route of the document, served by `handlers`.
pub fn routes<H: Handlers>(
    handlers: Arc<H>,
) -> impl poem::Endpoint<Output = Response> + 'static {
    use poem::{EndpointExt, IntoEndpoint};
    LazyLock::force(&CONTRACT);
    service(handlers.clone()).into_endpoint().data(handlers)
}
