-- An event that cannot be fanned out, for what it holds or for what it meets, waits by itself and holds up no other. It
-- is tried again later, and again, until it can be told or somebody lets it go. The version before this one knows
-- nothing of that and goes on trying it with all others, as it did.
alter table outbox
  -- How often it could not be fanned out.
  add column attempts  integer not null default 0,
  -- Since when, until when it is left alone, and the kind of its last error; its words are in the log of the worker.
  add column failed_at timestamptz(3),
  add column retry_at  timestamptz(3),
  add column error     text;
