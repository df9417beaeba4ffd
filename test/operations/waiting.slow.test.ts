import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'

let bench: Workbench

// Without workers, what waits stays as it is.
beforeAll(async () => {
  bench = await Workbench.open({ own: true, workers: 0 })
})
afterAll(() => bench.close())

const status = async (check: string): Promise<string> =>
  (await bench.box.sql<[{ status: string }]>`select status from ops.health where "check" = ${check}`)[0].status

const pause = (flag: string) => bench.box.sql`select from ops.pause(${flag}, 'a test')`
const resume = (flag: string) => bench.box.sql`select ops.resume(${flag})`

test('waiting events are a warning after a minute and critical after five, unless their tenant is paused or deleted', async () => {
  const { box, site } = bench
  const flag = `org:${site.organization.id}`
  const { project } = await bench.hooked()
  await bench.approve(project)
  expect(await status('events_waiting')).toBe('ok')
  await box.sql`update waiting_events set created_at = now() - interval '61 seconds'`
  expect(await status('events_waiting')).toBe('warning')
  await box.sql`update waiting_events set created_at = now() - interval '301 seconds'`
  expect(await status('events_waiting')).toBe('critical')
  const [lag] = await box.sql`select organization, waiting, oldest_seconds > 300 as old, held_by from ops.outbox_lag`
  const [{ waiting }] = await box.sql<[{ waiting: number }]>`select count(*) as waiting from waiting_events`
  expect(lag).toEqual({ organization: 'acme-robotics', waiting, old: true, held_by: null })
  await pause(flag)
  expect(await status('events_waiting')).toBe('ok')
  expect((await box.sql`select held_by from ops.outbox_lag`)[0]).toEqual({ held_by: flag })
  await resume(flag)
  await pause('task:drain_outbox')
  expect(await status('events_waiting')).toBe('ok')
  await resume('task:drain_outbox')
  await box.sql`update organizations set deleted_at = now() where id = ${site.organization.id}`
  expect(await status('events_waiting')).toBe('ok')
  await box.sql`update organizations set deleted_at = null where id = ${site.organization.id}`
  await box.sql`delete from waiting_events`
})

test('so are waiting dispatches; behind a receiver that is being called they are only a warning', async () => {
  const { box } = bench
  const { hook } = await bench.hooked()
  await bench.ask(hook, 'test')
  // While its event is not drained, it waits for the drain; afterwards it would count as stranded.
  await box.sql`update waiting_events set created_at = now() - interval '301 seconds'`
  await box.sql`update deliveries set due_at = now() - interval '301 seconds'`
  expect(await status('dispatches_waiting')).toBe('critical')

  const [worker] = await box.sql`
    insert into workers (id, hostname, pid) values (gen_random_uuid(), 'elsewhere', 1) returning id
  `
  await box.sql`update lanes set owner_id = ${worker?.id} where id = ${hook.id}`
  expect(await status('dispatches_waiting')).toBe('warning')
  // A dead worker calls no receiver.
  await box.sql`update workers set seen_at = now() - interval '40 seconds'`
  expect(await status('dispatches_waiting')).toBe('critical')
  await box.sql`delete from workers`
  await box.sql`
    insert into lane_health (lane_id, organization_id, failures, last_failure_at)
    values (${hook.id}, ${bench.site.organization.id}, 1, now())
  `
  expect(await status('dispatches_waiting')).toBe('warning')
  await box.sql`update lane_health set last_failure_at = now() - interval '3 minutes'`
  expect(await status('dispatches_waiting')).toBe('critical')
  await bench.change(hook, { paused: true })
  expect(await status('dispatches_waiting')).toBe('ok')
  await box.sql`update deliveries set due_at = now() + interval '1 hour'`
  await bench.change(hook, { paused: false })
  expect(await status('dispatches_waiting')).toBe('ok')
})

test('so are waiting messages', async () => {
  const { admin, site, box } = bench
  const channel = await admin.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
    name: 'Room',
    channel_type: 'webhook',
    config: { url: bench.receiver().url },
  })
  await admin.post(`/api/v1/workspaces/${site.workspace.id}/notification-channels/${channel.id}/test`)
  const makeDue = (time: string) =>
    box.sql`update deliveries set due_at = now() - ${time}::interval where lane_id = ${channel.id}`
  expect(await status('messages_waiting')).toBe('ok')
  await makeDue('61 seconds')
  expect(await status('messages_waiting')).toBe('warning')
  await makeDue('301 seconds')
  expect(await status('messages_waiting')).toBe('critical')
  const [load] = await box.sql`select messages_due, oldest_due_seconds > 300 as old from ops.tenant_load`
  expect(load).toEqual({ messages_due: 1, old: true })
  await box.sql`
    insert into lane_health (lane_id, organization_id, held_until)
    values (${channel.id}, ${site.organization.id}, now() + interval '1 minute')
  `
  expect(await status('messages_waiting')).toBe('ok')
})

test('a job that waits behind another of its tenant is only a warning', async () => {
  const { box } = bench
  await box.sql`
    select
    from graphile_worker.add_job(
      'compare_tracks', '{}', queue_name := 'compare_tracks:x', run_at := now() - interval '301 seconds'
    )
  `
  expect(await status('jobs_waiting')).toBe('critical')
  await box.sql`
    update graphile_worker._private_job_queues
    set locked_at = now(), locked_by = 'pool'
    where queue_name = 'compare_tracks:x'
  `
  expect(await status('jobs_waiting')).toBe('warning')
})

test('the numbers are exact for jobs that are ready, running, failed and scheduled', async () => {
  const { box } = bench
  await box.sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
  const flags = ['task:mail_notification', `org:${bench.site.organization.id}`]
  await box.sql`
    select
    from graphile_worker.add_jobs(array(
      select (
        'mail_notification', '{}', null, now() + (number % 2) * interval '1 hour' - interval '1 minute', null, null, null,
        ${flags}::text[]
      )::graphile_worker.job_spec
      from generate_series(1, 1000) as number
    ))
  `
  await box.sql`
    update graphile_worker._private_jobs as job
    set locked_at = case when number = 1 then now() end,
        locked_by = case when number = 1 then 'pool' end,
        attempts  = case number when 2 then max_attempts when 3 then 1 else 0 end
    from (
      select id, row_number() over (partition by run_at > now() order by id) as number, run_at > now() as later
      from graphile_worker.jobs
    ) as numbered
    where numbered.id = job.id
      and (numbered.later and numbered.number = 3 or not numbered.later and numbered.number in (1, 2))
  `
  const [stats] = await box.sql`
    select ready, running, retrying, scheduled, failed, estimated
    from ops.queue_stats_detail
    where kind = 'job'
      and task = 'mail_notification'
  `
  expect(stats).toEqual({ ready: 498, running: 1, retrying: 1, scheduled: 499, failed: 1, estimated: false })
  const [load] = await box.sql`select jobs_ready, jobs_later, jobs_running, failed from ops.tenant_load_detail`
  expect(load).toEqual({ jobs_ready: 498, jobs_later: 500, jobs_running: 1, failed: 1 })
})
