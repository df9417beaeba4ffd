/** Calls of the routes of gates without an execution. */
import type { Actor } from '../support/signalbox.ts'
import type { Walk } from './walk.ts'

/** A gate without an execution that replaces another one, and one that expires. */
export async function projectGates(walk: Walk, ada: Actor, grace: Actor): Promise<void> {
  const GATES = `/api/v1/projects/{project_id}/gates`
  const subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'a'.repeat(64) } }
  const input = {
    name: 'Release',
    environment: 'production',
    subject,
    evidence: { checks: [{ name: 'Tests', state: 'passed' }] },
  }
  await walk.create(grace, GATES, 'gate_id', input)
  const newer = { ...input, subject: { ...subject, version: 'v2' } }
  const { binding } = await walk.create(grace, GATES, 'gate_id', newer)
  await walk.call(ada, `GET /api/v1/gates/{gate_id}/effects`)
  await walk.call(ada, `POST /api/v1/gates/{gate_id}/approve`, { binding })
  await walk.create(grace, GATES, 'gate_id', input)
  await walk.call(ada, `POST /api/v1/gates/{gate_id}/reject`)
}
