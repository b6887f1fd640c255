//! Cases for the statements on companies, people, sign-in, apps, and the connections of assistants. A case has the name
//! of a statement, its arguments, and the maximum number of rows that it may read ([`Case`]).
//!
//! Company 1 has 100,000 people and half of all connections. Company 2 has no people and no connections. Person 9 has
//! 1,001 connections, all of them revoked. Person 11 has one active connection.

use super::Case;

/// Companies, people, their accounts and failed sign-ins, and the look-ups of several tokens at once.
pub const PEOPLE: &[Case] = &[
    Case::new("workspaces::PAGE", "5000, 201", 201),
    Case::new("users::WITH_WORKSPACE", "500", 2),
    Case::new("users::BY_IDS", "ids(1, 100, 500)", 500),
    Case::new("users::BY_IDS_FOR_UPDATE", "ids(1, 100, 500)", 500),
    Case::new("users::RENAME", "ids(1, 100, 500), 'x'", 500),
    Case::new("users::HIDDEN_GUESTS_AMONG", "ids(1, 100, 500)", 500),
    Case::new("users::NAMES", "1, ids(1, 100, 500)", 500),
    Case::new("users::LISTED_PAGE", "1, 50000, 201", 201),
    Case::new("users::LISTED_PAGE", "2, 0, 201", 1),
    Case::new("users::LISTED_PAGE", "9000, 0, 1001", 10),
    Case::new("users::PAGE", "1, 50000, 201", 210),
    Case::new("users::PAGE", "2, 0, 201", 1),
    // every app of the company is read twice: in the index, and for its name
    Case::new("users::APP_CHOICES", "500, 1", 600),
    Case::new("users::words::OF_USERS", "ids(1, 1, 200)", 400),
    Case::new("users::words::INSERT", "'[]'", 1),
    Case::new("users::words::DELETE", "words()", 200),
    Case::new("users::words::DONE", "ids(1, 1, 200)", 200),
    Case::new("users::words::COUNT", "1, '\\x706572736f6e', '\\x706572736f6eff', 5000", 5_000),
    // Reads all words that match the rarest prefix. If 5,000 words or more match it, the server runs `WALK` instead of
    // `PAGE`.
    Case::new(
        "users::words::PAGE",
        "1, '\\x7465616d3737', '\\x7465616d3737ff', 0, 201, 1, '', '', '', '', '', ''",
        2_500,
    ),
    Case::new(
        "users::words::PAGE",
        "1, '\\x706572736f6e3737', '\\x706572736f6e3737ff', 0, 201, 2, '\\x7465616d3737', '\\x7465616d3737ff', '', '', '', ''",
        3_000,
    ),
    // every person of the company matches both prefixes, so only the people of the page are read
    Case::new(
        "users::words::WALK",
        "1, '\\x706572736f6e', '\\x706572736f6eff', 50000, 201, 2, '\\x7465616d', '\\x7465616dff', '', '', '', ''",
        650,
    ),
    Case::new("users::words::WITHOUT", "500", 1),
    Case::new("users::words::HAS_USERS_WITHOUT_WORDS", "", 1),
    Case::new("users::WITH_WORKSPACES", "ids(1, 1, 64)", 140),
    Case::new("users::PROFILES", "ids(1, 1, 64)", 270),
    Case::new("bot_tokens::OWNERS", "ARRAY[int8send(1), int8send(2)], 1", 10),
    Case::new("connections::presented::PRESENTED_MANY", "ARRAY[int8send(1), int8send(2)]", 25),
    Case::new("accounts::MEMBERSHIPS", "500", 2),
    Case::new("accounts::PEOPLE", "500", 4),
    Case::new("accounts::OPENED", "500", 4),
    Case::new("accounts::DELETE_OTHER_SESSIONS", "500, int8send(1)", 5),
    Case::new("accounts::NEWEST_SESSION", "500", 5),
    Case::new("accounts::DELETE_EXPIRED", "1100, 1000", 300),
    Case::new("accounts::DELETE_PLACES", "500", 3),
    Case::new("guesses::KNOWN", "500, int8send(500), int8send(100500)", 2),
    // each row is read in order, then locked and deleted
    Case::new("guesses::PURGE", "90000, 500", 1_000),
    Case::new("guesses::PURGE_KNOWN_LOCATIONS", "90000, 500", 1_000),
];

/// Apps, their installations, tokens and secrets.
pub const APPS: &[Case] = &[
    Case::new("apps::PAGE", "50, 100", 100),
    // reads all installations of an app
    Case::new("apps::CONNECTED_OF_APP", "50", 5),
    Case::new("apps::CONNECTED_BOTS", "ids(150001, 1, 50)", 110),
    Case::new("apps::DISCONNECT_ALL", "50, 1, 1", 5),
    // reads a page of connected installations and a page of disconnected installations
    Case::new("apps::INSTALLATIONS", "1, 50, 201", 402),
    Case::new("apps::INSTALLATIONS", "2, 0, 201", 2),
    Case::new("apps::INSTALLED", "1, 50", 160),
    Case::new("apps::LATEST_UNINSTALLED", "1, 50", 160),
    Case::new("apps::DELETE_CODES", "5000, 1000", 3_000),
    // may read the whole table, which is small, because a code is valid for ten minutes
    Case::new("apps::VOID_CODES", "5, 5", 2_000),
    Case::new("apps::VOID_CODES_OF_APP", "5", 2_000),
    Case::new("bot_tokens::OWNER", "int8send(50)", 2),
    // reads a row for each migration
    Case::new("secrets::SET_OLDEST_COMPATIBLE", "3, 3", 30),
    Case::new("secrets::rotate::APPS", "50, 100", 100),
    // each app is read twice: when it is found and when it is changed
    Case::new("secrets::ERASE_SUPERSEDED", "4000, 100", 300),
];

const ONLOOKERS_SIGNED_IN: &str = r#"'[["0000000000000006", 7, 0], ["0000000000000007", 8, 0]]', 1"#;
const ONLOOKERS_IN_CONVERSATION: &str = r#"'[["0000000000000006", 7, 0], ["0000000000000007", 8, 0]]', 1, 1"#;

/// Clients of assistants, their connections, tokens, sessions and blocks. Also open windows and clicks of the web
/// client.
pub const CONNECTIONS: &[Case] = &[
    Case::new("windows::SIGNED_IN", ONLOOKERS_SIGNED_IN, 12),
    Case::new("windows::IN_CONVERSATION", ONLOOKERS_IN_CONVERSATION, 16),
    Case::new("windows::FOLLOWED", "7, 5000", 700),
    Case::new("windows::FOLLOWED", "150001, 5000", 10_100),
    Case::new("button_presses::DELETE_OLD", "5000, 1000", 3_000),
    Case::new("assistant_clients::PAGE", "10000, 9223372036854775807, 201", 402),
    Case::new("assistant_clients::PAGE", "10000, 0, 201", 201),
    Case::new("assistant_clients::USED", "'client5', 1, 1", 2),
    Case::new("assistant_clients::DELETE_UNUSED", "5000, 5000, 1000", 3_000),
    Case::new("authorizations::DELETE_EXPIRED_REQUESTS", "5000, 1000", 3_000),
    Case::new("authorizations::DELETE_EXPIRED_CODES", "5000, 1000", 3_000),
    Case::new("authorizations::DELETE_CODES_OF_KEY", "500, 'key99'", 2),
    Case::new("client_blocks::INSERT", "99999, 'key5', 1, 2", 1),
    Case::new("client_blocks::INSERT", "99999, 'key50', 1, 1", 1),
    Case::new("client_blocks::PAGE", "1, 5000, 201", 210),
    Case::new("client_blocks::PAGE", "2, 0, 201", 210),
    Case::new("connections::lists::PAGE", "1, 50000, 201", 210),
    Case::new("connections::lists::PAGE", "2, 0, 201", 1),
    Case::new("connections::lists::PAGE_OF_USER", "1, 5000, 201, 9", 201),
    Case::new("connections::lists::LIVING", "1, 50000, 201", 210),
    Case::new("connections::lists::LIVING", "2, 0, 201", 210),
    Case::new("connections::lists::LIVING_OF_USER", "1, 0, 201, 9", 5),
    Case::new("connections::lists::LATEST_ENDED", "1, 20", 20),
    Case::new("connections::lists::LATEST_ENDED", "2, 20", 20),
    Case::new("connections::lists::LATEST_ENDED_OF_USER", "9, 20", 20),
    // each active connection is read twice: when it is locked and when it is written
    Case::new("connections::REVOKE_COMPANY", "1, 1, 5001", 20),
    Case::new("connections::REVOKE_COMPANY", "1, 1, 1", 20_100),
    Case::new("connections::REVOKE_KEY", "1, 1, 1, 'key50'", 4_100),
    Case::new("connections::REVOKE_OLDER", "1, 1, 1, 1000", 220),
    Case::new("connections::REVOKE_USER", "1, 1, 9", 5),
    Case::new("connections::REVOKE_SLOT", "1, 1, 11, int8send(10)", 5),
    Case::new("connections::REVOKE_EXPIRED", "100100, 1, 200", 300),
    Case::new("connections::USED", "10, 1", 2),
    Case::new("connections::presented::PRESENTED", "int8send(7)", 5),
    Case::new("connections::STATUS", "10", 5),
    Case::new("connections::FACTS", "500, 'key5'", 5),
    Case::new("connections::ended::PURGE", "2000, 500", 1_000),
    Case::new("connections::spent_tokens::TO_CLEAR", "", 1),
    Case::new("connections::spent_tokens::DELETE_TOKENS", "10, 500", 1_000),
    Case::new("connections::spent_tokens::WALK", "int8send(5000), 500", 1_000),
    Case::new("connections::spent_tokens::FORGET", "int8send(5000), int8send(5500), 9999999", 1_000),
    Case::new("connections::refresh_overlaps::SALT", "int8send(500), 100", 1),
    Case::new("connections::refresh_overlaps::DELETE_EXPIRED", "5000, 1000", 2_000),
    // each session is read twice: when it is locked and when it is changed
    Case::new("mcp_sessions::USED", "uses(99999999)", 1_000),
    Case::new("mcp_sessions::DELETE_IDLE", "5000, 500", 1_000),
];
