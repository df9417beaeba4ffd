import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'
import type { Receiver } from '../support/receiver.ts'
import type { Answer } from '../support/signalbox.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true, workers: 2 })
})
afterAll(() => bench.close())
afterEach(async () => {
  await bench.box.sql`select ops.resume(flag) from ops.paused`
})

interface Tenant {
  flag: string
  project: Answer['body']
  receiver: Receiver
  approve: () => Promise<Answer['body']>
}

/** An organization with a hook to its own receiver. */
async function tenant(name: string): Promise<Tenant> {
  const { admin, box } = bench
  const { organization, project } = await box.site(admin, name)
  const receiver = bench.receiver()
  await admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: receiver.url,
    trigger_on: 'gate_approved',
  })
  const approve = async () => box.approval(admin, (await box.running(admin, project.id)).id)
  return { flag: `org:${organization.id}`, project, receiver, approve }
}

const gatesAt = (receiver: Receiver): string[] => receiver.requests.map(({ body }) => JSON.parse(body).data.gate.id)

/** Pauses, and waits until both workers have noticed. */
async function pause(flag: string): Promise<void> {
  await bench.box.sql`select from ops.pause(${flag}, 'a test')`
  await Promise.all(bench.box.workers.map((worker) => worker.said(`"${flag}"`)))
}

const resume = (flag: string) => bench.box.sql`select ops.resume(${flag})`

/** The number of events of a tenant that are not drained yet. */
const countUndrained = async ({ flag }: Tenant): Promise<number> => {
  const [{ count }] = await bench.box.sql<[{ count: number }]>`
    select count(*) from waiting_events where organization_id = ${flag.slice(4)}
  `
  return count
}

test('a paused tenant gets nothing while others do, and afterwards everything in order', async () => {
  const [paused, other] = await Promise.all([tenant('Paused'), tenant('Other')])
  await paused.approve()
  await paused.receiver.waitFor(1)
  await pause(paused.flag)
  const gates = []
  for (let number = 0; number < 5; number++) gates.push(await paused.approve())
  const gate = await other.approve()
  await other.receiver.waitFor(1)
  expect(gatesAt(other.receiver)).toEqual([gate.id])
  // A second event of the other tenant shows that the drain passes the paused tenant.
  await other.approve()
  await other.receiver.waitFor(2)
  expect(paused.receiver.requests).toHaveLength(1)
  expect(await countUndrained(paused)).toBeGreaterThanOrEqual(5)
  const [load] = await bench.box.sql`
    select events >= 5 as events, paused from ops.tenant_load_detail where organization_id = ${paused.flag.slice(4)}
  `
  expect(load).toEqual({ events: true, paused: true })

  await resume(paused.flag)
  await paused.receiver.waitFor(6)
  const sequences = paused.receiver.requests.map(({ headers, body }) => [
    Number(headers['x-signalbox-sequence']),
    JSON.parse(body).data.gate.id,
  ])
  expect(sequences.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, id]) => id)).toEqual([
    gatesAt(paused.receiver)[0],
    ...gates.map(({ id }) => id),
  ])
  expect(await countUndrained(paused)).toBe(0)
})

test('a tenant that is paused while its dispatches are sent gets no more of them, and the rest afterwards', async () => {
  const [flooded, other] = await Promise.all([tenant('Flooded'), tenant('Beside it')])
  flooded.receiver.answer = async () => {
    await Bun.sleep(400)
    return new Response('ok')
  }
  await Promise.all(Array.from({ length: 60 }, () => flooded.approve()))
  let flooding = true
  const flood = (async () => {
    while (flooding) await flooded.approve()
  })()
  await pause(flooded.flag)
  await bench.box.until('its lane is released', async () => {
    const [lane] = await bench.box
      .sql`select from lanes where owner_id is not null and organization_id = ${flooded.flag.slice(4)}`
    return lane === undefined
  })
  flooding = false
  await flood
  const before = flooded.receiver.requests.length
  await Promise.all(Array.from({ length: 5 }, () => flooded.approve()))
  await other.approve()
  await other.receiver.waitFor(1)
  expect(flooded.receiver.requests.length).toBe(before)
  const [health] = await bench.box.sql`select status from ops.health where "check" = 'dispatches_waiting'`
  expect(health?.status).toBe('ok')
  await resume(flooded.flag)
  await bench.box.settled()
  expect(new Set(gatesAt(flooded.receiver)).size).toBe(flooded.receiver.requests.length)
  expect(flooded.receiver.requests.length).toBeGreaterThanOrEqual(65)
})

test('a paused task is started for no tenant, while other tasks are', async () => {
  const [one, two] = await Promise.all([tenant('One'), tenant('Two')])
  await pause('task:dispatch_hook')
  await Promise.all([one.approve(), two.approve()])
  await bench.box.until('the drain continues', async () => (await countUndrained(one)) + (await countUndrained(two)) === 0)
  const [{ pending }] = await bench.box.sql<[{ pending: number }]>`
    select count(*) as pending from dispatches where status = 'pending'
  `
  expect([pending, one.receiver.requests.length, two.receiver.requests.length]).toEqual([2, 0, 0])
  await resume('task:dispatch_hook')
  await Promise.all([one.receiver.waitFor(1), two.receiver.waitFor(1)])
})

test('a job without flags, as the crontab adds, waits as well', async () => {
  const { sql } = bench.box
  await pause('task:forget_expired')
  await sql`update refresh_tokens set expires_at = now() - interval '1 minute'`
  await sql`select from graphile_worker.add_job('forget_expired', '{}')`
  await bench.box.until('it is put back', async () => {
    const [job] =
      await sql`select from graphile_worker.jobs where task_identifier = 'forget_expired' and flags ? 'task:forget_expired'`
    return job !== undefined
  })
  const expired = () => sql`select from refresh_tokens where expires_at < now()`
  expect((await expired()).length).toBeGreaterThan(0)
  await resume('task:forget_expired')
  await bench.box.until('it was done', async () => (await expired()).length === 0)
})

test('a pause with an end expires without any action', async () => {
  const brief = await tenant('Brief')
  await bench.box.sql`select from ops.pause(${brief.flag}, 'a test', now() + interval '8 seconds')`
  await Promise.all(bench.box.workers.map((worker) => worker.said(`"${brief.flag}"`)))
  await brief.approve()
  expect(brief.receiver.requests).toHaveLength(0)
  await brief.receiver.waitFor(1)
  expect(await bench.box.sql`select from ops.paused where flag = ${brief.flag}`).toHaveLength(0)
})

test('invalid pauses are refused, and valid ones are logged', async () => {
  const { sql } = bench.box
  const named = await tenant('Named')
  const refusals: [string | null, string | null, string | null][] = [
    ['org:00000000-0000-4000-8000-000000000000', 'why', null],
    ['org:nonsense', 'why', null],
    ['task:nonsense', 'why', null],
    ['nonsense', 'why', null],
    ['', 'why', null],
    [null, 'why', null],
    [named.flag, '', null],
    [named.flag, null, null],
    [named.flag, 'why', '2020-01-01T00:00:00Z'],
  ]
  for (const [flag, reason, until] of refusals) {
    const refused = await sql`select from ops.pause(${flag}, ${reason}, ${until}::timestamptz)`.catch((error) => error.code)
    expect([flag, reason, until, refused]).toEqual([flag, reason, until, '22023'])
  }
  expect(await sql`select ops.resume('task:nonsense')`.catch((error) => error.code)).toBe('22023')
  expect(await sql`select ops.resume(${named.flag}) as resumed`).toEqual([{ resumed: false }] as never)
  const [{ slug }] = await sql<[{ slug: string }]>`select slug from organizations where id = ${named.flag.slice(4)}`
  expect([...(await sql`select flag from ops.pause(${`org:${slug}`}, 'a test')`)]).toEqual([{ flag: named.flag }])
  expect([...(await sql`select ops.resume(${`org:${slug}`}) as resumed`)]).toEqual([{ resumed: true }])
  await sql`delete from ops.actions where reason = 'a test' or action = 'resume'`
  expect(await sql`select from ops.paused`).toHaveLength(0)

  await sql`select from ops.pause(${named.flag.toUpperCase().replace('ORG', 'org')}, 'They asked for it')`
  await sql`select ops.resume(${named.flag})`
  const [{ me }] = await sql<[{ me: string }]>`select session_user as me`
  expect(
    await sql`
      select actor, application_name, action, targets, affected, reason
      from ops.action_log_detail
      where ${named.flag} = any(targets)
    `,
  ).toEqual([
    { actor: me, application_name: 'signalbox test', action: 'resume', targets: [named.flag], affected: 1, reason: null },
    {
      actor: me,
      application_name: 'signalbox test',
      action: 'pause',
      targets: [named.flag],
      affected: 1,
      reason: 'They asked for it',
    },
  ] as never)
})

test('what waits for a hook that is disabled while its tenant is paused is cancelled afterwards', async () => {
  const { flag, project, receiver, approve } = await tenant('Gone')
  const [hook] = (await bench.admin.get(`/api/v1/projects/${project.id}/deployment-hooks`)).body
  const answered = Promise.withResolvers<void>()
  receiver.answer = async (_, number) => {
    // The first dispatch waits for a long retry; the second is answered during the pause.
    if (number === 1) return new Response('', { status: 503, headers: { 'Retry-After': '600' } })
    await answered.promise
    return new Response('gone', { status: 410 })
  }
  await approve()
  await bench.tried(hook)
  await approve()
  await receiver.waitFor(2)
  await pause(flag)
  answered.resolve()
  await bench.box.until('the hook is disabled, and its queue released', async () => {
    const [lane] = await bench.box.sql`
      select from lanes
      join deployment_hooks as hook on hook.id = lanes.id
      where hook.id = ${hook.id} and not hook.enabled and lanes.owner_id is null
    `
    return lane !== undefined
  })
  await resume(flag)
  const [waiting] = await bench.dispatches(
    hook,
    (found) => found.length === 2 && found.every(({ status }) => status !== 'pending'),
  )
  expect(waiting).toMatchObject({ status: 'cancelled', error: { code: 'hook_disabled' } })
})
