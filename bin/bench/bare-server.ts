/**
 * The baseline of requests, as a process: bare Elysia routes that run the API's own SQL on the same kind of pool, without
 * tokens, validation, entity tags and logs.
 */
import { Elysia } from 'elysia'
import { getOrganization } from '../../api/organizations/organizations.ts'
import { bySession, type FoundCaller, findCaller } from '../../api/plugins/callers.ts'
import type { Caller, ProjectResource } from '../../api/plugins/request-context.ts'
import { createRequirement } from '../../api/requirements/requirements.ts'
import { sql } from '../../core/platform/database.ts'

const { BENCH_USER_ID: user_id = '', BENCH_SESSION_ID: session_id = '' } = process.env

/** Finds the caller and a resource with the caller's roles, in the API's own statement. */
async function find(kind: 'organization' | 'project', id: string): Promise<FoundCaller & ProjectResource> {
  return (await findCaller(bySession({ user_id, session_id }), kind, id)) as FoundCaller & ProjectResource
}

const app = new Elysia()
  .get('/api/v1/organizations/:id', async ({ params }) => {
    const { id } = await find('organization', params.id)
    return getOrganization(sql, id)
  })
  .post('/api/v1/projects/:id/requirements', async ({ params, body, set }) => {
    const place = await find('project', params.id)
    const by: Caller = {
      type: 'human',
      id: place.user_id,
      name: place.user_name,
      email: place.email,
      ip_address: '127.0.0.1',
      device: 'bench',
      request_id: null,
      traceparent: null,
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
