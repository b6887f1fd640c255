//! Checks a value against its schema before it is read into a type, and brings it into the form the types have:
//! an alias becomes the member's name, `1.0` becomes `1`.
//!
//! A violation of a member without a code of its own is told before one with: a request that is wrong in `text` and
//! in `blocks` gets `invalid_request` (D-065).

use std::fmt;

use serde_json::{Map, Number, Value};

use super::{
    json::echo,
    schema::{Contract, Kind, Member, Schema},
};
use crate::domain::{refusal::Code, time::Timestamp};

/// Where and how a value breaks its schema.
#[derive(Debug, PartialEq, Eq)]
pub struct Violation {
    /// `blocks[1].text`; empty for the whole body.
    pub path: String,
    pub problem: String,
    /// The code of the nearest schema around that has one; otherwise `invalid_request`.
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

fn broken(problem: impl Into<String>) -> Violation {
    Violation { path: String::new(), problem: problem.into(), code: None }
}

type Checked = Result<(), Violation>;

impl Contract {
    /// Checks a value, and brings it into the form the generated types have.
    ///
    /// # Errors
    /// The first violation, in the order of D-065.
    pub fn check(&self, schema: &Schema, value: &mut Value) -> Checked {
        let checked = match value {
            Value::Null if schema.nullable => Ok(()),
            value => self.kind(schema, value),
        };
        checked.map_err(|violation| Violation { code: violation.code.or(schema.code), ..violation })
    }

    fn kind(&self, schema: &Schema, value: &mut Value) -> Checked {
        match (&schema.kind, &mut *value) {
            (Kind::Ref(target), _) => {
                within_bytes(schema, value)?;
                self.check(self.node(*target), value)
            }
            (Kind::Any, _) => within_bytes(schema, value),
            (Kind::Boolean { only: None }, Value::Bool(_)) => Ok(()),
            (Kind::Boolean { only: Some(only) }, Value::Bool(found)) if found == only => Ok(()),
            (Kind::Boolean { only: Some(only) }, _) => Err(broken(format!("must be {only}"))),
            (Kind::Boolean { only: None }, _) => Err(broken("must be true or false")),
            (Kind::OneOf(values), Value::String(found)) if values.contains(found) => Ok(()),
            (Kind::OneOf(values), _) => Err(broken(super::one_of(values.iter().map(String::as_str)))),
            (Kind::Text { .. }, Value::String(text)) => self::text(&schema.kind, text),
            (Kind::Text { .. }, _) => Err(broken("must be a string")),
            (Kind::Integer { minimum, maximum }, Value::Number(number)) => {
                integer(number, *minimum, *maximum)
            }
            (Kind::Integer { .. }, _) => Err(broken("must be a whole number")),
            (Kind::List { .. }, Value::Array(_)) => {
                within_bytes(schema, value)?;
                self.list(&schema.kind, value)
            }
            (Kind::List { .. }, _) => Err(broken("must be an array")),
            (Kind::Object { members }, Value::Object(found)) => {
                rename(members, found)?;
                within_bytes(schema, value)?;
                self.object(members, value)
            }
            (Kind::Object { .. } | Kind::Union { .. }, value) if !value.is_object() => {
                Err(broken("must be an object"))
            }
            (Kind::Union { tag, variants }, value) => self.union(tag, variants, value),
            (Kind::Object { .. }, _) => Ok(()),
        }
    }

    fn union(&self, tag: &str, variants: &[(String, usize)], value: &mut Value) -> Checked {
        let found = value.get(tag).and_then(Value::as_str);
        match variants.iter().find(|(name, _)| Some(name.as_str()) == found) {
            Some((_, target)) => self.check(self.node(*target), value),
            None => {
                Err(broken(super::one_of(variants.iter().map(|(name, _)| name.as_str()))).under(tag, None))
            }
        }
    }

    fn list(&self, kind: &Kind, value: &mut Value) -> Checked {
        let (Kind::List { items, least, most, most_code, unique }, Value::Array(found)) = (kind, value)
        else {
            return Ok(());
        };
        within(found.len(), *least, *most, "items").map_err(|violation| match most {
            Some(most) if found.len() > *most => Violation { code: *most_code, ..violation },
            _ => violation,
        })?;
        for (index, item) in found.iter_mut().enumerate() {
            self.check(items, item).map_err(|violation| violation.under(&format!("[{index}]"), None))?;
        }
        if *unique && found.iter().enumerate().any(|(i, item)| found[..i].contains(item)) {
            return Err(broken("must not hold an item twice"));
        }
        Ok(())
    }

    fn object(&self, members: &[Member], value: &mut Value) -> Checked {
        let Value::Object(found) = value else { return Ok(()) };
        let mut later = None;
        for member in members {
            let checked = match found.get_mut(&member.name) {
                Some(value) => self.check(&member.schema, value),
                None if member.required => Err(broken("is missing")),
                None => Ok(()),
            };
            match checked.map_err(|violation| violation.under(&member.name, member.schema.code)) {
                Err(violation) if matches!(violation.code, None | Some(Code::InvalidRequest)) => {
                    return Err(violation);
                }
                Err(violation) => later = later.or(Some(violation)),
                Ok(()) => {}
            }
        }
        later.map_or(Ok(()), Err)
    }
}

/// Exactly one of a member's two names may be used (D-067).
fn rename(members: &[Member], found: &mut Map<String, Value>) -> Checked {
    for member in members {
        let Some(alias) = &member.alias else { continue };
        let Some(value) = found.remove(alias) else { continue };
        if found.contains_key(&member.name) {
            return Err(
                broken(format!("must not be sent beside `{}`", member.name)).under(alias, member.schema.code)
            );
        }
        found.insert(member.name.clone(), value);
    }
    Ok(())
}

/// Size before count before items (B-075); always plain `invalid_request`, whatever the code of what is inside.
fn within_bytes(schema: &Schema, value: &Value) -> Checked {
    let Some(most) = schema.max_bytes else { return Ok(()) };
    match serde_json::to_vec(value).map_or(usize::MAX, |bytes| bytes.len()) {
        size if size <= most => Ok(()),
        _ => Err(Violation {
            code: Some(Code::InvalidRequest),
            ..broken(format!("must have at most {most} bytes as compact JSON"))
        }),
    }
}

fn within(count: usize, least: Option<usize>, most: Option<usize>, unit: &str) -> Checked {
    match (least, most) {
        (Some(least), _) if count < least => Err(broken(format!("must have at least {least} {unit}"))),
        (_, Some(most)) if count > most => Err(broken(format!("must have at most {most} {unit}"))),
        _ => Ok(()),
    }
}

/// Lengths are in code points (D-059).
fn text(kind: &Kind, text: &str) -> Checked {
    let Kind::Text { least, most, pattern, date_time } = kind else { return Ok(()) };
    if least.is_some() || most.is_some() {
        within(text.chars().count(), *least, *most, "characters")?;
    }
    if let Some(pattern) = pattern
        && !pattern.is_match(text)
    {
        return Err(broken(format!("must match {}", pattern.source())));
    }
    if *date_time && Timestamp::parse(text).is_none() {
        return Err(broken(format!("must be an RFC 3339 date-time, not `{}`", echo(text))));
    }
    Ok(())
}

/// `1.0` and `1e3` are whole numbers too (JSON Schema); they become `1` and `1000`.
fn integer(number: &mut Number, minimum: Option<i64>, maximum: Option<i64>) -> Checked {
    let whole = number.as_i64().or_else(|| number.as_f64().and_then(whole));
    let Some(whole) = whole else { return Err(broken("must be a whole number")) };
    match (minimum, maximum) {
        (Some(least), _) if whole < least => return Err(broken(format!("must be at least {least}"))),
        (_, Some(most)) if whole > most => return Err(broken(format!("must be at most {most}"))),
        _ => {}
    }
    *number = whole.into();
    Ok(())
}

/// A float without a fraction, within what a float holds exactly.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}
