//! Finding people by the beginnings of their names and addresses.
//!
//! A person has words: those of the full name and the display name, the e-mail address as a whole, and the parts of
//! it before the `@`. A search has words too, and finds whom all of them begin a word of. Words are compared without
//! regard to case, accents and width: `zoe` finds `Zoë`.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Most words kept of one person; nobody has so many.
const MAX_WORDS: usize = 32;
/// Most bytes of a word that count.
const MAX_BYTES: usize = 128;
/// Most words of a search that count.
pub const MAX_SOUGHT: usize = 4;

/// The words a person is found by, sorted, each once. `email` is the address as it is compared
/// ([`email_key`](super::people::email_key)).
#[must_use]
pub fn words_of(name: &str, display_name: Option<&str>, email: Option<&str>) -> Vec<String> {
    let mut words = split(name);
    words.extend(display_name.map(split).into_iter().flatten());
    if let Some(email) = email {
        words.extend(split(email.split('@').next().unwrap_or_default()));
        words.push(address(email));
    }
    words.retain(|word| !word.is_empty());
    words.sort_unstable();
    words.dedup();
    words.truncate(MAX_WORDS);
    words
}

/// The words of a search, the longest first: those count if there are too many. Of a text with none nobody is found.
#[must_use]
pub fn sought(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in text.split_whitespace() {
        if part.contains('@') {
            words.push(address(part));
        } else {
            words.extend(split(part));
        }
    }
    words.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    words.dedup();
    words.truncate(MAX_SOUGHT);
    words
}

/// The folded runs of letters and digits of a text.
fn split(text: &str) -> Vec<String> {
    let folded = fold(text);
    let runs = folded.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
    runs.map(|run| cut(run).to_owned()).collect()
}

/// A folded address, whole.
fn address(text: &str) -> String {
    cut(fold(text.trim()).trim()).to_owned()
}

/// Compatibility decomposition without the marks, in lower case.
fn fold(text: &str) -> String {
    let plain: String = text.nfkd().filter(|c| !is_combining_mark(*c)).collect();
    // lower-casing may decompose once more (U+0130)
    let lower = plain.chars().flat_map(char::to_lowercase).filter(|c| !is_combining_mark(*c) && *c != '\0');
    lower.map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}

/// What counts of a long word.
fn cut(word: &str) -> &str {
    let end = (0..=MAX_BYTES.min(word.len())).rev().find(|at| word.is_char_boundary(*at));
    &word[..end.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_of_people() {
        assert_eq!(
            words_of("Zoë O'Neill-Strauß", Some("Zoë"), Some("zoe.oneill@example.com")),
            ["neill", "o", "oneill", "strauß", "zoe", "zoe.oneill@example.com"]
        );
        assert_eq!(words_of("山田 太郎", None, None), ["太郎", "山田"]);
        assert_eq!(words_of("ＡＢＣ İnci", None, None), ["abc", "inci"]);
        assert!(words_of("!!!", None, None).is_empty());
        assert_eq!(words_of(&"ab ".repeat(9), None, None), ["ab"]);
        assert_eq!(words_of(&"é".repeat(300), None, None)[0].len(), MAX_BYTES);
    }

    #[test]
    fn words_of_searches() {
        assert_eq!(sought("  ADA   love "), ["love", "ada"]);
        assert_eq!(sought("ada.love@Exa"), ["ada.love@exa"]);
        assert_eq!(sought("o'ne"), ["ne", "o"]);
        assert!(sought(" - ").is_empty() && sought("").is_empty());
        assert_eq!(sought("a a b c d e f").len(), MAX_SOUGHT);
    }

    proptest! {
        /// Whatever a name is, typing it finds its bearer.
        #[test]
        fn a_name_finds_itself(name in ".{0,40}") {
            let words = words_of(&name, None, None);
            // a name with an @ is sought like an address
            prop_assume!(!name.contains('@') && words.len() < MAX_WORDS);
            for word in sought(&name) {
                prop_assert!(words.contains(&word), "{word} of {name}");
            }
        }
    }
}
