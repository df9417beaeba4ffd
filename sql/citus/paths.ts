/** Finds what paths name among the organizations of the caller, one node after the other. */
import type { Tx } from '../index.ts'
import { RESOURCE_TABLES, type ResourceTable } from '../resource-tables.ts'
import { MEMBER_ORGANIZATIONS } from './statements.ts'

/** Creates the copy of the members on the coordinator, in place of a view of them. */
export async function createMemberOrganizations(tx: Tx): Promise<void> {
  await tx`drop view member_organizations`
  await tx`create table member_organizations (like organization_members including defaults)`
  await tx`insert into member_organizations select * from organization_members`
  await tx`alter table member_organizations add primary key (user_id, organization_id)`
  await tx`create index member_organizations_organization on member_organizations (organization_id)`
  // In place of a foreign key of the tokens.
  await tx`
    create function delete_tokens_of_member() returns trigger
      language plpgsql
      as $$
        begin
          delete from personal_tokens where user_id = old.user_id and organization_id = old.organization_id;
          return null;
        end
      $$
  `
  await tx`
    create trigger member_organizations_tokens after delete on member_organizations
      for each row execute function delete_tokens_of_member()
  `
}

/**
 * Creates functions `path_of_…`, which look up an id in one table, in the shard of each organization of the caller, in the likely one first. A
 * user has few organizations; a query over all shards would cost more than these.
 *
 * The statements have the form that Citus plans once per session: each reads one table and names the organization by a parameter. Planning a
 * join for each call takes three times as long as all of this.
 */
export async function createPaths(tx: Tx): Promise<void> {
  // The table that has its rows: Citus does not plan statements that read it.
  const [shard] = await tx<{ name: string }[]>`
    select logicalrelid || '_' || shardid as name from pg_dist_shard where logicalrelid = ${MEMBER_ORGANIZATIONS}::text::regclass
  `
  // An interrupted `distribute` has not managed it yet, and creates the functions later.
  if (!shard) return
  for (const [kind, at] of Object.entries(RESOURCE_TABLES)) {
    // The rows of an existing function keep their columns.
    await tx.unsafe(`drop function if exists path_of_${kind}(uuid, uuid, uuid)`)
    await tx.unsafe(`
      create function path_of_${kind}(resource_id uuid, caller_id uuid, likely_organization_id uuid)
        returns table (
          id uuid, organization_id uuid, workspace_id uuid, project_id uuid, owner_id uuid,
          organization_role text, second_factor_required boolean, sso_connection_id uuid, sso_required text,
          workspace_role text
        )
        ${kind === 'organization' ? findMembership(shard.name) : findResource(kind, at, shard.name)}
    `)
  }
}

/** PostgreSQL inlines it. */
const findMembership = (memberships: string): string => `
  language sql stable
  as $path$
    select
      membership.organization_id, membership.organization_id, null::uuid, null::uuid, null::uuid,
      membership.role, membership.second_factor_required, membership.sso_connection_id, membership.sso_required, null::text
    from ${memberships} as membership
    where membership.user_id = caller_id
      and membership.organization_id = resource_id
  $path$
`

function findResource(kind: string, at: ResourceTable, memberships: string): string {
  const columns = ['id', 'organization_id', 'workspace_id', 'project_id', 'owner_id'] as const
  const lookUp = `
    select ${columns.map((column) => (column === 'id' ? 'resource.id' : columnOf(at[column]))).join(', ')}
    into ${columns.join(', ')}
    from ${at.table} as resource
    where resource.id = resource_id
      and resource.organization_id = membership.organization_id;
    ${at.workspace_id === null ? '' : lookUpWorkspaceRole(kind)}
  `
  return `
    language plpgsql stable
    as $path$
      declare
        membership record;
        is_away boolean := false;
      begin
        for membership in
          select
            listed.organization_id, listed.role, listed.second_factor_required, listed.sso_connection_id, listed.sso_required,
            listed.organization_id = likely_organization_id or count(*) over () = 1 as is_probable
          from ${memberships} as listed
          where listed.user_id = caller_id
          order by listed.organization_id is distinct from likely_organization_id
        loop
          if membership.is_probable then
            ${lookUp}
          else
            -- It may be in an organization whose node is there. A block that catches errors costs a round trip more.
            begin
              ${lookUp}
            exception when connection_exception then
              is_away := true;
              -- The block may have found it, and not the role.
              id := null;
            end;
          end if;
          if path_of_${kind}.id is not null then
            organization_role := membership.role;
            second_factor_required := membership.second_factor_required;
            sso_connection_id := membership.sso_connection_id;
            sso_required := membership.sso_required;
            return next;
            return;
          end if;
        end loop;
        if is_away then raise exception 'The node of an organization cannot be reached.' using errcode = 'connection_failure'; end if;
      end
    $path$
  `
}

const columnOf = (column: string | null): string => (column === null ? 'null::uuid' : `resource.${column}`)

/** The roles of admins apply in every workspace. */
const lookUpWorkspaceRole = (kind: string): string => `
    if found and membership.role = 'member' then
      select member.role
      into workspace_role
      from workspace_members as member
      where member.workspace_id = path_of_${kind}.workspace_id
        and member.organization_id = membership.organization_id
        and member.user_id = caller_id;
    end if;
`
