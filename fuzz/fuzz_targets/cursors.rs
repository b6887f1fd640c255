//! Fuzzes authenticated texts: cursors, file links, connection tokens and CSRF tokens. Decoding a text returns the
//! value that was encoded. A changed text is rejected.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use switchboard::domain::{
    connection_token, csrf,
    cursor::{CursorScope, decode, decode_pair, encode, encode_pair},
    ids::{ConnectionId, ConversationId, FileId},
    links::{self, Claims, Stage},
    time::Timestamp,
    token::{self, TokenKind},
};

const KEY: [u8; 32] = [7; 32];

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    endpoint: &'a str,
    owner: i64,
    conversation: Option<i64>,
    filter: &'a str,
    last: i64,
    second: i64,
    /// The function `changed` replaces the character at this position, modulo the length of the text, by `to`.
    at: u8,
    to: char,
    /// Selects one of two kinds of tokens, and one of two stages of a file link.
    choice: bool,
    text: &'a str,
}

fuzz_target!(|input: Input<'_>| {
    cursors(&input);
    file_links(&input);
    connections(&input);
    forms(&input);
});

/// Returns the text with one character replaced. Returns `None` if the new character equals the old one.
fn changed(text: &str, input: &Input<'_>) -> Option<String> {
    let at = usize::from(input.at) % text.len();
    let changed = format!("{}{}{}", &text[..at], input.to, &text[at + 1..]);
    (changed != text).then_some(changed)
}

fn cursors(input: &Input<'_>) {
    let conversation = input.conversation.map(ConversationId);
    let scope =
        CursorScope { endpoint: input.endpoint, owner: input.owner, conversation, filter: input.filter };
    let other = CursorScope { owner: input.owner.wrapping_add(1), ..scope };
    let one = encode(&KEY, &scope, input.last);
    assert_eq!(decode(&KEY, &scope, &one), Some(input.last));
    assert_eq!(decode(&KEY, &other, &one), None, "a cursor is valid only for its own owner");
    assert_eq!(decode_pair(&KEY, &scope, &one), None);
    let pair = encode_pair(&KEY, &scope, (input.last, input.second));
    assert_eq!(decode_pair(&KEY, &scope, &pair), Some((input.last, input.second)));
    assert_eq!(decode(&KEY, &scope, &pair), None);
    if let Some(changed) = changed(&one, input) {
        assert_eq!(decode(&KEY, &scope, &changed), None, "a changed cursor is rejected: {changed}");
    }
    if let Some(last) = decode(&KEY, &scope, input.text) {
        assert_eq!(encode(&KEY, &scope, last), input.text, "a cursor has only one valid encoding");
    }
}

fn file_links(input: &Input<'_>) {
    let stage = if input.choice { Stage::Link } else { Stage::Download };
    let claims = Claims { file: FileId(input.last), expires_at: Timestamp(input.second), stage };
    let text = links::encode(&KEY, &claims);
    assert_eq!(links::decode(&KEY, &text), Some(claims));
    if let Some(changed) = changed(&text, input) {
        assert_eq!(links::decode(&KEY, &changed), None, "a changed link is rejected: {changed}");
    }
    if let Some(claims) = links::decode(&KEY, input.text) {
        assert_eq!(links::encode(&KEY, &claims), input.text, "a link has only one valid encoding");
    }
}

fn connections(input: &Input<'_>) {
    let kind = if input.choice { TokenKind::RefreshTest } else { TokenKind::AccessLive };
    let mut random = [0; connection_token::RANDOM_LEN];
    random[..8].copy_from_slice(&input.second.to_be_bytes());
    let text = connection_token::mint(&KEY, kind, ConnectionId(input.last), &random);
    assert_eq!(token::parse(&text), Some(kind));
    assert!(token::contains_token(text.as_bytes()));
    assert_eq!(connection_token::connection(&KEY, &text), Some(ConnectionId(input.last)));
    if let Some(changed) = changed(&text, input) {
        assert_eq!(token::parse(&changed), None, "the checksum detects one wrong character: {changed}");
        assert_eq!(connection_token::connection(&KEY, &changed), None);
    }
    assert_eq!(connection_token::connection(&KEY, input.text), None, "an arbitrary text is not a token");
}

fn forms(input: &Input<'_>) {
    let (owner, purpose) = ([input.at; 32], input.filter);
    let text = csrf::make(&KEY, &owner, purpose, input.second.to_be_bytes());
    assert!(csrf::is_valid(&KEY, &owner, purpose, &text));
    assert!(!csrf::is_valid(&KEY, &[input.at.wrapping_add(1); 32], purpose, &text));
    assert!(!csrf::is_valid(&KEY, &owner, input.text, &text) || input.text == purpose);
    if let Some(changed) = changed(&text, input) {
        assert!(!csrf::is_valid(&KEY, &owner, purpose, &changed));
    }
}
