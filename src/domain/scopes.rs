//! Scopes of a bot token. There are six scopes. A set of scopes is stored as an integer with one bit for each scope.

use std::fmt;

use serde::{Serialize, Serializer};

macro_rules! scopes {
    ($($(#[$doc:meta])* $item:ident = $bit:literal $text:literal,)*) => {
        /// A scope of a bot token.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Scope { $($(#[$doc])* $item,)* }

        impl Scope {
            /// All scopes, in the order in which a set is serialized.
            pub const ALL: [Self; [$($bit),*].len()] = [$(Self::$item),*];

            /// Returns the name used in the API.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$item => $text,)* }
            }

            /// Returns the scope with this name, matched exactly.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$item),)* _ => None }
            }

            const fn bit(self) -> u8 {
                match self { $(Self::$item => 1 << $bit,)* }
            }
        }
    };
}

// the bit numbers are stored in the database and must not change
scopes! {
    /// Send, edit and delete the bot's messages.
    MessagesWrite = 0 "messages:write",
    /// List and read users.
    UsersRead = 1 "users:read",
    /// Look up users by e-mail, and read their `email`.
    UsersReadEmail = 2 "users:read.email",
    /// List and read conversations.
    ConversationsRead = 3 "conversations:read",
    /// Read the history of conversations.
    ConversationsHistory = 4 "conversations:history",
    /// Read files.
    FilesRead = 5 "files:read",
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Implements the methods of `$set`, a set of scopes of the type `$scope`.
macro_rules! scope_set {
    ($set:ident of $scope:ident) => {
        impl $set {
            /// No scope.
            pub const NONE: Self = Self(0);

            /// Returns the stored form.
            #[must_use]
            pub const fn bits(self) -> i64 {
                self.0 as i64
            }

            /// Converts a stored set. Drops unknown bits, so unknown bits grant nothing.
            #[must_use]
            pub const fn from_bits(bits: i64) -> Self {
                Self(bits as u8 & Self::ALL.0)
            }

            /// Returns whether the set contains the scope.
            #[must_use]
            pub const fn contains(self, scope: $scope) -> bool {
                self.0 & scope.bit() != 0
            }

            /// Returns whether this set contains every scope of `other`.
            #[must_use]
            pub const fn contains_all(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Iterates over the scopes in fixed order.
            pub fn iter(self) -> impl Iterator<Item = $scope> {
                $scope::ALL.into_iter().filter(move |&scope| self.contains(scope))
            }
        }

        /// Formats the set as an OAuth `scope` text: names in fixed order, separated by spaces.
        impl std::fmt::Display for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                for (at, scope) in self.iter().enumerate() {
                    if at > 0 {
                        f.write_str(" ")?;
                    }
                    f.write_str(scope.name())?;
                }
                Ok(())
            }
        }
    };
}
pub(super) use scope_set;

scope_set!(Scopes of Scope);

/// A set of scopes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// All six scopes.
    pub const ALL: Self = Self((1 << Scope::ALL.len()) - 1);

    /// Returns the set of the scopes with these names; `None` if a name is unknown. Duplicates are allowed.
    #[must_use]
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        names.into_iter().map(Scope::from_name).collect()
    }

    /// Parses an OAuth `scope` text: names separated by single spaces (RFC 6749 §3.3), duplicates allowed. Returns
    /// `None` if a name is unknown, or if names are not separated by single spaces. Parses the empty text as the empty
    /// set.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() { Some(Self::NONE) } else { Self::from_names(text.split(' ')) }
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the set with the scope added.
    #[must_use]
    pub const fn with(self, scope: Scope) -> Self {
        Self(self.0 | scope.bit())
    }

    /// Returns the union of two sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the scopes that both sets contain.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the names in fixed order.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        self.iter().map(Scope::name).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        scopes.into_iter().fold(Self::NONE, Self::with)
    }
}

/// Serializes the set as an array of names.
impl Serialize for Scopes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Scope::name))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn scope_texts_are_parsed_and_formatted() {
        let set = Scopes::parse("files:read messages:write files:read").unwrap();
        assert_eq!(set.to_string(), "messages:write files:read");
        assert_eq!(set.names(), ["messages:write", "files:read"]);
        assert_eq!(serde_json::to_string(&set).unwrap(), r#"["messages:write","files:read"]"#);
        assert!(set.contains(Scope::FilesRead) && !set.contains(Scope::UsersRead));
        assert_eq!(Scopes::parse(""), Some(Scopes::NONE));
        assert_eq!(Scopes::ALL.iter().count(), 6);
        for bad in
            [" ", "users:read ", "users:read  files:read", "Users:read", "admin", "users:read,files:read"]
        {
            assert_eq!(Scopes::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn unknown_bits_grant_nothing() {
        assert_eq!(Scopes::from_bits(-1), Scopes::ALL);
        assert_eq!(Scopes::from_bits(1 << 6), Scopes::NONE);
        assert_eq!(Scopes::from_bits(1 << 20), Scopes::NONE);
    }

    proptest! {
        #[test]
        fn stored_and_text_forms_round_trip(a in 0i64..64, b in 0i64..64) {
            let (a, b) = (Scopes::from_bits(a), Scopes::from_bits(b));
            prop_assert_eq!(Scopes::parse(&a.to_string()), Some(a));
            prop_assert_eq!(Scopes::from_bits(a.bits()), a);
            prop_assert_eq!(a.iter().collect::<Scopes>(), a);
            let both = a.union(b);
            prop_assert!(both.contains_all(a) && both.contains_all(b));
            prop_assert_eq!(a.contains_all(b), a.union(b) == a);
            let common = a.intersection(b);
            prop_assert!(common.iter().all(|scope| a.contains(scope) && b.contains(scope)));
            prop_assert_eq!(a.contains_all(b), common == b);
        }
    }
}
