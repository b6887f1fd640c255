//! How types describe themselves to poem-openapi's registry.
//!
//! poem-openapi's derives would do, but their readers are lenient, compile a pattern at each check and cannot
//! publish limits of list items; here only their registry is used, and serde reads and writes.

use std::collections::BTreeMap;

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::MaybeUndefined,
};

use crate::domain::time::Timestamp;

/// A type with a schema in the published document.
pub trait Described {
    /// Whether a property of this type must be present.
    const REQUIRED: bool = true;

    /// The schema where the type is used.
    fn schema() -> MetaSchemaRef;

    /// Adds the named schemas it needs.
    fn register(_registry: &mut Registry) {}
}

/// Lays what a schema says besides its type over the type's own schema.
#[must_use]
pub fn patched(base: MetaSchemaRef, patch: MetaSchema) -> MetaSchemaRef {
    if patch.is_empty() {
        return base;
    }
    match base {
        // a reference has no siblings in OpenAPI 3.0
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

/// Registers an object's schema, once.
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

/// Registers a named schema, once.
pub fn describe_schema<T>(
    registry: &mut Registry,
    name: &str,
    schema: impl FnOnce(&mut Registry) -> MetaSchema,
) {
    registry.create_schema::<T, _>(name.to_owned(), schema);
}

/// A header of a documented answer.
pub struct HeaderDoc {
    pub description: Option<&'static str>,
    pub required: bool,
    pub schema: fn() -> MetaSchemaRef,
}

/// A documented answer.
pub struct ReplyDoc {
    pub status: u16,
    pub description: &'static str,
    /// The schema of the JSON body, if there is one.
    pub schema: Option<fn() -> MetaSchemaRef>,
    /// With their names as they are used here.
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

/// A plain integer; the document says `int64` where it means to.
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

/// May be absent, is never null.
impl<T: Described> Described for Option<T> {
    const REQUIRED: bool = false;
    fn schema() -> MetaSchemaRef {
        T::schema()
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// May be absent or null.
impl<T: Described> Described for MaybeUndefined<T> {
    const REQUIRED: bool = false;
    fn schema() -> MetaSchemaRef {
        nullable::<T>()
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// The schema of `T`, or null.
pub(super) fn nullable<T: Described>() -> MetaSchemaRef {
    patched(T::schema(), MetaSchema { nullable: true, ..MetaSchema::ANY })
}
