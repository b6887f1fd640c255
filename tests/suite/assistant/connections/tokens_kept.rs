//! Storage of spent tokens. A spent token is stored until it would have expired. A refresh token expires after 30 days,
//! however old its connection is.

use switchboard::store::{Op, ReadOp, ReadSql, Result, Sql, args, statements};

use crate::support::{Server, assistant::*, both_engines};

statements! {
    FILL: Command =
        sqlite "INSERT INTO connection_tokens (token_hash, workspace_id, connection_id, is_refresh, generation, scopes,
                expires_at)
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
            SELECT CAST(printf('%032d', n * 7919 % 10000019) AS BLOB), (SELECT workspace_id FROM connections),
                (SELECT id FROM connections), n % 2, 0, 3, $2
            FROM numbers"
        postgres "INSERT INTO connection_tokens (token_hash, workspace_id, connection_id, is_refresh, generation, scopes,
                expires_at)
            SELECT convert_to(to_char(n * 7919 % 10000019, 'FM00000000000000000000000000000000'), 'UTF8'),
                (SELECT workspace_id FROM connections), (SELECT id FROM connections), n % 2, 0, 3, $2
            FROM generate_series(1, $1) AS n";
    COUNT: Query = "SELECT COUNT(*) FROM connection_tokens WHERE is_refresh = $1";
}

/// Stores spent tokens of the only connection. The fields are their number, and their expiry in microseconds since the
/// Unix epoch.
struct Fill(i64, i64);

impl Op for Fill {
    const NAME: &'static str = "test_fill_tokens";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&FILL, args![self.0, self.1]).await.map(drop)
    }
}

struct Count;

impl ReadOp for Count {
    const NAME: &'static str = "test_count_tokens";
    type Out = (i64, i64);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<(i64, i64)> {
        Ok((c.one(&COUNT, args![false]).await?, c.one(&COUNT, args![true]).await?))
    }
}

/// Returns the numbers of stored access and refresh tokens.
async fn stored_counts(server: &Server) -> (i64, i64) {
    server.running().world().db.read(Count).await.unwrap()
}

#[both_engines]
async fn spent_tokens_are_deleted_when_they_expire(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let first = employee.connect(&server, &client).await;
    let mut current = first.clone();
    for n in 1..=5 {
        server.advance(HOUR / 2).await;
        current = client.renewed(&current).await;
        assert_eq!(stored_counts(&server).await.1, n + 1, "spent refresh tokens are kept");
    }
    // of the access tokens, only those that were issued in the last hour are left
    server.advance(seconds(1)).await;
    assert_eq!(stored_counts(&server).await, (2, 6));
    server.advance(HOUR).await;
    assert_eq!(
        stored_counts(&server).await,
        (1, 6),
        "the current access token stays, even if it has expired"
    );
    server.advance(20 * DAY).await;
    current = client.renewed(&current).await;
    server.advance(10 * DAY - 4 * HOUR).await;
    assert_eq!(stored_counts(&server).await.1, 7);
    server.advance(5 * HOUR).await;
    assert_eq!(stored_counts(&server).await.1, 1, "spent refresh tokens are deleted after 30 days");
    client.renewed(&current).await;
    // using the deleted refresh token still revokes its connection
    client.refresh(&first.refresh).await.refused(400, "invalid_grant");
    employee.assert_revoked_for("refresh_reused").await;
}

#[both_engines]
async fn many_expired_tokens_are_deleted(server: Server) {
    const TOKENS: i64 = 30_000;
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let db = &server.running().world().db;
    db.write(Fill(TOKENS, server.clock.now().0 + 60_000_000)).await.unwrap();
    server.advance(seconds(59)).await;
    assert_eq!(stored_counts(&server).await, (TOKENS / 2 + 1, TOKENS / 2 + 1));
    // Each advance runs the maintenance job. One run is not enough if the job's scan is in the middle of the table: the
    // scan returns to the beginning only after it has reached the end.
    for _ in 0..3 {
        server.advance(MINUTE).await;
    }
    assert_eq!(stored_counts(&server).await, (1, 1));
    server.assert_active(&tokens).await;
}
