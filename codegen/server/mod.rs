//! Emits the server half: types, operation descriptions, the handler traits and the routes.

mod names;
mod operations;
mod routes;
mod security;
mod types;

use heck::ToPascalCase;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::model::Api;
use names::{code, docs, type_ident};

/// The file `generated/{stem}_server.rs`.
pub fn emit(stem: &str, api: &Api) -> TokenStream {
    let json = format!("{stem}.json");
    let types = types::emit(api);
    let markers = api.operations.iter().map(|op| names::of(op).marker);
    let statuses = api.codes.iter().map(|(name, status)| {
        let code = code(name);
        quote!((#code, #status))
    });
    let tags = tags(api);
    let security = security::emit(api);
    let operations = operations::emit(stem, api);
    let handlers = handlers(api);
    let server = routes::emit(api);
    let heading = format!("Server half of `openapi/{stem}.yaml`.");
    quote! {
        #![doc = #heading]
        #![allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::allow_attributes_without_reason, missing_docs, dead_code, unused_imports, unused_qualifications, unused_variables)]

        use std::{collections::BTreeMap, sync::{Arc, LazyLock}};

        use poem::Response;
        use poem_openapi::{
            ApiResponse, OAuthScopes, OpenApi, OpenApiService, Tags,
            registry::{
                MetaOAuthFlow, MetaOAuthFlows, MetaOAuthScope, MetaResponses, MetaSchema, MetaSchemaRef,
                MetaSecurityScheme, Registry,
            },
            types::MaybeUndefined,
        };
        use serde::{Deserialize, Serialize};

        use crate::{
            contract::{
                Anyone, Body, BodyInfo, BodySchema, Clamped, Contract, Credential, Described, Dialect, Door, ErrorCode,
                Guard, Guarded, Header, HeaderDoc, LimitRow, Nullable, OperationInfo, OperationType, ParamRules,
                ParamValue, Parameter, Path, Pattern, Principal, Problem, Property, Query, RawBody, RawRequest,
                ReplyDoc, Schema, constant, describe_object, describe_schema, one_of, patched, reply,
            },
            domain::{refusal::Code, time::Timestamp},
        };

        /// The document, as JSON.
        pub const DOCUMENT: &str = include_str!(#json);

        /// The document's schemas, ready to check bodies.
        pub static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::compile(DOCUMENT));

        /// Every error code of the document with its status.
        pub static CODES: &[(Code, u16)] = &[#(#statuses),*];

        /// Every operation of the document.
        pub static OPERATIONS: &[&OperationInfo] = &[#(#markers::INFO),*];

        /// The document's schemas.
        pub mod types {
            use super::*;
            #types
        }

        #tags
        #security
        #operations
        #handlers
        #server
    }
}

fn tags(api: &Api) -> TokenStream {
    let tags = api.tags.iter().map(|(name, description)| {
        let variant = type_ident(name);
        let docs = docs(description.as_deref());
        quote!(#docs #[oai(rename = #name)] #variant)
    });
    quote! {
        #[derive(Tags)]
        enum Tag { #(#tags),* }
    }
}

/// One trait per tag, and all of them together.
fn handlers(api: &Api) -> TokenStream {
    let tags = || api.tags.iter().filter(|(tag, _)| api.operations.iter().any(|op| op.tag == *tag));
    let trait_ident = |tag: &str| format_ident!("{}Handlers", tag.to_pascal_case());
    let traits = tags().map(|(tag, description)| {
        let name = trait_ident(tag);
        let about = docs(description.as_deref());
        let methods = api.operations.iter().filter(|op| op.tag == *tag).map(|op| {
            let names::Names { request, success, error, method, .. } = names::of(op);
            let about = docs(Some(&op.summary));
            let caller = op.security.first().map(|(scheme, _)| {
                let scheme = type_ident(scheme);
                quote!(caller: Self::#scheme,)
            });
            quote! {
                #about
                fn #method(&self, #caller request: #request)
                    -> impl Future<Output = Result<#success, Problem<#error>>> + Send;
            }
        });
        quote! {
            #about
            pub trait #name: Security { #(#methods)* }
        }
    });
    let all: Vec<_> = tags().map(|(tag, _)| trait_ident(tag)).collect();
    let blank = blank(api, &all);
    quote! {
        #(#traits)*

        /// Everything a server of this document needs.
        pub trait Handlers: #(#all)+* {}
        impl<T: #(#all)+*> Handlers for T {}

        #blank
    }
}

/// Handlers that answer nothing, for tests that only want the routes' own document.
fn blank(api: &Api, traits: &[proc_macro2::Ident]) -> TokenStream {
    let schemes = api.schemes.iter().map(|scheme| {
        let name = type_ident(&scheme.name);
        quote!(type #name = Anyone;)
    });
    let tags = api.tags.iter().filter(|(tag, _)| api.operations.iter().any(|op| op.tag == *tag));
    let impls = tags.zip(traits).map(|((tag, _), name)| {
        let methods = api.operations.iter().filter(|op| op.tag == *tag).map(|op| {
            let names::Names { request, success, error, method, .. } = names::of(op);
            let caller = (!op.security.is_empty()).then(|| quote!(_: Anyone,));
            quote! {
                async fn #method(&self, #caller _: #request) -> Result<#success, Problem<#error>> {
                    Err(Problem::internal("no handlers"))
                }
            }
        });
        quote!(impl #name for Blank { #(#methods)* })
    });
    quote! {
        /// Handlers that answer nothing: for the document of the routes alone.
        #[cfg(test)]
        pub struct Blank;

        #[cfg(test)]
        const _: () = {
            impl Door for Blank {}
            impl Security for Blank { #(#schemes)* }
            #(#impls)*
        };
    }
}
