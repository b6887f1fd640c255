//! Cases of statements on drafts, idempotency keys, the audit log, events, and the rate limits that nodes share. They
//! include the statements of the maintenance jobs that delete rows of these tables.

use super::Case;

/// Drafts and idempotency keys.
pub const DRAFTS: &[Case] = &[
    Case::new("drafts::OPEN_PAGE", "5, 9223372036854775807, 51", 51),
    Case::new("drafts::OPEN_PAGE", "777, 9223372036854775807, 51", 5),
    Case::new("drafts::OPEN_COUNT", "5, 1000", 1_000),
    Case::new("drafts::DELETE_OPEN_OF", "777", 10),
    Case::new("drafts::DELETE_SENT_OF", "777", 10),
    Case::new("drafts::DELETE_SENT", "5000, 1000", 3_000),
    Case::new("drafts::CLAIM_KEY", "5, int8send(1), int8send(1), 1, 1, 1, int8send(2), 1", 3),
    Case::new("drafts::USED_KEYS", "5, int8send(1), int8send(2), 1", 3),
    Case::new("drafts::FORGET_KEYS", "5000, 1000", 3_000),
    Case::new("keys::LIVE_SEND", "150001, int8send(5), 0", 1),
    Case::new("keys::WALK", "150001, int8send(50000), 500", 500),
    Case::new("keys::PURGE_OF_BOT", "150001, int8send(50000), int8send(50500), 0", 600),
    Case::new("keys::PURGE", "150001, int8send(50000), 150001, int8send(50500), 0", 600),
];

/// The audit log of tool calls.
pub const AUDIT: &[Case] = &[
    Case::new("tool_calls::INSERT_ALL", "'[]'", 1),
    Case::new("tool_calls::PAGE", "1, 50000, 50000, 0, 51, -1, 0, '', -1, '', -1", 51),
    Case::new("tool_calls::PAGE_OF_USER", "1, 90000, 90000, 0, 51, 7, 0, '', -1, '', -1", 100),
    Case::new("tool_calls::PAGE_OF_CLIENT", "1, 90000, 90000, 0, 51, -1, 5, 'client5', -1, '', -1", 51),
    Case::new("tool_calls::PAGE_OF_TOOL", "1, 90000, 90000, 0, 51, -1, 0, '', -1, 'tool5', -1", 51),
    // the scans of the next two cases end at the earliest time of the filter
    Case::new("tool_calls::PAGE", "1, 50000, 50000, 49990, 51, -1, 0, '', -1, '', -1", 12),
    Case::new("tool_calls::PAGE_OF_USER", "1, 90000, 90000, 89000, 51, 7, 0, '', -1, '', -1", 12),
    // the scans of the next four cases read only the calls with the client, the tool or the outcome of the filter
    Case::new(
        "tool_calls::PAGE_OF_CLIENT",
        "1, 90000, 90000, 0, 51, -1, 9223372036854775807, 'x', -1, '', -1",
        1,
    ),
    Case::new("tool_calls::PAGE_OF_TOOL", "1, 90000, 90000, 0, 51, -1, 0, '', -1, 'zzz', -1", 1),
    Case::new("tool_calls::PAGE_BY_OUTCOME", "1, 90000, 90000, 0, 51, -1, 0, '', -1, '', 2", 1),
    Case::new("tool_calls::PAGE_BY_OUTCOME", "1, 90000, 90000, 0, 51, -1, 0, '', -1, '', 1", 60),
    Case::new("tool_calls::CLIENTS", "1, 50", 100),
    Case::new("tool_calls::CLIENTS_OF_USER", "9, 50, 1", 51),
    Case::new("tool_calls::DELETE_EXPIRED", "1000, 500", 1_000),
];

/// Events and their delivery. `event_plans` and `event_volume` test the statements for due events, each on data of its
/// own.
pub const EVENTS: &[Case] = &[
    Case::new("events::LISTENERS", "1", 310),
    Case::new("events::LISTENERS", "2", 5),
    // reads the company's installations and the memberships of their bots, but not the other 95,000 members of group 1
    Case::new("events::LISTENERS_IN", "1, ids(1, 1, 1)", 620),
    Case::new("events::LISTENERS_IN", "1, ids(1000500, 1, 1)", 620),
    Case::new("events::LISTENERS_OF", "ids(150001, 1, 50)", 110),
    Case::new("events::LISTENERS_BY_ID", "ids(1, 1, 20)", 45),
    Case::new("events::INSERT_ALL", "'[]'", 1),
    Case::new("events::DROP_PENDING", "5, ids(5, 1, 1), 'app.uninstalled', 1, 1", 3_100),
    Case::new("events::deliveries::LOG", "'[]'", 1),
    // the argument is the maximum number of events that are counted
    Case::new("events::deliveries::PENDING", "1000", 1_000),
    // 100,000 is the argument that the server passes. Of the 100,000 events in the data, 10,000 are pending.
    Case::new("events::deliveries::PENDING", "100000", 20_000),
    Case::new("log_heads::NEXT_OF_MANY", "1, ids(1, 1, 20)", 45),
    Case::new("connections::outlived::REVOKE", "1, 4, ids(1, 1, 200)", 1_000),
    // reads one installation, and joins it with all 5,000 apps of the data
    Case::new("events::LISTENER_OF", "150050", 5_100),
    // a page reads at most 10,000 attempts and 10,000 events, down to the entry that `SCAN_END` returned
    Case::new(
        "events::delivery_log::PAGE",
        "5, 9223372036854775807, -1, '', 0, 0, 9223372036854775807, 51, 0",
        20_000,
    ),
    Case::new("events::delivery_log::SCAN_END", "5, 9223372036854775807, 9999", 20_000),
    Case::new(
        "events::delivery_log::PAGE_OF_EVENT",
        "5, 9223372036854775807, -1, '', 0, 0, 9223372036854775807, 51, 0, 84",
        10,
    ),
    Case::new("events::delivery_log::INSPECT", "5, 9223372036854775807, 9223372036854775807, 51", 500),
    Case::new("events::delivery_log::INSPECT_ONE", "5000, 5", 20),
    Case::new("events::delivery_log::STORED", "5000", 5),
    Case::new("events::delivery_log::STEP", "5, 0, 0, 9223372036854775807, 49", 60),
    Case::new("events::delivery_log::STEP_FAILED", "5, 0, 0, 9223372036854775807, 49", 60),
    Case::new("events::delivery_log::BETWEEN", "5, 1000, 1000, 2000, 2000, '', 'app.uninstalled'", 160),
    Case::new(
        "events::delivery_log::FAILED_BETWEEN",
        "5, 1000, 1000, 2000, 2000, '', 'app.uninstalled'",
        160,
    ),
    Case::new("events::delivery_log::MAKE_PENDING", "ids(1, 1, 500), 1", 500),
    Case::new("events::delivery_log::FINISHED", "5000, 500", 500),
    Case::new("events::delivery_log::FORGET_ATTEMPTS", "ids(1, 1, 500)", 500),
    Case::new("events::delivery_log::FORGET_EVENTS", "ids(1, 1, 500)", 500),
    // Message 3,500,002 is the subject of 12,501 events, and each of 12,499 other messages is the subject of one event.
    // Message 1 is the subject of no event.
    Case::new("events::erasure::OF_MESSAGE", "3500002, 101", 101),
    Case::new("events::erasure::OF_MESSAGE", "3500006, 101", 1),
    Case::new("events::erasure::OF_MESSAGE", "1, 101", 1),
    Case::new("events::erasure::FINISHED_OF", "ids(3500002, 50, 100), 500", 700),
    Case::new("events::erasure::FINISHED_OF", "ids(3500052, 50, 100), 500", 200),
    Case::new("events::erasure::ERASE", "bodies(), 1", 1_000),
    Case::new("events::erasure::MARKED", "0, 100", 100),
    Case::new("events::erasure::MARKED", "3540000, 100", 100),
    Case::new("events::erasure::CLEAR", "ids(3500002, 50, 100)", 250),
];

/// The rate limits that nodes share. A record is a row of `rate_records`, and a window is a row of `rate_windows`. Half
/// of the records are old. The other half have times in the future, so that they are still recent when the test runs
/// these statements. Each of four nodes has a quarter of the records.
pub const LIMITS: &[Case] = &[
    Case::new("limits::COUNT", "int8send(5), 5, 60, 10, 20", 2),
    Case::new("limits::EXCHANGE", "1, 1, ARRAY[int8send(-1)], ARRAY[int8send(1)], 0, 65000000, 200", 400),
    Case::new(
        "limits::EXCHANGE",
        "1, 1, ARRAY[int8send(-1)], ARRAY[int8send(1)], 0, 65000000, 20000",
        30_000,
    ),
    Case::new(
        "limits::EXCHANGE",
        "1, 1, ARRAY[int8send(-1)], ARRAY[int8send(1)], 9000000000000000000, 65000000, 20000",
        5,
    ),
    Case::new("limits::RESET", "", 2),
    // the windows have the times 1 to 200,000, so the first and the third of the next four cases find no window
    Case::new("limits::FORGET_WINDOWS", "0", 5),
    Case::new("limits::FORGET_WINDOWS", "100000", 2_000),
    Case::new("limits::FORGET_FUTURE_WINDOWS", "1000000", 5),
    Case::new("limits::FORGET_FUTURE_WINDOWS", "100000", 2_000),
    Case::new("limits::FORGET_RECORDS", "600000000", 2_000),
    Case::new("limits::FORGET_RECORDS", "600000000000", 5),
];
