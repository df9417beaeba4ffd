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
