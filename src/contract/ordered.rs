//! JSON values whose objects keep the order of their members. With them, the members of a published document are in the
//! order of its source.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, SeqAccess, Visitor},
    ser::SerializeMap,
};
use serde_json::{Number, Value};

/// A JSON value whose objects keep the order of their members.
#[derive(Clone, Debug, PartialEq)]
pub enum Ordered {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Ordered {
    /// Returns the members of an object; an empty slice for any other value.
    pub(super) fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns a member of an object.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }

    /// Returns the text of a string.
    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Sets a member of an object. A member with this name is replaced and keeps its position; a new member is
    /// appended. Does nothing if `self` is not an object.
    pub(super) fn set(&mut self, name: &str, value: Self) {
        let Self::Object(members) = self else { return };
        match members.iter_mut().find(|(member, _)| member == name) {
            Some((_, member)) => *member = value,
            None => members.push((name.to_owned(), value)),
        }
    }

    /// Converts to a [`Value`], which does not keep the order of members.
    pub(super) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.clone()),
            Self::List(items) => items.iter().map(Self::to_value).collect(),
            Self::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), value.to_value())).collect()
            }
        }
    }
}

impl From<&Value> for Ordered {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(to_integer(number)),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.iter().map(|(name, value)| (name.clone(), value.into())).collect())
            }
        }
    }
}

/// Converts a float without a fraction to an integer, for example 1.0 to 1. Needed because poem-openapi stores the
/// bounds in schemas, such as `minimum`, as floats.
fn to_integer(number: &Number) -> Number {
    /// Below 2^53, an `f64` represents every integer exactly.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        #[expect(clippy::cast_possible_truncation, reason = "the float is whole and smaller than 2^53")]
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
            Number::from(float as i64)
        }
        _ => number.clone(),
    }
}

impl Serialize for Ordered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => items.serialize(serializer),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OrderedVisitor)
    }
}

/// The member name by which serde_json marks a number. With its feature `arbitrary_precision`, serde_json passes a
/// number that is not a 64-bit integer to a visitor as a map. Its only member has this name, and the text of the number
/// as its value.
const EXACT_NUMBER: &str = "$serde_json::private::Number";

struct OrderedVisitor;

impl<'de> Visitor<'de> for OrderedVisitor {
    type Value = Ordered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Ordered, E> {
        Ok(Ordered::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Ordered, E> {
        Ok(Ordered::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Ordered, E> {
        Ok(Ordered::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Ordered, E> {
        Ok(Ordered::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Ordered, E> {
        Ok(Number::from_f64(number).map_or(Ordered::Null, Ordered::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Ordered, E> {
        Ok(Ordered::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Ordered, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Ordered::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Ordered, A::Error> {
        let mut object = Vec::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        match object.as_slice() {
            [(name, Ordered::Text(digits))] if name == EXACT_NUMBER => {
                digits.parse().map(Ordered::Number).map_err(serde::de::Error::custom)
            }
            _ => Ok(Ordered::Object(object)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_numbers_survive_a_round_trip() {
        let text = r#"{"b":1,"a":[null,true,-2,1.5,"x",{"z":{},"y":[]}],"c":18446744073709551615}"#;
        let read: Ordered = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert_eq!(read.to_value(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn floats_without_a_fraction_become_integers() {
        for (number, expected) in
            [("1.0", "1"), ("-3.0", "-3"), ("0.5", "0.5"), ("7", "7"), ("1e300", "1e+300")]
        {
            let value: Value = serde_json::from_str(number).unwrap();
            assert_eq!(serde_json::to_string(&Ordered::from(&value)).unwrap(), expected);
        }
    }
}
