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
  box = await signalbox({ workers: 0 })
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
  await box.sql`update outbox set drained_at = now()`
  await box.startWorker()
})

afterAll(async () => {
  await box.close()
  await receiver.stop()
})

beforeEach(() => {
  receiver.requests.length = 0
})

/** Has the dispatches of events whose data says `broken` refused with an error of that code. */
async function breakWith(code: string): Promise<void> {
  await box.sql.unsafe(`
    create or replace function doom() returns trigger language plpgsql as $$
      begin
        if new.body like '%"broken":true%' then raise exception 'doomed' using errcode = '${code}'; end if;
        return new;
      end
    $$;
    create or replace trigger doom before insert on dispatch_bodies for each row execute function doom();
  `)
}
const mend = () => box.sql`drop function if exists doom cascade`

/** Approvals, as the outbox would hold them: of which each says whether it is broken. */
async function events({ organization, workspace, project }: Site, broken: boolean[]): Promise<string[]> {
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
    select count(*) as left from outbox where id = any(${ids}::uuid[]) and drained_at is null
  `
  return left === 0
}

/** What a site's hook was sent, in the order of its numbers. */
const sent = ({ project }: Site) =>
  receiver.requests
    .filter(({ path }) => path === `/${project.id}`)
    .map(({ headers, body }) => ({ sequence: Number(headers['x-signalbox-sequence']), id: JSON.parse(body).id as string }))
    .sort((one, another) => one.sequence - another.sequence)

interface Aside {
  id: string
  event: string
  attempts: number
  error: string
  retry_sql: string
  discard_sql: string
}

const setAside = async (): Promise<Aside[]> => [
  ...(await box.sql<Aside[]>`select id, event, attempts, error, retry_sql, discard_sql from ops.broken_events_detail`),
]

test('an event that cannot be fanned out holds up no other, of its tenant or another, and is told once it can be', async () => {
  await breakWith('P0001')
  // Some batches of them, so that more than one is broken at the same time.
  const broken = [3, 4, 611]
  const ids = await events(
    site,
    Array.from({ length: 700 }, (_, index) => broken.includes(index)),
  )
  const others = await events(other, Array(20).fill(false))
  const whole = ids.filter((_, index) => !broken.includes(index))
  await box.until('all others are drained', async () => (await isDrained(others)) && (await isDrained(whole)))
  await receiver.waitFor(whole.length + others.length)
  // Their order is that of the events, without a gap.
  expect(sent(site)).toEqual(whole.map((id, index) => ({ id, sequence: index + 1 })))
  expect(sent(other)).toEqual(others.map((id, index) => ({ id, sequence: index + 1 })))

  const aside = await setAside()
  expect(aside.map(({ id, event, error }) => ({ id, event, error })).sort((one, two) => (one.id < two.id ? -1 : 1))).toEqual(
    broken.map((index) => ({ id: ids[index] as string, event: 'gate.approved', error: 'P0001: doomed' })),
  )

  // One fails again when it is tried again, and waits longer.
  const [one, two, three] = aside as [Aside, Aside, Aside]
  await box.sql.unsafe(one.retry_sql)
  await box.until('it failed once more', async () =>
    (await setAside()).some(({ id, attempts }) => id === one.id && attempts > one.attempts),
  )

  await mend()
  await box.sql.unsafe(three.discard_sql)
  await box.sql.unsafe(one.retry_sql)
  await box.sql.unsafe(two.retry_sql)
  await box.until('they are drained', () => isDrained([one.id, two.id]))
  await receiver.waitFor(whole.length + others.length + 2)
  await box.settled()
  expect(await setAside()).toEqual([])
  const late = sent(site).slice(whole.length)
  expect(late.map(({ sequence }) => sequence)).toEqual([whole.length + 1, whole.length + 2])
  expect(late.map(({ id }) => id).sort()).toEqual([one.id, two.id].sort())
}, 60_000)

test('a failure of the database is no fault of an event: none is set aside, and all go out in their order afterwards', async () => {
  await box.settled()
  // What a full disk says.
  await breakWith('53100')
  const before = (await box.sql<[{ sequence: number }]>`select max(sequence) as sequence from dispatches`)[0].sequence
  const ids = await events(site, [false, true, false])
  const failed = async () =>
    (await box.sql`select from ops.job_runs where task = 'drain_outbox' and error_class = '53100'`).length > 0
  await box.until('a drain has failed', failed)
  expect(await setAside()).toEqual([])
  await mend()
  await receiver.waitFor(3)
  expect(sent(site)).toEqual(ids.map((id, index) => ({ id, sequence: before + 1 + index })))
})
