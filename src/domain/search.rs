//! Splits messages into words for the full-text indexes of both database engines, and parses and evaluates queries.
//!
//! Texts are split and normalized here and not by the engines, so that SQLite and PostgreSQL return the same results
//! (`docs/decisions/0005-message-search.md`). The same rules apply to messages that are not indexed yet.

use unicode_normalization::{
    UnicodeNormalization,
    char::{canonical_combining_class, is_combining_mark},
};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Maximum length of a word in characters. Longer words are cut, in messages and in queries.
const MAX_WORD_CHARS: usize = 64;
/// Maximum number of parts of a query.
pub const MAX_PARTS: usize = 16;
/// Minimum length of a prefix in characters. A shorter prefix would match too many words, so it is searched as an exact
/// word.
const MIN_PREFIX_CHARS: usize = 3;
/// Assumed number of words of an average message, for the length normalization of the score.
const USUAL_WORDS: f64 = 20.0;

/// Returns the words of a text in order. A word is a run of letters and digits, in lower case and without accents. Each
/// ideograph, each kana, each letter or digit of Thai, Lao, Burmese and Khmer, and each symbol of the Unicode category
/// So, such as an emoji, is a word of its own. All other characters except combining marks separate words.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut splitter = Splitter::default();
    if text.is_ascii() {
        // fast path for ASCII, which needs no normalization
        for byte in text.bytes() {
            splitter.take_ascii(char::from(byte));
        }
    } else {
        for c in text.nfkc() {
            splitter.take(c);
        }
    }
    splitter.end_word();
    splitter.words
}

#[derive(Default)]
struct Splitter {
    words: Vec<String>,
    word: String,
    chars: usize,
    /// Whether the last element of `words` is a character that [`stands_alone`], to which following marks are appended.
    is_alone: bool,
}

impl Splitter {
    /// Processes a normalized character.
    fn take(&mut self, c: char) {
        if c.is_ascii() {
            self.take_ascii(c);
        } else if is_combining_mark(c) {
            // a mark never ends the word: accents are dropped, and vowel signs of Indic and Thai words stay with their
            // letter
            if !is_accent(c) {
                self.push_mark(c);
            }
        } else if stands_alone(c) {
            self.end_word();
            self.words.push(c.to_string());
            self.is_alone = true;
            return;
        } else if !c.is_alphanumeric() {
            self.end_word();
        } else if is_hangul(c) {
            self.push(c);
        } else {
            unicode_normalization::char::decompose_canonical(c, |part| {
                if !is_combining_mark(part) {
                    self.fold(part);
                } else if !is_accent(part) {
                    self.push(part);
                }
            });
        }
        if !is_combining_mark(c) {
            self.is_alone = false;
        }
    }

    /// Appends a mark to the letter before it.
    fn push_mark(&mut self, mark: char) {
        match self.words.last_mut() {
            Some(letter) if self.is_alone && self.word.is_empty() => {
                // PostgreSQL rejects the whole text if a word exceeds 2,046 bytes
                if letter.chars().count() < MAX_WORD_CHARS {
                    letter.push(mark);
                }
            }
            _ => self.push(mark),
        }
    }

    fn take_ascii(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.push(c.to_ascii_lowercase());
        } else {
            self.end_word();
        }
    }

    /// Appends a letter that has no accents. Converts it to lower case, removes its stroke, and replaces a ligature by
    /// its letters.
    fn fold(&mut self, letter: char) {
        for c in letter.to_lowercase() {
            match c {
                'ß' => self.push_all("ss"),
                'æ' => self.push_all("ae"),
                'œ' => self.push_all("oe"),
                'ø' => self.push('o'),
                'ł' => self.push('l'),
                'đ' | 'ð' => self.push('d'),
                'þ' => self.push_all("th"),
                'ı' => self.push('i'),
                'ħ' => self.push('h'),
                'ς' => self.push('σ'),
                c if is_combining_mark(c) => {}
                c => self.push(c),
            }
        }
    }

    fn push_all(&mut self, text: &str) {
        text.chars().for_each(|c| self.push(c));
    }

    fn push(&mut self, c: char) {
        if self.chars < MAX_WORD_CHARS {
            self.word.push(c);
        }
        self.chars += 1;
    }

    fn end_word(&mut self) {
        if !self.word.is_empty() {
            self.words.push(std::mem::take(&mut self.word));
        }
        self.chars = 0;
    }
}

/// Returns whether a character is a word of its own: a symbol of the Unicode category So, or a character of a script
/// without spaces between words.
pub(super) fn stands_alone(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' // kana
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' // ideographs
        | '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' // Thai, Lao, Burmese, Khmer
    ) && c.is_alphanumeric()
        || c.general_category() == GeneralCategory::OtherSymbol
}

/// Returns whether a mark is ignored. These marks are ignored: accents and the points of Hebrew and Arabic (recognized
/// by their combining classes), variation selectors, and combining marks of symbols. The vowel signs of other scripts
/// are kept, because they distinguish words.
fn is_accent(mark: char) -> bool {
    let is_of_symbol =
        matches!(mark, '\u{fe00}'..='\u{fe0f}' | '\u{20d0}'..='\u{20ff}' | '\u{e0100}'..='\u{e01ef}');
    is_of_symbol || matches!(canonical_combining_class(mark), 1 | 10..=36 | 200..=240)
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}')
}

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryPart {
    /// An exact word.
    Word(String),
    /// A word with this prefix.
    Prefix(String),
    /// These words in sequence; at least two.
    Phrase(Vec<String>),
}

/// A search query: messages must match all of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchQuery {
    /// At least one part.
    pub parts: Vec<QueryPart>,
}

impl SearchQuery {
    /// Parses words and "quoted phrases". A word of at least three characters with a `*` after it is a prefix.
    /// Unbalanced quotes are accepted. A part that occurs several times is kept once. Returns `None` if the text
    /// contains no word, or more than [`MAX_PARTS`] different parts.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let quotes = ['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}'];
        for (index, stretch) in text.split(quotes).enumerate() {
            if index % 2 == 1 {
                add(&mut parts, words(stretch), false);
            } else {
                for piece in stretch.split_whitespace() {
                    // a piece that consists of several words, such as an e-mail address, is searched as a phrase
                    add(&mut parts, words(piece), piece.ends_with('*'));
                }
            }
        }
        (1..=MAX_PARTS).contains(&parts.len()).then_some(Self { parts })
    }

    /// Returns the query in canonical form.
    #[must_use]
    pub fn canonical(&self) -> String {
        let spelled: Vec<_> = self
            .parts
            .iter()
            .map(|part| match part {
                QueryPart::Word(word) => word.clone(),
                QueryPart::Prefix(word) => format!("{word}*"),
                QueryPart::Phrase(words) => format!("\"{}\"", words.join(" ")),
            })
            .collect();
        spelled.join(" ")
    }

    /// Returns the score of a text; `None` if the text lacks a part of the query. A better match has a higher score.
    /// The score is the sum of the scores of the parts. The score of a part is the term frequency of BM25 with k1 = 1.2
    /// and b = 0.75, without the constant factor k1 + 1. If the query has several parts, and the text contains them
    /// directly after each other in the order of the query, 1 is added.
    #[must_use]
    pub fn score(&self, text: &str) -> Option<f64> {
        let words = words(text);
        let mut score = 0.0;
        for part in &self.parts {
            let count = part.count(&words);
            if count == 0 {
                return None;
            }
            #[expect(clippy::cast_precision_loss, reason = "a text has at most 4000 characters")]
            let (count, length) = (count as f64, words.len() as f64);
            score += count / (count + 1.2 * (0.25 + 0.75 * length / USUAL_WORDS));
        }
        if self.parts.len() > 1 && self.is_in_order(&words) {
            score += 1.0;
        }
        Some(score)
    }

    /// Returns whether `words` contains all parts directly after each other, in the order of the query.
    fn is_in_order(&self, words: &[String]) -> bool {
        (0..words.len()).any(|start| {
            let mut at = start;
            self.parts.iter().all(|part| {
                let fits = part.is_at(words, at);
                at += part.len();
                fits
            })
        })
    }
}

fn add(parts: &mut Vec<QueryPart>, mut words: Vec<String>, has_star: bool) {
    let part = match words.len() {
        0 => return,
        1 => {
            let word = words.remove(0);
            if has_star && word.chars().count() >= MIN_PREFIX_CHARS {
                QueryPart::Prefix(word)
            } else {
                QueryPart::Word(word)
            }
        }
        _ => QueryPart::Phrase(words),
    };
    if !parts.contains(&part) {
        parts.push(part);
    }
}

impl QueryPart {
    fn len(&self) -> usize {
        match self {
            Self::Word(_) | Self::Prefix(_) => 1,
            Self::Phrase(words) => words.len(),
        }
    }

    fn is_at(&self, words: &[String], at: usize) -> bool {
        match self {
            Self::Word(word) => words.get(at) == Some(word),
            Self::Prefix(prefix) => words.get(at).is_some_and(|word| word.starts_with(prefix)),
            Self::Phrase(phrase) => words[at.min(words.len())..].starts_with(phrase),
        }
    }

    fn count(&self, words: &[String]) -> usize {
        (0..words.len()).filter(|&at| self.is_at(words, at)).count()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_split_into_lower_case_words_without_accents() {
        for (text, expected) in [
            ("The build, v1.2: GREEN!", &["the", "build", "v1", "2", "green"][..]),
            ("Größe Straße ŁÓDŹ Ærø", &["grosse", "strasse", "lodz", "aero"]),
            ("e\u{301}te\u{301} ÉTÉ", &["ete", "ete"]),
            ("東京タワー", &["東", "京", "タ", "ワ", "ー"]),
            ("ｶﾞ ガ", &["ガ", "ガ"]),
            ("한국어 문서", &["한국어", "문서"]),
            ("go🚀👍🏽now", &["go", "🚀", "👍", "now"]),
            ("ann.lee@example.com", &["ann", "lee", "example", "com"]),
            ("ΟΔΟΣ οδός", &["οδοσ", "οδοσ"]),
            ("Ёлка İstanbul", &["елка", "istanbul"]),
            (" \t-–— \n", &[]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
        assert_eq!(words(&"x".repeat(100)), ["x".repeat(64)]);
    }

    #[test]
    fn marks_that_distinguish_words_are_kept() {
        assert_ne!(words("\u{915}\u{93e}\u{932}"), words("\u{915}\u{932}"), "a vowel sign of Hindi is kept");
        assert_ne!(words("\u{e1b}\u{e35}"), words("\u{e1b}"), "a vowel sign of Thai is kept");
        assert_eq!(words("\u{e1b}\u{e35}\u{e19}").len(), 2, "a vowel sign stays with its letter");
        for (with, without) in
            [("caf\u{e9}", "cafe"), ("\u{5e9}\u{5b8}", "\u{5e9}"), ("\u{2764}\u{fe0f}", "\u{2764}")]
        {
            assert_eq!(words(with), words(without));
        }
    }

    #[test]
    fn words_fit_the_limits_of_the_engines() {
        for first in
            ["\u{e19}", "\u{e01}\u{e01}", "\u{4e00}", "\u{1f600}", "\u{915}", "a", "\u{fdfa}", "\u{ac00}"]
        {
            for mark in ["\u{e35}", "\u{93f}", "\u{20e3}", "\u{1d165}", "z", "\u{1f3fb}", "\u{11a8}"] {
                let text = format!("{first}{}", mark.repeat(3_999));
                for word in words(&text) {
                    assert!(word.len() <= 4 * MAX_WORD_CHARS, "{} bytes for {first:?} {mark:?}", word.len());
                }
            }
        }
    }

    #[test]
    fn queries_are_words_and_phrases() {
        for (text, spelling) in [
            ("Deploy failed", "deploy failed"),
            ("\"not before\" Monday", "\"not before\" monday"),
            ("deploy* ab* *", "deploy* ab"),
            ("\"open quote", "\"open quote\""),
            ("a AND NOT (b OR c:d) ^e NEAR/3", "a and not b or \"c d\" e \"near 3\""),
            ("“curly phrase” x", "\"curly phrase\" x"),
            ("東京", "\"東 京\""),
            ("again again", "again"),
            ("\"\" x", "x"),
        ] {
            assert_eq!(
                SearchQuery::parse(text).map(|query| query.canonical()).as_deref(),
                Some(spelling),
                "{text}"
            );
        }
        for nothing in ["", "  ", "\"\"", "*", "-", "\"'"] {
            assert_eq!(SearchQuery::parse(nothing), None, "{nothing}");
        }
        let many: Vec<_> = (0..99).map(|n| format!("w{n}")).collect();
        assert_eq!(SearchQuery::parse(&many[..MAX_PARTS].join(" ")).unwrap().parts.len(), MAX_PARTS);
        assert_eq!(SearchQuery::parse(&many[..=MAX_PARTS].join(" ")), None);
    }

    #[test]
    fn better_matches_have_higher_scores() {
        let query = SearchQuery::parse("release notes").unwrap();
        let score = |text: &str| query.score(text).unwrap();
        assert!(score("the release notes") > score("notes of the release"));
        assert!(score("release release notes of") > score("release x notes of"));
        let long = format!("release x notes {}", "and so on ".repeat(50));
        assert!(score("release x notes") > score(&long));
        assert_eq!(query.score("release note"), None);
    }

    proptest! {
        #[test]
        fn no_text_panics_and_every_word_matches_its_text(text in ".{0,80}") {
            let words = words(&text);
            for word in &words {
                prop_assert!(!word.is_empty() && !word.contains([' ', '\'', '"', '\\']));
                prop_assert_eq!(&super::words(word), &vec![word.clone()]);
                prop_assert!(SearchQuery::parse(word).unwrap().score(&text).is_some());
            }
            if let Some(query) = SearchQuery::parse(&format!("\"{}\"", words.join(" "))) {
                prop_assert!(query.score(&text).is_some());
            }
        }
    }
}
