-- Contents that are being taken in: what a process leaves that does not live to end it is found here.
CREATE TABLE uploads (
  file_id  INTEGER PRIMARY KEY,
  begun_at INTEGER NOT NULL,
  parts    TEXT,                             -- the bucket's id of an upload in parts
  swept    INTEGER NOT NULL                  -- 1: being removed, cannot become a file any more
) STRICT;
CREATE INDEX uploads_by_age ON uploads (begun_at);
