import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from '../../sql/index.ts'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let admin: Actor
let site: Site
let other: Site
let receiver: Receiver

beforeAll(async () => {
  receiver = new Receiver()
  box = await signalbox()
  admin = await box.user('Ada Lovelace')
  site = await box.site(admin)
  other = await box.site(await box.user('Grace Hopper'))
  await admin.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: receiver.url,
    trigger_on: 'gate_approved',
  })
})

afterAll(async () => {
  await box.close()
  await receiver.stop()
})

const eventsOf = async (project_id: string) =>
  (await box.sql<{ name: string }[]>`select name from outbox where project_id = ${project_id}`).map(({ name }) => name)

describe('an event', () => {
  test('is written with its change, or not at all', async () => {
    const execution = await box.running(admin, site.project.id)
    const before = await eventsOf(site.project.id)
    // The change fails at its last step, after its event was written.
    await box.sql`
      create function doom() returns trigger language plpgsql as $$
        begin
          if new.detail like '%Doomed%' then raise exception 'doomed'; end if;
          return new;
        end
      $$
    `
    await box.sql`create trigger doom before insert on audit_log_entries for each row execute function doom()`
    try {
      const post = (name: string) =>
        fetch(`${box.base}/api/v1/executions/${execution.id}/gates`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${admin.token}` },
          body: JSON.stringify({ name }),
        })
      expect((await post('Doomed')).status).toBe(500)
      expect(await eventsOf(site.project.id)).toEqual(before)
      expect((await admin.get(`/api/v1/executions/${execution.id}/gates`)).body).toEqual([])
      expect((await admin.get(`/api/v1/executions/${execution.id}`)).body.status).toBe('running')
      expect((await post('Blessed')).status).toBe(201)
      expect(await eventsOf(site.project.id)).toEqual([...before, 'gate.pending'])
    } finally {
      await box.sql`drop function doom cascade`
    }
  })

  test('is told once where two decide at once', async () => {
    const execution = await box.running(admin, site.project.id)
    const gate = await admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
    const before = (await eventsOf(site.project.id)).filter((name) => name === 'gate.approved').length
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(`/api/v1/gates/${gate.id}/approve`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    const after = (await eventsOf(site.project.id)).filter((name) => name === 'gate.approved').length
    expect(after).toBe(before + 1)
    await box.settled()
  })

  test('is drained within moments of its commit, and once', async () => {
    const seen = receiver.requests.length
    await box.approval(admin, (await box.running(admin, site.project.id)).id)
    await receiver.waitFor(seen + 1)
    await box.settled()
    const [{ delay_ms }] = await box.sql<[{ delay_ms: number }]>`
      select extract(epoch from drained_at - created_at) * 1000 as delay_ms
      from outbox
      where project_id = ${site.project.id} and name = 'gate.approved'
      order by id desc
      limit 1
    `
    expect(delay_ms).toBeLessThan(500)
    expect(receiver.requests).toHaveLength(seen + 1)
  })
})

describe('no writer waits for another', () => {
  test('because of the outbox: beside an open transaction that has written an event, changes commit and are dispatched', async () => {
    const held = connect(box.url, 'signalbox test', 1)
    const execution = await box.running(admin, site.project.id)
    const gate = await admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
    await box.settled()
    const seen = receiver.requests.length
    const done = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const holding = held.begin(async (tx) => {
      await tx`
        insert into outbox (organization_id, workspace_id, project_id, name, data)
        values
          (${site.organization.id}, ${site.workspace.id}, ${site.project.id}, 'gate.approved', '{"gate": {}, "execution": {}}'),
          (${other.organization.id}, ${other.workspace.id}, ${other.project.id}, 'gate.approved', '{"gate": {}, "execution": {}}')
      `
      written.resolve()
      await done.promise
    })
    try {
      await written.promise
      const at = performance.now()
      // Of the same organization, and of another one.
      const third = await box.user('Linus Other')
      const [approved] = await Promise.all([admin.post(`/api/v1/gates/${gate.id}/approve`), box.site(third)])
      expect(approved.status).toBe(200)
      await receiver.waitFor(seen + 1)
      expect(performance.now() - at).toBeLessThan(2_000)
      // The transaction was open all the while: its event is not to be seen yet.
      expect(receiver.requests).toHaveLength(seen + 1)
    } finally {
      done.resolve()
      await holding
      await held.end()
    }
    // Its id is older than that of what was told before it; it is told all the same, with the next number.
    const [, late] = (await receiver.waitFor(seen + 2)).slice(seen)
    const [first] = receiver.requests.slice(seen)
    expect(Number(late?.headers['x-signalbox-sequence'])).toBe(Number(first?.headers['x-signalbox-sequence']) + 1)
    await box.settled()
  })

  test('nor for a drain: with its lock held, changes still commit', async () => {
    const held = connect(box.url, 'signalbox test', 1)
    const execution = await box.running(admin, site.project.id)
    const seen = receiver.requests.length
    const done = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holding = held.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('signalbox.drain'))`
      locked.resolve()
      await done.promise
    })
    try {
      await locked.promise
      const at = performance.now()
      for (let index = 0; index < 5; index++) await box.approval(admin, execution.id)
      expect(performance.now() - at).toBeLessThan(2_000)
      const [{ waiting }] = await box.sql<[{ waiting: number }]>`select count(*) as waiting from outbox where drained_at is null`
      expect(waiting).toBeGreaterThanOrEqual(10)
    } finally {
      done.resolve()
      await holding
      await held.end()
    }
    await receiver.waitFor(seen + 5)
    await box.settled()
  })
})

test("one tenant's flood of 5,000 events holds up no other tenant's single one", async () => {
  const quiet = await signalbox({ workers: 0 })
  try {
    const flooding = await quiet.site(await quiet.user('Flora Flood'))
    const patient = await quiet.site(await quiet.user('Paula Patient'))
    await quiet.sql`update outbox set drained_at = now()`
    await quiet.sql`
      insert into outbox (organization_id, workspace_id, project_id, name, data)
      select ${flooding.organization.id}, ${flooding.workspace.id}, ${flooding.project.id}, 'gate.approved', '{"gate": {}}'
      from generate_series(1, 5000)
    `
    const [{ id }] = await quiet.sql<[{ id: string }]>`
      insert into outbox (organization_id, workspace_id, project_id, name, data)
      values (${patient.organization.id}, ${patient.workspace.id}, ${patient.project.id}, 'gate.approved', '{"gate": {}}')
      returning id
    `
    await quiet.startWorker()
    await quiet.settled()
    const [{ before, after }] = await quiet.sql<[{ before: number; after: number }]>`
      select
        count(*) filter (where event.drained_at <= single.drained_at) as before,
        count(*) filter (where event.drained_at > single.drained_at) as after
      from outbox as event
      join outbox as single on single.id = ${id}
      where event.organization_id = ${flooding.organization.id}
        and event.name = 'gate.approved'
    `
    expect(before + after).toBe(5_000)
    expect(before).toBeLessThanOrEqual(500)
    // And the flood itself goes in the order in which it came.
    const [{ disordered }] = await quiet.sql<[{ disordered: number }]>`
      select count(*) as disordered
      from (
        select drained_at < lag(drained_at) over (order by id) as earlier
        from outbox
        where organization_id = ${flooding.organization.id} and name = 'gate.approved'
      ) as pair
      where earlier
    `
    expect(disordered).toBe(0)
  } finally {
    await quiet.close()
  }
})
