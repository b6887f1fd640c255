//! Parses forms: bodies of type `application/x-www-form-urlencoded`.

use serde_json::{Map, Value};

use super::{
    ApiError,
    params::{form_bytes, form_text},
    strict_json,
};
use crate::domain::refusal::Code;

/// The fields of a form that a browser posted from a page of this server.
#[derive(Debug, Default, PartialEq)]
pub struct FormFields {
    /// The text fields by name. No text field is repeated in the form.
    pub texts: Map<String, Value>,
    /// The names and values of the opaque fields, in the order of the form. An opaque field may contain any bytes and
    /// may be repeated.
    pub opaque: Vec<(String, Vec<u8>)>,
}

/// Parses a form with at most `max` fields. The fields named in `opaque` may contain any percent-encoded bytes and may
/// be repeated. Every other field must be UTF-8 text without U+0000, and may occur only once.
///
/// # Errors
/// 400 `invalid_request` if the form violates one of these rules.
pub fn form_fields(bytes: &[u8], opaque: &[&str], max: usize) -> Result<FormFields, ApiError> {
    let mut fields = FormFields::default();
    for (count, pair) in pairs(bytes)?.enumerate() {
        if count == max {
            return Err(refused(format!("the form has more than {max} fields")));
        }
        let (name, value) = pair;
        let name = decoded(name)?;
        if opaque.contains(&name.as_str()) {
            fields.opaque.push((name, form_bytes(value)));
            continue;
        }
        let value = decoded(value)?;
        if name.contains('\0') || value.contains('\0') {
            return Err(refused("the form contains the character U+0000"));
        }
        insert_once(&mut fields.texts, name, value)?;
    }
    Ok(fields)
}

/// Returns the parameters of a form. A parameter named in `lists` may be repeated, and its name may end with `[]`. Its
/// values become an array (D-229). Any other parameter may occur only once.
///
/// # Errors
/// 400 `invalid_request` if the form is not UTF-8, or if a parameter that is not in `lists` is repeated.
pub(super) fn read_form(bytes: &[u8], lists: &[&str]) -> Result<Map<String, Value>, ApiError> {
    let mut members = Map::new();
    for (name, value) in pairs(bytes)? {
        let (name, value) = (decoded(name)?, decoded(value)?);
        let list = lists.iter().find(|list| name.strip_suffix("[]").unwrap_or(&name) == **list);
        match list {
            None => insert_once(&mut members, name, value)?,
            Some(list) => {
                let items = members.entry(*list).or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(items) = items {
                    items.push(Value::String(value));
                }
            }
        }
    }
    Ok(members)
}

/// Returns the names and values of a form, still percent-encoded.
fn pairs(bytes: &[u8]) -> Result<impl Iterator<Item = (&str, &str)>, ApiError> {
    let text = std::str::from_utf8(bytes).map_err(|_| refused(NOT_UTF8))?;
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    Ok(pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))))
}

const NOT_UTF8: &str = "the form is not UTF-8";

fn decoded(text: &str) -> Result<String, ApiError> {
    form_text(text).map(std::borrow::Cow::into_owned).map_err(|_| refused(NOT_UTF8))
}

fn insert_once(members: &mut Map<String, Value>, name: String, value: String) -> Result<(), ApiError> {
    if members.contains_key(&name) {
        return Err(refused(format!("the parameter `{}` was sent more than once", strict_json::echo(&name))));
    }
    members.insert(name, Value::String(value));
    Ok(())
}

fn refused(problem: impl Into<std::borrow::Cow<'static, str>>) -> ApiError {
    ApiError::because(Code::InvalidRequest, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_a_bounded_number_of_fields() {
        let form = |count: usize| "a=&".repeat(count);
        assert_eq!(form_fields(form(3).as_bytes(), &["a"], 3).unwrap().opaque.len(), 3);
        let error = form_fields(form(4).as_bytes(), &["a"], 3).unwrap_err();
        assert_eq!(error.text(), "the form has more than 3 fields");
        // an empty pair is not a field
        assert_eq!(form_fields(b"&&&a=1&&", &[], 1).unwrap().texts["a"], "1");
    }

    #[test]
    fn opaque_fields_may_contain_any_bytes_and_text_fields_may_not() {
        let fields = form_fields(b"state=%FF%00&name=a+b&state=x", &["state"], 64).unwrap();
        assert_eq!(fields.texts["name"], "a b");
        assert_eq!(fields.opaque, [("state".to_owned(), vec![0xff, 0]), ("state".to_owned(), b"x".to_vec())]);
        for refused in [&b"name=%FF"[..], b"name=%00", b"na%00me=", b"\xff=1", b"name=1&name=2"] {
            assert!(form_fields(refused, &["state"], 64).is_err(), "{refused:?}");
        }
    }
}
