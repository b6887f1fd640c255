//! Words of messages as both full-text indexes know them, and what a query asks for.
//!
//! Splitting and folding happen here and not in the engines, so that SQLite and PostgreSQL find the same: the indexes
//! get words that need no further thought (`docs/decisions/0005-message-search.md`). The same rules judge a message
//! that no index knows yet.

use unicode_normalization::{
    UnicodeNormalization,
    char::{canonical_combining_class, is_combining_mark},
};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Longer words are cut, in messages and in queries alike.
const MAX_WORD_CHARS: usize = 64;
/// Most parts of a query.
pub const MAX_PARTS: usize = 16;
/// A prefix has at least so many characters: shorter ones begin too many words.
const MIN_PREFIX_CHARS: usize = 3;
/// How many words a message of usual length has, for weighing words in long ones.
const USUAL_WORDS: f64 = 20.0;

/// The words of a text in order: letters and digits without case and accents, each ideograph, kana and emoji by
/// itself. Everything else separates words.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut splitter = Splitter::default();
    if text.is_ascii() {
        // most texts: nothing to normalise
        for byte in text.bytes() {
            splitter.plain(char::from(byte));
        }
    } else {
        for c in text.nfkc() {
            splitter.take(c);
        }
    }
    splitter.end();
    splitter.words
}

#[derive(Default)]
struct Splitter {
    words: Vec<String>,
    word: String,
    chars: usize,
    /// The last word is a sign by itself, and nothing came after it but marks.
    is_alone: bool,
}

impl Splitter {
    /// A normalised character.
    fn take(&mut self, c: char) {
        if c.is_ascii() {
            self.plain(c);
        } else if is_combining_mark(c) {
            // an accent goes; a vowel of an Indic or Thai word stays with its letter, and neither ends the word
            if !is_accent(c) {
                self.join(c);
            }
        } else if stands_alone(c) {
            self.end();
            self.words.push(c.to_string());
            self.is_alone = true;
            return;
        } else if !c.is_alphanumeric() {
            self.end();
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

    /// A mark that is a part of its word, with the letter before it.
    fn join(&mut self, mark: char) {
        match self.words.last_mut() {
            Some(letter) if self.is_alone && self.word.is_empty() => {
                // PostgreSQL refuses the whole text for a word beyond 2,046 bytes
                if letter.chars().count() < MAX_WORD_CHARS {
                    letter.push(mark);
                }
            }
            _ => self.push(mark),
        }
    }

    fn plain(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.push(c.to_ascii_lowercase());
        } else {
            self.end();
        }
    }

    /// A letter without its accents, in lower case and without strokes and ligatures.
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

    fn end(&mut self) {
        if !self.word.is_empty() {
            self.words.push(std::mem::take(&mut self.word));
        }
        self.chars = 0;
    }
}

/// Scripts that are written without spaces, and signs that are looked for one by one.
fn stands_alone(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' // kana
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' // ideographs
        | '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' // Thai, Lao, Burmese, Khmer
    ) && c.is_alphanumeric()
        || c.general_category() == GeneralCategory::OtherSymbol
}

/// A mark that words are found without: accents, the points of Hebrew and Arabic, by their combining classes, and
/// variants of emoji. The
/// vowel signs of other scripts tell words apart.
fn is_accent(mark: char) -> bool {
    let is_of_a_sign =
        matches!(mark, '\u{fe00}'..='\u{fe0f}' | '\u{20d0}'..='\u{20ff}' | '\u{e0100}'..='\u{e01ef}');
    is_of_a_sign || matches!(canonical_combining_class(mark), 1 | 10..=36 | 200..=240)
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}')
}

/// One thing that a message must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The word itself.
    Word(String),
    /// A word that begins so.
    Prefix(String),
    /// These words, one after the other; at least two.
    Phrase(Vec<String>),
}

/// What is looked for: messages that have all of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// At least one.
    pub parts: Vec<Part>,
}

impl Query {
    /// Reads words and "quoted phrases"; a word that ends with `*` stands for all that begin so. Every text can be read,
    /// also one with quotes that are not closed. None when there is no word in it, or more than [`MAX_PARTS`] parts.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let quotes = ['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}'];
        for (index, stretch) in text.split(quotes).enumerate() {
            if index % 2 == 1 {
                add(&mut parts, words(stretch), false);
            } else {
                for piece in stretch.split_whitespace() {
                    // a piece that falls apart, as an address does, is looked for as it stands
                    add(&mut parts, words(piece), piece.ends_with('*'));
                }
            }
        }
        (1..=MAX_PARTS).contains(&parts.len()).then_some(Self { parts })
    }

    /// The query in one fixed spelling.
    #[must_use]
    pub fn spelling(&self) -> String {
        let spelled: Vec<_> = self
            .parts
            .iter()
            .map(|part| match part {
                Part::Word(word) => word.clone(),
                Part::Prefix(word) => format!("{word}*"),
                Part::Phrase(words) => format!("\"{}\"", words.join(" ")),
            })
            .collect();
        spelled.join(" ")
    }

    /// How well a text fits, higher is better; none when a part is missing. A part counts the more the more often it
    /// occurs, in long texts less, and most when all parts stand one after the other as in the query.
    #[must_use]
    pub fn score(&self, text: &str) -> Option<f64> {
        let words = words(text);
        let mut score = 0.0;
        for part in &self.parts {
            let count = part.count(&words);
            if count == 0 {
                return None;
            }
            #[expect(clippy::cast_precision_loss, reason = "a text has 4000 characters")]
            let (count, length) = (count as f64, words.len() as f64);
            score += count / (count + 1.2 * (0.25 + 0.75 * length / USUAL_WORDS));
        }
        if self.parts.len() > 1 && self.is_in_order(&words) {
            score += 1.0;
        }
        Some(score)
    }

    /// Whether all parts stand in the words one right after the other.
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

fn add(parts: &mut Vec<Part>, mut words: Vec<String>, star: bool) {
    let part = match words.len() {
        0 => return,
        1 => {
            let word = words.remove(0);
            if star && word.chars().count() >= MIN_PREFIX_CHARS {
                Part::Prefix(word)
            } else {
                Part::Word(word)
            }
        }
        _ => Part::Phrase(words),
    };
    if !parts.contains(&part) {
        parts.push(part);
    }
}

impl Part {
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
    fn words_of_texts() {
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
    fn marks_that_tell_words_apart_stay() {
        assert_ne!(words("\u{915}\u{93e}\u{932}"), words("\u{915}\u{932}"), "a vowel sign of Hindi");
        assert_ne!(words("\u{e1b}\u{e35}"), words("\u{e1b}"), "a vowel of Thai");
        assert_eq!(words("\u{e1b}\u{e35}\u{e19}").len(), 2, "it stays with its letter");
        for (with, without) in
            [("caf\u{e9}", "cafe"), ("\u{5e9}\u{5b8}", "\u{5e9}"), ("\u{2764}\u{fe0f}", "\u{2764}")]
        {
            assert_eq!(words(with), words(without));
        }
    }

    #[test]
    fn no_word_is_longer_than_the_engines_take() {
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
            assert_eq!(Query::parse(text).map(|query| query.spelling()).as_deref(), Some(spelling), "{text}");
        }
        for nothing in ["", "  ", "\"\"", "*", "-", "\"'"] {
            assert_eq!(Query::parse(nothing), None, "{nothing}");
        }
        let many: Vec<_> = (0..99).map(|n| format!("w{n}")).collect();
        assert_eq!(Query::parse(&many[..MAX_PARTS].join(" ")).unwrap().parts.len(), MAX_PARTS);
        assert_eq!(Query::parse(&many[..=MAX_PARTS].join(" ")), None);
    }

    #[test]
    fn better_fits_come_first() {
        let query = Query::parse("release notes").unwrap();
        let score = |text: &str| query.score(text).unwrap();
        assert!(score("the release notes") > score("notes of the release"));
        assert!(score("release release notes of") > score("release x notes of"));
        let long = format!("release x notes {}", "and so on ".repeat(50));
        assert!(score("release x notes") > score(&long));
        assert_eq!(query.score("release note"), None);
    }

    proptest! {
        #[test]
        fn no_text_panics_and_every_word_finds_its_text(text in ".{0,80}") {
            let words = words(&text);
            for word in &words {
                prop_assert!(!word.is_empty() && !word.contains([' ', '\'', '"', '\\']));
                prop_assert_eq!(&super::words(word), &vec![word.clone()]);
                prop_assert!(Query::parse(word).unwrap().score(&text).is_some());
            }
            if let Some(query) = Query::parse(&format!("\"{}\"", words.join(" "))) {
                prop_assert!(query.score(&text).is_some());
            }
        }
    }
}
