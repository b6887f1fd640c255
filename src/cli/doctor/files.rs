//! The files' storage: a probe is written, read and deleted.

use std::{convert::Infallible, io};

use bytes::Bytes;
use futures_util::{TryStreamExt as _, future::BoxFuture, stream};

use super::{Finding, Patient, storage::another_owner};
use crate::platform::{
    blobs::{BlobError, Blobs, Place, ReceiveError},
    rng::Rng,
};

const CHECK: &str = "files";

/// Looks at the configured storage.
pub async fn check(patient: &Patient) -> Vec<Finding> {
    let place = patient.config.files.place();
    let (setting, name) = match &place {
        Place::Disk(folder) => ("SWITCHBOARD_FILES_DIR", folder.display().to_string()),
        Place::S3(bucket) => ("SWITCHBOARD_FILES_S3_BUCKET", format!("the bucket {}", bucket.name)),
    };
    if let Place::Disk(folder) = &place {
        let Ok(about) = folder.metadata() else {
            let found = format!("there is no folder {name} yet");
            let remedy = "`serve` makes it, if its user may write to the folder above; or mend the path";
            return vec![Finding::warning(CHECK, found).of(setting).cure(remedy)];
        };
        if let Some(owner) = another_owner(&about) {
            let found = format!("{name} is of the user {owner}, who this is not: it is left alone");
            return vec![Finding::warning(CHECK, found).of(setting).cure("run this as the server's user")];
        }
    }
    let remedy = match &place {
        Place::Disk(_) => "see that the server's user may write there, and that the disk has room",
        Place::S3(_) => {
            "see that the keys may put, get and delete, and that region and endpoint are the bucket's"
        }
    };
    vec![match probe(place, patient).await {
        Ok(()) => Finding::ok(CHECK, format!("written to, read from and deleted in {name}")),
        Err(error) => Finding::failure(CHECK, format!("{name}: {error}")).of(setting).cure(remedy),
    }]
}

async fn probe(place: Place, patient: &Patient) -> Result<(), BlobError> {
    let rng = Rng::os();
    let (key, content) = (format!("doctor-{}", rng.base62(20)), Bytes::from(rng.base62(1_000)));
    let blobs = Blobs::open(place, patient.clock.clone())?;
    let source = stream::iter([Ok::<_, Infallible>(content.clone())]);
    let received = blobs.receive(&key, source, &small).await.map_err(|error| match error {
        ReceiveError::Storage(error) => error,
        ReceiveError::Source(never) => match never {},
    })?;
    received.keep().await?;
    let read = read(&blobs, &key).await;
    // whatever was read, nothing is left behind
    blobs.delete(&key).await?;
    if read? == content {
        Ok(())
    } else {
        Err(BlobError::Storage("what was read is not what was written".to_owned()))
    }
}

/// The probe is too small to come in parts, of which somebody would have to be told.
fn small(_: String) -> BoxFuture<'static, Result<(), BlobError>> {
    Box::pin(async { Ok(()) })
}

async fn read(blobs: &Blobs, key: &str) -> Result<Bytes, BlobError> {
    let failed = |error: io::Error| BlobError::Storage(error.to_string());
    let parts: Vec<Bytes> = blobs.get(key, None).await?.stream.try_collect().await.map_err(failed)?;
    Ok(parts.concat().into())
}
