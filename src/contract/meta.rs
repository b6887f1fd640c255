//! The descriptions of types in poem-openapi's registry.
//!
//! The derive macros of poem-openapi are not used. The parsers that they generate are lenient, and compile the regular
//! expression of a `pattern` at each check. The macros also cannot publish constraints on the items of a list. So
//! poem-openapi only gets the schemas of the types; serde parses and serializes the types.

use std::collections::BTreeMap;

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::MaybeUndefined,
};

use crate::domain::time::Timestamp;

/// A type with a schema in the published document.
pub trait Described {
    /// Whether a property of this type must be present in an object.
    const REQUIRED: bool = true;

    /// Returns the schema to publish where the type is used. For a type with a named schema, this is a reference to it.
    fn schema() -> MetaSchemaRef;

    /// Registers the named schemas that the type needs.
    fn register(_registry: &mut Registry) {}
}

/// Returns the schema `base` with the additional keywords of `patch`.
#[must_use]
pub fn patched(base: MetaSchemaRef, patch: MetaSchema) -> MetaSchemaRef {
    if patch.is_empty() {
        return base;
    }
    match base {
        // OpenAPI 3.0 ignores keywords beside `$ref`
        MetaSchemaRef::Reference(_) => {
            MetaSchemaRef::Inline(Box::new(MetaSchema { all_of: vec![base], ..patch }))
        }
        MetaSchemaRef::Inline(schema) => {
            let format = patch.format.or(schema.format);
            MetaSchemaRef::Inline(Box::new(MetaSchema { format, ..schema.merge(patch) }))
        }
    }
}

/// A property of an object.
pub struct Property {
    name: &'static str,
    required: bool,
    schema: MetaSchemaRef,
}

impl Property {
    /// Describes a property and registers its type.
    pub fn new<T: Described>(registry: &mut Registry, name: &'static str, patch: MetaSchema) -> Self {
        T::register(registry);
        Self { name, required: T::REQUIRED, schema: patched(T::schema(), patch) }
    }
}

/// Registers the schema of an object under `name`, if it is not registered yet.
pub fn describe_object<T>(
    registry: &mut Registry,
    name: &str,
    description: Option<&'static str>,
    properties: impl FnOnce(&mut Registry) -> Vec<Property>,
) {
    describe_schema::<T>(registry, name, |registry| {
        let properties = properties(registry);
        MetaSchema {
            description,
            required: properties.iter().filter(|p| p.required).map(|p| p.name).collect(),
            properties: properties.into_iter().map(|p| (p.name, p.schema)).collect(),
            ..MetaSchema::new("object")
        }
    });
}

/// Registers a schema under `name`, if it is not registered yet.
pub fn describe_schema<T>(
    registry: &mut Registry,
    name: &str,
    schema: impl FnOnce(&mut Registry) -> MetaSchema,
) {
    registry.create_schema::<T, _>(name.to_owned(), schema);
}

/// A header of a documented response.
pub struct HeaderDoc {
    pub description: Option<&'static str>,
    pub required: bool,
    pub schema: fn() -> MetaSchemaRef,
}

/// A documented response.
pub struct ReplyDoc {
    /// The status; `None` for the default response, which covers every status that is not listed.
    pub status: Option<u16>,
    pub description: &'static str,
    /// The schema of the JSON body, if there is one.
    pub schema: Option<fn() -> MetaSchemaRef>,
    /// The headers with their names.
    pub headers: &'static [(&'static str, HeaderDoc)],
}

fn inline(schema: MetaSchema) -> MetaSchemaRef {
    MetaSchemaRef::Inline(Box::new(schema))
}

impl Described for String {
    fn schema() -> MetaSchemaRef {
        inline(MetaSchema::new("string"))
    }
}

impl Described for bool {
    fn schema() -> MetaSchemaRef {
        inline(MetaSchema::new("boolean"))
    }
}

/// An integer without a format. Where the document has the format `int64`, the generated code adds it with [`patched`].
impl Described for i64 {
    fn schema() -> MetaSchemaRef {
        inline(MetaSchema::new("integer"))
    }
}

impl Described for Timestamp {
    fn schema() -> MetaSchemaRef {
        inline(MetaSchema::new_with_format("string", "date-time"))
    }
}

/// A free-form object.
impl Described for BTreeMap<String, serde_json::Value> {
    fn schema() -> MetaSchemaRef {
        let any = Some(Box::new(inline(MetaSchema::ANY)));
        inline(MetaSchema { additional_properties: any, ..MetaSchema::new("object") })
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema() -> MetaSchemaRef {
        inline(MetaSchema { items: Some(Box::new(T::schema())), ..MetaSchema::new("array") })
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// A property that may be absent, but not null.
impl<T: Described> Described for Option<T> {
    const REQUIRED: bool = false;
    fn schema() -> MetaSchemaRef {
        T::schema()
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// A property that may be absent or null.
impl<T: Described> Described for MaybeUndefined<T> {
    const REQUIRED: bool = false;
    fn schema() -> MetaSchemaRef {
        nullable::<T>()
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// Returns a schema that allows null and the values of `T`.
pub(super) fn nullable<T: Described>() -> MetaSchemaRef {
    let nullable = MetaSchema { nullable: true, ..MetaSchema::ANY };
    match T::schema() {
        // `nullable` applies only to a schema that has a `type` (OpenAPI 3.0.3 §4.7.24), and a reference has none
        target @ MetaSchemaRef::Reference(_) => {
            let null = MetaSchema { enum_items: vec![serde_json::Value::Null], ..MetaSchema::new("string") };
            let null = inline(MetaSchema { nullable: true, ..null });
            inline(MetaSchema { any_of: vec![target, null], ..MetaSchema::ANY })
        }
        own => patched(own, nullable),
    }
}
