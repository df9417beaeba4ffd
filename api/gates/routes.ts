import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { approveGate, getGate, listExecutionGates, listProjectGates, openGate, rejectGate } from './gates.ts'
import { Decision, Gate, GateInput, GateQuery } from './schema.ts'

const tag = 'Gates'

export const gates = new Elysia({ name: 'gates', prefix: '/api/v1' })
  .use(access)
  .get(
    '/executions/:execution_id/gates',
    ({ request, execution, query }) => listed(request, query, (slice) => listExecutionGates(sql, execution, slice)),
    {
      execution: 'member',
      ...operation({
        tag,
        id: 'listExecutionGates',
        summary: 'List the gates of an execution',
        query: Shape(LIST),
        responses: { 200: Type.Array(Gate) },
      }),
    },
  )
  .post(
    '/executions/:execution_id/gates',
    ({ caller, execution, change, body }) =>
      change(
        201,
        (tx) => openGate(tx, caller, execution, body),
        ({ id }) => `/api/v1/gates/${id}`,
      ),
    {
      execution: 'member',
      ...operation({
        tag,
        id: 'openGate',
        summary: 'Open a gate',
        description:
          'The execution becomes `awaiting_gate`, and stays so until its last pending gate is approved. Fields that are absent come from the gate policy of the workspace; fields that are weaker than the policy are refused with `weaker_than_policy`.',
        body: GateInput,
        responses: { 201: Gate },
        errors: ['invalid_transition', 'gate_limit_reached'],
      }),
    },
  )
  .get(
    '/projects/:project_id/gates',
    ({ request, project, query }) =>
      listed(request, query, (slice) => listProjectGates(sql, project, query.status ?? null, slice)),
    {
      project: 'member',
      ...operation({
        tag,
        id: 'listGates',
        summary: 'List the gates of a project',
        query: GateQuery,
        responses: { 200: Type.Array(Gate) },
      }),
    },
  )
  .get('/gates/:gate_id', ({ gate }) => getGate(sql, gate), {
    gate: 'member',
    ...operation({ tag, id: 'getGate', summary: 'Get a gate', responses: { 200: Gate } }),
  })
  .post(
    '/gates/:gate_id/approve',
    ({ caller, gate, change, body }) => change(200, (tx) => approveGate(tx, caller, gate, body, 'api')),
    {
      gate: 'admin',
      ...operation({
        tag,
        id: 'approveGate',
        summary: 'Approve a gate',
        description:
          'Each person approves once. While approvals are missing the gate stays `pending` and `gate.approval_added` is emitted. The last approval emits `gate.approved`, which triggers the hooks with `trigger_on: gate_approved`.',
        body: Decision,
        responses: { 200: Gate },
        errors: ['invalid_transition', 'already_approved', 'self_approval', 'decision_not_allowed_here'],
      }),
    },
  )
  .post(
    '/gates/:gate_id/reject',
    ({ caller, gate, change, body }) => change(200, (tx) => rejectGate(tx, caller, gate, body, 'api')),
    {
      gate: 'admin',
      ...operation({
        tag,
        id: 'rejectGate',
        summary: 'Reject a gate',
        description:
          'One rejection decides the gate. Its execution fails, and the other pending gates of the execution become `cancelled`.',
        body: Decision,
        responses: { 200: Gate },
        errors: ['invalid_transition', 'decision_not_allowed_here'],
      }),
    },
  )
