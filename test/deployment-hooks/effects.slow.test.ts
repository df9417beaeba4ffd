/** What `effects` says before an approval is what is sent after it, in set-ups of policies, other gates and hooks. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { type Body, guardedHooks, policyOf, YES } from './guarded-hooks.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})
afterAll(() => bench.close())

const { policy, gates } = guardedHooks(() => bench)

const HOOKS: Record<string, object> = {
  Plain: {},
  'Filtered in': { filter: { '/data/gate/status': 'approved', '/data/gate/name': 'Subject' } },
  'Filtered out': { filter: { '/data/gate/name': 'Other' } },
  Paused: { paused: true },
  Pulled: { mode: 'pull', url: undefined },
  Disabled: { enabled: false },
  Workflow: { trigger_on: 'workflow_done' },
  'Paused workflow': { trigger_on: 'workflow_done', paused: true },
  'In staging': { environment: 'staging' },
  'Workflow in staging': { environment: 'staging', trigger_on: 'workflow_done' },
}

/** The gates of the execution next to the one in question. */
const OTHERS = ['none', 'approved', 'pending', 'revoked, opened before', 'revoked, opened later'] as const

interface SetUp {
  environment: string | null
  others: (typeof OTHERS)[number]
}

const SET_UPS: SetUp[] = [
  { environment: null, others: 'none' },
  { environment: 'staging', others: 'none' },
  ...OTHERS.map((others) => ({ environment: 'production', others })),
]

async function projectWith(gate_required: boolean, until: string | null): Promise<Body> {
  const project = await bench.project()
  const { url } = bench.receiver()
  for (const [name, input] of Object.entries(HOOKS)) {
    const hook = { name, url, trigger_on: 'gate_approved', ...input }
    await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, hook)
  }
  const freezes = until === null ? [] : [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until }]
  await policy(project, { gate_required, freezes })
  return project
}

/** Opens the gate in question, and others. */
async function opened(project: Body, { environment, others }: SetUp): Promise<{ execution: Body; gate: Body }> {
  const execution = await bench.box.running(bench.admin, project.id)
  const subject = { name: 'Subject', environment }
  const other = { ...YES, name: others === 'pending' ? 'Open' : 'Yes' }
  const inputs = others === 'none' ? [subject] : others === 'revoked, opened before' ? [other, subject] : [subject, other]
  const all = await gates(execution, ...inputs)
  const twin = all.find(({ name }) => name === 'Yes')
  if (others.startsWith('revoked')) await bench.admin.make(`/api/v1/gates/${twin.id}/revoke`, { reason: 'It is vulnerable.' })
  return { execution, gate: all.find(({ name }) => name === 'Subject') }
}

/** The hooks for which an approval has made dispatches that are sent. */
const sentFor = (gate: Body, execution: Body, isRequired: boolean) => bench.box.sql<{ name: string }[]>`
  select hook.name
  from dispatches as dispatch
  join deployment_hooks as hook on hook.id = dispatch.hook_id
  where (
      dispatch.gate_id = ${gate.id}
      -- Where no gate is required, they are sent whatever is approved.
      or dispatch.graph_id = ${execution.graph_id} and hook.environment = 'production' and ${isRequired}
    )
    and dispatch.status <> 'cancelled'
  order by hook.name
`

for (const gate_required of [false, true]) {
  for (const until of [null, '2999-01-01T00:00:00.000Z']) {
    const name = `gates ${gate_required ? '' : 'not '}required, ${until ? '' : 'not '}frozen`
    test(name, async () => {
      const project = await projectWith(gate_required, until)
      for (const setUp of SET_UPS) {
        const { execution, gate } = await opened(project, setUp)
        const { body: effects } = await bench.admin.get(`/api/v1/gates/${gate.id}/effects`)
        await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, {})
        if (setUp.others !== 'pending') await bench.admin.make(`/api/v1/executions/${execution.id}/complete`, {})
        await bench.box.until('the events are drained', async () => {
          const waiting = await bench.box.sql`select from waiting_events`
          return waiting.length === 0
        })
        const sent = await sentFor(gate, execution, gate_required)
        expect([setUp, effects.hooks.map((hook: Body) => hook.name)]).toEqual([setUp, sent.map((each) => each.name)])
        const isFrozen = until !== null && (setUp.environment === 'production' || sent.some((each) => each.name === 'Plain'))
        expect([setUp, effects.held_until]).toEqual([setUp, isFrozen ? until : null])
      }
    })
  }
}

describe('what is missing names', () => {
  const missing = async ({ id }: Body): Promise<string> =>
    (await bench.admin.get(`/api/v1/gates/${id}/effects`)).body.missing.join(' ')

  test('another gate whose approval was revoked, or that was opened later and is not approved, where hooks listen', async () => {
    const project = await projectWith(true, null)
    const { gate } = await opened(project, { environment: 'production', others: 'revoked, opened later' })
    const text = await missing(gate)
    expect(text).toContain('Nothing is sent to hooks of production: the approval of another gate of this execution was revoked')
    expect(text).toContain(
      'The completed workflow is not sent to hooks of production: a gate that was opened later is not approved.',
    )
    await policy(project, { gate_required: false })
    expect(await missing(gate)).toBe('1 more approval.')
  })

  test('the passkey that each approver needs', async () => {
    const project = await bench.project()
    await policy(project, { require_passkey: true })
    const { gate } = await opened(project, { environment: 'production', others: 'none' })
    expect(await missing(gate)).toBe('1 more approval. A passkey of each approver.')
  })
})

describe('the page of a gate', () => {
  const shown = async (project: Body, setUp: SetUp): Promise<string> => {
    const { gate } = await opened(project, setUp)
    const visitor = await PageClient.signedIn(bench.box, bench.admin)
    const { document } = await visitor.open(`/app/gates/${gate.id}`)
    // What an approval does, and what it still lacks.
    return [...document.querySelectorAll('#effects, #approvals')].map(({ textContent }) => textContent).join(' ')
  }

  test('says until when a freeze holds, and what is sent when the workflow is completed', async () => {
    const text = await shown(await projectWith(true, '2999-01-01T00:00:00Z'), { environment: 'production', others: 'none' })
    expect(text).toContain('Held until')
    expect(text).toContain('2999')
    expect(text).toContain('When the workflow is completed, it is sent to Workflow for production')
    expect(text).toContain('Sends the approval to Plain for production')
  })

  test('says which environments require a gate of their own', async () => {
    const text = await shown(await projectWith(true, null), { environment: null, others: 'none' })
    expect(text).toContain('to In staging for staging')
    expect(text).not.toContain('Plain')
    expect(text).toContain('Nothing is sent to hooks of “production”, which require a gate for the environment')
  })

  test('does not need a policy', async () => {
    const project = await projectWith(false, null)
    await bench.admin.delete(policyOf(project))
    expect(await shown(project, { environment: 'production', others: 'none' })).toContain('Plain for production')
  })
})

test('of a decided gate, `held_until` says until when what it has triggered waits, and is null once that was sent', async () => {
  const until = '2999-01-01T00:00:00.000Z'
  const freezes = [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until }]
  const { project, hook, receiver } = await bench.hooked()
  const heldUntil = async ({ id }: Body) => (await bench.admin.get(`/api/v1/gates/${id}/effects`)).body.held_until
  await policy(project, { freezes })
  const [gate] = await gates(await bench.box.running(bench.admin, project.id), YES)
  await bench.dispatches(hook, ([only]) => only?.held_until === until)
  expect(await heldUntil(gate)).toBe(until)
  await policy(project, { freezes: [] })
  expect(await heldUntil(gate)).toBeNull()
  await receiver.waitFor(1)
  await bench.dispatches(hook, ([only]) => only?.status === 'succeeded')
  await policy(project, { freezes })
  expect(await heldUntil(gate)).toBeNull()
  const [rejected] = await gates(await bench.box.running(bench.admin, project.id), { ...YES, name: 'No' })
  await bench.admin.make(`/api/v1/gates/${rejected.id}/reject`, {})
  expect(await heldUntil(rejected)).toBeNull()
})
