import { expect, test } from 'bun:test'
import { recordDrainedEvents } from '../support/drained-events.ts'
import { type Site, signalbox } from '../support/signalbox.ts'

test('a flood of 5,000 events by one tenant does not delay a single event of another', async () => {
  const flooded = await signalbox({ own: true, workers: 0 })
  try {
    const busySite = await flooded.site(await flooded.user('Flora Flood'))
    const otherSite = await flooded.site(await flooded.user('Paula Patient'))
    await flooded.sql`delete from waiting_events`
    await recordDrainedEvents(flooded.sql)
    await flooded.sql`
      insert into outbox (organization_id, workspace_id, project_id, name, data)
      select ${busySite.organization.id}, ${busySite.workspace.id}, ${busySite.project.id}, 'gate.approved', '{"gate": {}}'
      from generate_series(1, 5000)
    `
    const [{ id }] = await flooded.sql<[{ id: string }]>`
      insert into outbox (organization_id, workspace_id, project_id, name, data)
      values (${otherSite.organization.id}, ${otherSite.workspace.id}, ${otherSite.project.id}, 'gate.approved', '{"gate": {}}')
      returning id
    `
    await flooded.startWorker()
    await flooded.settled()
    const [single] = await flooded.sql<[{ at: string }]>`select at from drained_events where id = ${id}`
    const [{ before, after }] = await flooded.sql<[{ before: number; after: number }]>`
      select
        count(*) filter (where at <= ${single.at}) as before,
        count(*) filter (where at > ${single.at}) as after
      from drained_events
      where organization_id = ${busySite.organization.id}
    `
    expect(before + after).toBe(5_000)
    expect(before).toBeLessThanOrEqual(500)
    // The events of the flood are drained in order.
    const [{ disordered }] = await flooded.sql<[{ disordered: number }]>`
      select count(*) as disordered
      from (
        select at < lag(at) over (order by id) as earlier
        from drained_events
        where organization_id = ${busySite.organization.id}
      ) as pair
      where earlier
    `
    expect(disordered).toBe(0)
  } finally {
    await flooded.close()
  }
})

test('a backlog of large events of one tenant delays neither a small one nor a large one of another', async () => {
  const flooded = await signalbox({ own: true, workers: 0 })
  try {
    const [busy, large, small] = [
      await flooded.site(await flooded.user('Flora Flood')),
      await flooded.site(await flooded.user('Bertha Bulk')),
      await flooded.site(await flooded.user('Paula Patient')),
    ]
    await flooded.sql`delete from waiting_events`
    await recordDrainedEvents(flooded.sql)
    const write = async ({ organization, workspace, project }: Site, count: number, lines: number) =>
      await flooded.sql`
      insert into outbox (organization_id, workspace_id, project_id, name, data)
      select
        ${organization.id}, ${workspace.id}, ${project.id}, 'gate.approved',
        jsonb_build_object('gate', '{}'::jsonb, 'note', note)
      from (
        select string_agg(md5(line::text), '') as note
        from generate_series(1, ${lines}::integer) as line
      ) as text
      cross join generate_series(1, ${count}::integer)
    `
    // Each is more than a batch has room for.
    await write(busy, 10, 40_000)
    await write(large, 10, 40_000)
    await write(small, 1, 1)
    await flooded.startWorker()
    await flooded.settled()
    const batches = await flooded.sql<{ organization_id: string; number: number }[]>`
      select organization_id, dense_rank() over (order by at) as number from drained_events order by number
    `
    const numbersOf = ({ organization }: Site) =>
      batches.flatMap(({ organization_id, number }) => (organization_id === organization.id ? number : []))
    expect([numbersOf(busy)[0], numbersOf(large)[0], numbersOf(small)[0]]).toEqual([1, 2, 3])
    expect(numbersOf(large)[1]).toBeLessThan(6)
  } finally {
    await flooded.close()
  }
})
