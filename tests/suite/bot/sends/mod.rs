//! Sending a message, `POST /v1/messages`.

mod answer;
mod blocks;
mod destinations;
mod idempotency;
mod keys;
mod later;
mod limits;
mod races;
mod requests;
mod threads;
