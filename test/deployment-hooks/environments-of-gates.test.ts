/** A gate with an environment triggers only hooks of that environment, and the last gate of its execution triggers them once. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})
afterAll(() => bench.close())

/** A project with a hook in production, and one in staging. */
async function twoHooks(filter: object | null = null): Promise<{ project: Body; production: Body; staging: Body }> {
  const { project, hook: production } = await bench.hooked({ name: 'Production', environment: 'production', filter })
  const input = { name: 'Staging', url: bench.receiver().url, trigger_on: 'gate_approved', environment: 'staging' }
  const staging = await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, input)
  return { project, production, staging }
}

const open = async (project: Body, ...inputs: object[]): Promise<Body[]> => {
  const { id } = await bench.box.running(bench.admin, project.id)
  const gates: Body[] = []
  for (const input of inputs) gates.push(await bench.admin.make(`/api/v1/executions/${id}/gates`, { name: 'Release', ...input }))
  return gates
}

const approve = async ({ id }: Body): Promise<Body> => bench.admin.make(`/api/v1/gates/${id}/approve`, {})
const effects = async ({ id }: Body): Promise<Body> => (await bench.admin.get(`/api/v1/gates/${id}/effects`)).body
const namesOf = ({ hooks }: Body): string[] => hooks.map(({ name }: Body) => name)

/** The gates whose events a hook got, once all events are drained. */
async function gatesOf(hook: Body): Promise<string[]> {
  await bench.box.settled()
  const { items } = await bench.listed(hook)
  const dispatches = await Promise.all(items.map(({ id }: Body) => bench.dispatch(id)))
  return dispatches.map(({ payload }) => JSON.parse(payload).data.gate.id).reverse()
}

test('a gate triggers the hooks of its environment; one without an environment triggers all', async () => {
  const { project, production, staging } = await twoHooks()
  const [first, second] = (await open(project, { environment: 'production' }, {})) as [Body, Body]
  expect(namesOf(await effects(first))).toEqual(['Production'])
  expect(namesOf(await effects(second))).toEqual(['Production', 'Staging'])
  await approve(first)
  await approve(second)
  expect([await gatesOf(production), await gatesOf(staging)]).toEqual([[first.id, second.id], [second.id]])
})

test('of several gates of an execution and environment the one that is approved last triggers, once', async () => {
  const { project, production, staging } = await twoHooks()
  const inputs = ['Legal', 'Security', 'Release'].map((name) => ({ name, environment: 'production' }))
  const [legal, security, release, other] = (await open(project, ...inputs, { environment: 'staging' })) as [
    Body,
    Body,
    Body,
    Body,
  ]
  const before = await effects(legal)
  expect(before.hooks).toEqual([])
  expect(before.missing.at(-1)).toContain('“Release”, “Security”')
  expect((await approve(security)).triggers_hooks).toBe(false)
  expect((await approve(other)).triggers_hooks).toBe(true)
  const decided = await Promise.all([approve(legal), approve(release)])
  expect(decided.map(({ triggers_hooks }) => triggers_hooks).sort()).toEqual([false, true])
  const last = decided.find(({ triggers_hooks }) => triggers_hooks) as Body
  expect([await gatesOf(production), await gatesOf(staging)]).toEqual([[last.id], [other.id]])
})

test('an approval that waited for a gate at which changes are requested triggers nothing; the next gate does', async () => {
  const { project, hook } = await bench.hooked({ environment: 'production' })
  const [first, second] = (await open(project, { environment: 'production' }, { environment: 'production' })) as [Body, Body]
  await approve(first)
  await bench.admin.make(`/api/v1/gates/${second.id}/request-changes`, { comment: 'Split it.' })
  const visitor = await PageClient.signedIn(bench.box, bench.admin)
  const { document } = await visitor.open(`/app/gates/${first.id}`)
  expect(document.querySelector('#sent')?.textContent).toContain('Another gate for the same environment was pending')
  const next = await bench.admin.make(`/api/v1/executions/${first.execution_id}/gates`, {
    name: 'Next',
    environment: 'production',
  })
  await approve(next)
  const dispatch = await bench.settled(hook)
  expect(JSON.parse(dispatch.payload).data.gate.id).toBe(next.id)
  expect((await bench.listed(hook)).total).toBe(1)
})

test('effects are decided by filters, and by which hooks are enabled; a decided gate has none', async () => {
  const filter = { '/data/gate/name': 'Release', '/data/gate/status': 'approved', '/data/execution/status': 'running' }
  const { project, staging } = await twoHooks(filter)
  const [release, legal] = (await open(project, {}, { name: 'Legal', required_approvals: 2, prevent_self_approval: true })) as [
    Body,
    Body,
  ]
  expect(namesOf(await effects(release))).toEqual(['Production', 'Staging'])
  await bench.change(staging, { enabled: false })
  expect(await effects(release)).toEqual({
    hooks: [{ id: expect.any(String), name: 'Production', environment: 'production' }],
    held_until: null,
    promotion: null,
    running: null,
    missing: ['1 more approval.'],
  })
  expect(await effects(legal)).toMatchObject({
    hooks: [],
    missing: ['2 more approvals.', 'People who opened the gate or started its execution cannot approve it.'],
  })
  await approve(release)
  expect(await effects(release)).toMatchObject({ hooks: [], missing: [] })
})

test('effects show what runs in the environment, and which answers are required', async () => {
  const { project, hook } = await bench.hooked({ environment: 'production', report_within_seconds: 3600 })
  const fields = [
    { name: 'ticket', label: 'Change ticket', type: 'text' },
    { name: 'note', label: 'Note', type: 'text', required: false },
  ]
  const [first] = (await open(project, { environment: 'production' })) as [Body]
  await approve(first)
  const dispatch = await bench.settled(hook)
  await bench.admin.make(`/api/v1/dispatches/${dispatch.id}/report`, { state: 'succeeded', version: 'v1.4.2' })
  const gate = await bench.admin.make(`/api/v1/projects/${project.id}/gates`, {
    name: 'Release',
    environment: 'production',
    fields,
  })
  const { running, missing } = await effects(gate)
  expect(running).toEqual({ version: 'v1.4.2', digest: null, since: expect.stringMatching(/Z$/) })
  expect(missing).toEqual(['1 more approval.', 'Answers of each approver: “Change ticket”.'])
})
