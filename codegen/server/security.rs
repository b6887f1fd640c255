//! Emits the security schemes, the scopes and the trait that answers for them.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{docs, option, published_docs, type_ident};
use crate::codegen::model::{Api, Scheme, SchemeKind};

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

        /// Who may call: one principal per security scheme, read from a request before anything of it is parsed.
        pub trait Security: Door { #(#members)* }
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
        #[derive(OAuthScopes, Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Scope { #(#about #[oai(rename = #texts)] #variants),* }

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
    let (ty, named, place, http, format, flows) = match &scheme.kind {
        SchemeKind::Http { scheme, bearer_format } => {
            ("http", none.clone(), none.clone(), quote!(Some(#scheme)), option(bearer_format.as_ref()), none)
        }
        SchemeKind::ApiKey { place, name } => {
            ("apiKey", quote!(Some(#name)), quote!(Some(#place)), none.clone(), none.clone(), none)
        }
        SchemeKind::OAuth2 { authorization_url, token_url, scopes } => {
            let scopes = scopes
                .iter()
                .map(|(name, text)| quote!(MetaOAuthScope { name: #name, description: Some(#text) }));
            let flows = quote! {
                Some(MetaOAuthFlows {
                    implicit: None,
                    password: None,
                    client_credentials: None,
                    authorization_code: Some(MetaOAuthFlow {
                        authorization_url: Some(#authorization_url),
                        token_url: Some(#token_url),
                        refresh_url: None,
                        scopes: vec![#(#scopes),*],
                    }),
                })
            };
            ("oauth2", none.clone(), none.clone(), none.clone(), none, flows)
        }
    };
    quote! {
        registry.create_security_scheme(#name, MetaSecurityScheme {
            ty: #ty,
            description: #description,
            name: #named,
            key_in: #place,
            scheme: #http,
            bearer_format: #format,
            flows: #flows,
            openid_connect_url: None,
        });
    }
}
