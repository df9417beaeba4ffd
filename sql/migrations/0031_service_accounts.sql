-- Service accounts: identities of programs, such as builds and agents, as narrow as their work.

-- One row is a service account: where it works, and what it may do there. A deleted one keeps its row, so that records still show the
-- name of the actor; it has no keys and no trusts.
create table service_accounts (
  id                uuid not null default uuidv7(),
  organization_id   uuid not null references organizations on delete cascade,
  -- Null: all workspaces.
  workspace_id      uuid,
  -- Null: all projects of the workspace.
  project_id        uuid,
  name              text not null check (length(name) between 1 and 120),
  description       text check (length(description) <= 2000),
  scopes            text[] not null
                      check (
                        cardinality(scopes) between 1 and 8
                        and scopes <@ array[
                          'work:read', 'executions:write', 'gates:open', 'gates:read', 'usage:write', 'rollouts:report',
                          'dispatches:claim', 'hooks:trigger', 'deliverables:write', 'audit:read'
                        ]
                      ),
  enabled           boolean not null default true,
  created_by        uuid not null,
  created_at        timestamptz(3) not null default now(),
  updated_at        timestamptz(3) not null default now(),
  last_used_at      timestamptz(3),
  last_used_address text,
  deleted_at        timestamptz(3),
  primary key (id, organization_id),
  constraint service_accounts_place check (project_id is null or workspace_id is not null),
  constraint service_accounts_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade,
  constraint service_accounts_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

-- An organization's service accounts, newest first.
create index service_accounts_organization on service_accounts (organization_id, created_at desc, id desc) where deleted_at is null;

-- The accounts that are deleted with their place.
create index service_accounts_workspace on service_accounts (workspace_id, organization_id);
create index service_accounts_project on service_accounts (project_id, organization_id);

-- A use is no change of the account.
create trigger service_accounts_touch
  before update of workspace_id, project_id, name, description, scopes, enabled on service_accounts
  for each row execute function touch();

-- One row is a key of a service account; only its SHA-256 is stored. The key itself contains the organization, in which it is looked up.
create table service_account_keys (
  id                 uuid not null default uuidv7(),
  organization_id    uuid not null,
  service_account_id uuid not null,
  name               text not null check (length(name) between 1 and 120),
  hash               bytea not null check (octet_length(hash) = 32),
  expires_at         timestamptz(3) not null,
  created_by         uuid not null,
  created_at         timestamptz(3) not null default now(),
  last_used_at       timestamptz(3),
  last_used_address  text,
  primary key (id, organization_id),
  constraint service_account_keys_lifetime check (expires_at - created_at <= interval '365 days'),
  constraint service_account_keys_hash unique (hash, organization_id),
  constraint service_account_keys_account foreign key (service_account_id, organization_id)
    references service_accounts (id, organization_id) on delete cascade
);

-- An account's keys, newest first.
create index service_account_keys_account on service_account_keys (service_account_id, created_at desc, id desc);

-- One row is a trust: tokens of an issuer that a service account may sign in with, if their claims match.
create table service_account_trusts (
  id                 uuid not null default uuidv7(),
  organization_id    uuid not null,
  service_account_id uuid not null,
  issuer             text not null check (length(issuer) between 1 and 2048),
  -- Null: the public URL of this service.
  audience           text check (length(audience) between 1 and 2048),
  -- Names with the list of the values that each may have.
  claims             jsonb not null check (jsonb_typeof(claims) = 'object'),
  max_ttl_seconds    integer not null default 900 check (max_ttl_seconds between 60 and 3600),
  created_by         uuid not null,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint service_account_trusts_account foreign key (service_account_id, organization_id)
    references service_accounts (id, organization_id) on delete cascade
);

-- An account's trusts, newest first.
create index service_account_trusts_account on service_account_trusts (service_account_id, created_at desc, id desc);

create trigger service_account_trusts_touch before update on service_account_trusts
  for each row execute function touch();

-- One row is an assertion of an issuer that a token was given for. It gives no other one, to whichever account of whichever organization.
create table used_assertions (
  -- The SHA-256 of the issuer with the `jti`, or else of the whole assertion.
  digest     bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz(3) not null
);

-- The nightly job that deletes expired rows.
create index used_assertions_expires_at on used_assertions (expires_at);

alter table audit_log_entries
  -- How the request of an entry came, if not to the API or a page: by a tool of an agent. It is sealed with the entry.
  add column via text check (via in ('mcp')),
  -- Service accounts make changes, too. The rows of before have the words of before, so that they need no check.
  drop constraint audit_log_entries_actor_type_check,
  add constraint audit_log_entries_actor_type_check
    check (actor_type in ('human', 'token', 'service_account', 'system')) not valid;

-- A caller is a user or a service account. A cluster never had this key.
alter table idempotency_keys drop constraint if exists idempotency_keys_caller_id_fkey;

-- Who an id in a record names. A function, because it is used behind `returning`, and each caller has other columns. Users are never deleted;
-- an account is with the workspace in which it works, and may have worked elsewhere before.
create function actor_of(actor_id uuid, in_organization uuid) returns jsonb
  language plpgsql stable
  as $$
    begin
      return (
        select case when actor_id is null then jsonb_build_object('type', 'system', 'id', null, 'name', 'Signalbox') else coalesce(
          (
            select jsonb_build_object('type', 'user', 'id', person.id, 'name', person.name)
            from people as person
            where person.id = actor_id
          ),
          (
            select jsonb_build_object('type', 'service_account', 'id', account.id, 'name', account.name)
            from service_accounts as account
            where account.id = actor_id
              and account.organization_id = in_organization
          ),
          jsonb_build_object('type', 'service_account', 'id', actor_id, 'name', 'Deleted service account')
        ) end
      );
    end
  $$;

-- As before, and the names of service accounts. What a gate or a dispatch was superseded by is no actor.
create or replace function names_in(envelope jsonb, actor_id uuid) returns jsonb
  language sql stable
  as $$
    select jsonb_object_agg(mentioned.key, actor_of(mentioned.id, (envelope #>> '{organization,id}')::uuid) ->> 'name')
    from (
      select id #>> '{}' as key, (id #>> '{}')::uuid as id
      from jsonb_path_query(
        envelope,
        '$.data.* ? (@.type() == "object").keyvalue() ? (@.key like_regex "_by$" && @.key != "superseded_by").value
          ? (@ like_regex "^[0-9a-f-]{36}$")'
      ) as id
      union
      select 'actor', actor_id
    ) as mentioned
    where mentioned.id is not null
  $$;

-- Confirms, as `confirm_access` does for users, that a service account still may do what its request was admitted for.
--
-- Deleting or disabling an account locks its row first, and then its keys and trusts.
create function confirm_service_account(
  account_id uuid, with_key uuid, with_trust uuid, in_organization uuid, in_workspace uuid, in_project uuid, with_scopes text[]
) returns void
  language plpgsql
  as $$
    declare
      account record;
      is_signed_in boolean;
    begin
      select listed.workspace_id, listed.project_id, listed.scopes, listed.enabled and listed.deleted_at is null as is_active
      into account
      from service_accounts as listed
      where listed.id = account_id
        and listed.organization_id = in_organization
      for share;
      is_signed_in := coalesce(account.is_active, false);
      if is_signed_in and with_key is not null then
        perform
        from service_account_keys as held
        where held.id = with_key
          and held.organization_id = in_organization
          and held.service_account_id = account_id
          and held.expires_at > clock_timestamp()
        for share;
        is_signed_in := found;
      elsif is_signed_in and with_trust is not null then
        perform
        from service_account_trusts as held
        where held.id = with_trust
          and held.organization_id = in_organization
          and held.service_account_id = account_id
        for share;
        is_signed_in := found;
      end if;
      if not is_signed_in then
        raise exception 'The service account was disabled or deleted, or its key was revoked.'
          using errcode = 'integrity_constraint_violation', constraint = 'service_account_is_signed_in';
      end if;
      if in_workspace is not null and (
        account.workspace_id is not null and account.workspace_id <> in_workspace
        or account.project_id is not null and account.project_id is distinct from in_project
      ) then
        raise exception 'The service account works elsewhere now.'
          using errcode = 'integrity_constraint_violation', constraint = 'caller_is_member';
      end if;
      if cardinality(with_scopes) > 0 and not account.scopes && with_scopes then
        raise exception 'The scope of the service account was removed.'
          using errcode = 'integrity_constraint_violation', constraint = 'service_account_has_scope';
      end if;
    end
  $$;
