-- Confirms, at the end of a change, that its caller still has the access with which the request was admitted: the change may have
-- waited for a lock meanwhile. The rows stay locked until commit, so that whoever takes the access away either waits for the
-- change, or is seen by it.
--
-- The order of the locks is that of removing a member and of deleting an account: memberships before sessions and tokens. It is a
-- function so that it can fail in the round trip of the commit.
create function confirm_access(
  caller_id uuid, with_session uuid, with_token uuid, in_organization uuid, in_workspace uuid, least_role text
) returns void
  language plpgsql
  as $$
    declare
      roles constant text[] := '{member,admin,owner}';
      held text;
    begin
      if in_organization is not null then
        select member.role
        into held
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
