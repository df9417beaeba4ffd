-- One row is the answer that a caller got under an `Idempotency-Key`, written in the transaction of the
-- change, so that a crash cannot leave one without the other. `answer` is sealed: some answers show a secret.
create table idempotency_keys (
  caller_id   uuid not null references users on delete cascade,
  key         text not null check (length(key) between 1 and 255),
  fingerprint bytea not null,
  status      integer not null,
  location    text,
  answer      bytea not null,
  created_at  timestamptz(3) not null default now(),
  primary key (caller_id, key)
);

-- The nightly job that forgets them after a day.
create index idempotency_keys_created on idempotency_keys (created_at);
