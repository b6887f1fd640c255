//! The SQL of [`is_hidden_guest`](crate::domain::people::is_hidden_guest). No other statement compares these columns,
//! so that a statement and the service layer never decide differently. `tests/suite/store/visibility.rs` compares both
//! for every combination of the columns.

/// SQL condition: the row of `users` is a guest hidden from members (B-126). `$user` is the alias of the row with a
/// dot, or empty.
macro_rules! hidden_guest {
    ($user:literal) => {
        concat!($user, "is_external = 1 AND ", $user, "guest_visible = 0")
    };
}

/// SQL condition: the row of `users` is not a guest hidden from members. `$user` is the alias of the row with a dot, or
/// empty. The partial index `users_listed` has the same condition.
macro_rules! visible_to_members {
    ($user:literal) => {
        concat!("(", $user, "is_external = 0 OR ", $user, "guest_visible = 1)")
    };
}

pub(in crate::store) use {hidden_guest, visible_to_members};
