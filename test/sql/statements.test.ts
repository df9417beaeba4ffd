/** Every route of the API and every task of the worker, and what they ask the database. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Mailbox } from '../support/mailbox.ts'
import { ModelServer, settingsFor } from '../support/model-server.ts'
import { Receiver } from '../support/receiver.ts'
import { type Recording, recordStatements } from '../support/recording-proxy.ts'
import { freshDatabase } from '../support/server.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { walkDeletions, walkRoutes } from './every-route.ts'
import { looseTables } from './loose-tables.ts'
import { COMMON, ORGANIZATION } from './tenants.ts'
import type { Walk } from './walk.ts'
import { wasteOfPlan, whileYoung } from './young-plans.ts'

/**
 * Statements that cannot name the organization of a table that they read: a piece of each, by which it is recognized, and
 * the reason. Where tenants are distributed over many machines, each of these asks all of them.
 */
const OVER_ALL: [piece: string, reason: string][] = [
  // Finding out which organization it is.
  ['left join (select id, ', 'the access check finds what a path names by its id, and so its organization'],
  [
    "where invitation.status = 'pending' and invitation.expires_at > now() and invitation.token_hash",
    'the link of an invitation',
  ],
  [
    "where invitation.status = 'pending' and invitation.expires_at > now() and invitation.id",
    'an invitation that its user accepts',
  ],
  ["where invitation.status = 'pending' and invitation.expires_at > now() and invitation.email", 'the invitations of a user'],
  ['from users as invited join invitations as invitation', 'the invitations of a user whose address was just proven'],
  ['from organization_members as member join organizations as organization', 'the organizations of a user'],
  ['select organization_id from organization_members where user_id', 'the organizations that a deleted user leaves'],
  ['with organization as ( insert into organizations', 'a slug is unique in the whole service'],
  // The drain, the seals and the watch over runtimes, which take the organizations in turns.
  ['with recursive tenants (', 'the drain and its poll: the next events of all organizations'],
  ['with recursive waiting as (', 'the seals: organizations whose audit log has grown'],
  ['with silent as ( select id, organization_id from runtimes', 'the watch over runtimes: those that are silent'],
  // What a worker does for all organizations that it serves.
  ['select id as lane_id, organization_id from lanes where owner_id', 'the lanes that a worker has leased'],
  // Retention, which deletes by time, and the purge of what only time and organization find.
  ['with page as ( select id', 'rows that are too old, in the order of their ids'],
  ['delete from "invitation_mails"', 'counts of mails that are too old'],
  ['set previous_secret = null, previous_secret_until = null', 'replaced secrets that are too old'],
  ['select id from organizations where deleted_at is not null', 'organizations whose purge did not finish'],
  // Metrics of the whole service.
  ['select count(*) as waiting, coalesce(extract(epoch from now() - min(event.created_at)), 0)', 'the length of the outbox'],
  ['count(*) filter (where due_at <= now() and not is_held) as ready', 'the length of the queue'],
  ['(select count(*) from deployment_hooks where enabled) as hooks', 'the number of hooks and channels'],
]

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

// Statistics can be set by hand since PostgreSQL 18.
const canBeYoung = process.env.POSTGRES_PACKAGES === undefined

let box: Box
let walk: Walk
let recording: Recording
let mail: Mailbox
const receiver = new Receiver()
const model = new ModelServer()
let statements: string[]
let wasted: string[]
let recordPlans: string[][]
const tenants = new Map<string, string>()

const recorded = (): string[] => [...new Set(recording.statements.map(({ text }) => text.trim()))]

beforeAll(async () => {
  const url = await freshDatabase()
  recording = await recordStatements(url)
  mail = await Mailbox.open()
  box = await signalbox({
    url,
    environment: {
      ...mail.environment,
      ...settingsFor(model),
      AI_POLISH: 'on',
      // Limits that are never reached, so that what they look up is looked up.
      RATE_LIMIT: '1000000',
      DATABASE_URL: recording.url,
    },
  })
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
  const walked = await walkRoutes({ box, mail, receiver })
  walk = walked.walk
  if (canBeYoung) {
    const texts = recorded().filter((each) => /^(select|with|insert|update|delete)\b/i.test(each))
    wasted = await wasteOf(texts.filter((each) => !each.startsWith(PLANNED_ANEW)))
    recordPlans = await plansOfRecords(texts.filter((each) => each.startsWith(PLANNED_ANEW)))
  }
  await walkDeletions(walked)
  statements = recorded()
}, 120_000)
afterAll(async () => {
  await box.close()
  await recording[Symbol.asyncDispose]()
  await Promise.all([receiver.stop(), model.stop(), mail.stop()])
})

test('the walk calls every route, and runs every task', async () => {
  expect(walk.routes.map(([route]) => route).filter((route) => !walk.succeeded.has(route))).toEqual([])
  const tasks = await box.sql<{ task: string }[]>`select task from ops.tasks where description is not null`
  const idle = async () => {
    const runs = await box.sql<{ task: string }[]>`select distinct task from ops.job_runs where outcome = 'succeeded'`
    return tasks.map(({ task }) => task).filter((task) => !runs.some((run) => run.task === task))
  }
  await box.until('every run is on record', async () => (await idle()).length === 0)
  expect(tasks.length).toBeGreaterThan(10)
})

test('every statement names the organization of each tenant’s table that it reads, or is listed as one that cannot', () => {
  expect(statements.length).toBeGreaterThan(400)
  const loose = statements.filter((text) => looseTables(text, tenants).length > 0).map(onOneLine)
  expect(loose.filter((text) => !OVER_ALL.some(([piece]) => text.includes(piece)))).toEqual([])
  expect(OVER_ALL.filter(([piece]) => !loose.some((text) => text.includes(piece)))).toEqual([])
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

/** Statements that read more than what they look for, on purpose: a piece of each, and the reason. */
const READS_MORE: [piece: string, reason: string][] = [
  ['as waiting, coalesce(extract(epoch from now() - min(event.created_at)), 0)', 'a metric of the whole service'],
  ['count(*) filter (where due_at <= now() and not is_held) as ready', 'likewise'],
  ['distinct on (first_id)', 'dispatches since the first that is recovered'],
  ['from requirements as requirement', 'one requirement of a project, or all'],
  ['from notifications as notification', 'a notification in the inbox of its user'],
  ['update notifications as notification', 'likewise'],
]

/** Statements that are planned each time anew, by the sizes that tables have then (`disablePlanCache`). */
const PLANNED_ANEW = 'with attempt as materialized ('

/** Each statement with what its plan would waste. */
const wasteOf = (texts: string[]): Promise<string[]> =>
  whileYoung(box.sql, async (tx) => {
    const wasted: string[] = []
    for (const text of texts) {
      if (READS_MORE.some(([piece]) => onOneLine(text).includes(piece))) continue
      const waste = await wasteOfPlan(tx, text, FAST)
      wasted.push(...waste.filter((each) => !WHOLE.some((index) => each.startsWith(index))).map((each) => `${each} in ${text}`))
    }
    return wasted
  })

/** The plans that record attempts, once much waits, though nothing has counted the rows since. */
const plansOfRecords = (texts: string[]): Promise<string[][]> =>
  whileYoung(box.sql, async (tx) => {
    await tx`
      insert into dispatches (organization_id, workspace_id, project_id, hook_id, event_id, event, environment, max_attempts)
      select organization_id, workspace_id, project_id, id, uuidv7(), 'gate.approved', environment, 9
      from deployment_hooks
      cross join generate_series(1, 20000)
    `
    const plans: string[][] = []
    for (const text of texts) {
      const plan = await tx.unsafe(`explain ${text.replace('$1', `'[{}]'`)}`).simple()
      plans.push(plan.map((row) => String(row['QUERY PLAN'])))
    }
    return plans
  })

test.skipIf(!canBeYoung)('what is looked up by its key is, by a plan of the time when tables were small as well', () => {
  expect(wasted).toEqual([])
})

test.skipIf(!canBeYoung)(
  'attempts are recorded by the keys of what waits, once much does, though nobody has looked at the tables since',
  () => {
    expect(recordPlans.length).toBe(2)
    for (const lines of recordPlans) {
      expect(lines.filter((line) => /Seq Scan on (deliveries|dispatches)(?!_default)/.test(line))).toEqual([])
      expect(lines.join('\n')).toMatch(/Index Cond: \(\(id = attempt_1\.id\)/)
    }
  },
)
