-- expand
-- oldest compatible: 0001
--
-- Deleting a message also erases its metadata and the button's value from events about clicks on its buttons.

-- Of an `interaction`: the message with the button.
ALTER TABLE events ADD COLUMN message_id INTEGER;
-- When the content of the deleted message was erased from the body.
ALTER TABLE events ADD COLUMN erased_at INTEGER;
