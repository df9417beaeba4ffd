import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let receiver: Receiver
let ada: Actor
let site: Site
let other: Site

beforeAll(async () => {
  receiver = new Receiver()
  box = await signalbox({ own: true, workers: 0 })
  ada = await box.user('Ada')
  const bob = await box.user('Bob')
  site = await box.site(ada)
  other = await box.site(bob)
  for (const [actor, { project }] of [
    [ada, site],
    [bob, other],
  ] as const) {
    await actor.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: `${receiver.url}/${project.id}`,
      trigger_on: 'gate_approved',
    })
  }
  await box.sql`delete from waiting_events`
  await box.startWorker()
})

afterAll(async () => {
  await box.close()
  await receiver.stop()
})

beforeEach(() => {
  receiver.requests.length = 0
})

/** Makes the insertion of dispatches fail with this error for events whose data says `broken`. */
async function breakWith(code: string, message: string): Promise<void> {
  await box.sql.unsafe(`
    create or replace function doom() returns trigger language plpgsql as $$
      begin
        if new.body like '%"broken":true%' then raise exception '${message}' using errcode = '${code}'; end if;
        return new;
      end
    $$
  `)
  await box.sql`drop trigger if exists doom on dispatches`
  await box.sql`create trigger doom before insert on dispatches for each row execute function doom()`
}
const repair = () => box.sql`drop function if exists doom cascade`

/** Inserts approvals into the outbox, some of them marked as broken. Returns their ids in order. */
async function insertEvents({ organization, workspace, project }: Site, broken: boolean[]): Promise<string[]> {
  const rows = await box.sql<{ id: string }[]>`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    select
      ${organization.id}, ${workspace.id}, ${project.id}, 'gate.approved',
      jsonb_build_object('gate', '{}'::jsonb, 'number', place, 'broken', broken)
    from jsonb_array_elements(${box.sql.json(broken)}) with ordinality as event (broken, place)
    order by place
    returning id
  `
  return rows.map(({ id }) => id).sort()
}

const isDrained = async (ids: string[]) => {
  const [{ left }] = await box.sql<[{ left: number }]>`
    select count(*) as left from waiting_events where id = any(${ids}::uuid[])
  `
  return left === 0
}

/** The requests that the hook of a site got, ordered by sequence. */
const sentTo = ({ project }: Site) =>
  receiver.requests
    .filter(({ path }) => path === `/${project.id}`)
    .map(({ headers, body }) => ({ sequence: Number(headers['x-signalbox-sequence']), id: JSON.parse(body).id as string }))
    .sort((one, another) => one.sequence - another.sequence)

interface QuarantinedEvent {
  id: string
  event: string
  attempts: number
  error: string
  retry_sql: string
  discard_sql: string
}

const quarantined = async (): Promise<QuarantinedEvent[]> => [
  ...(await box.sql<QuarantinedEvent[]>`select id, event, attempts, error, retry_sql, discard_sql from ops.broken_events_detail`),
]

test('an event that cannot be fanned out does not delay others, and is sent once it can be', async () => {
  await breakWith('P0001', 'doomed')
  // In several batches, so that more than one is broken at the same time.
  const broken = [3, 4, 611]
  const ids = await insertEvents(
    site,
    Array.from({ length: 700 }, (_, index) => broken.includes(index)),
  )
  const others = await insertEvents(other, Array(20).fill(false))
  const whole = ids.filter((_, index) => !broken.includes(index))
  await box.until('all others are drained', async () => (await isDrained(others)) && (await isDrained(whole)))
  await receiver.waitFor(whole.length + others.length)
  // Their sequence follows the order of events, without gaps.
  expect(sentTo(site)).toEqual(whole.map((id, index) => ({ id, sequence: index + 1 })))
  expect(sentTo(other)).toEqual(others.map((id, index) => ({ id, sequence: index + 1 })))

  const listed = await quarantined()
  expect(listed.map(({ id, event, error }) => ({ id, event, error })).sort((one, two) => (one.id < two.id ? -1 : 1))).toEqual(
    broken.map((index) => ({ id: ids[index] as string, event: 'gate.approved', error: 'P0001: doomed' })),
  )

  // An event that fails again on its retry waits longer.
  const [one, two, three] = listed as [QuarantinedEvent, QuarantinedEvent, QuarantinedEvent]
  await box.sql.unsafe(one.retry_sql)
  await box.until('it failed once more', async () =>
    (await quarantined()).some(({ id, attempts }) => id === one.id && attempts > one.attempts),
  )

  await repair()
  await box.sql.unsafe(three.discard_sql)
  await box.sql.unsafe(one.retry_sql)
  await box.sql.unsafe(two.retry_sql)
  await box.until('they are drained', () => isDrained([one.id, two.id]))
  await receiver.waitFor(whole.length + others.length + 2)
  await box.settled()
  expect(await quarantined()).toEqual([])
  const late = sentTo(site).slice(whole.length)
  expect(late.map(({ sequence }) => sequence)).toEqual([whole.length + 1, whole.length + 2])
  expect(late.map(({ id }) => id).sort()).toEqual([one.id, two.id].sort())
})

test('a failure of the database is not blamed on events: none is quarantined, and all are sent in order afterwards', async () => {
  await box.settled()
  await breakWith('53100', 'could not extend file: No space left on device')
  const before = (await box.sql<[{ sequence: number }]>`select max(sequence) as sequence from dispatches`)[0].sequence
  const ids = await insertEvents(site, [false, true, false])
  const failed = async () =>
    (await box.sql`select from ops.job_runs where task = 'drain_outbox' and error_class = '53100'`).length > 0
  await box.until('a drain has failed', failed)
  expect(await quarantined()).toEqual([])
  await repair()
  await receiver.waitFor(3)
  expect(sentTo(site)).toEqual(ids.map((id, index) => ({ id, sequence: before + 1 + index })))
})
