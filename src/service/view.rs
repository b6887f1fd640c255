//! A macro for views. A view is a plain struct that the service layer returns instead of a row of the store. The macro
//! is for views whose fields have the same names as the fields of their row.

/// Declares a view with some fields of a row, and the conversion from the row.
macro_rules! view {
    ($(#[$about:meta])* $name:ident of $row:path { $($(#[$member_about:meta])* $member:ident: $type:ty,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[$member_about])* pub $member: $type,)+
        }

        impl From<$row> for $name {
            fn from(row: $row) -> Self {
                Self { $($member: row.$member),+ }
            }
        }
    };
}

pub(crate) use view;
