//! Generates the Rust types of a document's schemas (`components/schemas`).

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::names::{docs, ident, option, patch, rust_type, type_ident};
use crate::model::{Api, Field, Named, NamedKind, Ty};

pub fn emit(api: &Api) -> TokenStream {
    let types = api.schemas.iter().map(|named| schema(api, named));
    let bodies: BTreeSet<_> =
        api.operations.iter().filter_map(|op| op.body.as_ref()).filter_map(|b| b.schema.as_ref()).collect();
    let bodies = bodies.into_iter().map(|name| {
        let ty = type_ident(name);
        let name = api.schemas.iter().find(|schema| schema.name == **name).map(|schema| &schema.wire);
        quote! {
            impl BodySchema for #ty {
                fn rules() -> &'static Schema {
                    static SCHEMA: LazyLock<&'static Schema> = LazyLock::new(|| CONTRACT.schema(#name));
                    &SCHEMA
                }
                fn contract() -> &'static Contract {
                    &CONTRACT
                }
            }
        }
    });
    let names: Vec<_> = api.schemas.iter().map(|schema| type_ident(&schema.name)).collect();
    let wires = api.schemas.iter().map(|schema| &schema.wire);
    quote! {
        #(#types)*
        #(#bodies)*

        /// Registers every schema of the document, also those that no route uses, such as events.
        pub fn register(registry: &mut Registry) {
            #(<#names as Described>::register(registry);)*
        }

        /// Reads a value into the type of a schema and writes it again, for tests of examples.
        #[cfg(test)]
        pub fn round_trip(schema: &str, value: serde_json::Value) -> serde_json::Result<serde_json::Value> {
            match schema {
                #(#wires => serde_json::to_value(serde_json::from_value::<#names>(value)?),)*
                _ => panic!("no schema {schema}"),
            }
        }
    }
}

fn schema(api: &Api, named: &Named) -> TokenStream {
    match &named.kind {
        NamedKind::Constant(value) => {
            let name = type_ident(&named.name);
            let wire = &named.wire;
            let description = option(named.description.as_ref());
            quote!(constant!(#name = bool #value; as #wire, #description);)
        }
        NamedKind::Enum { values, extensible } => enumeration(named, values, *extensible),
        NamedKind::Union { tag, variants } => union(api, named, tag, variants),
        NamedKind::Object(fields) => object(named, fields),
    }
}

fn described(named: &Named, register: &TokenStream) -> TokenStream {
    let name = type_ident(&named.name);
    let wire = &named.wire;
    quote! {
        impl Described for #name {
            fn schema() -> MetaSchemaRef {
                MetaSchemaRef::Reference(#wire.into())
            }
            fn register(registry: &mut Registry) {
                #register
            }
        }
    }
}

fn enumeration(named: &Named, values: &[String], extensible: bool) -> TokenStream {
    let name = type_ident(&named.name);
    let wire = &named.wire;
    let about = named.description.as_deref().unwrap_or_default();
    let variants = values.iter().map(|v| type_ident(v));
    let kind = format_ident!("{}", if extensible { "extensible" } else { "closed" });
    quote!(enumeration! { #name as #wire, #kind, #about; #(#variants = #values),* })
}

fn union(api: &Api, named: &Named, tag: &str, variants: &[(String, String)]) -> TokenStream {
    let name = type_ident(&named.name);
    let wire = &named.wire;
    let about = docs(named.description.as_deref());
    let description = option(named.description.as_ref());
    let values = variants.iter().map(|(value, _)| value);
    let targets: Vec<_> = variants.iter().map(|(_, target)| type_ident(target)).collect();
    let wire_of =
        |target: &str| api.schemas.iter().find(|schema| schema.name == target).map(|schema| &schema.wire);
    let references =
        variants.iter().filter_map(|(_, target)| Some(format!("#/components/schemas/{}", wire_of(target)?)));
    let described = described(
        named,
        &quote! {
            describe_schema::<Self>(registry, #wire, |registry| {
                #(<#targets as Described>::register(registry);)*
                MetaSchema {
                    description: #description,
                    one_of: vec![#(<#targets as Described>::schema()),*],
                    discriminator: Some(poem_openapi::registry::MetaDiscriminatorObject {
                        property_name: #tag,
                        mapping: vec![#((#values.into(), #references.into())),*],
                    }),
                    ..MetaSchema::ANY
                }
            });
        },
    );
    quote! {
        #about
        ///
        /// The value as it was sent, after it was validated against the document's schema.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct #name(pub serde_json::Value);

        #described
    }
}

fn object(named: &Named, fields: &[Field]) -> TokenStream {
    let name = type_ident(&named.name);
    let wire = &named.wire;
    let about = docs(named.description.as_deref());
    let description = option(named.description.as_ref());
    let constants = fields.iter().filter_map(|f| match &f.ty {
        Ty::Tag(value) => {
            let name = tag_ident(named, f);
            Some(quote!(constant!(#name = str #value);))
        }
        _ => None,
    });
    let members = fields.iter().map(|f| member(named, f));
    let properties = fields.iter().map(|f| {
        let wire = &f.name;
        let ty = field_type(named, f);
        let patch = patch(&f.limits);
        quote!(Property::new::<#ty>(registry, #wire, #patch))
    });
    let registry = if fields.is_empty() { quote!(_) } else { quote!(registry) };
    let described = described(
        named,
        &quote! {
            describe_object::<Self>(registry, #wire, #description, |#registry| vec![#(#properties),*]);
        },
    );
    quote! {
        #(#constants)*

        #about
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct #name { #(#members),* }

        #described
    }
}

/// Returns the name of the Rust type of a property that can have only one value, such as the tag of a union's variant.
fn tag_ident(named: &Named, field: &Field) -> Ident {
    format_ident!("{}{}", type_ident(&named.name), type_ident(&field.name))
}

fn field_type(named: &Named, field: &Field) -> TokenStream {
    let tag = tag_ident(named, field);
    let ty = rust_type(&field.ty, Some(&tag));
    match (field.required, field.nullable) {
        (true, false) => ty,
        (true, true) => quote!(Nullable<#ty>),
        (false, true) => quote!(MaybeUndefined<#ty>),
        (false, false) => quote!(Option<#ty>),
    }
}

fn member(named: &Named, field: &Field) -> TokenStream {
    let name = ident(&field.name);
    let wire = &field.name;
    let about = docs(field.limits.description.as_deref());
    let ty = field_type(named, field);
    let rename = (name != wire).then(|| quote!(#[serde(rename = #wire)]));
    let absent = match (field.required, field.nullable) {
        (true, _) => None,
        (false, true) => {
            Some(quote!(#[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]))
        }
        (false, false) => Some(quote!(#[serde(default, skip_serializing_if = "Option::is_none")])),
    };
    quote!(#about #rename #absent pub #name: #ty)
}
