import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PullWorkbench as Workbench } from '../pull-hooks/workbench.ts'
import { type Family, readMetrics, sumOf } from './text-format.ts'

let bench: Workbench
let metrics: () => Promise<Map<string, Family>>

beforeAll(async () => {
  bench = await Workbench.open({ own: true })
  metrics = async () => {
    const { status, headers, body } = await bench.box.request('GET', '/metrics')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    return readMetrics(body)
  }
})

afterAll(() => bench.close())

/** Waits until a condition on the metrics holds, and returns them. Workers report every ten seconds. */
async function waitForMetrics(what: string, holds: (families: Map<string, Family>) => boolean): Promise<Map<string, Family>> {
  let families = new Map<string, Family>()
  await bench.box.until(
    what,
    async () => {
      families = await metrics()
      return holds(families)
    },
    40_000,
  )
  return families
}

test('Requests are counted by route, never by path', async () => {
  const { project } = await bench.hooked()
  await bench.admin.get(`/api/v1/projects/${project.id}`)
  await bench.admin.get(`/api/v1/projects/${crypto.randomUUID()}`)
  await bench.box.request('GET', '/nowhere/at/all')
  const route = '/api/v1/projects/:project_id'
  const families = await waitForMetrics(
    'the requests are counted',
    (found) => sumOf(found, 'http_server_request_duration_seconds_count', { http_route: route }) >= 2,
  )
  const count = (labels: Record<string, string>) => sumOf(families, 'http_server_request_duration_seconds_count', labels)
  expect(count({ http_route: route, http_request_method: 'GET', http_response_status_code: '200' })).toBe(1)
  expect(count({ http_route: route, http_response_status_code: '404' })).toBe(1)
  const routes = new Set(families.get('http_server_request_duration_seconds')?.series.map(({ labels }) => labels.http_route))
  expect([...routes].filter((each) => each?.includes('nowhere') || each?.includes(project.id))).toEqual([])
  expect(count({ http_response_status_code: '404' })).toBeGreaterThanOrEqual(2)
})

test('Metrics of workers are served from the database', async () => {
  const good = await bench.hooked()
  const bad = await bench.hooked()
  bad.receiver.answer = () => new Response('no', { status: 500 })
  await bench.approve(good.project)
  await bench.approve(bad.project)
  await bench.settled(good.hook)
  await bench.settled(bad.hook)
  const attempts = 'signalbox_dispatch_attempt_duration_seconds_count'
  const families = await waitForMetrics('attempts are counted', (found) => sumOf(found, attempts, { outcome: 'failed' }) === 1)
  expect(sumOf(families, attempts, { outcome: 'succeeded', status_class: '2xx' })).toBe(1)
  expect(sumOf(families, attempts, { outcome: 'retry', status_class: '5xx', error_type: 'http_error' })).toBe(2)
  expect(sumOf(families, 'signalbox_outbox_delay_seconds_count')).toBeGreaterThan(2)
  expect(
    sumOf(families, 'signalbox_job_duration_seconds_count', { task: 'dispatch_hook', outcome: 'succeeded' }),
  ).toBeGreaterThan(0)
  expect(sumOf(families, 'db_client_operation_duration_seconds_count', { process: 'worker' })).toBeGreaterThan(0)
  expect(sumOf(families, 'process_resident_memory_bytes', { process: 'worker' })).toBeGreaterThan(1e7)
  expect(sumOf(families, 'signalbox_workers', { status: 'online' })).toBe(1)
})

test('Claims are counted, and leases by their outcome', async () => {
  const pulled = await bench.pulled()
  const dispatch = await bench.trigger(pulled)
  await bench.runOut(await bench.claimOne(pulled))
  await bench.acknowledge(pulled, await bench.claimOne(pulled), { outcome: 'succeeded' })
  const leases = 'signalbox_lease_duration_seconds_count'
  const families = await waitForMetrics(
    'leases are counted',
    (found) => sumOf(found, leases) === 2 && sumOf(found, 'signalbox_claimed_dispatches_total') === 2,
  )
  expect(sumOf(families, leases, { outcome: 'retry', error_type: 'lease_expired' })).toBe(1)
  expect(sumOf(families, leases, { outcome: 'succeeded' })).toBe(1)
  const line = { dispatch: dispatch.id, hook: pulled.hook.id, event: 'manual.trigger', attempt: 2, outcome: 'succeeded' }
  expect(JSON.parse(bench.box.api.lines.findLast((each) => each.includes('"lease"')) ?? '')).toMatchObject(line)
})

test('No counter decreases when a worker ends, gracefully or not', async () => {
  const { project, hook } = await bench.hooked()
  await bench.approve(project)
  await bench.settled(hook)
  const counted = (found: Map<string, Family>) => sumOf(found, 'signalbox_job_duration_seconds_count', { task: 'dispatch_hook' })
  const before = counted(await metrics())
  const [first] = bench.box.workers
  if (!first) throw new Error('There is no worker')
  await bench.box.end(first, 'SIGTERM')
  const after = await waitForMetrics(
    'the worker is gone',
    (found) => sumOf(found, 'process_start_time_seconds', { process: 'worker' }) === 0,
  )
  expect(counted(after)).toBeGreaterThanOrEqual(before)
  const second = await bench.box.startWorker()
  await waitForMetrics(
    'the second worker reports',
    (found) => sumOf(found, 'process_start_time_seconds', { process: 'worker' }) > 0,
  )
  await bench.box.end(second, 'SIGKILL')
  expect(counted(await metrics())).toBeGreaterThanOrEqual(counted(after))
  await bench.box.startWorker()
})

test('Waiting jobs are counted by task and state', async () => {
  await bench.box.sql`
    select graphile_worker.add_job('forget_expired', '{}', run_at := now() + interval '1 hour') from generate_series(1, 3)
  `
  const families = await waitForMetrics(
    'three jobs are counted',
    (found) => sumOf(found, 'signalbox_queue_jobs', { task: 'forget_expired', state: 'scheduled' }) === 3,
  )
  expect(sumOf(families, 'signalbox_queue_oldest_ready_seconds', { task: 'forget_expired' })).toBe(0)
})

test('Labels have few values and never name a tenant', async () => {
  const organization = bench.site.organization.id
  const families = await metrics()
  expect([...families.keys()]).toContain('signalbox_queue_jobs')
  for (const [name, { series }] of families) {
    for (const { labels } of series) {
      expect([name, JSON.stringify(labels)]).toEqual([name, expect.not.stringContaining(organization)])
    }
  }
})
