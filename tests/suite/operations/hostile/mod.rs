//! Attacks by clients without credentials: connections that are slow, silent or malformed, many connections, large
//! bodies and large responses (A-329, B-003, B-023). Also response headers and the limit of open files.

mod bodies;
mod crowd;
mod dialects;
mod headers;
mod memory;
mod open_files;
