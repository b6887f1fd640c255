//! The pages of a long conversation.

use super::*;

/// Follows the link with the text `name` from page to page. Returns the ids of the messages of each page.
async fn follow(browser: &mut Browser, from: &str, name: &str) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut next = Some(from.to_owned());
    while let Some(path) = next {
        let page = browser.get(&path).await;
        pages.push(ids(&page));
        next = link(&page, name);
    }
    pages
}

#[both_engines]
async fn pages_of_fifty_lead_to_each_other(server: Server) {
    let mut team = Team::new(&server).await;
    let all = team.post_many(0..120).await;
    let path = team.path();
    let newest = team.anns.get(&path).await;
    assert_eq!(ids(&newest), all[70..], "a page has 50 messages, oldest first");
    newest.shows("data-latest=\"true\"").hides(">Later</a>");

    let mut back = follow(&mut team.anns, &path, "Earlier").await;
    assert_eq!(back.iter().map(Vec::len).collect::<Vec<_>>(), [50, 50, 20]);
    back.reverse();
    assert_eq!(back.concat(), all, "the links `Earlier` lead to every message once");

    let first = format!("{path}?before={}", all[20]);
    let forth = follow(&mut team.anns, &first, "Later").await;
    assert_eq!(forth.iter().map(Vec::len).collect::<Vec<_>>(), [20, 50, 50]);
    assert_eq!(forth.concat(), all, "the links `Later` lead to every message once");
    team.anns.get(&first).await.shows("data-latest=\"false\"").hides(">Earlier</a>");
}

#[both_engines]
async fn deleted_messages_leave_no_gaps(server: Server) {
    let mut team = Team::new(&server).await;
    let mut all = team.post_many(0..110).await;
    let path = team.path();
    // deletes the first and the last message of each page
    for at in [109, 60, 59, 10, 9, 0] {
        team.company.erase(&all[at]).await;
    }
    let boundary = all[60].clone();
    for at in [109, 60, 59, 10, 9, 0] {
        all.remove(at);
    }
    let mut back = follow(&mut team.anns, &path, "Earlier").await;
    back.reverse();
    assert_eq!(back.concat(), all, "the links `Earlier` lead to each remaining message once");
    let before = ids(&team.anns.get(&format!("{path}?before={boundary}")).await);
    let after = ids(&team.anns.get(&format!("{path}?after={boundary}")).await);
    assert_eq!([before, after].concat(), all[all.len() - 50 - 48..], "a deleted message is a valid position");
    // beyond either end of the conversation, the server shows the nearest page instead of an empty page
    let newest = ids(&team.anns.get(&path).await);
    assert_eq!(ids(&team.anns.get(&format!("{path}?after={}", all.last().unwrap())).await), newest);
    let first = ids(&team.anns.get(&format!("{path}?before={}", all[0])).await);
    assert_eq!(first, all[..50]);
}

#[both_engines]
async fn the_permalink_of_a_message_shows_the_messages_around_it(server: Server) {
    let mut team = Team::new(&server).await;
    let all = team.post_many(0..110).await;
    let path = team.path();
    let page = team.anns.get(&format!("{path}/{}", all[60])).await;
    assert_eq!(ids(&page), all[35..85], "the page also shows 25 older and 24 newer messages");
    assert!(article(&page, &all[60]).contains("class=\"message mine highlighted\""));
    assert!(!article(&page, &all[61]).contains("highlighted"));
    assert_eq!(ids(&team.anns.get(&link(&page, "Earlier").unwrap()).await), all[..35]);
    assert_eq!(ids(&team.anns.get(&link(&page, "Later").unwrap()).await), all[85..]);
    // the time of each message is a permalink
    assert!(article(&page, &all[70]).contains(&format!("href=\"{path}/{}\"", all[70])));
    assert_eq!(ids(&team.anns.get(&format!("{path}/{}", all[0])).await), all[..25]);
    assert_eq!(ids(&team.anns.get(&format!("{path}/{}", all[109])).await), all[84..]);

    team.company.erase(&all[60]).await;
    let deleted = team.anns.get(&format!("{path}/{}", all[60])).await;
    deleted.is(404, "Message not found").is(404, "was deleted");
    assert_eq!(link(&deleted, "Open the conversation").as_deref(), Some(path.as_str()));
}

#[both_engines]
async fn positions_that_are_not_messages_are_not_found(server: Server) {
    let mut team = Team::new(&server).await;
    let message = team.company.post(&team.group, &team.ann, "hello").await;
    let elsewhere = team.company.group(&[&team.ann]).await;
    let foreign = team.company.post(&elsewhere, &team.ann, "elsewhere").await;
    let path = team.path();
    for wrong in ["x", "gmsg_", &message.replace("gmsg_", "dmsg_"), &team.group] {
        for place in
            [format!("{path}/{wrong}"), format!("{path}?before={wrong}"), format!("{path}?after={wrong}")]
        {
            team.anns.get(&place).await.is(404, "Message not found");
        }
    }
    team.anns.get(&format!("{path}/{foreign}")).await.is(404, "Message not found").hides("elsewhere");
    team.anns.get(&format!("{path}/{message}?before={message}")).await.shows("hello");
    team.anns.get(&format!("{path}?before={message}&after={message}")).await.is(400, "Choose one");
    team.anns.get(&format!("{path}?before=")).await.shows("hello");
    team.anns.get(&format!("{path}/")).await.is(404, "Page not found");
    // an empty conversation
    let empty = team.company.group(&[&team.ann]).await;
    for query in ["", &format!("?before={message}"), &format!("?after={message}")] {
        team.anns.get(&format!("/c/{empty}{query}")).await.shows("No messages yet");
    }
}

#[both_engines]
async fn fifty_ordinary_messages_are_a_small_page(server: Server) {
    let mut team = Team::new(&server).await;
    for number in 0..50 {
        let (sender, words) = if number % 3 == 0 { (&team.ann, 60) } else { (&team.bob, 20) };
        team.company.post(&team.group, sender, &"words ".repeat(words)).await;
    }
    let page = team.anns.get(&team.path()).await;
    assert_eq!(ids(&page).len(), 50);
    assert!(page.text.len() < 100_000, "the page has less than 100,000 bytes, not {}", page.text.len());
}
