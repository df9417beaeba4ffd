/** Gates as the API and the events show them. */
import { sql } from './platform/database.ts'

export type GateStatus = 'pending' | 'approved' | 'rejected' | 'cancelled' | 'expired'

/** The ways in which a person can decide a gate. */
export const WAYS = ['api', 'app', 'slack', 'mail'] as const

export type Way = (typeof WAYS)[number]

/** The approval of a gate by one person. */
export interface Approval {
  user_id: string
  name: string
  comment: string | null
  via: Way
  created_at: string
}

export interface Gate {
  id: string
  organization_id: string
  workspace_id: string
  project_id: string
  execution_id: string
  name: string
  description: string | null
  status: GateStatus
  required_approvals: number
  prevent_self_approval: boolean
  decide_via: Way[]
  expires_at: string | null
  approvals: Approval[]
  comment: string | null
  created_by: string
  decided_by: string | null
  decided_via: Way | null
  decided_at: string | null
  created_at: string
  updated_at: string
}

type Fragment = ReturnType<typeof sql>

/** SQL: the columns of a row of `gates` whose approvals are known. */
export const gateColumnsWith = (approvals: Fragment): Fragment => sql`
  gates.id, gates.organization_id, gates.workspace_id, gates.project_id, gates.execution_id, gates.name, gates.description,
  gates.status, gates.required_approvals, gates.prevent_self_approval, gates.decide_via, gates.expires_at,
  ${approvals} as approvals,
  gates.comment, gates.created_by, gates.decided_by, gates.decided_via, gates.decided_at, gates.created_at, gates.updated_at
`

const approvals: Fragment = sql`
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object(
          'user_id', approval.user_id,
          'name', person.name,
          'comment', approval.comment,
          'via', approval.via,
          'created_at', to_char(approval.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        )
        order by approval.created_at, approval.user_id
      )
      from gate_approvals as approval
      join people as person on person.id = approval.user_id
      where approval.gate_id = gates.id
        and approval.organization_id = gates.organization_id
    ),
    '[]'
  )
`

/** SQL: the columns of a row of `gates`. */
export const gateColumns = gateColumnsWith(approvals)
