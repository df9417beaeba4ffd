-- Tokens that decide gates, and how devices and OAuth clients get theirs. People allow clients to act for them: what a client has is a
-- personal token without a secret of its own; its access and refresh tokens are stored apart.

alter table personal_tokens
  alter column hash drop not null,
  -- The URL of the OAuth client that has the token. Null: a person or a device has it.
  add column client_id text check (length(client_id) <= 2000),
  -- The token is only for the tools of agents, not for the rest of the API.
  add column tools_only boolean not null default false,
  -- Tokens from before cannot decide: scripts that approve need a token that was made to.
  drop constraint personal_tokens_scope_check,
  add constraint personal_tokens_scope_check check (scope in ('read', 'write', 'decide')),
  add constraint personal_tokens_secret check ((hash is null) = (client_id is not null)),
  -- Only people decide gates, and their scripts, never an agent.
  add constraint personal_tokens_client_scope check (client_id is null or scope <> 'decide');

-- One row is a device that asked to be signed in (RFC 8628), until it has its token; only the SHA-256 of its code is stored.
create table device_authorizations (
  device_hash      bytea primary key check (octet_length(device_hash) = 32),
  -- What the person types, without the dash.
  user_code        text not null check (length(user_code) = 8),
  -- What the client calls itself.
  client_id        text not null check (length(client_id) between 1 and 120),
  device           text not null check (length(device) between 1 and 60),
  ip_address       text not null,
  scope            text not null check (scope in ('read', 'write')),
  state            text not null default 'pending' check (state in ('pending', 'allowed', 'denied')),
  -- Who allowed it.
  user_id          uuid references users on delete cascade,
  -- How long the device must wait between two questions, and when it asked last.
  interval_seconds integer not null default 5,
  polled_at        timestamptz(3),
  created_at       timestamptz(3) not null default now(),
  expires_at       timestamptz(3) not null,
  constraint device_authorizations_user_code unique (user_code),
  constraint device_authorizations_allowed check ((state = 'allowed') = (user_id is not null))
);

-- A new password ends what a user has allowed.
create index device_authorizations_user on device_authorizations (user_id);

-- The nightly job that deletes expired rows.
create index device_authorizations_expires_at on device_authorizations (expires_at);

-- One row is an authorization code: what a person has allowed, until the client fetches its tokens. The row then stays as long as the token,
-- so that a second use of the code ends it. Only the SHA-256 of the code is stored.
create table authorization_codes (
  hash            bytea primary key check (octet_length(hash) = 32),
  user_id         uuid not null references users on delete cascade,
  -- The code ends with the session in which it was allowed.
  session_id      uuid not null references sessions on delete cascade,
  -- What the person has chosen; null: all of their organizations.
  organization_id uuid,
  client_id       text not null check (length(client_id) <= 2000),
  name            text not null check (length(name) between 1 and 120),
  redirect_uri    text not null check (length(redirect_uri) <= 2000),
  -- The SHA-256 of what the client must know (RFC 7636), in base64url.
  code_challenge  text not null check (length(code_challenge) = 43),
  scope           text not null check (scope in ('read', 'write')),
  tools_only      boolean not null,
  -- What the code gave; null until it is used.
  token_id        uuid references personal_tokens on delete cascade,
  expires_at      timestamptz(3) not null
);

-- What ends all access of an account ends its codes.
create index authorization_codes_user on authorization_codes (user_id);

-- The rows that are deleted with a session or a token.
create index authorization_codes_session on authorization_codes (session_id);
create index authorization_codes_token on authorization_codes (token_id) where token_id is not null;

-- The nightly job that deletes codes that were never used.
create index authorization_codes_expires_at on authorization_codes (expires_at) where token_id is null;

-- One row is an access or a refresh token of a client; only its SHA-256 is stored. A refresh token stays after its use, so that a second use
-- is noticed.
create table client_tokens (
  hash       bytea primary key check (octet_length(hash) = 32),
  token_id   uuid not null references personal_tokens on delete cascade,
  kind       text not null check (kind in ('access', 'refresh')),
  -- That of the personal token or, if the client asked for less, a narrower one.
  scope      text not null check (scope in ('read', 'write')),
  used_at    timestamptz(3),
  expires_at timestamptz(3) not null
);

-- The rows that are deleted with a token.
create index client_tokens_token on client_tokens (token_id);

-- The nightly job that deletes expired rows.
create index client_tokens_expires_at on client_tokens (expires_at);
