//! Users: account states, visibility, who may receive direct messages, how e-mail addresses are compared, and names of
//! time zones.

use unicode_normalization::UnicodeNormalization as _;

use super::conversation::coded;
use super::email;
use super::refusal::Code;

coded! {
    /// Account state of a user in one company.
    UserState {
        /// The user may use the product.
        Active = 0 "active",
        /// The user was created, but not activated yet. The user may use the product, and `is_active` is true (D-124).
        /// But the user does not count in `member_count` (D-123), does not have the rights of an admin, and cannot
        /// connect assistants.
        Onboarding = 1 "onboarding",
        /// The user cannot sign in, but can be reactivated.
        Deactivated = 2 "deactivated",
        /// The user was removed permanently, but is still listed.
        Removed = 3 "removed",
    }
}

impl UserState {
    /// Returns the value of the API's member `is_active`: false for deactivated and removed users (D-124).
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Active | Self::Onboarding)
    }

    /// Returns whether the state may change to `next` (D-380). An active user may become deactivated. A deactivated or
    /// onboarding user may become active. A user in any of these three states may become removed, and stays removed.
    /// Returns `false` if `next` is the current state.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Active, Self::Deactivated | Self::Removed)
            | (Self::Onboarding | Self::Deactivated, Self::Active | Self::Removed) => true,
            (Self::Removed, _)
            | (_, Self::Onboarding)
            | (Self::Active, Self::Active)
            | (Self::Onboarding | Self::Deactivated, Self::Deactivated) => false,
        }
    }
}

/// Returns whether a user administers the company: an admin whose account is active. An admin who is still onboarding
/// has no rights of an admin yet.
#[must_use]
pub const fn is_active_admin(is_admin: bool, state: UserState) -> bool {
    is_admin && matches!(state, UserState::Active)
}

/// Returns whether a user is a guest whom the members of the company do not see (B-126, D-145).
#[must_use]
pub const fn is_hidden_guest(is_guest: bool, guest_visible: bool) -> bool {
    is_guest && !guest_visible
}

/// Returns whether the user is listed ([`UserVisibility::is_listed`]).
#[must_use]
pub const fn is_listed(is_bot: bool, is_guest: bool, guest_visible: bool) -> bool {
    !is_bot && !is_hidden_guest(is_guest, guest_visible)
}

/// The facts about a user that the visibility rules need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UserVisibility {
    /// Account state.
    pub state: UserState,
    /// Whether the user is the bot user of an app.
    pub is_bot: bool,
    /// Whether the user is a guest from outside the company (`is_external` in the API).
    pub is_guest: bool,
    /// For a guest: whether the members of the company see the guest.
    pub guest_visible: bool,
    /// Whether the user allows colleagues to see the e-mail address.
    pub email_visible: bool,
}

impl UserVisibility {
    /// Returns whether bots can find the user in lists and by id. Bots find people in every account state. They find a
    /// guest only if the members of the company see the guest (D-145). They never find bot users. The look-up by e-mail
    /// has further conditions ([`Self::is_found_by_email`]). If a user is not listed, a request for this user fails
    /// with `user_not_found`.
    #[must_use]
    pub const fn is_listed(&self) -> bool {
        is_listed(self.is_bot, self.is_guest, self.guest_visible)
    }

    /// Returns whether a bot, or another person, sees the e-mail address of the user. `may_read_email` is true for a
    /// person, and for a bot whose token has the scope `users:read.email`. A removed user never shows an e-mail address
    /// (B-088 to B-092).
    #[must_use]
    pub const fn shows_email(&self, may_read_email: bool) -> bool {
        may_read_email && self.email_visible && !matches!(self.state, UserState::Removed)
    }

    /// Returns whether a look-up by e-mail finds the user (D-143). A hidden address is treated as unknown (B-338).
    #[must_use]
    pub const fn is_found_by_email(&self) -> bool {
        self.is_listed() && self.shows_email(true)
    }

    /// Returns whether `avatar_url`, `title` and `timezone` are shown. For a removed user they are null (D-126).
    #[must_use]
    pub const fn shows_profile(&self) -> bool {
        !matches!(self.state, UserState::Removed)
    }

    /// Returns why a bot cannot send this user a direct message; `None` if the bot can. The reasons are checked in the
    /// order of D-078. Permanent and public facts come first. The user's block of the app comes last, because it is the
    /// most private fact.
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

/// Returns the form in which e-mail addresses are compared: trimmed, in Unicode simple lower case (D-141) and in NFC.
/// NFC makes the composed and the decomposed spelling of a letter equal. A final sigma counts as a sigma, because both
/// have the same upper case (B-336).
///
/// If the trimmed text or its key has more than `MAX_TYPED` bytes, returns the empty key. No user has the empty key. A
/// longer text is not normalized, because the normalization would be expensive.
#[must_use]
pub fn email_key(address: &str) -> String {
    let address = address.trim();
    if address.len() > email::MAX_TYPED {
        return String::new();
    }
    if address.is_ascii() {
        return address.to_ascii_lowercase();
    }
    // lower case is computed per character, because `str::to_lowercase` turns a sigma at the end of a word into a final
    // sigma. The full lower case of one character (U+0130) has two characters; its simple lower case is the first one
    let lower = address.nfc().map(|c| match c {
        'ς' => 'σ',
        _ => c.to_lowercase().next().unwrap_or(c),
    });
    // normalized again, because some lower-case letters compose with a combining mark although their upper-case letters
    // do not
    let key: String = lower.nfc().collect();
    // some letters have more bytes in lower case, so the key can be longer than the address
    if key.len() > email::MAX_TYPED { String::new() } else { key }
}

/// Returns whether the text is the exact name of a time zone in the IANA database.
///
/// The database is the one that jiff uses: the system's, or the bundled database if the system has none.
#[must_use]
pub fn is_time_zone(name: &str) -> bool {
    // jiff ignores case, but users see the name as it is stored, so only the exact spelling is accepted. The time zone
    // folder of a system also contains files that are not IANA zones (`localtime`, `posix/…`). The names of these
    // files begin with a lower-case letter
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && jiff::tz::db().get(name).is_ok_and(|zone| zone.iana_name() == Some(name))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::UserState::{Active, Deactivated, Onboarding, Removed};
    use super::*;

    const PERSON: UserVisibility = UserVisibility {
        state: Active,
        is_bot: false,
        is_guest: false,
        guest_visible: false,
        email_visible: true,
    };
    const GUEST: UserVisibility = UserVisibility { is_guest: true, guest_visible: true, ..PERSON };

    #[test]
    fn states_are_stored_as_0_to_3() {
        assert_eq!(UserState::ALL.map(UserState::code), [0, 1, 2, 3]);
        assert_eq!(UserState::from_name("removed"), Some(Removed));
        assert_eq!(UserState::ALL.map(UserState::is_active), [true, true, false, false]);
    }

    #[test]
    fn state_changes_follow_the_rules() {
        let allowed = [
            (Active, Deactivated),
            (Active, Removed),
            (Onboarding, Active),
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
    fn lists_contain_people_and_visible_guests() {
        for state in UserState::ALL {
            assert!(UserVisibility { state, ..PERSON }.is_listed());
        }
        assert!(GUEST.is_listed());
        assert!(!UserVisibility { guest_visible: false, ..GUEST }.is_listed());
        assert!(!UserVisibility { is_bot: true, ..PERSON }.is_listed());
    }

    #[test]
    fn an_email_address_is_shown_if_scope_and_setting_and_state_allow_it() {
        assert!(PERSON.shows_email(true) && !PERSON.shows_email(false));
        assert!(UserVisibility { state: Deactivated, ..PERSON }.shows_email(true));
        assert!(!UserVisibility { state: Removed, ..PERSON }.shows_email(true));
        assert!(!UserVisibility { email_visible: false, ..PERSON }.shows_email(true));
        assert!(PERSON.is_found_by_email() && GUEST.is_found_by_email());
        assert!(!UserVisibility { guest_visible: false, ..GUEST }.is_found_by_email());
        assert!(!UserVisibility { state: Removed, ..PERSON }.is_found_by_email());
        assert!(!UserVisibility { state: Removed, ..PERSON }.shows_profile());
    }

    #[test]
    fn direct_messages_are_refused_for_the_first_reason_that_applies() {
        assert_eq!(PERSON.dm_refusal(false), None);
        assert_eq!(UserVisibility { state: Onboarding, ..PERSON }.dm_refusal(false), None);
        assert_eq!(PERSON.dm_refusal(true), Some(Code::CannotDmUser));
        for state in [Deactivated, Removed] {
            assert_eq!(UserVisibility { state, ..PERSON }.dm_refusal(true), Some(Code::UserDeactivated));
            assert_eq!(UserVisibility { state, ..GUEST }.dm_refusal(true), Some(Code::CannotDmUser));
        }
        assert_eq!(
            UserVisibility { guest_visible: false, ..GUEST }.dm_refusal(true),
            Some(Code::UserNotFound)
        );
        assert_eq!(UserVisibility { is_bot: true, ..PERSON }.dm_refusal(false), Some(Code::UserNotFound));
    }

    #[test]
    fn email_keys_fold_case_and_compose() {
        assert_eq!(email_key(" Ann.Lee@EXAMPLE.com\n"), "ann.lee@example.com");
        assert_eq!(email_key("ÜBER@EXÄMPLE.DE"), "über@exämple.de");
        assert_eq!(email_key("ΟΔΟΣ@x"), email_key("οδοσ@x"));
        assert_eq!(email_key("ΟΔΟΣ@x"), email_key("οδος@x"));
        assert_eq!(email_key("İ@x"), "i@x");
        assert_eq!(email_key("JU\u{308}RGEN@x"), "j\u{fc}rgen@x");
        assert_eq!(email_key("J\u{30c}@x"), "\u{1f0}@x");
    }

    #[test]
    fn an_address_has_the_empty_key_if_the_address_or_its_key_is_too_long() {
        // U+023A has two bytes, and its lower case U+2C65 has three bytes
        assert_eq!(email_key(&"Ⱥ".repeat(email::MAX_TYPED / 3)), "ⱥ".repeat(email::MAX_TYPED / 3));
        assert_eq!(email_key(&"Ⱥ".repeat(email::MAX_TYPED / 2)), "");
        assert_eq!(email_key(&"ⱥ".repeat(email::MAX_TYPED / 2)), "");
    }

    #[test]
    fn only_exact_iana_names_are_time_zones() {
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
