/** Which thread an event belongs to, and the gates that a thread shows, as they are now. Their size is bounded: evidence and texts of agents may be large. */
import { readCircumstances } from '../../../core/dispatches/circumstances.ts'
import { effectsText } from '../../../core/dispatches/effects.ts'
import { warningsText } from '../../../core/dispatches/warnings.ts'
import { type Approval, type Evidence, type Gate, gateColumns } from '../../../core/gates/gates.ts'
import { sql } from '../../../core/platform/database.ts'

/** What a thread is about: an execution, or a gate that has none. */
export type Topic = { type: 'execution' | 'gate'; id: string }

export const topicOfGate = ({ id, execution_id }: { id: string; execution_id: string | null }): Topic =>
  execution_id === null ? { type: 'gate', id } : { type: 'execution', id: execution_id }

/** The thread of an event; null if it is about something else. */
export function topicOf(data: Record<string, unknown>): Topic | null {
  const { execution, gate } = data as {
    execution?: { id?: unknown } | null
    gate?: { id?: unknown; execution_id?: unknown } | null
  }
  const id = execution?.id ?? gate?.execution_id
  if (typeof id === 'string') return { type: 'execution', id }
  return gate?.execution_id === null && typeof gate.id === 'string' ? { type: 'gate', id: gate.id } : null
}

/** What messages show of a gate. Lists and long texts are left out, or cut. */
type ShownGate = Pick<
  Gate,
  | 'id'
  | 'organization_id'
  | 'execution_id'
  | 'name'
  | 'description'
  | 'environment'
  | 'subject'
  | 'status'
  | 'required_approvals'
  | 'expires_at'
  | 'binding'
  | 'comment'
  | 'superseded_by'
  | 'created_by'
  | 'decided_by'
  | 'decided_via'
  | 'revoked_by'
  | 'revoked_at'
  | 'revocation_reason'
  | 'created_at'
>

export interface GateState extends ShownGate {
  evidence: Pick<Evidence, 'summary' | 'metrics'> & { checks: Pick<Evidence['checks'][number], 'name' | 'state'>[] }
  approvals: Pick<Approval, 'counts'>[]
  /** Whether an approval takes answers. */
  has_questions: boolean
  require_passkey: boolean
  decided_by_name: string | null
  revoked_by_name: string | null
  is_open: boolean
  /** What an approval does; null if it cannot be decided any more. */
  effects: string | null
  /** What speaks against it; null if nothing does, or it cannot be decided any more. */
  warnings: string | null
}

/** What is computed for the newest pending gates. */
type Outlook = Pick<GateState, 'effects' | 'warnings'>

type ThreadKey = { organization_id: string; topic: Topic }

/** Gates of a thread: an execution has at most as many. */
export const MAX_GATES = 100

/** Characters of texts: more than messages show. */
const MAX_TEXT = 2_000

const readRows = ({ organization_id, topic }: ThreadKey) => sql<Omit<GateState, keyof Outlook>[]>`
  select
    gate.id, gate.organization_id, gate.execution_id, gate.name, left(gate.description, ${MAX_TEXT}) as description,
    gate.environment, gate.subject, gate.status, gate.required_approvals, gate.expires_at, gate.binding,
    left(gate.comment, ${MAX_TEXT}) as comment, gate.superseded_by, gate.created_by, gate.decided_by, gate.decided_via,
    gate.revoked_by, gate.revoked_at, left(gate.revocation_reason, ${MAX_TEXT}) as revocation_reason,
    gate.created_at, gate.is_open, decider.name as decided_by_name, revoker.name as revoked_by_name,
    gate.fields @> '[{"required": true}]' as has_questions,
    (gate.rules -> 'require_passkey')::boolean as require_passkey,
    jsonb_build_object(
      'summary', gate.evidence -> 'summary',
      'metrics', coalesce(case when gate.is_open then gate.evidence -> 'metrics' end, '{}'),
      'checks', (
        select coalesce(jsonb_agg(jsonb_build_object('name', value -> 'name', 'state', value -> 'state')), '[]')
        from jsonb_array_elements(case when gate.is_open then gate.evidence -> 'checks' end)
      )
    ) as evidence,
    (
      select coalesce(jsonb_agg(jsonb_build_object('counts', value -> 'counts')), '[]') from jsonb_array_elements(gate.approvals)
    ) as approvals
  from (
    select ${gateColumns}, gate_is_open(gates.status, gates.expires_at) as is_open
    from gates
    where ${
      topic.type === 'gate'
        ? sql`(gates.id = ${topic.id} or gates.superseded_by = ${topic.id})`
        : sql`gates.execution_id = ${topic.id}`
    }
      and gates.organization_id = ${organization_id}
    order by gates.created_at desc, gates.id desc
    limit ${MAX_GATES}
  ) as gate
  left join people as decider on decider.id = gate.decided_by
  left join people as revoker on revoker.id = gate.revoked_by
  order by gate.created_at desc, gate.id desc
`

/** Pending gates whose messages say what an approval does: the newest. Filters of hooks read all that a gate has. */
const MAX_WITH_EFFECTS = 20

const readWhole = (organization_id: string, ids: string[]) => sql<Gate[]>`
  select ${gateColumns}
  from gates
  where gates.id = any(${ids}::uuid[])
    and gates.organization_id = ${organization_id}
`

async function readOutlooks(organization_id: string, ids: string[]): Promise<Map<string, Outlook>> {
  if (ids.length === 0) return new Map()
  const [gates, circumstances] = await Promise.all([
    readWhole(organization_id, ids),
    readCircumstances(sql, organization_id, ids),
  ])
  return new Map(
    gates.flatMap((gate) => {
      const found = circumstances.get(gate.id)
      return found ? [[gate.id, { effects: effectsText(gate, found), warnings: warningsText(gate, found) }]] : []
    }),
  )
}

export async function readGates(key: ThreadKey): Promise<GateState[]> {
  const gates = await readRows(key)
  const open = gates.flatMap(({ id, is_open }) => (is_open ? id : [])).slice(0, MAX_WITH_EFFECTS)
  const outlooks = await readOutlooks(key.organization_id, open)
  return gates.map((gate) => ({ ...gate, ...(outlooks.get(gate.id) ?? { effects: null, warnings: null }) }))
}
