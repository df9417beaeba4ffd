/** What a policy may say about promotion, and how environments and the track show it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Body, PromotionWorkbench, subjectOf, V1, V2 } from './workbench.ts'

let bench: PromotionWorkbench

beforeAll(async () => {
  bench = await PromotionWorkbench.open()
})
afterAll(() => bench.close())

const at = (pointer: string, code: string) => [422, `/${pointer} ${code}`]

describe('A policy', () => {
  test('promotes from nowhere at first, and each field is audited', async () => {
    const project = await bench.project()
    await bench.hookIn(project, 'staging')
    const first = await bench.policy(project, {})
    expect(first).toMatchObject({ promotes_from: null, soak_seconds: 0, open_gate: false })
    const changed = await bench.policy(project, { promotes_from: 'staging', soak_seconds: 3600, open_gate: true })
    expect(changed).toMatchObject({ promotes_from: 'staging', soak_seconds: 3600, open_gate: true })
    const { detail } = await bench.lastEntry(changed.id)
    for (const text of ['promotes_from from none to "staging"', 'soak_seconds from 0 to 3600', 'open_gate from false to true'])
      expect(detail).toContain(text)
    expect(await bench.policy(project, { promotes_from: null })).toMatchObject({
      promotes_from: null,
      soak_seconds: 0,
      open_gate: false,
    })
  })

  test('needs an environment that a hook, a rollout or a policy names', async () => {
    const { project, staging } = await bench.chain()
    expect(await bench.refused(project, 'production', { promotes_from: 'nowhere' })).toEqual(at('promotes_from', 'unknown'))
    await bench.policy(project, {}, 'only a policy')
    await bench.policy(project, { promotes_from: 'only a policy' }, 'other')
    await bench.run(staging, V1)
    await bench.admin.delete(`/api/v1/deployment-hooks/${staging.id}`)
    await bench.policy(project, { promotes_from: 'staging' }, 'third')
    // One that is named no more stays as it is.
    await bench.admin.delete(bench.policyOf(project, 'only a policy'))
    await bench.policy(project, { required_approvals: 2 }, 'other')
  })

  test('needs promotes_from for the rest', async () => {
    const { project } = await bench.chain({ promotes_from: null })
    expect(await bench.refused(project, 'production', { soak_seconds: 60 })).toEqual(at('soak_seconds', 'not_allowed'))
    expect(await bench.refused(project, 'production', { open_gate: true })).toEqual(at('open_gate', 'not_allowed'))
    expect(await bench.refused(project, 'production', { promotes_from: null, soak_seconds: 60 })).toEqual(
      at('soak_seconds', 'not_allowed'),
    )
    for (const soak_seconds of [-1, 2_592_001, 1.5])
      expect((await bench.refused(project, 'production', { promotes_from: 'staging', soak_seconds }))[0]).toBe(422)
    await bench.policy(project, { promotes_from: 'staging', soak_seconds: 2_592_000 })
  })

  test('makes no circle, and no chain of more than ten', async () => {
    const project = await bench.project()
    await bench.policy(project, {}, 'e1')
    expect(await bench.refused(project, 'e1', { promotes_from: 'e1' })).toEqual(at('promotes_from', 'circular'))
    for (let n = 2; n <= 10; n++) await bench.policy(project, { promotes_from: `e${n - 1}` }, `e${n}`)
    expect(await bench.refused(project, 'e11', { promotes_from: 'e10' })).toEqual(at('promotes_from', 'circular'))
    expect(await bench.refused(project, 'e1', { promotes_from: 'e10' })).toEqual(at('promotes_from', 'circular'))
    expect(await bench.refused(project, 'e3', { promotes_from: 'e5' })).toEqual(at('promotes_from', 'circular'))
    // From the front, too: what follows counts.
    await bench.policy(project, {}, 'e0')
    expect(await bench.refused(project, 'e1', { promotes_from: 'e0' })).toEqual(at('promotes_from', 'circular'))
    await bench.policy(project, { promotes_from: 'e2' }, 'branch')
  })

  test('is changed by one after the other: two that would make a circle together', async () => {
    const project = await bench.project()
    for (const name of ['one', 'two']) await bench.policy(project, {}, name)
    const put = (environment: string, promotes_from: string) =>
      bench.admin.put(bench.policyOf(project, environment), { promotes_from })
    const answers = await Promise.all([put('one', 'two'), put('two', 'one')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})

describe('Environments', () => {
  test('are listed by chain, then by name, part by part', async () => {
    const project = await bench.project()
    for (const name of ['dev', 'perf', 'production', 'qa', 'staging']) await bench.hookIn(project, name)
    await bench.policy(project, { promotes_from: 'dev' }, 'staging')
    await bench.policy(project, { promotes_from: 'dev' }, 'perf')
    await bench.policy(project, { promotes_from: 'staging', soak_seconds: 60 })
    const found = await bench.environments(project)
    expect(found.map(({ environment }: Body) => environment)).toEqual(['dev', 'perf', 'staging', 'production', 'qa'])
    expect(found[3]).toMatchObject({ promotes_from: 'staging', soak_seconds: 60, candidate: null })
    expect(found[0]).toMatchObject({ promotes_from: null, soak_seconds: 0, candidate: null })
    const names: string[] = []
    let path: string | null = `/api/v1/projects/${project.id}/environments?limit=2`
    while (path !== null) {
      const { body, headers } = await bench.admin.get(path)
      names.push(...body.map(({ environment }: Body) => environment))
      path = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? null
    }
    expect(names).toEqual(['dev', 'perf', 'staging', 'production', 'qa'])
  })

  test('say what may come next, in each state', async () => {
    const { project, staging, production } = await bench.chain({ soak_seconds: 3600 })
    const candidate = async () => (await bench.environment(project, 'production')).candidate
    expect(await candidate()).toBeNull()
    const { rollout } = await bench.run(staging, V1, 'succeeded', { version: 'v1' })
    const since = rollout.reported_at
    const soak_until = new Date(Date.parse(since) + 3_600_000).toISOString()
    expect(await candidate()).toMatchObject({
      subject: { digest: V1, version: 'v1' },
      since,
      soak_until,
      gate_id: null,
      state: 'soaking',
    })
    await bench.policy(project, { soak_seconds: 0 })
    expect(await candidate()).toMatchObject({ soak_until: since, state: 'ready' })
    const { body: gate } = await bench.open(project, V1)
    expect(await candidate()).toMatchObject({ gate_id: gate.id, state: 'waiting' })
    await bench.run(staging, V1, 'failed')
    expect(await candidate()).toMatchObject({ since, state: 'failed' })
    await bench.run(staging, V1)
    await bench.run(production, V1)
    expect(await candidate()).toBeNull()
    await bench.run(staging, V2)
    expect(await candidate()).toMatchObject({ subject: { digest: V2 }, state: 'ready' })
  })

  test('name the subject as its gate did', async () => {
    const { project, staging } = await bench.chain()
    await bench.approved(project, V1, { environment: 'staging', subject: subjectOf(V1, 'v1.5.0') })
    await bench.rolledOutFirst(staging, { state: 'succeeded', version: 'something else' })
    expect((await bench.environment(project, 'production')).candidate.subject).toEqual(subjectOf(V1, 'v1.5.0'))
  })
})

describe('The track', () => {
  const track = async (project: Body): Promise<Body> => (await bench.admin.get(`/api/v1/projects/${project.id}/track`)).body

  test('has what is in work, and each environment with what stands before it', async () => {
    const freezes = [{ name: 'Always', from: '2020-01-01T00:00:00.000Z', until: '2120-01-01T00:00:00.000Z' }]
    const { project, staging } = await bench.chain({ soak_seconds: 3600, freezes })
    const execution = await bench.box.running(bench.admin, project.id)
    await bench.run(staging, V1, 'succeeded', { version: 'v1' })
    for (let n = 0; n < 6; n++) await bench.open(project, V1, { name: `Gate ${n}` })
    const found = await track(project)
    expect(found.work).toMatchObject({ running: 1, awaiting_gate: 0, executions: [{ id: execution.id, status: 'running' }] })
    const [first, second, ...more] = found.environments
    expect(more).toEqual([])
    expect(first).toMatchObject({ environment: 'staging', current: { version: 'v1' }, gates: [], gates_count: 0, freeze: null })
    expect(second).toMatchObject({
      environment: 'production',
      current: null,
      candidate: { state: 'soaking' },
      gates_count: 6,
      held_until: freezes[0]?.until,
      freeze: { until: freezes[0]?.until, names: ['Always'] },
    })
    expect(second.gates.map(({ name }: Body) => name)).toEqual(['Gate 0', 'Gate 1', 'Gate 2', 'Gate 3', 'Gate 4'])
    expect(second.gates[0]).toMatchObject({ approvals: 0, required_approvals: 1, waits_for_you: true })
  })

  test('is at most 64 KiB, however long names and addresses are', async () => {
    const project = await bench.project()
    const rolledOut = async (n: number): Promise<void> => {
      const hook = await bench.hookIn(project, `${n} ${'ü'.repeat(60)}`)
      await bench.run(hook, V1, 'succeeded', { version: 'ü'.repeat(120), url: `https://ci.example.com/${'x'.repeat(1900)}` })
    }
    await Promise.all(Array.from({ length: 20 }, (_, n) => rolledOut(n)))
    const found = await track(project)
    expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThanOrEqual(65_536)
    expect(found.environments.length).toBeGreaterThan(5)
  })

  test('is for members', async () => {
    const { project } = await bench.chain()
    const stranger = await bench.box.user('Stranger')
    expect((await stranger.get(`/api/v1/projects/${project.id}/track`)).status).toBe(404)
  })
})
