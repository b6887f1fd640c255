//! Public ids: a prefix for the type, and 13 characters for the object.
//!
//! Internally an id is a non-negative `i64` that increases with time. In the APIs an id is written as `usr_01jd…`: the
//! prefix and 13 lower-case Crockford base32 characters. An id grants no permission. An id that does not parse is
//! treated as not found, so parsing returns `Option` (D-020).
//!
//! Parsing accepts only texts that are the exact encoding of an id. Parsing does not allocate.

use std::fmt;

use serde::{Serialize, Serializer};

use super::conversation::ConversationKind;

/// Length of an id in characters, without its prefix. 13 characters of 5 bits have space for 63 bits.
pub const BODY_LEN: usize = 13;

/// The digits of Crockford base32 in lower case, without `i`, `l`, `o` and `u`. They are in ASCII order, so encoded ids
/// sort like their numbers.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The value of each byte as a digit: its index in [`ALPHABET`], or [`NOT_A_DIGIT`].
const DIGITS: [u8; 256] = digits();
const NOT_A_DIGIT: u8 = 0xff;

const fn digits() -> [u8; 256] {
    let mut table = [NOT_A_DIGIT; 256];
    let mut value = 0;
    while value < ALPHABET.len() {
        table[ALPHABET[value] as usize] = value as u8;
        value += 1;
    }
    table
}

/// Encodes an id in 13 characters. The id must not be negative: [`decode_body`] rejects the text of a negative number.
fn encode_body(id: i64) -> [u8; BODY_LEN] {
    let mut rest = id.cast_unsigned();
    let mut body = [b'0'; BODY_LEN];
    for digit in body.iter_mut().rev() {
        *digit = ALPHABET[(rest & 31) as usize];
        rest >>= 5;
    }
    body
}

/// Decodes exactly 13 characters. Returns `None` if the text has another length, contains a character that is not in
/// [`ALPHABET`], or has more than 63 bits.
fn decode_body(body: &str) -> Option<i64> {
    let body: &[u8; BODY_LEN] = body.as_bytes().try_into().ok()?;
    // 13 characters have 65 bits, but an id has 63 bits, so the value of the first character must be at most 7
    if DIGITS[body[0] as usize] > 7 {
        return None;
    }
    let mut id = 0i64;
    for &byte in body {
        let digit = DIGITS[byte as usize];
        if digit == NOT_A_DIGIT {
            return None;
        }
        id = id << 5 | i64::from(digit);
    }
    Some(id)
}

fn write_id(out: &mut impl fmt::Write, prefix: &str, id: i64) -> fmt::Result {
    let body = encode_body(id);
    out.write_str(prefix)?;
    out.write_str(str::from_utf8(&body).map_err(|_| fmt::Error)?)
}

fn encode_id(prefix: &str, id: i64) -> String {
    let mut text = String::with_capacity(prefix.len() + BODY_LEN);
    write_id(&mut text, prefix, id).expect("writing to a String does not fail");
    text
}

/// Declares id types with a fixed prefix.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub i64);

        impl $name {
            /// The prefix of the public text.
            pub const PREFIX: &'static str = $prefix;

            /// Returns the public text: prefix and 13 characters.
            #[must_use]
            pub fn encode(self) -> String {
                encode_id($prefix, self.0)
            }

            /// Parses a public text. Returns `None` if the text is not exactly the result of [`Self::encode`] for some
            /// id.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                text.strip_prefix($prefix).and_then(decode_body).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_id(f, $prefix, self.0)
            }
        }

        /// Serialized as the public text.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

ids! {
    /// A person or an app's bot user in one company.
    UserId = "usr_";
    /// A company.
    WorkspaceId = "cmp_";
    /// An uploaded file.
    FileId = "fil_";
    /// A registered app.
    AppId = "app_";
    /// An app installed in one company.
    InstallationId = "ins_";
    /// A signed event sent to an app.
    EventId = "evt_";
    /// A sign-in account, which has one e-mail address. The id is never part of an API; its prefix is for logs.
    AccountId = "acc_";
    /// A connection of an assistant client for an employee.
    ConnectionId = "con_";
    /// An unsent message that an assistant prepared.
    DraftId = "drf_";
    /// A tool call of an assistant, in the audit log.
    ToolCallId = "tlc_";
}

/// A group, a named channel or a direct conversation. The prefix of the public text shows which of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConversationId(pub i64);

impl ConversationId {
    /// Returns the public text: `grp_`, `chn_` or `dm_` and 13 characters.
    #[must_use]
    pub fn encode(self, kind: ConversationKind) -> String {
        encode_id(kind.prefix(), self.0)
    }

    /// Parses a public text. The returned kind is taken from the prefix, so the caller must compare it with the stored
    /// kind.
    #[must_use]
    pub fn parse(text: &str) -> Option<(ConversationKind, Self)> {
        ConversationKind::ALL
            .into_iter()
            .find_map(|kind| Some((kind, Self(decode_body(text.strip_prefix(kind.prefix())?)?))))
    }
}

/// A message. The prefix is `dmsg_` in a direct conversation, and `gmsg_` in a group or channel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MessageId(pub i64);

impl MessageId {
    /// The prefix of messages in groups and channels.
    pub const GROUP_PREFIX: &'static str = "gmsg_";
    /// The prefix of messages in direct conversations.
    pub const DM_PREFIX: &'static str = "dmsg_";

    /// Returns the public text: `dmsg_` if `in_dm` is true, `gmsg_` if it is false, and then 13 characters.
    #[must_use]
    pub fn encode(self, in_dm: bool) -> String {
        encode_id(if in_dm { Self::DM_PREFIX } else { Self::GROUP_PREFIX }, self.0)
    }

    /// Parses a public text to `(in_dm, id)`. The flag is taken from the prefix, so the caller must compare it with the
    /// kind of the stored conversation.
    #[must_use]
    pub fn parse(text: &str) -> Option<(bool, Self)> {
        let (in_dm, body) = match text.strip_prefix(Self::GROUP_PREFIX) {
            Some(body) => (false, body),
            None => (true, text.strip_prefix(Self::DM_PREFIX)?),
        };
        Some((in_dm, Self(decode_body(body)?)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_ids_are_encoded() {
        assert_eq!(UserId(0).encode(), "usr_0000000000000");
        assert_eq!(UserId(31).encode(), "usr_000000000000z");
        assert_eq!(UserId(32).to_string(), "usr_0000000000010");
        assert_eq!(FileId(i64::MAX).encode(), "fil_7zzzzzzzzzzzz");
        assert_eq!(UserId::parse("usr_7zzzzzzzzzzzz"), Some(UserId(i64::MAX)));
        assert_eq!(ConversationId(1).encode(ConversationKind::Dm), "dm_0000000000001");
        assert_eq!(MessageId(1).encode(true), "dmsg_0000000000001");
        assert_eq!(serde_json::to_string(&AppId(1)).unwrap(), "\"app_0000000000001\"");
    }

    #[test]
    fn invalid_texts_are_rejected() {
        for text in [
            "",
            "usr_",
            "usr",
            "cmp_0000000000000",
            "USR_0000000000000",
            "usr_000000000000",
            "usr_00000000000000",
            "usr_8000000000000", // 64 bits
            "usr_zzzzzzzzzzzzz",
            "usr_000000000000A",
            "usr_000000000000i",
            "usr_000000000000l",
            "usr_000000000000o",
            "usr_000000000000u",
            "usr_000000000000-",
            "usr_000000000000 ",
            " usr_000000000000",
            "usr_00000000000é",
            "usr_+000000000000",
        ] {
            assert_eq!(UserId::parse(text), None, "{text}");
        }
        assert_eq!(ConversationId::parse("usr_0000000000000"), None);
        assert_eq!(ConversationId::parse("grp_"), None);
        assert_eq!(MessageId::parse("msg_0000000000000"), None);
        assert_eq!(MessageId::parse("gmsg_dmsg_00000000"), None);
        assert_eq!(UserId::parse(&UserId(-1).encode()), None);
        assert_eq!(UserId::parse(&UserId(i64::MIN).encode()), None);
    }

    proptest! {
        #[test]
        fn ids_round_trip(id in 0..=i64::MAX, in_dm: bool) {
            prop_assert_eq!(UserId::parse(&UserId(id).encode()), Some(UserId(id)));
            for kind in ConversationKind::ALL {
                let text = ConversationId(id).encode(kind);
                prop_assert_eq!(ConversationId::parse(&text), Some((kind, ConversationId(id))));
            }
            let text = MessageId(id).encode(in_dm);
            prop_assert_eq!(MessageId::parse(&text), Some((in_dm, MessageId(id))));
        }

        #[test]
        fn texts_sort_like_ids(a in 0..=i64::MAX, b in 0..=i64::MAX) {
            prop_assert_eq!(a.cmp(&b), EventId(a).encode().cmp(&EventId(b).encode()));
        }

        #[test]
        fn parsing_then_encoding_returns_the_text(text in "usr_[0-9a-zA-Z_]{12,14}") {
            if let Some(id) = UserId::parse(&text) {
                prop_assert_eq!(id.encode(), text);
            }
        }

        #[test]
        fn parsing_never_panics(text in ".{0,24}") {
            let _ = (UserId::parse(&text), ConversationId::parse(&text), MessageId::parse(&text));
        }
    }
}
