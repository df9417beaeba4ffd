-- One row is a person who can sign in. An address counts only once its mailbox is proven.
create table users (
  id             uuid primary key default uuidv7(),
  email          text not null check (length(email) between 3 and 254),
  email_verified boolean not null default false,
  pending_email  text,
  name           text not null check (length(name) between 1 and 120),
  password_hash  text not null,
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now()
);

-- Signing in, and "this address is taken": addresses compare without case.
create unique index users_email_key on users (lower(email));

create trigger users_touch before update on users
  for each row execute function touch();

-- One row is a sign-in, on one device, until it is ended.
create table sessions (
  id           uuid primary key default uuidv7(),
  user_id      uuid not null references users on delete cascade,
  device       text not null,
  ip_address   text not null,
  created_at   timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  ended_at     timestamptz(3)
);

-- A user's live sessions.
create index sessions_user on sessions (user_id) where ended_at is null;

-- One row is a refresh token that was handed out; only its SHA-256 is kept. A used one stays, because
-- its second use means that it was stolen.
create table refresh_tokens (
  hash       bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  expires_at timestamptz(3) not null,
  used_at    timestamptz(3)
);

create index refresh_tokens_session on refresh_tokens (session_id);

-- One row is a mailed link that proves an address; only the SHA-256 of its token is kept.
create table email_verifications (
  hash       bytea primary key,
  user_id    uuid not null references users on delete cascade,
  email      text not null,
  expires_at timestamptz(3) not null
);

create index email_verifications_user on email_verifications (user_id);
