//! The list of a company's users, the search in it by prefixes of words, and the maintenance of the search index. The
//! rules for words are in `domain/people_search`.

use crate::{
    domain::{ids::WorkspaceId, people_search, refusal::Code},
    service::{World, refuse},
    store::{
        ReadOp, ReadSql, Result, op, user_words,
        users::{self, User},
        workspaces,
    },
};

/// Maximum number of users indexed in one transaction.
const BATCH_SIZE: i64 = 200;
/// Minimum batch size of the queries for a list without bots. Bots are removed after each query. So small batches could
/// contain only bots, and a list would need many queries.
const PEOPLE_BATCH: i64 = 500;

impl World {
    /// Adds missing users to the search index. Users are missing if an earlier version of the server created them. Runs
    /// at each start and as a maintenance job.
    ///
    /// # Errors
    /// Store errors.
    pub async fn index_people(&self) -> Result<()> {
        // checked by a read first, because usually no user is missing, and a read is cheaper than a write
        if !self.db.read(HasUsersWithoutWords).await? {
            return Ok(());
        }
        loop {
            let indexed = self.db.write(IndexPeople).await?;
            if i64::try_from(indexed).is_ok_and(|indexed| indexed < BATCH_SIZE) {
                return Ok(());
            }
        }
    }
}

struct HasUsersWithoutWords;

op! {
    ReadOp "find_people_without_words", SINGLE: HasUsersWithoutWords -> bool =
        |_, c| user_words::has_users_without_words(c)
}

struct IndexPeople;

op! { Op "index_people": IndexPeople -> usize = |_, c| user_words::catch_up(c, BATCH_SIZE) }

/// Lists the users of a company in order of creation.
pub(super) struct ListEverybody {
    pub(super) workspace: WorkspaceId,
    /// The search text; `None` for all users. A text without words matches nobody.
    pub(super) query: Option<String>,
    /// Lists only users whose ids are higher.
    pub(super) after: i64,
    /// Maximum number of users.
    pub(super) limit: i64,
    /// Whether bots are omitted.
    pub(super) people_only: bool,
}

impl ReadOp for ListEverybody {
    const NAME: &'static str = "list_everybody";
    const REPLICA: bool = true;
    type Out = Vec<User>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<User>> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let prefixes = self.query.as_deref().map(people_search::search_prefixes);
        if prefixes.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Vec::new());
        }
        let batch = if self.people_only { self.limit.max(PEOPLE_BATCH) } else { self.limit };
        let (batch_size, limit) = (size(batch), size(self.limit));
        let (mut found, mut after) = (Vec::new(), self.after);
        loop {
            let users = match &prefixes {
                None => users::page(c, self.workspace, after, batch).await?,
                Some(prefixes) => user_words::page(c, self.workspace, prefixes, after, batch).await?,
            };
            let is_last = users.len() < batch_size;
            after = users.last().map_or(after, |user| user.id.0);
            found.extend(users.into_iter().filter(|user| !self.people_only || !user.is_bot));
            if is_last || found.len() >= limit {
                found.truncate(limit);
                return Ok(found);
            }
        }
    }
}

fn size(limit: i64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}
