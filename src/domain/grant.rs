//! Scopes, resources and lifetimes of assistant connections, and the reasons why connections end.

use std::time::Duration;

use super::conversation::coded;
use super::people::UserState;
use super::scopes::scope_set;
use super::time::Timestamp;

/// Lifetime of an access token.
pub const ACCESS_LIFE: Duration = Duration::from_secs(60 * 60);
/// Lifetime of a refresh token. A connection that is not refreshed within this time ends (D-318).
pub const REFRESH_LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Lifetime of an authorization request that awaits the employee's decision, counted from its creation by a valid
/// request to `/authorize` (D-274).
pub const REQUEST_LIFE: Duration = Duration::from_secs(10 * 60);
/// Lifetime of an authorization code: ten minutes and one microsecond, the unit of [`Timestamp`]. So a code is still
/// accepted exactly ten minutes after the approval, and not any later.
pub const CODE_LIFE: Duration = Duration::from_micros(10 * 60 * 1_000_000 + 1);

const HOUR_MICROS: i64 = 60 * 60 * 1_000_000;

coded! {
    /// How a client is identified.
    ClientKind {
        /// The client registered dynamically; its id begins with `mcpc_`.
        Registered = 0 "registered",
        /// The client's id is the URL of its metadata document.
        Document = 1 "metadata_document",
    }
}

coded! {
    /// Why a connection ended. Shown to admins and to the employee, never to the client (D-319).
    EndReason {
        /// The employee disconnected the client.
        Employee = 0 "employee",
        /// An admin or the operator revoked the connection.
        Admin = 1 "admin",
        /// The company blocked the client.
        ClientBlocked = 2 "client_blocked",
        /// The company disabled assistants.
        AssistantsOff = 3 "assistants_off",
        /// The employee was deactivated.
        UserDeactivated = 4 "user_deactivated",
        /// The employee was removed.
        UserRemoved = 5 "user_removed",
        /// An admin or the operator logged the employee out.
        LoggedOut = 6 "logged_out",
        /// The user is a guest (D-316), or is still onboarding.
        NotEmployee = 7 "not_employee",
        /// A newer connection of the same client, employee and redirect URI replaced this connection (D-313).
        Replaced = 8 "replaced",
        /// The connection was not refreshed for thirty days.
        RefreshExpired = 9 "refresh_expired",
        /// The connection reached the company's maximum lifetime of connections (`max_session_hours`).
        SessionExpired = 10 "session_expired",
        /// The client revoked its token.
        Client = 11 "client",
        /// A used authorization code was presented again.
        CodeReused = 12 "code_reused",
        /// A spent refresh token was presented again.
        RefreshReused = 13 "refresh_reused",
    }
}

/// A scope of an access token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessScope {
    /// All read tools.
    Read,
    /// All write tools.
    Write,
}

impl AccessScope {
    /// Both scopes, in the order in which a `scope` text lists them.
    pub const ALL: [Self; 2] = [Self::Read, Self::Write];

    /// Returns the name used in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "service:read",
            Self::Write => "service:write",
        }
    }

    const fn bit(self) -> u8 {
        match self {
            Self::Read => 1,
            Self::Write => 2,
        }
    }
}

/// A set of [`AccessScope`]s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access(u8);

impl Access {
    /// Read only.
    pub const READ: Self = Self(AccessScope::Read.bit());
    /// Read and write.
    pub const ALL: Self = Self(AccessScope::Read.bit() | AccessScope::Write.bit());

    /// Parses an OAuth `scope` text: names separated by single spaces, duplicates allowed (D-260). Returns `None` if a
    /// name is unknown or the text is empty.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.split(' ').try_fold(Self::NONE, |set, name| {
            let scope = AccessScope::ALL.into_iter().find(|scope| scope.name() == name)?;
            Some(Self(set.0 | scope.bit()))
        })
    }
}

scope_set!(Access of AccessScope);

coded! {
    /// A protected resource (RFC 9728): one of the two MCP endpoints.
    Resource {
        /// Read and write tools.
        Full = 0 "/mcp",
        /// Read tools only.
        ReadOnly = 1 "/mcp/readonly",
    }
}

impl Resource {
    /// Returns the URL of the resource: its path appended to the server's MCP URL.
    #[must_use]
    pub fn url(self, mcp_url: &str) -> String {
        format!("{mcp_url}{}", self.name())
    }

    /// Returns the scopes available at the resource.
    #[must_use]
    pub const fn scopes(self) -> Access {
        match self {
            Self::Full => Access::ALL,
            Self::ReadOnly => Access::READ,
        }
    }

    /// Parses a `resource` parameter (RFC 8707). Its scheme and host may differ in case from the resource's URL, and it
    /// may have the default port; everything else must be equal (D-259). Returns `None` for a URL that is not one of
    /// this server's resources.
    #[must_use]
    pub fn parse(text: &str, mcp_url: &str) -> Option<Self> {
        let (origin, path) = origin_and_path(text)?;
        let (ours, _) = origin_and_path(mcp_url)?;
        Self::from_name(path).filter(|_| origin == ours)
    }

    /// Returns whether a token of this resource is accepted at the resource `at`. A token for `/mcp` is accepted at
    /// both resources; a token for `/mcp/readonly` is accepted only at `/mcp/readonly`.
    #[must_use]
    pub const fn admits(self, at: Self) -> bool {
        matches!((self, at), (Self::Full, _) | (Self::ReadOnly, Self::ReadOnly))
    }
}

/// Splits a URL into its origin and the rest. The origin is `scheme://authority` in lower case, without a default port.
fn origin_and_path(uri: &str) -> Option<(String, &str)> {
    let (scheme, rest) = uri.split_once("://")?;
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let scheme = scheme.to_ascii_lowercase();
    let authority = authority.to_ascii_lowercase();
    let default_port = if scheme == "https" { ":443" } else { ":80" };
    let authority = authority.strip_suffix(default_port).unwrap_or(&authority);
    Some((format!("{scheme}://{authority}"), path))
}

/// Returns whether a user may connect assistants. Only employees whose account state is `active` may, so no guests, no
/// bots and no onboarding employees (A-162, D-277, D-320).
#[must_use]
pub const fn may_connect_assistants(state: UserState, is_external: bool, is_bot: bool) -> bool {
    matches!(state, UserState::Active) && !is_external && !is_bot
}

/// The facts that determine whether a user may connect a client, and whether an existing connection may still be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectionFacts {
    /// State of the user.
    pub state: UserState,
    /// The user is a guest.
    pub is_external: bool,
    /// The company has assistants enabled.
    pub ai_assistants: bool,
    /// The company has blocked the client's block key.
    pub is_blocked: bool,
    /// The company's maximum lifetime of connections in hours; `None` if it has none.
    pub max_session_hours: Option<i64>,
}

impl ConnectionFacts {
    /// Returns why the user may not connect the client. For the same reason, an existing connection of the user and the
    /// client may not be used. Returns `None` if both are allowed. [`ConnectionFacts::end_reason`] also checks whether
    /// a connection has expired.
    #[must_use]
    pub const fn rejection(&self) -> Option<EndReason> {
        match self.state {
            UserState::Removed => return Some(EndReason::UserRemoved),
            UserState::Deactivated => return Some(EndReason::UserDeactivated),
            UserState::Onboarding => return Some(EndReason::NotEmployee),
            UserState::Active => {}
        }
        if self.is_external {
            Some(EndReason::NotEmployee)
        } else if !self.ai_assistants {
            Some(EndReason::AssistantsOff)
        } else if self.is_blocked {
            Some(EndReason::ClientBlocked)
        } else {
            None
        }
    }

    /// Returns why a connection created at `created_at`, whose refresh token expires at `refresh_until`, has ended at
    /// `now`: the reason of [`ConnectionFacts::rejection`], or else of [`expiry`]. Returns `None` if the connection has
    /// not ended.
    #[must_use]
    pub fn end_reason(
        &self,
        created_at: Timestamp,
        refresh_until: Timestamp,
        now: Timestamp,
    ) -> Option<EndReason> {
        self.rejection().or_else(|| expiry(self.max_session_hours, created_at, refresh_until, now))
    }
}

/// Returns why a connection created at `created_at`, whose refresh token expires at `refresh_until`, has expired at
/// `now`. `max_session_hours` is the company's maximum lifetime of connections. Returns `None` if the connection has
/// not expired.
#[must_use]
pub fn expiry(
    max_session_hours: Option<i64>,
    created_at: Timestamp,
    refresh_until: Timestamp,
    now: Timestamp,
) -> Option<EndReason> {
    if created_at <= latest_ended(max_session_hours, now) {
        Some(EndReason::SessionExpired)
    } else if refresh_until <= now {
        Some(EndReason::RefreshExpired)
    } else {
        None
    }
}

/// Returns the cutoff at `now`: connections created at the cutoff or earlier have reached the company's maximum
/// lifetime of connections (D-315). If the company has no maximum, returns the earliest possible time.
#[must_use]
pub const fn latest_ended(max_session_hours: Option<i64>, now: Timestamp) -> Timestamp {
    match max_session_hours {
        Some(hours) => Timestamp(now.0.saturating_sub(hours.saturating_mul(HOUR_MICROS))),
        None => Timestamp(i64::MIN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_texts_are_parsed_and_formatted() {
        let both = Access::parse("service:write service:read service:write").unwrap();
        assert_eq!((both, both.to_string().as_str()), (Access::ALL, "service:read service:write"));
        assert_eq!(Access::parse("service:read"), Some(Access::READ));
        for wrong in
            ["", " ", "service:read ", "service:read  service:write", "Service:read", "offline_access"]
        {
            assert_eq!(Access::parse(wrong), None, "{wrong}");
        }
        assert!(Access::ALL.contains_all(Access::READ) && !Access::READ.contains_all(Access::ALL));
        assert_eq!(Access::from_bits(-1), Access::ALL);
    }

    #[test]
    fn resource_parameters_are_parsed_strictly() {
        let ours = "https://mcp.example.com";
        for (text, expected) in [
            ("https://mcp.example.com/mcp", Some(Resource::Full)),
            ("HTTPS://MCP.Example.COM/mcp", Some(Resource::Full)),
            ("https://mcp.example.com:443/mcp/readonly", Some(Resource::ReadOnly)),
            ("https://mcp.example.com:8443/mcp", None),
            ("http://mcp.example.com/mcp", None),
            ("https://mcp.example.com", None),
            ("https://mcp.example.com/", None),
            ("https://mcp.example.com/mcp/", None),
            ("https://mcp.example.com/MCP", None),
            ("https://mcp.example.com/mcp?x", None),
            ("https://mcp.example.com/mcp#", None),
            ("https://mcp.example.com?/mcp", None),
            ("https://user@mcp.example.com/mcp", None),
            ("https://other.example.com/mcp", None),
            ("https://mcp.example.com.evil.com/mcp", None),
            ("/mcp", None),
            ("", None),
        ] {
            assert_eq!(Resource::parse(text, ours), expected, "{text}");
        }
        let local = "http://127.0.0.1:8080";
        assert_eq!(Resource::parse("http://127.0.0.1:8080/mcp", local), Some(Resource::Full));
        assert_eq!(Resource::parse("http://127.0.0.1/mcp", local), None);
        assert_eq!(Resource::parse("http://a:80/mcp", "http://a"), Some(Resource::Full));
        for resource in Resource::ALL {
            assert_eq!(Resource::parse(&resource.url(ours), ours), Some(resource));
        }
        assert!(Resource::Full.admits(Resource::ReadOnly) && !Resource::ReadOnly.admits(Resource::Full));
    }

    #[test]
    fn the_facts_and_the_expiry_determine_the_end_reason() {
        let fine = ConnectionFacts {
            state: UserState::Active,
            is_external: false,
            ai_assistants: true,
            is_blocked: false,
            max_session_hours: Some(1),
        };
        let (begun, until) = (Timestamp(0), Timestamp(2 * HOUR_MICROS));
        let end = |c: ConnectionFacts, now| c.end_reason(begun, until, Timestamp(now));
        assert_eq!(end(fine, HOUR_MICROS - 1), None);
        assert_eq!(end(fine, HOUR_MICROS), Some(EndReason::SessionExpired));
        let forever = ConnectionFacts { max_session_hours: None, ..fine };
        assert_eq!(end(forever, 2 * HOUR_MICROS - 1), None);
        assert_eq!(end(forever, 2 * HOUR_MICROS), Some(EndReason::RefreshExpired));
        for (facts, reason) in [
            (ConnectionFacts { state: UserState::Removed, ..fine }, EndReason::UserRemoved),
            (ConnectionFacts { state: UserState::Deactivated, ..fine }, EndReason::UserDeactivated),
            (ConnectionFacts { state: UserState::Onboarding, ..fine }, EndReason::NotEmployee),
            (ConnectionFacts { is_external: true, ..fine }, EndReason::NotEmployee),
            (ConnectionFacts { ai_assistants: false, ..fine }, EndReason::AssistantsOff),
            (ConnectionFacts { is_blocked: true, ..fine }, EndReason::ClientBlocked),
        ] {
            assert_eq!(end(facts, 0), Some(reason), "{facts:?}");
        }
    }

    #[test]
    fn only_active_employees_may_have_assistants() {
        for state in UserState::ALL {
            assert_eq!(may_connect_assistants(state, false, false), state == UserState::Active);
            assert!(
                !may_connect_assistants(state, true, false) && !may_connect_assistants(state, false, true)
            );
        }
    }
}
