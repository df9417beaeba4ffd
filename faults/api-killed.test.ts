import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Receiver } from '../test/support/receiver.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../test/support/signalbox.ts'
import { makeHooks, openGates, retryUntilFinal, waitUntilIdle } from './support.ts'

let box: Box
let actor: Actor
let site: Site
let receiver: Receiver

beforeAll(async () => {
  receiver = new Receiver()
  box = await signalbox({ own: true })
  actor = await box.user('Ada Lovelace')
  site = await box.site(actor)
  await makeHooks(actor, site, receiver.url, 2)
})

afterAll(async () => {
  await box.close()
  await receiver.stop()
})

/** Kills the API repeatedly while work goes on. */
async function killDuring(work: Promise<unknown>, kills: number): Promise<void> {
  let over = false
  work.finally(() => {
    over = true
  })
  for (let kill = 0; kill < kills && !over; kill++) {
    await Bun.sleep(150 + Math.random() * 150)
    box.api.kill('SIGKILL')
    await box.api.exited
    await box.startApi()
  }
  await work
  expect(over).toBeTrue()
}

test('an API that is killed under load carries out each Idempotency-Key once, completely or not at all', async () => {
  const KEYS = 400
  const execution = await box.running(actor, site.project.id)
  const targets = [
    { path: `/api/v1/projects/${site.project.id}/requirements`, body: (key: string) => ({ title: key }) },
    { path: `/api/v1/workspaces/${site.workspace.id}/projects`, body: (key: string) => ({ name: key }) },
  ]
  const responses: Answer[] = []
  const ids = new Map<string, string>()
  const left = Array.from({ length: KEYS }, (_, index) => `key-${index}`)
  const creator = async () => {
    for (let key = left.pop(); key; key = left.pop()) {
      const mine = key
      const { path, body } = targets[Number(mine.slice(4)) % 2] ?? { path: '', body: () => ({}) }
      const ask = () => actor.post(path, body(mine), { 'Idempotency-Key': mine })
      const made = await retryUntilFinal(responses, ask, ({ status }) => status === 201)
      ids.set(mine, made.body.id)
      // A repeated request returns the same resource.
      const again = await retryUntilFinal(responses, ask, ({ status }) => status === 201)
      expect(again.body.id).toBe(made.body.id)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
    }
  }
  await killDuring(Promise.all(Array.from({ length: 8 }, creator)), 6)

  expect(
    responses
      .map(({ status, body }) => (status === 201 || body.code === 'idempotency_in_progress' ? null : [status, body]))
      .filter(Boolean),
  ).toEqual([])
  expect(new Set(ids.values()).size).toBe(KEYS)
  const rows = await box.sql<{ name: string; id: string; entries: number; kept: number }[]>`
    select made.name, made.id, (
      select count(*) from audit_log_entries where resource_id = made.id and action in ('requirement.created', 'project.created')
    ) as entries, (
      select count(*) from idempotency_keys where key = made.name
    ) as kept
    from (
      select title as name, id from requirements where title like 'key-%'
      union all
      select name, id from projects where name like 'key-%'
    ) as made
  `
  expect(rows).toHaveLength(KEYS)
  for (const row of rows) expect(row).toEqual({ name: row.name, id: ids.get(row.name) ?? 'none', entries: 1, kept: 1 })
  // The numbers of requirements come from another table, without gaps.
  const [{ numbers, highest }] = await box.sql<[{ numbers: number; highest: number }]>`
    select count(distinct number) as numbers, max(number) as highest
    from requirements
    where project_id = ${site.project.id}
  `
  expect(numbers).toBe(highest)
  expect(execution.status).toBe('running')
})

test('an interrupted approval leads to one event, audit entry and set of dispatches, or to none', async () => {
  const gates = await openGates(box, actor, site.project.id, 150)
  const responses: Answer[] = []
  const left = [...gates]
  const approver = async () => {
    for (let gate = left.pop(); gate; gate = left.pop()) {
      const path = `/api/v1/gates/${gate}/approve`
      const key = `approve-${gate}`
      await retryUntilFinal(
        responses,
        () => actor.post(path, {}, { 'Idempotency-Key': key }),
        ({ status }) => status === 200,
      )
    }
  }
  await killDuring(Promise.all(Array.from({ length: 6 }, approver)), 4)
  await waitUntilIdle(box)
  const [sums] = await box.sql`
    select
      (select count(*) from gates where status = 'approved') as gates,
      (select count(*) from audit_log_entries where action = 'gate.approved') as entries,
      (select count(distinct resource_id) from audit_log_entries where action = 'gate.approved') as entered,
      (select count(*) from outbox where name = 'gate.approved') as events,
      (select count(distinct data -> 'gate' ->> 'id') from outbox where name = 'gate.approved') as gates_in_events,
      (select count(*) from dispatches where status = 'succeeded') as dispatches
  `
  expect(sums).toEqual({ gates: 150, entries: 150, entered: 150, events: 150, gates_in_events: 150, dispatches: 300 })
  expect(receiver.requests).toHaveLength(300)
})

test('events whose API process was killed before it notified the drain are drained', async () => {
  await box.sql`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    values (${site.organization.id}, ${site.workspace.id}, ${site.project.id}, 'gate.approved', '{"gate": {}, "execution": {}}')
  `
  const before = receiver.requests.length
  await receiver.waitFor(before + 2)
})
