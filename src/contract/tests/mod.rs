//! Tests of the runtime of the generated code as a whole, and of the published documents. The tests of the pipeline and
//! of the error format use the small API of `tiny`.

mod convert;
mod documents;
mod envelope;
mod pipeline;
mod published;
mod quality;
mod schema;
mod tiny;
