//! Positions in a conversation. A position says up to which message and change an open browser window has received the
//! conversation.

use std::fmt;

use super::{ids::MessageId, time::Timestamp};

/// A position in a conversation: the newest message and the newest change (edit or deletion) that a reader has
/// received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The id of the newest message; 0 before the first message.
    pub message: MessageId,
    /// The number of the newest change; 0 before the first change.
    pub change: i64,
}
impl Followed {
    /// The position before all messages and changes.
    pub const START: Self = Self { message: MessageId(0), change: 0 };

    /// Returns the position with the larger message id and the larger change number of the two positions.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { message: self.message.max(other.message), change: self.change.max(other.change) }
    }
}

/// The position up to which a browser window has received its conversation, and the server time at which the position
/// was sent to the window. The id of a server-sent event is the text of a `LivePosition`. The text is
/// `message-change-at`: three decimal numbers, with `at` in microseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LivePosition {
    pub followed: Followed,
    pub at: Timestamp,
}

impl fmt::Display for LivePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Followed { message, change } = self.followed;
        write!(f, "{}-{change}-{}", message.0, self.at.0)
    }
}

impl LivePosition {
    /// Parses the text that `Display` writes. Returns `None` if the text is not three non-negative decimal numbers.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_decimal = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        let mut numbers = text
            .split('-')
            .map(|part| Some(part).filter(is_decimal).and_then(|part| part.parse::<i64>().ok()));
        let (message, change, at) = (numbers.next()??, numbers.next()??, numbers.next()??);
        let followed = Followed { message: MessageId(message), change };
        numbers.next().is_none().then_some(Self { followed, at: Timestamp(at) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_round_trips_and_texts_that_are_no_position_are_rejected() {
        let followed = Followed { message: MessageId(12), change: 34 };
        let position = LivePosition { followed, at: Timestamp(56) };
        assert_eq!(LivePosition::parse(&position.to_string()), Some(position));
        for text in
            ["", "1-2", "1-2-3-4", "1--3", "a-2-3", "1-2-+", "-1-2-3", "9223372036854775808-1-1", "+1-2-3"]
        {
            assert_eq!(LivePosition::parse(text), None, "{text}");
        }
    }
}
