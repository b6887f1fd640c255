//! Read positions: which messages a page marks as read, and which messages the form `/read` marks.

use super::*;

/// Returns the id of the message below the separator `New` of a page, which is the first unread message. Returns `None`
/// if the page has no separator.
fn first_unread(page: &Page) -> Option<String> {
    let (_, rest) = page.text.split_once("<div class=\"new\">")?;
    Some(value(rest, "id"))
}

#[both_engines]
async fn reading_to_the_end_marks_as_read(server: Server) {
    let mut team = Team::new(&server).await;
    let path = team.path();
    team.post_many(0..3).await;
    for browser in [&mut team.anns, &mut team.bobs] {
        assert_eq!(
            first_unread(&browser.get(&path).await),
            None,
            "a person who opens a conversation for the first time sees no separator"
        );
    }
    let more = team.post_many(3..5).await;
    assert_eq!(first_unread(&team.bobs.get(&path).await).as_ref(), Some(&more[0]));
    assert_eq!(
        first_unread(&team.bobs.get(&path).await),
        None,
        "the previous page marked its messages as read"
    );
    assert_eq!(first_unread(&team.anns.get(&path).await), None, "a person's own messages are not new");
    // a page of the messages around or before a given message marks nothing as read, unless the page has the newest
    // message
    let many = team.post_many(5..80).await;
    team.bobs.get(&format!("{path}/{}", more[0])).await;
    team.bobs.get(&format!("{path}?before={}", more[0])).await;
    let first = format!("{path}/{}", many[10]);
    assert_eq!(first_unread(&team.bobs.get(&first).await).as_ref(), Some(&many[0]));
    // a page of the messages after a given message marks all of its messages as read
    team.bobs.get(&format!("{path}?after={}", more[1])).await;
    assert_eq!(first_unread(&team.bobs.get(&first).await), None);
    assert_eq!(first_unread(&team.bobs.get(&path).await).as_ref(), Some(&many[50]));
    assert_eq!(first_unread(&team.bobs.get(&path).await), None);
}

#[both_engines]
async fn a_page_that_a_browser_loads_in_advance_marks_nothing_as_read(server: Server) {
    let mut team = Team::new(&server).await;
    let path = team.path();
    team.post_many(0..1).await;
    team.bobs.get(&path).await.shows("number 0");
    let more = team.post_many(1..2).await;
    for purpose in ["sec-purpose: prefetch", "sec-purpose: prefetch;prerender", "purpose: prefetch"] {
        let header = [purpose.to_owned()];
        let page = team.bobs.send("GET", &path, &header, b"").await;
        assert_eq!(first_unread(&page).as_ref(), Some(&more[0]), "{purpose}");
    }
    assert_eq!(
        first_unread(&team.bobs.get(&path).await).as_ref(),
        Some(&more[0]),
        "the prefetched pages marked nothing as read"
    );
    assert_eq!(first_unread(&team.bobs.get(&path).await), None);
}

#[both_engines]
async fn a_page_is_shown_even_if_its_messages_cannot_be_marked_as_read(server: Server) {
    let mut team = Team::new(&server).await;
    let path = team.path();
    team.post_many(0..1).await;
    team.bobs.get(&path).await.shows("number 0");
    // updates of read positions fail, as on a full or read-only disk
    let triggers = if server.database.text().starts_with("sqlite") {
        "CREATE TRIGGER refuse BEFORE UPDATE ON members BEGIN SELECT RAISE(ABORT, 'read-only'); END"
    } else {
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'read-only'; END $$;
        CREATE TRIGGER refuse BEFORE UPDATE ON members FOR EACH ROW EXECUTE FUNCTION refuse()"
    };
    server.database.execute(triggers).await;
    let more = team.post_many(1..2).await;
    for _ in 0..2 {
        assert_eq!(first_unread(&team.bobs.get(&path).await).as_ref(), Some(&more[0]));
    }
}

#[both_engines]
async fn the_form_marks_messages_as_read(server: Server) {
    let mut team = Team::new(&server).await;
    let (path, form) = (team.path(), format!("{}/read", team.path()));
    let all = team.post_many(0..80).await;
    let csrf = team.bobs.get("/settings/privacy").await.csrf("/settings/privacy");
    let mut mark = async |id: &str| team.bobs.post(&form, &[("csrf", &csrf), ("message_id", id)]).await;
    assert_eq!(mark(&all[20]).await.see_other(), path);
    // the read position never moves backwards
    assert_eq!(mark(&all[3]).await.see_other(), path);
    for wrong in ["x", &all[0].replace("gmsg", "dmsg"), &team.group] {
        mark(wrong).await.is(404, "Message not found");
    }
    let around = format!("{path}/{}", all[20]);
    assert_eq!(first_unread(&team.bobs.get(&around).await).as_ref(), Some(&all[21]));
    // an id above that of the newest message marks all existing messages as read, but no later message
    let later = format!("gmsg_7{}", &all[0]["gmsg_0".len()..]);
    team.bobs.post(&form, &[("csrf", &csrf), ("message_id", &later)]).await.see_other();
    assert_eq!(first_unread(&team.bobs.get(&around).await), None);
    let more = team.post_many(80..81).await;
    assert_eq!(first_unread(&team.bobs.get(&path).await).as_ref(), Some(&more[0]));
    // the form accepts the id of a deleted message
    let more = team.post_many(81..83).await;
    team.company.erase(&more[0]).await;
    team.bobs.post(&form, &[("csrf", &csrf), ("message_id", &more[0])]).await.see_other();
    // A page of older messages marks nothing as read. The read position is checked with a prefetch, which marks nothing
    // as read either.
    let older = format!("{path}?before={}", all[40]);
    team.bobs.get(&older).await;
    let prefetched = team.bobs.send("GET", &path, &["sec-purpose: prefetch".to_owned()], b"").await;
    assert_eq!(first_unread(&prefetched).as_ref(), Some(&more[1]));
    // without an id, the form marks all messages as read
    team.bobs.post(&form, &[("csrf", &csrf)]).await.see_other();
    assert_eq!(first_unread(&team.bobs.get(&path).await), None);
}
