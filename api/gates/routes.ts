import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { RequestOptions } from '../passkeys/fields.ts'
import { access } from '../plugins/access.ts'
import { skipIfReplayed } from '../plugins/change.ts'
import { LIST, listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { getClearance, getGateEffects } from './clearance.ts'
import { approveGate, rejectGate } from './decisions.ts'
import { awaitGate } from './gates.ts'
import { listExecutionGates, listProjectGates } from './lists.ts'
import { openGate, openProjectGate } from './opening.ts'
import { getDecisionOptions, proveDecision } from './proofs.ts'
import { ApprovalInput, ChallengeInput, Clearance, Gate, GateEffects, GateInput, GateQuery, Rejection } from './schema.ts'

const RULES =
  'Rules come from the gate policy of the workspace and, if the gate has an environment, from the policy of that environment: of each rule the stricter one. The request can make them stricter; rules that are weaker are refused with `weaker_than_policy`. If the policy of the environment requires a subject, or checks that all have passed, and the request lacks them, it is refused at `/subject` or `/evidence/checks`. A gate keeps its rules: later changes of the policies do not affect it.'

const PARTS =
  'Newest first. A response has about 2 MiB of evidence at most: it can have fewer gates than `limit`, and its `Link` then leads to the next ones.'

const SUPERSEDES =
  'A pending gate of the same execution (or project), name and environment with another subject becomes `cancelled`, and `superseded_by` names the new one: approvals never carry over. With the same subject it is refused with `gate_open`.'

export const gates = new Elysia({ name: 'gates', prefix: '/api/v1', tags: ['Gates'] })
  .use(access)
  .get(
    '/executions/:execution_id/gates',
    ({ request, execution, query }) => listed(request, query, NEWEST_FIRST, (slice) => listExecutionGates(sql, execution, slice)),
    operation('execution', 'member', {
      scopes: ['gates:read', 'gates:open'],
      id: 'listExecutionGates',
      summary: 'List the gates of an execution',
      description: PARTS,
      query: Shape(LIST),
      responses: { 200: Type.Array(Gate) },
    }),
  )
  .post(
    '/executions/:execution_id/gates',
    ({ caller, execution, change, body }) => change(201, (tx) => openGate(tx, caller, execution, body), '/api/v1/gates'),
    operation('execution', 'member', {
      scopes: ['gates:open'],
      id: 'openGate',
      summary: 'Open a gate',
      description: `The execution becomes \`awaiting_gate\`, and stays so until its last pending gate is approved. ${RULES} ${SUPERSEDES}`,
      body: GateInput,
      responses: { 201: Gate },
      errors: ['invalid_transition', 'gate_limit_reached', 'gate_open'],
    }),
  )
  .get(
    '/projects/:project_id/gates',
    ({ request, project, query }) =>
      listed(request, query, NEWEST_FIRST, (slice) => listProjectGates(sql, project, query.status ?? null, slice)),
    operation('project', 'member', {
      scopes: ['gates:read', 'gates:open'],
      id: 'listGates',
      summary: 'List the gates of a project',
      description: PARTS,
      query: GateQuery,
      responses: { 200: Type.Array(Gate) },
    }),
  )
  .post(
    '/projects/:project_id/gates',
    ({ caller, project, change, body }) => change(201, (tx) => openProjectGate(tx, caller, project, body), '/api/v1/gates'),
    operation('project', 'member', {
      scopes: ['gates:open'],
      id: 'openProjectGate',
      summary: 'Open a gate without an execution',
      description: `Nothing waits for its decision: \`execution_id\` is null, and so are \`execution\` and \`requirement\` in its events. ${RULES} ${SUPERSEDES}`,
      body: GateInput,
      responses: { 201: Gate },
      errors: ['gate_limit_reached', 'gate_open'],
    }),
  )
  .get(
    '/gates/:gate_id',
    ({ request, gate }) => awaitGate(request, gate),
    operation('gate', 'member', {
      scopes: ['gates:read', 'gates:open'],
      id: 'getGate',
      summary: 'Get a gate',
      description:
        'With all of its evidence: lists and events leave out `evidence.artifacts` and shorten `evidence.summary` to 500 characters. To compute `binding`, take the seven values from this response. Whether one may go on with what the gate is about says `GET /api/v1/gates/{gate_id}/clearance`: an approval may be revoked, or held back. With `Prefer: wait=N` a pending gate is returned within a second of its decision, or after N seconds as it is then.',
      waits: true,
      responses: { 200: Gate },
    }),
  )
  .get(
    '/gates/:gate_id/clearance',
    ({ gate }) => getClearance(sql, gate),
    operation('gate', 'member', {
      scopes: ['gates:read', 'gates:open'],
      id: 'getGateClearance',
      summary: 'Ask whether one may go on with what a gate is about',
      description:
        'Ask this, and not only the `status` of the gate, before you do what it is about: an approval may be revoked, held back by a freeze, or depend on other gates of the same execution and environment.',
      responses: { 200: Clearance },
    }),
  )
  .get(
    '/gates/:gate_id/effects',
    ({ gate }) => getGateEffects(sql, gate),
    operation('gate', 'member', {
      scopes: ['gates:read', 'gates:open'],
      id: 'getGateEffects',
      summary: 'Get what the approval of a gate will do',
      description:
        'The hooks that it triggers, as they are now: enabled ones with `trigger_on: gate_approved` whose filter accepts the approved gate, and whose environment is the same as the gate has, if it has one. Once the gate is decided, only `running` remains and, while a freeze holds back what the approval has triggered, `held_until`.',
      responses: { 200: GateEffects },
    }),
  )
  .post(
    '/gates/:gate_id/approve',
    async ({ request, caller, gate, change, body }) => {
      const proof = await skipIfReplayed(request, () =>
        proveDecision(sql, caller, gate, { decision: 'approve', answers: body.answers }, 'api', body.assertion),
      )
      return change(200, (tx) => approveGate(tx, caller, gate, body, 'api', proof))
    },
    operation('gate', 'decider', {
      id: 'approveGate',
      summary: 'Approve a gate',
      description:
        'Each person approves once, but if approvals that count again are enough: then the caller decides, and the new comment, answers and proof replace the earlier ones. While approvals are missing the gate stays `pending` and `gate.approval_added` is emitted. Where the gate names groups, only their members approve, and each of them counts for one rule: the gate is approved as soon as its approvals fill all rules and there are as many as required. Approvals of people who have since lost the role, or left the group or the organization, stay on record with `counts: false`; that is evaluated at each decision. The last approval emits `gate.approved`, which triggers the hooks with `trigger_on: gate_approved`: if the gate has an environment, only those of this environment, and only once no other gate of its execution and environment is pending: the gate that is approved last triggers them. If the gate has a subject, `binding` says which one the approver has seen; another one is refused with `subject_changed`. If `rules.require_passkey` is true, an `assertion` is required (`passkey_required`).',
      body: ApprovalInput,
      responses: { 200: Gate },
      errors: [
        'invalid_transition',
        'already_approved',
        'self_approval',
        'decision_not_allowed_here',
        'subject_changed',
        'passkey_required',
        'passkey_invalid',
      ],
    }),
  )
  .post(
    '/gates/:gate_id/challenge',
    ({ caller, gate, change, body }) => change(200, (tx) => getDecisionOptions(tx, caller, gate, body, 'api')),
    operation('gate', 'decider', {
      id: 'getGateChallenge',
      summary: 'Get what a browser needs to confirm a decision with a passkey',
      description:
        'For the `assertion` of `approve` or `override`. The challenge is random, works once (also if the assertion is refused) and within 5 minutes, and is bound to this gate and its `binding`, the decision, the answers, the caller and the session. Rejecting and requesting changes need none.',
      body: ChallengeInput,
      responses: { 200: RequestOptions },
    }),
  )
  .post(
    '/gates/:gate_id/reject',
    ({ caller, gate, change, body }) => change(200, (tx) => rejectGate(tx, caller, gate, body, 'api')),
    operation('gate', 'decider', {
      id: 'rejectGate',
      summary: 'Reject a gate',
      description:
        'One rejection decides the gate: of those who can approve it, or of an admin of the workspace. Its execution, if it has one, fails, and the other pending gates of the execution become `cancelled`.',
      body: Rejection,
      responses: { 200: Gate },
      errors: ['invalid_transition', 'decision_not_allowed_here'],
    }),
  )
