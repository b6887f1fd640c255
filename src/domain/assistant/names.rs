//! Names of assistant clients: which names may be registered, and how names are displayed.

use std::fmt;

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};
use unicode_security::skeleton;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::visible;

/// Maximum length of a registered name in characters.
pub const MAX_CHARS: usize = 100;
/// Maximum length of a displayed name in characters.
const SHOWN_CHARS: usize = 40;
/// Words that make a client look like a part of the service.
const WORDS: [&str; 3] = ["admin", "system", "support"];

/// Names that the name of a client must not contain (D-225), each with its form for comparisons (`plain`).
#[derive(Clone, Debug, Default)]
pub struct Reserved(Vec<(String, String)>);

impl Reserved {
    /// Creates the reserved names of a deployment: `admin`, `system`, `support`, and the names of the service and of
    /// its maker (D-226). The names of all clients are checked against this set.
    #[must_use]
    pub fn new(service_name: &str, maker_name: &str) -> Self {
        Self::of(WORDS.into_iter().chain([service_name, maker_name]))
    }

    /// Creates a set that has the given names only.
    #[must_use]
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let names = names.into_iter().map(|name| (name.to_owned(), plain(name)));
        Self(names.filter(|(_, plain)| !plain.is_empty()).collect())
    }

    /// Returns the first reserved name that `name` contains, or seems to a reader to contain.
    #[must_use]
    pub fn found_in(&self, name: &str) -> Option<&str> {
        // some letters look alike only in upper case, and others only in lower case; so look-alikes are replaced both
        // in the lower-case form of the name and in the name as written
        let (lowered, as_written) = (plain(name), plain(&skeleton(&compatible(name)).collect::<String>()));
        let is_found = |word: &str| lowered.contains(word) || as_written.contains(word);
        self.0.iter().find(|(_, plain)| is_found(plain)).map(|(name, _)| name.as_str())
    }
}

/// Why a name is rejected. `Display` completes the sentence "`client_name` …".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameError {
    /// The name does not have 1 to 100 characters.
    Length,
    /// The name contains a character that is not printable, or has a space at its beginning or end.
    Unprintable,
    /// The displayed part of the name has no visible character.
    Invisible,
    /// The name contains, or seems to contain, this reserved name.
    Reserved(String),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => f.write_str("must have 1 to 100 characters"),
            Self::Unprintable => {
                f.write_str("must have printable characters only, and no space at its beginning or end")
            }
            Self::Invisible => f.write_str(visible::RULE),
            Self::Reserved(word) => write!(f, "must not contain `{word}` or what looks like it"),
        }
    }
}

impl std::error::Error for NameError {}

/// Checks whether a name may be registered, and returns it in NFC.
///
/// # Errors
/// The first [`NameError`] found.
pub fn check(name: &str, reserved: &Reserved) -> Result<String, NameError> {
    // checked first, because the normalization is expensive for a long text; NFC composes at most four characters to
    // one, so a name of more than 400 characters has more than 100 in NFC
    if name.chars().nth(MAX_CHARS * 4).is_some() {
        return Err(NameError::Length);
    }
    let name: String = name.nfc().collect();
    if name.is_empty() || name.chars().nth(MAX_CHARS).is_some() {
        return Err(NameError::Length);
    }
    let has_outer_space = name.starts_with(char::is_whitespace) || name.ends_with(char::is_whitespace);
    if has_outer_space || !name.chars().all(is_printable) {
        return Err(NameError::Unprintable);
    }
    // only the beginning of a name is displayed, and this part could consist of invisible filler characters
    if !visible::is_visible(&shown(&name)) {
        return Err(NameError::Invisible);
    }
    match reserved.found_in(&name) {
        Some(word) => Err(NameError::Reserved(word.to_owned())),
        None => Ok(name),
    }
}

/// Returns whether a character is printable: not a control, format, surrogate, private-use or unassigned character,
/// nor a line or paragraph separator (D-224). U+FFFD is excluded as well, because a block key must not contain it.
fn is_printable(c: char) -> bool {
    use GeneralCategory as G;
    c != char::REPLACEMENT_CHARACTER
        && !matches!(
            c.general_category(),
            G::Control
                | G::Format
                | G::Surrogate
                | G::PrivateUse
                | G::Unassigned
                | G::LineSeparator
                | G::ParagraphSeparator
        )
}

/// Returns the displayed form of a name: at most 40 characters, cut at a grapheme boundary (D-249). If the first
/// grapheme alone has more than 40 characters, the grapheme is cut.
#[must_use]
pub fn shown(name: &str) -> String {
    let mut text = String::new();
    let mut count = 0;
    for cluster in name.graphemes(true) {
        count += cluster.chars().count();
        if count > SHOWN_CHARS {
            break;
        }
        text.push_str(cluster);
    }
    if text.is_empty() {
        text = name.chars().take(SHOWN_CHARS).collect();
    }
    text.trim_end().to_owned()
}

/// Returns the displayed form of a host that is shown in place of a name. The beginning of a long host is cut off,
/// because the end of a host name shows to whom the host belongs.
#[must_use]
pub fn shown_host(host: &str) -> String {
    let length = host.chars().count();
    if length <= SHOWN_CHARS {
        return host.to_owned();
    }
    let end: String = host.chars().skip(length - SHOWN_CHARS + 1).collect();
    format!("\u{2026}{end}")
}

/// Returns the NFKC form of a name without ASCII punctuation, except symbols such as `@` that [`prototype`] maps to
/// letters. If `%` remained, `admin` would not be found in `ad%min`, because the skeleton of `%` contains letters.
fn compatible(name: &str) -> String {
    name.nfkc().filter(|c| !c.is_ascii_punctuation() || prototype(*c).is_some()).collect()
}

/// Returns an approximation of the letters that a reader perceives: compatibility forms, case and look-alikes are
/// normalized, and all characters except letters and digits are removed.
fn plain(name: &str) -> String {
    let small = compatible(name).to_lowercase();
    let alike: String = skeleton(&small).collect::<String>().to_lowercase();
    // a second pass, because the lower case of the first result can contain look-alikes again
    let alike: String = skeleton(&alike).collect::<String>().to_lowercase();
    alike.chars().filter_map(prototype).collect()
}

/// Maps digits and symbols to the letters that they replace in disguised words, and `l` to `i`, because `I` looks like
/// `l` in many fonts. Returns other letters and digits unchanged, and `None` for all other characters.
fn prototype(c: char) -> Option<char> {
    match c {
        '1' | 'l' | '|' | '!' => Some('i'),
        '0' => Some('o'),
        '3' => Some('e'),
        '4' | '@' => Some('a'),
        '5' | '$' => Some('s'),
        c if c.is_alphanumeric() => Some(c),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reserved() -> Reserved {
        Reserved::new("Switchboard", "Acme Works")
    }

    fn validate(name: &str) -> Result<String, NameError> {
        check(name, &reserved())
    }

    #[test]
    fn names_have_1_to_100_characters() {
        // a name has 1 to 100 characters
        assert!(
            validate("x").is_ok() && validate(&"x".repeat(100)).is_ok() && validate(&"é".repeat(100)).is_ok()
        );
        for name in [String::new(), "x".repeat(101), "x".repeat(100_000)] {
            assert_eq!(validate(&name), Err(NameError::Length));
        }
        // length limits apply to the NFC form, which is also the stored form
        assert_eq!(validate(&"e\u{301}".repeat(100)), Ok("é".repeat(100)));
    }

    #[test]
    fn unprintable_characters_are_rejected() {
        for name in ["Claude Code", "Клиент 1", "工具", "a-b_c.d (beta)", "🛠 Tools", "naïve", "a\u{a0}b"]
        {
            assert!(validate(name).is_ok(), "{name}");
        }
        // a character that is not printable is rejected, and so is a space at an end of the name (D-224)
        for name in [
            "a\nb",
            "a\tb",
            "a\u{7f}",
            "a\u{85}b",
            "a\u{202e}b",
            "a\u{2066}b",
            "a\u{200b}b",
            "a\u{200d}b",
            "\u{feff}a",
            "a\u{ad}b",
            "a\u{2028}b",
            "a\u{e000}",
            "a\u{fffd}",
            "a\u{10ffff}",
            "a\u{378}",
            " a",
            "a ",
            "\u{3000}a",
        ] {
            assert_eq!(validate(name), Err(NameError::Unprintable), "{name:?}");
        }
    }

    #[test]
    fn reserved_names_and_look_alikes_are_rejected() {
        // the names of the service and of its maker, and the words `admin`, `system` and `support`
        //
        for name in [
            "admin",
            "My ADMIN tool",
            "Administrator",
            "system",
            "System32",
            "Ecosystem",
            "support",
            "Tech-Support",
            "Switchboard",
            "the SWITCHBOARD app",
            "acme works",
            "AcmeWorks",
            // reserved words with separators between the letters, look-alike letters and compatibility forms (D-225)
            "a d m i n",
            "a.d-m_i n",
            "ad%min",
            "Switchboa%rd",
            "sup\u{ff05}port",
            "\u{430}dmin",
            "adm\u{456}n",
            "\u{ff21}\u{ff24}\u{ff2d}\u{ff29}\u{ff2e}",
            "\u{1d400}dmin",
            "\u{e1}dmin",
            "ADMI\u{39d}",
            "adm1n",
            "@dmin",
            "supp0rt",
            "5upport",
            "\u{455}ystem",
            "adrnin",
        ] {
            assert!(matches!(validate(name), Err(NameError::Reserved(_))), "{name}");
        }
        for name in
            ["Claude", "ChatGPT", "Cursor", "Visual Studio Code", "Inspector", "Admiral", "Supple", "Acme"]
        {
            assert!(validate(name).is_ok(), "{name}");
        }
        assert_eq!(validate("an admin"), Err(NameError::Reserved("admin".into())));
    }

    #[test]
    fn displayed_names_are_cut_at_grapheme_boundaries() {
        // a displayed name is cut to 40 characters
        assert_eq!(shown(&"x".repeat(40)), "x".repeat(40));
        assert_eq!(shown(&"x".repeat(41)), "x".repeat(40));
        // a name is not cut inside a grapheme (D-249)
        let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
        assert_eq!(shown(&format!("{}{family}", "x".repeat(38))), "x".repeat(38));
        assert_eq!(shown(&format!("{} yz", "x".repeat(39))), "x".repeat(39));
        assert_eq!(shown_host("client.example"), "client.example");
        let host = format!("{}.example", "good.example.".repeat(5));
        assert!(shown_host(&host).ends_with(".example") && shown_host(&host).chars().count() == 40);
    }

    proptest! {
        #[test]
        fn a_valid_name_stays_valid_and_has_a_displayed_form(name in "\\PC{0,120}") {
            if let Ok(kept) = validate(&name) {
                prop_assert_eq!(validate(&kept), Ok(kept.clone()));
                prop_assert!(shown(&kept).chars().count() <= 40 && !shown(&kept).is_empty());
            }
        }

        #[test]
        fn a_reserved_word_is_found_anywhere(before in "[a-z ]{0,20}", after in "[a-z ]{0,20}") {
            let name = format!("x{before}suPPort{after}x");
            prop_assert!(matches!(validate(&name), Err(NameError::Reserved(_))));
        }
    }
}
