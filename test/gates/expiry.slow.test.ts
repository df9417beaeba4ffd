import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { onCitus } from '../support/databases.ts'
import { letGatesChange } from '../support/fixed-gates.ts'
import type { Actor, Answer, Box, Site } from '../support/signalbox.ts'
import { approve, Committee, reject } from './committee.ts'

type Body = Answer['body']

let committee: Committee
let box: Box
let site: Site
let ada: Actor
let grace: Actor
let mary: Actor
let member: Actor

beforeAll(async () => {
  // What happens once must happen once for all workers.
  committee = await Committee.meet({ workers: 2 })
  ;({ box, site, ada, grace, mary, member } = committee)
})
afterAll(() => committee.close())

/** Seconds from the opening of a gate to its reminder; null if there is none, or it was sent. */
async function reminderOf({ id }: { id: string }): Promise<number | null> {
  const [gate] = await box.sql<[{ seconds: number | null }]>`
    select extract(epoch from remind_at - created_at)::float8 as seconds from gates where id = ${id}
  `
  return gate.seconds
}

describe('An expiry', () => {
  test('fails the execution, cancels its other gates, and is recorded', async () => {
    const gate = await committee.opened({ expires_in_seconds: 60 })
    const other = await ada.make(`/api/v1/executions/${gate.execution_id}/gates`, { name: 'Legal' })
    await committee.passExpiry(gate)
    await committee.expired(gate)
    expect(await committee.gateOf(gate)).toMatchObject({ status: 'expired', decided_by: null, decided_via: null })
    expect((await committee.gateOf(other)).status).toBe('cancelled')
    expect(await committee.executionOf(gate)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Release review expired'),
    })
    const events = await committee.eventsOf(gate)
    expect(events.map(({ name }) => name)).toEqual(['gate.pending', 'gate.pending', 'gate.expired', 'execution.failed'])
    const { body: log } = await ada.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=gate.expired`)
    expect(log.items[0]).toMatchObject({ resource_id: gate.id, actor_type: 'system' })
  })

  test('refuses decisions from its moment on, whether or not a worker has run', async () => {
    for (const worker of box.workers) worker.kill('SIGSTOP')
    try {
      const gate = await committee.opened({ expires_in_seconds: 60 })
      await committee.passExpiry(gate)
      for (const decide of [approve, reject]) {
        const { status, body } = await decide(ada, gate)
        expect([status, body.code]).toEqual([409, 'invalid_transition'])
        expect(body.detail).toContain('expired')
      }
    } finally {
      for (const worker of box.workers) worker.kill('SIGCONT')
    }
  })

  // On a cluster, a session does not show what it waits for.
  test.skipIf(onCitus)('refuses an approval that began before it and waited for its turn', async () => {
    const gate = await committee.opened({ expires_in_seconds: 60 })
    const answer = await box.sql.begin(async (tx) => {
      await tx`select from executions where id = ${gate.execution_id} for update`
      const waiting = approve(ada, gate)
      await box.until('the approval waits for the execution', async () => {
        const [blocked] = await box.sql`
          select
          from pg_stat_activity
          where wait_event_type = 'Lock'
            and query like '%from executions%'
            and datname = current_database()
        `
        return blocked !== undefined
      })
      await letGatesChange(tx)
      await tx`update gates set expires_at = clock_timestamp() where id = ${gate.id}`
      return { waiting }
    })
    const { status, body } = await answer.waiting
    expect([status, body.code]).toEqual([409, 'invalid_transition'])
    await committee.expired(gate)
  })

  // On a cluster, a trigger cannot change a gate of the same transaction.
  test.skipIf(onCitus)('between the check and the record of an approval refuses it as well', async () => {
    await box.sql`
      create function expire_now() returns trigger language plpgsql security definer set session_replication_role = replica as $$
      begin
        update gates set expires_at = clock_timestamp() where id = new.gate_id and organization_id = new.organization_id;
        return new;
      end $$
    `
    await box.sql`
      create trigger expire_now before insert on gate_approvals
        for each row when (new.comment = 'At the last moment') execute function expire_now()
    `
    const gate = await committee.opened({ expires_in_seconds: 60 })
    const { status, body } = await approve(ada, gate, { comment: 'At the last moment' })
    expect([status, body.code]).toEqual([409, 'invalid_transition'])
    expect(body.detail).toContain('expired')
    expect((await committee.gateOf(gate)).approvals).toEqual([])
  })

  test('and an approval at once have one outcome, and the execution agrees', async () => {
    const gates = await Promise.all(Array.from({ length: 20 }, () => committee.opened({ expires_in_seconds: 60 })))
    // They expire one after the other, so that some are about to when the approvals arrive.
    const begun = Date.now()
    const expire = ({ id }: Body, index: number) =>
      box.sql.begin(async (tx) => {
        await letGatesChange(tx)
        await tx`update gates set expires_at = ${new Date(begun + (index + 1) * 20).toISOString()} where id = ${id}`
      })
    await Promise.all(gates.map(expire))
    await Promise.all(gates.map((gate) => approve(grace, gate)))
    await box.until('all are decided', async () =>
      (await Promise.all(gates.map((gate) => committee.gateOf(gate)))).every(({ status }: Body) => status !== 'pending'),
    )
    for (const gate of gates) {
      const { status } = await committee.gateOf(gate)
      const outcome = status === 'approved' ? ['gate.approved'] : ['gate.expired', 'execution.failed']
      expect((await committee.eventsOf(gate)).map(({ name }) => name)).toEqual(['gate.pending', ...outcome])
      expect((await committee.executionOf(gate)).status).toBe(status === 'approved' ? 'running' : 'failed')
    }
  })

  test('is announced once, to those who have not approved yet', async () => {
    const gate = await committee.opened({ required_approvals: 2, expires_in_seconds: 600 })
    await approve(ada, gate)
    await box.sql`update gates set remind_at = now() where id = ${gate.id}`
    const reminders = async (person: Actor) =>
      (await person.get('/api/v1/notifications?page_size=100')).body.items.filter(
        ({ resource_id, data }: Body) => resource_id === gate.id && data.reminder === true,
      )
    await box.until('the reminder arrived', async () => (await reminders(grace)).length === 1)
    expect((await reminders(mary)).length).toBe(1)
    expect(await reminders(ada)).toEqual([])
    expect(await reminders(member)).toEqual([])
    const events = await committee.eventsOf(gate)
    expect(events.filter(({ name }) => name === 'gate.expiring')).toHaveLength(1)
    expect((await committee.gateOf(gate)).status).toBe('pending')
    expect(await reminderOf(gate)).toBeNull()
  })

  test('is announced at 80% of its time, and not within 10 minutes', async () => {
    for (const [expires_in_seconds, seconds] of [
      [599, null],
      [600, 480],
      [86_400, 69_120],
    ] as const) {
      expect(await reminderOf(await committee.opened({ expires_in_seconds }))).toBe(seconds)
    }
    expect(await reminderOf(await committee.opened())).toBeNull()
  })

  test('of a gate that is decided meanwhile is not announced', async () => {
    const [decided, other] = [
      await committee.opened({ expires_in_seconds: 600 }),
      await committee.opened({ expires_in_seconds: 600 }),
    ]
    await approve(ada, decided)
    await box.sql`update gates set remind_at = now() where id in (${decided.id}, ${other.id})`
    await box.until('the other one is announced', async () =>
      (await committee.eventsOf(other)).some(({ name }) => name === 'gate.expiring'),
    )
    expect((await committee.eventsOf(decided)).map(({ name }) => name)).toEqual(['gate.pending', 'gate.approved'])
  })
})
