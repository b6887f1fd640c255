//! Finding people by the beginnings of their words, as `domain/people_search` tells.

use crate::{
    domain::{ids::WorkspaceId, people_search, refusal::Code},
    store::{
        Op, Result, Sql, user_words,
        users::{self, User},
        workspaces,
    },
    workspace::{World, refuse},
};

/// How many people get their words in one transaction.
const AT_ONCE: i64 = 200;

impl World {
    /// Makes people of before the search known to it. Part of the upkeep, and of each start.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn give_words(&self) -> Result<()> {
        // mostly there is nobody, and a look is cheaper than a write
        if !self.db.read(IsAnyoneWithout).await? {
            return Ok(());
        }
        loop {
            let given = self.db.write(GiveWords).await?;
            if i64::try_from(given).is_ok_and(|given| given < AT_ONCE) {
                return Ok(());
            }
        }
    }
}

struct IsAnyoneWithout;

impl Op for IsAnyoneWithout {
    const NAME: &'static str = "find_people_without_words";
    const SINGLE: bool = true;
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        user_words::is_anyone_without(c).await
    }
}

struct GiveWords;

impl Op for GiveWords {
    const NAME: &'static str = "give_people_words";
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        user_words::catch_up(c, AT_ONCE).await
    }
}

/// Everybody of a company, or those a search finds, in order of creation.
pub(super) struct ListEverybody {
    pub(super) workspace: WorkspaceId,
    /// A search's text.
    pub(super) query: Option<String>,
    pub(super) after: i64,
    pub(super) limit: i64,
}

impl Op for ListEverybody {
    const NAME: &'static str = "list_everybody";
    const REPLICA: bool = true;
    type Out = Vec<User>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<User>> {
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
