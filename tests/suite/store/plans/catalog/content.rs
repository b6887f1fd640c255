//! Cases for the statements on conversations, messages, searches and files. A case has the name of a statement, its
//! arguments, and the maximum number of rows that the statement may read.
//!
//! `data.sql` creates the data, and the functions in the arguments, such as `ids`. Conversation 1 has a million
//! messages. They are older than the messages of all other conversations. `newer.sql` adds a million messages to
//! conversation 2. They are newer than all other messages. Conversation 1,000,500 is one of the 100,000 direct
//! conversations of bot 150,001. Person 7 is in 302 groups and channels.

use super::Case;

/// Conversations and their members.
pub const CONVERSATIONS: &[Case] = &[
    Case::new("conversations::BY_ID", "15", 2),
    Case::new("conversations::BY_IDS", "ids(3, 7, 500)", 1_000),
    Case::new("conversations::LOCK", "15", 5),
    Case::new("conversations::CHANNELS_OF", "14", 10),
    Case::new("conversations::CHANNELS_DELETED_WITH", "14, 1", 2),
    Case::new("conversations::JOINED", "15, 1, 1", 2),
    Case::new("conversations::JOIN", "3, ids(90000, 1, 500), 1, 1", 510),
    // each of the 300 rows is read twice: when it is locked, and when it is changed
    Case::new("conversations::LEAVE", "7, ids(1, 1, 300), 1", 600),
    Case::new("conversations::LEAVE", "150001, ids(3, 1, 300), 1", 600),
    Case::new("conversations::ADD_ACTIVE", "ids(3, 1, 500), -1", 1_000),
    Case::new("conversations::MARK_READ", "1, 7, 500000", 3),
    // active members are not counted in direct conversations, so the bot's 100,000 direct conversations are not read
    Case::new("conversations::ADD_ACTIVE_EVERYWHERE", "7, 1", 1_300),
    Case::new("conversations::ADD_ACTIVE_EVERYWHERE", "150001, 1", 1_300),
    Case::new("conversations::pairs::DELETE_PAIR", "1000500", 10),
    Case::new("conversations::pairs::KEEP_PAIR", "1000500", 5),
    Case::new("conversations::pairs::ALL_OF_PAIR", "500, 150001", 5),
    // in this order: a company without conversations, the direct conversations of the large company, and a company with
    // five conversations
    Case::new("conversations::lists::OF_COMPANY", "2, 0, 201", 5),
    Case::new("conversations::lists::OF_COMPANY", "1, 1000000, 201", 410),
    Case::new("conversations::lists::OF_COMPANY", "5000, 0, 201", 410),
    Case::new("conversations::lists::GROUPS_AND_CHANNELS_OF_USER", "150001, 0, 201", 610),
    Case::new("conversations::lists::GROUPS_AND_CHANNELS_OF_USER", "150001, 302, 201", 5),
    Case::new("conversations::lists::GROUPS_AND_CHANNELS_OF_USER", "150050, 0, 201", 5),
    Case::new("conversations::lists::OF_USER", "150001, 500, 201", 610),
    Case::new("conversations::lists::OF_USER", "7, 0, 201", 610),
    Case::new("conversations::lists::NAMES", "1, ids(3, 1, 100), 7", 210),
    Case::new("conversations::lists::NAMES", "1, ids(1000001, 1, 100), 150001", 210),
    Case::new("conversations::lists::MEMBERS", "1, 50000, 201", 410),
    Case::new("conversations::lists::MEMBERS", "1000500, 0, 201", 5),
    Case::new("conversations::listed::OF_MEMBER", "7, 9223372036854775807, 1000", 1_600),
    Case::new("conversations::listed::OF_MEMBER", "150001, 9223372036854775807, 1000", 5_000),
    Case::new("conversations::listed::WITH", "ids(1000001, 1, 500), 150001", 2_100),
    Case::new("conversations::listed::OPEN_GROUPS", "1, 7, 9223372036854775807, 200", 610),
    Case::new("conversations::listed::CHANNELS_OF", "ids(1, 1, 200), 7, 50", 2_000),
    // group 4002 has 20,000 channels
    Case::new("conversations::listed::CHANNELS_OF", "ids(4002, 1, 1), 7, 50", 160),
    Case::new("conversations::listed::CHANNELS_AFTER", "4002, 7, 3010000, 500", 1_510),
    Case::new("conversations::listed::SHARED", "ids(1, 1, 5), 7", 3_100),
    // conversation 1 has 1,000,000 messages and about 95,000 members; no member has read any of the messages
    Case::new("conversations::unread::COUNTS", "ids(7, 0, 60), ids(1, 1, 60), ids(0, 0, 60), 120", 7_400),
    Case::new("conversations::unread::FIRSTS", "1, ids(1, 150, 500)", 510),
    Case::new("conversations::unread::NEWEST", "1, 0, 120", 125),
    Case::new("conversations::unread::NEWEST", "2, 0, 120", 125),
    Case::new("conversations::MARK_READ_MANY", "marks(1, 500000)", 1_600),
    Case::new("conversations::LOCKED_BY", "1", 8),
    Case::new("conversations::LOCKED_BY", "1000500", 8),
    Case::new("conversations::LOCKED_BY_OF_MANY", "ids(1, 1, 100)", 800),
    Case::new("conversations::LOCKED_BY_OF_MANY", "ids(1000001, 1, 100)", 800),
    Case::new("conversations::FIND_ACCESS", "1, 7", 5),
    Case::new("messages::bot_send::CHANNEL", "5, 1, NULL", 20),
    Case::new("messages::bot_send::CHANNEL", "5, 1000500, 7", 20),
    Case::new("messages::bot_send::ADDRESSEE", "5, 7, 7, 150001, NULL", 20),
    Case::new(
        "messages::bot_send::STORE",
        "1, 9999998, 1, 'text', NULL, int8send(1), int8send(2), 'key', 1, 0, '[]', NULL, 1",
        20,
    ),
    // reads the first 200 members of each conversation, and the user of each of these members
    Case::new("conversations::lists::FIRST_MEMBERS", "ids(1, 0, 1) || ids(1000001, 1, 19), 200", 500),
    Case::new("conversations::pairs::PAIRS", "150001, ids(1, 1, 100)", 110),
    Case::new("conversations::MEMBER_OF", "7, ids(1, 1, 100)", 110),
    Case::new("conversations::MEMBERS_AMONG", "1, ids(1, 150, 500)", 510),
    // reads each conversation, and the membership of the person or bot in it
    Case::new("conversations::lists::MEMBERSHIPS", "7, ids(1, 1, 100)", 210),
    Case::new("conversations::lists::MEMBERSHIPS", "150001, ids(1000001, 1, 100)", 210),
    Case::new("conversations::lists::ACTIVE_IN", "ids(1000001, 1, 200)", 1_000),
    Case::new(
        "messages::bot_send_batch::CHANNELS",
        "ids(5, 0, 50), ids(7, 0, 50), ids(1000001, 10, 50), ids(7, 0, 50), ARRAY[int8send(1)], ids(0, 0, 50)",
        50 * 20,
    ),
    Case::new(
        "messages::bot_send_batch::CHANNELS",
        "ids(5, 0, 2), ids(7, 0, 2), ids(1, 0, 2), ids(7, 0, 2), ARRAY[int8send(1), int8send(2)], ids(0, 0, 2)",
        2 * 20,
    ),
    Case::new(
        "messages::bot_send_batch::ADDRESSEES",
        "ids(5, 0, 50), ids(7, 0, 50), ids(150001, 1, 50), ids(7, 0, 50), ARRAY[int8send(1)], ids(0, 0, 50),
            ids(7, 0, 50), ids(150001, 1, 50)",
        50 * 20,
    ),
    Case::new(
        "messages::bot_send_batch::STORE",
        r#"'[{"workspace": 1, "bot": 1, "key_hash": "\\x01", "fingerprint": "\\x02", "conversation": 1, "message": 9999998,
            "now": 1, "cutoff": 0, "text": "text", "thread": null, "key": "key", "blocks": "[]", "metadata": null}]'"#,
        40,
    ),
];

/// Messages in the views of bots, employees and admins.
pub const MESSAGES: &[Case] = &[
    Case::new("messages::INSERT", "1, 1, 9999999, 1, 0, 'text', NULL, 0, NULL, NULL, 1", 2),
    Case::new("messages::HISTORY", "1, 0, 9223372036854775807, 201", 650),
    Case::new("messages::HISTORY", "1, 0, 500000, 201", 650),
    Case::new("messages::HISTORY", "2, 0, 9223372036854775807, 201", 650),
    Case::new("messages::HISTORY", "2, 4000000, 4500000, 1001", 3_100),
    // the scan ends at the lowest id of the range (the second argument), even if the page is not full
    Case::new("messages::HISTORY", "1, 499990, 500000, 201", 50),
    Case::new("messages::HISTORY", "2, 4499990, 4500000, 201", 50),
    Case::new("messages::HISTORY", "1, 8000000, 9223372036854775807, 201", 2),
    Case::new("messages::HISTORY", "1000500, 0, 9223372036854775807, 201", 10),
    Case::new("messages::FILES_BETWEEN", "1, 500000, 501000", 25),
    Case::new("messages::FULL_PAGE", "1, 9223372036854775807, 201", 1_000),
    Case::new("messages::FULL_PAGE", "2, 9223372036854775807, 201", 1_000),
    Case::new("messages::FULL_PAGE", "1, 500000, 201", 1_000),
    Case::new("messages::INSERT_EDIT", "1, 1, 'text', NULL, 1", 110),
    Case::new("messages::DROP_EDITS", "1, 50, 100", 300),
    Case::new("messages::EDITS_OF", "1, 99", 120),
    Case::new("messages::CARRIES_FILE", "1, 1, 0", 5),
    Case::new("messages::CARRIES_FILE", "1, 2, 0", 5),
    // the file is attached only to messages of another conversation
    Case::new("messages::CARRIES_FILE", "60000, 2, 0", 5),
    Case::new("messages::FIRST_AFTER", "1", 5),
    Case::new("messages::FIRST_AFTER", "2", 5),
    Case::new("messages::HIGHEST_ID", "", 30),
    Case::new("messages::employee::HISTORY", "1, 0, 0, 9223372036854775807, 0, 9223372036854775807, 51", 170),
    Case::new("messages::employee::HISTORY", "1, 0, 0, 500000, 0, 9223372036854775807, 51", 170),
    Case::new("messages::employee::HISTORY", "1, 499990, 499990, 500000, 0, 9223372036854775807, 51", 50),
    Case::new("messages::employee::HISTORY", "2, 0, 0, 9223372036854775807, 0, 9223372036854775807, 51", 170),
    Case::new(
        "messages::employee::THREAD",
        "1, 0, 0, 9223372036854775807, 0, 9223372036854775807, 51, 1000",
        170,
    ),
    Case::new(
        "messages::employee::THREAD",
        "2, 0, 0, 9223372036854775807, 0, 9223372036854775807, 51, 4001000",
        170,
    ),
    // a thread without replies; only the first message of the thread is read
    Case::new(
        "messages::employee::THREAD",
        "1, 0, 0, 9223372036854775807, 0, 9223372036854775807, 51, 499999",
        5,
    ),
    Case::new("messages::changes::INSERT", "1, 5, 0, 5, 1", 3),
    Case::new("messages::changes::INSERT", "1000500, 5, 0, 500000, 1", 3),
    Case::new("messages::changes::INSERT_ALL", "changes(), 1, 1", 500),
    Case::new("messages::changes::AFTER", "1, 0, 50", 60),
    Case::new("messages::changes::AFTER", "1, 399000, 50", 60),
    Case::new("messages::changes::AFTER", "2, 0, 50", 2),
    Case::new("messages::changes::NEWEST", "1", 4),
    Case::new("messages::changes::NEWEST", "1000500", 4),
    Case::new("messages::changes::NEWEST_OF", "ids(1, 1, 1000)", 3_000),
    Case::new("messages::changes::DELETE_OLD", "5000, 1000", 3_000),
    Case::new("messages::changes::CARRIERS", "1, 100", 101),
    Case::new("messages::employee::NEWER", "1, 0, 500000, 51", 170),
    Case::new("messages::employee::NEWER", "1, 0, 999990, 51", 40),
    Case::new("messages::employee::NEWER", "2, 0, 4500000, 51", 170),
    Case::new("messages::employee::IN_CONVERSATION", "1, ids(1000, 1000, 50)", 260),
    Case::new("messages::employee::IN_CONVERSATION", "2, ids(4001000, 1, 50)", 260),
    Case::new("messages::employee::BLOCKS_OF", "ids(10, 10, 50)", 160),
    Case::new("messages::employee::BY_IDS", "ids(1000, 1000, 200), 7", 1_000),
    Case::new("messages::employee::BY_IDS", "ids(3000001, 1, 200), 150001", 1_000),
    Case::new("messages::employee::FILES_OF", "ids(2, 50, 200)", 650),
    Case::new("messages::employee::NOTICE_TEXTS", "ids(2, 50, 50)", 160),
    Case::new("messages::employee::OTHERS", "ids(1000001, 1, 500), 150001", 2_100),
    Case::new("messages::employee::LATEST", "ids(1, 1, 300), 7", 650),
    Case::new("messages::employee::LATEST", "ids(1000001, 1, 500), 150001", 1_100),
];

/// The search for messages. The decision records 5 and 9 (`docs/decisions/`) explain the limits. One scan of
/// the index (`WALK`) examines up to 6,000 messages. All matches of a query are read from the index (`COLLECT`) only if
/// the search expects few of them. The messages of the employee's conversations (`OWN`) are compared with the query in
/// batches of up to 4,000.
pub const SEARCH: &[Case] = &[
    Case::new("messages::candidates::QUEUED", "9223372036854775807, 0, 1001", 1_001),
    Case::new("messages::candidates::WALK", "'''word5''', 9223372036854775807, 0, 100", 6_000),
    Case::new("messages::candidates::WALK", "'''nowhere''', 9223372036854775807, 0, 100", 6_000),
    Case::new("messages::candidates::EDGE", "9223372036854775807, 0", 6_000),
    // reads every message with the word: 100 of the 100,000 indexed messages
    Case::new("messages::candidates::COLLECT", "'''word5''', 9223372036854775807, 0, 5000", 250),
    // makes one look-up for each of the employee's conversations, and reads up to 4,001 messages of these conversations
    Case::new("messages::candidates::OWN", "7, 0, 9223372036854775807, 4001", 4_510),
    Case::new("messages::candidates::OWN", "7, 8000000, 9223372036854775807, 4001", 700),
    Case::new("messages::candidates::OWN", "500, 0, 9223372036854775807, 4001", 4_510),
    Case::new("messages::candidates::WITH_WORDS", "ids(900001, 20, 4000), '''word5'''", 4_100),
    Case::new(
        "messages::candidates::SEEN",
        "ids(900001, 20, 500), 7, 0, 9223372036854775807, NULL, NULL, 500",
        2_100,
    ),
    Case::new(
        "messages::candidates::SEEN",
        "ids(3000001, 1, 500), 150001, 0, 9223372036854775807, NULL, 150001, 500",
        2_600,
    ),
    Case::new("messages::candidates::TEXTS", "ids(900001, 20, 500)", 500),
    Case::new("messages::candidates::OPEN_TO", "7, 501", 501),
    Case::new("messages::candidates::OPEN_TO", "150001, 501", 501),
    Case::new("messages::search::TAKE", "500", 500),
    Case::new("messages::search::UNQUEUE_MANY", "ids(3090001, 1, 500)", 500),
    Case::new("messages::search::REMOVE_MANY", "ids(900001, 1, 500)", 500),
    Case::new("messages::search::INDEXABLE", "ids(900001, 20, 500)", 1_000),
    Case::new("messages::search::PURGE", "14", 15),
    Case::new("messages::search::ADD", "'[]'", 1),
    Case::new("messages::search::WAITS", "", 2),
    Case::new("messages::search::NEXT_PURGE", "", 2),
    Case::new("messages::search::TO_PURGE", "1, 500000, 500", 510),
    Case::new("messages::search::TO_PURGE", "2, 0, 500", 510),
];

/// Files and their uploads.
pub const FILES: &[Case] = &[
    Case::new("files::TO_PURGE", "30000, 100", 100),
    Case::new("files::ATTACH", "ids(30000, 1, 10)", 45),
    Case::new("files::BY_IDS", "ids(30000, 1, 10)", 12),
    // each file of the message is looked up, read and locked, and written
    Case::new("files::DETACH", "1, 2, 900000", 10),
    // each of the 100 files is read and locked, read again and written, and looked up twice in `message_files`
    Case::new("files::DELETE_UNATTACHED", "900000, 100, 900000", 400),
    Case::new("files::usage::ADD_ALL", "'[]'", 1),
    Case::new("files::usage::COUNT", "100", 200),
    Case::new("files::usage::SUBTRACT_DELETED", "100", 200),
    // File 1 is attached to 10,000 messages. FILE_SEEN_AMONG reads at most 200 of these messages. FILE_SEEN_IN reads
    // the person's conversations instead.
    Case::new("messages::employee::FILE_SEEN_AMONG", "1, 7, 200", 610),
    Case::new("messages::employee::FILE_SEEN_AMONG", "7, 7, 200", 5),
    Case::new("messages::employee::FILE_SEEN_IN", "1, 7", 700),
    // no conversation of the person has the file
    Case::new("messages::employee::FILE_SEEN_IN", "60000, 7", 700),
    Case::new("files::SWEEP", "5000, 100", 200),
];
