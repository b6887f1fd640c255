//! Tests of the runtime as a whole: the ladder and the envelope over a tiny document, and the published documents.

mod documents;
mod envelope;
mod ladder;
mod published;
mod schema;
mod tiny;
