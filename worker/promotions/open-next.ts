/** Opens the gate for a subject that has run in the environment before long enough. */
import { digestOf } from '../../core/gates/attestations.ts'
import { approved, type Evidence, type Subject } from '../../core/gates/gates.ts'
import { lackingFields, lockPolicies } from '../../core/gates/rules.ts'
import { openGate } from '../../core/openings/opening.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import { pageUrl } from '../../core/tenants/links.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import { durationText } from '../../core/values/instants.ts'
import type { Json, Tx } from '../../sql/index.ts'

export interface Candidate {
  promotes_from: string
  open_gate: boolean
  /** Of the subject whose run began last; null, as what follows, if there is none, or it has ended. */
  digest: string | null
  subject: Subject | null
  since: string | null
  rollout_id: string | null
  soak_until: string | null
  /** Of what runs in the environment itself. */
  current_digest: string | null
  is_announced: boolean
  now: string
}

type Ready = Candidate & { digest: string | null; subject: Subject; since: string }

interface Earlier {
  evidence: Omit<Evidence, 'artifacts'> | null
  /** Of the rollout. */
  url: string | null
}

/**
 * What was shown to those who approved the subject for the environment before, and where its rollout is. Gates that were not approved do not
 * count: anyone can open one for a digest, with any evidence.
 */
async function readEarlier(tx: Tx, { organization_id, project_id }: ProjectScope, ready: Ready): Promise<Earlier> {
  const digest = tx.json(digestOf(ready.digest ?? '') as Json)
  const [earlier = { evidence: null, url: null }] = await tx<Earlier[]>`
    select
      rollout.url,
      (
        select gate.evidence
        from gates as gate
        where gate.project_id = ${project_id}
          and gate.organization_id = ${organization_id}
          and gate.subject is not null
          and gate.subject -> 'digest' = ${digest}
          and (gate.id = rollout.gate_id or gate.environment = ${ready.promotes_from} and ${approved()})
        order by gate.id is not distinct from rollout.gate_id desc, gate.decided_at desc, gate.id desc
        limit 1
      ) as evidence
    from (select ${ready.rollout_id}::uuid as id) as wanted
    left join rollouts as rollout on rollout.id = wanted.id and rollout.organization_id = ${organization_id}
  `
  return earlier
}

const MAX_CHECKS = 50

/** Those that fit alongside one more: of too many, passed ones are left out. */
function fitting(checks: Evidence['checks']): Evidence['checks'] {
  if (checks.length < MAX_CHECKS) return checks
  return [...checks].sort((a, b) => Number(a.state === 'passed') - Number(b.state === 'passed')).slice(0, MAX_CHECKS - 1)
}

function evidenceOf({ promotes_from, since, now, rollout_id }: Ready, { evidence, url }: Earlier): Evidence {
  const { summary = null, metrics = {}, checks = [], links = [] } = evidence ?? {}
  const check = {
    name: `${promotes_from} for ${durationText(since, now)}`,
    state: 'passed' as const,
    url: url ?? pageUrl('dispatch', rollout_id),
    detail: null,
  }
  return { summary, metrics, checks: [...fitting(checks), check], links, artifacts: [] }
}

/** @param place its project is locked @returns why it cannot be opened; null if it was */
export async function openNext(
  tx: Tx,
  { environment, ...scope }: ProjectScope & { environment: string },
  ready: Ready,
): Promise<string | null> {
  const policies = await lockPolicies(tx, scope, environment)
  if (!policies) return null
  const evidence = evidenceOf(ready, await readEarlier(tx, scope, ready))
  const { subject } = ready
  const lacks = lackingFields(policies, { subject, evidence })
  if (lacks.length > 0) return lacks.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}.`).join(' ')
  const question = { name: `Promote to ${environment}`, description: null, environment, subject, evidence, fields: [] }
  const parent = { scope, execution_id: null, requirement_id: null }
  const opened = await openGate(tx, SYSTEM, parent, question, policies.rules)
  return 'code' in opened ? opened.detail : null
}
