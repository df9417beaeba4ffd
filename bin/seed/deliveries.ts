/** Hooks and channels of the seed data. */
import type { ApiClient, Resource } from '../support/api-client.ts'
import { isLoopbackBlocked, loopbackBlocked } from '../support/loopback.ts'
import type { Clients } from './accounts.ts'
import type { Site } from './organization.ts'

const TIMEOUT_MS = 30_000

/** @returns the hooks whose receiver answers */
export async function createHooks({ grace }: Clients, site: Site, receiver: string): Promise<Resource[]> {
  const create = (project: Resource, name: string, trigger_on: string, url: string, environment: string, others: object = {}) =>
    grace.post(`/projects/${project.id}/deployment-hooks`, { name, trigger_on, url, environment, ...others })
  try {
    const hooks = [
      await create(site.checkout, 'Deploy to staging', 'gate_approved', `${receiver}/staging`, 'staging', {
        signature: 'ed25519',
        report_within_seconds: 1800,
        filter: { '/data/gate/name': { starts_with: 'Release' } },
        body_template: {
          ref: 'main',
          inputs: { environment: '{{/environment}}', gate: '{{/data/gate/name}}', version: '{{/data/target_version}}' },
        },
      }),
      await create(site.checkout, 'Deploy to production', 'workflow_done', `${receiver}/production`, 'production', {
        report_within_seconds: 1800,
      }),
      await create(site.identity, 'Announce to the release train', 'workflow_done', `${receiver}/release-train`, 'production'),
    ]
    // Nothing listens on the discard port, so its dispatches are retried for 28 hours.
    await create(site.vision, 'Update the cameras', 'workflow_done', 'http://127.0.0.1:9/cameras', 'warehouse')
    return hooks
  } catch (error) {
    throw isLoopbackBlocked(error) ? loopbackBlocked() : error
  }
}

export async function createChannels({ grace }: Clients, { platform }: Site, receiver: string): Promise<void> {
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
export const rollBack = ({ grace }: Clients, { checkout }: Site): Promise<unknown> =>
  grace.post(
    `/projects/${checkout.id}/deployment-rollback`,
    { target_version: 'v1.4.13', reason: 'Invoices were sent twice.' },
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
