-- What was deployed, by digest, as receivers report it.

alter table rollouts
  -- As the digest of a gate's subject: { gitCommit } or { sha256 }. Null if it was not reported.
  add column digest          jsonb check (jsonb_typeof(digest) = 'object'),
  -- What was approved for the dispatch when the digest was reported; null if nothing was.
  add column approved_digest jsonb check (jsonb_typeof(approved_digest) = 'object');
