//! Checks the file storage: writes, reads and deletes a small file.

use std::{convert::Infallible, io};

use bytes::Bytes;
use futures_util::{TryStreamExt as _, future::BoxFuture, stream};

use super::{DoctorContext, Finding, ownership};
use crate::platform::{
    blobs::{BlobError, BlobLocation, Blobs, ReceiveError},
    rng::Rng,
};

const CHECK: &str = "files";

/// Checks the configured storage.
pub async fn check(context: &DoctorContext) -> Vec<Finding> {
    let storage = context.config.files.location();
    let (setting, name) = match &storage {
        BlobLocation::Disk(folder) => ("SWITCHBOARD_FILES_DIR", folder.display().to_string()),
        BlobLocation::S3(bucket) => ("SWITCHBOARD_FILES_S3_BUCKET", format!("the bucket {}", bucket.name)),
    };
    if let BlobLocation::Disk(folder) = &storage {
        let missing = Finding::warning(CHECK, format!("there is no folder {name} yet"))
            .remedy("`serve` creates it, if its user can write to the parent folder; or correct the path");
        if let Some(finding) = ownership::refusal(CHECK, folder, missing) {
            return vec![finding.of(setting)];
        }
    }
    let remedy = match &storage {
        BlobLocation::Disk(_) => "check that the server's user can write there, and that the disk has space",
        BlobLocation::S3(_) => {
            "check that the keys allow put, get and delete, and that region and endpoint are the bucket's"
        }
    };
    vec![match probe(storage, context).await {
        Ok(()) => Finding::ok(CHECK, format!("wrote, read and deleted a test file in {name}")),
        Err(error) => Finding::failure(CHECK, format!("{name}: {error}")).of(setting).remedy(remedy),
    }]
}

async fn probe(storage: BlobLocation, context: &DoctorContext) -> Result<(), BlobError> {
    let rng = Rng::os();
    let (key, content) = (format!("doctor-{}", rng.base62(20)), Bytes::from(rng.base62(1_000)));
    let blobs = Blobs::open(storage, context.clock.clone())?;
    let source = stream::iter([Ok::<_, Infallible>(content.clone())]);
    let received = blobs.receive(&key, source, &ignore_upload_id).await.map_err(|error| match error {
        ReceiveError::Storage(error) => error,
        ReceiveError::Source(never) => match never {},
    })?;
    received.keep().await?;
    let read = read(&blobs, &key).await;
    // deletes the test file even if it could not be read
    blobs.delete(&key).await?;
    if read? == content {
        Ok(())
    } else {
        Err(BlobError::Storage("the content read differs from the content written".to_owned()))
    }
}

/// Ignores the id of a multipart upload. Never called, because the test file is too small for a multipart upload.
fn ignore_upload_id(_: String) -> BoxFuture<'static, Result<(), BlobError>> {
    Box::pin(async { Ok(()) })
}

async fn read(blobs: &Blobs, key: &str) -> Result<Bytes, BlobError> {
    let failed = |error: io::Error| BlobError::Storage(error.to_string());
    let parts: Vec<Bytes> = blobs.get(key, None).await?.stream.try_collect().await.map_err(failed)?;
    Ok(parts.concat().into())
}
