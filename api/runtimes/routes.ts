import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { beat, listRuntimes, registerRuntime, removeRuntime } from './runtimes.ts'
import { Heartbeat, Runtime, RuntimeInput } from './schema.ts'

const tag = 'Runtimes'

export const runtimes = new Elysia({ name: 'runtimes', prefix: '/api/v1' })
  .use(access)
  .get(
    '/organizations/:org_id/runtimes',
    ({ request, organization, query }) => listed(request, query, (slice) => listRuntimes(sql, organization.id, slice)),
    {
      organization: 'member',
      ...operation({
        tag,
        id: 'listRuntimes',
        summary: 'The runtimes of an organization',
        query: Shape(LIST),
        responses: { 200: Type.Array(Runtime) },
      }),
    },
  )
  .post(
    '/organizations/:org_id/runtimes',
    ({ caller, organization, change, body }) =>
      change(
        201,
        (tx) => registerRuntime(tx, caller, organization, body),
        () => `/api/v1/organizations/${organization.id}/runtimes`,
      ),
    {
      organization: 'member',
      ...operation({
        tag,
        id: 'registerRuntime',
        summary: 'Register a runtime',
        description:
          'A daemon that runs agents for the whole organization. It belongs to you, is online from now on, and must send a heartbeat at least every 90 seconds (`RUNTIME_OFFLINE_SECONDS`); every 30 is a good rhythm. Raises `runtime.online`.',
        body: RuntimeInput,
        responses: { 201: Runtime },
      }),
    },
  )
  .post(
    '/runtimes/:runtime_id/heartbeat',
    ({ caller, runtime, change, body }) => change(200, (tx) => beat(tx, caller, runtime, body)),
    {
      runtime: 'own',
      ...operation({
        tag,
        id: 'sendHeartbeat',
        summary: 'Send a heartbeat',
        description:
          'Says that the runtime is alive and, with `agents`, what it can run now. One that was offline is online again, and raises `runtime.online`. Heartbeats are not in the audit log.',
        body: Heartbeat,
        responses: { 200: Runtime },
      }),
    },
  )
  .delete('/runtimes/:runtime_id', ({ caller, runtime, change }) => change(204, (tx) => removeRuntime(tx, caller, runtime)), {
    runtime: 'admin',
    ...operation({
      tag,
      id: 'deleteRuntime',
      summary: 'Remove a runtime',
      description: 'Executions that ran on it stay; their `runtime_id` becomes null.',
      responses: { 204: null },
    }),
  })
