//! The textual form of secrets and client ids: `prefix + 43 random characters + 6 characters of checksum`.
//!
//! The prefix tells people and secret scanners what they found. The 43 base62 characters are 256 random bits. The
//! checksum (CRC32 of everything before it) lets a mistyped or invented token be refused without a look-up; it is
//! no protection, the random part is. The store keeps only [`hash`]: with 256 random bits a plain SHA-256 is enough.
//!
//! Access and refresh tokens have 60 characters in place of the 43, which [`super::connection_token`] makes. Those that
//! were given out before have the 43 and are as good.

use sha2::{Digest as _, Sha256};

use super::{base62, connection_token};

const RANDOM_LEN: usize = 43;
const CHECKSUM_LEN: usize = 6;

/// What a token is for; each kind has its own prefix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Bot token of production.
    BotLive,
    /// Bot token of the sandbox and of dev (D-037).
    BotTest,
    /// Operator key of the admin API.
    Operator,
    /// Session of the admin API.
    Session,
    /// An app's client id (public; same form so that it is recognised).
    ClientId,
    /// An app's client secret.
    ClientSecret,
    /// An app's event signing secret.
    SigningSecret,
    /// Authorization code of a bot install.
    InstallCode,
    /// Id of a registered assistant client (public; same form so that it is recognised).
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
    /// Authorization request of an assistant client that waits for a decision.
    AuthorizationRequest,
}

impl Kind {
    /// Every kind.
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

    /// What texts of this kind begin with. No prefix begins with another one.
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
            // not `svc_mcp_…`: it stands in addresses, where such a value is taken for a token that leaked
            Self::AuthorizationRequest => "svc_areq_",
        }
    }

    /// The kind of bot token an environment issues and accepts: live in production, test everywhere else.
    #[must_use]
    pub const fn bot(production: bool) -> Self {
        if production { Self::BotLive } else { Self::BotTest }
    }

    /// The kind of access token an environment issues and accepts.
    #[must_use]
    pub const fn access(production: bool) -> Self {
        if production { Self::AccessLive } else { Self::AccessTest }
    }

    /// The kind of refresh token an environment issues and accepts.
    #[must_use]
    pub const fn refresh(production: bool) -> Self {
        if production { Self::RefreshLive } else { Self::RefreshTest }
    }

    /// Whether it is an access or refresh token, of any environment.
    #[must_use]
    pub const fn is_of_connection(self) -> bool {
        matches!(self, Self::AccessLive | Self::AccessTest | Self::RefreshLive | Self::RefreshTest)
    }

    /// The kind a text claims by its prefix; the rest is not looked at.
    #[must_use]
    pub fn claimed(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| text.starts_with(kind.prefix()))
    }
}

/// Makes the text of 32 bytes, which must be fresh from a cryptographic random source.
#[must_use]
pub fn mint(kind: Kind, random: &[u8; 32]) -> String {
    with_checksum(kind, &base62::encode::<32, RANDOM_LEN>(random))
}

/// Prefix, these ASCII characters, and the checksum of both.
#[must_use]
pub fn with_checksum(kind: Kind, body: &[u8]) -> String {
    let prefix = kind.prefix();
    let mut text = String::with_capacity(prefix.len() + body.len() + CHECKSUM_LEN);
    text.push_str(prefix);
    text.extend(body.iter().copied().map(char::from));
    let sum = checksum(text.as_bytes());
    text.extend(sum.map(char::from));
    text
}

/// The kind of a text that could have been made here: known prefix, length, alphabet and checksum.
#[must_use]
pub fn parse(text: &str) -> Option<Kind> {
    let kind = Kind::claimed(text)?;
    let rest = &text.as_bytes()[kind.prefix().len()..];
    let is_long = kind.is_of_connection() && rest.len() == connection_token::BODY_CHARS + CHECKSUM_LEN;
    if !is_long && rest.len() != RANDOM_LEN + CHECKSUM_LEN || !rest.iter().all(u8::is_ascii_alphanumeric) {
        return None;
    }
    let (before, sum) = text.as_bytes().split_last_chunk::<CHECKSUM_LEN>()?;
    (*sum == checksum(before)).then_some(kind)
}

/// What stands between prefix and checksum of a text of this kind; its checksum is not looked at.
#[must_use]
pub fn body(kind: Kind, text: &str) -> Option<&str> {
    let rest = text.strip_prefix(kind.prefix())?;
    rest.get(..rest.len().checked_sub(CHECKSUM_LEN)?)
}

/// SHA-256 of the whole text: how a token is stored and found.
#[must_use]
pub fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Whether a text holds, anywhere, what tokens of bots and assistants begin with: the whole prefix, environment
/// included, so that words that are merely like it are not taken for one.
#[must_use]
pub fn is_within(text: &[u8]) -> bool {
    const COMMON: &[u8] = b"svc_";
    let begins = |rest: &[u8]| SOUGHT.iter().any(|kind| rest.starts_with(kind.prefix().as_bytes()));
    text.windows(COMMON.len()).enumerate().any(|(at, window)| window == COMMON && begins(&text[at..]))
}

/// The kinds that [`is_within`] finds.
const SOUGHT: [Kind; 7] = [
    Kind::BotLive,
    Kind::BotTest,
    Kind::AssistantCode,
    Kind::AccessLive,
    Kind::AccessTest,
    Kind::RefreshLive,
    Kind::RefreshTest,
];

/// CRC32 (IEEE) in base 62; 62^6 > 2^32, so it always fits.
fn checksum(text: &[u8]) -> [u8; CHECKSUM_LEN] {
    base62::encode(&crc32fast::hash(text).to_be_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn form() {
        let zero = mint(Kind::BotTest, &[0; 32]);
        assert!(zero.starts_with("svc_bot_test_0000000000000000000000000000000000000000000"));
        assert_eq!(zero.len(), 13 + 43 + 6);
        assert_eq!(parse(&zero), Some(Kind::BotTest));
        assert_eq!(body(Kind::BotTest, &zero), Some(&*"0".repeat(43)));
        assert_eq!((body(Kind::BotLive, &zero), body(Kind::BotTest, "svc_bot_test_0")), (None, None));
    }

    #[test]
    fn only_tokens_of_connections_may_be_long() {
        for kind in Kind::ALL {
            let long = with_checksum(kind, &[b'a'; 60]);
            assert_eq!(parse(&long), Some(kind).filter(|kind| kind.is_of_connection()), "{kind:?}");
            for other in [42, 44, 59, 61] {
                assert_eq!(parse(&with_checksum(kind, &vec![b'a'; other])), None, "{kind:?} {other}");
            }
        }
    }

    #[test]
    fn prefixes_do_not_overlap() {
        for a in Kind::ALL {
            for b in Kind::ALL {
                assert!(a == b || !a.prefix().starts_with(b.prefix()));
            }
        }
        assert_eq!(Kind::claimed("svc_op_"), Some(Kind::Operator));
        assert_eq!(Kind::claimed("svc_mcp_at_live_x"), Some(Kind::AccessLive));
        assert_eq!((Kind::bot(true), Kind::bot(false)), (Kind::BotLive, Kind::BotTest));
    }

    #[test]
    fn another_environment_is_another_token() {
        let live = mint(Kind::BotLive, &[1; 32]);
        assert_eq!(parse(&live.replace("live", "test")), None);
    }

    #[test]
    fn tokens_within_texts() {
        for kind in Kind::ALL {
            let text = format!("a {}1", mint(kind, &[3; 32]));
            let is_sought = kind.prefix().starts_with("svc_bot_") || kind.prefix().starts_with("svc_mcp_");
            assert_eq!(is_within(text.as_bytes()), is_sought, "{kind:?}");
        }
        for text in ["", "svc", "svc_", "svc_bot_", "svc_bot_stage_", "SVC_BOT_LIVE_", "svc_svc_"] {
            assert!(!is_within(text.as_bytes()), "{text}");
        }
        assert!(is_within(b"svc_svc_bot_live_"));
    }

    proptest! {
        #[test]
        fn minted_tokens_parse(random: [u8; 32], other: [u8; 32]) {
            for kind in Kind::ALL {
                let text = mint(kind, &random);
                prop_assert_eq!(parse(&text), Some(kind));
                prop_assert_eq!(mint(kind, &other) == text, other == random);
                prop_assert_eq!(hash(&text), hash(&text.clone()));
            }
        }

        #[test]
        fn one_changed_character_is_refused(random: [u8; 32], at in 0usize..62, new in "[ -~]") {
            let text = mint(Kind::BotLive, &random);
            let changed = format!("{}{new}{}", &text[..at], &text[at + 1..]);
            prop_assert_eq!(parse(&changed).is_some(), changed == text);
        }

        #[test]
        fn other_lengths_are_refused(random: [u8; 32], more in "[0-9A-Za-z]{1,8}") {
            let text = mint(Kind::Session, &random);
            prop_assert_eq!(parse(&format!("{text}{more}")), None);
            prop_assert_eq!(parse(&text[..text.len() - more.len()]), None);
        }

        #[test]
        fn no_text_panics(text in "(svc_bot_live_)?.{0,60}") {
            prop_assert_eq!(parse(&text), None);
        }
    }
}
