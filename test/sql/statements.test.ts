/** One rich story through API and worker, and what they ask the database: of whom, and not of everybody. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Recording, recordStatements } from '../support/recording-proxy.ts'
import { freshDatabase } from '../support/server.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { looseTables } from './loose-tables.ts'
import { COMMON, ORGANIZATION } from './tenants.ts'
import { makeYoung, wasteOfPlan } from './young-plans.ts'

/**
 * What looks beyond one organization, and why: a piece of the statement, by which it is known, and the reason. On many
 * machines each of these asks all of them.
 */
const BEYOND: [piece: string, reason: string][] = [
  ['left join (select id, ', 'what a path names is found by its id: whose it is, is the answer'],
  ['with organization as ( insert into organizations', 'a name is free or taken in the whole service'],
  // The drain and the seals work for all tenants, in turns.
  ['with recursive tenants (', 'the drain and its poll: the next events of all'],
  ['with recursive waiting as (', 'the seals: whose log has grown'],
  [
    'from audit_log_entries as entry where entry.id = any',
    'the seals: entries of many, by their ids alone, which is what keeps them fast',
  ],
  ['from audit_log_entries where id = any', 'likewise'],
  ['with marked as ( update runtimes set offline_at', 'the watch over runtimes: who has fallen silent'],
  // A job carries the id of its lane alone.
  ['update lanes set owner_id = $1', 'a lane is leased'],
  // The organization is in no index of these lists: with it, each row would be read to be counted.
  ['select count(*) as total from requirements', 'a count that an index answers alone'],
  ['select count(*) as total from executions', 'likewise'],
]

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

let box: Box
let recording: Recording
const receiver = new Receiver()
let statements: string[]
const tenants = new Map<string, string>()

beforeAll(async () => {
  const url = await freshDatabase()
  recording = await recordStatements(url)
  box = await signalbox({ url, environment: { DATABASE_URL: recording.url } })
  const rows = await box.sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p')
      and not relispartition
  `
  for (const { name } of rows) {
    if (!(name in COMMON)) tenants.set(name, name === ORGANIZATION ? 'id' : 'organization_id')
  }
  await tellStory()
  // What is asked every few seconds comes in its own time.
  await box.until('all that looks beyond one organization was asked', async () => {
    statements = [...new Set(recording.statements.map(({ text }) => text.trim()))]
    return BEYOND.every(([piece]) => statements.some((text) => onOneLine(text).includes(piece)))
  })
})
afterAll(async () => {
  await box.close()
  await recording[Symbol.asyncDispose]()
  await receiver.stop()
})

/** What a day brings: work that is wanted, done and approved; what it costs; who is told; and everybody who looks at it. */
async function tellStory(): Promise<void> {
  const ada = await box.user('Ada Lovelace')
  const grace = await box.user('Grace Hopper')
  const { organization, workspace, project } = await box.site(ada)
  await box.join(grace, { organization, workspace, project }, 'member', 'member')
  const [inOrganization, inWorkspace, inProject] = [
    `/api/v1/organizations/${organization.id}`,
    `/api/v1/workspaces/${workspace.id}`,
    `/api/v1/projects/${project.id}`,
  ]
  await ada.put(inWorkspace, { budget_monthly_limit_usd: 100 })
  const hook = await ada.make(`${inProject}/deployment-hooks`, { name: 'Deploy', url: receiver.url, trigger_on: 'gate_approved' })
  const channel = await ada.make(`${inWorkspace}/notification-channels`, {
    name: 'Ops',
    channel_type: 'webhook',
    config: { url: receiver.url },
  })
  await ada.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: '*' })
  await ada.make(`${inWorkspace}/notification-channels/${channel.id}/test`)
  const runtime = await grace.make(`${inOrganization}/runtimes`, { name: 'Farm', hostname: 'farm.example.com' })

  const execution = await box.running(grace, project.id, { runtime_id: runtime.id })
  await ada.make(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 1 })
  await ada.make(`/api/v1/runtimes/${runtime.id}/heartbeat`)
  const gate = await box.approval(ada, execution.id)
  await ada.make(`/api/v1/executions/${execution.id}/complete`, { cost_usd: 90, summary: 'Done' })
  await box.settled()
  await box.until('everything is told, and every lane is left', async () => {
    const [{ waits }] = await box.sql<[{ waits: boolean }]>`
      select exists (select from deliveries)
        or not exists (select from channel_messages)
        or exists (select from audit_log_unsealed)
        or exists (select from outbox where drained_at is null)
        or exists (select from lanes where owner_id is not null) as waits
    `
    return !waits
  })

  const { body: dispatches } = await ada.get(`/api/v1/deployment-hooks/${hook.id}/dispatches`)
  const paths = [
    '/api/v1/organizations',
    inOrganization,
    ...['workspaces', 'members', 'runtimes', 'budget', 'audit-logs'].map((list) => `${inOrganization}/${list}`),
    inWorkspace,
    ...['projects', 'members', 'notification-channels'].map((list) => `${inWorkspace}/${list}`),
    inProject,
    ...['requirements', 'gates', 'deployment-hooks', 'deliverables', 'dual-track'].map((list) => `${inProject}/${list}`),
    `/api/v1/requirements/${execution.requirement_id}`,
    `/api/v1/requirements/${execution.requirement_id}/executions`,
    `/api/v1/executions/${execution.id}`,
    `/api/v1/executions/${execution.id}/gates`,
    `/api/v1/gates/${gate.id}`,
    `/api/v1/deployment-hooks/${hook.id}`,
    `/api/v1/dispatches/${dispatches.items[0].id}`,
    `/api/v1/notification-channels/${channel.id}/subscriptions`,
    `/api/v1/notification-channels/${channel.id}/logs`,
    '/api/v1/notifications',
  ]
  for (const path of paths) expect([path, (await ada.get(path)).status]).toEqual([path, 200])
}

test('what is asked of a tenant’s table is asked of one tenant, or stands among what is not', () => {
  expect(statements.length).toBeGreaterThan(100)
  const loose = statements.filter((text) => looseTables(text, tenants).length > 0).map(onOneLine)
  expect(loose.filter((text) => !BEYOND.some(([piece]) => text.includes(piece)))).toEqual([])
  // What has been mended since needs no place here any more.
  expect(BEYOND.filter(([piece]) => !loose.some((text) => text.includes(piece)))).toEqual([])
})

/** What may grow by thousands within the minute that PostgreSQL takes to have a look at it. */
const FAST = new Set([
  'organizations',
  'sessions',
  'requirements',
  'executions',
  'outbox',
  'deliveries',
  'unsuccessful_deliveries',
  'dispatches',
  'dispatch_attempts',
  'channel_events',
  'channel_messages',
  'audit_log_entries',
  'audit_log_unsealed',
  'notifications',
])

/** What is read whole on purpose: an index of what waits, which is nearly empty. */
const WHOLE = ['outbox_waiting']

/** Statements that are planned each time anew, by the sizes that tables have then (`disablePlanCache`). */
const PLANNED_ANEW = 'with attempt as materialized ('

// Statistics can be set by hand since PostgreSQL 18.
test.skipIf(process.env.POSTGRES_PACKAGES !== undefined)(
  'what is looked up by its key is, by a plan of the time when tables were small as well',
  async () => {
    await makeYoung(box.sql)
    const wasted: string[] = []
    const kept = statements.filter(
      (each) => /^(select|with|insert|update|delete)\b/i.test(each) && !each.startsWith(PLANNED_ANEW),
    )
    for (const text of kept) {
      const waste = await wasteOfPlan(box.sql, text, FAST)
      wasted.push(...waste.filter((each) => !WHOLE.some((index) => each.startsWith(index))).map((each) => `${each} in ${text}`))
    }
    expect(wasted).toEqual([])
  },
)

test('attempts are recorded by the keys of what waits, once much does, though nobody has looked at the tables since', async () => {
  const records = statements.filter((each) => each.startsWith(PLANNED_ANEW))
  expect(records.length).toBe(2)
  await makeYoung(box.sql)
  await box.sql`
    insert into dispatches (organization_id, workspace_id, project_id, hook_id, event_id, event, environment, max_attempts)
    select organization_id, workspace_id, project_id, id, uuidv7(), 'gate.approved', environment, 9
    from deployment_hooks
    cross join generate_series(1, 20000)
  `
  for (const text of records) {
    const plan = await box.sql.unsafe(`explain ${text.replace('$1', `'[{}]'`)}`).simple()
    const lines = plan.map((row) => String(row['QUERY PLAN']))
    expect(lines.filter((line) => /Seq Scan on (deliveries|dispatches)(?!_default)/.test(line))).toEqual([])
    expect(lines.join('\n')).toMatch(/Index Cond: \(\(id = attempt_1\.id\)/)
  }
})

test('a table that is looked through for all tenants is found out', () => {
  const loose = (text: string) => looseTables(text, tenants)
  expect(loose('select * from gates where id = $1')).toEqual(['gates'])
  expect(loose('select * from gates where id = $1 and organization_id = $2')).toEqual([])
  expect(
    loose('select * from gates as gate join executions as e on e.id = gate.execution_id where gate.organization_id = $1'),
  ).toEqual(['executions'])
  expect(
    loose(
      'select * from gates as gate join executions as e on e.organization_id = gate.organization_id where e.organization_id = $1',
    ),
  ).toEqual([])
  expect(
    loose('select * from projects where organization_id = $1 and exists (select from gates where project_id = projects.id)'),
  ).toEqual(['gates'])
  expect(loose('delete from outbox where organization_id = any($1::uuid[]) and id = any($2::uuid[])')).toEqual([])
  expect(loose("select 'from gates' from users where id = $1")).toEqual([])
})
