import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { listRuntimes, recordHeartbeat, registerRuntime, removeRuntime } from './runtimes.ts'
import { Heartbeat, Runtime, RuntimeInput } from './schema.ts'

export const runtimes = new Elysia({ name: 'runtimes', prefix: '/api/v1', tags: ['Runtimes'] })
  .use(access)
  .get(
    '/organizations/:org_id/runtimes',
    async ({ request, organization, query }) => {
      const rows = await listed(request, query, NEWEST_FIRST, (slice) => listRuntimes(sql, organization.id, slice))
      return rows.map(({ created_at: _, ...runtime }) => runtime)
    },
    operation('organization', 'member', {
      id: 'listRuntimes',
      summary: 'List the runtimes of an organization',
      query: Shape(LIST),
      responses: { 200: Type.Array(Runtime) },
    }),
  )
  .post(
    '/organizations/:org_id/runtimes',
    ({ caller, organization, change, body }) =>
      change(
        201,
        (tx) => registerRuntime(tx, caller, organization, body),
        () => `/api/v1/organizations/${organization.id}/runtimes`,
      ),
    operation('organization', 'member', {
      id: 'registerRuntime',
      summary: 'Register a runtime',
      description:
        'A runtime is a daemon that runs agents for the organization. You become its owner. It is online at once and must send a heartbeat at least every 90 seconds (`RUNTIME_OFFLINE_SECONDS`); every 30 seconds is recommended. Emits `runtime.online`.',
      body: RuntimeInput,
      responses: { 201: Runtime },
    }),
  )
  .post(
    '/runtimes/:runtime_id/heartbeat',
    ({ caller, runtime, change, body }) => change(200, (tx) => recordHeartbeat(tx, caller, runtime, body)),
    operation('runtime', 'own', {
      id: 'sendHeartbeat',
      summary: 'Send a heartbeat',
      description:
        'Reports that the runtime is alive and, with `agents`, which agents it can run. An offline runtime becomes online, which emits `runtime.online`. Heartbeats are not recorded in the audit log.',
      body: Heartbeat,
      responses: { 200: Runtime },
    }),
  )
  .delete(
    '/runtimes/:runtime_id',
    ({ request, caller, runtime, change }) => change(204, (tx) => removeRuntime(tx, caller, runtime, request)),
    operation('runtime', 'admin', {
      id: 'deleteRuntime',
      summary: 'Delete a runtime',
      description: 'Executions that ran on it are kept; their `runtime_id` becomes null.',
      responses: { 204: null },
    }),
  )
