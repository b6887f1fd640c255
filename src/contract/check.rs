//! Validates a value against its schema, and normalizes the value, before the value is deserialized. For example, an
//! alias becomes the member's name, and `1.0` becomes `1`.
//!
//! Among the invalid members of an object, a violation with the code `invalid_request` takes precedence over a
//! violation with another code. For example, if both `text` and `blocks` are invalid, the error is `invalid_request`,
//! not `invalid_blocks` (D-065).

use std::fmt;

use serde_json::{Map, Number, Value};

use super::{
    schema::{Contract, Schema, SchemaKind, SchemaMember},
    strict_json::{echo, has_nul},
};
use crate::domain::{refusal::Code, time::Timestamp};

/// A violation of the schema: its location and the problem.
#[derive(Debug, PartialEq, Eq)]
pub struct Violation {
    /// The location in the body, such as `blocks[1].text`; empty for the whole body.
    pub path: String,
    pub problem: String,
    /// The error code of the nearest enclosing schema that declares one, for example with `x-invalid-code`. `None`
    /// means `invalid_request`.
    pub code: Option<Code>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(f, "the body {}", self.problem),
            path => write!(f, "`{path}` {}", self.problem),
        }
    }
}

impl Violation {
    fn under(mut self, step: &str, code: Option<Code>) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{step}{dot}{}", self.path);
        self.code = self.code.or(code);
        self
    }
}

fn violation(problem: impl Into<String>) -> Violation {
    Violation { path: String::new(), problem: problem.into(), code: None }
}

type Checked = Result<(), Violation>;

impl Contract {
    /// Validates a value and normalizes it for the generated types.
    ///
    /// # Errors
    /// The first violation, in the order that [this module](self) describes.
    pub fn check(&self, schema: &Schema, value: &mut Value) -> Checked {
        let checked = match value {
            Value::Null if schema.nullable => Ok(()),
            value => self.check_kind(schema, value),
        };
        checked.map_err(|violation| Violation { code: violation.code.or(schema.code), ..violation })
    }

    fn check_kind(&self, schema: &Schema, value: &mut Value) -> Checked {
        match (&schema.kind, &mut *value) {
            (SchemaKind::Ref(target), _) => {
                check_bytes(schema, value)?;
                self.check(self.node(*target), value)
            }
            (SchemaKind::Any, _) => {
                check_bytes(schema, value)?;
                without_nul(value)
            }
            (SchemaKind::Boolean { only: None }, Value::Bool(_)) => Ok(()),
            (SchemaKind::Boolean { only: Some(only) }, Value::Bool(found)) if found == only => Ok(()),
            (SchemaKind::Boolean { only: Some(only) }, _) => Err(violation(format!("must be {only}"))),
            (SchemaKind::Boolean { only: None }, _) => Err(violation("must be true or false")),
            (SchemaKind::OneOf(values), Value::String(found)) if values.contains(found) => Ok(()),
            (SchemaKind::OneOf(values), _) => {
                Err(violation(super::one_of(values.iter().map(String::as_str))))
            }
            (SchemaKind::Text { .. }, Value::String(text)) => check_text(&schema.kind, text),
            (SchemaKind::Text { .. }, _) => Err(violation("must be a string")),
            (SchemaKind::Integer { minimum, maximum }, Value::Number(number)) => {
                check_integer(number, *minimum, *maximum)
            }
            (SchemaKind::Integer { .. }, _) => Err(violation("must be a whole number")),
            (SchemaKind::List { .. }, Value::Array(_)) => {
                check_bytes(schema, value)?;
                self.check_list(&schema.kind, value)
            }
            (SchemaKind::List { .. }, _) => Err(violation("must be an array")),
            (SchemaKind::Object { members }, Value::Object(found)) => {
                rename_aliases(members, found)?;
                check_bytes(schema, value)?;
                self.check_object(members, schema, value)
            }
            (SchemaKind::Object { .. } | SchemaKind::Union { .. }, value) if !value.is_object() => {
                Err(violation("must be an object"))
            }
            (SchemaKind::Union { tag, variants }, value) => self.check_union(tag, variants, value),
            (SchemaKind::Object { .. }, _) => Ok(()),
        }
    }

    fn check_union(&self, tag: &str, variants: &[(String, usize)], value: &mut Value) -> Checked {
        let found = value.get(tag).and_then(Value::as_str);
        match variants.iter().find(|(name, _)| Some(name.as_str()) == found) {
            Some((_, target)) => self.check(self.node(*target), value),
            None => {
                Err(violation(super::one_of(variants.iter().map(|(name, _)| name.as_str()))).under(tag, None))
            }
        }
    }

    fn check_list(&self, kind: &SchemaKind, value: &mut Value) -> Checked {
        let (SchemaKind::List { items, least, most, most_code, unique }, Value::Array(found)) = (kind, value)
        else {
            return Ok(());
        };
        check_count(found.len(), *least, *most, "items").map_err(|violation| match most {
            Some(most) if found.len() > *most => Violation { code: *most_code, ..violation },
            _ => violation,
        })?;
        for (index, item) in found.iter_mut().enumerate() {
            self.check(items, item).map_err(|violation| violation.under(&format!("[{index}]"), None))?;
        }
        if *unique && found.iter().enumerate().any(|(i, item)| found[..i].contains(item)) {
            return Err(violation("must not contain an item twice"));
        }
        Ok(())
    }

    fn check_object(&self, members: &[SchemaMember], schema: &Schema, value: &mut Value) -> Checked {
        let Value::Object(found) = value else { return Ok(()) };
        let mut other_code = None;
        for member in members {
            let checked = match found.get_mut(&member.name) {
                Some(value) => self.check(&member.schema, value),
                None if member.required => Err(violation("is missing")),
                None => Ok(()),
            };
            match checked.map_err(|violation| violation.under(&member.name, member.schema.code)) {
                Err(violation) if matches!(violation.code, None | Some(Code::InvalidRequest)) => {
                    return Err(violation);
                }
                Err(violation) => other_code = other_code.or(Some(violation)),
                Ok(()) => {}
            }
        }
        let is_unknown = |name: &String| {
            !members.iter().any(|member| member.name == *name) && !schema.ignored.contains(name)
        };
        let unknown = found.iter().filter(|(name, _)| is_unknown(name)).try_for_each(unknown_without_nul);
        match unknown.map_err(|violation| Violation { code: schema.unknown_code, ..violation }) {
            Err(violation) if violation.code.is_none() => Err(violation),
            unknown => other_code.map_or(unknown, Err),
        }
    }
}

/// Renames aliases to the names of their members. A body must not contain both names of a member (D-067).
fn rename_aliases(members: &[SchemaMember], found: &mut Map<String, Value>) -> Checked {
    for member in members {
        let Some(alias) = &member.alias else { continue };
        let Some(value) = found.remove(alias) else { continue };
        if found.contains_key(&member.name) {
            return Err(violation(format!("must not be sent together with `{}`", member.name))
                .under(alias, member.schema.code));
        }
        found.insert(member.name.clone(), value);
    }
    Ok(())
}

/// Checks the size of a value in bytes of compact JSON (`x-max-bytes`), before the number of items and the items are
/// checked (B-075). The code of a violation is `invalid_request`, even if the schema has its own error code.
fn check_bytes(schema: &Schema, value: &Value) -> Checked {
    let Some(most) = schema.max_bytes else { return Ok(()) };
    match serde_json::to_vec(value).map_or(usize::MAX, |bytes| bytes.len()) {
        size if size <= most => Ok(()),
        _ => Err(Violation {
            code: Some(Code::InvalidRequest),
            ..violation(format!("must have at most {most} bytes as compact JSON"))
        }),
    }
}

fn check_count(count: usize, least: Option<usize>, most: Option<usize>, unit: &str) -> Checked {
    match (least, most) {
        (Some(least), _) if count < least => Err(violation(format!("must have at least {least} {unit}"))),
        (_, Some(most)) if count > most => Err(violation(format!("must have at most {most} {unit}"))),
        _ => Ok(()),
    }
}

/// Rejects U+0000 in a value (D-025).
fn without_nul(value: &Value) -> Checked {
    if has_nul(value) { Err(violation("must not contain the character U+0000")) } else { Ok(()) }
}

/// Rejects U+0000 in the name and the value of a member that the schema neither defines nor ignores (D-025).
fn unknown_without_nul((name, value): (&String, &Value)) -> Checked {
    if name.contains('\0') {
        return Err(violation("must not have a member with U+0000 in its name"));
    }
    without_nul(value).map_err(|violation| violation.under(echo(name), None))
}

/// Checks a string. Its length is counted in code points (D-059).
fn check_text(kind: &SchemaKind, text: &str) -> Checked {
    let SchemaKind::Text { least, most, pattern, date_time } = kind else { return Ok(()) };
    if text.contains('\0') {
        return Err(violation("must not contain the character U+0000"));
    }
    if least.is_some() || most.is_some() {
        check_count(text.chars().count(), *least, *most, "characters")?;
    }
    if let Some(pattern) = pattern
        && !pattern.is_match(text)
    {
        return Err(violation(format!("must match {}", pattern.source())));
    }
    if *date_time && Timestamp::parse(text).is_none() {
        return Err(violation(format!("must be an RFC 3339 date-time, not `{}`", echo(text))));
    }
    Ok(())
}

/// Checks an integer. By JSON Schema, `1.0` and `1e3` are integers too; they become `1` and `1000`.
fn check_integer(number: &mut Number, minimum: Option<i64>, maximum: Option<i64>) -> Checked {
    let integer = number.as_i64().or_else(|| number.as_f64().and_then(to_integer));
    let Some(integer) = integer else { return Err(violation(not_an_integer(number, minimum, maximum))) };
    match (minimum, maximum) {
        (Some(least), _) if integer < least => return Err(violation(format!("must be at least {least}"))),
        (_, Some(most)) if integer > most => return Err(violation(format!("must be at most {most}"))),
        _ => {}
    }
    *number = integer.into();
    Ok(())
}

/// Describes why a number that cannot be converted to an integer is rejected.
#[expect(clippy::cast_precision_loss, reason = "a rounded limit can only change which message is returned")]
fn not_an_integer(number: &Number, minimum: Option<i64>, maximum: Option<i64>) -> String {
    let Some(float) = number.as_f64().filter(|float| float.fract() == 0.0) else {
        return "must be a whole number".to_owned();
    };
    match (minimum, maximum) {
        (Some(least), _) if float < least as f64 => format!("must be at least {least}"),
        (_, Some(most)) if float > most as f64 => format!("must be at most {most}"),
        _ => "is too large or too small".to_owned(),
    }
}

/// Converts a float to an integer; `None` if the float has a fraction, or is outside the range in which floats
/// represent all integers.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn to_integer(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}
