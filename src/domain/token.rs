//! The text format of secrets and client ids: `prefix + 43 random characters + 6 checksum characters`.
//!
//! The prefix identifies the kind to people and secret scanners. The 43 base62 characters are 256 random bits. The
//! checksum is the CRC32 of everything before it. With the checksum the server rejects a mistyped token without a
//! look-up; the security of a token does not depend on the checksum.
//!
//! Access and refresh tokens have 60 characters in place of the 43, with 160 random bits.
//! [`super::connection_token`] creates them. Older access and refresh tokens with 43 characters remain valid.
//!
//! The database stores only the [`hash`] of a secret, except signing secrets, which the server must read back
//! (`store::secrets`). A plain SHA-256 is sufficient, because every secret has at least 160 random bits.

use sha2::{Digest as _, Sha256};

use super::base62;

const RANDOM_LEN: usize = 43;
const CHECKSUM_LEN: usize = 6;
/// Length of the body of a connection's token, in base 62 digits: the body has 352 bits ([`super::connection_token`]),
/// and 62^60 > 2^352.
pub(super) const CONNECTION_BODY_CHARS: usize = 60;

/// The purpose of a token; each kind has its own prefix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// Bot token in production.
    BotLive,
    /// Bot token in the environments `sandbox` and `dev` (B-036, D-037).
    BotTest,
    /// Operator key of the admin API.
    Operator,
    /// Session of the admin API or of the pages.
    Session,
    /// Client id of an app. It is public; it has the format of a token so that it can be recognized.
    ClientId,
    /// An app's client secret.
    ClientSecret,
    /// An app's event signing secret.
    SigningSecret,
    /// Install code: the OAuth authorization code that an app exchanges for its bot token.
    InstallCode,
    /// Id of a registered assistant client. It is public; it has the format of a token so that it can be recognized.
    AssistantClientId,
    /// Secret of a registered assistant client.
    AssistantClientSecret,
    /// Authorization code of an assistant connection.
    AssistantCode,
    /// Access token of an assistant connection, in production.
    AccessLive,
    /// Access token of an assistant connection, outside production (D-305).
    AccessTest,
    /// Refresh token of an assistant connection, in production.
    RefreshLive,
    /// Refresh token of an assistant connection, outside production.
    RefreshTest,
    /// Id of an assistant client's authorization request on which the employee has not decided yet.
    AuthorizationRequest,
}

impl TokenKind {
    /// All kinds.
    pub const ALL: [Self; 16] = [
        Self::BotLive,
        Self::BotTest,
        Self::Operator,
        Self::Session,
        Self::ClientId,
        Self::ClientSecret,
        Self::SigningSecret,
        Self::InstallCode,
        Self::AssistantClientId,
        Self::AssistantClientSecret,
        Self::AssistantCode,
        Self::AccessLive,
        Self::AccessTest,
        Self::RefreshLive,
        Self::RefreshTest,
        Self::AuthorizationRequest,
    ];

    /// Returns the prefix of this kind. No prefix is the beginning of another prefix.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::BotLive => "svc_bot_live_",
            Self::BotTest => "svc_bot_test_",
            Self::Operator => "svc_op_",
            Self::Session => "svc_ses_",
            Self::ClientId => "svc_app_",
            Self::ClientSecret => "svc_sec_",
            Self::SigningSecret => "whsec_",
            Self::InstallCode => "svc_code_",
            Self::AssistantClientId => "mcpc_",
            Self::AssistantClientSecret => "svc_msec_",
            Self::AssistantCode => "svc_mcp_code_",
            Self::AccessLive => "svc_mcp_at_live_",
            Self::AccessTest => "svc_mcp_at_test_",
            Self::RefreshLive => "svc_mcp_rt_live_",
            Self::RefreshTest => "svc_mcp_rt_test_",
            // not `svc_mcp_…`, because the id of a request is part of URLs, and the server treats a value with the
            // prefix `svc_mcp_` in a URL as a leaked token
            Self::AuthorizationRequest => "svc_areq_",
        }
    }

    /// Returns the kind of bot token that an environment issues and accepts: live in production, and test in other
    /// environments.
    #[must_use]
    pub const fn bot(production: bool) -> Self {
        if production { Self::BotLive } else { Self::BotTest }
    }

    /// Returns the kind of access token that an environment issues and accepts.
    #[must_use]
    pub const fn access(production: bool) -> Self {
        if production { Self::AccessLive } else { Self::AccessTest }
    }

    /// Returns the kind of refresh token that an environment issues and accepts.
    #[must_use]
    pub const fn refresh(production: bool) -> Self {
        if production { Self::RefreshLive } else { Self::RefreshTest }
    }

    /// Returns whether this is the kind of an access or refresh token, of any environment.
    #[must_use]
    pub const fn is_of_connection(self) -> bool {
        matches!(self, Self::AccessLive | Self::AccessTest | Self::RefreshLive | Self::RefreshTest)
    }

    /// Returns the kind that the prefix of a text names. Does not check the rest of the text.
    #[must_use]
    pub fn from_prefix(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| text.starts_with(kind.prefix()))
    }
}

/// Creates a token from 32 new bytes of a cryptographic random number generator.
#[must_use]
pub fn mint(kind: TokenKind, random: &[u8; 32]) -> String {
    with_checksum(kind, &base62::encode::<32, RANDOM_LEN>(random))
}

/// Returns the text of a token: the prefix, the ASCII body and the checksum of both.
#[must_use]
pub fn with_checksum(kind: TokenKind, body: &[u8]) -> String {
    let prefix = kind.prefix();
    let mut text = String::with_capacity(prefix.len() + body.len() + CHECKSUM_LEN);
    text.push_str(prefix);
    text.extend(body.iter().copied().map(char::from));
    let sum = checksum(text.as_bytes());
    text.extend(sum.map(char::from));
    text
}

/// Returns the kind of a text with a known prefix and the right length, alphabet and checksum. Returns `None` for any
/// other text.
#[must_use]
pub fn parse(text: &str) -> Option<TokenKind> {
    let kind = TokenKind::from_prefix(text)?;
    let rest = &text.as_bytes()[kind.prefix().len()..];
    let is_long = kind.is_of_connection() && rest.len() == CONNECTION_BODY_CHARS + CHECKSUM_LEN;
    if !is_long && rest.len() != RANDOM_LEN + CHECKSUM_LEN || !rest.iter().all(u8::is_ascii_alphanumeric) {
        return None;
    }
    let (before, sum) = text.as_bytes().split_last_chunk::<CHECKSUM_LEN>()?;
    (*sum == checksum(before)).then_some(kind)
}

/// Returns the part between the prefix and the checksum of a text of this kind. Does not verify the checksum.
#[must_use]
pub fn body(kind: TokenKind, text: &str) -> Option<&str> {
    let rest = text.strip_prefix(kind.prefix())?;
    rest.get(..rest.len().checked_sub(CHECKSUM_LEN)?)
}

/// Returns the SHA-256 of the whole text, by which a token is stored and looked up.
#[must_use]
pub fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Returns whether a text contains, at any position, the prefix of a bot token or of an assistant's authorization code,
/// access token or refresh token. The whole prefix must match, including the environment, so that similar words are not
/// mistaken for tokens.
#[must_use]
pub fn contains_token(text: &[u8]) -> bool {
    const COMMON: &[u8] = b"svc_";
    let begins = |rest: &[u8]| DETECTED.iter().any(|kind| rest.starts_with(kind.prefix().as_bytes()));
    text.windows(COMMON.len()).enumerate().any(|(at, window)| window == COMMON && begins(&text[at..]))
}

/// The kinds that [`contains_token`] detects.
const DETECTED: [TokenKind; 7] = [
    TokenKind::BotLive,
    TokenKind::BotTest,
    TokenKind::AssistantCode,
    TokenKind::AccessLive,
    TokenKind::AccessTest,
    TokenKind::RefreshLive,
    TokenKind::RefreshTest,
];

/// Returns the CRC32 (IEEE) in base 62. Six digits suffice, because 62^6 > 2^32.
fn checksum(text: &[u8]) -> [u8; CHECKSUM_LEN] {
    base62::encode(&crc32fast::hash(text).to_be_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_have_prefix_body_and_checksum() {
        let zero = mint(TokenKind::BotTest, &[0; 32]);
        assert!(zero.starts_with("svc_bot_test_0000000000000000000000000000000000000000000"));
        assert_eq!(zero.len(), 13 + 43 + 6);
        assert_eq!(parse(&zero), Some(TokenKind::BotTest));
        assert_eq!(body(TokenKind::BotTest, &zero), Some(&*"0".repeat(43)));
        assert_eq!(
            (body(TokenKind::BotLive, &zero), body(TokenKind::BotTest, "svc_bot_test_0")),
            (None, None)
        );
    }

    #[test]
    fn only_connection_tokens_may_have_a_body_of_60_characters() {
        for kind in TokenKind::ALL {
            let long = with_checksum(kind, &[b'a'; 60]);
            assert_eq!(parse(&long), Some(kind).filter(|kind| kind.is_of_connection()), "{kind:?}");
            for other in [42, 44, 59, 61] {
                assert_eq!(parse(&with_checksum(kind, &vec![b'a'; other])), None, "{kind:?} {other}");
            }
        }
    }

    #[test]
    fn prefixes_do_not_overlap() {
        for a in TokenKind::ALL {
            for b in TokenKind::ALL {
                assert!(a == b || !a.prefix().starts_with(b.prefix()));
            }
        }
        assert_eq!(TokenKind::from_prefix("svc_op_"), Some(TokenKind::Operator));
        assert_eq!(TokenKind::from_prefix("svc_mcp_at_live_x"), Some(TokenKind::AccessLive));
        assert_eq!((TokenKind::bot(true), TokenKind::bot(false)), (TokenKind::BotLive, TokenKind::BotTest));
    }

    #[test]
    fn the_checksum_covers_the_prefix() {
        let live = mint(TokenKind::BotLive, &[1; 32]);
        assert_eq!(parse(&live.replace("live", "test")), None);
    }

    #[test]
    fn prefixes_of_detected_kinds_are_found_anywhere_in_a_text() {
        for kind in TokenKind::ALL {
            let text = format!("a {}1", mint(kind, &[3; 32]));
            let is_sought = kind.prefix().starts_with("svc_bot_") || kind.prefix().starts_with("svc_mcp_");
            assert_eq!(contains_token(text.as_bytes()), is_sought, "{kind:?}");
        }
        for text in ["", "svc", "svc_", "svc_bot_", "svc_bot_stage_", "SVC_BOT_LIVE_", "svc_svc_"] {
            assert!(!contains_token(text.as_bytes()), "{text}");
        }
        assert!(contains_token(b"svc_svc_bot_live_"));
    }

    proptest! {
        #[test]
        fn minted_tokens_parse(random: [u8; 32], other: [u8; 32]) {
            for kind in TokenKind::ALL {
                let text = mint(kind, &random);
                prop_assert_eq!(parse(&text), Some(kind));
                prop_assert_eq!(mint(kind, &other) == text, other == random);
                prop_assert_eq!(hash(&text), hash(&text.clone()));
            }
        }

        #[test]
        fn one_changed_character_is_refused(random: [u8; 32], at in 0usize..62, new in "[ -~]") {
            let text = mint(TokenKind::BotLive, &random);
            let changed = format!("{}{new}{}", &text[..at], &text[at + 1..]);
            prop_assert_eq!(parse(&changed).is_some(), changed == text);
        }

        #[test]
        fn other_lengths_are_refused(random: [u8; 32], more in "[0-9A-Za-z]{1,8}") {
            let text = mint(TokenKind::Session, &random);
            prop_assert_eq!(parse(&format!("{text}{more}")), None);
            prop_assert_eq!(parse(&text[..text.len() - more.len()]), None);
        }

        #[test]
        fn parsing_never_panics(text in "(svc_bot_live_)?.{0,60}") {
            prop_assert_eq!(parse(&text), None);
        }
    }
}
