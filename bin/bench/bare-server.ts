/**
 * The baseline of requests, as a process: bare Elysia routes that run the API's own SQL on the same kind of pool, without
 * tokens, validation, entity tags and logs.
 */
import { Elysia } from 'elysia'
import { getOrganization } from '../../api/organizations/organizations.ts'
import { bySession, findCaller } from '../../api/plugins/callers.ts'
import type { Caller } from '../../api/plugins/request-context.ts'
import type { Kind } from '../../api/plugins/resources.ts'
import { createRequirement } from '../../api/requirements/requirements.ts'
import { sql } from '../../core/platform/database.ts'

/** Finds the caller that two headers name, and a resource with the caller's roles, in the API's own statement. */
async function find<K extends Kind>(headers: Record<string, string | undefined>, kind: K, id: string) {
  const claims = { user_id: headers['x-user'] ?? '', session_id: headers['x-session'] ?? '' }
  const found = await findCaller(bySession(claims), kind, id)
  if (!found?.resource) throw new Error('The caller has no access')
  return { ...found, resource: found.resource }
}

const app = new Elysia()
  .get('/api/v1/organizations/:id', async ({ headers, params }) => {
    const { resource } = await find(headers, 'organization', params.id)
    return getOrganization(sql, resource.id)
  })
  .post('/api/v1/projects/:id/requirements', async ({ headers, params, body, set }) => {
    const { resource, user_id: id, user_name: name, email, session_id } = await find(headers, 'project', params.id)
    const none = { request_id: null, traceparent: null, token_id: null, bound_to: null, service_account: null }
    const visitor = {
      ip_address: '127.0.0.1',
      device: 'bench',
      session_id,
      has_second_factor: false,
      has_password: true,
      unproven: null,
      opened_by: null,
    }
    const by: Caller = { type: 'human', id, name, email, ...visitor, ...none }
    set.status = 201
    return sql.begin((tx) => createRequirement(tx, by, resource, body as { title: string }))
  })
  .listen({ port: 0, hostname: '127.0.0.1' })

console.log(`http://127.0.0.1:${app.server?.port}`)
