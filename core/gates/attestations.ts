/**
 * What is signed about an approved gate, and how: a DSSE envelope over an in-toto Statement whose predicate is a Simple Verification
 * Result (https://github.com/in-toto/attestation/blob/main/spec/predicates/svr.md).
 */
import { type KeyObject, sign, verify } from 'node:crypto'
import { instant, sql } from '../platform/database.ts'
import type { Head } from '../security/audit-chain.ts'
import type { DecidedVia, Subject, Way } from './gates.ts'

const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
const PREDICATE_TYPE = 'https://in-toto.io/attestation/svr/v0.1'

/** DSSE (https://github.com/secure-systems-lab/dsse). */
export interface Envelope {
  payloadType: string
  /** The JSON of the statement, in base64. */
  payload: string
  signatures: { keyid: string; sig: string }[]
}

interface AttestedApproval {
  user_id: string
  via: Way
  /** How the person proved their presence. */
  proof: string | null
  at: string
}

export interface AttestedGate {
  id: string
  project_id: string
  environment: string | null
  subject: Subject
  binding: string
  prevent_self_approval: boolean
  decided_via: DecidedVia
  decided_at: string
  attested_approvals: AttestedApproval[]
  /** The place of its `gate.approved` in the audit log. */
  seal: Head
}

export interface Statement {
  _type: string
  subject: { uri: string; digest: Subject['digest']; annotations?: { version: string } }[]
  predicateType: string
  predicate: {
    verifier: { id: string }
    timeCreated: string
    properties: string[]
    signalbox: {
      gate_id: string
      project_id: string
      environment: string | null
      binding: string
      approvals: AttestedApproval[]
      audit: Head
    }
  }
}

/** `gitCommit:7d3f…` or `sha256:9f86…`. */
export const digestText = ({ gitCommit, sha256 }: Subject['digest']): string =>
  gitCommit === undefined ? `sha256:${sha256}` : `gitCommit:${gitCommit}`

/** The digest that a text of this form means. */
export function digestOf(text: string): Subject['digest'] {
  const [algorithm = '', hex = ''] = text.split(':')
  return { [algorithm]: hex }
}

function propertiesOf({ environment, prevent_self_approval, decided_via, attested_approvals: given }: AttestedGate): string[] {
  const isOverride = decided_via === 'override'
  return [
    'SIGNALBOX_APPROVED',
    `SIGNALBOX_APPROVALS_${given.length}`,
    ...(environment === null ? [] : [`SIGNALBOX_ENVIRONMENT_${environment}`]),
    ...(prevent_self_approval && !isOverride ? ['SIGNALBOX_NO_SELF_APPROVAL'] : []),
    ...(given.length > 0 && given.every(({ proof }) => proof === 'passkey') ? ['SIGNALBOX_PASSKEY'] : []),
    ...(isOverride ? ['SIGNALBOX_OVERRIDE'] : []),
  ]
}

/** The same whenever it is made. @param verifier_id the URL of this service */
export function statementOf(gate: AttestedGate, verifier_id: string): Statement {
  const { id, project_id, environment, binding, decided_at, attested_approvals, seal } = gate
  const { uri, digest, version } = gate.subject
  return {
    _type: STATEMENT_TYPE,
    subject: [{ uri, digest, ...(version === null ? {} : { annotations: { version } }) }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      verifier: { id: verifier_id },
      timeCreated: decided_at,
      properties: propertiesOf(gate),
      signalbox: {
        gate_id: id,
        project_id,
        environment,
        binding,
        approvals: attested_approvals,
        audit: { seq: seal.seq, hash: seal.hash },
      },
    },
  }
}

/** What is signed: the pre-authentication encoding of DSSE. */
const encoded = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload])

// Not Web Crypto: it hands every signature to another thread, which takes longer than signing.

export function signedEnvelope(statement: Statement, key_id: string, privateKey: KeyObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement))
  const sig = sign('sha256', encoded(payload), privateKey).toString('base64')
  return { payloadType: PAYLOAD_TYPE, payload: payload.toString('base64'), signatures: [{ keyid: key_id, sig }] }
}

/** Signatures that a key has verified, with what they sign: deployers ask again and again, and checking one takes longest. */
const verified = new WeakMap<KeyObject, Set<string>>()
const MAX_VERIFIED = 100

function verifies(publicKey: KeyObject, payload: string, sig: string): boolean {
  const known = verified.get(publicKey) ?? new Set()
  const signed = `${sig} ${payload}`
  if (known.has(signed)) return true
  const bytes = encoded(Buffer.from(payload, 'base64'))
  if (!verify('sha256', bytes, publicKey, Buffer.from(sig, 'base64'))) return false
  if (known.size >= MAX_VERIFIED) known.clear()
  verified.set(publicKey, known.add(signed))
  return true
}

export function verifiedStatement(envelope: Envelope, publicKey: KeyObject): Statement | null {
  const { payloadType, payload, signatures } = envelope
  const [signature, ...others] = signatures
  if (payloadType !== PAYLOAD_TYPE || signature === undefined || others.length > 0) return null
  return verifies(publicKey, payload, signature.sig) ? statementIn(envelope) : null
}

export const statementIn = ({ payload }: Envelope): Statement => JSON.parse(Buffer.from(payload, 'base64').toString())

/** SQL: what an attestation says of a row of `gates` in addition to its own columns, with the `seal` that `joinSeal` finds. */
export const attestedColumns = sql`
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object(
          'user_id', approval.user_id,
          'via', approval.via,
          'proof', approval.proof,
          'at', ${instant(sql`approval.created_at`)}
        )
        order by approval.created_at, approval.user_id
      )
      from gate_approvals as approval
      where approval.gate_id = gates.id
        and approval.organization_id = gates.organization_id
        and approval.counted is not false
    ),
    '[]'
  ) as attested_approvals,
  case when seal.seq is not null then jsonb_build_object('seq', seal.seq, 'hash', encode(seal.hash, 'hex')) end as seal
`

/**
 * SQL: joins the seal of the audit entry that a row of `gates` was approved, which is of the same transaction; it has none until a worker has
 * sealed it.
 */
export const joinSeal = sql`
  left join lateral (
    select seal.seq, seal.hash
    from audit_log_entries as entry
    join audit_log_seals as seal on seal.entry_id = entry.id and seal.organization_id = entry.organization_id
    where entry.organization_id = gates.organization_id
      and entry.action collate "C" = 'gate.approved'
      -- About its time: on a cluster, the clocks of two nodes may differ.
      and entry.created_at between gates.decided_at - interval '1 minute' and gates.decided_at + interval '1 minute'
      and entry.resource_id = gates.id
    limit 1
  ) as seal on true
`
