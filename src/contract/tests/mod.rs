//! Tests of the runtime as a whole: the pipeline and the error format with a small document, and
//! the published documents.

mod convert;
mod documents;
mod envelope;
mod pipeline;
mod published;
mod quality;
mod schema;
mod tiny;
