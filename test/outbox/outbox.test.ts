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
  (await box.sql<{ name: string }[]>`select name from outbox where project_id = ${project_id} order by id`).map(
    ({ name }) => name,
  )

describe('an event', () => {
  test('is committed with its change, or not at all', async () => {
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

  test('is raised once for concurrent decisions', async () => {
    const execution = await box.running(admin, site.project.id)
    const gate = await admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
    const before = (await eventsOf(site.project.id)).filter((name) => name === 'gate.approved').length
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(`/api/v1/gates/${gate.id}/approve`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    const after = (await eventsOf(site.project.id)).filter((name) => name === 'gate.approved').length
    expect(after).toBe(before + 1)
    await box.settled()
  })

  test('is drained once', async () => {
    const seen = receiver.requests.length
    const { id } = await box.approval(admin, (await box.running(admin, site.project.id)).id)
    await receiver.waitFor(seen + 1)
    await box.settled()
    const events = await box.sql<{ is_drained: boolean }[]>`
      select not exists (
        select 1 from waiting_events as waiting where waiting.id = outbox.id and waiting.organization_id = outbox.organization_id
      ) as is_drained
      from outbox
      where project_id = ${site.project.id} and name = 'gate.approved' and data #>> '{gate,id}' = ${id}
    `
    expect([...events]).toEqual([{ is_drained: true }])
    expect(receiver.requests).toHaveLength(seen + 1)
  })
})

describe('writers do not wait for each other', () => {
  test('in the outbox: while a transaction that has written an event is open, other changes commit and are dispatched', async () => {
    const held = connect(box.url, 'signalbox test', 1)
    const execution = await box.running(admin, site.project.id)
    const gate = await admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
    await box.settled()
    const seen = receiver.requests.length
    let isOpen = true
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
      isOpen = false
    })
    try {
      await written.promise
      // From the same organization, and from another one.
      const third = await box.user('Linus Other')
      const [approved] = await Promise.all([admin.post(`/api/v1/gates/${gate.id}/approve`), box.site(third)])
      expect(approved.status).toBe(200)
      await receiver.waitFor(seen + 1)
      expect(isOpen).toBeTrue()
      // The transaction is still open, so its event is not visible yet.
      expect(receiver.requests).toHaveLength(seen + 1)
    } finally {
      done.resolve()
      await holding
      await held.end()
    }
    // Its id is older than that of the event before; it gets the next sequence nevertheless.
    const [, late] = (await receiver.waitFor(seen + 2)).slice(seen)
    const [first] = receiver.requests.slice(seen)
    expect(Number(late?.headers['x-signalbox-sequence'])).toBe(Number(first?.headers['x-signalbox-sequence']) + 1)
    await box.settled()
  })

  test('for long: an event that was written an hour before others were drained is drained when it commits', async () => {
    const execution = await box.running(admin, site.project.id)
    await box.approval(admin, execution.id)
    await box.settled()
    const seen = receiver.requests.length
    const { organization, workspace, project } = site
    const hourOld = Bun.randomUUIDv7('hex', Date.now() - 3_600_000)
    await box.sql`
      insert into outbox (id, organization_id, workspace_id, project_id, name, data)
      values (
        ${hourOld}, ${organization.id}, ${workspace.id}, ${project.id}, 'gate.approved', '{"gate": {}, "execution": {}}'
      )
    `
    await box.approval(admin, execution.id)
    await receiver.waitFor(seen + 2)
    await box.settled()
  })

  test('or for a drain: changes commit while its lock is taken', async () => {
    const held = connect(box.url, 'signalbox test', 1)
    const execution = await box.running(admin, site.project.id)
    const seen = receiver.requests.length
    let isOpen = true
    const done = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holding = held.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`signalbox.drain ${site.organization.id}`}, 0))`
      locked.resolve()
      await done.promise
      isOpen = false
    })
    try {
      await locked.promise
      for (let index = 0; index < 5; index++) await box.approval(admin, execution.id)
      expect(isOpen).toBeTrue()
      const [{ waiting }] = await box.sql<[{ waiting: number }]>`select count(*) as waiting from waiting_events`
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
