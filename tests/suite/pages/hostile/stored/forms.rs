//! Stores texts with the forms of the web client.

use super::{Kind, Seed, StoredTextsFixture};
use crate::{
    pages::{
        conversation::{ids, multipart, post_multipart},
        hostile::Reader,
    },
    support::text,
};

/// Returns a text as a form stores it. Browsers send CRLF for a line break, and the server replaces it with LF.
fn typed(text: &str) -> String {
    text.replace("\r\n", "\n")
}

impl StoredTextsFixture<'_> {
    /// Posts a message with a file, edits the message, creates a group, and blocks an assistant.
    pub async fn by_forms(&mut self, seed: Seed<'_>, posted: &mut Reader) {
        self.message(seed, posted).await;
        self.new_group(seed, posted).await;
        self.block(seed, posted).await;
    }

    async fn message(&mut self, seed: Seed<'_>, posted: &mut Reader) {
        let (conversation, path) = (format!("/c/{}", self.own), format!("/c/{}/messages", self.own));
        let form = posted.browser.get(&conversation).await.form(&path);
        let name = seed.of(Kind::Upload, 200) + ".html";
        let mut fields: Vec<_> =
            form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.push(("text", "first"));
        // escapes the name as browsers escape the names of files
        let escaped = name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        let body = multipart(&fields, &[(&escaped, "image/svg+xml", b"<svg onload='pwned=1'/>")]);
        let sent = post_multipart(&mut posted.browser, &path, &body).await;
        posted.answer_of(&path, &sent);
        if sent.wire.status != 303 {
            assert!([400, 422].contains(&sent.wire.status), "{}", sent.text);
            self.planted.reject(Kind::Upload, seed);
            self.planted.reject(Kind::Written, seed);
            return;
        }
        // the server replaces line breaks in a file name with spaces
        self.planted.add(Kind::Upload, name.replace(['\r', '\n'], " "));
        let message = ids(&posted.browser.get(&conversation).await).pop().expect("a message");
        let path = format!("{conversation}/{message}");
        let page = posted.browser.get(&path).await;
        let words = seed.of(Kind::Written, 4000);
        let (edited, _) = posted.submit_on(&page, &format!("{path}/edit"), &[("text", &words)]).await;
        assert_eq!(edited.see_other(), path);
        self.planted.add(Kind::Written, typed(&words));
    }

    /// Sends a draft of the employee with another text.
    pub async fn send_draft(&mut self, seed: Seed<'_>, draft: &str, posted: &mut Reader) {
        let path = format!("/drafts/{draft}");
        let page = posted.open(&path).await;
        let words = seed.of(Kind::Sent, 4000);
        let (sent, _) = posted.submit_on(&page, &path, &[("text", &words), ("decision", "send")]).await;
        if sent.wire.status == 303 {
            self.planted.add(Kind::Sent, typed(&words));
            posted.open(&path).await.is(200, "The message was sent");
        } else {
            assert!([400, 422].contains(&sent.wire.status), "{}", sent.text);
            self.planted.reject(Kind::Sent, seed);
        }
    }

    async fn new_group(&mut self, seed: Seed<'_>, posted: &mut Reader) {
        let (name, topic) = (seed.of(Kind::NewGroup, 200), seed.of(Kind::NewTopic, 1000));
        let fields = [
            ("csrf", self.csrf.as_str()),
            ("workspace_id", &self.company.id),
            ("kind", "group"),
            ("name", &name),
            ("topic", &topic),
        ];
        let (made, _) = posted.post("/conversations/new", &fields).await;
        for (kind, words) in [(Kind::NewGroup, name.trim()), (Kind::NewTopic, topic.trim())] {
            match made.wire.status {
                303 => self.planted.add(kind, words.to_owned()),
                status => {
                    assert!([400, 422].contains(&status), "{}", made.text);
                    self.planted.reject(kind, seed);
                }
            }
        }
    }

    /// Blocks an assistant by its key.
    async fn block(&mut self, seed: Seed<'_>, posted: &mut Reader) {
        let key = format!("local:{}", seed.of(Kind::BlockedKey, 200));
        let fields = [
            ("csrf", self.csrf.as_str()),
            ("workspace_id", &self.company.id),
            ("action", "block"),
            ("key", &key),
        ];
        let (blocked, _) = posted.post("/admin/assistants", &fields).await;
        if blocked.wire.status != 302 {
            assert!([400, 422].contains(&blocked.wire.status), "{}", blocked.text);
            self.planted.reject(Kind::BlockedKey, seed);
            return;
        }
        let path = self.company.path("/client_blocks?limit=1000");
        let blocks = self.company.operator.get(&path).ok(200).await;
        let mark = key.rsplit(' ').next().expect("the mark of the key");
        let blocks =
            blocks["client_blocks"].as_array().expect("a list").iter().map(|block| text(block, "/key"));
        let mut stored = blocks.filter(|stored| stored.rsplit(' ').next() == Some(mark));
        self.planted.add(Kind::BlockedKey, stored.next().expect("the key that was blocked"));
    }
}
