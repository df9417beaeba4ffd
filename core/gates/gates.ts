/** Gates as the API and the events show them. */
import type { Fragment } from '../../sql/index.ts'
import { instant, sql } from '../platform/database.ts'
import type { Artifact } from '../records/executions.ts'
import { absolute } from '../tenants/links.ts'
import { quotedName } from '../values/plain-text.ts'
import type { ShownActor } from '../values/schema.ts'
import { webAddress } from '../values/web-addresses.ts'
import { mayApprove } from './approval.ts'
import { type GateSource, gateSource } from './sources.ts'

export type GateStatus = 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'cancelled' | 'expired'

/** The ways in which a person can decide a gate. */
export const WAYS = ['api', 'app', 'slack', 'mail'] as const

export type Way = (typeof WAYS)[number]

/** How a gate was decided: in one of these ways, or by an override, which needs none of what approval lacks. */
export type DecidedVia = Way | 'override'

/** How the person who decided a gate proved to be present. */
export type Proof = 'passkey'

export interface Subject {
  uri: string
  /** Has exactly one of them. */
  digest: { gitCommit?: string; sha256?: string }
  version: string | null
}

export interface Evidence {
  summary: string | null
  metrics: Record<string, number>
  checks: { name: string; state: 'passed' | 'failed' | 'skipped'; url: string | null; detail: string | null }[]
  links: { label: string; url: string }[]
  /** Left out in lists and events. */
  artifacts?: Artifact[]
}

export interface GateField {
  name: string
  label: string
  type: 'text' | 'number' | 'boolean' | 'choice'
  /** Null unless the type is `choice`. */
  choices: string[] | null
  required: boolean
}

/** The answers of an approver, by the name of the field. */
export type Answers = Record<string, string | number | boolean>

/** What an approval of a gate takes. */
interface GateRules {
  required_approvals: number
  prevent_self_approval: boolean
  expires_at: string | null
  decide_via: Way[]
  /** How many members of which groups must approve. */
  approvers: { group_id: string; count: number }[]
  require_subject: boolean
  require_checks: boolean
  require_passkey: boolean
  gate_required: boolean
}

export interface Approval {
  user_id: string
  name: string
  comment: string | null
  via: Way
  /** Null if it was not asked for. */
  proof: Proof | null
  answers: Answers
  /** Whether it counts: with the people of today while the gate is pending, and then as when it was decided. */
  counts: boolean
  created_at: string
}

/** A dispatch that may have been on its way to its hook. */
export type InFlight = { id: string; hook_id: string; hook_name: string }

export interface Gate {
  id: string
  organization_id: string
  workspace_id: string
  project_id: string
  /** Null if it was opened in its project: nothing waits for it. */
  execution_id: string | null
  name: string
  description: string | null
  environment: string | null
  subject: Subject | null
  evidence: Evidence | null
  fields: GateField[]
  status: GateStatus
  required_approvals: number
  prevent_self_approval: boolean
  decide_via: Way[]
  expires_at: string | null
  rules: GateRules
  /** Null for a gate that was opened before there were bindings. */
  binding: string | null
  approvals: Approval[]
  answers: Answers | null
  comment: string | null
  triggers_hooks: boolean | null
  /** Where the attestation is, once it is signed; null unless it is approved and has a subject. */
  attestation_url: string | null
  superseded_by: string | null
  /** Null unless a workflow of GitHub asked for it. */
  source: GateSource | null
  /** Null: Signalbox opened it. */
  created_by: string | null
  actor: ShownActor
  decided_by: string | null
  decided_via: DecidedVia | null
  decided_at: string | null
  /** Of an override. */
  override_proof: Proof | null
  incident_url: string | null
  reviewed_by: string | null
  reviewed_at: string | null
  review_comment: string | null
  /** Of an approval that is no longer valid. */
  revoked_by: string | null
  revoked_at: string | null
  revocation_reason: string | null
  /** The dispatches that could no longer be cancelled. */
  revoked_in_flight: InFlight[] | null
  created_at: string
  updated_at: string
}

const SHORT_SUMMARY = 500

export const fullEvidence: Fragment = sql`gates.evidence || jsonb_build_object('artifacts', gates.artifacts)`

/** SQL: evidence as lists and events show it. */
const shortEvidence: Fragment = sql`
  gates.evidence
  || case
    when length(gates.evidence ->> 'summary') > ${SHORT_SUMMARY}
    then jsonb_build_object('summary', left(gates.evidence ->> 'summary', ${SHORT_SUMMARY}))
    else '{}'
  end
`

/** SQL: where the API has the attestation of a row of `gates`; null if there will be none. */
const attestationUrl: Fragment = sql`
  case
    when gates.status = 'approved' and gates.subject is not null
    then ${absolute('/api/v1/gates/')}::text || gates.id || '/attestation'
  end
`

/** SQL: what an approval of a row of `gates` takes. */
export const gateRules: Fragment = sql`
  jsonb_build_object(
    'required_approvals', gates.required_approvals, 'prevent_self_approval', gates.prevent_self_approval,
    'expires_at', ${instant(sql`gates.expires_at`)}, 'decide_via', gates.decide_via, 'approvers', gates.approvers,
    'require_subject', gates.require_subject, 'require_checks', gates.require_checks,
    'require_passkey', gates.require_passkey, 'gate_required', gates.gate_required
  )
`

/** SQL: the columns of a row of `gates`. */
const columnsWith = (approvals: Fragment, evidence: Fragment): Fragment => sql`
  gates.id, gates.organization_id, gates.workspace_id, gates.project_id, gates.execution_id, gates.name, gates.description,
  gates.environment, gates.subject, ${evidence} as evidence, gates.fields,
  gates.status, gates.required_approvals, gates.prevent_self_approval, gates.decide_via, gates.expires_at,
  ${gateRules} as rules,
  gates.binding, ${approvals} as approvals, gates.answers,
  gates.comment, gates.triggers_hooks, ${attestationUrl} as attestation_url, gates.superseded_by, ${gateSource} as source,
  gates.created_by, actor_of(gates.created_by, gates.organization_id) as actor,
  gates.decided_by, gates.decided_via, gates.decided_at,
  gates.override_proof, gates.incident_url, gates.reviewed_by, gates.reviewed_at, gates.review_comment,
  gates.revoked_by, gates.revoked_at, gates.revocation_reason, gates.revoked_in_flight,
  gates.created_at, gates.updated_at
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
          'proof', approval.proof,
          'answers', approval.answers,
          'counts', case
            when gates.status in ('approved', 'rejected', 'changes_requested') then approval.counted is not false
            else ${mayApprove(sql`approval.user_id`)}
          end,
          'created_at', ${instant(sql`approval.created_at`)}
        )
        order by approval.created_at, approval.user_id
      )
      from gate_approvals as approval
      join people as person on person.id = approval.user_id
      where approval.gate_id = gates.id and approval.organization_id = gates.organization_id
    ),
    '[]'
  )
`

/** SQL: the columns of a row of `gates` as lists and events show it. */
export const gateColumns = columnsWith(approvals, shortEvidence)

/** SQL: the same without evidence, for lists that only name gates and their decisions. */
export const gateColumnsWithoutEvidence = columnsWith(approvals, sql`null::jsonb`)

export const fullGateColumns = columnsWith(approvals, fullEvidence)

/** SQL: the same, of a row whose approvals are known. */
export const fullGateColumnsWith = (known: Fragment): Fragment => columnsWith(known, fullEvidence)

/** Whether a gate was approved and the approval was not revoked. Whether one may go on by now says `api/gates/clearance.ts`. */
export const isApproved = ({ status, revoked_at }: Pick<Gate, 'status' | 'revoked_at'>): boolean =>
  status === 'approved' && revoked_at === null

/** SQL: the same of a row of `gates`, by its name in the statement. */
export const approved = (gate: Fragment = sql`gate`): Fragment => sql`
  (${gate}.status = 'approved' and ${gate}.revoked_at is null)
`

/** SQL: the state of a row of `gates` in a word, which also says that it was replaced or that its approval was revoked. */
export const gateState = (gate: Fragment): Fragment => sql`
  case
    when ${gate}.revoked_at is not null then 'revoked'
    when ${gate}.superseded_by is not null then 'superseded'
    else ${gate}.status
  end
`

export function shortGate(gate: Gate): Gate {
  if (gate.evidence === null) return gate
  const { artifacts: _, summary, ...evidence } = gate.evidence
  const shown = summary === null || summary.length <= SHORT_SUMMARY ? summary : [...summary].slice(0, SHORT_SUMMARY).join('')
  return { ...gate, evidence: { ...evidence, summary: shown } }
}

/** Whether the approval of a gate triggers hooks of an environment: those of its own, if it has one. */
export const triggersIn = (gate: Partial<Pick<Gate, 'environment' | 'triggers_hooks'>>, environment: string): boolean =>
  // Events that were written by an earlier version have neither.
  (gate.environment ?? null) === null || (gate.environment === environment && gate.triggers_hooks !== false)

const SHORT_DIGEST = 12

/** `sha256:9f86d081884c`: enough for people to recognize a subject. */
export function shortDigest({ gitCommit, sha256 }: Subject['digest']): string {
  return gitCommit === undefined ? `sha256:${sha256?.slice(0, SHORT_DIGEST)}` : gitCommit.slice(0, SHORT_DIGEST)
}

/** What is approved, as people know it: `v1.5.0 (sha256:9f86d081884c)`. */
export const subjectText = ({ version, digest }: Subject): string =>
  version === null ? shortDigest(digest) : `${version} (${shortDigest(digest)})`

/** Where a subject can be looked at; null if that is no page. */
export const subjectUrl = ({ uri }: Subject): string | null => webAddress(uri.replace(/^git\+/, ''))?.href ?? null

/** The address of a package or an image, which is no page to link; else null. */
export const subjectAddress = ({ uri }: Subject): string | null => (/^(pkg|oci):/.test(uri) ? uri : null)

const MAX_NAMED = 3

/** `Load test and Lint failed, 41 passed`; null if there are no checks. */
export function checksText(checks: Evidence['checks']): string | null {
  const failed = checks.flatMap(({ name, state }) => (state === 'failed' ? name : []))
  const passed = checks.filter(({ state }) => state === 'passed').length
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : ''
  const parts = [
    ...(failed.length > 0 ? [`failed: ${failed.slice(0, MAX_NAMED).join(', ')}${more}`] : []),
    ...(passed > 0 ? [`${passed} passed`] : []),
  ]
  return parts.join('; ') || null
}

/** `1 of 4 checks failed: “Load test”.`; null if none failed. */
export function failedText(checks: Pick<Evidence['checks'][number], 'name' | 'state'>[]): string | null {
  const failed = checks.filter(({ state }) => state === 'failed')
  if (failed.length === 0) return null
  const names = failed.slice(0, MAX_NAMED).map(({ name }) => quotedName(name))
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : ''
  return `${failedCount(failed.length, checks.length)}: ${names.join(', ')}${more}.`
}

export const failedCount = (failed: number, all: number): string =>
  failed === all ? `${all === 1 ? 'The only check' : `All ${all} checks`} failed` : `${failed} of ${all} checks failed`

/** How many people must approve a gate: each member of a group counts for one of its rules. */
export const neededApprovals = ({
  required_approvals,
  rules,
}: Pick<Gate, 'required_approvals'> & Partial<Pick<Gate, 'rules'>>): number =>
  Math.max(
    required_approvals,
    // Events that were written by an earlier version have no rules.
    (rules?.approvers ?? []).reduce((sum, { count }) => sum + count, 0),
  )

export const countingApprovals = ({ approvals }: Pick<Gate, 'approvals'>): Approval[] =>
  // Events that were written by an earlier version do not say it.
  approvals.filter(({ counts }) => counts !== false)
