import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const open = (execution_id: string, name = 'Release review') => ada.make(`/api/v1/executions/${execution_id}/gates`, { name })
const decide = (id: string, action: 'approve' | 'reject', body?: object) => ada.post(`/api/v1/gates/${id}/${action}`, body)
const gateStatus = async (id: string) => (await ada.get(`/api/v1/gates/${id}`)).body.status
const executionOf = async (id: string) => (await ada.get(`/api/v1/executions/${id}`)).body
const running = () => box.running(ada, site.project.id)
const events = async (execution_id: string) =>
  (
    await box.sql<{ name: string }[]>`
      select name from outbox
      where data -> 'execution' ->> 'id' = ${execution_id} or data -> 'gate' ->> 'execution_id' = ${execution_id}
      order by id
    `
  ).map(({ name }) => name)

test('a new gate is pending, and its execution awaits it', async () => {
  const execution = await running()
  const { status, headers, body } = await ada.post(`/api/v1/executions/${execution.id}/gates`, {
    name: 'Legal',
    description: 'Read it',
  })
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/gates/${body.id}`])
  expect(body).toEqual({
    id: expect.any(String),
    organization_id: site.organization.id,
    workspace_id: site.workspace.id,
    project_id: site.project.id,
    execution_id: execution.id,
    name: 'Legal',
    description: 'Read it',
    environment: null,
    subject: null,
    evidence: null,
    fields: [],
    status: 'pending',
    required_approvals: 1,
    prevent_self_approval: false,
    decide_via: ['api', 'app', 'slack', 'mail'],
    expires_at: null,
    rules: {
      required_approvals: 1,
      prevent_self_approval: false,
      expires_at: null,
      decide_via: ['api', 'app', 'slack', 'mail'],
      approvers: [],
      require_subject: false,
      require_checks: false,
      require_passkey: false,
      gate_required: false,
    },
    binding: expect.stringMatching(/^[0-9a-f]{64}$/),
    approvals: [],
    answers: null,
    comment: null,
    triggers_hooks: null,
    attestation_url: null,
    superseded_by: null,
    created_by: ada.id,
    actor: { type: 'user', id: ada.id, name: ada.name },
    decided_by: null,
    decided_via: null,
    decided_at: null,
    override_proof: null,
    incident_url: null,
    reviewed_by: null,
    reviewed_at: null,
    review_comment: null,
    revoked_by: null,
    revoked_at: null,
    revocation_reason: null,
    revoked_in_flight: null,
    created_at: expect.any(String),
    updated_at: body.created_at,
  })
  expect((await executionOf(execution.id)).status).toBe('awaiting_gate')
})

describe('Approving', () => {
  test('the last pending gate resumes the execution, and no earlier gate does', async () => {
    const execution = await running()
    const [first, second] = [await open(execution.id, 'First'), await open(execution.id, 'Second')]
    const { status, body } = await decide(first.id, 'approve', { comment: 'Fine.' })
    expect([status, body.status, body.comment, body.decided_by]).toEqual([200, 'approved', 'Fine.', ada.id])
    expect(body.decided_at).toBeTruthy()
    expect((await executionOf(execution.id)).status).toBe('awaiting_gate')
    await decide(second.id, 'approve')
    const resumed = await executionOf(execution.id)
    expect(resumed).toMatchObject({ status: 'running', started_at: execution.started_at, started_by: execution.started_by })
    expect(await events(execution.id)).toEqual([
      'execution.started',
      'gate.pending',
      'gate.pending',
      'gate.approved',
      'gate.approved',
    ])
  })

  test('the last two gates at once leaves the execution running', async () => {
    for (let round = 0; round < 10; round++) {
      const execution = await running()
      const gates = [await open(execution.id), await open(execution.id)]
      const answers = await Promise.all(gates.map(({ id }) => decide(id, 'approve')))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect((await executionOf(execution.id)).status).toBe('running')
    }
  })
})

describe('Rejecting', () => {
  test('a gate fails its execution, cancels pending gates, and keeps earlier decisions', async () => {
    const execution = await running()
    const [approved, rejected, waiting] = [
      await open(execution.id),
      await open(execution.id, 'Security'),
      await open(execution.id),
    ]
    await decide(approved.id, 'approve')
    const { status, body } = await decide(rejected.id, 'reject', { comment: 'No.' })
    expect([status, body.status, body.comment]).toEqual([200, 'rejected', 'No.'])
    const failed = await executionOf(execution.id)
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('Security') })
    expect(failed.finished_at).toBeTruthy()
    expect(await Promise.all([approved, rejected, waiting].map(({ id }) => gateStatus(id)))).toEqual([
      'approved',
      'rejected',
      'cancelled',
    ])
    const names = await events(execution.id)
    expect(names.filter((name) => name === 'gate.rejected')).toHaveLength(1)
    expect(names.filter((name) => name === 'execution.failed')).toHaveLength(1)
    expect(names).not.toContain('workflow.completed')
  })
})

test('ending an execution cancels its pending gates', async () => {
  for (const action of ['fail', 'cancel']) {
    const execution = await running()
    const gate = await open(execution.id)
    expect((await ada.post(`/api/v1/executions/${execution.id}/${action}`)).status).toBe(200)
    const { body } = await ada.get(`/api/v1/gates/${gate.id}`)
    expect(body).toMatchObject({ status: 'cancelled', decided_by: null })
  }
})

describe('A decided gate', () => {
  const DECIDE: Record<string, (gate: string, execution: string) => Promise<unknown>> = {
    approved: (gate) => decide(gate, 'approve'),
    rejected: (gate) => decide(gate, 'reject'),
    cancelled: (_, execution) => ada.post(`/api/v1/executions/${execution}/cancel`),
  }
  for (const [state, reachState] of Object.entries(DECIDE)) {
    test(`(${state}) cannot be decided again, and a refused decision changes nothing`, async () => {
      const execution = await running()
      const gate = await open(execution.id)
      await reachState(gate.id, execution.id)
      const before = [await gateStatus(gate.id), await executionOf(execution.id), await events(execution.id)]
      expect(before[0]).toBe(state)
      for (const action of ['approve', 'reject'] as const) {
        const { status, body } = await decide(gate.id, action)
        expect([status, body.code]).toEqual([409, 'invalid_transition'])
        expect(body.detail).toContain(state)
      }
      expect([await gateStatus(gate.id), await executionOf(execution.id), await events(execution.id)]).toEqual(before)
    })
  }

  test('has one outcome after a concurrent approval and rejection, and its execution agrees', async () => {
    for (let round = 0; round < 10; round++) {
      const execution = await running()
      const gate = await open(execution.id)
      const answers = await Promise.all([decide(gate.id, 'approve'), decide(gate.id, 'reject')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const outcome = await gateStatus(gate.id)
      expect((await executionOf(execution.id)).status).toBe(outcome === 'approved' ? 'running' : 'failed')
    }
  })
})

test('an execution has at most 100 gates', async () => {
  const execution = await running()
  const answers = await Promise.all(
    Array.from({ length: 105 }, (_, index) => ada.post(`/api/v1/executions/${execution.id}/gates`, { name: `Gate ${index}` })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(({ body }) => body.code)).toEqual(Array(5).fill('gate_limit_reached'))
})

test('a gate can be added after the last one was approved', async () => {
  const execution = await running()
  await decide((await open(execution.id)).id, 'approve')
  await open(execution.id)
  expect((await executionOf(execution.id)).status).toBe('awaiting_gate')
})

test('gates of an execution or a project are listed newest first; those of a project can be filtered by status', async () => {
  const place = await box.site(ada, 'Lists')
  const execution = await box.running(ada, place.project.id)
  const [first, second] = [await open(execution.id, 'First'), await open(execution.id, 'Second')]
  await decide(first.id, 'approve')
  const names = async (path: string) => (await ada.get(path)).body.map(({ name }: { name: string }) => name)
  expect(await names(`/api/v1/executions/${execution.id}/gates`)).toEqual(['Second', 'First'])
  expect(await names(`/api/v1/projects/${place.project.id}/gates`)).toEqual(['Second', 'First'])
  expect(await names(`/api/v1/projects/${place.project.id}/gates?status=pending`)).toEqual(['Second'])
  expect(await names(`/api/v1/projects/${place.project.id}/gates?status=approved`)).toEqual(['First'])
  expect(await names(`/api/v1/projects/${place.project.id}/gates?status=rejected`)).toEqual([])
  expect((await ada.get(`/api/v1/projects/${place.project.id}/gates?status=open`)).status).toBe(422)
  expect(second.status).toBe('pending')
})
