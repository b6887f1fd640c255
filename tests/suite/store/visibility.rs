//! The statement that finds hidden guests and the statement that lists people agree with the rules in `domain::people`,
//! for every combination of the columns that the rules need.

use switchboard::domain::{
    assistant::sending::AssistantSends,
    ids::{UserId, WorkspaceId},
    people::{UserState, UserVisibility, is_hidden_guest},
    time::Timestamp,
};
use switchboard::store::{
    Op, Result, Sql,
    users::{self, User},
    workspaces::{self, Workspace},
};

use crate::support::{both_engines, database::TestDatabase};

const COMPANY: WorkspaceId = WorkspaceId(1);

/// Returns a user for every combination of the columns that the rules need.
fn everybody() -> Vec<User> {
    let mut all = Vec::new();
    for state in UserState::ALL {
        for flags in 0..16 {
            let id = UserId(i64::try_from(all.len()).unwrap() + 1);
            all.push(User {
                state,
                is_bot: flags & 1 != 0,
                is_external: flags & 2 != 0,
                guest_visible: flags & 4 != 0,
                email_visible: flags & 8 != 0,
                ..User::new(id, COMPANY, format!("User {id}"), Timestamp(0))
            });
        }
    }
    all
}

fn visibility(user: &User) -> UserVisibility {
    UserVisibility {
        state: user.state,
        is_bot: user.is_bot,
        is_guest: user.is_external,
        guest_visible: user.guest_visible,
        email_visible: user.email_visible,
    }
}

struct Compare;

impl Op for Compare {
    const NAME: &'static str = "compare_visibility";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let company = Workspace {
            id: COMPANY,
            name: "Company".into(),
            domain: None,
            ai_assistants: true,
            max_session_hours: None,
            assistant_sends: AssistantSends::Direct,
            created_at: Timestamp(0),
        };
        workspaces::insert(c, &company).await?;
        let all = everybody();
        for user in &all {
            users::insert(c, user, None).await?;
        }
        let ids_of = |is_wanted: fn(&User) -> bool| -> Vec<UserId> {
            all.iter().filter(|user| is_wanted(user)).map(|user| user.id).collect()
        };
        let hidden = ids_of(|user| is_hidden_guest(user.is_external, user.guest_visible));
        let mut found = users::hidden_guests_among(c, &ids_of(|_| true)).await?;
        found.sort_unstable();
        assert_eq!(found, hidden, "the statement finds exactly the hidden guests (B-126)");
        let listed = ids_of(|user| visibility(user).is_listed());
        let found: Vec<_> =
            users::listed_page(c, COMPANY, 0, 1_000).await?.iter().map(|user| user.id).collect();
        assert_eq!(found, listed, "the statement lists exactly the people whom members see (B-327)");
        assert!(!hidden.is_empty() && !listed.is_empty());
        Ok(())
    }
}

#[both_engines]
async fn the_statements_agree_with_the_rules(database: TestDatabase) {
    let db = database.open().await;
    db.write(Compare).await.unwrap();
    switchboard::store::Db::close(&db).await.unwrap();
}
