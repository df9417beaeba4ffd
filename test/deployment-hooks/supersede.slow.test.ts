import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { WITH_LATE_RETRIES, Workbench } from './workbench.ts'

type Body = Answer['body']

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open(WITH_LATE_RETRIES)
})

afterAll(() => bench.close())

const isOver = ({ status }: Body) => status !== 'pending'
const trigger = async (hook: Body): Promise<Body> => (await bench.ask(hook, 'trigger')).body

/** A superseding hook whose first dispatch failed once and waits for its retry. */
async function withWaitingRetry(input: object = { supersede: true }) {
  const { project, hook, receiver } = await bench.hooked(input)
  receiver.answer = () => new Response('', { status: 500 })
  const dispatch = await bench.once(await trigger(hook), ({ attempt_count }) => attempt_count === 1)
  return { project, hook, receiver, dispatch }
}

describe('a hook with supersede', () => {
  test('cancels waiting dispatches when a newer trigger, rollback or event arrives', async () => {
    const { project, hook, dispatch: first } = await withWaitingRetry()
    await bench.subscribeToOutcomes(project)
    const second = await trigger(hook)
    expect(await bench.once(first, isOver)).toMatchObject({
      status: 'cancelled',
      superseded_by: second.id,
      next_attempt_at: null,
      error: { code: 'superseded' },
    })
    await bench.once(second, ({ attempt_count }) => attempt_count === 1)
    const rollback = await bench.admin.make(`/api/v1/projects/${project.id}/deployment-rollback`, { target_version: 'v1' })
    const third = rollback.dispatches[0]
    expect(await bench.once(second, isOver)).toMatchObject({ status: 'cancelled', superseded_by: third.id })
    await bench.once(third, ({ attempt_count }) => attempt_count === 1)
    await bench.approve(project)
    expect(await bench.once(third, isOver)).toMatchObject({ status: 'cancelled', event: 'deployment.rollback' })
    const { items } = await bench.listed(hook)
    expect(items.map(({ event, status }: Body) => [event, status])[0]).toEqual(['gate.approved', 'pending'])
    expect((await bench.dispatch(third.id)).superseded_by).toBe(items[0].id)
    // Cancelled dispatches raise no event.
    const events = await bench.box.sql`select from outbox where project_id = ${project.id} and name = 'deployment.failed'`
    expect(events).toHaveLength(0)
  })

  test('lets a request in flight end, and does not retry it once a newer dispatch exists', async () => {
    const { hook, receiver } = await bench.hooked({ supersede: true })
    const answer = Promise.withResolvers<void>()
    receiver.answer = async (_, number) => {
      if (number === 1) await answer.promise
      return new Response('', { status: number === 1 ? 500 : 200 })
    }
    const first = await trigger(hook)
    await receiver.waitFor(1)
    const second = await trigger(hook)
    await bench.once(second, ({ status }) => status === 'succeeded')
    expect((await bench.dispatch(first.id)).status).toBe('pending')
    answer.resolve()
    expect(await bench.once(first, isOver)).toMatchObject({
      status: 'cancelled',
      attempt_count: 1,
      superseded_by: second.id,
      error: { code: 'superseded' },
    })
    expect(receiver.requests).toHaveLength(2)
  })

  test('never sends an older dispatch after a newer one, whatever the order of arrival', async () => {
    const { hook, receiver } = await bench.hooked({ supersede: true })
    receiver.answer = (_, number) => new Response('', { status: number % 3 ? 500 : 200 })
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await Bun.sleep(index * 5)
        await trigger(hook)
      }),
    )
    await bench.box.until('at most one is pending', async () => (await bench.listed(hook, '?status=pending')).total <= 1)
    await bench.box.until('the newest was attempted', async () => {
      const { items } = await bench.listed(hook, '?page_size=100')
      return items.some(({ sequence, attempt_count }: Body) => sequence === 40 && attempt_count > 0)
    })
    const { items } = await bench.listed(hook, '?page_size=100')
    const newest = Math.max(...items.map(({ sequence }: Body) => sequence))
    expect(newest).toBe(40)
    for (const { status, superseded_by, sequence } of items) {
      if (status !== 'cancelled') continue
      const newer = items.find(({ id }: Body) => id === superseded_by)
      expect(newer.sequence).toBe(sequence + 1)
    }
    // Dispatches fetched together are sent together; no later attempt has a lower sequence.
    const attempts = await bench.box.sql<{ sequence: number; started_at: string }[]>`
      select sequence, started_at
      from dispatches
      join dispatch_attempts on dispatch_id = id and dispatch_attempts.organization_id = dispatches.organization_id
      where hook_id = ${hook.id}
      order by started_at, sequence
    `
    const numbers = attempts.map(({ sequence }) => sequence)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(numbers.at(-1)).toBe(40)
  })

  test('ignores redeliveries when it supersedes; a redelivery is superseded only by newer dispatches', async () => {
    const { hook, receiver, dispatch: first } = await withWaitingRetry()
    const second = await trigger(hook)
    await bench.once(first, isOver)
    await bench.once(second, ({ attempt_count }) => attempt_count === 1)
    const { body: again } = await bench.act(first, 'redeliver')
    expect(await bench.once(again, ({ attempt_count }) => attempt_count === 1)).toMatchObject({
      status: 'pending',
      sequence: 1,
      redelivery_of: first.id,
    })
    expect((await bench.dispatch(second.id)).status).toBe('pending')
    receiver.answer = () => new Response('ok')
    const third = await trigger(hook)
    for (const older of [second, again])
      expect(await bench.once(older, isOver)).toMatchObject({ status: 'cancelled', superseded_by: third.id })
    expect(await bench.once(third, isOver)).toMatchObject({ status: 'succeeded' })
  })

  test('neither cancels a test.ping nor is superseded by one', async () => {
    const { hook, dispatch } = await withWaitingRetry()
    const { body: ping } = await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect(ping).toMatchObject({ status: 'failed', superseded_by: null })
    expect((await bench.dispatch(dispatch.id)).status).toBe('pending')
  })

  test('supersedes while it is paused', async () => {
    const { hook, dispatch: first, receiver } = await withWaitingRetry()
    await bench.change(hook, { paused: true })
    const second = await trigger(hook)
    expect(await bench.once(first, isOver)).toMatchObject({ status: 'cancelled', superseded_by: second.id })
    expect((await bench.dispatch(second.id)).status).toBe('pending')
    expect(receiver.requests).toHaveLength(1)
  })
})

test('a hook without supersede still retries the older dispatch', async () => {
  const { hook, dispatch: first } = await withWaitingRetry({})
  await bench.once(await trigger(hook), ({ attempt_count }) => attempt_count === 1)
  expect((await bench.dispatch(first.id)).status).toBe('pending')
  await bench.act(first, 'retry')
  await bench.once(first, ({ attempt_count }) => attempt_count === 2)
})
