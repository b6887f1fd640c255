//! Attacks on a listener without credentials: slow, silent and malformed connections, clients with many connections, large
//! bodies and responses, and missing security headers (A-329, B-003, B-023).

mod bodies;
mod crowd;
mod dialects;
mod headers;
mod memory;
mod open_files;
