//! Connections of assistants: what each of them ends on (the state table), who sees and ends them, races, faults,
//! limits.

mod consent;
mod ended;
mod ends;
mod faults;
mod forgotten;
mod limits;
mod lists;
mod logs;
mod races;
mod tokens_kept;
