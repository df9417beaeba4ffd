import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

describe('a manual.trigger', () => {
  test('is accepted at once, sent with the next sequence, and audited', async () => {
    const { project, hook, receiver } = await bench.hooked({ environment: 'staging' })
    await bench.subscribeToOutcomes(project)
    await bench.approve(project)
    await bench.settled(hook)
    const { status, body, headers } = await bench.ask(hook, 'trigger')
    expect(status).toBe(202)
    expect(headers.get('location')).toBe(`/api/v1/dispatches/${body.id}`)
    expect(body).toMatchObject({
      status: 'pending',
      event: 'manual.trigger',
      environment: 'staging',
      sequence: 2,
      max_attempts: 3,
    })
    const request = await receiver.event('manual.trigger')
    expect(request.headers['x-signalbox-sequence']).toBe('2')
    expect(JSON.parse(request.body)).toMatchObject({
      event: 'manual.trigger',
      project: { id: project.id },
      environment: 'staging',
      sequence: 2,
      data: { hook: { id: hook.id, environment: 'staging' } },
    })
    expect(await bench.once(body, ({ status }) => status !== 'pending')).toMatchObject({ status: 'succeeded' })
    expect(await bench.lastEntry(hook.id)).toMatchObject({ action: 'deployment_hook.triggered', actor_id: bench.admin.id })
    const events = await bench.box.sql`select from outbox where project_id = ${project.id} and name = 'deployment.succeeded'`
    expect(events).toHaveLength(2)
  })

  test('responds with its outcome, after retries, when the caller prefers to wait', async () => {
    const { hook, receiver } = await bench.hooked()
    receiver.answer = (_, number) => new Response('', { status: number < 3 ? 500 : 200 })
    const { status, body, headers } = await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=15' })
    expect([status, body.status, body.attempt_count]).toEqual([200, 'succeeded', 3])
    expect(headers.get('preference-applied')).toBe('wait=15')
  })

  test('is sent once per Idempotency-Key', async () => {
    const { hook, receiver } = await bench.hooked()
    const key = { 'Idempotency-Key': 'once' }
    const [first, second] = [await bench.ask(hook, 'trigger', undefined, key), await bench.ask(hook, 'trigger', undefined, key)]
    expect(second.body.id).toBe(first.body.id)
    await bench.box.settled()
    expect(receiver.requests).toHaveLength(1)
  })

  test('of a disabled hook is refused', async () => {
    const { hook } = await bench.hooked({ enabled: false })
    const { status, body } = await bench.ask(hook, 'trigger')
    expect([status, body.code]).toEqual([409, 'hook_disabled'])
    expect((await bench.listed(hook)).total).toBe(0)
  })

  test('gets a unique sequence under concurrent requests', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const execution = await bench.box.running(bench.admin, project.id)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 ? bench.ask(hook, 'trigger') : bench.box.approval(bench.admin, execution.id),
      ),
    )
    await receiver.waitFor(20)
    await bench.box.settled()
    const { items } = await bench.listed(hook, '?page_size=100')
    const numbers = items.map(({ sequence }: { sequence: number }) => sequence)
    expect(numbers.sort((a: number, b: number) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })
})
