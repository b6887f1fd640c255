//! Search for users by prefixes of their names and e-mail addresses.
//!
//! The words of a user are the words of the full name and the display name, the whole e-mail address, and the words
//! before the `@` of the address. A search consists of prefixes and finds the users who have a matching word for each
//! prefix. Case and accents are ignored (`zoe` finds `Zoë`), and so is the width of letters (`abc` finds `ＡＢＣ`).

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Maximum number of words stored per user.
const MAX_WORDS: usize = 32;
/// Maximum length of a word in bytes; longer words are cut.
const MAX_BYTES: usize = 128;
/// Maximum number of prefixes of a search.
pub const MAX_PREFIXES: usize = 4;

/// Returns the distinct words of a user, sorted. `email` is the address in the form of
/// [`email_key`](super::people::email_key).
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

/// Returns the prefixes of a search, the longest first. If there are more than [`MAX_PREFIXES`], drops the shortest
/// ones. An empty list matches no user.
#[must_use]
pub fn search_prefixes(text: &str) -> Vec<String> {
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
    words.truncate(MAX_PREFIXES);
    words
}

/// Splits a text into words: the runs of letters and digits in the folded text ([`fold`]).
fn split(text: &str) -> Vec<String> {
    let folded = fold(text);
    let runs = folded.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
    runs.map(|run| cut(run).to_owned()).collect()
}

/// Returns an e-mail address as one word: the whole folded address ([`fold`]).
fn address(text: &str) -> String {
    cut(fold(text.trim()).trim()).to_owned()
}

/// Returns the compatibility decomposition of a text (NFKD) without combining marks, in lower case.
fn fold(text: &str) -> String {
    let plain: String = text.nfkd().filter(|c| !is_combining_mark(*c)).collect();
    let lower = plain.chars().flat_map(char::to_lowercase).filter(|c| !is_combining_mark(*c) && *c != '\0');
    lower.map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}

/// Returns the beginning of a word, at most [`MAX_BYTES`] bytes.
fn cut(word: &str) -> &str {
    let end = (0..=MAX_BYTES.min(word.len())).rev().find(|at| word.is_char_boundary(*at));
    &word[..end.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_words_of_a_user_are_those_of_name_and_address() {
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
    fn searches_are_split_into_prefixes() {
        assert_eq!(search_prefixes("  ADA   love "), ["love", "ada"]);
        assert_eq!(search_prefixes("ada.love@Exa"), ["ada.love@exa"]);
        assert_eq!(search_prefixes("o'ne"), ["ne", "o"]);
        assert!(search_prefixes(" - ").is_empty() && search_prefixes("").is_empty());
        assert_eq!(search_prefixes("a a b c d e f").len(), MAX_PREFIXES);
    }

    proptest! {
        #[test]
        fn a_search_for_the_whole_name_finds_the_user(name in ".{0,40}") {
            let words = words_of(&name, None, None);
            // a search treats a part with an @ as an address, and words beyond the maximum are not stored
            prop_assume!(!name.contains('@') && words.len() < MAX_WORDS);
            for word in search_prefixes(&name) {
                prop_assert!(words.contains(&word), "{word} of {name}");
            }
        }
    }
}
