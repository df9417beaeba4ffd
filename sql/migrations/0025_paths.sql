-- What a path names is found by its id alone, with the roles of the caller there. On plain PostgreSQL each function is inlined: one look-up by a
-- key. On a cluster the functions look only among the organizations of the caller (sql/citus/paths.ts), in the likely one first, so that they
-- ask one node in most cases.

-- The organizations of each user, with the role there. On plain PostgreSQL it is a view that ignores what is written to it; on a cluster it is
-- a table on the coordinator, and every change of members writes to it too.
create view member_organizations as select user_id, organization_id, role from organization_members;

create rule member_organizations_added as on insert to member_organizations do instead nothing;
create rule member_organizations_changed as on update to member_organizations do instead nothing;
create rule member_organizations_removed as on delete to member_organizations do instead nothing;

-- What a path can name: the table, and which of its columns say where a row is. Null where it is in no workspace, in no project, or nobody's own.
create view path_kinds as
  select *
  from (
    values
      ('organization', 'organizations', 'id', null, null, null),
      ('runtime', 'runtimes', 'organization_id', null, null, 'owner_id'),
      ('workspace', 'workspaces', 'organization_id', 'id', null, null),
      ('project', 'projects', 'organization_id', 'workspace_id', 'id', null),
      ('requirement', 'requirements', 'organization_id', 'workspace_id', 'project_id', null),
      ('execution', 'executions', 'organization_id', 'workspace_id', 'project_id', null),
      ('gate', 'gates', 'organization_id', 'workspace_id', 'project_id', null),
      ('hook', 'deployment_hooks', 'organization_id', 'workspace_id', 'project_id', null),
      ('comparison', 'dual_track_comparisons', 'organization_id', 'workspace_id', 'project_id', null),
      ('deliverable', 'deliverables', 'organization_id', 'workspace_id', 'project_id', null),
      ('dispatch', 'dispatches', 'organization_id', 'workspace_id', 'project_id', null),
      ('channel', 'notification_channels', 'organization_id', 'workspace_id', null, null),
      ('subscription', 'subscriptions', 'organization_id', 'workspace_id', null, null)
  ) as kind (name, relation, organization_id, workspace_id, project_id, owner_id);

do $do$
  declare
    kind record;
  begin
    for kind in select * from path_kinds loop
      execute format(
        $create$
          create function path_of_%1$s(resource_id uuid, caller_id uuid, likely_organization_id uuid)
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
        kind.name, kind.relation, kind.organization_id, coalesce(kind.workspace_id, 'null::uuid'), coalesce(kind.project_id, 'null::uuid'),
        coalesce(kind.owner_id, 'null::uuid'),
        case when kind.workspace_id is null then 'null::text' else 'workspace_member.role' end,
        case
          when kind.workspace_id is not null then
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
  $$;
