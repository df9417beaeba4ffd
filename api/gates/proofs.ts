/** Proofs that the person who decides a gate is present: an assertion of a passkey about this decision alone. */
import canonicalize from 'canonicalize'
import type { Proof, Way } from '../../core/gates/gates.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Subject } from '../passkeys/challenges.ts'
import type { Assertion, RequestOptions } from '../passkeys/fields.ts'
import { requestOptions } from '../passkeys/passkeys.ts'
import { verifyAssertion } from '../passkeys/verification.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { invalidField } from '../problems.ts'
import { answersTo, typedAnswers } from './answers.ts'
import type { AnswersInput } from './evidence.ts'
import { getGate } from './gates.ts'

type ProvenDecision = { decision: 'approve' | 'override'; answers?: AnswersInput }

/** What the assertion is about: who decides what about which gate, in which session, with which answers. */
async function subjectOf(
  db: Queryable,
  by: Caller,
  key: ResourceKey<'gate'>,
  { decision, answers = {} }: ProvenDecision,
  via: Way,
): Promise<Subject> {
  const gate = await getGate(db, key)
  if (decision === 'override' && Object.keys(answers).length > 0)
    throw invalidField('/answers', 'not_allowed', 'must be empty: an override answers nothing')
  const given = via === 'api' ? answers : typedAnswers(gate.fields, answers)
  const taken = decision === 'approve' ? answersTo(gate.fields, given) : {}
  const session = by.session_id ?? by.token_id ?? ''
  return { purpose: 'gate', about: [by.id, session, gate.id, gate.binding ?? '', decision, canonicalize(taken) ?? ''] }
}

/**
 * What a browser needs to prove that the caller is present at a decision.
 * @throws Problem `validation_failed` if the answers are not those that the gate asks for
 */
export const getDecisionOptions = async (
  db: Queryable,
  by: Caller,
  gate: ResourceKey<'gate'>,
  decision: ProvenDecision,
  via: Way,
): Promise<RequestOptions> => requestOptions(db, by.id, await subjectOf(db, by, gate, decision, via), by.id)

/**
 * Verifies the proof of a decision. The assertion is used up whatever the outcome of the decision, so this comes before its transaction.
 * @param db a pool
 * @returns null without an assertion
 * @throws Problem `passkey_invalid`; `validation_failed` as `getDecisionOptions`
 */
export async function proveDecision(
  db: Queryable,
  by: Caller,
  gate: ResourceKey<'gate'>,
  decision: ProvenDecision,
  via: Way,
  assertion: Assertion | undefined,
): Promise<Proof | null> {
  if (assertion === undefined) return null
  await verifyAssertion(db, assertion, await subjectOf(db, by, gate, decision, via), by.id, by)
  return 'passkey'
}
