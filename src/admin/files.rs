//! Uploaded files.

use std::time::Duration;

use poem::http::{HeaderMap, header};

use super::{Admin, DONE, parse_workspace};
use crate::{
    contract::{BodyLimits, Fault, Problem, read_streamed},
    domain::ids::{FileId, UserId},
    generated::admin::{
        DeleteFileError, DeleteFileRequest, DeleteFileSuccess, FilesHandlers, UploadFileError,
        UploadFileRequest, UploadFileSuccess, types,
    },
    platform::blobs::ReceiveError,
    store::files::File,
    workspace::{files::unkept, principal::Principal, uploads::MAX_FILE_BYTES},
};

/// How much of a file is read, and how long: what a slow line takes for the largest.
pub(super) const UPLOAD_LIMITS: BodyLimits =
    BodyLimits { bytes: MAX_FILE_BYTES, time: Duration::from_secs(10 * 60) };

fn wire(file: File) -> types::File {
    types::File {
        id: file.id.encode(),
        workspace_id: file.workspace_id.encode(),
        name: file.name,
        mimetype: file.mimetype,
        size: file.size,
        created_at: file.created_at,
    }
}

/// The media type of a request without its parameters; the contract let only one that can be read come here.
fn media_type(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(text.parse::<mime::Mime>().ok()?.essence_str().to_owned())
}

impl FilesHandlers for Admin {
    async fn upload_file(
        &self,
        caller: Principal,
        request: UploadFileRequest,
    ) -> Result<UploadFileSuccess, Problem<UploadFileError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let acting = request.x_acting_user.map(|id| UserId::parse(&id));
        let mimetype = media_type(&request.raw.headers);
        let upload = self.world.admit_upload(&caller, workspace, acting, request.name, mimetype).await?;
        let world = &self.world;
        let received = read_streamed(request.raw.body, UPLOAD_LIMITS, |chunks| async move {
            world.receive_file(upload, chunks).await.map_err(|error| match error {
                ReceiveError::Source(fault) => fault,
                ReceiveError::Storage(error) => Fault::from(unkept(&error)),
            })
        });
        let received = received.await.map_err(Problem::unread)?;
        let file = wire(self.world.store_file(&caller, received).await?);
        Ok(types::FileResult { ok: types::True, file }.into())
    }

    async fn delete_file(
        &self,
        caller: Principal,
        request: DeleteFileRequest,
    ) -> Result<DeleteFileSuccess, Problem<DeleteFileError>> {
        self.world.delete_file(&caller, FileId::parse(&request.file_id)).await?;
        Ok(DONE.into())
    }
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;

    use super::*;

    #[test]
    fn media_types_lose_their_parameters() {
        for (sent, kept) in [
            ("text/plain; charset=utf-8", Some("text/plain")),
            ("Image/PNG", Some("image/png")),
            ("application/vnd.x+json", Some("application/vnd.x+json")),
            ("text", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(sent));
            assert_eq!(media_type(&headers).as_deref(), kept, "{sent}");
        }
        assert_eq!(media_type(&HeaderMap::new()), None);
    }
}
