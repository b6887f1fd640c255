//! The upkeep at volume.

use std::time::Duration;

use switchboard::store::{Op, Result, Sql, args, statements};

use crate::{on_both, support::*};

statements! {
    FILL =
        sqlite "INSERT INTO send_keys (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at)
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
            SELECT n % 100 + 1, CAST(printf('%016d', n * 7919 % 10000019) AS BLOB), x'00', 1, 1, $2 FROM numbers"
        postgres "INSERT INTO send_keys (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at)
            SELECT n % 100 + 1, convert_to(to_char(n * 7919 % 10000019, 'FM0000000000000000'), 'UTF8'), '\\x00', 1, 1, $2
            FROM generate_series(1, $1) AS n";
    RENEW = "UPDATE send_keys SET created_at = $1 WHERE bot_id % 2 = 0";
    COUNT = "SELECT COUNT(*) FROM send_keys";
}

struct Fill(i64, i64);

impl Op for Fill {
    const NAME: &'static str = "test_fill";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&FILL, args![self.0, self.1]).await.map(drop)
    }
}

struct Renew(i64);

impl Op for Renew {
    const NAME: &'static str = "test_renew";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        c.exec(&RENEW, args![self.0]).await
    }
}

struct Count;

impl Op for Count {
    const NAME: &'static str = "test_count";
    type Out = i64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<i64> {
        c.one(&COUNT, args![]).await
    }
}

/// Does the upkeep of this many minutes; how many keys are left.
async fn left_after(server: &Server, minutes: u32) -> i64 {
    for _ in 0..minutes {
        server.advance(Duration::from_secs(60)).await;
    }
    server.running().world().db.read(Count).await.unwrap()
}

on_both! {
    async fn keys_are_forgotten_as_fast_as_they_come(server: Server) {
        // what 200 installations send in a minute at their limit
        const KEYS: i64 = 60_000;
        let db = &server.running().world().db;
        db.write(Fill(KEYS, server.clock.now().0)).await.unwrap();
        server.advance(WITHIN_A_DAY).await;
        assert_eq!(db.read(Count).await.unwrap(), KEYS, "B-421: none is forgotten within a day");
        // the walk was somewhere in the middle: to the end, and from the beginning
        assert_eq!(left_after(&server, 3).await, 0, "they are gone as soon as the walk comes by");
    }

    async fn young_keys_among_old_ones_stay(server: Server) {
        let db = &server.running().world().db;
        db.write(Fill(12_000, server.clock.now().0)).await.unwrap();
        server.clock.advance(PAST_A_DAY);
        // half of them were used again just now
        assert_eq!(db.write(Renew(server.clock.now().0)).await.unwrap(), 6_000);
        assert_eq!(left_after(&server, 5).await, 6_000);
    }
}
