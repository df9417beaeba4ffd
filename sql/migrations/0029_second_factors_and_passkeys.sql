-- Second factors: an authenticator app with recovery codes, passkeys (WebAuthn), with which people also sign in and confirm, and
-- organizations that require a second factor of their members.

alter table users
  -- How many second factors a user has: an authenticator app is one, and so is each passkey.
  add column second_factors integer not null default 0 check (second_factors >= 0),
  -- When the password was last reset with a mailed link. For some days after it, second factors cannot be removed with a mailed link:
  -- a person who has the mailbox alone would have both.
  add column password_reset_at timestamptz(3);

-- Statements of tenants also ask whether a user has a second factor, which organizations may require.
create or replace view people as
select id, email, email_verified, name, deleted_at, second_factors > 0 as has_second_factor
from users;

-- A second factor is no part of what the API shows of a user.
drop trigger users_touch on users;

create trigger users_touch before update of email, email_verified, pending_email, name, password_hash, deleted_at on users
  for each row execute function touch();

-- For every table whose rows are second factors of the user `user_id`. The lock of the user's row puts concurrent changes in order.
create function count_second_factor() returns trigger
  language plpgsql
  as $$
    begin
      if tg_op = 'INSERT' then
        update users set second_factors = second_factors + 1 where id = new.user_id;
      else
        update users set second_factors = second_factors - 1 where id = old.user_id;
      end if;
      return null;
    end
  $$;

-- One row is the authenticator app of a user, which makes codes from a secret (TOTP, RFC 6238).
create table totp_apps (
  user_id    uuid primary key references users on delete cascade,
  -- Encrypted.
  secret     bytea not null,
  -- The time step of the last code that was accepted. A code works once, and none works after a later one.
  last_step  bigint not null,
  created_at timestamptz(3) not null default now()
);

create trigger totp_apps_count after insert or delete on totp_apps
  for each row execute function count_second_factor();

-- One row is an authenticator app that a user sets up, until the first code proves that the app has the secret.
create table totp_setups (
  user_id    uuid primary key references users on delete cascade,
  -- Only the session that began can go on.
  session_id uuid not null,
  -- Encrypted.
  secret     bytea not null,
  expires_at timestamptz(3) not null
);

-- The nightly job that deletes expired rows.
create index totp_setups_expires_at on totp_setups (expires_at);

-- One row is a recovery code that was not used; only its SHA-256 is stored.
create table recovery_codes (
  user_id    uuid not null references users on delete cascade,
  hash       bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, hash)
);

-- One row is a sign-in whose password was right and whose second factor is missing; only the SHA-256 of its ticket is stored.
create table sign_in_tickets (
  hash       bytea primary key,
  user_id    uuid not null references users on delete cascade,
  expires_at timestamptz(3) not null
);

-- A new password ends the tickets of a user.
create index sign_in_tickets_user on sign_in_tickets (user_id);

-- The nightly job that deletes expired rows.
create index sign_in_tickets_expires_at on sign_in_tickets (expires_at);

-- One row is a mailed link that removes the second factors of a user; only the SHA-256 of its token is stored.
create table second_factor_resets (
  hash       bytea primary key,
  user_id    uuid not null references users on delete cascade,
  -- To which it was mailed. The link is of no use once the account has another address.
  email      email_address not null,
  expires_at timestamptz(3) not null
);

create index second_factor_resets_user on second_factor_resets (user_id);

-- The nightly job that deletes expired rows.
create index second_factor_resets_expires_at on second_factor_resets (expires_at);

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

-- Whether members without a second factor have no access.
alter table organizations add column require_second_factor boolean not null default false;

create trigger organizations_touch_second_factor before update of require_second_factor on organizations
  for each row execute function touch();

-- A copy of the setting in each membership, which every request reads anyway. It changes and is read under the lock of the organization.
alter table organization_members add column second_factor_required boolean not null default false;

-- The copy of the members that a cluster has.
alter table if exists member_organizations add column second_factor_required boolean not null default false;

-- As before, and the caller still has the second factor that the organization requires.
create or replace function confirm_access(
  caller_id uuid, with_session uuid, with_token uuid, in_organization uuid, in_workspace uuid, least_role text
) returns void
  language plpgsql
  as $$
    declare
      roles constant text[] := '{member,admin,owner}';
      held text;
      is_factor_required boolean;
    begin
      if in_organization is not null then
        select member.role, member.second_factor_required
        into held, is_factor_required
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
        if array_position(roles, held) < array_position(roles, least_role) then
          raise exception 'The caller has a lower role now.'
            using errcode = 'integrity_constraint_violation', constraint = 'caller_has_role';
        end if;
      end if;
      if with_session is not null then
        perform from sessions where id = with_session and ended_at is null for share;
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
