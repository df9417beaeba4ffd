/** The pull hook of the seed data, and the CI system that claims its dispatches. */
import { apiClient, type Resource } from '../support/api-client.ts'
import type { Clients } from './accounts.ts'
import type { Site } from './organization.ts'

interface Claimed {
  dispatch: Resource
  lease_until: string
}

/** A hook for the stores, whose CI system is behind a firewall. */
export const createPullHook = ({ grace }: Clients, { checkout }: Site): Promise<Resource> =>
  grace.post(`/projects/${checkout.id}/deployment-hooks`, {
    name: 'Deploy to the stores',
    mode: 'pull',
    trigger_on: 'gate_approved',
    environment: 'stores',
    report_within_seconds: 86_400,
  })

/** Claims two dispatches: one is deployed, the other is leased for an hour. @param url of the Signalbox */
export async function claimTwo({ grace }: Clients, url: string, hook: Resource): Promise<void> {
  const { token } = await grace.post<{ token: string }>(`/deployment-hooks/${hook.id}/pull-token`)
  const ci = apiClient(url)
  ci.authorization = `Bearer ${token}`
  const claim = () => ci.post<Claimed[]>(`/deployment-hooks/${hook.id}/claim`, { lease_seconds: 3600, wait: 10 })
  const [first] = await claim()
  if (!first) return
  await grace.post(`/dispatches/${first.dispatch.id}/report`, { state: 'succeeded', version: 'v1.4.0' })
  await ci.post(`/dispatches/${first.dispatch.id}/acknowledge`, {
    outcome: 'succeeded',
    lease_until: first.lease_until,
    detail: '42 of 42 stores run v1.4.0.',
  })
  await claim()
}
