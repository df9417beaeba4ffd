/**
 * What the API is compared with: bare Elysia routes that run the same SQL on the same kind of pool, and nothing
 * else: no token, no validation, no entity tag, no log.
 *
 * The operations are the API's own. The statement that finds the caller is a copy of the one in api/plugins/access.ts.
 */
import { Elysia } from 'elysia'
import { getOrganization } from '../../api/organizations/organizations.ts'
import type { Caller, LocatedInProject } from '../../api/plugins/exchange.ts'
import { createRequirement } from '../../api/requirements/requirements.ts'
import { sql } from '../../core/database.ts'

const { BENCH_USER_ID: user_id = '', BENCH_SESSION_ID: session_id = '' } = process.env

interface Found extends LocatedInProject {
  user_id: string
  user_name: string
  email: string
}

const organizations = sql`select id, id as organization_id, null::uuid as workspace_id, null::uuid as project_id from organizations`
const projects = sql`select id, organization_id, workspace_id, id as project_id from projects`

async function find(rows: typeof organizations, id: string): Promise<Found> {
  const [found] = await sql<[Found]>`
    select
      users.id as user_id, users.name as user_name, users.email,
      thing.id, thing.organization_id, thing.workspace_id, thing.project_id,
      organization_member.role as organization_role,
      workspace_member.role as workspace_role
    from sessions as session
    join users on users.id = session.user_id
    left join (${rows}) as thing on thing.id = ${id}
    left join organization_members as organization_member
      on organization_member.organization_id = thing.organization_id
      and organization_member.user_id = session.user_id
    left join workspace_members as workspace_member
      on workspace_member.workspace_id = thing.workspace_id
      and workspace_member.user_id = session.user_id
    where session.id = ${session_id}
      and session.user_id = ${user_id}
      and session.ended_at is null
  `
  return found
}

const app = new Elysia()
  .get('/api/v1/organizations/:id', async ({ params }) => {
    const { id } = await find(organizations, params.id)
    return getOrganization(sql, id)
  })
  .post('/api/v1/projects/:id/requirements', async ({ params, body, set }) => {
    const place = await find(projects, params.id)
    const by: Caller = {
      type: 'human',
      id: place.user_id,
      name: place.user_name,
      email: place.email,
      ip_address: '127.0.0.1',
      device: 'bench',
      request_id: null,
      session_id,
      token_id: null,
      bound_to: null,
    }
    set.status = 201
    return sql.begin((tx) => createRequirement(tx, by, place, body as { title: string }))
  })
  .listen({ port: 0, hostname: '127.0.0.1' })

console.log(`http://127.0.0.1:${app.server?.port}`)
process.on('SIGTERM', () => process.exit(0))
