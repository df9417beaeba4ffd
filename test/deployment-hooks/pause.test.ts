import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ workers: 2 })
})

afterAll(() => bench.close())

const age = (dispatch: Body, seconds: number) =>
  bench.box.sql`update dispatches set created_at = created_at - ${seconds} * interval '1 second' where id = ${dispatch.id}`

const drained = () =>
  bench.box.until('it is drained', async () => (await bench.box.sql`select from outbox where drained_at is null`).length === 0)

describe('a hook that is paused', () => {
  test('loses nothing: all goes out when it is paused no more, in its order', async () => {
    const { project, hook, receiver } = await bench.hooked({ paused: true })
    const execution = await bench.box.running(bench.admin, project.id)
    for (let index = 0; index < 12; index++) {
      await bench.box.approval(bench.admin, execution.id)
      await bench.ask(hook, 'trigger')
    }
    await drained()
    expect((await bench.listed(hook, '?status=pending')).total).toBe(24)
    // A test goes out although it is paused, and takes nothing with it.
    expect((await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })).body.status).toBe('succeeded')
    expect(receiver.requests).toHaveLength(1)
    await bench.change(hook, { paused: false })
    await receiver.waitFor(25)
    await bench.box.settled()
    expect(receiver.requests).toHaveLength(25)
    expect((await bench.listed(hook, '?status=succeeded')).total).toBe(25)
  })

  test('sends what is told in the very moment in which it is paused no more', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const execution = await bench.box.running(bench.admin, project.id)
    for (let round = 1; round <= 15; round++) {
      await bench.change(hook, { paused: true })
      const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: `Review ${round}` })
      await Promise.all([
        bench.admin.make(`/api/v1/gates/${gate.id}/approve`),
        // From before the drain to after it, over the rounds.
        Bun.sleep(round).then(() => bench.change(hook, { paused: false })),
      ])
      await receiver.waitFor(round)
    }
  })

  test('tries no retry meanwhile, and lets what is in flight end', async () => {
    const { hook, receiver } = await bench.hooked()
    const answer = Promise.withResolvers<void>()
    receiver.answer = async (_, number) => {
      if (number === 1) await answer.promise
      return new Response('', { status: number === 1 ? 500 : 200 })
    }
    const { body: dispatch } = await bench.ask(hook, 'trigger')
    await receiver.waitFor(1)
    await bench.change(hook, { paused: true })
    answer.resolve()
    const { next_attempt_at } = await bench.once(dispatch, ({ attempt_count }) => attempt_count === 1)
    await bench.box.until('its retry is due', async () => Date.now() > Date.parse(next_attempt_at))
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect(receiver.requests.map(({ headers }) => headers['x-signalbox-event'])).toEqual(['manual.trigger', 'test.ping'])
    await bench.change(hook, { paused: false })
    expect(await bench.once(dispatch, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'succeeded',
      attempt_count: 2,
    })
  })

  test('keeps what grows too old, and then it is expired', async () => {
    const { hook, receiver } = await bench.hooked({ paused: true, max_age_seconds: 60 })
    const old = (await bench.ask(hook, 'trigger')).body
    const young = (await bench.ask(hook, 'trigger')).body
    await age(old, 61)
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect((await bench.dispatch(old.id)).status).toBe('pending')
    await bench.change(hook, { paused: false })
    expect(await bench.once(old, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'cancelled',
      attempt_count: 0,
      error: { code: 'expired' },
    })
    await bench.once(young, ({ status }) => status === 'succeeded')
    expect(receiver.requests.map(({ headers }) => headers['x-signalbox-delivery'])).not.toContain(old.id)
  })

  test('lets go of what is cancelled, and of all when it is switched off', async () => {
    const { hook, receiver } = await bench.hooked({ paused: true })
    const first = (await bench.ask(hook, 'trigger')).body
    const second = (await bench.ask(hook, 'trigger')).body
    expect((await bench.act(first, 'cancel')).body.status).toBe('cancelled')
    await bench.change(hook, { enabled: false })
    expect(await bench.once(second, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'cancelled',
      error: { code: 'hook_disabled' },
    })
    expect(receiver.requests).toHaveLength(0)
  })
})

describe('a dispatch of a hook with max_age_seconds', () => {
  test('is sent while it is young enough, and at its next try is not any more', async () => {
    const { hook, receiver } = await bench.hooked({ max_age_seconds: 60 })
    receiver.answer = () => new Response('', { status: 503, headers: { 'Retry-After': '2' } })
    const { body } = await bench.ask(hook, 'trigger')
    await bench.once(body, ({ attempt_count }) => attempt_count === 1)
    await age(body, 60)
    expect(await bench.once(body, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'cancelled',
      attempt_count: 1,
      response_status: 503,
      error: { code: 'expired' },
    })
    expect(receiver.requests).toHaveLength(1)
  })

  test('is not kept waiting for a try that it is too old for by then', async () => {
    const { hook, receiver } = await bench.hooked({ max_age_seconds: 100 })
    receiver.answer = () => new Response('', { status: 503, headers: { 'Retry-After': '3600' } })
    const { body } = await bench.ask(hook, 'trigger')
    const { created_at, next_attempt_at } = await bench.once(body, ({ attempt_count }) => attempt_count === 1)
    expect(Date.parse(next_attempt_at) - Date.parse(created_at)).toBeWithin(99_990, 100_010)
  })

  test('that is a redelivery counts from its own beginning', async () => {
    const { hook } = await bench.hooked({ max_age_seconds: 60 })
    const { body } = await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=10' })
    await age(body, 3600)
    expect((await bench.act(body, 'redeliver', { Prefer: 'wait=10' })).body.status).toBe('succeeded')
  })
})

test('what waits for a hook is cancelled when its owner switches it off, and what is in flight may still succeed', async () => {
  const { hook, receiver } = await bench.hooked()
  const answer = Promise.withResolvers<void>()
  receiver.answer = async () => {
    await answer.promise
    return new Response('ok')
  }
  const triggered: Body[] = []
  for (let index = 0; index < 12; index++) triggered.push((await bench.ask(hook, 'trigger')).body)
  await receiver.waitFor(10)
  await bench.change(hook, { enabled: false })
  await bench.box.until('two are cancelled', async () => (await bench.listed(hook, '?status=cancelled')).total === 2)
  answer.resolve()
  await bench.box.until('ten have succeeded', async () => (await bench.listed(hook, '?status=succeeded')).total === 10)
  const { items } = await bench.listed(hook, '?status=cancelled')
  for (const { error, attempt_count } of items) expect([error.code, attempt_count]).toEqual(['hook_disabled', 0])
  expect(receiver.requests).toHaveLength(10)
})
