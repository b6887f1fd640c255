-- expand
-- oldest compatible: 0001
--
-- People confirm drafts.

-- The assistant that wrote a draft, when it asked the person to confirm it, and when the person discarded it. A discarded
-- draft has `sent_at` too, and no text, so that the indexes and the retention of sent drafts apply, and no version sends it.
ALTER TABLE drafts ADD COLUMN via_label TEXT;
ALTER TABLE drafts ADD COLUMN asked_at INTEGER;
ALTER TABLE drafts ADD COLUMN discarded_at INTEGER;
