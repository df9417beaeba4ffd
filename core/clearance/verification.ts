/** Whether something may be deployed: for the pipeline or person that deploys it. */
import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Json, Queryable } from '../../sql/index.ts'
import { type FreezesRow, freezeColumns, heldUntilOf } from '../freezes/held-until.ts'
import type { AttestedGate, Envelope } from '../gates/attestations.ts'
import { attestedColumns, digestOf, joinSeal, statementOf, verifiedStatement } from '../gates/attestations.ts'
import { bindingOf } from '../gates/binding.ts'
import { approved, fullEvidence, type Gate, gateRules, type Subject } from '../gates/gates.ts'
import { sql } from '../platform/database.ts'
import { lackOfPromotion, type Promotion, promotionOf } from '../promotions/promotion.ts'
import { UnreadableSecret } from '../security/secrets.ts'
import { provenPublicKey, type StoredKey } from '../security/signing-keys.ts'
import { minuteText } from '../values/instants.ts'
import { line, quotedName } from '../values/plain-text.ts'

interface Verdict {
  allowed: boolean
  /** Why not, as sentences. */
  reasons: string[]
  /** The gate that decides; null if none of the environment is about the digest. */
  gate_id: string | null
  /** That of the gate, if it is verified and the approval holds. */
  attestation: Envelope | null
}

interface Wanted {
  environment: string
  /** `gitCommit:…` or `sha256:…`. */
  digest: string
}

interface ProjectKey {
  id: string
  organization_id: string
}

/** A gate, with what its attestation should say. */
type Candidate = DecidedGate &
  Pick<Gate, 'name' | 'status' | 'revoked_at' | 'revocation_reason'> &
  Pick<AttestedGate, 'prevent_self_approval'> & {
    seal: AttestedGate['seal'] | null
    is_open: boolean
    /** Whether a person has approved it. */
    is_begun: boolean
  }

interface Found {
  /** The newest approved gate that is not revoked, of the environment and for the digest, or else the newest one. */
  gate: Candidate | null
  envelope: Envelope | null
  /** The key that signed the attestation or, as long as there is none, the one that will. */
  key: StoredKey | null
  /** Other environments for which the digest is approved. */
  elsewhere: string[]
  /** Until when freezes hold the environment; null if none does. */
  held_until: string | null
  /** What the subject must have done in the environment before; null if nothing. */
  promotion: Promotion | null
  now: string
}

type Row = FreezesRow &
  Pick<Found, 'envelope' | 'elsewhere' | 'promotion'> & { key_id: string | null; public_key: Uint8Array; secret: Uint8Array } & (
    | Candidate
    | { id: null }
  )

async function find(
  db: Queryable,
  { id, organization_id }: ProjectKey,
  environment: string,
  digest: Subject['digest'],
): Promise<Found> {
  const about = sql`
    gates.project_id = ${id}
    and gates.organization_id = ${organization_id}
    and gates.subject is not null
    and gates.subject -> 'digest' = ${sql.json(digest as Json)}
  `
  const [row] = await db<[Row]>`
    select
      gate.*, ${freezeColumns}, ${promotionOf(sql`gate`, sql`gate.environment`)} as promotion,
      attestation.envelope, key.key_id, key.public_key, key.secret,
      -- Asked for only where nothing is known.
      case when gate.id is null then array(
        select distinct gates.environment
        from gates
        where ${about}
          and gates.environment <> ${environment}
          and ${approved(sql`gates`)}
        order by gates.environment
      ) else '{}' end as elsewhere
    from (select 1) as one
    left join lateral (
      select
        gates.id, gates.project_id, gates.organization_id, gates.name, gates.environment, gates.subject,
        ${fullEvidence} as evidence, gates.fields, gates.status, gates.promotes_from, gates.soak_seconds,
        ${gateRules} as rules, gates.prevent_self_approval, gates.binding, gates.created_by, gates.asked_by, gates.decided_via,
        gates.decided_at, gates.override_proof, gates.revoked_at, gates.revocation_reason,
        gate_is_open(gates.status, gates.expires_at) as is_open, ${attestedColumns},
        gates.status = 'pending' and exists (
          select from gate_approvals where gate_id = gates.id and organization_id = gates.organization_id
        ) as is_begun,
        (
          select started_by from executions where id = gates.execution_id and organization_id = gates.organization_id
        ) as started_by
      from gates
      ${joinSeal}
      where ${about}
        and gates.environment = ${environment}
      order by
        ${approved(sql`gates`)} desc, coalesce(gates.decided_at, gates.created_at) desc,
        gates.id desc
      limit 1
    ) as gate on true
    left join attestations as attestation on attestation.gate_id = gate.id and attestation.organization_id = ${organization_id}
    left join signing_keys as key
      on key.organization_id = ${organization_id}
      and case when attestation.key_id is null then key.retired_at is null else key.key_id = attestation.key_id end
    left join environment_policies as policy
      on policy.project_id = ${id}
      and policy.environment = ${environment}
      and policy.organization_id = ${organization_id}
      and policy.freezes <> '[]'
  `
  const { key_id, public_key, secret, envelope, elsewhere } = row
  return {
    gate: row.id === null ? null : row,
    envelope,
    key: key_id === null ? null : { key_id, public_key, secret },
    elsewhere,
    held_until: heldUntilOf(row),
    promotion: row.promotion,
    now: row.now,
  }
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

function nothingKnown({ elsewhere }: Found, { environment, digest }: Wanted): string {
  const unknown = `No gate for ${line(environment, 64)} is about ${digest}.`
  return elsewhere.length === 0
    ? unknown
    : `${unknown} It is approved for ${LIST.format(elsewhere.map((name) => line(name, 64)))}.`
}

const NOT_APPROVED: Record<Exclude<Gate['status'], 'approved'>, string> = {
  pending: 'is pending: no one has decided it yet',
  rejected: 'was rejected',
  changes_requested: 'was decided: changes are requested',
  cancelled: 'was cancelled',
  expired: 'expired without a decision',
}

/** Why the approval of a gate does not hold; null if it does. */
function lackOfApproval({ name, status, is_open, is_begun, revoked_at, revocation_reason }: Candidate): string | null {
  const gate = `The gate ${quotedName(name)}`
  if (status !== 'approved') {
    if (is_begun && is_open) return `${gate} is pending: approvals are missing.`
    return `${gate} ${NOT_APPROVED[status === 'pending' && !is_open ? 'expired' : status]}.`
  }
  if (revoked_at === null) return null
  return `The approval of the gate ${quotedName(name)} was revoked on ${minuteText(revoked_at)}: ${line(revocation_reason, 500)}`
}

const UNREADABLE =
  'No key in SECRETS_KEY decrypts the signing key of the organization. The operator has to add the key that encrypted it.'

/** The public key that verifies; or why there is none. */
async function publicKeyFor({ key_id }: { key_id: string }, key: StoredKey): Promise<KeyObject | string> {
  try {
    return (await provenPublicKey(key)) ?? `The signing key ${key_id} was not made by this service.`
  } catch (error) {
    if (error instanceof UnreadableSecret) return UNREADABLE
    throw error
  }
}

const NOT_SIGNED = 'The attestation of the gate is not signed yet. That takes seconds after the approval: try again.'

/** Why the attestation of an approved gate does not verify; null if it does. */
async function attestationFault(gate: Candidate, { envelope, key }: Found): Promise<string | null> {
  const publicKey = key && (await publicKeyFor(key, key))
  if (typeof publicKey === 'string') return publicKey
  if (envelope === null) return NOT_SIGNED
  if (publicKey === null)
    return 'The key that signed the attestation of the gate is not among the signing keys of the organization.'
  const statement = verifiedStatement(envelope, publicKey)
  if (statement === null) return 'The attestation of the gate was changed: its signature does not verify.'
  if (gate.seal === null) return 'The approval of the gate is missing in the audit log.'
  const expected = statementOf(gate as AttestedGate, statement.predicate.verifier.id)
  if (!isDeepStrictEqual(statement, expected))
    return 'The attestation of the gate says something else than the gate and the audit log.'
  return null
}

/** What speaks against a gate. */
interface Judged {
  gate_id: string
  /** What does not pass by itself. */
  faults: string[]
  /** The attestation is about to be signed: nothing else is wrong. */
  isEarly: boolean
  /** What passes by itself: a soak, a freeze. */
  holds: string[]
  /** Null unless the approval holds. */
  attestation: Envelope | null
}

async function judge(gate: Candidate, found: Found, environment: string): Promise<Judged> {
  const judged = { gate_id: gate.id, isEarly: false, holds: [], attestation: null }
  const lack = lackOfApproval(gate)
  if (lack !== null) return { ...judged, faults: [lack] }
  const fault = await attestationFault(gate, found)
  const faults = [...brokenRules(gate), ...(fault === null ? [] : [fault])]
  // As hooks do: what an override approved is not held back.
  const { held_until, promotion } = gate.decided_via === 'override' ? { held_until: null, promotion: null } : found
  const frozen = held_until === null ? [] : [`${line(environment, 64)} is frozen until ${minuteText(held_until)}.`]
  const unpromoted = promotion && lackOfPromotion(promotion, found.now)
  const isSoaking = unpromoted !== null && promotion?.since != null
  return {
    ...judged,
    faults: [...faults, ...(unpromoted === null || isSoaking ? [] : [unpromoted])],
    isEarly: faults.length === 1 && fault === NOT_SIGNED,
    holds: [...(unpromoted !== null && isSoaking ? [unpromoted] : []), ...frozen],
    attestation: faults.length === 0 ? found.envelope : null,
  }
}

export async function verifyDeployment(db: Queryable, project: ProjectKey, input: Wanted): Promise<Verdict> {
  const { environment, digest } = input
  const found = await find(db, project, environment, digestOf(digest))
  if (!found.gate) return { allowed: false, reasons: [nothingKnown(found, input)], gate_id: null, attestation: null }
  const { gate_id, faults, holds, attestation } = await judge(found.gate, found, environment)
  const reasons = [...faults, ...holds]
  return { allowed: reasons.length === 0, reasons, gate_id, attestation }
}

/**
 * The gate whose approval lets something be deployed now, or once freezes and a soak end; null if there is none.
 * @returns `early` if its attestation is about to be signed
 */
export async function approvingGate(db: Queryable, project: ProjectKey, { environment, digest }: Wanted) {
  const found = await find(db, project, environment, digestOf(digest))
  if (!found.gate) return null
  const { gate_id, faults, isEarly } = await judge(found.gate, found, environment)
  if (isEarly) return 'early'
  return faults.length === 0 ? gate_id : null
}

/** A gate, with the approvals that counted when it was decided. */
export type DecidedGate = Parameters<typeof bindingOf>[0] &
  Pick<Gate, 'binding' | 'created_by' | 'decided_via' | 'decided_at' | 'override_proof'> &
  Pick<AttestedGate, 'attested_approvals'> & {
    /** Who started its execution; null if it has none. */
    started_by: string | null
    /** Of a gate that Signalbox opened: the people whose work it is about. */
    asked_by: string[]
  }

/**
 * The rules of an approved gate that do not hold as they were when it was decided. Who was in which group then is not kept: of the groups, only
 * the number of approvals can be counted again.
 */
export function brokenRules(gate: DecidedGate): string[] {
  const { rules, evidence, attested_approvals: given, created_by, started_by, asked_by } = gate
  const askers = [created_by, started_by, ...asked_by]
  if (gate.binding !== bindingOf(gate))
    return ['What the gate asks for was changed after its approval: its binding does not match.']
  if (gate.decided_via === 'override') {
    return rules.require_passkey && gate.override_proof === null
      ? ['The gate requires passkeys, and was overridden without one.']
      : []
  }
  const required = Math.max(
    rules.required_approvals,
    rules.approvers.reduce((sum, { count }) => sum + count, 0),
  )
  const checks = evidence?.checks ?? []
  const broken: [isBroken: boolean, reason: string][] = [
    [given.length < required, `The approvals that the gate requires: ${required}. Those that counted: ${given.length}.`],
    [
      rules.prevent_self_approval && given.some(({ user_id }) => askers.includes(user_id)),
      'The gate was approved by a person who asked for it, which its rules prevent.',
    ],
    [given.some(({ via }) => !rules.decide_via.includes(via)), 'The gate was approved in a way that its rules do not allow.'],
    [
      rules.expires_at !== null && gate.decided_at !== null && gate.decided_at > rules.expires_at,
      'The gate was approved after it had expired.',
    ],
    [
      rules.require_passkey && given.some(({ proof }) => proof !== 'passkey'),
      'The gate requires passkeys, and was approved without one.',
    ],
    [
      rules.require_checks && (checks.length === 0 || checks.some(({ state }) => state !== 'passed')),
      'The gate requires that all checks passed, and they did not.',
    ],
  ]
  return broken.flatMap(([isBroken, reason]) => (isBroken ? reason : []))
}
