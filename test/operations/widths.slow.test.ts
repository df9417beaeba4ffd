import { afterAll, beforeAll, expect, test } from 'bun:test'
import { screen } from '../../bin/ops/screen.ts'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { ops, paste } from './support.ts'

const TERMINAL = 120
const LONG = 'Deployment of the checkout service to production in eu-west-1'
const CHINESE = '部署到生产环境的通知频道，用于所有发布和审批事件的提醒'
const PATH = 'p4th-of-a-web-address'

let bench: Workbench
let failed: string

/** Creates one of everything that the views show, with the longest names and errors that occur. */
beforeAll(async () => {
  bench = await Workbench.open({ own: true, workers: 0 })
  const { box, admin } = bench
  const { sql } = box
  const site = await box.site(admin)
  await sql`
    update organizations
    set slug = 'the-acme-robotics-and-automation-company-of-rotterdam', name = ${LONG}
    where id = ${site.organization.id}
  `
  const flag = `org:${site.organization.id}`
  for (const name of [`${LONG} (blue)`, `${LONG} (green)`, CHINESE]) {
    const hook = await admin.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name,
      url: `https://deployments.internal.acme-robotics.example.com:8443/${PATH}?token=${PATH}`,
      trigger_on: 'gate_approved',
    })
    const channel = await admin.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
      name,
      channel_type: 'webhook',
      config: { url: `https://notifications.acme-robotics.example.com/${PATH}` },
    })
    await sql`
      insert into outbox (organization_id, workspace_id, project_id, name, data)
      values (${site.organization.id}, ${site.workspace.id}, ${site.project.id}, 'requirement.acceptance_changed', '{}')
    `
    await sql`
      update waiting_events
      set attempts = 7, failed_at = now(), retry_at = now(),
          error = 'P0001: the event names a requirement that is not in the database any more, nor in its history'
    `
    await sql`
      insert into outbox (organization_id, name, data, created_at)
      values (${site.organization.id}, 'gate.approved', '{}', now() - interval '2 days')
    `
    const error = sql.json({
      code: 'certificate_unknown_authority',
      detail: `The receiver answered 302, to /${PATH}. Redirects are not followed.`,
    })
    await sql`
      with dispatch as (
        insert into dispatches (
          organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, max_attempts,
          status, attempt_count, completed_at, error
        )
        select
          ${site.organization.id}, ${site.workspace.id}, ${site.project.id}, ${hook.id}, gen_random_uuid(), 'gate.approved',
          'production', number, 9, case when number = 1 then 'failed' else 'pending' end, case when number = 1 then 9 else 0 end,
          case when number = 1 then now() end, case when number = 1 then ${error}::jsonb end
        from generate_series(1, 20) as number
        returning id, organization_id
      )
      insert into repeated_attempts (dispatch_id, organization_id, number, started_at, duration_ms, response_status, error)
      select id, organization_id, 9, now(), 12345, 302, ${error} from dispatch
    `
    await sql`update deliveries set attempt_count = 9, due_at = now() - interval '80 hours' where lane_id = ${hook.id}`
    await sql`
      insert into lane_health (lane_id, organization_id, failures, first_failure_at)
      select id, organization_id, 12345, now() - interval '3 days'
      from lanes
      where id in (${hook.id}, ${channel.id})
    `
  }
  await sql`
    with policy as (
      insert into environment_policies (organization_id, workspace_id, project_id, environment, promotes_from, open_gate)
      values (
        ${site.organization.id}, ${site.workspace.id}, ${site.project.id}, ${'e'.repeat(64)}, ${'f'.repeat(64)}, true
      )
      returning organization_id, workspace_id, project_id, environment
    )
    insert into promotions (
      organization_id, workspace_id, project_id, environment, due_at, ready_digest, ready_since, obstacle
    )
    select
      organization_id, workspace_id, project_id, environment, null, ${`sha256:${'9'.repeat(64)}`}, now(),
      'Gates for this environment need evidence with at least one check, and all of them must have passed.'
    from policy
  `
  await sql`
    insert into workers (id, pool_id, hostname, pid, started_at, seen_at)
    values (
      gen_random_uuid(), 'pool-of-the-dead', 'signalbox-worker-7d9f8b6c5d-x2k4j', 4194303, now(), now() - interval '2 minutes'
    )
  `
  await sql`select setval(pg_get_serial_sequence('graphile_worker._private_jobs', 'id'), 1234567)`
  await sql`
    select graphile_worker.add_job(
      task, '{}', run_at := now() - interval '9 days', max_attempts := 1, flags := array[${flag}, 'task:' || task]::text[]
    )
    from ops.tasks, generate_series(1, 3)
  `
  await sql`
    update graphile_worker._private_jobs
    set
      attempts = 1,
      last_error = ${`invalid input syntax for type uuid: "${PATH}" and then much more that nobody reads in a table`}
    where id % 3 = 0
  `
  await sql`
    update graphile_worker._private_jobs
    set locked_at = now() - interval '3 days', locked_by = 'pool-of-the-dead'
    where id % 3 = 1
  `
  await sql`
    insert into ops.job_runs (
      organization_id, job_id, task, attempt, outcome, error_class, wait_ms, run_ms, started_at, finished_at
    )
    select ${site.organization.id}, 1, task, 1, 'failed', 'MailServerUnavailableError', 12345678, 1234567, now(), now()
    from ops.tasks
  `
  await sql`
    select
    from ops.pause(
      'org:the-acme-robotics-and-automation-company-of-rotterdam', ${`${LONG} floods the queue, and they asked for it`},
      now() + interval '1 hour'
    )
  `
  await sql`select from ops.pause('task:mail_channel_disabled', ${CHINESE})`
  const [row] = await sql<[{ id: string }]>`select id from ops.jobs_detail where kind = 'dispatch' and state = 'failed'`
  failed = row.id
})
afterAll(() => bench.close())

interface Column {
  view: string
  name: string
}

/** The width as psql prints it: the longest line of each column, with a space on both sides. */
async function widthOf(view: string, columns: string[]): Promise<{ rows: number; width: number }> {
  const { sql } = bench.box
  const cells = columns.map((name) => `"${name}"::text`).join(', ')
  const rows = [...(await sql.unsafe(`select ${cells} from ops.${view}`).values())] as (string | null)[][]
  const widths = columns.map((name, index) =>
    Math.max(name.length, ...rows.flatMap((row) => (row[index] ?? '').split('\n')).map((line) => Bun.stringWidth(line))),
  )
  return { rows: rows.length, width: widths.reduce((sum, each) => sum + each + 3, -1) }
}

test('every view has rows and fits 120 columns, except detail views', async () => {
  const columns = await bench.box.sql<Column[]>`
    select relname as view, attname as name
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where relnamespace = 'ops'::regnamespace
      and relkind = 'v'
      and attnum > 0
      and relname not like '%_detail'
    order by relname, attnum
  `
  const views = Map.groupBy(columns, ({ view }) => view)
  expect(views.size).toBeGreaterThan(15)
  const tooWide: string[] = []
  for (const [view, its] of views) {
    const { rows, width } = await widthOf(
      view,
      its.map(({ name }) => name),
    )
    // No worker has run, so no crontab and no sweep is known.
    if (view !== 'crons' && view !== 'sweeps') expect([view, rows > 0]).toEqual([view, true])
    if (width > TERMINAL) tooWide.push(`${view}: ${width}`)
  }
  expect(tooWide).toEqual([])
})

test('the columns of a view are a subset of those of its detail view', async () => {
  const notInDetail = await bench.box.sql`
    select relname, attname
    from pg_attribute
    join pg_class as view on view.oid = attrelid and relnamespace = 'ops'::regnamespace and attnum > 0
    where to_regclass(format('ops.%I', relname || '_detail')) is not null
      and attname not in (select attname from pg_attribute where attrelid = to_regclass(format('ops.%I', relname || '_detail')))
  `
  expect([...notInDetail]).toEqual([])
})

test('hooks and channels show the origin of their URL, and their last error without possible secrets', async () => {
  const [hook] = await bench.box.sql`select address, last_error, last_error_detail from ops.hook_health_detail`
  expect(hook).toEqual({
    address: 'https://deployments.internal.acme-robotics.example.com:8443',
    last_error: 'certificate_unknown_authority',
    last_error_detail: 'The receiver answered 302, to … Redirects are not followed.',
  })
  const [channel] = await bench.box.sql`select address from ops.channel_health_detail`
  expect(channel).toEqual({ address: 'https://notifications.acme-robotics.example.com' })
})

test('a short id can be used for the full one; an ambiguous one is refused with the candidates', async () => {
  const { sql } = bench.box
  const short = `d${failed.slice(-6)}`
  const [row] = await sql`select retry_sql, discard_sql from ops.failed_jobs where id = ${short}`
  expect(row).toEqual({ retry_sql: `select ops.retry('${short}');`, discard_sql: `select ops.discard('${short}');` })
  const twin = failed.replace(/^.{4}/, '0000')
  await sql`
    insert into dispatches (
      id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, max_attempts, status, completed_at
    )
    select
      ${twin}, organization_id, workspace_id, project_id, hook_id, gen_random_uuid(), event, environment, max_attempts, status,
      completed_at
    from dispatches
    where id = ${failed}
  `
  const refused = await sql`select from ops.discard(array[${short}], 'a test')`.catch((error) => error)
  expect([refused.code, refused.message]).toEqual(['22023', `The short id ${short} is ambiguous.`])
  for (const id of [failed, twin]) expect(refused.hint).toContain(id)
  await sql`delete from dispatches where id = ${twin}`

  expect(await paste(bench.box, row?.discard_sql)).toEqual([{ discard: `dispatch ${failed}: discarded` }])
  expect(await paste(bench.box, row?.retry_sql)).toEqual([{ retry: `${short}: not found` }])
  const [action] = await sql`select targets, reason from ops.action_log_detail where action = 'discard'`
  expect(action).toEqual({ targets: [failed], reason: 'given up' })
  const [job] = await sql`select discard_sql from ops.failed_jobs where kind = 'job' order by id limit 1`
  expect((await sql.unsafe(job?.discard_sql))[0]?.discard).toMatch(/^job \d+: discarded$/)
})

test('bun run ops fits 80 columns, and shows the distinguishing parts of long names', async () => {
  const { json } = await ops({ DATABASE_URL: bench.box.url }, '--json')
  const lines = screen(json(), 80).split('\n')
  expect(lines.filter((line) => Bun.stringWidth(line) > 80)).toEqual([])
  const hooks = lines.slice(lines.indexOf('Failing hooks') + 2)
  const shown = hooks.slice(0, hooks.indexOf(''))
  expect(shown).toHaveLength(3)
  expect(shown.join('\n')).toMatch(/lue\).*\n.*een\)|een\).*\n.*lue\)/)
})

test('docs/operating.md names every view and function', async () => {
  const manual = await Bun.file(`${import.meta.dir}/../../docs/operating.md`).text()
  const names = await bench.box.sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = 'ops'::regnamespace
      and relkind = 'v'
      and relname not like '%_detail'
    union
    select proname from pg_proc where pronamespace = 'ops'::regnamespace and prosecdef
  `
  expect(names.map(({ name }) => name).filter((name) => !manual.includes(`\`ops.${name}`))).toEqual([])
  expect(manual).toContain('\\x auto')
})
