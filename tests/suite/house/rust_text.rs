//! A minimal parser for searches in Rust files. It separates code from comments and literals, and finds functions and
//! constants. An argument `code` is a text without comments and literals, as the function [`code`] returns it.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Test,
    Function,
    Constant,
}

/// A call by name, as [`calls`] finds it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// A method call: `….name(`.
    Method(String),
    /// A call of a function: `name(`, with or without a path before the name.
    Free(String),
}

/// A function or a constant.
#[derive(Debug)]
pub struct Item {
    pub name: String,
    pub kind: Kind,
    /// The range of the item's text, including the attributes and comments above the item.
    pub whole: Range<usize>,
    pub body: Range<usize>,
    /// Whether the function takes `self`.
    pub is_method: bool,
}

/// Replaces every byte of a comment, string literal or character literal by a space. Positions and line breaks stay the
/// same.
pub fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let (from, end) = match skipped(bytes, at) {
            Some(range) => (range.start, range.end.min(bytes.len())),
            None => {
                at += 1;
                continue;
            }
        };
        out[from..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    // replaces all bytes of a character outside ASCII, so that the result is valid UTF-8
    out.iter_mut().filter(|byte| !byte.is_ascii()).for_each(|byte| *byte = b' ');
    String::from_utf8(out).expect("ASCII")
}

/// Returns a file's text without the items that have the attribute `#[cfg(test)]`.
pub fn without_tests(text: &str) -> String {
    const ATTRIBUTE: &str = "#[cfg(test)]";
    let code = code(text);
    let mut rest = String::new();
    let mut at = 0;
    while let Some(found) = code[at..].find(ATTRIBUTE) {
        let begin = at + found;
        rest.push_str(&text[at..begin]);
        let Some(open) = first(&code, begin + ATTRIBUTE.len(), b"{;") else { return rest };
        at = if code.as_bytes()[open] == b'{' { closed(&code, open) } else { open + 1 };
    }
    rest.push_str(&text[at..]);
    rest
}

/// Returns the text of the items in a file that have the attribute `#[cfg(test)]` and a body in braces, such as `mod
/// tests { … }`.
pub fn test_modules(text: &str) -> String {
    const ATTRIBUTE: &str = "#[cfg(test)]";
    let code = code(text);
    let modules = code.match_indices(ATTRIBUTE).filter_map(|(at, _)| {
        let open = first(&code, at + ATTRIBUTE.len(), b"{;").filter(|open| code.as_bytes()[*open] == b'{')?;
        Some(&text[at..closed(&code, open)])
    });
    modules.collect()
}

/// Returns the range of the comment, string literal or character literal that begins at `at`; `None` if none begins
/// there.
fn skipped(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &bytes[at..];
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let after_word = at > 0 && is_word(bytes[at - 1]);
    let end = match rest[0] {
        b'/' if rest.starts_with(b"//") => position(rest, b"\n").unwrap_or(rest.len()),
        b'/' if rest.starts_with(b"/*") => position(rest, b"*/").map_or(rest.len(), |end| end + 2),
        b'"' => string(rest, 1)?,
        b'r' if !after_word => raw(rest, 1)?,
        b'b' if !after_word && rest.get(1) == Some(&b'r') => raw(rest, 2)?,
        b'\'' => character(rest)?,
        _ => return None,
    };
    Some(at..at + end)
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Returns the end of a string. The character after the opening quote is at `from`.
fn string(rest: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
    Some(rest.len())
}

/// Returns the end of a raw string whose first `#` or quote is at `from`; `None` if no raw string begins there.
fn raw(rest: &[u8], from: usize) -> Option<usize> {
    let hashes = rest[from..].iter().take_while(|byte| **byte == b'#').count();
    if rest.get(from + hashes) != Some(&b'"') {
        return None;
    }
    let close = [b"\"".as_slice(), &b"#".repeat(hashes)].concat();
    let begin = from + hashes + 1;
    position(&rest[begin..], &close).map(|end| begin + end + close.len())
}

/// Returns the end of a character literal; `None` for a lifetime.
fn character(rest: &[u8]) -> Option<usize> {
    if rest.get(1) == Some(&b'\\') {
        return rest[3..].iter().position(|byte| *byte == b'\'').map(|end| 3 + end + 1);
    }
    let length = match rest.get(1)? {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    (rest.get(1 + length) == Some(&b'\'')).then_some(length + 2)
}

/// Returns the words of a text: names, keywords and numbers.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Returns the calls in a text. Every word before `(` counts as a call, even a keyword or the name in a definition.
pub fn calls(code: &str) -> impl Iterator<Item = Call> {
    code.match_indices('(').filter_map(|(at, _)| {
        let before = code[..at].trim_end();
        // removes the type arguments of `name::<Type>(`
        let before = match before.strip_suffix('>').and_then(|before| before.rfind("::<")) {
            Some(generic) => &before[..generic],
            None => before,
        };
        let begin = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |end| end + 1);
        let name = before[begin..].to_owned();
        let is_method = before[..begin].trim_end().ends_with('.');
        match name.as_str() {
            "" => None,
            _ if is_method => Some(Call::Method(name)),
            _ => Some(Call::Free(name)),
        }
    })
}

/// Returns whether a `match` arm or an `else` block begins with `panic!`.
pub fn has_failing_arm(code: &str) -> bool {
    code.match_indices("panic!").any(|(at, _)| {
        let before = code[..at].trim_end();
        before.ends_with("=>")
            || before.strip_suffix('{').is_some_and(|before| before.trim_end().ends_with("else"))
    })
}

/// Returns the positions at which `word` occurs as a whole word.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let bytes = code.as_bytes();
        !is_word(at.checked_sub(1).and_then(|before| bytes.get(before)))
            && !is_word(bytes.get(at + word.len()))
    })
}

/// Returns the position after the bracket that closes the bracket at `open`. If no bracket closes it, returns the end
/// of the text.
fn closed(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// Returns the position of the first byte at or after `from` that is one of `wanted`. Skips text in brackets, unless
/// the opening bracket itself is one of `wanted`. Returns `None` if the text ends, or the bracket around `from` closes,
/// before such a byte.
fn first(code: &str, from: usize, wanted: &[u8]) -> Option<usize> {
    let mut at = from;
    while let Some(byte) = code.as_bytes().get(at) {
        match byte {
            byte if wanted.contains(byte) => return Some(at),
            b'{' | b'(' | b'[' => at = closed(code, at),
            b'}' | b')' | b']' => return None,
            _ => at += 1,
        }
    }
    None
}

fn is_test(attributes: &str) -> bool {
    ["#[test]", "::test]", "::test(", "#[both_engines]"]
        .iter()
        .any(|attribute| attributes.contains(attribute))
}

/// Returns the functions with a body, the constants and the statics of a file. An outer item precedes its inner items.
pub fn items(code: &str) -> Vec<Item> {
    let mut found: Vec<Item> = words(code, "fn").filter_map(|at| function(code, at)).collect();
    let constants = words(code, "const").chain(words(code, "static")).filter_map(|at| constant(code, at));
    let constants: Vec<Item> = constants.collect();
    found.extend(constants);
    found.sort_by_key(|item| (item.whole.start, std::cmp::Reverse(item.whole.end)));
    found
}

/// Returns the beginning of the item whose keyword is at `keyword`. The item begins after the previous item, and after
/// the comment at the end of the previous item's last line.
fn begin(code: &str, keyword: usize) -> usize {
    let start = code[..keyword].rfind(['{', '}', ';']).map_or(0, |end| end + 1);
    match code[start..keyword].find('\n') {
        Some(end) if start > 0 && code[start..start + end].trim().is_empty() => start + end,
        _ => start,
    }
}

fn function(code: &str, keyword: usize) -> Option<Item> {
    // without white space after it, `fn` begins a function type, such as `fn(u8)`
    code[keyword + 2..].starts_with(char::is_whitespace).then_some(())?;
    let name = names(&code[keyword..]).nth(1)?.to_owned();
    let open = first(code, keyword, b"{;").filter(|at| code.as_bytes()[*at] == b'{')?;
    let start = begin(code, keyword);
    let is_test = is_test(&code[start..keyword]);
    let signature = &code[keyword..open];
    let parameters = signature.find('(').map_or("", |open| &signature[open + 1..closed(signature, open) - 1]);
    let is_method = names(parameters.split([',', ':']).next().unwrap_or_default()).any(|word| word == "self");
    Some(Item {
        name,
        kind: if is_test { Kind::Test } else { Kind::Function },
        whole: start..closed(code, open),
        body: open..closed(code, open),
        is_method,
    })
}

fn constant(code: &str, keyword: usize) -> Option<Item> {
    let name = names(&code[keyword..]).nth(1)?;
    let name = if name == "mut" { names(&code[keyword..]).nth(2)? } else { name };
    if !name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_') {
        return None;
    }
    let before = code[..keyword].trim_end();
    // The keyword begins an item only at the start of the file, after `pub`, or after one of the characters in this
    // list. Elsewhere it is part of `*const T`, of `&'static T` or of a const parameter.
    let is_item = before.ends_with(['{', '}', ';', ']', ')']) || before.ends_with("pub") || before.is_empty();
    let end = first(code, keyword, b";").filter(|_| is_item)? + 1;
    // a comment at the end of the item's last line is part of the item
    let end = end + code[end..].find('\n').unwrap_or(0);
    Some(Item {
        name: name.to_owned(),
        kind: Kind::Constant,
        whole: begin(code, keyword)..end,
        body: keyword..end,
        is_method: false,
    })
}
