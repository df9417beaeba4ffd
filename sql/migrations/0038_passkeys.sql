-- Passkeys (WebAuthn), with which people sign in and confirm.

-- One row is a passkey of a user: the public key of a credential that an authenticator holds.
create table passkeys (
  id            uuid primary key default uuidv7(),
  user_id       uuid not null references users on delete cascade,
  name          text not null check (length(name) between 1 and 120),
  credential_id bytea not null check (length(credential_id) between 1 and 1023),
  -- As a COSE key.
  public_key    bytea not null,
  -- Of the authenticator. One that falls back is refused: the credential may have been copied. Many authenticators keep it at 0.
  sign_count    bigint not null check (sign_count >= 0),
  -- How browsers reach the authenticator.
  transports    text[] not null default '{}',
  backed_up     boolean not null,
  created_at    timestamptz(3) not null default now(),
  last_used_at  timestamptz(3),
  -- "Whose is it?", and a credential belongs to one user.
  constraint passkeys_credential unique (credential_id)
);

-- A user's passkeys, newest first.
create index passkeys_user on passkeys (user_id, id desc);

create trigger passkeys_count after insert or delete on passkeys
  for each row execute function count_second_factor();

-- One row is a challenge that was not answered yet. Any answer deletes it, also one that is refused.
create table passkey_challenges (
  challenge  bytea primary key,
  purpose    text not null check (purpose in ('registration', 'sign_in', 'second_factor', 'recent_sign_in', 'gate')),
  -- Who asked for it, a user or a network: each can have a number of open ones for a purpose.
  holder     text not null,
  -- The SHA-256 of what the answer is about.
  subject    bytea not null,
  expires_at timestamptz(3) not null default now() + interval '5 minutes'
);

-- The open challenges of a holder, newest last.
create index passkey_challenges_holder on passkey_challenges (holder, purpose, expires_at);

-- Every new challenge deletes some that have expired.
create index passkey_challenges_expires_at on passkey_challenges (expires_at);
