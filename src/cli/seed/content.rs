//! The demo's apps, conversations, files and messages.

use serde_json::json;

use super::{
    Demo, SeededApp, SeededInstallation,
    client::{SeedConversation, SeededMessage, Seeder, given, to},
    people::person,
};
use switchboard_clients::admin::types;

use crate::{
    cli::{
        client::accept,
        failure::{Failure, Result},
        paging::{self, PageArgs},
        requests::{approve_as, every_scope, exchange},
    },
    platform::{rng::Rng, secrets::Secret},
};

const NOTES: &str = "Release 42\n\n- The night shift sees its own board.\n- Deliveries are counted once.\n";
const PICTURE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="24" fill="#e0a030"/></svg>
"##;

/// Ids of the people of the demo, by role.
struct People<'a>(&'a Demo);

impl<'a> People<'a> {
    fn id(&self, role: &str) -> &'a str {
        self.0.people.get(role).map_or("", |person| person.id.as_str())
    }
}

fn first(demo: &Demo) -> &str {
    demo.workspaces.get("first").map_or("", |company| company.id.as_str())
}

/// Creates two apps. One of them is installed in the first company, with all scopes.
pub(super) async fn apps(seeder: &Seeder<'_>, demo: &mut Demo) -> Result<()> {
    for (role, name) in [("installed", "Build Bot"), ("spare", "Survey Bot")] {
        let redirect_uri = format!("https://{role}.example.com/oauth/callback");
        let body = types::AppCreate {
            name: given(name)?,
            redirect_uris: vec![given(&redirect_uri)?],
            // `set_callback` sets the callback URL last: without a running receiver, every event that the creation of
            // the demo causes would fail and be retried
            callback_url: None,
            scopes: every_scope()?,
        };
        let made = accept(seeder.server.admin().create_app(&body)).await?;
        let app = SeededApp {
            id: made.app.id,
            name: made.app.name,
            client_id: made.client_id,
            client_secret: made.client_secret,
            signing_secret: made.signing_secret,
            redirect_uri,
            callback_url: None,
        };
        demo.apps.insert(role.to_owned(), app);
    }
    let (app, workspace) = (&demo.apps["installed"], first(demo));
    let by = People(demo).id("admin");
    let code = approve_as(seeder.server, workspace, &app.id, by, &app.redirect_uri).await?;
    let secret = Secret::new(app.client_secret.as_str());
    let token = exchange(seeder.server, &app.client_id, &secret, &code, Some(&app.redirect_uri)).await?;
    demo.installation = SeededInstallation {
        id: installation_of(seeder, workspace, &app.id).await?,
        app_id: app.id.clone(),
        workspace_id: workspace.to_owned(),
        bot_user_id: token.bot.id,
        bot_token: token.access_token,
    };
    Ok(())
}

async fn installation_of(seeder: &Seeder<'_>, workspace: &str, app: &str) -> Result<String> {
    let everything = PageArgs::default();
    let found = paging::all("installations", &everything, async |cursor, limit| {
        seeder.server.admin().list_installations(workspace, Option::as_ref(&cursor), limit).await
    });
    let found = found.await?;
    let mut all = found["installations"].as_array().into_iter().flatten();
    let ours = all.find(|installation| installation["app_id"] == app);
    let id = ours.and_then(|installation| installation["id"].as_str()).map(str::to_owned);
    id.ok_or_else(|| Failure::Unreachable("the server does not list the new installation".to_owned()))
}

/// Creates groups, channels and a direct conversation. The bot is a member of some of them.
pub(super) async fn conversations(seeder: &Seeder<'_>, demo: &mut Demo) -> Result<()> {
    let (people, workspace) = (People(demo), first(demo));
    let bot = demo.installation.bot_user_id.as_str();
    let [admin, ada, mira, rosa] =
        ["admin", "employee", "both_companies", "second_employee"].map(|role| people.id(role));
    let [kenji, sven, noor] = ["hidden_email", "blocks_the_app", "onboarding"].map(|role| people.id(role));
    let [tom, ines, vera, paul] =
        ["deactivated", "removed", "guest", "hidden_guest"].map(|role| people.id(role));
    let mut made = Vec::new();

    let public = SeedConversation {
        name: "Platform",
        topic: Some("Builds and releases"),
        members: &[admin, ada, mira, rosa, kenji, sven, noor, tom, ines],
        ..SeedConversation::default()
    };
    let public = seeder.create_conversation(workspace, public).await?;
    // `messages` adds the bot to the public group after the first messages, so that the group has messages that the bot
    // cannot read
    let channel = SeedConversation {
        parent: Some(&public),
        name: "Incidents",
        members: &[ada, mira],
        ..SeedConversation::default()
    };
    made.push(("channel", seeder.create_conversation(workspace, channel).await?));
    let quiet = SeedConversation {
        parent: Some(&public),
        name: "Stand-ups",
        members: &[ada, rosa],
        ..SeedConversation::default()
    };
    made.push(("channel_without_bot", seeder.create_conversation(workspace, quiet).await?));
    made.push(("public_group", public));

    let private = SeedConversation {
        name: "Release crew",
        is_private: true,
        members: &[admin, ada, bot],
        ..SeedConversation::default()
    };
    made.push(("private_group", seeder.create_conversation(workspace, private).await?));
    let board = SeedConversation {
        name: "Board",
        is_private: true,
        members: &[admin, mira],
        ..SeedConversation::default()
    };
    made.push(("group_without_bot", seeder.create_conversation(workspace, board).await?));
    let news = SeedConversation {
        name: "Announcements",
        announcement_only: true,
        members: &[admin, ada, mira, rosa, kenji, bot],
        ..SeedConversation::default()
    };
    made.push(("announcement_group", seeder.create_conversation(workspace, news).await?));
    let vendors = SeedConversation {
        name: "Vendors",
        is_private: true,
        members: &[admin, rosa, vera, paul, bot],
        ..SeedConversation::default()
    };
    made.push(("group_bot_was_removed_from", seeder.create_conversation(workspace, vendors).await?));
    let old = SeedConversation {
        name: "Old warehouse",
        members: &[admin, ada, bot],
        ..SeedConversation::default()
    };
    let old = seeder.create_conversation(workspace, old).await?;
    let plans = SeedConversation {
        parent: Some(&old),
        name: "Moving plans",
        members: &[admin, bot],
        ..SeedConversation::default()
    };
    made.push(("archived_channel", seeder.create_conversation(workspace, plans).await?));
    made.push(("archived_group", old));
    made.push(("dm", seeder.direct(workspace, [admin, ada]).await?));

    if let Some(second) = demo.workspaces.get("second") {
        let [otto, lea, mira] =
            ["other_admin", "other_employee", "both_companies_in_second"].map(|role| people.id(role));
        let other =
            SeedConversation { name: "Studio", members: &[otto, lea, mira], ..SeedConversation::default() };
        made.push(("other_group", seeder.create_conversation(&second.id, other).await?));
    }
    demo.conversations.extend(made.into_iter().map(|(role, id)| (role.to_owned(), id)));
    Ok(())
}

/// Uploads files that the employee owns.
pub(super) async fn uploads(seeder: &Seeder<'_>, demo: &mut Demo) -> Result<()> {
    let (workspace, owner) = (first(demo).to_owned(), People(demo).id("employee").to_owned());
    for (role, name, mimetype, content) in [
        ("document", "release-notes.txt", "text/plain", NOTES),
        ("image", "lantern.svg", "image/svg+xml", PICTURE),
        ("deleted", "draft.txt", "text/plain", "Not for anybody's eyes.\n"),
        ("unattached", "todo.txt", "text/plain", "Attach me.\n"),
    ] {
        let id = seeder.upload(&workspace, &owner, name, mimetype, content).await?;
        demo.files.insert(role.to_owned(), id);
    }
    Ok(())
}

/// Posts messages of several types. Their senders are people, the system and the bot. Also adds the bot to the public
/// group and to a channel of this group.
pub(super) async fn messages(seeder: &Seeder<'_>, demo: &mut Demo, rng: &Rng) -> Result<()> {
    let people = People(demo);
    let conversation = |role: &str| demo.conversations.get(role).map_or("", String::as_str);
    let file = |role: &str| demo.files.get(role).map(String::as_str);
    let [admin, ada, mira, rosa] =
        ["admin", "employee", "both_companies", "second_employee"].map(|role| people.id(role));
    let (public, bot) = (conversation("public_group"), &demo.installation);
    let mut made = Vec::new();

    made.push(("before_the_bot_joined", seeder.say(public, ada, "Shall we get ourselves a bot?").await?));
    seeder.say(public, people.id("deactivated"), "I was here once.").await?;
    seeder.say(public, people.id("removed"), "So was I.").await?;
    seeder.join(public, &bot.bot_user_id).await?;
    seeder.join(conversation("channel"), &bot.bot_user_id).await?;

    let text = seeder.say(public, ada, "Build 42 is green. Who releases it?").await?;
    let reply = SeededMessage {
        sender: Some(mira),
        kind: "text",
        text: Some("Shipping it."),
        thread: Some(&text),
        ..SeededMessage::default()
    };
    made.push(("reply", seeder.post(public, reply).await?));
    made.push(("text", text));
    for (role, kind, caption, attached) in [
        ("file", "file", Some("The release notes."), file("document")),
        ("image", "image", Some("Our new sign."), file("image")),
        ("file_deleted", "file", None, file("deleted")),
        ("location", "location", Some("Dock 4"), None),
        ("poll", "poll", Some("Lunch at noon?"), None),
    ] {
        let post = SeededMessage { sender: Some(ada), kind, text: caption, file: attached, thread: None };
        made.push((role, seeder.post(public, post).await?));
    }
    let notice = SeededMessage {
        kind: "system",
        text: Some("The office is closed tomorrow."),
        ..SeededMessage::default()
    };
    made.push(("system", seeder.post(public, notice).await?));
    made.push(("edited", seeder.say(public, rosa, "See you at nien.").await?));
    made.push(("deleted", seeder.say(public, rosa, "Never mind.").await?));
    made.push(("channel_message", seeder.say(conversation("channel"), ada, "All quiet.").await?));
    made.push((
        "announcement",
        seeder.say(conversation("announcement_group"), admin, "Welcome to Lanternworks.").await?,
    ));
    made.push((
        "guest_message",
        seeder.say(conversation("group_bot_was_removed_from"), people.id("guest"), "Hello.").await?,
    ));
    made.push(("archived_message", seeder.say(conversation("archived_group"), admin, "That was it.").await?));
    made.push(("dm_message", seeder.say(conversation("dm"), admin, "Coffee?").await?));

    // an idempotency key of a bot is for one message only, so the two messages need different keys
    let key = |role: &str| format!("demo-{role}-{}", rng.base62(8));
    let blocks = json!([
        {"type": "header", "text": "Build 42"},
        {"type": "section", "text": "All 318 tests passed."},
        {"type": "fields", "fields": [{"label": "Branch", "value": "main"}, {"label": "Duration", "value": "4 min 12 s"}]},
        {"type": "context", "text": "Triggered by a push to main"}
    ]);
    let body = json!({
        "to": to("conversation", public),
        "text": "Build 42 is green and ready for release.",
        "blocks": blocks,
        "metadata": {"build": 42, "pipeline": "release"}
    });
    made.push(("bot", seeder.bot_says(&bot.bot_token, &key("group"), &body).await?.0));
    let body = json!({"to": to("user", ada), "text": "Build 42 is waiting for you."});
    let (message, bot_dm) = seeder.bot_says(&bot.bot_token, &key("dm"), &body).await?;
    made.push(("bot_dm_message", message));

    demo.messages.extend(made.into_iter().map(|(role, id)| (role.to_owned(), id)));
    demo.conversations.insert("bot_dm".to_owned(), bot_dm);
    Ok(())
}

/// Creates the final states of the demo: deactivates and removes people, blocks the app's direct messages to one
/// person, and removes the bot from a group. Also archives, edits and deletes objects.
pub(super) async fn final_states(seeder: &Seeder<'_>, demo: &mut Demo) -> Result<()> {
    let admin = seeder.server.admin();
    for (role, state) in
        [("deactivated", types::UserState::Deactivated), ("removed", types::UserState::Removed)]
    {
        let id = People(demo).id(role).to_owned();
        let user = accept(admin.set_user_state(&id, &types::UserStateChange { state })).await?.user;
        demo.people.insert(role.to_owned(), person(user, None));
    }
    accept(admin.block_app(People(demo).id("blocks_the_app"), &demo.installation.app_id)).await?;
    let conversation = |role: &str| demo.conversations.get(role).map_or("", String::as_str);
    let message = |role: &str| demo.messages.get(role).map_or("", String::as_str);
    seeder.leave(conversation("group_bot_was_removed_from"), &demo.installation.bot_user_id).await?;
    seeder.archive(conversation("archived_group")).await?;
    let body = types::MessageUpdate { text: given("See you at nine.")? };
    accept(admin.update_message(message("edited"), &body)).await?;
    accept(admin.delete_message(message("deleted"))).await?;
    accept(admin.delete_file(demo.files.get("deleted").map_or("", String::as_str))).await?;
    Ok(())
}

/// An id that no app has: an id contains the time of its creation, and the time in this id is the beginning of 1970.
const NO_APP: &str = "app_0000000000001";

/// Returns the change that sets the callback URL of an app.
///
/// # Errors
/// [`Failure::Usage`] if the API does not allow the text.
pub(super) fn callback_change(url: &str) -> Result<types::AppUpdate> {
    Ok(types::AppUpdate {
        callback_url: Some(given(url)?),
        name: None,
        redirect_uris: Vec::new(),
        scopes: None,
        disabled: None,
    })
}

/// Checks whether the server accepts a callback URL, by setting it for an app that does not exist. The server checks
/// the URL before it finds that there is no such app.
pub(super) async fn check_callback(seeder: &Seeder<'_>, change: &types::AppUpdate) -> Result<()> {
    match accept(seeder.server.admin().update_app(NO_APP, change)).await {
        Err(Failure::Refused { code, .. }) if code == "not_found" => Ok(()),
        other => other.map(drop),
    }
}

/// Sets the callback URL of the installed app. Called last, so that creating the demo sends no events to this URL.
pub(super) async fn set_callback(
    seeder: &Seeder<'_>,
    demo: &mut Demo,
    change: &types::AppUpdate,
) -> Result<()> {
    let Some(app) = demo.apps.get_mut("installed") else { return Ok(()) };
    app.callback_url = accept(seeder.server.admin().update_app(&app.id, change)).await?.app.callback_url;
    Ok(())
}
