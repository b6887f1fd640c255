//! Searching people by prefixes of the words of their names and e-mail addresses (W-08 with `query`).

use std::time::Duration;

use serde_json::json;
use switchboard::{
    domain::ids::WorkspaceId,
    store::{DatabaseUrl, Op, Result, Sql, args, statements},
};

use crate::{
    pages::Office,
    support::{operations::encoded, *},
};

/// Returns the names of the people that a search finds, in the order in which the people were created.
async fn found(company: &Company, query: &str) -> Vec<String> {
    let path = company.path(&format!("/users?query={}&limit=1000", encoded(query)));
    let page = company.operator.get(&path).ok(200).await;
    page["users"].as_array().unwrap().iter().map(|user| user["name"].as_str().unwrap().to_owned()).collect()
}

async fn execute(server: &Server, sql: &'static str) {
    match &server.database.url {
        DatabaseUrl::Sqlite(file) => {
            let database = rusqlite::Connection::open(file).unwrap();
            database.busy_timeout(Duration::from_secs(30)).unwrap();
            database.execute_batch(sql).unwrap();
        }
        DatabaseUrl::Postgres(options) => {
            let mut connection =
                <sqlx::PgConnection as sqlx::Connection>::connect_with(options.first()).await.unwrap();
            sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        }
    }
}

statements! {
    FILL_USERS: Command =
        sqlite "INSERT INTO users (id, workspace_id, name, state, is_admin, is_external, is_bot, email_visible,
                guest_visible, sessions_valid_after, created_at, has_words)
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6000)
            SELECT n, $1, 'Common Name' || n, 0, 0, 0, 0, 1, 1, 0, 0, 1 FROM numbers"
        postgres "INSERT INTO users (id, workspace_id, name, state, is_admin, is_external, is_bot, email_visible,
                guest_visible, sessions_valid_after, created_at, has_words)
            SELECT n, $1, 'Common Name' || n, 0, 0, 0, 0, 1, 1, 0, 0, 1 FROM generate_series(1, 6000) AS n";
    FILL_WORDS: Command =
        sqlite "INSERT INTO user_words (user_id, word, workspace_id)
            SELECT id, CAST('common' AS BLOB), $1 FROM users WHERE workspace_id = $1 AND name LIKE 'Common %'
            UNION ALL SELECT id, CAST('name' || id AS BLOB), $1 FROM users
                WHERE workspace_id = $1 AND name LIKE 'Common %'"
        postgres "INSERT INTO user_words (user_id, word, workspace_id)
            SELECT id, convert_to('common', 'UTF8'), $1 FROM users WHERE workspace_id = $1 AND name LIKE 'Common %'
            UNION ALL SELECT id, convert_to('name' || id, 'UTF8'), $1 FROM users
                WHERE workspace_id = $1 AND name LIKE 'Common %'";
}

struct Fill(WorkspaceId);

impl Op for Fill {
    const NAME: &'static str = "test_fill_people";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&FILL_USERS, args![self.0]).await?;
        c.exec(&FILL_WORDS, args![self.0]).await.map(drop)
    }
}

#[both_engines]
async fn frequent_words_can_be_searched(server: Server) {
    let company = server.company().await;
    let other = server.company().await;
    other.person_with(json!({"name": "Common Elsewhere"})).await;
    let id = WorkspaceId::parse(&company.id).unwrap();
    server.running().world().db.write(Fill(id)).await.unwrap();
    let all: Vec<_> = (1..=6000).map(|n| format!("Common Name{n}")).collect();
    let mut names = Vec::new();
    let mut path = company.path("/users?query=common&limit=1000");
    loop {
        let page = company.operator.get(&path).ok(200).await;
        names
            .extend(page["users"].as_array().unwrap().iter().map(|u| u["name"].as_str().unwrap().to_owned()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        path = company.path(&format!("/users?query=common&limit=1000&cursor={next}"));
    }
    assert_eq!(names, all);
    assert_eq!(found(&company, "common name6000").await, ["Common Name6000"]);
    assert_eq!(found(&company, "common name").await, all[..1000]);
    assert!(found(&company, "common nobody").await.is_empty());
    assert_eq!(found(&other, "common").await, ["Common Elsewhere"]);
}

#[both_engines]
async fn prefixes_of_words_are_found(server: Server) {
    let company = server.company().await;
    let other = server.company().await;
    for (name, display_name, email) in [
        ("Ada Lovelace", json!("Countess"), "ada.king@find.example"),
        ("Zoë O'Neill", json!(null), "zoe@find.example"),
        ("Adam Riese", json!(null), "riese@elsewhere.example"),
        ("山田 太郎", json!(null), "taro@find.example"),
    ] {
        company.person_with(json!({"name": name, "display_name": display_name, "email": email})).await;
    }
    other.person_with(json!({"name": "Ada Elsewhere"})).await;
    for (query, names) in [
        ("ada", &["Ada Admin", "Ada Lovelace", "Adam Riese"][..]),
        ("ADA", &["Ada Admin", "Ada Lovelace", "Adam Riese"]),
        ("adam", &["Adam Riese"]),
        ("love", &["Ada Lovelace"]),
        ("love ada", &["Ada Lovelace"]),
        ("lov  ad  count kin", &["Ada Lovelace"]),
        ("ada riese love", &[]),
        ("velace", &[]),
        ("zoe", &["Zoë O'Neill"]),
        ("ZOË neil", &["Zoë O'Neill"]),
        ("o'neill", &["Zoë O'Neill"]),
        ("山", &["山田 太郎"]),
        ("king", &["Ada Lovelace"]),
        ("ada.king@find", &["Ada Lovelace"]),
        ("ada.king@FIND.example", &["Ada Lovelace"]),
        ("king@find", &[]),
        // the domain of an e-mail address does not count as a word
        ("find.example", &[]),
        ("%", &[]),
        ("_", &[]),
        ("\u{10ffff}", &[]),
    ] {
        assert_eq!(found(&company, query).await, names, "{query}");
    }
    for wrong in ["", &"x".repeat(201)] {
        let path = company.path(&format!("/users?query={wrong}"));
        company.operator.get(&path).refused(400, "invalid_request").await;
    }
}

#[both_engines]
async fn changed_names_and_addresses_are_found(server: Server) {
    let company = server.company().await;
    let id = company.person_with(json!({"name": "Vera Venn", "email": "vera@venn.example"})).await;
    company.update_user(&id, json!({"name": "Vera Wagner", "display_name": "Vee"})).await;
    assert!(found(&company, "venn").await.is_empty());
    assert_eq!(found(&company, "wagner").await, ["Vera Wagner"]);
    assert_eq!(found(&company, "vee").await, ["Vera Wagner"]);
    company.update_user(&id, json!({"display_name": null, "email": "wagner@venn.example"})).await;
    assert!(found(&company, "vee").await.is_empty());
    assert!(found(&company, "vera@venn.example").await.is_empty());
    assert_eq!(found(&company, "wagner@venn.example").await, ["Vera Wagner"]);
    // removing a person deletes the e-mail address and keeps the name
    company.set_state(&id, "removed").await;
    assert!(found(&company, "wagner@venn.example").await.is_empty());
    assert_eq!(found(&company, "wagner").await, ["Vera Wagner"]);
    // the list of people (W-08) contains bots
    let bot = company.bot(&server).await;
    let name = company.operator.get(&format!("/admin/v1/users/{}", bot.user_id)).ok(200).await;
    let name = name["user"]["name"].as_str().unwrap();
    assert!(found(&company, name).await.contains(&name.to_owned()));
}

#[both_engines]
async fn results_are_paged_and_only_for_admins(server: Server) {
    let company = server.company().await;
    for number in 0..7 {
        // a person with two matching words is listed once
        company.person_with(json!({"name": format!("Sam Samson {number}")})).await;
    }
    company.person_with(json!({"name": "Not one of them"})).await;
    let (mut path, mut names) = (company.path("/users?query=sam&limit=3"), Vec::new());
    loop {
        let page = company.operator.get(&path).ok(200).await;
        names.extend(page["users"].as_array().unwrap().iter().map(|user| user["name"].clone()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        let other = company.path(&format!("/users?query=samson&limit=3&cursor={next}"));
        company.operator.get(&other).refused(400, "invalid_cursor").await;
        path = company.path(&format!("/users?query=sam&limit=3&cursor={next}"));
    }
    let expected: Vec<_> = (0..7).map(|number| json!(format!("Sam Samson {number}"))).collect();
    assert_eq!(names, expected);
    let session = server.employee_of(&company).await.session(&server).await;
    session.get(&company.path("/users?query=sam")).refused(403, "forbidden").await;
    company
        .operator
        .get("/admin/v1/workspaces/cmp_0000000000001/users?query=a")
        .refused(404, "not_found")
        .await;
}

#[both_engines]
async fn people_stored_by_an_older_version_are_indexed_at_startup(server: Server) {
    let company = server.company().await;
    for number in 0..450 {
        company.person_with(json!({"name": format!("Early Bird{number}")})).await;
    }
    // this is the state of a database after the migration from an older version
    execute(&server, "DELETE FROM user_words; UPDATE users SET has_words = 0").await;
    assert!(found(&company, "early").await.is_empty());
    let server = server.restarted().await;
    let company = Company { operator: server.operator(), ..company };
    until(|| async { found(&company, "early").await.len() == 450 }).await;
    assert_eq!(found(&company, "bird449").await, ["Early Bird449"]);
}

#[both_engines]
async fn the_people_page_searches_and_keeps_the_query(server: Server) {
    let mut office = Office::new(&server).await;
    for number in 0..60 {
        office.company.person_with(json!({"name": format!("Many Number{number}")})).await;
    }
    office.company.person_with(json!({"name": "Rare <i>Bird</i>"})).await;
    office.admin.get("/admin/people").await.ok().hides("Rare &#60;i&#62;");
    let page = office.admin.get("/admin/people?query=rare").await;
    page.shows("Rare &#60;i&#62;Bird")
        .hides("Many Number1<")
        .shows("value=\"rare\"")
        .shows("Show all people");
    office.admin.get("/admin/people?query=nobody+there").await.shows("No person matches");
    office.admin.get("/admin/people?query=%00").await.shows("No person matches");
    office.admin.get("/admin/people?query=+").await.shows("Many Number1<");
    office.admin.get(&format!("/admin/people?query={}", "x".repeat(201))).await.is(400, "too long");
    // the link to the next page and the redirect after a change keep the query
    let first = office.admin.get("/admin/people?query=many").await;
    first.shows("Next page").shows("Many Number49<").hides("Many Number50<");
    let next = first.text.split("cursor=").nth(1).unwrap().split('"').next().unwrap();
    let path = format!("/admin/people?workspace_id={}&query=many&cursor={next}", office.company.id);
    office.admin.get(&path).await.shows("Many Number59<").hides("Next page").hides("Rare");
    let page = office.admin.submit(&path, &[("logout", "true")]).await;
    let back = page.to().to_owned();
    assert!(back.ends_with(&format!("&query=many&cursor={next}")), "{back}");
    office.admin.get(&back).await.shows("Signed out of this company.").shows("Many Number59<");
}
