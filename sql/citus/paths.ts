/** Finds what paths name among the organizations of the caller, one node after the other. */
import type { Tx } from '../index.ts'

/** The organizations of each user, on the coordinator. */
export const MEMBER_ORGANIZATIONS = 'member_organizations'

/** Replaces the view of the migrations by a table. */
export async function createMemberOrganizations(tx: Tx): Promise<void> {
  await tx`drop view ${tx(MEMBER_ORGANIZATIONS)}`
  await tx`
    create table member_organizations (
      user_id         uuid not null,
      organization_id uuid not null,
      primary key (user_id, organization_id)
    )
  `
  await tx`create index member_organizations_organization on member_organizations (organization_id)`
  await tx`insert into member_organizations (user_id, organization_id) select user_id, organization_id from organization_members`
}

/**
 * Replaces the functions `path_of_…`, which look up an id in one table, by ones that look it up in the shard of each organization of the
 * caller. A user has few organizations; a query over all shards would cost more than these.
 */
export async function replacePaths(tx: Tx): Promise<void> {
  const functions = await tx<{ name: string; body: string }[]>`
    select proname as name, prosrc as body
    from pg_proc
    where pronamespace = 'public'::regnamespace
      and starts_with(proname, 'path_of_')
      and prosrc !~ 'tenant'
  `
  for (const { name, body } of functions) {
    await tx.unsafe(`
      create or replace function ${name}(resource_id uuid, caller_id uuid)
        returns table (
          id uuid, organization_id uuid, workspace_id uuid, project_id uuid, owner_id uuid,
          organization_role text, workspace_role text
        )
        language plpgsql stable
        as $path$
          #variable_conflict use_column
          declare
            tenants uuid[] := array(select listed.organization_id from member_organizations as listed where listed.user_id = caller_id);
            tenant uuid;
            is_away boolean := false;
          begin
            foreach tenant in array tenants loop
              if cardinality(tenants) = 1 then
                return query ${body} and resource.organization_id = tenant;
              else
                -- It may be in an organization whose node is there. A block that catches errors costs a round trip more.
                begin
                  return query ${body} and resource.organization_id = tenant;
                  if found then return; end if;
                exception when connection_exception then
                  is_away := true;
                end;
              end if;
            end loop;
            if is_away then raise exception 'The node of an organization cannot be reached.' using errcode = 'connection_failure'; end if;
          end
        $path$
    `)
  }
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
              and link.hash = link_hash
              and link.expires_at > now();
        end
      $$
  `
}
