-- What a path names is found by its id alone, with the roles of the caller there. On plain PostgreSQL each function is inlined: one look-up by a
-- key. On a cluster the functions look only among the organizations of the caller (sql/citus/paths.ts), so that they ask one node.

-- The organizations of each user. On plain PostgreSQL it is a view that ignores what is written to it; on a cluster it is a table on the
-- coordinator, which the statements that add and remove members write.
create view member_organizations as select user_id, organization_id from organization_members;

create rule member_organizations_added as on insert to member_organizations do instead nothing;
create rule member_organizations_removed as on delete to member_organizations do instead nothing;

do $do$
  declare
    kind record;
  begin
    for kind in
      select *
      from (
        values
          ('organization', 'organizations', 'id', 'null::uuid', 'null::uuid', 'null::uuid'),
          ('runtime', 'runtimes', 'organization_id', 'null::uuid', 'null::uuid', 'owner_id'),
          ('workspace', 'workspaces', 'organization_id', 'id', 'null::uuid', 'null::uuid'),
          ('project', 'projects', 'organization_id', 'workspace_id', 'id', 'null::uuid'),
          ('requirement', 'requirements', 'organization_id', 'workspace_id', 'project_id', 'null::uuid'),
          ('execution', 'executions', 'organization_id', 'workspace_id', 'project_id', 'null::uuid'),
          ('gate', 'gates', 'organization_id', 'workspace_id', 'project_id', 'null::uuid'),
          ('hook', 'deployment_hooks', 'organization_id', 'workspace_id', 'project_id', 'null::uuid'),
          ('comparison', 'dual_track_comparisons', 'organization_id', 'workspace_id', 'project_id', 'null::uuid'),
          ('deliverable', 'deliverables', 'organization_id', 'workspace_id', 'project_id', 'null::uuid'),
          ('dispatch', 'dispatches', 'organization_id', 'workspace_id', 'project_id', 'null::uuid'),
          ('channel', 'notification_channels', 'organization_id', 'workspace_id', 'null::uuid', 'null::uuid'),
          ('subscription', 'subscriptions', 'organization_id', 'workspace_id', 'null::uuid', 'null::uuid')
      ) as kind (name, relation, organization_id, workspace_id, project_id, owner_id)
    loop
      execute format(
        $create$
          create function path_of_%1$s(resource_id uuid, caller_id uuid)
            returns table (
              id uuid, organization_id uuid, workspace_id uuid, project_id uuid, owner_id uuid,
              organization_role text, workspace_role text
            )
            language sql stable
            as $function$
              select
                resource.id, resource.organization_id, resource.workspace_id, resource.project_id, resource.owner_id,
                organization_member.role, %7$s
              from (
                select id, %3$s as organization_id, %4$s as workspace_id, %5$s as project_id, %6$s as owner_id
                from %2$I
              ) as resource
              left join organization_members as organization_member
                on organization_member.organization_id = resource.organization_id
                and organization_member.user_id = caller_id
              %8$s
              where resource.id = resource_id
            $function$
        $create$,
        kind.name, kind.relation, kind.organization_id, kind.workspace_id, kind.project_id, kind.owner_id,
        case when kind.workspace_id = 'null::uuid' then 'null::text' else 'workspace_member.role' end,
        case
          when kind.workspace_id <> 'null::uuid' then
            $join$left join workspace_members as workspace_member
                on workspace_member.workspace_id = resource.workspace_id
                and workspace_member.organization_id = resource.organization_id
                and workspace_member.user_id = caller_id$join$
        end
      );
    end loop;
  end
$do$;

-- Whom a link that decides a gate was mailed to, while they have that address; on a cluster it is read by itself.
create function decision_link_recipient(of_gate uuid, link_hash bytea) returns table (user_id uuid, organization_id uuid)
  language sql stable
  as $$
    select link.user_id, link.organization_id
    from decision_links as link
    join people as recipient
      on recipient.id = link.user_id
      and recipient.email = link.email
    where link.gate_id = of_gate
      and link.hash = link_hash
      and link.expires_at > now()
  $$;
