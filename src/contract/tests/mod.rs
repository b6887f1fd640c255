//! Tests of the runtime of the generated code as a whole, and of the published documents. The tests in `pipeline` and
//! `envelope` use the small API of `tiny`.

mod convert;
mod documents;
mod envelope;
mod pipeline;
mod published;
mod quality;
mod schema;
mod tiny;
