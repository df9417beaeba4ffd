import { PageClient } from '../support/page-client.ts'
import type { Actor } from '../support/signalbox.ts'
import { PageWalk } from './every-page.ts'
import type { Context, Walk } from './walk.ts'

/** Requests changes, overrides a gate, and has another admin review and revoke it, on the page. */
export async function gateOutcomePages(walk: Walk, pages: PageWalk, { box }: Context, admin: Actor): Promise<void> {
  const openGate = async () => {
    const gate = await admin.make(`/api/v1/projects/${walk.ids.project_id}/gates`, { name: 'Page outcome' })
    walk.ids.gate_id = gate.id
  }
  await openGate()
  await pages.visit('POST /app/gates/{gate_id}/request-changes', { comment: 'Split it' })
  await pages.visit('GET /app/gates/{gate_id}/attestation')
  await openGate()
  await pages.visit('POST /app/gates/{gate_id}/override', { reason: 'It is down', incident_url: '' })
  const reviewer = await box.user('Reviewer')
  await admin.make(`/api/v1/organizations/${walk.ids.org_id}/members`, { user_id: reviewer.id, role: 'admin' })
  const others = new PageWalk(walk, await PageClient.signedIn(box, reviewer))
  await others.visit('GET /app')
  await others.visit('POST /app/gates/{gate_id}/review', { comment: '' })
  await others.visit('POST /app/gates/{gate_id}/revoke', { reason: 'It is up' })
}
