//! Fuzzes uploads: chunks of any size, too many bytes, and a client that disconnects. Checks that the stored content is
//! the content that was sent.
//!
//! The first byte of an input decides whether the connection is lost at the end. Each following pair of bytes, up to 16
//! pairs, is one chunk: its size and the byte that fills it.

#![no_main]

use std::{io, path::Path, sync::LazyLock, time::Duration};

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use libfuzzer_sys::fuzz_target;
use poem::Body;
use switchboard::{
    contract::{ApiError, BodyLimits, read_streamed},
    domain::refusal::Code,
    platform::{
        blobs::{BlobError, BlobLocation, Blobs, ReceiveError},
        clock::Clock,
    },
};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

/// Maximum size of an upload in bytes: four times the size of the parts in which the server writes uploads to disk, so
/// that inputs also reach uploads of several parts.
const MAX_BYTES: usize = 1 << 20;
const KEY: &str = "file";

struct Storage {
    runtime: Runtime,
    folder: TempDir,
    blobs: Blobs,
}

static STORAGE: LazyLock<Storage> = LazyLock::new(|| {
    // in memory if the system has the folder `/dev/shm`, because the server syncs every upload, which is slow on a disk
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    let folder = folder.expect("a folder");
    let location = BlobLocation::Disk(folder.path().to_owned());
    Storage {
        runtime: Builder::new_current_thread().enable_time().build().expect("a runtime"),
        blobs: Blobs::open(location, Clock::system()).expect("storage"),
        folder,
    }
});

fuzz_target!(|input: &[u8]| {
    let Some((end, pairs)) = input.split_first() else { return };
    let storage = &*STORAGE;
    let chunks: Vec<_> =
        pairs.as_chunks::<2>().0.iter().take(16).map(|[size, fill]| chunk(*size, *fill)).collect();
    storage.runtime.block_on(upload(storage, &chunks, end % 4 == 1));
    storage.runtime.block_on(storage.blobs.delete(KEY)).expect("a file is deleted");
    // a background task deletes an incomplete upload
    let is_cleared = storage.runtime.block_on(async {
        for _ in 0..2_000 {
            if std::fs::read_dir(storage.folder.path()).expect("the folder").next().is_none() {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        false
    });
    assert!(is_cleared, "the content of every upload is deleted");
});

/// Returns a chunk of `size` bytes if `fill` is even, and of `size` KiB and one byte if `fill` is odd.
fn chunk(size: u8, fill: u8) -> Bytes {
    let length = if fill.is_multiple_of(2) { usize::from(size) } else { (usize::from(size) << 10) + 1 };
    vec![fill; length].into()
}

async fn upload(storage: &Storage, chunks: &[Bytes], is_cut_off: bool) {
    let whole = chunks.concat();
    let end = is_cut_off.then(|| Err(io::Error::from(io::ErrorKind::ConnectionReset)));
    let sent = chunks.iter().cloned().map(Ok).chain(end).collect::<Vec<_>>();
    let body = Body::from_bytes_stream(stream::iter(sent));
    let limits = BodyLimits { bytes: MAX_BYTES, time: Duration::from_secs(60) };
    let begun = |_| -> futures_util::future::BoxFuture<'static, Result<(), BlobError>> {
        unreachable!("only uploads to a bucket have a multipart upload id")
    };
    let received = read_streamed(body, limits, Duration::from_secs(30), |content| async move {
        storage.blobs.receive(KEY, content, &begun).await.map_err(|error| match error {
            ReceiveError::Source(error) => error,
            ReceiveError::Storage(error) => panic!("the storage works: {error}"),
        })
    });
    match received.await {
        Err(error) => refused(&error, whole.len(), is_cut_off),
        Ok(received) => {
            assert!(!is_cut_off && whole.len() <= MAX_BYTES);
            assert_eq!(received.size(), whole.len() as u64);
            received.keep().await.expect("the storage works");
            read_back(&storage.blobs, &whole).await;
        }
    }
}

fn refused(error: &ApiError, size: usize, is_cut_off: bool) {
    match error.code {
        Code::PayloadTooLarge => {
            assert!(size > MAX_BYTES, "only an upload above the limit is rejected as too large: {size} bytes")
        }
        _ => assert!(
            is_cut_off,
            "an upload is rejected for another reason than its size only if the connection was lost: {error:?}"
        ),
    }
}

async fn read_back(blobs: &Blobs, whole: &[u8]) {
    let content = blobs.get(KEY, None).await.expect("the content was stored");
    assert_eq!(content.size, whole.len() as u64);
    let stored: Vec<Bytes> = content.stream.try_collect().await.expect("the content is read");
    assert_eq!(stored.concat(), whole);
    let (first, last) = (whole.len() / 3, whole.len() / 2);
    if first < last {
        let part = blobs.get(KEY, Some(first as u64..last as u64)).await.expect("a range of the content");
        let part: Vec<Bytes> = part.stream.boxed().try_collect().await.expect("the range is read");
        assert_eq!(part.concat(), &whole[first..last]);
    }
}
