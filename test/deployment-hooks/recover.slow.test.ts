import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const LONG_AGO = '2020-01-01T00:00:00Z'

const recover = (hook: Body, input: object = {}) => bench.ask(hook, 'recover', { since: LONG_AGO, ...input })

/** A hook with a number of failed triggers, sent one after another, and a failed test.ping. */
async function withFailures(count: number) {
  const { project, hook, receiver } = await bench.hooked()
  receiver.answer = () => new Response('stop', { status: 400, headers: { 'X-Signalbox-Control': 'stop' } })
  await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
  const dispatches: Body[] = []
  for (let index = 0; index < count; index++)
    dispatches.push((await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=10' })).body)
  expect(dispatches.map(({ status }) => status)).toEqual(Array(count).fill('failed'))
  return { project, hook, receiver, dispatches }
}

describe('recovering', () => {
  test('redelivers each failed dispatch once, without test.pings, and then has nothing left to do', async () => {
    const { hook, receiver, dispatches } = await withFailures(3)
    const seen = receiver.requests.length
    receiver.answer = () => new Response('ok')
    const dry = await recover(hook, { dry_run: true })
    expect([dry.status, dry.body]).toEqual([200, { redelivered: 3 }])
    const { status, body } = await recover(hook)
    expect([status, body]).toEqual([202, { redelivered: 3 }])
    await bench.box.settled()
    const again = receiver.requests.slice(seen)
    expect(again.map(({ headers }) => headers['x-signalbox-sequence']).sort()).toEqual(['1', '2', '3'])
    const { items } = await bench.listed(hook)
    expect(items.slice(0, 3).map(({ redelivery_of }: Body) => redelivery_of)).toEqual(dispatches.map(({ id }) => id).reverse())
    expect((await recover(hook)).body).toEqual({ redelivered: 0 })
    const entries = await bench.box.sql`
        select detail
        from audit_log_entries
        where action = 'deployment_hook.recovered'
          and resource_id = ${hook.id}
        order by id
      `
    expect(entries).toHaveLength(2)
  })

  test('concurrently adds each redelivery once, and none while the first are in flight', async () => {
    const { hook, receiver } = await withFailures(5)
    const seen = receiver.requests.length
    const hold = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await hold.promise
      return new Response('ok')
    }
    const answers = await Promise.all(Array.from({ length: 6 }, () => recover(hook)))
    expect(answers.map(({ body }) => body.redelivered).sort()).toEqual([0, 0, 0, 0, 0, 5])
    await receiver.waitFor(seen + 5)
    expect((await recover(hook)).body).toEqual({ redelivered: 0 })
    hold.resolve()
    await bench.box.settled()
    expect(receiver.requests).toHaveLength(seen + 5)
  })

  test('again redelivers what failed again, once per payload', async () => {
    const { hook, receiver } = await withFailures(2)
    await recover(hook)
    await bench.box.settled()
    expect((await recover(hook)).body).toEqual({ redelivered: 2 })
    await bench.box.settled()
    const { items } = await bench.listed(hook)
    expect(items.filter(({ redelivery_of }: Body) => redelivery_of !== null)).toHaveLength(4)
    expect(new Set(receiver.requests.slice(1).map(({ body }) => body)).size).toBe(2)
  })

  test('includes since and excludes until', async () => {
    const { hook, dispatches } = await withFailures(3)
    const [first, second, third] = dispatches
    const count = async (input: object) => (await recover(hook, { ...input, dry_run: true })).body.redelivered
    expect(await count({ since: second.created_at })).toBe(2)
    expect(await count({ until: third.created_at })).toBe(2)
    expect(await count({ since: first.created_at, until: first.created_at })).toBe(0)
    expect(await count({ since: '2999-01-01T00:00:00Z' })).toBe(0)
  })

  test('is refused for a disabled hook and for an invalid time span', async () => {
    const { hook } = await bench.hooked()
    for (const [input, pointer] of [
      [{ since: null }, '/since'],
      [{ since: 'yesterday' }, '/since'],
      [{ until: '2019-01-01T00:00:00Z' }, '/until'],
      [{ dry_run: 'yes' }, '/dry_run'],
    ] as const) {
      const { status, body } = await recover(hook, input)
      expect([status, body.errors.map((each: Body) => each.pointer)]).toEqual([422, [pointer]])
    }
    expect((await bench.ask(hook, 'recover')).status).toBe(422)
    await bench.change(hook, { enabled: false })
    const { status, body } = await recover(hook)
    expect([status, body.code]).toEqual([409, 'hook_disabled'])
  })

  test('includes events and rollbacks that arrived while the service had disabled the hook, in order', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('gone', { status: 410 })
    await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=10' })
    const seen = receiver.requests.length
    await bench.approve(project)
    await bench.box.until('the event is drained', async () => (await bench.listed(hook)).total === 2)
    const rollback = await bench.admin.make(`/api/v1/projects/${project.id}/deployment-rollback`, { target_version: 'v1' })
    expect(rollback.dispatches).toEqual([])
    const { items } = await bench.listed(hook)
    expect(items.slice(0, 2)).toMatchObject([
      { event: 'deployment.rollback', status: 'cancelled', sequence: 3, attempt_count: 0, error: { code: 'hook_disabled' } },
      { event: 'gate.approved', status: 'cancelled', sequence: 2, attempt_count: 0, error: { code: 'hook_disabled' } },
    ])
    expect(items[0].completed_at).toEndWith('Z')
    await bench.box.settled()
    expect(receiver.requests).toHaveLength(seen)

    await bench.change(hook, { enabled: true })
    receiver.answer = () => new Response('ok')
    expect((await recover(hook)).body).toEqual({ redelivered: 3 })
    await bench.box.settled()
    expect(
      receiver.requests
        .slice(seen)
        .map(({ headers }) => headers['x-signalbox-sequence'])
        .sort(),
    ).toEqual(['1', '2', '3'])
  })

  test('excludes events that arrived while the owner had disabled the hook', async () => {
    const { project, hook } = await bench.hooked({ enabled: false })
    await bench.approve(project)
    await bench.box.settled()
    expect((await bench.listed(hook)).total).toBe(0)
  })
})
