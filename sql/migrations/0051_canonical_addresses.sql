-- An address has one canonical form (core/email-addresses.ts): its domain is ASCII, and it holds no ASCII capitals. Indexes
-- over lower(email) compared more than that as equal: lower('İ') is i in many locales, so that one mailbox passed for another.
create function is_canonical_address(address text) returns boolean
  language sql immutable strict parallel safe
  as $$
    select
      -- In "C" a range is of code points, and classes hold ASCII alone.
      address collate "C" ~ '^[^@.A-Z[:space:][:cntrl:]]+(\.[^@.A-Z[:space:][:cntrl:]]+)*@[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$'
      and octet_length(split_part(address, '@', 1)) <= 64
      and octet_length(address) <= 254
      and address is nfc normalized
  $$;

-- Two accounts are never made one here, and no domain can be converted in SQL: a person decides.
do $$
  declare
    refused text;
  begin
    select string_agg(place || ' ' || id, ', ')
    into refused
    from (
      select 'user' as place, id, email from users
      union all
      select 'user (pending_email)', id, pending_email from users
      union all
      select 'invitation', id, email from invitations
    ) as address
    where not is_canonical_address(lower(email collate "C"));
    if refused is not null then
      raise exception 'These addresses have no canonical form: %. Change each domain to ASCII (bücher.example is xn--bcher-kva.example), or delete the row; then run the release again.', refused;
    end if;
  end
$$;

-- Links live for a day at most; the few that go here can be asked for again.
delete from email_verifications where not is_canonical_address(lower(email collate "C"));
delete from password_resets where not is_canonical_address(lower(email collate "C"));

drop index users_email_key, invitations_pending, invitations_email;

alter table users drop constraint users_email_check;
alter table invitations drop constraint invitations_email_check;

create domain email_address as text collate "C"
  constraint email_address_canonical check (is_canonical_address(value));

alter table users
  alter column email type email_address using lower(email collate "C"),
  alter column pending_email type email_address using lower(pending_email collate "C");
alter table invitations alter column email type email_address using lower(email collate "C");
alter table email_verifications alter column email type email_address using lower(email collate "C");
alter table password_resets alter column email type email_address using lower(email collate "C");

-- Signing in, and "this address is taken".
create unique index users_email_key on users (email);

-- One pending for each address; what has expired is marked so before another takes its place.
create unique index invitations_pending on invitations (organization_id, email) where status = 'pending';

-- Whoever was invited, and whether an address may register at all.
create index invitations_email on invitations (email, id desc) where status = 'pending';
