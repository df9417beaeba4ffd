/** Approvals, rejections, supersessions and revocations of the same gates at once, while processes are killed; and many dispatches. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { policyOf } from '../test/deployment-hooks/guarded-hooks.ts'
import { Workbench } from '../test/deployment-hooks/workbench.ts'
import type { Actor, Answer } from '../test/support/signalbox.ts'
import { isAway } from './support.ts'

type Body = Answer['body']

const AT_ONCE = 20
const ROUNDS = 6
const KILLS = 12

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true, workers: 2, environment: { HOOK_RETRY_SECONDS: '1,1,1,1,1,1' } })
})
afterAll(() => bench.close())

const subject = (character: string) => ({
  uri: 'git+https://git.example.com/acme/checkout',
  digest: { gitCommit: character.repeat(40) },
})
const CHARACTERS = '0123456789abcdef'

/** The response, after as many attempts as it takes while processes restart. */
async function asked(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      const answer = await ask()
      if (answer.status !== 503) return answer
    } catch (error) {
      if (!isAway(error as Error)) throw error
    }
    await Bun.sleep(100)
  }
}

async function killOne(number: number): Promise<void> {
  const { box } = bench
  if (number % 3 === 0) {
    box.api.kill('SIGKILL')
    await box.api.exited
    return box.startApi()
  }
  const worker = box.workers.shift()
  worker?.kill('SIGKILL')
  await worker?.exited
  await box.startWorker()
}

/** All that people and agents do to the gates of one name, at once. */
async function decideAtOnce(project: Body, people: Actor[], name: string): Promise<void> {
  const open = (by: Actor, character: string) =>
    asked(() => by.post(`/api/v1/projects/${project.id}/gates`, { name, environment: 'production', subject: subject(character) }))
  const first = await open(bench.admin, '0')
  const gates = first.status === 201 ? [first.body] : []
  const act = async (index: number) => {
    const by = people[index % people.length] as Actor
    if (index % 5 === 0) {
      const opened = await open(by, CHARACTERS[(index % 15) + 1] ?? 'f')
      if (opened.status === 201) gates.push(opened.body)
    }
    const gate = gates[index % Math.max(1, gates.length)]
    if (!gate) return
    const path = `/api/v1/gates/${gate.id}`
    if (index % 7 === 6) await asked(() => by.post(`${path}/reject`, {}))
    else await asked(() => by.post(`${path}/approve`, { binding: gate.binding }))
    if (index % 4 === 3) await asked(() => by.post(`${path}/revoke`, { reason: 'It is vulnerable.' }))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => act(index)))
}

test('each gate has one outcome, its dispatches follow from it, and nothing else is sent', async () => {
  const { project, hook, receiver } = await bench.hooked()
  await bench.admin.put(policyOf(project), { gate_required: true })
  const people = [bench.admin]
  for (const name of ['Grace', 'Mary', 'Max']) {
    const person = await bench.box.user(name)
    await bench.box.join(person, bench.site, 'admin')
    people.push(person)
  }
  let isOver = false
  const killing = (async () => {
    for (let number = 0; number < KILLS && !isOver; number++) await killOne(number)
  })()
  for (let round = 0; round < ROUNDS; round++) await decideAtOnce(project, people, `Release ${round}`)
  isOver = true
  await killing
  await bench.box.until(
    'nothing waits',
    async () => {
      const [{ idle }] = await bench.box.sql<[{ idle: boolean }]>`
        select not exists (select from waiting_events) and not exists (select from deliveries) as idle
      `
      return idle
    },
    90_000,
  )

  const gates = await bench.box.sql<
    { id: string; status: string; is_revoked: boolean; events: string[]; dispatches: string[] }[]
  >`
    select
      gate.id, gate.status, gate.revoked_at is not null as is_revoked,
      array(
        select event.name
        from outbox as event
        where event.data -> 'gate' ->> 'id' = gate.id::text
          and event.name in ('gate.approved', 'gate.rejected', 'gate.revoked')
        order by event.id
      ) as events,
      array(
        select coalesce(dispatch.error ->> 'code', dispatch.status)
        from dispatches as dispatch
        where dispatch.gate_id = gate.id
      ) as dispatches
    from gates as gate
    where gate.project_id = ${project.id}
  `
  const expected: Record<string, string[]> = { approved: ['gate.approved'], rejected: ['gate.rejected'] }
  for (const { status, is_revoked, events, dispatches } of gates) {
    expect([status, events]).toEqual([status, [...(expected[status] ?? []), ...(is_revoked ? ['gate.revoked'] : [])]])
    if (status !== 'approved') expect(dispatches).toEqual([])
    // What was in flight when it was revoked has arrived.
    else
      expect([is_revoked ? ['succeeded', 'approval_revoked'] : ['succeeded'], dispatches.length]).toEqual([
        expect.arrayContaining(dispatches),
        1,
      ])
  }
  expect(gates.filter(({ status }) => status === 'pending').length).toBeLessThanOrEqual(ROUNDS)
  const sent = new Set(receiver.requests.map(({ body }) => JSON.parse(body).data.gate.id))
  const approved = new Set(gates.flatMap(({ id, status }) => (status === 'approved' ? id : [])))
  expect([...sent].filter((id) => !approved.has(id))).toEqual([])
  const late = await bench.box.sql`
    select attempt.started_at, gate.revoked_at
    from gates as gate
    join dispatches as dispatch on dispatch.gate_id = gate.id
    join dispatch_attempts as attempt on attempt.dispatch_id = dispatch.id
    where attempt.started_at > gate.revoked_at + interval '5 seconds'
  `
  expect([...late]).toEqual([])
  expect(new Set(gates.map(({ status }) => status)).has('approved')).toBe(true)
  expect((await bench.listed(hook)).total).toBe(approved.size)
}, 240_000)

test('recover takes the oldest 10,000, and leaves out what was not approved', async () => {
  const { project, hook } = await bench.hooked({ paused: true })
  await bench.admin.put(policyOf(project), { gate_required: true })
  const gate = await bench.admin.make(`/api/v1/projects/${project.id}/gates`, { name: 'Release', environment: 'production' })
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, {})
  const [first] = await bench.dispatches(hook, (found) => found.length === 1)
  await bench.box.sql`
    insert into dispatches (
      id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, max_attempts, gate_id,
      status, completed_at, error, body
    )
    select
      uuidv7(), organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence + number, 1, gate_id,
      case when number % 3 = 0 then 'cancelled' else 'failed' end, now(),
      jsonb_build_object('code', case when number % 3 = 0 then 'not_approved' else 'timeout' end, 'detail', 'No.'), body
    from dispatches
    cross join generate_series(1, 15600) as number
    where id = ${first.id}
  `
  const recover = async (input: object = {}) =>
    (await bench.ask(hook, 'recover', { since: '2020-01-01T00:00:00Z', ...input })).body.redelivered
  expect([await recover({ dry_run: true }), await recover(), await recover(), await recover()]).toEqual([10_000, 10_000, 400, 0])
  const [{ newest }] = await bench.box.sql<[{ newest: number }]>`
    select max(sequence) as newest
    from (
      select sequence
      from dispatches
      where hook_id = ${hook.id}
        and redelivery_of is not null
      order by id
      limit 10000
    ) as first
  `
  expect(newest).toBe(first.sequence + 14_999)
}, 120_000)
