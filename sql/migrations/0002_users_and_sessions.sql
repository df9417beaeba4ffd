-- One row is a person who can sign in. `email` counts only once its mailbox is proven; `pending_email` replaces it then.
-- A user who deletes their account keeps the row, so that ids and names in what they did stay valid. The account cannot sign
-- in and is not found any more, and its address is free.
create table users (
  id             uuid primary key default uuidv7(),
  email          email_address not null,
  email_verified boolean not null default false,
  pending_email  email_address,
  name           text not null check (length(name) between 1 and 120),
  password_hash  text not null,
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now(),
  deleted_at     timestamptz(3)
);

-- Signing in, and "this address is taken".
create unique index users_email_key on users (email);

create trigger users_touch before update on users
  for each row execute function touch();

-- What statements of tenants join of the users.
create view people as select id, email, email_verified, name, deleted_at from users;

-- One row is the picture that a user uploaded. Users without one are shown by a pattern made from the id.
create table user_avatars (
  user_id      uuid primary key references users on delete cascade,
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes        bytea not null check (length(bytes) <= 1048576),
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now()
);

-- Pictures are compressed already.
alter table user_avatars alter column bytes set storage external;

create trigger user_avatars_touch before update on user_avatars
  for each row execute function touch();

-- One row is a sign-in on one device, until it is ended.
create table sessions (
  id           uuid primary key default uuidv7(),
  user_id      uuid not null references users on delete cascade,
  device       text not null,
  ip_address   text not null,
  created_at   timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  ended_at     timestamptz(3)
);

-- "My sessions", newest first, and one of them. Not a partial index of live sessions: while the table is small, PostgreSQL
-- may scan one to find a row by its id, and keep that plan while the table grows.
create index sessions_user on sessions (user_id, id);

-- One row is a refresh token that was issued; only its SHA-256 is stored. A used one stays, because its second use means that
-- it was stolen.
create table refresh_tokens (
  hash       bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  expires_at timestamptz(3) not null,
  used_at    timestamptz(3)
);

create index refresh_tokens_session on refresh_tokens (session_id);

-- One row is a mailed link that proves an address; only the SHA-256 of its token is stored.
create table email_verifications (
  hash       bytea primary key,
  user_id    uuid not null references users on delete cascade,
  email      email_address not null,
  expires_at timestamptz(3) not null
);

create index email_verifications_user on email_verifications (user_id);

-- One row is a request for a new password. It is written whether or not an account has the address, so that the response
-- does not tell. The worker looks for the account, deletes the row or completes it, and mails the link. Only the SHA-256 of
-- the link's token is stored.
create table password_resets (
  id         uuid primary key default uuidv7(),
  email      email_address not null,
  user_id    uuid references users on delete cascade,
  hash       bytea,
  -- The origin of the request, for the security log of the user.
  device     text not null,
  ip_address text not null,
  expires_at timestamptz(3) not null default now() + interval '1 hour',
  constraint password_resets_hash_key unique (hash)
);

create index password_resets_user on password_resets (user_id);

-- The nightly job that deletes expired rows.
create index password_resets_expired on password_resets (expires_at);

-- One row is something that was done to an account, or tried. `email` is the address that the account had then: a notice is
-- sent there even if the address has changed since.
create table security_log_entries (
  id         uuid primary key default uuidv7(),
  user_id    uuid not null references users on delete cascade,
  email      text not null,
  action     text not null,
  detail     text not null,
  device     text,
  ip_address text,
  created_at timestamptz(3) not null default now()
);

-- A user's log, newest first.
create index security_log_entries_user on security_log_entries (user_id, id desc);

-- One row is the response to a request with an `Idempotency-Key`, written in the transaction of the change, so that a crash
-- cannot leave one without the other. `response` is encrypted, as some responses contain a secret.
create table idempotency_keys (
  caller_id   uuid not null references users on delete cascade,
  key         text not null check (length(key) between 1 and 255),
  fingerprint bytea not null,
  status      integer not null,
  location    text,
  response    bytea not null,
  created_at  timestamptz(3) not null default now(),
  primary key (caller_id, key)
);

-- The nightly job that deletes keys after a day.
create index idempotency_keys_created on idempotency_keys (created_at);
