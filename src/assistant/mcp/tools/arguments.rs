//! Arguments of tools. The declaration of an argument ([`Arg`]) is the source of its JSON Schema, its validation and
//! its documentation.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::{
    domain::{
        ids::{ConversationId, DraftId, FileId, MessageId, UserId},
        json_fingerprint::fingerprint,
        message::{MAX_KEY_LEN, client_key_hash, key_hash},
        time::Timestamp,
    },
    service::{
        employee::{ConversationRef, PersonRef, access::Span, drafts::IdempotencyKey},
        messages::NamedMessage,
        paging::PageRequest,
    },
};

/// One argument of a tool.
#[derive(Debug)]
pub(super) struct Arg {
    pub name: &'static str,
    pub kind: ArgumentKind,
    pub required: bool,
    pub about: &'static str,
}

/// Type of an argument.
#[derive(Debug)]
pub(super) enum ArgumentKind {
    /// Text of 1 to this number of characters.
    Text(usize),
    Flag,
    /// Integer from 1 to the variant's first number. The variant's second number is the default.
    Count(u32, u32),
    /// RFC 3339 time.
    Time,
    OneOf(&'static [&'static str]),
    SomeOf(&'static [&'static str]),
    /// Id that begins with one of these prefixes.
    Id(&'static [&'static str]),
    /// User id or e-mail address.
    Person,
    /// 1 to 255 visible ASCII characters.
    Key,
}

impl Arg {
    pub(super) const fn required(name: &'static str, kind: ArgumentKind, about: &'static str) -> Self {
        Self { name, kind, required: true, about }
    }

    pub(super) const fn optional(name: &'static str, kind: ArgumentKind, about: &'static str) -> Self {
        Self { name, kind, required: false, about }
    }
}

pub(super) const CONVERSATIONS: ArgumentKind = ArgumentKind::Id(&["grp_", "chn_", "dm_"]);
pub(super) const MESSAGES: ArgumentKind = ArgumentKind::Id(&["gmsg_", "dmsg_"]);
pub(super) const CURSOR: Arg = Arg::optional(
    "cursor",
    ArgumentKind::Text(200),
    "The next_cursor of the previous page. All other arguments except limit have to be the same.",
);
pub(super) const IDEMPOTENCY_KEY: Arg = Arg::optional(
    "idempotency_key",
    ArgumentKind::Key,
    "Any text that identifies this call. If you do not know whether the call succeeded, repeat it with the same key: \
     the call is carried out once, and the repeated call reports the present state of the draft or message. A key \
     is kept for 24 hours.",
);

impl ArgumentKind {
    fn schema(&self) -> Value {
        match self {
            Self::Text(most) => json!({"type": "string", "minLength": 1, "maxLength": most}),
            Self::Flag => json!({"type": "boolean", "default": false}),
            Self::Count(most, default) => {
                json!({"type": "integer", "minimum": 1, "maximum": most, "default": default})
            }
            Self::Time => json!({"type": "string", "format": "date-time"}),
            Self::OneOf(words) => json!({"type": "string", "enum": words}),
            Self::SomeOf(words) => {
                json!({"type": "array", "items": {"type": "string", "enum": words}, "minItems": 1})
            }
            Self::Id(prefixes) => {
                json!({"type": "string", "pattern": format!("^({})", prefixes.join("|"))})
            }
            Self::Person => json!({"type": "string", "pattern": "^usr_|@"}),
            Self::Key => json!({"type": "string", "pattern": "^[\\x21-\\x7E]{1,255}$"}),
        }
    }

    /// Describes the valid values. The returned text can follow the words "must be" in a sentence.
    pub(super) fn must_be(&self) -> String {
        match self {
            Self::Text(most) => format!("a text of 1 to {most} characters"),
            Self::Flag => "true or false".into(),
            Self::Count(most, _) => format!("an integer from 1 to {most}"),
            Self::Time => "a time as in 2026-11-20T12:00:00Z (RFC 3339)".into(),
            Self::OneOf(words) => format!("one of {}", words.join(", ")),
            Self::SomeOf(words) => format!("a list of at least one of {}", words.join(", ")),
            Self::Id(prefixes) => format!("an id that begins with {}", prefixes.join(" or ")),
            Self::Person => "an id that begins with usr_, or an e-mail address".into(),
            Self::Key => format!("a text of 1 to {MAX_KEY_LEN} visible ASCII characters without spaces"),
        }
    }

    fn accepts(&self, value: &Value) -> bool {
        let text = || value.as_str().filter(|text| !text.contains('\0'));
        match self {
            Self::Text(most) => text().is_some_and(|t| !t.is_empty() && t.chars().nth(*most).is_none()),
            Self::Flag => value.is_boolean(),
            Self::Count(most, _) => whole_number(value).is_some_and(|n| (1..=i64::from(*most)).contains(&n)),
            Self::Time => text().is_some_and(|text| Timestamp::parse(text).is_some()),
            Self::OneOf(words) => text().is_some_and(|text| words.contains(&text)),
            Self::SomeOf(words) => value.as_array().is_some_and(|all| {
                !all.is_empty() && all.iter().all(|item| item.as_str().is_some_and(|t| words.contains(&t)))
            }),
            Self::Id(prefixes) => text().is_some_and(|text| prefixes.iter().any(|p| text.starts_with(p))),
            Self::Person => text().is_some_and(|text| text.starts_with("usr_") || text.contains('@')),
            Self::Key => {
                text().is_some_and(|text| crate::domain::message::check_key(text.as_bytes()).is_ok())
            }
        }
    }
}

/// Returns the value if it is a whole number. `5.0` counts as a whole number, but a float whose absolute value is 10^9
/// or more does not.
#[expect(clippy::cast_possible_truncation, reason = "the number is whole, and less than 10^9")]
fn whole_number(value: &Value) -> Option<i64> {
    let is_whole = |n: &f64| n.fract() == 0.0 && n.abs() < 1e9;
    value.as_i64().or_else(|| value.as_f64().filter(is_whole).map(|n| n as i64))
}

/// Returns the JSON Schema of a tool's arguments.
pub(super) fn schema(arguments: &[Arg]) -> Value {
    let mut properties = Map::new();
    for arg in arguments {
        let mut schema = arg.kind.schema();
        schema["description"] = arg.about.into();
        properties.insert(arg.name.into(), schema);
    }
    let required: Vec<_> = arguments.iter().filter(|arg| arg.required).map(|arg| arg.name).collect();
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

/// Validated arguments.
pub(super) struct ValidatedArguments<'a>(&'a Map<String, Value>);

impl<'a> ValidatedArguments<'a> {
    /// Validates the arguments of a call against `arguments`.
    ///
    /// # Errors
    /// A sentence for the assistant that describes an unknown argument, the first missing or invalid argument, or a
    /// call with both `conversation` and `person`.
    pub(super) fn read(arguments: &[Arg], given: &'a Map<String, Value>) -> Result<Self, String> {
        for name in given.keys() {
            if !arguments.iter().any(|arg| arg.name == name) {
                let names: Vec<_> = arguments.iter().map(|arg| format!("`{}`", arg.name)).collect();
                let short: String = name.chars().take(64).collect();
                let mut why = format!("`{short}` is not an argument of this tool");
                if names.is_empty() {
                    why.push_str("; it takes none");
                } else {
                    let _ = write!(why, "; it takes {}", names.join(", "));
                }
                return Err(why);
            }
        }
        for arg in arguments {
            match given.get(arg.name) {
                None if arg.required => return Err(format!("`{}` is required", arg.name)),
                Some(value) if !arg.kind.accepts(value) => {
                    return Err(format!("`{}` must be {}", arg.name, arg.kind.must_be()));
                }
                _ => {}
            }
        }
        // If the server ignored `conversation` or `person`, a message could be sent to the wrong conversation.
        if given.contains_key("conversation") && given.contains_key("person") {
            return Err("give `conversation` or `person`, not both".to_owned());
        }
        Ok(Self(given))
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    pub(super) fn list(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// Returns `limit` and `cursor`. Without `limit`, returns `default` in its place.
    pub(super) fn page(&self, default: u32) -> PageRequest<'a> {
        let limit = self.0.get("limit").and_then(whole_number).and_then(|n| u32::try_from(n).ok());
        PageRequest { limit: limit.unwrap_or(default), cursor: self.text("cursor") }
    }

    /// Returns `after` and `before`.
    pub(super) fn span(&self) -> Span {
        let time = |name| self.text(name).and_then(Timestamp::parse);
        Span { after: time("after"), before: time("before") }
    }

    /// Returns the conversation that `conversation` or `person` names; `None` if neither is given.
    pub(super) fn conversation(&self) -> Option<ConversationRef> {
        let conversation =
            self.text("conversation").map(|id| ConversationRef::Conversation(ConversationId::parse(id)));
        conversation.or_else(|| self.person("person").map(ConversationRef::Person))
    }

    pub(super) fn person(&self, name: &str) -> Option<PersonRef> {
        self.text(name).map(|text| {
            if text.contains('@') {
                PersonRef::Email(text.to_owned())
            } else {
                PersonRef::Id(UserId::parse(text))
            }
        })
    }

    pub(super) fn message(&self, name: &str) -> Option<NamedMessage> {
        self.text(name).map(MessageId::parse)
    }

    /// Returns `draft_id`: `None` if it is not given, and `Some(None)` for text that is not a draft id.
    pub(super) fn draft(&self) -> Option<Option<DraftId>> {
        self.text("draft_id").map(DraftId::parse)
    }

    /// Returns `file_id`; `None` if it is not given, and for text that is not a file id.
    pub(super) fn file(&self) -> Option<FileId> {
        self.text("file_id").and_then(FileId::parse)
    }

    /// Returns the idempotency key of a call of `tool`; `None` without the argument `idempotency_key`. The returned key
    /// contains a fingerprint of the tool's name and the other arguments.
    pub(super) fn key(&self, tool: &str, client_id: &str) -> Option<IdempotencyKey> {
        let key = self.text("idempotency_key")?;
        let mut fingerprinted = self.0.clone();
        // in the fingerprint, the name of the tool takes the place of the key
        fingerprinted.insert("idempotency_key".into(), tool.into());
        Some(IdempotencyKey {
            key_hash: client_key_hash(client_id, key),
            shared_hash: key_hash(key),
            fingerprint: fingerprint(&Value::Object(fingerprinted)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARGUMENTS: &[Arg] = &[
        Arg::required("conversation", CONVERSATIONS, ""),
        Arg::optional("limit", ArgumentKind::Count(200, 50), ""),
        Arg::optional("after", ArgumentKind::Time, ""),
        Arg::optional("from", ArgumentKind::Person, ""),
        Arg::optional("types", ArgumentKind::SomeOf(&["group", "dm"]), ""),
        Arg::optional("text", ArgumentKind::Text(3), ""),
        IDEMPOTENCY_KEY,
    ];

    /// Returns the reason why a call with these arguments is rejected; an empty text if the call is valid.
    fn rejection(members: Value) -> String {
        let mut all = json!({"conversation": "grp_1"});
        for (name, value) in members.as_object().unwrap() {
            all[name] = value.clone();
        }
        ValidatedArguments::read(ARGUMENTS, all.as_object().unwrap()).err().unwrap_or_default()
    }

    #[test]
    fn rejections_say_what_is_valid() {
        assert_eq!(
            ValidatedArguments::read(ARGUMENTS, &Map::new()).err().unwrap(),
            "`conversation` is required"
        );
        let limit = "`limit` must be an integer from 1 to 200";
        for (members, message) in [
            (json!({}), ""),
            (json!({"limit": 200, "after": "2026-11-20T12:00:00+01:00", "text": "äöü"}), ""),
            (json!({"limit": 5.0, "from": "ann@example.com", "types": ["dm", "group"]}), ""),
            (json!({"limit": 0}), limit),
            (json!({"limit": 201}), limit),
            (json!({"limit": "5"}), limit),
            (json!({"limit": 1.5}), limit),
            (json!({"limit": null}), limit),
            (
                json!({"conversation": "usr_1"}),
                "`conversation` must be an id that begins with grp_ or chn_ or dm_",
            ),
            (json!({"after": "yesterday"}), "`after` must be a time as in 2026-11-20T12:00:00Z (RFC 3339)"),
            (json!({"from": "Ann"}), "`from` must be an id that begins with usr_, or an e-mail address"),
            (json!({"types": []}), "`types` must be a list of at least one of group, dm"),
            (json!({"text": "four"}), "`text` must be a text of 1 to 3 characters"),
            (json!({"text": "a\0"}), "`text` must be a text of 1 to 3 characters"),
            (
                json!({"idempotency_key": "a b"}),
                "`idempotency_key` must be a text of 1 to 255 visible ASCII characters without spaces",
            ),
        ] {
            assert_eq!(rejection(members.clone()), message, "{members}");
        }
        let unknown = rejection(json!({"channel": "x"}));
        assert!(
            unknown
                .starts_with("`channel` is not an argument of this tool; it takes `conversation`, `limit`")
        );
    }

    #[test]
    fn fingerprints_depend_on_the_tool_and_the_arguments() {
        let key = |value: Value, tool: &str| {
            let given = value.as_object().unwrap().clone();
            ValidatedArguments(&given).key(tool, "client").unwrap()
        };
        let first = key(json!({"idempotency_key": "k", "text": "a"}), "draft_message");
        assert_eq!(first, key(json!({"text": "a", "idempotency_key": "k"}), "draft_message"));
        assert_ne!(first, key(json!({"text": "b", "idempotency_key": "k"}), "draft_message"));
        assert_ne!(first, key(json!({"text": "a", "idempotency_key": "k"}), "send_draft"));
    }
}
