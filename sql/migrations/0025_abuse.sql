-- Limits that a flood of requests cannot push out, links that take back a change of address, and the addresses that accounts had.

-- One row is a subject that a limit applies to, and when it last used the limit up: wrong passwords for an account, mails to an
-- address. It is in the database, since the memory of a process is bounded: anyone who fills it would erase the counts of others.
create table recent_uses (
  -- The SHA-256 of the subject. Addresses that no account has stay unknown.
  subject   bytea primary key,
  moments   timestamptz(3)[] not null,
  -- When all moments have left the window of the limit.
  forget_at timestamptz(3) not null
);

-- Every use deletes rows that can be forgotten.
create index recent_uses_forget_at on recent_uses (forget_at);

-- Whom limits by address count as one client: an IPv4 address, or the /64 of an IPv6 address, of which each customer has one or
-- more. `networkOf` of api/plugins/client-address.ts does the same. With the user, so that an index of it serves no other search.
create function network_of(user_id uuid, address text) returns text
  language plpgsql immutable strict parallel safe
  as $$
    begin
      return user_id || ' ' || host(network(set_masklen(address::inet, case family(address::inet) when 6 then 64 else 32 end)));
    exception when invalid_text_representation then
      return user_id || ' ' || address;
    end
  $$;

-- Whether somebody signed in to an account from a network lately.
create index sessions_network on sessions (network_of(user_id, ip_address), created_at);

-- One row is a mailed link that takes back a change of the address of an account; only the SHA-256 of its token is stored. A
-- repeated mail adds another link.
create table address_reversals (
  hash       bytea primary key,
  user_id    uuid not null references users on delete cascade,
  -- The entry of the security log that the mail is about. Its id orders the changes of an account.
  entry_id   uuid not null,
  -- The address to return to.
  email      email_address not null,
  expires_at timestamptz(3) not null
);

create index address_reversals_user on address_reversals (user_id, entry_id);

create index address_reversals_expires_at on address_reversals (expires_at);

-- One row is an address that an account had before it was changed or deleted, as its SHA-256: who registers it again is not
-- another person, for example to a gate that requires two approvals.
create table former_addresses (
  user_id uuid not null references users on delete cascade,
  digest  bytea not null,
  primary key (user_id, digest)
);

create function keep_former_address() returns trigger
  language plpgsql
  as $$
    begin
      insert into former_addresses (user_id, digest)
      values (old.id, sha256(convert_to(old.email, 'UTF8')))
      on conflict do nothing;
      return null;
    end
  $$;

create trigger users_former_address after update of email on users
  for each row when (old.email is distinct from new.email) execute function keep_former_address();
