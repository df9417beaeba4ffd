-- Single sign-on of organizations: their connections and domains, and who must have signed on.

-- One row is the OpenID connection of an organization. It is found by its id alone, before anything is known of the person who signs on.
create table sso_connections (
  id              uuid primary key default uuidv7(),
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
  constraint sso_connections_organization unique (organization_id),
  constraint sso_connections_provider check (num_nulls(issuer, client_id, client_secret) = case when use_instance then 3 else 0 end)
);

create trigger sso_connections_touch before update on sso_connections
  for each row execute function touch();

-- One row is the claim of a connection to a domain of addresses, which a TXT record of the domain proves.
create table sso_domains (
  id            uuid primary key default uuidv7(),
  connection_id uuid not null references sso_connections on delete cascade,
  -- In canonical form, as in addresses.
  domain        text not null check (length(domain) between 1 and 253),
  status        text not null default 'pending' check (status in ('pending', 'verified', 'lapsed')),
  -- What the record must have.
  token         text not null,
  -- How many checks in a row did not find the record.
  missed        integer not null default 0 check (missed between 0 and 3),
  -- When the record was last asked for and answered, and when it is asked for again; null: not by itself.
  checked_at    timestamptz(3),
  check_at      timestamptz(3),
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  constraint sso_domains_claim unique (connection_id, domain)
);

-- A domain is verified for one connection, which the address of a person leads to.
create unique index sso_domains_verified on sso_domains (domain) where status = 'verified';

-- The sweep that checks records again.
create index sso_domains_check_at on sso_domains (check_at) where check_at is not null;

create trigger sso_domains_touch before update of status on sso_domains
  for each row execute function touch();

-- One row is a person at a provider who waits to be connected with the account of a session.
create table sso_newcomers (
  session_id    uuid primary key references sessions on delete cascade,
  connection_id uuid not null references sso_connections on delete cascade,
  issuer        text not null,
  subject       text not null,
  email         text,
  name          text not null,
  -- What the claim of groups had; null: nothing that the mappings can use.
  groups        jsonb not null check (jsonb_typeof(groups) = 'array'),
  may_join      boolean not null,
  authenticated_at double precision,
  next          text not null,
  expires_at    timestamptz(3) not null
);

-- The nightly job that deletes expired rows.
create index sso_newcomers_expires_at on sso_newcomers (expires_at);

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
-- members must have signed on, and which of them. Null: with none. It changes and is read under the lock of the organization.
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

-- Whether a user is among those who must have signed on: all members, or those with an identity of the connection, or an address in one of
-- its domains, also in one that has lapsed.
create function is_bound_to_sign_on(connection uuid, mode text, caller_id uuid) returns boolean
  language plpgsql stable
  as $$
    begin
      return mode = 'everyone'
        or exists (select from sso_identities where user_id = caller_id and connection_id = connection)
        or exists (
          select
          from users
          join sso_domains as claimed
            on claimed.connection_id = connection
            and claimed.domain = split_part(users.email, '@', 2)
            and claimed.status <> 'pending'
          where users.id = caller_id
        );
    end
  $$;

-- Whether a caller lacks the sign-on that is required of them. A session has a proof of its own; a token had one when it was made, and it and
-- what has neither count as long as the last sign-on of the person.
create function lacks_sign_on(connection uuid, mode text, caller_id uuid, with_session uuid, with_token uuid) returns boolean
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
      return not found and is_bound_to_sign_on(connection, mode, caller_id);
    end
  $$;

-- Whether what a notification says is withheld from a member, whose last sign-on was too long ago: it would go to an address of which the
-- provider knows nothing.
create function is_withheld_by_sign_on(connection uuid, mode text, member_id uuid) returns boolean
  language plpgsql stable
  as $$
    begin
      return lacks_sign_on(connection, mode, member_id, null, null)
        and not exists (
          select
          from users
          join sso_domains as claimed
            on claimed.connection_id = connection
            and claimed.domain = split_part(users.email, '@', 2)
            and claimed.status = 'verified'
          where users.id = member_id
        );
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
        if connection is not null and lacks_sign_on(connection, mode, caller_id, with_session, with_token) then
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
