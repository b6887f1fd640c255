//! Validation of the syntax of e-mail addresses and domains that administrators enter. This module does not check
//! whether an address or a domain exists.
//!
//! Addresses are stored in the form that [`normal`] returns. So two texts that are canonically equivalent in Unicode
//! are the same address.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// Maximum length in bytes of an address (RFC 5321 §4.5.3.1.3, without the angle brackets). [`MAX_LOCAL`],
/// [`MAX_DOMAIN`] and [`MAX_LABEL`] are the maximum lengths of the local part, of the domain and of a label of the
/// domain.
const MAX_ADDRESS: usize = 254;
/// Maximum length in bytes of a text before normalization. The normal form of a text has at least a quarter of the
/// text's bytes. So the normal form of a longer text is longer than [`MAX_ADDRESS`].
pub(super) const MAX_TYPED: usize = 4 * MAX_ADDRESS;
const MAX_LOCAL: usize = 64;
const MAX_DOMAIN: usize = 253;
const MAX_LABEL: usize = 63;

/// Returns the stored form of an address: trimmed and in NFC (RFC 6532 §3.1). A text of more than `MAX_TYPED` bytes,
/// which [`is_address`] rejects, is only trimmed.
#[must_use]
pub fn normal(address: &str) -> String {
    let address = address.trim();
    if address.len() > MAX_TYPED {
        return address.to_owned();
    }
    address.nfc().collect()
}

/// Returns whether the text has the form `local@domain`, is within the maximum lengths, and has only visible
/// characters. The local part must be unquoted: a dot-atom of RFC 5322, which may contain characters outside ASCII (RFC
/// 6532). The text must already be normalized by [`normal`].
#[must_use]
pub fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom.chars().all(|c| match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' => true,
                _ if c.is_ascii() => "!#$%&'*+-/=?^_`{|}~".contains(c),
                _ => is_visible(c),
            })
    };
    text.len() <= MAX_ADDRESS
        && local.len() <= MAX_LOCAL
        && local.split('.').all(is_atom)
        && is_domain(domain)
}

/// Returns whether the text is a host name: labels of letters (of any script) with their combining marks, digits and
/// inner hyphens. A label does not begin with a combining mark (RFC 5891 §4.2.3.2). The text must already be normalized
/// by [`normal`].
#[must_use]
pub fn is_domain(text: &str) -> bool {
    text.len() <= MAX_DOMAIN
        && text.split('.').all(|label| {
            (1..=MAX_LABEL).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && !label.starts_with(is_combining_mark)
                && label.chars().all(|c| c == '-' || is_part_of_word(c) && is_visible(c))
        })
}

/// Returns whether a character is a letter, a digit or a combining mark.
fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

/// Returns whether a character is visible. These characters are invisible: spaces, control, format, private-use and
/// unassigned characters, and the letters and marks with Unicode's property `Default_Ignorable_Code_Point`.
fn is_visible(c: char) -> bool {
    use GeneralCategory as G;
    let shows_nothing = matches!(
        c,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    );
    !shows_nothing
        && !c.is_whitespace()
        && !matches!(
            c.general_category(),
            G::Control | G::Format | G::Surrogate | G::PrivateUse | G::Unassigned
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_trimmed_and_composed() {
        assert_eq!(normal(" Ju\u{308}rgen@exa\u{308}mple.de\n"), "J\u{fc}rgen@ex\u{e4}mple.de");
        assert!(is_address(&normal("a@exa\u{308}mple.de")));
    }

    #[test]
    fn the_syntax_of_addresses_is_checked() {
        let longest_local = format!("{}@example.com", "a".repeat(64));
        for good in [
            "a@b",
            "ann.lee+x@example.com",
            "o'neil@ex-ample.co.uk",
            "jürgen@exämple.de",
            "आशा@उदाहरण",
            // a virama, a nukta and a tone mark, which are not letters
            "a@हिन्दी.भारत",
            "a@लड\u{93c}का.भारत",
            "a@น้ำ.ไทย",
            &longest_local,
        ] {
            assert!(is_address(good), "{good}");
        }
        let too_long_local = format!("{}@example.com", "a".repeat(65));
        let too_long_label = format!("a@{}.com", "a".repeat(64));
        let too_long = format!("a@{}", vec!["a".repeat(62); 5].join("."));
        for bad in [
            "",
            "a",
            "@",
            "a@",
            "@b",
            "a b@c",
            "a@b c",
            " a@b",
            "a@b ",
            "a@b\n",
            "a@@b",
            "a@b@c",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a@.b",
            "a@b.",
            "a@b..c",
            "a@-b",
            "a@b-",
            "a@b_c",
            // a label that begins with a combining mark
            "a@\u{94d}b",
            "a@b.\u{301}c",
            "a@[::1]",
            "\"a\"@b",
            "Ann <a@b>",
            "a,b@c",
            "a\0@b",
            "a\u{a0}b@c",
            "a\u{200b}@b",
            "\u{feff}a@b",
            "a\u{200d}b@c",
            "a\u{202e}b@c",
            "a\u{ad}b@c",
            "a\u{85}b@c",
            "a\u{e000}b@c",
            "a\u{3164}@b",
            "a\u{34f}@b",
            "a\u{fe0f}@b",
            "a@b\u{200b}",
            "a@b\u{3164}",
            &too_long_local,
            &too_long_label,
            &too_long,
        ] {
            assert!(!is_address(bad), "{bad}");
        }
    }
}
