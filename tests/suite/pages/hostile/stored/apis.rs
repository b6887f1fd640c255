//! Stores hostile texts through the admin API, the bot API and the assistant connection server.

use serde_json::{Value, json};
use switchboard::service::oauth::consent::ConsentDecision;

use super::{Kind, Seed, StoredTextsFixture};
use crate::{
    pages::hostile::{Reader, encoded},
    support::{
        assistant::{Client, LOCAL, Tokens},
        authorize::open_in,
        *,
    },
};

/// Removes all characters except ASCII letters, ASCII digits and those in `allowed`. Returns at most `max` characters.
fn only(text: &str, allowed: &str, max: usize) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric() || allowed.contains(*c)).take(max).collect()
}

impl StoredTextsFixture<'_> {
    /// Stores the seed's text through the admin API: in a new person, new conversations, a file and messages.
    pub async fn by_the_admin_api(&mut self, seed: Seed<'_>) {
        let person = self.person(seed).await;
        self.company.add(&self.group, &person).await;
        self.conversations(seed, &person).await;
        self.company.direct(&self.employee.id, &person).await;

        let operator = self.company.operator.clone();
        let name = seed.of(Kind::File, 200) + ".txt";
        let path = self.company.path(&format!("/files?name={}", encoded(&name)));
        let call = operator.post(&path).header("content-type", "text/html").header("x-acting-user", &person);
        let call = call.body("<script>pwned=1</script>");
        let file = self.planted.send(call, seed, &[(Kind::File, &name, "/file/name")]).await;
        let files: Vec<_> = file.iter().map(|file| text(file, "/file/id")).collect();
        let words = seed.of(Kind::Message, 4000);
        let path = format!("/admin/v1/conversations/{}/messages", self.group);
        let body = json!({"user_id": person, "type": "text", "text": words, "file_ids": files});
        let call = operator.post(&path).json(&body);
        let message = self.planted.send(call, seed, &[(Kind::Message, &words, "/message/text")]).await;
        if let Some(message) = message {
            // the page of the conversation also quotes the message above a reply to it
            let reply = json!({"thread_id": text(&message, "/message/id"), "text": "a reply"});
            self.company.post_with(&self.group, &self.employee.id, reply).await;
        }
        let words = seed.of(Kind::Notice, 4000);
        let body = json!({"user_id": null, "type": "system", "text": words});
        let call = operator.post(&path).json(&body);
        self.planted.send(call, seed, &[(Kind::Notice, &words, "/message/text")]).await;
    }

    /// Creates a person, and returns the id. The seed's text is in the person's names, title, e-mail address and avatar
    /// URL. If the server rejects the text, creates a person without it.
    async fn person(&mut self, seed: Seed<'_>) -> String {
        let (name, called) = (seed.of(Kind::Person, 200), seed.of(Kind::DisplayName, 200));
        let title = seed.of(Kind::Title, 200);
        let local = only(seed.text, "!#$%&'*+-/=?^_`{|}~", 40).to_lowercase();
        let email = format!("{local}+email{}z@example.com", seed.number);
        let mut body = json!({"name": name, "display_name": called, "title": title, "email": email});
        let address: String = seed.text.chars().filter(|c| !c.is_whitespace()).take(500).collect();
        body["avatar_url"] = format!("https://evil.example/{address}").into();
        let texts = [
            (Kind::Person, name.as_str(), "/user/name"),
            (Kind::DisplayName, called.as_str(), "/user/display_name"),
            (Kind::Title, title.as_str(), "/user/title"),
            (Kind::Email, email.as_str(), "/user/email"),
        ];
        let call = self.company.operator.post(&self.company.path("/users")).json(&body);
        match self.planted.send(call, seed, &texts).await {
            Some(person) => text(&person, "/user/id"),
            None => self.company.person().await,
        }
    }

    /// Creates a group with the seed's text in its name and topic. Then creates a named channel in the new group, or in
    /// the last group that was created if the server rejected the new group. The members are the employee and `person`.
    async fn conversations(&mut self, seed: Seed<'_>, person: &str) {
        let operator = self.company.operator.clone();
        let path = self.company.path("/conversations");
        let members = [self.employee.id.as_str(), person];
        let (name, topic) = (seed.of(Kind::Group, 200), seed.of(Kind::Topic, 1000));
        let body = json!({"kind": "group", "name": name, "topic": topic, "member_ids": members});
        let texts = [
            (Kind::Group, name.as_str(), "/conversation/name"),
            (Kind::Topic, topic.as_str(), "/conversation/topic"),
        ];
        if let Some(group) = self.planted.send(operator.post(&path).json(&body), seed, &texts).await {
            self.newest = text(&group, "/conversation/id");
        }
        let name = seed.of(Kind::Channel, 200);
        let body = json!({"kind": "channel", "parent_id": self.newest, "name": name, "member_ids": members});
        let call = operator.post(&path).json(&body);
        self.planted.send(call, seed, &[(Kind::Channel, &name, "/conversation/name")]).await;
    }

    /// Registers an app with the seed's text in its name and callback URL. The app's bot sends a message with the text
    /// in blocks of every type, and edits the message. Then the employee presses the message's button, once through the
    /// admin API and once on the page.
    pub async fn by_the_bot_api(&mut self, seed: Seed<'_>, reader: &mut Reader) {
        let (name, path) = (seed.of(Kind::App, 200), only(seed.text, "!$&'()*,;=:@-._~/", 500));
        let callback = format!("https://app.example/{path}?{path}&callback{}z", seed.number);
        let body = json!({
            "name": name, "scopes": ["messages:write"], "callback_url": callback,
            "redirect_uris": ["https://app.example/callback"],
        });
        let texts = [
            (Kind::App, name.as_str(), "/app/name"),
            (Kind::Callback, callback.as_str(), "/app/callback_url"),
        ];
        let call = self.company.operator.post("/admin/v1/apps").json(&body);
        let Some(app) = self.planted.send(call, seed, &texts).await else {
            // an app is rejected only if the text contains U+0000. Blocks with this text must then be rejected too
            let mut body = to_conversation(&self.group, "x");
            let bot = self.company.bot(self.server).await;
            self.company.add(&self.group, &bot.user_id).await;
            let message = text(&bot.send(&body).await, "/id");
            let without_nul = seed.text.replace('\0', "");
            let valid = Seed { text: &without_nul, ..seed };
            let blocks = json!(self.blocks(valid, "x")).to_string();
            for ((kind, words), (_, valid)) in texts_of_blocks(seed).into_iter().zip(texts_of_blocks(valid)) {
                // in each request, one of the blocks' texts has U+0000, and all other texts are valid
                let blocks = blocks.replace(&json!(valid).to_string(), &json!(words).to_string());
                body["blocks"] = serde_json::from_str(&blocks).unwrap();
                bot.cannot_send(&body, 400, "invalid_blocks").await;
                self.planted.reject(kind, seed);
            }
            let edit = json!({"text": seed.of(Kind::Edited, 4000)});
            bot.editing(&message, &edit).refused(400, "invalid_request").await;
            self.planted.reject(Kind::Edited, seed);
            return;
        };
        let app = App {
            id: text(&app, "/app/id"),
            client_id: text(&app, "/client_id"),
            client_secret: text(&app, "/client_secret"),
            signing_secret: text(&app, "/signing_secret"),
        };
        let bot = self.company.install(&app, &["messages:write"]).await;
        self.apps.push(app);
        self.company.add(&self.group, &bot.user_id).await;
        let action = only(seed.text, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", 64);
        let action = if action.is_empty() { "x".to_owned() } else { action };
        let mut body = to_conversation(&self.group, seed.text);
        body["metadata"] = json!({"event_type": "x", "event_payload": {"text": seed.text}});
        body["blocks"] = self.blocks(seed, &action).into();
        let message = text(&bot.send(&body).await, "/id");
        let words = seed.of(Kind::Edited, 4000);
        bot.editing(&message, &json!({"text": words, "blocks": body["blocks"]})).ok(200).await;
        let kept = self.company.message(&self.group, &message).await;
        assert_eq!((text(&kept, "/text"), &kept["blocks"]), (words.clone(), &body["blocks"]));
        self.planted.add(Kind::Edited, words);
        for (kind, words) in texts_of_blocks(seed) {
            self.planted.add(kind, words);
        }
        let press = json!({
            "user_id": self.employee.id, "action_id": action, "value": seed.of(Kind::PressedValue, 2000),
        });
        let path = format!("/admin/v1/messages/{message}/interactions");
        self.company.operator.post(&path).json(&press).ok(202).await;
        let fields = [("csrf", self.csrf.as_str()), ("action_id", &action), ("press", seed.text)];
        let path = format!("/c/{}/{message}/actions", self.group);
        let (answer, _) = reader.post(&path, &fields).await;
        assert_eq!(answer.see_other(), format!("/c/{}/{message}?done=pressed", self.group));
    }

    /// Returns blocks of every type with the seed's texts. `action` is the `action_id` of the button.
    fn blocks(&self, seed: Seed<'_>, action: &str) -> Vec<Value> {
        let texts = texts_of_blocks(seed);
        let of = |kind| &texts.iter().find(|(found, _)| *found == kind).expect("a text of this kind").1;
        vec![
            json!({"type": "header", "text": of(Kind::Header)}),
            json!({"type": "section", "text": of(Kind::Section)}),
            json!({"type": "context", "text": of(Kind::Context)}),
            json!({"type": "fields", "fields": [{"label": of(Kind::Label), "value": of(Kind::Value)}]}),
            json!({"type": "actions", "items": [{
                "action_id": action, "text": of(Kind::Button), "value": of(Kind::PressedValue), "style": "danger",
            }]}),
        ]
    }

    /// Registers a client with the seed's text as its name. If the server accepts the name, connects the client and
    /// makes it the fixture's assistant. If not, the assistant that was connected last remains the fixture's assistant.
    /// The assistant creates a draft with the seed's text, and then a second draft. On the draft's page, the employee
    /// replaces the text of the second draft by the seed's text, and sends the draft.
    pub async fn by_an_assistant(&mut self, seed: Seed<'_>, reader: &mut Reader) {
        let name = seed.of(Kind::Client, 40);
        let body = json!({
            "client_name": name, "client_uri": seed.text, "logo_uri": seed.text, "tos_uri": seed.text,
            "policy_uri": seed.text, "software_id": seed.text, "redirect_uris": [LOCAL],
            "token_endpoint_auth_method": "none",
        });
        let call = self.company.operator.anonymous().post("/register").json(&body);
        if let Some(made) = self.planted.send(call, seed, &[(Kind::Client, &name, "/client_name")]).await {
            let client = Client {
                id: text(&made, "/client_id"),
                secret: None,
                redirect_uri: LOCAL.to_owned(),
                server: self.server.api(),
            };
            self.connect(client).await;
        }
        let assistant = self.assistant.clone().expect("the first text of the corpus is a valid name");
        let words = seed.of(Kind::Draft, 4000);
        let arguments = json!({"conversation": self.newest, "text": words});
        if seed.text.contains('\0') {
            assistant.invalid("draft_message", arguments).await;
            self.planted.reject(Kind::Draft, seed);
        } else {
            assistant.drafts(arguments).await;
            self.planted.add(Kind::Draft, words);
        }
        let draft = assistant.drafts(json!({"conversation": self.newest, "text": "first"})).await;
        self.send_draft(seed, &draft, reader).await;
    }

    /// Connects a client for the employee, and makes it the fixture's assistant.
    async fn connect(&mut self, client: Client) {
        let request = self.server.begin_for(&client, &[]).await.request();
        let mut form = open_in(self.browser.clone(), &request).await.expect("the consent page opens");
        let decided =
            form.decide(ConsentDecision::Approve(self.employee.workspace())).await.expect("a redirect");
        let code = decided.get("code").expect("the redirect has a code");
        let tokens = Tokens::of(&client.exchange(code).await.ok());
        self.assistant = Some(self.server.assistant_by(&self.employee, &tokens));
        self.clients.push(client);
    }

    /// Creates a company with the seed's text as its name. The account `many@example.com` becomes an admin of it.
    pub async fn company(&mut self, seed: Seed<'_>) {
        let name = seed.of(Kind::Company, 200);
        let operator = self.company.operator.clone();
        let call = operator.post("/admin/v1/workspaces").json(&json!({"name": name}));
        let made = self.planted.send(call, seed, &[(Kind::Company, &name, "/workspace/name")]).await;
        if let Some(made) = made {
            let path = format!("/admin/v1/workspaces/{}/users", text(&made, "/workspace/id"));
            let body = json!({"name": "Many", "email": "many@example.com", "is_admin": true});
            operator.post(&path).json(&body).ok(201).await;
        }
    }
}

/// Returns the kind and the text of each text member of [`StoredTextsFixture::blocks`].
fn texts_of_blocks(seed: Seed<'_>) -> [(Kind, String); 7] {
    let of = |kind, max| (kind, seed.of(kind, max));
    [
        of(Kind::Header, 150),
        of(Kind::Section, 2000),
        of(Kind::Context, 1000),
        of(Kind::Label, 200),
        of(Kind::Value, 200),
        of(Kind::Button, 40),
        of(Kind::PressedValue, 2000),
    ]
}
