//! The names of the rate limits of operations.

/// A rate limit of one of the three APIs, as the OpenAPI documents name it (`x-limit`).
///
/// The table in [`crate::platform::limits`] has the numbers of each rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitName {
    /// Bot API: lists.
    List,
    /// Bot API: single reads.
    Single,
    /// Bot API: editing and deleting messages.
    Edit,
    /// Bot API: sending messages.
    Send,
    /// Bot API: the token and revocation endpoints.
    Oauth,
    /// Assistant server: the registration endpoint.
    Register,
    /// Assistant server: the token endpoint.
    Token,
    /// Assistant server: the revocation endpoint.
    Revoke,
    /// Assistant server: the authorization page, whose route is not generated from the OpenAPI document.
    Authorize,
    /// Assistant server: the MCP endpoints, whose routes are not generated from the OpenAPI document.
    Mcp,
    /// Admin API: everything that requires authentication.
    Admin,
    /// Admin API: signing in.
    SignIn,
    /// Intentionally unlimited: small public documents.
    Unlimited,
}
