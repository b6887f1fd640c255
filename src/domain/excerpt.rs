//! Excerpts: the part of a message that a search result shows, with the matching words marked.

use unicode_normalization::char::is_combining_mark;

use super::search::{QueryPart, SearchQuery, stands_alone, words};

/// Maximum number of characters shown before the first match of a long text.
const BEFORE: usize = 60;

/// A part of an excerpt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    /// Whether `text` consists of words that match words of the query.
    pub is_match: bool,
}

/// Returns the whole text if it has at most `max_chars` characters. Returns at most `max_chars` characters of a longer
/// text, from shortly before the first match, or from the beginning of the text if there is no match. `…` marks each
/// place where text is left out.
#[must_use]
pub fn excerpt(text: &str, query: &SearchQuery, max_chars: usize) -> Vec<Piece> {
    let tokens = tokens(text);
    let marked: Vec<(&str, bool)> = tokens.into_iter().map(|token| (token, is_match(token, query))).collect();
    let first = marked.iter().position(|(_, is_match)| *is_match).unwrap_or_default();
    let (mut begin, mut chars) = (first, 0);
    let fits = text.chars().nth(max_chars).is_none();
    for (token, _) in marked[..first].iter().rev() {
        chars += token.chars().count();
        // more text before the match would leave less of the excerpt for the match and the text after it
        if !fits && chars > BEFORE {
            break;
        }
        begin -= 1;
    }
    let mut pieces: Vec<Piece> = Vec::new();
    let mut push = |text: &str, is_match: bool| match pieces.last_mut() {
        Some(last) if last.is_match == is_match => last.text.push_str(text),
        _ => pieces.push(Piece { text: text.to_owned(), is_match }),
    };
    if begin > 0 {
        push("…", false);
    }
    let mut shown = 0;
    for (token, is_match) in marked.iter().skip(begin) {
        // also cuts inside a token, because one token can be longer than the whole excerpt
        let rest: String = token.chars().take(max_chars - shown).collect();
        shown += rest.chars().count();
        if !rest.is_empty() {
            push(&rest, *is_match);
        }
        if rest.len() < token.len() {
            push("…", false);
            break;
        }
    }
    pieces
}

/// Splits a text into tokens. A token is a word, or a single character that belongs to no word. A character that is a
/// word of its own, such as an ideograph, is also a token. Combining marks belong to the token before them.
fn tokens(text: &str) -> Vec<&str> {
    let (mut tokens, mut begin, mut was_word) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        let is_alone = stands_alone(c);
        let is_word = c.is_alphanumeric() && !is_alone;
        let continues = is_combining_mark(c) || (is_word && was_word);
        if at > begin && !continues {
            tokens.push(&text[begin..at]);
            begin = at;
        }
        if !is_combining_mark(c) {
            was_word = is_word;
        }
    }
    if begin < text.len() {
        tokens.push(&text[begin..]);
    }
    tokens
}

fn is_match(token: &str, query: &SearchQuery) -> bool {
    let found = words(token);
    let is_any = |wanted: &dyn Fn(&str) -> bool| found.iter().any(|word| wanted(word));
    query.parts.iter().any(|part| match part {
        QueryPart::Word(wanted) => is_any(&|word| word == wanted),
        QueryPart::Prefix(prefix) => is_any(&|word| word.starts_with(prefix.as_str())),
        QueryPart::Phrase(phrase) => is_any(&|word| phrase.iter().any(|wanted| wanted == word)),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str, query: &str, max_chars: usize) -> String {
        let pieces = excerpt(text, &SearchQuery::parse(query).unwrap(), max_chars);
        let show = |piece: Piece| if piece.is_match { format!("[{}]", piece.text) } else { piece.text };
        pieces.into_iter().map(show).collect()
    }

    #[test]
    fn matching_words_are_marked_and_keep_their_spelling() {
        for (text, query, expected) in [
            ("The Deploy failed.", "deploy", "The [Deploy] failed."),
            ("Zoë's café, deployed", "zoe cafe", "[Zoë]'s [café], deployed"),
            ("deployed, deployment", "deploy*", "[deployed], [deployment]"),
            ("東京に行く", "京", "東[京]に行く"),
            ("ship it 🚀 now", "🚀", "ship it [🚀] now"),
            ("a <b>bold</b> claim", "bold", "a <b>[bold]</b> claim"),
            ("write to ann@example.com", "ann@example.com", "write to [ann]@[example].[com]"),
            ("nothing of it", "else", "nothing of it"),
        ] {
            assert_eq!(shown(text, query, 200), expected);
        }
    }

    #[test]
    fn a_long_text_is_cut_around_the_first_match() {
        let text = format!("{} needle {}", "before ".repeat(100), "after ".repeat(100));
        let cut = shown(&text, "needle", 120);
        assert!(cut.starts_with("…") && cut.ends_with("…") && cut.contains("[needle]"), "{cut}");
        assert!(cut.chars().count() < 130, "{cut}");
        // if the text is cut directly before a match, the result has no empty match
        assert_eq!(shown("needle x needle", "needle", 9), "[needle] x …");
        let after_long_word = shown(&format!("{} needle", "x".repeat(300)), "needle", 120);
        assert_eq!(after_long_word, "… [needle]");
        let long = shown(&"x".repeat(4_000), "needle", 120);
        assert_eq!(long.chars().count(), 121);
    }

    proptest! {
        #[test]
        fn an_excerpt_of_a_short_text_is_the_text(text in "\\PC{0,60}", query in "[a-z]{1,3}") {
            let pieces = excerpt(&text, &SearchQuery::parse(&query).unwrap(), 60);
            let all: String = pieces.into_iter().map(|piece| piece.text).collect();
            prop_assert_eq!(all, text);
        }
    }
}
