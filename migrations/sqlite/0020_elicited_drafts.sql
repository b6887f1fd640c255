-- expand
-- oldest compatible: 0001
--
-- Clients that open addresses are asked even if another client was the first to get the address in its result.

-- When a client was asked to open the page on which the owner confirms the draft as it is.
ALTER TABLE drafts ADD COLUMN elicited_at INTEGER;
