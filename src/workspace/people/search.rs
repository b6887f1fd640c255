//! Search of people by word prefixes, see `domain/people_search`.

use crate::{
    domain::{ids::WorkspaceId, people_search, refusal::Code},
    store::{
        ReadOp, ReadSql, Result, op, user_words,
        users::{self, User},
        workspaces,
    },
    workspace::{World, refuse},
};

/// Maximum number of people indexed in one transaction.
const BATCH_SIZE: i64 = 200;

impl World {
    /// Adds people created by earlier versions to the search index. Runs at each start and as a maintenance
    /// job.
    ///
    /// # Errors
    /// Store errors.
    pub async fn index_people(&self) -> Result<()> {
        // read first, because mostly nobody is missing, and a read is cheaper than a write
        if !self.db.read(IsAnyoneWithout).await? {
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

struct IsAnyoneWithout;

op! {
    ReadOp "find_people_without_words", SINGLE: IsAnyoneWithout -> bool =
        |_, c| user_words::is_anyone_without(c)
}

struct IndexPeople;

op! { Op "give_people_words": IndexPeople -> usize = |_, c| user_words::catch_up(c, BATCH_SIZE) }

/// Lists the users of a company, or those that match a search, in order of creation.
pub(super) struct ListEverybody {
    pub(super) workspace: WorkspaceId,
    /// The search text; `None` for all users.
    pub(super) query: Option<String>,
    pub(super) after: i64,
    pub(super) limit: i64,
}

impl ReadOp for ListEverybody {
    const NAME: &'static str = "list_everybody";
    const REPLICA: bool = true;
    type Out = Vec<User>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<User>> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let Some(query) = &self.query else {
            return users::page(c, self.workspace, self.after, self.limit).await;
        };
        match people_search::sought(query) {
            none if none.is_empty() => Ok(Vec::new()),
            sought => user_words::page(c, self.workspace, &sought, self.after, self.limit).await,
        }
    }
}
