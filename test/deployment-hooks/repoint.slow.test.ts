import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { waitingLocks } from '../support/waiting-locks.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const GONE = () => new Response('gone', { status: 410 })
const STOP = () => new Response('no', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
const BUSY = () => new Response('busy', { status: 503, headers: { 'Retry-After': '3600' } })

const health = async ({ id }: { id: string }) =>
  (await bench.box.sql`select failures, timed_out from lane_health where lane_id = ${id}`)[0]

/** A hook whose receiver delays its first response until the hook has another URL. */
async function changeUrlInFlight(late: () => Response) {
  const first = Promise.withResolvers<Response>()
  const [before, after] = [bench.receiver(), bench.receiver()]
  before.answer = () => first.promise
  const { project, hook } = await bench.hookTo(`${before.url}/before`, { secret: null })
  await bench.subscribeToOutcomes(project)
  await bench.approve(project)
  await before.waitFor(1)
  await bench.change(hook, { url: `${after.url}/after` })
  first.resolve(late())
  return { before, after, hook, project }
}

describe('a response from the previous URL of a hook', () => {
  test.each([
    ['410', GONE, 'gone'],
    ['X-Signalbox-Control: stop', STOP, 'http_error'],
    ['a 503 with Retry-After', BUSY, 'http_error'],
  ])('decides only its own attempt: %s', async (_, late, code) => {
    const { before, after, hook, project } = await changeUrlInFlight(late)
    const dispatch = await bench.settled(hook)
    expect(dispatch).toMatchObject({
      status: 'succeeded',
      attempts: [
        { number: 1, error: { code } },
        { number: 2, response_status: 200, error: null },
      ],
    })
    expect([before.requests.length, after.requests.length]).toEqual([1, 1])
    expect((await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
    })
    expect(await health(hook)).toMatchObject({ failures: 0 })
    const events = await bench.box.sql`
      select name from outbox where project_id = ${project.id} and (name like 'deployment.%' or name like 'hook.%')
    `
    expect(events).toEqual([{ name: 'deployment.succeeded' }] as never)
  })

  test('counts as a success, and the dispatch is not repeated at the new URL', async () => {
    const { after, hook } = await changeUrlInFlight(() => new Response('ok'))
    expect(await bench.settled(hook)).toMatchObject({ status: 'succeeded', attempt_count: 1 })
    expect(after.requests).toHaveLength(0)
  })

  test('fails a test.ping, which has one attempt, and leaves the hook enabled', async () => {
    const answer = Promise.withResolvers<Response>()
    const { hook, receiver } = await bench.hooked({ secret: null })
    receiver.answer = () => answer.promise
    const { body } = await bench.ask(hook, 'test')
    await receiver.waitFor(1)
    await bench.change(hook, { url: bench.receiver().url })
    answer.resolve(GONE())
    expect(await bench.once(body, ({ status }) => status !== 'pending')).toMatchObject({ status: 'failed', attempt_count: 1 })
    expect((await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body.enabled).toBeTrue()
  })
})

test('a 410 to the last attempt disables the hook before its URL changes, or not at all', async () => {
  const last = Promise.withResolvers<Response>()
  const [before, after] = [bench.receiver(), bench.receiver()]
  before.answer = () => last.promise
  const { project, hook } = await bench.hookTo(before.url, { secret: null, paused: true })
  await bench.approve(project)
  const { sql } = bench.box
  await bench.dispatches(hook, ({ length }) => length === 1)
  const [{ max_attempts }] = await sql<[{ max_attempts: number }]>`select max_attempts from dispatches where hook_id = ${hook.id}`
  await sql`update deliveries set attempt_count = ${max_attempts - 1} where lane_id = ${hook.id}`
  await bench.change(hook, { paused: false })
  await before.waitFor(1)

  /** Whether at least this many lock requests wait. */
  const waiting = async (least: number) => (await waitingLocks(sql)) >= least
  let change: Promise<{ enabled: boolean }> | undefined
  await sql.begin(async (tx) => {
    // Recording the attempt waits here, after it has read the URL of the hook.
    await tx`lock table dispatches in share mode`
    last.resolve(GONE())
    while (!(await waiting(1))) await Bun.sleep(10)
    let isChanged = false
    change = bench.change(hook, { url: after.url }).finally(() => {
      isChanged = true
    }) as typeof change
    while (!isChanged && !(await waiting(2))) await Bun.sleep(10)
  })
  const changed = await change
  const dispatch = await bench.settled(hook)
  expect(dispatch).toMatchObject({ status: 'failed', error: { code: 'gone' } })
  expect((await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body.enabled).toBe(changed?.enabled)
})

test('failures at one URL do not count against the next; other changes keep the count', async () => {
  const { hook, receiver } = await bench.hooked({ secret: null })
  receiver.answer = STOP
  const trigger = () => bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=10' })
  for (let count = 0; count < 3; count++) await trigger()
  expect(await health(hook)).toMatchObject({ failures: 3 })
  await bench.change(hook, { name: 'Renamed', url: hook.url })
  expect(await health(hook)).toMatchObject({ failures: 3 })
  await bench.change(hook, { url: `${receiver.url}/elsewhere` })
  await trigger()
  expect(await health(hook)).toMatchObject({ failures: 1 })
})
