/** Freezes of an environment: automatic dispatches of its hooks wait until none holds, whatever way they are sent. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PullWorkbench } from '../pull-hooks/workbench.ts'
import { PageClient } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

let bench: PullWorkbench

beforeAll(async () => {
  bench = await PullWorkbench.open({ environment: { HOOK_RETRY_SECONDS: '1,1' } })
})
afterAll(() => bench.close())

const HOUR = 3600

/** A freeze from an hour ago until some seconds from now, by the clock of the database. */
async function freezeFor(seconds: number): Promise<{ name: string; from: string; until: string }> {
  const [freeze] = await bench.box.sql<[{ from: string; until: string }]>`
    select
      (now() - interval '1 hour')::timestamptz(3) as "from",
      (now() + ${seconds} * interval '1 second')::timestamptz(3) as until
  `
  return { name: 'Sale', from: new Date(freeze.from).toISOString(), until: new Date(freeze.until).toISOString() }
}

const policyOf = ({ id }: Body, environment = 'production') => `/api/v1/projects/${id}/environments/${environment}/policy`

/** Freezes production. @returns when the freeze ends */
async function freeze(project: Body, seconds = HOUR): Promise<string> {
  const made = await freezeFor(seconds)
  expect((await bench.admin.put(policyOf(project), { freezes: [made] })).status).toBe(200)
  return made.until
}

/** A hook in production with a dispatch that a freeze holds back. */
async function held(input: object = {}) {
  const made = await bench.hooked(input)
  const until = await freeze(made.project)
  await bench.approve(made.project)
  const [dispatch] = await bench.dispatches(made.hook, ([first]) => first?.held_until != null)
  return { ...made, until, dispatch }
}

describe('a freeze', () => {
  test('holds back an approved deployment, which shows until when, and is sent when it ends', async () => {
    const { project, receiver, until, dispatch } = await held()
    expect(dispatch).toMatchObject({ status: 'pending', held_until: until, next_attempt_at: until, attempt_count: 0 })
    expect(receiver.requests).toEqual([])
    const end = await freeze(project, 2)
    const sent = await bench.once(dispatch, ({ status }) => status !== 'pending')
    expect(sent).toMatchObject({ status: 'succeeded', held_until: null })
    expect(Date.parse(sent.attempts[0].started_at)).toBeGreaterThanOrEqual(Date.parse(end))
  })

  test('does not hold back tests, manual triggers and rollbacks', async () => {
    const { project, hook, receiver, dispatch } = await held()
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=20' })
    await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=20' })
    const path = `/api/v1/projects/${project.id}/deployment-rollback`
    await bench.admin.make(path, { target_version: 'v1.4.2' }, { Prefer: 'wait=20' })
    expect(receiver.requests.map(({ headers }) => headers['x-signalbox-event'])).toEqual([
      'test.ping',
      'manual.trigger',
      'deployment.rollback',
    ])
    expect((await bench.dispatch(dispatch.id)).status).toBe('pending')
  })

  test('that begins after the fan-out holds what has not been sent', async () => {
    const { project, hook, receiver } = await bench.hooked({ paused: true })
    await bench.approve(project)
    const [waiting] = await bench.dispatches(hook, ([first]) => first !== undefined)
    expect(waiting.held_until).toBeNull()
    const until = await freeze(project)
    await bench.change(hook, { paused: false })
    expect((await bench.once(waiting, ({ held_until }) => held_until !== null)).held_until).toBe(until)
    expect(receiver.requests).toEqual([])
  })

  test('that begins between an attempt and its retry holds the retry', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = async () => {
      await freeze(project)
      return new Response('no', { status: 500 })
    }
    await bench.approve(project)
    const [dispatch] = await bench.dispatches(hook, ([first]) => first?.held_until != null)
    expect(dispatch).toMatchObject({ status: 'pending', attempt_count: 1 })
    expect(receiver.requests).toHaveLength(1)
  })

  test('of another environment holds nothing back', async () => {
    const { project, hook } = await bench.hooked({ environment: 'staging' })
    await freeze(project)
    await bench.approve(project)
    expect((await bench.settled(hook)).status).toBe('succeeded')
  })

  test('does not stop the time in which a dispatch is sent at all', async () => {
    const { dispatch } = await held({ max_age_seconds: 60 })
    const id = dispatch.id
    expect(Date.parse(dispatch.next_attempt_at)).toBeLessThan(Date.parse(dispatch.held_until))
    // As if a minute had passed.
    await bench.box.sql`alter table dispatches disable trigger user`
    await bench.box.sql`update dispatches set created_at = seconds_after(created_at, -60) where id = ${id}`
    await bench.box.sql`alter table dispatches enable trigger user`
    await bench.box.sql`update deliveries set due_at = now() where id = ${id}`
    await bench.change({ id: dispatch.hook_id }, { name: 'Woken' })
    expect((await bench.once(dispatch, ({ status }) => status !== 'pending')).error.code).toBe('expired')
  })

  test('refuses to send one now, and can be redelivered into', async () => {
    const { dispatch, hook } = await held()
    const { status, body } = await bench.act(dispatch, 'retry')
    expect([status, body.code]).toEqual([409, 'environment_frozen'])
    await bench.act(dispatch, 'cancel')
    await bench.once(dispatch, (found) => found.status === 'cancelled')
    const { body: again } = await bench.act(dispatch, 'redeliver')
    expect((await bench.once(again, ({ held_until }) => held_until !== null)).status).toBe('pending')
    expect((await bench.listed(hook)).total).toBe(2)
  })
})

describe('what waits is sent at once', () => {
  test('when the freeze is removed from the policy', async () => {
    const { project, dispatch } = await held()
    await bench.admin.put(policyOf(project), { freezes: [] })
    expect((await bench.once(dispatch, ({ status }) => status !== 'pending')).status).toBe('succeeded')
  })

  test('when the policy is deleted', async () => {
    const { project, dispatch } = await held()
    await bench.admin.delete(policyOf(project))
    expect((await bench.once(dispatch, ({ status }) => status !== 'pending')).status).toBe('succeeded')
  })

  test('when the hook moves to another environment', async () => {
    const { hook, dispatch } = await held()
    await bench.change(hook, { environment: 'staging' })
    expect((await bench.once(dispatch, ({ status }) => status !== 'pending')).status).toBe('succeeded')
  })

  test('but not when another freeze holds: it waits for the end of that', async () => {
    const { project, dispatch, receiver } = await held()
    const until = await freeze(project, 2 * HOUR)
    await bench.once(dispatch, ({ held_until }) => held_until === until)
    expect(receiver.requests).toEqual([])
  })

  test('also if policies change again and again while dispatches are made', async () => {
    const { project, hook, receiver } = await bench.hooked()
    for (let round = 0; round < 5; round++) {
      await Promise.all([bench.approve(project), freeze(project), bench.approve(project)])
      expect((await bench.admin.delete(policyOf(project))).status).toBe(204)
    }
    await bench.dispatches(hook, (all) => all.length === 10 && all.every(({ status }) => status === 'succeeded'))
    expect(receiver.requests).toHaveLength(10)
  })
})

describe('a claim', () => {
  test('gets nothing that a freeze holds back, and gets it when it ends', async () => {
    const pulled = await bench.pulled()
    const until = await freeze(pulled.project)
    await bench.approve(pulled.project)
    const [dispatch] = await bench.dispatches(pulled.hook, ([first]) => first?.held_until != null)
    expect(dispatch.held_until).toBe(until)
    expect(await bench.claim(pulled, { wait: 0 })).toEqual([])
    const end = await freeze(pulled.project, 2)
    const claimed = await bench.claimOne(pulled)
    expect(Date.parse(claimed.lease_until) - 60_000).toBeGreaterThanOrEqual(Date.parse(end))
  })

  test('gets nothing that was made before the freeze, and at once what the end of the freeze sets free', async () => {
    const pulled = await bench.pulled()
    await bench.approve(pulled.project)
    await bench.dispatches(pulled.hook, ([first]) => first !== undefined)
    await freeze(pulled.project)
    expect(await bench.claim(pulled, { wait: 0 })).toEqual([])
    await bench.ask(pulled.hook, 'trigger')
    expect((await bench.claimOne(pulled)).dispatch.event).toBe('manual.trigger')
    const [claimed] = await Promise.all([bench.claimOne(pulled), bench.admin.delete(policyOf(pulled.project))])
    expect(claimed.dispatch).toMatchObject({ event: 'gate.approved', held_until: null })
  })

  test('gets what passes the freeze, although a newer one waits that would supersede it', async () => {
    const pulled = await bench.pulled({ supersede: true })
    await freeze(pulled.project)
    await bench.ask(pulled.hook, 'trigger')
    await bench.approve(pulled.project)
    const [, waiting] = await bench.dispatches(pulled.hook, ([, second]) => second?.held_until != null)
    // What is held is decided again.
    await freeze(pulled.project, 2 * HOUR)
    expect((await bench.claimOne(pulled)).dispatch.event).toBe('manual.trigger')
    expect((await bench.dispatch(waiting.id)).status).toBe('pending')
  })
})

test('pages and the effects of a gate show until when', async () => {
  const { project, hook, until, dispatch } = await held({ report_within_seconds: 600 })
  const gate = await bench.admin.make(`/api/v1/projects/${project.id}/gates`, { name: 'Release', environment: 'production' })
  expect((await bench.admin.get(`/api/v1/gates/${gate.id}/effects`)).body.held_until).toBe(until)
  const visitor = await PageClient.signedIn(bench.box, bench.admin)
  const paths = [`deployment-hooks/${hook.id}`, `projects/${project.id}/environment?name=production`, `dispatches/${dispatch.id}`]
  const pages = await Promise.all(paths.map((path) => visitor.open(`/app/${path}`)))
  for (const { document } of pages) expect(document.querySelector(`time[datetime="${until}"]`)).not.toBeNull()
  expect(pages.map(({ text }) => /frozen until|A freeze of/.exec(text)?.[0])).toEqual([
    'frozen until',
    'frozen until',
    'A freeze of',
  ])
})
