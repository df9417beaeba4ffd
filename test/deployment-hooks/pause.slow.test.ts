import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ workers: 2 })
})

afterAll(() => bench.close())

const backdate = (dispatch: Body, seconds: number) =>
  bench.box.sql`update dispatches set created_at = seconds_after(created_at, ${-seconds}) where id = ${dispatch.id}`

const drained = () =>
  bench.box.until('the outbox is drained', async () => (await bench.box.sql`select from waiting_events`).length === 0)

describe('a paused hook', () => {
  test('loses nothing: everything is sent in order once it is resumed', async () => {
    const { project, hook, receiver } = await bench.hooked({ paused: true })
    const execution = await bench.box.running(bench.admin, project.id)
    for (let index = 0; index < 12; index++) {
      await bench.box.approval(bench.admin, execution.id)
      await bench.ask(hook, 'trigger')
    }
    await drained()
    expect((await bench.listed(hook, '?status=pending')).total).toBe(24)
    // A test.ping is sent although the hook is paused, and nothing else with it.
    expect((await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })).body.status).toBe('succeeded')
    expect(receiver.requests).toHaveLength(1)
    await bench.change(hook, { paused: false })
    await receiver.waitFor(25)
    await bench.box.settled()
    expect(receiver.requests).toHaveLength(25)
    expect((await bench.listed(hook, '?status=succeeded')).total).toBe(25)
  })

  test('sends an event that is drained at the moment it is resumed', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const execution = await bench.box.running(bench.admin, project.id)
    for (let round = 1; round <= 15; round++) {
      await bench.change(hook, { paused: true })
      const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: `Review ${round}` })
      await Promise.all([
        bench.admin.make(`/api/v1/gates/${gate.id}/approve`),
        // Over the rounds, from before the drain to after it.
        Bun.sleep(round).then(() => bench.change(hook, { paused: false })),
      ])
      await receiver.waitFor(round)
    }
  })

  test('makes no retry, and lets requests in flight end', async () => {
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
    await bench.box.until('the retry is due', async () => Date.now() > Date.parse(next_attempt_at))
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect(receiver.requests.map(({ headers }) => headers['x-signalbox-event'])).toEqual(['manual.trigger', 'test.ping'])
    await bench.change(hook, { paused: false })
    expect(await bench.once(dispatch, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'succeeded',
      attempt_count: 2,
    })
  })

  test('keeps dispatches that exceed max_age_seconds, and expires them once it is resumed', async () => {
    const { hook, receiver } = await bench.hooked({ paused: true, max_age_seconds: 60 })
    const old = (await bench.ask(hook, 'trigger')).body
    const young = (await bench.ask(hook, 'trigger')).body
    await backdate(old, 61)
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

  test('drops cancelled dispatches, and all of them when it is disabled', async () => {
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

describe('max_age_seconds', () => {
  test('allows sending a young dispatch, and expires it before its next attempt', async () => {
    const { hook, receiver } = await bench.hooked({ max_age_seconds: 60 })
    receiver.answer = () => new Response('', { status: 503, headers: { 'Retry-After': '2' } })
    const { body } = await bench.ask(hook, 'trigger')
    await bench.once(body, ({ attempt_count }) => attempt_count === 1)
    await backdate(body, 60)
    expect(await bench.once(body, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'cancelled',
      attempt_count: 1,
      response_status: 503,
      error: { code: 'expired' },
    })
    expect(receiver.requests).toHaveLength(1)
  })

  test('limits how long a dispatch waits for its next attempt', async () => {
    const { hook, receiver } = await bench.hooked({ max_age_seconds: 100 })
    receiver.answer = () => new Response('', { status: 503, headers: { 'Retry-After': '3600' } })
    const { body } = await bench.ask(hook, 'trigger')
    const { created_at, next_attempt_at } = await bench.once(body, ({ attempt_count }) => attempt_count === 1)
    expect(Date.parse(next_attempt_at) - Date.parse(created_at)).toBeWithin(99_990, 100_010)
  })

  test('counts from the creation of a redelivery, not of the original', async () => {
    const { hook } = await bench.hooked({ max_age_seconds: 60 })
    const { body } = await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=10' })
    await backdate(body, 3600)
    expect((await bench.act(body, 'redeliver', { Prefer: 'wait=10' })).body.status).toBe('succeeded')
  })
})

test('disabling a hook cancels waiting dispatches, and those in flight may still succeed', async () => {
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
