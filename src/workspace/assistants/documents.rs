//! Metadata documents of clients: read from the client's host, and kept as long as they may be.

use crate::{
    domain::{
        assistant::{client_id, document::Document},
        redirect::WebUri,
    },
    store::Result,
    workspace::World,
};

use super::clients::{ClientProblem, FindAssistantClient};

impl World {
    /// What the document at a client id says.
    ///
    /// # Errors
    /// Those of the store. What is wrong with the document is the inner [`ClientProblem`].
    pub(super) async fn client_document(
        &self,
        url: &str,
        parts: &WebUri<'_>,
    ) -> Result<std::result::Result<Document, ClientProblem>> {
        if let Some(kept) = self.kept_document(url).await? {
            return Ok(Ok(kept));
        }
        let host = client_id::authority(parts);
        Ok(Err(ClientProblem::Unknown(format!("The client's metadata document at {host} cannot be read."))))
    }

    async fn kept_document(&self, url: &str) -> Result<Option<Document>> {
        let found = self.db.read(FindAssistantClient(url.to_owned())).await?;
        let now = self.clock.now();
        let Some(kept) = found.filter(|client| !client.is_registered && now < client.expires_at) else {
            return Ok(None);
        };
        Ok(Some(Document {
            redirect_uris: kept.redirect_uris()?,
            client_name: kept.client_name,
            is_public: kept.is_public,
        }))
    }
}
