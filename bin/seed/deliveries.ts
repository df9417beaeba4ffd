/** Hooks and channels of the seed data, and the receiver that they reach. */
import type { ApiClient, Resource } from '../support/api-client.ts'
import { isLoopbackBlocked, loopbackBlocked } from '../support/loopback.ts'
import type { Clients } from './accounts.ts'
import type { Place } from './organization.ts'

/** The port of `bun run listen`, which receives what the hooks send later. */
const LISTEN_PORT = 9000
const TIMEOUT_MS = 30_000

/** One outage, one refusal for good, and otherwise success. */
function answer(path: string, headers: Headers): Response {
  const isFirst = headers.get('x-signalbox-sequence') === '2' && headers.get('x-signalbox-attempt') === '1'
  if (path === '/production' && isFirst) return new Response('the cluster is being upgraded', { status: 503 })
  if (path === '/release-train') {
    return new Response('unknown release', { status: 422, headers: { 'X-Signalbox-Control': 'stop' } })
  }
  return new Response('ok')
}

/** A receiver on the port of `bun run listen`, or on a free one where that is taken. */
export function startReceiver(): AsyncDisposable & { url: string } {
  const listen = (port: number) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      async fetch(request) {
        await request.text()
        return answer(new URL(request.url).pathname, request.headers)
      },
    })
  const server = (() => {
    try {
      return listen(LISTEN_PORT)
    } catch {
      return listen(0)
    }
  })()
  return { url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) }
}

/** @returns the hooks whose receiver answers */
export async function createHooks({ grace }: Clients, place: Place, receiver: string): Promise<Resource[]> {
  const create = (project: Resource, name: string, trigger_on: string, url: string, environment: string) =>
    grace.post(`/projects/${project.id}/deployment-hooks`, { name, trigger_on, url, environment })
  try {
    const hooks = [
      await create(place.checkout, 'Deploy to staging', 'gate_approved', `${receiver}/staging`, 'staging'),
      await create(place.checkout, 'Deploy to production', 'workflow_done', `${receiver}/production`, 'production'),
      await create(place.identity, 'Announce to the release train', 'workflow_done', `${receiver}/release-train`, 'production'),
    ]
    // Nothing listens on the discard port, so its dispatches are retried for a day.
    await create(place.vision, 'Update the cameras', 'workflow_done', 'http://127.0.0.1:9/cameras', 'warehouse')
    return hooks
  } catch (error) {
    throw isLoopbackBlocked(error) ? loopbackBlocked() : error
  }
}

export async function createChannels({ grace }: Clients, { platform }: Place, receiver: string): Promise<void> {
  const create = async (name: string, channel_type: string, config: object, patterns: string[]) => {
    const channel = await grace.post(`/workspaces/${platform.id}/notification-channels`, { name, channel_type, config })
    for (const event_pattern of patterns) {
      await grace.post(`/notification-channels/${channel.id}/subscriptions`, { event_pattern })
    }
  }
  await create('#releases', 'slack', { webhook_url: `${receiver}/slack` }, ['gate.*', 'deployment.*'])
  await create('Dashboard', 'webhook', { url: `${receiver}/dashboard` }, ['execution.*', 'budget.*'])
}

/** A rollback, which every hook of the project receives. */
export const rollBack = ({ grace }: Clients, { checkout }: Place): Promise<unknown> =>
  grace.post(
    `/projects/${checkout.id}/deployment-rollback`,
    { target_version: 'v1.4.1', reason: 'Invoices were sent twice.' },
    { Prefer: 'wait=10' },
  )

/** Waits until no dispatch of the hooks is pending. */
export async function untilDelivered(api: ApiClient, hooks: Resource[]): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await Bun.sleep(100)) {
    const lists = await Promise.all(
      hooks.map(({ id }) => api.get<{ items: { status: string }[] }>(`/deployment-hooks/${id}/dispatches?page_size=100`)),
    )
    if (lists.every(({ items }) => items.every(({ status }) => status !== 'pending'))) return
  }
}
