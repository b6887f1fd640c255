//! Attacks by clients without credentials: slow, silent and malformed connections, many connections, large bodies and
//! responses (A-329, B-003, B-023). Also response headers and the limit of open files.

mod bodies;
mod crowd;
mod dialects;
mod headers;
mod memory;
mod open_files;
