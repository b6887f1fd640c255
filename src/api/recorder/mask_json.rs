//! Masks secrets in JSON. [`masked`] is for complete JSON: it finds members by their decoded names, so that names with
//! escapes are recognized. [`strings`] is for JSON that is cut off or nested too deeply: it searches only the texts of
//! strings. Both functions copy all other text unchanged.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::de::IgnoredAny;

use super::secret_names::{self, HIDDEN};
use crate::domain::strict_json::MAX_DEPTH;

/// A function that masks the secrets in the text of a JSON string. The format of the text is unknown. The second
/// argument is the number of arrays and objects that contain the string.
type MaskText = fn(&str, usize) -> String;

/// Masks the secrets in a JSON text. `mask_text` masks the secrets within its strings. `depth` is the number of arrays
/// and objects that contain the text. Returns `None` for invalid JSON. Also returns `None` if the JSON is nested deeper
/// than [`MAX_DEPTH`], because the recursion could overflow the stack.
pub(super) fn masked(text: &str, depth: usize, mask_text: MaskText) -> Option<String> {
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let mut masking = Masking { rest: text, shown: String::with_capacity(text.len()), depth, mask_text };
    masking.value()?;
    masking.space();
    Some(masking.shown)
}

/// The state while a valid JSON text is masked.
struct Masking<'a> {
    /// The part that is not read yet.
    rest: &'a str,
    /// The part that was read, with its secrets masked.
    shown: String,
    /// Nesting depth of the current value, including the depth of the arrays and objects that contain the text.
    depth: usize,
    mask_text: MaskText,
}

impl<'a> Masking<'a> {
    /// Reads `length` bytes. Returns `None` if fewer are left, or if they end within a character.
    fn take(&mut self, length: usize) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    /// Copies white space.
    fn space(&mut self) {
        let rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.shown.push_str(&self.rest[..self.rest.len() - rest.len()]);
        self.rest = rest;
    }

    /// Copies white space. If `wanted` is the next character, copies it and the white space after it, and returns
    /// `true`.
    fn copy_if_next(&mut self, wanted: char) -> bool {
        self.space();
        let Some(rest) = self.rest.strip_prefix(wanted) else { return false };
        self.rest = rest;
        self.shown.push(wanted);
        self.space();
        true
    }

    /// Copies a value with its secrets masked. Returns `None` if the value is nested too deeply. Other errors do not
    /// occur in valid JSON.
    fn value(&mut self) -> Option<()> {
        self.space();
        if self.copy_if_next('{') {
            self.enter()?;
            while !self.copy_if_next('}') {
                self.member()?;
                self.copy_if_next(',');
            }
            self.depth -= 1;
        } else if self.copy_if_next('[') {
            self.enter()?;
            while !self.copy_if_next(']') {
                self.value()?;
                self.copy_if_next(',');
            }
            self.depth -= 1;
        } else {
            let raw = self.take(extent(self.rest)).filter(|raw| !raw.is_empty())?;
            self.scalar(raw);
        }
        Some(())
    }

    /// Enters an array or object. Returns `None` if it is nested too deeply.
    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= MAX_DEPTH).then_some(())
    }

    fn member(&mut self) -> Option<()> {
        let raw = self.take(extent(self.rest))?;
        let name = decoded(raw);
        self.scalar(raw);
        if !self.copy_if_next(':') {
            return None;
        }
        let length = extent(self.rest);
        let value = self.rest.get(..length)?;
        // a name that cannot be decoded could be the name of a secret, so its value is hidden
        let is_shown = name.is_some_and(|name| !secret_names::is_secret(&name) || is_shown(&name, value));
        if is_shown {
            return self.value();
        }
        self.take(length)?;
        self.hide();
        Some(())
    }

    /// Copies a number, `true`, `false` or `null` unchanged. Copies a string with the secrets in its text masked.
    fn scalar(&mut self, raw: &str) {
        if !raw.starts_with('"') {
            return self.shown.push_str(raw);
        }
        let Some(text) = decoded(raw) else { return self.hide() };
        let shown = (self.mask_text)(&text, self.depth);
        match serde_json::to_string(&shown) {
            Ok(encoded) if shown != text => self.shown.push_str(&encoded),
            Ok(_) => self.shown.push_str(raw),
            Err(_) => self.hide(),
        }
    }

    fn hide(&mut self) {
        self.shown.push('"');
        self.shown.push_str(HIDDEN);
        self.shown.push('"');
    }
}

/// Masks the secrets within the strings of a JSON text with `mask_text`. The text may be cut off anywhere, even within
/// a string. `depth` is the number of arrays and objects that contain the text. Unlike [`masked`], this function
/// ignores the names of members.
pub(super) fn strings(text: &str, depth: usize, mask_text: MaskText) -> String {
    let shown = STRINGS.replace_all(text, |found: &Captures<'_>| {
        let (raw, inner) = (&found[0], &found[1]);
        let Some(decoded) = decoded_beginning(inner) else { return format!("\"{HIDDEN}\"") };
        let shown = mask_text(&decoded, depth);
        let end = if raw.len() > inner.len() + 1 { "\"" } else { "" };
        match serde_json::to_string(&shown) {
            Ok(encoded) if shown != decoded => format!("{}{end}", &encoded[..encoded.len() - 1]),
            Ok(_) => raw.to_owned(),
            Err(_) => format!("\"{HIDDEN}\""),
        }
    });
    shown.into_owned()
}

/// Matches a JSON string, even if it is cut off.
static STRINGS: LazyLock<Regex> = LazyLock::new(|| secret_names::pattern(r#"(?s)"((?:[^"\\]|\\.)*)"?"#));

/// Returns the decoded text of a JSON string. `inner` is the string without its quotes. It may be cut off within an
/// escape.
fn decoded_beginning(inner: &str) -> Option<String> {
    let mut inner = inner;
    // An incomplete escape at the end is removed. A surrogate pair consists of two escapes, so up to two are removed.
    for _ in 0..2 {
        if let Some(text) = decoded(&format!("\"{inner}\"")) {
            return Some(text);
        }
        inner = &inner[..inner.rfind('\\')?];
    }
    decoded(&format!("\"{inner}\""))
}

/// Whether a value is shown although its member has the name of a secret.
fn is_shown(name: &str, value: &str) -> bool {
    match value.starts_with('"') {
        true => decoded(value).is_some_and(|text| secret_names::is_shown_string(name, &text)),
        false => secret_names::is_shown_value(name, value),
    }
}

/// Whether a text is JSON or the beginning of JSON.
pub(super) fn is_beginning(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).map_or_else(|error| error.is_eof(), |_| true)
}

/// Returns the text of a JSON string.
fn decoded(raw: &str) -> Option<String> {
    serde_json::from_str(raw).ok()
}

/// Returns the length in bytes of the JSON value at the beginning of `text`, which is the rest of a valid JSON text.
fn extent(text: &str) -> usize {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            in_string = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            if !in_string && depth == 0 {
                return at + 1;
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => depth += 1,
            // this byte ends a number, `true`, `false` or `null`
            b'}' | b']' | b',' | b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => return at,
            b'}' | b']' if depth == 1 => return at + 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
