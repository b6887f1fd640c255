//! The rule [`is_hidden_guest`](crate::domain::people::is_hidden_guest) as SQL. Statements use these macros and do not
//! compare `is_external` and `guest_visible` themselves, so that a statement never decides differently than the service
//! layer. `tests/suite/store/visibility.rs` compares the statements with the rule for every combination of the columns.

/// SQL condition: the row of `users` is a guest hidden from members (D-145). `$user` is empty, or the alias of `users`
/// with a dot, such as `u.`.
macro_rules! hidden_guest {
    ($user:literal) => {
        concat!($user, "is_external = 1 AND ", $user, "guest_visible = 0")
    };
}

/// SQL condition: the row of `users` is not a guest hidden from members. `$user` is the same as in `hidden_guest`. A
/// statement with this condition and `is_bot = 0` can use the partial index `users_listed`.
macro_rules! visible_to_members {
    ($user:literal) => {
        concat!("(", $user, "is_external = 0 OR ", $user, "guest_visible = 1)")
    };
}

pub(in crate::store) use {hidden_guest, visible_to_members};
