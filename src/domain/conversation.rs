//! Kinds of conversations and types of messages, with their stored codes and public names.

/// Declares an enum whose values are stored as small integers and have public names.
macro_rules! coded {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $code:literal $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$item_doc])* $item = $code,)* }

        impl $name {
            /// All values, in the order of their codes.
            pub const ALL: [Self; [$($code),*].len()] = [$(Self::$item),*];

            /// Returns the number that is stored for the value. The number of a value must never change.
            #[must_use]
            pub const fn code(self) -> i64 {
                self as i64
            }

            /// Returns the value with this stored number.
            #[must_use]
            pub const fn from_code(code: i64) -> Option<Self> {
                match code { $($code => Some(Self::$item),)* _ => None }
            }

            /// Returns the public name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$item => $text,)* }
            }

            /// Returns the value with this public name, matched exactly.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$item),)* _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
pub(super) use coded;

coded! {
    /// The kind of a conversation. `name()` is the value of `kind` in the admin API.
    ConversationKind {
        /// A group. It has its own members, type and archived state.
        Group = 0 "group",
        /// A named channel of a group. It has the type and archived state of its group.
        Channel = 1 "channel",
        /// A direct conversation of two users.
        Dm = 2 "dm",
    }
}

impl ConversationKind {
    /// Returns the prefix of the public ids of conversations of this kind.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Group => "grp_",
            Self::Channel => "chn_",
            Self::Dm => "dm_",
        }
    }

    /// Returns whether this is the kind of a direct conversation. The ids of messages begin with `dmsg_` in direct
    /// conversations, and with `gmsg_` in all other conversations.
    #[must_use]
    pub const fn is_dm(self) -> bool {
        matches!(self, Self::Dm)
    }
}

/// Returns the public `type` of a group or channel: `channel` if every employee may join it, `private_channel` if not.
#[must_use]
pub const fn type_name(is_private: bool) -> &'static str {
    if is_private { "private_channel" } else { "channel" }
}

coded! {
    /// The public `type` of a message.
    MessageType {
        /// A text. Every message of a bot has this type, even a message with blocks (D-129).
        Text = 0 "text",
        Image = 1 "image",
        File = 2 "file",
        /// A notice, for example that a user has joined. It has no sender. People see its text; for bots the text is
        /// null (B-130).
        System = 3 "system",
        Audio = 4 "audio",
        Video = 5 "video",
        Location = 6 "location",
        Contact = 7 "contact",
        Call = 8 "call",
        Poll = 9 "poll",
        Survey = 10 "survey",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_one_to_one() {
        assert_eq!(MessageType::ALL.len(), 11);
        for (at, value) in MessageType::ALL.into_iter().enumerate() {
            assert_eq!(value.code(), i64::try_from(at).unwrap());
            assert_eq!(MessageType::from_code(value.code()), Some(value));
            assert_eq!(MessageType::from_name(value.name()), Some(value));
        }
        for value in ConversationKind::ALL {
            assert_eq!(ConversationKind::from_code(value.code()), Some(value));
            assert_eq!(ConversationKind::from_name(value.name()), Some(value));
        }
        assert_eq!(MessageType::from_code(11), None);
        assert_eq!(MessageType::from_code(-1), None);
        assert_eq!(MessageType::from_name("Text"), None);
        assert_eq!(MessageType::Survey.to_string(), "survey");
    }

    #[test]
    fn privacy_determines_the_public_type() {
        assert_eq!((type_name(false), type_name(true)), ("channel", "private_channel"));
        assert!(ConversationKind::Dm.is_dm() && !ConversationKind::Channel.is_dm());
    }
}
