//! The MCP endpoints over the wire, in each version of the protocol (A-256 … A-311).

mod access;
mod audit;
mod bodies;
mod browsers;
mod ends;
mod handshake;
mod limits;
mod modern;
mod nodes;
mod order;
mod revoked;
mod sessions;
mod streams;
mod tools;
