-- Single sign-on: OpenID providers that say who a person is, in place of a password.

-- Null: the account has no password. Its person signs in with a provider.
alter table users alter column password_hash drop not null;

-- Whether the address counts as verified because EMAIL_VERIFICATION was off: nobody has proved it. Of accounts from before, the security log
-- says so, as far as it reaches back.
alter table users add column is_address_assumed boolean not null default false;

update users
set is_address_assumed = true
where email_verified
  and exists (select from security_log_entries as entry where entry.user_id = users.id and entry.action = 'account.registered')
  and not exists (select from security_log_entries as entry where entry.user_id = users.id and entry.action = 'email.verified');

alter table sessions
  -- The connection whose sign-on opened the session; the nil UUID is that of the whole instance. Null: a password or a passkey did.
  add column opened_by uuid,
  -- Of such a session: when it ends, unless its person signs on again.
  add column expires_at timestamptz(3),
  -- When its person last signed on with that connection, and when it had made them prove who they are; null if it did not say.
  add column signed_on_at timestamptz(3),
  add column authenticated_at timestamptz(3),
  -- When its person last confirmed with the password or a passkey that it is they.
  add column confirmed_at timestamptz(3);

-- One row is the OpenID connection of an organization. A sign-on finds it by its id alone, before anything is known of the person.
create table sso_connections (
  id              uuid not null default uuidv7(),
  organization_id uuid not null,
  -- Whether sign-ons with the provider of the whole instance count. Then there is no provider of its own.
  use_instance    boolean not null default false,
  issuer          text check (length(issuer) between 1 and 2048),
  client_id       text check (length(client_id) between 1 and 2048),
  -- Encrypted.
  client_secret   bytea,
  scopes          text not null check (length(scopes) between 1 and 1000),
  claims          jsonb not null check (jsonb_typeof(claims) = 'object'),
  groups_claim    text not null check (length(groups_claim) between 1 and 200),
  mappings        jsonb not null check (jsonb_typeof(mappings) = 'array'),
  -- Whether new people become members.
  provision       boolean not null,
  trust_email     boolean not null,
  session_hours   integer not null check (session_hours between 1 and 168),
  required        text not null check (required in ('none', 'domains', 'everyone')),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint sso_connections_organization unique (organization_id),
  constraint sso_connections_provider check (num_nulls(issuer, client_id, client_secret) = case when use_instance then 3 else 0 end)
);

create trigger sso_connections_touch before update on sso_connections
  for each row execute function touch();

-- One row is the claim of an organization to a domain of addresses, which a TXT record of the domain proves.
create table sso_domains (
  id              uuid not null default uuidv7(),
  organization_id uuid not null references sso_connections (organization_id) on delete cascade,
  -- In canonical form, as in addresses.
  domain          text not null check (length(domain) between 1 and 253),
  status          text not null default 'pending' check (status in ('pending', 'verified', 'lapsed')),
  -- What the record must have.
  token           text not null,
  -- How many checks in a row did not find the record.
  missed          integer not null default 0 check (missed between 0 and 3),
  -- When the record was last asked for and answered, and when it is asked for again; null: not by itself.
  checked_at      timestamptz(3),
  check_at        timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint sso_domains_claim unique (organization_id, domain)
);

-- A domain is verified for one organization, to whose provider the address of a person leads.
create unique index sso_domains_verified on sso_domains (domain) where status = 'verified';

-- The sweep that checks records again.
create index sso_domains_check_at on sso_domains (check_at) where check_at is not null;

-- One row is a person at a provider who waits to be connected with the account of a session.
create table sso_newcomers (
  -- The nil UUID: the provider is that of the whole instance.
  organization_id  uuid not null,
  session_id       uuid not null references sessions on delete cascade,
  connection_id    uuid not null,
  -- What the provider said of them, as JSON: text, which holds each character of it.
  person           text not null,
  -- The path where they go on.
  next             text not null,
  expires_at       timestamptz(3) not null,
  primary key (session_id, organization_id)
);

-- The nightly job that deletes expired rows.
create index sso_newcomers_expires_at on sso_newcomers (expires_at);

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

-- The sign-on that a second factor completes, as JSON; null: a password.
alter table sign_in_tickets add column sign_on text;

-- One row is a proof that the session in which a token was made had: the token counts where that is required.
create table sso_token_proofs (
  token_id      uuid not null references personal_tokens on delete cascade,
  connection_id uuid not null,
  primary key (token_id, connection_id)
);

-- The sessions that a connection opened, which end with it.
create index sessions_opened_by on sessions (opened_by) where opened_by is not null;

-- The session in which a device was allowed.
alter table device_authorizations add column session_id uuid references sessions on delete set null;
create index device_authorizations_session on device_authorizations (session_id) where session_id is not null;

-- What the provider of an organization says changes who is in it.
alter table audit_log_entries
  drop constraint audit_log_entries_via_check,
  add constraint audit_log_entries_via_check check (via in ('mcp', 'sso')) not valid;

-- A copy of what the connection of the organization requires, in each membership, which every request reads anyway: with which connection
-- members must have signed on, and which of them. Null: with none. It changes and is read under the lock of the organization. A member whom
-- `domains` has bound, and who was unlinked or got another address since, has `everyone`.
alter table organization_members
  add column sso_connection_id uuid,
  add column sso_required text check (sso_required in ('domains', 'everyone'));

-- The copy of the members that a cluster has, where the view is a table.
do $$
  begin
    if exists (select from pg_class where oid = to_regclass('member_organizations') and relkind = 'r') then
      alter table member_organizations
        add column sso_connection_id uuid,
        add column sso_required text;
    end if;
  end
$$;

create or replace view member_organizations as
  select user_id, organization_id, role, second_factor_required, setup_until, sso_connection_id, sso_required
  from organization_members;

-- The status of the claim of an organization to the domain of a user's address; null if it has claimed none.
create function sign_on_domain(in_organization uuid, of_user uuid) returns text
  language plpgsql stable
  as $$
    begin
      return (
        select claimed.status
        from users
        join sso_domains as claimed on claimed.domain = split_part(users.email, '@', 2)
        where users.id = of_user
          and claimed.organization_id = in_organization
      );
    end
  $$;

-- Whether `domains` binds a member: one with an identity of the connection, or an address in a domain that is or was verified.
create function is_bound_to_sign_on(in_organization uuid, connection uuid, member_id uuid) returns boolean
  language plpgsql stable
  as $$
    begin
      return exists (select from sso_identities where user_id = member_id and connection_id = connection)
        or coalesce(sign_on_domain(in_organization, member_id) <> 'pending', false);
    end
  $$;

-- Whether a member lacks the sign-on that is required of them. A session has a proof of its own; a token had one when it was made, and it and
-- what has neither count as long as the last sign-on of the person.
create function lacks_sign_on(
  in_organization uuid, connection uuid, mode text, caller_id uuid, with_session uuid, with_token uuid
) returns boolean
  language plpgsql stable
  as $$
    begin
      if with_session is not null then
        perform
        from sso_proofs
        where session_id = with_session
          and connection_id = connection
          and expires_at > now();
      else
        perform
        from sso_identities
        where user_id = caller_id
          and connection_id = connection
          and proven_until > now()
          and (
            with_token is null
            or exists (select from sso_token_proofs where token_id = with_token and connection_id = connection)
          );
      end if;
      return not found and (mode = 'everyone' or is_bound_to_sign_on(in_organization, connection, caller_id));
    end
  $$;

-- As before, and the caller has signed on where the organization requires it, and the session has not expired.
create or replace function confirm_access(
  caller_id uuid, with_session uuid, with_token uuid, in_organization uuid, in_workspace uuid, least_role text
) returns void
  language plpgsql
  as $$
    declare
      roles constant text[] := '{member,admin,owner}';
      held text;
      is_factor_required boolean;
      connection uuid;
      mode text;
    begin
      if in_organization is not null then
        select member.role, member.second_factor_required, member.sso_connection_id, member.sso_required
        into held, is_factor_required, connection, mode
        from organization_members as member
        where member.organization_id = in_organization
          and member.user_id = caller_id
        for share;
        if held = 'owner' and in_workspace is not null then held := 'admin'; end if;
        if held = 'member' and in_workspace is not null then
          select member.role
          into held
          from workspace_members as member
          where member.workspace_id = in_workspace
            and member.organization_id = in_organization
            and member.user_id = caller_id
          for share;
        end if;
        if held is null then
          raise exception 'The caller is no longer a member.'
            using errcode = 'integrity_constraint_violation', constraint = 'caller_is_member';
        end if;
        if is_factor_required and exists (select from users where id = caller_id and second_factors = 0) then
          raise exception 'The caller has no second factor, which the organization requires now.'
            using errcode = 'integrity_constraint_violation', constraint = 'caller_has_second_factor';
        end if;
        if connection is not null and lacks_sign_on(in_organization, connection, mode, caller_id, with_session, with_token) then
          raise exception 'The caller has not signed on, which the organization requires now.'
            using errcode = 'integrity_constraint_violation', constraint = 'caller_has_signed_on';
        end if;
        if array_position(roles, held) < array_position(roles, least_role) then
          raise exception 'The caller has a lower role now.'
            using errcode = 'integrity_constraint_violation', constraint = 'caller_has_role';
        end if;
      end if;
      if with_session is not null then
        perform
        from sessions
        where id = with_session
          and ended_at is null
          and (expires_at is null or expires_at > clock_timestamp())
        for share;
      elsif with_token is not null then
        perform from personal_tokens where id = with_token and (expires_at is null or expires_at > clock_timestamp()) for share;
      else
        return;
      end if;
      if not found then
        raise exception 'The session has ended, or the token was revoked.'
          using errcode = 'integrity_constraint_violation', constraint = 'caller_is_signed_in';
      end if;
    end
  $$;
