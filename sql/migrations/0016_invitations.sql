-- A user who deletes their account keeps the row: the ids and names in what they did stay as they were. Nobody signs in
-- as them, and nobody finds them; their address is free.
alter table users add column deleted_at timestamptz(3);

-- One row is an invitation of an address that is no user's yet. It holds no seat. Only the SHA-256 of the token in the
-- mailed link is kept, and none until the mail is made.
create table invitations (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  email           text not null check (length(email) between 3 and 254),
  role            text not null check (role in ('admin', 'member')),
  status          text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'revoked', 'expired')),
  invited_by      uuid not null references users,
  token_hash      bytea,
  expires_at      timestamptz(3) not null,
  created_at      timestamptz(3) not null default now(),
  constraint invitations_token check (token_hash is null or status = 'pending')
);

-- One pending for each address; what has expired is marked so before another takes its place.
create unique index invitations_pending on invitations (organization_id, lower(email)) where status = 'pending';

-- Whoever opens a mailed link.
create unique index invitations_token_hash on invitations (token_hash) where token_hash is not null;

-- Whoever was invited, and whether an address may register at all.
create index invitations_email on invitations (lower(email), id desc) where status = 'pending';

-- What waits in an organization, newest first.
create index invitations_organization on invitations (organization_id, created_at desc, id desc);

-- One row is a mail that an organization asked for with an invitation, so that it cannot ask for too many in a day.
create table invitation_mails (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  asked_at        timestamptz(3) not null default now()
);

create index invitation_mails_organization on invitation_mails (organization_id, asked_at);
