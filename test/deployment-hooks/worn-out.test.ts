import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type MailCatcher, startMailCatcher } from '../../bin/support/mail-catcher.ts'
import { freePort } from '../../bin/support/ports.ts'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

const DAY = 86_400

let bench: Workbench
let mail: MailCatcher

beforeAll(async () => {
  mail = await startMailCatcher({ smtpPort: await freePort('127.0.0.1'), webPort: await freePort('127.0.0.1') })
  bench = await Workbench.open({ environment: { SMTP_URL: mail.smtpUrl } })
})

afterAll(async () => {
  await bench.close()
  await mail.stop()
})

/** A hook whose receiver fails at once and for good. */
async function failing() {
  const { project, hook, receiver } = await bench.hooked()
  receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
  return { project, hook, receiver }
}

/** Triggers a hook, one after another, and waits until all are on record. */
async function triggered(hook: Body, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=10' })
}

/** Lets days pass for a hook: all that is known of it was so long ago. */
async function pass(hook: Body, days: number): Promise<void> {
  await bench.box.sql`
    update lane_health
    set last_success_at = last_success_at - ${days} * interval '1 day', first_failure_at = first_failure_at - ${days} * interval '1 day'
    where lane_id = ${hook.id}
  `
  await bench.box.sql`update deployment_hooks set target_since = target_since - ${days} * interval '1 day' where id = ${hook.id}`
}

const now = async (hook: Body): Promise<Body> => (await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body
const health = async (hook: Body) =>
  (await bench.box.sql`select failures, last_success_at, timed_out from lane_health where lane_id = ${hook.id}`)[0]

describe('a hook of which nothing gets through', () => {
  test('is switched off by its tenth failure after five days, and everybody who looks after it is told', async () => {
    const { project, hook, receiver } = await failing()
    await triggered(hook, 9)
    await pass(hook, 5.1)
    expect((await now(hook)).enabled).toBeTrue()
    const waiting = (await bench.ask(hook, 'trigger')).body
    await bench.box.until('it is switched off', async () => !(await now(hook)).enabled)
    expect((await now(hook)).disabled_reason).toBe('All dispatches have failed for too long.')
    expect(await bench.once(waiting, ({ status }) => status !== 'pending')).toMatchObject({ status: 'failed' })
    const [event] = await bench.box.sql`select data from outbox where project_id = ${project.id} and name = 'hook.disabled'`
    const { created_at, updated_at, ...shown } = await now(hook)
    expect(event?.data).toMatchObject({ reason: shown.disabled_reason, hook: shown })
    expect(await bench.lastEntry(hook.id)).toMatchObject({ action: 'hook.disabled', actor_id: null })
    await bench.box.until('the mail is there', async () => mail.messages.some(({ text }) => text?.includes(hook.id)))

    // On again it starts afresh.
    await bench.change(hook, { enabled: true })
    const seen = receiver.requests.length
    await triggered(hook, 1)
    expect(receiver.requests).toHaveLength(seen + 1)
    expect((await now(hook)).enabled).toBeTrue()
  })

  test.each([
    ['nine failures are too few', 8, 6],
    ['four days are too few', 12, 4],
  ])('stays on where %s', async (_, failures, days) => {
    const { hook } = await failing()
    await triggered(hook, failures)
    await pass(hook, days)
    await triggered(hook, 1)
    expect((await now(hook)).enabled).toBeTrue()
  })

  test('stays on where its failures all came within half a day', async () => {
    const { hook } = await failing()
    await triggered(hook, 10)
    await pass(hook, 6)
    await bench.box
      .sql`update lane_health set first_failure_at = now() - ${DAY * 0.49} * interval '1 second' where lane_id = ${hook.id}`
    await triggered(hook, 1)
    expect((await now(hook)).enabled).toBeTrue()
    await bench.box
      .sql`update lane_health set first_failure_at = now() - ${DAY * 0.51} * interval '1 second' where lane_id = ${hook.id}`
    await triggered(hook, 1)
    expect((await now(hook)).enabled).toBeFalse()
  })

  test('stays on where it has led to its url for less than five days, however old it is', async () => {
    const { hook, receiver } = await failing()
    await pass(hook, 30)
    await bench.box.sql`update deployment_hooks set created_at = created_at - interval '30 days' where id = ${hook.id}`
    await bench.change(hook, { url: `${receiver.url}/elsewhere` })
    await triggered(hook, 10)
    await pass(hook, 4)
    await triggered(hook, 1)
    expect((await now(hook)).enabled).toBeTrue()
    await pass(hook, 2)
    await triggered(hook, 1)
    expect((await now(hook)).enabled).toBeFalse()
  })

  test('counts from its last success, and a test.ping counts for nothing', async () => {
    const { hook, receiver } = await failing()
    await triggered(hook, 9)
    await pass(hook, 6)
    receiver.answer = () => new Response('ok')
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect((await health(hook))?.failures).toBe(9)
    await triggered(hook, 1)
    expect(await health(hook)).toMatchObject({ failures: 0, last_success_at: expect.any(String) })
    receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
    await triggered(hook, 2)
    expect((await health(hook))?.failures).toBe(2)
    for (let index = 0; index < 3; index++) await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect((await health(hook))?.failures).toBe(2)
    await pass(hook, 4)
    await triggered(hook, 10)
    expect((await now(hook)).enabled).toBeTrue()
    await pass(hook, 2)
    await triggered(hook, 1)
    expect((await now(hook)).enabled).toBeFalse()
  })
})
