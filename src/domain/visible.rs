//! Decides whether a text is visible. A name of invisible characters, such as spaces, would look empty to people.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// The rule for a name, as the end of a sentence that begins with the field's name.
pub const RULE: &str = "must have at least one visible character";

/// Letters and symbols without a visible glyph. They are listed, because their general category does not show that they
/// are invisible, and only some of them have the property `Default_Ignorable_Code_Point`.
const BLANK: [char; 9] = [
    '\u{115f}',  // HANGUL CHOSEONG FILLER
    '\u{1160}',  // HANGUL JUNGSEONG FILLER
    '\u{2800}',  // BRAILLE PATTERN BLANK
    '\u{3164}',  // HANGUL FILLER
    '\u{ffa0}',  // HALFWIDTH HANGUL FILLER
    '\u{fffc}',  // OBJECT REPLACEMENT CHARACTER
    '\u{13441}', // EGYPTIAN HIEROGLYPH FULL BLANK
    '\u{13442}', // EGYPTIAN HIEROGLYPH HALF BLANK
    '\u{1d159}', // MUSICAL SYMBOL NULL NOTEHEAD
];

/// Returns whether a text contains a character that is visible on its own. Spaces, line and paragraph separators,
/// blank letters and symbols, and control, format, private-use and unassigned characters are not visible. Nonspacing
/// and enclosing marks are not visible on their own, because they need a base letter.
#[must_use]
pub fn is_visible(text: &str) -> bool {
    text.chars().any(is_visible_char)
}

/// Returns whether a character is visible on its own.
#[must_use]
pub fn is_visible_char(c: char) -> bool {
    use GeneralCategory as G;
    let is_invisible = matches!(
        c.general_category(),
        G::Control
            | G::Format
            | G::Surrogate
            | G::PrivateUse
            | G::Unassigned
            | G::LineSeparator
            | G::ParagraphSeparator
            | G::SpaceSeparator
            | G::NonspacingMark
            | G::EnclosingMark
    );
    !is_invisible && !BLANK.contains(&c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_with_a_visible_character_are_visible() {
        for name in [
            "Ada",
            "\u{c5}sa",
            "A\u{30a}sa",
            "\u{5f20}",
            "\u{d55c}\u{ae00}",
            "\u{1100}\u{1161}",
            "\u{1112}\u{1161}\u{11ab}",
            "\u{627}\u{644}",
            "\u{928}\u{93e}",
            "\u{e01}",
            "7",
            "#",
            "-",
            "\u{1f600}",
            "\u{2801}",
            "\u{3164}a",
            " x ",
            "\u{200d}\u{1f468}",
        ] {
            assert!(is_visible(name), "{name:?}");
        }
    }

    #[test]
    fn default_ignorable_characters_and_blanks_are_invisible() {
        // Default_Ignorable_Code_Point of DerivedCoreProperties.txt, Unicode 16
        let ignorable = [
            0xad..=0xad,
            0x34f..=0x34f,
            0x61c..=0x61c,
            0x115f..=0x1160,
            0x17b4..=0x17b5,
            0x180b..=0x180f,
            0x200b..=0x200f,
            0x202a..=0x202e,
            0x2060..=0x206f,
            0x3164..=0x3164,
            0xfe00..=0xfe0f,
            0xfeff..=0xfeff,
            0xffa0..=0xffa0,
            0xfff0..=0xfff8,
            0x1bca0..=0x1bca3,
            0x1d173..=0x1d17a,
            0xe0000..=0xe0fff,
        ];
        for c in ignorable.into_iter().flatten().filter_map(char::from_u32) {
            assert!(!is_visible_char(c), "U+{:04X}", u32::from(c));
        }
        for c in (0..=0x10_ffff).filter_map(char::from_u32).filter(|c| c.is_whitespace() || c.is_control()) {
            assert!(!is_visible_char(c), "U+{:04X}", u32::from(c));
        }
        for blank in
            ["", " ", "\u{2800}", "\u{2800} \u{3164}\u{115f}", "\u{301}", "\u{e000}", "\u{ffa0}\u{200b}"]
        {
            assert!(!is_visible(blank), "{blank:?}");
        }
    }

    fn invisible() -> impl Strategy<Value = char> {
        prop_oneof![
            Just(' '),
            Just('\u{3000}'),
            Just('\u{200b}'),
            Just('\u{fe0f}'),
            Just('\u{301}'),
            proptest::sample::select(BLANK.to_vec()),
            any::<char>().prop_filter("invisible", |c| !is_visible_char(*c)),
        ]
    }

    proptest! {
        /// A text of invisible characters is invisible, whatever their number and order. With one visible character at
        /// any position, the text is visible.
        #[test]
        fn only_visible_characters_make_a_name_visible(
            before in proptest::collection::vec(invisible(), 0..40),
            after in proptest::collection::vec(invisible(), 0..40),
            visible in any::<char>().prop_filter("visible", |c| is_visible_char(*c)),
        ) {
            let before: String = before.into_iter().collect();
            let after: String = after.into_iter().collect();
            let nothing = format!("{before}{after}");
            prop_assert!(!is_visible(&nothing), "{:?}", nothing);
            let something = format!("{before}{visible}{after}");
            prop_assert!(is_visible(&something), "{:?}", something);
        }
    }
}
