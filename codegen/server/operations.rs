//! Generates the items of an operation: its metadata, parameters, request, responses and errors.

use std::collections::BTreeMap;

use heck::ToPascalCase;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::names::{Names, code, const_ident, docs, ident, of, option, patch, rust_type, type_ident};
use crate::model::{Api, HeaderDoc, Op, Param, ParamLocation, Reply, Ty};

pub fn emit(stem: &str, api: &Api, markers: &ParamMarkers) -> TokenStream {
    let shared = shared(api);
    let params = &markers.code;
    let operations = api.operations.iter().map(|op| operation(stem, api, op));
    quote!(#shared #(#params)* #(#operations)*)
}

fn operation(stem: &str, api: &Api, op: &Op) -> TokenStream {
    let info = info(stem, api, op);
    let request = request(op);
    let success = success(api, op);
    let errors = errors(api, op);
    quote!(#info #request #success #errors)
}

fn info(stem: &str, api: &Api, op: &Op) -> TokenStream {
    let dialect = type_ident(&api.dialect);
    let Names { marker, error, .. } = of(op);
    let (id, path) = (&op.id, &op.path);
    let method = op.method.to_uppercase();
    let limit = type_ident(&op.limit);
    let members = optional_metadata(op);
    let principal = match op.security.first() {
        Some(scheme) => {
            let scheme = type_ident(scheme);
            quote!(H::#scheme)
        }
        None => quote!(Anyone),
    };
    quote! {
        pub struct #marker;

        impl OperationType for #marker {
            const INFO: &'static OperationInfo = &OperationInfo {
                api: #stem,
                id: #id,
                method: #method,
                path: #path,
                dialect: Dialect::#dialect,
                errors: #error::CODES,
                #members
                ..OperationInfo::plain(LimitName::#limit)
            };
        }

        impl<H: Security> Guarded<H> for #marker {
            type Principal = #principal;
            fn register(registry: &mut Registry) { register_schemes(registry); }
        }
    }
}

/// Returns the metadata that only some operations have.
fn optional_metadata(op: &Op) -> TokenStream {
    let mut members = Vec::new();
    let (schemes, scopes, credentials) = (&op.security, &op.scopes, &op.credentials);
    if !schemes.is_empty() {
        members.push(quote!(schemes: &[#(#schemes),*],));
    }
    for (flag, is_set) in [("optional", op.optional_security), ("sandbox", op.sandbox), ("raw", op.raw)] {
        let flag = ident(flag);
        members.extend(is_set.then(|| quote!(#flag: true,)));
    }
    if !scopes.is_empty() {
        members.push(quote!(scopes: &[#(#scopes),*],));
    }
    let required = op.params.iter().filter(|p| p.location == ParamLocation::Header).filter_map(|p| {
        let code = code(p.missing_code.as_ref()?);
        let name = &p.name;
        Some(quote!((#name, #code)))
    });
    let required: Vec<_> = required.collect();
    if !required.is_empty() {
        members.push(quote!(required_headers: &[#(#required),*],));
    }
    if let Some(body) = &op.body {
        let (media_types, also, required, lists) =
            (&body.media_types, &body.also, body.required, &body.lists);
        let description = option(body.description.as_ref());
        members.push(quote!(body: Some(BodyInfo {
            media_types: &[#(#media_types),*],
            also: &[#(#also),*],
            required: #required,
            description: #description,
            lists: &[#(#lists),*],
        }),));
    }
    if !credentials.is_empty() {
        let credentials = credentials.iter().map(|c| type_ident(c));
        members.push(quote!(credentials: &[#(Credential::#credentials),*],));
    }
    quote!(#(#members)*)
}

/// Returns the type of a parameter's value, without the `Option` of an optional parameter.
fn value_type(param: &Param) -> TokenStream {
    let ty = rust_type(&param.ty, None);
    match (
        param.clamp,
        param.limits.minimum,
        param.limits.default.as_ref().and_then(serde_json::Value::as_i64),
    ) {
        (Some(max), Some(min), Some(default)) => {
            let [min, max, default] = [min, max, default].map(Literal::i64_unsuffixed);
            quote!(Clamped<#min, #max, #default>)
        }
        _ => match &param.ty {
            Ty::Named(_) => quote!(types::#ty),
            _ => ty,
        },
    }
}

/// Returns the type of the value that a handler receives.
fn handler_type(param: &Param) -> TokenStream {
    match param.clamp {
        Some(_) => quote!(u32),
        None if param.required => value_type(param),
        None => {
            let ty = value_type(param);
            quote!(Option<#ty>)
        }
    }
}

/// The types that describe parameters. If several operations have the same parameter, they share its type.
pub struct ParamMarkers {
    /// The body of each type's implementation of `Parameter`, by the name of the type.
    types: BTreeMap<String, String>,
    /// The declarations and implementations of the types.
    code: Vec<TokenStream>,
    /// The type of each parameter, by the names of the operation and of the parameter.
    of: BTreeMap<(String, String), Ident>,
}

impl ParamMarkers {
    pub fn new(api: &Api) -> Self {
        let mut markers = Self { types: BTreeMap::new(), code: Vec::new(), of: BTreeMap::new() };
        for (op, param) in api.operations.iter().flat_map(|op| op.params.iter().map(move |param| (op, param)))
        {
            let ident = markers.add(op, param);
            markers.of.insert((op.name.clone(), param.name.clone()), ident);
        }
        markers
    }

    /// Returns the type of a parameter, and adds the type if it is new. The type is named after the parameter. If the
    /// type of a different parameter already has this name, the type is named after the operation and the parameter.
    fn add(&mut self, op: &Op, param: &Param) -> Ident {
        let body = parameter(param);
        let text = body.to_string();
        let own = param.name.to_pascal_case();
        for name in [format!("{own}Param"), format!("{}{own}Param", op.name.to_pascal_case())] {
            let ident = format_ident!("{name}");
            match self.types.get(&name) {
                Some(known) if *known == text => return ident,
                Some(_) => {}
                None => {
                    let about = format!("The parameter `{}`.", param.name);
                    self.types.insert(name, text);
                    self.code.push(quote! {
                        #[doc = #about]
                        pub struct #ident;

                        impl Parameter for #ident { #body }
                    });
                    return ident;
                }
            }
        }
        panic!("{}: {} is declared twice", op.id, param.name)
    }

    pub fn marker_of(&self, op: &Op, param: &Param) -> &Ident {
        &self.of[&(op.name.clone(), param.name.clone())]
    }
}

/// Returns the body of the implementation of `Parameter` for a parameter's type.
fn parameter(param: &Param) -> TokenStream {
    let Param { name, required, limits, .. } = param;
    let (value, output) = (value_type(param), handler_type(param));
    let finish = match (param.clamp, required) {
        (Some(_), _) => quote!(Ok(value.unwrap_or_default().get())),
        (None, true) => quote!(value.ok_or(())),
        (None, false) => quote!(Ok(value)),
    };
    let missing = code(param.missing_code.as_deref().unwrap_or("invalid_request"));
    let invalid = code(param.invalid_code.as_deref().unwrap_or("invalid_request"));
    let number = |value: Option<usize>| option(value.map(Literal::usize_unsuffixed));
    let (min_length, max_length) = (number(limits.min_length), number(limits.max_length));
    let pattern = option(limits.pattern.as_ref().map(|p| quote!(Pattern::new(#p))));
    let bound = |value: Option<i64>| option(value.map(Literal::i64_unsuffixed));
    let (minimum, maximum) = (bound(limits.minimum), bound(limits.maximum));
    let patch = patch(limits);
    quote! {
        type Value = #value;
        type Output = #output;
        const REQUIRED: bool = #required;
        fn rules() -> &'static ParamRules {
            static RULES: ParamRules = ParamRules {
                name: #name,
                missing: #missing,
                invalid: #invalid,
                min_length: #min_length,
                max_length: #max_length,
                minimum: #minimum,
                maximum: #maximum,
                pattern: #pattern,
            };
            &RULES
        }
        fn patch() -> MetaSchema { #patch }
        fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()> { #finish }
    }
}

fn request(op: &Op) -> TokenStream {
    let Names { request, .. } = of(op);
    let params = op.params.iter().map(|p| {
        let name = ident(&p.name);
        let about = docs(p.description.as_deref());
        let ty = handler_type(p);
        quote!(#about pub #name: #ty,)
    });
    let body = match &op.body {
        Some(body) => body.schema.as_ref().map(|schema| {
            let schema = type_ident(schema);
            quote! {
                pub body: types::#schema,
                /// The body as it was sent, with the members the document does not know.
                pub sent: serde_json::Value,
            }
        }),
        None => None,
    };
    let raw = op.raw.then(|| {
        quote! {
            /// The request itself; its body is not read yet.
            pub raw: RawRequest,
        }
    });
    quote! {
        #[derive(Debug)]
        pub struct #request { #(#params)* #body #raw }
    }
}

/// Returns the headers that a handler sets on a response: all except those in [`Api::ambient`].
fn explicit<'a>(api: &'a Api, reply: &'a Reply) -> Vec<&'a HeaderDoc> {
    reply.headers.iter().filter(|h| !api.ambient.contains(&h.name)).collect()
}

fn success(api: &Api, op: &Op) -> TokenStream {
    let Names { success, .. } = of(op);
    let mut variants = Vec::new();
    let mut arms = Vec::new();
    for answer in &op.successes {
        let status = answer.status.unwrap_or_default();
        let variant = format_ident!("Status{status}");
        let status = Literal::u16_unsuffixed(status);
        let about = docs(Some(&answer.description));
        let headers = explicit(api, answer);
        let names: Vec<_> = headers.iter().map(|h| ident(&h.name)).collect();
        let texts = headers.iter().map(|h| h.name.to_lowercase());
        let fields = headers.iter().zip(&names).map(|(h, name)| {
            let ty = if h.integer { quote!(i64) } else { quote!(String) };
            let ty = if h.required { ty } else { quote!(Option<#ty>) };
            let about = docs(h.description.as_deref());
            quote!(#about #name: #ty)
        });
        let body = answer.schema.as_ref().map(|schema| type_ident(schema));
        let write = match &body {
            Some(_) => quote!(reply::json(#status, &body)),
            None => quote!(reply::empty(#status)),
        };
        let set = quote!(#(reply::set(&mut response, #texts, #names);)*);
        let finish = match names.is_empty() {
            true => write,
            false => quote!({ let mut response = #write; #set response }),
        };
        let (variant, arm) = match (&body, names.is_empty()) {
            (Some(body), true) => (quote!(#variant(types::#body)), quote!(Self::#variant(body))),
            (Some(body), false) => (
                quote!(#variant { body: types::#body, #(#fields),* }),
                quote!(Self::#variant { body, #(#names),* }),
            ),
            (None, true) => (quote!(#variant), quote!(Self::#variant)),
            (None, false) => (quote!(#variant { #(#fields),* }), quote!(Self::#variant { #(#names),* })),
        };
        variants.push(quote!(#about #variant));
        arms.push(quote!(#arm => #finish));
    }
    let from = match op.successes.as_slice() {
        [only] if explicit(api, only).is_empty() => only.schema.as_ref().map(|schema| {
            let (schema, variant) =
                (type_ident(schema), format_ident!("Status{}", only.status.unwrap_or_default()));
            quote! {
                impl From<types::#schema> for #success {
                    fn from(body: types::#schema) -> Self { Self::#variant(body) }
                }
            }
        }),
        _ => None,
    };
    let docs_list = op.successes.iter().map(|reply| reply_doc(reply, &quote!(shared::)));
    let schemas = op.successes.iter().filter_map(|a| a.schema.as_ref()).map(|schema| type_ident(schema));
    quote! {
        #[derive(Debug)]
        pub enum #success { #(#variants),* }

        #from

        impl poem::IntoResponse for #success {
            fn into_response(self) -> Response {
                match self { #(#arms),* }
            }
        }

        impl ApiResponse for #success {
            fn meta() -> MetaResponses {
                reply::meta(&[#(#docs_list),*])
            }
            fn register(registry: &mut Registry) {
                #(<types::#schemas as Described>::register(registry);)*
            }
        }
    }
}

fn errors(api: &Api, op: &Op) -> TokenStream {
    let Names { error, .. } = of(op);
    let codes = op.errors.iter().flat_map(|reply| &reply.codes).map(|c| type_ident(c));
    let replies = op.errors.iter().chain(&op.fallback).map(|reply| match &reply.shared {
        Some(name) => {
            let name = const_ident(name);
            quote!(shared::#name)
        }
        None => reply_doc(reply, &quote!(shared::)),
    });
    let schema = type_ident(&api.error_schema);
    let id = &op.id;
    quote!(error_codes! { #error of #id: types::#schema, [#(#replies),*]; #(#codes),* })
}

/// Returns the `ReplyDoc` of a response. `shared` is the path prefix of the shared headers.
fn reply_doc(reply: &Reply, shared: &TokenStream) -> TokenStream {
    let status = option(reply.status.map(Literal::u16_unsuffixed));
    let description = &reply.description;
    let schema = option(reply.schema.as_ref().map(|schema| {
        let schema = type_ident(schema);
        quote!(<types::#schema as Described>::schema)
    }));
    let headers = reply.headers.iter().map(|h| match &h.shared {
        Some(name) => {
            let name = format_ident!("HEADER_{}", const_ident(name));
            quote!(#shared #name)
        }
        None => header_doc(h),
    });
    let names = reply.headers.iter().map(|h| &h.name);
    quote!(ReplyDoc { status: #status, description: #description, schema: #schema, headers: &[#((#names, #headers)),*] })
}

fn header_doc(header: &HeaderDoc) -> TokenStream {
    let description = option(header.description.as_ref());
    let required = header.required;
    let ty = if header.integer { quote!(i64) } else { quote!(String) };
    let patch = patch(&header.limits);
    quote!(HeaderDoc {
        description: #description,
        required: #required,
        schema: || patched(<#ty as Described>::schema(), #patch),
    })
}

/// Generates the document's shared error responses and shared headers.
fn shared(api: &Api) -> TokenStream {
    let errors = || api.operations.iter().flat_map(|op| op.errors.iter().chain(&op.fallback));
    let successes = api.operations.iter().flat_map(|op| &op.successes);
    let mut seen = BTreeMap::new();
    for header in successes.chain(errors()).flat_map(|r| &r.headers) {
        if let Some(name) = &header.shared {
            let ident = format_ident!("HEADER_{}", const_ident(name));
            let value = header_doc(header);
            seen.insert(ident.clone(), quote!(pub const #ident: HeaderDoc = #value;));
        }
    }
    for reply in errors() {
        if let Some(name) = &reply.shared {
            let ident = const_ident(name);
            let value = reply_doc(reply, &TokenStream::new());
            seen.insert(ident.clone(), quote!(pub const #ident: ReplyDoc = #value;));
        }
    }
    let constants = seen.values();
    quote! {
        mod shared {
            use super::*;
            #(#constants)*
        }
    }
}
