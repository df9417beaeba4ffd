import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { waitingLocks } from '../support/waiting-locks.ts'
import { WITH_LATE_RETRIES, Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open(WITH_LATE_RETRIES)
})

afterAll(() => bench.close())

/**
 * Locks the `deliveries` row of a dispatch, as a worker does when it records an attempt, until a request waits for it.
 *
 * @returns whether the dispatch itself can then be locked, as the worker does next
 */
async function canBeRecorded({ id }: Answer['body'], request: () => Promise<unknown>): Promise<boolean> {
  const organization_id = bench.site.organization.id
  let [requested, recordable]: [Promise<unknown> | undefined, boolean] = [undefined, false]
  await bench.box.sql.begin(async (tx) => {
    await tx`select from deliveries where id = ${id} and organization_id = ${organization_id} for update`
    requested = request()
    await bench.box.until('the request waits for a lock', async () => (await waitingLocks(bench.box.sql)) > 0)
    const locked = await tx`
      select from dispatches where id = ${id} and organization_id = ${organization_id} for no key update skip locked
    `
    recordable = locked.count === 1
  })
  await requested
  return recordable
}

/** A hook with one dispatch that failed once and waits for its retry. */
async function withWaitingRetry() {
  const { hook, receiver } = await bench.hooked()
  receiver.answer = () => new Response('', { status: 500 })
  const { body } = await bench.ask(hook, 'trigger')
  return { hook, dispatch: await bench.once(body, ({ attempt_count }) => attempt_count === 1) }
}

describe('a row of the queue is locked before its dispatch, in the order that recording an attempt uses,', () => {
  test('by a request that cancels', async () => {
    const { dispatch } = await withWaitingRetry()
    expect(await canBeRecorded(dispatch, () => bench.act(dispatch, 'cancel'))).toBeTrue()
  })

  test('by a request that deletes the hook', async () => {
    const { hook, dispatch } = await withWaitingRetry()
    expect(await canBeRecorded(dispatch, () => bench.admin.delete(`/api/v1/deployment-hooks/${hook.id}`))).toBeTrue()
  })
})
