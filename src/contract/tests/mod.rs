//! Tests of the runtime of the generated code as a whole: of the pipeline and the error format with the small API of
//! `tiny`, and of the published documents.

mod convert;
mod documents;
mod envelope;
mod pipeline;
mod published;
mod quality;
mod schema;
mod tiny;
