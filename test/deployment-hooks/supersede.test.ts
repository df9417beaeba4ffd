import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ workers: 2, environment: { HOOK_RETRY_SECONDS: '600,600' } })
})

afterAll(() => bench.close())

const isOver = ({ status }: Body) => status !== 'pending'
const trigger = async (hook: Body): Promise<Body> => (await bench.ask(hook, 'trigger')).body

/** A hook that supersedes, of which the first dispatch failed once and waits. */
async function waiting(input: object = { supersede: true }) {
  const { project, hook, receiver } = await bench.hooked(input)
  receiver.answer = () => new Response('', { status: 500 })
  const dispatch = await bench.once(await trigger(hook), ({ attempt_count }) => attempt_count === 1)
  return { project, hook, receiver, dispatch }
}

describe('a hook that supersedes', () => {
  test('cancels what waits as soon as there is something newer: a trigger, a rollback, an event', async () => {
    const { project, hook, dispatch: first } = await waiting()
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
    // What is cancelled raises nothing.
    const told = await bench.box.sql`select from outbox where project_id = ${project.id} and name = 'deployment.failed'`
    expect(told).toHaveLength(0)
  })

  test('does not call back what is in flight, and does not try it again after something newer', async () => {
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

  test('never sends the older after the newer, however they come', async () => {
    const { hook, receiver } = await bench.hooked({ supersede: true })
    receiver.answer = (_, number) => new Response('', { status: number % 3 ? 500 : 200 })
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await Bun.sleep(index * 5)
        await trigger(hook)
      }),
    )
    await bench.box.until('one is left', async () => (await bench.listed(hook, '?status=pending')).total <= 1)
    await bench.box.until('the newest was tried', async () => {
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
    // Those of one look go out together; of those that do not, none goes back.
    const attempts = await bench.box.sql<{ sequence: number; started_at: string }[]>`
      select sequence, started_at
      from dispatches
      join dispatch_attempts on dispatch_id = id
      where hook_id = ${hook.id}
      order by started_at, sequence
    `
    const numbers = attempts.map(({ sequence }) => sequence)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(numbers.at(-1)).toBe(40)
  })

  test('is superseded by no redelivery, and a redelivery only by what comes after it', async () => {
    const { hook, receiver, dispatch: first } = await waiting()
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

  test('leaves a test.ping alone, and is superseded by none', async () => {
    const { hook, dispatch } = await waiting()
    const { body: ping } = await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect(ping).toMatchObject({ status: 'failed', superseded_by: null })
    expect((await bench.dispatch(dispatch.id)).status).toBe('pending')
  })

  test('does so while it is paused', async () => {
    const { hook, dispatch: first, receiver } = await waiting()
    await bench.change(hook, { paused: true })
    const second = await trigger(hook)
    expect(await bench.once(first, isOver)).toMatchObject({ status: 'cancelled', superseded_by: second.id })
    expect((await bench.dispatch(second.id)).status).toBe('pending')
    expect(receiver.requests).toHaveLength(1)
  })
})

test('a hook that does not supersede tries the older one all the same', async () => {
  const { hook, dispatch: first } = await waiting({})
  await bench.once(await trigger(hook), ({ attempt_count }) => attempt_count === 1)
  expect((await bench.dispatch(first.id)).status).toBe('pending')
  await bench.act(first, 'retry')
  await bench.once(first, ({ attempt_count }) => attempt_count === 2)
})
