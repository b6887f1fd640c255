//! The statements that may read much, with arguments that would make them.

mod content;
mod people;
mod work;

/// A statement with arguments, and the most rows it may read with them.
#[derive(Debug)]
pub struct Case {
    /// As `messages::HISTORY`.
    pub statement: &'static str,
    /// SQL values of its parameters.
    pub arguments: &'static str,
    /// The rows that scans give or throw away: of a page of n rows with two look-ups for each, 3 n.
    pub rows: u64,
}

impl Case {
    /// A row of the catalog.
    pub const fn new(statement: &'static str, arguments: &'static str, rows: u64) -> Self {
        Self { statement, arguments, rows }
    }
}

/// Every case, by what it is about.
pub const CASES: &[&[Case]] = &[
    content::CONVERSATIONS,
    content::MESSAGES,
    content::SEARCH,
    content::FILES,
    people::PEOPLE,
    people::APPS,
    people::CONNECTIONS,
    work::DRAFTS,
    work::AUDIT,
    work::EVENTS,
];

/// Statements that are not run, with the reason.
pub const EXEMPT: &[(&str, &str)] = &[
    ("deliveries::DUE_FIRST", VOLUME),
    ("deliveries::DUE_AGAIN", VOLUME),
    ("deliveries::DUE_FIRST_OF_MANY", VOLUME),
    ("deliveries::DUE_AGAIN_OF_MANY", VOLUME),
    ("deliveries::INSTALLATIONS_FIRST", VOLUME),
    ("deliveries::INSTALLATIONS_AGAIN", VOLUME),
    ("deliveries::DUE_APPS", VOLUME),
    ("deliveries::DROP_EXPIRED", VOLUME),
    ("deliveries::DROP_UNREACHABLE", VOLUME),
    ("deliveries::DROP_DISCONNECTED", VOLUME),
    ("deliveries::RECORD", VOLUME),
    ("delivery_log::FOLLOW", VOLUME),
    ("tool_calls::FOLLOW", VOLUME),
    ("outlived_connections::OUTLIVED", VOLUME),
    ("transfer::tables::FILL_SEARCH_QUEUE", "queues every message after a restore or a move, once"),
    ("diagnose::SETTINGS", "reads the settings of the server and no table"),
    ("diagnose::NOW", "reads the clock and no table"),
    ("event_leases::CLEAR", "empties a table with a row for each app, in tests and at a start of SQLite"),
    (
        "messages::NEWEST_OF_BOT",
        "of the sandbox only: there is no index on senders, which every send would pay for",
    ),
];

/// Of SQLite's plans: statements, a line that scans or sorts, and why it may.
pub const ON_SQLITE: &[(&str, &str, &str)] = &[
    ("apps::CONNECTED_OF_APP", SORT, "sorts every installation of an app, which are all wanted"),
    ("apps::INSTALLATIONS", SORT, BOTH),
    ("apps::VOID_CODES", "SCAN install_codes", CODES),
    ("apps::VOID_CODES_OF_APP", "SCAN install_codes", CODES),
    ("candidates::SEEN", SORT, "sorts ids that the caller gave"),
    ("candidates::WITH_WORDS", SORT, "sorts ids that the caller gave"),
    (
        "conversation_lists::ACTIVE_IN",
        "USE TEMP B-TREE FOR GROUP BY",
        "counts in a page of direct messages, two in each",
    ),
    ("deliveries::DUE_FIRST", SORT, MERGED),
    ("deliveries::DUE_AGAIN", SORT, MERGED),
    ("deliveries::DUE_FIRST_OF_MANY", SORT, MERGED),
    ("deliveries::DUE_AGAIN_OF_MANY", SORT, MERGED),
    ("deliveries::INSTALLATIONS_FIRST", SORT, MERGED),
    ("deliveries::INSTALLATIONS_AGAIN", SORT, MERGED),
    ("deliveries::DUE_APPS", "SCAN events USING INDEX events_pending", FIRST),
    ("deliveries::DUE_APPS", SORT, "sorts the apps that have something due"),
    ("delivery_log::FOLLOW", SORT, BOTH),
    ("log_heads::NEXT_OF_MANY", SORT, "sorts ids that the caller gave"),
    (
        "outlived_connections::OUTLIVED",
        "SCAN c USING INDEX connections_living",
        "a job that asks all companies",
    ),
    ("transfer::tables::FILL_SEARCH_QUEUE", "SCAN messages", "queues every message after a restore, once"),
    ("delivery_log::PAGE", SORT, BOTH),
    ("delivery_log::PAGE_OF_EVENT", SORT, BOTH),
    ("delivery_log::REACH", SORT, BOTH),
    ("employee::FILES_OF", SORT, "sorts the files of a page of messages"),
    ("employee::THREAD", SORT, BOTH),
    ("messages::EDITS_OF", SORT, "sorts the former versions of a message, of which 100 are kept"),
    ("messages::FULL_PAGE", SORT, BOTH),
    (
        "messages::NEWEST_OF_BOT",
        SORT,
        "of the sandbox only: reads the bot's messages conversation by conversation",
    ),
    ("search::NEXT_PURGE", "SCAN search_purges", FIRST),
    ("search::TAKE", "SCAN search_queue", "walks the key backwards for as many as are taken in at once"),
    ("search::WAITS", "SCAN search_purges", FIRST),
    ("search::WAITS", "SCAN search_queue", FIRST),
    ("spent_tokens::TO_CLEAR", "SCAN connections USING INDEX connections_to_clear", FIRST),
    ("user_words::ANYONE_WITHOUT", "SCAN users USING COVERING INDEX users_without_words", FIRST),
    ("user_words::PAGE", "SCAN w", "the finds of the rarest word, of which there are at most 5,000"),
    (
        "user_words::PAGE",
        "USE TEMP B-TREE FOR DISTINCT",
        "the finds of the rarest word, of which there are at most 5,000",
    ),
    (
        "user_words::WITHOUT",
        "SCAN users USING INDEX users_without_words",
        "has only those who have no words yet",
    ),
    ("users::APP_CHOICES", SORT, "sorts the apps of a company by name, which are all wanted"),
];

/// Of SQLite's plans, where several indexes begin with the same column: statements, and the index with its columns.
pub const BY_INDEX: &[(&str, &str)] = &[
    ("apps::INSTALLATIONS", "installations_by_state (workspace_id=? AND connected=? AND id>?)"),
    ("apps::INSTALLED", "installations_by_state (workspace_id=? AND connected=?)"),
    ("assistant_clients::DELETE_UNUSED", "assistant_clients_unused (expires_at<?)"),
    ("client_blocks::INSERT", "connections_of_key (workspace_id=? AND block_key=?)"),
    ("client_blocks::PAGE", "client_blocks_in_order (workspace_id=? AND id>?)"),
    ("connection_lists::LATEST_ENDED", "connections_by_end (workspace_id=? AND revoked_at>?)"),
    ("connection_lists::LATEST_ENDED_OF_USER", "connections_of_user_by_end (user_id=? AND revoked_at>?)"),
    ("connection_lists::LIVING", "connections_living (<expr>=? AND id>?)"),
    ("connection_lists::LIVING_OF_USER", "connections_living_of_user (user_id=? AND id>?)"),
    ("connection_lists::PAGE", "connections_by_workspace (workspace_id=? AND id>?)"),
    ("connection_lists::PAGE_OF_USER", "connections_by_user (user_id=? AND id>?)"),
    ("conversation_lists::MEMBERS", "m USING PRIMARY KEY (conversation_id=? AND user_id>?)"),
    ("conversation_lists::OF_COMPANY", "conversations_by_workspace (workspace_id=? AND id>?)"),
    ("conversation_lists::OF_USER", "members_by_user (user_id=? AND conversation_id>?)"),
    ("conversation_lists::PLACES_OF_USER", "members_of_places (user_id=? AND conversation_id>?)"),
    ("conversations::ADD_ACTIVE_EVERYWHERE", "members_of_places (user_id=?)"),
    ("conversations::ALL_OF_PAIR", "direct_pairs USING PRIMARY KEY"),
    ("conversations::ALL_OF_PAIR", "former_pairs USING PRIMARY KEY"),
    ("conversations::DELETE_PAIR", "direct_pairs USING PRIMARY KEY (low_user_id=? AND high_user_id=?)"),
    ("conversations::DELETE_PAIR", "members USING PRIMARY KEY"),
    ("delivery_log::REACH", "delivery_attempts_by_app (app_id=? AND id<?)"),
    ("delivery_log::REACH", "events_unsent (app_id=? AND id<?)"),
    ("drafts::DELETE_OPEN_OF", "drafts_open (owner_id=?)"),
    ("drafts::DELETE_SENT_OF", "drafts_sent_of_owner (owner_id=?)"),
    ("drafts::OPEN_COUNT", "drafts_open (owner_id=?)"),
    ("drafts::OPEN_PAGE", "drafts_open (owner_id=? AND id<?)"),
    ("ended_connections::FORGET", "connections_ended (revoked_at>? AND revoked_at<?)"),
    ("events::LISTENERS_IN", "m USING PRIMARY KEY (conversation_id=? AND user_id=?)"),
    ("messages::FULL_PAGE", "messages USING PRIMARY KEY (conversation_id=? AND id<?)"),
    ("messages::HISTORY", "m USING PRIMARY KEY (conversation_id=? AND id>? AND id<?)"),
];

const VOLUME: &str = "held to a number of rows by store::event_volume, over a million pending events";
const MERGED: &str = "merges a page of each of some installations or positions";
const SORT: &str = "USE TEMP B-TREE FOR ORDER BY";
const BOTH: &str = "merges a page of each of two tables or indexes";
const CODES: &str = "a code lives for ten minutes, so the table is small";
const FIRST: &str = "ends at the first entry of the index";
