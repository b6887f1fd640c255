//! Tests of attacks by clients without credentials: slow or silent connections, malformed requests (B-003, B-023), many
//! connections from one address, large bodies, and slow readers of large responses. Also tests of response
//! headers and of the limit of open files.

mod bodies;
mod crowd;
mod dialects;
mod headers;
mod memory;
mod open_files;
