//! People: account states, who is listed, who may be written to, and what of a person is shown.

use unicode_normalization::UnicodeNormalization as _;

use super::conversation::coded;
use super::refusal::Code;

coded! {
    /// State of a person's account in one workspace.
    UserState {
        /// Uses the product.
        Active = 0 "active",
        /// Was created and has not arrived yet; counts as active everywhere but in `member_count` (D-123, D-124).
        Onboarding = 1 "onboarding",
        /// Shut out; may come back.
        Deactivated = 2 "deactivated",
        /// Gone for good; stays listed.
        Removed = 3 "removed",
    }
}

impl UserState {
    /// The public `is_active`: false for deactivated and removed people (D-124).
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Active | Self::Onboarding)
    }

    /// Whether the state may change to another one (D-380): active and deactivated both ways, onboarding to
    /// active, anything to removed, which is final. Onboarding to deactivated too: an administrator can always
    /// shut somebody out. To stay in a state is no change and not judged here: `false`.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Active | Self::Onboarding, Self::Deactivated | Self::Removed)
            | (Self::Onboarding | Self::Deactivated, Self::Active)
            | (Self::Deactivated, Self::Removed) => true,
            (Self::Removed, _)
            | (_, Self::Onboarding)
            | (Self::Active, Self::Active)
            | (Self::Deactivated, Self::Deactivated) => false,
        }
    }
}

/// What the rules need to know of a user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Account state.
    pub state: UserState,
    /// An app's bot user.
    pub is_bot: bool,
    /// A guest from outside the company (public `is_external`).
    pub is_guest: bool,
    /// Of a guest: whether members see this guest.
    pub guest_visible: bool,
    /// Whether the person lets colleagues see the e-mail address.
    pub email_visible: bool,
}

impl Standing {
    /// Whether bots find the user at all, in lists, by id and by e-mail: people in every state, guests only when
    /// members see them (D-145), never bots. Everything else is `user_not_found`.
    #[must_use]
    pub const fn is_listed(&self) -> bool {
        !self.is_bot && (!self.is_guest || self.guest_visible)
    }

    /// Whether `email` is a member of the user for a token with (or without) `users:read.email`. Otherwise it is
    /// absent, never null. A removed person never has one (B-088 to B-092).
    #[must_use]
    pub const fn shows_email(&self, token_may_read_email: bool) -> bool {
        token_may_read_email && self.email_visible && !matches!(self.state, UserState::Removed)
    }

    /// Whether the user is found by e-mail: a hidden address is the same as an unknown one (D-143).
    #[must_use]
    pub const fn is_found_by_email(&self) -> bool {
        self.is_listed() && self.shows_email(true)
    }

    /// Whether `avatar_url`, `title` and `timezone` are shown; of a removed person they are null (D-126).
    #[must_use]
    pub const fn shows_profile(&self) -> bool {
        !matches!(self.state, UserState::Removed)
    }

    /// Why a bot cannot send this user a direct message, `None` when it can. The order is that of D-078:
    /// permanent and public facts first, the block, which is the most private, last.
    #[must_use]
    pub const fn dm_refusal(&self, blocked_the_app: bool) -> Option<Code> {
        if !self.is_listed() {
            Some(Code::UserNotFound)
        } else if self.is_guest {
            Some(Code::CannotDmUser)
        } else if !self.state.is_active() {
            Some(Code::UserDeactivated)
        } else if blocked_the_app {
            Some(Code::CannotDmUser)
        } else {
            None
        }
    }
}

/// The form in which e-mail addresses are compared: trimmed, Unicode simple lower-case (D-141), in normal form C, so
/// that the same letters typed on another system are the same address.
#[must_use]
pub fn email_key(address: &str) -> String {
    let address = address.trim();
    if address.is_ascii() {
        return address.to_ascii_lowercase();
    }
    // character by character: `str::to_lowercase` treats a final sigma differently. Where the full mapping has
    // two characters (only U+0130), the simple one is the first of them.
    let lower = address.nfc().map(|c| c.to_lowercase().next().unwrap_or(c));
    // again: some small letters have a form with their mark that the capital has not
    lower.nfc().collect()
}

/// Whether the text is the name of a time zone in the IANA database, in its own spelling.
///
/// The database is jiff's: that of the system, or the bundled one when jiff is built with it.
#[must_use]
pub fn is_time_zone(name: &str) -> bool {
    // jiff finds names in any case; what we show must be the name itself
    // and a system's folder also has things that are no zones of IANA (`localtime`, `posix/…`), all lower-case
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && jiff::tz::db().get(name).is_ok_and(|zone| zone.iana_name() == Some(name))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::UserState::{Active, Deactivated, Onboarding, Removed};
    use super::*;

    const PERSON: Standing =
        Standing { state: Active, is_bot: false, is_guest: false, guest_visible: false, email_visible: true };
    const GUEST: Standing = Standing { is_guest: true, guest_visible: true, ..PERSON };

    #[test]
    fn states_are_stored_as_0_to_3() {
        assert_eq!(UserState::ALL.map(UserState::code), [0, 1, 2, 3]);
        assert_eq!(UserState::from_name("removed"), Some(Removed));
        assert_eq!(UserState::ALL.map(UserState::is_active), [true, true, false, false]);
    }

    #[test]
    fn allowed_changes() {
        let allowed = [
            (Active, Deactivated),
            (Active, Removed),
            (Onboarding, Active),
            (Onboarding, Deactivated),
            (Onboarding, Removed),
            (Deactivated, Active),
            (Deactivated, Removed),
        ];
        for from in UserState::ALL {
            for to in UserState::ALL {
                assert_eq!(from.may_become(to), allowed.contains(&(from, to)), "{from} to {to}");
            }
        }
    }

    #[test]
    fn who_is_listed() {
        for state in UserState::ALL {
            assert!(Standing { state, ..PERSON }.is_listed());
        }
        assert!(GUEST.is_listed());
        assert!(!Standing { guest_visible: false, ..GUEST }.is_listed());
        assert!(!Standing { is_bot: true, ..PERSON }.is_listed());
    }

    #[test]
    fn whose_email_is_shown() {
        assert!(PERSON.shows_email(true) && !PERSON.shows_email(false));
        assert!(Standing { state: Deactivated, ..PERSON }.shows_email(true));
        assert!(!Standing { state: Removed, ..PERSON }.shows_email(true));
        assert!(!Standing { email_visible: false, ..PERSON }.shows_email(true));
        assert!(PERSON.is_found_by_email() && GUEST.is_found_by_email());
        assert!(!Standing { guest_visible: false, ..GUEST }.is_found_by_email());
        assert!(!Standing { state: Removed, ..PERSON }.is_found_by_email());
        assert!(!Standing { state: Removed, ..PERSON }.shows_profile());
    }

    #[test]
    fn who_can_be_written_to() {
        assert_eq!(PERSON.dm_refusal(false), None);
        assert_eq!(Standing { state: Onboarding, ..PERSON }.dm_refusal(false), None);
        assert_eq!(PERSON.dm_refusal(true), Some(Code::CannotDmUser));
        for state in [Deactivated, Removed] {
            assert_eq!(Standing { state, ..PERSON }.dm_refusal(true), Some(Code::UserDeactivated));
            assert_eq!(Standing { state, ..GUEST }.dm_refusal(true), Some(Code::CannotDmUser));
        }
        assert_eq!(Standing { guest_visible: false, ..GUEST }.dm_refusal(true), Some(Code::UserNotFound));
        assert_eq!(Standing { is_bot: true, ..PERSON }.dm_refusal(false), Some(Code::UserNotFound));
    }

    #[test]
    fn email_keys() {
        assert_eq!(email_key(" Ann.Lee@EXAMPLE.com\n"), "ann.lee@example.com");
        assert_eq!(email_key("ÜBER@EXÄMPLE.DE"), "über@exämple.de");
        assert_eq!(email_key("ΟΔΟΣ@x"), email_key("οδοσ@x"));
        assert_eq!(email_key("İ@x"), "i@x");
        assert_eq!(email_key("JU\u{308}RGEN@x"), "j\u{fc}rgen@x");
        assert_eq!(email_key("J\u{30c}@x"), "\u{1f0}@x");
    }

    #[test]
    fn time_zones() {
        for name in ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "Asia/Kolkata"] {
            assert!(is_time_zone(name), "{name}");
        }
        for name in [
            "",
            "europe/berlin",
            "localtime",
            "posixrules",
            "posix/Europe/Berlin",
            "Etc/Unknown",
            "Europe/Atlantis",
            "+01:00",
            "CEST-2",
            "../etc/passwd",
            "Europe",
            "/Europe/Berlin",
            "posixrules ",
        ] {
            assert!(!is_time_zone(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn email_keys_are_fixed_points(address in ".{0,30}") {
            let key = email_key(&address);
            prop_assert_eq!(email_key(&key), key);
        }
    }
}
