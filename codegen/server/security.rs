//! Generates the security code of a document: the registration of its security schemes, the enum of its scopes, and the
//! trait `Security`. The trait has an associated type for each scheme: the principal, which is the type of the callers
//! that authenticate with this scheme.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{docs, option, published_docs, type_ident};
use crate::model::{Api, Scheme, SchemeKind};

pub fn emit(api: &Api) -> TokenStream {
    let scopes = scopes(api);
    let schemes = api.schemes.iter().map(register);
    let members = api.schemes.iter().map(|scheme| {
        let name = type_ident(&scheme.name);
        let about = docs(scheme.description.as_deref());
        quote! {
            #about
            type #name: Principal<Self>;
        }
    });
    quote! {
        #scopes

        fn register_schemes(registry: &mut Registry) { #(#schemes)* }

        /// The callers: one principal per security scheme, authenticated before parameters and body are parsed.
        pub trait Security: RequestPolicy { #(#members)* }
    }
}

fn scopes(api: &Api) -> TokenStream {
    if api.scopes.is_empty() {
        return quote!();
    }
    let (variants, texts): (Vec<_>, Vec<_>) =
        api.scopes.iter().map(|(name, _)| (type_ident(name), name.as_str())).unzip();
    let about = api.scopes.iter().map(|(_, description)| published_docs(Some(description)));
    quote! {
        /// What a token may be allowed to do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Scope { #(#about #variants),* }

        impl Scope {
            /// Every scope of the document.
            pub const ALL: &'static [Self] = &[#(Self::#variants),*];

            /// The scope as it is written.
            pub const fn as_str(self) -> &'static str {
                match self { #(Self::#variants => #texts),* }
            }
        }
    }
}

fn register(scheme: &Scheme) -> TokenStream {
    let name = &scheme.name;
    let description = option(scheme.description.as_ref());
    let none = quote!(None);
    let (ty, named, location, http, format) = match &scheme.kind {
        SchemeKind::Http { scheme, bearer_format } => {
            ("http", none.clone(), none, quote!(Some(#scheme)), option(bearer_format.as_ref()))
        }
        SchemeKind::ApiKey { location, name } => {
            ("apiKey", quote!(Some(#name)), quote!(Some(#location)), none.clone(), none)
        }
    };
    quote! {
        registry.create_security_scheme(#name, MetaSecurityScheme {
            ty: #ty,
            description: #description,
            name: #named,
            key_in: #location,
            scheme: #http,
            bearer_format: #format,
            flows: None,
            openid_connect_url: None,
        });
    }
}
