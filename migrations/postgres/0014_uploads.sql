-- Contents that are being taken in: what a process leaves that does not live to end it is found here.
CREATE TABLE uploads (
  file_id  BIGINT PRIMARY KEY,
  begun_at BIGINT NOT NULL,
  parts    TEXT,                             -- the bucket's id of an upload in parts
  swept    BIGINT NOT NULL                  -- 1: being removed, cannot become a file any more
);
CREATE INDEX uploads_by_age ON uploads (begun_at);
