/** What a new gate lacks that the policy of its environment requires. */
import type { Tx } from '../../sql/index.ts'
import { digestText } from '../gates/attestations.ts'
import { type Lack, lackingFields, type Opening, type Policies } from '../gates/rules.ts'
import { notRunningText } from '../promotions/promotion.ts'
import { readRun } from '../promotions/runs.ts'
import type { ProjectScope } from '../tenants/scopes.ts'

/** What is wrong with the subject of a new gate where it must have run in another environment; null if nothing is. */
async function promotionLack(
  tx: Tx,
  { organization_id, project_id }: ProjectScope,
  { promotes_from }: Policies,
  { subject }: Opening,
): Promise<Lack | null> {
  if (promotes_from === null || !subject) return null
  const digest = digestText(subject.digest)
  const run = await readRun(tx, { organization_id, project_id, environment: promotes_from, digest })
  if (run?.since) return null
  const { ended_by = null, ended_at = null } = run ?? {}
  const detail = `must have run in the environment before: ${notRunningText({ from: promotes_from, digest, ended_by, ended_at })}`
  return { pointer: '/subject', code: 'not_promoted', detail }
}

/** What the environment requires and a new gate lacks. */
export async function lackOf(tx: Tx, scope: ProjectScope, policies: Policies, opening: Opening): Promise<Lack[]> {
  const promotion = await promotionLack(tx, scope, policies, opening)
  return [...lackingFields(policies, opening), ...(promotion ? [promotion] : [])]
}
