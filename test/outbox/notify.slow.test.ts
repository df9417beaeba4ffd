import { afterAll, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { signalbox } from '../support/signalbox.ts'

const receiver = new Receiver()
afterAll(() => receiver.stop())

test('an event is drained once, woken by the NOTIFY after its commit and not by the poll', async () => {
  const notified = await signalbox({ own: true, environment: { LOG_LEVEL: 'debug' } })
  try {
    const ada = await notified.user('Ada Lovelace')
    const { organization, workspace, project } = await notified.site(ada)
    await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: receiver.url,
      trigger_on: 'gate_approved',
    })
    const execution = await notified.running(ada, project.id)
    const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
    await notified.settled()
    const seen = receiver.requests.length
    const count = async (where: 'drained' | 'pending') =>
      (
        await notified.sql`
          select
          from outbox
          where name = 'gate.approved'
            and exists (select 1 from waiting_events as waiting where waiting.id = outbox.id) = ${where === 'pending'}
        `
      ).length

    // The poll reads this view before it wakes a drain. Without the view it fails, so only a NOTIFY can wake a drain.
    await notified.sql`alter view graphile_worker.jobs rename to jobs_hidden_from_poll`
    await notified.until('the poll has found an event and failed', async () => {
      // Without a NOTIFY. A drain that was requested before may still take it; the next one stays.
      if ((await count('pending')) === 0) {
        await notified.sql`
          insert into outbox (organization_id, workspace_id, project_id, name, data)
          values (${organization.id}, ${workspace.id}, ${project.id}, 'gate.approved', '{"gate": {}, "execution": {}}')
        `
      }
      return notified.workers[0]?.lines.some((line) => line.includes('the sweep late_events failed')) ?? false
    })
    const inserted = (await count('pending')) + (await count('drained'))

    expect((await ada.post(`/api/v1/gates/${gate.id}/approve`)).status).toBe(200)
    await receiver.waitFor(seen + inserted + 1)
    expect([await count('pending'), await count('drained')]).toEqual([0, inserted + 1])
    await notified.sql`alter view graphile_worker.jobs_hidden_from_poll rename to jobs`
    await notified.settled()
    expect(receiver.requests).toHaveLength(seen + inserted + 1)
  } finally {
    await notified.close()
  }
})
