//! Stores hostile texts with the forms of the web client and of the administration pages. `Planted` records which texts
//! the server stored.

use super::{Kind, Seed, StoredTextsFixture};
use crate::{
    pages::{
        conversation::{ids, multipart, post_multipart},
        hostile::Reader,
    },
    support::text,
};

/// Returns a submitted text as the server stores it. Browsers send CRLF for a line break, and the server stores LF.
fn as_stored(text: &str) -> String {
    text.replace("\r\n", "\n")
}

impl StoredTextsFixture<'_> {
    /// Posts a message with a file, edits the message, creates a group, and blocks an assistant.
    pub async fn by_forms(&mut self, seed: Seed<'_>, reader: &mut Reader) {
        self.message(seed, reader).await;
        self.new_group(seed, reader).await;
        self.block(seed, reader).await;
    }

    async fn message(&mut self, seed: Seed<'_>, reader: &mut Reader) {
        let (conversation, path) = (format!("/c/{}", self.own), format!("/c/{}/messages", self.own));
        let form = reader.browser.get(&conversation).await.form(&path);
        let name = seed.of(Kind::Upload, 200) + ".html";
        let mut fields: Vec<_> =
            form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.push(("text", "first"));
        // browsers escape these characters in the file names of multipart forms
        let escaped = name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        let body = multipart(&fields, &[(&escaped, "image/svg+xml", b"<svg onload='pwned=1'/>")]);
        let sent = post_multipart(&mut reader.browser, &path, &body).await;
        reader.answer_of(&path, &sent);
        if sent.wire.status != 303 {
            assert!([400, 422].contains(&sent.wire.status), "{}", sent.text);
            self.planted.reject(Kind::Upload, seed);
            self.planted.reject(Kind::Written, seed);
            return;
        }
        // the server replaces line breaks in a file name with spaces
        self.planted.add(Kind::Upload, name.replace(['\r', '\n'], " "));
        let message =
            ids(&reader.browser.get(&conversation).await).pop().expect("the page shows the message");
        let path = format!("{conversation}/{message}");
        let page = reader.browser.get(&path).await;
        let words = seed.of(Kind::Written, 4000);
        let (edited, _) = reader.submit_on(&page, &format!("{path}/edit"), &[("text", &words)]).await;
        assert_eq!(edited.see_other(), path);
        self.planted.add(Kind::Written, as_stored(&words));
    }

    /// Replaces the text of a draft of the employee, and sends the draft.
    pub async fn send_draft(&mut self, seed: Seed<'_>, draft: &str, reader: &mut Reader) {
        let path = format!("/drafts/{draft}");
        let page = reader.open(&path).await;
        let words = seed.of(Kind::Sent, 4000);
        let (sent, _) = reader.submit_on(&page, &path, &[("text", &words), ("decision", "send")]).await;
        if sent.wire.status == 303 {
            self.planted.add(Kind::Sent, as_stored(&words));
            reader.open(&path).await.is(200, "The message was sent");
        } else {
            assert!([400, 422].contains(&sent.wire.status), "{}", sent.text);
            self.planted.reject(Kind::Sent, seed);
        }
    }

    async fn new_group(&mut self, seed: Seed<'_>, reader: &mut Reader) {
        let (name, topic) = (seed.of(Kind::NewGroup, 200), seed.of(Kind::NewTopic, 1000));
        let fields = [
            ("csrf", self.csrf.as_str()),
            ("workspace_id", &self.company.id),
            ("kind", "group"),
            ("name", &name),
            ("topic", &topic),
        ];
        let (made, _) = reader.post("/conversations/new", &fields).await;
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

    /// Blocks an assistant by a block key.
    async fn block(&mut self, seed: Seed<'_>, reader: &mut Reader) {
        let key = format!("local:{}", seed.of(Kind::BlockedKey, 200));
        let fields = [
            ("csrf", self.csrf.as_str()),
            ("workspace_id", &self.company.id),
            ("action", "block"),
            ("key", &key),
        ];
        let (blocked, _) = reader.post("/admin/assistants", &fields).await;
        if blocked.wire.status != 302 {
            assert!([400, 422].contains(&blocked.wire.status), "{}", blocked.text);
            self.planted.reject(Kind::BlockedKey, seed);
            return;
        }
        let path = self.company.path("/client_blocks?limit=1000");
        let blocks = self.company.operator.get(&path).ok(200).await;
        // The server normalizes the block key, so the test finds the stored key by its mark: the text after the last
        // space, which the normalization does not change (see `marked`).
        let mark = key.rsplit(' ').next();
        let blocks =
            blocks["client_blocks"].as_array().expect("a list").iter().map(|block| text(block, "/key"));
        let mut stored = blocks.filter(|stored| stored.rsplit(' ').next() == mark);
        self.planted.add(Kind::BlockedKey, stored.next().expect("the blocked key is listed"));
    }
}
