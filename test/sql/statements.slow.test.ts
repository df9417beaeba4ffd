/** The SQL statements of every API route and every worker task. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { joinByKeys } from '../../sql/transaction.ts'
import { SETTINGS } from '../github/workbench.ts'
import { declaredPages } from '../pages/declared.ts'
import { Provider } from '../sso/provider.ts'
import { TextServer } from '../sso/text-server.ts'
import { onCitus } from '../support/databases.ts'
import { Mailbox } from '../support/mailbox.ts'
import { ModelServer, settingsFor } from '../support/model-server.ts'
import { Receiver } from '../support/receiver.ts'
import { type Recording, recordStatements } from '../support/recording-proxy.ts'
import { freshDatabase } from '../support/server.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { SIGNING_SECRET, SlackServer } from '../support/slack.ts'
import { walkDeletions, walkRoutes } from './every-route.ts'
import { COMMON, ORGANIZATION } from './tenants.ts'
import type { Walk } from './walk.ts'
import { disableAutovacuum, type Statistics, wasteOfPlan, withStatistics } from './young-plans.ts'

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

// Statistics can be set manually since PostgreSQL 18.
const canSetStatistics = process.env.POSTGRES_PACKAGES === undefined && !onCitus

/** On a cluster, statements are recorded as they are sent, after they were rewritten. */
const testAsWritten = test.skipIf(onCitus)

let box: Box
let walk: Walk
let recording: Recording
let mail: Mailbox
const receiver = new Receiver()
const slack = new SlackServer()
const model = new ModelServer()
let provider: Provider
let names: TextServer
let statements: string[]
let wasted: string[]
const attemptPlans: string[][] = []
const tenants = new Map<string, string>()

const distinctStatements = (): string[] => [...new Set(recording.statements.map(({ text }) => text.trim()))]

beforeAll(async () => {
  const url = await freshDatabase()
  provider = await Provider.open()
  names = await TextServer.open()
  recording = await recordStatements(url)
  mail = await Mailbox.open()
  box = await signalbox({
    url,
    environment: {
      ...mail.environment,
      ...settingsFor(model),
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      SLACK_CLIENT_ID: 'client',
      SLACK_CLIENT_SECRET: 'client-secret',
      SLACK_API_URL: slack.url,
      ...provider.environment,
      DNS_SERVERS: names.address,
      ...SETTINGS,
      // Limits that are never reached, but are checked.
      RATE_LIMIT: '1000000',
      TRUST_PROXY: '1',
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
  if (canSetStatistics) await disableAutovacuum(box.sql)
  const walked = await walkRoutes({ box, mail, receiver, slack, provider, names })
  walk = walked.walk
  if (canSetStatistics) {
    const texts = distinctStatements().filter((each) => /^(select|with|insert|update|delete)\b/i.test(each))
    const [attempts = [], others = []] = [true, false].map((is) => texts.filter((each) => each.startsWith(JOINED_BY_KEYS) === is))
    wasted = await findWaste(others)
    for (const statistics of STATISTICS) attemptPlans.push(...(await explainAttempts(attempts, statistics)))
  }
  await walkDeletions(walked)
  // The rarest sweep comes every 30 seconds.
  const sweep = 'from ops.stranded_detail where why'
  await box.until('every sweep ran', async () => recording.statements.some(({ text }) => text.includes(sweep)), 60_000)
  statements = distinctStatements()
}, 300_000)
afterAll(async () => {
  await box.close()
  await recording[Symbol.asyncDispose]()
  await Promise.all([receiver.stop(), model.stop(), slack.stop(), provider.stop(), names.stop()])
})

test('the walk calls every route, visits every page and runs every task', async () => {
  const routes = [...walk.routes.map(([route]) => route), ...(await declaredPages())]
  expect(routes.filter((route) => !walk.succeeded.has(route))).toEqual([])
  const tasks = await box.sql<{ task: string }[]>`select task from ops.tasks where description is not null`
  const notRun = async () => {
    const runs = await box.sql<{ task: string }[]>`select distinct task from ops.job_runs where outcome = 'succeeded'`
    return tasks.map(({ task }) => task).filter((task) => !runs.some((run) => run.task === task))
  }
  // Runs are recorded in batches.
  await box.until('every run is recorded', async () => (await notRun()).length === 0).catch(() => {})
  expect(await notRun()).toEqual([])
  expect(tasks.length).toBeGreaterThan(10)
})

testAsWritten('what is inserted from a query has no parameters behind `on conflict`: a cluster refuses them', () => {
  const inserted = statements
    .map(onOneLine)
    .filter((text) => /^insert into \w+( as \w+)? \([^)]*\) select .* on conflict /.test(text))
  expect(inserted.length).toBeGreaterThan(10)
  const isRefused = (text: string) => /\$\d/.test(text.slice(text.lastIndexOf(' on conflict ')))
  expect(inserted.filter((text) => tenants.has(text.split(' ')[2] ?? '') && isRefused(text))).toEqual([])
})

/** Tables that can grow by thousands of rows before PostgreSQL analyzes them again. */
const FAST_GROWING = new Set([
  'organizations',
  'sessions',
  'requirements',
  'executions',
  'outbox',
  'waiting_events',
  'deliveries',
  'unsuccessful_deliveries',
  'dispatches',
  'repeated_attempts',
  'rollouts',
  'channel_events',
  'channel_messages',
  'audit_log_entries',
  'audit_log_unsealed',
  'notifications',
  'usage_records',
])

/** Waiting rows, which are few enough to read all of them. */
const SMALL = ['waiting_events', 'waiting_events_pkey']

/** Statements that deliberately read more than they return: an excerpt of each, and the reason. */
const READS_MORE: [excerpt: string, reason: string][] = [
  ['as waiting, coalesce(extract(epoch from now() - min(event.created_at)), 0)', 'a metric of the whole service'],
  ['count(*) filter (where due_at <= now() and not is_held) as ready', 'a metric of the whole service'],
  ['from ops.', 'a sweep or a metric of the whole service'],
  ['from "dispatches" order by "id" desc limit', 'the newest bodies with secrets'],
  ['distinct on (first_id)', 'all dispatches since the first recovered one'],
  ['and delivery.lease_until = $3::timestamptz', 'a lease by its end, which few have in common'],
  ['where delivery.lease_until <= now() and', 'an index of what CI systems have leased, which is little'],
  ['from requirements as requirement', 'one requirement of a project, or all of them'],
  ['from notifications as notification', 'one notification in the inbox of a user'],
  ['update notifications as notification', 'one notification in the inbox of a user'],
]

const STATISTICS: Statistics[] = ['small tables', 'small tables, empty queue']

/** Statements that are planned with the settings of `joinByKeys`. */
const JOINED_BY_KEYS = 'with attempt as materialized ('

/** Each statement whose plan is wasteful, with the reason. */
const findWaste = (texts: string[]): Promise<string[]> =>
  withStatistics(box.sql, 'small tables', async (tx) => {
    const wasted: string[] = []
    for (const text of texts) {
      if (READS_MORE.some(([excerpt]) => onOneLine(text).includes(excerpt))) continue
      const waste = await wasteOfPlan(tx, text, FAST_GROWING)
      wasted.push(
        ...waste.filter((each) => !SMALL.some((name) => each.startsWith(`${name}:`))).map((each) => `${each} in ${text}`),
      )
    }
    return wasted
  })

/** The generic plans of statements that record attempts, with many rows waiting and outdated statistics. */
const explainAttempts = (texts: string[], statistics: Statistics): Promise<string[][]> =>
  withStatistics(box.sql, statistics, async (tx) => {
    await tx`
      insert into dispatches (organization_id, workspace_id, project_id, hook_id, event_id, event, environment, max_attempts)
      select organization_id, workspace_id, project_id, id, uuidv7(), 'gate.approved', environment, 9
      from deployment_hooks
      cross join generate_series(1, 20000)
    `
    await joinByKeys(tx)
    const plans: string[][] = []
    for (const text of texts) {
      const plan = await tx.unsafe(`explain (generic_plan) ${text}`).simple()
      plans.push(plan.map((row) => String(row['QUERY PLAN'])))
    }
    return plans
  })

testAsWritten('what plans may do is listed for tables, indexes and statements that exist', async () => {
  const named = [...new Set([...FAST_GROWING, ...SMALL])]
  const relations = await box.sql<{ name: string }[]>`
    select relname as name from pg_class where relname = any(${named}) and relnamespace = 'public'::regnamespace
  `
  expect(relations.map(({ name }) => name).toSorted()).toEqual(named.toSorted())
  expect(READS_MORE.filter(([excerpt]) => !statements.some((text) => onOneLine(text).includes(excerpt)))).toEqual([])
})

test.skipIf(!canSetStatistics)('plans made while tables were small look up keys by an index', () => {
  expect(wasted).toEqual([])
})

test.skipIf(!canSetStatistics)('with many rows waiting, attempts are recorded by key, even with outdated statistics', () => {
  // Of dispatches and of messages; of finished ones, of those that are retried, and of both.
  expect(attemptPlans.length).toBeGreaterThanOrEqual(2 * STATISTICS.length)
  for (const lines of attemptPlans) {
    // Reading an empty partition costs nothing.
    const scans = lines.filter((line) =>
      /Seq Scan on (deliveries|dispatches)(?!_default)(?!.* \(cost=0\.00\.\.0\.00 )/.test(line),
    )
    expect(scans).toEqual([])
    expect(lines.join('\n')).toMatch(/Index Scan on deliveries_pkey.*\n *Index Cond: \(\(id = attempt(_1)?\.id\)/)
    // An index that is read as a whole, such as one whose last column is the id.
    expect(lines.filter((line) => /Index Scan using (deliveries|dispatches)(?!_default)/.test(line))).toEqual([])
  }
})
