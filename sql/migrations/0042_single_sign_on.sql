-- Single sign-on: OpenID providers that say who someone is, in place of a password.

-- Null: the account has no password. Its person signs in with a provider.
alter table users alter column password_hash drop not null;

alter table sessions
  -- The connection whose sign-on opened the session; the nil UUID is that of the whole instance. Null: a password or a passkey did.
  add column opened_by uuid,
  -- Of such a session: when it ends, unless its person signs on again.
  add column expires_at timestamptz(3),
  -- When its person last signed on with that connection, and when it had made them prove who they are; null if it did not say.
  add column signed_on_at timestamptz(3),
  add column authenticated_at timestamptz(3);

-- One row is a person at a provider, who is a user here. A person is a connection, its issuer and the subject, never an address.
create table sso_identities (
  id            uuid primary key default uuidv7(),
  -- The nil UUID is the connection of the whole instance, whose issuer the operator can change.
  connection_id uuid not null,
  issuer        text not null check (length(issuer) between 1 and 2048),
  subject       text not null check (length(subject) between 1 and 255),
  user_id       uuid not null references users on delete cascade,
  -- The address that the provider had for them when they were linked, for people to read.
  email         text check (length(email) <= 254),
  -- Until when their last sign-on proves something to what has no session: tokens, and mailed links.
  proven_until  timestamptz(3),
  created_at    timestamptz(3) not null default now(),
  constraint sso_identities_subject unique (connection_id, issuer, subject)
);

-- A user's identities; each has one at a connection.
create unique index sso_identities_user on sso_identities (user_id, connection_id, issuer);

-- One row is a proof that the person of a session has signed on with a connection.
create table sso_proofs (
  session_id    uuid not null references sessions on delete cascade,
  connection_id uuid not null,
  expires_at    timestamptz(3) not null,
  primary key (session_id, connection_id)
);

-- The nightly job that deletes expired rows.
create index sso_proofs_expires_at on sso_proofs (expires_at);

-- One row is a sign-on that was answered by its provider; only the SHA-256 of its state is stored. It is answered once.
create table sso_used_states (
  hash       bytea primary key check (octet_length(hash) = 32),
  expires_at timestamptz(3) not null
);

-- The nightly job that deletes expired rows.
create index sso_used_states_expires_at on sso_used_states (expires_at);

-- The sign-on that a second factor completes; null: a password.
alter table sign_in_tickets add column sign_on jsonb check (jsonb_typeof(sign_on) = 'object');
