//! Events: which changes cause which events, how they are delivered, and the commands `switchboard listen` and
//! `switchboard events`.

mod admin;
mod apart;
mod cut_off;
mod delivery;
mod disconnected;
mod ends;
mod erasure;
mod flow;
mod listen;
mod listen_server;
mod log;
mod outbox;
mod processes;
mod slots;
mod tls;
mod types;
mod verify;
