// @generated from openapi/bot.yaml by codegen/. Do not edit.

#[allow(unused_imports)]
pub use progenitor_client::{ByteStream, ClientInfo, Error, ResponseValue};
#[allow(unused_imports)]
use progenitor_client::{encode_path, ClientHooks, OperationInfo, RequestBuilderExt};
/// Types used as operation parameters and responses.
#[allow(clippy::all)]
pub mod types {
    ///A button.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ActionButton {
        ///Names the button in the event: 1 to 64 visible ASCII characters, unique in the message, over all its `actions` blocks.
        pub action_id: ActionButtonActionId,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub style: ::std::option::Option<ActionStyle>,
        ///What the button says, 1 to 40 characters.
        pub text: ActionButtonText,
        ///A value that the event contains, at most 2,000 characters. If left out, the value in the event is null.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub value: ::std::option::Option<ActionButtonValue>,
    }
    ///Names the button in the event: 1 to 64 visible ASCII characters, unique in the message, over all its `actions` blocks.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ActionButtonActionId(::std::string::String);
    impl ::std::ops::Deref for ActionButtonActionId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ActionButtonActionId> for ::std::string::String {
        fn from(value: ActionButtonActionId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ActionButtonActionId {
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
            static PATTERN: ::std::sync::LazyLock<::regress::Regex> = ::std::sync::LazyLock::new(||
            { ::regress::Regex::new("^[\\x21-\\x7E]+$").unwrap() });
            if PATTERN.find(value).is_none() {
                return Err("doesn't match pattern \"^[\\x21-\\x7E]+$\"".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ActionButtonActionId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ActionButtonActionId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ActionButtonActionId {
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
    ///What the button says, 1 to 40 characters.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ActionButtonText(::std::string::String);
    impl ::std::ops::Deref for ActionButtonText {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ActionButtonText> for ::std::string::String {
        fn from(value: ActionButtonText) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ActionButtonText {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            if value.chars().count() > 40usize {
                return Err("longer than 40 characters".into());
            }
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
            }
            Ok(Self(value.to_string()))
        }
    }
    impl ::std::convert::TryFrom<&str> for ActionButtonText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ActionButtonText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ActionButtonText {
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
    ///A value that the event contains, at most 2,000 characters. If left out, the value in the event is null.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ActionButtonValue(::std::string::String);
    impl ::std::ops::Deref for ActionButtonValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ActionButtonValue> for ::std::string::String {
        fn from(value: ActionButtonValue) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ActionButtonValue {
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
    impl ::std::convert::TryFrom<&str> for ActionButtonValue {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ActionButtonValue {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ActionButtonValue {
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
    ///`primary` for the recommended choice, `danger` for one with serious consequences; plain if left out.
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
    pub enum ActionStyle {
        #[serde(rename = "primary")]
        Primary,
        #[serde(rename = "danger")]
        Danger,
    }
    impl ::std::fmt::Display for ActionStyle {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Primary => f.write_str("primary"),
                Self::Danger => f.write_str("danger"),
            }
        }
    }
    impl ::std::str::FromStr for ActionStyle {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "primary" => Ok(Self::Primary),
                "danger" => Ok(Self::Danger),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ActionStyle {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ActionStyle {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///Buttons. A click sends the event `interaction` to the app; the message stays as it is until the bot edits it.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ActionsBlock {
        ///The buttons, 1 to 5.
        pub items: ::std::vec::Vec<ActionButton>,
        ///Always `actions`.
        #[serde(rename = "type")]
        pub type_: ActionsBlockType,
    }
    ///Always `actions`.
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
    pub enum ActionsBlockType {
        #[serde(rename = "actions")]
        Actions,
    }
    impl ::std::fmt::Display for ActionsBlockType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Actions => f.write_str("actions"),
            }
        }
    }
    impl ::std::str::FromStr for ActionsBlockType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "actions" => Ok(Self::Actions),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ActionsBlockType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ActionsBlockType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///Who uninstalled the app, and the reason.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AppUninstalledData {
        pub reason: UninstallReason,
        ///The admin who uninstalled the app; null when the operator disabled it.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub removed_by: ::std::option::Option<UserRef>,
    }
    ///Body of the event `app.uninstalled`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AppUninstalledEvent {
        ///When the app was uninstalled or disabled.
        pub created_at: ::std::string::String,
        pub data: AppUninstalledData,
        ///`evt_` id, the same for every attempt. Ignore an event whose id you have handled.
        pub id: ::std::string::String,
        ///Always `app.uninstalled`.
        #[serde(rename = "type")]
        pub type_: AppUninstalledEventType,
        ///`cmp_` id of the company.
        pub workspace_id: ::std::string::String,
    }
    ///Always `app.uninstalled`.
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
    pub enum AppUninstalledEventType {
        #[serde(rename = "app.uninstalled")]
        AppUninstalled,
    }
    impl ::std::fmt::Display for AppUninstalledEventType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::AppUninstalled => f.write_str("app.uninstalled"),
            }
        }
    }
    impl ::std::str::FromStr for AppUninstalledEventType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "app.uninstalled" => Ok(Self::AppUninstalled),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for AppUninstalledEventType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for AppUninstalledEventType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The workspace, the bot user, the app and the scopes of a token.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AuthTestResult {
        ///`app_` id.
        pub app_id: ::std::string::String,
        pub bot: Bot,
        pub ok: True,
        ///The scopes of this token.
        pub scopes: ::std::vec::Vec<::std::string::String>,
        pub workspace: Workspace,
    }
    ///A part of a message's layout. Members that are not described here are stored, except in `actions`, where they are dropped. A type that is not described here gets 400 `invalid_blocks`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[serde(untagged)]
    pub enum Block {
        HeaderBlock(HeaderBlock),
        SectionBlock(SectionBlock),
        ContextBlock(ContextBlock),
        FieldsBlock(FieldsBlock),
        ActionsBlock(ActionsBlock),
    }
    impl ::std::convert::From<HeaderBlock> for Block {
        fn from(value: HeaderBlock) -> Self {
            Self::HeaderBlock(value)
        }
    }
    impl ::std::convert::From<SectionBlock> for Block {
        fn from(value: SectionBlock) -> Self {
            Self::SectionBlock(value)
        }
    }
    impl ::std::convert::From<ContextBlock> for Block {
        fn from(value: ContextBlock) -> Self {
            Self::ContextBlock(value)
        }
    }
    impl ::std::convert::From<FieldsBlock> for Block {
        fn from(value: FieldsBlock) -> Self {
            Self::FieldsBlock(value)
        }
    }
    impl ::std::convert::From<ActionsBlock> for Block {
        fn from(value: ActionsBlock) -> Self {
            Self::ActionsBlock(value)
        }
    }
    ///One labelled value.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct BlockField {
        ///The label of the value.
        pub label: BlockFieldLabel,
        ///The value.
        pub value: BlockFieldValue,
    }
    ///The label of the value.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct BlockFieldLabel(::std::string::String);
    impl ::std::ops::Deref for BlockFieldLabel {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<BlockFieldLabel> for ::std::string::String {
        fn from(value: BlockFieldLabel) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for BlockFieldLabel {
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
    impl ::std::convert::TryFrom<&str> for BlockFieldLabel {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for BlockFieldLabel {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for BlockFieldLabel {
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
    ///The value.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct BlockFieldValue(::std::string::String);
    impl ::std::ops::Deref for BlockFieldValue {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<BlockFieldValue> for ::std::string::String {
        fn from(value: BlockFieldValue) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for BlockFieldValue {
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
    impl ::std::convert::TryFrom<&str> for BlockFieldValue {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for BlockFieldValue {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for BlockFieldValue {
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
    ///The app's bot user in the workspace.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Bot {
        ///`usr_` id: the sender of the bot's messages.
        pub id: ::std::string::String,
        ///Name of the bot user, which is the name of the app.
        pub name: ::std::string::String,
    }
    ///The app's bot user in the workspace.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct BotRef {
        ///`usr_` id.
        pub id: ::std::string::String,
    }
    ///A side note.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ContextBlock {
        ///The note.
        pub text: ContextBlockText,
        ///Always `context`.
        #[serde(rename = "type")]
        pub type_: ContextBlockType,
    }
    ///The note.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ContextBlockText(::std::string::String);
    impl ::std::ops::Deref for ContextBlockText {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ContextBlockText> for ::std::string::String {
        fn from(value: ContextBlockText) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ContextBlockText {
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
    impl ::std::convert::TryFrom<&str> for ContextBlockText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ContextBlockText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ContextBlockText {
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
    ///Always `context`.
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
    pub enum ContextBlockType {
        #[serde(rename = "context")]
        Context,
    }
    impl ::std::fmt::Display for ContextBlockType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Context => f.write_str("context"),
            }
        }
    }
    impl ::std::str::FromStr for ContextBlockType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "context" => Ok(Self::Context),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ContextBlockType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ContextBlockType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A group, or a named channel of a group.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Conversation {
        ///`grp_` for a group, `chn_` for a named channel.
        pub id: ::std::string::String,
        ///Whether the conversation is archived. The bot can read an archived conversation, but not post in it. A named channel is archived if its group is archived.
        pub is_archived: bool,
        ///Always true; only conversations the bot belongs to are returned.
        pub is_member: bool,
        ///True exactly when `type` is `private_channel`.
        pub is_private: bool,
        ///Number of members with an active account, guests included. Bots and onboarding people are not counted.
        pub member_count: i64,
        ///Name of the group or channel.
        pub name: ::std::string::String,
        ///Id of the group (`grp_`) of a channel; null for a group.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub parent_id: ::std::option::Option<::std::string::String>,
        ///Description of the group or channel.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub topic: ::std::option::Option<::std::string::String>,
        #[serde(rename = "type")]
        pub type_: ConversationType,
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
    ///`channel` if every employee may join, `private_channel` if not. A named channel has the type of its group.
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
    ///`CreateMessageIdempotencyKey`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct CreateMessageIdempotencyKey(::std::string::String);
    impl ::std::ops::Deref for CreateMessageIdempotencyKey {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<CreateMessageIdempotencyKey> for ::std::string::String {
        fn from(value: CreateMessageIdempotencyKey) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for CreateMessageIdempotencyKey {
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
    impl ::std::convert::TryFrom<&str> for CreateMessageIdempotencyKey {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for CreateMessageIdempotencyKey {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for CreateMessageIdempotencyKey {
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
    ///The destination of a message.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Destination {
        ///`usr_` id of a person, or `grp_` or `chn_` id of a conversation from `GET /v1/conversations`.
        pub id: DestinationId,
        #[serde(rename = "type")]
        pub type_: DestinationType,
    }
    ///`usr_` id of a person, or `grp_` or `chn_` id of a conversation from `GET /v1/conversations`.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct DestinationId(::std::string::String);
    impl ::std::ops::Deref for DestinationId {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<DestinationId> for ::std::string::String {
        fn from(value: DestinationId) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for DestinationId {
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
    impl ::std::convert::TryFrom<&str> for DestinationId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for DestinationId {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for DestinationId {
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
    ///`user` sends a direct message, `conversation` posts in a group or channel.
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
    pub enum DestinationType {
        #[serde(rename = "user")]
        User,
        #[serde(rename = "conversation")]
        Conversation,
    }
    impl ::std::fmt::Display for DestinationType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::User => f.write_str("user"),
                Self::Conversation => f.write_str("conversation"),
            }
        }
    }
    impl ::std::str::FromStr for DestinationType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "user" => Ok(Self::User),
                "conversation" => Ok(Self::Conversation),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for DestinationType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for DestinationType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The kind of the change. More kinds may be added; ignore kinds that you do not know.
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
    pub struct DirectoryChangeKind(pub ::std::string::String);
    impl ::std::ops::Deref for DirectoryChangeKind {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<DirectoryChangeKind> for ::std::string::String {
        fn from(value: DirectoryChangeKind) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for DirectoryChangeKind {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for DirectoryChangeKind {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for DirectoryChangeKind {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///What kind of change happened, and to which object.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct DirectoryChangedData {
        ///Id of the person (`usr_`) or conversation (`grp_`, `chn_`) that changed. Read the object again to get its new state.
        pub id: ::std::string::String,
        pub kind: DirectoryChangeKind,
    }
    ///Body of the event `directory.changed`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct DirectoryChangedEvent {
        ///When the change happened.
        pub created_at: ::std::string::String,
        pub data: DirectoryChangedData,
        ///`evt_` id, the same for every attempt. Ignore an event whose id you have handled.
        pub id: ::std::string::String,
        ///Always `directory.changed`.
        #[serde(rename = "type")]
        pub type_: DirectoryChangedEventType,
        ///`cmp_` id of the company.
        pub workspace_id: ::std::string::String,
    }
    ///Always `directory.changed`.
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
    pub enum DirectoryChangedEventType {
        #[serde(rename = "directory.changed")]
        DirectoryChanged,
    }
    impl ::std::fmt::Display for DirectoryChangedEventType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::DirectoryChanged => f.write_str("directory.changed"),
            }
        }
    }
    impl ::std::str::FromStr for DirectoryChangedEventType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "directory.changed" => Ok(Self::DirectoryChanged),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for DirectoryChangedEventType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for DirectoryChangedEventType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
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
    ///Labelled values.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct FieldsBlock {
        ///The values, 1 to 25. The member may be called `items` instead; a block must not have both.
        pub fields: ::std::vec::Vec<BlockField>,
        ///Always `fields`.
        #[serde(rename = "type")]
        pub type_: FieldsBlockType,
    }
    ///Always `fields`.
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
    pub enum FieldsBlockType {
        #[serde(rename = "fields")]
        Fields,
    }
    impl ::std::fmt::Display for FieldsBlockType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Fields => f.write_str("fields"),
            }
        }
    }
    impl ::std::str::FromStr for FieldsBlockType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "fields" => Ok(Self::Fields),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for FieldsBlockType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for FieldsBlockType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A file and a link to its content.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct File {
        ///`fil_` id.
        pub id: ::std::string::String,
        ///Media type as uploaded.
        pub mimetype: ::std::string::String,
        ///File name as uploaded.
        pub name: ::std::string::String,
        ///Size in bytes.
        pub size: i64,
        ///Signed link that needs no token and can be opened for 15 minutes, any number of times. The link redirects to a download URL, which works for up to one further hour. Treat both URLs as secrets.
        pub url: ::std::string::String,
    }
    ///A file attached to a message.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct FileRef {
        ///`fil_` id. `GET /v1/conversations/{conversation_id}/files/{id}` reads the file.
        pub id: ::std::string::String,
    }
    ///One file.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct FileResult {
        pub file: File,
        pub ok: True,
    }
    ///A heading.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct HeaderBlock {
        ///The heading.
        pub text: HeaderBlockText,
        ///Always `header`.
        #[serde(rename = "type")]
        pub type_: HeaderBlockType,
    }
    ///The heading.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct HeaderBlockText(::std::string::String);
    impl ::std::ops::Deref for HeaderBlockText {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<HeaderBlockText> for ::std::string::String {
        fn from(value: HeaderBlockText) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for HeaderBlockText {
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
    impl ::std::convert::TryFrom<&str> for HeaderBlockText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for HeaderBlockText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for HeaderBlockText {
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
    ///Always `header`.
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
    pub enum HeaderBlockType {
        #[serde(rename = "header")]
        Header,
    }
    impl ::std::fmt::Display for HeaderBlockType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Header => f.write_str("header"),
            }
        }
    }
    impl ::std::str::FromStr for HeaderBlockType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "header" => Ok(Self::Header),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for HeaderBlockType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for HeaderBlockType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A message of a group or channel.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct HistoryMessage {
        ///`grp_` or `chn_` id.
        pub conversation_id: ::std::string::String,
        ///When the message was sent; an edit does not change this time.
        pub created_at: ::std::string::String,
        ///Attached files; often none.
        pub files: ::std::vec::Vec<FileRef>,
        ///`gmsg_` id.
        pub id: ::std::string::String,
        ///Null for a system message; empty for a message without text, such as one with only a file.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub text: ::std::option::Option<::std::string::String>,
        ///Id of the message to which this message replies. Null if this message is no reply, or if the bot cannot read the message to which it replies.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub thread_id: ::std::option::Option<::std::string::String>,
        #[serde(rename = "type")]
        pub type_: MessageType,
        ///Id of the sender (`usr_`); null for a system message, and if the sender is a guest the bot may not see. The sender may be a bot, for which `GET /v1/users/{id}` responds 404.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub user_id: ::std::option::Option<::std::string::String>,
    }
    ///One page of the history of a conversation.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct HistoryPage {
        ///The messages of the page, newest first.
        pub messages: ::std::vec::Vec<HistoryMessage>,
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
    }
    ///The click: the button, the person and the message.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct InteractionData {
        ///The `action_id` of the button.
        pub action_id: ::std::string::String,
        pub message: InteractionMessage,
        pub user: InteractionUser,
        ///The button's value; null when it has none.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub value: ::std::option::Option<::std::string::String>,
    }
    ///Body of the event `interaction`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct InteractionEvent {
        ///When the person clicked the button.
        pub created_at: ::std::string::String,
        pub data: InteractionData,
        ///`evt_` id, the same for every attempt. Ignore an event whose id you have handled.
        pub id: ::std::string::String,
        ///Always `interaction`.
        #[serde(rename = "type")]
        pub type_: InteractionEventType,
        ///`cmp_` id of the company.
        pub workspace_id: ::std::string::String,
    }
    ///Always `interaction`.
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
    pub enum InteractionEventType {
        #[serde(rename = "interaction")]
        Interaction,
    }
    impl ::std::fmt::Display for InteractionEventType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Interaction => f.write_str("interaction"),
            }
        }
    }
    impl ::std::str::FromStr for InteractionEventType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "interaction" => Ok(Self::Interaction),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for InteractionEventType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for InteractionEventType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///The message with the button.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct InteractionMessage {
        ///`grp_`, `chn_` or `dm_` id.
        pub conversation_id: ::std::string::String,
        ///`gmsg_` or `dmsg_` id.
        pub id: ::std::string::String,
        ///The stored metadata of the message; null when it has none.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub metadata: ::std::option::Option<
            ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        >,
    }
    ///The person who clicked.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct InteractionUser {
        ///E-mail address; present under the same conditions as a user's `email`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email: ::std::option::Option<::std::string::String>,
        ///`usr_` id.
        pub id: ::std::string::String,
    }
    ///`ListConversationMessagesCursor`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct ListConversationMessagesCursor(::std::string::String);
    impl ::std::ops::Deref for ListConversationMessagesCursor {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<ListConversationMessagesCursor> for ::std::string::String {
        fn from(value: ListConversationMessagesCursor) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for ListConversationMessagesCursor {
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
    impl ::std::convert::TryFrom<&str> for ListConversationMessagesCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String>
    for ListConversationMessagesCursor {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ListConversationMessagesCursor {
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
    ///`LookupUserEmail`
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct LookupUserEmail(::std::string::String);
    impl ::std::ops::Deref for LookupUserEmail {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<LookupUserEmail> for ::std::string::String {
        fn from(value: LookupUserEmail) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for LookupUserEmail {
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
    impl ::std::convert::TryFrom<&str> for LookupUserEmail {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for LookupUserEmail {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for LookupUserEmail {
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
    ///A message to send.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct MessageCreate {
        ///At most 50 blocks and 16 KB in total. The web client displays them below `text`; assistants and notifications get `text` only. More than 16 KB get 400 `invalid_request`. More than 50 blocks, or a block that is not as described, get 400 `invalid_blocks`.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub blocks: ::std::vec::Vec<Block>,
        ///Any members, at most 4 KB in total. Stored with the message and never shown. Do not store secrets here.
        #[serde(default, skip_serializing_if = "::serde_json::Map::is_empty")]
        pub metadata: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        ///The text that people see, also as the push notification. Stored as given: nothing is trimmed or normalized.
        pub text: MessageCreateText,
        ///Id of the message to which this message replies, in the same destination. The web client quotes that message above the reply. If the destination has no such message, or the message was deleted, the response is 400 `invalid_request`. Null is the same as left out.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub thread_id: ::std::option::Option<::std::string::String>,
        pub to: Destination,
        ///Accepted and ignored; links in app messages never get a preview.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub unfurl_links: ::std::option::Option<bool>,
    }
    ///The text that people see, also as the push notification. Stored as given: nothing is trimmed or normalized.
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
            if value.chars().count() < 1usize {
                return Err("shorter than 1 characters".into());
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
    ///The message that was sent or edited.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct MessageResult {
        pub message: SentMessage,
        pub ok: True,
    }
    ///Type of a message. `system` is a notice, for example that someone joined. Messages of bots are `text`. More types may be added; show a message of an unknown type by its text and files.
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
    pub struct MessageType(pub ::std::string::String);
    impl ::std::ops::Deref for MessageType {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<MessageType> for ::std::string::String {
        fn from(value: MessageType) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for MessageType {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for MessageType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for MessageType {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///The new content of a message.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct MessageUpdate {
        ///Replaces the blocks, with the limits of a send. If left out, the message loses its blocks.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub blocks: ::std::vec::Vec<Block>,
        ///Merged into the stored metadata, at the top level: a member given here replaces the stored member of this name, null removes the stored member, and all other members stay. Neither the given nor the merged metadata may have more than 4 KB.
        #[serde(default, skip_serializing_if = "::serde_json::Map::is_empty")]
        pub metadata: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
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
    ///A bot token to revoke.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct RevokeRequest {
        ///Client id of the app, unless it is sent by HTTP Basic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_id: ::std::option::Option<::std::string::String>,
        ///Client secret of the app, unless it is sent by HTTP Basic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_secret: ::std::option::Option<::std::string::String>,
        ///The bot token.
        pub token: RevokeRequestToken,
    }
    ///The bot token.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct RevokeRequestToken(::std::string::String);
    impl ::std::ops::Deref for RevokeRequestToken {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<RevokeRequestToken> for ::std::string::String {
        fn from(value: RevokeRequestToken) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for RevokeRequestToken {
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
    impl ::std::convert::TryFrom<&str> for RevokeRequestToken {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for RevokeRequestToken {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for RevokeRequestToken {
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
    ///A paragraph.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct SectionBlock {
        ///The paragraph.
        pub text: SectionBlockText,
        ///Always `section`.
        #[serde(rename = "type")]
        pub type_: SectionBlockType,
    }
    ///The paragraph.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct SectionBlockText(::std::string::String);
    impl ::std::ops::Deref for SectionBlockText {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<SectionBlockText> for ::std::string::String {
        fn from(value: SectionBlockText) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for SectionBlockText {
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
    impl ::std::convert::TryFrom<&str> for SectionBlockText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for SectionBlockText {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for SectionBlockText {
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
    ///Always `section`.
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
    pub enum SectionBlockType {
        #[serde(rename = "section")]
        Section,
    }
    impl ::std::fmt::Display for SectionBlockType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Section => f.write_str("section"),
            }
        }
    }
    impl ::std::str::FromStr for SectionBlockType {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "section" => Ok(Self::Section),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for SectionBlockType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for SectionBlockType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///A message the bot sent.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct SentMessage {
        ///`grp_` or `chn_` for a group or channel; `dm_` for a direct message. All messages between the bot and one person have the same `dm_` id.
        pub conversation_id: ::std::string::String,
        ///When the message was sent; an edit does not change this time.
        pub created_at: ::std::string::String,
        ///`gmsg_` in a group or channel, `dmsg_` in a direct message.
        pub id: ::std::string::String,
        ///Id of the message to which this message replies; null if this message is no reply.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub thread_id: ::std::option::Option<::std::string::String>,
    }
    ///An authorization code to exchange.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct TokenRequest {
        ///Client id of the app, unless it is sent by HTTP Basic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_id: ::std::option::Option<::std::string::String>,
        ///Client secret of the app, unless it is sent by HTTP Basic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_secret: ::std::option::Option<::std::string::String>,
        ///The code from the redirect. Required; a request without it gets 400 `invalid_request`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub code: ::std::option::Option<TokenRequestCode>,
        ///Required if the authorization request had a `code_challenge` (PKCE, S256), and not allowed if it had none.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub code_verifier: ::std::option::Option<::std::string::String>,
        ///`authorization_code`. Any other grant type gets 400 `unsupported_grant_type`.
        pub grant_type: TokenRequestGrantType,
        ///If the authorization request had a `redirect_uri`, the same value is required here. If the authorization request had none, this member may be left out, or be one of the app's redirect URIs. Any other value gets 400 `invalid_grant`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub redirect_uri: ::std::option::Option<::std::string::String>,
    }
    ///The code from the redirect. Required; a request without it gets 400 `invalid_request`.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct TokenRequestCode(::std::string::String);
    impl ::std::ops::Deref for TokenRequestCode {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<TokenRequestCode> for ::std::string::String {
        fn from(value: TokenRequestCode) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for TokenRequestCode {
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
    impl ::std::convert::TryFrom<&str> for TokenRequestCode {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for TokenRequestCode {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for TokenRequestCode {
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
    ///`authorization_code`. Any other grant type gets 400 `unsupported_grant_type`.
    #[derive(::serde::Serialize, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[serde(transparent)]
    pub struct TokenRequestGrantType(::std::string::String);
    impl ::std::ops::Deref for TokenRequestGrantType {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<TokenRequestGrantType> for ::std::string::String {
        fn from(value: TokenRequestGrantType) -> Self {
            value.0
        }
    }
    impl ::std::str::FromStr for TokenRequestGrantType {
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
    impl ::std::convert::TryFrom<&str> for TokenRequestGrantType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for TokenRequestGrantType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl<'de> ::serde::Deserialize<'de> for TokenRequestGrantType {
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
    ///A bot token and its owner. The bot token does not expire and has no refresh token.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct TokenResult {
        ///The bot token.
        pub access_token: ::std::string::String,
        ///`app_` id.
        pub app_id: ::std::string::String,
        pub bot: BotRef,
        pub ok: True,
        ///The granted scopes, separated by spaces.
        pub scope: ::std::string::String,
        pub token_type: TokenType,
        pub workspace: WorkspaceRef,
    }
    ///How the token is sent: in the header `Authorization`.
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
    pub enum TokenType {
        Bearer,
    }
    impl ::std::fmt::Display for TokenType {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Bearer => f.write_str("Bearer"),
            }
        }
    }
    impl ::std::str::FromStr for TokenType {
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
    impl ::std::convert::TryFrom<&str> for TokenType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for TokenType {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
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
    ///`admin`: a company admin uninstalled the app; `app_disabled`: the operator disabled it. More reasons may be added.
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
    pub struct UninstallReason(pub ::std::string::String);
    impl ::std::ops::Deref for UninstallReason {
        type Target = ::std::string::String;
        fn deref(&self) -> &::std::string::String {
            &self.0
        }
    }
    impl ::std::convert::From<UninstallReason> for ::std::string::String {
        fn from(value: UninstallReason) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::string::String> for UninstallReason {
        fn from(value: ::std::string::String) -> Self {
            Self(value)
        }
    }
    impl ::std::fmt::Display for UninstallReason {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            self.0.fmt(f)
        }
    }
    impl ::std::str::FromStr for UninstallReason {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self(value.to_string()))
        }
    }
    ///A person of the workspace.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct User {
        ///Address of a picture of the person; null when there is none.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub avatar_url: ::std::option::Option<::std::string::String>,
        ///First name.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub display_name: ::std::option::Option<::std::string::String>,
        ///E-mail address. Present only if the token has `users:read.email` and the person lets colleagues see the address. Otherwise absent, never null. A removed person never has an address.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email: ::std::option::Option<::std::string::String>,
        ///`usr_` id.
        pub id: ::std::string::String,
        ///False for deactivated and removed people.
        pub is_active: bool,
        ///Whether the person is an admin of the company.
        pub is_admin: bool,
        ///Always false; bots are never returned.
        pub is_bot: bool,
        ///Whether the person is a guest from outside the company.
        pub is_external: bool,
        ///Full name.
        pub name: ::std::string::String,
        ///IANA time zone name.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub timezone: ::std::option::Option<::std::string::String>,
        ///Job title.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub title: ::std::option::Option<::std::string::String>,
    }
    ///One page of people.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct UserPage {
        ///Null on the last page.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        pub ok: True,
        ///The people of the page, in the order in which they were added.
        pub users: ::std::vec::Vec<User>,
    }
    ///A person.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct UserRef {
        ///`usr_` id.
        pub id: ::std::string::String,
    }
    ///One person.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct UserResult {
        pub ok: True,
        pub user: User,
    }
    ///A company's workspace.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Workspace {
        ///The company's e-mail domain; null when it has none.
        #[serde(deserialize_with = "::std::option::Option::deserialize")]
        pub domain: ::std::option::Option<::std::string::String>,
        ///`cmp_` id.
        pub id: ::std::string::String,
        ///Name of the company.
        pub name: ::std::string::String,
    }
    ///The workspace the app was installed in.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct WorkspaceRef {
        ///`cmp_` id.
        pub id: ::std::string::String,
        ///Name of the company.
        pub name: ::std::string::String,
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
/**Client for Switchboard bot API

Through this API an app acts as its bot user in a company that has installed the app. The bot sends
direct messages to people, posts in the groups and named channels it is a member of, edits and
deletes its own messages, and reads the people, conversations, history and files that are visible to
it. The service sends signed events to the app's callback URL.

```sh
curl "$BASE_URL/v1/messages" \
  -H "Authorization: Bearer $BOT_TOKEN" \
  -H "Idempotency-Key: build-42:usr_38f3jy2mc002f" \
  -H "Content-Type: application/json" \
  -d '{"to": {"type": "user", "id": "usr_38f3jy2mc002f"}, "text": "Build 42 is green."}'
```

# Environments

Every environment has one base address; the paths are the same in all of them. A token that begins
with `svc_bot_live_` works in production. A token that begins with `svc_bot_test_` works in the
sandbox and in development. A token that is sent to the wrong environment is unknown there and gets
401 `invalid_auth`.

# Authentication

Send the bot token with every request to `/v1`: `Authorization: Bearer <token>`. A token belongs to
one app in one company. It does not expire and is never refreshed; it is revoked immediately when a
company admin uninstalls the app, when the operator disables the app, or when the app revokes one of
its tokens for this company. From then on every call with the token returns 401 `token_revoked`. A new
installation gets a new token and keeps the bot user; the old token stays revoked.

Never put a token in a URL. In these cases a request is refused with 400 `token_in_query`, even if it
has a valid `Authorization` header:

- a query parameter `token`, `access_token` or `bot_token` has a value;
- the value of a query parameter begins with `svc_bot_` or `svc_mcp_`;
- the prefix of a token, such as `svc_bot_test_`, is anywhere in the query.

Treat the token in the URL as leaked.

An app gets its token by the OAuth 2.0 authorization code grant. It sends a company admin to
`/oauth/authorize` with `client_id`, `redirect_uri`, `scope` and `state`, and optionally
`code_challenge` with `code_challenge_method=S256`. The admin approves, the browser returns to the
redirect URI with `code` and `state`, and the app exchanges the code within 10 minutes at
`POST /oauth/token`.

# Scopes

| Scope | Needed for |
|-|-|
| `messages:write` | `POST /v1/messages`, `PATCH` and `DELETE /v1/messages/{id}` |
| `users:read` | `GET /v1/users`, `GET /v1/users/{id}`; the `user.*` kinds of the event `directory.changed` |
| `users:read.email` | `GET /v1/users/lookup`; makes `email` appear in a user |
| `conversations:read` | `GET /v1/conversations`, `GET /v1/conversations/{id}` |
| `conversations:history` | `GET /v1/conversations/{conversation_id}/messages` |
| `files:read` | `GET /v1/conversations/{conversation_id}/files/{id}` |

`GET /v1/auth/test` needs no scope. No scope includes another. Each operation lists its scopes in
`x-scopes`; `x-scopes` of the document describes all scopes.

# Requests and responses

- Bodies are UTF-8 JSON, sent as `application/json`, uncompressed, of at most 1 MiB (1,048,576
  bytes). `POST /oauth/token` and `POST /oauth/revoke` also accept forms. A member given twice, more
  than 64 levels of nesting and a byte order mark are refused with 400 `invalid_request`. The
  character U+0000 is refused with 400 `invalid_blocks` in a block, and with 400 `invalid_request` in
  any other member.
- Every success has `ok: true`. Every failure has the error envelope as its body (see Errors).
- Members and query parameters that are not described here are ignored. There is one exception: in
  most blocks, such members are stored (see the schema `Block`). Of the optional members of a request
  only `thread_id`, and members of `metadata`, may be null. Leave out any other member that has no
  value.
- Every response has the header `X-Request-Id`; in a failure it equals `request_id`. Quote it when
  you ask for help. Every response has `Cache-Control: no-store`.
- `HEAD` works wherever `GET` does, and counts against the same limit. There is no CORS: tokens do not
  belong in browsers.
- Times are RFC 3339 in UTC with milliseconds, such as `2026-11-16T10:06:40.456Z`.
- Lengths of text count Unicode code points. Sizes in KB count the UTF-8 bytes of the value as
  compact JSON; 1 KB is 1024 bytes.

# Ids

An id is a prefix and 13 characters; the id of a request has 26 characters after its prefix. Treat
ids as opaque. In a path and in `to`, an id that does not parse, or that has the prefix of another
kind of object, gets the same 404 as an unknown id.

| Prefix | Object | Prefix | Object |
|-|-|-|-|
| `usr_` | person, or an app's bot user | `fil_` | file |
| `grp_` | group | `cmp_` | workspace |
| `chn_` | named channel of a group | `app_` | app |
| `dm_` | direct-message conversation | `evt_` | event |
| `gmsg_` | message in a group or channel | `req_` | request |
| `dmsg_` | message in a direct-message conversation | | |

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
| 400 | `invalid_blocks` | a block failed validation, or there are more than 50 |
| 400 | `invalid_cursor` | a malformed cursor, or a cursor of another list |
| 400 | `missing_idempotency_key` | a send without `Idempotency-Key` |
| 400 | `token_in_query` | the query contains a token |
| 400 | `invalid_grant` | the code is unknown, expired, used, invalidated or another app's, or `redirect_uri` or `code_verifier` does not match it |
| 400 | `unsupported_grant_type` | a grant type other than `authorization_code` |
| 401 | `not_authed` | no `Authorization` header |
| 401 | `invalid_auth` | the token does not parse or does not exist |
| 401 | `token_revoked` | the app was uninstalled or disabled, or has revoked a token of the installation |
| 401 | `invalid_client` | client id or secret did not authenticate |
| 403 | `missing_scope` | the token lacks a needed scope |
| 403 | `cannot_dm_user` | the person cannot receive a direct message from the bot |
| 403 | `not_in_conversation` | the bot was a member and was removed |
| 403 | `not_allowed_in_conversation` | the conversation is for announcements only |
| 404 | `user_not_found` | no such person, or the e-mail address is hidden from the bot |
| 404 | `conversation_not_found` | no such conversation, the bot never was a member, or the bot reads a direct or announcement-only conversation |
| 404 | `message_not_found` | no such message, already deleted, or not sent by the bot |
| 404 | `file_not_found` | no message that the bot can read in the conversation has the file, or the file was deleted |
| 404 | `not_found` | no such path, or an expired or altered link to a file |
| 406 | `not_acceptable` | `Accept` excludes `application/json` |
| 409 | `conversation_archived` | the group, or the group of the channel, is archived |
| 409 | `user_deactivated` | the person is deactivated or removed |
| 413 | `payload_too_large` | the body is over 1 MiB |
| 415 | `unsupported_media_type` | the media type, the charset or the content coding is not accepted |
| 422 | `idempotency_key_reused` | the key was sent with another body, the message of the key was edited or deleted, or the key belongs to a message of another sender |
| 429 | `rate_limited` | over a rate limit; `Retry-After` gives seconds |
| 500 | `internal_error` | an error of the server |
| 4xx | `client_error` | any other refusal, with its own status: 405 (with `Allow`), 408 (the whole body did not arrive within 10 seconds), 414, 431 |
| 5xx | `server_error` | any other error of the server, with its own status, such as 503 |

Any operation may return `client_error` and `server_error`; they are its `default` response. The code
`token_expired` is reserved and not used.

After a 500, a 503 or a lost response, repeat the request: a send is protected by its key, an edit
has the same result, and a deletion that had succeeded gets 404 `message_not_found`. The exception is
the exchange of an authorization code. If the first request has used the code, the second gets 400
`invalid_grant`, and an admin has to approve the app again.

**Order of the checks.** A request is checked in this order, and the first failure is returned:

1. path and method: 404 `not_found`, 405 `client_error`
2. a token in the query string: 400 `token_in_query`
3. the bot token: 401
4. `Accept`: 406
5. media type, charset, content coding: 415; then size: 413
6. scope: 403 `missing_scope`
7. the limits per minute and the limit `send_requests` (see Rate limits): 429
8. headers, query and body: 400. On a send the `Idempotency-Key` is checked before the body. In a body
   all other members are checked before `blocks`. In `blocks` the total size is checked first, then the
   number of blocks, and then each block
9. on a send, an `Idempotency-Key` that the bot has used before: the original response, or 422
10. the object that the request names: 404, 403, 409, in the order that each operation describes
11. on a send, a `thread_id` that is not in the destination: 400 `invalid_request`
12. on a send, the limits `send_installation` and `send_destination`: 429

On `/oauth` the order is: path and method, token in the query, `Accept`, media type and size, client
credentials (401 `invalid_client`), limit, body, and last the code (400 `invalid_grant`).

# Rate limits

| What | Limit | Counted for | Named in headers |
|-|-|-|-|
| `POST /v1/messages` | 5 per second, bursts of 20 | installation | `send_installation` |
| `POST /v1/messages` to one person, group or channel | 1 per second, bursts of 5 | installation, destination | `send_destination` |
| `POST /v1/messages`, including replays and rejected sends | 100 per second, bursts of 100 | installation | `send_requests` |
| `PATCH`, `DELETE /v1/messages/{id}` | 60 per minute | installation, operation | `edit` |
| the three lists | 20 per minute | installation, operation | `list` |
| the five single reads | 100 per minute | installation, operation | `single` |
| `POST /oauth/token`, `POST /oauth/revoke` | 20 per minute | app, operation | `oauth` |
| `POST /oauth/token`, `POST /oauth/revoke`, with wrong client credentials | 20 per minute | client id, address, operation | `oauth_failures` |
| `POST /oauth/token` and `POST /oauth/revoke` together, with a body over 16 KiB | 1 per second, bursts of 20 | address | `large_body` |

The lists are people, conversations and history; the single reads are a person, the look-up, a
conversation, a file and the token check. The limits are guaranteed minimums: requests within a limit
are never rejected, and slightly more may be accepted. A request over a limit gets 429
`rate_limited`. Wait the seconds of `Retry-After`, and repeat the request; repeat a send with the same
key.

A rejected send, and a replay of an earlier send, count only for `send_requests`, and not for
`send_installation` and `send_destination`. While a client id is over `oauth_failures` at an address,
correct credentials of this client id from this address are rejected as well.

A response reports the limits of the operation in the headers `RateLimit-Policy` (`q` requests in `w`
seconds) and `RateLimit` (`r` requests are left now; `r` increases within `t` seconds). A response has
these headers if the caller was authenticated, or if the request was over a limit. `oauth_failures`
and `large_body` are reported only in a 429 that they cause.

# Pagination

Lists take `limit` (1 to 1000, default 200; a higher value counts as 1000) and `cursor`. A response
has `next_cursor`: pass it as `cursor` to get the next page, until `next_cursor` is null. Pages go
forward only. An object that exists during the whole time in which you read the pages is returned
exactly once, even if other objects are added or deleted in this time. `limit` may change from page
to page, all other parameters must stay the same.

A cursor is opaque and does not expire. A cursor that is malformed or empty, or that belongs to
another list, conversation, filter or installation, gets 400 `invalid_cursor`, never the first page.

# Sending exactly once

Every send carries an `Idempotency-Key` that you choose: 1 to 255 visible ASCII characters, unique
per message and destination. For example, if the bot reports one build to several people,
`<build_id>:<destination_id>` is suitable. When a response is lost, send the same request again.

- **Same key, same body, within 24 hours**: the first 201 again, with `Idempotent-Replayed: true`.
  Nothing is posted, and the response is the same even if the destination no longer accepts messages
  of the bot. Bodies are compared as JSON values, so white space and the order of members do not
  matter, and `thread_id: null` equals an absent `thread_id`.
- **Same key, another body, within 24 hours**: 422 `idempotency_key_reused`. The destination is part
  of the body.
- **The message of the key was edited or deleted**: 422.
- **After 24 hours** the key is stored only for its destination. A request with the same body still
  posts nothing: it gets the first 201, or 422 if the message was edited or deleted. A request with
  another body for the same destination gets 422. A request for another destination sends a new
  message.
- **The key of another sender's message in the same destination**: 422.
- A failed request does not use up its key: you can correct the request and send it with the same
  key. Two equal requests at the same time create one message, and both get 201 with this message.

# Events

Events are `POST` requests with a JSON body to the callback URL of the app. An app has one callback
URL for all companies that have installed it; `workspace_id` in the body names the company. Respond
with any 2xx within 3 seconds and do the work afterwards. Any other response is a failure, redirects
included. After a failure up to three more attempts follow, 1, 5 and 30 minutes after the previous
attempt. The URL must be `https` with a valid certificate and TLS 1.2 or later.

| Header | Value |
|-|-|
| `X-Service-Attempt` | 1 to 4; the numbers continue when the event is delivered again on request |
| `X-Service-Timestamp` | when this attempt was signed, Unix time in seconds |
| `X-Service-Signature` | `v1=` and the lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>`, keyed with the signing secret |
| `Content-Type` | `application/json; charset=utf-8` |
| `User-Agent` | the service's name and `-events/1` |

For 24 hours after the signing secret is rotated the signature header has two values,
`v1=<new>,v1=<old>`. A receiver:

- computes the signature over the raw bytes as received, before parsing them;
- compares signatures in constant time, and accepts the event if any value of the header matches;
- refuses a timestamp older than 5 minutes;
- ignores an event whose `id` it has handled: every attempt has the same id and body;
- ignores event types and kinds it does not know.

```python
def is_genuine(secret: str, timestamp: str, signature: str, raw_body: bytes, now: float) -> bool:
    if not timestamp.isdecimal() or now - int(timestamp) > 300:
        return False
    signed = timestamp.encode() + b"." + raw_body
    expected = "v1=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    values = signature.split(",")
    return any(hmac.compare_digest(expected.encode(), v.strip().encode()) for v in values)
```

The order of events is not guaranteed. An event reports what happened, and not the present state of
the object. To detect a disconnect without events, call `GET /v1/auth/test` from time to time and look
for 401 `token_revoked`.

Attempts are logged for 14 days, with status, duration and the beginning of the response. In this
time the operator can redeliver one event, or the failed events that were created since a given time.

# Versioning

The version is the path prefix `/v1`. Within a version, changes only add operations, optional
parameters, members of responses, error codes, event types and kinds, and types of messages. A code is
never renamed or removed. If a member may get further values, `x-extensible-enum` lists the current
values: accept any value.

# Extensions of this document

| Member | Meaning |
|-|-|
| `x-scopes` | on the document: every scope with its description; on an operation: the required scopes |
| `x-limit` | the rate limit of the operation |
| `x-extensible-enum` | the current values; further values may be added |
| `x-clamp` | the maximum of a number; a higher number counts as the maximum |
| `x-max-bytes` | the maximum size of the value as compact JSON, in bytes |
| `x-alias` | another accepted name of the member |
| `x-ignored-members` | members that are accepted and ignored, whatever they hold |
| `x-also-accepts` | other media types in which the same body is accepted |
| `x-missing-code`, `x-invalid-code`, `x-max-items-code` | the error code of a value that is missing, that is malformed, or that has too many items, if the code is not `invalid_request` |
| `x-ambient-headers` | headers that any response may have |
| `x-webhooks` | the events, in OpenAPI 3.0; in OpenAPI 3.1 (`/openapi/bot-3.1.json`) they are `webhooks` |

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
    /**Revoke a bot token

Disconnects the installation of the token: all tokens of the installation are revoked immediately,
and no event is sent. Codes that were not exchanged yet can still be exchanged. If the token is
unknown, already revoked or another app's, nothing changes, and the response is the same.
`token_type_hint` is ignored.

The app authenticates by HTTP Basic with its client id and client secret, or by the body
members `client_id` and `client_secret`. If a request has both, only Basic is used.

Sends a `POST` request to `/oauth/revoke`

*/
    pub async fn revoke_token<'a>(
        &'a self,
        body: &'a types::RevokeRequest,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/oauth/revoke", self.baseurl,);
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
            operation_id: "revoke_token",
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
6749.

Sends a `POST` request to `/oauth/token`

*/
    pub async fn exchange_token<'a>(
        &'a self,
        body: &'a types::TokenRequest,
    ) -> Result<ResponseValue<types::TokenResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/oauth/token", self.baseurl,);
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
            operation_id: "exchange_token",
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
    /**Check a token

Returns the workspace, the bot user, the app, and the scopes of the token. Needs no scope. A token of a disconnected installation gets 401 `token_revoked`, so an app that polls this operation detects a disconnect without events.

Sends a `GET` request to `/v1/auth/test`

*/
    pub async fn test_auth<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::AuthTestResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/v1/auth/test", self.baseurl,);
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
            operation_id: "test_auth",
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

The groups and named channels the bot is a member of, oldest first. Direct messages, announcement-only conversations and conversations the bot was removed from are not listed. Archived groups and their channels are listed only with `include_archived`.

Sends a `GET` request to `/v1/conversations`

Arguments:
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `include_archived`: Whether to list archived groups and their channels, too. `1` and `0` are accepted as well.
- `limit`: Page size. Values above 1000 count as 1000.
- `types`: Comma-separated types to list: `channel`, `private_channel`. Unknown types are ignored. Without a known type, conversations of both types are listed.
*/
    pub async fn list_conversations<'a>(
        &'a self,
        cursor: Option<&'a types::ListConversationsCursor>,
        include_archived: Option<bool>,
        limit: Option<::std::num::NonZeroU64>,
        types: Option<&'a str>,
    ) -> Result<ResponseValue<types::ConversationPage>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/v1/conversations", self.baseurl,);
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
            .query(
                &progenitor_client::QueryParam::new(
                    "include_archived",
                    &include_archived,
                ),
            )
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("types", &types))
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
    /**Read one file

A file attached to a message the bot can read in the conversation, with a link to the file's content.
If the file is attached to no such message, or was deleted, the response is 404 `file_not_found`.
Errors of the conversation take precedence.

Access is checked when the link is issued. The link then works for 15 minutes without a token,
even if the message is deleted or the bot is removed in this time. Every call returns a new link.

Sends a `GET` request to `/v1/conversations/{conversation_id}/files/{id}`

Arguments:
- `conversation_id`: Id of a group (`grp_`) or named channel (`chn_`) the bot is a member of.
- `id`: Id of a file (`fil_`), from the `files` of a message.
*/
    pub async fn get_conversation_file<'a>(
        &'a self,
        conversation_id: &'a str,
        id: &'a str,
    ) -> Result<ResponseValue<types::FileResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/v1/conversations/{}/files/{}", self.baseurl, encode_path(&
            conversation_id.to_string()), encode_path(& id.to_string()),
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
            operation_id: "get_conversation_file",
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
    /**Read the history of a conversation

The messages of a group or named channel, newest first, including replies. The bot sees the same
messages as a person who joined at the same time: no message from before its latest join, and no
deleted message. An edited message has its new text at its original position. Archived
conversations can be read; direct messages and announcement-only conversations cannot.

Blocks and metadata are not part of the history.

Sends a `GET` request to `/v1/conversations/{conversation_id}/messages`

Arguments:
- `conversation_id`: Id of a group (`grp_`) or named channel (`chn_`) the bot is a member of.
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
*/
    pub async fn list_conversation_messages<'a>(
        &'a self,
        conversation_id: &'a str,
        cursor: Option<&'a types::ListConversationMessagesCursor>,
        limit: Option<::std::num::NonZeroU64>,
    ) -> Result<ResponseValue<types::HistoryPage>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/v1/conversations/{}/messages", self.baseurl, encode_path(&
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
            operation_id: "list_conversation_messages",
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
    /**Read one conversation

A group or named channel the bot is a member of, also if it is archived. The response is 404 `conversation_not_found` if the conversation is unknown, deleted, direct, for announcements only, or of another company, or if the bot never was a member. The response is 403 `not_in_conversation` if the bot was removed from the conversation.

Sends a `GET` request to `/v1/conversations/{id}`

Arguments:
- `id`: Id of a group (`grp_`) or named channel (`chn_`).
*/
    pub async fn get_conversation<'a>(
        &'a self,
        id: &'a str,
    ) -> Result<ResponseValue<types::ConversationResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/v1/conversations/{}", self.baseurl, encode_path(& id.to_string()),
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

People who are still onboarding can be written to.

Sends a `POST` request to `/v1/messages`

Arguments:
- `idempotency_key`: Your key for this message: 1 to 255 visible ASCII characters, unique per message and destination. A request without the header gets 400 `missing_idempotency_key`; a malformed or repeated header gets 400 `invalid_request`.
- `body`
*/
    pub async fn create_message<'a>(
        &'a self,
        idempotency_key: &'a types::CreateMessageIdempotencyKey,
        body: &'a types::MessageCreate,
    ) -> Result<ResponseValue<types::MessageResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/v1/messages", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(2usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        header_map.append("Idempotency-Key", idempotency_key.to_string().try_into()?);
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
            422u16 => {
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

Deletes a message the bot sent and erases its text, blocks, metadata and edit history. The state of
the conversation does not matter: the bot can delete its messages also in an archived group, in an
announcement-only conversation, and in a conversation that the bot was removed from. Replies to the
message lose their `thread_id`. The request has no body.

If the message is already deleted, the response is 404 `message_not_found`; treat it as success.

Sends a `DELETE` request to `/v1/messages/{id}`

Arguments:
- `id`: Id of a message the bot sent (`gmsg_` or `dmsg_`), from the response to the send.
*/
    pub async fn delete_message<'a>(
        &'a self,
        id: &'a str,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/v1/messages/{}", self.baseurl, encode_path(& id.to_string()),
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
blocked the app.

Sends a `PATCH` request to `/v1/messages/{id}`

Arguments:
- `id`: Id of a message the bot sent (`gmsg_` or `dmsg_`), from the response to the send.
- `body`
*/
    pub async fn update_message<'a>(
        &'a self,
        id: &'a str,
        body: &'a types::MessageUpdate,
    ) -> Result<ResponseValue<types::MessageResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/v1/messages/{}", self.baseurl, encode_path(& id.to_string()),
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
    /**List people

The members of the workspace and the guests that members can see, in the order in which they were added. Deactivated and removed people stay listed with `is_active: false`. Bots are never listed.

Sends a `GET` request to `/v1/users`

Arguments:
- `cursor`: The previous page's `next_cursor`; left out for the first page.
- `limit`: Page size. Values above 1000 count as 1000.
*/
    pub async fn list_users<'a>(
        &'a self,
        cursor: Option<&'a types::ListUsersCursor>,
        limit: Option<::std::num::NonZeroU64>,
    ) -> Result<ResponseValue<types::UserPage>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/v1/users", self.baseurl,);
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
    /**Find a person by e-mail address

The person with the given e-mail address. Deactivated people are found, too. Letter case does not matter. The response is the same 404 for an unknown address, for an address that its owner hides from colleagues, and for the address of a removed person or of a guest that members cannot see.

Sends a `GET` request to `/v1/users/lookup`

Arguments:
- `email`: The address, percent-encoded: write `+` as `%2B`. Text that is not an address gets 404 `user_not_found`; no address, or more than one, gets 400 `invalid_request`.
*/
    pub async fn lookup_user<'a>(
        &'a self,
        email: &'a types::LookupUserEmail,
    ) -> Result<ResponseValue<types::UserResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/v1/users/lookup", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("email", &email))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "lookup_user",
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
    /**Read one person

A member of the workspace or a guest that members can see, deactivated and removed people included. The response is 404 `user_not_found` if the id is that of a bot, of a person of another company, or of a guest that members cannot see.

Sends a `GET` request to `/v1/users/{id}`

Arguments:
- `id`: Id of a person (`usr_`).
*/
    pub async fn get_user<'a>(
        &'a self,
        id: &'a str,
    ) -> Result<ResponseValue<types::UserResult>, Error<types::ErrorEnvelope>> {
        let url = format!(
            "{}/v1/users/{}", self.baseurl, encode_path(& id.to_string()),
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
    /**Revoke a bot token

Disconnects the installation of the token: all tokens of the installation are revoked immediately,
and no event is sent. Codes that were not exchanged yet can still be exchanged. If the token is
unknown, already revoked or another app's, nothing changes, and the response is the same.
`token_type_hint` is ignored.

The app authenticates by HTTP Basic with its client id and client secret, or by the body
members `client_id` and `client_secret`. If a request has both, only Basic is used.

Sends a `POST` request to `/oauth/revoke#Form`

*/
    pub async fn revoke_token_form<'a>(
        &'a self,
        body: &'a types::RevokeRequest,
    ) -> Result<ResponseValue<types::OkResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/oauth/revoke#Form", self.baseurl,);
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
            operation_id: "revoke_token_form",
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
6749.

Sends a `POST` request to `/oauth/token#Form`

*/
    pub async fn exchange_token_form<'a>(
        &'a self,
        body: &'a types::TokenRequest,
    ) -> Result<ResponseValue<types::TokenResult>, Error<types::ErrorEnvelope>> {
        let url = format!("{}/oauth/token#Form", self.baseurl,);
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
            operation_id: "exchange_token_form",
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
}
/// Items consumers will typically use such as the Client.
pub mod prelude {
    #[allow(unused_imports)]
    pub use super::Client;
}
