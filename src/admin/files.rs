//! Handlers that upload and delete files.

use std::time::Duration;

use poem::http::{HeaderMap, header};

use super::{Admin, DONE, parse_workspace};
use crate::{
    contract::{ApiError, BodyLimits, OperationError, declared_length, media_type, read_streamed},
    domain::ids::{FileId, UserId},
    generated::admin::{
        DeleteFileError, DeleteFileRequest, DeleteFileSuccess, FilesHandlers, UploadFileError,
        UploadFileRequest, UploadFileSuccess, types,
    },
    platform::blobs::ReceiveError,
    service::{
        callers::Caller,
        files::uploads::MAX_FILE_BYTES,
        files::{FileView, unavailable},
    },
};

/// Limits of an upload: the maximum size of a file, and the maximum time for receiving the file. In this time a
/// connection with 1.4 Mbit/s transfers the largest file.
pub(super) const UPLOAD_LIMITS: BodyLimits =
    BodyLimits { bytes: MAX_FILE_BYTES, time: Duration::from_secs(10 * 60) };

impl From<FileView> for types::File {
    fn from(file: FileView) -> Self {
        Self {
            id: file.id.encode(),
            workspace_id: file.workspace_id.encode(),
            name: file.name,
            mimetype: file.mimetype,
            size: file.size,
            created_at: file.created_at,
        }
    }
}

/// Returns the media type in `Content-Type`, without its parameters; `None` for a missing or invalid header. The
/// request pipeline in `contract` has already rejected requests with an invalid header.
fn sent_type(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(media_type(text)?.essence_str().to_owned())
}

/// Returns the length in bytes with which the quotas are checked before the body is read. This is the value of
/// `Content-Length`. If the request has no valid `Content-Length`, for example because it is chunked, the length is 1,
/// the smallest length of a file with content.
fn expected_length(headers: &HeaderMap) -> i64 {
    declared_length(headers).and_then(|length| i64::try_from(length).ok()).unwrap_or(1)
}

impl FilesHandlers for Admin {
    async fn upload_file(
        &self,
        caller: Caller,
        request: UploadFileRequest,
    ) -> Result<UploadFileSuccess, OperationError<UploadFileError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let acting = request.x_acting_user.map(|id| UserId::parse(&id));
        let mimetype = sent_type(&request.raw.headers);
        let length = expected_length(&request.raw.headers);
        let world = &self.world;
        let upload =
            caller.in_company(workspace)?.admit_upload(acting, request.name, mimetype, length).await?;
        let idle = world.settings.uploads.idle;
        let received = read_streamed(request.raw.body, UPLOAD_LIMITS, idle, |chunks| async move {
            world.receive_file(upload, chunks).await.map_err(|error| match error {
                ReceiveError::Source(error) => error,
                ReceiveError::Storage(error) => ApiError::from(unavailable(&error)),
            })
        });
        let received = received.await.map_err(OperationError::unread)?;
        let file = types::File::from(caller.store_file(received).await?);
        Ok(types::FileResult { ok: types::True, file }.into())
    }

    async fn delete_file(
        &self,
        caller: Caller,
        request: DeleteFileRequest,
    ) -> Result<DeleteFileSuccess, OperationError<DeleteFileError>> {
        caller.delete_file(FileId::parse(&request.file_id)).await?;
        Ok(DONE.into())
    }
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;

    use super::*;

    #[test]
    fn media_types_are_stored_without_parameters() {
        for (sent, kept) in [
            ("text/plain; charset=utf-8", Some("text/plain")),
            ("Image/PNG", Some("image/png")),
            ("application/vnd.x+json", Some("application/vnd.x+json")),
            // RFC 9110 §5.6.6 allows white space before `;` and an empty parameter
            ("text/plain ; charset=utf-8", Some("text/plain")),
            ("text/plain;", Some("text/plain")),
            ("text", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(sent));
            assert_eq!(sent_type(&headers).as_deref(), kept, "{sent}");
        }
        assert_eq!(sent_type(&HeaderMap::new()), None);
    }
}
