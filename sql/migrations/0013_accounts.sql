-- One row is a personal access token, alive until it is deleted; only its SHA-256 is kept. One that names an
-- organization works there alone, and is gone with the membership: the key makes sure of both.
create table personal_tokens (
  id              uuid primary key default uuidv7(),
  user_id         uuid not null references users on delete cascade,
  organization_id uuid,
  name            text not null check (length(name) between 1 and 120),
  scope           text not null check (scope in ('read', 'write')),
  hash            bytea not null,
  expires_at      timestamptz(3),
  last_used_at    timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  constraint personal_tokens_hash_key unique (hash),
  constraint personal_tokens_member foreign key (organization_id, user_id)
    references organization_members (organization_id, user_id) on delete cascade
);

-- "My tokens", newest first, and how many there are.
create index personal_tokens_user on personal_tokens (user_id, id desc);

-- The tokens that an organization's admins see; and those that go with a membership.
create index personal_tokens_organization on personal_tokens (organization_id, user_id) where organization_id is not null;

-- One row is somebody's wish for a new password. It is written whether or not anybody has the address; the worker
-- finds out, deletes it or fills it in, and mails the link. Only the SHA-256 of the link's token is kept.
create table password_resets (
  id         uuid primary key default uuidv7(),
  email      text not null,
  user_id    uuid references users on delete cascade,
  hash       bytea,
  -- Where the wish came from, for the log of the user.
  device     text not null,
  ip_address text not null,
  expires_at timestamptz(3) not null default now() + interval '1 hour',
  constraint password_resets_hash_key unique (hash)
);

create index password_resets_user on password_resets (user_id);

-- The nightly job that forgets them.
create index password_resets_expired on password_resets (expires_at);

-- One row is something that was done to an account, or tried. `email` is the address that the account had then: a
-- notice goes there, also when the address has changed since.
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
