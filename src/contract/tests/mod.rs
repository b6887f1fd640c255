//! Tests of the runtime of the generated code as a whole. The pipeline and the error format are tested with the small
//! API of `tiny`. The published documents are tested too.

mod convert;
mod documents;
mod envelope;
mod pipeline;
mod published;
mod quality;
mod schema;
mod tiny;
