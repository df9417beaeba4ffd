/** Calls of the routes of gates without an execution. */
import type { Actor } from '../support/signalbox.ts'
import type { Walk } from './walk.ts'

/** Changes that are requested, and an override that is reviewed and revoked. */
async function gateOutcomes(walk: Walk, ada: Actor, grace: Actor): Promise<void> {
  const GATES = '/api/v1/executions/{execution_id}/gates'
  await walk.create(grace, GATES, 'gate_id', { name: 'Outcomes' })
  await walk.call(ada, 'POST /api/v1/gates/{gate_id}/challenge', { decision: 'approve' })
  await walk.call(ada, 'POST /api/v1/gates/{gate_id}/request-changes', { comment: 'Split it' })
  await walk.create(grace, GATES, 'gate_id', { name: 'Withdrawn' })
  await walk.call(grace, 'POST /api/v1/gates/{gate_id}/cancel')
  const overridden = await walk.create(grace, GATES, 'gate_id', { name: 'Outcomes', environment: 'production' })
  await walk.call(ada, 'POST /api/v1/gates/{gate_id}/override', {
    reason: 'It is down',
    incident_url: 'https://status.example/1',
  })
  await walk.box.sql`update gates set review_due_at = now() where id = ${overridden.id}`
  await walk.box.until('the review is due', async () => {
    const [event] = await walk.box.sql`
      select from outbox where name = 'gate.review_due' and data -> 'gate' ->> 'id' = ${overridden.id}
    `
    return event !== undefined
  })
  const member = `/api/v1/organizations/${walk.ids.org_id}/members/${grace.id}`
  await ada.put(member, { role: 'admin' })
  await walk.call(grace, 'POST /api/v1/gates/{gate_id}/review', { comment: 'Right' })
  await ada.put(member, { role: 'member' })
}

/** Waits until the attestation of a gate is signed. */
const signed = (walk: Walk, gate_id: string): Promise<void> =>
  walk.box.until('the attestation is signed', async () => {
    const [found] = await walk.box.sql`select from attestations where gate_id = ${gate_id}`
    return found !== undefined
  })

/** Pauses the hook, and revokes an approval while its dispatch waits. */
export async function revokedApproval(walk: Walk, ada: Actor): Promise<void> {
  await walk.call(ada, 'PUT /api/v1/deployment-hooks/{hook_id}', { paused: true })
  const subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'c'.repeat(64) } }
  const gate = await walk.create(ada, '/api/v1/projects/{project_id}/gates', 'gate_id', { name: 'Revoked', subject })
  await walk.call(ada, 'POST /api/v1/gates/{gate_id}/override', { reason: 'It is down' })
  await walk.box.until('its dispatch waits', async () => {
    const [dispatch] = await walk.box.sql`select from dispatches where gate_id = ${gate.id}`
    return dispatch !== undefined
  })
  await walk.call(ada, 'POST /api/v1/gates/{gate_id}/revoke', { reason: 'It is up again' })
  await signed(walk, gate.id)
}

/** The attestation of an approved gate, and the keys that sign. */
async function attestation(walk: Walk, ada: Actor): Promise<void> {
  const keys = '/api/v1/organizations/{org_id}/signing-keys'
  await walk.call(ada, `POST ${keys}/rotate`)
  await walk.call(ada, `POST ${keys}/rotate`)
  await walk.call(ada, `GET ${keys}`)
  const digest = `sha256:${'b'.repeat(64)}`
  const subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'b'.repeat(64) } }
  const { id } = await walk.create(ada, '/api/v1/projects/{project_id}/gates', 'gate_id', {
    name: 'Signed',
    environment: 'staging',
    subject,
  })
  await walk.call(ada, 'POST /api/v1/gates/{gate_id}/override', { reason: 'It is down' })
  await signed(walk, id)
  await walk.call(ada, 'GET /api/v1/gates/{gate_id}/attestation')
  await walk.call(ada, 'GET /api/v1/projects/{project_id}/attestations', undefined, {}, { digest })
  await walk.call(ada, 'POST /api/v1/projects/{project_id}/verify', { environment: 'staging', digest })
}

/** What becomes of gates of a running execution; a gate without an execution that replaces another one, and one that expires. */
export async function projectGates(walk: Walk, ada: Actor, grace: Actor): Promise<void> {
  await gateOutcomes(walk, ada, grace)
  const GATES = `/api/v1/projects/{project_id}/gates`
  const subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'a'.repeat(64) } }
  const input = {
    name: 'Release',
    environment: 'production',
    subject,
    evidence: { checks: [{ name: 'Tests', state: 'passed' }] },
  }
  await attestation(walk, ada)
  await walk.create(grace, GATES, 'gate_id', input)
  const newer = { ...input, subject: { ...subject, version: 'v2' } }
  const { binding } = await walk.create(grace, GATES, 'gate_id', newer)
  await walk.call(ada, `GET /api/v1/gates/{gate_id}/effects`)
  await walk.call(ada, `POST /api/v1/gates/{gate_id}/approve`, { binding })
  await walk.call(ada, `GET /api/v1/gates/{gate_id}/clearance`)
  await walk.call(ada, `GET /api/v1/gates/{gate_id}/effects`)
  await walk.create(grace, GATES, 'gate_id', input)
  await walk.call(ada, `POST /api/v1/gates/{gate_id}/reject`)
}
