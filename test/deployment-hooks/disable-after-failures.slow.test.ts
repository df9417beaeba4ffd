import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MailCatcher } from '../../bin/support/mail-catcher.ts'
import { mailCatcher, mailSettings } from '../support/mail.ts'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

const DAY = 86_400

let bench: Workbench
let mail: MailCatcher

beforeAll(async () => {
  mail = await mailCatcher()
  bench = await Workbench.open({ environment: mailSettings(mail) })
})

afterAll(() => bench.close())

/** A hook whose receiver rejects every dispatch without retries. */
async function failing() {
  const { project, hook, receiver } = await bench.hooked()
  receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
  return { project, hook, receiver }
}

async function triggerAndWait(hook: Body, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=10' })
}

/** Moves the recorded times of a hook into the past by a number of days. */
async function backdate(hook: Body, days: number): Promise<void> {
  const { sql } = bench.box
  const ago = (column: string) => sql`${sql(column)} - ${days} * interval '1 day' as ${sql(column)}`
  // Read and then written: a cluster refuses to compute times in an update.
  const [times] = await sql`
    select ${ago('last_success_at')}, ${ago('first_failure_at')} from lane_health where lane_id = ${hook.id}
  `
  if (times) await sql`update lane_health set ${sql(times)} where lane_id = ${hook.id}`
  const [target] = await sql`select ${ago('target_since')} from deployment_hooks where id = ${hook.id}`
  if (target) await sql`update deployment_hooks set ${sql(target)} where id = ${hook.id}`
}

const fetchHook = async (hook: Body): Promise<Body> => (await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body
const health = async (hook: Body) =>
  (await bench.box.sql`select failures, last_success_at, timed_out from lane_health where lane_id = ${hook.id}`)[0]

describe('a hook whose dispatches all fail', () => {
  test('is disabled by its tenth failure after five days, and its admins are notified', async () => {
    const { project, hook, receiver } = await failing()
    await triggerAndWait(hook, 9)
    await backdate(hook, 5.1)
    expect((await fetchHook(hook)).enabled).toBeTrue()
    const waiting = (await bench.ask(hook, 'trigger')).body
    await bench.box.until('it is disabled', async () => !(await fetchHook(hook)).enabled)
    expect((await fetchHook(hook)).disabled_reason).toBe('All dispatches have failed for too long.')
    expect(await bench.once(waiting, ({ status }) => status !== 'pending')).toMatchObject({ status: 'failed' })
    const [event] = await bench.box.sql`select data from outbox where project_id = ${project.id} and name = 'hook.disabled'`
    const { created_at, updated_at, ...shown } = await fetchHook(hook)
    expect(event?.data).toMatchObject({ reason: shown.disabled_reason, hook: shown })
    expect(await bench.lastEntry(hook.id)).toMatchObject({ action: 'hook.disabled', actor_id: null })
    await bench.box.until('the mail is there', async () => mail.messages.some(({ text }) => text?.includes(hook.id)))

    // When it is enabled again, the count starts at zero.
    await bench.change(hook, { enabled: true })
    const seen = receiver.requests.length
    await triggerAndWait(hook, 1)
    expect(receiver.requests).toHaveLength(seen + 1)
    expect((await fetchHook(hook)).enabled).toBeTrue()
  })

  test.each([
    ['it has nine failures', 8, 6],
    ['it has failed for four days', 12, 4],
  ])('stays enabled when %s', async (_, failures, days) => {
    const { hook } = await failing()
    await triggerAndWait(hook, failures)
    await backdate(hook, days)
    await triggerAndWait(hook, 1)
    expect((await fetchHook(hook)).enabled).toBeTrue()
  })

  test('stays enabled when all of its failures came within half a day', async () => {
    const { hook } = await failing()
    await triggerAndWait(hook, 10)
    await backdate(hook, 6)
    await bench.box
      .sql`update lane_health set first_failure_at = now() - ${DAY * 0.49} * interval '1 second' where lane_id = ${hook.id}`
    await triggerAndWait(hook, 1)
    expect((await fetchHook(hook)).enabled).toBeTrue()
    await bench.box
      .sql`update lane_health set first_failure_at = now() - ${DAY * 0.51} * interval '1 second' where lane_id = ${hook.id}`
    await triggerAndWait(hook, 1)
    expect((await fetchHook(hook)).enabled).toBeFalse()
  })

  test('stays enabled for five days after its URL changed, however old it is', async () => {
    const { hook, receiver } = await failing()
    await backdate(hook, 30)
    await bench.box.sql`update deployment_hooks set created_at = '2020-01-01T00:00:00Z' where id = ${hook.id}`
    await bench.change(hook, { url: `${receiver.url}/elsewhere` })
    await triggerAndWait(hook, 10)
    await backdate(hook, 4)
    await triggerAndWait(hook, 1)
    expect((await fetchHook(hook)).enabled).toBeTrue()
    await backdate(hook, 2)
    await triggerAndWait(hook, 1)
    expect((await fetchHook(hook)).enabled).toBeFalse()
  })

  test('counts from its last success, and test.pings do not count', async () => {
    const { hook, receiver } = await failing()
    await triggerAndWait(hook, 9)
    await backdate(hook, 6)
    receiver.answer = () => new Response('ok')
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect((await health(hook))?.failures).toBe(9)
    await triggerAndWait(hook, 1)
    expect(await health(hook)).toMatchObject({ failures: 0, last_success_at: expect.any(String) })
    receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
    await triggerAndWait(hook, 2)
    expect((await health(hook))?.failures).toBe(2)
    for (let index = 0; index < 3; index++) await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect((await health(hook))?.failures).toBe(2)
    await backdate(hook, 4)
    await triggerAndWait(hook, 10)
    expect((await fetchHook(hook)).enabled).toBeTrue()
    await backdate(hook, 2)
    await triggerAndWait(hook, 1)
    expect((await fetchHook(hook)).enabled).toBeFalse()
  })
})
