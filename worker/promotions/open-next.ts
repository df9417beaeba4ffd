/** Opens the gate for a subject that has run in the environment before long enough. */
import { digestOf } from '../../core/gates/attestations.ts'
import { approved, type Evidence, type Subject } from '../../core/gates/gates.ts'
import { lackingFields, lockPolicies } from '../../core/gates/rules.ts'
import { type Origin, openGate } from '../../core/openings/opening.ts'
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
  /** Why its gate could not be opened when the sweep looked before; null if it could, or did not. */
  former_obstacle: string | null
  now: string
}

type Ready = Candidate & { digest: string | null; subject: Subject; since: string }

interface Earlier extends Origin {
  evidence: Omit<Evidence, 'artifacts'> | null
  /** Of the rollout. */
  url: string | null
}

/**
 * What was shown to those who approved the subject for the environment before, where its rollout is, and whose work it is: of those who opened
 * that gate or started its execution, and of those who triggered the rollout without a gate, or reported it. Of a gate that is not approved,
 * or not any more, no evidence counts: anyone can open one for a digest, with any evidence.
 */
async function readEarlier(tx: Tx, { organization_id, project_id }: ProjectScope, ready: Ready): Promise<Earlier> {
  const digest = tx.json(digestOf(ready.digest ?? '') as Json)
  const [earlier = NOTHING_EARLIER] = await tx<Earlier[]>`
    select
      rollout.url,
      case when before.is_approved then before.evidence end as evidence,
      case when before.is_approved then before.added_checks else 0 end as added_checks,
      array_remove(
        coalesce(before.asked_by, '{}') || array[
          before.created_by,
          (
            select started_by from executions where id = before.execution_id and organization_id = ${organization_id}
          ),
          rollout.reported_by,
          (
            select requested_by
            from dispatches
            where id = rollout.id
              and organization_id = ${organization_id}
              and event = 'manual.trigger'
          )
        ],
        null
      ) as asked_by
    from (select ${ready.rollout_id}::uuid as id) as wanted
    left join rollouts as rollout on rollout.id = wanted.id and rollout.organization_id = ${organization_id}
    left join lateral (
      select gate.evidence, gate.added_checks, gate.asked_by, gate.created_by, gate.execution_id, ${approved()} as is_approved
      from gates as gate
      where gate.project_id = ${project_id}
        and gate.organization_id = ${organization_id}
        and gate.subject is not null
        and gate.subject -> 'digest' = ${digest}
        and (gate.id = rollout.gate_id or gate.environment = ${ready.promotes_from} and ${approved()})
      order by gate.id is not distinct from rollout.gate_id desc, gate.decided_at desc, gate.id desc
      limit 1
    ) as before on true
  `
  return earlier
}

const NOTHING_EARLIER: Earlier = { evidence: null, url: null, asked_by: [], added_checks: 0 }

const MAX_CHECKS = 50

/** Those that fit into so many: of too many, passed ones are left out. */
function fitting(checks: Evidence['checks'], room: number): Evidence['checks'] {
  if (checks.length <= room) return checks
  return [...checks].sort((a, b) => Number(a.state === 'passed') - Number(b.state === 'passed')).slice(0, room)
}

type Checks = Record<'reported' | 'added', Evidence['checks']>

/** The checks of the gate before: those that were reported, and those that Signalbox has added for environments before that. */
function checksOf({ evidence, added_checks }: Earlier): Checks {
  const checks = evidence?.checks ?? []
  const reported = checks.length - added_checks
  return { reported: checks.slice(0, reported), added: checks.slice(reported) }
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase().trim()

/** Without those that passed and are named as those that Signalbox adds: anyone can report that a subject ran somewhere for a while. */
function unlikeAdded(reported: Evidence['checks'], added: Evidence['checks']): Evidence['checks'] {
  const beginnings = added.map(({ name }) => `${plain(name.slice(0, name.lastIndexOf(' for ')))} for `)
  return reported.filter(({ name, state }) => state !== 'passed' || !beginnings.some((each) => plain(name).startsWith(each)))
}

/** The checks of the next gate: those that were reported, and those that Signalbox adds. */
function nextChecks({ promotes_from, since, now, rollout_id }: Ready, earlier: Earlier): Checks {
  const before = checksOf(earlier)
  const check = {
    name: `${promotes_from} for ${durationText(since, now)}`,
    state: 'passed' as const,
    url: earlier.url ?? pageUrl('dispatch', rollout_id),
    detail: null,
  }
  const added = [...before.added, check]
  return { reported: fitting(unlikeAdded(before.reported, added), MAX_CHECKS - added.length), added }
}

/** @param place its project is locked @returns why it cannot be opened; null if it was */
export async function openNext(
  tx: Tx,
  { environment, ...scope }: ProjectScope & { environment: string },
  ready: Ready,
): Promise<string | null> {
  const policies = await lockPolicies(tx, scope, environment)
  if (!policies) return null
  const earlier = await readEarlier(tx, scope, ready)
  const { subject } = ready
  const { reported, added } = nextChecks(ready, earlier)
  // A soak is no test: what Signalbox adds itself does not satisfy a rule, nor does what looks like it.
  const [lack] = lackingFields(policies, { subject, evidence: { checks: reported } })
  if (lack) return `The checks of the gate before ${lack.detail}.`
  const { summary = null, metrics = {}, links = [] } = earlier.evidence ?? {}
  const evidence = { summary, metrics, checks: [...reported, ...added], links, artifacts: [] }
  const question = { name: `Promote to ${environment}`, description: null, environment, subject, evidence, fields: [] }
  const parent = { scope, execution_id: null, requirement_id: null }
  const origin = { asked_by: [...new Set(earlier.asked_by)], added_checks: added.length }
  const opened = await openGate(tx, SYSTEM, parent, question, policies.rules, origin)
  return 'code' in opened ? opened.detail : null
}
