//! Strict JSON parsing: rejects input that different parsers interpret differently (D-022…D-028).
//!
//! serde_json already rejects encodings other than UTF-8, a byte order mark, lone surrogates and invalid numbers. This
//! module also rejects duplicate members, more than 64 levels of nesting, numbers that are not finite, and a member
//! with the name that serde_json uses internally for numbers. This module accepts the escape `\u0000`, because it is
//! valid JSON. The later validation of the members rejects the character U+0000 (D-025, [`has_nul`]).
//!
//! Numbers keep their original spelling (D-028). serde_json keeps their digits, but parses `-0` as `0` and `1E5` as
//! `1e+5`. Therefore this module looks up the spelling in the input ([`Numbers`]). Moving, cloning or writing a value
//! does not change the spelling. Any conversion to another type does, even by `serde_json::to_value`.

use std::{cell::Cell, fmt};

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Maximum nesting depth of arrays and objects (D-023).
pub const MAX_DEPTH: usize = 64;

/// Maximum number of input characters that an error message quotes (D-021).
pub const MAX_ECHO: usize = 64;

/// The name with which serde_json passes a number with all its digits to a visitor. The visitor receives an object
/// whose only member has this name.
const NUMBER: &str = "$serde_json::private::Number";

/// Parses a JSON text.
///
/// # Errors
/// A sentence for the client with the cause and the position.
pub fn read(bytes: &[u8]) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let numbers = Numbers { input: bytes, at: Cell::new(0), skipped: Cell::new(0) };
    let seed = Strict { input: bytes, numbers: &numbers, depth: 0 };
    let value = seed.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| format!("the body is not valid JSON: {error}"))
}

/// Returns whether a string or member name contains U+0000, which PostgreSQL cannot store in a text (D-025).
#[must_use]
pub fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(members) => members.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Returns the first [`MAX_ECHO`] characters of a client's text, or all if there are fewer, for a quotation in an error
/// message.
#[must_use]
pub fn echo(text: &str) -> &str {
    text.char_indices().nth(MAX_ECHO).map_or(text, |(end, _)| &text[..end])
}

/// Finds the texts of numbers in the input, in the order in which the numbers are parsed.
struct Numbers<'a> {
    input: &'a [u8],
    /// The position at which the search for the next number starts.
    at: Cell<usize>,
    /// How many numbers after `at` serde_json has parsed without a look-up of their text.
    skipped: Cell<usize>,
}

impl<'a> Numbers<'a> {
    /// Counts a number whose text is not needed.
    fn skip_number(&self) {
        self.skipped.set(self.skipped.get() + 1);
    }

    /// Returns the text of the number that was just parsed. Returns `None` only if numbers were counted wrongly.
    fn text(&self) -> Option<&'a str> {
        let mut found = None;
        for _ in 0..=self.skipped.take() {
            found = self.next();
        }
        found.and_then(|text| std::str::from_utf8(text).ok())
    }

    /// Returns the text of the next number. The number starts at the first digit or minus sign outside of strings. This
    /// holds because serde_json has already parsed the input up to the end of this number, so this part is valid JSON.
    fn next(&self) -> Option<&'a [u8]> {
        let mut rest = self.input.get(self.at.get()..)?;
        loop {
            match rest {
                [b'"', inside @ ..] => rest = after_string(inside)?,
                [b'-' | b'0'..=b'9', ..] => {
                    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                    let end = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
                    self.at.set(self.input.len() - rest.len() + end);
                    return rest.get(..end);
                }
                [_, after @ ..] => rest = after,
                [] => return None,
            }
        }
    }
}

/// Returns the input after a string. `inside` begins after the opening quotation mark of the string.
fn after_string(mut inside: &[u8]) -> Option<&[u8]> {
    loop {
        let end = inside.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        match inside.get(end)? {
            b'"' => return inside.get(end + 1..),
            _ => inside = inside.get(end + 2..)?,
        }
    }
}

#[derive(Clone, Copy)]
struct Strict<'a> {
    input: &'a [u8],
    numbers: &'a Numbers<'a>,
    /// Nesting depth of the value.
    depth: usize,
}

impl Strict<'_> {
    fn inside<E: de::Error>(self) -> Result<Self, E> {
        match self.depth {
            MAX_DEPTH.. => Err(E::custom(format_args!("more than {MAX_DEPTH} levels"))),
            depth => Ok(Self { depth: depth + 1, ..self }),
        }
    }

    /// Returns whether a key is a slice of the input. A member name without escapes is one. The key with which
    /// serde_json passes a number is not, because it is a constant of serde_json.
    fn is_from_input(self, key: &str) -> bool {
        self.input.as_ptr_range().contains(&key.as_ptr())
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        self.numbers.skip_number();
        Ok(value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        match value {
            // `-0` is parsed as 0, so the original text of a 0 must be looked up
            0 => number(self.numbers),
            _ => {
                self.numbers.skip_number();
                Ok(value.into())
            }
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(inside)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        let Some(first) = access.next_key_seed(KeySeed(self))? else {
            self.inside::<A::Error>()?;
            return Ok(Value::Object(members));
        };
        let Key::Member(mut name) = first else {
            access.next_value::<de::IgnoredAny>()?;
            return number(self.numbers);
        };
        let inside = self.inside()?;
        loop {
            let value = access.next_value_seed(inside)?;
            if members.contains_key(&name) {
                return Err(de::Error::custom(format_args!("the member `{}` twice", echo(&name))));
            }
            members.insert(name, value);
            match access.next_key_seed(KeySeed(self))? {
                Some(Key::Member(next)) => name = next,
                Some(Key::Number) => return Err(de::Error::custom("a reserved member name")),
                None => return Ok(Value::Object(members)),
            }
        }
    }
}

/// Returns the number that was just parsed, in its original spelling. Fails if the number is not finite (D-028).
fn number<E: de::Error>(numbers: &Numbers<'_>) -> Result<Value, E> {
    let text = numbers.text().ok_or_else(|| E::custom("an invalid number"))?;
    if !text.parse::<f64>().is_ok_and(f64::is_finite) {
        return Err(E::custom("a number out of range"));
    }
    // serde_json has already validated the text; `Number::from_str` would change its spelling
    Ok(Value::Number(Number::from_string_unchecked(text.to_owned())))
}

enum Key {
    Member(String),
    Number,
}

struct KeySeed<'a>(Strict<'a>);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Key;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for KeySeed<'_> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_borrowed_str<E: de::Error>(self, name: &'de str) -> Result<Key, E> {
        match name == NUMBER && !self.0.is_from_input(name) {
            true => Ok(Key::Number),
            false => self.visit_str(name),
        }
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Key, E> {
        // a later conversion by serde_json would turn an object with this member name into a number
        if name == NUMBER {
            return Err(E::custom("a reserved member name"));
        }
        Ok(Key::Member(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: impl AsRef<[u8]>, because: &str) {
        let problem = read(text.as_ref()).expect_err("the input is rejected");
        assert!(problem.contains(because), "{problem}");
    }

    #[test]
    fn ordinary_json_is_read() {
        for text in
            ["null", "true", "\"a\"", "[]", "{}", "[1,-3,1.50,1e+3]", r#"{"a":{"b":[{"c":"\u00e9"}]}}"#]
        {
            assert_eq!(
                read(text.as_bytes()).expect("valid"),
                serde_json::from_str::<Value>(text).expect("valid")
            );
        }
    }

    #[test]
    fn numbers_are_kept_as_written() {
        for text in [
            r#"{"a":123456789012345678901234567890,"b":1.00,"c":1E5}"#,
            r#"{"a":-0,"b":[0,-0,-0.0,-1,18446744073709551616],"c":0.00001,"d":1e-7}"#,
            r#"{"\"3":["4\\",5e0,"\\\"6",7,-8E+1],"1":"-2","é9":{"x":10,"y":1E+2}}"#,
            "-0",
            "1E5",
        ] {
            assert_eq!(read(text.as_bytes()).expect("valid").to_string(), text);
        }
        assert_eq!(read(b" [ 1 , -0 , 2E0 ] ").expect("valid").to_string(), "[1,-0,2E0]");
        refused("1e400", "out of range");
        refused(r#"{"a":[-1e999]}"#, "out of range");
    }

    #[test]
    fn duplicates_are_rejected_at_any_depth() {
        refused(r#"{"a":1,"a":1}"#, "`a` twice");
        refused(r#"{"x":[{"y":{"b":1,"\u0062":2}}]}"#, "`b` twice");
    }

    #[test]
    fn nesting_depth_is_limited() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(read(nested(64).as_bytes()).is_ok());
        refused(nested(65), "levels");
        let objects = |levels: usize| r#"{"a":"#.repeat(levels - 1) + "{}" + &"}".repeat(levels - 1);
        assert!(read(objects(64).as_bytes()).is_ok());
        refused(objects(65), "levels");
        refused("[".repeat(1_000_000), "levels");
    }

    #[test]
    fn invalid_text_is_rejected() {
        refused(b"\"\0\"", "control character");
        refused(r#""\ud800""#, "");
        refused(b"\xef\xbb\xbf{}", "");
        refused(b"\"\xff\"", "");
        refused("{\"a\":1} x", "trailing");
        refused("", "");
        refused("NaN", "");
    }

    #[test]
    fn nul_is_valid_json() {
        for text in [r#""a\u0000""#, r#"{"\u0000":1}"#, r#"[{"a":["\u0000"]}]"#] {
            assert!(has_nul(&read(text.as_bytes()).expect("valid")), "{text}");
        }
        assert!(!has_nul(&read(br#"{"a":["b\\u0000",0,null,true]}"#).expect("valid")));
    }

    #[test]
    fn the_internal_number_key_is_rejected_as_a_member() {
        refused(r#"{"$serde_json::private::Number":"12"}"#, "reserved");
        refused(r#"{"\u0024serde_json::private::Number":"12"}"#, "reserved");
        refused(r#"{"a":1,"$serde_json::private::Number":"12"}"#, "reserved");
        refused(r#"[{"a":{"$serde_json::private::Number":1}}]"#, "reserved");
    }

    #[test]
    fn error_messages_quote_at_most_64_characters() {
        let long = "x".repeat(500);
        let problem = read(format!(r#"{{"{long}":1,"{long}":2}}"#).as_bytes()).expect_err("twice");
        assert!(problem.contains(&"x".repeat(64)) && !problem.contains(&"x".repeat(65)), "{problem}");
    }
}
