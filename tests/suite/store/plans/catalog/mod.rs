//! The statements that could read many rows, with arguments for which they read the most rows.

mod content;
mod people;
mod work;

/// A statement with arguments, and the maximum number of rows that it may read.
#[derive(Debug)]
pub struct Case {
    /// The name, such as `messages::HISTORY`.
    pub statement: &'static str,
    /// The SQL values of its parameters.
    pub arguments: &'static str,
    /// The maximum number of rows that all scans of the plan together may return or discard. For example, 3 n for a
    /// page of n rows with two look-ups for each row.
    pub rows: u64,
}

impl Case {
    /// Creates a case.
    pub const fn new(statement: &'static str, arguments: &'static str, rows: u64) -> Self {
        Self { statement, arguments, rows }
    }
}

/// Every case, by topic.
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
    work::LIMITS,
];

/// Statements that the tests of `plans` do not run on PostgreSQL, with the reason.
pub const EXEMPT: &[(&str, &str)] = &[
    ("events::deliveries::DUE_FIRST", VOLUME),
    ("events::deliveries::DUE_AGAIN", VOLUME),
    ("events::deliveries::DUE_FIRST_OF_MANY", VOLUME),
    ("events::deliveries::DUE_AGAIN_OF_MANY", VOLUME),
    ("events::deliveries::INSTALLATIONS_FIRST", VOLUME),
    ("events::deliveries::INSTALLATIONS_AGAIN", VOLUME),
    ("events::deliveries::DUE_APPS", VOLUME),
    ("events::drops::DROP_EXPIRED", VOLUME),
    ("events::drops::DROP_UNREACHABLE", VOLUME),
    ("events::drops::DROP_DISCONNECTED", VOLUME),
    ("events::deliveries::RECORD", VOLUME),
    ("events::delivery_log::FOLLOW", VOLUME),
    ("tool_calls::FOLLOW", VOLUME),
    ("connections::outlived::OUTLIVED", VOLUME),
    ("transfer::tables::FILL_SEARCH_QUEUE", "queues every message after a restore or a move, once"),
    ("diagnose::SETTINGS", "reads the settings of the server and no table"),
    ("diagnose::NOW", "reads the clock and no table"),
    ("events::leases::CLEAR", "runs only on SQLite, when event delivery starts"),
    ("limits::POSITION", "reads the row of one key; PREPARE cannot infer the types of its parameters"),
    ("limits::RESET_WINDOWS", "empties the table, when the operator of a sandbox resets all limits"),
    ("messages::NEWEST_OF_BOT", "runs only in the sandbox; an index on senders would make each send slower"),
    ("events::deliveries::MOVE_BACK", RESET),
    ("events::deliveries::MOVE_BACK_LOGGED", RESET),
    ("guesses::MOVE_BACK", RESET),
    ("assistant_clients::MOVE_BACK", RESET),
    ("files::LIMIT_PURGES", RESET),
    ("files::LIMIT_UNATTACHED", RESET),
];

/// SQLite: a statement, a line of its plan that scans or sorts, and the reason why the line is allowed.
pub const ON_SQLITE: &[(&str, &str, &str)] = &[
    ("apps::CONNECTED_OF_APP", SORT, "sorts the connected installations of an app, which are all returned"),
    ("apps::INSTALLATIONS", SORT, BOTH),
    ("apps::VOID_CODES", "SCAN install_codes", CODES),
    ("apps::VOID_CODES_OF_APP", "SCAN install_codes", CODES),
    ("messages::candidates::SEEN", SORT, "sorts the ids in the arguments"),
    ("messages::candidates::WITH_WORDS", SORT, "sorts the ids in the arguments"),
    (
        "conversations::lists::ACTIVE_IN",
        "USE TEMP B-TREE FOR GROUP BY",
        "counts the active members of a page of direct conversations, each with two members",
    ),
    ("events::deliveries::DUE_FIRST", SORT, MERGED),
    ("events::deliveries::DUE_AGAIN", SORT, MERGED),
    ("events::deliveries::DUE_FIRST_OF_MANY", SORT, MERGED),
    ("events::deliveries::DUE_AGAIN_OF_MANY", SORT, MERGED),
    ("events::deliveries::INSTALLATIONS_FIRST", SORT, MERGED),
    ("events::deliveries::INSTALLATIONS_AGAIN", SORT, MERGED),
    ("events::deliveries::DUE_APPS", "SCAN events USING INDEX events_pending", FIRST),
    ("events::deliveries::DUE_APPS", SORT, "sorts the apps with due events"),
    ("events::delivery_log::FOLLOW", SORT, BOTH),
    ("log_heads::NEXT_OF_MANY", SORT, "sorts the ids in the arguments"),
    (
        "files::usage::COUNT",
        "SCAN files USING COVERING INDEX files_uncounted",
        "the index has only the files whose sizes are not counted yet",
    ),
    (
        "files::usage::SUBTRACT_DELETED",
        "SCAN files USING INDEX files_to_uncount",
        "the index has only the files whose sizes have to be subtracted",
    ),
    (
        "connections::outlived::OUTLIVED",
        "SCAN w USING INDEX workspaces_with_session_limit",
        "the index has only the companies with a maximum age",
    ),
    (
        "transfer::tables::FILL_SEARCH_QUEUE",
        "SCAN messages",
        "queues every message after a restore or a move, once",
    ),
    ("events::delivery_log::PAGE", SORT, BOTH),
    ("events::delivery_log::PAGE_OF_EVENT", SORT, BOTH),
    ("events::delivery_log::SCAN_END", SORT, BOTH),
    ("messages::employee::FILES_OF", SORT, "sorts the files of a page of messages"),
    ("messages::employee::THREAD", SORT, BOTH),
    ("messages::EDITS_OF", SORT, "sorts the former versions of a message, of which at most 100 are kept"),
    ("messages::FULL_PAGE", SORT, BOTH),
    (
        "messages::NEWEST_OF_BOT",
        SORT,
        "runs only in the sandbox; reads the bot's messages of one conversation after another",
    ),
    ("messages::search::NEXT_PURGE", "SCAN search_purges", FIRST),
    (
        "messages::search::TAKE",
        "SCAN search_queue",
        "reads the primary key backwards, up to the size of a batch",
    ),
    ("messages::search::WAITS", "SCAN search_purges", FIRST),
    ("messages::search::WAITS", "SCAN search_queue", FIRST),
    ("connections::spent_tokens::TO_CLEAR", "SCAN connections USING INDEX connections_to_clear", FIRST),
    ("users::words::HAS_USERS_WITHOUT_WORDS", "SCAN users USING COVERING INDEX users_without_words", FIRST),
    ("users::words::PAGE", "SCAN w", "the matches of the rarest word, at most 5,000"),
    ("users::words::PAGE", "USE TEMP B-TREE FOR DISTINCT", "the matches of the rarest word, at most 5,000"),
    (
        "users::words::WITHOUT",
        "SCAN users USING INDEX users_without_words",
        "the index has only the people who are not indexed yet",
    ),
    ("events::deliveries::MOVE_BACK", "SCAN events USING INDEX events_pending", RESET),
    ("events::deliveries::MOVE_BACK_LOGGED", "SCAN events USING INDEX events_again", RESET),
    ("assistant_clients::MOVE_BACK", "SCAN assistant_clients", RESET),
    ("users::APP_CHOICES", SORT, "sorts the apps of a company by name, which are all returned"),
];

/// SQLite: statements for which SQLite could choose another index. Each statement is listed with the index that it must
/// use, and most statements also with the columns that are compared in the index.
pub const BY_INDEX: &[(&str, &str)] = &[
    ("apps::INSTALLATIONS", "installations_by_state (workspace_id=? AND connected=? AND id>?)"),
    ("apps::INSTALLED", "installations_by_state (workspace_id=? AND connected=?)"),
    ("apps::LATEST_UNINSTALLED", "installations_by_end (workspace_id=?)"),
    ("assistant_clients::DELETE_UNUSED", "assistant_clients_unused (expires_at<?)"),
    ("client_blocks::INSERT", "connections_of_key (workspace_id=? AND block_key=?)"),
    ("client_blocks::PAGE", "client_blocks_in_order (workspace_id=? AND id>?)"),
    ("connections::lists::LATEST_ENDED", "connections_by_end (workspace_id=? AND revoked_at>?)"),
    ("connections::lists::LATEST_ENDED_OF_USER", "connections_of_user_by_end (user_id=? AND revoked_at>?)"),
    ("connections::lists::LIVING", "connections_living (<expr>=? AND id>?)"),
    ("connections::lists::LIVING_OF_USER", "connections_living_of_user (user_id=? AND id>?)"),
    ("connections::lists::PAGE", "connections_by_workspace (workspace_id=? AND id>?)"),
    ("connections::lists::PAGE_OF_USER", "connections_by_user (user_id=? AND id>?)"),
    ("conversations::lists::MEMBERS", "m USING PRIMARY KEY (conversation_id=? AND user_id>?)"),
    ("conversations::lists::OF_COMPANY", "conversations_by_workspace (workspace_id=? AND id>?)"),
    ("conversations::lists::OF_USER", "members_by_user (user_id=? AND conversation_id>?)"),
    (
        "conversations::lists::GROUPS_AND_CHANNELS_OF_USER",
        "members_of_places (user_id=? AND conversation_id>?)",
    ),
    ("conversations::ADD_ACTIVE_EVERYWHERE", "members_of_places (user_id=?)"),
    ("conversations::pairs::ALL_OF_PAIR", "direct_pairs USING PRIMARY KEY"),
    ("conversations::pairs::ALL_OF_PAIR", "former_pairs USING PRIMARY KEY"),
    (
        "conversations::pairs::DELETE_PAIR",
        "direct_pairs USING PRIMARY KEY (low_user_id=? AND high_user_id=?)",
    ),
    ("conversations::pairs::DELETE_PAIR", "members USING PRIMARY KEY"),
    ("events::delivery_log::SCAN_END", "delivery_attempts_by_app (app_id=? AND id<?)"),
    ("events::delivery_log::SCAN_END", "events_unsent (app_id=? AND id<?)"),
    ("events::erasure::OF_MESSAGE", "events_by_message (message_id=?)"),
    ("events::erasure::FINISHED_OF", "events_by_message (message_id=? AND state>?)"),
    ("events::erasure::CLEAR", "events_by_message (message_id=?)"),
    ("events::erasure::MARKED", "deleted_messages_in_events (id>?)"),
    ("windows::FOLLOWED", "members_by_user (user_id=?)"),
    ("drafts::DELETE_OPEN_OF", "drafts_open (owner_id=?)"),
    ("drafts::DELETE_SENT_OF", "drafts_sent_of_owner (owner_id=?)"),
    ("drafts::OPEN_COUNT", "drafts_open (owner_id=?)"),
    ("drafts::OPEN_PAGE", "drafts_open (owner_id=? AND id<?)"),
    ("connections::ended::PURGE", "connections_ended (revoked_at>? AND revoked_at<?)"),
    ("events::LISTENERS_IN", "m USING PRIMARY KEY (conversation_id=? AND user_id=?)"),
    ("messages::FULL_PAGE", "messages USING PRIMARY KEY (conversation_id=? AND id<?)"),
    ("messages::HISTORY", "m USING PRIMARY KEY (conversation_id=? AND id>? AND id<?)"),
];

const VOLUME: &str = "the test store::event_volume asserts a maximum of the rows that the statement reads in a \
                      database with a million pending events";
const RESET: &str =
    "when the operator of a sandbox resets the clock, changes every row with a time in the future";
const MERGED: &str = "sorts one page of events for each installation, or one page of installations";
const SORT: &str = "USE TEMP B-TREE FOR ORDER BY";
const BOTH: &str = "merges two pages, each of which was read in the order of an index";
const CODES: &str = "an install code is valid for ten minutes, so the table is small";
const FIRST: &str = "ends at the first entry of the table or index";
