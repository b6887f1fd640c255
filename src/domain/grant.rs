//! What an assistant connection may do and where, and what ends it (D-253…D-321).

use std::fmt;
use std::time::Duration;

use super::conversation::coded;
use super::people::UserState;
use super::time::Timestamp;

/// How long an access token works.
pub const ACCESS_LIFE: Duration = Duration::from_secs(60 * 60);
/// How long a refresh token works; a connection that is not refreshed for so long ends (D-318).
pub const REFRESH_LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How long an authorization request waits for a decision, from the first GET (D-274).
pub const REQUEST_LIFE: Duration = Duration::from_secs(10 * 60);
/// How long a code may be exchanged: ten minutes, the last second included.
pub const CODE_LIFE: Duration = Duration::from_secs(10 * 60 + 1);

const HOUR_MICROS: i64 = 60 * 60 * 1_000_000;

coded! {
    /// How the server knows a client.
    ClientKind {
        /// It registered here; its id begins `mcpc_`.
        Registered = 0 "registered",
        /// Its id is the URL of its metadata document.
        Document = 1 "metadata_document",
    }
}

coded! {
    /// Where a redirect URI leads.
    RedirectKind {
        /// To a website.
        Https = 0 "https",
        /// To an app that listens on the employee's own computer.
        Loopback = 1 "loopback",
        /// To an app that owns a scheme on the employee's own computer.
        PrivateUse = 2 "private_use",
    }
}

impl RedirectKind {
    /// Whether the code goes to an app on the employee's computer, of which the consent page warns.
    #[must_use]
    pub const fn is_local(self) -> bool {
        matches!(self, Self::Loopback | Self::PrivateUse)
    }
}

coded! {
    /// Why a connection ended. Shown to admins and to the employee, never to the client (D-319).
    EndReason {
        /// The employee disconnected it.
        Employee = 0 "employee",
        /// An admin or the operator revoked it.
        Admin = 1 "admin",
        /// The company blocked the client.
        ClientBlocked = 2 "client_blocked",
        /// The company turned assistants off.
        AssistantsOff = 3 "assistants_off",
        /// The employee was deactivated.
        UserDeactivated = 4 "user_deactivated",
        /// The employee was removed.
        UserRemoved = 5 "user_removed",
        /// The employee was logged out by force.
        LoggedOut = 6 "logged_out",
        /// The person is no employee any more.
        NotEmployee = 7 "not_employee",
        /// A newer connection took its place.
        Replaced = 8 "replaced",
        /// Thirty days without a refresh.
        RefreshExpired = 9 "refresh_expired",
        /// The company's maximum passed.
        SessionExpired = 10 "session_expired",
        /// The client revoked it.
        Client = 11 "client",
        /// A used code was presented again.
        CodeReused = 12 "code_reused",
        /// A spent refresh token was presented again.
        RefreshReused = 13 "refresh_reused",
    }
}

/// One right of an access token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessScope {
    /// Every read tool.
    Read,
    /// Every write tool.
    Write,
}

impl AccessScope {
    /// Both, in the order they are written in.
    pub const ALL: [Self; 2] = [Self::Read, Self::Write];

    /// As the interface writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "service:read",
            Self::Write => "service:write",
        }
    }

    const fn bit(self) -> i64 {
        match self {
            Self::Read => 1,
            Self::Write => 2,
        }
    }
}

/// A set of [`AccessScope`]s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access(i64);

impl Access {
    /// No right.
    pub const NONE: Self = Self(0);
    /// Reading only.
    pub const READ: Self = Self(AccessScope::Read.bit());
    /// Reading and writing.
    pub const ALL: Self = Self(AccessScope::Read.bit() | AccessScope::Write.bit());

    /// The set of an OAuth `scope` text: names parted by single spaces, repeats count once (D-260). `None` when a
    /// name is unknown; the empty text names nothing and is unknown too.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.split(' ').try_fold(Self::NONE, |set, name| {
            let scope = AccessScope::ALL.into_iter().find(|scope| scope.name() == name)?;
            Some(Self(set.0 | scope.bit()))
        })
    }

    /// The stored form.
    #[must_use]
    pub const fn bits(self) -> i64 {
        self.0
    }

    /// The set of a stored form; unknown bits grant nothing.
    #[must_use]
    pub const fn from_bits(bits: i64) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Whether the set holds the scope.
    #[must_use]
    pub const fn contains(self, scope: AccessScope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether the set holds every scope of the other.
    #[must_use]
    pub const fn contains_all(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The scopes in their fixed order.
    pub fn iter(self) -> impl Iterator<Item = AccessScope> {
        AccessScope::ALL.into_iter().filter(move |&scope| self.contains(scope))
    }
}

/// The OAuth `scope` text.
impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, scope) in self.iter().enumerate() {
            if at > 0 {
                f.write_str(" ")?;
            }
            f.write_str(scope.name())?;
        }
        Ok(())
    }
}

coded! {
    /// A protected resource (RFC 9728): one of the two MCP addresses.
    Resource {
        /// Read and write tools.
        Full = 0 "/mcp",
        /// Read tools only.
        ReadOnly = 1 "/mcp/readonly",
    }
}

impl Resource {
    /// Its URL under the server's MCP address.
    #[must_use]
    pub fn url(self, mcp_url: &str) -> String {
        format!("{mcp_url}{}", self.name())
    }

    /// The scopes it has.
    #[must_use]
    pub const fn scopes(self) -> Access {
        match self {
            Self::Full => Access::ALL,
            Self::ReadOnly => Access::READ,
        }
    }

    /// The resource of a `resource` parameter (RFC 8707): scheme and host in any case, a default port may be
    /// written, everything else exactly (D-259).
    #[must_use]
    pub fn parse(text: &str, mcp_url: &str) -> Option<Self> {
        let (origin, path) = origin_and_path(text)?;
        let (ours, _) = origin_and_path(mcp_url)?;
        Self::from_name(path).filter(|_| origin == ours)
    }

    /// Whether a token of this resource is good at the other: one for `/mcp` works at both.
    #[must_use]
    pub const fn admits(self, at: Self) -> bool {
        matches!((self, at), (Self::Full, _) | (Self::ReadOnly, Self::ReadOnly))
    }
}

/// `scheme://authority` in lower case without a default port, and the rest.
fn origin_and_path(uri: &str) -> Option<(String, &str)> {
    let (scheme, rest) = uri.split_once("://")?;
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let scheme = scheme.to_ascii_lowercase();
    let authority = authority.to_ascii_lowercase();
    let default_port = if scheme == "https" { ":443" } else { ":80" };
    let authority = authority.strip_suffix(default_port).unwrap_or(&authority);
    Some((format!("{scheme}://{authority}"), path))
}

/// Whether a person may have assistants act for them: an employee with an active account (D-276, D-277, D-320).
#[must_use]
pub const fn is_employee(state: UserState, is_external: bool, is_bot: bool) -> bool {
    matches!(state, UserState::Active) && !is_external && !is_bot
}

/// What decides whether somebody may connect a client in a company, and whether a connection lives on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Circumstances {
    /// Of the employee.
    pub state: UserState,
    /// The person is a guest.
    pub is_external: bool,
    /// The company has assistants on.
    pub ai_assistants: bool,
    /// The company blocks the client's key.
    pub is_blocked: bool,
    /// The longest a connection may live in the company.
    pub max_session_hours: Option<i64>,
}

impl Circumstances {
    /// Why a client may not be connected, or a connection not be used; `None` when it may.
    #[must_use]
    pub const fn objection(&self) -> Option<EndReason> {
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

    /// The same for a connection of this age at `now`, its times included.
    #[must_use]
    pub fn end_of(
        &self,
        created_at: Timestamp,
        refresh_until: Timestamp,
        now: Timestamp,
    ) -> Option<EndReason> {
        self.objection().or_else(|| {
            if created_at <= latest_ended(self.max_session_hours, now) {
                Some(EndReason::SessionExpired)
            } else if refresh_until <= now {
                Some(EndReason::RefreshExpired)
            } else {
                None
            }
        })
    }
}

/// The moment such that every connection created by then has outlived the company's maximum (D-315).
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
    fn scope_texts() {
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
    fn resources() {
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
    fn what_ends_a_connection() {
        let fine = Circumstances {
            state: UserState::Active,
            is_external: false,
            ai_assistants: true,
            is_blocked: false,
            max_session_hours: Some(1),
        };
        let (begun, until) = (Timestamp(0), Timestamp(2 * HOUR_MICROS));
        let end = |c: Circumstances, now| c.end_of(begun, until, Timestamp(now));
        assert_eq!(end(fine, HOUR_MICROS - 1), None);
        assert_eq!(end(fine, HOUR_MICROS), Some(EndReason::SessionExpired));
        let forever = Circumstances { max_session_hours: None, ..fine };
        assert_eq!(end(forever, 2 * HOUR_MICROS - 1), None);
        assert_eq!(end(forever, 2 * HOUR_MICROS), Some(EndReason::RefreshExpired));
        for (circumstances, reason) in [
            (Circumstances { state: UserState::Removed, ..fine }, EndReason::UserRemoved),
            (Circumstances { state: UserState::Deactivated, ..fine }, EndReason::UserDeactivated),
            (Circumstances { state: UserState::Onboarding, ..fine }, EndReason::NotEmployee),
            (Circumstances { is_external: true, ..fine }, EndReason::NotEmployee),
            (Circumstances { ai_assistants: false, ..fine }, EndReason::AssistantsOff),
            (Circumstances { is_blocked: true, ..fine }, EndReason::ClientBlocked),
        ] {
            assert_eq!(end(circumstances, 0), Some(reason), "{circumstances:?}");
        }
    }

    #[test]
    fn employees() {
        for state in UserState::ALL {
            assert_eq!(is_employee(state, false, false), state == UserState::Active);
            assert!(!is_employee(state, true, false) && !is_employee(state, false, true));
        }
    }
}
