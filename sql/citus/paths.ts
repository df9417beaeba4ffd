/** Finds what paths name among the organizations of the caller, one node after the other. */
import type { Tx } from '../index.ts'

/** The organizations of each user and the roles there, on the coordinator. */
export const MEMBER_ORGANIZATIONS = 'member_organizations'

/** Replaces the view of the migrations by a table. */
export async function createMemberOrganizations(tx: Tx): Promise<void> {
  await tx`drop view ${tx(MEMBER_ORGANIZATIONS)}`
  await tx`
    create table member_organizations (
      user_id         uuid not null,
      organization_id uuid not null,
      role            text not null,
      primary key (user_id, organization_id)
    )
  `
  await tx`create index member_organizations_organization on member_organizations (organization_id)`
  await tx`
    insert into member_organizations (user_id, organization_id, role) select user_id, organization_id, role from organization_members
  `
}

/** What a path can name (view `path_kinds`); each column is the expression or column that has it. */
interface PathKind {
  name: string
  relation: string
  organization_id: string
  workspace_id: string | null
  project_id: string | null
  owner_id: string | null
}

/**
 * Replaces the functions `path_of_…`, which look up an id in one table, by ones that look it up in the shard of each organization of the
 * caller, in the likely one first. A user has few organizations; a query over all shards would cost more than these.
 *
 * The statements have the form that Citus plans once per session: each reads one table and names the organization by a parameter. Planning a
 * join for each call takes three times as long as all of this.
 */
export async function replacePaths(tx: Tx): Promise<void> {
  const memberships = await shardOf(tx, MEMBER_ORGANIZATIONS)
  // An interrupted `distribute` has not managed it yet, and replaces the functions later.
  if (memberships === undefined) return
  const kinds = await tx<PathKind[]>`
    select kind.*
    from path_kinds as kind
    join pg_proc as path on path.proname = 'path_of_' || kind.name
    where path.pronamespace = 'public'::regnamespace
      and strpos(path.prosrc, ${memberships}) = 0
  `
  for (const kind of kinds) {
    await tx.unsafe(`
      create or replace function path_of_${kind.name}(resource_id uuid, caller_id uuid, likely_organization_id uuid)
        returns table (
          id uuid, organization_id uuid, workspace_id uuid, project_id uuid, owner_id uuid,
          organization_role text, workspace_role text
        )
        ${kind.name === 'organization' ? findMembership(memberships) : findResource(kind, memberships)}
    `)
  }
  await replaceRecipients(tx)
}

/** The table on the coordinator that has the rows of a managed table. Citus does not plan statements that read it. */
async function shardOf(tx: Tx, table: string): Promise<string | undefined> {
  const [shard] = await tx<{ name: string }[]>`
    select logicalrelid || '_' || shardid as name from pg_dist_shard where logicalrelid = ${table}::text::regclass
  `
  return shard?.name
}

/** PostgreSQL inlines it. */
const findMembership = (memberships: string): string => `
  language sql stable
  as $path$
    select
      membership.organization_id, membership.organization_id, null::uuid, null::uuid, null::uuid,
      membership.role, null::text
    from ${memberships} as membership
    where membership.user_id = caller_id
      and membership.organization_id = resource_id
  $path$
`

function findResource(kind: PathKind, memberships: string): string {
  const columns = ['id', 'organization_id', 'workspace_id', 'project_id', 'owner_id'] as const
  const lookUp = `
    select ${columns.map((column) => (column === 'id' ? 'resource.id' : placeOf(kind[column]))).join(', ')}
    into ${columns.join(', ')}
    from ${kind.relation} as resource
    where resource.id = resource_id
      and resource.organization_id = membership.organization_id;
    ${kind.workspace_id === null ? '' : lookUpWorkspaceRole(kind.name)}
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
            listed.organization_id, listed.role,
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
          if path_of_${kind.name}.id is not null then
            organization_role := membership.role;
            return next;
            return;
          end if;
        end loop;
        if is_away then raise exception 'The node of an organization cannot be reached.' using errcode = 'connection_failure'; end if;
      end
    $path$
  `
}

const placeOf = (column: string | null): string => (column === null ? 'null::uuid' : `resource.${column}`)

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

/** Whom a link that decides a gate was mailed to. Citus cannot plan it as part of the statement that uses it. */
async function replaceRecipients(tx: Tx): Promise<void> {
  await tx`
    create or replace function decision_link_recipient(of_gate uuid, link_hash bytea) returns table (user_id uuid, organization_id uuid)
      language plpgsql stable
      as $$
        begin
          return query
            select link.user_id, link.organization_id
            from decision_links as link
            join people as recipient
              on recipient.id = link.user_id
              and recipient.email = link.email
            where link.gate_id = of_gate
              and link.hash = link_hash;
        exception when connection_exception then
          return query execute $reachable$
            select link.user_id, link.organization_id
            from decision_links as link
            join people as recipient
              on recipient.id = link.user_id
              and recipient.email = link.email
            where link.gate_id = $2
              and link.hash = $3
              and link.organization_id = any($1)
          $reachable$ using array(select reachable_tenants()), of_gate, link_hash;
          -- It may be on the node that is away.
          if not found then raise; end if;
        end
      $$
  `
}
